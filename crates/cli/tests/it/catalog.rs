//! `catalog`: tables over many models.

use std::fs;
#[cfg(unix)]
use std::time::{Duration, SystemTime};

use meshwright::{mdx, w3d};

use crate::common::Bench;

/// The formats of this build; tests of the whole workspace have Parquet.
fn bench() -> Bench {
    let bench = Bench::empty();
    bench.write("art/mwtank.w3d", w3d::sample::tank());
    bench.write("art/mwtower.mdx", mdx::build::watchtower());
    for index in 0..30 {
        bench.write(&format!("art/boxes/{index:02}.w3d"), w3d::sample::crate_box());
    }
    bench
}

/// The lines of a table of an NDJSON catalog, sorted.
fn lines(bench: &Bench, catalog: &str, table: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(bench.path(catalog).join(table)).expect("a table").flatten() {
        let text = fs::read_to_string(entry.path()).expect("a part");
        lines.extend(text.lines().map(str::to_owned));
    }
    lines.sort();
    lines
}

const TABLES: [&str; 8] = ["files", "meshes", "materials", "textures", "bones", "clips", "needs", "findings"];

fn run(bench: &Bench, words: &[&str]) -> crate::common::Run {
    let mut command = bench.command(&["catalog", "--format", "ndjson"]);
    command.args(words).env("SOURCE_DATE_EPOCH", "1000").output().expect("the program starts").into()
}

#[test]
fn a_catalog_has_a_row_for_each_file_and_says_what_it_did() {
    let bench = bench();
    let made = run(&bench, &["art", "-o", "catalog"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert!(made.stderr.contains("32 files, 32 scanned"), "{}", made.stderr);
    let files = lines(&bench, "catalog", "files");
    assert_eq!(files.len(), 32);
    let tank = files.iter().find(|line| line.contains("mwtank.w3d")).expect("the tank");
    let row: serde_json::Value = serde_json::from_str(tank).expect("JSON");
    assert_eq!((row["uri"].as_str(), row["status"].as_str()), (Some("art/mwtank.w3d"), Some("ok")));
    assert_eq!((row["scanned_at"].as_i64(), row["schema_version"].as_i64()), (Some(1_000_000), Some(1)));
    // The same numbers as `info`.
    let info = bench.run(&["info", "art/mwtank.w3d", "--json"]);
    let info: serde_json::Value = serde_json::from_str(&info.stdout).expect("JSON");
    for name in ["triangles", "vertices", "bones", "materials", "size"] {
        assert_eq!(row[name], info["files"][0][name], "{name}");
    }
    let again = run(&bench, &["art", "-o", "catalog"]);
    assert!(again.stderr.contains("0 scanned, 32 in parts that were there"), "{}", again.stderr);
}

#[test]
fn unreadable_inputs_have_rows_too() {
    let bench = bench();
    let made = run(&bench, &["art/mwtank.w3d", "none.w3d", "-o", "catalog"]);
    assert_eq!(made.code, Some(3));
    assert_eq!(made.stderr.matches("none.w3d").count(), 1, "it is said once: {}", made.stderr);
    assert_eq!(lines(&bench, "catalog", "files").len(), 2);
}

/// Two processes with shards, one of which is killed and started again, make the tables of one run.
#[cfg(unix)]
#[test]
fn a_killed_shard_is_started_again() {
    let bench = bench();
    run(&bench, &["art", "-o", "whole", "--part-size", "4"]);
    let words = |shard: &'static str| ["art", "-o", "shards", "--part-size", "4", "--shard", shard];
    assert_eq!(run(&bench, &words("1/2")).code, Some(0));
    let mut command = bench.command(&["catalog", "--format", "ndjson"]);
    let mut child = command.args(words("2/2")).env("SOURCE_DATE_EPOCH", "1000").spawn().expect("it starts");
    // Killed as soon as its first part is there, or after it ended: the result is the same.
    while child.try_wait().expect("a state").is_none() {
        let parts = fs::read_dir(bench.path("shards/files")).expect("a table").flatten();
        if parts.filter(|part| part.file_name().to_string_lossy().starts_with("part-00002")).count() > 0 {
            child.kill().expect("it can be killed");
        }
    }
    // Temporary files are removed when they are old enough: the process may live in another container.
    for file in bench.files().into_iter().filter(|file| file.ends_with(".part")) {
        let file = fs::File::options().write(true).open(bench.path(&file)).expect("a temporary file");
        file.set_modified(SystemTime::now() - Duration::from_secs(60)).expect("another time");
    }
    assert_eq!(run(&bench, &words("2/2")).code, Some(0));
    for table in TABLES {
        assert_eq!(lines(&bench, "shards", table), lines(&bench, "whole", table), "{table}");
    }
    let left = bench.files().into_iter().filter(|file| file.ends_with(".part"));
    assert_eq!(left.collect::<Vec<_>>(), Vec::<String>::new());
    let refused = run(&bench, &["art", "-o", "shards"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("parts of 2 shards"), "{}", refused.stderr);
}

#[test]
fn increments_and_lists() {
    let bench = bench();
    run(&bench, &["art", "-o", "catalog"]);
    bench.write("art/new.w3d", w3d::sample::tank());
    fs::remove_file(bench.path("art/boxes/07.w3d")).expect("removed");
    let made = bench.run(&["catalog", "--format", "ndjson", "art", "-o", "catalog", "--since", "catalog"]);
    assert!(made.stderr.contains("32 files, 1 scanned, 31 unchanged, 1 gone"), "{}", made.stderr);
    bench.write("list.txt", "art/mwtank.w3d\nart/mwtower.mdx\n");
    let made = run(&bench, &["--inputs", "list.txt", "-o", "listed"]);
    assert!(made.stderr.contains("2 files, 2 scanned"), "{}", made.stderr);
}
