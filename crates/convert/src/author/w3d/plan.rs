//! Decides which nodes become pivots of which model, which only carry an object, and which are outside of models.

use std::collections::{HashMap, HashSet};

use glam::{Affine3A, Quat, Vec3};
use scene::{
    AttachmentKind, Billboard, Hierarchy, Inherit, MeshId, MeshProperty, NodeId, NodeProperty, Scene, Target,
    Transform,
};

use super::fades::Fades;
use super::labels::{LENGTH, Labels, short};
use super::options::Options;
use super::scales::Scales;
use crate::author::names::Names;
use crate::author::settle;

/// A skeleton.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) name: String,
    /// The name of its hierarchy.
    pub(super) skeleton: String,
    /// The root first, parents before children.
    pub(super) pivots: Vec<Pivot>,
}

/// A bone.
#[derive(Debug)]
pub(super) struct Pivot {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    /// The node that it is.
    pub(super) node: Option<NodeId>,
    /// The mesh that it was added for, to show and hide it.
    pub(super) mesh: Option<MeshId>,
    /// Its base pose, without scale.
    pub(super) rest: Transform,
    /// The same in the model.
    pub(super) world: Affine3A,
}

/// Where something is in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    /// On a pivot of a model.
    Pivot(usize, usize),
    /// By itself, without a model; the root node.
    Loose(NodeId),
    /// Nowhere: inside a model of another file, or a root that is a light or a point.
    Nowhere,
}

/// The place of each node and mesh in the file.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) models: Vec<Model>,
    /// Of each node.
    pub(super) nodes: Vec<Place>,
    /// Of each mesh.
    pub(super) meshes: Vec<Place>,
    /// Nodes that the file has no pivot for, because reading their object adds them again.
    pub(super) carriers: HashSet<NodeId>,
    /// Nodes of models that aggregates refer to.
    pub(super) foreign: HashSet<NodeId>,
    /// Whether a transform has scale, or does not follow its parent, so that poses have to be sampled.
    pub(super) is_scaled: bool,
    /// Of each node, whether it or a node above it has scale, or does not follow its parent.
    bent: Vec<bool>,
    /// Meshes that shrink to nothing, with the nodes that make them: games without scale have to hide them.
    pub(super) vanishing: HashMap<MeshId, Vec<NodeId>>,
    /// Layers and meshes whose alpha changes.
    pub(super) fades: Fades,
    /// How many names were shortened.
    pub(super) names_cut: usize,
}

/// How nodes are used.
struct Uses<'s> {
    scene: &'s Scene,
    parents: Vec<Option<NodeId>>,
    children: Vec<usize>,
    /// Objects of all kinds.
    objects: Vec<usize>,
    moved: HashSet<NodeId>,
    /// The size of the model, of which rounding is a share.
    size: f32,
    joints: HashSet<NodeId>,
}

impl<'s> Uses<'s> {
    fn new(scene: &'s Scene, parents: &[Option<NodeId>]) -> Self {
        let count = scene.nodes.len();
        let mut objects = vec![0; count];
        let nodes = scene.meshes.iter().filter_map(|mesh| mesh.node);
        let nodes = nodes.chain(scene.attachments.iter().map(|each| each.node));
        let nodes = nodes.chain(scene.lights.iter().map(|each| each.node));
        let nodes = nodes.chain(scene.emitters.iter().map(|each| each.node));
        let nodes = nodes.chain(scene.ribbons.iter().map(|each| each.node));
        let nodes = nodes.chain(scene.primitives.iter().map(|each| each.node));
        let nodes = nodes.chain(scene.events.iter().map(|each| each.node));
        let nodes = nodes.chain(scene.collision_shapes.iter().map(|each| each.node));
        let nodes = nodes.chain(scene.dazzles.iter().map(|each| each.node));
        let nodes = nodes.chain(scene.sounds.iter().map(|each| each.node));
        for node in nodes.chain(scene.cameras.iter().filter_map(|each| each.node)) {
            if let Some(objects) = objects.get_mut(node.index()) {
                *objects += 1;
            }
        }
        let mut children = vec![0; count];
        for parent in parents.iter().flatten() {
            children[parent.index()] += 1;
        }
        let size = settle::size(scene);
        let moved = scene.channels().filter_map(|channel| match channel.target {
            Target::Node(node, property) if property != NodeProperty::Visibility => {
                let rest = scene.nodes.get(node.index()).map(|node| node.rest).unwrap_or_default();
                (!settle::is_at_rest(property, &channel.curve, &rest, size)).then_some(node)
            }
            _ => None,
        });
        let joints = scene.meshes.iter().filter_map(|mesh| mesh.skin.as_ref());
        let joints = joints.flat_map(|skin| skin.joints.iter().map(|joint| joint.node));
        Self {
            scene,
            parents: parents.to_vec(),
            children,
            objects,
            moved: moved.collect(),
            size,
            joints: joints.collect(),
        }
    }

