//! What `check` finds, repairs and leaves alone.

mod common;

use common::{Bench, Run};

fn bench() -> Bench {
    let bench = Bench::empty();
    bench.write("art/mwcrate.w3d", common::miscounted());
    bench.write("art/mwcrate.tga", b"");
    bench
}

/// Runs it and compares the exit code.
fn run(bench: &Bench, words: &[&str], code: i32) -> Run {
    let run = bench.run(&[&["check"], words].concat());
    assert_eq!(run.code, Some(code), "{words:?}: {}{}", run.stdout, run.stderr);
    run
}

#[test]
fn exit_codes_and_levels() {
    let bench = bench();
    bench.write("good/mwcrate.w3d", w3d::sample::crate_box());
    bench.write("good/mwcrate.tga", b"");
    bench.write("garbage.bin", b"nothing of ours");
    run(&bench, &["good"], 0);
    let found = run(&bench, &["art"], 1);
    assert!(found.stdout.starts_with("art/mwcrate.w3d: error[W3D-HIER-001] at byte "), "{}", found.stdout);
    run(&bench, &["art", "garbage.bin"], 3);
    run(&bench, &["missing.w3d"], 3);
    assert_eq!(run(&bench, &["art", "--allow", "W3D-HIER-001"], 0).stdout, "");
    assert!(run(&bench, &["art", "--warn", "W3D-HIER"], 0).stdout.contains(": warning[W3D-HIER-001]"));
    // The more exact of two counts, wherever it stands.
    run(&bench, &["art", "--allow", "W3D-HIER-001", "--deny", "all"], 0);
    run(&bench, &["art", "--deny", "W3D-HIER-001", "--allow", "all"], 1);
    run(&bench, &["art", "--max-findings", "0"], 1);
    run(&bench, &[], 2);
    run(&bench, &["--list", "art"], 2);
    assert!(run(&bench, &["--list"], 0).stdout.contains("\nW3D-HIER-001 "));
    assert!(run(&bench, &["--explain", "W3D-HIER-001"], 0).stdout.starts_with("W3D-HIER-001 (error): "));
}

#[test]
fn a_repaired_file_is_clean_and_stays_as_it_is() {
    let bench = bench();
    let before = bench.read("art/mwcrate.w3d");
    let dry = run(&bench, &["art", "--fix", "--dry-run"], 1);
    assert!(dry.stdout.contains("would fix[W3D-HIER-001]"), "{}", dry.stdout);
    assert_eq!(bench.read("art/mwcrate.w3d"), before);

    // What is off is not repaired.
    run(&bench, &["art", "--fix", "--allow", "W3D-HIER-001"], 0);
    run(&bench, &["art", "--fix", "--allow", "all"], 0);
    assert_eq!(bench.read("art/mwcrate.w3d"), before);

    let fixed = run(&bench, &["art", "--fix"], 0);
    assert!(fixed.stdout.contains("number of pivots 1 -> 3"), "{}", fixed.stdout);
    assert_eq!(bench.read("art/mwcrate.w3d"), w3d::sample::crate_box());
    assert_eq!(bench.files(), ["art/mwcrate.tga", "art/mwcrate.w3d"]);

    let written = || std::fs::metadata(bench.path("art/mwcrate.w3d")).and_then(|data| data.modified()).ok();
    let first = written();
    assert_eq!(run(&bench, &["art", "--fix=all"], 0).stdout, "");
    assert_eq!(written(), first, "a file without changes is not written");
}

/// Repairing what is cut off, or as far as that goes, comes to an end.
#[test]
fn repairing_twice_is_repairing_once() {
    let bench = Bench::with_mdx();
    bench.write("cut/mwcrate.w3d", common::damaged());
    bench.write("faulty/mwcrate.w3d", common::faulty());
    bench.write("changed/mwcrate.w3d", common::changed());
    bench.run(&["check", "--fix=all", "."]);
    let names = bench.files();
    let once: Vec<_> = names.iter().map(|name| bench.read(name)).collect();
    let again = bench.run(&["check", "--fix=all", "."]);
    assert!(!again.stdout.contains("fixed["), "{}", again.stdout);
    let twice: Vec<_> = names.iter().map(|name| bench.read(name)).collect();
    assert!(once == twice && bench.files() == names);
}

#[test]
fn the_text_form_is_repaired_as_text() {
    let bench = bench();
    assert_eq!(bench.run(&["convert", "art/mwcrate.w3d", "mwcrate.json"]).code, Some(0));
    run(&bench, &["--fix", "--no-surroundings", "mwcrate.json"], 0);
    assert_eq!(bench.run(&["convert", "mwcrate.json", "again.w3d"]).code, Some(0));
    assert_eq!(bench.read("again.w3d"), w3d::sample::crate_box());
}

