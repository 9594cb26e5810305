//! Skinned meshes that clips show and hide.
//!
//! A skinned mesh ignores its node (glTF 2.0, 3.7.3.3), so its joints hide it: each is replaced by a child that never moves against it,
//! whose scale is one or zero. Vertices of a hidden mesh then lie at the origins of their joints, or between them. A triangle of up to two
//! joints is flat there, so nothing of it shows. Where triangles have more joints, the children also gather in one point while the mesh is
//! hidden. While it shows, they are where their joints are, exactly, and follow whatever somebody does to these.

use crate::context::Context;
use crate::nodes::{Node, Nodes};
use crate::placement::{Placement, Switch, visibility_keys};
use crate::read::names::without_number;
use glam::{Affine3A, Vec3};
use scene::{Mesh, NodeId, Skin, Transform};
use std::collections::{HashMap, HashSet};

/// The start of the names of the children, before the name of their joint.
const PREFIX: &str = "Switch ";

/// Meshes that are shown and hidden together.
pub(crate) struct SwitchGroup {
    /// The first of them, whose channels say when.
    pub(crate) placement: usize,
    /// All of them.
    pub(crate) members: Vec<usize>,
    /// The children of joints.
    pub(crate) children: Vec<SwitchNode>,
    /// Where the children gather while the meshes are hidden, in the model; nothing if they need not.
    pub(crate) gathers_at: Option<Vec3>,
}

/// A child of a joint.
pub(crate) struct SwitchNode {
    pub(crate) node: u32,
    /// Nothing is the model itself.
    pub(crate) joint: Option<NodeId>,
}

/// All groups.
#[derive(Default)]
pub(crate) struct Switches {
    pub(crate) groups: Vec<SwitchGroup>,
    /// For each placement its group.
    of: Vec<Option<u32>>,
    known: HashMap<(u32, Option<NodeId>), u32>,
}

impl Switches {
    /// Puts meshes together that show at the same times.
    pub(crate) fn new(context: &Context<'_>, placements: &[Placement<'_>]) -> Self {
        let mut switches = Self::default();
        let mut by_times: HashMap<Vec<u32>, u32> = HashMap::new();
        for (index, placement) in placements.iter().enumerate() {
            let mesh = &context.scene.meshes[placement.mesh.index()];
            let Some(skin) = mesh.skin.as_ref().filter(|_| placement.switch == Switch::Joints) else {
                switches.of.push(None);
                continue;
            };
            let new = switches.groups.len() as u32;
            let group = *by_times.entry(times(context, placement, mesh)).or_insert(new);
            if group == new {
                switches.groups.push(SwitchGroup {
                    placement: index,
                    members: Vec::new(),
                    children: Vec::new(),
                    gathers_at: None,
                });
            }
            let group_of = &mut switches.groups[group as usize];
            group_of.members.push(index);
            if group_of.gathers_at.is_none() && spans_three(mesh, skin) {
                group_of.gathers_at = Some(middle(mesh));
            }
            switches.of.push(Some(group));
        }
        switches
    }

    /// The group of a placement.
    pub(crate) fn of(&self, placement: usize) -> Option<u32> {
        *self.of.get(placement)?
    }

    /// The node that meshes of a group have instead of a joint, if it was added.
    pub(crate) fn known_child(&self, child: (u32, Option<NodeId>)) -> Option<u32> {
        self.known.get(&child).copied()
    }

    /// Adds the node that meshes of a group have instead of a joint.
    pub(crate) fn child(
        &mut self,
        context: &Context<'_>,
        nodes: &mut Nodes<'_>,
        placements: &[Placement<'_>],
        (group, joint): (u32, Option<NodeId>),
    ) -> u32 {
        if let Some(known) = self.known.get(&(group, joint)) {
            return *known;
        }
        let found = &mut self.groups[group as usize];
        let name = joint.map_or("Still", |joint| &nodes.all[joint.index()].name);
        let name = format!("{PREFIX}{name}");
        let mut node = Node { parent: joint.map(|joint| joint.0), ..Node::named(name) };
        if !placements[found.placement].at_rest {
            node.transform.scale = Vec3::ZERO;
            let world = joint.map_or(Affine3A::IDENTITY, |joint| nodes.rest_worlds(context)[joint.index()]);
            if let Some(place) = found.gathers_at {
                node.transform.translation = gathered(&world, place);
            }
        }
        let node = nodes.push(node);
        found.children.push(SwitchNode { node, joint });
        self.known.insert((group, joint), node);
        node
    }
}

