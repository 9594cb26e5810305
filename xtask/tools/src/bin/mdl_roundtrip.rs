//! Checks MDL over a folder of real files and measures it.
//!
//! Every Warcraft III `.mdx` goes through MDL and must come back byte for byte, and without the comments the text must
//! be a fixed point. Every `.mdl` must be read, and what is written from it must read back to the same model.
//!
//! `cargo run --release -p mdx --bin mdl_roundtrip -- DIR…`

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mdx::mdl::{self, MdlDialect, Options};
use mdx::{Dialect, Document, Severity};

#[derive(Default)]
struct Tally {
    files: usize,
    bytes: usize,
    time: Duration,
}

impl Tally {
    /// The best of three, because other programs want the processor too.
    fn add<T>(&mut self, bytes: impl Fn(&T) -> usize, act: impl Fn() -> T) -> T {
        let timed = || {
            let start = Instant::now();
            let result = act();
            (start.elapsed(), result)
        };
        let (first, result) = timed();
        self.time += (0..2).map(|_| timed().0).fold(first, Duration::min);
        self.files += 1;
        self.bytes += bytes(&result);
        result
    }

    fn rate(&self) -> f64 {
        self.bytes as f64 / 1e6 / self.time.as_secs_f64().max(1e-9)
    }
}

#[derive(Default)]
struct Report {
    write: Tally,
    write_plain: Tally,
    read: Tally,
    failures: Vec<String>,
    refused: usize,
    kept: usize,
    kept_files: usize,
}

fn main() {
    let mut report = Report::default();
    let (mut models, mut texts) = (0, 0);
    for folder in std::env::args().skip(1) {
        for path in files(Path::new(&folder)) {
            let name = path.to_string_lossy().into_owned();
            let Ok(bytes) = std::fs::read(&path) else { continue };
            let extension =
                name.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, end)| end);
            match extension.split('~').next().unwrap_or_default().to_ascii_lowercase().as_str() {
                "mdx" => {
                    models += 1;
                    check_model(&name, &bytes, &mut report);
                }
                "mdl" => {
                    texts += 1;
                    check_text(&name, &bytes, &mut report);
                }
                _ => {}
            }
        }
    }
    for failure in &report.failures {
        println!("{failure}");
    }
    println!(
        "{models} mdx, {} of the WoW alpha refused, {texts} mdl, {} failures",
        report.refused,
        report.failures.len()
    );
    println!("{} files have {} bytes of comments that MDL cannot say", report.kept_files, report.kept);
    for (what, tally) in
        [("write", &report.write), ("write plain", &report.write_plain), ("read", &report.read)]
    {
        println!(
            "{what:12} {:6} texts {:9.1} MB {:8.1} MB/s",
            tally.files,
            tally.bytes as f64 / 1e6,
            tally.rate()
        );
    }
    std::process::exit(i32::from(!report.failures.is_empty()));
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return vec![folder.to_owned()] };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().flat_map(|path| if path.is_dir() { files(path) } else { vec![path.clone()] }).collect()
}

fn check_model(name: &str, bytes: &[u8], report: &mut Report) {
    let Ok(document) = Document::parse(bytes) else {
        return report.failures.push(format!("{name}: not MDX"));
    };
    if document.dialect == Dialect::Wow {
        report.refused += usize::from(mdl::write(&document, &Options::default()).is_err());
        return;
    }
    for dialect in [MdlDialect::Game, MdlDialect::Hive, MdlDialect::War3Model] {
        let text = report.write.add(
            |text: &Vec<u8>| text.len(),
            || mdl::write(&document, &Options { dialect, plain: false }).unwrap_or_default(),
        );
        let plain = report.write_plain.add(
            |text: &Vec<u8>| text.len(),
            || mdl::write(&document, &Options { dialect, plain: true }).unwrap_or_default(),
        );
        report.kept += text.len() - plain.len();
        report.kept_files += usize::from(text.len() > plain.len());
        let (back, found) = report.read.add(|_| text.len(), || mdl::parse(&text));
        if back.and_then(|back| back.to_bytes().ok()).as_deref() != Some(bytes) {
            report.failures.push(format!("{name}: {dialect:?}: not identical; {}", shown(&found)));
        }
        let (again, found) = mdl::parse(&plain);
        let again = again.and_then(|again| mdl::write(&again, &Options { dialect, plain: true }).ok());
        if again.as_deref() != Some(&plain) {
            report
                .failures
                .push(format!("{name}: {dialect:?}: the plain text is no fixed point; {}", shown(&found)));
        }
        if found.iter().any(|finding| finding.severity >= Severity::Warning) {
            report
                .failures
                .push(format!("{name}: {dialect:?}: our own text is not clean: {}", shown(&found)));
        }
    }
}

fn check_text(name: &str, text: &[u8], report: &mut Report) {
    let (document, found) = report.read.add(|_| text.len(), || mdl::parse(text));
    let Some(document) = document else {
        return report.failures.push(format!("{name}: no model; {}", shown(&found)));
    };
    if found.iter().any(|finding| finding.severity >= Severity::Warning) {
        println!("{name}: {}", shown(&found));
    }
    let Ok(bytes) = document.to_bytes() else { return report.failures.push(format!("{name}: too large")) };
    // What the tree is must also be what its bytes are.
    match Document::parse(&bytes) {
        Ok(parsed) if parsed.to_json() == document.to_json() => {}
        _ => report.failures.push(format!("{name}: the tree is not what its bytes are")),
    }
    let options = Options { plain: true, ..Options::default() };
    let written = mdl::write(&document, &options).unwrap_or_default();
    let (back, found) = mdl::parse(&written);
    if back.and_then(|back| back.to_bytes().ok()).as_deref() != Some(&bytes) {
        report.failures.push(format!("{name}: reads back to another model; {}", shown(&found)));
    }
}

fn shown(found: &[mdx::Diagnostic]) -> String {
    found.iter().take(3).map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
