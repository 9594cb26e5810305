//! Meshes: the primitives of a glTF mesh as one mesh of several parts, once for each node that shows it.

use super::accessors::Accessors;
use super::error::{NoteKind, Notes, Pointer, ReadError};
use super::extras::{self, MeshExtras};
use super::json::{Mesh as JsonMesh, Primitive};
use super::skins::{self, Skins};
use super::tree::{Place, Tree};
use super::{names, weld};
use glam::{Vec2, Vec3, Vec4};
use scene::{MaterialId, Mesh, Node, Part};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// Sets of coordinates or colours that are read.
const MAX_SETS: usize = 8;

/// The meshes of the scene, and where they come from.
pub(crate) struct Meshes {
    pub(crate) list: Vec<Mesh>,
    /// For each mesh the glTF node that shows it.
    pub(crate) nodes: Vec<u32>,
    /// For each skinned mesh that its joints show and hide, one of the nodes that do.
    pub(crate) switches: Vec<Option<u32>>,
    /// For each mesh its id in the source.
    pub(crate) ids: Vec<Option<u32>>,
    /// For each mesh its level of detail.
    pub(crate) levels: Vec<usize>,
}

/// The geometry of a glTF mesh.
#[derive(Clone, Default)]
struct Geometry {
    mesh: Mesh,
    /// Joints and weights of each vertex in sets of four.
    influences: Vec<Vec<([u32; 4], [f32; 4])>>,
}

pub(crate) struct Inputs<'r, 'a> {
    pub(crate) accessors: &'r Accessors<'a>,
    pub(crate) tree: &'r Tree,
    pub(crate) scene_nodes: &'r [Node],
    /// For each glTF material the scene's.
    pub(crate) materials: &'r [MaterialId],
    pub(crate) generator_is_ours: bool,
    pub(crate) use_extras: bool,
    /// Join the vertices that other programs split.
    pub(crate) weld: bool,
}

pub(crate) fn build(inputs: &Inputs<'_, '_>, notes: &mut Notes) -> Result<Meshes, ReadError> {
    let document = inputs.accessors.document();
    let tree = inputs.tree;
    let mut skins = Skins::new(inputs);
    let mut known: BTreeMap<u32, Geometry> = BTreeMap::new();
    let mut found: Vec<(u32, u32, Rc<MeshExtras>)> = Vec::new();
    // Many nodes may show one mesh, so its extras are read once.
    let mut read: HashMap<u32, Rc<MeshExtras>> = HashMap::new();
    for (node, json) in document.nodes.iter().enumerate() {
        let Some(mesh) = json.mesh.filter(|_| tree.places[node] != Place::Absent) else { continue };
        let json = document.meshes.get(mesh as usize);
        let json =
            json.ok_or_else(|| ReadError::missing(format_args!("/nodes/{node}/mesh"), "mesh", mesh))?;
        let extras = read.entry(mesh).or_insert_with(|| {
            let extras = inputs.use_extras.then(|| extras::typed(json.extras)).flatten();
            Rc::new(extras.unwrap_or_default())
        });
        found.push((node as u32, mesh, Rc::clone(extras)));
        if found.len() > inputs.accessors.limits.nodes {
            return Err(ReadError::limit("nodes", inputs.accessors.limits.nodes));
        }
    }
    found.sort_by_key(|(node, _, extras)| (extras.id.unwrap_or(u32::MAX), *node));
    let mut uses = vec![0_usize; document.meshes.len()];
    found.iter().for_each(|(_, mesh, _)| uses[*mesh as usize] += 1);
    let mut taken: HashSet<u32> = HashSet::new();
    let mut meshes = Meshes {
        list: Vec::new(),
        nodes: Vec::new(),
        switches: Vec::new(),
        ids: Vec::new(),
        levels: Vec::new(),
    };
    for (node, index, extras) in found {
        let json = &document.meshes[index as usize];
        let geometry = match known.get(&index) {
            Some(geometry) => {
                inputs
                    .accessors
                    .spend_vertices(geometry.mesh.positions.len() + geometry.mesh.indices.len() / 3)?;
                geometry.clone()
            }
            None => {
                let geometry = geometry(inputs, index, json, notes)?;
                // Most meshes are shown once: only the others are worth keeping.
                if uses[index as usize] > 1 {
                    known.insert(index, geometry.clone());
                }
                geometry
            }
        };
        if geometry.mesh.positions.is_empty() || geometry.mesh.indices.is_empty() {
            continue;
        }
        let id = extras.id.filter(|id| taken.insert(*id));
        let (mesh, switch) = place(inputs, node, json, geometry, &extras, &mut skins, notes)?;
        meshes.list.push(mesh);
        meshes.switches.push(switch);
        meshes.nodes.push(node);
        meshes.ids.push(id);
        meshes.levels.push(tree.extras[node as usize].level.unwrap_or(tree.levels[node as usize]));
    }
    Ok(meshes)
}

