//! Frames made by code that show every operation, for golden pictures and for comparing renderers.

use crate::draws::{PLAIN, sampler};
use glam::{Mat4, Vec2, Vec3, Vec4};
use meshwright_render::frame::{
    Camera, Detail, Draw, Fixed, Frame, Gradient, Hd, Lights, NormalMapped, PictureId, Program, Topology,
    Vertex,
};
use meshwright_render::soft::{Background, Level, PictureSource, Settings};
use scene::{AlphaTest, BlendFactor, BlendMode, Combine, Compare, TextureId};

/// A frame and how it is drawn.
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    pub(crate) frame: Frame,
    pub(crate) settings: Settings,
}

/// Textures that are made by code: a colourful one, a round one, and bumps.
pub(crate) struct Textures(Vec<Vec<Vec<[u8; 4]>>>);

const SIDE: usize = 64;

impl Textures {
    pub(crate) fn new() -> Self {
        let colors =
            |x: usize, y: usize| [(x * 4) as u8, (y * 4) as u8, ((x ^ y) * 4) as u8, (255 - x * 2) as u8];
        let round = |x: usize, y: usize| {
            let (x, y) = (x.abs_diff(32), y.abs_diff(32));
            let near = 255usize.saturating_sub((x * x + y * y) / 4) as u8;
            [near, 255 - near, 128, near]
        };
        // Normals, x and y in red and green; the same numbers serve as occlusion, roughness and metal.
        let bumps = |x: usize, y: usize| [(128 + x % 16 * 6) as u8, (128 + y % 16 * 6) as u8, 230, 255];
        let plain: [&dyn Fn(usize, usize) -> [u8; 4]; 3] = [&colors, &round, &bumps];
        Self(
            plain
                .map(|texel| {
                    levels((0..SIDE * SIDE).map(|index| texel(index % SIDE, index / SIDE)).collect())
                })
                .into(),
        )
    }
}

/// A picture and its smaller levels, each pixel the mean of four.
fn levels(first: Vec<[u8; 4]>) -> Vec<Vec<[u8; 4]>> {
    let mut levels = vec![first];
    let mut side = SIDE;
    while side > 1 {
        let last = &levels[levels.len() - 1];
        let half = side / 2;
        let mean = |index: usize| {
            let (x, y) = (index % half * 2, index / half * 2);
            let four = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|(x, y)| last[y * side + x]);
            std::array::from_fn(|channel| {
                (four.iter().map(|texel| u32::from(texel[channel])).sum::<u32>() / 4) as u8
            })
        };
        let next = (0..half * half).map(mean).collect();
        levels.push(next);
        side = half;
    }
    levels
}

impl PictureSource for Textures {
    fn levels(&self, picture: PictureId) -> Vec<Level<'_>> {
        let PictureId::Texture(TextureId(index)) = picture else { return Vec::new() };
        let levels = self.0[index as usize].iter().enumerate();
        levels
            .map(|(level, texels)| {
                let side = (SIDE >> level) as u32;
                Level { width: side, height: side, texels }
            })
            .collect()
    }
}

fn textured(fixed: Fixed) -> Draw {
    Draw { program: Program::Fixed(Fixed { texture: Some(sampler(0)), ..fixed }), ..PLAIN }
}

/// A picture of cells, each with a small picture.
struct Cells {
    frame: Frame,
    columns: u32,
    rows: u32,
    /// Pixels along a side of a cell.
    side: u32,
    count: u32,
}

impl Cells {
    fn new(columns: u32, rows: u32, side: u32) -> Self {
        let camera =
            Camera { view: Mat4::IDENTITY, projection: Mat4::IDENTITY, position: Vec3::new(0.0, 0.0, -10.0) };
        let frame = Frame { camera, ..Frame::default() };
        Self { frame, columns, rows, side, count: 0 }
    }

    /// Draws into the current cell. Its corners are (-1, -1) and (1, 1).
    fn draw(&mut self, vertices: &[Vertex], indices: &[u32], draw: &Draw) {
        let (column, row) = (self.count % self.columns, self.count / self.columns);
        let size = Vec2::new(1.0 / self.columns as f32, 1.0 / self.rows as f32);
        let middle = Vec2::new(
            (2 * column + 1) as f32 / self.columns as f32 - 1.0,
            1.0 - (2 * row + 1) as f32 / self.rows as f32,
        );
        let (first, start) = (self.frame.vertices.len() as u32, self.frame.indices.len() as u32);
        self.frame.vertices.extend(vertices.iter().map(|vertex| {
            let flat = vertex.position.truncate() * size * 0.92 + middle;
            Vertex { position: flat.extend(vertex.position.z), ..*vertex }
        }));
        self.frame.indices.extend(indices.iter().map(|index| index + first));
        let indices = start..self.frame.indices.len() as u32;
        self.frame.draws.push(Draw { indices, ..draw.clone() });
    }

