//! Values of grants, and whose they are: by grantor, and by recipient where that is an organization of
//! the snapshot.
//!
//! Grants are numbered by tax year, the latest first, and within a year by amount, the greatest first and
//! one that is not stated last. A page is a run of a bitmap, grants of a year and those of at least an
//! amount are runs of numbers (`layout`), and the rest are passes over columns of one byte a grant, of those
//! rows that what was asked before has left.

mod build;
mod layout;

use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[repr(u8)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "RecipientMatch")]
pub enum LinkKind {
    /// By the EIN in the return.
    Filed = 1,
    /// By name and address.
    Matched = 2,
    /// Not.
    Unmatched = 0,
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
    /// Letters, any of which the recipient's NTEE code begins with.
    pub recipient_majors: Option<&'a [u8]>,
}

/// The sum of some grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sum {
    pub grants: u64,
    /// Sum of the stated amounts, in whole US dollars; `None` without any.
    pub amount: Option<i64>,
}

/// What a grantor gave of some grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfGrantor {
    pub grantor: OrgId,
    pub sum: Sum,
    /// Whether it takes applications; `None` where no return says.
    pub accepts_applications: Option<bool>,
}

/// A sum while it is added up.
#[derive(Clone, Copy, Default)]
struct Adding {
    amount: i64,
    grants: u32,
    /// Those whose amount is stated.
    stated: u32,
}

impl Adding {
    fn add(&mut self, amount: [u8; 8]) {
        let amount = i64::from_le_bytes(amount);
        let is_stated = amount != UNKNOWN_AMOUNT;
        self.grants += 1;
        self.stated += u32::from(is_stated);
        self.amount = self.amount.saturating_add(if is_stated { amount } else { 0 });
    }

