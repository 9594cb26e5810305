//! Any text is read without a panic; what it makes is written and comes back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mdx::mdl::{self, Options};

fuzz_target!(|text: &[u8]| {
    let (document, _) = mdl::parse(text);
    let Some(document) = document else { return };
    let bytes = document.to_bytes().expect("no text is long enough for a size that does not fit");
    let Ok(written) = mdl::write(&document, &Options::default()) else { return };
    let back = mdl::parse(&written).0.expect("our own text is read");
    assert_eq!(back.to_bytes().as_deref(), Ok(bytes.as_slice()));
});
