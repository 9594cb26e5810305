//! What `edit` changes, keeps and says.

use crate::common::{Bench, Run};
use meshwright::{record, w3d};

/// Runs it and compares the exit code.
fn run(bench: &Bench, words: &[&str], code: i32) -> Run {
    let run = bench.run(&[&["edit"], words].concat());
    assert_eq!(run.code, Some(code), "{words:?}: {}{}", run.stdout, run.stderr);
    run
}

const MDL: &str = "// by hand\r\nVersion { FormatVersion 800, }\r\nModel \"Box\" { BlendTime 1.5e2, }\r\nTextures 1 {\r\n\tBitmap { Image \"Textures\\Wood.blp\", } // oak\r\n}\r\nHelper \"h\" { ObjectId 0, }\r\nPivotPoints 1 { { 0.50, 1.00, -2e0 }, } // of h\r\n";

#[test]
fn text_keeps_comments_line_endings_and_numbers() {
    let bench = Bench::empty();
    bench.write("box.mdl", MDL.as_bytes());
    run(&bench, &["retexture", "textures/wood.BLP", "oak.blp", "box.mdl", "--in-place"], 0);
    let after = String::from_utf8(bench.read("box.mdl")).expect("text");
    assert_eq!(after, MDL.replace("Textures\\Wood.blp", "oak.blp"));
    run(&bench, &["rename", "bone", "h", "helper", "box.mdl", "--in-place"], 0);
    let after = String::from_utf8(bench.read("box.mdl")).expect("text");
    assert_eq!(after, MDL.replace("Textures\\Wood.blp", "oak.blp").replace("\"h\"", "\"helper\""));
    // The text has no extent, so there is none to move.
    run(&bench, &["translate", "0,1,0", "box.mdl", "--in-place"], 0);
    let after = String::from_utf8(bench.read("box.mdl")).expect("text");
    assert!(after.contains("PivotPoints 1 { { 0.50, 2, -2e0 }, } // of h\r\n"), "{after}");
    assert!(!after.contains("MinimumExtent"), "{after}");
    assert!(!after.replace("\r\n", "").contains('\n'), "{after}");
}

#[test]
fn a_name_that_does_not_occur_is_an_exit_code_of_its_own() {
    let bench = Bench::empty();
    bench.write("mwcrate.w3d", w3d::sample::crate_box());
    let missing = run(&bench, &["rename", "mesh", "LYD", "X", "mwcrate.w3d", "--in-place"], 1);
    assert!(missing.stderr.contains("did you mean"), "{}", missing.stderr);
    run(&bench, &["retexture", "nothing.tga", "x.tga", "mwcrate.w3d", "--in-place"], 1);
    run(&bench, &["rename", "mesh", "LID", "LID", "mwcrate.w3d", "--in-place"], 0);
    let empty = run(&bench, &["retexture", "mwcrate.tga", "", "mwcrate.w3d", "--in-place"], 2);
    assert!(empty.stderr.contains("the new path is empty"), "{}", empty.stderr);
    assert_eq!(bench.read("mwcrate.w3d"), w3d::sample::crate_box());
}

#[test]
fn files_that_a_change_is_not_about_are_unchanged() {
    let bench = Bench::with_mdx();
    bench.write("mwcrate.w3d", w3d::sample::crate_box());
    let done = run(&bench, &["strip", "unused-nodes", ".", "--out-dir", "out"], 0);
    assert!(done.stderr.contains(" 0 failed"), "{}", done.stderr);
}

#[test]
fn a_model_that_would_no_longer_fit_its_skeleton_is_refused() {
    let bench = Bench::empty();
    let mut skin = w3d::W3d::parse(&w3d::sample::crate_box()).expect("the sample").into_owned();
    let children = skin.root.children_mut().expect("chunks");
    let at = children.iter().position(|child| child.is(&w3d::table::HIERARCHY)).expect("a skeleton");
    let skeleton = w3d::W3d { root: record::Node::branch(&w3d::table::FILE, 0, vec![children.remove(at)]) };
    bench.write("skin.w3d", skin.to_bytes().expect("a file"));
    bench.write("skl.w3d", skeleton.to_bytes().expect("a file"));
    let refused = run(&bench, &["translate", "0,0,5", "skin.w3d", "--out-dir", "a"], 3);
    assert!(refused.stderr.contains("the model would no longer fit it"), "{}", refused.stderr);
    assert!(!bench.path("a/skin.w3d").exists(), "nothing is written");
    let told = run(&bench, &["translate", "0,0,5", "skin.w3d", "--out-dir", "a", "--force"], 0);
    assert!(
        told.stderr.contains("skeleton MWCRATE is in another file and was not changed"),
        "{}",
        told.stderr
    );
    let both = run(&bench, &["translate", "0,0,5", "skin.w3d", "--with", "skl.w3d", "--out-dir", "b"], 0);
    assert!(!both.stderr.contains("in another file"), "{}", both.stderr);
    assert_ne!(bench.read("b/skl.w3d"), bench.read("skl.w3d"));
}

