//! The rasteriser, with frames made by hand and pixels calculated by hand.

use std::collections::HashMap;
use std::num::NonZero;

use crate::draws::{PLAIN, sampler};
use glam::{Mat4, Vec2, Vec3, Vec4};
use meshwright_render::frame::{
    Camera, Detail, Draw, Fixed, Frame, Gradient, Hd, Lights, NormalMapped, PictureId, Program, Sampler,
    Topology, Vertex,
};
use meshwright_render::soft::{self, Background, Error, Image, Level, PictureSource, Settings};
use scene::{AlphaTest, BlendFactor, BlendMode, Combine, Compare, TextureId};

/// Pictures by name.
#[derive(Default)]
struct Shelf(HashMap<PictureId, Vec<Stored>>);

/// Size and texels of a level.
type Stored = (u32, u32, Vec<[u8; 4]>);

impl PictureSource for Shelf {
    fn levels(&self, picture: PictureId) -> Vec<Level<'_>> {
        let levels = self.0.get(&picture).into_iter().flatten();
        levels.map(|(width, height, texels)| Level { width: *width, height: *height, texels }).collect()
    }
}

impl Shelf {
    fn with(mut self, index: u32, width: u32, height: u32, texels: &[[u8; 4]]) -> Self {
        let id = PictureId::Texture(TextureId(index));
        self.0.entry(id).or_default().push((width, height, texels.to_vec()));
        self
    }
}

/// A camera for which world space is the screen: x and y from -1 to 1, depth 0 to 1.
fn flat() -> Camera {
    Camera { view: Mat4::IDENTITY, projection: Mat4::IDENTITY, position: Vec3::new(0.0, 0.0, -1.0) }
}

/// A projection in perspective: `scale` is one over the tangent of half the angle of view.
fn perspective(scale: f32, near: f32, far: f32) -> Mat4 {
    let depth = far / (near - far);
    Mat4::from_cols(
        Vec4::new(scale, 0.0, 0.0, 0.0),
        Vec4::new(0.0, scale, 0.0, 0.0),
        Vec4::new(0.0, 0.0, depth, -1.0),
        Vec4::new(0.0, 0.0, depth * near, 0.0),
    )
}

fn vertex(x: f32, y: f32, z: f32, color: [f32; 4]) -> Vertex {
    Vertex {
        position: Vec3::new(x, y, z),
        normal: -Vec3::Z,
        tangent: Vec4::new(1.0, 0.0, 0.0, 1.0),
        color: Vec4::from_array(color),
        specular: Vec3::ZERO,
        uv: [Vec2::new(x * 0.5 + 0.5, 0.5 - y * 0.5); 2],
    }
}

/// A frame that grows draw call by draw call.
struct Canvas(Frame);

impl Canvas {
    fn new() -> Self {
        Self(Frame { camera: flat(), ..Frame::default() })
    }

    fn add(mut self, vertices: &[Vertex], indices: &[u32], draw: Draw) -> Self {
        let first = self.0.vertices.len() as u32;
        let start = self.0.indices.len() as u32;
        self.0.vertices.extend(vertices);
        self.0.indices.extend(indices.iter().map(|index| index.saturating_add(first)));
        self.0.draws.push(Draw { indices: start..self.0.indices.len() as u32, ..draw });
        self
    }

    /// A rectangle that covers the whole screen.
    fn full(self, z: f32, color: [f32; 4], draw: Draw) -> Self {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let vertices = corners.map(|(x, y)| vertex(x, y, z, color));
        self.add(&vertices, &[0, 1, 2, 0, 2, 3], draw)
    }

    fn draw(&self, width: u32, height: u32, pictures: &Shelf) -> Image {
        let background = Background::Color([0; 3]);
        soft::draw(&self.0, pictures, &Settings { background, ..Settings::new(width, height) }).unwrap()
    }
}

fn pixel(picture: &Image, x: u32, y: u32) -> [u8; 4] {
    let at = (y * picture.width + x) as usize * 4;
    picture.pixels[at..at + 4].try_into().unwrap()
}

/// The colour of a single pixel that everything covers.
fn single(canvas: Canvas, pictures: &Shelf) -> [u8; 3] {
    let [r, g, b, _] = pixel(&canvas.draw(1, 1, pictures), 0, 0);
    [r, g, b]
}

fn fixed(fixed: Fixed) -> Draw {
    Draw { program: Program::Fixed(fixed), ..PLAIN }
}