/// Puts a mesh on its node. Also returns a node that shows and hides it as one of its joints, if there is one.
fn place(
    inputs: &Inputs<'_, '_>,
    node: u32,
    json: &JsonMesh<'_>,
    geometry: Geometry,
    extras: &MeshExtras,
    skins: &mut Skins<'_, '_>,
    notes: &mut Notes,
) -> Result<(Mesh, Option<u32>), ReadError> {
    let tree = inputs.tree;
    let document = inputs.accessors.document();
    let found = &document.nodes[node as usize];
    let node_extras = &tree.extras[node as usize];
    let Geometry { mut mesh, influences } = geometry;
    // The games' names are those of objects, which are glTF's nodes; ours are on the meshes.
    mesh.name = match inputs.use_extras && tree.is_ours {
        true => names::restored(&json.name, extras.name.as_deref(), "Mesh"),
        false if found.name.is_empty() => json.name.to_string(),
        false => found.name.to_string(),
    };
    let place = tree.places[node as usize];
    let is_skinned = found.skin.is_some() && !influences.is_empty();
    let mut switch = None;
    if is_skinned {
        mesh.node = node_extras.shown_by.and_then(|shown_by| skins.node_ids.get(shown_by));
        if mesh.node.is_none()
            && let Place::Node(id) = place
        {
            mesh.node = Some(id);
        }
        switch = skins.bind(&mut mesh, found.skin.unwrap_or(0), &influences, notes)?;
    } else {
        mesh.node = tree.node(node);
        let unit = tree.frames[node as usize].unit;
        if unit != 1.0 {
            mesh.positions.iter_mut().for_each(|position| *position *= unit);
        }
        if place == Place::Root || mesh.node.is_none() && !matches!(place, Place::Part(None)) {
            mesh.node = None;
        }
        if node_extras.rigid_skin && matches!(place, Place::Part(Some(_))) {
            skins::bind_rigidly(&mut mesh, &tree.locals[node as usize]);
            mesh.node = node_extras.shown_by.and_then(|shown_by| skins.node_ids.get(shown_by));
        }
    }
    mesh.hidden = node_extras.hidden || !tree.is_ours && mesh.node.is_none() && tree.hidden[node as usize];
    if inputs.use_extras {
        mesh.casts_shadow = extras.casts_shadow.unwrap_or(true);
        mesh.collision = extras.collision;
        mesh.selection_group = extras.selection_group;
        mesh.unselectable = extras.unselectable;
        mesh.user_text.clone_from(&extras.user_text);
        mesh.color = extras.color.unwrap_or(Vec3::ONE);
        mesh.alpha = extras.alpha.unwrap_or(1.0);
        mesh.bounds = extras.bounds;
        mesh.clip_bounds = match extras.bounds {
            Some(bounds) if extras.clip_bounds.is_empty() => {
                inputs.accessors.spend_vertices(extras.equal_clip_bounds)?;
                vec![bounds; extras.equal_clip_bounds]
            }
            _ => {
                inputs.accessors.spend_vertices(extras.clip_bounds.len())?;
                extras.clip_bounds.clone()
            }
        };
        let triangles = mesh.indices.len() / 3;
        let runs: usize = extras.surface_types.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count));
        if runs == triangles {
            let types = extras.surface_types.iter();
            mesh.surface_types = types.flat_map(|(kind, count)| std::iter::repeat_n(*kind, *count)).collect();
        } else if let [(kind, _), rest @ ..] = &extras.surface_types[..]
            && rest.iter().all(|(other, _)| other == kind)
        {
            mesh.surface_types = vec![*kind; triangles];
        } else if !extras.surface_types.is_empty() {
            let message = "surface types dropped: the number of triangles has changed";
            notes.add(NoteKind::Skipped, mesh.name.clone(), message);
        }
        if inputs.generator_is_ours {
            weld::join_copies(&mut mesh, &extras.copies);
        }
        if let Some(vertices) = extras.source_vertices {
            mesh.tangents.clear();
            weld::remove_copies(&mut mesh, vertices);
        }
    }
    if inputs.weld {
        weld::weld(&mut mesh);
    }
    Ok((mesh, switch))
}

