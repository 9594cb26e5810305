//! Lints a model for its game: `check MODEL`
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: check MODEL")?;
    let model = meshwright::Model::open(path)?;
    println!("checked for {}", model.info().game.game.title());
    for finding in model.check() {
        println!("{finding}");
    }
    Ok(())
}
