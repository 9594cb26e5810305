//! W3D's particles: triangles, squares, lines and groups of lines whose properties have keys over their life.

use super::cloud::{Cell, Cloud, corner};
use super::random::Dice;
use super::schedule::Birth;
use super::sprite::rolled;
use super::timeline::{Chain, Clock, Timeline, Visibility};
use super::{MAX_LIFE, MAX_PARTICLES, Situation, line};
use glam::{Vec2, Vec3, Vec4};
use scene::{Emitter, EmitterId, EmitterProperty, KeyedEmitter, LifeKeys, ParticleRender, Target, Volume};
use std::f32::consts::TAU;
use std::ops::{Add, Mul};

/// Purposes of the random numbers of a particle.
mod draw {
    /// Uses three numbers.
    pub(super) const PLACE: u32 = 0;
    /// Uses three numbers.
    pub(super) const VELOCITY: u32 = 3;
    /// Uses three numbers.
    pub(super) const COLOR: u32 = 6;
    pub(super) const OPACITY: u32 = 9;
    pub(super) const SIZE: u32 = 10;
    pub(super) const ROTATION: u32 = 11;
    pub(super) const ORIENTATION: u32 = 12;
    pub(super) const FRAME: u32 = 13;
    pub(super) const BLUR: u32 = 14;
}

/// The state of a particle at a moment.
pub(super) struct Particle {
    pub(super) index: i64,
    pub(super) position: Vec3,
    pub(super) velocity: Vec3,
    pub(super) color: Vec4,
    pub(super) size: f32,
    /// In turns.
    angle: f32,
    pub(super) frame: u32,
    /// Length of a line of a group, in seconds of motion.
    pub(super) blur: f32,
}

pub(super) fn cloud<'a>(
    situation: &Situation<'a>,
    id: EmitterId,
    emitter: &'a Emitter,
    keyed: &'a KeyedEmitter,
) -> Option<Cloud> {
    let timeline = Timeline::new(situation);
    let own = Target::Emitter(id, EmitterProperty::Visibility);
    let visibility = Visibility::new(&timeline, Some(own), emitter.visible, emitter.node);
    let births = births(&timeline, keyed, &visibility);
    let chain = timeline.chain(situation, emitter.node);
    let particles = births.into_iter().map(|birth| {
        let dice = Dice::new(situation.seed, id.0, birth.index);
        particle(keyed, birth, dice, &chain, &timeline)
    });
    let mut cloud = Cloud::like(&keyed.layer).with_texture(situation.scene(), keyed.texture);
    match keyed.render {
        ParticleRender::Triangle => particles.for_each(|each| triangle(situation, keyed, &each, &mut cloud)),
        ParticleRender::Quad => particles.for_each(|each| square(situation, keyed, &each, &mut cloud)),
        ParticleRender::Line => {
            let particles: Vec<Particle> = particles.collect();
            let end = Vec3::from(chain.world(timeline.now).translation);
            line::through(situation, id, keyed, &particles, end, visibility.at(timeline.now), &mut cloud);
        }
        ParticleRender::LineGroupTetrahedron | ParticleRender::LineGroupPrism => {
            particles.for_each(|each| line::short(situation, keyed, &each, &mut cloud));
        }
    }
    Some(cloud)
}

/// The life time of the particles: 1 second if the stored value is not positive.
fn life(keyed: &KeyedEmitter) -> f32 {
    if keyed.life_time > 0.0 { keyed.life_time.min(MAX_LIFE) } else { 1.0 }
}

