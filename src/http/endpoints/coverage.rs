//! `GET /coverage`: what the snapshot covers. Lists with their vintages, states and counties, how many
//! nonprofits each value is known of, years of returns. Beside the specification.

use crate::http::interface::api_error::ApiError;
use crate::http::interface::endpoint::{Context, Endpoint, Reply, json};
use crate::record::State;
use crate::snapshot::{Coverage, Field, Manifest, OfState};
use crate::sources::SourceKind;
use crate::views::{ListShown, view};

/// The endpoint: counted when the snapshot was built; some thousand counties are written out.
pub(crate) static COVERAGE: Endpoint = Endpoint {
    summary: "What the data covers: lists, states, values and years",
    ..Endpoint::json::<Answer<'_>>("/coverage", &[], answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let snapshot = context.snapshot()?;
    json(&Answer::of(&snapshot.manifest, &snapshot.coverage))
}

view! {
    /// What the data covers, counted when the snapshot was built.
    #[schemars(rename = "Coverage")]
    struct Answer<'a> of |manifest: &'a Manifest, coverage: &'a Coverage| {
        let Coverage { count, states, known, returns } = coverage;
        let in_states = states.values().map(|one| one.count.organizations).sum();
        let all = count.organizations;

        /// Name of the snapshot that answered.
        snapshot: &'a str = &manifest.snapshot,
        /// When the snapshot was built: an RFC 3339 time in UTC.
        built_at: &'a str = &manifest.built_at,
        /// Number of nonprofits.
        organizations: u64 = all,
        /// Number of nonprofits that have a row in a master file; the others are known from returns or
        /// other lists.
        in_master_file: u64 = count.in_master_file,
        /// Every kind of source, those that were not loaded among them.
        lists: Vec<LoadedList<'a>> =
            SourceKind::ALL.map(|kind| LoadedList::of(kind, manifest)).into(),
        /// The states that nonprofits are in.
        states: Vec<StateShown<'a>> =
            states.iter().map(|(state, one)| StateShown::of(*state, one)).collect(),
        /// Number of nonprofits abroad, or whose state is not known.
        without_state: u64 = all.saturating_sub(in_states),
        /// Of how many nonprofits each value is known.
        fields: Vec<FieldCoverage> =
            known.iter().map(|(field, known)| FieldCoverage::of(*field, *known, all)).collect(),
        /// Returns by tax year.
        returns: Vec<OfYear> =
            returns.iter().map(|(year, returns)| OfYear::of(*year, *returns)).collect(),
    }
}

view! {
    /// A kind of source, and the files of it that were loaded.
    #[schemars(rename = "LoadedList")]
    struct LoadedList<'a> of |kind: SourceKind, manifest: &'a Manifest| {
        let of_kind = || manifest.sources.iter().filter(|source| source.kind == kind);

        /// Kind of the source.
        kind: SourceKind = kind,
        /// Name of the kind, for people.
        title: &'static str = kind.name(),
        /// Whether a file of this kind was loaded.
        loaded: bool = of_kind().any(|source| source.is_used()),
        /// Rows, lines or returns of use in all of its files.
        rows: u64 = of_kind().map(|source| source.rows).sum(),
        /// The files that were loaded; empty where none was.
        files: Vec<ListShown<'a>> = of_kind().map(ListShown::of).collect(),
    }
}

view! {
    /// What the data has of a state.
    #[schemars(rename = "StateCovered")]
    struct StateShown<'a> of |state: State, one: &'a OfState| {
        /// USPS code of the state or territory.
        state: State = state,
        /// Name of the state.
        name: &'static str = state.name(),
        /// Number of nonprofits in it.
        organizations: u64 = one.count.organizations,
        /// Number of nonprofits that have a row in a master file; the others are known from returns or
        /// other lists.
        in_master_file: u64 = one.count.in_master_file,
        /// Its counties, by the ZIP codes of addresses.
        counties: Vec<County<'a>> =
            one.counties.iter().map(|(county, count)| County::of(county, *count)).collect(),
    }
}

view! {
    /// A county, by the ZIP codes of addresses.
    #[schemars(rename = "CountyCovered")]
    struct County<'a> of |county: &'a str, organizations: u64| {
        /// Name of the county, without “County” or “Parish”.
        county: &'a str = county,
        /// Number of nonprofits in it.
        organizations: u64 = organizations,
    }
}

view! {
    /// Of how many nonprofits a value is known.
    #[schemars(rename = "FieldKnown")]
    struct FieldCoverage of |field: Field, known: u64, organizations: u64| {
        /// Name of the value.
        field: &'static str = field.name(),
        /// Number of nonprofits of which it is known.
        known: u64 = known,
        /// That number as a share of all nonprofits, 0 to 1.
        share: f64 = known as f64 / organizations.max(1) as f64,
    }
}

view! {
    /// Returns of a tax year.
    #[schemars(rename = "ReturnsOfYear")]
    struct OfYear of |tax_year: u16, returns: u64| {
        /// The tax year.
        tax_year: u16 = tax_year,
        /// Number of returns of it.
        returns: u64 = returns,
    }
}
