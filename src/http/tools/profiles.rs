//! `get_nonprofit` and `compare`: many nonprofits by EIN, with what `/nonprofits/details` and `/nonprofits/standing`
//! answer, and figures that can be cited.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::arguments::{Object, ToolError};
use super::tool::{Call, ToolAnswer};
use crate::http::interface::api_error::ApiError;
use crate::record::{Ein, Filing, Organization};
use crate::search::details::details;
use crate::search::filings::filings;
use crate::search::listing::{Paging, SIZE_MAX};
use crate::snapshot::Snapshot;
use crate::views::{CitedFigure, Details, StandingShown};

/// Nonprofits of one call.
const PROFILES_MAX: usize = 100;
/// Nonprofits that fit side by side.
const COMPARED: (usize, usize) = (2, 10);

/// Members that figures, each with its own period, take the place of.
const REPLACED: [&str; 7] = [
    "filingYear",
    "revenueGrandTotal",
    "netAssets",
    "assets",
    "assets_period",
    "irsFilingUrl",
    "snapshot",
];

/// Figures that may be known.
const FIGURES: [&str; 5] = ["revenue", "expenses", "assets", "net_assets", "employees"];

pub(in crate::http) fn get(call: &Call<'_>) -> Result<ToolAnswer, ToolError> {
    profiles(call, call.sent.eins((1, PROFILES_MAX))?, profile)
}

pub(in crate::http) fn compare(call: &Call<'_>) -> Result<ToolAnswer, ToolError> {
    let mut answer = profiles(call, call.sent.eins(COMPARED)?, comparable)?;
    let rows = answer.rows.as_deref().unwrap_or_default();
    let is_unknown = |name: &&str| rows.iter().all(|row| row.get(*name).is_none_or(Value::is_null));
    let unknown: Vec<_> = FIGURES.into_iter().filter(is_unknown).collect();
    let mut told = Vec::new();
    if !unknown.is_empty() {
        told.push(format!("Of none of them is known for the period: {}.", unknown.join(", ")));
    }
    let ends: BTreeSet<&str> =
        rows.iter().filter_map(|row| row.get("period_end")?.as_str()).collect();
    if ends.len() > 1 {
        told.push("Periods differ: compare with care.".to_owned());
    }
    if !told.is_empty() {
        answer.head.insert("message".to_owned(), json!(told.join(" ")));
    }
    Ok(answer)
}

fn profiles(
    call: &Call<'_>,
    eins: Vec<Ein>,
    row: fn(&Snapshot, &Organization) -> Result<Object, ToolError>,
) -> Result<ToolAnswer, ToolError> {
    let mut rows = Vec::new();
    for ein in eins {
        rows.push(match details(call.snapshot, ein)? {
            Some(organization) => row(call.snapshot, &organization)?,
            None => {
                let message = "no loaded nonprofit has this EIN: check the digits; its state may not be loaded, see coverage";
                [("ein", json!(ein)), ("message", json!(message))].map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
            }
        });
    }
    Ok(ToolAnswer { rows: Some(rows), ..ToolAnswer::default() })
}

/// Everything about a nonprofit, its figures twice: as a list with sources, and as members with their periods.
pub(in crate::http) fn profile(
    snapshot: &Snapshot,
    organization: &Organization,
) -> Result<Object, ToolError> {
    let written = |value: Result<Value, serde_json::Error>| match value {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Ok(Object::new()),
        Err(error) => Err(ApiError::Unwritable(error)),
    };
    let mut row = written(serde_json::to_value(Details::of(organization)))?;
    let standing = StandingShown::of(organization, &snapshot.manifest);
    row.extend(written(serde_json::to_value(standing))?);
    row.retain(|name, _| !REPLACED.contains(&name.as_str()));
    // As the argument is called that filters by it.
    let size = row.remove("size").unwrap_or_default();
    row.insert("org_size".to_owned(), size);
    let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
    let place: Vec<_> =
        [text("city"), text("state"), text("country")].into_iter().flatten().collect();
    row.insert("place".to_owned(), json!(place.join(", ")));
    for name in FIGURES {
        let members = [name.to_owned(), format!("{name}_to"), format!("{name}_from")];
        row.extend(members.map(|member| (member, Value::Null)));
    }
    let mut figures = Vec::new();
    for CitedFigure { name, value, citation } in cited(snapshot, organization)? {
        row.insert(name.to_owned(), json!(value));
        row.insert(format!("{name}_to"), json!(citation.period_end));
        row.insert(format!("{name}_from"), json!(citation.kind));
        figures.push(json!({
            "name": name,
            "value": value,
            "period_end": citation.period_end,
            "source": citation.source,
            "url": citation.url,
        }));
    }
    row.insert("figures".to_owned(), json!(figures));
    Ok(row)
}

/// The figures of an organization, each with its own period. Returns are read only where one of them is from a return.
fn cited(snapshot: &Snapshot, organization: &Organization) -> Result<Vec<CitedFigure>, ToolError> {
    let returns = match CitedFigure::are_of_list(organization) {
        true => Vec::new(),
        false => returns(snapshot, organization)?,
    };
    Ok(CitedFigure::all(organization, &returns, &snapshot.manifest.sources))
}

fn returns(snapshot: &Snapshot, organization: &Organization) -> Result<Vec<Filing>, ToolError> {
    let paging = Paging { page: 1, size: SIZE_MAX };
    Ok(filings(snapshot, organization.ein, paging)?.rows)
}

/// The same with figures of one period alone: that of the latest return where it has more of them than a later list.
fn comparable(snapshot: &Snapshot, organization: &Organization) -> Result<Object, ToolError> {
    let mut row = profile(snapshot, organization)?;
    let mut latest = cited(snapshot, organization)?;
    let period = latest.iter().filter_map(|one| one.citation.period_end.clone()).max();
    latest.retain(|one| one.citation.period_end == period);
    let returns = returns(snapshot, organization)?;
    let of_return = returns.first().map(CitedFigure::of_return).unwrap_or_default();
    let chosen = if of_return.len() > latest.len() { &of_return } else { &latest };
    let citation = chosen.first().map(|one| &one.citation);
    let shown = citation.and_then(|citation| citation.period_end.clone());
    for name in FIGURES {
        let value = chosen.iter().find(|one| one.name == name).map(|one| one.value);
        row.insert(name.to_owned(), json!(value));
        row.remove(&format!("{name}_to"));
        row.remove(&format!("{name}_from"));
    }
    // A month is the end of a period as much as its last day.
    let is_later = |period: &String| {
        shown.as_ref().is_some_and(|shown| !shown.starts_with(period.as_str()) && period > shown)
    };
    row.insert("later_period".to_owned(), json!(period.filter(is_later)));
    row.insert("source".to_owned(), json!(citation.map(|citation| &citation.source)));
    row.insert("period_end".to_owned(), json!(shown));
    Ok(row)
}
