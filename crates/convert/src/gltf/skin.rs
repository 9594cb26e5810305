//! Skins: joints, and the influences of vertices in sets of four.

use super::{
    Exporter, Report,
    buffers::{Element, List, View},
    node::OutNode,
};
use glam::Affine3A;
use scene::{Influence, Joint, Mesh, NodeId, Skin};

/// The skins written so far. Meshes with the same joints share one.
#[derive(Default)]
pub(super) struct Skins {
    pub(super) list: List,
    known: Vec<(Vec<Binding>, u32)>,
    /// The node that stands still, for what nothing moves.
    still: Option<u32>,
}

/// A joint as glTF has it.
#[derive(Clone, Copy, PartialEq)]
struct Binding {
    /// Nothing is the model itself.
    node: Option<NodeId>,
    inverse_bind: Affine3A,
}

/// A vertex attribute: what it is called with which number, and its accessor.
pub(super) type Attributes = Vec<(&'static str, u32, u32)>;

impl Exporter<'_> {
    /// The skin of a mesh and the attributes of its vertices.
    pub(super) fn write_skin(&mut self, mesh: &Mesh, skin: &Skin) -> (u32, Attributes) {
        let nodes = self.scene.nodes.len();
        let mut bindings: Vec<Binding> = known_joints(skin)
            .iter()
            .map(|&Joint { node, inverse_bind }| Binding {
                node: Some(node).filter(|node| node.index() < nodes),
                inverse_bind: if inverse_bind.is_finite() { inverse_bind } else { Affine3A::IDENTITY },
            })
            .collect();
        let vertices = Vertices::new(mesh, skin, &mut self.report);
        if vertices.needs_still {
            bindings.push(Binding { node: None, inverse_bind: Affine3A::IDENTITY });
        }
        let mut attributes = Attributes::new();
        vertices.write(self, skin, bindings.len(), &mut attributes);
        (self.share_skin(bindings), attributes)
    }

    fn share_skin(&mut self, bindings: Vec<Binding>) -> u32 {
        if let Some((_, place)) = self.skins.known.iter().find(|(known, _)| *known == bindings) {
            return *place;
        }
        let mut joints: Vec<u32> = Vec::with_capacity(bindings.len());
        let mut seen = vec![false; self.scene.nodes.len()];
        for binding in &bindings {
            let node = match binding.node {
                Some(node) if !std::mem::replace(&mut seen[node.index()], true) => node.0,
                // A node may be a joint once only; a child that never moves against it is the same frame.
                Some(node) => self.nodes.push(OutNode { parent: Some(node.0), ..OutNode::default() }),
                None => match self.skins.still.filter(|still| !joints.contains(still)) {
                    Some(still) => still,
                    None => {
                        let still = self.nodes.push(OutNode::default());
                        self.skins.still = Some(still);
                        still
                    }
                },
            };
            joints.push(node);
        }
        let matrices: Vec<Affine3A> = bindings.iter().map(|binding| binding.inverse_bind).collect();
        let accessor = self.buffers.push_matrices(&matrices);
        let place = self.skins.list.push(|json| {
            json.field("inverseBindMatrices", &accessor);
            json.list("joints", &joints);
        });
        self.skins.known.push((bindings, place));
        place
    }
}

/// The influences of all vertices made sound: known joints, each once, positive weights that add up to one. They are in sets of
/// four; what is not used has joint and weight zero.
struct Vertices {
    count: usize,
    /// None at all if they are as the skin has them: one for each vertex, whose place is the vertex' own.
    joints: Vec<Vec<[u16; 4]>>,
    weights: Vec<Vec<[f32; 4]>>,
    /// Each follows one joint alone.
    single: bool,
    /// Some vertex follows nothing.
    needs_still: bool,
}

