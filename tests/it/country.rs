//! Fictional organizations with all that there may be of them, built once for all tests that ask.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

use std::path::PathBuf;
use std::sync::LazyLock;

use almoner::record::{OrgId, Organization};
use almoner::snapshot::Snapshot;

use crate::fixture::{run, text};

/// The organizations, every one of them.
pub(crate) struct Country {
    folder: tempfile::TempDir,
    pub(crate) snapshot: Snapshot,
    pub(crate) organizations: Vec<Organization>,
}

pub(crate) static COUNTRY: LazyLock<Country> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let (inputs, data) = (folder.path().join("inputs"), folder.path().join("data"));
    run(&["generate", text(&inputs), "--organizations", "700", "--seed", "7"]).succeeds();
    run(&["build", "--data-dir", text(&data), text(&inputs)]).succeeds();
    let snapshot = almoner::snapshot::open(&data).unwrap();
    let count = snapshot.columns.organizations();
    let organizations = (0..count)
        .map(|number| snapshot.records.organization(OrgId::new(number)).unwrap())
        .collect();
    Country { folder, snapshot, organizations }
});

impl Country {
    pub(crate) fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}
