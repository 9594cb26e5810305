//! An opened model: the document, its scene, its textures, and what is wrong with it. Nothing here knows the user interface.

use crate::library::Library;
use meshwright::check;
use meshwright::render::frame::{self, Framer, LightRig, Options, Overlays};
use meshwright::render::pictures::Pictures;
use meshwright::render::soft::Settings;
use meshwright::scene::{Bounds, ClipId, NoteKind, TextureId};
use meshwright::{Diagnostic, Drawing, Model, Severity, Summary, is_gltf};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use meshwright::TextureState;

/// A model that can be drawn and inspected.
pub struct Opened {
    /// The path in its library.
    pub path: PathBuf,
    /// Size of the file in bytes.
    pub size: usize,
    /// The model; `None` for glTF files, which have no chunks.
    pub model: Option<Model>,
    /// The guessed game, in words.
    pub game: String,
    /// Files that are missing and parts that could not be read.
    pub missing: Vec<Problem>,
    drawing: Drawing,
    /// The pictures for the team colour that was last asked for.
    pictures: RefCell<(Option<[u8; 3]>, Arc<Pictures>)>,
    bounds: RefCell<HashMap<Option<ClipId>, Bounds>>,
    findings: OnceCell<Vec<Problem>>,
    summary: OnceCell<Option<Summary>>,
}

/// A finding of the linter, or a missing file.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// Code of the rule; empty for missing files.
    pub code: String,
    /// The part of the file that it is about; empty for the whole file.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// Advice.
    pub note: String,
    /// The texture that it is about.
    pub texture: Option<TextureId>,
}

/// Files above this size are refused: drawing them would take the memory of the whole machine.
const LARGEST: usize = 256 << 20;

/// Its scene and textures.
impl Deref for Opened {
    type Target = Drawing;

    fn deref(&self) -> &Drawing {
        &self.drawing
    }
}

impl Opened {
    /// Reads a model of a library and everything that it needs.
    ///
    /// # Errors
    /// A sentence about what is wrong with the file.
    pub fn open(library: &Library, path: &Path) -> Result<Self, String> {
        let workspace = library.workspace();
        let bytes = workspace.read(path).map_err(|error| error.to_string())?;
        if bytes.len() > LARGEST {
            let name = path.display();
            return Err(format!(
                "{name} is too large: {} MB, the limit is {} MB",
                bytes.len() >> 20,
                LARGEST >> 20
            ));
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if bytes.is_empty() {
            return Err(format!("{name} is empty"));
        }
        let failed = |error: meshwright::Error| format!("{name}: {error}");
        let (loaded, model, game);
        if is_gltf(&bytes, Some(path), None) {
            loaded = workspace.load_gltf(workspace.read_gltf(&bytes, Some(path), None).map_err(failed)?);
            (model, game) = (None, "glTF");
        } else {
            let parsed = Model::parse_named(&bytes, &name).map_err(failed)?.at(path);
            loaded = workspace.load(parsed.document(), Some(path));
            (model, game) = (Some(parsed), loaded.game().title());
        }
        let missing = loaded.report.of(NoteKind::Missing);
        let missing: Vec<Problem> =
            missing.map(|note| Problem::missing(note.part.clone(), note.message.clone())).collect();
        let drawing = loaded.drawing(library.pictures(), None);
        let pictures = Arc::new(drawing.pictures_in(None));
        let mut opened = Self {
            path: path.to_owned(),
            size: bytes.len(),
            model,
            game: game.to_owned(),
            missing,
            drawing,
            pictures: RefCell::new((None, pictures)),
            bounds: RefCell::default(),
            findings: OnceCell::new(),
            summary: OnceCell::new(),
        };
        opened.report_textures();
        Ok(opened)
    }

    /// Lists the textures that could not be loaded, each once.
    fn report_textures(&mut self) {
        for (index, texture) in self.drawing.scene.textures.iter().enumerate() {
            let Some(TextureState::Failed(reason)) = self.drawing.textures.get(index) else { continue };
            let mut problem = Problem::missing(String::new(), format!("{}: {reason}", texture.name));
            problem.texture = Some(TextureId::from(index));
            if !self.missing.iter().any(|known| known.message == problem.message) {
                self.missing.push(problem);
            }
        }
    }

    /// The pictures for a team colour. They are made anew when the colour changes.
    #[must_use]
    pub fn pictures(&self, team_color: Option<[u8; 3]>) -> Arc<Pictures> {
        let mut known = self.pictures.borrow_mut();
        if known.0 != team_color {
            *known = (team_color, Arc::new(self.drawing.pictures_in(team_color)));
        }
        known.1.clone()
    }

    /// The name of its file.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.file_name().map_or_else(|| "model".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// A framer of its scene.
    #[must_use]
    pub fn framer(&self) -> Framer<'_> {
        Framer::new(&self.scene).with_missing(self.pictures.borrow().1.missing())
    }

