//! Writes the sample scenes as glTF into a folder, for the judges: `gltf_samples FOLDER`.
//!
//! Each scene becomes `NAME.glb` without textures beside `NAME.json`, which has the positions that its vertices must have; and, with other
//! options, files that only have to be valid. The sample models of all formats go to `models`, for the command line to convert.

use meshwright_gltf::{GlobalSequences, Levels, NoTextures, Options, Visibility, write_glb, write_gltf};
use std::{env, error::Error, fs, path::PathBuf};

#[path = "../../../../crates/gltf/tests/it/gltf_scenes/mod.rs"]
mod gltf_scenes;

/// How many scenes that nobody would make.
const RANDOM: u64 = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("usage: gltf_samples FOLDER")?);
    fs::create_dir_all(folder.join("valid"))?;
    let plain = Options { textures: false, ..Options::default() };
    let variants = [
        ("textured", Options::default()),
        ("extension", Options { visibility: Visibility::Extension, ..plain.clone() }),
        ("baked", Options { global_sequences: GlobalSequences::Bake, ..plain.clone() }),
        ("lod", Options { levels: Levels::MsftLod, hidden_meshes: true, ..plain.clone() }),
        (
            "separate",
            Options {
                levels: Levels::Separate,
                visibility: Visibility::Off,
                material_animation: false,
                ..plain.clone()
            },
        ),
    ];
    for (name, scene) in gltf_scenes::all() {
        let glb = write_glb(&scene, &plain, &mut NoTextures)?;
        fs::write(folder.join(format!("{name}.glb")), glb.bytes)?;
        // What is not a number in the scene was repaired, so there is nothing to compare with.
        if name != "broken" {
            let expected = gltf_scenes::poses::expected(&scene, &glb.report, 1000);
            fs::write(folder.join(format!("{name}.json")), serde_json::to_vec(&expected)?)?;
        }
        for (variant, options) in &variants {
            let glb = write_glb(&scene, options, &mut gltf_scenes::pictures)?;
            fs::write(folder.join("valid").join(format!("{name} {variant}.glb")), glb.bytes)?;
        }
        let gltf = write_gltf(&scene, &Options::default(), &mut gltf_scenes::pictures, name)?;
        fs::write(folder.join("valid").join(format!("{name}.gltf")), gltf.json)?;
        for (file, bytes) in gltf.files {
            fs::write(folder.join("valid").join(file), bytes)?;
        }
    }
    for seed in 0..RANDOM {
        let glb =
            write_glb(&gltf_scenes::dice::scene(seed), &Options::default(), &mut gltf_scenes::pictures)?;
        fs::write(folder.join("valid").join(format!("random {seed}.glb")), glb.bytes)?;
    }
    let models = folder.join("models");
    fs::create_dir_all(&models)?;
    fs::write(models.join("crate.w3d"), w3d::sample::crate_box())?;
    fs::write(models.join("every-chunk.w3d"), w3d::sample::every_chunk())?;
    for (name, bytes) in mdx::build::samples() {
        fs::write(models.join(format!("{name}.mdx")), bytes)?;
    }
    Ok(())
}
