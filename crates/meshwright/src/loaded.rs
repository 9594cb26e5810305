//! [`LoadedScene`]: a model as a scene, with everything that is needed to write or draw it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use assets::stock::StockKind;
use assets::{Located, Lookup};
use convert::author;
use convert::w3d::{Engine, Library};
use convert::{Note, NoteKind, Report};
use model::{Document, Family, Game};
use scene::{Cause, Property, Scene};

use crate::{Model, Result, Workspace};

/// A model as a scene, with its textures and what is known about its origin: read by [`Workspace::load`], [`Model::load`] or, from glTF,
/// [`Workspace::load_gltf`]. It can be written in every format, and drawn.
#[derive(Debug)]
pub struct LoadedScene<'w> {
    /// The scene.
    pub scene: Scene,
    /// What it was made of.
    pub origin: Origin,
    /// What the glTF file says that it was made of.
    #[cfg(feature = "gltf")]
    pub source: Option<gltf::Source>,
    /// Custom properties that people typed into a glTF file.
    pub properties: Vec<Property>,
    /// What could not be converted or found.
    pub report: Report,
    /// Its textures.
    pub textures: Textures<'w>,
    /// The files that were read for it, besides the model and its textures.
    pub read: Vec<PathBuf>,
    /// Which chunks of a W3D file its parts come from.
    pub chunks: Option<convert::w3d::Origins>,
}

/// Says of skeletons and objects that were not found, but that the game ships, that they are the game's.
fn explain_companions(lookup: Lookup<'_>, game: Game, report: &mut Report) {
    for note in report.notes.iter_mut().filter(|note| note.cause == Some(Cause::MissingCompanion)) {
        // `A.B` and `A` are in the file A.
        let file = note.sought.as_deref().and_then(|name| name.split('.').next());
        let Some(file) = file.filter(|file| !file.is_empty()) else { continue };
        if lookup.is_supplied(game, StockKind::Model, &format!("{file}.w3d")) {
            note.message.push_str("; it is supplied by the game, whose files are not here");
            note.cause = Some(Cause::SuppliedByGame);
        }
    }
}

/// What a scene was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The family of the model that it was, if it was one.
    pub family: Option<Family>,
    /// The version of MDX.
    pub version: Option<u32>,
    /// The game of the model.
    pub game: Option<Game>,
    /// Whether it was read from glTF: people may have typed names and properties, and the scale is applied.
    pub is_gltf: bool,
}

impl Origin {
    /// What a document is.
    pub fn of_document(document: &Document<'_>, game: Game) -> Self {
        let version = match document {
            Document::Mdx(document) => Some(document.version),
            _ => None,
        };
        Self { family: Some(document.family()), version, game: Some(game), is_gltf: false }
    }

    /// What a glTF file says that it was made of.
    #[cfg(feature = "gltf")]
    pub fn of_gltf(source: Option<&gltf::Source>) -> Self {
        Self {
            family: source.and_then(|source| Family::named(&source.format)),
            version: source.and_then(|source| source.version.as_deref()?.parse().ok()),
            game: source.and_then(|source| Game::named(&source.game)),
            is_gltf: true,
        }
    }
}

