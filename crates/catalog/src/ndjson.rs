//! Parts as NDJSON: one JSON object on each line.

use std::io::{self, Write};

use serde_json::Value as Json;

use crate::rows::Value;
use crate::schema::{ColumnType, Table};

/// Writes rows.
pub(crate) fn write(table: Table, rows: &[Vec<Value>], out: &mut dyn Write) -> io::Result<()> {
    for row in rows {
        out.write_all(line(table, row).as_bytes())?;
    }
    Ok(())
}

/// A row as a line, with its end.
pub(crate) fn line(table: Table, row: &[Value]) -> String {
    let mut line = String::with_capacity(row.len() * 24);
    for (column, value) in table.columns().iter().zip(row) {
        line.push_str(if line.is_empty() { "{\"" } else { ",\"" });
        line.push_str(column.name);
        line.push_str("\":");
        line.push_str(&json(value).to_string());
    }
    line.push_str("}\n");
    line
}

fn json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => (*value).into(),
        Value::Int(value) => (*value).into(),
        Value::Float(value) => (*value).into(),
        Value::Double(value) => (*value).into(),
        Value::Text(value) => value.as_str().into(),
        Value::Texts(values) => values.iter().map(String::as_str).collect(),
    }
}

/// Reads a line back.
pub(crate) fn read(table: Table, line: &str) -> Option<Vec<Value>> {
    let object: serde_json::Map<String, Json> = serde_json::from_str(line).ok()?;
    let value = |column: &crate::schema::Column| match (object.get(column.name)?, column.ty) {
        (Json::Null, _) => Some(Value::Null),
        (value, ColumnType::Bool) => value.as_bool().map(Value::Bool),
        (value, ColumnType::Int) => value.as_i64().map(Value::Int),
        (value, ColumnType::Float) => value.as_f64().map(|value| Value::Float(value as f32)),
        (value, ColumnType::Double) => value.as_f64().map(Value::Double),
        (value, ColumnType::Text) => value.as_str().map(|text| Value::Text(text.to_owned())),
        (value, ColumnType::Texts) => {
            let texts = value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned));
            texts.collect::<Option<_>>().map(Value::Texts)
        }
    };
    // A column that an older version did not write is missing.
    Some(table.columns().iter().map(|column| value(column).unwrap_or(Value::Null)).collect())
}
