//! Geosets to meshes (docs/formats/mdx/geosets.md#matrix-groups).

use std::{collections::BTreeMap, fmt::Arguments};

use glam::{Affine3A, Vec2, Vec3};
use mdx::records::{FaceType, SelectionFlags, WowGeosetSection};
use mdx::tags;
use mdx::view::{Geoset, text};
use record::U16;
use scene::{
    Bounds, Indices, Influence, Joint, Level, LevelRange, Mesh, MeshId, MeshProperty, NodeId, Part, Skin,
    Target,
};

use crate::report::counted;

use super::{Converter, NoteKind, space};
use scene::number::{Finite, all_below};

impl<'d> Converter<'d> {
    pub(super) fn geosets(&mut self) {
        let mut levels: BTreeMap<i32, Vec<MeshId>> = BTreeMap::new();
        self.scene.meshes.reserve(self.model.geosets().count());
        for (index, geoset) in self.model.geosets().enumerate() {
            let mesh = self.geoset(&geoset, index);
            self.scene.meshes.push(mesh);
            // Tools without levels of detail write -1: always shown.
            if let Some(level) =
                geoset.level_of_detail().map(|level| level.level.get()).filter(|level| *level >= 0)
            {
                levels.entry(level).or_default().push(MeshId::from(index));
            }
        }
        // A single level is always shown, and so needs none.
        if levels.len() > 1 {
            let levels = levels.into_iter();
            self.scene.levels =
                levels.map(|(number, meshes)| Level { range: LevelRange::Number(number), meshes }).collect();
        }
        self.geoset_animations();
    }

    fn geoset(&mut self, geoset: &Geoset<'d>, index: usize) -> Mesh {
        let path = format_args!("Geoset[{index}]");
        let name = geoset.level_of_detail().map(|level| text(&level.name)).filter(|name| !name.is_empty());
        let mut mesh = Mesh {
            name: name.map_or_else(|| format!("Geoset {index}"), |name| name.into_owned()),
            selection_group: geoset.selection_group().unwrap_or(0),
            unselectable: geoset.selection_flags().has(if self.is_wow() {
                SelectionFlags::WOW_UNSELECTABLE
            } else {
                SelectionFlags::UNSELECTABLE
            }),
            ..Mesh::default()
        };
        self.vertices(geoset, &mut mesh, path);
        self.bounds(geoset, &mut mesh, path);
        mesh.indices = Indices::Short(self.triangles(geoset, mesh.positions.len(), path));
        let count = u32::try_from(mesh.indices.len()).unwrap_or(u32::MAX);
        let material = geoset.material_id().and_then(|material| self.material_id(material, &path));
        mesh.parts.push(Part { material, start: 0, count });
        mesh.skin = self.skin(geoset, mesh.positions.len(), path);
        mesh
    }

    fn vertices(&mut self, geoset: &Geoset<'d>, mesh: &mut Mesh, path: Arguments<'_>) {
        let batch = geoset.batch_vertices();
        if batch.is_empty() {
            mesh.positions = self.numbers(space::vectors(geoset.positions()), "positions", path);
            mesh.normals = self.numbers(space::vectors(geoset.normals()), "normals", path);
            let tangents = geoset.tangents().iter().map(|tangent| space::tangent(tangent.get()));
            mesh.tangents = self.numbers(tangents.collect(), "tangents", path);
            let sets = geoset.coordinate_sets();
            let set = |set: &[record::Vec2]| set.iter().map(|pair| pair.get().into()).collect();
            mesh.uv_sets = sets.map(|pairs| self.numbers(set(pairs), "texture coordinates", path)).collect();
        } else {
            let positions = batch.iter().map(|vertex| space::vector(vertex.position.get()));
            let normals = batch.iter().map(|vertex| space::vector(vertex.normal.get()));
            mesh.positions = self.numbers(positions.collect(), "positions", path);
            mesh.normals = self.numbers(normals.collect(), "normals", path);
            mesh.uv_sets = [0, 1]
                .map(|set| {
                    let pairs = batch.iter().map(|vertex| vertex.texture_coordinates[set].get().into());
                    self.numbers(pairs.collect(), "texture coordinates", path)
                })
                .into();
            // The second set is there in every file, and mostly empty.
            if mesh.uv_sets[1].iter().all(|pair| *pair == Vec2::ZERO) {
                mesh.uv_sets.truncate(1);
            }
        }
        let count = mesh.positions.len();
        self.one_each(&mut mesh.normals, count, "normals", path);
        self.one_each(&mut mesh.tangents, count, "tangents", path);
        for set in mesh.uv_sets.iter_mut().filter(|set| set.len() != count) {
            let message = format!("{} texture coordinates for {count} vertices", set.len());
            self.note(NoteKind::Damaged, path, message);
            set.resize(count, Vec2::ZERO);
        }
    }

