//! The table of results: the baseline first, every row as a multiple of it.

use std::fmt;
use std::time::Duration;

use crate::timing::median;

/// One measurement.
pub struct Row {
    /// Name of the measurement.
    pub name: String,
    /// The size of the input. Rows are compared by time per byte.
    pub bytes: usize,
    /// How long it took.
    pub time: Duration,
}

impl Row {
    /// The median of this many runs over an input of this many bytes.
    pub fn measure<T>(name: &str, bytes: usize, runs: usize, work: impl FnMut() -> T) -> Self {
        Self { name: name.to_owned(), bytes, time: median(runs, work) }
    }

    /// The rate, in millions of bytes of the input.
    pub fn megabytes_per_second(&self) -> f64 {
        1e3 / self.nanoseconds_per_byte()
    }

    fn nanoseconds_per_byte(&self) -> f64 {
        self.time.as_secs_f64() * 1e9 / self.bytes as f64
    }
}

/// Rows compared with the first one.
pub struct Table {
    baseline: Row,
    others: Vec<Row>,
}

impl Table {
    /// A table with the baseline.
    pub fn new(baseline: Row) -> Self {
        Self { baseline, others: Vec::new() }
    }

    /// Adds a row below the others.
    pub fn push(&mut self, row: Row) {
        self.others.push(row);
    }

    /// All rows, the baseline first.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        std::iter::once(&self.baseline).chain(&self.others)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows().map(|row| row.name.chars().count()).max().unwrap_or_default();
        writeln!(f, "{:width$}  {:>10}  {:>8}  {:>8}", "", "ms", "GB/s", "x copy")?;
        for row in self.rows() {
            let cost = row.nanoseconds_per_byte();
            let ratio = cost / self.baseline.nanoseconds_per_byte();
            let milliseconds = row.time.as_secs_f64() * 1e3;
            // A byte per nanosecond is a gigabyte per second.
            writeln!(f, "{:width$}  {milliseconds:>10.3}  {:>8.2}  {ratio:>8.2}", row.name, 1.0 / cost)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_compared_with_the_baseline_by_time_per_byte() {
        let row = |name: &str, bytes, milliseconds| Row {
            name: name.to_owned(),
            bytes,
            time: Duration::from_millis(milliseconds),
        };
        let mut table = Table::new(row("copy", 1_000_000, 1));
        table.push(row("parse", 2_000_000, 5));
        let lines: Vec<Vec<String>> = table
            .to_string()
            .lines()
            .map(|line| line.split_whitespace().map(str::to_owned).collect())
            .collect();
        assert_eq!(lines[1], ["copy", "1.000", "1.00", "1.00"]);
        assert_eq!(lines[2], ["parse", "5.000", "0.40", "2.50"]);
    }
}
