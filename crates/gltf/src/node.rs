//! Nodes, and what glTF has of its own for them: lights and cameras.

use crate::{
    Exporter, extras,
    json::Json,
    lineage::{Lineage, Motion},
    linear, sound, unit,
};
use glam::{Affine3A, Mat3, Quat, Vec3, Vec3A};
use scene::{Camera, Hierarchy, Inherit, Light, LightKind, NodeId, Transform};

/// glTF's nodes: first the scene's own at their own places, then those that are added.
#[derive(Default)]
pub(crate) struct Nodes<'a> {
    pub(crate) all: Vec<OutNode<'a>>,
    pub(crate) hierarchy: Hierarchy,
    /// Those of the scene's that glTF moves otherwise than the scene does, so that their motion has to be worked out.
    pub(crate) resampled: Vec<NodeId>,
    /// Where the scene's nodes are in the model at rest, if some are resampled.
    pub(crate) origins: Vec<Vec3A>,
    /// Where the meshes are.
    pub(crate) placed: Vec<crate::geometry::Placed>,
    /// For each of the scene's cameras its node.
    pub(crate) cameras: Vec<u32>,
    /// For each of the scene's lights glTF's, if it has one.
    pub(crate) lights: Vec<Option<u32>>,
}

/// A node in the making.
#[derive(Default)]
pub(crate) struct OutNode<'a> {
    pub(crate) name: &'a str,
    pub(crate) parent: Option<u32>,
    pub(crate) transform: Transform,
    pub(crate) mesh: Option<u32>,
    pub(crate) skin: Option<u32>,
    pub(crate) camera: Option<u32>,
    pub(crate) light: Option<u32>,
    /// `KHR_node_visibility`, if it is to be said at all.
    pub(crate) visible: Option<bool>,
    /// `MSFT_lod`: nodes that take its place.
    pub(crate) lesser: Vec<u32>,
    /// Only in the place of another, not in the scene.
    pub(crate) detached: bool,
    /// Fields of `extras.meshwright`.
    pub(crate) extras: Json,
}

impl<'a> Nodes<'a> {
    pub(crate) fn push(&mut self, node: OutNode<'a>) -> u32 {
        self.all.push(node);
        self.all.len() as u32 - 1
    }
}

impl<'a> Exporter<'a> {
    /// Puts the scene's nodes at their own places.
    pub(crate) fn place_nodes(&mut self) {
        let scene = self.scene;
        self.nodes.hierarchy = scene.hierarchy();
        let parents = &self.nodes.hierarchy.parents;
        self.nodes.resampled = (0..scene.nodes.len())
            .filter(|&index| parents[index].is_some() && scene.nodes[index].inherit != Inherit::ALL)
            .map(NodeId::from)
            .collect();
        if !self.nodes.resampled.is_empty() {
            let worlds = self.nodes.hierarchy.worlds(scene.nodes.iter().map(|node| &node.rest));
            self.nodes.origins = worlds.into_iter().map(|world| world.translation).collect();
        }
        self.nodes.all.reserve(scene.nodes.len() + scene.meshes.len() + scene.cameras.len() + 2);
        for node in &scene.nodes {
            let transform = sound(&node.rest, &mut self.report);
            self.nodes.push(OutNode { name: &node.name, transform, ..OutNode::default() });
        }
        for (node, parent) in self.nodes.all.iter_mut().zip(&self.nodes.hierarchy.parents) {
            node.parent = parent.map(|parent| parent.0);
        }
        if self.nodes.resampled.is_empty() {
            return;
        }
        let still = vec![Motion::default(); scene.nodes.len()];
        for index in 0..self.nodes.resampled.len() {
            let node = self.nodes.resampled[index];
            if let Some(transform) = Lineage::new(self, &still, node).local(0.0) {
                self.nodes.all[node.index()].transform = sound(&transform, &mut self.report);
            }
        }
    }

    /// Whether glTF moves this node otherwise than the scene does.
    pub(crate) fn is_resampled(&self, node: NodeId) -> bool {
        self.nodes.resampled.binary_search(&node).is_ok()
    }

