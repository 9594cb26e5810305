//! Memory while models are opened one after the other. A program of its own, because other tests in the same process would
//! change what is measured.

/// A thousand models in a row: the memory of the process does not grow with their number.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_number_of_models() {
    fn resident() -> usize {
        let status = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
        status.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number") * 4096
    }
    let library = viewer::library::Library::in_memory(viewer::sample::files()).expect("the sample").library;
    let mut pane = viewer::pane::Pane::open(library, 0).expect("a model");
    for _ in 0..100 {
        pane.step(1).expect("a model");
    }
    let before = resident();
    for _ in 0..1000 {
        pane.step(1).expect("a model");
    }
    let grown = resident().saturating_sub(before);
    assert!(grown < 8 << 20, "{grown} bytes more after 1,000 models");
}
