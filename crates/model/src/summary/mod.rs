//! Summary of a model's contents in terms that all formats share.

#[cfg(feature = "mdx")]
mod mdx;
#[cfg(feature = "w3d")]
mod w3d;
#[cfg(feature = "w3d")]
mod w3x;

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use crate::{Document, Guess, guess};

/// Summary of a model's contents.
///
/// It serialises as the part of a file in `docs/info.schema.json` that comes from the document alone.
///
/// ```
/// use meshwright_model::{Document, Summary};
/// let bytes = w3d::sample::crate_box();
/// let summary = Summary::of(&Document::parse(&bytes)?);
/// assert_eq!((summary.meshes[0].name.as_str(), summary.bones()), ("MWCRATE.BODY", 3));
/// assert_eq!(serde_json::to_value(&summary).unwrap()["clips"][0]["name"], "MWCRATE.OPEN");
/// # Ok::<(), record::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Summary {
    /// Version of the format, if the file states one.
    pub version: Option<String>,
    /// Names of the models that combine the parts below.
    pub models: Vec<String>,
    /// Meshes, in file order.
    pub meshes: Vec<Mesh>,
    /// Number of materials.
    pub materials: usize,
    /// Skeletons, in file order.
    pub skeletons: Vec<Skeleton>,
    /// Animation clips, in file order.
    pub clips: Vec<Clip>,
    /// Names of texture files, each once, as first spelled.
    pub textures: Vec<String>,
    /// Number of all other objects by kind: `emitter`, `light`, `collision box` ...
    pub objects: Vec<(&'static str, usize)>,
    /// References to other files, except textures.
    pub needs: Vec<Need>,
    /// The game that this file alone seems to be for.
    pub game: Guess,
}

/// A mesh of a [`Summary`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mesh {
    /// Name, in W3D with the container's: `TANK.BARREL`.
    pub name: String,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Whether bones deform it.
    pub skinned: bool,
}

/// A skeleton of a [`Summary`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skeleton {
    /// Name.
    pub name: String,
    /// Number of bones.
    pub bones: usize,
}

/// An animation clip of a [`Summary`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clip {
    /// Name, in W3D with the skeleton's: `TANK.FIRE`.
    pub name: String,
    /// Length.
    pub seconds: f64,
    /// Frames per second, in formats that count frames.
    pub rate: Option<f64>,
    /// Number of frames, in formats that count frames.
    pub frames: Option<u32>,
    /// First and last time in milliseconds, in formats that put all clips on one timeline.
    pub interval: Option<[i32; 2]>,
    /// Whether it repeats, if the file states it.
    pub looping: Option<bool>,
    /// Distance per second that a unit moves while it plays, if the file states it.
    pub speed: Option<f32>,
    /// Rarity among clips of the same name, if the file states it.
    pub rarity: Option<f32>,
}

/// Something that a model refers to in another file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Need {
    /// Its kind.
    pub what: NeedKind,
    /// Its name.
    pub name: String,
    /// The file that the engine loads it from.
    pub file: String,
}

/// The kind of a [`Need`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NeedKind {
    /// A skeleton.
    Skeleton,
    /// A model or a mesh.
    Model,
    /// A file of animations.
    Animation,
}

impl NeedKind {
    /// The name of the kind.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Skeleton => "skeleton",
            Self::Model => "model",
            Self::Animation => "animation",
        }
    }
}

impl Summary {
    /// Summarises a document.
    pub fn of(document: &Document<'_>) -> Self {
        let mut summary = Self {
            version: None,
            models: Vec::new(),
            meshes: Vec::new(),
            materials: 0,
            skeletons: Vec::new(),
            clips: Vec::new(),
            textures: Vec::new(),
            objects: Vec::new(),
            needs: Vec::new(),
            game: guess(document),
        };
        match document {
            #[cfg(feature = "w3d")]
            Document::W3d(file) => w3d::summarise(file, &mut summary),
            #[cfg(feature = "w3d")]
            Document::W3x(file) => w3x::summarise(file, &mut summary),
            #[cfg(feature = "mdx")]
            Document::Mdx(file) => mdx::summarise(file, &mut summary),
        }
        summary
    }

    /// Number of vertices in all meshes.
    pub fn vertices(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.vertices).sum()
    }

    /// Number of triangles in all meshes.
    pub fn triangles(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.triangles).sum()
    }

    /// Number of bones in all skeletons.
    pub fn bones(&self) -> usize {
        self.skeletons.iter().map(|skeleton| skeleton.bones).sum()
    }

    /// Adds a texture unless it is listed already; engines ignore the case of file names.
    fn add_texture(&mut self, name: String) {
        if !name.is_empty() && !self.textures.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            self.textures.push(name);
        }
    }

    /// Adds a need unless it is listed already.
    fn add_need(&mut self, need: Need) {
        if !self.needs.contains(&need) {
            self.needs.push(need);
        }
    }
}

impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Summary", 12)?;
        object.serialize_field("version", &self.version)?;
        object.serialize_field("models", &self.models)?;
        object.serialize_field("vertices", &self.vertices())?;
        object.serialize_field("triangles", &self.triangles())?;
        object.serialize_field("bones", &self.bones())?;
        object.serialize_field("materials", &self.materials)?;
        object.serialize_field("meshes", &self.meshes)?;
        object.serialize_field("skeletons", &self.skeletons)?;
        object.serialize_field("clips", &self.clips)?;
        object.serialize_field("objects", &Objects(&self.objects))?;
        object.serialize_field("needs", &self.needs)?;
        object.serialize_field("game", &self.game)?;
        object.end()
    }
}

/// Serialises pairs as an object.
struct Objects<'a>(&'a [(&'static str, usize)]);

impl Serialize for Objects<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(what, count)| object.serialize_entry(what, count))?;
        object.end()
    }
}

/// `guess` is the short name of the most likely game, `candidates` are those of all possible ones.
impl Serialize for Guess {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Guess", 3)?;
        object.serialize_field("guess", self.game.name())?;
        let candidates: Vec<&str> = self.possible.iter().map(crate::Game::name).collect();
        object.serialize_field("candidates", &candidates)?;
        object.serialize_field("reason", &self.reason)?;
        object.end()
    }
}
