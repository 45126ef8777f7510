//! One question a file, synchronous, over one [`Snapshot`](crate::snapshot::Snapshot); knows
//! nothing of HTTP. Each fails when the snapshot is damaged where the answer looks.

pub mod aggregate;
pub mod articles;
pub mod by_name;
mod called;
pub mod candidates;
pub mod changes;
pub mod chat;
pub mod details;
pub mod explanation_fit;
pub mod family;
pub mod feed;
pub mod filings;
pub mod funders;
pub mod gaps;
mod grant_words;
pub mod grants;
pub mod library;
pub mod listing;
pub mod metrics;
pub mod national;
pub mod nonprofits;
pub mod officers;
pub mod passage;
pub mod peers;
pub mod people;
mod place_scope;
pub mod plan;
pub mod provenance;
pub mod related;
pub mod relevance;
pub mod reliance;
mod rows;
mod sentence;
pub mod similar;
pub mod standing;
pub mod stories;
pub mod tables;
pub mod typeahead;

use crate::understand::UnderstandError;

/// Why a question has no answer: the snapshot is damaged, or its model is not at hand or failed.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error("an index of the snapshot cannot be read")]
    Index(#[from] crate::mapped::Damage),
    #[error("a record of the snapshot cannot be read")]
    Store(#[from] crate::store::StoreError),
    #[error("the row cannot be matched")]
    Match(#[from] crate::matching::MatchError),
    #[error("the text cannot be compared with the snapshot")]
    Model(#[from] crate::snapshot::ModelError),
    #[error("the reader of messages cannot be used")]
    Reader(#[from] std::sync::Arc<crate::embed::Error>),
    #[error("the text cannot be embedded")]
    Embed(#[from] crate::embed::Error),
    #[error("the snapshot is damaged: the record of EIN {asked} holds EIN {found}")]
    OtherEin { asked: crate::record::Ein, found: crate::record::Ein },
}

impl From<UnderstandError> for SearchError {
    fn from(error: UnderstandError) -> Self {
        match error {
            UnderstandError::Index(cause) => cause.into(),
            UnderstandError::Reader(cause) => cause.into(),
            UnderstandError::Embed(cause) => cause.into(),
        }
    }
}