    pub(crate) fn write_lights(&mut self) {
        self.nodes.lights = vec![None; self.scene.lights.len()];
        for (index, light) in self.scene.lights.iter().enumerate() {
            if self.nodes.all.len() <= light.node.index() || light.node.index() >= self.scene.nodes.len() {
                continue;
            }
            let Some(kind) = kind(&light.kind) else { continue };
            self.uses("KHR_lights_punctual");
            let name = self.scene.nodes[light.node.index()].name.as_str();
            let place = self.lights.push(|json| write_light(json, light, kind, name));
            self.nodes.lights[index] = Some(place);
            let node = &mut self.nodes.all[light.node.index()];
            if node.light.is_none() {
                node.light = Some(place);
            } else {
                let (parent, light) = (Some(light.node.0), Some(place));
                self.nodes.push(OutNode { name, parent, light, ..OutNode::default() });
            }
        }
    }

    pub(crate) fn write_cameras(&mut self) {
        for camera in &self.scene.cameras {
            let place = self.cameras.push(|json| write_camera(json, camera));
            let parent = camera.node.filter(|node| node.index() < self.scene.nodes.len());
            let looking = looking(camera.position, camera.target, 0.0);
            let transform = sound(&looking, &mut self.report);
            let node = self.nodes.push(OutNode {
                name: &camera.name,
                parent: parent.map(|node| node.0),
                transform,
                camera: Some(place),
                ..OutNode::default()
            });
            self.nodes.cameras.push(node);
        }
    }

    /// Writes the scene and its nodes.
    pub(crate) fn write_scene(&mut self, json: &mut Json) {
        let is_root = |node: &OutNode<'_>| node.parent.is_none() && !node.detached;
        // All joints of a skin must have an ancestor in common (glTF 2.0, 3.7.3.1); skinned meshes stay beside it.
        let bones = |node: &OutNode<'_>| is_root(node) && node.skin.is_none();
        if self.skins.list.len() > 0 && self.nodes.all.iter().filter(|node| bones(node)).count() > 1 {
            let root = self.nodes.all.len() as u32;
            self.nodes.all.iter_mut().filter(|node| bones(node)).for_each(|node| node.parent = Some(root));
            self.nodes.push(OutNode { name: &self.scene.name, ..OutNode::default() });
        }
        let family = |(index, node): (usize, &OutNode<'_>)| {
            Some((node.parent, index as u32)).filter(|_| !node.detached)
        };
        // By their parents; those without come first.
        let mut families: Vec<(Option<u32>, u32)> =
            self.nodes.all.iter().enumerate().filter_map(family).collect();
        families.sort_unstable();
        let (parents, members): (Vec<Option<u32>>, Vec<u32>) = families.into_iter().unzip();
        let mut done = 0;
        // To be asked for one parent after the other, as they are sorted.
        let mut children = |parent: Option<u32>| {
            let start = done;
            done += parents[start..].iter().take_while(|other| **other == parent).count();
            &members[start..done]
        };
        if self.nodes.all.iter().any(|node| node.visible.is_some()) {
            self.uses("KHR_node_visibility");
        }
        json.field("scene", &0_u32);
        json.array_field("scenes", |json| {
            json.object(|json| {
                json.text("name", &self.scene.name);
                json.list("nodes", children(None));
                json.object_field("extras", |json| {
                    json.object_field("meshwright", |json| self.write_scene_extras(json));
                });
            });
        });
        if self.nodes.all.is_empty() {
            return;
        }
        json.array_field("nodes", |json| {
            for (index, node) in self.nodes.all.iter().enumerate() {
                let children = children(Some(index as u32));
                json.object(|json| node.write(json, children, self.scene.nodes.get(index)));
            }
        });
    }
}

impl OutNode<'_> {
    /// Writes it, and what the scene says of it if it is one of the scene's.
    fn write(&self, json: &mut Json, children: &[u32], node: Option<&scene::Node>) {
        json.text("name", self.name);
        let Transform { translation, rotation, scale } = self.transform;
        if translation != Vec3::ZERO {
            json.field("translation", &translation);
        }
        if rotation != Quat::IDENTITY {
            json.field("rotation", &rotation);
        }
        if scale != Vec3::ONE {
            json.field("scale", &scale);
        }
        json.optional("mesh", self.mesh);
        json.optional("skin", self.skin);
        json.optional("camera", self.camera);
        json.list("children", children);
        if self.light.is_some() || self.visible.is_some() || !self.lesser.is_empty() {
            json.object_field("extensions", |json| {
                if let Some(light) = self.light {
                    json.object_field("KHR_lights_punctual", |json| json.field("light", &light));
                }
                if let Some(visible) = self.visible {
                    json.object_field("KHR_node_visibility", |json| json.field("visible", &visible));
                }
                if !self.lesser.is_empty() {
                    json.object_field("MSFT_lod", |json| json.list("ids", &self.lesser));
                }
            });
        }
        extras::extras(json, |json| {
            if let Some(node) = node {
                extras::node(json, node);
            }
            if !self.extras.is_empty() {
                json.raw(self.extras.bytes());
            }
        });
    }
}