impl Workspace {
    /// The scene of a document, with the skeletons, animations and models that it refers to.
    pub fn load<'w>(&'w self, document: &Document<'_>, path: Option<&'w Path>) -> LoadedScene<'w> {
        let game = self.game(document, path);
        let lookup = self.lookup(path);
        let mut chunks = None;
        let (scene, report, read) = match document {
            Document::W3d(file) => {
                let (scene, report, read, origins) = self.load_w3d(lookup, file, game);
                chunks = Some(origins);
                (scene, report, read)
            }
            Document::W3x(file) => self.load_w3x(lookup, file),
            Document::Mdx(file) => {
                let options = convert::mdx::Options { limits: self.limits(), ..Default::default() };
                let (scene, report) = convert::mdx::to_scene(file, &options);
                (scene, report, Vec::new())
            }
            _ => Default::default(),
        };
        let origin = Origin::of_document(document, game);
        let family = document.family();
        let textures = Textures::from(From::Files { workspace: self, lookup, family, game });
        LoadedScene {
            scene,
            origin,
            #[cfg(feature = "gltf")]
            source: Some(gltf::Source {
                format: family.name().to_owned(),
                version: origin.version.map(|version| version.to_string()),
                game: game.name().to_owned(),
                ..gltf::Source::default()
            }),
            properties: Vec::new(),
            report,
            textures,
            read,
            chunks,
        }
    }

    fn load_w3d(
        &self,
        lookup: Lookup<'_>,
        file: &w3d::W3d<'_>,
        game: Game,
    ) -> (Scene, Report, Vec<PathBuf>, convert::w3d::Origins) {
        let companions = lookup.companions(file);
        let given = self.resolver().given();
        let mut library = Library::new(file);
        // Files given by the user have priority over files that were found.
        let documents = given.iter().map(|found| &found.document).chain(&companions.documents);
        documents.for_each(|document| library.add(document));
        let options = convert::w3d::Options {
            engine: match game {
                Game::Renegade | Game::EarthAndBeyond | Game::Tt4 | Game::Tt5 => Engine::Renegade,
                _ => Engine::Generals,
            },
            // Animations for an equal skeleton of another name are used only from files given by the user.
            clips_of_twins: !given.is_empty(),
            limits: self.limits(),
            ..Default::default()
        };
        let (scene, mut report, origins) = convert::w3d::to_traced_scene(&library, None, &options);
        explain_companions(lookup, game, &mut report);
        let read = given.iter().map(|found| found.path.clone()).chain(companions.paths).collect();
        (scene, report, read, origins)
    }

    fn load_w3x(&self, lookup: Lookup<'_>, file: &w3x::W3x<'_>) -> (Scene, Report, Vec<PathBuf>) {
        let companions = lookup.w3x_companions(file);
        let given = self.resolver().given_w3x();
        let mut library = convert::w3x::Library::new(file);
        // Files given by the user have priority over files that were found.
        let documents = given.iter().map(|(_, document)| document).chain(&companions.documents);
        documents.for_each(|document| library.add(document));
        let options = convert::w3x::Options { limits: self.limits(), ..Default::default() };
        let (scene, report) = convert::w3x::to_scene(&library, &options);
        (scene, report, given.iter().map(|(path, _)| path.clone()).chain(companions.paths).collect())
    }

    /// The bounding box of a document's meshes in the rest pose: minimum and maximum in the axes of glTF. Other files are not read, so a
    /// skin without its skeleton is measured as its vertices are stored.
    pub fn bounds(&self, document: &Document<'_>) -> Option<[[f32; 3]; 2]> {
        let bounds = self.own_scene(document, false).rest_bounds()?;
        Some([bounds.min.to_array(), bounds.max.to_array()])
    }

    /// The scene of what is in a document itself, with or without its animations. Other files are not read, so it depends on nothing else;
    /// a skin without its skeleton has its vertices as they are stored.
    pub fn own_scene(&self, document: &Document<'_>, animations: bool) -> Scene {
        let limits = self.limits();
        match document {
            Document::W3d(file) => {
                let options = convert::w3d::Options { animations, limits, ..Default::default() };
                convert::w3d::to_scene(&Library::new(file), None, &options).0
            }
            Document::Mdx(file) => {
                let options = convert::mdx::Options { animations, limits, ..Default::default() };
                convert::mdx::to_scene(file, &options).0
            }
            Document::W3x(file) => {
                let options = convert::w3x::Options { animations, limits };
                convert::w3x::to_scene(&convert::w3x::Library::new(file), &options).0
            }
            _ => Scene::default(),
        }
    }
}

