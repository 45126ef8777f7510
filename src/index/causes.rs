//! What each organization is probably for: the NTEE codes that a classifier gives it, and who has each code, filed
//! or predicted.
//!
//! Nothing here is shown as filed: it is evidence when rows are ranked. The table `causes`: `predicted`, by OrgId,
//! [`PREDICTED`] times a code (3 bytes, the first 0 for none) and its probability (u8, of 255), the likeliest first;
//! `codes`, each code that somebody has (3 bytes), rising; and the lists `organizations` of those who have each code
//! (OrgId, u32), the heaviest first.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use crate::index::columns::Bitmap;
use crate::index::typeahead::Weight;
use crate::mapped::{Column, Damage, Files, Lists, OpenError, Table, TableWriter, WriteError};
use crate::record::{Ntee, OrgId};

/// Codes that are kept of what is predicted of an organization.
pub const PREDICTED: usize = 3;
/// How probable a predicted code must be for its list to have the organization.
const LISTED_MIN: f32 = 0.2;
/// Organizations of the lists of a prefix that are looked at for those that match.
pub const LISTED_MAX: usize = 1 << 16;
/// How many times as many organizations as of one code a prefix of many may bring.
const CODES_A_PREFIX: usize = 4;

const FILE: &str = "causes";

/// A code and its probability.
type Pair = [u8; 4];

/// A predicted code and its probability.
pub type Predicted = (Ntee, f32);

/// Collects organizations in the order of OrgId: 20 bytes each.
#[derive(Debug, Default)]
pub struct Builder {
    rows: Vec<Pair>,
    lists: BTreeMap<[u8; 3], Vec<(Weight, OrgId)>>,
}

impl Builder {
    /// Adds the next organization: what it filed, and what is predicted, the likeliest first.
    pub fn add(&mut self, weight: Weight, filed: Option<Ntee>, predicted: &[Predicted]) {
        let org = OrgId::new((self.rows.len() / PREDICTED) as u32);
        let listed = predicted.iter().filter(|one| one.1 >= LISTED_MIN).map(|one| one.0);
        let mut codes: Vec<[u8; 3]> = filed.into_iter().chain(listed).map(Ntee::bytes).collect();
        codes.sort_unstable();
        codes.dedup();
        for code in codes {
            self.lists.entry(code).or_default().push((weight, org));
        }
        for at in 0..PREDICTED {
            self.rows.push(predicted.get(at).map_or([0; 4], |(code, probability)| {
                let [a, b, c] = code.bytes();
                [a, b, c, (probability.clamp(0.0, 1.0) * 255.0).round() as u8]
            }));
        }
    }

    /// Writes the table into a snapshot's folder.
    pub fn finish(mut self, folder: &Path) -> Result<(), WriteError> {
        let mut out = TableWriter::create(&folder.join(FILE))?;
        out.column("predicted", self.rows)?;
        for list in self.lists.values_mut() {
            list.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        }
        out.column("codes", self.lists.keys().copied())?;
        let lists = self.lists.values().map(|list| list.iter().map(|(_, org)| org.0));
        out.lists("organizations", lists)?;
        out.finish().map(drop)
    }
}

/// The opened index.
#[derive(Debug)]
pub struct Causes {
    predicted: Column<Pair>,
    codes: Column<[u8; 3]>,
    organizations: Lists<u32>,
}

impl Causes {
    /// Opens the index.
    pub fn open(files: &mut Files<'_>) -> Result<Self, OpenError> {
        let table = Table::open(files, FILE)?;
        let organizations: Lists<u32> = table.lists("organizations")?;
        let codes = table.column_of("codes", organizations.count())?;
        Ok(Self { predicted: table.column("predicted")?, codes, organizations })
    }

    /// The codes that are predicted of an organization, the likeliest first.
    pub fn predicted(&self, org: OrgId) -> Result<Vec<Predicted>, Damage> {
        let start = org.index() * PREDICTED;
        let row = self.predicted.range(start..start + PREDICTED)?;
        let pair = |[a, b, c, probability]: Pair| {
            let code = Ntee::from_bytes([a, b, c]);
            let code = code.ok_or_else(|| self.predicted.form(format!("no code of {org:?}")))?;
            Ok((code, f32::from(probability) / 255.0))
        };
        row.iter().filter(|pair| pair[0] != 0).map(pair).collect()
    }

