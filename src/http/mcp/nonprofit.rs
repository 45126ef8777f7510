//! The tools on one nonprofit, `get_nonprofit` and `check_standing`, and its resource,
//! `nonprofit://{ein}`: `/nonprofits/details/{ein}` and `/nonprofits/standing/{ein}`.

use super::schema;
use super::tool::{Argument, Tool, ToolError, ask, ein, object, unknown};
use crate::http::api_error::ApiError;
use crate::http::details::DETAILS;
use crate::http::endpoint::{Endpoint, Reply};
use crate::http::standing::STANDING;
use crate::record::Ein;
use crate::snapshot::Snapshot;

/// What stands before the EIN in the address of a resource.
pub(super) const SCHEME: &str = "nonprofit://";

pub(super) static GET: Tool = Tool {
    name: "get_nonprofit",
    title: "Nonprofit",
    description: "The full profile of one nonprofit by its EIN: names, address, what it is for, NTEE code, \
        money of the latest return, deductibility, revocation. null is not known, never zero or no.",
    arguments: || Argument::of_parameters(DETAILS.parameters, &[]).collect(),
    output: || schema::of_endpoint(&DETAILS),
    call: |snapshot, sent| object(&endpoint_reply(snapshot, &DETAILS, sent.ein()?)?),
};

pub(super) static STANDING_OF: Tool = Tool {
    name: "check_standing",
    title: "Tax-exempt standing",
    description: "Whether one nonprofit is exempt, whether gifts to it are deductible, and whether its \
        exemption was revoked, each with the IRS list that says so and the day as of which that list speaks. \
        A list that was not loaded is marked as not loaded: the answer is then unknown, which is not a no.",
    arguments: || Argument::of_parameters(STANDING.parameters, &[]).collect(),
    output: || schema::of_endpoint(&STANDING),
    call: |snapshot, sent| object(&endpoint_reply(snapshot, &STANDING, sent.ein()?)?),
};

/// The answer of an endpoint about one nonprofit.
fn endpoint_reply(snapshot: &Snapshot, endpoint: &Endpoint, ein: Ein) -> Result<Reply, ToolError> {
    match ask(snapshot, endpoint, Some(ein.as_str()), "") {
        Err(ApiError::UnknownNonprofit) => Err(unknown(&[ein])),
        answered => Ok(answered?),
    }
}

/// The text of a resource, the details as JSON; `None` if the address is none of a nonprofit's.
pub(super) fn resource(snapshot: &Snapshot, uri: &str) -> Option<Result<String, ToolError>> {
    let value = uri.strip_prefix(SCHEME)?;
    let text = || {
        let reply = endpoint_reply(snapshot, &DETAILS, ein(value)?)?;
        Ok(String::from_utf8_lossy(&reply.body).into_owned())
    };
    Some(text())
}
