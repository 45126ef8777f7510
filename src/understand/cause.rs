//! Causes: what nonprofits do, in the words of a query (`data/causes.tsv`).
//!
//! Words are compared by their stems, so that number does not matter. A phrase of the table stays
//! together and is nothing else (`little league` is no size, `5k run` no money).

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use super::Names;
use super::frame::{Frame, Part};
use super::phrases::{self, is_common, is_edge, is_generic};
use super::reader::Reader;
use super::token::{Mark, Tokens, is_conjunction};
use super::typo::is_one_edit;
use crate::mapped::Damage;
use crate::places;
use crate::taxonomy;

/// Words of the longest phrase.
const WORDS_MAX: usize = 6;
/// Letters of a word that is mended.
const TYPO_LETTERS_MIN: usize = 5;

/// A term of the table.
#[derive(Debug)]
struct Term {
    /// Prefixes of NTEE codes, the most telling first.
    ntee: Vec<&'static str>,
    /// What a term that is not English means.
    english: Option<&'static str>,
}

/// The terms by stems.
static TERMS: LazyLock<HashMap<String, Term>> = LazyLock::new(|| {
    rows().map(|(term, ntee, english)| (stems(term), Term { ntee, english })).collect()
});

/// Words that misspelt ones may mean, sorted.
static VOCABULARY: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let terms = rows().flat_map(|(term, _, _)| term.split(' '));
    let titles = taxonomy::titles().flat_map(|(_, title)| title.split(' '));
    let words = terms.map(str::to_owned).chain(titles.map(crate::naming::normalise));
    words.filter(|word| word.len() >= 4 && word.chars().all(|c| c.is_ascii_lowercase())).collect()
});

type Row = (&'static str, Vec<&'static str>, Option<&'static str>);

fn rows() -> impl Iterator<Item = Row> {
    include_str!("../../data/causes.tsv")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let mut fields = line.split('\t');
            let term = fields.next().unwrap_or_default();
            let ntee =
                fields.next().unwrap_or_default().split(',').filter(|p| !p.is_empty()).collect();
            (term, ntee, fields.next().filter(|english| !english.is_empty()))
        })
}

/// The stem of a word in normal form: singular and plural have the same.
pub(super) fn stem(word: &str) -> String {
    let mut stem = word.to_owned();
    let keeps =
        ["ss", "us", "is", "as", "os"].iter().any(|end| word.ends_with(end)) && word.len() < 5;
    let keeps = keeps || ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    if stem.len() > 3 && stem.ends_with('s') && !keeps {
        stem.pop();
    }
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    if stem.len() > 3 && stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
    stem
}

fn stems(phrase: &str) -> String {
    phrase.split(' ').map(stem).collect::<Vec<_>>().join(" ")
}

/// Whether a word alone is a term.
pub(super) fn is_known_word(word: &str) -> bool {
    TERMS.contains_key(&stem(word))
}

/// Whether a word stands in the table, or in a title of a code, misspelt ones aside.
pub(super) fn is_in_table(word: &str) -> bool {
    let singular = || word.strip_suffix('s').is_some_and(|one| VOCABULARY.contains(one));
    VOCABULARY.contains(word) || is_known_word(word) || singular()
}

/// Whether some words are a term.
pub(super) fn is_term(phrase: &str) -> bool {
    TERMS.contains_key(&stems(phrase))
}

/// The longest term at a position, over hyphens: itself and where it ends. Tokens that `readable`
/// refuses are not read.
fn term_at(
    tokens: &Tokens,
    at: usize,
    readable: impl Fn(Mark) -> bool,
) -> Option<(&'static Term, usize)> {
    let mut phrase = String::new();
    let mut found = None;
    let mut next = at;
    for _ in 0..WORDS_MAX {
        let Some(token) = tokens.list.get(next) else { break };
        if !readable(token.mark) || (!token.is_word() && !token.is_number()) {
            break;
        }
        if !phrase.is_empty() {
            phrase.push(' ');
        }
        // `5k`, `12th`: a number and what is glued to it are one word in the table.
        let glues = token.is_number()
            && tokens.list.get(next + 1).is_some_and(|unit| unit.glued && unit.is_word());
        if glues {
            phrase.push_str(&token.form);
            phrase.push_str(&stem(&tokens.list[next + 1].form));
            next += 1;
        } else {
            phrase.push_str(&stem(&token.form));
        }
        next += 1;
        if let Some(term) = TERMS.get(&phrase) {
            found = Some((term, next));
        }
        let hyphen = tokens.list.get(next).is_some_and(|t| t.is_sign('-') && readable(t.mark));
        next += usize::from(hyphen);
    }
    found
}

