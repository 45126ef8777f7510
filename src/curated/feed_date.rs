//! Dates as feeds write them: RFC 3339, RFC 822 and what passes for them.

use crate::record::{Timestamp, month_of};

/// The longest date that is looked at; the longest sensible one has 40 characters.
const DATE_BYTES_MAX: usize = 100;

/// The moment of a date: `Wed, 01 May 2024 12:00:00 -0500`, `1 May 24`, `May 1, 2024 9:30 EST`,
/// `2024-05-01T12:00:00Z`. `None` for anything else.
pub(super) fn moment(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() > DATE_BYTES_MAX {
        return None;
    }
    Timestamp::parse(text).ok().or_else(|| rfc_822(text))
}

fn rfc_822(text: &str) -> Option<Timestamp> {
    let mut words = text.split([' ', ',', '\t']).filter(|word| !word.is_empty()).peekable();
    let is_day_of_week =
        |word: &str| month(word).is_none() && word.starts_with(char::is_alphabetic);
    words.next_if(|word| is_day_of_week(word));
    let (first, second) = (words.next()?, words.next()?);
    let (day, month) = match month(first) {
        Some(month) => (second, month),
        None => (first, month(second)?),
    };
    let day: u32 = day.parse().ok()?;
    let year: u32 = match words.next()? {
        // RFC 2822, 4.3.
        short if short.len() == 2 => {
            let year: u32 = short.parse().ok()?;
            if year < 50 { 2000 + year } else { 1900 + year }
        }
        long => long.parse().ok()?,
    };
    let clock = words.next().unwrap_or("00:00");
    let mut parts = clock.split(':');
    // A few writers count the last hour of a day as 24.
    let hour = parts.next()?.parse::<u32>().ok()? % 24;
    let minute: u32 = parts.next()?.parse().ok()?;
    let second: u32 = parts.next().map_or(Ok(0), str::parse).ok()?;
    let offset = offset(words.next().unwrap_or("Z"));
    let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{offset}");
    Timestamp::parse(&text).ok()
}

/// The month of a name in any language that begins it as English does.
fn month(word: &str) -> Option<u8> {
    month_of(word.get(..3)?)
}

/// The offset of a zone by number or by a name of RFC 822; every other name is taken as UTC.
fn offset(zone: &str) -> &str {
    match zone.to_ascii_uppercase().as_str() {
        _ if zone.starts_with(['+', '-']) => zone,
        "EDT" => "-0400",
        "EST" | "CDT" => "-0500",
        "CST" | "MDT" => "-0600",
        "MST" | "PDT" => "-0700",
        "PST" => "-0800",
        _ => "Z",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (text, expected) in [
            ("Wed, 01 May 2024 12:00:00 GMT", Some("2024-05-01T12:00:00Z")),
            ("Wed, 01 May 2024 12:00:00 -0500", Some("2024-05-01T17:00:00Z")),
            ("Wednesday, 1 May 2024 12:00 +02:00", Some("2024-05-01T10:00:00Z")),
            ("1 May 24", Some("2024-05-01T00:00:00Z")),
            ("1 May 94 8:05 EST", Some("1994-05-01T13:05:00Z")),
            ("Mon, 01 September 2025 24:00:00 PDT", Some("2025-09-01T07:00:00Z")),
            ("May 1, 2024 9:30", Some("2024-05-01T09:30:00Z")),
            ("  2024-05-01T12:00:00+01:00 ", Some("2024-05-01T11:00:00Z")),
            ("2024-05-01", Some("2024-05-01T00:00:00Z")),
            ("Wed, 01 May 2024 12:00:00 Nowhere", Some("2024-05-01T12:00:00Z")),
            ("Wed, 31 Feb 2024 12:00:00 GMT", None),
            ("Wed, 01 May 2024 noon", None),
            ("Wed, 01 May 2024 12:61:00 GMT", None),
            ("Wed, 01 Mai", None),
            ("1 Мая 2024", None),
            ("yesterday", None),
            ("", None),
            ("4294967296 May 2024", None),
        ] {
            let read = moment(text).map(|moment| moment.to_string());
            assert_eq!(read.as_deref(), expected, "{text:?}");
        }
    }
}
