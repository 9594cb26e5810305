//! Transforms of points, directions, planes and boxes.

/// An axis of the model's space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// X.
    X,
    /// Y.
    Y,
    /// Z, which is up in both families.
    Z,
}

/// A transform of a whole model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transform {
    /// Scaled by a factor per axis.
    Scale([f32; 3]),
    /// Moved.
    Translate([f32; 3]),
    /// Rotated about an axis through the origin by degrees, counter-clockwise seen from the end of the axis.
    Rotate(Axis, f32),
    /// Mirrored at the plane through the origin that this axis is perpendicular to. [`mirror`](crate::mirror) also exchanges names.
    Mirror(Axis),
}

impl Axis {
    /// Its index in a vector.
    pub(super) const fn index(self) -> usize {
        match self {
            Self::X => 0,
            Self::Y => 1,
            Self::Z => 2,
        }
    }

    /// A vector with its component along this axis reversed.
    pub(super) fn mirrored(self, mut vector: [f32; 3]) -> [f32; 3] {
        let part = &mut vector[self.index()];
        *part = negated(*part);
        vector
    }

    /// A rotation seen in the mirror: its axis is mirrored, and it turns the other way.
    pub(super) fn mirrored_rotation(self, mut rotation: [f32; 4]) -> [f32; 4] {
        for (index, part) in rotation.iter_mut().enumerate().take(3) {
            if index != self.index() {
                *part = negated(*part);
            }
        }
        rotation
    }
}

/// A number with the other sign. Zeros keep their sign, so that mirroring changes as little as possible and mirroring twice restores all bytes.
pub(super) fn negated(number: f32) -> f32 {
    if number == 0.0 || number.is_nan() { number } else { -number }
}

impl Transform {
    /// The factor of a uniform scale; `None` for anything else.
    pub(super) fn uniform(&self) -> Option<f32> {
        match self {
            Self::Scale([x, y, z]) => (x == y && y == z).then_some(*x),
            _ => None,
        }
    }

    /// Whether it rotates by a multiple of 90 degrees, or not at all.
    pub(super) fn is_right_angled(&self) -> bool {
        !matches!(self, Self::Rotate(_, degrees) if degrees % 90.0 != 0.0)
    }

