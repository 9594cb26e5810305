//! `check --fix` on a text: what was repaired can be read, and repairs come to an end.
#![no_main]

use check::{Document, FixLevel, Options};
use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use mdx::mdl;

/// Repairs a text once, as the command line does; nothing if it cannot be read.
fn repaired(text: &[u8], level: FixLevel) -> Option<Vec<u8>> {
    let before = mdl::parse(text).0?;
    let mut document = Document::Mdx(before.clone());
    let codes: Vec<&str> =
        check::catalogue().filter(|rule| rule.repair.is_some()).map(|rule| rule.code).collect();
    std::hint::black_box(check::check(&document, &Options::default()));
    check::fix(&mut document, &codes, level);
    let Document::Mdx(after) = document else { return None };
    mdl::patch(text, &before, &after).ok()
}

fuzz_target!(|bytes: &[u8]| {
    let mut from = Unstructured::new(bytes);
    let level = if from.ratio(1, 2).unwrap_or(false) { FixLevel::All } else { FixLevel::Safe };
    let Ok(text) = meshwright_fuzz::mdl::text(&mut from) else { return };
    let Some(once) = repaired(text.as_bytes(), level) else { return };
    assert!(mdl::parse(&once).0.is_some(), "what was repaired is read");
    // Repairs may uncover others, but they come to an end.
    let mut text = once;
    for _ in 0..16 {
        let Some(next) = repaired(&text, level) else { return };
        if next == text {
            return;
        }
        text = next;
    }
    panic!("repairs do not end");
});
