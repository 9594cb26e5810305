//! Makes everyday edits to every model below a folder in memory and judges the results: `cargo run --bin edits -- FOLDER [EDIT]`.
//!
//! Nothing is written. Each result must be read back identically, the linter must find nothing new in it, and only what was asked
//! may differ in its scene. Edits that have an opposite are taken back. Otherwise the exit code is 1 and the last line counts it. With
//! the name of an edit only edits whose names start with it are made.

mod cases;
mod scenes;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use check::{Document, Options, check};
use edit::{Axis, Error, PartKind, Report, parts};
use record::Node;

use cases::cases;
use scenes::{apart, apart_at, apart_at_rest, apart_of, mirrored, same, scene_of};

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

/// What the linter may find after an edit because that is what was asked for: by the start of the edit's name, the codes and the reason.
const CONSEQUENCES: [(&[&str], &[&str], &str); 10] = [
    (
        &["remove", "keep"],
        &[
            "MDX-MAT-008",
            "MDX-SKIN-010",
            "MDX-EVTS-004",
            "MDX-ATCH-002",
            "MDX-CAMS-002",
            "MDX-CAMS-004",
            "W3D-FILE-001",
        ],
        "something is unused or missing now",
    ),
    (
        &["remove clip", "keep clip"],
        &["MDX-SEQ-001", "MDX-SEQ-002", "MDX-SEQ-003", "MDX-TRACK-003", "MDX-PRE2-009"],
        "a clip that units need is missing, or all of them",
    ),
    (
        &["remove clip", "keep clip"],
        &["MDX-TRACK-011", "MDX-TRACK-015", "MDX-TRACK-017"],
        "other clips have few keys",
    ),
    (
        &["clip", "add"],
        &["MDX-SEQ-002", "MDX-SEQ-003", "MDX-SEQ-005", "MDX-CAMS-002"],
        "our names are not those of the game",
    ),
    (
        &["clip", "add clip"],
        &["MDX-SEQ-004"],
        "the order of the list stays, wherever a clip is on the time line",
    ),
    (
        &["clip", "add"],
        &[
            "MDX-TRACK-007",
            "MDX-TRACK-011",
            "MDX-TRACK-014",
            "MDX-TRACK-015",
            "MDX-TRACK-017",
            "MDX-GEOA-006",
            "W3D-CHAN-005",
            "W3D-CHAN-014",
        ],
        "a part of a clip or another clip need not have the keys that the whole has",
    ),
    (
        &["clip", "add"],
        &["MDX-MAT-008", "MDX-EVTS-004", "MDX-SEQ-006"],
        "a clip was cut where the other part had the only use, or has no length",
    ),
    (
        &["attach"],
        &["MDX-SKIN-010", "MDX-MAT-008"],
        "a bone has no vertices or a global sequence no track any more",
    ),
    (
        &["attach"],
        &["MDX-TRACK-011", "MDX-TRACK-014", "MDX-TRACK-015"],
        "sampled motion changes little from key to key, or not at all",
    ),
    (
        &["blend", "recolour"],
        &["MDX-TRACK-017", "MDX-MAT-008", "MDX-GEOA-005"],
        "a copied material has the findings of its original; the texture of the player is unused; geosets have a geoset animation or not",
    ),
];

/// Whether an edit may have a finding as its consequence.
fn is_consequence(edit: &str, code: &str) -> bool {
    CONSEQUENCES
        .iter()
        .any(|(edits, codes, _)| edits.iter().any(|start| edit.starts_with(start)) && codes.contains(&code))
}

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
    /// In the rest pose everything is where it was, within this.
    SameRest(f32),
    /// Everything is where it is in the mirror, within this.
    Mirrored(Axis, f32),
    /// The same edit takes it back: all bytes are as before, or what is drawn is.
    Involution,
    /// This edit takes it back, and the scene is as before within this.
    Back(Apply, f32),
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
        let new: Vec<String> = findings(&again)
            .into_iter()
            .filter(|(code, _)| !is_consequence(&case.name, code))
            .filter(|(code, count)| self.findings.get(code).copied().unwrap_or_default() < *count)
            .map(|(code, count)| format!("{code} ({count})"))
            .collect();
        if !new.is_empty() {
            return Err(format!("the linter finds {}", new.join(", ")));
        }
        // Below a parent that is scaled to nothing or unevenly, motion cannot be kept exactly, and the note says so.
        let is_lost = report
            .notes
            .iter()
            .any(|note| note.contains("scaled to nothing") || note.contains("approximated"));
        for then in case.then.iter().filter(|then| !(is_lost && matches!(then, Then::SameScene(_)))) {
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
            Then::SameRest(tolerance) => {
                let away = apart_at_rest(&self.scene, &scene_of(after))?;
                if away > *tolerance {
                    return Err(format!("at rest a vertex is {away} away"));
                }
            }
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