/// The births of the particles that are alive: a burst at each multiple of the period, which is a whole number of
/// milliseconds.
#[expect(clippy::cast_possible_truncation, reason = "a float becomes the nearest whole number")]
fn births(timeline: &Timeline<'_>, keyed: &KeyedEmitter, visibility: &Visibility<'_>) -> Vec<Birth> {
    let milliseconds =
        if keyed.emission_rate > 0.0 { (1000.0 / keyed.emission_rate).floor() } else { 1000.0 };
    let period = f64::from(milliseconds.clamp(1.0, 1e9)) / 1000.0;
    let burst = i64::from(keyed.burst_size.max(1));
    let life = f64::from(life(keyed));
    // The multiples of the period from `now - life`, inclusive, to `now`, exclusive.
    let now = timeline.now;
    let mut first = ((now - life) / period).ceil() as i64;
    let last = (now / period).ceil() as i64 - 1;
    let limit = if keyed.max_emissions > 0.0 { keyed.max_emissions as i64 } else { i64::MAX };
    let starts =
        limit != i64::MAX || visibility.curves().any(|timed| matches!(timed.clock, Clock::Once { .. }));
    if starts {
        // An emitter that has a limited number of particles, or is switched on by a clip that does not loop, starts with
        // the clip.
        first = first.max(0);
    }
    let mut births = Vec::new();
    let most = i64::try_from(MAX_PARTICLES).unwrap_or(i64::MAX);
    for tick in (first.max(last.saturating_sub(most))..=last).rev() {
        let time = tick as f64 * period;
        if !visibility.at(time) {
            continue;
        }
        for at in (0..burst.min(most)).rev() {
            let index = tick.saturating_mul(burst).saturating_add(at);
            if births.len() < MAX_PARTICLES && index < limit {
                births.push(Birth { index, time });
            }
        }
        if births.len() >= MAX_PARTICLES {
            break;
        }
    }
    births.reverse();
    births
}

#[expect(clippy::cast_possible_truncation, reason = "an age is short")]
fn particle(
    keyed: &KeyedEmitter,
    birth: Birth,
    dice: Dice,
    chain: &Chain<'_>,
    timeline: &Timeline<'_>,
) -> Particle {
    let age = (timeline.now - birth.time) as f32;
    let world = chain.world(birth.time);
    let place = pick(&keyed.creation_volume, dice, draw::PLACE);
    let outward = place.try_normalize().unwrap_or(Vec3::X) * keyed.outward_velocity;
    let own = keyed.velocity + pick(&keyed.velocity_random, dice, draw::VELOCITY) + outward;
    let mut launch = world.transform_vector3(own);
    if keyed.velocity_inheritance != 0.0 {
        launch += chain.velocity(birth.time, timeline.clip_clock()) * keyed.velocity_inheritance;
    }
    let start = world.transform_point3(place);
    let random =
        Vec3::new(dice.signed(draw::COLOR), dice.signed(draw::COLOR + 1), dice.signed(draw::COLOR + 2));
    let color = value(&keyed.color, age, Vec4::ONE).truncate() + keyed.color.random.truncate() * random;
    let opacity = value(&keyed.opacity, age, 1.0) + keyed.opacity.random * dice.signed(draw::OPACITY);
    let size = value(&keyed.size, age, 1.0) + keyed.size.random * dice.signed(draw::SIZE);
    let angle = integral(&keyed.rotation, age)
        + keyed.rotation.random * dice.signed(draw::ROTATION) * age
        + keyed.orientation_random * dice.signed(draw::ORIENTATION);
    let frame = value(&keyed.frame, age, 0.0) + keyed.frame.random * dice.signed(draw::FRAME);
    let blur = value(&keyed.blur_time, age, 0.0) + keyed.blur_time.random * dice.signed(draw::BLUR);
    Particle {
        index: birth.index,
        position: start + launch * age + keyed.acceleration * (age * age / 2.0),
        velocity: launch + keyed.acceleration * age,
        color: color.extend(opacity),
        size: size.max(0.0),
        angle: (angle * 256.0).floor() / 256.0,
        frame: (frame as i32 & 255) as u32,
        blur,
    }
}

/// A random position in a volume.
fn pick(volume: &Volume, dice: Dice, draw: u32) -> Vec3 {
    match *volume {
        Volume::Box(extent) => {
            extent * Vec3::new(dice.signed(draw), dice.signed(draw + 1), dice.signed(draw + 2))
        }
        Volume::Sphere { radius, hollow } => {
            let share = if hollow { 1.0 } else { dice.unit(draw + 2).cbrt() };
            dice.direction(draw) * (radius * share)
        }
        Volume::Cylinder { half_length, radius } => {
            let (angle, share) = (TAU * dice.unit(draw + 1), dice.unit(draw + 2).sqrt());
            let across = Vec2::from_angle(angle) * (radius * share);
            Vec3::new(half_length * dice.signed(draw), across.x, across.y)
        }
    }
}

