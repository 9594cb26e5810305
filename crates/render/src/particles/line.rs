//! Lines through W3D's particles, and groups of short lines.

use super::cloud::{Cloud, corner};
use super::keyed::Particle;
use super::random::Dice;
use super::{MAX_PARTICLES, Situation};
use glam::{Vec2, Vec3, Vec4};
use scene::{BlendFactor, EmitterId, KeyedEmitter, LineMapping, LineProperties, ParticleRender};
use std::f32::consts::TAU;

/// A point of a line.
#[derive(Clone, Copy)]
struct Point {
    place: Vec3,
    width: f32,
    color: Vec4,
}

/// Interval at which the noise of a line changes, unless it is frozen.
const NOISE_INTERVAL: f64 = 0.016;

/// Default limit beyond which a joint is not moved to the intersection of the edges.
const MERGE_ABORT: f32 = 1.5;

/// Adds a line through particles, oldest to youngest, and to the emitter.
pub(super) fn through(
    situation: &Situation<'_>,
    id: EmitterId,
    keyed: &KeyedEmitter,
    particles: &[Particle],
    emitter: Vec3,
    emits: bool,
    cloud: &mut Cloud,
) {
    let properties = keyed.line.unwrap_or_default();
    let mut points: Vec<(i64, Point)> = particles
        .iter()
        .map(|each| (each.index, Point { place: each.position, width: each.size, color: each.color }))
        .filter(|(_, point)| point.place.is_finite())
        .collect();
    if emits
        && emitter.is_finite()
        && let Some(&(index, youngest)) = points.last()
    {
        points.push((index + 1, Point { place: emitter, ..youngest }));
    }
    let points = subdivide(situation, id, &properties, &points);
    if points.len() < 2 {
        return;
    }
    cloud.unsorted = properties.disable_sorting;
    let uvs = Mapping { properties, offset: scroll(situation, &properties), segments: points.len() - 1 };
    let side = |from: Vec3, to: Vec3, at: Vec3| {
        (at - situation.position).cross(to - from).try_normalize().unwrap_or(situation.right)
    };
    let sides: Vec<Vec3> =
        points.windows(2).map(|pair| side(pair[0].place, pair[1].place, pair[0].place)).collect();
    let joint = |at: usize, own: Vec3| {
        let (before, after) = (at.checked_sub(1).and_then(|at| sides.get(at)), sides.get(at));
        match before.zip(after) {
            // Both edges pass through the joint, at their intersection.
            Some((a, b)) if properties.merge_intersections => {
                let middle = (*a + *b).try_normalize().unwrap_or(own);
                let stretch = 1.0 / middle.dot(own).max(0.01);
                let abort = properties.merge_abort_factor;
                let abort = if abort > 1.0 { abort } else { MERGE_ABORT };
                if stretch > abort { own } else { middle * stretch }
            }
            _ => own,
        }
    };
    for at in 0..points.len() - 1 {
        let (from, to) = (points[at], points[at + 1]);
        let (a, b) = (joint(at, sides[at]) * from.width / 2.0, joint(at + 1, sides[at]) * to.width / 2.0);
        let normal = -situation.forward;
        let corners = [
            corner(from.place - a, uvs.at(at, 0.0), from.color, normal),
            corner(from.place + a, uvs.at(at, 1.0), from.color, normal),
            corner(to.place + b, uvs.at(at + 1, 1.0), to.color, normal),
            corner(to.place - b, uvs.at(at + 1, 0.0), to.color, normal),
        ];
        cloud.push(&corners, &[[0, 1, 2], [0, 2, 3]], from.place.midpoint(to.place));
    }
}

/// The offset of the scrolling texture.
fn scroll(situation: &Situation<'_>, properties: &LineProperties) -> Vec2 {
    let moved = properties.uv_per_second * situation.elapsed;
    if moved.is_finite() { moved.fract() } else { Vec2::ZERO }
}

/// Texture mapping of a line.
struct Mapping {
    properties: LineProperties,
    offset: Vec2,
    segments: usize,
}

impl Mapping {
    /// The coordinates at a point, on its left (0) or right (1).
    #[expect(clippy::cast_precision_loss, reason = "a line has few points")]
    fn at(&self, point: usize, across: f32) -> Vec2 {
        let own = match self.properties.texture_mapping {
            LineMapping::UniformWidth => Vec2::new(across, 0.0),
            LineMapping::UniformLength => Vec2::new(point as f32 / self.segments as f32, 0.0),
            LineMapping::Tiled => Vec2::new(across, point as f32 * self.properties.texture_tile_factor),
        };
        own + self.offset
    }
}

