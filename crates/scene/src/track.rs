//! Keyframe tracks and the engines' interpolation formulas.

use glam::{Quat, Vec3, Vec4};

/// How a value moves from one key to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Interpolation {
    /// A key holds until the next one.
    Step,
    /// Straight line; rotations take the shortest great arc (slerp).
    #[default]
    Linear,
    /// Cubic Hermite with the outgoing tangent of one key and the incoming of the next; rotations use squad.
    Hermite,
    /// Cubic Bezier with the tangents as control points; rotations use squad, as for Hermite.
    Bezier,
}

/// Value of a track before its first key and after its last one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outside {
    /// The value of the nearest key (W3D compressed channels, glTF).
    #[default]
    Clamp,
    /// Only keys inside the window count. The last of them is interpolated with the first over the rest of
    /// the window: a segment of `first - last + end - start` (Warcraft III).
    Wrap {
        /// Start of the window.
        start: f32,
        /// End of the window.
        end: f32,
    },
    /// None: the rest value applies. This is for W3D raw channels, which are the identity outside their frames. The
    /// engine interpolates to it over one frame, so such a track has keys of the rest value one frame before and after
    /// those of the channel.
    Rest,
}

/// A key's two tangents, or control points, on a [`Hermite`](Interpolation::Hermite) or
/// [`Bezier`](Interpolation::Bezier) track.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tangents<T> {
    /// Towards the previous key.
    pub incoming: T,
    /// Towards the next key.
    pub outgoing: T,
}

/// Keyframes. Times are in seconds and ascending. Of two keys at the same time the second applies from that time on.
///
/// The type does not enforce the order: a track with unsorted times, or with vectors of unequal length, still gives one of its values or
/// a value between two of them. [`sort`](Track::sort) sorts the keys.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Track<T> {
    /// Times in seconds, ascending.
    pub times: Vec<f32>,
    /// Values, one per time.
    pub values: Vec<T>,
    /// Tangents: one pair per time if the interpolation is cubic, else empty. A cubic track without tangents is linear.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub tangents: Vec<Tangents<T>>,
    /// Empty, or one per time: `true` keeps the value of the *previous* key until this key. This is W3D's "binary movement", whose
    /// flag is on the key that ends the interval.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub held_until: Vec<bool>,
    /// Interpolation between keys.
    pub interpolation: Interpolation,
    /// Value outside the keys.
    pub outside: Outside,
}

impl<T> Track<T> {
    /// A track without tangents, clamped outside its keys.
    #[must_use]
    pub fn new(interpolation: Interpolation, keys: impl IntoIterator<Item = (f32, T)>) -> Self {
        let (times, values) = keys.into_iter().unzip();
        Self {
            times,
            values,
            tangents: Vec::new(),
            held_until: Vec::new(),
            interpolation,
            outside: Outside::Clamp,
        }
    }

    /// The same track with other values outside its keys.
    #[must_use]
    pub fn with_outside(mut self, outside: Outside) -> Self {
        self.outside = outside;
        self
    }

    /// The same track with tangents.
    #[must_use]
    pub fn with_tangents(mut self, tangents: Vec<Tangents<T>>) -> Self {
        self.tangents = tangents;
        self
    }

    /// Number of complete keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.times.len().min(self.values.len())
    }

    /// Whether there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Copy> Track<T> {
    /// Sorts the keys by time. Keys at the same time keep their order.
    pub fn sort(&mut self) {
        if self.times.is_sorted() {
            return;
        }
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&a, &b| self.times[a].total_cmp(&self.times[b]));
        fn permute<U: Copy>(order: &[usize], items: &mut Vec<U>) {
            *items = order.iter().filter_map(|&i| items.get(i).copied()).collect();
        }
        permute(&order, &mut self.times);
        permute(&order, &mut self.values);
        // A vector that is shorter than the list of keys cannot be sorted with them.
        if self.tangents.len() >= order.len() {
            permute(&order, &mut self.tangents);
        }
        if self.held_until.len() >= order.len() {
            permute(&order, &mut self.held_until);
        }
    }
}

