//! The state of an emitter's node and properties at a time.

use super::Situation;
use glam::{Affine3A, Vec3, Vec3A};
use scene::{Clip, Curve, Node, NodeId, NodeProperty, Scene, Target, Transform, Value, View};

/// Clips and global sequences shorter than this stay at their start.
pub(super) const SHORTEST: f64 = 1e-3;

/// Times and durations beyond this are clamped: the precision of a float is then some tens of milliseconds.
const LONGEST: f32 = 1e6;

/// The length of a clip or global sequence, if it is long enough to play.
fn length(duration: f32) -> Option<f64> {
    let moves = f64::from(duration) >= SHORTEST;
    moves.then(|| f64::from(duration.min(LONGEST)))
}

/// A clock that a curve runs on. Times of an emitter are seconds since the clip started; they have no beginning and no end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Clock {
    /// Constant time.
    Still,
    /// Repeats from 0 to `duration`. It is 0 when the emitter's time minus `offset` is a multiple of the duration.
    Loop { duration: f64, offset: f64 },
    /// Once from 0 to `duration`.
    Once { duration: f64 },
}

impl Clock {
    /// The time of the clock.
    pub(super) fn local(self, time: f64) -> f64 {
        match self {
            Self::Still => 0.0,
            Self::Loop { duration, offset } => (time - offset).rem_euclid(duration),
            Self::Once { duration } => time.clamp(0.0, duration),
        }
    }
}

/// The clocks of a situation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeline<'a> {
    scene: &'a Scene,
    clip: Option<&'a Clip>,
    /// The clock of the clip.
    clip_clock: Clock,
    /// The time of the global sequences at the start of the clip.
    global_start: f64,
    /// Now.
    pub(super) now: f64,
}

impl<'a> Timeline<'a> {
    pub(super) fn new(situation: &Situation<'a>) -> Self {
        let scene = situation.scene();
        let clip = situation.clip.and_then(|clip| scene.clips.get(clip.index()));
        let clip_clock = clip.map_or(Clock::Still, |clip| match length(clip.duration) {
            Some(duration) if clip.looping => Clock::Loop { duration, offset: 0.0 },
            Some(duration) => Clock::Once { duration },
            None => Clock::Still,
        });
        let seconds = |time: f32| f64::from(if time.is_nan() { 0.0 } else { time.clamp(-LONGEST, LONGEST) });
        let now = seconds(situation.elapsed);
        Self { scene, clip, clip_clock, global_start: seconds(situation.clock) - now, now }
    }

    /// The curves of a target, in descending priority.
    pub(super) fn curves(&self, target: Target) -> Curves<'a> {
        let global = self.scene.global_channels.iter().filter(|global| global.channel.target == target);
        let global = global.filter_map(|global| {
            let sequence = self.scene.global_sequences.get(global.sequence.index())?;
            let turning = |duration| Clock::Loop { duration, offset: -self.global_start };
            let clock = length(sequence.duration).map_or(Clock::Still, turning);
            Some(TimedCurve { clock, global: Some(sequence.duration), curve: &global.channel.curve })
        });
        let clip = self.clip.map_or(&[][..], |clip| &clip.channels);
        let clip = clip.iter().filter(|channel| channel.target == target);
        let clip =
            clip.map(|channel| TimedCurve { clock: self.clip_clock, global: None, curve: &channel.curve });
        Curves(global.chain(clip).collect())
    }

    /// The clock of the clip.
    pub(super) const fn clip_clock(&self) -> Clock {
        self.clip_clock
    }

    /// The chain of nodes from the root to this one.
    pub(super) fn chain(&self, situation: &Situation<'a>, node: NodeId) -> Chain<'a> {
        let parents = &situation.sampler.hierarchy().parents;
        let mut path = Vec::new();
        let mut at = Some(node).filter(|node| node.index() < self.scene.nodes.len());
        while let Some(node) = at {
            path.push(node);
            at = parents[node.index()];
        }
        let mut rest = Affine3A::IDENTITY;
        let links: Vec<Link<'a>> = path
            .into_iter()
            .rev()
            .map(|id| {
                let node = &self.scene.nodes[id.index()];
                rest *= node.rest.matrix();
                Link {
                    node,
                    rest: rest.translation,
                    translation: self.curves(Target::Node(id, NodeProperty::Translation)),
                    rotation: self.curves(Target::Node(id, NodeProperty::Rotation)),
                    scale: self.curves(Target::Node(id, NodeProperty::Scale)),
                }
            })
            .collect();
        let mut chain = Chain { links, view: situation.view(), still: None };
        if chain.links.iter().all(Link::is_still) {
            chain.still = Some(chain.world(0.0));
        }
        chain
    }
}

/// A curve and its clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimedCurve<'a> {
    pub(super) clock: Clock,
    /// The duration of its global sequence, if it runs on one.
    global: Option<f32>,
    pub(super) curve: &'a Curve,
}

impl TimedCurve<'_> {
    #[expect(clippy::cast_possible_truncation, reason = "curves have floats")]
    fn sample(&self, time: f64) -> Option<Value> {
        let local = self.clock.local(time) as f32;
        match self.global {
            Some(duration) => self.curve.sample_global(local, duration),
            None => self.curve.sample(local),
        }
    }
}