/// Keeps phrases of several words together, away from other readers.
pub(super) fn keep_phrases(reader: &mut Reader<'_>) {
    // Who says it, and what any of them is.
    const NONPROFIT: [&str; 8] = [
        "charity navigator",
        "charity navigators",
        "not for profit",
        "not for profits",
        "non profit",
        "non profits",
        "sin fines de lucro",
        "no lucrativas",
    ];
    for at in 0..reader.tokens.len() {
        if let Some(end) = reader.tokens.any_phrase(at, NONPROFIT) {
            reader.drop_noise(at..end);
        }
        if let Some(end) = reader.tokens.any_phrase(at, phrases::of("no place")) {
            reader.tokens.mark(at..end, Mark::Cause);
        }
    }
    let mut at = 0;
    while at < reader.tokens.len() {
        match term_at(&reader.tokens, at, |mark| mark == Mark::Free) {
            Some((_, end)) if end > at + 1 => {
                reader.tokens.mark(at..end, Mark::Cause);
                at = end;
            }
            _ => at += 1,
        }
    }
}

/// Marks what looks like a word and is none.
///
/// # Errors
/// When the index of words is damaged.
pub(super) fn find_strange(reader: &mut Reader<'_>, names: &dyn Names) -> Result<(), Damage> {
    for token in &mut reader.tokens.list {
        let form = &token.form;
        let known = !token.is_word()
            || form.len() < TYPO_LETTERS_MIN
            || !form.bytes().all(|byte| byte.is_ascii_lowercase())
            || VOCABULARY.contains(form)
            || is_known_word(form)
            || is_common(form);
        token.is_strange = !known && !names.is_word(form)?;
    }
    Ok(())
}

/// Mends what is no word and one edit from a word of the table.
///
/// # Errors
/// When the index of words is damaged.
pub(super) fn mend(reader: &mut Reader<'_>, names: &dyn Names) -> Result<(), Damage> {
    for at in 0..reader.tokens.len() {
        let Some(token) = reader.tokens.free_at(at).filter(|token| token.is_word()) else {
            continue;
        };
        let form = &token.form;
        let known = !token.is_strange
            || super::region::find(form).is_some()
            || !places::find_cities(&places::city_key(form)).is_empty()
            || super::state_name::name_at(&reader.tokens, at, true).is_some()
            || super::state_name::misspelt_at(&reader.tokens, at).is_some();
        if known {
            continue;
        }
        let first = form.chars().next();
        let near = VOCABULARY.iter().filter(|word| {
            (word.chars().next() == first || word.get(..2) == form.get(1..3))
                && is_one_edit(form, word)
        });
        let mut best: Option<(u64, &String)> = None;
        for word in near {
            let found = names.frequency(word)?;
            if best.is_none_or(|(most, _)| found > most) {
                best = Some((found, word));
            }
        }
        let Some((_, word)) = best else { continue };
        let span = token.span.clone();
        reader.tokens.list[at].form = word.clone();
        reader.parts.push(Part { span, meaning: format!("“{word}”"), confidence: 0.7 });
    }
    Ok(())
}

