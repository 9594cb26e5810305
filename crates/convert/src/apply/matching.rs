//! Which parts of two scenes belong together, and how nodes differ.

use super::{Edit, Side, Sizes};
use glam::{Quat, Vec3};
use scene::{NodeId, Scene, Target, Transform};
use std::collections::{HashMap, HashSet};

/// Which parts of the base and the edited scene belong together.
#[derive(Clone, Debug, Default)]
pub struct Matches {
    /// For each node of the edited scene the base's.
    pub nodes: Vec<Option<usize>>,
    /// For each node of the base the edited one's.
    pub nodes_back: Vec<Option<usize>>,
    /// Nodes of the edited scene that only hold a mesh, a light or a camera of the node above.
    pub holders: Vec<bool>,
    /// For each mesh of the edited scene the base's.
    pub meshes: Vec<Option<usize>>,
    /// For each mesh of the base the edited one's.
    pub meshes_back: Vec<Option<usize>>,
    /// For each material of the edited scene the base's.
    pub materials: Vec<Option<usize>>,
    /// For each clip of the edited scene the base's.
    pub clips: Vec<Option<usize>>,
    /// For each clip of the base the edited one's.
    pub clips_back: Vec<Option<usize>>,
    /// How far nodes of the base were moved together with their motion in all clips. Their rest transforms do not say so.
    pub shifts: HashMap<usize, Vec3>,
}

impl Matches {
    /// The base's node for a node of the edited scene; that of the node above for one that only holds a mesh.
    #[must_use]
    pub fn host(&self, edited: &Scene, node: NodeId) -> Option<usize> {
        let index = node.index();
        match self.nodes.get(index)? {
            Some(node) => Some(*node),
            None if self.holders[index] => *self.nodes.get(edited.nodes[index].parent?.index())?,
            None => None,
        }
    }
}

/// A name without the number that Blender adds to duplicates, such as `.001`.
pub(crate) fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, digits)) if digits.len() == 3 && digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            stem
        }
        _ => name,
    }
}

/// Whether one name is the other as Blender writes it: cut after 63 bytes, or with a number.
pub(crate) fn same_name(base: &str, edited: &str) -> bool {
    /// Blender's longest name of a bone, in bytes.
    const LONGEST: usize = 63;
    base == edited
        || without_number(base) == without_number(edited)
        || edited.len() >= LONGEST - 4 && base.starts_with(without_number(edited))
}

/// Pairs of two lists, with what is left on both sides.
struct Pairs {
    to_base: Vec<Option<usize>>,
    to_edited: Vec<Option<usize>>,
}

impl Pairs {
    fn new(base: usize, edited: usize) -> Self {
        Self { to_base: vec![None; edited], to_edited: vec![None; base] }
    }

    fn set(&mut self, base: usize, edited: usize) {
        self.to_base[edited] = Some(base);
        self.to_edited[base] = Some(edited);
    }

    /// Pairs parts that are the same part of the original.
    fn by_id<T: Copy + Eq + std::hash::Hash>(&mut self, base: &[Option<T>], edited: &[Option<T>]) {
        let mut known: HashMap<T, usize> = HashMap::new();
        for (index, id) in base.iter().enumerate().rev() {
            if let Some(id) = id {
                known.insert(*id, index);
            }
        }
        for (index, id) in edited.iter().enumerate() {
            if let Some(found) = id.and_then(|id| known.get(&id).copied())
                && self.to_edited[found].is_none()
            {
                self.set(found, index);
            }
        }
    }

    /// Pairs what is left and has a key that only one part of each side has.
    fn by_key<K: Eq + std::hash::Hash>(
        &mut self,
        base: impl Fn(usize) -> Option<K>,
        edited: impl Fn(usize) -> Option<K>,
    ) {
        let mut found: HashMap<K, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for index in (0..self.to_edited.len()).filter(|index| self.to_edited[*index].is_none()) {
            if let Some(key) = base(index) {
                found.entry(key).or_default().0.push(index);
            }
        }
        for index in (0..self.to_base.len()).filter(|index| self.to_base[*index].is_none()) {
            if let Some(key) = edited(index) {
                found.entry(key).or_default().1.push(index);
            }
        }
        for (one, other) in found.into_values() {
            if let ([base], [edited]) = (&one[..], &other[..]) {
                self.set(*base, *edited);
            }
        }
    }
}

