//! Meshes and skins.

use glam::{Vec2, Vec3, Vec3A, Vec4};
use scene::{Billboard, Bounds, Indices, Mesh, NodeId, NoteKind, Part, Transform};
use w3x::view::{self, GeometryType};

use super::{Converter, short_name};
use crate::report::counted;
use crate::w3d::shared::{Binder, Bones, direction, side};

impl<'n> Converter<'_, 'n> {
    /// Places a mesh on the node of a pivot of a skeleton.
    pub(super) fn mesh(&mut self, view: view::Mesh<'n>, node: NodeId, skeleton: Option<usize>, pivot: usize) {
        let part = format!("W3DMesh {:?}", view.id());
        if !self.afford(view.0.node().len()) {
            return;
        }
        let positions = view.positions(0);
        if !self.has_room(1, positions.len(), &part) {
            return;
        }
        let mut mesh = Mesh {
            name: short_name(&view.id()),
            node: Some(node),
            hidden: view.is_hidden(),
            casts_shadow: view.casts_shadow(),
            ..Mesh::default()
        };
        let normals = self.per_vertex(&part, "normals", view.normals(0), positions.len());
        mesh.normals = normals.into_iter().map(direction).collect();
        mesh.tangents = self.tangents(view, &part, &mesh.normals, positions.len());
        mesh.positions = positions.into_iter().map(direction).collect();
        let is_skin =
            view.geometry_type() == GeometryType::Skin && self.skin(view, &part, skeleton, &mut mesh);
        if !is_skin {
            self.turn_to_camera(view.geometry_type(), node, skeleton, pivot, &mut mesh);
        }
        mesh.bounds = Bounds::around(mesh.positions.iter().copied());
        for set in 0..view.tex_coord_sets() {
            let set =
                self.per_vertex(&part, "texture coordinates", view.tex_coords(set), mesh.positions.len());
            if !set.is_empty() {
                mesh.uv_sets.push(set.into_iter().map(|[u, v]| Vec2::new(u, 1.0 - v)).collect());
            }
        }
        let colors = self.per_vertex(&part, "colours", view.colors(), mesh.positions.len());
        if !colors.is_empty() {
            let byte = |number: f32| (number.clamp(0.0, 1.0) * 255.0).round() as u8;
            mesh.color_sets.push(colors.into_iter().map(|color| color.map(byte)).collect());
        }
        mesh.indices = self.indices(view, &part, mesh.positions.len());
        let material = self.material(view, mesh.uv_sets.len());
        let count = u32::try_from(mesh.indices.len()).unwrap_or(u32::MAX);
        mesh.parts.push(Part { material, start: 0, count });
        self.vertices += mesh.positions.len();
        self.scene.meshes.push(mesh);
    }

    /// A list with one element for each vertex, or none.
    fn per_vertex<T>(&mut self, part: &str, what: &str, mut list: Vec<T>, vertices: usize) -> Vec<T> {
        if !list.is_empty() && list.len() < vertices {
            let message = format!("{} {what} for {vertices} vertices; they were dropped", list.len());
            self.report.note(NoteKind::Damaged, part, message);
            return Vec::new();
        }
        list.truncate(vertices);
        list
    }

    /// The corners of the triangles whose vertices exist.
    fn indices(&mut self, view: view::Mesh<'n>, part: &str, vertices: usize) -> Indices {
        let triangles = view.triangles();
        let all = triangles.len();
        let is_sound = |corners: &[u32; 3]| corners.iter().all(|corner| (*corner as usize) < vertices);
        let corners = triangles.into_iter().map(|triangle| triangle.vertices).filter(is_sound);
        let indices: Vec<u32> = corners.flatten().collect();
        let dropped = all - indices.len() / 3;
        if dropped > 0 {
            let message = format!("dropped {} with out-of-range indices", counted(dropped, "triangle"));
            self.report.note(NoteKind::Damaged, part, message);
        }
        indices.into()
    }

    /// Tangents with their handedness. The names are exchanged as in W3D: in real files the binormals point along U, and the tangents against
    /// the file's V, which points up.
    fn tangents(&mut self, view: view::Mesh<'n>, part: &str, normals: &[Vec3], vertices: usize) -> Vec<Vec4> {
        let along_u = self.per_vertex(part, "binormals", view.binormals(), vertices);
        let against_v = self.per_vertex(part, "tangents", view.tangents(), vertices);
        if along_u.is_empty() || normals.len() != vertices {
            return Vec::new();
        }
        let with_side = |(index, tangent): (usize, [f32; 3])| {
            let down = against_v.get(index).map_or(Vec3::ZERO, |down| direction(*down));
            side(normals[index], direction(tangent), down)
        };
        along_u.into_iter().enumerate().map(with_side).collect()
    }

    /// Moves the vertices from the spaces of their bones to the rest pose, and binds them. Each of the two lists of positions is in the
    /// space of its own bone; where the second weight is 0, the second entry means nothing.
    fn skin(&mut self, view: view::Mesh<'n>, part: &str, skeleton: Option<usize>, mesh: &mut Mesh) -> bool {
        let vertices = mesh.positions.len();
        let (first, second) = (view.influences(0), view.influences(1));
        if first.len() < vertices {
            let message = "fewer influences than vertices; converted as a rigid mesh";
            self.report.note(NoteKind::Damaged, part, message);
            return false;
        }
        let Some(skeleton) = skeleton.map(|index| &self.skeletons[index]).filter(|one| one.nodes.len() > 1)
        else {
            self.missing(part, "skeleton not found: this mesh will look collapsed".to_owned());
            return false;
        };
        let (second_positions, second_normals) = (view.positions(1), view.normals(1));
        let mut binder = Binder::new(&skeleton.worlds, &skeleton.nodes, vertices);
        let mut disagreement = 0.0_f32;
        for (vertex, one) in first.into_iter().enumerate().take(vertices) {
            let other = second.get(vertex).copied().unwrap_or_default();
            let copy = second_positions.get(vertex).filter(|_| other.weight > 0.0);
            let total = one.weight.max(0.0) + if copy.is_some() { other.weight } else { 0.0 };
            // Weights of 0 alone bind to the first bone.
            let share = |weight: f32| if total > 0.0 { weight.max(0.0) / total } else { 0.0 };
            let bones: Bones<2> = [
                (usize::from(one.bone), share(one.weight)),
                (usize::from(other.bone), if copy.is_some() { share(other.weight) } else { 0.0 }),
            ];
            let bone = binder.push(bones);
            let world = binder.worlds[bone];
            let mut position = world.transform_point3(mesh.positions[vertex]);
            let turned = |directions: &mut [Vec3]| {
                if let Some(direction) = directions.get_mut(vertex) {
                    *direction = (world.matrix3 * Vec3A::from(*direction)).into();
                }
            };
            turned(&mut mesh.normals);
            if let Some(tangent) = mesh.tangents.get_mut(vertex) {
                let direction: Vec3 = (world.matrix3 * Vec3A::from(tangent.truncate())).into();
                *tangent = direction.extend(tangent.w);
            }
            if let (Some(copy), Some(world)) = (copy, binder.worlds.get(bones[1].0)) {
                let copy = world.transform_point3(direction(*copy));
                disagreement = disagreement.max(copy.distance(position));
                position = position * bones[0].1 + copy * bones[1].1;
                if let (Some(normal), Some(copy)) = (mesh.normals.get_mut(vertex), second_normals.get(vertex))
                {
                    let copy: Vec3 = (world.matrix3 * Vec3A::from(direction(*copy))).into();
                    *normal = (*normal * bones[0].1 + copy * bones[1].1).normalize_or(*normal);
                }
            }
            mesh.positions[vertex] = position;
        }
        let Binder { skin, strays, .. } = binder;
        let size = Bounds::around(mesh.positions.iter().copied()).map_or(0.0, |bounds| bounds.radius);
        if disagreement > 1e-3 * size.max(f32::MIN_POSITIVE) {
            let message = format!(
                "the vertex copies for the first and second bone differ by up to {disagreement}; the mean is used"
            );
            self.report.note(NoteKind::Damaged, part, message);
        }
        if strays > 0 {
            let message = format!("{} to missing bones; bound to the root", counted(strays, "influence"));
            self.report.note(NoteKind::Damaged, part, message);
        }
        for joint in &skin.joints {
            self.scene.nodes[joint.node.index()].is_bone = true;
        }
        mesh.skin = Some(skin);
        true
    }

    /// A mesh that turns to the camera hangs on a node of its own, because the pivot's other objects and children do not.
    fn turn_to_camera(
        &mut self,
        geometry: GeometryType,
        node: NodeId,
        skeleton: Option<usize>,
        pivot: usize,
        mesh: &mut Mesh,
    ) {
        let billboard = match geometry {
            GeometryType::CameraAligned => Billboard::Aligned,
            GeometryType::CameraOriented => Billboard::Facing,
            GeometryType::Normal | GeometryType::Skin => return,
        };
        let own = self.add_node(mesh.name.clone(), Some(node), Transform::IDENTITY);
        self.scene.nodes[own.index()].billboard = billboard;
        mesh.node = Some(own);
        if let Some(skeleton) = skeleton {
            self.skeletons[skeleton].carriers.entry(pivot).or_default().push(own);
        }
    }
}
