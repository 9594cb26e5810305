//! Animations of W3D: channels of frames, keys or bits.

use record::zerocopy::IntoBytes;
use record::{Error as RecordError, F32, Node, U16, U32};
use w3d::codec::{Key, Outside, Values, decode};
use w3d::names::{ChannelType, Flavor};
use w3d::records::*;
use w3d::table;

use super::ClipChange;
use crate::Error;
use crate::report::Report;
use crate::select::{Part, PartKind, require_one};

pub(super) fn change(root: &mut Node<'_>, part: &Part, change: &ClipChange) -> Result<Report, Error> {
    let [at] = part.trail[..] else { return Ok(Report::default()) };
    let reason = match change {
        ClipChange::Loop(_) => {
            Some("W3D animations do not say whether they loop; the game's configuration does")
        }
        ClipChange::Move(_) => Some("W3D animations have no common time line"),
        ClipChange::ShiftEvents(_) => Some("W3D animations have no events"),
        ClipChange::MoveSpeed(_) => Some("W3D animations have no move speed"),
        ClipChange::Rarity(_) => Some("W3D animations have no rarity"),
        ClipChange::Bounds(..) => Some("W3D animations have no bounds"),
        _ => None,
    };
    if let Some(reason) = reason {
        return Err(Error::new(reason));
    }
    if let ClipChange::Rename(name) = change {
        let changed = crate::rename(root, crate::Named::Animation, &part.name, name)?;
        return Ok(Report::of(changed.min(1)));
    }
    if let ClipChange::Join(other) = change {
        let other = require_one(root, other)?;
        return join(root, at, &other);
    }
    let Some(clip) = root.children_mut().and_then(|chunks| chunks.get_mut(at)) else {
        return Ok(Report::default());
    };
    if clip.is(&table::MORPH_ANIMATION) {
        return Err(Error::new("morph animations can only be renamed or removed"));
    }
    let frames = frames(clip);
    match change {
        ClipChange::Speed(factor) => return speed(clip, *factor),
        ClipChange::Reverse => {
            let before = clip.clone();
            edit_channels(clip, &|_, values| reversed(values, frames))?;
            if clip.to_bytes().ok() == before.to_bytes().ok() {
                return Ok(Report::default());
            }
        }
        ClipChange::Trim { from, to } => {
            if *to >= frames {
                return Err(Error::new(format!(
                    "the animation has {frames} frames (0 to {})",
                    frames.saturating_sub(1)
                )));
            }
            if *from == 0 && *to + 1 == frames {
                return Ok(Report::default());
            }
            trim(clip, *from, *to)?;
        }
        ClipChange::Split { at: frame, name } => {
            if *frame == 0 || *frame >= frames {
                return Err(Error::new(format!(
                    "the animation has {frames} frames and cannot be split at {frame}"
                )));
            }
            let mut second = clip.clone();
            trim(clip, 0, *frame - 1)?;
            trim(&mut second, *frame, frames - 1)?;
            set_name(&mut second, name).map_err(|error| Error::new(error.to_string()))?;
            let taken = root.children().iter().filter_map(w3d::Animation::new);
            if taken.filter(|clip| clip.name().eq_ignore_ascii_case(name)).count() > 0 {
                return Err(Error::new(format!("there is already a clip {:?}", record::printable(name))));
            }
            if let Some(chunks) = root.children_mut() {
                chunks.insert(at + 1, second);
            }
        }
        _ => {}
    }
    Ok(Report::of(1))
}

pub(crate) fn frames(clip: &Node<'_>) -> u32 {
    w3d::Animation::new(clip).map_or(0, |clip| clip.num_frames())
}

fn set_frames(clip: &mut Node<'_>, frames: u32) {
    if let Some(header) = clip.get_mut(table::ANIMATION_HEADER) {
        header.num_frames = U32::new(frames);
    } else if let Some(header) = clip.get_mut(table::COMPRESSED_ANIMATION_HEADER) {
        header.num_frames = U32::new(frames);
    }
}

