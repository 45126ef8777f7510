//! What to generate, what was written, and why data cannot be generated.

use std::io;
use std::path::{Path, PathBuf};

/// Most organizations of one run: somewhat more than the IRS lists.
pub const ORGANIZATIONS_MAX: u64 = 2_000_000;

/// Most posts of one run: about 5 GB, more than any service of this kind holds.
pub const POSTS_MAX: u64 = 5_000_000;

/// Most organizations with returns in one run: each has three or four files, and file systems are
/// slow with more than some 100,000 in a folder.
pub const RETURNS_MAX: u64 = 50_000;

/// What to generate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many organizations: 1 to [`ORGANIZATIONS_MAX`].
    pub organizations: u64,
    /// The same seed and numbers give the same bytes.
    pub seed: u64,
    /// How many posts, up to [`POSTS_MAX`]; `None` for one to five organizations, up to 200,000.
    pub posts: Option<u64>,
    /// How many organizations with returns, up to [`RETURNS_MAX`]; `None` for one in forty, up to
    /// 2,000. Fewer are made where fewer organizations file returns with amounts.
    pub returns: Option<u64>,
}

impl Options {
    /// Options with as many posts and returns as suit the number of organizations.
    pub fn new(organizations: u64, seed: u64) -> Self {
        Self { organizations, seed, posts: None, returns: None }
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// When one is out of its range.
    pub fn check(&self) -> Result<(), GenerateError> {
        for (what, least, most, found) in [
            ("organizations", 1, ORGANIZATIONS_MAX, self.organizations),
            ("posts", 0, POSTS_MAX, self.posts.unwrap_or(0)),
            ("organizations with returns", 0, RETURNS_MAX, self.returns.unwrap_or(0)),
        ] {
            if !(least..=most).contains(&found) {
                return Err(GenerateError::OutOfRange { what, least, most, found });
            }
        }
        Ok(())
    }

    /// One in `each` organizations, at least one where there are ten, at most `most`.
    pub(super) fn one_in(&self, each: u64, most: u64) -> u64 {
        (self.organizations / each).max(u64::from(self.organizations >= 10)).min(most)
    }
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    /// Rows of the master file.
    pub organizations: u64,
    /// Rows of Publication 78.
    pub publication_78: u64,
    /// Rows of the revocation list.
    pub revocations: u64,
    /// Rows of Form 990-N.
    pub postcards: u64,
    /// Returns of Form 990, 990-EZ and 990-PF: files, three or four an organization.
    pub returns: u64,
    /// Annual reports.
    pub reports: u64,
    /// Stories, a line each, as all that follow.
    pub stories: u64,
    /// Metrics; those within stories are not counted.
    pub metrics: u64,
    /// Overlays.
    pub overlays: u64,
    /// Articles.
    pub articles: u64,
    /// Entries of the knowledge base.
    pub knowledge: u64,
    /// Funds.
    pub funds: u64,
    /// Posts.
    pub posts: u64,
}

/// Why data cannot be generated.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// A number is out of range.
    #[error("expected {least} to {most} {what}, found {found}")]
    OutOfRange { what: &'static str, least: u64, most: u64, found: u64 },
    /// The folder is a file.
    #[error("{path} is no folder; name a new or an empty one")]
    NotAFolder { path: PathBuf },
    /// A file with this name exists already, and might be real.
    #[error("{path} exists already; remove it or name an empty folder")]
    Exists { path: PathBuf },
    /// The system refused a file or folder.
    #[error("cannot write {path}")]
    Io { path: PathBuf, source: io::Error },
}

impl GenerateError {
    /// What the system's refusal of a file or folder becomes.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}
