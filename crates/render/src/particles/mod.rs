//! Particles, ribbons, rings, spheres and lens flares at a moment, as triangles in world space.
//!
//! Every function here is pure: the same scene, clip, time, camera and seed always give the same triangles. There is no state to
//! advance, so any time can be requested directly, in any order:
//!
//! - **Births** follow from the integral of the emission rate over time. Particle *k* is born when the integral reaches *k*. The
//!   time of a clip starts again when it loops, but that of the emitter goes on and has no beginning: the start of a looping clip shows
//!   the particles of earlier rounds. An emitter that a non-looping clip switches on was off before the clip.
//! - **Motion** is in closed form: `p0 + v0 t + ½ a t²`, or its equivalent with drag. Animated gravity is integrated with a fixed step.
//! - **Randomness** is a hash of (seed, emitter, particle, draw), see [`random`].
//!
//! Whatever the numbers in a file are, the work is bounded: [`MAX_PARTICLES`] for an emitter, [`MAX_LIFE`] seconds of the past.
//!
//! What cannot be drawn without other files: the models that [`ModelEmitter`](scene::ModelEmitter)s emit, the effects of
//! [`EffectEmitter`](scene::EffectEmitter)s, and what [`Event`](scene::Event)s show. With [`Rules::markers`] they are small glows.
//!
//! ```
//! use glam::Vec3;
//! use meshwright_render::particles::{Situation, emit};
//! use scene::*;
//!
//! let fountain = SpriteEmitter {
//!     emission_rate: 10.0,
//!     life_span: 2.0,
//!     speed: 3.0,
//!     head: true,
//!     scales: [1.0; 3],
//!     alphas: [1.0; 3],
//!     ..SpriteEmitter::default()
//! };
//! let scene = Scene {
//!     nodes: vec![Node::default()],
//!     emitters: vec![Emitter {
//!         node: NodeId(0),
//!         name: "Fountain".into(),
//!         visible: true,
//!         kind: EmitterKind::Sprite(Box::new(fountain)),
//!     }],
//!     ..Scene::default()
//! };
//! let sampler = Sampler::new(&scene);
//! let situation = Situation { elapsed: 7.05, ..Situation::new(&sampler) };
//! let cloud = emit(&situation, EmitterId(0)).unwrap();
//! // Ten in each of the two seconds that they live.
//! assert_eq!(cloud.pieces.len(), 20);
//! // The oldest was born at 5.1 s and has moved up for 1.95 s.
//! assert!(cloud.pieces[0].center.abs_diff_eq(Vec3::new(0.0, 3.0 * 1.95, 0.0), 1e-3));
//! ```

mod cloud;
mod dazzle;
mod keyed;
mod line;
mod marker;
mod primitive;
pub mod random;
mod ribbon;
mod rules;
mod schedule;
mod situation;
mod sprite;
mod timeline;

pub use cloud::{Cloud, Piece};
pub use rules::{RibbonU, Rules, Squirt};
pub use situation::{MAX_LIFE, MAX_PARTICLES, Situation};

use scene::{EmitterId, EmitterKind, EventId, RibbonId};

/// The particles of an emitter. `None` if the emitter does not exist or has no visible particles.
#[must_use]
pub fn emit(situation: &Situation<'_>, id: EmitterId) -> Option<Cloud> {
    let emitter = situation.scene().emitters.get(id.index())?;
    let cloud = match &emitter.kind {
        EmitterKind::Sprite(sprites) => sprite::cloud(situation, id, emitter, sprites),
        EmitterKind::Keyed(keyed) => keyed::cloud(situation, id, emitter, keyed),
        EmitterKind::Model(models) => marker::models(situation, id, emitter, models),
        EmitterKind::Effect(_) => marker::effect(situation, id, emitter),
    };
    cloud.filter(|cloud| !cloud.indices.is_empty())
}

/// The triangles of a ribbon. `None` if the ribbon does not exist or is not visible.
///
/// Its material is [`Cloud::material`]; the other fields are those of the first layer of the material.
#[must_use]
pub fn ribbon(situation: &Situation<'_>, id: RibbonId) -> Option<Cloud> {
    let source = situation.scene().ribbons.get(id.index())?;
    ribbon::cloud(situation, id, source).filter(|cloud| !cloud.indices.is_empty())
}

/// The ring or sphere with this index in [`Scene::primitives`](scene::Scene::primitives). `None` if it does not exist or is not visible.
#[must_use]
pub fn primitive(situation: &Situation<'_>, index: usize) -> Option<Cloud> {
    let source = situation.scene().primitives.get(index)?;
    primitive::cloud(situation, source).filter(|cloud| !cloud.indices.is_empty())
}

/// The halo of the dazzle with this index in [`Scene::dazzles`](scene::Scene::dazzles). `None` if it does not exist or is hidden.
#[must_use]
pub fn dazzle(situation: &Situation<'_>, index: usize) -> Option<Cloud> {
    let source = situation.scene().dazzles.get(index)?;
    dazzle::cloud(situation, source).filter(|cloud| !cloud.indices.is_empty())
}

/// The marker of an event while it happens. `None` if [`Rules::markers`] is off, or the event does not exist or does not happen now.
#[must_use]
pub fn event(situation: &Situation<'_>, id: EventId) -> Option<Cloud> {
    let source = situation.scene().events.get(id.index())?;
    marker::event(situation, id, source).filter(|cloud| !cloud.indices.is_empty())
}
