//! Writes the data files of a snapshot: records, columns, typeahead, full text, items.

use std::collections::HashSet;
use std::path::Path;

use rayon::prelude::*;

use super::arena::ArenaError;
use super::cause::{Causes, KnownCause};
use super::earlier::changes_since;
use super::embedding::Texts;
use super::error::BuildError;
use super::funds::fund_of;
use super::gather::Items;
use super::items::{ExtractedItems, Writing};
use super::links;
use super::merge::{MergedOrganization, MergedOrganizations};
use super::report::{self, Progress};
use super::schedules::{self, Extracted, OfOrganization};
use super::summary::Summaries;
use crate::embed::recipe;
use crate::impact;
use crate::index::typeahead::{Card, Scope, Weight};
use crate::index::{columns, departed, fulltext, names, postings, typeahead};
use crate::matching;
use crate::record::{Change, Filing, Fund, Metric, OrgId, Organization, filing_url};
use crate::snapshot::ChangesError;
use crate::snapshot::changes::{Before, ChangeDetector, Earlier};
use crate::snapshot::compared::{self, Compared, ComparedWriter};
use crate::snapshot::coverage::{self, Coverage};
use crate::snapshot::directory::ADDRESSES;
use crate::store;

/// Organizations made at a time: enough to keep every core busy, few enough that two batches are
/// small beside the rows.
const BATCH: usize = 8 * PACKED;

/// Organizations that are packed together; the last block of each run is not full.
const PACKED: usize = 1024;

/// What the cores make of a batch.
struct Batch {
    first: usize,
    organizations: Vec<Organization>,
    entries: Vec<IndexEntries>,
    blocks: Vec<Vec<store::Block<Organization>>>,
    filed: Vec<OrganizationFilings>,
    funds: Vec<Fund>,
    listed: schedules::Batch,
    compared: ComparedBatch,
}

/// What a batch is compared by.
struct ComparedBatch {
    /// To be compared with by the next build.
    blocks: Vec<compared::Block>,
    /// The changes, and the numbers of those that there were in the previous snapshot.
    changed: Result<(Vec<Change>, Vec<u32>), ChangesError>,
}

impl ComparedBatch {
    fn of(made: &[&MergedOrganization], before: Option<&Before<'_>>) -> Result<Self, BuildError> {
        let of = |one: &&MergedOrganization| Compared::of(&one.organization, &one.filings);
        let rows: Vec<Compared> = made.par_iter().map(of).collect();
        let blocks = rows.par_chunks(PACKED).map(compared::Block::of).collect::<Result<_, _>>();
        let blocks = blocks.map_err(BuildError::io(compared::FILE))?;
        let changed = before.map_or_else(|| Ok(Default::default()), |before| before.changes(&rows));
        Ok(Self { blocks, changed })
    }
}

/// What an organization contributes to the indexes.
struct IndexEntries {
    row: columns::ColumnRow,
    text: String,
    names: names::Text,
    /// The keys of its addresses.
    addresses: Vec<u32>,
}

/// The returns of an organization, and the metrics in them.
struct OrganizationFilings {
    org: OrgId,
    count: u64,
    tax_years: Vec<u16>,
    blocks: Vec<store::Block<Vec<Filing>>>,
    metrics: Vec<Metric>,
}

impl OrganizationFilings {
    fn of(org: OrgId, filings: Vec<Filing>) -> Result<Self, BuildError> {
        let stated = |filing: &Filing| {
            let url = filing.object_id.as_deref().map(filing_url);
            impact::metrics(filing, url.as_deref())
        };
        let metrics = filings.iter().flat_map(stated).collect();
        let count = filings.len() as u64;
        let tax_years = filings.iter().map(|filing| filing.tax_year).collect();
        let blocks = store::pack(org.0, &[filings])?;
        Ok(Self { org, count, tax_years, blocks, metrics })
    }
}

