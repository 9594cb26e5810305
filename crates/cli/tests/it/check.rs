//! What `check` finds, repairs and leaves alone.

use crate::common::{self, Bench, Run};
use meshwright::{mdx, record, w3d};

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

/// `check --fix | head` repairs all files, not only those whose findings were read.
#[test]
fn a_reader_that_leaves_does_not_stop_repairs() {
    let bench = Bench::empty();
    let faulty = crate::common::faulty();
    let names: Vec<String> =
        (0..1500).map(|index| format!("many/a_long_name_of_a_file_{index}.w3d")).collect();
    names.iter().for_each(|name| bench.write(name, &faulty));
    let words = ["check", "many", "--fix", "--allow", "W3D-FILES", "--allow", "W3D-FILE"];
    let mut child = bench
        .command(&words)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    child.wait().expect("the program ends");
    let left = names.iter().filter(|name| bench.read(name) == faulty).count();
    assert_eq!(left, 0, "files were not repaired");
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
    assert!(wrong.stderr.contains("meshwright.toml: unknown profile \"zero\""), "{}", wrong.stderr);
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
    let duplicate = " are defined by several files (copy.w3d, mwcrate.w3d): ";
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
        found.stdout.contains(
            "box.mdl:6:1: error[MDX-NODE-003] HELP[0]/Helper[0] \"a\": the parent 7 does not exist"
        ),
        "{}",
        found.stdout
    );
    assert!(found.stdout.contains("6 | Helper \"a\" { ObjectId 0"), "{}", found.stdout);
    assert!(found.stdout.contains("| ^^^^^^^^^^\n"), "{}", found.stdout);
    assert!(found.stderr.contains("checked for wc3-classic (guessed: "), "{}", found.stderr);

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
        broken.stdout.starts_with("broken.mdl:2:12: error[MDL-SYNTAX-001]: expected a number"),
        "{}",
        broken.stdout
    );
    assert!(broken.stdout.contains("broken.mdl:4:1: warning[MDL-WORD-001]"), "{}", broken.stdout);
    run(&bench, &["broken.mdl", "--allow", "MDL"], 0);
    let annotations = run(&bench, &["broken.mdl", "--format", "github"], 1).stdout;
    assert!(
        annotations
            .starts_with("::error file=broken.mdl,line=2,col=12,title=MDL-SYNTAX-001%3A unexpected text::"),
        "{annotations}"
    );
    run(&bench, &["--as", "mdl", "broken.mdl"], 1);
}

#[test]
fn a_code_that_nobody_has_is_told_with_the_nearest() {
    let bench = Bench::empty();
    assert!(run(&bench, &["--explain", "w3d-mehs-5"], 2).stderr.contains("did you mean W3D-MESH-005"));
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
        assert!(run.stdout.contains(&format!("{path}: checked for {game} (guessed: ")), "{}", run.stdout);
    };
    games("mod/plain.w3d", "tt4");
    games("mod/extended.w3d", "tt4");
    games("other/plain.w3d", "zero-hour");
}

/// The exit codes that scripts and continuous integration rely on.
#[test]
fn exit_codes_are_0_fine_1_findings_2_usage_3_unreadable() {
    let bench = bench();
    bench.write("good/mwcrate.w3d", w3d::sample::crate_box());
    bench.write("good/mwcrate.tga", b"");
    run(&bench, &["good/mwcrate.w3d"], 0);
    run(&bench, &["--explain", "W3D-MESH-005"], 0);
    run(&bench, &["art/mwcrate.w3d"], 1);
    run(&bench, &["good", "--no-such-option"], 2);
    run(&bench, &["good", "--deny", "W3D-NOTHING"], 2);
    run(&bench, &["good", "missing.w3d"], 3);
    bench.write("garbage.bin", b"nothing of ours");
    // What cannot be read is worse than what is wrong.
    run(&bench, &["art/mwcrate.w3d", "garbage.bin"], 3);
    for format in ["json", "sarif", "github"] {
        run(&bench, &["good", "--format", format], 0);
        run(&bench, &["art", "--format", format], 1);
        run(&bench, &["missing.w3d", "--format", format], 3);
    }
}

/// The crate with a sort level that is too large, which is a warning, and bytes after a name, which are an info.
fn with_warning() -> Vec<u8> {
    let bytes = w3d::sample::crate_box();
    let mut file = w3d::W3d::parse(&bytes).expect("the sample");
    let header = file
        .root
        .find_mut("MESH/MESH_HEADER3")
        .and_then(|node| node.value_mut::<w3d::records::MeshHeader3>());
    let header = header.expect("a header");
    header.sort_level.set(99);
    header.mesh_name.0[15] = 0xCD;
    file.to_bytes().expect("bytes")
}