    /// A rectangle, brighter to the right, more opaque to the top.
    fn rectangle(&mut self, min: Vec2, max: Vec2, z: [f32; 2], color: Vec3, draw: &Draw) {
        let corner = |x: f32, y: f32| {
            let (u, v) = ((x - min.x) / (max.x - min.x), (y - min.y) / (max.y - min.y));
            Vertex {
                position: Vec3::new(x, y, z[0] + (z[1] - z[0]) * u),
                color: (color * (0.25 + 0.75 * u)).extend(0.2 + 0.8 * v),
                specular: Vec3::new(0.0, 0.25 * u, 0.0),
                uv: [Vec2::new(u, 1.0 - v), Vec2::new(u * 2.0, v * 2.0)],
                ..Vertex::default()
            }
        };
        let corners =
            [corner(min.x, min.y), corner(max.x, min.y), corner(max.x, max.y), corner(min.x, max.y)];
        self.draw(&corners, &[0, 1, 2, 0, 2, 3], draw);
    }

    fn full(&mut self, color: Vec3, draw: &Draw) {
        self.rectangle(Vec2::NEG_ONE, Vec2::ONE, [0.5; 2], color, draw);
    }

    fn next(&mut self) {
        self.count += 1;
    }

    fn sample(self, name: &'static str, background: Background) -> Sample {
        let size = Settings::new(self.columns * self.side, self.rows * self.side);
        Sample { name, frame: self.frame, settings: Settings { background, ..size } }
    }
}

const GREY: Background = Background::Color([90, 94, 102]);

/// Every pair of blend factors.
pub(crate) fn blend_states() -> [Sample; 2] {
    [("blends", GREY), ("blends-transparent", Background::Transparent)].map(|(name, background)| {
        let mut cells = Cells::new(10, 10, 16);
        for first in BlendFactor::ALL {
            for second in BlendFactor::ALL {
                let below = Draw { blend: BlendMode::Alpha.factors(), ..PLAIN };
                cells.rectangle(
                    Vec2::NEG_ONE,
                    Vec2::new(0.4, 0.4),
                    [0.6; 2],
                    Vec3::new(0.3, 0.8, 1.0),
                    &below,
                );
                let above = Draw { blend: (first, second), ..PLAIN };
                cells.rectangle(Vec2::splat(-0.4), Vec2::ONE, [0.5; 2], Vec3::new(1.0, 0.6, 0.2), &above);
                cells.next();
            }
        }
        cells.sample(name, background)
    })
}

/// Every gradient and combination of texture stages.
pub(crate) fn texture_stages() -> Sample {
    let mut cells = Cells::new(5, 4, 32);
    for gradient in
        [Gradient::Disable, Gradient::Modulate, Gradient::Add, Gradient::Modulate2x, Gradient::DotProduct]
    {
        cells.full(Vec3::new(1.0, 0.8, 0.6), &textured(Fixed { gradient, ..Fixed::default() }));
        cells.next();
    }
    for color in Combine::ALL.into_iter().filter(|color| *color != Combine::Disable) {
        let detail = Detail { texture: sampler(1), color, alpha: Combine::Disable, bump: [0.0; 4] };
        cells.full(Vec3::ONE, &textured(Fixed { detail: Some(detail), ..Fixed::default() }));
        cells.next();
    }
    // A bump map, an added specular colour, and an alpha test.
    let detail = Detail {
        texture: sampler(1),
        color: Combine::Detail,
        alpha: Combine::Scale,
        bump: [0.3, 0.0, 0.0, 0.3],
    };
    cells.full(
        Vec3::ONE,
        &textured(Fixed { gradient: Gradient::Bump, detail: Some(detail), ..Fixed::default() }),
    );
    cells.next();
    cells.full(Vec3::ONE, &textured(Fixed { add_specular: true, ..Fixed::default() }));
    cells.next();
    let round = Fixed { texture: Some(sampler(1)), ..Fixed::default() };
    let cut = Draw { alpha_test: Some(AlphaTest::W3D), program: Program::Fixed(round), ..PLAIN };
    cells.full(Vec3::ONE, &cut);
    cells.sample("stages", GREY)
}

/// Every depth test.
pub(crate) fn depth_comparisons() -> Sample {
    let mut cells = Cells::new(4, 2, 24);
    for depth_test in Compare::ALL {
        cells.rectangle(Vec2::NEG_ONE, Vec2::new(1.0, 0.2), [0.5; 2], Vec3::new(0.2, 0.4, 1.0), &PLAIN);
        // It goes through the other one.
        let through = Draw { depth_test, ..PLAIN };
        cells.rectangle(Vec2::new(-1.0, -0.2), Vec2::ONE, [0.2, 0.8], Vec3::new(1.0, 0.5, 0.1), &through);
        cells.next();
    }
    cells.sample("depth", GREY)
}

