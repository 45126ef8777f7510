//! Collects the words of every organization and writes the index.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tantivy::directory::RamDirectory;
use tantivy::directory::error::OpenWriteError;
use tantivy::index::SegmentComponent;
use tantivy::{Directory, Index, SingleSegmentIndexWriter, TantivyDocument, TantivyError};

use super::files::Press;
use super::{Fields, query, schema};
use crate::mapped::WriteError;
use crate::naming;

/// What the table of terms is sized for. The words of two million organizations take less.
const MEMORY_BYTES: usize = 200_000_000;

/// The same of an index of one row: the least that the engine takes.
const MEMORY_BYTES_LEAST: usize = 15_000_000;

/// The words of an organization, as people write them.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// Every name that it goes by; none of what is not looked up by name.
    pub names: &'a [&'a str],
    /// What it is for.
    pub mission: Option<&'a str>,
}

/// The words of a row in normal form, separated by single spaces: what [`Text`] comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    names: String,
    mission: Option<String>,
}

impl Words {
    /// Those of a single name that is in normal form.
    pub fn of_normal_name(name: String) -> Self {
        Self { names: name, mission: None }
    }

    /// Those of a text.
    pub fn of(text: &Text<'_>) -> Self {
        let mission = text.mission.map(naming::normalise);
        if let [name] = text.names {
            return Self { names: naming::normalise(name), mission };
        }
        let mut names: Vec<String> = Vec::with_capacity(text.names.len());
        for name in text.names {
            let name = naming::normalise(name);
            // A name that it goes by twice counts once.
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        Self { names: names.join(" "), mission }
    }
}

/// Why the index cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The system refused.
    #[error(transparent)]
    Write(#[from] WriteError),
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
        std::fs::create_dir_all(&own).map_err(WriteError::of(&own))?;
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
        self.add_words(Words::of(text))
    }

    /// Adds the next row, whose words are in normal form already.
    pub fn add_words(&mut self, words: Words) -> Result<(), BuildError> {
        let mut document = TantivyDocument::new();
        if !words.names.is_empty() {
            document.add_text(self.fields.names, words.names);
        }
        if let Some(mission) = words.mission {
            document.add_text(self.fields.mission, mission);
        }
        self.writer.add_document(document).map_err(|source| refused(&self.folder, source))?;
        self.organizations += 1;
        Ok(())
    }

    /// Writes the index.
    pub fn finish(self) -> Result<(), BuildError> {
        let Self { folder, press, writer, organizations, .. } = self;
        let engine = |source| refused(&folder, source);
        let index = writer.finalize().map_err(engine)?;
        let segments = index.searchable_segment_metas().map_err(engine)?;
        let found = segments.iter().map(|segment| segment.max_doc()).sum();
        if segments.len() > 1 || found != organizations {
            return Err(BuildError::Count { expected: organizations, found });
        }
        let store = store_of_one().map_err(engine)?;
        Ok(press.finish(&store).map_err(WriteError::of(&folder))?)
    }
}

/// The store of documents of an index of one empty document.
fn store_of_one() -> tantivy::Result<Vec<u8>> {
    let directory = RamDirectory::create();
    let index = Index::builder().schema(schema().0);
    let mut writer = index.single_segment_index_writer(directory.clone(), MEMORY_BYTES_LEAST)?;
    writer.add_document(TantivyDocument::new())?;
    let mut store = Vec::new();
    for segment in writer.finalize()?.searchable_segment_metas()? {
        let path = segment.relative_path(SegmentComponent::Store);
        store.extend_from_slice(&directory.open_read(&path)?.read_bytes()?);
    }
    Ok(store)
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
    WriteError { path, source: io }.into()
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder").field("organizations", &self.organizations).finish()
    }
}
