//! Contact sheets: many pictures in rows and columns, with their names.

use meshwright::render::soft::{Background, Image, LONGEST_SIDE};

use super::font;

/// Around each picture and its label.
const MARGIN: u32 = 4;

/// A contact sheet that is filled cell by cell.
pub(super) struct Sheet {
    image: Image,
    cell: [u32; 2],
    columns: u32,
    count: u32,
    ink: [u8; 4],
}

impl Sheet {
    /// An empty sheet for this many pictures of this size.
    pub(super) fn new(
        count: usize,
        [width, height]: [u32; 2],
        background: Background,
    ) -> Result<Self, String> {
        let cell = [width + 2 * MARGIN, height + font::HEIGHT + 3 * MARGIN];
        let most = (u64::from(LONGEST_SIDE / cell[0]) * u64::from(LONGEST_SIDE / cell[1])) as usize;
        if count > most {
            return Err(format!(
                "{count} images of {width}x{height} do not fit on one sheet; the limit is {most}; give a smaller --size"
            ));
        }
        let count = count.max(1) as u32;
        // As wide as high, as far as that goes.
        let widest = LONGEST_SIDE / cell[0];
        let lowest = count.div_ceil(LONGEST_SIDE / cell[1]);
        let square = (f64::from(count) * f64::from(cell[1]) / f64::from(cell[0])).sqrt().ceil() as u32;
        let columns = square.clamp(lowest, widest).min(count);
        let (width, height) = (columns * cell[0], count.div_ceil(columns) * cell[1]);
        let (paper, ink) = match background {
            Background::Transparent => ([0; 4], [128, 128, 128, 255]),
            Background::Color([r, g, b]) => {
                let is_bright = u32::from(r) + u32::from(g) + u32::from(b) > 380;
                ([r, g, b, 255], if is_bright { [0, 0, 0, 255] } else { [255; 4] })
            }
        };
        let pixels = paper.repeat(width as usize * height as usize);
        Ok(Self { image: Image { width, height, pixels }, cell, columns, count: 0, ink })
    }

    /// An empty sheet whose pictures are in one row.
    pub(super) fn row(count: usize, size: [u32; 2], background: Background) -> Result<Self, String> {
        let mut sheet = Self::new(count, size, background)?;
        sheet.columns = (count.max(1) as u32).min(LONGEST_SIDE / sheet.cell[0]).max(1);
        let rows = (count.max(1) as u32).div_ceil(sheet.columns);
        let paper: [u8; 4] = sheet.image.pixels.first_chunk().copied().unwrap_or_default();
        (sheet.image.width, sheet.image.height) = (sheet.columns * sheet.cell[0], rows * sheet.cell[1]);
        sheet.image.pixels = paper.repeat(sheet.image.width as usize * sheet.image.height as usize);
        Ok(sheet)
    }

    /// Adds a picture and its label in the next cell; without a picture the label alone.
    pub(super) fn add(&mut self, image: Option<&Image>, label: &str) {
        let [width, height] = self.cell;
        let left = self.count % self.columns * width + MARGIN;
        let top = self.count / self.columns * height + MARGIN;
        self.count += 1;
        if let Some(image) = image {
            let row = image.width as usize * 4;
            for (y, pixels) in image.pixels.chunks_exact(row).enumerate() {
                let at = self.place(left, top + y as u32);
                if let Some(target) = self.image.pixels.get_mut(at..at + row) {
                    target.copy_from_slice(pixels);
                }
            }
        }
        let room = width - 2 * MARGIN;
        let label = font::fitted(label, room);
        let indent = (room - label.chars().count() as u32 * font::ADVANCE) / 2;
        let baseline = top + height - 2 * MARGIN - font::HEIGHT;
        for (x, y) in font::pixels(&label) {
            let at = self.place(left + indent + x, baseline + y);
            if let Some(pixel) = self.image.pixels.get_mut(at..at + 4) {
                pixel.copy_from_slice(&self.ink);
            }
        }
    }

    /// Where a pixel is among the bytes.
    fn place(&self, x: u32, y: u32) -> usize {
        (y as usize * self.image.width as usize + x as usize) * 4
    }

    pub(super) fn finish(self) -> Image {
        self.image
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_in_rows_with_their_names_below() {
        let mut sheet = Sheet::new(5, [40, 20], Background::Color([10, 20, 30])).unwrap();
        let red = Image { width: 40, height: 20, pixels: [255, 0, 0, 255].repeat(800) };
        for name in ["a", "b", "c", "d"] {
            sheet.add(Some(&red), name);
        }
        sheet.add(None, "broken");
        let sheet = sheet.finish();
        // Cells of 48 by 40 pixels, three of them in a row.
        assert_eq!((sheet.width, sheet.height), (144, 80));
        let pixel = |x: u32, y: u32| {
            let at = ((y * sheet.width + x) * 4) as usize;
            [sheet.pixels[at], sheet.pixels[at + 1], sheet.pixels[at + 2], sheet.pixels[at + 3]]
        };
        assert_eq!(pixel(0, 0), [10, 20, 30, 255]);
        assert_eq!(pixel(4, 4), [255, 0, 0, 255]);
        assert_eq!(pixel(43, 23), [255, 0, 0, 255]);
        assert_eq!(pixel(44, 24), [10, 20, 30, 255]);
        assert_eq!(pixel(52, 44), [10, 20, 30, 255], "the fifth has no picture");
        let ink = sheet.pixels.chunks_exact(4).filter(|pixel| **pixel == [255; 4]).count();
        assert!(ink > 50, "{ink} pixels of letters");
    }

    #[test]
    fn too_many_pictures_are_refused() {
        assert!(Sheet::new(3000, [256, 256], Background::Transparent).is_ok());
        let refused = Sheet::new(100_000, [256, 256], Background::Transparent).err().unwrap();
        assert!(refused.contains("do not fit on one sheet") && refused.contains("--size"), "{refused}");
        assert!(Sheet::new(1, [20_000, 10], Background::Transparent).is_err());
    }
}
