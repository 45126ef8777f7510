//! One map of names and the organizations of each name, read through verified mappings.
//!
//! `fst` reads its bytes without a check, so every node is verified here before it is decoded:
//! [`Lexicon::node`] is the only way to one.

use fst::raw::{CompiledAddr, Fst, Node};

use crate::mapped::{Column, Damage, Files, MappedFile, OpenError, Table};
use crate::record::OrgId;

/// Bytes of the largest node that `fst` writes, with room: state, counts and sizes (3), index
/// (256), and 256 transitions of an input, an address and an output (17), and a final output (8).
const NODE_BYTES_MAX: usize = 8 * 1024;

/// Bytes at either end that `fst` reads to open a map.
const HEADER_BYTES: usize = 16;
const FOOTER_BYTES: usize = 20;

/// Set on the last organization of a name.
pub(super) const LAST: u32 = 1 << 31;

/// A place in the automaton and the sum of the outputs on the way to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub sum: u64,
    pub address: CompiledAddr,
}

/// A map of names.
pub(super) struct Lexicon {
    map: Fst<Bytes>,
    postings: Column<u32>,
}

impl std::fmt::Debug for Lexicon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lexicon")
            .field("map", self.map.as_inner())
            .field("postings", &self.postings)
            .finish()
    }
}

/// The bytes as `fst` sees them.
#[derive(Debug)]
struct Bytes(MappedFile);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self.0.unverified()
    }
}

impl Lexicon {
    /// Opens a map and its postings, at their paths within a snapshot.
    pub fn open(files: &mut Files<'_>, (map, postings): (&str, &str)) -> Result<Self, OpenError> {
        let postings = Table::open(files, postings)?.column("organizations")?;
        let map = files(map)?;
        map.bytes(0..HEADER_BYTES)?;
        map.bytes(map.len().saturating_sub(FOOTER_BYTES)..map.len())?;
        let file = map.name().clone();
        let map =
            Fst::new(Bytes(map)).map_err(|error| Damage::Form { file, what: error.to_string() })?;
        Ok(Self { map, postings })
    }

    /// Where every name begins.
    pub fn root(&self) -> Position {
        // `Fst::root` decodes a node; the address stands in the last bytes, which are verified.
        let bytes = self.map.as_inner().0.unverified();
        let at = bytes.len() - FOOTER_BYTES + 8;
        let address = u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        Position { sum: 0, address: address as CompiledAddr }
    }

    /// The node of a position, its bytes verified.
    #[inline]
    pub fn node(&self, position: Position) -> Result<Node<'_>, Damage> {
        let first = position.address.saturating_sub(NODE_BYTES_MAX);
        self.map.as_inner().0.bytes(first..position.address.saturating_add(1))?;
        Ok(self.map.node(position.address))
    }

    /// Follows bytes from a position; `None` when no name goes on so.
    pub fn walk(&self, from: Position, bytes: &[u8]) -> Result<Option<Position>, Damage> {
        let mut at = from;
        for &byte in bytes {
            let node = self.node(at)?;
            let Some(index) = node.find_input(byte) else { return Ok(None) };
            let edge = node.transition(index);
            at = Position { sum: at.sum + edge.out.value(), address: edge.addr };
        }
        Ok(Some(at))
    }

    /// Every position one character further, with that character.
    pub fn next_characters(&self, from: Position) -> Result<Vec<(char, Position)>, Damage> {
        let mut found = Vec::new();
        let mut open: Vec<(Position, [u8; 4], usize)> = vec![(from, [0; 4], 0)];
        while let Some((at, mut bytes, length)) = open.pop() {
            for edge in self.node(at)?.transitions() {
                bytes[length] = edge.inp;
                let next = Position { sum: at.sum + edge.out.value(), address: edge.addr };
                match std::str::from_utf8(&bytes[..=length]) {
                    Ok(text) => found.extend(text.chars().map(|character| (character, next))),
                    // A character's first bytes: names are UTF-8, so at most four.
                    Err(_) if length < 3 => open.push((next, bytes, length + 1)),
                    Err(_) => {}
                }
            }
        }
        Ok(found)
    }

    /// The organization at an index of the postings, and whether it is the last of its name.
    #[inline]
    pub fn posting(&self, index: u32) -> Result<(OrgId, bool), Damage> {
        let word = self.postings.at(index as usize)?;
        Ok((OrgId::new(word & !LAST), word & LAST != 0))
    }
}
