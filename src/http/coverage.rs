//! `GET /coverage`: what the snapshot covers. Lists with their vintages, states and counties, how many
//! nonprofits each value is known of, years of returns. Beside the specification.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::endpoint::{Body, Context, Cost, Endpoint, Reply, Reuse, Rows, json};
use super::list::ListShown;
use crate::record::State;
use crate::snapshot::{Coverage, Manifest, OfState};
use crate::sources::SourceKind;

/// The endpoint.
pub(super) static COVERAGE: Endpoint = Endpoint {
    path: "/coverage",
    tag: "Insights",
    summary: "What the data covers: lists, states, values and years",
    body: Body::Json(SchemaGenerator::subschema_for::<Answer<'_>>),
    rows: Rows::None,
    reuse: Reuse::UntilSwap,
    not_found: None,
    // Counted when the snapshot was built; some thousand counties are written out.
    cost: Cost::Micro,
    parameters: &[],
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let snapshot = context.snapshot()?;
    json(&Answer::of(&snapshot.manifest, &snapshot.coverage))
}

/// What the data covers, counted when the snapshot was built.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Coverage")]
struct Answer<'a> {
    /// Name of the snapshot that answered.
    snapshot: &'a str,
    /// When the snapshot was built: an RFC 3339 time in UTC.
    built_at: &'a str,
    /// Number of nonprofits.
    organizations: u64,
    /// Number of nonprofits that have a row in a master file; the others are known from returns or
    /// other lists.
    in_master_file: u64,
    /// Every kind of source, those that were not loaded among them.
    lists: Vec<LoadedList<'a>>,
    /// The states that nonprofits are in.
    states: Vec<StateShown<'a>>,
    /// Number of nonprofits abroad, or whose state is not known.
    without_state: u64,
    /// Of how many nonprofits each value is known.
    fields: Vec<FieldCoverage>,
    /// Returns by tax year.
    returns: Vec<OfYear>,
}

/// A kind of source, and the files of it that were loaded.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "LoadedList")]
struct LoadedList<'a> {
    /// Kind of the source.
    kind: SourceKind,
    /// Name of the kind, for people.
    title: &'static str,
    /// Whether a file of this kind was loaded.
    loaded: bool,
    /// Rows, lines or returns of use in all of its files.
    rows: u64,
    /// The files that were loaded; empty where none was.
    files: Vec<ListShown<'a>>,
}

/// What the data has of a state.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "StateCovered")]
struct StateShown<'a> {
    /// USPS code of the state or territory.
    state: State,
    /// Name of the state.
    name: &'static str,
    /// Number of nonprofits in it.
    organizations: u64,
    /// Number of nonprofits that have a row in a master file; the others are known from returns or
    /// other lists.
    in_master_file: u64,
    /// Its counties, by the ZIP codes of addresses.
    counties: Vec<County<'a>>,
}

/// A county, by the ZIP codes of addresses.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "CountyCovered")]
struct County<'a> {
    /// Name of the county, without “County” or “Parish”.
    county: &'a str,
    /// Number of nonprofits in it.
    organizations: u64,
}

/// Of how many nonprofits a value is known.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "FieldKnown")]
struct FieldCoverage {
    /// Name of the value.
    field: &'static str,
    /// Number of nonprofits of which it is known.
    known: u64,
    /// That number as a share of all nonprofits, 0 to 1.
    share: f64,
}

/// Returns of a tax year.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReturnsOfYear")]
struct OfYear {
    /// The tax year.
    tax_year: u16,
    /// Number of returns of it.
    returns: u64,
}

impl<'a> Answer<'a> {
    fn of(manifest: &'a Manifest, coverage: &'a Coverage) -> Self {
        let Coverage { count, states, known, returns } = coverage;
        let in_states: u64 = states.values().map(|one| one.count.organizations).sum();
        let share = |known: u64| known as f64 / count.organizations.max(1) as f64;
        Self {
            snapshot: &manifest.snapshot,
            built_at: &manifest.built_at,
            organizations: count.organizations,
            in_master_file: count.in_master_file,
            lists: SourceKind::ALL.map(|kind| LoadedList::of(kind, manifest)).into(),
            states: states.iter().map(|(state, one)| StateShown::of(*state, one)).collect(),
            without_state: count.organizations.saturating_sub(in_states),
            fields: known
                .iter()
                .map(|(field, known)| FieldCoverage {
                    field: field.name(),
                    known: *known,
                    share: share(*known),
                })
                .collect(),
            returns: returns
                .iter()
                .map(|(tax_year, returns)| OfYear { tax_year: *tax_year, returns: *returns })
                .collect(),
        }
    }
}

impl<'a> LoadedList<'a> {
    fn of(kind: SourceKind, manifest: &'a Manifest) -> Self {
        let of_kind = || manifest.sources.iter().filter(|source| source.kind == kind);
        Self {
            kind,
            title: kind.name(),
            loaded: of_kind().next().is_some(),
            rows: of_kind().map(|source| source.rows).sum(),
            files: of_kind().map(ListShown::of).collect(),
        }
    }
}

impl<'a> StateShown<'a> {
    fn of(state: State, one: &'a OfState) -> Self {
        let county = |(county, organizations): (&'a String, &u64)| County {
            county,
            organizations: *organizations,
        };
        Self {
            state,
            name: state.name(),
            organizations: one.count.organizations,
            in_master_file: one.count.in_master_file,
            counties: one.counties.iter().map(county).collect(),
        }
    }
}
