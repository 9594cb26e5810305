//! Simple questions to the table `files`, for programs without a database. Everything else is for DuckDB and its like.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::parts::read_table;
use crate::rows::Value;
use crate::schema::{ColumnType, Table};

/// A condition on a column of `files`, such as `triangles>1000`.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    column: usize,
    test: Test,
    value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
}

/// Longer signs first: `<=` starts like `<`.
const TESTS: [(&str, Test); 7] = [
    ("!=", Test::Unequal),
    ("<=", Test::LessOrEqual),
    (">=", Test::GreaterOrEqual),
    ("=", Test::Equal),
    ("<", Test::Less),
    (">", Test::Greater),
    ("~", Test::Contains),
];

impl Condition {
    /// Reads `COLUMN SIGN VALUE`; the signs are `=`, `!=`, `<`, `<=`, `>`, `>=`, and `~` for a part of a text in any case. A missing value
    /// fulfils only `!=`.
    ///
    /// ```
    /// use meshwright_catalog::Condition;
    /// assert!(Condition::parse("triangles >= 1000").is_ok());
    /// assert!(Condition::parse("colour=red").unwrap_err().contains("triangles"));
    /// ```
    ///
    /// # Errors
    /// If there is no such column, no sign, or no number for a column of numbers.
    pub fn parse(text: &str) -> Result<Self, String> {
        let start =
            text.find(['=', '!', '<', '>', '~']).ok_or("expected COLUMN=VALUE, or one of != < <= > >= ~")?;
        let (name, rest) = (text[..start].trim(), &text[start..]);
        let found = TESTS.iter().find_map(|(sign, test)| Some((*test, rest.strip_prefix(sign)?)));
        let (test, value) = found.ok_or("expected one of = != < <= > >= ~")?;
        let column = Table::Files.column(name).ok_or_else(|| {
            let names: Vec<&str> = Table::Files.columns().iter().map(|column| column.name).collect();
            format!("no column {name}; available: {}", names.join(", "))
        })?;
        let value = value.trim().to_owned();
        let is_number = matches!(
            Table::Files.columns()[column].ty,
            ColumnType::Int | ColumnType::Float | ColumnType::Double
        );
        if is_number && test != Test::Contains && value.parse::<f64>().is_err() {
            return Err(format!("{name} is a number, but {value:?} is not"));
        }
        Ok(Self { column, test, value })
    }

    /// Whether a row of `files` fulfils it. Of a list one element has to.
    pub fn holds(&self, row: &[Value]) -> bool {
        match row.get(self.column) {
            Some(Value::Texts(texts)) if self.test == Test::Unequal => !texts.contains(&self.value),
            Some(Value::Texts(texts)) => texts.iter().any(|text| self.text(text)),
            Some(Value::Text(text)) => self.text(text),
            Some(Value::Bool(value)) => self.text(if *value { "true" } else { "false" }),
            #[expect(clippy::cast_precision_loss, reason = "counts and sizes are far smaller")]
            Some(Value::Int(value)) => self.number(*value as f64),
            Some(Value::Float(value)) => self.number((*value).into()),
            Some(Value::Double(value)) => self.number(*value),
            Some(Value::Null) | None => self.test == Test::Unequal,
        }
    }

    fn number(&self, number: f64) -> bool {
        match self.value.parse::<f64>() {
            Ok(value) => number.partial_cmp(&value).is_some_and(|order| self.order(order)),
            Err(_) => number.to_string().contains(&self.value),
        }
    }

    fn text(&self, text: &str) -> bool {
        match self.test {
            Test::Contains => text.to_lowercase().contains(&self.value.to_lowercase()),
            _ => self.order(text.cmp(&self.value)),
        }
    }

    const fn order(&self, order: Ordering) -> bool {
        match self.test {
            Test::Equal => order.is_eq(),
            Test::Unequal => order.is_ne(),
            Test::Less => order.is_lt(),
            Test::LessOrEqual => order.is_le(),
            Test::Greater => order.is_gt(),
            Test::GreaterOrEqual => order.is_ge(),
            Test::Contains => false,
        }
    }
}

/// The addresses of the files that fulfil all conditions, sorted. Of several rows of a file the latest counts; files that are gone are not listed.
///
/// # Errors
/// If there is no catalog, or it cannot be read.
pub fn find_files(folder: &Path, conditions: &[Condition]) -> io::Result<Vec<String>> {
    let column = |name: &str| Table::Files.column(name).unwrap_or_default();
    let (uri, scanned_at, status) = (column("uri"), column("scanned_at"), column("status"));
    let mut latest: BTreeMap<String, (i64, bool)> = BTreeMap::new();
    read_table(folder, Table::Files, &mut |row| {
        let time = row.get(scanned_at).and_then(Value::int).unwrap_or_default();
        let is_gone = row.get(status).and_then(Value::text) == Some("gone");
        let is_wanted = !is_gone && conditions.iter().all(|condition| condition.holds(&row));
        if let Some(uri) = row.get(uri).and_then(Value::text) {
            let known = latest.entry(uri.to_owned()).or_insert((i64::MIN, false));
            if time >= known.0 {
                *known = (time, is_wanted);
            }
        }
        Ok(())
    })?;
    Ok(latest.into_iter().filter(|(_, (_, is_wanted))| *is_wanted).map(|(uri, _)| uri).collect())
}