/// What was written.
pub(super) struct WriteSummary {
    /// What typeahead offers.
    pub(super) suggested: typeahead::Counts,
    pub(super) items: report::Items,
    pub(super) coverage: Coverage,
    /// Sources of the items that a later one of the same identifier replaced.
    pub(super) superseded: Vec<u32>,
    /// What is to be embedded, and below which folder of the snapshot its vectors go; of organizations first.
    pub(super) texts: Vec<(&'static str, Texts)>,
    /// The weight and the filed code of each organization.
    pub(super) known_causes: Vec<KnownCause>,
}

impl WriteSummary {
    /// What organizations are for, to be predicted.
    pub(super) fn causes(&self) -> Result<Causes<'_>, BuildError> {
        let (_, texts) = &self.texts[0];
        Causes::new(texts, &self.known_causes)
    }
}

/// Writes the data files into `folder`.
pub(super) fn write(
    merged: MergedOrganizations,
    items: &Items,
    summaries: &Summaries,
    earlier: Option<&Earlier>,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<WriteSummary, BuildError> {
    progress.stage("writing records", Some(merged.len() as u64));
    let compared =
        ComparedWriter::create(folder).map_err(BuildError::io(folder.join(compared::FILE)))?;
    let before = earlier.map(Earlier::before);
    let mut writers = Writers {
        store: store::Writer::create(folder)?,
        columns: columns::Builder::new(),
        typeahead: typeahead::Builder::new(),
        names: names::Builder::new(),
        addresses: Vec::new(),
        fulltext: fulltext::Builder::create(folder)?,
        texts: Texts::default(),
        extracted: ExtractedItems::new(folder)?,
        listed: Extracted::new(folder)?,
        coverage: Coverage::default(),
        filings: 0,
        known_causes: Vec::new(),
        compared,
        feed: earlier.map(|earlier| ChangeDetector::new(earlier.before())),
    };
    write_organizations(&merged, summaries, before.as_ref(), &mut writers, progress)?;
    writers.append_departed(&merged, before.as_ref())?;
    departed::write(folder, merged.departed())?;
    let coverage = writers.coverage;
    coverage.write(folder).map_err(BuildError::io(folder.join(coverage::FILE)))?;
    let finished = writers.compared.finish(merged.len() as u32, &coverage);
    finished.map_err(BuildError::io(folder.join(compared::FILE)))?;
    // An unreadable earlier snapshot yields no changes; it is being replaced anyway.
    let changes = writers.feed.and_then(|feed| feed.finish(&coverage).ok());
    changes.map(|one| changes_since(earlier, one, progress)).unwrap_or_default().write(folder)?;
    let departed = merged.departed().len() as u64;
    let mut counts =
        report::Items { departed, filings: writers.filings, ..report::Items::default() };
    let mut writing = Writing {
        store: &mut writers.store,
        folder,
        arena: merged.arena(),
        numbers: &merged.numbers(),
        progress,
        texts: vec![("", writers.texts)],
        superseded: Vec::new(),
        withdrawn: HashSet::new(),
    };
    writing.write_items(items, &writers.extracted, &mut counts)?;
    progress.stage("writing grants and people", None);
    let grants = writers.listed.write(&mut writing, &mut counts)?;
    let Writing { texts, superseded, .. } = writing;
    drop((merged, writers.extracted));
    writers.store.finish()?;
    progress.stage("writing columns", None);
    writers.columns.finish(folder)?;
    progress.stage("writing typeahead", None);
    let suggested = writers.typeahead.finish(folder)?;
    progress.stage("writing names", None);
    writers.names.finish(folder)?;
    postings::write(&folder.join(ADDRESSES), writers.addresses)?;
    progress.stage("writing full text", None);
    writers.fulltext.finish()?;
    counts.linked = links::write(folder, &grants, progress)?;
    let known_causes = writers.known_causes;
    Ok(WriteSummary { coverage, suggested, items: counts, superseded, texts, known_causes })
}

/// Writes the organizations in batches: while one is written, the next is made.
fn write_organizations(
    merged: &MergedOrganizations,
    summaries: &Summaries,
    before: Option<&Before<'_>>,
    writers: &mut Writers<'_>,
    progress: &dyn Progress,
) -> Result<(), BuildError> {
    let mut pending = None;
    for first in (0..merged.len()).step_by(BATCH) {
        let ready = pending.take();
        let (next, written) = rayon::join(
            || make(merged, first..(first + BATCH).min(merged.len()), summaries, before),
            || ready.map_or(Ok(0), |batch| writers.append(batch)),
        );
        progress.advance(written?);
        pending = Some(next?);
    }
    if let Some(batch) = pending {
        progress.advance(writers.append(batch)?);
    }
    Ok(())
}

/// An organization, what it contributes to the indexes, and what its returns list.
type Built = (MergedOrganization, IndexEntries, OfOrganization);

fn make(
    merged: &MergedOrganizations,
    numbers: std::ops::Range<usize>,
    summaries: &Summaries,
    before: Option<&Before<'_>>,
) -> Result<Batch, BuildError> {
    let first = numbers.start;
    let one = |number| make_one(merged, number, summaries);
    let built: Vec<Built> = numbers.into_par_iter().map(one).collect::<Result<_, _>>()?;
    let made: Vec<&MergedOrganization> = built.iter().map(|(merged, ..)| merged).collect();
    let compared = ComparedBatch::of(&made, before)?;
    let mut organizations = Vec::with_capacity(built.len());
    let mut entries = Vec::with_capacity(built.len());
    let (mut filed, mut funds, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    for (org, (merged, of_indexes, of_returns)) in (first as u32..).map(OrgId::new).zip(built) {
        funds.extend(fund_of(&merged.organization, &merged.filings));
        if !merged.filings.is_empty() {
            listed.push((org, of_returns));
            filed.push((org, merged.filings));
        }
        organizations.push(merged.organization);
        entries.push(of_indexes);
    }
    let blocks = organizations
        .par_chunks(PACKED)
        .enumerate()
        .map(|(at, run)| store::pack((first + at * PACKED) as u32, run))
        .collect::<Result<_, _>>()?;
    let filed = filed
        .into_par_iter()
        .map(|(org, filings)| OrganizationFilings::of(org, filings))
        .collect::<Result<_, BuildError>>()?;
    let listed = schedules::Batch::of(listed)?;
    Ok(Batch { first, organizations, entries, blocks, filed, funds, listed, compared })
}

fn make_one(
    merged: &MergedOrganizations,
    number: usize,
    summaries: &Summaries,
) -> Result<Built, BuildError> {
    let mut one = merged.make(number)?;
    let MergedOrganization { organization, filings, schedules } = &mut one;
    if organization.impact_summary.is_none() {
        organization.impact_summary = summaries.get(&organization.ein.pack()).cloned();
    }
    let whole = filings.iter().find(|filing| filing.is_whole());
    let entries = IndexEntries {
        row: columns::ColumnRow::of(organization),
        text: recipe::organization(organization, whole),
        names: names::Text::of(OrgId::new(number as u32), organization, filings),
        addresses: matching::address_keys(organization, filings),
    };
    let listed = OfOrganization::of(organization, filings, std::mem::take(schedules));
    Ok((one, entries, listed))
}

/// What is written to.
struct Writers<'a> {
    store: store::Writer,
    columns: columns::Builder,
    typeahead: typeahead::Builder,
    names: names::Builder,
    /// Organizations by the keys of their addresses.
    addresses: Vec<(u32, OrgId)>,
    fulltext: fulltext::Builder,
    texts: Texts,
    extracted: ExtractedItems,
    listed: Extracted,
    coverage: Coverage,
    filings: u64,
    known_causes: Vec<KnownCause>,
    compared: ComparedWriter,
    /// What changed since the snapshot before, where there is one that can be read.
    feed: Option<ChangeDetector<'a>>,
}

impl Writers<'_> {
    /// Adds those that only lists of who was exempt have: to be looked up by EIN and found by name.
    fn append_departed(
        &mut self,
        merged: &MergedOrganizations,
        before: Option<&Before<'_>>,
    ) -> Result<(), BuildError> {
        let count = merged.departed().len();
        for first in (0..count).step_by(BATCH) {
            let batch = first..(first + BATCH).min(count);
            let made: Vec<MergedOrganization> = batch
                .into_par_iter()
                .map(|at| merged.make_departed(at))
                .collect::<Result<_, ArenaError>>()?;
            self.append_compared(ComparedBatch::of(&made.iter().collect::<Vec<_>>(), before)?)?;
            let organizations: Vec<_> = made.into_iter().map(|made| made.organization).collect();
            let first = (merged.len() + first) as u32;
            for (number, organization) in (first..).zip(&organizations) {
                let others = organization.other_names.iter().map(String::as_str);
                let names: Vec<&str> =
                    std::iter::once(organization.legal_name.as_str()).chain(others).collect();
                let (weight, card) = (Weight::of(organization), Card::of(organization));
                self.typeahead.add(OrgId::new(number), Scope::All, weight, &names, &card)?;
            }
            for (run, organizations) in organizations.chunks(PACKED).enumerate() {
                let first = first + (run * PACKED) as u32;
                self.store.append(&store::pack(first, organizations)?)?;
            }
        }
        Ok(())
    }

    fn append_compared(&mut self, batch: ComparedBatch) -> Result<(), BuildError> {
        self.compared.append(&batch.blocks).map_err(BuildError::io(compared::FILE))?;
        match (&mut self.feed, batch.changed) {
            (Some(feed), Ok((changes, known))) => feed.add(changes, &known),
            (feed, _) => *feed = None,
        }
        Ok(())
    }

    /// Adds a batch; says how many organizations it had.
    fn append(&mut self, batch: Batch) -> Result<u64, BuildError> {
        let mut names = Vec::new();
        for (number, organization) in (batch.first as u32..).zip(&batch.organizations) {
            self.coverage.add(organization);
            names.clear();
            names.push(organization.legal_name.as_str());
            names.extend(organization.other_names.iter().map(String::as_str));
            let mission = organization.summary.as_deref();
            self.fulltext.add(&fulltext::Text { names: &names, mission })?;
            let is_active_charity = organization.exemption.is_active_charity();
            let scope = if is_active_charity { Scope::ActiveCharities } else { Scope::All };
            let (weight, card) = (Weight::of(organization), Card::of(organization));
            self.typeahead.add(OrgId::new(number), scope, weight, &names, &card)?;
            self.known_causes.push(KnownCause::of(organization));
            self.listed.add_organization(OrgId::new(number), organization);
        }
        self.append_compared(batch.compared)?;
        for (org, entries) in (batch.first as u32..).map(OrgId::new).zip(batch.entries) {
            self.texts.push(&entries.text);
            self.names.add(entries.names);
            self.addresses.extend(entries.addresses.into_iter().map(|key| (key, org)));
            self.columns.push(entries.row)?;
        }
        for blocks in &batch.blocks {
            self.store.append(blocks)?;
        }
        for filed in &batch.filed {
            self.filings += filed.count;
            filed.tax_years.iter().for_each(|year| self.coverage.add_return(*year));
            self.store.append(&filed.blocks)?;
            for metric in &filed.metrics {
                self.extracted.add_metric(filed.org, metric)?;
            }
        }
        for fund in &batch.funds {
            self.extracted.add_fund(fund)?;
        }
        self.listed.add(&mut self.store, batch.listed)?;
        Ok(batch.organizations.len() as u64)
    }
}
