//! Textures: one picture format to another.

use assets::Files as _;
use convert::NoteKind;
use model::Format;
use texture::{Container, DdsFormat, Decoder, Image, PaletteAlpha, Texture};

use crate::input::{self, Problem, Search, Source};
use crate::losses::Loss;

use super::target::{BlpPixels, DdsPixels, Mips, Target, TextureArgs, TextureFormat};

/// Extensions of pictures that are read but not written.
const READ_ONLY: [&str; 2] = ["jpg", "jpeg"];

/// Whether a file name is that of a picture, as [`TextureFormat`] has them. Collections of files with equal names append a suffix:
/// `wood.TGA~fd8ca6a3`.
pub(super) fn is_texture_name(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let extension = extension.split('~').next().unwrap_or_default();
    TextureFormat::named(extension).is_some()
        || READ_ONLY.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// What folders are searched for.
pub(super) const SEARCH: Search<'static> = Search {
    what: "textures",
    searched: ".blp .dds .tga .png .jpg .jpeg",
    is_wanted: &is_texture_name,
    skip: |_| None,
};

impl TextureArgs {
    /// Converts the texture in `bytes`; `strict` adds a loss where pixels change.
    pub(super) fn convert(
        &self,
        source: &Source,
        bytes: &[u8],
        format: TextureFormat,
        strict: bool,
    ) -> Result<(Vec<u8>, Vec<Loss>), Problem> {
        let texture = read(source, bytes)?;
        let mut losses = Vec::new();
        if let Some(error) = &texture.broken {
            let part = format!("mip level {} and smaller", texture.mips.len());
            losses.push(Loss::one(NoteKind::Damaged, part, format!("unreadable: {error}")));
        }
        let mips = self.levels(texture, format, &mut losses);
        let written = self.write(&mips, format, &mut losses);
        let written = written.map_err(|error| Problem::system(&source.path, error.to_string(), None))?;
        if strict {
            losses.extend(difference(&mips, &written));
        }
        Ok((written, losses))
    }

    /// The levels to write.
    fn levels(&self, texture: Texture, format: TextureFormat, losses: &mut Vec<Loss>) -> Vec<Image> {
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
            losses.push(Loss::one(NoteKind::Damaged, "mip levels".to_owned(), message));
        }
        mips.truncate(1);
        mips.into_iter().next().map_or_else(Vec::new, Image::into_mips)
    }

    fn write(
        &self,
        mips: &[Image],
        format: TextureFormat,
        losses: &mut Vec<Loss>,
    ) -> Result<Vec<u8>, texture::Error> {
        let top = mips.first().ok_or(texture::Error::MissingLevel(0))?;
        match (format, self.blp_format) {
            (TextureFormat::Png, _) => texture::encode_png(top),
            (TextureFormat::Tga, _) => texture::encode_tga(top),
            (TextureFormat::Blp, BlpPixels::Jpeg) => texture::encode_blp1_jpeg(mips, self.quality),
            (TextureFormat::Blp, BlpPixels::Palette) => {
                let is_opaque = mips.iter().all(Image::is_opaque);
                let alpha = if is_opaque { PaletteAlpha::None } else { PaletteAlpha::Eight };
                texture::encode_blp1_palette(mips, alpha)
            }
            (TextureFormat::Dds, _) => {
                let format = match self.dds_format {
                    DdsPixels::Auto if top.is_opaque() => DdsFormat::Bc1,
                    DdsPixels::Auto | DdsPixels::Bc3 => DdsFormat::Bc3,
                    DdsPixels::Bc1 => DdsFormat::Bc1,
                    DdsPixels::Rgba => DdsFormat::Rgba,
                };
                let is_smooth = |image: &Image| image.iter().any(|[.., alpha]| !matches!(alpha, 0 | 255));
                if format == DdsFormat::Bc1 && is_smooth(top) {
                    let message = "BC1 has one-bit alpha only; --dds-format bc3 preserves smooth alpha";
                    losses.push(Loss::one(NoteKind::LeftOut, "alpha".to_owned(), message));
                }
                texture::encode_dds(mips, format)
            }
        }
    }
}

/// Decodes a texture; the levels of a BLP0 are in files beside it.
fn read(source: &Source, bytes: &[u8]) -> Result<Texture, Problem> {
    let name = source.path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let decoder = Decoder { assume_tga: name.contains(".tga"), ..Decoder::default() };
    let beside = |level: usize| {
        let path = source.file()?.with_extension(format!("b{level:02}"));
        let name = path.file_name()?.to_string_lossy().into_owned();
        // As any file that is found: no link out of the folder, no pipe.
        let found = input::files().find(path.parent()?, &[name])?;
        input::files().read(&found).ok()
    };
    decoder.decode_external(bytes, beside).map_err(|error| {
        let found = Format::detect(bytes, None).ok();
        match (&error, found) {
            (texture::Error::Unrecognised, Some(format)) => {
                let message = format!("not a texture: it is a {} file", format.name.to_uppercase());
                let note = format!("convert it to one of {}", Target::names());
                Problem::system(&source.path, message, Some(&note))
            }
            (texture::Error::MissingLevel(_), _) if bytes.starts_with(b"BLP0") => {
                let note = "the pixels of a BLP0 texture are in separate files: .b00, .b01 and so on";
                Problem::system(&source.path, error.to_string(), Some(note))
            }
            _ => Problem::system(&source.path, error.to_string(), None),
        }
    })
}

/// How far the pixels that were written are from those that were meant, if at all.
fn difference(mips: &[Image], written: &[u8]) -> Option<Loss> {
    let again = Decoder { assume_tga: true, ..Decoder::default() }.decode(written).ok()?;
    let pairs = mips.iter().zip(&again.mips);
    let bytes = pairs.flat_map(|(meant, written)| meant.pixels().iter().zip(written.pixels()));
    let most = bytes.map(|(meant, written)| meant.abs_diff(*written)).max().filter(|most| *most > 0)?;
    let message = format!("lossy compression, up to {most} of 255 per channel");
    Some(Loss::one(NoteKind::Damaged, "pixels".to_owned(), message))
}
