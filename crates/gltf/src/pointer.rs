//! Materials and lights that change, through `KHR_animation_pointer`.

use crate::{
    Exporter, Visibility,
    animation::{Animation, Source, pointer_target, seeds},
    buffers::Element,
    changes::{Sources, Subject, is_shift},
    curve::{self, Keys, Mode, Span},
    material::{Instance, Place},
    node::brightness,
    resample::{Between, resample},
};
use glam::{Vec2, Vec3, Vec4};
use scene::{
    CameraProperty, Curve, LayerProperty, LightProperty, MeshProperty, NodeProperty, Target, UvTransform,
    Value,
};

impl Exporter<'_> {
    /// Writes what glTF can say of these channels, and tells for each whether it, or something else before, said it.
    pub(crate) fn write_pointers(&mut self, animation: &mut Animation, sources: &Sources<'_>) -> Vec<bool> {
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
        self.write_lights_motion(animation, sources.all, &mut said);
        let is_shift = |target: Target| matches!(target, Target::Layer(_, _, property) if is_shift(property));
        if !sources.any(|target| is_tint(target) || is_shift(target)) {
            return said;
        }
        let instances = std::mem::take(&mut self.materials.instances);
        for instance in &instances {
            let mut of = |mesh: Option<Subject>, wanted: &dyn Fn(Target) -> bool| -> Vec<&Source<'_>> {
                let found = sources.about(mesh.into_iter().chain([instance.layer()]), wanted);
                found.iter().for_each(|&at| said[at] = true);
                found.into_iter().map(|at| &sources.all[at]).collect()
            };
            let tints = of(instance.mesh.map(|mesh| Subject::Mesh(mesh.0)), &is_tint);
            let shifts = match &instance.texture {
                Some(_) => of(None, &is_shift),
                None => Vec::new(),
            };
            if !tints.is_empty() {
                self.write_tint(animation, instance, &tints);
            }
            if !shifts.is_empty() {
                self.write_shift(animation, instance, &shifts);
            }
        }
        self.materials.instances = instances;
        said
    }

    fn write_tint(&mut self, animation: &mut Animation, instance: &Instance, sources: &[&Source<'_>]) {
        self.uses("KHR_animation_pointer");
        // To make it linear is most of the work, and mostly it stays as it is.
        let fixed = !sources.iter().any(|source| changes_color(source.channel.target));
        let fixed = fixed.then(|| instance.tint.factor().truncate());
        let exact = match (sources, fixed) {
            (&[source], Some(color)) => opacity_keys(source, &instance.tint, color, animation.duration),
            _ => None,
        };
        let keys = exact.unwrap_or_else(|| {
            let at = |time: f32| {
                let tint = instance.tint.at(sources, time);
                match fixed {
                    Some(color) => color.extend(tint.opacity_factor()),
                    None => tint.factor(),
                }
            };
            let (seeds, tolerance) = (seeds(sources, animation.duration), self.options.tolerance.position);
            curve::fitted(seeds, tolerance, &mut self.report.repaired_numbers, at)
        });
        let target = pointer_target("materials", instance.place, "pbrMetallicRoughness/baseColorFactor");
        animation.push(&mut self.buffers, Element::F32x4, keys, Vec4::ZERO, target);
    }

    fn write_shift(&mut self, animation: &mut Animation, instance: &Instance, sources: &[&Source<'_>]) {
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
        let (times, _) = resample(seeds, Between::Any, &self.options.tolerance, self.size, &mut { at });
        let places: Vec<Place> = times.iter().map(|&time| place_at(time)).collect();
        self.write_places(animation, instance, Mode::Linear, &times, &places);
    }

    /// Moves the base texture, and what shines with it.
    pub(crate) fn write_places(
        &mut self,
        animation: &mut Animation,
        instance: &Instance,
        mode: Mode,
        times: &[f32],
        places: &[Place],
    ) {
        self.uses("KHR_animation_pointer");
        let first = instance.texture.and_then(|matrix| Place::of(&matrix)).unwrap_or_default();
        let textures = ["pbrMetallicRoughness/baseColorTexture", "emissiveTexture"];
        for texture in &textures[..1 + usize::from(instance.shines)] {
            let of = |name: &str| format!("{texture}/extensions/KHR_texture_transform/{name}");
            let mut push = |name: &str, values: Vec<Vec2>| {
                let keys = Keys::new(mode, times.to_vec(), values, true);
                let of = of(name);
                let target = pointer_target("materials", instance.place, &of);
                animation.push(&mut self.buffers, Element::F32x2, keys, Vec2::ZERO, target);
            };
            push("offset", places.iter().map(|place| place.offset).collect());
            if places.iter().any(|place| place.scale != first.scale) {
                push("scale", places.iter().map(|place| place.scale).collect());
            }
            if places.iter().any(|place| place.rotation != first.rotation) {
                let mut previous = 0.0_f32;
                let nearest = |place: &Place| {
                    // Of the angles that are the same turn.
                    let turn = std::f32::consts::TAU;
                    previous = place.rotation + ((previous - place.rotation) / turn).round() * turn;
                    previous
                };
                let values: Vec<f32> = places.iter().map(nearest).collect();
                let keys = Keys::new(mode, times.to_vec(), values, true);
                let of = of("rotation");
                let target = pointer_target("materials", instance.place, &of);
                animation.push(&mut self.buffers, Element::F32, keys, 0.0, target);
            }
        }
    }

    /// Lights that change, and for each channel whether it is said.
    fn write_lights_motion(&mut self, animation: &mut Animation, sources: &[Source<'_>], said: &mut [bool]) {
        for (index, light) in self.scene.lights.iter().enumerate() {
            let Some(&Some(place)) = self.nodes.lights.get(index) else { continue };
            let mut found = Vec::new();
            for (source, said) in sources.iter().zip(&mut *said) {
                use LightProperty::{Color, Intensity, Visibility};
                if let Target::Light(id, Color | Intensity | Visibility) = source.channel.target
                    && id.index() == index
                {
                    *said = true;
                    found.push(source);
                }
            }
            if found.is_empty() {
                continue;
            }
            self.uses("KHR_animation_pointer");
            let at = |time: f32| {
                let mut light = light.clone();
                for source in &found {
                    match (source.channel.target, source.sample(time)) {
                        (Target::Light(_, LightProperty::Color), Some(Value::Vector(value))) => {
                            light.color = value;
                        }
                        (Target::Light(_, LightProperty::Intensity), Some(Value::Scalar(value))) => {
                            light.intensity = value;
                        }
                        (Target::Light(_, LightProperty::Visibility), Some(Value::Flag(value))) => {
                            light.visible = value;
                        }
                        _ => {}
                    }
                }
                let (color, intensity) = brightness(&light);
                color.extend(intensity)
            };
            const LIGHTS: &str = "extensions/KHR_lights_punctual/lights";
            let (seeds, tolerance) = (seeds(&found, animation.duration), self.options.tolerance.position);
            let Keys { mode, times, values, .. } =
                curve::fitted(seeds, tolerance, &mut self.report.repaired_numbers, at);
            let colors: Vec<Vec3> = values.iter().map(|value| value.truncate()).collect();
            let keys = Keys::new(mode, times.clone(), colors, true);
            let target = pointer_target(LIGHTS, place, "color");
            animation.push(&mut self.buffers, Element::F32x3, keys, Vec3::ZERO, target);
            let intensities: Vec<f32> = values.iter().map(|value| value.w).collect();
            let keys = Keys::new(mode, times, intensities, true);
            let target = pointer_target(LIGHTS, place, "intensity");
            animation.push(&mut self.buffers, Element::F32, keys, 0.0, target);
        }
    }
}

/// An opacity that changes alone, by steps or lines, is as exact in glTF: keys of the colour with it.
fn opacity_keys(source: &Source<'_>, tint: &Tint, color: Vec3, duration: f32) -> Option<Keys<'static, Vec4>> {
    let Curve::Scalar(track) = &source.channel.curve else { return None };
    let (rest, factor) = match source.channel.target {
        Target::Mesh(_, MeshProperty::Alpha) => (tint.mesh_alpha, tint.alpha * tint.opacity),
        _ => (tint.alpha, tint.opacity * tint.mesh_alpha),
    };
    let span = Span { duration, period: source.period };
    // What has to be mended or cut off is not as exact.
    let in_range = |value: f32| (0.0..=1.0).contains(&(value * factor));
    if !track.values.iter().chain([&rest]).all(|&value| in_range(value)) {
        return None;
    }
    let keys = curve::keys(track, rest, span, 0.0, &mut 0).filter(|keys| keys.mode != Mode::Cubic)?;
    let values: Vec<Vec4> = keys.values.iter().map(|opacity| color.extend(opacity * factor)).collect();
    Some(Keys::new(keys.mode, keys.times.into_owned(), values, false))
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
pub(crate) struct Tint {
    pub(crate) color: Vec3,
    pub(crate) alpha: f32,
    /// Of the lighting colours, which do not change.
    pub(crate) diffuse: Vec3,
    pub(crate) opacity: f32,
    pub(crate) mesh_color: Vec3,
    pub(crate) mesh_alpha: f32,
}

impl Tint {
    /// As glTF's base colour factor: linear, 0 to 1.
    pub(crate) fn factor(&self) -> Vec4 {
        let color = crate::linear(self.color * self.diffuse * self.mesh_color);
        color.clamp(Vec3::ZERO, Vec3::ONE).extend(self.opacity_factor())
    }

    /// What it is at a time.
    fn at(mut self, sources: &[&Source<'_>], time: f32) -> Self {
        for source in sources {
            let Some(value) = source.sample(time) else { continue };
            match (source.channel.target, value) {
                (Target::Mesh(_, MeshProperty::Alpha), Value::Scalar(value)) => self.mesh_alpha = value,
                (Target::Mesh(_, MeshProperty::Color), Value::Vector(value)) => self.mesh_color = value,
                (Target::Layer(_, _, LayerProperty::Alpha), Value::Scalar(value)) => self.alpha = value,
                (Target::Layer(_, _, LayerProperty::Color), Value::Vector(value)) => self.color = value,
                _ => {}
            }
        }
        self
    }

    /// The last part of it.
    fn opacity_factor(&self) -> f32 {
        let alpha = self.alpha * self.opacity * self.mesh_alpha;
        if alpha.is_finite() { alpha.clamp(0.0, 1.0) } else { 1.0 }
    }
}
