//! Keys of MDX tracks: sorting, and removing redundant keys.

use std::collections::HashSet;

use mdx::records::Interpolation;
use mdx::view::Track;
use mdx::{Document, ValueType};
use record::{Count, Node};

use super::{Changes, FixLevel, each_node};
use crate::context::MdxContext;
use crate::rules::mdx::track::removable;

/// Bytes before the first key, and per key.
fn layout(node: &Node<'_>) -> (usize, usize) {
    let fixed = node
        .kind
        .slots
        .iter()
        .filter(|slot| matches!(slot.count, Count::One))
        .map(|slot| slot.item.size())
        .sum();
    (fixed, node.kind.slots.last().map_or(1, |slot| slot.item.size()).max(1))
}

/// Rewrites a track with the given keys, in the given order.
fn rewrite(node: &mut Node<'_>, kept: &[usize]) -> Option<()> {
    let (fixed, size) = layout(node);
    let keys = node.bytes().get(fixed..)?;
    let mut new = node.bytes()[..fixed].to_vec();
    for index in kept {
        new.extend(keys.get(index * size..(index + 1) * size)?);
    }
    new.extend(&keys[keys.len() / size * size..]);
    *node.bytes_mut()? = new;
    Some(())
}

/// The times of a track's keys; `None` if the track has no values.
fn times(node: &Node<'_>) -> Option<Vec<i32>> {
    let track = Track::new(node).filter(|track| track.row.value != ValueType::Event)?;
    Some(track.keys().map(|key| key.time).collect())
}

/// Sorts keys by time. Keys at the same time keep their order; another rule reports them.
pub(crate) fn mdx_sort_keys(file: &mut Document<'_>, changes: &mut Changes) {
    each_node(&mut file.root, &mut |path, node| {
        let Some(times) = times(node).filter(|times| !times.is_sorted()) else { return };
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.sort_by_key(|index| times[*index]);
        if rewrite(node, &order).is_some() {
            changes.add(path, format!("{} keys sorted", times.len()));
        }
    });
}

/// If the value jumps at two keys of the same time, moves the first a millisecond earlier, so that the motion before the
/// jump stays. If keys may be removed, all other keys of the same time except the last are removed.
pub(crate) fn mdx_same_time(file: &mut Document<'_>, changes: &mut Changes) {
    // At the start of a sequence there is no motion before the jump.
    let starts: HashSet<i32> =
        file.view().sequences().map(|sequence| sequence.interval[0]).chain([0]).collect();
    each_node(&mut file.root, &mut |path, node| {
        let Some(times) = times(node) else { return };
        let Some(track) = Track::new(node) else { return };
        let values: Vec<[u32; 4]> = track.keys().map(|key| key.value.map(f32::to_bits)).collect();
        let steps = track.interpolation() == Interpolation::NONE;
        let (mut kept, mut moved) = (Vec::new(), Vec::new());
        let mut first = 0;
        for group in times.chunk_by(|a, b| a == b) {
            let (last, time) = (first + group.len() - 1, times[first]);
            let keeps_all = group.len() > 2 && changes.level == FixLevel::Safe;
            let earlier = time.wrapping_sub(1);
            let has_room = first.checked_sub(1).is_none_or(|before| times[before] < earlier);
            let jumps = first != last && values[first] != values[last] && !steps;
            if keeps_all {
                kept.extend(first..last);
            } else if jumps && has_room && !starts.contains(&time) {
                moved.push(kept.len());
                kept.push(first);
            } else if changes.level == FixLevel::Safe {
                kept.extend(first..last);
            }
            kept.push(last);
            first = last + 1;
        }
        if kept.len() == times.len() && moved.is_empty() || rewrite(node, &kept).is_none() {
            return;
        }
        let (fixed, size) = layout(node);
        for at in &moved {
            let time =
                node.bytes_mut().and_then(|bytes| bytes.get_mut(fixed + at * size..)?.first_chunk_mut::<4>());
            if let Some(time) = time {
                *time = i32::from_le_bytes(*time).wrapping_sub(1).to_le_bytes();
            }
        }
        let removed = times.len() - kept.len();
        changes.add(path, format!("{removed} keys removed, {} put a millisecond earlier", moved.len()));
    });
}

/// Removes keys that lie between keys of exactly the same value in the same sequence.
pub(crate) fn mdx_redundant_keys(file: &mut Document<'_>, changes: &mut Changes) {
    let mut redundant: Vec<Vec<usize>> = {
        let context = MdxContext::new(file, model::Game::Wc3Classic, None);
        context.tracks().iter().map(|track| removable(&context, track)).collect()
    };
    redundant.reverse();
    // Tracks are visited in the order in which they were listed.
    each_node(&mut file.root, &mut |path, node| {
        let Some(count) = Track::new(node).map(|track| track.len()) else { return };
        let redundant = redundant.pop().unwrap_or_default();
        if redundant.is_empty() {
            return;
        }
        let kept: Vec<usize> = (0..count).filter(|index| redundant.binary_search(index).is_err()).collect();
        if rewrite(node, &kept).is_some() {
            changes.add(path, format!("{} keys removed", redundant.len()));
        }
    });
}
