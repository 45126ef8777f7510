//! Tools that a language model may call, whatever protocol brings the call. `data/tools.tsv` is their table: most ask an
//! endpoint, with the same parameters and the same facts, with a cursor where there are pages, cut to what a model needs;
//! a few have a function of their own.

mod arguments;
mod coverage;
mod cursor;
mod declared;
mod guidance;
mod matches;
mod names;
mod profiles;
mod rows;
mod search;
mod tool;

use std::sync::LazyLock;

use crate::table::table;
pub(in crate::http) use arguments::{
    Arguments, Object, ToolError, ein, input_schema, quoted_excerpt, unknown,
};
use coverage::coverage;
pub(in crate::http) use guidance::instructions;
use matches::match_organizations;
use names::find_by_name;
pub(in crate::http) use profiles::profile;
use profiles::{compare, get};
pub(in crate::http) use rows::text;
use search::search;
pub(in crate::http) use tool::ask;
use tool::{Own, Tool};

const OWN: [(&str, Own); 6] = [
    ("find_by_name", find_by_name),
    ("search_nonprofits", search),
    ("get_nonprofit", get),
    ("compare", compare),
    ("match_organizations", match_organizations),
    ("coverage", coverage),
];

/// Every tool, in the order in which they are listed.
pub(in crate::http) static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    let read = |row: [&'static str; 6]| {
        Tool::read(row, OWN.iter().find(|(name, _)| *name == row[0]).map(|(_, own)| *own))
    };
    table!("data/tools.tsv").each(read).collect()
});
