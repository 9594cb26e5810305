//! Nodes: the scene's, those that meshes, cameras and joints need, and the root.

use crate::context::{Context, valid};
use crate::document::{self, LightReference, NodeVisibility};
use crate::extras::{NodeExtras, attach, unless_empty};
use crate::names::Names;
use crate::options::Report;
use crate::relative::{AncestorChain, Motion};
use glam::{Affine3A, Quat, Vec3};
use scene::{NodeId, Transform};
use std::borrow::Cow;
use std::f32::consts::FRAC_PI_2;

/// A node, with its parent instead of its children.
#[derive(Default)]
pub(crate) struct Node<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) parent: Option<u32>,
    pub(crate) transform: Transform,
    pub(crate) mesh: Option<u32>,
    pub(crate) skin: Option<u32>,
    pub(crate) camera: Option<u32>,
    pub(crate) light: Option<u32>,
    /// `KHR_node_visibility`.
    pub(crate) visible: Option<bool>,
    /// `MSFT_lod`: nodes that replace it.
    pub(crate) lesser: Vec<u32>,
    /// Only a replacement of another node, not in the scene.
    pub(crate) detached: bool,
    pub(crate) extras: NodeExtras<'a>,
}

impl<'a> Node<'a> {
    pub(crate) fn named(name: impl Into<Cow<'a, str>>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

/// All nodes: first the scene's at their own places, then those that are added, the root last.
pub(crate) struct Nodes<'a> {
    pub(crate) all: Vec<Node<'a>>,
    names: Names,
}

impl<'a> Nodes<'a> {
    /// The scene's nodes.
    pub(crate) fn new(context: &Context<'a>, report: &mut Report) -> Self {
        let scene = context.scene;
        let mut names = Names::default();
        let mut all: Vec<Node<'a>> = Vec::with_capacity(scene.nodes.len() + scene.meshes.len() + 2);
        for (index, node) in scene.nodes.iter().enumerate() {
            let name = names.unique(&node.name, "Node");
            all.push(Node {
                extras: NodeExtras::of(index, node, &name),
                name,
                parent: context.hierarchy.parents[index].map(|parent| parent.0),
                transform: valid(&node.rest, &mut report.repaired_numbers),
                ..Node::default()
            });
        }
        let mut extras: Vec<&mut NodeExtras<'a>> = all.iter_mut().map(|node| &mut node.extras).collect();
        attach(scene, &mut extras);
        let relative: Vec<usize> = (0..scene.nodes.len()).filter(|&node| context.is_relative(node)).collect();
        if !relative.is_empty() {
            let still = vec![Motion::default(); scene.nodes.len()];
            let origins = context.hierarchy.worlds(scene.nodes.iter().map(|node| &node.rest));
            for index in relative {
                let chain = AncestorChain::new(context, &origins, &still, NodeId::from(index));
                if !context.budget.samples(chain.len()) {
                    break;
                }
                if let Some(transform) = chain.local(0.0) {
                    all[index].transform = valid(&transform, &mut report.repaired_numbers);
                }
                all[index].extras.source_rest = Some(scene.nodes[index].rest);
            }
        }
        Self { all, names }
    }

    /// Adds a node, whose name becomes unique.
    pub(crate) fn push(&mut self, node: Node<'a>) -> u32 {
        let name = self.names.unique(&node.name, "Node").into_owned();
        self.all.push(Node { name: name.into(), ..node });
        self.all.len() as u32 - 1
    }

    /// The world matrices of the scene's nodes when nothing is animated, below the root.
    pub(crate) fn rest_worlds(&self, context: &Context<'_>) -> Vec<Affine3A> {
        let count = context.scene.nodes.len();
        context.hierarchy.worlds(self.all[..count].iter().map(|node| &node.transform))
    }

    /// Adds the root, which turns the model's front to glTF's and scales it, above all nodes without a parent. glTF requires skinned
    /// meshes to stay beside it.
    pub(crate) fn add_root(&mut self, context: &Context<'a>) {
        let is_below = |node: &Node<'_>| node.parent.is_none() && !node.detached && node.skin.is_none();
        let root = self.all.len() as u32;
        self.all.iter_mut().filter(|node| is_below(node)).for_each(|node| node.parent = Some(root));
        let name = if context.scene.name.is_empty() { "Model" } else { &context.scene.name };
        self.push(Node { transform: root_transform(context.options.scale), ..Node::named(name) });
    }

    /// glTF's nodes, and those without a parent.
    pub(crate) fn finish(self) -> (Vec<document::Node<'a>>, Vec<u32>) {
        let mut children: Vec<Vec<u32>> = self.all.iter().map(|_| Vec::new()).collect();
        let mut roots = Vec::new();
        for (index, node) in self.all.iter().enumerate().filter(|(_, node)| !node.detached) {
            match node.parent {
                Some(parent) => children[parent as usize].push(index as u32),
                None => roots.push(index as u32),
            }
        }
        let nodes = self.all.into_iter().zip(children).map(|(node, children)| document::Node {
            name: node.name,
            translation: node.transform.translation,
            rotation: node.transform.rotation,
            scale: node.transform.scale,
            mesh: node.mesh,
            skin: node.skin,
            camera: node.camera,
            children,
            extensions: document::NodeExtensions {
                light: node.light.map(|light| LightReference { light }),
                visibility: node.visible.map(|visible| NodeVisibility { visible }),
                levels: Some(node.lesser).filter(|ids| !ids.is_empty()).map(|ids| document::Levels { ids }),
            },
            extras: unless_empty(node.extras),
        });
        (nodes.collect(), roots)
    }
}

/// The games' models face +X, and so does the scene; glTF's front is +Z (glTF 2.0, 3.4).
pub(crate) fn root_transform(scale: f32) -> Transform {
    let scale = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
    Transform {
        translation: Vec3::ZERO,
        rotation: Quat::from_rotation_y(-FRAC_PI_2),
        scale: Vec3::splat(scale),
    }
}
