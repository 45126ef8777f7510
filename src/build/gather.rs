//! Reads every source: records to an arena with a small key each, rejects to a file.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::arena::{Arena, ArenaOffset};
use super::clock::{self, BuildClock};
use super::error::BuildError;
use super::gathered_reports::{GatheredReport, WaitingReports};
use super::report::Progress as _;
use super::report_cache::ReportCache;
use super::row::{filing_of_extract, row_of_revoked};
use crate::curated::Item;
use crate::irs::{IndexRow, IndexedForm, List, ListRow};
use crate::record::{
    Date, Ein, Filing, Form, InterestedTransaction, Month, Revocation, Schedules, Withdrawal,
};
use crate::sources::{self, Event, Record, Reject, SkippedFile, Source};

/// Rejects that an error shows: enough to see what is wrong, few enough for a screen.
const REJECTS_SHOWN: usize = 5;

/// Records of all sources together: several times what the IRS lists, so that a ZIP file which unpacks
/// without end is refused before it fills the memory.
const RECORDS_MAX: u64 = 32_000_000;

/// Bytes of them that are kept in memory, encoded: with the rest of a build within 6 GB. The master
/// files take 0.4 GiB, a year of returns about one; what is beyond goes to a file.
const MEMORY_BYTES_MAX: usize = 1 << 30;

/// GiB that they may take in all: the returns of all years since the first that were e-filed, twice.
const GIB_MAX: u64 = 64;

/// Percent of the rows of an IRS list that may be rejects, unless the caller says otherwise: the
/// lists are clean, and one that is not is damaged or something else.
const REJECT_LIMIT_PERCENT: f64 = 1.0;

/// A part of returns that may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// Every person named in a return: officers, directors and other listed people, and individuals who received
    /// grants.
    People,
}

/// What the sources hold. Every list has a record's source and value, in the order read.
#[derive(Debug, Default)]
pub(super) struct SourceRecords {
    pub(super) sources: Vec<sources::Summary>,
    pub(super) arena: Arena,
    pub(super) master: Vec<ByEin<ArenaOffset>>,
    /// Index into `code_lists`.
    pub(super) publication_78: Vec<ByEin<u32>>,
    /// The distinct lists of Publication 78's codes.
    pub(super) code_lists: Vec<Vec<String>>,
    pub(super) revocations: Vec<ByEin<RevocationEntry>>,
    /// Where website and names are; `None` when the row has neither.
    pub(super) postcards: Vec<ByEin<Option<ArenaOffset>>>,
    pub(super) filings: Vec<ByEin<FilingPlace>>,
    /// The rows of each further list.
    pub(super) lists: BTreeMap<List, Vec<ByEin<ArenaOffset>>>,
    pub(super) indexed: Vec<ByEin<IndexedFiling>>,
    /// The periods of Forms 990-T.
    pub(super) unrelated: Vec<ByEin<Month>>,
    pub(super) items: Items,
    pub(super) reports: Vec<GatheredReport>,
    pub(super) rejects: Rejects,
    /// What looks like a mistake in single sources, a sentence each.
    pub(super) doubts: Vec<String>,
    /// Reports that are of nobody known.
    pub(super) left_out: Vec<SkippedFile>,
    records: u64,
}

/// A return that the index of e-filed returns lists.
#[derive(Debug, Clone, Copy)]
pub(super) struct IndexedFiling {
    pub(super) form: Form,
    pub(super) tax_period: Month,
    pub(super) object_id: u64,
}

/// Bits of a rank that say when a return was filed; above them is its tax period.
pub(super) const FILED_BITS: u32 = 32;

/// The part of a return's rank that is its tax period: a period ends with its month, whatever day is written.
fn period_rank(period_end: Date) -> u64 {
    let month = u32::from(period_end.year()) << 8 | u32::from(period_end.month());
    u64::from(month) << FILED_BITS
}

/// Where a return is.
#[derive(Debug, Clone, Copy)]
pub(super) struct FilingPlace {
    pub(super) filing: ArenaOffset,
    /// What it lists, if it lists anything.
    pub(super) schedules: Option<ArenaOffset>,
}

