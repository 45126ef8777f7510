//! `who_funds` and `grants_made`: `/nonprofits/grants/{ein}` from either side, with a cursor.

use super::paged::PagedList;
use super::tool::Tool;
use crate::http::grants::GRANTS_OF;

static RECEIVED: PagedList =
    PagedList { tool: "who_funds", endpoint: &GRANTS_OF, fixed: &[("direction", "received")] };

static MADE: PagedList =
    PagedList { tool: "grants_made", endpoint: &GRANTS_OF, fixed: &[("direction", "made")] };

pub(super) static WHO_FUNDS: Tool = Tool {
    name: RECEIVED.tool,
    title: "Who funds a nonprofit",
    description: "Grants that one nonprofit received, as the returns of those who made them list them, the \
        latest tax year first. A recipient that was matched by name has a probability in match_score: say so. \
        message says where no return was loaded: then nothing is known, which is not zero.",
    arguments: || RECEIVED.arguments(),
    output: || RECEIVED.output(),
    call: |snapshot, sent| RECEIVED.call(snapshot, sent),
};

pub(super) static GRANTS_MADE: Tool = Tool {
    name: MADE.tool,
    title: "Grants that a nonprofit made",
    description: "Grants that one nonprofit or foundation made, as its returns list them, the latest tax year \
        first, with the totals that the returns themselves state. message says where no return was loaded: \
        then nothing is known, which is not zero.",
    arguments: || MADE.arguments(),
    output: || MADE.output(),
    call: |snapshot, sent| MADE.call(snapshot, sent),
};
