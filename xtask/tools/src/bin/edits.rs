//! Makes everyday edits to every model below a folder in memory and judges the results: `cargo run --bin edits -- FOLDER [EDIT]`.
//!
//! Nothing is written. Each result must be read back identically, the linter must find nothing new in it, and only what was asked
//! may differ in its scene. Edits that have an opposite are taken back. Otherwise the exit code is 1 and the last line counts it. With
//! the name of an edit only edits whose names start with it are made.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use check::{Document, Options, check};
use edit::{
    Axis, Children, ClipChange, Error, Mirror, PartKind, Recompute, Removal, Report, Selector, Smoothing,
    parts,
};
use record::Node;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("usage: edits FOLDER [EDIT]");
        return ExitCode::from(2);
    };
    let only = arguments.next().unwrap_or_default();
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    let mut table: BTreeMap<String, Tally> = BTreeMap::new();
    let mut faults = 0;
    for file in &files {
        let Some(document) = fs::read(file).ok().and_then(|bytes| read(file, &bytes)) else { continue };
        let name = file.strip_prefix(&folder).unwrap_or(file).display();
        let judge = Judge::new(&document);
        for case in cases(document.root()).into_iter().filter(|case| case.name.starts_with(&only)) {
            let tally = table.entry(case.name.clone()).or_default();
            match judge.fault(&case) {
                Ok(Done::Made) => tally.made += 1,
                Ok(Done::Nothing) => tally.nothing += 1,
                Ok(Done::Refused(reason)) => {
                    tally.refused += 1;
                    *tally.reasons.entry(reason).or_default() += 1;
                }
                Err(fault) => {
                    println!("{name}: {}: {fault}", case.name);
                    tally.faults += 1;
                    faults += 1;
                }
            }
        }
    }
    for (name, tally) in &table {
        let Tally { made, nothing, refused, faults, reasons } = tally;
        println!("{name}: {made} made, {nothing} had nothing to do, {refused} refused, {faults} faults");
        for (reason, count) in reasons {
            println!("    {count} refused: {reason}");
        }
    }
    println!("{} files, {faults} faults", files.len());
    ExitCode::from(u8::from(faults > 0))
}

/// What the linter may find after parts were removed: something is missing or unused now.
const CONSEQUENCES: [&str; 15] = [
    "MDX-TRACK-011",
    "MDX-EVTS-004",
    "MDX-MAT-008",
    "MDX-SKIN-010",
    "MDX-SEQ-001",
    "MDX-SEQ-002",
    "MDX-SEQ-003",
    "MDX-TRACK-003",
    "MDX-TRACK-015",
    "MDX-TRACK-017",
    "MDX-PRE2-009",
    "MDX-CAMS-002",
    "MDX-CAMS-004",
    "MDX-ATCH-002",
    "W3D-FILE-001",
];

/// What the linter may find after a clip was changed: our names are not those of the game, the order of the list stays, and where a
/// clip was cut some keys are as good as their neighbours.
const OF_CLIPS: [&str; 16] = [
    "MDX-SEQ-006",
    "MDX-GEOA-006",
    "W3D-CHAN-005",
    "MDX-SEQ-002",
    "MDX-SEQ-003",
    "MDX-SEQ-004",
    "MDX-SEQ-005",
    "MDX-CAMS-002",
    "MDX-MAT-008",
    "MDX-TRACK-007",
    "MDX-TRACK-011",
    "MDX-TRACK-014",
    "MDX-TRACK-015",
    "MDX-TRACK-017",
    "MDX-EVTS-004",
    "W3D-CHAN-014",
];

#[derive(Default)]
struct Tally {
    made: usize,
    nothing: usize,
    refused: usize,
    faults: usize,
    reasons: BTreeMap<String, usize>,
}

enum Done {
    Made,
    Nothing,
    Refused(String),
}