const ADD: (BlendFactor, BlendFactor) = (BlendFactor::One, BlendFactor::One);
const GREY: [f32; 4] = [0.2, 0.2, 0.2, 1.0];

#[test]
fn triangles_side_by_side_cover_each_sample_once() {
    // A fan of triangles around an odd point, added to each other: any gap or overlap would show.
    let rim = [
        (-1.1, -1.2),
        (0.3, -1.4),
        (1.3, -1.1),
        (1.2, 0.37),
        (1.5, 1.2),
        (-0.21, 1.3),
        (-1.4, 1.2),
        (-1.2, 0.1),
    ];
    let mut vertices = vec![vertex(0.137, -0.219, 0.5, GREY)];
    vertices.extend(rim.map(|(x, y)| vertex(x, y, 0.5, GREY)));
    let indices: Vec<u32> = (0..8).flat_map(|index| [0, index + 1, (index + 1) % 8 + 1]).collect();
    let draw = Draw { blend: ADD, depth_test: Compare::Always, ..PLAIN };
    let picture = Canvas::new().add(&vertices, &indices, draw).draw(97, 61, &Shelf::default());
    for (index, pixel) in picture.pixels.chunks_exact(4).enumerate() {
        assert_eq!(pixel, [51, 51, 51, 255], "pixel {index}");
    }
}

#[test]
fn samples_on_an_edge_belong_to_the_triangle_below_and_to_the_right() {
    // In a picture of 8 pixels, edges at 1/8 of a pixel run exactly through samples.
    let square = |left: f32, top: f32, right: f32, bottom: f32, color| {
        let at = |x: f32, y: f32| vertex(x / 4.0 - 1.0, 1.0 - y / 4.0, 0.5, color);
        [at(left, top), at(right, top), at(right, bottom), at(left, bottom)]
    };
    // Pixel 2 has samples at x = 2.125, 2.375, 2.625, 2.875: the left edge includes the first, the right edge excludes it.
    let draw = |left, right| {
        let canvas = Canvas::new().add(&square(left, 0.0, right, 8.0, [1.0; 4]), &[0, 1, 2, 0, 2, 3], PLAIN);
        pixel(&canvas.draw(8, 8, &Shelf::default()), 2, 4)[0]
    };
    assert_eq!(draw(2.125, 5.0), 255);
    assert_eq!(draw(2.25, 5.0), 191);
    assert_eq!(draw(0.0, 2.125), 0);
    assert_eq!(draw(0.0, 2.25), 64);
    let draw = |top, bottom| {
        let canvas = Canvas::new().add(&square(0.0, top, 8.0, bottom, [1.0; 4]), &[0, 1, 2, 0, 2, 3], PLAIN);
        pixel(&canvas.draw(8, 8, &Shelf::default()), 4, 2)[0]
    };
    assert_eq!(draw(2.125, 5.0), 255);
    assert_eq!(draw(0.0, 2.125), 0);
}

#[test]
fn edges_are_smoothed_by_the_share_of_covered_samples() {
    // The left half of pixel 1: two of its four samples.
    let at = |x: f32, y: f32| vertex(x / 2.0 - 1.0, y, 0.5, [1.0; 4]);
    let rectangle = [at(0.0, -1.0), at(1.5, -1.0), at(1.5, 1.0), at(0.0, 1.0)];
    let picture = Canvas::new().add(&rectangle, &[0, 1, 2, 0, 2, 3], PLAIN).draw(4, 1, &Shelf::default());
    let row: Vec<u8> = (0..4).map(|x| pixel(&picture, x, 0)[0]).collect();
    assert_eq!(row, [255, 128, 0, 0]);
}

/// A floor that runs from the camera to the distance, its far end twice as far away as its near end.
fn floor(uv_scale: f32) -> Canvas {
    let mut canvas = Canvas::new();
    canvas.0.camera.projection = perspective(1.0, 0.5, 4.0);
    let at = |x: f32, y: f32, w: f32, color: f32, v: f32| Vertex {
        position: Vec3::new(x * w, y * w, -w),
        uv: [Vec2::new(x * 0.5 + 0.5, v * uv_scale); 2],
        color: Vec4::new(color, color, color, 1.0),
        ..vertex(0.0, 0.0, 0.0, [1.0; 4])
    };
    let corners = [
        at(-1.0, -1.0, 1.0, 0.0, 0.0),
        at(1.0, -1.0, 1.0, 0.0, 0.0),
        at(1.0, 1.0, 2.0, 1.0, 1.0),
        at(-1.0, 1.0, 2.0, 1.0, 1.0),
    ];
    canvas.add(&corners, &[0, 1, 2, 0, 2, 3], PLAIN)
}

