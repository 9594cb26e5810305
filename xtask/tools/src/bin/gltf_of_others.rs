//! Converts glTF files that others wrote to MDX and W3D, and checks the results for each game: `gltf_of_others OUT FILES...`
//!
//! MDX goes to the folder `OUT/mdx`, W3D to `OUT/w3d` with the positions that a second reader has to find. Prints a line for each
//! file: `NAME: N triangles`, or `NAME: refused: MESSAGE`. The exit code is 1 if something that was read cannot be written well.

use std::error::Error;
use std::path::{Path, PathBuf};

use convert::author::{mdx, w3d};
use meshwright::{Game, Model, Severity};
use meshwright_gltf::{ReadOptions, read};
use scene::Scene;

#[path = "../w3d_files.rs"]
mod w3d_files;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let out = arguments.next().ok_or("a folder is missing")?;
    for folder in ["mdx", "w3d"] {
        std::fs::create_dir_all(out.join(folder))?;
    }
    let mut failed = 0;
    for path in arguments {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path)?;
        let beside = |file: &str| std::fs::read(path.with_file_name(file));
        let import = match read(&bytes, &beside, &ReadOptions::default()) {
            Ok(import) => import,
            Err(error) => {
                println!("{name}: refused: {error}");
                continue;
            }
        };
        let problems = [write_mdx(&import.scene, &name, &out), write_w3d(&import.scene, &name, &out)];
        for problem in problems.into_iter().filter_map(Result::err) {
            println!("{name}: failed: {problem}");
            failed += 1;
        }
        let triangles: usize = import.scene.meshes.iter().map(|mesh| mesh.indices.len() / 3).sum();
        println!("{name}: {triangles} triangles");
    }
    if failed > 0 { Err(format!("{failed} files could not be written").into()) } else { Ok(()) }
}

fn write_mdx(scene: &Scene, name: &str, out: &Path) -> Result<(), Box<dyn Error>> {
    for (version, game) in [(800, Game::Wc3Classic), (1000, Game::Wc3Reforged), (1100, Game::Wc3Reforged)] {
        let options = mdx::Options { version, ..mdx::Options::default() };
        let bytes = mdx::to_mdx(scene, &options)?.0.to_bytes()?;
        let found = Model::parse(&bytes)?.check_for(game);
        if let Some(error) = found.iter().find(|finding| finding.severity == Severity::Error) {
            return Err(format!("version {version}: {}: {}", error.code, error.message).into());
        }
        std::fs::write(out.join("mdx").join(format!("{name}-{version}.mdx")), bytes)?;
    }
    Ok(())
}

fn write_w3d(scene: &Scene, name: &str, out: &Path) -> Result<(), Box<dyn Error>> {
    for profile in w3d::Profile::ALL {
        let options = w3d::Options { profile, ..w3d::Options::default() };
        let (files, _) = w3d::to_w3d(scene, &options)?;
        let bytes = files.first().ok_or("no file")?.document.to_bytes()?;
        if let Some(error) = w3d_files::error_for(profile, &bytes) {
            return Err(error.into());
        }
        let document = ::w3d::W3d::parse(&bytes)?;
        let again =
            convert::w3d::to_scene(&convert::w3d::Library::new(&document), None, &Default::default()).0;
        let stem = format!("{name}-{}", profile.name());
        std::fs::write(out.join("w3d").join(format!("{stem}.w3d")), &bytes)?;
        std::fs::write(out.join("w3d").join(format!("{stem}.positions")), w3d_files::positions(&again))?;
    }
    Ok(())
}