impl LoadedScene<'_> {
    /// The game of the model; for glTF of other programs, Warcraft III.
    pub fn game(&self) -> Game {
        self.origin.game.unwrap_or(Game::Wc3Classic)
    }

    /// Whether there is nothing to convert. A model without any object still has a root node.
    pub fn is_empty(&self) -> bool {
        let scene = &self.scene;
        scene.nodes.len() <= 1
            && scene.meshes.is_empty()
            && scene.clips.is_empty()
            && scene.lights.is_empty()
            && scene.cameras.is_empty()
            && scene.emitters.is_empty()
            && scene.ribbons.is_empty()
            && scene.primitives.is_empty()
            && scene.attachments.is_empty()
            && scene.events.is_empty()
            && scene.collision_shapes.is_empty()
            && scene.dazzles.is_empty()
            && scene.sounds.is_empty()
    }
}

/// The textures of a model, each searched once.
#[derive(Debug)]
pub struct Textures<'w> {
    pub(crate) from: From<'w>,
    located: HashMap<String, Option<Located>>,
    /// Textures that the game would not find.
    pub report: Report,
}

/// Where textures come from.
#[derive(Debug)]
pub(crate) enum From<'w> {
    Files {
        workspace: &'w Workspace,
        lookup: Lookup<'w>,
        family: Family,
        #[cfg_attr(
            not(any(feature = "gltf", feature = "render")),
            expect(dead_code, reason = "only files that are written, and pictures, explain what is missing")
        )]
        game: Game,
    },
    /// Those that a glTF file has with it.
    #[cfg(feature = "gltf")]
    Pictures(gltf::Pictures),
}

impl<'w> Textures<'w> {
    pub(crate) fn from(from: From<'w>) -> Self {
        Self { from, located: HashMap::new(), report: Report::default() }
    }

    /// The files that were found.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.located.values().flatten().map(|located| located.path.clone())
    }

    /// The file of a texture, as the model's game finds it.
    pub fn locate(&mut self, name: &str) -> Option<&Located> {
        let (lookup, family) = match &self.from {
            From::Files { lookup, family, .. } => (lookup, family),
            #[cfg(feature = "gltf")]
            From::Pictures(_) => return None,
        };
        if !self.located.contains_key(name) {
            self.located.insert(name.to_owned(), lookup.texture(name, *family));
        }
        self.located.get(name)?.as_ref()
    }

    /// Says of textures that were not found, but that the game ships, that they are the game's.
    #[cfg(any(feature = "gltf", feature = "render"))]
    pub(crate) fn explain(&self, report: &mut Report) {
        let (lookup, game) = match &self.from {
            From::Files { lookup, game, .. } => (lookup, game),
            #[cfg(feature = "gltf")]
            From::Pictures(_) => return,
        };
        for note in report.notes.iter_mut().filter(|note| note.cause == Some(Cause::MissingTexture)) {
            if lookup.is_supplied(*game, StockKind::Texture, &note.part) {
                note.message = "supplied by the game, whose files are not here".to_owned();
                note.cause = Some(Cause::SuppliedByGame);
            }
        }
    }

    /// The bytes of a texture.
    pub fn read(&mut self, name: &str) -> Option<Vec<u8>> {
        let found = self.locate(name).cloned();
        match (&self.from, found) {
            (From::Files { workspace, family, .. }, Some(found)) => {
                let bytes = workspace.read(&found.path).ok()?;
                if !found.expected {
                    let path = found.path.display();
                    let message = match family {
                        Family::W3d | Family::W3x => {
                            format!("found in a format that the game does not read: {path}")
                        }
                        _ => format!("found in a folder that the game does not search: {path}"),
                    };
                    self.report.notes.push(Note::new(NoteKind::Assumed, name, message));
                }
                Some(bytes)
            }
            #[cfg(feature = "gltf")]
            (From::Pictures(pictures), _) => pictures.get(name).map(<[u8]>::to_vec),
            _ => None,
        }
    }
}

