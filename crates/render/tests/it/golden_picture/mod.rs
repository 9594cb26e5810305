//! Compares pictures with those in `tests/golden`; `cargo xtask bless` rewrites them, for review.

use std::path::Path;

#[track_caller]
pub(crate) fn compare(name: &str, drawn: &texture::Image) {
    let path = Path::new("tests/golden").join(format!("{name}.png"));
    if std::env::var_os("MESHWRIGHT_BLESS").is_some_and(|value| !value.is_empty()) {
        std::fs::create_dir_all("tests/golden").unwrap();
        std::fs::write(&path, texture::encode_png(drawn).unwrap()).unwrap();
    }
    let golden = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let golden = texture::decode_top(&golden).unwrap();
    let wrong = golden.iter().zip(drawn.iter()).filter(|(golden, drawn)| golden != drawn).count();
    assert_eq!(
        (golden.width(), golden.height(), wrong),
        (drawn.width(), drawn.height(), 0),
        "{name}: pixels differ"
    );
}
