//! Search structures over the organizations of one snapshot, addressed by
//! [`OrgId`](crate::record::OrgId), and over the lists of what they own and of texts, addressed by the
//! [`RowId`](crate::record::RowId) of the kind: one engine a module, each the only place that names
//! its crate.
//!
//! # Errors
//!
//! Whatever reads fails with [`Damage`](crate::mapped::Damage), or an error that carries it, when the bytes it looks
//! at are not those that were built; whatever writes fails when the system refuses the file.

pub mod causes;
pub mod changes;
pub mod columns;
pub mod departed;
pub mod fulltext;
pub mod grants;
pub mod groups;
pub mod items;
pub mod names;
pub mod postings;
pub mod ratios;
pub mod relations;
pub mod typeahead;
pub mod vectors;
