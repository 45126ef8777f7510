//! What answers say: plain sentences of what was found and what was asked for, and nothing that the
//! data does not hold.

use crate::index::typeahead::Card;
use crate::record::{Article, Ein, Fund, Knowledge, Organization, counted, thousands};
use crate::search::library::{CLEAR, Hit};
use crate::search::nonprofits::{NonprofitHit, NonprofitPage};
use crate::understand::{self, Frame, NameUse, Which, described};

/// Sentences of an entry that a message quotes.
const SENTENCES_QUOTED: usize = 2;

/// Rows that a message names.
const ROWS_NAMED: usize = 3;

/// An amount with its thousands set apart: `-$1,234`.
pub(super) fn dollars(amount: i64) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    format!("{sign}${}", thousands(amount.unsigned_abs()))
}

/// The city and state of an organization, as far as they are known.
pub(super) fn place(organization: &Organization) -> Option<String> {
    let address = &organization.address;
    match (&address.city, address.state) {
        (Some(city), Some(state)) => Some(format!("{city}, {state}")),
        (Some(city), None) => Some(city.clone()),
        (None, Some(state)) => Some(state.name().to_owned()),
        (None, None) => None,
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// What nonprofits were found, and by what.
pub(super) fn nonprofits(
    frame: &Frame,
    found: &NonprofitPage,
    page: u64,
    unread: &[String],
) -> String {
    let mut said = head(frame, found, page);
    for clause in found.plan.gaps.clauses() {
        said.push_str(&format!(" But {clause}."));
    }
    for order in &frame.sort {
        said.push_str(&format!(" Sorted by {}.", order.description()));
    }
    if page <= 1
        && let Some(row) = found.rows.first()
    {
        let organization = &row.organization;
        let place = place(organization).map_or(String::new(), |place| format!(" in {place}"));
        said.push_str(&format!(" First comes {}{place}.", organization.name));
    }
    if !unread.is_empty() {
        let words: Vec<String> = unread.iter().map(|words| format!("“{words}”")).collect();
        said.push_str(&format!(" Not understood: {}.", words.join(", ")));
    }
    said
}

fn head(frame: &Frame, found: &NonprofitPage, page: u64) -> String {
    // What ranks is said apart from what filters.
    let filtering = Frame { organization: None, sort: Vec::new(), ..frame.without_cause() };
    let filters = described(&filtering).join("; ");
    let such = if filters.is_empty() { String::new() } else { format!(" ({filters})") };
    let total = counted(found.total, "nonprofit", "nonprofits");
    let all = found.plan.matches;
    match (&frame.organization, &frame.cause) {
        _ if all == 0 && filters.is_empty() => "The data holds no nonprofits.".to_owned(),
        _ if all == 0 => format!("No nonprofit matches: {filters}."),
        (_, Some(cause)) if found.rows.is_empty() && page <= 1 => {
            let all = counted(all, "nonprofit", "nonprofits");
            format!("None of {all}{such} fits “{cause}”.")
        }
        _ if found.rows.is_empty() => format!("There are no more of the {total}{such}."),
        (Some(named), _) if named.ein.is_none() => {
            nearly(&named.asked, named.namesakes, &found.rows)
        }
        (Some(named), _) if named.wanted == NameUse::Similar => {
            format!("Of {total}{such}, these are the most like {}.", named.name)
        }
        (Some(named), _) => format!("{} comes first.", named.name),
        (None, Some(cause)) => format!("Of {total}{such}, these fit “{cause}” best."),
        (None, None) if filters.is_empty() => {
            format!("There are {total}; the greatest by revenue come first.")
        }
        (None, None) => {
            let verb = if found.total == 1 { "matches" } else { "match" };
            format!("{total} {verb}: {filters}.")
        }
    }
}

/// That nobody in the data is surely called so, or that several may be, and who comes nearest.
pub(super) fn nearly(asked: &str, count: usize, rows: &[NonprofitHit]) -> String {
    let near = rows.iter().take(ROWS_NAMED).map(|row| {
        let organization = &row.organization;
        let place = place(organization).map_or(String::new(), |place| format!(" in {place}"));
        format!("{}{place} (EIN {})", organization.name, organization.ein)
    });
    let near = list(&near.collect::<Vec<_>>());
    match (count, rows.is_empty()) {
        (_, true) => format!("No nonprofit called “{asked}” is in the data."),
        (0, false) => {
            format!("No name has all the words of “{asked}”. The nearest: {near}.")
        }
        (1, false) => format!("It is not sure who is meant by “{asked}”; perhaps {near}."),
        (count, false) => format!(
            "{} nonprofits may be meant by “{asked}”. The likeliest: {near}. Say which one is meant.",
            understand::counted(count)
        ),
    }
}

/// Who of those that left the master file may be meant; `None` where nobody is.
pub(super) fn departed(cards: &[Card]) -> Option<String> {
    let named = cards.iter().take(ROWS_NAMED).map(|card| {
        let place = [card.city.as_deref(), card.state.map(|state| state.code())];
        let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let place = if place.is_empty() { place } else { format!(" in {place}") };
        format!("{}{place} (EIN {})", card.name, card.ein)
    });
    let named = list(&named.collect::<Vec<_>>());
    let others = counted(cards.len() as u64, "nonprofit", "nonprofits");
    (!cards.is_empty()).then(|| {
        format!("By that name, {others} lost the exemption and left the master file: {named}.")
    })
}

/// What articles were found.
pub(super) fn articles(rows: &[Hit<Article>], about: Option<&str>, page: u64) -> String {
    texts("article", rows, |article| &article.title, about, page)
}

/// What funds were found.
pub(super) fn funds(rows: &[Hit<Fund>], about: Option<&str>, page: u64) -> String {
    texts("fund", rows, |fund| &fund.title, about, page)
}

fn texts<Record>(
    what: &str,
    rows: &[Hit<Record>],
    title: impl Fn(&Record) -> &str,
    about: Option<&str>,
    page: u64,
) -> String {
    let topic = about.map_or(String::new(), |about| format!(" about “{about}”"));
    if rows.is_empty() {
        let more = if page > 1 { "further " } else { "" };
        return format!("The data holds no {more}{what}{topic}.");
    }
    let titles = rows.iter().take(ROWS_NAMED).map(|hit| format!("“{}”", title(&hit.record)));
    let named = list(&titles.collect::<Vec<_>>());
    let count = counted(rows.len() as u64, what, &format!("{what}s"));
    let clear = rows.iter().any(|hit| hit.nearness.is_none_or(|nearness| nearness >= CLEAR));
    let more = if rows.len() > ROWS_NAMED { " and others" } else { "" };
    match about {
        Some(_) if clear => format!("{count}{topic}: {named}{more}."),
        Some(_) => format!("No {what} is clearly{topic}; the nearest are {named}{more}."),
        None => format!("{count}: {named}{more}."),
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

/// A fund: what it is for, whose it is, and the least that can be given.
pub(super) fn fund(fund: &Fund) -> String {
    let mut said = format!("“{}”", fund.title);
    if let Some(sponsor) = &fund.sponsor {
        said.push_str(&format!(" is a fund of {sponsor}"));
    } else {
        said.push_str(" is a fund");
    }
    said.push('.');
    if let Some(purpose) = &fund.purpose {
        said.push_str(&format!(" {}", purpose.trim_end()));
    }
    if let Some(least) = &fund.fund_minimum_investment {
        said.push_str(&format!(" The minimum is {least}."));
    }
    said
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
            let one = what.trim_end_matches('s');
            let had = counted(count as u64, one, what);
            format!("The last list had {had}, and no number {number}.")
        }
        (_, count) => format!("The last list had {count} {what}; say which one."),
    }
}
