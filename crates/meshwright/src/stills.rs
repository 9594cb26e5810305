//! Pictures that show something.

use render::frame::{Options, representative_time};
use render::soft::{self, Background, Image, Settings};
use scene::ClipId;

use crate::{Drawing, Result};

/// What the user has chosen, so that [`Drawing::still`] does not change it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// The clip.
    pub clip: bool,
    /// The time.
    pub time: bool,
}

/// A picture with less than this share of its pixels drawn is nearly empty: other moments are tried.
const NEARLY_EMPTY: f32 = 0.03;
/// Another moment is taken if it shows so many times the pixels of the usual one.
const WORTH_IT: f32 = 3.0;
/// Parts of a clip that are tried.
const PARTS: [f32; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];
/// Other clips that are tried, each at its usual moment and at its start.
const MAX_CLIPS: usize = 8;
/// Larger models are drawn once: a picture of them takes long. The unit is a vertex; see [`Drawing::work`].
const MAX_WORK: usize = 300_000;
/// The longer side of the pictures that are tried, in pixels.
const TRIAL_SIDE: u32 = 64;

impl Drawing {
    /// Draws a picture, and returns it with its options. If the picture is nearly empty, because an effect has not begun or a part is
    /// hidden, other moments of the clip and then other clips are tried, unless the user chose them.
    ///
    /// ```
    /// use meshwright::{Chosen, Model, PictureStore, Workspace, render::soft::Settings};
    ///
    /// let settings = Settings::new(32, 32);
    /// let model = Model::parse(w3d::sample::crate_box())?;
    /// let drawing = model.load(&Workspace::default()).drawing(&PictureStore::for_picture(&settings), None);
    /// let (image, options) = drawing.still(drawing.options(&settings), &settings, Chosen::default())?;
    /// assert_eq!((image.width, options.clip), (32, None));
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the size is out of range or there is not enough memory for the picture.
    pub fn still(&self, options: Options, settings: &Settings, chosen: Chosen) -> Result<(Image, Options)> {
        let image = self.draw(&options, settings)?;
        let is_shown = share_drawn(&image, settings.background) >= NEARLY_EMPTY;
        if chosen.time || is_shown || self.work() > MAX_WORK {
            return Ok((image, options));
        }
        match self.better(&options, settings, chosen)? {
            Some(better) => Ok((self.draw(&better, settings)?, better)),
            None => Ok((image, options)),
        }
    }

    /// How much a picture of the model takes, in vertices: a layer takes about as long as ten, a node as one, and an effect as thousands.
    fn work(&self) -> usize {
        let scene = &self.scene;
        let layers = |part: &scene::Part| {
            let material = part.material.and_then(|id| scene.materials.get(id.index()));
            material.map_or(0, |material| material.layers.len())
        };
        let meshes = scene.meshes.iter().map(|mesh| {
            mesh.parts
                .iter()
                .map(layers)
                .sum::<usize>()
                .saturating_mul(10)
                .saturating_add(mesh.positions.len())
        });
        let effects = scene.emitters.len() + scene.ribbons.len() + scene.events.len();
        let others = scene.nodes.len().saturating_add(effects.saturating_mul(2_000));
        meshes.fold(others, usize::saturating_add)
    }

    /// Draws a frame.
    fn draw(&self, options: &Options, settings: &Settings) -> Result<Image> {
        Ok(soft::draw(&self.framer().frame(options), &self.pictures, settings)?)
    }

    /// The options of a moment that shows clearly more.
    fn better(&self, options: &Options, settings: &Settings, chosen: Chosen) -> Result<Option<Options>> {
        let longest = settings.width.max(settings.height).max(1);
        let side = |side: u32| (side.saturating_mul(TRIAL_SIDE) / longest).max(1);
        let small = Settings {
            width: side(settings.width),
            height: side(settings.height),
            background: Background::Transparent,
            threads: settings.threads,
        };
        let share = |options: &Options| -> Result<f32> {
            Ok(share_drawn(&self.draw(options, &small)?, Background::Transparent))
        };
        let mut best = (share(options)? * WORTH_IT, None);
        for moment in self.moments(options, chosen) {
            let shown = share(&moment)?;
            if shown > best.0 {
                best = (shown, Some(moment));
            }
            if best.1.is_some() && best.0 >= NEARLY_EMPTY {
                break;
            }
        }
        Ok(best.1)
    }

    /// Other moments of the clip, then moments of other clips.
    fn moments(&self, options: &Options, chosen: Chosen) -> Vec<Options> {
        let clips = &self.scene.clips;
        let duration = |clip: ClipId| clips.get(clip.index()).map_or(0.0, |clip| clip.duration);
        let at = |clip, time| Options { clip: Some(clip), time, ..options.clone() };
        let mut moments = Vec::new();
        if let Some(clip) = options.clip.filter(|clip| duration(*clip) > 0.0) {
            moments.extend(PARTS.map(|part| at(clip, duration(clip) * part)));
        }
        if !chosen.clip {
            let others = (0..clips.len()).map(ClipId::from).filter(|clip| Some(*clip) != options.clip);
            moments.extend(
                others
                    .take(MAX_CLIPS)
                    .flat_map(|clip| [at(clip, representative_time(duration(clip))), at(clip, 0.0)]),
            );
        }
        moments
    }
}

/// The share of the pixels that are not background.
fn share_drawn(image: &Image, background: Background) -> f32 {
    let empty = match background {
        Background::Transparent => [0; 4],
        Background::Color([red, green, blue]) => [red, green, blue, 255],
    };
    let (pixels, _) = image.pixels.as_chunks::<4>();
    let drawn = pixels.iter().filter(|pixel| **pixel != empty).count();
    drawn as f32 / pixels.len().max(1) as f32
}
