//! `almoner search`: nonprofits that satisfy filters and fit a text, as a table, CSV or JSON.
//!
//! The text is understood and the question answered as by `/beta/nonprofits/search`; here flags
//! become explicit filters, and the answer is written row by row, however many there are.

mod arguments;

use std::io::Write;
use std::iter::Peekable;

use anyhow::Context as _;

use super::flags::Format;
use super::record_writer::RecordWriter;
use super::table::{Layout, Table, dollars, terminal_width};
use super::{OUTPUT, Outcome, complain_plainly, misused, not_found};
use crate::export::RowWriter as _;
use crate::record::{Address, State};
use crate::search::nonprofits::{self, NonprofitHit, NonprofitPage, Query, Rows};
use crate::snapshot;
use crate::understand::{
    Frame, Interpretation, Lookup, QUERY_CHARACTERS_MAX, Request, described, interpret,
};
use crate::views::{self, Details};

pub(super) use arguments::Arguments;

/// Rows of a table that are laid out together: the columns of those below are as wide.
const LAID_OUT_TOGETHER: usize = 1_000;

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    if let Some(why) = arguments::misfit(&arguments) {
        return Err(misused(why));
    }
    let text = arguments.text();
    let text = text.as_deref();
    let characters = text.map_or(0, |text| text.chars().count());
    if characters > QUERY_CHARACTERS_MAX {
        return Err(misused(format!(
            "TEXT is too long: expected at most {QUERY_CHARACTERS_MAX} characters, found {characters}"
        )));
    }
    let snapshot = snapshot::open_with(&arguments.data_dir.path, &arguments.model.lazy())?;
    let verbosity = arguments.verbosity.verbosity();
    let explicit = arguments.filters.frame();
    let request = Request { model: arguments.interpreter(), ..Request::of(text, &explicit) };
    let lookup = Lookup::of(&snapshot);
    let mut understood = interpret(&lookup, &request)?;
    let query = understood.query(arguments.page_query());
    if query.relevance.words().is_some() && snapshot.vectors.is_none() {
        let distance =
            if query.distance_max.is_some() { "; --max-distance has no effect" } else { "" };
        complain_plainly(&format!(
            "the snapshot was built without embeddings: only words rank, and what has none of \
             them is not shown{distance}"
        ));
    }
    let (found, rows) = nonprofits::list(&lookup, &query)?;
    let mut rows = rows.peekable();
    if arguments.explain {
        complain_plainly(&explained(text.unwrap_or_default(), &understood, &found));
    }
    // Above the rows, also where the two streams go to one screen.
    verbosity.say(&understood.sentence(&found, query.distance_max));
    let is_empty = rows.peek().is_none();
    let total = found.sorted.unwrap_or(found.total);
    write(&arguments, total, rows)?;
    let size = arguments.page_query().size as u64;
    if arguments.format.format() != Format::Table && size < total {
        verbosity.say(&format!("of {total}, {size} at most are written: --limit all writes all"));
    }
    if is_empty {
        return Err(not_found(no_results_reason(&query, &understood, &found)));
    }
    Ok(Outcome::Done)
}

/// The rows of an answer.
type Listed<'a> = Peekable<Rows<'a>>;

/// Writes the rows in the format asked for: at most `total`, and one line each.
fn write(arguments: &Arguments, total: u64, mut rows: Listed<'_>) -> anyhow::Result<()> {
    let format = arguments.format.format();
    if format == Format::Table && rows.peek().is_none() {
        return Ok(());
    }
    let fields = Some(arguments.fields.clone()).filter(|fields| !fields.is_empty());
    let lines = total.min(arguments.page_query().size as u64).saturating_add(1);
    let mut out = arguments.pager.output(lines);
    let Some(records) = format.of_records() else { return write_table(&mut out, rows) };
    let is_whole = format != Format::Csv && fields.is_none();
    let mut writer = RecordWriter::new(records, &mut out, fields, columns, OUTPUT)?;
    for row in rows {
        let NonprofitHit { organization, cosine } = row?;
        match is_whole {
            true => writer.write(&Scored { record: &organization, cosine })?,
            false => writer.write(&Scored { record: &Details::of(&organization), cosine })?,
        }
    }
    writer.finish().map(drop)
}

/// The columns of CSV, and the fields that can be chosen.
fn columns() -> Vec<String> {
    let mut columns = views::Table::Organizations.outline(None).flat_names();
    columns.push(SCORE.to_owned());
    columns
}

