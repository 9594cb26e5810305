//! How meshes differ: vertices and triangles that belong together, and what they have of their own.

use super::matching::same_name;
use super::{Edit, Matches, Side, Sizes};
use foldhash::fast::RandomState;
use glam::Vec3;
use scene::{MaterialId, Mesh, MeshId, NodeId, Scene};
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display, Formatter};

/// A changed mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshEdit {
    /// The mesh of the original.
    pub mesh: MeshId,
    /// The index of the mesh in the edited scene.
    pub edited: usize,
    /// For each vertex of the edited mesh the vertex of the original that it was.
    pub vertices: Vec<Option<u32>>,
    /// For each triangle of the edited mesh the triangle of the original that it was.
    pub triangles: Vec<Option<u32>>,
    /// Triangles of the original that are gone.
    pub removed: Vec<u32>,
    /// What is different.
    pub changes: Vec<MeshChange>,
    /// For each triangle of the edited mesh whether it belongs to this edit; all do if there is no list.
    pub(super) kept: Option<Vec<bool>>,
}

/// What of a mesh is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshChange {
    /// Positions of vertices.
    Positions,
    /// Normals.
    Normals,
    /// Texture coordinates.
    Coordinates,
    /// Colours of vertices.
    Colors,
    /// Weights of joints.
    Weights,
    /// Triangles were added or removed.
    Triangles,
    /// Triangles have other materials.
    Materials,
    /// It is on another node.
    Node,
}

impl MeshEdit {
    /// Whether this is different.
    #[must_use]
    pub fn has(&self, change: MeshChange) -> bool {
        self.changes.contains(&change)
    }

    /// The edit without the triangles of all other materials: they count as removed.
    pub(super) fn restricted(&self, edited: &Mesh, keeps: impl Fn(Option<MaterialId>) -> bool) -> Self {
        let mut is_kept = vec![false; self.triangles.len()];
        for part in edited.parts.iter().filter(|part| keeps(part.material)) {
            let (start, count) = ((part.start / 3) as usize, (part.count / 3) as usize);
            is_kept.iter_mut().skip(start).take(count).for_each(|kept| *kept = true);
        }
        let mut restricted = self.clone();
        let others = is_kept.iter().zip(&self.triangles).filter(|(kept, _)| !**kept);
        restricted.removed.extend(others.filter_map(|(_, origin)| *origin));
        restricted.kept = Some(is_kept);
        restricted
    }

    /// Whether a triangle of the edited mesh belongs to it.
    pub(super) fn keeps(&self, triangle: usize) -> bool {
        self.kept.as_ref().is_none_or(|kept| kept.get(triangle) == Some(&true))
    }
}

impl Display for MeshEdit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let word = |change: &MeshChange| match change {
            MeshChange::Positions => "positions",
            MeshChange::Normals => "normals",
            MeshChange::Coordinates => "texture coordinates",
            MeshChange::Colors => "vertex colours",
            MeshChange::Weights => "weights",
            MeshChange::Triangles => "triangles",
            MeshChange::Materials => "materials of triangles",
            MeshChange::Node => "node",
        };
        let words: Vec<&str> = self.changes.iter().map(word).collect();
        write!(f, "{} changed", words.join(", "))
    }
}

pub(super) fn edits(
    original: &Scene,
    base: &Side<'_>,
    edited: &Side<'_>,
    matches: &Matches,
    sizes: &Sizes,
    edits: &mut Vec<Edit>,
) {
    for (index, mesh) in base.scene.meshes.iter().enumerate() {
        let Some(id) = base.meshes[index] else { continue };
        let Some(other) = matches.meshes_back[index] else {
            edits.push(Edit::MeshRemoved(id));
            continue;
        };
        let now = &edited.scene.meshes[other];
        if !same_name(&mesh.name, &now.name) && !is_node_name(base, edited, index, other) {
            edits.push(Edit::MeshRenamed(id, now.name.clone()));
        }
        let pair = Pair { base: mesh, base_side: base, edited: now, edited_side: edited, matches, sizes };
        if let Some(Found { vertices, triangles, removed, changes }) = pair.compare() {
            let Some(source) = original.meshes.get(id.index()) else { continue };
            let (to_original, triangle_origin) = to_original(source, mesh);
            let vertex = |found: &Option<u32>| {
                found.and_then(|vertex| to_original.get(vertex as usize).copied().flatten())
            };
            let triangle = |found: &Option<u32>| {
                found.and_then(|triangle| triangle_origin.get(triangle as usize).copied().flatten())
            };
            edits.push(Edit::MeshChanged(Box::new(MeshEdit {
                mesh: id,
                edited: other,
                vertices: vertices.iter().map(vertex).collect(),
                triangles: triangles.iter().map(triangle).collect(),
                removed: removed.iter().filter_map(|index| triangle(&Some(*index))).collect(),
                changes,
                kept: None,
            })));
        }
    }
    for (index, found) in matches.meshes.iter().enumerate() {
        if found.is_none() {
            edits.push(Edit::MeshAdded(index));
        }
    }
}

