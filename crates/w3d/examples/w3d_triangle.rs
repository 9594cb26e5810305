//! Writes a textured triangle: `cargo run --example w3d_triangle -- triangle.w3d`.

use meshwright_w3d::build::{MeshBuilder, ModelBuilder};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = MeshBuilder::new("TRIANGLE")
        .positions([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
        .uvs([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        .triangles([[0, 1, 2]])
        .texture("wood.tga");
    let file = ModelBuilder::new("SIGN").mesh(mesh).build()?;
    Ok(std::fs::write(std::env::args().nth(1).ok_or("which file?")?, file.to_bytes()?)?)
}