#[test]
fn infos_are_counted_and_warnings_can_be_denied() {
    let bench = Bench::empty();
    bench.write("mwcrate.w3d", with_warning());
    bench.write("mwcrate.tga", b"");
    let plain = run(&bench, &["mwcrate.w3d"], 0);
    assert!(
        plain.stdout.contains("warning[W3D-MAT-010]") && !plain.stdout.contains("W3D-NAME-002"),
        "{}",
        plain.stdout
    );
    assert!(plain.stderr.contains("\n1 info not shown (--severity hint shows all)\n"), "{}", plain.stderr);
    assert!(plain.stderr.ends_with("1 file: no errors, 1 warning, 1 info\n"), "{}", plain.stderr);
    let all = run(&bench, &["mwcrate.w3d", "--severity", "info"], 0);
    assert!(all.stdout.contains("info[W3D-NAME-002]") && !all.stderr.contains("not shown"), "{}", all.stdout);
    let errors = run(&bench, &["mwcrate.w3d", "--severity", "error"], 0);
    assert_eq!(errors.stdout, "");
    let denied = run(&bench, &["mwcrate.w3d", "--deny", "warnings"], 1);
    assert!(denied.stdout.contains("error[W3D-MAT-010]"), "{}", denied.stdout);
    run(&bench, &["mwcrate.w3d", "--deny", "warnings", "--allow", "W3D-MAT-010"], 0);
    bench.write("meshwright.toml", "[check]\ndeny = ['warnings']\n");
    run(&bench, &["mwcrate.w3d"], 1);
    let json = run(&bench, &["mwcrate.w3d", "--format", "json"], 1).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["summary"]["infos"], 1);
    assert_eq!(json["files"][0]["findings"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_baseline_silences_what_is_known() {
    let bench = Bench::empty();
    bench.write("mod/art/mwcrate.w3d", common::miscounted());
    let written = run(&bench, &["mod", "--write-baseline=mod/meshwright-baseline.tsv"], 0);
    assert!(
        written.stderr.contains("known findings written to mod/meshwright-baseline.tsv\n"),
        "{}",
        written.stderr
    );
    let list = String::from_utf8(bench.read("mod/meshwright-baseline.tsv")).expect("text");
    assert!(list.contains("W3D-HIER-001\tart/mwcrate.w3d\tHIERARCHY[0] \"MWCRATE\"\t"), "{list}");
    assert!(list.contains("W3D-FILES-002\t*\t\tneither mwcrate.dds nor mwcrate.tga was found\n"), "{list}");
    let quiet = run(&bench, &["mod"], 0);
    assert_eq!(quiet.stdout, "");
    assert!(quiet.stderr.contains("known findings in the baseline"), "{}", quiet.stderr);
    // A texture that is missing is missing for every model; other findings are about one file.
    bench.write("mod/art/other/mwcrate.w3d", common::miscounted());
    let new = run(&bench, &["mod/art/other"], 1);
    assert!(new.stdout.contains("W3D-HIER-001") && !new.stdout.contains("W3D-FILES-002"), "{}", new.stdout);
    // The list may be anywhere.
    bench.write("known.tsv", list.replace("art/mwcrate.w3d", "mod/art/other/mwcrate.w3d"));
    run(&bench, &["mod/art/other", "--baseline", "known.tsv"], 0);
    // A project may only name one of its own files.
    bench.write("mod/art/other/meshwright.toml", "[check]\nbaseline = '../../../known.tsv'\n");
    run(&bench, &["mod/art/other"], 2);
    bench.write("mod/art/other/known.tsv", list.replace("art/mwcrate.w3d", "mwcrate.w3d"));
    bench.write("mod/art/other/meshwright.toml", "[check]\nbaseline = 'known.tsv'\n");
    run(&bench, &["mod/art/other"], 0);
    run(&bench, &["mod", "--baseline", "missing.tsv"], 2);
    // Without a name it is the list that applies, or a new one in the current folder.
    run(&bench, &["mod/art/mwcrate.w3d", "--write-baseline"], 0);
    run(&bench, &["mod/art/mwcrate.w3d"], 0);
    let other = Bench::empty();
    other.write("mwcrate.w3d", common::miscounted());
    run(&other, &["mwcrate.w3d", "--write-baseline"], 0);
    assert!(!other.read("meshwright-baseline.tsv").is_empty());
    run(&other, &["mwcrate.w3d"], 0);
}

#[test]
fn a_project_names_its_textures_and_its_game() {
    let bench = Bench::empty();
    bench.write("mod/models/mwcrate.w3d", w3d::sample::crate_box());
    bench.write("pictures/deep/mwcrate.tga", b"");
    let missing =
        |bench: &Bench| run(bench, &["mod/models/mwcrate.w3d"], 0).stdout.contains("[W3D-FILES-002]");
    assert!(missing(&bench));
    bench.write("mod/meshwright.toml", "[check]\ntextures = ['../pictures']\n");
    assert!(!missing(&bench));
    bench.write("game/art/textures/mwcrate.dds", b"");
    bench.write("mod/meshwright.toml", "[check]\ngame = '../game'\n");
    assert!(!missing(&bench));
    bench.write("mod/meshwright.toml", "[check]\ntextures = 'nowhere'\n");
    let wrong = run(&bench, &["mod/models/mwcrate.w3d"], 3);
    assert!(wrong.stderr.contains("cannot search for textures: no such folder"), "{}", wrong.stderr);
}

/// A model in MDX with one texture path.
fn textured(path: &str) -> Vec<u8> {
    let (_, bytes) = mdx::build::samples().swap_remove(0);
    let mut document = mdx::Document::parse(&bytes).expect("the sample");
    let textures = document.root.find_mut("TEXS").expect("textures");
    textures.values_mut::<mdx::records::Texture>()[0].path = record::Chars::new(path).expect("short");
    document.to_bytes().expect("bytes")
}

#[test]
fn texture_roots_are_found_from_the_path_of_a_single_file() {
    let bench = Bench::empty();
    // BFME: art/w3d/xx, art/compiledtextures/xx. Generals: Art/W3D, Art/Textures.
    bench.write("bfme/art/w3d/mw/mwcrate.w3d", w3d::sample::crate_box());
    bench.write("bfme/art/compiledtextures/mw/mwcrate.dds", b"");
    bench.write("zh/Art/W3D/mwcrate.w3d", w3d::sample::crate_box());
    bench.write("zh/Art/Textures/MWCrate.tga", b"");
    for model in ["bfme/art/w3d/mw/mwcrate.w3d", "zh/Art/W3D/mwcrate.w3d"] {
        let found = run(&bench, &[model], 0);
        assert!(!found.stdout.contains("[W3D-FILES-002]"), "{}", found.stdout);
    }
    // A map: paths start at its root, which imported files show.
    let files = |bench: &Bench, model: &str| {
        let found = run(bench, &[model, "--severity", "info", "--allow", "MDX-FILES-002"], 0).stdout;
        let codes = ["MDX-FILES-001", "MDX-FILES-003"].map(|code| found.contains(&format!("[{code}]")));
        (codes[0], codes[1])
    };
    bench.write("map/war3mapImported/wood.blp", b"");
    bench.write("map/war3mapImported/a.mdx", textured("war3mapImported\\wood.blp"));
    bench.write("map/models/deep/b.mdx", textured("war3mapImported\\wood.blp"));
    bench.write("map/models/deep/c.mdx", textured("Textures\\wood.blp"));
    bench.write("map/models/deep/d.mdx", textured("nowhere\\stone.blp"));
    assert_eq!(files(&bench, "map/war3mapImported/a.mdx"), (false, false));
    assert_eq!(files(&bench, "map/models/deep/b.mdx"), (false, false));
    assert_eq!(files(&bench, "map/models/deep/d.mdx"), (true, false));
    // The game needs the exact path.
    bench.write("map/models/deep/wood.blp", b"");
    assert_eq!(files(&bench, "map/models/deep/c.mdx"), (false, true));
}

#[test]
fn a_git_lfs_pointer_is_named_by_every_verb() {
    let bench = Bench::empty();
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    for name in ["p.w3d", "p.mdx", "p.mdl", "p.json", "p.big", "p.mpq", "p.tga", "p.blp"] {
        bench.write(name, pointer);
    }
    let verbs: [&[&str]; 16] = [
        &["info", "p.w3d"],
        &["info", "--as", "w3d", "p.w3d"],
        &["tree", "p.mdx"],
        &["verify", "p.mdl"],
        &["check", "p.mdl"],
        &["check", "--as", "mdl", "p.mdl"],
        &["convert", "p.w3d", "out.glb"],
        &["convert", "p.json", "out.w3d"],
        &["convert", "p.tga", "out.png"],
        &["convert", "p.blp", "out.png"],
        &["diff", "p.w3d", "p.mdx"],
        &["edit", "scale", "2", "p.w3d", "--in-place"],
        &["edit", "strip", "unknown", "p.mdx", "--in-place"],
        &["ls", "p.big"],
        &["extract", "p.mpq", "--out-dir", "out"],
        &["check", "p.big"],
    ];
    for words in verbs {
        let run = bench.run(words);
        assert_eq!(run.code, Some(3), "{words:?}: {}{}", run.stdout, run.stderr);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(
            said.contains("a Git LFS pointer") && said.contains("run `git lfs pull`"),
            "{words:?}: {said}"
        );
    }
    let folder = bench.run(&["check", "."]);
    assert!(folder.stderr.contains("p.w3d: a Git LFS pointer"), "{}", folder.stderr);
}

#[test]
fn files_that_only_have_the_name_of_a_model_are_skipped_in_folders() {
    let bench = Bench::empty();
    bench.write("map/mwcrate.w3d", w3d::sample::crate_box());
    bench.write("map/mwcrate.tga", b"");
    bench.write("map/war3map.w3d", [1, 0, 0, 0, 0, 0, 0, 0]);
    bench.write("map/web.w3d", *b"IFX\0 a Shockwave film");
    bench.write("map/headcrab.mdl", *b"IDST\x0a\0\0\0");
    let plain = run(&bench, &["map"], 0);
    assert!(plain.stderr.ends_with("1 file: no errors, no warnings\n"), "{}", plain.stderr);
    assert!(!plain.stderr.contains("skipped"), "{}", plain.stderr);
    let told = run(&bench, &["map", "-v"], 0).stderr;
    for (file, what) in [
        ("war3map.w3d", "map data of Warcraft III"),
        ("web.w3d", "a Shockwave 3D file"),
        ("headcrab.mdl", "a model of Half-Life or the Source engine"),
    ] {
        assert!(told.contains(&format!("skipped map/{file}: {what}")), "{told}");
    }
    // One that is named is an error.
    run(&bench, &["map/headcrab.mdl"], 3);
    assert_eq!(bench.run(&["verify", "map"]).code, Some(0));
}

/// Findings are printed as they are found: what they need does not grow with the number of files.
#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_number_of_files() {
    let bench = Bench::empty();
    let helpers: String =
        (0..200).map(|at| format!("Helper \"{at}\" {{ ObjectId {at}, Parent 7777, }}\n")).collect();
    let text = format!("Version {{ FormatVersion 800, }}\n{helpers}");
    for at in 0..400 {
        bench.write(&format!("{at}.mdl"), text.as_bytes());
    }
    for format in ["json", "sarif"] {
        let (run, peak) = bench.run_measured(&["check", ".", "--format", format, "-j", "2"]);
        let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert!(run.stdout.matches("MDX-NODE-003").count() >= 80_000, "{}", json["summary"]);
        // The findings of all files together take more than 100 MB.
        assert!(peak < 60_000, "{format}: {peak} kB");
    }
}

/// A text of one long line with many findings, and one with many blocks, take time and memory in proportion.
#[test]
#[cfg(target_os = "linux")]
fn long_lines_and_many_blocks_of_text_are_no_problem() {
    let bench = Bench::empty();
    let bones: String =
        (0..6000).map(|at| format!("Bone \"{at}\" {{ ObjectId {at}, Parent 99999, }} ")).collect();
    bench.write("line.mdl", format!("Version {{ FormatVersion 800, }} {bones}").as_bytes());
    let start = std::time::Instant::now();
    let (found, peak) = bench.run_measured(&["check", "line.mdl", "--format", "json"]);
    assert_eq!(found.code, Some(1));
    assert!(found.stdout.matches("MDX-NODE-003").count() >= 6000);
    assert!(peak < 150_000, "{peak} kB");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn info_and_check_guess_the_game_of_a_folder_by_its_files_and_its_place() {
    let bench = Bench::empty();
    bench.write("art/w3d/mw/mwcrate.w3d", w3d::sample::crate_box());
    bench.write("plain/mwcrate.w3d", w3d::sample::crate_box());
    for (folder, game) in [("art/w3d/mw", "bfme2"), ("plain", "zero-hour")] {
        let info = bench.run(&["info", "--json", folder]);
        let found: serde_json::Value = serde_json::from_str(&info.stdout).expect("JSON");
        assert_eq!(found["files"][0]["game"]["guess"], game, "{folder}");
        let check = bench.run(&["check", "-v", folder]);
        assert!(check.stdout.contains(&format!("checked for {game} (guessed: ")), "{}", check.stdout);
    }
}