/// Edges of triangles, and lines, in all directions.
pub(crate) fn edges_and_lines() -> Sample {
    let mut cells = Cells::new(2, 1, 96);
    // Directions without the help of sines: points of a square, brought to one length.
    let rim: Vec<Vec2> = (0..32)
        .map(|at| {
            let along = (at % 8) as f32 / 4.0 - 1.0;
            let side = [
                Vec2::new(along, -1.0),
                Vec2::new(1.0, along),
                Vec2::new(-along, 1.0),
                Vec2::new(-1.0, -along),
            ][at / 8];
            side / side.length()
        })
        .collect();
    let vertex = |at: Vec2, color: Vec3| Vertex {
        position: at.extend(0.5),
        color: color.extend(1.0),
        ..Vertex::default()
    };
    let mut vertices = vec![vertex(Vec2::ZERO, Vec3::ONE)];
    vertices.extend(rim.iter().map(|at| vertex(*at, Vec3::new(at.x.max(0.0), at.y.max(0.0), 0.5))));
    let fan: Vec<u32> = (0..32).step_by(2).flat_map(|at| [0, at + 1, at + 2]).collect();
    cells.draw(&vertices, &fan, &PLAIN);
    cells.next();
    let rays: Vec<u32> = (0..32).flat_map(|at| [0, at + 1]).collect();
    cells.draw(&vertices, &rays, &Draw { topology: Topology::Lines, ..PLAIN });
    cells.sample("edges", GREY)
}

/// A ball: a cube whose points are brought to one length.
fn ball(center: Vec3) -> (Vec<Vertex>, Vec<u32>) {
    const STEPS: u32 = 12;
    let (mut vertices, mut indices) = (Vec::new(), Vec::new());
    let sides = [
        [Vec3::X, Vec3::Y, Vec3::Z],
        [Vec3::Y, Vec3::X, Vec3::NEG_Z],
        [Vec3::Y, Vec3::Z, Vec3::X],
        [Vec3::Z, Vec3::Y, Vec3::NEG_X],
        [Vec3::Z, Vec3::X, Vec3::Y],
        [Vec3::X, Vec3::Z, Vec3::NEG_Y],
    ];
    for [right, up, out] in sides {
        let first = vertices.len() as u32;
        for y in 0..=STEPS {
            for x in 0..=STEPS {
                let [u, v] = [x, y].map(|index| index as f32 / STEPS as f32);
                let index = right * (2.0 * u - 1.0) + up * (2.0 * v - 1.0) + out;
                let normal = index / index.length();
                vertices.push(Vertex {
                    position: center + normal,
                    normal,
                    tangent: right.extend(1.0),
                    color: Vec4::ONE,
                    uv: [Vec2::new(u, 1.0 - v); 2],
                    ..Vertex::default()
                });
                if x < STEPS && y < STEPS {
                    let a = first + y * (STEPS + 1) + x;
                    let b = a + STEPS + 1;
                    indices.extend([a, a + 1, b + 1, a, b + 1, b]);
                }
            }
        }
    }
    (vertices, indices)
}

/// A ball for each program, textured and lit.
pub(crate) fn programs() -> Sample {
    let mut frame = Frame {
        camera: Camera {
            view: Mat4::from_translation(Vec3::new(0.0, 0.0, -9.0)),
            // 2 : 1, near 1, far 20.
            projection: Mat4::from_cols(
                Vec4::new(1.9, 0.0, 0.0, 0.0),
                Vec4::new(0.0, 3.8, 0.0, 0.0),
                Vec4::new(0.0, 0.0, -20.0 / 19.0, -1.0),
                Vec4::new(0.0, 0.0, -20.0 / 19.0, 0.0),
            ),
            position: Vec3::new(0.0, 0.0, 9.0),
        },
        lights: Lights {
            ambient: Vec3::splat(0.3),
            directional: vec![(Vec3::new(0.6, 0.64, 0.48), Vec3::new(1.0, 0.95, 0.9))],
        },
        ..Frame::default()
    };
    let mapped = NormalMapped {
        diffuse: Some(sampler(0)),
        normal: Some(sampler(2)),
        bump_scale: 1.0,
        exponent: 50.0,
        ambient_color: Vec3::splat(0.4),
        diffuse_color: Vec3::ONE,
        specular_color: Vec3::splat(0.8),
    };
    let hd = Hd {
        albedo: Some(sampler(0)),
        normal: None,
        orm: Some(sampler(2)),
        emissive: None,
        team: None,
        emissive_gain: 1.0,
        fresnel: Vec4::new(0.2, 0.6, 1.0, 0.5),
        unlit: false,
    };
    let programs = [
        Program::Fixed(Fixed { texture: Some(sampler(0)), ..Fixed::default() }),
        Program::NormalMapped(mapped),
        Program::Hd(hd),
    ];
    for (program, x) in programs.into_iter().zip([-2.6, 0.0, 2.6]) {
        let (vertices, indices) = ball(Vec3::new(x, 0.0, 0.0));
        let (first, start) = (frame.vertices.len() as u32, frame.indices.len() as u32);
        frame.vertices.extend(vertices);
        frame.indices.extend(indices.iter().map(|index| index + first));
        let indices = start..frame.indices.len() as u32;
        frame.draws.push(Draw { program, indices, cull: true, ..PLAIN });
    }
    Sample { name: "programs", frame, settings: Settings { background: GREY, ..Settings::new(192, 96) } }
}
