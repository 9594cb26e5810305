//! `corpus`: tests the release build of the command line with the real models in a folder.
//!
//! The folder has one subfolder per family. Which family a file is of is decided by that subfolder alone: collected
//! files come with extensions in any case, or with a suffix after it (`tank.W3D~fd8ca6a3`) where two had one name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::gpu;
use crate::judges;
use crate::programs::{build, tool};
use crate::report::{Outcome, PASSED, Report, StepResult};
use crate::shell::{program, run};

/// The families, by the names of their subfolders.
const FAMILIES: [&str; 3] = ["w3d", "mdx", "mdl"];

/// Folder of archives, if it exists.
const ARCHIVES: &str = "archives";

/// Folder of W3X models with their textures, if it exists. They refer to each other by id, so they are not copied into one folder.
const W3X: &str = "w3x";

/// Folder of textures, if it exists.
const TEXTURES: &str = "textures";

/// Runs every family that the folder has. A failing family does not stop the others.
pub(crate) fn corpus(mut report: Report, folder: &Path) -> Report {
    if !FAMILIES.iter().any(|family| folder.join(family).is_dir()) {
        report.step("corpus", || Err(format!("{} has no folder w3d, mdx or mdl", folder.display())));
        return report;
    }
    let mut cli = PathBuf::new();
    report.step("release build", || {
        cli = build("meshwright", "release")?;
        Ok(Outcome::Passed(String::new()))
    });
    if !report.is_sound() {
        return report;
    }
    for family in FAMILIES {
        let source = folder.join(family);
        if !source.is_dir() {
            report.step(family, || Ok(Outcome::Skipped("no such folder".to_owned())));
            continue;
        }
        let mut staged = None;
        report.step(&format!("{family} files"), || {
            let copied = staged.insert(Staged::copy(&source, family, &cli)?);
            copied.verify()
        });
        let Some(staged) = staged else { continue };
        report.step(&format!("{family} by info"), || staged.info());
        report.step(&format!("{family} to glTF"), || staged.to_gltf(&folder.join(TEXTURES)));
        report.step(&format!("{family} back from glTF"), || staged.gltf_read_back());
        // MDL has the same data as MDX, so motion is compared for one of them.
        if family != "mdl" {
            report.step(&format!("{family} in motion"), || staged.motion());
            report.step(&format!("{family} in Blender"), || staged.blender());
            report.step(&format!("{family} back from Blender"), || judges::blender_trip(&staged.files));
            report.step(&format!("{family} identical after Blender"), || judges::blender_onto(&staged.files));
            report.step(&format!("{family} as plain geometry"), || {
                judges::geometry(&staged.folder(), &staged.cli)
            });
            report.step(&format!("{family} damaged"), || staged.damaged());
            report.step(&format!("{family} as loaders see it"), || {
                let mut loaders = tool("loaders", "dev")?;
                run(loaders.arg(staged.folder()).arg(DAMAGED_COPIES)).and(PASSED)
            });
            report.step(&format!("{family} edited"), || staged.edit());
        }
        report.step(&format!("{family} with other parts and clips"), || staged.parts());
        report.step(&format!("{family} by the graphics adapter"), || {
            gpu::compare(&staged.folder(), &folder.join(TEXTURES))
        });
        report.step(&format!("{family} repaired"), || staged.repair());
        if family == "mdl" {
            report.step("mdl by other readers", || staged.hive());
        } else {
            report.step(&format!("{family} repaired without harm"), || {
                judges::run_script("harmless.mjs", &[&staged.folder(), &staged.cli])
            });
        }
        if family != "w3d" {
            report.step(&format!("{family} written anew"), || staged.rewrite());
        }
        if family == "mdx" {
            report.step("mdx as MDL by other readers", || staged.hive());
            report.step("mdx by other readers", || staged.peers());
            report.step("mdx by another linter", || staged.lint());
            report.step("mdx as W3D", || staged.across_to_w3d());
        }
        if family == "w3d" {
            report.step("w3d as MDX", || staged.across());
            report.step("w3d written anew", || staged.rewrite_w3d());
            report.step("w3d rotations", || {
                let mut channels = tool("channels", "dev")?;
                run(channels.arg(staged.folder()).arg(ROTATION_TOLERANCE)).and(PASSED)
            });
        }
    }
    let source = folder.join(W3X);
    if source.is_dir() {
        report.step("w3x files", || {
            run(program(&cli).args(["verify", "--text", "-q"]).arg(&source)).and(PASSED)
        });
        report.step("w3x positions", || judges::w3x_positions(&source, &cli));
    }
    let source = folder.join(TEXTURES);
    report.step(TEXTURES, || {
        if source.is_dir() {
            judges::textures(&source)
        } else {
            Ok(Outcome::Skipped("no such folder".to_owned()))
        }
    });
    let source = folder.join(ARCHIVES);
    report.step(ARCHIVES, || match source.canonicalize() {
        Ok(source) => judges::archives(&source, &cli),
        Err(_) => Ok(Outcome::Skipped("no such folder".to_owned())),
    });
    report
}