fn geometry(
    inputs: &Inputs<'_, '_>,
    index: u32,
    json: &JsonMesh<'_>,
    notes: &mut Notes,
) -> Result<Geometry, ReadError> {
    let mut geometry = Geometry::default();
    let mut indices: Vec<u32> = Vec::new();
    // Primitives with the same vertices share them.
    let mut blocks: Vec<Block> = Vec::new();
    // By attributes and accessors; without colours in our own files.
    let mut places: HashMap<Vec<(&str, u32)>, (u32, usize)> = HashMap::new();
    for (at, primitive) in json.primitives.iter().enumerate() {
        let here = format_args!("/meshes/{index}/primitives/{at}");
        if !primitive.targets.is_empty() {
            notes.add(NoteKind::Skipped, &*json.name, "morph targets dropped");
        }
        let mode = primitive.mode.unwrap_or(TRIANGLES);
        if !matches!(mode, TRIANGLES | STRIP | FAN) {
            let what = if mode == 0 { "points dropped" } else { "lines dropped" };
            notes.add(NoteKind::Skipped, &*json.name, what);
            continue;
        }
        let Some(&position) = primitive.attributes.get("POSITION") else {
            notes.add(NoteKind::Skipped, here.to_string(), "primitive without positions dropped");
            continue;
        };
        // Our own primitives have the same colours under names that differ by material.
        let is_own_color = |name: &str| inputs.generator_is_ours && name.contains("COLOR_");
        let key: Vec<(&str, u32)> = primitive
            .attributes
            .iter()
            .filter(|(name, _)| !is_own_color(name))
            .map(|(name, accessor)| (name.as_str(), *accessor))
            .collect();
        let (first, count) = match places.get(&key).copied() {
            Some(block) => block,
            None => {
                let first = geometry.mesh.positions.len() as u32;
                let count = inputs.accessors.count(position, format_args!("{here}/attributes/POSITION"))?;
                inputs.accessors.spend_vertices(count)?;
                vertices(inputs, primitive, count, here, &mut geometry)?;
                let has = |name: &str| primitive.attributes.contains_key(name);
                let (normals, tangents) = (has("NORMAL"), has("TANGENT"));
                blocks.push(Block { first, count, normals, tangents });
                places.insert(key, (first, count));
                (first, count)
            }
        };
        let start = indices.len();
        triangles(inputs, primitive, mode, (first, count), here, &mut indices)?;
        let material =
            match primitive.material {
                Some(material) => Some(*inputs.materials.get(material as usize).ok_or_else(|| {
                    ReadError::missing(format_args!("{here}/material"), "material", material)
                })?),
                None => None,
            };
        let part = Part { material, start: start as u32, count: (indices.len() - start) as u32 };
        if part.count > 0 {
            geometry.mesh.parts.push(part);
        }
    }
    let lacks_normals = |block: &&Block| !block.normals;
    if !geometry.mesh.normals.is_empty() && blocks.iter().any(|block| !block.normals) {
        for block in blocks.iter().filter(lacks_normals) {
            let vertices = block.first..block.first + block.count as u32;
            inputs.accessors.spend_vertices(indices.len())?;
            geometry.flatten(&mut indices, vertices);
        }
    }
    if blocks.iter().any(|block| !block.tangents) {
        // Those of a part are no use: all are generated where a normal map needs them.
        geometry.mesh.tangents.clear();
    }
    geometry.mesh.indices = indices.into();
    Ok(geometry)
}

/// Vertices that primitives with the same attributes share.
struct Block {
    first: u32,
    count: usize,
    normals: bool,
    tangents: bool,
}

impl Geometry {
    /// Gives triangles with these vertices the normals of their planes, as glTF wants for primitives without normals (glTF 2.0, 3.7.2.1).
    /// A vertex of triangles in several planes is copied.
    fn flatten(&mut self, indices: &mut [u32], vertices: std::ops::Range<u32>) {
        let mut is_used = vec![false; vertices.len()];
        let mut copies: HashMap<(u32, [u32; 3]), u32> = HashMap::new();
        let (triangles, _) = indices.as_chunks_mut::<3>();
        for triangle in triangles.iter_mut().filter(|[first, ..]| vertices.contains(first)) {
            let [a, b, c] = triangle.map(|corner| self.mesh.positions[corner as usize]);
            let normal = (b - a).cross(c - a).try_normalize().unwrap_or(Vec3::Y);
            for corner in triangle {
                let vertex = *corner as usize;
                if !std::mem::replace(&mut is_used[vertex - vertices.start as usize], true) {
                    self.mesh.normals[vertex] = normal;
                }
                if self.mesh.normals[vertex] == normal {
                    continue;
                }
                let key = (*corner, normal.to_array().map(f32::to_bits));
                *corner = *copies.entry(key).or_insert_with(|| self.copy(vertex, normal));
            }
        }
    }

