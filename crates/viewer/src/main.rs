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
    use std::cell::RefCell;
    use std::panic::AssertUnwindSafe;
    use std::process::{Command, ExitCode};
    use std::rc::Rc;
    use viewer::App;
    use viewer::flags::Flags;
    use viewer::graphics::{self, Graphics};
    use viewer::host::Desktop;

    /// Environment variable with the number of restarts after a lost graphics device.
    const RESTARTS: &str = "MESHWRIGHT_VIEWER_RESTARTS";
    /// A driver that loses every device is not used for ever.
    const MOST_RESTARTS: u32 = 4;

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
        match show(flags, restarts > 0) {
            Ok(None) => ExitCode::SUCCESS,
            Ok(Some(flags)) => restart(&flags, restarts + 1),
            Err(error) => {
                eprintln!("meshwright-viewer: cannot open a window: {error}");
                eprintln!(
                    "A graphics driver is needed: on Debian and Ubuntu, install libegl1 and libgl1-mesa-dri or mesa-vulkan-drivers."
                );
                ExitCode::FAILURE
            }
        }
    }

    /// Starts the program again. In the same process, the event loop ends at once after a panic.
    fn restart(flags: &Flags, restarts: u32) -> ExitCode {
        if restarts > MOST_RESTARTS {
            eprintln!("meshwright-viewer: the graphics device was lost {restarts} times");
            return ExitCode::FAILURE;
        }
        let Ok(program) = std::env::current_exe() else { return ExitCode::FAILURE };
        let mut again = Command::new(program);
        again.args(flags.state.to_flags()).args(flags.beside.then_some("--side-by-side"));
        let ended = again.arg("--").args(&flags.paths).env(RESTARTS, restarts.to_string()).status();
        if ended.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// Shows a window until it is closed. Returns what to show in a new one if its graphics device was lost.
    fn show(flags: Flags, is_again: bool) -> eframe::Result<Option<Flags>> {
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
        let again = Rc::new(RefCell::new(None));
        let window_again = again.clone();
        let create = move |context: &eframe::CreationContext<'_>| {
            let mut app = App::with_flags(flags, Box::new(Desktop));
            app.graphics = Graphics::new(context.wgpu_render_state.as_ref());
            if is_again {
                app.say("The graphics device was lost, so this is a new window.", true);
            }
            Ok(Box::new(Window { app, again: window_again }) as Box<dyn eframe::App>)
        };
        let run = || eframe::run_native(viewer::TITLE, options, Box::new(create));
        let ended = std::panic::catch_unwind(AssertUnwindSafe(run));
        match (ended, again.take()) {
            // egui panics if it has to paint with a lost device.
            (_, Some(flags)) => Ok(Some(flags)),
            (Ok(ended), None) => ended.map(|()| None),
            (Err(panic), None) => std::panic::resume_unwind(panic),
        }
    }

    struct Window {
        app: App,
        /// What to show in a new window, if the graphics device of this one was lost.
        again: Rc<RefCell<Option<Flags>>>,
    }

    impl Drop for Window {
        fn drop(&mut self) {
            if self.app.graphics.is_lost() {
                *self.again.borrow_mut() = Some(self.app.flags());
            }
        }
    }

    impl eframe::App for Window {
        fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
            self.app.show(ui);
            if self.app.graphics.is_lost() {
                ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
            }
        }
    }
}
