//! MDX documents to scenes, of Warcraft III and of the World of Warcraft alpha.
//!
//! ```
//! use meshwright_convert::mdx::{Options, to_scene};
//! let bytes = mdx::build::samples().into_iter().find(|(name, _)| *name == "warcraft-800").unwrap().1;
//! let document = mdx::Document::parse(&bytes)?;
//! let (scene, report) = to_scene(&document, &Options::default());
//! assert_eq!((scene.nodes.len(), scene.meshes.len(), scene.clips.len()), (11, 1, 2));
//! assert!(report.notes.is_empty());
//! # Ok::<(), mdx::Error>(())
//! ```
//!
//! # What becomes what
//!
//! | MDX | scene |
//! |---|---|
//! | bone, helper, and every other object with a node | [`Node`](scene::Node) at its pivot, in file order; its local translation is `pivot - parent's pivot + t` |
//! | geoset | [`Mesh`](scene::Mesh), in file order, with joints only for nodes that move a vertex |
//! | matrix groups | equal shares of all matrices of a vertex's group |
//! | geoset animation | colour and alpha of the mesh; alpha 0 hides it |
//! | alpha or visibility track without a key in a sequence | 1 there |
//! | texture | [`Texture`](scene::Texture) of the same index |
//! | material | [`Material`](scene::Material) of the same index, one [`Layer`](scene::Layer) for each; six layers of an HD shader become one layer with six slots |
//! | sequence | [`Clip`] that starts at zero, with the keys inside the sequence's interval |
//! | global sequence | [`GlobalSequence`] of the same index |
//! | visibility track | of a light, emitter, ribbon or camera: its own; of an attachment: its node's |
//! | WoW hit test shape, collision mesh | [`CollisionShape`](scene::CollisionShape) |

mod emitter;
mod geoset;
mod material;
mod node;
mod object;
mod space;
mod track;

use std::fmt::Display;

use glam::Vec3;
use mdx::records::SequenceFlags;
use mdx::view::{Model, Object, text};
use mdx::{Dialect, Document, kinds};
use scene::{Clip, GlobalSequence, Limits, NodeId, Scene};

use crate::report::counted;
pub use crate::report::{Note, NoteKind, Report};

/// What to carry over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Make clips of the sequences, and carry tracks.
    pub animations: bool,
    /// The value of colour tracks in sequences without keys.
    pub empty_colors: EmptyColors,
    /// How much the scene may have. What is above a limit is dropped and reported.
    pub limits: Limits,
}

/// The value of a colour track in a sequence without keys. Viewers disagree, so this is a hypothesis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyColors {
    /// Black (`mdx-m3-viewer`, `MdlVis`).
    #[default]
    Black,
    /// The colour beside the track (`war3-model`).
    Static,
}

impl Default for Options {
    fn default() -> Self {
        Self { animations: true, empty_colors: EmptyColors::default(), limits: Limits::default() }
    }
}

/// The scene that a document describes, and what there is to say about it.
///
/// Nothing is fatal: missing and damaged parts are dropped and reported.
pub fn to_scene(document: &Document<'_>, options: &Options) -> (Scene, Report) {
    let model = document.view();
    let mut converter = Converter {
        model,
        animations: options.animations,
        empty_colors: options.empty_colors,
        scene: Scene::default(),
        report: Report::default(),
        windows: Vec::new(),
        unreached: 0,
        times: Vec::new(),
        repeats: options.limits.keys,
        windows_left: options.limits.samples,
        objects: model.nodes().collect(),
        by_id: Vec::new(),
        bones: Vec::new(),
        pivots: Vec::new(),
    };
    converter.header();
    converter.sequences();
    converter.nodes();
    converter.materials();
    converter.geosets();
    converter.objects();
    converter.cameras();
    converter.collision_mesh();
    converter.global_rotations();
    converter.rest();
    (converter.scene, converter.report)
}

/// A scene in the making.
struct Converter<'d> {
    model: Model<'d>,
    animations: bool,
    empty_colors: EmptyColors,
    scene: Scene,
    report: Report,
    /// First and last millisecond of each clip on the common time line.
    windows: Vec<[i32; 2]>,
    /// Tracks that no clip can play because there is none.
    unreached: usize,
    /// The times of the track at hand.
    times: Vec<i32>,
    /// How many keys may still be copied again, for a sequence that overlaps others. A small damaged file could otherwise have a
    /// thousand sequences that all have the same thousands of keys.
    repeats: usize,
    /// How often a track may still be divided among sequences.
    windows_left: usize,
    /// The objects that are nodes; their places are those of their nodes in the scene.
    objects: Vec<Object<'d>>,
    /// The nodes by their object ids, ascending; of those that share one the first counts.
    by_id: Vec<(i32, NodeId)>,
    /// The bones, in file order.
    bones: Vec<NodeId>,
    /// The pivot of each node, in the scene's axes.
    pivots: Vec<Vec3>,
}

