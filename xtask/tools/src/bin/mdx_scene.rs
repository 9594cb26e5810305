//! Converts MDX files to scenes and says what is in them.
//!
//! `cargo run --release -p convert --bin mdx_scene -- FILES...`
//!
//! For each clip it compares the bounds of the skinned model, sampled at ten times, with those that the file has for the
//! sequence; at the end, how fast all files were converted.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use convert::mdx::{Options, to_scene};
use scene::{Bounds, ClipId, Deformed, Moment, Pose, Sampler, Scene, skin};

fn main() -> ExitCode {
    let mut files = Vec::new();
    for name in std::env::args().skip(1) {
        match std::fs::read(&name) {
            Ok(bytes) => files.push((name, bytes)),
            Err(error) => eprintln!("{name}: {error}"),
        }
    }
    let mut failed = false;
    let mut documents = Vec::new();
    let mut agreement = Agreement::default();
    for (name, bytes) in &files {
        let document = match mdx::Document::parse(bytes) {
            Ok(document) => document,
            Err(error) => {
                eprintln!("{name}: {error}");
                failed = true;
                continue;
            }
        };
        println!("{name}: {} version {}", document.dialect.name(), document.version);
        let (scene, report) = to_scene(&document, &Options::default());
        summary(&scene);
        clips(&scene, &mut agreement);
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
        documents.push(document);
    }
    println!(
        "{} clips with bounds of their own: {} sampled inside within 5 %, {} of them equal within 5 %, {} outside",
        agreement.inside + agreement.outside,
        agreement.inside,
        agreement.equal,
        agreement.outside
    );
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    let best = (0..20).map(|_| time(&documents)).min().unwrap_or_default();
    let rate = bytes as f64 / best.as_secs_f64() / 1e6;
    println!("{} files, {bytes} bytes to scenes in {best:?}: {rate:.0} MB/s", files.len());
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn time(documents: &[mdx::Document<'_>]) -> Duration {
    let start = Instant::now();
    // Freeing is not part of the time.
    let kept: Vec<_> = documents.iter().map(|document| to_scene(document, &Options::default())).collect();
    let elapsed = start.elapsed();
    std::hint::black_box(kept);
    elapsed
}

fn summary(scene: &Scene) {
    let vertices: usize = scene.meshes.iter().map(|mesh| mesh.positions.len()).sum();
    let triangles: usize = scene.meshes.iter().map(|mesh| mesh.indices.len() / 3).sum();
    println!(
        "  {:?}: {} nodes, {} meshes ({vertices} vertices, {triangles} triangles), {} materials, {} textures, {} lights, {} cameras, \
         {} emitters, {} ribbons, {} attachments, {} events, {} shapes, {} levels, {} global channels",
        scene.name,
        scene.nodes.len(),
        scene.meshes.len(),
        scene.materials.len(),
        scene.textures.len(),
        scene.lights.len(),
        scene.cameras.len(),
        scene.emitters.len(),
        scene.ribbons.len(),
        scene.attachments.len(),
        scene.events.len(),
        scene.collision_shapes.len(),
        scene.levels.len(),
        scene.global_channels.len(),
    );
}

#[derive(Default)]
struct Agreement {
    inside: usize,
    equal: usize,
    outside: usize,
}

fn clips(scene: &Scene, agreement: &mut Agreement) {
    let sampler = Sampler::new(scene);
    let mut pose = Pose::default();
    for (index, clip) in scene.clips.iter().enumerate() {
        println!(
            "  clip {:?}: {} s, {} channels, {} events",
            clip.name,
            clip.duration,
            clip.channels.len(),
            clip.events.len()
        );
        let sampled = sampled_bounds(&sampler, ClipId::from(index), &mut pose);
        let (Some(sampled), Some(stored)) = (sampled, clip.bounds) else { continue };
        // Where nobody computed them they are a point, or the same for all clips.
        if stored.min == stored.max || scene.clips.iter().all(|each| each.bounds == clip.bounds) {
            continue;
        }
        let slack = 0.05 * (stored.max - stored.min).max_element();
        let inside =
            sampled.min.cmpge(stored.min - slack).all() && sampled.max.cmple(stored.max + slack).all();
        let equal =
            (sampled.min - stored.min).abs().max((sampled.max - stored.max).abs()).max_element() <= slack;
        let word = match (inside, equal) {
            (true, true) => "equal to",
            (true, false) => "inside",
            _ => "outside",
        };
        println!("    {} .. {} is {word} {} .. {}", sampled.min, sampled.max, stored.min, stored.max);
        agreement.inside += usize::from(inside);
        agreement.equal += usize::from(inside && equal);
        agreement.outside += usize::from(!inside);
    }
}

/// What is enclosed by all visible meshes at ten times of a clip.
fn sampled_bounds(sampler: &Sampler<&Scene>, clip: ClipId, pose: &mut Pose) -> Option<Bounds> {
    let scene = sampler.scene();
    let mut deformed = Deformed::default();
    let mut points = Vec::new();
    for step in 0..10_u8 {
        let time = scene.clips[clip.index()].duration * f32::from(step) / 9.0;
        sampler.sample(&Moment { clip: Some(clip), time, ..Moment::default() }, pose);
        for (mesh, _) in scene.meshes.iter().zip(&pose.meshes).filter(|(_, state)| state.visible) {
            skin(mesh, pose, &mut deformed);
            points.extend(
                Bounds::around(deformed.positions.iter().copied()).into_iter().flat_map(|b| [b.min, b.max]),
            );
        }
    }
    Bounds::around(points.iter().copied())
}
