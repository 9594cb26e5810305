//! The web page: starts the viewer on the canvas of `web/index.html` and talks to `web/viewer.js`.
//!
//! Both sides share the object `window.meshwright`. The script has the functions that the viewer calls ([`Page`]); the viewer adds
//! `start()`, `stop()`, `open(files, beside)` and `complain(sentence)`. Tests read the `data-` attributes that [`Watched`] keeps up to
//! date.

use std::collections::BTreeMap;

use js_sys::{Array, Function, Reflect, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

use crate::host::{Host, Inbox, Pick, Request};
use crate::state::Tab;
use crate::{App, State};

/// The object of the page that both sides use.
const SHARED_OBJECT: &str = "meshwright";

/// Below this width in CSS pixels the side panel starts closed, because it would cover half of the model.
const PHONE_WIDTH: f64 = 640.0;

/// Shows the viewer on the page. Returns at once; the viewer starts when the browser has found a graphics device.
pub fn start() {
    std::panic::set_hook(Box::new(|info| {
        fail("The viewer stopped because of a bug. Reload the page to continue.", &info.to_string());
    }));
    // After a lost graphics device, the script calls it again.
    offer("start", Closure::<dyn Fn()>::new(begin).into_js_value());
    begin();
}

fn begin() {
    wasm_bindgen_futures::spawn_local(async {
        if let Err(problem) = run().await {
            let problem = problem.as_string().unwrap_or_else(|| format!("{problem:?}"));
            fail(
                "This browser cannot draw with WebGL2. Turn on hardware acceleration, use another browser, or install meshwright-viewer.",
                &problem,
            );
        }
    });
}

async fn run() -> Result<(), JsValue> {
    let window = web_sys::window().ok_or("there is no window")?;
    let query = window.location().search()?;
    let width = window.inner_width().ok().and_then(|width| width.as_f64());
    let canvas = window.document().and_then(|document| document.get_element_by_id("view"));
    let canvas = canvas.and_then(|canvas| canvas.dyn_into().ok()).ok_or("the page has no canvas")?;
    let mut options = eframe::WebOptions::default();
    crate::graphics::configure(&mut options.wgpu_options.wgpu_setup);
    if let egui_wgpu::WgpuSetup::CreateNew(setup) = &mut options.wgpu_options.wgpu_setup {
        // Every browser has WebGL2. WebGPU is used only on request: in headless Chromium its canvas stays empty.
        let wants_webgpu = value_of(&query, "backend") == Some("webgpu");
        setup.instance_descriptor.backends =
            if wants_webgpu { wgpu::Backends::BROWSER_WEBGPU } else { wgpu::Backends::GL };
    }
    let create = move |context: &eframe::CreationContext<'_>| {
        let mut app = app(&query, Box::new(Page));
        app.graphics = crate::graphics::Graphics::new(context.wgpu_render_state.as_ref());
        if width.is_some_and(|width| width < PHONE_WIDTH) && value_of(&query, "panel").is_none() {
            app.state.tab = Tab::None;
        }
        // Otherwise a finger that rests for a moment opens a context menu, and no longer turns the camera.
        context.egui_ctx.options_mut(|options| options.input_options.max_click_duration = f64::INFINITY);
        receive(&app.inbox(), &context.egui_ctx);
        Ok(Box::new(Watched::new(app)) as Box<dyn eframe::App>)
    };
    let runner = eframe::WebRunner::new();
    let stopped = runner.clone();
    offer("stop", Closure::once_into_js(move || stopped.destroy()));
    runner.start(canvas, options, Box::new(create)).await
}

/// The viewer as it starts on a page, with the query of the page's address.
#[must_use]
pub fn app(query: &str, host: Box<dyn Host>) -> App {
    let mut state = State::default();
    let problems = state.read_query(query);
    let mut app = App::new(state.clone(), host);
    // Opening the sample resets time and camera; the address sets them.
    app.state = state;
    problems.into_iter().for_each(|problem| app.say(problem, true));
    app
}

