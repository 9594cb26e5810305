//! The window: panes, messages, and what commands do.

use crate::capture::{self, Recording, SaveAs};
use crate::document::Opened;
use crate::flags::Flags;
use crate::graphics::Graphics;
use crate::host::{Host, Inbox, Pick, Request};
use crate::interface::Interface;
use crate::keys::Command;
use crate::library::Library;
use crate::pane::{Object, Pane, Selection};
use crate::state::{State, Tab};
use crate::{playback, sample};
use egui::Context;
use meshwright::render::frame::{Channel, LIGHT_RIGS, LevelChoice, Wireframe};
use meshwright::scene::{MeshId, team_color};

/// A sentence at the bottom of the view.
pub struct Message {
    /// The sentence.
    pub text: String,
    /// Whether something went wrong. Such messages stay until they are closed.
    pub is_error: bool,
    /// When it was first shown, in seconds.
    pub(crate) since: Option<f64>,
}

/// The viewer.
pub struct App {
    /// What the user has chosen.
    pub state: State,
    /// The models: one, or two side by side. Empty only if not even the sample can be read.
    pub panes: Vec<Pane>,
    /// The pane that the panels are about.
    pub active: usize,
    /// What went wrong, and what was saved.
    pub messages: Vec<Message>,
    /// Whether the help is shown.
    pub help: bool,
    /// What draws the models. Without a window it is the processor.
    pub graphics: Graphics,
    pub(crate) host: Box<dyn Host>,
    pub(crate) inbox: Inbox,
    pub(crate) interface: Interface,
    /// Commands of buttons, to be done after the panels are drawn.
    pub(crate) commands: Vec<Command>,
    /// The animation that is being recorded.
    pub(crate) recording: Option<Recording>,
    /// Width and height of the view in pixels, when it was last drawn.
    pub(crate) view_size: [u32; 2],
    remembered: String,
    title: String,
}

impl App {
    /// A viewer that shows the sample until something else is opened.
    #[must_use]
    pub fn new(state: State, host: Box<dyn Host>) -> Self {
        let mut app = Self {
            state,
            panes: Vec::new(),
            active: 0,
            messages: Vec::new(),
            help: false,
            graphics: Graphics::default(),
            host,
            inbox: Inbox::default(),
            interface: Interface::default(),
            commands: Vec::new(),
            recording: None,
            view_size: [800, 600],
            remembered: String::new(),
            title: String::new(),
        };
        app.open_sample();
        app
    }

    /// A viewer that shows what the command line names.
    #[must_use]
    pub fn with_flags(flags: Flags, host: Box<dyn Host>) -> Self {
        let mut app = Self::new(flags.state.clone(), host);
        match flags.paths.as_slice() {
            [] => {}
            [first, second] if flags.beside => {
                app.open(Request::Paths(vec![first.clone()]), false);
                app.open(Request::Paths(vec![second.clone()]), true);
            }
            paths => app.open(Request::Paths(paths.to_vec()), false),
        }
        // A new model starts at the beginning; here the flags say where.
        app.state = flags.state;
        app
    }

    /// The command line that shows the same again: the state and the models, as far as they are on disk.
    #[must_use]
    pub fn flags(&self) -> Flags {
        let on_disk = self.panes.iter().filter(|pane| pane.library.is_on_disk());
        let paths: Vec<_> = on_disk.map(|pane| pane.opened.path.clone()).collect();
        Flags { state: self.state.clone(), beside: paths.len() > 1, paths, ..Flags::default() }
    }

    /// Where files from elsewhere can be sent.
    #[must_use]
    pub fn inbox(&self) -> Inbox {
        self.inbox.clone()
    }

    /// Shows a sentence.
    pub fn say(&mut self, text: impl Into<String>, is_error: bool) {
        let text = text.into();
        self.messages.retain(|message| message.text != text);
        self.messages.push(Message { text, is_error, since: None });
        let excess = self.messages.len().saturating_sub(5);
        self.messages.drain(..excess);
    }

    /// Shows the built-in sample.
    pub fn open_sample(&mut self) {
        match Library::in_memory(sample::files()) {
            Ok(found) => {
                let tank = found.library.models().iter().position(|path| path.ends_with("mwtank.w3d"));
                self.open_library(found.library, tank.unwrap_or(0), false);
            }
            Err(problem) => self.say(problem, true),
        }
    }

