//! A sentence to filters that a person can see and trust, and the words that are left to rank by.
//!
//! [`decode()`] makes filters of a message that [`crate::reader`] has labelled: what recognises amounts,
//! places, goals, codes and names gives each span its value, `edit` changes what was asked for by it.
//! [`understand`] reads without the model: a pass of the same recognisers over the tokens of a query, each
//! taking those that it has read; the rest is the cause. `reading` weighs whether all of it is a name
//! instead. [`Sessions`] keep what was understood for the next message.

mod amount;
mod area;
mod cause;
mod code;
mod conversation;
mod decode;
mod edit;
mod frame;
mod goal;
mod merge;
mod naming;
mod order;
mod organization;
mod phrases;
mod place;
mod quantity;
mod reader;
mod reading;
mod reference;
mod region;
mod restated;
mod sentence;
mod session;
mod standing;
mod state_name;
mod token;
mod typo;
mod value;

#[cfg(test)]
mod tests;

pub use cause::read as cause_of;
pub use conversation::{Conversation, LastQuery, SHOWN_MAX, Subject};
pub use decode::{Decoded, decode};
pub use edit::{Step, follow};
pub use frame::{Frame, Organization, Otherwise, Part, Place, Understanding, Wanted};
pub use naming::{Called, NAMESAKES_MAX, Names, Naming, SURE, counted};
pub use order::said as order_said;
pub use organization::organization;
pub use reading::EVIDENCE;
pub use reference::{Which, referred};
pub use restated::restated;
pub use sentence::described;
pub use session::{SESSION_AGE_MAX, SESSION_BYTES_MAX, SESSIONS_MAX, Sessions};

use reader::Reader;

use crate::mapped::Damage;
use crate::record::Ein;

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
    phrases::meanings("concept in spanish")
        .find_map(|(meaning, phrases)| tokens.has_any(phrases).then_some(meaning))
}

/// What a query asks for: the name of a nonprofit, or nonprofits of a kind, whichever is likelier.
///
/// # Errors
/// When an index of names is damaged.
pub fn understand(query: &str, names: &dyn Names) -> Result<Understanding, Damage> {
    or_name(query, names, read(query, names)?)
}

/// A query as it was understood, or as the name of a nonprofit, whichever is likelier.
///
/// # Errors
/// As [`understand`].
pub fn or_name(
    query: &str,
    names: &dyn Names,
    described: Understanding,
) -> Result<Understanding, Damage> {
    // Of a name that was found in a query the rest of it may be a part: `640 Thomas Overton Moore Chapter`.
    if described.frame.organization.is_some() && names.named(query)?.is_all_of_it() {
        let frame = Frame { organization: None, ..described.frame };
        return organization::whole(query, names, Understanding { frame, ..described });
    }
    if says_who(&described) { Ok(described) } else { organization::whole(query, names, described) }
}

/// What speaks for reading a query that is `described` otherwise as a name and what against it; `None` where it is no question of
/// both: an EIN, a name that other words announce, a question.
///
/// # Errors
/// As [`understand`].
pub fn evidence(
    query: &str,
    names: &dyn Names,
    described: &Understanding,
) -> Result<Option<[f64; EVIDENCE]>, Damage> {
    if says_who(described) { Ok(None) } else { organization::evidence(query, names, described) }
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
fn read(query: &str, names: &dyn Names) -> Result<Understanding, Damage> {
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
    Ok(Understanding { frame, parts, unread, is_titled, ..Understanding::default() })
}
