//! Records as CSV, as one JSON array or as JSON lines, written one by one.
//!
//! A record is whatever serializes to a JSON object. In CSV its nested objects are columns called `a.b`,
//! and lists are joined by `; `. A text that a spreadsheet would take for a formula, since it begins with
//! `=`, `+`, `-`, `@`, a tab or a carriage return, gets an apostrophe in front; numbers stay as they are.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::spreadsheet::{LIST_SEPARATOR, guarded};

/// How records are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineFormat {
    Csv,
    /// One JSON array.
    Json,
    /// One JSON object per line.
    Ndjson,
}

/// Writes records.
pub struct LineWriter<W: Write> {
    syntax: Syntax<W>,
    rows: u64,
}

enum Syntax<W: Write> {
    Csv { writer: Box<csv::Writer<W>>, columns: Vec<String> },
    Json { out: W, fields: Option<Vec<String>> },
    Ndjson { out: W, fields: Option<Vec<String>> },
}

impl<W: Write> LineWriter<W> {
    /// Writes these fields of records, or else all, which in CSV are `columns`; the header of CSV at once.
    pub fn new(
        format: LineFormat,
        mut out: W,
        fields: Option<Vec<String>>,
        columns: impl FnOnce() -> Vec<String>,
    ) -> io::Result<Self> {
        let syntax = match format {
            LineFormat::Csv => {
                let columns = fields.unwrap_or_else(columns);
                let mut writer = Box::new(csv::Writer::from_writer(out));
                writer.write_record(&columns).map_err(cause)?;
                Syntax::Csv { writer, columns }
            }
            LineFormat::Json => {
                out.write_all(b"[")?;
                Syntax::Json { out, fields }
            }
            LineFormat::Ndjson => Syntax::Ndjson { out, fields },
        };
        Ok(Self { syntax, rows: 0 })
    }

    /// Ends what was begun, and flushes.
    pub fn finish(self) -> io::Result<W> {
        let mut out = match self.syntax {
            Syntax::Csv { writer, .. } => {
                writer.into_inner().map_err(|error| error.into_error())?
            }
            Syntax::Json { mut out, .. } => {
                out.write_all(if self.rows == 0 { b"]\n" } else { b"\n]\n" })?;
                out
            }
            Syntax::Ndjson { out, .. } => out,
        };
        out.flush()?;
        Ok(out)
    }

    /// Writes a record.
    pub fn write(&mut self, record: &impl Serialize) -> io::Result<()> {
        self.write_record(record)?;
        self.rows += 1;
        Ok(())
    }

    fn write_record(&mut self, record: &impl Serialize) -> io::Result<()> {
        match &mut self.syntax {
            Syntax::Csv { writer, columns } => {
                let record = serde_json::to_value(record)?;
                let cells = columns.iter().map(|column| cell_of(&record, column));
                writer.write_record(cells).map_err(cause)
            }
            Syntax::Json { out, fields } => {
                out.write_all(if self.rows == 0 { b"\n" } else { b",\n" })?;
                write_object(out, record, fields.as_deref())
            }
            Syntax::Ndjson { out, fields } => {
                write_object(out, record, fields.as_deref())?;
                out.write_all(b"\n")
            }
        }
    }
}

/// Why fields cannot be chosen, if one of them is not known.
pub fn misfit(fields: &[String], known: &[String]) -> Option<String> {
    let unknown = fields.iter().find(|field| !known.contains(field))?;
    Some(format!("no field is called {unknown:?}: expected some of {}", known.join(", ")))
}

fn write_object(
    out: &mut impl Write,
    record: &impl Serialize,
    fields: Option<&[String]>,
) -> io::Result<()> {
    let Some(fields) = fields else { return Ok(serde_json::to_writer(out, record)?) };
    let record = serde_json::to_value(record)?;
    let field = |name: &String| (name.clone(), at(&record, name).cloned().unwrap_or_default());
    let chosen: Map<String, Value> = fields.iter().map(field).collect();
    Ok(serde_json::to_writer(out, &chosen)?)
}