    /// The values, with zeros in the place of those that are no numbers.
    fn numbers<T: Finite + Default>(
        &mut self,
        mut values: Vec<T>,
        what: &str,
        path: Arguments<'_>,
    ) -> Vec<T> {
        if !T::all_finite(&values) {
            for value in values.iter_mut().filter(|value| !value.finite()) {
                *value = T::default();
            }
            self.note(NoteKind::Damaged, path, format!("NaN or infinite {what}, set to zero"));
        }
        values
    }

    /// One for each vertex, or none.
    fn one_each<T>(&mut self, values: &mut Vec<T>, count: usize, what: &str, path: Arguments<'_>) {
        if values.is_empty() || values.len() == count {
            return;
        }
        self.note(NoteKind::Damaged, path, format!("{} {what} for {count} vertices", values.len()));
        values.truncate(count);
        if values.len() < count {
            values.clear();
        }
    }

    fn bounds(&mut self, geoset: &Geoset<'d>, mesh: &mut Mesh, path: Arguments<'_>) {
        if geoset.batch.is_some() {
            // Version 1500 has a ball only.
            let section = geoset.node.value::<WowGeosetSection>();
            mesh.bounds = section.map(|section| {
                let (center, radius) = (space::vector(section.center.get()), section.radius.get());
                Bounds { min: center - radius, max: center + radius, center, radius }
            });
            return;
        }
        mesh.bounds = geoset.extent().as_ref().and_then(space::bounds);
        let (extents, clips) = (geoset.extents(), self.scene.clips.len());
        if extents.len() >= clips {
            mesh.clip_bounds =
                extents[..clips].iter().map(|extent| space::bounds(extent).unwrap_or_default()).collect();
        } else if !extents.is_empty() {
            let message = format!(
                "bounds for {}, but the model has {clips}; dropped",
                counted(extents.len(), "sequence")
            );
            self.note(NoteKind::Skipped, path, message);
        }
    }

    /// Three indices for each triangle, all of vertices that exist.
    fn triangles(&mut self, geoset: &Geoset<'d>, vertices: usize, path: Arguments<'_>) -> Vec<u16> {
        let mut faces = geoset.faces();
        let mut out: Vec<u16> = Vec::with_capacity(faces.len());
        let mut groups = geoset.face_groups().peekable();
        if groups.peek().is_none() && !faces.is_empty() {
            self.note(NoteKind::Assumed, path, "missing PTYP chunk; triangles assumed");
            out.extend(faces.as_chunks::<3>().0.as_flattened().iter().map(|index| index.get()));
            faces = &[];
        }
        for (face_type, count) in groups {
            let (group, rest) = faces.split_at(count.min(faces.len()));
            faces = rest;
            if group.len() < count {
                self.note(NoteKind::Damaged, path, "an index group reaches beyond the indices");
            }
            if !triangulate(face_type, group, &mut out) {
                let message = format!(
                    "an index group of type {face_type:?} draws no triangles; dropped {}",
                    counted(group.len(), "corner")
                );
                self.note(NoteKind::Skipped, path, message);
            }
        }
        if !faces.is_empty() {
            self.note(NoteKind::Damaged, path, format!("indices without a group: {}; dropped", faces.len()));
        }
        if !all_below(&out, vertices) {
            let exists = |index: &u16| usize::from(*index) < vertices;
            self.note(NoteKind::Damaged, path, "triangles with out-of-range indices were dropped");
            let (triangles, _) = out.as_chunks::<3>();
            out =
                triangles.iter().filter(|triangle| triangle.iter().all(exists)).flatten().copied().collect();
        }
        out
    }

    fn skin(&mut self, geoset: &Geoset<'d>, vertices: usize, path: Arguments<'_>) -> Option<Skin> {
        let mut builder = SkinBuilder::new(vertices, &self.pivots);
        let (mut missing, mut outside) = (0, 0);
        if !geoset.batch_vertices().is_empty() {
            let weighted = geoset.batch_vertices().iter().map(|vertex| (vertex.bones, vertex.weights));
            missing = builder.weighted(&self.bones, weighted);
        } else if !geoset.skin().is_empty() {
            let weighted = geoset.skin().iter().map(|vertex| (vertex.bones, vertex.weights));
            missing = builder.weighted(&self.bones, weighted);
        } else if !geoset.wide_skin().is_empty() {
            let weighted = geoset.wide_skin().iter();
            let weighted = weighted.map(|vertex| (vertex.bones.map(U16::get), vertex.weights.map(U16::get)));
            missing = builder.weighted(&self.bones, weighted);
        } else {
            // A byte says which a vertex is in.
            for matrices in geoset.groups().take(256) {
                let known = matrices.iter().filter_map(|matrix| {
                    let id = self.node_with_id(matrix.get().cast_signed());
                    missing += usize::from(id.is_none());
                    id
                });
                builder.group(known);
            }
            outside = builder.grouped(geoset.vertex_groups());
        }
        let mut skin = builder.skin;
        // A vertex without weights does not move.
        skin.sets.resize(vertices, u32::MAX);
        if outside > 0 {
            let message = format!("vertices without a matrix group: {outside}; they will not move");
            self.note(NoteKind::Damaged, path, message);
        }
        if missing > 0 {
            let message = format!("{} to missing bones", counted(missing, "reference"));
            self.note(NoteKind::Missing, path, message);
        }
        Some(skin).filter(|skin| !skin.joints.is_empty())
    }

