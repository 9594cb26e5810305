//! Fitting tracks to targets with three kinds of keys: held, straight, and cubic with tangents (glTF's samplers).
//!
//! [`keys()`] converts a [`Track`] to such keys: exactly if the target has the same formula, otherwise as cubics within a
//! tolerance (spherical cubics). [`fitted`] does the same for any function of time, and [`resample()`] with straight
//! lines for whole transforms.
//!
//! ```
//! use glam::Vec3;
//! use meshwright_scene::{Interpolation, Track, fit};
//!
//! let track = Track::new(Interpolation::Linear, [(0.0, Vec3::ZERO), (4.0, Vec3::X)]);
//! // A clip of two seconds cuts the track in the middle.
//! let span = fit::Span { duration: 2.0, period: None, curves: fit::Curves::Cubics };
//! let keys = fit::keys(&track, Vec3::ZERO, span, 1e-4, &mut 0).expect("the track has keys");
//! assert_eq!(keys.mode, fit::Mode::Linear);
//! assert_eq!(&*keys.times, [0.0, 2.0]);
//! assert_eq!(keys.values[1], Vec3::X * 0.5);
//! ```

mod keys;
mod lines;
mod pieces;
mod resample;
mod stretch;

pub use keys::{Span, keys};
pub use pieces::fitted;
pub use resample::{Course, Sampled, Steadiness, resample};

use crate::number::{Finite, are_unit, unit};
use crate::{Curve, Interpolate, Interpolation, Track};
use glam::{Quat, Vec3, Vec4};
use std::borrow::Cow;
use std::ops::{Add, Mul, Sub};

/// The largest error of fitted motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tolerance {
    /// Error of positions as a fraction of the size of the model; of scales and everything else, absolute.
    pub position: f32,
    /// Error of rotations, in radians.
    pub rotation: f32,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { position: 1e-4, rotation: 2e-4 }
    }
}

/// The replacement for curves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Curves {
    /// Straight lines within twice the tolerance, for targets that ignore tangents.
    #[default]
    Lines,
    /// Cubics, exact where the source has the same formula.
    Cubics,
}

/// How the target moves from one key to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A key holds until the next one.
    Step,
    /// Straight lines; rotations take the shortest arc.
    Linear,
    /// Cubic Hermite: three values for each key, the incoming tangent, the value and the outgoing tangent, per second.
    Cubic,
}

/// Keys for the target: strictly ascending times, and one value for each, or three if the mode is cubic.
#[derive(Clone, Debug, PartialEq)]
pub struct Keys<'a, T: Clone> {
    /// How the target moves between them.
    pub mode: Mode,
    /// Seconds, strictly ascending.
    pub times: Cow<'a, [f32]>,
    /// Values, with tangents if the mode is cubic.
    pub values: Cow<'a, [T]>,
    /// Whether the track was approximated because the target has no formula for it.
    pub resampled: bool,
}

impl<'a, T: Copy> Keys<'a, T> {
    /// A constant value. `value` is a slice with one element.
    #[must_use]
    pub fn constant(value: impl Into<Cow<'a, [T]>>) -> Self {
        Self::new(Mode::Step, &[0.0], value)
    }

    /// Exact keys.
    #[must_use]
    pub fn new(mode: Mode, times: impl Into<Cow<'a, [f32]>>, values: impl Into<Cow<'a, [T]>>) -> Self {
        Self { mode, times: times.into(), values: values.into(), resampled: false }
    }

    /// The value, if there is only one key.
    #[must_use]
    pub fn constant_value(&self) -> Option<T> {
        match (&*self.times, self.mode) {
            ([_], Mode::Step | Mode::Linear) => self.values.first().copied(),
            _ => None,
        }
    }

    /// The time of the last key.
    #[must_use]
    pub fn end(&self) -> f32 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// Holds the last value until `time`. `zero` is the tangent of a value that does not change.
    pub fn extend_to(&mut self, time: f32, zero: T) {
        if self.times.last().is_none_or(|last| *last >= time) {
            return;
        }
        let values = self.values.to_mut();
        if self.mode == Mode::Cubic {
            let Some(&[_, value, _]) = values.last_chunk::<3>() else { return };
            if let Some(leave) = values.last_mut() {
                *leave = zero;
            }
            values.extend([zero, value, zero]);
        } else {
            values.extend(values.last().copied());
        }
        self.times.to_mut().push(time);
    }
}

/// Seconds between keys at least, where that is possible. Blender merges keys that are less than a hundredth of a frame apart, 0.42
/// milliseconds at 24 frames per second.
pub(crate) const MIN_GAP: f32 = 5e-4;

