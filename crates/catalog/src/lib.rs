//! Tables over any number of game models: which files there are, what is in them, what they need, what is wrong with them, and hashes that
//! find copies.
//!
//! | to | use |
//! |---|---|
//! | make a catalog of files, folders and archives | [`make_catalog`] |
//! | get the rows of one file | [`Scanner::scan`] |
//! | find files of a catalog | [`find_files`] |
//! | read a catalog | [`read_table`], or any program that reads Parquet or NDJSON |
//! | know the columns | [`Table::columns`], [`schema_markdown`] |
//!
//! A catalog is a folder with a folder for each [`Table`], in which each part of a run has one file. Parts appear when they are complete, so a
//! run that was interrupted goes on where it was. Rows depend on the file and the files near it alone: not on the number of threads, nor on
//! the order, nor on what else is in the catalog. `docs/catalog.md` explains the columns.
//!
//! ```
//! use meshwright_catalog::Table;
//!
//! assert!(Table::Files.columns().iter().any(|column| column.name == "triangles"));
//! ```
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `parquet` | parts in Parquet; without it they are NDJSON |
//! | `arrow` | `ArrowTable`, tables in memory for other programs |

#[cfg(feature = "arrow")]
mod arrow_table;
pub mod hash;
mod input;
mod ndjson;
#[cfg(feature = "parquet")]
mod parquet_file;
mod parts;
mod query;
mod queue;
mod rows;
mod run;
mod scan;
mod schema;

#[cfg(feature = "arrow")]
pub use crate::arrow_table::ArrowTable;
pub use crate::input::{Finder, Input, Shard, Stat, uri};
pub use crate::parts::{PartFormat, read_table};
pub use crate::query::{Condition, find_files};
pub use crate::rows::{Rows, Value};
pub use crate::run::{
    CatalogOptions, Inputs, Observer, PART_SIZE, Place, RunSummary, count_inputs, make_catalog, now, scan_all,
};
pub use crate::scan::{Scanner, TOOL_VERSION};
pub use crate::schema::{Column, ColumnType, SCHEMA_VERSION, Table, schema_json, schema_markdown};

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
