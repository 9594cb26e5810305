//! Skins: from vertices in the space of their bones to the bind pose in model space (docs/formats/w3d/skins.md#space-of-the-vertices).

use glam::{Affine3A, Vec3, Vec3A};
use record::Node;
use scene::{Influence, Joint, Mesh, Skin};
use w3d::records::MeshHeader3;

use super::skeleton::lacks_root;
use crate::report::counted;

use super::{Converter, NoteKind, Place, mesh, space};

/// Bones with their weights, the first being the one in whose space the vertex is stored.
pub(crate) type Bones<const N: usize> = [(usize, f32); N];

/// A skin in the making: joints for those bones that are used.
pub(crate) struct Binder<'s> {
    pub(crate) worlds: &'s [Affine3A],
    nodes: &'s [scene::NodeId],
    /// For each bone one more than its joint, or 0.
    joint_of: Vec<u32>,
    pub(crate) skin: Skin,
    /// How many vertices are on bones that do not exist.
    pub(crate) strays: usize,
}

impl<'s> Binder<'s> {
    /// For the pivots of a skeleton, and this many vertices.
    pub(crate) fn new(worlds: &'s [Affine3A], nodes: &'s [scene::NodeId], vertices: usize) -> Self {
        let mut skin = Skin::default();
        skin.sets.reserve_exact(vertices);
        Self { worlds, nodes, joint_of: vec![0; nodes.len()], skin, strays: 0 }
    }

    /// The bone, or the root if it does not exist.
    fn bone(&mut self, bone: usize) -> usize {
        if bone < self.worlds.len() {
            bone
        } else {
            self.strays += 1;
            0
        }
    }

    fn joint(&mut self, bone: usize) -> u32 {
        if self.joint_of[bone] == 0 {
            let inverse_bind = self.worlds[bone].inverse();
            self.skin.joints.push(Joint { node: self.nodes[bone], inverse_bind });
            self.joint_of[bone] = self.skin.joints.len() as u32;
        }
        self.joint_of[bone] - 1
    }

    /// Adds a vertex. The result is its first bone.
    pub(crate) fn push<const N: usize>(&mut self, bones: Bones<N>) -> usize {
        let first = self.bone(bones[0].0);
        let start = self.skin.influences.len();
        for (index, (bone, weight)) in bones.into_iter().enumerate() {
            if weight > 0.0 {
                let bone = if index == 0 { first } else { self.bone(bone) };
                let joint = self.joint(bone);
                self.skin.influences.push(Influence { joint, weight });
            }
        }
        if self.skin.influences.len() == start {
            let joint = self.joint(first);
            self.skin.influences.push(Influence { joint, weight: 1.0 });
        }
        // Vertices are sorted by their bones, so that one mostly has what the one before has.
        let last = self.skin.ends.len().wrapping_sub(1) as u32;
        if self.skin.set(last) == &self.skin.influences[start..] {
            self.skin.influences.truncate(start);
            self.skin.sets.push(last);
        } else {
            self.skin.push_vertex([]);
        }
        first
    }
}

impl<'n> Converter<'_, 'n> {
    /// Makes a skin of the mesh if it is one: engines go by the influences, not by the flag.
    pub(super) fn skin_mesh(
        &mut self,
        node: &'n Node<'n>,
        header: &MeshHeader3,
        place: Place,
        mesh: &mut Mesh,
    ) -> bool {
        let view = w3d::Mesh(node);
        let (vertices, two, four) = (view.vertices(), view.influences(), view.extended_influences());
        if two.is_empty() && four.is_empty() {
            if header.is_skin() {
                self.note(NoteKind::Damaged, node, "skin flag without influences; converted as a rigid mesh");
            }
            return false;
        }
        let four = if four.len() < vertices.len() { &[] } else { four };
        if two.len() < vertices.len() && four.is_empty() {
            self.note(NoteKind::Damaged, node, "fewer influences than vertices; converted as a rigid mesh");
            return false;
        }
        let Some(skeleton) =
            place.skeleton.map(|index| &self.skeletons[index]).filter(|one| one.nodes.len() > 1)
        else {
            let name = place.skeleton.map(|index| self.skeletons[index].name.clone()).unwrap_or_default();
            self.missing(node, &name, "skeleton not found: this mesh will look collapsed");
            return false;
        };
        let mut binder = Binder::new(&skeleton.worlds, &skeleton.nodes, vertices.len());
        let shift = usize::from(lacks_root(header.version));
        let bone = |(bone, weight): (u16, f32)| (usize::from(bone) + shift, weight);

        let mut firsts = Vec::with_capacity(vertices.len());
        let mut disagreement = 0.0_f32;
        mesh.positions.reserve_exact(vertices.len());
        let at_bone = |world: &Affine3A, vertex: record::Vec3| world.transform_point3(space::vector(vertex));
        if four.is_empty() {
            let secondary = view.secondary_vertices();
            for (index, (influence, vertex)) in two.iter().zip(vertices).enumerate() {
                let bones = influence.bones().map(bone);
                let first = binder.push(bones);
                let mut position = at_bone(&binder.worlds[first], *vertex);
                // The engine blends the two copies of a vertex, each moved by its bone.
                if bones[1].1 > 0.0
                    && let (Some(second), Some(world)) = (secondary.get(index), binder.worlds.get(bones[1].0))
                {
                    let copy = at_bone(world, *second);
                    disagreement = disagreement.max(copy.distance(position));
                    position = position * bones[0].1 + copy * bones[1].1;
                }
                mesh.positions.push(position);
                firsts.push(first);
            }
        } else {
            for (influence, vertex) in four.iter().zip(vertices) {
                let first = binder.push(influence.bones().map(bone));
                mesh.positions.push(at_bone(&binder.worlds[first], *vertex));
                firsts.push(first);
            }
        }

        let turned = |index: usize, direction: Vec3| -> Vec3 {
            (binder.worlds[firsts[index]].matrix3 * Vec3A::from(direction)).into()
        };
        let stored = view.normals().get(..vertices.len()).unwrap_or_default();
        let normals: Vec<Vec3> = stored.iter().copied().map(space::vector).collect();
        mesh.tangents = mesh::tangents(node, &normals, vertices.len());
        for (index, tangent) in mesh.tangents.iter_mut().enumerate() {
            *tangent = turned(index, tangent.truncate()).extend(tangent.w);
        }
        mesh.normals = normals.into_iter().enumerate().map(|(index, normal)| turned(index, normal)).collect();

        let Binder { skin, strays, .. } = binder;
        mesh.bounds = scene::Bounds::around(mesh.positions.iter().copied());
        let size = mesh.bounds.map_or(0.0, |bounds| bounds.radius).max(f32::MIN_POSITIVE);
        if disagreement > 1e-3 * size {
            let message = format!(
                "the vertex copies for the first and second bone differ by up to {disagreement}; the mean is used"
            );
            self.note(NoteKind::Damaged, node, message);
        }
        if strays > 0 {
            let message = format!("{} to missing bones; bound to the root", counted(strays, "influence"));
            self.note(NoteKind::Damaged, node, message);
        }
        for joint in &skin.joints {
            self.scene.nodes[joint.node.index()].is_bone = true;
        }
        mesh.skin = Some(skin);
        true
    }
}
