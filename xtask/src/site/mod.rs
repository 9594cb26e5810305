//! `site`: the documents, the reference of the formats and rustdoc as one static site with a search, in `target/site`.
//!
//! A generator of our own instead of mdBook: installing mdBook compiles some two hundred crates, which takes minutes on a new machine, while this
//! needs one parser of Markdown. Links are checked here; the search is tried in a browser by `judges/site.mjs`.

mod links;
pub(crate) mod markdown;
mod template;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::judges;
use crate::report::{Missing, Outcome, PASSED, Report, StepResult};
use crate::shell::{cargo, program, root, run, target, works};
use markdown::Page;

/// Where files that are not on the site can be seen.
const REPOSITORY: &str = "https://github.com/meshwright/meshwright/blob/main/";

/// The script that runs in every page, and the look of the pages.
const ASSETS: [(&str, &str); 2] =
    [("site.css", include_str!("site.css")), ("site.js", include_str!("site.js"))];

/// Rustdoc has no page for its root, and refers to it.
const FORWARD: &str = "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=meshwright/index.html\"><a href=\"meshwright/index.html\">Meshwright</a>\n";

/// The command: the same step, with a heading.
pub(crate) fn command(mut report: Report) -> Report {
    report.step("site", site);
    report
}

/// Builds the site, checks its links, and tries its search.
pub(crate) fn site() -> StepResult {
    let folder = target()?.join("site");
    let counts = build(&folder)?;
    let searched = match search(&folder) {
        Ok(found) => found,
        Err(missing) => return missing.outcome(),
    }?;
    Ok(Outcome::Passed(format!("{counts}, {searched}")))
}

/// The documentation of all crates, without warnings.
pub(crate) fn rustdoc() -> StepResult {
    run(cargo("doc --workspace --no-deps --quiet").env("RUSTDOCFLAGS", "-D warnings")).and(PASSED)
}

/// Writes the site and returns what it consists of, in a few words.
fn build(folder: &Path) -> Result<String, String> {
    // Nothing of an earlier run may pass for a page of this.
    let _ = fs::remove_dir_all(folder);
    let sources = sources()?;
    let navigation = template::Navigation::new(&sources);
    let mut pages = BTreeMap::new();
    for (path, source) in &sources {
        pages.insert(path.clone(), markdown::read(source, |link| address(path, link, &sources)));
    }
    for (path, page) in &pages {
        write(&folder.join(html_path(path)), &template::page(path, page, &navigation))?;
    }
    for (name, text) in ASSETS {
        write(&folder.join(name), text)?;
    }
    write(&folder.join("search.js"), &template::index(&pages))?;
    let pictures = copy_pictures(folder)?;
    rustdoc()?;
    let documented = copy_folder(&target()?.join("doc"), &folder.join("api"))?;
    write(&folder.join("api/index.html"), FORWARD)?;
    let links = links::check(folder, &pages)?;
    let headings: usize = pages.values().map(|page| page.sections.len()).sum();
    Ok(format!(
        "{} pages, {headings} headings, {pictures} pictures, {documented} files of rustdoc, {links} links",
        pages.len()
    ))
}

/// Tries the search in a browser.
fn search(folder: &Path) -> Result<Result<String, String>, Missing> {
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    for (needed, name) in [("node", "node"), (browser.as_str(), "chromium")] {
        if !works(program(needed).arg("--version")) {
            return Err(Missing(format!("the search was not tried: {name} is not installed")));
        }
    }
    Ok(judges::run_installed("site.mjs", &[folder], &[]).map(|outcome| match outcome {
        Outcome::Passed(text) | Outcome::Skipped(text) => text,
    }))
}

/// The pages: path in the repository to Markdown.
fn sources() -> Result<BTreeMap<String, String>, String> {
    fn collect(folder: &Path, into: &mut Vec<PathBuf>) -> std::io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                collect(&path, into)?;
            } else if path.extension().is_some_and(|extension| extension == "md") {
                into.push(path);
            }
        }
        Ok(())
    }
    let mut paths: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .map(|name| root().join(name))
        .into();
    collect(&root().join("docs"), &mut paths).map_err(|error| format!("docs: {error}"))?;
    let mut sources = BTreeMap::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.strip_prefix(root()).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        sources.insert(name, text);
    }
    Ok(sources)
}

