//! Opening anything as ZIP never panics and takes bounded memory; what opens is read.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| meshwright_fuzz::open_archive(bytes, *b"PK\x03\x04"));
