//! What every step of writing MDX works on, and the helpers that all of them need.

use std::cell::OnceCell;

use mdx::Error;
use mdx::build::{Builder, branch};
use record::{Chars, Node};
use scene::{Pose, Scene};

use super::super::names;
use super::rest::Rest;
use super::tracks::Channels;
use crate::report::{NoteKind, Report};

/// How a scene becomes a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The version: 800 for the classic game, 1000, 1100 or 1200 for Reforged. No game loads 900.
    pub version: u32,
    /// Add what the game expects of every unit, where it is missing: sequences called `Stand` and `Death`, and an `Origin Ref`.
    pub complete: bool,
    /// Factor of all lengths.
    pub scale: f32,
    /// Largest error of a weight that is written as a share of a matrix group. Smaller needs more repeated bones.
    pub weight_error: f32,
    /// Milliseconds between sequences, where the scene does not place them.
    pub gap: u16,
}

impl Default for Options {
    /// Version 800, completed, with weights within 0.02.
    fn default() -> Self {
        Self { version: 800, complete: true, scale: 1.0, weight_error: 0.02, gap: 1000 }
    }
}

/// A document in the making.
pub(super) struct Author<'s> {
    pub(super) scene: &'s Scene,
    pub(super) options: Options,
    pub(super) builder: Builder,
    pub(super) report: Report,
    pub(super) windows: Vec<Window>,
    /// Durations of global sequences beyond those of the scene, in milliseconds.
    pub(super) globals: Vec<i32>,
    pub(super) rest: Rest,
    pub(super) textures: Vec<mdx::records::Texture>,
    pub(super) texture_animations: Vec<Node<'static>>,
    pub(super) channels: Channels<'s>,
    /// Poses of each clip, as far as bounds were computed from them.
    pub(super) poses: Vec<OnceCell<Vec<Pose>>>,
    /// How many objects are bones; their ids come first.
    pub(super) bone_count: usize,
}

impl Author<'_> {
    pub(super) fn note(&mut self, kind: NoteKind, path: &str, message: impl Into<String>) {
        self.report.note(kind, path, message);
    }

    pub(super) fn lost(&mut self, path: &str, message: impl Into<String>) {
        self.report.note(NoteKind::Skipped, path, message);
    }
}

pub(super) fn refuse(message: String) -> Error {
    Error::new("MDX-AUTHOR", 0..0, message)
}

/// A name or path that fits its field.
pub(super) fn chars<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(&names::fit(text, N - 1)).unwrap_or_default()
}

pub(super) fn signed(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

/// A stretch of the time line.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) name: String,
    /// The clip that plays; none is the rest pose.
    pub(super) clip: Option<usize>,
    pub(super) start: i32,
    pub(super) end: i32,
}

impl Window {
    pub(super) fn duration(&self) -> f32 {
        (self.end - self.start) as f32 / 1000.0
    }
}

/// An object of a node and its own parts.
pub(super) fn object(
    kind: &'static record::Kind,
    node: Node<'static>,
    parts: Vec<Node<'static>>,
) -> Node<'static> {
    branch(kind, std::iter::once(node).chain(parts).collect())
}
