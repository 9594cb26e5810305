//! A model as a picture.

use std::sync::Arc;

use assets::{Folders, Resolver};
use model::{Family, Game};
use render::frame::{self, Framer, Options, Rules};
use render::pictures::{Picture, PictureOptions, Pictures};
use render::soft::{self, Settings};

use crate::{Error, Model, Result};

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
        let resolver = Resolver::new(Folders::default());
        let image = self.draw(&resolver, &Settings::new(width, height), |_| ())?;
        let soft::Image { width, height, pixels } = image;
        let failed = |source| Error::Texture { name: "the picture".to_owned(), source };
        let image = texture::Image::new(width, height, pixels).map_err(failed)?;
        texture::encode_png(&image).map_err(failed)
    }

    /// The model as pixels. `choose` changes the options: the clip, the time, the camera, what is shown.
    ///
    /// ```
    /// use meshwright::render::{frame::Viewpoint, soft::Settings};
    ///
    /// let model = meshwright::Model::parse(w3d::sample::crate_box())?;
    /// let resolver = assets::Resolver::new(assets::Folders::default());
    /// let image = model.draw(&resolver, &Settings::new(32, 32), |options| {
    ///     options.viewpoint = Viewpoint::TOP;
    ///     options.overlays.grid = true;
    /// })?;
    /// assert_eq!(image.pixels.len(), 32 * 32 * 4);
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn draw(
        &self,
        resolver: &Resolver,
        settings: &Settings,
        choose: impl FnOnce(&mut Options),
    ) -> Result<soft::Image> {
        let (scene, _) = self.to_scene_with(resolver);
        let mut options = Options {
            family: Some(match self.family() {
                Family::W3d => frame::Family::W3d,
                Family::Mdx => frame::Family::Mdx,
            }),
            aspect: settings.width as f32 / settings.height.max(1) as f32,
            // The shaders of BFME II brighten up to twice the texture.
            rules: Rules { overbright: self.game() == Game::Bfme2, ..Rules::default() },
            ..Options::for_scene(&scene)
        };
        choose(&mut options);
        let wanted = PictureOptions { team_color: options.team_color, max_side: None };
        let pictures = Pictures::load(&scene, &wanted, |name| {
            let texture = texture::decode(&self.texture_bytes(name, resolver)?).ok()?;
            let levels = texture.mips.into_iter().map(|image| {
                let (width, height) = (image.width(), image.height());
                (width, height, image.pixels().as_chunks().0.to_vec())
            });
            Picture::from_levels(levels).map(Arc::new)
        });
        let frame = Framer::new(&scene).with_missing(pictures.missing()).frame(&options);
        Ok(soft::draw(&frame, &pictures, settings)?)
    }
}
