//! `changes`: `/changes`, with a cursor.

use serde_json::Value;

use super::cursor::{self, CURSOR, List, NEXT};
use super::schema;
use super::tool::{Argument, Arguments, Object, Tool, ToolError, ask, object};
use crate::http::changes;
use crate::snapshot::Snapshot;

const NAME: &str = "changes";

pub(super) static CHANGES: Tool = Tool {
    name: NAME,
    title: "What changed",
    description: "Lists what changed of nonprofits since an earlier snapshot of the data or since a day, the \
        latest first: appeared, vanished, renamed, moved, revoked, reinstated, deductibility_changed, \
        foundation_changed, new_return; each with the values before and after. A day counts the snapshots \
        that were built on it or later.",
    arguments,
    output,
    call,
};

fn arguments() -> Vec<Argument> {
    let declared = Argument::of_parameters(changes::CHANGES.parameters, &["page"]);
    declared.chain([cursor::argument()]).collect()
}

fn output() -> Object {
    let mut schema = schema::of_endpoint(&changes::CHANGES);
    cursor::declare(&mut schema);
    schema
}

fn call(snapshot: &Snapshot, sent: &Arguments) -> Result<Object, ToolError> {
    let query = sent.query(&[CURSOR])?;
    let list = List::of(snapshot, NAME, &query);
    let page = list.page(sent)?;
    let reply = ask(snapshot, &changes::CHANGES, None, &format!("{query}&page={page}"))?;
    let mut answer = object(&reply)?;
    let total = answer.get("total").and_then(Value::as_u64).unwrap_or(0);
    let next = list.next(page, sent.size(&arguments()), total);
    answer.insert(NEXT.to_owned(), next.map_or(Value::Null, Value::String));
    Ok(answer)
}
