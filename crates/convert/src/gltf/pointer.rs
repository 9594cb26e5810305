//! Materials that change, through `KHR_animation_pointer`.

use super::{
    Exporter, Visibility,
    animation::{Animation, Source, pointer_target, seeds},
    buffers::Element,
    changes::{Sources, Subject, is_shift},
    curve::{Keys, Mode},
    material::{Instance, Place},
    resample::{Between, resample},
};
use glam::{Vec2, Vec3, Vec4};
use scene::{CameraProperty, Curve, LayerProperty, MeshProperty, NodeProperty, Target, UvTransform, Value};

impl Exporter<'_> {
    /// Writes what glTF can say of these channels, and tells for each whether it, or something else before, said it.
    pub(super) fn write_pointers(&mut self, animation: &mut Animation, sources: &Sources<'_>) -> Vec<bool> {
        let shows = self.options.visibility != Visibility::Off;
        let mut said: Vec<bool> = sources
            .all
            .iter()
            .map(|source| match (source.channel.target, &source.channel.curve) {
                // A degree of it is more than a scale or a flag can say.
                (Target::Node(_, NodeProperty::Visibility), Curve::Flag(_)) => shows,
                (Target::Mesh(_, MeshProperty::Visibility), Curve::Flag(_)) => shows,
                (Target::Camera(_, property), _) => {
                    use CameraProperty::{Roll, TargetTranslation, Translation};
                    matches!(property, Translation | TargetTranslation | Roll)
                }
                _ => false,
            })
            .collect();
        if !self.options.material_animation {
            return said;
        }
        for instance in self.materials.instances.clone() {
            let mut of = |mesh: Option<Subject>, wanted: &dyn Fn(Target) -> bool| -> Vec<&Source<'_>> {
                let found = sources.about(mesh.into_iter().chain([instance.layer()]), wanted);
                found.iter().for_each(|&at| said[at] = true);
                found.into_iter().map(|at| &sources.all[at]).collect()
            };
            let tints = of(instance.mesh.map(|mesh| Subject::Mesh(mesh.0)), &is_tint);
            let shifts = match &instance.texture {
                Some(_) => {
                    of(None, &|target| matches!(target, Target::Layer(_, _, property) if is_shift(property)))
                }
                None => Vec::new(),
            };
            if !tints.is_empty() {
                self.write_tint(animation, &instance, &tints);
            }
            if !shifts.is_empty() {
                self.write_shift(animation, &instance, &shifts);
            }
        }
        said
    }

    fn write_tint(&mut self, animation: &mut Animation, instance: &Instance, sources: &[&Source<'_>]) {
        self.uses("KHR_animation_pointer");
        // To make it linear is most of the work, and mostly it stays as it is.
        let fixed = !sources.iter().any(|source| changes_color(source.channel.target));
        let fixed = fixed.then(|| instance.tint.factor().truncate());
        let mut at = |time: f32| {
            let mut tint = instance.tint;
            for source in sources {
                let Some(value) = source.sample(time) else { continue };
                match (source.channel.target, value) {
                    (Target::Mesh(_, MeshProperty::Alpha), Value::Scalar(value)) => tint.mesh_alpha = value,
                    (Target::Mesh(_, MeshProperty::Color), Value::Vector(value)) => tint.mesh_color = value,
                    (Target::Layer(_, _, LayerProperty::Alpha), Value::Scalar(value)) => tint.alpha = value,
                    (Target::Layer(_, _, LayerProperty::Color), Value::Vector(value)) => tint.color = value,
                    _ => {}
                }
            }
            match fixed {
                Some(color) => color.extend(tint.opacity_factor()),
                None => tint.factor(),
            }
        };
        let (times, values) = resample(
            seeds(sources, animation.duration),
            Between::Any,
            &self.options.tolerance,
            self.size,
            &mut at,
        );
        let mut keys = Keys { mode: Mode::Linear, times, values, resampled: true };
        let pointer = format!("/materials/{}/pbrMetallicRoughness/baseColorFactor", instance.place);
        animation.push(&mut self.buffers, Element::F32x4, &mut keys, Vec4::ZERO, pointer_target(&pointer));
    }

    fn write_shift(&mut self, animation: &mut Animation, instance: &Instance, sources: &[&Source<'_>]) {
        self.uses("KHR_animation_pointer");
        let Some(texture) = &instance.texture else { return };
        let place_at = |time: f32| {
            let mut shift = UvTransform::default();
            for source in sources {
                let Some(value) = source.sample(time) else { continue };
                match (source.channel.target, value) {
                    (Target::Layer(_, _, LayerProperty::UvTranslation), Value::Vector(value)) => {
                        shift.translation = value.truncate();
                    }
                    (Target::Layer(_, _, LayerProperty::UvScale), Value::Vector(value)) => {
                        shift.scale = value.truncate();
                    }
                    (Target::Layer(_, _, LayerProperty::UvRotation), Value::Rotation(value)) => {
                        shift.rotation = value;
                    }
                    _ => {}
                }
            }
            Place::of(&(*texture * shift.matrix())).unwrap_or_default()
        };
        let at = |time: f32| {
            let place = place_at(time);
            place.offset.extend(place.scale.x).extend(place.scale.y)
        };
        let seeds = seeds(sources, animation.duration);
        let (times, values) = resample(seeds, Between::Any, &self.options.tolerance, self.size, &mut { at });
        let base = format!(
            "/materials/{}/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform",
            instance.place
        );
        let mut push = |name: &str, element: Element, part: &dyn Fn(&Vec4) -> Vec2| {
            let values: Vec<Vec2> = values.iter().map(part).collect();
            let mut keys = Keys { mode: Mode::Linear, times: times.clone(), values, resampled: true };
            let pointer = format!("{base}/{name}");
            animation.push(&mut self.buffers, element, &mut keys, Vec2::ZERO, pointer_target(&pointer));
        };
        push("offset", Element::F32x2, &|value| Vec2::new(value.x, value.y));
        let turns = |target: Target| matches!(target, Target::Layer(_, _, LayerProperty::UvRotation));
        let scales = |target: Target| matches!(target, Target::Layer(_, _, LayerProperty::UvScale));
        if sources.iter().any(|source| scales(source.channel.target) || turns(source.channel.target)) {
            push("scale", Element::F32x2, &|value| Vec2::new(value.z, value.w));
        }
        if sources.iter().any(|source| turns(source.channel.target)) {
            let mut previous = 0.0_f32;
            let values: Vec<f32> = times
                .iter()
                .map(|&time| {
                    // The nearest of the angles that are the same turn.
                    let turn = std::f32::consts::TAU;
                    let angle = place_at(time).rotation;
                    previous = angle + ((previous - angle) / turn).round() * turn;
                    previous
                })
                .collect();
            let mut keys = Keys { mode: Mode::Linear, times, values, resampled: true };
            let pointer = format!("{base}/rotation");
            animation.push(&mut self.buffers, Element::F32, &mut keys, 0.0, pointer_target(&pointer));
        }
    }
}

/// Whether it is the colour that changes.
fn is_tint(target: Target) -> bool {
    matches!(
        target,
        Target::Layer(_, _, LayerProperty::Alpha | LayerProperty::Color)
            | Target::Mesh(_, MeshProperty::Alpha | MeshProperty::Color)
    )
}

fn changes_color(target: Target) -> bool {
    matches!(target, Target::Layer(_, _, LayerProperty::Color) | Target::Mesh(_, MeshProperty::Color))
}

/// The colour of a material before anything changes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tint {
    pub(super) color: Vec3,
    pub(super) alpha: f32,
    /// Of the lighting colours, which do not change.
    pub(super) diffuse: Vec3,
    pub(super) opacity: f32,
    pub(super) mesh_color: Vec3,
    pub(super) mesh_alpha: f32,
}

impl Tint {
    /// As glTF's base colour factor: linear, 0 to 1.
    pub(super) fn factor(&self) -> Vec4 {
        let color = super::linear(self.color * self.diffuse * self.mesh_color);
        color.clamp(Vec3::ZERO, Vec3::ONE).extend(self.opacity_factor())
    }

    /// The last part of it.
    fn opacity_factor(&self) -> f32 {
        let alpha = self.alpha * self.opacity * self.mesh_alpha;
        if alpha.is_finite() { alpha.clamp(0.0, 1.0) } else { 1.0 }
    }
}
