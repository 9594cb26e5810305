//! Tables in the memory layout of Arrow, which other programs take without a copy.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Float32Builder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::rows::{Rows, Value};
use crate::schema::{Column, ColumnType, SCHEMA_VERSION, Table};

/// A table with its rows.
#[derive(Clone, Debug)]
pub struct ArrowTable {
    schema: SchemaRef,
    batch: RecordBatch,
}

impl ArrowTable {
    /// The rows of a table.
    ///
    /// # Errors
    /// If the rows are larger than Arrow can count: two gibibytes of text in a column.
    pub fn new(table: Table, rows: &Rows) -> Result<Self, ArrowError> {
        let schema = Arc::new(schema(table));
        let columns = table.columns().iter().enumerate().map(|(index, column)| {
            array(column, rows.of(table).iter().filter_map(move |row| row.get(index)))
        });
        let batch = RecordBatch::try_new(schema.clone(), columns.collect())?;
        Ok(Self { schema, batch })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.batch.num_rows()
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of the columns.
    pub fn names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The rows as a stream of the Arrow C interface. The memory is shared.
    pub fn stream(&self) -> FFI_ArrowArrayStream {
        let batches = std::iter::once(Ok(self.batch.clone()));
        FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new(batches, self.schema.clone())))
    }

    /// The schema in the Arrow C interface.
    ///
    /// # Errors
    /// If a type has no form there; all of ours have one.
    pub fn c_schema(&self) -> Result<FFI_ArrowSchema, ArrowError> {
        FFI_ArrowSchema::try_from(self.schema.as_ref())
    }

    /// The rows as a record batch.
    pub const fn batch(&self) -> &RecordBatch {
        &self.batch
    }
}

fn schema(table: Table) -> Schema {
    let fields: Vec<Field> = table
        .columns()
        .iter()
        .map(|column| Field::new(column.name, data_type(column.ty), column.optional))
        .collect();
    let metadata = [
        ("meshwright.schema_version", SCHEMA_VERSION.to_string()),
        ("meshwright.tool_version", env!("CARGO_PKG_VERSION").to_owned()),
        ("meshwright.table", table.name().to_owned()),
    ];
    Schema::new(fields).with_metadata(HashMap::from(metadata.map(|(key, value)| (key.to_owned(), value))))
}

fn element() -> Field {
    Field::new("element", DataType::Utf8, false)
}

fn data_type(ty: ColumnType) -> DataType {
    match ty {
        ColumnType::Bool => DataType::Boolean,
        ColumnType::Int => DataType::Int64,
        ColumnType::Float => DataType::Float32,
        ColumnType::Double => DataType::Float64,
        ColumnType::Text => DataType::Utf8,
        ColumnType::Texts => DataType::List(Arc::new(element())),
    }
}

fn array<'v>(column: &Column, values: impl Iterator<Item = &'v Value>) -> ArrayRef {
    match column.ty {
        ColumnType::Bool => {
            let mut builder = BooleanBuilder::new();
            values.for_each(|value| {
                builder.append_option(if let Value::Bool(value) = value { Some(*value) } else { None });
            });
            Arc::new(builder.finish())
        }
        ColumnType::Int => {
            let mut builder = Int64Builder::new();
            values.for_each(|value| builder.append_option(value.int()));
            Arc::new(builder.finish())
        }
        ColumnType::Float => {
            let mut builder = Float32Builder::new();
            values.for_each(|value| {
                builder.append_option(if let Value::Float(value) = value { Some(*value) } else { None });
            });
            Arc::new(builder.finish())
        }
        ColumnType::Double => {
            let mut builder = Float64Builder::new();
            values.for_each(|value| {
                builder.append_option(if let Value::Double(value) = value { Some(*value) } else { None });
            });
            Arc::new(builder.finish())
        }
        ColumnType::Text => {
            let mut builder = StringBuilder::new();
            values.for_each(|value| builder.append_option(value.text()));
            Arc::new(builder.finish())
        }
        ColumnType::Texts => {
            let mut builder = ListBuilder::new(StringBuilder::new()).with_field(element());
            for value in values {
                if let Value::Texts(texts) = value {
                    texts.iter().for_each(|text| builder.values().append_value(text));
                }
                builder.append(true);
            }
            Arc::new(builder.finish())
        }
    }
}
