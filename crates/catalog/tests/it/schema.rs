//! The columns: documented, and never changed by accident.

use std::fs;
use std::path::Path;

use meshwright_catalog::{Table, schema_markdown};

/// `docs/catalog.md` has the columns; a golden file, because other programs depend on them.
#[test]
fn golden_schema_is_in_the_document() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/catalog.md");
    let text = fs::read_to_string(&path).unwrap();
    let (start, end) = ("<!-- columns -->\n", "<!-- end of columns -->");
    let before = text.find(start).expect("the start of the columns") + start.len();
    let after = text.find(end).expect("the end of the columns");
    let schema = schema_markdown();
    if std::env::var_os("MESHWRIGHT_BLESS").is_some() {
        fs::write(&path, format!("{}{schema}{}", &text[..before], &text[after..])).unwrap();
        return;
    }
    assert_eq!(&text[before..after], schema, "`cargo xtask bless` writes the columns into docs/catalog.md");
}

#[test]
fn every_table_starts_with_its_key() {
    for table in Table::ALL {
        let names: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
        assert_eq!(names[..2], ["file_id", "scanned_at"], "{table:?}");
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len(), "{table:?} has a column twice");
    }
}
