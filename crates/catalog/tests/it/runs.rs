//! Whole runs: every input has a row, however often a run is interrupted, divided or repeated.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use meshwright::w3d;
use meshwright_catalog::{
    CatalogOptions, Inputs, Observer, PartFormat, RunSummary, Shard, Table, Value, make_catalog,
};

use crate::support::{Bench, parts, place};

#[test]
fn every_input_has_a_row() {
    let bench = Bench::new();
    let summary = bench.make(&bench.options("catalog"));
    assert_eq!((summary.inputs, summary.scanned, summary.unreadable, summary.damaged), (8, 8, 1, 1));
    let text = |text: &str| Value::Text(text.to_owned());
    let expected = [
        ("damaged.w3d", "damaged"),
        ("empty.mdx", "unreadable"),
        ("game.big", "ok"),
        ("game.big/Art/W3D/MWCrate.w3d", "ok"),
        ("mwtank.w3d", "ok"),
        ("mwtower.mdx", "ok"),
        ("units/copy.W3D", "ok"),
        ("units/mwcrate.w3d", "ok"),
    ];
    assert_eq!(
        bench.column("catalog", "status"),
        expected.map(|(name, status)| (name.to_owned(), text(status)))
    );
    let formats = bench.column("catalog", "format");
    assert_eq!(formats[2].1, text("bigf"));
    assert_eq!(formats[4].1, text("w3d"));
    // The crate has two meshes, three bones and one clip; the texture lies beside the archive and the folder.
    let meshes: Vec<_> = bench.column("catalog", "meshes").into_iter().map(|(_, count)| count).collect();
    assert_eq!(meshes[7], Value::Int(2));
    let hashes = bench.column("catalog", "content_hash");
    assert_eq!(hashes[3].1, hashes[7].1);
    assert_eq!(hashes[6].1, hashes[7].1);
    assert_eq!(hashes[2].1, Value::Null, "archives are not read whole");
    assert_eq!(bench.rows("catalog", Table::Clips).len(), {
        let clips = bench.column("catalog", "clips");
        clips.iter().map(|(_, count)| count.int().unwrap()).sum::<i64>() as usize
    });
}

#[test]
fn rows_do_not_depend_on_workers_parts_or_shards() {
    let bench = Bench::new();
    bench.make(&bench.options("one"));
    let whole = bench.all("one");
    bench.make(&CatalogOptions { jobs: 7, part_size: 100, ..bench.options("two") });
    assert_eq!(bench.all("two"), whole);
    let mut inputs = 0;
    for number in 1..=3 {
        let shard = Shard { number, count: 3 };
        inputs += bench.make(&CatalogOptions { shard, ..bench.options("shards") }).inputs;
    }
    assert_eq!(inputs, 8);
    assert_eq!(bench.all("shards"), whole);
}

#[test]
fn both_formats_have_the_same_rows() {
    let bench = Bench::new();
    bench.make(&CatalogOptions { format: PartFormat::Ndjson, ..bench.options("lines") });
    bench.make(&CatalogOptions { format: PartFormat::default(), ..bench.options("default") });
    assert_eq!(bench.all("lines"), bench.all("default"));
}

/// Stops after some inputs, as Ctrl-C does.
struct StopAfter(AtomicU64, u64);

