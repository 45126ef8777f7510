//! Collects the words of every organization and writes the index.

use std::io;
use std::path::{Path, PathBuf};

use tantivy::directory::error::OpenWriteError;
use tantivy::{Index, SingleSegmentIndexWriter, TantivyDocument, TantivyError};

use super::files::Press;
use super::{Fields, query, schema};
use crate::naming;

/// What the table of terms is sized for. The words of two million organizations take less.
const MEMORY_BYTES: usize = 200_000_000;

/// The words of an organization, as people write them.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// Every name that it goes by; none of what is not looked up by name.
    pub names: &'a [&'a str],
    /// What it is for.
    pub mission: Option<&'a str>,
}

/// Why the index cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The system refused.
    #[error("cannot write {}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The engine refused.
    #[error("cannot build the full-text index in {}", path.display())]
    Engine { path: PathBuf, source: TantivyError },
    /// The engine kept another number of organizations than it was given.
    #[error("the full-text index holds {found} organizations, expected {expected}")]
    Count { expected: u32, found: u32 },
}

/// Builds the index: one segment, held in memory until it is written.
pub struct Builder {
    folder: PathBuf,
    press: Press,
    writer: SingleSegmentIndexWriter,
    fields: Fields,
    organizations: u32,
}

impl Builder {
    /// Starts an index below a snapshot's folder, in a folder of its own.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn create(folder: &Path) -> Result<Self, BuildError> {
        let own = folder.join("fulltext");
        std::fs::create_dir_all(&own).map_err(|source| BuildError::Io { path: own, source })?;
        let press = Press::new(folder);
        let (schema, fields) = schema();
        let writer = Index::builder()
            .schema(schema)
            .single_segment_index_writer(press.clone(), MEMORY_BYTES)
            .map_err(|source| refused(folder, source))?;
        Ok(Self { folder: folder.to_owned(), press, writer, fields, organizations: 0 })
    }

    /// Adds the next row; rows are numbered in the order in which they come.
    ///
    /// # Errors
    /// When the engine refuses it.
    pub fn add(&mut self, text: &Text<'_>) -> Result<(), BuildError> {
        let mut document = TantivyDocument::new();
        let mut known: Vec<String> = Vec::with_capacity(text.names.len());
        for name in text.names {
            let name = naming::normalise(name);
            // A name that it goes by twice counts once.
            if !name.is_empty() && !known.contains(&name) {
                known.push(name);
            }
        }
        if !known.is_empty() {
            document.add_text(self.fields.names, known.join(" "));
        }
        if let Some(mission) = text.mission {
            document.add_text(self.fields.mission, naming::normalise(mission));
        }
        self.writer.add_document(document).map_err(|source| refused(&self.folder, source))?;
        self.organizations += 1;
        Ok(())
    }

    /// Writes the index.
    ///
    /// # Errors
    /// When a file cannot be written, or the engine does not hold what it was given.
    pub fn finish(self) -> Result<(), BuildError> {
        let Self { folder, press, writer, organizations, .. } = self;
        let engine = |source| refused(&folder, source);
        let index = writer.finalize().map_err(engine)?;
        let segments = index.searchable_segment_metas().map_err(engine)?;
        let found = segments.iter().map(|segment| segment.max_doc()).sum();
        if segments.len() > 1 || found != organizations {
            return Err(BuildError::Count { expected: organizations, found });
        }
        press.finish().map_err(|source| BuildError::Io { path: folder, source })
    }
}

/// What the engine says, or what the system said to it: its own words show how it is made.
fn refused(folder: &Path, source: TantivyError) -> BuildError {
    let (path, io) = match (query::system(&source), &source) {
        (Some(io), TantivyError::OpenWriteError(OpenWriteError::IoError { filepath, .. })) => {
            (folder.join(filepath), io)
        }
        (Some(io), _) => (folder.join("fulltext"), io),
        (None, _) => return BuildError::Engine { path: folder.to_owned(), source },
    };
    let io = match io.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(io.kind(), io.to_string()),
    };
    BuildError::Io { path, source: io }
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder").field("organizations", &self.organizations).finish()
    }
}
