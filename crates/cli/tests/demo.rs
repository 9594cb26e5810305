//! The sample models of `demo`: nothing is wrong with them, and there is something to see.

mod common;

use std::collections::HashSet;
use std::path::Path;

use common::Bench;

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

/// All samples on one sheet, byte by byte. `cargo xtask bless` rewrites the picture, for review.
#[test]
fn golden_pictures_of_the_samples() {
    let bench = Bench::empty();
    assert_eq!(bench.run(&["demo", "samples"]).code, Some(0));
    let drawn: Vec<Vec<u8>> = [vec![], vec!["--team-color", "blue", "--camera", "200,40", "--background", "transparent"]]
        .into_iter()
        .enumerate()
        .map(|(at, words)| {
            let sheet = format!("sheet{at}.png");
            let base = ["render", "samples", "--sheet", &sheet, "--size", "128", "-q"];
            let run = bench.run(&[&base, words.as_slice()].concat());
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
            bench.read(&sheet)
        })
        .collect();
    for (name, drawn) in ["samples.png", "samples-blue.png"].into_iter().zip(drawn) {
        let path = Path::new("tests/golden").join(name);
        if std::env::var_os("MESHWRIGHT_BLESS").is_some() {
            std::fs::write(&path, &drawn).unwrap();
        }
        let golden = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let [golden, drawn] = [golden, drawn].map(|bytes| texture::decode_top(&bytes).expect(name));
        let wrong = golden.iter().zip(drawn.iter()).filter(|(golden, drawn)| golden != drawn).count();
        assert_eq!(
            (golden.width(), golden.height(), wrong),
            (drawn.width(), drawn.height(), 0),
            "{name}: pixels differ"
        );
    }
}