/// An entry of the revocation list.
#[derive(Debug, Clone)]
pub(super) struct RevocationEntry {
    pub(super) entry: Revocation,
    /// The nonprofit as the list describes it, in the form of a master file row.
    pub(super) row: ArenaOffset,
}

/// Curated items, in the order read.
#[derive(Debug, Default)]
pub(super) struct Items {
    pub(super) stories: Vec<ItemRef>,
    pub(super) metrics: Vec<ItemRef>,
    pub(super) posts: Vec<ItemRef>,
    pub(super) overlays: Vec<ItemRef>,
    pub(super) articles: Vec<ItemRef>,
    pub(super) knowledge: Vec<ItemRef>,
    pub(super) funds: Vec<ItemRef>,
    pub(super) withdrawals: Vec<Withdrawal>,
}

/// Where an item is, whose it is if it is a nonprofit's, and where it was read.
#[derive(Debug, Clone, Copy)]
pub(super) struct ItemRef {
    pub(super) ein: Option<Ein>,
    pub(super) place: ArenaOffset,
    pub(super) source: u32,
    pub(super) line: u32,
}

/// A record by its EIN. Of one EIN the greatest rank counts, and of one rank the last.
#[derive(Debug, Clone)]
pub(super) struct ByEin<Value> {
    pub(super) ein: u32,
    pub(super) source: u32,
    pub(super) rank: u64,
    pub(super) value: Value,
}

/// The row of an EIN.
pub(super) fn keyed<Value>(rows: &[ByEin<Value>], ein: u32) -> Option<&ByEin<Value>> {
    rows.binary_search_by_key(&ein, |row| row.ein).ok().map(|at| &rows[at])
}

/// The list of rejects, being written.
#[derive(Debug, Default)]
pub(super) struct Rejects {
    list: Option<(PathBuf, BufWriter<File>)>,
    /// By field and reason.
    pub(super) counts: BTreeMap<(String, String), u64>,
}

impl Rejects {
    fn create(path: &Path) -> Result<Self, BuildError> {
        let file = File::create(path).map_err(BuildError::io(path))?;
        let list = Some((path.to_owned(), BufWriter::new(file)));
        Ok(Self { list, counts: BTreeMap::new() })
    }

    /// Lists one more.
    pub(super) fn add(&mut self, reject: &Reject) -> Result<(), BuildError> {
        if let Some((path, list)) = &mut self.list {
            serde_json::to_writer(&mut *list, reject)
                .map_err(std::io::Error::from)
                .and_then(|()| list.write_all(b"\n"))
                .map_err(BuildError::io(&path))?;
        }
        *self.counts.entry((reject.field.clone(), reject.reason.clone())).or_default() += 1;
        Ok(())
    }

    /// Writes out what is held back.
    pub(super) fn flush(&mut self) -> Result<(), BuildError> {
        match &mut self.list {
            Some((path, list)) => list.flush().map_err(BuildError::io(&path)),
            None => Ok(()),
        }
    }
}