fn set_name(clip: &mut Node<'_>, name: &str) -> Result<(), RecordError> {
    match w3d::view::AnimationMut::new(clip) {
        Some(mut clip) => clip.set_name(name),
        None => Ok(()),
    }
}

/// The frame rate changes; frames stay as they are.
fn speed(clip: &mut Node<'_>, factor: f32) -> Result<Report, Error> {
    let old = w3d::Animation::new(clip).map_or(0, |clip| clip.frame_rate());
    let exact = f64::from(old) * f64::from(factor);
    let new = exact.round();
    if !(1.0..=65535.0).contains(&new) {
        return Err(Error::new(format!("{new} frames per second are out of range")));
    }
    let mut report = Report::default();
    if (new - exact).abs() > 1e-6 {
        let real = new / f64::from(old.max(1));
        report.note(format!(
            "a frame rate is a whole number: {old} becomes {new}, which is {real:.3} times as fast"
        ));
    }
    let rate = new as u16;
    if let Some(header) = clip.get_mut(table::ANIMATION_HEADER) {
        header.frame_rate = U32::new(rate.into());
    } else if let Some(header) = clip.get_mut(table::COMPRESSED_ANIMATION_HEADER) {
        header.frame_rate = U16::new(rate);
    }
    report.changed = usize::from(u32::from(rate) != old);
    Ok(report)
}

fn trim(clip: &mut Node<'_>, from: u32, to: u32) -> Result<(), Error> {
    edit_channels(clip, &|_, values| part(values, from, to))?;
    set_frames(clip, to - from + 1);
    Ok(())
}

/// Changes the values of every channel. Channels of differences become channels of keys with the same values, because differences cannot
/// be stored again without loss. Channels without values are removed.
pub(crate) fn edit_channels(
    clip: &mut Node<'_>,
    change: &dyn Fn(ChannelType, Values) -> Values,
) -> Result<(), Error> {
    let mut failed = false;
    let is_delta = clip.child(&table::ADAPTIVE_DELTA_CHANNEL).is_some();
    if let Some(children) = clip.children_mut() {
        children.retain_mut(|child| {
            let Some(channel) = decode(child) else { return true };
            let old = channel.values;
            let new = change(channel.target, old.clone());
            if is_empty(&new) {
                return false;
            }
            if new != old || child.is(&table::ADAPTIVE_DELTA_CHANNEL) {
                match encode(child, &new) {
                    Some(encoded) => *child = encoded,
                    None => failed = true,
                }
            }
            true
        });
    }
    if is_delta && let Some(header) = clip.get_mut(table::COMPRESSED_ANIMATION_HEADER) {
        header.flavor = Flavor::TIMECODED;
    }
    if failed { Err(Error::new("a channel of the animation cannot be changed")) } else { Ok(()) }
}

fn is_empty(values: &Values) -> bool {
    match values {
        Values::Frames { values, .. } => values.is_empty(),
        Values::Keys { keys, .. } => keys.is_empty(),
        // Without bits the default holds, which may be "hidden".
        Values::Bits { bits, default, .. } => bits.is_empty() && *default,
        Values::Switches(switches) => switches.is_empty(),
    }
}

/// The value at a whole frame.
fn at(values: &Values, frame: u32) -> Vec<f32> {
    let mut out = Vec::new();
    values.sample(frame as f32, &mut out);
    out
}

