//! Animation channels.

use std::collections::HashSet;

use record::Severity::{Error, Hint, Info, Warning};
use record::{Node, U16, U32};
use w3d::codec::{self, Channel, Key, Outside, Values};
use w3d::names::ChannelType;
use w3d::records::{
    AdaptiveDeltaChannel, AnimationChannel, BitChannel, DeltaPacket4, DeltaPacket8, MotionChannel,
    TimeCodedChannel,
};
use w3d::table::*;

use super::animation::animations;
use super::len;
use crate::context::{Findings, W3dContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::words::{counted, out_of_range, thousands, verb};
use model::Games;

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-CHAN-001",
        Warning,
        pivot,
        "docs/formats/w3d/animation.md#what-channels-mean: dropped with a warning",
        "a channel refers to a missing bone",
        "Engines drop the channel. The animation was made for another version of the skeleton.",
    ),
    Rule::w3d(
        "W3D-CHAN-002",
        Warning,
        frames,
        "docs/formats/w3d/animation.md#raw-channels: First <= Last < NumFrames; BFME has keys beyond",
        "a channel's frames lie outside the animation",
        "Values after the last frame are never used; a channel whose first frame is after its last is empty.",
    ),
    Rule::w3d(
        "W3D-CHAN-003",
        Error,
        vector_length,
        "docs/formats/w3d/animation.md#channel-types: 1 for X, Y, Z and visibility, 4 for rotations",
        "a channel has the wrong number of floats per frame",
        "Engines read one float for a coordinate and four for a rotation, whatever the channel says, so they read the values of other frames.",
    ),
    Rule::w3d(
        "W3D-CHAN-004",
        Error,
        too_short,
        "docs/formats/w3d/animation.md#raw-channels: size >= header + data",
        "a channel has fewer values than its header says",
        "Engines read the number that the header gives, and so read beyond the channel.",
    ),
    Rule::w3d(
        "W3D-CHAN-005",
        Info,
        surplus,
        "docs/formats/w3d/animation.md#raw-channels: exporters before November 2001; a quarter of Zero Hour's channels",
        "channels have surplus values at their end",
        "Exporters before November 2001 wrote too much. Engines skip it.",
    ),
    Rule::w3d(
        "W3D-CHAN-006",
        Warning,
        duplicate,
        "docs/formats/w3d/animation.md#what-channels-mean: the last wins",
        "two channels move the same part of a bone",
        "Engines keep the last one and lose the other.",
    ),
    Rule::w3d(
        "W3D-CHAN-007",
        Error,
        ascending,
        "docs/formats/w3d/animation.md#time-coded-channels: keys ascend, for a binary search",
        "keys are not in order of time",
        "Engines use binary search and find the wrong keys if they are not in order. The repair sorts the keys. With `--fix=all` only the last of \
         those at the same time remains.",
    )
    .repaired(Repair::w3d("sorts keys by time", fix::sort_keys)),
    Rule::w3d(
        "W3D-CHAN-008",
        Error,
        first_key,
        "docs/formats/w3d/animation.md#time-coded-channels: motchan.cpp binary_search_index never ends",
        "the first key is not at frame 0",
        "If the animation is at a frame before the first key, the engine's search never ends (two keys or more) or reads before the keys (one key): the game \
         hangs. Add a key at frame 0.",
    ),
    Rule::w3d(
        "W3D-CHAN-009",
        Info,
        delta_tail,
        "docs/formats/w3d/animation.md#adaptive-delta: Load_W3D of motchan.cpp",
        "the size of a delta channel overruns the loader's block",
        "Zero Hour's loader reads up to three bytes more than it allocated, unless the size minus 16 is a multiple of 4. Westwood's exporter writes such files, too.",
    ),
    Rule::w3d(
        "W3D-CHAN-010",
        Warning,
        motion_byte,
        "docs/formats/w3d/animation.md#motion-channels: reserved byte 0",
        "a motion channel's first byte is not 0",
        "The byte is 0 in every known file; a reader may treat it as part of the flavour.",
    )
    .only(Games::SMOOTH),
    Rule::w3d(
        "W3D-CHAN-011",
        Warning,
        unit_rotation,
        "docs/formats/w3d/animation.md#raw-channels: quaternion unit",
        "a rotation is not a unit quaternion",
        "Engines use it as it is: the bone and its children are scaled during this frame.",
    ),
    Rule::w3d(
        "W3D-CHAN-012",
        Warning,
        euler,
        "docs/formats/w3d/animation.md#channel-types: types 3 to 5 are stored but never evaluated",
        "a channel of Euler angles",
        "Engines store it and never use it: the bone does not rotate. Export rotations as quaternions.",
    ),
    Rule::w3d(
        "W3D-CHAN-013",
        Warning,
        unknown_type,
        "docs/formats/w3d/animation.md#channel-types: 0, 1, 2, 6 and 15 are used on disk",
        "a channel of unknown type",
        "Engines ignore it or assert on it.",
    ),
    Rule::w3d(
        "W3D-CHAN-014",
        Hint,
        redundant,
        "users ask for smaller files",
        "keys without effect",
        "A key between two keys of the same value has no effect. `--fix=all` removes such keys.",
    )
    .repaired(Repair::w3d("removes keys without effect", fix::redundant_keys).all()),
];

