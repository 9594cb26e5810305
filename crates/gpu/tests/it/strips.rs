//! Each operation with random inputs: one pixel per input, beside the reference.

use glam::{Mat4, Vec2, Vec3, Vec4};
use meshwright_gpu::Headless;
use meshwright_render::frame::{
    Camera, Detail, Draw, Fixed, Frame, Gradient, Hd, Lights, NormalMapped, PictureId, Program, Sampler,
    Vertex,
};
use meshwright_render::soft::{self, Background, Image, Level, PictureSource, Settings};
use scene::{AlphaTest, BlendFactor, Combine, Compare, TextureId, Wrap};

use crate::adapter;
use crate::agreement::TOLERANCE;
use crate::draws::{PLAIN, sampler};

/// Inputs per row and rows of a strip.
const WIDTH: u32 = 64;
const HEIGHT: u32 = 16;

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) >> 40) as f32 / (1 << 24) as f32
    }

    fn between(&mut self, least: f32, most: f32) -> f32 {
        least + (most - least) * self.unit()
    }

    /// A multiple of 1/255, as often as not at an end.
    fn channel(&mut self) -> f32 {
        (self.between(-0.15, 1.15).clamp(0.0, 1.0) * 255.0).round() / 255.0
    }

    fn color(&mut self) -> Vec4 {
        Vec4::new(self.channel(), self.channel(), self.channel(), self.channel())
    }

    fn direction(&mut self) -> Vec3 {
        let at = Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
        at.try_normalize().unwrap_or(Vec3::X)
    }
}

/// Five pictures of random colours, with their smaller levels.
struct Noise(Vec<Vec<Vec<[u8; 4]>>>);

const SIDE: u32 = 32;

impl Noise {
    fn new() -> Self {
        let mut random = Random(5);
        let mut level = |side: u32| {
            (0..side * side)
                .map(|_| random.color().to_array().map(|channel| (channel * 255.0) as u8))
                .collect()
        };
        Self((0..5).map(|_| [32, 16, 8, 4, 2, 1].map(&mut level).into()).collect())
    }
}

impl PictureSource for Noise {
    fn levels(&self, picture: PictureId) -> Vec<Level<'_>> {
        let PictureId::Texture(TextureId(index)) = picture else { return Vec::new() };
        self.0[index as usize]
            .iter()
            .enumerate()
            .map(|(number, texels)| {
                let side = SIDE >> number;
                Level { width: side, height: side, texels }
            })
            .collect()
    }
}

/// The middle of a random texel.
fn texel(random: &mut Random) -> Vec2 {
    let at = |random: &mut Random| ((random.unit() * SIDE as f32).floor() + 0.5) / SIDE as f32;
    Vec2::new(at(random), at(random))
}

/// A frame of one-pixel squares, each with the same value at all corners.
struct Strip {
    frame: Frame,
    random: Random,
}

impl Strip {
    fn new() -> Self {
        let camera =
            Camera { view: Mat4::IDENTITY, projection: Mat4::IDENTITY, position: Vec3::new(0.3, 0.2, -4.0) };
        Self { frame: Frame { camera, ..Frame::default() }, random: Random(1) }
    }

    /// A draw call with a random vertex for each pixel.
    fn draw(&mut self, draw: &Draw, mut vertex: impl FnMut(&mut Random) -> Vertex) -> &mut Self {
        let start = self.frame.indices.len() as u32;
        for index in 0..WIDTH * HEIGHT {
            let (x, y) = (index % WIDTH, index / WIDTH);
            let value = vertex(&mut self.random);
            let first = self.frame.vertices.len() as u32;
            for (right, down) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
                let place = Vec2::new((x + right) as f32 / WIDTH as f32, (y + down) as f32 / HEIGHT as f32);
                let flat = Vec2::new(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0);
                self.frame.vertices.push(Vertex { position: flat.extend(value.position.z), ..value });
            }
            self.frame.indices.extend([0, 2, 1, 0, 3, 2].map(|corner| first + corner));
        }
        self.frame.draws.push(Draw { indices: start..self.frame.indices.len() as u32, ..draw.clone() });
        self
    }

    /// Draws it both ways.
    #[track_caller]
    fn check(&self, gpu: &mut Headless, name: &str) {
        let settings =
            Settings { background: Background::Color([40, 90, 140]), ..Settings::new(WIDTH, HEIGHT) };
        let noise = Noise::new();
        let drawn = gpu.draw(&self.frame, &noise, &settings).unwrap();
        let reference = soft::draw(&self.frame, &noise, &settings).unwrap();
        assert_close(name, &drawn, &reference);
    }
}

#[track_caller]
fn assert_close(name: &str, drawn: &Image, reference: &Image) {
    let pixels = drawn.pixels.as_chunks::<4>().0.iter().zip(reference.pixels.as_chunks::<4>().0);
    for (index, (a, b)) in pixels.enumerate() {
        let close = a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= TOLERANCE);
        assert!(close, "{name}: pixel {index} is {a:?}, the reference {b:?}");
    }
}

