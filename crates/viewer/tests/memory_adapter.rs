//! Memory while a graphics adapter draws models one after the other. A program of its own, because other tests in the same process
//! would change what is measured.

#[cfg(target_os = "linux")]
#[path = "it/common/mod.rs"]
mod common;

/// A thousand models in a row: the memory of the process, which on a software adapter has the textures too, does not grow with their number.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_number_of_drawn_models() {
    use viewer::draw::View;

    fn resident() -> usize {
        let status = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
        status.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number") * 4096
    }
    let Some(device) = common::device() else { return };
    let mut graphics = viewer::graphics::Graphics::new(Some(&device));
    let library = viewer::library::Library::in_memory(viewer::sample::files()).expect("the sample").library;
    let mut pane = viewer::pane::Pane::open(library, 0).expect("a model");
    let (context, state) = (egui::Context::default(), viewer::State::default());
    let mut show = |pane: &mut viewer::pane::Pane| {
        pane.step(1).expect("a model");
        let view = View {
            options: pane.options(&state, 1.0),
            without: Vec::new(),
            background: state.background,
            size: [64, 64],
            software: false,
        };
        pane.drawing.update(&context, &mut graphics, &pane.opened, view).expect("a picture");
    };
    (0..100).for_each(|_| show(&mut pane));
    let before = resident();
    (0..1000).for_each(|_| show(&mut pane));
    let grown = resident().saturating_sub(before);
    assert!(graphics.draws(), "the graphics adapter draws");
    assert!(grown < 16 << 20, "{grown} bytes more after 1,000 models");
}
