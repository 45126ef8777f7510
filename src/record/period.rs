//! Months and days as the IRS writes them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use super::named::text_serde;

/// A month of a year: a ruling month or the end of a tax period (`YYYYMM` in the master file).
///
/// Kept as [`Month::ordinal`]; `YYYY-MM` where people read it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "u16")]
pub struct Month(u16);

/// Why a text is not a month or a day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found:?}")]
pub struct PeriodError {
    expected: &'static str,
    found: String,
}

/// The first and the last year that a month may have.
const YEARS: std::ops::RangeInclusive<u16> = 1800..=2199;

impl Month {
    /// The month of a year (1800 to 2199) and a number (1 to 12).
    pub fn new(year: u16, month: u8) -> Option<Self> {
        (YEARS.contains(&year) && (1..=12).contains(&month))
            .then(|| Self((year - YEARS.start()) * 12 + u16::from(month) - 1))
    }

    /// Reads `YYYYMM`.
    ///
    /// # Errors
    /// When it is not six digits with a year of 1800 to 2199 and a month of 01 to 12.
    pub fn parse_yyyymm(text: &str) -> Result<Self, PeriodError> {
        let digits = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit());
        digits
            .then(|| Self::new(text[..4].parse().ok()?, text[4..].parse().ok()?))
            .flatten()
            .ok_or_else(|| PeriodError { expected: "a month as YYYYMM", found: clip(text) })
    }

    /// The year.
    pub fn year(self) -> u16 {
        YEARS.start() + self.0 / 12
    }

    /// 1 to 12.
    pub fn month(self) -> u8 {
        (self.0 % 12) as u8 + 1
    }

    /// Months since January 1800, for columns; rises with time.
    pub fn ordinal(self) -> u16 {
        self.0
    }

    /// The first day of the month, as `YYYY-MM-01`.
    pub fn first_day(self) -> String {
        format!("{:04}-{:02}-01", self.year(), self.month())
    }

    /// Its last day.
    pub fn last_day(self) -> Date {
        let last = (28..=31).rev().find_map(|day| Date::new(self.year(), self.month(), day));
        last.unwrap_or_else(|| unreachable!("every month has a 28th"))
    }
}

impl TryFrom<u16> for Month {
    type Error = PeriodError;

    fn try_from(ordinal: u16) -> Result<Self, PeriodError> {
        if ordinal / 12 > YEARS.end() - YEARS.start() {
            return Err(PeriodError {
                expected: "a month of 1800 to 2199",
                found: ordinal.to_string(),
            });
        }
        Ok(Self(ordinal))
    }
}

impl Serialize for Month {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(&format_args!("{self:?}"))
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl From<Month> for u16 {
    fn from(month: Month) -> u16 {
        month.0
    }
}

impl fmt::Debug for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year(), self.month())
    }
}

type Format = &'static [BorrowedFormatItem<'static>];

const DD_MON_YYYY: Format = format_description!(
    version = 2,
    "[day padding:none]-[month repr:short case_sensitive:false]-[year]"
);

const YYYY_MM_DD: Format = format_description!(version = 2, "[year]-[month]-[day]");

/// A calendar day of the years 1800 to 2199. Sorts by time.
///
/// Kept in four bytes; `YYYY-MM-DD` where people read it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(time::Date);

impl Date {
    /// The day of a year, a month and a number, if the calendar has it.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let month = time::Month::try_from(month).ok()?;
        Self::of(time::Date::from_calendar_date(year.into(), month, day).ok()?)
    }

    /// A day of the years that there are.
    pub(super) fn of(day: time::Date) -> Option<Self> {
        u16::try_from(day.year()).is_ok_and(|year| YEARS.contains(&year)).then_some(Self(day))
    }

    /// The day that a spreadsheet keeps as a number: days since the end of 1899. `None` before March 1900, where
    /// programs differ, and beyond the years that there are.
    pub fn of_spreadsheet(days: u32) -> Option<Self> {
        /// The last day of which programs differ: a 29 February 1900 that there was not.
        const DOUBTFUL: u32 = 60;
        /// 30 December 1899 as a Julian day.
        const ORIGIN: i32 = 2_415_019;
        let days = i32::try_from(days).ok().filter(|_| days > DOUBTFUL)?;
        Self::of(time::Date::from_julian_day(ORIGIN.checked_add(days)?).ok()?)
    }

    /// Reads `DD-MON-YYYY`, as the revocation list writes it (`15-MAY-2010`), in any case.
    ///
    /// # Errors
    /// When it is not of that form or no such day exists.
    pub fn parse_dd_mon_yyyy(text: &str) -> Result<Self, PeriodError> {
        Self::parse(text, DD_MON_YYYY, "a day as DD-MON-YYYY")
    }

    /// Reads `YYYY-MM-DD`, as returns write it.
    ///
    /// # Errors
    /// When it is not of that form or no such day exists.
    pub fn parse_yyyy_mm_dd(text: &str) -> Result<Self, PeriodError> {
        Self::parse(text, YYYY_MM_DD, "a day as YYYY-MM-DD")
    }

    /// Reads `YYYY-MM-DD` as an end of a span of time: of a day in a year that there is not, the nearest
    /// that there is.
    ///
    /// # Errors
    /// When it is not of that form or no such day exists.
    pub fn parse_nearest(text: &str) -> Result<Self, PeriodError> {
        // The parser would take a sign.
        let day = text.starts_with(|first: char| first.is_ascii_digit()).then_some(text);
        let day = day.and_then(|text| time::Date::parse(text, YYYY_MM_DD).ok());
        let error = || PeriodError { expected: "a day as YYYY-MM-DD", found: clip(text) };
        let day = day.ok_or_else(error)?;
        let ends = (Self::new(*YEARS.start(), 1, 1), Self::new(*YEARS.end(), 12, 31));
        let nearest = if day.year() < i32::from(*YEARS.start()) { ends.0 } else { ends.1 };
        Self::of(day).or(nearest).ok_or_else(error)
    }

    fn parse(text: &str, format: Format, expected: &'static str) -> Result<Self, PeriodError> {
        let day = time::Date::parse(text, format).ok().and_then(Self::of);
        day.ok_or_else(|| PeriodError { expected, found: clip(text) })
    }

    /// The year.
    pub fn year(self) -> u16 {
        self.0.year() as u16
    }

    /// The month, 1 to 12.
    pub fn month(self) -> u8 {
        self.0.month().into()
    }

    /// The day of the month, 1 to 31.
    pub fn day(self) -> u8 {
        self.0.day()
    }

    /// The year in the upper two bytes, then month and day: rises with time.
    pub fn pack(self) -> u32 {
        let [high, low] = self.year().to_be_bytes();
        u32::from_be_bytes([high, low, self.month(), self.day()])
    }

    fn unpack(packed: u32) -> Option<Self> {
        let [high, low, month, day] = packed.to_be_bytes();
        Self::new(u16::from_be_bytes([high, low]), month, day)
    }
}

