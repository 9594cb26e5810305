//! Writes the samples of the crate for other readers to judge: as MDX, as JSON, and for Warcraft III as MDL in both
//! dialects. Further arguments are models that are written beside them.
//!
//! `cargo run -p mdx --example mdx_samples -- DIR [MODEL…]`

use std::path::PathBuf;

use meshwright_mdx::mdl::{self, MdlDialect, Options};
use meshwright_mdx::{Dialect, Document};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("where to?")?);
    std::fs::create_dir_all(&folder)?;
    let samples = meshwright_mdx::build::samples().into_iter().map(|(name, bytes)| (name.to_owned(), bytes));
    let models = std::env::args()
        .skip(2)
        .enumerate()
        .filter_map(|(at, path)| Some((at.to_string(), std::fs::read(path).ok()?)));
    for (name, bytes) in samples.chain(models) {
        let document = Document::parse(&bytes)?;
        std::fs::write(folder.join(format!("{name}.mdx")), &bytes)?;
        std::fs::write(folder.join(format!("{name}.json")), document.to_json())?;
        if document.dialect == Dialect::Warcraft {
            for (suffix, dialect) in [("game", MdlDialect::Game), ("hive", MdlDialect::Hive)] {
                let text = mdl::write(&document, &Options { dialect, plain: false })?;
                std::fs::write(folder.join(format!("{name}.{suffix}.mdl")), text)?;
            }
        }
    }
    Ok(())
}
