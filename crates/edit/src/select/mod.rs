//! Parts of a document, chosen by kind and by name, pattern, index or path.

mod mdx;
mod w3d;

use std::str::FromStr;

use record::{Node, printable};

pub(crate) use self::w3d::{object_name, short_name};

use crate::{Error, Family, family_of};

/// A kind of part that edits can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartKind {
    /// A mesh, or a geoset of MDX. In W3D also other objects that are drawn: shader meshes, dazzles, spheres, rings, null objects.
    Mesh,
    /// An animation, or a sequence of MDX.
    Clip,
    /// A bone; in MDX also a helper.
    Bone,
    /// Any node of MDX: bones and everything that is placed like a bone. In W3D a bone.
    Node,
    /// An attachment of MDX.
    Attachment,
    /// A particle emitter of any sort.
    Emitter,
    /// A ribbon emitter of MDX.
    Ribbon,
    /// A light.
    Light,
    /// A camera of MDX.
    Camera,
    /// A collision box of W3D, or a collision shape of MDX.
    Collision,
    /// An event object of MDX.
    Event,
    /// A level of detail, with everything that only this level shows.
    Lod,
    /// A material.
    Material,
    /// A texture.
    Texture,
}

/// The kinds and the words for them; the first word of a kind is used in messages.
const WORDS: [(&str, PartKind); 21] = [
    ("mesh", PartKind::Mesh),
    ("geoset", PartKind::Mesh),
    ("clip", PartKind::Clip),
    ("animation", PartKind::Clip),
    ("sequence", PartKind::Clip),
    ("bone", PartKind::Bone),
    ("helper", PartKind::Bone),
    ("pivot", PartKind::Bone),
    ("node", PartKind::Node),
    ("attachment", PartKind::Attachment),
    ("emitter", PartKind::Emitter),
    ("particle", PartKind::Emitter),
    ("ribbon", PartKind::Ribbon),
    ("light", PartKind::Light),
    ("camera", PartKind::Camera),
    ("collision", PartKind::Collision),
    ("event", PartKind::Event),
    ("lod", PartKind::Lod),
    ("level", PartKind::Lod),
    ("material", PartKind::Material),
    ("texture", PartKind::Texture),
];

impl PartKind {
    /// Its name in messages.
    pub fn word(self) -> &'static str {
        WORDS.iter().find(|(_, kind)| *kind == self).map_or("part", |(word, _)| word)
    }
}

impl FromStr for PartKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
        found.map(|(_, kind)| *kind).ok_or_else(|| {
            let error = Error::new(format!("unknown kind of part {:?}", printable(text)));
            let words = WORDS.iter().map(|(word, _)| *word);
            match record::nearest(words.clone(), text) {
                Some(word) => error.with_note(format!("did you mean {word}?")),
                None => error.with_note(format!("the kinds are {}", words.collect::<Vec<_>>().join(", "))),
            }
        })
    }
}

/// A choice of parts.
///
/// | text | chooses |
/// |---|---|
/// | `mesh` | all meshes |
/// | `mesh:BARREL` | the meshes of this name, ignoring case; of W3D also `TANK.BARREL` |
/// | `mesh:BARREL*` | the meshes whose names fit; `*` is any text, `?` any character |
/// | `mesh:#2` | the third mesh |
/// | `path:GEOS/Geoset[2]` | the part at this path, as the tree of a document shows it |
///
/// ```
/// use meshwright_edit::{PartKind, Selector, select};
/// let bytes = w3d::sample::crate_box();
/// let file = w3d::W3d::parse(&bytes)?;
/// let lid: Selector = "mesh:li?".parse().unwrap();
/// assert_eq!(select(&file.root, &lid).unwrap()[0].name, "LID");
/// # Ok::<(), record::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// All parts of a kind.
    All(PartKind),
    /// Parts of a kind by name or pattern.
    Named(PartKind, String),
    /// The part of a kind with this index.
    Index(PartKind, usize),
    /// The part at a path.
    Path(String),
}

