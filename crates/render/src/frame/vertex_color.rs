//! Vertex colours: lit or not, with those of the file (docs/formats/rendering.md#w3d-lighting, docs/formats/rendering.md#w3d-vertex-colours and
//! docs/formats/rendering.md#mdx-layers).

use super::light::Illumination;
use glam::{Vec3, Vec4};
use scene::{Layer, Lighting, Material, Mesh};

/// The computation of the vertex colours of a layer. Two layers with equal recipes have equal colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ColorRecipe {
    /// The same for all.
    Plain(Vec4),
    /// W3D: lit by the fixed function of Direct3D 8.
    W3d(Lit),
    /// Warcraft III: a factor of all light.
    Mdx(Vec4),
}

/// Source of a colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Source {
    /// The material.
    Material(Vec3),
    /// The vertex.
    Vertex,
}

/// A lit W3D pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lit {
    pub(super) ambient: Source,
    pub(super) diffuse: Source,
    pub(super) emissive: Vec3,
    /// The opacity, unless the diffuse colour comes from the vertex, which has its own opacity.
    pub(super) opacity: f32,
    /// Whether light has an effect. Otherwise the result is the diffuse colour.
    pub(super) lit: bool,
    /// Specular colour and shininess.
    pub(super) specular: Option<(Vec3, f32)>,
    /// BFME II: light is halved, because the texture stage doubles it.
    pub(super) overbright: bool,
}

/// Properties of a vertex.
#[derive(Clone, Copy)]
pub(super) struct Shaded<'a> {
    pub(super) position: Vec3,
    pub(super) normal: Vec3,
    /// The product of the vertex colours of all passes; white without vertex colours.
    pub(super) color: Vec4,
    pub(super) light: &'a Illumination,
    pub(super) eye: Vec3,
}

impl ColorRecipe {
    /// The colour and opacity before lighting; white if the material is lit by W3D's rules.
    pub(super) fn factor(&self) -> Vec4 {
        match self {
            Self::Plain(color) | Self::Mdx(color) => *color,
            Self::W3d(_) => Vec4::ONE,
        }
    }

    /// Colour with opacity, and specular colour, each clamped.
    pub(super) fn at(&self, vertex: &Shaded<'_>) -> (Vec4, Vec3) {
        match self {
            Self::Plain(color) => (clamp(*color), Vec3::ZERO),
            Self::Mdx(color) => {
                let (ambient, direct) = vertex.light.at(vertex.position, vertex.normal);
                let lit = color.truncate() * (ambient + direct);
                (clamp(lit.extend(color.w)), Vec3::ZERO)
            }
            Self::W3d(lit) => lit.at(vertex),
        }
    }
}

impl Lit {
    fn at(&self, vertex: &Shaded<'_>) -> (Vec4, Vec3) {
        let color = |source| match source {
            Source::Material(color) => color,
            Source::Vertex => vertex.color.truncate(),
        };
        let alpha = match self.diffuse {
            Source::Material(_) => self.opacity,
            Source::Vertex => vertex.color.w,
        };
        if !self.lit {
            return (clamp(color(self.diffuse).extend(alpha)), Vec3::ZERO);
        }
        let (ambient, direct) = vertex.light.at(vertex.position, vertex.normal);
        let mut rgb = self.emissive + color(self.ambient) * ambient + color(self.diffuse) * direct;
        if self.overbright {
            rgb *= 0.5;
        }
        let specular = self.specular.map_or(Vec3::ZERO, |(color, power)| {
            color * vertex.light.highlight(vertex.position, vertex.normal, vertex.eye, power)
        });
        (clamp(rgb.extend(alpha)), clamp(specular.extend(0.0)).truncate())
    }
}

/// Within 0 to 1; NaN is 0.
pub(super) fn clamp(color: Vec4) -> Vec4 {
    Vec4::from_array(color.to_array().map(|part| if part > 0.0 { part.min(1.0) } else { 0.0 }))
}

/// Which colours of the materials in a pass are not black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct NotBlack {
    ambient: bool,
    diffuse: bool,
    emissive: bool,
}

/// Effect of the vertex colours in a pass (docs/formats/rendering.md#w3d-vertex-colours).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// Times diffuse; replaces diffuse.
    Diffuse,
    /// Times diffuse; replaces diffuse and ambient.
    DiffuseAndAmbient,
    /// Times ambient; replaces ambient.
    Ambient,
    /// Times emissive; replaces diffuse. Unlit if all passes are like this.
    Emissive,
    /// Unchanged; replaces diffuse.
    Replace,
}

