//! glTF 2.0 as a scene: GLB, or `.gltf` with files beside it or data URIs.
//!
//! ```
//! use meshwright_gltf::{NoTextures, Options, ReadOptions, no_files, read, write_glb};
//! # use scene::{Mesh, Node, NodeId, Scene};
//! # let scene = Scene {
//! #     nodes: vec![Node { name: "Hull".into(), ..Node::default() }],
//! #     meshes: vec![Mesh {
//! #         name: "Plate".into(),
//! #         node: Some(NodeId(0)),
//! #         positions: vec![glam::Vec3::ZERO, glam::Vec3::X, glam::Vec3::Y],
//! #         indices: vec![0, 1, 2].into(),
//! #         ..Mesh::default()
//! #     }],
//! #     ..Scene::default()
//! # };
//! let glb = write_glb(&scene, &Options::default(), &mut NoTextures)?;
//! let import = read(&glb.bytes, &no_files, &ReadOptions::default())?;
//! assert_eq!(import.scene.nodes, scene.nodes);
//! assert_eq!(import.scene.meshes[0].positions, scene.meshes[0].positions);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The steps are those of the writer in reverse: `container` and `json` (the file), `accessors` (numbers), `motion` (keys), `tree` (which
//! glTF nodes are nodes of the model), `nodes`, `images`, `materials`, `meshes`, `skins`, `objects`, `clips`. `extras.meshwright`
//! restores what glTF cannot say, as long as the glTF part still says what was written; where somebody changed it, the change wins.

mod accessors;
mod clips;
mod color;
mod container;
mod error;
mod extras;
mod images;
mod json;
mod materials;
mod meshes;
mod motion;
pub(crate) mod names;
mod nodes;
mod objects;
mod origins;
mod pointers;
mod properties;
mod python;
mod skins;
mod tracks;
mod tree;
mod weld;

use crate::options::{Settings, Source};
use accessors::Accessors;
use container::Container;
use error::{NoteKind, Notes};
use extras::SceneExtras;
use glam::Vec3;
use images::Textures;
use scene::{Level, LevelRange, Limits, MeshId, Property, Report, Scene};
use std::collections::HashMap;
use tree::Tree;

pub use container::Resolve;
pub use error::ReadError;
pub use images::Pictures;
pub use origins::{Origin, Origins};

/// How a file is read.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Metres for each unit of the model. Without it, what our writer was told, which is the scale of the root; 1 for other files.
    pub scale: Option<f32>,
    /// Restore what glTF cannot say from `extras.meshwright`.
    pub extras: bool,
    /// Whether our writer wrote the file and no other program changed it. Without it, the file says so by its generator.
    pub is_ours: Option<bool>,
    /// Join the vertices that other programs split.
    pub weld: bool,
    /// How much the file may have. A file that needs more is refused.
    pub limits: Limits,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { scale: None, extras: true, is_ours: None, weld: true, limits: Limits::default() }
    }
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The model.
    pub scene: Scene,
    /// The pictures of its textures.
    pub pictures: Pictures,
    /// What the model was made of, if our writer wrote it and nobody removed that.
    pub source: Option<Source>,
    /// How our writer wrote the file, if the file says so.
    pub settings: Option<Settings>,
    /// Where the parts of the scene are in the file, and which parts of the source they were.
    pub origins: Origins,
    /// Custom properties that people typed, such as `billboard` on a node of Blender.
    pub properties: Vec<Property>,
    /// What is not in the scene as the file has it.
    pub report: Report,
}

/// Finds no files: for GLB, which has everything inside.
///
/// # Errors
/// Always.
pub fn no_files(_: &str) -> std::io::Result<Vec<u8>> {
    Err(std::io::Error::from(std::io::ErrorKind::NotFound))
}

/// Whether bytes are a GLB, or look like a `.gltf`.
#[must_use]
pub fn is_gltf(bytes: &[u8]) -> bool {
    container::is_gltf(bytes)
}

