//! Scenes of damaged models, written in both formats.

use convert::author::{mdx, w3d};
use model::Document;
use scene::{Limits, Scene};

/// Reads bytes as a model of any format and writes its scene as MDX and W3D. What is written can be read again.
pub fn write_both(bytes: &[u8]) {
    let Some(scene) = scene_of(bytes) else { return };
    let choice = bytes.iter().fold(0_usize, |sum, byte| sum.wrapping_add((*byte).into()));
    let version = [800, 900, 1000, 1100, 1200][choice % 5];
    let options = mdx::Options { version, complete: choice % 2 == 0, ..Default::default() };
    if let Ok((document, _)) = mdx::to_mdx(&scene, &options) {
        let bytes = document.to_bytes().expect("what is written has bytes");
        let again = ::mdx::Document::parse(&bytes).expect("our own MDX can be read");
        std::hint::black_box(convert::mdx::to_scene(&again, &Default::default()));
    }
    let compress = [
        w3d::Compress::Lossless,
        w3d::Compress::Raw,
        w3d::Compress::TIME_CODED,
        w3d::Compress::ADAPTIVE_DELTA,
    ][choice % 4];
    let options = w3d::Options {
        profile: w3d::Profile::ALL[choice % 6],
        compress,
        split: if choice % 3 == 0 { w3d::Split::Auto } else { w3d::Split::One },
        faithful: choice % 2 == 0,
        ..Default::default()
    };
    if let Ok((files, _)) = w3d::to_w3d(&scene, &options) {
        for file in files {
            let bytes = file.document.to_bytes().expect("what is written has bytes");
            let again = ::w3d::W3d::parse(&bytes).expect("our own W3D can be read");
            let library = convert::w3d::Library::new(&again);
            std::hint::black_box(convert::w3d::to_scene(&library, None, &Default::default()));
        }
    }
}

/// The scene of a model that is not too large to write often.
fn scene_of(bytes: &[u8]) -> Option<Scene> {
    let parsed = match model::Format::detect(bytes, None).and_then(|format| format.read(bytes)) {
        Ok(parsed) => parsed,
        Err(_) => {
            let limits = Limits { nodes: 500, vertices: 20_000, keys: 20_000, ..Limits::default() };
            let options = gltf::ReadOptions { limits, ..Default::default() };
            return gltf::read(bytes, &gltf::no_files, &options).ok().map(|import| import.scene);
        }
    };
    let scene = match &parsed.document {
        Document::W3d(file) => {
            let library = convert::w3d::Library::new(file);
            convert::w3d::to_scene(&library, None, &Default::default()).0
        }
        Document::Mdx(file) => convert::mdx::to_scene(file, &Default::default()).0,
        _ => return None,
    };
    // A clip of hours would be sampled at every frame.
    let is_short = scene.clips.iter().all(|clip| clip.duration < 20.0) && scene.clips.len() < 50;
    (is_short && scene.nodes.len() < 500).then_some(scene)
}
