//! Draws a [`Frame`] on the processor.
//!
//! ```
//! use meshwright_render::frame::{Framer, Options};
//! use meshwright_render::pictures::{PictureOptions, Pictures};
//! use meshwright_render::soft::{self, Background, Settings};
//!
//! let scene = scene::Scene::default();
//! let pictures = Pictures::load(&scene, &PictureOptions::default(), |_| None);
//! let frame = Framer::new(&scene).frame(&Options::for_scene(&scene));
//! let settings = Settings { background: Background::Color([10, 20, 30]), ..Settings::new(64, 48) };
//! let image = soft::draw(&frame, &pictures, &settings)?;
//! assert_eq!(image.pixels.len(), 64 * 48 * 4);
//! assert_eq!(image.pixels[..4], [10, 20, 30, 255]);
//! # Ok::<(), soft::Error>(())
//! ```
//!
//! # What it does as graphics hardware does
//!
//! - Edges are tested exactly, on a grid of 1/256 pixel, with the top-left rule: triangles side by side cover each sample once.
//! - Attributes are interpolated in perspective. Triangles are clipped at the near and the far plane.
//! - Four samples per pixel have their own coverage and depth; the colour is calculated once per pixel and triangle.
//! - PictureSource are filtered between four texels and two mip levels.
//! - Colours are blended in gamma space and stored in 8 bits after every draw call, as the old engines do.
//!
//! # The same bytes on every machine
//!
//! Positions and coverage are integers. Everything else is additions, multiplications, divisions and square roots of `f32` in a
//! fixed order, which IEEE 754 defines to the last bit. Powers are calculated without the library of the platform. The number of threads does not matter.
//!
//! # What it does not trust
//!
//! A frame may hold anything: indices out of range, NaN and infinite numbers, draw calls without end. Such triangles are skipped.
//! Memory is bounded by the size of the picture and of the frame.

mod bins;
mod blend;
mod image;
mod number;
mod program;
mod project;
mod sample;
pub mod shade;
mod source;
mod tile;

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::frame::Frame;

use self::bins::Bins;
pub use self::image::{Background, Error, Image, LONGEST_SIDE, Settings};
use self::program::{Prepared, Shared};
use self::project::{Geometry, project};
pub use self::source::{Level, PictureSource};
use self::tile::{SIDE, Tile};

/// Draws a frame.
///
/// # Errors
/// If the size is out of range or there is not enough memory for the picture.
pub fn draw(frame: &Frame, pictures: &dyn PictureSource, settings: &Settings) -> Result<Image, Error> {
    let Settings { width, height, background, threads } = *settings;
    let allowed = 1..=LONGEST_SIDE;
    if !allowed.contains(&width) || !allowed.contains(&height) {
        return Err(Error::Size { width, height });
    }
    let row = width as usize * 4;
    let bytes = row * height as usize;
    let mut pixels = Vec::new();
    pixels.try_reserve_exact(bytes).map_err(|_| Error::Memory)?;
    pixels.resize(bytes, 0);

    let geometry = project(frame, width, height);
    let job = Job {
        draws: frame.draws.iter().map(|draw| Prepared::new(draw, pictures)).collect(),
        bins: Bins::new(&geometry, width, height),
        shared: Shared { lights: &frame.lights, camera: frame.camera.position },
        geometry,
        width,
        background,
    };
    let strip = row * SIDE as usize;
    let strips = Mutex::new(pixels.chunks_mut(strip).enumerate());
    let next = || strips.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let mut tile = Tile::new(background);
        while let Some((number, pixels)) = next() {
            job.strip(&mut tile, number as u32, pixels);
        }
    };
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    let workers = threads.map_or_else(cores, NonZero::get).min(bytes.div_ceil(strip));
    thread::scope(|scope| {
        for _ in 1..workers {
            // If a thread cannot be started, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    Ok(Image { width, height, pixels })
}

/// Data that the workers share.
struct Job<'f> {
    geometry: Geometry<'f>,
    draws: Vec<Prepared<'f>>,
    bins: Bins,
    shared: Shared<'f>,
    width: u32,
    background: Background,
}

impl Job<'_> {
    /// Draws a row of tiles.
    fn strip(&self, tile: &mut Tile, number: u32, pixels: &mut [u8]) {
        let columns = self.width.div_ceil(SIDE);
        let row_bytes = self.width as usize * 4;
        for column in 0..columns {
            let left = column * SIDE;
            let width = SIDE.min(self.width - left);
            let mut triangles = self.bins.tile(column, number, &self.geometry).peekable();
            let is_empty = triangles.peek().is_none();
            if !is_empty {
                tile.clear(left, number * SIDE, self.background);
            }
            for triangle in triangles {
                let draw = &self.draws[triangle.draw as usize];
                tile.draw(&self.geometry, triangle, draw, &self.shared);
            }
            let empty = match self.background {
                Background::Color([r, g, b]) => [r, g, b, 255],
                Background::Transparent => [0; 4],
            };
            for (y, row) in pixels.chunks_exact_mut(row_bytes).enumerate() {
                let row = &mut row[left as usize * 4..][..width as usize * 4];
                for (x, pixel) in row.as_chunks_mut().0.iter_mut().enumerate() {
                    *pixel = if is_empty { empty } else { tile.resolved(x as u32, y as u32) };
                }
            }
        }
    }
}