/// Where a child has to be against its joint to be at a place of the model.
pub(crate) fn gathered(joint: &Affine3A, place: Vec3) -> Vec3 {
    let local = joint.inverse().transform_point3(place);
    // A joint without size has all its children at its origin.
    if local.is_finite() { local } else { Vec3::ZERO }
}

/// Whether a node is one of the children, by its name and that of its parent.
pub(crate) fn is_child_name(name: &str, parent: Option<&str>) -> bool {
    /// Blender's longest name of a bone, in bytes, without the number that makes it unique.
    const LONGEST: usize = 59;
    let Some(own) = name.strip_prefix(PREFIX) else { return false };
    let of = parent.unwrap_or("Still");
    let is_cut = name.len() >= LONGEST && of.starts_with(without_number(own));
    own.starts_with(of) || own.starts_with(without_number(of)) || own.starts_with("Still") || is_cut
}

/// When a mesh shows, as something that can be compared.
fn times(context: &Context<'_>, placement: &Placement<'_>, mesh: &Mesh) -> Vec<u32> {
    let mut times = vec![u32::from(placement.at_rest)];
    for player in context.players() {
        match visibility_keys(context, mesh, &placement.deciding, player) {
            None => times.push(u32::MAX),
            Some(keys) => {
                times.push(keys.times.len() as u32);
                times.extend(keys.times.iter().map(|time| time.to_bits()));
                times.extend(keys.values.iter().map(|on| u32::from(*on)));
            }
        }
    }
    times
}

/// Whether some triangle would show when all its joints have no size: it has three of them, and three corners that follow them differently.
fn spans_three(mesh: &Mesh, skin: &Skin) -> bool {
    let indices: Vec<u32> = mesh.indices.iter().collect();
    let mut known: HashSet<[u32; 3]> = HashSet::new();
    indices.as_chunks::<3>().0.iter().any(|triangle| {
        let sets = triangle.map(|corner| skin.sets.get(corner as usize).copied().unwrap_or(u32::MAX));
        let [a, b, c] = sets;
        if a == b || b == c || a == c || !known.insert(sets) {
            return false;
        }
        let mut joints: Vec<u32> =
            sets.iter().flat_map(|set| skin.set(*set)).map(|influence| influence.joint).collect();
        // A corner that follows nothing has the joint that stands still.
        joints.extend(sets.iter().filter(|set| skin.set(**set).is_empty()).map(|_| u32::MAX));
        joints.sort_unstable();
        joints.dedup();
        joints.len() > 2
    })
}

/// The middle of a mesh as it is bound.
fn middle(mesh: &Mesh) -> Vec3 {
    let bounds = scene::Bounds::around(mesh.positions.iter().copied().filter(|place| place.is_finite()));
    bounds.map_or(Vec3::ZERO, |bounds| (bounds.min + bounds.max) * 0.5)
}

