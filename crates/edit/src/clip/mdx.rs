//! Sequences of MDX: intervals of one time line, on which all keys are.

use std::collections::BTreeSet;

use mdx::kinds;
use mdx::records::*;
use mdx::tags;
use mdx::view::{NodeKind, Object};
use record::{F32, I32, Node, U32, Vec3};

use super::ClipChange;
use crate::Error;
use crate::keys::curve::{Curve, default_value};
use crate::keys::mdx::{RawKey, each_track, keys, set_keys};
use crate::remove::mdx::{intervals, names};
use crate::report::{Report, counted};
use crate::select::{PartKind, require_one};

/// Milliseconds between the two parts of a sequence that is split.
const GAP: i32 = 100;

pub(super) fn change(root: &mut Node<'_>, index: usize, change: &ClipChange) -> Result<Report, Error> {
    let all = intervals(root);
    let Some(window) = all.get(index).copied() else { return Ok(Report::default()) };
    if window[1] < window[0] {
        return Err(Error::new("the sequence ends before it starts"));
    }
    let mut report = Report::of(1);
    match change {
        ClipChange::Rename(name) => {
            let old = names(root).get(index).cloned().unwrap_or_default();
            report.changed = crate::rename(root, crate::Named::Animation, &old, name)?.min(1);
        }
        ClipChange::Loop(looping) => {
            let flag = SequenceFlags::NON_LOOPING.get();
            report.changed = header(root, index, |header| {
                let old = header.flags.get();
                *header.flags = SequenceFlags::new(if *looping { old & !flag } else { old | flag });
            });
        }
        ClipChange::MoveSpeed(speed) => {
            report.changed = header(root, index, |header| header.move_speed.set(*speed));
        }
        ClipChange::Rarity(rarity) => {
            report.changed = header(root, index, |header| header.rarity.set(*rarity));
        }
        ClipChange::Bounds(low, high) => {
            let extent = extent(*low, *high);
            report.changed = header(root, index, |header| *header.extent = extent);
        }
        ClipChange::Speed(factor) => speed(root, index, &all, *factor, &mut report)?,
        ClipChange::Reverse => {
            refuse_shared(root, index, &all, true)?;
            report.changed = usize::from(
                rewrite(root, window, &mut |curve| curve.reverse()) | mirror_events(root, window),
            );
        }
        ClipChange::Trim { from, to } => trim(root, index, &all, [*from, *to], &mut report)?,
        ClipChange::Split { at, name } => split(root, index, &all, *at, name, &mut report)?,
        ClipChange::Join(other) => {
            let other = require_one(root, other)?;
            if other.kind != PartKind::Clip {
                return Err(Error::new(format!("{} is not a clip", other.title())));
            }
            join(root, index, other.index, &all, &mut report)?;
        }
        ClipChange::Move(to) => {
            relocate(root, index, &all, *to)?;
            report.changed = usize::from(*to != window[0]);
            if !intervals(root).is_sorted_by_key(|interval| interval[0]) {
                report.note("the sequences are not listed in the order of the time line");
            }
        }
        ClipChange::ShiftEvents(by) => shift_events(root, window, *by, &mut report)?,
    }
    Ok(report)
}

fn extent(low: [f32; 3], high: [f32; 3]) -> Extent {
    let square: f32 = low.iter().zip(high).map(|(low, high)| (high - low).powi(2)).sum();
    Extent { radius: F32::new(square.sqrt() / 2.0), minimum: Vec3::from(low), maximum: Vec3::from(high) }
}

/// The fields of a sequence of either game.
struct Header<'n> {
    start: &'n mut I32,
    end: &'n mut I32,
    flags: &'n mut SequenceFlags,
    move_speed: &'n mut F32,
    rarity: &'n mut F32,
    extent: &'n mut Extent,
}

