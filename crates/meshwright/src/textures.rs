//! The textures of a model.

use std::path::PathBuf;

use assets::{Folders, Resolver};

use crate::{Error, Model, Result};

impl Model {
    /// The file of a texture that the model names, found near the model's [path](Self::path) by its games' rules: in W3D a
    /// `.dds` comes before the `.tga` that the model names.
    pub fn texture_file(&self, name: &str) -> Option<PathBuf> {
        let path = self.path()?;
        let resolver = Resolver::new(Folders::default());
        Some(resolver.lookup(path).texture(name, self.family())?.path)
    }

    /// The pixels of a texture that the model names; `None` if its file is not found.
    pub fn load_texture(&self, name: &str) -> Result<Option<texture::Image>> {
        let Some(path) = self.texture_file(name) else { return Ok(None) };
        let bytes = crate::files::read(&path)?;
        let image = texture::decode_top(&bytes);
        image.map(Some).map_err(|source| Error::Texture { name: name.to_owned(), source })
    }
}
