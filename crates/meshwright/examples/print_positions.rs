//! Prints the position of every vertex: `print_positions MODEL`
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: print_positions MODEL")?;
    for mesh in meshwright::Model::open(path)?.meshes() {
        println!("{}", mesh.name());
        for [x, y, z] in mesh.positions() {
            println!("  {x} {y} {z}");
        }
    }
    Ok(())
}