impl<T: Copy + PartialEq> Keys<'_, T> {
    /// Moves keys apart that follow each other within half a millisecond: a jump starts earlier, and a value that hardly lasts is dropped.
    /// The first and the last time stay.
    pub fn space_out(&mut self) {
        // At large times numbers are further apart than a share of the gap.
        let is_close = |a: f32, b: f32| b - a < 0.9 * MIN_GAP;
        if self.mode == Mode::Cubic || !self.times.windows(2).any(|pair| is_close(pair[0], pair[1])) {
            return;
        }
        let mut spaced: Vec<(f32, T)> = Vec::with_capacity(self.times.len());
        let end = self.end();
        for (&time, &value) in self.times.iter().zip(self.values.iter()) {
            let before = spaced.len().checked_sub(2).and_then(|at| spaced.get(at)).map(|(time, _)| *time);
            let count = spaced.len();
            let Some(last) = spaced.last_mut().filter(|(last, _)| is_close(*last, time)) else {
                spaced.push((time, value));
                continue;
            };
            let earlier = time - MIN_GAP;
            let has_room = before.map_or(count == 1 && earlier >= 0.0, |before| !is_close(before, earlier));
            if last.1 == value {
                last.0 = if time == end && count > 1 { time } else { last.0 };
            } else if self.mode == Mode::Linear && has_room {
                last.0 = earlier;
                spaced.push((time, value));
            } else if count == 1 && time < end {
                // The first key stays at its time.
                last.1 = value;
            } else {
                *last = (time, value);
            }
        }
        (self.times, self.values) = (
            spaced.iter().map(|(time, _)| *time).collect::<Vec<_>>().into(),
            spaced.iter().map(|(_, value)| *value).collect::<Vec<_>>().into(),
        );
    }
}

/// A value that can be fitted.
pub trait Fit:
    Interpolate + Finite + PartialEq + 'static + Add<Output = Self> + Sub<Output = Self> + Mul<f32, Output = Self>
{
    /// The difference that changes nothing.
    const ZERO: Self;
    /// Whether the target has the same cubic as the sources. Spherical cubics have to be approximated.
    const HAS_CUBIC: bool;

    /// The same with NaN and infinity replaced by zero.
    #[must_use]
    fn repaired(self) -> Self;

    /// The form that the target requires: rotations at unit length.
    #[must_use]
    fn normalised(self) -> Self;

    /// Whether all are finite, and rotations of unit length.
    fn are_normalised(values: &[Self]) -> bool;

    /// Whether both values have the same meaning.
    fn is_same(self, other: Self) -> bool;

    /// The same value; a rotation with the sign that is nearer to `other`.
    #[must_use]
    fn near(self, other: Self) -> Self;

    /// Square of the distance of the components.
    fn distance_squared(self, other: Self) -> f32;

    /// Whether one value may replace the other.
    fn is_close(self, other: Self, tolerance: f32) -> bool;

    /// Number of straight pieces that a change needs so that all readers interpolate it alike.
    ///
    /// Half turns have no defined direction, and Blender interpolates the components of rotations, with an error of 0.004
    /// · angle³ radians.
    fn straight_pieces(self, other: Self) -> usize;
}

/// Relative difference that two computations of the same number may have.
pub(crate) const NOISE: f32 = 1e-6;

fn finite_or_zero(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}

macro_rules! fit_vector {
    ($type:ty, $zero:expr, $repaired:expr, $distance_squared:expr) => {
        impl Fit for $type {
            const ZERO: Self = $zero;
            const HAS_CUBIC: bool = true;

            #[inline]
            fn repaired(self) -> Self {
                $repaired(self)
            }

            #[inline]
            fn normalised(self) -> Self {
                self
            }

            #[inline]
            fn are_normalised(values: &[Self]) -> bool {
                Self::all_finite(values)
            }

            #[inline]
            fn is_same(self, other: Self) -> bool {
                self == other
            }

            #[inline]
            fn near(self, _: Self) -> Self {
                self
            }

            #[inline]
            fn distance_squared(self, other: Self) -> f32 {
                $distance_squared(self, other)
            }

            #[inline]
            fn is_close(self, other: Self, tolerance: f32) -> bool {
                let noise = NOISE * NOISE * self.distance_squared(Self::ZERO);
                self.distance_squared(other) <= (tolerance * tolerance).max(noise)
            }

            #[inline]
            fn straight_pieces(self, _: Self) -> usize {
                1
            }
        }
    };
}
fit_vector!(f32, 0.0, finite_or_zero, |a: f32, b: f32| (a - b) * (a - b));
fit_vector!(
    Vec3,
    Vec3::ZERO,
    |value: Vec3| Vec3::from_array(value.to_array().map(finite_or_zero)),
    Vec3::distance_squared
);
fit_vector!(
    Vec4,
    Vec4::ZERO,
    |value: Vec4| Vec4::from_array(value.to_array().map(finite_or_zero)),
    Vec4::distance_squared
);

impl Fit for Quat {
    const ZERO: Self = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    const HAS_CUBIC: bool = false;

    #[inline]
    fn repaired(self) -> Self {
        unit(self).unwrap_or(Quat::IDENTITY)
    }

    #[inline]
    fn normalised(self) -> Self {
        unit(self).unwrap_or(Quat::IDENTITY)
    }

    #[inline]
    fn are_normalised(values: &[Self]) -> bool {
        are_unit(values)
    }

    #[inline]
    fn is_same(self, other: Self) -> bool {
        self == other || self == -other
    }

