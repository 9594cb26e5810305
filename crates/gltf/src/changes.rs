//! Channels that do something else than move nodes, found by what they change.

use crate::{animation::Source, visibility::can_hide};
use scene::{LayerProperty, MeshProperty, NodeProperty, Scene, Target};

/// What any channel of any clip changes, in ascending order.
#[derive(Default)]
pub(crate) struct Changes {
    /// Meshes that are hidden at some time, and nodes that hide what is on them.
    hidden: Vec<Subject>,
    /// Meshes that get a colour or opacity of their own.
    tinted: Vec<Subject>,
    /// Layers whose coordinates move.
    shifted: Vec<Subject>,
}

/// What a channel is about, whichever property of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    Node(u32),
    Mesh(u32),
    Layer(u32, u32),
    Other,
}

impl From<Target> for Subject {
    fn from(target: Target) -> Self {
        match target {
            Target::Node(id, _) => Self::Node(id.0),
            Target::Mesh(id, _) => Self::Mesh(id.0),
            Target::Layer(id, layer, _) => Self::Layer(id.0, layer),
            Target::Light(..) | Target::Camera(..) | Target::Emitter(..) | Target::Ribbon(..) => Self::Other,
        }
    }
}

impl Changes {
    pub(crate) fn of(scene: &Scene) -> Self {
        let mut changes = Self::default();
        let global = scene.global_channels.iter().map(|global| &global.channel);
        for channel in scene.clips.iter().flat_map(|clip| &clip.channels).chain(global) {
            let subject = Subject::from(channel.target);
            match channel.target {
                Target::Node(_, NodeProperty::Visibility) if can_hide(channel) => {
                    changes.hidden.push(subject);
                }
                Target::Mesh(_, property) => {
                    if property != MeshProperty::Color && can_hide(channel) {
                        changes.hidden.push(subject);
                    }
                    if property != MeshProperty::Visibility {
                        changes.tinted.push(subject);
                    }
                }
                Target::Layer(_, _, property) if is_shift(property) => {
                    changes.shifted.push(subject);
                }
                _ => {}
            }
        }
        for subjects in [&mut changes.hidden, &mut changes.tinted, &mut changes.shifted] {
            subjects.sort_unstable();
            subjects.dedup();
        }
        changes
    }

    pub(crate) fn hides(&self, subject: Subject) -> bool {
        self.hidden.binary_search(&subject).is_ok()
    }

    pub(crate) fn tints(&self, subject: Subject) -> bool {
        self.tinted.binary_search(&subject).is_ok()
    }

    pub(crate) fn shifts(&self, subject: Subject) -> bool {
        self.shifted.binary_search(&subject).is_ok()
    }
}

/// Whether coordinates are what changes.
pub(crate) const fn is_shift(property: LayerProperty) -> bool {
    matches!(property, LayerProperty::UvTranslation | LayerProperty::UvRotation | LayerProperty::UvScale)
}

/// The sources of one animation, found by what they are about.
pub(crate) struct Sources<'s> {
    pub(crate) all: &'s [Source<'s>],
    by_subject: Vec<(Subject, usize)>,
}

impl<'s> Sources<'s> {
    pub(crate) fn new(all: &'s [Source<'s>]) -> Self {
        let mut by_subject: Vec<(Subject, usize)> =
            all.iter().enumerate().map(|(at, source)| (Subject::from(source.channel.target), at)).collect();
        by_subject.sort_unstable();
        Self { all, by_subject }
    }

    /// Whether there are any that change what is wanted.
    pub(crate) fn any(&self, wanted: impl Fn(Target) -> bool) -> bool {
        self.all.iter().any(|source| wanted(source.channel.target))
    }

    /// The places of those that are about one of these and change what is wanted, in their own order.
    pub(crate) fn about(
        &self,
        subjects: impl IntoIterator<Item = Subject>,
        wanted: impl Fn(Target) -> bool,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        for subject in subjects {
            let first = self.by_subject.partition_point(|(known, _)| *known < subject);
            let same = self.by_subject[first..].iter().take_while(|(known, _)| *known == subject);
            found.extend(same.map(|(_, at)| *at).filter(|at| wanted(self.all[*at].channel.target)));
        }
        found.sort_unstable();
        found
    }
}
