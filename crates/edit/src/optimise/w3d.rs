//! Smaller W3D files.

use std::collections::{HashMap, HashSet};

use record::zerocopy::IntoBytes;
use record::{Node, U16, U32};
use scene::Scene;
use w3d::codec::{Channel, Key, Outside, Values, decode, distance, encode_keys};
use w3d::names::{BitChannelType8, ChannelType8, Flavor, Version};
use w3d::records::*;
use w3d::table;

use super::tell;
use crate::Error;
use crate::clip::w3d::{encode, frames, time_coded};
use crate::report::{Report, counted};
use crate::strip::w3d::{List, lists};
use crate::vertices::w3d as vertices;

/// Removes and merges parts.
pub(super) fn structure(root: &mut Node<'_>, report: &mut Report) -> Result<(), Error> {
    let unused = crate::remove::unused(root)?;
    tell(report, unused.changed, "unused part", "removed");
    let merged = lists().iter().map(|list| equal(root, list)).sum();
    tell(report, merged, "equal material or texture", "merged");
    let mut gone = 0;
    for mesh in root.children_mut().into_iter().flatten().filter(|chunk| chunk.is(&table::MESH)) {
        if let Some(selection) = vertices::welded(mesh).filter(|selection| selection.gone() > 0) {
            vertices::keep(mesh, &selection, None);
            gone += selection.gone();
        }
    }
    tell(report, gone, "equal or unused vertex", "merged or removed");
    let mut fixups = 0;
    for skeleton in root.children_mut().into_iter().flatten().filter(|chunk| chunk.is(&table::HIERARCHY)) {
        let Some(children) = skeleton.children_mut() else { continue };
        let before = children.len();
        children.retain(|child| !child.is(&table::PIVOT_FIXUPS));
        fixups += before - children.len();
    }
    tell(report, fixups, "list", "of pivot fixups removed, which only exporters read");
    Ok(())
}

/// Makes equal elements of a list of every mesh one.
fn equal(node: &mut Node<'_>, list: &List) -> usize {
    let mut merged = 0;
    if node.all(list.list).count() == 1 {
        let elements = node.child(list.list).into_iter().flat_map(|own| own.all(list.element));
        let keys: Vec<Vec<u8>> = elements.map(|element| element.to_bytes().unwrap_or_default()).collect();
        let mut first: HashMap<&[u8], u32> = HashMap::new();
        let into: Vec<u32> =
            (0_u32..).zip(&keys).map(|(index, key)| *first.entry(key).or_insert(index)).collect();
        let stays: Vec<bool> = (0_u32..).zip(&into).map(|(index, into)| index == *into).collect();
        if stays.contains(&false) {
            list.change(node, &|old| {
                usize::try_from(old).ok().and_then(|old| into.get(old).copied()).unwrap_or(old)
            });
            merged += list.retain(node, &stays);
        }
    }
    merged + node.children_mut().into_iter().flatten().map(|child| equal(child, list)).sum::<usize>()
}

/// Removes frames, keys and channels within a tolerance.
pub(super) fn channels(
    root: &mut Node<'_>,
    scene: &Scene,
    tolerance: f32,
    compress: bool,
    report: &mut Report,
) -> Result<(), Error> {
    let size = scene.rest_bounds().map_or(1.0, |bounds| bounds.radius).max(1e-3);
    let known: Vec<String> = crate::skeletons(root).here;
    let mut work = Work { size, tolerance, ..Work::default() };
    for clip in root.children_mut().into_iter().flatten() {
        let Some(view) = w3d::Animation::new(clip) else { continue };
        let is_known = known.iter().any(|name| name.eq_ignore_ascii_case(&view.hierarchy_name()));
        let worst = std::mem::take(&mut work.worst);
        work.clip(clip);
        if compress && clip.is(&table::ANIMATION) {
            work.compressed(clip);
        }
        // The error of a pose is measured if the skeleton is here.
        work.lonely += usize::from(!is_known && work.worst > 0.0);
        work.worst = if is_known { worst } else { worst.max(work.worst) };
    }
    tell(report, work.still, "channel", "removed that moves nothing");
    tell(report, work.shorter, "channel", "shortened");
    tell(report, work.dropped, "key", "removed that others replace");
    tell(report, work.packed, "animation", "stored as keys");
    if work.lonely > 0 {
        report.note(format!(
            "the skeleton of {} is in another file, so poses cannot be measured: no channel is off by more than {:.1e}",
            counted(work.lonely, "animation"),
            work.worst
        ));
    }
    Ok(())
}

