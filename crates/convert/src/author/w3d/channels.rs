//! Channels of an animation as chunks: raw, with time codes, or as differences.

use std::borrow::Cow;

use record::zerocopy::IntoBytes;
use record::{F32, Node, U16, U32, build};
use w3d::codec::{Key, Width, distance, encode_deltas, encode_keys};
use w3d::names::{BitChannelType, BitChannelType8, ChannelType, ChannelType8, MotionFlavor};
use w3d::records::{
    AdaptiveDeltaChannel, AnimationChannel, BitChannel, CompressedBitChannel, MotionChannel, TimeCodedChannel,
};
use w3d::table;

/// The numbers of a channel.
pub(super) enum Numbers {
    /// For each frame.
    Frames(Vec<f32>),
    /// The keys of the source.
    Keys(Vec<Key>, Vec<f32>),
}

/// A channel to write.
pub(super) struct Channel {
    pub(super) pivot: usize,
    pub(super) target: ChannelType,
    pub(super) components: usize,
    pub(super) numbers: Numbers,
}

impl Channel {
    /// How many numbers it has.
    pub(super) fn len(&self) -> usize {
        every_frame(self).len()
    }

    /// Its own keys, or those that its frames need to stay within a tolerance, and the values of all keys.
    fn keys(&self, tolerance: f32) -> (Cow<'_, [Key]>, Cow<'_, [f32]>) {
        match &self.numbers {
            Numbers::Frames(values) => {
                let (keys, values, _) = encode_keys(self.components, values, tolerance);
                (keys.into(), values.into())
            }
            Numbers::Keys(keys, values) => (keys.into(), values.into()),
        }
    }
}

/// Visibility.
pub(super) struct Switches {
    pub(super) pivot: usize,
    /// For each frame.
    pub(super) shown: Vec<bool>,
}

/// A value that moves nothing.
fn is_identity(channel: &Channel, value: &[f32], tolerance: f32) -> bool {
    match value {
        [number] if channel.target == ChannelType::VIS => *number == 1.0,
        [_, _, _, _] => distance(value, &[0.0, 0.0, 0.0, 1.0]) <= tolerance,
        value => value.iter().all(|number| number.abs() <= tolerance),
    }
}

/// The values of each frame.
fn every_frame(channel: &Channel) -> &[f32] {
    match &channel.numbers {
        Numbers::Frames(values) | Numbers::Keys(_, values) => values,
    }
}

/// Outside its frames a raw channel moves nothing, so those at both ends that move nothing are left out.
pub(super) fn raw_channel(channel: &Channel) -> Option<Node<'static>> {
    let values = every_frame(channel);
    let size = channel.components;
    let is_moving = |value: &[f32]| !is_identity(channel, value, 0.0);
    let first = values.chunks_exact(size).position(is_moving)?;
    let last = values.chunks_exact(size).rposition(is_moving)?;
    let header = AnimationChannel {
        first_frame: U16::new(first as u16),
        last_frame: U16::new(last as u16),
        vector_len: U16::new(size as u16),
        flags: channel.target,
        pivot: U16::new(channel.pivot as u16),
        pad: U16::new(0),
    };
    let body: Vec<F32> = values[first * size..(last + 1) * size].iter().copied().map(F32::new).collect();
    Some(build(table::ANIMATION_CHANNEL, (&header, body.as_bytes())))
}

/// The keys that a tolerance needs.
pub(super) fn key_channel(channel: &Channel, tolerance: f32) -> Option<Node<'static>> {
    // All frames count: the keys alone may be off by the tolerance, and a channel that is dropped by as much again.
    let is_still = |value: &[f32]| is_identity(channel, value, tolerance);
    if every_frame(channel).chunks_exact(channel.components).all(is_still) {
        return None;
    }
    let (keys, values) = channel.keys(tolerance);
    let header = TimeCodedChannel {
        num_time_codes: U32::new(keys.len() as u32),
        pivot: U16::new(channel.pivot as u16),
        vector_len: channel.components as u8,
        flags: ChannelType8::new(channel.target.get() as u8),
    };
    let mut body = Vec::with_capacity(4 * (keys.len() + values.len()));
    for (key, value) in keys.iter().zip(values.chunks_exact(channel.components)) {
        let code = key.frame | if key.step { 0x8000_0000 } else { 0 };
        body.extend(code.to_le_bytes());
        body.extend(value.iter().flat_map(|number| number.to_le_bytes()));
    }
    Some(build(table::COMPRESSED_ANIMATION_CHANNEL, (&header, &body[..])))
}

