//! What the workflows of GitHub must have, so that a run depends on nothing that changes by itself.

use std::fs;

use crate::shell::root;

/// All workflows, with their names.
fn workflows() -> Vec<(String, String)> {
    let folder = root().join(".github/workflows");
    let files = fs::read_dir(folder).expect("there are workflows").flatten();
    let mut found: Vec<(String, String)> = files
        .map(|file| {
            let text = fs::read_to_string(file.path()).expect("a workflow is text");
            (file.file_name().to_string_lossy().into_owned(), text)
        })
        .collect();
    found.sort();
    found
}

#[test]
fn actions_are_pinned_by_commit() {
    let mut seen = 0;
    for (name, text) in workflows() {
        for action in
            text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses:"))
        {
            let (_, version) = action.split_once('@').unwrap_or_else(|| panic!("{name}: {action}"));
            let (commit, tag) = version.split_once(" # v").unwrap_or_else(|| panic!("{name}: {action}"));
            assert!(
                commit.len() == 40 && commit.bytes().all(|it| it.is_ascii_hexdigit()),
                "{name}: {action}"
            );
            assert!(tag.split('.').count() == 3, "{name}: {action}");
            seen += 1;
        }
    }
    assert!(seen > 5, "{seen} actions");
}

#[test]
fn builds_use_the_lock_file() {
    let mut seen = 0;
    for (name, text) in workflows() {
        for line in text.lines().filter(|line| {
            let words: Vec<&str> = line.split_whitespace().filter(|word| !word.starts_with('+')).collect();
            words.windows(2).any(|pair| matches!(pair, ["cargo", "test" | "check" | "build" | "install"]))
        }) {
            assert!(line.contains("--locked"), "{name}: {line}");
            seen += 1;
        }
    }
    assert!(seen > 2, "{seen} builds");
}

#[test]
fn the_oldest_rust_is_that_of_the_manifest() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("there is a manifest");
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    let version = version.expect("it has a version");
    let (_, text) = workflows().into_iter().find(|(name, _)| name == "ci.yml").expect("there is ci.yml");
    assert!(text.contains(&format!("cargo +{version} check")), "{version}");
}
