//! Meshes.

use super::Build;
use super::assets::vector;
use crate::view::{ConstantValue, GeometryType, Influence};

/// A mesh. Bounds and the planes of triangles are computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshBuilder {
    /// Its id: `CONTAINER.MESH`.
    pub id: String,
    /// How it is placed.
    pub geometry_type: GeometryType,
    /// Whether it is hidden.
    pub is_hidden: bool,
    /// Whether it casts a shadow.
    pub casts_shadow: bool,
    /// Its order of drawing, 0 to 32.
    pub sort_level: u32,
    /// One or two lists of positions, each in the space of its bones.
    pub positions: Vec<Vec<[f32; 3]>>,
    /// As many lists of normals.
    pub normals: Vec<Vec<[f32; 3]>>,
    /// Tangents.
    pub tangents: Vec<[f32; 3]>,
    /// Binormals.
    pub binormals: Vec<[f32; 3]>,
    /// Colours of vertices.
    pub colors: Vec<[f32; 4]>,
    /// Sets of texture coordinates; V goes upwards.
    pub tex_coords: Vec<Vec<[f32; 2]>>,
    /// As many lists of influences as of positions, for a skin.
    pub influences: Vec<Vec<Influence>>,
    /// The vertices of triangles.
    pub triangles: Vec<[u32; 3]>,
    /// The file name of the shader.
    pub shader: String,
    /// The technique of the shader.
    pub technique_index: u32,
    /// The constants of the shader.
    pub constants: Vec<(String, ConstantValue)>,
    /// The box around the vertices in the space of the model. `None` to compute it from the first list of positions, which is right for meshes
    /// that are not skins.
    pub bounds: Option<[[f32; 3]; 2]>,
}

impl MeshBuilder {
    /// The element.
    pub fn build(&self) -> Build {
        let positions = self.positions.first().map(Vec::as_slice).unwrap_or_default();
        let [min, max] = self.bounds.unwrap_or_else(|| bounds(positions));
        let center: [f32; 3] = std::array::from_fn(|axis| (min[axis] + max[axis]) / 2.0);
        let radius = length(std::array::from_fn(|axis| max[axis] - center[axis]));
        let mut mesh = Build::new("W3DMesh").attribute("id", &self.id);
        if self.is_hidden {
            mesh = mesh.attribute("Hidden", "true");
        }
        if self.casts_shadow {
            mesh = mesh.attribute("CastShadow", "true");
        }
        mesh = mesh.attribute("GeometryType", self.geometry_type.name());
        if self.sort_level > 0 {
            mesh = mesh.attribute("SortLevel", self.sort_level.to_string());
        }
        let sphere = Build::new("BoundingSphere").numbers(["Radius"], [radius]);
        mesh.child(Build::new("BoundingBox").child(vector("Min", min)).child(vector("Max", max)))
            .child(sphere.child(vector("Center", center)))
            .children(self.positions.iter().map(|list| vectors("Vertices", "V", list)))
            .children(self.normals.iter().map(|list| vectors("Normals", "N", list)))
            .children(some(&self.tangents).map(|list| vectors("Tangents", "T", list)))
            .children(some(&self.binormals).map(|list| vectors("Binormals", "B", list)))
            .children(some(&self.colors).map(|list| {
                let color = |color: &[f32; 4]| Build::new("C").numbers(["R", "G", "B", "A"], *color);
                Build::new("VertexColors").children(list.iter().map(color))
            }))
            .children(self.tex_coords.iter().map(|list| {
                let pair = |pair: &[f32; 2]| Build::new("T").numbers(["X", "Y"], *pair);
                Build::new("TexCoords").children(list.iter().map(pair))
            }))
            .children(self.influences.iter().map(|list| {
                let influence = |influence: &Influence| {
                    Build::new("I")
                        .attribute("Bone", influence.bone.to_string())
                        .numbers(["Weight"], [influence.weight])
                };
                Build::new("BoneInfluences").children(list.iter().map(influence))
            }))
            .child(
                Build::new("Triangles")
                    .children(self.triangles.iter().map(|triangle| face(*triangle, positions))),
            )
            .child(self.shader())
    }

    fn shader(&self) -> Build {
        let mut shader = Build::new("FXShader").attribute("ShaderName", &self.shader);
        if self.technique_index > 0 {
            shader = shader.attribute("TechniqueIndex", self.technique_index.to_string());
        }
        shader.child(Build::new("Constants").children(self.constants.iter().map(|(name, value)| {
            let value_of = |text: String| Build::new("Value").text(text);
            match value {
                ConstantValue::Texture(id) => {
                    Build::new("Texture").attribute("Name", name).child(value_of(id.clone()))
                }
                ConstantValue::Float(numbers) => Build::new("Float")
                    .attribute("Name", name)
                    .children(numbers.iter().map(|number| Build::new("Value").number(*number))),
                ConstantValue::Int(number) => {
                    Build::new("Int").attribute("Name", name).child(value_of(number.to_string()))
                }
                ConstantValue::Bool(is_true) => {
                    Build::new("Bool").attribute("Name", name).child(value_of(is_true.to_string()))
                }
            }
        })))
    }
}

/// The list, if it has items.
fn some<T>(list: &[T]) -> impl Iterator<Item = &[T]> {
    (!list.is_empty()).then_some(list).into_iter()
}

fn vectors(list: &'static str, item: &'static str, values: &[[f32; 3]]) -> Build {
    Build::new(list).children(values.iter().map(|value| vector(item, *value)))
}

/// A triangle with its plane.
fn face(vertices: [u32; 3], positions: &[[f32; 3]]) -> Build {
    let position = |vertex: u32| positions.get(vertex as usize).copied().unwrap_or_default();
    let [a, b, c] = vertices.map(position);
    let (u, v): ([f32; 3], [f32; 3]) =
        (std::array::from_fn(|axis| b[axis] - a[axis]), std::array::from_fn(|axis| c[axis] - a[axis]));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let size = length(cross);
    let normal = if size > 0.0 { cross.map(|number| number / size) } else { [0.0; 3] };
    let distance = normal[0] * a[0] + normal[1] * a[1] + normal[2] * a[2];
    Build::new("T")
        .children(vertices.map(|vertex| Build::new("V").text(vertex.to_string())))
        .child(vector("Nrm", normal))
        .child(Build::new("Dist").number(distance))
}

fn length(vector: [f32; 3]) -> f32 {
    vector.iter().map(|number| number * number).sum::<f32>().sqrt()
}

/// The box around some positions.
fn bounds(positions: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let Some(first) = positions.first() else { return [[0.0; 3]; 2] };
    positions.iter().fold([*first; 2], |[min, max], position| {
        [
            std::array::from_fn(|axis| min[axis].min(position[axis])),
            std::array::from_fn(|axis| max[axis].max(position[axis])),
        ]
    })
}