/// The path of a page on the site: `README.md` is the index of its folder.
fn html_path(path: &str) -> String {
    match path.strip_suffix("README.md") {
        Some(folder) => format!("{folder}index.html"),
        None => path.replace(".md", ".html"),
    }
}

/// The address of a link on the site: pages become HTML, other files of the repository are shown where the repository is.
fn address(page: &str, link: &str, sources: &BTreeMap<String, String>) -> String {
    if link.contains("://") || link.starts_with('#') || link.starts_with("mailto:") {
        return link.to_owned();
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let file = links::resolve(page, path);
    let hash = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
    if sources.contains_key(&file) {
        let name = html_path(path);
        return format!("{name}{hash}");
    }
    // A folder with a page of its own.
    let index = format!("{}/README.md", file.trim_end_matches('/'));
    if sources.contains_key(&index) {
        return format!("{}/index.html{hash}", path.trim_end_matches('/'));
    }
    if is_picture(&file) { link.to_owned() } else { format!("{REPOSITORY}{file}{hash}") }
}

fn is_picture(path: &str) -> bool {
    [".png", ".svg", ".jpg", ".gif", ".json"].iter().any(|end| path.ends_with(end))
        && path.starts_with("docs/")
}

/// Copies the pictures and schemas of `docs`.
fn copy_pictures(folder: &Path) -> Result<usize, String> {
    let entries = fs::read_dir(root().join("docs")).map_err(|error| format!("docs: {error}"))?;
    let mut count = 0;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if is_picture(&format!("docs/{name}")) {
            copy(&path, &folder.join("docs").join(name))?;
            count += 1;
        }
    }
    Ok(count)
}

/// Copies a folder; the number of files is returned. Links are made where the file system can, because rustdoc is large.
fn copy_folder(from: &Path, to: &Path) -> Result<usize, String> {
    let entries = fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))?;
    fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    let mut count = 0;
    for path in entries.flatten().map(|entry| entry.path()) {
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            count += copy_folder(&path, &target)?;
        } else if path.file_name().is_some_and(|name| name != ".lock") {
            copy_rustdoc(&path, &target)?;
            count += 1;
        }
    }
    Ok(count)
}

/// Copies a file of rustdoc without its dead links: crates are documented side by side, and a link to one whose pages did not exist yet
/// is left as a path of the code (`href="scene::Node"`).
fn copy_rustdoc(from: &Path, to: &Path) -> Result<(), String> {
    if from.extension().is_some_and(|extension| extension == "html") {
        let text = fs::read_to_string(from).map_err(|error| format!("{}: {error}", from.display()))?;
        let alive = links::without_code_paths(&text);
        if alive != text {
            return write(to, &alive);
        }
    }
    if fs::hard_link(from, to).is_err() { copy(from, to) } else { Ok(()) }
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", to.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// The title of a page: its first heading.
fn title<'p>(path: &'p str, page: &'p Page) -> &'p str {
    page.sections.first().map_or(path, |section| section.title.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_in_the_documents_resolves() {
        let sources = sources().unwrap();
        let pages = sources
            .iter()
            .map(|(path, source)| (path.clone(), markdown::read(source, str::to_owned)))
            .collect();
        let problems = links::source_problems(&pages);
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }

    #[test]
    fn links_to_pages_and_to_other_files_get_the_right_address() {
        let sources = sources().unwrap();
        let address = |page, link| address(page, link, &sources);
        assert_eq!(address("README.md", "docs/rules.md#w3d"), "docs/rules.html#w3d");
        assert_eq!(address("docs/rules.md", "formats/README.md"), "formats/index.html");
        assert_eq!(address("docs/rules.md", "formats"), "formats/index.html");
        assert_eq!(address("docs/formats/textures.md", "../textures.md"), "../textures.html");
        assert_eq!(address("README.md", "Cargo.toml"), format!("{REPOSITORY}Cargo.toml"));
        assert_eq!(address("README.md", "docs/tank.png"), "docs/tank.png");
        assert_eq!(address("README.md", "https://example.org/a.md"), "https://example.org/a.md");
    }
}
