//! Measures how long it takes until the next model is shown, with everything that the window does for it: reading, converting, textures,
//! a picture of 1280 by 720 pixels. `step [FOLDER]`; without a folder the sample models are shown. Exit code 3: there is no adapter.

use std::path::PathBuf;
use std::time::Instant;
use viewer::draw::View;
use viewer::graphics::{Graphics, configure};
use viewer::library::Library;
use viewer::pane::Pane;

const STEPS: usize = 60;
const SIZE: [u32; 2] = [1280, 720];

fn main() {
    if let Err(error) = gpu::Headless::new() {
        eprintln!("{error}");
        std::process::exit(3);
    }
    let mut setup = egui_wgpu::WgpuSetup::without_display_handle();
    configure(&mut setup);
    let device = egui_kittest::wgpu::create_render_state(setup, egui_wgpu::RendererOptions::PREDICTABLE);
    let started = Instant::now();
    let mut graphics = Graphics::new(Some(&device));
    graphics.warm();
    println!("drawn by {}, ready after {:.0} ms", graphics.description(), milliseconds(started));
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let found = match &folder {
        Some(folder) => Library::on_disk(std::slice::from_ref(folder)),
        None => Library::in_memory(viewer::sample::files()),
    };
    let library = found.unwrap_or_else(|problem| panic!("{problem}")).library;
    let mut pane = Pane::open(library, 0).unwrap_or_else(|problem| panic!("{problem}"));
    let (context, state) = (egui::Context::default(), viewer::State::default());
    let mut times = Vec::new();
    for _ in 0..STEPS {
        let start = Instant::now();
        if pane.step(1).is_err() {
            continue;
        }
        let options = pane.options(&state, SIZE[0] as f32 / SIZE[1] as f32);
        let view =
            View { options, without: Vec::new(), background: state.background, size: SIZE, software: false };
        if let Err(problem) = pane.drawing.update(&context, &mut graphics, &pane.opened, view) {
            panic!("{problem}");
        }
        times.push((milliseconds(start), pane.opened.name()));
    }
    times.sort_by(|one, other| one.0.total_cmp(&other.0));
    let at = |share: f64| &times[((times.len() - 1) as f64 * share) as usize];
    println!("slowest: {} ({:.0} ms)", at(1.0).1, at(1.0).0);
    println!(
        "next model shown after {:.0} ms, 9 of 10 within {:.0} ms, all within {:.0} ms (wanted: 50 ms)",
        at(0.5).0,
        at(0.9).0,
        at(1.0).0
    );
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
