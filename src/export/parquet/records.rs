//! Parquet files of records in a form of their own, each with columns that tell people and other programs what it is about.
//!
//! The record is the last column, bytes. Only records are read back; what the file is about stands in its metadata.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array as _, ArrayRef, BinaryArray, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use serde_json::Value;

use super::{Column, Error, WRITER, arrays, fields};

/// The column of records.
const RECORD: &str = "record";
/// Rows that become columns, or are read, at once.
const BATCH_ROWS: usize = 256;
/// Rows of a group, which is held in memory: a tenth of those of tables, since records are long.
const GROUP_ROWS: usize = 4 * 1_024;

/// A file on its way, compressed by Snappy in groups of 4,096 rows.
pub struct RecordWriter<W: Write + Send> {
    writer: ArrowWriter<W>,
    columns: Vec<Column>,
    schema: SchemaRef,
    rows: Vec<Value>,
    records: Vec<Vec<u8>>,
}

impl<W: Write + Send> RecordWriter<W> {
    /// Begins a file with some columns before the record.
    pub fn new(out: W, columns: &[Column]) -> Result<Self, Error> {
        let mut all: Vec<Arc<Field>> = fields(columns).iter().map(Arc::clone).collect();
        all.push(Arc::new(Field::new(RECORD, DataType::Binary, false)));
        let schema = Arc::new(Schema::new(all));
        let properties = WriterProperties::builder()
            .set_created_by(WRITER.to_owned())
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .set_column_dictionary_enabled(RECORD.into(), false);
        let writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties.build()))?;
        Ok(Self { writer, columns: columns.to_vec(), schema, rows: vec![], records: vec![] })
    }

    /// Adds a record and its row, an object.
    ///
    /// # Errors
    /// When rows until now are not of the columns, or the file cannot be written.
    pub fn write(&mut self, row: Value, record: Vec<u8>) -> Result<(), Error> {
        self.rows.push(row);
        self.records.push(record);
        if self.rows.len() == BATCH_ROWS { self.write_batch() } else { Ok(()) }
    }

    /// Writes what is left, a text that says what the file is under its name, and the end of the file.
    pub fn finish(mut self, name: &str, text: String) -> Result<W, Error> {
        self.write_batch()?;
        self.writer.append_key_value_metadata(KeyValue::new(name.to_owned(), text));
        Ok(self.writer.into_inner()?)
    }

    fn write_batch(&mut self) -> Result<(), Error> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let rows: Vec<&Value> = self.rows.iter().collect();
        let mut arrays = arrays(&self.columns, &rows)?;
        let records = self.records.iter().map(Vec::as_slice);
        arrays.push(Arc::new(BinaryArray::from_iter_values(records)) as ArrayRef);
        self.writer.write(&RecordBatch::try_new(Arc::clone(&self.schema), arrays)?)?;
        self.rows.clear();
        self.records.clear();
        Ok(())
    }
}

/// An opened file.
pub struct RecordReader(ParquetRecordBatchReaderBuilder<File>);

impl RecordReader {
    /// Opens a file and reads its metadata.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file =
            File::open(path).map_err(|error| ArrowError::IoError(error.to_string(), error))?;
        Ok(Self(ParquetRecordBatchReaderBuilder::try_new(file)?))
    }

    /// The text that it has under a name.
    pub fn text(&self, name: &str) -> Option<&str> {
        let texts = self.0.metadata().file_metadata().key_value_metadata()?;
        texts.iter().find(|text| text.key == name)?.value.as_deref()
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.0.metadata().file_metadata().num_rows().unsigned_abs()
    }

    /// Passes up to `rows` records to `on`, in order, starting with the record `first`; returns how many.
    pub fn read<E: From<Error>>(
        self,
        first: u64,
        rows: u64,
        on: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<u64, E> {
        let failed = |error: ArrowError| E::from(Error::from(error));
        let mask = ProjectionMask::columns(self.0.parquet_schema(), [RECORD]);
        let builder = self.0.with_projection(mask).with_batch_size(BATCH_ROWS);
        let builder = builder.with_offset(first as usize).with_limit(rows as usize);
        let mut count = 0;
        for batch in builder.build().map_err(|error| E::from(Error::from(error)))? {
            let batch = batch.map_err(failed)?;
            let records = batch.column_by_name(RECORD);
            let records = records.and_then(|column| column.as_any().downcast_ref::<BinaryArray>());
            let records = records.ok_or_else(|| {
                failed(ArrowError::SchemaError(format!("expected a column {RECORD} of bytes")))
            })?;
            for record in records {
                on(record.unwrap_or_default())?;
                count += 1;
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::export::Kind;

    #[test]
    fn records_are_read_back_from_anywhere() {
        let (name, kind) = ("number".to_owned(), Kind::Integer);
        let column = Column { name, kind, description: "Which.".into(), is_nullable: false };
        let mut file = RecordWriter::new(Vec::new(), &[column]).unwrap();
        let records = GROUP_ROWS + 700;
        for number in 0..records {
            file.write(json!({ "number": number }), number.to_le_bytes().to_vec()).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let bytes = file.finish("what", "numbers".to_owned()).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        for (first, rows) in [(0, records), (4_000, 300), (records - 1, 1), (5, 0)] {
            let file = RecordReader::open(&path).unwrap();
            assert_eq!((file.text("what"), file.rows()), (Some("numbers"), records as u64));
            let mut read = Vec::new();
            let count = file.read::<Error>(first as u64, rows as u64, &mut |record| {
                read.push(usize::from_le_bytes(record.try_into().unwrap()));
                Ok(())
            });
            assert_eq!(count.unwrap(), rows as u64);
            assert_eq!(read, (first..first + rows).collect::<Vec<_>>());
        }
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert!(RecordReader::open(&path).is_err());
    }
}