/// The value of keys at a time: linear between them, constant before the first and after the last.
pub(super) fn value<T>(keys: &LifeKeys<T>, time: f32, rest: T) -> T
where
    T: Copy + Add<Output = T> + Mul<f32, Output = T>,
{
    let keys = &keys.keys[..];
    let next = keys.partition_point(|&(index, _)| index <= time);
    match (next.checked_sub(1).map(|index| keys[index]), keys.get(next)) {
        (Some((from, a)), Some(&(to, b))) if to > from => {
            let share = (time - from) / (to - from);
            a * (1.0 - share) + b * share
        }
        (Some((_, a)), _) => a,
        (None, Some(&(_, b))) => b,
        (None, None) => rest,
    }
}

/// The integral of keys from zero to a time.
fn integral(keys: &LifeKeys<f32>, time: f32) -> f32 {
    let mut times: Vec<f32> = keys.keys.iter().map(|key| key.0).filter(|&at| at > 0.0 && at < time).collect();
    times.push(time);
    let (mut sum, mut from) = (0.0, 0.0);
    for to in times {
        // The value is linear between two keys, so the value in the middle is the mean.
        sum += value(keys, f32::midpoint(from, to), 0.0) * (to - from);
        from = to;
    }
    sum
}

/// The cell of a particle: one of 2ⁿ by 2ⁿ in the texture.
pub(super) fn picture(keyed: &KeyedEmitter, frame: u32) -> Cell {
    let side = 1 << keyed.frame_log2.min(4);
    Cell::of(frame & (side * side - 1), side, side)
}

fn square(situation: &Situation<'_>, keyed: &KeyedEmitter, particle: &Particle, cloud: &mut Cloud) {
    let (right, up) = rolled(situation.right, situation.up, TAU * particle.angle);
    let half = particle.size / 2.0;
    let cell = picture(keyed, particle.frame);
    cloud.sprite(particle.position, right * half, up * half, cell, particle.color, -situation.forward);
}

fn triangle(situation: &Situation<'_>, keyed: &KeyedEmitter, particle: &Particle, cloud: &mut Cloud) {
    const PLACES: [Vec2; 3] = [Vec2::new(0.0, -2.0), Vec2::new(-1.732, 1.0), Vec2::new(1.732, 1.0)];
    const UVS: [Vec2; 3] = [Vec2::new(0.5, 0.0), Vec2::new(0.0, 0.866), Vec2::new(1.0, 0.866)];
    let (right, up) = rolled(situation.right, situation.up, TAU * particle.angle);
    let cell = picture(keyed, particle.frame);
    let corners = std::array::from_fn::<_, 3, _>(|index| {
        let place = particle.position + (right * PLACES[index].x + up * PLACES[index].y) * particle.size;
        corner(place, cell.at(UVS[index]), particle.color, -situation.forward)
    });
    cloud.push(&corners, &[[0, 1, 2]], particle.position);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_joined_by_straight_lines() {
        let keys = LifeKeys { keys: vec![(0.0, 0.0), (1.0, 4.0), (2.0, 4.0)], random: 0.0 };
        assert_eq!(
            [-1.0, 0.0, 0.25, 1.5, 9.0].map(|time| value(&keys, time, 7.0)),
            [0.0, 0.0, 1.0, 4.0, 4.0]
        );
        assert_eq!(value(&LifeKeys::default(), 1.0, 7.0), 7.0);
        // A triangle of 2, a square of 4, and 4 for each second after that.
        assert_eq!([0.5, 1.0, 2.0, 3.0].map(|time| integral(&keys, time)), [0.5, 2.0, 6.0, 10.0]);
    }

    #[test]
    fn places_are_in_their_volume() {
        for index in 0..1000 {
            let dice = Dice::new(1, 2, index);
            let place = pick(&Volume::Box(Vec3::new(1.0, 2.0, 3.0)), dice, 0);
            assert!(place.abs().cmple(Vec3::new(1.0, 2.0, 3.0)).all());
            assert!(pick(&Volume::Sphere { radius: 2.0, hollow: false }, dice, 0).length() <= 2.0001);
            assert!(
                (pick(&Volume::Sphere { radius: 2.0, hollow: true }, dice, 0).length() - 2.0).abs() < 1e-4
            );
            let place = pick(&Volume::Cylinder { half_length: 3.0, radius: 0.5 }, dice, 0);
            assert!(place.x.abs() <= 3.0 && place.y.hypot(place.z) <= 0.5001);
        }
    }
}
