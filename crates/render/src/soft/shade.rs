//! The colour of a pixel, for each program. Pure functions of the interpolated vertex and the texels: the reference for every
//! other renderer.

use glam::{Vec3, Vec4};
use scene::Combine;

use super::number::{linear, pow, srgb};
use crate::frame::{Gradient, Lights};

/// The first stage: combines the lit vertex colour `d` with the texture `t`. Without a texture the result is `d`.
pub fn first_stage(gradient: Gradient, d: Vec4, t: Option<Vec4>) -> Vec4 {
    let Some(t) = t else { return clamp(d) };
    let product = t * d;
    clamp(match gradient {
        Gradient::Disable => t,
        Gradient::Modulate => product,
        Gradient::Add => (t + d).truncate().extend(product.w),
        Gradient::Modulate2x => (product * 2.0).truncate().extend(product.w),
        Gradient::Bump => d,
        Gradient::DotProduct => {
            let (t, d) = (t - Vec4::splat(0.5), d - Vec4::splat(0.5));
            let dot = 4.0 * (t.x * d.x + t.y * d.y + t.z * d.z);
            Vec4::new(dot, dot, dot, product.w)
        }
    })
}

/// The second stage: combines the result of the first, `c`, with the texture `t`.
pub fn second_stage(color: Combine, alpha: Combine, c: Vec4, t: Vec4) -> Vec4 {
    clamp(combine(color, c, t).truncate().extend(combine(alpha, c, t).w))
}

/// All four channels by one operation: `other` is the result so far, `local` the texture.
fn combine(operation: Combine, other: Vec4, local: Vec4) -> Vec4 {
    match operation {
        Combine::Disable => other,
        Combine::Detail => local,
        Combine::Scale => local * other,
        Combine::InverseScale => local + other - local * other,
        Combine::Add => local + other,
        Combine::Subtract => local - other,
        Combine::SubtractReversed => other - local,
        Combine::Blend => local * local.w + other * (1.0 - local.w),
        Combine::DetailBlend => local * other.w + other * (1.0 - other.w),
        Combine::AddSigned => local + other - Vec4::splat(0.5),
        Combine::AddSigned2x => (local + other - Vec4::splat(0.5)) * 2.0,
        Combine::Scale2x => local * other * 2.0,
        Combine::ModulateAlphaAddColor => other + local * other.w,
    }
}

/// Each channel between 0 and 1.
pub(super) fn clamp(color: Vec4) -> Vec4 {
    color.max(Vec4::ZERO).min(Vec4::ONE)
}

/// Position and orientation of a pixel, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Interpolated, of unit length.
    pub normal: Vec3,
    /// Interpolated, with the handedness in w.
    pub tangent: Vec4,
    /// Towards the camera, of unit length.
    pub view: Vec3,
}

impl Surface {
    /// The third axis of the tangent space.
    fn bitangent(&self) -> Vec3 {
        self.normal.cross(self.tangent.truncate()) * self.tangent.w
    }
}

/// The numbers of a [`NormalMapped`](crate::frame::NormalMapped) program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalMappedNumbers {
    /// `BumpScale`.
    pub bump_scale: f32,
    /// `SpecularExponent`.
    pub exponent: f32,
    /// `AmbientColor`.
    pub ambient_color: Vec3,
    /// `DiffuseColor`.
    pub diffuse_color: Vec3,
    /// `SpecularColor`.
    pub specular_color: Vec3,
}

/// BFME's `NormalMapped.fx`, with the texels of its picture and of its normal map.
///
/// Tangents define the directions of red and green of the normal map: x along the tangent, y along the bitangent. The
/// half vector is computed for each pixel. The original interpolates those of the vertices, which differs slightly on
/// large triangles.
pub fn normal_mapped(
    numbers: &NormalMappedNumbers,
    surface: &Surface,
    texel: Vec4,
    normal: Option<Vec4>,
    lights: &Lights,
) -> Vec4 {
    let n = normal.map_or(surface.normal, |texel| {
        let bump = numbers.bump_scale;
        let n = (texel.truncate() * 2.0 - Vec3::ONE) * Vec3::new(bump, bump, 1.0);
        let world = surface.tangent.truncate() * n.x + surface.bitangent() * n.y + surface.normal * n.z;
        unit(world, surface.normal)
    });
    let t = texel.truncate();
    let ambient = (lights.ambient * numbers.ambient_color * 0.5).max(Vec3::ZERO).min(Vec3::ONE);
    let mut rgb = t * ambient * 2.0;
    for &(direction, color) in &lights.directional {
        let lambert = n.dot(direction);
        if lambert > 0.0 {
            let half = unit(direction + surface.view, n);
            let shine = pow(n.dot(half).clamp(0.0, 1.0), numbers.exponent.clamp(0.0, 10_000.0));
            rgb += color * (t * numbers.diffuse_color * lambert + numbers.specular_color * shine);
        }
    }
    clamp(rgb.extend(texel.w))
}