/// Subdivides each segment and displaces the new points at random, less in each round.
#[expect(clippy::cast_possible_truncation, reason = "the number of an interval")]
fn subdivide(
    situation: &Situation<'_>,
    id: EmitterId,
    properties: &LineProperties,
    points: &[(i64, Point)],
) -> Vec<Point> {
    let mut levels = properties.subdivision_level.min(8);
    while levels > 0 && points.len() << levels > MAX_PARTICLES {
        levels -= 1;
    }
    let moment =
        if properties.freeze_random { 0 } else { (f64::from(situation.elapsed) / NOISE_INTERVAL) as i64 };
    let mut line = Vec::with_capacity(points.len() << levels);
    for pair in points.windows(2) {
        let ((index, from), (_, to)) = (pair[0], pair[1]);
        let dice = Dice::new(situation.seed ^ moment.cast_unsigned(), id.0, index);
        let mut stretch = vec![from, to];
        for level in 0..levels {
            let amplitude = properties.noise_amplitude / (1 << level) as f32;
            let mut finer = Vec::with_capacity(stretch.len() * 2);
            for (at, pair) in stretch.windows(2).enumerate() {
                let [a, b] = [pair[0], pair[1]];
                let draw = 1000 + 3 * ((1 << level) + at as u32);
                let noise = Vec3::new(dice.signed(draw), dice.signed(draw + 1), dice.signed(draw + 2));
                finer.push(a);
                finer.push(Point {
                    place: a.place.midpoint(b.place) + noise * amplitude,
                    width: f32::midpoint(a.width, b.width),
                    color: (a.color + b.color) / 2.0,
                });
            }
            finer.push(to);
            stretch = finer;
        }
        stretch.pop();
        line.extend(stretch);
    }
    line.extend(points.last().map(|(_, point)| *point));
    line
}

/// Adds a short line from a particle to its earlier position: a tetrahedron with its tip there, or a prism.
pub(super) fn short(situation: &Situation<'_>, keyed: &KeyedEmitter, particle: &Particle, cloud: &mut Cloud) {
    let (head, tail) = (particle.position, particle.position - particle.velocity * particle.blur);
    let around = |middle: Vec3, at: f32| {
        let (sin, cos) = (TAU * (0.25 + at / 3.0)).sin_cos();
        middle + (situation.right * cos + situation.up * sin) * particle.size
    };
    let cells = 1_u32 << (2 * keyed.frame_log2.min(4));
    #[expect(clippy::cast_precision_loss, reason = "there are at most 256 pictures")]
    let u = (particle.frame % cells) as f32 / cells as f32;
    let faded = tail_color(cloud, particle.color);
    let front = |place| corner(place, Vec2::new(u, 0.0), particle.color, -situation.forward);
    let back = |place| corner(place, Vec2::new(u, 1.0), faded, -situation.forward);
    let [a, b, c] = [0.0, 1.0, 2.0].map(|at| front(around(head, at)));
    let center = head.midpoint(tail);
    if keyed.render == ParticleRender::LineGroupTetrahedron {
        cloud.push(&[a, b, c, back(tail)], &[[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]], center);
    } else {
        let [d, e, f] = [0.0, 1.0, 2.0].map(|at| back(around(tail, at)));
        let triangles =
            [[0, 1, 2], [3, 5, 4], [0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2], [2, 5, 3], [2, 3, 0]];
        cloud.push(&[a, b, c, d, e, f], &triangles, center);
    }
}

/// The colour of a line's tail: invisible in the given blending, unless a texture fades it.
fn tail_color(cloud: &Cloud, head: Vec4) -> Vec4 {
    if cloud.picture.is_some() {
        return head;
    }
    match cloud.blend {
        (BlendFactor::One, BlendFactor::One | BlendFactor::OneMinusSourceColor) => Vec4::W * head.w,
        (BlendFactor::Zero, BlendFactor::SourceColor) => Vec3::ONE.extend(head.w),
        (BlendFactor::SourceAlpha, _) => head.with_w(0.0),
        _ => head,
    }
}