/// Changes the fields of a sequence; 1 if they are not as before.
fn header(root: &mut Node<'_>, index: usize, change: impl FnOnce(Header<'_>)) -> usize {
    let mut change = Some(change);
    for chunk in root.children_mut().into_iter().flatten() {
        macro_rules! sequence {
            ($record:ident, $rarity:ident) => {
                if let Some(sequence) = chunk.values_mut::<$record>().get_mut(index)
                    && let Some(change) = change.take()
                {
                    let before = *sequence;
                    change(Header {
                        start: &mut sequence.start,
                        end: &mut sequence.end,
                        flags: &mut sequence.flags,
                        move_speed: &mut sequence.move_speed,
                        rarity: &mut sequence.$rarity,
                        extent: &mut sequence.extent,
                    });
                    return usize::from(*sequence != before);
                }
            };
        }
        if chunk.is(&kinds::SEQS) {
            sequence!(Sequence, rarity);
        } else if chunk.is(&kinds::WOW_SEQS) {
            sequence!(WowSequence, frequency);
        }
    }
    0
}

/// Fails if another sequence has frames in common with this one. Two that only touch have one frame in common.
fn refuse_shared(root: &Node<'_>, index: usize, all: &[[i32; 2]], touching: bool) -> Result<(), Error> {
    let [start, end] = all[index];
    let shares = |other: &[i32; 2]| {
        if touching { other[0] <= end && other[1] >= start } else { other[0] < end && other[1] > start }
    };
    let other = all.iter().enumerate().find(|(at, other)| *at != index && shares(other));
    match other {
        None => Ok(()),
        Some((other, _)) => {
            let names = names(root);
            let name = |at: usize| record::printable(names.get(at).map_or("", String::as_str)).into_owned();
            Err(Error::new(format!(
                "the sequences {:?} and {:?} have frames in common",
                name(index),
                name(other)
            ))
            .with_note("a change of one would change the other; move one of them first"))
        }
    }
}

/// Replaces the keys of every track inside a window by those of its changed curve. Returns whether any is not as before.
fn rewrite(root: &mut Node<'_>, window: [i32; 2], change: &mut dyn FnMut(&mut Curve)) -> bool {
    let mut changed = false;
    each_track(root, &mut |track| {
        let Some(mut curve) = Curve::of(track, window).filter(|curve| !curve.keys.is_empty()) else { return };
        change(&mut curve);
        changed |= replace(track, window, &curve);
    });
    changed
}

/// Replaces the keys inside a window.
fn replace(track: &mut Node<'_>, window: [i32; 2], curve: &Curve) -> bool {
    let inside = |key: &RawKey| (window[0]..=window[1]).contains(&key.time);
    let old = keys(track);
    let mut all: Vec<RawKey> = old.iter().filter(|key| !inside(key)).cloned().collect();
    all.extend(curve.raw());
    write_sorted(track, &old, all)
}

/// Writes keys in order of their times, unless they are as before.
fn write_sorted(track: &mut Node<'_>, old: &[RawKey], mut all: Vec<RawKey>) -> bool {
    all.sort_by_key(|key| key.time);
    let mut before = old.to_vec();
    before.sort_by_key(|key| key.time);
    if all == before {
        return false;
    }
    set_keys(track, &all);
    true
}

/// Changes every time on the time line: keys, events, and the intervals of sequences. Returns the number of keys that fell on others and
/// were removed.
fn map_times(root: &mut Node<'_>, new: &dyn Fn(i32) -> i32) -> usize {
    let mut lost = 0;
    each_track(root, &mut |track| {
        let old = keys(track);
        let mut all: Vec<RawKey> = Vec::with_capacity(old.len());
        for (index, key) in old.iter().enumerate() {
            let moved = RawKey { time: new(key.time), ..key.clone() };
            let was_apart = index.checked_sub(1).is_none_or(|before| old[before].time != key.time);
            match all.last_mut() {
                // Keys that were apart and are not any more: the later one counts.
                Some(last) if last.time == moved.time && was_apart => {
                    *last = moved;
                    lost += 1;
                }
                _ => all.push(moved),
            }
        }
        if all != old {
            set_keys(track, &all);
        }
    });
    for chunk in root.children_mut().into_iter().flatten() {
        for sequence in chunk.values_mut::<Sequence>() {
            let (start, end) = (sequence.start.get(), sequence.end.get());
            sequence.start.set(new(start));
            sequence.end.set(new(end));
        }
        for sequence in chunk.values_mut::<WowSequence>() {
            let (start, end) = (sequence.start.get(), sequence.end.get());
            sequence.start.set(new(start));
            sequence.end.set(new(end));
        }
    }
    lost
}

