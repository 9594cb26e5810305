//! Names of files: every name that a file system allows is kept, and names that collide stop nothing else.

#![cfg(target_os = "linux")]

use meshwright::w3d;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use crate::common::Bench;

/// Two names that are no UTF-8, and the same if the bytes are replaced.
const NOT_UTF8: [&[u8]; 2] = [b"\xff\xfe.w3d", b"\xff\xfd.w3d"];

fn write(bench: &Bench, name: &[u8]) {
    let path = bench.path("in").join(OsStr::from_bytes(name));
    std::fs::create_dir_all(bench.path("in")).expect("folders can be made");
    std::fs::write(path, w3d::sample::crate_box()).expect("Linux takes any name");
}

fn names_in(bench: &Bench, folder: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(bench.path(folder)).expect("the folder is there");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("it can be listed").file_name().as_bytes().to_vec()).collect();
    names.sort();
    names
}

#[test]
fn names_that_are_not_utf8_are_kept_and_look_different() {
    let bench = Bench::empty();
    NOT_UTF8.iter().for_each(|name| write(&bench, name));
    let run = bench.run(&["convert", "in", "--to", "json", "--out-dir", "out"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(names_in(&bench, "out"), [b"\xff\xfd.json", b"\xff\xfe.json"]);
    let run = bench.run(&["edit", "scale", "2", "in", "--out-dir", "scaled"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(names_in(&bench, "scaled"), [b"\xff\xfd.w3d", b"\xff\xfe.w3d"]);
    for arguments in [&["info", "in"][..], &["info", "--json", "in"], &["check", "-v", "in"], &["ls", "in"]] {
        let run = bench.run(arguments);
        let text = run.stdout.replace(r"\\", r"\");
        assert!(text.contains(r"\xff\xfd.w3d") && text.contains(r"\xff\xfe.w3d"), "{arguments:?}: {text}");
    }
}

#[test]
fn a_gallery_has_a_page_for_each_name() {
    let bench = Bench::empty();
    NOT_UTF8.iter().for_each(|name| write(&bench, name));
    write(&bench, b"<script>alert(1)<script>\x1b[2J\n\"'.w3d");
    let run = bench.run(&["gallery", "in", "--out-dir", "site", "--size", "32"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pages = names_in(&bench, "site/models");
    assert_eq!(pages.len(), 3, "{pages:?}");
    for page in pages {
        let path = bench.path("site/models").join(OsStr::from_bytes(&page));
        let page = std::fs::read_to_string(path).expect("a page is UTF-8");
        assert!(!page.contains("<script>") && !page.contains('\x1b'), "{page}");
    }
}

#[test]
fn names_that_differ_in_case_stop_no_other_file() {
    let bench = Bench::empty();
    for name in ["Tank.w3d", "tank.w3d", "other.w3d"] {
        write(&bench, name.as_bytes());
    }
    for (arguments, extension) in [
        (&["convert", "in", "--to", "json", "--out-dir", "out"][..], ".json"),
        (&["render", "in", "--size", "32x32", "--out-dir", "out"], ".png"),
        (&["edit", "scale", "2", "in", "--out-dir", "out"], ".w3d"),
    ] {
        let run = bench.run(arguments);
        assert_eq!(run.code, Some(3), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("in/tank.w3d: not written: "), "{}", run.stderr);
        assert!(run.stderr.contains("could overwrite the output of in/Tank.w3d"), "{}", run.stderr);
        assert_eq!(run.stderr.matches("error").count(), 1, "{}", run.stderr);
        assert!(bench.path(&format!("out/other{extension}")).is_file(), "{arguments:?}");
        assert_eq!(
            names_in(&bench, "out").iter().filter(|name| name.ends_with(extension.as_bytes())).count(),
            2
        );
    }
}

#[test]
fn a_name_may_be_as_long_as_the_file_system_allows() {
    let bench = Bench::empty();
    let name = "L".repeat(250);
    write(&bench, format!("{name}.w3d").as_bytes());
    for arguments in [
        &["convert", "in", "--to", "glb", "--out-dir", "out"][..],
        &["edit", "scale", "2", "in", "--in-place"],
        &["check", "in", "--fix"],
        &["gallery", "in", "--out-dir", "site", "--size", "32"],
    ] {
        let run = bench.run(arguments);
        assert!(matches!(run.code, Some(0 | 1)), "{arguments:?}: {}", run.stderr);
    }
    assert_eq!(names_in(&bench, "out"), [format!("{name}.glb").into_bytes()]);
}
