//! Draw calls for frames made by hand.

use meshwright_render::frame::{Draw, Fixed, Gradient, PictureId, Program, Sampler, Source, Topology};
use scene::{BlendFactor, Compare, TextureId, Wrap};

/// A texture by its number, repeated, with its smaller levels.
pub(crate) fn sampler(index: u32) -> Sampler {
    Sampler { picture: PictureId::Texture(TextureId(index)), wrap: [Wrap::Repeat; 2], mipmaps: true }
}

/// Triangles in the colours of their vertices, opaque, seen from both sides. The caller adds the indices.
pub(crate) const PLAIN: Draw = Draw {
    source: Source::Overlay,
    topology: Topology::Triangles,
    indices: 0..0,
    blend: (BlendFactor::One, BlendFactor::Zero),
    alpha_test: None,
    depth_test: Compare::LessEqual,
    depth_write: true,
    cull: false,
    program: Program::Fixed(Fixed {
        texture: None,
        gradient: Gradient::Modulate,
        detail: None,
        add_specular: false,
    }),
};
