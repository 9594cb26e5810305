//! Meshes and their shaders.

use std::borrow::Cow;

use record::Kind;

use super::assets::ids;
use crate::kinds;
use crate::value::{boolean, float, integer};
use crate::view::{Element, Item};

ids!(Mesh);

/// Triangles with one shader.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'n>(pub Element<'n>);

/// How a mesh is placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GeometryType {
    /// On its pivot.
    #[default]
    Normal,
    /// Each vertex on the bones that it names.
    Skin,
    /// On its pivot, parallel to the screen.
    CameraAligned,
    /// On its pivot, towards the camera.
    CameraOriented,
}

impl GeometryType {
    /// All types with their names in files.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("Normal", Self::Normal),
        ("Skin", Self::Skin),
        ("CameraAligned", Self::CameraAligned),
        ("CameraOriented", Self::CameraOriented),
    ];

    /// The type of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, found)| *found)
    }

    /// Its name in files.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, known)| *known == self).map_or("Normal", |(name, _)| name)
    }
}

/// The bone of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Influence {
    /// Index of the pivot.
    pub bone: u16,
    /// Weight, 0 to 1.
    pub weight: f32,
}

/// A triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Triangle {
    /// Its vertices.
    pub vertices: [u32; 3],
    /// Its normal as the file has it; often wrong.
    pub normal: [f32; 3],
    /// Its distance from the origin as the file has it; often wrong.
    pub distance: f32,
}

fn vector(item: &Item<'_>) -> [f32; 3] {
    item.numbers([b'X', b'Y', b'Z'])
}

impl<'n> Mesh<'n> {
    /// How it is placed.
    pub fn geometry_type(&self) -> GeometryType {
        let name = self.0.attribute(&kinds::GEOMETRY_TYPE);
        name.and_then(|name| GeometryType::named(&name)).unwrap_or_default()
    }

    /// Whether it is hidden.
    pub fn is_hidden(&self) -> bool {
        self.0.boolean(&kinds::HIDDEN)
    }

    /// Whether it casts a shadow.
    pub fn casts_shadow(&self) -> bool {
        self.0.boolean(&kinds::CAST_SHADOW)
    }

    /// Its order of drawing, 0 to 32.
    pub fn sort_level(&self) -> u32 {
        self.0.integer(&kinds::SORT_LEVEL).unwrap_or_default()
    }

    /// The corners of its bounding box.
    pub fn bounding_box(&self) -> Option<[[f32; 3]; 2]> {
        let bounds = self.0.child(&kinds::BOUNDING_BOX)?;
        Some([bounds.child_vector(&kinds::MIN)?, bounds.child_vector(&kinds::MAX)?])
    }

    /// The centre and the radius of its bounding sphere.
    pub fn bounding_sphere(&self) -> Option<([f32; 3], f32)> {
        let sphere = self.0.child(&kinds::BOUNDING_SPHERE)?;
        Some((sphere.child_vector(&kinds::CENTER)?, sphere.float(&kinds::RADIUS)))
    }

    /// The lists of a kind.
    pub fn lists(&self, kind: &'static Kind) -> impl Iterator<Item = Element<'n>> + use<'n> {
        self.0.all(kind)
    }

