//! Candidates for a row, gathered from the index of names and compared part by part.

use super::MatchError;
use super::features::{
    BestNames, Features, Found, NAMESAKES_MAX, PlaceFit, Standing, best_names, features,
};
use super::model::RowFeatures;
use super::query::{Asked, Location, Query};
use super::street::Street;
use crate::index::names::{Name, Question, terms};
use crate::record::{Ein, OrgId, Organization};
use crate::snapshot::Snapshot;

/// Candidates that are gathered by the name and its place, by the name alone, by another name.
const GATHERED_PLACED: usize = 20;
const GATHERED_ANYWHERE: usize = 10;
const GATHERED_BY_OTHER: usize = 8;
/// Candidates whose records are read, the most alike.
const KEPT_MAX: usize = 8;
/// What a place adds to the similarity of names while candidates are chosen.
const PLACE_SHARE: f32 = 0.07;
/// Places that returns name, the latest ones.
const FILED_PLACES_MAX: usize = 4;

/// A candidate as it compares with a row.
#[derive(Debug)]
pub struct Compared {
    pub org: OrgId,
    pub ein: Ein,
    pub features: Features,
    pub of_row: [f32; super::OF_ROW - 2],
    pub(super) organization: Organization,
    pub(super) names: BestNames,
    pub(super) place: PlaceFit,
    pub(super) standing: Standing,
    /// Whether it is by a sort name or a name it does business as that it is alike.
    pub(super) is_by_other_name: bool,
}

/// A row read, and its candidates in the order of their similarity.
#[derive(Debug)]
pub(super) struct Comparison {
    pub asked: Asked,
    pub candidates: Vec<Compared>,
}

/// Gathers and compares.
pub(super) fn comparison(
    snapshot: &Snapshot,
    query: &Query,
    accepts: &dyn Fn(OrgId) -> bool,
) -> Result<Comparison, MatchError> {
    let asked = Asked::read(query, &snapshot.names)?;
    let mut kept: Vec<(f32, OrgId, Found<'_>, BestNames)> = Vec::new();
    for org in gathered(snapshot, &asked, accepts)? {
        let found = Found::new(snapshot.names.listed(org)?);
        let Some(names) = best_names(&asked, &found) else { continue };
        let place = PlaceFit::of(&asked.location, &found.locations[0]);
        let mut value = names.fit.similarity() + PLACE_SHARE * place.value();
        if asked.ein.is_some() && snapshot.columns.ein_of(org).ok() == asked.ein {
            value += 1.0;
        }
        kept.push((value, org, found, names));
    }
    kept.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    kept.truncate(KEPT_MAX);
    let mut candidates = Vec::with_capacity(kept.len());
    for (_, org, found, names) in kept {
        candidates.push(compared(snapshot, &asked, org, found, names)?);
    }
    Ok(Comparison { asked, candidates })
}

/// Whom the names of a row and its EIN lead to.
fn gathered(
    snapshot: &Snapshot,
    asked: &Asked,
    accepts: &dyn Fn(OrgId) -> bool,
) -> Result<Vec<OrgId>, MatchError> {
    let mut gathered: Vec<OrgId> = Vec::new();
    let mut add = |text: &str, k: usize| -> Result<(), MatchError> {
        let question = Question { accepts, ..Question::of(text) };
        for org in snapshot.names.candidates(&question, k)? {
            if !gathered.contains(&org) {
                gathered.push(org);
            }
        }
        Ok(())
    };
    let place = asked.place_text();
    for (at, name) in asked.names.iter().enumerate() {
        if !place.is_empty() {
            add(&format!("{}{place}", name.text), GATHERED_PLACED)?;
        }
        add(&name.text, if at == 0 { GATHERED_ANYWHERE } else { GATHERED_BY_OTHER })?;
    }
    if let Some(ein) = asked.ein
        && let Some(org) = snapshot.org_of(ein)?
        && org.0 < snapshot.columns.organizations()
        && accepts(org)
        && !gathered.contains(&org)
    {
        gathered.push(org);
    }
    Ok(gathered)
}

/// Compares a candidate with all that its record says.
fn compared(
    snapshot: &Snapshot,
    asked: &Asked,
    org: OrgId,
    mut found: Found<'_>,
    names: BestNames,
) -> Result<Compared, MatchError> {
    let organization = snapshot.records.organization(org)?;
    found.locations[0].street =
        Street::of(organization.address.street.as_deref().unwrap_or_default());
    if organization.latest_filing.is_some() {
        let filings = snapshot.records.filings(org)?;
        for filing in filings.iter().rev().take(FILED_PLACES_MAX) {
            found.locations.push(Location {
                street: Street::of(filing.street.as_deref().unwrap_or_default()),
                city: terms(filing.city.as_deref().unwrap_or_default())
                    .into_iter()
                    .map(Into::into)
                    .collect(),
                state: filing.state,
                zip: filing.zip,
            });
        }
    }
    let places = found.locations.iter().map(|location| PlaceFit::of(&asked.location, location));
    let nearest = places.reduce(|best, one| if one.value() > best.value() { one } else { best });
    let place = nearest.unwrap_or_default();
    let form = &found.names[names.found].1;
    let equal = snapshot.names.namesakes(&form.terms, NAMESAKES_MAX + 1)?;
    let standing = Standing {
        namesakes: equal.saturating_sub(1),
        is_in_group: organization.exemption.group.is_some(),
    };
    let mass: f32 = asked.names[names.asked].form.terms.iter().map(|term| term.mass).sum();
    let location = &asked.location;
    let has = |holds: bool| f32::from(u8::from(holds));
    let of_row: RowFeatures = [
        mass / 10.0,
        has(!location.street.is_empty()),
        has(location.zip.is_some() || !location.city.is_empty()),
        has(location.state.is_some()),
    ];
    Ok(Compared {
        is_by_other_name: matches!(found.names[names.found].0, Name::Other(_)),
        org,
        ein: organization.ein,
        features: features(asked, &found, &names, &place, standing),
        of_row,
        organization,
        names,
        place,
        standing,
    })
}