/// Reads a GLB or `.gltf`. `resolve` reads the files that it refers to, by relative paths with `/`.
///
/// # Errors
/// If the file breaks the rules of glTF, needs an extension that is not supported, or more than a limit allows.
pub fn read(bytes: &[u8], resolve: &Resolve<'_>, options: &ReadOptions) -> Result<Import, ReadError> {
    let container = Container::open(bytes, resolve, options.limits.bytes)?;
    let accessors = Accessors::new(&container, options.limits);
    let document = &container.document;
    let mut notes = Notes::default();
    let generator_is_ours =
        options.is_ours.unwrap_or_else(|| document.asset.generator.starts_with("meshwright"));
    let use_extras = options.extras;
    let json_scene = document.scenes.get(document.scene.unwrap_or(0) as usize);
    let own_extras = json_scene.filter(|_| use_extras).and_then(|scene| extras::own(scene.extras));
    let scene_extras: SceneExtras<'_> =
        own_extras.as_deref().and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
    report_unread(document, &mut notes);

    let motions = motion::load(&accessors, &mut notes)?;
    let scale = options.scale.filter(|scale| scale.is_finite() && *scale > 0.0);
    let tree = Tree::new(document, &motions, use_extras, scale, &options.limits, &mut notes)?;
    if use_extras {
        report_lost_extras(document, &tree, generator_is_ours, &mut notes);
    }
    let mut nodes = nodes::build(document, &tree, generator_is_ours);
    let mut textures = Textures::read(&accessors, &scene_extras, resolve, &mut notes)?;
    let materials = materials::build(&accessors, &scene_extras, use_extras, &mut textures, &mut notes)?;
    let inputs = meshes::Inputs {
        accessors: &accessors,
        tree: &tree,
        scene_nodes: &nodes,
        materials: &materials.places,
        generator_is_ours,
        use_extras,
        weld: options.weld && !generator_is_ours,
    };
    let meshes = meshes::build(&inputs, &mut notes)?;
    let objects = objects::build(document, &tree)?;
    unfold_hidden(&mut nodes, &tree);
    let inputs = clips::Inputs {
        accessors: &accessors,
        tree: &tree,
        nodes: &nodes,
        meshes: &meshes,
        materials: &materials,
        objects: &objects,
        extras: &scene_extras,
        generator_is_ours,
    };
    let clips = clips::build(&inputs, &motions, &mut notes)?;
    let properties = properties::collect(document, &tree, &materials.places, &clips.list);
    let levels = levels(&scene_extras, &meshes);
    let origins = origins::collect(document, &tree, &materials, &meshes, &clips, generator_is_ours);
    let mut list = meshes.list;
    match_clip_bounds(&mut list, &clips.sources);
    let name = match (&scene_extras.name, json_scene) {
        (name, _) if !name.is_empty() => name.clone(),
        (_, Some(scene)) => scene.name.to_string(),
        _ => String::new(),
    };
    let scene = Scene {
        name,
        nodes,
        meshes: list,
        materials: materials.list,
        textures: textures.list,
        clips: clips.list,
        global_sequences: scene_extras.global_sequences,
        global_channels: clips.global_channels,
        lights: objects.lights.into_list(),
        cameras: objects.cameras.into_list(),
        emitters: objects.emitters.into_list(),
        ribbons: objects.ribbons.into_list(),
        primitives: objects.primitives.into_list(),
        attachments: objects.attachments.into_list(),
        events: objects.events.into_list(),
        collision_shapes: objects.collision_shapes.into_list(),
        dazzles: objects.dazzles.into_list(),
        sounds: objects.sounds.into_list(),
        levels,
        bounds: scene_extras.bounds,
        blend_time: scene_extras.blend_time,
    };
    Ok(Import {
        scene,
        pictures: textures.pictures,
        source: scene_extras.source,
        settings: own_extras.is_some().then_some(scene_extras.settings),
        origins,
        properties,
        report: notes.0,
    })
}

/// Notes what is not read at all.
fn report_unread(document: &json::Document<'_>, notes: &mut Notes) {
    for (at, node) in document.nodes.iter().enumerate() {
        let extensions = node.extensions.as_ref();
        if extensions.is_some_and(|extensions| extensions.instancing.is_some()) {
            let message = "instances dropped: EXT_mesh_gpu_instancing is not supported; one copy is kept";
            notes.add(NoteKind::Skipped, format!("/nodes/{at}"), message);
        }
    }
    for name in document.extensions_used.iter() {
        if matches!(&**name, "KHR_materials_variants" | "KHR_texture_basisu") {
            notes.add(NoteKind::Skipped, &**name, "extension is not supported; the default is used");
        }
    }
    for (at, view) in document.buffer_views.iter().enumerate() {
        let is_packed =
            view.extensions.as_ref().is_some_and(|all| all.keys().any(|name| name.contains("meshopt")));
        if is_packed {
            let message = "meshopt compression is not supported; the uncompressed fallback is read";
            notes.add(NoteKind::Assumed, format!("/bufferViews/{at}"), message);
        }
    }
}

