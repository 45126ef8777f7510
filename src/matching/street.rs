//! Street addresses, as parts that are compared: number, street, unit, post office box.

use xxhash_rust::xxh3::xxh3_64;

use super::words::{WORDS, number};
use crate::naming::{edits, edits_max, normalise};
use crate::record::Zip5;

/// The parts of an address line; empty where it has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Street {
    /// The number of the house, as written: `108`, `12b`.
    pub number: String,
    /// The words of the street without direction and kind: `martin luther king`.
    pub words: Vec<String>,
    /// Suite, floor, room: `400`.
    pub unit: String,
    /// Number of the post office box.
    pub box_number: String,
}

/// How two addresses compare, part by part; `None` where one of them has no such part.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct StreetFit {
    /// How alike the words of the streets are, 0 to 1.
    pub street: Option<f32>,
    pub number: Option<bool>,
    pub unit: Option<bool>,
    pub box_number: Option<bool>,
}

/// Words of a street that are alike from here on.
const ALIKE_MIN: f32 = 0.75;

impl StreetFit {
    /// Whether the same house is meant.
    pub fn is_same(&self) -> bool {
        self.is_same_street() && self.number != Some(false)
    }

    /// Whether the same street is meant, in whatever house.
    pub fn is_same_street(&self) -> bool {
        self.street.is_some_and(|alike| alike >= ALIKE_MIN)
    }
}

impl Street {
    /// Reads an address line.
    pub fn of(line: &str) -> Self {
        let form = normalise(&line.replace('#', " unit "));
        let mut words: Vec<&str> = form.split(' ').filter(|word| !word.is_empty()).collect();
        let box_number = take_box(&mut words);
        let unit = take_unit(&mut words);
        let mut street = Self { box_number, unit, ..Self::default() };
        let mut rest = words.into_iter().peekable();
        if let Some(first) = rest.peek().copied().filter(|word| begins_with_digit(word)) {
            // Blanks get lost: `108sprucest`.
            let digits = first.trim_end_matches(|c: char| !c.is_ascii_digit());
            let is_ordinal = number(first).is_some() && digits.len() < first.len();
            if !is_ordinal {
                rest.next();
                let letters = &first[digits.len()..];
                let is_glued = letters.len() > 1;
                street.number = if is_glued { digits } else { first }.to_owned();
                if is_glued {
                    street.words.push(letters.to_owned());
                }
            }
        }
        let mut kinds = Vec::new();
        for word in rest {
            match WORDS.directions.get(word).or_else(|| WORDS.streets.get(word)) {
                Some(kind) => kinds.push(*kind),
                None => street.words.push(plain(word)),
            }
        }
        if street.words.is_empty() {
            // `North Street`, `Avenue Road`: the kinds are the name.
            street.words = kinds.into_iter().map(str::to_owned).collect();
        }
        street
    }

    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.box_number.is_empty()
    }

    /// Under what the address is looked up in the index of addresses: the house and the box in a ZIP code.
    pub fn keys(&self, zip: Zip5) -> impl Iterator<Item = u32> + use<> {
        let has_house = !self.number.is_empty() && !self.words.is_empty();
        let house = has_house.then(|| format!("{zip} {} {}", self.number, self.words.concat()));
        let has_box = !self.box_number.is_empty();
        let post_box = has_box.then(|| format!("{zip} box {}", self.box_number));
        house.into_iter().chain(post_box).map(|key| xxh3_64(key.as_bytes()) as u32)
    }

    /// Compares two addresses.
    pub fn fit(&self, other: &Self) -> StreetFit {
        let both = |one: &str, another: &str| {
            (!one.is_empty() && !another.is_empty()).then(|| one == another)
        };
        let has_streets = !self.words.is_empty() && !other.words.is_empty();
        let street = has_streets.then(|| alike(&self.words, &other.words));
        StreetFit {
            street,
            number: both(&self.number, &other.number).filter(|_| has_streets),
            unit: both(&self.unit, &other.unit),
            box_number: both(&self.box_number, &other.box_number),
        }
    }
}

