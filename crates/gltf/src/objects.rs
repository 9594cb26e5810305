//! Lights and cameras, as far as glTF has them.

use crate::context::{Context, linear, valid};
use crate::document::{self, Perspective, Spot};
use crate::extras::Attached;
use crate::names::Names;
use crate::nodes::{Node, Nodes, root_transform};
use crate::options::Report;
use glam::{Mat3, Quat, Vec3};
use scene::{Camera, Light, LightKind, Transform};
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// Lights as glTF has them, and for each of the scene's its place.
pub(crate) struct Lights {
    pub(crate) list: Vec<document::Light>,
    pub(crate) places: Vec<Option<u32>>,
}

pub(crate) fn lights<'a>(context: &Context<'a>, nodes: &mut Nodes<'a>) -> Lights {
    let mut lights = Lights { list: Vec::new(), places: vec![None; context.scene.lights.len()] };
    let mut names = Names::default();
    for (index, light) in context.scene.lights.iter().enumerate() {
        let (Some(host), Some(kind)) = (context.existing(light.node), kind(&light.kind)) else { continue };
        let name = names.unique(&context.scene.nodes[host.index()].name, "Light").into_owned();
        let place = lights.list.len() as u32;
        lights.list.push(gltf_light(
            light,
            kind,
            name.clone(),
            root_transform(context.options.scale).scale.x,
        ));
        lights.places[index] = Some(place);
        let node = &mut nodes.all[host.index()];
        if node.light.is_none() {
            node.light = Some(place);
        } else {
            nodes.push(Node { parent: Some(host.0), light: Some(place), ..Node::named(name) });
        }
    }
    lights
}

/// glTF's name of a kind of light, if it has it.
fn kind(kind: &LightKind) -> Option<&'static str> {
    match kind {
        LightKind::Point => Some("point"),
        LightKind::Directional => Some("directional"),
        LightKind::Spot { .. } => Some("spot"),
        LightKind::Ambient => None,
    }
}

/// A light's colour and intensity. glTF's colours are at most one; brighter ones add to the intensity.
pub(crate) fn brightness(light: &Light) -> (Vec3, f32) {
    let color = linear(light.color);
    let excess = color.max_element().max(1.0);
    let intensity = light.intensity * excess;
    let shows = intensity.is_finite() && light.visible;
    (color / excess, if shows { intensity.max(0.0) } else { 0.0 })
}

fn gltf_light(light: &Light, kind: &'static str, name: String, scale: f32) -> document::Light {
    let (color, intensity) = brightness(light);
    let range = light.attenuation.map(|[_, end]| end * scale);
    let spot = match light.kind {
        LightKind::Spot { inner, outer, .. } => {
            // The nearest f32 to a right angle is above it, which readers refuse.
            const WIDEST: f32 = FRAC_PI_2.next_down();
            let outer = if outer.is_finite() { outer.clamp(1e-3, WIDEST) } else { WIDEST };
            let inner = if inner.is_finite() { inner.clamp(0.0, outer * 0.999) } else { 0.0 };
            Some(Spot { inner_cone_angle: inner, outer_cone_angle: outer })
        }
        _ => None,
    };
    let has_range = |range: &f32| kind != "directional" && range.is_finite() && *range > 0.0;
    document::Light { name, kind, color, intensity, range: range.filter(has_range), spot }
}

/// Cameras as glTF has them, and for each its node.
pub(crate) struct Cameras {
    pub(crate) list: Vec<document::Camera>,
    pub(crate) nodes: Vec<u32>,
}

pub(crate) fn cameras<'a>(context: &Context<'a>, nodes: &mut Nodes<'a>, report: &mut Report) -> Cameras {
    let mut cameras = Cameras { list: Vec::new(), nodes: Vec::new() };
    let mut names = Names::default();
    for (index, camera) in context.scene.cameras.iter().enumerate() {
        let name = names.unique(&camera.name, "Camera").into_owned();
        let place = cameras.list.len() as u32;
        let scale = root_transform(context.options.scale).scale.x;
        cameras.list.push(gltf_camera(camera, name.clone(), scale));
        let parent = camera.node.and_then(|node| context.existing(node));
        let looking = looking(camera.position, camera.target, 0.0);
        let mut node = Node {
            parent: parent.map(|node| node.0),
            transform: valid(&looking, &mut report.repaired_numbers),
            camera: Some(place),
            ..Node::named(name)
        };
        node.extras.camera = Some(Attached::new(index, camera));
        cameras.nodes.push(nodes.push(node));
    }
    cameras
}

fn gltf_camera(camera: &Camera, name: String, scale: f32) -> document::Camera {
    let is_usual = camera.field_of_view > 0.0 && camera.field_of_view < PI;
    let near = if camera.near.is_finite() && camera.near > 0.0 { camera.near } else { 0.01 };
    let has_far = camera.far.is_finite() && camera.far > near;
    document::Camera {
        name,
        kind: "perspective",
        perspective: Perspective {
            yfov: if is_usual { camera.field_of_view } else { FRAC_PI_4 },
            znear: near * scale,
            zfar: has_far.then_some(camera.far * scale).filter(|far| *far > near * scale),
        },
    }
}

/// A camera's node: glTF's cameras look along -Z, their up is Y (glTF 2.0, 3.10.2).
pub(crate) fn looking(position: Vec3, target: Vec3, roll: f32) -> Transform {
    let back = (position - target).try_normalize().unwrap_or(Vec3::Z);
    // Straight up or down every level side is as good.
    let right = Vec3::Y.cross(back).try_normalize().unwrap_or(Vec3::X);
    let turned = Quat::from_mat3(&Mat3::from_cols(right, back.cross(right), back));
    let is_rolled = roll != 0.0 && roll.is_finite();
    let rotation = if is_rolled { turned * Quat::from_rotation_z(-roll) } else { turned };
    Transform { translation: position, rotation, scale: Vec3::ONE }
}