fn random_vertex(random: &mut Random) -> Vertex {
    Vertex {
        position: Vec3::new(0.0, 0.0, 0.5),
        normal: random.direction(),
        tangent: random.direction().extend(if random.unit() < 0.5 { -1.0 } else { 1.0 }),
        color: random.color(),
        specular: random.color().truncate() * 0.5,
        uv: [texel(random), texel(random)],
    }
}

const GRADIENTS: [Gradient; 6] = [
    Gradient::Disable,
    Gradient::Modulate,
    Gradient::Add,
    Gradient::Modulate2x,
    Gradient::Bump,
    Gradient::DotProduct,
];

fn fixed(fixed: Fixed) -> Draw {
    // Alpha shows in the picture.
    let blend = (BlendFactor::SourceAlpha, BlendFactor::OneMinusSourceAlpha);
    Draw { program: Program::Fixed(fixed), blend, ..PLAIN }
}

#[test]
fn gradients() {
    let Some(mut gpu) = adapter() else { return };
    for gradient in GRADIENTS {
        for texture in [None, Some(sampler(0))] {
            for add_specular in [false, true] {
                let draw = fixed(Fixed { texture, gradient, detail: None, add_specular });
                let name = format!("{gradient:?}, texture {}, specular {add_specular}", texture.is_some());
                Strip::new().draw(&draw, random_vertex).check(&mut gpu, &name);
            }
        }
    }
}

#[test]
fn combinations_of_colour_and_alpha() {
    let Some(mut gpu) = adapter() else { return };
    for color in Combine::ALL {
        for alpha in Combine::ALL {
            let detail = Detail { texture: sampler(1), color, alpha, bump: [0.0; 4] };
            let draw = fixed(Fixed { texture: Some(sampler(0)), detail: Some(detail), ..Fixed::default() });
            Strip::new().draw(&draw, random_vertex).check(&mut gpu, &format!("{color:?}, {alpha:?}"));
        }
    }
}

#[test]
fn bump_maps_offset_the_second_texture() {
    let Some(mut gpu) = adapter() else { return };
    // Whole texels, so that the second texture is read in the middle of a texel again.
    let step = 8.0 / SIDE as f32;
    for bump in [[step, 0.0, 0.0, step], [0.0, step, -step, 0.0], [0.1, 0.2, -0.3, 0.4]] {
        let detail = Detail { texture: sampler(1), color: Combine::Detail, alpha: Combine::Scale, bump };
        let draw = fixed(Fixed {
            texture: Some(sampler(0)),
            gradient: Gradient::Bump,
            detail: Some(detail),
            add_specular: false,
        });
        Strip::new().draw(&draw, random_vertex).check(&mut gpu, &format!("{bump:?}"));
    }
}

#[test]
fn blend_factors() {
    let Some(mut gpu) = adapter() else { return };
    for first in BlendFactor::ALL {
        for second in BlendFactor::ALL {
            let draw = Draw { blend: (first, second), ..PLAIN };
            let mut strip = Strip::new();
            strip.draw(&PLAIN, random_vertex).draw(&draw, random_vertex);
            strip.check(&mut gpu, &format!("{first:?}, {second:?}"));
            // A second draw call shows the stored alpha.
            let shows = Draw { blend: (BlendFactor::DestinationAlpha, BlendFactor::Zero), ..PLAIN };
            strip.draw(&shows, random_vertex);
            strip.check(&mut gpu, &format!("alpha of {first:?}, {second:?}"));
        }
    }
}

#[test]
fn alpha_tests() {
    let Some(mut gpu) = adapter() else { return };
    for compare in Compare::ALL {
        for reference in [0.0, 4.0 / 255.0, 96.0 / 255.0, 192.0 / 255.0, 1.0] {
            let draw = Draw { alpha_test: Some(AlphaTest { reference, compare }), ..PLAIN };
            let vertex = |random: &mut Random| {
                let vertex = random_vertex(random);
                // Every fourth alpha is exactly the reference.
                let alpha = if random.unit() < 0.25 { reference } else { vertex.color.w };
                Vertex { color: vertex.color.truncate().extend(alpha), ..vertex }
            };
            Strip::new().draw(&draw, vertex).check(&mut gpu, &format!("{compare:?} {reference}"));
        }
    }
}

