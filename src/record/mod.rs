//! Validated values: what the rest of the program may hold, and nothing that it may not.
//!
//! Every type here is made by a parser that refuses what it should not be; deserialising goes
//! through the same parser. There is no I/O and no engine in this module. [`Organization`] is the
//! full record of one nonprofit, as `store` keeps it and `search` answers from it.

mod code;
mod digest;
mod ein;
mod ntee;
mod number;
mod organization;
mod period;
mod place;
mod sdg;
mod size;

pub use code::{CodeError, Deductibility, FilingRequirement, Foundation, GroupNumber, Subsection};
pub use digest::hexadecimal;
pub use ein::{Ein, EinError};
pub use ntee::{Ntee, NteeError};
pub use number::thousands;
pub use organization::{
    Address, Exemption, Finances, OrgId, Organization, Revocation, Usd, UsdError,
};
pub use period::{Date, Month, PeriodError};
pub use place::{EARTH_RADIUS_MILES, PlaceError, Point, State, Zip5};
pub use sdg::{Sdg, SdgError, SdgSet};
pub use size::OrgSize;
