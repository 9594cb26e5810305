//! A text made by the grammar of MDL is read, becomes the same model again after it is written, and becomes a scene and glTF.
#![no_main]

use convert::mdx::to_scene;
use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use mdx::mdl::{self, Options};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = meshwright_fuzz::mdl::text(&mut Unstructured::new(bytes)) else { return };
    let (document, _) = mdl::parse(text.as_bytes());
    let Some(document) = document else { return };
    let bytes = document.to_bytes().expect("no text is long enough for a size that does not fit");
    if let Ok(written) = mdl::write(&document, &Options::default()) {
        let back = mdl::parse(&written).0.expect("our own text is read");
        assert_eq!(back.to_bytes().as_deref(), Ok(bytes.as_slice()));
    }
    let (scene, _) = to_scene(&document, &Default::default());
    let options = gltf::Options { material_animation: true, ..Default::default() };
    if let Ok(glb) = gltf::write_glb(&scene, &options, &mut gltf::NoTextures) {
        assert!(glb.bytes.starts_with(b"glTF"));
    }
});