/// The texels of a Reforged HD material; white, flat or black where a picture is missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HdTexels {
    /// Colour, as stored.
    pub albedo: Vec4,
    /// Normal, as stored.
    pub normal: Option<Vec4>,
    /// Occlusion, roughness, metal, mask of the player's colour.
    pub orm: Vec4,
    /// Emitted light, as stored.
    pub emissive: Vec3,
    /// The player's colour, as stored.
    pub team: Vec3,
}

/// Strength of the emissive picture, and glow at grazing angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HdNumbers {
    /// A factor of the emissive picture.
    pub emissive_gain: f32,
    /// Colour and strength of the glow.
    pub fresnel: Vec4,
    /// Whether light has no effect.
    pub unlit: bool,
}

/// Reforged HD: metal and roughness in linear light, then a film curve, then sRGB.
///
/// `color` is that of the vertex: the mesh's colour and opacity.
pub fn hd(numbers: &HdNumbers, surface: &Surface, texels: &HdTexels, color: Vec4, lights: &Lights) -> Vec4 {
    // The player's colour multiplies the stored colours by the mask.
    let mask = texels.orm.w;
    let stored = texels.albedo.truncate() * (Vec3::ONE + (texels.team - Vec3::ONE) * mask);
    let alpha = texels.albedo.w * color.w;
    if numbers.unlit {
        let light = stored + texels.emissive * numbers.emissive_gain;
        return clamp((light * color.truncate()).extend(alpha));
    }
    let albedo = linear_rgb(stored);
    let n = texels.normal.map_or(surface.normal, |texel| {
        let x = 2.0 * texel.x * texel.w - 1.0;
        let y = 1.0 - 2.0 * texel.y;
        let z = (1.0 - x * x - y * y).max(0.0).sqrt();
        unit(surface.tangent.truncate() * x + surface.bitangent() * y + surface.normal * z, surface.normal)
    });
    let [occlusion, rough, metal] = [texels.orm.x, (255.0 * texels.orm.y + 1.0) / 256.0, texels.orm.z];
    let facing = n.dot(surface.view).clamp(1e-3, 1.0);
    let f0 = albedo * metal;
    let diffuse = albedo * (1.0 - metal);
    let mut light = ambient(n, surface.view, facing, diffuse, f0, rough, lights.ambient) * occlusion;
    for &(direction, strength) in &lights.directional {
        let lambert = n.dot(direction);
        if lambert > 0.0 {
            light += strength
                * lambert
                * (diffuse + highlight(n, surface.view, direction, facing, lambert, f0, rough));
        }
    }
    light += linear_rgb(texels.emissive) * numbers.emissive_gain;
    light *= color.truncate();
    let edge = 1.0 - facing;
    let glow = (edge * edge * numbers.fresnel.w).clamp(0.0, 1.0);
    light += (numbers.fresnel.truncate() - light) * glow;
    clamp(Vec3::from_array(film(light).to_array().map(srgb)).extend(alpha))
}

/// Reflected light of a microfacet surface (GGX, Schlick), for a light of strength 1 and times π, as the game has it.
fn highlight(n: Vec3, view: Vec3, light: Vec3, facing: f32, lambert: f32, f0: Vec3, rough: f32) -> Vec3 {
    let half = unit(view + light, n);
    let (nh, vh) = (n.dot(half).clamp(0.0, 1.0), view.dot(half).clamp(0.0, 1.0));
    let a = rough * rough;
    let a2 = a * a;
    let d = nh * nh * (a2 - 1.0) + 1.0;
    let distribution = a2 / (d * d).max(1e-9);
    let k = (rough + 1.0) * (rough + 1.0) / 8.0;
    let visibility = 0.25 / ((lambert * (1.0 - k) + k) * (facing * (1.0 - k) + k));
    let grazing = 1.0 - vh;
    let grazing = grazing * grazing * (grazing * grazing) * grazing;
    let fresnel = f0 + (Vec3::ONE - f0) * grazing * f0.max_element();
    fresnel * (distribution * visibility).min(64.0)
}

