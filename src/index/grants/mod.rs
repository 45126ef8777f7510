//! Values of grants, and whose they are: by grantor, and by recipient where that is an organization of
//! the snapshot.
//!
//! Grants are numbered by tax year, the latest first, and within a year by amount, the greatest first and
//! one that is not stated last. A page is a run of a bitmap, grants of a year and those of at least an
//! amount are runs of numbers, and the rest are passes over columns of one byte a grant, of those
//! rows that what was asked before has left.

mod build;
mod parts;

use std::collections::HashMap;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

pub use build::{Builder, GrantRow};

use crate::index::columns::Bitmap;
use crate::index::postings::Postings;
use crate::mapped::{Column, Damage, Files, OpenError, Table};
use crate::record::{Grant, GrantStage, OrgId, RowId, State};

/// The files, as paths within a snapshot.
const VALUES: &str = "grants/values";
const BY_GRANTOR: &str = "grants/by-grantor";
const BY_RECIPIENT: &str = "grants/by-recipient";

/// Stands for an amount that is not stated; no return states one so low.
const UNKNOWN_AMOUNT: i64 = i64::MIN;

/// Stands for no organization of the snapshot.
const NO_RECIPIENT: u32 = u32::MAX;

/// Stands for no state.
const NO_STATE: u8 = u8::MAX;

/// Stands for no NTEE code.
const NO_MAJOR: u8 = 0;

/// Stands for what a grantor does not say.
const NOT_SAID: u8 = u8::MAX;

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
    /// As filed, else of the organization linked.
    pub recipient_state: Option<State>,
    pub grantor_state: Option<State>,
    /// Letters, any of which the recipient's NTEE code begins with.
    pub recipient_majors: Option<&'a [u8]>,
    /// Whether the grantor takes applications; who does not say satisfies neither.
    pub accepts_applications: Option<bool>,
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
    /// The part of the sum that is other than cash, in whole US dollars; `None` where no return states any.
    pub noncash: Option<i64>,
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
    fn add(&mut self, amount: i64) {
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
    /// By grant, and so are the next: whole US dollars.
    amounts: Column<i64>,
    /// The grants of which a part other than cash is stated, ascending, and that part.
    noncash_grants: Column<u32>,
    noncash_amounts: Column<i64>,
    /// The place of the grantor among the keys of its postings.
    grantors: Column<u32>,
    recipients: Column<u32>,
    /// Of the link.
    probabilities: Column<f32>,
    links: Column<u8>,
    /// Places in `GrantStage::ALL`.
    stages: Column<u8>,
    recipient_states: Column<u8>,
    grantor_states: Column<u8>,
    /// Letters that the recipients' NTEE codes begin with.
    recipient_majors: Column<u8>,
    /// By place of the grantor: whether it takes applications.
    accepting: Column<u8>,
    /// Tax years, the latest first, and where the grants of each end.
    years: Column<u16>,
    year_ends: Column<u32>,
    by_grantor: Postings<Grant>,
    by_recipient: Postings<Grant>,
}

impl Grants {
    /// Opens the index.
    pub fn open(files: &mut Files<'_>) -> Result<Self, OpenError> {
        let table = Table::open(files, VALUES)?;
        let by_grantor = Postings::open(files, BY_GRANTOR)?;
        let (amounts, years): (Column<i64>, Column<u16>) =
            (table.column("amounts")?, table.column("years")?);
        let count = amounts.count();
        let noncash_grants: Column<u32> = table.column("noncash_grants")?;
        Ok(Self {
            noncash_amounts: table.column_of("noncash_amounts", noncash_grants.count())?,
            noncash_grants,
            grantors: table.column_of("grantors", count)?,
            recipients: table.column_of("recipients", count)?,
            probabilities: table.column_of("probabilities", count)?,
            links: table.column_of("links", count)?,
            stages: table.column_of("stages", count)?,
            recipient_states: table.column_of("recipient_states", count)?,
            grantor_states: table.column_of("grantor_states", count)?,
            recipient_majors: table.column_of("recipient_majors", count)?,
            accepting: table.column_of("accepting", by_grantor.keys().count())?,
            year_ends: table.column_of("year_ends", years.count())?,
            amounts,
            years,
            by_grantor,
            by_recipient: Postings::open(files, BY_RECIPIENT)?,
        })
    }

    /// How many grants there are.
    pub fn count(&self) -> u32 {
        self.amounts.count() as u32
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
        let one = |value: Option<u8>| value.map(|value| vec![value]);
        for (asked, column) in [
            (filter.recipient_majors.map(<[u8]>::to_vec), &self.recipient_majors),
            (one(filter.recipient_state.map(State::index)), &self.recipient_states),
            (one(filter.grantor_state.map(State::index)), &self.grantor_states),
            (one(filter.stage.map(|stage| stage as u8)), &self.stages),
        ] {
            if let Some(asked) = asked {
                set.retain_bytes(column.bytes(0..column.count())?, &asked);
            }
        }
        if let Some(asked) = filter.accepts_applications {
            let grantors = self.grantors.all()?;
            let accepting = self.accepting.bytes(0..self.accepting.count())?;
            set.retain(|at| accepting.get(grantors.at(at) as usize) == Some(&u8::from(asked)));
        }
        Ok(set)
    }

    /// The grants that any of some organizations made.
    pub fn made_by(&self, grantors: &Bitmap) -> Result<Bitmap<Grant>, Damage> {
        let mut set = Bitmap::none(self.count());
        for (place, grantor) in self.by_grantor.keys().all()?.iter().enumerate() {
            if grantors.contains(OrgId::new(grantor)) {
                set.insert(self.by_grantor.at(place)?);
            }
        }
        Ok(set)
    }

