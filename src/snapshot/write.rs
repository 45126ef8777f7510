//! Writes the data files of a snapshot: records, columns, typeahead.

use std::path::Path;

use rayon::prelude::*;

use super::error::BuildError;
use super::meaning::Texts;
use super::merge::Merged;
use super::report::Progress;
use crate::embed::recipe;
use crate::index::typeahead::{Card, Weight};
use crate::index::{columns, fulltext, typeahead};
use crate::record::{OrgId, Organization};
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
    rows: Vec<columns::Row>,
    texts: Vec<String>,
    blocks: Vec<Vec<store::Block>>,
}

/// Writes the data files into `folder`; says how many organizations typeahead offers, and what is
/// to be embedded.
pub(super) fn write(
    merged: Merged,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<(typeahead::Counts, Texts), BuildError> {
    progress.stage("writing records", Some(merged.len() as u64));
    let mut out = Out {
        store: store::Writer::create(&folder.join(store::FILE))?,
        columns: columns::Builder::new(),
        typeahead: typeahead::Builder::new(),
        fulltext: fulltext::Builder::create(folder)?,
        texts: Texts::default(),
    };
    // While one batch is written, the next is made.
    let mut made = None;
    for first in (0..merged.len()).step_by(BATCH) {
        let ready = made.take();
        let (next, written) = rayon::join(
            || make(&merged, first..(first + BATCH).min(merged.len())),
            || ready.map_or(Ok(0), |batch| out.append(batch)),
        );
        progress.advance(written?);
        made = Some(next?);
    }
    if let Some(batch) = made {
        progress.advance(out.append(batch)?);
    }
    drop(merged);
    let Out { store, columns, typeahead, fulltext, texts } = out;
    store.finish()?;
    progress.stage("writing columns", None);
    columns.finish(folder)?;
    progress.stage("writing typeahead", None);
    let counts = typeahead.finish(folder)?;
    progress.stage("writing full text", None);
    fulltext.finish()?;
    Ok((counts, texts))
}

fn make(merged: &Merged, numbers: std::ops::Range<usize>) -> Result<Batch, BuildError> {
    let first = numbers.start;
    let made: Vec<(Organization, columns::Row)> = numbers
        .into_par_iter()
        .map(|number| {
            let organization = merged.organization(number)?;
            let row = columns::Row::of(&organization);
            Ok((organization, row))
        })
        .collect::<Result<_, BuildError>>()?;
    let (organizations, rows): (Vec<_>, Vec<_>) = made.into_iter().unzip();
    let texts = organizations.par_iter().map(recipe::organization).collect();
    let blocks: Vec<Vec<store::Block>> = organizations
        .par_chunks(PACKED)
        .enumerate()
        .map(|(at, run)| store::pack(OrgId((first + at * PACKED) as u32), run))
        .collect::<Result<_, _>>()?;
    Ok(Batch { first, organizations, rows, texts, blocks })
}

/// What is written to.
struct Out {
    store: store::Writer,
    columns: columns::Builder,
    typeahead: typeahead::Builder,
    fulltext: fulltext::Builder,
    texts: Texts,
}

impl Out {
    /// Adds a batch; says how many organizations it had.
    fn append(&mut self, batch: Batch) -> Result<u64, BuildError> {
        let mut names = Vec::new();
        for (number, organization) in (batch.first as u32..).zip(&batch.organizations) {
            names.clear();
            names.push(organization.legal_name.as_str());
            names.extend(organization.other_names.iter().map(String::as_str));
            self.fulltext.add(&fulltext::Text { names: &names, mission: None })?;
            if !organization.exemption.is_active_charity() {
                continue;
            }
            let (weight, card) = (Weight::of(organization), Card::of(organization));
            self.typeahead.add(OrgId(number), weight, &names, &card)?;
        }
        batch.texts.iter().for_each(|text| self.texts.push(text));
        for row in batch.rows {
            self.columns.push(row)?;
        }
        for blocks in &batch.blocks {
            self.store.append(blocks)?;
        }
        Ok(batch.organizations.len() as u64)
    }
}
