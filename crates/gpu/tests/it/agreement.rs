//! Agreement of two pictures.

use std::collections::HashSet;

use glam::Vec4;
use meshwright_render::frame::{Draw, Fixed, Frame, Program, Topology, Vertex};
use meshwright_render::soft::{self, Background, Image, Level, PictureSource, Settings};
use scene::{BlendFactor, Compare};

/// The difference of a channel that counts as equal, of 255.
pub(crate) const TOLERANCE: u8 = 2;

/// The share of pixels that must be equal, apart from edges.
pub(crate) const LEAST: f64 = 0.995;

/// Agreement of two pictures.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Agreement {
    pub(crate) pixels: usize,
    /// Pixels with a channel that differs by more than [`TOLERANCE`].
    pub(crate) different: usize,
    /// Those of them that are not at an edge: one triangle covers the whole pixel, and the difference is outside the range of the
    /// neighbours, too.
    pub(crate) wrong: usize,
    /// The largest difference of a channel.
    pub(crate) most: u8,
}

impl Agreement {
    /// Compares a picture with the reference. What is invisible counts little: colours are multiplied by their alpha.
    pub(crate) fn new(frame: &Frame, picture: &Image, reference: &Image) -> Self {
        assert_eq!((picture.width, picture.height), (reference.width, reference.height));
        let (width, height) = (reference.width as usize, reference.height as usize);
        let [picture, reference] = [picture, reference].map(premultiplied);
        let is_edge = edges(frame, reference.len(), width as u32, height as u32);
        let mut agreement = Self { pixels: width * height, ..Self::default() };
        for (index, (a, b)) in picture.iter().zip(&reference).enumerate() {
            let difference = (0..4).map(|channel| a[channel].abs_diff(b[channel])).max().unwrap_or(0);
            agreement.most = agreement.most.max(difference);
            if difference <= TOLERANCE {
                continue;
            }
            agreement.different += 1;
            if is_edge[index] {
                continue;
            }
            let (x, y) = (index % width, index / width);
            let around = (y.saturating_sub(1)..=(y + 1).min(height - 1))
                .flat_map(|y| (x.saturating_sub(1)..=(x + 1).min(width - 1)).map(move |x| y * width + x));
            let (mut least, mut most) = (*b, *b);
            for neighbour in around {
                for channel in 0..4 {
                    least[channel] = least[channel].min(reference[neighbour][channel]);
                    most[channel] = most[channel].max(reference[neighbour][channel]);
                }
            }
            let is_between = (0..4).all(|channel| {
                a[channel] >= least[channel].saturating_sub(TOLERANCE)
                    && a[channel] <= most[channel].saturating_add(TOLERANCE)
            });
            agreement.wrong += usize::from(!is_between);
        }
        agreement
    }

    /// The share of pixels that are equal, apart from edges.
    pub(crate) fn share(&self) -> f64 {
        1.0 - self.wrong as f64 / self.pixels.max(1) as f64
    }

    /// The share of pixels that are equal.
    pub(crate) fn strict_share(&self) -> f64 {
        1.0 - self.different as f64 / self.pixels.max(1) as f64
    }
}

fn premultiplied(image: &Image) -> Vec<[u8; 4]> {
    let pixel = |pixel: &[u8; 4]| {
        let [r, g, b, a] = pixel.map(u32::from);
        [r, g, b, 255].map(|channel| ((channel * a + 127) / 255) as u8)
    };
    image.pixels.as_chunks::<4>().0.iter().map(pixel).collect()
}

/// No pictures.
struct Empty;

impl PictureSource for Empty {
    fn levels(&self, _: meshwright_render::frame::PictureId) -> Vec<Level<'_>> {
        Vec::new()
    }
}

/// The pixels in which more than one triangle or line is visible. Each is drawn in a distinct colour, so that mixed
/// colours are edges.
fn edges(frame: &Frame, pixels: usize, width: u32, height: u32) -> Vec<bool> {
    let mut plain = Frame { camera: frame.camera, ..Frame::default() };
    let mut colors = HashSet::from([[0; 3]]);
    for draw in frame.draws.iter().filter(|draw| draw.depth_test != Compare::Never) {
        let corners = if draw.topology == Topology::Triangles { 3 } else { 2 };
        let start = plain.indices.len() as u32;
        let indices = &frame.indices[draw.indices.start as usize..draw.indices.end as usize];
        for shape in indices.chunks_exact(corners) {
            let [r, g, b, _] = (colors.len() as u32).wrapping_mul(0x009e_3779).to_le_bytes();
            colors.insert([r, g, b]);
            let color = Vec4::new(f32::from(r), f32::from(g), f32::from(b), 255.0) / 255.0;
            for corner in shape {
                plain.indices.push(plain.vertices.len() as u32);
                plain.vertices.push(Vertex { color, ..frame.vertices[*corner as usize] });
            }
        }
        plain.draws.push(Draw {
            indices: start..plain.indices.len() as u32,
            blend: (BlendFactor::One, BlendFactor::Zero),
            alpha_test: None,
            depth_test: draw.depth_test,
            depth_write: true,
            program: Program::Fixed(Fixed::default()),
            ..draw.clone()
        });
    }
    let settings = Settings { background: Background::Color([0; 3]), ..Settings::new(width, height) };
    let Ok(image) = soft::draw(&plain, &Empty, &settings) else { return vec![false; pixels] };
    let is_mixed = |pixel: &[u8; 4]| !colors.contains(&[pixel[0], pixel[1], pixel[2]]);
    image.pixels.as_chunks::<4>().0.iter().map(is_mixed).collect()
}
