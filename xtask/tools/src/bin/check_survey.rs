//! Checks every model below a folder and prints the findings: `cargo run --bin check_survey -- FOLDER [SEVERITY] [TEXTURES]`.
//!
//! Findings of at least the severity are shown (all without one); a second folder adds files that models may refer to.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use assets::{Folders, Resolver};
use check::output::{FileReport, Summary, text};
use check::{Document, Options, report};
use record::Severity;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("usage: check_survey FOLDER [error|warning|info|hint] [TEXTURES]");
        return ExitCode::from(2);
    };
    let least = match arguments.next().as_deref() {
        Some("error") => Severity::Error,
        Some("warning") => Severity::Warning,
        Some("info") => Severity::Info,
        _ => Severity::Hint,
    };
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    let mut resolver = Resolver::new(Folders::default());
    resolver.add_folder(Path::new(&folder));
    arguments.for_each(|extra| resolver.add_textures(Path::new(&extra)));
    let read: Vec<(PathBuf, Vec<u8>)> =
        files.into_iter().filter_map(|file| fs::read(&file).ok().map(|bytes| (file, bytes))).collect();
    let mut summary = Summary::default();
    for (file, bytes) in &read {
        let path = file.strip_prefix(&folder).unwrap_or(file).to_string_lossy().into_owned();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let lookup = Some(resolver.lookup(file));
        let options = Options { file_name: Some(&name), lookup, ..Options::default() };
        let result = Document::parse(bytes).map(|document| report(&document, &options)).map_err(Into::into);
        let mut found = FileReport { path, result, is_text: false, marks: Vec::new(), applied: Vec::new() };
        summary.add(&found);
        if let Ok(report) = &mut found.result {
            report.diagnostics.retain(|finding| finding.severity >= least);
        }
        text(&found).iter().for_each(|line| println!("{line}"));
    }
    println!("{summary}");
    ExitCode::SUCCESS
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
