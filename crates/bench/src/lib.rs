//! Benchmarks: medians, a baseline, and a table of multiples of it.
//!
//! Absolute times depend on the machine, so every row is also given as a multiple of the minimum work of an owning reader:
//! copying the same bytes into new memory.
//!
//! ```
//! use meshwright_bench::{Row, Table, copy_into_fresh_memory};
//!
//! let bytes = vec![7; 4096];
//! let mut table = Table::new(Row::measure("copy", bytes.len(), 5, || copy_into_fresh_memory(&bytes)));
//! table.push(Row::measure("reverse", bytes.len(), 5, || bytes.iter().rev().copied().collect::<Vec<u8>>()));
//! assert_eq!(table.to_string().lines().count(), 3, "a heading and two rows");
//! ```

mod table;
mod timing;

pub use table::{Row, Table};
pub use timing::{copy_into_fresh_memory, median};
