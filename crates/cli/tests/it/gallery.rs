//! The web page of a folder: what it holds, and what a second run does.

use crate::common::{self, Bench};
use meshwright::{mdx, texture, w3d};
use serde_json::Value;

const GALLERY: [&str; 8] = ["gallery", "models", "-o", "site", "--size", "32", "--frames", "4"];

/// With two models, of which one has no texture, and one damaged file.
fn bench() -> Bench {
    let bench = Bench::empty();
    bench.write("models/mwcrate.w3d", w3d::sample::crate_box());
    bench.write("models/units/mwtower.mdx", mdx::build::watchtower());
    bench.write("models/damaged.w3d", common::damaged());
    bench
}

/// The list that the page shows.
fn models(bench: &Bench) -> Vec<Value> {
    let text = String::from_utf8(bench.read("site/models.js")).expect("text");
    let list = text.strip_prefix("window.MODELS = ").and_then(|text| text.trim_end().strip_suffix(';'));
    serde_json::from_str(list.expect("a list")).expect("JSON")
}

fn summary(bench: &Bench, words: &[&str]) -> String {
    let run = bench.run(words);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    run.stderr
}

#[test]
fn every_model_has_a_card_a_picture_and_a_page() {
    let bench = bench();
    assert!(summary(&bench, &GALLERY).contains("3 models, 3 drawn, 0 unchanged, 0 failed"));
    let models = models(&bench);
    let paths: Vec<&str> = models.iter().filter_map(|model| model["path"].as_str()).collect();
    assert_eq!(paths, ["damaged.w3d", "mwcrate.w3d", "units/mwtower.mdx"]);
    for model in &models {
        let picture = bench.read(&format!("site/{}", model["picture"].as_str().expect("a picture")));
        assert!(picture.starts_with(b"RIFF") && picture[8..12] == *b"WEBP");
        let page = bench.read(&format!("site/{}", model["page"].as_str().expect("a page")));
        assert!(String::from_utf8(page).expect("text").contains("<dt>Triangles</dt>"));
    }
    assert_eq!((models[1]["triangles"].as_u64(), models[1]["missing"].as_u64()), (Some(24), Some(1)));
    assert!(models[0]["errors"].as_u64() > Some(0));
    let page = String::from_utf8(bench.read(&format!("site/{}", models[1]["page"].as_str().unwrap())));
    let page = page.expect("text");
    assert!(page.contains("MWCRATE.OPEN") && page.contains("mwcrate.tga"), "{page}");
    let index = String::from_utf8(bench.read("site/index.html")).expect("text");
    assert!(index.contains("<h1>models</h1>") && index.contains("gallery.js"));
}

#[test]
fn a_second_run_draws_only_what_changed() {
    let bench = bench();
    summary(&bench, &GALLERY);
    let before = bench.files();
    assert!(summary(&bench, &GALLERY).contains("0 drawn, 3 unchanged"));
    assert_eq!(bench.files(), before);
    // A texture that was missing is there.
    let picture = texture::Image::new(2, 2, [200, 120, 40, 255].repeat(4)).expect("a small picture");
    bench.write("models/mwcrate.tga", texture::encode_tga(&picture).expect("it can be written"));
    assert!(summary(&bench, &GALLERY).contains("2 drawn, 1 unchanged"));
    assert_eq!(models(&bench)[1]["missing"], 0);
    // Another size needs other pictures.
    let mut larger = GALLERY;
    larger[5] = "40";
    assert!(summary(&bench, &larger).contains("3 drawn"));
    // What is gone goes from the page, and nothing else does.
    std::fs::remove_file(bench.path("models/damaged.w3d")).expect("it is there");
    bench.write("site/notes.txt", "mine");
    assert!(summary(&bench, &larger).contains("2 models, 0 drawn, 2 unchanged"));
    let files = bench.files();
    assert!(!files.iter().any(|file| file.starts_with("site/") && file.contains("damaged")), "{files:?}");
    assert!(files.contains(&"site/notes.txt".to_owned()));
}

#[test]
fn a_page_of_somebody_else_is_left_alone() {
    let bench = bench();
    bench.write("site/index.html", "mine");
    let run = bench.run(&GALLERY);
    assert_eq!(run.code, Some(3));
    assert!(
        run.stderr.contains("contains an index.html that was not written by `gallery`"),
        "{}",
        run.stderr
    );
    assert_eq!(bench.read("site/index.html"), b"mine");
}

#[test]
fn a_file_that_is_no_model_is_on_the_page_as_such() {
    let bench = bench();
    bench.write("models/broken.mdl", "Version { FormatVersion ");
    let run = bench.run(&GALLERY);
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("1 failed"), "{}", run.stderr);
    let models = models(&bench);
    assert_eq!(models[0]["path"], "broken.mdl");
    assert!(models[0]["error"].is_string() && models[0]["picture"].is_null());
}
