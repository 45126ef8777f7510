//! What reading comes upon, handed on while it is counted.

use std::collections::{BTreeMap, BTreeSet};

use super::{Record, Reject};
use crate::irs;
use crate::record::{Date, Timestamp};

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
    /// The days that its rows give.
    days: BTreeSet<Date>,
}

impl<'on, E> EventSink<'on, E> {
    pub(super) fn new(on: &'on mut dyn FnMut(Event) -> Result<(), E>) -> Self {
        Self { on, rows: 0, rejects: 0, warnings: BTreeMap::new(), days: BTreeSet::new() }
    }

    pub(super) fn record(&mut self, line: u64, record: Record) -> Result<(), E> {
        self.rows += 1;
        self.days.extend(day_of(&record));
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
        self.days.range(..=modified).next_back().copied()
    }
}

/// The day that a record gives of when the IRS posted, ruled or received it.
fn day_of(record: &Record) -> Option<Date> {
    match record {
        Record::Row(irs::ListRow::Revocation(row)) => row.posted,
        Record::Row(irs::ListRow::Master(row)) => {
            row.ruling.and_then(|month| Date::new(month.year(), month.month(), 1))
        }
        Record::Filing(filing, _) => filing.filed.and_then(Timestamp::date),
        Record::Row(_) | Record::UnrelatedBusiness(..) | Record::Item(_) => None,
    }
}
