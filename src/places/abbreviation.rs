//! How words of city names are shortened (`data/city_abbreviations.tsv`).

use std::sync::LazyLock;

use crate::record::named;
use crate::table::table;

named! {
    /// Where a short form stands for the full word.
    Position {
        Start = "start",
        End = "end",
        Inner = "inner",
        /// Only where the ZIP code's own city confirms it: it may be another word, or short for two.
        Known = "known",
    }
}

struct Abbreviation {
    short: &'static str,
    full: &'static str,
    holds: Position,
}

static TABLE: LazyLock<Vec<Abbreviation>> = LazyLock::new(|| {
    let rows = table!("data/city_abbreviations.tsv").each(|[short, full, holds]| {
        Some(Abbreviation { short, full, holds: Position::named(holds)? })
    });
    let mut table: Vec<Abbreviation> = rows.collect();
    table.sort_by_key(|entry| entry.short);
    table
});

fn entries(short: &str) -> impl Iterator<Item = &'static Abbreviation> {
    let from = TABLE.partition_point(|entry| entry.short < short);
    TABLE[from..].iter().take_while(move |entry| entry.short == short)
}

/// Whether a word, in small letters, is ever short for another.
pub(super) fn is_short_for(short: &str, full: &str) -> bool {
    entries(short).any(|entry| entry.full == full)
}

/// The full word of a short one at a position of `count` words, when nothing else is needed to
/// know it.
pub(super) fn written_out(short: &str, position: usize, count: usize) -> Option<&'static str> {
    if count < 2 {
        return None;
    }
    let holds = |entry: &&Abbreviation| match entry.holds {
        Position::Start => position == 0,
        Position::End => position + 1 == count,
        Position::Inner => true,
        Position::Known => false,
    };
    entries(short).find(holds).map(|entry| entry.full)
}