    /// The recipients of a set of grants, as a set of `organizations` organizations.
    pub fn recipients(&self, set: &Bitmap<Grant>, organizations: u32) -> Result<Bitmap, Damage> {
        let numbers = self.recipients.all()?;
        let recipient = |row: RowId<Grant>| OrgId::new(numbers.at(row.index()));
        Ok(Bitmap::of(organizations, set.iter().map(recipient)))
    }

    /// Keeps of a set the grants to any of some organizations.
    pub fn keep_recipients(
        &self,
        set: &mut Bitmap<Grant>,
        recipients: &Bitmap,
    ) -> Result<(), Damage> {
        let numbers = self.recipients.all()?;
        set.retain(|at| recipients.contains(OrgId::new(numbers.at(at))));
        Ok(())
    }

    /// How many grants a set has, and what they add up to.
    pub fn sum(&self, set: &Bitmap<Grant>) -> Result<Sum, Damage> {
        let amounts = self.amounts.all()?;
        let mut sum = Adding::default();
        set.for_each(|at| sum.add(amounts.at(at)));
        Ok(sum.sum())
    }

    /// Who made the grants of a set, by number, and what each gave.
    pub fn by_grantor(&self, set: &Bitmap<Grant>) -> Result<Vec<OfGrantor>, Damage> {
        let (amounts, grantors) = (self.amounts.all()?, self.grantors.all()?);
        let accepting = self.accepting.bytes(0..self.accepting.count())?;
        let mut sums = vec![Adding::default(); accepting.len()];
        let mut is_whole = true;
        set.for_each(|at| match sums.get_mut(grantors.at(at) as usize) {
            Some(sum) => sum.add(amounts.at(at)),
            None => is_whole = false,
        });
        if !is_whole {
            return Err(self.grantors.form("no such grantor"));
        }
        let mut noncash: HashMap<u32, i64> = HashMap::new();
        for (at, amount) in
            self.noncash_grants.all()?.iter().zip(self.noncash_amounts.all()?.iter())
        {
            if set.contains(RowId::new(at)) {
                let sum = noncash.entry(self.grantors.at(at as usize)?).or_default();
                *sum = sum.saturating_add(amount);
            }
        }
        let some = sums.into_iter().enumerate().filter(|(_, sum)| sum.grants > 0);
        let of = |(place, sum): (usize, Adding)| {
            let grantor = OrgId::new(self.by_grantor.keys().at(place)?);
            let accepts = (accepting[place] != NOT_SAID).then_some(accepting[place] == 1);
            Ok(OfGrantor {
                grantor,
                sum: sum.sum(),
                noncash: noncash.get(&(place as u32)).copied(),
                accepts_applications: accepts,
            })
        };
        some.map(of).collect()
    }

    /// The latest tax year of the grants of a set that one made; `None` where it made none of them.
    pub fn latest_year(&self, set: &Bitmap<Grant>, grantor: OrgId) -> Result<Option<u16>, Damage> {
        // The latest year comes first.
        let latest = self.by_grantor.of(grantor.0)?.find(|row| set.contains(*row));
        let years = self.years()?;
        let year = |row: RowId<Grant>| years.iter().find(|(_, run)| run.contains(&row.index()));
        Ok(latest.and_then(year).map(|(year, _)| *year))
    }

    /// Where a grant went.
    pub fn link(&self, grant: RowId<Grant>) -> Result<Link, Damage> {
        let grant = grant.index();
        let kind = match self.links.at(grant)? {
            0 => LinkKind::Unmatched,
            1 => LinkKind::Filed,
            2 => LinkKind::Matched,
            _ => return Err(self.links.form("a link of a kind that is not known")),
        };
        let recipient = self.recipients.at(grant)?;
        let recipient = (recipient != NO_RECIPIENT).then(|| OrgId::new(recipient));
        let probability = self.probabilities.at(grant)?;
        let probability = (kind == LinkKind::Matched).then(|| f64::from(probability));
        Ok(Link { kind, recipient, probability })
    }

    /// Whose a grant is.
    pub fn grantor(&self, grant: RowId<Grant>) -> Result<OrgId, Damage> {
        let place = self.grantors.at(grant.index())?;
        Ok(OrgId::new(self.by_grantor.keys().at(place as usize)?))
    }

    /// Each tax year, the latest first, and the numbers of its grants.
    fn years(&self) -> Result<Vec<(u16, Range<usize>)>, Damage> {
        let mut start = 0;
        let of_year = |(year, end): (u16, u32)| {
            let run = start..(end as usize).min(self.amounts.count());
            start = run.end;
            (year, run)
        };
        Ok(self.years.all()?.iter().zip(self.year_ends.all()?.iter()).map(of_year).collect())
    }

    /// The runs of numbers whose grants are of a year and of at least an amount.
    fn runs(&self, year: Option<u16>, least: Option<i64>) -> Result<Vec<Range<usize>>, Damage> {
        let mut runs = self.years()?;
        runs.retain(|(of, _)| year.is_none_or(|year| year == *of));
        let run = |(_, run): (u16, Range<usize>)| {
            let Some(least) = least else { return Ok(run) };
            let is_enough = |amount: i64| amount != UNKNOWN_AMOUNT && amount >= least;
            Ok(run.start..self.amounts.partition_point(run, is_enough)?)
        };
        runs.into_iter().map(run).collect()
    }
}

#[cfg(test)]
mod tests;