impl<T: Interpolate> Track<T> {
    /// The value at a time. `None` if no key applies: the target then has its rest value.
    ///
    /// A single key is a constant (except with [`Outside::Rest`], where it applies at its own time only).
    #[must_use]
    pub fn sample(&self, time: f32) -> Option<T> {
        let times = &self.times[..self.len()];
        let (low, high) = match self.outside {
            // Most often all keys are inside.
            Outside::Wrap { start, end }
                if times.first().is_some_and(|first| *first >= start)
                    && times.last().is_some_and(|last| *last <= end) =>
            {
                (0, times.len())
            }
            Outside::Wrap { start, end } => {
                (times.partition_point(|&t| t < start), times.partition_point(|&t| t <= end))
            }
            Outside::Clamp | Outside::Rest => (0, times.len()),
        };
        let keys = times.get(low..high).filter(|keys| !keys.is_empty())?;
        let (first, last) = (low, high - 1);
        let next = low + keys.partition_point(|&t| t <= time);

        if next > first && next <= last {
            let previous = next - 1;
            let fraction = fraction(time - times[previous], times[next] - times[previous]);
            return Some(self.between(previous, next, fraction));
        }
        match self.outside {
            Outside::Clamp => Some(self.values[if next == first { first } else { last }]),
            Outside::Rest => (time == times[last]).then(|| self.values[last]),
            Outside::Wrap { .. } if first == last => Some(self.values[first]),
            Outside::Wrap { start, end } => {
                let window = end - start;
                let since_last = if next == first { time + window - times[last] } else { time - times[last] };
                let fraction = fraction(since_last, times[first] - times[last] + window);
                Some(self.between(last, first, fraction))
            }
        }
    }

    #[inline(always)]
    fn between(&self, previous: usize, next: usize, fraction: f32) -> T {
        let (from, to) = (self.values[previous], self.values[next]);
        if self.held_until.get(next) == Some(&true) {
            return from;
        }
        let tangents = self.tangents.get(previous).zip(self.tangents.get(next));
        match (self.interpolation, tangents) {
            (Interpolation::Step, _) => from,
            (Interpolation::Hermite, Some((a, b))) => T::hermite(from, a.outgoing, b.incoming, to, fraction),
            (Interpolation::Bezier, Some((a, b))) => T::bezier(from, a.outgoing, b.incoming, to, fraction),
            _ => T::linear(from, to, fraction),
        }
    }
}

/// `elapsed / length` within 0..=1, for any numbers.
fn fraction(elapsed: f32, length: f32) -> f32 {
    if elapsed > 0.0 && length > 0.0 { (elapsed / length).min(1.0) } else { 0.0 }
}

/// A value that a [`Track`] can hold.
pub trait Interpolate: Copy {
    /// The value between `a` and `b` for `t` from 0 to 1.
    fn linear(a: Self, b: Self, t: f32) -> Self;
    /// As [`linear`](Self::linear), curved by the outgoing tangent of `a` and the incoming tangent of `b`.
    fn hermite(a: Self, outgoing: Self, incoming: Self, b: Self, t: f32) -> Self;
    /// As [`linear`](Self::linear), curved by two control points.
    fn bezier(a: Self, outgoing: Self, incoming: Self, b: Self, t: f32) -> Self;
}

macro_rules! interpolate_vector {
    ($($type:ty),*) => {$(
        impl Interpolate for $type {
            fn linear(a: Self, b: Self, t: f32) -> Self {
                a * (1.0 - t) + b * t
            }

            fn hermite(a: Self, outgoing: Self, incoming: Self, b: Self, t: f32) -> Self {
                let (t2, t3) = (t * t, t * t * t);
                a * (2.0 * t3 - 3.0 * t2 + 1.0)
                    + outgoing * (t3 - 2.0 * t2 + t)
                    + incoming * (t3 - t2)
                    + b * (3.0 * t2 - 2.0 * t3)
            }

            fn bezier(a: Self, outgoing: Self, incoming: Self, b: Self, t: f32) -> Self {
                let s = 1.0 - t;
                a * (s * s * s) + outgoing * (3.0 * t * s * s) + incoming * (3.0 * t * t * s) + b * (t * t * t)
            }
        }
    )*};
}
interpolate_vector!(f32, Vec3, Vec4);

