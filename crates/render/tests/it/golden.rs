//! Golden pictures: frames made by code, compared pixel by pixel with `tests/golden`. `cargo xtask bless` rewrites them, for review.

use crate::frames::{self, Sample, Textures};
use crate::golden_picture::compare;
use meshwright_render::soft;

#[track_caller]
fn check(sample: &Sample) {
    let drawn = soft::draw(&sample.frame, &Textures::new(), &sample.settings).unwrap();
    compare(sample.name, &texture::Image::new(drawn.width, drawn.height, drawn.pixels).unwrap());
}

#[test]
fn golden_blend_states() {
    frames::blend_states().iter().for_each(check);
}

#[test]
fn golden_texture_stages() {
    check(&frames::texture_stages());
}

#[test]
fn golden_depth_comparisons() {
    check(&frames::depth_comparisons());
}

#[test]
fn golden_edges_and_lines() {
    check(&frames::edges_and_lines());
}

#[test]
fn golden_programs_that_light_each_pixel() {
    check(&frames::programs());
}
