//! The node tree: which glTF nodes become nodes of the scene, and in what space.
//!
//! Our writer puts a root above the model that turns its front to glTF's and scales it, and adds nodes for meshes, cameras and joints.
//! All of these disappear again: the root's transform goes into the nodes below it, the others become what they stand for.

use super::error::{NoteKind, Notes, ReadError};
use super::extras::{self, NodeExtras};
use super::json::{Document, Node};
use super::motion::{Motion, MovedTarget, NodePath};
use crate::nodes::root_transform;
use crate::switches;
use glam::{Affine3A, Mat4, Quat, Vec3};
use scene::{Limits, NodeId, Transform};

/// Differences of transforms that come from other programs' arithmetic.
pub(crate) const NOISE: f32 = 1e-4;

/// All nodes of the file.
pub(crate) struct Tree {
    pub(crate) parents: Vec<Option<u32>>,
    /// Local transforms as in the file.
    pub(crate) locals: Vec<Transform>,
    pub(crate) extras: Vec<NodeExtras>,
    /// What becomes of each node.
    pub(crate) places: Vec<Place>,
    /// For each node what its space is in the scene's.
    pub(crate) frames: Vec<Frame>,
    /// Level of detail by `MSFT_lod`; zero for most.
    pub(crate) levels: Vec<usize>,
    /// Hidden by `KHR_node_visibility`, itself or an ancestor.
    pub(crate) hidden: Vec<bool>,
    pub(crate) is_joint: Vec<bool>,
    /// For nodes of meshes whose scale only switches the mesh on and off: the scale when it shows.
    pub(crate) switched: Vec<Option<Vec3>>,
    /// The glTF node of each node of the scene.
    pub(crate) order: Vec<u32>,
    /// Extras of ours say which node is which.
    pub(crate) is_ours: bool,
}

/// What becomes of a glTF node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Not in the scene.
    Absent,
    /// Above the model; its transform is in the frames of what is below it.
    Root,
    Node(NodeId),
    /// Something on this node, or in the model's own space.
    Part(Option<NodeId>),
}

/// From the space of a glTF node's parent to the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Units of the scene for each of the file.
    pub(crate) unit: f32,
    /// For nodes at the top: the turn and the move to the scene's axes.
    pub(crate) rotation: Option<Quat>,
    pub(crate) translation: Vec3,
}

impl Frame {
    const PLAIN: Self = Self { unit: 1.0, rotation: None, translation: Vec3::ZERO };

    /// A point of the parent's space.
    pub(crate) fn point(&self, point: Vec3) -> Vec3 {
        let point = self.direction(point);
        if self.translation == Vec3::ZERO { point } else { point + self.translation }
    }

    /// A difference of points.
    pub(crate) fn direction(&self, direction: Vec3) -> Vec3 {
        let scaled = if self.unit == 1.0 { direction } else { direction * self.unit };
        self.rotation.map_or(scaled, |rotation| rotation * scaled)
    }

    pub(crate) fn rotation(&self, rotation: Quat) -> Quat {
        self.rotation.map_or(rotation, |turn| turn * rotation)
    }

    pub(crate) fn transform(&self, local: &Transform) -> Transform {
        Transform {
            translation: self.point(local.translation),
            rotation: self.rotation(local.rotation),
            scale: local.scale,
        }
    }
}

