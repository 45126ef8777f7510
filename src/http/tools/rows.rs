//! What a model reads of an answer: members that are known, in brief those that matter, what all rows share said once;
//! as data, and as a table.

use serde_json::{Value, json};

use super::arguments::{Object, ToolError, again, quoted_excerpt};

/// Characters of an answer, in either form: what hosts pass to a model without a warning.
pub(in crate::http) const ANSWER_CHARACTERS_MAX: usize = 64_000;
/// Characters of a text and items of a list within a row, in brief.
const TEXT_CHARACTERS_MAX: usize = 480;
const ITEMS_MAX: usize = 5;
/// Characters of a text in a cell of the table; addresses, lists and figures stand whole.
const CELL_CHARACTERS_MAX: usize = 120;

/// The member of a row about which there is nothing else to say.
const MESSAGE: &str = "message";

/// Which members of rows are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::http) enum Selection {
    /// All that are known.
    Full,
    /// These, long ones cut.
    Brief(Vec<String>),
    /// These, whole.
    Fields(Vec<String>),
}

impl Selection {
    fn members(&self) -> Option<&[String]> {
        match self {
            Self::Full => None,
            Self::Brief(members) | Self::Fields(members) => Some(members),
        }
    }

    /// Refuses fields that no row has.
    pub(in crate::http) fn check(&self, rows: &[Object]) -> Result<(), ToolError> {
        // A row with a message is of an EIN that nobody has.
        let mut known = rows.iter().filter(|row| !row.contains_key(MESSAGE));
        let (Self::Fields(fields), Some(first)) = (self, known.next()) else { return Ok(()) };
        let has = |field: &str| rows.iter().any(|row| row.contains_key(field));
        let first_step = |path: &str| path.split('.').next().unwrap_or_default().to_owned();
        match fields.iter().find(|path| !has(&first_step(path))) {
            None => Ok(()),
            Some(unknown) => {
                let names: Vec<_> = first.keys().map(String::as_str).collect();
                let (names, found) = (names.join(", "), quoted_excerpt(unknown));
                Err(again(&format!("fields: expected some of {names}; found {found}")))
            }
        }
    }

    /// The fields asked for of which no row, as it is shown, has a value; none where every row has but a message.
    pub(in crate::http) fn unknown_in(&self, shown: &[Object]) -> Vec<&str> {
        let Self::Fields(fields) = self else { return Vec::new() };
        if shown.iter().all(|row| row.contains_key(MESSAGE)) {
            return Vec::new();
        }
        let is_unknown = |field: &&str| !shown.iter().any(|row| row.contains_key(*field));
        fields.iter().map(String::as_str).filter(is_unknown).collect()
    }

    /// What is shown of a row, or of an answer that is one.
    pub(in crate::http) fn apply(&self, row: &Object) -> Object {
        let cut = matches!(self, Self::Brief(_));
        let Some(members) = self.members() else {
            let all = row.iter().map(|(name, value)| (name.clone(), value));
            return all.filter_map(|(name, value)| Some((name, known(value, cut)?))).collect();
        };
        let message = row.contains_key(MESSAGE).then(|| MESSAGE.to_owned());
        let shown = members.iter().chain(&message).filter_map(|path| {
            let mut steps = path.split('.');
            let first = row.get(steps.next()?)?;
            let value = steps.try_fold(first, |value, step| value.get(step))?;
            Some((path.clone(), known(value, cut)?))
        });
        shown.collect()
    }
}

/// A value without what is not known in it; `None` of one of which nothing is.
fn known(value: &Value, cut: bool) -> Option<Value> {
    Some(match value {
        Value::Null => return None,
        Value::String(text) if text.is_empty() => return None,
        Value::String(text) if cut && !is_address(text) => {
            json!(excerpt(text, TEXT_CHARACTERS_MAX))
        }
        Value::Number(number) if cut && number.is_f64() => {
            json!((number.as_f64()? * 1e4).round() / 1e4)
        }
        Value::Array(items) if items.is_empty() => return None,
        Value::Array(items) => {
            let most = if cut { ITEMS_MAX } else { items.len() };
            let mut shown: Vec<_> =
                items.iter().take(most).filter_map(|item| known(item, cut)).collect();
            if items.len() > most {
                shown.push(json!(format!("… {} more with detail full", items.len() - most)));
            }
            Value::Array(shown)
        }
        Value::Object(members) => {
            let members = members.iter();
            let shown: Object = members
                .filter_map(|(name, value)| Some((name.clone(), known(value, cut)?)))
                .collect();
            if shown.is_empty() {
                return None;
            }
            Value::Object(shown)
        }
        other => other.clone(),
    })
}

