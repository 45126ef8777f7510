//! The arguments of `almoner export`, and whether they make sense together.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::formats::FolderFormat;
use crate::cli::DataDir;
use crate::cli::filters::FilterArguments;
use crate::cli::flags::VerbosityArguments;
use crate::export::lines::{LineFormat, misfit};
use crate::views::Table;

/// What stands for standard output.
pub(super) const STANDARD_OUTPUT: &str = "-";

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    pub(super) data_dir: DataDir,
    /// A new file, a folder to write nonprofits.csv or nonprofits.ndjson into, or - for standard output; of the other
    /// formats a new or empty folder
    #[arg(value_name = "OUT")]
    pub(super) out: PathBuf,
    /// How to write the tables
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ExportFormat::Csv)]
    format: ExportFormat,
    /// Which tables [default: organizations in csv and ndjson, else all]
    #[arg(long, env = "ALMONER_TABLES", value_delimiter = ',', value_parser = PossibleValuesParser::new(Table::ALL.map(Table::name)).map(table_of))]
    pub(super) tables: Vec<Table>,
    /// Only these fields, in this order: ein,name,state [default: all]
    #[arg(long, value_name = "NAME", env = "ALMONER_FIELDS", value_delimiter = ',')]
    pub(super) fields: Vec<String>,
    /// What to write beside: the vectors of organizations
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    pub(super) with: Vec<Extra>,
    /// Replace files that are there
    #[arg(long, env = "ALMONER_FORCE")]
    force: bool,
    #[command(flatten)]
    pub(super) filters: FilterArguments,
    #[command(flatten)]
    pub(super) verbosity: VerbosityArguments,
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
pub(super) enum Extra {
    /// What each nonprofit is about, as numbers
    Vectors,
}

/// How tables are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// One file a table.
    Lines(LineFormat),
    Folder(FolderFormat),
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

/// The table of a name that was checked.
fn table_of(name: String) -> Table {
    Table::named(&name).expect("clap lets the names of tables pass only")
}

/// The format, when the flags make sense together.
pub(super) fn usable(arguments: &Arguments) -> Result<Format, String> {
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
    if arguments.with.contains(&Extra::Vectors) && arguments.format == ExportFormat::Csv {
        return Err(
            "--with vectors is not for csv: expected ndjson, parquet, postgres or opensearch"
                .to_owned(),
        );
    }
    for table in tables.iter().filter(|_| !arguments.fields.is_empty()) {
        let known = table.outline(None).flat_names();
        if let Some(why) = misfit(&arguments.fields, &known) {
            return Err(why);
        }
    }
    arguments.filters.misfit().map_or(Ok(format), Err)
}

/// The tables asked for, each once.
pub(super) fn tables(arguments: &Arguments, format: Format) -> Vec<Table> {
    let asked = &arguments.tables;
    match format {
        Format::Lines(_) if asked.is_empty() => vec![Table::Organizations],
        _ => Table::ALL.into_iter().filter(|one| asked.is_empty() || asked.contains(one)).collect(),
    }
}

/// The files to write, which are not there unless they may be replaced.
pub(super) fn targets(
    arguments: &Arguments,
    format: LineFormat,
    tables: &[Table],
) -> anyhow::Result<Vec<PathBuf>> {
    let out = &arguments.out;
    let extension = if format == LineFormat::Csv { "csv" } else { "ndjson" };
    let file_name = |table: &Table| match table {
        Table::Organizations => format!("nonprofits.{extension}"),
        other => format!("{}.{extension}", other.name()),
    };
    let is_new = |target: PathBuf| {
        anyhow::ensure!(
            arguments.force || !target.exists(),
            "{} is there already; replace it with --force, or give another name",
            target.display()
        );
        Ok(target)
    };
    if out.is_dir() {
        return tables.iter().map(|table| is_new(out.join(file_name(table)))).collect();
    }
    anyhow::ensure!(
        tables.len() == 1,
        "{} is no folder, which {} tables need; create it first, or choose one table with --tables",
        out.display(),
        tables.len()
    );
    let of_format = out.extension().and_then(|extension| extension.to_str());
    anyhow::ensure!(
        of_format == Some(extension),
        "{0} is no folder and no name of a file of this format: expected one that ends in .{1}; create the folder \
         first, or give - for standard output",
        out.display(),
        extension
    );
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(parent) = parent.filter(|parent| !parent.is_dir()) {
        anyhow::bail!("{} is no folder; create it first", parent.display());
    }
    Ok(vec![is_new(out.clone())?])
}