    #[inline]
    fn near(self, other: Self) -> Self {
        if self.dot(other) < 0.0 { -self } else { self }
    }

    #[inline]
    fn distance_squared(self, other: Self) -> f32 {
        (self - other).length_squared()
    }

    #[inline]
    fn is_close(self, other: Self, tolerance: f32) -> bool {
        same_rotation(self.normalised(), other.normalised(), tolerance)
    }

    #[inline]
    fn straight_pieces(self, other: Self) -> usize {
        let cosine = self.dot(other).abs();
        if cosine >= COS_HALF_LONGEST_ARC {
            return 1;
        }
        (2.0 * cosine.min(1.0).acos() / LONGEST_ARC).ceil().max(1.0) as usize
    }
}

/// The longest turn between two keys in radians. Blender is then off by less than 5e-4 radians.
const LONGEST_ARC: f32 = 0.5;

/// `cos(LONGEST_ARC / 2)`, rounded down.
const COS_HALF_LONGEST_ARC: f32 = 0.968_912;

/// Whether the angle between two unit rotations is at most this, in radians. The limit has to be below four, which is
/// above the largest possible angle.
pub(crate) fn same_rotation(a: Quat, b: Quat, angle: f32) -> bool {
    // The tangent of a quarter of the angle; the arc cosine is too coarse for small angles.
    let tangent = angle * (0.25 + angle * angle * (1.0 / 192.0));
    let b = b.near(a);
    a.distance_squared(b) <= (a + b).length_squared() * tangent * tangent
}

impl Curve {
    /// The times of the keys.
    #[must_use]
    pub fn times(&self) -> &[f32] {
        match self {
            Self::Flag(track) => &track.times,
            Self::Index(track) => &track.times,
            Self::Scalar(track) => &track.times,
            Self::Vector(track) => &track.times,
            Self::Rotation(track) => &track.times,
        }
    }

    /// Whether the value may jump.
    #[must_use]
    pub fn jumps(&self) -> bool {
        fn jumps<T>(track: &Track<T>) -> bool {
            track.interpolation == Interpolation::Step
                || !track.held_until.is_empty()
                || !ascend(&track.times)
        }
        match self {
            Self::Flag(_) | Self::Index(_) => true,
            Self::Scalar(track) => jumps(track),
            Self::Vector(track) => jumps(track),
            Self::Rotation(track) => jumps(track),
        }
    }

    /// Whether keys have tangents.
    #[must_use]
    pub fn is_curved(&self) -> bool {
        match self {
            Self::Scalar(track) => !track.tangents.is_empty(),
            Self::Vector(track) => !track.tangents.is_empty(),
            Self::Rotation(track) => !track.tangents.is_empty(),
            Self::Flag(_) | Self::Index(_) => false,
        }
    }
}

/// Whether each time is later than the one before.
pub(crate) fn ascend(times: &[f32]) -> bool {
    times.is_sorted_by(|a, b| a < b)
}

/// Sorts times, without duplicates, negative times or NaN.
pub(crate) fn put_in_order(times: &mut Vec<f32>) {
    times.retain(|time| time.is_finite() && *time >= 0.0);
    times.sort_by(f32::total_cmp);
    times.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spaced(mode: Mode, keys: &[(f32, f32)]) -> Vec<(f32, f32)> {
        let (times, values): (Vec<f32>, Vec<f32>) = keys.iter().copied().unzip();
        let mut keys = Keys::new(mode, times, values);
        keys.space_out();
        keys.times.iter().copied().zip(keys.values.iter().copied()).collect()
    }

    #[test]
    fn a_jump_takes_half_a_millisecond() {
        let jump = [(0.0, 1.0), (2.0_f32.next_down(), 1.0), (2.0, 5.0), (3.0, 5.0)];
        assert_eq!(spaced(Mode::Linear, &jump), [(0.0, 1.0), (2.0 - MIN_GAP, 1.0), (2.0, 5.0), (3.0, 5.0)]);
        // A step needs no key before it, and what lasts for a tenth of a millisecond is not seen.
        let steps = [(0.0, 1.0), (1.0, 2.0), (1.0001, 3.0), (2.0, 1.0)];
        assert_eq!(spaced(Mode::Step, &steps), [(0.0, 1.0), (1.0001, 3.0), (2.0, 1.0)]);
    }

    #[test]
    fn the_first_and_the_last_time_stay() {
        let ends = [(0.0, 1.0), (0.0001, 2.0), (1.0, 3.0), (1.0001, 4.0)];
        assert_eq!(spaced(Mode::Linear, &ends), [(0.0, 2.0), (1.0001 - MIN_GAP, 3.0), (1.0001, 4.0)]);
        let still = [(0.0, 1.0), (0.5, 2.0), (1.0, 2.0), (1.0001, 2.0)];
        assert_eq!(spaced(Mode::Linear, &still), [(0.0, 1.0), (0.5, 2.0), (1.0001, 2.0)]);
        // Keys that are far enough apart stay as they are.
        let usual = [(0.0, 1.0), (0.0005, 2.0), (0.001, 3.0)];
        assert_eq!(spaced(Mode::Linear, &usual), usual);
    }
}
