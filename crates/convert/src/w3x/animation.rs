//! Animations to clips. Values are relative to the rest pose, as in W3D, whose code makes the tracks.

use std::collections::{BTreeMap, HashSet};

use scene::{Clip, NodeProperty, NoteKind, Target, Transform};
use w3d::codec::{Key, Outside, Values};
use w3x::view::{Animation, Channel, ChannelType};

use super::Converter;
use crate::report::counted;
use crate::w3d::shared::{Motion, Timing, keys_of, visibility};

/// The frame rate if a file has none: that of all real files.
const DEFAULT_RATE: f32 = 30.0;

/// The cost of comparing an id with that of a skeleton, in bytes.
const NAME: usize = 16;

impl<'n> Converter<'_, 'n> {
    /// Makes a clip of each animation whose hierarchy is in the scene. Of those with the same id the first counts.
    pub(super) fn clips(&mut self) {
        let library = self.library;
        let own = library.main().animations().count();
        let mut known = HashSet::new();
        for (index, animation) in library.animations().enumerate() {
            let part = format!("W3DAnimation {:?}", animation.id());
            if !self.afford(NAME * self.skeletons.len() + animation.0.node().len()) {
                self.report.note(NoteKind::Damaged, &part, "too many animations; the rest was dropped");
                return;
            }
            if !known.insert(animation.id().to_lowercase()) {
                if index < own {
                    let message = "dropped: an animation of the same id comes before it";
                    self.report.note(NoteKind::Damaged, &part, message);
                }
                continue;
            }
            let hierarchy = animation.hierarchy().to_lowercase();
            let is_there = self.skeletons.iter().any(|skeleton| skeleton.id == hierarchy);
            if !is_there && (index < own || self.skeletons.is_empty()) {
                self.bare_skeleton(&hierarchy, animation, &part);
            } else if !is_there {
                continue;
            }
            self.clip(animation, &hierarchy, &part);
        }
    }

    /// A skeleton for an animation that has no model: the library's, or one of as many pivots as the animation moves.
    fn bare_skeleton(&mut self, key: &str, animation: Animation<'n>, part: &str) {
        let skeleton = self.skeleton(key, &animation.hierarchy());
        let pivots = animation.channels().filter_map(|channel| channel.pivot()).max().unwrap_or(0);
        let have = self.skeletons[skeleton].nodes.len();
        if have > 1 || pivots < have || !self.has_room(pivots, 0, part) {
            return;
        }
        let message = "skeleton not found: created one with a pivot at the origin for each channel";
        self.report.note(NoteKind::Assumed, part, message);
        for pivot in have..=pivots {
            let root = self.skeletons[skeleton].nodes[0];
            let node = self.add_node(format!("Pivot {pivot}"), Some(root), Transform::IDENTITY);
            let skeleton = &mut self.skeletons[skeleton];
            skeleton.nodes.push(node);
            skeleton.worlds.push(skeleton.worlds[0]);
        }
    }

    fn clip(&mut self, animation: Animation<'n>, hierarchy: &str, part: &str) {
        let rate = animation.frame_rate();
        let has_rate = rate.is_finite() && rate > 0.0;
        if !has_rate {
            let message = format!("the frame rate is missing or invalid; {DEFAULT_RATE} assumed");
            self.report.note(NoteKind::Assumed, part, message);
        }
        let rate = if has_rate { rate } else { DEFAULT_RATE };
        let frames = animation.frames();
        let end = if frames == 0 {
            let last = |channel: Channel<'_>| {
                let count = u32::try_from(channel.len()).unwrap_or(u32::MAX);
                channel.first_frame().saturating_add(count).saturating_sub(1)
            };
            let last = animation.channels().map(last).max().unwrap_or_default();
            let message =
                format!("the frame count is missing; {} taken from the channels", last.saturating_add(1));
            self.report.note(NoteKind::Assumed, part, message);
            last
        } else {
            frames - 1
        };
        let timing = Timing { end, rate };
        let motions = self.motions(animation, part);
        let mut clip = Clip {
            name: animation.id().into_owned(),
            duration: timing.seconds(end),
            looping: true,
            frame_rate: Some(rate),
            ..Clip::default()
        };
        let most = self.options.limits.keys;
        let mut strays = 0;
        for skeleton in self.skeletons.iter().filter(|skeleton| skeleton.id == hierarchy) {
            for (pivot, motion) in &motions {
                let Some(id) = skeleton.nodes.get(*pivot).copied() else {
                    strays += 1;
                    continue;
                };
                if self.keys > most {
                    break;
                }
                let before = clip.channels.len();
                motion.transform(&self.scene.nodes[id.index()].rest, timing, id, &mut clip);
                let curve = motion.visibility.as_ref().and_then(|values| visibility(values, timing));
                if let Some(curve) = curve {
                    let carriers = skeleton.carriers.get(pivot).map(Vec::as_slice).unwrap_or_default();
                    for node in carriers.iter().copied().chain([id]) {
                        let target = Target::Node(node, NodeProperty::Visibility);
                        clip.channels.push(scene::Channel { target, curve: curve.clone() });
                    }
                }
                self.keys += clip.channels[before..].iter().map(keys_of).sum::<usize>();
            }
        }
        if self.keys > most {
            let message = format!("the animations have more than {most} keys; the rest was dropped");
            self.report.note(NoteKind::Damaged, part, message);
        }
        if strays > 0 {
            let message =
                format!("channels for {} that the skeleton does not have", counted(strays, "pivot"));
            self.report.note(NoteKind::Damaged, part, message);
        }
        self.scene.clips.push(clip);
    }

    /// The channels, pivot by pivot.
    fn motions(&mut self, animation: Animation<'n>, part: &str) -> BTreeMap<usize, Motion> {
        let mut motions: BTreeMap<usize, Motion> = BTreeMap::new();
        let (mut unknown, mut repeated, mut rooted) = (0, 0, false);
        for channel in animation.channels() {
            let (Some(pivot), Some(kind)) = (channel.pivot(), channel.channel_type()) else {
                unknown += 1;
                continue;
            };
            // The engine gives pivot 0 the object's own transform, always shows it, and ignores its channels (docs/formats/w3d/hierarchy.md#pivots).
            if pivot == 0 {
                rooted |= !is_still(channel, kind);
                continue;
            }
            if channel.is_empty() {
                continue;
            }
            let motion = motions.entry(pivot).or_default();
            let slot = match kind {
                ChannelType::XTranslation => &mut motion.translation[0],
                ChannelType::YTranslation => &mut motion.translation[1],
                ChannelType::ZTranslation => &mut motion.translation[2],
                ChannelType::Orientation => &mut motion.rotation,
                ChannelType::Visibility => &mut motion.visibility,
            };
            repeated += usize::from(slot.replace(values(channel, kind)).is_some());
        }
        for (count, kind, what) in [
            (unknown, NoteKind::Damaged, "without a pivot or of an unknown type; dropped"),
            (repeated, NoteKind::Damaged, "repeated for the same pivot and type; the last one is used"),
        ] {
            if count > 0 {
                self.report.note(kind, part, format!("{} {what}", counted(count, "channel")));
            }
        }
        if rooted {
            let message = "channels of the root pivot are ignored, as in the games before";
            self.report.note(NoteKind::Skipped, part, message);
        }
        motions
    }
}

