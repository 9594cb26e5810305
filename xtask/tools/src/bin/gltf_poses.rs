//! Writes models as glTF beside the positions that their vertices must have, for a judge: `gltf_poses FOLDER FILES...`
//!
//! Global sequences are part of the clips with `gltf_poses --bake FOLDER FILES...`, for judges that play one animation at a time.
//!
//! W3D files in one folder are taken for one another's skeletons and animations. Files are numbered in the order in which they are
//! given.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use convert::w3d::Library;
use meshwright_gltf::{GlobalSequences, NoTextures, Options, write_glb};
use scene::Scene;
use w3d::W3d;

#[path = "../../../../crates/gltf/tests/it/gltf_scenes/poses.rs"]
mod poses;

/// Vertices of a mesh that are compared.
const VERTICES: usize = 40;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args_os().skip(1).map(PathBuf::from).peekable();
    let bakes = words.next_if(|word| word == Path::new("--bake")).is_some();
    let global_sequences = if bakes { GlobalSequences::Bake } else { GlobalSequences::Separate };
    let folder = words.next().ok_or("usage: gltf_poses [--bake] FOLDER FILES...")?;
    fs::create_dir_all(&folder)?;
    let files: Vec<(PathBuf, Vec<u8>)> =
        words.map(|path| fs::read(&path).map(|bytes| (path, bytes))).collect::<Result<_, _>>()?;
    let options = Options { textures: false, global_sequences, ..Options::default() };
    for (at, (path, bytes)) in files.iter().enumerate() {
        let Some(scene) = scene_of(path, bytes, &files) else { continue };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let glb = write_glb(&scene, &options, &mut NoTextures)?;
        // What is not a number in the scene was repaired, so there is nothing to compare with.
        if glb.report.repaired_numbers > 0 {
            continue;
        }
        // The reader that most Rust programs use takes it.
        gltf_reader::Gltf::from_slice(&glb.bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        fs::write(folder.join(format!("{at:03} {stem}.glb")), glb.bytes)?;
        let expected = poses::expected(&scene, &glb.report, VERTICES);
        fs::write(folder.join(format!("{at:03} {stem}.json")), serde_json::to_vec(&expected)?)?;
    }
    Ok(())
}

fn scene_of(path: &Path, bytes: &[u8], files: &[(PathBuf, Vec<u8>)]) -> Option<Scene> {
    if let Ok(document) = mdx::Document::parse(bytes) {
        return Some(convert::mdx::to_scene(&document, &Default::default()).0);
    }
    let file = W3d::parse(bytes).ok()?;
    let beside: Vec<_> = files
        .iter()
        .filter(|(other, _)| other != path && other.parent() == path.parent())
        .filter_map(|(_, bytes)| W3d::parse(bytes).ok())
        .collect();
    let library = beside.iter().fold(Library::new(&file), Library::with);
    Some(convert::w3d::to_scene(&library, None, &Default::default()).0)
}