    /// Opens files, folders and archives. `beside` shows them beside the present model. The last good model stays if they cannot be read.
    pub fn open(&mut self, request: Request, beside: bool) {
        let found = match request {
            Request::Paths(paths) => Library::on_disk(&paths),
            Request::Files(files) => Library::in_memory(files),
            Request::Failed(problem) => Err(problem),
        };
        match found {
            Ok(found) => {
                found.problems.into_iter().for_each(|problem| self.say(problem, true));
                self.open_library(found.library, found.first, beside);
            }
            Err(problem) => self.say(problem, true),
        }
    }

    fn open_library(&mut self, library: Library, at: usize, beside: bool) {
        match Pane::open(library, at) {
            Ok(mut pane) => {
                if beside && !self.panes.is_empty() {
                    self.panes.truncate(1);
                    self.panes.push(pane);
                    self.active = 1;
                } else {
                    match self.panes.get_mut(self.active) {
                        Some(place) => {
                            // The picture of this frame is still to be shown.
                            std::mem::swap(&mut place.drawing, &mut pane.drawing);
                            pane.drawing.forget();
                            *place = pane;
                        }
                        None => self.panes.push(pane),
                    }
                    self.new_model(false);
                }
                self.messages.retain(|message| !message.is_error);
            }
            Err(problem) => self.say(problem, true),
        }
    }

    /// Starts from the beginning with a new model.
    fn new_model(&mut self, keep_camera: bool) {
        self.state.time = 0.0;
        if !keep_camera {
            self.state.orbit.frame_all();
            self.state.model_camera.clear();
        }
    }

    /// The pane that the panels are about.
    #[must_use]
    pub fn pane(&self) -> Option<&Pane> {
        self.panes.get(self.active)
    }

    /// The model that the panels are about.
    #[must_use]
    pub fn opened(&self) -> Option<&Opened> {
        self.pane().map(|pane| &pane.opened)
    }

    /// Shows what the graphics adapter had to say, and frees what it no longer shows.
    pub(crate) fn start_frame(&mut self, context: &Context) {
        self.graphics.start_frame();
        // After the first picture, which must not wait.
        if context.cumulative_frame_nr() > 2 && self.graphics.warm_next() {
            context.request_repaint();
        }
        for notice in self.graphics.take_notices() {
            self.say(notice, true);
        }
    }

    /// Opens what was dropped or sent.
    pub(crate) fn receive(&mut self, context: &Context) {
        let dropped = context.input(|input| input.raw.dropped_files.clone());
        if !dropped.is_empty() {
            let (inbox, beside) = (self.inbox.clone(), self.interface.drop_beside);
            self.host.dropped(dropped, &inbox, beside, context);
        }
        for (request, beside) in self.inbox.take() {
            self.open(request, beside);
        }
    }

    pub(crate) fn pass_time(&mut self, context: &Context) {
        let (now, seconds) = context.input(|input| (input.time, input.stable_dt));
        if self.state.playing
            && let Some(pane) = self.panes.get(self.active)
        {
            playback::advance(&mut self.state, &pane.opened, seconds);
            context.request_repaint();
        }
        if self.state.watch {
            for at in 0..self.panes.len() {
                if self.panes[at].has_changed(now) {
                    let name = self.panes[at].opened.name();
                    match self.panes[at].reload() {
                        Ok(()) => self.say(format!("{name} has changed and was read again"), false),
                        Err(problem) => self.say(problem, true),
                    }
                }
            }
            if self.panes.iter().any(|pane| pane.library.is_on_disk()) {
                context.request_repaint_after_secs(1.0);
            }
        }
        for message in &mut self.messages {
            message.since.get_or_insert(now);
        }
        let is_old =
            |message: &Message| !message.is_error && message.since.is_some_and(|since| now - since > 6.0);
        if self.messages.iter().any(|message| !message.is_error) {
            context.request_repaint_after_secs(1.0);
        }
        self.messages.retain(|message| !is_old(message));
    }

