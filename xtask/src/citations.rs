//! A test: every citation of a document, in code and in documents, leads to a heading that exists.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::root;
use crate::site::markdown;

/// The folder of the reference, as citations begin.
const REFERENCE: &str = "docs/formats/";

/// Names of documents that are not in this repository. Each is cut in two, so that this file does not name them.
const ELSEWHERE: [[&str; 2]; 4] =
    [["err", "ata"], ["mdx-evi", "dence"], ["w3d-evi", "dence"], ["spec/", "00"]];

/// The files that people write, with their text.
fn texts() -> Vec<(PathBuf, String)> {
    fn collect(path: &Path, into: &mut Vec<(PathBuf, String)>) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !matches!(&*name, "target" | "node_modules" | "corpus" | "artifacts" | "venv")
                && !name.starts_with('.')
            {
                let entries = fs::read_dir(path).unwrap();
                entries.flatten().for_each(|entry| collect(&entry.path(), into));
            }
        } else if [".rs", ".md", ".mjs", ".py", ".toml", ".txt", ".js", ".yml"]
            .iter()
            .any(|end| name.ends_with(end))
        {
            into.extend(fs::read_to_string(path).ok().map(|text| (path.to_owned(), text)));
        }
    }
    let mut files = Vec::new();
    for part in [
        "crates",
        "xtask",
        "fuzz",
        "judges",
        "docs",
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ] {
        collect(&root().join(part), &mut files);
    }
    files
}

/// The citations in a text: the folder, a page and a heading.
fn citations(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(REFERENCE).map(|(at, _)| {
        let rest = &text[at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "/.-_#".contains(c))).unwrap_or(rest.len());
        rest[..end].trim_end_matches(['.', '#', '-'])
    })
}

/// The anchors of a page of the repository, if there is such a page.
fn anchors(path: &str) -> Option<Vec<String>> {
    let text = fs::read_to_string(root().join(path)).ok()?;
    Some(markdown::read(&text, str::to_owned).sections.into_iter().map(|section| section.anchor).collect())
}

#[test]
fn every_citation_of_the_reference_leads_to_a_heading() {
    let mut pages = BTreeMap::new();
    let (mut problems, mut in_code) = (Vec::new(), 0);
    for (path, text) in texts() {
        // The site's generator names pages, not headings.
        let is_code = path.extension().is_some_and(|extension| extension == "rs")
            && !path.starts_with(root().join("xtask/src/site"));
        for citation in citations(&text) {
            let (page, heading) = citation.split_once('#').unwrap_or((citation, ""));
            if !page.ends_with(".md") {
                // A folder, or a pattern in this file.
                continue;
            }
            let anchors = pages.entry(page.to_owned()).or_insert_with(|| anchors(page));
            let problem = match anchors {
                None => "there is no such page",
                Some(_) if heading.is_empty() && is_code => "the heading is missing",
                Some(anchors) if !heading.is_empty() && !anchors.iter().any(|anchor| anchor == heading) => {
                    "the page has no such heading"
                }
                Some(_) => {
                    in_code += usize::from(is_code);
                    continue;
                }
            };
            problems.push(format!("{}: {citation}: {problem}", path.display()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(in_code > 200, "only {in_code} citations were found: is the search still right?");
}

/// The paths of the repository in a text: between backticks, from a top folder on. `NAME` stands for any name.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let is_path = |word: &&str| {
        let folder = word.split_once('/').map(|(folder, _)| folder);
        folder.is_some_and(|folder| {
            ["crates", "docs", "fuzz", "judges", "packaging", "xtask"].contains(&folder)
        }) && !word.contains(char::is_whitespace)
            && !word.contains("NAME")
    };
    text.split('`').skip(1).step_by(2).filter(is_path)
}

#[test]
fn every_path_in_the_map_of_the_code_exists() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let missing: Vec<&str> = paths(&text).filter(|path| !root().join(path).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let count = paths(&text).count();
    assert!(count > 60, "only {count} paths were found: is the search still right?");
}

#[test]
fn no_document_outside_the_repository_is_cited() {
    let mut problems = Vec::new();
    for (path, text) in texts() {
        for (number, line) in (1..).zip(text.lines()) {
            for name in ELSEWHERE.map(|parts| parts.concat()) {
                if line.to_lowercase().contains(&name) {
                    problems.push(format!("{}:{number}: {name}", path.display()));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn headings_of_the_reference_are_unique_on_their_page() {
    let pages = texts().into_iter().filter(|(path, _)| path.starts_with(root().join(REFERENCE)));
    for (path, text) in pages {
        let page = markdown::read(&text, str::to_owned);
        let doubled: Vec<_> = page
            .sections
            .iter()
            .filter(|section| section.anchor != markdown::anchor(&section.title))
            .map(|section| &section.title)
            .collect();
        assert!(doubled.is_empty(), "{}: {doubled:?}", path.display());
    }
}

#[test]
fn citations_end_where_their_sentence_ends() {
    let cited = ["w3d/skins.md#four-bones", "rendering.md#mdx-axes", "a.md#b"]
        .map(|page| format!("{REFERENCE}{page}"));
    let [first, second, third] = &cited;
    let text = format!("see {first}: x ({second}). {third}.");
    assert_eq!(citations(&text).collect::<Vec<_>>(), cited);
}
