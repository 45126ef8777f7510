//! What endpoints ask of a snapshot, as a trait, so that tests can answer without one.

use crate::index::typeahead::Scope;
use crate::record::{Article, Ein, Filing, Metric, Organization};
use crate::search::interpret::{self, Interpretation, Question};
use crate::search::listing::{Listed, Paging};
use crate::search::nonprofits::{Found, Query};
use crate::search::related::{self, Related};
use crate::search::typeahead::Suggestion;
use crate::search::{self, SearchError, articles, changes, chat, feed, metrics, stories};
use crate::snapshot::{Awaited, Coverage, Manifest, Snapshot};

/// The questions; [`Snapshot`] answers them through [`search`].
pub(super) trait Source: Send + Sync {
    fn manifest(&self) -> &Manifest;
    fn coverage(&self) -> &Coverage;
    fn awaited(&self) -> Option<Awaited>;
    fn details(&self, ein: Ein) -> Result<Option<Organization>, SearchError>;
    fn filings(&self, ein: Ein, paging: Paging) -> Result<Listed<Filing>, SearchError>;
    fn related(&self, ein: Ein) -> Result<Option<Related>, SearchError>;
    /// `None` where no snapshot of the name that is asked for is remembered.
    fn changes(&self, query: &changes::Query) -> Result<Option<Listed<changes::Row>>, SearchError>;
    fn articles(&self, query: &articles::Query) -> Result<Listed<Article>, SearchError>;
    fn suggest(
        &self,
        typed: &str,
        scope: Scope,
        limit: usize,
    ) -> Result<Vec<Suggestion>, SearchError>;
    fn interpret(&self, question: &Question<'_>) -> Result<Interpretation, SearchError>;
    fn nonprofits(&self, query: &Query) -> Result<Found, SearchError>;
    fn stories(&self, query: &stories::Query) -> Result<Listed<stories::Row>, SearchError>;
    fn metrics(&self, query: &metrics::Query) -> Result<Listed<Metric>, SearchError>;
    fn posts(&self, query: &feed::Query) -> Result<Listed<feed::Row>, SearchError>;
    fn chat(&self, question: &chat::Question<'_>) -> Result<chat::Answer, SearchError>;
}

impl Source for Snapshot {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    fn awaited(&self) -> Option<Awaited> {
        Self::awaited(self)
    }

    fn details(&self, ein: Ein) -> Result<Option<Organization>, SearchError> {
        search::details::details(self, ein)
    }

    fn filings(&self, ein: Ein, paging: Paging) -> Result<Listed<Filing>, SearchError> {
        search::filings::filings(self, ein, paging)
    }

    fn related(&self, ein: Ein) -> Result<Option<Related>, SearchError> {
        related::related(self, ein)
    }

    fn changes(&self, query: &changes::Query) -> Result<Option<Listed<changes::Row>>, SearchError> {
        changes::search(self, query)
    }

    fn articles(&self, query: &articles::Query) -> Result<Listed<Article>, SearchError> {
        articles::search(self, query)
    }

    fn suggest(
        &self,
        typed: &str,
        scope: Scope,
        limit: usize,
    ) -> Result<Vec<Suggestion>, SearchError> {
        search::typeahead::suggest(self, typed, scope, limit)
    }

    fn interpret(&self, question: &Question<'_>) -> Result<Interpretation, SearchError> {
        interpret::interpret(self, question)
    }

    fn nonprofits(&self, query: &Query) -> Result<Found, SearchError> {
        search::nonprofits::search(self, query)
    }
    fn stories(&self, query: &stories::Query) -> Result<Listed<stories::Row>, SearchError> {
        stories::search(self, query)
    }

    fn metrics(&self, query: &metrics::Query) -> Result<Listed<Metric>, SearchError> {
        metrics::search(self, query)
    }

    fn posts(&self, query: &feed::Query) -> Result<Listed<feed::Row>, SearchError> {
        feed::search(self, query)
    }

    fn chat(&self, question: &chat::Question<'_>) -> Result<chat::Answer, SearchError> {
        chat::answer(self, question)
    }
}
