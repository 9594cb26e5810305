//! FX shader materials of BFME II and Tiberian Technologies (docs/formats/w3d/materials.md#shader-materials).

use glam::{Vec2, Vec3, Vec4};
use record::{F32, I32, Node, decode, until_nul};
use scene::{
    AlphaTest, BlendMode, Layer, Lighting, Material, Shader, ShaderParameter, SlotKind, TextureSlot,
};
use w3d::names::PropertyType;
use w3d::records::{ShaderMaterialHeader, ShaderMaterialProperty};
use w3d::table;

use super::material::Looks;
use super::{Converter, NoteKind, child_value, shader, slot_values};

/// The slot of a texture, by the parameter names of the games' shaders.
fn slot_kind(name: &str) -> Option<SlotKind> {
    let kinds: [(&str, SlotKind); 11] = [
        ("DiffuseTexture", SlotKind::Diffuse),
        ("DiffuseMap", SlotKind::Diffuse),
        ("Texture_0", SlotKind::Diffuse),
        ("Texture_1", SlotKind::Detail),
        ("NormalMap", SlotKind::Normal),
        ("BumpMap", SlotKind::Bump),
        ("SpecMap", SlotKind::Specular),
        ("SpecularMap", SlotKind::Specular),
        ("EnvironmentTexture", SlotKind::Environment),
        ("EnvMap", SlotKind::Environment),
        ("RecolorTexture", SlotKind::TeamColor),
    ];
    kinds.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, kind)| kind)
}

/// BFME II's normal maps have green downwards.
///
/// That red and green are a pair of DirectX's handedness is nearly certain: texels are the slopes of one surface only under that reading
/// (correlation 0.39 and 0.86 in two maps of The Rise of the Witch-king; docs/formats/w3d/meshes.md#tangents has four of four), and the file's own basis
/// has it too. That red points right, and not both the other way, is the usual convention, not proven.
const GREEN_IS_DOWN: bool = true;

/// The shaders' blend modes.
fn blend(mode: i32) -> BlendMode {
    match mode {
        1 => BlendMode::Alpha,
        2 => BlendMode::Add,
        _ => BlendMode::Opaque,
    }
}

/// Sets the properties of a layer that have a counterpart.
fn apply(layer: &mut Layer, name: &str, value: ShaderParameter) {
    let color = match value {
        ShaderParameter::Vec4(color) => Some(color),
        ShaderParameter::Vec3(color) => Some(color.extend(1.0)),
        _ => None,
    };
    let lighting = layer.lighting.get_or_insert_default();
    let is = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    match (value, color) {
        (_, Some(color)) if is(&["DiffuseColor", "ColorDiffuse"]) => lighting.diffuse = color.truncate(),
        (_, Some(color)) if is(&["AmbientColor", "ColorAmbient"]) => lighting.ambient = color.truncate(),
        (_, Some(color)) if is(&["SpecularColor", "ColorSpecular"]) => lighting.specular = color.truncate(),
        (_, Some(color)) if is(&["EmissiveColor", "ColorEmissive"]) => lighting.emissive = color.truncate(),
        (ShaderParameter::Float(number), _) if is(&["SpecularExponent", "Shininess"]) => {
            lighting.shininess = number;
        }
        (ShaderParameter::Float(number), _) if is(&["Opacity"]) => {
            lighting.opacity = number;
        }
        (ShaderParameter::Int(mode), _) if is(&["BlendMode"]) => layer.blend = blend(mode),
        (ShaderParameter::Bool(true), _) if is(&["AlphaBlendingEnable"]) => layer.blend = BlendMode::Alpha,
        (ShaderParameter::Bool(on), _) if is(&["AlphaTestEnable"]) => {
            layer.alpha_test = on.then_some(AlphaTest::W3D);
        }
        (ShaderParameter::Bool(on), _) if is(&["CullingEnable"]) => layer.two_sided = !on,
        (ShaderParameter::Bool(on), _) if is(&["DepthWriteEnable"]) => layer.depth_write = on,
        _ => {}
    }
}

/// The material of an effect, for a mesh with this many sets of texture coordinates.
pub(crate) fn effect(program: Shader, uv_sets: usize) -> Material {
    let mut layer = Layer { lighting: Some(Lighting::default()), ..Layer::default() };
    for (name, value) in &program.parameters {
        if let ShaderParameter::Texture(texture) = *value
            && let Some(kind) = slot_kind(name).filter(|kind| layer.slot(*kind).is_none())
        {
            // The second texture has the second coordinates, if there are any.
            let uv_set = u32::from(kind == SlotKind::Detail && uv_sets > 1);
            let green_down = GREEN_IS_DOWN && kind == SlotKind::Normal;
            layer.slots.push(TextureSlot { kind, texture, uv_set, green_down, ..TextureSlot::default() });
        }
        apply(&mut layer, name, *value);
    }
    layer.slots.sort_by_key(|slot| slot.kind != SlotKind::Diffuse);
    shader::finish(&mut layer, None);
    if program.name.eq_ignore_ascii_case("Simple.fx")
        && let Some(lighting) = &layer.lighting
    {
        // It draws its texture times its emissive colour, unlit (docs/formats/rendering.md#w3d-effects).
        layer.unlit = true;
        let emissive = lighting.emissive.clamp(Vec3::ZERO, Vec3::ONE);
        layer.color = if emissive == Vec3::ZERO { Vec3::ONE } else { emissive };
    }
    Material { name: program.name.clone(), layers: vec![layer], shader: Some(program), ..Material::default() }
}

impl<'n> Converter<'_, 'n> {
    pub(super) fn shader_material(&mut self, node: &'n Node<'n>, looks: &Looks) -> Material {
        let header = child_value::<ShaderMaterialHeader>(node, &table::SHADER_MATERIAL_HEADER);
        let mut program = Shader {
            name: header.map(|header| header.shader_name.to_string()).unwrap_or_default(),
            technique: header.map_or(0, |header| header.technique.into()),
            parameters: Vec::new(),
        };
        for property in node.all(&table::SHADER_MATERIAL_PROPERTY) {
            let name = decode(property.text().unwrap_or_default()).into_owned();
            let Some(value) = self.parameter(property) else {
                self.note(NoteKind::Damaged, node, format!("the property {name:?} has no readable value"));
                continue;
            };
            program.parameters.push((name, value));
        }
        effect(program, looks.uv_sets.len())
    }

    fn parameter(&mut self, property: &Node<'_>) -> Option<ShaderParameter> {
        let ty = property.value::<ShaderMaterialProperty>()?.property_type;
        if ty == PropertyType::TEXTURE {
            let part = property.slots().find(|part| part.slot.name == "texture")?;
            return Some(ShaderParameter::Texture(self.texture_named(until_nul(part.bytes))));
        }
        if ty == PropertyType::INT {
            return property.value::<I32>().map(|value| ShaderParameter::Int(value.get()));
        }
        if ty == PropertyType::BOOL {
            return property.value::<u8>().map(|value| ShaderParameter::Bool(*value != 0));
        }
        let floats: Vec<f32> =
            slot_values::<F32>(property, "floats").iter().map(|float| float.get()).collect();
        match (ty.get(), &floats[..]) {
            (2, &[x]) => Some(ShaderParameter::Float(x)),
            (3, &[x, y]) => Some(ShaderParameter::Vec2(Vec2::new(x, y))),
            (4, &[x, y, z]) => Some(ShaderParameter::Vec3(Vec3::new(x, y, z))),
            (5, &[x, y, z, w]) => Some(ShaderParameter::Vec4(Vec4::new(x, y, z, w))),
            _ => None,
        }
    }
}