/// Whether a mesh is called after the node that holds it, as Blender names nodes of its own.
fn is_node_name(base: &Side<'_>, edited: &Side<'_>, mesh: usize, other: usize) -> bool {
    let node = |scene: &Scene, node: Option<NodeId>| {
        node.and_then(|node| scene.nodes.get(node.index())).map(|node| node.name.clone())
    };
    let own = &base.scene.meshes[mesh];
    let now = &edited.scene.meshes[other];
    let names = [node(base.scene, own.node), node(edited.scene, now.node)];
    // Without extras, meshes are called after nodes, and nodes after meshes: the other name is still there.
    !edited.has_objects
        && names.into_iter().flatten().any(|name| same_name(&name, &own.name) || same_name(&name, &now.name))
}

/// For each vertex and each triangle of the base the original's.
fn to_original(original: &Mesh, base: &Mesh) -> (Vec<Option<u32>>, Vec<Option<u32>>) {
    let mut by_place: HashMap<Vec<u32>, Vec<u32>, RandomState> = HashMap::default();
    let key = |mesh: &Mesh, vertex: usize| {
        let position = mesh.positions[vertex] + Vec3::ZERO;
        let mut key: Vec<u32> = position.to_array().map(f32::to_bits).to_vec();
        for set in mesh.uv_sets.iter().take(1) {
            key.extend(
                set.get(vertex)
                    .into_iter()
                    .flat_map(|pair| (*pair + glam::Vec2::ZERO).to_array().map(f32::to_bits)),
            );
        }
        key
    };
    let is_straight = base.positions.len() >= original.positions.len()
        && original
            .positions
            .iter()
            .zip(&base.positions)
            .all(|(a, b)| a.abs_diff_eq(*b, 1e-6 * (1.0 + a.length())));
    if !is_straight || base.positions.len() > original.positions.len() {
        for vertex in 0..original.positions.len() {
            by_place.entry(key(original, vertex)).or_default().push(vertex as u32);
        }
    }
    let nearest = |vertex: usize| {
        let found = by_place.get(&key(base, vertex))?;
        let normal = base.normals.get(vertex).copied().unwrap_or_default();
        let likeness = |candidate: &&u32| {
            original.normals.get(**candidate as usize).map_or(0.0, |own| own.normalize_or_zero().dot(normal))
        };
        found.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b))).copied()
    };
    let vertices: Vec<Option<u32>> = (0..base.positions.len())
        .map(|vertex| match is_straight && vertex < original.positions.len() {
            true => Some(vertex as u32),
            false => nearest(vertex),
        })
        .collect();
    let indices: Vec<u32> = original.indices.iter().collect();
    let mut known: HashMap<[u32; 3], Vec<u32>, RandomState> = HashMap::default();
    for (index, corners) in indices.as_chunks::<3>().0.iter().enumerate().rev() {
        known.entry(*corners).or_default().push(index as u32);
    }
    let own: Vec<u32> = base.indices.iter().collect();
    let triangles = own.as_chunks::<3>().0.iter().map(|corners| {
        let corners =
            corners.map(|corner| vertices.get(corner as usize).copied().flatten().unwrap_or(u32::MAX));
        known.get_mut(&corners).and_then(Vec::pop)
    });
    let triangles = triangles.collect();
    (vertices, triangles)
}

/// Two meshes that belong together.
struct Pair<'p> {
    base: &'p Mesh,
    base_side: &'p Side<'p>,
    edited: &'p Mesh,
    edited_side: &'p Side<'p>,
    matches: &'p Matches,
    sizes: &'p Sizes,
}

