//! Repairs every model below a folder in memory, rule by rule, and prints what was done: `cargo run --bin repair -- FOLDER`.
//!
//! Nothing is written. After each repair its rule must find nothing more, only the parts that it names may have changed, and a
//! second time must do nothing; the same for all repairs together. Otherwise the exit code is 1 and the last line counts it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use check::{Applied, Document, FixLevel, Games, Options, catalogue, check, fix};
use record::Node;

fn main() -> ExitCode {
    let Some(folder) = env::args().nth(1) else {
        eprintln!("usage: repair FOLDER");
        return ExitCode::from(2);
    };
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    let (mut repairs, mut repaired, mut faults) = (0, 0, 0);
    for file in &files {
        let Some(document) = fs::read(file).ok().and_then(|bytes| read(file, &bytes)) else { continue };
        let name = file.strip_prefix(&folder).unwrap_or(file).display();
        let mut applied_here = 0;
        for rule in catalogue().filter(|rule| rule.repair.is_some()) {
            let mut mended = document.clone();
            let applied = fix(&mut mended, &[rule.code], FixLevel::All);
            for Applied { code, path, message } in &applied {
                println!("{name}: fixed[{code}] {path}: {message}");
            }
            for fault in faults_of(&document, &mended, rule, &applied) {
                println!("{name}: {}: {fault}", rule.code);
                faults += 1;
            }
            applied_here += applied.len();
        }
        let mut once = document.clone();
        fix(&mut once, &[], FixLevel::All);
        let mut twice = once.clone();
        fix(&mut twice, &[], FixLevel::All);
        if once.to_bytes().ok() != twice.to_bytes().ok() {
            println!("{name}: all together: a second time changes more");
            faults += 1;
        }
        repairs += applied_here;
        repaired += usize::from(applied_here > 0);
    }
    println!("{} files, {repairs} repairs in {repaired} of them, {faults} faults", files.len());
    ExitCode::from(u8::from(faults > 0))
}

/// What is not as it should be after a repair.
fn faults_of(
    before: &Document<'_>,
    after: &Document<'_>,
    rule: &check::Rule,
    applied: &[Applied],
) -> Vec<String> {
    let mut faults = Vec::new();
    let found = |document: &Document<'_>| {
        let profile = rule.profiles.iter().find(|profile| Games::of(document.family()).has(*profile));
        check(document, &Options { profile, ..Options::default() })
            .into_iter()
            .filter(|finding| finding.code == rule.code)
            .map(|finding| finding.path)
            .collect::<Vec<_>>()
    };
    // What could not be repaired is still found; what was said to be repaired must not be.
    let left = found(after);
    faults.extend(
        applied
            .iter()
            .filter(|done| left.contains(&done.path))
            .map(|done| format!("{} is still found", done.path)),
    );
    if !applied.is_empty() && found(before).is_empty() {
        faults.push("something was repaired that was not found".to_owned());
    }
    let mut changed = Vec::new();
    differences(before.root(), after.root(), "", &mut changed);
    // Removing what is not used renumbers what refers to the rest, and a whole file may have been damaged.
    let everywhere = rule.repair.is_some_and(|repair| repair.level == FixLevel::All)
        || applied.iter().any(|done| done.path.is_empty());
    let named = |path: &String| applied.iter().any(|done| path.starts_with(&done.path));
    faults.extend(
        changed
            .iter()
            .filter(|path| !everywhere && !named(path))
            .map(|path| format!("{path} has changed, too")),
    );
    if !fix(&mut after.clone(), &[rule.code], FixLevel::All).is_empty() {
        faults.push("a second time does more".to_owned());
    }
    faults
}

/// The paths of parts that differ; of a part whose children are others, its own.
fn differences(a: &Node<'_>, b: &Node<'_>, path: &str, found: &mut Vec<String>) {
    let alike = a.children().len() == b.children().len();
    if a.id != b.id || a.size_delta != b.size_delta || a.bytes() != b.bytes() || !alike {
        found.push(path.to_owned());
    }
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (a, b) in a.children().iter().zip(b.children()).filter(|_| alike) {
        let ordinal = seen.entry(a.name().into_owned()).or_default();
        let label = a.label().map(|label| format!(" {label:?}")).unwrap_or_default();
        let slash = if path.is_empty() { "" } else { "/" };
        differences(a, b, &format!("{path}{slash}{}[{ordinal}]{label}", a.name()), found);
        *ordinal += 1;
    }
}

fn read(file: &Path, bytes: &[u8]) -> Option<Document<'static>> {
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mdl")) {
        return mdx::mdl::parse(bytes).0.map(Document::Mdx);
    }
    Document::parse(bytes).ok().map(Document::into_owned)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
