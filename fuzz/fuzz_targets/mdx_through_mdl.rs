//! Any model of Warcraft III comes back from MDL byte for byte, and its text without comments is a fixed point.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mdx::Document;
use mdx::mdl::{self, MdlDialect, Options};

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = Document::parse(bytes) else { return };
    for dialect in [MdlDialect::Game, MdlDialect::Hive, MdlDialect::War3Model] {
        let Ok(text) = mdl::write(&document, &Options { dialect, plain: false }) else { return };
        let back = mdl::parse(&text).0.expect("our own text is read");
        assert_eq!(back.to_bytes().as_deref(), Ok(bytes));
        let options = Options { dialect, plain: true };
        let plain = mdl::write(&document, &options).expect("it was written before");
        let again = mdl::parse(&plain).0.expect("our own text is read");
        assert_eq!(mdl::write(&again, &options).as_deref(), Ok(plain.as_slice()));
    }
});
