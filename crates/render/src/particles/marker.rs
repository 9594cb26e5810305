//! Emitters and events that need other files to be drawn.

use super::cloud::{Cell, Cloud};
use super::random::Dice;
use super::schedule::Schedule;
use super::timeline::{Timeline, Visibility};
use super::{MAX_LIFE, Situation};
use crate::frame::PictureId;
use glam::{Vec3, Vec4};
use scene::{
    AlphaTest, BlendMode, Emitter, EmitterId, EmitterProperty, Event, EventId, ModelEmitter, Scene, Target,
    TextureId,
};

/// Purposes of the random numbers of a particle.
mod draw {
    pub(super) const LATITUDE: u32 = 0;
    pub(super) const LONGITUDE: u32 = 1;
}

/// The look of a marker.
fn glow() -> Cloud {
    Cloud { blend: BlendMode::Add.factors(), picture: Some(PictureId::Glow), ..Cloud::default() }
}

/// Warcraft III's ParticleEmitter. It emits a model from another file, which is shown as markers if
/// [`Rules::markers`](super::Rules::markers) is on. If it emits a picture that is one of the model's textures, the
/// picture is drawn.
pub(super) fn models<'a>(
    situation: &Situation<'a>,
    id: EmitterId,
    emitter: &'a Emitter,
    models: &'a ModelEmitter,
) -> Option<Cloud> {
    let scene = situation.scene();
    let texture = models.is_picture.then(|| texture(scene, &models.path)).flatten();
    let mut cloud = match texture {
        Some(texture) => Cloud {
            blend: BlendMode::Alpha.factors(),
            alpha_test: Some(AlphaTest::INVISIBLE),
            ..Cloud::default()
        }
        .with_texture(scene, Some(texture)),
        None if situation.rules.markers => glow(),
        None => return None,
    };
    let timeline = Timeline::new(situation);
    let of = |property| timeline.curves(Target::Emitter(id, property));
    let life_span = of(EmitterProperty::LifeSpan);
    let life = life_span.greatest(models.life_span).min(MAX_LIFE);
    if life.is_nan() || life <= 0.0 {
        return None;
    }
    let visible = Target::Emitter(id, EmitterProperty::Visibility);
    let visibility = Visibility::new(&timeline, Some(visible), emitter.visible, emitter.node);
    let rate = of(EmitterProperty::EmissionRate);
    let (speed, gravity) = (of(EmitterProperty::Speed), of(EmitterProperty::Gravity));
    let (latitude, longitude) = (of(EmitterProperty::Latitude), of(EmitterProperty::Longitude));
    let schedule = Schedule::new(&timeline, &rate, models.emission_rate, &visibility);
    let chain = timeline.chain(situation, emitter.node);
    let size = situation.rules.marker_size;
    for birth in schedule.births(timeline.now - f64::from(life)) {
        let time = birth.time;
        #[expect(clippy::cast_possible_truncation, reason = "an age is short")]
        let age = (timeline.now - time) as f32;
        if age >= life_span.scalar(time, models.life_span) {
            continue;
        }
        let dice = Dice::new(situation.seed, id.0, birth.index);
        let tilt = latitude.scalar(time, models.latitude) * dice.signed(draw::LATITUDE);
        let turn = longitude.scalar(time, models.longitude) * dice.signed(draw::LONGITUDE);
        let direction = Vec3::new(tilt.sin() * turn.cos(), tilt.cos(), -tilt.sin() * turn.sin());
        let world = chain.world(time);
        let launch = world.transform_vector3(direction * speed.scalar(time, models.speed));
        let fall = gravity.scalar(time, models.gravity) * (age * age / 2.0);
        let place = Vec3::from(world.translation) + launch * age - Vec3::Y * fall;
        marker(situation, place, size, &mut cloud);
    }
    Some(cloud)
}

/// An effect of a particle middleware: a marker at its node, if markers are on.
pub(super) fn effect<'a>(situation: &Situation<'a>, id: EmitterId, emitter: &'a Emitter) -> Option<Cloud> {
    let timeline = Timeline::new(situation);
    let visible = Target::Emitter(id, EmitterProperty::Visibility);
    let visibility = Visibility::new(&timeline, Some(visible), emitter.visible, emitter.node);
    if !situation.rules.markers || !visibility.at(timeline.now) {
        return None;
    }
    let place = timeline.chain(situation, emitter.node).world(timeline.now).translation;
    let mut cloud = glow();
    marker(situation, place.into(), situation.rules.marker_size, &mut cloud);
    Some(cloud)
}

/// Seconds for which an event shows its marker.
const EVENT_SECONDS: f32 = 0.2;

/// An event, such as a footprint or a sound: a marker at its node for a moment, if markers are on. The tables of the game
/// define the real effect.
pub(super) fn event<'a>(situation: &Situation<'a>, id: EventId, event: &'a Event) -> Option<Cloud> {
    if !situation.rules.markers {
        return None;
    }
    let scene = situation.scene();
    let is_now = |time: f32, now: f32| (0.0..EVENT_SECONDS).contains(&(now - time));
    let clip = situation.clip.and_then(|clip| scene.clips.get(clip.index()));
    let in_clip = clip.is_some_and(|clip| {
        let now = clip.local_time(situation.elapsed);
        clip.events.iter().any(|key| key.event == id && is_now(key.time, now))
    });
    let always = event.global.as_ref().is_some_and(|(sequence, times)| {
        let sequence = scene.global_sequences.get(sequence.index());
        let now = sequence.map(|sequence| sequence.local_time(situation.clock));
        now.is_some_and(|now| times.iter().any(|time| is_now(*time, now)))
    });
    if !in_clip && !always {
        return None;
    }
    let timeline = Timeline::new(situation);
    let place = timeline.chain(situation, event.node).world(timeline.now).translation;
    let mut cloud = glow();
    marker(situation, place.into(), situation.rules.marker_size, &mut cloud);
    Some(cloud)
}

fn marker(situation: &Situation<'_>, place: Vec3, size: f32, cloud: &mut Cloud) {
    let (right, up) = (situation.right * size, situation.up * size);
    cloud.sprite(place, right, up, Cell::WHOLE, Vec4::ONE, -situation.forward);
}

/// The texture of the scene with this path, ignoring case and kind of separators.
fn texture(scene: &Scene, path: &str) -> Option<TextureId> {
    let normal = |path: &str| path.replace('/', "\\").to_ascii_lowercase();
    let path = normal(path);
    let index = scene.textures.iter().position(|texture| normal(&texture.name) == path)?;
    Some(TextureId::from(index))
}
