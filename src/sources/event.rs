//! What reading comes upon, handed on while it is counted.

use std::collections::BTreeMap;

use super::{Record, Reject};
use crate::record::{Date, Timestamp};

/// A day is common if at least this fraction of the dated rows, and at least the minimum, reach it:
/// the latest month of a list has more rows, a typing error stands alone.
const COMMON_ONE_IN: u64 = 1_000;
const COMMON_MIN: u64 = 2;

/// Something that reading comes upon, in the order of the source.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A record, and the line of the file on which it begins, from 1.
    Record { line: u64, record: Record },
    /// What could not be read.
    Reject(Reject),
    /// Now and then, and at the end: how many bytes of text have been read so far. Their sum over
    /// all sources is [`super::Discovery::text_bytes`].
    Progress { text_bytes: u64 },
}

/// Hands on what is read of a source, and counts it.
pub(super) struct EventSink<'on, E> {
    pub(super) on: &'on mut dyn FnMut(Event) -> Result<(), E>,
    pub(super) rows: u64,
    pub(super) rejects: u64,
    pub(super) warnings: BTreeMap<String, u64>,
    /// The days that its rows give, and how many rows give each.
    days: BTreeMap<Date, u64>,
}

impl<'on, E> EventSink<'on, E> {
    pub(super) fn new(on: &'on mut dyn FnMut(Event) -> Result<(), E>) -> Self {
        Self { on, rows: 0, rejects: 0, warnings: BTreeMap::new(), days: BTreeMap::new() }
    }

    pub(super) fn record(&mut self, line: u64, record: Record) -> Result<(), E> {
        self.rows += 1;
        if let Some(day) = day_of(&record) {
            *self.days.entry(day).or_default() += 1;
        }
        (self.on)(Event::Record { line, record })
    }

    pub(super) fn reject(&mut self, reject: Reject) -> Result<(), E> {
        self.rejects += 1;
        (self.on)(Event::Reject(reject))
    }

    pub(super) fn progress(&mut self, text_bytes: u64) -> Result<(), E> {
        (self.on)(Event::Progress { text_bytes })
    }

    /// The latest day that its rows give and that is not after the file: one to come is a mistake.
    pub(super) fn latest_row(&self, modified_seconds: u64) -> Option<Date> {
        let modified = Timestamp::from_seconds(modified_seconds)?.date()?;
        self.days.range(..=modified).next_back().map(|(day, _)| *day)
    }

    /// The latest common day, whatever the day of the file.
    pub(super) fn common_day(&self) -> Option<Date> {
        let needed = self.days.values().sum::<u64>().div_ceil(COMMON_ONE_IN).max(COMMON_MIN);
        let mut later = 0;
        let mut reached = self.days.iter().rev().filter(|(_, rows)| {
            later += **rows;
            later >= needed
        });
        reached.next().map(|(day, _)| *day)
    }
}

/// The day that a record gives of when the IRS posted, ruled or received it.
fn day_of(record: &Record) -> Option<Date> {
    match record {
        Record::Row(row) => row.day(),
        Record::Filing(filing, _) => filing.filed.and_then(Timestamp::date),
        Record::UnrelatedBusiness(..) | Record::Item(_) | Record::Report(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_that_one_row_gives_by_mistake_is_not_common() {
        let day = |year| Date::new(year, 1, 1).unwrap();
        let check = |days: &[(u16, u64)], expected: Option<u16>| {
            let mut on = |_| Ok::<_, ()>(());
            let mut sink = EventSink::new(&mut on);
            sink.days = days.iter().map(|(year, rows)| (day(*year), *rows)).collect();
            assert_eq!(sink.common_day(), expected.map(day), "{days:?}");
        };
        check(&[], None);
        check(&[(2024, 1)], None);
        check(&[(2024, 1), (2199, 1)], Some(2024));
        check(&[(2024, 2), (2199, 1)], Some(2024));
        check(&[(2024, 1), (2025, 2)], Some(2025));
        check(&[(2024, 5_000), (2025, 6), (2199, 5)], Some(2025));
    }
}
