//! Parquet files of typed columns; arrow and parquet are named here only.
//!
//! The bytes are those of the rows and columns alone: no date, no host, nothing in the order of a hash map. Each
//! field has its description in its metadata, under `description`, where pyarrow, Polars and others that read Arrow's
//! schema find it.
//!
//! ```ignore
//! let mut file = ParquetFile::new(out, &columns)?;
//! file.write(json!({ "ein": "990000001", "name": "Example" }))?;
//! let out = file.finish()?;
//! ```

mod records;

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, FixedSizeListArray, Float32Array, Float64Array,
    Int64Array, ListArray, RecordBatch, StringArray, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;
use serde_json::Value;
use time::{Date, Month};

use super::{Column, Kind};

pub use records::{RecordReader, RecordWriter};

/// Rows that become columns at once.
const BATCH_ROWS: usize = 1_024;
/// Rows of a group, which is held in memory, encoded, until it is whole.
const GROUP_ROWS: usize = 64 * 1_024;
/// What files say wrote them: the same of every version, since their form is that of the columns.
const WRITER: &str = "almoner";
/// The name of the metadata of a field.
const DESCRIPTION: &str = "description";
/// Days from the first Julian day to 1970.
const UNIX_EPOCH: i32 = 2_440_588;

/// Why rows cannot be written as Parquet.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A row does not have what a column says.
    #[error("column {column} should have {expected}, found {found}")]
    Value { column: String, expected: &'static str, found: String },
    /// The columns do not fit together.
    #[error("rows do not become columns")]
    Columns(#[from] ArrowError),
    /// The file cannot be written, or read.
    #[error("a Parquet file cannot be read or written: {0}")]
    File(#[from] ParquetError),
}

/// A Parquet file on its way, its rows compressed by Snappy in groups of 65,536.
pub struct ParquetFile<W: Write + Send> {
    writer: ArrowWriter<W>,
    columns: Vec<Column>,
    schema: SchemaRef,
    rows: Vec<Value>,
}

impl<W: Write + Send> ParquetFile<W> {
    /// Begins a file of some columns.
    pub fn new(out: W, columns: &[Column]) -> Result<Self, Error> {
        let schema = Arc::new(Schema::new(fields(columns)));
        let mut properties = WriterProperties::builder()
            .set_created_by(WRITER.to_owned())
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(GROUP_ROWS));
        for column in columns {
            if let Kind::Vector(_) = column.kind {
                // Hardly two components are equal, and their digits are noise.
                let path = [column.name.as_str(), "list", "item"].map(str::to_owned).to_vec();
                let path = ColumnPath::new(path);
                properties = properties
                    .set_column_dictionary_enabled(path.clone(), false)
                    .set_column_compression(path, Compression::UNCOMPRESSED);
            }
        }
        let writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties.build()))?;
        Ok(Self { writer, columns: columns.to_vec(), schema, rows: Vec::new() })
    }

    /// Adds a row, an object; members that it does not have are null, those that no column names are left out.
    ///
    /// # Errors
    /// When rows until now are not of the columns, or the file cannot be written.
    pub fn write(&mut self, row: Value) -> Result<(), Error> {
        self.rows.push(row);
        if self.rows.len() == BATCH_ROWS { self.write_batch() } else { Ok(()) }
    }

    /// Writes what is left and the end of the file.
    pub fn finish(mut self) -> Result<W, Error> {
        self.write_batch()?;
        Ok(self.writer.into_inner()?)
    }

    fn write_batch(&mut self) -> Result<(), Error> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let rows: Vec<&Value> = self.rows.iter().collect();
        let arrays = arrays(&self.columns, &rows)?;
        self.writer.write(&RecordBatch::try_new(Arc::clone(&self.schema), arrays)?)?;
        self.rows.clear();
        Ok(())
    }
}

fn fields(columns: &[Column]) -> Fields {
    let field = |column: &Column| {
        let field = Field::new(&column.name, data_type(&column.kind), column.is_nullable);
        if column.description.is_empty() {
            return field;
        }
        let described = (DESCRIPTION.to_owned(), column.description.clone());
        field.with_metadata(HashMap::from([described]))
    };
    columns.iter().map(field).collect()
}

/// The items of a list, never null.
fn item(kind: &Kind) -> Arc<Field> {
    Arc::new(Field::new("item", data_type(kind), false))
}

