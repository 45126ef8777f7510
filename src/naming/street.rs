//! Display case of cities and streets.
//!
//! Simpler than names: no acronyms but those of the post, and every word but a few is a word.

use super::title::{self, Word};
use super::words;

/// Words of an address that stay capitals: directions, post office and military terms.
#[rustfmt::skip]
const CAPITALS: &[&str] = &[
    "AFB", "AFS", "ANGB", "APO", "CMR", "CPO", "CR", "DPO", "FPO", "FSU", "HC", "HCR", "HI", "II",
    "III", "IV", "JB", "JFK", "MCAS", "MCB", "MLK", "MSC", "NAS", "NE", "NW", "PMB", "PO", "POB",
    "PSC", "RFD", "RR", "RV", "SE", "SW", "TR", "UND", "UNLV", "US", "USA", "USAF", "VA", "VFW", "VI",
    "VII", "VIII", "WSU", "YMCA",
];

/// Words small inside a place's name.
#[rustfmt::skip]
const SMALL: &[&str] = &[
    "AND", "AT", "BY", "DE", "DEL", "FOR", "IN", "OF", "ON", "THE", "TO",
];

/// Words after which a road goes by a state's code (`State Road NM 68`).
const STATE_CODES: &[&str] = &["DC", "KY", "MS", "NM", "WV", "WY"];

/// A city's or street's name as a person would write it.
pub(super) fn display_place(raw: &str) -> String {
    title::display(raw, write_place_word)
}

fn write_place_word(list: &[Word], position: usize, shown: &mut String) {
    let text = list[position].text;
    if text.bytes().any(|byte| byte.is_ascii_digit()) && text.is_ascii() {
        return title::write_with_digits(text, shown);
    }
    if text.len() == 1 || words::holds(CAPITALS, text) || words::holds(STATE_CODES, text) {
        return shown.push_str(text);
    }
    let before = position.checked_sub(1).map(|at| list[at].text);
    let last = position + 1 == list.len();
    let small = match before {
        None => false,
        Some(before) if words::holds(words::ARTICLES, text) => {
            !last && words::holds(words::PARTICLES, before)
        }
        // A street may be `Avenue De Diego` but not `S de Baca Ave`; a city `Fond du Lac`.
        Some(before) => {
            !last && before.len() > 1 && !is_number(before) && (holds_small(text) || text == "DU")
        }
    };
    if small {
        title::push_small(text, shown);
    } else {
        title::write_capitalised(text, shown);
    }
}

fn holds_small(text: &str) -> bool {
    words::holds(SMALL, text)
}

fn is_number(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}