    /// Whether a node is always where its parent is, but for the rounding of other programs.
    fn is_still(&self, node: NodeId) -> bool {
        settle::is_identity(&self.scene.nodes[node.index()].rest, self.size) && !self.moved.contains(&node)
    }

    /// Whether it is a node that the reader adds for an object.
    fn is_carrier(&self, node: NodeId, limits: &super::Limits) -> bool {
        let index = node.index();
        if self.parents[index].is_none()
            || self.objects[index] != 1
            || !self.is_still(node)
            || self.joints.contains(&node)
        {
            return false;
        }
        let name = &self.scene.nodes[index].name;
        if self.scene.nodes[index].billboard != Billboard::None {
            let mut meshes = self.scene.meshes.iter().filter(|mesh| mesh.node == Some(node));
            return self.children[index] == 0
                && meshes.next().is_some_and(|mesh| mesh.skin.is_none() && mesh.name == *name);
        }
        let attachment = self.scene.attachments.iter().find(|attachment| attachment.node == node);
        attachment.is_some_and(|attachment| {
            let is_kind = match attachment.kind {
                AttachmentKind::Aggregate => true,
                AttachmentKind::Proxy | AttachmentKind::Null => self.children[index] == 0,
                AttachmentKind::Point => self.children[index] == 0 && limits.light_arrays,
            };
            is_kind && !attachment.path.is_empty() && attachment.path == *name
        })
    }

    /// Whether a root can be written without a model: it is one object, or carries one.
    fn is_loose(&self, node: NodeId) -> bool {
        let index = node.index();
        if !self.is_still(node)
            || self.joints.contains(&node)
            || self.objects[index] + self.children[index] != 1
        {
            return false;
        }
        let name = &self.scene.nodes[index].name;
        let is_on = |other: NodeId| other == node || self.parents.get(other.index()) == Some(&Some(node));
        let is_named = |full: &str| full.rsplit('.').next() == Some(name.as_str());
        let scene = self.scene;
        scene.meshes.iter().any(|each| each.node.is_some_and(is_on) && is_named(&each.name))
            || scene.collision_shapes.iter().any(|each| is_on(each.node) && is_named(&each.name))
            || scene.dazzles.iter().any(|each| is_on(each.node) && is_named(&each.name))
            || scene.emitters.iter().any(|each| is_on(each.node) && is_named(&each.name))
            || scene.primitives.iter().any(|each| is_on(each.node) && is_named(&each.name))
            || scene.sounds.iter().any(|each| is_on(each.node) && is_named(&each.name))
            || scene
                .attachments
                .iter()
                .any(|each| each.kind == AttachmentKind::Null && is_on(each.node) && is_named(&each.path))
    }

    /// Whether the scene is a file of one mesh, to which something was added. The game loads only the object that is called as the file, so all of it
    /// has to be one model.
    fn is_single_mesh_with_more(&self, roots: &[NodeId]) -> bool {
        let is_file = |node: NodeId| {
            self.is_loose(node)
                && self.scene.nodes[node.index()].name.eq_ignore_ascii_case(&self.scene.name)
                && self.scene.meshes.iter().any(|mesh| mesh.node == Some(node))
        };
        let has_mesh = |node: &NodeId| {
            self.scene.meshes.iter().any(|mesh| {
                let path = std::iter::successors(mesh.node, |node| {
                    self.parents.get(node.index()).copied().flatten()
                });
                path.last() == Some(*node)
            })
        };
        match roots.iter().copied().find(|root| is_file(*root)) {
            Some(file) => {
                // A model beside the mesh is one already.
                let is_model =
                    |root: &NodeId| self.scene.nodes[root.index()].name.eq_ignore_ascii_case("ROOTTRANSFORM");
                roots.iter().any(|root| *root != file && !is_model(root) && has_mesh(root))
            }
            None => false,
        }
    }

