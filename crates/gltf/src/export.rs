//! The steps in their order, and the files that come of them.

use crate::animations::{self, Animation, Inputs};
use crate::buffers::{self, Binary, Buffers};
use crate::channels::{Expressed, Player, sources};
use crate::context::Context;
use crate::document::{Asset, Document, DocumentExtensions, Lights};
use crate::extras::{Attached, ClipExtras, Extras, SceneExtras};
use crate::materials::Materials;
use crate::nodes::Nodes;
use crate::options::{Error, Options, Plays, Report, Settings};
use crate::placement::{Switch, placements};
use crate::skins::Skins;
use crate::switches::Switches;
use crate::textures::{TextureSource, Textures, uri};
use crate::{document, materials, meshes, objects, textures};
use scene::{Indices, Scene, Transform};
use std::collections::HashSet;

/// A model in one file.
#[derive(Clone, Debug, PartialEq)]
pub struct Glb {
    /// The file.
    pub bytes: Vec<u8>,
    /// What is not as in the scene.
    pub report: Report,
}

/// A model in several files.
#[derive(Clone, Debug, PartialEq)]
pub struct Gltf {
    /// The `.gltf` itself.
    pub json: Vec<u8>,
    /// The files it refers to, by their names beside it.
    pub files: Vec<(String, Vec<u8>)>,
    /// What is not as in the scene.
    pub report: Report,
}

/// Writes a scene as GLB.
///
/// # Errors
/// If the file would be larger than the format allows.
pub fn write_glb(scene: &Scene, options: &Options, textures: &mut dyn TextureSource) -> Result<Glb, Error> {
    /// Bytes before the JSON: those of the file and those of the first chunk.
    const HEADER: usize = 20;
    let context = Context::new(scene, options);
    export(scene, options, textures, None, &context, |exported| {
        let mut bytes = Vec::with_capacity(HEADER + exported.expected_json() + exported.binary.len());
        bytes.resize(HEADER, 0);
        exported.append_json(&mut bytes);
        bytes.resize(bytes.len().next_multiple_of(4), b' ');
        let json = bytes.len() - HEADER;
        let binary = exported.binary.len();
        let total = bytes.len() + if binary > 0 { 8 + binary } else { 0 };
        let length = u32::try_from(total).map_err(|_| Error::TooLarge(total))?;
        let header = [u32::from_le_bytes(*b"glTF"), 2, length, json as u32, u32::from_le_bytes(*b"JSON")];
        for (bytes, word) in bytes.chunks_exact_mut(4).zip(header) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        if binary > 0 {
            bytes.extend_from_slice(&(binary as u32).to_le_bytes());
            bytes.extend_from_slice(b"BIN\0");
            exported.binary.append_to(&mut bytes);
        }
        Ok(Glb { bytes, report: exported.report })
    })
}

/// Writes a scene as `.gltf`, whose binary file is `{stem}.bin` and whose pictures are `{stem}.{texture}.png`.
///
/// # Errors
/// If the binary file would be larger than readers allow.
pub fn write_gltf(
    scene: &Scene,
    options: &Options,
    textures: &mut dyn TextureSource,
    stem: &str,
) -> Result<Gltf, Error> {
    let context = Context::new(scene, options);
    export(scene, options, textures, Some(stem), &context, |exported| {
        let total = exported.binary.len();
        u32::try_from(total).map_err(|_| Error::TooLarge(total))?;
        let mut json = Vec::new();
        exported.append_json(&mut json);
        let mut files = exported.files;
        if total > 0 {
            let mut bytes = Vec::new();
            exported.binary.append_to(&mut bytes);
            files.push((format!("{stem}.bin"), bytes));
        }
        Ok(Gltf { json, files, report: exported.report })
    })
}

struct Exported<'a> {
    document: Document<'a>,
    binary: Binary<'a>,
    files: Vec<(String, Vec<u8>)>,
    report: Report,
}

