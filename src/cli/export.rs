//! `almoner export`: the tables of a snapshot, of all nonprofits that satisfy filters, to files, to a folder for
//! another program, or to standard output.

mod arguments;
mod folder;
mod formats;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use serde::Serialize;

use super::flags::Verbosity;
use super::output_file::{Counted, OutputFile};
use super::progress::{Bar, counted};
use super::record_writer::RecordWriter;
use super::table::size;
use super::{OUTPUT, Outcome, complain_plainly, is_full, misused};
use crate::embed::Lazy;
use crate::export::lines::LineFormat;
use crate::export::{Outline, RowWriter};
use crate::index::vectors::Vectors;
use crate::query::Filters;
use crate::record::thousands;
use crate::search::gaps::unknown_places;
use crate::search::nonprofits::{self, NonprofitPage};
use crate::search::tables::Scope;
use crate::snapshot::{self, Snapshot};
use crate::views::Table;
pub(super) use arguments::Arguments;
use arguments::{Extra, Format, STANDARD_OUTPUT, tables, targets, usable};
use folder::OutputFolder;
use formats::FolderFormat;

/// Rows between two looks at the progress.
const ROWS_A_STEP: u64 = 1_024;

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let format = usable(&arguments).map_err(misused)?;
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
    warn(&found, &filters, verbosity);
    let vectors = match arguments.with.contains(&Extra::Vectors) {
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
                export.to_files(format, &targets).map_err(|error| explain_full_disk(error, out))?;
            let place = if let [one] = &targets[..] { one } else { out };
            (written, place.display().to_string())
        }
        Format::Folder(format) => {
            let written =
                export.to_folder(format, out).map_err(|error| explain_full_disk(error, out))?;
            (written, out.display().to_string())
        }
    };
    verbosity.say(&written.summary(began, &place));
    Ok(Outcome::Done)
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
fn warn(found: &NonprofitPage, filters: &Filters, verbosity: Verbosity) {
    let unknown = unknown_places(&filters.areas).into_iter().map(|place| place.to_string());
    for clause in found.plan.gaps.clauses().into_iter().chain(unknown) {
        complain_plainly(&format!("warning: {clause}"));
    }
    if found.unknown > 0 {
        let left_out = thousands(found.unknown);
        verbosity.say(&format!("{left_out} left out because a value is not known"));
    }
}

/// An error of a full disk with what to do about it.
fn explain_full_disk(error: anyhow::Error, folder: &Path) -> anyhow::Error {
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
            let out = Counted::new(BufWriter::new(io::stdout().lock()));
            written.bytes +=
                self.write_lines(format, table, out, OUTPUT, &mut written.rows)?.bytes();
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
            let file = self.write_lines(format, table, file, &cannot, &mut written.rows)?;
            written.bytes += file.bytes();
            files.push((file, cannot));
        }
        files.into_iter().try_for_each(|(file, cannot)| file.publish().context(cannot))?;
        Ok(written)
    }

    /// Writes a table to a file, and notes its rows; `cannot` is what an error of writing says.
    fn write_lines<W: Write>(
        &self,
        format: LineFormat,
        table: Table,
        out: W,
        cannot: &str,
        written: &mut Vec<(Table, u64)>,
    ) -> anyhow::Result<W> {
        let fields = Some(self.fields.to_vec()).filter(|fields| !fields.is_empty());
        let columns = || self.outline(table).flat_names();
        let lines = RecordWriter::new(format, out, fields, columns, cannot)?;
        let (rows, lines) = self.write(table, lines)?;
        written.push((table, rows));
        lines.finish()
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
        let mut counted_rows = ProgressWriter { out, bar: &bar, rows: 0 };
        let result = table.write(self.snapshot, &self.scope, self.vectors, &mut counted_rows);
        let ProgressWriter { out, rows, .. } = counted_rows;
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

/// Counts the rows that are written, and shows how far they are.
struct ProgressWriter<'a, W> {
    out: W,
    bar: &'a Bar,
    rows: u64,
}

impl<W: RowWriter> RowWriter for ProgressWriter<'_, W> {
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
