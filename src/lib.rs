//! Almoner turns the IRS's public bulk files into a search service over every U.S. nonprofit.
//!
//! As a library it [builds](build()) a snapshot, [opens](Nonprofits::open) it, and answers from it:
//! [details](Nonprofits::details), [standing](Nonprofits::standing), [grants](Nonprofits::grants) and
//! [people](Nonprofits::people) of an EIN, [suggestions](Nonprofits::typeahead) for what is typed, what
//! [a query](Nonprofits::search) finds, and which organization [a row](Nonprofits::match_row) of a list means.
//! `docs/library.md` is the guide, with the programs of `examples/`. [`LocalService`] answers every path of the HTTP
//! interface without a server; the Python package is over it. Everything else is internal and may change
//! with any version.
//!
//! # Data flow
//!
//! [`fetch`] downloads the IRS's files. [`sources`] finds files and reads them, with [`irs`] and
//! [`curated`], into records and rejects. [`snapshot`] joins the records by EIN, derives metrics from
//! the words of returns ([`impact`]), numbers the organizations ([`record::OrgId`]) by place, and
//! writes their records ([`store`]), filterable values ([`index::columns`]) and names
//! ([`index::typeahead`]) into a folder that it publishes as a whole. [`search`] answers questions
//! from an open snapshot, one per file; [`query`] declares what they may ask for; [`http`] and
//! [`cli`] ask them for clients and at the prompt.
//!
//! # Invariants
//!
//! - A published snapshot is never modified, and a request reads from one only.
//! - Bytes of a snapshot are hashed before they are used ([`mapped`]): damage is an error, never a
//!   wrong answer, and no answer is for another EIN than the one asked for.
//! - Unknown is `None` and `null`, never 0 or an empty text.
//! - Names and queries are compared in one form ([`naming::normalise`]).
//! - The same sources in the same order make the same bytes, on any number of threads.
//! - A module imports only from the layers below it; `tests/it/architecture.rs` enforces that.
//!
//! To read on: [`record`], [`irs`], [`snapshot`], [`index`], [`search`], [`http`].
//! `ARCHITECTURE.md` says why things are as they are.

// What only those that look inside import stays exported.
#![cfg_attr(not(feature = "internals"), allow(unused_imports))]

cfg_if::cfg_if! {
    // Tests, benches and fuzz targets look inside; who embeds the library does not.
    if #[cfg(feature = "internals")] {
        pub mod api;
        pub mod build;
        pub mod classify;
        pub mod cli;
        pub mod curated;
        pub mod durable;
        pub mod embed;
        pub mod export;
        pub mod fetch;
        pub mod fictional;
        pub mod http;
        pub mod impact;
        pub mod index;
        pub mod irs;
        pub mod language_model;
        pub mod mapped;
        pub mod matching;
        pub mod model;
        pub mod naming;
        pub mod objects;
        pub mod places;
        pub mod processor_time;
        pub mod query;
        pub mod rank;
        pub mod reader;
        pub mod record;
        pub mod reports;
        pub mod search;
        pub mod snapshot;
        pub mod sources;
        pub mod spreadsheet;
        pub mod store;
        pub mod stories;
        pub mod table;
        pub mod taxonomy;
        pub mod text;
        pub mod understand;
        pub mod views;
    } else {
        mod api;
        mod build;
        mod classify;
        mod cli;
        mod curated;
        mod durable;
        mod embed;
        mod export;
        mod fetch;
        mod fictional;
        mod http;
        mod impact;
        mod index;
        mod irs;
        mod language_model;
        mod mapped;
        mod matching;
        mod model;
        mod naming;
        mod objects;
        mod places;
        mod processor_time;
        mod query;
        mod rank;
        mod reader;
        mod record;
        mod reports;
        mod search;
        mod snapshot;
        mod sources;
        mod spreadsheet;
        mod store;
        mod stories;
        mod table;
        mod taxonomy;
        mod text;
        mod understand;
        mod views;
    }
}

pub use api::{BuildOptions, Nonprofits, SearchResults, build, build_with};
pub use build::{BuildError, NoProgress, Progress, Report as BuildReport};
pub use http::{LocalAnswer, LocalService};
pub use matching::{
    Candidate as MatchCandidate, Decision as MatchDecision, Evidence as MatchEvidence, Matched,
    Query as MatchQuery,
};
pub use record::{Ein, EinError, Grant, Organization, Person, Usd};
pub use search::SearchError;
pub use search::grants::{
    Basis as GrantBasis, Direction as GrantDirection, GrantPage, ListedGrant, NonprofitGrants,
    ReturnTotals,
};
pub use search::listing::ListPage;
pub use search::people::NonprofitPeople;
pub use search::standing::{Check as StandingCheck, Standing, State as StandingState};
pub use search::typeahead::Suggestion;
pub use snapshot::OpenError;
pub use sources::{SourceKind, Summary as SourceSummary};

/// Holds the Rust in the guide to the compiler.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryGuide;

/// The command line, as the program `almoner` runs it.
#[doc(hidden)]
pub fn main() -> std::process::ExitCode {
    cli::run()
}