impl Tree {
    pub(crate) fn new(
        document: &Document<'_>,
        motions: &[Motion],
        use_extras: bool,
        scale: Option<f32>,
        limits: &Limits,
        notes: &mut Notes,
    ) -> Result<Self, ReadError> {
        let count = document.nodes.len();
        if count > limits.nodes {
            return Err(ReadError::limit("nodes", limits.nodes));
        }
        let mut parents = parents(document)?;
        let roots = roots(document, &parents)?;
        let Reached { reached, levels, sequence } = reach(document, &roots, &mut parents)?;
        let read = |node: &Node<'_>| -> NodeExtras {
            if use_extras { extras::typed(node.extras).unwrap_or_default() } else { NodeExtras::default() }
        };
        let mut tree = Self {
            locals: document.nodes.iter().enumerate().map(|(at, node)| local(at, node, notes)).collect(),
            extras: document.nodes.iter().map(read).collect(),
            places: vec![Place::Absent; count],
            frames: vec![Frame::PLAIN; count],
            levels,
            hidden: vec![false; count],
            is_joint: joints(document, &reached)?,
            switched: Vec::new(),
            order: Vec::new(),
            is_ours: false,
            parents,
        };
        tree.forget_copies();
        tree.is_ours = (0..count).any(|node| reached[node] && tree.extras[node].index.is_some());
        tree.switched = tree.switched(document, motions);
        let moves = tree.moving(motions, count);
        let root = tree.root(document, &roots, &sequence, &moves);
        tree.set_frames(&sequence, root, scale);
        tree.set_places(document, &sequence, root, &moves);
        Ok(tree)
    }

    /// A copy of an object in Blender has the extras of the original: the first one counts, and the one without a number in its name.
    fn forget_copies(&mut self) {
        let mut seen: std::collections::HashSet<u32> = std::collections::HashSet::new();
        for extras in &mut self.extras {
            if extras.index.is_some_and(|index| !seen.insert(index)) {
                extras.index = None;
            }
        }
    }

    /// The nodes whose scale only shows and hides a mesh. A clip may show it all the time and another hide it, so that all channels of a
    /// node count together.
    fn switched(&self, document: &Document<'_>, motions: &[Motion]) -> Vec<Option<Vec3>> {
        let is_zero = |scale: Vec3| scale.abs_diff_eq(Vec3::ZERO, 1e-6);
        let holds_mesh = |node: usize| {
            let found = &document.nodes[node];
            found.mesh.is_some() && found.children.is_empty() && self.extras[node].index.is_none()
        };
        // Nothing if the scale does something else; else the full scale, if known, and whether it is ever zero.
        let count = document.nodes.len();
        let mut found: Vec<Option<(Option<Vec3>, bool)>> = (0..count)
            .map(|node| {
                let rest = self.locals[node].scale;
                holds_mesh(node).then(|| (Some(rest).filter(|rest| !is_zero(*rest)), is_zero(rest)))
            })
            .collect();
        for moved in motions.iter().flat_map(|motion| &motion.channels) {
            let MovedTarget::Node(node, NodePath::Scale) = moved.target else { continue };
            let Some(place) = found.get_mut(node as usize) else { continue };
            *place = place.take().and_then(|(full, hides)| {
                let (on, full) = moved.keys.on_and_off(full)?;
                Some((full, hides || on.contains(&false)))
            });
        }
        let full = |found: Option<(Option<Vec3>, bool)>| {
            let (full, hides) = found?;
            // What never shows may have any size.
            hides.then(|| full.unwrap_or(Vec3::ONE))
        };
        found.into_iter().map(full).collect()
    }

    /// Nodes that an animation moves, apart from switching their scale on and off.
    fn moving(&self, motions: &[Motion], count: usize) -> Vec<bool> {
        let mut moves = vec![false; count];
        for moved in motions.iter().flat_map(|motion| &motion.channels) {
            let MovedTarget::Node(node, path) = moved.target else { continue };
            let Some(local) = self.locals.get(node as usize) else { continue };
            let stays = match path {
                NodePath::Translation => {
                    moved.keys.stays_at(local.translation, NOISE * (1.0 + local.translation.length()))
                }
                NodePath::Rotation => moved.keys.stays_turned(local.rotation, NOISE),
                NodePath::Scale => {
                    self.switched[node as usize].is_some()
                        || moved.keys.stays_at(local.scale, NOISE)
                        || moved.keys.switches().is_some()
                }
            };
            moves[node as usize] |= !stays;
        }
        moves
    }

    /// The node above the model that our writer adds, or what became of it.
    fn root(&self, document: &Document<'_>, roots: &[u32], sequence: &[u32], moves: &[bool]) -> Option<u32> {
        let is_plain = |node: u32| {
            let found = &document.nodes[node as usize];
            let has_light = found.extensions.as_ref().is_some_and(|extensions| extensions.light.is_some());
            let scale = self.locals[node as usize].scale;
            let is_uniform = scale.x > 0.0 && scale.abs_diff_eq(Vec3::splat(scale.x), 1e-5 * scale.x);
            found.mesh.is_none()
                && found.camera.is_none()
                && !has_light
                && self.extras[node as usize].index.is_none()
                && !self.is_joint[node as usize]
                && !moves[node as usize]
                && is_uniform
        };
        if self.is_ours {
            let mut tops = vec![0; self.parents.len()];
            let mut common = None;
            for &node in sequence {
                let top = self.parents[node as usize].map_or(node, |parent| tops[parent as usize]);
                tops[node as usize] = top;
                if self.extras[node as usize].index.is_some() && *common.get_or_insert(top) != top {
                    return None;
                }
            }
            return common.filter(|top| is_plain(*top));
        }
        let is_skinned = |node: &&u32| document.nodes[**node as usize].skin.is_some();
        let mut others = roots.iter().filter(|node| !is_skinned(node));
        let first = *others.next()?;
        let local = &self.locals[first as usize];
        let is_turned = local.rotation.dot(root_transform(1.0).rotation).abs() > 1.0 - 1e-6;
        let is_root =
            others.next().is_none() && is_plain(first) && is_turned && local.translation == Vec3::ZERO;
        is_root.then_some(first)
    }

    fn set_frames(&mut self, sequence: &[u32], root: Option<u32>, scale: Option<f32>) {
        let own = root.map_or(1.0, |root| self.locals[root as usize].scale.x);
        let metres = scale.unwrap_or(own);
        let back = root_transform(1.0).rotation.inverse();
        // Units of nodes below the root are metres times its scale.
        let below_root = if metres == own { 1.0 } else { own / metres };
        let beside_root = 1.0 / metres;
        let mut units = vec![beside_root; self.parents.len()];
        for &node in sequence {
            units[node as usize] = match self.parents[node as usize] {
                Some(parent) => units[parent as usize],
                None if Some(node) == root => below_root,
                None => beside_root,
            };
        }
        for (node, unit) in units.into_iter().enumerate() {
            let mut frame = Frame { unit, ..Frame::PLAIN };
            match self.parents[node] {
                None => frame.rotation = Some(back),
                Some(parent) if Some(parent) == root => {
                    let local = &self.locals[parent as usize];
                    let turn = back * local.rotation;
                    let moved = back * (local.translation / metres);
                    let is_straight = turn.dot(Quat::IDENTITY).abs() > 1.0 - 1e-6;
                    frame.rotation = (!is_straight).then_some(turn);
                    frame.translation = if moved.length() < 1e-5 { Vec3::ZERO } else { moved };
                }
                Some(_) => {}
            }
            self.frames[node] = frame;
        }
    }

    fn set_places(&mut self, document: &Document<'_>, sequence: &[u32], root: Option<u32>, moves: &[bool]) {
        let mut order: Vec<u32> = Vec::with_capacity(sequence.len());
        for &node in sequence.iter().filter(|node| Some(**node) != root) {
            if !self.is_part(document, node, moves[node as usize]) {
                order.push(node);
            }
        }
        // Ours in the order of the source, then what was added in the order of the file.
        order.sort_by_key(|node| (self.extras[*node as usize].index.unwrap_or(u32::MAX), *node));
        for (id, node) in order.iter().enumerate() {
            self.places[*node as usize] = Place::Node(NodeId::from(id));
        }
        if let Some(root) = root {
            self.places[root as usize] = Place::Root;
        }
        for &node in sequence {
            let at = node as usize;
            if self.places[at] == Place::Absent {
                self.places[at] = Place::Part(self.host(node));
            }
            let visibility = document.nodes[at].extensions.as_ref();
            let visibility = visibility.and_then(|extensions| extensions.visibility.as_ref());
            let is_parent_hidden = self.parents[at].is_some_and(|parent| self.hidden[parent as usize]);
            self.hidden[at] = is_parent_hidden || visibility.is_some_and(|visibility| !visibility.visible);
        }
        self.order = order;
    }

    /// The nearest node of the scene above a glTF node.
    pub(crate) fn host(&self, node: u32) -> Option<NodeId> {
        let mut at = self.parents[node as usize];
        while let Some(parent) = at {
            if let Place::Node(id) = self.places[parent as usize] {
                return Some(id);
            }
            at = self.parents[parent as usize];
        }
        None
    }

    /// The node of the scene that a glTF node is, or is on.
    pub(crate) fn node(&self, node: u32) -> Option<NodeId> {
        match self.places.get(node as usize)? {
            Place::Node(id) => Some(*id),
            Place::Part(host) => *host,
            Place::Absent | Place::Root => None,
        }
    }

    /// Whether a glTF node only holds a mesh, a camera or a joint.
    fn is_part(&self, document: &Document<'_>, node: u32, moves: bool) -> bool {
        let at = node as usize;
        let found = &document.nodes[at];
        let extras = &self.extras[at];
        if !found.children.is_empty() || extras.index.is_some() {
            return false;
        }
        if self.is_switch(document, node) {
            return true;
        }
        let has_light = found.extensions.as_ref().is_some_and(|extensions| extensions.light.is_some());
        if found.mesh.is_some() && found.skin.is_some() {
            return !self.is_joint[at] && found.camera.is_none() && !has_light;
        }
        let Some(parent) = self.parents[at].filter(|_| self.is_ours) else { return false };
        // Another program computes the difference of two places, so its error grows with their distance from the origin.
        let near = NOISE * (1.0 + self.locals[parent as usize].translation.length());
        let Transform { translation, rotation, scale } = self.locals[at];
        let is_still = !moves
            && translation.abs_diff_eq(Vec3::ZERO, near)
            && rotation.dot(Quat::IDENTITY).abs() > 1.0 - NOISE
            && (scale.abs_diff_eq(Vec3::ONE, NOISE) || scale.abs_diff_eq(Vec3::ZERO, NOISE));
        if self.is_joint[at] {
            let is_added = ["Joint", "Still", "neutral_bone"].iter().any(|name| found.name.starts_with(name));
            return is_added && found.mesh.is_none();
        }
        if extras.camera.is_some() || extras.rigid_skin {
            return true;
        }
        let is_light = has_light && found.mesh.is_none() && found.camera.is_none();
        is_still && (found.mesh.is_some() && !has_light && found.camera.is_none() || is_light)
    }

    /// Whether a node stands for its parent as a joint, because clips show and hide the mesh by its scale.
    pub(crate) fn is_switch(&self, document: &Document<'_>, node: u32) -> bool {
        let found = &document.nodes[node as usize];
        let parent = self.parents[node as usize].map(|parent| &*document.nodes[parent as usize].name);
        self.is_joint[node as usize]
            && found.children.is_empty()
            && found.mesh.is_none()
            && switches::is_child_name(&found.name, parent)
    }

    /// Whether a joint is the one that our writer or Blender adds for vertices that follow nothing.
    pub(crate) fn is_still_joint(&self, document: &Document<'_>, node: u32) -> bool {
        let name = &*document.nodes[node as usize].name;
        matches!(self.places[node as usize], Place::Part(None))
            && ["Still", "Switch Still", "neutral_bone"].iter().any(|start| name.starts_with(start))
    }
}

