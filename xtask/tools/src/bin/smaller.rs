//! Optimises, divides and joins every model below a folder in memory and judges the results: `cargo run --bin smaller -- FOLDER [EDIT]`.
//!
//! Nothing is written. Each result must be read back identically, the linter must find nothing new in it, its poses must be those of the
//! model within the tolerance at 50 random moments of every clip, and without a tolerance its picture must be the same. Otherwise the exit
//! code is 1 and the last line counts it. The other lines have the sizes. With the name of an edit only edits whose names start with it
//! are made, and with `KEEP=FOLDER` in the environment results are written there, for other readers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use check::{Document, check};
use edit::{Error, Optimise, Report, SplitBy};
use meshwright::{Model, Workspace, render::soft::Settings};
use record::Node;
use scene::{Moment, Sampler, Scene};

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("usage: smaller FOLDER [EDIT]");
        return ExitCode::from(2);
    };
    let only = arguments.next().unwrap_or_default();
    let keep = env::var_os("KEEP").map(PathBuf::from);
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    let mut table: BTreeMap<String, Tally> = BTreeMap::new();
    for file in &files {
        let Some(document) = fs::read(file).ok().and_then(|bytes| read(file, &bytes)) else { continue };
        let name = file.strip_prefix(&folder).unwrap_or(file).display().to_string();
        let judge = Judge::new(&document);
        let family = if matches!(document, Document::W3d(_)) { "w3d" } else { "mdx" };
        for case in cases().into_iter().filter(|case| case.name.starts_with(&only)) {
            let tally = table.entry(format!("{}, {family}", case.name)).or_default();
            match judge.fault(&case) {
                Ok(Done::Made(saved, error, bytes)) => {
                    tally.saved.push(saved);
                    tally.error = tally.error.max(error);
                    if let Some(keep) = &keep {
                        let flat = name.replace(['/', '\\'], "_");
                        let flat = flat.rsplit_once('.').map_or(flat.as_str(), |(stem, _)| stem);
                        let path = keep.join(format!("{}-{flat}.{family}", case.name.replace(' ', "-")));
                        let _ = fs::write(path, bytes);
                    }
                }
                Ok(Done::Nothing) => tally.saved.push(0.0),
                Ok(Done::Refused(reason)) => {
                    *tally.refused.entry(reason).or_default() += 1;
                }
                Err(fault) => {
                    println!("{name}: {}: {fault}", case.name);
                    tally.faults += 1;
                }
            }
        }
    }
    let mut faults = 0;
    for (name, mut tally) in table {
        tally.saved.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let index = (tally.saved.len().saturating_sub(1) as f64 * share).round() as usize;
            100.0 * tally.saved.get(index).copied().unwrap_or_default()
        };
        println!(
            "{name}: {} files, median {:.2} % less, p90 {:.1}, max {:.1}; largest error {:.1e}; {} faults",
            tally.saved.len(),
            at(0.5),
            at(0.9),
            at(1.0),
            tally.error,
            tally.faults
        );
        for (reason, count) in tally.refused {
            println!("    {count} refused: {reason}");
        }
        faults += tally.faults;
    }
    println!("{} files, {faults} faults", files.len());
    ExitCode::from(u8::from(faults > 0))
}

/// Hints on what was there before, but could not be seen: a track that differs only outside of sequences is constant without those keys,
/// and triangles of equal vertices have the same corners once those are one.
const CONSEQUENCES: [&str; 2] = ["MDX-TRACK-015", "MDX-GEO-010"];

#[derive(Default)]
struct Tally {
    /// The share of bytes that each file lost.
    saved: Vec<f64>,
    error: f32,
    faults: usize,
    refused: BTreeMap<String, usize>,
}

enum Done {
    Made(f64, f32, Vec<u8>),
    Nothing,
    Refused(String),
}

