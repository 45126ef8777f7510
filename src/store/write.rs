//! Writes the records: blocks in order, one commit.

use std::path::Path;

use redb::{Database, Durability, WriteTransaction};

use super::{StoreError, TABLE};

/// Bytes that redb may hold while writing: a few batches of blocks.
const WRITE_CACHE_BYTES: usize = 64 * 1024 * 1024;

/// Writes a new file of records.
pub struct Writer {
    transaction: WriteTransaction,
    database: Database,
    blocks: u32,
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
            transaction.open_table(TABLE)?;
            Ok(Self { transaction, database, blocks: 0 })
        };
        open().map_err(StoreError::engine)
    }

    /// Adds blocks, as [`encode`](super::encode) makes them. Every one but the very last holds
    /// [`BLOCK_ORGANIZATIONS`](super::BLOCK_ORGANIZATIONS) records.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn append(&mut self, blocks: impl IntoIterator<Item = Vec<u8>>) -> Result<(), StoreError> {
        let mut table = self.transaction.open_table(TABLE).map_err(StoreError::engine)?;
        for block in blocks {
            table.insert(self.blocks, block.as_slice()).map_err(StoreError::engine)?;
            self.blocks += 1;
        }
        Ok(())
    }

    /// Commits and closes the file, flushed to disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> Result<(), StoreError> {
        self.transaction.commit().map_err(StoreError::engine)?;
        // Closing stores the allocator state, without which opening would repair.
        drop(self.database);
        Ok(())
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("blocks", &self.blocks).finish_non_exhaustive()
    }
}
