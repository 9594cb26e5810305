//! Materials, texture coordinates and lights that change, through `KHR_animation_pointer`.

use crate::animations::{Animation, Channel, ChannelTarget, Inputs, Values};
use crate::channels::{Expressed, Player, Source, Subject, is_shift, is_tint, seeds};
use crate::mapper::Round;
use crate::materials::{Instance, base_factor};
use crate::objects::brightness;
use crate::options::Report;
use crate::placement::{deciding, visibility_keys};
use crate::texture_transform::Place;
use glam::{Vec2, Vec3, Vec4};
use scene::fit::{Keys, Mode, Steadiness, fitted, resample};
use scene::{LayerProperty, LightProperty, MeshProperty, Target, UvTransform, Value};
use std::f32::consts::TAU;

/// Samples that a stretch between two keys takes, on average over noise.
const SAMPLES: usize = 8;

/// The channels of one animation.
pub(crate) fn channels<'a>(
    inputs: &Inputs<'_, 'a>,
    player: Player,
    duration: f32,
    expressed: &mut Expressed,
    report: &mut Report,
    channels: &mut Vec<Channel<'a>>,
) {
    let mut express = |sources: &[Source<'_>]| {
        sources.iter().for_each(|source| expressed.add(source));
    };
    for instance in &inputs.materials.instances {
        if inputs.context.budget.is_spent() {
            return;
        }
        let layer = instance.tint.layer.map(|layer| Subject::Layer(instance.material.0, layer as u32));
        let mesh = instance.mesh.map(|mesh| Subject::Mesh(mesh.0));
        let subjects: Vec<Subject> = mesh.into_iter().chain(layer).collect();
        let tints = inputs.context.playing(player, &subjects, is_tint);
        express(&tints);
        let shown = instance.mesh.filter(|_| instance.is_invisible).and_then(|id| {
            let mesh = &inputs.context.scene.meshes[id.index()];
            visibility_keys(inputs.context, mesh, &deciding(inputs.context, id), player)
        });
        if !tints.is_empty() || shown.is_some() {
            let channel = tint(inputs, instance, &tints, shown.as_ref(), duration, report);
            inputs.context.budget.channel(channel.values.len());
            channels.push(channel);
        }
        if instance.texture.is_some() {
            let layer = [Subject::Layer(instance.material.0, instance.layer)];
            let shifts = inputs.context.playing(player, &layer, is_shift);
            if !shifts.is_empty() {
                express(&shifts);
                shift(inputs, instance, &shifts, duration, channels);
            }
        }
    }
    lights(inputs, player, duration, &mut express, report, channels);
}

/// The base colour factor over time.
fn tint(
    inputs: &Inputs<'_, '_>,
    instance: &Instance,
    sources: &[Source<'_>],
    shown: Option<&Keys<'static, bool>>,
    duration: f32,
    report: &mut Report,
) -> Channel<'static> {
    let scene = inputs.context.scene;
    let mesh = instance.mesh.and_then(|mesh| scene.meshes.get(mesh.index()));
    let layers = scene.materials.get(instance.material.index()).map_or(&[][..], |material| &material.layers);
    let layer = instance.tint.layer.and_then(|layer| layers.get(layer));
    let at = |time: f32| {
        let mut of_mesh = mesh.map_or((Vec3::ONE, 1.0), |mesh| (mesh.color, mesh.alpha));
        let mut of_layer = layer.map_or((Vec3::ONE, 1.0), |layer| (layer.color, layer.alpha));
        for source in sources {
            match (source.channel.target, source.sample(time)) {
                (Target::Mesh(_, MeshProperty::Alpha), Some(Value::Scalar(value))) => of_mesh.1 = value,
                (Target::Mesh(_, MeshProperty::Color), Some(Value::Vector(value))) => of_mesh.0 = value,
                (Target::Layer(_, _, LayerProperty::Alpha), Some(Value::Scalar(value))) => of_layer.1 = value,
                (Target::Layer(_, _, LayerProperty::Color), Some(Value::Vector(value))) => of_layer.0 = value,
                _ => {}
            }
        }
        let mut factor = base_factor(instance.tint.factor(of_layer, of_mesh));
        if let Some(shown) = shown {
            let key = shown.times.partition_point(|&key| key <= time).saturating_sub(1);
            factor.w *= f32::from(shown.values[key]);
        }
        factor
    };
    let mut seeds = seeds(sources, duration);
    for &time in shown.iter().flat_map(|shown| shown.times.iter()).filter(|time| **time > 0.0) {
        seeds.extend([time.next_down(), time]);
    }
    let tolerance = inputs.context.options.tolerance.position;
    if !inputs.context.budget.samples(SAMPLES * seeds.len() * (1 + sources.len())) {
        seeds.clear();
    }
    let keys = fitted(seeds, tolerance, &mut report.repaired_numbers, at);
    let target = format!("/materials/{}/pbrMetallicRoughness/baseColorFactor", instance.place);
    Channel { target: ChannelTarget::Pointer(target), values: Values::Colors(keys) }
}

