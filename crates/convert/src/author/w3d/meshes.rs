//! Meshes: geometry, flags, and the pieces that a format with one set of passes for each mesh needs.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use glam::{Affine3A, Vec3, Vec4};
use record::{F32, Node, U32, build};
use scene::{Billboard, Material, MaterialId, Mesh, MeshId, Shape};
use w3d::build::{AabTree, bounds, plane, shade_indices, vertex_normals};
use w3d::names::{FaceChannels, MeshFlags, SurfaceType, VertexChannels};
use w3d::records::{MeshHeader3, Triangle};
use w3d::table;

use super::context::Likeness;
use super::plan::{Place, rigid};
use super::skins::Bound;
use super::{Author, chars, count, space};
use crate::author::split::{self, split};

/// Triangles with one material.
#[derive(Clone, Debug, Default)]
pub(super) struct PiecePart {
    pub(super) material: Option<MaterialId>,
    pub(super) triangles: Vec<[u32; 3]>,
    surfaces: Vec<u8>,
}

/// The vertices and triangles of one W3D mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    /// For each vertex the one of the scene's mesh.
    pub(super) vertices: Vec<u32>,
    pub(super) parts: Vec<PiecePart>,
}

/// A level of detail of a model: the largest share of the screen at which it is shown, and full names and pivots of its objects.
pub(super) type ModelLevel = (f32, Vec<(String, usize)>);

/// Levels of detail of a model. Games have fewer than ten.
const MAX_LEVELS: usize = 100;

/// The vertices of a mesh as the file has them.
#[derive(Default)]
pub(super) struct Geometry {
    /// In the space of the mesh's pivot; of a skin, in the base pose.
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) tangents: Vec<Vec4>,
    /// Whether each vertex was mirrored; empty if none was.
    is_mirrored: Vec<bool>,
}

impl Geometry {
    fn place(&mut self, vertex: usize, by: &scene::VertexTransform) {
        self.positions[vertex] = by.position(self.positions[vertex]);
        self.normals.get_mut(vertex).into_iter().for_each(|normal| *normal = by.normal(*normal));
        self.tangents.get_mut(vertex).into_iter().for_each(|tangent| *tangent = by.tangent(*tangent));
    }
}

