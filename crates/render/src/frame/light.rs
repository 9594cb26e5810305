//! Light rigs like those of viewers, the lights of a model, and the light on a vertex.

use super::{Family, Lights, Rules};
use glam::{Affine3A, Vec3};
use scene::{Falloff, LightId, LightKind, LightProperty, Moment, Pose, Scene, Target, Value};

/// Lights around the model.
#[derive(Clone, Debug, PartialEq)]
pub struct LightRig {
    /// Ambient light.
    pub ambient: Vec3,
    /// Directional lights: the direction towards the light, of any length, and its colour.
    pub directional: Vec<(Vec3, Vec3)>,
}

/// Names of the light rigs.
pub const LIGHT_RIGS: [&str; 4] = ["w3dview", "viewer", "contrast", "flat"];

impl LightRig {
    /// Light of W3DView: grey ambient light of 0.5, and a white light from (0, 5000, 3000) in W3D's axes, the left of the model.
    #[must_use]
    pub fn w3dview() -> Self {
        Self { ambient: Vec3::splat(0.5), directional: vec![(Vec3::new(0.0, 3000.0, -5000.0), Vec3::ONE)] }
    }

    /// Light of mdx-m3-viewer: ambient light of 0.7, because shading is painted into the textures of Warcraft III, and a
    /// white light from the front, the left and above.
    #[must_use]
    pub fn viewer() -> Self {
        Self { ambient: Vec3::splat(0.7), directional: vec![(Vec3::new(1.0, 1.4, -0.8), Vec3::ONE)] }
    }

    /// Light of WhiteoutFlakes: a warm light from above and a dark blue ambient light, for more contrast.
    #[must_use]
    pub fn contrast() -> Self {
        Self {
            ambient: Vec3::new(0.22, 0.24, 0.30),
            directional: vec![(Vec3::new(0.6, 1.6, -0.5), Vec3::new(0.95, 0.92, 0.85))],
        }
    }

    /// Ambient light only: everything is as bright as its texture.
    #[must_use]
    pub fn flat() -> Self {
        Self { ambient: Vec3::ONE, directional: Vec::new() }
    }

    /// Light for Reforged's HD materials, which are lit in linear space.
    #[must_use]
    pub fn hd() -> Self {
        Self { ambient: Vec3::splat(0.3), directional: vec![(Vec3::new(1.0, 1.4, -0.8), Vec3::splat(0.9))] }
    }

    /// The rig with this name, one of [`LIGHT_RIGS`].
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "w3dview" => Self::w3dview(),
            "viewer" => Self::viewer(),
            "contrast" => Self::contrast(),
            "flat" => Self::flat(),
            _ => return None,
        })
    }

    /// The usual rig of a family.
    #[must_use]
    pub fn of(family: Family) -> Self {
        match family {
            Family::W3d => Self::w3dview(),
            Family::Mdx => Self::viewer(),
        }
    }

    /// The lights with directions of unit length. Lights without a direction are dropped.
    pub(super) fn lights(&self) -> Lights {
        let directional = self.directional.iter();
        Lights {
            ambient: self.ambient,
            directional: directional
                .filter_map(|(towards, color)| Some((towards.try_normalize()?, *color)))
                .take(MAX_LIGHTS)
                .collect(),
        }
    }
}

/// Maximum number of lights on a surface, as in Warcraft III (one source).
const MAX_LIGHTS: usize = 8;

/// A point light of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Omni {
    position: Vec3,
    color: Vec3,
    ambient: Vec3,
    falloff: Falloff,
}

impl Omni {
    fn attenuation(&self, distance: f32) -> f32 {
        let fade = 1.0 + self.falloff.linear * distance + self.falloff.quadratic * distance * distance;
        if fade > 1.0 { fade.recip() } else { 1.0 }
    }
}

/// All light of a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Illumination {
    pub(super) lights: Lights,
    omnis: Vec<Omni>,
}

