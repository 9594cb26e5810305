//! Scenes that nobody would make: numbers that are none, ids that point at nothing, lists of unequal length.

use super::{clip, tetrahedron};
use glam::{Quat, Vec3};
use scene::*;

/// The scene of a seed.
pub(crate) fn scene(seed: u64) -> Scene {
    Dice(seed * 7919 + 1).scene()
}

/// Numbers from a seed, among them those that hurt.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 % sides
    }

    fn float(&mut self) -> f32 {
        const ODD: [f32; 9] =
            [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, f32::MAX, f32::MIN_POSITIVE, -1.0, 1.0];
        if self.roll(4) == 0 { ODD[self.roll(9) as usize] } else { self.roll(4000) as f32 / 1000.0 - 1.0 }
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.float(), self.float(), self.float())
    }

    fn rotation(&mut self) -> Quat {
        Quat::from_xyzw(self.float(), self.float(), self.float(), self.float())
    }

    fn track<T: Copy>(&mut self, value: impl Fn(&mut Self) -> T) -> Track<T> {
        const KINDS: [Interpolation; 4] =
            [Interpolation::Step, Interpolation::Linear, Interpolation::Hermite, Interpolation::Bezier];
        let keys: Vec<(f32, T)> = (0..self.roll(6)).map(|_| (self.float(), value(self))).collect();
        let mut track = Track::new(KINDS[self.roll(4) as usize], keys);
        track.tangents =
            (0..self.roll(6)).map(|_| Tangents { incoming: value(self), outgoing: value(self) }).collect();
        track.held_until = (0..self.roll(6)).map(|_| self.roll(2) == 0).collect();
        track.outside = match self.roll(3) {
            0 => Outside::Clamp,
            1 => Outside::Rest,
            _ => Outside::Wrap { start: self.float(), end: self.float() },
        };
        if self.roll(2) == 0 {
            track.sort();
        }
        track
    }

    fn channel(&mut self) -> Channel {
        const NODE: [NodeProperty; 4] = [
            NodeProperty::Translation,
            NodeProperty::Rotation,
            NodeProperty::Scale,
            NodeProperty::Visibility,
        ];
        const MESH: [MeshProperty; 3] = [MeshProperty::Alpha, MeshProperty::Color, MeshProperty::Visibility];
        const LAYER: [LayerProperty; 4] = [
            LayerProperty::Alpha,
            LayerProperty::Color,
            LayerProperty::UvTranslation,
            LayerProperty::UvRotation,
        ];
        let target = match self.roll(5) {
            0 | 1 => Target::Node(NodeId(self.roll(7)), NODE[self.roll(4) as usize]),
            2 => Target::Mesh(MeshId(self.roll(4)), MESH[self.roll(3) as usize]),
            3 => Target::Layer(MaterialId(self.roll(3)), self.roll(2), LAYER[self.roll(4) as usize]),
            _ => Target::Camera(CameraId(self.roll(2)), CameraProperty::Translation),
        };
        let curve = match self.roll(4) {
            0 => Curve::Flag(self.track(|dice| dice.roll(2) == 0)),
            1 => Curve::Scalar(self.track(Self::float)),
            2 => Curve::Vector(self.track(Self::vector)),
            _ => Curve::Rotation(self.track(Self::rotation)),
        };
        Channel { target, curve }
    }

    fn scene(&mut self) -> Scene {
        let mut scene = Scene::default();
        for _ in 0..self.roll(6) {
            scene.nodes.push(Node {
                parent: (self.roll(2) == 0).then(|| NodeId(self.roll(7))),
                rest: Transform {
                    translation: self.vector(),
                    rotation: self.rotation(),
                    scale: self.vector(),
                },
                inherit: Inherit { translation: self.roll(2) == 0, rotation: self.roll(4) > 0, scale: true },
                visible: self.roll(3) > 0,
                ..Node::default()
            });
        }
        for _ in 0..self.roll(4) {
            let mut mesh = tetrahedron("Mesh", self.roll(7));
            mesh.positions.iter_mut().for_each(|position| *position = self.vector());
            mesh.normals.iter_mut().for_each(|normal| *normal = self.vector());
            mesh.indices = mesh.indices.iter().map(|_| self.roll(5)).collect();
            mesh.color = self.vector();
            mesh.alpha = self.float();
            mesh.parts.push(Part {
                material: Some(MaterialId(self.roll(3))),
                start: self.roll(9),
                count: self.roll(20),
            });
            if self.roll(2) == 0 {
                let mut skin = Skin::default();
                for _ in 0..self.roll(4) {
                    let inverse_bind = glam::Affine3A::from_translation(self.vector());
                    skin.joints.push(Joint { node: NodeId(self.roll(7)), inverse_bind });
                }
                for _ in 0..self.roll(6) {
                    let count = self.roll(7);
                    skin.push_vertex(
                        (0..count).map(|_| Influence { joint: self.roll(5), weight: self.float() }),
                    );
                }
                mesh.skin = Some(skin);
            }
            scene.meshes.push(mesh);
        }
        scene.materials = super::materials().materials.split_off(11);
        scene.textures = super::materials().textures;
        scene.cameras.push(Camera {
            position: self.vector(),
            target: self.vector(),
            near: self.float(),
            ..Camera::default()
        });
        scene.lights.push(Light {
            color: self.vector(),
            intensity: self.float(),
            ..Light::new(NodeId(0), LightKind::Point)
        });
        for _ in 0..self.roll(3) {
            let channels = (0..self.roll(6)).map(|_| self.channel()).collect();
            scene.clips.push(clip("Clip", self.float(), channels));
        }
        scene.global_sequences.push(GlobalSequence { duration: self.float() });
        let channel = self.channel();
        scene.global_channels.push(GlobalChannel { sequence: GlobalSequenceId(0), channel });
        scene
    }
}