/// `not hospitals or schools`, `no religious groups`, `excluding churches`.
pub(super) fn read_left_out(reader: &mut Reader<'_>) {
    const ALWAYS: [&str; 22] = [
        "not",
        "except",
        "except for",
        "excluding",
        "exclude",
        "but not",
        "other than",
        "and not",
        "apart from",
        "aside from",
        "rather than",
        "anything but",
        "non",
        "that are not",
        "that arent",
        "minus",
        "skip",
        "excepto",
        "excluyendo",
        "no incluyendo",
        "leave out",
        "leaving out",
    ];
    const AT_START: [&str; 8] =
        ["no", "without", "but no", "and no", "without any", "sin", "with no", "not any"];
    let mut at = 0;
    while at < reader.tokens.len() {
        let starts = at == 0
            || reader.tokens.list[at - 1].is_boundary()
            || reader.tokens.list[at - 1].mark == Mark::Read
            || is_generic(reader.tokens.form(at - 1));
        let always = reader.tokens.any_phrase(at, ALWAYS);
        let lead = always.or_else(|| reader.tokens.any_phrase(at, AT_START).filter(|_| starts));
        let Some(first) = lead else {
            at += 1;
            continue;
        };
        let (end, prefixes, nothing) = left_out_list(&reader.tokens, first);
        if prefixes.is_empty() {
            if always.is_some() && end > first && nothing {
                reader.leave_unread(at..end);
            }
            at = end.max(first);
            continue;
        }
        let meaning = format!("not NTEE {}", prefixes.join(" or "));
        for prefix in prefixes {
            if !reader.frame.not_ntee.contains(&prefix) {
                reader.frame.not_ntee.push(prefix);
            }
        }
        reader.claim(at..end, meaning, 0.8);
        at = end;
    }
}

/// The terms of a list: where it ends, the codes that only organizations of them carry, and whether
/// there were words that are no terms.
fn left_out_list(tokens: &Tokens, first: usize) -> (usize, Vec<String>, bool) {
    let readable = |mark| matches!(mark, Mark::Free | Mark::Cause);
    let mut prefixes: Vec<String> = Vec::new();
    let (mut end, mut at, mut words) = (first, first, false);
    while let Some(token) = tokens.list.get(at) {
        if !readable(token.mark) {
            break;
        }
        // `no revenue nonprofits` leaves nothing out; nor does who runs them: `not run by churches`.
        let by = end == first
            && matches!(
                &*token.form,
                "run" | "led" | "by" | "affiliated" | "with" | "owned" | "related" | "to"
            );
        if by {
            at += 1;
            continue;
        }
        let term = term_at(tokens, at, readable).filter(|_| !is_generic(&token.form));
        if let Some((term, next)) = term {
            // The first prefix is what the term means most; others belong to other causes too.
            prefixes.extend(term.ntee.first().map(|prefix| (*prefix).to_owned()));
            (end, at) = (next, next);
            // `not schools, legal aid` goes on, `not schools legal aid` does not.
            let goes_on = tokens.list.get(at).is_some_and(|token| {
                token.is_boundary() || is_generic(&token.form) || is_conjunction(&token.form)
            });
            if goes_on {
                continue;
            }
            break;
        }
        let joint = token.is_joint()
            || token.is_sign('-')
            || matches!(&*token.form, "any" | "the" | "a" | "private" | "public");
        if joint {
            at += 1;
            continue;
        }
        if is_generic(&token.form) {
            at += 1;
            end = at;
            continue;
        }
        if end == first && token.is_word() && !is_edge(&token.form) && at - first < 3 {
            words = true;
            at += 1;
            end = at;
            continue;
        }
        break;
    }
    prefixes.dedup();
    (end, prefixes, words)
}

/// What a text that says only that says nonprofits do, as a frame of nothing else; what is misspelt in it is
/// mended.
///
/// # Errors
/// When the index of words is damaged.
pub fn read(text: &str, names: &dyn Names) -> Result<Frame, Damage> {
    let mut reader = Reader::new(text);
    find_strange(&mut reader, names)?;
    keep_phrases(&mut reader);
    mend(&mut reader, names)?;
    read_rest(&mut reader);
    Ok(reader.frame)
}

/// The codes that only organizations of the terms in a text carry.
pub(super) fn codes_of(text: &str) -> Vec<String> {
    let tokens = Tokens::of(text);
    let mut codes: Vec<String> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let found = term_at(&tokens, at, |_| true).filter(|_| !is_generic(tokens.form(at)));
        if let Some((term, _)) = &found
            && let Some(code) = term.ntee.first()
            && !codes.iter().any(|known| known == code)
        {
            // The first prefix is what the term means most; others belong to other causes too.
            codes.push((*code).to_owned());
        }
        at = found.map_or(at + 1, |(_, end)| end);
    }
    codes
}