    /// Whether a root is a light or a point of the file itself.
    fn is_of_file(&self, node: NodeId) -> bool {
        let index = node.index();
        let name = &self.scene.nodes[index].name;
        if self.objects[index] != 1 || self.children[index] != 0 || self.moved.contains(&node) {
            return false;
        }
        let is_light = name == "Light" && self.scene.lights.iter().any(|light| light.node == node);
        let is_point = |point: &scene::Attachment| {
            point.node == node && point.kind == AttachmentKind::Point && point.path.is_empty()
        };
        is_light || name.starts_with("Point ") && self.scene.attachments.iter().any(is_point)
    }
}

impl Plan {
    pub(super) fn new(scene: &Scene, options: &Options) -> Self {
        let hierarchy = scene.hierarchy();
        let uses = Uses::new(scene, &hierarchy.parents);
        let limits = options.profile.limits();
        let mut plan = Self {
            models: Vec::new(),
            nodes: vec![Place::Nowhere; scene.nodes.len()],
            meshes: Vec::new(),
            carriers: HashSet::new(),
            foreign: HashSet::new(),
            is_scaled: false,
            bent: bent(scene, &hierarchy),
            vanishing: HashMap::new(),
            fades: Fades::new(scene),
            names_cut: 0,
        };

        let roots: Vec<NodeId> = hierarchy
            .order
            .iter()
            .copied()
            .filter(|node| hierarchy.parents[node.index()].is_none())
            .collect();
        let mut pending = Vec::new();
        let mut model_roots = Vec::new();
        let may_be_loose = options.faithful && !uses.is_single_mesh_with_more(&roots);
        for root in roots.iter().copied() {
            let name = &scene.nodes[root.index()].name;
            if uses.is_of_file(root) {
                continue;
            }
            if may_be_loose && uses.is_loose(root) {
                plan.nodes[root.index()] = Place::Loose(root);
            } else if uses.is_still(root) && name.eq_ignore_ascii_case("ROOTTRANSFORM") {
                model_roots.push(root);
            } else {
                pending.push(root);
            }
        }
        if let ([only], []) = (&pending[..], &model_roots[..])
            && uses.is_still(*only)
        {
            model_roots.push(*only);
            pending.clear();
        }
        let mut labels = Labels::default();
        let stem = scene.name.split('.').next().unwrap_or_default();
        let add_model = |plan: &mut Self, labels: &mut Labels, node: Option<NodeId>| {
            let name = labels.unique(stem, "MODEL");
            let pivot = node.map_or_else(
                || "ROOTTRANSFORM".to_owned(),
                |node| short(&scene.nodes[node.index()].name, "ROOTTRANSFORM"),
            );
            let root = Pivot {
                name: pivot,
                parent: None,
                node,
                mesh: None,
                rest: Transform::IDENTITY,
                world: Affine3A::IDENTITY,
            };
            if let Some(node) = node {
                plan.nodes[node.index()] = Place::Pivot(plan.models.len(), 0);
            }
            let skeleton = name.clone();
            plan.models.push(Model { name, skeleton, pivots: vec![root] });
        };
        for root in model_roots {
            add_model(&mut plan, &mut labels, Some(root));
        }
        let has_meshes_nowhere = scene.meshes.iter().any(|mesh| mesh.node.is_none());
        if plan.models.is_empty() && (!pending.is_empty() || has_meshes_nowhere) {
            add_model(&mut plan, &mut labels, None);
        }
        let labels = plan.place_nodes(scene, &uses, &hierarchy, &limits, options.faithful);
        plan.vanishing = vanishing(scene, &hierarchy.parents);
        plan.place_meshes(scene, labels);
        plan
    }

