//! What `info --json` prints is as `docs/info.schema.json` says.

mod common;

use common::Bench;
use serde_json::Value;

#[test]
fn info_follows_its_schema() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../docs/info.schema.json")).expect("it is JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("it is a schema");
    for (bench, words) in [
        (Bench::with_fixtures(), &["info", "--json", ".", "garbage.bin", "missing.w3d"][..]),
        (Bench::with_mdx(), &["info", "--json", "."]),
        (Bench::with_parts(), &["info", "--json", ".", "--textures", "art"]),
    ] {
        bench.write("every-chunk.w3d", w3d::sample::every_chunk());
        let run = bench.run(words);
        let printed: Value = serde_json::from_str(&run.stdout).expect("it prints JSON");
        assert!(printed["files"].as_array().is_some_and(|files| files.len() > 3), "{words:?}");
        let wrong: Vec<String> = validator
            .iter_errors(&printed)
            .map(|error| format!("{}: {error}", error.instance_path))
            .collect();
        assert_eq!(wrong, [""; 0], "{words:?}");
    }
    assert!(!validator.is_valid(&serde_json::json!({ "schema": "meshwright-info-1", "files": [{}] })));
}
