//! Pictures of models: where they go, what they show, and what is said about what is missing.

use meshwright::texture;
use std::collections::HashSet;

use crate::common::Bench;
use serde_json::Value;

/// The pixels of a picture, with its width and height.
fn picture(bench: &Bench, name: &str) -> (u32, u32, Vec<[u8; 4]>) {
    let image = texture::decode_top(&bench.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    (image.width(), image.height(), image.iter().collect())
}

/// How many different colours a picture has: 1 if nothing was drawn.
fn colors(bench: &Bench, name: &str) -> usize {
    picture(bench, name).2.into_iter().collect::<HashSet<_>>().len()
}

fn draws(bench: &Bench, words: &[&str]) {
    let run = bench.run(words);
    assert_eq!(run.code, Some(0), "{words:?}: {}{}", run.stdout, run.stderr);
}

#[test]
fn a_model_becomes_a_picture() {
    let bench = Bench::with_parts();
    let run = bench.run(&["render", "box.w3d", "box.png", "--textures", "art", "--size", "80x60"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    let (width, height, pixels) = picture(&bench, "box.png");
    assert_eq!((width, height), (80, 60));
    // The corner shows the background, the middle the texture of brown wood.
    assert_eq!(pixels[0], [90, 94, 102, 255]);
    let [r, g, b, _] = pixels[30 * 80 + 40];
    assert!(r > g && g > b, "{r} {g} {b}");
}

#[test]
fn a_picture_is_the_same_every_time_and_with_any_number_of_threads() {
    let bench = Bench::with_fixtures();
    draws(&bench, &["render", "mwcrate.w3d", "one.png", "-j1"]);
    draws(&bench, &["render", "mwcrate.w3d", "two.png", "-j3"]);
    assert_eq!(bench.read("one.png"), bench.read("two.png"));
}

#[test]
fn textures_that_are_missing_are_named() {
    let bench = Bench::with_fixtures();
    let run = bench.run(&["render", "mwcrate.w3d", "crate.png"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("mwcrate.tga: texture not found"), "{}", run.stderr);
    let run = bench.run(&["render", "mwcrate.w3d", "crate.png", "--json"]);
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    let file = &told["files"][0];
    assert_eq!(file["file"], "mwcrate.w3d");
    assert_eq!(file["picture"], "crate.png");
    assert_eq!(file["missing_textures"][0], "mwcrate.tga");
    assert_eq!((file["width"].as_u64(), file["frames"].as_u64()), (Some(512), Some(1)));
    assert_eq!(told["summary"]["drawn"], 1);
}

#[test]
fn folders_become_folders_of_pictures() {
    let bench = Bench::with_fixtures();
    bench.write("art/units/lid.w3d", bench.read("lid.w3d"));
    bench.write("art/mwcrate.w3d", bench.read("mwcrate.w3d"));
    bench.write("art/broken.w3d", b"nonsense");
    let run = bench.run(&["render", "art", "-o", "out", "--size", "32", "-j2"]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(run.stderr.contains("3 files, 2 drawn, 1 failed"), "{}", run.stderr);
    assert!(run.stderr.contains("broken.w3d"), "{}", run.stderr);
    let made: Vec<_> = bench.files().into_iter().filter(|file| file.starts_with("out/")).collect();
    assert_eq!(made, ["out/mwcrate.png", "out/units/lid.png"]);
}

#[test]
fn a_sheet_shows_all_models_with_their_names() {
    let bench = Bench::with_fixtures();
    draws(
        &bench,
        &["render", "mwcrate.w3d", "lid.w3d", "changed.w3d", "--sheet", "all.png", "--size", "64", "-q"],
    );
    let (width, height, pixels) = picture(&bench, "all.png");
    // Two columns of 72, two rows of 64 and the label.
    assert_eq!((width, height), (144, 168));
    assert!(pixels.iter().filter(|pixel| **pixel == [255; 4]).count() > 100, "no labels");
}

#[test]
fn animations_come_in_three_formats_and_as_single_pictures() {
    let bench = Bench::with_fixtures();
    let base = ["render", "mwcrate.w3d"];
    for (name, start) in [("turn.png", &b"\x89PNG"[..]), ("turn.gif", b"GIF89a"), ("turn.webp", b"RIFF")] {
        draws(&bench, &[&base[..], &[name, "--turntable", "4", "--size", "24", "-q"]].concat());
        assert!(bench.read(name).starts_with(start), "{name}");
    }
    let frames = bench.read("turn.png").windows(4).filter(|window| window == b"fcTL").count();
    assert_eq!(frames, 4);
    draws(&bench, &[&base[..], &["--frames", "turn", "--turntable", "4", "--size", "24", "-q"]].concat());
    let made: Vec<_> = bench.files().into_iter().filter(|file| file.starts_with("turn/")).collect();
    assert_eq!(made, ["turn/0000.png", "turn/0001.png", "turn/0002.png", "turn/0003.png"]);
    assert_ne!(bench.read("turn/0000.png"), bench.read("turn/0001.png"));
    // The lid opens in a clip of the crate.
    draws(
        &bench,
        &[&base[..], &["--frames", "open", "--clip", "open", "--animate", "--size", "24", "-q"]].concat(),
    );
    assert!(bench.files().iter().filter(|file| file.starts_with("open/")).count() > 3);
}

#[test]
fn a_picture_of_an_animation_is_that_of_its_moment() {
    let bench = Bench::with_fixtures();
    let base = ["render", "mwcrate.w3d", "-q", "--size", "40", "--clip", "mwcrate.open", "--fps", "10"];
    draws(&bench, &[&base[..], &["--animate", "--frames", "open"]].concat());
    // Without --animate the camera frames the same clip.
    let first = picture(&bench, "open/0000.png");
    let last = bench.files().into_iter().rfind(|file| file.starts_with("open/")).unwrap();
    assert_ne!(first, picture(&bench, &last));
}

#[test]
fn transparent_pictures_have_alpha() {
    let bench = Bench::with_fixtures();
    draws(&bench, &["render", "mwcrate.w3d", "crate.png", "--background", "transparent", "-q"]);
    let (.., pixels) = picture(&bench, "crate.png");
    assert_eq!(pixels[0], [0; 4]);
    assert!(pixels.iter().any(|[.., alpha]| *alpha == 255));
}

#[test]
fn overlays_and_views_change_the_picture() {
    let bench = Bench::with_fixtures();
    let mut seen = HashSet::new();
    let options: [&[&str]; 9] = [
        &[],
        &["--camera", "front"],
        &["--camera", "top"],
        &["--camera", "-30,-10"],
        &["--wireframe"],
        &["--wireframe=over"],
        &["--bones"],
        &["--grid"],
        &["--light", "flat"],
    ];
    for words in options {
        draws(&bench, &[&["render", "mwcrate.w3d", "crate.png", "--size", "64", "-q"], words].concat());
        assert!(colors(&bench, "crate.png") > 1, "{words:?} shows nothing");
        assert!(seen.insert(bench.read("crate.png")), "{words:?} changes nothing");
    }
}

#[test]
fn an_animation_without_a_mesh_shows_its_skeleton() {
    let bench = Bench::with_parts();
    draws(&bench, &["render", "mwcrate_open.w3d", "open.png", "-q"]);
    assert!(colors(&bench, "open.png") > 1);
    draws(&bench, &["render", "MWCrate_SKL.W3D", "skeleton.png", "-q"]);
    assert!(colors(&bench, "skeleton.png") > 1);
}

#[test]
fn every_sample_of_the_other_family_can_be_drawn() {
    let bench = Bench::with_mdx();
    draws(&bench, &["render", ".", "-o", "out", "--size", "48", "-q", "--team-color", "blue"]);
    let made = bench.files().into_iter().filter(|file| file.starts_with("out/")).count();
    assert!(made >= 3, "{made} pictures");
}

#[test]
fn pictures_go_to_standard_output() {
    let bench = Bench::with_fixtures();
    let output = bench.command(&["render", "mwcrate.w3d", "-", "--size", "16", "-q"]).output().unwrap();
    assert!(output.status.success());
    assert!(output.stdout.starts_with(b"\x89PNG"));
}

#[test]
fn wrong_usage_says_what_to_do() {
    let bench = Bench::with_fixtures();
    let table: [(&[&str], i32, &str); 9] = [
        (&["mwcrate.w3d"], 2, "--out-dir DIR or --sheet FILE"),
        (&["mwcrate.w3d", "crate.jpg"], 2, "supported: .png, .gif, .webp"),
        (&[".", "crate.png"], 2, "is a folder"),
        (&["mwcrate.w3d", "--frames", "x"], 2, "requires --animate or --turntable"),
        (&["mwcrate.w3d", "-", "--json"], 2, "cannot write both"),
        (&["mwcrate.w3d", "c.png", "--size", "0"], 2, "expected a size"),
        (&["mwcrate.w3d", "c.png", "--clip", "walk"], 3, "no clip named walk; available: "),
        (&["mwcrate.w3d", "c.png", "--camera", "behind"], 3, "no camera named behind; the model has none"),
        (&["lid.w3d", "c.png", "--clip", "none", "--animate"], 3, "the model has no clip to play"),
    ];
    for (words, code, message) in table {
        let run = bench.run(&[&["render"], words].concat());
        assert_eq!(run.code, Some(code), "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{words:?}: {}", run.stderr);
    }
    assert!(!bench.path("c.png").exists());
}

/// `-o` names a file if it has the extension of one and there is one input.
#[test]
fn the_output_of_one_model_is_a_file() {
    let bench = Bench::with_fixtures();
    assert_eq!(bench.run(&["render", "mwcrate.w3d", "-o", "a.png", "--size", "16"]).code, Some(0));
    assert_eq!(bench.run(&["convert", "mwcrate.w3d", "-o", "a.glb"]).code, Some(0));
    assert!(bench.path("a.png").is_file() && bench.path("a.glb").is_file());
    let png = bench.run(&["convert", "mwcrate.w3d", "b.png"]);
    assert!(png.stderr.contains("meshwright render"), "{}", png.stderr);
    // The crate has no Stand clip: its only one is taken.
    let run = bench.run(&["render", "mwcrate.w3d", "a.gif", "--animate", "--size", "16"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(bench.run(&["verify", "-q", "mwcrate.w3d"]).stdout.is_empty());
}
