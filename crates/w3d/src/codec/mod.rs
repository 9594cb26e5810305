//! Animation channels as values, independent of their codec.
//!
//! | chunk | stored as | decoded to |
//! |---|---|---|
//! | `ANIMATION_CHANNEL` | floats for a range of frames | [`Values::Frames`]; outside the identity, or visible |
//! | `BIT_CHANNEL` | bits for a range of frames | [`Values::Bits`] |
//! | `COMPRESSED_ANIMATION_CHANNEL` | keys, or 4-bit differences | [`Values::Keys`] or [`Values::Frames`] |
//! | `COMPRESSED_BIT_CHANNEL` | switching times | [`Values::Switches`] |
//! | `COMPRESSED_ANIMATION_MOTION_CHANNEL` | keys, 4-bit or 8-bit differences | [`Values::Keys`] or [`Values::Frames`] |
//!
//! Channels hold differences from the rest pose: a bone's transform is that of its parent, times its rest transform, times the
//! channel's translation, times the channel's rotation.

mod adaptive_delta;
mod time_coded;

pub use adaptive_delta::{Width, decode_deltas, encode_deltas, filter};
pub use time_coded::encode_keys;

use record::Node;

use crate::names::ChannelType;
use crate::records::{
    AdaptiveDeltaChannel, AnimationChannel, BitChannel, CompressedBitChannel, DeltaPacket4, DeltaPacket8,
    MotionChannel, TimeCodedChannel, TimeCodedKey1, TimeCodedKey2, TimeCodedKey3, TimeCodedKey4,
};
use crate::table;
use record::{F32, U16, U32};

/// One animation channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Index of the pivot. Engines ignore channels whose pivot does not exist.
    pub pivot: u16,
    /// Value that it animates; for bits, [`ChannelType::VIS`].
    pub target: ChannelType,
    /// Values of the channel.
    pub values: Values,
}

/// A channel's values.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Floats for each frame from `first` on.
    Frames {
        /// The first frame with values.
        first: u32,
        /// Floats per frame.
        components: usize,
        /// The floats, frame by frame.
        values: Vec<f32>,
        /// The value of all other frames.
        outside: Outside,
    },
    /// Floats at some frames.
    Keys {
        /// Floats per key.
        components: usize,
        /// The keys, in stored order.
        keys: Vec<Key>,
        /// The floats, key by key.
        values: Vec<f32>,
    },
    /// Bits for each frame from `first` on.
    Bits {
        /// The first frame with a bit.
        first: u32,
        /// The bits.
        bits: Vec<bool>,
        /// The value of all other frames.
        default: bool,
    },
    /// Values that hold from their frame on. The first one also holds before its frame.
    Switches(Vec<(u32, bool)>),
}

/// Value of a channel outside its range of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// Zero, or the identity rotation. The engine interpolates to it within one frame.
    Identity,
    /// The nearest value.
    Hold,
    /// 1, which is visible. Only whole frames count, as for bits (docs/formats/w3d/animation.md#float-visibility).
    Visible,
}

/// Frame of a key, and the interpolation before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The frame.
    pub frame: u32,
    /// Whether the value of the previous key is held up to this one ("binary movement") instead of being interpolated.
    pub step: bool,
}

/// The bit of a time code that means "binary movement".
const STEP_BIT: u32 = 0x8000_0000;
/// The same in the 16-bit time codes of motion channels.
const STEP_BIT_16: u16 = 0x8000;

/// Decodes a channel chunk; `None` if it is another chunk or too short for its header.
pub fn decode(node: &Node<'_>) -> Option<Channel> {
    if node.is(&table::ANIMATION_CHANNEL) {
        let header = node.value::<AnimationChannel>()?;
        Some(Channel {
            pivot: header.pivot.get(),
            target: header.flags,
            values: Values::Frames {
                first: header.first_frame.get().into(),
                components: header.vector_len.get().into(),
                // The slot is found by name: if there are no values, the first floats in the body are the surplus ones.
                values: slot_floats(node, "values"),
                outside: if header.flags == ChannelType::VIS { Outside::Visible } else { Outside::Identity },
            },
        })
    } else if node.is(&table::BIT_CHANNEL) {
        let header = node.value::<BitChannel>()?;
        let frames = usize::from(header.last_frame.get()) + 1;
        let bits = node.values::<u8>().iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 != 0));
        Some(Channel {
            pivot: header.pivot.get(),
            target: ChannelType::VIS,
            values: Values::Bits {
                first: header.first_frame.get().into(),
                bits: bits.take(frames.saturating_sub(header.first_frame.get().into())).collect(),
                default: header.default_val != 0,
            },
        })
    } else if node.is(&table::COMPRESSED_ANIMATION_CHANNEL) {
        let header = node.value::<TimeCodedChannel>()?;
        Some(Channel {
            pivot: header.pivot.get(),
            target: header.flags.wide(),
            values: time_coded(node, header.vector_len),
        })
    } else if node.is(&table::ADAPTIVE_DELTA_CHANNEL) {
        let header = node.value::<AdaptiveDeltaChannel>()?;
        let deltas = node.values::<DeltaPacket4>().iter().map(|packet| (packet.filter, &packet.deltas.0[..]));
        let frames = usize::try_from(header.num_frames.get()).unwrap_or(usize::MAX);
        let values =
            decode_deltas(Width::Four, header.scale.get(), &slot_floats(node, "initial"), frames, deltas);
        Some(Channel {
            pivot: header.pivot.get(),
            target: header.flags.wide(),
            values: held(header.vector_len, values),
        })
    } else if node.is(&table::COMPRESSED_BIT_CHANNEL) {
        let header = node.value::<CompressedBitChannel>()?;
        let switches =
            node.values::<U32>().iter().map(|word| (word.get() & !STEP_BIT, word.get() & STEP_BIT != 0));
        Some(Channel {
            pivot: header.pivot.get(),
            target: ChannelType::VIS,
            values: Values::Switches(switches.collect()),
        })
    } else if node.is(&table::COMPRESSED_ANIMATION_MOTION_CHANNEL) {
        let header = node.value::<MotionChannel>()?;
        let values = motion(node, header)?;
        Some(Channel { pivot: header.pivot.get(), target: header.flags.wide(), values })
    } else {
        None
    }
}

