//! A graphics adapter for tests.

use egui_wgpu::{RenderState, RendererOptions, WgpuSetup};

/// A device as a window has it. `None` if there is no adapter, which fails the test with `CI=true`.
pub(crate) fn device() -> Option<RenderState> {
    if let Err(error) = gpu::Headless::new() {
        assert!(!std::env::var("CI").is_ok_and(|value| value == "true"), "{error}");
        eprintln!("skipped: {error}");
        return None;
    }
    let mut setup = WgpuSetup::without_display_handle();
    viewer::graphics::configure(&mut setup);
    Some(egui_kittest::wgpu::create_render_state(setup, RendererOptions::PREDICTABLE))
}
