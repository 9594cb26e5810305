//! Input and output of rules: the file with an index that is built once, and the collector of findings.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use assets::stock::{StockKind, is_stock};
use assets::{Lookup, Named, Pivots};
use mdx::view;
use record::{Diagnostic, Kind, Node, Severity};
use w3d::records::Pivot;
use w3d::{Hierarchy, Hlod, Mesh, W3d};
use w3x::W3x;

use crate::Game;
use crate::words::thousands;

/// A node with its ancestors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit<'n> {
    pub(crate) node: &'n Node<'n>,
    pub(crate) parent: &'n Node<'n>,
    pub(crate) depth: usize,
}

/// Every node below the root, in file order.
fn flatten<'n>(root: &'n Node<'n>) -> Vec<Visit<'n>> {
    fn below<'n>(parent: &'n Node<'n>, depth: usize, all: &mut Vec<Visit<'n>>) {
        for node in parent.children() {
            all.push(Visit { node, parent, depth });
            below(node, depth + 1, all);
        }
    }
    let mut all = Vec::new();
    below(root, 1, &mut all);
    all
}

/// Whether the game supplies a file: by the table of names, or by the index of an installed game.
fn is_supplied(lookup: Option<Lookup<'_>>, game: Game, kind: StockKind, name: &str) -> bool {
    lookup.map_or_else(|| is_stock(game, kind, name), |lookup| lookup.is_supplied(game, kind, name))
}

/// A W3X file, with a search for other files.
pub(crate) struct W3xContext<'n> {
    pub(crate) file: &'n W3x<'n>,
    pub(crate) lookup: Option<Lookup<'n>>,
}

/// A W3D file, with lookups that several rules use.
pub(crate) struct W3dContext<'n> {
    pub(crate) file: &'n W3d<'n>,
    pub(crate) profile: Game,
    pub(crate) file_name: Option<&'n str>,
    pub(crate) lookup: Option<Lookup<'n>>,
    pub(crate) meshes: Vec<Mesh<'n>>,
    every: OnceCell<Vec<Visit<'n>>>,
    bones: OnceCell<BTreeMap<String, Attached<'n>>>,
}

/// The attachment of an object to a skeleton by a model.
#[derive(Clone, Debug)]
pub(crate) struct Attached<'n> {
    /// The sub-object's node.
    pub(crate) node: &'n Node<'n>,
    pub(crate) bone: u32,
    /// The skeleton's name.
    pub(crate) skeleton: String,
}

impl<'n> W3dContext<'n> {
    pub(crate) fn new(
        file: &'n W3d<'n>,
        profile: Game,
        file_name: Option<&'n str>,
        lookup: Option<Lookup<'n>>,
    ) -> Self {
        let (every, bones) = Default::default();
        Self { file, profile, file_name, lookup, meshes: file.meshes().collect(), every, bones }
    }

    /// Whether the game supplies a file.
    pub(crate) fn is_supplied(&self, kind: StockKind, name: &str) -> bool {
        is_supplied(self.lookup, self.profile, kind, name)
    }

    /// Every node below the root.
    pub(crate) fn every(&self) -> &[Visit<'n>] {
        self.every.get_or_init(|| flatten(&self.file.root))
    }

    /// Every node of a kind with its parent.
    pub(crate) fn all(&self, kind: &'static Kind) -> impl Iterator<Item = &Visit<'n>> {
        self.every().iter().filter(move |visit| visit.node.is(kind))
    }

    /// The names of the file's objects, in lower case.
    pub(crate) fn labels(&self) -> HashSet<String> {
        let labels = self.file.root.children().iter().filter_map(|node| node.label());
        labels.map(|label| label.to_ascii_lowercase()).collect()
    }

    pub(crate) fn hlods(&self) -> impl Iterator<Item = Hlod<'n>> {
        self.file.root.all(&w3d::table::HLOD).map(Hlod)
    }