/// Tolerance for the norm of decoded rotations: sums of deltas drift, and are not normalised.
const ROTATION_TOLERANCE: &str = "0.013";

/// Copies of each model and kind of damage that are repaired and shown to the loaders. Three are 2,000 copies of each family and take minutes.
const DAMAGED_COPIES: &str = "1";

/// A copy of one family's files under names that the command line understands, in a temporary folder that is removed
/// when this is dropped.
struct Staged {
    cli: PathBuf,
    scratch: PathBuf,
    files: Vec<PathBuf>,
}

impl Staged {
    fn copy(source: &Path, family: &'static str, cli: &Path) -> Result<Self, String> {
        let scratch = std::env::temp_dir().join(format!("meshwright-corpus-{}-{family}", std::process::id()));
        let mut staged = Self { cli: cli.to_owned(), scratch, files: Vec::new() };
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
            // Written rather than copied, because copies of read-only originals would be read-only.
            fs::write(&copy, read(&original)?).map_err(|error| format!("{}: {error}", copy.display()))?;
            staged.files.push(copy);
        }
        if staged.files.is_empty() { Err("the folder is empty".to_owned()) } else { Ok(staged) }
    }

    /// The folder of the copies.
    fn folder(&self) -> PathBuf {
        self.scratch.join("files")
    }

    /// `verify --text FOLDER`: exit code 0, and a last line that counts every file of ours as identical.
    fn verify(&self) -> StepResult {
        let output = self.meshwright(|command| command.args(["verify", "--text"]).arg(self.folder()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let last = text.lines().last().unwrap_or_default();
        let counts = Counts::parse(last);
        let expected =
            Counts { files: self.files.len(), identical: self.files.len(), differ: 0, unreadable: 0 };
        if output.status.success() && counts == Some(expected) {
            println!("{last}");
            return Ok(Outcome::Passed(format!("{} identical, through text too", expected.identical)));
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

    /// `info --json FOLDER`: lists every file, and conforms to the published schema.
    fn info(&self) -> StepResult {
        let output = self.meshwright(|command| command.args(["info", "--json"]).arg(self.folder()))?;
        if !output.status.success() {
            return Err(format!("info ended with {}", output.status));
        }
        let printed = self.scratch.join("info.json");
        fs::write(&printed, &output.stdout).map_err(|error| format!("{}: {error}", printed.display()))?;
        judges::run_script("info_schema.mjs", &[&printed])
    }

    /// `convert FOLDER --to glb`: every file converts, and is valid to the Khronos validator.
    fn to_gltf(&self, textures: &Path) -> StepResult {
        let out = self.scratch.join("glb");
        let output = self.meshwright(|command| {
            command.arg("convert").arg(self.folder()).args(["--to", "glb", "--out-dir"]).arg(&out);
            if textures.is_dir() { command.arg("--textures").arg(textures) } else { command }
        })?;
        let messages = String::from_utf8_lossy(&output.stderr);
        print!("{messages}");
        let mut made = Vec::new();
        list_files(&out, &mut made)?;
        if !output.status.success() || made.len() != self.files.len() {
            return Err(format!("{} of {} files were converted", made.len(), self.files.len()));
        }
        judges::run_script("validate.mjs", &[&out])
    }

    /// Our glTF moves in three.js as in our own sampling.
    fn motion(&self) -> StepResult {
        let out = self.scratch.join("motion");
        let mut poses = tool("gltf_poses", "dev")?;
        // Hundreds of names would make the printed command unreadable.
        let status = poses.arg(&out).args(&self.files).status().map_err(|error| error.to_string())?;
        if !status.success() {
            return Err(format!("the tool gltf_poses ended with {status}"));
        }
        judges::run_script("motion.mjs", &[&out])
    }

    /// The scene of a model, written as glTF and read again, is the same; without extras it looks and moves the same.
    fn gltf_read_back(&self) -> StepResult {
        let round_trip = build("gltf_round_trip", "dev")?;
        let plain = program(&round_trip).arg("--plain").args(&self.files).status();
        let plain = plain.map_err(|error| error.to_string())?;
        if !plain.success() {
            return Err(format!("the tool gltf_round_trip --plain ended with {plain}"));
        }
        let output = program(&round_trip).args(&self.files).output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        print!("{text}");
        let last = text.lines().last().unwrap_or_default().to_owned();
        if output.status.success() { Ok(Outcome::Passed(last)) } else { Err(last) }
    }

    /// Blender imports what [`to_gltf`](Self::to_gltf) wrote, and plays the models as our own sampling does.
    fn blender(&self) -> StepResult {
        let out = self.scratch.join("played");
        let mut poses = tool("gltf_poses", "dev")?;
        let status =
            poses.arg("--bake").arg(&out).args(&self.files).status().map_err(|error| error.to_string())?;
        if !status.success() {
            return Err(format!("the tool gltf_poses ended with {status}"));
        }
        judges::blender(&[&self.scratch.join("glb"), &out])
    }

    /// Randomly damaged models give valid glTF too.
    fn damaged(&self) -> StepResult {
        let out = self.scratch.join("damaged");
        let mut damage = tool("gltf_damaged", "dev")?;
        let status = damage.arg(&out).args(judges::DAMAGED).args(&self.files).status();
        let status = status.map_err(|error| error.to_string())?;
        if !status.success() {
            return Err(format!("the tool gltf_damaged ended with {status}"));
        }
        judges::run_script("validate.mjs", &[&out])
    }

    /// Other readers find the same data in the models as our text form.
    fn peers(&self) -> StepResult {
        let out = self.scratch.join("json");
        let output = self.meshwright(|command| {
            command.arg("convert").arg(self.folder()).args(["--to", "json", "--out-dir"]).arg(&out)
        })?;
        if !output.status.success() {
            return Err(format!("convert to JSON ended with {}", output.status));
        }
        judges::run_script("agree.mjs", &[&self.folder(), &out])
    }

    /// Other readers read the models as MDL in their dialect, with known exceptions.
    fn hive(&self) -> StepResult {
        let out = self.scratch.join("hive");
        let output = self.meshwright(|command| {
            let command =
                command.arg("convert").arg(self.folder()).args(["--to", "mdl", "--mdl-dialect", "hive"]);
            command.arg("--out-dir").arg(&out)
        })?;
        // Models of the WoW alpha have no such text.
        print!("{}", String::from_utf8_lossy(&output.stderr));
        judges::run_script("mdl_read.mjs", &[&out])
    }

    /// Edits change the reported number of parts, and inverse edits restore the original bytes.
    fn edit(&self) -> StepResult {
        self.tool("undo")
    }

    /// Parts are removed, kept, added and recomputed, and clips changed: nothing else moves, and the linter finds nothing new.
    fn parts(&self) -> StepResult {
        self.tool("edits")
    }

    /// Each repair removes the findings of its rule, changes only what it reports, and changes nothing the second time.
    fn repair(&self) -> StepResult {
        self.tool("repair")
    }

    /// A tool that goes through the files and ends with a line of counts.
    fn tool(&self, name: &str) -> StepResult {
        let output = tool(name, "dev")?.arg(self.folder()).output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        let last = text.lines().last().unwrap_or_default().to_owned();
        // What was repaired is for whoever asks the tool; here only what went wrong matters.
        text.lines().filter(|line| !line.contains(": fixed[")).for_each(|line| println!("{line}"));
        print!("{}", String::from_utf8_lossy(&output.stderr));
        if output.status.success() { Ok(Outcome::Passed(last)) } else { Err(last) }
    }

    /// The scene of a model, written as MDX and read again, looks and moves as before.
    fn rewrite(&self) -> StepResult {
        let out = self.scratch.join("rewritten");
        let mut rewrite = tool("rewrite_mdx", "dev")?;
        let output = rewrite.arg(self.folder()).arg(&out).output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        print!("{text}{}", String::from_utf8_lossy(&output.stderr));
        let last = text.lines().last().unwrap_or_default().to_owned();
        if !output.status.success() {
            return Err(last);
        }
        judges::run_script("authored.mjs", &[&out.join("mdx"), &self.folder()])?;
        judges::run_script("mdl_read.mjs", &[&out.join("mdl")])?;
        let json = out.join("json");
        let output = self.meshwright(|command| {
            command.arg("convert").arg(out.join("mdx")).args(["--to", "json", "--out-dir"]).arg(&json)
        })?;
        if !output.status.success() {
            return Err(format!("convert to JSON ended with {}", output.status));
        }
        judges::run_script("agree.mjs", &[&out.join("mdx"), &json])?;
        Ok(Outcome::Passed(last))
    }

    /// W3D models as MDX are sound to our linter and to other readers, and their triangles are where they were.
    fn across(&self) -> StepResult {
        let mut last = String::new();
        for version in ["800", "1000"] {
            let out = self.scratch.join(format!("mdx-{version}"));
            let mut across = tool("w3d_to_mdx", "dev")?;
            let output = across
                .arg(version)
                .arg(&out)
                .arg(self.folder())
                .output()
                .map_err(|error| error.to_string())?;
            let text = String::from_utf8_lossy(&output.stdout);
            print!("{text}{}", String::from_utf8_lossy(&output.stderr));
            text.lines().last().unwrap_or_default().clone_into(&mut last);
            if !output.status.success() {
                return Err(last);
            }
            judges::run_script("authored.mjs", &[&out])?;
        }
        Ok(Outcome::Passed(last))
    }

    /// The same as W3D; a second reader finds the same positions in what was written.
    fn rewrite_w3d(&self) -> StepResult {
        self.written_w3d(&[], "rewritten")
    }

    /// MDX models as W3D suit each game, and a second reader finds the same positions.
    fn across_to_w3d(&self) -> StepResult {
        self.written_w3d(&["--mdx"], "w3d")
    }

    fn written_w3d(&self, words: &[&str], folder: &str) -> StepResult {
        let out = self.scratch.join(folder);
        let mut rewrite = tool("rewrite_w3d", "dev")?;
        let rewrite = rewrite.args(words).arg(self.folder()).arg(&out);
        let output = rewrite.output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        let last = text.lines().last().unwrap_or_default().to_owned();
        if !output.status.success() {
            print!("{text}{}", String::from_utf8_lossy(&output.stderr));
            return Err(last);
        }
        judges::second_reader(&out)?;
        Ok(Outcome::Passed(last))
    }

    /// Our linter reports the findings of another linter.
    fn lint(&self) -> StepResult {
        let mut findings = tool("findings", "dev")?;
        let output = findings.arg(self.folder()).output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!("the tool findings: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let found = self.scratch.join("findings.json");
        fs::write(&found, output.stdout).map_err(|error| format!("{}: {error}", found.display()))?;
        judges::run_script("lint.mjs", &[&found])
    }

    fn meshwright(&self, arguments: impl FnOnce(&mut Command) -> &mut Command) -> Result<Output, String> {
        let mut command = Command::new(&self.cli);
        arguments(&mut command).output().map_err(|error| format!("{}: {error}", self.cli.display()))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // Best effort: remaining files are in the temporary folder of the system.
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

pub(crate) fn list_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
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
}
