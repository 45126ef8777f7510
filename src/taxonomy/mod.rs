//! What an NTEE code means: its issue area, and the Sustainable Development Goals it maps to.

use crate::record::{Ntee, SdgSet};

/// The title of a code's major group, such as “Human Services”.
pub fn issue_area(_code: Ntee) -> Option<&'static str> {
    None
}

/// The goals that a code maps to; empty when it maps to none.
pub fn goals(_code: Ntee) -> SdgSet {
    SdgSet::default()
}
