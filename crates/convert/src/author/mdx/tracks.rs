//! Channels to tracks: one time line for all clips.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use glam::Vec3;
use mdx::build::{tangent_track, track};
use mdx::records::{Interpolation as Between, TangentKey, TrackValue};
use mdx::track_row;
use record::{F32, I32, Node, U32};
use scene::{Channel, GlobalChannel, Interpolation, Scene, Target};

use super::super::keys::{Animated, Keys, common};
use super::{Author, space};
use crate::report::NoteKind;

/// The channels of a scene by what they move.
pub(super) struct Channels<'s> {
    clips: HashMap<Target, Vec<(usize, &'s Channel)>, RandomState>,
    globals: HashMap<Target, &'s GlobalChannel, RandomState>,
}

impl<'s> Channels<'s> {
    pub(super) fn new(scene: &'s Scene) -> Self {
        let mut clips: HashMap<Target, Vec<(usize, &'s Channel)>, RandomState> = HashMap::default();
        for (index, clip) in scene.clips.iter().enumerate() {
            for channel in &clip.channels {
                let of_target = clips.entry(channel.target).or_default();
                // Of two channels of one clip the later one wins, as when a pose is sampled.
                match of_target.last_mut() {
                    Some((last, of_clip)) if *last == index => *of_clip = channel,
                    _ => of_target.push((index, channel)),
                }
            }
        }
        let globals = scene.global_channels.iter();
        let globals = globals.filter(|global| global.sequence.index() < scene.global_sequences.len());
        Self { clips, globals: globals.map(|global| (global.channel.target, global)).collect() }
    }

    /// Whether anything moves the target.
    pub(super) fn moves(&self, target: Target) -> bool {
        self.clips.contains_key(&target) || self.globals.contains_key(&target)
    }

    fn of_clip(&self, target: Target, clip: usize) -> Option<&'s Channel> {
        let found = self.clips.get(&target)?.iter().find(|(index, _)| *index == clip);
        found.map(|(_, channel)| *channel)
    }
}

/// A value's motion in all sequences, or on a global one.
#[derive(Clone, Debug)]
pub(super) struct Motion<V> {
    /// For each sequence its keys; none is the value that nothing animates.
    pub(super) sequences: Vec<Option<Keys<V>>>,
    /// The keys on a global sequence, which win.
    pub(super) global: Option<(usize, Keys<V>)>,
}

/// The value where a track has no keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unsaid<V> {
    /// In the scene.
    pub(super) scene: V,
    /// In the game, in a sequence without keys if others have some. Nothing is the value beside the track.
    pub(super) game: Option<V>,
    /// Readers disagree about that, so nothing is left to it.
    pub(super) disputed: bool,
}

impl<V: Copy> Unsaid<V> {
    /// The value beside the track holds.
    pub(super) const fn own(scene: V) -> Self {
        Self { scene, game: None, disputed: false }
    }

    /// In sequences without keys the game takes another value.
    pub(super) const fn other(scene: V, game: V) -> Self {
        Self { scene, game: Some(game), disputed: false }
    }
}

