//! Where a row of a list says that an organization is, whichever cells it is in: `Augusta, KS` in the column of
//! cities, a whole address in that of streets, ZIP codes that lost zeros in front or digits at the end.

use super::cell::repaired;
use crate::naming::normalise;
use crate::places;
use crate::record::{State, Zip5};

/// Digits of a ZIP code, and of one with its extension.
const DIGITS: usize = 5;
const DIGITS_EXTENDED: usize = 9;
/// Digits that are left of one, at least.
const DIGITS_MIN: usize = 3;
/// Words of a state's name, at most: `District of Columbia`, `Northern Mariana Islands`.
const STATE_WORDS_MAX: usize = 3;
/// What stands behind an address in this country, in normal form.
const COUNTRIES: [&str; 4] = ["usa", "us", "united states", "united states of america"];

/// An address as a row gives it; texts are empty where it says nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Address {
    pub street: String,
    pub city: String,
    pub state: Option<State>,
    pub zip: ZipReading,
}

/// What is read of a ZIP code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum ZipReading {
    #[default]
    Unknown,
    Whole(Zip5),
    /// Too few digits, of which nobody knows whether zeros in front were lost or digits at the end.
    Part(ZipPart),
}

/// Digits of a ZIP code that lacks some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ZipPart {
    beginning: u32,
    /// How many more digits it may have had.
    lacking: u32,
    /// With the zeros in front that it may have lost, where no place contradicts that.
    padded: Option<Zip5>,
}

impl ZipPart {
    /// Whether a ZIP code may be the one that is meant.
    pub fn may_be(&self, zip: Zip5) -> bool {
        self.padded == Some(zip) || zip.pack() / 10_u32.pow(self.lacking) == self.beginning
    }
}

impl From<Option<Zip5>> for ZipReading {
    fn from(zip: Option<Zip5>) -> Self {
        zip.map_or(Self::Unknown, Self::Whole)
    }
}

impl ZipReading {
    /// The ZIP code, where all of it is known.
    pub fn whole(self) -> Option<Zip5> {
        if let Self::Whole(zip) = self { Some(zip) } else { None }
    }

    /// Reads a cell of a row that names a state or a city, or neither.
    fn of(text: &str, state: Option<State>, city: &str) -> Self {
        let text = text.trim().trim_start_matches('\'');
        let text = text.strip_suffix(".0").unwrap_or(text);
        let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
        let is_plain = digits.len() == text.len();
        match digits.len() {
            DIGITS | DIGITS_EXTENDED => digits[..DIGITS].parse().map_or(Self::Unknown, Self::Whole),
            // An extended one that lost a zero.
            8 => match padded(&digits[..4], state, city) {
                Some(zip) => Self::Whole(zip),
                None => Self::Unknown,
            },
            DIGITS_MIN..DIGITS if is_plain || text[digits.len()..].starts_with('-') => {
                let padded = padded(&digits, state, city);
                match padded.filter(|_| state.is_some() || !city.is_empty() || !is_plain) {
                    Some(zip) => Self::Whole(zip),
                    None => Self::Part(ZipPart {
                        beginning: digits.parse().unwrap_or_default(),
                        lacking: (DIGITS - digits.len()) as u32,
                        padded,
                    }),
                }
            }
            _ => Self::Unknown,
        }
    }
}

/// A ZIP code with the zeros in front that it may have lost, unless it would be in another state than the row, or in
/// one that has no such city.
fn padded(digits: &str, state: Option<State>, city: &str) -> Option<Zip5> {
    let zip: Zip5 = format!("{digits:0>DIGITS$}").parse().ok()?;
    let place = places::zip(zip)?;
    let is_there = match state {
        Some(state) => place.state == state,
        None => city.is_empty() || places::has_city(&places::city_key(city), place.state),
    };
    is_there.then_some(zip)
}

impl Address {
    /// Reads the cells of a row: street, city, state and ZIP code.
    pub fn of([street, city, state, zip]: [&str; 4]) -> Self {
        let text = |cell: &str| repaired(cell).replace(['\r', '\n'], ", ");
        let (mut street, mut city) = (text(street), text(city));
        let is_state_open = state.trim().is_empty();
        let mut state = places::state(state);
        let mut zip = zip.trim().to_owned();
        if let Some(end) = End::of(&city)
            && (is_state_open || end.state.is_none() || end.state == state)
        {
            state = state.or(end.state);
            if zip.is_empty() {
                zip = end.zip;
            }
            city = end.before;
        } else if city.trim().is_empty()
            && is_state_open
            && zip.is_empty()
            && let Some(end) = End::of(&street)
        {
            (state, zip) = (end.state, end.zip);
            (street, city) = match end.before.rsplit_once(',') {
                Some((before, behind)) => (before.to_owned(), behind.trim().to_owned()),
                None => (String::new(), end.before),
            };
        }
        let city = city.trim().to_owned();
        let zip = ZipReading::of(&zip, state, &city);
        let state = state.or_else(|| Some(places::zip(zip.whole()?)?.state));
        Self { street, city, state, zip }
    }
}

/// State and ZIP code at the end of a text.
struct End {
    before: String,
    state: Option<State>,
    zip: String,
}

impl End {
    /// `None` where the text ends with neither.
    fn of(text: &str) -> Option<Self> {
        let mut rest = trimmed(text);
        if let Some((before, behind)) = rest.rsplit_once(',')
            && COUNTRIES.contains(&&*normalise(behind))
        {
            rest = trimmed(before);
        }
        let mut zip = "";
        let (before, last) = rest.rsplit_once([' ', ',']).unwrap_or(("", rest));
        if is_zip(last) && !before.is_empty() {
            (rest, zip) = (trimmed(before), last);
        }
        let found = state_at_end(rest);
        let (before, state) = match found {
            Some((before, state)) => (before, Some(state)),
            None => (rest, None),
        };
        let is_found = state.is_some() || !zip.is_empty();
        is_found.then(|| Self { before: before.to_owned(), state, zip: zip.to_owned() })
    }
}

