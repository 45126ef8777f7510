//! `people`: `/nonprofits/people/{ein}`, with a cursor.

use super::paged::PagedList;
use super::tool::Tool;
use crate::http::people::PEOPLE_OF;

static LIST: PagedList = PagedList { tool: "people", endpoint: &PEOPLE_OF, fixed: &[] };

pub(super) static PEOPLE: Tool = Tool {
    name: LIST.tool,
    title: "People of a nonprofit",
    description: "Officers, directors, trustees, key employees and the highest paid of one nonprofit by year, \
        with title, hours and compensation, as its returns list them. message says where none was loaded. \
        Equal names at two nonprofits may be two people.",
    arguments: || LIST.arguments(),
    output: || LIST.output(),
    call: |snapshot, sent| LIST.call(snapshot, sent),
};
