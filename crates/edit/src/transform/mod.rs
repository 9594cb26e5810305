//! Scaling, moving and turning whole models.

mod mdx;
mod quantities;
mod w3d;

use record::Node;

use crate::{Error, Family, family_of};

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

/// What is done to a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transform {
    /// Made larger or smaller, along each axis.
    Scale([f32; 3]),
    /// Moved.
    Translate([f32; 3]),
    /// Turned about an axis through the origin by degrees, counter-clockwise as seen from the axis' end.
    Rotate(Axis, f32),
}

/// Transforms everything that a document holds, so that the model looks as if its root had been transformed. Gives the number of
/// parts changed. Numbers are rounded to the nearest; multiples of 90 degrees turn exactly.
///
/// # W3D
///
/// **Scale** changes everything that has a length: vertices, planes of triangles, bounds, collision trees, pivots, translation
/// channels of all storages, boxes, points, light ranges, sizes and speeds of emitters, radii of sounds. Files that belong
/// together (skeleton, skin, animations) are each scaled by themselves.
///
/// **Translate** and **rotate** change the pivots right below the root, which the engines replace by the object's own place; what
/// hangs on them, animations included, follows. What is not on a bone, or on the root, is changed itself: meshes and boxes, and
/// in skins the vertices of the root. Bounds and planes of skins are those of the undeformed mesh and follow the model. Files
/// without skeleton and without such parts stay as they are: they follow the file with the skeleton.
///
/// # MDX
///
/// Everything is in the model's space: vertices, normals, tangents, pivots, bounds, cameras, shapes, bind poses. Translation
/// tracks are scaled and turned, rotation tracks are turned about the new axes; packed rotations of the WoW alpha are rounded.
/// What popcorn emitters show is in other files and not changed; attachments move, but what is attached does not turn.
///
/// # What is refused
///
/// Different factors per axis where something turns (rotated bones, rotation tracks) or is round (lights, emitters, spheres);
/// turning what cannot turn (boxes by other than 90 degrees, billboards, emitters about other axes than Z); factors that are not
/// greater than zero; meshes of the versions 1 and 2. Bounding boxes that turn by other angles become boxes around the turned
/// ones; bounding radii grow by the greatest factor.
pub fn transform(root: &mut Node<'_>, what: &Transform) -> Result<usize, Error> {
    let family = family_of(root)?;
    let numbers: &[f32] = match what {
        Transform::Scale(factors) => factors,
        Transform::Translate(by) => by,
        Transform::Rotate(_, degrees) => std::slice::from_ref(degrees),
    };
    if numbers.iter().any(|number| !number.is_finite()) {
        return Err(Error::new("numbers have to be finite"));
    }
    if let Transform::Scale(factors) = what
        && factors.iter().any(|factor| *factor <= 0.0)
    {
        return Err(Error::new("a factor has to be greater than zero")
            .with_note("a model that is mirrored would be inside out"));
    }
    match family {
        Family::W3d => w3d::transform(root, what),
        Family::Mdx => mdx::transform(root, what),
    }
}

impl Transform {
    /// The one factor of a scale that is the same along all axes; `None` for one that is not.
    fn uniform(&self) -> Option<f32> {
        match self {
            Self::Scale([x, y, z]) => (x == y && y == z).then_some(*x),
            _ => Some(1.0),
        }
    }

    /// Whether it turns by a multiple of 90 degrees, or not at all.
    fn is_right_angled(&self) -> bool {
        !matches!(self, Self::Rotate(_, degrees) if degrees % 90.0 != 0.0)
    }

