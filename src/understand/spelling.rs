//! Corrects misspelt words of a text: those that no list and hardly any name has, where a word for what nonprofits do is near.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::cause::{PAIRS, TYPO_LETTERS_MIN, VOCABULARY, is_known_word, of_phrases};
use super::phrases::is_common;
use super::token::Tokens;
use super::{Names, region};
use crate::curated::is_explained_word;
use crate::mapped::Damage;
use crate::naming::{edits, edits_max};
use crate::{places, taxonomy};

/// How many times as frequent as a rare word another must be that it may misspell.
const TYPO_RARITY: u64 = 50;
/// In how many names a word is, at least, that is in no term and that an unknown one is mended to.
const FREQUENCY_MIN: u64 = 50;
/// Letters that a word may lack for a second edit if another word makes sense.
const TYPO_ROOM: usize = 1;
/// Endings of the forms of a word, the longest first; letters that its stem has, and names that have any of its forms.
const ENDINGS: [&str; 6] = ["ing", "ers", "er", "ed", "es", "s"];
const KIN_LETTERS_MIN: usize = 4;
const KIN_NAMES_MIN: u64 = 3;
/// Least letters of a word that may be corrected at two edits before a message is read.
const TWO_EDITS_LETTERS_MIN: usize = 9;
/// How many times as many names another word must have that a word of a name misspells.
const NAME_RARITY: u64 = 200;

/// Corrections of misspelt words: the vocabulary, and the words of needs.
static SPELLINGS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let needs = taxonomy::needs().flat_map(|need| need.split(' '));
    let needs = needs.filter(|word| word.len() >= TYPO_LETTERS_MIN).map(str::to_owned);
    needs.chain(VOCABULARY.iter().cloned()).collect()
});

/// A text with its misspelt words corrected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpelledText {
    pub text: String,
    /// Bytes of each misspelt word in the text as typed, and of its correction in `text`, in order.
    corrections: Vec<(Range<usize>, Range<usize>)>,
}

impl SpelledText {
    /// Where the text as typed has what stands at these bytes of the corrected one; a word that was corrected is whole.
    pub fn typed(&self, bytes: &Range<usize>) -> Range<usize> {
        self.position(bytes.start, |typed| typed.start)..self.position(bytes.end, |typed| typed.end)
    }

    fn position(&self, at: usize, of_word: fn(&Range<usize>) -> usize) -> usize {
        let before = self.corrections.iter().rev().find(|(_, spelled)| spelled.start < at);
        match before {
            Some((typed, spelled)) if at < spelled.end => of_word(typed),
            Some((typed, spelled)) => at - spelled.end + typed.end,
            None => at,
        }
    }
}

/// A text whose misspelt words are corrected where they are causes: `musems in Montana`. What has a capital or is a word of a
/// name stands. `None` where nothing is misspelt.
pub fn spelled(text: &str, names: &dyn Names) -> Result<Option<SpelledText>, Damage> {
    let tokens = Tokens::of(text);
    let is_phrase = of_phrases(&tokens);
    let mut spelled = String::new();
    let mut corrections = Vec::new();
    let mut end = 0;
    for at in (0..tokens.len()).filter(|at| !is_phrase[*at]) {
        let typed = tokens.list[at].span.clone();
        let own = &text[typed.clone()];
        if own != tokens.form(at) {
            continue;
        }
        let Some((word, edits)) = correction(&tokens, at, names)? else { continue };
        let is_near = edits == 1 || own.len() >= TWO_EDITS_LETTERS_MIN;
        if is_near && names.frequency(own)? * NAME_RARITY <= names.frequency(word)? {
            spelled += &text[end..typed.start];
            end = typed.end;
            corrections.push((typed, spelled.len()..spelled.len() + word.len()));
            spelled += word;
        }
    }
    spelled += &text[end..];
    Ok((!corrections.is_empty()).then_some(SpelledText { text: spelled, corrections }))
}

/// Corrects unknown words in a text that says what nonprofits do.
pub(super) fn correct(
    tokens: &mut Tokens,
    is_phrase: &[bool],
    names: &dyn Names,
) -> Result<(), Damage> {
    for at in (0..tokens.len()).filter(|at| !is_phrase[*at]) {
        if let Some((word, _)) = correction(tokens, at, names)? {
            word.clone_into(&mut tokens.list[at].form);
        }
    }
    Ok(())
}

