//! Draw calls with their pictures, and the colour of a pixel from interpolated vertices.

use glam::{Vec2, Vec3, Vec4, Vec4Swizzles};
use scene::{AlphaTest, BlendFactor, Combine, Compare};

use super::sample::{Footprint, Texture};
use super::shade::{self, HdNumbers, HdTexels, NormalMappedNumbers, Surface};
use super::source::PictureSource;
use crate::frame::{Draw, Gradient, Lights, Program, Sampler, Vertex};

/// A draw call with its pictures.
pub(super) struct Prepared<'p> {
    pub(super) blend: (BlendFactor, BlendFactor),
    pub(super) alpha_test: Option<AlphaTest>,
    pub(super) depth_test: Compare,
    pub(super) depth_write: bool,
    shader: Shader<'p>,
}

enum Shader<'p> {
    Fixed {
        texture: Option<Texture<'p>>,
        gradient: Gradient,
        detail: Option<Detail<'p>>,
        add_specular: bool,
    },
    NormalMapped {
        diffuse: Option<Texture<'p>>,
        normal: Option<Texture<'p>>,
        numbers: NormalMappedNumbers,
    },
    Hd {
        albedo: Option<Texture<'p>>,
        normal: Option<Texture<'p>>,
        orm: Option<Texture<'p>>,
        emissive: Option<Texture<'p>>,
        team: Option<Texture<'p>>,
        numbers: HdNumbers,
    },
}

struct Detail<'p> {
    texture: Texture<'p>,
    color: Combine,
    alpha: Combine,
    bump: [f32; 4],
}

/// Data that all pixels of a frame share.
pub(super) struct Shared<'f> {
    pub(super) lights: &'f Lights,
    pub(super) camera: Vec3,
}

impl<'p> Prepared<'p> {
    pub(super) fn new(draw: &Draw, pictures: &'p dyn PictureSource) -> Self {
        let of = |sampler: &Sampler| Texture::new(sampler, pictures);
        let texture = |sampler: &Option<Sampler>| sampler.as_ref().and_then(of);
        let shader = match &draw.program {
            Program::Fixed(fixed) => Shader::Fixed {
                texture: texture(&fixed.texture),
                gradient: fixed.gradient,
                detail: fixed.detail.as_ref().and_then(|detail| {
                    let texture = of(&detail.texture)?;
                    Some(Detail { texture, color: detail.color, alpha: detail.alpha, bump: detail.bump })
                }),
                add_specular: fixed.add_specular,
            },
            Program::NormalMapped(mapped) => Shader::NormalMapped {
                diffuse: texture(&mapped.diffuse),
                normal: texture(&mapped.normal),
                numbers: NormalMappedNumbers {
                    bump_scale: mapped.bump_scale,
                    exponent: mapped.exponent,
                    ambient_color: mapped.ambient_color,
                    diffuse_color: mapped.diffuse_color,
                    specular_color: mapped.specular_color,
                },
            },
            Program::Hd(hd) => Shader::Hd {
                albedo: texture(&hd.albedo),
                normal: texture(&hd.normal),
                orm: texture(&hd.orm),
                emissive: texture(&hd.emissive),
                team: texture(&hd.team),
                numbers: HdNumbers { emissive_gain: hd.emissive_gain, fresnel: hd.fresnel, unlit: hd.unlit },
            },
        };
        Self {
            blend: draw.blend,
            alpha_test: draw.alpha_test,
            depth_test: draw.depth_test,
            depth_write: draw.depth_write,
            shader,
        }
    }