pub(super) fn find(base: &Side<'_>, edited: &Side<'_>, sizes: &Sizes) -> Matches {
    let mut matches = Matches::default();
    let Pairs { to_base, to_edited } = nodes(base, edited, sizes);
    matches.nodes = to_base;
    matches.nodes_back = to_edited;
    matches.holders = holders(edited, &matches, sizes);
    let Pairs { to_base, to_edited } = meshes(base, edited, &matches);
    matches.meshes = to_base;
    matches.meshes_back = to_edited;
    matches.materials = materials(base, edited, &matches);
    let Pairs { to_base, to_edited } = clips(base, edited);
    matches.clips = to_base;
    matches.clips_back = to_edited;
    matches.shifts = super::motion::shifts(base, edited, &matches, sizes);
    matches
}

fn nodes(base: &Side<'_>, edited: &Side<'_>, sizes: &Sizes) -> Pairs {
    let (from, to) = (&base.scene.nodes, &edited.scene.nodes);
    let mut pairs = Pairs::new(from.len(), to.len());
    pairs.by_id(&base.nodes, &edited.nodes);
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, node) in to.iter().enumerate() {
        by_name.entry(node.name.as_str()).or_default().push(index);
    }
    let order = base.scene.hierarchy();
    // Blender gives two nodes of different kinds the same name, so the node above decides first.
    for id in &order.order {
        let index = id.index();
        if pairs.to_edited[index].is_some() {
            continue;
        }
        let Some(named) = by_name.get(from[index].name.as_str()) else { continue };
        let parent = order.parents[index];
        let is_below = |candidate: &&usize| {
            let own =
                to[**candidate].parent.and_then(|own| pairs.to_base.get(own.index()).copied().flatten());
            own == parent.map(NodeId::index)
        };
        let free = || named.iter().filter(|candidate| pairs.to_base[**candidate].is_none());
        if let Some(&found) = free().find(is_below) {
            pairs.set(index, found);
        }
    }
    pairs.by_key(|index| Some(from[index].name.as_str()), |index| Some(to[index].name.as_str()));
    pairs.by_key(
        |index| Some(without_number(&from[index].name)),
        |index| Some(without_number(&to[index].name)),
    );
    renamed_nodes(base, edited, sizes, &mut pairs);
    pairs
}

/// Nodes with another name in the same place below the same node.
fn renamed_nodes(base: &Side<'_>, edited: &Side<'_>, sizes: &Sizes, pairs: &mut Pairs) {
    let (from, to) = (&base.scene.nodes, &edited.scene.nodes);
    /// Comparisons that are worth it: every node that is left with every other.
    const MAX_COMPARISONS: usize = 1 << 22;
    let left = pairs.to_edited.iter().filter(|found| found.is_none()).count();
    if left.saturating_mul(to.len()) > MAX_COMPARISONS {
        return;
    }
    for (index, node) in from.iter().enumerate() {
        if pairs.to_edited[index].is_some() {
            continue;
        }
        let is_same = |other: &usize| {
            let parent = to[*other].parent.and_then(|parent| pairs.to_base[parent.index()]);
            pairs.to_base[*other].is_none()
                && edited.nodes[*other].is_none()
                && parent == node.parent.map(NodeId::index)
                && is_same_rest(&node.rest, &to[*other].rest, sizes)
        };
        let mut found = (0..to.len()).filter(is_same);
        if let (Some(other), None) = (found.next(), found.next()) {
            pairs.set(index, other);
        }
    }
}

