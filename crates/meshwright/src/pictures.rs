//! A model as a picture.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use convert::{Note, NoteKind, Report};
use model::{Family, Game};
use render::frame::{self, Framer, Options, Rules};
use render::pictures::{Picture, PictureOptions, Pictures};
use render::soft::{self, Settings};
use scene::{Cause, Scene};

use crate::loaded::{From, Textures};
use crate::texture_files::decode;
use crate::{Error, LoadedScene, Model, Result, Workspace};

/// Decoded textures that several models share.
#[derive(Debug, Default)]
pub struct PictureStore {
    /// The longest side that is needed; larger levels are not decoded.
    max_side: Option<u32>,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    by_path: HashMap<PathBuf, Arc<Picture>>,
    bytes: usize,
}

/// Bytes of decoded textures that are kept.
const KEPT_BYTES: usize = 128 << 20;

impl PictureStore {
    /// Keeps textures whose sides are at most this long.
    pub fn with_max_side(max_side: u32) -> Self {
        Self { max_side: Some(max_side), ..Self::default() }
    }

    /// The picture of a texture, decoded once, and its file.
    fn load(&self, textures: &mut Textures<'_>, name: &str) -> Result<(PathBuf, Arc<Picture>), Failed> {
        let is_file = matches!(textures.from, From::Files { .. });
        let path = match textures.locate(name) {
            Some(found) => found.path.clone(),
            None if is_file => return Err(Failed::Missing),
            None => PathBuf::from(name),
        };
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().by_path.get(&path).filter(|_| is_file) {
            return Ok((path, known.clone()));
        }
        let bytes = textures.read(name).ok_or(Failed::Missing)?;
        let file_name = path.file_name().unwrap_or_default().to_string_lossy();
        let picture = Arc::new(self.decode(&bytes, &file_name).map_err(Failed::Damaged)?);
        if is_file {
            let size = picture.levels.iter().map(|level| level.len() * 4).sum::<usize>();
            let mut kept = kept();
            if kept.bytes + size > KEPT_BYTES {
                *kept = Kept::default();
            }
            kept.bytes += size;
            kept.by_path.insert(path.clone(), picture.clone());
        }
        Ok((path, picture))
    }

    /// A texture with all its smaller levels.
    fn decode(&self, bytes: &[u8], name: &str) -> Result<Picture, String> {
        let side = self.max_side.unwrap_or(u32::MAX);
        let decoded = decode(bytes, name, side).map_err(|error| error.to_string())?;
        let levels = decoded.mips.into_iter().map(|image| {
            let (width, height) = (image.width(), image.height());
            (width, height, image.pixels().as_chunks().0.to_vec())
        });
        let mut picture = Picture::from_levels(levels).ok_or("the texture is empty")?;
        picture.shrink(side);
        picture.complete();
        Ok(picture)
    }
}

/// Why a texture has no picture.
enum Failed {
    Missing,
    Damaged(String),
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

/// A model that is ready to be drawn: its scene and its pictures.
#[derive(Debug)]
pub struct Drawing {
    /// The scene.
    pub scene: Scene,
    /// The textures of the scene, in the same order.
    pub textures: Vec<TextureState>,
    /// What could not be found or decoded. The report of the scene is not part of it.
    pub report: Report,
    /// Its pictures.
    pub pictures: Pictures,
    family: frame::Family,
    rules: Rules,
    loaded: HashMap<String, Arc<Picture>>,
    max_side: Option<u32>,
}

impl LoadedScene<'_> {
    /// Loads the pictures that the scene draws, each once.
    pub fn drawing(mut self, store: &PictureStore, team_color: Option<[u8; 3]>) -> Drawing {
        let mut report = Report::default();
        let mut states: HashMap<String, TextureState> = HashMap::new();
        let mut loaded = HashMap::new();
        let max_side = store.max_side;
        let options = PictureOptions { team_color, max_side };
        let pictures = Pictures::load(&self.scene, &options, |name| {
            let (state, picture) = match store.load(&mut self.textures, name) {
                Ok((path, picture)) => (TextureState::Found(path), Some(picture)),
                Err(Failed::Missing) => (TextureState::Failed("texture not found".to_owned()), None),
                Err(Failed::Damaged(reason)) => {
                    report.note(NoteKind::Damaged, name, &*reason);
                    (TextureState::Failed(reason), None)
                }
            };
            states.insert(name.to_owned(), state);
            loaded.extend(picture.iter().map(|picture| (name.to_owned(), picture.clone())));
            picture
        });
        let textures = self.scene.textures.iter();
        let state = |name: &String| states.get(name).cloned().unwrap_or(TextureState::NotLoaded);
        let textures = textures.map(|texture| state(&texture.name)).collect();
        let family = self.origin.family;
        let family = if matches!(family, Some(Family::W3d | Family::W3x)) {
            frame::Family::W3d
        } else {
            frame::Family::Mdx
        };
        // The shaders of BFME II brighten up to twice the texture.
        let rules = Rules { overbright: self.origin.game == Some(Game::Bfme2), ..Rules::default() };
        let mut drawing =
            Drawing { scene: self.scene, textures, report, pictures, family, rules, loaded, max_side };
        let missing = drawing.missing_textures();
        let note = |name| Note::new(NoteKind::Missing, name, "texture not found");
        let mut missing: Report = missing.map(|name| note(name).because(Cause::MissingTexture)).collect();
        self.textures.explain(&mut missing);
        drawing.report.append(missing);
        drawing
    }
}

