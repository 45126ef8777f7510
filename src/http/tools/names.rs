//! `find_by_name`: the EIN of a name.

use serde_json::json;

use super::arguments::{Object, ToolError, again, quoted_excerpt};
use super::guidance;
use super::tool::{Call, ToolAnswer};
use crate::query::Area;
use crate::record::{Ein, Organization, State};
use crate::search::by_name::{NameHit, Query, find};
use crate::search::details::details;
use crate::search::listing::Paging;
use crate::snapshot::Snapshot;

/// Characters of a name.
const NAME_CHARACTERS: (usize, usize) = (2, 256);
/// From this probability on a name is taken for that of a nonprofit that does not have it exactly.
const LIKELY_MIN: f64 = 0.5;
/// Nonprofits of a place that a name is likely of, at most.
const LIKELY_MAX: usize = 3;

pub(in crate::http) fn find_by_name(call: &Call<'_>) -> Result<ToolAnswer, ToolError> {
    let name = call.sent.text("q").unwrap_or_default().trim();
    let (least, most) = NAME_CHARACTERS;
    if !is_of_length(name) {
        return Err(again(&format!(
            "q: expected a name of {least} to {most} characters; found {}",
            quoted_excerpt(name)
        )));
    }
    if let Some(ein) = Ein::from_typed(name) {
        let rows: Vec<Object> =
            details(call.snapshot, ein)?.iter().map(|one| row(one, None)).collect();
        return Ok(ToolAnswer { rows: Some(rows), ..ToolAnswer::default() });
    }
    let mut states = Vec::new();
    for text in call.sent.texts("state") {
        states.push(text.parse::<State>().map_err(|_| {
            again(&format!("state: expected a USPS code; found {}", quoted_excerpt(text)))
        })?);
    }
    let city = call.sent.text("city").map(str::to_owned);
    let area = |state: Option<State>| Area { state, city: city.clone(), ..Area::default() };
    let areas = match (&states[..], &city) {
        ([], None) => Vec::new(),
        ([], Some(_)) => vec![area(None)],
        (some, _) => some.iter().map(|state| area(Some(*state))).collect(),
    };
    let paging = Paging { page: call.page, size: call.limit as usize };
    let found = find(call.snapshot, &Query { name, areas, paging })?;
    let rows: Vec<Object> =
        found.page.rows.iter().map(|hit| row(&hit.organization, hit.probability)).collect();
    let mut head = Object::new();
    let best = found.page.rows.first().and_then(|hit| hit.probability);
    let told = match (found.exact, rows.len()) {
        (_, 0) => None,
        (0, _) if best.is_some_and(|best| best >= LIKELY_MIN) => None,
        (0, _) => Some(format!(
            "No loaded nonprofit has the name {}; the nearest follow. {}",
            quoted_excerpt(name),
            guidance::loaded_states(call.snapshot)
        )),
        (1, _) => None,
        (several, _) if call.page == 1 => Some(format!(
            "{several} nonprofits have exactly this name{}: ask which city and state is meant, or give them as arguments.",
            match found.exact_other {
                0 => String::new(),
                others => format!(", {others} of them as another name beside their own"),
            }
        )),
        _ => None,
    };
    if let Some(told) = told {
        head.insert("message".to_owned(), json!(told));
    }
    head.insert("total".to_owned(), json!(found.page.total));
    head.insert("exact_total".to_owned(), json!(found.exact));
    guidance::warn_of_states(call.snapshot, states, &mut head);
    let has_more = call.page.saturating_mul(call.limit) < found.page.total;
    Ok(ToolAnswer { head, rows: Some(rows), has_more, ..ToolAnswer::default() })
}

fn is_of_length(name: &str) -> bool {
    let (least, most) = NAME_CHARACTERS;
    (least..=most).contains(&name.chars().count())
}

/// Those in a place that are likely called as a list calls them, where comparing names word by word finds nobody: `YMCA`.
pub(super) fn likely_in(
    snapshot: &Snapshot,
    name: &str,
    area: Area,
) -> Result<Vec<NameHit>, ToolError> {
    if !is_of_length(name) {
        return Ok(Vec::new());
    }
    let paging = Paging { page: 1, size: LIKELY_MAX };
    let mut hits = find(snapshot, &Query { name, areas: vec![area], paging })?.page.rows;
    hits.retain(|hit| hit.probability.is_none_or(|probability| probability >= LIKELY_MIN));
    Ok(hits)
}

fn row(one: &Organization, probability: Option<f64>) -> Object {
    let members = [
        ("ein", json!(one.ein)),
        ("name", json!(one.name)),
        ("city", json!(one.address.city)),
        ("state", json!(one.address.state)),
        ("county", json!(one.address.county)),
        ("alt_name", json!(one.alt_name)),
        ("other_names", json!(one.other_names)),
        ("ntee", json!(one.ntee)),
        ("exact", json!(probability.is_none().then_some(true))),
        ("probability", json!(probability)),
    ];
    members.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}