/// The value of a name in a query. The backend is no setting of the viewer, because it cannot change later.
fn value_of<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    let pairs = query.trim_start_matches('?').split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Lets the script give files and messages to the viewer.
fn receive(inbox: &Inbox, context: &egui::Context) {
    let (files, sentences) = (inbox.clone(), inbox.clone());
    let (repaint, repaint_too) = (context.clone(), context.clone());
    let open = Closure::<dyn Fn(Array, bool)>::new(move |list: Array, beside: bool| {
        let read = |pair: JsValue| {
            let pair = Array::from(&pair);
            Some((pair.get(0).as_string()?, Uint8Array::new(&pair.get(1)).to_vec()))
        };
        files.send(Request::Files(list.iter().filter_map(read).collect()), beside);
        repaint.request_repaint();
    });
    let complain = Closure::<dyn Fn(String)>::new(move |sentence: String| {
        sentences.send(Request::Failed(sentence), false);
        repaint_too.request_repaint();
    });
    offer("open", open.into_js_value());
    offer("complain", complain.into_js_value());
}

/// What the viewer needs from the page. Dropped files come from the script, because only it can list dropped folders.
#[derive(Debug)]
struct Page;

impl Host for Page {
    fn pick(&mut self, what: Pick, _: &Inbox, beside: bool, _: &egui::Context) {
        let kind = if what == Pick::Folder { "folder" } else { "files" };
        call("pick", &[kind.into(), beside.into()]);
    }

    fn save(&mut self, name: &str, bytes: Vec<u8>, _ask: bool) -> Result<Option<String>, String> {
        call("save", &[name.into(), Uint8Array::from(bytes.as_slice()).into()]);
        Ok(Some(format!("Saved {name}")))
    }

    fn dropped(&mut self, _: Vec<egui::DroppedFileHandle>, _: &Inbox, _: bool, _: &egui::Context) {}

    fn remember(&mut self, query: &str) {
        call("address", &[query.into()]);
    }
}

/// The viewer, with facts about it as attributes of the canvas.
struct Watched {
    app: App,
    reported: BTreeMap<&'static str, String>,
}

impl Watched {
    fn new(app: App) -> Self {
        Self { app, reported: BTreeMap::new() }
    }

    fn report(&mut self, name: &'static str, value: String) {
        if self.reported.get(name) != Some(&value) {
            call("report", &[name.into(), value.as_str().into()]);
            self.reported.insert(name, value);
        }
    }
}

impl eframe::App for Watched {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.app.show(ui);
        let names: Vec<String> = self.app.panes.iter().map(|pane| pane.opened.name()).collect();
        let errors = self.app.messages.iter().filter(|message| message.is_error);
        let errors: Vec<&str> = errors.map(|message| message.text.as_str()).collect();
        let errors = errors.join("\n");
        self.report("adapter", self.app.graphics.description());
        self.report("error", errors);
        self.report("model", names.join(" | "));
    }
}

/// Shows a sentence over the whole page: the viewer cannot continue.
fn fail(sentence: &str, details: &str) {
    call("fail", &[sentence.into(), details.into()]);
}

fn shared_object() -> Option<JsValue> {
    Reflect::get(&js_sys::global(), &SHARED_OBJECT.into()).ok().filter(JsValue::is_object)
}

/// Adds a function for the script.
fn offer(name: &str, function: JsValue) {
    if let Some(object) = shared_object() {
        // It fails only for a frozen object, and the script does not freeze it.
        let _ = Reflect::set(&object, &name.into(), &function);
    }
}

/// Calls a function of the script, if the page has it.
fn call(name: &str, arguments: &[JsValue]) {
    let Some(object) = shared_object() else { return };
    let function =
        Reflect::get(&object, &name.into()).ok().and_then(|value| value.dyn_into::<Function>().ok());
    if let Some(function) = function {
        let arguments: Array = arguments.iter().collect();
        let _ = function.apply(&object, &arguments);
    }
}
