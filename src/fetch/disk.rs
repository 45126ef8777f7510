//! Room on the disk: what the files of the folder have together, against the bound on it, and what
//! the file system has left. A file that does not fit is refused before it comes, or while it does.
//! One that is being replaced is not counted: the folder will not have both.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::FileError;
use super::options::Options;
use super::partial::{self, Partial};
use super::plan::Plan;
use crate::durable::free_bytes;

/// How many bytes are written between two looks at what the file system has left, for others write
/// to it too.
const LOOK_EVERY_BYTES: u64 = 64 * 1024 * 1024;

/// How much may still be written of one file.
pub(super) struct DiskBudget<'a> {
    options: &'a Options,
    plan: &'a Plan,
    /// Bytes of all files, what was written through this included.
    used: u64,
    /// Bytes written since the last look.
    unseen: u64,
}

impl<'a> DiskBudget<'a> {
    /// That of the folder, when a file goes on after `kept` of the bytes that are there of it, and
    /// needs `needed` more, if that is known.
    ///
    /// # Errors
    /// When it does not fit.
    pub(super) fn claim(
        options: &'a Options,
        plan: &'a Plan,
        name: &str,
        kept: u64,
        needed: Option<u64>,
    ) -> Result<Self, FileError> {
        let folder = &options.folder;
        let replaced = fs::metadata(folder.join(name)).ok().filter(fs::Metadata::is_file);
        let used = used(folder)
            .saturating_sub(Partial::new(folder, name).bytes())
            .saturating_sub(replaced.map_or(0, |metadata| metadata.len()));
        let budget = Self { options, plan, used: used.saturating_add(kept), unseen: 0 };
        budget.fits(needed.unwrap_or(0))?;
        Ok(budget)
    }

    /// Reserves room for bytes about to be written.
    ///
    /// # Errors
    /// If they do not fit.
    pub(super) fn take(&mut self, bytes: u64) -> Result<(), FileError> {
        self.used = self.used.saturating_add(bytes);
        self.unseen = self.unseen.saturating_add(bytes);
        if self.unseen < LOOK_EVERY_BYTES {
            return self.bounded(self.used);
        }
        self.unseen = 0;
        self.fits(0)
    }

    fn fits(&self, needed: u64) -> Result<(), FileError> {
        self.bounded(self.used.saturating_add(needed))?;
        let reserve = self.options.disk_reserve_bytes;
        match free_bytes(&self.options.folder).map(|free| free.saturating_sub(needed)) {
            Some(free) if free < reserve => Err(FileError::DiskReserve { free, reserve }),
            _ => Ok(()),
        }
    }

    fn bounded(&self, bytes: u64) -> Result<(), FileError> {
        let bytes_max = self.options.disk_bytes_max;
        if bytes <= bytes_max {
            return Ok(());
        }
        let leftover = leftover(&self.options.folder, self.plan);
        Err(FileError::DiskBound { bytes, bytes_max, leftover })
    }
}

/// Partial files of what is not planned, the longest first: nothing will go on with them.
fn leftover(folder: &Path, plan: &Plan) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder.join(partial::FOLDER)) else { return Vec::new() };
    let of_others = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        let of = name.and_then(|name| name.strip_suffix(partial::SUFFIX));
        of.is_some_and(|name| !plan.may_have(name))
    };
    let mut found: Vec<(u64, PathBuf)> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| Some((entry.metadata().ok()?.len(), entry.path())))
        .filter(|(bytes, path)| *bytes > 0 && of_others(path))
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.into_iter().map(|(_, path)| path).collect()
}

/// Bytes of the files in the folder and of the partial ones; not of folders that others made in it.
fn used(folder: &Path) -> u64 {
    [folder.to_owned(), folder.join(partial::FOLDER)]
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flat_map(|entries| entries.filter_map(Result::ok))
        .filter_map(|entry| entry.metadata().ok())
        .filter(fs::Metadata::is_file)
        .fold(0, |sum, metadata| sum.saturating_add(metadata.len()))
}
