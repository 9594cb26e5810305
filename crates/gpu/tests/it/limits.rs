//! Refused frames, skipped triangles, and freed memory.

use glam::{Mat4, Vec3, Vec4};
use meshwright_gpu::{Error, Textures};
use meshwright_render::frame::{Camera, Draw, Fixed, Frame, Lights, PictureId, Program, Topology, Vertex};
use meshwright_render::pictures::{PictureOptions, Pictures};
use meshwright_render::soft::{self, Background, Level, PictureSource, Settings};
use scene::Scene;

use crate::adapter;
use crate::agreement::TOLERANCE;
use crate::draws::{PLAIN, sampler};

/// The same picture for every name.
struct One {
    side: u32,
    texels: Vec<[u8; 4]>,
}

impl One {
    fn new(side: u32) -> Self {
        Self { side, texels: vec![[200, 100, 50, 255]; (side * side) as usize] }
    }
}

impl PictureSource for One {
    fn levels(&self, _: PictureId) -> Vec<Level<'_>> {
        vec![Level { width: self.side, height: self.side, texels: &self.texels }]
    }
}

/// A long picture that is as large as no adapter allows, with or without a smaller level.
struct Long {
    texels: Vec<[u8; 4]>,
    levels: usize,
}

impl PictureSource for Long {
    fn levels(&self, _: PictureId) -> Vec<Level<'_>> {
        let level = |number: usize| {
            let width = self.texels.len() >> number;
            Level { width: width as u32, height: 1, texels: &self.texels[..width] }
        };
        (0..self.levels).map(level).collect()
    }
}

fn corner(x: f32, y: f32) -> Vertex {
    Vertex { position: Vec3::new(x, y, 0.5), color: Vec4::ONE, ..Vertex::default() }
}

/// A square over the whole picture, with a texture.
fn square() -> Frame {
    let program = Program::Fixed(Fixed { texture: Some(sampler(0)), ..Fixed::default() });
    Frame {
        camera: Camera { view: Mat4::IDENTITY, projection: Mat4::IDENTITY, position: Vec3::NEG_Z },
        vertices: vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)],
        indices: vec![0, 1, 2, 0, 2, 3],
        draws: vec![Draw { indices: 0..6, program, ..PLAIN }],
        lights: Lights::default(),
    }
}

const SMALL: Settings =
    Settings { width: 8, height: 8, background: Background::Color([0; 3]), threads: None };

#[test]
fn sizes_that_are_not_allowed_are_errors() {
    let Some(mut gpu) = adapter() else { return };
    let pictures = One::new(2);
    for (width, height) in [(0, 8), (8, 0), (1 << 20, 8)] {
        let error = gpu.draw(&square(), &pictures, &Settings { width, height, ..SMALL }).unwrap_err();
        assert!(matches!(error, Error::Size { .. }), "{error}");
        let text = error.to_string();
        assert!(
            text.starts_with(&format!("A picture of {width}x{height} pixels")) && text.ends_with('.'),
            "{text}"
        );
    }
    assert!(gpu.draw(&square(), &pictures, &SMALL).is_ok());
}

#[test]
fn a_texture_that_is_too_large_is_an_error_unless_it_has_a_smaller_level() {
    let Some(mut gpu) = adapter() else { return };
    let texels = vec![[200, 100, 50, 255]; 1 << 17];
    let error = gpu.draw(&square(), &Long { texels: texels.clone(), levels: 1 }, &SMALL).unwrap_err();
    assert!(matches!(error, Error::TextureTooLarge { width: 131_072, height: 1, .. }), "{error}");
    let image = gpu.draw(&square(), &Long { texels, levels: 18 }, &SMALL).unwrap();
    assert_eq!(image.pixels[..4], [200, 100, 50, 255]);
}