/// The place of the base texture over time.
fn shift(
    inputs: &Inputs<'_, '_>,
    instance: &Instance,
    sources: &[Source<'_>],
    duration: f32,
    channels: &mut Vec<Channel<'_>>,
) {
    let Some(texture) = instance.texture else { return };
    let place_at = |time: f32| {
        let mut shift = UvTransform::default();
        for source in sources {
            use LayerProperty::{UvRotation, UvScale, UvTranslation};
            let Target::Layer(_, _, property) = source.channel.target else { continue };
            match (property, source.sample(time)) {
                (UvTranslation, Some(Value::Vector(value))) => shift.translation = value.truncate(),
                (UvScale, Some(Value::Vector(value))) => shift.scale = value.truncate(),
                (UvRotation, Some(Value::Rotation(value))) => shift.rotation = value,
                _ => {}
            }
        }
        Place::of(&(texture * shift.matrix())).unwrap_or_default()
    };
    let mut at = |time: f32| -> Vec4 {
        let place = place_at(time);
        place.offset.extend(place.scale.x).extend(place.scale.y)
    };
    let tolerance = &inputs.context.options.tolerance;
    let (times, _) = inputs.context.budget.sampling(sources.len(), |left| {
        resample(seeds(sources, duration), Steadiness::Any, tolerance, inputs.meshes.size, left, &mut at)
    });
    if !inputs.context.budget.channel(6 * times.len()) {
        return;
    }
    let places: Vec<Place> = times.iter().map(|&time| place_at(time)).collect();
    push_places(instance, Mode::Linear, &times, &places, channels);
}

/// Moves the base texture, and the emissive one if it moves alike.
fn push_places(
    instance: &Instance,
    mode: Mode,
    times: &[f32],
    places: &[Place],
    channels: &mut Vec<Channel<'_>>,
) {
    let first = instance.texture.and_then(|matrix| Place::of(&matrix)).unwrap_or_default();
    let textures = ["pbrMetallicRoughness/baseColorTexture", "emissiveTexture"];
    for texture in &textures[..1 + usize::from(instance.shines)] {
        let mut push = |name: &str, values: Values<'static>| {
            let place = instance.place;
            let pointer = format!("/materials/{place}/{texture}/extensions/KHR_texture_transform/{name}");
            channels.push(Channel { target: ChannelTarget::Pointer(pointer), values });
        };
        let pairs = |of: fn(&Place) -> Vec2| {
            let values: Vec<Vec2> = places.iter().map(of).collect();
            Values::Pairs(Keys::new(mode, times.to_vec(), values))
        };
        push("offset", pairs(|place| place.offset));
        if places.iter().any(|place| place.scale != first.scale) {
            push("scale", pairs(|place| place.scale));
        }
        if places.iter().any(|place| place.rotation != first.rotation) {
            let mut previous = 0.0_f32;
            let values: Vec<f32> = places
                .iter()
                .map(|place| {
                    // Of the angles that are the same turn the nearest.
                    previous = place.rotation + ((previous - place.rotation) / TAU).round() * TAU;
                    previous
                })
                .collect();
            push("rotation", Values::Numbers(Keys::new(mode, times.to_vec(), values)));
        }
    }
}

fn lights(
    inputs: &Inputs<'_, '_>,
    player: Player,
    duration: f32,
    express: &mut impl FnMut(&[Source<'_>]),
    report: &mut Report,
    channels: &mut Vec<Channel<'_>>,
) {
    use LightProperty::{Color, Intensity, Visibility};
    for (index, light) in inputs.context.scene.lights.iter().enumerate() {
        let Some(place) = inputs.lights.places[index] else { continue };
        let wanted = |target: Target| matches!(target, Target::Light(_, Color | Intensity | Visibility));
        if inputs.context.budget.is_spent() {
            return;
        }
        let found = inputs.context.playing(player, &[Subject::Light(index as u32)], wanted);
        if found.is_empty() {
            continue;
        }
        express(&found);
        let at = |time: f32| {
            let mut light = light.clone();
            for source in &found {
                match (source.channel.target, source.sample(time)) {
                    (Target::Light(_, Color), Some(Value::Vector(value))) => light.color = value,
                    (Target::Light(_, Intensity), Some(Value::Scalar(value))) => light.intensity = value,
                    (Target::Light(_, Visibility), Some(Value::Flag(value))) => light.visible = value,
                    _ => {}
                }
            }
            let (color, intensity) = brightness(&light);
            color.extend(intensity)
        };
        let tolerance = inputs.context.options.tolerance.position;
        let seeds = seeds(&found, duration);
        if !inputs.context.budget.samples(SAMPLES * seeds.len() * found.len()) {
            return;
        }
        let keys = fitted(seeds, tolerance, &mut report.repaired_numbers, at);
        inputs.context.budget.channel(2 * keys.times.len());
        let colors: Vec<Vec3> = keys.values.iter().map(|value| value.truncate()).collect();
        let intensities: Vec<f32> = keys.values.iter().map(|value| value.w).collect();
        let mut push = |name: &str, values: Values<'static>| {
            let pointer = format!("/extensions/KHR_lights_punctual/lights/{place}/{name}");
            channels.push(Channel { target: ChannelTarget::Pointer(pointer), values });
        };
        push("color", Values::Vectors(Keys::new(keys.mode, keys.times.to_vec(), colors)));
        push("intensity", Values::Numbers(Keys::new(keys.mode, keys.times.to_vec(), intensities)));
    }
}

/// Texture mappers that move: an animation for each length of round.
pub(crate) fn mappers(inputs: &Inputs<'_, '_>) -> Vec<Animation<'static>> {
    let mut animations: Vec<Animation<'static>> = Vec::new();
    for instance in &inputs.materials.instances {
        let Some(round) = instance.texture.and(Round::of(&instance.mapper)) else { continue };
        let known = animations.iter().position(|animation| animation.duration == round.duration);
        let at = known.unwrap_or_else(|| {
            let (name, duration) = (format!("mapper {}", animations.len()), round.duration);
            animations.push(Animation { name, player: None, duration, channels: Vec::new() });
            animations.len() - 1
        });
        push_places(instance, round.mode, &round.times, &round.places, &mut animations[at].channels);
    }
    animations
}