/// Writes a table, some rows at a time.
fn write_table(out: &mut impl Write, mut rows: Listed<'_>) -> anyhow::Result<()> {
    let mut layout: Option<Layout> = None;
    while rows.peek().is_some() {
        let hits = rows.by_ref().take(LAID_OUT_TOGETHER).collect::<Result<Vec<_>, _>>()?;
        let table = table(&hits);
        let text = match &layout {
            None => table.render_as(layout.insert(table.layout(terminal_width()))),
            Some(layout) => table.render_rows_as(layout),
        };
        out.write_all(text.as_bytes()).context(OUTPUT)?;
    }
    out.flush().context(OUTPUT)
}

/// What each part of a text was taken for, and the plan.
fn explained(text: &str, understood: &Interpretation, found: &NonprofitPage) -> String {
    let mut table = Table::new(&["text", "taken for", "confidence"]);
    for part in &understood.heard.parts {
        let words = text.get(part.span.clone()).unwrap_or_default().to_owned();
        table.row([words, part.meaning.clone(), format!("{:.2}", part.confidence)]);
    }
    if let Some(cause) = &understood.frame.cause {
        table.row([cause.clone(), "what they do: ranks".to_owned(), String::new()]);
    }
    for words in &understood.heard.unread {
        table.row([words.clone(), "not understood".to_owned(), String::new()]);
    }
    format!("{}plan: {}", table.render_within(terminal_width()), found.plan)
}

pub(super) fn table(rows: &[NonprofitHit]) -> Table {
    let mut table = Table::new(&["EIN", "name", "place", "revenue", "score"]);
    let unknown = || "-".to_owned();
    for NonprofitHit { organization, cosine } in rows {
        let revenue = organization.finances.revenue;
        table.row([
            organization.ein.to_string(),
            organization.name.clone(),
            place_of(&organization.address),
            revenue.map_or_else(unknown, |usd| dollars(usd.dollars())),
            cosine.map_or_else(unknown, |cosine| format!("{cosine:.3}")),
        ]);
    }
    table
}

/// `City, ST`, or what is known of it.
fn place_of(address: &Address) -> String {
    let state = address.state.map(State::code);
    let parts: Vec<&str> = address.city.as_deref().into_iter().chain(state).collect();
    if parts.is_empty() { "-".to_owned() } else { parts.join(", ") }
}

/// What the cosine of a row is called.
const SCORE: &str = "vectorScore";

/// A row: in JSON the record as stored, in CSV or where fields are chosen the details, each with its cosine.
#[derive(serde::Serialize)]
struct Scored<'a, Record> {
    #[serde(flatten)]
    record: &'a Record,
    #[serde(rename = "vectorScore")]
    cosine: Option<f32>,
}

/// Why there are no rows, and what to do about it.
fn no_results_reason(query: &Query, understood: &Interpretation, found: &NonprofitPage) -> String {
    if found.total > 0 && query.page > 1 {
        return format!("nothing found on page {}: name a lower --page", query.page);
    }
    if found.plan.matches > 0 && found.plan.words && found.plan.meaning.is_none() {
        return "nothing found: no name has a word of the text; use other words, or \
                build the snapshot with embeddings"
            .to_owned();
    }
    // Names, causes and orders rank and leave nothing out.
    let (cause, organization, sort) = (None, None, Vec::new());
    let filters = Frame { cause, organization, sort, ..understood.frame.clone() };
    let mut given = described(&filters);
    given.extend(query.distance_max.map(|distance| format!("within a distance of {distance}")));
    match &given[..] {
        [] => "nothing found: the snapshot has no nonprofits".to_owned(),
        [one] => format!("nothing found: widen or leave out what asks for “{one}”"),
        _ => format!("nothing found: widen or leave out one of “{}”", given.join("”, “")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Address;

    #[test]
    fn a_place_is_what_is_known_of_it() {
        let place = |city: Option<&str>, state: Option<&str>| {
            let state = state.map(|code| code.parse().unwrap());
            place_of(&Address { city: city.map(str::to_owned), state, ..Address::default() })
        };
        assert_eq!(place(Some("Akron"), Some("OH")), "Akron, OH");
        assert_eq!(place(Some("Paris"), None), "Paris");
        assert_eq!(place(None, Some("OH")), "OH");
        assert_eq!(place(None, None), "-");
    }
}