    fn geoset_animations(&mut self) {
        let mut seen = vec![false; self.scene.meshes.len()];
        for (index, animation) in self.model.geoset_animations().enumerate() {
            let path = format_args!("GeosetAnimation[{index}]");
            let geoset = usize::try_from(animation.geoset_id).unwrap_or(usize::MAX);
            let Some(mesh) = self.scene.meshes.get_mut(geoset) else {
                self.note(NoteKind::Missing, path, format!("geoset {} does not exist", animation.geoset_id));
                continue;
            };
            if std::mem::replace(&mut seen[geoset], true) {
                self.note(
                    NoteKind::Skipped,
                    path,
                    format!("duplicate animation of geoset {geoset}; the first one is used"),
                );
                continue;
            }
            if let Some(color) = animation.color.map(Vec3::from).filter(|color| color.is_finite()) {
                mesh.color = color;
            }
            if animation.alpha.is_finite() {
                mesh.alpha = animation.alpha;
            }
            if self.model.dialect == mdx::Dialect::Warcraft {
                mesh.casts_shadow = animation.drop_shadow;
            }
            let mesh = MeshId::from(geoset);
            for track in mdx::view::tracks(animation.node) {
                match track.row.tag {
                    tags::KGAO => self.scalar(&track, Target::Mesh(mesh, MeshProperty::Alpha), 1.0),
                    tags::KGAC => self.color(&track, Target::Mesh(mesh, MeshProperty::Color)),
                    _ => self.unplaced(&track, path),
                }
            }
        }
    }
}

/// Appends the triangles of a group of indices; `false` if it has no surface. All start as they are given, so a face that was
/// counter-clockwise stays so.
fn triangulate(face_type: FaceType, group: &[U16], out: &mut Vec<u16>) -> bool {
    let index = |index: &U16| index.get();
    match face_type {
        FaceType::TRIANGLES => out.extend(group.as_chunks::<3>().0.as_flattened().iter().map(index)),
        FaceType::TRIANGLE_STRIP => {
            for (number, corners) in group.windows(3).enumerate() {
                // Every other triangle of a strip goes the other way round.
                let order = if number % 2 == 0 { [0, 1, 2] } else { [1, 0, 2] };
                out.extend(order.map(|corner| index(&corners[corner])));
            }
        }
        FaceType::TRIANGLE_FAN | FaceType::POLYGON => {
            let Some((first, rest)) = group.split_first() else { return true };
            out.extend(rest.windows(2).flat_map(|pair| [index(first), index(&pair[0]), index(&pair[1])]));
        }
        FaceType::QUADS => {
            for [a, b, c, d] in group.as_chunks::<4>().0 {
                out.extend([a, b, c, a, c, d].map(index));
            }
        }
        FaceType::QUAD_STRIP => {
            for pair in group.as_chunks::<2>().0.windows(2) {
                let ([a, b], [d, c]) = (&pair[0], &pair[1]);
                out.extend([a, b, c, a, c, d].map(index));
            }
        }
        _ => return false,
    }
    true
}

/// More matrices than this in a group are no model, but a small file that wants a lot of memory.
const MAX_JOINTS: usize = 256;

const NO_JOINT: u32 = u32::MAX;

/// A skin in the making: joints only for nodes that are used.
struct SkinBuilder<'p> {
    skin: Skin,
    /// For each node its joint, or [`NO_JOINT`].
    joints: Vec<u32>,
    pivots: &'p [Vec3],
    vertices: usize,
}

/// A bone or a weight, of one byte or two.
trait SkinPart: Copy + Into<u32> {
    /// Both of a vertex as one number.
    fn both(bones: [Self; 4], weights: [Self; 4]) -> u128;
}

impl SkinPart for u8 {
    fn both(bones: [u8; 4], weights: [u8; 4]) -> u128 {
        (u64::from(u32::from_le_bytes(bones)) << 32 | u64::from(u32::from_le_bytes(weights))).into()
    }
}

