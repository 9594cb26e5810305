//! A scene as glTF 2.0, in one file (GLB) or several (`.gltf`, `.bin`, `.png`).
//!
//! What glTF can say is said in glTF, exactly where its formulas allow; the rest is kept in `extras.meshwright`. `docs/gltf.md` tells what
//! goes where.
//!
//! ```
//! use meshwright_gltf::{NoTextures, Options, write_glb};
//! use scene::{Mesh, Node, NodeId, Scene};
//!
//! let scene = Scene {
//!     nodes: vec![Node { name: "Hull".into(), ..Node::default() }],
//!     meshes: vec![Mesh {
//!         name: "Plate".into(),
//!         node: Some(NodeId(0)),
//!         positions: vec![glam::Vec3::ZERO, glam::Vec3::X, glam::Vec3::Y],
//!         indices: vec![0, 1, 2].into(),
//!         ..Mesh::default()
//!     }],
//!     ..Scene::default()
//! };
//! let glb = write_glb(&scene, &Options::default(), &mut NoTextures)?;
//! assert!(glb.bytes.starts_with(b"glTF"));
//! # Ok::<(), meshwright_gltf::Error>(())
//! ```

mod animation;
mod buffers;
mod changes;
mod curve;
mod extras;
mod geometry;
mod json;
mod lineage;
mod mapper;
mod material;
mod node;
mod picture;
mod pointer;
mod resample;
mod skin;
mod tangents;
mod visibility;

use crate::{
    buffers::{Buffers, List, Segment},
    changes::Changes,
    node::Nodes,
};
use scene::{Scene, Transform};
use std::collections::BTreeSet;
use thiserror::Error;

pub use picture::{NoTextures, Picture, TextureSource};

/// What is written, and how what glTF has no single way for.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Look textures up and write them.
    pub textures: bool,
    /// The player's colour, for the textures that the game supplies.
    pub team_color: [u8; 3],
    /// What becomes of levels of detail.
    pub levels: Levels,
    /// How things appear and disappear.
    pub visibility: Visibility,
    /// Animate colours, opacity and texture coordinates of materials, and lights, through `KHR_animation_pointer`.
    pub material_animation: bool,
    /// What becomes of motion that runs whichever clip plays.
    pub global_sequences: GlobalSequences,
    /// Write meshes that are never shown, such as collision bodies, too.
    pub hidden_meshes: bool,
    /// How far motion that has to be resampled may stray.
    pub tolerance: Tolerance,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            textures: true,
            team_color: [255, 3, 3],
            levels: Levels::default(),
            visibility: Visibility::default(),
            material_animation: true,
            global_sequences: GlobalSequences::default(),
            hidden_meshes: false,
            tolerance: Tolerance::default(),
        }
    }
}

/// What becomes of levels of detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Levels {
    /// Only the most detailed is written.
    #[default]
    Highest,
    /// All are written side by side.
    Separate,
    /// `MSFT_lod` on the most detailed one, where a lesser one hangs on the same node. Skinned meshes of lesser levels are left out, because
    /// glTF wants them in the scene.
    MsftLod,
}

/// How things appear and disappear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// By a scale of zero, which everything understands. Skinned meshes ignore their node's scale (glTF 2.0, 3.7.3.3), so
    /// `KHR_node_visibility` is used for them.
    #[default]
    Scale,
    /// `KHR_node_visibility`, animated through `KHR_animation_pointer`.
    Extension,
    /// Everything shows all the time.
    Off,
}

/// What becomes of motion that runs whichever clip plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GlobalSequences {
    /// An animation of its own for each, called `global 0` and so on.
    #[default]
    Separate,
    /// Repeated inside every clip; separate all the same if that would take millions of keys, as it does where a damaged clip lasts
    /// for weeks.
    Bake,
}

/// How far motion that has to be resampled may stray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Of positions, as a share of the size of the model; of scales and all else, absolute.
    pub position: f32,
    /// Of rotations, in radians.
    pub rotation: f32,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { position: 1e-4, rotation: 2e-4 }
    }
}

/// What was written, and what could not be written as it is in the scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// For each glTF mesh the scene's.
    pub written_meshes: Vec<scene::MeshId>,
    /// Textures that were not found.
    pub missing_textures: Vec<String>,
    /// Textures that could not be read, and why.
    pub unreadable_textures: Vec<(String, texture::Error)>,
    /// Channels that glTF's formulas cannot say, resampled within the [`Tolerance`].
    pub resampled_channels: usize,
    /// Channels that are in extras only.
    pub extras_channels: usize,
    /// Meshes that were left out, because they are hidden, empty, or of a lesser level of detail.
    pub omitted_meshes: usize,
    /// Vertices whose normal or tangent was not of unit length.
    pub repaired_normals: usize,
    /// Meshes with a normal map but without tangents, which were worked out.
    pub made_tangents: usize,
    /// Numbers that were not finite and became zero.
    pub repaired_numbers: usize,
    /// Triangles left out because a corner does not exist.
    pub broken_triangles: usize,
    /// Triangles left out because two corners are one.
    pub degenerate_triangles: usize,
    /// Vertices whose weights had to be changed to add up to one.
    pub repaired_weights: usize,
}

