//! Smaller MDX models.

use std::collections::{BTreeMap, HashMap, HashSet};

use mdx::records::*;
use mdx::view::{Material, Track};
use mdx::{Layout, ValueType, kinds, tags};
use record::{I32, Node};
use scene::Scene;

use super::tell;
use crate::keys::curve::{Curve, default_value};
use crate::keys::mdx::{RawKey, is_on_time_line, keys as keys_of, set_keys};
use crate::references::mdx as references;
use crate::references::{each, renumbering, retain};
use crate::remove::mdx::{Emptied, emptied, intervals, set_opaque};
use crate::report::Report;
use crate::vertices::mdx as vertices;

/// Removes and merges parts. Returns the geoset that each one is in now.
pub(super) fn structure(root: &mut Node<'_>, report: &mut Report) -> Vec<Option<usize>> {
    match crate::remove::unused(root) {
        Ok(unused) => tell(report, unused.changed, "unused part", "removed"),
        Err(error) => report.note(format!("unused parts were not removed: {error}")),
    }
    tell(report, equal_textures(root), "equal texture", "merged");
    tell(report, equal_texture_animations(root), "equal texture animation", "merged");
    tell(report, equal_materials(root), "equal material", "merged");
    let geosets = root.child(&kinds::GEOS).map_or(0, |list| list.all(&kinds::GEOSET).count());
    if root.child(&kinds::WOW_MODL).is_some() {
        return (0..geosets).map(Some).collect();
    }
    tell(report, weld(root), "equal or unused vertex", "merged or removed");
    let (merged, places) = merge_geosets(root);
    tell(report, merged, "geoset", "merged with one that is drawn alike");
    places
}

