//! What a set of grants adds up to, part by part: by tax year, by the recipients' state and by their cause.

use std::cmp::Reverse;

use super::{Adding, Grants, Sum};
use crate::index::columns::Bitmap;
use crate::mapped::{Column, Damage};
use crate::record::{Grant, State};

/// The values of a column of bytes.
const BYTES: usize = 256;

impl Grants {
    /// The sum of each tax year that a set has grants of, the latest first.
    pub fn by_year(&self, set: &Bitmap<Grant>) -> Result<Vec<(u16, Sum)>, Damage> {
        let (amounts, years) = (self.amounts.all()?, self.years()?);
        let mut sums = vec![Adding::default(); years.len()];
        let mut year = 0;
        // Grants are numbered by year.
        set.for_each(|at| {
            while years.get(year).is_some_and(|(_, run)| at >= run.end) {
                year += 1;
            }
            if let Some(sum) = sums.get_mut(year) {
                sum.add(amounts.at(at));
            }
        });
        let years = years.into_iter().zip(sums).map(|((year, _), sum)| (year, sum));
        Ok(years.filter(|(_, sum)| sum.grants > 0).map(|(year, sum)| (year, sum.sum())).collect())
    }

    /// The sum of each state that recipients are in, as filed or else of the linked organization, the greatest first;
    /// `None` is abroad or not known.
    pub fn by_state(&self, set: &Bitmap<Grant>) -> Result<Vec<(Option<State>, Sum)>, Damage> {
        let sums = self.by_value(&self.recipient_states, set)?;
        Ok(sums.into_iter().map(|(state, sum)| (State::from_index(state), sum)).collect())
    }

    /// The sum of each major group of recipients, the greatest first; `None` is not known.
    pub fn by_major(&self, set: &Bitmap<Grant>) -> Result<Vec<(Option<char>, Sum)>, Damage> {
        let letter = |major: u8| major.is_ascii_uppercase().then_some(char::from(major));
        let sums = self.by_value(&self.recipient_majors, set)?;
        Ok(sums.into_iter().map(|(major, sum)| (letter(major), sum)).collect())
    }

    fn by_value(&self, column: &Column<u8>, set: &Bitmap<Grant>) -> Result<Vec<(u8, Sum)>, Damage> {
        let (amounts, values) = (self.amounts.all()?, column.bytes(0..column.count())?);
        let mut sums = [Adding::default(); BYTES];
        set.for_each(|at| sums[usize::from(values[at])].add(amounts.at(at)));
        let sums = (0..=u8::MAX).zip(sums).filter(|(_, sum)| sum.grants > 0);
        let mut sums: Vec<(u8, Sum)> = sums.map(|(value, sum)| (value, sum.sum())).collect();
        sums.sort_by_key(|(value, sum)| (Reverse(sum.amount), Reverse(sum.grants), *value));
        Ok(sums)
    }
}