#[test]
fn the_middle_of_the_screen_is_not_the_middle_of_a_surface_in_perspective() {
    // Half way up the screen, 1/w is the mean of 1 and 1/2, so that the share of the far end is (1/2 · 1/2) / (3/4) = 1/3.
    let picture = floor(1.0).draw(3, 3, &Shelf::default());
    for x in 0..3 {
        assert_eq!(pixel(&picture, x, 1)[0], 85);
    }
}

#[test]
fn what_is_behind_the_camera_or_beyond_the_far_plane_is_cut_off() {
    // Depth runs from -1 at the left to 3 at the right: 0 to 1 is the second quarter.
    let wedge = [(-1.0, -1.0), (1.0, 3.0)];
    let vertices: Vec<Vertex> = wedge
        .iter()
        .flat_map(|&(x, z)| [vertex(x, -1.0, z, [1.0; 4]), vertex(x, 1.0, z, [1.0; 4])])
        .collect();
    let picture = Canvas::new().add(&vertices, &[0, 2, 3, 0, 3, 1], PLAIN).draw(8, 2, &Shelf::default());
    let row: Vec<u8> = (0..8).map(|x| pixel(&picture, x, 1)[0]).collect();
    assert_eq!(row, [0, 0, 255, 255, 0, 0, 0, 0]);
}

#[test]
fn a_triangle_through_the_camera_shows_its_visible_part() {
    let mut canvas = Canvas::new();
    canvas.0.camera.projection = perspective(2.0, 0.1, 100.0);
    // The ground, from far behind to far ahead.
    let at = |x: f32, z: f32| vertex(x, -1.0, z, [1.0; 4]);
    let vertices = [at(-1e4, 1e4), at(1e4, 1e4), at(0.0, -1e5)];
    let picture = canvas.add(&vertices, &[0, 1, 2], PLAIN).draw(16, 16, &Shelf::default());
    for x in 0..16 {
        assert_eq!(pixel(&picture, x, 2)[0], 0, "sky");
        assert_eq!(pixel(&picture, x, 15)[0], 255, "ground at {x}");
    }
}

#[test]
fn colours_survive_clipping() {
    // Twice as wide as the guard band: the colour in the middle stays what it is.
    let vertices = [
        vertex(-20.0, -20.0, 0.5, [0.0, 0.0, 0.0, 1.0]),
        vertex(20.0, -20.0, 0.5, [1.0, 0.0, 0.0, 1.0]),
        vertex(20.0, 20.0, 0.5, [1.0, 1.0, 0.0, 1.0]),
        vertex(-20.0, 20.0, 0.5, [0.0, 1.0, 0.0, 1.0]),
    ];
    let picture = Canvas::new().add(&vertices, &[0, 1, 2, 0, 2, 3], PLAIN).draw(2, 2, &Shelf::default());
    // Red goes from 0.475 to 0.525 over the screen, green likewise, upwards.
    assert_eq!(pixel(&picture, 0, 0), [124, 131, 0, 255]);
    assert_eq!(pixel(&picture, 1, 1), [131, 124, 0, 255]);
}

#[test]
fn depth_is_compared_as_asked_and_written_if_asked() {
    let compares = [
        // Drawn at 0.25, 0.5 and 0.75 over what is at 0.5.
        (Compare::Never, [false, false, false]),
        (Compare::Less, [true, false, false]),
        (Compare::Equal, [false, true, false]),
        (Compare::LessEqual, [true, true, false]),
        (Compare::Greater, [false, false, true]),
        (Compare::NotEqual, [true, false, true]),
        (Compare::GreaterEqual, [false, true, true]),
        (Compare::Always, [true, true, true]),
    ];
    for (depth_test, expected) in compares {
        let drawn = [0.25, 0.5, 0.75].map(|z| {
            let canvas = Canvas::new().full(0.5, [1.0, 0.0, 0.0, 1.0], PLAIN).full(
                z,
                [0.0, 1.0, 0.0, 1.0],
                Draw { depth_test, ..PLAIN },
            );
            single(canvas, &Shelf::default()) == [0, 255, 0]
        });
        assert_eq!(drawn, expected, "{depth_test:?}");
    }
    for (depth_write, expected) in [(true, [255, 0, 0]), (false, [0, 255, 0])] {
        let canvas = Canvas::new().full(0.25, [1.0, 0.0, 0.0, 1.0], Draw { depth_write, ..PLAIN }).full(
            0.5,
            [0.0, 1.0, 0.0, 1.0],
            PLAIN,
        );
        assert_eq!(single(canvas, &Shelf::default()), expected);
    }
}

