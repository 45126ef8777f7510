//! What each organization is probably for: the NTEE codes that a classifier gives it, and who has each code, filed
//! or predicted.
//!
//! Nothing here is shown as filed: it is evidence when rows are ranked. Three files, little-endian.
//! `causes/predicted`, by OrgId: [`PREDICTED`] times a code (3 bytes, the first 0 for none) and its
//! probability (u8, of 255), the likeliest first. `causes/codes`: each code that somebody has, rising: the code,
//! a zero, and where its list ends (u32). `causes/organizations`: those lists of OrgIds (u32), the
//! heaviest first.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::index::columns::Bitmap;
use crate::index::partition_point;
use crate::index::typeahead::Weight;
use crate::mapped::{Damage, MapError, MappedFile, OpenError};
use crate::record::{Ntee, OrgId};

/// Codes that are kept of what is predicted of an organization.
pub const PREDICTED: usize = 3;
/// How probable a predicted code must be for its list to have the organization.
const LISTED_MIN: f32 = 0.2;
/// Organizations of the lists of a prefix that are looked at for those that match.
pub const LISTED_MAX: usize = 1 << 16;
/// How many times as many organizations as of one code a prefix of many may bring.
const CODES_A_PREFIX: usize = 4;

const PREDICTED_FILE: &str = "causes/predicted";
const CODES_FILE: &str = "causes/codes";
const ORGANIZATIONS_FILE: &str = "causes/organizations";

const PAIR_BYTES: usize = 4;
const ROW_BYTES: usize = PREDICTED * PAIR_BYTES;
const CODE_BYTES: usize = 8;

/// A predicted code and its probability.
pub type Predicted = (Ntee, f32);

/// Why the index cannot be built.
#[derive(Debug, thiserror::Error)]
#[error("cannot write what organizations are for in {}", path.display())]
pub struct BuildError {
    path: PathBuf,
    source: io::Error,
}

/// Collects organizations in the order of OrgId: 20 bytes each.
#[derive(Debug, Default)]
pub struct Builder {
    rows: Vec<u8>,
    lists: BTreeMap<[u8; 3], Vec<(Weight, OrgId)>>,
}

impl Builder {
    /// Adds the next organization: what it filed, and what is predicted, the likeliest first.
    pub fn add(&mut self, weight: Weight, filed: Option<Ntee>, predicted: &[Predicted]) {
        let org = OrgId::new((self.rows.len() / ROW_BYTES) as u32);
        let listed = predicted.iter().filter(|one| one.1 >= LISTED_MIN).map(|one| one.0);
        let mut codes: Vec<[u8; 3]> = filed.into_iter().chain(listed).map(Ntee::bytes).collect();
        codes.sort_unstable();
        codes.dedup();
        for code in codes {
            self.lists.entry(code).or_default().push((weight, org));
        }
        for at in 0..PREDICTED {
            let pair = predicted.get(at).map_or([0; PAIR_BYTES], |(code, probability)| {
                let [a, b, c] = code.bytes();
                [a, b, c, (probability.clamp(0.0, 1.0) * 255.0).round() as u8]
            });
            self.rows.extend_from_slice(&pair);
        }
    }

    /// Writes the files into a snapshot's folder. Not synced: who stages the snapshot does that.
    pub fn finish(self, folder: &Path) -> Result<(), BuildError> {
        let path = folder.join("causes");
        self.write(folder, &path).map_err(|source| BuildError { path, source })
    }

    fn write(self, folder: &Path, own: &Path) -> io::Result<()> {
        fs::create_dir_all(own)?;
        fs::write(folder.join(PREDICTED_FILE), self.rows)?;
        let (mut codes, mut organizations) = (Vec::new(), Vec::new());
        for (code, mut list) in self.lists {
            list.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            organizations.extend(list.iter().flat_map(|(_, org)| org.0.to_le_bytes()));
            let end = u32::try_from(organizations.len() / 4).map_err(io::Error::other)?;
            codes.extend_from_slice(&code);
            codes.push(0);
            codes.extend_from_slice(&end.to_le_bytes());
        }
        fs::write(folder.join(CODES_FILE), codes)?;
        fs::write(folder.join(ORGANIZATIONS_FILE), organizations)
    }
}

/// The opened index.
#[derive(Debug)]
pub struct Causes {
    predicted: MappedFile,
    codes: MappedFile,
    organizations: MappedFile,
}

impl Causes {
    /// Opens the index; `open` maps one of its files.
    pub fn open(
        open: &mut dyn FnMut(&str) -> Result<MappedFile, MapError>,
    ) -> Result<Self, OpenError> {
        let of_rows = |file: MappedFile, bytes: usize| match file.len() % bytes {
            0 => Ok(file),
            _ => Err(OpenError::from(file.form(format!("expected rows of {bytes} bytes")))),
        };
        Ok(Self {
            predicted: of_rows(open(PREDICTED_FILE)?, ROW_BYTES)?,
            codes: of_rows(open(CODES_FILE)?, CODE_BYTES)?,
            organizations: of_rows(open(ORGANIZATIONS_FILE)?, 4)?,
        })
    }

    /// The codes that are predicted of an organization, the likeliest first.
    pub fn predicted(&self, org: OrgId) -> Result<Vec<Predicted>, Damage> {
        let start = org.index() * ROW_BYTES;
        let row = self.predicted.bytes(start..start + ROW_BYTES)?;
        let pairs = row.as_chunks::<PAIR_BYTES>().0.iter().filter(|pair| pair[0] != 0);
        let pair = |[a, b, c, probability]: &[u8; PAIR_BYTES]| {
            let code = Ntee::from_bytes([*a, *b, *c]);
            let code = code.ok_or_else(|| self.predicted.form(format!("no code of {org:?}")))?;
            Ok((code, f32::from(*probability) / 255.0))
        };
        pairs.map(pair).collect()
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
        let count = self.codes.len() / CODE_BYTES;
        let begin = partition_point(0, count, |at| Ok(self.code(at)? < prefix))?;
        let end = partition_point(begin, count, |at| Ok(self.code(at)?.starts_with(prefix)))?;
        let each = k.min((CODES_A_PREFIX * k / (end - begin).max(1)).max(1));
        let (mut found, mut is_cut, mut steps) = (Vec::new(), false, 0);
        for at in begin..end {
            let start = at.checked_sub(1).map_or(Ok(0), |before| self.end(before))?;
            let mut of_code = 0;
            for index in start..self.end(at)? {
                if of_code == each || steps == LISTED_MAX {
                    is_cut = true;
                    break;
                }
                steps += 1;
                let org = OrgId::new(self.organizations.u32_at(0, index)?);
                if matching.contains(org) {
                    found.push(org);
                    of_code += 1;
                }
            }
        }
        Ok((found, is_cut))
    }

    fn code(&self, at: usize) -> Result<&[u8], Damage> {
        let start = at * CODE_BYTES;
        self.codes.bytes(start..start + 3)
    }

    /// Where the list of a code ends.
    fn end(&self, at: usize) -> Result<usize, Damage> {
        Ok(self.codes.u32_at(0, at * CODE_BYTES / 4 + 1)? as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapped::BlockSums;

    fn ntee(code: &str) -> Ntee {
        code.parse().unwrap()
    }

    fn opened(folder: &Path) -> Causes {
        Causes::open(&mut |name| {
            let path = folder.join(name);
            let sums = BlockSums::of(fs::File::open(&path).unwrap(), |_| {}).unwrap();
            MappedFile::open(&path, name, sums)
        })
        .unwrap()
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
        let causes = opened(folder.path());
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
