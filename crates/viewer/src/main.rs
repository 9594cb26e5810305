//! The program: a window with the viewer.

#![cfg_attr(windows, windows_subsystem = "windows")]

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    use std::process::ExitCode;
    use viewer::host::{Desktop, Request};

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
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title(viewer::TITLE)
            .with_app_id("meshwright-viewer")
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([320.0, 320.0])
            .with_drag_and_drop(true),
        ..eframe::NativeOptions::default()
    };
    let run = eframe::run_native(
        viewer::TITLE,
        options,
        Box::new(move |_context| {
            let mut app = viewer::App::new(flags.state, Box::new(Desktop));
            match flags.paths.as_slice() {
                [] => {}
                [first, second] if flags.beside => {
                    app.open(Request::Paths(vec![first.clone()]), false);
                    app.open(Request::Paths(vec![second.clone()]), true);
                }
                paths => app.open(Request::Paths(paths.to_vec()), false),
            }
            Ok(Box::new(app))
        }),
    );
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("meshwright-viewer: cannot open a window: {error}");
            eprintln!(
                "A graphics driver is needed: on Debian and Ubuntu, install libegl1 and libgl1-mesa-dri or mesa-vulkan-drivers."
            );
            ExitCode::FAILURE
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {
    viewer::web::start();
}
