//! Keys of compressed channels: sorting, and removing redundant keys.

use record::Node;
use w3d::records::{CompressedBitChannel, MotionChannel, TimeCodedChannel};
use w3d::{W3d, codec};

use super::{Changes, FixLevel, each_child};
use crate::rules::w3d::channels::{redundant_of, time_codes};

/// Sorts keys by time. If keys may be removed, only the last of several keys at the same time stays.
pub(crate) fn sort_keys(file: &mut W3d<'_>, changes: &mut Changes) {
    each_channel(file, &mut |path, node| {
        let Some(keys) = time_codes(node) else { return };
        if keys.windows(2).all(|pair| pair[0].frame < pair[1].frame) {
            return;
        }
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|index| keys[*index].frame);
        let last_of_time = |index: &usize, next: Option<&usize>| {
            next.is_none_or(|next| keys[*next].frame != keys[*index].frame)
        };
        let removes = changes.level == FixLevel::All;
        let kept: Vec<usize> = order
            .iter()
            .enumerate()
            .filter(|(index, key)| !removes || last_of_time(key, order.get(index + 1)))
            .map(|(_, key)| *key)
            .collect();
        if kept.iter().copied().eq(0..keys.len()) {
            return;
        }
        if rewrite(node, &kept).is_some() {
            changes.add(path, format!("{} keys sorted, {} removed", keys.len(), keys.len() - kept.len()));
        }
    });
}

/// Removes keys that lie between keys of the same value.
pub(crate) fn redundant_keys(file: &mut W3d<'_>, changes: &mut Changes) {
    each_channel(file, &mut |path, node| {
        let Some(channel) = codec::decode(node) else { return };
        let redundant = redundant_of(&channel);
        let Some(keys) = time_codes(node).filter(|_| !redundant.is_empty()) else { return };
        let kept: Vec<usize> =
            (0..keys.len()).filter(|index| redundant.binary_search(index).is_err()).collect();
        if rewrite(node, &kept).is_some() {
            changes.add(path, format!("{} keys removed", redundant.len()));
        }
    });
}

fn each_channel<'a>(file: &mut W3d<'a>, see: &mut dyn FnMut(&str, &mut Node<'a>)) {
    each_child(&mut file.root, "", "COMPRESSED_ANIMATION", &mut |path, animation| {
        for name in
            ["COMPRESSED_ANIMATION_CHANNEL", "COMPRESSED_BIT_CHANNEL", "COMPRESSED_ANIMATION_MOTION_CHANNEL"]
        {
            each_child(animation, path, name, see);
        }
    });
}

/// Rewrites a channel with the given keys, in the given order. The data after the keys stays.
fn rewrite(node: &mut Node<'_>, kept: &[usize]) -> Option<()> {
    let bytes = node.bytes();
    let (count, each) = if let Some(header) = node.value::<TimeCodedChannel>() {
        (header.num_time_codes.get() as usize, 4 + 4 * usize::from(header.vector_len))
    } else if let Some(header) = node.value::<CompressedBitChannel>() {
        (header.num_time_codes.get() as usize, 4)
    } else {
        return rewrite_motion(node, kept);
    };
    let rest = bytes.get(8..)?;
    let held = count.min(rest.len() / each);
    let keys: Vec<&[u8]> = rest.chunks_exact(each).take(held).collect();
    let tail = rest.get(held * each..)?.to_vec();
    let chosen: Vec<u8> =
        kept.iter().filter_map(|index| keys.get(*index)).flat_map(|key| key.iter().copied()).collect();
    let number = u32::try_from(kept.len()).ok()?;
    let mut new = bytes[..8].to_vec();
    new[..4].copy_from_slice(&number.to_le_bytes());
    new.extend(chosen);
    new.extend(tail);
    *node.bytes_mut()? = new;
    Some(())
}

/// The same for a motion channel of keys: times, padding to four bytes, then values.
fn rewrite_motion(node: &mut Node<'_>, kept: &[usize]) -> Option<()> {
    let header = *node.value::<MotionChannel>().filter(|header| header.flavor.get() == 0)?;
    let slot = |name: &str| node.slots().find(|part| part.slot.name == name).map(|part| part.bytes);
    let (times, values) = (slot("time_codes")?, slot("values")?);
    let size = 4 * usize::from(header.vector_len);
    let rest = node.slots();
    let tail = {
        let mut slots = rest;
        slots.by_ref().for_each(drop);
        slots.rest().to_vec()
    };
    let mut new = node.bytes().get(..8)?.to_vec();
    new[4..6].copy_from_slice(&u16::try_from(kept.len()).ok()?.to_le_bytes());
    for index in kept {
        new.extend(times.get(index * 2..index * 2 + 2)?);
    }
    new.extend(std::iter::repeat_n(0, kept.len() % 2 * 2));
    for index in kept {
        new.extend(values.get(index * size..(index + 1) * size)?);
    }
    new.extend(tail);
    *node.bytes_mut()? = new;
    Some(())
}
