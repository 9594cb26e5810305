use crate::Error;

/// A picture: rows from top to bottom, four bytes a pixel in the order red, green, blue, alpha, alpha not
/// multiplied into the colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Image {
    /// A picture from its pixels.
    ///
    /// # Errors
    /// [`Error::Size`] if a side is zero or `pixels` does not hold `width * height` pixels.
    pub fn new(width: u32, height: u32, pixels: Vec<u8>) -> Result<Image, Error> {
        let expected = u64::from(width).checked_mul(u64::from(height)).and_then(|count| count.checked_mul(4));
        if expected == Some(0) || expected != Some(pixels.len() as u64) {
            return Err(Error::Size { width, height });
        }
        Ok(Image { width, height, pixels })
    }

    /// Pixels per row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All bytes, `width * height * 4`.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The bytes without the picture.
    pub fn into_pixels(self) -> Vec<u8> {
        self.pixels
    }

    /// The pixels one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = [u8; 4]> + '_ {
        self.pixels.as_chunks().0.iter().copied()
    }

    /// The rows from top to bottom.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[[u8; 4]]> + '_ {
        self.pixels.as_chunks().0.chunks_exact(self.width as usize)
    }

    /// The pixel in column `x` of row `y`, if there is one.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let row = self.rows().nth(y as usize)?;
        row.get(x as usize).copied()
    }

    /// Whether every alpha is 255.
    pub fn is_opaque(&self) -> bool {
        self.iter().all(|[.., alpha]| alpha == 255)
    }

    /// The next smaller level by a box filter: each side halved, rounded down but never below one.
    ///
    /// The four channels are averaged apart from each other. Weighting colour by alpha would give nicer edges on
    /// cut-outs, but the games also keep masks (team colour, gloss) in alpha, and there the colour under alpha 0
    /// counts.
    pub fn half(&self) -> Image {
        let (width, height) = (half(self.width), half(self.height));
        let mut pixels = Vec::with_capacity(width as usize * height as usize * 4);
        // The last box of a side of odd length includes the remaining row or column.
        let span = |index: u32, count: u32, length: u32| {
            let start = (index * 2).min(length - 1);
            let end = if index + 1 == count { length } else { start + 2 };
            start as usize..end as usize
        };
        let source: Vec<&[[u8; 4]]> = self.rows().collect();
        for y in 0..height {
            for x in 0..width {
                let (rows, columns) = (span(y, height, self.height), span(x, width, self.width));
                let count = (rows.len() * columns.len()) as u32;
                let mut sum = [0u32; 4];
                for pixel in source[rows].iter().flat_map(|row| &row[columns.clone()]) {
                    for (sum, &value) in sum.iter_mut().zip(pixel) {
                        *sum += u32::from(value);
                    }
                }
                pixels.extend(sum.map(|sum| ((sum + count / 2) / count) as u8));
            }
        }
        Image { width, height, pixels }
    }

    /// This picture and all smaller levels down to one pixel.
    ///
    /// ```
    /// let image = meshwright_texture::Image::new(8, 2, vec![200; 8 * 2 * 4]).unwrap();
    /// let sizes: Vec<_> = image.into_mips().iter().map(|mip| (mip.width(), mip.height())).collect();
    /// assert_eq!(sizes, [(8, 2), (4, 1), (2, 1), (1, 1)]);
    /// ```
    pub fn into_mips(self) -> Vec<Image> {
        let mut mips = vec![self];
        while let Some(last) = mips.last()
            && (last.width > 1 || last.height > 1)
        {
            mips.push(last.half());
        }
        mips
    }
}

/// Half a side, as in every mip chain.
pub(crate) fn half(side: u32) -> u32 {
    (side / 2).max(1)
}

/// The first level of a chain, after a check that the others are successive halves.
pub(crate) fn check_chain(mips: &[Image]) -> Result<&Image, Error> {
    let top = mips.first().ok_or(Error::Chain { level: 0 })?;
    for (level, pair) in mips.windows(2).enumerate() {
        let [above, below] = pair else { continue };
        let smallest = above.width == 1 && above.height == 1;
        if smallest || (below.width, below.height) != (half(above.width), half(above.height)) {
            return Err(Error::Chain { level: level + 1 });
        }
    }
    Ok(top)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_averaged_channel_by_channel() {
        let pixels = [[0, 10, 255, 0], [2, 10, 255, 255], [4, 10, 0, 0], [8, 11, 0, 255]].concat();
        let mips = Image::new(2, 2, pixels).unwrap().into_mips();
        // (0+2+4+8)/4 = 3.5 rounds up, (10+10+10+11)/4 = 10.25 down, 127.5 and 127.5 up.
        assert_eq!(mips[1].pixels(), [4, 10, 128, 128]);
    }

    #[test]
    fn odd_sides_keep_their_last_column_in_the_average() {
        let image = Image::new(3, 1, [[0; 4], [30; 4], [60; 4]].concat()).unwrap();
        assert_eq!(image.half(), Image::new(1, 1, vec![30; 4]).unwrap());
    }

    #[test]
    fn sizes_that_disagree_with_the_bytes_are_refused() {
        assert_eq!(Image::new(2, 2, vec![0; 15]), Err(Error::Size { width: 2, height: 2 }));
        assert_eq!(Image::new(0, 2, vec![]), Err(Error::Size { width: 0, height: 2 }));
        let huge = u32::MAX;
        assert_eq!(Image::new(huge, huge, vec![]), Err(Error::Size { width: huge, height: huge }));
    }

    #[test]
    fn a_chain_must_halve_and_end_at_one_pixel() {
        let image =
            |width, height| Image::new(width, height, vec![0; (width * height * 4) as usize]).unwrap();
        assert!(check_chain(&[image(4, 2), image(2, 1), image(1, 1)]).is_ok());
        assert_eq!(check_chain(&[]).unwrap_err(), Error::Chain { level: 0 });
        assert_eq!(check_chain(&[image(4, 4), image(2, 1)]).unwrap_err(), Error::Chain { level: 1 });
        assert_eq!(check_chain(&[image(1, 1), image(1, 1)]).unwrap_err(), Error::Chain { level: 1 });
    }
}
