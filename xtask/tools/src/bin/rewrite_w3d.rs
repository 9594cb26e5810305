//! Writes the scene of every W3D file of a folder as W3D again, and compares the scene of that with the first:
//! `rewrite_w3d FOLDER [OUT]`. With a second folder, what was written goes there, and the positions that a second reader has to find,
//! each file's in a `.positions` next to it.
//!
//! `rewrite_w3d --mdx FOLDER [OUT]` writes every MDX file of a folder as W3D, and compares the poses. `rewrite_w3d --sizes FOLDER`
//! prints the error and the size of compressed animations.
//!
//! Ends with a line of counts.

use std::path::{Path, PathBuf};

use convert::author::w3d::{Compress, Options, Profile, Split, to_w3d};
use convert::w3d::{Library, to_scene};
use glam::Vec3;
use scene::compare::{Tolerance, differences};
use scene::{Clip, ClipId, Moment, Sampler, Scene, TextureId};
use w3d::W3d;

#[path = "../files.rs"]
mod files;
#[path = "../w3d_files.rs"]
mod w3d_files;

use w3d_files::{error_for, positions};

/// How far a vertex may be off between two frames, as a share of the model's size: motion between frames is straight.
const BETWEEN_FRAMES: f32 = 0.02;

/// How far a vertex may be off at a frame.
const AT_FRAMES: f32 = 1e-3;

/// Why a pose may be off at frames.
const MORE_BONES: &str = " (more than four bones)";

/// Vertices of skins are stored in the space of their bones: most come back to the last bit, the others this near, as a share of the
/// model's size.
const ROUNDING: f32 = 1e-6;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mode = arguments.first().filter(|first| first.starts_with("--")).cloned().unwrap_or_default();
    if !mode.is_empty() {
        arguments.remove(0);
    }
    let mut arguments = arguments.into_iter();
    let folder = PathBuf::from(arguments.next().unwrap_or_default());
    let out = arguments.next().map(PathBuf::from);
    let files = files::below([&folder]);
    let is_good = match mode.as_str() {
        "--mdx" => from_mdx(&files, &folder, out.as_deref()),
        "--sizes" => sizes(&files),
        _ => rewrite(&files, &folder, out.as_deref()),
    };
    std::process::exit(i32::from(!is_good));
}

/// The game that a file is written for: that which has all that it has.
fn profile(file: &W3d<'_>) -> Profile {
    let has = |chunk: &'static w3d::Chunk| file.meshes().any(|mesh| mesh.0.child(chunk).is_some());
    if has(w3d::table::VERTEX_INFLUENCES_EXTENDED.row) {
        Profile::Tt5
    } else if has(w3d::table::SECONDARY_VERTICES.row)
        || has(w3d::table::SHADER_MATERIALS.row)
        || file.meshes().any(|mesh| mesh.header().is_some_and(|header| header.version.major() > 4))
        || file.meshes().any(|mesh| mesh.influences().iter().any(|influence| influence.weight[1].get() > 0))
        || file.root.children().iter().any(|node| {
            node.is(&w3d::table::COMPRESSED_ANIMATION)
                && w3d::Animation(node)
                    .channels()
                    .any(|channel| channel.target == w3d::names::ChannelType::VIS)
        })
    {
        Profile::Bfme2
    } else {
        Profile::ZeroHour
    }
}

/// The scene of a document, without textures that nothing draws.
fn scene_of(document: &W3d<'_>) -> Scene {
    scene_with(Library::new(document))
}

fn scene_with(library: Library<'_>) -> Scene {
    let options = convert::w3d::Options { aggregates: false, ..Default::default() };
    let (mut scene, report) = to_scene(&library, None, &options);
    drop_unused_textures(&mut scene);
    // A skin whose skeleton is in no file is a heap of vertices in the spaces of bones, whose bounds are another space's.
    if report.notes.iter().any(|note| note.message.contains("will look collapsed")) {
        scene.meshes.iter_mut().for_each(|mesh| mesh.bounds = None);
    }
    scene
}

