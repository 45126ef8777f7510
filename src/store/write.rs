//! Writes the records: blocks in order, one commit.

use std::path::{Path, PathBuf};

use redb::{Database, Durability, ReadOnlyDatabase, TableDefinition, WriteTransaction};

use super::{Block, StoreError, Stored, TABLES};

/// Bytes that redb may hold while writing: a few batches of blocks.
const WRITE_CACHE_BYTES: usize = 64 * 1024 * 1024;

/// Writes a new file of records.
pub struct Writer {
    path: PathBuf,
    transaction: WriteTransaction,
    database: Database,
}

impl Writer {
    /// Begins a file where there is none.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        let open = || -> Result<_, redb::Error> {
            let database = Database::builder().set_cache_size(WRITE_CACHE_BYTES).create(path)?;
            let mut transaction = database.begin_write()?;
            transaction.set_durability(Durability::Immediate)?;
            for name in TABLES {
                transaction.open_table(TableDefinition::<u32, &[u8]>::new(name))?;
            }
            Ok(Self { path: path.to_owned(), transaction, database })
        };
        open().map_err(StoreError::engine)
    }

    /// Adds blocks to their table, in the order of their numbers.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn append<Record: Stored>(&mut self, blocks: &[Block<Record>]) -> Result<(), StoreError> {
        let table = Record::TABLE.definition();
        let mut table = self.transaction.open_table(table).map_err(StoreError::engine)?;
        for block in blocks {
            table.insert(block.first, block.value.as_slice()).map_err(StoreError::engine)?;
        }
        Ok(())
    }

    /// Commits and closes the file, flushed to disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> Result<(), StoreError> {
        self.transaction.commit().map_err(StoreError::engine)?;
        // Closing stores the allocator state, without which opening would repair. It keeps its
        // errors to itself; a file that was not closed does not open.
        drop(self.database);
        ReadOnlyDatabase::open(&self.path).map(drop).map_err(StoreError::engine)
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}
