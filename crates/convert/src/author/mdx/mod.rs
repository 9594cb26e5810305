//! Scenes to MDX of Warcraft III: the inverse of [`crate::mdx`].
//!
//! ```
//! use meshwright_convert::{author, mdx::to_scene};
//! let bytes = mdx::build::samples().into_iter().find(|(name, _)| *name == "warcraft-800").unwrap().1;
//! let (scene, _) = to_scene(&mdx::Document::parse(&bytes)?, &Default::default());
//! let (document, losses) = author::mdx::to_mdx(&scene, &author::mdx::Options::default())?;
//! assert_eq!((document.version, document.nodes().count()), (800, 11));
//! assert!(losses.notes.is_empty());
//! # Ok::<(), mdx::Error>(())
//! ```
//!
//! # What becomes what
//!
//! | scene | MDX |
//! |---|---|
//! | node | the object that hangs on it; otherwise a bone if it moves vertices, else a helper. Of several objects on a node the others hang below it |
//! | rest pose | pivots; MDX has no rest rotation, so it goes into vertices and keys |
//! | mesh | a geoset for each material; larger ones are divided |
//! | skin | `SKIN` in HD geosets, else matrix groups, in which a bone with a greater weight is repeated |
//! | visibility of a mesh or its node | alpha of the geoset animation |
//! | clip | sequence; all lie on one time line with gaps between them |
//! | layer, slots | layer; HD materials are six layers before version 1100, six textures of one from then on |
//! | texture coordinates that move | texture animation; W3D's mappers run on global sequences |
//!
//! The [`Report`] lists everything that MDX cannot express.

mod colors;
mod context;
mod emitters;
mod extents;
mod geosets;
mod mapper;
mod materials;
mod nodes;
mod objects;
mod rest;
pub(crate) mod space;
mod tracks;
mod unbound;

pub(crate) use materials::texture_path;
pub(crate) use nodes::bind_pose;

use std::cell::OnceCell;
use std::collections::HashSet;

use mdx::build::{Builder, file};
use mdx::records::{Model, Sequence, SequenceFlags};
use mdx::{Dialect, Document, Error, kinds};
use record::{Chars, F32, I32, Node, U32, build};
use scene::{Clip, NodeId, Scene};

pub use context::Options;
use context::{Author, Window, chars, object, refuse, signed};

use super::names;
use crate::report::{NoteKind, Report, counted};

/// The document that a scene describes, and what could not be written.
///
/// Fails if the version is not one of [`mdx::version::VERSIONS`], the scene moves with more bones than the format can count, or is
/// too long for its time line. Everything else is divided, shortened or dropped, and reported.
pub fn to_mdx(scene: &Scene, options: &Options) -> Result<(Document<'static>, Report), Error> {
    if !mdx::version::VERSIONS.contains(&options.version) {
        let versions = mdx::version::VERSIONS.map(|version| version.to_string()).join(", ");
        return Err(refuse(format!("cannot write version {}; supported: {versions}", options.version)));
    }
    if !(options.scale.is_finite() && options.scale > 0.0) {
        return Err(refuse(format!("cannot scale by {}; expected a number above zero", options.scale)));
    }
    let scaled;
    let scene = if options.scale == 1.0 {
        scene
    } else {
        scaled = super::scale::scaled(scene, options.scale);
        &scaled
    };
    let settled = super::settle::settled(scene, true);
    let scene = settled.as_ref().unwrap_or(scene);
    let mut report = Report::default();
    let windows = windows(scene, options, &mut report)?;
    let own_nodes = scene.nodes.len();
    let unbound = if windows.is_empty() { None } else { unbound::unbound(scene) };
    let scene = unbound.as_ref().unwrap_or(scene);
    let mut author = Author {
        scene,
        options: *options,
        builder: Builder::new(Dialect::Warcraft, options.version),
        report,
        globals: Vec::new(),
        rest: rest::Rest::new(scene, !windows.is_empty(), own_nodes),
        windows,
        textures: Vec::new(),
        texture_animations: Vec::new(),
        channels: tracks::Channels::new(scene),
        poses: vec![OnceCell::new(); scene.clips.len()],
        bone_count: 0,
    };
    let document = author.document()?;
    Ok((document, author.report))
}

