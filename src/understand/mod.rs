//! A sentence to filters that a person can see and trust, and the words that are left to rank by.
//!
//! [`decode()`] makes filters of a message whose words are labelled, by [`crate::reader`] or,
//! without the model, by [`tag`]: recognisers of amounts, places, goals, codes and names give each
//! span its value, and `edit` changes the frame by it. [`or_name`] decides whether the whole query
//! is a name instead. [`Sessions`] keep the frames for the next message.
//!
//! [`interpret()`] is the door: a text, a session and parameters become a [`Query`] and what explains it. Every
//! [`Lookup`] in the data is made once a request.

mod amount;
mod area;
mod attributes;
mod bound;
mod cause;
mod cause_frame;
mod code;
mod conversation;
mod danger;
mod decode;
mod edit;
mod filler;
mod frame;
mod giving;
mod grouping;
mod interpret;
mod lookup;
mod merge;
mod named_facts;
mod naming;
mod organization;
mod phrases;
mod place;
mod place_assignment;
mod query;
mod question;
mod reading;
mod reference;
mod region;
mod sdg;
mod sentence;
mod session;
mod spelling;
mod tagger;
mod token;
mod year;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::embed;
use crate::mapped::Damage;
use crate::query::Figure;

pub use amount::sole_amount;
pub use area::{Surroundings, around_city, state_of_circle, states_of, surroundings};
pub use attributes::sort_of;
pub use bound::is_amount;
pub use cause::{conditions_in, is_in_table as is_kind_word, number_forms};
pub use cause_frame::cause_of;
pub use code::{ein_alone, subsections_in as subsections_of};
pub use conversation::{
    Conversation, FactQuestion, LastQuery, MentionedDanger, SEEN_MAX, SHOWN_MAX, Subject,
};
pub use danger::{danger_in, danger_in_stretch, language_in_danger, sought_in, tells_danger};
pub use decode::{DecodedMessage, decode, town_in_state};
pub use edit::Step;
pub use filler::{is_spanish, without_fillers};
pub use frame::{
    AlternativeReading, Frame, NameUse, NamedPlace, Organization, Understanding, UnderstoodSpan,
};
pub use giving::seeks_recipients;
pub use grouping::{NamedDimension, grouped_by, measures_in, said_in};
pub use interpret::{
    Extent, Interpretation, Model, QUERY_CHARACTERS_MAX, Request, Span, interpret,
};
pub use lookup::{Lookup, Names};
pub use named_facts::facts_joined;
pub use naming::{NAMESAKES_MAX, NameMatch, NameMatches, SURE, counted};
#[cfg(any(test, feature = "internals"))]
pub use organization::evidence;
pub use organization::{named_organization, or_name};
pub use phrases::is_generic;
pub use place::{leave_streets, named as named_places, names_state, places_named};
pub use place_assignment::hinted_places;
pub use query::{Order, PlaceHint, Query, RelevanceQuery};
pub use question::{Question, years_of};
pub use reading::EVIDENCE;
pub use reference::{
    Which, all_clauses, clauses, count_in_order, ordinals, place_in_order, referred,
    rest_forgotten, sentences, sides, superlative,
};
pub use region::{is_town, is_wordy_town, regions_led};
pub use sentence::{described, restated};
pub use session::{Asker, SESSION_AGE_MAX, SESSION_BYTES_MAX, SESSIONS_MAX, Sessions};
pub use spelling::spelled;
pub use tagger::tag;
pub use year::is_bounded as has_year_bound;