/// Whether a text is an address, of which a part is of no use.
fn is_address(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

fn excerpt(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Members that tell rows apart, and stay in each.
const OF_A_ROW: [&str; 3] = ["ein", "name", "id"];

/// How members end that say where a figure is from.
const SOURCE: &str = "_from";

/// Takes what all of several rows share out of them, and the source that most figures are from.
pub(in crate::http) fn shared(rows: &mut [Object]) -> Object {
    let [first, others @ ..] = &*rows else { return Object::new() };
    if others.is_empty() {
        return Object::new();
    }
    let is_shared = |(name, value): &(&String, &Value)| {
        !OF_A_ROW.contains(&name.as_str())
            && others.iter().all(|row| row.get(*name) == Some(*value))
    };
    let all: Object =
        first.iter().filter(is_shared).map(|(name, value)| (name.clone(), value.clone())).collect();
    if all.len() == first.len() {
        return Object::new();
    }
    let sources = first.keys().filter(|name| name.ends_with(SOURCE) && !all.contains_key(*name));
    let usual: Object =
        sources.filter_map(|name| Some((name.clone(), usual(rows, name)?.clone()))).collect();
    for row in rows {
        row.retain(|name, value| !all.contains_key(name) && usual.get(name) != Some(value));
    }
    all.into_iter().chain(usual).collect()
}

/// The value that most of the rows have of a member.
fn usual<'a>(rows: &'a [Object], name: &str) -> Option<&'a Value> {
    let values = || rows.iter().filter_map(|row| row.get(name));
    values().find(|value| values().filter(|other| other == value).count() * 2 > rows.len())
}

/// How many of the first rows fit an answer, at least one.
pub(in crate::http) fn fitting(rows: &[Object]) -> usize {
    let mut characters = 0;
    let fits = |row: &&Object| {
        characters += json!(row).to_string().len();
        characters <= ANSWER_CHARACTERS_MAX
    };
    rows.iter().take_while(fits).count().max(1)
}

/// An answer as people read it: the head, then a line for each row.
pub(in crate::http) fn text(answer: &Object) -> String {
    let mut lines: Vec<String> = Vec::new();
    let said = ["message", "rows", "all", "nextCursor", "next"];
    lines.extend(answer.get("message").map(cell_of));
    let others = answer.iter().filter(|(name, _)| !said.contains(&name.as_str()));
    let is_list = answer.contains_key("rows");
    let head: Vec<_> = others.map(|(name, value)| format!("{name}: {}", cell_of(value))).collect();
    lines.extend(
        head.chunks(if is_list { head.len().max(1) } else { 1 }).map(|some| some.join("; ")),
    );
    if let Some(Value::Object(all)) = answer.get("all") {
        let all: Vec<_> =
            all.iter().map(|(name, value)| format!("{name} {}", cell_of(value))).collect();
        lines.push(format!("All: {}", all.join("; ")));
    }
    if let Some(Value::Array(rows)) = answer.get("rows") {
        lines.extend(table(rows));
    }
    if let Some(cursor) = answer.get("nextCursor").and_then(Value::as_str) {
        lines.push(format!("More with cursor {cursor}"));
    }
    for step in answer.get("next").and_then(Value::as_array).into_iter().flatten() {
        lines.push(format!(
            "Next: {} {} {}",
            cell_of(&step["tool"]),
            step["arguments"],
            cell_of(&step["why"])
        ));
    }
    lines.join("\n")
}