type Apply = Box<dyn Fn(&mut Node<'_>) -> Result<Report, Error>>;

/// One edit.
struct Case {
    name: &'static str,
    apply: Apply,
    /// The largest error of a pose.
    tolerance: f32,
    /// Whether the picture must be the same.
    same_picture: bool,
}

fn cases() -> Vec<Case> {
    let optimise = |name: &'static str, options: Optimise| Case {
        name,
        apply: Box::new(move |root| edit::optimise(root, &options).map(|done| done.report)),
        // Rounding.
        tolerance: options.tolerance.max(2e-6),
        same_picture: options.tolerance == 0.0,
    };
    let fine = Optimise { tolerance: 1e-3, ..Optimise::default() };
    let same = |name: &'static str, apply: Apply| Case { name, apply, tolerance: 2e-6, same_picture: true };
    let all: edit::Selector = edit::Selector::All(edit::PartKind::Mesh);
    let (one, other, whole) = (all.clone(), all.clone(), all);
    vec![
        same("split part", Box::new(move |root| edit::split(root, &one, SplitBy::Part))),
        same("split material", Box::new(move |root| edit::split(root, &other, SplitBy::Material))),
        same("merge", Box::new(move |root| edit::merge_meshes(root, &whole))),
        optimise("optimise", Optimise::default()),
        optimise("optimise 1e-3", fine),
        optimise("optimise 1e-3 linearise", Optimise { linearise: true, ..fine }),
        optimise("optimise 1e-3 compress", Optimise { compress: true, ..fine }),
    ]
}

/// A model before its edits.
struct Judge<'d> {
    document: &'d Document<'d>,
    bytes: Vec<u8>,
    findings: BTreeMap<String, usize>,
    scene: Scene,
}

impl<'d> Judge<'d> {
    fn new(document: &'d Document<'d>) -> Self {
        let bytes = document.to_bytes().unwrap_or_default();
        Self { document, bytes, findings: findings(document), scene: scene_of(document) }
    }

    fn fault(&self, case: &Case) -> Result<Done, String> {
        let mut after = self.document.clone();
        let report = match (case.apply)(after.root_mut()) {
            Ok(report) => report,
            Err(error) => return Ok(Done::Refused(generic(&error.message))),
        };
        let written = after.to_bytes().map_err(|error| error.to_string())?;
        if (report.changed == 0) != (self.bytes == written) {
            return Err(format!("{} changes were said, and the bytes say otherwise", report.changed));
        }
        if report.changed == 0 {
            return Ok(Done::Nothing);
        }
        let again = match &after {
            Document::W3d(_) => w3d::W3d::parse(&written).ok().map(Document::from),
            _ => mdx::Document::parse(&written).ok().map(Document::from),
        };
        let again = again.ok_or("the result is not a model")?;
        if again.to_bytes().ok().as_deref() != Some(&written) {
            return Err("the result is not read back identically".to_owned());
        }
        let new: Vec<String> = findings(&again)
            .into_iter()
            .filter(|(code, _)| !CONSEQUENCES.contains(&code.as_str()))
            // Each part has a copy of what the linter found in the whole.
            .filter(|(code, _)| !case.name.starts_with("split") || !self.findings.contains_key(code))
            .filter(|(code, count)| self.findings.get(code).copied().unwrap_or_default() < *count)
            .map(|(code, count)| format!("{code} ({count})"))
            .collect();
        if !new.is_empty() {
            return Err(format!("the linter finds {}", new.join(", ")));
        }
        let scene = scene_of(&again);
        let error = self.pose_error(&scene)?;
        if error > case.tolerance {
            return Err(format!("a triangle is {error} away"));
        }
        if case.same_picture {
            let [one, other] = [&self.bytes, &written].map(|bytes| picture(bytes));
            let (one, other) = (one.ok_or("no picture before")?, other.ok_or("no picture after")?);
            let pixels = one.chunks_exact(4).zip(other.chunks_exact(4));
            let apart = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 8);
            let different = pixels.filter(apart).count();
            if different > 0 {
                return Err(format!("{different} pixels of the picture differ"));
            }
        }
        let saved = 1.0 - written.len() as f64 / self.bytes.len().max(1) as f64;
        Ok(Done::Made(saved, error, written))
    }

    /// How far triangles are apart at random moments, relative to the size of the model. Meshes may be merged and divided, so only all
    /// corners together can be compared, in an order that does not depend on meshes.
    fn pose_error(&self, after: &Scene) -> Result<f32, String> {
        let before = &self.scene;
        if before.clips.len() != after.clips.len() {
            return Err("other clips".to_owned());
        }
        let size = before.rest_bounds().map_or(1.0, |bounds| bounds.radius).max(1e-3);
        let orders = [order(before), order(after)];
        if orders[0].len() != orders[1].len() {
            return Err(format!("{} corners, then {}", orders[0].len(), orders[1].len()));
        }
        let samplers = [Sampler::new(before), Sampler::new(after)];
        let mut worst = 0.0_f32;
        let mut seed = 1_u32;
        for (index, clip) in before.clips.iter().enumerate() {
            for _ in 0..50 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let time = clip.duration * ((seed >> 8) as f32 / (1 << 24) as f32);
                let moment = Moment {
                    clip: Some(scene::ClipId::from(index)),
                    time,
                    clock: time,
                    ..Default::default()
                };
                let scenes = [before, after];
                let [one, other] = [0, 1].map(|which| {
                    let pose = samplers[which].pose(&moment);
                    let deformed: Vec<Vec<glam::Vec3>> = scenes[which]
                        .meshes
                        .iter()
                        .map(|mesh| {
                            let mut deformed = scene::Deformed::default();
                            scene::skin(mesh, &pose, &mut deformed);
                            deformed.positions
                        })
                        .collect();
                    (deformed, pose)
                });
                for ((mesh, vertex), (twin, other_vertex)) in orders[0].iter().zip(&orders[1]) {
                    let (a, b) = (&one.1.meshes[*mesh], &other.1.meshes[*twin]);
                    if a.visible != b.visible || (a.alpha - b.alpha).abs() > 2e-3 {
                        return Err(format!("mesh {mesh} is shown otherwise"));
                    }
                    let away = one.0[*mesh][*vertex].distance(other.0[*twin][*other_vertex]) / size;
                    worst = if away > worst { away } else { worst };
                }
            }
        }
        Ok(worst)
    }
}