type Apply = Box<dyn Fn(&mut Node<'_>) -> Result<Report, Error>>;

/// One edit of one model.
struct Case {
    name: String,
    apply: Apply,
    /// What must hold besides the checks of every edit.
    then: Vec<Then>,
}

/// What must hold after an edit.
enum Then {
    /// This many parts of a kind are gone, or more.
    Fewer(PartKind, usize),
    /// The last clip shows what the first one shows, within this.
    CopyOfFirst(f32),
    /// A clip runs backwards, within this.
    Reversed(usize, f32),
    /// A clip of this whole length starts as it did at this moment, within this.
    Part(usize, u32, u32, f32),
    /// A second time changes nothing.
    Once,
    /// Nothing that is drawn or moves has changed by more than this.
    SameScene(f32),
    /// Everything is where it is in the mirror, within this.
    Mirrored(Axis, f32),
    /// The same edit takes it back, and all bytes are as before.
    Involution,
    /// This edit takes it back, and the scene is as before within this.
    Back(Apply, f32),
}

fn selector(text: &str) -> Selector {
    text.parse().expect("a selector")
}

/// The edits that a model has something for.
fn cases(root: &Node<'_>) -> Vec<Case> {
    let mut cases = Vec::new();
    let all = parts(root).unwrap_or_default();
    let kinds = [
        PartKind::Mesh,
        PartKind::Clip,
        PartKind::Bone,
        PartKind::Attachment,
        PartKind::Emitter,
        PartKind::Ribbon,
        PartKind::Light,
        PartKind::Camera,
        PartKind::Collision,
        PartKind::Event,
        PartKind::Lod,
    ];
    for kind in kinds {
        let count = all.iter().filter(|part| part.kind == kind).count();
        if count == 0 {
            continue;
        }
        for index in [0, count / 2, count - 1] {
            for children in [Children::MoveUp, Children::Remove] {
                let removal = Removal { parts: vec![Selector::Index(kind, index)], unused: false, children };
                cases.push(Case {
                    name: format!("remove {} {children:?}", kind.word()),
                    apply: Box::new(move |root| edit::remove(root, &removal)),
                    then: vec![Then::Fewer(kind, 1)],
                });
            }
        }
        cases.push(Case {
            name: format!("keep {}", kind.word()),
            apply: Box::new(move |root| {
                edit::keep(root, &[selector(&format!("{}:#0", kind.word()))], Children::MoveUp)
            }),
            then: vec![Then::Fewer(kind, count - 1)],
        });
    }
    cases.push(Case {
        name: "remove unused".to_owned(),
        apply: Box::new(|root| edit::remove(root, &Removal { unused: true, ..Removal::default() })),
        then: vec![Then::SameScene(0.0)],
    });
    for axis in [Axis::Y, Axis::X, Axis::Z] {
        let what = Mirror { axis, names: axis == Axis::Y };
        cases.push(Case {
            name: format!("mirror {axis:?}"),
            apply: Box::new(move |root| edit::mirror(root, &what)),
            then: vec![Then::Mirrored(axis, 1e-5), Then::Involution],
        });
    }
    cases.extend(clip_cases(root, &all));
    cases.extend(add_cases(root, &all));
    let nothing = Recompute::default();
    let computed = [
        ("normals", Recompute { normals: Some(Smoothing::Kept), ..nothing }, Some(0.0)),
        ("normals by angle", Recompute { normals: Some(Smoothing::Angle(60.0)), ..nothing }, Some(0.0)),
        ("tangents", Recompute { tangents: true, ..nothing }, Some(0.0)),
        ("extents", Recompute { extents: true, ..nothing }, Some(0.0)),
        ("planes", Recompute { planes: true, ..nothing }, Some(0.0)),
        ("tree", Recompute { tree: true, ..nothing }, Some(0.0)),
        ("winding", Recompute { winding: true, ..nothing }, Some(0.0)),
        ("bones", Recompute { bones: true, ..nothing }, Some(0.0)),
    ];
    for (name, what, same) in computed {
        cases.push(Case {
            name: format!("recompute {name}"),
            apply: Box::new(move |root| edit::recompute(root, &what)),
            then: same.map(Then::SameScene).into_iter().chain([Then::Once]).collect(),
        });
    }
    cases
}

/// Changes of clips, each of which has an opposite or leaves what is drawn.
fn clip_cases(root: &Node<'_>, all: &[edit::Part]) -> Vec<Case> {
    let mut cases = Vec::new();
    let clips: Vec<&edit::Part> = all.iter().filter(|part| part.kind == PartKind::Clip).collect();
    let change = |index: usize, change: ClipChange| -> Apply {
        Box::new(move |root| edit::change_clip(root, &Selector::Index(PartKind::Clip, index), &change))
    };
    let lengths = lengths(root);
    for (index, length) in [0, clips.len() / 2].into_iter().filter_map(|at| Some((at, *lengths.get(at)?))) {
        let mut add = |name: &str, apply: Apply, then: Vec<Then>| {
            cases.push(Case { name: format!("clip {name}"), apply, then });
        };
        let speed = |factor: f32| change(index, ClipChange::Speed(factor));
        add("speed 2", speed(2.0), vec![Then::Back(speed(0.5), 0.02)]);
        add("speed 0.5", speed(0.5), vec![Then::SameScene(1e-4), Then::Back(speed(2.0), 1e-4)]);
        add(
            "reverse",
            change(index, ClipChange::Reverse),
            vec![Then::Back(change(index, ClipChange::Reverse), 1e-3), Then::Reversed(index, 2e-2)],
        );
        let (from, to) = (length / 4, length * 3 / 4);
        if to > from {
            let trim = change(index, ClipChange::Trim { from, to });
            add("trim", trim, vec![Then::Part(index, from, length, 2e-2)]);
            let split = ClipChange::Split { at: length / 2, name: "Mw Second".to_owned() };
            let join = ClipChange::Join(selector("clip:Mw Second"));
            add(
                "split",
                change(index, split),
                vec![Then::Part(index, 0, length, 2e-2), Then::Back(change(index, join), 2e-2)],
            );
        }
        add("move speed", change(index, ClipChange::MoveSpeed(77.0)), vec![Then::SameScene(0.0), Then::Once]);
        add("rarity", change(index, ClipChange::Rarity(3.5)), vec![Then::SameScene(0.0), Then::Once]);
        add("loop", change(index, ClipChange::Loop(false)), vec![Then::Once]);
        add("rename", change(index, ClipChange::Rename("Mw Renamed".to_owned())), vec![]);
        add("move", change(index, ClipChange::Move(900_000)), vec![Then::SameScene(1e-4)]);
    }
    cases
}

/// What is removed comes back from the original.
fn add_cases(root: &Node<'_>, all: &[edit::Part]) -> Vec<Case> {
    let original = root.clone().into_owned();
    let mut cases = Vec::new();
    let last = |kind: PartKind| all.iter().filter(|part| part.kind == kind).count().checked_sub(1);
    let kinds = [
        PartKind::Mesh,
        PartKind::Attachment,
        PartKind::Emitter,
        PartKind::Ribbon,
        PartKind::Light,
        PartKind::Camera,
        PartKind::Collision,
        PartKind::Event,
    ];
    for (kind, index) in kinds.into_iter().filter_map(|kind| Some((kind, last(kind)?))) {
        let original = original.clone();
        let wanted = Selector::Index(kind, index);
        cases.push(Case {
            name: format!("add {}", kind.word()),
            apply: Box::new(move |root| {
                edit::remove(root, &Removal { parts: vec![wanted.clone()], ..Removal::default() })?;
                let addition =
                    edit::Addition { part: wanted.clone(), to: None, like: None, keep_position: false };
                edit::add(root, &original, &addition)
            }),
            then: vec![Then::Fewer(kind, 0), Then::SameScene(1e-4)],
        });
    }
    if last(PartKind::Clip).is_some() {
        let original = original.clone();
        cases.push(Case {
            name: "add clip".to_owned(),
            apply: Box::new(move |root| {
                let clip = Selector::Index(PartKind::Clip, 0);
                let addition = edit::ClipAddition {
                    clip,
                    name: Some("Mw Copy".to_owned()),
                    map: Vec::new(),
                    like: None,
                };
                edit::add_clip(root, &original, &addition)
            }),
            then: vec![Then::CopyOfFirst(2e-2)],
        });
    }
    cases
}

/// The length of each clip: milliseconds, or the last frame.
fn lengths(root: &Node<'_>) -> Vec<u32> {
    let sequences = root.get(mdx::kinds::SEQS).iter();
    let sequences =
        sequences.map(|sequence| (sequence.end.get() - sequence.start.get()).max(0).cast_unsigned());
    let frames = root.children().iter().filter_map(w3d::Animation::new);
    sequences.chain(frames.map(|clip| clip.num_frames().saturating_sub(1))).collect()
}

/// A model before its edits.
struct Judge<'d> {
    document: &'d Document<'d>,
    findings: BTreeMap<String, usize>,
    scene: scene::Scene,
}

