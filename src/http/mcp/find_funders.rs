//! `find_funders`: `/funders/search`, with a cursor.

use super::paged::PagedList;
use super::tool::Tool;
use crate::http::funders;

static LIST: PagedList = PagedList { tool: "find_funders", endpoint: &funders::SEARCH, fixed: &[] };

pub(super) static FIND_FUNDERS: Tool = Tool {
    name: LIST.tool,
    title: "Find funders",
    description: "Who made grants of a kind, who gave most first: words of recipient and purpose in q, the \
        recipients' state and NTEE code, the funder's state. For each the number of such grants, what they add \
        up to, and whether and how it takes applications, as filed.",
    arguments: || LIST.arguments(),
    output: || LIST.output(),
    call: |snapshot, sent| LIST.call(snapshot, sent),
};
