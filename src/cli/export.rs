//! `almoner export`: the tables of a snapshot, of all nonprofits that satisfy filters, to files, to a folder for
//! another program, or to standard output.

mod folder;
mod formats;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use serde::Serialize;

use super::filters::FilterArguments;
use super::output_file::OutputFile;
use super::progress::{Bar, counted};
use super::record_writer::RecordWriter;
use super::table::size;
use super::verbosity::{Verbosity, VerbosityArguments};
use super::{DataDir, OUTPUT, Outcome, complain, complain_plainly, is_full};
use crate::embed::Lazy;
use crate::export::{Outline, RowWriter};
use crate::http::Table;
use crate::index::vectors::Vectors;
use crate::query::Filters;
use crate::record::thousands;
use crate::search::nonprofits::{self, NonprofitPage};
use crate::search::tables::Scope;
use crate::snapshot::{self, Snapshot};
use folder::OutputFolder;
use formats::FolderFormat;

/// What stands for standard output.
const STANDARD_OUTPUT: &str = "-";

/// Rows between two looks at the progress.
const ROWS_A_STEP: u64 = 1_024;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    /// Folder to write nonprofits.csv or nonprofits.ndjson into, or - for standard output; of the other formats a new
    /// or empty folder
    #[arg(value_name = "OUT_DIR")]
    out: PathBuf,
    /// How to write the tables
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ExportFormat::Csv)]
    format: ExportFormat,
    /// Which tables [default: organizations in csv and ndjson, else all]
    #[arg(long, env = "ALMONER_TABLES", value_delimiter = ',', value_parser = PossibleValuesParser::new(Table::ALL.map(Table::name)).map(table_of))]
    tables: Vec<Table>,
    /// Only these fields, in this order: ein,name,state [default: all]
    #[arg(long, value_name = "NAME", env = "ALMONER_FIELDS", value_delimiter = ',')]
    fields: Vec<String>,
    /// What to write beside: the vectors of organizations
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    with: Vec<Beside>,
    /// Replace files that are there
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
    /// A folder of Parquet files a table, organizations by state (programs built with the feature tables)
    Parquet,
    /// Definitions, rows for COPY and indexes of PostgreSQL
    Postgres,
    /// Indexes and _bulk requests of OpenSearch
    Opensearch,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Beside {
    /// What each nonprofit is about, as numbers
    Vectors,
}

/// How tables are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Lines(LineFormat),
    Folder(FolderFormat),
}

/// One file a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineFormat {
    Csv,
    Ndjson,
}

impl LineFormat {
    fn file_name(self, table: Table) -> String {
        let name = match table {
            Table::Organizations => "nonprofits",
            other => other.name(),
        };
        let extension = match self {
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
        };
        format!("{name}.{extension}")
    }

    fn writer<W: Write>(
        self,
        out: W,
        outline: &Outline,
        fields: &[String],
    ) -> io::Result<RecordWriter<W>> {
        let fields = Some(fields.to_vec()).filter(|fields| !fields.is_empty());
        match self {
            Self::Csv => RecordWriter::csv(out, fields.unwrap_or_else(|| outline.flat_names())),
            Self::Ndjson => Ok(RecordWriter::ndjson(out, fields)),
        }
    }
}