/// Makes equal parts of a list one. Returns the number of removed ones.
fn equal(
    root: &mut Node<'_>,
    keys: &[Vec<u8>],
    references: fn(&mut Node<'_>, &mut dyn FnMut(u32) -> u32),
    retain: fn(&mut Node<'_>, &[bool]) -> usize,
) -> usize {
    let mut first: HashMap<&[u8], usize> = HashMap::new();
    let into: Vec<usize> =
        keys.iter().enumerate().map(|(index, key)| *first.entry(key).or_insert(index)).collect();
    let stays: Vec<bool> = into.iter().enumerate().map(|(index, into)| index == *into).collect();
    if !stays.contains(&false) {
        return 0;
    }
    references(root, &mut |old| {
        let new = usize::try_from(old).ok().and_then(|old| into.get(old));
        new.and_then(|new| u32::try_from(*new).ok()).unwrap_or(old)
    });
    retain(root, &stays)
}

fn equal_textures(root: &mut Node<'_>) -> usize {
    let key = |texture: &Texture| {
        let mut key = texture.path.to_string().to_ascii_lowercase().into_bytes();
        key.push(0);
        key.extend(texture.replaceable_id.get().to_le_bytes());
        key.extend(texture.flags.get().to_le_bytes());
        key
    };
    let keys: Vec<Vec<u8>> = root.get(kinds::TEXS).iter().map(key).collect();
    equal(root, &keys, references::textures, references::retain_textures)
}

fn bytes_of(root: &Node<'_>, list: &'static record::Kind, kind: &'static record::Kind) -> Vec<Vec<u8>> {
    let all = root.child(list).into_iter().flat_map(|list| list.all(kind));
    all.map(|part| part.to_bytes().unwrap_or_default()).collect()
}

fn equal_texture_animations(root: &mut Node<'_>) -> usize {
    let keys = bytes_of(root, &kinds::TXAN, &kinds::TEXTURE_ANIMATION);
    equal(root, &keys, references::texture_animations, references::retain_texture_animations)
}

fn equal_materials(root: &mut Node<'_>) -> usize {
    let keys = bytes_of(root, &kinds::MTLS, &kinds::MATERIAL);
    equal(root, &keys, references::materials, references::retain_materials)
}

/// Makes equal vertices of a geoset one and removes those that no face uses. Returns how many are gone.
fn weld(root: &mut Node<'_>) -> usize {
    let mut gone = 0;
    let mut moved: Vec<Option<crate::vertices::Selection>> = Vec::new();
    let lists = root.children_mut().into_iter().flatten().filter(|chunk| chunk.is(&kinds::GEOS));
    for geoset in lists.filter_map(Node::children_mut).flatten().filter(|child| child.is(&kinds::GEOSET)) {
        let selection = vertices::welded(geoset).filter(|selection| selection.gone() > 0);
        if let Some(selection) = &selection {
            vertices::keep_vertices(geoset, selection);
            gone += selection.gone();
        }
        moved.push(selection);
    }
    if gone > 0 {
        references::renumber_geosets(root, &Some, &Some, &|geoset, vertex| match moved
            .get(geoset)
            .and_then(Option::as_ref)
        {
            Some(selection) => Some((geoset, usize::try_from(selection.number(vertex)?).ok()?)),
            None => Some((geoset, vertex)),
        });
    }
    gone
}

/// Whether materials hide what is behind them, so that it does not matter when they are drawn.
fn opaque(root: &Node<'_>) -> Vec<bool> {
    let materials = root.child(&kinds::MTLS).into_iter().flat_map(|list| list.all(&kinds::MATERIAL));
    let is_opaque = |material: &Node<'_>| {
        Material::new(material).is_some_and(|material| {
            material.layers().count() == 1
                && material.layers().all(|layer| {
                    let free = LayerFlags::NO_DEPTH_TEST.get() | LayerFlags::NO_DEPTH_SET.get();
                    let flags = layer.parts.header.flags.get();
                    layer.filter_mode() == FilterMode::NONE && flags & free == 0
                })
        })
    };
    materials.map(is_opaque).collect()
}

/// Merges geosets that are drawn alike, if everything from one to the other is opaque: others are sorted when they are drawn. Returns the
/// number of merged ones, and where each geoset is now.
fn merge_geosets(root: &mut Node<'_>) -> (usize, Vec<Option<usize>>) {
    let geosets: Vec<Node<'_>> =
        root.child(&kinds::GEOS).into_iter().flat_map(|list| list.all(&kinds::GEOSET)).cloned().collect();
    let opaque = opaque(root);
    let animations = animations(root);
    let mut kept: Vec<(usize, Node<'_>)> = Vec::new();
    // The place among the kept ones, and the offset of its vertices there.
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut alike: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut last_translucent = None;
    for (index, geoset) in geosets.iter().enumerate() {
        let material = geoset.get(kinds::GEOSET_HEADER).map(|header| header.material_id.get());
        let material = material.and_then(|material| usize::try_from(material).ok());
        if !material.and_then(|material| opaque.get(material)).copied().unwrap_or_default() {
            last_translucent = Some(index);
        }
        let key = vertices::appearance(geoset).map(|mut key| {
            key.extend(animations.get(&index).into_iter().flatten().flatten());
            key
        });
        let target = key.as_ref().and_then(|key| alike.get(key).copied());
        let target = target.filter(|at| last_translucent.is_none_or(|last| last < kept[*at].0));
        if let Some(target) = target {
            let mut joined = kept[target].1.clone();
            let offset = joined.get(kinds::VRTX).len();
            if vertices::append(&mut joined, geoset).is_ok() {
                kept[target].1 = joined;
                places.push((target, offset));
                continue;
            }
        }
        if let Some(key) = key {
            alike.insert(key, kept.len());
        }
        places.push((kept.len(), 0));
        kept.push((index, geoset.clone()));
    }
    let merged = geosets.len() - kept.len();
    let now = places.iter().map(|(place, _)| Some(*place)).collect();
    if merged > 0 {
        let first: Vec<usize> = kept.iter().map(|(index, _)| *index).collect();
        set_geosets(root, kept.into_iter().map(|(_, geoset)| geoset).collect());
        follow(root, &places, &first);
    }
    (merged, now)
}

/// Replaces all geosets.
pub(crate) fn set_geosets<'a>(root: &mut Node<'a>, geosets: Vec<Node<'a>>) {
    if let Some(children) = root.child_mut(&kinds::GEOS).and_then(Node::children_mut) {
        children.retain(|child| !child.is(&kinds::GEOSET));
        children.extend(geosets);
    }
}

/// The animations of each geoset, without its number.
pub(crate) fn animations(root: &Node<'_>) -> BTreeMap<usize, Vec<Vec<u8>>> {
    let mut all: BTreeMap<usize, Vec<Vec<u8>>> = BTreeMap::new();
    for animation in root.child(&kinds::GEOA).into_iter().flat_map(|list| list.all(&kinds::GEOSET_ANIMATION))
    {
        let Some(geoset) = references::geoset_of(animation) else { continue };
        let mut animation = animation.clone();
        if let Some(header) = animation.get_mut(kinds::GEOSET_ANIMATION_HEADER) {
            header.geoset_id = I32::new(-1);
        }
        all.entry(geoset).or_default().push(animation.to_bytes().unwrap_or_default());
    }
    all
}

/// Makes references follow geosets that were merged: `places` has the new number of each, and the number of its first vertex there.
/// `first` are the geosets that others were appended to. Animations of appended geosets, which have equal ones, are removed.
pub(crate) fn follow(root: &mut Node<'_>, places: &[(usize, usize)], first: &[usize]) {
    let leads: HashSet<usize> = first.iter().copied().collect();
    let list = root.child(&kinds::GEOA).into_iter().flat_map(|list| list.all(&kinds::GEOSET_ANIMATION));
    let owners: Vec<Option<usize>> = list.map(references::geoset_of).collect();
    let stays: Vec<bool> = owners.iter().map(|own| own.is_none_or(|own| leads.contains(&own))).collect();
    let numbers = renumbering(&stays);
    // An animation that is gone stands for that of the geoset that its own is in.
    let mut of_place: HashMap<usize, usize> = HashMap::new();
    for (owner, number) in owners.iter().zip(&numbers) {
        let place = owner.and_then(|owner| places.get(owner)).map(|(place, _)| *place);
        let number = number.and_then(|number| usize::try_from(number).ok());
        place.zip(number).into_iter().for_each(|(place, number)| {
            of_place.entry(place).or_insert(number);
        });
    }
    let animation = |old: usize| {
        let number = numbers.get(old).copied().flatten().and_then(|number| usize::try_from(number).ok());
        number.or_else(|| {
            let (place, _) = places.get(owners.get(old).copied().flatten()?)?;
            of_place.get(place).copied()
        })
    };
    if let Some(list) = root.child_mut(&kinds::GEOA) {
        retain(list, &kinds::GEOSET_ANIMATION, &numbers);
    }
    references::remove_empty(root, &[&kinds::GEOA]);
    references::renumber_geosets(
        root,
        &|old| places.get(old).map(|(place, _)| *place),
        &animation,
        &|geoset, vertex| places.get(geoset).map(|(place, offset)| (*place, vertex + offset)),
    );
    each(root, &mut |node| {
        if node.is(&kinds::MDLVIS_GEOSETS) {
            let all = node.values::<I32>().to_vec();
            let kept: Vec<I32> = all
                .into_iter()
                .enumerate()
                .filter(|(index, _)| leads.contains(index) || *index >= places.len())
                .map(|(_, number)| number)
                .collect();
            node.set_values(&kept);
        }
    });
}

/// How far the values of a track may be off.
fn allowance(track: &Node<'_>, curve: &Curve, tolerance: f32, size: f32) -> f32 {
    let row = Track::new(track).map(|track| track.row);
    match track.id {
        tags::KGTR | tags::KCTR | tags::KTTR => tolerance * size,
        tags::KGRT
        | tags::KGSC
        | tags::KTAT
        | tags::KTAR
        | tags::KTAS
        | tags::KGAO
        | tags::KMTA
        | tags::KGAC => tolerance,
        _ if row.is_some_and(|row| row.color.is_some() || row.keyword == "Alpha") => tolerance,
        // Rates, sizes and angles have their own units.
        _ => tolerance * curve.magnitude(),
    }
}

/// The most keys that are looked at again because sequences overlap.
const MAX_REPEATS: usize = 1 << 20;

/// Removes keys within a tolerance.
pub(super) fn keys(root: &mut Node<'_>, scene: &Scene, tolerance: f32, linearise: bool, report: &mut Report) {
    let size = scene.rest_bounds().map_or(1.0, |bounds| bounds.radius).max(1e-3);
    let windows: Vec<[i32; 2]> = intervals(root).into_iter().filter(|[start, end]| start <= end).collect();
    let is_wow = root.child(&kinds::WOW_MODL).is_some();
    let durations: Vec<i32> = root
        .get(kinds::GLBS)
        .iter()
        .map(|duration| i32::try_from(duration.get()).unwrap_or(i32::MAX))
        .collect();
    let mut work = Work { windows, size, tolerance, linearise: linearise && !is_wow, ..Work::default() };
    let mut repeats = MAX_REPEATS;
    each(root, &mut |owner| {
        let mut reset = Vec::new();
        let Some(parts) = owner.children_mut() else { return };
        parts.retain_mut(|part| {
            let Some(track) = Track::new(part) else { return true };
            if track.row.value == ValueType::Event || !is_ascending(part) {
                return true;
            }
            if let Some(sequence) = track.global_sequence() {
                if let Some(duration) = durations.get(sequence).filter(|_| !is_wow) {
                    work.global(part, *duration);
                }
                return true;
            }
            if !is_on_time_line(part) || work.windows.is_empty() {
                return true;
            }
            let all = keys_of(part);
            match work.on_time_line(part, &mut repeats) {
                Some(kept) if kept.is_empty() && !all.is_empty() => match emptied(part.id) {
                    Emptied::Drop => return false,
                    Emptied::Reset => {
                        reset.push(part.id);
                        return false;
                    }
                    Emptied::Event => {}
                    Emptied::KeepOne => set_keys(part, &all[..1]),
                },
                Some(kept) if kept != all => set_keys(part, &kept),
                _ => {}
            }
            true
        });
        for tag in reset {
            set_opaque(owner, tag);
        }
    });
    tell(report, work.outside, "key", "outside of sequences removed");
    tell(report, work.dropped, "key", "removed that others replace");
    tell(report, work.linearised, "curve", "replaced by straight lines");
}

fn is_ascending(track: &Node<'_>) -> bool {
    keys_of(track).is_sorted_by_key(|key| key.time)
}

/// What is known and counted while tracks get fewer keys.
#[derive(Default)]
struct Work {
    windows: Vec<[i32; 2]>,
    size: f32,
    tolerance: f32,
    linearise: bool,
    outside: usize,
    dropped: usize,
    linearised: usize,
}

impl Work {
    fn global(&mut self, track: &mut Node<'_>, duration: i32) {
        let Some(mut curve) = Curve::of_global(track, duration).filter(|curve| !curve.keys.is_empty()) else {
            return;
        };
        let all = keys_of(track);
        let outside = all.len() - curve.keys.len();
        let allowance = allowance(track, &curve, self.tolerance, self.size);
        let dropped = curve.reduce(allowance, &|_| false);
        if outside + dropped > 0 {
            set_keys(track, &curve.raw());
            self.outside += outside;
            self.dropped += dropped;
        }
    }

    /// The keys of a track that stay; `None` if it stays as it is.
    fn on_time_line(&mut self, track: &mut Node<'_>, repeats: &mut usize) -> Option<Vec<RawKey>> {
        let whole = Curve::of(track, [i32::MIN, i32::MAX])?;
        let count = whole.keys.len();
        let parts: Vec<Curve> = self.windows.iter().map(|window| whole.part(*window)).collect();
        let times: usize = parts.iter().map(|part| part.keys.len()).sum();
        *repeats = repeats.checked_sub(times.saturating_sub(count))?;
        // Keys in several sequences belong to each of them.
        let mut seen: HashMap<i32, u32> = HashMap::new();
        for part in &parts {
            let mut last = None;
            for key in part.keys.iter().filter(|key| last.replace(key.time) != Some(key.time)) {
                *seen.entry(key.time).or_default() += 1;
            }
        }
        let shared = |time: i32| seen.get(&time).is_some_and(|count| *count > 1);
        let has_shared = seen.values().any(|count| *count > 1);
        let inside: usize = whole.keys.iter().filter(|key| seen.contains_key(&key.time)).count();
        let allowance = allowance(track, &whole, self.tolerance, self.size);
        let mut fewer = parts.clone();
        let mut dropped = 0;
        // A sequence without keys has the default, but not for all viewers, so each keeps one as long as any is needed.
        let moves = |part: &Curve| !part.keys.is_empty() && !self.is_default(track.id, part, allowance);
        let is_needed = has_shared || parts.iter().any(moves);
        for part in &mut fewer {
            if is_needed {
                dropped += part.reduce(allowance, &shared);
            } else {
                dropped += part.keys.len();
                part.keys.clear();
            }
        }
        if self.linearise && whole.is_curved() && !has_shared {
            fewer = self.straightened(track, &parts, fewer, allowance);
        }
        self.outside += count - inside;
        self.dropped += dropped;
        let mut written: HashSet<i32> = HashSet::new();
        let mut kept: Vec<RawKey> = Vec::new();
        for part in &fewer {
            let new: Vec<RawKey> = part
                .raw()
                .into_iter()
                .filter(|key| !shared(key.time) || !written.contains(&key.time))
                .collect();
            written.extend(new.iter().map(|key| key.time));
            kept.extend(new);
        }
        kept.sort_by_key(|key| key.time);
        Some(kept)
    }

    /// Whether a curve is all the time what it would be without keys.
    fn is_default(&self, tag: u32, curve: &Curve, allowance: f32) -> bool {
        let value = curve.still(allowance);
        let is_near = |(value, default): ([f32; 4], [f32; 4])| {
            let sign = |sign: f32| {
                value.iter().zip(default).all(|(value, default)| (value - sign * default).abs() <= allowance)
            };
            sign(1.0) || [tags::KGRT, tags::KTAR].contains(&tag) && sign(-1.0)
        };
        value.zip(default_value(tag)).is_some_and(is_near)
    }

    /// The curves as straight lines, if that saves bytes; the track then has no tangents.
    fn straightened(
        &mut self,
        track: &mut Node<'_>,
        parts: &[Curve],
        fewer: Vec<Curve>,
        allowance: f32,
    ) -> Vec<Curve> {
        let size = |curves: &[Curve]| -> usize {
            curves.iter().flat_map(Curve::raw).map(|key| key.value.len() + size_of::<i32>()).sum()
        };
        let lines: Option<Vec<Curve>> = parts
            .iter()
            .zip(&fewer)
            .map(|(part, fewer)| {
                // What needs no keys needs none as lines.
                if fewer.keys.is_empty() { Some(part.emptied()) } else { part.straightened(allowance) }
            })
            .collect();
        let Some(lines) = lines.filter(|lines| size(lines) < size(&fewer)) else { return fewer };
        let Some(row) = mdx::track_row(track.id) else { return fewer };
        let Some(mut header) = track.value::<TrackHeader>().copied() else { return fewer };
        header.interpolation = Interpolation::LINEAR;
        *track = Node::leaf(
            row.kind(Layout::Plain),
            track.id,
            record::zerocopy::IntoBytes::as_bytes(&header).to_vec(),
        );
        self.linearised += 1;
        lines
    }
}