fn table(rows: &[Value]) -> Vec<String> {
    let mut columns: Vec<&str> = Vec::new();
    for name in rows.iter().filter_map(Value::as_object).flat_map(Object::keys) {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    let line = |row: &Value| {
        let cells = columns.iter().map(|name| match &row[*name] {
            Value::String(text) if !is_address(text) => {
                excerpt(&cell_of(&row[*name]), CELL_CHARACTERS_MAX)
            }
            value => cell_of(value),
        });
        cells.collect::<Vec<_>>().join(" | ")
    };
    match rows.is_empty() {
        true => Vec::new(),
        false => std::iter::once(columns.join(" | ")).chain(rows.iter().map(line)).collect(),
    }
}

/// A value on one line.
fn cell_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Array(items) => items.iter().map(cell_of).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{name} {}", cell_of(value)));
            members.collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Object {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn selections() {
        let row = object(json!({
            "ein": "1", "no": null, "none": [], "blank": "", "list": [1, 2, 3, 4, 5, 6, 7],
            "in": { "a": 1, "b": null }, "long": "x".repeat(600), "share": 0.123_456_789,
        }));
        let brief = |members: &[&str]| {
            let members = members.iter().map(|one| (*one).to_owned()).collect();
            Value::Object(Selection::Brief(members).apply(&row))
        };
        assert_eq!(
            brief(&["ein", "no", "none", "blank", "in.a", "in.b", "x.y"]),
            json!({ "ein": "1", "in.a": 1 })
        );
        assert_eq!(brief(&["share"]), json!({ "share": 0.1235 }));
        assert_eq!(brief(&["list"])["list"].as_array().unwrap().len(), ITEMS_MAX + 1);
        assert_eq!(
            brief(&["long"])["long"].as_str().unwrap().chars().count(),
            TEXT_CHARACTERS_MAX + 1
        );
        let full = Selection::Full.apply(&row);
        assert_eq!(
            (full["list"].as_array().unwrap().len(), full["in"].clone()),
            (7, json!({ "a": 1 }))
        );
        let fields = |name: &str| {
            let selection = Selection::Fields(vec![name.to_owned()]);
            let unknown = |()| selection.unknown_in(&[selection.apply(&row)]).join(", ");
            selection.check(std::slice::from_ref(&row)).ok().map(unknown)
        };
        assert_eq!(fields("in.a"), Some(String::new()));
        assert_eq!((fields("no"), fields("a")), (Some("no".to_owned()), None));
    }

    #[test]
    fn what_rows_share() {
        for (rows, all) in [
            (
                vec![json!({ "ein": "1", "state": "VT" }), json!({ "ein": "2", "state": "VT" })],
                json!({ "state": "VT" }),
            ),
            (
                vec![json!({ "ein": "1", "state": "VT" }), json!({ "ein": "1", "state": "KY" })],
                json!({}),
            ),
            (vec![json!({ "ein": "1", "state": "VT" })], json!({})),
            (vec![json!({ "state": "VT" }), json!({ "state": "VT" })], json!({})),
            (vec![], json!({})),
        ] {
            let mut objects: Vec<Object> = rows.iter().cloned().map(object).collect();
            let found = shared(&mut objects);
            assert_eq!(json!(found), all);
            // Nothing is lost.
            let whole = objects
                .into_iter()
                .map(|row| json!(found.clone().into_iter().chain(row).collect::<Object>()));
            assert_eq!(whole.collect::<Vec<_>>(), rows);
        }
    }

    #[test]
    fn answers_as_text() {
        let answer = object(json!({
            "message": "two", "total": 2, "all": { "state": "VT" },
            "rows": [{ "ein": "1", "name": "A\nB" }, { "ein": "2", "city": "C" }],
            "nextCursor": "2.0-0", "next": [{ "tool": "people", "arguments": { "ein": "1" }, "why": "asked" }],
        }));
        let told = "two\ntotal: 2\nAll: state VT\nein | name | city\n1 | A B | \n2 |  | C\n\
                    More with cursor 2.0-0\nNext: people {\"ein\":\"1\"} asked";
        assert_eq!(text(&answer), told);
        assert_eq!(
            fitting(&[object(json!({ "x": "y".repeat(ANSWER_CHARACTERS_MAX) })), Object::new()]),
            1
        );
    }
}
