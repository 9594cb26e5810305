//! Virtual environments for judges and tools that are Python packages, so that nothing has to be installed on the system.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::report::Missing;
use crate::shell::{program, target, works};

/// For packages that run on any Python 3.
const ANY_PYTHON: &[&str] = &["python3", "python"];

/// Creates the virtual environment `target/venv/NAME` with these packages (`"pillow==11.3.0"`), or reuses it if it has them
/// already. Returns its Python.
pub(crate) fn venv(name: &str, packages: &[&str]) -> Result<PathBuf, Missing> {
    venv_on(ANY_PYTHON, name, packages)
}

/// [`venv`] on the first of these interpreters that is installed, for packages that need a certain version of Python.
pub(crate) fn venv_on(interpreters: &[&str], name: &str, packages: &[&str]) -> Result<PathBuf, Missing> {
    let folder = target().map_err(Missing)?.join("venv").join(name);
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let receipt = folder.join("installed.txt");
    let wanted = format!("{}\n", packages.join("\n"));
    let is_there = fs::read_to_string(&receipt).is_ok_and(|installed| installed == wanted);
    if is_there && works(program(&python).arg("--version")) {
        return Ok(python);
    }
    let base = interpreters.iter().copied().find(|base| works(program(base).arg("--version")));
    let base = base.ok_or_else(|| Missing(format!("{} is not installed", interpreters[0])))?;
    println!("creating the virtual environment {} for {}", folder.display(), packages.join(", "));
    let create = program(base).args(["-m", "venv", "--clear"]).arg(&folder).output();
    explain(create).map_err(|why| {
        Missing(format!("{base} cannot create virtual environments (on Debian, install python3-venv): {why}"))
    })?;
    if !packages.is_empty() {
        let install = quiet_pip(&python).arg("install").args(packages).output();
        explain(install)
            .map_err(|why| Missing(format!("{} cannot be installed: {why}", packages.join(", "))))?;
    }
    // Written last: an environment that was interrupted has no receipt and is created again.
    fs::write(&receipt, wanted).map_err(|error| Missing(format!("{}: {error}", receipt.display())))?;
    Ok(python)
}

pub(crate) fn quiet_pip(python: &Path) -> Command {
    let mut pip = program(python);
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]);
    // A system-wide `PIP_USER` or `PYTHONPATH` would lead outside the environment.
    pip.env_remove("PIP_USER").env_remove("PYTHONPATH");
    pip
}

/// The last line that a failed command printed.
fn explain(output: std::io::Result<Output>) -> Result<(), String> {
    let output = output.map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).trim().to_owned());
    let last = said.iter().rev().find_map(|text| text.lines().last());
    Err(last.map_or_else(|| output.status.to_string(), str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_interpreter_is_named() {
        let name = format!("test-missing-{}", std::process::id());
        let missing = venv_on(&["python-of-nobody"], &name, &["pillow"]).unwrap_err();
        assert_eq!(missing.0, "python-of-nobody is not installed");
    }

    #[cfg(unix)]
    #[test]
    fn an_environment_with_its_receipt_is_reused() {
        let name = format!("test-{}", std::process::id());
        let folder = target().unwrap().join("venv").join(&name);
        fs::create_dir_all(folder.join("bin")).unwrap();
        // A program that always succeeds; there is no pip to install anything.
        std::os::unix::fs::symlink("/bin/true", folder.join("bin/python")).unwrap();
        fs::write(folder.join("installed.txt"), "pillow==0\n").unwrap();
        let same = venv_on(&["python-of-nobody"], &name, &["pillow==0"]);
        let other = venv_on(&["python-of-nobody"], &name, &["pillow==1"]);
        let _ = fs::remove_dir_all(&folder);
        assert_eq!(same.unwrap(), folder.join("bin/python"));
        assert!(other.is_err(), "the environment has another version");
    }
}
