//! What every step of writing W3D works on, and the helpers that all of them need.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use glam::Affine3A;
use record::{Chars, Error, Node, U32};
use scene::{Billboard, MeshId, Sampler, Scene};

use super::labels::Labels;
use super::options::Options;
use super::plan::Plan;
use super::profile::Limits;
use crate::author::names::{self, Unique};
use crate::report::{NoteKind, Report};

/// Files in the making.
pub(super) struct Author<'s> {
    pub(super) scene: &'s Scene,
    pub(super) options: Options,
    pub(super) limits: Limits,
    pub(super) plan: Plan,
    /// Skins that turned to the camera.
    pub(super) facing_skins: HashSet<MeshId>,
    /// Matrices of the nodes at rest.
    pub(super) worlds: Vec<Affine3A>,
    pub(super) sampler: Sampler<&'s Scene>,
    /// The model's radius at rest, if it was needed.
    pub(super) size: OnceCell<f32>,
    pub(super) report: Report,
    /// Chunks of meshes and other objects.
    pub(super) objects: Vec<Node<'static>>,
    /// The full names of the pieces of meshes that were written.
    pub(super) written: HashMap<MeshId, Vec<String>>,
    /// Meshes that were written, by their likeness, to place them again.
    pub(super) same: HashMap<Likeness, Vec<MeshId>>,
    /// Numbers of the channels so far, at most.
    pub(super) numbers: usize,
    /// How many numbers were tried with adaptive-delta compression.
    pub(super) tried: usize,
    /// Names of meshes by container.
    pub(super) labels: HashMap<String, Labels>,
    /// Full names of other objects.
    pub(super) full_names: Unique,
    /// The objects of each model.
    pub(super) placed: HashMap<usize, Placed>,
}

impl Author<'_> {
    pub(super) fn lost(&mut self, path: &str, message: impl Into<String>) {
        self.report.note(NoteKind::Skipped, path, message);
    }

    /// The objects of a model.
    pub(super) fn placed(&mut self, model: usize) -> &mut Placed {
        self.placed.entry(model).or_default()
    }

    pub(super) fn assumed(&mut self, path: &str, message: impl Into<String>) {
        self.report.note(NoteKind::Assumed, path, message);
    }
}

/// What meshes that can be the same in the file have in common: their model, how they turn, and a number made of their content.
pub(super) type Likeness = (Option<usize>, Billboard, u64);

/// The objects of a model besides its meshes, by full name and pivot.
#[derive(Default)]
pub(super) struct Placed {
    /// In every level of detail.
    pub(super) objects: Vec<(String, usize)>,
    pub(super) aggregates: Vec<(String, usize)>,
    pub(super) proxies: Vec<(String, usize)>,
    pub(super) lights: Vec<(String, usize)>,
}

pub(super) fn refuse(message: String) -> Error {
    Error::new("W3D-AUTHOR", 0..0, message)
}

/// A name that fits its field; longer ones were cut before.
pub(super) fn chars<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(&names::fit(text, N - 1)).unwrap_or_default()
}

/// A count as the format stores it.
pub(super) fn count(length: usize) -> U32 {
    U32::new(u32::try_from(length).unwrap_or(u32::MAX))
}
