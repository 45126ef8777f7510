//! The interface as `/openapi.json` declares it: paths, and values of each parameter at, below and
//! beyond its bounds.

use serde_json::Value;

use super::values::{Drawn, Fit, listed};

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
    /// Values of which the declaration says whether they fit.
    pub values: Vec<Drawn>,
}

/// Bytes of what is longer than any parameter takes, and shorter than a target may be.
const LONG_BYTES: usize = 7_000;

/// Every endpoint of a document that is a GET, with its parameters of the query; those of the path and of headers
/// are known.
pub fn read(document: &str) -> Vec<Endpoint> {
    let document: Value = serde_json::from_str(document).expect("/openapi.json is JSON");
    let paths = document["paths"].as_object().expect("paths");
    let gets = paths.iter().filter_map(|(path, methods)| Some((path, methods.get("get")?)));
    let endpoints = gets.map(|(path, get)| {
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
        values: values(if is_list { &schema["items"] } else { schema }),
    }
}

/// Values of a type, and whether they fit it.
fn values(schema: &Value) -> Vec<Drawn> {
    let fits = |text: String| (text.into_bytes(), Fit::Fits);
    let refused = |text: String| (text.into_bytes(), Fit::Refused);
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        let odd = words.iter().zip(["x", " ", "\0", "-"]).map(|(word, end)| format!("{word}{end}"));
        let odd = odd.map(refused);
        return words.iter().map(|word| fits((*word).to_owned())).chain(odd).collect();
    }
    if schema["format"] == "date" {
        return listed("date").collect();
    }
    // A day, or the name of a snapshot: one by name is hardly remembered.
    if schema["anyOf"].is_array() {
        return listed("snapshot").collect();
    }
    // Next to larger bounds there is no other number.
    let bound = |name: &str| schema[name].as_f64().filter(|bound| bound.abs() < 1e15);
    match (schema["type"].as_str(), schema["pattern"].as_str()) {
        (Some(kind @ ("integer" | "number")), _) => {
            // What is next to a bound.
            let step = if kind == "integer" { 1.0 } else { 1e-9 };
            let (min, max) = (bound("minimum"), bound("maximum"));
            let within = [min, max].into_iter().flatten();
            let beyond = [min.map(|min| min - step), max.map(|max| max + step)];
            let beyond = beyond.into_iter().flatten();
            let within = within.map(|value| fits(value.to_string()));
            let beyond = beyond.map(|value| refused(value.to_string()));
            let far = max.map(|_| refused("9".repeat(40)));
            within.chain(beyond).chain(far).chain(listed(kind)).collect()
        }
        (Some("boolean"), _) => listed("boolean").collect(),
        (_, Some(pattern)) => {
            // Told by how the pattern begins.
            let named = [r"^\d{5}$", r"^\d{2}$", r"^\d{9}$", "^[^,]"];
            let known = named.iter().find(|known| pattern.starts_with(**known));
            listed(known.unwrap_or(&"state")).collect()
        }
        _ => {
            let count = |name: &str| schema[name].as_u64().map(|count| count as usize);
            let (min, max) = (count("minLength").unwrap_or(0), count("maxLength"));
            let longest = max.map(|max| fits("é".repeat(max)));
            let longer =
                max.map(|max| [refused("🌻".repeat(max + 1)), refused("a".repeat(LONG_BYTES))]);
            let shortest = (min > 0).then(|| [fits("e".repeat(min)), refused("a".repeat(min - 1))]);
            longest
                .into_iter()
                .chain(longer.into_iter().flatten())
                .chain(shortest.into_iter().flatten())
                .collect()
        }
    }
}
