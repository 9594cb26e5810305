//! What every step of writing W3D works on, and the helpers that all of them need.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use glam::Affine3A;
use record::{Chars, Error, Node, U32};
use scene::{Billboard, MeshId, Sampler, Scene};

use super::labels::Labels;
use super::options::Options;
use super::plan::{Place, Plan};
use super::profile::Limits;
use crate::author::names;
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
    pub(super) written: Vec<Written>,
    /// Names of meshes by container.
    pub(super) labels: HashMap<String, Labels>,
    /// Full names of other objects.
    pub(super) full_names: HashSet<String>,
    pub(super) placed: Placed,
}

impl Author<'_> {
    pub(super) fn lost(&mut self, path: &str, message: impl Into<String>) {
        self.report.note(NoteKind::LeftOut, path, message);
    }

    pub(super) fn assumed(&mut self, path: &str, message: impl Into<String>) {
        self.report.note(NoteKind::Assumed, path, message);
    }
}

/// A mesh that was written, to place it again.
pub(super) struct Written {
    pub(super) mesh: MeshId,
    pub(super) place: Place,
    pub(super) billboard: Billboard,
    pub(super) names: Vec<String>,
}

/// The objects of a model besides its meshes, by full name and pivot.
#[derive(Default)]
pub(super) struct Placed {
    /// In every level of detail.
    pub(super) objects: Vec<(usize, String, usize)>,
    pub(super) aggregates: Vec<(usize, String, usize)>,
    pub(super) proxies: Vec<(usize, String, usize)>,
    pub(super) lights: Vec<(usize, String, usize)>,
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