    /// Whether a node, or a node above it, has scale or does not follow its parent.
    pub(super) fn is_bent(&self, node: NodeId) -> bool {
        self.bent.get(node.index()) == Some(&true)
    }

    /// Gives skeletons names of their own, because they get files of their own: `NAME_SKN` has the skin, `NAME_SKL` the skeleton.
    pub(super) fn separate_skeletons(&mut self) {
        for model in &mut self.models {
            let is_skin = model.name.to_ascii_uppercase().ends_with("_SKN");
            let stem: String = if is_skin {
                model.name.chars().take(model.name.chars().count() - 4).collect()
            } else {
                model.name.chars().take(LENGTH - 4).collect()
            };
            model.name = if is_skin { model.name.clone() } else { format!("{stem}_SKN") };
            model.skeleton = format!("{stem}_SKL");
        }
    }

    /// Returns the names of each model's pivots, if they have to be unique.
    fn place_nodes(
        &mut self,
        scene: &Scene,
        uses: &Uses<'_>,
        hierarchy: &Hierarchy,
        limits: &super::Limits,
        is_faithful: bool,
    ) -> Option<Vec<Labels>> {
        self.is_scaled = self.bent.contains(&true);
        let scales = Scales::at_rest(scene, hierarchy);
        let worlds = scene.rest_worlds();
        let mut names = Names::new(LENGTH, scene.nodes.iter().map(|node| node.name.as_str()));
        // A search for a bone finds the first of its name.
        let mut unique = (!is_faithful).then(|| -> Vec<Labels> {
            let labels = self.models.iter().map(|model| {
                let mut labels = Labels::default();
                labels.unique(&model.pivots[0].name, "");
                labels
            });
            labels.collect()
        });
        for node in hierarchy.order.iter().copied() {
            let index = node.index();
            let parent = uses.parents[index];
            if parent.is_none() && (self.nodes[index] != Place::Nowhere || uses.is_of_file(node)) {
                continue;
            }
            let place = parent.map_or(Place::Pivot(0, 0), |parent| self.nodes[parent.index()]);
            if parent.is_some_and(|parent| self.foreign.contains(&parent) || self.is_aggregate(scene, parent))
            {
                self.foreign.insert(node);
                continue;
            }
            if uses.is_carrier(node, limits) || matches!(place, Place::Loose(_)) {
                self.carriers.insert(node);
                self.nodes[index] = place;
                continue;
            }
            let Place::Pivot(model, parent) = place else { continue };
            let rest = if let Some(factor) = scales.factor(node) {
                let rest = scene.nodes[index].rest;
                let is_turn = rest.rotation.is_finite() && rest.rotation.length_squared() > 0.0;
                let rotation = if is_turn { rest.rotation } else { Quat::IDENTITY };
                Transform { translation: rest.translation * factor, rotation, scale: Vec3::ONE }
            } else {
                let rigid = rigid(worlds[index]);
                let (_, rotation, translation) = (self.models[model].pivots[parent].world.inverse() * rigid)
                    .to_scale_rotation_translation();
                Transform { translation, rotation: rotation.normalize(), scale: Vec3::ONE }
            };
            let name = &scene.nodes[index].name;
            let label = match &mut unique {
                Some(labels) => labels[model].unique(name.trim(), &format!("PIVOT{index}")),
                None => names.fit(name),
            };
            self.names_cut += usize::from(label != *name);
            let pivots = &mut self.models[model].pivots;
            let world = pivots[parent].world * rest.matrix();
            self.nodes[index] = Place::Pivot(model, pivots.len());
            pivots.push(Pivot {
                name: label,
                parent: Some(parent),
                node: Some(node),
                mesh: None,
                rest,
                world,
            });
        }
        unique
    }

    fn is_aggregate(&self, scene: &Scene, node: NodeId) -> bool {
        self.carriers.contains(&node)
            && scene
                .attachments
                .iter()
                .any(|each| each.node == node && each.kind == AttachmentKind::Aggregate)
    }

