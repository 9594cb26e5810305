//! The window of the viewer on a virtual screen, used with real keys and a real mouse by `judges/window.py`.

use std::path::PathBuf;

use crate::programs::build;
use crate::python::venv;
use crate::report::{Missing, Outcome, StepResult};
use crate::shell::{program, root, run, target, works};

/// The Python that can press keys and look at pictures.
pub(crate) fn driver() -> Result<PathBuf, Missing> {
    venv("window", &["pillow==11.3.0", "python-xlib==0.33"])
}

/// The step of `ci` and `viewer`.
pub(crate) fn judge() -> StepResult {
    if !cfg!(target_os = "linux") {
        return Ok(Outcome::Skipped("only Linux has a virtual screen".to_owned()));
    }
    // It has no option that does nothing but end.
    if !works(program("sh").args(["-c", "command -v Xvfb"])) {
        return Missing("Xvfb is not installed (on Debian, install xvfb and libgl1-mesa-dri)".to_owned())
            .outcome();
    }
    let python = match driver() {
        Ok(python) => python,
        Err(missing) => return missing.outcome(),
    };
    let (viewer, cli) = (build("meshwright-viewer", "dev")?, build("meshwright", "dev")?);
    let folder = target()?.join("window");
    let samples = folder.join("samples");
    // Nothing of an earlier run may pass for a file of this.
    let _ = std::fs::remove_dir_all(&folder);
    run(program(&cli).args(["--quiet", "demo"]).arg(&samples))?;
    let output = program(&python)
        .arg(root().join("judges/window.py"))
        .arg(&viewer)
        .args([&samples, &folder.join("seen")])
        .output();
    let output = output.map_err(|error| format!("{} did not start: {error}", python.display()))?;
    let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).trim().to_owned());
    println!("{}", said.join("\n"));
    let [seen, problem] = said;
    if output.status.success() { Ok(Outcome::Passed(seen)) } else { Err(problem) }
}
