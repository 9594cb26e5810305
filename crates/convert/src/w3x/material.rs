//! Shaders: the names of their constants are those of BFME II's effects.

use glam::{Vec2, Vec3, Vec4};
use scene::{BlendMode, MaterialId, Shader, ShaderParameter, Texture, TextureId};
use w3x::view::{ConstantValue, Mesh};

use super::Converter;
use crate::w3d::shared::effect;

/// Shaders that always add to what is behind them, unlit, whatever their constants say. They are flashes, beams and distortions; their names
/// say so, and their constants have no blend mode.
const ADDITIVE: [&str; 4] = ["muzzleflash", "alienshield", "lightning", "laser"];

/// Shaders that draw nothing of their own: they move the pixels behind them.
const DISTORTIONS: [&str; 2] = ["distortingobject", "shielddistortion"];

impl Converter<'_, '_> {
    /// The material of a mesh.
    pub(super) fn material(&mut self, mesh: Mesh<'_>, uv_sets: usize) -> Option<MaterialId> {
        let shader = mesh.shader()?;
        let sort_level = mesh.sort_level().min(32);
        let text = shader.0.node().to_bytes().ok()?;
        let key = (text, uv_sets, sort_level);
        if let Some(known) = self.materials.get(&key) {
            return Some(*known);
        }
        let mut program = Shader {
            name: shader.name().into_owned(),
            technique: shader.technique_index(),
            parameters: Vec::new(),
        };
        for constant in shader.constants() {
            let value = match constant.value() {
                ConstantValue::Texture(id) => ShaderParameter::Texture(self.texture(&id)),
                ConstantValue::Int(number) => ShaderParameter::Int(number),
                ConstantValue::Bool(is_true) => ShaderParameter::Bool(is_true),
                ConstantValue::Float(numbers) => match numbers[..] {
                    [x] => ShaderParameter::Float(x),
                    [x, y] => ShaderParameter::Vec2(Vec2::new(x, y)),
                    [x, y, z] => ShaderParameter::Vec3(Vec3::new(x, y, z)),
                    [x, y, z, w] => ShaderParameter::Vec4(Vec4::new(x, y, z, w)),
                    _ => continue,
                },
            };
            program.parameters.push((constant.name().into_owned(), value));
        }
        let name = program.name.to_lowercase();
        let stem = name.strip_suffix(".fx").unwrap_or(&name);
        let mut material = effect(program, uv_sets);
        material.sort_level = sort_level;
        if let Some(layer) = material.layers.first_mut() {
            if ADDITIVE.iter().any(|known| stem.starts_with(known)) {
                layer.blend = BlendMode::Add;
                layer.depth_write = false;
                layer.unlit = true;
            } else if DISTORTIONS.contains(&stem) {
                layer.blend = BlendMode::Alpha;
                layer.depth_write = false;
                layer.alpha = 0.0;
                layer.lighting.get_or_insert_default().opacity = 0.0;
            }
        }
        let id = MaterialId::from(self.scene.materials.len());
        self.scene.materials.push(material);
        self.materials.insert(key, id);
        Some(id)
    }

    /// A texture by its id: its file name if it is declared, else the id, which the search for files resolves.
    fn texture(&mut self, id: &str) -> Option<TextureId> {
        if id.is_empty() {
            return None;
        }
        let name = self.library.texture(&id.to_lowercase()).unwrap_or(id).to_owned();
        let next = TextureId::from(self.scene.textures.len());
        let known = *self.textures.entry(name.to_lowercase()).or_insert(next);
        if known == next {
            self.scene.textures.push(Texture { name, ..Texture::default() });
        }
        Some(known)
    }
}