    /// Copies a vertex, with another normal.
    fn copy(&mut self, vertex: usize, normal: Vec3) -> u32 {
        fn again<T: Copy>(values: &mut Vec<T>, vertex: usize) {
            values.extend(values.get(vertex).copied());
        }
        let mesh = &mut self.mesh;
        again(&mut mesh.positions, vertex);
        mesh.normals.push(normal);
        again(&mut mesh.tangents, vertex);
        mesh.uv_sets.iter_mut().for_each(|set| again(set, vertex));
        mesh.color_sets.iter_mut().for_each(|set| again(set, vertex));
        self.influences.iter_mut().for_each(|set| again(set, vertex));
        mesh.positions.len() as u32 - 1
    }
}

const TRIANGLES: u32 = 4;
const STRIP: u32 = 5;
const FAN: u32 = 6;

/// Adds the triangles of a primitive.
fn triangles(
    inputs: &Inputs<'_, '_>,
    primitive: &Primitive<'_>,
    mode: u32,
    (first, count): (u32, usize),
    here: Pointer<'_>,
    indices: &mut Vec<u32>,
) -> Result<(), ReadError> {
    let own: Vec<u32> = match primitive.indices {
        Some(accessor) => {
            let pointer = format_args!("{here}/indices");
            let number = inputs.accessors.count(accessor, pointer)?;
            inputs.accessors.spend_vertices(number / 3)?;
            let own = inputs.accessors.integers::<1>(accessor, pointer)?;
            if let Some([index]) = own.iter().find(|[index]| *index as usize >= count) {
                let message = format!("vertex {index} does not exist: the primitive has {count}");
                return Err(ReadError::invalid(pointer.to_string(), message));
            }
            own.into_iter().map(|[index]| index + first).collect()
        }
        None => {
            inputs.accessors.spend_vertices(count / 3)?;
            (0..count as u32).map(|index| index + first).collect()
        }
    };
    let is_valid = |&[a, b, c]: &[u32; 3]| a != b && b != c && a != c;
    match mode {
        TRIANGLES => {
            let (triangles, _) = own.as_chunks::<3>();
            indices.extend_from_slice(triangles.as_flattened());
        }
        STRIP => {
            let strip = own.windows(3).enumerate();
            let turned =
                strip.map(|(at, t)| if at % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] });
            indices.extend(turned.filter(is_valid).flatten());
        }
        _ => {
            let fan = own.windows(2).skip(1).map(|pair| [own[0], pair[0], pair[1]]);
            indices.extend(fan.filter(is_valid).flatten());
        }
    }
    Ok(())
}

