//! Textures: found, decoded, and converted from one format to another.

use std::path::{Path, PathBuf};

use texture::{Decoder, Texture};

use crate::{Error, Model, Result, Workspace};

/// Decodes a texture, no larger than needed. TGA has no mark by which it could be recognised, so the name decides.
pub(crate) fn decode(bytes: &[u8], name: &str, max_side: u32) -> Result<Texture, texture::Error> {
    decoder(name).decode_up_to(bytes, max_side)
}

fn decoder(name: &str) -> Decoder {
    Decoder { assume_tga: name.to_ascii_lowercase().contains(".tga"), ..Decoder::default() }
}

fn name_of(path: Option<&Path>) -> String {
    let name = path.and_then(Path::file_name).unwrap_or_default();
    name.to_string_lossy().into_owned()
}

impl Workspace {
    /// Reads a texture with all its mip levels. Those of a BLP0 are in files beside it.
    pub fn read_texture(&self, bytes: &[u8], path: Option<&Path>) -> Result<Texture> {
        let name = name_of(path);
        let beside = |level: usize| {
            let path = path?.with_extension(format!("b{level:02}"));
            // As any file that is found: no link out of the folder, no pipe.
            let found = self.files().find(path.parent()?, &[name_of(Some(&path))])?;
            self.files().read(&found).ok()
        };
        let decoded = decoder(&name).decode_external(bytes, beside);
        decoded.map_err(|source| Error::Texture { name, source })
    }
}

impl Model {
    /// The file of a texture that the model names, found near the model's [path](Self::path) by its games' rules: in W3D a
    /// `.dds` comes before the `.tga` that the model names.
    pub fn texture_file(&self, name: &str) -> Option<PathBuf> {
        let path = self.path()?;
        Some(Workspace::default().lookup(Some(path)).texture(name, self.family())?.path)
    }

    /// The pixels of a texture that the model names; `None` if its file is not found.
    pub fn load_texture(&self, name: &str) -> Result<Option<texture::Image>> {
        let Some(path) = self.texture_file(name) else { return Ok(None) };
        let bytes = Workspace::default().read(&path)?;
        let failed = |source| Error::Texture { name: name.to_owned(), source };
        let decoded = decode(&bytes, &name_of(Some(&path)), u32::MAX).map_err(failed)?;
        decoded.mips.into_iter().next().map(Some).ok_or_else(|| failed(texture::Error::MissingLevel(0)))
    }
}

#[cfg(feature = "gltf")]
pub use writing::{BlpPixels, DdsPixels, Mips, TextureOptions, is_texture_name};

#[cfg(feature = "gltf")]
mod writing {
    use super::*;
    use crate::{TextureFormat, Written};
    use scene::{Cause, Note, NoteKind, Report};
    use texture::{Container, DdsFormat, Image, PaletteAlpha};

    /// Extensions of pictures that are read but not written.
    const READ_ONLY: [&str; 2] = ["jpg", "jpeg"];

    /// Whether a file name is that of a picture that is read. Collections of files with equal names append a suffix:
    /// `wood.TGA~fd8ca6a3`.
    pub fn is_texture_name(name: &str) -> bool {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let extension = extension.split('~').next().unwrap_or_default();
        TextureFormat::named(extension).is_some()
            || READ_ONLY.iter().any(|known| known.eq_ignore_ascii_case(extension))
    }

