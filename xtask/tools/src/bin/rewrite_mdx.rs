//! Writes the scene of every MDX and MDL file of a folder as MDX again, and compares the scene of that with the first:
//! `rewrite_mdx FOLDER [OUT]`. With a second folder, what was written goes
//! into its folders `mdx` and `mdl`.
//!
//! Ends with a line of counts. Differences that are no fault of the writer are listed in [`EXPECTED`] with the reason.

use std::path::{Path, PathBuf};

use convert::author::mdx::{Options, to_mdx};
use convert::mdx::to_scene;
use scene::compare::{Tolerance, differences};

#[path = "../files.rs"]
mod files;

/// What may be different, by a part of the line, and why.
const EXPECTED: [(&str, &str); 2] = [
    (
        "has a skin is false, then true",
        "vertices that no bone moves follow one that stands still, because the game needs one",
    ),
    ("is moved by {}, then by", "the same"),
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_default());
    let out = arguments.next().map(PathBuf::from);
    let files = files::below([&folder]);
    let (mut equal, mut expected, mut different, mut skipped) = (0, 0, 0, 0);
    for path in &files {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let Some(document) = read(&bytes) else {
            skipped += 1;
            continue;
        };
        // The WoW alpha has other particles, and no version of Warcraft III but these can be written.
        if !mdx::version::VERSIONS.contains(&document.version) || document.dialect != mdx::Dialect::Warcraft {
            skipped += 1;
            continue;
        }
        let name = path.strip_prefix(&folder).unwrap_or(path).display().to_string();
        let mut first = to_scene(&document, &Default::default()).0;
        if document.version < 900 {
            // The classic game wants backslashes.
            first.textures.iter_mut().for_each(|texture| texture.name = texture.name.replace('/', "\\"));
        }
        let options = Options { version: document.version, complete: false, ..Options::default() };
        let (written, losses) = match to_mdx(&first, &options) {
            Ok(written) => written,
            Err(error) => {
                println!("{name}: refused: {error}");
                different += 1;
                continue;
            }
        };
        let bytes = match written.to_bytes() {
            Ok(bytes) => bytes,
            Err(error) => {
                println!("{name}: not written: {error}");
                different += 1;
                continue;
            }
        };
        if let Some(out) = &out {
            let name = if name.ends_with(".mdx") { name.clone() } else { format!("{name}.mdx") };
            let options = mdx::mdl::Options { dialect: mdx::mdl::MdlDialect::Hive, ..Default::default() };
            let text = mdx::mdl::write(&written, &options).unwrap_or_default();
            if let Err(error) = save(&out.join("mdx").join(&name), &bytes)
                .and_then(|()| save(&out.join("mdl").join(name).with_extension("mdl"), &text))
            {
                println!("{}: {error}", out.display());
                different += 1;
                continue;
            }
        }
        for note in &losses.notes {
            println!("{name}: {note}");
        }
        let again = mdx::Document::parse(&bytes).map(|document| to_scene(&document, &Default::default()).0);
        let Ok(second) = again else {
            println!("{name}: cannot be read again");
            different += 1;
            continue;
        };
        let found = differences(&first, &second, Tolerance::default());
        let (known, unknown): (Vec<&String>, Vec<&String>) =
            found.iter().partition(|line| EXPECTED.iter().any(|(part, _)| line.contains(part)));
        for line in &known {
            println!("{name}: expected: {}", line.chars().take(300).collect::<String>());
        }
        for line in &unknown {
            println!("{name}: {line}");
        }
        match (known.is_empty(), unknown.is_empty()) {
            (true, true) => equal += 1,
            (false, true) => expected += 1,
            _ => different += 1,
        }
    }
    println!(
        "{} files, {equal} equal, {expected} with expected differences, {different} differ, {skipped} skipped",
        files.len()
    );
    std::process::exit(i32::from(different > 0 || equal == 0));
}

fn save(to: &Path, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::create_dir_all(to.parent().unwrap_or(to))?;
    std::fs::write(to, bytes)
}

fn read(bytes: &[u8]) -> Option<mdx::Document<'static>> {
    if let Ok(document) = mdx::Document::parse(bytes) {
        return Some(document.into_owned());
    }
    mdx::mdl::parse(bytes).0
}
