//! `KHR_animation_pointer`: materials, texture coordinates and lights that change.

use super::clips::Inputs;
use super::color::game_color;
use super::motion::{Keys, Values};
use super::tracks;
use glam::{Vec2, Vec3, Vec4};
use scene::{Channel, Curve, LayerProperty, LightProperty, MaterialId, Target, Track};

/// On and off.
pub(crate) fn flags(keys: &Keys) -> Vec<bool> {
    match &keys.values {
        Values::Scalars(values) => keys.at_keys(values).map(|value| value > 0.5).collect(),
        _ => vec![true; keys.times.len()],
    }
}

/// The channels for a pointer, if the scene has what it points at.
pub(crate) fn channels(inputs: &Inputs<'_, '_>, pointer: &str, keys: &Keys) -> Option<Vec<Channel>> {
    let (list, rest) = pointer.strip_prefix('/')?.split_once('/')?;
    match list {
        "materials" => {
            let (index, path) = rest.split_once('/')?;
            material(inputs, index.parse().ok()?, path, keys)
        }
        "extensions" => {
            let (index, path) = rest.strip_prefix("KHR_lights_punctual/lights/")?.split_once('/')?;
            let index: usize = index.parse().ok()?;
            let id = (*inputs.objects.light_places.get(index)?)?;
            let (property, curve) = match path {
                "color" => {
                    (LightProperty::Color, Curve::Vector(tracks::vectors(keys, game_color, game_color)?))
                }
                "intensity" => (LightProperty::Intensity, Curve::Scalar(tracks::scalars(keys)?)),
                _ => return None,
            };
            Some(vec![Channel { target: Target::Light(id, property), curve }])
        }
        _ => None,
    }
}

fn material(inputs: &Inputs<'_, '_>, index: usize, path: &str, keys: &Keys) -> Option<Vec<Channel>> {
    let id: MaterialId = *inputs.materials.places.get(index)?;
    let layer = *inputs.materials.layers.get(index)?;
    let target = |property: LayerProperty| Target::Layer(id, layer, property);
    match path {
        "pbrMetallicRoughness/baseColorFactor" => {
            let Values::Quads(values) = &keys.values else { return None };
            // Tangents of colours do not survive the change of their scale: straight lines between the keys.
            let mode = match keys.mode {
                scene::Interpolation::Step => scene::Interpolation::Step,
                _ => scene::Interpolation::Linear,
            };
            let at_keys: Vec<(f32, Vec4)> = keys.times.iter().copied().zip(keys.at_keys(values)).collect();
            let colors = at_keys.iter().map(|(time, value)| (*time, game_color(value.truncate())));
            let alphas = at_keys.iter().map(|(time, value)| (*time, value.w));
            let mut channels = Vec::new();
            if at_keys.windows(2).any(|pair| pair[0].1.truncate() != pair[1].1.truncate()) {
                channels.push(Channel {
                    target: target(LayerProperty::Color),
                    curve: Curve::Vector(Track::new(mode, colors)),
                });
            }
            channels.push(Channel {
                target: target(LayerProperty::Alpha),
                curve: Curve::Scalar(Track::new(mode, alphas)),
            });
            Some(channels)
        }
        "pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset" => {
            let Values::Pairs(values) = &keys.values else { return None };
            let json = inputs.accessors.document().materials.get(index)?;
            let reference = json.pbr_metallic_roughness.base_color_texture.as_ref();
            let first = reference.and_then(|reference| reference.extensions.transform);
            let first = first.map_or(Vec2::ZERO, |transform| Vec2::from(transform.offset));
            let moved = |value: Vec2| (value - first).extend(0.0);
            let pairs: Vec<Vec2> = values.iter().map(|value| Vec2::from(*value)).collect();
            let track: Track<Vec3> = tracks::track(keys, &pairs, moved, |tangent: Vec2| tangent.extend(0.0));
            let target = target(LayerProperty::UvTranslation);
            Some(vec![Channel { target, curve: Curve::Vector(track) }])
        }
        "emissiveTexture/extensions/KHR_texture_transform/offset" => Some(Vec::new()),
        _ => None,
    }
}

/// A pointer without its numbers, so that equal losses are told once.
pub(crate) fn general(pointer: &str) -> String {
    let parts = pointer.split('/').map(|part| match part.parse::<u32>() {
        Ok(_) => "*",
        Err(_) => part,
    });
    parts.collect::<Vec<_>>().join("/")
}
