//! What is known of each organization when a question is compared with it: its names term by term,
//! where it is, how heavy it is.
//!
//! Of the table of names: `ranks` (u32), by OrgId; and the lists `documents`, by rank: u32 OrgId, u16 weight,
//! u8 [`ACTIVE_CHARITY`] or 0; then in LEB128, of its city, of its county and of its region (state and ZIP code) how
//! many terms they have, and those; and of each of its names its [`Name`] and whether it has initials (the lowest bit),
//! then of its [`Spelling`] the hash (u16) and the words (u64), how many terms it has, and those. The pairs `names` are
//! ranks by the [`hash`] of a whole name: the heaviest of a name come first.

use xxhash_rust::xxh3::xxh3_64;

use super::analysis::Spelling;
use super::postings::{read_varint, write_varint};
use super::terms::TermId;
use crate::mapped::{Column, Damage, Lists, Pairs, Table};
use crate::record::OrgId;

/// An active 501(c)(3).
const ACTIVE_CHARITY: u8 = 1;
const FIXED_BYTES: usize = 7;

/// Which of its names an organization was found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Name {
    /// The legal name.
    #[default]
    Legal,
    /// Another one by its position among the other names: a chapter, a DBA name.
    Other(u32),
    /// A name under which it filed a return, by its position among those.
    Filed(u32),
    /// The host of its website.
    Host,
    /// The initials of its legal name or of another one.
    Initials,
}

impl Name {
    /// Four kinds, in the two lower bits.
    fn encode(self) -> u32 {
        match self {
            Self::Legal => 0,
            Self::Other(at) => at << 2 | 1,
            Self::Filed(at) => at << 2 | 2,
            Self::Host => 3,
            Self::Initials => 1 << 2 | 3,
        }
    }

    fn decode(code: u32) -> Self {
        match code & 3 {
            0 => Self::Legal,
            1 => Self::Other(code >> 2),
            2 => Self::Filed(code >> 2),
            _ if code >> 2 == 0 => Self::Host,
            _ => Self::Initials,
        }
    }
}

/// A name of an organization.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct NameEntry {
    pub name: Name,
    pub spelling: Spelling,
    pub terms: Vec<TermId>,
}

/// One organization.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Document {
    pub org: u32,
    pub weight: u16,
    pub is_active_charity: bool,
    pub city: Vec<TermId>,
    pub county: Vec<TermId>,
    /// Its state and its ZIP code.
    pub region: Vec<TermId>,
    pub names: Vec<NameEntry>,
}

impl Document {
    pub fn org(&self) -> OrgId {
        OrgId::new(self.org)
    }

    /// Every term that it has, rising, each once.
    pub fn terms(&self) -> Vec<TermId> {
        let names = self.names.iter().flat_map(|named| &named.terms);
        let place = self.city.iter().chain(&self.county).chain(&self.region);
        let mut terms: Vec<TermId> = names.chain(place).copied().collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.org.to_le_bytes());
        out.extend_from_slice(&self.weight.to_le_bytes());
        out.push(if self.is_active_charity { ACTIVE_CHARITY } else { 0 });
        let mut list = |terms: &[TermId]| {
            write_varint(terms.len() as u32, out);
            terms.iter().for_each(|term| write_varint(term.0, out));
        };
        list(&self.city);
        list(&self.county);
        list(&self.region);
        for named in &self.names {
            let Spelling { hash, has_initials, words } = named.spelling;
            write_varint(named.name.encode() << 1 | u32::from(has_initials), out);
            out.extend_from_slice(&hash.to_le_bytes());
            out.extend_from_slice(&words.to_le_bytes());
            write_varint(named.terms.len() as u32, out);
            named.terms.iter().for_each(|term| write_varint(term.0, out));
        }
    }

    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (fixed, mut rest) = bytes.split_at_checked(FIXED_BYTES)?;
        let [city, county, region] =
            [read_terms(&mut rest)?, read_terms(&mut rest)?, read_terms(&mut rest)?];
        let mut names = Vec::with_capacity(2);
        while !rest.is_empty() {
            let code = read_varint(&mut rest)?;
            let (name, has_initials) = (Name::decode(code >> 1), code & 1 == 1);
            let (hash, after) = rest.split_first_chunk()?;
            let (words, after) = after.split_first_chunk()?;
            rest = after;
            let (hash, words) = (u16::from_le_bytes(*hash), u64::from_le_bytes(*words));
            let spelling = Spelling { hash, has_initials, words };
            names.push(NameEntry { name, spelling, terms: read_terms(&mut rest)? });
        }
        Some(Self {
            org: u32::from_le_bytes(fixed[..4].try_into().ok()?),
            weight: u16::from_le_bytes(fixed[4..6].try_into().ok()?),
            is_active_charity: fixed[6] & ACTIVE_CHARITY != 0,
            city,
            county,
            region,
            names,
        })
    }
}

