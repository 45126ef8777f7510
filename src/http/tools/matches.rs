//! `match_organizations`: what `/match` answers, a short row for each organization.

use serde_json::{Value, json};

use super::arguments::{Object, ToolError};
use super::tool::{Call, ToolAnswer, object, take_rows};
use crate::http::endpoints::r#match::MATCH;
use crate::record::Ein;
use crate::search::SearchError;
use crate::search::details::details;
use crate::snapshot::Snapshot;

/// Candidates of each organization, unless the call says; and the most.
const CANDIDATES: u64 = 3;
const CANDIDATES_MAX: u64 = 8;

pub(in crate::http) fn match_organizations(call: &Call<'_>) -> Result<ToolAnswer, ToolError> {
    let candidates = call.sent.whole("limit", (1, CANDIDATES_MAX))?.unwrap_or(CANDIDATES);
    let body = json!({ "queries": call.sent.objects("queries"), "limit": candidates }).to_string();
    let mut head = object(&(MATCH.answer)(Some(call.snapshot), body.as_bytes())?)?;
    let mut rows = Vec::new();
    for (at, mut row) in (1..).zip(take_rows(&mut head, "results")) {
        if row.get("id").is_none_or(Value::is_null) {
            row.insert("id".to_owned(), json!(at));
        }
        let found = with_places(call.snapshot, &row)?;
        let best = found.first().cloned().unwrap_or_default();
        match row["decision"].as_str() {
            Some("yes") => row.extend(
                ["name", "score"]
                    .map(|name| (name.to_owned(), best.get(name).cloned().unwrap_or_default())),
            ),
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
    Ok(ToolAnswer { head, rows: Some(rows), ..ToolAnswer::default() })
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
    let also = match text("alt_name") {
        "" => String::new(),
        other => format!(" ({other})"),
    };
    format!("{} {}{also}, {}: {score:.2}", text("ein"), text("name"), text("place"))
}