impl Observer for StopAfter {
    fn done(&self, inputs: u64) {
        self.0.fetch_add(inputs, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= self.1
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_after_its_last_part() {
    let bench = Bench::new();
    bench.make(&bench.options("whole"));
    let options = bench.options("stopped");
    let summary = bench.make_watched(&options, &StopAfter(0.into(), 4));
    assert!(summary.stopped);
    assert_eq!(parts(&bench.path("stopped")), 1, "one part of three inputs is complete");
    for table in Table::ALL {
        let files = fs::read_dir(bench.path("stopped").join(table.name())).unwrap().count();
        assert_eq!(files, 1, "{table:?} has no other file");
    }
    let summary = bench.make(&options);
    assert_eq!((summary.kept, summary.scanned, summary.stopped), (3, 5, false));
    assert_eq!(bench.all("stopped"), bench.all("whole"));
    let again = bench.make(&options);
    assert_eq!((again.kept, again.scanned), (8, 0));
}

#[test]
fn parts_of_other_inputs_are_replaced() {
    let bench = Bench::new();
    let options = bench.options("catalog");
    bench.make(&options);
    bench.write("art/aaa.w3d", w3d::sample::tank());
    fs::remove_file(bench.path("art/mwtower.mdx")).unwrap();
    bench.make(&options);
    bench.make(&bench.options("fresh"));
    assert_eq!(bench.all("catalog"), bench.all("fresh"));
    // A part that a killed process did not complete.
    let files = bench.path("catalog/files");
    let part = fs::read_dir(&files).unwrap().next().unwrap().unwrap().path();
    fs::remove_file(part).unwrap();
    let summary = bench.make(&options);
    assert!(summary.scanned > 0);
    assert_eq!(bench.all("catalog"), bench.all("fresh"));
}

#[test]
fn an_increment_has_what_is_new_changed_and_gone() {
    let bench = Bench::new();
    bench.make(&bench.options("catalog"));
    let since = |at: i64| CatalogOptions {
        since: Some(bench.path("catalog")),
        scanned_at: at,
        ..bench.options("catalog")
    };
    let nothing = bench.make(&since(2_000));
    assert_eq!((nothing.unchanged, nothing.scanned, nothing.gone), (8, 0, 0));
    bench.write("art/new.w3d", w3d::sample::crate_box());
    bench.write("art/mwtank.w3d", w3d::sample::crate_box());
    fs::remove_file(bench.path("art/mwtower.mdx")).unwrap();
    let some = bench.make(&since(3_000));
    assert_eq!((some.unchanged, some.scanned, some.gone), (6, 2, 1));
    let latest: Vec<_> = bench
        .rows("catalog", Table::Files)
        .into_iter()
        .filter(|row| row[1] == Value::Int(3_000))
        .map(|row| row[Table::Files.column("status").unwrap()].text().unwrap().to_owned())
        .collect();
    assert_eq!(latest.len(), 3);
    assert_eq!(latest.iter().filter(|status| *status == "gone").count(), 1);
    // The state of an increment is known to the next: the gone file is not gone again.
    let nothing = bench.make(&since(4_000));
    assert_eq!((nothing.unchanged, nothing.scanned, nothing.gone), (8, 0, 0));
    // By content: a new time alone is no change.
    bench.write("art/new.w3d", w3d::sample::crate_box());
    let by_hash = bench.make(&CatalogOptions { by_hash: true, ..since(5_000) });
    let archive = 1;
    assert_eq!((by_hash.unchanged, by_hash.scanned), (8 - archive, archive), "an archive is not hashed");
}

#[test]
fn an_increment_can_be_in_its_own_folder_and_sharded() {
    let bench = Bench::new();
    bench.make(&bench.options("old"));
    bench.write("art/new.w3d", w3d::sample::crate_box());
    let mut total = RunSummary::default();
    for number in 1..=2 {
        let shard = Shard { number, count: 2 };
        let options = CatalogOptions {
            since: Some(bench.path("old")),
            shard,
            scanned_at: 2_000,
            ..bench.options("increment")
        };
        let summary = bench.make(&options);
        total.scanned += summary.scanned;
        total.unchanged += summary.unchanged;
        total.gone += summary.gone;
    }
    assert_eq!((total.scanned, total.unchanged, total.gone), (1, 8, 0));
}

#[test]
fn wrong_folders_are_refused() {
    let bench = Bench::new();
    bench.make(&bench.options("catalog"));
    let shard = Shard { number: 1, count: 2 };
    let run = |options: &CatalogOptions| {
        let inputs = Inputs { paths: vec![bench.path("art")], list: None };
        make_catalog(inputs, options, &place, &()).unwrap_err().to_string()
    };
    let refused = run(&CatalogOptions { shard, ..bench.options("catalog") });
    assert!(refused.contains("parts of a run without shards"), "{refused}");
    let since = Some(bench.path("nothing"));
    let refused = run(&CatalogOptions { since, ..bench.options("other") });
    assert!(refused.contains("no catalog"), "{refused}");
}

#[test]
fn a_list_has_paths_and_etags() {
    let bench = Bench::new();
    let tank = bench.path("art/mwtank.w3d");
    let list =
        |etag: &str| format!("{}\t{etag}\n\n{}\n", tank.display(), bench.path("art/none.w3d").display());
    let run = |options: &CatalogOptions, etag: &str| {
        let list: Box<dyn std::io::BufRead + Send> = Box::new(std::io::Cursor::new(list(etag)));
        make_catalog(Inputs { paths: Vec::new(), list: Some(list) }, options, &place, &()).unwrap()
    };
    let summary = run(&bench.options("catalog"), "v1");
    assert_eq!((summary.inputs, summary.unreadable), (2, 1));
    let since =
        CatalogOptions { since: Some(bench.path("catalog")), scanned_at: 2_000, ..bench.options("catalog") };
    assert_eq!(run(&since, "v1").unchanged, 1);
    assert_eq!(run(&CatalogOptions { scanned_at: 3_000, ..since }, "v2").unchanged, 0);
}
