//! What is damaged, unknown or unusual in the structure of a file.

use std::borrow::Cow;
use std::ops::Range;

use record::{Body, Diagnostic, MAX_DIAGNOSTICS, Node, Place, Severity};

use crate::kinds;
use crate::view::Element;

/// Lists every deviation from XML and from the schemas of the games.
///
/// | code | meaning |
/// |---|---|
/// | `W3X-XML-001` | text that is not XML |
/// | `W3X-XML-002` | an element without an end |
/// | `W3X-XML-003` | a duplicate attribute |
/// | `W3X-XML-004` | the root is not an `AssetDeclaration`, or there are several |
/// | `W3X-XML-005` | text between elements |
/// | `W3X-PART-001` | an unknown element in a known one |
/// | `W3X-PART-002` | an unknown attribute of a known element |
/// | `W3X-PART-003` | nested too deep, or too many parts |
pub(crate) fn diagnose(root: &Node<'_>) -> Vec<Diagnostic> {
    let mut found = Findings { list: Vec::new(), more: 0 };
    let elements = root.children().iter().filter(|child| is_element(child));
    let names: Vec<String> = elements.filter_map(kinds::tag_name).collect();
    let is_declaration =
        |name: &String| name.rsplit(':').next().is_some_and(|name| name == kinds::ASSET_DECLARATION.name);
    let message = match names.as_slice() {
        [only] if is_declaration(only) => None,
        [] => Some("the file has no AssetDeclaration".to_owned()),
        [other] => Some(format!("the root is {other}, not AssetDeclaration")),
        several => Some(format!("the file has {} root elements, not one", several.len())),
    };
    if let Some(message) = message {
        found.push("XML-004", Severity::Error, 0..0, String::new(), message, None);
    }
    root.walk(&mut |place| one(place, &mut found));
    if found.more > 0
        && let Some(last) = found.list.last_mut()
    {
        last.message = format!("{}; {} more findings are not listed", last.message, found.more);
    }
    found.list
}

struct Findings {
    list: Vec<Diagnostic>,
    more: usize,
}

impl Findings {
    fn push(
        &mut self,
        code: &str,
        severity: Severity,
        span: Range<usize>,
        path: String,
        message: String,
        note: Option<&str>,
    ) {
        if self.list.len() >= MAX_DIAGNOSTICS {
            self.more += 1;
            return;
        }
        self.list.push(Diagnostic {
            code: Cow::Owned(format!("W3X-{code}")),
            severity,
            span: span.start as u64..span.end as u64,
            path,
            message,
            note: note.map(str::to_owned),
        });
    }
}

fn is_element(node: &Node<'_>) -> bool {
    node.kind.framing.word() == kinds::WORDS[0]
}

fn is_attribute(node: &Node<'_>) -> bool {
    node.kind.framing.word() == kinds::WORDS[1]
}

fn one(place: &Place<'_, '_>, found: &mut Findings) {
    let node = place.node;
    let mut report = |code: &str, severity, message: String, note: Option<&str>| {
        found.push(code, severity, place.span.clone(), place.path(), message, note);
    };
    let kept = Some("it is kept as it is");
    if node.is(&kinds::MALFORMED) {
        return report("XML-001", Severity::Error, "the text is not XML".to_owned(), kept);
    }
    if node.is(&kinds::UNREAD) {
        let message = format!("the file has more than {} parts; the rest is not read", crate::MAX_NODES);
        return report("PART-003", Severity::Error, message, kept);
    }
    if !is_element(node) {
        return;
    }
    let Body::Branch(children) = &node.body else {
        if node.kind.branch {
            let message =
                format!("elements are nested deeper than {}; the rest is kept as text", crate::MAX_DEPTH);
            report("PART-003", Severity::Error, message, None);
        } else if node.slots().any(|part| matches!(part.slot.item, record::Item::Pieces(_))) {
            let broken = Element::items_of(node).find(|item| !item.is_well_formed());
            if let Some(broken) = broken {
                let text = record::decode(broken.bytes().trim_ascii()).into_owned();
                let start: String = text.chars().take(60).collect();
                report("XML-001", Severity::Error, format!("the item {start:?} is not valid XML"), kept);
            }
        }
        return;
    };
    if node.is(&kinds::FILE) {
        return;
    }
    if !children.last().is_some_and(|last| last.is(&kinds::END)) {
        let name = kinds::tag_name(node).unwrap_or_default();
        report("XML-002", Severity::Error, format!("the element {name} has no end"), kept);
    }
    let mut names: Vec<&[u8]> =
        children.iter().filter(|child| is_attribute(child)).map(|child| attribute_name(child)).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        let name = record::decode(pair[0]);
        report(
            "XML-003",
            Severity::Error,
            format!("the attribute {name} is given twice"),
            Some("remove one of them"),
        );
    }
    let Some(row) = kinds::row(node.kind) else { return };
    for child in children {
        if is_attribute(child) && !row.attributes.iter().any(|known| child.is(known)) {
            let name = record::decode(attribute_name(child)).into_owned();
            if !name.starts_with("xmlns:") && !name.starts_with("xsi:") && name != "xmlns" {
                let message = format!("{} has the unknown attribute {name}", node.kind.name);
                report("PART-002", Severity::Info, message, kept);
            }
        } else if is_element(child)
            && !row.children.iter().any(|known| child.is(known))
            && !node.is(&kinds::ASSET_DECLARATION)
        {
            let name = kinds::tag_name(child).unwrap_or_default();
            report(
                "PART-001",
                Severity::Info,
                format!("{} has the unknown element {name}", node.kind.name),
                kept,
            );
        } else if child.is(&kinds::TEXT) && !child.bytes().trim_ascii().is_empty() {
            report(
                "XML-005",
                Severity::Warning,
                format!("{} has text between its elements", node.kind.name),
                kept,
            );
        }
    }
}

/// The name of an attribute.
fn attribute_name<'n>(node: &'n Node<'_>) -> &'n [u8] {
    let start = crate::scan::space(node.bytes(), 0);
    &node.bytes()[start..crate::scan::name(node.bytes(), start)]
}
