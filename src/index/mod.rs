//! Search structures over the organizations of one snapshot, addressed by
//! [`OrgId`](crate::record::OrgId): one engine a module, each the only place that names its crate.

pub mod columns;
pub mod fulltext;
pub mod typeahead;
pub mod vectors;
