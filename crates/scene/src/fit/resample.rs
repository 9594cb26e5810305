//! Motion without a formula, sampled until straight lines are accurate enough.

use super::{Fit, NOISE, Tolerance, put_in_order, same_rotation};
use crate::Transform;
use crate::number::unit;
use glam::{Quat, Vec3, Vec4};

/// A value that can be sampled and reconstructed by straight lines.
pub trait Sampled: Copy {
    /// The value of a straight line from `a` to `b` at this fraction.
    #[must_use]
    fn between(a: &Self, b: &Self, part: f32) -> Self;

    /// Whether one value may replace the other in a model of this size.
    fn is_close(&self, other: &Self, tolerance: &Tolerance, size: f32) -> bool;
}

impl Sampled for Transform {
    fn between(a: &Self, b: &Self, part: f32) -> Self {
        Self {
            translation: a.translation.lerp(b.translation, part),
            // Interpolated as in Blender, which has a larger error than the arc of other readers.
            rotation: a.rotation * (1.0 - part) + b.rotation.near(a.rotation) * part,
            scale: a.scale.lerp(b.scale, part),
        }
    }

    fn is_close(&self, other: &Self, tolerance: &Tolerance, size: f32) -> bool {
        let near = |a: Vec3, b: Vec3, limit: f32| {
            let limit = limit.max(NOISE * a.abs().max_element());
            a.distance_squared(b) <= limit * limit
        };
        let unit = |rotation: Quat| unit(rotation).unwrap_or(Quat::IDENTITY);
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

/// What is known about a motion between the times of its first samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steadiness {
    /// Straight lines and turns at constant speed, and combinations of them: the error is largest in the middle.
    Even,
    /// Any motion, such as a curve that eases in and out and meets the straight line in the middle.
    Any,
}

/// A value for each time.
pub trait Course<V> {
    /// The value at a time.
    fn at(&mut self, time: f32) -> V;

    /// The value at the next of the seed times; a course may remember it for [`between`](Self::between).
    fn at_seed(&mut self, time: f32) -> V {
        self.at(time)
    }

    /// The value at this fraction between the last two seeds, if that is cheaper than [`at`](Self::at).
    fn between(&self, _part: f32) -> Option<V> {
        None
    }
}

impl<V, F: FnMut(f32) -> V> Course<V> for F {
    fn at(&mut self, time: f32) -> V {
        self(time)
    }
}

/// Samples at the seed times, and between them wherever the error of a straight line is too large.
///
/// `samples` is the number of samples that may be taken. It is reduced by those taken. At zero, the rest stays coarse.
pub fn resample<V: Sampled>(
    mut seeds: Vec<f32>,
    steadiness: Steadiness,
    tolerance: &Tolerance,
    size: f32,
    samples: &mut usize,
    course: &mut dyn Course<V>,
) -> (Vec<f32>, Vec<V>) {
    put_in_order(&mut seeds);
    let mut out = (Vec::with_capacity(seeds.len()), Vec::with_capacity(seeds.len()));
    let Some(&first) = seeds.first() else { return out };
    let mut start = (first, course.at_seed(first));
    out.0.push(start.0);
    out.1.push(start.1);
    let mut refine =
        Refine { steadiness, tolerance, size, samples, course, times: [first; 2], out: &mut out };
    for &time in &seeds[1..] {
        if *refine.samples == 0 {
            break;
        }
        *refine.samples -= 1;
        let end = (time, refine.course.at_seed(time));
        refine.times = [start.0, time];
        refine.refine((0.0, start.1), (1.0, end.1), 0);
        start = end;
    }
    out
}

struct Refine<'a, V> {
    steadiness: Steadiness,
    tolerance: &'a Tolerance,
    size: f32,
    /// How many samples may still be taken.
    samples: &'a mut usize,
    course: &'a mut dyn Course<V>,
    /// The two seeds around the stretch.
    times: [f32; 2],
    out: &'a mut (Vec<f32>, Vec<V>),
}

impl<V: Sampled> Refine<'_, V> {
    fn time(&self, part: f32) -> f32 {
        let [start, end] = self.times;
        if part < 1.0 { start + (end - start) * part } else { end }
    }

    fn at(&mut self, part: f32) -> V {
        *self.samples = self.samples.saturating_sub(1);
        self.course.between(part).unwrap_or_else(|| self.course.at(self.time(part)))
    }

    /// Adds the end of a part of the stretch, and as many values before it as needed.
    fn refine(&mut self, start: (f32, V), end: (f32, V), depth: u32) {
        const DEEPEST: u32 = 8;
        let part = |part: f32| start.0 + (end.0 - start.0) * part;
        let half = part(0.5);
        // Neighbouring floating-point numbers are a jump.
        if depth < DEEPEST
            && *self.samples > 0
            && self.time(start.0) < self.time(half)
            && self.time(half) < self.time(end.0)
        {
            let middle = (half, self.at(half));
            let (tolerance, size) = (self.tolerance, self.size);
            let strays =
                |way: f32, exact: V| !V::between(&start.1, &end.1, way).is_close(&exact, tolerance, size);
            if strays(0.5, middle.1)
                || self.steadiness == Steadiness::Any
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
