//! Reading pictures: wrapping, bilinear filtering, mip levels.

use glam::{Vec2, Vec4};
use scene::Wrap;

use super::number::{floor, rough_log2};
use super::source::{Level, PictureSource};
use crate::frame::Sampler;

/// A picture with its levels.
pub(super) struct Texture<'p> {
    levels: Vec<Level<'p>>,
    wrap: [Wrap; 2],
    /// The size of the first level.
    size: Vec2,
}

/// The change of the coordinates from pixel to pixel, to the right and downwards.
#[derive(Clone, Copy)]
pub(super) struct Footprint {
    pub(super) dx: Vec2,
    pub(super) dy: Vec2,
}

impl<'p> Texture<'p> {
    /// The picture of a sampler; `None` if it has no pixels.
    pub(super) fn new(sampler: &Sampler, pictures: &'p dyn PictureSource) -> Option<Self> {
        let mut levels = pictures.levels(sampler.picture);
        let sound = |level: &Level<'_>| {
            let count = (level.width as usize).checked_mul(level.height as usize);
            level.width > 0
                && level.height > 0
                && level.width.max(level.height) <= 1 << 20
                && count == Some(level.texels.len())
        };
        let count = levels.iter().take_while(|level| sound(level)).count();
        levels.truncate(if sampler.mipmaps { count } else { count.min(1) });
        let first = levels.first()?;
        let size = Vec2::new(first.width as f32, first.height as f32);
        Some(Self { levels, wrap: sampler.wrap, size })
    }

    /// The colour at these coordinates, each channel 0 to 1. Two levels are mixed if the picture is shown smaller than it is.
    pub(super) fn sample(&self, uv: Vec2, footprint: &Footprint) -> Vec4 {
        let last = self.levels.len() - 1;
        if last == 0 {
            return bilinear(&self.levels[0], self.wrap, uv);
        }
        let dx = footprint.dx * self.size;
        let dy = footprint.dy * self.size;
        let longest = dx.length_squared().max(dy.length_squared());
        // The first level is used up to one texel per pixel.
        if longest <= 1.0 {
            return bilinear(&self.levels[0], self.wrap, uv);
        }
        let lod = 0.5 * rough_log2(longest);
        let level = (lod as usize).min(last);
        let near = bilinear(&self.levels[level], self.wrap, uv);
        let rest = lod - level as f32;
        if level == last || rest <= 0.0 {
            return near;
        }
        let far = bilinear(&self.levels[level + 1], self.wrap, uv);
        near + (far - near) * rest.min(1.0)
    }
}

/// The four nearest texels, mixed.
///
/// Weights have 8 bits. Four channels of 16 bits lie in one word, so that a texel is weighted by one multiplication.
fn bilinear(level: &Level<'_>, wrap: [Wrap; 2], uv: Vec2) -> Vec4 {
    let [x0, x1, fx] = neighbours(uv.x, level.width, wrap[0]);
    let [y0, y1, fy] = neighbours(uv.y, level.height, wrap[1]);
    let width = level.width as usize;
    let texel = |x: u32, y: u32| {
        let [r, g, b, a] = level.texels[y as usize * width + x as usize];
        let packed = u64::from(u32::from_le_bytes([r, g, b, a]));
        // Lanes: red, blue, green, alpha.
        (packed | packed << 24) & 0x00ff_00ff_00ff_00ff
    };
    let w11 = (fx * fy + 128) >> 8;
    let (w01, w10) = (fx - w11, fy - w11);
    let w00 = 256 + w11 - fx - fy;
    let sum = texel(x0, y0) * u64::from(w00)
        + texel(x1, y0) * u64::from(w01)
        + texel(x0, y1) * u64::from(w10)
        + texel(x1, y1) * u64::from(w11);
    let lane = |shift: u32| (sum >> shift & 0xffff) as u16 as f32;
    Vec4::new(lane(0), lane(32), lane(16), lane(48)) * (1.0 / (255.0 * 256.0))
}

