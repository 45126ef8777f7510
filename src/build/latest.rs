//! What the latest returns of an organization say.

use super::gather::{ByEin, IndexedFiling};
use crate::record::{Filing, LatestFiling, Origin};

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
