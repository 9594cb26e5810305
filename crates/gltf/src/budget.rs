//! What a file may still become: the limits of the options, counted down by all steps.

use std::cell::Cell;

use scene::{Exceeded, Limits, Scene};

/// The limits of one file. All steps take from it; after the first that gets nothing, they have only to come to an end.
pub(crate) struct Budget {
    limits: Limits,
    keys: Cell<usize>,
    samples: Cell<usize>,
    pixels: Cell<usize>,
    exceeded: Cell<Option<Exceeded>>,
}

impl Budget {
    /// The limits, less what the scene has.
    pub(crate) fn new(limits: Limits, scene: &Scene) -> Self {
        let budget = Self {
            limits,
            keys: Cell::new(limits.keys),
            samples: Cell::new(limits.samples),
            pixels: Cell::new(limits.pixels),
            exceeded: Cell::new(None),
        };
        let objects = scene.nodes.len() + scene.meshes.len() + scene.lights.len() + scene.cameras.len();
        if objects > limits.nodes {
            budget.exceed("nodes", limits.nodes);
        }
        let vertices = scene.meshes.iter().map(|mesh| mesh.positions.len() + mesh.indices.len() / 3);
        if vertices.sum::<usize>() > limits.vertices {
            budget.exceed("vertices", limits.vertices);
        }
        let keys = scene.channels().map(|channel| channel.curve.times().len() + Limits::KEYS_PER_CHANNEL);
        // The scene's own keys are written again, at least.
        if keys.sum::<usize>() > limits.keys {
            budget.exceed("keys", limits.keys);
        }
        budget
    }

    fn exceed(&self, name: &'static str, limit: usize) {
        self.exceeded.set(self.exceeded.get().or(Some(Exceeded { name, limit })));
    }

    /// The first limit that was exceeded.
    pub(crate) fn exceeded(&self) -> Option<Exceeded> {
        self.exceeded.get()
    }

    /// Whether nothing more has to be done, because nothing will be written.
    pub(crate) fn is_spent(&self) -> bool {
        self.exceeded.get().is_some()
    }

    fn take(&self, left: &Cell<usize>, count: usize, name: &'static str, limit: usize) -> bool {
        match left.get().checked_sub(count) {
            Some(rest) => left.set(rest),
            None => self.exceed(name, limit),
        }
        !self.is_spent()
    }

    /// Takes the keys of a channel; false if the file is not to be written.
    pub(crate) fn channel(&self, keys: usize) -> bool {
        self.take(&self.keys, keys + Limits::KEYS_PER_CHANNEL, "keys", self.limits.keys)
    }

    /// Takes this many samples; false if the file is not to be written.
    pub(crate) fn samples(&self, count: usize) -> bool {
        self.take(&self.samples, count, "samples", self.limits.samples)
    }

    /// Hands out all samples that are left, each of which costs this much. What is not used is put back.
    pub(crate) fn sampling<R>(&self, cost: usize, work: impl FnOnce(&mut usize) -> R) -> R {
        let cost = cost.max(1);
        let mut left = if self.is_spent() { 0 } else { self.samples.get() / cost };
        let result = work(&mut left);
        self.samples.set(left.saturating_mul(cost));
        if left == 0 {
            self.exceed("samples", self.limits.samples);
        }
        result
    }

    /// Takes the pixels of a picture; false if the file is not to be written.
    pub(crate) fn pixels(&self, count: usize) -> bool {
        self.take(&self.pixels, count, "pixels", self.limits.pixels)
    }

    /// The pixels that are left.
    pub(crate) fn pixels_left(&self) -> usize {
        self.pixels.get()
    }

    /// The pixels of another picture do not fit.
    pub(crate) fn no_pixels(&self) {
        self.exceed("pixels", self.limits.pixels);
    }

    /// Looks at the size of the output.
    pub(crate) fn bytes(&self, count: usize) {
        if count > self.limits.bytes {
            self.exceed("bytes", self.limits.bytes);
        }
    }
}
