//! Skins: joints, and the influences of vertices in sets of four.

use crate::buffers::{Buffers, Element, View};
use crate::context::Context;
use crate::document::{self, Attributes};
use crate::nodes::{Node, Nodes};
use crate::options::Report;
use crate::placement::Placement;
use crate::switches::Switches;
use glam::Affine3A;
use scene::{Influence, Joint, Mesh, NodeId, Skin};

/// The skins of the meshes. Meshes with the same joints share one.
#[derive(Default)]
pub(crate) struct Skins(Vec<Vec<Binding>>);

/// A joint of a skin.
#[derive(Clone, Copy, PartialEq)]
struct Binding {
    /// Nothing is the model itself.
    node: Option<NodeId>,
    inverse_bind: Affine3A,
    /// The group whose child of the node it is.
    switch: Option<u32>,
}

impl Skins {
    /// The skin of a mesh, and the attributes of its vertices.
    pub(crate) fn add(
        &mut self,
        context: &Context<'_>,
        mesh: &Mesh,
        skin: &Skin,
        switch: Option<u32>,
        buffers: &mut Buffers<'_>,
        report: &mut Report,
    ) -> (u32, Attributes) {
        let binding = |joint: &Joint| Binding {
            node: context.existing(joint.node),
            inverse_bind: if joint.inverse_bind.is_finite() {
                joint.inverse_bind
            } else {
                Affine3A::IDENTITY
            },
            switch,
        };
        let mut bindings: Vec<Binding> = known_joints(skin).iter().map(binding).collect();
        let sets = Sets::new(mesh, skin, report);
        if sets.needs_still {
            bindings.push(Binding { node: None, inverse_bind: Affine3A::IDENTITY, switch });
        }
        let attributes = sets.write(buffers, bindings.len());
        let known = self.0.iter().position(|known| *known == bindings);
        let place = known.unwrap_or_else(|| {
            self.0.push(bindings);
            self.0.len() - 1
        });
        (place as u32, attributes)
    }

    /// Adds the nodes that meshes have instead of joints, because clips show and hide them.
    pub(crate) fn add_switches(
        &self,
        context: &Context<'_>,
        placements: &[Placement<'_>],
        switches: &mut Switches,
        nodes: &mut Nodes<'_>,
    ) {
        for binding in self.0.iter().flatten() {
            if let Some(group) = binding.switch {
                switches.child(context, nodes, placements, (group, binding.node));
            }
        }
    }

    /// The skins as glTF has them. Adds the nodes that joints need, and a skin of all nodes if some animated node is in no skin.
    ///
    /// Blender makes bones of joints, and only bones keep a rest pose: other animated nodes stay where the last clip left them.
    pub(crate) fn finish(
        self,
        context: &Context<'_>,
        switches: &Switches,
        nodes: &mut Nodes<'_>,
        buffers: &mut Buffers<'_>,
        is_animated: &[bool],
    ) -> Vec<document::Skin> {
        let mut is_joint = vec![false; context.scene.nodes.len()];
        let mut still = None;
        let mut skins = Vec::new();
        for bindings in &self.0 {
            let mut joints: Vec<u32> = Vec::with_capacity(bindings.len());
            let mut seen = vec![false; context.scene.nodes.len()];
            for binding in bindings {
                let child = binding.switch.and_then(|group| switches.known_child((group, binding.node)));
                let node = match binding.node {
                    _ if child.is_some_and(|child| !joints.contains(&child)) => child.unwrap_or_default(),
                    _ if child.is_some() => nodes.push(Node { parent: child, ..Node::named("Joint") }),
                    Some(node) if !std::mem::replace(&mut seen[node.index()], true) => node.0,
                    // A node may be a joint only once. A child that never moves against it is the same frame.
                    Some(node) => nodes.push(Node { parent: Some(node.0), ..Node::named("Joint") }),
                    None => match still.filter(|still| !joints.contains(still)) {
                        Some(still) => still,
                        None => {
                            let node = nodes.push(Node::named("Still"));
                            *still.insert(node)
                        }
                    },
                };
                joints.push(node);
            }
            is_joint.iter_mut().zip(seen).for_each(|(is_joint, seen)| *is_joint |= seen);
            let matrices: Vec<Affine3A> = bindings.iter().map(|binding| binding.inverse_bind).collect();
            skins.push(document::Skin {
                name: format!("Skin {}", skins.len()),
                inverse_bind_matrices: buffers.push_matrices(&matrices),
                joints,
            });
        }
        let is_lost = |(animated, joint): (&bool, &bool)| *animated && !*joint;
        if is_animated.iter().zip(&is_joint).any(is_lost) {
            let worlds = nodes.rest_worlds(context);
            let invertible = |world: &Affine3A| world.inverse().is_finite();
            let inverse =
                |world: &Affine3A| if invertible(world) { world.inverse() } else { Affine3A::IDENTITY };
            let matrices: Vec<Affine3A> = worlds.iter().map(inverse).collect();
            skins.push(document::Skin {
                name: "All nodes".to_owned(),
                inverse_bind_matrices: buffers.push_matrices(&matrices),
                joints: (0..context.scene.nodes.len() as u32).collect(),
            });
        }
        skins
    }
}

/// The sets of influences made valid: known joints, each once, positive weights that sum to one. They are in fours; unused places have
/// joint and weight zero.
struct Sets {
    /// For each vertex its set.
    of_vertices: Vec<u32>,
    /// The fours of all sets: the first four of each set, then the second four of each, and so on.
    fours: Vec<Vec<Four>>,
    /// The smallest form that is exact.
    weights: Weights,
    /// Some vertex follows no joint.
    needs_still: bool,
}

type Four = ([u16; 4], [f32; 4]);

/// How weights are written; all three are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weights {
    /// Each vertex follows one joint alone.
    Ones,
    /// They are parts of 255.
    Bytes,
    Floats,
}

