//! Validated values: what the rest of the program may hold, and nothing that it may not.
//!
//! Every type here is made by a parser that refuses what it should not be; deserialising goes
//! through the same parser. There is no I/O and no engine in this module. [`Organization`] is the
//! full record of one nonprofit, as `store` keeps it and `search` answers from it.

mod change;
mod code;
mod ein;
mod filing;
mod finances;
mod formation;
mod governance;
mod grant;
mod impact;
mod library;
mod listed;
mod listing;
mod named;
mod ntee;
mod number;
mod organization;
mod origin;
mod overlay;
mod period;
mod person;
mod place;
mod post;
mod posture;
mod ratio;
mod relation;
mod row_id;
mod schema;
mod sdg;
mod size;
mod timestamp;
mod totals;
mod usd;

pub use change::{Change, ChangeKind};
pub use code::{
    CharityClassification, CodeError, Deductibility, FilingRequirement, Foundation, GroupNumber,
    Subsection,
};
pub use ein::{Ein, EinError};
pub use filing::{
    Contractor, Element, ElementPath, Filing, Form, Program, StatedValue, SupersededFiling,
};
pub use finances::{FilingDuty, Finances, POSTCARD_RECEIPTS_MAX};
pub use formation::{Formation, Purpose};
pub use governance::Governance;
pub use grant::{Grant, GrantForm, GrantStage};
pub use impact::{Metric, Story, StoryMetric, TimeAggregation};
pub use library::{Article, Fund, Knowledge};
pub use listed::{ListedName, Schedules};
pub use listing::{Listing, Listings};
pub(crate) use named::named;
pub use ntee::{Ntee, NteeError};
pub use number::{NUMBER_WORDS, counted, decimal, thousands};
pub use organization::{Address, Exemption, LatestFiling, Organization, Revocation, filing_url};
pub use origin::{Origin, Origins};
pub use overlay::{Overlay, as_written};
pub use period::{Date, MONTH_NAMES, Month, PeriodError, month_of};
pub use person::{CompensationDetail, Pay, Person, Role, Roles};
pub use place::{EARTH_RADIUS_MILES, PlaceError, Point, State, Zip5};
pub use post::{Classification, Post};
pub use posture::{Application, Posture};
pub use ratio::Ratio;
pub use relation::{Relation, RelationPart};
pub use row_id::{OrgId, RowId};
pub use sdg::{Sdg, SdgError, SdgSet};
pub use size::OrgSize;
pub use timestamp::{Timestamp, TimestampError};
pub use totals::Totals;
pub use usd::{Usd, UsdError};
