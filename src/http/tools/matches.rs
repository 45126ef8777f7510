//! `match_organizations`: what `/match` answers, a short row for each organization.

use serde_json::{Value, json};

use super::arguments::{Object, ToolError};
use super::guidance::{is_thin, warn_of_states};
use super::names::likely_in;
use super::tool::{Call, ToolAnswer, object, take_rows};
use crate::http::endpoints::r#match::MATCH;
use crate::http::server::budget;
use crate::places;
use crate::query::Area;
use crate::record::{Ein, State};
use crate::search::SearchError;
use crate::search::by_name::NameHit;
use crate::search::details::details;
use crate::snapshot::Snapshot;

/// Candidates of each organization, unless the call says; and the most.
const CANDIDATES: u64 = 3;
const CANDIDATES_MAX: u64 = 8;
/// Digits of a ZIP code that tell the place.
const ZIP_DIGITS: usize = 5;

pub(in crate::http) fn match_organizations(call: &Call<'_>) -> Result<ToolAnswer, ToolError> {
    let candidates = call.sent.whole("limit", (1, CANDIDATES_MAX))?.unwrap_or(CANDIDATES);
    let body = json!({ "queries": call.sent.objects("queries"), "limit": candidates }).to_string();
    let mut head = object(&(MATCH.answer)(Some(call.snapshot), body.as_bytes())?)?;
    let sent: Vec<&Value> =
        call.sent.objects("queries").and_then(Value::as_array).into_iter().flatten().collect();
    let mut missing = Vec::new();
    let mut rows = Vec::new();
    for (at, mut row) in (1..).zip(take_rows(&mut head, "results")) {
        if row.get("id").is_none_or(Value::is_null) {
            row.insert("id".to_owned(), json!(at));
        }
        let found = with_places(call.snapshot, &row)?;
        let best = found.first().cloned().unwrap_or_default();
        match row["decision"].as_str() {
            Some("yes") => {
                row.insert("name".to_owned(), json!(both_names(&best)));
                row.insert("score".to_owned(), best.get("score").cloned().unwrap_or_default());
            }
            Some("maybe") => {
                // Nobody takes what is only likely.
                row.remove("ein");
                row.insert(
                    "choices".to_owned(),
                    json!(found.iter().map(choice).collect::<Vec<_>>()),
                );
            }
            _ => {}
        }
        let query = sent.get(at - 1).copied().unwrap_or(&Value::Null);
        let state = state_of(query);
        if row["decision"] == "no" && !budget::is_spent() {
            let by_name = choices_by_name(call.snapshot, query, state)?;
            if !by_name.is_empty() {
                row.insert("decision".to_owned(), json!("maybe"));
                row.insert("choices".to_owned(), json!(by_name));
            }
        }
        // Who is not found there may well be there.
        let state = state.filter(|state| is_thin(call.snapshot, *state));
        if let Some(state) = state.filter(|_| row["decision"] != "yes") {
            row.insert("not_loaded".to_owned(), json!(state.name()));
            missing.push(state);
        }
        row.insert("candidates".to_owned(), json!(found));
        rows.push(row);
    }
    let count = |decision: &str| rows.iter().filter(|row| row["decision"] == decision).count();
    let (yes, maybe, no) = (count("yes"), count("maybe"), count("no"));
    let mut message = format!("{yes} yes, {maybe} maybe, {no} no");
    let left = count("not tried");
    if left > 0 {
        message.push_str(&format!(
            "; {left} not tried, since the others took the time of a call: send these again"
        ));
    }
    head.insert("message".to_owned(), json!(message));
    warn_of_states(call.snapshot, missing, &mut head);
    Ok(ToolAnswer { head, rows: Some(rows), ..ToolAnswer::default() })
}

/// The nonprofits in the place of a query that its name likely means, each in one line.
fn choices_by_name(
    snapshot: &Snapshot,
    query: &Value,
    state: Option<State>,
) -> Result<Vec<String>, ToolError> {
    let text = |name: &str| query[name].as_str().map(str::trim).filter(|text| !text.is_empty());
    let city = text("city").map(|city| city.split(',').next().unwrap_or(city).to_owned());
    let area = Area { state, city, ..Area::default() };
    let Some(name) = text("name").filter(|_| !area.is_whole()) else { return Ok(Vec::new()) };
    let line = |hit: NameHit| {
        let NameHit { organization, probability } = hit;
        let address = &organization.address;
        let place = [address.city.clone(), address.state.map(|state| state.to_string())];
        let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let score = probability.unwrap_or(1.0);
        format!("{} {}, {place}: {score:.2} by name", organization.ein, organization.name)
    };
    Ok(likely_in(snapshot, name, area)?.into_iter().map(line).collect())
}

/// The state of a query, by its name or code, behind its city, or by its ZIP code.
fn state_of(query: &Value) -> Option<State> {
    let text = |name: &str| query[name].as_str().map(str::trim);
    let behind_city = || text("city")?.rsplit_once(',').map(|(_, state)| state.trim());
    let of_zip = || places::zip(text("zip")?.get(..ZIP_DIGITS)?.parse().ok()?);
    text("state")
        .and_then(places::state)
        .or_else(|| behind_city().and_then(places::state))
        .or_else(|| of_zip().map(|place| place.state))
}

/// The candidates, with the place and the other name that tell them apart.
fn with_places(snapshot: &Snapshot, row: &Object) -> Result<Vec<Object>, ToolError> {
    let candidates = row.get("candidates").and_then(Value::as_array).into_iter().flatten();
    let mut found = Vec::new();
    for candidate in candidates.filter_map(Value::as_object) {
        let mut candidate = candidate.clone();
        let ein = candidate.get("ein").and_then(Value::as_str).and_then(Ein::from_typed);
        let organization = ein
            .map(|ein| details(snapshot, ein))
            .transpose()
            .map_err(|error: SearchError| ToolError::from(error))?;
        if let Some(organization) = organization.flatten() {
            let address = &organization.address;
            let state = address.state.map(|state| state.code().to_owned());
            let place: Vec<_> = address.city.iter().cloned().chain(state).collect();
            candidate.insert("place".to_owned(), json!(place.join(", ")));
            candidate.insert("alt_name".to_owned(), json!(organization.alt_name));
        }
        found.push(candidate);
    }
    Ok(found)
}

/// A candidate in one line.
fn choice(candidate: &Object) -> String {
    let text = |name: &str| candidate.get(name).and_then(Value::as_str).unwrap_or_default();
    let score = candidate.get("score").and_then(Value::as_f64).unwrap_or(0.0);
    format!("{} {}, {}: {score:.2}", text("ein"), both_names(candidate), text("place"))
}

/// The name of a candidate, with its other name where it has one: chapters share the legal name of their body.
fn both_names(candidate: &Object) -> String {
    let text = |name: &str| candidate.get(name).and_then(Value::as_str);
    let also = text("alt_name").map(|other| format!(" ({other})")).unwrap_or_default();
    format!("{}{also}", text("name").unwrap_or_default())
}