/// Counts the vertices of skins that are the same, and gives those that are as good as the same the bits of the first scene.
fn forgive_rounding(first: &Scene, second: &mut Scene, counts: &mut [usize; 2]) {
    let size = first.rest_bounds().map_or(1.0, |bounds| bounds.radius.max(1.0));
    for (one, other) in first.meshes.iter().zip(&mut second.meshes) {
        if one.skin.is_none() || one.positions.len() != other.positions.len() {
            continue;
        }
        let pairs = one.positions.iter().zip(&mut other.positions).map(|pair| (pair, size));
        for ((a, b), size) in pairs.chain(one.normals.iter().zip(&mut other.normals).map(|pair| (pair, 1.0)))
        {
            counts[0] += usize::from(a == b);
            counts[1] += 1;
            if a.distance(*b) <= ROUNDING * size {
                *b = *a;
            }
        }
        for (a, b) in one.tangents.iter().zip(&mut other.tangents) {
            if a.distance(*b) <= ROUNDING {
                *b = *a;
            }
        }
        let is_near = |a: &scene::Bounds, b: &scene::Bounds| {
            let room = ROUNDING * size;
            a.min.distance(b.min) <= room
                && a.max.distance(b.max) <= room
                && (a.radius - b.radius).abs() <= room
        };
        if let (Some(a), Some(b)) = (one.bounds, other.bounds)
            && is_near(&a, &b)
        {
            other.bounds = one.bounds;
        }
    }
}

/// The other files of the same folder, which have the skeletons of skins.
fn siblings(path: &Path, files: &[PathBuf]) -> Vec<W3d<'static>> {
    let others = files.iter().filter(|other| *other != path && other.parent() == path.parent());
    let read = |other: &PathBuf| Some(W3d::parse(&std::fs::read(other).ok()?).ok()?.into_owned());
    others.filter_map(read).filter(|file| file.hierarchies().next().is_some()).collect()
}

/// Drops textures that no slot and no parameter refers to.
fn drop_unused_textures(scene: &mut Scene) {
    let mut order: Vec<TextureId> = Vec::new();
    let mut visit = |id: &mut Option<TextureId>| {
        if let Some(id) = id {
            let at = order.iter().position(|known| known == id).unwrap_or_else(|| {
                order.push(*id);
                order.len() - 1
            });
            *id = TextureId::from(at);
        }
    };
    for material in &mut scene.materials {
        for slot in material.layers.iter_mut().flat_map(|layer| &mut layer.slots) {
            visit(&mut slot.texture);
        }
        for (_, value) in material.shader.iter_mut().flat_map(|shader| &mut shader.parameters) {
            if let scene::ShaderParameter::Texture(texture) = value {
                visit(texture);
            }
        }
    }
    for emitter in &mut scene.emitters {
        if let scene::EmitterKind::Keyed(keyed) = &mut emitter.kind {
            visit(&mut keyed.texture);
        }
    }
    for primitive in &mut scene.primitives {
        visit(&mut primitive.texture);
    }
    scene.textures = order.iter().filter_map(|id| scene.textures.get(id.index()).cloned()).collect();
}

fn rewrite(files: &[PathBuf], folder: &Path, out: Option<&Path>) -> bool {
    let (mut equal, mut different, mut skipped) = (0, 0, 0);
    let mut exact = [0; 2];
    for path in files {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let Ok(document) = W3d::parse(&bytes) else {
            skipped += 1;
            continue;
        };
        let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        let others = siblings(path, files);
        let library = others.iter().fold(Library::new(&document), Library::with);
        let first = scene_with(library);
        // A file with nothing but an animation is written as one again.
        let is_animation = document.hierarchies().next().is_none() && document.animations().next().is_some();
        let split = if is_animation { Split::Auto } else { Split::One };
        let options = Options { profile: profile(&document), faithful: true, split, ..Options::default() };
        let Some(mut second) = written(&first, &options, &name, out) else {
            different += 1;
            continue;
        };
        forgive_rounding(&first, &mut second, &mut exact);
        let found = differences(&first, &second, Tolerance::default());
        for line in &found {
            println!("{name}: {}", line.chars().take(400).collect::<String>());
        }
        equal += usize::from(found.is_empty());
        different += usize::from(!found.is_empty());
    }
    println!("skins: {} of {} positions and normals to the last bit", exact[0], exact[1]);
    println!("{} files, {equal} equal, {different} differ, {skipped} skipped", files.len());
    different == 0 && equal > 0
}