/// Fails if times would leave the range of the format.
fn refuse_overflow(root: &Node<'_>, delta: i64) -> Result<(), Error> {
    let mut last = intervals(root).iter().map(|[_, end]| *end).max().unwrap_or_default();
    root.walk(&mut |place| {
        if crate::keys::mdx::is_on_time_line(place.node) {
            last = keys(place.node).iter().map(|key| key.time).max().unwrap_or(last).max(last);
        }
    });
    if i32::try_from(i64::from(last) + delta).is_err() {
        return Err(Error::new("the time line would be longer than the format can count"));
    }
    Ok(())
}

fn speed(
    root: &mut Node<'_>,
    index: usize,
    all: &[[i32; 2]],
    factor: f32,
    report: &mut Report,
) -> Result<(), Error> {
    refuse_shared(root, index, all, false)?;
    let [start, end] = all[index];
    let length = f64::from(end) - f64::from(start);
    let factor = f64::from(factor);
    let new_length = (length / factor).round();
    if length > 0.0 && new_length < 1.0 {
        return Err(Error::new("the sequence would be shorter than a millisecond"));
    }
    let delta = (new_length - length) as i64;
    refuse_overflow(root, delta)?;
    let shift = i32::try_from(delta).map_err(|_| Error::new("the sequence would be too long"))?;
    let new = |time: i32| {
        if time <= start {
            time
        } else if time >= end {
            time.saturating_add(shift)
        } else {
            start + ((f64::from(time) - f64::from(start)) / factor).round() as i32
        }
    };
    let lost = map_times(root, &new);
    if lost > 0 {
        report.note(format!("{} fell on others and were removed", counted(lost, "key")));
    }
    let speed = root.get(kinds::SEQS).get(index).map_or(0.0, |sequence| sequence.move_speed.get());
    if speed != 0.0 {
        report.note(format!("the move speed is still {speed}"));
    }
    report.changed = usize::from(shift != 0);
    Ok(())
}

fn mirror_events(root: &mut Node<'_>, [start, end]: [i32; 2]) -> bool {
    let mut changed = false;
    each_track(root, &mut |track| {
        if track.id != tags::KEVT {
            return;
        }
        let old = keys(track);
        let inside = |time: i32| (start..=end).contains(&time);
        let mirrored = |time: i32| end.wrapping_sub(time.wrapping_sub(start));
        let all = old.iter().map(|key| {
            let time = if inside(key.time) { mirrored(key.time) } else { key.time };
            RawKey { time, value: Vec::new() }
        });
        changed |= write_sorted(track, &old, all.collect());
    });
    changed
}

fn trim(
    root: &mut Node<'_>,
    index: usize,
    all: &[[i32; 2]],
    [from, to]: [u32; 2],
    report: &mut Report,
) -> Result<(), Error> {
    let [start, end] = all[index];
    let at = |offset: u32| i64::from(start) + i64::from(offset);
    if at(to) > i64::from(end) {
        let length = i64::from(end) - i64::from(start);
        return Err(Error::new(format!("the sequence has {length} milliseconds, and the part ends at {to}")));
    }
    let part = [at(from), at(to)].map(|time| i32::try_from(time).unwrap_or(end));
    if part == [start, end] {
        report.changed = 0;
        return Ok(());
    }
    refuse_shared(root, index, all, true)?;
    rewrite(root, [start, end], &mut |curve| curve.trim(part));
    let outside = |time: i32| (start..=end).contains(&time) && !(part[0]..=part[1]).contains(&time);
    remove_events(root, &outside, report)?;
    header(root, index, |header| {
        header.start.set(part[0]);
        header.end.set(part[1]);
    });
    Ok(())
}