/// Ambient light: a sky that is brighter above than below, seen directly and by reflection.
///
/// The reflected share is Karis' approximation of the pre-integrated reflection, "Physically Based Shading on Mobile".
fn ambient(n: Vec3, view: Vec3, facing: f32, diffuse: Vec3, f0: Vec3, rough: f32, strength: Vec3) -> Vec3 {
    let sky = |direction: Vec3| 0.75 + 0.25 * direction.y;
    let mirrored = n * (2.0 * n.dot(view)) - view;
    let r = Vec4::new(-1.0, -0.0275, -0.572, 0.022) * rough + Vec4::new(1.0, 0.0425, 1.04, -0.04);
    let a004 = (r.x * r.x).min(pow(0.002, facing)) * r.x + r.y;
    let (scale, bias) = (a004 * -1.04 + r.z, a004 * 1.04 + r.w);
    let reflected = (f0 * scale + Vec3::splat(bias * f0.max_element())) * sky(mirrored);
    strength * (diffuse * sky(n) + reflected)
}

/// Narkowicz' fit of the ACES film curve.
fn film(x: Vec3) -> Vec3 {
    let x = x.max(Vec3::ZERO).min(Vec3::splat(1e4));
    (x * (x * 2.51 + 0.03)) / (x * (x * 2.43 + 0.59) + 0.14)
}

fn linear_rgb(stored: Vec3) -> Vec3 {
    Vec3::from_array(stored.to_array().map(linear))
}

