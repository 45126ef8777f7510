//! Nonprofits that a query names: `similar to JDRF`, `tell me about Best Friends Animal Society`,
//! or a name alone.

use super::Names;
use super::cause;
use super::frame::{Organization, Wanted};
use super::phrases::{self, is_common, is_edge};
use super::reader::Reader;
use super::region;
use super::state_name;
use super::token::{Case, Tokens};
use crate::mapped::Damage;
use crate::places;

/// Words of the longest name that is looked up.
const WORDS_MAX: usize = 16;

/// Reads the name of a nonprofit, if there is one.
///
/// # Errors
/// When an index of names is damaged.
pub(super) fn read(reader: &mut Reader<'_>, names: &dyn Names) -> Result<(), Damage> {
    if whole(reader, names)? {
        return Ok(());
    }
    // `Is Winrock International legit?`
    if matches!(reader.tokens.form(0), "is" | "are") && reader.tokens.len() > 2 {
        let ends = |at: &usize| phrases::has("asked of one", reader.tokens.form(*at));
        if let Some(end) = (2..reader.tokens.len()).find(ends)
            && (1..end).any(|at| is_distinct(&reader.tokens, at))
        {
            let text = &reader.query[reader.tokens.span(1..end)];
            let eins = names.of_name(text)?;
            let called = if eins.is_empty() { names.called(text)? } else { None };
            let eins: Vec<_> = eins.into_iter().chain(called).collect();
            if !eins.is_empty() {
                let last = reader.tokens.len();
                take(reader, 0..last, 1..end, &eins, Wanted::Itself, 0.8);
                return Ok(());
            }
        }
    }
    for at in 0..reader.tokens.len() {
        if let Some(first) = reader.tokens.any_phrase(at, phrases::of("similar to")) {
            return named(reader, names, at, first, Wanted::Similar);
        }
        if let Some(first) = reader.tokens.any_phrase(at, phrases::of("about one")) {
            // `tell me about groups like the ballet`.
            let later = (first..reader.tokens.len())
                .any(|at| reader.tokens.any_phrase(at, phrases::of("similar to")).is_some());
            if !later {
                return named(reader, names, at, first, Wanted::Itself);
            }
        }
    }
    Ok(())
}

/// A query that is a name and nothing else.
fn whole(reader: &mut Reader<'_>, names: &dyn Names) -> Result<bool, Damage> {
    let tokens = &reader.tokens;
    let end = tokens.list.iter().rposition(|token| !token.is_boundary()).map_or(0, |last| last + 1);
    if end == 0
        || end > WORDS_MAX
        || tokens.list[..end].iter().any(|t| t.is_sign(',') || t.is_sign('?'))
    {
        return Ok(false);
    }
    let start = usize::from(end > 1 && tokens.form(0) == "the");
    let distinct = (start..end).any(|at| is_distinct(tokens, at));
    // `Kansas City Ballet` is a name, `springfield soup kitchens` asks for some.
    let is_one = !tokens.form(end - 1).ends_with('s');
    let leads = !(start..end).any(|at| matches!(tokens.form(at), "in" | "near" | "for" | "with"));
    let of_a_place = end - start >= 3 && (tokens.is_titled() || (is_one && leads));
    if !distinct && !of_a_place {
        return Ok(false);
    }
    let mut found = hits(reader, names, 0..end)?.or(hits(reader, names, start..end)?);
    if found.is_none() && distinct && end - start >= 2 {
        // Misspelt: a word that no name has, and a name that is one edit from all of this.
        let mut strange = false;
        for at in start..end {
            strange |= is_distinct(tokens, at) && names.frequency(tokens.form(at))? == 0;
        }
        if strange {
            found = names.misspelt(&reader.query[tokens.span(start..end)])?.map(|ein| vec![ein]);
        }
    }
    let Some(eins) = found else { return Ok(false) };
    // `arts council`, `gulf coast`: what many are called, or a place, is rather what is looked for.
    let whole = tokens.joined(start..end);
    let many = eins.len() > 1 && !tokens.is_titled();
    if many || region::find(&whole).is_some() || cause::is_term(&whole) {
        return Ok(false);
    }
    take(reader, 0..end, start..end, &eins, Wanted::Itself, 0.9);
    Ok(true)
}

