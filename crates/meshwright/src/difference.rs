//! Two models as pictures, and their difference.

use render::frame::Options;
use render::soft::{self, Image, Settings};
use scene::Bounds;

use crate::{Drawing, Result};

/// Pixels that differ by less in every channel are equal: edges are smoothed.
const TOLERANCE: u8 = 8;

/// A pixel of the difference where both pictures differ.
const DIFFERENT: [u8; 3] = [230, 30, 60];

/// Draws two models from the same camera, at the same time, and their difference: the model before as a pale shadow, and red where the pictures
/// differ.
///
/// ```
/// use meshwright::{Model, PictureStore, Workspace, draw_difference, render::soft::Settings};
/// let workspace = Workspace::default();
/// let (settings, store) = (Settings::new(32, 32), PictureStore::for_picture(&Settings::new(32, 32)));
/// let model = Model::parse(w3d::sample::crate_box())?;
/// let drawing = || model.load(&workspace).drawing(&store, None);
/// let [before, after, difference] = draw_difference(&drawing(), &drawing(), &settings)?;
/// assert_eq!(before.pixels, after.pixels);
/// assert!(difference.pixels.chunks(4).all(|pixel| pixel[0] == pixel[1]), "nothing is red");
/// # Ok::<(), meshwright::Error>(())
/// ```
pub fn draw_difference(before: &Drawing, after: &Drawing, settings: &Settings) -> Result<[Image; 3]> {
    let shots = [before, after].map(|drawing| (drawing, drawing.framer(), drawing.options(settings)));
    let bounds = shots.iter().filter_map(|(_, framer, options)| framer.bounds(options));
    let framed = bounds.reduce(union);
    // The clip of the same name, if both have it; otherwise the rest pose of both.
    let clip = |index: usize| {
        let (drawing, _, options) = &shots[index];
        options.clip.and_then(|clip| drawing.scene.clips.get(clip.index()))
    };
    let is_same_clip = matches!((clip(0), clip(1)), (Some(before), Some(after)) if before.name == after.name);
    let (time, viewpoint) = (shots[0].2.time, shots[0].2.viewpoint.clone());
    let mut images = Vec::with_capacity(2);
    for (drawing, framer, options) in &shots {
        let options = Options {
            clip: options.clip.filter(|_| is_same_clip),
            time: if is_same_clip { time } else { 0.0 },
            viewpoint: viewpoint.clone(),
            framed,
            ..options.clone()
        };
        images.push(soft::draw(&framer.frame(&options), &drawing.pictures, settings)?);
    }
    let after = images.pop().unwrap_or_else(empty);
    let before = images.pop().unwrap_or_else(empty);
    let difference = difference(&before, &after);
    Ok([before, after, difference])
}

const fn empty() -> Image {
    Image { width: 0, height: 0, pixels: Vec::new() }
}

/// Bounds around two.
fn union(left: Bounds, right: Bounds) -> Bounds {
    let (min, max) = (left.min.min(right.min), left.max.max(right.max));
    let center = (min + max) * 0.5;
    let radius = [left, right].map(|bounds| bounds.center.distance(center) + bounds.radius);
    Bounds { min, max, center, radius: radius[0].max(radius[1]) }
}

fn difference(before: &Image, after: &Image) -> Image {
    let pixels = before.pixels.chunks_exact(4).zip(after.pixels.chunks_exact(4));
    let pixels = pixels.flat_map(|(before, after)| {
        let is_different =
            before.iter().zip(after).any(|(before, after)| before.abs_diff(*after) > TOLERANCE);
        if is_different {
            let [red, green, blue] = DIFFERENT;
            return [red, green, blue, 255];
        }
        let brightness = before[..3].iter().map(|channel| u16::from(*channel)).sum::<u16>() / 3;
        let pale = 170 + (brightness / 4) as u8;
        [pale, pale, pale, before[3]]
    });
    Image { width: before.width, height: before.height, pixels: pixels.collect() }
}
