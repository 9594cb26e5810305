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

mod blend;
mod number;
mod program;
mod project;
mod sample;
pub mod shade;
mod tile;

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::frame::{Frame, PictureId};
use crate::pictures::Pictures;

use self::program::{Prepared, Shared};
use self::project::{Geometry, Triangle, project};
use self::tile::{SIDE, Tile};

/// Gives the pictures that draw calls name.
pub trait PictureSource: Sync {
    /// The levels of a picture, the largest first. A picture without levels is drawn as if the draw call named none.
    fn levels(&self, picture: PictureId) -> Vec<Level<'_>>;
}

impl PictureSource for Pictures {
    fn levels(&self, picture: PictureId) -> Vec<Level<'_>> {
        let picture = self.get(picture);
        let level = |(at, texels)| {
            let (width, height) = picture.size(at);
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

/// What is behind everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// A colour; the picture is opaque.
    Color([u8; 3]),
    /// Nothing. The frame is drawn on black and on white, and the difference is the alpha: exact for opaque and alpha-blended
    /// surfaces; glow gets the alpha that looks right on black.
    Transparent,
}

/// Size and background of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// What is behind everything.
    pub background: Background,
    /// How many threads draw; `None` is one for each core.
    pub threads: Option<NonZero<usize>>,
}

impl Settings {
    /// A transparent picture of this size, drawn by all cores.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, background: Background::Transparent, threads: None }
    }
}

/// The longest side of a picture.
pub const LONGEST_SIDE: u32 = 16_384;

/// A finished picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel, row by row from the top. The alpha is not multiplied into the colour.
    pub pixels: Vec<u8>,
}

/// Why there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// A side is zero or longer than [`LONGEST_SIDE`].
    Size {
        /// The width that was asked for.
        width: u32,
        /// The height that was asked for.
        height: u32,
    },
    /// There is not enough memory.
    Memory,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Size { width, height } => {
                write!(f, "pictures are 1 to {LONGEST_SIDE} pixels wide and high, not {width}x{height}")
            }
            Self::Memory => write!(f, "not enough memory for a picture of this size"),
        }
    }
}

impl std::error::Error for Error {}

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
            // If there is no thread to be had, the others do its share.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    Ok(Image { width, height, pixels })
}

/// All that the workers share.
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

/// Which triangles each tile has, in the order of drawing.
struct Bins {
    columns: u32,
    rows: u32,
    /// For each tile where its triangles begin in the list, and the end.
    starts: Vec<u32>,
    list: Vec<u32>,
}

/// Entries in all bins together. Beyond it, every tile looks at all triangles.
const MOST_ENTRIES: u64 = 1 << 26;

impl Bins {
    fn new(geometry: &Geometry<'_>, width: u32, height: u32) -> Self {
        let (columns, rows) = (width.div_ceil(SIDE), height.div_ceil(SIDE));
        let mut bins = Self { columns, rows, starts: Vec::new(), list: Vec::new() };
        let mut counts = vec![0u32; columns as usize * rows as usize + 1];
        let mut entries = 0;
        for triangle in &geometry.triangles {
            let (across, down) = bins.covered(geometry, triangle);
            entries += across.clone().count() as u64 * down.clone().count() as u64;
            if entries > MOST_ENTRIES {
                return bins;
            }
            bins.for_each_tile(across, down, |tile| counts[tile + 1] += 1);
        }
        let mut sum = 0;
        for count in &mut counts {
            sum += *count;
            *count = sum;
        }
        let mut ends = counts.clone();
        let mut list = vec![0; entries as usize];
        for (number, triangle) in geometry.triangles.iter().enumerate() {
            let (across, down) = bins.covered(geometry, triangle);
            bins.for_each_tile(across, down, |tile| {
                list[ends[tile] as usize] = number as u32;
                ends[tile] += 1;
            });
        }
        bins.starts = counts;
        bins.list = list;
        bins
    }

    /// The columns and rows of the tiles that a triangle may touch.
    #[expect(clippy::reversed_empty_ranges, reason = "it is meant to be empty")]
    fn covered(
        &self,
        geometry: &Geometry<'_>,
        triangle: &Triangle,
    ) -> (RangeInclusive<u32>, RangeInclusive<u32>) {
        let [left, top, right, bottom] =
            tile::bounds(triangle.corners.map(|at| geometry.points[at as usize]));
        let tiles = |from: i32, to: i32, count: u32| {
            // An empty range stays empty.
            if to < from || to < 0 || from >= (count * SIDE) as i32 {
                return 1..=0;
            }
            let (from, to) = (from.max(0) as u32 / SIDE, to as u32 / SIDE);
            from..=to.min(count - 1)
        };
        (tiles(left, right, self.columns), tiles(top, bottom, self.rows))
    }

    fn for_each_tile(
        &self,
        across: RangeInclusive<u32>,
        down: RangeInclusive<u32>,
        mut work: impl FnMut(usize),
    ) {
        for row in down {
            for column in across.clone() {
                work((row * self.columns + column) as usize);
            }
        }
    }

    /// The triangles of a tile, and maybe others.
    fn tile<'g>(
        &self,
        column: u32,
        row: u32,
        geometry: &'g Geometry<'_>,
    ) -> impl Iterator<Item = &'g Triangle> {
        let at = (row * self.columns + column) as usize;
        let listed = match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(&start), Some(&end)) => Some(&self.list[start as usize..end as usize]),
            _ => None,
        };
        let all = if listed.is_none() { geometry.triangles.as_slice() } else { &[] };
        let listed = listed.unwrap_or_default().iter().map(|&number| &geometry.triangles[number as usize]);
        listed.chain(all)
    }
}
