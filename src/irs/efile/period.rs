//! Checks the end of a tax period against the other dates of a return. An end far in the future is
//! a typing error that would make the return its filer's latest for ever. No clock is read, so the
//! same return gives the same result in every year.

use std::ops::RangeInclusive;

use super::meaning::Field;
use crate::record::{Date, Timestamp};

/// What is expected of a period that is not over.
pub(super) const EXPECTED: &str = "the end of a tax period that is over";

/// The years that a form may be of: the first e-filed returns to the last that a month may have.
pub(super) const TAX_YEARS: RangeInclusive<u16> = 1990..=2199;

/// Years by which a period may end later than a return seems to allow: a slip is further off.
const GRACE_YEARS: u16 = 1;

/// The last year in which a period may end of a return that says nothing else of its time. Returns of the
/// IRS all say when they were filed, so those of years to come are not refused by this.
const UNDATED_YEAR_MAX: u16 = 2027;

/// Whether a tax period is over by what else the return says.
pub(super) fn is_over<'a>(period_end: Date, text: impl Fn(Field) -> Option<&'a str>) -> bool {
    let year_of = |text| Date::parse_yyyy_mm_dd(text).ok().map(Date::year);
    // The IRS's computers write when a return was filed; all else is typed.
    let filed = text(Field::Filed).and_then(|text| Timestamp::parse(text).ok());
    let filed = filed.and_then(Timestamp::date).map(Date::year);
    let begun = || {
        let tax_year = text(Field::TaxYear).and_then(|text| text.parse().ok());
        let tax_year = tax_year.filter(|year| TAX_YEARS.contains(year));
        // A period has a year and a few days at most.
        Some(tax_year.or_else(|| text(Field::PeriodBegin).and_then(year_of))? + 1)
    };
    let year_max = filed.or_else(begun).map_or(UNDATED_YEAR_MAX, |year| year + GRACE_YEARS);
    period_end.year() <= year_max
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_ends_no_later_than_the_return_allows() {
        let check = |year: u16, said: &[(Field, &str)], expected: bool| {
            let text = |field| said.iter().find(|one| one.0 == field).map(|one| one.1);
            let end = Date::new(year, 12, 31).unwrap();
            assert_eq!(is_over(end, text), expected, "{year} {:?}", said.first().map(|one| one.1));
        };
        let filed = (Field::Filed, "2023-11-02T10:00:00-06:00");
        // What the IRS wrote counts before what was typed.
        let slips = [filed, (Field::TaxYear, "2199"), (Field::PeriodBegin, "2199-01-01")];
        check(2022, &slips, true);
        check(2024, &slips, true);
        check(2025, &slips, false);
        for said in [(Field::TaxYear, "2022"), (Field::PeriodBegin, "2022-12-01")] {
            check(2024, &[said], true);
            check(2025, &[said], false);
        }
        check(2022, &[(Field::TaxYear, "202"), (Field::PeriodBegin, "2022-01-01")], true);
        // A return without any other date.
        for said in [&[][..], &[(Field::Filed, "soon"), (Field::TaxYear, "0")]] {
            check(UNDATED_YEAR_MAX, said, true);
            check(UNDATED_YEAR_MAX + 1, said, false);
        }
    }
}
