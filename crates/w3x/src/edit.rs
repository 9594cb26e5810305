//! Changes of elements. Everything else keeps its bytes, and what is new copies the style of its neighbours.

use record::{Kind, Node};

use crate::build::{Build, Style};
use crate::value::escape;
use crate::view::Element;
use crate::{kinds, scan};

/// An element, to change it.
///
/// ```
/// use meshwright_w3x::build::Build;
/// use meshwright_w3x::edit::ElementMut;
/// use meshwright_w3x::{W3x, kinds};
///
/// let text = b"<AssetDeclaration>\r\n  <Texture id='A' File='a.dds' />\r\n</AssetDeclaration>";
/// let mut file = W3x::parse(text)?;
/// let root = file.root.child_mut(&kinds::ASSET_DECLARATION).unwrap();
/// ElementMut::new(&mut root.children_mut().unwrap()[2]).set_attribute("File", "b.dds");
/// ElementMut::new(root).push(&Build::new("Texture").attribute("id", "C"));
/// let edited = b"<AssetDeclaration>\r\n  <Texture id='A' File='b.dds' />\r\n  <Texture id='C' />\r\n</AssetDeclaration>";
/// assert_eq!(file.to_bytes()?, edited);
/// # Ok::<(), record::Error>(())
/// ```
#[derive(Debug)]
pub struct ElementMut<'n, 'd> {
    node: &'n mut Node<'d>,
}

impl<'n, 'd> ElementMut<'n, 'd> {
    /// The element of a node.
    pub const fn new(node: &'n mut Node<'d>) -> Self {
        Self { node }
    }

