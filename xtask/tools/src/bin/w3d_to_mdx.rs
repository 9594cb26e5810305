//! Converts W3D models to MDX, checks them for the game, and compares where every triangle is at ten moments of each clip:
//! `w3d_to_mdx VERSION OUT FILE_OR_FOLDER...`. The models are written to the folder OUT.

use std::path::{Path, PathBuf};

use glam::Vec3;
use meshwright::convert::author::mdx::Options;
use meshwright::scene::{ClipId, Deformed, LevelRange, Moment, Sampler, Scene, skin};
use meshwright::{Game, Model, Severity};

#[path = "../files.rs"]
mod files;

/// How far a triangle may be off, as a share of the model's size: times are rounded to milliseconds, and classic models have no
/// smooth weights.
const TOLERANCE: f32 = 0.01;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let version: u32 = arguments.next().and_then(|version| version.parse().ok()).unwrap_or(800);
    let out = PathBuf::from(arguments.next().unwrap_or_default());
    let files = files::below(arguments);
    std::fs::create_dir_all(&out).expect("the output folder can be made");
    let (mut fine, mut failed) = (0, 0);
    let mut worst = 0.0_f32;
    for path in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Ok(model) = Model::open(path) else {
            println!("{name}: cannot be read");
            continue;
        };
        let scene = model.to_scene();
        match convert(&scene, version, &out.join(format!("{name}.mdx"))) {
            Ok(off) => {
                worst = worst.max(off);
                if off <= TOLERANCE {
                    fine += 1;
                } else {
                    failed += 1;
                    println!("{name}: a triangle is off by {off} of the model's size");
                }
            }
            Err(message) => {
                failed += 1;
                println!("{name}: {message}");
            }
        }
    }
    println!(
        "{} models, {fine} fine, {failed} failed; triangles are off by {worst:.6} of the size at most",
        files.len()
    );
    std::process::exit(i32::from(failed > 0 || fine == 0));
}

fn convert(scene: &Scene, version: u32, to: &Path) -> Result<f32, String> {
    let (mut model, _) = Model::mdx_from_scene(scene, &Options { version, ..Options::default() })
        .map_err(|error| error.to_string())?;
    model.save(to).map_err(|error| error.to_string())?;
    let game = if version < 900 { Game::Wc3Classic } else { Game::Wc3Reforged };
    let bytes = model.to_bytes().map_err(|error| error.to_string())?;
    let again = Model::parse(bytes).map_err(|error| error.to_string())?;
    let found = again.check_for(game);
    if let Some(error) = found.iter().find(|finding| finding.severity == Severity::Error) {
        return Err(format!("{}: {}", error.code, error.message));
    }
    let size = scene.rest_bounds().map_or(1.0, |bounds| bounds.radius.max(1e-3));
    let second = again.to_scene();
    let mut worst = 0.0_f32;
    for (clip, duration) in scene.clips.iter().map(|clip| clip.duration).enumerate() {
        for step in 0..10_u8 {
            let time = duration * f32::from(step) / 10.0;
            let moment = Moment { clip: Some(ClipId::from(clip)), time, ..Moment::default() };
            let (before, after) = (corners(scene, &moment, version), corners(&second, &moment, 1000));
            if before.len() != after.len() {
                return Err(format!("{} corners became {}", before.len(), after.len()));
            }
            for (before, after) in before.iter().zip(&after) {
                worst = worst.max(before.distance(*after) / size);
            }
        }
    }
    Ok(worst)
}

/// The corners of all triangles that are written, material by material in each mesh.
fn corners(scene: &Scene, moment: &Moment, version: u32) -> Vec<Vec3> {
    let pose = Sampler::new(scene).pose(moment);
    let mut corners = Vec::new();
    let mut deformed = Deformed::default();
    let lesser = |mesh: usize| {
        let level = scene
            .levels
            .iter()
            .enumerate()
            .find(|(_, level)| level.meshes.iter().any(|id| id.index() == mesh));
        version < 900
            && level.is_some_and(|(place, level)| match level.range {
                LevelRange::Number(number) => number > 0,
                _ => place > 0,
            })
    };
    for (index, mesh) in scene.meshes.iter().enumerate() {
        if mesh.hidden || lesser(index) {
            continue;
        }
        skin(mesh, &pose, &mut deformed);
        let indices: Vec<u32> = mesh.indices.iter().collect();
        let mut parts: Vec<(Option<_>, Vec<u32>)> = Vec::new();
        for part in &mesh.parts {
            let stretch = &indices[part.start as usize..(part.start + part.count) as usize];
            match parts.iter_mut().find(|(material, _)| *material == part.material) {
                Some((_, all)) => all.extend(stretch),
                None => parts.push((part.material, stretch.to_vec())),
            }
        }
        if mesh.parts.is_empty() {
            parts.push((None, indices));
        }
        corners.extend(
            parts.iter().flat_map(|(_, indices)| indices).map(|index| deformed.positions[*index as usize]),
        );
    }
    corners
}
