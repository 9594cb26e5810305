//! What is read is written back identically, directly and through the text form; looking at it never panics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mdx::Document;

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = Document::parse(bytes) else { return };
    assert_eq!(document.to_bytes().as_deref(), Ok(bytes));
    std::hint::black_box(document.diagnostics());
    let back = Document::from_json(&document.to_json()).expect("our own text is read");
    assert_eq!(back.to_bytes().as_deref(), Ok(bytes));
});
