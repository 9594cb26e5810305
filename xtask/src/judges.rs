//! The judges: readers of other projects, as npm packages, that test our files. See `judges/peers.mjs`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::{are_built, build, folder as programs, tool};
use crate::python::{venv, venv_on};
use crate::report::{Missing, Outcome, StepResult};
use crate::shell::{cargo, program, root, run, target, works};
use crate::window;

/// Seed and number of the damaged models that must give valid glTF.
pub(crate) const DAMAGED: [&str; 2] = ["1", "400"];

/// Names the folder into which a test of `check` writes the files of all rules, for the judges.
pub(crate) const FIXTURES: &str = "MESHWRIGHT_FIXTURES";

/// The tools that the judges start themselves.
const TOOLS: [&str; 4] = ["findings", "gltf_of_others", "mdx_samples", "rewrite_mdx"];

/// An empty folder for the files of all rules.
pub(crate) fn fixtures() -> Result<PathBuf, String> {
    let folder = target()?.join("fixtures");
    // Remove the files of earlier runs.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// Installs everything that the judges need, and that takes long to download.
pub(crate) fn install_all() -> StepResult {
    let node = install(&root().join("judges")).map(|()| PathBuf::new());
    let missing: BTreeSet<String> = [node, decoders(), geometry_reader(), bpy(), window::driver()]
        .into_iter()
        .filter_map(|found| found.err().map(|Missing(why)| why))
        .collect();
    if missing.is_empty() {
        return Ok(Outcome::Passed(String::new()));
    }
    Missing(Vec::from_iter(missing).join("; ")).outcome()
}

/// Runs every `judges/*.test.mjs`. They find our command line in the variable `MESHWRIGHT`, the folder of our tools in `MESHWRIGHT_TOOLS`,
/// the files of all rules in `MESHWRIGHT_FIXTURES`, and the folder of sample scenes as glTF in `GLTF_SAMPLES`.
pub(crate) fn judge() -> StepResult {
    let folder = root().join("judges");
    if let Err(missing) = install(&folder) {
        return missing.outcome();
    }
    let cli = build("meshwright", "dev")?;
    let samples = cli.with_file_name("gltf-samples");
    // Remove the files of earlier runs.
    let _ = std::fs::remove_dir_all(&samples);
    run(tool("gltf_samples", "dev")?.arg(&samples))?;
    let damaged = cli.with_file_name("gltf-damaged");
    let _ = std::fs::remove_dir_all(&damaged);
    run(tool("gltf_damaged", "dev")?.arg(&damaged).args(DAMAGED))?;
    run_script("validate.mjs", &[&damaged])?;
    TOOLS.into_iter().try_for_each(|tool| build(tool, "dev").map(drop))?;
    let fixtures = if are_built() {
        // The step of all tests wrote them.
        target()?.join("fixtures")
    } else {
        let fixtures = fixtures()?;
        let mut write = cargo("test --quiet --package meshwright-check --test it fixtures_are_files");
        run(write.env(FIXTURES, &fixtures))?;
        fixtures
    };
    let tests = test_files(&folder)?;
    // Listed one by one, because newer versions of Node do not accept a folder here.
    run(program("node")
        .current_dir(&folder)
        .args(["--test", "--test-reporter=spec"])
        .args(&tests)
        .env("MESHWRIGHT", cli)
        .env("MESHWRIGHT_TOOLS", programs("dev")?)
        .env(FIXTURES, fixtures)
        .env("GLTF_SAMPLES", samples))?;
    Ok(Outcome::Passed(tests.join(" ")))
}

/// Blender imports every .glb in the folders, and plays those that have a .json file of positions.
pub(crate) fn blender(folders: &[&Path]) -> StepResult {
    match bpy() {
        Ok(python) => run_python(program(&python).arg(root().join("judges/blender.py")).args(folders)),
        Err(missing) => missing.outcome(),
    }
}

/// The Python that has Blender as a module. The package is built for one version of Python.
fn bpy() -> Result<PathBuf, Missing> {
    venv_on(&["python3.11"], "blender", &["bpy==5.0.1"])
}

/// Runs a script whose last line is a summary.
pub(crate) fn run_python(script: &mut Command) -> StepResult {
    let output = script.output().map_err(|error| format!("Python did not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default().to_owned();
    print!("{text}");
    if output.status.success() {
        return Ok(Outcome::Passed(last));
    }
    print!("{}", String::from_utf8_lossy(&output.stderr));
    Err(last)
}

/// A second reader of W3D, written from the documents alone, finds the positions that stand beside each file of a folder.
pub(crate) fn second_reader(folder: &Path) -> StepResult {
    let Some(python) =
        ["python3", "python"].into_iter().find(|python| works(program(python).arg("--version")))
    else {
        return Missing("python3 is not installed".to_owned()).outcome();
    };
    run(program(python).arg(root().join("judges/w3d_reader.py")).arg(folder))?;
    Ok(Outcome::Passed("w3d_reader.py".to_owned()))
}

/// A second reader of W3X, written from the documents alone, finds the positions that the program writes, at rest and in clips.
pub(crate) fn w3x_positions(folder: &Path, cli: &Path) -> StepResult {
    let python = match geometry_reader() {
        Ok(python) => python,
        Err(missing) => return missing.outcome(),
    };
    run_python(program(&python).arg(root().join("judges/w3x_positions.py")).arg(cli).arg(folder))
}

/// [`blender`] over the sample scenes.
pub(crate) fn blender_samples() -> StepResult {
    let samples = target()?.join("blender-samples");
    // Remove the files of earlier runs.
    let _ = std::fs::remove_dir_all(&samples);
    run(tool("gltf_samples", "dev")?.arg(&samples))?;
    blender(&[&samples])
}

/// Blender reads and writes the starter model of each game, and what our command line makes of that suits the game.
pub(crate) fn blender_starters() -> StepResult {
    let python = match bpy() {
        Ok(python) => python,
        Err(missing) => return missing.outcome(),
    };
    let cli = build("meshwright", "dev")?;
    let folder = target()?.join("blender-starters");
    // Remove the files of earlier runs.
    let _ = std::fs::remove_dir_all(&folder);
    run_python(program(&python).arg(root().join("judges/starters.py")).arg(cli).arg(folder))
}

/// The sample models that are edited in Blender.
const EDITED: [&str; 3] = ["mwtank.w3d", "mwtower.mdx", "warcraft.mdx"];

/// Edits of sample models in Blender arrive in the original, nothing else changes, and other readers accept the result.
pub(crate) fn blender_edits() -> StepResult {
    let python = match bpy() {
        Ok(python) => python,
        Err(missing) => return missing.outcome(),
    };
    let cli = build("meshwright", "dev")?;
    let folder = target()?.join("blender-edits");
    // Remove the files of earlier runs.
    let _ = std::fs::remove_dir_all(&folder);
    let (samples, results) = (folder.join("samples"), folder.join("results"));
    run(program(&cli).args(["demo", "--quiet"]).arg(&samples))?;
    let mut edits = program(&python);
    edits.arg(root().join("judges/edits.py")).arg(&cli).arg(&results);
    let outcome = run_python(edits.args(EDITED.map(|name| samples.join(name))))?;
    run_script("edited.mjs", &[&results])?;
    Ok(outcome)
}

/// Blender reads our GLB and writes it again; applied to the model, nothing has changed.
pub(crate) fn blender_onto(files: &[PathBuf]) -> StepResult {
    let python = match bpy() {
        Ok(python) => python,
        Err(missing) => return missing.outcome(),
    };
    let folder = target()?.join("blender-onto");
    // Nothing of an earlier run may pass for one of this.
    let _ = std::fs::remove_dir_all(&folder);
    let (ours, theirs) = (folder.join("ours"), folder.join("theirs"));
    std::fs::create_dir_all(&ours).map_err(|error| format!("{}: {error}", ours.display()))?;
    let onto = build("onto", "dev")?;
    run(program(&onto).arg("--write").arg(&ours).args(files))?;
    run(program(&python).arg(root().join("judges/trip.py")).args([&ours, &theirs]))?;
    let mut back = program(&onto);
    back.arg("--back").arg(&theirs).args(files);
    run_python(&mut back)
}

/// Blender reads our GLB and writes it again; what we read back is the model.
pub(crate) fn blender_trip(files: &[PathBuf]) -> StepResult {
    let python = match bpy() {
        Ok(python) => python,
        Err(missing) => return missing.outcome(),
    };
    let folder = target()?.join("blender-trip");
    // Nothing of an earlier run may pass for one of this.
    let _ = std::fs::remove_dir_all(&folder);
    let (ours, theirs) = (folder.join("ours"), folder.join("theirs"));
    let round_trip = build("gltf_round_trip", "dev")?;
    run(program(&round_trip).arg("--write").arg(&ours).args(files))?;
    run(program(&python).arg(root().join("judges/trip.py")).args([&ours, &theirs]))?;
    let output = program(&round_trip).arg("--after").arg(&theirs).args(files).output();
    let output = output.map_err(|error| format!("the tool gltf_round_trip did not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    let last = text.lines().last().unwrap_or_default().to_owned();
    if output.status.success() { Ok(Outcome::Passed(last)) } else { Err(last) }
}

/// The Python that has a reader of plain geometry.
fn geometry_reader() -> Result<PathBuf, Missing> {
    venv("trimesh", &["trimesh==4.6.8", "numpy==2.2.6", "pillow==11.3.0"])
}

/// Another reader finds the same triangles in OBJ, PLY and STL.
pub(crate) fn geometry(folder: &Path, cli: &Path) -> StepResult {
    let python = match geometry_reader() {
        Ok(python) => python,
        Err(missing) => return missing.outcome(),
    };
    run(program(&python).arg(root().join("judges/geometry.py")).arg(cli).arg(folder))?;
    Ok(Outcome::Passed(String::new()))
}

/// Runs one script of `judges` on folders; its last line is a summary.
pub(crate) fn run_script(script: &str, over: &[&Path]) -> StepResult {
    match install(&root().join("judges")) {
        Ok(()) => run_installed(script, over, &[]),
        Err(missing) => missing.outcome(),
    }
}

/// Runs one script whose packages are installed, with these environment variables.
pub(crate) fn run_installed(script: &str, over: &[&Path], variables: &[(&str, &Path)]) -> StepResult {
    let mut node = program("node");
    node.current_dir(root().join("judges")).arg(script).args(over).envs(variables.iter().copied());
    let output = node.output().map_err(|error| format!("node did not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default().to_owned();
    print!("{text}{}", String::from_utf8_lossy(&output.stderr));
    if output.status.success() { Ok(Outcome::Passed(last)) } else { Err(format!("{script}: {last}")) }
}

/// Other decoders give the same pixels for every texture in a folder.
pub(crate) fn textures(source: &Path) -> StepResult {
    match decoders() {
        Ok(python) => compare_textures(source, &python),
        Err(missing) => missing.outcome(),
    }
}

/// [`textures`] for files written by us, and by Pillow in all its variants.
pub(crate) fn textures_written() -> StepResult {
    let python = match decoders() {
        Ok(python) => python,
        Err(missing) => return missing.outcome(),
    };
    let folder = target()?.join("judged-textures");
    // Remove the files of earlier runs.
    let _ = std::fs::remove_dir_all(&folder);
    run(tool("textures_written", "dev")?.arg(&folder))?;
    run(program(&python).arg("judges/textures_made.py").arg(&folder))?;
    compare_textures(&folder, &python)
}

/// Other readers find the same members in every archive in a folder.
pub(crate) fn archives(folder: &Path, cli: &Path) -> StepResult {
    match install(&root().join("judges")) {
        Ok(()) => run_installed("archives.mjs", &[folder], &[("MESHWRIGHT", cli)]),
        Err(missing) => missing.outcome(),
    }
}

/// Installs the other decoders of textures; the Python that has Pillow is returned.
fn decoders() -> Result<PathBuf, Missing> {
    install(&root().join("judges"))?;
    venv("pillow", &["pillow==11.3.0"])
}

fn compare_textures(source: &Path, python: &Path) -> StepResult {
    let scratch = std::env::temp_dir().join(format!("meshwright-textures-{}", std::process::id()));
    let compare = || {
        // The judges run in a separate folder.
        let source = &source.canonicalize().map_err(|error| format!("{}: {error}", source.display()))?;
        std::fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
        let mut survey = tool("texture_survey", "dev")?;
        let output = survey.arg(source).arg(&scratch).output().map_err(|error| error.to_string())?;
        std::fs::write(scratch.join("table.tsv"), output.stdout).map_err(|error| error.to_string())?;
        run_installed("textures.mjs", &[source, &scratch], &[("PYTHON", python)])
    };
    let outcome = compare();
    let _ = std::fs::remove_dir_all(&scratch);
    outcome
}

/// Installs the packages as the lock file has them, unless they already are; the error says what is missing.
pub(crate) fn install(folder: &Path) -> Result<(), Missing> {
    let missing = |what: &str| Err(Missing(what.to_owned()));
    if !works(program("node").arg("--version")) {
        return missing("node is not installed");
    }
    if is_installed(folder) {
        return Ok(());
    }
    if !works(npm(folder).arg("--version")) {
        return missing("npm is not installed");
    }
    run(npm(folder).arg("ci"))
        .map_err(|error| Missing(format!("the npm packages cannot be installed: {error}")))
}

/// Whether npm's own record of what it installed is newer than the lock file.
fn is_installed(folder: &Path) -> bool {
    let changed = |file| folder.join(file).metadata().and_then(|data| data.modified());
    match (changed("node_modules/.package-lock.json"), changed("package-lock.json")) {
        (Ok(installed), Ok(locked)) => installed > locked,
        _ => false,
    }
}

fn npm(folder: &Path) -> Command {
    let mut npm = program(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(folder);
    npm
}

fn test_files(folder: &Path) -> Result<Vec<String>, String> {
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut tests: Vec<String> = names.filter(|name| name.ends_with(".test.mjs")).collect();
    tests.sort();
    Ok(tests)
}
