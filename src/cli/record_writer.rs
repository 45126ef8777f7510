//! Records on their way to a file or to standard output, as [`LineWriter`] writes them; an error says what cannot be written.

use std::io::Write;

use anyhow::Context as _;
use serde::Serialize;

use crate::export::RowWriter;
use crate::export::lines::{LineFormat, LineWriter};

/// Writes records.
pub(super) struct RecordWriter<W: Write> {
    lines: LineWriter<W>,
    /// What an error of writing says.
    cannot: String,
}

impl<W: Write> RecordWriter<W> {
    /// As [`LineWriter::new`]; `cannot` is what an error of writing says.
    pub(super) fn new(
        format: LineFormat,
        out: W,
        fields: Option<Vec<String>>,
        columns: impl FnOnce() -> Vec<String>,
        cannot: &str,
    ) -> anyhow::Result<Self> {
        let cannot = cannot.to_owned();
        let lines =
            LineWriter::new(format, out, fields, columns).with_context(|| cannot.clone())?;
        Ok(Self { lines, cannot })
    }

    /// Ends what was begun, and flushes.
    pub(super) fn finish(self) -> anyhow::Result<W> {
        self.lines.finish().context(self.cannot)
    }
}

impl<W: Write> RowWriter for RecordWriter<W> {
    type Error = anyhow::Error;

    fn write(&mut self, record: &impl Serialize) -> anyhow::Result<()> {
        self.lines.write(record).with_context(|| self.cannot.clone())
    }
}
