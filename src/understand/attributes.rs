//! Sizes, standings and orders: what words of a known role ask for by lists of phrases.

use super::phrases;
use super::token::Tokens;
use crate::query::{Figure, Sort, SortKey};
use crate::reader::{Direction, Role, SortBy, Span};
use crate::record::OrgSize;

/// The sizes that a text names which is known to name some, in its order: words such as `huge` name two.
pub(super) fn sizes_in(text: &str) -> Vec<OrgSize> {
    let tokens = Tokens::of(text);
    // The longest words of a list, and where they end.
    let longest = |at: usize, list: &str| {
        let named = phrases::meanings(list).filter_map(|(size, names)| {
            Some((OrgSize::named(size)?, tokens.any_phrase(at, names)?))
        });
        let named: Vec<(OrgSize, usize)> = named.collect();
        let end = named.iter().map(|(_, end)| *end).max()?;
        let sizes = named.into_iter().filter(|(_, own)| *own == end).map(|(size, _)| size);
        Some((sizes.collect::<Vec<OrgSize>>(), end))
    };
    let found = tokens.scan(|at| {
        // The words for what is known to be a size; else those that are sizes anyway.
        let (labelled, any) = (longest(at, "labelled size"), longest(at, "size"));
        let is_longer = any.as_ref().map(|found| found.1) > labelled.as_ref().map(|found| found.1);
        if is_longer { any } else { labelled }
    });
    let mut sizes: Vec<OrgSize> = Vec::new();
    for size in found.into_iter().flatten() {
        if !sizes.contains(&size) {
            sizes.push(size);
        }
    }
    sizes
}

/// The sizes that are left where these are not wanted: not large is small or medium.
pub(super) fn sizes_but(unwanted: &[OrgSize]) -> Vec<OrgSize> {
    let all = OrgSize::ALL;
    let place = |size: &OrgSize| all.iter().position(|one| one == size);
    let (Some(least), Some(most)) =
        (unwanted.iter().filter_map(place).min(), unwanted.iter().filter_map(place).max())
    else {
        return Vec::new();
    };
    let keeps = |at: usize| match (least, most) {
        // Small ones are unwanted: larger ones are not.
        (0, most) => at > most,
        (least, most) if most >= 2 => at < least,
        (least, most) => at < least || at > most,
    };
    (0..all.len()).filter(|at| keeps(*at)).map(|at| all[at]).collect()
}

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

/// The order that a span asks for.
pub fn sort_of(span: &Span) -> Option<Sort> {
    let key = match span.sort_by {
        SortBy::None => return None,
        SortBy::Name => SortKey::Name,
        SortBy::Distance => SortKey::Distance,
        SortBy::Age => SortKey::Figure(Figure::RulingYear),
        by => SortKey::Figure(Figure::named(by.name())?),
    };
    // The youngest have the latest ruling.
    let descending = match span.direction {
        Direction::Ascending => span.sort_by == SortBy::Age,
        Direction::Descending => span.sort_by != SortBy::Age,
        Direction::None => !matches!(key, SortKey::Name | SortKey::Distance),
    };
    Some(Sort { key, descending })
}