impl Drawing {
    /// The names of the textures without a picture, sorted, each once.
    fn missing_textures(&self) -> impl Iterator<Item = &str> {
        let missing = self.pictures.missing().iter();
        let textures = &self.scene.textures;
        let mut missing: Vec<&str> =
            missing.filter_map(|id| Some(textures.get(id.index())?.name.as_str())).collect();
        missing.sort_unstable();
        missing.dedup();
        missing.into_iter()
    }

    /// The pictures for another team colour.
    pub fn pictures_in(&self, team_color: Option<[u8; 3]>) -> Pictures {
        let options = PictureOptions { team_color, max_side: self.max_side };
        Pictures::load(&self.scene, &options, |name| self.loaded.get(name).cloned())
    }

    /// A framer of the scene.
    pub fn framer(&self) -> Framer<'_> {
        Framer::new(&self.scene).with_missing(self.pictures.missing())
    }

    /// Options for the model and the shape of the picture: its Stand clip, seen from the front at an angle.
    pub fn options(&self, settings: &Settings) -> Options {
        Options {
            family: Some(self.family),
            aspect: settings.width as f32 / settings.height.max(1) as f32,
            rules: self.rules,
            ..Options::for_scene(&self.scene)
        }
    }
}

impl Model {
    /// The model as a PNG with a transparent background: its Stand clip, seen from the front at an angle, with its companions and
    /// textures, found as [`Self::to_scene`] finds them. For other views, clips and backgrounds use [`Self::draw`].
    ///
    /// ```
    /// let png = meshwright::Model::parse(w3d::sample::crate_box())?.to_png(64, 64)?;
    /// assert!(png.starts_with(b"\x89PNG"));
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn to_png(&self, width: u32, height: u32) -> Result<Vec<u8>> {
        let image = self.draw(&Workspace::default(), &Settings::new(width, height), |_| ())?;
        to_png(image)
    }

    /// The model as pixels. `choose` changes the options: the clip, the time, the camera, what is shown.
    ///
    /// ```
    /// use meshwright::render::{frame::Viewpoint, soft::Settings};
    ///
    /// let model = meshwright::Model::parse(w3d::sample::crate_box())?;
    /// let image = model.draw(&meshwright::Workspace::default(), &Settings::new(32, 32), |options| {
    ///     options.viewpoint = Viewpoint::TOP;
    ///     options.overlays.grid = true;
    /// })?;
    /// assert_eq!(image.pixels.len(), 32 * 32 * 4);
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn draw(
        &self,
        workspace: &Workspace,
        settings: &Settings,
        choose: impl FnOnce(&mut Options),
    ) -> Result<soft::Image> {
        let drawing = self.load(workspace).drawing(&PictureStore::for_picture(settings), None);
        let mut options = drawing.options(settings);
        choose(&mut options);
        let recoloured = options.team_color.map(|color| drawing.pictures_in(Some(color)));
        let frame = drawing.framer().frame(&options);
        Ok(soft::draw(&frame, recoloured.as_ref().unwrap_or(&drawing.pictures), settings)?)
    }
}

impl PictureStore {
    /// For pictures of this size: a model that fills the picture shows about half of a texture along each side.
    pub fn for_picture(settings: &Settings) -> Self {
        Self::with_max_side(settings.width.max(settings.height).saturating_mul(2).next_power_of_two())
    }
}

/// A picture as a PNG file.
pub fn to_png(image: soft::Image) -> Result<Vec<u8>> {
    let soft::Image { width, height, pixels } = image;
    let failed = |source| Error::Texture { name: "the picture".to_owned(), source };
    let image = texture::Image::new(width, height, pixels).map_err(failed)?;
    texture::encode_png(&image).map_err(failed)
}