#[derive(Default)]
struct Work {
    size: f32,
    tolerance: f32,
    still: usize,
    shorter: usize,
    dropped: usize,
    packed: usize,
    /// Animations without a skeleton that were changed within the tolerance.
    lonely: usize,
    /// The largest error of a channel, as a fraction of the size of the model or in radians.
    worst: f32,
}

/// The value of a channel without frames.
fn rest(target: w3d::names::ChannelType, components: usize) -> Vec<f32> {
    match (target == w3d::names::ChannelType::VIS, components) {
        (true, _) => vec![1.0; components],
        (_, 4) => vec![0.0, 0.0, 0.0, 1.0],
        _ => vec![0.0; components],
    }
}

impl Work {
    /// How far the numbers of a channel may be off, and what one unit of them is of the model.
    fn allowance(&self, components: usize) -> (f32, f32) {
        // The distance of two rotations is about half their angle.
        if components == 4 {
            (self.tolerance * 0.5, 2.0)
        } else {
            (self.tolerance * self.size, 1.0 / self.size)
        }
    }

    fn clip(&mut self, clip: &mut Node<'_>) {
        let Some(children) = clip.children_mut() else { return };
        children.retain_mut(|child| {
            let Some(channel) = decode(child) else { return true };
            match self.channel(child, &channel) {
                Some(None) => {
                    self.still += 1;
                    false
                }
                Some(Some(new)) => {
                    *child = new;
                    true
                }
                None => true,
            }
        });
    }