impl<'d> Judge<'d> {
    fn new(document: &'d Document<'d>) -> Self {
        Self { document, findings: findings(document), scene: scene_of(document) }
    }

    fn fault(&self, case: &Case) -> Result<Done, String> {
        let mut after = self.document.clone();
        let report = match (case.apply)(after.root_mut()) {
            Ok(report) => report,
            Err(error) => return Ok(Done::Refused(generic(&error.message))),
        };
        let before = self.document.to_bytes().map_err(|error| error.to_string())?;
        let written = after.to_bytes().map_err(|error| error.to_string())?;
        // What was removed and added again may be exactly as before.
        if before == written && case.name.starts_with("add") {
            return Ok(Done::Made);
        }
        if (report.changed == 0) != (before == written) {
            return Err(format!("{} changes were said, and the bytes say otherwise", report.changed));
        }
        if report.changed == 0 {
            return Ok(Done::Nothing);
        }
        let again = reread(&after, &written).ok_or("the result is not a model")?;
        if again.to_bytes().ok().as_deref() != Some(&written) {
            return Err("the result is not read back identically".to_owned());
        }
        let removes = case.name.starts_with("remove") || case.name.starts_with("keep");
        let new: Vec<String> = findings(&again)
            .into_iter()
            .filter(|(code, _)| !removes || !CONSEQUENCES.contains(&code.as_str()))
            .filter(|(code, _)| {
                !(case.name.contains("clip") || case.name.starts_with("add"))
                    || !OF_CLIPS.contains(&code.as_str())
            })
            .filter(|(code, count)| self.findings.get(code).copied().unwrap_or_default() < *count)
            .map(|(code, count)| format!("{code} ({count})"))
            .collect();
        if !new.is_empty() {
            return Err(format!("the linter finds {}", new.join(", ")));
        }
        for then in &case.then {
            self.judge(then, &again, case)?;
        }
        Ok(Done::Made)
    }

