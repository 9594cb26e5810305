//! Builds a textured triangle as W3D and as MDX: `triangle`
use meshwright::{Model, mdx, w3d};
const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
const UVS: [[f32; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
fn main() -> Result<(), meshwright::Error> {
    let mesh = w3d::build::MeshBuilder::new("FACE").positions(CORNERS).uvs(UVS).triangles([[0, 1, 2]]);
    let file = w3d::build::ModelBuilder::new("TRIANGLE").mesh(mesh.texture("wood.tga")).build()?;
    Model::from(file).save("triangle.w3d")?;
    let face = mdx::build::GeosetBuilder::new().positions(CORNERS).uvs(UVS).triangles([[0, 1, 2]]);
    let file = mdx::build::ModelBuilder::new("Triangle").geoset(face.texture("wood.blp")).build()?;
    Model::from(file).save("triangle.mdx")
}