/// Writes a scene and reads it again.
fn written(scene: &Scene, options: &Options, name: &str, out: Option<&Path>) -> Option<Scene> {
    let (files, losses) = match to_w3d(scene, options) {
        Ok(written) => written,
        Err(error) => {
            println!("{name}: refused: {error}");
            return None;
        }
    };
    for note in &losses.notes {
        println!("{name}: {note}");
    }
    let mut all = Vec::new();
    for file in &files {
        match file.document.to_bytes() {
            Ok(bytes) => all.push(bytes),
            Err(error) => {
                println!("{name}: not written: {error}");
                return None;
            }
        }
    }
    let documents: Vec<W3d<'_>> = all.iter().filter_map(|bytes| W3d::parse(bytes).ok()).collect();
    // Of several files the last is the animation.
    let (last, others) = documents.split_last()?;
    let again = scene_with(others.iter().fold(Library::new(last), Library::with));
    let bytes = &all[0];
    if let Some(error) = error_for(options.profile, bytes) {
        println!("{name}: {error}");
        return None;
    }
    if let Some(out) = out {
        let flat = name.replace(['/', '\\', ' '], "_");
        let _ = std::fs::create_dir_all(out)
            .and_then(|()| std::fs::write(out.join(format!("{flat}.w3d")), bytes))
            .and_then(|()| std::fs::write(out.join(format!("{flat}.positions")), positions(&again)));
    }
    Some(again)
}

/// The largest distance between corners of triangles of two scenes at ten times of each clip, as a share of the model's size. What is
/// hidden in the first or the second counts as well placed. With `on_frames` the times are those of W3D's frames; between them every motion is
/// straight. Also returns where the error is.
fn pose_error(one: &Scene, other: &Scene, on_frames: bool) -> (f32, String) {
    let size = one.rest_bounds().map_or(1.0, |bounds| bounds.radius.max(1e-3));
    let (first, second) = (Sampler::new(one), Sampler::new(other));
    let drawn = one.meshes.iter().enumerate().filter(|(_, mesh)| !mesh.indices.is_empty());
    let (numbers, drawn): (Vec<usize>, Vec<&scene::Mesh>) = drawn.unzip();
    if drawn.len() != other.meshes.len() {
        return (f32::INFINITY, "the number of meshes".to_owned());
    }
    let (mut worst, mut place) = (0.0_f32, String::new());
    let (mut here, mut there) = (scene::Deformed::default(), scene::Deformed::default());
    // No game shows the rest pose of a model that has clips, and a scale that never changes is part of it in W3D.
    let rest = one.clips.is_empty().then_some(None);
    let clips = one.clips.iter().map(Some).chain(rest);
    for (at, clip) in clips.enumerate() {
        for step in 0..10 {
            let time = clip.map_or(0.0, |clip: &Clip| clip.duration * step as f32 / 9.0);
            let time = if on_frames { (time * 30.0).floor() / 30.0 } else { time };
            let clip = clip.map(|_| ClipId::from(at));
            let moment = Moment { clip, time, clock: time, ..Moment::default() };
            let (a, b) = (first.pose(&moment), second.pose(&moment));
            for (at, (mesh, twin)) in drawn.iter().zip(&other.meshes).enumerate() {
                if !b.meshes[at].visible || !a.meshes[numbers[at]].visible {
                    continue;
                }
                scene::skin(mesh, &a, &mut here);
                scene::skin(twin, &b, &mut there);
                for (from, to) in mesh.indices.iter().zip(twin.indices.iter()) {
                    let distance =
                        here.positions[from as usize].distance(there.positions[to as usize]) / size;
                    if distance > worst {
                        worst = distance;
                        let name = clip.map_or("", |clip: ClipId| &one.clips[clip.index()].name);
                        place = format!("{} in {name:?} at {time:.3}", mesh.name);
                    }
                }
            }
        }
    }
    (worst, place)
}

