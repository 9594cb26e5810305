//! Replaces a texture: `retexture MODEL OLD NEW OUTPUT`
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, old, new, output] = arguments.as_slice() else {
        return Err("usage: retexture MODEL OLD NEW OUTPUT".into());
    };
    let mut model = meshwright::Model::open(path)?;
    println!("{} places changed", model.set_texture(old, new)?);
    Ok(model.save(output)?)
}
