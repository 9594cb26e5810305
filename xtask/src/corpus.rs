//! `corpus`: the real models of a folder, through the release build of the command line.
//!
//! The folder has one subfolder per family. Which family a file is of is decided by that subfolder alone: collected
//! files come with extensions in any case, or with a suffix after it (`tank.W3D~fd8ca6a3`) where two had one name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::report::{Outcome, Report, StepResult};
use crate::shell::build_cli;

/// How many problems of one kind are shown; the count is always of all.
const SHOWN: usize = 20;

type Check = fn(&Staged) -> StepResult;

/// What is asked of each family, by the name of its subfolder.
const FAMILIES: [(&str, Check); 3] = [("w3d", w3d), ("mdx", mdx), ("mdl", mdl)];

/// Runs every family that the folder has. A failing family does not stop the others.
pub(crate) fn corpus(mut report: Report, folder: &Path) -> Report {
    if !FAMILIES.iter().any(|(family, _)| folder.join(family).is_dir()) {
        report.step("corpus", || Err(format!("{} has no folder w3d, mdx or mdl", folder.display())));
        return report;
    }
    let mut cli = PathBuf::new();
    report.step("release build", || {
        cli = build_cli("release")?;
        Ok(Outcome::Passed(String::new()))
    });
    if !report.is_sound() {
        return report;
    }
    for (family, check) in FAMILIES {
        let source = folder.join(family);
        report.step(&format!("{family} files"), || {
            if !source.is_dir() {
                return Ok(Outcome::Skipped("no such folder".to_owned()));
            }
            let staged = Staged::copy(&source, family, &cli)?;
            check(&staged)
        });
    }
    report
}

fn w3d(staged: &Staged) -> StepResult {
    let identical = staged.verify()?;
    let through_json = staged.json_round_trip()?;
    Ok(Outcome::Passed(format!("{identical} identical, {through_json} identical through JSON")))
}

fn mdx(staged: &Staged) -> StepResult {
    let identical = staged.verify()?;
    let through_json = staged.json_round_trip()?;
    Ok(Outcome::Passed(format!("{identical} identical, {through_json} identical through JSON")))
}

/// MDL is itself a text form, so only the rewriting is asked of it.
fn mdl(staged: &Staged) -> StepResult {
    let identical = staged.verify()?;
    Ok(Outcome::Passed(format!("{identical} identical")))
}

/// A copy of one family's files under names that the command line understands, in a temporary folder that is removed
/// when this is dropped.
struct Staged {
    cli: PathBuf,
    family: &'static str,
    scratch: PathBuf,
    files: Vec<PathBuf>,
}

impl Staged {
    fn copy(source: &Path, family: &'static str, cli: &Path) -> Result<Self, String> {
        let scratch = std::env::temp_dir().join(format!("meshwright-corpus-{}-{family}", std::process::id()));
        let mut staged = Self { cli: cli.to_owned(), family, scratch, files: Vec::new() };
        let mut originals = Vec::new();
        list_files(source, &mut originals)?;
        originals.sort();
        for original in originals {
            let relative = original.strip_prefix(source).map_err(|error| error.to_string())?;
            let name = original.file_name().unwrap_or_default().to_string_lossy();
            let mut copy = staged.folder().join(relative).with_file_name(staged_name(&name, family));
            if copy.exists() {
                // Names that differ only in the case of the extension.
                copy.set_file_name(format!("{name}.{family}"));
            }
            if let Some(parent) = copy.parent() {
                fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
            }
            // Written anew rather than copied: the originals may be read-only, and so would be their copies.
            fs::write(&copy, read(&original)?).map_err(|error| format!("{}: {error}", copy.display()))?;
            staged.files.push(copy);
        }
        if staged.files.is_empty() { Err("the folder is empty".to_owned()) } else { Ok(staged) }
    }

    /// Where the copies are, and nothing else.
    fn folder(&self) -> PathBuf {
        self.scratch.join("files")
    }

