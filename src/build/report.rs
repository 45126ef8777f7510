//! What a build tells: progress while it runs, a report when it is done.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::snapshot::Coverage;
use crate::sources;

/// Receives the progress of a build; called from one thread at a time.
pub trait Progress: Sync {
    /// A stage begins, which has `total` units to do if that is known: bytes when reading, checking or
    /// embedding, organizations or vectors otherwise.
    fn stage(&self, name: &'static str, total: Option<u64>);
    /// Counts further units as done.
    fn advance(&self, units: u64);
    /// A snapshot searchable by words is published; one with vectors follows.
    fn searchable(&self, _snapshot: &str) {}
    /// A sentence for whoever is watching.
    fn note(&self, _sentence: &str) {}
    /// The last stage is over, well or not.
    fn finish(&self);
}

/// Progress that nobody looks at.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn stage(&self, _: &'static str, _: Option<u64>) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}
}

/// What a build did.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The snapshot published.
    pub snapshot: String,
    /// Organizations in it.
    pub organizations: u64,
    /// Organizations that typeahead offers.
    pub suggested: u64,
    /// Bytes of its files.
    pub bytes: u64,
    /// What else is in it.
    pub items: Items,
    /// Of how many organizations each value is known.
    pub coverage: Coverage,
    /// In the order in which they were read.
    pub sources: Vec<SourceReport>,
    /// Rejects by field and reason, the most frequent first.
    pub rejects: Vec<((String, String), u64)>,
    /// Malformed fields that were left out of rows still of use, by kind of source and column.
    pub warnings: BTreeMap<String, u64>,
    /// What looks like a mistake in the sources taken together, a sentence each.
    pub doubts: Vec<String>,
    /// Files that were named or found, and are no source.
    pub skipped: Vec<sources::SkippedFile>,
    /// What was embedded; `None` when built without a model.
    pub vectors: Option<Vectors>,
    /// Stages in order, and how long each took.
    pub stages: Vec<(&'static str, Duration)>,
}

/// What a source gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceReport {
    /// Kind, name, size, hash and counts.
    pub summary: sources::Summary,
    /// Rows that a later tax period, or else a later row, of the same EIN and kind replaced.
    pub superseded: u64,
    /// Rows whose EIN the master file lacks.
    pub unmatched: u64,
}

/// What was embedded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vectors {
    /// Texts: of organizations and stories, and sentences that were compared for a summary.
    pub texts: u64,
    /// Of these, the texts that differ.
    pub distinct: u64,
    /// Of these, the texts that were embedded now; the cache had the others.
    pub embedded: u64,
    /// Vectors that differ: nodes of the graph.
    pub nodes: u64,
    /// What was wrong with the cache, if anything was.
    pub notice: Option<String>,
}

/// How many of each there are in a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Items {
    /// Nonprofits that only the revocation list has.
    pub departed: u64,
    /// Returns; of one tax period one.
    pub filings: u64,
    pub stories: u64,
    /// Those of curated records and those that returns state.
    pub metrics: u64,
    pub posts: u64,
    pub articles: u64,
    pub knowledge: u64,
    pub funds: u64,
    /// Grants that returns list.
    pub grants: u64,
    /// Of these, the grants whose recipient was found by name and address.
    pub linked: u64,
    /// Names that returns list, each once an organization.
    pub people: u64,
    /// Related organizations that returns list.
    pub relations: u64,
}

impl Items {
    /// Each by its name.
    pub fn named(&self) -> [(&'static str, u64); 12] {
        [
            ("departed", self.departed),
            ("filings", self.filings),
            ("stories", self.stories),
            ("metrics", self.metrics),
            ("posts", self.posts),
            ("articles", self.articles),
            ("knowledge", self.knowledge),
            ("funds", self.funds),
            ("grants", self.grants),
            ("grants_matched", self.linked),
            ("people", self.people),
            ("relations", self.relations),
        ]
    }
}