/// Why W3D cannot have the same poses.
fn reasons(scene: &Scene) -> String {
    let scales = |channel: &scene::Channel| {
        matches!(channel.target, scene::Target::Node(_, scene::NodeProperty::Scale))
            && matches!(&channel.curve, scene::Curve::Vector(track)
                if track.values.iter().any(|value| !value.abs_diff_eq(Vec3::ONE, 1e-3)))
    };
    let mut channels = scene.clips.iter().flat_map(|clip| &clip.channels);
    let globals = scene.global_channels.iter().map(|global| &global.channel);
    let grows = channels.any(scales) || globals.into_iter().any(scales);
    let skins = scene.meshes.iter().filter_map(|mesh| mesh.skin.as_ref());
    let bones = skins.map(scene::Skin::max_influences).max().unwrap_or(0);
    format!("{}{}", if grows { " (bones grow)" } else { "" }, if bones > 4 { MORE_BONES } else { "" })
}

fn from_mdx(files: &[PathBuf], folder: &Path, out: Option<&Path>) -> bool {
    let (mut converted, mut refused) = (0, 0);
    let mut errors: Vec<(f32, String)> = Vec::new();
    let mut frame_errors: Vec<(f32, String)> = Vec::new();
    for path in files {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let Ok(document) = mdx::Document::parse(&bytes) else { continue };
        let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        let scene = convert::mdx::to_scene(&document, &Default::default()).0;
        // The other games get files without errors, too.
        let is_sound = Profile::ALL.into_iter().filter(|profile| *profile != Profile::Tt5).all(|profile| {
            let options = Options { profile, compress: Compress::TIME_CODED, ..Options::default() };
            written(&scene, &options, &name, None).is_some()
        });
        if !is_sound {
            refused += 1;
            continue;
        }
        // Four bones for each vertex are the most that any game takes.
        let options = Options { profile: Profile::Tt5, ..Options::default() };
        match written(&scene, &options, &name, out) {
            Some(again) => {
                converted += 1;
                let reasons = reasons(&scene);
                for (errors, on_frames) in [(&mut errors, false), (&mut frame_errors, true)] {
                    let (error, place) = pose_error(&scene, &again, on_frames);
                    errors.push((error, format!("{name}: {place}{reasons}")));
                }
            }
            None => refused += 1,
        }
    }
    // Between two frames motion is straight, which shows most where bones grow. At frames the pose is the same, except that a vertex
    // has four bones at most.
    let is_near = errors.iter().all(|(error, name)| name.ends_with(')') || *error <= BETWEEN_FRAMES)
        && frame_errors.iter().all(|(error, name)| name.ends_with(MORE_BONES) || *error <= AT_FRAMES);
    let mut within = Vec::new();
    for (when, mut errors) in [("at any time", errors), ("at frames", frame_errors)] {
        errors.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (error, name) in errors.iter().filter(|(error, _)| *error > 1e-3) {
            println!("{name}: vertices are off by up to {error} of the model's size {when}");
        }
        let counts = [1e-3, 1e-2, 5e-2, 1e-1].map(|limit| {
            let count = errors.iter().filter(|(error, _)| *error <= limit).count();
            format!("{count} within {limit}")
        });
        within.push(format!("{when}: {}", counts.join(", ")));
    }
    println!("{converted} converted, {refused} refused; {}", within.join("; "));
    refused == 0 && converted > 0 && is_near
}

/// Bytes of animations.
fn animation_bytes(document: &W3d<'_>) -> usize {
    let is_animation = |node: &&record::Node<'_>| {
        node.is(&w3d::table::ANIMATION) || node.is(&w3d::table::COMPRESSED_ANIMATION)
    };
    document.root.children().iter().filter(is_animation).map(record::Node::len).sum()
}