/// Adds the vertices of a primitive.
fn vertices(
    inputs: &Inputs<'_, '_>,
    primitive: &Primitive<'_>,
    count: usize,
    here: Pointer<'_>,
    geometry: &mut Geometry,
) -> Result<(), ReadError> {
    let accessors = inputs.accessors;
    let mesh = &mut geometry.mesh;
    let before = mesh.positions.len();
    let total = before + count;
    let checked = |name: &str, found: usize| match found == count {
        true => Ok(()),
        false => {
            let pointer = format!("{here}/attributes/{name}");
            Err(ReadError::invalid(pointer, format!("{found} values for {count} vertices")))
        }
    };
    let attribute = |name: &str| primitive.attributes.get(name).copied();
    let Some(position) = attribute("POSITION") else { return Ok(()) };
    let positions = accessors.floats::<3>(position, format_args!("{here}/attributes/POSITION"))?;
    let valid = |value: [f32; 3]| {
        let value = Vec3::from(value);
        if value.is_finite() { value } else { Vec3::ZERO }
    };
    mesh.positions.extend(positions.into_iter().map(valid));
    if let Some(accessor) = attribute("NORMAL") {
        let normals = accessors.floats::<3>(accessor, format_args!("{here}/attributes/NORMAL"))?;
        checked("NORMAL", normals.len())?;
        mesh.normals.resize(before, Vec3::ZERO);
        mesh.normals.extend(normals.into_iter().map(valid));
    } else if !mesh.normals.is_empty() {
        mesh.normals.resize(total, Vec3::ZERO);
    }
    if let Some(accessor) = attribute("TANGENT") {
        let tangents = accessors.floats::<4>(accessor, format_args!("{here}/attributes/TANGENT"))?;
        checked("TANGENT", tangents.len())?;
        mesh.tangents.resize(before, Vec4::ZERO);
        mesh.tangents.extend(tangents.into_iter().map(Vec4::from));
    } else if !mesh.tangents.is_empty() {
        mesh.tangents.resize(total, Vec4::ZERO);
    }
    for set in 0..MAX_SETS {
        let name = format!("TEXCOORD_{set}");
        let Some(accessor) = attribute(&name) else { continue };
        let coordinates = accessors.floats::<2>(accessor, format_args!("{here}/attributes/{name}"))?;
        checked(&name, coordinates.len())?;
        while mesh.uv_sets.len() <= set {
            mesh.uv_sets.push(Vec::new());
        }
        mesh.uv_sets[set].resize(before, Vec2::ZERO);
        let valid = |value: [f32; 2]| {
            let value = Vec2::from(value);
            if value.is_finite() { value } else { Vec2::ZERO }
        };
        mesh.uv_sets[set].extend(coordinates.into_iter().map(valid));
    }
    mesh.uv_sets.iter_mut().for_each(|set| set.resize(total, Vec2::ZERO));
    for (name, set) in color_sets(primitive) {
        let colors = colors(accessors, primitive.attributes[name], format_args!("{here}/attributes/{name}"))?;
        checked(name, colors.len())?;
        while mesh.color_sets.len() <= set {
            mesh.color_sets.push(Vec::new());
        }
        mesh.color_sets[set].resize(before, [u8::MAX; 4]);
        mesh.color_sets[set].extend(colors);
    }
    mesh.color_sets.iter_mut().for_each(|set| set.resize(total, [u8::MAX; 4]));
    for set in 0.. {
        let (joints, weights) = (format!("JOINTS_{set}"), format!("WEIGHTS_{set}"));
        let (Some(joint), Some(weight)) = (attribute(&joints), attribute(&weights)) else { break };
        accessors.spend_vertices(count)?;
        let joint = accessors.integers::<4>(joint, format_args!("{here}/attributes/{joints}"))?;
        checked(&joints, joint.len())?;
        let weight = accessors.floats::<4>(weight, format_args!("{here}/attributes/{weights}"))?;
        checked(&weights, weight.len())?;
        while geometry.influences.len() <= set {
            geometry.influences.push(Vec::new());
        }
        geometry.influences[set].resize(before, ([0; 4], [0.0; 4]));
        geometry.influences[set].extend(joint.into_iter().zip(weight));
    }
    geometry.influences.iter_mut().for_each(|set| set.resize(total, ([0; 4], [0.0; 4])));
    Ok(())
}

/// The attributes that are colours, each with its place. Ours are named by their places, but for the one that tints.
fn color_sets<'p>(primitive: &'p Primitive<'_>) -> Vec<(&'p str, usize)> {
    let numbered = |prefix: &'static str| {
        primitive.attributes.keys().filter_map(move |name| {
            let set: usize = name.strip_prefix(prefix)?.parse().ok()?;
            (set < MAX_SETS).then_some((name.as_str(), set))
        })
    };
    let mut sets: Vec<(&str, usize)> = numbered("_COLOR_").collect();
    for (name, _) in numbered("COLOR_") {
        if let Some(free) = (0..MAX_SETS).find(|place| sets.iter().all(|(_, taken)| taken != place)) {
            sets.push((name, free));
        }
    }
    sets
}

/// Colours of vertices, which are linear in glTF.
fn colors(accessors: &Accessors<'_>, accessor: u32, pointer: Pointer<'_>) -> Result<Vec<[u8; 4]>, ReadError> {
    let byte = |share: f32| (share.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    let coded = |share: f32| byte(super::color::encoded(share));
    Ok(match accessors.get(accessor, pointer)?.kind.as_ref() {
        "VEC3" => {
            let colors = accessors.floats::<3>(accessor, pointer)?;
            colors.into_iter().map(|[r, g, b]| [coded(r), coded(g), coded(b), u8::MAX]).collect()
        }
        _ => {
            let colors = accessors.floats::<4>(accessor, pointer)?;
            colors.into_iter().map(|[r, g, b, a]| [coded(r), coded(g), coded(b), byte(a)]).collect()
        }
    })
}
