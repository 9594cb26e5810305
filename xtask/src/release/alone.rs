//! Proof that a program needs nothing of the system: it runs in a folder that has nothing but the program.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::report::{Missing, Outcome, StepResult};
use crate::shell::{program, target, works};

/// The commands that are run, and a file that each leaves behind.
const COMMANDS: [(&[&str], &str); 4] = [
    (&["demo", "/samples"], "samples/mwtank.png"),
    (&["info", "/samples/mwcrate.w3d"], "samples/mwcrate.w3d"),
    (&["convert", "/samples/mwtower.mdx", "/tower.glb"], "tower.glb"),
    (&["convert", "/samples", "--out-dir", "/text", "--to", "json", "--jobs", "2"], "text/mwtank.json"),
];

/// Runs the program in an empty folder as its root.
pub(super) fn check(binary: &Path) -> StepResult {
    let folder = target()?.join("artifacts").join("chroot");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    fs::copy(binary, folder.join("meshwright")).map_err(|error| format!("{}: {error}", binary.display()))?;
    let prefix = match () {
        () if works(program("chroot").arg(&folder).args(["/meshwright", "--version"])) => &["chroot"][..],
        () if works(
            program("unshare").args(["-r", "chroot"]).arg(&folder).args(["/meshwright", "--version"]),
        ) =>
        {
            &["unshare", "-r", "chroot"]
        }
        () if works(program(binary).arg("--version")) && !works(program("unshare").args(["-r", "true"])) => {
            return Missing("neither root nor user namespaces: chroot is not possible".to_owned()).outcome();
        }
        () => return Err("the program does not start in an empty chroot: is it static?".to_owned()),
    };
    for (words, left) in COMMANDS {
        let mut command = program(prefix[0]);
        command.args(&prefix[1..]).arg(&folder).arg("/meshwright").args(words).stdin(Stdio::null());
        let output = command.output().map_err(|error| format!("{}: {error}", prefix[0]))?;
        if !output.status.success() || !folder.join(left).is_file() {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("`{}` failed with {}: {text}", words.join(" "), output.status));
        }
    }
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(Outcome::Passed(format!("{} commands", COMMANDS.len())))
}
