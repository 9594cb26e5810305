//! The sample models of `demo`: nothing is wrong with them, and there is something to see.

use meshwright::texture;
use std::collections::HashSet;
use std::path::Path;

use crate::common::{self, Bench};

#[test]
fn samples_are_drawn_with_their_textures() {
    let bench = Bench::empty();
    let run = bench.run(&["demo", "samples"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("samples/mwtank.png") || run.stdout.contains("samples\\mwtank.png"));
    for name in ["mwtank", "mwtower"] {
        let image = texture::decode_top(&bench.read(&format!("samples/{name}.png"))).expect(name);
        let colors: HashSet<[u8; 4]> = image.iter().collect();
        assert!(colors.len() > 1000, "{name} has {} colours", colors.len());
        // The checker of a missing texture is magenta.
        assert!(!colors.iter().any(|[r, g, b, _]| *r > 240 && *g < 8 && *b > 120), "{name} misses a texture");
    }
    let run = bench.run(&["render", "samples/mwtank.w3d", "blue.png", "--team-color", "0000ff", "-q"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let image = texture::decode_top(&bench.read("blue.png")).expect("a picture");
    assert!(image.iter().any(|[r, g, b, _]| b > 60 && r < 20 && g < 20), "plates are in the player's colour");
}

#[test]
fn samples_have_no_findings_that_matter() {
    let bench = Bench::empty();
    assert_eq!(bench.run(&["demo", "samples"]).code, Some(0));
    let run = bench.run(&["check", "samples/mwtank.w3d", "samples/mwtower.mdx", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    assert!(!run.stdout.contains("\"warning\""), "{}", run.stdout);
}

/// All samples on one sheet, pixel by pixel. `cargo xtask bless` rewrites the pictures, for review.
#[test]
fn golden_pictures_of_the_samples() {
    let bench = Bench::empty();
    assert_eq!(bench.run(&["demo", "samples"]).code, Some(0));
    let views: [(&str, &[&str]); 2] = [
        ("samples.png", &[]),
        ("samples-back.png", &["--team-color", "blue", "--camera", "200,40", "--background", "transparent"]),
    ];
    for (name, words) in views {
        let base = ["render", "samples", "--sheet", name, "--size", "128", "-q"];
        let run = bench.run(&[&base, words].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let path = Path::new("tests/golden").join(name);
        if std::env::var_os("MESHWRIGHT_BLESS").is_some_and(|value| !value.is_empty()) {
            std::fs::write(&path, bench.read(name)).unwrap();
        }
        let golden = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let [golden, drawn] =
            [golden, bench.read(name)].map(|bytes| texture::decode_top(&bytes).expect(name));
        let wrong = golden.iter().zip(drawn.iter()).filter(|(golden, drawn)| golden != drawn).count();
        assert_eq!(
            (golden.width(), golden.height(), wrong),
            (drawn.width(), drawn.height(), 0),
            "{name}: pixels differ"
        );
    }
}

#[test]
fn the_crate_has_its_texture() {
    let bench = Bench::empty();
    assert_eq!(bench.run(&["demo", "samples"]).code, Some(0));
    let run = bench.run(&["info", "samples/mwcrate.w3d"]);
    assert!(run.stdout.contains("textures   mwcrate.tga"), "{}", run.stdout);
    let json = common::glb_json(&bench.read("samples/mwcrate.glb"));
    assert_eq!(json["images"].as_array().map(Vec::len), Some(1), "{json}");
}
