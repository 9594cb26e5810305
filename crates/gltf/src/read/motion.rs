//! Animations as they are in the file: keys and what they move.

use super::accessors::Accessors;
use super::error::{NoteKind, Notes, Pointer, ReadError};
use super::json::{Animation, Channel, Sampler};
use glam::{Quat, Vec3, Vec4};
use scene::{Interpolation, Limits};

/// An animation.
pub(crate) struct Motion {
    pub(crate) channels: Vec<Moved>,
    /// The time of the last key.
    pub(crate) end: f32,
}

/// Keys and what they move.
pub(crate) struct Moved {
    pub(crate) target: MovedTarget,
    pub(crate) keys: Keys,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MovedTarget {
    Node(u32, NodePath),
    Pointer(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodePath {
    Translation,
    Rotation,
    Scale,
}

/// Times and values. With cubics there are three values for each time: the incoming tangent, the value, the outgoing tangent, both for
/// a second.
pub(crate) struct Keys {
    pub(crate) mode: Interpolation,
    pub(crate) times: Vec<f32>,
    pub(crate) values: Values,
}

pub(crate) enum Values {
    Scalars(Vec<f32>),
    Pairs(Vec<[f32; 2]>),
    Vectors(Vec<Vec3>),
    Quads(Vec<Vec4>),
}

impl Keys {
    /// The values at the keys, without tangents.
    pub(crate) fn at_keys<'k, T: Copy>(&self, values: &'k [T]) -> impl Iterator<Item = T> + Clone + 'k {
        let (first, step) = if self.mode == Interpolation::Hermite { (1, 3) } else { (0, 1) };
        values.iter().skip(first).step_by(step).copied()
    }

    /// Whether all vectors are within a distance of one.
    pub(crate) fn stays_at(&self, place: Vec3, tolerance: f32) -> bool {
        match &self.values {
            Values::Vectors(values) => {
                let is_flat = self.mode != Interpolation::Hermite || tangents_are_zero(values);
                is_flat && self.at_keys(values).all(|value| value.abs_diff_eq(place, tolerance))
            }
            _ => false,
        }
    }

    /// Whether all rotations are the same as one.
    pub(crate) fn stays_turned(&self, rotation: Quat, tolerance: f32) -> bool {
        match &self.values {
            Values::Quads(values) => {
                let is_flat = self.mode != Interpolation::Hermite
                    || values.chunks_exact(3).all(|key| key[0] == Vec4::ZERO && key[2] == Vec4::ZERO);
                let rotation = Vec4::from(rotation);
                let is_same = |value: Vec4| {
                    value.abs_diff_eq(rotation, tolerance) || (-value).abs_diff_eq(rotation, tolerance)
                };
                is_flat && self.at_keys(values).all(is_same)
            }
            _ => false,
        }
    }

    /// On and off, if a scale is either zero or one other value, by steps. Also the other value.
    pub(crate) fn switches(&self) -> Option<(Vec<bool>, Vec3)> {
        let (on, full) = self.on_and_off(None)?;
        on.contains(&false).then(|| (on, full.unwrap_or(Vec3::ONE)))
    }

    /// On and off, if a scale is either zero or `full`, by steps. Without `full`, the first other value is it, and is returned.
    pub(crate) fn on_and_off(&self, mut full: Option<Vec3>) -> Option<(Vec<bool>, Option<Vec3>)> {
        let Values::Vectors(values) = &self.values else { return None };
        if self.mode == Interpolation::Hermite {
            return None;
        }
        let on = values.iter().map(|value| {
            if value.abs_diff_eq(Vec3::ZERO, 1e-6) {
                return Some(false);
            }
            let known = *full.get_or_insert(*value);
            value.abs_diff_eq(known, 1e-4).then_some(true)
        });
        let on: Option<Vec<bool>> = on.collect();
        let on = on?;
        // A value that stays is the same in every mode. Blender samples steps as lines from one frame to the next.
        let jumps = |(times, on): (&[f32], &[bool])| on[0] == on[1] || times[1] - times[0] <= MAX_FRAME;
        let is_step = self.mode == Interpolation::Step || self.times.windows(2).zip(on.windows(2)).all(jumps);
        is_step.then_some((on, full))
    }
}

/// The longest frame of Blender, in seconds: 24 in a second, and rounding.
const MAX_FRAME: f32 = 0.042;

fn tangents_are_zero(values: &[Vec3]) -> bool {
    values.chunks_exact(3).all(|key| key[0] == Vec3::ZERO && key[2] == Vec3::ZERO)
}

/// All animations.
pub(crate) fn load(accessors: &Accessors<'_>, notes: &mut Notes) -> Result<Vec<Motion>, ReadError> {
    let animations = accessors.document().animations.iter().enumerate();
    animations.map(|(at, animation)| load_one(accessors, at, animation, notes)).collect()
}

fn load_one(
    accessors: &Accessors<'_>,
    at: usize,
    animation: &Animation<'_>,
    notes: &mut Notes,
) -> Result<Motion, ReadError> {
    let mut channels = Vec::new();
    let mut end = 0.0_f32;
    for (place, channel) in animation.channels.iter().enumerate() {
        let here = format_args!("/animations/{at}/channels/{place}");
        let Some(target) = target(accessors, channel, here, notes)? else { continue };
        let sampler = animation.samplers.get(channel.sampler as usize);
        let sampler = sampler
            .ok_or_else(|| ReadError::missing(format_args!("{here}/sampler"), "sampler", channel.sampler))?;
        let pointer = format_args!("/animations/{at}/samplers/{}", channel.sampler);
        let keys = keys(accessors, sampler, &target, pointer)?;
        end = keys.times.last().copied().unwrap_or(0.0).max(end);
        if !keys.times.is_empty() {
            channels.push(Moved { target, keys });
        }
    }
    Ok(Motion { channels, end })
}

fn target(
    accessors: &Accessors<'_>,
    channel: &Channel<'_>,
    here: Pointer<'_>,
    notes: &mut Notes,
) -> Result<Option<MovedTarget>, ReadError> {
    if let Some(pointer) = &channel.target.extensions.pointer {
        return Ok(Some(
            node_pointer(&pointer.pointer)
                .unwrap_or_else(|| MovedTarget::Pointer(pointer.pointer.to_string())),
        ));
    }
    let path = match &*channel.target.path {
        "translation" => NodePath::Translation,
        "rotation" => NodePath::Rotation,
        "scale" => NodePath::Scale,
        "weights" => {
            notes.add(NoteKind::Skipped, here.to_string(), "animation of morph targets dropped");
            return Ok(None);
        }
        other => {
            notes.add(
                NoteKind::Skipped,
                format!("{here}/target/path"),
                format!("unknown path {other:?} dropped"),
            );
            return Ok(None);
        }
    };
    // A channel without a node is to be ignored (glTF 2.0, 3.11).
    let Some(node) = channel.target.node else { return Ok(None) };
    if node as usize >= accessors.document().nodes.len() {
        return Err(ReadError::missing(format_args!("{here}/target/node"), "node", node));
    }
    Ok(Some(MovedTarget::Node(node, path)))
}

/// A pointer to a node's transform says the same as a plain target.
fn node_pointer(pointer: &str) -> Option<MovedTarget> {
    let (node, path) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
    let path = match path {
        "translation" => NodePath::Translation,
        "rotation" => NodePath::Rotation,
        "scale" => NodePath::Scale,
        _ => return None,
    };
    Some(MovedTarget::Node(node.parse().ok()?, path))
}

fn keys(
    accessors: &Accessors<'_>,
    sampler: &Sampler<'_>,
    target: &MovedTarget,
    here: Pointer<'_>,
) -> Result<Keys, ReadError> {
    let mode = match sampler.interpolation.as_deref() {
        None | Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::Hermite,
        Some(other) => {
            let message = format!("unknown interpolation {other:?}");
            return Err(ReadError::invalid(format!("{here}/interpolation"), message));
        }
    };
    let input = format_args!("{here}/input");
    let output = format_args!("{here}/output");
    accessors.spend_keys(accessors.count(sampler.input, input)?.saturating_add(Limits::KEYS_PER_CHANNEL))?;
    accessors.spend_keys(accessors.count(sampler.output, output)? / 3)?;
    let times: Vec<f32> =
        accessors.floats::<1>(sampler.input, input)?.into_iter().map(|[time]| time).collect();
    let is_ascending = times.windows(2).all(|pair| pair[0] <= pair[1]);
    if !is_ascending || times.iter().any(|time| !time.is_finite()) {
        return Err(ReadError::invalid(input.to_string(), "times must be finite and ascending"));
    }
    let vectors = || -> Result<Values, ReadError> {
        let values = accessors.floats::<3>(sampler.output, output)?;
        Ok(Values::Vectors(values.into_iter().map(|value| finite(Vec3::from(value))).collect()))
    };
    let quads = || -> Result<Values, ReadError> {
        let values = accessors.floats::<4>(sampler.output, output)?;
        let valid = |value: [f32; 4]| {
            let value = Vec4::from(value);
            if value.is_finite() { value } else { Vec4::W }
        };
        Ok(Values::Quads(values.into_iter().map(valid).collect()))
    };
    let values = match target {
        MovedTarget::Node(_, NodePath::Translation | NodePath::Scale) => vectors()?,
        MovedTarget::Node(_, NodePath::Rotation) => quads()?,
        MovedTarget::Pointer(_) => match accessors.get(sampler.output, output)?.kind.as_ref() {
            "VEC2" => Values::Pairs(accessors.floats::<2>(sampler.output, output)?),
            "VEC3" => vectors()?,
            "VEC4" => quads()?,
            _ => {
                let values = accessors.floats::<1>(sampler.output, output)?;
                Values::Scalars(values.into_iter().map(|[value]| value).collect())
            }
        },
    };
    let count = match &values {
        Values::Scalars(values) => values.len(),
        Values::Pairs(values) => values.len(),
        Values::Vectors(values) => values.len(),
        Values::Quads(values) => values.len(),
    };
    let needed = times.len() * if mode == Interpolation::Hermite { 3 } else { 1 };
    if count != needed {
        return Err(ReadError::invalid(
            output.to_string(),
            format!("{count} values where {needed} are needed"),
        ));
    }
    Ok(Keys { mode, times, values })
}

fn finite(value: Vec3) -> Vec3 {
    if value.is_finite() { value } else { Vec3::ZERO }
}