/// The parent of each node.
fn parents(document: &Document<'_>) -> Result<Vec<Option<u32>>, ReadError> {
    let mut parents = vec![None; document.nodes.len()];
    for (node, found) in document.nodes.iter().enumerate() {
        for (at, &child) in found.children.iter().enumerate() {
            let pointer = format_args!("/nodes/{node}/children/{at}");
            let parent = parents.get_mut(child as usize);
            let parent = parent.ok_or_else(|| ReadError::missing(pointer, "node", child))?;
            if child as usize == node {
                return Err(ReadError::invalid(
                    pointer.to_string(),
                    format!("node {child} is its own child"),
                ));
            }
            if let Some(other) = parent.replace(node as u32) {
                let message = format!("node {child} has two parents, {other} and {node}");
                return Err(ReadError::invalid(pointer.to_string(), message));
            }
        }
    }
    Ok(parents)
}

/// The nodes at the top of the scene.
fn roots(document: &Document<'_>, parents: &[Option<u32>]) -> Result<Vec<u32>, ReadError> {
    let Some(scene) = document.scenes.get(document.scene.unwrap_or(0) as usize) else {
        if let Some(scene) = document.scene {
            return Err(ReadError::missing(format_args!("/scene"), "scene", scene));
        }
        return Ok((0..parents.len() as u32).filter(|node| parents[*node as usize].is_none()).collect());
    };
    let scene_at = document.scene.unwrap_or(0);
    let mut seen = vec![false; parents.len()];
    let mut roots = Vec::with_capacity(scene.nodes.len());
    for (at, &node) in scene.nodes.iter().enumerate() {
        let pointer = format_args!("/scenes/{scene_at}/nodes/{at}");
        match parents.get(node as usize) {
            None => return Err(ReadError::missing(pointer, "node", node)),
            Some(Some(parent)) => {
                let message = format!("node {node} is not a root: it is a child of node {parent}");
                return Err(ReadError::invalid(pointer.to_string(), message));
            }
            Some(None) => {}
        }
        if !std::mem::replace(&mut seen[node as usize], true) {
            roots.push(node);
        }
    }
    Ok(roots)
}