impl Author<'_> {
    /// The durations of all global sequences, in milliseconds.
    pub(super) fn global_durations(&self) -> Vec<i32> {
        let of_scene = self.scene.global_sequences.iter();
        let of_scene = of_scene.map(|sequence| space::milliseconds(sequence.duration.max(0.0)));
        of_scene.chain(self.globals.iter().copied()).collect()
    }

    /// The number of a global sequence of this duration beyond those of the scene.
    pub(super) fn global_sequence(&mut self, milliseconds: i32) -> usize {
        let before = self.scene.global_sequences.len();
        let known = self.globals.iter().position(|each| *each == milliseconds);
        before
            + known.unwrap_or_else(|| {
                self.globals.push(milliseconds);
                self.globals.len() - 1
            })
    }

    /// How a target moves; nothing if it never does.
    pub(super) fn motion<V: Animated>(&mut self, target: Target, rest: V) -> Option<Motion<V>> {
        if !self.channels.moves(target) {
            return None;
        }
        let global = self.channels.globals.get(&target).copied().and_then(|global| {
            let duration = self.scene.global_sequences[global.sequence.index()].duration;
            let keys = Keys::new(&V::track(&global.channel.curve)?, duration, rest)?;
            Some((global.sequence.index(), keys))
        });
        let sequences: Vec<Option<Keys<V>>> = self
            .windows
            .iter()
            .map(|window| {
                let channel = self.channels.of_clip(target, window.clip?)?;
                Keys::new(&V::track(&channel.curve)?, window.duration(), rest)
            })
            .collect();
        let in_clips = sequences.iter().any(Option::is_some);
        if in_clips && global.is_some() {
            let message = "moves both in clips and on a global sequence; MDX has one of them, so the latter was dropped";
            self.note(NoteKind::Skipped, &format!("{target:?}"), message);
        }
        (in_clips || global.is_some()).then(|| Motion { global: global.filter(|_| !in_clips), sequences })
    }

    /// Nothing but a value that is not what the game takes without a track.
    pub(super) fn still<V: Animated>(&self, value: V) -> Motion<V> {
        Motion { sequences: vec![Some(Keys::constant(value)); self.windows.len()], global: None }
    }

    /// The product of two motions. Either may be a constant.
    pub(super) fn product(
        &mut self,
        (a, a_rest): (Option<Motion<f32>>, f32),
        (b, b_rest): (Option<Motion<f32>>, f32),
        path: &str,
    ) -> (Option<Motion<f32>>, f32) {
        let rest = a_rest * b_rest;
        let (a, b) = match (a, b) {
            (None, None) => return (None, rest),
            (Some(only), None) if b_rest == 1.0 => return (Some(only), rest),
            (None, Some(only)) if a_rest == 1.0 => return (Some(only), rest),
            (a, b) => {
                let (a, b) =
                    (a.unwrap_or_else(|| self.still(a_rest)), b.unwrap_or_else(|| self.still(b_rest)));
                (a, b)
            }
        };
        if a.global.is_some() || b.global.is_some() {
            self.lost(
                path,
                "a visibility on a global sequence cannot be combined with another one; it was dropped",
            );
        }
        let pairs = a.sequences.into_iter().zip(b.sequences).zip(&self.windows);
        let sequences = pairs.map(|((a, b), window)| match (a, b) {
            (None, None) => None,
            (a, b) => {
                let (a, b) = (
                    a.unwrap_or_else(|| Keys::constant(a_rest)),
                    b.unwrap_or_else(|| Keys::constant(b_rest)),
                );
                Some(a.product(b, window.duration()))
            }
        });
        (Some(Motion { sequences: sequences.collect(), global: None }), rest)
    }

    /// A track of a motion. Sequences without keys are where the value is what the game takes there anyway.
    pub(super) fn track<V: Animated, T: TrackValue>(
        &self,
        tag: u32,
        motion: Option<Motion<V>>,
        unsaid: Unsaid<V>,
        value: impl Fn(V) -> T,
        tangent: impl Fn(V, Interpolation) -> T,
    ) -> Option<Node<'static>> {
        let motion = motion?;
        let (pieces, global) = if let Some((sequence, keys)) = motion.global {
            let duration = self.global_durations().get(sequence).copied().unwrap_or(0) as f32 / 1000.0;
            (vec![(0, keys, duration)], super::signed(sequence))
        } else {
            let game = unsaid.game.unwrap_or(unsaid.scene);
            let pieces = self.windows.iter().zip(motion.sequences).filter_map(|(window, keys)| {
                let keys = keys.or_else(|| {
                    let needed = game != unsaid.scene || unsaid.disputed;
                    needed.then(|| Keys::constant(unsaid.scene))
                })?;
                Some((window.start, keys, window.duration()))
            });
            let mut pieces: Vec<_> = pieces.collect();
            let is_said = |keys: &Keys<V>| unsaid.disputed || keys.only_value() != Some(game);
            // Without any key the value beside the track would hold.
            if game == unsaid.scene || pieces.iter().any(|(_, keys, _)| is_said(keys)) {
                pieces.retain(|(_, keys, _)| is_said(keys));
            }
            (pieces, -1)
        };
        if pieces.is_empty() {
            return None;
        }
        let interpolation = common(pieces.iter().map(|(_, keys, _)| keys));
        let mut keys: Vec<TangentKey<T>> = Vec::new();
        for (start, piece, duration) in pieces {
            let piece =
                piece.into_interpolation(interpolation, duration).keys.into_iter().map(|key| TangentKey {
                    time: I32::new(start.saturating_add(space::milliseconds(key.time))),
                    value: value(key.value),
                    in_tan: tangent(key.incoming, interpolation),
                    out_tan: tangent(key.outgoing, interpolation),
                });
            keys.extend(one_per_millisecond(piece.collect(), start));
        }
        write(tag, interpolation, global, &keys)
    }

    /// A track of numbers.
    pub(super) fn scalar(&mut self, tag: u32, target: Target, unsaid: Unsaid<f32>) -> Option<Node<'static>> {
        let motion = self.motion(target, unsaid.scene);
        self.track(tag, motion, unsaid, F32::new, |value, _| F32::new(value))
    }

    /// A track of colours, in the order of its tag.
    pub(super) fn color(&mut self, tag: u32, target: Target, unsaid: Unsaid<Vec3>) -> Option<Node<'static>> {
        let motion = self.motion(target, unsaid.scene);
        let order = track_row(tag).and_then(|row| row.color);
        let color = |value: Vec3| {
            record::Vec3::from(order.map_or(value.to_array(), |order| order.rgb(value.to_array())))
        };
        self.track(tag, motion, unsaid, color, |value, _| color(value))
    }

    /// A track of positions that are added to something.
    pub(super) fn offset(&mut self, tag: u32, target: Target) -> Option<Node<'static>> {
        let motion = self.motion(target, Vec3::ZERO);
        self.track(tag, motion, Unsaid::own(Vec3::ZERO), space::vector, |tangent, _| space::vector(tangent))
    }

    /// A track of indices.
    pub(super) fn indices(&mut self, tag: u32, target: Target, rest: u32) -> Option<Node<'static>> {
        let motion = self.motion(target, rest);
        self.track(tag, motion, Unsaid::own(rest), U32::new, |value, _| U32::new(value))
    }

    /// A track of visibility: that of a thing itself and that of its node.
    pub(super) fn visibility(
        &mut self,
        tag: u32,
        own: Option<(Target, bool)>,
        node: Option<scene::NodeId>,
        path: &str,
    ) -> Option<Node<'static>> {
        let rest = |visible: bool| f32::from(u8::from(visible));
        let own =
            own.map_or((None, 1.0), |(target, visible)| (self.motion(target, rest(visible)), rest(visible)));
        self.visibility_of(tag, own, node, path)
    }

    /// A track of visibility, from that of a thing itself and that of its node.
    pub(super) fn visibility_of(
        &mut self,
        tag: u32,
        own: (Option<Motion<f32>>, f32),
        node: Option<scene::NodeId>,
        path: &str,
    ) -> Option<Node<'static>> {
        let of_node = self.node_visibility(node);
        let (motion, rest) = self.product(own, of_node, path);
        let motion = motion.or_else(|| (rest != 1.0).then(|| self.still(rest)));
        // The game never interpolates it.
        let motion = motion.map(|motion| {
            let step = |keys: Keys<f32>| Keys {
                interpolation: Interpolation::Step,
                keys: keys
                    .keys
                    .into_iter()
                    .map(|mut key| {
                        key.value = if key.value > 0.0 { 1.0 } else { 0.0 };
                        key
                    })
                    .collect(),
            };
            Motion {
                sequences: motion.sequences.into_iter().map(|keys| keys.map(step)).collect(),
                global: motion.global.map(|(sequence, keys)| (sequence, step(keys))),
            }
        });
        self.track(tag, motion, Unsaid::other(rest, 1.0), F32::new, |value, _| F32::new(value))
    }

    /// How what hangs on a node shows and hides.
    pub(super) fn node_visibility(&mut self, node: Option<scene::NodeId>) -> (Option<Motion<f32>>, f32) {
        let Some((id, node)) = node.and_then(|id| Some((id, self.scene.nodes.get(id.index())?))) else {
            return (None, 1.0);
        };
        let rest = f32::from(u8::from(node.visible));
        (self.motion(Target::Node(id, scene::NodeProperty::Visibility), rest), rest)
    }
}