    /// The colour of a pixel, each channel 0 to 1.
    #[inline]
    pub(super) fn color(&self, corners: &Corners<'_>, at: &Place, shared: &Shared<'_>) -> Vec4 {
        let color = shade::clamp(corners.color.at(at));
        let uv = corners.uv.at(at);
        let (first, second) = (uv.xy(), uv.zw());
        match &self.shader {
            Shader::Fixed { texture, gradient, detail, add_specular } => {
                let footprints = || corners.uv.footprint(at);
                let t0 = texture.as_ref().map(|texture| texture.sample(first, &footprints()[0]));
                let mut result = shade::first_stage(*gradient, color, t0);
                if let Some(detail) = detail {
                    let mut second = second;
                    if let (Gradient::Bump, Some(t0)) = (*gradient, t0) {
                        // The first texture contains the offset, with 0 at one half.
                        let (du, dv) = (t0.x * 2.0 - 1.0, t0.y * 2.0 - 1.0);
                        let [a, b, c, d] = detail.bump;
                        second += Vec2::new(a * du + b * dv, c * du + d * dv);
                    }
                    let t1 = detail.texture.sample(second, &footprints()[1]);
                    result = shade::second_stage(detail.color, detail.alpha, result, t1);
                }
                if *add_specular {
                    let specular = corners.interpolated(at, |vertex| vertex.specular);
                    result = shade::clamp(result + specular.extend(0.0));
                }
                result
            }
            Shader::NormalMapped { diffuse, normal, numbers } => {
                let [footprint, _] = corners.uv.footprint(at);
                let texel = diffuse.as_ref().map_or(Vec4::ONE, |texture| texture.sample(first, &footprint));
                let normal = normal.as_ref().map(|texture| texture.sample(first, &footprint));
                let surface = corners.surface(at, shared.camera);
                shade::normal_mapped(numbers, &surface, texel, normal, shared.lights)
            }
            Shader::Hd { albedo, normal, orm, emissive, team, numbers } => {
                let [footprint, _] = corners.uv.footprint(at);
                let texel = |texture: &Option<Texture<'_>>| {
                    texture.as_ref().map(|texture| texture.sample(first, &footprint))
                };
                let texels = HdTexels {
                    albedo: texel(albedo).unwrap_or(Vec4::ONE),
                    normal: texel(normal),
                    orm: texel(orm).unwrap_or(Vec4::new(1.0, 1.0, 0.0, 0.0)),
                    emissive: texel(emissive).map_or(Vec3::ZERO, Vec4::xyz),
                    team: texel(team).map_or(Vec3::ONE, Vec4::xyz),
                };
                let surface = corners.surface(at, shared.camera);
                shade::hd(numbers, &surface, &texels, color, shared.lights)
            }
        }
    }
}

/// A position in a triangle: the perspective-correct weights of the second and the third corner, and their change from
/// pixel to pixel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) shares: [f32; 2],
    /// To the right.
    pub(super) dx: [f32; 2],
    /// Downwards.
    pub(super) dy: [f32; 2],
}

/// The vertices of a triangle, ready for interpolation.
pub(super) struct Corners<'v> {
    vertices: [&'v Vertex; 3],
    color: Linear,
    uv: Linear,
}

/// Four values that change linearly over a triangle.
struct Linear {
    first: Vec4,
    /// The differences of the second and the third corner from the first.
    more: [Vec4; 2],
}

/// Numbers beyond this, infinite ones and NaN become zero.
const LARGEST: f32 = 1e6;

fn sane(value: f32) -> f32 {
    if value.abs() <= LARGEST { value } else { 0.0 }
}

impl Linear {
    fn new(values: [Vec4; 3]) -> Self {
        let [a, b, c] = values.map(|value| Vec4::from_array(value.to_array().map(sane)));
        Self { first: a, more: [b - a, c - a] }
    }

    fn at(&self, place: &Place) -> Vec4 {
        self.first + self.more[0] * place.shares[0] + self.more[1] * place.shares[1]
    }

    /// How both pairs of values change from pixel to pixel.
    fn footprint(&self, place: &Place) -> [Footprint; 2] {
        let dx = self.more[0] * place.dx[0] + self.more[1] * place.dx[1];
        let dy = self.more[0] * place.dy[0] + self.more[1] * place.dy[1];
        [Footprint { dx: dx.xy(), dy: dy.xy() }, Footprint { dx: dx.zw(), dy: dy.zw() }]
    }
}

impl<'v> Corners<'v> {
    pub(super) fn new(vertices: [&'v Vertex; 3]) -> Self {
        let uv = |vertex: &Vertex| {
            let [a, b] = vertex.uv;
            Vec4::new(a.x, a.y, b.x, b.y)
        };
        Self {
            vertices,
            color: Linear::new(vertices.map(|vertex| vertex.color)),
            uv: Linear::new(vertices.map(uv)),
        }
    }

    /// Three values that few pixels need.
    fn interpolated(&self, at: &Place, of: impl Fn(&Vertex) -> Vec3) -> Vec3 {
        let [a, b, c] = self.vertices.map(|vertex| Vec3::from_array(of(vertex).to_array().map(sane)));
        a + (b - a) * at.shares[0] + (c - a) * at.shares[1]
    }

    fn surface(&self, at: &Place, camera: Vec3) -> Surface {
        let normal = shade::unit(self.interpolated(at, |vertex| vertex.normal), Vec3::Y);
        let tangent = self.interpolated(at, |vertex| vertex.tangent.truncate());
        let position = self.interpolated(at, |vertex| vertex.position);
        Surface {
            normal,
            tangent: shade::unit(tangent, normal.any_orthonormal_vector())
                .extend(if self.vertices[0].tangent.w < 0.0 { -1.0 } else { 1.0 }),
            view: shade::unit(camera - position, normal),
        }
    }
}
