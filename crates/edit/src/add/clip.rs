//! Clips of another model.

use std::collections::BTreeMap;

use mdx::kinds;
use mdx::records::*;
use mdx::tags;
use mdx::view::{NodeKind, Object, Track};
use record::{Node, U16};
use w3d::table;

use super::{mdx as models, names as list, w3d as files};
use crate::keys::curve::{Curve, default_value};
use crate::keys::mdx::{RawKey, each_track, keys, set_keys};
use crate::references::{each, w3d as references};
use crate::remove::mdx::{intervals, names};
use crate::report::{Report, counted};
use crate::select::{PartKind, Selector, require_one};
use crate::{Error, Family, family_of};

/// A clip of another model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClipAddition {
    /// The clip of the other model.
    pub clip: Selector,
    /// Its name here; without it the same.
    pub name: Option<String>,
    /// Bones of the other model and bones of this one, where their names differ.
    pub map: Vec<(String, String)>,
    /// The clip of this model whose visibility holds in the new one; without it `Stand`, or the first.
    pub like: Option<String>,
}

/// Milliseconds between the last sequence and an added one.
const GAP: i32 = 1000;

/// Adds a clip of another model. Bones belong together by name; the report lists those without a partner. In MDX the sequence is appended
/// to the time line, and everything that can be hidden is shown as in the clip `like`; in W3D the clip is a chunk of its own.
pub fn add_clip(root: &mut Node<'_>, from: &Node<'_>, addition: &ClipAddition) -> Result<Report, Error> {
    let (family, other) = (family_of(root)?, family_of(from)?);
    if family != other {
        return Err(Error::new("the other model is of another format").with_note("convert it first"));
    }
    let part = require_one(from, &addition.clip)?;
    if part.kind != PartKind::Clip {
        return Err(Error::new(format!("{} is not a clip", part.title())));
    }
    let name = addition.name.clone().unwrap_or_else(|| part.name.clone());
    let mut report = match family {
        Family::W3d => of_w3d(root, from, part.trail.first().copied().unwrap_or_default(), &name, addition)?,
        Family::Mdx => of_mdx(root, from, part.index, &name, addition)?,
        _ => Report::default(),
    };
    report.settle(root);
    Ok(report)
}

/// The name of a bone in this model.
fn mapped<'n>(addition: &'n ClipAddition, name: &'n str) -> &'n str {
    let pair = addition.map.iter().find(|(theirs, _)| theirs.eq_ignore_ascii_case(name));
    pair.map_or(name, |(_, own)| own)
}

fn of_w3d(
    root: &mut Node<'_>,
    from: &Node<'_>,
    at: usize,
    name: &str,
    addition: &ClipAddition,
) -> Result<Report, Error> {
    let mut report = Report::of(1);
    let clip = from.children().get(at).ok_or_else(|| Error::new("the clip does not exist"))?;
    if clip.is(&table::MORPH_ANIMATION) {
        return Err(Error::new("morph animations cannot be added"));
    }
    let their_name = references::skeleton_of(clip).unwrap_or_default();
    let own = files::Skeleton::of(root, None).ok_or_else(|| {
        Error::new("the skeleton of the model is in another file; add the clip to that file")
    })?;
    let mut clip = clip.clone().into_owned();
    let theirs = files::Skeleton::of(from, Some(&their_name));
    let (mut missing, mut others) = (Vec::new(), Vec::new());
    if let Some(theirs) = theirs {
        let new: Vec<Option<u32>> = theirs
            .pivots
            .iter()
            .map(|pivot| {
                let index = own.index(mapped(addition, &pivot.name.to_string()))?;
                let rest = own.pivots[index];
                let near = |a: &[f32], b: &[f32]| {
                    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3 * (1.0 + b.abs()))
                };
                if !near(&pivot.rotation.get(), &rest.rotation.get())
                    || !near(&pivot.translation.get(), &rest.translation.get())
                {
                    others.push(pivot.name.to_string());
                }
                u32::try_from(index).ok()
            })
            .collect();
        if let Some(children) = clip.children_mut() {
            children.retain_mut(|child| {
                let Some(channel) = w3d::codec::decode(child) else { return true };
                let pivot = usize::from(channel.pivot);
                match new.get(pivot).copied().flatten() {
                    Some(new) => {
                        set_pivot(child, new);
                        true
                    }
                    None => {
                        let name = theirs.pivots.get(pivot).map(|pivot| pivot.name.to_string());
                        missing.extend(name.filter(|name| !missing.contains(name)));
                        false
                    }
                }
            });
        }
    } else if !their_name.eq_ignore_ascii_case(&own.name) {
        return Err(Error::new(format!(
            "the skeleton {:?} of the clip is in another file",
            record::printable(&their_name)
        ))
        .with_note("bones are found by name, so the file must have the skeleton"));
    }
    if !missing.is_empty() {
        report.note(format!(
            "no partner for the animated {} {}",
            counted(missing.len(), "bone"),
            list(&missing)
        ));
    }
    if !others.is_empty() {
        report.note(format!("the rest pose of {} differs: {}", counted(others.len(), "bone"), list(&others)));
    }
    let taken = root.children().iter().filter_map(w3d::Animation::new);
    if taken.filter(|clip| clip.name().eq_ignore_ascii_case(name)).count() > 0 {
        return Err(Error::new(format!("there is already a clip {:?}", record::printable(name)))
            .with_note("give it another name"));
    }
    if let Some(mut view) = w3d::view::AnimationMut::new(&mut clip) {
        let failed = |error: record::Error| Error::new(error.to_string());
        view.set_name(name).map_err(failed)?;
        view.set_hierarchy_name(&own.name).map_err(failed)?;
    }
    let is_before = |chunk: &Node<'_>| w3d::Animation::new(chunk).is_some() || chunk.is(&table::HIERARCHY);
    if let Some(chunks) = root.children_mut() {
        let place = chunks.iter().rposition(is_before).map_or(chunks.len(), |last| last + 1);
        chunks.insert(place, clip);
    }
    Ok(report)
}

