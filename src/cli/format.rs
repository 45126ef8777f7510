//! The formats of lists, and the flags that choose one.

use clap::ValueEnum;

use super::record_writer::RecordFormat;

/// How a list is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Aligned columns for people
    Table,
    /// Comma-separated values with a header row, for spreadsheets
    Csv,
    /// One JSON array
    Json,
    /// One JSON object per line
    Ndjson,
}

impl Format {
    /// How records are written; `None` for a table.
    pub(super) fn of_records(self) -> Option<RecordFormat> {
        match self {
            Self::Table => None,
            Self::Csv => Some(RecordFormat::Csv),
            Self::Json => Some(RecordFormat::Json),
            Self::Ndjson => Some(RecordFormat::Ndjson),
        }
    }
}

/// Which format.
#[derive(Debug, clap::Args)]
pub(super) struct FormatArguments {
    /// How to write the list [default: table]
    #[arg(long, value_name = "FORMAT", env = "ALMONER_FORMAT", value_enum)]
    format: Option<Format>,
    /// The same as --format ndjson
    #[arg(long, env = "ALMONER_JSON")]
    json: bool,
}

impl FormatArguments {
    pub(super) fn format(&self) -> Format {
        self.format.unwrap_or(if self.json { Format::Ndjson } else { Format::Table })
    }
}
