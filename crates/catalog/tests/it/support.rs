//! A folder of models, and catalogs of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use meshwright::archive::{self, Content, Kind, NewMember};
use meshwright::assets::Archives;
use meshwright::{Workspace, mdx, texture, w3d};
use meshwright_catalog::{
    CatalogOptions, Inputs, Observer, Place, Rows, RunSummary, Table, Value, make_catalog, read_table,
    scan_all,
};

pub(crate) struct Bench {
    folder: tempfile::TempDir,
}

pub(crate) fn place() -> Place {
    let files = Arc::new(Archives::default());
    Place { workspace: Workspace::new(files.clone()), files }
}

impl Bench {
    /// Good, damaged and unreadable models, textures, and an archive.
    pub(crate) fn new() -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        let mut damaged = w3d::sample::crate_box();
        damaged.truncate(damaged.len() / 7 * 6);
        bench.write("art/mwtank.w3d", w3d::sample::tank());
        bench.write("art/mwtower.mdx", mdx::build::watchtower());
        bench.write("art/units/mwcrate.w3d", w3d::sample::crate_box());
        bench.write("art/units/copy.W3D", w3d::sample::crate_box());
        bench.write("art/damaged.w3d", damaged);
        bench.write("art/empty.mdx", []);
        bench.write("art/readme.txt", "not a model");
        for (name, image) in texture::sample::textures() {
            bench.write(&format!("art/{name}"), texture::encode_tga(&image).unwrap());
        }
        let members = [
            NewMember {
                path: r"Art\W3D\MWCrate.w3d".into(),
                content: Content::Bytes(w3d::sample::crate_box()),
            },
            NewMember { path: "readme.txt".into(), content: Content::Bytes(vec![1]) },
        ];
        archive::save(&bench.path("art/game.big"), |out| archive::create(Kind::Bigf, &members, out)).unwrap();
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn options(&self, name: &str) -> CatalogOptions {
        CatalogOptions { scanned_at: 1_000, jobs: 2, part_size: 3, ..CatalogOptions::new(self.path(name)) }
    }

    pub(crate) fn make(&self, options: &CatalogOptions) -> RunSummary {
        self.make_watched(options, &())
    }

    pub(crate) fn make_watched(&self, options: &CatalogOptions, observer: &dyn Observer) -> RunSummary {
        let inputs = Inputs { paths: vec![self.path("art")], list: None };
        make_catalog(inputs, options, &place, observer).unwrap()
    }

    /// The rows of a table, sorted.
    pub(crate) fn rows(&self, catalog: &str, table: Table) -> Vec<Vec<Value>> {
        let mut rows = Vec::new();
        read_table(&self.path(catalog), table, &mut |row| {
            rows.push(row);
            Ok(())
        })
        .unwrap();
        rows.sort_by_key(|row| format!("{row:?}"));
        rows
    }

    pub(crate) fn all(&self, catalog: &str) -> Vec<Vec<Vec<Value>>> {
        Table::ALL.into_iter().map(|table| self.rows(catalog, table)).collect()
    }

    /// A column of `files`, sorted by address.
    pub(crate) fn column(&self, catalog: &str, name: &str) -> Vec<(String, Value)> {
        let column = Table::Files.column(name).unwrap();
        let uri = Table::Files.column("uri").unwrap();
        let top = format!("{}/", meshwright_catalog::uri(&self.path("art")));
        let rows = self.rows(catalog, Table::Files).into_iter();
        let mut found: Vec<_> =
            rows.map(|row| (row[uri].text().unwrap().replace(&top, ""), row[column].clone())).collect();
        found.sort_by(|left, right| left.0.cmp(&right.0));
        found
    }
}

/// The rows of models in memory.
pub(crate) fn scan(models: &[(&str, Vec<u8>)]) -> Rows {
    scan_all(place(), &[], models, 2, 0, &|| false).unwrap().unwrap()
}

/// A value of `files`, by the name of a model.
pub(crate) fn value(rows: &Rows, uri: &str, column: &str) -> Option<String> {
    let index = rows.of(Table::Files).iter().position(|row| row[2].text() == Some(uri)).unwrap();
    rows.value(Table::Files, index, column).unwrap().text().map(str::to_owned)
}

pub(crate) fn parts(folder: &Path) -> usize {
    fs::read_dir(folder.join("files")).map_or(0, Iterator::count)
}
