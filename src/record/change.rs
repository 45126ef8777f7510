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
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Change {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    pub ein: Ein,
    /// Kind of change.
    pub kind: ChangeKind,
    /// Name of the nonprofit now, or the last that was known, in title case.
    pub name: String,
    /// USPS code of the state where it is now, or was last; null abroad and where it is not known.
    pub state: Option<State>,
    /// The value before the change; null where there was none.
    pub before: Option<String>,
    /// The value after the change; null where there is none.
    pub after: Option<String>,
}
