//! What is neither place nor number: sizes, orders, foundations, deductibility, revocation, years.

use super::cause;
use super::reader::Reader;
use super::token::{Kind, Tokens};
use super::words::GENERIC;
use crate::index::columns::{Sort, SortKey};
use crate::record::OrgSize;

/// Reads orders, foundations, deductibility, revocation.
pub(super) fn read_orders_and_flags(reader: &mut Reader<'_>) {
    read_orders(reader);
    read_flags(reader);
}

const fn down(key: SortKey) -> Sort {
    Sort { key, descending: true }
}

const fn up(key: SortKey) -> Sort {
    Sort { key, descending: false }
}

/// What people say for an order.
#[rustfmt::skip]
const ORDERS: [(&str, Sort); 66] = [
    ("largest", down(SortKey::Revenue)), ("biggest", down(SortKey::Revenue)),
    ("richest", down(SortKey::Assets)), ("wealthiest", down(SortKey::Assets)),
    ("highest revenue", down(SortKey::Revenue)), ("most revenue", down(SortKey::Revenue)),
    ("highest income", down(SortKey::Revenue)), ("highest grossing", down(SortKey::Revenue)),
    ("highest earning", down(SortKey::Revenue)), ("best funded", down(SortKey::Revenue)),
    ("top earning", down(SortKey::Revenue)), ("most money", down(SortKey::Revenue)),
    ("largest revenue", down(SortKey::Revenue)), ("biggest revenue", down(SortKey::Revenue)),
    ("largest budget", down(SortKey::Revenue)), ("biggest budget", down(SortKey::Revenue)),
    ("largest budgets", down(SortKey::Revenue)), ("biggest budgets", down(SortKey::Revenue)),
    ("highest budget", down(SortKey::Revenue)), ("highest revenues", down(SortKey::Revenue)),
    ("mas grandes", down(SortKey::Revenue)), ("mas grande", down(SortKey::Revenue)),
    ("mayores", down(SortKey::Revenue)),
    ("largest assets", down(SortKey::Assets)), ("most assets", down(SortKey::Assets)),
    ("highest assets", down(SortKey::Assets)), ("largest endowment", down(SortKey::Assets)),
    ("largest endowments", down(SortKey::Assets)), ("biggest endowment", down(SortKey::Assets)),
    ("biggest endowments", down(SortKey::Assets)), ("biggest assets", down(SortKey::Assets)),
    ("highest expenses", down(SortKey::Expenses)), ("highest spending", down(SortKey::Expenses)),
    ("biggest spenders", down(SortKey::Expenses)), ("most expenses", down(SortKey::Expenses)),
    ("largest expenses", down(SortKey::Expenses)), ("lowest expenses", up(SortKey::Expenses)),
    ("most employees", down(SortKey::Employees)), ("largest staff", down(SortKey::Employees)),
    ("biggest staff", down(SortKey::Employees)), ("biggest employers", down(SortKey::Employees)),
    ("largest employers", down(SortKey::Employees)), ("fewest employees", up(SortKey::Employees)),
    ("most staff", down(SortKey::Employees)),
    ("smallest", up(SortKey::Revenue)), ("tiniest", up(SortKey::Revenue)),
    ("lowest revenue", up(SortKey::Revenue)), ("least revenue", up(SortKey::Revenue)),
    ("poorest", up(SortKey::Assets)), ("smallest revenue", up(SortKey::Revenue)),
    ("smallest budget", up(SortKey::Revenue)), ("smallest budgets", up(SortKey::Revenue)),
    ("lowest assets", up(SortKey::Assets)), ("mas pequenas", up(SortKey::Revenue)),
    ("mas pequenos", up(SortKey::Revenue)), ("lowest income", up(SortKey::Revenue)),
    ("newest", down(SortKey::Ruling)), ("most recent", down(SortKey::Ruling)),
    ("most recently formed", down(SortKey::Ruling)), ("youngest", down(SortKey::Ruling)),
    ("recently founded", down(SortKey::Ruling)), ("recently formed", down(SortKey::Ruling)),
    ("oldest", up(SortKey::Ruling)), ("longest running", up(SortKey::Ruling)),
    ("highest rated", down(SortKey::Rating)), ("best rated", down(SortKey::Rating)),
];