/// Removes event times, and event objects without any time left.
fn remove_events(root: &mut Node<'_>, goes: &dyn Fn(i32) -> bool, report: &mut Report) -> Result<(), Error> {
    let mut empty: BTreeSet<i32> = BTreeSet::new();
    crate::references::each(root, &mut |object| {
        let Some(event) = Object::new(object).filter(|event| event.kind == NodeKind::EventObject) else {
            return;
        };
        let (id, name) = (event.id(), event.name().into_owned());
        for track in object.children_mut().into_iter().flatten().filter(|part| part.id == tags::KEVT) {
            if !crate::keys::mdx::is_on_time_line(track) {
                continue;
            }
            let old = keys(track);
            let kept: Vec<RawKey> = old.iter().filter(|key| !goes(key.time)).cloned().collect();
            if kept.len() < old.len() {
                let lost = counted(old.len() - kept.len(), "time");
                report.note(format!("{lost} of the event {:?} removed", record::printable(&name)));
                set_keys(track, &kept);
                if kept.is_empty() {
                    empty.insert(id);
                }
            }
        }
    });
    crate::remove::mdx::remove_nodes(root, &empty, crate::Children::MoveUp, report)
}

fn split(
    root: &mut Node<'_>,
    index: usize,
    all: &[[i32; 2]],
    at: u32,
    name: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let [start, end] = all[index];
    let cut = i64::from(start) + i64::from(at);
    let Some(cut) = i32::try_from(cut).ok().filter(|cut| *cut > start && *cut < end) else {
        let length = i64::from(end) - i64::from(start);
        return Err(Error::new(format!(
            "the sequence has {length} milliseconds and cannot be split at {at}"
        )));
    };
    if names(root).iter().any(|known| known.eq_ignore_ascii_case(name)) {
        return Err(Error::new(format!("there is already a clip {:?}", record::printable(name))));
    }
    refuse_shared(root, index, all, true)?;
    refuse_overflow(root, i64::from(GAP))?;
    let mut seconds: Vec<Vec<RawKey>> = Vec::new();
    // The first part stays, and the second one is set aside until there is room for it.
    each_track(root, &mut |track| {
        let mut second = Vec::new();
        if let Some(mut first) = Curve::of(track, [start, end]).filter(|curve| !curve.keys.is_empty()) {
            first.close();
            first.cut(cut);
            let mut last = first.clone();
            first.trim([start, cut]);
            last.trim([cut, end]);
            last.shift(GAP);
            second = last.raw();
            replace(track, [start, end], &first);
        }
        seconds.push(second);
    });
    map_times(root, &|time| if time > cut { time.saturating_add(GAP) } else { time });
    let mut seconds = seconds.into_iter();
    each_track(root, &mut |track| {
        let second = seconds.next().unwrap_or_default();
        let old = keys(track);
        let all = old.iter().cloned().chain(second).collect();
        write_sorted(track, &old, all);
    });
    insert_after(root, index, [start, cut], [cut + GAP, end + GAP], name)?;
    report.changed = 1;
    Ok(())
}

/// Adds a copy of a sequence after it. Both get new intervals, and geosets an extent for the copy.
fn insert_after(
    root: &mut Node<'_>,
    index: usize,
    first: [i32; 2],
    second: [i32; 2],
    name: &str,
) -> Result<(), Error> {
    let count = intervals(root).len();
    let mut failed = None;
    for chunk in root.children_mut().into_iter().flatten() {
        macro_rules! insert {
            ($record:ident) => {{
                let mut list = chunk.values::<$record>().to_vec();
                if let Some(original) = list.get_mut(index) {
                    original.start.set(first[0]);
                    original.end.set(first[1]);
                    let mut copy = *original;
                    copy.start.set(second[0]);
                    copy.end.set(second[1]);
                    failed = failed.or(copy.name.set(name).err());
                    list.insert(index + 1, copy);
                    chunk.set_values(&list);
                }
            }};
        }
        if chunk.is(&kinds::SEQS) {
            insert!(Sequence);
        } else if chunk.is(&kinds::WOW_SEQS) {
            insert!(WowSequence);
            if let Some(count) = chunk.value_mut::<U32>() {
                crate::references::increase(count, 1);
            }
        }
    }
    if let Some(error) = failed {
        return Err(Error::new(error.to_string()));
    }
    crate::references::each(root, &mut |node| {
        if node.is(&kinds::EXTENTS) && node.values::<Extent>().len() == count {
            let mut list = node.values::<Extent>().to_vec();
            list.insert(index + 1, list[index]);
            node.set_values(&list);
        }
    });
    Ok(())
}

