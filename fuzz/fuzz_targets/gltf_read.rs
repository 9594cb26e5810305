//! Reading glTF never panics, and what was read can be written and read again.
#![no_main]

use gltf::{NoTextures, Options, ReadOptions, no_files, read, write_glb};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = scene::Limits { nodes: 500, vertices: 50_000, keys: 50_000, ..scene::Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let Ok(import) = read(bytes, &no_files, &options) else { return };
    let options = Options { limits, ..Options::default() };
    if let Ok(glb) = write_glb(&import.scene, &options, &mut NoTextures) {
        read(&glb.bytes, &no_files, &ReadOptions::default()).expect("our own file can be read");
    }
});
