//! How clips differ. Curves are compared by their values at the times of the keys, because programs that sample write other keys.

use super::matching::{angle, is_same_rest, same_name};
use super::{Edit, Matches, Side, Sizes};
use glam::Vec3;
use scene::{
    Channel, Clip, Curve, EventId, Interpolation, MeshProperty, NodeId, NodeProperty, Target, Transform,
    Value,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Times may be this much off.
const TIME: f32 = 4e-5;
/// Keys closer than this merge in Blender, in seconds.
const CLOSE: f32 = 6e-4;
/// The resolution of events, in seconds.
const MILLISECOND: f32 = 1e-3;
/// A clip may be this much shorter: programs that sample stop at a whole frame.
const FRAME: f32 = 0.045;

pub(super) fn edits(
    base: &Side<'_>,
    edited: &Side<'_>,
    matches: &Matches,
    sizes: &Sizes,
    edits: &mut Vec<Edit>,
) {
    // Motion that no clip has: without extras it is in animations of their own.
    let loose = base.scene.clips.iter().zip(&base.clips).filter(|(_, id)| id.is_none());
    let own = loose.flat_map(|(clip, _)| &clip.channels);
    let always = base.scene.global_channels.iter().map(|global| &global.channel);
    let always: HashSet<NodeId> = own
        .chain(always)
        .filter_map(|channel| match channel.target {
            Target::Node(node, _) => Some(node),
            _ => None,
        })
        .collect();
    let always = &always;
    for (index, clip) in base.scene.clips.iter().enumerate() {
        let Some(id) = base.clips[index] else { continue };
        let Some(other) = matches.clips_back[index] else {
            edits.push(Edit::ClipRemoved(id));
            continue;
        };
        let now = &edited.scene.clips[other];
        if !same_name(&clip.name, &now.name) {
            edits.push(Edit::ClipRenamed(id, now.name.clone()));
        }
        if (clip.duration - now.duration).abs() > FRAME {
            edits.push(Edit::ClipLength(id, now.duration));
        }
        let pair = Pair { base, edited, matches, sizes, clip, now, always };
        edits.extend(pair.changes().into_iter().map(|target| Edit::MotionChanged(id, other, target)));
        edits.extend(pair.added().into_iter().map(|node| Edit::MotionAdded(id, other, node)));
        if base.has_objects && edited.has_objects && base.scene.events.len() == edited.scene.events.len() {
            let events = event_changes(clip, now).into_iter();
            edits.extend(events.map(|(event, times)| Edit::EventsChanged(event, id, times)));
        }
    }
    globals(base, edited, matches, sizes, edits);
    for (index, found) in matches.clips.iter().enumerate() {
        // Blender writes a clip for whatever has an action.
        if found.is_none() && !edited.scene.clips[index].channels.is_empty() {
            edits.push(Edit::ClipAdded(index));
        }
    }
}

/// Nodes that were moved with all their motion. Other programs write nodes that are no joints where the active clip has them, so their rest
/// transforms are those that custom properties tell, and only keys show that they were moved: each by the same vector, in every clip.
pub(super) fn shifts(
    base: &Side<'_>,
    edited: &Side<'_>,
    matches: &Matches,
    sizes: &Sizes,
) -> HashMap<usize, Vec3> {
    let mut shifts: HashMap<usize, Option<Vec3>> = HashMap::new();
    if !edited.has_objects {
        return HashMap::new();
    }
    let near = 4e-5 * sizes.reach;
    // In how many clips nodes move, and how many clips there are: a clip that has no keys of a node leaves it at rest.
    let (mut moving, mut clips): (HashMap<usize, usize>, usize) = (HashMap::new(), 0);
    for (index, known) in base.clips.iter().enumerate() {
        let Some(other) = matches.clips_back[index].filter(|_| known.is_some()) else { continue };
        let (clip, now) = (&base.scene.clips[index], &edited.scene.clips[other]);
        let before = by_target(clip, Some);
        clips += 1;
        for channel in &now.channels {
            let Target::Node(node, NodeProperty::Translation) = channel.target else { continue };
            let Some(host) = matches.nodes.get(node.index()).copied().flatten() else { continue };
            if edited.joints[node.index()] || shifts.get(&host) == Some(&None) {
                continue;
            }
            *moving.entry(host).or_default() += 1;
            let rest = base.scene.nodes[host].rest.translation;
            let old = before.get(&Target::Node(NodeId::from(host), NodeProperty::Translation));
            let apart = |time: &f32| -> Option<Vec3> {
                let old = match old {
                    Some(old) => match old.curve.sample(*time)? {
                        Value::Vector(value) => value,
                        _ => return None,
                    },
                    None => rest,
                };
                match channel.curve.sample(*time)? {
                    Value::Vector(value) => Some(value - old),
                    _ => None,
                }
            };
            let times = old.map_or_else(|| times(channel), |old| times(old));
            let first = times.first().and_then(apart);
            let wanted = shifts.get(&host).copied().flatten().or(first);
            let is_even = |wanted: Vec3| {
                let is_it = |time: &f32| apart(time).is_some_and(|found| found.abs_diff_eq(wanted, near));
                wanted.length() > near && times.iter().all(is_it)
            };
            shifts.insert(host, wanted.filter(|wanted| is_even(*wanted)));
        }
    }
    let is_everywhere = |node: &usize| moving.get(node) == Some(&clips);
    shifts
        .into_iter()
        .filter_map(|(node, shift)| Some((node, shift?)))
        .filter(|(node, _)| is_everywhere(node))
        .collect()
}

/// Motion that runs whichever clip plays.
fn globals(base: &Side<'_>, edited: &Side<'_>, matches: &Matches, sizes: &Sizes, edits: &mut Vec<Edit>) {
    let clip = |scene: &scene::Scene| Clip {
        duration: f32::MAX,
        channels: scene.global_channels.iter().map(|global| global.channel.clone()).collect(),
        ..Clip::default()
    };
    let (before, now) = (clip(base.scene), clip(edited.scene));
    let mut pairs = vec![(&before, &now, None)];
    // Without extras, they are animations of their own.
    for (index, known) in base.clips.iter().enumerate() {
        if let Some(other) = matches.clips_back[index].filter(|_| known.is_none()) {
            pairs.push((&base.scene.clips[index], &edited.scene.clips[other], Some(other)));
        }
    }
    let always = &HashSet::new();
    for (clip, now, place) in pairs {
        let pair = Pair { base, edited, matches, sizes, clip, now, always };
        edits.extend(pair.changes().into_iter().map(|target| Edit::GlobalMotionChanged(place, target)));
    }
}

/// The events that happen at other times, with their times in the edited scene.
fn event_changes(clip: &Clip, now: &Clip) -> Vec<(EventId, Vec<f32>)> {
    let by_event = |clip: &Clip| {
        let mut found: BTreeMap<EventId, Vec<f32>> = BTreeMap::new();
        clip.events.iter().for_each(|key| found.entry(key.event).or_default().push(key.time));
        found.values_mut().for_each(|times| times.sort_by(f32::total_cmp));
        found
    };
    let (before, mut after) = (by_event(clip), by_event(now));
    for event in before.keys() {
        after.entry(*event).or_default();
    }
    let none = Vec::new();
    let is_same = |a: &[f32], b: &[f32]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= MILLISECOND / 2.0)
    };
    after.into_iter().filter(|(event, times)| !is_same(before.get(event).unwrap_or(&none), times)).collect()
}

