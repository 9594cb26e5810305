//! The textures of the starter models.

use texture::Image;

/// Width and height of each.
const SIDE: u32 = 128;

/// A picture as PNG: red, green, blue and alpha from 0 to 1 by the place from 0 to 1.
pub(super) fn png(picture: fn(f32, f32) -> [f32; 4]) -> Vec<u8> {
    let place = |at: u32| (at as f32 + 0.5) / SIDE as f32;
    let pixels = (0..SIDE * SIDE).flat_map(|at| picture(place(at % SIDE), place(at / SIDE)));
    let bytes = pixels.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8);
    let image = Image::new(SIDE, SIDE, bytes.collect());
    image.and_then(|image| texture::encode_png(&image)).unwrap_or_default()
}

/// Plates with seams and patches of paint.
pub(super) fn steel(x: f32, y: f32) -> [f32; 4] {
    let is_seam = |at: f32| (at - at.round()).abs() < 0.03;
    let seam = if is_seam(x * 2.0) || is_seam(y * 2.0) { 0.5 } else { 1.0 };
    let is_patch = (x * 7.0).sin() + (y * 9.0 + x * 4.0).sin() > 0.6;
    let [r, g, b] = if is_patch { [0.36, 0.4, 0.26] } else { [0.5, 0.52, 0.36] };
    [r * seam, g * seam, b * seam, 1.0]
}

/// A point of light.
pub(super) fn flash(x: f32, y: f32) -> [f32; 4] {
    let light = (1.0 - (x - 0.5).hypot(y - 0.5) * 2.0).max(0.0).powi(2);
    [light; 4]
}

/// Bright metal, to be tinted.
pub(super) fn plate(x: f32, y: f32) -> [f32; 4] {
    let [r, g, b, _] = steel(x, y);
    let shade = 0.4 + (r + g + b) / 3.0;
    [shade, shade, shade, 1.0]
}

/// Ribs.
pub(super) fn rubber(_: f32, y: f32) -> [f32; 4] {
    let shade = 0.12 + 0.08 * (y * 50.0).sin();
    [shade, shade, shade, 1.0]
}

/// Woven cloth.
pub(super) fn cloth(x: f32, y: f32) -> [f32; 4] {
    let weave = 0.85 + 0.15 * ((x * 160.0).sin() * (y * 160.0).cos());
    [0.55 * weave, 0.42 * weave, 0.3 * weave, 1.0]
}

/// The same with a sash, where the player's colour shows.
pub(super) fn uniform(x: f32, y: f32) -> [f32; 4] {
    let [r, g, b, _] = cloth(x, y);
    let is_sash = (0.4..0.6).contains(&y);
    [r, g, b, if is_sash { 0.0 } else { 1.0 }]
}

/// A normal map without bumps.
pub(super) fn flat(_: f32, _: f32) -> [f32; 4] {
    [0.5, 0.5, 1.0, 1.0]
}

/// Occlusion in red, roughness in green, metal in blue; the player's colour in alpha.
pub(super) fn packed(x: f32, y: f32) -> [f32; 4] {
    let [metal, team] = [(0.3..0.7).contains(&x), (0.4..0.6).contains(&y)];
    [1.0, 0.6, if metal { 0.8 } else { 0.0 }, if team { 1.0 } else { 0.0 }]
}

/// Nothing glows.
pub(super) fn dark(_: f32, _: f32) -> [f32; 4] {
    [0.0, 0.0, 0.0, 1.0]
}
