//! MDX, MDL and versions of them, through the command line.

use crate::common::Bench;
use meshwright::w3d;

fn warcraft(bench: &Bench) -> Vec<String> {
    bench.files().into_iter().filter(|file| file.starts_with("warcraft")).collect()
}

#[test]
fn mdl_and_back_gives_the_same_bytes() {
    let bench = Bench::with_mdx();
    for file in warcraft(&bench) {
        for dialect in ["game", "hive", "war3-model"] {
            let run = bench.run(&["convert", &file, "x.mdl", "--mdl-dialect", dialect, "--strict"]);
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{file}");
            let run = bench.run(&["convert", "x.mdl", "back.mdx"]);
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{file}");
            assert!(bench.read(&file) == bench.read("back.mdx"), "{file} as {dialect}");
        }
        assert_eq!(bench.run(&["diff", &file, "x.mdl"]).code, Some(0), "{file}");
        assert_eq!(bench.run(&["verify", "--text", "x.mdl"]).code, Some(0), "{file}");
    }
    let run = bench.run(&["convert", "wow-1300.mdx", "wow.mdl"]);
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("MDL-DIALECT"), "{}", run.stderr);
}

#[test]
fn plain_text_has_no_comments_of_ours() {
    let bench = Bench::with_mdx();
    let text = |words: &[&str]| {
        let run = bench.run(&[&["convert", "warcraft-1200.mdx", "-", "--to", "mdl"], words].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    assert!(text(&[]).contains("// meshwright"));
    assert!(!text(&["--plain"]).contains("// meshwright"));
    assert_ne!(text(&["--plain"]), text(&["--plain", "--mdl-dialect", "hive"]));
}

#[test]
fn mistakes_in_a_text_are_shown_where_they_are() {
    let bench = Bench::empty();
    bench.write("box.mdl", "Version {\n\tFormatVersion 800,\n}\nModel \"Box\" {\n\tBlendTime soon,\n}\n");
    for words in [&["info", "box.mdl"][..], &["convert", "box.mdl", "box.mdx"]] {
        let run = bench.run(words);
        assert_eq!(run.code, Some(3));
        assert!(run.stderr.contains("box.mdl:5:12") && run.stderr.contains("^^^^"), "{}", run.stderr);
    }
    assert!(!bench.path("box.mdx").exists());
}

#[test]
fn another_version_loses_what_it_cannot_say() {
    let bench = Bench::with_mdx();
    let convert = ["convert", "warcraft-1200.mdx", "classic.mdx", "--to-version"];
    let run = bench.run(&[&convert[..], &["800"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("skipped: "), "{}", run.stderr);
    let info = bench.run(&["info", "classic.mdx"]);
    assert!(info.stdout.contains("version 800"), "{}", info.stdout);
    assert_eq!(bench.run(&[&convert[..], &["800", "--strict"]].concat()).code, Some(1));
    assert_eq!(bench.run(&[&convert[..], &["801"]].concat()).code, Some(3));
    assert_eq!(bench.run(&[&convert[..], &["1200", "--strict"]].concat()).code, Some(0));
    bench.write("crate.w3d", w3d::sample::crate_box());
    let run = bench.run(&["convert", "crate.w3d", "x.w3d", "--to-version", "800"]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
}

/// A text that contradicts itself is converted with a warning; one that is not understood only by force.
#[test]
fn texts_with_mistakes_are_told_and_compiled_by_force() {
    let bench = Bench::with_fixtures();
    bench.run(&["convert", "mwcrate.w3d", "a.json"]);
    let text = String::from_utf8(bench.read("a.json")).expect("UTF-8");
    bench.write("b.json", text.replacen("[0.5, -0.5, -0.05],\n", "", 1));
    let run = bench.run(&["convert", "b.json", "b.w3d"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("24 elements for 23 vertices"), "{}", run.stderr);
    assert_eq!(bench.run(&["convert", "b.json", "c.w3d", "--strict"]).code, Some(1));
    let mdl = "Version {\n\tFormatVersion 800,\n}\nModel \"a\" {\n\tBlendTim 150,\n}\n";
    bench.write("a.mdl", mdl);
    let refused = bench.run(&["convert", "a.mdl", "a.mdx"]);
    assert_eq!(refused.code, Some(3), "{}", refused.stderr);
    let forced = bench.run(&["convert", "a.mdl", "a.mdx", "--force"]);
    assert_eq!(forced.code, Some(0), "{}", forced.stderr);
    assert!(forced.stderr.contains("BlendTim"), "{}", forced.stderr);
    assert!(bench.read("a.mdx").starts_with(b"MDLX"));
}