fn set_pivot(channel: &mut Node<'_>, new: u32) {
    use w3d::records::*;
    let new = U16::new(u16::try_from(new).unwrap_or_default());
    macro_rules! channels {
        ($($record:ident)*) => { $(
            if let Some(header) = channel.value_mut::<$record>() {
                header.pivot = new;
                return;
            }
        )* };
    }
    channels!(AnimationChannel BitChannel TimeCodedChannel AdaptiveDeltaChannel CompressedBitChannel MotionChannel);
}

fn of_mdx(
    root: &mut Node<'_>,
    from: &Node<'_>,
    index: usize,
    name: &str,
    addition: &ClipAddition,
) -> Result<Report, Error> {
    models::compare_versions(root, from)?;
    let mut report = Report::of(1);
    let (own_names, own) = (names(root), intervals(root));
    if own_names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        return Err(Error::new(format!("there is already a clip {:?}", record::printable(name)))
            .with_note("give it another name"));
    }
    let Some(source) = intervals(from).get(index).copied() else { return Ok(Report::default()) };
    let last = last_moment(root);
    let start = last.checked_add(GAP).map(|start| start / 100 * 100 + 100);
    let end = start.and_then(|start| start.checked_add(source[1].checked_sub(source[0])?));
    let (Some(start), Some(end)) = (start, end) else {
        return Err(Error::new("the time line would be longer than the format can count"));
    };
    let window = [start, end];
    show_like(root, &own_names, &own, addition.like.as_deref(), window);
    let mut moves = Motion { from, addition, source, window, missing: Vec::new(), global: 0, sampled: 0 };
    moves.nodes(root);
    moves.report(&mut report);
    append_sequence(root, from, index, name, window)?;
    Ok(report)
}

/// The last time of any key or sequence.
fn last_moment(root: &Node<'_>) -> i32 {
    let mut last = intervals(root).iter().map(|[_, end]| *end).max().unwrap_or_default();
    root.walk(&mut |place| {
        if crate::keys::mdx::is_on_time_line(place.node) {
            last = keys(place.node).iter().map(|key| key.time).max().unwrap_or(last).max(last);
        }
    });
    last
}

/// Gives everything that can be hidden or tinted the value in a new clip that it has at the start of another one.
fn show_like(root: &mut Node<'_>, names: &[String], own: &[[i32; 2]], like: Option<&str>, window: [i32; 2]) {
    let named = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
    let stand = || names.iter().position(|name| name.to_ascii_lowercase().starts_with("stand"));
    let Some(model) = like.and_then(named).or_else(stand).or(if own.is_empty() { None } else { Some(0) })
    else {
        return;
    };
    let shown = own[model];
    each_track(root, &mut |track| {
        let is_node = [tags::KGTR, tags::KGRT, tags::KGSC, tags::KEVT].contains(&track.id);
        let Some(mut curve) = Curve::of(track, shown).filter(|_| !is_node) else { return };
        // Without keys an opacity has its default, which is written so that nobody has to know it.
        if let Some(value) = default_value(track.id).filter(|_| curve.keys.is_empty()) {
            return append(track, curve.constant(window, value).raw());
        }
        curve.close();
        let Some(value) = curve.first_value() else { return };
        append(track, curve.constant(window, value).raw());
    });
}

fn append(track: &mut Node<'_>, more: Vec<RawKey>) {
    let mut all = keys(track);
    all.extend(more);
    all.sort_by_key(|key| key.time);
    set_keys(track, &all);
}

/// A name in lower case, and how many of the same name came before.
fn numbered(counts: &mut BTreeMap<String, usize>, name: &str) -> (String, usize) {
    let name = name.to_ascii_lowercase();
    let count = counts.entry(name.clone()).or_default();
    *count += 1;
    (name, *count - 1)
}

/// The motion of one clip of another model.
struct Motion<'f> {
    from: &'f Node<'f>,
    addition: &'f ClipAddition,
    source: [i32; 2],
    window: [i32; 2],
    missing: Vec<String>,
    /// Tracks of this model that run by themselves.
    global: usize,
    /// Tracks whose curves were sampled.
    sampled: usize,
}

