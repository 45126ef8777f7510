//! redb: the full records, by number. The one module that names redb.
//!
//! A table each for what is [`Stored`]: key = number of a record (u32), value = it and those after
//! it, as many as fill a page of redb's (`block`). Records are packed because redb splits leaves in
//! half when keys arrive in order, which leaves a file of one row a key half empty. Grants and people are
//! stored in the order of the organizations that list them: what one return lists is alike, and side by
//! side its records share most of what they say. A file beside says where the record of each row is, u32 by
//! row in a section for each table, none for one that is stored as it is listed.
//!
//! A [`Writer`] makes the file in one commit and closes it cleanly, so that opening finds redb's
//! own allocator state and repairs nothing. [`Records`] reads it through a verified mapping
//! (`backend`): redb never sees a byte that the build did not write; reading fails where the file is damaged.

mod backend;
mod block;
mod write;

use std::sync::{Arc, PoisonError, RwLock};

use redb::{Database, ReadOnlyTable, ReadableDatabase, TableDefinition};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::mapped::Table as MappedTable;
use crate::mapped::{Column, Damage, Files, MappedFile, OpenError, WriteError};
use crate::record::{
    Article, Filing, Fund, Grant, Knowledge, ListedName, Metric, OrgId, Organization, Post,
    Relation, RowId, Story,
};

use backend::VerifiedBackend;
use block::Unpacked;
pub use block::{Block, pack};
pub use write::Writer;

/// The file of the records, as a path within a snapshot.
pub const FILE: &str = "records.redb";

/// The file of their positions.
const POSITIONS_FILE: &str = "records.positions";

/// Bytes that redb may cache when reading. Pages are copied out of a mapping that the system
/// caches already; this holds the branches.
const CACHE_BYTES: usize = 4 * 1024 * 1024;

/// Names of the tables, in the order of [`Table`].
const TABLES: [&str; 11] = [
    "organizations",
    "filings",
    "stories",
    "metrics",
    "posts",
    "articles",
    "knowledge",
    "funds",
    "grants",
    "people",
    "relations",
];

/// A table of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// By OrgId.
    Organizations,
    /// By OrgId, of those that have any.
    Filings,
    /// By their own numbers, and so are the others.
    Stories,
    Metrics,
    Posts,
    Articles,
    Knowledge,
    Funds,
    Grants,
    People,
    Relations,
}

impl Table {
    /// Its name in redb.
    fn name(self) -> &'static str {
        TABLES[self as usize]
    }

    fn definition(self) -> TableDefinition<'static, u32, &'static [u8]> {
        TableDefinition::new(self.name())
    }
}

/// What the store keeps, each in a table of its own.
pub trait Stored: Serialize + DeserializeOwned {
    /// Where.
    const TABLE: Table;
}

macro_rules! stored {
    ($($record:ty => $table:ident),+ $(,)?) => {
        $(impl Stored for $record {
            const TABLE: Table = Table::$table;
        })+
    };
}

stored! {
    Organization => Organizations,
    Vec<Filing> => Filings,
    Story => Stories,
    Metric => Metrics,
    Post => Posts,
    Article => Articles,
    Knowledge => Knowledge,
    Fund => Funds,
    Grant => Grants,
    ListedName => People,
    Relation => Relations,
}

/// Why a record cannot be had or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No record has that number.
    #[error("the store has no record {number} in its table {}", table.name())]
    Missing { table: Table, number: u32 },
    /// The file does not hold what the build wrote.
    #[error(transparent)]
    Damage(#[from] Damage),
    /// A file cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file of positions cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The block of a record is not of the form expected.
    #[error("block {block} of the store is not of the form expected: {what}; build again")]
    Block {
        /// The number of its first record.
        block: u32,
        /// What was expected and found.
        what: &'static str,
    },
    /// A record cannot be encoded or decoded.
    #[error("a record of the store cannot be encoded or decoded")]
    Record(#[from] postcard::Error),
    /// redb refused.
    #[error("the store {FILE} cannot be opened, read or written")]
    Engine(#[source] Box<redb::Error>),
}

impl StoreError {
    fn engine(error: impl Into<redb::Error>) -> Self {
        Self::Engine(Box::new(error.into()))
    }
}

/// The records of a snapshot, opened read-only.
#[derive(Debug)]
pub struct Records {
    file: Arc<MappedFile>,
    /// Positions of the rows of each table; none of one that is stored as it is listed.
    positions: Vec<Column<u32>>,
    /// redb refuses further reads after a failed one, whoever's it was; it is then reopened, so
    /// that damage to one record does not hide the others.
    opened: RwLock<Arc<OpenTables>>,
}

struct OpenTables {
    tables: Vec<ReadOnlyTable<u32, &'static [u8]>>,
    backend: VerifiedBackend,
    /// Held because the tables read through it; after them, so that it is dropped last.
    _database: Database,
}

impl std::fmt::Debug for OpenTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened").finish_non_exhaustive()
    }
}