fn begins_with_digit(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// A word of a street as it is compared: ordinals as their numbers.
fn plain(word: &str) -> String {
    number(word).map_or_else(|| word.to_owned(), |number| number.to_string())
}

/// Takes a box and its number out of the words.
fn take_box(words: &mut Vec<&str>) -> String {
    for at in 0..words.len() {
        for phrase in &WORDS.boxes {
            let end = at + phrase.len();
            let is_here = words.get(at..end).is_some_and(|here| here == phrase.as_slice());
            let Some(number) = words.get(end).filter(|_| is_here) else { continue };
            let number = number.trim_start_matches('0').to_owned();
            let is_number = number.bytes().any(|byte| byte.is_ascii_digit()) || number.len() == 1;
            if is_number {
                words.drain(at..=end);
                return number;
            }
        }
    }
    String::new()
}

/// Takes a unit and its number out of the words; of several the last counts.
fn take_unit(words: &mut Vec<&str>) -> String {
    let mut unit = String::new();
    let mut at = 0;
    while at < words.len() {
        if at == 0 || !WORDS.units.contains(words[at]) {
            at += 1;
            continue;
        }
        // `3rd floor` has its number before it, `floor 3` behind.
        let is_ordinal = |word: &&str| begins_with_digit(word) && number(word).is_some();
        let before = words
            .get(at - 1)
            .copied()
            .filter(is_ordinal)
            .filter(|word| at > 1 && !word.ends_with(|c: char| c.is_ascii_digit()));
        match (before, words.get(at + 1)) {
            (Some(number), _) => {
                unit = plain(number);
                words.drain(at - 1..=at);
                at -= 1;
            }
            (None, Some(next)) if WORDS.units.contains(next) => _ = words.remove(at),
            (None, Some(next)) => {
                unit = plain(next.trim_start_matches('0'));
                words.drain(at..=at + 1);
            }
            (None, None) => _ = words.remove(at),
        }
    }
    unit
}

/// How alike two lists of words are, 0 to 1: twice the characters of shared words by all characters.
fn alike(one: &[String], other: &[String]) -> f32 {
    let mut open: Vec<&str> = other.iter().map(String::as_str).collect();
    let mut shared = 0;
    for word in one {
        let found = open.iter().position(|candidate| is_alike(word, candidate));
        if let Some(at) = found {
            shared += word.len() + open.swap_remove(at).len();
        }
    }
    let all: usize = one.iter().chain(other).map(String::len).sum();
    let by_words = shared as f32 / all.max(1) as f32;
    // Blanks are lost and added.
    let (joined, another) = (one.concat(), other.concat());
    if is_alike(&joined, &another) { 1.0 } else { by_words }
}

fn is_alike(one: &str, other: &str) -> bool {
    let has_digit = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    let most = edits_max(one.chars().count()).min(edits_max(other.chars().count()));
    one == other || (!has_digit(one) && !has_digit(other) && edits(one, other, most).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: [&str; 4]) {
        let street = Street::of(line);
        let found = [&street.number, &street.words.join(" "), &street.unit, &street.box_number];
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn parts() {
        check("1452 DORCHESTER AVE STE 4", ["1452", "dorchester", "4", ""]);
        check("55 W 125TH ST FL 11", ["55", "125", "11", ""]);
        check("601 S Figueroa St 4th Fl", ["601", "figueroa", "4", ""]);
        check("PO Box 0328", ["", "", "", "328"]);
        check("P.O. BOX 12, 40 Oak Road", ["40", "oak", "", "12"]);
        check("108SPRUCEST", ["108", "sprucest", "", ""]);
        check("444 Maple Rd #12", ["444", "maple", "12", ""]);
        check("North Street", ["", "n st", "", ""]);
        check("1st Avenue", ["", "1", "", ""]);
        check("", ["", "", "", ""]);
        check("Box", ["", "box", "", ""]);
    }

    #[test]
    fn keys_of_houses_and_boxes() {
        let zip: Zip5 = "82001".parse().unwrap();
        let keys = |line: &str| Street::of(line).keys(zip).collect::<Vec<_>>();
        assert_eq!(keys("1320 Hugur Ave Ste 2"), keys("1320 HUGUR AVENUE"));
        assert_eq!(keys("PO Box 012").len(), 1);
        assert_eq!(keys("PO Box 12"), keys("P.O. BOX 012"));
        assert_eq!(keys("PO Box 12, 40 Oak Rd").len(), 2);
        assert_ne!(keys("1322 Hugur Ave"), keys("1320 Hugur Ave"));
        let elsewhere: Vec<u32> = Street::of("PO Box 12").keys("82002".parse().unwrap()).collect();
        assert_ne!(keys("PO Box 12"), elsewhere);
        assert!(keys("Main Street").is_empty() && keys("").is_empty());
    }

    #[test]
    fn the_same_house_in_other_words() {
        for (one, other, same) in [
            ("1065 37TH AVENUE", "1065 37th Ave", true),
            ("205 E First St", "205 E 1ST ST", true),
            ("4031 Birch Glen Dr", "4031 BIRCH GLEN DRIVE STE 2", true),
            ("407 W NORTH ST", "407 W N ST", true),
            ("12 Oak St", "14 Oak St", false),
            ("12 Oak St", "12 Elm St", false),
            ("12 9th St", "12 8th St", false),
            ("PO Box 1", "12 Elm St", false),
        ] {
            assert_eq!(Street::of(one).fit(&Street::of(other)).is_same(), same, "{one} {other}");
        }
        let boxes = |one: &str, other: &str| Street::of(one).fit(&Street::of(other)).box_number;
        assert_eq!(boxes("PO Box 12", "P O BOX 12"), Some(true));
        assert_eq!(boxes("PO Box 12", "P O BOX 21"), Some(false));
        assert_eq!(boxes("PO Box 12", "21 Elm St"), None);
    }
}
