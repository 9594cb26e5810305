//! Converts any model, with its skeleton, animations and textures, to GLB: `to_glb MODEL OUTPUT.glb`
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, output] = arguments.as_slice() else {
        return Err("usage: to_glb MODEL OUTPUT.glb".into());
    };
    let model = meshwright::Model::open(path)?;
    Ok(std::fs::write(output, model.to_glb()?)?)
}
