//! The HTML around a page, and the index of the search.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::markdown::Page;
use super::{html_path, title};

/// The list of pages beside every page: title and pages of each group.
pub(crate) struct Navigation(Vec<(&'static str, Vec<String>)>);

/// Pages that come first in their group, in this order; the rest is sorted by path.
const FIRST: [&str; 21] = [
    "README",
    "w3d/framing",
    "w3d/names",
    "w3d/coordinates",
    "w3d/meshes",
    "w3d/materials",
    "w3d/skins",
    "w3d/hierarchy",
    "w3d/animation",
    "w3d/models",
    "mdx/framing",
    "mdx/versions",
    "mdx/model",
    "mdx/geosets",
    "mdx/materials",
    "mdx/nodes",
    "mdx/animation",
    "mdx/emitters",
    "mdx/cameras-events",
    "mdx/wow-alpha",
    "mdx/mdl",
];

/// The place of a page in its group.
fn rank(path: &str) -> usize {
    let name = path.trim_start_matches("docs/formats/").trim_end_matches(".md");
    FIRST.iter().position(|first| *first == name).unwrap_or(FIRST.len())
}

impl Navigation {
    pub(crate) fn new(sources: &BTreeMap<String, String>) -> Self {
        let mut groups: Vec<(&'static str, Vec<String>)> =
            ["Meshwright", "Verbs", "Formats", "W3D", "MDX and MDL"].map(|name| (name, Vec::new())).into();
        for path in sources.keys() {
            let group = match path.as_str() {
                path if path.starts_with("docs/formats/w3d/") => 3,
                path if path.starts_with("docs/formats/mdx/") => 4,
                path if path.starts_with("docs/formats/") => 2,
                path if path.starts_with("docs/verbs/") => 1,
                _ => 0,
            };
            groups[group].1.push(path.clone());
        }
        for (_, paths) in &mut groups {
            paths.sort_by_key(|path| (rank(path), path.clone()));
        }
        Self(groups)
    }
}

/// The way from a page to the root of the site.
fn to_root(path: &str) -> String {
    "../".repeat(path.matches('/').count())
}

/// A page as HTML.
pub(crate) fn page(path: &str, page: &Page, navigation: &Navigation) -> String {
    let root = to_root(path);
    let mut list = String::new();
    for (group, paths) in &navigation.0 {
        let open = if paths.iter().any(|other| other == path) { " open" } else { "" };
        let _ = write!(list, "<details{open}><summary>{group}</summary><ul>");
        for other in paths {
            let current = if other == path { " aria-current=\"page\"" } else { "" };
            let _ =
                write!(list, "<li><a href=\"{root}{}\"{current}>{}</a></li>", html_path(other), short(other));
        }
        list += "</ul></details>";
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} - Meshwright</title><link rel=\"stylesheet\" href=\"{root}site.css\"></head>\n\
         <body data-root=\"{root}\"><nav><form role=\"search\"><input id=\"search\" type=\"search\" placeholder=\"Search (press /)\" aria-label=\"Search\" autocomplete=\"off\"></form>\n\
         <div id=\"found\" hidden></div><div id=\"list\">{list}<p><a href=\"{root}api/meshwright/index.html\">Library (rustdoc)</a></p></div></nav>\n\
         <main>{body}</main>\n<script src=\"{root}search.js\"></script><script src=\"{root}site.js\"></script></body></html>\n",
        title = escape(title(path, page)),
        body = page.html,
    )
}

/// A page's name in the list: its file, without what the group says already.
fn short(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md");
    match (name, path.contains('/')) {
        ("README", true) => "Overview".to_owned(),
        ("README", false) => "Introduction".to_owned(),
        (name, _) => {
            let mut letters = name.chars();
            let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            first + &letters.as_str().to_lowercase().replace('-', " ")
        }
    }
}

/// The index of the search: one script, because a page opened from a file cannot fetch another.
pub(crate) fn index(pages: &BTreeMap<String, Page>) -> String {
    let mut text = String::from("window.SEARCH = [\n");
    for (path, page) in pages {
        for section in &page.sections {
            let below: String =
                section.text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(220).collect();
            let _ = writeln!(
                text,
                "[{},{},{},{}],",
                quote(&section.title),
                quote(&format!("{}#{}", html_path(path), section.anchor)),
                quote(title(path, page)),
                quote(&below)
            );
        }
    }
    text + "];\n"
}

/// A string of JavaScript.
fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '<' => quoted += "\\u003c",
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_the_index_cannot_end_the_script() {
        assert_eq!(quote("a\"b\\c</script>\n"), r#""a\"b\\c\u003c/script> ""#);
    }

    #[test]
    fn pages_find_the_root_of_the_site() {
        assert_eq!(to_root("README.md"), "");
        assert_eq!(to_root("docs/formats/README.md"), "../../");
    }
}
