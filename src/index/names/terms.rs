//! The vocabulary: every term of a name or place, sorted, with how many organizations have it.
//!
//! Of the table of names, by term: the lists `terms`, their texts, rising; `frequencies`, how many organizations have
//! each (u32); and the lists `postings`, which (`postings`). A term's number is its position, so that the terms of a
//! prefix are a range of numbers.

use std::ops::Range;

use super::postings::Cursor;
use crate::mapped::{Column, Damage, Lists, Table, partition_point};

/// Number of a term in the order of their texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TermId(pub u32);

/// The opened vocabulary.
#[derive(Debug)]
pub(super) struct Terms {
    texts: Lists<u8>,
    frequencies: Column<u32>,
    postings: Lists<u8>,
    organizations: u32,
}

impl Terms {
    /// Those of a table of names of this number of organizations.
    pub fn of(table: &Table, organizations: usize) -> Result<Self, Damage> {
        let texts: Lists<u8> = table.lists("terms")?;
        Ok(Self {
            frequencies: table.column_of("frequencies", texts.count())?,
            postings: table.lists("postings")?,
            texts,
            organizations: organizations as u32,
        })
    }

    /// How many organizations are indexed.
    pub fn organizations(&self) -> u32 {
        self.organizations
    }

    /// The text of a term.
    pub fn text(&self, term: TermId) -> Result<&str, Damage> {
        self.texts.text(term.0 as usize)
    }

    /// How many organizations have a term.
    pub fn frequency(&self, term: TermId) -> Result<u32, Damage> {
        self.frequencies.at(term.0 as usize)
    }

    /// How much a term tells: its inverse document frequency.
    pub fn mass(&self, term: TermId) -> Result<f32, Damage> {
        Ok(self.mass_of_frequency(self.frequency(term)?))
    }

    /// The same for a term that `frequency` organizations have.
    pub fn mass_of_frequency(&self, frequency: u32) -> f32 {
        let all = self.organizations as f32;
        (1.0 + (all - frequency as f32 + 0.5).max(0.0) / (frequency as f32 + 0.5)).ln()
    }

    /// Which organizations have a term.
    pub fn postings(&self, term: TermId) -> Result<Cursor<'_>, Damage> {
        let place = self.postings.place(term.0 as usize)?;
        Ok(Cursor::new(self.postings.values(), place.start, self.frequency(term)?))
    }

    /// The term of a text.
    pub fn find(&self, text: &str) -> Result<Option<TermId>, Damage> {
        Ok(self.texts.find(text.as_bytes())?.map(|at| TermId(at as u32)))
    }

    /// The terms that begin with a text.
    pub fn beginning_with(&self, prefix: &str) -> Result<Range<u32>, Damage> {
        let (prefix, count) = (prefix.as_bytes(), self.texts.count());
        let start = partition_point(0..count, |at| Ok(self.texts.bytes(at)? < prefix))?;
        let end =
            partition_point(start..count, |at| Ok(self.texts.bytes(at)?.starts_with(prefix)))?;
        Ok(start as u32..end as u32)
    }
}