#[test]
fn a_second_pass_over_slanted_triangles_finds_equal_depth() {
    let slanted = [
        vertex(-0.91, -0.87, 0.113, GREY),
        vertex(0.95, -0.73, 0.871, GREY),
        vertex(0.03, 0.93, 0.457, GREY),
    ];
    let pass = Draw { depth_test: Compare::Equal, blend: ADD, depth_write: false, ..PLAIN };
    let canvas = Canvas::new().add(&slanted, &[0, 1, 2], PLAIN).add(&slanted, &[0, 1, 2], pass);
    let picture = canvas.draw(53, 47, &Shelf::default());
    assert!(picture.pixels.chunks_exact(4).any(|pixel| pixel[0] == 102));
    // Twice the grey of one pass, at the edges too.
    let once = Canvas::new().add(&slanted, &[0, 1, 2], PLAIN).draw(53, 47, &Shelf::default());
    for (one, two) in once.pixels.chunks_exact(4).zip(picture.pixels.chunks_exact(4)) {
        assert!((i32::from(two[0]) - 2 * i32::from(one[0])).abs() <= 1, "{one:?} {two:?}");
    }
}

#[test]
fn clockwise_triangles_are_culled_if_asked() {
    let vertices = [
        vertex(-3.0, -1.0, 0.5, [1.0; 4]),
        vertex(3.0, -1.0, 0.5, [1.0; 4]),
        vertex(0.0, 9.0, 0.5, [1.0; 4]),
    ];
    for (indices, cull, expected) in
        [([0, 1, 2], true, 255), ([0, 2, 1], true, 0), ([0, 1, 2], false, 255), ([0, 2, 1], false, 255)]
    {
        let canvas = Canvas::new().add(&vertices, &indices, Draw { cull, ..PLAIN });
        assert_eq!(single(canvas, &Shelf::default())[0], expected, "{indices:?} {cull}");
    }
}

#[test]
fn the_alpha_test_compares_the_final_alpha() {
    let texel = |alpha| Shelf::default().with(0, 1, 1, &[[255, 255, 255, alpha]]);
    let draw = |alpha, opacity, test| {
        let program = Fixed { texture: Some(sampler(0)), ..Fixed::default() };
        let canvas = Canvas::new().full(
            0.5,
            [1.0, 1.0, 1.0, opacity],
            Draw { alpha_test: Some(test), ..fixed(program) },
        );
        single(canvas, &texel(alpha)) == [255; 3]
    };
    // W3D: 96 passes, 95 does not. Warcraft III: 192.
    assert!(draw(96, 1.0, AlphaTest::W3D));
    assert!(!draw(95, 1.0, AlphaTest::W3D));
    assert!(draw(192, 1.0, AlphaTest::WARCRAFT));
    assert!(!draw(191, 1.0, AlphaTest::WARCRAFT));
    assert!(draw(159, 1.0, AlphaTest::W3D_INVERTED));
    assert!(!draw(160, 1.0, AlphaTest::W3D_INVERTED));
    // 255 · 0.25 = 64 is below 96.
    assert!(!draw(255, 0.25, AlphaTest::W3D));
    // Pixels that fail the test write no depth.
    let program = Fixed { texture: Some(sampler(0)), ..Fixed::default() };
    let test = Draw { alpha_test: Some(AlphaTest::W3D), ..fixed(program) };
    let canvas = Canvas::new().full(0.2, [1.0; 4], test).full(0.5, [0.0, 1.0, 0.0, 1.0], PLAIN);
    assert_eq!(single(canvas, &texel(10)), [0, 255, 0]);
}

#[test]
fn every_gradient_reaches_the_pixel() {
    // T0 = 0.6, 0.8, 0.4; D = 0.5, 0.25, 1.0 (docs/formats/rendering.md#w3d-passes).
    let texel = Shelf::default().with(0, 1, 1, &[[153, 204, 102, 255]]);
    for (gradient, expected) in [
        (Gradient::Disable, [153, 204, 102]),
        (Gradient::Modulate, [77, 51, 102]),
        (Gradient::Add, [255, 255, 255]),
        (Gradient::Modulate2x, [153, 102, 204]),
        (Gradient::Bump, [128, 64, 255]),
    ] {
        let program = Fixed { texture: Some(sampler(0)), gradient, ..Fixed::default() };
        let canvas = Canvas::new().full(0.5, [0.5, 0.25, 1.0, 1.0], fixed(program));
        let drawn = single(canvas, &texel);
        assert!(close(drawn, expected), "{gradient:?}: {drawn:?}");
    }
    // Without a texture: D.
    let canvas = Canvas::new().full(0.5, [0.6, 0.4, 0.2, 1.0], PLAIN);
    assert_eq!(single(canvas, &texel), [153, 102, 51]);
}