impl Sets {
    fn new(mesh: &Mesh, skin: &Skin, report: &mut Report) -> Self {
        let still = known_joints(skin).len() as u32;
        // The last set is for vertices that have none.
        let count = skin.ends.len() + 1;
        let last = count as u32 - 1;
        let mut of_vertices: Vec<u32> =
            skin.sets.iter().take(mesh.positions.len()).map(|&set| set.min(last)).collect();
        of_vertices.resize(mesh.positions.len(), last);
        let mut used = vec![0_usize; count];
        for &set in &of_vertices {
            used[set as usize] += 1;
        }
        let fours = vec![vec![Default::default(); count]];
        let mut sets = Self { of_vertices, fours, weights: Weights::Ones, needs_still: false };
        for (set, &used) in used.iter().enumerate().filter(|(_, used)| **used > 0) {
            let valid = Valid::new(skin.set(set as u32), still);
            sets.needs_still |= valid.is_still;
            report.repaired_weights += if valid.is_repaired { used } else { 0 };
            sets.weights = sets.weights.max(Weights::of(&valid.influences));
            for (at, four) in valid.influences.chunks(4).enumerate() {
                if at == sets.fours.len() {
                    sets.fours.push(vec![Default::default(); count]);
                }
                let (joints, weights) = &mut sets.fours[at][set];
                for ((influence, joint), weight) in four.iter().zip(joints).zip(weights) {
                    (*joint, *weight) = (influence.joint as u16, influence.weight);
                }
            }
        }
        sets
    }

    /// The attributes of all vertices, for a skin with this number of joints.
    fn write(&self, buffers: &mut Buffers<'_>, joints: usize) -> Attributes {
        let mut attributes = Attributes::default();
        for (number, fours) in self.fours.iter().enumerate() {
            let joints = if joints <= 256 {
                let bytes = self.spread(fours, |(joints, _)| joints.map(|joint| joint as u8));
                buffers.push(View::Stride4, Element::U8x4, bytes)
            } else {
                buffers.push(View::Stride8, Element::U16x4, self.spread(fours, |(joints, _)| joints))
            };
            let weights = match self.weights {
                Weights::Ones => buffers.push_ones(self.of_vertices.len()),
                Weights::Bytes => {
                    let bytes = self.spread(fours, |(_, weights)| weights.map(parts_of_255));
                    buffers.push(View::Stride4, Element::U8x4Normalised, bytes)
                }
                Weights::Floats => {
                    let floats = self.spread(fours, |(_, weights)| weights);
                    buffers.push(View::Stride16, Element::F32x4, floats)
                }
            };
            attributes.0.push((format!("JOINTS_{number}").into(), joints));
            attributes.0.push((format!("WEIGHTS_{number}").into(), weights));
        }
        attributes
    }

    /// Gives each vertex what its set has.
    fn spread<T: Copy>(&self, fours: &[Four], part: impl Fn(Four) -> T) -> Vec<T> {
        let parts: Vec<T> = fours.iter().map(|four| part(*four)).collect();
        self.of_vertices.iter().map(|&set| parts[set as usize]).collect()
    }
}

impl Weights {
    /// The least that is exact for these influences.
    fn of(influences: &[Influence]) -> Self {
        let (mut sum, mut whole) = (0, true);
        for influence in influences {
            let parts = parts_of_255(influence.weight);
            // Zero would leave a joint without weight (ACCESSOR_JOINTS_USED_ZERO_WEIGHT).
            whole &= parts > 0 && (influence.weight * 255.0 - f32::from(parts)).abs() < 1e-4;
            sum += u32::from(parts);
        }
        match influences {
            [_] => Self::Ones,
            [_, _] | [_, _, _] | [_, _, _, _] if whole && sum == 255 => Self::Bytes,
            _ => Self::Floats,
        }
    }
}

/// A weight in the nearest whole number of parts.
fn parts_of_255(weight: f32) -> u8 {
    (weight * 255.0 + 0.5) as u8
}

/// One set of influences made valid.
struct Valid {
    influences: Vec<Influence>,
    is_repaired: bool,
    /// No joint is left.
    is_still: bool,
}

impl Valid {
    /// `still` is the number of joints, and the number of the joint that never moves.
    fn new(given: &[Influence], still: u32) -> Self {
        let mut influences: Vec<Influence> = Vec::with_capacity(given.len());
        let mut is_repaired = false;
        for influence in given {
            if influence.joint >= still || !(influence.weight > 0.0 && influence.weight.is_finite()) {
                is_repaired |= influence.weight != 0.0;
                continue;
            }
            match influences.iter_mut().find(|known| known.joint == influence.joint) {
                Some(known) => known.weight += influence.weight,
                None => influences.push(*influence),
            }
        }
        let sum: f32 = influences.iter().map(|influence| influence.weight).sum();
        is_repaired |= (sum - 1.0).abs() > 1e-5;
        if influences.is_empty() {
            let influences = vec![Influence { joint: still, weight: 1.0 }];
            return Self { influences, is_repaired, is_still: true };
        }
        // Sums that are off by the last bit stay as they are.
        if (sum - 1.0).abs() > 2e-7 {
            let scale = 1.0 / sum;
            influences.iter_mut().for_each(|influence| influence.weight *= scale);
        }
        Self { influences, is_repaired, is_still: false }
    }
}

/// The joints that glTF can number, one left for what stands still.
fn known_joints(skin: &Skin) -> &[Joint] {
    &skin.joints[..skin.joints.len().min(usize::from(u16::MAX))]
}
