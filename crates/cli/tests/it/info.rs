//! `info` for people and for programs.

use crate::common::{Bench, faulty};
use meshwright::{mdx, w3d};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Number of findings of each severity that `check` reports for each file.
fn checked(bench: &Bench, words: &[&str]) -> Vec<(String, [usize; 4])> {
    let run = bench.run(&[&["check", "--format", "json", "--severity", "hint"], words].concat());
    let document = json(&run.stdout);
    let count = |file: &Value, severity: &str| {
        let findings = file["findings"].as_array().expect("a file has findings");
        findings.iter().filter(|finding| finding["severity"] == severity).count()
    };
    let severities = ["error", "warning", "info", "hint"];
    let files = document["files"].as_array().expect("there are files").iter();
    files
        .map(|file| (file["path"].as_str().expect("a path").to_owned(), severities.map(|it| count(file, it))))
        .collect()
}

/// The same as `info` counts it.
fn informed(bench: &Bench, words: &[&str]) -> Vec<(String, [usize; 4])> {
    let run = bench.run(&[&["info", "--json"], words].concat());
    let document = json(&run.stdout);
    let severities = ["error", "warning", "info", "hint"];
    let files = document["files"].as_array().expect("there are files").iter();
    let count = |file: &Value, severity: &str| file["findings"][severity].as_u64().expect("a count") as usize;
    files
        .map(|file| (file["file"].as_str().expect("a name").to_owned(), severities.map(|it| count(file, it))))
        .collect()
}

#[test]
fn info_counts_the_findings_of_check() {
    let bench = Bench::with_fixtures();
    bench.write("faulty.w3d", faulty());
    bench.write("text.mdl", "Version {\n\tFormatVersion 800,\n}\nModel \"Box\" {\n\tBlendTime 150,\n}\n");
    let files = ["changed.w3d", "damaged.w3d", "faulty.w3d", "lid.w3d", "mwcrate.w3d", "text.mdl"];
    for words in [&["."][..], &files, &["faulty.w3d"], &["lid.w3d"]] {
        // `check` leaves out the `./` before names.
        let strip = |found: Vec<(String, [usize; 4])>| -> Vec<(String, [usize; 4])> {
            found
                .into_iter()
                .map(|(file, counts)| (file.trim_start_matches("./").to_owned(), counts))
                .collect()
        };
        let found = strip(checked(&bench, words));
        assert_eq!(strip(informed(&bench, words)), found, "{words:?}");
        assert!(found.iter().any(|(_, counts)| counts.iter().sum::<usize>() > 0), "{words:?}: {found:?}");
    }
    let run = bench.run(&["info", "faulty.w3d"]);
    assert!(!run.stdout.contains("findings   none"), "{}", run.stdout);
    // A finding that depends on other files in the folder only.
    let twins = Bench::empty();
    for name in ["one/mwcrate.w3d", "one/twin.w3d"] {
        twins.write(name, w3d::sample::crate_box());
    }
    twins.write("one/mwcrate.tga", b"");
    let found = checked(&twins, &["one/mwcrate.w3d"]);
    assert_eq!(informed(&twins, &["one/mwcrate.w3d"]), found);
    assert!(found[0].1[1] > 0, "{found:?}");
    // Settings of the project apply to both.
    bench.write("meshwright.toml", "[check]\nallow = [\"all\"]\n");
    assert!(informed(&bench, &["."]).iter().all(|(_, counts)| *counts == [0; 4]));
}

#[test]
fn clips_have_their_interval_looping_speed_and_rarity() {
    let bench = Bench::empty();
    let samples = mdx::build::samples();
    let (_, bytes) = samples.iter().find(|(name, _)| *name == "warcraft-800").expect("there is a sample");
    bench.write("a.mdx", bytes);
    for change in ["start=333", "end=1667", "flags=NON_LOOPING", "move_speed=270", "rarity=4.5"] {
        let field = format!("SEQS.sequences[1].{change}");
        let run = bench.run(&["edit", "set", &field, "a.mdx", "--in-place"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let run = bench.run(&["info", "a.mdx"]);
    let clip = run.stdout.lines().find(|line| line.contains("Death")).expect("a clip");
    assert!(clip.ends_with("1.33 s (333 to 1667 ms), plays once, speed 270, rarity 4.5"), "{clip}");
    let clip = run.stdout.lines().find(|line| line.contains("Stand")).expect("a clip");
    assert!(clip.ends_with("ms), loops"), "{clip}");
    let document = json(&bench.run(&["info", "--json", "a.mdx"]).stdout);
    let clip = &document["files"][0]["clips"][1];
    assert_eq!(clip["interval"], serde_json::json!([333, 1667]));
    assert_eq!((&clip["looping"], &clip["speed"]), (&Value::from(false), &Value::from(270.0)));
    assert_eq!(clip["rarity"], Value::from(4.5));
}

#[test]
fn each_line_of_jsonl_is_a_document() {
    let bench = Bench::with_fixtures();
    let run = bench.run(&["info", "--jsonl", ".", "garbage.bin", "missing.w3d"]);
    assert_eq!(run.code, Some(3));
    let lines: Vec<Value> = run.stdout.lines().map(json).collect();
    let whole = json(&bench.run(&["info", "--json", ".", "garbage.bin", "missing.w3d"]).stdout);
    let list = |key: &str| whole[key].as_array().expect("a list").clone();
    let (files, unreadable) = (list("files"), list("unreadable"));
    assert_eq!((files.len(), unreadable.len()), (4, 2));
    assert_eq!(lines.len(), 6);
    assert!(files.iter().chain(&unreadable).all(|file| lines.contains(file)), "{}", run.stdout);
}

#[test]
fn csv_describes_each_file_and_each_that_cannot_be_read() {
    let bench = Bench::with_fixtures();
    bench.write("empty.w3d", b"");
    let run = bench.run(&["info", "--csv", "mwcrate.w3d", "empty.w3d", "garbage.bin"]);
    assert_eq!(run.code, Some(3));
    let mut lines = run.stdout.lines();
    let headings: Vec<&str> = lines.next().expect("headings").split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let cell = |row: usize, heading: &str| {
        let at =
            headings.iter().position(|known| *known == heading).unwrap_or_else(|| panic!("no {heading}"));
        rows[row][at]
    };
    assert_eq!(rows.len(), 3);
    for (heading, value) in [
        ("file", "mwcrate.w3d"),
        ("format", "w3d"),
        ("version", "mesh 4.2"),
        ("game", "zero-hour"),
        ("size", "4053"),
        ("models", "MWCRATE"),
        ("mesh_names", "MWCRATE.BODY|MWCRATE.LID"),
        ("vertices", "48"),
        ("triangles", "24"),
        ("materials", "2"),
        ("bones", "3"),
        ("clip_names", "MWCRATE.OPEN"),
        ("texture_names", "mwcrate.tga"),
        ("missing_textures", "mwcrate.tga"),
        ("min_x", "-0.5"),
        ("max_x", "0.5"),
        ("unreadable", ""),
    ] {
        assert_eq!(cell(0, heading), value, "{heading}");
    }
    assert_eq!(cell(0, "sha256").len(), 64);
    // The hash of no bytes at all, as every other tool computes it.
    assert_eq!(cell(1, "sha256"), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_eq!((cell(1, "meshes"), cell(1, "min_x")), ("0", ""));
    assert_eq!((cell(2, "file"), cell(2, "size")), ("garbage.bin", ""));
    assert!(rows[2].last().is_some_and(|reason| reason.contains("unknown format")), "{:?}", rows[2]);
}