/// Equal but for the rounding of halves.
fn close(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 1)
}

#[test]
fn every_detail_operation_reaches_the_pixel() {
    // C = 0.4, 0.2, 0.8 with alpha 0.2; T1 = 0.6, 0.4, 0.2 with alpha 0.6 (docs/formats/rendering.md#w3d-passes).
    let texels = Shelf::default().with(0, 1, 1, &[[102, 51, 204, 51]]).with(1, 1, 1, &[[153, 102, 51, 153]]);
    for (color, expected) in [
        (Combine::Disable, [102, 51, 204]),
        (Combine::Detail, [153, 102, 51]),
        (Combine::Scale, [61, 20, 41]),
        (Combine::InverseScale, [194, 133, 214]),
        (Combine::Add, [255, 153, 255]),
        (Combine::Subtract, [51, 51, 0]),
        (Combine::SubtractReversed, [0, 0, 153]),
        (Combine::Blend, [133, 82, 112]),
        (Combine::DetailBlend, [112, 61, 173]),
        (Combine::AddSigned, [128, 26, 128]),
        (Combine::AddSigned2x, [255, 51, 255]),
        (Combine::Scale2x, [122, 41, 82]),
        (Combine::ModulateAlphaAddColor, [133, 71, 214]),
    ] {
        let detail = Detail { texture: sampler(1), color, alpha: Combine::Disable, bump: [0.0; 4] };
        let program = Fixed { texture: Some(sampler(0)), detail: Some(detail), ..Fixed::default() };
        let drawn = single(Canvas::new().full(0.5, [1.0; 4], fixed(program)), &texels);
        assert!(close(drawn, expected), "{color:?}: {drawn:?}");
    }
    // Alpha is seen through alpha blending on black: white times 0.2, 0.6, 0.12, 0.68.
    let texels = Shelf::default().with(0, 1, 1, &[[255, 255, 255, 51]]).with(1, 1, 1, &[[0, 0, 0, 153]]);
    for (alpha, expected) in
        [(Combine::Disable, 51), (Combine::Detail, 153), (Combine::Scale, 31), (Combine::InverseScale, 173)]
    {
        let detail = Detail { texture: sampler(1), color: Combine::Disable, alpha, bump: [0.0; 4] };
        let program = Fixed { texture: Some(sampler(0)), detail: Some(detail), ..Fixed::default() };
        let draw = Draw { blend: BlendMode::Alpha.factors(), ..fixed(program) };
        let drawn = single(Canvas::new().full(0.5, [1.0; 4], draw), &texels);
        assert!(close(drawn, [expected; 3]), "{alpha:?}: {drawn:?}");
    }
}

#[test]
fn a_bump_map_moves_the_second_texture() {
    // The first texture says (1, 0); the matrix makes half a turn of it: the second texel instead of the first.
    let texels = Shelf::default().with(0, 1, 1, &[[255, 128, 0, 255]]).with(
        1,
        2,
        1,
        &[[255, 0, 0, 255], [0, 0, 255, 255]],
    );
    let drawn = |bump: f32| {
        let detail = Detail {
            texture: Sampler { mipmaps: false, ..sampler(1) },
            color: Combine::Detail,
            alpha: Combine::Disable,
            bump: [bump, 0.0, 0.0, 0.0],
        };
        let program = Fixed {
            texture: Some(sampler(0)),
            gradient: Gradient::Bump,
            detail: Some(detail),
            add_specular: false,
        };
        let mut canvas = Canvas::new().full(0.5, [1.0; 4], fixed(program));
        canvas.0.vertices.iter_mut().for_each(|vertex| vertex.uv[1] = Vec2::new(0.25, 0.5));
        single(canvas, &texels)
    };
    assert_eq!(drawn(0.0), [255, 0, 0]);
    assert_eq!(drawn(0.5), [0, 0, 255]);
}

