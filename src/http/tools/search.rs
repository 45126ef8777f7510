//! `search_nonprofits`: the question of `/beta/nonprofits/search`, of several states and cities, around a place by its
//! name and by likeness, with the figures, distances and fit that it asked about in each row.

use hyper::HeaderMap;
use serde_json::{Value, json};

use super::arguments::{Arguments, Object, ToolError, again, ein, quoted_excerpt, unknown};
use super::cursor::CURSOR;
use super::guidance::warn_of_states;
use super::profiles::profile;
use super::tool::{Call, Tool, ToolAnswer};
use crate::http::endpoints::beta::params::Params;
use crate::http::endpoints::beta::question::answered_by;
use crate::http::interface::api_error::ApiError;
use crate::http::interface::filters::FacetCounts;
use crate::http::interface::input::Input;
use crate::http::interface::route::Route;
use crate::places;
use crate::query::{Figure, SortKey};
use crate::record::{Point, State, Zip5};
use crate::search::SearchError;
use crate::search::details::details;
use crate::search::nonprofits::{NonprofitPage, search as find};
use crate::taxonomy;
use crate::understand::{Frame, Interpretation, Lookup, NameUse, Organization, Request, interpret};

/// Combinations of states and cities of one search.
const PLACES_MAX: usize = 100;
/// Miles around a place unless the call says.
const MILES: &str = "25";

pub(in crate::http) fn search(call: &Call<'_>) -> Result<ToolAnswer, ToolError> {
    let (snapshot, sent) = (call.snapshot, call.sent);
    let own = [CURSOR, "limit", "fields", "detail", "state", "city", "near", "miles", "similar_to"];
    let mut query = format!("{}&page={}&size={}", sent.query(&own), call.page, call.limit);
    let center = sent.text("near").map(center).transpose()?;
    match (center, sent.text("miles")) {
        (Some(point), miles) => query.push_str(&format!(
            "&latitude={}&longitude={}&location_range={}",
            point.latitude(),
            point.longitude(),
            miles.unwrap_or(MILES)
        )),
        (None, Some(_)) => return Err(again("miles needs near: \"Lexington, KY\" or a ZIP code")),
        (None, None) => {}
    }
    let (asked, explicit) = read(&query, sent)?;
    let q = asked.q.as_deref();
    let request = Request { model: asked.model, ..Request::of(q, &explicit) };
    let lookup = &Lookup::of(snapshot);
    let mut understood = interpret(lookup, &request).map_err(SearchError::from)?;
    if let Some(text) = sent.text("similar_to") {
        let ein = ein(text)?;
        let Some(found) = details(snapshot, ein)? else { return Err(unknown(ein)) };
        understood.frame.organization = Some(Organization {
            asked: found.name.clone(),
            name: found.name,
            other_name: None,
            ein: Some(ein),
            namesakes: 1,
            wanted: NameUse::Similar,
        });
    }
    let found = find(lookup, &understood.query(asked.page_query()))?;
    let mut head = head(&understood, &found)?;
    warn_of_states(
        snapshot,
        understood.frame.places.iter().filter_map(|place| place.state),
        &mut head,
    );
    let areas = understood.frame.places.iter().flat_map(|place| &place.areas);
    let origin = center.or_else(|| areas.filter_map(|area| area.near).map(|near| near.0).next());
    let question = understood.question.as_ref().map(|asked| answered_by(snapshot, asked));
    let mut next: Vec<Value> = Vec::new();
    next.extend(question.transpose()?.and_then(|question| step_of(call.tools, &question)));
    if found.rows.is_empty() && found.total > 0 {
        next.extend(by_cause(call, &understood.frame, &mut head)?);
    }
    let also = also(&understood.frame, q.is_none() && !sent.has("similar_to"), origin.is_some());
    let fit = found.plan.fit.filter(|_| found.sorted.is_none());
    let fits = fit.map(|fit| fit.count + found.plan.nearby_fit);
    let mut rows = Vec::new();
    for (at, hit) in (found.skipped..).zip(&found.rows) {
        let mut row = profile(snapshot, &hit.organization)?;
        let point = origin.zip(hit.organization.address.point);
        let miles = point.map(|(one, other)| one.distance_miles(other).round());
        row.insert("distance_miles".to_owned(), json!(miles));
        row.insert("fits".to_owned(), json!(fits.map(|fits| at < fits)));
        rows.push(row);
    }
    let listed = found.plan.listed.unwrap_or(found.total);
    let has_more = rows.len() as u64 == call.limit && call.page.saturating_mul(call.limit) < listed;
    Ok(ToolAnswer { head, rows: Some(rows), also, next, has_more })
}

