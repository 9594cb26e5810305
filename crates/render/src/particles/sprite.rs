//! Sprites whose life has two phases: Warcraft III's ParticleEmitter2, and the variants of the World of Warcraft alpha.

use super::cloud::{Cell, Cloud, supplied};
use super::random::Dice;
use super::schedule::{Birth, Schedule};
use super::timeline::{Chain, Curves, Timeline, Visibility, stretch};
use super::{MAX_LIFE, Rules, Situation};
use glam::{Affine3A, EulerRot, Quat, Vec2, Vec3, Vec4};
use scene::{
    AlphaTest, BlendMode, Compare, Emitter, EmitterId, EmitterProperty, FrameRange, SpriteEmitter, Target,
    WowEmitterShape, WowParticles,
};
use std::f32::consts::TAU;

/// Purposes of the random numbers of a particle.
mod draw {
    pub(super) const X: u32 = 0;
    pub(super) const Y: u32 = 1;
    pub(super) const LATITUDE: u32 = 2;
    pub(super) const LONGITUDE: u32 = 3;
    pub(super) const SPEED: u32 = 4;
    /// Uses two numbers.
    pub(super) const DIRECTION: u32 = 5;
    pub(super) const RADIUS: u32 = 7;
    pub(super) const ALONG: u32 = 8;
    pub(super) const TWINKLES: u32 = 9;
    /// Uses three numbers.
    pub(super) const TUMBLE: u32 = 10;
    /// Uses one number for each twinkle.
    pub(super) const TWINKLE: u32 = 100;
}

/// Time step of numeric integration: animated gravity, and particles that follow their emitter.
const STEP: f64 = 1.0 / 60.0;

/// The animated properties of an emitter.
struct Properties<'a> {
    speed: Curves<'a>,
    variation: Curves<'a>,
    latitude: Curves<'a>,
    longitude: Curves<'a>,
    gravity: Curves<'a>,
    life_span: Curves<'a>,
    width: Curves<'a>,
    length: Curves<'a>,
    z_source: Curves<'a>,
}

/// Everything that the particles of an emitter share.
struct Source<'s, 'a> {
    situation: &'s Situation<'a>,
    sprites: &'a SpriteEmitter,
    properties: Properties<'a>,
    timeline: Timeline<'a>,
    chain: Chain<'a>,
    /// The emitter's node now.
    now: Affine3A,
    /// The effect of animated gravity on velocity and position since the birth of the oldest particle.
    falls: Option<Sums>,
    /// The motion of the emitter since then, for particles that follow it.
    follows: Option<Sums>,
}

/// A particle at a moment.
struct Particle {
    position: Vec3,
    velocity: Vec3,
    /// In radians, about the direction of view.
    roll: f32,
    /// Rotation of tumbling particles.
    tumble: Option<Quat>,
    /// A factor of the size.
    size: f32,
    age: f32,
    /// Fraction of its life, 0 to 1.
    share: f32,
}

