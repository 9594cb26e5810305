//! Reading anything never panics: the tree, what is said about it, the views and the codecs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use w3d::W3d;

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = W3d::parse(bytes) else { return };
    std::hint::black_box(file.diagnostics());
    let mut value = Vec::new();
    for mesh in file.meshes() {
        std::hint::black_box((mesh.full_name(), mesh.texture_names(), mesh.textures().count()));
        for pass in mesh.passes() {
            std::hint::black_box(pass.texcoords(0));
        }
    }
    for animation in file.animations() {
        for channel in animation.channels() {
            for frame in [-1.0, 0.0, 0.5, 7.25, 1e9, f32::NAN] {
                channel.values.sample(frame, &mut value);
            }
        }
    }
});
