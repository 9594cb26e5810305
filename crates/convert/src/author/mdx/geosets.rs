//! Meshes to geosets.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;
use glam::{Affine3A, Mat3A, Vec3, Vec3A, Vec4};
use mdx::build::{branch, part};
use mdx::records::{
    FaceType, GeosetAnimationFlags, GeosetAnimationHeader, GeosetHeader, GeosetLevelOfDetail, SelectionFlags,
};
use mdx::{Error, Gate, kinds, tags};
use record::{F32, I32, Node, U16, U32, build};
use scene::{Bounds, Influence, Joint, LevelRange, Mesh, MeshId, MeshProperty, Target, VertexTransform};

use super::super::split::{Limits, Piece, split};
use super::super::weights::{bytes, shares};
use super::colors::{self, Part};
use super::materials::Materials;
use super::nodes::Layout;
use super::rest::Frame;
use super::tracks::Unsaid;
use super::{Author, chars, extents, refuse, signed, space};
use crate::report::NoteKind;

/// The classic game draws garbage from 7,433 vertices on.
const MAX_CLASSIC_VERTICES: usize = 7432;

/// Indices have 16 bits.
const MAX_VERTICES: usize = 65_535;

/// The group of a vertex is stored in a byte.
const MAX_GROUPS: usize = 256;

/// `SKIN` stores the bones of a vertex in bytes.
const MAX_SKIN_BONES: usize = 256;

/// Largest number of bones in a matrix group; a repeated bone counts each time.
const MAX_SHARES: usize = 8;

/// The chunks of all meshes.
#[derive(Default)]
pub(super) struct Geosets {
    pub(super) nodes: Vec<Node<'static>>,
    pub(super) animations: Vec<Node<'static>>,
    /// Whether any geoset has `SKIN`.
    pub(super) has_skin: bool,
    /// The only geoset that each bone moves; nothing for several.
    moved: HashMap<usize, Option<usize>>,
}

impl Geosets {
    pub(super) fn only_geoset(&self, bone: usize) -> Option<usize> {
        self.moved.get(&bone).copied().flatten()
    }
}

/// How the vertices of a mesh are moved.
enum Binding {
    /// For each vertex its group, and the bones of each.
    Groups(Vec<u32>, Vec<Vec<usize>>),
    /// For each vertex four bones and weights.
    Weights(Vec<([usize; 4], [u8; 4])>),
}

/// A mesh in model space in the rest pose.
struct Placed<'m> {
    mesh: &'m Mesh,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
    /// Whether no vertex was moved, so that the mesh's own bounds are valid.
    is_as_given: bool,
    /// Whether each vertex was mirrored; empty if none was.
    mirrored: Vec<bool>,
}

impl Placed<'_> {
    /// Changes the order of the corners of mirrored triangles, so that their fronts stay in front.
    fn keep_fronts(&self, indices: &mut [u32]) {
        for [first, second, third] in indices.as_chunks_mut::<3>().0 {
            if self.mirrored.get(*first as usize) == Some(&true) {
                std::mem::swap(second, third);
            }
        }
    }
}

/// Normals of a node that is written without a rest pose. The game multiplies normals by the same matrix as positions, which turns them away
/// from the surface where the scale is uneven. So a normal is stored that the matrix of the rest pose turns to the right direction.
struct WholeNormals {
    to_rest: VertexTransform,
    back: Mat3A,
}

impl WholeNormals {
    fn new(frame: &Frame, bind: Affine3A) -> Option<Self> {
        frame.whole?;
        let back = frame.at_rest.matrix3.inverse();
        back.is_finite().then(|| Self { to_rest: VertexTransform::new(&(frame.at_rest * bind)), back })
    }

    fn stored(&self, normal: Vec3) -> Vec3 {
        let turned = self.back * Vec3A::from(self.to_rest.normal(normal));
        turned.try_normalize().map_or(normal, Vec3::from)
    }
}

/// The bones of a geoset's vertices.
struct Bound {
    /// The group of each vertex; empty with weights.
    groups: Vec<u8>,
    group_sizes: Vec<U32>,
    /// The bones of the groups, one after the other.
    matrices: Vec<U32>,
    /// The bones and weights of each vertex.
    skin: Option<Vec<u8>>,
    /// All bones that move vertices, some more than once.
    bones: Vec<usize>,
}

