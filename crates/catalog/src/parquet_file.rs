//! Parts as Parquet files, compressed with zstd. Written column by column, without Arrow, whose crates would take a minute to build.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::record::Field;
use parquet::schema::types::Type;

use crate::rows::Value;
use crate::schema::{Column, ColumnType, SCHEMA_VERSION, Table};

/// A file that is being written.
pub(crate) struct Writer<W: Write + Send> {
    table: Table,
    file: SerializedFileWriter<W>,
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

impl<W: Write + Send> Writer<W> {
    pub(crate) fn new(table: Table, out: W) -> io::Result<Self> {
        let pair = |key: &str, value: String| KeyValue::new(format!("meshwright.{key}"), value);
        let level = ZstdLevel::try_new(3).map_err(failed)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_created_by(format!("meshwright version {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(vec![
                pair("schema_version", SCHEMA_VERSION.to_string()),
                pair("tool_version", env!("CARGO_PKG_VERSION").to_owned()),
                pair("table", table.name().to_owned()),
            ]))
            .build();
        let schema = schema(table).map_err(failed)?;
        let file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
        Ok(Self { table, file })
    }

    /// Writes rows as one row group.
    pub(crate) fn write(&mut self, rows: &[Vec<Value>]) -> io::Result<()> {
        let mut group = self.file.next_row_group().map_err(failed)?;
        for (index, column) in self.table.columns().iter().enumerate() {
            let mut writer = group
                .next_column()
                .map_err(failed)?
                .ok_or_else(|| io::Error::other("the schema has too few columns"))?;
            let values = rows.iter().filter_map(|row| row.get(index));
            write_column(&mut writer, column, values).map_err(failed)?;
            writer.close().map_err(failed)?;
        }
        group.close().map_err(failed)?;
        Ok(())
    }

    /// Writes the end of the file, and returns what it was written to.
    pub(crate) fn finish(self) -> io::Result<W> {
        self.file.into_inner().map_err(failed)
    }
}

fn schema(table: Table) -> Result<Type, ParquetError> {
    let fields: Result<Vec<_>, _> =
        table.columns().iter().map(|column| field(column).map(Arc::new)).collect();
    Type::group_type_builder("schema").with_fields(fields?).build()
}

fn field(column: &Column) -> Result<Type, ParquetError> {
    let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let text = |name: &str, repetition| {
        Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
            .with_logical_type(Some(LogicalType::String))
            .with_repetition(repetition)
            .build()
    };
    let plain =
        |physical| Type::primitive_type_builder(column.name, physical).with_repetition(repetition).build();
    match column.ty {
        ColumnType::Bool => plain(Physical::BOOLEAN),
        ColumnType::Int => plain(Physical::INT64),
        ColumnType::Float => plain(Physical::FLOAT),
        ColumnType::Double => plain(Physical::DOUBLE),
        ColumnType::Text => text(column.name, repetition),
        ColumnType::Texts => {
            let element = Arc::new(text("element", Repetition::REQUIRED)?);
            let list = Type::group_type_builder("list")
                .with_repetition(Repetition::REPEATED)
                .with_fields(vec![element])
                .build()?;
            Type::group_type_builder(column.name)
                .with_logical_type(Some(LogicalType::List))
                .with_repetition(Repetition::REQUIRED)
                .with_fields(vec![Arc::new(list)])
                .build()
        }
    }
}

fn write_column<'v>(
    writer: &mut SerializedColumnWriter<'_>,
    column: &Column,
    values: impl Iterator<Item = &'v Value>,
) -> Result<(), ParquetError> {
    match column.ty {
        ColumnType::Bool => flat::<BoolType>(writer, column, values, |value| match value {
            Value::Bool(value) => Some(*value),
            _ => None,
        }),
        ColumnType::Int => flat::<Int64Type>(writer, column, values, Value::int),
        ColumnType::Float => flat::<FloatType>(writer, column, values, |value| match value {
            Value::Float(value) => Some(*value),
            _ => None,
        }),
        ColumnType::Double => flat::<DoubleType>(writer, column, values, |value| match value {
            Value::Double(value) => Some(*value),
            _ => None,
        }),
        ColumnType::Text => {
            flat::<ByteArrayType>(writer, column, values, |value| value.text().map(ByteArray::from))
        }
        ColumnType::Texts => {
            let (mut texts, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
            for value in values {
                let list = match value {
                    Value::Texts(list) => list.as_slice(),
                    _ => &[],
                };
                if list.is_empty() {
                    definitions.push(0);
                    repetitions.push(0);
                }
                for (index, text) in list.iter().enumerate() {
                    texts.push(ByteArray::from(text.as_str()));
                    definitions.push(1);
                    repetitions.push(i16::from(index > 0));
                }
            }
            let typed = writer.typed::<ByteArrayType>();
            typed.write_batch(&texts, Some(&definitions), Some(&repetitions)).map(|_| ())
        }
    }
}

fn flat<'v, T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    column: &Column,
    values: impl Iterator<Item = &'v Value>,
    get: impl Fn(&Value) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let (mut present, mut definitions) = (Vec::new(), Vec::new());
    for value in values {
        let value = get(value);
        definitions.push(i16::from(value.is_some()));
        present.extend(value);
    }
    let definitions = column.optional.then_some(definitions.as_slice());
    writer.typed::<T>().write_batch(&present, definitions, None).map(|_| ())
}

/// Reads the rows of a file, with the columns of the table; those that the file does not have are missing.
pub(crate) fn read(
    table: Table,
    path: &Path,
    take: &mut dyn FnMut(Vec<Value>) -> io::Result<()>,
) -> io::Result<()> {
    let reader = SerializedFileReader::new(File::open(path)?).map_err(failed)?;
    for row in reader.get_row_iter(None).map_err(failed)? {
        let row = row.map_err(failed)?;
        let mut values = vec![Value::Null; table.columns().len()];
        for (name, field) in row.get_column_iter() {
            if let Some(place) = table.column(name).and_then(|index| values.get_mut(index)) {
                *place = value(field);
            }
        }
        take(values)?;
    }
    Ok(())
}

fn value(field: &Field) -> Value {
    match field {
        Field::Bool(value) => (*value).into(),
        Field::Int(value) => i64::from(*value).into(),
        Field::Long(value) => (*value).into(),
        Field::Float(value) => (*value).into(),
        Field::Double(value) => (*value).into(),
        Field::Str(value) => value.as_str().into(),
        Field::ListInternal(list) => {
            let texts = list.elements().iter().filter_map(|element| match element {
                Field::Str(text) => Some(text.clone()),
                _ => None,
            });
            Value::Texts(texts.collect())
        }
        _ => Value::Null,
    }
}