#[rustfmt::skip]
const MORE_ORDERS: [(&str, Sort); 21] = [
    ("top rated", down(SortKey::Rating)), ("highest ratings", down(SortKey::Rating)),
    ("highest rating", down(SortKey::Rating)), ("highest scoring", down(SortKey::Score)),
    ("highest score", down(SortKey::Score)), ("highest scores", down(SortKey::Score)),
    ("top scoring", down(SortKey::Score)), ("best scores", down(SortKey::Score)),
    ("lowest rated", up(SortKey::Rating)), ("lowest scoring", up(SortKey::Score)),
    ("alphabetically", up(SortKey::Name)), ("in alphabetical order", up(SortKey::Name)),
    ("alphabetical order", up(SortKey::Name)), ("by name", up(SortKey::Name)),
    ("a to z", up(SortKey::Name)), ("alphabetical", up(SortKey::Name)), ("a z", up(SortKey::Name)),
    ("newly formed", down(SortKey::Ruling)), ("newly founded", down(SortKey::Ruling)),
    ("longest established", up(SortKey::Ruling)), ("mas antiguas", up(SortKey::Ruling)),
];

/// What orders are by, when it is said apart (`largest by assets`, `sorted by revenue`).
#[rustfmt::skip]
const KEYS: [(&str, SortKey); 20] = [
    ("revenue", SortKey::Revenue), ("revenues", SortKey::Revenue), ("income", SortKey::Revenue),
    ("annual revenue", SortKey::Revenue), ("total revenue", SortKey::Revenue),
    ("budget", SortKey::Revenue), ("size", SortKey::Revenue), ("assets", SortKey::Assets),
    ("total assets", SortKey::Assets), ("endowment", SortKey::Assets),
    ("expenses", SortKey::Expenses), ("spending", SortKey::Expenses),
    ("employees", SortKey::Employees), ("staff", SortKey::Employees),
    ("number of employees", SortKey::Employees), ("headcount", SortKey::Employees),
    ("rating", SortKey::Rating), ("score", SortKey::Score), ("name", SortKey::Name),
    ("age", SortKey::Ruling),
];

fn key_at(tokens: &Tokens, at: usize) -> Option<(SortKey, usize)> {
    KEYS.iter()
        .filter_map(|(name, key)| tokens.any_phrase(at, [*name]).map(|end| (*key, end)))
        .max_by_key(|found| found.1)
}

fn read_orders(reader: &mut Reader<'_>) {
    let mut at = 0;
    while at < reader.tokens.len() {
        let Some((sort, end)) = order_at(&reader.tokens, at) else {
            at += 1;
            continue;
        };
        if !reader.frame.sort.iter().any(|known| known.key == sort.key) {
            reader.frame.sort.push(sort);
        }
        reader.claim(at..end, format!("sorted by {}", said(sort)), 0.9);
        at = end;
    }
    // `largest hospitals by assets`: one order, in two pieces.
    if let [first, by] = reader.frame.sort[..]
        && first.key == SortKey::Revenue
        && by.key != SortKey::Name
    {
        reader.frame.sort = vec![Sort { key: by.key, descending: first.descending }];
    }
}

fn order_at(tokens: &Tokens, at: usize) -> Option<(Sort, usize)> {
    let listed = ORDERS
        .iter()
        .chain(&MORE_ORDERS)
        .filter_map(|(phrase, sort)| tokens.any_phrase(at, [*phrase]).map(|end| (*sort, end)))
        .max_by_key(|found| found.1);
    if let Some((sort, end)) = listed {
        let is_size = sort.key == SortKey::Revenue && end == at + 1;
        // `the largest 10`.
        let end = if is_size && number_of_rows(tokens, end) { end + 1 } else { end };
        return Some((sort, end));
    }
    // `top 10`, `top 5 largest`.
    if tokens.free_at(at)?.form == "top" && number_of_rows(tokens, at + 1) {
        if let Some(found) = order_at(tokens, at + 2) {
            return Some(found);
        }
        return Some((down(SortKey::Revenue), at + 2));
    }
    let lead = ["sorted by", "sort by", "order by", "ordered by", "ranked by", "rank by", "by", "in order of", "ordenadas por", "ordenado por"];
    let end = tokens.any_phrase(at, lead)?;
    let end = tokens.any_phrase(end, ["highest", "largest", "lowest", "smallest", "total"]).map_or(end, |_| end);
    let low = matches!(tokens.form(end), "lowest" | "smallest");
    let from = if low || matches!(tokens.form(end), "highest" | "largest") { end + 1 } else { end };
    let (key, end) = key_at(tokens, from)?;
    let ascending = ["ascending", "lowest first", "low to high", "from low to high", "smallest first", "lowest to highest", "from lowest to highest", "smallest to largest", "asc"];
    let descending = ["descending", "highest first", "high to low", "from high to low", "largest first", "biggest first", "highest to lowest", "largest to smallest", "desc"];
    let comma = usize::from(tokens.free_at(end).is_some_and(|t| t.is_sign(',')));
    let rising = tokens.any_phrase(end + comma, ascending);
    let falling = tokens.any_phrase(end + comma, descending);
    let is_rising = low || rising.is_some() || (key == SortKey::Name && falling.is_none());
    let end = rising.or(falling).unwrap_or(end);
    Some((Sort { key, descending: !is_rising }, end))
}

