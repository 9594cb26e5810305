//! The program: a window with the viewer.

#![cfg_attr(windows, windows_subsystem = "windows")]

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {
    viewer::web::start();
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::process::{Command, ExitCode};
    use std::sync::{Arc, Mutex};
    use viewer::App;
    use viewer::flags::Flags;
    use viewer::graphics::{self, Graphics};
    use viewer::host::Desktop;

    /// Environment variable with the number of restarts after a lost graphics device.
    const RESTARTS: &str = "MESHWRIGHT_VIEWER_RESTARTS";
    /// A driver that loses every device is not used for ever.
    const MAX_RESTARTS: u32 = 4;

    pub(super) fn main() -> ExitCode {
        let flags = match viewer::flags::parse(std::env::args_os().skip(1)) {
            Ok(flags) => flags,
            Err(problem) => {
                eprintln!("meshwright-viewer: {problem}");
                return ExitCode::from(2);
            }
        };
        if flags.help {
            print!("{}", viewer::flags::help());
            return ExitCode::SUCCESS;
        }
        if flags.version {
            println!("meshwright-viewer {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        let restarts = std::env::var(RESTARTS).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        let last: Arc<Mutex<Option<Last>>> = Arc::default();
        // egui panics if it has to paint with a lost device, and a panic may end the program at once.
        let report = std::panic::take_hook();
        let painted = last.clone();
        std::panic::set_hook(Box::new(move |panic| {
            let is_of_wgpu = panic.payload_as_str().is_some_and(|text| text.contains("device is lost"));
            let last = painted.try_lock().ok().and_then(|mut last| last.take());
            match last.filter(|last| last.is_lost || is_of_wgpu) {
                Some(last) => std::process::exit(restart(&last.flags, restarts + 1)),
                None => report(panic),
            }
        }));
        let ended = show(flags, restarts > 0, last.clone());
        let lost = last.lock().ok().and_then(|mut last| last.take()).filter(|last| last.is_lost);
        match (ended, lost) {
            (_, Some(last)) => std::process::exit(restart(&last.flags, restarts + 1)),
            (Ok(()), None) => ExitCode::SUCCESS,
            (Err(error), None) => {
                eprintln!("meshwright-viewer: cannot open a window: {error}");
                eprintln!(
                    "A graphics driver is needed: on Debian and Ubuntu, install libegl1 and libgl1-mesa-dri or mesa-vulkan-drivers."
                );
                ExitCode::FAILURE
            }
        }
    }

    /// Starts the program again, and returns its exit code. In the same process, the event loop would end at once.
    fn restart(flags: &Flags, restarts: u32) -> i32 {
        if restarts > MAX_RESTARTS {
            eprintln!("meshwright-viewer: the graphics device was lost {restarts} times");
            return 1;
        }
        let Ok(program) = std::env::current_exe() else { return 1 };
        let mut again = Command::new(program);
        again.args(flags.state.to_flags()).args(flags.beside.then_some("--side-by-side"));
        let ended = again.arg("--").args(&flags.paths).env(RESTARTS, restarts.to_string()).status();
        if ended.is_ok_and(|status| status.success()) { 0 } else { 1 }
    }

    /// Shows a window until it is closed, or its graphics device is lost.
    fn show(flags: Flags, is_again: bool, last: Arc<Mutex<Option<Last>>>) -> eframe::Result {
        let mut options = eframe::NativeOptions {
            viewport: egui::ViewportBuilder::default()
                .with_title(viewer::TITLE)
                .with_app_id("meshwright-viewer")
                .with_inner_size([1280.0, 800.0])
                .with_min_inner_size([320.0, 320.0])
                .with_drag_and_drop(true),
            ..eframe::NativeOptions::default()
        };
        graphics::configure(&mut options.wgpu_options.wgpu_setup);
        let create = move |context: &eframe::CreationContext<'_>| {
            let mut app = App::with_flags(flags, Box::new(Desktop));
            app.graphics = Graphics::new(context.wgpu_render_state.as_ref());
            if is_again {
                app.say("The graphics device was lost, so this is a new window.", true);
            }
            Ok(Box::new(Window { app, last }) as Box<dyn eframe::App>)
        };
        eframe::run_native(viewer::TITLE, options, Box::new(create))
    }

    /// What the window shows.
    struct Last {
        flags: Flags,
        /// The graphics device was lost.
        is_lost: bool,
    }

    struct Window {
        app: App,
        /// As of the last frame, to show it again in a new window.
        last: Arc<Mutex<Option<Last>>>,
    }

    impl eframe::App for Window {
        fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
            self.app.show(ui);
            let is_lost = self.app.graphics.is_lost();
            if let Ok(mut last) = self.last.lock() {
                *last = Some(Last { flags: self.app.flags(), is_lost });
            }
            if is_lost {
                ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
            }
        }
    }
}