    /// Organizations of a set that filed a code with that prefix, or of which such a code is predicted: at
    /// most `k` of the list of each code, and four times `k` of all, the heaviest of each first; and
    /// whether there may be more. No more than [`LISTED_MAX`] of the lists are looked at.
    pub fn having(
        &self,
        prefix: &str,
        matching: &Bitmap,
        k: usize,
    ) -> Result<(Vec<OrgId>, bool), Damage> {
        let prefix = prefix.as_bytes();
        let count = self.codes.count();
        let begin = self.codes.partition_point(0..count, |code| &code[..] < prefix)?;
        let end = self.codes.partition_point(begin..count, |code| code.starts_with(prefix))?;
        let each = k.min((CODES_A_PREFIX * k / (end - begin).max(1)).max(1));
        let (mut found, mut is_cut, mut steps) = (Vec::new(), false, 0);
        for at in begin..end {
            let mut of_code = 0;
            let Range { start, end } = self.organizations.place(at)?;
            let list = start..end.min(start + LISTED_MAX + 1);
            for org in self.organizations.values().range(list)?.iter().map(OrgId::new) {
                if of_code == each || steps == LISTED_MAX {
                    is_cut = true;
                    break;
                }
                steps += 1;
                if matching.contains(org) {
                    found.push(org);
                    of_code += 1;
                }
            }
        }
        Ok((found, is_cut))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapped::files_in;

    fn ntee(code: &str) -> Ntee {
        code.parse().unwrap()
    }

    #[test]
    fn lists_have_who_filed_a_code_or_probably_has_it_the_heaviest_first() {
        let folder = tempfile::tempdir().unwrap();
        let mut builder = Builder::default();
        let weight = |revenue| {
            let mut organization =
                crate::record::Organization::named(crate::record::Ein::unpack(1).unwrap(), "A");
            organization.finances.revenue = Some(crate::record::Usd::new(revenue));
            Weight::of(&organization)
        };
        builder.add(weight(5), Some(ntee("K31")), &[(ntee("K30"), 0.6), (ntee("P20"), 0.1)]);
        builder.add(weight(5_000_000), None, &[(ntee("K31"), 0.9)]);
        builder.add(weight(500), None, &[(ntee("K31"), 0.1)]);
        builder.add(weight(50), Some(ntee("K31")), &[(ntee("K31"), 1.0)]);
        builder.finish(folder.path()).unwrap();
        let causes = Causes::open(&mut files_in(folder.path())).unwrap();
        let all = Bitmap::all(4);
        let having = |prefix, set: &Bitmap, k| -> Vec<u32> {
            causes.having(prefix, set, k).unwrap().0.into_iter().map(|org| org.0).collect()
        };
        assert_eq!(having("K31", &all, 9), [1, 3, 0]);
        assert_eq!(having("K31", &all, 2), [1, 3]);
        assert_eq!(having("K3", &all, 9), [0, 1, 3, 0], "list by list");
        assert_eq!(having("K31", &Bitmap::of(4, [OrgId::new(0), OrgId::new(2)]), 9), [0]);
        assert!(having("P", &all, 9).is_empty() && having("Z", &all, 9).is_empty());
        let is_cut = |prefix, k| causes.having(prefix, &all, k).unwrap().1;
        assert!(is_cut("K31", 2) && !is_cut("K31", 3) && !is_cut("P", 1));
        let predicted = causes.predicted(OrgId::new(0)).unwrap();
        assert_eq!(
            predicted.iter().map(|one| one.0).collect::<Vec<_>>(),
            [ntee("K30"), ntee("P20")]
        );
        assert!((predicted[0].1 - 0.6).abs() < 0.01);
        assert!(causes.predicted(OrgId::new(4)).is_err());
    }
}
