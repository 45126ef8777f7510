//! `GET /nonprofits/family/{ein}`: the group exemption that a nonprofit belongs to, and related
//! organizations. Beside the specification.

use schemars::JsonSchema;
use serde::Serialize;

use super::grants::NOT_LOADED;
use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::ListOfNonprofit;
use crate::http::interface::endpoint::{
    Context, Cost, Endpoint, Reply, Rows, UNKNOWN_EIN, json, paging,
};
use crate::record::{Ein, Organization, Relation, State};
use crate::search::family::{Group, GroupRole, RelationHit, family};
use crate::views::{RelationRow, view};

pub(crate) static FAMILY: Endpoint = Endpoint {
    tag: "Money and people",
    summary: "Group exemption and related organizations of one nonprofit",
    rows: Rows::In("relations"),
    not_found: Some(UNKNOWN_EIN),
    cost: Cost::Heavy, // Groups have tens of thousands of members.
    ..Endpoint::json::<Answer>("/nonprofits/family/{ein}", ListOfNonprofit::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = ListOfNonprofit::read(&context.input)?;
    let found = family(context.snapshot()?, asked.ein, paging(asked.page, asked.size))?;
    let found = found.ok_or(ApiError::UnknownNonprofit)?;
    let none = match found.has_returns {
        true => "the loaded returns list no related organization",
        false => NOT_LOADED,
    };
    let total = found.relations.total;
    let reply = json(&Answer {
        ein: asked.ein,
        group: found.group.map(GroupShown::of),
        message: (found.relations.total == 0).then_some(none),
        relations_total: found.relations.total,
        relations: found.relations.rows.into_iter().map(RelationShown::of).collect(),
        page: asked.page,
        size: asked.size,
    })?;
    Ok(reply.of_page(total, asked.page, asked.size))
}

/// What a nonprofit belongs to.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Family")]
struct Answer {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    ein: Ein,
    /// Its group exemption (master file, column GROUP); null where it is in none.
    group: Option<GroupShown>,
    /// Related organizations of Schedule R on this page, of each the latest tax year: those that
    /// the nonprofit lists, then those that list it.
    relations: Vec<RelationShown>,
    /// Number of related organizations on all pages together.
    relations_total: u64,
    /// Why there are no related organizations; null where returns that were loaded list any.
    message: Option<&'static str>,
    /// Number of this page, of relations and of subordinates, from 1, as requested.
    page: i64,
    /// Most relations, and most subordinates, that a page has, as requested.
    size: i64,
}

view! {
    /// A group exemption.
    #[schemars(rename = "Group")]
    struct GroupShown of |group: Group| {
        /// Number of the group exemption, 1 to 9999.
        number: u16 = group.number.number(),
        /// What the nonprofit is in it (master file, column AFFILIATION): `central` or `subordinate`;
        /// null where it is neither.
        role: Option<&'static str> = group.role.map(GroupRole::name),
        /// The central organization, as rule one; empty where no list that was loaded has it.
        central: Vec<MemberRow> = group.central.into_iter().map(MemberRow::of).collect(),
        /// Other members of the group on this page, by place.
        subordinates: Vec<MemberRow> =
            group.subordinates.rows.into_iter().map(MemberRow::of).collect(),
        /// Number of these on all pages together, as far as the lists that were loaded have them.
        subordinates_total: u64 = group.subordinates.total,
        /// How many of these each state has, by its code; those abroad are in none.
        subordinates_by_state: Vec<StateCount> =
            group.by_state.into_iter().map(StateCount::of).collect(),
    }
}

view! {
    /// A member of a group.
    #[schemars(rename = "GroupMember")]
    struct MemberRow of |organization: Organization| {
        let Organization { ein, name, alt_name, address, .. } = organization;

        /// Employer Identification Number: nine digits, leading zeros kept.
        ein: Ein = ein,
        /// Name in title case.
        name: String = name,
        /// The name that tells it from others of the group (master file, column SORT_NAME); null where
        /// it has none.
        alt_name: Option<String> = alt_name,
        /// City in title case; null where it is not known.
        city: Option<String> = address.city,
        /// USPS code of the state; null abroad and where it is not known.
        state: Option<State> = address.state,
    }
}

view! {
    /// How many members of a group a state has.
    #[schemars(rename = "GroupState")]
    struct StateCount of |counted: (State, u64)| {
        /// USPS code of the state.
        state: State = counted.0,
        /// Number of members.
        count: u64 = counted.1,
    }
}

view! {
    /// A related organization, and on which side of the list it is.
    #[schemars(rename = "Relation")]
    struct RelationShown of |hit: RelationHit| {
        let (direction, relation) = match hit {
            RelationHit { relation, listed_by: None } => ("lists", relation),
            // The other organization is the filer.
            RelationHit { relation, listed_by } => {
                let related_ein = Some(relation.ein);
                ("listed by", Relation { related_ein, related_name: listed_by, ..relation })
            }
        };

        /// Whether the nonprofit lists the other organization (`lists`) or is listed by it
        /// (`listed by`).
        direction: &'static str = direction,
        #[serde(flatten)]
        other: RelationRow = RelationRow::of(relation),
    }
}
