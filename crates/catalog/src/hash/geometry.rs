//! Hashes of triangles: how they are connected, and the proportions of what they form.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use glam::Vec3;

use super::Hasher;

/// Triangles in one space.
#[derive(Clone, Debug, Default)]
pub struct Geometry {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// The two hashes of a shape. Two shapes are the same if either is equal: each has a grid of its own, and numbers that lie on different
/// sides of a line of one grid lie within a cell of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeHashes {
    /// On the first grid.
    pub first: String,
    /// On the grid that is moved by half a cell.
    pub second: String,
}

/// Rounds in which a vertex learns about its neighbours. After three it knows everything within three edges.
const ROUNDS: usize = 3;

/// Width of a cell in the logarithm of a number: half a percent. Rounding to 32-bit floats moves the numbers by a ten-thousandth of a cell.
const CELL: f64 = 0.005;

impl Geometry {
    /// Adds triangles of a mesh, whose points `place` puts where they are at rest. Triangles with an invalid index or a coordinate that is
    /// NaN or infinite are skipped.
    pub fn add(
        &mut self,
        positions: &[Vec3],
        indices: impl Iterator<Item = u32>,
        place: impl Fn(Vec3) -> Vec3,
    ) {
        let Ok(start) = u32::try_from(self.points.len()) else { return };
        self.points.extend(positions.iter().map(|point| place(*point)));
        let mut indices = indices;
        while let (Some(a), Some(b), Some(c)) = (indices.next(), indices.next(), indices.next()) {
            let is_valid = |index: u32| positions.get(index as usize).is_some_and(|point| point.is_finite());
            if is_valid(a) && is_valid(b) && is_valid(c) {
                let moved = [a, b, c].map(|index| index.saturating_add(start));
                if moved.iter().all(|index| self.points.get(*index as usize).is_some_and(|it| it.is_finite()))
                {
                    self.triangles.push(moved);
                }
            }
        }
    }

    /// Number of triangles.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether there is no triangle.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// How the triangles are connected, in any order. Vertices in the same place are one, so seams of textures do not count.
    pub fn topology(&self) -> Option<String> {
        let mut numbers: HashMap<[u32; 3], u32, FixedState> =
            HashMap::with_capacity_and_hasher(self.points.len(), FixedState::default());
        let mut welded = Vec::with_capacity(self.points.len());
        for point in &self.points {
            let next = numbers.len() as u32;
            // Minus zero is zero.
            let key = point.to_array().map(|value| (value + 0.0).to_bits());
            welded.push(*numbers.entry(key).or_insert(next));
        }
        let corners = |triangle: &[u32; 3]| triangle.map(|index| welded[index as usize] as usize);
        let triangles: Vec<[usize; 3]> =
            self.triangles.iter().map(corners).filter(|[a, b, c]| a != b && b != c && c != a).collect();
        if triangles.is_empty() {
            return None;
        }
        let mut labels = vec![0_u64; numbers.len()];
        for corner in triangles.as_flattened() {
            labels[*corner] += 1;
        }
        let used = labels.iter().filter(|label| **label > 0).count();
        let mut sums = vec![0_u64; labels.len()];
        for _ in 0..ROUNDS {
            sums.fill(0);
            for [a, b, c] in &triangles {
                for (here, next, last) in [(*a, *b, *c), (*b, *c, *a), (*c, *a, *b)] {
                    // A sum does not depend on the order. The two neighbours have an order: that of the winding.
                    sums[here] = sums[here].wrapping_add(mix(labels[next], mix(labels[last], 1)));
                }
            }
            for (label, sum) in labels.iter_mut().zip(&sums) {
                *label = mix(*label, *sum);
            }
        }
        let mut total = [0_u64; 2];
        for [a, b, c] in &triangles {
            let [a, b, c] = [labels[*a], labels[*b], labels[*c]];
            for (seed, total) in [2, 3].into_iter().zip(&mut total) {
                let corner = |a, b, c| mix(a, mix(b, mix(c, seed)));
                let sum = corner(a, b, c).wrapping_add(corner(b, c, a)).wrapping_add(corner(c, a, b));
                *total = total.wrapping_add(mix(sum, seed));
            }
        }
        let mut hasher = Hasher::new("topology");
        hasher.number(triangles.len() as u64).number(used as u64).number(total[0]).number(total[1]);
        Some(hasher.finish())
    }

    /// The area of the triangles and the hashes of their proportions: numbers that stay the same when all are moved, turned or scaled, and
    /// that depend on neither the order nor the division into meshes.
    pub fn shape(&self) -> Option<(f64, ShapeHashes)> {
        let numbers = self.proportions()?;
        let grid = |offset: f64| {
            let mut hasher = Hasher::new("shape");
            hasher.number(numbers.triangles);
            for number in numbers.of_scale {
                hasher.bytes(&(number.ln() / CELL + offset).floor().to_le_bytes());
            }
            for number in numbers.of_unit {
                // Rounding must not make a plane's zero a negative zero.
                hasher.bytes(&((number / CELL + offset).floor() + 0.0).to_le_bytes());
            }
            hasher.finish()
        };
        let hashes = ShapeHashes { first: grid(0.25), second: grid(0.75) };
        Some((numbers.area, hashes))
    }

