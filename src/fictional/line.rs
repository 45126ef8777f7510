//! One line of JSON, and the days and moments in it.

use std::io::{self, Write};

use serde::Serialize;

use super::random::Random;
use crate::record::Timestamp;

/// Writes one line of JSON.
pub(super) fn put_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// 2026-11-01T00:00:00Z, in seconds since 1970: nothing is dated later. Fixed, so that the same
/// options give the same bytes on any day.
const END_SECONDS: u64 = 1_793_491_200;

const DAY_SECONDS: u64 = 86_400;

/// Five years.
const POSTED_DAYS: u64 = 1_826;

/// A moment by day within the five years before the end, recent ones more frequent.
pub(super) fn moment(random: &mut Random) -> String {
    let bound = if random.chance(500) { POSTED_DAYS } else { random.below(POSTED_DAYS) + 1 };
    let days = 1 + random.below(bound);
    // Hours of 8 to 19, in steps of five minutes.
    let seconds = 8 * 3600 + random.below(12 * 12) * 300;
    timestamp_text(END_SECONDS - days * DAY_SECONDS + seconds)
}

/// A day of a year, before the end; midnight in UTC.
pub(super) fn day(year: u64, random: &mut Random) -> String {
    let years = 2026_u64.saturating_sub(year);
    let in_year = 10 * DAY_SECONDS + random.below(300) * DAY_SECONDS;
    timestamp_text(END_SECONDS - years * 365 * DAY_SECONDS - in_year.min(303 * DAY_SECONDS))
}

fn timestamp_text(seconds: u64) -> String {
    Timestamp::from_seconds(seconds).map_or_else(String::new, |moment| moment.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_stay_in_their_ranges() {
        let mut random = Random::new(4, 4);
        for _ in 0..2_000 {
            let posted = moment(&mut random);
            assert!(("2021-11-01".."2026-11-01").contains(&&*posted), "{posted}");
            for year in [2022, 2024, 2026, 2027] {
                let added = day(year, &mut random);
                assert!(added[..4] == year.min(2026).to_string(), "{year}: {added}");
            }
        }
    }
}