impl FromStr for Selector {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let Some((kind, pattern)) = text.split_once(':') else { return Ok(Self::All(text.parse()?)) };
        if kind.eq_ignore_ascii_case("path") {
            return Ok(Self::Path(pattern.to_owned()));
        }
        let kind: PartKind = kind.parse()?;
        if pattern.is_empty() {
            return Err(Error::new(format!("{text:?} has no name after the colon")));
        }
        if let Some(index) = pattern.strip_prefix('#') {
            return match index.parse() {
                Ok(index) => Ok(Self::Index(kind, index)),
                Err(_) => Err(Error::new(format!("{:?} is not an index", printable(index)))),
            };
        }
        Ok(Self::Named(kind, pattern.to_owned()))
    }
}

impl std::fmt::Display for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All(kind) => f.write_str(kind.word()),
            Self::Named(kind, name) => write!(f, "{} {:?}", kind.word(), printable(name)),
            Self::Index(kind, index) => write!(f, "{} #{index}", kind.word()),
            Self::Path(path) => write!(f, "part {}", printable(path)),
        }
    }
}

impl Selector {
    /// The kind of the parts; `None` for a path.
    pub fn kind(&self) -> Option<PartKind> {
        match self {
            Self::All(kind) | Self::Named(kind, _) | Self::Index(kind, _) => Some(*kind),
            Self::Path(_) => None,
        }
    }

    /// Whether it asks for one part in particular, so that a model without it is not what the user expects.
    pub fn is_exact(&self) -> bool {
        match self {
            Self::All(_) => false,
            Self::Named(_, name) => !name.contains(['*', '?']),
            Self::Index(..) | Self::Path(_) => true,
        }
    }
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its kind; never [`PartKind::Node`].
    pub kind: PartKind,
    /// Its name; empty if it has none.
    pub name: String,
    /// Its name with its container, or of a material or texture with its mesh; empty if there is no such name.
    pub full_name: String,
    /// Its index among the parts of its kind.
    pub index: usize,
    /// Indices of children from the root to its node.
    pub(crate) trail: Vec<usize>,
    /// Its index in the array of its node, if it is an element of one.
    pub(crate) element: Option<usize>,
}

impl Part {
    /// Its name in messages: `mesh "BARREL"`, or `mesh #3` if it has no name.
    pub fn title(&self) -> String {
        if self.name.is_empty() {
            return format!("{} #{}", self.kind.word(), self.index);
        }
        format!("{} {:?}", self.kind.word(), printable(&self.name))
    }

    fn has_name(&self, pattern: &str) -> bool {
        [&self.name, &self.full_name].into_iter().any(|name| !name.is_empty() && fits(pattern, name))
    }
}

/// The node at a trail.
pub(crate) fn node_at<'n, 'a>(root: &'n Node<'a>, trail: &[usize]) -> Option<&'n Node<'a>> {
    trail.iter().try_fold(root, |node, index| node.children().get(*index))
}

/// Whether a name fits a pattern, ignoring case. Runs in the product of both lengths.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.to_lowercase().chars().collect();
    let name: Vec<char> = name.to_lowercase().chars().collect();
    let (mut p, mut n) = (0, 0);
    // After the last star: where it is, and how much of the name it has taken.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p, n));
            p += 1;
        } else if pattern.get(p).is_some_and(|wanted| *wanted == '?' || *wanted == name[n]) {
            (p, n) = (p + 1, n + 1);
        } else if let Some((at, taken)) = star {
            star = Some((at, taken + 1));
            (p, n) = (at + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|rest| *rest == '*')
}

/// All parts of a document that can be chosen, in file order within each kind.
pub fn parts(root: &Node<'_>) -> Result<Vec<Part>, Error> {
    Ok(match family_of(root)? {
        Family::W3d => w3d::parts(root),
        Family::Mdx => mdx::parts(root),
        _ => Vec::new(),
    })
}

/// The chosen parts; empty if there are none.
pub fn select(root: &Node<'_>, selector: &Selector) -> Result<Vec<Part>, Error> {
    let all = parts(root)?;
    Ok(match selector {
        Selector::All(kind) => of_kind(all, *kind).collect(),
        Selector::Named(kind, pattern) => of_kind(all, *kind).filter(|part| part.has_name(pattern)).collect(),
        Selector::Index(PartKind::Node, index) => of_kind(all, PartKind::Node).skip(*index).take(1).collect(),
        Selector::Index(kind, index) => of_kind(all, *kind).filter(|part| part.index == *index).collect(),
        Selector::Path(path) => {
            let (path, element) = element_of(path);
            let Some(wanted) = root.find(path) else { return Ok(Vec::new()) };
            all.into_iter()
                .filter(|part| part.element == element)
                .filter(|part| node_at(root, &part.trail).is_some_and(|node| std::ptr::eq(node, wanted)))
                .collect()
        }
    })
}

