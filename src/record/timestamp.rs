//! Moments: when something was published, filed or written down.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};
use time::format_description::BorrowedFormatItem;
use time::format_description::well_known::Rfc2822;
use time::macros::format_description;
use time::parsing::Parsed;
use time::{OffsetDateTime, Time, UtcDateTime, UtcOffset};

use super::Date;

/// A moment in UTC, to the second: years 1 to 9999, shown as RFC 3339 (`2024-05-01T12:00:00Z`).
/// Sorts by time.
///
/// Kept as seconds; as shown where people read it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "i64")]
pub struct Timestamp(i64);

/// Why something is not a moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a day (2024-05-01) or a time as RFC 3339 (2024-05-01T12:00:00Z), found {found:?}"
)]
pub struct TimestampError {
    found: String,
}

/// Seconds since 1970 of the first second of year 1 and the last of year 9999.
const RANGE: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// What [`Timestamp::parse`] reads.
const FORMAT: &[BorrowedFormatItem<'_>] = format_description!(
    version = 2,
    "[year]-[month]-[day][optional [[first [T] [t] [ ]][hour]:[minute][optional [:[second]]]\
     [optional [.[subsecond]]][optional [ ]][optional [[first [Z] [z] \
     [[offset_hour sign:mandatory]:[offset_minute]] [[offset_hour sign:mandatory][offset_minute]]]]]]]"
);

impl Timestamp {
    /// Now, by the system's clock.
    pub fn now() -> Self {
        Self(UtcDateTime::now().unix_timestamp())
    }

    /// The moment `seconds` seconds after 1970 began, UTC; `None` outside the years 1 to 9999.
    pub fn from_seconds(seconds: impl TryInto<i64>) -> Option<Self> {
        seconds.try_into().ok().filter(|seconds| RANGE.contains(seconds)).map(Self)
    }

    /// The day, UTC; `None` before 1800 and after 2199, where no [`Date`] is.
    pub fn date(self) -> Option<Date> {
        Date::of(self.utc().date())
    }

    /// As headers of HTTP write it (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    pub fn http_date(self) -> String {
        let utc = self.utc();
        let (weekday, month) = (utc.weekday().to_string(), utc.month().to_string());
        format!(
            "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
            &weekday[..3],
            utc.day(),
            &month[..3],
            utc.year(),
            utc.hour(),
            utc.minute(),
            utc.second()
        )
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
    pub fn parse(text: &str) -> Result<Self, TimestampError> {
        read(text.trim()).ok_or_else(|| TimestampError { found: text.chars().take(40).collect() })
    }

    /// Reads a date of a header of HTTP or mail (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`. The
    /// two older forms of HTTP are not read.
    pub fn parse_header(text: &str) -> Option<Self> {
        let moment = OffsetDateTime::parse(text.trim(), &Rfc2822).ok()?;
        Self::from_seconds(moment.unix_timestamp())
    }

    /// The beginning of a day.
    pub fn of_day(date: Date) -> Self {
        Self(time::Date::from(date).midnight().as_utc().unix_timestamp())
    }

    /// The year.
    pub fn year(self) -> i32 {
        self.utc().year()
    }

    /// `20240501T120000Z`: the basic format of ISO 8601, for names of files.
    pub fn basic(self) -> String {
        self.to_string().replace(['-', ':'], "")
    }

    fn utc(self) -> UtcDateTime {
        UtcDateTime::from_unix_timestamp(self.0).expect("it is of the years 1 to 9999")
    }
}

fn read(text: &str) -> Option<Timestamp> {
    let mut parsed = Parsed::new();
    let rest = parsed.parse_items(text.as_bytes(), FORMAT).ok()?;
    if !rest.is_empty() {
        return None;
    }
    // A leap second is taken for the one before.
    let (hour, minute) = (parsed.hour_24().unwrap_or(0), parsed.minute().unwrap_or(0));
    let time = Time::from_hms(hour, minute, parsed.second().unwrap_or(0).min(59)).ok()?;
    let offset = UtcOffset::try_from(parsed).unwrap_or(UtcOffset::UTC);
    let local = time::Date::try_from(parsed).ok()?.with_time(time);
    Timestamp::from_seconds(local.assume_offset(offset).unix_timestamp())
}

impl TryFrom<i64> for Timestamp {
    type Error = TimestampError;

    fn try_from(seconds: i64) -> Result<Self, TimestampError> {
        Self::from_seconds(seconds).ok_or_else(|| TimestampError { found: seconds.to_string() })
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl From<Timestamp> for i64 {
    fn from(moment: Timestamp) -> i64 {
        moment.0
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let now = self.utc();
        let ((year, month, day), (hour, minute, second)) = (now.to_calendar_date(), now.as_hms());
        write!(f, "{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z", u8::from(month))
    }
}

impl fmt::Debug for Timestamp {
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
            ("2023-05-11T11:35:34.5-03:30", "2023-05-11T15:05:34Z"),
            ("2016-12-31t23:59:60z", "2016-12-31T23:59:59Z"),
            ("2023-05-11T11:35", "2023-05-11T11:35:00Z"),
            (" 2023-05-11T11:35:34+0200 ", "2023-05-11T09:35:34Z"),
            ("0001-01-01", "0001-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Timestamp::parse(text).unwrap().to_string(), expected, "{text}");
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
            assert!(Timestamp::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn dates_of_headers() {
        for (text, expected) in [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", None),
            ("Sun, 31 Feb 1994 08:49:37 GMT", None),
            ("", None),
        ] {
            assert_eq!(Timestamp::parse_header(text).map(Timestamp::seconds), expected, "{text:?}");
        }
    }

    #[test]
    fn every_day_comes_back() {
        for days in (-719_162_i64..2_932_896).step_by(97) {
            let moment = Timestamp::from_seconds(days * 86_400).unwrap();
            assert_eq!(Timestamp::parse(&moment.to_string()).unwrap(), moment);
            let midnight = moment.date().map(Timestamp::of_day);
            assert!(midnight.is_none_or(|midnight| midnight == moment));
        }
        let moment = Timestamp::parse("2024-05-01T12:30:05Z").unwrap();
        assert_eq!((moment.year(), moment.basic().as_str()), (2024, "20240501T123005Z"));
        assert!(Timestamp::now().date().is_some());
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_moment_or_none(text in "\\PC{0,40}|[0-9TZtz:.+ -]{0,40}") {
            let _ = (Timestamp::parse(&text), Timestamp::parse_header(&text));
        }
    }
}
