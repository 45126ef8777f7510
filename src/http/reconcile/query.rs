//! One query of the versions 0.1 and 0.2, read as clients write it: texts in place of numbers, types and values as
//! text, object or list. What is found for it is for `candidates`; what draft 1.0 writes, for `conditions`.

use serde_json::Value;

use super::entity::EntityType;
use crate::http::endpoints::r#match::{LIMIT_MAX, OTHER_NAMES_MAX};
use crate::http::interface::body::{BodyErrors, Object};
use crate::matching::{Field, NAME_CHARACTERS_MAX, Query};
use crate::record::Ein;

/// Candidates of a query that asks for no number of them.
const LIMIT_DEFAULT: usize = 5;
/// Properties, or conditions, of a query.
pub(super) const PROPERTIES_MAX: usize = 32;
/// Values of a property.
const VALUES_MAX: usize = 32;
/// Types of a query that are looked at, the first ones: there are two.
const TYPES_MAX: usize = 8;
/// Characters of an identifier of a property or a type.
pub(super) const ID_CHARACTERS_MAX: usize = 64;
/// Characters of what was found that an error tells.
const FOUND_CHARACTERS_MAX: usize = 60;

/// A query that was read.
#[derive(Debug, Default)]
pub(super) struct ParsedQuery {
    pub(super) query: Query,
    /// EINs that are asked for themselves.
    pub(super) eins: Vec<Ein>,
    pub(super) types: Types,
    /// Candidates at most.
    pub(super) limit: usize,
    /// What a candidate must agree with, not only may.
    pub(super) required: Vec<Field>,
    /// Properties that nothing is compared with.
    pub(super) ignored: Vec<String>,
}

/// Whose candidates are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Types {
    #[default]
    All,
    OnlyFoundations,
}

pub(super) fn read(object: &Object<'_>, errors: &mut BodyErrors) -> ParsedQuery {
    let name = values(object, "query", Some(Field::Name), errors).into_iter().next();
    let mut parsed = ParsedQuery {
        query: Query { name: name.unwrap_or_default(), ..Query::default() },
        types: types(object, errors),
        limit: limit(object, errors),
        ..ParsedQuery::default()
    };
    let properties = object.objects("properties", PROPERTIES_MAX, errors, property);
    for (id, field, values) in properties.into_iter().flatten() {
        match field {
            Some(field) => parsed.query.set(field, values),
            None => parsed.ignored.push(id),
        }
    }
    parsed.query.other_names.truncate(OTHER_NAMES_MAX);
    let query = &parsed.query;
    let is_nameless = query.name.trim().is_empty();
    let says_nothing = |value: &Value| value.as_str().is_some_and(|text| text.trim().is_empty());
    let is_blank = object.member("query").is_none_or(says_nothing);
    if is_blank && query.other_names.is_empty() && query.ein.trim().is_empty() {
        object.unfit_member("query", "expected a name, or an EIN".to_owned(), errors);
    }
    parsed.eins.extend(Ein::from_typed(if is_nameless { &query.ein } else { &query.name }));
    parsed
}

/// Candidates at most: a number, or a text of one.
pub(super) fn limit(object: &Object<'_>, errors: &mut BodyErrors) -> usize {
    let Some(value) = object.member("limit") else { return LIMIT_DEFAULT };
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) if text.trim().is_empty() => return LIMIT_DEFAULT,
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let most = LIMIT_MAX as f64;
    match number.filter(|number| *number >= 1.0 && number.fract() == 0.0) {
        Some(number) => number.min(most) as usize,
        None => {
            let why = format!("expected a number from 1 on, found {}", found(value));
            object.unfit_member("limit", why, errors);
            LIMIT_DEFAULT
        }
    }
}

/// Whose candidates are wanted: of all types that are named, by identifier or name, unless `type_strict` says otherwise. What
/// it may be is specified nowhere, so any other value than those that are known is as good as none.
pub(super) fn types(object: &Object<'_>, errors: &mut BodyErrors) -> Types {
    let mut types = Vec::new();
    let value = object.member("type").unwrap_or(&Value::Null);
    let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    for item in items.iter().take(TYPES_MAX) {
        let named = match item {
            Value::Object(named) => named.get("id").or_else(|| named.get("name")),
            one => Some(one),
        };
        match named.and_then(Value::as_str).map(str::trim) {
            Some("") => {}
            None if item.is_null() => {}
            named => match named.and_then(EntityType::of_name) {
                Some(known) => types.push(known),
                None => {
                    let why = format!("expected nonprofit or foundation, found {}", found(item));
                    object.unfit_member("type", why, errors);
                }
            },
        }
    }
    let has_foundation = types.contains(&EntityType::Foundation);
    let only_foundations = match object.member("type_strict").and_then(Value::as_str) {
        Some("all") => has_foundation,
        Some("should") => false,
        _ => has_foundation && types.iter().all(|one| *one == EntityType::Foundation),
    };
    if only_foundations { Types::OnlyFoundations } else { Types::All }
}

