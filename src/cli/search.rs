//! `almoner search`: nonprofits that satisfy filters and fit a text, as a table or as JSON lines.
//!
//! The text is understood and the question answered as by `/beta/nonprofits/search`; here flags
//! become explicit filters, and the answer lines.

mod arguments;
mod ranges;

use std::io::{self, BufWriter, Write as _};

use anyhow::Context as _;

use super::table::{Table, dollars, terminal_width};
use super::{OUTPUT, Outcome, complain, complain_plainly, print};
use crate::record::{Address, Organization, State};
use crate::search::interpret::{self, Interpretation, QUERY_CHARACTERS_MAX, Question};
use crate::search::nonprofits::{self, NonprofitHit, NonprofitPage, Query};
use crate::snapshot;
use crate::understand::{Frame, described};

pub(super) use arguments::{Arguments, Interpreter};

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    if let Some(why) = arguments::misfit(&arguments) {
        complain(&why);
        return Ok(Outcome::Usage);
    }
    let text = arguments.text.as_deref().map(str::trim);
    let characters = text.map_or(0, |text| text.chars().count());
    if characters > QUERY_CHARACTERS_MAX {
        complain(&format!(
            "TEXT is too long: expected at most {QUERY_CHARACTERS_MAX} characters, found {characters}"
        ));
        return Ok(Outcome::Usage);
    }
    let snapshot = snapshot::open_with(&arguments.data_dir.path, &arguments.model.lazy())?;
    let explicit = arguments.explicit();
    let question = Question {
        q: text,
        model: arguments.interpreter(),
        earlier: None,
        message: None,
        explicit: &explicit,
    };
    let mut understood = interpret::interpret(&snapshot, &question)?;
    let query = understood.query(text, arguments.paging());
    if query.like.words().is_some() && snapshot.vectors.is_none() {
        let distance =
            if query.distance_max.is_some() { "; --max-distance has no effect" } else { "" };
        complain_plainly(&format!(
            "the snapshot was built without embeddings: only words rank, and what has none of \
             them is not shown{distance}"
        ));
    }
    let search = |query: &Query| nonprofits::search(&snapshot, query);
    let found = understood.find(text, &arguments.paging(), search)?;
    if arguments.explain {
        complain_plainly(&explained(text.unwrap_or_default(), &understood, &found));
    }
    // Above the rows, also where the two streams go to one screen.
    complain_plainly(&understood.sentence(&found, query.distance_max));
    if arguments.json {
        print_lines(&found.rows).context(OUTPUT)?;
    } else if !found.rows.is_empty() {
        print(&table(&found.rows).render_within(terminal_width()))?;
    }
    if found.rows.is_empty() {
        complain(&nothing(&query, &understood, &found));
        return Ok(Outcome::NotFound);
    }
    Ok(Outcome::Done)
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
    let mut table = Table::new(&["name", "place", "revenue", "score"]);
    let unknown = || "-".to_owned();
    for NonprofitHit { organization, cosine } in rows {
        let revenue = organization.finances.revenue;
        table.row([
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

/// A record as `--json` writes it.
#[derive(serde::Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    organization: &'a Organization,
    #[serde(rename = "vectorScore")]
    cosine: Option<f32>,
}

fn print_lines(rows: &[NonprofitHit]) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for NonprofitHit { organization, cosine } in rows {
        serde_json::to_writer(&mut out, &Line { organization, cosine: *cosine })?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Why there are no rows, and what to do about it.
fn nothing(query: &Query, understood: &Interpretation, found: &NonprofitPage) -> String {
    if found.total > 0 && query.page > 1 {
        return format!("nothing found on page {}: name a lower --page", query.page);
    }
    if found.total > 0 {
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
        [] => "nothing found: the snapshot holds no nonprofits".to_owned(),
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