struct Pair<'p> {
    base: &'p Side<'p>,
    edited: &'p Side<'p>,
    matches: &'p Matches,
    sizes: &'p Sizes,
    clip: &'p Clip,
    now: &'p Clip,
    /// The nodes that move whichever clip plays.
    always: &'p HashSet<NodeId>,
}

impl Pair<'_> {
    /// The targets that move differently, with the ids of the original.
    fn changes(&self) -> Vec<Target> {
        let before = by_target(self.clip, Some);
        let now = by_target(self.now, |target| self.to_base(target));
        let mut targets: Vec<Target> = before.keys().copied().collect();
        targets.extend(now.keys().filter(|target| !before.contains_key(target)));
        targets.sort_by_key(|target| order(*target));
        let mut found: BTreeSet<(u8, u32, u32, u8)> = BTreeSet::new();
        let mut changes = Vec::new();
        for target in targets {
            let (a, b) = (before.get(&target).copied(), now.get(&target).copied());
            if self.is_same(target, a, b) {
                continue;
            }
            if let Some(target) = self.to_original(target)
                && found.insert(order(target))
            {
                changes.push(target);
            }
        }
        changes
    }

    /// New nodes that the clip moves, each once.
    fn added(&self) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        for channel in &self.now.channels {
            let Target::Node(node, property) = channel.target else { continue };
            let index = node.index();
            let is_new = self.matches.nodes.get(index) == Some(&None)
                && self.matches.holders.get(index) == Some(&false);
            let Some(rest) = self.edited.scene.nodes.get(index).filter(|_| is_new && !found.contains(&index))
            else {
                continue;
            };
            let still = rest_value(&rest.rest, property);
            let moves = |time: &f32| !self.is_near(channel.curve.sample(*time), still);
            if still.is_some() && times(channel).iter().any(moves) {
                found.push(index);
            }
        }
        found
    }

    /// A target of the edited scene as the base's.
    fn to_base(&self, target: Target) -> Option<Target> {
        Some(match target {
            Target::Node(node, property) => {
                let node = self.matches.nodes.get(node.index()).copied().flatten()?;
                Target::Node(NodeId::from(node), property)
            }
            Target::Mesh(mesh, property) => {
                Target::Mesh(self.matches.meshes.get(mesh.index()).copied().flatten()?.into(), property)
            }
            Target::Layer(material, layer, property) => {
                let material = self.matches.materials.get(material.index()).copied().flatten()?;
                Target::Layer(material.into(), layer, property)
            }
            other => other,
        })
    }

    /// A target of the base as the original's.
    fn to_original(&self, target: Target) -> Option<Target> {
        Some(match target {
            Target::Node(node, property) => Target::Node((*self.base.nodes.get(node.index())?)?, property),
            Target::Mesh(mesh, property) => Target::Mesh((*self.base.meshes.get(mesh.index())?)?, property),
            Target::Layer(material, layer, property) => {
                Target::Layer((*self.base.materials.get(material.index())?)?, layer, property)
            }
            other => other,
        })
    }

    fn is_same(&self, target: Target, a: Option<&Channel>, b: Option<&Channel>) -> bool {
        if let (Some(a), Some(b)) = (a, b)
            && a.curve == b.curve
        {
            return true;
        }
        let Target::Node(node, property) = target else {
            return self.is_same_other(target, a, b);
        };
        // What hangs on nothing that came back has no motion.
        let Some(other) = self.matches.nodes_back.get(node.index()).copied().flatten() else { return true };
        // Programs that sample write down in each clip where other animations left a node.
        if a.is_none() && !self.edited.has_objects && self.always.contains(&node) {
            return true;
        }
        let (before, mut now) =
            (self.base.scene.nodes[node.index()].rest, self.edited.scene.nodes[other].rest);
        if let Some(shift) = self.matches.shifts.get(&node.index()) {
            now.translation = before.translation + *shift;
        }
        let rests = (&before, &now);
        if property == NodeProperty::Visibility {
            return self.is_same_switch(a, b, self.base.scene.nodes[node.index()].visible);
        }
        let value = |channel: Option<&Channel>, time: f32, is_base: bool| {
            let rest = if is_base { rests.0 } else { rests.1 };
            channel.and_then(|channel| channel.curve.sample(time)).or_else(|| rest_value(rest, property))
        };
        if self.holds(a, b, Some(node), value) {
            return true;
        }
        // A bone that was moved takes its motion along: the difference from its rest is the same.
        !is_same_rest(rests.0, rests.1, self.sizes)
            && self.holds(a, b, Some(node), |channel, time, is_base| {
                let rest = if is_base { rests.0 } else { rests.1 };
                Some(match value(channel, time, is_base)? {
                    Value::Vector(value) if property == NodeProperty::Translation => {
                        Value::Vector(rest.rotation.inverse() * (value - rest.translation))
                    }
                    Value::Rotation(value) => Value::Rotation(rest.rotation.inverse() * value),
                    other => other,
                })
            })
    }

    fn is_same_other(&self, target: Target, a: Option<&Channel>, b: Option<&Channel>) -> bool {
        // What only extras say is there as long as they are, and goes with what it belongs to.
        let is_gone = match target {
            Target::Mesh(mesh, _) => self.matches.meshes_back.get(mesh.index()).copied().flatten().is_none(),
            Target::Layer(material, ..) => !self.matches.materials.contains(&Some(material.index())),
            _ => b.is_none() && self.matches.nodes_back.contains(&None),
        };
        if !self.edited.has_objects || is_gone {
            return true;
        }
        match target {
            Target::Mesh(_, MeshProperty::Visibility) => self.is_same_switch(a, b, true),
            Target::Mesh(mesh, MeshProperty::Alpha) => {
                let rest = self.base.scene.meshes.get(mesh.index()).map(|mesh| Value::Scalar(mesh.alpha));
                self.holds(a, b, None, |channel, time, _| {
                    channel.and_then(|channel| channel.curve.sample(time)).or(rest)
                })
            }
            _ => match (a, b) {
                (Some(_), Some(_)) => self.holds(a, b, None, |channel, time, _| channel?.curve.sample(time)),
                (None, None) => true,
                _ => false,
            },
        }
    }

    /// Whether two switches are on at the same times. A program that samples may write whole frames.
    fn is_same_switch(&self, a: Option<&Channel>, b: Option<&Channel>, rest: bool) -> bool {
        self.holds(a, b, None, |channel, time, _| {
            let value = channel.and_then(|channel| channel.curve.sample(time));
            Some(match value {
                Some(Value::Scalar(value)) => Value::Flag(value > 0.0),
                Some(value) => value,
                None => Value::Flag(rest),
            })
        })
    }

    /// Whether two channels have the same values at the times that matter.
    fn holds(
        &self,
        a: Option<&Channel>,
        b: Option<&Channel>,
        node: Option<NodeId>,
        value: impl Fn(Option<&Channel>, f32, bool) -> Option<Value>,
    ) -> bool {
        let (from, to) = (a.map_or(&[][..], times), b.map_or(&[][..], times));
        // A clip shorter than a frame is one sample.
        let is_short = to.len() == 1 && self.clip.duration < FRAME && !self.edited.has_objects;
        // Where the original has no keys, nothing was sampled: its value is the same at all times.
        let is_new = from.is_empty() && self.edited.has_objects;
        let is_sampled = is_short || !is_new && is_sampled(from, to);
        let end = self.now.duration.min(self.clip.duration);
        let mut all: Vec<f32> = to.to_vec();
        if !is_sampled {
            all.extend(from);
        }
        if !is_sampled {
            // Near a step both values count as equal, so the middle between steps decides.
            for (channel, times) in [(a, from), (b, to)] {
                if channel.is_some_and(steps) {
                    let next = times.iter().skip(1).copied().chain([end]);
                    all.extend(times.iter().zip(next).map(|(time, next)| (time + next) * 0.5));
                }
            }
        }
        if to.is_empty() {
            // The channel is gone: that is the same only if it did nothing.
            all.extend(from);
        }
        let is_close = |time: f32| {
            let place = from.partition_point(|other| *other < time - CLOSE);
            let near = |other: &f32| (*other - time).abs() < CLOSE && (*other - time).abs() > TIME;
            from.iter().skip(place).take(4).any(near)
        };
        for time in all {
            if is_sampled && time > end - FRAME || is_close(time) {
                continue;
            }
            let now = value(b, time, false);
            let slack = if is_sampled { 1e-3 } else { TIME };
            let mut moments = [time, time - slack, time + slack].into_iter();
            let mut others = [time - slack, time + slack].into_iter();
            let is_same = moments.any(|moment| self.is_near(value(a, moment, true), now))
                || others.any(|moment| self.is_near(value(a, time, true), value(b, moment, false)))
                || self.is_between(value(a, time - slack, true), value(a, time + slack, true), now);
            let is_excused = || is_sampled && node.is_some_and(|node| self.is_squashed(node, time));
            if !is_same && !is_excused() {
                return false;
            }
        }
        true
    }

    /// Whether a node above has no size at a time. Programs that sample divide by it, so what they write of the node means nothing, and it
    /// shows nothing.
    fn is_squashed(&self, node: NodeId, time: f32) -> bool {
        const NOTHING: f32 = 1e-3;
        let nodes = &self.base.scene.nodes;
        let mut above = nodes.get(node.index()).and_then(|node| node.parent);
        // A path is at most as long as there are nodes.
        for _ in 0..nodes.len() {
            let Some(id) = above else { break };
            let target = Target::Node(id, NodeProperty::Scale);
            let channel = self.clip.channels.iter().find(|channel| channel.target == target);
            let is_small = |scale: Vec3| scale.abs().min_element() < NOTHING;
            let found = match channel.and_then(|channel| channel.curve.sample(time)) {
                Some(Value::Vector(scale)) => is_small(scale),
                _ => is_small(nodes[id.index()].rest.scale),
            };
            if found {
                return true;
            }
            above = nodes[id.index()].parent;
        }
        false
    }

    /// Whether a value lies between two others, of which rounding of the time gives any.
    fn is_between(&self, a: Option<Value>, b: Option<Value>, now: Option<Value>) -> bool {
        match (a, b, now) {
            (Some(Value::Vector(a)), Some(Value::Vector(b)), Some(Value::Vector(now))) => {
                let slack = 2e-5 * self.sizes.reach;
                now.cmpge(a.min(b) - slack).all()
                    && now.cmple(a.max(b) + slack).all()
                    && a.distance(b) < 0.01 * self.sizes.reach
            }
            (Some(Value::Rotation(a)), Some(Value::Rotation(b)), Some(Value::Rotation(now))) => {
                let apart = angle(a, b);
                apart < 0.1 && angle(a, now) + angle(now, b) < apart + 0.05_f32.to_radians()
            }
            _ => false,
        }
    }

    fn is_near(&self, a: Option<Value>, b: Option<Value>) -> bool {
        match (a, b) {
            (None, None) => true,
            (Some(Value::Flag(a)), Some(Value::Flag(b))) => a == b,
            (Some(Value::Index(a)), Some(Value::Index(b))) => a == b,
            (Some(Value::Scalar(a)), Some(Value::Scalar(b))) => (a - b).abs() <= 2e-5 * a.abs().max(1.0),
            (Some(Value::Vector(a)), Some(Value::Vector(b))) => {
                a.abs_diff_eq(b, 2e-5 * self.sizes.reach.max(1.0).min(self.sizes.reach.max(a.length())))
            }
            (Some(Value::Rotation(a)), Some(Value::Rotation(b))) => angle(a, b) < 0.05_f32.to_radians(),
            _ => false,
        }
    }
}

