//! A scene in another unit of length.

use scene::{
    Bounds, CameraProperty, Channel, Curve, EmitterKind, EmitterProperty, LightProperty, NodeProperty,
    RibbonProperty, Scene, Shape, Target, Track, Volume,
};
use std::ops::Mul;

/// The scene with all lengths multiplied.
pub(super) fn scaled(scene: &Scene, factor: f32) -> Scene {
    let mut scene = scene.clone();
    let bounds = |bounds: &mut Bounds| {
        bounds.min *= factor;
        bounds.max *= factor;
        bounds.center *= factor;
        bounds.radius *= factor;
    };
    scene.nodes.iter_mut().for_each(|node| node.rest.translation *= factor);
    for mesh in &mut scene.meshes {
        mesh.positions.iter_mut().for_each(|position| *position *= factor);
        mesh.bounds.iter_mut().chain(&mut mesh.clip_bounds).for_each(bounds);
        let joints = mesh.skin.iter_mut().flat_map(|skin| &mut skin.joints);
        joints.for_each(|joint| joint.inverse_bind.translation *= factor);
    }
    scene.bounds.iter_mut().for_each(bounds);
    for clip in &mut scene.clips {
        clip.move_speed *= factor;
        clip.bounds.iter_mut().for_each(bounds);
        clip.channels.iter_mut().for_each(|each| channel(each, factor));
    }
    scene.global_channels.iter_mut().for_each(|global| channel(&mut global.channel, factor));
    for light in &mut scene.lights {
        light
            .attenuation
            .iter_mut()
            .chain(&mut light.near_attenuation)
            .flatten()
            .for_each(|each| *each *= factor);
        light.shadow.start *= factor;
        light.shadow.end *= factor;
    }
    for camera in &mut scene.cameras {
        camera.position *= factor;
        camera.target *= factor;
        camera.near *= factor;
        camera.far *= factor;
    }
    for ribbon in &mut scene.ribbons {
        ribbon.height_above *= factor;
        ribbon.height_below *= factor;
        ribbon.gravity *= factor;
    }
    scene.emitters.iter_mut().for_each(|each| emitter(&mut each.kind, factor));
    for each in &mut scene.collision_shapes {
        shape(&mut each.shape, factor);
    }
    scene
}

fn shape(shape: &mut Shape, factor: f32) {
    match shape {
        Shape::Box { min, max, .. } | Shape::Plane { min, max } => {
            *min *= factor;
            *max *= factor;
        }
        Shape::Sphere { center, radius } => {
            *center *= factor;
            *radius *= factor;
        }
        Shape::Cylinder { start, end, radius } => {
            *start *= factor;
            *end *= factor;
            *radius *= factor;
        }
        Shape::Mesh { positions, .. } => positions.iter_mut().for_each(|position| *position *= factor),
    }
}

fn emitter(kind: &mut EmitterKind, factor: f32) {
    match kind {
        EmitterKind::Model(emitter) => {
            emitter.gravity *= factor;
            emitter.speed *= factor;
        }
        EmitterKind::Sprite(emitter) => {
            let lengths = [
                &mut emitter.speed,
                &mut emitter.gravity,
                &mut emitter.width,
                &mut emitter.length,
                &mut emitter.z_source,
            ];
            lengths.into_iter().chain(&mut emitter.scales).for_each(|length| *length *= factor);
        }
        // Its lengths are in the effect's own file.
        EmitterKind::Effect(_) => {}
        EmitterKind::Keyed(emitter) => {
            emitter.gravity *= factor;
            emitter.velocity *= factor;
            emitter.acceleration *= factor;
            emitter.outward_velocity *= factor;
            for volume in [&mut emitter.creation_volume, &mut emitter.velocity_random] {
                match volume {
                    Volume::Box(half) => *half *= factor,
                    Volume::Sphere { radius, .. } => *radius *= factor,
                    Volume::Cylinder { half_length, radius } => {
                        *half_length *= factor;
                        *radius *= factor;
                    }
                }
            }
            emitter.size.random *= factor;
            emitter.size.keys.iter_mut().for_each(|(_, size)| *size *= factor);
        }
    }
}

/// Multiplies the values of a channel that holds lengths.
fn channel(channel: &mut Channel, factor: f32) {
    let is_length = match channel.target {
        Target::Node(_, property) => property == NodeProperty::Translation,
        Target::Light(_, property) => matches!(
            property,
            LightProperty::AttenuationStart
                | LightProperty::AttenuationEnd
                | LightProperty::ShadowStart
                | LightProperty::ShadowEnd
        ),
        Target::Camera(_, property) => {
            matches!(property, CameraProperty::Translation | CameraProperty::TargetTranslation)
        }
        Target::Emitter(_, property) => matches!(
            property,
            EmitterProperty::Speed
                | EmitterProperty::Gravity
                | EmitterProperty::Width
                | EmitterProperty::Length
                | EmitterProperty::ZSource
        ),
        Target::Ribbon(_, property) => {
            matches!(property, RibbonProperty::HeightAbove | RibbonProperty::HeightBelow)
        }
        Target::Mesh(..) | Target::Layer(..) => false,
    };
    match &mut channel.curve {
        Curve::Scalar(track) if is_length => multiply(track, factor),
        Curve::Vector(track) if is_length => multiply(track, factor),
        _ => {}
    }
}

fn multiply<V: Copy + Mul<f32, Output = V>>(track: &mut Track<V>, factor: f32) {
    track.values.iter_mut().for_each(|value| *value = *value * factor);
    for tangents in &mut track.tangents {
        tangents.incoming = tangents.incoming * factor;
        tangents.outgoing = tangents.outgoing * factor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Affine3A, Quat, Vec3};
    use scene::{
        Clip, ClipId, Deformed, Influence, Interpolation, Joint, Mesh, Moment, Node, NodeId, Sampler, Skin,
        skin,
    };

    #[test]
    fn every_vertex_moves_as_before_times_the_factor() {
        let bend =
            Track::new(Interpolation::Linear, [(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(1.0))]);
        let rise = Track::new(Interpolation::Linear, [(0.0, Vec3::ZERO), (1.0, Vec3::Y * 3.0)]);
        let target = |property| Target::Node(NodeId(0), property);
        let joint = Joint { node: NodeId(0), inverse_bind: Affine3A::from_translation(Vec3::NEG_X) };
        let mut bones = Skin { joints: vec![joint], ..Skin::default() };
        bones.push_vertex([Influence { joint: 0, weight: 1.0 }]);
        let scene = Scene {
            nodes: vec![Node { rest: scene::Transform::from_translation(Vec3::X), ..Node::default() }],
            meshes: vec![Mesh {
                positions: vec![Vec3::new(2.0, 1.0, 0.0)],
                skin: Some(bones),
                ..Mesh::default()
            }],
            clips: vec![Clip {
                duration: 1.0,
                channels: vec![
                    Channel { target: target(NodeProperty::Rotation), curve: Curve::Rotation(bend) },
                    Channel { target: target(NodeProperty::Translation), curve: Curve::Vector(rise) },
                ],
                ..Clip::default()
            }],
            ..Scene::default()
        };
        let larger = scaled(&scene, 60.0);
        let place = |scene: &Scene| {
            let moment = Moment { clip: Some(ClipId(0)), time: 0.7, ..Moment::default() };
            let mut deformed = Deformed::default();
            skin(&scene.meshes[0], &Sampler::new(scene).pose(&moment), &mut deformed);
            deformed.positions[0]
        };
        assert!(place(&larger).abs_diff_eq(place(&scene) * 60.0, 1e-4));
    }
}