fn channels<'n>(context: &W3dContext<'n>) -> impl Iterator<Item = (&'n Node<'n>, &'n Node<'n>)> {
    animations(context)
        .flat_map(|animation| animation.0.children().iter().map(move |node| (animation.0, node)))
}

fn decoded<'n>(context: &W3dContext<'n>) -> impl Iterator<Item = (&'n Node<'n>, &'n Node<'n>, Channel)> {
    channels(context).filter_map(|(animation, node)| Some((animation, node, codec::decode(node)?)))
}

fn pivot(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for animation in animations(context) {
        let Some(pivots) = context.skeleton(&animation.hierarchy_name()) else { continue };
        for node in animation.0.children() {
            if let Some(pivot) =
                header(node).map(|header| header.pivot).filter(|pivot| usize::from(*pivot) >= pivots.len())
            {
                findings.add(node, out_of_range("bone", pivot, "skeleton", pivots.len()));
            }
        }
    }
}

/// The header of a channel of any form.
struct Header {
    pivot: u16,
    target: ChannelType,
    components: usize,
    bits: bool,
}

fn header(node: &Node<'_>) -> Option<Header> {
    let new = |pivot: U16, target, components: usize| {
        Some(Header { pivot: pivot.get(), target, components, bits: false })
    };
    if let Some(header) = node.value::<AnimationChannel>() {
        return new(header.pivot, header.flags, header.vector_len.get().into());
    }
    if let Some(header) = node.value::<BitChannel>() {
        return Some(Header {
            pivot: header.pivot.get(),
            target: ChannelType::VIS,
            components: 1,
            bits: true,
        });
    }
    if let Some(header) = node.value::<TimeCodedChannel>() {
        return new(header.pivot, header.flags.wide(), header.vector_len.into());
    }
    if let Some(header) = node.value::<AdaptiveDeltaChannel>() {
        return new(header.pivot, header.flags.wide(), header.vector_len.into());
    }
    if let Some(header) = node.value::<MotionChannel>() {
        return new(header.pivot, header.flags.wide(), header.vector_len.into());
    }
    let header = node.value::<w3d::records::CompressedBitChannel>()?;
    Some(Header { pivot: header.pivot.get(), target: ChannelType::VIS, components: 1, bits: true })
}

/// A description of the value that a channel animates.
fn target_name(target: ChannelType) -> String {
    target.name().map_or_else(|| format!("type {}", target.get()), str::to_owned)
}

fn frames(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for animation in animations(context) {
        let count = animation.num_frames();
        for node in animation.0.children() {
            let ends = node.value::<AnimationChannel>().map(|header| (header.first_frame, header.last_frame));
            let ends = ends
                .or_else(|| node.value::<BitChannel>().map(|header| (header.first_frame, header.last_frame)));
            if let Some((first, last)) =
                ends.filter(|(first, last)| first > last || u32::from(last.get()) >= count)
            {
                findings.add(
                    node,
                    format!(
                        "the channel has frames {first} to {last}, but the animation has {}",
                        counted(len(count), "frame")
                    ),
                );
            }
            let last = time_codes(node).and_then(|keys| keys.last().map(|key| key.frame));
            if let Some(last) = last.filter(|last| *last >= count) {
                findings.add(
                    node,
                    format!(
                        "the last key is at frame {last}, but the animation has {}",
                        counted(len(count), "frame")
                    ),
                );
            }
        }
    }
}

