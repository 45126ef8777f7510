//! Writes the records: blocks in order, one commit, and their positions.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use redb::backends::FileBackend;
use redb::{Database, Durability, StorageBackend, TableDefinition, WriteTransaction};

use super::{Block, FILE, POSITIONS_FILE, StoreError, Stored, TABLES};
use crate::mapped::TableWriter;

/// Bytes that redb may hold while writing: a few batches of blocks.
const WRITE_CACHE_BYTES: usize = 64 * 1024 * 1024;

/// The first error of a file.
type Failed = Arc<OnceLock<Arc<io::Error>>>;

/// A file that keeps its first error: closing it, redb keeps errors to itself.
#[derive(Debug)]
struct FirstErrorFile {
    file: FileBackend,
    failed: Failed,
}

impl FirstErrorFile {
    fn tell<T>(&self, done: io::Result<T>) -> io::Result<T> {
        done.map_err(|error| again(self.failed.get_or_init(|| Arc::new(error))))
    }
}

/// A copy of an error that was returned already.
fn again(error: &Arc<io::Error>) -> io::Error {
    io::Error::new(error.kind(), Arc::clone(error))
}

impl StorageBackend for FirstErrorFile {
    fn len(&self) -> io::Result<u64> {
        self.tell(self.file.len())
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.tell(self.file.read(offset, out))
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        self.tell(self.file.set_len(bytes))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.tell(self.file.sync_data())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.tell(self.file.write(offset, data))
    }

    fn close(&self) -> io::Result<()> {
        self.tell(self.file.close())
    }
}

/// Writes a new file of records.
pub struct Writer {
    folder: PathBuf,
    /// Positions of the rows of each table.
    positions: [Vec<u32>; TABLES.len()],
    failed: Failed,
    transaction: WriteTransaction,
    database: Database,
}

impl Writer {
    /// Begins the files in the folder of a snapshot, where there are none.
    pub fn create(folder: &Path) -> Result<Self, StoreError> {
        let open = || -> Result<_, redb::Error> {
            let failed = Failed::default();
            let file = FileBackend::new(File::create_new(folder.join(FILE))?)?;
            let telling = FirstErrorFile { file, failed: Arc::clone(&failed) };
            let database = Database::builder()
                .set_cache_size(WRITE_CACHE_BYTES)
                .create_with_backend(telling)?;
            let mut transaction = database.begin_write()?;
            transaction.set_durability(Durability::Immediate)?;
            for name in TABLES {
                transaction.open_table(TableDefinition::<u32, &[u8]>::new(name))?;
            }
            let (folder, positions) = (folder.to_owned(), Default::default());
            Ok(Self { folder, positions, failed, transaction, database })
        };
        open().map_err(StoreError::engine)
    }

    /// Adds blocks to their table, in the order of their numbers.
    pub fn append<Record: Stored>(&mut self, blocks: &[Block<Record>]) -> Result<(), StoreError> {
        self.append_behind(0, blocks)
    }

    /// Adds blocks whose records are numbered from those on that the table has already, `records` of them.
    pub fn append_behind<Record: Stored>(
        &mut self,
        records: u32,
        blocks: &[Block<Record>],
    ) -> Result<(), StoreError> {
        let table = Record::TABLE.definition();
        let mut table = self.transaction.open_table(table).map_err(StoreError::engine)?;
        for block in blocks {
            let first = records + block.first;
            table.insert(first, block.value.as_slice()).map_err(StoreError::engine)?;
        }
        Ok(())
    }

    /// Says at which position of its table the record of each row is; without this, it is at the row's number.
    pub fn place<Record: Stored>(&mut self, positions: Vec<u32>) {
        self.positions[Record::TABLE as usize] = positions;
    }

    /// Commits and closes the files, flushed to disk.
    pub fn finish(mut self) -> Result<(), StoreError> {
        let mut positions = TableWriter::create(&self.folder.join(POSITIONS_FILE))?;
        for (name, rows) in TABLES.iter().zip(self.positions) {
            positions.column(name, rows)?;
        }
        positions.finish()?;
        self.transaction.commit().map_err(StoreError::engine)?;
        // The file grows by doubling; what was not used of it is given back.
        self.database.compact().map_err(StoreError::engine)?;
        // Closing stores the allocator state, without which opening would repair.
        drop(self.database);
        self.failed
            .get()
            .map_or(Ok(()), |error| Err(StoreError::engine(redb::Error::Io(again(error)))))
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_tells_its_first_error_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, [1; 8]).unwrap();
        let failed = Failed::default();
        // Not open for writing.
        let file = FileBackend::new(File::open(&path).unwrap()).unwrap();
        let telling = FirstErrorFile { file, failed: Arc::clone(&failed) };
        telling.read(0, &mut [0; 8]).unwrap();
        assert!(failed.get().is_none());
        let said = telling.write(0, &[2; 8]).unwrap_err().to_string();
        assert!(said.contains("(os error 9)"), "{said}");
        assert!(telling.read(64, &mut [0; 8]).is_err());
        assert_eq!(failed.get().unwrap().to_string(), said);
    }
}
