//! What answers say: plain sentences of what was found and what was asked for, and nothing that the
//! data does not hold.

use super::fact;
use crate::record::{Article, Ein, Fund, Knowledge, thousands};
use crate::search::library::{CLEAR, Hit};
use crate::search::nonprofits::Found;
use crate::understand::{Frame, Wanted, Which, described};

pub(super) const HELLO: &str = "Hello. Ask for nonprofits by cause, place, size or name, for articles \
                                or funds on a topic, or how giving works.";
pub(super) const THANKS: &str = "You are welcome. Go on from the last answer, or ask anew.";
pub(super) const BYE: &str = "Goodbye.";
pub(super) const SMALL_TALK: &str =
    "I answer questions about U.S. nonprofits and giving. What are you looking for?";
pub(super) const RESET: &str = "Starting over: nothing of before counts. What are you looking for?";
pub(super) const UNKNOWN: &str = "I did not understand that as a question about nonprofits, articles, \
                                  funds or giving. Here is what can be asked.";
pub(super) const NOTHING_YET: &str =
    "There is no list yet that could go on. Here is what can be asked.";
/// What of the knowledge base tells what can be asked.
pub(super) const HELP_TOPIC: &str = "What can I ask?";

/// Sentences of an entry that a message quotes.
const SENTENCES_QUOTED: usize = 2;

/// Rows that a message names.
const ROWS_NAMED: usize = 3;

/// An amount with its thousands set apart: `-$1,234`.
pub(super) fn dollars(amount: i64) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    format!("{sign}${}", thousands(amount.unsigned_abs()))
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn counted(count: u64, one: &str, more: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{} {more}", thousands(count)),
    }
}

/// What nonprofits were found, and by what; `namesakes` are as many as are called what was named.
pub(super) fn nonprofits(
    frame: &Frame,
    found: &Found,
    namesakes: usize,
    page: u32,
    unread: &[String],
) -> String {
    // What ranks is said apart from what filters.
    let ranked = Frame { cause: None, organization: None, sort: Vec::new(), ..frame.clone() };
    let filters = described(&ranked).join(", ");
    let asked = if filters.is_empty() { String::new() } else { format!(" {filters}") };
    let total = counted(found.total, "nonprofit", "nonprofits");
    let mut said = match (&frame.organization, &frame.cause) {
        _ if found.total == 0 => format!("No nonprofit matches{asked}."),
        _ if found.rows.is_empty() => format!("There are no more of the {total}{asked}."),
        (Some(named), _) if named.wanted == Wanted::Similar && named.ein.is_none() => format!(
            "No nonprofit is called “{}”; those nearest to these words are shown.",
            named.name
        ),
        (Some(named), _) if named.wanted == Wanted::Similar => {
            format!("These are the most like {} of {total}{asked}.", named.name)
        }
        (Some(named), _) if namesakes > 1 => format!(
            "{} are called “{}”; they come first, the one of the greatest revenue before the others.",
            counted(namesakes as u64, "nonprofit", "nonprofits"),
            named.name
        ),
        (Some(named), _) => format!(
            "No nonprofit is called exactly “{}”; those nearest to these words are shown.",
            named.name
        ),
        (None, Some(cause)) => format!("These fit “{cause}” best of {total}{asked}."),
        (None, None) => {
            let verb = if found.total == 1 { "matches" } else { "match" };
            match filters.is_empty() {
                true => format!("There are {total}; the greatest by revenue come first."),
                false => format!("{total} {verb}{asked}."),
            }
        }
    };
    for order in &frame.sort {
        said.push_str(&format!(" Sorted by {}.", crate::understand::order_said(*order)));
    }
    if page <= 1
        && let Some(row) = found.rows.first()
    {
        let organization = &row.organization;
        let place = fact::place(organization).map_or(String::new(), |place| format!(" in {place}"));
        said.push_str(&format!(" First comes {}{place}.", organization.name));
    }
    if !unread.is_empty() {
        let words: Vec<String> = unread.iter().map(|words| format!("“{words}”")).collect();
        said.push_str(&format!(" Not understood: {}.", words.join(", ")));
    }
    said
}

/// What articles were found.
pub(super) fn articles(rows: &[Hit<Article>], about: Option<&str>, page: u32) -> String {
    texts("article", rows, |article| &article.title, about, page)
}

/// What funds were found.
pub(super) fn funds(rows: &[Hit<Fund>], about: Option<&str>, page: u32) -> String {
    texts("fund", rows, |fund| &fund.title, about, page)
}

fn texts<Record>(
    what: &str,
    rows: &[Hit<Record>],
    title: impl Fn(&Record) -> &str,
    about: Option<&str>,
    page: u32,
) -> String {
    let topic = about.map_or(String::new(), |about| format!(" about “{about}”"));
    if rows.is_empty() {
        let more = if page > 1 { "further " } else { "" };
        return format!("The data holds no {more}{what}{topic}.");
    }
    let titles = rows.iter().take(ROWS_NAMED).map(|hit| format!("“{}”", title(&hit.record)));
    let named = list(&titles.collect::<Vec<_>>());
    let count = counted(rows.len() as u64, what, &format!("{what}s"));
    let clear = rows.iter().any(|hit| hit.cosine.is_none_or(|cosine| cosine >= CLEAR));
    match about {
        Some(_) if clear => format!("{count}{topic}, nearest first: {named}."),
        Some(_) => format!("No {what} is clearly{topic}; the nearest are {named}."),
        None => format!("The latest {count}: {named}."),
    }
}

/// An article, or that there is none.
pub(super) fn article(article: Option<&Article>, id: i64) -> String {
    match article {
        Some(article) => {
            let by = article.publisher.as_deref().map_or(String::new(), |by| format!(", by {by}"));
            let excerpt =
                article.excerpt.as_deref().map_or(String::new(), |text| format!(" {text}"));
            format!("Article {id}: “{}”{by}.{excerpt}", article.title)
        }
        None => format!("The data holds no article {id}."),
    }
}

/// The first sentences of an entry.
pub(super) fn explained(entry: &Knowledge) -> String {
    let mut end = 0;
    let mut sentences = 0;
    let text = &entry.content;
    for (at, _) in text.match_indices(['.', '!', '?']) {
        let after = &text[at + 1..];
        // `501(c)(3)`, `U.S. nonprofits` and `$1.5` end nothing.
        let abbreviation = text[..at].chars().rev().take_while(|c| c.is_alphanumeric()).count() < 2;
        let begins = after.is_empty()
            || after.strip_prefix(' ').is_some_and(|rest| {
                rest.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c == '“')
            });
        if begins && !abbreviation {
            end = at + 1;
            sentences += 1;
            if sentences == SENTENCES_QUOTED {
                break;
            }
        }
    }
    if end == 0 { text.clone() } else { text[..end].to_owned() }
}

pub(super) fn no_such_ein(ein: Ein) -> String {
    format!("The data holds no nonprofit with the EIN {ein}.")
}

/// That a list has not what was referred to.
pub(super) fn missing(which: Which, count: usize, what: &str) -> String {
    match (which, count) {
        (_, 0) => {
            format!("No {what} were shown yet that this could mean. Here is what can be asked.")
        }
        (Which::Nth(number), count) => {
            let had = if count == 1 {
                format!("only 1 of the {what}")
            } else {
                format!("{count} {what}")
            };
            format!("The last list had {had}, and no number {number}.")
        }
        (_, count) => format!("The last list had {count} {what}; say which one."),
    }
}