/// A count of rows behind `top`, which is no amount.
fn number_of_rows(tokens: &Tokens, at: usize) -> bool {
    tokens.free_at(at).is_some_and(|token| {
        matches!(token.kind, Kind::Number(value) if value <= 1000.0) || super::amount::small(&token.form).is_some()
    })
}

/// An order in words.
pub fn said(sort: Sort) -> &'static str {
    match (sort.key, sort.descending) {
        (SortKey::Name, false) => "name",
        (SortKey::Name, true) => "name, from the end",
        (SortKey::Revenue, true) => "revenue, the greatest first",
        (SortKey::Revenue, false) => "revenue, the least first",
        (SortKey::Expenses, true) => "expenses, the greatest first",
        (SortKey::Expenses, false) => "expenses, the least first",
        (SortKey::Assets, true) => "assets, the greatest first",
        (SortKey::Assets, false) => "assets, the least first",
        (SortKey::Employees, true) => "employees, the most first",
        (SortKey::Employees, false) => "employees, the fewest first",
        (SortKey::Score, true) => "score, the best first",
        (SortKey::Score, false) => "score, the lowest first",
        (SortKey::Rating, true) => "rating, the best first",
        (SortKey::Rating, false) => "rating, the lowest first",
        (SortKey::Distance, _) => "distance",
        (SortKey::Ruling, true) => "the IRS's ruling date, the latest first",
        (SortKey::Ruling, false) => "the IRS's ruling date, the earliest first",
    }
}

const FOUNDATIONS: [&str; 12] = [
    "private foundations", "private foundation", "family foundations", "family foundation",
    "private operating foundations", "private operating foundation", "private family foundations",
    "fundaciones privadas", "fundacion privada", "fundaciones familiares", "private grantmaking foundations",
    "private family foundation",
];
const NOT_FOUNDATIONS: [&str; 5] = [
    "public charities", "public charity", "non foundation", "non foundations", "operating charities",
];
const DEDUCTIBLE: [&str; 24] = [
    "tax deductible donations", "tax deductible contributions", "tax deductible gifts", "tax deductible",
    "deductible donations", "deductible contributions", "deductible gifts", "donations are tax deductible",
    "donations are deductible", "contributions are deductible", "contributions are tax deductible",
    "gifts are deductible", "gifts are tax deductible", "deductible", "tax deductable",
    "that take tax deductible donations", "where donations are deductible", "can deduct",
    "deducibles de impuestos", "deducible de impuestos", "deducible", "deducibles", "donations i can deduct",
    "accept tax deductible donations",
];
const NOT_DEDUCTIBLE: [&str; 6] = [
    "non deductible", "not tax deductible", "not deductible", "nondeductible", "donations are not deductible",
    "donations are not tax deductible",
];
const INACTIVE: [&str; 38] = [
    "lost their exemption", "lost its exemption", "lost their tax exemption", "lost exemption",
    "lost their tax exempt status", "lost tax exempt status", "lost exempt status", "lost their exempt status",
    "revoked", "tax exempt status revoked", "exemption revoked", "auto revoked", "automatically revoked",
    "status revoked", "had their exemption revoked", "had their status revoked", "revoked exemption",
    "revoked status", "revoked by the irs", "inactive", "defunct", "no longer active", "no longer exempt",
    "no longer tax exempt", "exemption was revoked", "whose exemption was revoked", "revocada", "revocadas",
    "whose tax exempt status was revoked", "that have been revoked", "that were revoked", "lost their status",
    "lost 501c3 status", "whose status was revoked", "tax exempt status was revoked", "had its exemption revoked",
    "with revoked exemption", "lost their nonprofit status",
];
const ACTIVE: [&str; 10] = [
    "active nonprofits", "active charities", "active organizations", "active orgs", "still active",
    "currently active", "not revoked", "active nonprofit", "active status", "in good standing",
];

