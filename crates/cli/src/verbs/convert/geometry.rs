//! Plain geometry: a model at a moment of a clip as OBJ, PLY or STL.

use std::collections::{HashMap, HashSet};

use convert::NoteKind;
use geometry::{Options, Snapshot};
use gltf::{Picture, TextureSource};
use scene::Scene;

use super::target::{GeometryArgs, GeometryFormat};
use crate::export::Written;
use crate::input::{Problem, Source};
use crate::losses::Loss;
use crate::models;

/// A scene that is written, and how.
pub(super) struct Request<'r> {
    pub(super) source: &'r Source,
    pub(super) scene: &'r Scene,
    pub(super) format: GeometryFormat,
    pub(super) scale: f32,
    /// Also meshes that are never shown.
    pub(super) hidden: bool,
    pub(super) textures: bool,
    /// Names of further files start with this.
    pub(super) stem: &'r str,
}

impl GeometryArgs {
    pub(super) fn write(
        &self,
        request: &Request<'_>,
        textures: &mut dyn TextureSource,
    ) -> Result<Written, Problem> {
        let moment = models::moment(request.scene, self.clip.as_deref(), self.time, request.source)?;
        let options = Options { moment, scale: request.scale, hidden: request.hidden };
        let snapshot = Snapshot::new(request.scene, &options);
        let mut losses = Vec::new();
        if snapshot.omitted > 0 {
            losses.push(Loss::counted(
                NoteKind::Assumed,
                snapshot.omitted,
                "mesh skipped (hidden, empty or lower level of detail)",
                "meshes skipped (hidden, empty or lower level of detail)",
            ));
        }
        let mut others = Vec::new();
        let bytes = match request.format {
            GeometryFormat::Obj => {
                let mut pictures = Pictures::new(request, textures);
                let made =
                    geometry::obj(&snapshot, request.stem, &mut |texture| pictures.file(&texture.name));
                if !made.mtl.is_empty() {
                    others.push((format!("{}.mtl", request.stem), made.mtl));
                }
                others.append(&mut pictures.files);
                losses.append(&mut pictures.losses);
                made.obj
            }
            GeometryFormat::Ply => geometry::ply(&snapshot, self.ascii),
            GeometryFormat::Stl => geometry::stl(&snapshot, self.ascii),
        };
        Ok(Written { bytes, others, losses, ..Written::default() })
    }
}

/// The textures of an OBJ as PNG files.
struct Pictures<'r> {
    request: &'r Request<'r>,
    source: &'r mut dyn TextureSource,
    known: HashMap<String, Option<String>>,
    taken: HashSet<String>,
    files: Vec<(String, Vec<u8>)>,
    losses: Vec<Loss>,
}

impl<'r> Pictures<'r> {
    fn new(request: &'r Request<'r>, source: &'r mut dyn TextureSource) -> Self {
        let (known, taken) = (HashMap::new(), HashSet::new());
        Self { request, source, known, taken, files: Vec::new(), losses: Vec::new() }
    }

    /// The file name of a texture, if it has a picture.
    fn file(&mut self, name: &str) -> Option<String> {
        if name.is_empty() || !self.request.textures {
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
        let picture = match self.source.find(name) {
            Some(Picture::File(bytes)) => texture::decode_top(&bytes),
            Some(Picture::Image(image)) => Ok(image),
            None => {
                self.losses.push(Loss::one(NoteKind::Missing, name.to_owned(), "texture not found"));
                return None;
            }
        };
        let png = picture.and_then(|image| texture::encode_png(&image));
        let png = match png {
            Ok(png) => png,
            Err(error) => {
                self.losses.push(Loss::one(NoteKind::Damaged, name.to_owned(), error.to_string()));
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
        let mut file = format!("{}.{safe}.png", self.request.stem);
        let mut number = 2;
        while !self.taken.insert(file.to_lowercase()) {
            file = format!("{}.{safe}_{number}.png", self.request.stem);
            number += 1;
        }
        self.files.push((file.clone(), png));
        Some(file)
    }
}
