//! Help, completions and manual pages.

use crate::common::Bench;
use meshwright::w3d;

#[test]
fn shells_complete_the_formats() {
    let bench = Bench::empty();
    let bash = bench.run(&["completions", "bash"]).stdout;
    assert!(bash.contains("json mdx mdl w3d"), "formats of --as");
    assert!(bash.contains("blp dds tga png"), "formats of --to");
    let fish = bench.run(&["completions", "fish"]).stdout;
    let to = fish.lines().position(|line| line.contains("subcommand convert") && line.contains("-l to "));
    let values: String = fish.lines().skip(to.expect("convert has --to")).take(20).collect();
    assert!(values.contains("glb") && values.contains("dds"), "{values}");
    // The names of formats are accepted in any case, as before.
    bench.write("a.w3d", w3d::sample::crate_box());
    assert_eq!(bench.run(&["convert", "a.w3d", "-", "--to", "JSON"]).code, Some(0));
}

#[test]
fn each_verb_and_each_change_has_a_manual_page() {
    let bench = Bench::empty();
    let run = bench.run(&["man", "--out-dir", "man1"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pages = bench.files();
    let edits = ["rename", "retexture", "scale", "translate", "rotate", "strip", "set"];
    let verbs =
        ["info", "tree", "verify", "check", "convert", "render", "view", "gallery", "diff", "edit", "find"];
    let edits = edits.map(|change| format!("man1/meshwright-edit-{change}.1"));
    let verbs = verbs.map(|verb| format!("man1/meshwright-{verb}.1"));
    for page in edits.iter().chain(&verbs).chain(&["man1/meshwright.1".to_owned()]) {
        assert!(pages.contains(page), "{page} in {pages:?}");
        let text = String::from_utf8(bench.read(page)).expect("a page is text");
        let name = page.trim_start_matches("man1/").trim_end_matches(".1");
        assert!(text.contains(&format!(".TH {name} 1")), "{page}: {text}");
    }
    let page = bench.run(&["man", "edit", "rename"]).stdout;
    assert_eq!(page.as_bytes(), bench.read("man1/meshwright-edit-rename.1"));
    assert!(page.contains("Rename an object and all references to it"), "{page}");
    assert_eq!(bench.run(&["man", "edit", "nothing"]).code, Some(2));
}

#[test]
fn changes_of_edit_have_help() {
    let bench = Bench::empty();
    let run = bench.run(&["help", "edit", "rename"]);
    assert_eq!((run.code, run.stdout), (Some(0), bench.run(&["edit", "rename", "--help"]).stdout));
    let run = bench.run(&["help", "edit", "renam"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("available: rename, retexture"), "{}", run.stderr);
}
