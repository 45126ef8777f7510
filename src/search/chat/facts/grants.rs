//! Grants that a nonprofit made or received, by the returns that are loaded.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::recipients::Recipients;
use super::{Act, Profile, Result};
use crate::index::grants::Sum;
use crate::naming::{display_name, normalise};
use crate::record::GrantStage;
use crate::search::chat::phrase::{Value, dollars, phrase};
use crate::search::grants::{self, Basis, Direction, GrantPage, ListedGrant, NonprofitQuery};
use crate::search::listing::{Paging, SIZE_MAX};
use crate::snapshot::Snapshot;
use crate::understand::says;

/// Grants that a sentence names.
const NAMED: usize = 3;
/// Pages of grants that are read to say who got most.
const PAGES_MAX: u64 = 50;
/// Years of which it says what they add up to.
const YEARS_NAMED: usize = 6;

/// Which of its grants are asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct GrantsQuestion {
    /// What they are for.
    pub(crate) words: Option<String>,
    /// Who got them.
    pub(crate) recipients: Recipients,
    pub(crate) min_amount: Option<i64>,
}

impl Profile<'_> {
    /// How many grants, how much, and the largest.
    pub(super) fn grants(&self, snapshot: &Snapshot, fact: Act) -> Result<String> {
        let is_made = fact == Act::GrantsMade;
        let direction = if is_made { Direction::Made } else { Direction::Received };
        let asked = NonprofitQuery {
            ein: self.organization().ein,
            direction,
            year: self.year,
            stage: GrantStage::Paid,
            min_amount: self.grants.min_amount,
            state: self.grants.recipients.state().filter(|_| is_made),
            words: self.grants.words.clone(),
            paging: Paging { page: 1, size: SIZE_MAX },
        };
        let such = self.such(&asked);
        let found = grants::nonprofit_grants(snapshot, &asked)?;
        let (basis, found, years) = match found {
            Some(one) => (Some(one.basis), Some(one.list), one.years),
            None => (None, None, Vec::new()),
        };
        let recipients = &self.grants.recipients;
        let mut is_whole = true;
        let (found, years) = match found {
            Some(found) if is_made && recipients.is_narrow() => {
                let rows = every_grant(snapshot, &asked, found.clone())?;
                is_whole = rows.len() as u64 == found.page.total;
                let (kept, of_kept) = recipients.keep(rows);
                if is_whole { (Some(kept), of_kept) } else { (Some(found), years) }
            }
            found => (found, years),
        };
        let not_kept = if is_whole { self.place_not_kept() } else { self.place_not_read() };
        let not_kept = not_kept.filter(|_| is_made);
        Ok(match (basis, found) {
            (Some(Basis::Listed), Some(found)) if found.page.total > 0 => {
                let name = if is_made { "grants.made" } else { "grants.received" };
                let (count, amount) = (found.page.total, found.amount.map(Value::Dollars));
                let first = self.say(phrase!(name, count, such, amount));
                let by_year = self.by_year(&years).filter(|_| self.year.is_none());
                let named = match says(self.text, "most of all") {
                    true => self.most(&every_grant(snapshot, &asked, found)?, direction),
                    false => self.largest(&found, direction),
                };
                let parts = [Some(first), by_year, Some(named), not_kept];
                parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
            }
            (None | Some(Basis::NotLoaded), _) if is_made => self.say(phrase!("grants.not_loaded")),
            _ if is_made => self.say(phrase!("grants.none_made", such)),
            _ => self.say(phrase!("grants.none_received", such)),
        })
    }

    /// What the grants of each year add up to, the latest first; `None` of one year alone.
    fn by_year(&self, years: &[(u16, Sum)]) -> Option<String> {
        let of_year = |(year, sum): &(u16, Sum)| {
            let (count, amount) = (sum.grants, sum.amount.map(Value::Dollars));
            phrase!("grants.of_year", year, count, amount).part(self.language)
        };
        let items: Vec<String> = years.iter().take(YEARS_NAMED).map(of_year).collect();
        (years.len() > 1).then(|| self.say(phrase!("grants.by_year", items)))
    }

    /// What was asked of the grants, behind them.
    fn such(&self, asked: &NonprofitQuery) -> String {
        let parts = [
            asked.words.as_ref().map(|words| phrase!("grants.such.for", words)),
            asked.year.map(|year| phrase!("grants.such.year", year)),
        ];
        let is_made = asked.direction == Direction::Made;
        let place = self.such_recipients().filter(|_| is_made);
        let parts = parts.into_iter().flatten().map(|part| part.part(self.language));
        parts.chain(place).collect()
    }

    /// The recipients that got most, or the grantors that gave most, all their grants added up.
    fn most(&self, rows: &[ListedGrant], direction: Direction) -> String {
        let mut sums: HashMap<String, (i64, u64, String)> = HashMap::new();
        for row in rows {
            let Some(amount) = row.grant.amount() else { continue };
            let Some(name) = name_of(row, direction) else { continue };
            let sum = sums.entry(normalise(&name)).or_insert((0, 0, name));
            (sum.0, sum.1) = (sum.0.saturating_add(amount.dollars()), sum.1 + 1);
        }
        let mut sums: Vec<_> = sums.into_values().collect();
        sums.sort_by(|a, b| (b.0, &a.2).cmp(&(a.0, &b.2)));
        let named = sums.iter().take(NAMED).map(|(amount, count, name)| {
            phrase!("grants.side", name, amount = Value::Dollars(*amount), count)
                .part(self.language)
        });
        let names: Vec<String> = named.collect();
        let name = match direction {
            Direction::Made => "grants.most_to",
            Direction::Received => "grants.most_from",
        };
        self.say(phrase!(name, names))
    }

    /// The largest grants; of a list longer than a page, those of its latest tax year.
    fn largest(&self, found: &GrantPage, direction: Direction) -> String {
        let rows = &found.page.rows;
        let Some(latest) = rows.first().map(|row| row.grant.tax_year) else { return String::new() };
        let is_whole = found.page.total as usize == rows.len();
        let mut rows: Vec<&ListedGrant> =
            rows.iter().filter(|row| is_whole || row.grant.tax_year == latest).collect();
        let amount = |row: &ListedGrant| row.grant.amount().map(|usd| usd.dollars());
        rows.sort_by_key(|row| Reverse(amount(row)));
        let named = rows.iter().take(NAMED).map(|row| {
            let name = match direction {
                Direction::Made => "grants.to",
                Direction::Received => "grants.from",
            };
            let side = name_of(row, direction);
            let unstated = || self.text("grants.unstated").to_owned();
            let amount = amount(row).map_or_else(unstated, dollars);
            let side = side.unwrap_or_else(|| self.text("grants.unnamed").to_owned());
            phrase!(name, amount, name = side, year = row.grant.tax_year).part(self.language)
        });
        let year = (!is_whole).then_some(latest);
        self.say(phrase!("grants.largest", grants = named.collect::<Vec<_>>(), year))
    }
}

/// Who got a grant, in the letters of names, or who made it.
fn name_of(row: &ListedGrant, direction: Direction) -> Option<String> {
    match direction {
        Direction::Made => row.recipient_name.as_deref().map(display_name),
        Direction::Received => Some(row.grantor_name.clone()),
    }
}

/// The grants of a list of which one page is known, as far as an answer reads them.
fn every_grant(
    snapshot: &Snapshot,
    asked: &NonprofitQuery,
    first: GrantPage,
) -> Result<Vec<ListedGrant>> {
    let pages = first.page.total.div_ceil(SIZE_MAX as u64).min(PAGES_MAX);
    let mut rows = first.page.rows;
    if rows.len() as u64 == first.page.total {
        return Ok(rows);
    }
    for page in 2..=pages {
        let asked = NonprofitQuery { paging: Paging { page, size: SIZE_MAX }, ..asked.clone() };
        let found = grants::nonprofit_grants(snapshot, &asked)?;
        rows.extend(found.into_iter().flat_map(|one| one.list.page.rows));
    }
    Ok(rows)
}
