//! Computed textures of the sample models.

use crate::Image;

/// Width and height of each.
const SIDE: u32 = 128;

/// The name of a texture, and its colour at a place from 0 to 1.
type Drawn = (&'static str, fn(f32, f32) -> [f32; 4]);

/// File name and pixels of each texture that the sample models name.
///
/// ```
/// let names: Vec<&str> = meshwright_texture::sample::textures().map(|(name, _)| name).collect();
/// assert!(names.contains(&"mwtank.tga"));
/// ```
pub fn textures() -> impl Iterator<Item = (&'static str, Image)> {
    ALL.into_iter().filter_map(|(name, picture)| Some((name, draw(picture)?)))
}

const ALL: [Drawn; 5] = [
    ("mwcrate.tga", planks),
    ("mwtank.tga", steel),
    ("mwsmoke.tga", smoke),
    ("mwtower.tga", stones),
    ("mwspark.tga", spark),
];

/// The pixels of a picture: red, green, blue and alpha from 0 to 1 by the place from 0 to 1.
fn draw(picture: fn(f32, f32) -> [f32; 4]) -> Option<Image> {
    let place = |index: u32| (index as f32 + 0.5) / SIDE as f32;
    let pixels = (0..SIDE * SIDE).flat_map(|index| picture(place(index % SIDE), place(index / SIDE)));
    let bytes = pixels.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8);
    Image::new(SIDE, SIDE, bytes.collect()).ok()
}

/// A pseudo-random number from 0 to 1 for a position, the same on every call.
fn grain(x: f32, y: f32) -> f32 {
    let mut bits = (x * 128.0) as u32 ^ ((y * 128.0) as u32) << 8;
    for _ in 0..3 {
        bits = bits.wrapping_mul(0x2C1B_3C6D) ^ bits >> 15;
    }
    (bits >> 8 & 0xFF) as f32 / 255.0
}

/// 1 within the fraction `width` of lines at whole numbers.
fn line(at: f32, width: f32) -> f32 {
    let away = (at - at.round()).abs();
    if away < width / 2.0 { 1.0 } else { 0.0 }
}

fn tinted(shade: f32, [r, g, b]: [f32; 3], alpha: f32) -> [f32; 4] {
    [r * shade, g * shade, b * shade, alpha]
}

/// Wooden planks in a frame.
fn planks(x: f32, y: f32) -> [f32; 4] {
    let inside = 0.1..=0.9;
    let frame = !inside.contains(&x) || !inside.contains(&y);
    let gap = if frame { 0.0 } else { line(x * 5.0, 0.08) };
    let wood = 0.75 + 0.15 * (y * 40.0 + (x * 9.0).sin() * 4.0).sin() * grain(x, 0.3) + 0.1 * grain(x, y);
    tinted((wood - 0.5 * gap) * if frame { 0.8 } else { 1.0 }, [0.72, 0.5, 0.28], 1.0)
}

/// Steel plates with rivets and dirt.
fn steel(x: f32, y: f32) -> [f32; 4] {
    let seam = line(x * 2.0, 0.05).max(line(y * 2.0, 0.05));
    let (u, v) = ((x * 8.0).fract() - 0.5, (y * 8.0).fract() - 0.5);
    let border = (x * 2.0).fract() < 0.25 || (y * 2.0).fract() < 0.25;
    let rivet = if border && u.hypot(v) < 0.16 { 0.25 } else { 0.0 };
    let patch = (x * 7.0).sin() + (y * 9.0 + x * 4.0).sin() > 0.6;
    let color = if patch { [0.36, 0.4, 0.26] } else { [0.5, 0.52, 0.36] };
    tinted(0.85 + 0.2 * grain(x, y) - 0.5 * seam + rivet, color, 1.0)
}

/// Stones in rows; where it is transparent, a stripe of the player's colour shows.
fn stones(x: f32, y: f32) -> [f32; 4] {
    let row = (y * 8.0).floor();
    let joint = line(y * 8.0, 0.1).max(line(x * 4.0 + row % 2.0 / 2.0, 0.06));
    let stone = 0.7 + 0.25 * grain((x * 4.0 + row % 2.0 / 2.0).floor() / 8.0, row / 8.0) + 0.08 * grain(x, y);
    let stripe = (0.2..0.28).contains(&y);
    tinted(stone - 0.35 * joint, [0.62, 0.6, 0.58], if stripe { 0.15 } else { 1.0 })
}

/// From 1 in the middle to 0 at the edge.
fn falloff(x: f32, y: f32) -> f32 {
    (1.0 - (x - 0.5).hypot(y - 0.5) * 2.0).max(0.0)
}

/// A soft cloud.
fn smoke(x: f32, y: f32) -> [f32; 4] {
    let wave = 0.8 + 0.2 * ((x * 17.0).sin() * (y * 13.0).cos());
    [1.0, 1.0, 1.0, (falloff(x, y) * wave).powf(1.2)]
}

/// A point of light.
fn spark(x: f32, y: f32) -> [f32; 4] {
    let light = falloff(x, y).powi(2);
    [light, light, light, light]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_texture_shows_something() {
        assert_eq!(textures().count(), ALL.len());
        for (name, image) in textures() {
            let mut colors: Vec<&[u8]> = image.pixels().chunks_exact(4).collect();
            colors.sort_unstable();
            colors.dedup();
            assert!(colors.len() > 20, "{name} has {} colours", colors.len());
        }
    }
}