impl Format {
    fn of(format: ExportFormat) -> Result<Self, String> {
        Ok(match format {
            ExportFormat::Csv => Self::Lines(LineFormat::Csv),
            ExportFormat::Ndjson => Self::Lines(LineFormat::Ndjson),
            ExportFormat::Postgres => Self::Folder(FolderFormat::Postgres),
            ExportFormat::Opensearch => Self::Folder(FolderFormat::Opensearch),
            #[cfg(feature = "tables")]
            ExportFormat::Parquet => Self::Folder(FolderFormat::Parquet),
            #[cfg(not(feature = "tables"))]
            ExportFormat::Parquet => {
                return Err("--format parquet is not in this program: expected one that was built with the feature \
                            tables; get it by `cargo install --path . --features tables` in the sources, or export \
                            csv or ndjson, which DuckDB, Polars, pandas and Spark read too"
                    .to_owned());
            }
        })
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
    let tables = tables(&arguments, format);
    let is_standard_output = arguments.out.as_os_str() == STANDARD_OUTPUT;
    let targets = match format {
        Format::Lines(format) if !is_standard_output => targets(&arguments, format, &tables)?,
        _ => Vec::new(),
    };
    let began = Instant::now();
    let snapshot = snapshot::open_with(&arguments.data_dir.path, &Arc::<Lazy>::default())?;
    let filters = arguments.filters.frame().filters();
    let (found, orgs) = nonprofits::all(&snapshot, &filters)?;
    let verbosity = arguments.verbosity.verbosity();
    warn(&found, verbosity);
    let vectors = match arguments.with.contains(&Beside::Vectors) {
        true => Some(vectors(&snapshot)?),
        false => None,
    };
    let export = Export {
        snapshot: &snapshot,
        scope: if filters == Filters::default() { Scope::Everybody } else { Scope::Some(orgs) },
        vectors,
        tables,
        fields: &arguments.fields,
        organizations: found.total,
        verbosity,
    };
    let out = &arguments.out;
    let (written, place) = match format {
        Format::Lines(format) if is_standard_output => {
            (export.to_standard_output(format)?, "standard output".to_owned())
        }
        Format::Lines(format) => {
            let written =
                export.to_files(format, &targets).map_err(|error| told_of_room(error, out))?;
            let place = if let [one] = &targets[..] { one } else { out };
            (written, place.display().to_string())
        }
        Format::Folder(format) => {
            let written =
                export.to_folder(format, out).map_err(|error| told_of_room(error, out))?;
            (written, out.display().to_string())
        }
    };
    verbosity.say(&written.summary(began, &place));
    Ok(Outcome::Done)
}

/// The table of a name that was checked.
fn table_of(name: String) -> Table {
    Table::named(&name).expect("clap lets the names of tables pass only")
}

/// The format, when the flags make sense together.
fn usable(arguments: &Arguments) -> Result<Format, String> {
    let format = Format::of(arguments.format)?;
    let tables = tables(arguments, format);
    let name = arguments.format.to_possible_value();
    let name = name.as_ref().map(|value| value.get_name()).unwrap_or_default();
    if let Format::Folder(_) = format {
        if arguments.out.as_os_str() == STANDARD_OUTPUT {
            return Err(format!(
                "--format {name} is a folder of files: expected the name of a new one, found -"
            ));
        }
        if !arguments.fields.is_empty() {
            return Err(format!(
                "--fields is for csv and ndjson: expected none for {name}, whose readers choose columns themselves"
            ));
        }
    } else if arguments.out.as_os_str() == STANDARD_OUTPUT && tables.len() > 1 {
        return Err(format!(
            "standard output takes one table: expected one in --tables, found {}",
            tables.len()
        ));
    }
    if arguments.with.contains(&Beside::Vectors) && arguments.format == ExportFormat::Csv {
        return Err(
            "--with vectors is not for csv: expected ndjson, parquet, postgres or opensearch"
                .to_owned(),
        );
    }
    for table in tables.iter().filter(|_| !arguments.fields.is_empty()) {
        let known = table.outline(None).flat_names();
        if let Some(unknown) = arguments.fields.iter().find(|field| !known.contains(field)) {
            return Err(format!(
                "no field is called {unknown:?}: expected some of {}",
                known.join(", ")
            ));
        }
    }
    arguments.filters.misfit().map_or(Ok(format), Err)
}

/// The tables asked for, each once.
fn tables(arguments: &Arguments, format: Format) -> Vec<Table> {
    let asked = &arguments.tables;
    match format {
        Format::Lines(_) if asked.is_empty() => vec![Table::Organizations],
        _ => Table::ALL.into_iter().filter(|one| asked.is_empty() || asked.contains(one)).collect(),
    }
}

/// The files to write, which are not there unless they may be replaced.
fn targets(
    arguments: &Arguments,
    format: LineFormat,
    tables: &[Table],
) -> anyhow::Result<Vec<PathBuf>> {
    let folder = &arguments.out;
    anyhow::ensure!(
        folder.is_dir(),
        "{} is no folder; create it first, or give - for standard output",
        folder.display()
    );
    let target = |table: &Table| {
        let target = folder.join(format.file_name(*table));
        anyhow::ensure!(
            arguments.force || !target.exists(),
            "{} is there already; replace it with --force, or write into another folder",
            target.display()
        );
        Ok(target)
    };
    tables.iter().map(target).collect()
}

/// The vectors of organizations.
fn vectors(snapshot: &Snapshot) -> anyhow::Result<&Vectors> {
    anyhow::ensure!(
        snapshot.awaited().is_none(),
        "the vectors of the snapshot are still being made; export them when its build is done, or leave out --with vectors"
    );
    snapshot.vectors.as_ref().context(
        "the snapshot was built without embeddings; build it without --no-semantic, or leave out --with vectors",
    )
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

/// An error of a full disk with what to do about it.
fn told_of_room(error: anyhow::Error, folder: &Path) -> anyhow::Error {
    if !is_full(&super::chain(&error)) {
        return error;
    }
    error.context(format!(
        "no room in {}: free some space there, or write into a folder on a larger disk",
        folder.display()
    ))
}

/// What is exported.
struct Export<'a> {
    snapshot: &'a Snapshot,
    scope: Scope,
    vectors: Option<&'a Vectors>,
    tables: Vec<Table>,
    fields: &'a [String],
    /// How many organizations there will be.
    organizations: u64,
    verbosity: Verbosity,
}

/// What was written.
#[derive(Debug, Default)]
struct Written {
    rows: Vec<(Table, u64)>,
    bytes: u64,
}

impl Export<'_> {
    fn outline(&self, table: Table) -> Outline {
        table.outline(self.vectors.map(Vectors::dims))
    }

