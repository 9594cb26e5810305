//! Rotations and translations of bones.

use record::{Quaternion, Vec3};
use w3d::records::Pivot;

/// A rotation, then a translation, in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    /// x, y, z, w.
    pub(crate) rotation: [f64; 4],
    pub(crate) translation: [f64; 3],
}

impl Placement {
    pub(crate) const IDENTITY: Self = Self { rotation: [0.0, 0.0, 0.0, 1.0], translation: [0.0; 3] };

    /// From the space of a pivot to that of its parent, at rest.
    pub(crate) fn of_pivot(pivot: &Pivot) -> Self {
        Self {
            rotation: unit(pivot.rotation.get().map(f64::from)),
            translation: pivot.translation.get().map(f64::from),
        }
    }

    /// First `inner`, then this one.
    pub(crate) fn then(self, inner: Self) -> Self {
        Self { rotation: product(self.rotation, inner.rotation), translation: self.point(inner.translation) }
    }

    pub(crate) fn inverse(self) -> Self {
        let [x, y, z, w] = self.rotation;
        let rotation = [-x, -y, -z, w];
        Self { rotation, translation: turned(rotation, self.translation).map(|part| -part) }
    }

    /// A point in the outer space.
    pub(crate) fn point(self, point: [f64; 3]) -> [f64; 3] {
        let turned = turned(self.rotation, point);
        [0, 1, 2].map(|axis| turned[axis] + self.translation[axis])
    }

    /// Makes it the rest transform of a pivot. The Euler angles, which engines ignore, become zero if the rotation changes.
    pub(crate) fn write(self, pivot: &mut Pivot) {
        let rotation = Quaternion::from(self.rotation.map(|part| part as f32));
        if rotation != pivot.rotation {
            pivot.euler_angles = Vec3::default();
        }
        pivot.rotation = rotation;
        pivot.translation = Vec3::from(self.translation.map(|part| part as f32));
    }
}

pub(crate) fn unit(rotation: [f64; 4]) -> [f64; 4] {
    let length = rotation.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() {
        rotation.map(|part| part / length)
    } else {
        Placement::IDENTITY.rotation
    }
}

/// The rotation `b`, then `a`.
pub(crate) fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// A vector, rotated.
pub(crate) fn turned(rotation: [f64; 4], vector: [f64; 3]) -> [f64; 3] {
    let [x, y, z, w] = rotation;
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let axis = [x, y, z];
    let first = cross(axis, vector);
    let second = cross(axis, first);
    [0, 1, 2].map(|part| vector[part] + 2.0 * (w * first[part] + second[part]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placement_and_its_inverse_cancel() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let placement = Placement { rotation: [0.0, 0.0, half, half], translation: [1.0, 2.0, 3.0] };
        let point = placement.point([1.0, 0.0, 0.0]);
        assert!((point[0] - 1.0).abs() < 1e-12 && (point[1] - 3.0).abs() < 1e-12, "a quarter turn about z");
        let both = placement.inverse().then(placement);
        assert!(both.translation.iter().all(|part| part.abs() < 1e-12));
        assert!((both.rotation[3].abs() - 1.0).abs() < 1e-12);
    }
}