impl Illumination {
    pub(super) fn new(lights: Lights) -> Self {
        Self { lights, omnis: Vec::new() }
    }

    /// Adds the lights of the model (Warcraft III).
    pub(super) fn add_model(&mut self, scene: &Scene, pose: &Pose, moment: &Moment, rules: &Rules) {
        for (index, light) in scene.lights.iter().enumerate() {
            if self.lights.directional.len() + self.omnis.len() >= MAX_LIGHTS {
                break;
            }
            let id = LightId::from(index);
            let value = |property| scene.value(Target::Light(id, property), moment);
            let scalar = |property, own: f32| match value(property) {
                Some(Value::Scalar(value)) => value,
                _ => own,
            };
            let vector = |property, own: Vec3| match value(property) {
                Some(Value::Vector(value)) => value,
                _ => own,
            };
            let shown = match value(LightProperty::Visibility) {
                Some(Value::Flag(flag)) => flag,
                Some(Value::Scalar(value)) => value > 0.0,
                _ => light.visible,
            };
            let node_shown = pose.visibility.get(light.node.index()).is_none_or(|shown| *shown > 0.0);
            if !shown || !node_shown {
                continue;
            }
            let color =
                vector(LightProperty::Color, light.color) * scalar(LightProperty::Intensity, light.intensity);
            let ambient = vector(LightProperty::AmbientColor, light.ambient_color)
                * scalar(LightProperty::AmbientIntensity, light.ambient_intensity);
            let world = pose.worlds.get(light.node.index()).copied().unwrap_or(Affine3A::IDENTITY);
            if !(color.is_finite() && ambient.is_finite() && world.is_finite()) {
                continue;
            }
            match light.kind {
                LightKind::Ambient => self.lights.ambient += ambient,
                LightKind::Directional => {
                    self.lights.ambient += ambient;
                    if let Some(towards) = Vec3::from(world.matrix3.z_axis).try_normalize() {
                        self.lights.directional.push((towards, color));
                    }
                }
                LightKind::Point | LightKind::Spot { .. } => self.omnis.push(Omni {
                    position: world.translation.into(),
                    color,
                    ambient: if rules.omni_ambient { ambient } else { Vec3::ZERO },
                    falloff: light.falloff,
                }),
            }
        }
    }

    /// The ambient and the direct light that fall on a vertex.
    pub(super) fn at(&self, position: Vec3, normal: Vec3) -> (Vec3, Vec3) {
        let mut ambient = self.lights.ambient;
        let mut direct = Vec3::ZERO;
        for (towards, color) in &self.lights.directional {
            direct += *color * normal.dot(*towards).max(0.0);
        }
        for omni in &self.omnis {
            let ray = omni.position - position;
            let distance = ray.length();
            let attenuation = omni.attenuation(distance);
            ambient += omni.ambient * attenuation;
            if distance > 0.0 {
                direct += omni.color * (normal.dot(ray / distance).max(0.0) * attenuation);
            }
        }
        (ambient, direct)
    }