impl Records {
    /// Opens the records. A few reads, whatever their number.
    pub fn open(files: &mut Files<'_>) -> Result<Self, StoreError> {
        let file = Arc::new(files(FILE).map_err(OpenError::from)?);
        let positions = MappedTable::open(files, POSITIONS_FILE)?;
        let positions =
            TABLES.iter().map(|name| positions.column(name)).collect::<Result<_, _>>()?;
        let opened = RwLock::new(Arc::new(OpenTables::new(file.clone())?));
        Ok(Self { file, positions, opened })
    }

    /// The organization of a number. Costs one decompressed block, tens of microseconds.
    pub fn organization(&self, org: OrgId) -> Result<Organization, StoreError> {
        self.get(org)
    }

    /// The returns of an organization, the latest tax period first; none for one without.
    pub fn filings(&self, org: OrgId) -> Result<Vec<Filing>, StoreError> {
        match self.read(org.0) {
            Err(StoreError::Missing { .. }) => Ok(Vec::new()),
            found => found,
        }
    }

    /// The record of a row.
    pub fn get<Record: Stored>(&self, row: RowId<Record>) -> Result<Record, StoreError> {
        self.read(row.0)
    }

    /// The records of some rows, in their order. Those that stand side by side in the store are
    /// decompressed together: of many in a row, one costs a microsecond or two.
    pub fn get_all<Record: Stored>(
        &self,
        rows: &[RowId<Record>],
    ) -> Result<Vec<Record>, StoreError> {
        let position = |row: &RowId<Record>| self.position(Record::TABLE, row.0);
        let positions = rows.iter().map(position).collect::<Result<Vec<u32>, _>>()?;
        let mut by_position: Vec<usize> = (0..rows.len()).collect();
        by_position.sort_unstable_by_key(|&at| positions[at]);
        self.ask(|tables| {
            let mut block: Option<Unpacked<Record>> = None;
            let mut records: Vec<Option<Record>> = rows.iter().map(|_| None).collect();
            for &at in &by_position {
                let position = positions[at];
                let known = block.as_ref().map(|block| block.get(position)).transpose()?.flatten();
                records[at] = match known {
                    Some(record) => Some(record),
                    None => block.insert(tables.block(position)?).get(position)?,
                };
            }
            let missing = |number| StoreError::Missing { table: Record::TABLE, number };
            let found = records.into_iter().zip(rows);
            found.map(|(record, row)| record.ok_or(missing(row.0))).collect()
        })
    }

    fn read<Record: Stored>(&self, number: u32) -> Result<Record, StoreError> {
        let missing = StoreError::Missing { table: Record::TABLE, number };
        let position = self.position(Record::TABLE, number)?;
        self.ask(|tables| tables.block(position)?.get(position))?.ok_or(missing)
    }

    /// Where the record of a row stands in its table.
    fn position(&self, table: Table, row: u32) -> Result<u32, StoreError> {
        let positions = &self.positions[table as usize];
        match positions.count() {
            0 => Ok(row),
            count if count <= row as usize => Err(StoreError::Missing { table, number: row }),
            _ => Ok(positions.at(row as usize)?),
        }
    }

    fn ask<Answer>(
        &self,
        ask: impl Fn(&OpenTables) -> Result<Answer, StoreError>,
    ) -> Result<Answer, StoreError> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner).clone();
        let found = ask(&opened);
        if !is_final(&found) {
            // Nobody else's failed read can reach this one until it is known to be good.
            let fresh = Arc::new(OpenTables::new(self.file.clone())?);
            let found = ask(&fresh);
            if is_final(&found) {
                *self.opened.write().unwrap_or_else(PoisonError::into_inner) = fresh;
            }
            return found;
        }
        found
    }
}

/// Whether redb goes on after this.
fn is_final<Record>(found: &Result<Record, StoreError>) -> bool {
    !matches!(found, Err(StoreError::Damage(_) | StoreError::Engine(_)))
}

impl OpenTables {
    fn new(file: Arc<MappedFile>) -> Result<Self, StoreError> {
        let backend = VerifiedBackend::new(file);
        let open = || -> Result<_, redb::Error> {
            let database = Database::builder()
                .set_cache_size(CACHE_BYTES)
                // A snapshot is closed cleanly; one that is not is not repaired in memory.
                .set_repair_callback(redb::RepairSession::abort)
                .create_with_backend(backend.clone())?;
            let transaction = database.begin_read()?;
            let tables = TABLES
                .iter()
                .map(|name| transaction.open_table(TableDefinition::new(name)))
                .collect::<Result<_, _>>()?;
            Ok((tables, database))
        };
        let (tables, database) = open().map_err(|error| backend.explain(error))?;
        Ok(Self { tables, backend, _database: database })
    }

    /// The block that a number is in, if any is.
    fn block<Record: Stored>(&self, number: u32) -> Result<Unpacked<Record>, StoreError> {
        let explain = |error: redb::StorageError| self.backend.explain(error.into());
        let missing = || StoreError::Missing { table: Record::TABLE, number };
        let mut until = self.tables[Record::TABLE as usize].range(..=number).map_err(explain)?;
        let (first, value) = until.next_back().ok_or_else(missing)?.map_err(explain)?;
        Unpacked::of(first.value(), value.value())
    }
}

#[cfg(test)]
mod tests;