    /// The turn's matrix, row by row.
    fn matrix(&self) -> [[f64; 3]; 3] {
        let Self::Rotate(axis, degrees) = self else {
            return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        };
        let (sin, cos) = match degrees.rem_euclid(360.0) {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            _ => f64::from(*degrees).to_radians().sin_cos(),
        };
        match axis {
            Axis::X => [[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]],
            Axis::Y => [[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]],
            Axis::Z => [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]],
        }
    }

    /// The turn as a quaternion x, y, z, w.
    fn quaternion(&self) -> [f64; 4] {
        let Self::Rotate(axis, degrees) = self else { return [0.0, 0.0, 0.0, 1.0] };
        let half = f64::from(*degrees) / 2.0;
        let (sin, cos) = match half.rem_euclid(360.0) {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            _ => half.to_radians().sin_cos(),
        };
        match axis {
            Axis::X => [sin, 0.0, 0.0, cos],
            Axis::Y => [0.0, sin, 0.0, cos],
            Axis::Z => [0.0, 0.0, sin, cos],
        }
    }

    /// A difference of two points.
    fn vector(&self, vector: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Scale(factors) => std::array::from_fn(|at| vector[at] * factors[at]),
            Self::Translate(_) => vector,
            Self::Rotate(..) => {
                let wide = vector.map(f64::from);
                // A zero added to minus zero is zero: components that are only multiplied by zero do not get a sign.
                self.matrix().map(|row| (row[0] * wide[0] + row[1] * wide[1] + row[2] * wide[2] + 0.0) as f32)
            }
        }
    }

    fn point(&self, point: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Translate(by) => std::array::from_fn(|at| point[at] + by[at]),
            _ => self.vector(point),
        }
    }

    /// A direction along a surface.
    fn tangent(&self, tangent: [f32; 3]) -> [f32; 3] {
        if self.uniform().is_some() && matches!(self, Self::Scale(_)) {
            return tangent;
        }
        match self {
            Self::Scale(factors) => with_length_of(
                tangent,
                std::array::from_fn(|at| f64::from(tangent[at]) * f64::from(factors[at])),
            ),
            _ => self.vector(tangent),
        }
    }

    /// A direction across a surface.
    fn normal(&self, normal: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Scale(_) if self.uniform().is_some() => normal,
            Self::Scale(factors) => with_length_of(
                normal,
                std::array::from_fn(|at| f64::from(normal[at]) / f64::from(factors[at])),
            ),
            _ => self.vector(normal),
        }
    }

    /// A plane: its normal and its distance from the origin.
    fn plane(&self, normal: [f32; 3], distance: f32) -> ([f32; 3], f32) {
        match self {
            Self::Rotate(..) => (self.vector(normal), distance),
            Self::Translate(by) => {
                let along: f64 = normal.iter().zip(by).map(|(n, by)| f64::from(*n) * f64::from(*by)).sum();
                (normal, (f64::from(distance) + along) as f32)
            }
            Self::Scale(factors) => match self.uniform() {
                Some(factor) => (normal, distance * factor),
                None => {
                    let across: [f64; 3] =
                        std::array::from_fn(|at| f64::from(normal[at]) / f64::from(factors[at]));
                    let length = across.iter().map(|part| part * part).sum::<f64>().sqrt();
                    if length == 0.0 || !length.is_finite() {
                        return (normal, distance);
                    }
                    (across.map(|part| (part / length) as f32), (f64::from(distance) / length) as f32)
                }
            },
        }
    }

    /// The box around a box. One that is inside out is how exporters say that there is nothing, and stays.
    fn bounds(&self, low: [f32; 3], high: [f32; 3]) -> ([f32; 3], [f32; 3]) {
        if low.iter().zip(high).any(|(low, high)| *low > high) {
            return (low, high);
        }
        if !matches!(self, Self::Rotate(..)) {
            return (self.point(low), self.point(high));
        }
        let corners: [[f32; 3]; 8] = std::array::from_fn(|corner| {
            self.point(std::array::from_fn(|at| if corner >> at & 1 == 0 { low[at] } else { high[at] }))
        });
        let fold = |pick: fn(f32, f32) -> f32| {
            std::array::from_fn(|at| corners.iter().map(|corner| corner[at]).reduce(pick).unwrap_or_default())
        };
        (fold(f32::min), fold(f32::max))
    }

    /// Half sizes of a box; only for right angles.
    fn half(&self, half: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Rotate(..) => self.vector(half).map(f32::abs),
            _ => self.vector(half),
        }
    }

    /// A length that is the same in all directions. The largest floats mean that there is no limit, and stay.
    fn length(&self, length: f32) -> f32 {
        match self {
            Self::Scale(_) if length.abs() > 1e38 => length,
            Self::Scale([x, y, z]) => length * x.max(*y).max(*z),
            _ => length,
        }
    }
}

/// A direction with the length of another; that one if there is none.
fn with_length_of(old: [f32; 3], new: [f64; 3]) -> [f32; 3] {
    let length = |of: [f64; 3]| of.iter().map(|part| part * part).sum::<f64>().sqrt();
    let factor = length(old.map(f64::from)) / length(new);
    if factor.is_finite() { new.map(|part| (part * factor) as f32) } else { old }
}

/// One turn after another: `a * b`.
fn turned(a: [f64; 4], b: [f32; 4]) -> [f32; 4] {
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
