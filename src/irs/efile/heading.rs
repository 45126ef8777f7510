//! What stands around a statement and is none of it: a heading that names its place in the form
//! (`Part III, line 4d:`), and amounts that the form has in fields of their own.

use super::pointer::{EDGE_BYTES_MAX, Word, tail, words};

/// The most words of a heading: `Form 990, Part III, Line 4, Statement of program services:`.
const HEADING_WORDS_MAX: usize = 16;

/// Words between amounts.
const OF_AMOUNTS: [&str; 14] = [
    "program",
    "service",
    "services",
    "expense",
    "expenses",
    "grant",
    "grants",
    "allocation",
    "allocations",
    "including",
    "of",
    "and",
    "revenue",
    "total",
];

/// The text without a heading and without amounts at either end; as it is where nothing were left.
pub(super) fn bare(text: &str) -> &str {
    let mut bare = text;
    for strip in [without_heading, without_first_amounts, without_last_amounts] {
        let rest = strip(bare).unwrap_or(bare);
        let edge = |c: char| c.is_whitespace() || matches!(c, '-' | '–' | '—' | ':' | ',' | ';');
        let rest = rest.trim_matches(edge);
        if rest.contains(char::is_alphabetic) {
            bare = rest;
        }
    }
    bare
}

/// A heading is made of the words of pointers and ends with a colon; one that begins with a part or
/// a line may end with a dash, or where capitals begin.
fn without_heading(text: &str) -> Option<&str> {
    let words = words(&text[..text.floor_char_boundary(EDGE_BYTES_MAX)]);
    let length = words.iter().take_while(|word| word.is_of_pointers()).count();
    if length == 0 || length > HEADING_WORDS_MAX {
        return None;
    }
    let after = |at: usize| {
        let next = words.get(at + 1).map_or(text.len(), |next| next.start);
        &text[words[at].end..next]
    };
    if let Some(colon) = (0..length).find(|&at| after(at).contains(':')) {
        return Some(&text[words[colon].end..]);
    }
    let is_numbered = |word: &Word<'_>| word.is_of_pointers() && !has_lowercase(word);
    if !words[0].is_place() || !words.get(1).is_none_or(is_numbered) {
        return None;
    }
    let capitals = |word: &Word<'_>| word.text.len() > 1 && !has_lowercase(word);
    if let Some(next) = words.get(length).filter(|next| capitals(next))
        && !capitals(&words[length - 1])
    {
        return Some(&text[next.start..]);
    }
    let dash = (0..length).find(|&at| after(at).trim_start().starts_with(['-', '–', '—']))?;
    Some(&text[words[dash].end..])
}

fn has_lowercase(word: &Word<'_>) -> bool {
    word.text.contains(char::is_lowercase)
}

fn is_number(word: &Word<'_>) -> bool {
    word.text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether these are amounts with their names, not a number in a sentence.
fn are_amounts(run: &[Word<'_>]) -> bool {
    run.iter().filter(|word| is_number(word)).count() >= 2 && run.iter().any(is_name)
}

fn is_name(word: &Word<'_>) -> bool {
    matches!(word.plain().as_str(), "expense" | "expenses" | "revenue")
}

fn is_of_amounts(word: &Word<'_>) -> bool {
    is_number(word) || OF_AMOUNTS.contains(&word.plain().as_str())
}

/// `Program service expenses 1,200, grants 0, revenue 0 GARDENS …`.
fn without_first_amounts(text: &str) -> Option<&str> {
    let words = words(&text[..text.floor_char_boundary(EDGE_BYTES_MAX)]);
    let length = words.iter().take_while(|word| is_of_amounts(word)).count();
    let run = Some(&words[..length]).filter(|run| are_amounts(run))?;
    let last = run.iter().rfind(|word| is_number(word))?;
    Some(text[last.end..].trim_start_matches(['.', ')', ' ']))
}

/// `… (Expenses $ 1,200 including grants of $ 0)(Revenue $ 0)` or `… 1200. 0. 0.`.
fn without_last_amounts(text: &str) -> Option<&str> {
    let (before, tail) = tail(text);
    let words = words(tail);
    let of_amounts = words.iter().rev().take_while(|word| is_of_amounts(word));
    let run = &words[words.len() - of_amounts.count()..];
    if are_amounts(run) {
        let first = run.iter().find(|word| is_name(word))?;
        return Some(text[..before + first.start].trim_end_matches(['(', '[', ' ', '$']));
    }
    let bare = |word: &&Word<'_>| {
        let rest = &tail[word.end..];
        is_number(word) && (rest == "." || rest.starts_with(". "))
    };
    let count = words.iter().rev().take_while(bare).count();
    (count >= 3).then(|| text[..before + words[words.len() - count].start].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_amounts() {
        let check = |text: &str, expected: &str| assert_eq!(bare(text), expected, "{text:?}");
        check("Form 990, Part III, Line 4d: The club gave meals", "The club gave meals");
        check("OTHER PROGRAM SERVICES 4: ADVOCACY: WE SPOKE", "ADVOCACY: WE SPOKE");
        check("Description: Media: a paper", "Media: a paper");
        check("PART III, Line 1 - Organizational Mission USING MAPS", "USING MAPS");
        check("PART III, LINE 1 - USING MAPS", "USING MAPS");
        check("Part III, line 4a - Gardens for all", "Gardens for all");
        check(
            "Program Service Expenses 410,662, Grants and allocations 0, Revenue 0 GARDENS",
            "GARDENS",
        );
        check("Gardens (Expenses $ 1,200 including grants of $ 0)(Revenue $ 0)", "Gardens");
        check("COSTS THAT ARE SHARED 812277. 0. 0.", "COSTS THAT ARE SHARED");
        for same in [
            "",
            "Education",
            "Program services",
            "Information",
            "Part of a movement - the largest",
            "Mission - through research, we learn",
            "Literacy: books for all",
            "Grants of 500 to 20 schools",
            "We served 1,200 and 300",
            "In 2020, 2021 and 2022",
            "Call 555 123 4567.",
            "Expenses 1,200 grants 0",
            "12. 0. 0.",
        ] {
            check(same, same);
        }
    }
}