    fn to_standard_output(&self, format: LineFormat) -> anyhow::Result<Written> {
        let mut written = Written::default();
        for &table in &self.tables {
            let out = Counted { out: BufWriter::new(io::stdout().lock()), bytes: 0 };
            let outline = self.outline(table);
            let writer = format.writer(out, &outline, self.fields).context(OUTPUT)?;
            let (rows, lines) = self.write(table, Lines { writer, cannot: OUTPUT })?;
            written.rows.push((table, rows));
            written.bytes += lines.writer.finish().context(OUTPUT)?.bytes;
        }
        Ok(written)
    }

    /// Writes a file a table, all of which get their names when the last is whole.
    fn to_files(&self, format: LineFormat, targets: &[PathBuf]) -> anyhow::Result<Written> {
        let mut written = Written::default();
        let mut files = Vec::new();
        for (&table, target) in self.tables.iter().zip(targets) {
            let cannot = format!("cannot write {}", target.display());
            let file = OutputFile::create(target).with_context(|| cannot.clone())?;
            let outline = self.outline(table);
            let writer =
                format.writer(file, &outline, self.fields).with_context(|| cannot.clone())?;
            let (rows, lines) = self.write(table, Lines { writer, cannot: &cannot })?;
            let file = lines.writer.finish().with_context(|| cannot.clone())?;
            written.rows.push((table, rows));
            written.bytes += file.bytes();
            files.push((file, cannot));
        }
        files.into_iter().try_for_each(|(file, cannot)| file.publish().context(cannot))?;
        Ok(written)
    }

    /// Writes a folder, which gets its name when all of it is whole.
    fn to_folder(&self, format: FolderFormat, target: &Path) -> anyhow::Result<Written> {
        let folder = OutputFolder::create(target)?;
        let mut written = Written::default();
        let outlines: Vec<Outline> = self.tables.iter().map(|one| self.outline(*one)).collect();
        for (&table, outline) in self.tables.iter().zip(&outlines) {
            let (rows, bytes) = match format {
                #[cfg(feature = "tables")]
                FolderFormat::Parquet => {
                    let (rows, out) =
                        self.write(table, formats::ParquetTable::new(&folder, outline))?;
                    (rows, out.finish()?)
                }
                FolderFormat::Postgres => {
                    let (rows, out) =
                        self.write(table, formats::PostgresTable::new(&folder, outline)?)?;
                    (rows, out.finish()?)
                }
                FolderFormat::Opensearch => {
                    let (rows, out) =
                        self.write(table, formats::OpensearchTable::new(&folder, outline)?)?;
                    (rows, out.finish()?)
                }
            };
            written.rows.push((table, rows));
            written.bytes += bytes;
        }
        if format == FolderFormat::Postgres {
            written.bytes += formats::postgres_scripts(&folder, &outlines)?;
        }
        folder.publish()?;
        Ok(written)
    }

    /// Writes the rows of a table, and says how many they were.
    fn write<W>(&self, table: Table, out: W) -> anyhow::Result<(u64, W)>
    where
        W: RowWriter<Error = anyhow::Error>,
    {
        let total = Some(self.organizations).filter(|_| table == Table::Organizations);
        let bar = Bar::of(self.verbosity, table.name(), total);
        let mut shown = Shown { out, bar: &bar, rows: 0 };
        let result = table.write(self.snapshot, &self.scope, self.vectors, &mut shown);
        let Shown { out, rows, .. } = shown;
        bar.clear();
        result.map(|()| (rows, out))
    }
}

impl Written {
    fn summary(&self, began: Instant, place: &str) -> String {
        let seconds = began.elapsed().as_secs_f64();
        let all: u64 = self.rows.iter().map(|(_, rows)| rows).sum();
        let rate = thousands((all as f64 / seconds.max(1e-3)) as u64);
        let rows: Vec<String> = match &self.rows[..] {
            [(Table::Organizations, rows)] => vec![counted(*rows, "nonprofit")],
            several => several
                .iter()
                .map(|(table, rows)| format!("{} {}", thousands(*rows), table.name()))
                .collect(),
        };
        format!(
            "{}, {} in {seconds:.1} s ({rate} a second) to {place}",
            rows.join(", "),
            size(self.bytes)
        )
    }
}

/// Writes lines; `cannot` is what an error of writing says.
struct Lines<'a, W: Write> {
    writer: RecordWriter<W>,
    cannot: &'a str,
}

impl<W: Write> RowWriter for Lines<'_, W> {
    type Error = anyhow::Error;

    fn write(&mut self, row: &impl Serialize) -> anyhow::Result<()> {
        self.writer.write(row).with_context(|| self.cannot.to_owned())
    }
}

/// Counts the rows that are written, and shows how far they are.
struct Shown<'a, W> {
    out: W,
    bar: &'a Bar,
    rows: u64,
}

impl<W: RowWriter> RowWriter for Shown<'_, W> {
    type Error = W::Error;

    fn write(&mut self, row: &impl Serialize) -> Result<(), W::Error> {
        self.out.write(row)?;
        self.rows += 1;
        if self.rows.is_multiple_of(ROWS_A_STEP) {
            self.bar.advance(ROWS_A_STEP);
        }
        Ok(())
    }
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