    pub(crate) fn hierarchies(&self) -> impl Iterator<Item = Hierarchy<'n>> {
        self.file.root.all(&w3d::table::HIERARCHY).map(Hierarchy)
    }

    /// The pivots of a skeleton, in this file or in another.
    pub(crate) fn skeleton(&self, name: &str) -> Option<Bones<'n>> {
        let here = self.hierarchies().find(|hierarchy| hierarchy.name().eq_ignore_ascii_case(name));
        if let Some(hierarchy) = here {
            return Some(Bones::Here(hierarchy.pivots()));
        }
        match self.lookup?.pivots(name) {
            Pivots::One(pivots) => Some(Bones::Elsewhere(pivots)),
            Pivots::Ambiguous | Pivots::Missing => None,
        }
    }

    /// Whether a skeleton of this name exists, in this file or in another, even if several differ.
    pub(crate) fn has_skeleton(&self, name: &str) -> bool {
        self.hierarchies().any(|hierarchy| hierarchy.name().eq_ignore_ascii_case(name))
            || self.lookup.is_some_and(|lookup| lookup.has(Named::Skeleton, name))
    }

    /// The attachments in the file's own models, by the lower-case full name of the object.
    pub(crate) fn attached(&self) -> &BTreeMap<String, Attached<'n>> {
        self.bones.get_or_init(|| {
            let mut all = BTreeMap::new();
            for hlod in self.hlods() {
                let skeleton =
                    hlod.header().map(|header| header.hierarchy_name.to_string()).unwrap_or_default();
                for level in hlod.levels() {
                    for node in level.0.all(&w3d::table::HLOD_SUB_OBJECT) {
                        if let Some(object) = node.value::<w3d::records::HlodSubObject>() {
                            let name = object.name.to_string().to_ascii_lowercase();
                            let bone = object.bone_index.get();
                            all.entry(name).or_insert_with(|| Attached {
                                node,
                                bone,
                                skeleton: skeleton.clone(),
                            });
                        }
                    }
                }
            }
            all
        })
    }

    /// The pivots of the skeleton that a mesh is attached to.
    pub(crate) fn skeleton_of(&self, mesh: &Mesh<'n>) -> Option<Bones<'n>> {
        let attached = self.attached().get(&mesh.full_name().to_ascii_lowercase())?;
        self.skeleton(&attached.skeleton)
    }
}

/// The pivots of a skeleton, of this file or of another.
pub(crate) enum Bones<'n> {
    Here(&'n [Pivot]),
    Elsewhere(Arc<[Pivot]>),
}

impl std::ops::Deref for Bones<'_> {
    type Target = [Pivot];

    fn deref(&self) -> &[Pivot] {
        match self {
            Self::Here(pivots) => pivots,
            Self::Elsewhere(pivots) => pivots,
        }
    }
}

/// An MDX file, with lookups that several rules use.
pub(crate) struct MdxContext<'n> {
    pub(crate) document: &'n mdx::Document<'n>,
    pub(crate) model: view::Model<'n>,
    pub(crate) profile: Game,
    pub(crate) lookup: Option<Lookup<'n>>,
    pub(crate) sequences: Vec<view::Sequence<'n>>,
    pub(crate) materials: Vec<view::Material<'n>>,
    pub(crate) geosets: Vec<view::Geoset<'n>>,
    pub(crate) animations: Vec<view::GeosetAnimation<'n>>,
    pub(crate) nodes: Vec<view::Object<'n>>,
    tracks: OnceCell<Vec<view::Track<'n>>>,
    every: OnceCell<Vec<Visit<'n>>>,
}

impl<'n> MdxContext<'n> {
    pub(crate) fn new(document: &'n mdx::Document<'n>, profile: Game, lookup: Option<Lookup<'n>>) -> Self {
        let model = document.view();
        let (tracks, every) = Default::default();
        Self {
            document,
            model,
            profile,
            lookup,
            sequences: model.sequences().collect(),
            materials: model.materials().collect(),
            geosets: model.geosets().collect(),
            animations: model.geoset_animations().collect(),
            nodes: model.nodes().collect(),
            tracks,
            every,
        }
    }

    /// Whether the game supplies a file.
    pub(crate) fn is_supplied(&self, kind: StockKind, name: &str) -> bool {
        is_supplied(self.lookup, self.profile, kind, name)
    }

    /// Every node below the root.
    pub(crate) fn every(&self) -> &[Visit<'n>] {
        self.every.get_or_init(|| flatten(&self.document.root))
    }

    /// Every track, event times included.
    pub(crate) fn tracks(&self) -> &[view::Track<'n>] {
        self.tracks
            .get_or_init(|| self.every().iter().filter_map(|visit| view::Track::new(visit.node)).collect())
    }

    /// The first chunk of a tag, or the whole file.
    pub(crate) fn chunk(&self, tag: &str) -> &'n Node<'n> {
        let mut children = self.document.root.children().iter();
        children.find(|child| child.kind.name == tag).unwrap_or(&self.document.root)
    }

    pub(crate) fn is_warcraft(&self) -> bool {
        self.document.dialect == mdx::Dialect::Warcraft
    }

    /// Whether a geoset is drawn by the HD shader.
    pub(crate) fn is_hd(&self, geoset: &view::Geoset<'_>) -> bool {
        let material = geoset.material_id().and_then(|id| self.materials.get(usize::try_from(id).ok()?));
        material.is_some_and(|material| {
            material.shader().is_some_and(|shader| shader.is("Shader_HD_DefaultUnit"))
                || material
                    .layers()
                    .any(|layer| layer.parts.shader.shader == mdx::records::ShaderType::HD_DEFAULT_UNIT)
        })
    }
}

/// The place of each node of a file, by address. Built for the first finding, so that a valid file costs nothing.
pub(crate) struct Places<'n> {
    root: &'n Node<'n>,
    index: OnceCell<(Vec<Entry<'n>>, HashMap<usize, usize>)>,
}