impl From<NotBlack> for Effect {
    fn from(colors: NotBlack) -> Self {
        match colors {
            NotBlack { emissive: true, diffuse: false, ambient: false } => Self::Emissive,
            NotBlack { emissive: true, .. } => Self::Replace,
            NotBlack { diffuse: true, ambient: true, .. } => Self::DiffuseAndAmbient,
            NotBlack { diffuse: true, .. } => Self::Diffuse,
            NotBlack { ambient: true, .. } => Self::Ambient,
            // The table has no row for a material that is completely black; the vertex colours are shown (inferred).
            NotBlack { .. } => Self::Replace,
        }
    }
}

/// The vertex colours of a W3D mesh: one array for all passes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct VertexColors {
    /// The product of the vertex colours of all passes, 0 to 1; empty if the mesh has none.
    colors: Vec<Vec4>,
    /// The effect of the vertex colours in each pass that uses them.
    effects: Vec<Option<Effect>>,
    /// Whether every pass uses them as its light.
    unlit: bool,
}

impl VertexColors {
    /// The vertex colours of a mesh whose parts have these materials and indices.
    pub(super) fn new(mesh: &Mesh, parts: &[(&Material, &[u32])], house_color: Option<Vec3>) -> Self {
        let Some(stored) = mesh.color_sets.first() else { return Self::default() };
        let passes = parts.iter().map(|(material, _)| material.layers.len()).max().unwrap_or(0);
        let effects: Vec<Option<Effect>> = (0..passes)
            .map(|pass| {
                let layers =
                    || parts.iter().filter_map(|(material, _)| Some((*material, material.layers.get(pass)?)));
                layers().any(|(_, layer)| layer.color_set.is_some()).then(|| {
                    let mut colors = NotBlack::default();
                    for (material, layer) in layers() {
                        let lighting = lighting(layer, material, house_color);
                        colors.ambient |= lighting.ambient != Vec3::ZERO;
                        colors.diffuse |= lighting.diffuse != Vec3::ZERO;
                        colors.emissive |= lighting.emissive != Vec3::ZERO;
                    }
                    colors.into()
                })
            })
            .collect();
        let mut colors: Vec<Vec4> =
            stored.iter().map(|color| Vec4::from(color.map(f32::from)) / 255.0).collect();
        colors.resize(mesh.positions.len(), Vec4::ONE);
        // A vertex belongs to the first part that uses it.
        let mut owners = vec![u32::MAX; colors.len()];
        for (at, (_, indices)) in parts.iter().enumerate() {
            for index in *indices {
                if let Some(owner) = owners.get_mut(*index as usize).filter(|owner| **owner == u32::MAX) {
                    *owner = at as u32;
                }
            }
        }
        for (pass, effect) in effects.iter().enumerate() {
            let Some(effect) = effect else { continue };
            // One factor for each part.
            let factors: Vec<Vec4> = parts
                .iter()
                .map(|(material, _)| {
                    let Some(layer) = material.layers.get(pass) else { return Vec4::ONE };
                    let lighting = lighting(layer, material, house_color);
                    match effect {
                        Effect::Diffuse | Effect::DiffuseAndAmbient => {
                            lighting.diffuse.extend(lighting.opacity)
                        }
                        Effect::Ambient => lighting.ambient.extend(lighting.opacity),
                        Effect::Emissive => lighting.emissive.extend(lighting.opacity),
                        Effect::Replace => Vec4::ONE,
                    }
                })
                .collect();
            for (color, owner) in colors.iter_mut().zip(&owners) {
                if let Some(factor) = factors.get(*owner as usize) {
                    *color *= *factor;
                }
            }
        }
        let unlit = effects.iter().all(|effect| *effect == Some(Effect::Emissive)) && !effects.is_empty();
        Self { colors, effects, unlit }
    }

    /// The colour of a vertex.
    pub(super) fn at(&self, vertex: usize) -> Vec4 {
        self.colors.get(vertex).copied().unwrap_or(Vec4::ONE)
    }

    /// How a layer is lit.
    pub(super) fn recipe(
        &self,
        pass: usize,
        layer: &Layer,
        material: &Material,
        house_color: Option<Vec3>,
        overbright: bool,
    ) -> Lit {
        let lighting = lighting(layer, material, house_color);
        let mut lit = Lit {
            ambient: Source::Material(lighting.ambient),
            diffuse: Source::Material(lighting.diffuse),
            emissive: lighting.emissive,
            opacity: lighting.opacity,
            lit: true,
            specular: layer.specular.then_some((lighting.specular, lighting.shininess)),
            overbright,
        };
        match self.effects.get(pass).copied().flatten().filter(|_| layer.color_set.is_some()) {
            Some(Effect::Diffuse | Effect::Replace) => lit.diffuse = Source::Vertex,
            Some(Effect::DiffuseAndAmbient) => (lit.diffuse, lit.ambient) = (Source::Vertex, Source::Vertex),
            Some(Effect::Ambient) => lit.ambient = Source::Vertex,
            Some(Effect::Emissive) => {
                lit.diffuse = Source::Vertex;
                lit.lit = !self.unlit;
            }
            None => {}
        }
        if material.prelit {
            // Direct3D's rule without lighting: the vertex colour, or white.
            (lit.diffuse, lit.lit) = (Source::Vertex, false);
        }
        lit
    }
}

