//! The list of rejects beside the snapshots: that of the last build, also of one that failed.
//!
//! `rejects.ndjson` is a link to a file named by the XXH3-64 of its content. So the list changes at
//! once or not at all, and its integrity can be checked whichever build wrote it.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::directory::{Directory, REJECTS_NAMED, remove};
use crate::durable;

/// Copies a list beside the snapshots, where it stays whatever becomes of the build.
pub(crate) fn keep(list: &Path, directory: &Directory) -> io::Result<()> {
    let name = name_of(list)?;
    let (copy, next) = (directory.path().join(&name), directory.rejects_next());
    let replace = || {
        fs::copy(list, &next)?;
        durable::rename(&next, &copy)?;
        symlink(&name, &next)?;
        durable::rename(&next, &directory.rejects())
    };
    replace().inspect_err(|_| remove(&next))?;
    for earlier in directory.reject_lists()?.into_iter().filter(|path| *path != copy) {
        fs::remove_file(earlier)?;
    }
    Ok(())
}

/// The name of a list of rejects, from what it holds.
fn name_of(list: &Path) -> io::Result<String> {
    let mut sum = Sum(Xxh3::new());
    io::copy(&mut fs::File::open(list)?, &mut sum)?;
    let (before, after) = REJECTS_NAMED;
    Ok(format!("{before}{:016x}{after}", sum.0.digest()))
}

/// Whether the list beside the snapshots differs from what was written; `None` if it is no link, as
/// its name then has no checksum.
pub(crate) fn is_damaged(directory: &Directory) -> Option<bool> {
    let named = fs::read_link(directory.rejects()).ok()?;
    let found = name_of(&directory.path().join(&named)).ok();
    Some(found.is_none_or(|found| Path::new(&found) != named))
}

/// The hash of what is written.
struct Sum(Xxh3);

impl io::Write for Sum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
