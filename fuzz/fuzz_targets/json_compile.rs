//! Text that compiles gives a file that says the same: reading it again gives the same text and the same bytes. Nothing panics.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use w3d::W3d;

/// Texts that are changed in places, for random bytes are hardly ever JSON.
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let w3d = [w3d::sample::crate_box(), w3d::sample::every_chunk()];
    let w3d = w3d.iter().map(|bytes| W3d::parse(bytes).expect("a sample").to_json());
    let mdx = mdx::build::samples().into_iter();
    w3d.chain(mdx.map(|(_, bytes)| mdx::Document::parse(&bytes).expect("a sample").to_json())).collect()
});

/// What is put in the place of something.
const PIECES: &[&str] =
    &["", "0", "-1", "4294967295", "1e9", "[]", "{}", "\"\"", "null", ",", "\"children\": []", "\"hex\": \"00\"", "]", "}"];

fuzz_target!(|bytes: &[u8]| {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) if text.starts_with('{') => text.to_owned(),
        _ => changed(bytes),
    };
    if let Ok(file) = W3d::from_json(&text) {
        let bytes = file.to_bytes().expect("what compiles can be written");
        let again = W3d::from_json(&file.to_json()).expect("our own text is read");
        assert_eq!(again.to_bytes().as_deref(), Ok(&bytes[..]));
    }
    if let Ok(file) = mdx::Document::from_json(&text) {
        let bytes = file.to_bytes().expect("what compiles can be written");
        let again = mdx::Document::parse(&bytes).expect("it has the magic");
        assert_eq!(again.to_json(), file.to_json());
    }
});

/// A sample with some stretches replaced.
fn changed(bytes: &[u8]) -> String {
    let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let mut text = TEXTS[usize::from(*first) % TEXTS.len()].clone();
    for change in rest.chunks_exact(6).take(8) {
        let at = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize % text.len().max(1);
        let end = (at + usize::from(change[3] % 24)).min(text.len());
        if text.is_char_boundary(at) && text.is_char_boundary(end) {
            text.replace_range(at..end, PIECES[usize::from(change[4]) % PIECES.len()]);
        }
    }
    text
}
