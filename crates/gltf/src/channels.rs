//! The channels of all clips and global sequences, found by what they change.

use scene::{
    Channel, Curve, GlobalSequence, LayerProperty, MeshProperty, NodeProperty, Scene, Target, Value,
};
use std::borrow::Cow;

/// What an animation plays. Global sequences come first, so that clips win where both move something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Player {
    Global(usize),
    Clip(usize),
}

/// What a channel changes, whichever property of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    Node(u32),
    Mesh(u32),
    Layer(u32, u32),
    Light(u32),
    Camera(u32),
    Other,
}

impl From<Target> for Subject {
    fn from(target: Target) -> Self {
        match target {
            Target::Node(id, _) => Self::Node(id.0),
            Target::Mesh(id, _) => Self::Mesh(id.0),
            Target::Layer(id, layer, _) => Self::Layer(id.0, layer),
            Target::Light(id, _) => Self::Light(id.0),
            Target::Camera(id, _) => Self::Camera(id.0),
            Target::Emitter(..) | Target::Ribbon(..) => Self::Other,
        }
    }
}

/// A channel and the clock it runs on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) channel: &'a Channel,
    pub(crate) player: Player,
    /// The place among the player's channels.
    pub(crate) place: usize,
    /// Seconds after which a global sequence repeats.
    pub(crate) period: Option<f32>,
}

impl Source<'_> {
    /// Whether a global sequence plays it.
    pub(crate) const fn is_global(&self) -> bool {
        matches!(self.player, Player::Global(_))
    }

    /// The value at a time of the animation, or nothing if no key applies.
    pub(crate) fn sample(&self, time: f32) -> Option<Value> {
        match self.period {
            Some(duration) => {
                let sequence = GlobalSequence { duration };
                self.channel.curve.sample_global(sequence.local_time(time), duration)
            }
            None => self.channel.curve.sample(time),
        }
    }
}

/// The channels that do something else than move nodes.
#[derive(Default)]
pub(crate) struct Channels<'a> {
    by_subject: Vec<(Subject, Source<'a>)>,
    has_clips: bool,
    /// Clips contain the global sequences.
    bakes: bool,
}

impl<'a> Channels<'a> {
    pub(crate) fn new(scene: &'a Scene, bakes: bool) -> Self {
        let players = (0..scene.global_sequences.len()).map(Player::Global);
        let players = players.chain((0..scene.clips.len()).map(Player::Clip));
        let sources = players.flat_map(|player| sources(scene, player));
        let mut by_subject: Vec<(Subject, Source<'a>)> = sources
            .filter(|source| !moves_node(source.channel.target))
            .map(|source| (Subject::from(source.channel.target), source))
            .collect();
        // Stable: global sequences stay before clips.
        by_subject.sort_by_key(|(subject, _)| *subject);
        Self { by_subject, has_clips: !scene.clips.is_empty(), bakes }
    }

    /// All sources about a subject.
    pub(crate) fn about(&self, subject: Subject) -> impl Iterator<Item = Source<'a>> + '_ {
        let first = self.by_subject.partition_point(|(known, _)| *known < subject);
        let rest = self.by_subject[first..].iter();
        rest.take_while(move |(known, _)| *known == subject).map(|(_, source)| *source)
    }

    /// How many sources are about a subject.
    pub(crate) fn number_about(&self, subject: Subject) -> usize {
        let first = self.by_subject.partition_point(|(known, _)| *known < subject);
        self.by_subject[first..].partition_point(|(known, _)| *known == subject)
    }

    /// The sources about these subjects that change what is wanted.
    pub(crate) fn group(&self, subjects: &[Subject], wanted: impl Fn(Target) -> bool) -> Group<'a> {
        let about = subjects.iter().flat_map(|subject| self.about(*subject));
        let mut sources: Vec<Source<'a>> = about.filter(|source| wanted(source.channel.target)).collect();
        // Stable: the later of two channels of one clip wins.
        sources.sort_by_key(|source| source.player);
        let one_player =
            sources.first().map(|source| source.player) == sources.last().map(|source| source.player);
        let only_clips = sources.first().is_none_or(|source| !source.is_global());
        Group { sources, is_combined: self.has_clips && (self.bakes || !one_player && !only_clips) }
    }
}

/// Sources that change one thing together.
pub(crate) struct Group<'a> {
    /// In the order of their players: global sequences before clips.
    sources: Vec<Source<'a>>,
    /// Two animations must not drive one property, so what a global sequence and the clips change together, or two global sequences,
    /// is part of every clip.
    is_combined: bool,
}

impl<'a> Group<'a> {
    /// All sources, whoever plays them.
    pub(crate) fn sources(&self) -> &[Source<'a>] {
        &self.sources
    }

    /// Whether a clip has any of the sources.
    pub(crate) fn has_clips(&self) -> bool {
        self.sources.last().is_some_and(|source| !source.is_global())
    }

    /// The sources that an animation has to play.
    pub(crate) fn playing(&self, player: Player) -> Cow<'_, [Source<'a>]> {
        let first = self.sources.partition_point(|source| source.player < player);
        let count = self.sources[first..].partition_point(|source| source.player == player);
        let own = &self.sources[first..first + count];
        match player {
            _ if !self.is_combined => own.into(),
            Player::Clip(_) => {
                let globals = self.sources.partition_point(Source::is_global);
                [&self.sources[..globals], own].concat().into()
            }
            Player::Global(_) => Cow::default(),
        }
    }
}