    fn list<T>(
        &self,
        index: usize,
        list: &'static Kind,
        items: &'static Kind,
        read: impl Fn(&Item<'_>) -> T,
    ) -> Vec<T> {
        let list = self.0.all(list).nth(index);
        list.map(|list| list.items(items).map(|item| read(&item)).collect()).unwrap_or_default()
    }

    /// The positions: those in the space of the first bone (0) or of the second one (1).
    pub fn positions(&self, list: usize) -> Vec<[f32; 3]> {
        self.list(list, &kinds::VERTICES, &kinds::V, vector)
    }

    /// The normals that belong to a list of positions.
    pub fn normals(&self, list: usize) -> Vec<[f32; 3]> {
        self.list(list, &kinds::NORMALS, &kinds::N, vector)
    }

    /// The tangents.
    pub fn tangents(&self) -> Vec<[f32; 3]> {
        self.list(0, &kinds::TANGENTS, &kinds::T, vector)
    }

    /// The binormals.
    pub fn binormals(&self) -> Vec<[f32; 3]> {
        self.list(0, &kinds::BINORMALS, &kinds::B, vector)
    }

    /// The colours of vertices: red, green, blue and alpha from 0 to 1.
    pub fn colors(&self) -> Vec<[f32; 4]> {
        self.list(0, &kinds::VERTEX_COLORS, &kinds::C, |item| item.numbers([b'R', b'G', b'B', b'A']))
    }

    /// The texture coordinates of a set, as in the file: V goes upwards.
    pub fn tex_coords(&self, set: usize) -> Vec<[f32; 2]> {
        self.list(set, &kinds::TEX_COORDS, &kinds::T, |item| item.numbers([b'X', b'Y']))
    }

    /// The number of sets of texture coordinates.
    pub fn tex_coord_sets(&self) -> usize {
        self.0.all(&kinds::TEX_COORDS).count()
    }

    /// The influences that belong to a list of positions.
    pub fn influences(&self, list: usize) -> Vec<Influence> {
        self.list(list, &kinds::BONE_INFLUENCES, &kinds::I, |item| Influence {
            bone: item.attribute("Bone").and_then(integer).unwrap_or_default(),
            weight: item.attribute("Weight").and_then(float).unwrap_or_default(),
        })
    }

    /// The indices of smoothing normals.
    pub fn shade_indices(&self) -> Vec<u32> {
        self.list(0, &kinds::SHADE_INDICES, &kinds::I, |item| integer(item.text()).unwrap_or_default())
    }

    /// The triangles. A vertex that is not a number is `u32::MAX`.
    pub fn triangles(&self) -> Vec<Triangle> {
        self.list(0, &kinds::TRIANGLES, &kinds::T, |item| {
            let mut triangle = Triangle { vertices: [u32::MAX; 3], ..Triangle::default() };
            let mut vertices = triangle.vertices.iter_mut();
            for (name, child) in item.children() {
                match name {
                    b"V" => {
                        if let Some(vertex) = vertices.next() {
                            *vertex = integer(child.text()).unwrap_or(u32::MAX);
                        }
                    }
                    b"Nrm" => triangle.normal = vector(&child),
                    b"Dist" => triangle.distance = float(child.text()).unwrap_or_default(),
                    _ => {}
                }
            }
            triangle
        })
    }

    /// The number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.0.child(&kinds::VERTICES).map_or(0, |list| list.items(&kinds::V).count())
    }

    /// The number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.0.child(&kinds::TRIANGLES).map_or(0, |list| list.items(&kinds::T).count())
    }

    /// The shader.
    pub fn shader(&self) -> Option<Shader<'n>> {
        self.0.child(&kinds::FX_SHADER).map(Shader)
    }
}

/// A shader with its constants.
#[derive(Clone, Copy, Debug)]
pub struct Shader<'n>(pub Element<'n>);

impl<'n> Shader<'n> {
    /// The file name of the shader.
    pub fn name(&self) -> Cow<'n, str> {
        self.0.attribute(&kinds::SHADER_NAME).unwrap_or_default()
    }

    /// The name of the technique; often empty.
    pub fn technique_name(&self) -> Cow<'n, str> {
        self.0.attribute(&kinds::TECHNIQUE_NAME).unwrap_or_default()
    }

    /// The index of the technique, which counts if the name is empty.
    pub fn technique_index(&self) -> u32 {
        self.0.integer(&kinds::TECHNIQUE_INDEX).unwrap_or_default()
    }

    /// The constants.
    pub fn constants(&self) -> impl Iterator<Item = Constant<'n>> + use<'n> {
        let lists = self.0.child(&kinds::CONSTANTS);
        let is_constant = |element: &Element<'_>| {
            [&kinds::TEXTURE, &kinds::FLOAT, &kinds::INT, &kinds::BOOL].iter().any(|kind| element.is(kind))
        };
        lists.into_iter().flat_map(move |list| list.elements().filter(is_constant)).map(Constant)
    }
}

/// A constant of a shader.
#[derive(Clone, Copy, Debug)]
pub struct Constant<'n>(pub Element<'n>);

/// The value of a constant.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstantValue {
    /// The id of a texture.
    Texture(String),
    /// One to four numbers.
    Float(Vec<f32>),
    /// A whole number.
    Int(i32),
    /// True or false.
    Bool(bool),
}

impl<'n> Constant<'n> {
    /// Its name.
    pub fn name(&self) -> Cow<'n, str> {
        self.0.attribute(&kinds::NAME).unwrap_or_default()
    }

    /// Its value.
    pub fn value(&self) -> ConstantValue {
        let mut values = self.0.all(&kinds::VALUE_ELEMENT).map(|value| value.text());
        if self.0.is(&kinds::TEXTURE) {
            ConstantValue::Texture(values.next().unwrap_or_default().into_owned())
        } else if self.0.is(&kinds::FLOAT) {
            let number = |text: Cow<'_, str>| float(text.as_bytes()).unwrap_or_default();
            ConstantValue::Float(values.take(4).map(number).collect())
        } else {
            let text = values.next().unwrap_or_default();
            if self.0.is(&kinds::INT) {
                ConstantValue::Int(integer(text.as_bytes()).unwrap_or_default())
            } else {
                ConstantValue::Bool(boolean(text.as_bytes()).unwrap_or_default())
            }
        }
    }
}
