//! `almoner export`: all nonprofits that satisfy filters, with every field of their details, to a file or to
//! standard output.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::ValueEnum;

use super::filters::FilterArguments;
use super::output_file::OutputFile;
use super::progress::{Bar, counted};
use super::record_writer::RecordWriter;
use super::table::size;
use super::verbosity::{Verbosity, VerbosityArguments};
use super::{DataDir, OUTPUT, Outcome, complain, complain_plainly, is_full};
use crate::embed::Lazy;
use crate::http::Details;
use crate::record::thousands;
use crate::search::nonprofits::{self, NonprofitPage, Rows};
use crate::snapshot;

/// What stands for standard output.
const STANDARD_OUTPUT: &str = "-";

/// Rows between two looks at the progress.
const ROWS_A_STEP: u64 = 1_024;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    /// Folder to write the file nonprofits.csv or nonprofits.ndjson into, or - for standard output
    #[arg(value_name = "OUT_DIR")]
    out: PathBuf,
    /// How to write the nonprofits
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ExportFormat::Csv)]
    format: ExportFormat,
    /// Only these fields, in this order, by their names in /nonprofits/details: ein,name,state [default: all]
    #[arg(long, value_name = "NAME", env = "ALMONER_FIELDS", value_delimiter = ',')]
    fields: Vec<String>,
    /// Replace a file that is there
    #[arg(long, env = "ALMONER_FORCE")]
    force: bool,
    #[command(flatten)]
    filters: FilterArguments,
    #[command(flatten)]
    verbosity: VerbosityArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// Comma-separated values with a header row
    Csv,
    /// One JSON object per line
    Ndjson,
    #[value(hide = true)]
    Parquet,
    #[value(hide = true)]
    Opensearch,
}

/// The formats that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Csv,
    Ndjson,
}

impl Written {
    fn of(format: ExportFormat) -> Result<Self, String> {
        let name = match format {
            ExportFormat::Csv => return Ok(Self::Csv),
            ExportFormat::Ndjson => return Ok(Self::Ndjson),
            ExportFormat::Parquet => "parquet",
            ExportFormat::Opensearch => "opensearch",
        };
        Err(format!("--format {name} is not written yet: expected csv or ndjson"))
    }

    fn file_name(self) -> &'static str {
        match self {
            Self::Csv => "nonprofits.csv",
            Self::Ndjson => "nonprofits.ndjson",
        }
    }

    fn writer<W: Write>(self, out: W, fields: Vec<String>) -> io::Result<RecordWriter<W>> {
        match self {
            Self::Csv if fields.is_empty() => RecordWriter::csv(out, Details::columns()),
            Self::Csv => RecordWriter::csv(out, fields),
            Self::Ndjson => {
                Ok(RecordWriter::ndjson(out, Some(fields).filter(|fields| !fields.is_empty())))
            }
        }
    }
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let format = match usable(&arguments) {
        Ok(format) => format,
        Err(why) => {
            complain(&why);
            return Ok(Outcome::Usage);
        }
    };
    let target = match arguments.out.as_os_str() == STANDARD_OUTPUT {
        true => None,
        false => Some(target(&arguments, format)?),
    };
    let began = Instant::now();
    let snapshot = snapshot::open_with(&arguments.data_dir.path, &Arc::<Lazy>::default())?;
    let (found, rows) = nonprofits::all(&snapshot, &arguments.filters.frame().filters())?;
    let verbosity = arguments.verbosity.verbosity();
    warn(&found, verbosity);
    let bar = Bar::of(verbosity, "export", Some(found.total));
    let (rows, bytes, place) = match &target {
        None => {
            let out = Counted { out: BufWriter::new(io::stdout().lock()), bytes: 0 };
            let writer = format.writer(out, arguments.fields).context(OUTPUT)?;
            let (rows, out) = write(writer, rows, &bar, OUTPUT)?;
            (rows, out.bytes, "standard output".to_owned())
        }
        Some(target) => {
            let (rows, bytes) = write_file(target, format, arguments.fields, rows, &bar)
                .map_err(|error| told_of_room(error, target))?;
            (rows, bytes, target.display().to_string())
        }
    };
    bar.clear();
    verbosity.say(&summary(rows, bytes, began.elapsed(), &place));
    Ok(Outcome::Done)
}

/// The format, when the flags make sense together.
fn usable(arguments: &Arguments) -> Result<Written, String> {
    let format = Written::of(arguments.format)?;
    let known = Details::columns();
    if let Some(unknown) = arguments.fields.iter().find(|field| !known.contains(field)) {
        return Err(format!(
            "no field is called {unknown:?}: expected some of {}",
            known.join(", ")
        ));
    }
    arguments.filters.misfit().map_or(Ok(format), Err)
}

/// The file to write, which is not there unless it may be replaced.
fn target(arguments: &Arguments, format: Written) -> anyhow::Result<PathBuf> {
    let folder = &arguments.out;
    anyhow::ensure!(
        folder.is_dir(),
        "{} is no folder; create it first, or give - for standard output",
        folder.display()
    );
    let target = folder.join(format.file_name());
    anyhow::ensure!(
        arguments.force || !target.exists(),
        "{} is there already; replace it with --force, or write into another folder",
        target.display()
    );
    Ok(target)
}

/// Says what the filters ask for of which nothing is loaded, and how many were left out for that.
fn warn(found: &NonprofitPage, verbosity: Verbosity) {
    for clause in found.plan.gaps.clauses() {
        complain_plainly(&format!("warning: {clause}"));
    }
    if found.unknown > 0 {
        let left_out = thousands(found.unknown);
        verbosity.say(&format!("{left_out} left out because a value is not known"));
    }
}

fn write_file(
    target: &Path,
    format: Written,
    fields: Vec<String>,
    rows: Rows<'_>,
    bar: &Bar,
) -> anyhow::Result<(u64, u64)> {
    let cannot = format!("cannot write {}", target.display());
    let file = OutputFile::create(target).with_context(|| cannot.clone())?;
    let writer = format.writer(file, fields).with_context(|| cannot.clone())?;
    let (rows, file) = write(writer, rows, bar, &cannot)?;
    let bytes = file.bytes();
    file.publish().context(cannot)?;
    Ok((rows, bytes))
}

/// Writes the rows; `cannot` is what an error of writing says.
fn write<W: Write>(
    mut writer: RecordWriter<W>,
    rows: Rows<'_>,
    bar: &Bar,
    cannot: &str,
) -> anyhow::Result<(u64, W)> {
    for row in rows {
        let organization = row?.organization;
        writer.write(&Details::of(&organization)).with_context(|| cannot.to_owned())?;
        if writer.rows().is_multiple_of(ROWS_A_STEP) {
            bar.advance(ROWS_A_STEP);
        }
    }
    let rows = writer.rows();
    Ok((rows, writer.finish().with_context(|| cannot.to_owned())?))
}

/// An error of a full disk with what to do about it.
fn told_of_room(error: anyhow::Error, target: &Path) -> anyhow::Error {
    if !is_full(&super::chain(&error)) {
        return error;
    }
    let folder = target.parent().unwrap_or(target).display().to_string();
    error.context(format!(
        "no room in {folder}: free some space there, or write into a folder on a larger disk"
    ))
}

fn summary(rows: u64, bytes: u64, took: Duration, place: &str) -> String {
    let seconds = took.as_secs_f64();
    let rate = thousands((rows as f64 / seconds.max(1e-3)) as u64);
    format!(
        "{}, {} in {seconds:.1} s ({rate} a second) to {place}",
        counted(rows, "nonprofit"),
        size(bytes)
    )
}

/// Counts what is written.
struct Counted<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