/// The two texels around a coordinate along one axis, and the weight of the second, 0 to 255 of 256.
fn neighbours(u: f32, size: u32, wrap: Wrap) -> [u32; 3] {
    let scale = size as f32 * 256.0;
    let last = size as i32 - 1;
    // The centre of a texel is half a texel after its edge.
    match wrap {
        Wrap::Repeat => {
            // The clamp matters only for coordinates so large that they have no fraction.
            let at = floor((u - floor(u) as f32).clamp(0.0, 1.0) * scale) - 128;
            let first = at >> 8;
            let second = first + 1;
            let first = if first < 0 { last } else { first.min(last) };
            let second = if second > last { 0 } else { second };
            [first as u32, second as u32, (at & 255) as u32]
        }
        Wrap::Clamp => {
            let at = floor(u.clamp(0.0, 1.0) * scale) - 128;
            let first = at >> 8;
            [first.clamp(0, last) as u32, (first + 1).clamp(0, last) as u32, (at & 255) as u32]
        }
        Wrap::Mirror => {
            let turn = u - 2.0 * floor(u * 0.5) as f32;
            let at = floor(turn.clamp(0.0, 2.0) * scale) - 128;
            let first = at >> 8;
            let mirrored = |at: i32| {
                let at = if at < 0 { -1 - at } else { at };
                let at = if at > last { 2 * last + 1 - at } else { at };
                at.clamp(0, last) as u32
            };
            [mirrored(first), mirrored(first + 1), (at & 255) as u32]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::PictureId;
    use glam::Vec4Swizzles;

    fn texture<'p>(levels: Vec<Level<'p>>, wrap: Wrap) -> Texture<'p> {
        let size = Vec2::new(levels[0].width as f32, levels[0].height as f32);
        Texture { levels, wrap: [wrap; 2], size }
    }

    const BLACK: [u8; 4] = [0, 0, 0, 255];
    const WHITE: [u8; 4] = [255; 4];
    const STILL: Footprint = Footprint { dx: Vec2::ZERO, dy: Vec2::ZERO };

    fn red(texture: &Texture<'_>, u: f32, footprint: &Footprint) -> f32 {
        texture.sample(Vec2::new(u, 0.5), footprint).x
    }

    #[test]
    fn texel_centres_are_exact_and_halfway_is_the_mean() {
        let texels = [BLACK, WHITE, [51, 0, 0, 0], WHITE];
        let four = texture(vec![Level { width: 4, height: 1, texels: &texels }], Wrap::Repeat);
        assert_eq!(red(&four, 0.125, &STILL), 0.0);
        assert_eq!(red(&four, 0.375, &STILL), 1.0);
        assert!((red(&four, 0.625, &STILL) - 0.2).abs() < 1e-6);
        assert_eq!(red(&four, 0.25, &STILL), 0.5);
        // Green, blue and alpha are those of the same texel.
        assert_eq!(four.sample(Vec2::new(0.625, 0.5), &STILL).yzw().to_array(), [0.0; 3]);
    }

    #[test]
    fn edges_repeat_clamp_or_mirror() {
        let texels = [BLACK, WHITE];
        let of = |wrap| texture(vec![Level { width: 2, height: 1, texels: &texels }], wrap);
        let (repeat, clamp, mirror) = (of(Wrap::Repeat), of(Wrap::Clamp), of(Wrap::Mirror));
        // At the seam: the mean of both ends, the end itself, the end and its mirror image.
        assert_eq!(red(&repeat, 0.0, &STILL), 0.5);
        assert_eq!(red(&clamp, 0.0, &STILL), 0.0);
        assert_eq!(red(&mirror, 0.0, &STILL), 0.0);
        assert_eq!(red(&mirror, 1.0, &STILL), 1.0);
        // Beyond: 1.25 is the first texel again, the last one, the last one mirrored.
        assert_eq!(red(&repeat, 1.25, &STILL), 0.0);
        assert_eq!(red(&clamp, 1.25, &STILL), 1.0);
        assert_eq!(red(&mirror, 1.25, &STILL), 1.0);
        assert_eq!(red(&mirror, 1.75, &STILL), 0.0);
        assert_eq!(red(&repeat, -0.25, &STILL), 1.0);
        assert_eq!(red(&clamp, -7.0, &STILL), 0.0);
        assert_eq!(red(&mirror, -0.25, &STILL), 0.0);
        assert_eq!(red(&mirror, -0.75, &STILL), 1.0);
        assert_eq!(red(&mirror, 2.25, &STILL), 0.0);
    }

    #[test]
    fn coordinates_far_away_or_invalid_do_no_harm() {
        let texels = [WHITE; 3];
        for wrap in [Wrap::Repeat, Wrap::Clamp, Wrap::Mirror] {
            let three = texture(vec![Level { width: 3, height: 1, texels: &texels }], wrap);
            for u in [1e6, -1e6, 1e30, -1e30, f32::NAN, f32::INFINITY, -0.0, 1.0 - f32::EPSILON / 2.0] {
                assert_eq!(red(&three, u, &STILL), 1.0, "{u}");
            }
        }
    }

    #[test]
    fn a_footprint_of_two_texels_takes_the_second_level() {
        let large = [BLACK; 64];
        let small = [WHITE; 16];
        let levels = vec![
            Level { width: 8, height: 8, texels: &large },
            Level { width: 4, height: 4, texels: &small },
        ];
        let both = texture(levels, Wrap::Repeat);
        let step = |texels: f32| Footprint { dx: Vec2::new(texels / 8.0, 0.0), dy: Vec2::new(0.0, 0.01) };
        assert_eq!(red(&both, 0.3, &step(0.5)), 0.0);
        assert_eq!(red(&both, 0.3, &step(1.0)), 0.0);
        assert_eq!(red(&both, 0.3, &step(2.0)), 1.0);
        assert_eq!(red(&both, 0.3, &step(100.0)), 1.0);
        // A factor of the square root of two is half a level.
        assert!((red(&both, 0.3, &step(2f32.sqrt())) - 0.5).abs() < 0.01);
        // The longer axis counts.
        let down = Footprint { dx: Vec2::new(0.01, 0.0), dy: Vec2::new(0.0, 0.25) };
        assert_eq!(red(&both, 0.3, &down), 1.0);
        assert_eq!(red(&both, 0.3, &Footprint { dx: Vec2::NAN, dy: Vec2::NAN }), 0.0);
    }

    #[test]
    fn without_mipmaps_the_first_level_is_used() {
        struct Two;
        impl PictureSource for Two {
            fn levels(&self, _: PictureId) -> Vec<Level<'_>> {
                vec![
                    Level { width: 2, height: 1, texels: &[BLACK, BLACK] },
                    Level { width: 1, height: 1, texels: &[WHITE] },
                    Level { width: 4, height: 1, texels: &[WHITE] },
                ]
            }
        }
        let mut sampler = Sampler { picture: PictureId::White, wrap: [Wrap::Repeat; 2], mipmaps: true };
        // The third level has too few texels.
        assert_eq!(Texture::new(&sampler, &Two).unwrap().levels.len(), 2);
        sampler.mipmaps = false;
        assert_eq!(Texture::new(&sampler, &Two).unwrap().levels.len(), 1);
    }
}
