//! The states that most models need, drawn once in advance. Drivers compile a program when it is first used, which takes
//! up to a second in software.

use render::frame::{
    Draw, Fixed, Frame, Hd, NormalMapped, PictureId, Program, Sampler, Source, Topology, Vertex,
};
use render::soft::{Level, PictureSource};
use scene::{BlendFactor, Compare, TextureId, Wrap};

/// A white picture with all its levels, as textures of models have them.
pub(crate) struct White;

impl PictureSource for White {
    fn levels(&self, _: PictureId) -> Vec<Level<'_>> {
        const TEXELS: [[u8; 4]; 16] = [[255; 4]; 16];
        [4, 2, 1]
            .map(|side| Level { width: side, height: side, texels: &TEXELS[..(side * side) as usize] })
            .into()
    }
}

const TEXTURE: Sampler =
    Sampler { picture: PictureId::Texture(TextureId(0)), wrap: [Wrap::Repeat; 2], mipmaps: true };

/// Blend factors and whether depth is written, most frequent first: opaque, transparent, glowing.
const BLENDS: [((BlendFactor, BlendFactor), bool); 5] = [
    ((BlendFactor::One, BlendFactor::Zero), true),
    ((BlendFactor::SourceAlpha, BlendFactor::OneMinusSourceAlpha), false),
    ((BlendFactor::SourceAlpha, BlendFactor::One), false),
    ((BlendFactor::One, BlendFactor::One), false),
    ((BlendFactor::SourceAlpha, BlendFactor::OneMinusSourceAlpha), true),
];

/// The usual states, most frequent first: one small triangle or line each.
pub(crate) fn usual() -> Vec<Frame> {
    let fixed = |wrap| {
        let texture = Some(Sampler { wrap: [wrap; 2], ..TEXTURE });
        Program::Fixed(Fixed { texture, ..Fixed::default() })
    };
    let plain = Draw {
        source: Source::Overlay,
        topology: Topology::Triangles,
        indices: 0..3,
        blend: BLENDS[0].0,
        alpha_test: None,
        depth_test: Compare::LessEqual,
        depth_write: true,
        cull: true,
        program: fixed(Wrap::Repeat),
    };
    let mut draws = Vec::new();
    // Software drivers compile a program for each way to wrap a texture; the other combinations are fast after these.
    for (wrap, cull) in [(Wrap::Repeat, true), (Wrap::Clamp, false)] {
        for (blend, depth_write) in BLENDS {
            draws.push(Draw { blend, depth_write, cull, program: fixed(wrap), ..plain.clone() });
        }
    }
    let untextured = || Program::Fixed(Fixed::default());
    draws.push(Draw { program: untextured(), ..plain.clone() });
    // Lines of overlays: over everything, and behind the model.
    let line = Draw { topology: Topology::Lines, indices: 0..2, program: untextured(), ..plain.clone() };
    draws.push(Draw { depth_write: false, blend: BLENDS[1].0, ..line.clone() });
    draws.push(Draw { depth_test: Compare::Always, depth_write: false, blend: BLENDS[1].0, ..line });
    let hd = || {
        Program::Hd(Hd {
            albedo: Some(TEXTURE),
            normal: Some(TEXTURE),
            orm: Some(TEXTURE),
            emissive: Some(TEXTURE),
            team: Some(TEXTURE),
            emissive_gain: 1.0,
            fresnel: Default::default(),
            unlit: false,
        })
    };
    let normal_mapped = Program::NormalMapped(NormalMapped {
        diffuse: Some(TEXTURE),
        normal: Some(TEXTURE),
        bump_scale: 1.0,
        exponent: 50.0,
        ambient_color: Default::default(),
        diffuse_color: Default::default(),
        specular_color: Default::default(),
    });
    draws.push(Draw { program: hd(), ..plain.clone() });
    draws.push(Draw { program: hd(), cull: false, ..plain.clone() });
    draws.push(Draw { program: normal_mapped, ..plain });
    let corner = |x: f32, y: f32| Vertex {
        position: [x, y, 0.5].into(),
        normal: [0.0, 0.0, 1.0].into(),
        tangent: [1.0, 0.0, 0.0, 1.0].into(),
        color: [1.0; 4].into(),
        ..Vertex::default()
    };
    let vertices = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(0.0, 1.0)];
    let frame = |draw| Frame {
        vertices: vertices.clone(),
        indices: vec![0, 1, 2],
        draws: vec![draw],
        ..Frame::default()
    };
    draws.into_iter().map(frame).collect()
}