/// Why nothing could be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// GLB counts its bytes with 32 bits.
    #[error("the model is too large for glTF: {0} bytes")]
    TooLarge(usize),
}

/// A model in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glb {
    /// The file.
    pub bytes: Vec<u8>,
    /// What is not as it was.
    pub report: Report,
}

/// A model in several files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gltf {
    /// The `.gltf` itself.
    pub json: Vec<u8>,
    /// The files it refers to, by their names beside it.
    pub files: Vec<(String, Vec<u8>)>,
    /// What is not as it was.
    pub report: Report,
}

/// Writes a scene as GLB.
///
/// # Errors
/// If the file would be larger than GLB can say.
pub fn write_glb(scene: &Scene, options: &Options, textures: &mut dyn TextureSource) -> Result<Glb, Error> {
    let (scene, made_tangents) = tangents::supplied(scene, options);
    let mut exporter = Exporter::new(&scene, options, None);
    exporter.report.made_tangents = made_tangents;
    exporter.run(textures);
    let Finished { json: mut bytes, segments, report, .. } = exporter.finish(None);
    bytes.resize(bytes.len().next_multiple_of(4), b' ');
    let json = bytes.len() - HEADER;
    let binary: usize = segments.iter().map(Segment::padded_length).sum();
    let total = bytes.len() + if binary > 0 { 8 + binary } else { 0 };
    let length = u32::try_from(total).map_err(|_| Error::TooLarge(total))?;

    let header = [u32::from_le_bytes(*b"glTF"), 2, length, json as u32, u32::from_le_bytes(*b"JSON")];
    for (bytes, word) in bytes.chunks_exact_mut(4).zip(header) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    if binary > 0 {
        bytes.reserve_exact(total - bytes.len());
        for word in [binary as u32, u32::from_le_bytes(*b"BIN\0")] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        segments.iter().for_each(|segment| segment.append_to(&mut bytes));
    }
    Ok(Glb { bytes, report })
}

/// Writes a scene as `.gltf`, whose binary file is `{stem}.bin` and whose pictures are `{stem}.{texture}.png`.
///
/// # Errors
/// If the binary file would be larger than glTF readers take.
pub fn write_gltf(
    scene: &Scene,
    options: &Options,
    textures: &mut dyn TextureSource,
    stem: &str,
) -> Result<Gltf, Error> {
    let (scene, made_tangents) = tangents::supplied(scene, options);
    let mut exporter = Exporter::new(&scene, options, Some(stem));
    exporter.report.made_tangents = made_tangents;
    exporter.run(textures);
    let name = format!("{stem}.bin");
    let Finished { json, segments, mut files, report } = exporter.finish(Some(&picture::uri(&name)));
    let total: usize = segments.iter().map(Segment::padded_length).sum();
    u32::try_from(total).map_err(|_| Error::TooLarge(total))?;
    if total > 0 {
        let mut bytes = Vec::with_capacity(total);
        segments.iter().for_each(|segment| segment.append_to(&mut bytes));
        files.push((name, bytes));
    }
    Ok(Gltf { json, files, report })
}

/// Bytes of a GLB before its JSON.
const HEADER: usize = 20;

/// What the JSON starts with.
const OPENING: &str =
    concat!(r#"{"asset":{"version":"2.0","generator":"meshwright "#, env!("CARGO_PKG_VERSION"), r#""}"#);

/// What comes before animations, if there are any.
const ANIMATIONS: &str = r#","animations":["#;

/// All parts of a glTF in the making.
struct Exporter<'a> {
    scene: &'a Scene,
    options: &'a Options,
    /// The name before `.gltf`, if the files are to be separate.
    stem: Option<&'a str>,
    changes: Changes,
    /// The length of the diagonal of the model.
    size: f32,
    report: Report,
    buffers: Buffers<'a>,
    nodes: Nodes<'a>,
    meshes: List,
    materials: material::Materials,
    pictures: picture::Pictures,
    skins: skin::Skins,
    cameras: List,
    lights: List,
    animations: List,
    extensions: BTreeSet<&'static str>,
}

struct Finished<'a> {
    json: Vec<u8>,
    segments: Vec<Segment<'a>>,
    files: Vec<(String, Vec<u8>)>,
    report: Report,
}

