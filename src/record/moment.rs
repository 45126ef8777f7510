//! Moments: when something was published, filed or written down.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::Date;

/// A moment in UTC, to the second: years 1 to 9999, shown as RFC 3339 (`2024-05-01T12:00:00Z`).
/// Sorts by time.
///
/// Kept as seconds; as shown where people read it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "i64")]
pub struct Moment(i64);

/// Why something is not a moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a day (2024-05-01) or a time as RFC 3339 (2024-05-01T12:00:00Z), found {found:?}"
)]
pub struct MomentError {
    found: String,
}

const SECONDS_A_DAY: i64 = 86_400;

/// Seconds since 1970 of the first second of year 1 and the last of year 9999.
const RANGE: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

impl Moment {
    /// The moment of so many seconds since 1970; `None` outside the years 1 to 9999.
    pub fn from_seconds(seconds: i64) -> Option<Self> {
        RANGE.contains(&seconds).then_some(Self(seconds))
    }

    /// The day, UTC; `None` before 1800, where no [`Date`] is.
    pub fn date(self) -> Option<Date> {
        let day = time::OffsetDateTime::from_unix_timestamp(self.0).ok()?.date();
        Date::new(u16::try_from(day.year()).ok()?, day.month().into(), day.day())
    }

    /// Seconds since 1970.
    pub fn seconds(self) -> i64 {
        self.0
    }

    /// Reads a day or a time: `2024-05-01`, `2024-05-01T12:00:00Z`, `2024-05-01 12:00:00+02:00`;
    /// fractions of a second are dropped, a time without an offset is taken as UTC.
    ///
    /// # Errors
    /// When it is anything else, or no such day or time exists.
    pub fn parse(text: &str) -> Result<Self, MomentError> {
        read(text.trim()).ok_or_else(|| MomentError { found: text.chars().take(40).collect() })
    }

    /// The beginning of a day.
    pub fn of_day(date: Date) -> Self {
        let days =
            days_before(i64::from(date.year()), i64::from(date.month()), i64::from(date.day()));
        Self(days * SECONDS_A_DAY)
    }

    /// The year.
    pub fn year(self) -> i32 {
        let (year, _, _) = day_of(self.0.div_euclid(SECONDS_A_DAY));
        year as i32
    }
}

fn number(text: &str, digits: usize) -> Option<i64> {
    let good = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    good.then(|| text.parse().ok()).flatten()
}

fn read(text: &str) -> Option<Moment> {
    let (day, time) = match text.char_indices().nth(10) {
        Some((at, 'T' | 't' | ' ')) => (text.get(..at)?, text.get(at + 1..)?),
        Some(_) => return None,
        None => (text, "00:00:00Z"),
    };
    let mut parts = day.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
    let days = days_before(year, month, day);
    if parts.next().is_some() || year < 1 || day_of(days) != (year, month, day) {
        return None;
    }
    let seconds = days * SECONDS_A_DAY + seconds_of_time(time)?;
    Moment::from_seconds(seconds)
}

/// Seconds since midnight in UTC; below 0 or above a day where the offset leads there.
fn seconds_of_time(text: &str) -> Option<i64> {
    let end = text.find(['Z', 'z', '+', '-']).unwrap_or(text.len());
    let (clock, offset) = text.split_at(end);
    let clock = clock.trim_end();
    let clock = clock.split_once('.').map_or(clock, |(whole, _)| whole);
    let mut parts = clock.split(':');
    let (hours, minutes) = (number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    let seconds = parts.next().map_or(Some(0), |seconds| number(seconds, 2))?;
    if parts.next().is_some() || hours > 23 || minutes > 59 || seconds > 60 {
        return None;
    }
    let offset = match offset {
        "" | "Z" | "z" => 0,
        signed => {
            let sign = if signed.starts_with('-') { -1 } else { 1 };
            let digits: String = signed[1..].chars().filter(|c| *c != ':').collect();
            let all = number(&digits, 4)?;
            sign * (all / 100 * 3600 + all % 100 * 60)
        }
    };
    Some(hours * 3600 + minutes * 60 + seconds.min(59) - offset)
}

/// Days from 1970-01-01 to a day of the Gregorian calendar (H. Hinnant, "chrono-Compatible
/// Low-Level Date Algorithms").
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The year, month and day of a number of days since 1970-01-01; the way back of [`days_before`].
fn day_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

impl TryFrom<i64> for Moment {
    type Error = MomentError;

    fn try_from(seconds: i64) -> Result<Self, MomentError> {
        Self::from_seconds(seconds).ok_or_else(|| MomentError { found: seconds.to_string() })
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl From<Moment> for i64 {
    fn from(moment: Moment) -> i64 {
        moment.0
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, rest) = (self.0.div_euclid(SECONDS_A_DAY), self.0.rem_euclid(SECONDS_A_DAY));
        let (year, month, day) = day_of(days);
        let (hours, minutes, seconds) = (rest / 3600, rest / 60 % 60, rest % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}Z")
    }
}

impl fmt::Debug for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times() {
        for (text, expected) in [
            ("1970-01-01", "1970-01-01T00:00:00Z"),
            ("2024-02-29", "2024-02-29T00:00:00Z"),
            ("2023-02-23T08:16:02-07:00", "2023-02-23T15:16:02Z"),
            ("2023-12-31T23:30:00-01:00", "2024-01-01T00:30:00Z"),
            ("2023-05-11 11:35:34.250Z", "2023-05-11T11:35:34Z"),
            ("2023-05-11T11:35", "2023-05-11T11:35:00Z"),
            (" 2023-05-11T11:35:34+0200 ", "2023-05-11T09:35:34Z"),
            ("0001-01-01", "0001-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Moment::parse(text).unwrap().to_string(), expected, "{text}");
        }
        for bad in [
            "",
            "2023",
            "2023-02-29",
            "2023-13-01",
            "2023-00-10",
            "2023-1-1",
            "23-01-01",
            "2023-05-11T25:00:00Z",
            "2023-05-11Tnoon",
            "2023-05-11x",
            "0000-01-01",
            "1 May 2023",
            "2023-05-11T11:35:34+2",
            "9999-12-31T23:59:59-01:00",
            "２０２３-05-11",
        ] {
            assert!(Moment::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn every_day_comes_back() {
        for days in (-719_162..2_932_896).step_by(97) {
            let (year, month, day) = day_of(days);
            assert_eq!(days_before(year, month, day), days);
        }
        let day = Date::new(2024, 5, 1).unwrap();
        assert_eq!(Moment::of_day(day), Moment::parse("2024-05-01").unwrap());
        assert_eq!(Moment::of_day(day).year(), 2024);
    }
}
