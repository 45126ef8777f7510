//! redb: the full records, by OrgId. The one module that names redb.
//!
//! One table, `organizations`: key = number of an organization (u32), value = it and those after
//! it, as many as fill a page of redb's (`block`). Records are packed because redb splits leaves in
//! half when keys arrive in order, which leaves a file of one row a key half empty.
//!
//! A [`Writer`] makes the file in one commit and closes it cleanly, so that opening finds redb's
//! own allocator state and repairs nothing. [`Organizations`] reads it through a verified mapping
//! (`backend`): redb never sees a byte that the build did not write.

mod backend;
mod block;
mod write;

use std::sync::{Arc, PoisonError, RwLock};

use redb::{Database, ReadOnlyTable, ReadableDatabase, TableDefinition};

use crate::mapped::{Damage, Mapped};
use crate::record::{OrgId, Organization};

use backend::VerifiedBackend;
pub use block::{Block, pack};
pub use write::Writer;

/// The file of the records, as a path within a snapshot.
pub const FILE: &str = "organizations.redb";

/// Bytes that redb may cache when reading. Pages are copied out of a mapping that the system
/// caches already; this holds the branches.
const CACHE_BYTES: usize = 4 * 1024 * 1024;

const TABLE: TableDefinition<'static, u32, &'static [u8]> = TableDefinition::new("organizations");

/// Why a record cannot be had or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No organization has that number.
    #[error("the store holds no record of number {0}")]
    Missing(u32),
    /// The file does not hold what the build wrote.
    #[error(transparent)]
    Damage(#[from] Damage),
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
pub struct Organizations {
    file: Arc<Mapped>,
    /// redb refuses to go on after a failed read, whoever's it was; it is opened anew then, so that
    /// damage to one record does not hide the others.
    opened: RwLock<Arc<Opened>>,
}

struct Opened {
    table: ReadOnlyTable<u32, &'static [u8]>,
    backend: VerifiedBackend,
    /// Held because the table reads through it; after the table, so that it is dropped last.
    _database: Database,
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened").finish_non_exhaustive()
    }
}

impl Organizations {
    /// Opens the records: a few reads, whatever their number.
    ///
    /// # Errors
    /// When redb's header or root is damaged, or the file is not what [`Writer`] makes.
    pub fn open(file: Mapped) -> Result<Self, StoreError> {
        let file = Arc::new(file);
        let opened = RwLock::new(Arc::new(Opened::new(file.clone())?));
        Ok(Self { file, opened })
    }

    /// The record of a number. Costs one decompressed block, tens of microseconds.
    ///
    /// # Errors
    /// When there is none, or its bytes are damaged.
    pub fn get(&self, org: OrgId) -> Result<Organization, StoreError> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner).clone();
        let found = opened.get(org);
        if !is_final(&found) {
            // Nobody else's failed read can reach this one until it is known to be good.
            let fresh = Arc::new(Opened::new(self.file.clone())?);
            let found = fresh.get(org);
            if is_final(&found) {
                *self.opened.write().unwrap_or_else(PoisonError::into_inner) = fresh;
            }
            return found;
        }
        found
    }
}

/// Whether redb goes on after this.
fn is_final(found: &Result<Organization, StoreError>) -> bool {
    !matches!(found, Err(StoreError::Damage(_) | StoreError::Engine(_)))
}

impl Opened {
    fn new(file: Arc<Mapped>) -> Result<Self, StoreError> {
        let backend = VerifiedBackend::new(file);
        let open = || -> Result<_, redb::Error> {
            let database = Database::builder()
                .set_cache_size(CACHE_BYTES)
                // A snapshot is closed cleanly; one that is not is not repaired in memory.
                .set_repair_callback(redb::RepairSession::abort)
                .create_with_backend(backend.clone())?;
            let table = database.begin_read()?.open_table(TABLE)?;
            Ok((table, database))
        };
        let (table, database) = open().map_err(|error| backend.explain(error))?;
        Ok(Self { table, backend, _database: database })
    }

    fn get(&self, org: OrgId) -> Result<Organization, StoreError> {
        let explain = |error: redb::StorageError| self.backend.explain(error.into());
        let mut until = self.table.range(..=org.0).map_err(explain)?;
        let (first, value) =
            until.next_back().ok_or(StoreError::Missing(org.0))?.map_err(explain)?;
        let first = first.value();
        let at = (org.0 - first) as usize;
        block::decode(first, value.value(), at)?.ok_or(StoreError::Missing(org.0))
    }
}

#[cfg(test)]
mod tests;
