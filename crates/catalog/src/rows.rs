//! Rows in memory.

use crate::schema::{ColumnType, Table};

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Missing.
    Null,
    /// True or false.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A 32-bit float.
    Float(f32),
    /// A 64-bit float.
    Double(f64),
    /// A text.
    Text(String),
    /// A list of texts.
    Texts(Vec<String>),
}

impl Value {
    /// Whether it can be in a column.
    fn fits(&self, ty: ColumnType, optional: bool) -> bool {
        matches!(
            (self, ty),
            (Self::Bool(_), ColumnType::Bool)
                | (Self::Int(_), ColumnType::Int)
                | (Self::Float(_), ColumnType::Float)
                | (Self::Double(_), ColumnType::Double)
                | (Self::Text(_), ColumnType::Text)
                | (Self::Texts(_), ColumnType::Texts)
        ) || *self == Self::Null && optional
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub const fn int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Self::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        Self::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

/// NaN and infinite numbers become missing values: JSON has none, and sums over a column survive.
impl From<f32> for Value {
    fn from(value: f32) -> Self {
        if value.is_finite() { Self::Float(value) } else { Self::Null }
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        if value.is_finite() { Self::Double(value) } else { Self::Null }
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<Vec<String>> for Value {
    fn from(value: Vec<String>) -> Self {
        Self::Texts(value)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Rows of all tables, in the order of [`Table::ALL`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    tables: [Vec<Vec<Value>>; Table::ALL.len()],
}

impl Rows {
    /// The rows of a table.
    pub fn of(&self, table: Table) -> &[Vec<Value>] {
        &self.tables[table as usize]
    }

    /// Number of rows in all tables.
    pub fn len(&self) -> usize {
        self.tables.iter().map(Vec::len).sum()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a row, whose values are those of the columns in order. A value that does not fit its column is missing, or the
    /// empty value of its type where it is required.
    pub fn push(&mut self, table: Table, mut row: Vec<Value>) {
        let columns = table.columns();
        debug_assert_eq!(row.len(), columns.len(), "{table:?}");
        row.resize(columns.len(), Value::Null);
        for (value, column) in row.iter_mut().zip(columns) {
            if !value.fits(column.ty, column.optional) {
                debug_assert!(
                    matches!(*value, Value::Null) && column.ty == ColumnType::Double,
                    "{table:?}.{}: {value:?}",
                    column.name
                );
                *value = if column.optional { Value::Null } else { empty(column.ty) };
            }
        }
        self.tables[table as usize].push(row);
    }

    /// Adds all rows of others.
    pub fn append(&mut self, mut other: Self) {
        for (here, there) in self.tables.iter_mut().zip(&mut other.tables) {
            here.append(there);
        }
    }

    /// Takes the rows of a table out.
    pub fn take(&mut self, table: Table) -> Vec<Vec<Value>> {
        std::mem::take(&mut self.tables[table as usize])
    }

    /// The value of a column.
    pub fn value(&self, table: Table, row: usize, column: &str) -> Option<&Value> {
        self.of(table).get(row)?.get(table.column(column)?)
    }
}

fn empty(ty: ColumnType) -> Value {
    match ty {
        ColumnType::Bool => Value::Bool(false),
        ColumnType::Int => Value::Int(0),
        ColumnType::Float => Value::Float(0.0),
        ColumnType::Double => Value::Double(0.0),
        ColumnType::Text => Value::Text(String::new()),
        ColumnType::Texts => Value::Texts(Vec::new()),
    }
}
