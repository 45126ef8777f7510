//! Values of grants, and whose they are: by grantor, and by recipient where that is an organization of
//! the snapshot.
//!
//! Grants are numbered by tax year, the latest first, and within a year by amount, the greatest first and
//! one that is not stated last. A page is a run of a bitmap, grants of a year and those of at least an
//! amount are runs of numbers (`layout`), and the rest are passes over one column each.

mod build;
mod layout;

use std::ops::Range;

pub use build::{Builder, GrantRow};
use layout::{Layout, NO_RECIPIENT, NOT_SAID, UNKNOWN_AMOUNT};

use crate::index::columns::Bitmap;
use crate::index::postings::Postings;
use crate::mapped::{Damage, MapError, MappedFile, OpenError};
use crate::record::{Grant, GrantStage, OrgId, RowId, State};

/// The files, as paths within a snapshot.
const FOLDER: &str = "grants";
const VALUES: &str = "grants/values";
const BY_GRANTOR: &str = "grants/by-grantor";
const BY_RECIPIENT: &str = "grants/by-recipient";

/// How the recipient of a grant was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum LinkKind {
    /// It was not.
    Unmatched = 0,
    /// By the EIN that the return states.
    Filed = 1,
    /// By name and address, with a probability.
    Matched = 2,
}

/// To which organization a grant went, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    pub kind: LinkKind,
    /// `None` also of an EIN that no organization of the snapshot has.
    pub recipient: Option<OrgId>,
    /// 0 to 1; `None` unless it was matched.
    pub probability: Option<f64>,
}

/// What of grants is asked; what is `None` asks nothing.
#[derive(Debug, Default)]
pub struct Filter<'a> {
    pub grantor: Option<OrgId>,
    pub recipient: Option<OrgId>,
    pub year: Option<u16>,
    pub stage: Option<GrantStage>,
    /// Whole US dollars; leaves out what is not stated.
    pub min_amount: Option<i64>,
    /// Of the organization linked, else as filed.
    pub recipient_state: Option<State>,
    pub grantor_state: Option<State>,
    /// Only grants to any of these.
    pub recipients: Option<&'a Bitmap>,
}

/// The sum of some grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sum {
    pub grants: u64,
    /// Of those whose amount is stated, in whole US dollars; `None` when none is.
    pub amount: Option<i64>,
}

/// What a grantor gave of some grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfGrantor {
    pub grantor: OrgId,
    pub sum: Sum,
    /// The latest tax year of these grants.
    pub latest_year: u16,
    /// Whether it takes applications; `None` where no return says.
    pub accepts_applications: Option<bool>,
}

impl Sum {
    fn add(&mut self, amount: i64) {
        self.grants += 1;
        if amount != UNKNOWN_AMOUNT {
            self.amount = Some(self.amount.unwrap_or_default().saturating_add(amount));
        }
    }
}

/// The opened index of grants.
#[derive(Debug)]
pub struct Grants {
    file: MappedFile,
    layout: Layout,
    by_grantor: Postings<Grant>,
    by_recipient: Postings<Grant>,
}

impl Grants {
    /// Opens the index; `open` maps a file of the snapshot. Reads headers only.
    ///
    /// # Errors
    /// When a file cannot be mapped, is damaged or of another version.
    pub fn open(
        open: &mut dyn FnMut(&str) -> Result<MappedFile, MapError>,
    ) -> Result<Self, OpenError> {
        let file = open(VALUES)?;
        let layout = Layout::read(&file)?;
        let by_grantor = Postings::open(open(BY_GRANTOR)?)?;
        let (expected, found) = (layout.accepting.len(), by_grantor.keys());
        if found != expected {
            return Err(file.form(format!("expected {expected} grantors, found {found}")).into());
        }
        Ok(Self { file, layout, by_grantor, by_recipient: Postings::open(open(BY_RECIPIENT)?)? })
    }

    /// How many grants there are.
    pub fn count(&self) -> u32 {
        self.layout.grants
    }

    /// The grants that satisfy a filter. Those of one organization are looked up; else the columns that
    /// the filter asks of are looked through.
    ///
    /// # Errors
    /// [`Damage`] when the files are damaged where they were looked at.
    pub fn select(&self, filter: &Filter<'_>) -> Result<Bitmap<Grant>, Damage> {
        let mut set = match (filter.grantor, filter.recipient) {
            (None, None) => Bitmap::all(self.count()),
            (Some(grantor), None) => self.of(&self.by_grantor, grantor)?,
            (None, Some(recipient)) => self.of(&self.by_recipient, recipient)?,
            (Some(grantor), Some(recipient)) => {
                let mut set = self.of(&self.by_grantor, grantor)?;
                set.intersect(&self.of(&self.by_recipient, recipient)?);
                set
            }
        };
        if filter.year.is_some() || filter.min_amount.is_some() {
            let runs = self.runs(filter.year, filter.min_amount)?;
            set.intersect(&Bitmap::of_runs(self.count(), &runs));
        }
        if let Some(recipients) = filter.recipients {
            let numbers: &[[u8; 4]] = self.column(&self.layout.recipients)?;
            set.retain(|at| recipients.contains(OrgId::new(u32::from_le_bytes(numbers[at]))));
        }
        let layout = &self.layout;
        for (asked, column) in [
            (filter.stage.map(|stage| stage as u8), &layout.stages),
            (filter.recipient_state.map(State::index), &layout.recipient_states),
            (filter.grantor_state.map(State::index), &layout.grantor_states),
        ] {
            if let Some(asked) = asked {
                let values = self.file.bytes(column.clone())?;
                set.retain(|at| values[at] == asked);
            }
        }
        Ok(set)
    }