/// The nodes that belong to the scene.
struct Reached {
    reached: Vec<bool>,
    levels: Vec<usize>,
    /// Parents first.
    sequence: Vec<u32>,
}

/// The nodes that belong to the scene, and their levels of detail. Nodes that `MSFT_lod` names are put beside the node that they replace.
fn reach(document: &Document<'_>, roots: &[u32], parents: &mut [Option<u32>]) -> Result<Reached, ReadError> {
    let mut reached = vec![false; parents.len()];
    let mut levels = vec![0; parents.len()];
    let mut stack: Vec<u32> = roots.to_vec();
    let mut sequence = Vec::new();
    roots.iter().for_each(|root| reached[*root as usize] = true);
    while let Some(node) = stack.pop() {
        sequence.push(node);
        let found = &document.nodes[node as usize];
        for &child in found.children.iter() {
            // Each node has one parent and roots have none, so that a node is reached once.
            reached[child as usize] = true;
            levels[child as usize] = levels[node as usize];
            stack.push(child);
        }
        let lesser = found.extensions.as_ref().and_then(|extensions| extensions.levels.as_ref());
        for (at, &id) in lesser.iter().flat_map(|levels| levels.ids.iter()).enumerate() {
            let pointer = format_args!("/nodes/{node}/extensions/MSFT_lod/ids/{at}");
            let Some(known) = reached.get_mut(id as usize) else {
                return Err(ReadError::missing(pointer, "node", id));
            };
            if *known || parents[id as usize].is_some() {
                continue;
            }
            *known = true;
            parents[id as usize] = parents[node as usize];
            levels[id as usize] = at + 1;
            stack.push(id);
        }
    }
    Ok(Reached { reached, levels, sequence })
}