/// The channels of one player, in their order.
pub(crate) fn sources(scene: &Scene, player: Player) -> Vec<Source<'_>> {
    let source = |(place, channel, period)| Source { channel, player, place, period };
    match player {
        Player::Clip(clip) => {
            let channels = scene.clips.get(clip).map_or(&[][..], |clip| &clip.channels);
            channels.iter().enumerate().map(|(place, channel)| source((place, channel, None))).collect()
        }
        Player::Global(sequence) => {
            let period = scene.global_sequences.get(sequence).map(|sequence| sequence.duration);
            let own = scene.global_channels.iter().enumerate();
            own.filter(|(_, global)| global.sequence.index() == sequence)
                .map(|(place, global)| source((place, &global.channel, period)))
                .collect()
        }
    }
}

/// Which channels an animation plays, and which of them as they are. All but the latter are in extras.
pub(crate) struct Expressed {
    clips: Vec<Vec<Form>>,
    global: Vec<Form>,
}

/// How an animation has a channel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    None,
    /// As part of something else: sampled, or multiplied with others.
    Approximate,
    /// As the same motion.
    Exact,
}

impl Expressed {
    /// None of a scene's.
    pub(crate) fn none(scene: &Scene) -> Self {
        Self {
            clips: scene.clips.iter().map(|clip| vec![Form::None; clip.channels.len()]).collect(),
            global: vec![Form::None; scene.global_channels.len()],
        }
    }

    /// Notes a channel that is part of an animation, but cannot be told from it.
    pub(crate) fn add(&mut self, source: &Source<'_>) {
        self.set(source, Form::Approximate);
    }

    /// Notes a channel that is an animation's own.
    pub(crate) fn add_exact(&mut self, source: &Source<'_>) {
        self.set(source, Form::Exact);
    }

    fn set(&mut self, source: &Source<'_>, form: Form) {
        let channels = match source.player {
            Player::Clip(clip) => &mut self.clips[clip],
            Player::Global(_) => &mut self.global,
        };
        channels[source.place] = channels[source.place].max(form);
    }

    /// Whether an animation plays a channel of a clip, and whether as it is.
    pub(crate) fn of_clip(&self, clip: usize, place: usize) -> (bool, bool) {
        of(self.clips[clip][place])
    }

    /// Whether an animation plays a channel of a global sequence, and whether as it is.
    pub(crate) fn of_global(&self, place: usize) -> (bool, bool) {
        of(self.global[place])
    }
}

fn of(form: Form) -> (bool, bool) {
    (form != Form::None, form == Form::Exact)
}

/// Whether a target is a node's translation, rotation or scale.
pub(crate) fn moves_node(target: Target) -> bool {
    matches!(target, Target::Node(_, property) if property != NodeProperty::Visibility)
}

/// Whether a target decides if a mesh shows.
pub(crate) fn decides_visibility(target: Target) -> bool {
    matches!(
        target,
        Target::Node(_, NodeProperty::Visibility)
            | Target::Mesh(_, MeshProperty::Alpha | MeshProperty::Visibility)
    )
}

/// Whether a target is a factor of a base colour.
pub(crate) fn is_tint(target: Target) -> bool {
    matches!(
        target,
        Target::Layer(_, _, LayerProperty::Alpha | LayerProperty::Color)
            | Target::Mesh(_, MeshProperty::Alpha | MeshProperty::Color)
    )
}

/// Whether a target moves texture coordinates.
pub(crate) fn is_shift(target: Target) -> bool {
    use LayerProperty::{UvRotation, UvScale, UvTranslation};
    matches!(target, Target::Layer(_, _, UvTranslation | UvRotation | UvScale))
}

/// Whether a channel ever hides something.
pub(crate) fn can_hide(channel: &Channel) -> bool {
    match &channel.curve {
        Curve::Scalar(track) => track.values.iter().any(|&value| value <= 0.0) || !track.tangents.is_empty(),
        Curve::Flag(track) => track.values.contains(&false),
        _ => false,
    }
}

/// The times at which what these channels change may take another course: their keys, and the moments just before jumps.
pub(crate) fn seeds(sources: &[Source<'_>], duration: f32) -> Vec<f32> {
    const MOST: usize = 100_000;
    let mut seeds = vec![0.0, duration];
    for source in sources {
        let times = source.channel.curve.times();
        let jumps = source.channel.curve.jumps();
        let mut add = |time: f32, jumps: bool| {
            if time > 0.0 && time <= duration && seeds.len() < MOST {
                seeds.extend(Some(time.next_down()).filter(|_| jumps));
                seeds.push(time);
            }
        };
        match source.period {
            Some(period) if period > 0.0 => {
                for copy in 0..((duration / period).ceil() as usize).min(MOST / times.len().max(1)) {
                    let start = copy as f32 * period;
                    // At its end a sequence jumps back to its start.
                    add(start, true);
                    times.iter().for_each(|time| add(time + start, jumps));
                }
            }
            _ => times.iter().for_each(|&time| add(time, jumps)),
        }
    }
    seeds
}