impl Motion<'_> {
    fn nodes(&mut self, root: &mut Node<'_>) {
        let objects = self.from.children().iter().flat_map(Node::children).filter_map(Object::new);
        // Names need not be unique: the second of a name belongs to the second.
        let mut theirs: BTreeMap<(String, usize), Object<'_>> = BTreeMap::new();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for object in objects {
            let key = numbered(&mut counts, mapped(self.addition, &object.name()));
            theirs.insert(key, object);
        }
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut found: Vec<(String, usize)> = Vec::new();
        for object in root.children_mut().into_iter().flatten().filter_map(Node::children_mut).flatten() {
            let Some((name, kind)) =
                Object::new(object).map(|own| (numbered(&mut counts, &own.name()), own.kind))
            else {
                continue;
            };
            let Some(other) = theirs.get(&name) else { continue };
            found.push(name);
            if let Some(node) = object.child_mut(&kinds::NODE) {
                for tag in [tags::KGTR, tags::KGRT, tags::KGSC] {
                    self.track(node, other.node.children().iter().find(|track| track.id == tag), tag);
                }
            }
            if kind == NodeKind::EventObject && other.kind == NodeKind::EventObject {
                self.events(object, other.object);
            }
        }
        let moves = |object: &Object<'_>| {
            let in_clip = |track: Track<'_>| {
                track.global_sequence().is_none()
                    && track.keys().any(|key| (self.source[0]..=self.source[1]).contains(&key.time))
            };
            object.tracks().any(in_clip)
        };
        let lost = theirs.iter().filter(|(name, object)| !found.contains(name) && moves(object));
        self.missing = lost.map(|(_, object)| object.name().into_owned()).collect();
    }

    /// Appends the keys of one track of a node.
    fn track(&mut self, node: &mut Node<'_>, other: Option<&Node<'_>>, tag: u32) {
        let curve =
            other.and_then(|other| Curve::of(other, self.source)).filter(|curve| !curve.keys.is_empty());
        let Some(mut curve) = curve else { return };
        curve.close();
        curve.shift(self.window[0].wrapping_sub(self.source[0]));
        let own = node.children().iter().position(|track| track.id == tag && Track::new(track).is_some());
        let Some(children) = node.children_mut() else { return };
        match own {
            Some(at) if !crate::keys::mdx::is_on_time_line(&children[at]) => self.global += 1,
            Some(at) => {
                let Some(like) = Curve::of(&children[at], self.window) else { return };
                let (raw, sampled) = curve.in_form_of(&like);
                self.sampled += usize::from(sampled);
                append(&mut children[at], raw);
            }
            None => {
                let Some(mut track) = other.cloned().map(Node::into_owned) else { return };
                set_keys(&mut track, &curve.raw());
                children.push(track);
            }
        }
    }

    fn events(&self, object: &mut Node<'_>, other: &Node<'_>) {
        let times =
            other.children().iter().find(|track| track.id == tags::KEVT).map(keys).unwrap_or_default();
        let by = self.window[0].wrapping_sub(self.source[0]);
        let inside = times.into_iter().filter(|key| (self.source[0]..=self.source[1]).contains(&key.time));
        let more: Vec<RawKey> = inside.map(|key| RawKey { time: key.time.wrapping_add(by), ..key }).collect();
        let own = object.children_mut().into_iter().flatten().find(|track| track.id == tags::KEVT);
        if let Some(own) = own.filter(|own| crate::keys::mdx::is_on_time_line(own) && !more.is_empty()) {
            append(own, more);
        }
    }

    fn report(&self, report: &mut Report) {
        if !self.missing.is_empty() {
            report.note(format!(
                "no partner for {}: {}",
                counted(self.missing.len(), "moving node"),
                list(&self.missing)
            ));
        }
        if self.global > 0 {
            report.note(format!("{} of global sequences not changed", counted(self.global, "track")));
        }
        if self.sampled > 0 {
            report.note(format!("{} of another interpolation sampled", counted(self.sampled, "curve")));
        }
    }
}

/// Adds the sequence, and an extent for it to every geoset.
fn append_sequence(
    root: &mut Node<'_>,
    from: &Node<'_>,
    index: usize,
    name: &str,
    window: [i32; 2],
) -> Result<(), Error> {
    let Some(mut sequence) = from.get(kinds::SEQS).get(index).copied() else { return Ok(()) };
    sequence.name.set(name).map_err(|error| Error::new(error.to_string()))?;
    sequence.start.set(window[0]);
    sequence.end.set(window[1]);
    let count = root.get(kinds::SEQS).len();
    let mut all: Vec<Sequence> = root.get(kinds::SEQS).to_vec();
    all.push(sequence);
    models::chunk(root, kinds::SEQS.kind).and_then(|list| list.set_values(&all));
    each(root, &mut |geoset| {
        let Some(bounds) = geoset.get(kinds::GEOSET_BOUNDS).map(|bounds| bounds.extent) else { return };
        if let Some(list) = geoset.child_mut(&kinds::EXTENTS)
            && list.values::<Extent>().len() == count
        {
            let mut all = list.values::<Extent>().to_vec();
            all.push(bounds);
            list.set_values(&all);
        }
    });
    Ok(())
}