/// New nodes that only hold what is on the node above.
fn holders(edited: &Side<'_>, matches: &Matches, sizes: &Sizes) -> Vec<bool> {
    let scene = edited.scene;
    let mut has_children = vec![false; scene.nodes.len()];
    for parent in scene.nodes.iter().filter_map(|node| node.parent) {
        has_children[parent.index()] = true;
    }
    let carrying: HashSet<usize> =
        scene.meshes.iter().filter_map(|mesh| mesh.node).map(NodeId::index).collect();
    let is_holder = |(index, node): (usize, &scene::Node)| {
        let host = node.parent.and_then(|parent| matches.nodes[parent.index()]);
        let near = 1e-4 * (1.0 + sizes.reach * 0.1);
        matches.nodes[index].is_none()
            && !has_children[index]
            && carrying.contains(&index)
            && host.is_some()
            && node.rest.translation.abs_diff_eq(Vec3::ZERO, near)
            && angle(node.rest.rotation, Quat::IDENTITY) < 0.02_f32.to_radians()
            && node.rest.scale.abs_diff_eq(Vec3::ONE, 1e-3)
    };
    scene.nodes.iter().enumerate().map(is_holder).collect()
}

fn meshes(base: &Side<'_>, edited: &Side<'_>, matches: &Matches) -> Pairs {
    let (from, to) = (&base.scene.meshes, &edited.scene.meshes);
    let mut pairs = Pairs::new(from.len(), to.len());
    pairs.by_id(&base.meshes, &edited.meshes);
    let host = |index: usize| to[index].node.map(|node| matches.host(edited.scene, node));
    let own = |index: usize| from[index].node.map(|node| Some(node.index()));
    pairs.by_key(
        |index| Some((own(index), from[index].name.as_str())),
        |index| Some((host(index), to[index].name.as_str())),
    );
    pairs.by_key(|index| Some(from[index].name.as_str()), |index| Some(to[index].name.as_str()));
    pairs.by_key(
        |index| Some((own(index), without_number(&from[index].name))),
        |index| Some((host(index), without_number(&to[index].name))),
    );
    pairs.by_key(
        |index| Some(without_number(&from[index].name)),
        |index| Some(without_number(&to[index].name)),
    );
    // One mesh on a node may have any name.
    pairs.by_key(
        |index| own(index).map(|node| (node, from[index].skin.is_some())),
        |index| host(index).flatten().map(|node| (Some(node), to[index].skin.is_some())),
    );
    pairs.by_key(
        |index| Some((from[index].positions.len(), from[index].indices.len(), from[index].skin.is_some())),
        |index| Some((to[index].positions.len(), to[index].indices.len(), to[index].skin.is_some())),
    );
    pairs
}

fn materials(base: &Side<'_>, edited: &Side<'_>, matches: &Matches) -> Vec<Option<usize>> {
    let (from, to) = (&base.scene.materials, &edited.scene.materials);
    let mut pairs = Pairs::new(from.len(), to.len());
    if base.has_objects && edited.has_objects {
        pairs.by_id(&base.materials, &edited.materials);
        return pairs.to_base;
    }
    pairs.by_key(|index| Some(from[index].name.as_str()), |index| Some(to[index].name.as_str()));
    pairs.by_key(
        |index| Some(without_number(&from[index].name)),
        |index| Some(without_number(&to[index].name)),
    );
    // A renamed material is where the old one was.
    for (index, mesh) in edited.scene.meshes.iter().enumerate() {
        let Some(other) = matches.meshes[index].map(|other| &base.scene.meshes[other]) else { continue };
        if other.parts.len() != mesh.parts.len() {
            continue;
        }
        for (own, known) in mesh.parts.iter().zip(&other.parts) {
            let (Some(own), Some(known)) = (own.material, known.material) else { continue };
            let (own, known) = (own.index(), known.index());
            if own < to.len()
                && known < from.len()
                && pairs.to_base[own].is_none()
                && pairs.to_edited[known].is_none()
            {
                pairs.set(known, own);
            }
        }
    }
    pairs.to_base
}