/// Whether a channel was sampled at whole frames: it has keys at other times than the original.
fn is_sampled(from: &[f32], to: &[f32]) -> bool {
    if to.len() < 2 {
        return false;
    }
    let known = to.iter().filter(|time| {
        let place = from.partition_point(|other| *other < **time - TIME);
        from.get(place).is_some_and(|other| (*other - **time).abs() <= TIME)
    });
    let is_even = to.windows(3).all(|three| ((three[2] - three[1]) - (three[1] - three[0])).abs() < 1e-3);
    known.count() < to.len() && is_even
}

/// Whether the values of a channel change by steps.
fn steps(channel: &Channel) -> bool {
    match &channel.curve {
        Curve::Flag(_) | Curve::Index(_) => true,
        Curve::Scalar(track) => track.interpolation == Interpolation::Step,
        Curve::Vector(track) => track.interpolation == Interpolation::Step,
        Curve::Rotation(track) => track.interpolation == Interpolation::Step,
    }
}

fn times(channel: &Channel) -> &[f32] {
    match &channel.curve {
        Curve::Flag(track) => &track.times,
        Curve::Index(track) => &track.times,
        Curve::Scalar(track) => &track.times,
        Curve::Vector(track) => &track.times,
        Curve::Rotation(track) => &track.times,
    }
}

