//! A square of the picture: coverage, depth and colour of four samples per pixel.

use scene::{BlendFactor, Compare};

use super::blend::{Rgba, blend};
use super::image::Background;
use super::program::{Corners, Place, Prepared, Shared};
use super::project::{Geometry, Point, STEPS, Triangle, area};

/// Pixels along a side. Colour and depth of all samples fit into the fastest cache.
pub(super) const SIDE: u32 = 32;
const PIXELS: usize = (SIDE * SIDE) as usize;

/// Samples of a pixel.
const SAMPLES: usize = 4;

/// Positions of the samples, relative to the corner of the pixel: the usual rotated grid, with one sample per quarter row
/// and column.
const POSITIONS: [[i32; 2]; SAMPLES] = {
    const AT: [i32; 4] = [STEPS / 8, STEPS * 3 / 8, STEPS * 5 / 8, STEPS * 7 / 8];
    [[AT[1], AT[0]], [AT[3], AT[1]], [AT[0], AT[2]], [AT[2], AT[3]]]
};

/// The first and the last position of a sample along a row or column.
const FIRST: i32 = STEPS / 8;
const LAST: i32 = STEPS * 7 / 8;
const CENTRE: i32 = STEPS / 2;

/// All samples of a pixel.
const ALL: u8 = (1 << SAMPLES) - 1;

pub(super) struct Tile {
    /// The corner in the picture.
    left: u32,
    top: u32,
    /// Colours on the background; for a transparent picture those on black and those on white.
    colors: Vec<Vec<[Rgba; SAMPLES]>>,
    depth: Vec<[f32; SAMPLES]>,
}

/// The pixels that a triangle may cover: left, top, right, bottom, the last two included. May be empty.
pub(super) fn bounds(points: [Point; 3]) -> [i32; 4] {
    let [a, b, c] = points;
    let least = |at: fn(&Point) -> i32| at(&a).min(at(&b)).min(at(&c));
    let most = |at: fn(&Point) -> i32| at(&a).max(at(&b)).max(at(&c));
    // The first pixel whose last sample is not left of it, the last pixel whose first sample is not right of it.
    let first = |at: i32| (at - LAST + STEPS - 1).div_euclid(STEPS);
    let last = |at: i32| (at - FIRST).div_euclid(STEPS);
    [first(least(|p| p.x)), first(least(|p| p.y)), last(most(|p| p.x)), last(most(|p| p.y))]
}

/// One edge of a triangle: positive inside.
#[derive(Clone, Copy)]
struct Edge {
    /// The value at the centre of the first pixel of the row, minus one if samples on the edge belong to the neighbour.
    value: i64,
    /// The amount that was subtracted.
    bias: i64,
    /// To the next pixel, and to the next row.
    dx: i64,
    dy: i64,
    /// From the centre to the samples.
    samples: [i64; SAMPLES],
    /// The minimum and the maximum of them.
    least: i64,
    most: i64,
}

impl Edge {
    /// The edge from `a` to `b` of a clockwise triangle, for rows that begin at this pixel.
    fn new(a: Point, b: Point, left: i32, top: i32) -> Self {
        let dx = -(i64::from(b.y) - i64::from(a.y));
        let dy = i64::from(b.x) - i64::from(a.x);
        let at = |x: i64, y: i64| dy * (y - i64::from(a.y)) + dx * (x - i64::from(a.x));
        // A sample on an edge belongs to the triangle that has it as a left or top edge, so that adjacent triangles do
        // not overlap.
        let owns = dx > 0 || dx == 0 && dy > 0;
        let bias = i64::from(!owns);
        let centre = |at: i32| i64::from(at) * i64::from(STEPS) + i64::from(CENTRE);
        let samples = POSITIONS.map(|[x, y]| dx * i64::from(x - CENTRE) + dy * i64::from(y - CENTRE));
        let [p, q, r, s] = samples;
        Self {
            value: at(centre(left), centre(top)) - bias,
            bias,
            dx: dx * i64::from(STEPS),
            dy: dy * i64::from(STEPS),
            samples,
            least: p.min(q).min(r).min(s),
            most: p.max(q).max(r).max(s),
        }
    }
}

impl Tile {
    pub(super) fn new(background: Background) -> Self {
        let pixels = || vec![[[0; 4]; SAMPLES]; PIXELS];
        let planes = match background {
            Background::Color(_) => 1,
            Background::Transparent => 2,
        };
        Self {
            left: 0,
            top: 0,
            colors: (0..planes).map(|_| pixels()).collect(),
            depth: vec![[1.0; SAMPLES]; PIXELS],
        }
    }

    /// Clears the tile for another part of the picture.
    pub(super) fn clear(&mut self, left: u32, top: u32, background: Background) {
        (self.left, self.top) = (left, top);
        self.depth.fill([1.0; SAMPLES]);
        let opaque = |[r, g, b]: [u8; 3]| [[r, g, b, 255]; SAMPLES];
        match (background, self.colors.as_mut_slice()) {
            (Background::Color(color), [plane, ..]) => plane.fill(opaque(color)),
            (Background::Transparent, [black, white, ..]) => {
                black.fill(opaque([0; 3]));
                white.fill(opaque([255; 3]));
            }
            _ => {}
        }
    }

