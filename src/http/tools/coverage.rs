//! `coverage`: what is loaded, in brief unless asked otherwise; of one state with its counties.

use serde_json::{Value, json};

use super::arguments::{Object, ToolError, again, quoted_excerpt};
use super::guidance::{is_thin, loaded_lists, warn_of_states};
use super::tool::{Call, ToolAnswer, ask, ask_endpoint, object};
use crate::http::endpoints::coverage::COVERAGE;
use crate::record::{State, thousands};

pub(in crate::http) fn coverage(call: &Call<'_>) -> Result<ToolAnswer, ToolError> {
    let snapshot = call.snapshot;
    if call.sent.text("detail") == Some("full") {
        return ask_endpoint(call);
    }
    if let Some(code) = call.sent.text("state") {
        let all = object(&ask(snapshot, &COVERAGE, None, "")?)?;
        let states = all.get("states").and_then(Value::as_array).into_iter().flatten();
        let state: State = code.parse().map_err(|_| {
            again(&format!("state: expected a USPS code; found {}", quoted_excerpt(code)))
        })?;
        let found = states.filter_map(Value::as_object).find(|one| one["state"] == state.code());
        let mut head = Object::new();
        warn_of_states(snapshot, [state], &mut head);
        head.extend(found.cloned().unwrap_or_default());
        let counties = head.remove("counties").and_then(|all| all.as_array().cloned());
        let counties = counties.into_iter().flatten().filter_map(|one| {
            Some((one["county"].as_str()?.to_owned(), one["organizations"].clone()))
        });
        head.insert("counties".to_owned(), Value::Object(counties.collect()));
        return Ok(ToolAnswer { head, ..ToolAnswer::default() });
    }
    let states = snapshot.coverage.states.iter();
    let states = states.filter(|(state, _)| !is_thin(snapshot, **state));
    let states: Object = states
        .map(|(state, one)| (state.code().to_owned(), json!(one.count.organizations)))
        .collect();
    let count = thousands(snapshot.coverage.count.organizations);
    let message = format!("Loaded: {count} nonprofits. {}", loaded_lists(snapshot));
    let members = [
        ("message", json!(message)),
        ("snapshot", json!(snapshot.manifest.snapshot)),
        ("states", Value::Object(states)),
        ("returns_by_tax_year", json!(snapshot.coverage.returns)),
    ];
    let head = members.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
    Ok(ToolAnswer { head, ..ToolAnswer::default() })
}
