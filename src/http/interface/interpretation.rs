//! How a request was understood, as answers report it: the interpreter's words and the filters.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::places::{Locality, UnknownPlace};
use crate::query::Area;
use crate::record::Sdg;
use crate::search::gaps::unknown_places;
use crate::understand::{Frame, NameUse};

/// The argument `session` where one was named of which nothing is remembered: it begins, or was forgotten.
pub(crate) const NEW_SESSION: &str = "new";

/// What the interpreter decided.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Interpretation")]
pub(crate) struct InterpretationSummary {
    /// Name of what was done, such as `search_nonprofits`.
    pub(crate) function_name: &'static str,
    /// The filters that apply, under the names of their parameters, and what else the interpreter
    /// decided on; members that ask nothing are left out.
    pub(crate) arguments: Map<String, Value>,
    /// What was understood and found, in sentences.
    pub(crate) message: String,
}

/// A list, unless it is empty: an empty one asks nothing.
pub(crate) fn given<T>(list: &[T]) -> Option<&[T]> {
    (!list.is_empty()).then_some(list)
}

/// The filters that apply, under the names of their parameters; those that ask nothing are left
/// out, and what no parameter can ask for has a name of its own.
pub(crate) fn arguments(frame: &Frame, max_vector_distance: Option<f64>) -> Map<String, Value> {
    let areas: Vec<&Area> = frame.places.iter().flat_map(|place| &place.areas).collect();
    let mut all = conditions(frame);
    all.push(("max_vector_distance", json!(max_vector_distance)));
    let several: Vec<Value> = match areas[..] {
        [] | [_] => Vec::new(),
        _ => areas.iter().copied().map(area_arguments).collect(),
    };
    all.push(("any_of", json!(given(&several))));
    let unknown = unknown_places(areas.iter().copied());
    if !unknown.is_empty() {
        all.push(("unknown_places", shown_places(&unknown)));
    }
    let mut arguments: Map<String, Value> = all
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    if let [only] = areas[..]
        && let Value::Object(place) = area_arguments(only)
    {
        arguments.extend(place);
    }
    let sort: Vec<&str> = frame.sort.iter().map(|sort| sort.description()).collect();
    if !sort.is_empty() {
        arguments.insert("sorted_by".to_owned(), json!(sort));
    }
    arguments
}

/// What a frame asks for, the places and the order excepted; what asks nothing is null.
fn conditions(frame: &Frame) -> Vec<(&'static str, Value)> {
    let Frame {
        cause,
        not_places,
        ranges,
        sdgs,
        ntee,
        not_ntee,
        not_names,
        choices,
        subsections,
        flags,
        eins,
        organization,
        places: _,
        sort: _,
        // Excluded nonprofits are named elsewhere; the rest is how the cause is compared.
        not_eins: _,
        among: _,
        text: _,
        cause_ntee: _,
        cause_is_term: _,
    } = frame;
    let codes: Vec<_> = subsections.iter().map(ToString::to_string).collect();
    let goals: Vec<u8> = sdgs.iter().map(Sdg::number).collect();
    let not_areas: Vec<Value> =
        not_places.iter().flat_map(|place| &place.areas).map(area_arguments).collect();
    let similar = organization.as_ref().filter(|named| named.wanted == NameUse::Similar);
    let ranges = ranges.iter().flat_map(|(figure, range)| {
        let [min, max] = figure.definition().parameters;
        [(min, json!(range.min)), (max, json!(range.max))]
    });
    let mut all = vec![("cause", json!(cause)), ("subsection_codes", json!(given(&codes)))];
    all.extend(flags.iter().map(|(flag, asked)| (flag.definition().name, json!(asked))));
    all.extend([
        ("eins", json!(given(eins))),
        ("similar_to", json!(similar.and_then(|named| named.ein))),
    ]);
    all.extend(ranges);
    all.extend([
        ("sdgs", json!(given(&goals))),
        ("ntee_codes", json!(given(ntee))),
        ("not_ntee_codes", json!(given(not_ntee))),
        ("not_in_names", json!(given(not_names))),
    ]);
    all.extend(choices.asked().map(|one| (one.definition().name, json!(choices.names(one)))));
    all.push(("not_in", json!(given(&not_areas))));
    all
}

/// Places that the gazetteer does not have.
pub(crate) fn shown_places(places: &[UnknownPlace]) -> Value {
    places.iter().map(unknown_place).collect()
}

/// A place that the gazetteer does not have, with the nearest that it has: a name and a state each.
fn unknown_place(place: &UnknownPlace) -> Value {
    let near = |one: &&Locality| json!({ "name": one.name, "state": one.state });
    let nearest: Vec<Value> = place.nearest.iter().map(near).collect();
    json!({ "parameter": place.division.name(), "name": place.name, "nearest": nearest })
}

/// An area under the names of the parameters.
fn area_arguments(area: &Area) -> Value {
    let near = area.near;
    let all = [
        ("latitude", json!(near.map(|near| near.0.latitude()))),
        ("longitude", json!(near.map(|near| near.0.longitude()))),
        ("location_range", json!(near.map(|near| near.1))),
        ("city", json!(area.city)),
        ("county", json!(area.county)),
        ("state", json!(area.state)),
        ("zip_code", json!(area.zip)),
    ];
    let known = all.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(known.map(|(name, value)| (name.to_owned(), value)).collect())
}
