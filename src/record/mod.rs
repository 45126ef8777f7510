//! Validated values: what the rest of the program may hold, and nothing that it may not.
//!
//! Every type here is made by a parser that refuses what it should not be; deserialising goes
//! through the same parser. There is no I/O and no engine in this module. [`Organization`] is the
//! full record of one nonprofit, as `store` keeps it and `search` answers from it.

mod cautions;
mod change;
mod code;
mod ein;
mod filing;
mod finances;
mod grant;
mod items;
mod named;
mod ntee;
mod number;
mod organization;
mod origin;
mod passage;
mod period;
mod person;
mod place;
mod posture;
mod ratio;
mod row_id;
mod schedules;
mod schema;
mod sdg;
mod timestamp;
mod totals;
mod transaction;

pub use change::{Change, ChangeKind};
pub use code::{
    CharityClassification, CodeError, Deductibility, FilingRequirement, Foundation, GroupNumber,
    Subsection,
};
pub use ein::{Ein, EinError};
pub use filing::{
    Contractor, Element, ElementPath, Filing, Form, Governance, Lobbying, Program, StatedValue,
    SupersededFiling,
};
pub use finances::{FilingDuty, Finances, OrgSize, POSTCARD_RECEIPTS_MAX};
pub use grant::{Grant, GrantForm, GrantStage};
pub use items::{
    Article, Classification, Fund, Knowledge, Metric, Post, Story, StoryMetric, TimeAggregation,
    Withdrawal,
};
pub(crate) use named::{named, partly_known};
pub use ntee::{Ntee, NteeError};
pub use number::{NUMBER_WORDS, Usd, UsdError, counted, decimal, ordinal, thousands};
pub use organization::{
    Address, DeductionLimit, Exemption, Formation, LatestFiling, Organization, Overlay, Purpose,
    Revocation, as_written, filing_url,
};
pub use origin::{Listing, Listings, Origin, Origins};
pub use passage::{Passage, PassageKind};
pub use period::{Date, MONTH_NAMES, Month, PeriodError, month_of};
pub use person::{CompensationDetail, Pay, Person, PersonKind, Role, Roles};
pub use place::{EARTH_RADIUS_MILES, PlaceError, Point, State, Zip5};
pub use posture::{Application, Posture};
pub use ratio::Ratio;
pub use row_id::{OrgId, RowId};
pub use schedules::{ListedName, Relation, RelationPart, Schedules};
pub use sdg::{Sdg, SdgError, SdgSet};
pub use timestamp::{Timestamp, TimestampError};
pub use totals::Totals;
pub use transaction::{InterestedTransaction, LoanDirection, TransactionKind};
