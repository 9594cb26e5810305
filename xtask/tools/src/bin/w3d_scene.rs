//! Converts W3D files to scenes and prints what came out, with bounds sampled through each clip.
//!
//! `cargo run -p convert --bin w3d_scene -- FILE [FILE...]` converts each file alone; with `--with`, the first file is the
//! model and the others go into its library; with `--bench`, only the time is printed.

use std::time::Instant;

use convert::w3d::{Library, Options, to_scene};
use glam::Vec3;
use scene::{Bounds, ClipId, Deformed, Moment, Sampler, Scene, skin};
use w3d::W3d;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (flags, paths): (Vec<&String>, Vec<&String>) = args.iter().partition(|arg| arg.starts_with("--"));
    let has = |name: &str| flags.iter().any(|flag| *flag == name);
    let files: Vec<(&str, Vec<u8>)> = paths
        .iter()
        .filter_map(|path| match std::fs::read(path) {
            Ok(bytes) => Some((path.as_str(), bytes)),
            Err(error) => {
                eprintln!("{path}: {error}");
                None
            }
        })
        .collect();
    let documents: Vec<(&str, W3d<'_>)> = files
        .iter()
        .filter_map(|(path, bytes)| match W3d::parse(bytes) {
            Ok(document) => Some((*path, document)),
            Err(error) => {
                eprintln!("{path}: {error}");
                None
            }
        })
        .collect();
    if has("--bench") {
        bench(&documents, files.iter().map(|(_, bytes)| bytes.len()).sum());
    } else if has("--with") {
        let mut all = documents.iter();
        let Some((path, main)) = all.next() else { return };
        let library = all.fold(Library::new(main), |library, (_, document)| library.with(document));
        print(path, &library);
    } else {
        for (path, document) in &documents {
            print(path, &Library::new(document));
        }
    }
}

fn bench(documents: &[(&str, W3d<'_>)], bytes: usize) {
    let mut best = f64::MAX;
    for _ in 0..20 {
        let start = Instant::now();
        for (_, document) in documents {
            std::hint::black_box(to_scene(&Library::new(document), None, &Options::default()));
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{} files, {bytes} bytes: {:.0} MB/s", documents.len(), bytes as f64 / best / 1e6);
}

fn print(path: &str, library: &Library<'_>) {
    let (scene, report) = to_scene(library, None, &Options::default());
    println!(
        "{path}: {:?}: {} nodes, {} meshes ({} skins), {} triangles, {} materials, {} textures, {} levels, {} clips, {} boxes, {} attachments",
        scene.name,
        scene.nodes.len(),
        scene.meshes.len(),
        scene.meshes.iter().filter(|mesh| mesh.skin.is_some()).count(),
        scene.meshes.iter().map(|mesh| mesh.indices.len() / 3).sum::<usize>(),
        scene.materials.len(),
        scene.textures.len(),
        scene.levels.len(),
        scene.clips.len(),
        scene.collision_shapes.len(),
        scene.attachments.len(),
    );
    let off = |mesh: &&scene::Mesh| {
        let (Some(stated), None) = (mesh.bounds, &mesh.skin) else { return false };
        let Some(found) = Bounds::around(mesh.positions.iter().copied()) else { return false };
        let size = stated.radius.max(found.radius).max(1e-3);
        !found.min.abs_diff_eq(stated.min, 1e-2 * size) || !found.max.abs_diff_eq(stated.max, 1e-2 * size)
    };
    for mesh in scene.meshes.iter().filter(off) {
        println!("  {:?} is not in the box that its header states", mesh.name);
    }
    if let Some(bounds) = bounds(&scene, &Moment::default()) {
        println!("  rest: {:.2} to {:.2}", bounds.min, bounds.max);
    }
    for (at, clip) in scene.clips.iter().enumerate() {
        let sampled = (0..=10).filter_map(|tenth| {
            let time = clip.duration * tenth as f32 / 10.0;
            bounds(&scene, &Moment { clip: Some(ClipId::from(at)), time, ..Moment::default() })
        });
        let all = sampled.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), bounds| {
            (min.min(bounds.min), max.max(bounds.max))
        });
        println!(
            "  clip {:?}: {:.2} s, {} channels, {:.2} to {:.2}",
            clip.name,
            clip.duration,
            clip.channels.len(),
            all.0,
            all.1
        );
    }
    for (at, material) in scene.materials.iter().enumerate() {
        let context = scene::surface::Context { textures: &scene.textures, ..Default::default() };
        let surface = scene::surface::surface(material, &context);
        if material.layers.len() > 1 || !surface.dropped.is_empty() {
            println!(
                "  material {at}: {} layers, base {:?}, emissive {:?}, {:?}, unlit {}",
                material.layers.len(),
                surface.base.picture,
                surface.emissive.picture,
                surface.alpha_mode,
                surface.unlit,
            );
        }
        for dropped in &surface.dropped {
            println!("  material {at}: {dropped}");
        }
    }
    for note in &report.notes {
        println!("  {note}");
    }
}

/// The box around all visible vertices, or around the nodes if there are none.
fn bounds(scene: &Scene, moment: &Moment) -> Option<Bounds> {
    let pose = Sampler::new(scene).pose(moment);
    let mut points = Vec::new();
    let mut deformed = Deformed::default();
    for (mesh, state) in scene.meshes.iter().zip(&pose.meshes) {
        if state.visible {
            skin(mesh, &pose, &mut deformed);
            points.extend_from_slice(&deformed.positions);
        }
    }
    if points.is_empty() {
        points.extend(pose.worlds.iter().map(|world| Vec3::from(world.translation)));
    }
    Bounds::around(points)
}