fn read_flags(reader: &mut Reader<'_>) {
    const WITHOUT: [&str; 14] = [
        "not", "no", "non", "excluding", "exclude", "except", "without", "but not", "other than", "and not", "not a",
        "that are not", "that arent", "except for",
    ];
    let mut at = 0;
    while at < reader.tokens.len() {
        let tokens = &reader.tokens;
        let flags = [
            (0, tokens.any_phrase(at, NOT_DEDUCTIBLE)),
            (1, tokens.any_phrase(at, DEDUCTIBLE)),
            (2, tokens.any_phrase(at, FOUNDATIONS)),
            (3, tokens.any_phrase(at, NOT_FOUNDATIONS)),
            (4, tokens.any_phrase(at, ACTIVE)),
            (5, tokens.any_phrase(at, INACTIVE)),
        ];
        let best = flags.into_iter().filter_map(|(flag, end)| end.map(|end| (end, flag)));
        let Some((end, flag)) = best.max_by_key(|found| (found.0, std::cmp::Reverse(found.1))) else {
            at += 1;
            continue;
        };
        let negated = tokens.any_phrase_before(at, WITHOUT);
        let start = negated.unwrap_or(at);
        let yes = negated.is_none();
        let meaning = match flag {
            0 => {
                reader.frame.deductible = Some(false);
                "contributions not deductible"
            }
            1 => {
                reader.frame.deductible = Some(yes);
                if yes { "contributions deductible" } else { "contributions not deductible" }
            }
            // Public charities, not private foundations: said twice, meant once.
            2 | 3 => {
                let private = (flag == 2) == yes;
                if reader.frame.foundation.is_none() || !private {
                    reader.frame.foundation = Some(private);
                }
                if private { "private foundations" } else { "no private foundations" }
            }
            _ => {
                let inactive = (flag == 5) == yes;
                reader.frame.inactive = Some(inactive);
                if inactive { "exemption revoked" } else { "exemption not revoked" }
            }
        };
        reader.claim(start..end, meaning.to_owned(), 0.9);
        at = end;
    }
}

/// What people say for a size.
#[rustfmt::skip]
const SIZES: [(&str, OrgSize); 33] = [
    ("small", OrgSize::Small), ("small size", OrgSize::Small), ("small sized", OrgSize::Small),
    ("tiny", OrgSize::Small), ("smaller", OrgSize::Small), ("very small", OrgSize::Small),
    ("pequena", OrgSize::Small), ("pequenas", OrgSize::Small),
    ("pequeno", OrgSize::Small), ("pequenos", OrgSize::Small), ("small scale", OrgSize::Small),
    ("medium", OrgSize::Medium), ("medium size", OrgSize::Medium),
    ("medium sized", OrgSize::Medium), ("mid size", OrgSize::Medium),
    ("mid sized", OrgSize::Medium), ("midsize", OrgSize::Medium), ("midsized", OrgSize::Medium),
    ("mediana", OrgSize::Medium), ("medianas", OrgSize::Medium), ("moderate size", OrgSize::Medium),
    ("large", OrgSize::Large), ("large size", OrgSize::Large), ("large sized", OrgSize::Large),
    ("larger", OrgSize::Large), ("big", OrgSize::Large), ("grande", OrgSize::Large),
    ("grandes", OrgSize::Large),
    ("super size", OrgSize::SuperSize), ("supersize", OrgSize::SuperSize),
    ("super sized", OrgSize::SuperSize), ("huge", OrgSize::SuperSize),
    ("supersized", OrgSize::SuperSize),
];

