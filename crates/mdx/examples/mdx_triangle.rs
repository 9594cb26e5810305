//! Writes a textured triangle: `cargo run --example mdx_triangle -- triangle.mdx`.

use meshwright_mdx::build::{GeosetBuilder, ModelBuilder};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let geoset = GeosetBuilder::new()
        .positions([[0.0, 0.0, 0.0], [30.0, 0.0, 0.0], [0.0, 40.0, 0.0]])
        .uvs([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
        .triangles([[0, 1, 2]])
        .texture("Textures\\wood.blp");
    let document = ModelBuilder::new("Sign").geoset(geoset).build()?;
    Ok(std::fs::write(std::env::args().nth(1).ok_or("which file?")?, document.to_bytes()?)?)
}
