//! Uniforms of a frame and of its draw calls, as `shaders/frame.wgsl` declares them.

use render::frame::{Camera, Draw, Frame, Gradient, Program, Sampler};
use scene::{AlphaTest, Combine};
use zerocopy::{Immutable, IntoBytes};

use crate::textures::Size;

/// The maximum number of lights of a frame; others are ignored. [`Framer`](render::frame::Framer) makes at most 8.
pub(crate) const MAX_LIGHTS: usize = 16;

/// Textures of a draw call.
pub(crate) const SLOTS: usize = 5;

/// Distance in bytes between the uniforms of draw calls: WebGL2's limit.
pub(crate) const DRAW_STRIDE: u64 = 256;

#[derive(Clone, Copy, Debug, Default, Immutable, IntoBytes)]
#[repr(C)]
struct Light {
    direction: [f32; 4],
    color: [f32; 4],
}

/// `Frame` of the shader.
#[derive(Clone, Copy, Debug, Immutable, IntoBytes)]
#[repr(C)]
pub(crate) struct FrameUniform {
    rows: [[f32; 4]; 4],
    camera: [f32; 4],
    ambient: [f32; 4],
    size: [f32; 4],
    lights: [Light; MAX_LIGHTS],
}

impl FrameUniform {
    pub(crate) fn new(frame: &Frame, width: u32, height: u32) -> Self {
        let mut lights = [Light::default(); MAX_LIGHTS];
        for (light, (direction, color)) in lights.iter_mut().zip(&frame.lights.directional) {
            *light =
                Light { direction: direction.extend(0.0).to_array(), color: color.extend(0.0).to_array() };
        }
        let count = frame.lights.directional.len().min(MAX_LIGHTS);
        Self {
            rows: rows(&frame.camera),
            camera: frame.camera.position.extend(0.0).to_array(),
            ambient: frame.lights.ambient.extend(0.0).to_array(),
            size: [width as f32, height as f32, count as f32, 0.0],
            lights,
        }
    }
}

