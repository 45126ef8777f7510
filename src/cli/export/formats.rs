//! The files that each format of a folder has, and their rows.

use std::io::Write as _;

use anyhow::Context as _;
use serde::Serialize;

use super::folder::{FolderFile, OutputFolder};
#[cfg(feature = "tables")]
use crate::export::Column;
#[cfg(feature = "tables")]
use crate::export::parquet::ParquetFile;
use crate::export::{Outline, RowWriter, opensearch, postgres};

/// What a folder is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FolderFormat {
    #[cfg(feature = "tables")]
    Parquet,
    Postgres,
    Opensearch,
}

/// How Hive names the folder of rows that have no value of a partition.
#[cfg(feature = "tables")]
const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// Size at which another file of requests begins: by default a server accepts requests of at most 100 MB.
const BULK_BYTES_MAX: u64 = 48 << 20;

/// A table as Parquet: one file, or one for each value of its partition, as Hive lays them out.
#[cfg(feature = "tables")]
pub(super) struct ParquetTable<'a> {
    folder: &'a OutputFolder,
    outline: &'a Outline,
    /// Those of the files: the partition is in their paths.
    columns: Vec<Column>,
    /// The value of the partition, and its file.
    open: Option<(Option<String>, ParquetFile<FolderFile>)>,
    bytes: u64,
}

#[cfg(feature = "tables")]
impl<'a> ParquetTable<'a> {
    pub(super) fn new(folder: &'a OutputFolder, outline: &'a Outline) -> Self {
        let is_kept = |column: &&Column| outline.partition != Some(&column.name);
        let columns = outline.columns.iter().filter(is_kept).cloned().collect();
        Self { folder, outline, columns, open: None, bytes: 0 }
    }

    /// The file of rows that have this value of the partition.
    fn file(&mut self, value: Option<&str>) -> anyhow::Result<&mut ParquetFile<FolderFile>> {
        if self.open.as_ref().is_none_or(|(open, _)| open.as_deref() != value) {
            self.close()?;
            let name = self.outline.name;
            let path = match self.outline.partition {
                Some(column) => {
                    format!("{name}/{column}={}/part-0.parquet", value.unwrap_or(NO_VALUE))
                }
                None => format!("{name}/part-0.parquet"),
            };
            let file = ParquetFile::new(self.folder.file(&path)?, &self.columns)?;
            self.open = Some((value.map(str::to_owned), file));
        }
        self.open.as_mut().map(|(_, file)| file).context("a file is open")
    }

    fn close(&mut self) -> anyhow::Result<()> {
        if let Some((_, file)) = self.open.take() {
            self.bytes += file.finish()?.finish()?;
        }
        Ok(())
    }

    /// Ends the last file; gives the bytes of all. A table without rows is a file without rows.
    pub(super) fn finish(mut self) -> anyhow::Result<u64> {
        if self.bytes == 0 && self.open.is_none() {
            self.file(None)?;
        }
        self.close()?;
        Ok(self.bytes)
    }
}

#[cfg(feature = "tables")]
impl RowWriter for ParquetTable<'_> {
    type Error = anyhow::Error;

    fn write(&mut self, row: &impl Serialize) -> anyhow::Result<()> {
        let row = serde_json::to_value(row)?;
        let value = self.outline.partition.and_then(|column| row[column].as_str());
        let value = value.map(str::to_owned);
        self.file(value.as_deref())?.write(row)?;
        Ok(())
    }
}

/// A table as the rows that PostgreSQL copies.
pub(super) struct PostgresTable<'a> {
    outline: &'a Outline,
    file: FolderFile,
    line: String,
}

impl<'a> PostgresTable<'a> {
    pub(super) fn new(folder: &OutputFolder, outline: &'a Outline) -> anyhow::Result<Self> {
        let file = folder.file(&postgres::file_name(outline))?;
        Ok(Self { outline, file, line: String::new() })
    }

    pub(super) fn finish(self) -> anyhow::Result<u64> {
        self.file.finish()
    }
}

