//! Opening anything as BIG never panics and takes bounded memory; what opens is read, and rewritten byte for byte.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| meshwright_fuzz::open_archive(bytes, *b"BIGF"));
