//! The Markdown that all generated pages share.

use std::fmt::Write;

/// The notice on every generated page.
const NOTE: &str = "This page is generated from the code. Do not edit it: `cargo xtask bless` rewrites it.";

/// A page with its title and introduction.
pub(crate) fn page(title: &str, introduction: &str) -> String {
    format!("# {title}\n\n{introduction}\n\n*{NOTE}*\n")
}

/// The anchor of a heading, by the rule of GitHub: lower case, spaces become dashes, punctuation is dropped.
pub(crate) fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// A link to a heading on a page. An empty page means the current one.
pub(crate) fn link(page: &str, heading: &str) -> String {
    format!("[{heading}]({page}#{})", anchor(heading))
}

/// A table; empty if there are no rows.
pub(crate) fn table<const N: usize>(heads: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut text = String::new();
    for row in rows {
        let cells = row.map(|cell| cell.replace('|', "\\|").replace('\n', " "));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    if text.is_empty() {
        return text;
    }
    format!("\n| {} |\n|{}\n{text}", heads.join(" | "), "---|".repeat(N))
}

/// Documentation as plain Markdown: links into the code become names, lines become sentences.
pub(crate) fn plain(doc: &str) -> String {
    let text = doc.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find('[') {
        let (before, link) = rest.split_at(start);
        plain += before;
        // Only names are links; other brackets stay.
        let shown = link[1..]
            .split_once(']')
            .filter(|(shown, target)| shown.starts_with('`') || target.starts_with('('));
        let Some((shown, after)) = shown else {
            plain.push('[');
            rest = &link[1..];
            continue;
        };
        plain += shown;
        rest = after;
        // Targets of links are paths in the code.
        if let Some((_, after)) = rest.strip_prefix('(').and_then(|target| target.split_once(')')) {
            rest = after;
        }
    }
    plain += rest;
    plain
}

/// A sentence: the first letter is a capital, and there is a full stop.
pub(crate) fn sentence(doc: &str) -> String {
    let text = plain(doc);
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return String::new() };
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{}{stop}", first.to_uppercase(), letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_into_the_code_become_names() {
        assert_eq!(plain(" See [`Key`](crate::Key)s\n and [`Other`]."), "See `Key`s and `Other`.");
        assert_eq!(plain("a [ b"), "a [ b");
        assert_eq!(plain("byte[3] [`x`]"), "byte[3] `x`");
    }

    #[test]
    fn anchors_follow_the_rule_of_github() {
        assert_eq!(anchor("KEY in VARIABLES"), "key-in-variables");
        assert_eq!(anchor("VERTEX_INFLUENCES"), "vertex_influences");
        assert_eq!(anchor("What's new? (2.0)"), "whats-new-20");
    }
}
