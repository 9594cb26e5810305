//! Prints what is found in the models of folders as JSON (`docs/check.schema.json`), or with `--sarif` as SARIF:
//! `cargo run --bin findings -- FOLDER...`.
//!
//! With `--samples FOLDER` the samples of the mdx crate are first written there, for other people's linters to read.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use check::output::{FileReport, json, sarif};
use check::{Document, Options, report};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> io::Result<()> {
    let (mut folders, mut form) = (Vec::new(), json as fn(&[FileReport]) -> serde_json::Value);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--samples" {
            let folder = PathBuf::from(arguments.next().unwrap_or_default());
            fs::create_dir_all(&folder)?;
            for (name, bytes) in mdx::build::samples() {
                fs::write(folder.join(format!("{name}.mdx")), bytes)?;
            }
            folders.push(folder);
        } else if argument == "--sarif" {
            form = sarif;
        } else {
            folders.push(argument.into());
        }
    }
    let mut files = Vec::new();
    folders.iter().try_for_each(|folder| collect(folder, &mut files))?;
    files.sort();
    let mut reports = Vec::new();
    for file in files {
        let bytes = fs::read(&file)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let options = Options { file_name: Some(&name), ..Options::default() };
        let result = Document::parse(&bytes).map(|document| report(&document, &options)).map_err(Into::into);
        reports.push(FileReport {
            path: file.to_string_lossy().into_owned(),
            result,
            is_text: false,
            marks: Vec::new(),
            applied: Vec::new(),
        });
    }
    println!("{:#}", form(&reports));
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
