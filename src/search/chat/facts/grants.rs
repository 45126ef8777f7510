//! Grants that a nonprofit made or received, by the returns that are loaded.

use super::{Profile, SearchError};
use crate::reader::DialogueAct;
use crate::record::{GrantStage, State};
use crate::search::chat::phrase::{Phrase, dollars, text};
use crate::search::grants::{self, Basis, Direction, GrantPage, ListedGrant, NonprofitQuery};
use crate::search::listing::{Paging, SIZE_MAX};
use crate::snapshot::Snapshot;

/// Grants that a sentence names.
const NAMED: usize = 3;

/// Which of its grants are asked for.
#[derive(Debug, Clone, Default)]
pub(in crate::search::chat) struct GrantsQuestion {
    /// What they are for.
    pub(in crate::search::chat) words: Option<String>,
    /// Where recipients are.
    pub(in crate::search::chat) state: Option<State>,
    pub(in crate::search::chat) min_amount: Option<i64>,
}

impl Profile<'_> {
    /// How many grants, how much, and the largest.
    pub(super) fn grants(
        &self,
        snapshot: &Snapshot,
        fact: DialogueAct,
    ) -> Result<String, SearchError> {
        let is_made = fact == DialogueAct::GrantsMade;
        let direction = if is_made { Direction::Made } else { Direction::Received };
        let asked = NonprofitQuery {
            ein: self.organization().ein,
            direction,
            year: self.year,
            stage: GrantStage::Paid,
            min_amount: self.grants.min_amount,
            state: self.grants.state.filter(|_| is_made),
            words: self.grants.words.clone(),
            paging: Paging { page: 1, size: SIZE_MAX },
        };
        let such = self.such(&asked);
        let name = |name: &str| Phrase::new(name).with("name", &self.organization().name);
        let answer = grants::nonprofit_grants(snapshot, &asked)?;
        let found = answer.map(|one| (one.basis, one.list));
        Ok(match found {
            Some((Basis::Listed, found)) if found.page.total > 0 => {
                let first = name(if is_made { "grants.made" } else { "grants.received" })
                    .with("count", found.page.total)
                    .with("such", such)
                    .dollars("amount", found.amount);
                format!("{} {}", self.say(&first), self.largest(&found, direction))
            }
            None | Some((Basis::NotLoaded, _)) if is_made => self.say(&name("grants.not_loaded")),
            _ if is_made => self.say(&name("grants.none_made").with("such", such)),
            _ => self.say(&name("grants.none_received").with("such", such)),
        })
    }

    /// What was asked of the grants, behind them.
    fn such(&self, asked: &NonprofitQuery) -> String {
        let parts = [
            asked.words.as_ref().map(|words| Phrase::new("grants.such.for").with("words", words)),
            asked.state.map(|state| Phrase::new("grants.such.in").with("place", state.name())),
            asked.year.map(|year| Phrase::new("grants.such.year").with("year", year)),
        ];
        parts.into_iter().flatten().map(|part| part.part(self.language)).collect()
    }

    /// The largest grants; of a list longer than a page, those of its latest tax year.
    fn largest(&self, found: &GrantPage, direction: Direction) -> String {
        let rows = &found.page.rows;
        let Some(latest) = rows.first().map(|row| row.grant.tax_year) else { return String::new() };
        let is_whole = found.page.total as usize == rows.len();
        let mut rows: Vec<&ListedGrant> =
            rows.iter().filter(|row| is_whole || row.grant.tax_year == latest).collect();
        let amount = |row: &ListedGrant| row.grant.amount().map(|usd| usd.dollars());
        rows.sort_by_key(|row| std::cmp::Reverse(amount(row)));
        let named = rows.iter().take(NAMED).map(|row| {
            let unstated = || text("grants.unstated", self.language).to_owned();
            let (name, side) = match direction {
                Direction::Made => ("grants.to", row.recipient_name.as_deref()),
                Direction::Received => ("grants.from", Some(&*row.grantor_name)),
            };
            Phrase::new(name)
                .with("amount", amount(row).map_or_else(unstated, dollars))
                .with("name", side.unwrap_or(text("grants.unnamed", self.language)))
                .with("year", row.grant.tax_year)
                .part(self.language)
        });
        let named: Vec<String> = named.collect();
        let year = (!is_whole).then_some(latest);
        self.say(&Phrase::new("grants.largest").with("grants", named).with_some("year", year))
    }
}