#[test]
fn the_specular_colour_is_added_after_the_textures() {
    let texels = Shelf::default().with(0, 1, 1, &[[51, 51, 51, 255]]);
    for (add_specular, expected) in [(true, [102, 51, 51]), (false, [51, 51, 51])] {
        let program = Fixed { texture: Some(sampler(0)), add_specular, ..Fixed::default() };
        let mut canvas = Canvas::new().full(0.5, [1.0; 4], fixed(program));
        canvas.0.vertices.iter_mut().for_each(|vertex| vertex.specular = Vec3::new(0.2, 0.0, 0.0));
        assert_eq!(single(canvas, &texels), expected);
    }
}

/// Warcraft III's filter modes over grey 0.4, with a layer of 0.6, 0.2, 1.0 and alpha 0.6 (docs/formats/rendering.md#mdx-layers).
#[test]
fn every_filter_mode_of_warcraft_gives_the_calculated_colour() {
    for (blend, test, expected) in [
        (BlendMode::Opaque, None, [153, 51, 255]),
        // The alpha is below 192: nothing is drawn.
        (BlendMode::Opaque, Some(AlphaTest::WARCRAFT), [102, 102, 102]),
        // 0.6 · layer + 0.4 · 0.4
        (BlendMode::Alpha, Some(AlphaTest::INVISIBLE), [133, 71, 194]),
        // 0.6 · layer + 0.4
        (BlendMode::Additive, Some(AlphaTest::INVISIBLE), [194, 133, 255]),
        (BlendMode::AddAlpha, Some(AlphaTest::INVISIBLE), [194, 133, 255]),
        // layer · 0.4
        (BlendMode::Modulate, Some(AlphaTest::INVISIBLE), [61, 20, 102]),
        // 2 · layer · 0.4
        (BlendMode::Modulate2x, Some(AlphaTest::INVISIBLE), [122, 41, 204]),
    ] {
        let texels = Shelf::default().with(0, 1, 1, &[[153, 51, 255, 153]]);
        let program = Fixed { texture: Some(sampler(0)), ..Fixed::default() };
        let layer = Draw { blend: blend.factors(), alpha_test: test, ..fixed(program) };
        let canvas = Canvas::new().full(0.5, [0.4, 0.4, 0.4, 1.0], PLAIN).full(0.5, [1.0; 4], layer);
        assert_eq!(single(canvas, &texels), expected, "{blend:?}");
    }
}

#[test]
fn a_picture_shown_smaller_uses_its_smaller_levels() {
    let grey = |value| [value, value, value, 255];
    let shelf = Shelf::default()
        .with(0, 8, 8, &[grey(0); 64])
        .with(0, 4, 4, &[grey(85); 16])
        .with(0, 2, 2, &[grey(170); 4])
        .with(0, 1, 1, &[grey(255)]);
    let program = Fixed { texture: Some(sampler(0)), ..Fixed::default() };
    let drawn = |side: u32, program: &Fixed| {
        let canvas = Canvas::new().full(0.5, [1.0; 4], fixed(program.clone()));
        pixel(&canvas.draw(side, side, &shelf), side / 2, side / 2)[0]
    };
    for (side, expected) in [(16, 0), (8, 0), (4, 85), (2, 170), (1, 255)] {
        assert_eq!(drawn(side, &program), expected, "{side} pixels");
    }
    let plain = Fixed { texture: Some(Sampler { mipmaps: false, ..sampler(0) }), ..Fixed::default() };
    assert_eq!(drawn(1, &plain), 0);
}

#[test]
fn levels_are_chosen_where_the_pixel_is_not_for_the_whole_triangle() {
    // The texture repeats 16 times from the near end to the far end: the far rows need smaller levels than the near ones.
    let grey = |value| [value, value, value, 255];
    let mut shelf = Shelf::default();
    for (level, value) in [0u8, 50, 100, 150, 200].into_iter().enumerate() {
        let side = 16 >> level;
        shelf = shelf.with(0, side, side, &vec![grey(value); (side * side) as usize]);
    }
    let mut canvas = floor(4.0);
    canvas.0.vertices.iter_mut().for_each(|vertex| vertex.color = Vec4::ONE);
    canvas.0.draws[0] = Draw {
        program: Program::Fixed(Fixed { texture: Some(sampler(0)), ..Fixed::default() }),
        ..canvas.0.draws[0].clone()
    };
    let picture = canvas.draw(32, 32, &shelf);
    let (near, far) = (pixel(&picture, 16, 31)[0], pixel(&picture, 16, 0)[0]);
    assert!(far > near + 40, "near {near}, far {far}");
}