/// A property: its identifier, what it is, and its values as texts.
fn property(
    object: &Object<'_>,
    errors: &mut BodyErrors,
) -> Option<(String, Option<Field>, Vec<String>)> {
    // `p` is how the oldest clients write it.
    let name = if object.has("p") && !object.has("pid") { "p" } else { "pid" };
    let (id, field) = property_id(object, name, errors)?;
    Some((id, field, values(object, "v", field, errors)))
}

/// The identifier of a property, and what it is.
pub(super) fn property_id(
    object: &Object<'_>,
    name: &'static str,
    errors: &mut BodyErrors,
) -> Option<(String, Option<Field>)> {
    if !object.has(name) {
        object.missing(name, errors);
    }
    let id = object.text(name, ID_CHARACTERS_MAX, errors)?;
    let field = Field::of_heading(&id).map(|(field, _)| field);
    Some((id, field))
}

/// A value or a list of them as texts, without those that say nothing.
pub(super) fn values(
    object: &Object<'_>,
    name: &'static str,
    field: Option<Field>,
    errors: &mut BodyErrors,
) -> Vec<String> {
    let Some(value) = object.member(name) else { return Vec::new() };
    let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    let mut texts = Vec::new();
    if items.len() > VALUES_MAX {
        let why = format!("expected at most {VALUES_MAX} values, found {}", items.len());
        object.unfit_member(name, why, errors);
        return texts;
    }
    for item in items {
        match text_of(item, field) {
            Some(text) if text.chars().count() > NAME_CHARACTERS_MAX => {
                let why = format!(
                    "expected at most {NAME_CHARACTERS_MAX} characters, found {}",
                    text.chars().count()
                );
                object.unfit_member(name, why, errors);
            }
            Some(text) => texts.push(text),
            None => {
                let why = format!(
                    "expected a text, a number, a truth value or an object with an id or a name, found {}",
                    found(item)
                );
                object.unfit_member(name, why, errors);
            }
        }
    }
    texts.retain(|text| !text.trim().is_empty());
    texts
}

/// A value as text; `None` of what no property has.
fn text_of(value: &Value, field: Option<Field>) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => {
            // A table with a gap in a column makes its whole numbers 20006.0.
            let whole = number.as_f64().filter(|number| number.fract() == 0.0);
            let text = match whole {
                Some(whole) => format!("{whole:.0}"),
                None => number.to_string(),
            };
            // Of an EIN that was taken for a number the zeros in front are lost.
            Some(if field == Some(Field::Ein) { format!("{text:0>9}") } else { text })
        }
        Value::Bool(holds) => Some(holds.to_string()),
        Value::Object(entity) => {
            let first = if field == Some(Field::Ein) { "id" } else { "name" };
            let members = [first, "name", "id"].into_iter().filter_map(|name| entity.get(name));
            let mut scalars = members.filter(|value| !value.is_object());
            scalars.find_map(|scalar| text_of(scalar, field))
        }
        Value::Null | Value::Array(_) => None,
    }
}