impl SkinPart for u16 {
    fn both(bones: [u16; 4], weights: [u16; 4]) -> u128 {
        bones.into_iter().chain(weights).fold(0, |both, part| both << 16 | u128::from(part))
    }
}

/// A vertex that was seen: its bones and weights, its set, and how many of the bones do not exist.
#[derive(Clone, Copy)]
struct Seen {
    both: u128,
    set: u32,
    missing: usize,
}

impl<'p> SkinBuilder<'p> {
    fn new(vertices: usize, pivots: &'p [Vec3]) -> Self {
        Self { skin: Skin::default(), joints: vec![NO_JOINT; pivots.len()], pivots, vertices }
    }

    fn joint(&mut self, node: NodeId) -> u32 {
        let joint = &mut self.joints[node.index()];
        if *joint == NO_JOINT {
            *joint = u32::try_from(self.skin.joints.len()).unwrap_or(NO_JOINT);
            let inverse_bind = Affine3A::from_translation(-self.pivots[node.index()]);
            self.skin.joints.push(Joint { node, inverse_bind });
        }
        *joint
    }

    /// Adds a group of these nodes in equal shares; one that is there twice has two of them.
    fn group(&mut self, nodes: impl Iterator<Item = NodeId>) {
        let start = self.skin.influences.len();
        let mut count = 0_u16;
        for node in nodes.take(MAX_JOINTS) {
            count = count.saturating_add(1);
            let joint = self.joint(node);
            match self.skin.influences[start..].iter_mut().find(|influence| influence.joint == joint) {
                Some(influence) => influence.weight += 1.0,
                None => self.skin.influences.push(Influence { joint, weight: 1.0 }),
            }
        }
        for influence in &mut self.skin.influences[start..] {
            influence.weight /= f32::from(count);
        }
        self.skin.push_set([]);
    }

    /// Gives each vertex its group. The result is how many have none that moves them.
    fn grouped(&mut self, of_vertices: &[u8]) -> usize {
        let of_vertices = &of_vertices[..of_vertices.len().min(self.vertices)];
        self.skin.sets = of_vertices.iter().map(|group| u32::from(*group)).collect();
        let mut moves = [false; 256];
        for (group, moves) in moves.iter_mut().enumerate().take(self.skin.ends.len()) {
            *moves = !self.skin.set(group as u32).is_empty();
        }
        let moved = of_vertices.iter().filter(|group| moves[usize::from(**group)]).count();
        self.vertices - moved
    }

    /// Gives each vertex up to four bones by weight. The result is how many do not exist.
    fn weighted<T: SkinPart>(
        &mut self,
        bones: &[NodeId],
        vertices: impl Iterator<Item = ([T; 4], [T; 4])>,
    ) -> usize {
        const PLACES: usize = 256;
        // Neighbours often have the same bones: a small cache of the last ones.
        let mut known = [Seen { both: 0, set: u32::MAX, missing: 0 }; PLACES];
        let mut missing = 0;
        let sets = vertices.take(self.vertices).map(|(indices, weights)| {
            let both = T::both(indices, weights);
            let hash = (both as u64 ^ (both >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let seen = &mut known[(hash >> 56) as usize % PLACES];
            if seen.both != both || seen.set == u32::MAX {
                let (set, missing) = self.weighted_set(bones, indices.map(T::into), weights.map(T::into));
                *seen = Seen { both, set, missing };
            }
            missing += seen.missing;
            seen.set
        });
        let sets: Vec<u32> = sets.collect();
        self.skin.sets = sets;
        missing
    }

    /// A set of up to four bones, and how many of them do not exist.
    fn weighted_set(&mut self, bones: &[NodeId], indices: [u32; 4], weights: [u32; 4]) -> (u32, usize) {
        let mut found = [Influence::default(); 4];
        let (mut count, mut sum, mut missing) = (0, 0, 0);
        for (index, weight) in indices.into_iter().zip(weights).filter(|(_, weight)| *weight > 0) {
            let Some(bone) = bones.get(index as usize) else {
                missing += 1;
                continue;
            };
            let joint = self.joint(*bone);
            sum += weight;
            #[expect(clippy::cast_precision_loss, reason = "weights have at most 16 bits")]
            let weight = weight as f32;
            match found[..count].iter_mut().find(|influence| influence.joint == joint) {
                Some(influence) => influence.weight += weight,
                None => {
                    found[count] = Influence { joint, weight };
                    count += 1;
                }
            }
        }
        // They add up to 255 in every known file; this also makes up for bones that are missing.
        #[expect(clippy::cast_precision_loss, reason = "four weights have at most 18 bits")]
        let sum = sum as f32;
        for influence in &mut found[..count] {
            influence.weight /= sum;
        }
        (self.skin.push_set(found[..count].iter().copied()), missing)
    }
}
