//! `search_nonprofits`: the question of `/beta/nonprofits/search`, of several states and cities, around a place by its
//! name and by likeness, with the figures, distances and fit that it asked about in each row.

mod answer;
mod place;
mod request;

use serde_json::{Value, json};

use super::arguments::{Object, ToolError};
use super::guidance::warn_of_states;
use super::profiles::profile;
use super::tool::{Call, Tool, ToolAnswer};
use crate::http::endpoints::beta::question::answered_by;
use crate::http::interface::route::Route;
use crate::index::columns::Bitmap;
use crate::search::SearchError;
use crate::search::nonprofits::NonprofitPage;
use crate::search::similar::search as find;
use crate::understand::Lookup;
use place::states;
use request::SearchRequest;

pub(in crate::http) fn search(call: &Call<'_>) -> Result<ToolAnswer, ToolError> {
    let snapshot = call.snapshot;
    let lookup = &Lookup::of(snapshot);
    let request = SearchRequest::read(call, lookup)?;
    let (frame, query) = (&request.understood.frame, &request.query);
    let found = find(lookup, query)?;
    let selection = lookup.select(&query.filters).map_err(SearchError::from)?;
    let rows = rows(call, &request, &found, &selection.matching)?;
    let mut head = request.head(lookup, &found, &selection.matching)?;
    let notes = request.notes(call, &found, &rows);
    if let Some(Value::String(message)) = head.get_mut("message") {
        message.extend(notes);
    }
    warn_of_states(snapshot, states(&frame.places), &mut head);
    let question = request.understood.question.as_ref().map(|asked| answered_by(snapshot, asked));
    let next = question.transpose()?.and_then(|question| step_of(call.tools, &question));
    let listed = found.plan.listed.map_or(found.total, |listed| listed + found.plan.nearby);
    let has_more = rows.len() as u64 == call.limit && call.page.saturating_mul(call.limit) < listed;
    Ok(ToolAnswer {
        also: request.also(&found),
        head,
        rows: Some(rows),
        next: next.into_iter().collect(),
        has_more,
    })
}

/// The rows with their distance, how well they fit and whether they are outside the place.
fn rows(
    call: &Call<'_>,
    request: &SearchRequest,
    found: &NonprofitPage,
    matching: &Bitmap,
) -> Result<Vec<Object>, ToolError> {
    let mut rows = Vec::new();
    for hit in &found.rows {
        let organization = &hit.organization;
        let mut row = profile(call.snapshot, organization)?;
        let miles = organization.address.point.and_then(|point| {
            let miles = request.centers.iter().map(|center| center.distance_miles(point).round());
            miles.min_by(f64::total_cmp)
        });
        row.insert("distance_miles".to_owned(), json!(miles));
        let org = call.snapshot.columns.org_of(organization.ein).map_err(SearchError::from)?;
        let fit = org.and_then(|org| found.probabilities.get(&org)).map(|fit| rounded(*fit));
        row.insert("fit".to_owned(), json!(fit));
        let is_outside = org.is_some_and(|org| !matching.contains(org));
        row.insert("outside".to_owned(), json!(is_outside.then_some(true)));
        rows.push(row);
    }
    Ok(rows)
}

/// A probability in percent steps: more is not known.
fn rounded(probability: f64) -> f64 {
    (probability * 100.0).round() / 100.0
}

/// The tool that answers what the search took for a question: `{"intent", "path"}`.
fn step_of(tools: &[Tool], question: &Value) -> Option<Value> {
    let path = question["path"].as_str()?;
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let Route::Endpoint(_, ein) = Route::of(path) else { return None };
    let endpoint = Route::of(path).endpoint()?;
    let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
    let is_set =
        |sets: &str| form_urlencoded::parse(sets.as_bytes()).all(|pair| pairs.contains(&pair));
    let tool = tools.iter().find(|tool| {
        tool.endpoint.is_some_and(|one| std::ptr::eq(one, endpoint)) && is_set(tool.sets)
    })?;
    let mut arguments: Object = ein.map(|ein| ("ein".to_owned(), json!(ein))).into_iter().collect();
    for (parameter, value) in &pairs {
        if let Some(argument) = tool.arguments.iter().find(|one| one.parameter == *parameter) {
            arguments.insert(argument.name.to_owned(), json!(value));
        }
    }
    let intent = question["intent"].as_str().unwrap_or_default();
    let why = format!("q asks for {intent}, which the rows do not answer");
    Some(json!({ "tool": tool.name, "arguments": arguments, "why": why }))
}
