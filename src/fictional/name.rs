//! Legal and sort names of fictional organizations: how long they are, how often they repeat and
//! what they are made of follow the master file.

use std::fmt::Write as _;

use super::cities::City;
use super::random::Random;
use super::words::{
    BODIES, CAUSES, CHURCH_FIRSTS, CHURCH_LASTS, GIVEN, LANDS, LONG_JOINTS, ORDER_FIRSTS,
    ORDER_KINDS, ORDER_MATTERS, ORDER_THINGS, PEOPLE, QUALITIES, SAINTS, THINGS, coin, state_name,
};

/// Longest name of the master file, in bytes: the IRS cuts there.
pub(super) const NAME_BYTES_MAX: usize = 70;

/// Longest sort name and in-care-of line of the master file, in bytes.
pub(super) const SHORT_BYTES_MAX: usize = 35;

/// What sort of organization it is; the rest of its row follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Subordinate of a group ruling, or its parent.
    Order,
    Church,
    /// Private foundation of a family.
    Family,
    Other,
}

/// How subordinates of an order tell themselves apart.
const CHAPTERS: [&str; 7] = ["LODGE", "POST", "COUNCIL", "LOCAL", "CHAPTER", "TROOP", "UNIT"];

/// The order of a group number, the same for every subordinate of it. Returns whether it is one of
/// the parent-teacher associations and school clubs that are public charities.
pub(super) fn order(seed: u64, group: u64, out: &mut String) -> bool {
    // Streams of orders lie apart from those of organizations, which count from 0.
    let mut random = Random::new(seed, u64::MAX - group);
    match group % 8 {
        0 => {
            let state = super::cities::CITIES[(group as usize * 7) % super::cities::CITIES.len()].1;
            let what = random.pick(&["PTA", "PTSA", "PTO", "BAND BOOSTERS", "GRANGE"]);
            put(out, &[what, &state_name(state.state), random.pick(&["CONGRESS", "COUNCIL"])]);
            true
        }
        1 => {
            let state = random.weighted(super::cities::CITIES).state;
            put(out, &[&state_name(state), random.pick(&CAUSES).0, random.pick(&BODIES), "INC"]);
            true
        }
        2 => {
            put(out, &["UNITED", random.pick(&PEOPLE), "OF THE NATION"]);
            false
        }
        3 => {
            coin(&mut random, out);
            put(out, &[random.pick(&CAUSES).0, "CLUBS INTERNATIONAL"]);
            true
        }
        4 => {
            coin(&mut random, out);
            put(out, &["HONOR SOCIETY"]);
            true
        }
        _ => {
            put(out, &[random.pick(&ORDER_FIRSTS), random.pick(&ORDER_KINDS)]);
            put(out, &[random.pick(&ORDER_MATTERS), random.pick(&ORDER_THINGS)]);
            false
        }
    }
}

/// The sort name of a subordinate: a number, a place or both.
pub(super) fn chapter(random: &mut Random, city: City, out: &mut String) {
    let number = 1 + random.skewed(12_000);
    match random.below(5) {
        0 => _ = write!(out, "{} {number}", random.pick(&CHAPTERS)),
        1 => put(out, &[city.name, "CHAPTER"]),
        2 => {
            _ = write!(out, "{number} ");
            coin(random, out);
        }
        3 => {
            coin(random, out);
            put(out, &["ELEMENTARY"]);
        }
        _ => _ = write!(out, "{number} {}", city.name),
    }
    cut(out, SHORT_BYTES_MAX);
}

/// A church: thousands share a name, the others carry a place.
pub(super) fn church(random: &mut Random, city: City, out: &mut String) {
    match random.below(20) {
        0..=4 => {
            put(out, &[random.pick(&CHURCH_FIRSTS), random.weighted(&CHURCH_LASTS)]);
        }
        5..=7 => put(out, &[random.pick(&SAINTS), random.weighted(&CHURCH_LASTS)]),
        8..=10 => {
            put(out, &[random.pick(&CHURCH_FIRSTS), random.weighted(&CHURCH_LASTS), "OF"]);
            out.push(' ');
            coin(random, out);
        }
        11 => put(
            out,
            &[random.pick(&CHURCH_FIRSTS), random.weighted(&CHURCH_LASTS), "OF", city.name],
        ),
        12..=15 => {
            coin(random, out);
            put(out, &[random.weighted(&CHURCH_LASTS)]);
        }
        _ => {
            put(out, &[random.pick(&QUALITIES), random.pick(&THINGS)]);
            put(out, &[random.weighted(&CHURCH_LASTS)]);
        }
    }
    finish(random, 90, out);
}

