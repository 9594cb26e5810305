//! One model in the window: its files, what is selected and hidden in it, and its picture.

use crate::document::{Opened, TextureState};
use crate::draw::Drawing;
use crate::library::{Library, Stamp};
use crate::state::State;
use meshwright::render::frame::{Selected, Source};
use meshwright::scene::{MeshId, NodeId, TextureId};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Seconds between two looks at the files.
const WATCH_INTERVAL: f64 = 1.0;
/// Textures that are watched besides the model.
const MAX_WATCHED: usize = 64;

/// What is selected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The object of the scene.
    pub object: Option<Object>,
    /// The chunk of the file: its path as child indices from the root.
    pub chunk: Option<Vec<usize>>,
}

/// An object of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    /// A mesh.
    Mesh(MeshId),
    /// A node.
    Node(NodeId),
    /// A texture.
    Texture(TextureId),
}

/// One model in the window.
pub struct Pane {
    /// The files.
    pub library: Library,
    /// The model that is shown, in [`Library::models`].
    pub at: usize,
    /// The model.
    pub opened: Opened,
    /// Meshes that the user has hidden.
    pub hidden: BTreeSet<MeshId>,
    /// Emitters, ribbons and other effects that the user has turned off.
    pub without: Vec<Source>,
    /// What is selected.
    pub selection: Selection,
    /// Chunks that are open in the tree.
    pub open_chunks: BTreeSet<Vec<usize>>,
    /// Its picture.
    pub drawing: Drawing,
    /// The files that are shown, as they were when they were read.
    stamps: Vec<(PathBuf, Option<Stamp>)>,
    next_look: f64,
}

impl Pane {
    /// Opens a model of a library.
    ///
    /// # Errors
    /// A sentence about what is wrong.
    pub fn open(library: Library, at: usize) -> Result<Self, String> {
        let path = library.models().get(at).cloned().ok_or("there is no such model")?;
        let stamp = library.stamp(&path);
        let opened = Opened::open(&library, &path)?;
        Ok(Self {
            stamps: stamps(&library, &opened, stamp),
            library,
            at,
            opened,
            hidden: BTreeSet::new(),
            without: Vec::new(),
            selection: Selection::default(),
            open_chunks: BTreeSet::new(),
            drawing: Drawing::default(),
            next_look: 0.0,
        })
    }

    /// Shows another model of the library. The last good one stays if it cannot be read.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn show(&mut self, at: usize) -> Result<(), String> {
        let path = self.library.models().get(at).cloned().ok_or("there is no such model")?;
        // Also after an error the arrow keys go on from here.
        self.at = at;
        let stamp = self.library.stamp(&path);
        let opened = Opened::open(&self.library, &path)?;
        self.stamps = stamps(&self.library, &opened, stamp);
        self.opened = opened;
        self.hidden.clear();
        self.without.clear();
        self.selection = Selection::default();
        self.open_chunks.clear();
        self.drawing.forget();
        Ok(())
    }

    /// Shows a model so many places further on; the last is followed by the first.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn step(&mut self, by: isize) -> Result<(), String> {
        let count = self.library.models().len().max(1) as isize;
        let next = (self.at as isize + by).rem_euclid(count) as usize;
        self.show(next)
    }

    /// Reads the file again, with everything that it refers to.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn reload(&mut self) -> Result<(), String> {
        self.library.renew();
        let (hidden, without) = (self.hidden.clone(), self.without.clone());
        self.show(self.at)?;
        (self.hidden, self.without) = (hidden, without);
        Ok(())
    }

    /// Whether the file or one of its textures has changed since it was read. Looks at them once a second.
    pub fn has_changed(&mut self, now: f64) -> bool {
        if now < self.next_look {
            return false;
        }
        self.next_look = now + WATCH_INTERVAL;
        let mut changed = false;
        for (path, known) in &mut self.stamps {
            let stamp = self.library.stamp(path);
            // A file that is missing is just being written.
            if stamp.is_some() && stamp != *known {
                *known = stamp;
                changed = true;
            }
        }
        changed
    }

    /// What the frame marks.
    #[must_use]
    pub fn selected(&self) -> Option<Selected> {
        match self.selection.object? {
            Object::Mesh(mesh) => Some(Selected::Mesh(mesh)),
            Object::Node(node) => Some(Selected::Node(node)),
            Object::Texture(_) => None,
        }
    }

    /// Options of a frame for this model.
    #[must_use]
    pub fn options(&self, state: &State, aspect: f32) -> meshwright::render::frame::Options {
        crate::draw::options(&self.opened, state, self.selected(), &self.hidden, aspect)
    }
}

/// The file of the model, with its stamp from before it was read, and the files of its textures with theirs.
fn stamps(library: &Library, opened: &Opened, stamp: Option<Stamp>) -> Vec<(PathBuf, Option<Stamp>)> {
    if !library.is_on_disk() {
        return Vec::new();
    }
    let found = opened.textures.iter().filter_map(|texture| match texture {
        TextureState::Found(path) => Some(path),
        TextureState::NotLoaded | TextureState::Failed(_) => None,
    });
    let textures: BTreeSet<&PathBuf> = found.take(MAX_WATCHED).collect();
    let textures = textures.into_iter().map(|path| (path.clone(), library.stamp(path)));
    std::iter::once((opened.path.clone(), stamp)).chain(textures).collect()
}

impl Pane {
    /// Selects an object of the scene.
    pub fn select(&mut self, object: Object) {
        let chunk = crate::chunks::way_of_object(&self.opened, object);
        self.selection = Selection { object: Some(object), chunk };
    }

    /// Selects a chunk, and the object that was read from it.
    pub fn select_chunk(&mut self, way: Vec<usize>) {
        let object = crate::chunks::object_of_way(&self.opened, &way);
        self.selection = Selection { object, chunk: Some(way) };
    }

    /// Centre and radius of the selected object at this moment.
    #[must_use]
    pub fn selected_bounds(&self, state: &State, aspect: f32) -> Option<(glam::Vec3, f32)> {
        use meshwright::render::frame::Source;
        let frame = self.opened.framer().frame(&self.options(state, aspect));
        let mut points: Vec<glam::Vec3> = Vec::new();
        match self.selection.object? {
            Object::Mesh(id) => {
                let is_its = |source: Source| matches!(source, Source::Mesh { mesh, .. } if mesh == id);
                for draw in frame.draws.iter().filter(|draw| is_its(draw.source)) {
                    let indices = frame.indices.get(draw.indices.start as usize..draw.indices.end as usize);
                    let vertex =
                        |index: &u32| frame.vertices.get(*index as usize).map(|vertex| vertex.position);
                    points.extend(indices.unwrap_or_default().iter().filter_map(vertex));
                }
            }
            Object::Node(id) => {
                let mut options = self.options(state, aspect);
                options.overlays.bones = true;
                options.overlays.attachments = true;
                use meshwright::render::frame::MarkKind;
                let is_its =
                    |kind| matches!(kind, MarkKind::Bone(node) | MarkKind::Attachment(node) if node == id);
                let marks = self.opened.framer().marks(&options);
                points.extend(marks.iter().filter(|mark| is_its(mark.kind)).map(|mark| mark.position));
            }
            Object::Texture(_) => {}
        }
        let first = *points.first()?;
        let (min, max) =
            points.iter().fold((first, first), |(min, max), point| (min.min(*point), max.max(*point)));
        let center = (min + max) * 0.5;
        let whole = self.opened.bounds(self.opened.clip(&state.clip)).radius;
        Some((center, (max - min).length().max(whole * 0.2) * 0.5)).filter(|(center, _)| center.is_finite())
    }
}
