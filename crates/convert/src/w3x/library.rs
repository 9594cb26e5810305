//! The documents that a scene is made from, and finding things in them by id.

use std::collections::HashMap;

use w3x::W3x;
use w3x::view::{Animation, CollisionBox, Hierarchy, Mesh};

/// The document to convert and the others that it may refer to.
///
/// Ids are compared within one type and without regard to case, as the compiler of the game does. Where two documents have the same id, the
/// earlier wins.
///
/// ```
/// let bytes = w3x::sample::tank();
/// let file = w3x::W3x::parse(&bytes)?;
/// let library = meshwright_convert::w3x::Library::new(&file);
/// assert!(library.hierarchy("mwtank_skl").is_some());
/// # Ok::<(), record::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Library<'n> {
    documents: Vec<&'n W3x<'n>>,
    hierarchies: HashMap<String, Hierarchy<'n>>,
    meshes: HashMap<String, Mesh<'n>>,
    boxes: HashMap<String, CollisionBox<'n>>,
    /// File names of textures.
    textures: HashMap<String, String>,
}

impl<'n> Library<'n> {
    /// With the document that is to be converted.
    pub fn new(main: &'n W3x<'n>) -> Self {
        let mut library = Self {
            documents: Vec::new(),
            hierarchies: HashMap::new(),
            meshes: HashMap::new(),
            boxes: HashMap::new(),
            textures: HashMap::new(),
        };
        library.add(main);
        library
    }

    /// Adds another document.
    pub fn add(&mut self, document: &'n W3x<'n>) {
        self.documents.push(document);
        for hierarchy in document.hierarchies() {
            self.hierarchies.entry(hierarchy.id().to_lowercase()).or_insert(hierarchy);
        }
        for mesh in document.meshes() {
            self.meshes.entry(mesh.id().to_lowercase()).or_insert(mesh);
        }
        for shape in document.boxes() {
            self.boxes.entry(shape.id().to_lowercase()).or_insert(shape);
        }
        for texture in document.textures() {
            if let Some(file) = texture.file() {
                self.textures.entry(texture.id().to_lowercase()).or_insert(file.into_owned());
            }
        }
    }

    /// The document that is to be converted.
    pub fn main(&self) -> &'n W3x<'n> {
        self.documents[0]
    }

    /// The documents, the main one first.
    pub fn documents(&self) -> &[&'n W3x<'n>] {
        &self.documents
    }

    /// A skeleton by its id in lower case.
    pub fn hierarchy(&self, id: &str) -> Option<Hierarchy<'n>> {
        self.hierarchies.get(id).copied()
    }

    /// A mesh by its id in lower case.
    pub fn mesh(&self, id: &str) -> Option<Mesh<'n>> {
        self.meshes.get(id).copied()
    }

    /// A collision box by its id in lower case.
    pub fn collision_box(&self, id: &str) -> Option<CollisionBox<'n>> {
        self.boxes.get(id).copied()
    }

    /// The file name of a texture by its id in lower case.
    pub fn texture(&self, id: &str) -> Option<&str> {
        self.textures.get(id).map(String::as_str)
    }

    /// All animations, those of the main document first.
    pub fn animations(&self) -> impl Iterator<Item = Animation<'n>> + '_ {
        self.documents.iter().flat_map(|document| {
            let document: &'n W3x<'n> = document;
            document.animations()
        })
    }
}