#[cfg(feature = "gltf")]
impl gltf::TextureSource for Textures<'_> {
    fn find(&mut self, name: &str) -> Option<gltf::Picture> {
        self.read(name).map(gltf::Picture::File)
    }

    fn key(&mut self, name: &str) -> String {
        match self.locate(name) {
            // Different names may refer to one file through links.
            Some(found) => {
                let path = found.path.canonicalize().unwrap_or_else(|_| found.path.clone());
                path.to_string_lossy().into_owned()
            }
            None => name.to_lowercase(),
        }
    }
}

impl Model {
    /// The scene that the model describes: Y is up, times are in seconds, and all positions are in one space.
    ///
    /// Skeletons, animations and models in other files are found near the model's [path](Self::path) by the games' rules.
    /// For many models, or to search other folders, use [`Self::load`].
    ///
    /// ```
    /// let scene = meshwright::Model::parse(w3d::sample::crate_box())?.to_scene();
    /// assert_eq!((scene.meshes.len(), scene.clips.len()), (2, 1));
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn to_scene(&self) -> Scene {
        self.load(&Workspace::default()).scene
    }

    /// The scene that the model describes with its textures, and a report of losses and missing files. The workspace determines where
    /// to search; many models can share it.
    pub fn load<'w>(&'w self, workspace: &'w Workspace) -> LoadedScene<'w> {
        workspace.load(self.document(), self.path())
    }

    /// The game that the model is probably for, guessed from its content and its [path](Self::path).
    pub fn game(&self) -> Game {
        Workspace::default().game(self.document(), self.path())
    }

    /// The MDX model that a scene describes, and what could not be written: from a W3D model, or from a scene that a program made.
    ///
    /// Fails if the version is unknown or the scene has more bones than the format can count; everything else is divided,
    /// shortened or dropped, and reported.
    ///
    /// ```
    /// use meshwright::{Model, convert::author::mdx::Options};
    /// let tank = Model::parse(w3d::sample::crate_box())?;
    /// let (model, losses) = Model::mdx_from_scene(&tank.to_scene(), &Options::default())?;
    /// assert!(model.to_bytes()?.starts_with(b"MDLX"));
    /// assert_eq!(model.clips().len(), 3, "its own, and Stand and Death, which the game needs");
    /// assert!(losses.notes.iter().any(|note| note.message.contains("Death")));
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn mdx_from_scene(scene: &Scene, options: &author::mdx::Options) -> Result<(Self, Report)> {
        let (document, report) = author::mdx::to_mdx(scene, options)?;
        Ok((Self::from(document), report))
    }

    /// The W3D files that a scene describes, the model first, and what could not be written: from an MDX model, or from a scene that a
    /// program made. Each file has the name that the game looks for.
    ///
    /// Fails if a skeleton or a clip is longer than the format can count; everything else is divided, shortened or dropped, and
    /// reported.
    ///
    /// ```
    /// use meshwright::convert::author::w3d::{Options, Profile};
    /// use meshwright::{Game, Model};
    /// let crate_box = Model::parse(w3d::sample::crate_box())?;
    /// let options = Options { profile: Profile::ZeroHour, ..Options::default() };
    /// let (files, losses) = Model::w3d_from_scene(&crate_box.to_scene(), &options)?;
    /// let (name, model) = &files[0];
    /// assert_eq!((name.as_str(), model.clips().len()), ("MWCRATE.w3d", 1));
    /// assert!(model.check_for(Game::ZeroHour).is_empty());
    /// assert!(losses.notes.is_empty());
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn w3d_from_scene(
        scene: &Scene,
        options: &author::w3d::Options,
    ) -> Result<(Vec<(String, Self)>, Report)> {
        let (files, report) = author::w3d::to_w3d(scene, options)?;
        let models = files.into_iter().map(|file| (file.name, Self::from(file.document)));
        Ok((models.collect(), report))
    }
}