fn vector_length(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for (_, node) in channels(context) {
        let Some(header) = header(node) else { continue };
        let expected = match header.target.get() {
            6 => 4,
            0..=5 | 15 => 1,
            _ => continue,
        };
        if header.components != expected {
            findings.add(
                node,
                format!(
                    "a channel of {} has {}, not {expected}",
                    target_name(header.target),
                    counted(header.components, "float")
                ),
            );
        }
    }
}

/// The declared and the actual number of frames or keys of a channel.
fn stated_and_held(node: &Node<'_>) -> Option<(usize, usize)> {
    let slot =
        |name: &str| node.slots().find(|part| part.slot.name == name).map_or(0, |part| part.bytes.len());
    if let Some(header) = node.value::<AnimationChannel>() {
        let frames =
            (usize::from(header.last_frame.get()) + 1).saturating_sub(header.first_frame.get().into());
        return Some((frames * usize::from(header.vector_len.get()), slot("values") / 4));
    }
    if let Some(header) = node.value::<BitChannel>() {
        let frames =
            (usize::from(header.last_frame.get()) + 1).saturating_sub(header.first_frame.get().into());
        return Some((frames.div_ceil(8), slot("bits")));
    }
    if let Some(header) = node.value::<TimeCodedChannel>() {
        let held = (node.bytes().len().saturating_sub(8)) / (4 + 4 * usize::from(header.vector_len));
        return Some((len(header.num_time_codes), held.min(len(header.num_time_codes))));
    }
    if let Some(header) = node.value::<AdaptiveDeltaChannel>() {
        let packets = len(header.num_frames).div_ceil(16).saturating_mul(header.vector_len.into());
        return Some((packets, node.values::<DeltaPacket4>().len()));
    }
    if let Some(header) = node.value::<w3d::records::CompressedBitChannel>() {
        return Some((len(header.num_time_codes), node.values::<U32>().len()));
    }
    let header = node.value::<MotionChannel>()?;
    let (count, components) = (usize::from(header.num_time_codes.get()), usize::from(header.vector_len));
    let packets = count.div_ceil(16) * components;
    match header.flavor.get() {
        0 => Some((count * (1 + components), node.values::<U16>().len() + slot("values") / 4)),
        1 => Some((packets, node.values::<DeltaPacket4>().len())),
        2 => Some((packets, node.values::<DeltaPacket8>().len())),
        _ => None,
    }
}

fn too_short(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for (_, node) in channels(context) {
        if let Some((stated, held)) = stated_and_held(node).filter(|(stated, held)| held < stated) {
            findings.add(
                node,
                format!(
                    "the channel has {} of the {} values, packets or keys that its header says",
                    thousands(held),
                    thousands(stated)
                ),
            );
        }
    }
}

fn surplus(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for animation in animations(context) {
        let has_surplus = |node: &&Node<'_>| {
            node.is(&ANIMATION_CHANNEL) && node.slots().any(|part| part.slot.name == "surplus")
        };
        let count = animation.0.children().iter().filter(has_surplus).count();
        if count > 0 {
            let (channels, have) = (counted(count, "channel"), verb(count, "has", "have"));
            findings.add(animation.0, format!("{channels} {have} surplus values"));
        }
    }
}

fn duplicate(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let mut seen = HashSet::new();
    for (animation, node) in channels(context) {
        let Some(header) = header(node) else { continue };
        let of = std::ptr::from_ref(animation).addr();
        if !seen.insert((of, header.pivot, header.target, header.bits)) {
            findings.add(
                node,
                format!("bone {} has another channel for {}", header.pivot, target_name(header.target)),
            );
        }
    }
}

/// The times of a channel of keys or switches, in stored order.
pub(crate) fn time_codes(node: &Node<'_>) -> Option<Vec<Key>> {
    match codec::decode(node)?.values {
        Values::Keys { keys, .. } => Some(keys),
        Values::Switches(switches) => {
            Some(switches.iter().map(|(frame, _)| Key { frame: *frame, step: false }).collect())
        }
        _ => None,
    }
}

fn ascending(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for (_, node) in channels(context) {
        let Some(keys) = time_codes(node) else { continue };
        if let Some(index) = keys.windows(2).position(|pair| pair[0].frame >= pair[1].frame) {
            findings.add(
                node,
                format!(
                    "key {} is at frame {}, not after key {index} at frame {}",
                    index + 1,
                    keys[index + 1].frame,
                    keys[index].frame
                ),
            );
        }
    }
}

