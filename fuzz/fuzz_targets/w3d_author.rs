//! Whatever a damaged model says, its scene can be written in both formats, and what is written can be read again.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| meshwright_fuzz::author::write_both(bytes));
