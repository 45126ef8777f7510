//! The values of labelled words: what recognises places, goals, orders and names is asked about a text that is
//! known to have one.

use std::ops::Range as Span;

use super::amount;
use super::frame::Place;
use super::goal;
use super::phrases;
use super::place;
use super::reader::Reader;
use super::token::{Case, Kind, Token, Tokens};
use crate::index::columns::{Sort, SortKey};
use crate::reader::{self, Act, Direction, Intent, Message, Role, SortBy};
use crate::record::{Sdg, SdgSet};

/// Whether a text has a phrase of a list.
pub(super) fn says(text: &str, list: &str) -> bool {
    Tokens::of(text).has_any(phrases::of(list))
}

/// A name without an article in small letters before it.
pub(super) fn without_article(name: &str) -> &str {
    let tokens = Tokens::of(name);
    match &tokens.list[..] {
        [article, next, ..]
            if article.case == Case::Lower && phrases::has("leading article", &article.form) =>
        {
            name[next.span.start..].trim()
        }
        _ => name.trim(),
    }
}

/// Where the only name of a message stands.
pub(super) fn name_of(message: &Message) -> Option<Span<usize>> {
    let mut names = message.spans.iter().filter(|span| span.role == Role::Name);
    names.next().filter(|_| names.next().is_none()).map(|span| span.bytes.clone())
}

/// Whether a message is a name, perhaps with its place, and nothing else.
pub(super) fn is_bare(tokens: &Tokens, message: &Message) -> bool {
    let covered = |at: usize| message.spans.iter().any(|span| span.bytes.contains(&at));
    let asks = |span: &reader::Span| !matches!(span.role, Role::Name | Role::Place);
    message.intent.label == Intent::Details
        && message.act.label == Act::New
        && message.spans.iter().any(|span| span.role == Role::Name)
        && !message.spans.iter().any(asks)
        && tokens.list.iter().all(|token| {
            covered(token.span.start)
                || !token.is_word()
                || phrases::is_edge(&token.form)
                || place::is_preposition(&token.form)
        })
}

/// Places of a text that is known to name some; misspelt ones too. With words that make one the middle of
/// a circle not every word is of a place.
pub(super) fn places_in(text: &str, has_near: bool) -> Vec<Place> {
    let read = |text: &str, names_places: bool| {
        let mut reader = Reader::new(text);
        reader.tokens.names_places = names_places;
        place::read(&mut reader);
        let is_left =
            |token: &Token| token.is_free() && token.is_word() && !phrases::is_edge(&token.form);
        // `urban areas` is no place called Urban: where words are left over, only what reads as a place
        // anywhere is one.
        if names_places && reader.tokens.list.iter().any(is_left) {
            reader = Reader::new(text);
            place::read(&mut reader);
        }
        let mut places = reader.frame.places;
        places.extend(reader.frame.not_places);
        places
    };
    let places = read(text, !has_near);
    if !places.is_empty() {
        return places;
    }
    let found = |text: &str| read(text, true);
    // Where its first words name none, perhaps the rest does: `state=OR`.
    let starts = Tokens::of(text).list.into_iter().map(|token| token.span.start);
    starts.map(|start| found(&text[start..])).find(|places| !places.is_empty()).unwrap_or_default()
}

/// Goals of a text that is known to name some: by number wherever it has one, else by name.
pub(super) fn goals_in(text: &str) -> SdgSet {
    let found = led_by(text, "sdg", |reader| {
        goal::read(reader);
        (!reader.frame.sdgs.is_empty()).then_some(reader.frame.sdgs)
    });
    let numbers = Tokens::of(text).list.into_iter().filter_map(|token| {
        let number = match token.kind {
            Kind::Number(number) => number,
            _ => amount::small(&token.form)?,
        };
        Sdg::new(number as i64).ok().filter(|goal| f64::from(goal.number()) == number)
    });
    found.unwrap_or_else(|| numbers.collect())
}

/// What is found in a text, else behind the word that leads to such things.
pub(super) fn led_by<T>(
    text: &str,
    lead: &str,
    find: impl Fn(&mut Reader<'_>) -> Option<T>,
) -> Option<T> {
    find(&mut Reader::new(text)).or_else(|| find(&mut Reader::new(&format!("{lead} {text}"))))
}

pub(super) fn sort_of(span: &reader::Span) -> Option<Sort> {
    let key = match span.sort_by {
        SortBy::None => return None,
        SortBy::Revenue => SortKey::Revenue,
        SortBy::Expenses => SortKey::Expenses,
        SortBy::Assets => SortKey::Assets,
        SortBy::Employees => SortKey::Employees,
        SortBy::Score => SortKey::Score,
        SortBy::Rating => SortKey::Rating,
        SortBy::Name => SortKey::Name,
        SortBy::Distance => SortKey::Distance,
        SortBy::Age => SortKey::Ruling,
    };
    // The youngest have the latest ruling.
    let descending = match span.direction {
        Direction::Ascending => key == SortKey::Ruling,
        Direction::Descending => key != SortKey::Ruling,
        Direction::None => !matches!(key, SortKey::Name | SortKey::Distance),
    };
    Some(Sort { key, descending })
}