    fn judge(&self, then: &Then, after: &Document<'_>, case: &Case) -> Result<(), String> {
        let count = |document: &Document<'_>, kind: PartKind| {
            parts(document.root()).unwrap_or_default().iter().filter(|part| part.kind == kind).count()
        };
        match then {
            Then::Fewer(kind, fewer) => {
                let (before, now) = (count(self.document, *kind), count(after, *kind));
                if before < now + fewer {
                    return Err(format!("{now} of {before} are left"));
                }
            }
            Then::CopyOfFirst(tolerance) => {
                let after = scene_of(after);
                let copy =
                    after.clips.iter().position(|clip| clip.name.ends_with("Mw Copy")).ok_or("no copy")?;
                for share in [0.0, 0.3, 0.7, 1.0] {
                    let moment = |clip: usize| (clip, after.clips[clip].duration * share);
                    let away = apart_of([(&after, moment(0)), (&after, moment(copy))])?;
                    if away > *tolerance {
                        return Err(format!("at {share} a vertex of the copy is {away} away"));
                    }
                }
            }
            Then::Reversed(clip, tolerance) => {
                let after = scene_of(after);
                for share in [0.0, 0.3, 0.5, 1.0] {
                    let moments = [(&self.scene, 1.0 - share), (&after, share)];
                    let away = apart(moments, *clip, self.scene.clips[*clip].duration)?;
                    if away > *tolerance {
                        return Err(format!("at {share} a vertex is {away} away from the mirrored moment"));
                    }
                }
            }
            Then::Part(clip, from, whole, tolerance) => {
                let after = scene_of(after);
                let before = self.scene.clips[*clip].duration;
                let length = after.clips[*clip].duration;
                for step in [0.0, 0.25, 0.6, 1.0] {
                    let time = before * *from as f32 / (*whole).max(1) as f32 + length * step;
                    let away = apart_at([(&self.scene, time), (&after, length * step)], *clip)?;
                    if away > *tolerance {
                        return Err(format!("at {step} a vertex is {away} away from the same moment"));
                    }
                }
            }
            Then::Once => {
                let report = (case.apply)(after.clone().root_mut()).map_err(|error| error.to_string())?;
                if report.changed > 0 {
                    return Err(format!("a second time changes {} more", report.changed));
                }
            }
            Then::SameScene(tolerance) => same(&self.scene, &scene_of(after), *tolerance)?,
            Then::Mirrored(axis, tolerance) => {
                let away = mirrored(&self.scene, &scene_of(after), *axis)?;
                if away > *tolerance {
                    return Err(format!("a vertex is {away} away from its mirror image"));
                }
            }
            Then::Involution => {
                let mut back = after.clone();
                (case.apply)(back.root_mut())
                    .map_err(|error| format!("taking it back is refused: {error}"))?;
                let same = back.to_bytes().ok() == self.document.to_bytes().ok();
                if !same {
                    println!("  bytes differ");
                    self::same(&self.scene, &scene_of(&back), 1e-5)
                        .map_err(|fault| format!("taken back: {fault}"))?;
                }
            }
            Then::Back(apply, tolerance) => {
                let mut back = after.clone();
                match apply(back.root_mut()) {
                    Err(error) if error.message.contains("a value for each frame") => return Ok(()),
                    result => result.map_err(|error| format!("taking it back is refused: {error}"))?,
                };
                same(&self.scene, &scene_of(&back), *tolerance)
                    .map_err(|fault| format!("taken back: {fault}"))?;
            }
        }
        Ok(())
    }
}