fn join(
    root: &mut Node<'_>,
    index: usize,
    other: usize,
    all: &[[i32; 2]],
    report: &mut Report,
) -> Result<(), Error> {
    if index == other {
        return Err(Error::new("a clip cannot be joined to itself"));
    }
    refuse_shared(root, index, all, true)?;
    refuse_shared(root, other, all, true)?;
    let ([start, end], source) = (all[index], all[other]);
    let length = source[1].wrapping_sub(source[0]);
    // If every value ends as it starts again, the last moment of one is the first of the other.
    let joint = i32::from(!is_seamless(root, [start, end], source));
    let room = i64::from(source[1]) - i64::from(source[0]) + i64::from(joint);
    refuse_overflow(root, room)?;
    let room = i32::try_from(room).map_err(|_| Error::new("the sequence is too long"))?;
    let mut seconds: Vec<Vec<RawKey>> = Vec::new();
    let mut open: BTreeSet<&'static str> = BTreeSet::new();
    each_track(root, &mut |track| {
        let (Some(mut first), Some(mut second)) = (Curve::of(track, [start, end]), Curve::of(track, source))
        else {
            // Events.
            let inside = |key: &&RawKey| (source[0]..=source[1]).contains(&key.time);
            let old = keys(track);
            let moved = old.iter().filter(inside).map(|key| {
                let time = end.saturating_add(joint).saturating_add(key.time.wrapping_sub(source[0]));
                RawKey { time, ..key.clone() }
            });
            seconds.push(moved.collect());
            let kept: Vec<RawKey> = old.iter().filter(|key| !inside(key)).cloned().collect();
            if kept.len() < old.len() {
                set_keys(track, &kept);
            }
            return;
        };
        if first.keys.is_empty() && second.keys.is_empty() {
            seconds.push(Vec::new());
            return;
        }
        // A track without keys in one of them has its default there, which now has to be written.
        let default = default_value(track.id);
        if default.is_none() && (first.keys.is_empty() || second.keys.is_empty()) {
            open.extend(mdx::track_row(track.id).map(|row| row.name));
        }
        close_or_fill(&mut first, [start, end], default);
        close_or_fill(&mut second, source, default);
        let gone = second.emptied();
        second.shift(end.wrapping_add(joint).wrapping_sub(source[0]));
        if joint == 0 {
            first.take_first(&mut second);
        }
        seconds.push(second.raw());
        replace(track, source, &gone);
        replace(track, [start, end], &first);
    });
    map_times(root, &|time| if time > end { time.saturating_add(room) } else { time });
    let mut seconds = seconds.into_iter();
    each_track(root, &mut |track| {
        let second = seconds.next().unwrap_or_default();
        let old = keys(track);
        let all = old.iter().cloned().chain(second).collect();
        write_sorted(track, &old, all);
    });
    let extents: Vec<Extent> = root.get(kinds::SEQS).iter().map(|sequence| sequence.extent).collect();
    let extents = if extents.is_empty() {
        root.get(kinds::WOW_SEQS).iter().map(|sequence| sequence.extent).collect()
    } else {
        extents
    };
    header(root, index, |header| {
        header.end.set(end.saturating_add(joint).saturating_add(length));
        if let (Some(a), Some(b)) = (extents.get(index), extents.get(other)) {
            let (low, high) = both(a, b);
            if low != a.minimum.get() || high != a.maximum.get() {
                *header.extent = extent(low, high);
            }
        }
    });
    for tag in open {
        report
            .note(format!("a track {tag} has keys in only one of the clips and now holds its value in both"));
    }
    crate::remove::mdx::drop_sequences(root, &[other], report);
    Ok(())
}

