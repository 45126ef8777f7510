//! The returns of each nonprofit: of every tax period the one that was filed last, what it replaces, and what the
//! latest say.

use rayon::prelude::*;

use super::arena::{Arena, ArenaError, ArenaOffset};
use super::gather::{ByEin, FILED_BITS, FilingPlace, IndexedFiling};
use crate::record::{Filing, LatestFiling, Origin, Schedules, SupersededFiling};

/// What was gathered of returns.
#[derive(Debug)]
pub(super) struct Returns {
    /// Of one EIN several, the latest tax period last.
    latest: Vec<ByEin<FilingPlace>>,
    /// Replaced by one of these, in the same order; those filed last, last.
    superseded: Vec<ByEin<ArenaOffset>>,
    /// Of each source, whether it has the figures of returns alone.
    extracts: Vec<bool>,
}

impl Returns {
    /// Sorts returns by EIN and tax period and counts those that another of the same period replaces, by
    /// source.
    pub(super) fn of(
        mut filings: Vec<ByEin<FilingPlace>>,
        extracts: Vec<bool>,
        dropped: &mut [u64],
    ) -> Self {
        filings.par_sort_by_key(|filing| (filing.ein, filing.rank));
        let mut superseded = Vec::new();
        filings.dedup_by(|later, kept| {
            let same = period(later) == period(kept);
            if same {
                dropped[kept.source as usize] += 1;
                if !extracts[kept.source as usize] {
                    let ByEin { ein, rank, source, value } = *kept;
                    superseded.push(ByEin { ein, rank, source, value: value.filing });
                }
                std::mem::swap(later, kept);
            }
            same
        });
        Self { latest: filings, superseded, extracts }
    }

    /// Of each EIN the latest return that was read as filed.
    pub(super) fn latest_whole(&self) -> impl Iterator<Item = &ByEin<FilingPlace>> {
        let of_one = self.latest.chunk_by(|one, next| one.ein == next.ein);
        let is_whole = |filing: &&ByEin<FilingPlace>| !self.extracts[filing.source as usize];
        of_one.filter_map(move |of_one| of_one.iter().rfind(is_whole))
    }

    /// The returns of an EIN, the latest tax period first, and what each lists.
    pub(super) fn of_ein(
        &self,
        ein: u32,
        arena: &Arena,
    ) -> Result<(Vec<Filing>, Vec<Schedules>), ArenaError> {
        let filings = of_ein(&self.latest, ein).iter().rev();
        let read = |of: &ByEin<FilingPlace>| {
            let filing: Filing = arena.get(of.value.filing)?;
            let schedules = of.value.schedules.map(|place| arena.get(place)).transpose()?;
            let superseded = self.superseded_by(of, arena)?;
            let filing = Filing { source: of.source, superseded, ..filing };
            Ok((filing, schedules.unwrap_or_default()))
        };
        Ok(filings.map(read).collect::<Result<Vec<_>, ArenaError>>()?.into_iter().unzip())
    }

    /// The latest filed first.
    fn superseded_by(
        &self,
        kept: &ByEin<FilingPlace>,
        arena: &Arena,
    ) -> Result<Vec<SupersededFiling>, ArenaError> {
        let of_one = of_ein(&self.superseded, kept.ein).iter().rev();
        let of_period = of_one.filter(|one| period(*one) == period(kept));
        of_period.map(|one| Ok(arena.get::<Filing>(one.value)?.into())).collect()
    }
}

/// The EIN and the month in which the tax period ends.
fn period<Value>(of: &ByEin<Value>) -> (u32, u64) {
    (of.ein, of.rank >> FILED_BITS)
}

/// The rows of an EIN; `rows` are sorted by EIN.
fn of_ein<Value>(rows: &[ByEin<Value>], ein: u32) -> &[ByEin<Value>] {
    let start = rows.partition_point(|row| row.ein < ein);
    let end = start + rows[start..].partition_point(|row| row.ein == ein);
    &rows[start..end]
}

/// The returns of one organization, the latest tax period first.
pub(super) struct Latest<'a> {
    pub(super) filings: &'a [Filing],
}

impl Latest<'_> {
    /// What the latest return says that says anything, and in `origin` which that is.
    pub(super) fn saying<Value>(
        &self,
        said: impl Fn(&Filing) -> Option<Value>,
        origin: &mut Origin,
    ) -> Option<Value> {
        let (at, value) = (0..).zip(self.filings).find_map(|(at, one)| Some((at, said(one)?)))?;
        *origin = Origin::Return(at);
        Some(value)
    }

    /// Which is the latest, of those that were read and the one that the index lists, and in `origin`
    /// whether the index tells its number. That of a later period counts; of one period the index
    /// completes what was read.
    pub(super) fn filing(
        &self,
        indexed: Option<&ByEin<IndexedFiling>>,
        origin: &mut Origin,
    ) -> Option<LatestFiling> {
        let read = self.filings.first();
        let read_period = read.and_then(Filing::tax_period);
        let newer = indexed.filter(|row| Some(row.value.tax_period) > read_period);
        let (form, period_end, object_id) = match newer {
            Some(row) => (row.value.form, row.value.tax_period.last_day(), None),
            None => {
                let read = read?;
                (read.form, read.period_end, read.object_id.clone())
            }
        };
        let listed = indexed.filter(|row| row.value.tax_period.last_day() >= period_end);
        let listed = listed.filter(|_| object_id.is_none());
        if let Some(row) = listed {
            *origin = Origin::Index { source: row.source };
        }
        let listed_id = listed.map(|row| row.value.object_id.to_string());
        Some(LatestFiling { form, period_end, object_id: object_id.or(listed_id) })
    }
}
