//! Where redb reads a snapshot's file: the verified mapping, with what redb writes kept aside.
//!
//! redb has no read-only mode over a backend of one's own; opening for writing marks the header
//! and closing records its allocator state. Both go to an overlay in memory, a few pages, that is
//! dropped with the backend.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use redb::StorageBackend;

use super::StoreError;
use crate::mapped::{Damage, MappedFile};

/// Bytes of an overlay page.
const PAGE_BYTES: u64 = 4096;

/// A file that redb may think it writes to. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct VerifiedBackend(Arc<State>);

#[derive(Debug)]
struct State {
    file: Arc<MappedFile>,
    /// Length that redb set.
    bytes: AtomicU64,
    /// Pages that redb wrote, by number; each whole.
    overlay: RwLock<BTreeMap<u64, Box<[u8]>>>,
    /// What the last failed read found, since redb hands on only the message of an error.
    damage: Mutex<Option<Damage>>,
}

impl VerifiedBackend {
    pub(super) fn new(file: Arc<MappedFile>) -> Self {
        let bytes = AtomicU64::new(file.len() as u64);
        Self(Arc::new(State { file, bytes, overlay: RwLock::default(), damage: Mutex::default() }))
    }

    /// The error of an operation of redb's: the damage that it ran into, if it did.
    pub(super) fn explain(&self, error: redb::Error) -> StoreError {
        self.damage().take().map_or_else(|| StoreError::engine(error), StoreError::Damage)
    }

    fn damage(&self) -> MutexGuard<'_, Option<Damage>> {
        self.0.damage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads from the file alone; zeros past its end.
    fn read_file(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let file = &self.0.file;
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(file.len());
        let end = start.saturating_add(out.len()).min(file.len());
        match file.bytes(start..end) {
            Ok(found) => {
                out[..found.len()].copy_from_slice(found);
                out[found.len()..].fill(0);
                Ok(())
            }
            Err(damage) => {
                let error = io::Error::new(io::ErrorKind::InvalidData, damage.clone());
                *self.damage() = Some(damage);
                Err(error)
            }
        }
    }

    /// Parts of a range, none across a page: page, position in it, position in the range, length.
    fn parts(offset: u64, length: usize) -> impl Iterator<Item = (u64, usize, usize, usize)> {
        let mut done = 0;
        std::iter::from_fn(move || {
            let at = offset + done as u64;
            let within = (at % PAGE_BYTES) as usize;
            let part = (PAGE_BYTES as usize - within).min(length - done);
            let from = done;
            done += part;
            (part > 0).then_some((at / PAGE_BYTES, within, from, part))
        })
    }
}

impl StorageBackend for VerifiedBackend {
    fn len(&self) -> Result<u64, io::Error> {
        Ok(self.0.bytes.load(Ordering::Acquire))
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), io::Error> {
        let end = offset.checked_add(out.len() as u64);
        if end.is_none_or(|end| end > self.0.bytes.load(Ordering::Acquire)) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.read_file(offset, out)?;
        let overlay = self.0.overlay.read().unwrap_or_else(PoisonError::into_inner);
        for (page, within, from, part) in Self::parts(offset, out.len()) {
            if let Some(written) = overlay.get(&page) {
                out[from..from + part].copy_from_slice(&written[within..within + part]);
            }
        }
        Ok(())
    }

    fn set_len(&self, bytes: u64) -> Result<(), io::Error> {
        let before = self.0.bytes.swap(bytes, Ordering::AcqRel);
        if bytes < before {
            let mut overlay = self.0.overlay.write().unwrap_or_else(PoisonError::into_inner);
            // What lies past the end must read as zeros, should it grow again.
            for page in bytes / PAGE_BYTES..before.div_ceil(PAGE_BYTES) {
                let kept = bytes.saturating_sub(page * PAGE_BYTES).min(PAGE_BYTES) as usize;
                let mut zeros = vec![0; PAGE_BYTES as usize];
                match overlay.get(&page) {
                    Some(written) => zeros[..kept].copy_from_slice(&written[..kept]),
                    None => self.read_file(page * PAGE_BYTES, &mut zeros[..kept])?,
                }
                overlay.insert(page, zeros.into());
            }
        }
        Ok(())
    }

    fn sync_data(&self) -> Result<(), io::Error> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<(), io::Error> {
        let mut overlay = self.0.overlay.write().unwrap_or_else(PoisonError::into_inner);
        for (page, within, from, part) in Self::parts(offset, data.len()) {
            let whole = match overlay.entry(page) {
                Entry::Occupied(written) => written.into_mut(),
                Entry::Vacant(unwritten) => {
                    let mut whole = vec![0; PAGE_BYTES as usize];
                    if part < whole.len() {
                        self.read_file(page * PAGE_BYTES, &mut whole)?;
                    }
                    unwritten.insert(whole.into())
                }
            };
            whole[within..within + part].copy_from_slice(&data[from..from + part]);
        }
        Ok(())
    }
}