impl<'a> Exporter<'a> {
    fn new(scene: &'a Scene, options: &'a Options, stem: Option<&'a str>) -> Self {
        Self {
            scene,
            options,
            stem,
            changes: Changes::of(scene),
            size: 0.0,
            report: Report::default(),
            buffers: Buffers::default(),
            nodes: Nodes::default(),
            meshes: List::with_capacity(320 * scene.meshes.len()),
            materials: material::Materials::default(),
            pictures: picture::Pictures::default(),
            skins: skin::Skins::default(),
            cameras: List::default(),
            lights: List::default(),
            animations: List::default(),
            extensions: BTreeSet::new(),
        }
    }

    fn run(&mut self, textures: &mut dyn TextureSource) {
        self.place_nodes();
        self.write_meshes(textures);
        self.write_lights();
        self.write_cameras();
        self.attach_extras();
        self.animations = List::after(self.opening());
        self.write_animations();
        self.write_mappers();
    }

    /// The start of the file, with room for all of it: animations come first, so that they are not moved.
    fn opening(&self) -> Vec<u8> {
        let lists = [&self.meshes, &self.skins.list, &self.materials.list];
        let known: usize = lists.into_iter().map(List::size).sum();
        let nodes: usize = self.nodes.all.iter().map(|node| 128 + node.extras.len()).sum();
        let channels: usize = self.scene.clips.iter().map(|clip| clip.channels.len()).sum();
        let is_glb = self.stem.is_none();
        let buffers = self.buffers.expected_size(is_glb);
        let mut bytes = Vec::with_capacity(known + nodes + 160 * channels + buffers + 4096);
        bytes.resize(if is_glb { HEADER } else { 0 }, 0);
        bytes.extend_from_slice(OPENING.as_bytes());
        bytes.extend_from_slice(ANIMATIONS.as_bytes());
        bytes
    }

    /// Whether what runs always is repeated inside every clip.
    fn bakes(&self) -> bool {
        const MOST_KEYS: f64 = 2e6;
        let scene = self.scene;
        let keys: f64 = scene
            .global_channels
            .iter()
            .filter_map(|global| {
                let period = scene.global_sequences.get(global.sequence.index())?.duration;
                let keys = extras::times(&global.channel.curve).len() + 1;
                let copies = scene.clips.iter().map(|clip| f64::from(clip.duration / period));
                Some(keys as f64 * copies.filter(|copies| copies.is_finite() && *copies > 0.0).sum::<f64>())
            })
            .sum();
        self.options.global_sequences == GlobalSequences::Bake && keys <= MOST_KEYS
    }

    fn uses(&mut self, extension: &'static str) {
        self.extensions.insert(extension);
    }

    /// The JSON, after room for the header of a GLB, and what it refers to.
    fn finish(mut self, buffer: Option<&str>) -> Finished<'a> {
        let report = std::mem::take(&mut self.report);
        let mut json = std::mem::take(&mut self.animations).into_json(ANIMATIONS);
        self.write_scene(&mut json);
        self.meshes.finish("meshes", &mut json);
        self.skins.list.finish("skins", &mut json);
        self.materials.list.finish("materials", &mut json);
        let files = self.pictures.finish(&mut json);
        self.cameras.finish("cameras", &mut json);
        if self.lights.len() > 0 {
            json.object_field("extensions", |json| {
                json.object_field("KHR_lights_punctual", |json| self.lights.finish("lights", json));
            });
        }
        if !self.extensions.is_empty() {
            json.array_field("extensionsUsed", |json| {
                self.extensions.iter().for_each(|name| json.value(*name));
            });
        }
        let segments = self.buffers.finish(buffer, &mut json);
        json.literal("}");
        Finished { json: json.into_bytes(), segments, files, report }
    }
}

/// The transform with everything finite and the rotation of unit length, counting what was changed.
fn sound(transform: &Transform, report: &mut Report) -> Transform {
    let mut number = |value: glam::Vec3| {
        if value.is_finite() {
            return value;
        }
        report.repaired_numbers += 1;
        glam::Vec3::from_array(value.to_array().map(|part| if part.is_finite() { part } else { 0.0 }))
    };
    Transform {
        translation: number(transform.translation),
        rotation: unit(transform.rotation),
        scale: number(transform.scale),
    }
}

/// The rotation at unit length, or none if it has no length.
#[inline]
fn unit(rotation: glam::Quat) -> glam::Quat {
    scene::number::unit(rotation).unwrap_or(glam::Quat::IDENTITY)
}

/// A colour as the source has it, made linear as glTF wants its factors.
fn linear(color: glam::Vec3) -> glam::Vec3 {
    let channel = |value: f32| {
        let value = if value.is_finite() { value.clamp(0.0, 1e6) } else { 0.0 };
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    glam::Vec3::new(channel(color.x), channel(color.y), channel(color.z))
}
