//! A question as positions, each with the terms of the index that it may mean.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::analysis::{self, Spelling, TERMS_MAX};
use super::similar::may_be_misspelt;
use super::terms::TermId;
use super::{Names, Question};
use crate::mapped::Damage;
use crate::naming::{edit_distance, edits_max};
use crate::record::State;

/// How well a term that was not typed itself stands for what was typed, 0 to 1.
const VARIANT_QUALITY: f32 = 0.95;
const JOINED_QUALITY: f32 = 0.95;
const BEGUN_QUALITY: f32 = 0.9;
const INITIALS_QUALITY: f32 = 0.9;
/// What an edit takes, as a share of the term's characters.
const EDIT_COST: f32 = 1.2;

/// How well a term one edit away stands for a misspelt one at the least.
const NEAREST_QUALITY: f32 = 0.7;

/// Terms that a misspelt one may mean, the nearest and of those the most frequent.
const SIMILAR_MAX: usize = 12;
/// Of the meanings of a position, how many make pairs with those of the next.
const PAIRED_MEANINGS_MAX: usize = 3;
/// Terms that a word that is still being typed may become: the most frequent.
const BEGUN_MAX: usize = 8;
/// Terms of a beginning that are looked at for the most frequent.
const BEGUN_LOOKED_AT_MAX: usize = 1_000;
/// Characters from which on a beginning leads to candidates.
const BEGUN_CHARACTERS_MIN: usize = 3;
/// Characters of either half when a word is cut in two.
const HALF_CHARACTERS_MIN: usize = 3;

/// A term of a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Position {
    pub text: String,
    /// Terms of the index that it may mean, its own first.
    pub alternatives: Vec<Alternative>,
    /// How much it tells: the inverse document frequency of the term.
    pub mass: f32,
    /// Whether the index has this very term.
    pub is_known: bool,
    /// Terms that it begins; empty unless it is still being typed.
    pub begun: Range<u32>,
    /// A state that this position and perhaps the next ones name.
    pub state: Option<Alternative>,
    /// Whether it may be nothing but a state: a word that names leave out.
    pub is_state_only: bool,
    /// How well terms stand for it that it begins or misspells, as far as they were compared: names share
    /// their terms.
    pub likeness: RefCell<HashMap<TermId, Option<f32>>>,
}

impl Position {
    /// One of which nothing but its text is known.
    fn of(text: String) -> Self {
        Self {
            text,
            alternatives: Vec::new(),
            mass: 0.0,
            is_known: true,
            begun: 0..0,
            state: None,
            is_state_only: false,
            likeness: RefCell::default(),
        }
    }
}

/// A term that a position may mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Alternative {
    pub term: TermId,
    /// 1 for what was typed itself.
    pub quality: f32,
    /// Positions that it stands for: two for `red cross` as `redcross`.
    pub covers: usize,
}

/// Two words that a text may be.
struct Halves {
    words: [String; 2],
    /// Names that have the rarer of the two.
    frequency: u32,
}

impl Alternative {
    /// One of a single position.
    fn of(term: TermId, quality: f32) -> Self {
        Self { term, quality, covers: 1 }
    }
}

/// A question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Query {
    pub positions: Vec<Position>,
    /// Whether it says that it names a county: `sierra` alone is seldom one.
    pub names_county: bool,
    /// Whether it has a term twice.
    pub repeats: bool,
    pub spelling: Spelling,
    /// The bits of its words, one each.
    pub words: Vec<u64>,
}

/// States by the terms of their names.
static STATES: LazyLock<Vec<(Vec<String>, String)>> = LazyLock::new(|| {
    let states = State::all();
    let mut named: Vec<_> = states
        .map(|state| (analysis::terms(state.name()), analysis::region(state.code())))
        .collect();
    // `West Virginia` before `Virginia`.
    named.sort_by_key(|(terms, _)| std::cmp::Reverse(terms.len()));
    named
});

impl Names {
    /// Reads a question.
    pub(super) fn read(&self, question: &Question<'_>) -> Result<Query, Damage> {
        let words = analysis::words(question.text);
        let all_left_out = words.iter().all(|word| analysis::is_left_out(word));
        let mut positions = Vec::new();
        for word in &words {
            if positions.len() >= TERMS_MAX {
                break;
            }
            let is_left_out = !all_left_out && analysis::is_left_out(word);
            let code = word.parse::<State>().ok().filter(|_| word.len() == 2);
            if is_left_out && (code.is_none() || positions.is_empty()) {
                continue;
            }
            if is_left_out {
                let state = code.map(|state| analysis::region(state.code()));
                let state = state.map(|text| self.terms.find(&text)).transpose()?.flatten();
                let state = state.map(|term| Alternative::of(term, 1.0));
                positions.push(Position {
                    state,
                    is_state_only: true,
                    ..Position::of(word.clone())
                });
                continue;
            }
            let initials = self.terms.find(&analysis::initials(word))?;
            for term in analysis::terms_of(word) {
                self.push(term, initials, &mut positions)?;
            }
        }
        positions.truncate(TERMS_MAX);
        if question.is_begun
            && let Some(last) = positions.last_mut().filter(|last| !last.is_state_only)
        {
            self.complete_last_word(last)?;
        }
        self.join(&mut positions)?;
        self.find_states(&mut positions)?;
        let mut texts: Vec<&str> = positions.iter().map(|position| &*position.text).collect();
        texts.sort_unstable();
        Ok(Query {
            names_county: analysis::names_county(&words),
            repeats: texts.windows(2).any(|pair| pair[0] == pair[1]),
            positions,
            spelling: Spelling::of(question.text),
            words: words.iter().map(|word| analysis::bit(word)).collect(),
        })
    }

