//! Checks that links lead somewhere, in the Markdown and in the finished site.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::markdown::Page;
use crate::shell::root;

/// The path that a link on a page means, from the root of the repository.
pub(crate) fn resolve(page: &str, link: &str) -> String {
    if link.is_empty() {
        return page.to_owned();
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// Links in the Markdown that lead nowhere.
pub(crate) fn source_problems(pages: &BTreeMap<String, Page>) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, page) in pages {
        for link in page.links.iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = resolve(path, file);
            let known = pages.get(&target);
            if known.is_none() && !root().join(&target).exists() {
                problems.push(format!("{path}: {link}: there is no {target}"));
            } else if let Some(known) = known.filter(|_| !anchor.is_empty())
                && !known.sections.iter().any(|section| section.anchor == anchor)
            {
                problems.push(format!("{path}: {link}: {target} has no such heading"));
            }
        }
    }
    problems
}

/// Checks every link of the finished site, rustdoc's too; their number is returned.
pub(crate) fn check(folder: &Path, pages: &BTreeMap<String, Page>) -> Result<usize, String> {
    let mut problems = source_problems(pages);
    let mut files = BTreeSet::new();
    list(folder, "", &mut files);
    let mut count = 0;
    for path in files.iter().filter(|path| path.ends_with(".html")) {
        // Sources of the code have links to lines only.
        if path.starts_with("api/src/") {
            continue;
        }
        let text = fs::read_to_string(folder.join(path)).map_err(|error| format!("{path}: {error}"))?;
        for link in targets(&text) {
            let file = link.split(['#', '?']).next().unwrap_or_default();
            if link.contains("://") || link.starts_with(['#', '"']) || file.is_empty() || has_scheme(file) {
                continue;
            }
            count += 1;
            let target = resolve(path, file);
            let is_folder = file.ends_with('/');
            if !(files.contains(&target) || is_folder && files.contains(&format!("{target}/index.html"))) {
                problems.push(format!("{path}: {link}: there is no {target}"));
            }
        }
    }
    problems.truncate(20);
    if problems.is_empty() { Ok(count) } else { Err(format!("dead links:\n{}", problems.join("\n"))) }
}

fn has_scheme(link: &str) -> bool {
    ["mailto:", "javascript:", "data:"].iter().any(|scheme| link.starts_with(scheme))
}

/// What the attributes `href` and `src` hold.
fn targets(html: &str) -> impl Iterator<Item = &str> {
    let after = |name: &'static str| html.match_indices(name).map(move |(at, _)| &html[at + name.len()..]);
    after(" href=\"")
        .chain(after(" src=\""))
        .filter_map(|rest| rest.split_once('"'))
        .map(|(target, _)| target)
}

/// The page without the addresses that are paths of the code; the text of such links stays.
pub(crate) fn without_code_paths(html: &str) -> String {
    let mut alive = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = rest.find(" href=\"") {
        let (before, link) = rest.split_at(start);
        alive += before;
        let value = &link[" href=\"".len()..];
        let Some(end) = value.find('"') else { break };
        let target = &value[..end];
        rest = &value[end + 1..];
        let file = target.split('#').next().unwrap_or_default();
        // A page of rustdoc has an ending; a module of another crate (`dispatcher#default`) has none.
        let is_module = !file.is_empty() && !file.contains(['.', '/']);
        let is_code_path = !target.contains("://") && (file.contains("::") || is_module);
        if !is_code_path {
            alive += &link[..link.len() - rest.len()];
        }
    }
    alive + rest
}

/// Every file below a folder, as a path from it.
fn list(folder: &Path, prefix: &str, into: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            list(&entry.path(), &format!("{name}/"), into);
        } else {
            into.insert(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::markdown::read;

    #[test]
    fn paths_are_taken_from_the_page() {
        assert_eq!(resolve("docs/formats/w3d/skins.md", "../rendering.md"), "docs/formats/rendering.md");
        assert_eq!(resolve("README.md", "docs/a.md"), "docs/a.md");
        assert_eq!(resolve("docs/a.md", ""), "docs/a.md");
    }

    #[test]
    fn dead_links_are_named() {
        let page = |text| read(text, str::to_owned);
        let pages = [
            ("docs/a.md".to_owned(), page("# A\n[b](b.md#b) [c](b.md#c) [d](no-such-file) [e](#a)")),
            ("docs/b.md".to_owned(), page("# B\n")),
        ];
        let problems = source_problems(&pages.into());
        assert_eq!(
            problems,
            [
                "docs/a.md: b.md#c: docs/b.md has no such heading",
                "docs/a.md: no-such-file: there is no docs/no-such-file"
            ]
        );
    }

    #[test]
    fn addresses_that_are_paths_of_the_code_are_removed() {
        let html = "<a href=\"scene::Node\">Node</a> <a href=\"dispatcher#default\">d</a> <a class=\"x\" href=\"a.html#b::c\">b</a> <a href=\"https://x/a::b\">x</a>";
        let alive =
            "<a>Node</a> <a>d</a> <a class=\"x\" href=\"a.html#b::c\">b</a> <a href=\"https://x/a::b\">x</a>";
        assert_eq!(without_code_paths(html), alive);
        assert_eq!(without_code_paths("no links"), "no links");
    }

    #[test]
    fn targets_are_found_in_html() {
        let found: Vec<_> = targets("<a href=\"x.html\">x</a><img src=\"y.png\">").collect();
        assert_eq!(found, ["x.html", "y.png"]);
    }
}
