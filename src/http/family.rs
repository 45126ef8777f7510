//! `GET /nonprofits/family/{ein}`: the group exemption that a nonprofit belongs to, and related
//! organizations. Beside the specification.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::{EIN, PAGE, size};
use super::endpoint::{
    Body, Context, Cost, Endpoint, Reply, Reuse, Rows, UNKNOWN_EIN, json, paging,
};
use super::grants::{NOT_LOADED, number};
use super::parameter::{Defaulted, Parameter, parameters};
use super::parameter_type::Integer;
use crate::record::{Ein, Organization, Relation, State, decimal, filing_url};
use crate::search::family::{Group, GroupRole, RelationHit, family};

const SIZE: Parameter<Integer, Defaulted<i64>> = size(20);

parameters! {
    /// What it takes.
    Params {
        ein: Ein = EIN,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// The endpoint.
pub(super) static FAMILY: Endpoint = Endpoint {
    path: "/nonprofits/family/{ein}",
    tag: "Money and people",
    summary: "Group exemption and related organizations of one nonprofit",
    body: Body::Json(SchemaGenerator::subschema_for::<Answer>),
    rows: Rows::In("relations"),
    reuse: Reuse::UntilSwap,
    not_found: Some(UNKNOWN_EIN),
    // Groups have tens of thousands of members.
    cost: Cost::Heavy,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let paging = paging(asked.page, asked.size);
    let found = family(context.snapshot()?, asked.ein, paging)?;
    let found = found.ok_or(ApiError::UnknownNonprofit)?;
    let none = match found.has_returns {
        true => "the loaded returns list no related organization",
        false => NOT_LOADED,
    };
    json(&Answer {
        ein: asked.ein,
        group: found.group.map(GroupShown::of),
        message: (found.relations.total == 0).then_some(none),
        relations_total: found.relations.total,
        relations: found.relations.rows.into_iter().map(RelationShown::of).collect(),
        page: number(paging),
        size: paging.size as i64,
    })
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

/// A group exemption.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Group")]
struct GroupShown {
    /// Number of the group exemption, 1 to 9999.
    number: u16,
    /// What the nonprofit is in it (master file, column AFFILIATION): `central` or `subordinate`;
    /// null where it is neither.
    role: Option<&'static str>,
    /// The central organization, as rule one; empty where no list that was loaded has it.
    central: Vec<MemberRow>,
    /// Other members of the group on this page, by place.
    subordinates: Vec<MemberRow>,
    /// Number of these on all pages together, as far as the lists that were loaded have them.
    subordinates_total: u64,
    /// How many of these each state has, by its code; those abroad are in none.
    subordinates_by_state: Vec<StateCount>,
}

/// A member of a group.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "GroupMember")]
struct MemberRow {
    /// Employer Identification Number: nine digits, leading zeros kept.
    ein: Ein,
    /// Name in title case.
    name: String,
    /// The name that tells it from others of the group (master file, column SORT_NAME); null where
    /// it has none.
    alt_name: Option<String>,
    /// City in title case; null where it is not known.
    city: Option<String>,
    /// USPS code of the state; null abroad and where it is not known.
    state: Option<State>,
}

impl MemberRow {
    fn of(organization: Organization) -> Self {
        let Organization { ein, name, alt_name, address, .. } = organization;
        Self { ein, name, alt_name, city: address.city, state: address.state }
    }
}

/// How many members of a group a state has.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "GroupState")]
struct StateCount {
    /// USPS code of the state.
    state: State,
    /// Number of members.
    count: u64,
}

impl GroupShown {
    fn of(group: Group) -> Self {
        let role = |role| match role {
            GroupRole::Central => "central",
            GroupRole::Subordinate => "subordinate",
        };
        let count = |(state, count)| StateCount { state, count };
        Self {
            number: group.number.number(),
            role: group.role.map(role),
            central: group.central.into_iter().map(MemberRow::of).collect(),
            subordinates: group.subordinates.rows.into_iter().map(MemberRow::of).collect(),
            subordinates_total: group.subordinates.total,
            subordinates_by_state: group.by_state.into_iter().map(count).collect(),
        }
    }
}

/// A related organization, and on which side of the list it is.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Relation")]
struct RelationShown {
    /// Whether the nonprofit lists the other organization (`lists`) or is listed by it
    /// (`listed by`).
    direction: &'static str,
    #[serde(flatten)]
    other: RelationRow,
}

impl RelationShown {
    fn of(RelationHit { relation, listed_by }: RelationHit) -> Self {
        let (direction, filer) = match listed_by {
            Some(name) => ("listed by", Some((relation.ein, name))),
            None => ("lists", None),
        };
        let mut other = RelationRow::of(relation);
        if let Some((ein, name)) = filer {
            (other.ein, other.name) = (Some(ein), Some(name));
        }
        Self { direction, other }
    }
}

/// A related organization, as Schedule R has it.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "RelatedOrganization")]
pub(super) struct RelationRow {
    /// Employer Identification Number of the other organization: nine digits, leading zeros kept;
    /// null where the return has none.
    ein: Option<Ein>,
    /// Name of the other organization: as filed, or in title case where it is the filer; null where
    /// the return has none.
    name: Option<String>,
    /// What the organization that is listed is: `disregarded`, `tax-exempt`, `partnership` or
    /// `corporation or trust`.
    kind: &'static str,
    /// City of the organization that is listed, as filed; null where it is not stated.
    city: Option<String>,
    /// State, province or country of the organization that is listed; null where it is not stated.
    region: Option<String>,
    /// What the organization that is listed does, as filed; null where it is not stated.
    primary_activity: Option<String>,
    /// State or country by whose law the organization that is listed exists; null where it is not
    /// stated.
    legal_domicile: Option<String>,
    /// Section of the tax code by which the organization that is listed is exempt, as filed; null
    /// where it is not stated.
    exempt_section: Option<String>,
    /// What the organization that is listed is, such as `C CORPORATION`; null where it is not
    /// stated.
    entity_type: Option<String>,
    /// Name of the entity that directly controls the organization that is listed, as filed; null
    /// where there is none or it is not stated.
    controlling_name: Option<String>,
    /// Whether the filer controls the organization that is listed, by section 512(b)(13); null
    /// where it is not stated.
    is_controlled: Option<bool>,
    /// What the filer owns of the organization that is listed, 0 to 1; null where it is not stated.
    ownership_share: Option<f64>,
    /// Year that the return is of: the one in which its tax period begins.
    tax_year: u16,
    /// Address of the return in XML; null where the IRS's number of it is not known.
    file_url: Option<String>,
}

impl RelationRow {
    pub(super) fn of(relation: Relation) -> Self {
        Self {
            ein: relation.related_ein,
            name: relation.related_name,
            kind: relation.part.name(),
            city: relation.city,
            region: relation.region,
            primary_activity: relation.primary_activity,
            legal_domicile: relation.legal_domicile,
            exempt_section: relation.exempt_section,
            entity_type: relation.entity_type,
            controlling_name: relation.controlling_name,
            is_controlled: relation.is_controlled,
            ownership_share: relation.ownership_share.map(decimal),
            tax_year: relation.tax_year,
            file_url: relation.object_id.as_deref().map(filing_url),
        }
    }
}
