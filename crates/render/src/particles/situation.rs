//! The situation: clip, time, camera and rules.

use super::Rules;
use glam::Vec3;
use scene::{ClipId, Sampler, Scene, View};

/// Maximum number of particles of an emitter, or of edges of a ribbon. If there are more, the youngest are drawn.
pub const MAX_PARTICLES: usize = 10_000;

/// Maximum life time of a particle, in seconds.
pub const MAX_LIFE: f32 = 3600.0;

/// Everything besides the emitter that particles depend on.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Samples the scene.
    pub sampler: &'a Sampler<&'a Scene>,
    /// The clip that plays; `None` is the rest pose.
    pub clip: Option<ClipId>,
    /// Seconds since the clip started. When a looping clip starts again, this continues.
    pub elapsed: f32,
    /// Time of the global sequences, in seconds.
    pub clock: f32,
    /// Position of the camera.
    pub position: Vec3,
    /// Right axis of the camera, of unit length.
    pub right: Vec3,
    /// Up axis of the camera, of unit length.
    pub up: Vec3,
    /// The direction of view, of unit length.
    pub forward: Vec3,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Behaviour on which sources disagree.
    pub rules: Rules,
}

impl<'a> Situation<'a> {
    /// The rest pose at time zero, seen along -Z.
    #[must_use]
    pub fn new(sampler: &'a Sampler<&'a Scene>) -> Self {
        Self {
            sampler,
            clip: None,
            elapsed: 0.0,
            clock: 0.0,
            position: Vec3::new(0.0, 0.0, 100.0),
            right: Vec3::X,
            up: Vec3::Y,
            forward: Vec3::NEG_Z,
            seed: 0,
            rules: Rules::default(),
        }
    }

    pub(super) fn scene(&self) -> &'a Scene {
        self.sampler.scene()
    }

    pub(super) fn view(&self) -> View {
        View { position: self.position, forward: self.forward, anchors: true }
    }
}