/// How far a vertex of a mirrored scene is from where the mirror has it, at moments of every clip, relative to the size of the model.
fn mirrored(before: &scene::Scene, after: &scene::Scene, axis: Axis) -> Result<f32, String> {
    if before.meshes.len() != after.meshes.len() || before.clips.len() != after.clips.len() {
        return Err("other meshes or clips".to_owned());
    }
    // The scene has Y up; models have Z up.
    let sign = match axis {
        Axis::X => glam::Vec3::new(-1.0, 1.0, 1.0),
        Axis::Y => glam::Vec3::new(1.0, 1.0, -1.0),
        Axis::Z => glam::Vec3::new(1.0, -1.0, 1.0),
    };
    let size = before.rest_bounds().map_or(1.0, |bounds| bounds.radius).max(1e-3);
    let (one, other) = (scene::Sampler::new(before), scene::Sampler::new(after));
    let mut worst = 0.0_f32;
    let clips = before.clips.iter().enumerate().map(|(index, clip)| (Some(index), clip.duration));
    for (clip, duration) in std::iter::once((None, 0.0)).chain(clips) {
        for step in 0..=3_u8 {
            let time = duration * f32::from(step) / 3.0;
            // Billboards face a camera that is mirrored too.
            let moment = |sign: glam::Vec3| {
                let position = glam::Vec3::new(2.0, 1.5, 3.0) * size * sign;
                let view = scene::View { position, forward: -position.normalize(), anchors: false };
                scene::Moment {
                    clip: clip.map(scene::ClipId::from),
                    time,
                    view: Some(view),
                    ..Default::default()
                }
            };
            let (a, b) = (one.pose(&moment(glam::Vec3::ONE)), other.pose(&moment(sign)));
            for (mesh, twin) in before.meshes.iter().zip(&after.meshes) {
                let (mut here, mut there) = (scene::Deformed::default(), scene::Deformed::default());
                scene::skin(mesh, &a, &mut here);
                scene::skin(twin, &b, &mut there);
                if here.positions.len() != there.positions.len() {
                    return Err("other vertices".to_owned());
                }
                for (here, there) in here.positions.iter().zip(&there.positions) {
                    let away = (*here * sign).distance(*there) / size;
                    worst = if away.is_nan() { worst } else { worst.max(away) };
                }
            }
        }
    }
    Ok(worst)
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
    for finding in check(document, &Options::default()) {
        *counts.entry(finding.code.to_string()).or_default() += 1;
    }
    counts
}

fn scene_of(document: &Document<'_>) -> scene::Scene {
    match document {
        Document::W3d(file) => {
            let library = convert::w3d::Library::new(file);
            convert::w3d::to_scene(&library, None, &convert::w3d::Options::default()).0
        }
        Document::Mdx(file) => convert::mdx::to_scene(file, &convert::mdx::Options::default()).0,
        _ => scene::Scene::default(),
    }
}

