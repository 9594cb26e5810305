//! What is read is written back identically, directly and through the text form.
#![no_main]

use libfuzzer_sys::fuzz_target;
use w3d::W3d;

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = W3d::parse(bytes) else { return };
    assert_eq!(file.to_bytes().as_deref(), Ok(bytes));
    let text = file.to_json();
    let back = W3d::from_json(&text).expect("our own text is read");
    assert_eq!(back.to_bytes().as_deref(), Ok(bytes));
});
