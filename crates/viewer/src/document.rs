//! An opened model: the document, its scene, its textures, and what is wrong with it. Nothing here knows the user interface.

use crate::library::{self, Library};
use meshwright::check;
use meshwright::convert::NoteKind;
use meshwright::render::frame::{self, Framer, LightRig, Options, Overlays, Rules};
use meshwright::render::pictures::{Picture, PictureOptions, Pictures};
use meshwright::scene::{Bounds, ClipId, Scene, TextureId};
use meshwright::{Diagnostic, Family, Game, Model, Severity, Summary, gltf};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A model that can be drawn and inspected.
pub struct Opened {
    /// The path in its library.
    pub path: PathBuf,
    /// Size of the file in bytes.
    pub size: usize,
    /// The model; `None` for glTF files, which have no chunks.
    pub model: Option<Model>,
    /// Its scene.
    pub scene: Scene,
    /// The guessed game, in words.
    pub game: String,
    /// Files that are missing and parts that could not be read.
    pub missing: Vec<Problem>,
    /// The file of each texture of the scene, or why it is not shown.
    pub textures: Vec<TextureState>,
    family: frame::Family,
    rules: Rules,
    pictures: RefCell<(Option<[u8; 3]>, Arc<Pictures>)>,
    loaded: HashMap<String, Arc<Picture>>,
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

/// What became of a texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextureState {
    /// Read from this file.
    Found(PathBuf),
    /// The game supplies it, or nothing draws it.
    NotLoaded,
    /// Why it could not be read.
    Failed(String),
}

/// Files above this size are refused: drawing them would take the memory of the whole machine.
const LARGEST: usize = 256 << 20;

impl Opened {
    /// Reads a model of a library and everything that it needs.
    ///
    /// # Errors
    /// A sentence about what is wrong with the file.
    pub fn open(library: &Library, path: &Path) -> Result<Self, String> {
        let bytes = library.read(path)?;
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
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        if bytes.starts_with(b"glTF") || extension.as_deref() == Some("gltf") {
            return Self::open_gltf(library, path, &bytes);
        }
        let parsed =
            meshwright::Model::parse_named(&bytes, &name).map_err(|error| format!("{name}: {error}"))?;
        let model = parsed.at(path);
        let (scene, report) = model.to_scene_with(library.resolver());
        let game = model.game();
        let missing = report.notes.iter().filter(|note| note.kind == NoteKind::Missing);
        let missing = missing.map(|note| Problem::missing(note.path.clone(), note.message.clone())).collect();
        let family = match model.family() {
            Family::W3d => frame::Family::W3d,
            Family::Mdx => frame::Family::Mdx,
        };
        // The shaders of BFME II brighten up to twice the texture.
        let rules = Rules { overbright: game == Game::Bfme2, ..Rules::default() };
        let size = bytes.len();
        let mut opened = Self::new(path, size, scene, family, rules, missing);
        let lookup = library.resolver().lookup(path);
        opened.load_textures(|name| {
            let found = lookup.texture(name, model.family()).ok_or("texture not found")?;
            Ok((found.path.clone(), library.picture(&found.path)?))
        });
        opened.game = game.title().to_owned();
        opened.model = Some(model);
        Ok(opened)
    }

    fn open_gltf(library: &Library, path: &Path, bytes: &[u8]) -> Result<Self, String> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let resolve = |relative: &str| {
            library.resolver().files().read(&folder.join(relative)).map_err(std::io::Error::other)
        };
        let import = gltf::read(bytes, &resolve, &gltf::ReadOptions::default());
        let import = import.map_err(|error| format!("{}: {error}", path.display()))?;
        let source_is = |test: &dyn Fn(&gltf::Source) -> bool| import.source.as_ref().is_some_and(test);
        let is_w3d = source_is(&|source| source.format == Family::W3d.name());
        let overbright = source_is(&|source| source.game == Game::Bfme2.name());
        let family = if is_w3d { frame::Family::W3d } else { frame::Family::Mdx };
        let rules = Rules { overbright, ..Rules::default() };
        let mut opened = Self::new(path, bytes.len(), import.scene, family, rules, Vec::new());
        opened.load_textures(|name| {
            let bytes = import.pictures.get(name).ok_or("picture not found")?;
            Ok((PathBuf::from(name), library::decode(bytes, false)?))
        });
        opened.game = "glTF".to_owned();
        Ok(opened)
    }

    fn new(
        path: &Path,
        size: usize,
        scene: Scene,
        family: frame::Family,
        rules: Rules,
        missing: Vec<Problem>,
    ) -> Self {
        let none = Pictures::load(&Scene::default(), &PictureOptions::default(), |_| None);
        Self {
            path: path.to_owned(),
            size,
            model: None,
            textures: vec![TextureState::NotLoaded; scene.textures.len()],
            scene,
            game: String::new(),
            missing,
            family,
            rules,
            pictures: RefCell::new((None, Arc::new(none))),
            loaded: HashMap::new(),
            bounds: RefCell::default(),
            findings: OnceCell::new(),
            summary: OnceCell::new(),
        }
    }

    /// Loads the pictures that the scene draws, each once.
    fn load_textures(&mut self, mut load: impl FnMut(&str) -> Result<(PathBuf, Arc<Picture>), String>) {
        let mut states: HashMap<String, TextureState> = HashMap::new();
        let mut loaded = HashMap::new();
        let pictures = Pictures::load(&self.scene, &PictureOptions::default(), |name| {
            let (state, picture) = match load(name) {
                Ok((path, picture)) => (TextureState::Found(path), Some(picture)),
                Err(reason) => (TextureState::Failed(reason), None),
            };
            states.insert(name.to_owned(), state);
            if let Some(picture) = &picture {
                loaded.insert(name.to_owned(), picture.clone());
            }
            picture
        });
        for (at, texture) in self.scene.textures.iter().enumerate() {
            let Some(state) = states.get(&texture.name) else { continue };
            self.textures[at] = state.clone();
            if let TextureState::Failed(reason) = state {
                let mut problem = Problem::missing(String::new(), format!("{}: {reason}", texture.name));
                problem.texture = Some(TextureId::from(at));
                if !self.missing.iter().any(|known| known.message == problem.message) {
                    self.missing.push(problem);
                }
            }
        }
        self.loaded = loaded;
        self.pictures = RefCell::new((None, Arc::new(pictures)));
    }

    /// The pictures for a team colour. They are made anew when the colour changes.
    #[must_use]
    pub fn pictures(&self, team_color: Option<[u8; 3]>) -> Arc<Pictures> {
        let mut known = self.pictures.borrow_mut();
        if known.0 != team_color {
            let options = PictureOptions { team_color, max_side: None };
            let pictures = Pictures::load(&self.scene, &options, |name| self.loaded.get(name).cloned());
            *known = (team_color, Arc::new(pictures));
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
        Options { family: Some(self.family), rules: self.rules, ..Options::default() }
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
                lookup: Some(library.resolver().lookup(&self.path)),
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