pub(super) fn cloud<'a>(
    situation: &Situation<'a>,
    id: EmitterId,
    emitter: &'a Emitter,
    sprites: &'a SpriteEmitter,
) -> Option<Cloud> {
    let timeline = Timeline::new(situation);
    let of = |property| timeline.curves(Target::Emitter(id, property));
    let properties = Properties {
        speed: of(EmitterProperty::Speed),
        variation: of(EmitterProperty::Variation),
        latitude: of(EmitterProperty::Latitude),
        longitude: of(EmitterProperty::Longitude),
        gravity: of(EmitterProperty::Gravity),
        life_span: of(EmitterProperty::LifeSpan),
        width: of(EmitterProperty::Width),
        length: of(EmitterProperty::Length),
        z_source: of(EmitterProperty::ZSource),
    };
    let life = properties.life_span.greatest(sprites.life_span).min(MAX_LIFE);
    if life.is_nan() || life <= 0.0 {
        return None;
    }
    let visible = Target::Emitter(id, EmitterProperty::Visibility);
    let visibility = Visibility::new(&timeline, Some(visible), emitter.visible, emitter.node);
    let rate = of(EmitterProperty::EmissionRate);
    let mut schedule = Schedule::new(&timeline, &rate, sprites.emission_rate, &visibility)
        .times(situation.rules.emission_factor);
    if sprites.squirt {
        schedule = schedule.squirting(situation.rules.squirt);
    }
    let births = schedule.births(timeline.now - f64::from(life));
    let oldest = births.first()?.time;
    let chain = timeline.chain(situation, emitter.node);
    let now = chain.world(timeline.now);
    let follow = sprites.wow.as_deref().filter(|wow| wow.follows).map(|wow| wow.follow);
    let source = Source {
        falls: (!properties.gravity.0.is_empty()).then(|| {
            let gravity = |time| Vec3::NEG_Y * properties.gravity.scalar(time, sprites.gravity);
            Sums::new(oldest, timeline.now, gravity)
        }),
        follows: follow.map(|follow| {
            Sums::new(oldest, timeline.now, |time| {
                let velocity = chain.velocity(time, timeline.clip_clock());
                velocity * follow_share(follow, velocity.length())
            })
        }),
        situation,
        sprites,
        properties,
        chain,
        now,
        timeline,
    };
    let mut cloud = looks(situation, sprites);
    for birth in births {
        let dice = Dice::new(situation.seed, id.0, birth.index);
        if let Some(particle) = source.particle(birth, dice) {
            source.draw(&particle, &mut cloud);
        }
    }
    Some(cloud)
}

/// The state of the particles, without any particle.
fn looks(situation: &Situation<'_>, sprites: &SpriteEmitter) -> Cloud {
    let keyed = sprites.blend == BlendMode::Opaque;
    let mut cloud = Cloud {
        blend: sprites.blend.factors(),
        alpha_test: (sprites.alpha_reference > 0.0)
            .then_some(AlphaTest { reference: sprites.alpha_reference, compare: Compare::GreaterEqual }),
        depth_write: keyed,
        unlit: sprites.unlit,
        priority_plane: sprites.priority_plane,
        sort_far: sprites.sort_far,
        ..Cloud::default()
    }
    .with_texture(situation.scene(), sprites.texture);
    if let Some(replaceable) = sprites.replaceable {
        cloud.picture = Some(supplied(replaceable));
    }
    cloud
}

impl Source<'_, '_> {
    /// A particle at the moment; `None` if it is dead.
    #[expect(clippy::cast_possible_truncation, reason = "an age is short")]
    fn particle(&self, birth: Birth, dice: Dice) -> Option<Particle> {
        let (sprites, time) = (self.sprites, birth.time);
        let age = (self.timeline.now - time).max(0.0) as f32;
        let life = self.properties.life_span.scalar(time, sprites.life_span).min(MAX_LIFE);
        if life <= 0.0 || age >= life {
            return None;
        }
        let wow = sprites.wow.as_deref();
        let (place, direction) = self.birth_place(time, dice);
        let speed = self.properties.speed.scalar(time, sprites.speed)
            * (1.0 + self.properties.variation.scalar(time, sprites.variation) * dice.signed(draw::SPEED));
        let born = self.chain.world(time);
        let space = if sprites.model_space { Affine3A::IDENTITY } else { born };
        let (start, mut launch) = (space.transform_point3(place), space.transform_vector3(direction * speed));
        if let Some(wow) = wow.filter(|wow| wow.instant_velocity && !sprites.model_space) {
            launch += self.chain.velocity(time, self.timeline.clip_clock()) * wow.velocity_scale;
        }
        // Gravity scales with the node, as all its motion does.
        let pull = if sprites.model_space { 1.0 } else { space.matrix3.y_axis.length() };
        let (way, velocity) = self.fall(launch, pull, time, age, wow);
        let mut position = start + way;
        if let Some(wow) = wow.filter(|wow| wow.wind_time > 0.0) {
            position += wow.wind * age.min(wow.wind_time);
        }
        if let Some(follows) = &self.follows {
            position += follows.moved(time, self.timeline.now);
        }
        if wow.is_some_and(|wow| wow.zero_x_kill) && position.x * start.x < 0.0 {
            return None;
        }
        let grows = wow.map_or(self.situation.rules.sprites_grow_with_node, |wow| wow.inherit_scale);
        let mut particle = Particle {
            position,
            velocity,
            roll: wow.map_or(0.0, |wow| wow.spin * age),
            tumble: wow.filter(|wow| wow.tumbles).map(|wow| tumble(wow, dice, age)),
            size: if grows { stretch(&born) } else { 1.0 } * wow.map_or(1.0, |wow| twinkle(wow, dice, age)),
            age,
            share: age / life,
        };
        if sprites.model_space {
            particle.position = self.now.transform_point3(particle.position);
            particle.velocity = self.now.transform_vector3(particle.velocity);
        }
        Some(particle)
    }

