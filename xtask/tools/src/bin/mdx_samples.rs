//! Writes the samples of the crate and models of its builders for other readers to judge: as MDX, as JSON, and for Warcraft III as MDL in both
//! dialects. Further arguments are models that are written beside them.
//!
//! `cargo run -p mdx --bin mdx_samples -- DIR [MODEL…]`

use std::path::PathBuf;

use mdx::build::{GeosetBuilder, ModelBuilder};
use mdx::mdl::{self, MdlDialect, Options};
use mdx::{Dialect, Document, Error};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("where to?")?);
    std::fs::create_dir_all(&folder)?;
    let samples = mdx::build::samples().into_iter().map(|(name, bytes)| (name.to_owned(), bytes));
    let built = [800, 900, 1000, 1100, 1200]
        .map(|version| built(version).map(|bytes| (format!("built-{version}"), bytes)))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let models = std::env::args()
        .skip(2)
        .enumerate()
        .filter_map(|(at, path)| Some((at.to_string(), std::fs::read(path).ok()?)));
    for (name, bytes) in samples.chain(built).chain(models) {
        let document = Document::parse(&bytes)?;
        std::fs::write(folder.join(format!("{name}.mdx")), &bytes)?;
        std::fs::write(folder.join(format!("{name}.json")), document.to_json())?;
        if document.dialect == Dialect::Warcraft {
            for (suffix, dialect) in [
                ("game", MdlDialect::Game),
                ("hive", MdlDialect::Hive),
                ("war3-model", MdlDialect::War3Model),
            ] {
                let text = mdl::write(&document, &Options { dialect, plain: false })?;
                std::fs::write(folder.join(format!("{name}.{suffix}.mdl")), text)?;
            }
        }
    }
    Ok(())
}

/// A quad whose corners are on two bones, made by the builders.
fn built(version: u32) -> Result<Vec<u8>, Error> {
    let geoset = GeosetBuilder::new()
        .positions([[0.0, 0.0, 10.0], [30.0, 0.0, 10.0], [30.0, 40.0, 10.0], [0.0, 40.0, 10.0]])
        .uvs([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
        .triangles([[0, 1, 2], [0, 2, 3]])
        .bones([vec![0], vec![0, 1], vec![0, 1], vec![0]])
        .texture("Textures\\wood.blp");
    let model = ModelBuilder::new("Flag").version(version).bone("Pole", None, [0.0, 0.0, 0.0]);
    model.bone("Cloth", Some(0), [0.0, 0.0, 10.0]).geoset(geoset).build()?.to_bytes()
}
