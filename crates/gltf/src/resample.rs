//! Motion that glTF has no formula for, sampled as finely as it has to be.

use crate::{
    Tolerance,
    animation::Source,
    curve::{NOISE, put_in_order, same_rotation},
    unit,
};
use glam::{Vec3, Vec4};
use scene::{Curve, Transform, slerp};

/// A value that can be sampled and put back together by straight lines.
pub(crate) trait Sampled: Copy {
    fn between(a: &Self, b: &Self, part: f32) -> Self;
    fn is_close(&self, other: &Self, tolerance: &Tolerance, size: f32) -> bool;
}

impl Sampled for Transform {
    fn between(a: &Self, b: &Self, part: f32) -> Self {
        Self {
            translation: a.translation.lerp(b.translation, part),
            rotation: slerp(a.rotation, b.rotation, part),
            scale: a.scale.lerp(b.scale, part),
        }
    }

    fn is_close(&self, other: &Self, tolerance: &Tolerance, size: f32) -> bool {
        let near = |a: Vec3, b: Vec3, limit: f32| {
            let limit = limit.max(NOISE * a.abs().max_element());
            a.distance_squared(b) <= limit * limit
        };
        near(self.translation, other.translation, tolerance.position * size)
            && near(self.scale, other.scale, tolerance.position)
            && same_rotation(unit(self.rotation), unit(other.rotation), tolerance.rotation)
    }
}

impl Sampled for Vec4 {
    fn between(a: &Self, b: &Self, part: f32) -> Self {
        a.lerp(*b, part)
    }

    fn is_close(&self, other: &Self, tolerance: &Tolerance, _: f32) -> bool {
        self.distance(*other) <= tolerance.position.max(NOISE * self.abs().max_element())
    }
}

/// What is known of a motion between the times that it is sampled at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    /// Straight lines and turns at even speed, and what comes of several of them at once: it strays most in the middle.
    Even,
    /// Anything, such as a curve that eases in and out and meets the straight line in the middle.
    Any,
}

impl Between {
    pub(crate) fn of<'a>(sources: impl IntoIterator<Item = &'a Source<'a>>) -> Self {
        let bent = |source: &Source<'_>| match &source.channel.curve {
            Curve::Scalar(track) => !track.tangents.is_empty(),
            Curve::Vector(track) => !track.tangents.is_empty(),
            Curve::Rotation(track) => !track.tangents.is_empty(),
            Curve::Flag(_) | Curve::Index(_) => false,
        };
        if sources.into_iter().any(bent) { Self::Any } else { Self::Even }
    }
}

/// What can be sampled at any time.
pub(crate) trait Course<V> {
    fn at(&mut self, time: f32) -> V;

    /// The same at the next of the times that are given.
    fn at_next(&mut self, time: f32) -> V {
        self.at(time)
    }

    /// What is so far on the way between the last two of those, if that is quicker to tell than by [`at`](Self::at).
    fn between(&self, _part: f32) -> Option<V> {
        None
    }
}

impl<V, F: FnMut(f32) -> V> Course<V> for F {
    fn at(&mut self, time: f32) -> V {
        self(time)
    }
}

/// Samples at the given times, and between them wherever a straight line would stray too far.
pub(crate) fn resample<V: Sampled>(
    mut seeds: Vec<f32>,
    between: Between,
    tolerance: &Tolerance,
    size: f32,
    course: &mut dyn Course<V>,
) -> (Vec<f32>, Vec<V>) {
    put_in_order(&mut seeds);
    let mut out = (Vec::with_capacity(seeds.len()), Vec::with_capacity(seeds.len()));
    let Some(&first) = seeds.first() else { return out };
    let mut start = (first, course.at_next(first));
    out.0.push(start.0);
    out.1.push(start.1);
    let mut refine = Refine { between, tolerance, size, course, times: [first; 2], out: &mut out };
    for &time in &seeds[1..] {
        let end = (time, refine.course.at_next(time));
        refine.times = [start.0, time];
        refine.refine((0.0, start.1), (1.0, end.1), 0);
        start = end;
    }
    out
}

struct Refine<'a, V> {
    between: Between,
    tolerance: &'a Tolerance,
    size: f32,
    course: &'a mut dyn Course<V>,
    /// Of the stretch.
    times: [f32; 2],
    out: &'a mut (Vec<f32>, Vec<V>),
}

impl<V: Sampled> Refine<'_, V> {
    /// The time at which a part of the stretch is over.
    fn time(&self, part: f32) -> f32 {
        let [start, end] = self.times;
        if part < 1.0 { start + (end - start) * part } else { end }
    }

    fn at(&mut self, part: f32) -> V {
        self.course.between(part).unwrap_or_else(|| self.course.at(self.time(part)))
    }

    /// Adds the end of a part of the stretch, and before it as many values as it takes.
    fn refine(&mut self, start: (f32, V), end: (f32, V), depth: u32) {
        const DEEPEST: u32 = 8;
        let part = |part: f32| start.0 + (end.0 - start.0) * part;
        let half = part(0.5);
        // Neighbouring numbers are a jump.
        if depth < DEEPEST && self.time(start.0) < self.time(half) && self.time(half) < self.time(end.0) {
            let middle = (half, self.at(half));
            let (tolerance, size) = (self.tolerance, self.size);
            let strays =
                |way: f32, exact: V| !V::between(&start.1, &end.1, way).is_close(&exact, tolerance, size);
            if strays(0.5, middle.1)
                || self.between == Between::Any
                    && [0.25, 0.75].into_iter().any(|way| strays(way, self.at(part(way))))
            {
                self.refine(start, middle, depth + 1);
                self.refine(middle, end, depth + 1);
                return;
            }
        }
        self.out.0.push(self.time(end.0));
        self.out.1.push(end.1);
    }
}
