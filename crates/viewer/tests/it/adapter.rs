//! The window with a graphics adapter.

use crate::common::device;
use egui_kittest::Harness;
use egui_kittest::wgpu::WgpuTestRenderer;
use egui_wgpu::RenderState;
use viewer::graphics::Graphics;
use viewer::host::{Host, Inbox, Pick, Request};
use viewer::keys::Command;
use viewer::{App, State};

/// Surroundings without dialogs.
struct Stage;

impl Host for Stage {
    fn pick(&mut self, _: Pick, _: &Inbox, _: bool, _: &egui::Context) {}

    fn save(&mut self, name: &str, _: Vec<u8>, _: bool) -> Result<Option<String>, String> {
        Ok(Some(format!("Saved {name}")))
    }

    fn dropped(&mut self, _: Vec<egui::DroppedFileHandle>, _: &Inbox, _: bool, _: &egui::Context) {}
}

fn window(device: &RenderState) -> Harness<'static, App> {
    let state = State { playing: false, ..State::default() };
    let mut app = App::new(state, Box::new(Stage));
    app.graphics = Graphics::new(Some(device));
    let mut harness = Harness::builder()
        .with_size(egui::Vec2::new(640.0, 480.0))
        .renderer(WgpuTestRenderer::from_render_state(device.clone()))
        .build_ui_state(|ui, app: &mut App| app.show(ui), app);
    harness.step();
    harness
}

fn errors(harness: &Harness<'_, App>) -> Vec<String> {
    let messages = harness.state().messages.iter().filter(|message| message.is_error);
    messages.map(|message| message.text.clone()).collect()
}

fn run(harness: &mut Harness<'_, App>, command: Command) {
    let context = harness.ctx.clone();
    harness.state_mut().run(command, &context);
    harness.step();
    harness.step();
}

/// Waits until the picture is drawn with all its pixels.
fn rest(harness: &mut Harness<'_, App>) {
    (0..3).for_each(|_| harness.step());
}

/// The share of pixels of which a channel differs by more than 8 of 255.
fn difference(one: &[u8], other: &[u8]) -> f64 {
    assert_eq!(one.len(), other.len());
    let (one, other) = (one.as_chunks::<4>().0, other.as_chunks::<4>().0);
    let differs = |(a, b): &(&[u8; 4], &[u8; 4])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 8);
    one.iter().zip(other).filter(differs).count() as f64 / one.len() as f64
}

#[test]
fn the_adapter_draws_what_the_processor_draws() {
    let Some(device) = device() else { return };
    let mut harness = window(&device);
    for _ in 0..3 {
        harness.state_mut().state.software = false;
        rest(&mut harness);
        assert!(harness.state().graphics.draws(), "{:?}", errors(&harness));
        let by_adapter = harness.render().expect("a picture").into_raw();
        harness.state_mut().state.software = true;
        rest(&mut harness);
        let by_processor = harness.render().expect("a picture").into_raw();
        let differing = difference(&by_adapter, &by_processor);
        let name = harness.state().opened().expect("a model").name();
        // Edges may fall on either side of a pixel.
        assert!(differing < 0.01, "{name}: {:.2} % of the pixels differ", differing * 100.0);
        let first = by_adapter.first_chunk::<4>().expect("a pixel");
        let is_plain = by_adapter.as_chunks::<4>().0.iter().all(|pixel| pixel == first);
        assert!(!is_plain, "{name} is not visible");
        run(&mut harness, Command::StepFile(1, false));
    }
    assert_eq!(errors(&harness), [""; 0]);
}

#[test]
fn a_lost_device_is_told_and_the_processor_draws() {
    let Some(device) = device() else { return };
    let mut harness = window(&device);
    let before = harness.state().graphics.description();
    assert!(harness.state().graphics.draws(), "{before}");
    device.device.destroy();
    run(&mut harness, Command::Turn(30.0, 0.0));
    run(&mut harness, Command::Turn(30.0, 0.0));
    let errors = errors(&harness);
    assert!(errors.iter().any(|text| text.starts_with("The graphics device was lost.")), "{errors:?}");
    let graphics = &harness.state().graphics;
    assert!(!graphics.draws() && graphics.description().starts_with("the processor"));
    assert_eq!(harness.state().opened().map(|opened| opened.name()), Some("mwtank.w3d".to_owned()));
}

#[test]
fn pictures_of_closed_models_are_freed() {
    let Some(device) = device() else { return };
    let mut harness = window(&device);
    let tower: Vec<_> =
        viewer::sample::files().into_iter().filter(|(name, _)| name.starts_with("mwtower")).collect();
    for _ in 0..5 {
        harness.state_mut().open(Request::Files(tower.clone()), true);
        harness.step();
        harness.render().expect("a picture");
        harness.state_mut().close_beside();
        harness.step();
        harness.step();
    }
    let shown = (0..100).filter(|id| device.renderer.read().texture(&egui::TextureId::User(*id)).is_some());
    assert_eq!(shown.count(), 1, "only the model that is open has a picture");
}
