//! Search structures over the organizations of one snapshot, addressed by
//! [`OrgId`](crate::record::OrgId), and over what they own, addressed by its place in its list: one
//! engine a module, each the only place that names its crate.

pub mod causes;
pub mod columns;
pub mod fulltext;
pub mod items;
pub mod names;
pub mod typeahead;
pub mod vectors;