    /// Options with what is known about the model.
    #[must_use]
    pub fn options(&self) -> Options {
        let Options { family, rules, .. } = self.drawing.options(&Settings::new(1, 1));
        Options { family, rules, ..Options::default() }
    }

    /// The light rig of this name, or the usual one.
    #[must_use]
    pub fn light(&self, name: &str) -> Option<LightRig> {
        LightRig::named(name)
    }

    /// The bounds of everything that is seen during a clip, which the camera frames.
    #[must_use]
    pub fn bounds(&self, clip: Option<ClipId>) -> Bounds {
        if let Some(known) = self.bounds.borrow().get(&clip) {
            return *known;
        }
        let options = Options { clip, overlays: Overlays::default(), ..self.options() };
        let unit =
            Bounds { min: glam::Vec3::NEG_ONE, max: glam::Vec3::ONE, center: glam::Vec3::ZERO, radius: 1.0 };
        let bounds = self.framer().bounds(&options).filter(|bounds| bounds.radius > 0.0).unwrap_or(unit);
        self.bounds.borrow_mut().insert(clip, bounds);
        bounds
    }

    /// The clip that a name chooses: by its name in any case, or the one that shows the model best if it is empty.
    #[must_use]
    pub fn clip(&self, name: &str) -> Option<ClipId> {
        // A viewer shows motion, also of W3D models, whose rest pose would do.
        let usual = || {
            let first = (!self.scene.clips.is_empty()).then_some(ClipId(0));
            frame::representative_clip(&self.scene).or(first)
        };
        if name.is_empty() {
            return usual();
        }
        if name.eq_ignore_ascii_case("none") {
            return None;
        }
        let clips = &self.scene.clips;
        let exact = clips.iter().position(|clip| clip.name == name);
        let found = exact.or_else(|| clips.iter().position(|clip| clip.name.eq_ignore_ascii_case(name)));
        // The next model of a folder may not have the clip.
        found.map(ClipId::from).or_else(usual)
    }

    /// The findings of the linter. They are computed once, when they are asked for.
    pub fn findings(&self, library: &Library) -> &[Problem] {
        self.findings.get_or_init(|| {
            let Some(model) = &self.model else { return Vec::new() };
            let name = self.name();
            let options = check::Options {
                file_name: Some(&name),
                lookup: Some(library.workspace().lookup(Some(&self.path))),
                ..check::Options::default()
            };
            let report = check::report(model.document(), &options);
            report.diagnostics.into_iter().map(Problem::from).collect()
        })
    }

    /// The summary of the document; `None` for glTF files.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.get_or_init(|| self.model.as_ref().map(Model::info)).as_ref()
    }
}

impl Problem {
    fn missing(path: String, message: String) -> Self {
        Self {
            severity: Severity::Warning,
            code: String::new(),
            path,
            message,
            note: String::new(),
            texture: None,
        }
    }
}

impl From<Diagnostic> for Problem {
    fn from(found: Diagnostic) -> Self {
        Self {
            severity: found.severity,
            code: found.code.into_owned(),
            path: found.path,
            message: found.message,
            note: found.note.unwrap_or_default(),
            texture: None,
        }
    }
}
