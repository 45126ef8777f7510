//! Facts of one nonprofit that are asked for: `what is its revenue`, `where is Heifer located`.

use super::content_end;
use crate::understand::phrases::{self, is_generic};
use crate::understand::token::{Mark, Tokens};

/// A fact of a nonprofit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    Revenue,
    Expenses,
    Assets,
    NetAssets,
    Employees,
    Place,
    Website,
    Founded,
    Mission,
    Ein,
    /// What its officers are paid.
    Pay,
    Deductible,
    Standing,
    Officers,
    Size,
    Code,
    Goals,
    Score,
    Vetted,
    Filing,
    Impact,
    Donate,
    Contact,
}

impl Fact {
    /// By its name in the table of phrases.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "revenue" => Self::Revenue,
            "expenses" => Self::Expenses,
            "assets" => Self::Assets,
            "net assets" => Self::NetAssets,
            "employees" => Self::Employees,
            "place" => Self::Place,
            "website" => Self::Website,
            "founded" => Self::Founded,
            "mission" => Self::Mission,
            "ein" => Self::Ein,
            "pay" => Self::Pay,
            "deductible" => Self::Deductible,
            "standing" => Self::Standing,
            "officers" => Self::Officers,
            "size" => Self::Size,
            "code" => Self::Code,
            "goals" => Self::Goals,
            "score" => Self::Score,
            "vetted" => Self::Vetted,
            "filing" => Self::Filing,
            "impact" => Self::Impact,
            "donate" => Self::Donate,
            "contact" => Self::Contact,
            _ => return None,
        })
    }

    /// Whether the words that ask for it say something else as often.
    pub(super) fn is_weak(self) -> bool {
        matches!(self, Self::Mission | Self::Founded | Self::Impact | Self::Size | Self::Donate)
    }
}

/// The fact that is named at a position, and where its name ends; the longest.
fn at(tokens: &Tokens, at: usize) -> Option<(Fact, usize)> {
    phrases::meanings("fact")
        .filter_map(|(name, names)| Some((Fact::named(name)?, tokens.any_phrase(at, names)?)))
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
}

/// The fact that tokens which nobody has read ask for: the longest name, strong ones before weak ones.
/// They are marked as read.
pub(super) fn read(tokens: &mut Tokens) -> Option<Fact> {
    let mut found: Vec<(Fact, usize, usize)> = Vec::new();
    let mut next = 0;
    while next < tokens.len() {
        match at(tokens, next) {
            Some((fact, end)) => {
                found.push((fact, next, end));
                next = end;
            }
            None => next += 1,
        }
    }
    let best = found.iter().copied().min_by_key(|(fact, start, end)| {
        (fact.is_weak(), *fact == Fact::Place && end - start == 1, usize::MAX - (end - start))
    })?;
    found.iter().for_each(|(_, start, end)| tokens.mark(*start..*end, Mark::Read));
    Some(best.0)
}

/// The fact that is asked of a nonprofit which the text names by its EIN: any but that.
pub fn fact_beside_ein(text: &str) -> Option<Fact> {
    read(&mut Tokens::of(text)).filter(|fact| *fact != Fact::Ein).or_else(|| {
        // `how many employees does EIN 12-3456789 have` names both.
        let tokens = Tokens::of(text);
        (0..tokens.len())
            .filter_map(|place| Some(at(&tokens, place)?.0))
            .find(|fact| *fact != Fact::Ein)
    })
}

/// A fact, and the words that would have to be a nonprofit's name: what is left of a question when the
/// fact and the words around it are taken away from both ends.
pub(super) fn of_named(tokens: &mut Tokens, text: &str) -> Option<(Fact, String)> {
    let end = content_end(tokens);
    let around = |tokens: &Tokens, at: usize| {
        let token = &tokens.list[at];
        token.mark == Mark::Read || phrases::has("around fact", &token.form) || token.is_boundary()
    };
    let whole = tokens.clone();
    let fact = read(tokens)?;
    let first = (0..end).find(|&at| !around(tokens, at))?;
    // The name ends where a fact is named: `does X pay its president well`.
    let stop = (first..end).find(|&at| tokens.list[at].mark == Mark::Read).unwrap_or(end);
    let last = (first..stop).rfind(|&at| !around(tokens, at))? + 1;
    // Facts within the name belong to it: `Heifer Foundation Support Fund`.
    let outside = (0..first).chain(last..end).any(|at| tokens.list[at].mark == Mark::Read);
    // `nonprofits with revenue over ...` asks for some, not of one.
    let asks_for_some = (0..end).any(|at| {
        let form = whole.form(at);
        is_generic(form) && form.ends_with('s')
    });
    let asked = phrases::has("asks of one", whole.form(0));
    // `job training in Kansas City` asks for no city.
    let place = fact == Fact::Place && (0..end).all(|at| !PLACE.contains(&whole.form(at)));
    let numbers = whole.list.iter().any(|token| token.is_number());
    let counts = numbers && fact != Fact::Filing && fact != Fact::Standing;
    // `with a budget of less than two million` bounds one.
    let bounds = (0..end).any(|at| {
        let bound = ["bound before", "bound after"].into_iter().find_map(|list| {
            whole.any_phrase(at, phrases::meanings(list).flat_map(|(_, phrases)| phrases))
        });
        bound.is_some_and(|to| crate::understand::amount::at(&whole, to).is_some())
    });
    let counts = counts || bounds;
    // `one of them` is no name.
    let names = (first..last).any(|at| !phrases::is_common(whole.form(at)));
    if !names || !outside || asks_for_some || counts || ((fact.is_weak() || place) && !asked) {
        return None;
    }
    Some((fact, text[tokens.span(first..last)].to_owned()))
}

/// Words that ask where something is and are no part of where it is.
const PLACE: [&str; 9] = [
    "where",
    "located",
    "location",
    "address",
    "based",
    "headquartered",
    "headquarters",
    "donde",
    "direccion",
];