/// Keys of which no two are at the same millisecond: of several, the last one stays. If the first one has another value, it goes to the
/// millisecond before, so that the value jumps as before. Where that one is taken, too, or before `start`, the first one is dropped.
fn one_per_millisecond<T: TrackValue>(keys: Vec<TangentKey<T>>, start: i32) -> Vec<TangentKey<T>> {
    if keys.windows(2).all(|pair| pair[0].time.get() < pair[1].time.get()) {
        return keys;
    }
    let mut kept: Vec<TangentKey<T>> = Vec::with_capacity(keys.len());
    for group in keys.chunk_by(|a, b| a.time == b.time) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let before = first.time.get() - 1;
        let jumps = first.value.as_bytes() != last.value.as_bytes();
        if jumps && before >= start && kept.last().is_none_or(|key| key.time.get() < before) {
            kept.push(TangentKey { time: I32::new(before), ..*first });
        }
        kept.push(*last);
    }
    kept
}

/// A track in the layout of its interpolation.
pub(super) fn write<T: TrackValue>(
    tag: u32,
    interpolation: Interpolation,
    global: i32,
    keys: &[TangentKey<T>],
) -> Option<Node<'static>> {
    let between = match interpolation {
        Interpolation::Step => Between::NONE,
        Interpolation::Linear => Between::LINEAR,
        Interpolation::Hermite => Between::HERMITE,
        Interpolation::Bezier => Between::BEZIER,
    };
    if matches!(interpolation, Interpolation::Hermite | Interpolation::Bezier) {
        tangent_track(tag, between, global, keys)
    } else {
        let keys: Vec<(i32, T)> = keys.iter().map(|key| (key.time.get(), key.value)).collect();
        track(tag, between, global, &keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(keys: &[(i32, u32)]) -> Vec<(i32, u32)> {
        let key = |(time, value): &(i32, u32)| TangentKey {
            time: I32::new(*time),
            value: U32::new(*value),
            in_tan: U32::new(0),
            out_tan: U32::new(0),
        };
        let kept = one_per_millisecond(keys.iter().map(key).collect(), 100);
        kept.iter().map(|key| (key.time.get(), key.value.get())).collect()
    }

    #[test]
    fn keys_on_one_millisecond_are_merged() {
        assert_eq!(merged(&[(100, 1), (101, 2)]), [(100, 1), (101, 2)]);
        assert_eq!(
            merged(&[(100, 1), (100, 2), (100, 3)]),
            [(100, 3)],
            "nothing is written before the start"
        );
        assert_eq!(
            merged(&[(100, 1), (200, 2), (200, 3), (200, 4)]),
            [(100, 1), (199, 2), (200, 4)],
            "a jump stays one"
        );
        assert_eq!(merged(&[(100, 1), (200, 2), (200, 2)]), [(100, 1), (200, 2)], "nothing jumps");
        assert_eq!(merged(&[(100, 1), (199, 5), (200, 2), (200, 4)]), [(100, 1), (199, 5), (200, 4)]);
    }
}