    /// `verify FOLDER`: exit code 0, and a last line that counts every file of ours as identical.
    fn verify(&self) -> Result<usize, String> {
        let output = Command::new(&self.cli).arg("verify").arg(self.folder()).output();
        let output = output.map_err(|error| format!("{}: {error}", self.cli.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let last = text.lines().last().unwrap_or_default();
        let counts = Counts::parse(last);
        let expected =
            Counts { files: self.files.len(), identical: self.files.len(), differ: 0, unreadable: 0 };
        if output.status.success() && counts == Some(expected) {
            println!("{last}");
            return Ok(expected.identical);
        }
        print!("{text}{}", String::from_utf8_lossy(&output.stderr));
        Err(match counts {
            Some(counts) if counts.files != expected.files => {
                format!("verify saw {} of {} files", counts.files, expected.files)
            }
            Some(_) => format!("verify: {last}, {}", output.status),
            None => format!("verify ended with {} and without its line of counts", output.status),
        })
    }

    /// `convert x.FAMILY x.json`, `convert x.json y.FAMILY`: the bytes of y are those of x.
    fn json_round_trip(&self) -> Result<usize, String> {
        let mut failed = 0;
        for file in &self.files {
            if let Err(problem) = self.through_json(file) {
                failed += 1;
                if failed <= SHOWN {
                    println!("{}: {problem}", file.strip_prefix(self.folder()).unwrap_or(file).display());
                }
            }
        }
        match failed {
            0 => Ok(self.files.len()),
            _ => Err(format!("{failed} of {} files do not survive JSON", self.files.len())),
        }
    }

    fn through_json(&self, file: &Path) -> Result<(), String> {
        let json = self.scratch.join("round-trip.json");
        let back = self.scratch.join(format!("round-trip.{}", self.family));
        // The last file's results must not be taken for this one's; the first time there are none.
        let _ = fs::remove_file(&json);
        let _ = fs::remove_file(&back);
        self.convert(file, &json)?;
        self.convert(&json, &back)?;
        match first_difference(&read(file)?, &read(&back)?) {
            None => Ok(()),
            Some(at) => Err(format!("differs from byte {at} on")),
        }
    }

    fn convert(&self, from: &Path, to: &Path) -> Result<(), String> {
        let output = Command::new(&self.cli).arg("convert").arg(from).arg(to).output();
        let output = output.map_err(|error| format!("{}: {error}", self.cli.display()))?;
        if output.status.success() {
            return Ok(());
        }
        let message = String::from_utf8_lossy(&output.stderr);
        Err(format!("convert ended with {}: {}", output.status, message.trim()))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // Best effort: what stays is in the system's temporary folder.
        let _ = fs::remove_dir_all(&self.scratch);
    }
}

/// The last line of `verify`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Counts {
    files: usize,
    identical: usize,
    differ: usize,
    unreadable: usize,
}

impl Counts {
    /// Reads `N files, N identical, N differ, N unreadable`.
    fn parse(line: &str) -> Option<Self> {
        let mut parts = line.split(", ");
        let mut count = |word: &str| parts.next()?.strip_suffix(word)?.trim_end().parse().ok();
        let counts = Self {
            files: count("files")?,
            identical: count("identical")?,
            differ: count("differ")?,
            unreadable: count("unreadable")?,
        };
        parts.next().is_none().then_some(counts)
    }
}

/// `tank.W3D~fd8ca6a3` of the family `w3d` becomes `tank~fd8ca6a3.w3d`.
fn staged_name(name: &str, family: &str) -> String {
    let (name, suffix) = name.split_at(name.find('~').unwrap_or(name.len()));
    let stem = match name.rsplit_once('.') {
        Some((stem, extension)) if extension.eq_ignore_ascii_case(family) => stem,
        _ => name,
    };
    format!("{stem}{suffix}.{family}")
}

fn list_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in folder.read_dir().map_err(at)? {
        let path = entry.map_err(at)?.path();
        if path.is_dir() { list_files(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Where two byte strings part, if they do.
fn first_difference(left: &[u8], right: &[u8]) -> Option<usize> {
    let common = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    (common < left.len().max(right.len())).then_some(common)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collected_names_get_the_extension_of_their_family() {
        assert_eq!(staged_name("tank.w3d", "w3d"), "tank.w3d");
        assert_eq!(staged_name("TANK.W3D", "w3d"), "TANK.w3d");
        assert_eq!(staged_name("tank.W3D~fd8ca6a3", "w3d"), "tank~fd8ca6a3.w3d");
        assert_eq!(staged_name("level.wlt", "w3d"), "level.wlt.w3d");
        assert_eq!(staged_name("no extension", "mdx"), "no extension.mdx");
    }

    #[test]
    fn the_last_line_of_verify_is_read_and_nothing_like_it() {
        let counts = Counts { files: 58, identical: 55, differ: 2, unreadable: 1 };
        assert_eq!(Counts::parse("58 files, 55 identical, 2 differ, 1 unreadable"), Some(counts));
        assert_eq!(Counts::parse(""), None);
        assert_eq!(Counts::parse("58 files, 58 identical"), None);
        assert_eq!(Counts::parse("58 files, 55 identical, 2 differ, 1 unreadable, 0 more"), None);
    }

    #[test]
    fn the_first_difference_may_be_the_length() {
        assert_eq!(first_difference(b"abc", b"abc"), None);
        assert_eq!(first_difference(b"abc", b"abd"), Some(2));
        assert_eq!(first_difference(b"abc", b"ab"), Some(2));
        assert_eq!(first_difference(b"", b"a"), Some(0));
    }
}
