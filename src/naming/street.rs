//! Display case of cities and streets.
//!
//! Simpler than names: no acronyms but those of the post, and every word but a few is a word.

use super::title::{self, Word};
use super::words::List;

/// A city's or street's name as a person would write it: `PO BOX 327` becomes `PO Box 327`. A text
/// with a small letter in it stays as it is.
pub fn display_place(raw: &str) -> String {
    title::display(raw, write_place_word)
}

fn write_place_word(list: &[Word], position: usize, shown: &mut String) {
    let text = list[position].text;
    if text.bytes().any(|byte| byte.is_ascii_digit()) && text.is_ascii() {
        return title::write_with_digits(text, shown);
    }
    if text.len() == 1 || List::PlaceCapital.has(text) || List::RoadState.has(text) {
        return shown.push_str(text);
    }
    let before = position.checked_sub(1).map(|at| list[at].text);
    let last = position + 1 == list.len();
    let small = match before {
        None => false,
        Some(before) if List::Article.has(text) => !last && List::Particle.has(before),
        // A street may be `Avenue De Diego` but not `S de Baca Ave`; a city `Fond du Lac`.
        Some(before) => {
            !last
                && before.len() > 1
                && !is_number(before)
                && (List::PlaceSmall.has(text) || text == "DU")
        }
    };
    if small {
        title::push_small(text, shown);
    } else {
        title::write_capitalised(text, shown);
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}
