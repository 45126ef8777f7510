//! The positions of a lexicon that one edit of what was typed leads to.
//!
//! With one edit only, what was typed is walked exactly up to the edit and exactly after it, so
//! the product of the automaton with a Levenshtein automaton of distance 1 is a single chain of
//! nodes with one short branch a character: it is enumerated directly, in a time that grows with
//! the text's length and the alphabet and not with the number of names.
//!
//! An edit is one character too many, one missing, another one, or two neighbours swapped; never
//! of the first character, and never one that makes a number another number: a digit that was
//! typed is meant (`Troop 12` is not `Troop 13`). Levenshtein's distance with transpositions:
//! Damerau 1964.

use super::lexicon::{Lexicon, Position};
use crate::mapped::Damage;

/// Where names go on that begin with something one edit away from `typed`, each position once.
pub(super) fn one_edit_away(lexicon: &Lexicon, typed: &[char]) -> Result<Vec<Position>, Damage> {
    let mut found = Vec::new();
    let mut at = Some(lexicon.root());
    for edited in 1..typed.len() {
        at = match at {
            Some(from) => walk(lexicon, from, &typed[edited - 1..edited])?,
            None => break,
        };
        let Some(from) = at else { break };
        let rest = &typed[edited..];
        let before = typed[edited - 1];
        if !rest[0].is_numeric() {
            found.extend(walk(lexicon, from, &rest[1..])?);
        }
        if let [first, second, after @ ..] = rest
            && first != second
            && !(first.is_numeric() && second.is_numeric())
            && let Some(swapped) = walk(lexicon, from, &[*second, *first])?
        {
            found.extend(walk(lexicon, swapped, after)?);
        }
        for (character, next) in lexicon.next_characters(from)? {
            if may_be_missing(before, character, rest[0]) {
                found.extend(walk(lexicon, next, rest)?);
            }
            if character != rest[0] && !rest[0].is_numeric() {
                found.extend(walk(lexicon, next, &rest[1..])?);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Whether a name's character may have been left out between two typed ones: not a digit of a
/// number that was begun.
fn may_be_missing(before: char, character: char, after: char) -> bool {
    !character.is_numeric() || !(before.is_numeric() || after.is_numeric())
}

fn walk(lexicon: &Lexicon, from: Position, text: &[char]) -> Result<Option<Position>, Damage> {
    let mut at = from;
    let mut bytes = [0; 4];
    for character in text {
        match lexicon.walk(at, character.encode_utf8(&mut bytes).as_bytes())? {
            Some(next) => at = next,
            None => return Ok(None),
        }
    }
    Ok(Some(at))
}
