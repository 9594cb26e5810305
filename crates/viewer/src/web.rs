//! The web page: starts the viewer on the canvas of `web/index.html` and talks to `web/viewer.js`.
//!
//! Both sides meet in the object `window.meshwright`. The script has functions for what the viewer wants of the page ([`Page`]); the
//! viewer adds `open(files, beside)` and `complain(sentence)`. Tests read the `data-` attributes that [`Watched`] keeps up to date.

use std::collections::BTreeMap;

use js_sys::{Array, Function, Reflect, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

use crate::host::{Host, Inbox, Pick, Request};
use crate::{App, State};

/// The object of the page that both sides use.
const MEETING_POINT: &str = "meshwright";

/// Shows the viewer on the page. Returns at once; it starts when the browser has found a graphics device.
pub fn start() {
    std::panic::set_hook(Box::new(|info| {
        fail(&format!(
            "The viewer has stopped because of a mistake in its code. Load the page again to go on. {info}"
        ));
    }));
    wasm_bindgen_futures::spawn_local(async {
        if let Err(problem) = run().await {
            let problem = problem.as_string().unwrap_or_else(|| format!("{problem:?}"));
            fail(&format!(
                "The viewer cannot draw in this browser: {problem}. Turn on hardware acceleration, or use another browser."
            ));
        }
    });
}

async fn run() -> Result<(), JsValue> {
    let window = web_sys::window().ok_or("there is no window")?;
    let query = window.location().search()?;
    let canvas = window.document().and_then(|document| document.get_element_by_id("view"));
    let canvas = canvas.and_then(|canvas| canvas.dyn_into().ok()).ok_or("the page has no canvas")?;
    let mut options = eframe::WebOptions::default();
    crate::graphics::configure(&mut options.wgpu_options.wgpu_setup);
    if let egui_wgpu::WgpuSetup::CreateNew(setup) = &mut options.wgpu_options.wgpu_setup {
        match value_of(&query, "backend") {
            Some("webgl") => setup.instance_descriptor.backends = wgpu::Backends::GL,
            Some("webgpu") => setup.instance_descriptor.backends = wgpu::Backends::BROWSER_WEBGPU,
            _ => {}
        }
    }
    let create = move |context: &eframe::CreationContext<'_>| {
        let mut app = app(&query, Box::new(Page));
        app.graphics = crate::graphics::Graphics::new(context.wgpu_render_state.as_ref());
        receive(&app.inbox(), &context.egui_ctx);
        Ok(Box::new(Watched::new(app, context)) as Box<dyn eframe::App>)
    };
    eframe::WebRunner::new().start(canvas, options, Box::new(create)).await
}

/// The viewer as it starts on a page, with the query of the page's address.
#[must_use]
pub fn app(query: &str, host: Box<dyn Host>) -> App {
    let mut state = State::default();
    let problems = state.read_query(query);
    let mut app = App::new(state.clone(), host);
    // A new model starts at the beginning; here the address says where.
    app.state = state;
    problems.into_iter().for_each(|problem| app.say(problem, true));
    app
}

/// The value of a name in a query. The viewer itself has no setting for the backend, since it cannot change later.
fn value_of<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    let pairs = query.trim_start_matches('?').split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Lets the script give files and sentences to the viewer.
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

/// What the viewer needs of the page. Dropped files come from the script, since only it can look into dropped folders.
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
    adapter: String,
    reported: BTreeMap<&'static str, String>,
}

impl Watched {
    fn new(app: App, context: &eframe::CreationContext<'_>) -> Self {
        let info = context.wgpu_render_state.as_ref().map(|state| state.adapter.get_info());
        let adapter = info.map_or_else(String::new, |info| format!("{} {}", info.backend, info.name));
        Self { app, adapter, reported: BTreeMap::new() }
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
        self.report("adapter", self.adapter.clone());
        self.report("error", errors);
        self.report("model", names.join(" | "));
    }
}

/// Something that cannot be repaired happened.
fn fail(sentence: &str) {
    call("fail", &[sentence.into()]);
}

fn meeting_point() -> Option<JsValue> {
    Reflect::get(&js_sys::global(), &MEETING_POINT.into()).ok().filter(JsValue::is_object)
}

/// Adds a function for the script.
fn offer(name: &str, function: JsValue) {
    if let Some(object) = meeting_point() {
        // It fails only for an object that cannot be changed, and the script makes one that can.
        let _ = Reflect::set(&object, &name.into(), &function);
    }
}

/// Calls a function of the script. A page without it works, except for what the function does.
fn call(name: &str, arguments: &[JsValue]) {
    let Some(object) = meeting_point() else { return };
    let function =
        Reflect::get(&object, &name.into()).ok().and_then(|value| value.dyn_into::<Function>().ok());
    if let Some(function) = function {
        let arguments: Array = arguments.iter().collect();
        let _ = function.apply(&object, &arguments);
    }
}
