//! Makes elements and whole files.
//!
//! ```
//! use meshwright_w3x::W3x;
//! use meshwright_w3x::build::{Build, Style, document, texture};
//! let text = document(&Style::default(), &[texture("Tank", "Tank.dds")]);
//! let file = W3x::parse(&text)?;
//! assert!(file.diagnostics().is_empty());
//! assert_eq!(file.textures().next().unwrap().id(), "Tank");
//! # Ok::<(), record::Error>(())
//! ```

mod assets;
mod mesh;

pub use assets::{
    AnimationBuilder, ChannelBuilder, Frames, PivotBuilder, collision_box, container, hierarchy, include,
    includes, texture,
};
pub use mesh::MeshBuilder;

use record::Node;

use crate::value::{Decimals, escape};

/// The namespace of all assets.
pub const NAMESPACE: &str = "uri:ea.com:eala:asset";

/// How text is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// The line end: `\n` or `\r\n`.
    pub newline: String,
    /// The indentation of one level.
    pub indent: String,
    /// The quote around values: `"` or `'`.
    pub quote: char,
    /// Whether a space precedes `/>`.
    pub space_before_end: bool,
    /// How numbers are written.
    pub decimals: Decimals,
}

impl Default for Style {
    /// EA's style: tabs, double quotes, `x/>`, six decimals.
    fn default() -> Self {
        Self {
            newline: "\n".to_owned(),
            indent: "\t".to_owned(),
            quote: '"',
            space_before_end: false,
            decimals: Decimals::Six,
        }
    }
}

/// A value that is written as text.
#[derive(Clone, Debug, PartialEq)]
enum Text {
    Plain(String),
    Number(f32),
}

impl Text {
    fn write(&self, style: &Style, out: &mut Vec<u8>) {
        match self {
            Self::Plain(text) => out.extend_from_slice(escape(text).as_bytes()),
            Self::Number(number) => out.extend_from_slice(style.decimals.text(*number).as_bytes()),
        }
    }
}

/// An element to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    name: &'static str,
    attributes: Vec<(&'static str, Text)>,
    text: Option<Text>,
    children: Vec<Build>,
}

impl Build {
    /// An element of this name.
    pub const fn new(name: &'static str) -> Self {
        Self { name, attributes: Vec::new(), text: None, children: Vec::new() }
    }

    /// Adds an attribute.
    #[must_use]
    pub fn attribute(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((name, Text::Plain(value.into())));
        self
    }

    /// Adds attributes that are numbers.
    #[must_use]
    pub fn numbers<const N: usize>(mut self, names: [&'static str; N], values: [f32; N]) -> Self {
        self.attributes.extend(names.into_iter().zip(values.map(Text::Number)));
        self
    }

    /// Sets the text between the tags.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(Text::Plain(text.into()));
        self
    }

    /// Sets a number between the tags.
    #[must_use]
    pub fn number(mut self, number: f32) -> Self {
        self.text = Some(Text::Number(number));
        self
    }

    /// Adds an element.
    #[must_use]
    pub fn child(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// Adds elements.
    #[must_use]
    pub fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    /// Appends the element, on a line of its own with the indentation `lead`.
    pub fn write(&self, style: &Style, lead: &str, out: &mut Vec<u8>) {
        out.extend_from_slice(style.newline.as_bytes());
        out.extend_from_slice(lead.as_bytes());
        out.push(b'<');
        out.extend_from_slice(self.name.as_bytes());
        let mut quote = [0; 4];
        let quote = style.quote.encode_utf8(&mut quote).as_bytes();
        for (name, value) in &self.attributes {
            out.push(b' ');
            out.extend_from_slice(name.as_bytes());
            out.push(b'=');
            out.extend_from_slice(quote);
            value.write(style, out);
            out.extend_from_slice(quote);
        }
        if self.text.is_none() && self.children.is_empty() {
            out.extend_from_slice(if style.space_before_end { b" />" } else { b"/>" });
            return;
        }
        out.push(b'>');
        if let Some(text) = &self.text {
            text.write(style, out);
        }
        if !self.children.is_empty() {
            let deeper = format!("{lead}{}", style.indent);
            self.children.iter().for_each(|child| child.write(style, &deeper, out));
            out.extend_from_slice(style.newline.as_bytes());
            out.extend_from_slice(lead.as_bytes());
        }
        out.extend_from_slice(b"</");
        out.extend_from_slice(self.name.as_bytes());
        out.push(b'>');
    }

    /// The element as a node, with the white space before it.
    pub fn to_node(&self, style: &Style, lead: &str) -> Node<'static> {
        let mut text = Vec::new();
        self.write(style, lead, &mut text);
        let mut nodes = match crate::parse::file(&text).into_owned().body {
            record::Body::Branch(nodes) => nodes,
            record::Body::Leaf(_) => Vec::new(),
        };
        // What is written here is one element.
        nodes.pop().unwrap_or_else(|| Node::leaf(&crate::kinds::TEXT, 0, Vec::new()))
    }
}

/// A file with these assets.
pub fn document(style: &Style, assets: &[Build]) -> Vec<u8> {
    let mut out = br#"<?xml version="1.0" encoding="UTF-8"?>"#.to_vec();
    let root = Build::new("AssetDeclaration")
        .attribute("xmlns", NAMESPACE)
        .attribute("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance")
        .children(assets.iter().cloned());
    root.write(style, "", &mut out);
    out.extend_from_slice(style.newline.as_bytes());
    out
}
