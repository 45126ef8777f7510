//! A part of a mapped file that holds on to the mapping, for engines that keep what they read.

use std::ops::{Deref, Range};
use std::sync::Arc;

use stable_deref_trait::StableDeref;

use super::{Damage, MappedFile};

/// Verified bytes of a mapped file; the mapping lives as long as they do.
#[derive(Debug, Clone)]
pub struct Window {
    file: Arc<MappedFile>,
    range: Range<usize>,
}

impl Window {
    /// The bytes of a range, verified.
    pub fn new(file: &Arc<MappedFile>, range: Range<usize>) -> Result<Self, Damage> {
        file.bytes(range.clone())?;
        Ok(Self { file: Arc::clone(file), range })
    }
}

impl Deref for Window {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.file.all()[self.range.clone()]
    }
}

// SAFETY: the bytes are those of a mapping that the `Arc` keeps, whose address does not change
// when a window is moved or cloned, and whose content is never written; or they are none at all.
#[allow(unsafe_code)]
unsafe impl StableDeref for Window {}

#[cfg(test)]
mod tests {
    use super::super::BlockSums;
    use super::*;

    #[test]
    fn outlives_its_file_and_refuses_what_is_damaged_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let bytes: Vec<u8> = (0..100).collect();
        std::fs::write(&path, &bytes).unwrap();
        let sums = BlockSums::of(&bytes[..], |_| {}).unwrap();
        let file = Arc::new(MappedFile::open(&path, "file", sums.clone()).unwrap());
        let window = Window::new(&file, 10..20).unwrap();
        assert!(Window::new(&file, 90..101).is_err());
        drop(file);
        assert_eq!(&window.clone()[..], &bytes[10..20]);
        std::fs::write(&path, [0; 100]).unwrap();
        let file = Arc::new(MappedFile::open(&path, "file", sums).unwrap());
        assert!(Window::new(&file, 10..20).is_err());
    }
}
