//! The pictures of the rasteriser.

use crate::frame::PictureId;
use crate::pictures::Pictures;

/// Provides the pictures of draw calls.
pub trait PictureSource: Sync {
    /// The levels of a picture, the largest first. A picture without levels is treated as absent.
    fn levels(&self, picture: PictureId) -> Vec<Level<'_>>;
}

impl PictureSource for Pictures {
    fn levels(&self, picture: PictureId) -> Vec<Level<'_>> {
        let picture = self.get(picture);
        let level = |(index, texels)| {
            let (width, height) = picture.size(index);
            Level { width, height, texels }
        };
        picture.levels.iter().map(Vec::as_slice).enumerate().map(level).collect()
    }
}

/// A picture, or a smaller version of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level<'p> {
    /// Texels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue, alpha, row by row from the top; `width · height` of them.
    pub texels: &'p [[u8; 4]],
}