/// The colours of a layer's material. The default of the engine is white, lit.
pub(super) fn lighting(layer: &Layer, material: &Material, house_color: Option<Vec3>) -> Lighting {
    let mut lighting = layer.lighting.clone().unwrap_or_default();
    if let Some(color) = house_color.filter(|_| material.house_color) {
        // docs/formats/rendering.md#w3d-house-colour
        (lighting.ambient, lighting.diffuse) = (color, color);
    }
    lighting
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{LightRig, Lights};

    const HALF: f32 = 128.0 / 255.0;

    /// A vertex at the origin, seen from +X.
    fn facing(normal: Vec3, color: Vec4, light: &Illumination) -> Shaded<'_> {
        Shaded { position: Vec3::ZERO, normal, color, light, eye: Vec3::X }
    }

    /// The colour of a vertex whose stored colour is (255, 128, 0, 128), in light of 0.25 from everywhere and 0.5 from the front.
    fn color(materials: &[Lighting]) -> Vec<[f32; 4]> {
        let mesh = Mesh {
            positions: vec![Vec3::ZERO],
            color_sets: vec![vec![[255, 128, 0, 128]]],
            ..Mesh::default()
        };
        let layers = materials.iter().map(|lighting| Layer {
            color_set: Some(0),
            lighting: Some(lighting.clone()),
            ..Layer::default()
        });
        let material = Material { layers: layers.collect(), ..Material::default() };
        let colors = VertexColors::new(&mesh, &[(&material, &[0, 0, 0])], None);
        let rig = LightRig { ambient: Vec3::splat(0.25), directional: vec![(Vec3::X, Vec3::splat(0.5))] };
        let light = Illumination::new(rig.lights());
        let vertex = facing(Vec3::X, colors.at(0), &light);
        let passes = material.layers.iter().enumerate();
        passes
            .map(|(pass, layer)| colors.recipe(pass, layer, &material, None, false).at(&vertex).0.to_array())
            .collect()
    }

    fn material(ambient: f32, diffuse: f32, emissive: f32) -> Lighting {
        Lighting {
            ambient: Vec3::splat(ambient),
            diffuse: Vec3::splat(diffuse),
            emissive: Vec3::splat(emissive),
            opacity: 0.5,
            ..Lighting::default()
        }
    }

    fn is(actual: &[f32; 4], expected: [f32; 4]) {
        assert!(Vec4::from(*actual).abs_diff_eq(Vec4::from(expected), 1e-5), "{actual:?} {expected:?}");
    }

    #[test]
    fn vertex_colours_times_diffuse_are_the_diffuse_colour() {
        // c · 0.5 · 0.5 of direct light; alpha 128/255 · 0.5.
        is(&color(&[material(0.0, 0.5, 0.0)])[0], [0.25, HALF * 0.25, 0.0, HALF * 0.5]);
    }

    #[test]
    fn vertex_colours_with_diffuse_and_ambient_are_both() {
        // c · 0.5, not 0.8, times 0.25 + 0.5.
        is(&color(&[material(0.8, 0.5, 0.0)])[0], [0.375, HALF * 0.375, 0.0, HALF * 0.5]);
    }

    #[test]
    fn vertex_colours_with_ambient_only_leave_alpha_to_the_material() {
        is(&color(&[material(0.8, 0.0, 0.0)])[0], [0.2, HALF * 0.2, 0.0, 0.5]);
    }

    #[test]
    fn vertex_colours_with_emissive_only_are_all_there_is() {
        is(&color(&[material(0.0, 0.0, 0.5)])[0], [0.5, HALF * 0.5, 0.0, HALF * 0.5]);
    }

    #[test]
    fn vertex_colours_replace_diffuse_and_opacity_beside_emissive() {
        // 0.1 + 0.2 · 0.25 + c · 0.5; alpha is the vertex's alone.
        is(&color(&[material(0.2, 0.7, 0.1)])[0], [0.65, 0.15 + HALF * 0.5, 0.15, HALF]);
    }

    #[test]
    fn products_of_all_passes_are_in_one_array() {
        // Twice the product with 0.5, and light stays on, because the second pass is not emissive.
        let passes = color(&[material(0.0, 0.0, 0.5), material(0.0, 0.5, 0.0)]);
        is(&passes[0], [0.5 + 0.25 * 0.5, 0.5 + HALF * 0.25 * 0.5, 0.5, HALF * 0.25]);
        is(&passes[1], [0.25 * 0.5, HALF * 0.25 * 0.5, 0.0, HALF * 0.25]);
        // Two emissive passes are both unlit.
        let passes = color(&[material(0.0, 0.0, 0.5), material(0.0, 0.0, 0.5)]);
        is(&passes[1], [0.25, HALF * 0.25, 0.0, HALF * 0.25]);
    }

    #[test]
    fn without_vertex_colours_the_material_is_lit() {
        let layer = Layer { lighting: Some(material(0.4, 0.6, 0.1)), ..Layer::default() };
        let material = Material::default();
        let colors = VertexColors::new(&Mesh::default(), &[(&material, &[])], None);
        let lights = Lights { ambient: Vec3::splat(0.5), directional: vec![(Vec3::X, Vec3::ONE)] };
        let light = Illumination::new(lights);
        let vertex = facing(Vec3::X, colors.at(0), &light);
        // 0.1 + 0.4 · 0.5 + 0.6 · 1.
        let lit = colors.recipe(0, &layer, &material, None, false).at(&vertex).0;
        assert!(lit.abs_diff_eq(Vec4::new(0.9, 0.9, 0.9, 0.5), 1e-6));
        let half = colors.recipe(0, &layer, &material, None, true).at(&vertex).0;
        assert!(half.abs_diff_eq(Vec4::new(0.45, 0.45, 0.45, 0.5), 1e-6));
        // The engine's default material is white.
        let plain = colors.recipe(0, &Layer::default(), &material, None, false).at(&vertex).0;
        assert_eq!(plain, Vec4::ONE);
    }

    #[test]
    fn prelit_meshes_show_their_vertex_colours_in_any_light() {
        let lights = Lights { ambient: Vec3::splat(0.2), directional: vec![(Vec3::X, Vec3::ONE)] };
        let light = Illumination::new(lights);
        let layer = Layer { lighting: Some(material(1.0, 1.0, 0.0)), color_set: Some(0), ..Layer::default() };
        let prelit = Material { prelit: true, layers: vec![layer.clone()], ..Material::default() };
        let mesh = Mesh {
            positions: vec![Vec3::ZERO],
            color_sets: vec![vec![[255, 128, 0, 255]]],
            ..Mesh::default()
        };
        let colors = VertexColors::new(&mesh, &[(&prelit, &[0, 0, 0])], None);
        let vertex = facing(Vec3::NEG_X, colors.at(0), &light);
        // The material has an opacity of a half.
        let seen = colors.recipe(0, &layer, &prelit, None, false).at(&vertex).0;
        assert!(seen.abs_diff_eq(Vec4::new(1.0, HALF, 0.0, 0.5), 1e-6), "{seen}");
        // Without vertex colours Direct3D has white.
        let bare = VertexColors::default().recipe(0, &layer, &prelit, None, false);
        assert_eq!(bare.at(&facing(Vec3::NEG_X, Vec4::ONE, &light)).0, Vec4::ONE);
    }

    #[test]
    fn house_colours_replace_ambient_and_diffuse() {
        let material = Material { house_color: true, ..Material::default() };
        let layer = Layer { lighting: Some(self::material(0.4, 0.6, 0.1)), ..Layer::default() };
        let team = lighting(&layer, &material, Some(Vec3::X));
        assert_eq!((team.ambient, team.diffuse, team.emissive), (Vec3::X, Vec3::X, Vec3::splat(0.1)));
        assert_eq!(lighting(&layer, &material, None).diffuse, Vec3::splat(0.6));
    }

    #[test]
    fn warcraft_multiplies_all_light_with_the_colour_of_the_mesh() {
        let lights = Lights { ambient: Vec3::splat(0.7), directional: vec![(Vec3::X, Vec3::ONE)] };
        let light = Illumination::new(lights);
        let vertex = |normal| facing(normal, Vec4::ONE, &light);
        let recipe = ColorRecipe::Mdx(Vec4::new(1.0, 0.5, 0.0, 0.25));
        assert_eq!(recipe.at(&vertex(Vec3::NEG_X)).0, Vec4::new(0.7, 0.35, 0.0, 0.25));
        // sat(0.5 · 1.7).
        assert_eq!(recipe.at(&vertex(Vec3::X)).0, Vec4::new(1.0, 0.85, 0.0, 0.25));
        let unlit = ColorRecipe::Plain(Vec4::new(2.0, f32::NAN, 0.5, 1.0));
        assert_eq!(unlit.at(&vertex(Vec3::X)).0, Vec4::new(1.0, 0.0, 0.5, 1.0));
    }
}
