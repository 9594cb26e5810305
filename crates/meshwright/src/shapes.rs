//! Plain geometry: a model at a moment of a clip as OBJ, PLY or STL.

use std::collections::{HashMap, HashSet};

use convert::{Note, NoteKind, Report};
use geometry::{Options, Snapshot};
use scene::{Cause, ClipId, Moment, Scene};

use crate::loaded::Textures;
use crate::{ConvertOptions, Error, GeometryFormat, GeometryOptions, LoadedScene, Result, Written};

/// The clip of this name, or the first whose name begins so.
pub fn find_clip(scene: &Scene, name: &str) -> Result<ClipId> {
    let clips = &scene.clips;
    let wanted = name.to_lowercase();
    // W3D names a clip SKELETON.CLIP, and `info` prints it so; a scene has the short name.
    let short = |clip: &str| clip.rsplit('.').next().unwrap_or_default().to_lowercase();
    let find = |test: &dyn Fn(&str) -> bool| clips.iter().position(|clip| test(&clip.name));
    let found = find(&|clip| clip.to_lowercase() == wanted)
        .or_else(|| find(&|clip| short(clip) == short(&wanted)))
        .or_else(|| find(&|clip| clip.to_lowercase().starts_with(&wanted)))
        .or_else(|| find(&|clip| short(clip).starts_with(&wanted)));
    found.map(ClipId::from).ok_or_else(|| {
        let known = clips.iter().map(|clip| clip.name.clone()).collect();
        Error::NotInModel { what: "clip", name: name.to_owned(), known }
    })
}

impl GeometryOptions {
    /// A moment of the clip; the rest pose without one.
    fn moment(&self, scene: &Scene) -> Result<Moment> {
        let Some(name) = &self.clip else { return Ok(Moment::default()) };
        let clip = find_clip(scene, name)?;
        let elapsed = self.time.unwrap_or(0.0);
        let local = scene.clips.get(clip.index()).map_or(0.0, |clip| clip.local_time(elapsed));
        Ok(Moment { clip: Some(clip), time: local, clock: elapsed, view: None })
    }
}

impl LoadedScene<'_> {
    /// Writes the scene at a moment.
    pub(crate) fn write_geometry(
        mut self,
        format: GeometryFormat,
        options: &ConvertOptions,
    ) -> Result<Written> {
        let moment = options.geometry.moment(&self.scene)?;
        // The scale of glTF was applied when the file was read.
        let scale = options.scale.filter(|_| !self.origin.is_gltf);
        let scale = scale.map_or(1.0, |scale| scale.metres_per_unit(self.game()));
        let snapshot =
            Snapshot::new(&self.scene, &Options { moment, scale, hidden: options.gltf.hidden_meshes });
        let mut report = self.report;
        if snapshot.omitted > 0 {
            report.notes.push(Note::counted(
                NoteKind::Assumed,
                snapshot.omitted,
                "mesh skipped (hidden, empty or lower level of detail)",
                "meshes skipped (hidden, empty or lower level of detail)",
            ));
        }
        let mut others = Vec::new();
        let ascii = options.geometry.ascii;
        let bytes = match format {
            GeometryFormat::Obj => {
                let stem = options.stem().unwrap_or("model");
                let source = Some(&mut self.textures).filter(|_| options.gltf.textures);
                let mut pictures = Pictures { stem, source, ..Pictures::default() };
                let made = geometry::obj(&snapshot, stem, &mut |texture| pictures.file(&texture.name));
                if !made.mtl.is_empty() {
                    others.push((format!("{stem}.mtl"), made.mtl));
                }
                others.append(&mut pictures.files);
                report.append(pictures.report);
                made.obj
            }
            GeometryFormat::Ply => geometry::ply(&snapshot, ascii),
            GeometryFormat::Stl => geometry::stl(&snapshot, ascii),
        };
        Ok(Written { bytes, others, report, read: self.read, ..Written::default() }.after(self.textures))
    }
}

/// The textures of an OBJ as PNG files.
#[derive(Default)]
struct Pictures<'r, 'w> {
    stem: &'r str,
    source: Option<&'r mut Textures<'w>>,
    known: HashMap<String, Option<String>>,
    taken: HashSet<String>,
    files: Vec<(String, Vec<u8>)>,
    report: Report,
}

impl Pictures<'_, '_> {
    /// The file name of a texture, if it has a picture.
    fn file(&mut self, name: &str) -> Option<String> {
        if name.is_empty() {
            return None;
        }
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let made = self.make(name);
        self.known.insert(name.to_owned(), made.clone());
        made
    }

    fn make(&mut self, name: &str) -> Option<String> {
        let Some(bytes) = self.source.as_mut()?.read(name) else {
            let note = Note::new(NoteKind::Missing, name, "texture not found");
            self.report.add(note.because(Cause::MissingTexture));
            return None;
        };
        let png = texture::decode_top(&bytes).and_then(|image| texture::encode_png(&image));
        let png = match png {
            Ok(png) => png,
            Err(error) => {
                self.report.note(NoteKind::Damaged, name, error.to_string());
                return None;
            }
        };
        let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
        // Names of textures come from the model: only letters that are safe in file names everywhere.
        let safe: String = stem
            .chars()
            .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' })
            .collect();
        let mut file = format!("{}.{safe}.png", self.stem);
        let mut number = 2;
        while !self.taken.insert(file.to_lowercase()) {
            file = format!("{}.{safe}_{number}.png", self.stem);
            number += 1;
        }
        self.files.push((file.clone(), png));
        Some(file)
    }
}