/// All corners of triangles, sorted by what they are at rest.
fn order(scene: &Scene) -> Vec<(usize, usize)> {
    let mut corners = Vec::new();
    for (index, mesh) in scene.meshes.iter().enumerate() {
        for corner in mesh.indices.iter() {
            let vertex = corner as usize;
            let Some(position) = mesh.positions.get(vertex) else { continue };
            let mut key: Vec<u32> = position.to_array().map(f32::to_bits).to_vec();
            key.extend(
                mesh.normals.get(vertex).into_iter().flat_map(|normal| normal.to_array().map(f32::to_bits)),
            );
            key.extend(
                mesh.uv_sets
                    .iter()
                    .filter_map(|set| set.get(vertex))
                    .flat_map(|uv| uv.to_array().map(f32::to_bits)),
            );
            if let Some(skin) = &mesh.skin {
                let mut moved: Vec<(String, u32)> = skin
                    .of(vertex)
                    .iter()
                    .filter_map(|influence| {
                        let joint = skin.joints.get(influence.joint as usize)?;
                        Some((scene.nodes[joint.node.index()].name.clone(), influence.weight.to_bits()))
                    })
                    .collect();
                moved.sort();
                for (name, weight) in moved {
                    key.extend(name.bytes().map(u32::from));
                    key.push(weight);
                }
            }
            corners.push((key, (index, vertex)));
        }
    }
    corners.sort();
    corners.into_iter().map(|(_, corner)| corner).collect()
}

fn picture(bytes: &[u8]) -> Option<Vec<u8>> {
    let model = Model::parse(bytes).ok()?;
    let image = model.draw(&Workspace::default(), &Settings::new(96, 96), |_| ()).ok()?;
    Some(image.pixels)
}

/// A reason without names and numbers.
fn generic(message: &str) -> String {
    let mut inside = false;
    let kept = message.chars().filter(|letter| {
        let quote = *letter == '"';
        inside ^= quote;
        !inside && !quote && !letter.is_ascii_digit()
    });
    kept.collect()
}

/// How often each rule finds something.
fn findings(document: &Document<'_>) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for finding in check(document, &check::Options::default()) {
        *counts.entry(finding.code.to_string()).or_default() += 1;
    }
    counts
}

fn scene_of(document: &Document<'_>) -> Scene {
    match document {
        Document::W3d(file) => {
            let library = convert::w3d::Library::new(file);
            convert::w3d::to_scene(&library, None, &convert::w3d::Options::default()).0
        }
        Document::Mdx(file) => convert::mdx::to_scene(file, &convert::mdx::Options::default()).0,
        _ => Scene::default(),
    }
}

fn read(path: &Path, bytes: &[u8]) -> Option<Document<'static>> {
    let name = path.file_name()?.to_str();
    let format = meshwright::Format::detect(bytes, name).ok()?;
    format.read(bytes).ok().map(|parsed| parsed.document.into_owned())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_model = path
            .extension()
            .and_then(|end| end.to_str())
            .is_some_and(|end| ["w3d", "mdx", "mdl"].iter().any(|known| known.eq_ignore_ascii_case(end)));
        if path.is_dir() {
            collect(&path, files);
        } else if is_model {
            files.push(path);
        }
    }
}