fn rest_value(rest: &Transform, property: NodeProperty) -> Option<Value> {
    Some(match property {
        NodeProperty::Translation => Value::Vector(rest.translation),
        NodeProperty::Rotation => Value::Rotation(rest.rotation),
        NodeProperty::Scale => Value::Vector(rest.scale),
        NodeProperty::Visibility => return None,
    })
}

fn by_target(clip: &Clip, target: impl Fn(Target) -> Option<Target>) -> HashMap<Target, &Channel> {
    let mut found = HashMap::new();
    for channel in &clip.channels {
        if let Some(target) = target(channel.target) {
            found.entry(target).or_insert(channel);
        }
    }
    found
}

/// A fixed order of targets.
fn order(target: Target) -> (u8, u32, u32, u8) {
    match target {
        Target::Node(id, property) => (0, id.0, 0, property as u8),
        Target::Mesh(id, property) => (1, id.0, 0, property as u8),
        Target::Layer(id, layer, property) => {
            let number = match property {
                scene::LayerProperty::Alpha => 0,
                scene::LayerProperty::Texture(_) => 1,
                scene::LayerProperty::UvTranslation => 2,
                scene::LayerProperty::UvRotation => 3,
                scene::LayerProperty::UvScale => 4,
                scene::LayerProperty::Color => 5,
                scene::LayerProperty::EmissiveGain => 6,
                scene::LayerProperty::FresnelColor => 7,
                scene::LayerProperty::FresnelOpacity => 8,
                scene::LayerProperty::FresnelTeamColor => 9,
            };
            (2, id.0, layer, number)
        }
        Target::Light(id, property) => (3, id.0, 0, property as u8),
        Target::Camera(id, property) => (4, id.0, 0, property as u8),
        Target::Emitter(id, property) => (5, id.0, 0, property as u8),
        Target::Ribbon(id, property) => (6, id.0, 0, property as u8),
    }
}
