//! Materials of meshes: vertex materials, textures, passes and stages, FX shader materials.

use record::{F32, I32, Node, U32, Vec2, decode, views};

use super::{slot_text, slot_values};
use crate::names::PropertyType;
use crate::records::{
    Rgb, Rgba, ShaderMaterialHeader, ShaderMaterialProperty, TextureInfo, VertexMaterialInfo,
};
use crate::table;

views! {
    /// A `VERTEX_MATERIAL` chunk.
    VertexMaterial, VertexMaterialMut of table::VERTEX_MATERIAL;
    /// A `TEXTURE` chunk.
    Texture, TextureMut of table::TEXTURE;
    /// A `MATERIAL_PASS` chunk: one pass of drawing.
    Pass, PassMut of table::MATERIAL_PASS;
    /// A `TEXTURE_STAGE` chunk: one texture of a pass.
    Stage, StageMut of table::TEXTURE_STAGE;
    /// A `SHADER_MATERIAL` chunk: an FX shader and its properties.
    ShaderMaterial, ShaderMaterialMut of table::SHADER_MATERIAL;
    /// A `SHADER_MATERIAL_PROPERTY` chunk.
    Property, PropertyMut of table::SHADER_MATERIAL_PROPERTY;
}

impl<'n> VertexMaterial<'n> {
    /// Its name.
    pub fn name(&self) -> String {
        self.get(table::VERTEX_MATERIAL_NAME).unwrap_or_default().into_owned()
    }

    /// Its colours and mappers.
    pub fn info(&self) -> Option<&'n VertexMaterialInfo> {
        self.get(table::VERTEX_MATERIAL_INFO)
    }

    /// The arguments of a stage's mapper, as pairs of key and value. Lines are `Key=Value`; `;` starts a comment.
    pub fn mapper_args(&self, stage: usize) -> Vec<(String, String)> {
        let handle = if stage == 0 { table::VERTEX_MAPPER_ARGS0 } else { table::VERTEX_MAPPER_ARGS1 };
        let text = self.get(handle).unwrap_or_default();
        text.lines()
            .map(|line| line.split(';').next().unwrap_or_default())
            .filter_map(|line| line.split_once('='))
            .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
            .collect()
    }
}

impl<'n> Texture<'n> {
    /// Its file.
    pub fn name(&self) -> String {
        self.get(table::TEXTURE_NAME).unwrap_or_default().into_owned()
    }

    /// How it is loaded.
    pub fn info(&self) -> Option<&'n TextureInfo> {
        self.get(table::TEXTURE_INFO)
    }
}

impl<'n> Pass<'n> {
    /// Indices of vertex materials: one, or one per vertex.
    pub fn vertex_material_ids(&self) -> &'n [U32] {
        self.get(table::VERTEX_MATERIAL_IDS)
    }

    /// Indices of shaders: one, or one per triangle.
    pub fn shader_ids(&self) -> &'n [U32] {
        self.get(table::SHADER_IDS)
    }

    /// Indices of FX shader materials: one, or one per triangle.
    pub fn shader_material_ids(&self) -> &'n [U32] {
        self.get(table::SHADER_MATERIAL_ID)
    }

    /// Diffuse colours, one per vertex.
    pub fn diffuse_colors(&self) -> &'n [Rgba] {
        self.get(table::DCG)
    }

    /// Diffuse illumination, one per vertex; engines multiply it into the diffuse colours.
    pub fn diffuse_illumination(&self) -> &'n [Rgb] {
        self.get(table::DIG)
    }

    /// Specular colours, one per vertex; engines ignore them.
    pub fn specular_colors(&self) -> &'n [Rgb] {
        self.get(table::SCG)
    }

    /// Its textures.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'n>> + use<'n> {
        self.0.children().iter().filter_map(Stage::new)
    }

    /// Texture coordinates of a stage. With FX shader materials, they may be directly in the pass.
    pub fn texcoords(&self, stage: usize) -> &'n [Vec2] {
        match self.stages().nth(stage) {
            Some(stage) => stage.texcoords(),
            None => self.get_all(table::STAGE_TEXCOORDS).nth(stage).unwrap_or_default(),
        }
    }
}

impl<'n> Stage<'n> {
    /// Indices of textures: one, or one per triangle; 0xFFFFFFFF for none.
    pub fn texture_ids(&self) -> &'n [U32] {
        self.get(table::TEXTURE_IDS)
    }

    /// Texture coordinates, V upwards, one per vertex.
    pub fn texcoords(&self) -> &'n [Vec2] {
        let coordinates = self.get(table::STAGE_TEXCOORDS);
        if coordinates.is_empty() { self.get(table::TEXCOORDS) } else { coordinates }
    }

    /// Indices of texture coordinates for each corner of each triangle; engines skip them.
    pub fn texcoord_ids(&self) -> &'n [[U32; 3]] {
        self.get(table::PER_FACE_TEXCOORD_IDS)
    }
}

impl<'n> ShaderMaterial<'n> {
    /// Its shader.
    pub fn header(&self) -> Option<&'n ShaderMaterialHeader> {
        self.get(table::SHADER_MATERIAL_HEADER)
    }

    /// File of its shader, such as `NormalMapped.fx`.
    pub fn name(&self) -> String {
        self.header().map(|header| header.shader_name.to_string()).unwrap_or_default()
    }

    /// Its properties.
    pub fn properties(&self) -> impl Iterator<Item = Property<'n>> + use<'n> {
        self.0.children().iter().filter_map(Property::new)
    }

    /// The property of a name. Engines compare names without regard to case.
    pub fn property(&self, name: &str) -> Option<Property<'n>> {
        self.properties().find(|property| property.name().eq_ignore_ascii_case(name))
    }
}

/// The value of a property of an FX shader material.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyValue {
    /// A texture's file.
    Texture(String),
    /// One to four floats.
    Floats(Vec<f32>),
    /// An integer.
    Int(i32),
    /// A switch.
    Bool(bool),
}

impl<'n> Property<'n> {
    /// Type of the value and length of the name.
    pub fn header(&self) -> Option<&'n ShaderMaterialProperty> {
        self.0.value()
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.0.text().map(|name| decode(name).into_owned()).unwrap_or_default()
    }

    /// Its value; `None` if it is damaged or of an unknown type.
    pub fn value(&self) -> Option<PropertyValue> {
        let node: &'n Node<'n> = self.0;
        match self.header()?.property_type {
            PropertyType::TEXTURE => slot_text(node, "texture").map(PropertyValue::Texture),
            PropertyType::INT => node.values::<I32>().first().map(|value| PropertyValue::Int(value.get())),
            PropertyType::BOOL => node.values::<u8>().first().map(|value| PropertyValue::Bool(*value != 0)),
            _ => {
                let floats: Vec<f32> =
                    slot_values::<F32>(Some(node), "floats").iter().map(|value| value.get()).collect();
                (!floats.is_empty()).then_some(PropertyValue::Floats(floats))
            }
        }
    }
}
