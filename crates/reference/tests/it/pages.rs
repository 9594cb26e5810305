//! The generated pages are current, and every declaration in the code has a heading on one of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use meshwright_reference::pages;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn golden_pages_are_current() {
    let folder = root().join("docs/formats");
    for page in pages() {
        let path = folder.join(page.path);
        if std::env::var_os("MESHWRIGHT_BLESS").is_some_and(|value| !value.is_empty()) {
            fs::write(&path, &page.text).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == page.text,
            "docs/formats/{} is not what the code declares: run `cargo xtask bless` and review the difference",
            page.path
        );
    }
}

/// The headings of the generated pages of a family.
fn headings(family: &str) -> BTreeSet<String> {
    let pages = pages().into_iter().filter(|page| page.path.starts_with(family));
    let lines: Vec<String> =
        pages.flat_map(|page| page.text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    let headings =
        lines.iter().filter_map(|line| line.strip_prefix("### ").or_else(|| line.strip_prefix("## ")));
    headings.map(str::to_owned).collect()
}

/// The source files of a crate.
fn sources(crate_name: &str) -> Vec<String> {
    fn collect(folder: &Path, into: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                collect(&path, into);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                into.push(fs::read_to_string(path).unwrap());
            }
        }
    }
    let mut files = Vec::new();
    collect(&root().join("crates").join(crate_name).join("src"), &mut files);
    files
}

/// The names that are declared in the macros `records!`, `open_enum!` and `open_flags!`.
fn declared(crate_name: &str) -> BTreeSet<String> {
    let files = sources(crate_name);
    let lines = files.iter().flat_map(|file| file.lines());
    lines
        .filter_map(|line| {
            // `Name: u8;` is a row of a macro that declares several widths of one enumeration.
            if let Some((name, "u8;" | "u16;" | "u32;")) = line.strip_prefix("    ")?.split_once(": ") {
                return name.starts_with(char::is_uppercase).then(|| name.to_owned());
            }
            let line = line.strip_prefix("    pub ")?;
            let rest = ["struct ", "enum ", "flags "].iter().find_map(|word| line.strip_prefix(word))?;
            // `struct Name: 12 {` and `enum Name: u8 {` are ours; anything else is plain Rust.
            let (name, size) = rest.split_once(": ")?;
            size.ends_with('{').then(|| name.to_owned())
        })
        .collect()
}

#[test]
fn every_record_and_enumeration_in_the_source_has_a_heading() {
    for (family, least) in [("w3d", 100), ("mdx", 80)] {
        let (headings, declared) = (headings(family), declared(family));
        assert!(declared.len() >= least, "{family}: only {} declarations were found", declared.len());
        let missing: Vec<_> = declared.difference(&headings).collect();
        assert!(missing.is_empty(), "{family}: without a heading: {missing:?}");
    }
}

#[test]
fn every_chunk_has_a_heading() {
    let w3d = headings("w3d");
    for row in w3d::table::every_row() {
        let name = row.kind.name;
        let has = w3d.iter().any(|heading| heading == name || heading.starts_with(&format!("{name} in ")));
        assert!(has, "{name} has no heading");
    }
    let rows = w3d::table::every_row().count();
    let of_chunks =
        w3d.iter().filter(|heading| heading.chars().next().is_some_and(char::is_uppercase)).count();
    assert!(of_chunks >= rows, "{rows} chunks, {of_chunks} headings: two chunks share one");
    let mdx = headings("mdx");
    for row in mdx::CHUNKS {
        assert!(mdx.contains(row.name), "{} has no heading", row.name);
    }
}

#[test]
fn every_part_and_track_has_a_heading() {
    let mdx = headings("mdx");
    for row in mdx::TRACKS {
        assert!(mdx.contains(row.name), "{} has no heading", row.name);
    }
    for kind in mdx::kinds::kinds() {
        let name = kind.name.trim_end();
        assert!(name.is_empty() || mdx.contains(name), "{name} has no heading");
    }
}

/// The table of objects, against the samples of every version: each part is listed, and the listed ones come in this order.
#[test]
fn objects_consist_of_the_listed_parts() {
    fn check(node: &mdx::Node<'_>, dialect: mdx::Dialect, seen: &mut BTreeSet<&'static str>) {
        let name = node.kind.name.trim_end();
        if let Some(object) = meshwright_reference::objects::OBJECTS.iter().find(|object| object.name == name)
        {
            seen.insert(name);
            let parts = if dialect == mdx::Dialect::Wow { object.wow } else { object.warcraft };
            let mut last = 0;
            for child in node.children() {
                let child = child.kind.name.trim_end();
                let Some(at) = parts.iter().position(|part| part.trim_end_matches('?') == child) else {
                    assert!(
                        mdx::TRACKS.iter().any(|row| row.name == child),
                        "{child} is not listed in {name}"
                    );
                    continue;
                };
                // Lists of objects repeat; a section and its batch alternate.
                assert!(at >= last || name == "GEOS", "{child} comes too late in {name}");
                last = at;
            }
        } else {
            assert!(node.children().is_empty() || name == "MDLX", "{name} is not in the table");
        }
        node.children().iter().for_each(|child| check(child, dialect, seen));
    }
    let mut seen = BTreeSet::new();
    for (_, bytes) in mdx::build::samples() {
        let document = mdx::Document::parse(&bytes).unwrap();
        check(&document.root, document.dialect, &mut seen);
    }
    let objects = meshwright_reference::objects::OBJECTS.iter().map(|object| object.name);
    // No sample has the data that MdlVis keeps for itself.
    let unseen: Vec<_> = objects.filter(|name| !seen.contains(name) && *name != "MDVI").collect();
    assert!(unseen.is_empty(), "no sample has {unseen:?}");
}
