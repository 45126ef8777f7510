//! `search_nonprofits`: `/beta/nonprofits/search`, with the number of matches and a cursor.

use serde_json::{Value, json};

use super::cursor::{self, CURSOR, List, NEXT};
use super::schema;
use super::tool::{Argument, Arguments, Object, Tool, ToolError, ask, object};
use crate::http::beta;
use crate::snapshot::Snapshot;

const NAME: &str = "search_nonprofits";

/// Pages go by cursor, sessions belong to a client, and models of other services mean nothing here.
const WITHOUT: [&str; 3] = ["page", "x-session-id", "model"];

pub(super) static SEARCH: Tool = Tool {
    name: NAME,
    title: "Search nonprofits",
    description: "Finds U.S. nonprofits by what they are about and by filters: place, NTEE code, subsection, \
        money, size, ruling year, goals. q may be a sentence; intentDetails.llm_response.message says what was \
        understood. Filters exclude, the rest of q only ranks. For one nonprofit by its name, find_by_name is \
        better.",
    arguments,
    output,
    call,
};

fn arguments() -> Vec<Argument> {
    let declared = Argument::of_parameters(beta::SEARCH.parameters, &WITHOUT);
    declared.chain([cursor::argument()]).collect()
}

fn output() -> Object {
    let mut schema = schema::of_endpoint(&beta::SEARCH);
    let total = json!({
        "type": "integer",
        "minimum": 0,
        "description": "Number of nonprofits that satisfy the filters; of them, q lists those that it finds.",
    });
    cursor::declare_member(&mut schema, "total", total);
    cursor::declare(&mut schema);
    schema
}

fn call(snapshot: &Snapshot, sent: &Arguments) -> Result<Object, ToolError> {
    let query = sent.query(&[CURSOR])?;
    let list = List::of(snapshot, NAME, &query);
    let page = list.page(sent)?;
    let reply = ask(snapshot, &beta::SEARCH, None, &format!("{query}&page={page}"))?;
    let mut answer = object(&reply)?;
    let total = reply.plan.map_or(0, |plan| plan.listed.unwrap_or(plan.matches + plan.nearby));
    let size = sent.size(&arguments());
    // Words may find fewer than satisfy the filters: behind a page that is not full there is none.
    let rows = answer.get("nonprofits").and_then(Value::as_array).map_or(0, Vec::len);
    let next = list.next(page, size, total).filter(|_| rows as u64 == size);
    answer.insert("total".to_owned(), json!(total));
    answer.insert(NEXT.to_owned(), next.map_or(Value::Null, Value::String));
    Ok(answer)
}