    /// How many grants a set has, and what they add up to.
    ///
    /// # Errors
    /// As [`Self::select`].
    pub fn sum(&self, set: &Bitmap<Grant>) -> Result<Sum, Damage> {
        let amounts: &[[u8; 8]] = self.column(&self.layout.amounts)?;
        let mut sum = Sum::default();
        set.iter().for_each(|row| sum.add(i64::from_le_bytes(amounts[row.index()])));
        Ok(sum)
    }

    /// Who made the grants of a set, by number, and what each gave.
    ///
    /// # Errors
    /// As [`Self::select`].
    pub fn by_grantor(&self, set: &Bitmap<Grant>) -> Result<Vec<OfGrantor>, Damage> {
        let amounts: &[[u8; 8]] = self.column(&self.layout.amounts)?;
        let grantors: &[[u8; 4]] = self.column(&self.layout.grantors)?;
        let years: &[[u8; 2]] = self.column(&self.layout.years)?;
        let accepting = self.file.bytes(self.layout.accepting.clone())?;
        let mut sums = vec![(Sum::default(), 0); accepting.len()];
        for row in set.iter() {
            let grantor = u32::from_le_bytes(grantors[row.index()]) as usize;
            let (sum, latest) =
                sums.get_mut(grantor).ok_or_else(|| self.file.form("no such grantor"))?;
            if sum.grants == 0 {
                // The latest year comes first.
                *latest = u16::from_le_bytes(years[row.index()]);
            }
            sum.add(i64::from_le_bytes(amounts[row.index()]));
        }
        let some = sums.into_iter().enumerate().filter(|(_, (sum, _))| sum.grants > 0);
        let of = |(place, (sum, latest_year)): (usize, (Sum, u16))| {
            let grantor = OrgId::new(self.by_grantor.key(place)?);
            let accepts = (accepting[place] != NOT_SAID).then_some(accepting[place] == 1);
            Ok(OfGrantor { grantor, sum, latest_year, accepts_applications: accepts })
        };
        some.map(of).collect()
    }

    /// Where a grant went.
    ///
    /// # Errors
    /// [`Damage`] when there is no such grant or the file is damaged there.
    pub fn link(&self, grant: RowId<Grant>) -> Result<Link, Damage> {
        if grant.0 >= self.count() {
            return Err(self.file.form("no such grant"));
        }
        let kind = match self.bytes::<1>(&self.layout.links, grant)? {
            [0] => LinkKind::Unmatched,
            [1] => LinkKind::Filed,
            [2] => LinkKind::Matched,
            _ => return Err(self.file.form("a link of a kind that is not known")),
        };
        let recipient = u32::from_le_bytes(self.bytes(&self.layout.recipients, grant)?);
        let recipient = (recipient != NO_RECIPIENT).then(|| OrgId::new(recipient));
        let probability = f32::from_le_bytes(self.bytes(&self.layout.probabilities, grant)?);
        let probability = (kind == LinkKind::Matched).then(|| f64::from(probability));
        Ok(Link { kind, recipient, probability })
    }

    /// Whose a grant is.
    ///
    /// # Errors
    /// As [`Self::link`].
    pub fn grantor(&self, grant: RowId<Grant>) -> Result<OrgId, Damage> {
        let place = u32::from_le_bytes(self.bytes(&self.layout.grantors, grant)?);
        Ok(OrgId::new(self.by_grantor.key(place as usize)?))
    }

    fn of(&self, postings: &Postings<Grant>, org: OrgId) -> Result<Bitmap<Grant>, Damage> {
        Ok(Bitmap::of(self.count(), postings.of(org.0)?))
    }

    /// The runs of numbers whose grants are of a year and of at least an amount.
    fn runs(&self, year: Option<u16>, least: Option<i64>) -> Result<Vec<Range<usize>>, Damage> {
        let years: &[[u8; 2]] = self.column(&self.layout.years)?;
        let amounts: &[[u8; 8]] = self.column(&self.layout.amounts)?;
        let year_at = |at: usize| u16::from_le_bytes(years[at]);
        let (mut runs, mut start) = (Vec::new(), 0);
        while start < years.len() {
            let of = year_at(start);
            let end = start + years[start..].partition_point(|one| u16::from_le_bytes(*one) >= of);
            if year.is_none_or(|year| year == of) {
                let is_enough = |amount: &[u8; 8]| {
                    let amount = i64::from_le_bytes(*amount);
                    amount != UNKNOWN_AMOUNT && least.is_none_or(|least| amount >= least)
                };
                runs.push(match least {
                    None => start..end,
                    Some(_) => start..start + amounts[start..end].partition_point(is_enough),
                });
            }
            start = end;
        }
        Ok(runs)
    }

    fn column<const WIDTH: usize>(&self, range: &Range<usize>) -> Result<&[[u8; WIDTH]], Damage> {
        Ok(self.file.bytes(range.clone())?.as_chunks().0)
    }

    fn bytes<const WIDTH: usize>(
        &self,
        range: &Range<usize>,
        grant: RowId<Grant>,
    ) -> Result<[u8; WIDTH], Damage> {
        let start = range.start + WIDTH * grant.index();
        let found = self.file.bytes(start..start + WIDTH)?.first_chunk();
        found.copied().ok_or_else(|| self.file.form("no such grant"))
    }
}

#[cfg(test)]
mod tests;
