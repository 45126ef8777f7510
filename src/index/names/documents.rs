//! What is known of each organization when a question is compared with it: its names term by term,
//! where it is, how heavy it is.
//!
//! Three files, little-endian. `names/ranks`: u32 by OrgId. `names/document-ends`: u32 by rank.
//! `names/documents`, by rank:
//! u32 OrgId, u16 weight, u8 [`ACTIVE_CHARITY`] or 0; then in LEB128, of its city, of its county and
//! of its region (state and ZIP code) how many terms they have, and those; and of each of its names
//! its [`Name`] and whether it has initials (the lowest bit), then of its [`Spelling`] the hash (u16) and the words
//! (u64), how many terms it has, and those.

use super::analysis::Spelling;
use super::postings::{read_varint, write_varint};
use super::terms::TermId;
use crate::mapped::{Damage, MappedFile};
use crate::record::OrgId;

pub(super) const FILE: &str = "names/documents";
pub(super) const ENDS_FILE: &str = "names/document-ends";
pub(super) const RANKS_FILE: &str = "names/ranks";

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

/// The documents of a snapshot, by rank.
#[derive(Debug)]
pub(super) struct Documents {
    pub documents: MappedFile,
    pub ends: MappedFile,
    pub ranks: MappedFile,
}

impl Documents {
    pub fn get(&self, rank: u32) -> Result<Document, Damage> {
        Document::decode(self.bytes(rank)?).ok_or_else(|| {
            self.documents.form(format!("no names of the organization of rank {rank}"))
        })
    }

    /// The document of an organization.
    pub fn of_org(&self, org: OrgId) -> Result<Document, Damage> {
        self.get(self.ranks.u32_at(0, org.index())?)
    }

    /// Which organization has a rank, and whether it is an active 501(c)(3).
    pub fn org(&self, rank: u32) -> Result<(OrgId, bool), Damage> {
        let bytes = self.bytes(rank)?.get(..FIXED_BYTES);
        let bytes = bytes.ok_or_else(|| self.documents.form("a document is cut short"))?;
        let org = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        Ok((OrgId::new(org), bytes[6] & ACTIVE_CHARITY != 0))
    }

    fn bytes(&self, rank: u32) -> Result<&[u8], Damage> {
        let end = self.ends.u32_at(0, rank as usize)? as usize;
        let start = match rank.checked_sub(1) {
            Some(before) => self.ends.u32_at(0, before as usize)? as usize,
            None => 0,
        };
        self.documents.bytes(start..end.max(start))
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