impl Author<'_> {
    /// Writes a mesh, if it is not written already. The full names of its pieces.
    pub(super) fn mesh(&mut self, id: MeshId) -> Vec<String> {
        if let Some(names) = self.written.get(&id) {
            return names.clone();
        }
        let scene = self.scene;
        let mesh = &scene.meshes[id.index()];
        let place = self.plan.meshes[id.index()];
        let billboard = mesh
            .node
            .and_then(|node| scene.nodes.get(node.index()))
            .map_or(Billboard::None, |node| node.billboard);
        let billboard = if mesh.skin.is_some() { Billboard::None } else { billboard };
        let likeness = likeness(mesh, place, billboard);
        let is_same = |other: &&MeshId| {
            let other = &scene.meshes[other.index()];
            Mesh { node: None, ..other.clone() } == Mesh { node: None, ..mesh.clone() }
        };
        let same = self.same.get(&likeness).and_then(|same| same.iter().find(is_same));
        if let Some(known) = same.and_then(|same| self.written.get(same)).cloned() {
            self.written.insert(id, known.clone());
            return known;
        }
        let container = self.container(place, mesh);
        let geometry = self.geometry(mesh, place);
        let mut names = Vec::new();
        for piece in self.pieces(mesh, &mesh.name) {
            if piece.vertices.is_empty() || piece.parts.iter().all(|part| part.triangles.is_empty()) {
                self.lost(&mesh.name, "the mesh has no triangles; no engine loads it, so it was dropped");
                continue;
            }
            let label = self.mesh_name(mesh, &container, &piece);
            let full = if container.is_empty() { label.clone() } else { format!("{container}.{label}") };
            let chunk = self.mesh_chunk(id, place, billboard, &geometry, piece, &label, &container);
            self.objects.push(chunk);
            names.push(full);
        }
        self.written.insert(id, names.clone());
        if !self.plan.is_scaled {
            self.same.entry(likeness).or_default().push(id);
        }
        names
    }

    /// The container of an object: its model; without one, what the scene's name has before the dot.
    fn container(&self, place: Place, mesh: &Mesh) -> String {
        match place {
            Place::Pivot(model, _) => self.plan.models[model].name.clone(),
            Place::Loose(_) | Place::Nowhere => {
                let bones = mesh.skin.as_ref().and_then(|skin| skin.joints.first());
                let model = bones.and_then(|joint| self.plan.nodes.get(joint.node.index()));
                match (model, self.scene.name.split_once('.')) {
                    (Some(Place::Pivot(model, _)), _) => self.plan.models[*model].name.clone(),
                    (_, Some((container, name))) if name == mesh.name => container.to_owned(),
                    _ => String::new(),
                }
            }
        }
    }

    fn mesh_name(&mut self, mesh: &Mesh, container: &str, piece: &Piece) -> String {
        let materials = piece.parts.iter().filter_map(|part| part.material);
        let mut materials = materials.filter_map(|id| self.scene.materials.get(id.index()));
        let is_house = materials.any(|material| material.house_color);
        let named = mesh.name.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("HOUSECOLOR"));
        let node = mesh.node.and_then(|node| self.scene.nodes.get(node.index()));
        let default = node.map_or("MESH", |node| node.name.as_str()).to_owned();
        let labels = self.labels.entry(container.to_ascii_lowercase()).or_default();
        if is_house && !named { labels.unique("HOUSECOLOR", "") } else { labels.unique(&mesh.name, &default) }
    }

    /// Positions and directions in the space of the pivot.
    fn geometry(&mut self, mesh: &Mesh, place: Place) -> Geometry {
        let count = mesh.positions.len();
        let mut geometry = Geometry {
            positions: mesh.positions.clone(),
            normals: if mesh.normals.len() == count { mesh.normals.clone() } else { Vec::new() },
            tangents: if mesh.tangents.len() == count { mesh.tangents.clone() } else { Vec::new() },
            is_mirrored: Vec::new(),
        };
        let node =
            mesh.node.and_then(|node| self.worlds.get(node.index())).copied().unwrap_or(Affine3A::IDENTITY);
        if let Some(skin) = &mesh.skin {
            let size = mesh.positions.iter().fold(1.0_f32, |size, point| size.max(point.abs().max_element()));
            let is_bound = skin.joints.iter().all(|joint| {
                let world = self.worlds.get(joint.node.index()).copied().unwrap_or(Affine3A::IDENTITY);
                let moved = world * joint.inverse_bind;
                moved.matrix3.abs_diff_eq(glam::Mat3A::IDENTITY, 1e-3)
                    && moved.translation.abs().max_element() <= 1e-3 * size
            });
            if !is_bound {
                let palette: Vec<Affine3A> = skin
                    .joints
                    .iter()
                    .map(|joint| {
                        let world = self.worlds.get(joint.node.index()).copied();
                        world.unwrap_or(Affine3A::IDENTITY) * joint.inverse_bind
                    })
                    .collect();
                geometry.is_mirrored.reserve(count);
                for vertex in 0..count {
                    let by = scene::VertexTransform::new(&skin.blend(vertex, &palette));
                    geometry.place(vertex, &by);
                    geometry.is_mirrored.push(by.is_mirrored());
                }
            }
        } else if mesh.node.is_some_and(|node| self.plan.is_bent(node)) && matches!(place, Place::Pivot(..)) {
            let into = scene::VertexTransform::new(&(rigid(node).inverse() * node));
            geometry.is_mirrored = vec![into.is_mirrored(); if into.is_mirrored() { count } else { 0 }];
            (0..count).for_each(|vertex| geometry.place(vertex, &into));
        }
        let is_finite = geometry.positions.iter().all(|position| position.is_finite());
        if !is_finite {
            self.lost(&mesh.name, "positions that are infinite or NaN were set to zero");
            for position in geometry.positions.iter_mut().filter(|position| !position.is_finite()) {
                *position = Vec3::ZERO;
            }
        }
        geometry
    }

    /// Divides a mesh where its materials need different passes, and where it has too many vertices.
    fn pieces(&mut self, mesh: &Mesh, path: &str) -> Vec<Piece> {
        let indices: Vec<u32> = mesh.indices.iter().collect();
        let vertices = mesh.positions.len();
        let exists = |corners: &[u32; 3]| corners.iter().all(|corner| (*corner as usize) < vertices);
        let shows = |corners: &[u32; 3]| exists(corners) && !never_shows(mesh, *corners);
        // A mesh of nothing else stays as it is: games may look for it by its name.
        let drops_flat = !self.options.faithful && indices.as_chunks::<3>().0.iter().any(shows);
        let part_of = |material: Option<MaterialId>, start: usize, end: usize| {
            let mut part = PiecePart { material, ..PiecePart::default() };
            let end = end.min(indices.len());
            for index in (start.min(end) / 3)..end / 3 {
                let corners = [indices[index * 3], indices[index * 3 + 1], indices[index * 3 + 2]];
                let is_kept = if drops_flat { shows(&corners) } else { exists(&corners) };
                if is_kept {
                    part.triangles.push(corners);
                    part.surfaces.push(mesh.surface_types.get(index).copied().unwrap_or(0));
                }
            }
            part
        };
        let parts: Vec<PiecePart> = if mesh.parts.is_empty() {
            vec![part_of(None, 0, indices.len())]
        } else {
            let end = |part: &scene::Part| part.start.saturating_add(part.count) as usize;
            mesh.parts.iter().map(|part| part_of(part.material, part.start as usize, end(part))).collect()
        };
        let mut groups: Vec<Vec<PiecePart>> = Vec::new();
        for part in parts {
            let material = self.material(part.material);
            let fits = |group: &&mut Vec<PiecePart>| {
                group.iter().all(|other| is_compatible(material, self.material(other.material)))
            };
            match groups.iter_mut().find(fits) {
                Some(group) => group.push(part),
                None => groups.push(vec![part]),
            }
        }
        if groups.len() > 1 {
            let message =
                format!("divided into {} meshes, because its materials need different passes", groups.len());
            self.assumed(path, message);
        }
        let most = self.limits.vertices;
        let whole = groups.len() == 1 && vertices <= most;
        let mut pieces = Vec::new();
        for group in groups {
            if whole {
                pieces.push(Piece { vertices: (0..vertices as u32).collect(), parts: group });
                continue;
            }
            let flat: Vec<u32> =
                group.iter().flat_map(|part| part.triangles.iter().flatten().copied()).collect();
            let limits = split::Limits { vertices: most, groups: usize::MAX };
            let cut = split(&flat, vertices, limits, |_| 0);
            if cut.len() > 1 {
                let message = format!("divided into {} meshes of at most {most} vertices", cut.len());
                self.assumed(path, message);
            }
            let mut sources = group.into_iter().flat_map(|part| {
                let surfaces = part.surfaces.into_iter();
                surfaces.map(move |surface| (part.material, surface))
            });
            for piece in cut {
                let mut parts: Vec<PiecePart> = Vec::new();
                for corners in piece.indices.as_chunks::<3>().0 {
                    let Some((material, surface)) = sources.next() else { break };
                    if parts.last().is_none_or(|last| last.material != material) {
                        parts.push(PiecePart { material, ..PiecePart::default() });
                    }
                    if let Some(part) = parts.last_mut() {
                        part.triangles.push(corners.map(u32::from));
                        part.surfaces.push(surface);
                    }
                }
                pieces.push(Piece { vertices: piece.vertices, parts });
            }
        }
        pieces
    }

    pub(super) fn material(&self, id: Option<MaterialId>) -> Option<&Material> {
        id.and_then(|id| self.scene.materials.get(id.index()))
    }

    fn mesh_flags(&mut self, mesh: &Mesh, billboard: Billboard, two_sided: bool, is_skin: bool) -> MeshFlags {
        let mut attributes = mesh.collision.0 << 4 & 0x7F0;
        let mut set = |on: bool, flag: MeshFlags| attributes |= if on { flag.get() } else { 0 };
        set(mesh.hidden, MeshFlags::HIDDEN);
        set(mesh.casts_shadow, MeshFlags::CAST_SHADOW);
        set(two_sided, MeshFlags::TWO_SIDED);
        set(is_skin, MeshFlags::GEOMETRY_SKIN);
        match billboard {
            Billboard::None => {}
            Billboard::Aligned => set(true, MeshFlags::GEOMETRY_CAMERA_ALIGNED),
            Billboard::Upright if self.limits.upright_billboards => {
                set(true, MeshFlags::GEOMETRY_CAMERA_Z_ORIENTED);
            }
            Billboard::Facing => set(true, MeshFlags::GEOMETRY_CAMERA_ORIENTED),
            _ => {
                set(true, MeshFlags::GEOMETRY_CAMERA_ORIENTED);
                self.lost(
                    &mesh.name,
                    "turns about one axis to the camera, which the game lacks; turns about all",
                );
            }
        }
        MeshFlags::new(attributes)
    }

    #[expect(clippy::too_many_arguments, reason = "all of it is one mesh")]
    fn mesh_chunk(
        &mut self,
        id: MeshId,
        place: Place,
        billboard: Billboard,
        whole: &Geometry,
        mut piece: Piece,
        label: &str,
        container: &str,
    ) -> Node<'static> {
        let mesh = &self.scene.meshes[id.index()];
        let looks = self.looks(id, &mut piece);
        let pick = |values: &[Vec3]| -> Vec<Vec3> {
            piece.vertices.iter().filter_map(|index| values.get(*index as usize)).copied().collect()
        };
        let positions = pick(&whole.positions);
        let stored: Vec<record::Vec3> = positions.iter().copied().map(space::vector).collect();
        let corners: Vec<[u32; 3]> = piece
            .parts
            .iter()
            .flat_map(|part| &part.triangles)
            .map(|[a, b, c]| {
                let vertex = piece.vertices.get(*a as usize).map_or(usize::MAX, |vertex| *vertex as usize);
                if whole.is_mirrored.get(vertex) == Some(&true) { [*a, *c, *b] } else { [*a, *b, *c] }
            })
            .collect();
        let triangles = triangles(&piece, &corners, &stored);
        let normals = if whole.normals.is_empty() {
            let computed = vertex_normals(&stored, &corners);
            computed.iter().map(|normal| normal.get()).map(|[x, y, z]| Vec3::new(x, z, -y)).collect()
        } else {
            pick(&whole.normals)
        };
        let tangents: Vec<Vec4> = if self.limits.shader_materials {
            piece.vertices.iter().filter_map(|index| whole.tangents.get(*index as usize)).copied().collect()
        } else {
            Vec::new()
        };
        let bound = match mesh.skin.as_ref() {
            Some(skin) => {
                self.bind(skin, &piece.vertices, &positions, &normals, &tangents, place, &mesh.name)
            }
            None => Bound::rigid(&positions, &normals, &tangents),
        };

        let attributes = self.mesh_flags(mesh, billboard, looks.two_sided, bound.is_skin());
        let size = bounds(&stored);
        let mut channels = VertexChannels::LOCATION | VertexChannels::NORMAL | VertexChannels::TEXCOORD;
        if bound.is_skin() {
            channels = channels | VertexChannels::BONE_ID;
        }
        if !tangents.is_empty() {
            channels = channels | VertexChannels::TANGENT | VertexChannels::BINORMAL;
        }
        let mut header = MeshHeader3 {
            version: self.limits.mesh_version,
            attributes,
            mesh_name: chars(label),
            container_name: chars(container),
            num_tris: count(triangles.len()),
            num_vertices: count(stored.len()),
            sort_level: record::I32::new(looks.sort_level),
            vertex_channels: channels,
            face_channels: FaceChannels::FACE,
            min: size.min,
            max: size.max,
            sph_center: size.center,
            sph_radius: size.radius,
            ..MeshHeader3::default()
        };
        if !self.plan.is_scaled
            && !bound.is_skin()
            && piece.vertices.len() == mesh.positions.len()
            && let Some(given) =
                mesh.bounds.filter(|given| self.options.faithful || encloses(given, &positions))
        {
            let (a, b) = (space::vector(given.min).get(), space::vector(given.max).get());
            header.min = std::array::from_fn(|axis| a[axis].min(b[axis])).into();
            header.max = std::array::from_fn(|axis| a[axis].max(b[axis])).into();
            header.sph_center = space::vector(given.center);
            header.sph_radius = F32::new(given.radius);
        }
        let mut chunks = vec![build(table::MESH_HEADER3, &header)];
        if !mesh.user_text.is_empty() {
            chunks.extend(w3d::build::text(table::MESH_USER_TEXT.row, &mesh.user_text));
        }
        let stored_normals: Vec<record::Vec3> = normals.iter().copied().map(space::vector).collect();
        let shades = shade_indices(&stored, &stored_normals);
        bound.vertices(&mut chunks);
        chunks.push(build(table::TRIANGLES, &triangles));
        bound.influences(&mut chunks);
        chunks.push(build(table::VERTEX_SHADE_INDICES, &shades));
        chunks.extend(looks.chunks);
        if !bound.is_skin() && mesh.collision != scene::CollisionMask::NONE && triangles.len() >= 8 {
            chunks.extend(AabTree::new(&triangles, &stored).map(|tree| tree.chunk()));
        }
        build(table::MESH, chunks)
    }

    /// For each model its meshes, by the levels of detail, the finest first. Each has full names and pivots.
    pub(super) fn levels(&mut self) -> Vec<Vec<ModelLevel>> {
        let scene = self.scene;
        if scene.levels.len() > MAX_LEVELS {
            self.lost("model", format!("levels of detail after the first {MAX_LEVELS}"));
        }
        let scene_levels = &scene.levels[..scene.levels.len().min(MAX_LEVELS)];
        // The meshes of each model: in each level, and in all of them.
        let mut own: Vec<BTreeMap<usize, Vec<(MeshId, usize)>>> =
            vec![BTreeMap::new(); self.plan.models.len()];
        let mut always: Vec<Vec<(MeshId, usize)>> = vec![Vec::new(); self.plan.models.len()];
        for (index, level) in scene_levels.iter().enumerate() {
            for id in &level.meshes {
                if let Some(Place::Pivot(model, pivot)) = self.plan.meshes.get(id.index()) {
                    own[*model].entry(index).or_default().push((*id, *pivot));
                }
            }
        }
        let in_levels: HashSet<&MeshId> = scene.levels.iter().flat_map(|level| &level.meshes).collect();
        for (id, place) in
            self.plan.meshes.iter().enumerate().map(|(index, place)| (MeshId::from(index), place))
        {
            if let Place::Pivot(model, pivot) = place
                && !in_levels.contains(&id)
            {
                always[*model].push((id, *pivot));
            }
        }
        let mut models = Vec::new();
        for (own, always) in own.into_iter().zip(always) {
            let count = if own.is_empty() { 1 } else { scene_levels.len() };
            let mut levels = Vec::with_capacity(count);
            for index in 0..count {
                let meshes = own.get(&index).into_iter().flatten().chain(&always);
                let mut objects = Vec::new();
                for (id, pivot) in meshes {
                    objects.extend(self.mesh(*id).into_iter().map(|name| (name, *pivot)));
                }
                levels.push((self.screen_size(index, count), objects));
            }
            models.push(levels);
        }
        models
    }

    /// The largest share of the screen at which a level is shown.
    fn screen_size(&mut self, index: usize, count: usize) -> f32 {
        // What the Blender plugin writes where nothing is known.
        const SIZES: [f32; 4] = [f32::MAX, 1.0, 0.3, 0.03];
        match self.scene.levels.get(index).map(|level| level.range) {
            _ if count == 1 => f32::MAX,
            Some(scene::LevelRange::MaxScreenSize(size)) => size,
            _ => {
                if index == 0 {
                    self.assumed(
                        "model",
                        "levels of detail change at the sizes 1, 0.3 and 0.03 of the screen",
                    );
                }
                SIZES[index.min(SIZES.len() - 1)]
            }
        }
    }

    /// Shapes that are no boxes become boxes around them.
    pub(super) fn as_box(&mut self, shape: &Shape, name: &str) -> (Vec3, Vec3, bool) {
        let around = |points: &[Vec3]| {
            scene::Bounds::around(points.iter().copied())
                .map_or((Vec3::ZERO, Vec3::ZERO), |size| (size.min, size.max))
        };
        let (min, max) = match shape {
            Shape::Box { min, max, axis_aligned } => return (*min, *max, *axis_aligned),
            Shape::Sphere { center, radius } => (*center - *radius, *center + *radius),
            Shape::Plane { min, max } => (min.min(*max), min.max(*max)),
            Shape::Cylinder { start, end, radius } => (start.min(*end) - *radius, start.max(*end) + *radius),
            Shape::Mesh { positions, .. } => around(positions),
        };
        self.lost(name, "W3D has collision boxes only; written as the box around the shape");
        (min, max, false)
    }
}

