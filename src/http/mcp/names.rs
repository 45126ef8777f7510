//! `find_by_name`: `/typeahead/nonprofits` over every organization.

use super::schema;
use super::tool::{Argument, Arguments, Object, Tool, ToolError, ask, object};
use crate::http::typeahead::TYPEAHEAD;
use crate::snapshot::Snapshot;

pub(super) static FIND_BY_NAME: Tool = Tool {
    name: "find_by_name",
    title: "Find by name",
    description: "Finds the EIN of a nonprofit from the beginning of its name or of a later word of it, or \
        from an EIN, the likeliest first; one typing error is forgiven. Tell namesakes apart by city, \
        state and alt_name: do not take one for another. A few words of the name find more than all of them.",
    arguments,
    output: || schema::of_endpoint(&TYPEAHEAD),
    call,
};

fn arguments() -> Vec<Argument> {
    Argument::of_parameters(TYPEAHEAD.parameters, &["state", "scope"]).collect()
}

fn call(snapshot: &Snapshot, sent: &Arguments) -> Result<Object, ToolError> {
    let query = format!("{}&scope=all", sent.query(&[])?);
    object(&ask(snapshot, &TYPEAHEAD, None, &query)?)
}