#[test]
fn settings_are_found_upwards() {
    let bench = bench();
    bench.write("meshwright.toml", "[check]\nprofile = 'bfme2'\nallow = ['W3D-HIER-001']\n");
    let quiet = run(&bench, &["-v", "art/mwcrate.w3d"], 0);
    assert!(quiet.stdout.contains("art/mwcrate.w3d: checked for bfme2\n"), "{}", quiet.stdout);
    // The command line counts more.
    run(&bench, &["art", "--deny", "W3D-HIER-001"], 1);
    let renegade = run(&bench, &["-v", "art", "--profile", "renegade"], 0);
    assert!(renegade.stdout.contains("checked for renegade\n"), "{}", renegade.stdout);
    // The nearest counts.
    bench.write("art/meshwright.toml", "");
    run(&bench, &["art"], 1);
    bench.write("art/meshwright.toml", "[check]\nprofile = 'zero'\n");
    let wrong = run(&bench, &["art"], 2);
    assert!(wrong.stderr.contains("meshwright.toml: no profile \"zero\""), "{}", wrong.stderr);
}

#[test]
fn what_lies_around_counts() {
    let bench = Bench::empty();
    bench.write("art/w3d/mwcrate.w3d", common::lid());
    let skeleton = "[W3D-FILES-001]";
    let found = run(&bench, &["--warn", "W3D-FILES", "art"], 0);
    assert!(found.stdout.contains(skeleton), "{}", found.stdout);
    let alone = run(&bench, &["--warn", "W3D-FILES", "--no-surroundings", "art"], 0);
    assert!(!alone.stdout.contains("[W3D-FILES"), "{}", alone.stdout);
    let piped = bench.run_with(&["check", "-"], &common::lid());
    assert!(!String::from_utf8_lossy(&piped.stdout).contains("[W3D-FILES"));
    // Below a folder that is named everything is seen; of a file that is named, what is beside it.
    bench.write("art/skeletons/mwcrate_skl.w3d", w3d::sample::crate_box());
    let below = run(&bench, &["--warn", "W3D-FILES", "art"], 0);
    assert!(!below.stdout.contains(skeleton), "{}", below.stdout);
    let beside = run(&bench, &["--warn", "W3D-FILES", "art/w3d/mwcrate.w3d"], 0);
    assert!(beside.stdout.contains(skeleton), "{}", beside.stdout);
    // Only files of one folder are in each other's way.
    let duplicate = "\"MWCRATE.LID\" is defined by ";
    assert!(!below.stdout.contains(duplicate), "{}", below.stdout);
    bench.write("art/w3d/copy.w3d", common::lid());
    assert!(run(&bench, &["art", "art/w3d"], 0).stdout.contains(duplicate));
}

#[test]
fn files_at_once_or_one_by_one_give_the_same() {
    let bench = Bench::with_mdx();
    for at in 0..20 {
        bench.write(&format!("{at}/mwcrate.w3d"), common::faulty());
    }
    let one = bench.run(&["check", ".", "-j", "1", "--format", "json"]);
    let many = bench.run(&["check", ".", "-j", "8", "--format", "json"]);
    assert_eq!(one.stdout, many.stdout);
    assert_eq!(one.stderr, many.stderr);
    let report: serde_json::Value = serde_json::from_str(&one.stdout).expect("it is JSON");
    let files = report["files"].as_array().expect("a list of files");
    assert!(files.len() > 20 && files.iter().all(|file| file["guessedBecause"].is_string()));
}

fn text_of(bench: &Bench) -> String {
    String::from_utf8(bench.read("box.mdl")).expect("text")
}