/// The place of each clip on the time line: that of the source if clips do not overlap there, else one after the other.
fn windows(scene: &Scene, options: &Options, report: &mut Report) -> Result<Vec<Window>, Error> {
    let length = |clip: &Clip| space::milliseconds(clip.duration.max(0.0));
    let mut windows: Vec<Window> = Vec::with_capacity(scene.clips.len() + 2);
    for (index, clip) in scene.clips.iter().enumerate() {
        let start = clip.source_start.map_or(-1, space::milliseconds);
        let end = start.saturating_add(length(clip));
        windows.push(Window { name: clip.name.clone(), clip: Some(index), start, end });
    }
    let follows = |pair: &[Window]| pair[0].end < pair[1].start;
    let is_placed = windows.iter().all(|window| window.start >= 0) && windows.windows(2).all(follows);
    let gap = i32::from(options.gap.max(1));
    if !is_placed {
        let mut start = 0_i32;
        for (window, clip) in windows.iter_mut().zip(&scene.clips) {
            // A sequence of zero length shows nothing.
            let length = length(clip).max(if clip.source_start.is_some() { 0 } else { 1 });
            window.start = start;
            window.end = start.saturating_add(length);
            start = window.end.saturating_add(gap);
        }
    }
    if options.complete {
        for (name, word) in [("Stand", "stand"), ("Death", "death")] {
            let has = windows.iter().any(|window| window.name.to_ascii_lowercase().starts_with(word));
            if !has {
                let start = windows.last().map_or(0, |last| last.end.saturating_add(gap));
                let end = start.saturating_add(1000);
                // Without a sequence of that name, the clip in which the model stands is played, not the rest pose.
                let clip =
                    scene::stand_clip(&scene.clips).filter(|_| word == "stand").map(scene::ClipId::index);
                let end = clip.map_or(end, |clip| start.saturating_add(length(&scene.clips[clip]).max(1)));
                let source =
                    clip.map_or(String::new(), |clip| format!(" as a copy of {}", scene.clips[clip].name));
                report.note(
                    NoteKind::Assumed,
                    "SEQS",
                    format!("added the sequence {name}{source}, which the game needs"),
                );
                windows.push(Window { name: name.to_owned(), clip, start, end });
            }
        }
    }
    if windows.iter().any(|window| window.end == i32::MAX) {
        return Err(refuse(
            "the clips are longer than the time line, 596 hours; shorten or remove some".into(),
        ));
    }
    Ok(windows)
}