impl Vertices {
    fn new(mesh: &Mesh, skin: &Skin, report: &mut Report) -> Self {
        let count = mesh.positions.len();
        let still = known_joints(skin).len() as u32;
        let is_plain = |influence: &Influence| influence.weight == 1.0 && influence.joint < still;
        let mut vertices =
            Self { count, joints: Vec::new(), weights: Vec::new(), single: true, needs_still: false };
        if skin.ends.len() == count
            && skin.influences.len() == count
            && skin.ends.iter().zip(1..).all(|(end, place)| *end == place)
            && skin.influences.iter().all(is_plain)
        {
            return vertices;
        }
        vertices.add_set();
        let mut mended = Vec::new();
        for vertex in 0..count {
            let mut sound = skin.of(vertex);
            if !is_sound(sound, still) {
                mended.clear();
                vertices.mend(sound, still, &mut mended, report);
                sound = &mended;
            }
            vertices.single &= sound.len() == 1;
            for (set, four) in sound.chunks(4).enumerate() {
                if set == vertices.joints.len() {
                    vertices.add_set();
                }
                let (joints, weights) =
                    (&mut vertices.joints[set][vertex], &mut vertices.weights[set][vertex]);
                for ((influence, joint), weight) in four.iter().zip(joints).zip(weights) {
                    (*joint, *weight) = (influence.joint as u16, influence.weight);
                }
            }
        }
        vertices
    }

    fn add_set(&mut self) {
        self.joints.push(vec![[0; 4]; self.count]);
        self.weights.push(vec![[0.0; 4]; self.count]);
    }

    fn mend(&mut self, given: &[Influence], still: u32, sound: &mut Vec<Influence>, report: &mut Report) {
        let mut dropped = false;
        for influence in given {
            if influence.joint >= still || !(influence.weight > 0.0 && influence.weight.is_finite()) {
                dropped |= influence.weight != 0.0;
            } else if let Some(same) = sound.iter_mut().find(|same| same.joint == influence.joint) {
                same.weight += influence.weight;
            } else {
                sound.push(*influence);
            }
        }
        let sum: f32 = sound.iter().map(|influence| influence.weight).sum();
        if sound.is_empty() {
            sound.push(Influence { joint: still, weight: 1.0 });
            self.needs_still = true;
        } else if sum != 1.0 {
            sound.iter_mut().for_each(|influence| influence.weight /= sum);
        }
        report.repaired_weights += usize::from(dropped || (sum - 1.0).abs() > 1e-5);
    }

    fn write(&self, exporter: &mut Exporter<'_>, skin: &Skin, joints: usize, attributes: &mut Attributes) {
        let buffers = &mut exporter.buffers;
        if self.joints.is_empty() {
            // One each: the joints as they stand.
            let joints =
                buffers.push_single_joints(skin.influences[..self.count].iter().map(|one| one.joint), joints);
            attributes.push(("JOINTS", 0, joints));
            attributes.push(("WEIGHTS", 0, buffers.push_ones(self.count)));
        }
        for (set, numbers) in self.joints.iter().enumerate() {
            let joints = if joints <= 256 {
                let bytes: Vec<[u8; 4]> = numbers.iter().map(|four| four.map(|joint| joint as u8)).collect();
                buffers.push(View::Stride4, Element::U8x4, &bytes)
            } else {
                buffers.push(View::Stride8, Element::U16x4, numbers)
            };
            let weights = if self.single {
                buffers.push_ones(self.count)
            } else {
                buffers.push(View::Stride16, Element::F32x4, &self.weights[set])
            };
            attributes.push(("JOINTS", set as u32, joints));
            attributes.push(("WEIGHTS", set as u32, weights));
        }
    }
}

/// Whether influences are as glTF wants them. Of many it is not worth knowing.
fn is_sound(influences: &[Influence], joints: u32) -> bool {
    const NEAR: f32 = 2e-7;
    if influences.len() > 4 {
        return false;
    }
    let mut sum = 0.0;
    for (at, influence) in influences.iter().enumerate() {
        let is_new = influences[..at].iter().all(|other| other.joint != influence.joint);
        let counts = is_new && influence.joint < joints && influence.weight > 0.0;
        sum += if counts { influence.weight } else { f32::NAN };
    }
    (sum - 1.0).abs() <= NEAR
}

/// The joints that glTF can number, one left for what stands still.
fn known_joints(skin: &Skin) -> &[Joint] {
    &skin.joints[..skin.joints.len().min(usize::from(u16::MAX))]
}
