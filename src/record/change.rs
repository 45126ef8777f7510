//! What changed of a nonprofit from one snapshot to a later one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Ein, State, named};

named! {
    /// A kind of change.
    #[derive(PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[schemars(inline)]
    ChangeKind {
        /// The master file has it now.
        Appeared = "appeared",
        /// The master file does not have it any more.
        Vanished = "vanished",
        /// Its name is spelled otherwise.
        Renamed = "renamed",
        /// Street, city, state or ZIP code changed.
        Moved = "moved",
        Revoked = "revoked",
        Reinstated = "reinstated",
        /// The master file's or Publication 78's word on contributions changed.
        DeductibilityChanged = "deductibility_changed",
        /// The master file's FOUNDATION changed.
        FoundationChanged = "foundation_changed",
        /// There is a return that was not there.
        NewReturn = "new_return",
    }
}

/// Something that changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    pub ein: Ein,
    pub kind: ChangeKind,
    /// What it is called now, or was last.
    pub name: String,
    /// Where it is now, or was last.
    pub state: Option<State>,
    /// The value before, and after; `None` where there was or is none.
    pub before: Option<String>,
    pub after: Option<String>,
}
