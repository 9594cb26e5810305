//! The files of a catalog: `DIR/TABLE/part-SHARD-INDEX-TAG.EXT`. A part is complete when its file of the table `files` is there.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use meshwright::file::{NewFile, create_folder};

use crate::input::Shard;
use crate::ndjson;
use crate::rows::{Rows, Value};
use crate::schema::Table;

/// Values of a table that are held before they are written: a few megabytes.
const MAX_VALUES: usize = 1 << 16;

/// The format of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartFormat {
    /// One JSON object on each line.
    Ndjson,
    /// Apache Parquet.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Default for PartFormat {
    /// Parquet, if it is built in.
    fn default() -> Self {
        #[cfg(feature = "parquet")]
        return Self::Parquet;
        #[cfg(not(feature = "parquet"))]
        Self::Ndjson
    }
}

impl PartFormat {
    /// The format with this name, if it is built in.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "ndjson" => Some(Self::Ndjson),
            #[cfg(feature = "parquet")]
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }

    /// The extension of the files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Ndjson => "ndjson",
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
        }
    }
}

/// The name of a part, without its extension.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PartName {
    /// Number of shards, then the number of the shard.
    pub(crate) shards: (u32, u32),
    /// Position among the parts of the shard.
    pub(crate) index: u32,
    /// What it was made of: a hash of the inputs, or `s` and the time of an increment.
    pub(crate) tag: String,
}

impl PartName {
    pub(crate) fn new(shard: Shard, index: u32, tag: String) -> Self {
        Self { shards: (shard.count, shard.number), index, tag }
    }

    fn parse(stem: &str) -> Option<Self> {
        let mut words = stem.strip_prefix("part-")?.splitn(3, '-');
        let (number, count) = words.next()?.split_once("of")?;
        Some(Self {
            shards: (count.parse().ok()?, number.parse().ok()?),
            index: words.next()?.parse().ok()?,
            tag: words.next()?.to_owned(),
        })
    }

    pub(crate) fn is_increment(&self) -> bool {
        self.tag.starts_with('s')
    }

    fn stem(&self) -> String {
        let (count, number) = self.shards;
        format!("part-{number:05}of{count:05}-{:06}-{}", self.index, self.tag)
    }
}

/// The folder of a catalog, for one format.
#[derive(Clone, Debug)]
pub(crate) struct PartFolder {
    folder: PathBuf,
    format: PartFormat,
}

impl PartFolder {
    pub(crate) fn new(folder: &Path, format: PartFormat) -> Self {
        Self { folder: folder.to_owned(), format }
    }

    /// Creates the folders of the tables, and removes what killed processes left.
    pub(crate) fn create(&self) -> io::Result<()> {
        Table::ALL.iter().try_for_each(|table| create_folder(&self.folder.join(table.name())))
    }

    fn path(&self, table: Table, part: &PartName) -> PathBuf {
        let name = format!("{}.{}", part.stem(), self.format.extension());
        self.folder.join(table.name()).join(name)
    }

    /// The parts that have a file of a table.
    pub(crate) fn parts(&self, table: Table) -> io::Result<BTreeSet<PartName>> {
        let entries = match fs::read_dir(self.folder.join(table.name())) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
            Err(error) => return Err(error),
        };
        let mut parts = BTreeSet::new();
        for entry in entries {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if let Some((stem, extension)) = name.rsplit_once('.')
                && extension == self.format.extension()
                && let Some(part) = PartName::parse(stem)
            {
                parts.insert(part);
            }
        }
        Ok(parts)
    }

    /// Removes a part. The file that makes it complete goes first.
    pub(crate) fn remove(&self, part: &PartName) -> io::Result<()> {
        for table in Table::ALL {
            match fs::remove_file(self.path(table, part)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes files of parts of a shard that never became complete.
    pub(crate) fn remove_incomplete(&self, shard: Shard) -> io::Result<()> {
        let complete = self.parts(Table::Files)?;
        for table in Table::ALL {
            for part in self.parts(table)? {
                if part.shards == (shard.count, shard.number) && !complete.contains(&part) {
                    self.remove(&part)?;
                }
            }
        }
        Ok(())
    }

    /// Starts a part.
    pub(crate) fn begin(&self, part: &PartName) -> io::Result<NewPart> {
        let tables = Table::ALL.into_iter().map(|table| {
            let file = NewFile::create(&self.path(table, part))?;
            Ok((table, Sink::new(table, file, self.format)?))
        });
        Ok(NewPart { tables: tables.collect::<io::Result<_>>()?, rows: Rows::default() })
    }
}

/// A part that is being written.
pub(crate) struct NewPart {
    tables: Vec<(Table, Sink)>,
    rows: Rows,
}

impl NewPart {
    pub(crate) fn push(&mut self, rows: Rows) -> io::Result<()> {
        self.rows.append(rows);
        for (table, sink) in &mut self.tables {
            if self.rows.of(*table).len() * table.columns().len() >= MAX_VALUES {
                sink.write(*table, &self.rows.take(*table))?;
            }
        }
        Ok(())
    }

    /// Writes the rest, and gives the files their names; the one that makes the part complete is the last.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        for (table, mut sink) in self.tables.into_iter().rev() {
            let rows = self.rows.take(table);
            if !rows.is_empty() {
                sink.write(table, &rows)?;
            }
            sink.finish()?;
        }
        Ok(())
    }
}