/// Keys for the translation of a child: at its joint while it shows, at the place where all gather while it does not. `samples` are the
/// times and places of each stretch in which it is hidden, in order.
pub(crate) fn gathering(
    samples: Vec<(Vec<f32>, Vec<Transform>)>,
    duration: f32,
    tolerance: f32,
) -> (Vec<f32>, Vec<Vec3>) {
    /// Seconds that the way takes, which the mesh is hidden for.
    const WAY: f32 = 5e-4;
    let mut keys: Vec<(f32, Vec3)> = Vec::new();
    for (times, transforms) in samples {
        let (Some(&start), Some(&end)) = (times.first(), times.last()) else { continue };
        let starts_at_once = start <= 0.0;
        let ends_never = end >= duration;
        if end - start < 4.0 * WAY {
            continue;
        }
        if !starts_at_once {
            keys.push((start, Vec3::ZERO));
        }
        let places = times.iter().zip(&transforms).map(|(time, transform)| {
            let (low, high) =
                (if starts_at_once { start } else { start + WAY }, if ends_never { end } else { end - WAY });
            (time.clamp(low, high), transform.translation)
        });
        keys.extend(thinned(places.collect(), tolerance));
        if !ends_never {
            keys.push((end, Vec3::ZERO));
        }
    }
    if keys.first().is_some_and(|(time, _)| *time > 0.0) {
        keys.insert(0, (0.0, Vec3::ZERO));
    }
    keys.dedup_by(|next, last| next.0 <= last.0);
    keys.into_iter().unzip()
}

/// The places without those that a line between others has.
fn thinned(places: Vec<(f32, Vec3)>, tolerance: f32) -> Vec<(f32, Vec3)> {
    /// Places that a line may replace.
    const LONGEST: usize = 64;
    let mut kept: Vec<(f32, Vec3)> = Vec::new();
    let mut from = 0;
    let Some(first) = places.first() else { return kept };
    kept.push(*first);
    while from + 1 < places.len() {
        let is_straight = |to: usize| {
            let ((start, a), (end, b)) = (places[from], places[to]);
            places[from + 1..to].iter().all(|(time, place)| {
                let share = if end > start { (time - start) / (end - start) } else { 0.0 };
                a.lerp(b, share).distance(*place) <= tolerance
            })
        };
        let last = (from + LONGEST).min(places.len() - 1);
        let to = (from + 1..=last).take_while(|to| is_straight(*to)).last().unwrap_or(from + 1);
        kept.push(places[to]);
        from = to;
    }
    let is_same = |(_, place): &(f32, Vec3)| place.distance(kept[0].1) <= tolerance;
    if kept.iter().all(is_same) {
        kept.truncate(1);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_known_by_the_name_of_its_joint() {
        assert!(is_child_name("Switch Bone_Chest", Some("Bone_Chest")));
        assert!(is_child_name("Switch Bone_Chest.001", Some("Bone_Chest")));
        assert!(is_child_name("Switch Bone_Chest", Some("Bone_Chest.001")), "two bones of one name");
        assert!(is_child_name("Switch Still", None));
        assert!(!is_child_name("Switch Lever", Some("Wall")));
        assert!(!is_child_name("Lever", Some("Lever")));
        let long = "x".repeat(70);
        assert!(is_child_name(&format!("Switch {long}")[..63], Some(&long)));
        assert!(is_child_name(&format!("{}.001", &format!("Switch {long}")[..59]), Some(&long)));
    }

    #[test]
    fn children_gather_only_while_the_mesh_is_hidden() {
        let at = |places: &[f32]| {
            let transform = |x: &f32| Transform::from_translation(Vec3::X * *x);
            places.iter().map(transform).collect::<Vec<_>>()
        };
        let stretch = (vec![1.0, 1.5, 2.0, 3.0], at(&[1.0, 2.0, 3.0, 9.0]));
        let (times, places) = gathering(vec![stretch], 4.0, 0.01);
        assert_eq!(times, [0.0, 1.0, 1.0005, 2.0, 2.9995, 3.0]);
        assert_eq!(places.iter().map(|place| place.x).collect::<Vec<_>>(), [0.0, 0.0, 1.0, 3.0, 9.0, 0.0]);
        // Hidden all the time, and nothing moves.
        let (times, places) = gathering(vec![(vec![0.0, 1.0, 4.0], at(&[5.0, 5.0, 5.0]))], 4.0, 0.01);
        assert_eq!((times, places), (vec![0.0], vec![Vec3::X * 5.0]));
    }
}