/// A triangle with its material, which is the base's or one that is new.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Face {
    corners: [u32; 3],
    material: Option<usize>,
    index: u32,
}

/// New materials are beyond those of the base.
const NEW: usize = usize::MAX / 2;

/// What belongs together in two meshes, and what is different.
struct Found {
    vertices: Vec<Option<u32>>,
    triangles: Vec<Option<u32>>,
    removed: Vec<u32>,
    changes: Vec<MeshChange>,
}

impl Pair<'_> {
    fn tolerance(&self) -> f32 {
        // Skinned vertices go through other spaces; rigid ones come back as they were.
        if self.base.skin.is_some() { 4e-6 * self.sizes.reach } else { 1e-7 * self.sizes.model }
    }

    fn faces(&self, mesh: &Mesh, is_base: bool) -> Vec<Face> {
        let indices: Vec<u32> = mesh.indices.iter().collect();
        let all = indices.as_chunks::<3>().0;
        let count = mesh.positions.len();
        let mut faces = Vec::with_capacity(all.len());
        for part in &mesh.parts {
            let material = part.material.map(|material| match is_base {
                true => material.index(),
                false => self
                    .matches
                    .materials
                    .get(material.index())
                    .copied()
                    .flatten()
                    .unwrap_or(NEW.saturating_add(material.index())),
            });
            let start = (part.start / 3) as usize;
            for (index, corners) in all.iter().enumerate().skip(start).take((part.count / 3) as usize) {
                if corners.iter().all(|corner| (*corner as usize) < count) {
                    faces.push(Face { corners: *corners, material, index: index as u32 });
                }
            }
        }
        faces
    }

    /// The vertices and triangles that belong together, and what is different; nothing if nothing is.
    fn compare(&self) -> Option<Found> {
        let (mut from, mut to) = (self.faces(self.base, true), self.faces(self.edited, false));
        let order = material_order(&from);
        let rank = |face: &Face| {
            face.material.and_then(|material| order.get(&material).copied()).unwrap_or(usize::MAX)
        };
        from.sort_by_key(rank);
        to.sort_by_key(rank);
        let moved = self.is_on_another_node();
        if !moved && self.is_same(&from, &to) {
            return None;
        }
        let partner = self.partners(&from, &to);
        let mut vertices: Vec<Option<u32>> = vec![None; self.edited.positions.len()];
        let mut triangles: Vec<Option<u32>> = vec![None; self.edited.indices.len() / 3];
        let mut changes: Vec<MeshChange> = Vec::new();
        let mut add = |change: MeshChange| {
            if !changes.contains(&change) {
                changes.push(change);
            }
        };
        let mut odd_normals: HashSet<u32> = HashSet::new();
        for (face, found) in to.iter().zip(&partner.of_edited) {
            let Some((other, turn)) = found else {
                add(MeshChange::Triangles);
                continue;
            };
            let known = &from[*other];
            triangles[face.index as usize] = Some(known.index);
            if known.material != face.material {
                add(MeshChange::Materials);
            }
            for (own, corner) in face.corners.into_iter().zip(*turn) {
                let base = known.corners[corner];
                let place = &mut vertices[own as usize];
                if place.is_none()
                    || *place != Some(base)
                        && !self.is_equal(place.unwrap_or(0), own)
                        && self.is_equal(base, own)
                {
                    *place = Some(base);
                }
            }
        }
        for (own, base) in vertices.iter().enumerate() {
            let Some(base) = *base else { continue };
            let own = own as u32;
            if !self.same_position(base, own) {
                add(MeshChange::Positions);
            }
            if !self.same_coordinates(base, own) {
                add(MeshChange::Coordinates);
            }
            if !self.same_colors(base, own) {
                add(MeshChange::Colors);
            }
            if !self.same_weights(base, own) {
                add(MeshChange::Weights);
            }
            if !self.same_normal(base, own) {
                odd_normals.insert(base);
            }
        }
        if !partner.lost.is_empty() {
            add(MeshChange::Triangles);
        }
        if moved {
            add(MeshChange::Node);
        }
        if !odd_normals.is_empty() && !self.are_excused(&odd_normals, &from, partner.doubles) {
            add(MeshChange::Normals);
        }
        changes.sort_by_key(|change| *change as u8);
        let removed = partner.lost.iter().map(|face| from[*face].index).collect();
        (!changes.is_empty()).then_some(Found { vertices, triangles, removed, changes })
    }

    fn is_on_another_node(&self) -> bool {
        if self.base.skin.is_some() || self.edited.skin.is_some() {
            return self.base.skin.is_some() != self.edited.skin.is_some();
        }
        let host = self.edited.node.map(|node| self.matches.host(self.edited_side.scene, node));
        let own = self.base.node.map(|node| Some(node.index()));
        host != own
    }

    /// Whether all triangles are the same in the same order.
    fn is_same(&self, from: &[Face], to: &[Face]) -> bool {
        if from.len() != to.len() {
            return false;
        }
        let mut known: Vec<u32> = vec![u32::MAX; self.edited.positions.len()];
        from.iter().zip(to).all(|(from, to)| {
            from.material == to.material
                && from.corners.iter().zip(&to.corners).all(|(base, own)| {
                    if known[*own as usize] == *base {
                        return true;
                    }
                    known[*own as usize] = *base;
                    self.is_equal(*base, *own) && self.same_normal(*base, *own)
                })
        })
    }

    /// Whether all but the normals of two vertices are equal.
    fn is_equal(&self, base: u32, own: u32) -> bool {
        self.same_position(base, own)
            && self.same_coordinates(base, own)
            && self.same_colors(base, own)
            && self.same_weights(base, own)
    }

    fn same_position(&self, base: u32, own: u32) -> bool {
        let (a, b) = (self.base.positions[base as usize], self.edited.positions[own as usize]);
        a == b || a.distance(b) <= self.tolerance()
    }

    fn same_coordinates(&self, base: u32, own: u32) -> bool {
        self.base.uv_sets.iter().enumerate().all(|(index, set)| {
            let (Some(a), Some(set)) = (set.get(base as usize), self.edited.uv_sets.get(index)) else {
                return true;
            };
            let Some(b) = set.get(own as usize) else { return true };
            a == b || a.abs_diff_eq(*b, 5e-7 * a.abs().max_element().max(1.0))
        })
    }

    fn same_colors(&self, base: u32, own: u32) -> bool {
        self.base.color_sets.iter().enumerate().all(|(index, set)| {
            let (Some(a), Some(set)) = (set.get(base as usize), self.edited.color_sets.get(index)) else {
                return true;
            };
            let Some(b) = set.get(own as usize) else { return true };
            a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 1)
        })
    }

    fn same_weights(&self, base: u32, own: u32) -> bool {
        let (Some(from), Some(to)) = (&self.base.skin, &self.edited.skin) else { return true };
        let (from_set, to_set) = (from.of(base as usize), to.of(own as usize));
        // Blender writes four joints for a vertex at most.
        if from_set.len() > 4 {
            return true;
        }
        let node = |joint: u32| {
            let node = to.joints.get(joint as usize)?.node;
            *self.matches.nodes.get(node.index())?
        };
        let weight = |wanted: usize| -> f32 {
            to_set.iter().filter(|one| node(one.joint) == Some(wanted)).map(|one| one.weight).sum()
        };
        let mut total = 0.0;
        let heir = |joint: u32| Some(self.heir(from.joints.get(joint as usize)?.node));
        let is_same = from_set.iter().all(|one| {
            let Some(joint) = heir(one.joint) else { return true };
            let same: f32 = from_set
                .iter()
                .filter(|other| heir(other.joint) == Some(joint))
                .map(|other| other.weight)
                .sum();
            let now = weight(joint);
            total += one.weight;
            (now - same).abs() < 1e-4
        });
        let others: f32 = to_set.iter().map(|one| one.weight).sum();
        is_same && (total - others).abs() < 1e-3
    }

    /// The node that vertices of a node of the base follow now: that above it, if it is gone.
    fn heir(&self, node: NodeId) -> usize {
        let mut index = node.index();
        for _ in 0..self.matches.nodes_back.len() {
            let Some(parent) = self.base_side.scene.nodes.get(index).and_then(|node| node.parent) else {
                break;
            };
            if self.matches.nodes_back.get(index).is_none_or(Option::is_some) {
                break;
            }
            index = parent.index();
        }
        index
    }

    fn same_normal(&self, base: u32, own: u32) -> bool {
        /// Cosine of 0.7 degrees.
        const NEAR: f32 = 0.999_925;
        let (Some(a), Some(b)) =
            (self.base.normals.get(base as usize), self.edited.normals.get(own as usize))
        else {
            return true;
        };
        let (a, b) = (a.normalize_or_zero(), b.normalize_or_zero());
        // A normal of no direction comes back as the triangle's.
        a == b || a.dot(b) > NEAR || a == Vec3::ZERO
    }

    /// Whether normals are at vertices where Blender computes others: between triangles that face away from each other, or of no size.
    fn are_excused(&self, vertices: &HashSet<u32>, faces: &[Face], doubles: bool) -> bool {
        if doubles {
            return true;
        }
        let place =
            |vertex: u32| (self.base.positions[vertex as usize] + Vec3::ZERO).to_array().map(f32::to_bits);
        let odd: HashSet<[u32; 3], RandomState> = vertices.iter().map(|vertex| place(*vertex)).collect();
        let mut around: HashMap<[u32; 3], Vec<Vec3>, RandomState> = HashMap::default();
        for face in faces {
            let [a, b, c] = face.corners.map(|corner| self.base.positions[corner as usize]);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            for corner in face.corners.map(place) {
                if odd.contains(&corner) {
                    around.entry(corner).or_default().push(normal);
                }
            }
        }
        let is_odd = |normals: &Vec<Vec3>| {
            let limited = &normals[..normals.len().min(64)];
            limited
                .iter()
                .enumerate()
                .any(|(index, a)| *a == Vec3::ZERO || limited[..index].iter().any(|b| a.dot(*b) < -0.9))
        };
        odd.iter().all(|place| around.get(place).is_none_or(is_odd))
    }

    /// Finds the triangles that belong together: by their places first, then what is left in its order.
    fn partners(&self, from: &[Face], to: &[Face]) -> Partners {
        let places = Places::new(&self.base.positions, self.tolerance());
        let base_class: Vec<u32> = self.base.positions.iter().map(|point| places.class(*point)).collect();
        let own_class: Vec<u32> = self.edited.positions.iter().map(|point| places.class(*point)).collect();
        let classes = |face: &Face, class: &[u32]| face.corners.map(|corner| class[corner as usize]);
        let sorted = |mut key: [u32; 3]| {
            key.sort_unstable();
            key
        };
        let mut known: HashMap<[u32; 3], Vec<usize>, RandomState> = HashMap::default();
        for (index, face) in from.iter().enumerate() {
            known.entry(sorted(classes(face, &base_class))).or_default().push(index);
        }
        let mut of_edited: Vec<Option<(usize, [usize; 3])>> = vec![None; to.len()];
        let mut is_taken = vec![false; from.len()];
        for (index, face) in to.iter().enumerate() {
            let key = classes(face, &own_class);
            if key.contains(&Places::NONE) {
                continue;
            }
            let Some(candidates) = known.get(&sorted(key)) else { continue };
            // Of several triangles in one place the one with the same corners, material and direction.
            let quality = |candidate: &usize| -> Option<(u32, [usize; 3])> {
                if is_taken[*candidate] {
                    return None;
                }
                let other = &from[*candidate];
                let turns = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
                let grade = |turn: &[usize; 3]| -> u32 {
                    (0..3)
                        .map(|corner| {
                            let (base, own) = (other.corners[turn[corner]], face.corners[corner]);
                            u32::from(self.same_position(base, own))
                                + u32::from(self.same_coordinates(base, own))
                                + u32::from(self.same_normal(base, own))
                        })
                        .sum()
                };
                let best = turns
                    .iter()
                    .enumerate()
                    .max_by_key(|(place, turn)| (grade(turn) + u32::from(*place < 3) * 4, 6 - place))?;
                Some((
                    grade(best.1) * 8
                        + u32::from(best.0 < 3) * 4
                        + u32::from(other.material == face.material) * 2,
                    *best.1,
                ))
            };
            let best = candidates
                .iter()
                .take(32)
                .filter_map(|candidate| quality(candidate).map(|(grade, turn)| (grade, *candidate, turn)))
                .max_by_key(|(grade, candidate, _)| (*grade, usize::MAX - candidate));
            if let Some((_, candidate, turn)) = best {
                is_taken[candidate] = true;
                of_edited[index] = Some((candidate, turn));
            }
        }
        // Triangles with a moved corner: as many of one material on both sides are the same ones.
        let mut left: HashMap<Option<usize>, Left> = HashMap::new();
        for (index, face) in from.iter().enumerate().filter(|(index, _)| !is_taken[*index]) {
            // Of triangles on the same three vertices Blender keeps one.
            let key = sorted(classes(face, &base_class));
            let has_double = known.get(&key).is_some_and(|all| all.iter().any(|other| is_taken[*other]));
            let is_flat = key[0] == key[1] || key[1] == key[2];
            let left = left.entry(face.material).or_default();
            left.before.push((index, has_double || is_flat));
        }
        for (index, face) in to.iter().enumerate().filter(|(index, _)| of_edited[*index].is_none()) {
            left.entry(face.material).or_default().now.push(index);
        }
        let mut lost = Vec::new();
        let mut doubles = false;
        for Left { before, now } in left.into_values() {
            let strict = before.iter().filter(|(_, is_double)| !is_double).count();
            // All that are left, or all but the doubles.
            let with_doubles = before.len() == now.len();
            let is_paired = with_doubles || strict == now.len();
            let mut partners = now.into_iter();
            for (base, is_double) in before {
                if is_double && !with_doubles {
                    doubles = true;
                } else if let Some(own) = partners.next().filter(|_| is_paired) {
                    of_edited[own] = Some((base, [0, 1, 2]));
                } else {
                    lost.push(base);
                }
            }
        }
        Partners { of_edited, lost, doubles }
    }
}