    /// Draws the part of a triangle that lies in this tile.
    pub(super) fn draw(
        &mut self,
        geometry: &Geometry<'_>,
        triangle: &Triangle,
        draw: &Prepared<'_>,
        shared: &Shared<'_>,
    ) {
        let points = triangle.corners.map(|index| geometry.points[index as usize]);
        let [left, top, right, bottom] = bounds(points);
        let (tile_left, tile_top) = (self.left as i32, self.top as i32);
        let (left, top) = (left.max(tile_left), top.max(tile_top));
        let (right, bottom) =
            (right.min(tile_left + SIDE as i32 - 1), bottom.min(tile_top + SIDE as i32 - 1));
        if left > right || top > bottom {
            return;
        }
        let mut raster = Raster::new(points, left, top);
        let corners = Corners::new(triangle.corners.map(|index| geometry.vertex(index)));
        for y in top..=bottom {
            let (first, last) = raster.span(right - left);
            let row = (y - tile_top) as usize * SIDE as usize + (left - tile_left) as usize;
            let mut values = raster.edges.map(|edge| edge.value + edge.dx * i64::from(first));
            for x in first..=last {
                let covered = raster.coverage(values);
                if covered != 0 {
                    self.pixel(row + x as usize, covered, values, &raster, &corners, draw, shared);
                }
                for (value, edge) in values.iter_mut().zip(&raster.edges) {
                    *value += edge.dx;
                }
            }
            raster.next_row();
        }
    }

    /// Draws the covered samples of a pixel.
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "the state of one loop, taken apart for reading")]
    fn pixel(
        &mut self,
        index: usize,
        covered: u8,
        values: [i64; 3],
        raster: &Raster,
        corners: &Corners<'_>,
        draw: &Prepared<'_>,
        shared: &Shared<'_>,
    ) {
        let shares = raster.shares(values);
        let depths = raster.depths(shares);
        let stored = &mut self.depth[index];
        let mut drawn = 0;
        for sample in 0..SAMPLES {
            drawn |= u8::from(draw.depth_test.holds(depths[sample], stored[sample])) << sample;
        }
        drawn &= covered;
        if drawn == 0 || draw.depth_test == Compare::Never {
            return;
        }
        let place = raster.place(shares);
        let color = draw.color(corners, &place, shared);
        let source: Rgba = color.to_array().map(|channel| (channel * 255.0 + 0.5) as u8);
        // Graphics hardware also compares stored values.
        if draw.alpha_test.is_some_and(|test| !test.passes(f32::from(source[3]) / 255.0)) {
            return;
        }
        if draw.depth_write {
            for sample in 0..SAMPLES {
                if drawn & 1 << sample != 0 {
                    stored[sample] = depths[sample];
                }
            }
        }
        for plane in &mut self.colors {
            mix(&mut plane[index], source, drawn, draw.blend);
        }
    }

    /// The pixel in this place of the tile, as the mean of its samples.
    pub(super) fn resolved(&self, x: u32, y: u32) -> Rgba {
        let index = (y * SIDE + x) as usize;
        let mean = |sum: u32| ((sum + 2) / 4) as u8;
        match self.colors.as_slice() {
            [black, white] => {
                let (black, white) = (sums(&black[index]), sums(&white[index]));
                // The difference between a white and a black background is the transparency. The least transparent
                // channel is used, so that the colour stays below 1 and the picture is exact on black.
                let shows = |index: usize| white[index].saturating_sub(black[index]);
                let alpha = 1020 - shows(0).min(shows(1)).min(shows(2));
                let straight = |index: usize| {
                    let value = (black[index] * 255 + alpha / 2).checked_div(alpha).unwrap_or(0);
                    value.min(255) as u8
                };
                [straight(0), straight(1), straight(2), mean(alpha)]
            }
            [plane, ..] => {
                let sums = sums(&plane[index]);
                [mean(sums[0]), mean(sums[1]), mean(sums[2]), 255]
            }
            [] => [0; 4],
        }
    }
}

/// The sums of the channels over the samples.
fn sums(samples: &[Rgba; SAMPLES]) -> [u32; 3] {
    std::array::from_fn(|channel| samples.iter().map(|sample| u32::from(sample[channel])).sum())
}

/// Puts a colour on the drawn samples of a pixel.
fn mix(samples: &mut [Rgba; SAMPLES], source: Rgba, drawn: u8, factors: (BlendFactor, BlendFactor)) {
    let replaces = factors == (BlendFactor::One, BlendFactor::Zero);
    let [a, b, c, d] = *samples;
    // Most pixels are inside earlier triangles: their samples are equal.
    if drawn == ALL && (replaces || a == b && b == c && c == d) {
        *samples = [if replaces { source } else { blend(factors, source, a) }; SAMPLES];
        return;
    }
    for (index, sample) in samples.iter_mut().enumerate() {
        if drawn & 1 << index != 0 {
            *sample = if replaces { source } else { blend(factors, source, *sample) };
        }
    }
}