/// Whether differences of four bits are within a tolerance.
pub(super) fn is_near(channel: &Channel, tolerance: f32) -> bool {
    encode_deltas(Width::Four, channel.components, every_frame(channel), tolerance).is_some()
}

/// Differences of four bits.
pub(super) fn delta_channel(channel: &Channel) -> Option<Node<'static>> {
    let values = every_frame(channel);
    if values.chunks_exact(channel.components).all(|value| is_identity(channel, value, 0.0)) {
        return None;
    }
    let deltas = encode_deltas(Width::Four, channel.components, values, f32::INFINITY)?;
    let frames = values.len() / channel.components;
    let header = AdaptiveDeltaChannel {
        num_frames: U32::new(frames as u32),
        pivot: U16::new(channel.pivot as u16),
        vector_len: channel.components as u8,
        flags: ChannelType8::new(channel.target.get() as u8),
        scale: F32::new(deltas.scale),
    };
    let mut body: Vec<u8> =
        values[..channel.components].iter().flat_map(|value| value.to_le_bytes()).collect();
    body.extend(deltas.packets);
    // Zero Hour's loader writes beyond its block otherwise (docs/formats/w3d/animation.md#adaptive-delta).
    body.resize(body.len().next_multiple_of(4), 0);
    Some(build(table::ADAPTIVE_DELTA_CHANNEL, (&header, &body[..])))
}

/// The smallest form within a tolerance, which each motion channel of The Battle for Middle-earth II has for itself: keys, differences
/// of four bits, or of eight.
pub(super) fn motion_channel(channel: &Channel, tolerance: f32) -> Option<Node<'static>> {
    let values = every_frame(channel);
    let size = channel.components;
    if values.chunks_exact(size).all(|value| is_identity(channel, value, tolerance)) {
        return None;
    }
    let keys = motion_keys(channel, tolerance);
    let mut best = (MotionFlavor::TIMECODED, keys.0, keys.1);
    for (flavor, width) in
        [(MotionFlavor::ADAPTIVE_DELTA_4, Width::Four), (MotionFlavor::ADAPTIVE_DELTA_8, Width::Eight)]
    {
        let length = 4 + 4 * size + width.packed(size, values.len() / size);
        if length >= best.2.len() {
            continue;
        }
        if let Some(deltas) = encode_deltas(width, size, values, tolerance) {
            let mut body = deltas.scale.to_le_bytes().to_vec();
            body.extend(values[..size].iter().flat_map(|value| value.to_le_bytes()));
            body.extend(deltas.packets);
            best = (flavor, values.len() / size, body);
        }
    }
    let (flavor, count, body) = best;
    let header = MotionChannel {
        zero: 0,
        flavor,
        vector_len: size as u8,
        flags: ChannelType8::new(channel.target.get() as u8),
        num_time_codes: U16::new(count as u16),
        pivot: U16::new(channel.pivot as u16),
    };
    Some(build(table::COMPRESSED_ANIMATION_MOTION_CHANNEL, (&header, &body[..])))
}

/// The number of keys of a motion channel, and their bytes: time codes of 15 bits, padded to words, then the values.
fn motion_keys(channel: &Channel, tolerance: f32) -> (usize, Vec<u8>) {
    let (keys, values) = channel.keys(tolerance);
    let mut body = Vec::with_capacity(2 * keys.len() + 2 + 4 * values.len());
    for key in &*keys {
        let code = key.frame as u16 & 0x7fff | if key.step { 0x8000 } else { 0 };
        body.extend(code.to_le_bytes());
    }
    body.resize(body.len().next_multiple_of(4), 0);
    body.extend(values.iter().flat_map(|number| number.to_le_bytes()));
    (keys.len(), body)
}