/// Nodes that are joints of a skin that a mesh uses.
fn joints(document: &Document<'_>, reached: &[bool]) -> Result<Vec<bool>, ReadError> {
    let mut is_joint = vec![false; document.nodes.len()];
    let mut is_done = vec![false; document.skins.len()];
    for (node, found) in document.nodes.iter().enumerate().filter(|(node, _)| reached[*node]) {
        let Some(skin) = found.skin else { continue };
        let pointer = format_args!("/nodes/{node}/skin");
        let joints = document.skins.get(skin as usize);
        let joints = &joints.ok_or_else(|| ReadError::missing(pointer, "skin", skin))?.joints;
        if std::mem::replace(&mut is_done[skin as usize], true) {
            continue;
        }
        for (at, &joint) in joints.iter().enumerate() {
            let joint = is_joint.get_mut(joint as usize);
            *joint.ok_or_else(|| {
                ReadError::missing(format_args!("/skins/{skin}/joints/{at}"), "node", joints[at])
            })? = true;
        }
    }
    Ok(is_joint)
}

/// The transform of a node.
fn local(at: usize, node: &Node<'_>, notes: &mut Notes) -> Transform {
    let transform = match &node.matrix {
        Some(matrix) => {
            let matrix = Affine3A::from_mat4(Mat4::from_cols_array(matrix));
            let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
            let transform = Transform { translation, rotation, scale };
            let size = matrix.matrix3.x_axis.length().max(1.0);
            if !transform.matrix().matrix3.abs_diff_eq(matrix.matrix3, 1e-3 * size) {
                notes.add(NoteKind::Assumed, format!("/nodes/{at}/matrix"), "shear dropped");
            }
            transform
        }
        None => Transform {
            translation: node.translation.map_or(Vec3::ZERO, Vec3::from),
            rotation: node.rotation.map_or(Quat::IDENTITY, Quat::from_array),
            scale: node.scale.map_or(Vec3::ONE, Vec3::from),
        },
    };
    let is_valid =
        transform.translation.is_finite() && transform.rotation.is_finite() && transform.scale.is_finite();
    if !is_valid {
        notes.add(NoteKind::Damaged, format!("/nodes/{at}"), "transform is not finite; replaced by none");
        return Transform::IDENTITY;
    }
    transform
}
