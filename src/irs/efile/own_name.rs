//! The filer's own names within its prose: capitals that are lost when a text in capitals
//! throughout becomes sentences are put back where the text names the filer.

use crate::naming::{display_name, initials_of, sentence_case};

/// Words that end a legal name and are left out where people speak of it.
const LEGAL_ENDINGS: [&str; 9] =
    ["inc", "incorporated", "corp", "corporation", "co", "llc", "ltd", "limited", "tr"];

/// How the mention of an organization's parts begins in a legal name.
const PARTS: [&str; 2] = [" & Its ", " and Its "];

/// The names by which a filer may speak of itself, as a person would write them.
pub(super) struct OwnNames(Vec<String>);

impl OwnNames {
    /// Of names as filed, up to `& its chapters`, and their initials. Those of one word are left out, as they may
    /// be any word.
    pub(super) fn of<'a>(filed: impl IntoIterator<Item = &'a str>) -> Self {
        let mut names: Vec<String> = filed
            .into_iter()
            .map(display_name)
            .map(|name| name.strip_prefix("The ").map(str::to_owned).unwrap_or(name))
            .flat_map(|name| {
                [without_parts(&name).to_owned(), without_legal_ending(&name).to_owned(), name]
            })
            .filter(|name| name.contains(' '))
            .collect();
        names.extend(
            names.clone().iter().filter_map(|name| initials_of(without_legal_ending(name))),
        );
        names.sort();
        names.dedup();
        Self(names)
    }

    /// A text in sentence case, with the filer's names as they are written.
    pub(super) fn sentences(&self, text: &str) -> String {
        let mut shown = sentence_case(text);
        if shown == text {
            return shown;
        }
        for name in &self.0 {
            put_back(&mut shown, name);
        }
        shown
    }
}

/// A name without the mention of its parts, `& Its Constituent Chapters`.
fn without_parts(name: &str) -> &str {
    let parts = PARTS.iter().filter_map(|parts| name.find(parts)).min();
    &name[..parts.unwrap_or(name.len())]
}

/// A name without the `Inc` behind it.
fn without_legal_ending(mut name: &str) -> &str {
    while let Some((before, last)) = name.trim_end_matches(['.', ',']).rsplit_once(' ') {
        let last = last.trim_end_matches(['.', ',']);
        if !LEGAL_ENDINGS.iter().any(|ending| last.eq_ignore_ascii_case(ending)) {
            break;
        }
        name = before;
    }
    name.trim_end_matches([',', ' '])
}

fn put_back(text: &mut String, name: &str) {
    // In ASCII small letters have as many bytes as capitals, so places are the same in both.
    let (small, wanted) = (text.to_ascii_lowercase(), name.to_ascii_lowercase());
    for (start, _) in small.match_indices(&wanted) {
        let end = start + wanted.len();
        let inside = |c: char| c.is_alphanumeric();
        if !small[..start].ends_with(inside) && !small[end..].starts_with(inside) {
            // What the sentence has in capitals already it knows better: an acronym.
            let kept = |(old, new): (char, char)| if old.is_uppercase() { old } else { new };
            let written: String = text[start..end].chars().zip(name.chars()).map(kept).collect();
            text.replace_range(start..end, &written);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_within_prose() {
        let check = |names: &[&str], text: &str, expected: &str| {
            assert_eq!(OwnNames::of(names.iter().copied()).sentences(text), expected, "{text}");
        };
        let kites = ["THE RED KITE CLUB, INC.", "KITE FLYERS UNITED"];
        check(&kites, "RED KITE CLUB FLIES KITES.", "Red Kite Club flies kites.");
        check(
            &kites,
            "AT THE RED KITE CLUB'S HILL KITE FLYERS UNITED MEET.",
            "At the Red Kite Club's hill Kite Flyers United meet.",
        );
        check(&kites, "SACRED KITE CLUBS MEET.", "Sacred kite clubs meet.");
        check(&kites, "The red kite club as filed.", "The red kite club as filed.");
        check(
            &["HILL KITES", "GREEN HILL KITES"],
            "GREEN HILL KITES FLY.",
            "Green Hill Kites fly.",
        );
        check(&["YMCA KITES"], "AT THE YMCA KITES FLY.", "At the YMCA Kites fly.");
        check(&["KITE CORPORATION"], "KITE CORPORATION IS.", "Kite Corporation is.");
        check(&["THE KITE CLUB"], "AT THE KITE CLUB.", "At the Kite Club.");
        check(&["KITES"], "WE FLY KITES.", "We fly kites.");
        check(
            &["KITES OF OLD RIDGE TOWN"],
            "KORT FLIES KITES. JOIN KORT'S TEAM.",
            "KORT flies kites. Join KORT's team.",
        );
        check(
            &["NATIONAL KITE CROSS & ITS CONSTITUENT CLUBS"],
            "THE NATIONAL KITE CROSS FLIES.",
            "The National Kite Cross flies.",
        );
        check(&["CAFÉ KITES"], "THE CAFÉ KITES FLY.", "The Café Kites fly.");
        check(&["", "THE", "INC", "THE INC"], "THE CLUB FLIES.", "The club flies.");
    }
}
