//! Columns of a table, read from the JSON schema of a row.

use serde_json::Value;

/// A member of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
    /// What it is, its unit and its source, on one line; may be empty.
    pub description: String,
    /// Whether it may be null.
    pub is_nullable: bool,
}

/// What the values of a column are.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Any text.
    Text,
    /// Text of a fixed form, or one of some names.
    Code,
    /// `YYYY-MM-DD`.
    Day,
    /// Within 64 bits.
    Integer,
    /// In 64 bits.
    Number,
    Boolean,
    /// Any number of these, none of them null.
    List(Box<Kind>),
    /// These members.
    Object(Vec<Column>),
    /// A vector of this many 32-bit numbers.
    Vector(usize),
}

impl Column {
    /// The members of an object of this schema; `definitions` has what it refers to.
    pub fn of_object(schema: &Value, definitions: &Value) -> Vec<Self> {
        let members = resolved(schema, definitions)["properties"].as_object().into_iter().flatten();
        let column = |(name, schema): (&String, &Value)| Self {
            name: name.clone(),
            kind: Kind::of(resolved(schema, definitions), definitions),
            description: schema["description"].as_str().unwrap_or_default().replace('\n', " "),
            is_nullable: may_be_null(schema),
        };
        members.map(column).collect()
    }

    /// The paths of its values in a flat table: of an object those of its members.
    pub fn paths(&self) -> Vec<Vec<String>> {
        let Kind::Object(members) = &self.kind else { return vec![vec![self.name.clone()]] };
        let below = members.iter().flat_map(Self::paths);
        below.map(|path| [vec![self.name.clone()], path].concat()).collect()
    }
}

impl Kind {
    fn of(schema: &Value, definitions: &Value) -> Self {
        let is = |name: &str| match &schema["type"] {
            Value::Array(names) => names.iter().any(|one| one == name),
            one => one == name,
        };
        if schema["properties"].is_object() {
            Self::Object(Column::of_object(schema, definitions))
        } else if is("array") {
            let item = resolved(&schema["items"], definitions);
            Self::List(Box::new(Self::of(item, definitions)))
        } else if is("integer") {
            Self::Integer
        } else if is("number") {
            Self::Number
        } else if is("boolean") {
            Self::Boolean
        } else if schema["format"] == "date" {
            Self::Day
        } else if ["pattern", "enum", "oneOf"].iter().any(|form| !schema[*form].is_null()) {
            Self::Code
        } else {
            Self::Text
        }
    }
}

/// The schema that a reference, or a choice of a schema and null, leads to.
pub(crate) fn resolved<'a>(schema: &'a Value, definitions: &'a Value) -> &'a Value {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return resolved(&definitions[name], definitions);
    }
    let choices = schema["anyOf"].as_array().or_else(|| schema["allOf"].as_array());
    match choices.and_then(|choices| choices.iter().find(|one| one["type"] != "null")) {
        Some(choice) => resolved(choice, definitions),
        None => schema,
    }
}

fn may_be_null(schema: &Value) -> bool {
    let is_null = |one: &Value| one == "null" || one["type"] == "null";
    let lists = [&schema["type"], &schema["anyOf"]];
    lists.iter().any(|list| list.as_array().is_some_and(|list| list.iter().any(is_null)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn columns_are_read_from_schemas() {
        let definitions = json!({
            "Point": { "properties": { "lat": { "type": "number" } } },
            "Kind": { "type": "string", "enum": ["a", "b"] },
        });
        let schema = json!({ "properties": {
            "ein": { "type": "string", "pattern": "x", "description": "Nine\ndigits." },
            "name": { "type": ["string", "null"] },
            "day": { "type": ["string", "null"], "format": "date" },
            "year": { "type": "integer" },
            "is": { "type": ["boolean", "null"] },
            "goals": { "type": ["array", "null"], "items": { "type": "integer" } },
            "point": { "anyOf": [{ "$ref": "#/x/Point" }, { "type": "null" }], "description": "Where." },
            "kind": { "$ref": "#/x/Kind" },
        } });
        let columns = Column::of_object(&schema, &definitions);
        let kinds: Vec<_> = columns.iter().map(|one| (one.kind.clone(), one.is_nullable)).collect();
        let lat = Column {
            name: "lat".into(),
            kind: Kind::Number,
            description: String::new(),
            is_nullable: false,
        };
        let expected = [
            (Kind::Code, false),
            (Kind::Text, true),
            (Kind::Day, true),
            (Kind::Integer, false),
            (Kind::Boolean, true),
            (Kind::List(Box::new(Kind::Integer)), true),
            (Kind::Object(vec![lat]), true),
            (Kind::Code, false),
        ];
        assert_eq!(kinds, expected);
        assert_eq!(
            (&*columns[0].description, &*columns[6].description),
            ("Nine digits.", "Where.")
        );
        assert_eq!(columns[0].paths(), [["ein"]]);
        assert_eq!(columns[6].paths(), [["point", "lat"]]);
    }
}