    /// The terms that neighbours are together, in any of the likeliest meanings of both.
    pub(super) fn pairs(&self, query: &Query) -> Result<Vec<TermId>, Damage> {
        let words: Vec<&Position> =
            query.positions.iter().filter(|position| !position.is_state_only).collect();
        let mut pairs = Vec::new();
        for neighbours in words.windows(2) {
            let [first, second] = [self.meanings(neighbours[0])?, self.meanings(neighbours[1])?];
            for one in &first {
                for other in &second {
                    pairs.extend(self.terms.find(&analysis::pair(one, other))?);
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Ok(pairs)
    }

    /// The words that a position means likeliest.
    fn meanings(&self, position: &Position) -> Result<Vec<&str>, Damage> {
        let single = position.alternatives.iter().filter(|one| one.covers == 1);
        single.take(PAIRED_MEANINGS_MAX).map(|one| self.terms.text(one.term)).collect()
    }

    /// Adds a term, which may be the `initials` of names, or two words in one.
    fn push(
        &self,
        text: String,
        initials: Option<TermId>,
        positions: &mut Vec<Position>,
    ) -> Result<(), Damage> {
        let known = self.terms.find(&text)?;
        let mut alternatives = Vec::new();
        alternatives.extend(known.map(|term| Alternative::of(term, 1.0)));
        for variant in analysis::variants(&text) {
            if let Some(term) = self.terms.find(variant)? {
                alternatives.push(Alternative::of(term, VARIANT_QUALITY));
            }
        }
        alternatives.extend(initials.map(|term| Alternative::of(term, INITIALS_QUALITY)));
        // A ZIP code is a place as well.
        if text.len() == 5
            && text.bytes().all(|byte| byte.is_ascii_digit())
            && let Some(term) = self.terms.find(&analysis::region(&text))?
        {
            alternatives.push(Alternative::of(term, 1.0));
        }
        let mass = match known {
            Some(term) => self.terms.mass(term)?,
            None => self.terms.mass_of_frequency(0),
        };
        let is_known = known.is_some();
        let mut position = Position { alternatives, mass, is_known, ..Position::of(text) };
        let is_initials = |one: &&Alternative| Some(one.term) == initials;
        let mut frequency = known.map(|term| self.terms.frequency(term)).transpose()?;
        let mut halves = self.halves(&position.text)?;
        if position.alternatives.iter().all(|one| is_initials(&one)) {
            self.add_similar(&mut position)?;
            let mut words = position.alternatives.iter().filter(|one| !is_initials(one));
            let nearest = words.next().filter(|one| one.quality >= NEAREST_QUALITY);
            frequency = nearest.map(|one| self.terms.frequency(one.term)).transpose()?;
        } else if let Some(two) = &mut halves {
            // Of two words that people also write as one (`foodbank`), how often they stand side by side.
            let [first, second] = &two.words;
            let pair = self.terms.find(&analysis::pair(first, second))?;
            two.frequency = pair.map(|pair| self.terms.frequency(pair)).transpose()?.unwrap_or(0);
        }
        // One word, perhaps misspelt, or two written as one: whichever is more frequent.
        if let Some(two) = halves.filter(|two| two.frequency > frequency.unwrap_or(0)) {
            let first = positions.len();
            for half in two.words {
                self.push(half, None, positions)?;
                if let Some(position) = positions.last_mut() {
                    position.alternatives[0].quality = JOINED_QUALITY;
                }
            }
            let covers = positions.len() - first;
            let whole = position.alternatives.into_iter();
            let whole = whole.map(|one| Alternative { covers, ..one });
            positions[first].alternatives.extend(whole);
            return Ok(());
        }
        positions.push(position);
        Ok(())
    }

    /// Adds the terms that a position may be a misspelling of.
    pub(super) fn add_similar(&self, position: &mut Position) -> Result<(), Damage> {
        let mut similar: Vec<(usize, std::cmp::Reverse<u32>, TermId)> = Vec::new();
        for found in self.segments.similar(&self.terms, &position.text)? {
            let frequency = self.terms.frequency(found.term)?;
            similar.push((found.edits, std::cmp::Reverse(frequency), found.term));
        }
        let asked: Vec<char> = position.text.chars().collect();
        let characters = asked.len();
        // One edit changes the length by one at most.
        let near = analysis::short_words()
            .filter(|(short, _)| short.len().abs_diff(characters) <= 1 && may_be_misspelt(short));
        for (short, meant) in near {
            let written: Vec<char> = short.chars().collect();
            let most = edits_max(characters.min(written.len())).min(1);
            if let Some(edits) = edit_distance(&asked, &written, most).filter(|edits| *edits > 0)
                && let Some(term) = self.terms.find(meant)?
            {
                similar.push((edits, std::cmp::Reverse(self.terms.frequency(term)?), term));
            }
        }
        similar.sort_unstable();
        for (edits, _, term) in similar.into_iter().take(SIMILAR_MAX) {
            if position.alternatives.iter().all(|known| known.term != term) {
                position.alternatives.push(Alternative::of(term, edited(edits, characters)));
            }
        }
        if !position.is_known {
            // A word that nobody has tells as much as what it is likeliest to mean.
            if let Some(likeliest) = position.alternatives.first() {
                position.mass = self.terms.mass(likeliest.term)?;
            }
        }
        Ok(())
    }

    /// The two words that a text is, if it is two: those of which the rarer is the most frequent.
    fn halves(&self, text: &str) -> Result<Option<Halves>, Damage> {
        if !text.is_ascii() || text.bytes().any(|byte| byte.is_ascii_digit()) {
            return Ok(None);
        }
        let mut best: Option<Halves> = None;
        for at in HALF_CHARACTERS_MIN..(text.len() + 1).saturating_sub(HALF_CHARACTERS_MIN) {
            let (first, second) = text.split_at(at);
            let (Some(one), Some(other)) = (self.terms.find(first)?, self.terms.find(second)?)
            else {
                continue;
            };
            let frequency = self.terms.frequency(one)?.min(self.terms.frequency(other)?);
            // Chance makes two rare words of anything.
            if frequency > self.terms.organizations() / 20_000
                && best.as_ref().is_none_or(|best| frequency > best.frequency)
            {
                best = Some(Halves { words: [first.to_owned(), second.to_owned()], frequency });
            }
        }
        Ok(best)
    }

    /// What the last word may become.
    fn complete_last_word(&self, last: &mut Position) -> Result<(), Damage> {
        last.begun = self.terms.beginning_with(&last.text)?;
        if last.text.chars().count() < BEGUN_CHARACTERS_MIN {
            return Ok(());
        }
        let mut begun = Vec::new();
        for term in last.begun.clone().take(BEGUN_LOOKED_AT_MAX).map(TermId) {
            begun.push((std::cmp::Reverse(self.terms.frequency(term)?), term));
        }
        begun.sort_unstable();
        for (_, term) in begun.into_iter().take(BEGUN_MAX) {
            if last.alternatives.iter().all(|known| known.term != term) {
                last.alternatives.push(Alternative::of(term, BEGUN_QUALITY));
            }
        }
        Ok(())
    }

    /// Adds what two neighbours are when written as one word.
    fn join(&self, positions: &mut [Position]) -> Result<(), Damage> {
        for at in 1..positions.len() {
            let joined = format!("{}{}", positions[at - 1].text, positions[at].text);
            if let Some(term) = self.terms.find(&joined)? {
                let alternative = Alternative::of(term, JOINED_QUALITY);
                positions[at - 1].alternatives.push(Alternative { covers: 2, ..alternative });
            }
        }
        Ok(())
    }

    /// Marks positions that name a state, by its name or its code.
    fn find_states(&self, positions: &mut [Position]) -> Result<(), Damage> {
        let mut at = 0;
        while at < positions.len() {
            let rest = &positions[at..];
            let named = STATES.iter().find(|(terms, _)| {
                terms.len() <= rest.len()
                    && terms.iter().zip(rest).all(|(term, position)| *term == position.text)
            });
            let (text, covers) = match named {
                Some((terms, text)) => (Some(text.clone()), terms.len()),
                None => {
                    let code = rest[0].text.parse::<State>().ok();
                    (code.map(|state| analysis::region(state.code())), 1)
                }
            };
            if let Some(term) = text.map(|text| self.terms.find(&text)).transpose()?.flatten() {
                positions[at].state = Some(Alternative { covers, ..Alternative::of(term, 1.0) });
            }
            at += covers;
        }
        Ok(())
    }
}

/// How well a term of `characters` characters stands for another `edits` edits away.
pub fn edited(edits: usize, characters: usize) -> f32 {
    (1.0 - EDIT_COST * edits as f32 / characters.max(1) as f32).max(0.1)
}

impl Query {
    /// Positions that may be misspelt though the index has such a term.
    pub fn may_be_misspelt(&self, at: usize) -> bool {
        let position = &self.positions[at];
        position.is_known && may_be_misspelt(&position.text)
    }
}