    /// A difference of two points.
    pub(super) fn vector(&self, vector: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Scale(factors) => std::array::from_fn(|index| vector[index] * factors[index]),
            Self::Translate(_) => vector,
            Self::Mirror(axis) => axis.mirrored(vector),
            Self::Rotate(axis, degrees) => {
                let wide = vector.map(f64::from);
                // A zero added to minus zero is zero: components that are only multiplied by zero do not get a sign.
                matrix(*axis, *degrees)
                    .map(|row| (row[0] * wide[0] + row[1] * wide[1] + row[2] * wide[2] + 0.0) as f32)
            }
        }
    }

    pub(super) fn point(&self, point: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Translate(by) => std::array::from_fn(|index| point[index] + by[index]),
            _ => self.vector(point),
        }
    }

    /// A direction along a surface: a tangent.
    pub(super) fn tangent(&self, tangent: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Scale(_) if self.uniform().is_some() => tangent,
            Self::Scale(factors) => with_length_of(
                tangent,
                std::array::from_fn(|index| f64::from(tangent[index]) * f64::from(factors[index])),
            ),
            _ => self.vector(tangent),
        }
    }

    /// A direction across a surface: a normal.
    pub(super) fn normal(&self, normal: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Scale(_) if self.uniform().is_some() => normal,
            Self::Scale(factors) => with_length_of(
                normal,
                std::array::from_fn(|index| f64::from(normal[index]) / f64::from(factors[index])),
            ),
            _ => self.vector(normal),
        }
    }

    /// A plane: its normal and its distance from the origin.
    pub(super) fn plane(&self, normal: [f32; 3], distance: f32) -> ([f32; 3], f32) {
        match self {
            Self::Rotate(..) | Self::Mirror(_) => (self.vector(normal), distance),
            Self::Translate(by) => {
                let along: f64 = normal.iter().zip(by).map(|(n, by)| f64::from(*n) * f64::from(*by)).sum();
                (normal, (f64::from(distance) + along) as f32)
            }
            Self::Scale(factors) => match self.uniform() {
                Some(factor) => (normal, distance * factor),
                None => {
                    let across: [f64; 3] =
                        std::array::from_fn(|index| f64::from(normal[index]) / f64::from(factors[index]));
                    let length = across.iter().map(|part| part * part).sum::<f64>().sqrt();
                    if length == 0.0 || !length.is_finite() {
                        return (normal, distance);
                    }
                    (across.map(|part| (part / length) as f32), (f64::from(distance) / length) as f32)
                }
            },
        }
    }

    /// The corners of a transformed box of a shape, which published models have in any order: a box that was not turned keeps it.
    pub(super) fn corners(&self, a: [f32; 3], b: [f32; 3]) -> ([f32; 3], [f32; 3]) {
        if let Self::Mirror(axis) = self {
            return exchanged_corners(*axis, a, b);
        }
        if !matches!(self, Self::Rotate(..)) {
            return (self.point(a), self.point(b));
        }
        let sorted = |pick: fn(f32, f32) -> f32| std::array::from_fn(|axis| pick(a[axis], b[axis]));
        self.bounds(sorted(f32::min), sorted(f32::max))
    }

    /// The box around a transformed box. Exporters mark empty boxes by a minimum above the maximum, and boxes that were never computed by
    /// zeros; these stay unchanged.
    pub(super) fn bounds(&self, low: [f32; 3], high: [f32; 3]) -> ([f32; 3], [f32; 3]) {
        let is_zero = low == [0.0; 3] && high == [0.0; 3];
        if is_zero || low.iter().zip(high).any(|(low, high)| *low > high) {
            return (low, high);
        }
        if let Self::Mirror(axis) = self {
            return exchanged_corners(*axis, low, high);
        }
        if !matches!(self, Self::Rotate(..)) {
            return (self.point(low), self.point(high));
        }
        let corners: [[f32; 3]; 8] = std::array::from_fn(|corner| {
            self.point(std::array::from_fn(|index| [low, high][corner >> index & 1][index]))
        });
        let fold = |pick: fn(f32, f32) -> f32| {
            std::array::from_fn(|index| {
                corners.iter().map(|corner| corner[index]).reduce(pick).unwrap_or_default()
            })
        };
        (fold(f32::min), fold(f32::max))
    }

    /// Half sizes of a box; only for right angles.
    pub(super) fn half(&self, half: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Rotate(..) => self.vector(half).map(f32::abs),
            Self::Mirror(_) => half,
            _ => self.vector(half),
        }
    }

    /// A length that is the same in all directions. The largest floats mean "no limit" and stay unchanged.
    pub(super) fn length(&self, length: f32) -> f32 {
        match self {
            Self::Scale(_) if length.abs() > 1e38 => length,
            Self::Scale([x, y, z]) => length * x.max(*y).max(*z),
            _ => length,
        }
    }
}

/// The corners of a mirrored box, in the same order.
fn exchanged_corners(axis: Axis, mut a: [f32; 3], mut b: [f32; 3]) -> ([f32; 3], [f32; 3]) {
    let index = axis.index();
    (a[index], b[index]) = (negated(b[index]), negated(a[index]));
    (a, b)
}

/// Sine and cosine. For right angles they are whole numbers, unlike the sine of a rounded angle.
fn sin_cos(degrees: f64) -> (f64, f64) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    if degrees % 90.0 == 0.0 { (sin.round(), cos.round()) } else { (sin, cos) }
}

/// The matrix of a rotation, row by row.
pub(super) fn matrix(axis: Axis, degrees: f32) -> [[f64; 3]; 3] {
    let (sin, cos) = sin_cos(degrees.into());
    match axis {
        Axis::X => [[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]],
        Axis::Y => [[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]],
        Axis::Z => [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]],
    }
}

/// A rotation as a quaternion x, y, z, w.
pub(super) fn quaternion(axis: Axis, degrees: f32) -> [f64; 4] {
    let (sin, cos) = sin_cos(f64::from(degrees) / 2.0);
    match axis {
        Axis::X => [sin, 0.0, 0.0, cos],
        Axis::Y => [0.0, sin, 0.0, cos],
        Axis::Z => [0.0, 0.0, sin, cos],
    }
}

/// A direction with the length of another; that one if the direction is zero.
pub(super) fn with_length_of(old: [f32; 3], new: [f64; 3]) -> [f32; 3] {
    let length = |of: [f64; 3]| of.iter().map(|part| part * part).sum::<f64>().sqrt();
    let factor = length(old.map(f64::from)) / length(new);
    if factor.is_finite() { new.map(|part| (part * factor) as f32) } else { old }
}

/// The product of two rotations: `a * b`.
pub(super) fn turned(a: [f64; 4], b: [f32; 4]) -> [f32; 4] {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b.map(f64::from);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
    .map(|part| (part + 0.0) as f32)
}
