//! Meshes: geometry, flags and nodes.

use glam::{Vec3, Vec4};
use record::Node;
use scene::{Billboard, Bounds, CollisionShape, Indices, Mesh, Shape, Transform};
use w3d::names::{MeshFlags, Version};
use w3d::records::{MeshHeader, MeshHeader3, Triangle};
use w3d::table;

use super::object::collision;
use crate::report::counted;

use super::{Converter, NoteKind, Place, child_value, child_values, space};

/// Triangles that can be drawn, with their indices in the file.
pub(super) struct Triangles<'n> {
    /// As stored.
    pub(super) stored: &'n [Triangle],
    /// The indices of triangles whose vertices exist; `None` if all do.
    pub(super) sound: Option<Vec<u32>>,
}

impl Triangles<'_> {
    pub(super) fn len(&self) -> usize {
        self.sound.as_ref().map_or(self.stored.len(), Vec::len)
    }

    /// The position in the file of the triangle at this position.
    pub(super) fn stored_index(&self, index: usize) -> usize {
        self.sound.as_ref().map_or(index, |sound| sound[index] as usize)
    }

    /// The corners of all, of so many vertices, in the given order or as they come.
    fn indices(&self, order: Option<&[u32]>, vertices: usize) -> Indices {
        let is_short = vertices <= 1 << 16;
        if is_short {
            Indices::Short(self.corners(order, |index| index as u16))
        } else {
            Indices::Long(self.corners(order, |index| index))
        }
    }

    fn corners<T>(&self, order: Option<&[u32]>, index: impl Fn(u32) -> T) -> Vec<T> {
        let corners = |triangle: &Triangle| triangle.vindex.map(|corner| index(corner.get()));
        let mut all = Vec::with_capacity(self.len() * 3);
        match (order, &self.sound) {
            (None, None) => all.extend(self.stored.iter().flat_map(corners)),
            (None, Some(sound)) => {
                all.extend(sound.iter().flat_map(|triangle| corners(&self.stored[*triangle as usize])));
            }
            (Some(order), _) => {
                let stored = order.iter().map(|triangle| &self.stored[self.stored_index(*triangle as usize)]);
                all.extend(stored.flat_map(corners));
            }
        }
        all
    }
}

/// How a mesh turns to the camera. Before version 4.1 the flags were others (docs/formats/w3d/meshes.md#mesh-flags).
fn billboard(version: Version, flags: MeshFlags) -> Billboard {
    if is_current(version) {
        if flags.has(MeshFlags::GEOMETRY_CAMERA_ALIGNED) {
            Billboard::Aligned
        } else if flags.has(MeshFlags::GEOMETRY_CAMERA_ORIENTED) {
            Billboard::Facing
        } else if flags.has(MeshFlags::GEOMETRY_CAMERA_Z_ORIENTED) {
            Billboard::Upright
        } else {
            Billboard::None
        }
    } else if flags.has(MeshFlags::OBSOLETE_ALIGNED) {
        Billboard::Aligned
    } else {
        Billboard::None
    }
}

fn is_current(version: Version) -> bool {
    (version.major(), version.minor()) >= (4, 1)
}

/// Whether it is there for collisions or shadows only.
fn is_unseen(version: Version, flags: MeshFlags) -> bool {
    if is_current(version) {
        flags.has(MeshFlags::GEOMETRY_AABOX)
            || flags.has(MeshFlags::GEOMETRY_OBBOX)
            || flags.has(MeshFlags::GEOMETRY_OBSOLETE_SHADOW)
    } else {
        flags.has(MeshFlags::OBSOLETE_COLLISION_BOX) || flags.has(MeshFlags::OBSOLETE_SHADOW)
    }
}

/// One for each vertex, or none.
fn per_vertex<T>(values: &[T], vertices: usize) -> &[T] {
    values.get(..vertices).unwrap_or_default()
}