/// Why a text is not understood: the snapshot is damaged, or the trained reader is not at hand or failed.
#[derive(Debug, thiserror::Error)]
pub enum UnderstandError {
    #[error("an index of the snapshot cannot be read")]
    Index(#[from] Damage),
    #[error("the reader of messages cannot be used")]
    Reader(#[from] Arc<embed::Error>),
    #[error("the text cannot be embedded")]
    Embed(#[from] embed::Error),
}

/// Whether a text has a word for any nonprofits, of which it means several: `association` may be part
/// of a name.
pub fn asks_for_several(text: &str) -> bool {
    token::Tokens::of(text).list.iter().any(|token| {
        phrases::is_generic(&token.form)
            && token.form.ends_with('s')
            && !phrases::has("no sure nonprofit", &token.form)
    })
}

/// Whether a word, in normal form, carries meaning by itself: no article, pronoun or word of courtesy.
pub fn tells(word: &str) -> bool {
    !word.is_empty() && !phrases::is_lead(word) && !phrases::is_edge(word)
}

/// How much of a word a text must have for the word not to be missing from it.
const STEM_BYTES: usize = 5;

/// Whether a word of a text in normal form begins as another word does.
pub fn has_stem(text: &str, word: &str) -> bool {
    let stem = &word[..word.floor_char_boundary(STEM_BYTES.min(word.len()))];
    text.split(' ').any(|own| own.starts_with(stem))
}

/// Whether a text has a word for revenue; `what share do they make up` has none.
fn names_revenue(text: &str) -> bool {
    let tokens = token::Tokens::of(text);
    phrases::meanings("figure compared")
        .any(|(figure, words)| figure == Figure::Revenue.name() && tokens.has_any(words))
}

/// Whether a text has a phrase of a list of `data/phrases.tsv`.
pub fn says(text: &str, list: &str) -> bool {
    token::Tokens::of(text).has_any(phrases::of(list))
}

/// A text with its short forms written out (`what abt horses`); `None` where it has none.
pub fn written_out(text: &str) -> Option<String> {
    let tokens = token::Tokens::of(text);
    let mut written = None;
    for (at, token) in tokens.list.iter().enumerate().rev() {
        // `w/o`.
        let is_part = token.glued || tokens.get(at + 1).is_some_and(|next| next.glued);
        // `N Little Rock`, `in n little rock`.
        let before = at.checked_sub(1).map(|before| tokens.form(before));
        let follows = before.is_some_and(|word| !phrases::has("preposition", word));
        let is_initial =
            token.form.len() == 1 && (text[token.span.clone()] != token.form || !follows);
        let stands_alone = !is_part && !is_initial;
        if stands_alone && let Some(word) = phrases::meaning("abbreviated", &token.form) {
            let written = written.get_or_insert_with(|| text.to_owned());
            written.replace_range(token.span.clone(), word);
        }
    }
    written
}

/// Whether a text begins with a phrase of a list, signs before it aside: `¿y en Ponce?`.
pub fn opens_with(text: &str, list: &str) -> bool {
    token::Tokens::of(text.trim_start_matches(['¿', '¡', ' ']))
        .any_phrase(0, phrases::of(list))
        .is_some()
}

/// The bytes of every amount of money of a text, in order.
pub fn money_in(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    let amounts = amount::amounts_in(text).into_iter();
    amounts.filter(|(_, amount)| amount.is_money).map(|(bytes, _)| bytes)
}

/// The first meaning of a list of which a text has a phrase.
pub fn meaning_in(text: &str, list: &str) -> Option<&'static str> {
    let tokens = token::Tokens::of(text);
    phrases::meanings(list)
        .find_map(|(meaning, phrases)| tokens.has_any(phrases).then_some(meaning))
}

/// Every meaning of a list of which a text has a phrase.
pub fn meanings_in(text: &str, list: &str) -> Vec<&'static str> {
    let tokens = token::Tokens::of(text);
    let said = phrases::meanings(list).filter(|(_, phrases)| tokens.has_any(phrases.clone()));
    said.map(|(meaning, _)| meaning).collect()
}

/// Whether a text asks for funders that take applications, or for those that do not; `None` where for
/// neither.
pub fn asks_for_applications(text: &str) -> Option<bool> {
    let tokens = token::Tokens::of(text);
    let says = |asked: &str| {
        phrases::meanings("applications")
            .any(|(meaning, phrases)| meaning == asked && tokens.has_any(phrases))
    };
    says("not taken").then_some(false).or_else(|| says("taken").then_some(true))
}

/// Whether what stands between a name or a cause and a place only leads from one to the other.
pub fn is_bare_joint(between: &str) -> bool {
    let tokens = token::Tokens::of(between);
    let leads = |form: &str| place::is_preposition(form) || phrases::is_edge(form);
    tokens.list.iter().all(|token| !token.is_word() || leads(&token.form))
}

/// A question in Spanish about a term, in English.
pub fn asked_in_english(text: &str) -> Option<&'static str> {
    meaning_in(text, "concept in spanish")
}