/// Whether a channel does not move anything.
fn is_still(channel: Channel<'_>, kind: ChannelType) -> bool {
    match kind {
        ChannelType::Orientation => channel.rotations().iter().all(|frame| frame.value[..3] == [0.0; 3]),
        ChannelType::Visibility => channel.scalars().iter().all(|frame| frame.value == 1.0),
        _ => channel.scalars().iter().all(|frame| frame.value == 0.0),
    }
}

/// The values of a channel. Frames that it does not cover are 0, the identity, or visible.
fn values(channel: Channel<'_>, kind: ChannelType) -> Values {
    let first = channel.first_frame();
    let (components, numbers, jumps): (usize, Vec<f32>, Vec<bool>) = if kind == ChannelType::Orientation {
        let frames = channel.rotations();
        let jumps = frames.iter().map(|frame| frame.jumps).collect();
        (4, frames.into_iter().flat_map(|frame| frame.value).collect(), jumps)
    } else {
        let frames = channel.scalars();
        let jumps = frames.iter().map(|frame| frame.jumps).collect();
        (1, frames.into_iter().map(|frame| frame.value).collect(), jumps)
    };
    if kind == ChannelType::Visibility {
        return Values::Frames { first, components, values: numbers, outside: Outside::Visible };
    }
    if !jumps.contains(&true) {
        return Values::Frames { first, components, values: numbers, outside: Outside::Identity };
    }
    let rest: &[f32] = if components == 4 { &[0.0, 0.0, 0.0, 1.0] } else { &[0.0] };
    let after = first.saturating_add(u32::try_from(jumps.len()).unwrap_or(u32::MAX));
    let (mut keys, mut all) = (Vec::with_capacity(jumps.len() + 2), Vec::with_capacity(numbers.len() + 8));
    if let Some(frame) = first.checked_sub(1) {
        keys.push(Key { frame, step: false });
        all.extend_from_slice(rest);
    }
    keys.extend((first..).zip(jumps).map(|(frame, step)| Key { frame, step }));
    all.extend(numbers);
    keys.push(Key { frame: after, step: false });
    all.extend_from_slice(rest);
    Values::Keys { components, keys, values: all }
}