pub(super) fn bit_channel(switches: &Switches) -> Node<'static> {
    let first = switches.shown.iter().position(|shown| !shown).unwrap_or(0);
    let last = switches.shown.iter().rposition(|shown| !shown).unwrap_or(0);
    let header = BitChannel {
        first_frame: U16::new(first as u16),
        last_frame: U16::new(last as u16),
        flags: BitChannelType::VIS,
        pivot: U16::new(switches.pivot as u16),
        default_val: 1,
    };
    let bits = switches.shown[first..=last].chunks(8);
    let bytes = bits.map(|bits| bits.iter().rev().fold(0_u8, |byte, bit| byte << 1 | u8::from(*bit)));
    build(table::BIT_CHANNEL, (&header, &bytes.collect::<Vec<u8>>()[..]))
}

pub(super) fn switch_channel(switches: &Switches) -> Node<'static> {
    let mut words: Vec<U32> = Vec::new();
    for (frame, shown) in (0_u32..).zip(&switches.shown) {
        let before = frame.checked_sub(1).map(|before| switches.shown[before as usize]);
        if before != Some(*shown) {
            words.push(U32::new(frame | if *shown { 0x8000_0000 } else { 0 }));
        }
    }
    let header = CompressedBitChannel {
        num_time_codes: U32::new(words.len() as u32),
        pivot: U16::new(switches.pivot as u16),
        flags: BitChannelType8::VIS,
        default_val: 1,
    };
    build(table::COMPRESSED_BIT_CHANNEL, (&header, words.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(target: ChannelType, components: usize, values: Vec<f32>) -> Channel {
        Channel { pivot: 1, target, components, numbers: Numbers::Frames(values) }
    }

    #[test]
    fn adaptive_delta_channels_fit_the_block_of_the_loader() {
        for frames in 2..70_u16 {
            let moved: Vec<f32> = (0..frames).map(|frame| f32::from(frame).sin()).collect();
            let turned = moved.iter().flat_map(|x| [x * 0.1, 0.0, 0.0, 1.0]).collect();
            for (target, components, values) in [(ChannelType::X, 1, moved), (ChannelType::Q, 4, turned)] {
                let chunk = delta_channel(&channel(target, components, values)).unwrap();
                let size = chunk.bytes().len();
                // The loader allocates ((size - 16) / 4 + 1) * 4 bytes, and reads size - 16 bytes into them from offset 4 on.
                let (block, read) = (((size - 16) / 4 + 1) * 4, 4 + size - 16);
                assert!(
                    read <= block,
                    "{frames} frames of {components}: {read} bytes into a block of {block}"
                );
                let needed = 12 + 4 * components + 9 * components * usize::from(frames).div_ceil(16);
                assert!((needed..needed + 4).contains(&size), "{size} bytes for {needed}");
            }
        }
    }

    #[test]
    fn a_channel_beyond_the_tolerance_is_not_dropped() {
        // The keys at both ends are within 0.001 of nothing, and the frame between is within 0.001 of the keys, but not of nothing.
        let hill = channel(ChannelType::X, 1, vec![0.001, 0.0019, 0.001]);
        assert!(key_channel(&hill, 0.001).is_some());
        assert!(key_channel(&hill, 0.002).is_none());
        let half = 0.04_f32.to_radians() / 2.0;
        let turned = channel(ChannelType::Q, 4, vec![half.sin(), 0.0, 0.0, half.cos()]);
        assert!(key_channel(&turned, w3d::codec::distance_of_degrees(0.05)).is_none());
        assert!(key_channel(&turned, w3d::codec::distance_of_degrees(0.03)).is_some());
    }
}
