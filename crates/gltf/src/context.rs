//! What all steps read: the scene, the options, and what follows from both.

use crate::budget::Budget;
use crate::channels::{Channels, Group, Player, Source, Subject};
use crate::options::{GlobalSequences, Options};
use glam::{Quat, Vec3};
use scene::{ClipId, Hierarchy, Inherit, NodeId, Scene, Target, Transform};

pub(crate) struct Context<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) options: &'a Options,
    pub(crate) hierarchy: Hierarchy,
    pub(crate) channels: Channels<'a>,
    /// What may still be written.
    pub(crate) budget: Budget,
    /// Clips contain the global sequences.
    pub(crate) bakes: bool,
    /// They do although that was not asked for.
    pub(crate) has_to_bake: bool,
    /// The clip that decides what shows when nothing plays: Stand, or else the first.
    pub(crate) rest_clip: Option<usize>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(scene: &'a Scene, options: &'a Options) -> Self {
        let hierarchy = scene.hierarchy();
        let budget = Budget::new(options.limits, scene);
        // The channels of each global sequence are looked for among all.
        budget.samples(scene.global_sequences.len().saturating_mul(scene.global_channels.len()));
        let is_small = !budget.is_spent() && baked_keys(scene) <= MAX_BAKED_KEYS;
        let has_to_bake =
            is_small && options.global_sequences == GlobalSequences::Separate && must_bake(scene, &hierarchy);
        let bakes = has_to_bake || is_small && options.global_sequences == GlobalSequences::Bake;
        Self {
            scene,
            options,
            channels: if budget.is_spent() { Channels::default() } else { Channels::new(scene, bakes) },
            budget,
            hierarchy,
            bakes,
            has_to_bake,
            rest_clip: scene::stand_clip(&scene.clips)
                .map(ClipId::index)
                .or(Some(0).filter(|_| !scene.clips.is_empty())),
        }
    }

    /// The sources about these subjects that change what is wanted; none if the limits forbid to look at them.
    pub(crate) fn group(&self, subjects: &[Subject], wanted: impl Fn(Target) -> bool) -> Group<'a> {
        let looked_at = subjects.iter().map(|subject| self.channels.number_about(*subject)).sum();
        match self.budget.samples(looked_at) {
            true => self.channels.group(subjects, wanted),
            false => self.channels.group(&[], wanted),
        }
    }

    /// Those of them that an animation has to play.
    pub(crate) fn playing(
        &self,
        player: Player,
        subjects: &[Subject],
        wanted: impl Fn(Target) -> bool,
    ) -> Vec<Source<'a>> {
        self.group(subjects, wanted).playing(player).into_owned()
    }

    /// Whatever plays animations: all global sequences and clips.
    pub(crate) fn players(&self) -> impl Iterator<Item = Player> {
        let globals = (0..self.scene.global_sequences.len()).map(Player::Global);
        globals.chain((0..self.scene.clips.len()).map(Player::Clip))
    }

    /// The id of a node, if it exists.
    pub(crate) fn existing(&self, node: NodeId) -> Option<NodeId> {
        Some(node).filter(|node| node.index() < self.scene.nodes.len())
    }

    /// Whether a node follows its parent in a way that glTF's nodes do not, so that its motion has to be computed.
    pub(crate) fn is_relative(&self, node: usize) -> bool {
        self.hierarchy.parents[node].is_some() && self.scene.nodes[node].inherit != Inherit::ALL
    }
}

/// A damaged clip may last for weeks.
const MAX_BAKED_KEYS: f64 = 2e6;

/// How many keys the global sequences have inside all clips.
fn baked_keys(scene: &Scene) -> f64 {
    let keys = scene.global_channels.iter().filter_map(|global| {
        let period = scene.global_sequences.get(global.sequence.index())?.duration;
        let keys = global.channel.curve.times().len() + 1;
        let copies = scene.clips.iter().map(|clip| f64::from(clip.duration / period));
        Some(keys as f64 * copies.filter(|copies| copies.is_finite() && *copies > 0.0).sum::<f64>())
    });
    keys.sum()
}

/// What moves a node or one of its ancestors.
#[derive(Clone, Copy, Default)]
struct Movers {
    /// The first global sequence.
    global: Option<u32>,
    several_globals: bool,
    clips: bool,
}

impl Movers {
    fn add_global(&mut self, sequence: u32) {
        self.several_globals |= self.global.is_some_and(|known| known != sequence);
        self.global = Some(sequence);
    }
}

/// Whether a node that does not follow all of its parent's motion depends on a clip and a global sequence, or on two global sequences:
/// its motion against its parent is then a function of both, which no separate animations can express.
fn must_bake(scene: &Scene, hierarchy: &Hierarchy) -> bool {
    if scene.global_channels.is_empty() || scene.clips.is_empty() {
        return false;
    }
    let is_relative =
        |node: usize| hierarchy.parents[node].is_some() && scene.nodes[node].inherit != Inherit::ALL;
    if !(0..scene.nodes.len()).any(is_relative) {
        return false;
    }
    let mut movers = vec![Movers::default(); scene.nodes.len()];
    let node_of = |target: Target| match target {
        Target::Node(node, _) => Some(node.index()),
        _ => None,
    };
    for global in &scene.global_channels {
        if let Some(movers) = node_of(global.channel.target).and_then(|node| movers.get_mut(node)) {
            movers.add_global(global.sequence.0);
        }
    }
    for channel in scene.clips.iter().flat_map(|clip| &clip.channels) {
        if let Some(movers) = node_of(channel.target).and_then(|node| movers.get_mut(node)) {
            movers.clips = true;
        }
    }
    // Parents come first.
    for node in &hierarchy.order {
        let Some(parent) = hierarchy.parents[node.index()].map(|parent| movers[parent.index()]) else {
            continue;
        };
        let own = &mut movers[node.index()];
        own.clips |= parent.clips;
        own.several_globals |= parent.several_globals;
        parent.global.into_iter().for_each(|sequence| own.add_global(sequence));
    }
    (0..scene.nodes.len()).filter(|node| is_relative(*node)).any(|node| {
        let Movers { global, several_globals, clips } = movers[node];
        global.is_some() && (several_globals || clips)
    })
}

/// The length of a clip or global sequence in seconds; damaged files have others.
pub(crate) fn valid_duration(duration: f32) -> f32 {
    if duration.is_finite() { duration.max(0.0) } else { 0.0 }
}

/// The rotation at unit length, or none if it has no length.
pub(crate) fn unit(rotation: Quat) -> Quat {
    scene::number::unit(rotation).unwrap_or(Quat::IDENTITY)
}

/// The transform with finite numbers and a rotation of unit length. Counts the vectors that were repaired.
pub(crate) fn valid(transform: &Transform, repaired: &mut usize) -> Transform {
    let mut finite = |value: Vec3| {
        if value.is_finite() {
            return value;
        }
        *repaired += 1;
        Vec3::from_array(value.to_array().map(|part| if part.is_finite() { part } else { 0.0 }))
    };
    Transform {
        translation: finite(transform.translation),
        rotation: unit(transform.rotation),
        scale: finite(transform.scale),
    }
}

/// A colour of the source, made linear as glTF's factors are.
pub(crate) fn linear(color: Vec3) -> Vec3 {
    let channel = |value: f32| {
        let value = if value.is_finite() { value.clamp(0.0, 1e6) } else { 0.0 };
        scene::color::linear(value)
    };
    Vec3::new(channel(color.x), channel(color.y), channel(color.z))
}