fn likeness(mesh: &Mesh, place: Place, billboard: Billboard) -> Likeness {
    let model = if let Place::Pivot(model, _) = place { Some(model) } else { None };
    let bits = |point: &Vec3| point.to_array().map(f32::to_bits);
    let mut hasher = DefaultHasher::new();
    mesh.name.hash(&mut hasher);
    mesh.positions.iter().chain(&mesh.normals).for_each(|point| bits(point).hash(&mut hasher));
    mesh.parts.iter().for_each(|part| (part.start, part.count, part.material).hash(&mut hasher));
    (model, billboard, hasher.finish())
}

/// Whether bounds hold what they should, up to rounding.
fn encloses(bounds: &scene::Bounds, positions: &[Vec3]) -> bool {
    let room = 1e-3 * (1.0 + (bounds.max - bounds.min).length());
    bounds.min.is_finite()
        && bounds.max.is_finite()
        && bounds.center.is_finite()
        && bounds.radius.is_finite()
        && positions.iter().all(|point| {
            point.cmpge(bounds.min - room).all()
                && point.cmple(bounds.max + room).all()
                && point.distance(bounds.center) <= bounds.radius + room
        })
}

/// Whether two materials can be on one mesh: the same number of passes, coordinates, sorting and sides.
fn is_compatible(one: Option<&Material>, other: Option<&Material>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one.is_none() && other.is_none() };
    if std::ptr::eq(one, other) {
        return true;
    }
    let is_program = |material: &Material| super::shaders::program(material).is_some();
    let sides = |material: &Material| material.layers.iter().any(|layer| layer.two_sided);
    one.layers.len() == other.layers.len()
        && one.sort_level == other.sort_level
        && one.house_color == other.house_color
        && is_program(one) == is_program(other)
        && (is_program(one) || sides(one) == sides(other))
        && one.layers.iter().zip(&other.layers).all(|(one, other)| {
            one.slots.iter().all(|slot| {
                let stage = super::shaders::stage(slot.kind);
                let twin = other.slots.iter().find(|other| super::shaders::stage(other.kind) == stage);
                stage.is_none() || twin.is_none_or(|twin| twin.uv_set == slot.uv_set)
            })
        })
}