fn first_key(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    // The search of motion channels is not known, and bit channels have a value before the first key.
    for (_, node) in channels(context).filter(|(_, node)| node.is(&COMPRESSED_ANIMATION_CHANNEL)) {
        if let Some(first) =
            time_codes(node).and_then(|keys| keys.first().copied()).filter(|first| first.frame != 0)
        {
            findings.add(node, format!("the first key is at frame {}, not 0", first.frame));
        }
    }
}

fn delta_tail(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for (_, node) in channels(context).filter(|(_, node)| node.is(&ADAPTIVE_DELTA_CHANNEL)) {
        let beyond = node.bytes().len().saturating_sub(16) % 4;
        if beyond != 0 {
            findings.add(node, format!("the loader writes {} beyond its block", counted(beyond, "byte")));
        }
    }
}

fn motion_byte(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for (_, node) in channels(context) {
        if let Some(header) = node.value::<MotionChannel>().filter(|header| header.zero != 0) {
            findings.add(node, format!("the first byte of the channel is {}, not 0", header.zero));
        }
    }
}

fn unit_rotation(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for (_, node, channel) in decoded(context).filter(|(_, _, channel)| channel.target == ChannelType::Q) {
        // The four components drift independently; neither decoders nor engines normalise them
        // (docs/formats/w3d/animation.md#adaptive-delta: 0.9976 to 1.0035).
        let (values, slack) = match &channel.values {
            Values::Frames { values, components: 4, outside, .. } => {
                (values, if *outside == Outside::Hold { 0.05 } else { 0.01 })
            }
            Values::Keys { values, components: 4, .. } => (values, 0.01),
            _ => continue,
        };
        let norm = |rotation: &[f32]| rotation.iter().map(|part| part * part).sum::<f32>().sqrt();
        if let Some((index, rotation)) =
            values.chunks_exact(4).enumerate().find(|(_, rotation)| (norm(rotation) - 1.0).abs() > slack)
        {
            findings.add(node, format!("rotation {index} has length {:.3}, not 1", norm(rotation)));
        }
    }
}

fn euler(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for (_, node) in channels(context) {
        if let Some(header) = header(node).filter(|header| (3..=5).contains(&header.target.get())) {
            findings.add(
                node,
                format!(
                    "the channel has Euler angles ({}), which engines ignore",
                    target_name(header.target)
                ),
            );
        }
    }
}

fn unknown_type(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for (_, node) in channels(context) {
        if let Some(header) = header(node).filter(|header| !matches!(header.target.get(), 0..=6 | 15)) {
            findings.add(node, format!("the channel has the unknown type {}", header.target.get()));
        }
    }
}

/// The redundant keys of a channel: those between two keys of the same value, without a step.
pub(crate) fn redundant_of(channel: &Channel) -> Vec<usize> {
    match &channel.values {
        Values::Keys { components, keys, values } if *components > 0 => {
            let value = |index: usize| {
                values
                    .get(index * components..(index + 1) * components)
                    .map(|value| value.iter().map(|part| part.to_bits()))
            };
            let same = |a: usize, b: usize| matches!((value(a), value(b)), (Some(a), Some(b)) if a.clone().eq(b.clone()));
            let ascending = keys.windows(2).all(|pair| pair[0].frame < pair[1].frame);
            let between = 1..keys.len().saturating_sub(1);
            let bad = between.filter(|index| {
                ascending
                    && !keys[*index].step
                    && !keys[*index + 1].step
                    && same(index - 1, *index)
                    && same(*index, index + 1)
            });
            bad.collect()
        }
        Values::Switches(switches) => {
            let ascending = switches.windows(2).all(|pair| pair[0].0 < pair[1].0);
            (1..switches.len())
                .filter(|index| ascending && switches[*index].1 == switches[*index - 1].1)
                .collect()
        }
        _ => Vec::new(),
    }
}

fn redundant(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for (_, node, channel) in decoded(context) {
        let count = redundant_of(&channel).len();
        if count > 0 {
            findings.add(
                node,
                format!(
                    "{} {} between keys of the same value",
                    counted(count, "key"),
                    verb(count, "is", "are")
                ),
            );
        }
    }
}
