//! Flags of a standing: private foundations, deductible, revoked, vetted.

use super::phrases;
use super::token::Tokens;
use crate::reader::Role;

/// Whether words are the opposite of a flag by themselves, whatever the model predicts: `active` is
/// not revoked.
pub(super) fn is_opposite(role: Role, words: &str) -> bool {
    let opposite = format!("not {}", role.name());
    let tokens = Tokens::of(words);
    let of = |list| phrases::meanings(list).filter(|(meaning, _)| *meaning == opposite);
    // `active` by itself is so only of what is known to be a standing.
    let is_whole = |names| tokens.any_phrase(0, names) == Some(tokens.len());
    of("standing").any(|(_, names)| tokens.has_any(names))
        || of("labelled standing").any(|(_, names)| is_whole(names))
}
