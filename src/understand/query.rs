//! What a text, a session and parameters ask for, as the search takes it.

use std::borrow::Cow;

use super::area::Surroundings;
use super::filler::{is_spanish, without_fillers};
use crate::index::columns::Facet;
use crate::query::{Area, Filters, Sort, SortKey};
use crate::record::{Ein, Point};

/// A query for nonprofits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// Filters on every row.
    pub filters: Filters,
    /// The origin of distances; without it they are unknown.
    pub origin: Option<Point>,
    /// What rows are ranked by; it excludes nothing by itself.
    pub relevance: RelevanceQuery,
    /// The largest distance in meaning (1 − cosine) of a row to the text; no condition without a text.
    pub distance_max: Option<f64>,
    /// Applied in order; empty sorts by relevance.
    pub sort: Vec<Order>,
    /// From 1.
    pub page: u64,
    /// Rows of a page.
    pub size: usize,
    /// The facets by which the matches are counted.
    pub facets: Vec<Facet>,
    /// The place that words name; rows around it are ranked too.
    pub place: Option<PlaceHint>,
    /// Whether rows, their number and the facets are restricted to rows that have a word of the
    /// text or are likely answers to it; if not, all other matches follow by meaning.
    pub ends_with_text: bool,
    /// Whether an order is one of the rows that would be listed without it, as far as they end with the text; if
    /// not, of all that fit by their codes.
    pub sorts_listed: bool,
}

impl Query {
    /// The first rows of those that satisfy filters, the most relevant first.
    pub fn of(filters: Filters, relevance: RelevanceQuery, size: usize) -> Self {
        Self { filters, relevance, page: 1, size, ..Self::default() }
    }
}

/// The key of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// How well rows fit the text; without a text by revenue, the greatest first. Later keys in a
    /// list have no effect, since hardly two rows fit equally well; with a text, it has no effect
    /// itself after another key.
    Relevance,
    /// A column.
    By(Sort),
}

/// The name of [`Order::Relevance`] in interfaces.
const RELEVANCE: &str = "relevance";

impl Order {
    /// The names of the orders in interfaces, each also with `-` in front for descending.
    pub fn names() -> impl Iterator<Item = &'static str> {
        std::iter::once(RELEVANCE).chain(SortKey::offered().map(SortKey::name))
    }

    /// The order of a name; relevance is best first in either direction.
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix('-').unwrap_or(text) {
            RELEVANCE => Some(Self::Relevance),
            _ => Sort::parse(text).map(Self::By),
        }
    }
}

/// The text or nonprofit that rows are ranked against.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RelevanceQuery {
    /// The cause, in plain words.
    pub text: Option<String>,
    /// A nonprofit that rows should be similar to; its vector counts instead of the text's.
    pub nonprofit: Option<Ein>,
    /// The whole question as it was typed.
    pub question: Option<String>,
    /// Whether the question was read as a name.
    pub is_name: bool,
    /// Whether it may name somebody, who then comes first.
    pub may_name: bool,
    /// Prefixes of NTEE codes of the cause, in capitals.
    pub ntee: Vec<String>,
    /// Whether these codes cover the whole text: rows with one of them fit, when rows are sorted by a column.
    pub ntee_is_text: bool,
    /// The text for cosines if there is neither text nor nonprofit to rank by.
    pub measured_with: Option<String>,
}

impl RelevanceQuery {
    /// Ranks by plain words.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// Whether rows can be ranked by it.
    pub fn ranks(&self) -> bool {
        self.words().is_some() || self.nonprofit.is_some()
    }

    /// The text, unless it is blank.
    pub fn words(&self) -> Option<&str> {
        self.text.as_deref().map(str::trim).filter(|text| !text.is_empty())
    }

    /// The words of the whole question where these are others than those of a text. In Spanish they are without fillers:
    /// these are rare in names, and would tell as much there as what was asked for.
    pub fn words_beside(&self, text: &str) -> Option<Cow<'_, str>> {
        let whole = self.question.as_deref().filter(|whole| *whole != text)?;
        let is_description = !self.is_name && is_spanish(whole);
        Some(if is_description { without_fillers(whole).into() } else { whole.into() })
    }

    /// The whole question, else the text.
    pub fn typed(&self) -> Option<&str> {
        self.question.as_deref().or(self.words())
    }
}

/// A place in words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlaceHint {
    /// The place itself: any of these areas.
    pub areas: Vec<Area>,
    /// The surroundings.
    pub surroundings: Vec<Surroundings>,
    /// Whether `areas` are also among the filters; if not, they only rank.
    pub is_filter: bool,
}