/// The forms of animations that are compared, with the game that they are written for.
const FORMS: [(&str, Profile, Compress); 6] = [
    ("raw", Profile::ZeroHour, Compress::Raw),
    ("time-coded, 0.001 units and 0.05 degrees", Profile::ZeroHour, Compress::TIME_CODED),
    (
        "time-coded, 0.05 units and 0.5 degrees",
        Profile::ZeroHour,
        Compress::TimeCoded { distance: 0.05, degrees: 0.5 },
    ),
    (
        "four bits, any error",
        Profile::ZeroHour,
        Compress::AdaptiveDelta { distance: f32::INFINITY, degrees: 180.0 },
    ),
    ("adaptive delta, 0.05 units and 0.5 degrees", Profile::ZeroHour, Compress::ADAPTIVE_DELTA),
    ("adaptive delta for BFME II, the same", Profile::Bfme2, Compress::ADAPTIVE_DELTA),
];

/// Size and error of the animations of each file in each form, and of all files together.
fn sizes(files: &[PathBuf]) -> bool {
    let mut all: [Vec<(usize, f32)>; FORMS.len()] = Default::default();
    println!("Bytes and error in units of each form: {}.", FORMS.map(|(name, ..)| name).join("; "));
    println!("| clips | frames |{}", " bytes | error |".repeat(FORMS.len()));
    println!("|---|---:|{}", "---:|---:|".repeat(FORMS.len()));
    for path in files {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let Ok(document) = W3d::parse(&bytes) else { continue };
        let others = siblings(path, files);
        let scene = scene_with(others.iter().fold(Library::new(&document), Library::with));
        if scene.clips.is_empty() || document.animations().next().is_none() {
            continue;
        }
        let frames: f32 =
            scene.clips.iter().map(|clip| clip.duration * clip.frame_rate.unwrap_or(30.0) + 1.0).sum();
        let names: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
        print!("| {} | {frames:.0} |", names.join(", "));
        for ((_, profile, compress), results) in FORMS.into_iter().zip(&mut all) {
            let options = Options { profile, compress, ..Options::default() };
            let Ok((written, _)) = to_w3d(&scene, &options) else { return false };
            let Ok(bytes) = written[0].document.to_bytes() else { return false };
            let Ok(document) = W3d::parse(&bytes) else { return false };
            let result = (animation_bytes(&document), node_error(&scene, &scene_of(&document)));
            print!(" {} | {:.1e} |", result.0, result.1);
            results.push(result);
        }
        println!();
    }
    println!("\n| form | bytes | of raw | median error | largest error |\n|---|---:|---:|---:|---:|");
    let total = |results: &[(usize, f32)]| results.iter().map(|(bytes, _)| bytes).sum::<usize>();
    let raw = total(&all[0]);
    for ((name, ..), results) in FORMS.into_iter().zip(&mut all) {
        results.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (median, worst) = (results.get(results.len() / 2), results.last());
        let error = |result: Option<&(usize, f32)>| result.map_or(0.0, |(_, error)| *error);
        let bytes = total(results);
        let share = 100.0 * bytes as f64 / raw.max(1) as f64;
        println!("| {name} | {bytes} | {share:.0} % | {:.1e} | {:.1e} |", error(median), error(worst));
    }
    raw > 0
}

/// The largest distance between the same nodes, in units, at every frame.
fn node_error(one: &Scene, other: &Scene) -> f32 {
    let mut worst = 0.0_f32;
    let (first, second) = (Sampler::new(one), Sampler::new(other));
    for (at, clip) in one.clips.iter().enumerate() {
        let frames = (clip.duration * clip.frame_rate.unwrap_or(30.0)).round() as usize;
        for frame in 0..=frames {
            let time = frame as f32 / clip.frame_rate.unwrap_or(30.0);
            let moment = Moment { clip: Some(ClipId::from(at)), time, ..Moment::default() };
            let (a, b) = (first.pose(&moment), second.pose(&moment));
            worst = a
                .worlds
                .iter()
                .zip(&b.worlds)
                .fold(worst, |worst, (a, b)| worst.max(a.translation.distance(b.translation)));
        }
    }
    worst
}
