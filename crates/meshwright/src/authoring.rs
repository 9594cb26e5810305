//! Scenes as models again.

use convert::Report;
use convert::author::mdx::Options;
use model::Document;
use scene::Scene;

use crate::Model;

impl Model {
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
    pub fn mdx_from_scene(scene: &Scene, options: &Options) -> crate::Result<(Self, Report)> {
        let (document, report) = convert::author::mdx::to_mdx(scene, options)?;
        Ok((Self::from_document(Document::Mdx(document)), report))
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
        options: &convert::author::w3d::Options,
    ) -> crate::Result<(Vec<(String, Self)>, Report)> {
        let (files, report) = convert::author::w3d::to_w3d(scene, options)?;
        let models =
            files.into_iter().map(|file| (file.name, Self::from_document(Document::W3d(file.document))));
        Ok((models.collect(), report))
    }
}

#[cfg(feature = "texture")]
pub use convert::author::{TextureFile, TextureFolder, mdx_textures};
