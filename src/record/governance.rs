//! How a nonprofit is governed, as its return says.

use serde::{Deserialize, Serialize};

/// Answers of Form 990, Part VI; what is not stated, as on the other forms, is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Governance {
    /// Voting members of the governing body: line 1a.
    pub voting_members: Option<u32>,
    /// Of these, who are independent: line 1b.
    pub independent_members: Option<u32>,
    /// Whether it has a written policy on conflicts of interest: line 12a.
    pub conflict_policy: Option<bool>,
    /// Whether it has a written policy for whistleblowers: line 13.
    pub whistleblower_policy: Option<bool>,
    /// Whether it has a written policy on keeping documents: line 14.
    pub retention_policy: Option<bool>,
}