    /// A smaller channel; nothing if the channel moves nothing.
    #[expect(clippy::option_option, reason = "no change, no channel, or another one")]
    fn channel<'a>(&mut self, node: &Node<'a>, channel: &Channel) -> Option<Option<Node<'a>>> {
        match &channel.values {
            Values::Frames { first, components, values, outside }
                if *outside != Outside::Hold && *components > 0 =>
            {
                let rest = rest(channel.target, *components);
                let moves = |value: &[f32]| value.iter().zip(&rest).any(|(a, b)| a != b);
                let Some(low) = values.chunks_exact(*components).position(moves) else { return Some(None) };
                let high = values.chunks_exact(*components).rposition(moves)?;
                let part = values.get(low * components..(high + 1) * components)?;
                let new = Values::Frames {
                    first: first + u32::try_from(low).ok()?,
                    components: *components,
                    values: part.to_vec(),
                    outside: *outside,
                };
                let new = encode(node, &new)?;
                // Exporters leave words behind the values.
                let saves = new.bytes().len() < node.bytes().len();
                self.shorter += usize::from(saves);
                saves.then_some(Some(new))
            }
            Values::Bits { bits, default: true, .. } if !bits.contains(&false) => Some(None),
            Values::Keys { components, keys, values } if *components > 0 && !keys.is_empty() => {
                let (new_keys, new_values) = self.fewer(*components, keys, values)?;
                let rest = rest(channel.target, *components);
                if new_keys.len() == 1 && new_values == rest && keys[0].frame == 0 {
                    return Some(None);
                }
                let dropped = keys.len() - new_keys.len();
                let new = Values::Keys { components: *components, keys: new_keys, values: new_values };
                let new = encode(node, &new).filter(|_| dropped > 0)?;
                self.dropped += dropped;
                Some(Some(new))
            }
            _ => None,
        }
    }

    /// The keys that a tolerance needs. Steps stay as they are.
    fn fewer(&mut self, components: usize, keys: &[Key], values: &[f32]) -> Option<(Vec<Key>, Vec<f32>)> {
        let ascending = keys.windows(2).all(|pair| pair[0].frame < pair[1].frame);
        if !ascending || keys.iter().any(|key| key.step) || values.len() != keys.len() * components {
            return None;
        }
        let (allowance, unit) = self.allowance(components);
        let value = |index: usize| &values[index * components..(index + 1) * components];
        if (1..keys.len()).all(|index| value(index) == value(0)) {
            return Some((vec![keys[0]], value(0).to_vec()));
        }
        let whole = Values::Keys { components, keys: keys.to_vec(), values: values.to_vec() };
        let (mut kept, mut start) = (vec![0], 0);
        while start + 1 < keys.len() {
            let (mut fits, mut step) = (start + 1, 1);
            while step > 0 {
                let end = (fits + step).min(keys.len() - 1);
                let span = Values::Keys {
                    components,
                    keys: vec![keys[start], keys[end]],
                    values: [value(start), value(end)].concat(),
                };
                let error = span_error(&whole, &span, keys, start, end);
                let fine = if allowance > 0.0 {
                    error <= allowance
                } else {
                    (start..end).all(|index| value(index + 1) == value(start))
                };
                if end > fits && fine {
                    self.worst = self.worst.max(error * unit);
                    fits = end;
                    step *= 2;
                } else {
                    step /= 2;
                }
            }
            kept.push(fits);
            start = fits;
        }
        let new_values = kept.iter().flat_map(|index| value(*index).to_vec()).collect();
        Some((kept.iter().map(|index| keys[*index]).collect(), new_values))
    }

    /// Replaces an animation of frames by one of keys, if that is smaller.
    fn compressed(&mut self, clip: &mut Node<'_>) {
        let worst = self.worst;
        match self.packed_clip(clip) {
            Some(new) if new.len() < clip.len() => {
                *clip = new;
                self.packed += 1;
            }
            _ => self.worst = worst,
        }
    }

    fn packed_clip<'a>(&mut self, clip: &Node<'_>) -> Option<Node<'a>> {
        let header = clip.get(table::ANIMATION_HEADER)?;
        let frames = frames(clip);
        let new = CompressedAnimationHeader {
            version: Version::new(0, 1),
            name: header.name,
            hierarchy_name: header.hierarchy_name,
            num_frames: header.num_frames,
            frame_rate: U16::new(u16::try_from(header.frame_rate.get()).ok()?),
            flavor: Flavor::TIMECODED,
        };
        let mut chunks = vec![record::build(table::COMPRESSED_ANIMATION_HEADER, &new)];
        let mut moved = HashSet::new();
        for child in clip.children().iter().filter(|child| !child.is(&table::ANIMATION_HEADER)) {
            let channel = decode(child)?;
            // Bits and numbers may both say whether a bone is visible; both would become switches.
            if !moved.insert((channel.pivot, channel.target)) {
                return None;
            }
            chunks.push(self.packed_channel(&channel, frames)?);
        }
        Some(record::build(table::COMPRESSED_ANIMATION, chunks))
    }

    fn packed_channel<'a>(&mut self, channel: &Channel, frames: u32) -> Option<Node<'a>> {
        let mut value = Vec::new();
        let target = u8::try_from(channel.target.get()).ok()?;
        let pivot = U16::new(channel.pivot);
        match &channel.values {
            Values::Frames { components, .. } if channel.target != w3d::names::ChannelType::VIS => {
                let mut all = Vec::new();
                for frame in 0..frames {
                    channel.values.sample(frame as f32, &mut value);
                    all.extend_from_slice(&value);
                }
                let (allowance, unit) = self.allowance(*components);
                let (keys, values, error) = encode_keys(*components, &all, allowance);
                self.worst = self.worst.max(error * unit);
                time_coded(pivot, ChannelType8::new(target), *components, &keys, &values)
            }
            // A switch for each change of the visibility.
            Values::Bits { .. } | Values::Frames { .. } => {
                let mut switches: Vec<(u32, bool)> = Vec::new();
                for frame in 0..frames {
                    channel.values.sample(frame as f32, &mut value);
                    let on = value.first().is_none_or(|value| *value > 0.5);
                    if switches.last().is_none_or(|(_, last)| *last != on) {
                        switches.push((frame, on));
                    }
                }
                let header = CompressedBitChannel {
                    num_time_codes: U32::new(u32::try_from(switches.len()).ok()?),
                    pivot,
                    flags: BitChannelType8::VIS,
                    default_val: 1,
                };
                let mut body = header.as_bytes().to_vec();
                for (frame, on) in switches {
                    body.extend_from_slice(U32::new(frame | u32::from(on) << 31).as_bytes());
                }
                let chunk = table::COMPRESSED_BIT_CHANNEL;
                Some(Node::leaf(chunk.kind, chunk.kind.id, body))
            }
            _ => None,
        }
    }
}

/// The largest error of keys between two that stay, at keys and between them.
fn span_error(whole: &Values, span: &Values, keys: &[Key], start: usize, end: usize) -> f32 {
    let (mut exact, mut other) = (Vec::new(), Vec::new());
    // A turn of more than half a circle would go the other way.
    let mut turn = 0.0;
    let mut worst = 0.0_f32;
    let mut last: Option<Vec<f32>> = None;
    for index in start..=end {
        let frame = keys[index].frame as f32;
        let next = keys.get(index + 1).filter(|_| index < end).map_or(frame, |key| key.frame as f32);
        for time in [frame, frame.midpoint(next)] {
            whole.sample(time, &mut exact);
            span.sample(time, &mut other);
            worst = worst.max(distance(&exact, &other));
        }
        whole.sample(frame, &mut exact);
        if exact.len() == 4 {
            turn += last.as_ref().map_or(0.0, |last| 2.0 * distance(last, &exact));
            last = Some(exact.clone());
        }
    }
    if turn > 2.6 && end > start + 1 || worst.is_nan() { f32::INFINITY } else { worst }
}
