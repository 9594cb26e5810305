//! What the panels remember that is no setting.

use crate::chunks::Way;
use meshwright::scene::TextureId;
use std::path::PathBuf;

/// What the panels remember that is no setting.
#[derive(Default)]
pub(crate) struct Interface {
    /// Whether files over the window would be dropped beside the model.
    pub(crate) drop_beside: bool,
    /// The chunk that the list was last scrolled to.
    pub(crate) scrolled_to: Option<Way>,
    /// Textures of the model as egui shows them, with the picture that they show.
    pub(crate) pictures: Shown,
}

/// The texture that is shown large.
#[derive(Default)]
pub(crate) struct Shown {
    pub(crate) texture: Option<egui::TextureHandle>,
    pub(crate) key: Option<(PathBuf, TextureId, Part)>,
    pub(crate) part: Part,
    pub(crate) coordinates: bool,
}

/// What is shown of a texture.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum Part {
    /// Its colour, over a checker where it is transparent.
    #[default]
    Blended,
    /// Its colour alone.
    Color,
    /// Its alpha as grey.
    Alpha,
}