impl RowWriter for PostgresTable<'_> {
    type Error = anyhow::Error;

    fn write(&mut self, row: &impl Serialize) -> anyhow::Result<()> {
        self.line.clear();
        postgres::write_row(&serde_json::to_value(row)?, &self.outline.columns, &mut self.line);
        self.file.write_all(self.line.as_bytes()).with_context(|| self.file.cannot())
    }
}

/// Writes what psql runs; gives the bytes.
pub(super) fn postgres_scripts(folder: &OutputFolder, outlines: &[Outline]) -> anyhow::Result<u64> {
    let of_all = |part: fn(&Outline) -> String| outlines.iter().map(part).collect::<String>();
    let load = "-- Creates the tables, loads them and indexes them: run it in its own folder, with\n\
                -- psql --set ON_ERROR_STOP=1 --file load.sql DATABASE\n\
                BEGIN;\n\\ir schema.sql\n";
    let loading = of_all(postgres::loading);
    let load = format!("{load}{loading}COMMIT;\n\\ir indexes.sql\n");
    let extension = "CREATE EXTENSION IF NOT EXISTS pg_trgm;\n";
    let mut bytes = folder.write("schema.sql", of_all(postgres::definition).as_bytes())?;
    bytes += folder.write("load.sql", load.as_bytes())?;
    let indexes = format!("{extension}{}", of_all(postgres::indexes));
    bytes += folder.write("indexes.sql", indexes.as_bytes())?;
    let vectors = of_all(postgres::vectors);
    if !vectors.is_empty() {
        let vectors = format!("CREATE EXTENSION IF NOT EXISTS vector;\n{vectors}");
        bytes += folder.write("vectors.sql", vectors.as_bytes())?;
    }
    Ok(bytes)
}

/// A table as an index of OpenSearch, and requests that fill it.
pub(super) struct OpensearchTable<'a> {
    folder: &'a OutputFolder,
    outline: &'a Outline,
    file: Option<FolderFile>,
    files: usize,
    rows: u64,
    /// Of whole files.
    bytes: u64,
}

impl<'a> OpensearchTable<'a> {
    pub(super) fn new(folder: &'a OutputFolder, outline: &'a Outline) -> anyhow::Result<Self> {
        let index = format!("{:#}\n", opensearch::index(outline));
        let bytes = folder.write(&format!("{}/index.json", outline.name), index.as_bytes())?;
        Ok(Self { folder, outline, file: None, files: 0, rows: 0, bytes })
    }

    /// The current file, or a new one if the current one has no room for `bytes` more.
    fn file(&mut self, bytes: u64) -> anyhow::Result<&mut FolderFile> {
        if self.file.as_ref().is_none_or(|file| file.bytes() + bytes > BULK_BYTES_MAX) {
            self.close()?;
            let path = format!("{}/bulk-{:05}.ndjson", self.outline.name, self.files);
            self.file = Some(self.folder.file(&path)?);
            self.files += 1;
        }
        self.file.as_mut().context("a file is open")
    }

    fn close(&mut self) -> anyhow::Result<()> {
        if let Some(file) = self.file.take() {
            self.bytes += file.finish()?;
        }
        Ok(())
    }

    /// Ends the last file; gives the bytes of all.
    pub(super) fn finish(mut self) -> anyhow::Result<u64> {
        self.close()?;
        Ok(self.bytes)
    }
}

impl RowWriter for OpensearchTable<'_> {
    type Error = anyhow::Error;

    fn write(&mut self, row: &impl Serialize) -> anyhow::Result<()> {
        // Written from the row itself: a value has numbers of 32 bits with the digits of 64.
        let document = serde_json::to_string(row)?;
        let id = match self.outline.key {
            Some(key) => serde_json::to_value(row)?[key].as_str().map(str::to_owned),
            None => None,
        };
        let id = id.unwrap_or_else(|| self.rows.to_string());
        let lines = format!("{}\n{document}\n", opensearch::action(self.outline, &id));
        let file = self.file(lines.len() as u64)?;
        file.write_all(lines.as_bytes()).with_context(|| file.cannot())?;
        self.rows += 1;
        Ok(())
    }
}