/// The chosen parts. Fails with a suggestion if the selector names parts that are not there.
pub(crate) fn require(root: &Node<'_>, selector: &Selector) -> Result<Vec<Part>, Error> {
    let found = select(root, selector)?;
    if !found.is_empty() {
        return Ok(found);
    }
    let error = Error::new(format!("no {selector}"));
    let Some(kind) = selector.kind() else { return Err(error) };
    let available: Vec<String> = of_kind(parts(root)?, kind).map(|part| part.name).collect();
    let count = available.len();
    Err(match selector {
        Selector::Index(..) if count > 0 => {
            error.with_note(format!("the model has {count} (#0 to #{})", count - 1))
        }
        Selector::Named(_, wanted) => match record::nearest(available.iter().map(String::as_str), wanted) {
            Some(name) => error.with_note(format!("did you mean {:?}?", printable(name))),
            None => error,
        },
        _ => error,
    })
}

/// The only chosen part.
pub(crate) fn require_one(root: &Node<'_>, selector: &Selector) -> Result<Part, Error> {
    let mut found = require(root, selector)?;
    if found.len() > 1 {
        return Err(Error::new(format!("{selector} is not unique: the model has {}", found.len()))
            .with_note("give its index, such as bone:#3"));
    }
    found.pop().ok_or_else(|| Error::new(format!("no {selector}")))
}

fn of_kind(all: Vec<Part>, kind: PartKind) -> impl Iterator<Item = Part> {
    let is_node = |part: &Part| {
        matches!(
            part.kind,
            PartKind::Bone
                | PartKind::Attachment
                | PartKind::Emitter
                | PartKind::Ribbon
                | PartKind::Light
                | PartKind::Collision
                | PartKind::Event
        )
    };
    all.into_iter().filter(move |part| match kind {
        PartKind::Node => is_node(part),
        _ => part.kind == kind,
    })
}

/// A path, and the index in the array that it ends in: `SEQS.sequences[3]`.
fn element_of(path: &str) -> (&str, Option<usize>) {
    let last = path.rfind('/').map_or(0, |slash| slash + 1);
    let Some(dot) = path[last..].find('.').map(|dot| last + dot) else { return (path, None) };
    let index = path[dot..].split_once('[').and_then(|(_, rest)| rest.strip_suffix(']')?.parse().ok());
    (&path[..dot], index)
}

/// Collects parts and numbers those of each kind.
#[derive(Default)]
struct Collector {
    parts: Vec<Part>,
    counts: std::collections::HashMap<PartKind, usize>,
}

impl Collector {
    fn add(
        &mut self,
        kind: PartKind,
        name: String,
        full_name: String,
        trail: &[usize],
        element: Option<usize>,
    ) {
        let count = self.counts.entry(kind).or_default();
        let index = *count;
        *count += 1;
        self.parts.push(Part { kind, name, full_name, index, trail: trail.to_vec(), element });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_whole_names() {
        for (pattern, name, expected) in [
            ("lid", "LID", true),
            ("li", "LID", false),
            ("*", "", true),
            ("b*l", "BARREL", true),
            ("b*x", "BARREL", false),
            ("?ID", "lid", true),
            ("?lid", "lid", false),
            ("*a*a*b", "aaaaab", true),
            ("", "a", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn selectors_are_read() {
        assert_eq!("geoset".parse(), Ok(Selector::All(PartKind::Mesh)));
        assert_eq!("clip:Stand - 1".parse(), Ok(Selector::Named(PartKind::Clip, "Stand - 1".to_owned())));
        assert_eq!("bone:#7".parse(), Ok(Selector::Index(PartKind::Bone, 7)));
        assert_eq!("path:GEOS/Geoset[1]".parse(), Ok(Selector::Path("GEOS/Geoset[1]".to_owned())));
        let error = "meshh:A".parse::<Selector>().expect_err("a typing error");
        assert_eq!(error.note.as_deref(), Some("did you mean mesh?"));
        for wrong in ["mesh:", "mesh:#x", "bone:#-1"] {
            assert!(wrong.parse::<Selector>().is_err(), "{wrong}");
        }
    }
}
