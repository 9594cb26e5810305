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
}

#[cfg(feature = "texture")]
pub use convert::author::{TextureFile, TextureFolder, mdx_textures};
