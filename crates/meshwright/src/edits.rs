//! Changing a model.

use crate::{Model, Result};

impl Model {
    /// Replaces all references to a texture, ignoring case. Returns the number of references, 0 if the model does not use the
    /// texture. Patterns and other changes are in the crate [`edit`].
    ///
    /// ```
    /// let mut model = meshwright::Model::parse(w3d::sample::crate_box())?;
    /// assert_eq!(model.set_texture("MWCRATE.TGA", "oak.dds")?, 2);
    /// assert_eq!(model.textures(), ["oak.dds"]);
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn set_texture(&mut self, old: &str, new: &str) -> Result<usize> {
        let replacement = edit::Replacement::exact(old, new)?;
        Ok(edit::retexture(self.document_mut().root_mut(), &replacement, false)?)
    }
}
