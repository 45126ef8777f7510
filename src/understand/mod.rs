//! A sentence to filters that a person can see and trust, and the words that are left to rank by.
//!
//! A deterministic pipeline over tokens with their places in the query ([`understand`]): names of
//! nonprofits, codes, goals, orders and flags, phrases that belong together, amounts, places, sizes,
//! what is left out; the rest is the cause. Each reader takes the tokens that it has read, so that
//! none is read twice; `reading` weighs whether all of it is a name instead. [`Labels`] map what is
//! left to NTEE codes and goals by similarity, [`Sessions`] keep what was understood for the next
//! message, [`follow`] joins the two.

mod amount;
mod area;
mod cause;
mod code;
mod conversation;
mod cues;
mod example;
mod followup;
mod frame;
mod goal;
mod label;
mod merge;
mod message;
mod naming;
mod order;
mod organization;
mod phrases;
mod place;
mod quantity;
mod reader;
mod reading;
mod region;
mod restated;
mod sentence;
mod session;
mod standing;
mod state_name;
mod token;
mod typo;

#[cfg(test)]
mod tests;

pub use conversation::{Conversation, SHOWN_MAX, Subject};
pub use cues::Cues;
pub use example::{Examples, Intent};
pub use followup::{Step, follow};
pub use frame::{Frame, Organization, Otherwise, Part, Place, Understanding, Wanted};
pub use label::{Labels, Meant};
pub use message::{Act, Courtesy, Fact, Message, Noun, Shown, Topic, Which, fact_beside_ein};
pub use naming::{Called, NAMESAKES_MAX, Names, Naming, SURE, counted};
pub use order::said as order_said;
pub use reading::EVIDENCE;
pub use restated::restated;
pub use sentence::described;
pub use session::{SESSION_AGE_MAX, SESSION_BYTES_MAX, SESSIONS_MAX, Sessions};

use reader::Reader;

use crate::mapped::Damage;
use crate::record::Ein;

/// Whether a text has a word for any nonprofit (`charities`, `groups`), or asks to find some.
pub fn asks_for_any(text: &str) -> bool {
    let tokens = token::Tokens::of(text);
    let generic = |token: &token::Token| {
        phrases::is_generic(&token.form) && !phrases::has("no sure nonprofit", &token.form)
    };
    tokens.list.iter().any(generic)
}

/// Whether a text has a word for any nonprofits, of which it means several: `association` may be part
/// of a name.
pub fn asks_for_several(text: &str) -> bool {
    has_any_nonprofits(&token::Tokens::of(text))
}

fn has_any_nonprofits(tokens: &token::Tokens) -> bool {
    tokens.list.iter().any(|token| {
        phrases::is_generic(&token.form)
            && token.form.ends_with('s')
            && !phrases::has("no sure nonprofit", &token.form)
    })
}

/// Whether a word, in normal form, tells something by itself: no article, pronoun or word of courtesy.
pub fn tells(word: &str) -> bool {
    !word.is_empty() && !phrases::is_lead(word) && !phrases::is_edge(word)
}

/// The EIN that a text names, if it names one.
pub fn ein_in(text: &str) -> Option<Ein> {
    let mut reader = Reader::new(text);
    code::read(&mut reader);
    match reader.frame.eins[..] {
        [ein] => Some(ein),
        _ => None,
    }
}

/// The EIN that a text is, if it is nothing else but words that announce one.
pub fn ein_alone(text: &str) -> Option<Ein> {
    Ein::from_typed(text).or_else(|| {
        let mut reader = Reader::new(text);
        code::read(&mut reader);
        let is_all = reader.tokens.list.iter().all(|token| !token.is_free() || !token.is_word());
        match reader.frame.eins[..] {
            [ein] if is_all => Some(ein),
            _ => None,
        }
    })
}

/// A question in Spanish about a term, in English.
pub fn asked_in_english(text: &str) -> Option<&'static str> {
    let tokens = token::Tokens::of(text);
    let said = |phrases: Vec<&str>| {
        (0..tokens.len()).any(|at| tokens.any_phrase(at, phrases.iter().copied()).is_some())
    };
    let mut told = phrases::meanings("concept in spanish")
        .filter_map(|(meaning, phrases)| said(phrases.collect()).then_some(meaning));
    told.next()
}

/// Whether a text has a phrase of a list of `data/phrases.tsv`.
pub fn says(text: &str, list: &str) -> bool {
    let tokens = token::Tokens::of(text);
    (0..tokens.len()).any(|at| tokens.any_phrase(at, phrases::of(list)).is_some())
}

/// What a query asks for: the name of a nonprofit, or nonprofits of a kind, whichever is likelier.
///
/// # Errors
/// When an index of names is damaged.
pub fn understand(query: &str, names: &dyn Names) -> Result<Understanding, Damage> {
    let described = read(query, names)?;
    if says_who(&described) { Ok(described) } else { organization::whole(query, names, described) }
}

/// What speaks for reading a query as a name and what against it; `None` where it is no question of
/// both: an EIN, a name that other words announce, a question.
///
/// # Errors
/// As [`understand`].
pub fn evidence(query: &str, names: &dyn Names) -> Result<Option<[f64; EVIDENCE]>, Damage> {
    let described = read(query, names)?;
    if says_who(&described) { Ok(None) } else { organization::evidence(query, names, &described) }
}

/// Whether an EIN, or a name that other words announce, says already who is meant.
fn says_who(understanding: &Understanding) -> bool {
    understanding.frame.organization.is_some() || !understanding.frame.eins.is_empty()
}

/// A query as filters, an order and a cause; or a name behind words that announce one. What only says
/// how a conversation goes on is read so: it is no name by itself.
///
/// # Errors
/// As [`understand`].
pub fn read(query: &str, names: &dyn Names) -> Result<Understanding, Damage> {
    let mut reader = Reader::new(query);
    typo::mend_grammar(&mut reader.tokens, names)?;
    cause::find_strange(&mut reader, names)?;
    code::read(&mut reader);
    if reader.frame.eins.is_empty() {
        organization::read(&mut reader, names)?;
    }
    goal::read(&mut reader);
    order::read(&mut reader);
    standing::read_flags(&mut reader);
    cause::keep_phrases(&mut reader);
    standing::read_years(&mut reader);
    quantity::read(&mut reader);
    place::read(&mut reader);
    standing::read_sizes(&mut reader);
    cause::mend(&mut reader, names)?;
    cause::read_left_out(&mut reader);
    cause::read_rest(&mut reader);
    let is_titled = reader.tokens.is_titled();
    let Reader { frame, mut parts, mut unread, .. } = reader;
    parts.sort_by_key(|part| part.span.start);
    unread.sort();
    let unread = unread.into_iter().map(|(_, words)| words).collect();
    Ok(Understanding { frame, parts, unread, is_titled, otherwise: None })
}
