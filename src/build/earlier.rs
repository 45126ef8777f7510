//! The snapshot that a build replaces: the changes since, and a note where it cannot be read. It is replaced in
//! any case.

use std::error::Error;
use std::iter::successors;

use super::report::Progress;
use crate::index::changes::ChangeLog;
use crate::record::Change;
use crate::snapshot::changes::Earlier;
use crate::snapshot::directory::Directory;

/// The published snapshot, of this format or another, as far as it can be read.
pub(super) fn earlier(directory: &Directory, progress: &dyn Progress) -> Option<Earlier> {
    Earlier::open(directory).unwrap_or_else(|error| {
        note(&error, progress);
        None
    })
}

/// The list of a snapshot that replaces it, with what changed since.
pub(super) fn changes_since(
    before: Option<&Earlier>,
    changes: Vec<Change>,
    progress: &dyn Progress,
) -> ChangeLog {
    let carried = before.map(|before| before.carried(changes)).transpose();
    carried
        .unwrap_or_else(|error| {
            note(&error, progress);
            None
        })
        .unwrap_or_default()
}

fn note(error: &dyn Error, progress: &dyn Progress) {
    let causes = successors(Some(error), |error| (*error).source()).map(ToString::to_string);
    let causes = causes.collect::<Vec<_>>().join(": ");
    progress.note(&format!("the list of changes starts empty: {causes}"));
}