impl Author<'_> {
    fn document(&mut self) -> Result<Document<'static>, Error> {
        let layout = self.layout()?;
        self.bone_count = layout.entries.iter().filter(|entry| entry.role == nodes::Role::Bone).count();
        let materials = self.materials();
        let geosets = self.geosets(&layout, &materials)?;
        let objects = self.objects(&layout, &geosets, &materials);
        let cameras = self.cameras();
        self.unwritten();
        self.report_normals();

        let extents = self.extents();
        let model = Model {
            name: chars(&self.scene.name),
            animation_file: Chars::default(),
            extent: extents.model,
            blend_time: U32::new(space::milliseconds(self.scene.blend_time.max(0.0)).unsigned_abs()),
        };
        let blend_time =
            if self.options.complete && self.scene.blend_time <= 0.0 { 150 } else { model.blend_time.get() };
        let model = Model { blend_time: U32::new(blend_time), ..model };
        let sequences = self.sequences(&extents.sequences);
        let durations: Vec<U32> =
            self.global_durations().into_iter().map(|each| U32::new(each.unsigned_abs())).collect();
        let builder = self.builder;
        let list = |handle: &'static record::Kind, objects: Vec<Node<'static>>| {
            (!objects.is_empty()).then(|| builder.chunk(handle, objects))
        };
        let mut chunks = vec![builder.version(), build(kinds::MODL, &model)];
        chunks.extend((!sequences.is_empty()).then(|| build(kinds::SEQS, &sequences)));
        chunks.extend((!durations.is_empty()).then(|| build(kinds::GLBS, &durations)));
        chunks.extend(list(&kinds::MTLS, materials.nodes));
        chunks.extend((!self.textures.is_empty()).then(|| build(kinds::TEXS, &self.textures)));
        chunks.extend(list(&kinds::TXAN, std::mem::take(&mut self.texture_animations)));
        chunks.extend(list(&kinds::GEOS, geosets.nodes));
        chunks.extend(list(&kinds::GEOA, geosets.animations));
        let pivots = layout.pivots();
        let has_skin = geosets.has_skin;
        for (kind, nodes) in objects {
            // Cameras are added between ribbons and events below.
            chunks.extend(list(kind, nodes));
        }
        if !pivots.is_empty() {
            let index = chunks.iter().position(|chunk| chunk.is(&kinds::PREM) || is_after_pivots(chunk));
            let index = index.unwrap_or(chunks.len());
            chunks.insert(index, build(kinds::PIVT, &pivots));
        }
        if let Some(cameras) = list(&kinds::CAMS, cameras) {
            let index = chunks.iter().position(|chunk| chunk.is(&kinds::EVTS) || chunk.is(&kinds::CLID));
            chunks.insert(index.unwrap_or(chunks.len()), cameras);
        }
        if self.options.version >= 900 && has_skin {
            chunks.push(layout.bind_poses(self.scene));
        }
        let version = self.options.version;
        let mut root = file(chunks);
        self.drop_textures(&mut root);
        Ok(Document { root, version, dialect: Dialect::Warcraft, long_strings: Vec::new() })
    }

    fn sequences(&mut self, extents: &[mdx::records::Extent]) -> Vec<Sequence> {
        let mut sequence_names =
            names::Names::new(79, self.windows.iter().map(|window| window.name.as_str()));
        let mut cut = 0;
        let windows = self.windows.iter().zip(extents);
        let sequences = windows.map(|(window, extent)| {
            let clip = window.clip.map(|clip| &self.scene.clips[clip]);
            let name = sequence_names.fit(&window.name);
            cut += usize::from(name != window.name);
            let is_copy = clip.is_some_and(|clip| clip.name != window.name);
            let looping = clip.filter(|_| !is_copy).map_or(window.name == "Stand", |clip| clip.looping);
            Sequence {
                name: chars(&name),
                start: I32::new(window.start),
                end: I32::new(window.end),
                move_speed: F32::new(clip.map_or(0.0, |clip| clip.move_speed)),
                flags: if looping { SequenceFlags::default() } else { SequenceFlags::NON_LOOPING },
                rarity: F32::new(clip.map_or(0.0, |clip| clip.rarity)),
                sync_point: U32::new(0),
                extent: *extent,
            }
        });
        let sequences = sequences.collect();
        if cut > 0 {
            self.lost("SEQS", format!("{} shortened to 79 characters", counted(cut, "name")));
        }
        sequences
    }

    /// Drops textures that nothing in the file uses: those whose slots the version does not have, and in new models all.
    fn drop_textures(&self, root: &mut Node<'_>) {
        let mut stays = vec![!self.options.complete; self.textures.len()];
        let slots =
            self.scene.materials.iter().flat_map(|material| &material.layers).flat_map(|layer| &layer.slots);
        for texture in slots.filter_map(|slot| slot.texture) {
            stays.get_mut(texture.index()).into_iter().for_each(|stays| *stays = false);
        }
        mdx::references::textures(root, &mut |number| {
            let used = usize::try_from(number).ok().and_then(|index| stays.get_mut(index));
            used.into_iter().for_each(|stays| *stays = true);
            number
        });
        if stays.contains(&true) {
            mdx::references::retain_textures(root, &stays);
        }
    }

    /// Reports normals of nodes without a rest pose: the game multiplies them by the same matrix as positions.
    fn report_normals(&mut self) {
        let is_whole =
            |node: &NodeId| self.rest.0.get(node.index()).is_some_and(|frame| frame.whole.is_some());
        let nodes: Vec<HashSet<NodeId>> = self
            .scene
            .meshes
            .iter()
            .map(|mesh| {
                let joints = mesh.skin.iter().flat_map(|skin| &skin.joints).map(|joint| joint.node);
                joints.chain(mesh.node.filter(|_| mesh.skin.is_none())).filter(is_whole).collect()
            })
            .collect();
        for (name, degrees) in
            super::normals::errors(self.scene, &nodes, |world, rest| (*world * rest.inverse()).matrix3)
        {
            let message = format!(
                "normals are off by up to {degrees:.0} degrees while clips play: the scale differs along the axes, and the game turns normals as it turns positions"
            );
            self.lost(&name, message);
        }
    }

    /// Reports objects that MDX does not have.
    fn unwritten(&mut self) {
        let scene = self.scene;
        let lost = [
            (scene.primitives.len(), "growing sphere or ring"),
            (scene.dazzles.len(), "lens flare"),
            (scene.sounds.len(), "sound"),
        ];
        for (count, what) in lost.into_iter().filter(|(count, _)| *count > 0) {
            self.lost("model", format!("{} dropped: MDX has none", counted(count, what)));
        }
    }
}

/// Whether a chunk follows the pivots in the game's own files.
fn is_after_pivots(chunk: &Node<'_>) -> bool {
    [&kinds::PRE2, &kinds::CORN, &kinds::RIBB, &kinds::CAMS, &kinds::EVTS, &kinds::CLID]
        .iter()
        .any(|kind| chunk.is(kind))
}