fn words(values: &[usize]) -> Vec<U32> {
    values.iter().map(|value| U32::new(u32::try_from(*value).unwrap_or(u32::MAX))).collect()
}

impl Author<'_> {
    pub(super) fn geosets(&mut self, layout: &Layout, materials: &Materials) -> Result<Geosets, Error> {
        let scene = self.scene;
        let mut geosets = Geosets::default();
        let levels = self.levels();
        let (mut hidden, mut lesser, mut colors) = (0, 0, 0);
        for (number, mesh) in scene.meshes.iter().enumerate() {
            if mesh.hidden {
                hidden += 1;
                continue;
            }
            let level = levels.get(&number).copied();
            if level.is_some_and(|level| level > 0) && !self.builder.gates.has(Gate::GeosetLevelOfDetail) {
                lesser += 1;
                continue;
            }
            let level = level.unwrap_or(if scene.levels.is_empty() { 0 } else { -1 });
            let keeps_colors = self.mesh(number, mesh, level, layout, materials, &mut geosets)?;
            colors += usize::from(!keeps_colors);
        }
        let meshes = |count: usize| if count == 1 { "1 mesh".to_owned() } else { format!("{count} meshes") };
        if hidden > 0 {
            self.lost("GEOS", format!("{} dropped: hidden, and MDX draws every geoset", meshes(hidden)));
        }
        if lesser > 0 {
            let message = format!(
                "{} of lower levels of detail dropped: version 800 has one level; write version 1000 or later to keep them",
                meshes(lesser)
            );
            self.lost("GEOS", message);
        }
        if colors > 0 {
            let message =
                format!("vertex colours of {} became one colour each: MDX has none", meshes(colors));
            self.lost("GEOS", message);
        }
        Ok(geosets)
    }

    /// The level of detail of each mesh that is in one.
    fn levels(&self) -> BTreeMap<usize, i32> {
        let mut levels = BTreeMap::new();
        for (place, level) in self.scene.levels.iter().enumerate() {
            let number = if let LevelRange::Number(number) = level.range { number } else { signed(place) };
            for mesh in &level.meshes {
                levels.entry(mesh.index()).or_insert(number);
            }
        }
        levels
    }

    /// Writes a mesh; returns whether its vertex colours are kept.
    fn mesh(
        &mut self,
        number: usize,
        mesh: &Mesh,
        level: i32,
        layout: &Layout,
        materials: &Materials,
        geosets: &mut Geosets,
    ) -> Result<bool, Error> {
        let path = if mesh.name.is_empty() { format!("mesh {number}") } else { mesh.name.clone() };
        let placed = self.place(mesh);
        let name = self.mesh_name(number, mesh);
        let (parts, keeps_colors) = colors::divide(parts(mesh), mesh, &self.scene.materials);
        let part_count = parts.len();
        let limits = Limits {
            vertices: if self.builder.gates.has(Gate::GeosetLevelOfDetail) {
                MAX_VERTICES
            } else {
                MAX_CLASSIC_VERTICES
            },
            groups: MAX_GROUPS,
        };
        let mut pieces = 0;
        for Part { material, mut indices, color } in parts {
            placed.keep_fronts(&mut indices);
            let is_hd = materials.is_hd(material) || !mesh.tangents.is_empty();
            let binding = self.binding(mesh, layout, is_hd, &path)?;
            let whole = part_count == 1
                && placed.positions.len() <= limits.vertices
                && !matches!(&binding, Binding::Groups(_, groups) if groups.len() > limits.groups);
            let cut = if whole {
                let indices = indices.iter().map(|index| u16::try_from(*index).unwrap_or(u16::MAX)).collect();
                let count = u32::try_from(placed.positions.len()).unwrap_or(u32::MAX);
                vec![Piece { vertices: (0..count).collect(), indices }]
            } else {
                let group = |vertex: u32| match &binding {
                    Binding::Groups(of_vertices, _) => of_vertices[vertex as usize],
                    Binding::Weights(_) => 0,
                };
                split(&indices, placed.positions.len(), limits, group)
            };
            pieces += cut.len();
            for piece in cut {
                let geoset = geosets.nodes.len();
                let name = if whole { name.clone() } else { format!("{name} {geoset}") };
                self.geoset(
                    &placed,
                    &piece,
                    &binding,
                    materials.of_mesh(material),
                    level,
                    &name,
                    whole,
                    geosets,
                );
                let used = material.and_then(|material| self.scene.materials.get(material.index()));
                let tint = colors::tint(mesh, &piece, color, used, materials.tint(material));
                if let Some(animation) = self.geoset_animation(MeshId::from(number), mesh, geoset, tint) {
                    geosets.animations.push(animation);
                }
            }
        }
        if pieces > part_count {
            let message = format!(
                "divided into {pieces} geosets: one has at most {} vertices and {MAX_GROUPS} groups of bones",
                limits.vertices
            );
            self.note(NoteKind::Assumed, &path, message);
        }
        Ok(keeps_colors)
    }

    /// A geoset without a name gets one when it is read.
    fn mesh_name(&self, number: usize, mesh: &Mesh) -> String {
        let is_default = mesh.name == format!("Geoset {number}");
        if is_default { String::new() } else { mesh.name.clone() }
    }

    /// Transforms a mesh into model space in the rest pose.
    fn place<'m>(&self, mesh: &'m Mesh) -> Placed<'m> {
        let mut placed = Placed {
            mesh,
            positions: mesh.positions.clone(),
            normals: mesh.normals.clone(),
            tangents: mesh.tangents.clone(),
            is_as_given: true,
            mirrored: Vec::new(),
        };
        let mut apply = |vertex: usize, by: &VertexTransform| {
            placed.positions[vertex] = by.position(placed.positions[vertex]);
            placed.normals.get_mut(vertex).into_iter().for_each(|normal| *normal = by.normal(*normal));
            placed.tangents.get_mut(vertex).into_iter().for_each(|tangent| *tangent = by.tangent(*tangent));
        };
        let count = mesh.positions.len();
        match &mesh.skin {
            None => {
                let Some(frame) = mesh.node.and_then(|node| self.rest.0.get(node.index())) else {
                    return placed;
                };
                if frame.world != Affine3A::IDENTITY {
                    let by = VertexTransform::new(&frame.world);
                    (0..count).for_each(|vertex| apply(vertex, &by));
                    placed.is_as_given = false;
                }
                if frame.is_mirrored {
                    placed.mirrored = vec![true; count];
                }
                if let Some(normals) = WholeNormals::new(frame, Affine3A::IDENTITY) {
                    placed.normals.iter_mut().for_each(|normal| *normal = normals.stored(*normal));
                    placed.is_as_given = false;
                }
            }
            Some(skin) => {
                let palette: Vec<Affine3A> =
                    skin.joints.iter().map(|joint| self.bind_to_rest(joint)).collect();
                if palette.iter().any(|matrix| *matrix != Affine3A::IDENTITY) {
                    let plays_mirrored = |vertex: usize| {
                        let joint =
                            skin.of(vertex).first().and_then(|first| skin.joints.get(first.joint as usize));
                        let frame = joint.and_then(|joint| self.rest.0.get(joint.node.index()));
                        frame.is_some_and(|frame| frame.whole.is_some() && frame.is_mirrored)
                    };
                    let mut mirrored = Vec::with_capacity(count);
                    for vertex in 0..count {
                        let by = VertexTransform::new(&skin.blend(vertex, &palette));
                        apply(vertex, &by);
                        // Nodes without a rest pose mirror while they play.
                        mirrored.push(by.is_mirrored() != plays_mirrored(vertex));
                    }
                    placed.is_as_given = false;
                    placed.mirrored = mirrored;
                    let frame = |joint: &Joint| self.rest.0.get(joint.node.index());
                    let normals: Vec<Option<WholeNormals>> = skin
                        .joints
                        .iter()
                        .map(|joint| WholeNormals::new(frame(joint)?, joint.inverse_bind))
                        .collect();
                    if normals.iter().any(Option::is_some) {
                        for (vertex, normal) in placed.normals.iter_mut().enumerate().take(count) {
                            let first = skin.of(vertex).iter().find(|influence| influence.weight > 0.0);
                            let of_joint =
                                first.and_then(|first| normals.get(first.joint as usize)?.as_ref());
                            if let (Some(of_joint), Some(own)) = (of_joint, mesh.normals.get(vertex)) {
                                *normal = of_joint.stored(*own);
                            }
                        }
                    }
                }
            }
        }
        placed
    }

    /// From where a joint binds vertices to where the rest pose has them; exactly nothing if the two are one.
    fn bind_to_rest(&self, joint: &Joint) -> Affine3A {
        let Some(frame) = self.rest.0.get(joint.node.index()) else { return Affine3A::IDENTITY };
        let matrix = frame.world * joint.inverse_bind;
        let room = 1e-5 * (1.0 + frame.pivot.abs().max_element());
        let is_same = matrix.matrix3.abs_diff_eq(Mat3A::IDENTITY, 1e-5)
            && matrix.translation.abs().max_element() < room;
        if is_same { Affine3A::IDENTITY } else { matrix }
    }

    /// How the vertices of a mesh are moved.
    fn binding(&mut self, mesh: &Mesh, layout: &Layout, is_hd: bool, path: &str) -> Result<Binding, Error> {
        let vertices = mesh.positions.len();
        let root = layout.root.unwrap_or(0);
        let Some(skin) = &mesh.skin else {
            let bone = layout.bone(mesh.node).unwrap_or(root);
            if is_hd && self.builder.gates.has(Gate::GeosetLevelOfDetail) {
                self.count_bones(bone, path)?;
                return Ok(Binding::Weights(vec![([bone, 0, 0, 0], [255, 0, 0, 0]); vertices]));
            }
            return Ok(Binding::Groups(vec![0; vertices], vec![vec![bone]]));
        };
        let bone = |joint: u32| {
            let node = skin.joints.get(joint as usize).map(|joint| joint.node);
            layout.bone(node).unwrap_or(root)
        };
        let has_weights = self.builder.gates.has(Gate::GeosetLevelOfDetail);
        let tolerance = if has_weights { 1e-5 } else { self.options.weight_error.max(0.0) };
        let sets = skin.ends.len();
        let share =
            |influences: &[Influence]| shares(influences, MAX_SHARES.max(influences.len()), tolerance);
        let shared: Vec<_> = (0..sets).map(|set| share(skin.set(set as u32))).collect();
        let used = || skin.sets.iter().filter_map(|set| shared.get(*set as usize));
        let error = used().map(|shares| shares.error).fold(0.0, f32::max);
        let are_equal_shares = error < 1e-5;
        let are_bytes = || {
            let whole = |weight: f32| (weight * 255.0 - (weight * 255.0).round()).abs() < 1e-3;
            skin.influences.iter().all(|influence| whole(influence.weight))
        };
        let by_weights = has_weights && (!are_equal_shares || is_hd && are_bytes());
        if by_weights {
            let mut worst = 0.0_f32;
            let mut of_sets = Vec::with_capacity(sets);
            for set in 0..sets {
                let (joints, weights, error) = bytes(skin.set(set as u32));
                worst = worst.max(error);
                let mut bones = [0; 4];
                for (index, joint) in joints.into_iter().enumerate().filter(|(index, _)| weights[*index] > 0)
                {
                    bones[index] = bone(joint);
                    self.count_bones(bones[index], path)?;
                }
                of_sets.push(if weights == [0; 4] {
                    ([root, 0, 0, 0], [255, 0, 0, 0])
                } else {
                    (bones, weights)
                });
            }
            if worst > 0.004 {
                self.lost(
                    path,
                    format!("weights changed by up to {worst:.3}: a vertex has four bones at most"),
                );
            }
            let loose = ([root, 0, 0, 0], [255, 0, 0, 0]);
            let weights = (0..vertices).map(|vertex| {
                skin.sets.get(vertex).and_then(|set| of_sets.get(*set as usize)).copied().unwrap_or(loose)
            });
            return Ok(Binding::Weights(weights.collect()));
        }
        if error > 1e-5 {
            self.lost(path, format!("weights changed by up to {error:.3}: matrix groups have equal shares"));
        }
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut known: HashMap<Vec<usize>, u32, RandomState> = HashMap::default();
        let mut number = |bones: Vec<usize>| {
            *known.entry(bones).or_insert_with_key(|bones| {
                groups.push(bones.clone());
                u32::try_from(groups.len() - 1).unwrap_or(u32::MAX)
            })
        };
        let mut of_sets: Vec<Option<u32>> = vec![None; sets];
        let mut loose = None;
        let of_vertices: Vec<u32> = (0..vertices)
            .map(|vertex| {
                let set = skin.sets.get(vertex).map(|set| *set as usize).filter(|set| *set < sets);
                let Some(set) = set.filter(|set| !shared[*set].joints.is_empty()) else {
                    return *loose.get_or_insert_with(|| number(vec![root]));
                };
                *of_sets[set].get_or_insert_with(|| {
                    number(shared[set].joints.iter().map(|joint| bone(*joint)).collect())
                })
            })
            .collect();
        Ok(Binding::Groups(of_vertices, groups))
    }

    fn count_bones(&self, bone: usize, path: &str) -> Result<(), Error> {
        if bone < MAX_SKIN_BONES {
            return Ok(());
        }
        Err(refuse(format!(
            "{path}: bone {bone} moves vertices, but skin weights can refer to {MAX_SKIN_BONES} bones; remove bones, or write version 800"
        )))
    }

    /// The bones of the vertices at `places`, as a geoset stores them.
    fn bound(&self, binding: &Binding, places: &[usize]) -> Bound {
        match binding {
            Binding::Groups(of_vertices, all) => {
                // Only those that are used, in the order of their first use.
                let mut numbers: HashMap<u32, u8, RandomState> = HashMap::default();
                let mut used: Vec<&Vec<usize>> = Vec::new();
                let groups: Vec<u8> = places
                    .iter()
                    .map(|index| {
                        *numbers.entry(of_vertices[*index]).or_insert_with_key(|group| {
                            used.push(&all[*group as usize]);
                            u8::try_from(used.len() - 1).unwrap_or(u8::MAX)
                        })
                    })
                    .collect();
                let bones: Vec<usize> = used.iter().copied().flatten().copied().collect();
                let sizes: Vec<usize> = used.iter().map(|group| group.len()).collect();
                Bound { groups, group_sizes: words(&sizes), matrices: words(&bones), skin: None, bones }
            }
            Binding::Weights(all) => {
                let bones = places
                    .iter()
                    .flat_map(|index| {
                        let (bones, weights) = all[*index];
                        bones.into_iter().zip(weights).filter(|(_, weight)| *weight > 0).map(|(bone, _)| bone)
                    })
                    .collect();
                let skin: Vec<u8> = places
                    .iter()
                    .flat_map(|index| {
                        let (bones, weights) = all[*index];
                        bones.map(|bone| u8::try_from(bone).unwrap_or(u8::MAX)).into_iter().chain(weights)
                    })
                    .collect();
                // All bones in order, so that places in this list and numbers of bones are the same.
                let count = self.bone_count.min(MAX_SKIN_BONES);
                let all_bones: Vec<usize> = (0..count).collect();
                Bound {
                    groups: Vec::new(),
                    group_sizes: words(&vec![1; count]),
                    matrices: words(&all_bones),
                    skin: Some(skin),
                    bones,
                }
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "each is one part of a geoset")]
    fn geoset(
        &mut self,
        placed: &Placed<'_>,
        piece: &Piece,
        binding: &Binding,
        material: u32,
        level: i32,
        name: &str,
        whole: bool,
        geosets: &mut Geosets,
    ) {
        let mesh = placed.mesh;
        let take = |vertex: &u32| *vertex as usize;
        let places: Vec<usize> = piece.vertices.iter().map(take).collect();
        let positions: Vec<record::Vec3> =
            places.iter().map(|index| space::vector(placed.positions[*index])).collect();
        let faces: Vec<U16> = piece.indices.iter().map(|index| U16::new(*index)).collect();
        let normals: Vec<record::Vec3> = if placed.normals.len() == placed.positions.len() {
            places.iter().map(|index| space::vector(placed.normals[*index])).collect()
        } else {
            mdx::build::vertex_normals(&positions, piece.indices.as_chunks::<3>().0)
        };
        let mut bound = self.bound(binding, &places);
        let geoset = geosets.nodes.len();
        bound.bones.sort_unstable();
        bound.bones.dedup();
        for bone in bound.bones {
            geosets.moved.entry(bone).and_modify(|only| *only = None).or_insert(Some(geoset));
        }
        geosets.has_skin |= bound.skin.is_some();
        let arrays = vec![
            build(kinds::VRTX, &positions),
            build(kinds::NRMS, &normals),
            build(kinds::PTYP, &[FaceType::TRIANGLES]),
            build(kinds::PCNT, &words(&[faces.len()])),
            build(kinds::PVTX, &faces),
            build(kinds::GNDX, &bound.groups),
            build(kinds::MTGC, &bound.group_sizes),
            build(kinds::MATS, &bound.matrices),
        ];
        let mut tail = Vec::new();
        if self.builder.gates.has(Gate::GeosetLevelOfDetail) {
            if placed.tangents.len() == placed.positions.len() && !placed.tangents.is_empty() {
                let tangents: Vec<record::Vec4> =
                    places.iter().map(|index| space::tangent(placed.tangents[*index])).collect();
                tail.push(build(kinds::TANG, &tangents));
            }
            tail.extend(bound.skin.map(|skin| build(kinds::SKIN, &skin)));
        }
        let mut sets: Vec<Node<'static>> = mesh
            .uv_sets
            .iter()
            .filter(|set| set.len() == placed.positions.len())
            .map(|set| {
                let pairs: Vec<record::Vec2> =
                    places.iter().map(|index| record::Vec2::new(set[*index].x, set[*index].y)).collect();
                build(kinds::UVBS, &pairs)
            })
            .collect();
        if sets.is_empty() {
            sets.push(build(kinds::UVBS, &vec![record::Vec2::default(); places.len()]));
        }
        tail.push(branch(&kinds::UVAS, sets));
        let header = GeosetHeader {
            material_id: U32::new(material),
            selection_group: U32::new(mesh.selection_group),
            selection_flags: if mesh.unselectable {
                SelectionFlags::UNSELECTABLE
            } else {
                SelectionFlags::default()
            },
        };
        let keeps_bounds = placed.is_as_given && whole;
        let own = mesh.bounds.filter(|_| keeps_bounds);
        let bounds = own
            .or_else(|| Bounds::around(places.iter().map(|index| placed.positions[*index])))
            .unwrap_or_default();
        let in_clips = self.geoset_extents(mesh, keeps_bounds, &places, &placed.positions);
        let level = GeosetLevelOfDetail { level: I32::new(level), name: chars(name) };
        let extent = if own.is_some() { space::extent(&bounds) } else { extents::extent(&bounds) };
        geosets.nodes.push(self.builder.geoset(arrays, &header, &level, &extent, &in_clips, tail));
    }

    fn geoset_animation(
        &mut self,
        id: MeshId,
        mesh: &Mesh,
        geoset: usize,
        tint: Vec4,
    ) -> Option<Node<'static>> {
        let target = |property| Target::Mesh(id, property);
        let path = mesh.name.clone();
        let alpha = (self.motion(target(MeshProperty::Alpha), mesh.alpha), mesh.alpha);
        let shown = (self.motion(target(MeshProperty::Visibility), 1.0), 1.0);
        let of_node = self.node_visibility(mesh.node);
        let shown = self.product(shown, of_node, &path);
        let (motion, alpha) = self.product(alpha, shown, &path);
        let alpha = alpha * tint.w;
        let color = mesh.color * tint.truncate();
        let mut tracks = Vec::new();
        tracks.extend(
            self.track(tags::KGAO, motion, Unsaid::other(alpha, 1.0), F32::new, |value, _| F32::new(value)),
        );
        let unsaid = Unsaid { scene: mesh.color, game: Some(Vec3::ZERO), disputed: true };
        let colors = self.color(tags::KGAC, target(MeshProperty::Color), unsaid);
        let is_colored = color != Vec3::ONE || colors.is_some();
        tracks.extend(colors);
        if tracks.is_empty() && !is_colored && alpha == 1.0 && mesh.casts_shadow {
            return None;
        }
        let mut flags = GeosetAnimationFlags::default();
        if mesh.casts_shadow {
            flags = flags | GeosetAnimationFlags::DROP_SHADOW;
        }
        if is_colored {
            flags = flags | GeosetAnimationFlags::COLOR;
        }
        let header = GeosetAnimationHeader {
            alpha: F32::new(alpha),
            flags,
            color: space::plain(color),
            geoset_id: I32::new(signed(geoset)),
        };
        Some(branch(&kinds::GEOSET_ANIMATION, std::iter::once(part(&header)).chain(tracks).collect()))
    }
}

/// The triangles of each material. Triangles that no part has are drawn with none.
fn parts(mesh: &Mesh) -> Vec<Part> {
    let all: Vec<u32> = mesh.indices.iter().collect();
    if mesh.parts.is_empty() {
        return vec![Part::new(None, all)];
    }
    let mut parts: Vec<Part> = Vec::new();
    for part in &mesh.parts {
        let start = (part.start as usize).min(all.len());
        let end = start.saturating_add(part.count as usize).min(all.len());
        match parts.iter_mut().find(|known| known.material == part.material) {
            Some(known) => known.indices.extend(&all[start..end]),
            None => parts.push(Part::new(part.material, all[start..end].to_vec())),
        }
    }
    parts
}
