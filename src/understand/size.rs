//! Sizes of organizations.

use super::phrases;
use super::token::Tokens;
use crate::record::OrgSize;

/// The sizes that a text names which is known to name some, in its order: words such as `huge` name two.
pub(super) fn sizes_in(text: &str) -> Vec<OrgSize> {
    let tokens = Tokens::of(text);
    let mut sizes: Vec<OrgSize> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let named = |list| {
            phrases::meanings(list).filter_map(|(size, names)| {
                Some((OrgSize::named(size)?, tokens.any_phrase(at, names)?))
            })
        };
        // The words for what is known to be a size; else those that are sizes anyway.
        let mut found: Vec<(OrgSize, usize)> = named("labelled size").collect();
        let longest = named("size").map(|(_, end)| end).max();
        let own = found.iter().map(|(_, end)| *end).max();
        if own.is_none() || longest > own {
            found = named("size").collect();
        }
        let end = found.iter().map(|(_, end)| *end).max();
        for (size, _) in found.into_iter().filter(|(_, own)| Some(*own) == end) {
            if !sizes.contains(&size) {
                sizes.push(size);
            }
        }
        at = end.unwrap_or(at + 1);
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