    fn sum(self) -> Sum {
        Sum { grants: self.grants.into(), amount: (self.stated > 0).then_some(self.amount) }
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

    /// The grants that satisfy a filter.
    pub fn select(&self, filter: &Filter<'_>) -> Result<Bitmap<Grant>, Damage> {
        self.select_among(Bitmap::all(self.count()), filter)
    }

    /// Those of a set that satisfy a filter. What leaves fewest is looked up first; columns are looked at
    /// where there are still grants.
    pub fn select_among(
        &self,
        mut set: Bitmap<Grant>,
        filter: &Filter<'_>,
    ) -> Result<Bitmap<Grant>, Damage> {
        for (party, postings) in
            [(filter.grantor, &self.by_grantor), (filter.recipient, &self.by_recipient)]
        {
            if let Some(party) = party {
                set.intersect(&Bitmap::of(self.count(), postings.of(party.0)?));
            }
        }
        if filter.year.is_some() || filter.min_amount.is_some() {
            let runs = self.runs(filter.year, filter.min_amount)?;
            set.intersect(&Bitmap::of_runs(self.count(), &runs));
        }
        let layout = &self.layout;
        let one = |value: Option<u8>| value.map(|value| vec![value]);
        for (asked, column) in [
            (filter.recipient_majors.map(<[u8]>::to_vec), &layout.recipient_majors),
            (one(filter.recipient_state.map(State::index)), &layout.recipient_states),
            (one(filter.grantor_state.map(State::index)), &layout.grantor_states),
            (one(filter.stage.map(|stage| stage as u8)), &layout.stages),
        ] {
            if let Some(asked) = asked {
                set.retain_bytes(self.file.bytes(column.clone())?, &asked);
            }
        }
        Ok(set)
    }

    /// The grants that any of some organizations made.
    pub fn made_by(&self, grantors: &Bitmap) -> Result<Bitmap<Grant>, Damage> {
        let mut set = Bitmap::none(self.count());
        for place in 0..self.by_grantor.keys() {
            if grantors.contains(OrgId::new(self.by_grantor.key(place)?)) {
                set.insert(self.by_grantor.at(place)?);
            }
        }
        Ok(set)
    }

    /// The recipients of a set of grants, as a set of `organizations` organizations.
    pub fn recipients(&self, set: &Bitmap<Grant>, organizations: u32) -> Result<Bitmap, Damage> {
        let numbers: &[[u8; 4]] = self.column(&self.layout.recipients)?;
        let recipient = |row: RowId<Grant>| OrgId::new(u32::from_le_bytes(numbers[row.index()]));
        Ok(Bitmap::of(organizations, set.iter().map(recipient)))
    }

    /// Keeps of a set the grants to any of some organizations.
    pub fn keep_recipients(
        &self,
        set: &mut Bitmap<Grant>,
        recipients: &Bitmap,
    ) -> Result<(), Damage> {
        let numbers: &[[u8; 4]] = self.column(&self.layout.recipients)?;
        set.retain(|at| recipients.contains(OrgId::new(u32::from_le_bytes(numbers[at]))));
        Ok(())
    }

    /// How many grants a set has, and what they add up to.
    pub fn sum(&self, set: &Bitmap<Grant>) -> Result<Sum, Damage> {
        let amounts: &[[u8; 8]] = self.column(&self.layout.amounts)?;
        let mut sum = Adding::default();
        set.for_each(|at| sum.add(amounts[at]));
        Ok(sum.sum())
    }

    /// Who made the grants of a set, by number, and what each gave.
    pub fn by_grantor(&self, set: &Bitmap<Grant>) -> Result<Vec<OfGrantor>, Damage> {
        let amounts: &[[u8; 8]] = self.column(&self.layout.amounts)?;
        let grantors: &[[u8; 4]] = self.column(&self.layout.grantors)?;
        let accepting = self.file.bytes(self.layout.accepting.clone())?;
        let mut sums = vec![Adding::default(); accepting.len()];
        let mut is_whole = true;
        set.for_each(|at| match sums.get_mut(u32::from_le_bytes(grantors[at]) as usize) {
            Some(sum) => sum.add(amounts[at]),
            None => is_whole = false,
        });
        if !is_whole {
            return Err(self.file.form("no such grantor"));
        }
        let some = sums.into_iter().enumerate().filter(|(_, sum)| sum.grants > 0);
        let of = |(place, sum): (usize, Adding)| {
            let grantor = OrgId::new(self.by_grantor.key(place)?);
            let accepts = (accepting[place] != NOT_SAID).then_some(accepting[place] == 1);
            Ok(OfGrantor { grantor, sum: sum.sum(), accepts_applications: accepts })
        };
        some.map(of).collect()
    }

    /// The latest tax year of the grants of a set that one made; `None` where it made none of them.
    pub fn latest_year(&self, set: &Bitmap<Grant>, grantor: OrgId) -> Result<Option<u16>, Damage> {
        // The latest year comes first.
        let latest = self.by_grantor.of(grantor.0)?.into_iter().find(|row| set.contains(*row));
        let years = self.years()?;
        let year = |row: RowId<Grant>| years.iter().find(|(_, run)| run.contains(&row.index()));
        Ok(latest.and_then(year).map(|(year, _)| *year))
    }

    /// Where a grant went.
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
    pub fn grantor(&self, grant: RowId<Grant>) -> Result<OrgId, Damage> {
        let place = u32::from_le_bytes(self.bytes(&self.layout.grantors, grant)?);
        Ok(OrgId::new(self.by_grantor.key(place as usize)?))
    }

    /// Each tax year, the latest first, and the numbers of its grants.
    fn years(&self) -> Result<Vec<(u16, Range<usize>)>, Damage> {
        let years: &[[u8; 4]] = self.column(&self.layout.years)?;
        let mut start = 0;
        let of_year = |year: &[[u8; 4]]| {
            let [year, end] = [year[0], year[1]].map(u32::from_le_bytes);
            let run = start..(end as usize).min(self.count() as usize);
            start = run.end;
            (year as u16, run)
        };
        Ok(years.chunks_exact(2).map(of_year).collect())
    }

    /// The runs of numbers whose grants are of a year and of at least an amount.
    fn runs(&self, year: Option<u16>, least: Option<i64>) -> Result<Vec<Range<usize>>, Damage> {
        let amounts: &[[u8; 8]] = self.column(&self.layout.amounts)?;
        let mut runs = Vec::new();
        for (of, run) in self.years()? {
            if year.is_some_and(|year| year != of) {
                continue;
            }
            runs.push(match least {
                None => run,
                Some(least) => {
                    let is_enough = |amount: &[u8; 8]| {
                        let amount = i64::from_le_bytes(*amount);
                        amount != UNKNOWN_AMOUNT && amount >= least
                    };
                    run.start..run.start + amounts[run].partition_point(is_enough)
                }
            });
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