/// A name behind words that announce one.
fn named(
    reader: &mut Reader<'_>,
    names: &dyn Names,
    at: usize,
    first: usize,
    wanted: Wanted,
) -> Result<(), Damage> {
    let tokens = &reader.tokens;
    let article = matches!(tokens.form(first), "the" | "a" | "an" | "la" | "el");
    let stop = (first..tokens.len())
        .find(|&at| matches!(tokens.form(at), "?" | "!" | ";" | "please" | "thanks" | "pls"))
        .unwrap_or(tokens.len());
    let starts = if article { [first, first + 1] } else { [first, first] };
    let start_of_name = starts[1];
    // `revenue of 1 million`, `who is helping the homeless`.
    let begins = tokens.form(start_of_name);
    let is_lower = tokens.list.get(start_of_name).is_some_and(|t| t.case == Case::Lower);
    if tokens.any_phrase(start_of_name, phrases::of("no name")).is_some() {
        return Ok(());
    }
    if (begins.ends_with("ing") && is_lower)
        || !tokens.list.get(start_of_name).is_some_and(|t| t.is_word())
    {
        return Ok(());
    }
    // `about climate change`: words that lead to a name as often as to anything else.
    let strong = wanted == Wanted::Similar
        || tokens.any_phrase(at, phrases::of("about one by name")).is_some();
    let rest = &tokens.list[start_of_name..stop];
    let is_written_as_name = tokens.is_cased && rest.iter().any(|token| token.case != Case::Lower);
    if !strong && tokens.is_cased && !is_written_as_name {
        return Ok(());
    }
    for end in (first + 1..=stop.min(first + WORDS_MAX)).rev() {
        for start in starts {
            let is_over = end == stop
                || tokens.list[end].is_boundary()
                || phrases::has("behind name", tokens.form(end))
                || tokens.form(end) == "and";
            if start >= end || !is_over || tokens.list[end - 1].is_boundary() {
                continue;
            }
            let distinct = (start..end).any(|at| is_distinct(&reader.tokens, at));
            let long = end - start >= 3;
            if !distinct && !long {
                continue;
            }
            if let Some(eins) = hits(reader, names, start..end)? {
                take(reader, at..end, start_of_name.min(start)..end, &eins, wanted, 0.95);
                return Ok(());
            }
        }
    }
    // Not known by exactly that name: as far as it can go.
    let end = (start_of_name..stop)
        .find(|&at| {
            let token = &reader.tokens.list[at];
            (token.is_boundary() && !token.is_sign('.'))
                || (at > start_of_name && phrases::has("behind name", &token.form))
        })
        .unwrap_or(stop);
    if end <= start_of_name {
        return Ok(());
    }
    let name = &reader.tokens.list[start_of_name..end];
    let capital = reader.tokens.is_cased && name.iter().any(|token| token.case != Case::Lower);
    // `like the Omaha Symphony`: a place and a cause, but written as a name.
    let titled = reader.tokens.is_cased
        && name.len() >= 2
        && name.iter().all(|token| token.case != Case::Lower || is_edge(&token.form));
    let distinct = titled || (start_of_name..end).any(|at| is_distinct(&reader.tokens, at));
    let text = &reader.query[reader.tokens.span(start_of_name..end)];
    if let Some(ein) = names.called(text)?.filter(|_| distinct) {
        take(reader, at..end, start_of_name..end, &[ein], wanted, 0.8);
        return Ok(());
    }
    if strong && distinct && (capital || !reader.tokens.is_cased || wanted == Wanted::Similar) {
        take(reader, at..end, start_of_name..end, &[], wanted, 0.6);
    }
    Ok(())
}

/// Nonprofits whose name some tokens are.
fn hits(
    reader: &Reader<'_>,
    names: &dyn Names,
    tokens: std::ops::Range<usize>,
) -> Result<Option<Vec<crate::record::Ein>>, Damage> {
    let text = &reader.query[reader.tokens.span(tokens)];
    let found = names.of_name(text)?;
    Ok((!found.is_empty()).then_some(found))
}

fn take(
    reader: &mut Reader<'_>,
    tokens: std::ops::Range<usize>,
    name: std::ops::Range<usize>,
    eins: &[crate::record::Ein],
    wanted: Wanted,
    confidence: f32,
) {
    let name = reader.query[reader.tokens.span(name)].trim().to_owned();
    let ein = match (wanted, eins) {
        (Wanted::Similar, [first, ..]) | (Wanted::Itself, [first]) => Some(*first),
        _ => None,
    };
    let meaning = match wanted {
        Wanted::Itself => format!("the nonprofit {name}"),
        Wanted::Similar => format!("like {name}"),
    };
    reader.frame.organization = Some(Organization { name, ein, wanted });
    reader.claim(tokens, meaning, confidence);
}

/// Whether a token can only be of a name: no cause, no place, no common word.
fn is_distinct(tokens: &Tokens, at: usize) -> bool {
    let token = &tokens.list[at];
    let form = &*token.form;
    if !token.is_word() || form.len() < 2 {
        return false;
    }
    let place = region::find(form).is_some()
        || state_name::name_at(tokens, at, true).is_some()
        || places::find_cities(&places::city_key(form)).iter().any(|city| city.primary_zips >= 3);
    !is_common(form) && !place && !cause::is_known_word(form)
}