    /// Start position and direction of a particle, in the space of the node.
    ///
    /// The scene's axes are (x, z, -y) of the source's axes, so their up is Y here.
    fn birth_place(&self, time: f64, dice: Dice) -> (Vec3, Vec3) {
        let (sprites, properties, rules) = (self.sprites, &self.properties, &self.situation.rules);
        let width = properties.width.scalar(time, sprites.width);
        let length = properties.length.scalar(time, sprites.length);
        let latitude = properties.latitude.scalar(time, sprites.latitude).to_radians();
        let longitude = properties.longitude.scalar(time, sprites.longitude).to_radians();
        let z_source = properties.z_source.scalar(time, sprites.z_source);
        let wow = sprites.wow.as_deref();
        let area = area(rules, wow.is_some(), width, length);
        let on_area =
            Vec3::new(area.x / 2.0 * dice.signed(draw::X), 0.0, -area.y / 2.0 * dice.signed(draw::Y));
        let tilt = latitude * dice.signed(draw::LATITUDE);
        let turn = if wow.is_some() {
            longitude * dice.signed(draw::LONGITUDE)
        } else if sprites.line {
            if rules.line_along_y { TAU / 4.0 } else { 0.0 }
        } else {
            TAU * dice.signed(draw::LONGITUDE)
        };
        let cone = Vec3::new(tilt.sin() * turn.cos(), tilt.cos(), -tilt.sin() * turn.sin());
        let (place, mut direction) = match wow.map(|wow| &wow.shape) {
            None | Some(WowEmitterShape::Plane) => (on_area, cone),
            Some(WowEmitterShape::Sphere) => {
                let direction = dice.direction(draw::DIRECTION);
                (direction * (width + (length - width) * dice.unit(draw::RADIUS)), direction)
            }
            Some(WowEmitterShape::Spline(points)) => (along(points, dice.unit(draw::ALONG)), cone),
            Some(WowEmitterShape::Point | WowEmitterShape::Other(_)) => (Vec3::ZERO, cone),
        };
        if wow.is_some() && z_source != 0.0 {
            direction = (place - Vec3::Y * z_source).try_normalize().unwrap_or(Vec3::Y);
        }
        if wow.is_some_and(|wow| wow.z_velocity_only) {
            direction = Vec3::new(0.0, direction.y, 0.0);
        }
        (place, direction)
    }

    /// The displacement of a particle by its velocity, gravity and drag, and its current velocity.
    fn fall(&self, launch: Vec3, pull: f32, time: f64, age: f32, wow: Option<&WowParticles>) -> (Vec3, Vec3) {
        if let Some(falls) = &self.falls {
            let (faster, farther) = falls.fallen(time, self.timeline.now);
            return (launch * age + farther * pull, launch + faster * pull);
        }
        let gravity = if self.sprites.gravity.is_finite() { self.sprites.gravity } else { 0.0 };
        let acceleration = Vec3::NEG_Y * (gravity * pull);
        let drag = wow.map_or(0.0, |wow| wow.drag);
        if drag.is_nan() || drag <= 0.0 {
            return (launch * age + acceleration * (age * age / 2.0), launch + acceleration * age);
        }
        // The engine multiplies the velocity by `1 - drag·dt` in each step; this decay is the same after each sixtieth of a second.
        let decay = -60.0 * (1.0 - (drag / 60.0).min(0.999)).ln();
        let (rest, limit) = ((-decay * age).exp(), acceleration / decay);
        let velocity = limit + (launch - limit) * rest;
        (limit * age + (launch - limit) * ((1.0 - rest) / decay), velocity)
    }