/// The beginning of what was found, as JSON, for an error.
pub(super) fn found(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(FOUND_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::http::interface::body;

    fn parsed(query: Value) -> Result<ParsedQuery, String> {
        body::read(query.to_string().as_bytes(), read)
            .map_err(|errors| errors.sentences().join("; "))
    }

    #[test]
    fn limits_are_numbers_or_texts_of_them() {
        for (limit, expected) in [
            (json!(3), 3),
            (json!("3"), 3),
            (json!(" 3 "), 3),
            (json!(3.0), 3),
            (json!(1e300), 8),
            (json!(null), LIMIT_DEFAULT),
            (json!(""), LIMIT_DEFAULT),
        ] {
            let query = parsed(json!({ "query": "a", "limit": limit })).unwrap();
            assert_eq!(query.limit, expected, "{limit}");
        }
        for (limit, shown) in [
            (json!(0), "0"),
            (json!("0"), "\"0\""),
            (json!(-1), "-1"),
            (json!(1.5), "1.5"),
            (json!("many"), "\"many\""),
            (json!(true), "true"),
            (json!([3]), "[3]"),
            (json!("NaN"), "\"NaN\""),
        ] {
            let error = parsed(json!({ "query": "a", "limit": limit })).unwrap_err();
            let expected =
                format!("limit: Value error, expected a number from 1 on, found {shown}");
            assert_eq!(error, expected);
        }
    }

    #[test]
    fn types_are_texts_objects_or_lists() {
        let foundation = json!({ "id": "foundation", "name": "Private foundation" });
        for (types, strict, expected) in [
            (json!("foundation"), json!(null), Types::OnlyFoundations),
            (foundation.clone(), json!("any"), Types::OnlyFoundations),
            (json!([foundation]), json!(true), Types::OnlyFoundations),
            (json!({ "name": "private Foundation" }), json!(["x"]), Types::OnlyFoundations),
            (json!(["foundation", "nonprofit"]), json!("any"), Types::All),
            (json!(["foundation", "nonprofit"]), json!("all"), Types::OnlyFoundations),
            (json!("foundation"), json!("should"), Types::All),
            (json!("nonprofit"), json!(7), Types::All),
            (json!(""), json!(""), Types::All),
            (json!([]), json!("all"), Types::All),
            (json!(null), json!({}), Types::All),
        ] {
            let query = parsed(json!({ "query": "a", "type": types, "type_strict": strict }));
            assert_eq!(query.unwrap().types, expected, "{types} {strict}");
        }
        for (types, shown) in [
            (json!("person"), "\"person\""),
            (json!(7), "7"),
            (json!([{}]), "{}"),
            (json!([["x"]]), "[\"x\"]"),
        ] {
            let error = parsed(json!({ "query": "a", "type": types })).unwrap_err();
            let expected =
                format!("type: Value error, expected nonprofit or foundation, found {shown}");
            assert_eq!(error, expected);
        }
    }

    #[test]
    fn values_are_texts_numbers_truth_values_or_entities() {
        for (id, value, expected) in [
            ("city", json!("Akron"), "Akron"),
            ("City", json!(["Akron", "Reno"]), "Akron"),
            ("city", json!({ "id": "x", "name": "Akron" }), "Akron"),
            ("city", json!({ "id": "Akron" }), "Akron"),
            ("city", json!([{ "name": "Akron" }, true]), "Akron"),
            ("city", json!(true), "true"),
            ("city", json!(null), ""),
            ("city", json!(["", " "]), ""),
            ("city", json!(7), "7"),
            ("city", json!(7.25), "7.25"),
            ("city", json!(20006.0), "20006"),
        ] {
            for name in ["pid", "p"] {
                let query = json!({ "query": "a", "properties": [{ name: id, "v": value }] });
                assert_eq!(parsed(query).unwrap().query.city, expected, "{value}");
            }
        }
        for (value, expected) in [
            (json!(3154), "000003154"),
            (json!(3154.0), "000003154"),
            (json!({ "id": "53-0196605", "name": "Red Cross" }), "53-0196605"),
            (json!({ "id": 530196605 }), "530196605"),
        ] {
            let query = json!({ "query": "a", "properties": [{ "pid": "ein", "v": value }] });
            assert_eq!(parsed(query).unwrap().query.ein, expected, "{value}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_what_was_found() {
        let property = |property: Value| json!({ "query": "a", "properties": [property] });
        let long = "x".repeat(NAME_CHARACTERS_MAX + 1);
        for (query, expected) in [
            (json!({ "limit": 3 }), "query: Value error, expected a name, or an EIN"),
            (json!({ "query": [[1]] }), "query: Value error, expected a text, a number"),
            (
                json!({ "query": long }),
                "query: Value error, expected at most 256 characters, found 257",
            ),
            (property(json!({ "v": 1 })), "properties.0.pid: Field required"),
            (property(json!({ "pid": "city", "v": [null] })), "or a name, found null"),
            (property(json!({ "pid": "city", "v": {} })), "or a name, found {}"),
            (property(json!({ "pid": "city", "v": [[]] })), "or a name, found []"),
            (property(json!({ "pid": "city", "v": vec!["a"; 33] })), "at most 32 values, found 33"),
        ] {
            let error = parsed(query).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn queries_that_are_eins() {
        for (query, expected) in [
            (json!({ "query": "53-0196605" }), Some("530196605")),
            (json!({ "query": 530196605 }), Some("530196605")),
            (json!({ "properties": [{ "pid": "ein", "v": "530196605" }] }), Some("530196605")),
            // Beside a name an EIN is evidence.
            (json!({ "query": "a", "properties": [{ "pid": "ein", "v": "530196605" }] }), None),
        ] {
            let eins = parsed(query).unwrap().eins;
            assert_eq!(eins.first().map(Ein::as_str), expected);
        }
    }
}
