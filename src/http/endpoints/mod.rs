//! The endpoints: parameters and answer of each, over one question of [`search`](crate::search).

pub(crate) mod aggregate;
pub(crate) mod articles;
pub(crate) mod batch;
pub(crate) mod beta;
pub(crate) mod changes;
pub(crate) mod coverage;
pub(crate) mod export;
pub(crate) mod family;
pub(crate) mod feed;
pub(crate) mod filters;
pub(crate) mod funders;
pub(crate) mod grants;
pub(crate) mod impact;
pub(crate) mod r#match;
pub(crate) mod nonprofit;
pub(crate) mod peers;
pub(crate) mod people;
pub(crate) mod provenance;
pub(crate) mod reliance;
pub(crate) mod search;
pub(crate) mod typeahead;