/// Values without interpolation keep the earlier value.
macro_rules! interpolate_discrete {
    ($($type:ty),*) => {$(
        impl Interpolate for $type {
            fn linear(a: Self, _: Self, _: f32) -> Self {
                a
            }

            fn hermite(a: Self, _: Self, _: Self, _: Self, _: f32) -> Self {
                a
            }

            fn bezier(a: Self, _: Self, _: Self, _: Self, _: f32) -> Self {
                a
            }
        }
    )*};
}
interpolate_discrete!(bool, u32);

impl Interpolate for Quat {
    #[inline]
    fn linear(a: Self, b: Self, t: f32) -> Self {
        slerp(a, b, t)
    }

    #[inline]
    fn hermite(a: Self, outgoing: Self, incoming: Self, b: Self, t: f32) -> Self {
        squad(a, outgoing, incoming, b, t)
    }

    #[inline]
    fn bezier(a: Self, outgoing: Self, incoming: Self, b: Self, t: f32) -> Self {
        squad(a, outgoing, incoming, b, t)
    }
}

/// Spherical interpolation along the shorter arc.
///
/// Not glam's function, which approximates the arc cosine with an error above the precision of the files.
#[must_use]
pub fn slerp(a: Quat, b: Quat, t: f32) -> Quat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    // The cosine of the angle minus one, without the cancellation of the dot product at small angles.
    let (apart, together) = ((a - b).length_squared(), (a + b).length_squared());
    let less = -2.0 * apart / (apart + together);
    if less > -0.01 {
        a * sine_ratio::<3>(1.0 - t, less) + b * sine_ratio::<3>(t, less)
    } else if less > -0.25 {
        a * sine_ratio::<8>(1.0 - t, less) + b * sine_ratio::<8>(t, less)
    } else if together > 0.0 {
        let angle = 2.0 * apart.sqrt().atan2(together.sqrt());
        let sine = angle.sin();
        a * (((1.0 - t) * angle).sin() / sine) + b * ((t * angle).sin() / sine)
    } else {
        a * (1.0 - t) + b * t
    }
}

/// `sin(t·angle) / sin(angle)` for `less = cos(angle) - 1`, as its power series in `less`: each term is the one before it times
/// `(t² - i²) / (i·(2i + 1)) · less`, which is about half of `less`. Eight terms are good for f32 where `less` is above -1/4, an
/// angle of 41 degrees, three where it is above -1/100, 8 degrees.
fn sine_ratio<const TERMS: usize>(t: f32, less: f32) -> f32 {
    const SQUARES: [f32; 8] = [1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 49.0, 64.0];
    const INVERSE: [f32; 8] =
        [1.0 / 3.0, 1.0 / 10.0, 1.0 / 21.0, 1.0 / 36.0, 1.0 / 55.0, 1.0 / 78.0, 1.0 / 105.0, 1.0 / 136.0];
    let square = t * t;
    // From the innermost bracket outwards, so that the small terms come first.
    let series =
        (0..TERMS).rev().fold(1.0, |series, i| 1.0 + (square - SQUARES[i]) * INVERSE[i] * less * series);
    t * series
}

/// Spherical cubic interpolation: between the arc of the keys and the arc of the tangents.
#[must_use]
#[inline]
pub fn squad(a: Quat, outgoing: Quat, incoming: Quat, b: Quat, t: f32) -> Quat {
    slerp(slerp(a, b, t), slerp(outgoing, incoming, t), 2.0 * t * (1.0 - t))
}
