//! Rows and details as answers, exports and the command line show them.
//!
//! A member of a row is declared once, by `view!`: its description in the interface, its type, and where its
//! value is from. What a record or an answer of `search` has in the same form writes itself.

mod aggregate;
mod figure;
mod filing;
mod nonprofit;
mod published;
mod returns;
mod schema;
mod standing;
mod table;

pub use aggregate::{DistributionShown, GroupShown, MeasureShown};
pub use figure::{Citation, CitedFigure};
pub use filing::{FilingFigures, FilingRow, PostureShown};
pub use nonprofit::{ChatNonprofit, Details, Profile};
pub use published::{Article, PostRow, StoryRow};
pub use returns::{GrantRow, PersonRow, RelationRow};
pub(crate) use schema::{SchemaOf, generator, generator_below, row_of};
pub use standing::{ListShown, StandingShown};
pub use table::Table;

/// Declares what is shown of something: after its attributes, `struct NAME of |SOURCE: TYPE|`, and in braces
/// what is computed first, then each member with its type and its value. Its `of` makes one.
macro_rules! view {
    (
        $(#[$about:meta])*
        $visibility:vis struct $name:ident $(<$life:lifetime>)? of |$($source:ident: $kind:ty),+| {
            $(let $bound:pat_param = $computed:expr;)*
            $($(#[$meta:meta])+ $member_visibility:vis $member:ident: $type:ty = $value:expr,)+
        }
    ) => {
        #[derive(Debug, schemars::JsonSchema, serde::Serialize)]
        $(#[$about])*
        $visibility struct $name $(<$life>)? {
            $($(#[$meta])+ $member_visibility $member: $type,)+
        }

        impl $(<$life>)? $name $(<$life>)? {
            /// What is shown of it.
            $visibility fn of($($source: $kind),+) -> Self {
                $(let $bound = $computed;)*
                Self { $($member: $value,)+ }
            }
        }
    };
}

pub(crate) use view;