/// The curves of one property. The last one with a value has priority.
#[derive(Clone, Debug, Default)]
pub(super) struct Curves<'a>(pub(super) Vec<TimedCurve<'a>>);

impl Curves<'_> {
    pub(super) fn value(&self, time: f64) -> Option<Value> {
        self.0.iter().rev().find_map(|curve| curve.sample(time))
    }

    /// A number, or the default if no curve has a value. NaN and infinite values become 0.
    pub(super) fn scalar(&self, time: f64, rest: f32) -> f32 {
        let value = match self.value(time) {
            Some(Value::Scalar(value)) => value,
            _ => rest,
        };
        if value.is_finite() { value } else { 0.0 }
    }

    pub(super) fn vector(&self, time: f64, rest: Vec3) -> Vec3 {
        match self.value(time) {
            Some(Value::Vector(value)) => value,
            _ => rest,
        }
    }

    pub(super) fn index(&self, time: f64, rest: u32) -> u32 {
        match self.value(time) {
            Some(Value::Index(value)) => value,
            _ => rest,
        }
    }

    /// Whether the object is visible.
    pub(super) fn shows(&self, time: f64, rest: bool) -> bool {
        match self.value(time) {
            Some(Value::Flag(value)) => value,
            Some(Value::Scalar(value)) => value > 0.0,
            _ => rest,
        }
    }

    /// An upper bound of the number.
    pub(super) fn greatest(&self, rest: f32) -> f32 {
        let keys = self.0.iter().filter_map(|timed| match timed.curve {
            Curve::Scalar(track) => Some(track.values.iter().copied()),
            _ => None,
        });
        keys.flatten().filter(|value| value.is_finite()).fold(rest, f32::max)
    }
}

/// The visibility of an emitter or ribbon: its own, and that of its node.
#[derive(Clone, Debug)]
pub(super) struct Visibility<'a> {
    own: Curves<'a>,
    node: Curves<'a>,
    rest: (bool, bool),
}

impl<'a> Visibility<'a> {
    /// `own` is the target of the object's own visibility, if it has one.
    pub(super) fn new(timeline: &Timeline<'a>, own: Option<Target>, visible: bool, node: NodeId) -> Self {
        let node_visible = timeline.scene.nodes.get(node.index()).is_none_or(|node| node.visible);
        Self {
            own: own.map(|own| timeline.curves(own)).unwrap_or_default(),
            node: timeline.curves(Target::Node(node, NodeProperty::Visibility)),
            rest: (visible, node_visible),
        }
    }

    pub(super) fn at(&self, time: f64) -> bool {
        self.own.shows(time, self.rest.0) && self.node.shows(time, self.rest.1)
    }

    /// All curves that it depends on.
    pub(super) fn curves(&self) -> impl Iterator<Item = &TimedCurve<'a>> {
        self.own.0.iter().chain(&self.node.0)
    }
}

#[derive(Clone, Debug)]
struct Link<'a> {
    node: &'a Node,
    rest: Vec3A,
    translation: Curves<'a>,
    rotation: Curves<'a>,
    scale: Curves<'a>,
}

impl Link<'_> {
    fn is_still(&self) -> bool {
        [&self.translation, &self.rotation, &self.scale].iter().all(|curves| curves.0.is_empty())
    }
}

/// A node with its ancestors, to compute its matrix at any time.
#[derive(Clone, Debug)]
pub(super) struct Chain<'a> {
    links: Vec<Link<'a>>,
    view: View,
    still: Option<Affine3A>,
}

impl Chain<'_> {
    /// The matrix from the node to the model.
    pub(super) fn world(&self, time: f64) -> Affine3A {
        if let Some(still) = self.still {
            return still;
        }
        self.links.iter().fold(Affine3A::IDENTITY, |parent, link| {
            let rotation = match link.rotation.value(time) {
                Some(Value::Rotation(rotation)) => rotation,
                _ => link.node.rest.rotation,
            };
            let local = Transform {
                translation: link.translation.vector(time, link.node.rest.translation),
                rotation,
                scale: link.scale.vector(time, link.node.rest.scale),
            };
            link.node.world(&local, link.rest, &parent, Some(&self.view))
        })
    }

    /// The velocity of the node's origin: the difference over a thirtieth of a second. The interval does not include the
    /// jump from a clip's end to its start.
    pub(super) fn velocity(&self, time: f64, clip: Clock) -> Vec3 {
        const STEP: f64 = 1.0 / 30.0;
        if self.still.is_some() {
            return Vec3::ZERO;
        }
        let from = if clip.local(time) < STEP { time } else { time - STEP };
        let way = self.world(from + STEP).translation - self.world(from).translation;
        let velocity = Vec3::from(way) * 30.0;
        if velocity.is_finite() { velocity } else { Vec3::ZERO }
    }
}

/// The mean length of the axes of a matrix.
pub(super) fn stretch(matrix: &Affine3A) -> f32 {
    let axes = matrix.matrix3;
    (axes.x_axis.length() + axes.y_axis.length() + axes.z_axis.length()) / 3.0
}