/// What an unknown word misspells at one edit, or two of a long one, of the vocabulary or of needs, and the edits.
fn correction(
    tokens: &Tokens,
    at: usize,
    names: &dyn Names,
) -> Result<Option<(&'static str, usize)>, Damage> {
    let form = tokens.form(at);
    let token = &tokens.list[at];
    // `SEARHC` is no `search`.
    let is_acronym = token.is_acronym() && (tokens.is_cased || tokens.len() == 1);
    if !token.is_word() || is_acronym {
        return Ok(None);
    }
    let is_known = form.len() < TYPO_LETTERS_MIN
        || !form.bytes().all(|byte| byte.is_ascii_lowercase())
        || VOCABULARY.contains(form)
        || is_known_word(form)
        || is_common(form)
        || is_explained_word(form)
        || region::find(form).is_some()
        || places::is_city(form);
    if is_known || has_kin(form, names)? {
        return Ok(None);
    }
    let is_word = names.is_word(form)?;
    let frequent = if is_word { names.frequency(form)? * TYPO_RARITY } else { 0 };
    let near = SPELLINGS.iter().filter_map(|word| {
        let begins_alike = word.get(..1) == form.get(..1);
        let most = match begins_alike {
            true => edits_max(form.len() + TYPO_ROOM),
            false => usize::from(word.get(..2) == form.get(1..3)),
        };
        Some((edits(form, word, most)?, word.as_str()))
    });
    let before = at.checked_sub(1).map(|before| tokens.form(before));
    let behind = tokens.get(at + 1).map(|token| token.form.as_str());
    let mut best = None;
    for (edits, word) in near.filter(|(edits, _)| *edits > 0) {
        // Needs are misspelt too.
        let pairs = [before.zip(Some(word)), Some(word).zip(behind)];
        let is_usual = pairs.iter().flatten().any(|pair| PAIRS.contains(pair));
        let frequency = names.frequency(word)?;
        if VOCABULARY.contains(word) || frequency >= FREQUENCY_MIN {
            // What may be a word is misspelt only if another makes much more sense: `humain society`.
            let is_likely = match is_word {
                true => is_usual && edits == 1 && frequency > frequent,
                false => is_usual || edits <= edits_max(form.len()),
            };
            let one = (Reverse(is_usual), edits, Reverse(frequency), word);
            if is_likely && best.is_none_or(|known| one < known) {
                best = Some(one);
            }
        }
    }
    Ok(best.map(|(_, edits, _, word)| (word, edits)))
}

/// Whether names have other forms of a word: `mushing` beside *mushers*. Such a word is not misspelt.
fn has_kin(form: &str, names: &dyn Names) -> Result<bool, Damage> {
    let stem = ENDINGS.iter().find_map(|end| form.strip_suffix(end)).unwrap_or(form);
    if stem.len() < KIN_LETTERS_MIN {
        return Ok(false);
    }
    let mut count = 0;
    for end in ENDINGS.iter().chain(&[""]) {
        count += names.frequency(&format!("{stem}{end}"))?;
    }
    Ok(count >= KIN_NAMES_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corrected_word_is_whole_where_it_was_typed() {
        let typed = "humain sosiety of boise";
        let spelled = SpelledText {
            text: "humane society of boise".to_owned(),
            corrections: vec![(0..6, 0..6), (7..14, 7..14)],
        };
        let of = |bytes: Range<usize>| &typed[spelled.typed(&bytes)];
        assert_eq!(of(0..14), "humain sosiety");
        assert_eq!(of(18..23), "boise");
        let typed = "soup kichen in reno";
        let spelled = SpelledText {
            text: "soup kitchen in reno".to_owned(),
            corrections: vec![(5..11, 5..12)],
        };
        for (bytes, own) in
            [(0..12, "soup kichen"), (8..12, "kichen"), (16..20, "reno"), (0..4, "soup")]
        {
            assert_eq!(&typed[spelled.typed(&bytes)], own);
        }
    }
}
