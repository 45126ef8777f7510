//! `changes`: `/changes`, with a cursor.

use super::paged::PagedList;
use super::tool::Tool;
use crate::http::changes;

static LIST: PagedList = PagedList { tool: "changes", endpoint: &changes::CHANGES, fixed: &[] };

pub(super) static CHANGES: Tool = Tool {
    name: LIST.tool,
    title: "What changed",
    description: "Lists what changed of nonprofits since an earlier snapshot of the data or since a day, the \
        latest first: appeared, vanished, renamed, moved, revoked, reinstated, deductibility_changed, \
        foundation_changed, new_return; each with the values before and after. A day counts the snapshots \
        that were built on it or later.",
    arguments: || LIST.arguments(),
    output: || LIST.output(),
    call: |snapshot, sent| LIST.call(snapshot, sent),
};