/// The values between two frames, which become the first and the last one.
fn part(values: Values, from: u32, to: u32) -> Values {
    match values {
        Values::Frames { first, components, values, outside } => {
            let count = values.len().checked_div(components).unwrap_or_default() as u32;
            // A channel that holds its value outside is given whole.
            if outside == Outside::Hold {
                let whole = Values::Frames { first, components, values, outside };
                let values = (from..=to).flat_map(|frame| at(&whole, frame)).collect();
                return Values::Frames { first: 0, components, values, outside };
            }
            let (low, high) = (first.max(from), (first + count).min(to + 1));
            let (low, high) = (low, high.max(low));
            let range = (low - first) as usize * components..(high - first) as usize * components;
            let values = values.get(range).unwrap_or_default().to_vec();
            Values::Frames { first: low - from, components, values, outside }
        }
        Values::Keys { components, keys, values } => {
            let whole = Values::Keys { components, keys: keys.clone(), values: values.clone() };
            let mut new_keys = Vec::new();
            let mut new_values = Vec::new();
            let mut push = |frame: u32, step: bool, value: &[f32]| {
                new_keys.push(Key { frame: frame - from, step });
                new_values.extend_from_slice(value);
            };
            if !keys.iter().any(|key| key.frame == from) {
                push(from, false, &at(&whole, from));
            }
            for (index, key) in keys.iter().enumerate().filter(|(_, key)| (from..=to).contains(&key.frame)) {
                let value = values.get(index * components..(index + 1) * components).unwrap_or_default();
                push(key.frame, key.step, value);
            }
            if to > from && !keys.iter().any(|key| key.frame == to) {
                let step = keys.iter().find(|key| key.frame > to).is_some_and(|key| key.step);
                push(to, step, &at(&whole, to));
            }
            Values::Keys { components, keys: new_keys, values: new_values }
        }
        Values::Bits { first, bits, default } => {
            let count = bits.len() as u32;
            let (low, high) = (first.max(from), (first + count).min(to + 1));
            let high = high.max(low);
            let bits = bits.get((low - first) as usize..(high - first) as usize).unwrap_or_default().to_vec();
            Values::Bits { first: low - from, bits, default }
        }
        Values::Switches(switches) => {
            let whole = Values::Switches(switches.clone());
            let mut new = vec![(0, at(&whole, from).first().is_some_and(|bit| *bit > 0.5))];
            new.extend(
                switches
                    .iter()
                    .filter(|(frame, _)| *frame > from && *frame <= to)
                    .map(|(frame, on)| (frame - from, *on)),
            );
            Values::Switches(new)
        }
    }
}

/// The values backwards.
fn reversed(values: Values, frames: u32) -> Values {
    let last = frames.saturating_sub(1);
    match values {
        Values::Frames { first, components, values, outside } => {
            let count = values.len().checked_div(components).unwrap_or_default() as u32;
            let mut turned = Vec::with_capacity(values.len());
            if components > 0 {
                values.chunks_exact(components).rev().for_each(|frame| turned.extend_from_slice(frame));
            }
            let first =
                if outside == Outside::Hold { first } else { (last + 1).saturating_sub(first + count) };
            Values::Frames { first, components, values: turned, outside }
        }
        Values::Keys { components, keys, values } => {
            let (mut new_keys, mut new_values) = (Vec::new(), Vec::new());
            let value =
                |index: usize| values.get(index * components..(index + 1) * components).unwrap_or_default();
            for index in (0..keys.len()).rev() {
                let key = &keys[index];
                let frame = last.saturating_sub(key.frame);
                // A value that was held up to the next key is now held from there: it starts one frame after that key.
                if let Some(next) = keys.get(index + 1).filter(|next| next.step) {
                    let start = last.saturating_sub(next.frame) + 1;
                    new_keys.push(Key { frame: start, step: true });
                    new_values.extend_from_slice(value(index));
                    if start == frame {
                        continue;
                    }
                }
                new_keys.push(Key { frame, step: false });
                new_values.extend_from_slice(value(index));
            }
            // The first value holds from the start, where engines need a key.
            if let Some(first) = new_keys.first().filter(|first| first.frame > 0).copied() {
                new_keys.insert(0, Key { frame: 0, step: false });
                let value: Vec<f32> = new_values.iter().take(components).copied().collect();
                new_values.splice(0..0, value);
                new_keys[1].step |= first.step;
            }
            Values::Keys { components, keys: new_keys, values: new_values }
        }
        Values::Bits { first, mut bits, default } => {
            bits.reverse();
            let first = (last + 1).saturating_sub(first + bits.len() as u32);
            Values::Bits { first, bits, default }
        }
        Values::Switches(switches) => {
            let mut new: Vec<(u32, bool)> = Vec::new();
            for (index, (frame, on)) in switches.iter().enumerate().rev() {
                // The first value also holds before its frame.
                let start = if index == 0 { 0 } else { *frame };
                let end = switches.get(index + 1).map_or(last, |(next, _)| next.saturating_sub(1).min(last));
                if start <= end && new.last().is_none_or(|(_, before)| before != on) {
                    new.push((last - end, *on));
                }
            }
            Values::Switches(new)
        }
    }
}