/// The floats of a slot by name, for bodies that have several such slots.
fn slot_floats(node: &Node<'_>, name: &str) -> Vec<f32> {
    let part = node.slots().find(|part| part.slot.name == name);
    part.map_or_else(Vec::new, |part| {
        part.bytes
            .chunks_exact(4)
            .map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect()
    })
}

fn held(components: u8, values: Vec<f32>) -> Values {
    Values::Frames { first: 0, components: components.into(), values, outside: Outside::Hold }
}

fn time_coded(node: &Node<'_>, components: u8) -> Values {
    fn split<const N: usize>(keys: impl Iterator<Item = (U32, [F32; N])>) -> (Vec<Key>, Vec<f32>) {
        let mut values = Vec::new();
        let keys = keys.map(|(code, value)| {
            values.extend(value.map(F32::get));
            Key { frame: code.get() & !STEP_BIT, step: code.get() & STEP_BIT != 0 }
        });
        let keys = keys.collect();
        (keys, values)
    }
    let (keys, values) = match components {
        1 => split(node.values::<TimeCodedKey1>().iter().map(|key| (key.time_code, key.value))),
        2 => split(node.values::<TimeCodedKey2>().iter().map(|key| (key.time_code, key.value))),
        3 => split(node.values::<TimeCodedKey3>().iter().map(|key| (key.time_code, key.value))),
        4 => split(node.values::<TimeCodedKey4>().iter().map(|key| (key.time_code, key.value))),
        _ => Default::default(),
    };
    Values::Keys { components: components.into(), keys, values }
}

fn motion(node: &Node<'_>, header: &MotionChannel) -> Option<Values> {
    let frames = header.num_time_codes.get().into();
    let scale = || slot_floats(node, "scale").first().copied();
    Some(match header.flavor.get() {
        0 => {
            let key = |code: &U16| Key {
                frame: (code.get() & !STEP_BIT_16).into(),
                step: code.get() & STEP_BIT_16 != 0,
            };
            Values::Keys {
                components: header.vector_len.into(),
                keys: node.values::<U16>().iter().map(key).collect(),
                values: slot_floats(node, "values"),
            }
        }
        1 => {
            let deltas =
                node.values::<DeltaPacket4>().iter().map(|packet| (packet.filter, &packet.deltas.0[..]));
            let initial = slot_floats(node, "initial");
            held(header.vector_len, decode_deltas(Width::Four, scale()?, &initial, frames, deltas))
        }
        2 => {
            let deltas =
                node.values::<DeltaPacket8>().iter().map(|packet| (packet.filter, &packet.deltas.0[..]));
            let initial = slot_floats(node, "initial");
            held(header.vector_len, decode_deltas(Width::Eight, scale()?, &initial, frames, deltas))
        }
        _ => return None,
    })
}

impl crate::names::ChannelType8 {
    /// The channel type in the wider word of raw channels.
    pub fn wide(self) -> ChannelType {
        ChannelType::new(self.get().into())
    }
}

