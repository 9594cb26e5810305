//! The built-in sample: a tank and a watchtower with their textures.

use meshwright::{mdx, texture, w3d};

/// The files of the sample.
#[must_use]
pub fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        ("mwtank.w3d".to_owned(), w3d::sample::tank()),
        ("mwtower.mdx".to_owned(), mdx::build::watchtower()),
        ("mwcrate.w3d".to_owned(), w3d::sample::crate_box()),
    ];
    for (name, image) in texture::sample::textures() {
        if let Ok(bytes) = texture::encode_tga(&image) {
            files.push((name.to_owned(), bytes));
        }
    }
    files
}