/// Words that a size before them describes, and no organization.
const SIZED: [&str; 44] = [
    "business", "businesses", "farm", "farms", "farmer", "farmers", "town", "towns", "claims", "animal",
    "animals", "dog", "dogs", "children", "kids", "scale", "press", "print", "family", "families", "group",
    "world", "brother", "brothers", "sister", "sisters", "cat", "cats", "band", "bands", "league", "breed",
    "breeds", "city", "cities", "village", "house", "houses", "home", "homes", "donation", "donations",
    "grants", "budget",
];

/// Reads sizes of organizations.
pub(super) fn read_sizes(reader: &mut Reader<'_>) {
    let mut at = 0;
    while at < reader.tokens.len() {
        let found = size_at(&reader.tokens, at);
        let Some((size, mut end)) = found else {
            at += 1;
            continue;
        };
        let mut sizes = vec![size];
        // `small or medium`, `small to medium-sized`.
        loop {
            let tokens = &reader.tokens;
            let joint = tokens.free_at(end).is_some_and(|t| {
                matches!(&*t.form, "or" | "and" | "to" | "," | "-" | "/" | "y" | "o")
            });
            let next = if joint { end + 1 } else { end };
            let next = if joint && matches!(tokens.form(next), "or" | "and") { next + 1 } else { next };
            match size_at(tokens, next).filter(|_| joint) {
                Some((size, after)) => {
                    sizes.push(size);
                    end = after;
                }
                None => break,
            }
        }
        sizes.dedup();
        if is_of_something(&reader.tokens, at, end) {
            at = end;
            continue;
        }
        let said: Vec<&str> = sizes.iter().map(|size| size.name()).collect();
        let meaning = format!("size {}", said.join(" or "));
        for size in sizes {
            if !reader.frame.sizes.contains(&size) {
                reader.frame.sizes.push(size);
            }
        }
        reader.claim(at..end, meaning, 0.85);
        at = end;
    }
}

fn size_at(tokens: &Tokens, at: usize) -> Option<(OrgSize, usize)> {
    let mut found: Option<(OrgSize, usize)> = None;
    for (phrase, size) in SIZES {
        if let Some(end) = tokens.any_phrase(at, [phrase])
            && found.is_none_or(|(_, longest)| end > longest)
        {
            found = Some((size, end));
        }
    }
    found
}

/// Whether a size describes something else than organizations.
fn is_of_something(tokens: &Tokens, start: usize, end: usize) -> bool {
    let next = tokens.form(end);
    let word = tokens.form(start);
    // `big` is a size only of what is searched for.
    if matches!(word, "big" | "larger" | "smaller" | "grande" | "grandes") {
        let described = tokens.list.get(end).is_some_and(|token| token.is_word());
        let generic = GENERIC.contains(&next) || cause::is_known_word(next);
        if !described || !generic || SIZED.contains(&next) {
            return true;
        }
    }
    let behind = start.checked_sub(1).map_or("", |at| tokens.form(at));
    SIZED.contains(&next) || matches!(behind, "too" | "how" | "by")
}

/// `founded in 1999`, `since 2010`: nothing is known to filter by.
pub(super) fn read_years(reader: &mut Reader<'_>) {
    const LEADS: [&str; 33] = [
        "founded in", "founded", "founded before", "founded after", "founded since", "established in",
        "established", "established before", "established after", "established since", "formed in", "formed",
        "formed after", "formed before", "formed since", "started in", "started", "started after", "created in",
        "created after", "created before", "since", "in", "after", "before", "incorporated in", "est", "as of", "from", "fundada en",
        "fundadas en", "founded between", "started before",
    ];
    for at in 0..reader.tokens.len() {
        let Some(token) = reader.tokens.free_at(at) else { continue };
        let is_year = matches!(token.kind, Kind::Number(year) if (1700.0..=2100.0).contains(&year))
            && token.form.len() == 4
            && !reader.tokens.list.get(at + 1).is_some_and(|next| next.glued && next.is_word());
        if !is_year {
            continue;
        }
        if let Some(start) = reader.tokens.any_phrase_before(at, LEADS) {
            let and = reader.tokens.free_at(at + 1).is_some_and(|t| matches!(&*t.form, "and" | "to" | "-"));
            let second = and && reader.tokens.free_at(at + 2).is_some_and(|t| t.form.len() == 4 && matches!(t.kind, Kind::Number(_)));
            reader.leave_unread(start..if second { at + 3 } else { at + 1 });
        }
    }
}