#[test]
fn lines_are_one_pixel_wide() {
    let draw = Draw { topology: Topology::Lines, ..PLAIN };
    // Through the centres of row 3, from the centre of pixel 1 to that of pixel 5; half a pixel more at the ends.
    let at = |x: f32, y: f32| vertex(x / 4.0 - 1.0, 1.0 - y / 4.0, 0.5, [1.0; 4]);
    let canvas = Canvas::new().add(&[at(1.5, 3.5), at(5.5, 3.5)], &[0, 1], draw.clone());
    let picture = canvas.draw(8, 8, &Shelf::default());
    for y in 0..8 {
        for x in 0..8 {
            let expected = if y == 3 && (1..=5).contains(&x) { 255 } else { 0 };
            assert_eq!(pixel(&picture, x, y)[0], expected, "{x} {y}");
        }
    }
    // Culling does not apply to lines, and those that leave the screen are cut.
    let canvas = Canvas::new().add(&[at(-400.0, 3.5), at(400.0, 3.5)], &[1, 0], Draw { cull: true, ..draw });
    let picture = canvas.draw(8, 8, &Shelf::default());
    assert!((0..8).all(|x| pixel(&picture, x, 3)[0] == 255));
}

#[test]
fn transparent_pictures_have_the_alpha_of_what_was_drawn() {
    let drawn = |draw: Draw, color| {
        let canvas = Canvas::new().full(0.5, color, draw);
        let picture = soft::draw(&canvas.0, &Shelf::default(), &Settings::new(1, 1)).unwrap();
        pixel(&picture, 0, 0)
    };
    let blend = |mode: BlendMode| Draw { blend: mode.factors(), ..PLAIN };
    assert_eq!(drawn(PLAIN, [0.2, 0.4, 0.6, 0.1]), [51, 102, 153, 255]);
    assert_eq!(drawn(blend(BlendMode::Alpha), [0.2, 0.4, 0.6, 0.6]), [52, 102, 153, 153]);
    // Glow: the brightest channel is the alpha, so that it is exact on black.
    assert_eq!(drawn(blend(BlendMode::Add), [0.2, 0.4, 0.6, 1.0]), [85, 170, 255, 153]);
    // A shadow: black that shows what is behind by half.
    assert_eq!(drawn(blend(BlendMode::Modulate), [0.6, 0.6, 0.6, 1.0]), [0, 0, 0, 102]);
    let nothing = soft::draw(&Frame::default(), &Shelf::default(), &Settings::new(2, 2)).unwrap();
    assert_eq!(nothing.pixels, [0; 16]);
}

#[test]
fn the_number_of_threads_does_not_change_a_byte() {
    let mut canvas = Canvas::new();
    let mut seed = 1u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32
    };
    for index in 0..60 {
        let vertices: Vec<Vertex> = (0..3)
            .map(|_| {
                vertex(
                    random() * 3.0 - 1.5,
                    random() * 3.0 - 1.5,
                    random(),
                    [random(), random(), random(), 0.5],
                )
            })
            .collect();
        let blend = if index % 2 == 0 { BlendMode::Opaque } else { BlendMode::Alpha };
        canvas = canvas.add(&vertices, &[0, 1, 2], Draw { blend: blend.factors(), ..PLAIN });
    }
    let draw = |threads| {
        let settings = Settings { threads: NonZero::new(threads), ..Settings::new(150, 131) };
        soft::draw(&canvas.0, &Shelf::default(), &settings).unwrap()
    };
    let one = draw(1);
    assert_eq!(one, draw(2));
    assert_eq!(one, draw(7));
    assert!(one.pixels.iter().any(|byte| *byte != 0));
}

