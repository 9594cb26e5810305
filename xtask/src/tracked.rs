//! Which files are in the repository: none of a game, nothing made of one, and no test that is not run.

use std::fs;
use std::path::Path;

use crate::shell::{is_ci, program, root};

/// Test programs beside `tests/it`. Each says in its first lines why it is one.
const OWN_PROGRAMS: [&str; 2] = ["crates/viewer/tests/memory.rs", "crates/viewer/tests/memory_adapter.rs"];

/// Extensions of models, textures and archives, and of what models become.
const ASSETS: [&str; 21] = [
    "w3d", "wlt", "wtm", "mdx", "mdl", "json", "glb", "gltf", "obj", "ply", "stl", "blp", "dds", "tga",
    "png", "jpg", "mpq", "w3x", "w3m", "big", "mix",
];

/// Where files of our own have such extensions: schemas, screenshots, manifests and expected outputs.
const OURS: [&str; 4] = ["docs/", "judges/", "packaging/", "tests/golden/"];

/// Models of our own, which `demo --starter` writes.
const STARTERS: [&str; 5] = [
    "crates/cli/assets/starters/buggy.glb",
    "crates/cli/assets/starters/footman.glb",
    "crates/cli/assets/starters/knight.glb",
    "crates/cli/assets/starters/soldier.glb",
    "crates/cli/assets/starters/tank.glb",
];

/// Files in the repository that look like assets.
fn strangers(list: &str) -> Vec<&str> {
    let is_asset = |path: &&str| {
        let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        extension.is_some_and(|extension| ASSETS.contains(&extension.as_str()))
    };
    let is_ours =
        |path: &&str| OURS.iter().any(|ours| path.starts_with(ours) || path.contains(&format!("/{ours}")));
    let is_ours = |path: &&str| STARTERS.contains(path) || is_ours(path);
    list.lines().filter(|path| is_asset(path) && !is_ours(path)).collect()
}

/// The files of the repository. `None` if git cannot list them, which fails the test in CI.
fn tracked() -> Option<String> {
    let git = program("git").args(["ls-files"]).output().ok().filter(|git| git.status.success());
    assert!(git.is_some() || !is_ci(), "git cannot list the files");
    let list = String::from_utf8_lossy(&git?.stdout).into_owned();
    assert!(list.lines().any(|path| path == "Cargo.toml"), "{list}");
    Some(list)
}

/// What is wrong with a file of tests: it is a program of its own, or no module declares it, so that nobody runs it.
fn misplaced_test(path: &str, read: impl Fn(&Path) -> Option<String>) -> Option<String> {
    let (package, inside) = path.strip_prefix("crates/")?.split_once("/tests/")?;
    let module = inside.strip_suffix(".rs")?;
    if package.contains('/') || OWN_PROGRAMS.contains(&path) || module == "it/main" {
        return None;
    }
    if !module.starts_with("it/") {
        return Some(format!("{path}: move it into tests/it and declare it in tests/it/main.rs"));
    }
    let file = Path::new(path).with_extension("");
    let file = if file.ends_with("mod") { file.parent()? } else { &file };
    let (folder, name) = (file.parent()?, file.file_name()?.to_string_lossy());
    let parent = if folder.ends_with("it") { "main.rs" } else { "mod.rs" };
    let parent = folder.join(parent);
    let declared = read(&parent)?.lines().any(|line| {
        let line = line.strip_suffix(';').unwrap_or_default();
        line.split_whitespace().rev().take(2).eq([name.as_ref(), "mod"])
    });
    (!declared).then(|| format!("{path}: add `mod {name};` to {}", parent.display()))
}

#[test]
fn no_model_texture_or_archive_is_in_the_repository() {
    let Some(list) = tracked() else { return };
    assert_eq!(strangers(&list), Vec::<&str>::new());
}

#[test]
fn every_integration_test_is_in_the_program_of_its_crate() {
    let Some(list) = tracked() else { return };
    let read = |path: &Path| fs::read_to_string(root().join(path)).ok();
    let problems: Vec<String> = list
        .lines()
        .filter(|path| root().join(path).is_file())
        .filter_map(|path| misplaced_test(path, read))
        .collect();
    assert_eq!(problems, Vec::<String>::new());
}

#[test]
fn tests_that_nobody_runs_are_found() {
    let read = |path: &Path| {
        let text = match path.to_str()? {
            "crates/a/tests/it/main.rs" => "mod one;\nmod deep;\n",
            "crates/a/tests/it/deep/mod.rs" => "pub(crate) mod two;\n",
            _ => return None,
        };
        Some(text.to_owned())
    };
    let problem = |path: &str| misplaced_test(&format!("crates/a/tests/{path}"), read);
    for right in ["it/main.rs", "it/one.rs", "it/deep/mod.rs", "it/deep/two.rs", "golden/one.txt"] {
        assert_eq!(problem(right), None, "{right}");
    }
    assert_eq!(misplaced_test("crates/a/src/tests/view.rs", read), None);
    assert!(problem("one.rs").is_some_and(|problem| problem.contains("move it into tests/it")));
    assert!(problem("other/main.rs").is_some_and(|problem| problem.contains("move it into tests/it")));
    for lost in ["it/two.rs", "it/deep/one.rs", "it/two/mod.rs"] {
        assert!(problem(lost).is_some_and(|problem| problem.contains("add `mod ")), "{lost}");
    }
}

#[test]
fn assets_outside_our_own_folders_are_found() {
    let list = "-/UNIT.json\ncrates/mdx/src/lib.rs\ndocs/tank.png\ncrates/cli/tests/golden/a.png\nTANK.W3D\nLICENSE\n\
         crates/cli/assets/starters/tank.glb\ncrates/cli/assets/starters/hero.glb";
    let expected = ["-/UNIT.json", "TANK.W3D", "crates/cli/assets/starters/hero.glb"];
    assert_eq!(strangers(list), expected);
}