fn is_zip(word: &str) -> bool {
    let (five, extension) = word.split_once('-').unwrap_or((word, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    five.len() == DIGITS
        && is_digits(five)
        && matches!(extension.len(), 0 | 4)
        && is_digits(extension)
}

/// The state that a text ends with, and what is before it. Behind a comma it is any code or name; else a code in capitals,
/// or what says where a city of that state is, as `Barre Vt`: `in`, `or` and `me` are words, and `New York` is a city.
fn state_at_end(text: &str) -> Option<(&str, State)> {
    if let Some((before, behind)) = text.rsplit_once(',')
        && behind.split_whitespace().count() <= STATE_WORDS_MAX
        && let Some(state) = places::state(behind)
    {
        return Some((trimmed(before), state));
    }
    let blanks = text.rmatch_indices(' ').take(STATE_WORDS_MAX).map(|(at, _)| at);
    // The longest name first: `West Virginia`.
    let ends = blanks.collect::<Vec<_>>().into_iter().rev().map(|at| text.split_at(at));
    ends.map(|(before, end)| (trimmed(before), end.trim())).find_map(|(before, end)| {
        let state = places::state(end)?;
        let is_code = end == state.code();
        let has_city = || places::has_city(&places::city_key(before), state);
        (is_code || has_city()).then_some((before, state))
    })
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(cells: [&str; 4]) -> [String; 4] {
        let address = Address::of(cells);
        let zip = match address.zip {
            ZipReading::Unknown => String::new(),
            ZipReading::Whole(zip) => zip.to_string(),
            ZipReading::Part(part) => {
                let padded = part.padded.map(|zip| zip.to_string()).unwrap_or_default();
                format!("{}? {padded}", part.beginning)
            }
        };
        let state = address.state.map(|state| state.code().to_owned()).unwrap_or_default();
        [address.street, address.city, state, zip]
    }

    #[test]
    fn addresses_in_whichever_cells_they_are() {
        for (cells, expected) in [
            (["1 Main St", "Reno", "NV", "89501"], ["1 Main St", "Reno", "NV", "89501"]),
            (["", "Augusta, KS", "", ""], ["", "Augusta", "KS", ""]),
            (["", "Augusta, KS", "KS", ""], ["", "Augusta", "KS", ""]),
            (["", "Washington DC", "", ""], ["", "Washington", "DC", ""]),
            (["", "Helena, Montana 59601-1234", "", ""], ["", "Helena", "MT", "59601"]),
            (["", "New York", "", ""], ["", "New York", "", ""]),
            (["", "Truth or", "", ""], ["", "Truth or", "", ""]),
            (["", "Barre Vt", "", ""], ["", "Barre", "VT", ""]),
            (["", "Kyle, S.D.", "", ""], ["", "Kyle", "SD", ""]),
            (["", "Portland me", "", ""], ["", "Portland", "ME", ""]),
            (["", "Charleston West Virginia 25301", "", ""], ["", "Charleston", "WV", "25301"]),
            (["", "New York New York", "", ""], ["", "New York", "NY", ""]),
            (["", "Kansas City, KS", "MO", ""], ["", "Kansas City, KS", "MO", ""]),
            (
                ["1320 Hugur Ave, Cheyenne, WY 82001", "", "", ""],
                ["1320 Hugur Ave", "Cheyenne", "WY", "82001"],
            ),
            (
                ["PO Box 304\nBurns, WY 82053-0304\nUSA", "", "", ""],
                ["PO Box 304", "Burns", "WY", "82053"],
            ),
            (["Cheyenne, WY", "", "", ""], ["", "Cheyenne", "WY", ""]),
            (["1320 Hugur Ave", "", "", ""], ["1320 Hugur Ave", "", "", ""]),
            (["", "", "", ""], ["", "", "", ""]),
        ] {
            assert_eq!(address(cells), expected.map(str::to_owned), "{cells:?}");
        }
    }

    #[test]
    fn zip_codes_that_lack_digits() {
        for (city, state, zip, expected) in [
            ("", "NJ", "08861", ["NJ", "08861"]),
            ("", "NJ", "8861", ["NJ", "08861"]),
            ("", "", "08861-1234", ["NJ", "08861"]),
            ("", "", "088611234", ["NJ", "08861"]),
            ("", "NJ", "88611234", ["NJ", "08861"]),
            ("", "", "8861-1234", ["NJ", "08861"]),
            ("", "NJ", "8861.0", ["NJ", "08861"]),
            // In Texas it has lost its end.
            ("", "TX", "7701", ["TX", "7701? "]),
            ("Houston", "", "7701", ["", "7701? "]),
            ("Red Bank", "", "7701", ["NJ", "07701"]),
            ("", "", "7701", ["", "7701? 07701"]),
            ("", "", "W1A 1AA", ["", ""]),
            ("", "", "123456", ["", ""]),
            ("", "", "", ["", ""]),
        ] {
            let found = address(["", city, state, zip]);
            assert_eq!([&*found[2], &*found[3]], expected, "{city} {state} {zip}");
        }
        let part = ZipPart { beginning: 7701, lacking: 1, padded: "07701".parse().ok() };
        let may_be = |zip: &str| part.may_be(zip.parse().unwrap());
        assert!(may_be("77010") && may_be("77019") && may_be("07701") && !may_be("77020"));
    }
}