#[test]
fn a_renamed_model_takes_its_animation_with_it_and_mentions_the_file() {
    let bench = Bench::empty();
    let mut file = w3d::W3d::parse(&w3d::sample::crate_box()).expect("the sample").into_owned();
    let header = file.root.find_mut("ANIMATION/ANIMATION_HEADER").expect("an animation");
    header.value_mut::<w3d::records::AnimationHeader>().expect("a header").name =
        record::Chars::new("MWCRATE").expect("short");
    bench.write("mwcrate.w3d", file.to_bytes().expect("a file"));
    let done = run(&bench, &["rename", "model", "MWCRATE", "OAK", "mwcrate.w3d", "--in-place"], 0);
    assert!(done.stderr.contains("also rename mwcrate.w3d"), "{}", done.stderr);
    let bytes = bench.read("mwcrate.w3d");
    assert!(!bytes.windows(7).any(|window| window == b"MWCRATE"), "the old name is still there");
}

/// What is suggested can be given as it is printed: backslashes of paths are not doubled.
#[test]
fn a_suggestion_can_be_pasted_back() {
    let bench = Bench::empty();
    bench.write("box.mdl", MDL.as_bytes());
    let missing = run(&bench, &["retexture", "Textures\\Wod.blp", "oak.blp", "box.mdl", "--in-place"], 1);
    let suggestion = missing.stderr.split("did you mean \"").nth(1).and_then(|rest| rest.split('"').next());
    assert_eq!(suggestion, Some("Textures\\Wood.blp"), "{}", missing.stderr);
    run(&bench, &["retexture", "Textures\\Wood.blp", "oak.blp", "box.mdl", "--in-place"], 0);
}

#[test]
fn a_comparison_starts_with_a_summary() {
    let bench = Bench::empty();
    let bytes = w3d::sample::crate_box();
    bench.write("before.w3d", &bytes);
    let mut file = w3d::W3d::parse(&bytes).expect("the crate").into_owned();
    let chunks = file.root.children_mut().expect("chunks");
    let lid = chunks
        .iter()
        .position(|chunk| chunk.label().is_some_and(|label| label.ends_with("LID")))
        .expect("a lid");
    chunks.remove(lid);
    bench.write("after.w3d", file.to_bytes().expect("bytes"));
    let run = bench.run(&["diff", "before.w3d", "after.w3d"]);
    let first = run.stdout.lines().next().unwrap_or_default();
    assert!(first.starts_with("-1 mesh, 24 to 12 triangles, 48 to 24 vertices"), "{}", run.stdout);
    let run = bench.run(&["diff", "after.w3d", "before.w3d"]);
    assert!(run.stdout.starts_with("+1 mesh, 12 to 24 triangles"), "{}", run.stdout);
}

#[test]
fn a_recipe_runs_all_its_steps_on_each_file_and_writes_it_once() {
    let bench = Bench::empty();
    bench.write("mwcrate.w3d", w3d::sample::crate_box());
    let recipe = "steps = [\n  \"rename mesh LID COVER\",\n  ['retexture', 'mwcrate.tga', 'oak plank.tga'],\n  \"remove mesh:COVER\",\n]\n";
    bench.write("recipe.toml", recipe.as_bytes());
    run(&bench, &["--script", "recipe.toml", "mwcrate.w3d", "--output", "done.w3d"], 0);
    // The same as the three changes one after the other.
    run(&bench, &["rename", "mesh", "LID", "COVER", "mwcrate.w3d", "--output", "one.w3d"], 0);
    run(&bench, &["retexture", "mwcrate.tga", "oak plank.tga", "one.w3d", "--in-place"], 0);
    run(&bench, &["remove", "mesh:COVER", "one.w3d", "--in-place"], 0);
    assert_eq!(bench.read("done.w3d"), bench.read("one.w3d"));
    assert_eq!(bench.read("mwcrate.w3d"), w3d::sample::crate_box());
}

#[test]
fn errors_of_recipes_name_the_step_and_its_line() {
    let bench = Bench::empty();
    bench.write("mwcrate.w3d", w3d::sample::crate_box());
    let cases = [
        ("steps = [\n  \"remove mesh:LID\",\n  \"wobble all\",\n]", 2, "recipe.toml:3, step 2"),
        ("steps = [\"remove\"]", 2, "recipe.toml:1, step 1"),
        ("steps = [\n\n  \"remove mesh:LID other.w3d\"]", 2, "recipe.toml:3, step 1"),
        ("steps = [\"remove 'mesh\"]", 2, "a quote is not closed"),
        ("steps = [\"--script recipe.toml\"]", 2, "another one"),
        ("step = []", 2, "recipe.toml:1"),
        // The first step is fine, the second cannot be made: nothing is written.
        ("steps = [\n  \"remove mesh:LID\",\n  \"keep mesh:NONE\",\n]", 3, "recipe.toml:3, step 2"),
    ];
    for (recipe, code, message) in cases {
        bench.write("recipe.toml", recipe.as_bytes());
        let failed = run(&bench, &["--script", "recipe.toml", "mwcrate.w3d", "--in-place"], code);
        assert!(failed.stderr.contains(message), "{recipe}: {}", failed.stderr);
        assert_eq!(bench.read("mwcrate.w3d"), w3d::sample::crate_box(), "{recipe}");
    }
}
