//! Packages for crates.io: every package is complete, and every choice of features compiles.

use std::fs;
use std::path::PathBuf;

use crate::report::{Outcome, StepResult};
use crate::shell::{cargo, root, run};

/// Typical choices of features of the library: one family, or one use.
const FEATURES: [&str; 9] = ["w3d", "mdx", "scene", "texture", "gltf", "render", "check", "edit", "info"];

/// Compiles the library with each choice of features, and the crate below it with each family.
pub(crate) fn features() -> StepResult {
    let of_catalog = &["arrow", "parquet"][..];
    for (package, features) in
        [("meshwright-model", &FEATURES[..2]), ("meshwright", &FEATURES), ("meshwright-catalog", of_catalog)]
    {
        for feature in features {
            let choice = format!("--package {package} --no-default-features --features {feature}");
            run(&mut cargo(&format!("clippy --quiet {choice} -- -D warnings")))?;
        }
    }
    Ok(Outcome::Passed(format!("{} choices", FEATURES.len() + 4)))
}

/// Builds the package of every published crate, and checks the content of its page on crates.io.
pub(crate) fn packages() -> StepResult {
    let published: Vec<PathBuf> = manifests()?.into_iter().filter(is_published).collect();
    let problems: Vec<String> = published.iter().flat_map(page_problems).collect();
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    // Compilation is tested by the other steps.
    let mut package = cargo("package --workspace --no-verify --allow-dirty --quiet");
    for excluded in
        ["xtask", "meshwright-bench", "meshwright-python", "meshwright-tools", "meshwright-reference"]
    {
        package.args(["--exclude", excluded]);
    }
    run(&mut package)?;
    Ok(Outcome::Passed(format!("{} packages", published.len())))
}

/// The manifests of all crates.
fn manifests() -> Result<Vec<PathBuf>, String> {
    let folder = root().join("crates");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut manifests: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path().join("Cargo.toml"))
        .filter(|path| path.is_file())
        .collect();
    manifests.sort();
    Ok(manifests)
}

fn is_published(manifest: &PathBuf) -> bool {
    value(&fs::read_to_string(manifest).unwrap_or_default(), "publish").is_none_or(|value| value != "false")
}

/// The value of a key of a manifest, if it is on one line.
fn value<'m>(manifest: &'m str, key: &str) -> Option<&'m str> {
    manifest.lines().find_map(|line| Some(line.strip_prefix(key)?.trim_start().strip_prefix('=')?.trim()))
}

/// Problems of a page on crates.io.
fn page_problems(manifest: &PathBuf) -> Vec<String> {
    let folder = manifest.parent().unwrap_or(manifest);
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let text = fs::read_to_string(manifest).unwrap_or_default();
    let mut problems = Vec::new();
    let mut problem = |what: &str| problems.push(format!("{name}: {what}"));
    if value(&text, "description").is_none_or(|description| description.len() < 12) {
        problem("no description in Cargo.toml");
    }
    match value(&text, "keywords").map(|keywords| keywords.split(',').count()) {
        None => problem("no keywords in Cargo.toml"),
        Some(6..) => problem("more than 5 keywords, which crates.io refuses"),
        Some(_) => {}
    }
    match fs::read_to_string(folder.join("README.md")) {
        Ok(readme) if readme.contains("```") => {}
        Ok(_) => problem("no example in README.md"),
        Err(_) => problem("no README.md"),
    }
    // The front page of the documentation; a program has none.
    if let Ok(library) = fs::read_to_string(folder.join("src/lib.rs")) {
        let front = library.lines().take_while(|line| line.starts_with("//!"));
        if front.filter(|line| line.starts_with("//! ```")).count() < 2 {
            problem("no example on the front page of its documentation (src/lib.rs)");
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_manifests_are_found() {
        let text = "[package]\nname = \"a\"\npublish = false\nkeywords = [\"w3d\", \"mdx\"]\n";
        assert_eq!(value(text, "publish"), Some("false"));
        assert_eq!(value(text, "keywords"), Some("[\"w3d\", \"mdx\"]"));
        assert_eq!(value(text, "description"), None);
    }

    #[test]
    fn the_library_is_published_and_the_measurements_are_not() {
        let published = |name: &str| is_published(&root().join("crates").join(name).join("Cargo.toml"));
        assert!(published("meshwright") && !published("bench"));
    }
}
