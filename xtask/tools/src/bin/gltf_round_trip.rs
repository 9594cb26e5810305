//! Writes models as glTF, reads them back, and compares the scenes: `gltf_round_trip FILES...`
//!
//! The last line is `N models, N differ`; the exit code is 1 if any differ. With `--plain` extras are not read, and only shape and
//! motion are compared.
//!
//! `gltf_round_trip --write FOLDER FILES...` only writes them, numbered, for another program to read and write again;
//! `gltf_round_trip --after FOLDER FILES...` then reads what that program wrote, and compares what has to survive.
//!
//! W3D files in one folder are taken for one another's skeletons and animations.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use convert::w3d::Library;
use meshwright_gltf::{Levels, NoTextures, Options, ReadOptions, no_files, read, write_glb};
use scene::Scene;
use w3d::W3d;

#[path = "../../../../crates/gltf/tests/it/round_trip/mod.rs"]
mod round_trip;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args_os().skip(1).map(PathBuf::from).peekable();
    let is_plain = words.next_if(|word| word == Path::new("--plain")).is_some();
    let writes = words.next_if(|word| word == Path::new("--write")).is_some();
    let reads = words.next_if(|word| word == Path::new("--after")).is_some();
    let folder = if writes || reads { words.next().ok_or("a folder is missing")? } else { PathBuf::new() };
    let files: Vec<(PathBuf, Vec<u8>)> =
        words.map(|path| fs::read(&path).map(|bytes| (path, bytes))).collect::<Result<_, _>>()?;
    let options =
        Options { textures: false, levels: Levels::Separate, hidden_meshes: true, ..Options::default() };
    let (mut models, mut differ) = (0, 0);
    for (at, (path, bytes)) in files.iter().enumerate() {
        let Some(scene) = scene_of(path, bytes, &files) else { continue };
        let name = format!("{at:03} {}.glb", path.file_stem().unwrap_or_default().to_string_lossy());
        let mut glb = write_glb(&scene, &options, &mut NoTextures)?;
        if writes && glb.report.repaired_numbers == 0 {
            fs::create_dir_all(&folder)?;
            fs::write(folder.join(&name), &glb.bytes)?;
            continue;
        }
        if reads {
            // What the other program refused is told by it.
            let Ok(bytes) = fs::read(folder.join(&name)) else { continue };
            glb.bytes = bytes;
        }
        let import =
            read(&glb.bytes, &no_files, &ReadOptions { extras: !is_plain, ..ReadOptions::default() })
                .map_err(|error| format!("{}: {error}", path.display()))?;
        // What is not a number, or no triangle, is repaired.
        if glb.report.repaired_numbers > 0 {
            continue;
        }
        models += 1;
        let found = match is_plain {
            true => round_trip::differences_in_shape(&scene, &import.scene, &glb.report),
            false if reads => round_trip::differences_after_trip(&scene, &import.scene),
            false => round_trip::differences(&scene, &import.scene),
        };
        if !found.is_empty() {
            differ += 1;
            println!("{}:", path.display());
            found.iter().for_each(|difference| println!("  {difference}"));
        }
    }
    println!("{models} models, {differ} differ");
    if differ > 0 { Err("some models did not come back".into()) } else { Ok(()) }
}

fn scene_of(path: &Path, bytes: &[u8], files: &[(PathBuf, Vec<u8>)]) -> Option<Scene> {
    if let Ok(document) = mdx::Document::parse(bytes) {
        return Some(convert::mdx::to_scene(&document, &Default::default()).0);
    }
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mdl")) {
        let document = mdx::mdl::parse(bytes).0?;
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