    fn place_meshes(&mut self, scene: &Scene, mut labels: Option<Vec<Labels>>) {
        let switched = scene.channels().filter_map(|channel| match channel.target {
            Target::Mesh(mesh, MeshProperty::Alpha | MeshProperty::Visibility) => Some(mesh),
            _ => None,
        });
        let switched: HashSet<MeshId> = switched.collect();
        for (index, mesh) in scene.meshes.iter().enumerate() {
            let id = MeshId::from(index);
            let mut place = match mesh.node.and_then(|node| self.nodes.get(node.index())) {
                Some(place) => *place,
                None => Place::Pivot(0, 0),
            };
            // A mesh with visibility of its own needs a pivot of its own.
            let hides = switched.contains(&id)
                || self.vanishing.contains_key(&id)
                || self.fades.hides(id)
                || mesh.alpha <= 0.0;
            if let Place::Pivot(model, pivot) = place
                && hides
            {
                let pivots = &mut self.models[model].pivots;
                // Vertices of a skin follow their own bones, so its pivot is one that never moves.
                let pivot = if mesh.skin.is_some() { 0 } else { pivot };
                let world = pivots[pivot].world;
                let default = format!("SHOWN{index}");
                let name = match &mut labels {
                    Some(labels) => labels[model].unique(&mesh.name, &default),
                    None => short(&mesh.name, &default),
                };
                place = Place::Pivot(model, pivots.len());
                pivots.push(Pivot {
                    name,
                    parent: Some(pivot),
                    node: None,
                    mesh: Some(id),
                    rest: Transform::IDENTITY,
                    world,
                });
            }
            self.meshes.push(place);
        }
    }
}

/// A matrix without its scale.
pub(super) fn rigid(matrix: Affine3A) -> Affine3A {
    let (rotation, translation) = rigid_parts(&matrix);
    Affine3A::from_rotation_translation(rotation, translation)
}

/// The rotation and the translation of a matrix.
pub(super) fn rigid_parts(matrix: &Affine3A) -> (Quat, Vec3) {
    let (_, rotation, translation) = matrix.to_scale_rotation_translation();
    let rotation = rotation.normalize();
    (if rotation.is_finite() { rotation } else { Quat::IDENTITY }, translation)
}

/// Nodes that scale, or do not follow their parents, and all nodes below them.
fn bent(scene: &Scene, hierarchy: &Hierarchy) -> Vec<bool> {
    let is_plain = |node: &scene::Node| node.rest.scale == Vec3::ONE && node.inherit == Inherit::ALL;
    let mut bent: Vec<bool> = scene.nodes.iter().map(|node| !is_plain(node)).collect();
    for channel in scene.channels() {
        if let Target::Node(node, NodeProperty::Scale) = channel.target
            && let Some(bent) = bent.get_mut(node.index())
        {
            *bent = true;
        }
    }
    hierarchy.mark_below(&mut bent);
    bent
}

/// Meshes that may shrink to nothing: all their nodes, or nodes above them, have a scale that reaches zero.
fn vanishing(scene: &Scene, parents: &[Option<NodeId>]) -> HashMap<MeshId, Vec<NodeId>> {
    let gone: HashSet<NodeId> = scene
        .channels()
        .filter_map(|channel| match (channel.target, &channel.curve) {
            (Target::Node(node, NodeProperty::Scale), scene::Curve::Vector(track))
                if track.values.iter().any(|value| value.abs().max_element() <= NOTHING) =>
            {
                Some(node)
            }
            _ => None,
        })
        .collect();
    if gone.is_empty() {
        return HashMap::new();
    }
    let shrinks = |node: &NodeId| {
        let parent = |node: &NodeId| parents.get(node.index()).copied().flatten();
        std::iter::successors(Some(*node), parent).any(|node| gone.contains(&node))
    };
    let meshes = scene.meshes.iter().enumerate().filter_map(|(index, mesh)| {
        let nodes: Vec<NodeId> = match &mesh.skin {
            Some(skin) => skin.joints.iter().map(|joint| joint.node).collect(),
            None => mesh.node.into_iter().collect(),
        };
        (!nodes.is_empty() && nodes.iter().all(shrinks)).then(|| (MeshId::from(index), nodes))
    });
    meshes.collect()
}

/// A scale at which nothing is seen.
pub(super) const NOTHING: f32 = 1e-3;