/// What the system said of a write that failed.
fn cause(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// The value of a column of a record as a cell.
pub fn cell_of(record: &Value, column: &str) -> String {
    cell(at(record, column))
}

/// The value of a column: `a.b` is what `b` is in `a`.
fn at<'a>(record: &'a Value, column: &str) -> Option<&'a Value> {
    record.get(column).or_else(|| {
        let (outer, inner) = column.split_once('.')?;
        at(record.get(outer)?, inner)
    })
}

/// A value as a cell; what is not known is an empty one.
fn cell(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(_) | Value::Array(_)) => guarded(text(value.unwrap_or(&Value::Null))),
        Some(value) => text(value),
        None => String::new(),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(LIST_SEPARATOR),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(format: LineFormat, fields: Option<&[&str]>, records: &[Value]) -> String {
        let fields = fields.map(|fields| fields.iter().map(|one| (*one).to_owned()).collect());
        let mut writer = LineWriter::new(format, Vec::new(), fields, Vec::new).unwrap();
        records.iter().for_each(|record| writer.write(record).unwrap());
        String::from_utf8(writer.finish().unwrap()).unwrap()
    }

    fn csv(columns: &[&str], records: &[Value]) -> String {
        written(LineFormat::Csv, Some(columns), records)
    }

    #[test]
    fn cells_are_flat_and_quoted() {
        let record = json!({
            "ein": "010000001", "name": "A \"B\", C", "url": null, "sdgs": [1, 13], "lines": "a\nb",
            "place": { "state": "OH", "point": { "lat": -1.5 } }, "is": true, "odd": [{ "x": 1 }],
        });
        let columns = [
            "ein",
            "name",
            "url",
            "sdgs",
            "lines",
            "place.state",
            "place.point.lat",
            "is",
            "odd",
            "no",
        ];
        assert_eq!(
            csv(&columns, &[record]),
            "ein,name,url,sdgs,lines,place.state,place.point.lat,is,odd,no\n\
             010000001,\"A \"\"B\"\", C\",,1; 13,\"a\nb\",OH,-1.5,true,\"{\"\"x\"\":1}\",\n"
        );
        assert_eq!(csv(&["ein", "name"], &[]), "ein,name\n");
        // A single empty cell is not an empty line, which readers skip.
        assert_eq!(csv(&["url"], &[json!({ "url": null })]), "url\n\"\"\n");
    }

    #[test]
    fn no_text_is_a_formula() {
        for (value, expected) in [
            (json!("=1+1"), "'=1+1"),
            (json!("+1 555"), "'+1 555"),
            (json!("-x"), "'-x"),
            (json!("@SUM(A1)"), "'@SUM(A1)"),
            (json!("\t=1"), "'\t=1"),
            (json!(["=1", "b"]), "'=1; b"),
            (json!("a=1"), "a=1"),
            (json!(""), ""),
            (json!(-5), "-5"),
            (json!(-1.25), "-1.25"),
        ] {
            assert_eq!(cell(Some(&value)), expected, "{value}");
        }
    }

    #[test]
    fn json_is_one_array_or_lines() {
        let records = [json!({ "a": 1, "b": { "c": "x" } }), json!({ "a": null, "b": null })];
        let array = |records: &[Value]| written(LineFormat::Json, None, records);
        assert_eq!(
            array(&records),
            "[\n{\"a\":1,\"b\":{\"c\":\"x\"}},\n{\"a\":null,\"b\":null}\n]\n"
        );
        assert_eq!(array(&[]), "[]\n");
        assert_eq!(
            written(LineFormat::Ndjson, Some(&["b.c", "a"]), &records),
            "{\"b.c\":\"x\",\"a\":1}\n{\"b.c\":null,\"a\":null}\n"
        );
    }
}