fn data_type(kind: &Kind) -> DataType {
    match kind {
        Kind::Text | Kind::Code => DataType::Utf8,
        Kind::Day => DataType::Date32,
        Kind::Integer => DataType::Int64,
        Kind::Number => DataType::Float64,
        Kind::Boolean => DataType::Boolean,
        Kind::List(kind) => DataType::List(item(kind)),
        Kind::Object(columns) => DataType::Struct(fields(columns)),
        Kind::Vector(dims) => DataType::FixedSizeList(component(), *dims as i32),
    }
}

/// A component of a vector.
fn component() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Float32, false))
}

fn arrays(columns: &[Column], rows: &[&Value]) -> Result<Vec<ArrayRef>, Error> {
    let array = |column: &Column| {
        let values: Vec<&Value> = rows.iter().map(|row| &row[column.name.as_str()]).collect();
        array(&column.name, &column.kind, &values)
    };
    columns.iter().map(array).collect()
}

fn array(name: &str, kind: &Kind, values: &[&Value]) -> Result<ArrayRef, Error> {
    let of = Values { name, values };
    Ok(match kind {
        Kind::Text | Kind::Code => Arc::new(StringArray::from(of.read("a text", Value::as_str)?)),
        Kind::Day => Arc::new(Date32Array::from(of.read("a day as YYYY-MM-DD", day)?)),
        Kind::Integer => Arc::new(Int64Array::from(of.read("a whole number", Value::as_i64)?)),
        Kind::Number => Arc::new(Float64Array::from(of.read("a number", Value::as_f64)?)),
        Kind::Boolean => Arc::new(BooleanArray::from(of.read("true or false", Value::as_bool)?)),
        Kind::List(kind) => {
            let lists = of.read("a list", Value::as_array)?;
            let lengths = lists.iter().map(|list| list.map_or(0, Vec::len));
            let offsets = OffsetBuffer::from_lengths(lengths);
            let items: Vec<&Value> = lists.iter().flatten().copied().flatten().collect();
            let items = array(name, kind, &items)?;
            Arc::new(ListArray::try_new(item(kind), offsets, items, nulls(values))?)
        }
        Kind::Object(columns) => {
            of.read("an object", Value::as_object)?;
            let arrays = arrays(columns, values)?;
            let (fields, nulls) = (fields(columns), nulls(values));
            Arc::new(StructArray::try_new_with_length(fields, arrays, nulls, values.len())?)
        }
        Kind::Vector(dims) => {
            let vectors = of.read("a vector", |value| {
                value.as_array().filter(|components| components.len() == *dims)
            })?;
            let mut components = Vec::with_capacity(vectors.len() * dims);
            for vector in vectors {
                let end = components.len() + dims;
                let number = |value: &Value| value.as_f64().unwrap_or_default() as f32;
                components.extend(vector.into_iter().flatten().map(number));
                // What is null takes the room of a vector.
                components.resize(end, 0.0);
            }
            let components = Arc::new(Float32Array::from(components));
            let nulls = nulls(values);
            Arc::new(FixedSizeListArray::try_new(component(), *dims as i32, components, nulls)?)
        }
    })
}

/// Which values are there; `None` if all are.
fn nulls(values: &[&Value]) -> Option<NullBuffer> {
    let is_there: Vec<bool> = values.iter().map(|value| !value.is_null()).collect();
    is_there.contains(&false).then(|| NullBuffer::from(is_there))
}

/// The values of a column.
struct Values<'a> {
    name: &'a str,
    values: &'a [&'a Value],
}

impl<'a> Values<'a> {
    /// The values, null as `None`; an error where one is neither null nor what is expected.
    fn read<T>(
        &self,
        expected: &'static str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Vec<Option<T>>, Error> {
        let one = |value: &&'a Value| match read(value) {
            None if !value.is_null() => Err(Error::Value {
                column: self.name.to_owned(),
                expected,
                found: value.to_string(),
            }),
            found => Ok(found),
        };
        self.values.iter().map(one).collect()
    }
}