/// The parameters, and what they ask for with every state and city.
fn read(query: &str, sent: &Arguments<'_>) -> Result<(Params, Frame), ToolError> {
    let headers = HeaderMap::new();
    let either = |name: &'static str| {
        let values = sent.texts(name).into_iter().map(|text| {
            let mut pair = form_urlencoded::Serializer::new(String::new());
            format!("&{}", pair.append_pair(name, text).finish())
        });
        let values: Vec<String> = values.collect();
        if values.is_empty() { vec![String::new()] } else { values }
    };
    let (states, cities) = (either("state"), either("city"));
    if states.len() * cities.len() > PLACES_MAX {
        return Err(again(&format!("state and city: expected at most {PLACES_MAX} combinations")));
    }
    if let Some(city) = sent.texts("city").into_iter().find(|city| city.contains(',')) {
        return Err(again(&format!(
            "city: expected a city alone, its state in the argument state; found {}",
            quoted_excerpt(city)
        )));
    }
    let codes = sent.texts("ntee_codes").into_iter().flat_map(|text| text.split(','));
    let is_known =
        |code: &str| taxonomy::titles().any(|(known, _)| known.starts_with(&code.to_uppercase()));
    if let Some(code) = codes.filter(|code| !code.is_empty()).find(|code| !is_known(code)) {
        return Err(again(&format!(
            "ntee_codes: expected codes or their beginnings, such as K or K31; found {}. Words for a cause go into q",
            quoted_excerpt(code)
        )));
    }
    let mut whole: Option<(Params, Frame)> = None;
    for place in
        states.iter().flat_map(|state| cities.iter().map(move |city| format!("{state}{city}")))
    {
        let text = format!("{query}{place}");
        let params =
            Params::read(&Input::new(None, Some(&text), &headers)).map_err(ApiError::from)?;
        let frame = params.explicit();
        match &mut whole {
            None => whole = Some((params, frame)),
            Some((_, first)) => {
                if let (Some(first), Some(other)) =
                    (first.places.first_mut(), frame.places.into_iter().next())
                {
                    first.areas.extend(other.areas);
                    first.name = format!("{} or {}", first.name, other.name);
                    (first.city, first.state, first.zip) = (None, None, None);
                }
            }
        }
    }
    whole.ok_or_else(|| again("expected arguments"))
}

/// Where likeness cannot be searched, the search for the same cause in the same place.
fn by_cause(call: &Call<'_>, frame: &Frame, head: &mut Object) -> Result<Option<Value>, ToolError> {
    let similar = frame.organization.as_ref().filter(|one| one.wanted == NameUse::Similar);
    let Some(ein) = similar.and_then(|one| one.ein) else { return Ok(None) };
    let why = "likeness in meaning cannot be searched: the loaded data has no vectors";
    head.insert("not_loaded".to_owned(), json!(why));
    let ntee = details(call.snapshot, ein)?.and_then(|one| one.ntee);
    let Some(ntee) = ntee else { return Ok(None) };
    let mut arguments = Object::new();
    arguments.insert("ntee_codes".to_owned(), json!([ntee]));
    for place in &frame.places {
        let near = place.areas.first().and_then(|area| area.near);
        match (near, &place.city, place.state) {
            (Some((_, miles)), Some(city), Some(state)) => {
                arguments.insert("near".to_owned(), json!(format!("{city}, {state}")));
                arguments.insert("miles".to_owned(), json!(miles));
            }
            (_, _, Some(state)) => {
                arguments.insert("state".to_owned(), json!([state]));
            }
            _ => {}
        }
    }
    arguments.extend(call.sent.given(&["near", "miles", "state", "city", "limit"]));
    let why = "the same NTEE code";
    Ok(Some(json!({ "tool": call.tool.name, "arguments": arguments, "why": why })))
}

/// The point of a place by its name.
fn center(text: &str) -> Result<Point, ToolError> {
    let of_zip = || places::zip(text.trim().parse::<Zip5>().ok()?)?.point;
    let of_city = || {
        let (city, state) = text.rsplit_once(',')?;
        let state: State = state.trim().parse().ok()?;
        places::city(&places::city_key(city), state)?.point
    };
    of_zip().or_else(of_city).ok_or_else(|| {
        again(&format!(
            "near: expected a city with its state, such as \"Lexington, KY\", or a ZIP code of five digits; found {}",
            quoted_excerpt(text)
        ))
    })
}

/// The members before the rows.
fn head(understood: &Interpretation, found: &NonprofitPage) -> Result<Object, ToolError> {
    let mut head = Object::new();
    let mut say = |name: &str, value: Value| head.insert(name.to_owned(), value);
    say("message", json!(understood.sentence(found, None)));
    say("total", json!(found.total - found.plan.nearby));
    let fit = found.plan.fit;
    let fits = fit.map(|fit| fit.count + found.plan.nearby_fit);
    say("fits_total", json!(found.sorted.or(fits)));
    if fit.is_some_and(|fit| fit.is_least) {
        say("fits_total_is_at_least", json!(true));
    }
    if found.unknown > 0 {
        say("left_out_value_unknown", json!(found.unknown));
    }
    if let Some(facets) = FacetCounts::of(&found.facets) {
        say("facets_of_total", serde_json::to_value(facets).map_err(ApiError::Unwritable)?);
    }
    Ok(head)
}

/// The members that show what was filtered and sorted by.
fn also(frame: &Frame, by_revenue: bool, by_place: bool) -> Vec<&'static str> {
    let mut also = Vec::new();
    let is_asked = |figure: Figure| {
        let is_sorted = frame.sort.iter().any(|sort| sort.key == SortKey::Figure(figure));
        is_sorted
            || !frame.ranges[figure].is_open()
            || (by_revenue && frame.sort.is_empty() && figure == Figure::Revenue)
    };
    for (figure, members) in [
        (Figure::Revenue, &["revenue", "revenue_to", "revenue_from"][..]),
        (Figure::Expenses, &["expenses", "expenses_to", "expenses_from"]),
        (Figure::Assets, &["assets", "assets_to", "assets_from"]),
        (Figure::Employees, &["employees", "employees_to", "employees_from"]),
        (Figure::RulingYear, &["irsRulingDate"]),
        (Figure::Score, &["cnScore"]),
        (Figure::Rating, &["cnRating"]),
    ] {
        if is_asked(figure) {
            also.extend(members);
        }
    }
    let is_sorted_by_place = frame.sort.iter().any(|sort| sort.key == SortKey::Distance);
    for (is_asked, member) in [
        (by_place || is_sorted_by_place, "distance_miles"),
        (!frame.ntee.is_empty(), "ntee"),
        (!frame.sizes.is_empty(), "size"),
        (!frame.sdgs.is_empty(), "sdgs"),
        (!frame.subsections.is_empty(), "exemption"),
    ] {
        if is_asked {
            also.push(member);
        }
    }
    also
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
