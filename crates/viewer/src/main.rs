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
    use std::process::ExitCode;
    use std::rc::Rc;
    use viewer::App;
    use viewer::flags::Flags;
    use viewer::graphics::{self, Graphics};
    use viewer::host::Desktop;

    /// How often a window is opened again after its graphics device was lost. A driver that loses every device is not used for ever.
    const MOST_WINDOWS: usize = 5;

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
        let mut next = Some(flags);
        for number in 0..MOST_WINDOWS {
            let Some(flags) = next.take() else { break };
            match show(flags, number > 0) {
                Ok(again) => next = again,
                Err(error) => {
                    eprintln!("meshwright-viewer: cannot open a window: {error}");
                    eprintln!(
                        "A graphics driver is needed: on Debian and Ubuntu, install libegl1 and libgl1-mesa-dri or mesa-vulkan-drivers."
                    );
                    return ExitCode::FAILURE;
                }
            }
        }
        if next.is_some() {
            eprintln!("meshwright-viewer: the graphics device was lost {MOST_WINDOWS} times");
            return ExitCode::FAILURE;
        }
        ExitCode::SUCCESS
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
        eframe::run_native(viewer::TITLE, options, Box::new(create))?;
        Ok(again.take())
    }

    struct Window {
        app: App,
        /// What to show in a new window.
        again: Rc<RefCell<Option<Flags>>>,
    }

    impl eframe::App for Window {
        fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
            self.app.show(ui);
            if self.app.graphics.is_lost() {
                *self.again.borrow_mut() = Some(self.app.flags());
                ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
            }
        }
    }
}