#[test]
fn depth_tests_and_depth_writes() {
    let Some(mut gpu) = adapter() else { return };
    for depth_test in Compare::ALL {
        for depth_write in [false, true] {
            // A few depths, so that some are equal.
            let vertex = |random: &mut Random| {
                let z = (random.unit() * 4.0).floor() / 4.0;
                Vertex { position: Vec3::new(0.0, 0.0, z), ..random_vertex(random) }
            };
            let draw = Draw { depth_test, depth_write, ..PLAIN };
            let mut strip = Strip::new();
            strip.draw(&PLAIN, vertex).draw(&draw, vertex).draw(&PLAIN, vertex);
            strip.check(&mut gpu, &format!("{depth_test:?}, write {depth_write}"));
        }
    }
}

#[test]
fn wrap_modes_and_filters() {
    let Some(mut gpu) = adapter() else { return };
    let modes = [Wrap::Repeat, Wrap::Clamp, Wrap::Mirror];
    for wrap in modes.iter().flat_map(|u| modes.map(|v| [*u, v])) {
        let texture = Some(Sampler { wrap, ..sampler(2) });
        let draw = fixed(Fixed { texture, gradient: Gradient::Disable, ..Fixed::default() });
        let vertex = |random: &mut Random| {
            let mut at = || random.between(-3.0, 4.0);
            // Multiples of 1/16 texel: both filters have 8 bits, and round them differently.
            let uv = Vec2::new(at(), at());
            let uv = (uv * SIDE as f32 * 16.0).round() / (SIDE as f32 * 16.0);
            Vertex { uv: [uv; 2], ..random_vertex(random) }
        };
        Strip::new().draw(&draw, vertex).check(&mut gpu, &format!("{wrap:?}"));
    }
}

/// A surface whose coordinates change by this many texels per pixel shows noise of the right level.
#[test]
fn mip_levels() {
    let Some(mut gpu) = adapter() else { return };
    for mipmaps in [false, true] {
        for [across, down] in
            [[0.5, 0.5], [1.0, 1.0], [2.0, 1.0], [1.0, 4.0], [3.0, 0.1], [16.0, 16.0], [200.0, 3.0]]
        {
            let texture = Some(Sampler { mipmaps, ..sampler(3) });
            let draw = fixed(Fixed { texture, gradient: Gradient::Disable, ..Fixed::default() });
            let corner = |x: f32, y: f32| Vertex {
                position: Vec3::new(x * 2.0 - 1.0, 1.0 - y * 2.0, 0.5),
                uv: [Vec2::new(x * WIDTH as f32 * across, y * HEIGHT as f32 * down) / SIDE as f32; 2],
                color: Vec4::ONE,
                ..Vertex::default()
            };
            let frame = Frame {
                camera: Strip::new().frame.camera,
                // One triangle over the whole picture: at edges between triangles the reference shades another place.
                vertices: vec![corner(0.0, 0.0), corner(2.0, 0.0), corner(0.0, 2.0)],
                indices: vec![0, 2, 1],
                draws: vec![Draw { indices: 0..3, ..draw }],
                ..Frame::default()
            };
            Strip { frame, random: Random(0) }
                .check(&mut gpu, &format!("{across} x {down}, mipmaps {mipmaps}"));
        }
    }
}

fn lights(random: &mut Random) -> Lights {
    let mut light = || (random.direction(), random.color().truncate() * 0.6);
    Lights { directional: vec![light(), light(), light()], ambient: Vec3::new(0.3, 0.2, 0.4) }
}

#[test]
fn normal_mapped() {
    let Some(mut gpu) = adapter() else { return };
    let mut random = Random(9);
    for round in 0..12 {
        let mapped = NormalMapped {
            diffuse: (round % 3 > 0).then(|| sampler(0)),
            normal: (round % 2 > 0).then(|| sampler(1)),
            bump_scale: random.between(0.2, 2.0),
            exponent: random.between(1.0, 60.0),
            ambient_color: random.color().truncate(),
            diffuse_color: random.color().truncate(),
            specular_color: random.color().truncate(),
        };
        let draw = Draw { program: Program::NormalMapped(mapped), ..fixed(Fixed::default()) };
        let mut strip = Strip::new();
        strip.frame.lights = lights(&mut random);
        strip.draw(&draw, random_vertex).check(&mut gpu, &format!("round {round}"));
    }
}

#[test]
fn hd() {
    let Some(mut gpu) = adapter() else { return };
    let mut random = Random(11);
    for round in 0..16 {
        let some = |bit: u32, index: u32| (round >> bit & 1 == 0).then(|| sampler(index));
        let hd = Hd {
            albedo: some(0, 0),
            normal: some(1, 1),
            orm: some(2, 2),
            emissive: some(3, 3),
            team: some(0, 4),
            emissive_gain: random.between(0.0, 2.0),
            fresnel: random.color(),
            unlit: round % 5 == 4,
        };
        let draw = Draw { program: Program::Hd(hd), ..fixed(Fixed::default()) };
        let mut strip = Strip::new();
        strip.frame.lights = lights(&mut random);
        strip.draw(&draw, random_vertex).check(&mut gpu, &format!("round {round}"));
    }
}