/// A chunk like another one with other values.
pub(crate) fn encode<'a>(like: &Node<'_>, values: &Values) -> Option<Node<'a>> {
    let floats = |values: &[f32]| -> Vec<u8> {
        values.iter().flat_map(|value| F32::new(*value).as_bytes().to_vec()).collect()
    };
    let with = |header: &[u8], body: &[u8]| Node::leaf(like.kind, like.id, [header, body].concat());
    match values {
        Values::Frames { first, components, values, .. } if like.is(&table::ANIMATION_CHANNEL) => {
            let mut header = *like.value::<AnimationChannel>()?;
            let count = u32::try_from(values.len() / (*components).max(1)).ok()?;
            header.first_frame = U16::new(u16::try_from(*first).ok()?);
            header.last_frame = U16::new(u16::try_from(first + count.checked_sub(1)?).ok()?);
            Some(with(header.as_bytes(), &floats(values)))
        }
        Values::Bits { first, bits, default } if like.is(&table::BIT_CHANNEL) => {
            let mut header = *like.value::<BitChannel>()?;
            // A channel without frames cannot be stored: one frame has the default.
            let bits = if bits.is_empty() { &[*default][..] } else { bits };
            let count = u32::try_from(bits.len()).ok()?;
            header.first_frame = U16::new(u16::try_from(*first).ok()?);
            header.last_frame = U16::new(u16::try_from(first + count - 1).ok()?);
            let mut body = vec![0_u8; bits.len().div_ceil(8)];
            for (index, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
                body[index / 8] |= 1 << (index % 8);
            }
            Some(with(header.as_bytes(), &body))
        }
        Values::Switches(switches) if like.is(&table::COMPRESSED_BIT_CHANNEL) => {
            let mut header = *like.value::<CompressedBitChannel>()?;
            header.num_time_codes = U32::new(u32::try_from(switches.len()).ok()?);
            let word = |(frame, on): &(u32, bool)| U32::new(frame | u32::from(*on) << 31).as_bytes().to_vec();
            let body: Vec<u8> = switches.iter().flat_map(word).collect();
            Some(with(header.as_bytes(), &body))
        }
        Values::Keys { components, keys, values } if like.is(&table::COMPRESSED_ANIMATION_CHANNEL) => {
            let header = like.value::<TimeCodedChannel>()?;
            Some(time_coded(header.pivot, header.flags, *components, keys, values)?)
        }
        Values::Frames { components, values, .. } if like.is(&table::ADAPTIVE_DELTA_CHANNEL) => {
            let header = like.value::<AdaptiveDeltaChannel>()?;
            let (keys, values) = needed(&units(values, *components), *components)?;
            time_coded(header.pivot, header.flags, *components, &keys, &values)
        }
        Values::Keys { keys, values, .. } if like.is(&table::COMPRESSED_ANIMATION_MOTION_CHANNEL) => {
            motion(like.value::<MotionChannel>()?, keys, values)
        }
        Values::Frames { components, values, .. } if like.is(&table::COMPRESSED_ANIMATION_MOTION_CHANNEL) => {
            let (keys, values) = needed(&units(values, *components), *components)?;
            motion(like.value::<MotionChannel>()?, &keys, &values)
        }
        _ => None,
    }
}

