//! One picture of every kind of emitter.

use super::scenes::*;
use crate::golden_picture;
use meshwright_render::frame::{Framer, Options, Viewpoint};
use meshwright_render::pictures::{PictureOptions, Pictures};
use meshwright_render::soft::{self, Background, Settings};
use scene::*;

/// One picture of each kind, side by side.
#[test]
fn golden_every_kind_of_emitter() {
    const SIDE: u32 = 64;
    const COLUMNS: usize = 5;
    let scenes = every_kind();
    let (width, rows) = (COLUMNS as u32 * SIDE, scenes.len().div_ceil(COLUMNS) as u32);
    let mut sheet = vec![0; (width * rows * SIDE * 4) as usize];
    for (index, scene) in scenes.iter().enumerate() {
        let pictures = Pictures::load(scene, &PictureOptions::default(), |_| None);
        let clip = (!scene.clips.is_empty()).then_some(ClipId(0));
        let mut options = Options { clip, time: 1.3, viewpoint: Viewpoint::ISO, ..Options::default() };
        options.rules.particles.markers = true;
        let frame = Framer::new(scene).frame(&options);
        let settings = Settings { background: Background::Color([90, 94, 102]), ..Settings::new(SIDE, SIDE) };
        let drawn = soft::draw(&frame, &pictures, &settings).unwrap();
        let varied = drawn.pixels.chunks(4).any(|pixel| pixel != [90, 94, 102, 255]);
        assert!(varied, "nothing was drawn in picture {index}");
        let row_bytes = SIDE as usize * 4;
        for (y, row) in drawn.pixels.chunks(row_bytes).enumerate() {
            let start = ((index / COLUMNS * SIDE as usize + y) * COLUMNS + index % COLUMNS) * row_bytes;
            sheet[start..start + row_bytes].copy_from_slice(row);
        }
    }
    golden_picture::compare("emitters", &texture::Image::new(width, rows * SIDE, sheet).unwrap());
}
