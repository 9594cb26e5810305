//! The documents that a scene is made from, and finding things in them by name.

use std::collections::HashMap;

use record::{Node, decode};
use w3d::records::{CollisionBox, MeshHeader3, NullObject};
use w3d::table::{self, ring, sphere};
use w3d::{Animation, Hierarchy, W3d};

/// The document to convert and the others that it may refer to: skeletons, animations, other models.
///
/// Names are compared without regard to case, as the engines do. Where two documents have the same name, the earlier wins.
///
/// ```
/// let bytes = w3d::sample::crate_box();
/// let file = w3d::W3d::parse(&bytes)?;
/// let library = meshwright_convert::w3d::Library::new(&file);
/// assert!(library.hierarchy("mwcrate").is_some());
/// # Ok::<(), record::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Library<'n> {
    documents: Vec<&'n W3d<'n>>,
    hierarchies: HashMap<Box<[u8]>, &'n Node<'n>>,
    objects: HashMap<Box<[u8]>, Vec<&'n Node<'n>>>,
}

/// A name as the engines compare it, without the spaces that some of BFME II end with (docs/formats/w3d/names.md#fixed-names).
pub(super) fn key(name: &[u8]) -> Box<[u8]> {
    name.trim_ascii_end().to_ascii_lowercase().into()
}

/// The same for text.
pub(super) fn text_key(name: &str) -> String {
    name.trim_end().to_ascii_lowercase()
}

/// Whether the engines take two names for the same.
pub(super) fn same_name(a: &str, b: &str) -> bool {
    a.trim_end().eq_ignore_ascii_case(b.trim_end())
}

impl<'n> Library<'n> {
    /// With the document that is to be converted.
    pub fn new(main: &'n W3d<'n>) -> Self {
        let mut library =
            Self { documents: Vec::new(), hierarchies: HashMap::new(), objects: HashMap::new() };
        library.add(main);
        library
    }

    /// With another document.
    #[must_use]
    pub fn with(mut self, document: &'n W3d<'n>) -> Self {
        self.add(document);
        self
    }

    /// Adds another document.
    pub fn add(&mut self, document: &'n W3d<'n>) {
        self.documents.push(document);
        for node in document.root.children() {
            if node.is(&table::HIERARCHY) {
                self.hierarchies.entry(key(&name_of(node))).or_insert(node);
            } else if is_object(node) {
                self.objects.entry(key(&name_of(node))).or_default().push(node);
            }
        }
    }

    /// The document that is to be converted.
    pub fn main(&self) -> &'n W3d<'n> {
        self.documents[0]
    }

    /// The documents, the main one first.
    pub fn documents(&self) -> &[&'n W3d<'n>] {
        &self.documents
    }

    /// A skeleton by name.
    pub fn hierarchy(&self, name: &str) -> Option<Hierarchy<'n>> {
        let name = record::encode(name)?;
        self.hierarchies.get(&key(&name)).map(|node| Hierarchy(node))
    }

    /// An object or model by its full name: a mesh, box, dazzle, null object, emitter, sphere, ring, sound, HLOD, hierarchy model,
    /// level-of-detail model, collection or aggregate. All share one space of names.
    pub fn object(&self, name: &str) -> Option<&'n Node<'n>> {
        self.objects(&record::encode(name)?).first().copied()
    }

    /// All objects of a name.
    pub(super) fn objects(&self, name: &[u8]) -> &[&'n Node<'n>] {
        self.objects.get(&key(name)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The animations of a skeleton.
    pub fn animations_of<'l>(&'l self, hierarchy: &'l str) -> impl Iterator<Item = Animation<'n>> + 'l {
        self.animations().filter(move |animation| same_name(&animation.hierarchy_name(), hierarchy))
    }

    /// All animations.
    pub fn animations(&self) -> impl Iterator<Item = Animation<'n>> + '_ {
        self.documents.iter().flat_map(|document| {
            let document: &'n W3d<'n> = document;
            document.animations()
        })
    }
}

/// Whether a node at the top of a file is something that can be placed in a scene.
pub(super) fn is_object(node: &Node<'_>) -> bool {
    is_model(node)
        || [
            &table::MESH,
            &table::SHDMESH,
            table::BOX.row,
            &table::NULL_OBJECT,
            &table::DAZZLE,
            &table::EMITTER,
            &table::SPHERE,
            &table::RING,
            &table::SOUNDROBJ,
        ]
        .into_iter()
        .any(|chunk| node.is(chunk))
}

/// Whether it is made of other objects.
pub(super) fn is_model(node: &Node<'_>) -> bool {
    [&table::HLOD, &table::HMODEL, &table::LODMODEL, &table::COLLECTION, &table::AGGREGATE]
        .into_iter()
        .any(|chunk| node.is(chunk))
}

/// The name that others refer to.
pub(crate) fn name_of(node: &Node<'_>) -> Vec<u8> {
    if node.is(&table::MESH) {
        let Some(header) = node.child(&table::MESH_HEADER3).and_then(Node::value::<MeshHeader3>) else {
            return Vec::new();
        };
        let (container, mesh) = (header.container_name.text(), header.mesh_name.text());
        if container.is_empty() { mesh.to_vec() } else { [container, b".", mesh].concat() }
    } else if node.is(&table::BOX) {
        node.value::<CollisionBox>().map(|object| object.name.text().to_vec()).unwrap_or_default()
    } else if node.is(&table::NULL_OBJECT) {
        node.value::<NullObject>().map(|object| object.name.text().to_vec()).unwrap_or_default()
    } else if node.is(&table::SPHERE) {
        let def = node.child(&sphere::SPHERE_DEF).and_then(Node::value::<w3d::records::SphereDef>);
        def.map(|def| def.name.text().to_vec()).unwrap_or_default()
    } else if node.is(&table::RING) {
        let def = node.child(&ring::RING_DEF).and_then(Node::value::<w3d::records::RingDef>);
        def.map(|def| def.name.text().to_vec()).unwrap_or_default()
    } else {
        let label = node.label().unwrap_or_default();
        record::encode(&label).map(std::borrow::Cow::into_owned).unwrap_or_default()
    }
}

/// The chunk and its name, to tell people about it.
pub(super) fn path_of(node: &Node<'_>) -> String {
    format!("{} {:?}", node.kind.name, decode(&name_of(node)))
}
