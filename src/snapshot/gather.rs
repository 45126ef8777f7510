//! Reads every source: rows to an arena with a small key each, rejects to a file.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::arena::{Arena, Place};
use super::error::BuildError;
use super::report::Progress;
use crate::irs::{self, Event, Reject, Row};
use crate::record::Revocation;

/// Rejects that an error shows: enough to see what is wrong, few enough for a screen.
const REJECTS_SHOWN: usize = 5;

/// Rows of all sources together: five times what the IRS lists, and what 6 GB of memory hold, so
/// that a ZIP file which unpacks without end is refused before it fills the memory.
const ROWS_MAX: u64 = 32_000_000;

/// What the sources hold. Every list has a row's source and value, in the order read.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) sources: Vec<irs::Summary>,
    pub(super) arena: Arena,
    pub(super) master: Vec<Keyed<Place>>,
    /// Index into `code_lists`.
    pub(super) publication_78: Vec<Keyed<u32>>,
    /// The distinct lists of Publication 78's codes.
    pub(super) code_lists: Vec<Vec<String>>,
    pub(super) revocations: Vec<Keyed<Revocation>>,
    /// Where website and names are; `None` when the row has neither.
    pub(super) postcards: Vec<Keyed<Option<Place>>>,
    /// Rejects by field and reason.
    pub(super) rejects: BTreeMap<(String, String), u64>,
    rows: u64,
}

/// A row by its EIN. Of one EIN the greatest rank counts, and of one rank the last.
#[derive(Debug, Clone)]
pub(super) struct Keyed<Value> {
    pub(super) ein: u32,
    pub(super) rank: u32,
    pub(super) source: u32,
    pub(super) value: Value,
}

/// Reads the sources in order; `rejects` is the file of those.
pub(super) fn gather(
    sources: &[irs::Source],
    rejects: &Path,
    reject_limit_percent: f64,
    progress: &dyn Progress,
) -> Result<Gathered, BuildError> {
    let io = |source| BuildError::Io { path: rejects.to_owned(), source };
    let mut list = BufWriter::new(File::create(rejects).map_err(io)?);
    let mut gathered = Gathered::default();
    let mut code_lists = HashMap::new();
    for (index, source) in sources.iter().enumerate() {
        let mut first_rejects = Vec::new();
        let mut bytes_before = 0;
        let summary = irs::read::<BuildError>(source, &mut |event| {
            match event {
                Event::Row { row, .. } => {
                    gathered.count_row(source)?;
                    gathered.take(index as u32, row, &mut code_lists)?;
                }
                Event::Reject(reject) => {
                    serde_json::to_writer(&mut list, &reject).map_err(|e| io(e.into()))?;
                    list.write_all(b"\n").map_err(io)?;
                    let Reject { field, reason, .. } = reject.clone();
                    *gathered.rejects.entry((field, reason)).or_default() += 1;
                    if first_rejects.len() < REJECTS_SHOWN {
                        first_rejects.push(reject);
                    }
                }
                Event::Progress { text_bytes } => {
                    progress.advance(text_bytes.saturating_sub(bytes_before));
                    bytes_before = text_bytes;
                }
            }
            Ok(())
        })?;
        let lines = summary.rows + summary.rejects;
        if summary.rejects as f64 * 100.0 > lines as f64 * reject_limit_percent {
            list.flush().map_err(io)?;
            return Err(BuildError::TooManyRejects {
                name: summary.name,
                rejects: summary.rejects,
                lines,
                limit_percent: reject_limit_percent,
                first: first_rejects,
                list: rejects.to_owned(),
            });
        }
        gathered.sources.push(summary);
    }
    list.flush().map_err(io)?;
    Ok(gathered)
}

impl Gathered {
    fn count_row(&mut self, source: &irs::Source) -> Result<(), BuildError> {
        self.rows += 1;
        if self.rows > ROWS_MAX {
            return Err(BuildError::TooManyRows { path: source.path.clone(), limit: ROWS_MAX });
        }
        Ok(())
    }

    fn take(
        &mut self,
        source: u32,
        row: Row,
        code_lists: &mut HashMap<Vec<String>, u32>,
    ) -> Result<(), BuildError> {
        match row {
            Row::Master(row) => {
                let rank = row.tax_period.map_or(0, |month| u32::from(month.ordinal()) + 1);
                let value = self.arena.add(&row)?;
                self.master.push(Keyed { ein: row.ein.pack(), rank, source, value });
            }
            Row::Publication78(row) => {
                let ein = row.ein.pack();
                let value = match code_lists.get(&row.codes) {
                    Some(&known) => known,
                    None => {
                        let next = self.code_lists.len() as u32;
                        self.code_lists.push(row.codes.clone());
                        code_lists.insert(row.codes, next);
                        next
                    }
                };
                self.publication_78.push(Keyed { ein, rank: 0, source, value });
            }
            Row::Revocation(row) => {
                let rank = u32::from(row.revoked);
                let value = Revocation {
                    revoked: row.revoked,
                    posted: row.posted,
                    reinstated: row.reinstated,
                };
                self.revocations.push(Keyed { ein: row.ein.pack(), rank, source, value });
            }
            Row::Postcard(row) => {
                let empty = row.website.is_none() && row.doing_business_as.is_empty();
                let kept = (row.website, row.doing_business_as);
                let value = if empty { None } else { Some(self.arena.add(&kept)?) };
                let rank = u32::from(row.tax_year);
                self.postcards.push(Keyed { ein: row.ein.pack(), rank, source, value });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_end_are_refused() {
        let source =
            irs::Source { path: "eo.zip".into(), member: None, kind: irs::Kind::MasterFile };
        let mut gathered = Gathered { rows: ROWS_MAX - 1, ..Gathered::default() };
        gathered.count_row(&source).unwrap();
        let error = gathered.count_row(&source).unwrap_err();
        assert!(error.to_string().starts_with("eo.zip: more than 32000000 rows"), "{error}");
    }
}