impl Exported<'_> {
    /// About the size of the JSON, so that little has to be moved while it is written.
    fn expected_json(&self) -> usize {
        let Document { accessors, animations, nodes, .. } = &self.document;
        let channels: usize = animations.iter().map(|animation| animation.channels.len()).sum();
        128 * accessors.len() + 128 * channels + 512 * nodes.len() + (1 << 14)
    }

    fn append_json(&self, bytes: &mut Vec<u8>) {
        // Writing to memory cannot fail, and neither can serialising plain data.
        let _ = serde_json::to_writer(bytes, &self.document);
    }
}

/// All steps. Files are separate if there is a stem for their names. `put_together` makes the file: what the steps return borrows from the
/// scene and from each other.
fn export<'a, T>(
    scene: &'a Scene,
    options: &'a Options,
    source: &'a mut dyn TextureSource,
    stem: Option<&str>,
    context: &'a Context<'a>,
    put_together: impl FnOnce(Exported<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut report = Report { baked_globals: context.has_to_bake, ..Report::default() };
    let mut nodes = Nodes::new(context, &mut report);
    let (placements, omitted) = placements(context);
    report.omitted_meshes = omitted;
    // Filled when all nodes are known. The buffers borrow from it, so it is declared before them.
    let mut rests: Vec<Transform> = Vec::new();
    let mut buffers = Buffers::default();
    let mut textures = Textures::new(scene, options, source, &context.budget);
    let materials = materials::build(context, &placements, &mut textures, &mut report);
    report.written_materials = materials.instances.iter().map(|instance| instance.material).collect();
    let mut skins = Skins::default();
    let mut switches = Switches::new(context, &placements);
    let meshes = meshes::build(
        context,
        &placements,
        &materials,
        &mut nodes,
        &mut skins,
        &switches,
        &mut buffers,
        &mut report,
    );
    skins.add_switches(context, &placements, &mut switches, &mut nodes);
    let lights = objects::lights(context, &mut nodes);
    let cameras = objects::cameras(context, &mut nodes, &mut report);

    let mut expressed = Expressed::none(scene);
    let inputs = Inputs {
        context,
        placements: &placements,
        nodes: &nodes,
        meshes: &meshes,
        switches: &switches,
        materials: &materials,
        lights: &lights,
        cameras: &cameras,
    };
    let mut animations = animations::build(&inputs, &mut expressed, &mut report);
    rests.extend(nodes.all.iter().map(|node| node.transform));
    let moves = animations::complete(&mut animations, &rests, &nodes, &context.budget);
    if let Some(exceeded) = context.budget.exceeded() {
        return Err(Error::Limit(exceeded));
    }
    if !options.material_animation {
        let changes = |switch: Switch| switch == Switch::Fixed;
        report.fixed_visibility = placements.iter().filter(|placement| changes(placement.switch)).count();
    }
    for (node, _) in nodes.all.iter_mut().zip(&moves).take(scene.nodes.len()).filter(|(_, moves)| **moves) {
        node.extras.rest = Some(node.transform);
    }
    let scene_extras = scene_extras(context, &animations, &materials, &expressed, &mut report);
    let moving_nodes = &moves[..scene.nodes.len()];
    let skins = skins.finish(context, &switches, &mut nodes, &mut buffers, moving_nodes);
    nodes.add_root(context);
    let animations = animations::write(animations, &mut buffers);
    let textures::Finished { textures, images, samplers, files } =
        textures.finish(stem, &mut buffers, &mut report);
    let (nodes, roots) = nodes.finish();
    let buffer_uri = stem.map(|stem| uri(&format!("{stem}.bin")));
    let buffers::Finished { accessors, views, buffers, binary } = buffers.finish(buffer_uri);
    let mut document = Document {
        asset: Asset { version: "2.0", generator: concat!("meshwright ", env!("CARGO_PKG_VERSION")) },
        extensions_used: Vec::new(),
        scene: 0,
        scenes: [document::Scene {
            name: &scene.name,
            nodes: roots,
            extras: Extras { meshwright: scene_extras },
        }],
        nodes,
        meshes: meshes.list,
        skins,
        materials: materials.list,
        textures,
        images,
        samplers,
        cameras: cameras.list,
        animations,
        accessors,
        buffer_views: views,
        buffers,
        extensions: Some(lights.list)
            .filter(|lights| !lights.is_empty())
            .map(|lights| DocumentExtensions { lights: Lights { lights } }),
    };
    document.extensions_used = document.used_extensions();
    let files_size: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    context.budget.bytes(binary.len() + files_size);
    match context.budget.exceeded() {
        Some(exceeded) => Err(Error::Limit(exceeded)),
        None => put_together(Exported { document, binary, files, report }),
    }
}