/// The triangles of a piece, with their planes.
fn triangles(piece: &Piece, corners: &[[u32; 3]], stored: &[record::Vec3]) -> Vec<Triangle> {
    let surfaces = piece.parts.iter().flat_map(|part| &part.surfaces);
    corners
        .iter()
        .zip(surfaces)
        .map(|(corners, surface)| {
            let position = |corner: u32| stored.get(corner as usize).copied().unwrap_or_default();
            let (normal, dist) = plane(corners.map(position)).unwrap_or_default();
            Triangle {
                vindex: corners.map(U32::new),
                attributes: SurfaceType::new((*surface).into()),
                normal,
                dist: F32::new(dist),
            }
        })
        .collect()
}

/// Whether a triangle has no area, and its corners follow the same bones, so that it has none in any pose. Collisions and shadows would compute
/// with a plane that it does not have.
fn never_shows(mesh: &Mesh, corners: [u32; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| mesh.positions[corner as usize]);
    if (b - a).cross(c - a) != Vec3::ZERO {
        return false;
    }
    let sets = corners.map(|corner| mesh.skin.as_ref().map(|skin| skin.of(corner as usize)));
    sets[0] == sets[1] && sets[0] == sets[2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{Influence, Joint, NodeId, Skin};

    #[test]
    fn a_triangle_on_a_line_never_shows_unless_bones_pull_it_apart() {
        let line = vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::Y];
        let mut mesh = Mesh { positions: line, ..Mesh::default() };
        assert!(never_shows(&mesh, [0, 1, 2]));
        assert!(!never_shows(&mesh, [0, 1, 3]));
        let joint = |node: u32| Joint { node: NodeId(node), inverse_bind: Affine3A::IDENTITY };
        let mut skin = Skin { joints: vec![joint(0), joint(1)], ..Skin::default() };
        for joint in [0, 0, 1, 0] {
            skin.push_vertex([Influence { joint, weight: 1.0 }]);
        }
        mesh.skin = Some(skin);
        assert!(!never_shows(&mesh, [0, 1, 2]), "the third corner follows another bone");
        assert!(never_shows(&mesh, [0, 1, 1]));
    }
}
