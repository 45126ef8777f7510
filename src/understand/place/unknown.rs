//! Counties that a text names and the gazetteer does not have.

use super::{WORDS_MAX, county_at, is_preposition, state_behind};
use crate::query::Area;
use crate::understand::token::{Case, Token, Tokens};
use crate::understand::{cause, phrases, region};

/// Words of the name of a county that is not known.
const NAME_WORDS_MAX: usize = 3;

/// The counties that a text which is known to name places names, as `Foo County, Kansas`, and the gazetteer does not
/// have; words such as `rural county` name none.
pub(in crate::understand) fn unknown_counties(text: &str) -> Vec<Area> {
    let tokens = Tokens::of(text);
    let is_kind = |at: &usize| phrases::has("county", tokens.form(*at)) && !is_known(&tokens, *at);
    (1..tokens.len()).filter(is_kind).filter_map(|kind| unknown_at(&tokens, kind, text)).collect()
}

/// Whether a word for a county is part of the name of a known one.
fn is_known(tokens: &Tokens, kind: usize) -> bool {
    let behind = |at: usize| county_at(tokens, at).is_some_and(|(.., end)| end > kind);
    (kind.saturating_sub(WORDS_MAX)..=kind).any(behind)
}

fn unknown_at(tokens: &Tokens, kind: usize, text: &str) -> Option<Area> {
    let is_of_name = |token: &Token| {
        token.is_word()
            && !token.is_joint()
            && !is_preposition(&token.form)
            && !phrases::is_edge(&token.form)
    };
    let before = (kind.saturating_sub(NAME_WORDS_MAX)..kind).rev();
    let start = before.take_while(|at| is_of_name(&tokens.list[*at])).last()?;
    let is_ordinary = |token: &Token| {
        let is_capital = tokens.is_cased && token.case != Case::Lower;
        let form = &token.form;
        !is_capital
            && (phrases::is_common(form) || cause::is_known_word(form) || region::is_word(form))
    };
    let words = &tokens.list[start..kind];
    if words.iter().all(is_ordinary) {
        return None;
    }
    let name = text[tokens.span(start..kind)].to_owned();
    let state = state_behind(tokens, kind + 1, None).map(|(state, _)| state);
    Some(Area { county: Some(name), state, ..Area::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counties_that_nobody_knows() {
        let found = |text: &str| {
            let said = |area: Area| {
                let state = area.state.map_or(String::new(), |state| format!(", {state}"));
                area.county.unwrap() + &state
            };
            unknown_counties(text).into_iter().map(said).collect::<Vec<_>>().join("; ")
        };
        for (text, expected) in [
            ("Foo County Kansas", "Foo, KS"),
            ("in Foo County, Kansas", "Foo, KS"),
            ("Johnson County Kansas", ""),
            ("johnsn county kansas", "johnsn, KS"),
            ("Teton County", ""),
            ("a rural county in Kansas", ""),
            ("county of Cook", ""),
            ("Kansas", ""),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }
}