    /// Puts the state into the address, and the name of the model into the title.
    pub(crate) fn remember(&mut self, context: &Context) {
        let mut state = self.state.clone();
        if state.playing {
            // An address that changes with every frame is no use.
            state.time = 0.0;
        }
        let query = state.to_query();
        if query != self.remembered {
            self.host.remember(&query);
            self.remembered = query;
        }
        let names: Vec<String> = self.panes.iter().map(|pane| pane.opened.name()).collect();
        let title = format!("{} - {}", names.join(" | "), crate::TITLE);
        if title != self.title {
            context.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    /// Does what a key or a button asks for.
    pub fn run(&mut self, command: Command, context: &Context) {
        let state = &mut self.state;
        match command {
            Command::OpenFiles | Command::OpenFolder | Command::OpenBeside => {
                let what = if command == Command::OpenFolder { Pick::Folder } else { Pick::Files };
                let inbox = self.inbox.clone();
                self.host.pick(what, &inbox, command == Command::OpenBeside, context);
            }
            Command::Speed(factor) => state.speed = (state.speed * factor).clamp(0.05, 8.0),
            Command::FrameAll => {
                state.orbit.frame_all();
                state.model_camera.clear();
            }
            Command::LookFrom(yaw, pitch) => {
                state.orbit.look_from(yaw, pitch);
                state.model_camera.clear();
            }
            Command::Turn(yaw, pitch) => {
                let orbit = &mut state.orbit;
                orbit.look_from(orbit.yaw + yaw, orbit.pitch + pitch);
            }
            Command::Zoom(factor) => state.orbit.zoom_by(factor),
            Command::Orthographic => state.orbit.orthographic = !state.orbit.orthographic,
            Command::Toggle(name) => {
                let is_on = state.get(name).is_some_and(|value| value == "on");
                // The name is one of the table, which a test checks.
                let _ = state.set(name, if is_on { "off" } else { "on" });
            }
            Command::Wireframe => {
                state.wireframe = match state.wireframe {
                    Wireframe::Off => Wireframe::Over,
                    Wireframe::Over => Wireframe::Only,
                    Wireframe::Only => Wireframe::Off,
                };
            }
            Command::Channel => {
                let at = Channel::ALL.iter().position(|channel| *channel == state.channel).unwrap_or(0);
                state.channel = Channel::ALL[(at + 1) % Channel::ALL.len()];
            }
            Command::Light => {
                let at = LIGHT_RIGS.iter().position(|name| *name == state.light);
                let next = at.map_or(0, |at| at + 1);
                state.light = LIGHT_RIGS.get(next).map(|name| (*name).to_owned()).unwrap_or_default();
            }
            Command::TeamColor => {
                let players = &team_color::WARCRAFT[..12];
                let at = players.iter().position(|team| Some(team.color) == state.team_color);
                state.team_color = players.get(at.map_or(0, |at| at + 1)).map(|team| team.color);
            }
            Command::Panel => state.tab = if state.tab == Tab::None { Tab::Display } else { Tab::None },
            Command::Tab => {
                let at = Tab::ALL.iter().position(|(tab, ..)| *tab == state.tab).unwrap_or(0);
                state.tab = Tab::ALL[at % (Tab::ALL.len() - 1) + 1].0;
            }
            Command::Help => self.help = !self.help,
            Command::Escape => self.escape(),
            Command::Screenshot(transparent) => self.screenshot(transparent),
            Command::Record => self.record(),
            Command::Save(kind) => self.save(kind),
            _ => self.run_on_model(command),
        }
    }

    /// Commands that need a model.
    fn run_on_model(&mut self, command: Command) {
        let Self { state, panes, active, .. } = self;
        let Some(pane) = panes.get_mut(*active) else { return };
        let mut failed = None;
        let mut is_new = None;
        match command {
            Command::Play => playback::toggle(state, &pane.opened),
            Command::StepFrames(frames) => playback::step_frames(state, &pane.opened, frames),
            Command::StepClip(by) => playback::step_clip(state, &pane.opened, by),
            Command::StepFile(by, keeps) => {
                failed = pane.step(by).err();
                is_new = Some(keeps);
            }
            Command::Reload => failed = pane.reload().err(),
            Command::Pan(x, y) => {
                let bounds = pane.opened.bounds(pane.opened.clip(&state.clip));
                state.orbit.shift(glam::Vec2::new(x, y), &bounds, 600.0);
            }
            Command::ModelCamera => {
                let cameras = &pane.opened.scene.cameras;
                let name = |at: usize| match cameras.get(at) {
                    Some(camera) if camera.name.is_empty() => at.to_string(),
                    Some(camera) => camera.name.clone(),
                    None => String::new(),
                };
                let now = (0..cameras.len()).position(|at| name(at) == state.model_camera);
                state.model_camera = name(now.map_or(0, |now| now + 1));
            }
            Command::Level => {
                let count = pane.opened.scene.levels.len();
                state.level = match state.level {
                    LevelChoice::Highest => LevelChoice::Auto,
                    LevelChoice::Auto if count > 0 => LevelChoice::Number(0),
                    LevelChoice::Number(at) if at + 1 < count => LevelChoice::Number(at + 1),
                    _ => LevelChoice::Highest,
                };
            }
            Command::SelectPart(by) => {
                let count = pane.opened.scene.meshes.len() as isize;
                let now = match pane.selection.object {
                    Some(Object::Mesh(mesh)) => Some(mesh.index() as isize),
                    _ => None,
                };
                if count > 0 {
                    let next =
                        now.map_or(if by > 0 { 0 } else { count - 1 }, |now| (now + by).rem_euclid(count));
                    pane.select(Object::Mesh(MeshId::from(next as usize)));
                }
            }
            Command::HideSelected => {
                if let Some(Object::Mesh(mesh)) = pane.selection.object
                    && !pane.hidden.remove(&mesh)
                {
                    pane.hidden.insert(mesh);
                }
            }
            Command::ShowAll => {
                pane.hidden.clear();
                pane.without.clear();
            }
            Command::FrameSelected => {
                let aspect = 1.0;
                if let Some((center, radius)) = pane.selected_bounds(state, aspect) {
                    let bounds = pane.opened.bounds(pane.opened.clip(&state.clip));
                    state.orbit.center_on(center, &bounds);
                    state.orbit.zoom = 1.0;
                    state.orbit.zoom_by(bounds.radius / radius.max(bounds.radius * 1e-3));
                }
            }
            _ => {}
        }
        if let Some(keeps) = is_new {
            self.new_model(keeps);
        }
        match failed {
            Some(problem) => self.say(problem, true),
            None if is_new.is_some() => self.messages.retain(|message| !message.is_error),
            None => {}
        }
    }

    fn stem(&self) -> String {
        let name = self.opened().map(Opened::name).unwrap_or_default();
        name.rsplit_once('.').map_or(name.clone(), |(stem, _)| stem.to_owned())
    }

    /// Saves bytes and says what happened.
    fn save_bytes(&mut self, name: &str, bytes: Result<Vec<u8>, String>, ask: bool) {
        match bytes.and_then(|bytes| self.host.save(name, bytes, ask)) {
            Ok(Some(done)) => self.say(done, false),
            Ok(None) => {}
            Err(problem) => self.say(problem, true),
        }
    }

    fn screenshot(&mut self, transparent: bool) {
        let size = self.view_size;
        let Some(pane) = self.panes.get(self.active) else { return };
        let bytes = capture::screenshot(pane, &self.state, size, transparent);
        let name = format!("{}.png", self.stem());
        self.save_bytes(&name, bytes, false);
    }

    fn record(&mut self) {
        let Some(pane) = self.panes.get(self.active) else { return };
        match Recording::new(pane, &self.state, self.view_size) {
            Ok(recording) => self.recording = Some(recording),
            Err(problem) => self.say(problem, true),
        }
    }

    /// Draws one picture of the recording, so that the window stays alive.
    pub(crate) fn continue_recording(&mut self, context: &Context) {
        let Some(mut recording) = self.recording.take() else { return };
        let Some(pane) = self.panes.get(self.active) else { return };
        match recording.step(pane) {
            Ok(false) => {
                self.recording = Some(recording);
                context.request_repaint();
            }
            Ok(true) => {
                let name = format!("{}.apng", self.stem());
                self.save_bytes(&name, recording.finish(), false);
            }
            Err(problem) => self.say(problem, true),
        }
    }

    fn save(&mut self, kind: SaveAs) {
        let Some(pane) = self.panes.get(self.active) else { return };
        let bytes = capture::model(pane, kind);
        let name = format!("{}.{}", self.stem(), kind.extension());
        self.save_bytes(&name, bytes, true);
    }

    fn escape(&mut self) {
        if self.recording.take().is_some() {
            self.say("The recording was cancelled", false);
        } else if self.help {
            self.help = false;
        } else if !self.messages.is_empty() {
            self.messages.clear();
        } else if self.panes.get(self.active).is_some_and(|pane| pane.selection != Selection::default()) {
            self.panes[self.active].selection = Selection::default();
        } else if self.panes.len() > 1 {
            self.close_beside();
        }
    }

    /// Closes the second model.
    pub fn close_beside(&mut self) {
        self.panes.truncate(1);
        self.active = 0;
    }
}