/// Which triangles belong together.
struct Partners {
    /// For each triangle of the edited mesh the base's, and which of its corners each corner is.
    of_edited: Vec<Option<(usize, [usize; 3])>>,
    /// Triangles of the base that are gone.
    lost: Vec<usize>,
    /// Of triangles on the same vertices some are gone.
    doubles: bool,
}

/// Triangles without a partner: those of the base, each with whether another one is in its place, and those of the edited mesh.
#[derive(Default)]
struct Left {
    before: Vec<(usize, bool)>,
    now: Vec<usize>,
}

/// The materials of triangles in the order in which they first come.
fn material_order(faces: &[Face]) -> HashMap<usize, usize> {
    let mut order = HashMap::new();
    for material in faces.iter().filter_map(|face| face.material) {
        let next = order.len();
        order.entry(material).or_insert(next);
    }
    order
}

/// Points that are the same but for rounding.
struct Places {
    cells: HashMap<[i64; 3], Vec<(Vec3, u32)>, RandomState>,
    size: f32,
    tolerance: f32,
}

impl Places {
    const NONE: u32 = u32::MAX;

    fn new(points: &[Vec3], tolerance: f32) -> Self {
        let size = (8.0 * tolerance).max(f32::MIN_POSITIVE);
        let mut places = Self { cells: HashMap::default(), size, tolerance };
        let mut next = 0;
        for point in points {
            if places.class(*point) == Self::NONE {
                places.cells.entry(places.cell(*point)).or_default().push((*point, next));
                next += 1;
            }
        }
        places
    }

    fn cell(&self, point: Vec3) -> [i64; 3] {
        point.to_array().map(|value| (f64::from(value) / f64::from(self.size)).floor() as i64)
    }

    /// The number of the place of a point.
    fn class(&self, point: Vec3) -> u32 {
        let reach = Vec3::splat(self.tolerance);
        let (low, high) = (self.cell(point - reach), self.cell(point + reach));
        for x in low[0]..=high[0].min(low[0] + 1) {
            for y in low[1]..=high[1].min(low[1] + 1) {
                for z in low[2]..=high[2].min(low[2] + 1) {
                    let Some(points) = self.cells.get(&[x, y, z]) else { continue };
                    let near = |(other, _): &&(Vec3, u32)| {
                        *other == point || other.distance(point) <= self.tolerance
                    };
                    if let Some((_, class)) = points.iter().find(near) {
                        return *class;
                    }
                }
            }
        }
        Self::NONE
    }
}
