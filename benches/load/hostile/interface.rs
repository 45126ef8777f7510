//! The interface as `/openapi.json` declares it: paths, and what each parameter takes.

use serde_json::Value;

/// A path that answers, with what it takes.
#[derive(Debug)]
pub struct Endpoint {
    /// `{ein}` stands for an EIN, at the end.
    pub path: String,
    pub parameters: Vec<Parameter>,
    /// Nothing is answered without a valid key.
    pub needs_key: bool,
}

#[derive(Debug)]
pub struct Parameter {
    pub name: String,
    pub is_required: bool,
    /// May be repeated, and holds items between commas.
    pub is_list: bool,
    pub kind: Kind,
}

/// What a value must be.
#[derive(Debug)]
pub enum Kind {
    /// So many characters.
    Text {
        min: usize,
        max: Option<usize>,
    },
    /// What the pattern says, which is not read here.
    Pattern(String),
    Whole {
        min: i64,
        max: Option<i64>,
    },
    Number {
        min: f64,
        max: Option<f64>,
    },
    Flag,
    Choice(Vec<String>),
}

/// Every endpoint of a document, with its parameters of the query; those of the path and of headers
/// are known.
pub fn read(document: &str) -> Vec<Endpoint> {
    let document: Value = serde_json::from_str(document).expect("/openapi.json is JSON");
    let paths = document["paths"].as_object().expect("paths");
    let endpoints = paths.iter().map(|(path, methods)| {
        let get = &methods["get"];
        // Without a word of its own the whole document's requirement of a key counts.
        let is_open = |one: &Value| one.as_object().is_none_or(|schemes| schemes.is_empty());
        let asks = |all: &Vec<Value>| !all.is_empty() && !all.iter().any(is_open);
        let declared = get["parameters"].as_array().map_or(&[][..], Vec::as_slice);
        let of_query = declared.iter().filter(|one| one["in"] == "query");
        Endpoint {
            path: path.clone(),
            parameters: of_query.map(parameter).collect(),
            needs_key: get["security"].as_array().is_none_or(asks),
        }
    });
    endpoints.collect()
}

fn parameter(declared: &Value) -> Parameter {
    let schema = &declared["schema"];
    let is_list = schema["type"] == "array";
    Parameter {
        name: declared["name"].as_str().expect("a name").to_owned(),
        is_required: declared["required"] == true,
        is_list,
        kind: kind(if is_list { &schema["items"] } else { schema }),
    }
}

fn kind(schema: &Value) -> Kind {
    if let Some(words) = schema["enum"].as_array() {
        let words = words.iter().filter_map(|word| word.as_str().map(str::to_owned));
        return Kind::Choice(words.collect());
    }
    let count = |name: &str| schema[name].as_u64().map(|count| count as usize);
    match (schema["type"].as_str(), schema["pattern"].as_str()) {
        (Some("integer"), _) => Kind::Whole {
            min: schema["minimum"].as_i64().unwrap_or(i64::MIN),
            max: schema["maximum"].as_i64(),
        },
        (Some("number"), _) => Kind::Number {
            min: schema["minimum"].as_f64().unwrap_or(f64::MIN),
            max: schema["maximum"].as_f64(),
        },
        (Some("boolean"), _) => Kind::Flag,
        (_, Some(pattern)) => Kind::Pattern(pattern.to_owned()),
        _ => Kind::Text { min: count("minLength").unwrap_or(0), max: count("maxLength") },
    }
}
