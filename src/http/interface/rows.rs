//! Rows of an answer, cut to the members that `fields` names, or written as CSV.
//!
//! Which members a row has is read from the schema of the answer, so that it is declared once.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::api_error::ApiError;
use super::endpoint::{Body, Endpoint, Rows};
use super::route::ENDPOINTS;
use crate::export::{Column, resolved};
use crate::spreadsheet::{LIST_SEPARATOR, guarded};
use crate::views::generator;

/// The members of a row, and the columns that they become.
#[derive(Debug, Default)]
pub(crate) struct RowLayout {
    /// Names of the members.
    pub(crate) members: Vec<String>,
    /// Paths of the columns, by member: `address` may have `address` and `city`.
    columns: Vec<Vec<String>>,
}

/// By the position of the endpoint.
static LAYOUTS: LazyLock<Vec<RowLayout>> = LazyLock::new(|| {
    let mut generator = generator();
    let mut schemas: Vec<Option<Value>> = Vec::new();
    for endpoint in ENDPOINTS {
        schemas.push(match endpoint.body {
            Body::Json(schema) => Some(schema(&mut generator).to_value()),
            Body::Atom | Body::Html => None,
        });
    }
    let definitions = Value::Object(generator.take_definitions(true));
    let layout = |(endpoint, schema): (&&Endpoint, Option<Value>)| {
        let answer = schema.as_ref().map(|schema| resolved(schema, &definitions));
        let row = match (endpoint.rows, answer) {
            (Rows::Whole, Some(answer)) => Some(answer),
            (Rows::In(list), Some(answer)) => Some(resolved(
                &resolved(&answer["properties"][list], &definitions)["items"],
                &definitions,
            )),
            (Rows::None, _) | (_, None) => None,
        };
        row.map(|row| RowLayout::of(row, &definitions)).unwrap_or_default()
    };
    ENDPOINTS.iter().zip(schemas).map(layout).collect()
});

impl RowLayout {
    /// Of the endpoint at a position.
    pub(crate) fn at(endpoint: usize) -> &'static Self {
        &LAYOUTS[endpoint]
    }

    fn of(row: &Value, definitions: &Value) -> Self {
        let members = Column::of_object(row, definitions);
        let columns = members.iter().flat_map(Column::paths).collect();
        Self { members: members.into_iter().map(|member| member.name).collect(), columns }
    }
}

/// The rows of an answer.
fn rows_of(answer: &mut Value, rows: Rows) -> &mut [Value] {
    match rows {
        Rows::None => &mut [],
        Rows::Whole => std::slice::from_mut(answer),
        Rows::In(list) => match answer.get_mut(list) {
            Some(Value::Array(rows)) => rows,
            _ => &mut [],
        },
    }
}

/// Leaves of each row the members named, in that order.
pub(crate) fn select(answer: &mut Value, rows: Rows, members: &[String]) {
    for row in rows_of(answer, rows) {
        if let Value::Object(whole) = row {
            let take = |name: &String| Some((name.clone(), whole.get_mut(name)?.take()));
            *row = Value::Object(members.iter().filter_map(take).collect::<Map<_, _>>());
        }
    }
}

/// The rows of an answer as CSV: a header, and a line for each; of `members` only, if there are any, else of those
/// that a row has.
pub(crate) fn csv(
    answer: &mut Value,
    rows: Rows,
    layout: &RowLayout,
    members: &[String],
) -> Result<Vec<u8>, ApiError> {
    let all = || layout.columns.iter();
    let rows: &[Value] = rows_of(answer, rows);
    let is_there =
        |path: &&Vec<String>| rows.is_empty() || rows.iter().any(|row| row.get(&path[0]).is_some());
    let columns: Vec<&Vec<String>> = match members {
        [] => all().filter(is_there).collect(),
        some => some.iter().flat_map(|name| all().filter(move |path| path[0] == *name)).collect(),
    };
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let unwritable = |error: csv::Error| ApiError::Unwritable(serde_json::Error::io(error.into()));
    writer.write_record(columns.iter().map(|path| path.join("."))).map_err(unwritable)?;
    for row in rows {
        let cells = columns.iter().map(|path| {
            cell(path.iter().try_fold(row, |value, name| value.get(name)).unwrap_or(&Value::Null))
        });
        writer.write_record(cells).map_err(unwritable)?;
    }
    let io = |error: csv::IntoInnerError<_>| {
        ApiError::Unwritable(serde_json::Error::io(error.into_error()))
    };
    writer.into_inner().map_err(io)
}

/// A value as the text of a cell: null is empty, items of a list stand in a row, and what a
/// spreadsheet would run as a formula begins with an apostrophe.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => guarded(text.clone()),
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            items.iter().map(cell).collect::<Vec<_>>().join(LIST_SEPARATOR)
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_endpoint_with_rows_knows_their_members() {
        for (index, endpoint) in ENDPOINTS.iter().enumerate() {
            let layout = RowLayout::at(index);
            assert_eq!(layout.members.is_empty(), endpoint.rows == Rows::None, "{endpoint:?}");
            assert!(layout.columns.len() >= layout.members.len(), "{endpoint:?}");
        }
    }

    #[test]
    fn cells() {
        for (value, text) in [
            (json!(null), ""),
            (json!(true), "true"),
            (json!(-1.5), "-1.5"),
            (json!("a \"b\", c"), "a \"b\", c"),
            (json!("=1+1"), "'=1+1"),
            (json!("@home"), "'@home"),
            (json!(["a", 2, null]), "a; 2; "),
            (json!([]), ""),
            (json!([{ "a": 1 }]), r#"[{"a":1}]"#),
        ] {
            assert_eq!(cell(&value), text);
        }
    }

    #[test]
    fn rows_are_cut_and_written() {
        let layout = RowLayout {
            members: vec!["ein".into(), "place".into()],
            columns: vec![vec!["ein".into()], vec!["place".into(), "city".into()]],
        };
        let answer = json!({
            "items": [{ "ein": "1", "place": { "city": "A,\nB" } }, { "ein": "2", "place": null }],
        });
        let write = |members: &[String]| {
            let bytes = csv(&mut answer.clone(), Rows::In("items"), &layout, members).unwrap();
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(write(&[]), "ein,place.city\r\n1,\"A,\nB\"\r\n2,\r\n");
        assert_eq!(
            write(&["place".into(), "ein".into()]),
            "place.city,ein\r\n\"A,\nB\",1\r\n,2\r\n"
        );
        let mut cut = answer;
        select(&mut cut, Rows::In("items"), &["place".into()]);
        assert_eq!(cut, json!({ "items": [{ "place": { "city": "A,\nB" } }, { "place": null }] }));
    }
}