impl Values {
    /// Writes the value at a frame, which may lie between two, into `out`. Bits become 0 and 1.
    ///
    /// Numbers are interpolated linearly between whole frames. Four numbers are a rotation, which takes the shorter arc.
    /// Bits change at whole frames. The caller decides whether the last frame is followed by the first.
    pub fn sample(&self, frame: f32, out: &mut Vec<f32>) {
        out.clear();
        match self {
            Self::Frames { first, components, values, outside } => {
                let count = values.len().checked_div(*components).unwrap_or_default();
                let at = frame - *first as f32;
                let mut still = Vec::new();
                match outside {
                    Outside::Visible => still.resize(*components, 1.0),
                    _ => identity(*components, &mut still),
                }
                let value = |at: f32| {
                    let inside = at >= 0.0 && at < count as f32;
                    if inside { &values[at as usize * components..][..*components] } else { &still[..] }
                };
                if count == 0 {
                    out.extend_from_slice(&still);
                    return;
                }
                match outside {
                    Outside::Visible => out.extend_from_slice(value(at.floor())),
                    Outside::Hold => {
                        let at = at.clamp(0.0, (count - 1) as f32);
                        blend(
                            value(at.floor()),
                            value((at.floor() + 1.0).min((count - 1) as f32)),
                            at.fract(),
                            out,
                        );
                    }
                    Outside::Identity if at <= -1.0 || at >= count as f32 => out.extend_from_slice(&still),
                    // Both frames are evaluated separately: a frame outside the range is the identity.
                    Outside::Identity => {
                        blend(value(at.floor()), value(at.floor() + 1.0), at - at.floor(), out);
                    }
                }
            }
            Self::Keys { components, keys, values } => {
                let value = |index: usize| values.get(index * components..(index + 1) * components);
                let after = keys.iter().position(|key| key.frame as f32 > frame);
                let (before, after) = match after {
                    Some(0) => (0, None),
                    Some(after) => (after - 1, Some(after)),
                    None => (keys.len().saturating_sub(1), None),
                };
                let Some(start) = value(before) else { return identity(*components, out) };
                match after.and_then(|after| Some((keys.get(after)?, value(after)?))) {
                    Some((key, end)) if !key.step => {
                        let from = keys[before].frame as f32;
                        blend(start, end, (frame - from) / (key.frame as f32 - from), out);
                    }
                    _ => out.extend_from_slice(start),
                }
            }
            Self::Bits { first, bits, default } => {
                let at = (frame as i64).saturating_sub(i64::from(*first));
                let bit = usize::try_from(at).ok().and_then(|at| bits.get(at)).copied().unwrap_or(*default);
                out.push(f32::from(u8::from(bit)));
            }
            Self::Switches(switches) => {
                let reached = switches.iter().take_while(|(at, _)| *at as f32 <= frame).last();
                let visible = reached.or_else(|| switches.first()).is_none_or(|(_, value)| *value);
                out.push(f32::from(u8::from(visible)));
            }
        }
    }
}

/// How far two values of a channel are apart: for four numbers the length of the difference of the two unit quaternions, which is
/// `2 sin(angle / 4)` for rotations by `angle`; otherwise the largest difference of a number.
#[must_use]
pub fn distance(a: &[f32], b: &[f32]) -> f32 {
    if a.len() != 4 || b.len() != 4 {
        return a
            .iter()
            .zip(b)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, |worst, miss| if miss > worst || miss.is_nan() { miss } else { worst });
    }
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let (long_a, long_b, sign) = (dot(a, a).sqrt(), dot(b, b).sqrt(), dot(a, b).signum());
    if long_a == 0.0 || long_b == 0.0 {
        return if long_a == long_b { 0.0 } else { f32::INFINITY };
    }
    let square: f64 =
        a.iter().zip(b).map(|(a, b)| (f64::from(*a) / long_a - sign * f64::from(*b) / long_b).powi(2)).sum();
    square.sqrt() as f32
}

/// The [`distance`] of rotations that are this many degrees apart.
#[must_use]
pub fn distance_of_degrees(degrees: f32) -> f32 {
    2.0 * (degrees.to_radians() / 4.0).sin()
}

/// Zeros, or the identity rotation.
fn identity(components: usize, out: &mut Vec<f32>) {
    out.resize(components, 0.0);
    if components == 4 {
        out[3] = 1.0;
    }
}

fn blend(start: &[f32], end: &[f32], t: f32, out: &mut Vec<f32>) {
    if t == 0.0 {
        out.extend_from_slice(start);
    } else if start.len() == 4 && end.len() == 4 {
        out.extend(slerp(start, end, t));
    } else {
        out.extend(start.iter().zip(end).map(|(start, end)| start + (end - start) * t));
    }
}

/// Spherical interpolation along the shorter arc.
fn slerp(start: &[f32], end: &[f32], t: f32) -> [f32; 4] {
    let dot: f32 = start.iter().zip(end).map(|(a, b)| a * b).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let cosine = (dot * sign).min(1.0);
    let (a, b) = if cosine > 0.9995 {
        (1.0 - t, t)
    } else {
        let angle = cosine.acos();
        (((1.0 - t) * angle).sin() / angle.sin(), (t * angle).sin() / angle.sin())
    };
    std::array::from_fn(|index| start[index] * a + end[index] * b * sign)
}