/// Reads the sources in order; `rejects` is the file of those, and `kept` where it stays. A limit that is given holds
/// for every source; else each of the IRS's lists has its own.
pub(super) fn gather(
    sources: &[Source],
    rejects: &Path,
    kept: &Path,
    reject_limit_percent: Option<f64>,
    without: &[LeftOut],
    cache: &ReportCache,
    clock: &BuildClock<'_>,
) -> Result<SourceRecords, BuildError> {
    // Beside the rejects: in the folder of the snapshot that is being built.
    let folder = rejects.parent().unwrap_or(Path::new("."));
    let arena = Arena::spilling(folder, MEMORY_BYTES_MAX)?;
    let rejects_list = Rejects::create(rejects)?;
    let mut gathered = SourceRecords { rejects: rejects_list, arena, ..SourceRecords::default() };
    let mut code_lists = HashMap::new();
    let mut reports = WaitingReports::new(cache);
    for (index, source) in sources.iter().enumerate() {
        let mut first_rejects = Vec::new();
        let mut bytes_before = 0;
        let summary = sources::read::<BuildError>(source, &mut |event| {
            match event {
                Event::Record { line, record } => {
                    gathered.count(source)?;
                    match record {
                        Record::Row(row) => gathered.row(index as u32, row, &mut code_lists)?,
                        Record::Filing(mut filing, mut schedules) => {
                            if without.contains(&LeftOut::People) {
                                leave_people_out(&mut filing, &mut schedules);
                            }
                            gathered.filing(index as u32, &filing, &schedules)?;
                        }
                        Record::UnrelatedBusiness(ein, period) => {
                            gathered.unrelated_business(index as u32, ein, period);
                        }
                        Record::Item(item) => gathered.item(index as u32, line, item)?,
                        Record::Report(bytes) => {
                            reports.add(index as u32, source.assignment.clone(), bytes)?;
                        }
                    }
                }
                Event::Reject(reject) => {
                    gathered.rejects.add(&reject)?;
                    if first_rejects.len() < REJECTS_SHOWN {
                        first_rejects.push(reject);
                    }
                }
                Event::Progress { text_bytes } => {
                    clock.advance(text_bytes.saturating_sub(bytes_before));
                    bytes_before = text_bytes;
                }
            }
            Ok(())
        })?;
        let limit_percent = reject_limit_percent
            .or_else(|| source.kind.list().map(|_| REJECT_LIMIT_PERCENT))
            .unwrap_or(100.0);
        gathered.rejects.flush()?;
        check_limit(&summary, limit_percent, first_rejects, kept)?;
        clock::check(clock.now(), &summary)?;
        gathered.sources.push(summary);
    }
    gathered.reports = reports.finish()?;
    gathered.rejects.flush()?;
    Ok(gathered)
}

/// Removes every person named in a return.
fn leave_people_out(filing: &mut Filing, schedules: &mut Schedules) {
    (filing.principal_officer, filing.business_officer) = (None, None);
    filing.contractors.retain(|contractor| contractor.is_business);
    filing.transactions.iter_mut().for_each(InterestedTransaction::leave_names_out);
    schedules.people.clear();
    for grant in schedules.grants.iter_mut().filter(|grant| grant.is_person) {
        (grant.recipient_name, grant.street) = (None, None);
    }
}

/// Refuses a source with too many rejects; `list` is where they all stand.
pub(super) fn check_limit(
    summary: &sources::Summary,
    limit_percent: f64,
    first: Vec<Reject>,
    list: &Path,
) -> Result<(), BuildError> {
    let lines = summary.rows + summary.rejects;
    if summary.rejects as f64 * 100.0 > lines as f64 * limit_percent {
        let (name, rejects, list) = (summary.name.clone(), summary.rejects, list.to_owned());
        let error = BuildError::TooManyRejects { name, rejects, lines, limit_percent, first, list };
        return Err(error);
    }
    Ok(())
}

impl SourceRecords {
    fn count(&mut self, source: &Source) -> Result<(), BuildError> {
        self.records += 1;
        if self.records > RECORDS_MAX {
            let path = source.path.clone();
            return Err(BuildError::TooManyRecords { path, limit: RECORDS_MAX });
        }
        if self.arena.bytes() > GIB_MAX << 30 {
            let path = source.path.clone();
            return Err(BuildError::TooMuch { path, limit_gib: GIB_MAX });
        }
        Ok(())
    }

    fn row(
        &mut self,
        source: u32,
        row: ListRow,
        code_lists: &mut HashMap<Vec<String>, u32>,
    ) -> Result<(), BuildError> {
        let (list, whose, rank) = row.key();
        let ein = whose.pack();
        match row {
            ListRow::MasterFile(row) => {
                let value = self.arena.add(&row)?;
                self.master.push(ByEin { ein, source, rank, value });
            }
            ListRow::Publication78(row) => {
                let next = self.code_lists.len() as u32;
                let value = *code_lists.entry(row.codes).or_insert_with_key(|codes| {
                    self.code_lists.push(codes.clone());
                    next
                });
                self.publication_78.push(ByEin { ein, source, rank, value });
            }
            ListRow::RevocationList(row) => {
                let (revoked, posted, reinstated) = (row.revoked, row.posted, row.reinstated);
                let entry = Revocation { revoked, posted, reinstated };
                let row = self.arena.add(&row_of_revoked(row))?;
                let value = RevocationEntry { entry, row };
                self.revocations.push(ByEin { ein, source, rank, value });
            }
            ListRow::Extract(row) => {
                let filing = filing_of_extract(row);
                self.filing(source, &filing, &Schedules::default())?;
            }
            ListRow::FilingIndex(IndexRow { form, tax_period, object_id, .. }) => match form {
                IndexedForm::Profile(form) => {
                    let value = IndexedFiling { form, tax_period, object_id };
                    self.indexed.push(ByEin { ein, source, rank, value });
                }
                IndexedForm::UnrelatedBusiness => {
                    self.unrelated_business(source, whose, tax_period)
                }
            },
            ListRow::Postcard(row) => {
                let empty = row.website.is_none() && row.doing_business_as.is_empty();
                let kept = (row.website, row.doing_business_as);
                let value = if empty { None } else { Some(self.arena.add(&kept)?) };
                self.postcards.push(ByEin { ein, source, rank, value });
            }
            // A list that only completes what is known of a nonprofit.
            row => {
                let value = self.arena.add(&row)?;
                self.lists.entry(list).or_default().push(ByEin { ein, source, rank, value });
            }
        }
        Ok(())
    }