struct Entry<'n> {
    node: &'n Node<'n>,
    parent: Option<usize>,
    /// Position among siblings of the same name.
    ordinal: usize,
    span: Range<usize>,
}

fn address(node: &Node<'_>) -> usize {
    std::ptr::from_ref(node).cast::<()>().addr()
}

impl<'n> Places<'n> {
    pub(crate) const fn new(root: &'n Node<'n>) -> Self {
        Self { root, index: OnceCell::new() }
    }

    fn index(&self) -> &(Vec<Entry<'n>>, HashMap<usize, usize>) {
        self.index.get_or_init(|| {
            let mut entries = Vec::new();
            add(self.root, None, 0, 0, &mut entries);
            let by_address =
                entries.iter().enumerate().map(|(index, entry)| (address(entry.node), index)).collect();
            (entries, by_address)
        })
    }

    /// The bytes and the path of a node.
    fn of(&self, node: &Node<'_>) -> (Range<usize>, String) {
        let (entries, by_address) = self.index();
        let Some(mut index) = by_address.get(&address(node)).copied() else { return (0..0, String::new()) };
        let span = entries[index].span.clone();
        let mut steps = Vec::new();
        while let Entry { node, parent: Some(parent), ordinal, .. } = &entries[index] {
            let label = node.label().map(|label| format!(" {label:?}")).unwrap_or_default();
            steps.push(format!("{}[{ordinal}]{label}", node.name()));
            index = *parent;
        }
        steps.reverse();
        (span, steps.join("/"))
    }
}

fn add<'n>(
    node: &'n Node<'n>,
    parent: Option<usize>,
    ordinal: usize,
    start: usize,
    entries: &mut Vec<Entry<'n>>,
) -> usize {
    let index = entries.len();
    entries.push(Entry { node, parent, ordinal, span: start..start });
    let mut position = start + node.kind.framing.header_len();
    let mut seen: HashMap<(&'static str, u32), usize> = HashMap::new();
    for child in node.children() {
        // Two kinds may share a name; they are counted by name, as in paths. Unknown kinds are distinguished by id.
        let id = if child.kind.name.is_empty() { child.id } else { 0 };
        let ordinal = seen.entry((child.kind.name, id)).or_default();
        position = add(child, Some(index), *ordinal, position, entries);
        *ordinal += 1;
    }
    position += node.bytes().len();
    entries[index].span.end = position;
    position
}

/// Collects the findings of one rule.
pub(crate) struct Findings<'c> {
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    pub(crate) places: &'c Places<'c>,
    pub(crate) found: Vec<Diagnostic>,
}

impl Findings<'_> {
    /// A finding about a node.
    pub(crate) fn add(&mut self, node: &Node<'_>, message: impl Into<String>) {
        let (span, path) = self.places.of(node);
        self.push(span, path, message.into());
    }

    /// A finding about some bytes of a leaf's body.
    pub(crate) fn at(&mut self, node: &Node<'_>, bytes: Range<usize>, message: impl Into<String>) {
        let (span, path) = self.places.of(node);
        let body = span.start + node.kind.framing.header_len();
        self.push(body + bytes.start..body + bytes.end, path, message.into());
    }

    /// A finding about the whole file.
    pub(crate) fn file(&mut self, message: impl Into<String>) {
        let end = self.places.root.len();
        self.push(0..end, String::new(), message.into());
    }

    fn push(&mut self, span: Range<usize>, path: String, message: String) {
        self.found.push(Diagnostic {
            code: Cow::Borrowed(self.code),
            severity: self.severity,
            span: span.start as u64..span.end as u64,
            path,
            message,
            note: None,
        });
    }

    /// A finding about some elements of a leaf: their number, and the index of the first.
    pub(crate) fn elements(
        &mut self,
        node: &Node<'_>,
        size: usize,
        bad: impl IntoIterator<Item = usize>,
        what: impl FnOnce(usize) -> String,
    ) {
        let mut bad = bad.into_iter();
        let Some(first) = bad.next() else { return };
        let others = bad.count();
        let mut message = what(first);
        if others > 0 {
            message += &format!(" (and {} more)", thousands(others));
        }
        // If a body has a header, the array is its last slot.
        let start = node.slots().filter(|part| part.slot.item.size() == size).map(|part| part.start).last();
        let start = start.unwrap_or_default() + first * size;
        self.at(node, start..start + size, message);
    }

    /// A finding about one element of a leaf's last array.
    pub(crate) fn element(&mut self, node: &Node<'_>, index: usize, message: impl Into<String>) {
        let Some(part) = node.slots().last() else { return self.add(node, message) };
        let size = part.slot.item.size();
        let start = part.start + index * size;
        self.at(node, start..start + size, message);
    }
}