/// A key for each frame, without those between two of the same value.
pub(crate) fn needed(values: &[f32], components: usize) -> Option<(Vec<Key>, Vec<f32>)> {
    let frames: Vec<&[f32]> = values.chunks_exact(components.max(1)).collect();
    let (mut keys, mut kept) = (Vec::new(), Vec::new());
    for (index, value) in frames.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| frames[before]);
        if before == Some(*value) && frames.get(index + 1) == Some(value) {
            continue;
        }
        keys.push(Key { frame: u32::try_from(index).ok()?, step: false });
        kept.extend_from_slice(value);
    }
    Some((keys, kept))
}

/// Rotations of unit length: sums of differences are not.
fn units(values: &[f32], components: usize) -> Vec<f32> {
    if components != 4 {
        return values.to_vec();
    }
    let unit = |rotation: &[f32]| {
        let length = rotation.iter().map(|part| part * part).sum::<f32>().sqrt();
        let factor = if length > 0.0 && length.is_finite() { 1.0 / length } else { 1.0 };
        rotation.iter().map(|part| part * factor).collect::<Vec<f32>>()
    };
    values.chunks_exact(4).flat_map(unit).collect()
}

pub(crate) fn time_coded<'a>(
    pivot: U16,
    flags: w3d::names::ChannelType8,
    components: usize,
    keys: &[Key],
    values: &[f32],
) -> Option<Node<'a>> {
    let header = TimeCodedChannel {
        num_time_codes: U32::new(u32::try_from(keys.len()).ok()?),
        pivot,
        vector_len: u8::try_from(components).ok()?,
        flags,
    };
    let mut body = header.as_bytes().to_vec();
    for (key, value) in keys.iter().zip(values.chunks_exact(components.max(1))) {
        body.extend_from_slice(U32::new(key.frame | u32::from(key.step) << 31).as_bytes());
        value.iter().for_each(|part| body.extend_from_slice(F32::new(*part).as_bytes()));
    }
    let chunk = table::COMPRESSED_ANIMATION_CHANNEL;
    Some(Node::leaf(chunk.kind, chunk.kind.id, body))
}

/// A motion channel of keys: header, 16-bit time codes padded to whole words, values.
pub(crate) fn motion<'a>(header: &MotionChannel, keys: &[Key], values: &[f32]) -> Option<Node<'a>> {
    let mut header = *header;
    header.flavor = w3d::names::MotionFlavor::new(0);
    header.num_time_codes = U16::new(u16::try_from(keys.len()).ok()?);
    let mut body = header.as_bytes().to_vec();
    for key in keys {
        let frame = u16::try_from(key.frame).ok().filter(|frame| *frame < 0x8000)?;
        body.extend_from_slice(U16::new(frame | u16::from(key.step) << 15).as_bytes());
    }
    if keys.len() % 2 == 1 {
        body.extend_from_slice(&[0, 0]);
    }
    values.iter().for_each(|value| body.extend_from_slice(F32::new(*value).as_bytes()));
    let chunk = table::COMPRESSED_ANIMATION_MOTION_CHANNEL;
    Some(Node::leaf(chunk.kind, chunk.kind.id, body))
}