fn clips(base: &Side<'_>, edited: &Side<'_>) -> Pairs {
    let (from, to) = (&base.scene.clips, &edited.scene.clips);
    let mut pairs = Pairs::new(from.len(), to.len());
    pairs.by_id(&base.clips, &edited.clips);
    pairs.by_key(|index| Some(from[index].name.as_str()), |index| Some(to[index].name.as_str()));
    pairs.by_key(
        |index| Some(without_number(&from[index].name)),
        |index| Some(without_number(&to[index].name)),
    );
    // One clip that is gone and a new one as long as that, which moves as many things: it was renamed.
    let shape = |clip: &scene::Clip| {
        let targets = clip.channels.iter().filter(|channel| matches!(channel.target, Target::Node(..)));
        ((clip.duration * 10.0).round() as i64, targets.count())
    };
    pairs.by_key(|index| Some(shape(&from[index])), |index| Some(shape(&to[index])));
    pairs
}

/// The angle between two rotations, in radians.
pub(crate) fn angle(a: Quat, b: Quat) -> f32 {
    let (a, b) = (a.normalize(), b.normalize());
    // The arc cosine of a number near one has no precision, the arc sine of a small one has.
    let apart = (a - b).length().min((a + b).length());
    if apart.is_finite() { 4.0 * (0.5 * apart).min(1.0).asin() } else { 0.0 }
}

/// Whether two rest transforms differ by rounding only.
pub(crate) fn is_same_rest(a: &Transform, b: &Transform, sizes: &Sizes) -> bool {
    a.translation.abs_diff_eq(b.translation, 4e-6 * sizes.reach)
        && angle(a.rotation, b.rotation) < 0.01_f32.to_radians()
        && a.scale.abs_diff_eq(b.scale, 2e-5 * a.scale.abs().max_element().max(1.0))
}

pub(super) fn node_edits(
    base: &Side<'_>,
    edited: &Side<'_>,
    matches: &Matches,
    sizes: &Sizes,
    edits: &mut Vec<Edit>,
) {
    let moving: HashSet<usize> = base.scene.channels().filter_map(moved).collect();
    for (index, node) in base.scene.nodes.iter().enumerate() {
        // What our writer added is nothing that the original has.
        let Some(id) = base.nodes[index] else { continue };
        let Some(other) = matches.nodes_back[index] else {
            if !is_left_out(base, edited, index) {
                edits.push(Edit::NodeRemoved(id));
            }
            continue;
        };
        let now = &edited.scene.nodes[other];
        if !same_name(&node.name, &now.name) {
            edits.push(Edit::NodeRenamed(id, now.name.clone()));
        }
        let parent = now.parent.map(NodeId::index);
        let known = parent.and_then(|parent| matches.nodes[parent]);
        if known != node.parent.map(NodeId::index) || parent.is_some() && known.is_none() {
            edits.push(Edit::NodeReparented(id, parent));
        }
        // Blender writes nodes that are no joints as the active clip has them.
        let is_posed = !edited.joints[other] && moving.contains(&index) && !edited.has_objects;
        if let Some(shift) = matches.shifts.get(&index) {
            let rest = Transform { translation: node.rest.translation + *shift, ..node.rest };
            edits.push(Edit::NodeMoved(id, rest));
        } else if !is_posed && !is_same_rest(&node.rest, &now.rest, sizes) {
            edits.push(Edit::NodeMoved(id, now.rest));
        }
    }
    for (index, found) in matches.nodes.iter().enumerate() {
        if found.is_none() && !matches.holders[index] {
            edits.push(Edit::NodeAdded(index));
        }
    }
}

/// The node that a channel moves.
fn moved(channel: &scene::Channel) -> Option<usize> {
    match channel.target {
        Target::Node(node, _) => Some(node.index()),
        _ => None,
    }
}

/// Whether a node is gone because a program writes no cameras or lights unless it is told to.
fn is_left_out(base: &Side<'_>, edited: &Side<'_>, node: usize) -> bool {
    let has_camera = |scene: &Scene| !scene.cameras.is_empty();
    let is_light = base.scene.lights.iter().any(|light| light.node.index() == node);
    let no_lights = edited.scene.lights.is_empty();
    // Without extras, the node of a camera is known by nothing else: it is the only kind that has no mesh and moves nothing.
    is_light && no_lights
        || has_camera(base.scene) && !has_camera(edited.scene) && is_camera(base.scene, node)
}

fn is_camera(scene: &Scene, node: usize) -> bool {
    scene.cameras.iter().any(|camera| camera.name == scene.nodes[node].name)
}