/// Days since 1970.
fn day(value: &Value) -> Option<i32> {
    let mut parts = value.as_str()?.splitn(3, '-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let month = Month::try_from(month.parse::<u8>().ok()?).ok()?;
    let date = Date::from_calendar_date(year.parse().ok()?, month, day.parse().ok()?).ok()?;
    Some(date.to_julian_day() - UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use arrow_array::Array as _;
    use arrow_array::cast::AsArray as _;
    use arrow_array::types::{Date32Type, Float32Type, Int64Type};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use serde_json::json;

    use super::*;

    fn column(name: &str, kind: Kind) -> Column {
        Column { name: name.into(), kind, description: format!("The {name}."), is_nullable: true }
    }

    fn columns() -> Vec<Column> {
        let inner = vec![column("sum", Kind::Integer), column("share", Kind::Number)];
        vec![
            column("ein", Kind::Code),
            column("name", Kind::Text),
            column("day", Kind::Day),
            column("is", Kind::Boolean),
            column("goals", Kind::List(Box::new(Kind::Integer))),
            column("pay", Kind::Object(inner.clone())),
            column("figures", Kind::List(Box::new(Kind::Object(inner)))),
            column("vector", Kind::Vector(2)),
        ]
    }

    fn rows() -> Vec<Value> {
        let some = json!({
            "ein": "990000001", "name": "A \u{e9}", "day": "1969-12-31", "is": false, "goals": [1, 13],
            "pay": { "sum": -5, "share": 0.25 }, "figures": [{ "sum": 1, "share": null }],
            "vector": [0.5, -0.25],
        });
        let odd = json!({ "ein": "990000002", "goals": [], "pay": null, "figures": [] });
        (0..BATCH_ROWS + 3).map(|at| if at % 2 == 0 { some.clone() } else { odd.clone() }).collect()
    }

    fn written(rows: Vec<Value>) -> Vec<u8> {
        let mut file = ParquetFile::new(Vec::new(), &columns()).unwrap();
        rows.into_iter().for_each(|row| file.write(row).unwrap());
        file.finish().unwrap()
    }

    #[test]
    fn rows_are_read_back_as_they_were() {
        let bytes = written(rows());
        assert_eq!(bytes, written(rows()), "the same rows, the same bytes");
        let file = hyper::body::Bytes::from(bytes);
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        let mut reader = reader.with_batch_size(2 * BATCH_ROWS).build().unwrap();
        let read = reader.next().unwrap().unwrap();
        let rows = rows();
        let values: Vec<&Value> = rows.iter().collect();
        assert_eq!(read.columns(), arrays(&columns(), &values).unwrap());
        assert_eq!(read.num_rows(), BATCH_ROWS + 3);
        let column = |name: &str| read.column_by_name(name).unwrap();
        assert_eq!(column("name").as_string::<i32>().value(0), "A \u{e9}");
        assert_eq!(column("day").as_primitive::<Date32Type>().value(0), -1);
        assert!(!column("is").as_boolean().value(0));
        let goals = column("goals").as_list::<i32>();
        assert_eq!(goals.value(0).as_primitive::<Int64Type>().values(), &[1, 13]);
        assert!(goals.is_valid(1) && goals.value(1).is_empty());
        let vectors = column("vector").as_fixed_size_list();
        assert_eq!(vectors.value(0).as_primitive::<Float32Type>().values(), &[0.5, -0.25]);
        let figures = column("figures").as_list::<i32>().value(0);
        let sums = figures.as_struct().column(0);
        assert_eq!(sums.as_primitive::<Int64Type>().value(0), 1);
        assert!(figures.as_struct().column(1).is_null(0));
        for absent in ["name", "day", "is", "pay", "vector"] {
            assert!(column(absent).is_null(1), "{absent}");
        }
    }

    #[test]
    fn fields_have_types_and_descriptions() {
        let fields = fields(&columns());
        let vector = fields.find("vector").unwrap().1;
        assert_eq!(*vector.data_type(), DataType::FixedSizeList(component(), 2));
        assert_eq!(vector.metadata()[DESCRIPTION], "The vector.");
        assert_eq!(*fields.find("day").unwrap().1.data_type(), DataType::Date32);
    }

    #[test]
    fn a_value_of_another_type_is_refused() {
        for (row, part) in [
            (json!({ "is": 1 }), "column is should have true or false, found 1"),
            (json!({ "day": "soon" }), "a day as YYYY-MM-DD"),
            (json!({ "goals": ["a"] }), "column goals should have a whole number"),
            (json!({ "vector": [1] }), "a vector"),
        ] {
            let mut file = ParquetFile::new(Vec::new(), &columns()).unwrap();
            file.write(row).unwrap();
            let error = file.finish().unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
