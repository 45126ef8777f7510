//! Almoner turns the IRS's public bulk files into a search service over every U.S. nonprofit.

pub mod cli;
pub mod fictional;
pub mod http;
pub mod index;
pub mod irs;
pub mod mapped;
pub mod naming;
pub mod places;
pub mod record;
pub mod search;
pub mod snapshot;
pub mod store;
pub mod taxonomy;