    fn draw(&self, particle: &Particle, cloud: &mut Cloud) {
        let (sprites, situation) = (self.sprites, self.situation);
        let (half, share) = phase(particle.share, sprites.middle);
        let mix = |values: [f32; 3]| values[half] + (values[half + 1] - values[half]) * share;
        let color = sprites.colors[half].lerp(sprites.colors[half + 1], share);
        let color = color.extend(mix(sprites.alphas));
        let size = mix(sprites.scales) * particle.size;
        let cell = |ranges: [FrameRange; 2]| {
            let number = cell(ranges[half], share, situation.rules.end_cell_inclusive);
            Cell::of(number, sprites.rows, sprites.columns)
        };
        if sprites.head {
            let cell = cell([sprites.head_life, sprites.head_decay]);
            self.head(particle, size, cell, color, cloud);
        }
        if sprites.tail {
            let wow = sprites.wow.as_deref();
            let grown = if wow.is_some_and(|wow| wow.tail_grows) { particle.age } else { f32::INFINITY };
            let tail = particle.position - particle.velocity * sprites.tail_length.min(grown);
            let cell = cell([sprites.tail_life, sprites.tail_decay]);
            cloud.stripe(particle.position, tail, size, cell, color, situation);
        }
    }

    fn head(&self, particle: &Particle, size: f32, cell: Cell, color: Vec4, cloud: &mut Cloud) {
        let situation = self.situation;
        let projected = self.sprites.wow.as_deref().is_some_and(|wow| wow.projected);
        let (right, up, normal) = if self.sprites.flat || projected {
            let up = particle.velocity.with_y(0.0).try_normalize().unwrap_or(Vec3::X);
            (up.cross(Vec3::Y), up, Vec3::Y)
        } else {
            (situation.right, situation.up, -situation.forward)
        };
        let (right, up) = match particle.tumble {
            Some(tumble) => (tumble * right, tumble * up),
            None => rolled(right, up, particle.roll),
        };
        cloud.sprite(particle.position, right * size, up * size, cell, color, normal);
    }
}

/// Two axes rotated in their plane.
pub(super) fn rolled(right: Vec3, up: Vec3, angle: f32) -> (Vec3, Vec3) {
    if angle == 0.0 {
        return (right, up);
    }
    let (sin, cos) = angle.sin_cos();
    (right * cos + up * sin, up * cos - right * sin)
}

/// Size of the start area, along the node's X axis and along the source's Y axis.
fn area(rules: &Rules, wow: bool, width: f32, length: f32) -> Vec2 {
    if wow && rules.wow_length_along_x { Vec2::new(length, width) } else { Vec2::new(width, length) }
}

/// A point on a curve through these points, by its fraction: uniform in the points, linear between them.
#[expect(clippy::cast_precision_loss, reason = "a spline has few points")]
fn along(points: &[Vec3], share: f32) -> Vec3 {
    let index = share * points.len().saturating_sub(1) as f32;
    let from = points.get(index as usize).copied().unwrap_or_default();
    let to = points.get(index as usize + 1).copied().unwrap_or(from);
    from.lerp(to, index.fract())
}

/// The share of its emitter's motion that a particle follows, by the emitter's speed: linear between two pairs, 0 to 1.
fn follow_share([(slow, least), (fast, most)]: [(f32, f32); 2], speed: f32) -> f32 {
    let slope = if fast == slow { 0.0 } else { (most - least) / (fast - slow) };
    let share = least + slope * (speed - slow);
    if share > 0.0 { share.min(1.0) } else { 0.0 }
}