/// The transform in its parent of a node that is at `world`, unless the parent has no inverse.
pub(crate) fn local(parent: &Affine3A, world: &Affine3A) -> Option<Transform> {
    let (scale, rotation, translation) = (parent.inverse() * *world).to_scale_rotation_translation();
    let finite = scale.is_finite() && rotation.is_finite() && translation.is_finite();
    finite.then(|| Transform { translation, rotation: unit(rotation), scale })
}

/// A camera's node: it looks along -Z, its up is Y (glTF 2.0, 3.10.2).
pub(crate) fn looking(position: Vec3, target: Vec3, roll: f32) -> Transform {
    let back = (position - target).try_normalize().unwrap_or(Vec3::Z);
    // Straight up or down every level side is as good.
    let right = Vec3::Y.cross(back).try_normalize().unwrap_or(Vec3::X);
    let turned = Quat::from_mat3(&Mat3::from_cols(right, back.cross(right), back));
    let is_rolled = roll != 0.0 && roll.is_finite();
    let rotation = if is_rolled { turned * Quat::from_rotation_z(-roll) } else { turned };
    Transform { translation: position, rotation, scale: Vec3::ONE }
}

/// What glTF calls the kind of light, if it knows it.
fn kind(kind: &LightKind) -> Option<&'static str> {
    match kind {
        LightKind::Point => Some("point"),
        LightKind::Directional => Some("directional"),
        LightKind::Spot { .. } => Some("spot"),
        LightKind::Ambient => None,
    }
}

/// A light's colour and intensity. glTF's colours are at most one; what is more goes to the intensity.
pub(crate) fn brightness(light: &Light) -> (Vec3, f32) {
    let color = linear(light.color);
    let excess = color.max_element().max(1.0);
    let intensity = light.intensity * excess;
    let shown = intensity.is_finite() && light.visible;
    (color / excess, if shown { intensity.max(0.0) } else { 0.0 })
}

fn write_light(json: &mut Json, light: &Light, kind: &str, name: &str) {
    json.text("name", name);
    json.field("type", kind);
    let (color, intensity) = brightness(light);
    json.field("color", &color);
    json.field("intensity", &intensity);
    if let Some([_, end]) = light.attenuation
        && kind != "directional"
        && end.is_finite()
        && end > 0.0
    {
        json.field("range", &end);
    }
    if let LightKind::Spot { inner, outer, .. } = light.kind {
        // The nearest number to a right angle is above it, which readers refuse.
        const WIDEST: f32 = std::f32::consts::FRAC_PI_2.next_down();
        let outer = if outer.is_finite() { outer.clamp(1e-3, WIDEST) } else { WIDEST };
        let inner = if inner.is_finite() { inner.clamp(0.0, outer * 0.999) } else { 0.0 };
        json.object_field("spot", |json| {
            json.field("innerConeAngle", &inner);
            json.field("outerConeAngle", &outer);
        });
    }
}

fn write_camera(json: &mut Json, camera: &Camera) {
    const PI: f32 = std::f32::consts::PI;
    json.text("name", &camera.name);
    json.field("type", "perspective");
    json.object_field("perspective", |json| {
        let usual = camera.field_of_view > 0.0 && camera.field_of_view < PI;
        json.field("yfov", &if usual { camera.field_of_view } else { PI / 4.0 });
        let near = if camera.near.is_finite() && camera.near > 0.0 { camera.near } else { 0.01 };
        json.field("znear", &near);
        if camera.far.is_finite() && camera.far > near {
            json.field("zfar", &camera.far);
        }
    });
}