fn read_terms(bytes: &mut &[u8]) -> Option<Vec<TermId>> {
    let count = read_varint(bytes)? as usize;
    // Each takes a byte at least.
    (count <= bytes.len()).then_some(())?;
    (0..count).map(|_| read_varint(bytes).map(TermId)).collect()
}

/// The hash of a name's terms in any order.
pub(super) fn hash<'a>(terms: impl Iterator<Item = &'a str>) -> u64 {
    let mut terms: Vec<&str> = terms.collect();
    terms.sort_unstable();
    terms.dedup();
    xxh3_64(terms.join(" ").as_bytes())
}

/// The documents of a snapshot, by rank.
#[derive(Debug)]
pub(super) struct Documents {
    documents: Lists<u8>,
    ranks: Column<u32>,
    by_name: Pairs<u64>,
}

impl Documents {
    /// Those of a table of names.
    pub fn of(table: &Table) -> Result<Self, Damage> {
        let documents: Lists<u8> = table.lists("documents")?;
        let ranks = table.column_of("ranks", documents.count())?;
        Ok(Self { documents, ranks, by_name: table.pairs("names")? })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.documents.count()
    }

    pub fn get(&self, rank: u32) -> Result<Document, Damage> {
        Document::decode(self.documents.bytes(rank as usize)?).ok_or_else(|| {
            self.documents.form(format!("no names of the organization of rank {rank}"))
        })
    }

    /// The document of an organization.
    pub fn of_org(&self, org: OrgId) -> Result<Document, Damage> {
        self.get(self.ranks.at(org.index())?)
    }

    /// Which organization has a rank, and whether it is an active 501(c)(3).
    pub fn org(&self, rank: u32) -> Result<(OrgId, bool), Damage> {
        let bytes = self.documents.bytes(rank as usize)?.first_chunk::<FIXED_BYTES>();
        let Some([a, b, c, d, .., standing]) = bytes else {
            return Err(self.documents.form("a document is cut short"));
        };
        let org = u32::from_le_bytes([*a, *b, *c, *d]);
        Ok((OrgId::new(org), standing & ACTIVE_CHARITY != 0))
    }

    /// At most `k` ranks of organizations that have a name of exactly these terms, the heaviest first.
    pub fn named<'a>(
        &self,
        terms: impl Iterator<Item = &'a str>,
        k: usize,
    ) -> Result<Vec<u32>, Damage> {
        Ok(self.by_name.of(hash(terms), k)?.collect())
    }

    /// How many organizations have a name of exactly these terms.
    pub fn count_named<'a>(&self, terms: impl Iterator<Item = &'a str>) -> Result<usize, Damage> {
        self.by_name.count(hash(terms))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terms() -> impl Strategy<Value = Vec<TermId>> {
        prop::collection::vec(any::<u32>().prop_map(TermId), 0..6)
    }

    proptest! {
           #[test]
           fn decodes_what_was_encoded(
               org: u32,
               weight: u16,
               is_active_charity: bool,
               (city, county, region) in (terms(), terms(), terms()),
               names in prop::collection::vec((0_u32..1 << 20, any::<(u16, bool, u64)>(), terms()), 0..4),
           ) {
               let document = Document {
                   org,
                   weight,
                   is_active_charity,
                   city,
                   county,
                   region,
                   names: names
                       .into_iter()
                       .map(|(code, (hash, has_initials, words), terms)| NameEntry {
    name: Name::decode(code),
    spelling: Spelling { hash, has_initials, words },
    terms,
    })
                       .collect(),
                  };
               let mut bytes = Vec::new();
               document.encode(&mut bytes);
               prop_assert_eq!(Document::decode(&bytes), Some(document));
           }

           #[test]
           fn other_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
               Document::decode(&bytes);
           }
       }
}
