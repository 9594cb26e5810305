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
        vertices.write(self, bindings.len(), &mut attributes);
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

/// The influences of all vertices made sound: known joints, each once, positive weights that add up to one.
struct Vertices {
    /// The end of each vertex' stretch of influences.
    ends: Vec<usize>,
    influences: Vec<Influence>,
    most: usize,
    /// Some vertex follows nothing.
    needs_still: bool,
}

impl Vertices {
    fn new(mesh: &Mesh, skin: &Skin, report: &mut Report) -> Self {
        let count = mesh.positions.len();
        let mut vertices =
            Self { ends: Vec::with_capacity(count), influences: Vec::new(), most: 1, needs_still: false };
        vertices.influences.reserve(skin.influences.len());
        let still = known_joints(skin).len() as u32;
        for vertex in 0..count {
            let given = skin.of(vertex);
            let start = vertices.influences.len();
            if let [one] = given
                && one.weight == 1.0
                && one.joint < still
            {
                vertices.influences.push(*one);
            } else {
                vertices.mend(given, start, still, report);
            }
            vertices.most = vertices.most.max(vertices.influences.len() - start);
            vertices.ends.push(vertices.influences.len());
        }
        vertices
    }

    fn mend(&mut self, given: &[Influence], start: usize, still: u32, report: &mut Report) {
        let mut dropped = false;
        for influence in given {
            if influence.joint >= still || !(influence.weight > 0.0 && influence.weight.is_finite()) {
                dropped |= influence.weight != 0.0;
            } else if let Some(same) =
                self.influences[start..].iter_mut().find(|same| same.joint == influence.joint)
            {
                same.weight += influence.weight;
            } else {
                self.influences.push(*influence);
            }
        }
        let own = &mut self.influences[start..];
        let sum: f32 = own.iter().map(|influence| influence.weight).sum();
        if own.is_empty() {
            self.influences.push(Influence { joint: still, weight: 1.0 });
            self.needs_still = true;
        } else if sum != 1.0 {
            own.iter_mut().for_each(|influence| influence.weight /= sum);
        }
        report.repaired_weights += usize::from(dropped || (sum - 1.0).abs() > 1e-5);
    }

    /// Joints and weights in sets of four; what is not used has joint and weight zero.
    fn write(&self, exporter: &mut Exporter<'_>, joints: usize, attributes: &mut Attributes) {
        for set in 0..self.most.div_ceil(4) {
            let of = |vertex: usize| {
                let start = vertex.checked_sub(1).map_or(0, |previous| self.ends[previous]) + set * 4;
                self.influences[..self.ends[vertex]].get(start..).unwrap_or(&[])
            };
            let buffers = &mut exporter.buffers;
            let joints = if joints <= 256 {
                let joints: Vec<[u8; 4]> =
                    (0..self.ends.len()).map(|at| quad(of(at), |i| i.joint as u8)).collect();
                buffers.push(View::Stride4, Element::U8x4, &joints)
            } else {
                let joints: Vec<[u16; 4]> =
                    (0..self.ends.len()).map(|at| quad(of(at), |i| i.joint as u16)).collect();
                buffers.push(View::Stride8, Element::U16x4, &joints)
            };
            // One influence each is the rule in W3D, and a byte says one exactly.
            let weights = if self.most == 1 {
                buffers.push(
                    View::Stride4,
                    Element::U8x4Normalised,
                    &vec![[255_u8, 0, 0, 0]; self.ends.len()],
                )
            } else {
                let weights: Vec<[f32; 4]> =
                    (0..self.ends.len()).map(|at| quad(of(at), |i| i.weight)).collect();
                buffers.push(View::Stride16, Element::F32x4, &weights)
            };
            attributes.push(("JOINTS", set as u32, joints));
            attributes.push(("WEIGHTS", set as u32, weights));
        }
    }
}

/// The joints that glTF can number, one left for what stands still.
fn known_joints(skin: &Skin) -> &[Joint] {
    &skin.joints[..skin.joints.len().min(usize::from(u16::MAX))]
}

fn quad<T: Default + Copy>(influences: &[Influence], part: impl Fn(&Influence) -> T) -> [T; 4] {
    let mut quad = [T::default(); 4];
    for (out, influence) in quad.iter_mut().zip(influences) {
        *out = part(influence);
    }
    quad
}