enum Sink {
    Ndjson(NewFile),
    #[cfg(feature = "parquet")]
    Parquet(Box<crate::parquet_file::Writer<NewFile>>),
}

impl Sink {
    #[cfg_attr(
        not(feature = "parquet"),
        expect(clippy::unnecessary_wraps, reason = "a Parquet file may fail")
    )]
    fn new(table: Table, file: NewFile, format: PartFormat) -> io::Result<Self> {
        #[cfg(not(feature = "parquet"))]
        let _ = table;
        Ok(match format {
            PartFormat::Ndjson => Self::Ndjson(file),
            #[cfg(feature = "parquet")]
            PartFormat::Parquet => Self::Parquet(Box::new(crate::parquet_file::Writer::new(table, file)?)),
        })
    }

    fn write(&mut self, table: Table, rows: &[Vec<Value>]) -> io::Result<()> {
        match self {
            Self::Ndjson(file) => ndjson::write(table, rows, file),
            #[cfg(feature = "parquet")]
            Self::Parquet(writer) => writer.write(rows),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Ndjson(file) => file.finish(),
            #[cfg(feature = "parquet")]
            Self::Parquet(writer) => writer.finish()?.finish(),
        }
    }
}

/// Reads the rows of a table of a catalog, whatever format its parts have, part after part in the order of their names. Incomplete parts are
/// skipped. The rows of a part are not held in memory.
///
/// # Errors
/// If a file cannot be read, if there is no catalog, or if `take` fails.
pub fn read_table(
    folder: &Path,
    table: Table,
    take: &mut dyn FnMut(Vec<Value>) -> io::Result<()>,
) -> io::Result<()> {
    let complete = listed(&folder.join(Table::Files.name()))?;
    if complete.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "there is no catalog in this folder"));
    }
    let names: BTreeSet<_> = complete.iter().filter_map(|path| path.file_name()).collect();
    let mut files = listed(&folder.join(table.name()))?;
    files.retain(|path| path.file_name().is_some_and(|name| names.contains(name)));
    for path in files {
        let in_file = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        if path.extension().is_some_and(|extension| extension == "ndjson") {
            for line in BufReader::new(fs::File::open(&path).map_err(in_file)?).lines() {
                let row = ndjson::read(table, &line.map_err(in_file)?);
                take(row.ok_or_else(|| in_file(io::Error::other("a line is not a row")))?)?;
            }
        } else {
            #[cfg(feature = "parquet")]
            crate::parquet_file::read(table, &path, take).map_err(in_file)?;
            #[cfg(not(feature = "parquet"))]
            return Err(in_file(io::Error::new(
                io::ErrorKind::Unsupported,
                "Parquet is not built in; build with the feature `parquet`",
            )));
        }
    }
    Ok(())
}

/// The files of parts in a folder, sorted.
fn listed(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        // Programs may have merged parts under other names.
        if ["ndjson", "parquet"].iter().any(|known| path.extension().is_some_and(|it| it == *known)) {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        let name = PartName::new(Shard { number: 3, count: 16 }, 7, "00ff".to_owned());
        assert_eq!(name.stem(), "part-00003of00016-000007-00ff");
        assert_eq!(PartName::parse(&name.stem()), Some(name));
        assert_eq!(PartName::parse("compacted"), None);
    }
}