    /// Form 990-T, ranked by its tax period.
    fn unrelated_business(&mut self, source: u32, ein: Ein, tax_period: Month) {
        let rank = u64::from(tax_period.ordinal());
        self.unrelated.push(ByEin { ein: ein.pack(), source, rank, value: tax_period });
    }

    /// Ranked by the month in which the tax period ends, then by when it was filed; an amended return that does
    /// not say when is later than one that does.
    fn filing(
        &mut self,
        source: u32,
        filing: &Filing,
        schedules: &Schedules,
    ) -> Result<(), BuildError> {
        let unsaid = if filing.amended { i64::MAX } else { 0 };
        let filed = filing.filed.map_or(unsaid, |moment| moment.seconds());
        // Of one period the return as filed counts before what an extract has of it.
        let filed = u32::try_from(filed.max(0)).unwrap_or(u32::MAX);
        let filed = if filing.is_whole() { filed.max(1) } else { 0 };
        let rank = period_rank(filing.period_end) | u64::from(filed);
        let schedules = match schedules.is_empty() {
            true => None,
            false => Some(self.arena.add(schedules)?),
        };
        let value = FilingPlace { filing: self.arena.add(filing)?, schedules };
        self.filings.push(ByEin { ein: filing.ein.pack(), rank, source, value });
        Ok(())
    }

    fn item(&mut self, source: u32, line: u64, item: Item) -> Result<(), BuildError> {
        add_item(&mut self.items, &mut self.arena, source, line, item)
    }
}

/// Adds an item that was read.
pub(super) fn add_item(
    items: &mut Items,
    arena: &mut Arena,
    source: u32,
    line: u64,
    item: Item,
) -> Result<(), BuildError> {
    let line = u32::try_from(line).unwrap_or(u32::MAX);
    let (list, ein, place) = match item {
        Item::Withdrawal(one) => {
            items.withdrawals.push(one);
            return Ok(());
        }
        Item::Story(one) => (&mut items.stories, Some(one.ein), arena.add(&one)?),
        Item::Metric(one) => (&mut items.metrics, Some(one.ein), arena.add(&one)?),
        Item::Post(one) => (&mut items.posts, Some(one.organization_ein), arena.add(&one)?),
        Item::Overlay(one) => (&mut items.overlays, Some(one.ein), arena.add(&one)?),
        Item::Article(one) => (&mut items.articles, None, arena.add(&one)?),
        Item::Knowledge(one) => (&mut items.knowledge, None, arena.add(&one)?),
        Item::Fund(one) => (&mut items.funds, None, arena.add(&one)?),
    };
    list.push(ItemRef { ein, place, source, line });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{SourceKind, SourcePart};

    #[test]
    fn records_without_end_are_refused() {
        let (path, kind) = ("eo.zip".into(), SourceKind::MasterFile);
        let source = Source { path, part: SourcePart::File, kind, assignment: None, folders: 0 };
        let mut gathered = SourceRecords { records: RECORDS_MAX - 1, ..SourceRecords::default() };
        gathered.count(&source).unwrap();
        let error = gathered.count(&source).unwrap_err();
        assert!(error.to_string().starts_with("eo.zip: more than 32000000 records"), "{error}");
    }
}