/// What is left when everything else was read: the cause, the text to rank by, and evidence.
pub(super) fn read_rest(reader: &mut Reader<'_>) {
    let readable = |mark| matches!(mark, Mark::Free | Mark::Cause);
    let mut kept: Vec<usize> = Vec::new();
    let mut run: Vec<usize> = Vec::new();
    for at in 0..=reader.tokens.len() {
        let token = reader.tokens.list.get(at);
        let breaks = token.is_none_or(|token| !readable(token.mark) || token.is_boundary());
        if breaks {
            kept.extend(trimmed(&reader.tokens, &run));
            run.clear();
        } else if token.is_some_and(|token| token.is_word() || token.is_number()) {
            run.push(at);
        }
    }
    let has_words = kept.iter().any(|&at| {
        let token = &reader.tokens.list[at];
        token.is_word() && (token.mark == Mark::Cause || !is_edge(&token.form))
    });
    if !has_words {
        return;
    }
    let tokens = &reader.tokens;
    let words: Vec<&str> = kept.iter().map(|&at| tokens.form(at)).collect();
    let mut text: Vec<String> = Vec::new();
    let mut prefixes: Vec<String> = Vec::new();
    let mut is_term = false;
    let mut position = 0;
    while position < kept.len() {
        let at = kept[position];
        let found = term_at(tokens, at, readable).filter(|(_, end)| {
            // Not over a word that was dropped.
            (at..*end)
                .filter(|at| tokens.list[*at].is_word() || tokens.list[*at].is_number())
                .all(|at| kept.contains(&at))
        });
        let next = found.map_or(position + 1, |(_, end)| {
            kept.iter().position(|&at| at >= end).unwrap_or(kept.len())
        });
        if let Some((term, _)) = found {
            is_term = position == 0 && next == kept.len();
            for prefix in &term.ntee {
                if !prefixes.iter().any(|known| known == prefix) {
                    prefixes.push((*prefix).to_owned());
                }
            }
        }
        match found.and_then(|(term, _)| term.english) {
            Some(english) => text.push(english.to_owned()),
            None => text.extend(
                words[position..next]
                    .iter()
                    .filter(|word| found.is_some() || !is_edge(word))
                    .map(|word| (*word).to_owned()),
            ),
        }
        position = next;
    }
    reader.frame.cause = Some(words.join(" "));
    reader.frame.text = (!text.is_empty()).then(|| text.join(" "));
    reader.frame.cause_ntee = prefixes;
    reader.frame.cause_is_term = is_term;
}

/// A run without what says nothing at its ends, and without nouns for any nonprofit.
fn trimmed(tokens: &Tokens, run: &[usize]) -> Vec<usize> {
    let free = |at: &usize| tokens.list[*at].is_free();
    let form = |at: &usize| tokens.form(*at);
    let dull = |at: &usize| free(at) && is_common(form(at));
    let start = run.iter().position(|at| !dull(at)).unwrap_or(run.len());
    let end = run.iter().rposition(|at| !dull(at)).map_or(start, |last| last + 1);
    run[start..end.max(start)]
        .iter()
        .copied()
        .filter(|at| !(free(at) && is_generic(form(at))))
        .collect()
}

/// Whether a prefix of codes is one of the taxonomy.
#[cfg(test)]
fn exists(prefix: &str) -> bool {
    let code: crate::record::Ntee = prefix.parse().unwrap();
    taxonomy::titles().any(|(known, _)| known.starts_with(prefix)) || code.as_str().len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        assert!(TERMS.len() > 600);
        for (term, ntee, _) in rows() {
            assert_eq!(crate::naming::normalise(term), term);
            assert!(term.split(' ').count() <= WORDS_MAX, "{term}");
            for prefix in ntee {
                assert!(exists(prefix), "{term}: {prefix}");
            }
        }
    }

    #[test]
    fn stems_of_one_and_many_are_equal() {
        for (one, many) in [
            ("charity", "charities"),
            ("church", "churches"),
            ("service", "services"),
            ("house", "houses"),
            ("kid", "kids"),
            ("art", "arts"),
            ("joven", "jovenes"),
            ("perro", "perros"),
            ("bus", "bus"),
            ("class", "class"),
            ("food bank", "food banks"),
            ("theater", "theaters"),
            ("agency", "agencies"),
        ] {
            assert_eq!(stems(one), stems(many), "{one}");
        }
    }
}
