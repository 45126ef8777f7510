//! What is neither place nor number: foundations, deductibility, revocation, vetting, sizes, years.

use super::cause;
use super::phrases;
use super::reader::Reader;
use super::token::{Kind, Mark, Tokens};
use crate::record::OrgSize;

/// Reads foundations, deductibility, revocation, vetting.
pub(super) fn read_flags(reader: &mut Reader<'_>) {
    let mut at = 0;
    while at < reader.tokens.len() {
        let tokens = &reader.tokens;
        let found = phrases::meanings("standing")
            .filter_map(|(meaning, names)| Some((tokens.any_phrase(at, names)?, meaning)));
        // The longest; of equally long ones the first of the table.
        let best = found.reduce(|best, next| if next.0 > best.0 { next } else { best });
        // `active 501(c)(3) charities`.
        let behind = tokens.list.get(at + 1);
        let active = tokens.free_at(at).is_some_and(|token| token.form == "active")
            && behind
                .is_some_and(|next| next.mark == Mark::Read || phrases::is_generic(&next.form));
        let best = best.or(active.then_some((at + 1, "not revoked")));
        let Some((end, meaning)) = best else {
            at += 1;
            continue;
        };
        let negated = tokens.any_phrase_before(at, phrases::of("not"));
        let start = negated.unwrap_or(at);
        let yes = negated.is_none();
        let said = match meaning {
            "deductible" | "not deductible" => {
                let deductible = (meaning == "deductible") == yes;
                reader.frame.deductible = Some(deductible);
                if deductible { "contributions deductible" } else { "contributions not deductible" }
            }
            // Public charities, not private foundations: said twice, meant once.
            "foundation" | "no foundation" => {
                let private = (meaning == "foundation") == yes;
                if reader.frame.foundation.is_none() || !private {
                    reader.frame.foundation = Some(private);
                }
                if private { "private foundations" } else { "no private foundations" }
            }
            "vetted" | "not vetted" => {
                let vetted = (meaning == "vetted") == yes;
                reader.frame.vetted = Some(vetted);
                if vetted { "vetted" } else { "not vetted" }
            }
            _ => {
                let inactive = (meaning == "revoked") == yes;
                reader.frame.inactive = Some(inactive);
                if inactive { "exemption revoked" } else { "exemption not revoked" }
            }
        };
        reader.claim(start..end, said.to_owned(), 0.9);
        at = end;
    }
}

/// Reads sizes of organizations.
pub(super) fn read_sizes(reader: &mut Reader<'_>) {
    let mut at = 0;
    while at < reader.tokens.len() {
        let found = size_at(&reader.tokens, at);
        let Some((size, mut end)) = found else {
            at += 1;
            continue;
        };
        let mut sizes = vec![size];
        // `small or medium`, `small to medium-sized`.
        loop {
            let tokens = &reader.tokens;
            let joint = tokens.free_at(end).is_some_and(|t| {
                matches!(&*t.form, "or" | "and" | "to" | "," | "-" | "/" | "y" | "o")
            });
            let next = if joint { end + 1 } else { end };
            let next =
                if joint && matches!(tokens.form(next), "or" | "and") { next + 1 } else { next };
            match size_at(tokens, next).filter(|_| joint) {
                Some((size, after)) => {
                    sizes.push(size);
                    end = after;
                }
                None => break,
            }
        }
        sizes.dedup();
        if is_of_something(&reader.tokens, at, end) {
            at = end;
            continue;
        }
        let said: Vec<&str> = sizes.iter().map(|size| size.name()).collect();
        let meaning = format!("size {}", said.join(" or "));
        for size in sizes {
            if !reader.frame.sizes.contains(&size) {
                reader.frame.sizes.push(size);
            }
        }
        reader.claim(at..end, meaning, 0.85);
        at = end;
    }
}

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

fn size_at(tokens: &Tokens, at: usize) -> Option<(OrgSize, usize)> {
    phrases::meanings("size")
        .filter_map(|(size, names)| Some((OrgSize::named(size)?, tokens.any_phrase(at, names)?)))
        .max_by_key(|found| found.1)
}

/// Whether a size describes something else than organizations.
fn is_of_something(tokens: &Tokens, start: usize, end: usize) -> bool {
    let next = tokens.form(end);
    let word = tokens.form(start);
    // `big` is a size only of what is searched for.
    if matches!(word, "big" | "larger" | "smaller" | "grande" | "grandes") {
        let described = tokens.list.get(end).is_some_and(|token| token.is_word());
        let generic = phrases::is_generic(next) || cause::is_known_word(next);
        if !described || !generic || phrases::has("sized", next) {
            return true;
        }
    }
    let behind = start.checked_sub(1).map_or("", |at| tokens.form(at));
    phrases::has("sized", next) || matches!(behind, "too" | "how" | "by")
}

/// `founded in 1999`, `since 2010`: nothing is known to filter by.
pub(super) fn read_years(reader: &mut Reader<'_>) {
    for at in 0..reader.tokens.len() {
        let Some(token) = reader.tokens.free_at(at) else { continue };
        let is_year = matches!(token.kind, Kind::Number(year) if (1700.0..=2100.0).contains(&year))
            && token.form.len() == 4
            && !reader.tokens.list.get(at + 1).is_some_and(|next| next.glued && next.is_word());
        if !is_year {
            continue;
        }
        if let Some(start) = reader.tokens.any_phrase_before(at, phrases::of("before year")) {
            let and = reader
                .tokens
                .free_at(at + 1)
                .is_some_and(|t| matches!(&*t.form, "and" | "to" | "-"));
            let second = and
                && reader
                    .tokens
                    .free_at(at + 2)
                    .is_some_and(|t| t.form.len() == 4 && matches!(t.kind, Kind::Number(_)));
            reader.leave_unread(start..if second { at + 3 } else { at + 1 });
        }
    }
}