#[test]
fn text_is_shown_with_its_lines_and_kept_where_nothing_is_repaired() {
    let bench = Bench::empty();
    let text = "// mine\nVersion { FormatVersion 800, }\nModel \"Box\" {\n\tBlendTime 1.5e2,\n}\nHelper \"a\" { ObjectId 0, Parent 7, } // why 7?\n";
    bench.write("box.mdl", text.as_bytes());
    let found = run(&bench, &["box.mdl"], 1);
    assert!(
        found
            .stdout
            .contains("box.mdl:6:1: error[MDX-NODE-003] HELP[0]/Helper[0] \"a\": parent 7 is not there"),
        "{}",
        found.stdout
    );
    assert!(found.stdout.contains("6 | Helper \"a\" { ObjectId 0"), "{}", found.stdout);
    assert!(found.stdout.contains("| ^^^^^^^^^^\n"), "{}", found.stdout);
    assert!(found.stderr.contains("checked for wc3-classic, guessed: "), "{}", found.stderr);

    // The pivot that is missing is a block more; the rest of the text stays.
    run(&bench, &["box.mdl", "--fix=all"], 1);
    let pivots = "PivotPoints 1 {\n\t{ 0, 0, 0 },\n}";
    assert!(
        text_of(&bench).contains(pivots) && text_of(&bench).starts_with(text.trim_end()),
        "{}",
        text_of(&bench)
    );
    let more = text_of(&bench).replace("Parent 7, } // why 7?", "} // no parent") + "// the end\n";
    bench.write("box.mdl", more.replace("PivotPoints 1 {\n\t{ 0, 0, 0 },\n", "PivotPoints 0 {\n").as_bytes());
    run(&bench, &["box.mdl", "--fix"], 0);
    assert_eq!(text_of(&bench), more);

    // Mistakes in the text are findings with lines, not a file that cannot be read; and nothing is repaired then.
    bench.write("broken.mdl", b"Model \"a\" {\n\tBlendTime soon,\n}\nNonsense { }\n");
    let broken = run(&bench, &["broken.mdl", "--fix"], 1);
    assert!(
        broken.stdout.starts_with("broken.mdl:2:12: error[MDL-SYNTAX-001]: a number"),
        "{}",
        broken.stdout
    );
    assert!(broken.stdout.contains("broken.mdl:4:1: warning[MDL-WORD-001]"), "{}", broken.stdout);
    run(&bench, &["broken.mdl", "--allow", "MDL"], 0);
    let annotations = run(&bench, &["broken.mdl", "--format", "github"], 1).stdout;
    assert!(
        annotations.starts_with("::error file=broken.mdl,line=2,col=12,title=MDL-SYNTAX-001::"),
        "{annotations}"
    );
    run(&bench, &["--as", "mdl", "broken.mdl"], 1);
}

#[test]
fn a_code_that_nobody_has_is_told_with_the_nearest() {
    let bench = Bench::empty();
    assert!(run(&bench, &["--explain", "w3d-mehs-5"], 2).stderr.contains("did you mean W3D-MESH-005?"));
    assert!(run(&bench, &[".", "--deny", "MDX-TRAK"], 2).stderr.contains("did you mean MDX-TRACK-"));
    let subject = run(&bench, &["--explain", "MDX-CAMS"], 0).stdout;
    assert!(subject.contains("\nMDX-CAMS-001 ") && !subject.contains("MDX-CLID"), "{subject}");
}

#[test]
fn of_many_findings_of_a_rule_the_first_few_are_shown() {
    let bench = Bench::empty();
    let helpers: String =
        (0..9).map(|at| format!("Helper \"{at}\" {{ ObjectId {at}, Parent 77, }}\n")).collect();
    bench.write("many.mdl", format!("Version {{ FormatVersion 800, }}\n{helpers}").as_bytes());
    let shown = |words: &[&str]| {
        let run = run(&bench, &[&["many.mdl"], words].concat(), 1);
        (run.stdout.matches("error[MDX-NODE-003]").count(), run.stdout.contains("and 6 more of MDX-NODE-003"))
    };
    assert_eq!(shown(&[]), (3, true));
    assert_eq!(shown(&["--verbose"]), (9, false));
    assert_eq!(shown(&["--max-findings", "99"]), (9, false));
}

#[test]
fn the_game_is_guessed_once_per_folder() {
    let bench = Bench::empty();
    let mut file = w3d::W3d::parse(&w3d::sample::crate_box()).expect("the sample").into_owned();
    bench.write("mod/plain.w3d", file.to_bytes().expect("bytes"));
    bench.write("other/plain.w3d", file.to_bytes().expect("bytes"));
    let header = file.root.find_mut("MESH/MESH_HEADER3").expect("a header");
    header.value_mut::<w3d::records::MeshHeader3>().expect("a header").attributes =
        w3d::names::MeshFlags::COLLISION_USER1;
    bench.write("mod/extended.w3d", file.to_bytes().expect("bytes"));
    let run = bench.run(&["check", ".", "-v", "--no-surroundings"]);
    let games = |path: &str, game: &str| {
        assert!(run.stdout.contains(&format!("{path}: checked for {game}, guessed: ")), "{}", run.stdout);
    };
    games("mod/plain.w3d", "tt4");
    games("mod/extended.w3d", "tt4");
    games("other/plain.w3d", "zero-hour");
}