impl From<Date> for time::Date {
    fn from(date: Date) -> Self {
        date.0
    }
}

impl FromStr for Date {
    type Err = PeriodError;

    fn from_str(text: &str) -> Result<Self, PeriodError> {
        Self::parse_yyyy_mm_dd(text)
    }
}

text_serde!(Date, packed: "a day that there is not");

/// The months, January first.
pub const MONTH_NAMES: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The month, 1 to 12, whose name a word is or begins: three letters at least, in any case.
pub fn month_of(word: &str) -> Option<u8> {
    let begins =
        |name: &str| name.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    let index = MONTH_NAMES.iter().position(|name| word.len() >= 3 && begins(name))?;
    Some(index as u8 + 1)
}

/// `June 2024`.
impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = MONTH_NAMES[usize::from(self.month() - 1) % MONTH_NAMES.len()];
        write!(f, "{name} {}", self.year())
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year(), self.month(), self.day())
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months() {
        let month = Month::parse_yyyymm("200502").unwrap();
        assert_eq!(
            (month.year(), month.month(), month.first_day().as_str()),
            (2005, 2, "2005-02-01")
        );
        assert!(month > Month::parse_yyyymm("200412").unwrap());
        assert_eq!(Month::try_from(month.ordinal()).unwrap(), month);
        for bad in ["", "000000", "200513", "200500", "20050", "2005-2", "٢٠٠٥٠٢", "179912"] {
            assert!(Month::parse_yyyymm(bad).is_err(), "{bad:?}");
        }
        assert!(Month::try_from(u16::MAX).is_err());
    }

    #[test]
    fn names_of_months() {
        for (word, expected) in [
            ("jan", Some(1)),
            ("SEPT", Some(9)),
            ("December", Some(12)),
            ("ma", None),
            ("Mayo", None),
            ("мая", None),
        ] {
            assert_eq!(month_of(word), expected, "{word:?}");
        }
    }

    #[test]
    fn days() {
        let day = Date::parse_dd_mon_yyyy("29-FEB-2012").unwrap();
        assert_eq!(day.to_string(), "2012-02-29");
        assert_eq!(Date::parse_dd_mon_yyyy("1-may-2010").unwrap().to_string(), "2010-05-01");
        let shown = serde_json::to_string(&day).unwrap();
        assert_eq!(shown, "\"2012-02-29\"");
        assert_eq!(serde_json::from_str::<Date>(&shown).unwrap(), day);
        assert!(serde_json::from_str::<Date>("\"2011-02-29\"").is_err());
        let kept = postcard::to_stdvec(&day).unwrap();
        assert_eq!(postcard::from_bytes::<Date>(&kept).unwrap(), day);
        for bad in [
            "",
            "29-FEB-2011",
            "1-1-2011",
            "32-JAN-2011",
            "15-MAY-10",
            "15-MAY-2010-1",
            "-5-MAY-2010",
            "15-MAY-1799",
        ] {
            assert!(Date::parse_dd_mon_yyyy(bad).is_err(), "{bad:?}");
        }
        for (text, nearest) in [
            ("2012-02-29", "2012-02-29"),
            ("0001-01-01", "1800-01-01"),
            ("9999-12-31", "2199-12-31"),
        ] {
            assert_eq!(Date::parse_nearest(text).unwrap().to_string(), nearest);
        }
        for bad in ["", "0000-00-00", "2011-02-29", "-2011-02-28", "+2011-02-28", "2011-2-28"] {
            assert!(Date::parse_nearest(bad).is_err(), "{bad:?}");
        }
    }
}