    /// Mipmaps in DDS and BLP.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Mips {
        /// Those of the input; generated for PNG, TGA and JPEG.
        #[default]
        Keep,
        /// All levels from the largest.
        Generate,
        /// Only the largest level.
        None,
    }

    /// The pixel format of DDS.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum DdsPixels {
        /// BC1 if the image is opaque, otherwise BC3.
        #[default]
        Auto,
        /// DXT1: half a byte per pixel, one-bit alpha.
        Bc1,
        /// DXT5: a byte per pixel, smooth alpha.
        Bc3,
        /// A8R8G8B8: four bytes per pixel, lossless.
        Rgba,
    }

    /// The pixel format of BLP.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum BlpPixels {
        /// Full colour.
        #[default]
        Jpeg,
        /// 256 colours, with alpha unless the image is opaque.
        Palette,
    }

    /// How a texture is written.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct TextureOptions {
        /// Mipmaps in DDS and BLP.
        pub mips: Mips,
        /// The pixel format of DDS.
        pub dds: DdsPixels,
        /// The pixel format of BLP.
        pub blp: BlpPixels,
        /// Quality of JPEG inside BLP, from 1 to 100.
        pub quality: u8,
        /// Report pixels that changed as a loss.
        pub measure: bool,
    }

    impl Default for TextureOptions {
        fn default() -> Self {
            let (mips, dds, blp) = (Mips::Keep, DdsPixels::Auto, BlpPixels::Jpeg);
            Self { mips, dds, blp, quality: 90, measure: false }
        }
    }

    impl Workspace {
        /// Converts a texture to another format. `path` is where it is, if it is anywhere.
        pub fn convert_texture(
            &self,
            bytes: &[u8],
            path: Option<&Path>,
            format: TextureFormat,
            options: &TextureOptions,
        ) -> Result<Written> {
            let texture = self.read_texture(bytes, path)?;
            let mut report = Report::default();
            if let Some(error) = &texture.broken {
                let part = format!("mip level {} and smaller", texture.mips.len());
                report.note(NoteKind::Damaged, &part, format!("unreadable: {error}"));
            }
            let mips = options.levels(texture, format, &mut report);
            if let Some(top) = mips.first().filter(|_| format != TextureFormat::Png) {
                let sides = [top.width(), top.height()];
                if !sides.iter().all(|side| side.is_power_of_two()) {
                    let message =
                        format!("{} x {} are not powers of two, as the games need", sides[0], sides[1]);
                    report.note(NoteKind::Assumed, "sides", message);
                }
            }
            let bytes = options.write(&mips, format, &mut report);
            let bytes = bytes.map_err(|source| Error::Texture { name: name_of(path), source })?;
            if options.measure {
                report.notes.extend(difference(&mips, &bytes));
            }
            Ok(Written { bytes, report, ..Written::default() })
        }
    }

    impl TextureOptions {
        /// The levels to write.
        fn levels(&self, texture: Texture, format: TextureFormat, report: &mut Report) -> Vec<Image> {
            let has_mips = matches!(
                texture.info.container,
                Container::Blp0 | Container::Blp1 | Container::Blp2 | Container::Dds
            );
            let mut mips = texture.mips;
            if !format.has_mips() || self.mips == Mips::None {
                mips.truncate(1);
                return mips;
            }
            let is_chain = mips.windows(2).all(|pair| {
                let half = |side: u32| (side / 2).max(1);
                (pair[1].width(), pair[1].height()) == (half(pair[0].width()), half(pair[0].height()))
            });
            if self.mips == Mips::Keep && has_mips && is_chain {
                return mips;
            }
            if self.mips == Mips::Keep && has_mips {
                let message = "not half the size of the previous level; all regenerated";
                report.note(NoteKind::Damaged, "mip levels", message);
            }
            mips.truncate(1);
            mips.into_iter().next().map_or_else(Vec::new, Image::into_mips)
        }

        fn write(
            &self,
            mips: &[Image],
            format: TextureFormat,
            report: &mut Report,
        ) -> Result<Vec<u8>, texture::Error> {
            let top = mips.first().ok_or(texture::Error::MissingLevel(0))?;
            match (format, self.blp) {
                (TextureFormat::Png, _) => texture::encode_png(top),
                (TextureFormat::Tga, _) => texture::encode_tga(top),
                (TextureFormat::Blp, BlpPixels::Jpeg) => texture::encode_blp1_jpeg(mips, self.quality),
                (TextureFormat::Blp, BlpPixels::Palette) => {
                    let is_opaque = mips.iter().all(Image::is_opaque);
                    let alpha = if is_opaque { PaletteAlpha::None } else { PaletteAlpha::Eight };
                    texture::encode_blp1_palette(mips, alpha)
                }
                (TextureFormat::Dds, _) => {
                    let format = match self.dds {
                        DdsPixels::Auto if top.is_opaque() => DdsFormat::Bc1,
                        DdsPixels::Auto | DdsPixels::Bc3 => DdsFormat::Bc3,
                        DdsPixels::Bc1 => DdsFormat::Bc1,
                        DdsPixels::Rgba => DdsFormat::Rgba,
                    };
                    let is_smooth = |image: &Image| image.iter().any(|[.., alpha]| !matches!(alpha, 0 | 255));
                    if format == DdsFormat::Bc1 && is_smooth(top) {
                        let note = Note::new(NoteKind::Skipped, "alpha", "BC1 has one-bit alpha only");
                        report.add(note.because(Cause::OneBitAlpha));
                    }
                    texture::encode_dds(mips, format)
                }
            }
        }
    }

    /// How far the pixels that were written are from those that were meant, if at all.
    fn difference(mips: &[Image], written: &[u8]) -> Option<Note> {
        let again = Decoder { assume_tga: true, ..Decoder::default() }.decode(written).ok()?;
        let pairs = mips.iter().zip(&again.mips);
        let bytes = pairs.flat_map(|(meant, written)| meant.pixels().iter().zip(written.pixels()));
        let most = bytes.map(|(meant, written)| meant.abs_diff(*written)).max().filter(|most| *most > 0)?;
        let message = format!("lossy compression, up to {most} of 255 per channel");
        Some(Note::new(NoteKind::Damaged, "pixels", message))
    }
}