impl<'n> Converter<'_, 'n> {
    pub(super) fn mesh(&mut self, node: &'n Node<'n>, place: Place) {
        let view = w3d::Mesh(node);
        let Some(header) = view.header() else {
            let old = child_value::<MeshHeader>(node, &table::MESH_HEADER).map(|header| header.mesh_name);
            let name = old.unwrap_or_default();
            self.note(NoteKind::Skipped, node, format!("the mesh {name:?} has no MESH_HEADER3 chunk"));
            return;
        };
        let flags = header.attributes;
        let vertices = view.vertices();
        let triangles = self.triangles(node, view.triangles(), vertices.len());
        let mut mesh = Mesh {
            name: header.mesh_name.to_string(),
            node: Some(place.node),
            hidden: flags.has(MeshFlags::HIDDEN) || is_unseen(header.version, flags),
            casts_shadow: flags.has(MeshFlags::CAST_SHADOW),
            collision: collision(flags.get()),
            user_text: view.user_text().unwrap_or_default(),
            ..Mesh::default()
        };
        if !self.skin_mesh(node, header, place, &mut mesh) {
            mesh.positions = vertices.iter().copied().map(space::vector).collect();
            mesh.normals =
                per_vertex(view.normals(), vertices.len()).iter().copied().map(space::vector).collect();
            mesh.tangents = tangents(node, &mesh.normals, vertices.len());
            let (min, max) = space::corners(header.min, header.max);
            // Those of a skin are of its base pose, which only its skeleton knows.
            mesh.bounds = (!header.is_skin()).then(|| Bounds {
                min,
                max,
                center: space::vector(header.sph_center),
                radius: header.sph_radius.get(),
            });
            self.turn_to_camera(node, header, place, &mut mesh);
        }
        if mesh.normals.is_empty() && !view.normals().is_empty() {
            self.note(NoteKind::Damaged, node, "fewer normals than vertices; all normals were dropped");
        }
        let looks = self.looks(node, header, &triangles, vertices.len());
        mesh.indices = triangles.indices(looks.order.as_deref(), mesh.positions.len());
        mesh.surface_types = surface_types(&triangles, looks.order.as_deref());
        mesh.parts = looks.parts;
        mesh.uv_sets = looks.uv_sets;
        mesh.color_sets = looks.color_sets;
        if is_unseen(header.version, flags)
            && let Some(bounds) = Bounds::around(mesh.positions.iter().copied())
        {
            self.scene.collision_shapes.push(CollisionShape {
                name: mesh.name.clone(),
                node: place.node,
                shape: Shape::Box {
                    min: bounds.min,
                    max: bounds.max,
                    axis_aligned: flags.has(MeshFlags::GEOMETRY_AABOX),
                },
                mask: mesh.collision,
            });
        }
        for chunk in [&table::DEFORM, &table::DAMAGE] {
            // Old exporters wrote an empty deform into every mesh (docs/formats/w3d/obsolete.md#deform).
            if node.child(chunk).is_some_and(|chunk| chunk.children().len() > 1) {
                self.note(NoteKind::Skipped, node, "deformation by damage is not supported");
            }
        }
        self.vertices += mesh.positions.len();
        self.tracer.meshes.push(node);
        self.scene.meshes.push(mesh);
    }

    /// The triangles, without those whose corners do not exist.
    fn triangles(&mut self, node: &Node<'_>, stored: &'n [Triangle], vertices: usize) -> Triangles<'n> {
        let is_sound =
            |triangle: &Triangle| triangle.vindex.iter().all(|corner| (corner.get() as usize) < vertices);
        let sound = stored.iter().filter(|triangle| is_sound(triangle)).count();
        let sound = (sound < stored.len()).then(|| {
            let message =
                format!("dropped {} with out-of-range indices", counted(stored.len() - sound, "triangle"));
            self.note(NoteKind::Damaged, node, message);
            let all = 0_u32..;
            all.zip(stored).filter(|(_, triangle)| is_sound(triangle)).map(|(index, _)| index).collect()
        });
        Triangles { stored, sound }
    }

    /// A mesh that turns to the camera hangs on a node of its own, because the pivot's other objects and children do not.
    fn turn_to_camera(&mut self, node: &Node<'_>, header: &MeshHeader3, place: Place, mesh: &mut Mesh) {
        let billboard = billboard(header.version, header.attributes);
        if billboard == Billboard::None {
            return;
        }
        if mesh.skin.is_some() {
            self.note(NoteKind::Skipped, node, "a skinned mesh cannot face the camera; the flag was ignored");
            return;
        }
        let own = self.add_node(mesh.name.clone(), Some(place.node), Transform::IDENTITY);
        self.scene.nodes[own.index()].billboard = billboard;
        mesh.node = Some(own);
    }
}

/// The surface type of each triangle; empty if all are zero, which exporters also write by default.
fn surface_types(triangles: &Triangles<'_>, order: Option<&[u32]>) -> Vec<u8> {
    // Engines keep the low byte (docs/formats/w3d/meshes.md#triangles).
    let kind = |index: usize| triangles.stored[triangles.stored_index(index)].attributes.get() as u8;
    if (0..triangles.len()).all(|index| kind(index) == 0) {
        return Vec::new();
    }
    match order {
        Some(order) => order.iter().map(|index| kind(*index as usize)).collect(),
        None => (0..triangles.len()).map(kind).collect(),
    }
}

/// Tangents with their handedness, in the space of the stored normals.
///
/// The names of the chunks are exchanged: in real files `BITANGENTS` point along U, and `TANGENTS` against the file's V, which
/// points up. The scene's tangents point along U, and its bitangents up, as in glTF.
pub(super) fn tangents(node: &Node<'_>, normals: &[Vec3], vertices: usize) -> Vec<Vec4> {
    let along_u = per_vertex(child_values::<record::Vec3>(node, &table::BITANGENTS), vertices);
    let against_v = per_vertex(child_values::<record::Vec3>(node, &table::TANGENTS), vertices);
    if along_u.is_empty() || normals.len() != vertices {
        return Vec::new();
    }
    let with_side = |(index, tangent): (usize, &record::Vec3)| {
        let tangent = space::vector(*tangent);
        let down = against_v.get(index).map_or(Vec3::ZERO, |down| space::vector(*down));
        side(normals[index], tangent, down)
    };
    along_u.iter().enumerate().map(with_side).collect()
}

/// A tangent with the side on which `down`, the direction against V, is not.
pub(crate) fn side(normal: Vec3, tangent: Vec3, down: Vec3) -> Vec4 {
    tangent.extend(if normal.cross(tangent).dot(down) > 0.0 { -1.0 } else { 1.0 })
}
