//! How a nonprofit is governed: answers of Form 990, Part VI, which the other forms do not ask for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a nonprofit is governed, as its return says; null where it does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
pub struct Governance {
    /// Voting members of the governing body (line 1a).
    pub voting_members: Option<u32>,
    /// Of these, who are independent (line 1b).
    pub independent_members: Option<u32>,
    /// Whether it has a written policy on conflicts of interest (line 12a).
    pub conflict_policy: Option<bool>,
    /// Whether it has a written policy for whistleblowers (line 13).
    pub whistleblower_policy: Option<bool>,
    /// Whether it has a written policy on keeping documents (line 14).
    pub retention_policy: Option<bool>,
}