/// Notes that a file of ours came back without any extras: Blender's exporter drops them unless it is told to keep them.
fn report_lost_extras(
    document: &json::Document<'_>,
    tree: &Tree,
    generator_is_ours: bool,
    notes: &mut Notes,
) {
    let has_extras = tree.is_ours
        || document.scenes.iter().any(|scene| extras::has_own(scene.extras))
        || document.meshes.iter().any(|mesh| extras::has_own(mesh.extras))
        || document.materials.iter().any(|material| extras::has_own(material.extras));
    if has_extras || document.nodes.is_empty() {
        return;
    }
    // A root with the turn of our writer's, or names that only it gives.
    let has_our_root = tree.places.contains(&tree::Place::Root);
    let is_our_image =
        |name: &str| crate::derived::is_name(name) || crate::derived::replaceable(name).is_some();
    let has_our_names = document.images.iter().any(|image| is_our_image(&image.name));
    if generator_is_ours || has_our_root || has_our_names {
        let message = "the file has no custom properties, so everything that glTF cannot express is missing: emitters, collision \
                       shapes, events, attachments, team colours, global sequences, layers of materials; in Blender's glTF \
                       export turn on Include > Custom Properties";
        notes.add(NoteKind::Skipped, "/extras", message);
    }
}

/// A node whose scale only switches its mesh on and off is at rest at full size, hidden if it has no size.
fn unfold_hidden(nodes: &mut [scene::Node], tree: &Tree) {
    for (place, full) in tree.places.iter().zip(&tree.switched) {
        let (tree::Place::Node(id), Some(full)) = (place, full) else { continue };
        let node = &mut nodes[id.index()];
        if node.rest.scale.abs_diff_eq(Vec3::ZERO, 1e-6) {
            node.rest.scale = *full;
            node.visible = false;
        }
    }
}

/// The levels of detail: those of the source with the meshes that are left, or those of `MSFT_lod`.
fn levels(extras: &SceneExtras<'_>, meshes: &meshes::Meshes) -> Vec<Level> {
    let ids: HashMap<u32, usize> =
        meshes.ids.iter().enumerate().filter_map(|(place, id)| Some(((*id)?, place))).collect();
    let known = extras.levels.iter().map(|level| Level {
        range: level.range,
        meshes: level
            .meshes
            .iter()
            .filter_map(|id| ids.get(&id.0).map(|place| MeshId::from(*place)))
            .collect(),
    });
    let was_empty = extras.levels.iter().map(|level| level.meshes.is_empty());
    let known = known.zip(was_empty).filter(|(level, was_empty)| *was_empty || !level.meshes.is_empty());
    let known: Vec<Level> = known.map(|(level, _)| level).collect();
    let most = meshes.levels.iter().copied().max().unwrap_or(0);
    if !known.is_empty() || most == 0 {
        return known;
    }
    let level = |number: usize| Level {
        range: LevelRange::Number(i32::try_from(number).unwrap_or(i32::MAX)),
        meshes: meshes
            .levels
            .iter()
            .enumerate()
            .filter(|(_, level)| **level == number)
            .map(|(place, _)| MeshId::from(place))
            .collect(),
    };
    (0..=most.min(64)).map(level).collect()
}

/// Bounds of meshes in each clip follow the clips, of which some may be gone or new.
fn match_clip_bounds(meshes: &mut [scene::Mesh], sources: &[Option<usize>]) {
    let is_unchanged = sources.iter().enumerate().all(|(place, source)| *source == Some(place));
    for mesh in meshes.iter_mut().filter(|mesh| !mesh.clip_bounds.is_empty()) {
        if is_unchanged && mesh.clip_bounds.len() == sources.len() {
            continue;
        }
        let known = std::mem::take(&mut mesh.clip_bounds);
        let Some(otherwise) = mesh.bounds else { continue };
        let bounds = |source: &Option<usize>| {
            source.and_then(|source| known.get(source).copied()).unwrap_or(otherwise)
        };
        mesh.clip_bounds = sources.iter().map(bounds).collect();
    }
}
