//! Markdown pages: their headings with anchors, their links, and their HTML.

use std::collections::BTreeMap;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// One heading and the text below it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) level: usize,
    pub(crate) title: String,
    pub(crate) anchor: String,
    /// The text up to the next heading, without markup.
    pub(crate) text: String,
}

/// What was found on a page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) html: String,
    pub(crate) sections: Vec<Section>,
    /// The targets of its links and pictures, as they stand in the source.
    pub(crate) links: Vec<String>,
}

/// Reads a page. `target` gives the address that a link has on the site.
pub(crate) fn read(source: &str, target: impl Fn(&str) -> String) -> Page {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut events: Vec<Event<'_>> = Parser::new_ext(source, options).collect();
    let mut page = Page::default();
    let mut used = BTreeMap::new();
    let mut open: Option<usize> = None;
    for at in 0..events.len() {
        match &events[at] {
            Event::Start(Tag::Heading { level, .. }) => {
                open = Some(at);
                page.sections.push(Section { level: *level as usize, ..Section::default() });
            }
            Event::End(TagEnd::Heading(_)) => {
                let (Some(start), Some(section)) = (open.take(), page.sections.last_mut()) else { continue };
                section.anchor = unique(anchor(&section.title), &mut used);
                if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
                    *id = Some(CowStr::from(section.anchor.clone()));
                }
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(section) = page.sections.last_mut() {
                    let into = if open.is_some() { &mut section.title } else { &mut section.text };
                    into.push_str(text);
                }
            }
            Event::End(TagEnd::Paragraph | TagEnd::TableCell | TagEnd::Item)
            | Event::SoftBreak
            | Event::HardBreak => {
                if let Some(section) = page.sections.last_mut() {
                    section.text.push(' ');
                }
            }
            _ => {}
        }
        if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = &mut events[at] {
            page.links.push(dest_url.to_string());
            *dest_url = CowStr::from(target(dest_url));
        }
    }
    html::push_html(&mut page.html, events.into_iter());
    page
}

/// The anchor of a heading, by the rule of GitHub: lower case, spaces become dashes, other punctuation is dropped.
pub(crate) fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The second heading of a name gets `-1`, the third `-2`.
fn unique(anchor: String, used: &mut BTreeMap<String, usize>) -> String {
    let count = used.entry(anchor.clone()).and_modify(|count| *count += 1).or_insert(0);
    if *count == 0 { anchor } else { format!("{anchor}-{count}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_get_the_anchors_of_github() {
        let page = read(
            "# A page\n\nText.\n\n## `KGRT` and _more_ (2.0)\n\nIt *turns*.\n\n## A page\n",
            str::to_owned,
        );
        let anchors: Vec<_> = page.sections.iter().map(|section| section.anchor.as_str()).collect();
        assert_eq!(anchors, ["a-page", "kgrt-and-more-20", "a-page-1"]);
        assert_eq!(page.sections[1].text.trim(), "It turns.");
        assert!(page.html.contains("<h2 id=\"kgrt-and-more-20\">"), "{}", page.html);
    }

    #[test]
    fn links_are_listed_and_rewritten() {
        let page = read("[a](b.md#c) ![d](e.png)", |link| link.replace(".md", ".html"));
        assert_eq!(page.links, ["b.md#c", "e.png"]);
        assert!(page.html.contains("href=\"b.html#c\""), "{}", page.html);
    }
}