/// Appends the frames of one animation to another and removes it.
fn join(root: &mut Node<'_>, at: usize, other: &Part) -> Result<Report, Error> {
    let [other_at] = other.trail[..] else { return Ok(Report::default()) };
    if other.kind != PartKind::Clip || at == other_at {
        return Err(Error::new("a clip can only be joined to another clip"));
    }
    let Some(second) = root.children().get(other_at).cloned() else { return Ok(Report::default()) };
    let Some(first) = root.children_mut().and_then(|chunks| chunks.get_mut(at)) else {
        return Ok(Report::default());
    };
    if !first.is(&table::ANIMATION) || !second.is(&table::ANIMATION) {
        return Err(Error::new("only animations with a value for each frame can be joined"));
    }
    let of =
        |clip: &Node<'_>| w3d::Animation::new(clip).map(|clip| (clip.hierarchy_name(), clip.frame_rate()));
    let (Some((skeleton, rate)), Some((other_skeleton, other_rate))) = (of(first), of(&second)) else {
        return Ok(Report::default());
    };
    if !skeleton.eq_ignore_ascii_case(&other_skeleton) || rate != other_rate {
        return Err(Error::new("both animations must have the same skeleton and frame rate"));
    }
    let (length, more) = (frames(first), frames(&second));
    let total = length.checked_add(more).filter(|total| *total <= u32::from(u16::MAX));
    let Some(total) = total else { return Err(Error::new("an animation has at most 65535 frames")) };
    let mut channels: Vec<Node<'_>> = Vec::new();
    let mut rest: Vec<(w3d::codec::Channel, Node<'_>)> =
        second.children().iter().filter_map(|child| Some((decode(child)?, child.clone()))).collect();
    let same = |a: &w3d::codec::Channel, b: &w3d::codec::Channel| a.pivot == b.pivot && a.target == b.target;
    for child in first.children_mut().into_iter().flatten() {
        let Some(channel) = decode(child) else { continue };
        let twin = rest.iter().position(|(other, node)| same(&channel, other) && node.kind.same(child.kind));
        let twin = twin.map(|twin| rest.remove(twin).0.values);
        let joined = joined(&channel.values, twin.as_ref(), length, total);
        match encode(child, &joined) {
            Some(new) => *child = new,
            None => return Err(Error::new("a channel of the animation cannot be changed")),
        }
    }
    for (channel, node) in rest {
        let later = match channel.values {
            Values::Frames { first, components, values, outside } => {
                Values::Frames { first: first + length, components, values, outside }
            }
            Values::Bits { first, bits, default } => {
                // The default holds in the first clip, too, where the bone was visible.
                let mut all = vec![true; length as usize];
                let before = Values::Bits { first, bits, default };
                all.extend(
                    (0..more).map(|frame| self::at(&before, frame).first().is_some_and(|bit| *bit > 0.5)),
                );
                Values::Bits { first: 0, bits: all, default: true }
            }
            other => other,
        };
        channels.push(
            encode(&node, &later)
                .ok_or_else(|| Error::new("a channel of the animation cannot be changed"))?,
        );
    }
    first.children_mut().into_iter().for_each(|children| children.append(&mut channels));
    set_frames(first, total);
    if let Some(chunks) = root.children_mut() {
        chunks.remove(other_at);
    }
    Ok(Report::of(1))
}

/// The values of a channel, then those of its twin; where there is no twin, the identity or "visible".
fn joined(first: &Values, second: Option<&Values>, length: u32, total: u32) -> Values {
    match first {
        Values::Frames { components, outside, .. } => {
            let identity = |components: usize| match (outside, components) {
                (Outside::Visible, _) => vec![1.0; components],
                (_, 4) => vec![0.0, 0.0, 0.0, 1.0],
                _ => vec![0.0; components],
            };
            let mut values: Vec<f32> = (0..length).flat_map(|frame| at(first, frame)).collect();
            values.extend((length..total).flat_map(|frame| match second {
                Some(second) => at(second, frame - length),
                None => identity(*components),
            }));
            Values::Frames { first: 0, components: *components, values, outside: *outside }
        }
        _ => {
            let is_on = |values: &Values, frame: u32| at(values, frame).first().is_some_and(|bit| *bit > 0.5);
            let mut bits: Vec<bool> = (0..length).map(|frame| is_on(first, frame)).collect();
            bits.extend(
                (length..total).map(|frame| second.is_none_or(|second| is_on(second, frame - length))),
            );
            let default = matches!(first, Values::Bits { default: true, .. });
            Values::Bits { first: 0, bits, default }
        }
    }
}