/// The vector at unit length, or the other one if it has no direction.
pub(super) fn unit(vector: Vec3, otherwise: Vec3) -> Vec3 {
    let length = (vector.x * vector.x + vector.y * vector.y + vector.z * vector.z).sqrt();
    if length > 1e-12 && length < f32::INFINITY { vector / length } else { otherwise }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: Vec4, b: [f32; 4]) -> bool {
        (a - Vec4::from_array(b)).abs().max_element() < 1e-6
    }

    /// D = 0.5, 0.25, 1.0 with alpha 0.5; T0 = 0.6, 0.8, 0.4 with alpha 0.4 (docs/formats/rendering.md#w3d-passes, first table).
    #[test]
    fn the_first_stage_follows_the_table() {
        let d = Vec4::new(0.5, 0.25, 1.0, 0.5);
        let t = Vec4::new(0.6, 0.8, 0.4, 0.4);
        let table = [
            (Gradient::Disable, [0.6, 0.8, 0.4, 0.4]),
            (Gradient::Modulate, [0.3, 0.2, 0.4, 0.2]),
            (Gradient::Add, [1.0, 1.0, 1.0, 0.2]),
            (Gradient::Modulate2x, [0.6, 0.4, 0.8, 0.2]),
            (Gradient::Bump, [0.5, 0.25, 1.0, 0.5]),
            // 4 · (0.1 · 0 - 0.3 · 0.25 - 0.1 · 0.5) is negative.
            (Gradient::DotProduct, [0.0, 0.0, 0.0, 0.2]),
        ];
        for (gradient, expected) in table {
            assert!(near(first_stage(gradient, d, Some(t)), expected), "{gradient:?}");
            // Without a texture it is the vertex colour, whatever the gradient.
            assert!(near(first_stage(gradient, d, None), [0.5, 0.25, 1.0, 0.5]), "{gradient:?}");
        }
        // Two vectors of unit length that point the same way give 1: 4 · 3 · (√⅓ / 2)².
        let up = Vec4::splat(0.5 + 0.5 * (1.0f32 / 3.0).sqrt());
        assert!(near(first_stage(Gradient::DotProduct, up, Some(up)), [1.0, 1.0, 1.0, up.w * up.w]));
        let dim = first_stage(Gradient::Add, d * 0.5, Some(t * 0.5));
        assert!(near(dim, [0.55, 0.525, 0.7, 0.05]));
    }

    /// C = 0.5, 0.2, 0.8 with alpha 0.25; T1 = 0.6, 0.4, 0.1 with alpha 0.75 (docs/formats/rendering.md#w3d-passes, second table).
    #[test]
    fn the_second_stage_follows_the_table() {
        let c = Vec4::new(0.5, 0.2, 0.8, 0.25);
        let t = Vec4::new(0.6, 0.4, 0.1, 0.75);
        let table = [
            (Combine::Disable, [0.5, 0.2, 0.8]),
            (Combine::Detail, [0.6, 0.4, 0.1]),
            (Combine::Scale, [0.3, 0.08, 0.08]),
            (Combine::InverseScale, [0.8, 0.52, 0.82]),
            (Combine::Add, [1.0, 0.6, 0.9]),
            (Combine::Subtract, [0.1, 0.2, 0.0]),
            (Combine::SubtractReversed, [0.0, 0.0, 0.7]),
            (Combine::Blend, [0.575, 0.35, 0.275]),
            (Combine::DetailBlend, [0.525, 0.25, 0.625]),
            (Combine::AddSigned, [0.6, 0.1, 0.4]),
            (Combine::AddSigned2x, [1.0, 0.2, 0.8]),
            (Combine::Scale2x, [0.6, 0.16, 0.16]),
            (Combine::ModulateAlphaAddColor, [0.65, 0.3, 0.825]),
        ];
        for (operation, [r, g, b]) in table {
            let result = second_stage(operation, Combine::Disable, c, t);
            assert!(near(result, [r, g, b, 0.25]), "{operation:?}: {result}");
        }
        // DetailAlpha: that of the result, of the texture, the product, the inverse product of the inverses.
        let table = [
            (Combine::Disable, 0.25),
            (Combine::Detail, 0.75),
            (Combine::Scale, 0.1875),
            (Combine::InverseScale, 0.8125),
        ];
        for (operation, alpha) in table {
            assert!(near(second_stage(Combine::Disable, operation, c, t), [0.5, 0.2, 0.8, alpha]));
        }
    }

    #[test]
    fn each_stage_is_clamped_before_the_next() {
        let two = first_stage(Gradient::Modulate2x, Vec4::ONE, Some(Vec4::new(0.9, 0.9, 0.9, 1.0)));
        // 1.8 clamps to 1, so that half of it is 0.5 and not 0.9.
        let half = second_stage(Combine::Scale, Combine::Disable, two, Vec4::splat(0.5));
        assert!(near(half, [0.5, 0.5, 0.5, 1.0]));
    }

    const FACING: Surface =
        Surface { normal: Vec3::Z, tangent: Vec4::new(1.0, 0.0, 0.0, 1.0), view: Vec3::Z };
    const NUMBERS: NormalMappedNumbers = NormalMappedNumbers {
        bump_scale: 1.0,
        exponent: 50.0,
        ambient_color: Vec3::splat(0.4),
        diffuse_color: Vec3::ONE,
        specular_color: Vec3::splat(0.8),
    };

    fn one_light(direction: Vec3, color: f32) -> Lights {
        Lights { ambient: Vec3::splat(0.5), directional: vec![(direction, Vec3::splat(color))] }
    }

    #[test]
    fn normal_mapped_adds_ambient_diffuse_and_highlight() {
        let texel = Vec4::new(0.5, 0.25, 0.1, 0.7);
        // 2 T · ½ · 0.5 · 0.4 = 0.2 T; the light from the front adds 0.2 (T + 0.8).
        let lit = normal_mapped(&NUMBERS, &FACING, texel, None, &one_light(Vec3::Z, 0.2));
        assert!(near(lit, [0.36, 0.26, 0.2, 0.7]), "{lit}");
        // A light from behind adds nothing.
        let unlit = normal_mapped(&NUMBERS, &FACING, texel, None, &one_light(-Vec3::Z, 0.2));
        assert!(near(unlit, [0.1, 0.05, 0.02, 0.7]), "{unlit}");
    }

    #[test]
    fn normal_maps_turn_the_surface() {
        let numbers =
            NormalMappedNumbers { specular_color: Vec3::ZERO, ambient_color: Vec3::ZERO, ..NUMBERS };
        let white = Vec4::ONE;
        let flat = Some(Vec4::new(0.5, 0.5, 1.0, 1.0));
        let lights = one_light(Vec3::Z, 1.0);
        assert!(near(normal_mapped(&numbers, &FACING, white, flat, &lights), [1.0; 4]));
        // Red 1 is x = 1: along the tangent.
        let turned = Some(Vec4::new(1.0, 0.5, 0.5, 1.0));
        let from = |direction| normal_mapped(&numbers, &FACING, white, turned, &one_light(direction, 1.0)).x;
        assert!((from(Vec3::X) - 1.0).abs() < 1e-6);
        assert_eq!(from(-Vec3::X), 0.0);
        // Green 1 is y = 1: along the bitangent, which is +Y here.
        let turned = Some(Vec4::new(0.5, 1.0, 0.5, 1.0));
        let from = |direction| normal_mapped(&numbers, &FACING, white, turned, &one_light(direction, 1.0)).x;
        assert!((from(Vec3::Y) - 1.0).abs() < 1e-6);
    }

    fn hd_texels(albedo: Vec4) -> HdTexels {
        HdTexels {
            albedo,
            normal: None,
            orm: Vec4::new(1.0, 1.0, 0.0, 0.0),
            emissive: Vec3::ZERO,
            team: Vec3::new(1.0, 0.0, 0.0),
        }
    }

    const HD: HdNumbers = HdNumbers { emissive_gain: 1.0, fresnel: Vec4::ZERO, unlit: false };

    #[test]
    fn hd_is_lit_in_linear_light() {
        let texels = hd_texels(Vec4::new(1.0, 1.0, 1.0, 0.5));
        let lights = Lights { ambient: Vec3::ZERO, directional: vec![(Vec3::Z, Vec3::ONE)] };
        let lit = hd(&HD, &FACING, &texels, Vec4::ONE, &lights);
        // The film curve makes 2.54 / 3.16 of 1, which sRGB stores as 0.908.
        assert!((lit.x - 0.908).abs() < 1e-3 && lit.w == 0.5, "{lit}");
        let dark = hd(&HD, &FACING, &texels, Vec4::ONE, &Lights::default());
        assert!(near(dark, [0.0, 0.0, 0.0, 0.5]), "{dark}");
    }

    #[test]
    fn the_mask_lets_the_players_colour_through() {
        let numbers = HdNumbers { unlit: true, ..HD };
        let mut texels = hd_texels(Vec4::new(0.8, 0.8, 0.8, 1.0));
        let shaded = |texels: &HdTexels| hd(&numbers, &FACING, texels, Vec4::ONE, &Lights::default());
        assert!(near(shaded(&texels), [0.8, 0.8, 0.8, 1.0]));
        texels.orm.w = 1.0;
        assert!(near(shaded(&texels), [0.8, 0.0, 0.0, 1.0]));
        texels.orm.w = 0.5;
        assert!(near(shaded(&texels), [0.8, 0.4, 0.4, 1.0]));
        texels.emissive = Vec3::splat(0.1);
        assert!(near(shaded(&texels), [0.9, 0.5, 0.5, 1.0]));
    }

    #[test]
    fn smooth_metal_mirrors_the_light_and_rough_metal_scatters_it() {
        let metal = |roughness: f32, light: Vec3| {
            let mut texels = hd_texels(Vec4::ONE);
            texels.orm = Vec4::new(1.0, roughness, 1.0, 0.0);
            let lights = Lights { ambient: Vec3::ZERO, directional: vec![(light, Vec3::splat(0.2))] };
            hd(&HD, &FACING, &texels, Vec4::ONE, &lights).x
        };
        let aside = Vec3::new(0.8, 0.0, 0.6);
        assert!(metal(0.2, Vec3::Z) > metal(0.9, Vec3::Z));
        assert!(metal(0.2, aside) < metal(0.9, aside));
    }

    #[test]
    fn grazing_angles_glow() {
        let numbers = HdNumbers { fresnel: Vec4::new(0.0, 1.0, 0.0, 1.0), ..HD };
        let texels = hd_texels(Vec4::new(0.0, 0.0, 0.0, 1.0));
        let seen = |view: Vec3| {
            let surface = Surface { view, ..FACING };
            hd(&numbers, &surface, &texels, Vec4::ONE, &Lights::default()).y
        };
        assert_eq!(seen(Vec3::Z), 0.0);
        assert!(seen(Vec3::X) > 0.8);
    }
}