    /// Blinn's highlight of the first light, which is the only one with a specular colour in W3D: `(N·H)^power` if the
    /// light reaches the surface.
    pub(super) fn highlight(&self, position: Vec3, normal: Vec3, eye: Vec3, power: f32) -> Vec3 {
        let Some((towards, color)) = self.lights.directional.first() else { return Vec3::ZERO };
        let half = (*towards + (eye - position).normalize_or_zero()).normalize_or_zero();
        if normal.dot(*towards) > 0.0 {
            *color * normal.dot(half).max(0.0).powf(power.max(0.0))
        } else {
            Vec3::ZERO
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{Light, Node, NodeId, Sampler, Transform};

    #[test]
    fn directional_light_falls_off_with_the_angle() {
        let rig =
            LightRig { ambient: Vec3::splat(0.25), directional: vec![(Vec3::Y * 9.0, Vec3::splat(0.5))] };
        let light = Illumination::new(rig.lights());
        let (ambient, direct) = light.at(Vec3::ZERO, Vec3::new(0.6, 0.8, 0.0));
        assert_eq!(ambient, Vec3::splat(0.25));
        assert!(direct.abs_diff_eq(Vec3::splat(0.4), 1e-6));
        assert_eq!(light.at(Vec3::ZERO, Vec3::NEG_Y).1, Vec3::ZERO);
    }

    #[test]
    fn lights_without_a_direction_are_dropped() {
        let rig = LightRig {
            ambient: Vec3::ZERO,
            directional: vec![(Vec3::ZERO, Vec3::ONE), (Vec3::NAN, Vec3::ONE)],
        };
        assert!(rig.lights().directional.is_empty());
    }

    #[test]
    fn every_rig_has_a_name() {
        assert!(LIGHT_RIGS.iter().all(|name| LightRig::named(name).is_some()));
        assert_eq!(LightRig::named("dark"), None);
    }

    fn lamp(kind: LightKind) -> Scene {
        let light = Light {
            color: Vec3::new(1.0, 0.5, 0.0),
            intensity: 2.0,
            ambient_color: Vec3::ONE,
            ambient_intensity: 0.5,
            ..Light::new(NodeId(0), kind)
        };
        let rest = Transform::from_translation(Vec3::new(0.0, 10.0, 0.0));
        Scene { nodes: vec![Node { rest, ..Node::default() }], lights: vec![light], ..Scene::default() }
    }

    fn illuminated(scene: &Scene, rules: &Rules) -> Illumination {
        let moment = Moment::default();
        let pose = Sampler::new(scene).pose(&moment);
        let mut light = Illumination::default();
        light.add_model(scene, &pose, &moment, rules);
        light
    }

    #[test]
    fn omni_lights_fade_with_the_square_of_the_distance() {
        // 1 / (1 + 0.0005 · 10²) = 1 / 1.05; the light is straight above.
        let scene = lamp(LightKind::Point);
        let (ambient, direct) = illuminated(&scene, &Rules::default()).at(Vec3::ZERO, Vec3::Y);
        assert!(direct.abs_diff_eq(Vec3::new(2.0, 1.0, 0.0) / 1.05, 1e-5), "{direct}");
        assert!(ambient.abs_diff_eq(Vec3::splat(0.5 / 1.05), 1e-5), "{ambient}");
        let rules = Rules { omni_ambient: false, ..Rules::default() };
        assert_eq!(illuminated(&scene, &rules).at(Vec3::ZERO, Vec3::Y).0, Vec3::ZERO);
    }

    #[test]
    fn hidden_lights_do_not_shine() {
        let mut scene = lamp(LightKind::Directional);
        assert_eq!(illuminated(&scene, &Rules::default()).lights.directional.len(), 1);
        scene.lights[0].visible = false;
        assert_eq!(illuminated(&scene, &Rules::default()), Illumination::default());
    }

    #[test]
    fn highlights_are_brightest_halfway_between_light_and_eye() {
        let rig = LightRig { ambient: Vec3::ZERO, directional: vec![(Vec3::Y, Vec3::ONE)] };
        let light = Illumination::new(rig.lights());
        let eye = Vec3::new(0.0, 100.0, 0.0);
        assert!(light.highlight(Vec3::ZERO, Vec3::Y, eye, 10.0).abs_diff_eq(Vec3::ONE, 1e-6));
        // N·H = 0.8 with light and eye both above.
        let tilted = light.highlight(Vec3::ZERO, Vec3::new(0.6, 0.8, 0.0), eye, 2.0);
        assert!(tilted.abs_diff_eq(Vec3::splat(0.64), 1e-5));
        assert_eq!(light.highlight(Vec3::ZERO, Vec3::NEG_Y, eye, 2.0), Vec3::ZERO);
    }
}
