//! `GET /coverage`: what the snapshot covers. Lists with their vintages, states and counties, how many
//! nonprofits each value is known of, years of returns. Beside the specification.

use serde::Serialize;

use super::endpoint::{Context, Cost, Endpoint, Reply, json};
use super::list::ListShown;
use super::refusal::Refusal;
use crate::record::State;
use crate::snapshot::{Coverage, Manifest, OfState};
use crate::sources::Kind;

/// The endpoint.
pub(super) static COVERAGE: Endpoint = Endpoint {
    path: "/coverage",
    tag: "Insights",
    summary: "What the data covers: lists, states, values and years",
    schema: "Coverage",
    // Counted when the snapshot was built; some thousand counties are written out.
    cost: Cost::Micro,
    parameters: &[],
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    let source = context.source()?;
    json(&Answer::of(source.manifest(), source.coverage()))
}

#[derive(Debug, Serialize)]
struct Answer<'a> {
    snapshot: &'a str,
    built_at: &'a str,
    organizations: u64,
    in_master_file: u64,
    /// Every kind of source, those that were not loaded among them.
    lists: Vec<Loaded<'a>>,
    states: Vec<StateShown<'a>>,
    /// Nonprofits abroad, and those whose state is not known.
    without_state: u64,
    fields: Vec<Known>,
    returns: Vec<OfYear>,
}

#[derive(Debug, Serialize)]
struct Loaded<'a> {
    kind: Kind,
    title: &'static str,
    loaded: bool,
    rows: u64,
    files: Vec<ListShown<'a>>,
}

#[derive(Debug, Serialize)]
struct StateShown<'a> {
    state: State,
    name: &'static str,
    organizations: u64,
    in_master_file: u64,
    counties: Vec<County<'a>>,
}

#[derive(Debug, Serialize)]
struct County<'a> {
    county: &'a str,
    organizations: u64,
}

#[derive(Debug, Serialize)]
struct Known {
    field: &'static str,
    known: u64,
    /// Of all organizations, 0 to 1.
    share: f64,
}

#[derive(Debug, Serialize)]
struct OfYear {
    tax_year: u16,
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
            lists: Kind::ALL.map(|kind| Loaded::of(kind, manifest)).into(),
            states: states.iter().map(|(state, one)| StateShown::of(*state, one)).collect(),
            without_state: count.organizations.saturating_sub(in_states),
            fields: known
                .iter()
                .map(|(field, known)| Known {
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

impl<'a> Loaded<'a> {
    fn of(kind: Kind, manifest: &'a Manifest) -> Self {
        let of_kind = || manifest.sources.iter().filter(|source| source.kind == kind);
        Self {
            kind,
            title: kind.title(),
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