/// The materials that triangles with three corners have.
fn drawn_materials(scene: &Scene) -> HashSet<usize> {
    let mut drawn = HashSet::new();
    for mesh in &scene.meshes {
        for part in &mesh.parts {
            let Some(material) = part.material.filter(|id| !drawn.contains(&id.index())) else { continue };
            let start = (part.start as usize).min(mesh.indices.len());
            let end = start.saturating_add(part.count as usize).min(mesh.indices.len());
            let is_drawn = match &mesh.indices {
                Indices::Short(indices) => has_triangle(&indices[start..end]),
                Indices::Long(indices) => has_triangle(&indices[start..end]),
            };
            if is_drawn {
                drawn.insert(material.index());
            }
        }
    }
    drawn
}

/// Whether any triangle has three corners.
fn has_triangle<T: PartialEq>(indices: &[T]) -> bool {
    indices.as_chunks::<3>().0.iter().any(|[a, b, c]| a != b && b != c && a != c)
}

/// What Blender drops from animations and what no animation has, in the scene's extras.
fn scene_extras<'a>(
    context: &Context<'a>,
    animations: &[Animation<'_>],
    materials: &Materials<'a>,
    expressed: &Expressed,
    report: &mut Report,
) -> SceneExtras<'a> {
    let scene = context.scene;
    let mut is_written = vec![false; scene.materials.len()];
    materials.instances.iter().for_each(|instance| is_written[instance.material.index()] = true);
    // Blender drops materials that no triangle has.
    let has_triangles = drawn_materials(scene);
    is_written.iter_mut().enumerate().for_each(|(id, written)| *written &= has_triangles.contains(&id));
    let others = scene.materials.iter().enumerate().filter(|(id, _)| !is_written[*id]);
    let mut clips = Vec::new();
    for animation in animations {
        if !animation.channels.is_empty() {
            report.written_animations.push(match animation.player {
                Some(Player::Clip(clip)) => Plays::Clip(clip.into()),
                Some(Player::Global(sequence)) => Plays::Global(sequence.into()),
                None => Plays::Mappers,
            });
        }
        let Some(Player::Clip(clip)) = animation.player else { continue };
        let mut left = Vec::new();
        for source in sources(scene, Player::Clip(clip)) {
            let (plays, is_exact) = expressed.of_clip(clip, source.place);
            report.extras_channels += usize::from(!plays);
            left.extend(Some(source.channel).filter(|_| !is_exact));
        }
        clips.push((animation.name.clone(), ClipExtras::new(scene, clip, &animation.name, left)));
    }
    let mut global_channels = Vec::new();
    for (place, global) in scene.global_channels.iter().enumerate() {
        let (plays, is_exact) = expressed.of_global(place);
        report.extras_channels += usize::from(!plays);
        global_channels.extend(Some(global).filter(|_| !is_exact));
    }
    SceneExtras {
        name: &scene.name,
        source: context.options.source.as_ref(),
        settings: Some(context.options.settings()).filter(|settings| *settings != Settings::default()),
        bounds: scene.bounds,
        blend_time: scene.blend_time,
        clips,
        global_sequences: &scene.global_sequences,
        global_channels,
        levels: &scene.levels,
        textures: &scene.textures,
        materials: others.map(|(id, material)| Attached::new(id, material)).collect(),
    }
}