    fn proportions(&self) -> Option<Proportions> {
        let corners = |triangle: &[u32; 3]| triangle.map(|index| double(self.points[index as usize]));
        // Relative to the first point, so that a model far from the origin keeps its digits.
        let origin = corners(self.triangles.first()?)[0];
        let (mut area, mut center) = (0.0, [0.0; 3]);
        for triangle in &self.triangles {
            let [a, b, c] = corners(triangle).map(|point| minus(point, origin));
            let weight = area_of([a, b, c]);
            area += weight;
            center = zip(center, zip(zip(a, b, |a, b| a + b), c, |ab, c| (ab + c) / 3.0), |sum, middle| {
                sum + middle * weight
            });
        }
        if !(area > 0.0 && area.is_finite()) {
            return None;
        }
        let center = zip(origin, center, |origin, sum| origin + sum / area);
        let mut moments = Moments::default();
        let smallest = area * 1e-9 / self.triangles.len() as f64;
        for triangle in &self.triangles {
            moments.add(corners(triangle).map(|point| minus(point, center)), smallest);
        }
        moments.proportions(area)
    }
}

/// Sums over the triangles, relative to their common centre.
#[derive(Default)]
struct Moments {
    triangles: u64,
    /// xx, yy, zz, xy, yz, zx.
    covariance: [f64; 6],
    mean: f64,
    fourth: f64,
    skew: [f64; 3],
    edges: f64,
    squares: f64,
    areas: f64,
}

impl Moments {
    fn add(&mut self, [a, b, c]: [[f64; 3]; 3], smallest: f64) {
        let weight = area_of([a, b, c]);
        // Writers may drop triangles without an area.
        if weight <= smallest {
            return;
        }
        self.triangles += 1;
        self.areas += weight * weight;
        let part = weight / 3.0;
        // The middles of the edges: exact for squares over a triangle.
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let point = zip(from, to, |from, to| (from + to) / 2.0);
            let [x, y, z] = point;
            let square = dot(point, point);
            for (sum, product) in self.covariance.iter_mut().zip([x * x, y * y, z * z, x * y, y * z, z * x]) {
                *sum += product * part;
            }
            self.mean += square.sqrt() * part;
            self.fourth += square * square * part;
            self.skew = zip(self.skew, point, |sum, value| sum + value * square * part);
            let edge = minus(to, from);
            self.edges += dot(edge, edge).sqrt();
            self.squares += dot(edge, edge);
        }
    }

    fn proportions(&self, area: f64) -> Option<Proportions> {
        let [xx, yy, zz, xy, yz, zx] = self.covariance.map(|sum| sum / area);
        let trace = xx + yy + zz;
        if !(trace > 0.0 && trace.is_finite()) || self.triangles == 0 {
            return None;
        }
        let size = trace.sqrt();
        let minors = (xx * yy - xy * xy) + (yy * zz - yz * yz) + (zz * xx - zx * zx);
        let determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx) + zx * (xy * yz - yy * zx);
        let sides = self.triangles as f64 * 3.0;
        Some(Proportions {
            triangles: self.triangles,
            area,
            of_scale: [
                area / trace,
                self.mean / area / size,
                self.fourth / area / (trace * trace),
                self.edges / sides / size,
                self.squares / sides / trace,
                self.areas * self.triangles as f64 / (area * area),
            ],
            of_unit: [
                3.0 * minors / (trace * trace),
                27.0 * determinant / (trace * trace * trace),
                dot(self.skew, self.skew).sqrt() / area / (trace * size),
            ],
        })
    }
}

/// Numbers that do not change when everything is moved, turned or scaled.
struct Proportions {
    triangles: u64,
    area: f64,
    /// Positive, of any size.
    of_scale: [f64; 6],
    /// From 0 to about 1; they may be 0, as the volume of a plane is.
    of_unit: [f64; 3],
}

fn double(point: Vec3) -> [f64; 3] {
    point.to_array().map(f64::from)
}

fn zip(a: [f64; 3], b: [f64; 3], with: impl Fn(f64, f64) -> f64) -> [f64; 3] {
    [with(a[0], b[0]), with(a[1], b[1]), with(a[2], b[2])]
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    zip(a, b, |a, b| a - b)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn area_of([a, b, c]: [[f64; 3]; 3]) -> f64 {
    let ([x, y, z], [u, v, w]) = (minus(b, a), minus(c, a));
    let cross = [y * w - z * v, z * u - x * w, x * v - y * u];
    dot(cross, cross).sqrt() / 2.0
}

/// A number that depends on both in an irregular way (the finaliser of SplitMix64).
const fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.wrapping_add(b.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