impl Converter<'_> {
    /// The path of a note is formatted only here, because notes are rare.
    fn note(&mut self, kind: NoteKind, path: impl Display, message: impl Into<String>) {
        self.report.note(kind, &path.to_string(), message);
    }

    /// The node that has an object id.
    fn node_with_id(&self, id: i32) -> Option<NodeId> {
        let place = self.by_id.partition_point(|(other, _)| *other < id);
        self.by_id.get(place).filter(|(other, _)| *other == id).map(|(_, node)| *node)
    }

    fn is_wow(&self) -> bool {
        self.model.dialect == Dialect::Wow
    }

    /// A number that the file has, unless it is none.
    fn number(&mut self, path: &dyn Display, what: &str, number: f32, default: f32) -> f32 {
        if number.is_finite() {
            return number;
        }
        self.note(NoteKind::Damaged, path, format!("the {what} is {number}; {default} used"));
        default
    }

    fn header(&mut self) {
        let Some(header) = self.model.header() else {
            self.note(NoteKind::Damaged, "MODL", "missing MODL chunk");
            return;
        };
        self.scene.name = text(header.name).into_owned();
        self.scene.bounds = space::bounds(header.extent);
        self.scene.blend_time = header.blend_time.map_or(0.0, |time| space::seconds(time.into()));
        let animations = text(header.animation_file);
        if !animations.is_empty() {
            self.note(
                NoteKind::Missing,
                "MODL",
                format!("the animations are in another file, {animations:?}"),
            );
        }
    }

    fn sequences(&mut self) {
        if !self.animations {
            return;
        }
        let durations = self.model.global_sequences().iter();
        self.scene.global_sequences = durations
            .map(|duration| GlobalSequence { duration: space::seconds(duration.get().into()) })
            .collect();
        for (index, sequence) in self.model.sequences().enumerate() {
            let [start, end] = sequence.interval;
            let name = text(sequence.name);
            let path = format_args!("Sequence[{index}] {name:?}");
            if end < start {
                self.note(NoteKind::Damaged, path, "the sequence ends before it starts");
            }
            let mut rarity = 0.0;
            if !self.is_wow() {
                rarity = self.number(&path, "rarity", sequence.rarity, 0.0);
            } else if sequence.rarity != 0.0 && sequence.rarity != 1.0 {
                // A frequency is the opposite of a rarity: a share, as it seems, of those with the same name.
                let message = format!("the frequency {} is not supported", sequence.rarity);
                self.note(NoteKind::Skipped, path, message);
            }
            let move_speed = self.number(&path, "speed", sequence.move_speed, 0.0);
            self.windows.push([start, end]);
            self.scene.clips.push(Clip {
                name: name.clone().into_owned(),
                duration: space::seconds((i64::from(end) - i64::from(start)).max(0)),
                looping: !sequence.flags.has(SequenceFlags::NON_LOOPING),
                source_start: Some(space::seconds(start.into())),
                frame_rate: None,
                move_speed,
                rarity,
                bounds: space::bounds(sequence.extent),
                channels: Vec::new(),
                events: Vec::new(),
            });
        }
    }

    /// Reports parts of the document that a scene cannot hold.
    fn rest(&mut self) {
        if self.unreached > 0 {
            let message = format!("dropped {}: the model has no sequences", counted(self.unreached, "track"));
            self.note(NoteKind::Skipped, "SEQS", message);
        }
        if self.repeats == 0 {
            self.note(NoteKind::Skipped, "SEQS", "keys were dropped: too many sequences share them");
        }
        if self.windows_left == 0 {
            self.note(NoteKind::Skipped, "SEQS", "tracks were dropped: too many for so many sequences");
        }
        for (kind, what) in [
            (kinds::FAFX.row, "facial animation is not supported"),
            (kinds::SNDS.row, "sounds are not supported"),
            (kinds::SNEM.row, "sound emitters are not supported"),
            (kinds::DILG.row, "pick data is not supported"),
            (kinds::UNKNOWN_CHUNK.row, "unknown chunk"),
        ] {
            if self.model.chunk(kind).is_some() {
                self.note(NoteKind::Skipped, kind.name, what);
            }
        }
    }
}