/// Closes a curve; one without keys gets those of its default.
fn close_or_fill(curve: &mut Curve, window: [i32; 2], default: Option<[f32; 4]>) {
    match default.filter(|_| curve.keys.is_empty()) {
        Some(value) => *curve = curve.constant(window, value),
        None => curve.close(),
    }
}

/// Whether all tracks end one sequence with the value that they start the other one with.
fn is_seamless(root: &Node<'_>, first: [i32; 2], second: [i32; 2]) -> bool {
    let mut seamless = true;
    root.walk(&mut |place| {
        let track = place.node;
        if !seamless || !crate::keys::mdx::is_on_time_line(track) {
            return;
        }
        let (Some(mut one), Some(mut other)) = (Curve::of(track, first), Curve::of(track, second)) else {
            return;
        };
        if one.keys.is_empty() && other.keys.is_empty() {
            return;
        }
        let default = default_value(track.id);
        close_or_fill(&mut one, first, default);
        close_or_fill(&mut other, second, default);
        seamless = one.meets(&other);
    });
    seamless
}

fn both(a: &Extent, b: &Extent) -> ([f32; 3], [f32; 3]) {
    let (a_low, b_low, a_high, b_high) = (a.minimum.get(), b.minimum.get(), a.maximum.get(), b.maximum.get());
    ([0, 1, 2].map(|axis| a_low[axis].min(b_low[axis])), [0, 1, 2].map(|axis| a_high[axis].max(b_high[axis])))
}

fn relocate(root: &mut Node<'_>, index: usize, all: &[[i32; 2]], to: i32) -> Result<(), Error> {
    let [start, end] = all[index];
    let last = i64::from(to) + (i64::from(end) - i64::from(start));
    let last = i32::try_from(last).map_err(|_| Error::new("the sequence would end after the time line"))?;
    let overlaps = |other: &[i32; 2]| other[0] <= last && other[1] >= to;
    if all.iter().enumerate().any(|(at, other)| at != index && overlaps(other)) {
        return Err(Error::new(format!("another sequence has frames between {to} and {last}")));
    }
    let shared = |time: i32| {
        let inside = |(at, [start, end]): (usize, &[i32; 2])| at != index && (*start..=*end).contains(&time);
        all.iter().enumerate().any(inside)
    };
    let by = to.wrapping_sub(start);
    each_track(root, &mut |track| {
        let old = keys(track);
        let inside = |time: i32| (start..=end).contains(&time);
        let in_the_way = |time: i32| (to..=last).contains(&time) && !inside(time);
        if !old.iter().any(|key| inside(key.time)) {
            return;
        }
        let mut new: Vec<RawKey> = Vec::with_capacity(old.len());
        for key in &old {
            if !inside(key.time) && !in_the_way(key.time) || shared(key.time) {
                new.push(key.clone());
            }
            if inside(key.time) {
                new.push(RawKey { time: key.time.wrapping_add(by), ..key.clone() });
            }
        }
        write_sorted(track, &old, new);
    });
    header(root, index, |header| {
        header.start.set(to);
        header.end.set(last);
    });
    Ok(())
}

fn shift_events(
    root: &mut Node<'_>,
    [start, end]: [i32; 2],
    by: i32,
    report: &mut Report,
) -> Result<(), Error> {
    let (mut moved, mut outside) = (0, false);
    each_track(root, &mut |track| {
        if track.id != tags::KEVT {
            return;
        }
        let old = keys(track);
        let all = old.iter().map(|key| {
            if !(start..=end).contains(&key.time) {
                return key.clone();
            }
            let time = key.time.saturating_add(by);
            outside |= !(start..=end).contains(&time);
            moved += 1;
            RawKey { time, ..key.clone() }
        });
        let all: Vec<RawKey> = all.collect();
        write_sorted(track, &old, all);
    });
    if outside {
        return Err(Error::new("an event would be outside its sequence"));
    }
    report.changed = usize::from(moved > 0 && by != 0);
    Ok(())
}