#[test]
fn frames_that_make_no_sense_do_no_harm() {
    let values = [0.0, 1.0, -1.0, 1e-40, 1e20, -1e38, f32::MAX, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    let mut canvas = Canvas::new();
    for &x in &values {
        for &y in &values {
            let broken = Vertex {
                uv: [Vec2::new(x, y); 2],
                normal: Vec3::splat(x),
                tangent: Vec4::splat(y),
                specular: Vec3::splat(x),
                ..vertex(x, y, 0.5, [x, y, x, y])
            };
            let sound = vertex(0.0, 1.0, 0.5, [1.0; 4]);
            let other = Vertex { position: Vec3::new(-1.0, -1.0, y), ..broken };
            for program in programs() {
                let draw = Draw { program, ..PLAIN };
                canvas =
                    canvas.add(&[broken, sound, other], &[0, 1, 2, 1, 2, 7, u32::MAX - 900], draw.clone());
                canvas = canvas.add(
                    &[broken, sound],
                    &[0, 1, 1, 1, 900_000],
                    Draw { topology: Topology::Lines, ..draw },
                );
            }
        }
    }
    canvas.0.draws.push(Draw { indices: 5..u32::MAX, ..PLAIN });
    // An empty range the wrong way round.
    canvas.0.draws.push(Draw { indices: std::ops::Range { start: 9, end: 3 }, ..PLAIN });
    let shelf = Shelf::default().with(0, 2, 2, &[[255; 4]; 4]).with(1, 0, 7, &[]).with(1, 3, 3, &[[1; 4]]);
    let settings = Settings::new(40, 40);
    let projections = [
        Mat4::IDENTITY,
        Mat4::ZERO,
        Mat4::NAN,
        perspective(1.0, 1e-30, 1e30),
        Mat4::from_cols_array(&[f32::MAX; 16]),
    ];
    for projection in projections {
        canvas.0.camera.projection = projection;
        assert_eq!(soft::draw(&canvas.0, &shelf, &settings).unwrap().pixels.len(), 6400);
    }
}

fn programs() -> [Program; 3] {
    [
        Program::Fixed(Fixed { texture: Some(sampler(0)), add_specular: true, ..Fixed::default() }),
        Program::NormalMapped(NormalMapped {
            diffuse: Some(sampler(0)),
            normal: Some(sampler(1)),
            bump_scale: 1.0,
            exponent: f32::NAN,
            ambient_color: Vec3::ONE,
            diffuse_color: Vec3::ONE,
            specular_color: Vec3::ONE,
        }),
        Program::Hd(Hd {
            albedo: Some(sampler(0)),
            normal: Some(sampler(0)),
            orm: Some(sampler(0)),
            emissive: None,
            team: Some(sampler(1)),
            emissive_gain: f32::INFINITY,
            fresnel: Vec4::ONE,
            unlit: false,
        }),
    ]
}

#[test]
fn lit_programs_show_the_light() {
    let shelf = Shelf::default().with(0, 1, 1, &[[128, 128, 128, 255]]);
    let [_, mapped, hd] = programs();
    for program in [mapped, hd] {
        let drawn = |direction: Vec3| {
            let mut canvas = Canvas::new().full(0.5, [1.0; 4], Draw { program: program.clone(), ..PLAIN });
            if let Program::NormalMapped(mapped) = &mut canvas.0.draws[0].program {
                mapped.exponent = 50.0;
            }
            if let Program::Hd(hd) = &mut canvas.0.draws[0].program {
                (hd.normal, hd.orm, hd.emissive_gain, hd.fresnel) = (None, None, 1.0, Vec4::ZERO);
            }
            canvas.0.lights =
                Lights { ambient: Vec3::splat(0.1), directional: vec![(direction, Vec3::splat(0.5))] };
            single(canvas, &shelf)[0]
        };
        // The surface faces the camera at -Z.
        assert!(drawn(-Vec3::Z) > drawn(Vec3::Z) + 40);
    }
}

#[test]
fn sizes_out_of_range_are_refused() {
    for (width, height) in [(0, 1), (1, 0), (soft::LONGEST_SIDE + 1, 1), (u32::MAX, u32::MAX)] {
        let result = soft::draw(&Frame::default(), &Shelf::default(), &Settings::new(width, height));
        assert_eq!(result, Err(Error::Size { width, height }));
    }
    let widest = soft::draw(&Frame::default(), &Shelf::default(), &Settings::new(soft::LONGEST_SIDE, 1));
    assert!(widest.is_ok());
}

/// Frames whose numbers are random bits: huge, tiny, NaN. Places on the screen must stay in range.
#[test]
fn random_numbers_do_no_harm() {
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f32::from_bits((seed >> 32) as u32)
    };
    for _ in 0..4000 {
        let projection = Mat4::from_cols_array(&std::array::from_fn(|_| random()));
        let vertices: Vec<Vertex> =
            (0..6).map(|_| vertex(random(), random(), random(), [1.0, 0.5, 0.25, 1.0])).collect();
        let lines = Draw { topology: Topology::Lines, ..PLAIN };
        let mut canvas = Canvas::new().add(&vertices, &[0, 1, 2, 3, 4, 5], PLAIN);
        canvas = canvas.add(&vertices, &[0, 1, 2, 3, 4, 5], lines);
        canvas.0.camera.projection = projection;
        assert_eq!(canvas.draw(8, 8, &Shelf::default()).pixels.len(), 8 * 8 * 4);
    }
}
