//! Models in files.

use std::path::Path;

use model::Format;

use crate::{Error, Model, Result};

impl Model {
    /// Reads a file: W3D, MDX, MDL, or the JSON text form, recognised by its content. The model remembers the path, so that
    /// files that it refers to are found near it.
    ///
    /// With the feature `files` it may be in an archive: `W3DZH.big/art/w3d/tank.w3d`. [`Workspace::open`](crate::Workspace::open) opens
    /// archives once for many models.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        #[cfg(feature = "files")]
        return crate::Workspace::default().open(path);
        #[cfg(not(feature = "files"))]
        {
            /// Several times the largest model of any game.
            const LIMIT: u64 = 256 << 20;
            let path = path.as_ref();
            let bytes = file::read(path, LIMIT).map_err(|error| Error::io(path)(error.into()))?;
            let name = path.file_name().map(|name| name.to_string_lossy());
            let model = Self::read(&bytes, name.as_deref()).map_err(Error::file(path))?;
            Ok(model.at(path))
        }
    }

    /// Writes the model to a file, in the format of its extension: `w3d`, `mdx`, `mdl`, `json`, and with the feature `gltf`
    /// also `glb`, `gltf`, `obj`, `ply` and `stl`. Files are written atomically, and are on the disk when this returns. A file that has
    /// the whole document (`w3d`, `mdx`, `mdl`, `json`) becomes the model's [path](Self::path) and [format](Self::format).
    ///
    /// [`Self::convert`](crate::Model#method.convert) tells what other formats lose, and also writes the other family's.
    pub fn save(&mut self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let format = Format::of_file_name(&name);
        let format = format.filter(|format| format.written_from == model::WrittenFrom::Document);
        let write = |path: &Path, bytes: &[u8]| file::write_durably(path, bytes).map_err(Error::io(path));
        if let Some(format) = format {
            write(path, &self.write(format).map_err(Error::file(path))?)?;
            self.saved(path, format);
            return Ok(());
        }
        #[cfg(feature = "gltf")]
        {
            let target = crate::Target::of_file_name(&name).map_err(|error| error.at(path))?;
            let options = crate::ConvertOptions {
                file_name: Some(name.into_owned()),
                ..crate::ConvertOptions::new(target)
            };
            let written =
                self.convert(&crate::Workspace::default(), &options).map_err(|error| error.at(path))?;
            for (name, bytes) in &written.others {
                write(&path.with_file_name(name), bytes)?;
            }
            write(path, &written.bytes)
        }
        #[cfg(not(feature = "gltf"))]
        {
            let names: Vec<&str> = model::FORMATS.iter().map(|format| format.name).collect();
            let message = format!("cannot be written in this format; supported: {}", names.join(", "));
            Err(Error::file(path)(record::Error::new("FILE-FORMAT", 0..0, message)))
        }
    }
}
