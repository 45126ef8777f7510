//! Texts that only point elsewhere (`SEE SCHEDULE O`), or begin or end with that.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use crate::naming::is_apostrophe;
use crate::record::named;
use crate::table::table;
use crate::text::runs;

/// The most bytes at either end of a text that a pointer or a heading takes up.
pub(super) const EDGE_BYTES_MAX: usize = 400;

/// A text without its pointers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Statement<'a> {
    /// What it says itself; empty when it only points.
    pub(super) own: &'a str,
    /// Whether it points elsewhere.
    pub(super) points: bool,
}

named! {
    /// What a word is in a pointer.
    Kind {
        Lead = "lead",
        Place = "place",
        Other = "other",
    }
}

static KINDS: LazyLock<HashMap<&str, Kind>> = LazyLock::new(|| {
    let rows = table!("data/efile_pointers.tsv").each(|[kind, words]| {
        let kind = Kind::named(kind)?;
        Some(words.split(' ').map(move |word| (word, kind)))
    });
    rows.flatten().collect()
});

/// A word of a text: letters, digits and apostrophes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    /// Byte at which it begins.
    pub(super) start: usize,
    /// Byte behind it.
    pub(super) end: usize,
}

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let words = runs(text, |c| c.is_alphanumeric() || is_apostrophe(c));
    words.map(|Range { start, end }| Word { text: &text[start..end], start, end }).collect()
}

impl Word<'_> {
    /// In lower case, without apostrophes.
    pub(super) fn plain(self) -> String {
        self.text.chars().filter(|c| !is_apostrophe(*c)).flat_map(char::to_lowercase).collect()
    }

    fn kind(self) -> Option<Kind> {
        let word = self.plain();
        if let Some(kind) = KINDS.get(word.as_str()) {
            return Some(*kind);
        }
        // Numbers of forms, parts and lines: 990, III, 4a.
        let letters = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = matches!(letters, "" | "a" | "b" | "c" | "d" | "e" | "f");
        let roman = word.chars().all(|c| matches!(c, 'i' | 'v' | 'x'));
        (number || roman).then_some(Kind::Other)
    }

    /// Whether it may stand in a pointer: `see`, `the`, `Part`, `III`, `information`.
    pub(super) fn is_of_pointers(self) -> bool {
        self.kind().is_some()
    }

    /// Whether it is a place of a return: `part`, `line`, `schedule`.
    pub(super) fn is_place(self) -> bool {
        self.kind() == Some(Kind::Place)
    }
}

/// Splits a text of single blanks into what it says and whether it points elsewhere.
pub(super) fn statement(text: &str) -> Statement<'_> {
    let mut statement = Statement { own: trim(text), points: false };
    if let Some(own) = without_tail(statement.own) {
        statement = Statement { own, points: true };
    }
    if let Some(own) = without_head(statement.own) {
        statement = Statement { own, points: true };
    }
    statement
}

/// Drops what a pointer leaves at the ends: dashes, colons, brackets that were opened for it.
fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '-' | '–' | '—' | '*' | ':' | ';' | ',')
    })
}

/// The end of a text that is long enough for a pointer, and how much stands before it.
pub(super) fn tail(text: &str) -> (usize, &str) {
    let before = text.ceil_char_boundary(text.len().saturating_sub(EDGE_BYTES_MAX));
    (before, &text[before..])
}

fn without_tail(text: &str) -> Option<&str> {
    let (before, tail) = tail(text);
    let words = words(tail);
    let kinds: Vec<_> = words.iter().rev().map_while(|word| word.kind()).collect();
    let first = words.len() - kinds.len();
    let places = |from: usize| kinds[..words.len() - from].contains(&Kind::Place);
    if first == 0 {
        // All of a long text cannot be a pointer; where its end begins a word may be cut.
        return (before == 0 && places(0)).then_some("");
    }
    let starts = (first..words.len()).find(|&at| {
        let leads = kinds[words.len() - 1 - at] == Kind::Lead;
        let bracketed = tail[..words[at].start].ends_with('(');
        let alone = at + 1 == words.len() && bracketed && words[at].plain().starts_with("cont");
        leads && (places(at) || alone)
    })?;
    let please = |at: &usize| words[*at].plain() == "please";
    let starts = (first..starts).rev().take_while(please).last().unwrap_or(starts);
    let own = text[..before + words[starts].start].trim_end_matches(['(', '[', '{', '"']);
    Some(trim(own))
}

fn without_head(text: &str) -> Option<&str> {
    let words = words(&text[..text.floor_char_boundary(EDGE_BYTES_MAX)]);
    let mut leads = false;
    let mut places = false;
    for (at, word) in words.iter().enumerate() {
        match word.kind()? {
            Kind::Lead => leads = true,
            Kind::Place if leads => places = true,
            _ if !leads && at > 0 => return None,
            _ => {}
        }
        // The last word of the edge may be cut off, and what is behind it is not known.
        let next = words.get(at + 1)?;
        let between = &text[word.end..next.start];
        let stops = between.contains(['.', ':', ';', ')', '–', '—']) || between.contains(" - ");
        // The dot of "Sch. O" ends nothing.
        if stops && places && next.plain() != "o" {
            let own = text[word.end..].trim_start_matches(['.', ')', ' ']);
            return Some(trim(own));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers() {
        let check = |text: &str, own: &str, points: bool| {
            assert_eq!(statement(text), Statement { own, points }, "{text:?}");
        };
        for only in [
            "SEE SCHEDULE O",
            "See Schedule O.",
            "SEE SCHEDULE O FOR THE ORGANIZATION'S MISSION STATEMENT",
            "SEE PART III, LINE 1.",
            "See Part III, Line 4a",
            "See attached",
            "SEE ATTACHED STATEMENT 1",
            "STATEMENT 24",
            "(SEE STATEMENT 1)",
            "SEE SUPPLEMENTAL INFORMATION",
            "continued on schedule o",
            "Please see Schedule O for a complete description",
            "Refer to Sch. O",
            "SEE SCHEUDLE O",
            "SCHEDULE O, PART III",
            "SEE FORM 990, PART III, LINE 4A",
            "SAME AS ABOVE",
        ] {
            check(only, "", true);
        }
        check("TUTORING FOR ALL (CONTINUED ON SCHEDULE O)", "TUTORING FOR ALL", true);
        check("Meals for all. con't on Schedule O", "Meals for all.", true);
        check("Meals for all. (continued)", "Meals for all.", true);
        check("BLOOD SERVICES - SEE SCHEDULE O", "BLOOD SERVICES", true);
        check("Cost Sharing (See Sch O", "Cost Sharing", true);
        check("We tackle our (continued p 2)", "We tackle our", true);
        check("SEE SCHEDULE O.RIVER CLINICS CARE FOR ALL", "RIVER CLINICS CARE FOR ALL", true);
        check("See Sch. O: we feed people", "we feed people", true);
        check("Gardens - please see attached list", "Gardens", true);
        for plain in [
            "",
            "TO SEE EVERY CHILD READ",
            "Helps children see",
            "Education",
            "PROGRAM SERVICES",
            "We continue to serve, in part, the whole county",
            "See what we do: we feed people",
            "Our program continued in the fall",
            "To see that no one is left below the line of poverty",
        ] {
            check(plain, plain, false);
        }
    }
}