    /// The element, to read.
    pub const fn view(&self) -> Element<'_> {
        Element::new(self.node)
    }

    /// The first child element of a kind.
    pub fn child(&mut self, kind: &Kind) -> Option<ElementMut<'_, 'd>> {
        self.node.child_mut(kind).map(ElementMut::new)
    }

    /// Sets an attribute. A new one goes after the others, with the space and the quotes of the last one. `false` if this is not an element
    /// with attributes of their own, such as an item of a list.
    pub fn set_attribute(&mut self, name: &str, value: &str) -> bool {
        let Some(children) = self.node.children_mut() else { return false };
        let is_attribute = |child: &Node<'_>| child.kind.framing.word() == kinds::WORDS[1];
        if let Some(attribute) =
            children.iter_mut().find(|child| is_attribute(child) && is_named(child, name))
        {
            return set_value(attribute, value);
        }
        let last = children.iter().rposition(is_attribute);
        let (lead, quote) = last.map_or((&b" "[..], b'"'), |last| {
            let bytes = children[last].bytes();
            let quote = scan::value_start(bytes).checked_sub(1).map_or(b'"', |quote| bytes[quote]);
            (&bytes[..scan::space(bytes, 0)], quote)
        });
        let text = [lead, name.as_bytes(), b"=", &[quote], escape(value).as_bytes(), &[quote]].concat();
        let place = last.map_or(1, |last| last + 1).min(children.len());
        children.insert(place, Node::leaf(kinds::attribute(name.as_bytes()), 0, text));
        true
    }

    /// Removes an attribute with the white space before it. Returns whether it was there.
    pub fn remove_attribute(&mut self, name: &str) -> bool {
        let Some(children) = self.node.children_mut() else { return false };
        let before = children.len();
        children.retain(|child| child.kind.framing.word() != kinds::WORDS[1] || !is_named(child, name));
        children.len() < before
    }

    /// Sets the text of an element that holds a text, such as `Value`. `false` if it is another one.
    pub fn set_text(&mut self, text: &str) -> bool {
        set_value(self.node, text)
    }

    /// Adds an element after the last one, indented as its neighbours.
    pub fn push(&mut self, element: &Build) -> bool {
        let style = self.style();
        let own = lead(self.node);
        let Some(children) = self.node.children_mut() else { return false };
        let is_element = |child: &Node<'_>| child.kind.framing.word() == kinds::WORDS[0];
        let last = children.iter().rposition(is_element);
        let neighbour = last.map(|last| indentation(&lead(&children[last])));
        let inner = neighbour.unwrap_or_else(|| format!("{}{}", indentation(&own), style.indent));
        let node = element.to_node(&style, &inner);
        if let Some(last) = last {
            children.insert(last + 1, node);
            return true;
        }
        match children.iter().position(|child| child.is(&kinds::TAG_END)) {
            Some(tag_end) => {
                let place =
                    children.iter().rposition(|child| child.is(&kinds::END)).unwrap_or(children.len());
                // The end tag moves to a line of its own.
                if let Some(end) = children.get_mut(place)
                    && !end.bytes().starts_with(b"\n")
                    && !end.bytes().starts_with(b"\r")
                    && place == tag_end + 1
                {
                    let text =
                        [style.newline.as_bytes(), indentation(&own).as_bytes(), end.bytes().trim_ascii()]
                            .concat();
                    *end = Node::leaf(&kinds::END, 0, text);
                }
                children.insert(place, node);
            }
            None => {
                let Some(name) = children.first().map(|tag| tag.bytes().trim_ascii().to_vec()) else {
                    return false;
                };
                let name = name.strip_prefix(b"<").unwrap_or(&name);
                let text =
                    [style.newline.as_bytes(), indentation(&own).as_bytes(), b"</", name, b">"].concat();
                children.pop_if(|last| last.is(&kinds::END));
                children.push(Node::leaf(&kinds::TAG_END, 0, b">".to_vec()));
                children.push(node);
                children.push(Node::leaf(&kinds::END, 0, text));
            }
        }
        true
    }

    /// The style of this element and those in it.
    pub fn style(&self) -> Style {
        let mut style = Style::default();
        let own = lead(self.node);
        let mut inner = None;
        let mut end = None;
        let mut quote = None;
        self.node.walk(&mut |place| {
            let node = place.node;
            let bytes = node.bytes();
            if inner.is_none() && place.depth() == 1 && node.kind.framing.word() == kinds::WORDS[0] {
                inner = Some(lead(node));
            }
            if end.is_none() && node.is(&kinds::END) && bytes.ends_with(b"/>") {
                end = Some(bytes.len() > 2);
            }
            if end.is_none()
                && let Some(before) = bytes.strip_suffix(b"/>")
            {
                end = Some(before.ends_with(b" "));
            }
            if quote.is_none() && node.kind.framing.word() == kinds::WORDS[1] {
                quote = bytes.last().copied().map(char::from);
            }
        });
        if own.contains("\r\n") || inner.as_ref().is_some_and(|inner| inner.contains("\r\n")) {
            style.newline = "\r\n".to_owned();
        }
        if let Some(inner) = inner.map(|inner| indentation(&inner)) {
            style.indent = inner.strip_prefix(&*indentation(&own)).unwrap_or(&inner).to_owned();
        }
        style.space_before_end = end.unwrap_or_default();
        style.quote = quote.filter(|quote| *quote == '\'').unwrap_or('"');
        style
    }
}

/// The white space before an element.
fn lead(node: &Node<'_>) -> String {
    let first = node.children().first().map_or(node.bytes(), Node::bytes);
    String::from_utf8_lossy(&first[..scan::space(first, 0)]).into_owned()
}

/// What follows the last line end in some white space.
fn indentation(lead: &str) -> String {
    lead.rsplit('\n').next().unwrap_or_default().to_owned()
}

fn is_named(attribute: &Node<'_>, name: &str) -> bool {
    let start = scan::space(attribute.bytes(), 0);
    attribute.bytes().get(start..scan::name(attribute.bytes(), start)) == Some(name.as_bytes())
}

/// Replaces the value of an attribute, or the text of an element that holds one.
fn set_value(node: &mut Node<'_>, value: &str) -> bool {
    let Some(range) = node.locate("value").map(|found| found.range).or_else(|| {
        // An empty value is in no slot.
        let start = scan::value_start(node.bytes());
        (start > 0 && start < node.bytes().len()).then_some(start..start)
    }) else {
        return false;
    };
    let Some(bytes) = node.bytes_mut() else { return false };
    bytes.splice(range, escape(value).bytes());
    true
}
