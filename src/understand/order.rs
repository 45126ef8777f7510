//! Orders: `largest`, `newest`, `sorted by assets`, `top 10`.

use super::amount;
use super::phrases;
use super::reader::Reader;
use super::token::{Kind, Tokens};
use crate::index::columns::{Sort, SortKey};

/// An order by its name in the table of phrases: a key, with `-` in front when it falls.
fn order_named(name: &str) -> Option<Sort> {
    let key = name.strip_prefix('-').unwrap_or(name);
    Some(Sort { key: SortKey::named(key)?, descending: key.len() < name.len() })
}

fn key_at(tokens: &Tokens, at: usize) -> Option<(SortKey, usize)> {
    phrases::meanings("order key")
        .filter_map(|(key, names)| Some((SortKey::named(key)?, tokens.any_phrase(at, names)?)))
        .max_by_key(|found| found.1)
}

/// Reads every order.
pub(super) fn read(reader: &mut Reader<'_>) {
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
    let listed = phrases::meanings("order")
        .filter_map(|(order, names)| Some((order_named(order)?, tokens.any_phrase(at, names)?)))
        .max_by_key(|found| found.1);
    if let Some((sort, end)) = listed {
        let is_size = sort.key == SortKey::Revenue && end == at + 1;
        // `the largest 10`.
        let end = if is_size && number_of_rows(tokens, end) { end + 1 } else { end };
        return Some((sort, end));
    }
    // `top 10`, `top 5 largest`.
    if tokens.free_at(at)?.form == "top" && number_of_rows(tokens, at + 1) {
        let greatest = Sort { key: SortKey::Revenue, descending: true };
        return Some(order_at(tokens, at + 2).unwrap_or((greatest, at + 2)));
    }
    let end = tokens.any_phrase(at, phrases::of("order by"))?;
    let low = matches!(tokens.form(end), "lowest" | "smallest");
    let from = if low || matches!(tokens.form(end), "highest" | "largest") { end + 1 } else { end };
    let (key, end) = key_at(tokens, from)?;
    let comma = usize::from(tokens.free_at(end).is_some_and(|token| token.is_sign(',')));
    let rising = tokens.any_phrase(end + comma, phrases::of("rising"));
    let falling = tokens.any_phrase(end + comma, phrases::of("falling"));
    let is_rising = low || rising.is_some() || (key == SortKey::Name && falling.is_none());
    Some((Sort { key, descending: !is_rising }, rising.or(falling).unwrap_or(end)))
}

/// A count of rows behind `top`, which is no amount.
fn number_of_rows(tokens: &Tokens, at: usize) -> bool {
    tokens.free_at(at).is_some_and(|token| {
        matches!(token.kind, Kind::Number(value) if value <= 1000.0)
            || amount::small(&token.form).is_some()
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
        (SortKey::Distance, false) => "distance",
        (SortKey::Distance, true) => "distance, the farthest first",
        (SortKey::Ruling, true) => "the IRS's ruling date, the latest first",
        (SortKey::Ruling, false) => "the IRS's ruling date, the earliest first",
    }
}