/// How far vertices are apart at shares of a clip, relative to the size of the model.
fn apart(moments: [(&scene::Scene, f32); 2], clip: usize, duration: f32) -> Result<f32, String> {
    apart_at(moments.map(|(scene, share)| (scene, duration * share)), clip)
}

fn apart_at(moments: [(&scene::Scene, f32); 2], clip: usize) -> Result<f32, String> {
    apart_of(moments.map(|(scene, time)| (scene, (clip, time))))
}

fn apart_of(moments: [(&scene::Scene, (usize, f32)); 2]) -> Result<f32, String> {
    let [before, after] = moments.map(|(scene, (clip, time))| {
        let moment = scene::Moment { clip: Some(scene::ClipId::from(clip)), time, ..Default::default() };
        let pose = scene::Sampler::new(scene).pose(&moment);
        let mut all = Vec::new();
        for mesh in &scene.meshes {
            let mut deformed = scene::Deformed::default();
            scene::skin(mesh, &pose, &mut deformed);
            all.extend(deformed.positions);
        }
        all
    });
    if before.len() != after.len() {
        return Err("other vertices".to_owned());
    }
    let size = moments[0].0.rest_bounds().map_or(1.0, |bounds| bounds.radius).max(1e-3);
    let far = before.iter().zip(&after).map(|(a, b)| a.distance(*b) / size);
    Ok(far.filter(|away| !away.is_nan()).fold(0.0, f32::max))
}

fn same(before: &scene::Scene, after: &scene::Scene, tolerance: f32) -> Result<(), String> {
    let worst = worst_position(before, after)?;
    if worst > tolerance {
        return Err(format!("a vertex is {worst} away"));
    }
    Ok(())
}

/// How far a vertex of the second scene is from where the first has it, at moments of every clip, relative to the size of the model.
fn worst_position(before: &scene::Scene, after: &scene::Scene) -> Result<f32, String> {
    if before.meshes.len() != after.meshes.len() || before.clips.len() != after.clips.len() {
        return Err("other meshes or clips".to_owned());
    }
    let size = before.rest_bounds().map_or(1.0, |bounds| bounds.radius).max(1e-3);
    let (one, other) = (scene::Sampler::new(before), scene::Sampler::new(after));
    let mut worst = 0.0_f32;
    for (index, clip) in before.clips.iter().enumerate() {
        let length = after.clips[index].duration;
        for step in 0..=4_u8 {
            let moment = |duration: f32| scene::Moment {
                clip: Some(scene::ClipId::from(index)),
                time: duration * f32::from(step) / 4.0,
                ..Default::default()
            };
            let (a, b) = (one.pose(&moment(clip.duration)), other.pose(&moment(length)));
            for (mesh, twin) in before.meshes.iter().zip(&after.meshes) {
                let (mut here, mut there) = (scene::Deformed::default(), scene::Deformed::default());
                scene::skin(mesh, &a, &mut here);
                scene::skin(twin, &b, &mut there);
                if here.positions.len() != there.positions.len() {
                    return Err("other vertices".to_owned());
                }
                for (here, there) in here.positions.iter().zip(&there.positions) {
                    let away = here.distance(*there) / size;
                    worst = if away.is_nan() { worst } else { worst.max(away) };
                }
            }
            for (index, (a, b)) in a.meshes.iter().zip(&b.meshes).enumerate() {
                if a.visible != b.visible || (a.alpha - b.alpha).abs() > 0.01 {
                    return Err(format!("mesh {index} is shown otherwise"));
                }
            }
        }
    }
    Ok(worst)
}

fn read(path: &Path, bytes: &[u8]) -> Option<Document<'static>> {
    let name = path.file_name()?.to_str();
    let format = meshwright::Format::detect(bytes, name).ok()?;
    format.read(bytes).ok().map(|parsed| parsed.document.into_owned())
}

fn reread<'b>(like: &Document<'_>, bytes: &'b [u8]) -> Option<Document<'b>> {
    match like {
        Document::W3d(_) => w3d::W3d::parse(bytes).ok().map(Document::from),
        Document::Mdx(_) => mdx::Document::parse(bytes).ok().map(Document::from),
        _ => None,
    }
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