/// The rows of the product of projection and view, summed in the order of `render::soft`.
fn rows(camera: &Camera) -> [[f32; 4]; 4] {
    let projection = camera.projection.transpose().to_cols_array_2d();
    let view = camera.view.to_cols_array_2d();
    let dot = |a: [f32; 4], b: [f32; 4]| (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
    projection.map(|row| view.map(|column| dot(row, column)))
}

/// `Draw` of the shader.
#[derive(Clone, Copy, Debug, Immutable, IntoBytes)]
#[repr(C)]
pub(crate) struct DrawUniform {
    textures: [[f32; 4]; SLOTS],
    bump: [f32; 4],
    numbers: [[f32; 4]; 4],
    operations: [u32; 4],
    alpha_test: [u32; 4],
    /// Padding up to [`DRAW_STRIDE`].
    rest: [u32; 16],
}

const _: () = assert!(size_of::<DrawUniform>() as u64 == DRAW_STRIDE);

impl DrawUniform {
    /// The uniforms of a draw call whose textures have these sizes.
    pub(crate) fn new(draw: &Draw, sizes: [Option<Size>; SLOTS]) -> Self {
        let samplers = samplers(&draw.program);
        let textures = std::array::from_fn(|slot| match (sizes[slot], samplers[slot]) {
            (Some(size), Some(sampler)) => {
                let last = if sampler.mipmaps { size.last_level } else { 0 };
                [size.width as f32, size.height as f32, last as f32, 1.0]
            }
            _ => [0.0; 4],
        });
        let mut uniform = Self {
            textures,
            bump: [0.0; 4],
            numbers: [[0.0; 4]; 4],
            operations: [0; 4],
            alpha_test: alpha_bytes(draw.alpha_test),
            rest: [0; 16],
        };
        match &draw.program {
            Program::Fixed(fixed) => {
                let (color, alpha) = match &fixed.detail {
                    Some(detail) => {
                        uniform.bump = detail.bump;
                        (detail.color, detail.alpha)
                    }
                    None => (Combine::Disable, Combine::Disable),
                };
                uniform.operations =
                    [gradient(fixed.gradient), combine(color), combine(alpha), u32::from(fixed.add_specular)];
            }
            Program::NormalMapped(mapped) => {
                uniform.numbers = [
                    [mapped.bump_scale, mapped.exponent, 0.0, 0.0],
                    mapped.ambient_color.extend(0.0).to_array(),
                    mapped.diffuse_color.extend(0.0).to_array(),
                    mapped.specular_color.extend(0.0).to_array(),
                ];
            }
            Program::Hd(hd) => {
                uniform.numbers[0] = [hd.emissive_gain, f32::from(hd.unlit), 0.0, 0.0];
                uniform.numbers[1] = hd.fresnel.to_array();
            }
        }
        uniform
    }
}

/// The textures of a program, in the order of the shader.
pub(crate) fn samplers(program: &Program) -> [Option<Sampler>; SLOTS] {
    match program {
        Program::Fixed(fixed) => {
            [fixed.texture, fixed.detail.as_ref().map(|detail| detail.texture), None, None, None]
        }
        Program::NormalMapped(mapped) => [mapped.diffuse, mapped.normal, None, None, None],
        Program::Hd(hd) => [hd.albedo, hd.normal, hd.orm, hd.emissive, hd.team],
    }
}

/// The number of a gradient in the shader.
fn gradient(gradient: Gradient) -> u32 {
    match gradient {
        Gradient::Disable => 0,
        Gradient::Modulate => 1,
        Gradient::Add => 2,
        Gradient::Modulate2x => 3,
        Gradient::Bump => 4,
        Gradient::DotProduct => 5,
    }
}

/// The number of a combination in the shader.
fn combine(combine: Combine) -> u32 {
    match combine {
        Combine::Disable => 0,
        Combine::Detail => 1,
        Combine::Scale => 2,
        Combine::InverseScale => 3,
        Combine::Add => 4,
        Combine::Subtract => 5,
        Combine::SubtractReversed => 6,
        Combine::Blend => 7,
        Combine::DetailBlend => 8,
        Combine::AddSigned => 9,
        Combine::AddSigned2x => 10,
        Combine::Scale2x => 11,
        Combine::ModulateAlphaAddColor => 12,
    }
}

/// The bytes of alpha that pass a test: from the first to the second; those outside if the third is 1. The shader compares bytes,
/// because a comparison of fractions would depend on the rounding of the driver.
fn alpha_bytes(test: Option<AlphaTest>) -> [u32; 4] {
    let Some(test) = test else { return [0, 255, 0, 0] };
    let passes = |byte: &u32| test.passes(*byte as f32 / 255.0);
    let range = |inside: bool| {
        let mut bytes = (0..=255).filter(|byte| passes(byte) == inside);
        let first = bytes.next()?;
        Some([first, bytes.next_back().unwrap_or(first)])
    };
    match (range(true), range(false)) {
        (Some([first, last]), None) => [first, last, 0, 0],
        // Nothing passes.
        (None, _) => [0, 255, 1, 0],
        // Either the passing or the failing values are one range.
        (Some([first, last]), Some(_)) if (first..=last).all(|byte| passes(&byte)) => [first, last, 0, 0],
        (_, Some([first, last])) => [first, last, 1, 0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::Compare;

    #[test]
    fn alpha_tests_pass_the_same_bytes_as_their_comparison() {
        for compare in Compare::ALL {
            for reference in [0.0, 4.0 / 255.0, 96.0 / 255.0, 0.5, 192.0 / 255.0, 1.0, -1.0, 2.0, f32::NAN] {
                let test = AlphaTest { reference, compare };
                let [low, high, inverted, _] = alpha_bytes(Some(test));
                for byte in 0..=255 {
                    let drawn = (low <= byte && byte <= high) != (inverted == 1);
                    assert_eq!(drawn, test.passes(byte as f32 / 255.0), "{compare:?} {reference} {byte}");
                }
            }
        }
        assert_eq!(alpha_bytes(Some(AlphaTest::W3D)), [96, 255, 0, 0]);
        assert_eq!(alpha_bytes(None), [0, 255, 0, 0]);
    }
}
