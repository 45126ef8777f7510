//! What to generate, what was written, and why data cannot be generated.

use std::io;
use std::path::PathBuf;

/// Most organizations of one run: somewhat more than the IRS lists.
pub const ORGANIZATIONS_MAX: u64 = 2_000_000;

/// Most posts of one run: about 5 GB, more than any service of this kind holds.
pub const POSTS_MAX: u64 = 5_000_000;

/// Most organizations with returns in one run: each has three or four files, and file systems are
/// slow with more than some 100,000 in a folder.
pub const RETURNS_MAX: u64 = 50_000;

/// How many organizations to make: 1 to [`ORGANIZATIONS_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Organizations(u64);

impl Organizations {
    /// Checks the number.
    ///
    /// # Errors
    /// When it is 0 or above [`ORGANIZATIONS_MAX`].
    pub fn new(count: u64) -> Result<Self, GenerateError> {
        in_range("organizations", 1, ORGANIZATIONS_MAX, count).map(|()| Self(count))
    }

    /// The number.
    pub fn get(self) -> u64 {
        self.0
    }
}

/// What to generate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many organizations.
    pub organizations: Organizations,
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
    pub fn new(organizations: Organizations, seed: u64) -> Self {
        Self { organizations, seed, posts: None, returns: None }
    }

    /// Checks the numbers of posts and returns.
    ///
    /// # Errors
    /// When one is above its maximum.
    pub fn check(&self) -> Result<(), GenerateError> {
        in_range("posts", 0, POSTS_MAX, self.posts.unwrap_or(0))?;
        let returns = self.returns.unwrap_or(0);
        in_range("organizations with returns", 0, RETURNS_MAX, returns)
    }

    /// One in `each` organizations, at least one where there are ten, at most `most`.
    fn one_in(&self, each: u64, most: u64) -> u64 {
        let organizations = self.organizations.get();
        (organizations / each).max(u64::from(organizations >= 10)).min(most)
    }

    pub(super) fn stories(&self) -> u64 {
        self.one_in(50, 40_000)
    }

    pub(super) fn metrics(&self) -> u64 {
        self.one_in(10, 200_000)
    }

    pub(super) fn overlays(&self) -> u64 {
        self.one_in(10, ORGANIZATIONS_MAX)
    }

    pub(super) fn posts(&self) -> u64 {
        self.posts.unwrap_or_else(|| self.one_in(5, 200_000))
    }

    pub(super) fn returns(&self) -> u64 {
        self.returns.unwrap_or_else(|| self.one_in(40, 2_000))
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
    OutOfRange {
        /// What was to be made.
        what: &'static str,
        /// The lowest number of them that can be asked for.
        least: u64,
        /// The highest.
        most: u64,
        /// The number asked for.
        found: u64,
    },
    /// The folder is a file.
    #[error("{path} is no folder; name a new or an empty one")]
    NotAFolder {
        /// What was named.
        path: PathBuf,
    },
    /// A file with this name exists already, and might be real.
    #[error("{path} exists already; remove it or name an empty folder")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot write {path}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Checks a number of things to make.
fn in_range(what: &'static str, least: u64, most: u64, found: u64) -> Result<(), GenerateError> {
    if (least..=most).contains(&found) {
        Ok(())
    } else {
        Err(GenerateError::OutOfRange { what, least, most, found })
    }
}