/// A family foundation or trust, under a coined family name.
pub(super) fn family(random: &mut Random, out: &mut String) {
    match random.below(4) {
        0 => {
            put(out, &[random.pick(&GIVEN), "&", random.pick(&GIVEN)]);
            out.push(' ');
        }
        1 => {
            put(out, &[random.pick(&GIVEN)]);
            _ = write!(out, " {} ", char::from(b'A' + random.below(26) as u8));
        }
        2 => put(out, &["THE"]),
        _ => {}
    }
    if !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
    coin(random, out);
    let ends = [
        "FAMILY FOUNDATION",
        "FOUNDATION",
        "CHARITABLE TRUST",
        "CHARITABLE FOUNDATION",
        "MEMORIAL SCHOLARSHIP FUND",
        "FAMILY CHARITABLE TR",
        "FBO LOCAL CHARITIES",
    ];
    put(out, &[random.pick(&ends)]);
    finish(random, 200, out);
}

/// Anything else; returns the NTEE code that the name promises.
pub(super) fn other(random: &mut Random, city: City, out: &mut String) -> &'static str {
    let (cause, ntee) = random.pick(&CAUSES);
    if random.chance(40) {
        out.push_str("THE ");
    }
    match random.below(100) {
        0..=17 => {
            coin(random, out);
            put(out, &[random.pick(&LANDS), cause, random.pick(&BODIES)]);
        }
        18..=32 => {
            coin(random, out);
            put(out, &[cause, random.pick(&BODIES)]);
        }
        33..=44 => put(out, &[city.name, cause, random.pick(&BODIES)]),
        45..=56 => {
            put(out, &[random.pick(&QUALITIES), random.pick(&THINGS), random.pick(&BODIES)]);
        }
        57..=61 => put(out, &[random.pick(&THINGS), "FOR", random.pick(&THINGS)]),
        62..=67 => {
            put(out, &["FRIENDS OF"]);
            out.push(' ');
            coin(random, out);
            put(out, &[random.pick(&LANDS)]);
        }
        68..=74 => {
            coin(random, out);
            let school = ["ELEMENTARY SCHOOL PTO", "HIGH SCHOOL BOOSTER CLUB", "MIDDLE SCHOOL PTA"];
            put(out, &[random.pick(&school)]);
        }
        75..=80 => {
            coin(random, out);
            put(out, &["COUNTY", cause, random.pick(&BODIES)]);
        }
        81..=84 => {
            put(out, &[&state_name(city.state), "ASSOCIATION OF", random.pick(&PEOPLE)]);
        }
        85..=88 => coin(random, out),
        89..=92 => {
            coin(random, out);
            put(out, &[random.pick(&THINGS)]);
        }
        _ => {
            coin(random, out);
            put(out, &[random.pick(&LANDS), cause, random.pick(&BODIES)]);
            put(out, &[random.pick(&LONG_JOINTS)]);
            put(out, &[random.pick(&QUALITIES), random.pick(&THINGS), &state_name(city.state)]);
        }
    }
    if random.below(2500) == 0 {
        out.push('@');
        coin(random, out);
    }
    finish(random, 380, out);
    ntee
}

/// Appends `INC` and its like in `per_mille` of a thousand names, and cuts as the IRS does.
fn finish(random: &mut Random, per_mille: u64, out: &mut String) {
    if random.chance(per_mille) {
        let forms =
            ["INC", "INC", "INC", "INC", "INC", "INC", "INC", "INCORPORATED", "LLC", "CORP"];
        put(out, &[random.pick(&forms)]);
    }
    cut(out, NAME_BYTES_MAX);
}

/// Appends words, blanks between them and before the first unless nothing or a blank is there.
pub(super) fn put(out: &mut String, words: &[&str]) {
    for word in words {
        if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push_str(word);
    }
}

/// Cuts after so many bytes; names are ASCII.
pub(super) fn cut(out: &mut String, bytes_max: usize) {
    out.truncate(bytes_max);
    out.truncate(out.trim_end().len());
}
