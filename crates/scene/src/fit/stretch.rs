//! The stretches of time between the keys of a track, and the formula of the track on each.

use super::Fit;
use crate::{Interpolation, Outside, Track};

/// A stretch between two keys of a track: their indices, and the fraction of it that is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) start: f32,
    pub(super) end: f32,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) fractions: [f32; 2],
}

impl Stretch {
    /// The part between zero and `limit`.
    fn cut(mut self, limit: f32) -> Option<Self> {
        let length = self.end - self.start;
        if !(length > 0.0 && self.end > 0.0 && self.start < limit) {
            return None;
        }
        let [from, to] = self.fractions;
        let at = |time: f32| from + (to - from) * ((time - self.start) / length);
        if self.start < 0.0 {
            self.fractions[0] = at(0.0);
        }
        if self.end > limit {
            self.fractions[1] = at(limit);
        }
        (self.start, self.end) = (self.start.max(0.0), self.end.min(limit));
        (self.start < self.end).then_some(self)
    }
}

/// The stretches between the first and the last key of the track, cut to zero and `limit`. A track that wraps has one
/// before its first key and one after its last.
pub(super) fn stretches<T>(
    track: &Track<T>,
    [first, last]: [usize; 2],
    limit: f32,
) -> impl Iterator<Item = Stretch> {
    let times = &track.times;
    let (mut before, mut after) = (None, None);
    if let Outside::Wrap { start, end } = track.outside
        && first < last
    {
        let length = times[first] - times[last] + (end - start);
        if length > 0.0 {
            let part = |time: f32| ((time - times[last]) / length).clamp(0.0, 1.0);
            let wrap = |start, end, fractions| Some(Stretch { start, end, from: last, to: first, fractions });
            before = wrap(start, times[first], [part(start + (end - start)), 1.0]);
            after = wrap(times[last], end, [0.0, part(end)]);
        }
    }
    let between = (first..last).map(|key| {
        let (start, end) = (times[key], times[key + 1]);
        Stretch { start, end, from: key, to: key + 1, fractions: [0.0, 1.0] }
    });
    before.into_iter().chain(between).chain(after).filter_map(move |stretch| stretch.cut(limit))
}

/// How a track moves from one key to another.
pub(super) struct Way<T> {
    pub(super) a: T,
    pub(super) b: T,
    /// The outgoing tangent of the first key and the incoming one of the second, if the way is curved.
    pub(super) tangents: Option<[T; 2]>,
    pub(super) is_bezier: bool,
}

impl<T: Fit> Way<T> {
    pub(super) fn new(track: &Track<T>, stretch: &Stretch) -> Self {
        let Stretch { from, to, .. } = *stretch;
        let tangents = match track.interpolation {
            Interpolation::Hermite | Interpolation::Bezier => {
                let both = track.tangents.get(from).zip(track.tangents.get(to));
                both.map(|(a, b)| [a.outgoing, b.incoming])
            }
            Interpolation::Step | Interpolation::Linear => None,
        };
        let is_bezier = track.interpolation == Interpolation::Bezier;
        Self { a: track.values[from], b: track.values[to], tangents, is_bezier }
    }

    pub(super) fn at(&self, fraction: f32) -> T {
        match self.tangents {
            Some([outgoing, incoming]) if self.is_bezier => {
                T::bezier(self.a, outgoing, incoming, self.b, fraction)
            }
            Some([outgoing, incoming]) => T::hermite(self.a, outgoing, incoming, self.b, fraction),
            None => T::linear(self.a, self.b, fraction),
        }
    }

    /// The slopes at both ends, over the whole way, of a cubic of components.
    pub(super) fn slopes(&self) -> Option<[T; 2]> {
        let [outgoing, incoming] = self.tangents?;
        Some(match self.is_bezier {
            true => [(outgoing - self.a) * 3.0, (self.b - incoming) * 3.0],
            false => [outgoing, incoming],
        })
    }
}