/// Walks over the pixels of a triangle.
struct Raster {
    /// The edge opposite of each corner.
    edges: [Edge; 3],
    /// One divided by twice the area.
    scale: f32,
    q: [f32; 3],
    /// The change of the weights of the second and the third corner, without perspective, to the right and downwards.
    dx: [f32; 2],
    dy: [f32; 2],
    /// Depth of the first corner, differences of the others, minimum and maximum.
    z: [f32; 3],
    z_range: [f32; 2],
    /// From the centre of a pixel to its samples.
    z_samples: [f32; SAMPLES],
}

impl Raster {
    fn new(points: [Point; 3], left: i32, top: i32) -> Self {
        let [a, b, c] = points;
        let edges = [Edge::new(b, c, left, top), Edge::new(c, a, left, top), Edge::new(a, b, left, top)];
        let scale = 1.0 / area(points) as f32;
        let dx = [edges[1].dx as f32 * scale, edges[2].dx as f32 * scale];
        let dy = [edges[1].dy as f32 * scale, edges[2].dy as f32 * scale];
        let z = [a.z, b.z - a.z, c.z - a.z];
        let z_step = [z[1] * dx[0] + z[2] * dx[1], z[1] * dy[0] + z[2] * dy[1]];
        let z_samples = POSITIONS.map(|[x, y]| {
            let part = |at: i32| (at - CENTRE) as f32 / STEPS as f32;
            z_step[0] * part(x) + z_step[1] * part(y)
        });
        let z_range = [a.z.min(b.z).min(c.z), a.z.max(b.z).max(c.z)];
        Self { edges, scale, q: [a.q, b.q, c.q], dx, dy, z, z_range, z_samples }
    }

    /// The first and the last pixel of the row that may be covered, within `0..=last`. The first is larger than the last
    /// if there is none.
    fn span(&self, last: i32) -> (i32, i32) {
        /// Shorter rows are tested pixel by pixel, which is faster than computing the span.
        const SHORT: i32 = 8;
        if last < SHORT {
            return (0, last);
        }
        let (mut from, mut to) = (0, i64::from(last));
        for edge in &self.edges {
            let most = edge.value + edge.most;
            match edge.dx.signum() {
                1 if most < 0 => from = from.max((-most + edge.dx - 1) / edge.dx),
                -1 if most < 0 => to = -1,
                -1 => to = to.min(most / -edge.dx),
                0 if most < 0 => to = -1,
                _ => {}
            }
        }
        // Both lie between -1 and the width of a tile, or the span is empty.
        if from > to { (0, -1) } else { (from as i32, to as i32) }
    }

    fn next_row(&mut self) {
        for edge in &mut self.edges {
            edge.value += edge.dy;
        }
    }

    /// The samples inside of all edges.
    #[inline]
    fn coverage(&self, values: [i64; 3]) -> u8 {
        let [a, b, c] = &self.edges;
        let [va, vb, vc] = values;
        if (va + a.most) | (vb + b.most) | (vc + c.most) < 0 {
            return 0;
        }
        if (va + a.least) | (vb + b.least) | (vc + c.least) >= 0 {
            return ALL;
        }
        let mut covered = 0;
        for sample in 0..SAMPLES {
            let all = (va + a.samples[sample]) | (vb + b.samples[sample]) | (vc + c.samples[sample]);
            covered |= u8::from(all >= 0) << sample;
        }
        covered
    }

    /// The shares of the second and the third corner at the centre of a pixel, on the screen.
    #[inline]
    fn shares(&self, values: [i64; 3]) -> [f32; 2] {
        let share = |index: usize| (values[index] + self.edges[index].bias) as f32 * self.scale;
        [share(1), share(2)]
    }

    #[inline]
    fn depths(&self, [b, c]: [f32; 2]) -> [f32; SAMPLES] {
        let centre = self.z[0] + self.z[1] * b + self.z[2] * c;
        let [least, most] = self.z_range;
        // Triangles seen from the side would extrapolate beyond their corners.
        self.z_samples.map(|more| (centre + more).max(least).min(most))
    }

    /// The place of a pixel in the triangle, in perspective.
    #[inline]
    fn place(&self, [b, c]: [f32; 2]) -> Place {
        // The centre of a pixel at the edge may be outside the triangle: move it inside.
        let (b, c) = (b.max(0.0), c.max(0.0));
        let sum = b + c;
        let (b, c) = if sum > 1.0 { (b / sum, c / sum) } else { (b, c) };
        let [qa, qb, qc] = self.q;
        let (more_b, more_c) = (qb - qa, qc - qa);
        let w = 1.0 / (qa + more_b * b + more_c * c);
        let shares = [b * qb * w, c * qc * w];
        let change = |step: [f32; 2]| {
            let q = more_b * step[0] + more_c * step[1];
            [(step[0] * qb - shares[0] * q) * w, (step[1] * qc - shares[1] * q) * w]
        };
        Place { shares, dx: change(self.dx), dy: change(self.dy) }
    }
}