#[test]
fn what_is_invalid_in_a_frame_is_skipped_as_by_the_reference() {
    let Some(mut gpu) = adapter() else { return };
    let pictures = One::new(2);
    let mut frame = square();
    // Indices out of range, NaN, infinity, a range beyond the indices, half a triangle; and one good triangle.
    let bad = [f32::NAN, f32::INFINITY, 1e30].map(|x| corner(x, 0.0));
    frame.vertices.extend(bad);
    frame.indices = vec![0, 1, 99, 0, 1, 4, 0, 1, 5, 0, 1, 6, u32::MAX, 1, 2, 0, 1, 2, 0, 3];
    frame.draws[0].indices = 0..999;
    frame.draws.push(Draw { topology: Topology::Lines, indices: 0..19, ..PLAIN });
    frame.draws.push(Draw { indices: 50..60, ..PLAIN });
    let drawn = gpu.draw(&frame, &pictures, &SMALL).unwrap();
    let reference = soft::draw(&frame, &pictures, &SMALL).unwrap();
    // The triangle below the diagonal is drawn; the other half of the picture is empty.
    for at in [(7 * 8 + 4) * 4, (8 + 1) * 4] {
        let pixels = drawn.pixels[at..at + 4].iter().zip(&reference.pixels[at..at + 4]);
        assert!(pixels.into_iter().all(|(a, b)| a.abs_diff(*b) <= TOLERANCE), "{at}");
    }
    // Nothing at all.
    assert!(gpu.draw(&Frame::default(), &pictures, &SMALL).is_ok());
}

#[test]
fn pictures_without_pixels_count_as_none() {
    let Some(mut gpu) = adapter() else { return };
    struct None;
    impl PictureSource for None {
        fn levels(&self, _: PictureId) -> Vec<Level<'_>> {
            Vec::new()
        }
    }
    let image = gpu.draw(&square(), &None, &SMALL).unwrap();
    assert_eq!(image.pixels[..4], [255; 4]);
}

#[test]
fn a_lost_device_is_an_error_and_not_a_panic() {
    let Some(mut gpu) = adapter() else { return };
    let pictures = One::new(2);
    gpu.draw(&square(), &pictures, &SMALL).unwrap();
    gpu.renderer().device().destroy();
    for _ in 0..3 {
        let error = gpu.draw(&square(), &pictures, &SMALL).unwrap_err();
        assert!(matches!(error, Error::Lost(_)), "{error}");
    }
    assert!(gpu.renderer().target(8, 8).is_err());
}

/// Kilobytes of memory that this process uses, where the system tells it.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Each model has a texture of 256 KB: a leak would be 250 MB.
#[test]
fn memory_does_not_grow_over_a_thousand_models() {
    let Some(mut gpu) = adapter() else { return };
    let mut before = None;
    for number in 0..1000 {
        let pictures = One::new(256);
        let mut textures = Textures::new();
        gpu.draw_with(&square(), &pictures, &mut textures, &SMALL).unwrap();
        assert_eq!(textures.bytes(), 256 * 256 * 4);
        // The first models fill the caches of the driver.
        if number == 100 {
            before = memory();
        }
    }
    assert!(gpu.renderer().pipelines() <= 2);
    // Mesa's own Vulkan driver in software (22.3) keeps a megabyte of each submission.
    let adapter = gpu.adapter();
    if adapter.is_software && adapter.backend == "Vulkan" {
        return;
    }
    if let (Some(before), Some(after)) = (before, memory()) {
        let grown = after.saturating_sub(before);
        assert!(grown < 40_000, "{grown} KB more");
    }
}

#[test]
fn an_empty_scene_is_drawn() {
    let Some(mut gpu) = adapter() else { return };
    let scene = Scene::default();
    let pictures = Pictures::load(&scene, &PictureOptions::default(), |_| None);
    let frame = meshwright_render::frame::Framer::new(&scene).frame(&Default::default());
    let image = gpu.draw(&frame, &pictures, &Settings::new(16, 16)).unwrap();
    assert_eq!(image.pixels.len(), 16 * 16 * 4);
}