/// The rotation of a tumbling particle: about each axis at its own speed.
fn tumble(wow: &WowParticles, dice: Dice, age: f32) -> Quat {
    let at = Vec3::new(dice.unit(draw::TUMBLE), dice.unit(draw::TUMBLE + 1), dice.unit(draw::TUMBLE + 2));
    let angles = (wow.tumble_min + (wow.tumble_max - wow.tumble_min) * at) * age;
    let rotation = Quat::from_euler(EulerRot::XYZ, angles.x, angles.y, angles.z);
    if rotation.is_finite() { rotation } else { Quat::IDENTITY }
}

/// Factor of the size of a particle that twinkles: a new one in each twinkle.
fn twinkle(wow: &WowParticles, dice: Dice, age: f32) -> f32 {
    let twinkles = wow.twinkle_rate > 0.0 && dice.unit(draw::TWINKLES) < wow.twinkle_share;
    if !twinkles {
        return 1.0;
    }
    let number = (age * wow.twinkle_rate) as u32;
    let [least, most] = wow.twinkle_scale;
    least + (most - least) * dice.unit(draw::TWINKLE.wrapping_add(number))
}

/// The phase of a particle, and the fraction of that phase.
fn phase(share: f32, middle: f32) -> (usize, f32) {
    let middle = if middle > 0.0 { middle.min(1.0) } else { 0.0 };
    if share <= middle && middle > 0.0 {
        (0, share / middle)
    } else if middle < 1.0 {
        (1, ((share - middle) / (1.0 - middle)).clamp(0.0, 1.0))
    } else {
        (1, 1.0)
    }
}

/// The number of the cell that is shown at a fraction of a phase.
#[expect(clippy::cast_precision_loss, reason = "a texture has few cells")]
fn cell(range: FrameRange, share: f32, inclusive: bool) -> u32 {
    let count = range.end.saturating_sub(range.start).saturating_add(u32::from(inclusive));
    if count <= 1 || range.end < range.start {
        return range.start;
    }
    // At the end of a range, its last cell is shown, not its first.
    let turn = if share >= 1.0 && range.repeat > 0 { 1.0 } else { (share * range.repeat as f32).fract() };
    range.start.saturating_add(((count as f32 * turn) as u32).min(count - 1))
}

/// The integral of a vector over time, and the integral of that, in fixed steps.
struct Sums {
    start: f64,
    /// At the start of each step.
    once: Vec<Vec3>,
    twice: Vec<Vec3>,
}

impl Sums {
    fn new(from: f64, to: f64, vector: impl Fn(f64) -> Vec3) -> Self {
        // Steps are at multiples of the step size, independent of the birth of the first particle.
        let start = (from / STEP).floor() * STEP;
        let count = ((to - start) / STEP).clamp(0.0, f64::from(MAX_LIFE) / STEP) as usize + 2;
        let (mut once, mut twice) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut sum, mut sum_of_sums) = (Vec3::ZERO, Vec3::ZERO);
        for step in 0..count {
            once.push(sum);
            twice.push(sum_of_sums);
            let value = vector(start + step as f64 * STEP);
            let step = STEP as f32;
            sum_of_sums += sum * step + value * (step * step / 2.0);
            sum += value * step;
        }
        Self { start, once, twice }
    }

    fn at(&self, time: f64) -> (Vec3, Vec3) {
        let place = ((time - self.start) / STEP).max(0.0);
        let index = (place as usize).min(self.once.len() - 2);
        let share = ((place - index as f64) as f32).clamp(0.0, 1.0);
        let step = STEP as f32 * share;
        let slope = (self.once[index + 1] - self.once[index]) / STEP as f32;
        let once = self.once[index] + slope * step;
        (once, self.twice[index] + self.once[index] * step + slope * (step * step / 2.0))
    }

    /// The change of velocity and position between two times, for an acceleration.
    fn fallen(&self, from: f64, to: f64) -> (Vec3, Vec3) {
        let ((a, aa), (b, bb)) = (self.at(from), self.at(to));
        (b - a, bb - aa - a * (to - from) as f32)
    }

    /// The change of position between two times, for a velocity.
    fn moved(&self, from: f64, to: f64) -> Vec3 {
        self.at(to).0 - self.at(from).0
    }
}
