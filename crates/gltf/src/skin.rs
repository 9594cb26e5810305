//! Skins: joints, and the influences of vertices in sets of four.

use crate::{
    Exporter, Report,
    buffers::{Buffers, Element, List, View},
    node::OutNode,
};
use glam::Affine3A;
use scene::{Influence, Joint, Mesh, NodeId, Skin};
use std::{borrow::Cow, collections::BTreeMap};
use zerocopy::{Immutable, IntoBytes};

/// The skins written so far. Meshes with the same joints share one.
#[derive(Default)]
pub(crate) struct Skins {
    pub(crate) list: List,
    /// By their first joint and how many they have, of which few are alike.
    known: BTreeMap<(Option<NodeId>, usize), Vec<Written>>,
    /// The node that stands still, for what nothing moves.
    still: Option<u32>,
}

/// A skin and its place.
struct Written {
    bindings: Vec<Binding>,
    place: u32,
}

/// A joint as glTF has it.
#[derive(Clone, Copy, PartialEq)]
struct Binding {
    /// Nothing is the model itself.
    node: Option<NodeId>,
    inverse_bind: Affine3A,
}

/// A vertex attribute: what it is called with which number, and its accessor.
pub(crate) type Attributes = Vec<(&'static str, Option<u32>, u32)>;

impl Exporter<'_> {
    /// The skin of a mesh and the attributes of its vertices.
    pub(crate) fn write_skin(&mut self, mesh: &Mesh, skin: &Skin) -> (u32, Attributes) {
        let nodes = self.scene.nodes.len();
        let mut bindings: Vec<Binding> = known_joints(skin)
            .iter()
            .map(|&Joint { node, inverse_bind }| Binding {
                node: Some(node).filter(|node| node.index() < nodes),
                inverse_bind: if inverse_bind.is_finite() { inverse_bind } else { Affine3A::IDENTITY },
            })
            .collect();
        let sets = Sets::new(mesh, skin, &mut self.report);
        if sets.needs_still {
            bindings.push(Binding { node: None, inverse_bind: Affine3A::IDENTITY });
        }
        let attributes = sets.write(&mut self.buffers, bindings.len());
        (self.share_skin(bindings), attributes)
    }

    fn share_skin(&mut self, bindings: Vec<Binding>) -> u32 {
        let key = (bindings.first().and_then(|first| first.node), bindings.len());
        let alike = self.skins.known.get(&key).map_or(&[][..], Vec::as_slice);
        if let Some(known) = alike.iter().find(|known| known.bindings == bindings) {
            return known.place;
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
        self.skins.known.entry(key).or_default().push(Written { bindings, place });
        place
    }
}

/// The sets of influences made sound: known joints, each once, positive weights that add up to one. They are in fours; what is not
/// used has joint and weight zero.
struct Sets<'a> {
    /// For each vertex its set.
    of_vertices: Cow<'a, [u32]>,
    /// The fours of all sets: first the first of each set, then the second of each, and so on.
    fours: Vec<Vec<([u16; 4], [f32; 4])>>,
    /// What says the weights in the fewest bytes.
    weights: Weights,
    /// Some vertex follows nothing.
    needs_still: bool,
}

/// How weights are written; all three say the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weights {
    /// Each vertex follows one joint alone.
    Ones,
    /// They are parts of 255.
    Bytes,
    Floats,
}

impl<'a> Sets<'a> {
    fn new(mesh: &Mesh, skin: &'a Skin, report: &mut Report) -> Self {
        let still = known_joints(skin).len() as u32;
        // The last is for what has none.
        let count = skin.ends.len() + 1;
        let given = &skin.sets[..skin.sets.len().min(mesh.positions.len())];
        let are_sets = given.iter().fold(true, |all, &set| all & (set < count as u32));
        let of_vertices = if are_sets && given.len() == mesh.positions.len() {
            Cow::Borrowed(given)
        } else {
            let mut sets: Vec<u32> = given.iter().map(|&set| set.min(count as u32 - 1)).collect();
            sets.resize(mesh.positions.len(), count as u32 - 1);
            Cow::Owned(sets)
        };
        let mut used = vec![0_usize; count];
        for &set in &*of_vertices {
            used[set as usize] += 1;
        }
        let mut sets = Self {
            of_vertices,
            fours: vec![vec![Default::default(); count]],
            weights: Weights::Ones,
            needs_still: false,
        };
        let mut mended = Vec::new();
        for (set, &used) in used.iter().enumerate().filter(|(_, used)| **used > 0) {
            let mut sound = skin.set(set as u32);
            if !is_sound(sound, still) {
                mended.clear();
                sets.needs_still |= mend(sound, still, &mut mended, used, report);
                sound = &mended;
            }
            sets.weights = sets.weights.max(Weights::of(sound));
            for (at, four) in sound.chunks(4).enumerate() {
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

    /// The attributes of all vertices, whose joints are of so many.
    fn write(&self, buffers: &mut Buffers<'_>, joints: usize) -> Attributes {
        let mut attributes = Attributes::new();
        for (number, fours) in self.fours.iter().enumerate() {
            let joints = if joints <= 256 {
                self.spread(buffers, View::Stride4, Element::U8x4, fours, |(joints, _)| {
                    joints.map(|joint| joint as u8)
                })
            } else {
                self.spread(buffers, View::Stride8, Element::U16x4, fours, |(joints, _)| joints)
            };
            let weights = match self.weights {
                Weights::Ones => buffers.push_ones(self.of_vertices.len()),
                Weights::Bytes => {
                    self.spread(buffers, View::Stride4, Element::U8x4Normalised, fours, |(_, weights)| {
                        weights.map(parts_of_255)
                    })
                }
                Weights::Floats => {
                    self.spread(buffers, View::Stride16, Element::F32x4, fours, |(_, weights)| weights)
                }
            };
            attributes.push(("JOINTS", Some(number as u32), joints));
            attributes.push(("WEIGHTS", Some(number as u32), weights));
        }
        attributes
    }

    /// Gives each vertex what its set has.
    fn spread<T: Copy + Default + IntoBytes + Immutable>(
        &self,
        buffers: &mut Buffers<'_>,
        view: View,
        element: Element,
        fours: &[([u16; 4], [f32; 4])],
        part: impl Fn(([u16; 4], [f32; 4])) -> T,
    ) -> u32 {
        let parts: Vec<T> = fours.iter().map(|four| part(*four)).collect();
        buffers.push_each(view, element, &self.of_vertices, |set| parts[set as usize])
    }
}

impl Weights {
    /// The least that will do for these, of which there are some.
    fn of(influences: &[Influence]) -> Self {
        let (mut sum, mut whole) = (0, true);
        for influence in influences {
            let parts = parts_of_255(influence.weight);
            // None at all would leave a joint without weight (ACCESSOR_JOINTS_USED_ZERO_WEIGHT).
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

/// A weight, which is not negative, in the nearest whole number of parts.
fn parts_of_255(weight: f32) -> u8 {
    (weight * 255.0 + 0.5) as u8
}

/// Makes the influences of so many vertices sound. The result is whether nothing moves them.
fn mend(
    given: &[Influence],
    still: u32,
    sound: &mut Vec<Influence>,
    vertices: usize,
    report: &mut Report,
) -> bool {
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
    let stays = sound.is_empty();
    if stays {
        sound.push(Influence { joint: still, weight: 1.0 });
    } else if sum != 1.0 {
        sound.iter_mut().for_each(|influence| influence.weight /= sum);
    }
    if dropped || (sum - 1.0).abs() > 1e-5 {
        report.repaired_weights += vertices;
    }
    stays
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
