//! `get_nonprofit` and `compare`: many nonprofits by EIN, with what `/nonprofits/details` and `/nonprofits/standing`
//! answer, and figures that can be cited.

use serde_json::{Value, json};

use super::arguments::{Object, ToolError};
use super::tool::{Call, ToolAnswer};
use crate::http::interface::api_error::ApiError;
use crate::record::{Ein, Organization};
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
    profiles(call, call.sent.eins((1, PROFILES_MAX))?)
}

pub(in crate::http) fn compare(call: &Call<'_>) -> Result<ToolAnswer, ToolError> {
    profiles(call, call.sent.eins(COMPARED)?)
}

fn profiles(call: &Call<'_>, eins: Vec<Ein>) -> Result<ToolAnswer, ToolError> {
    let mut rows = Vec::new();
    for ein in eins {
        rows.push(match details(call.snapshot, ein)? {
            Some(organization) => profile(call.snapshot, &organization)?,
            None => {
                let message = "no nonprofit of the loaded data has this EIN: check the digits, or try find_by_name";
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
    let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
    let place: Vec<_> =
        [text("city"), text("state"), text("country")].into_iter().flatten().collect();
    row.insert("place".to_owned(), json!(place.join(", ")));
    let returns = filings(snapshot, organization.ein, Paging { page: 1, size: SIZE_MAX })?.rows;
    let cited = CitedFigure::all(organization, &returns, &snapshot.manifest.sources);
    for name in FIGURES {
        let members = [name.to_owned(), format!("{name}_to"), format!("{name}_from")];
        row.extend(members.map(|member| (member, Value::Null)));
    }
    let mut figures = Vec::new();
    for CitedFigure { name, value, citation } in cited {
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
