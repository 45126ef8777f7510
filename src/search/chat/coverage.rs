//! What is loaded here: of how many states, as of when, and which of the IRS's lists are not.

use super::Turn;
use super::facts::as_of;
use super::phrase::{Value, phrase, text};
use crate::naming::normalise;
use crate::places::state_named;
use crate::record::{Knowledge, State};
use crate::search::standing::latest;
use crate::sources::SourceKind;

/// Entries of the knowledge base that are about what is loaded.
const ENTRIES: [&str; 2] = ["kb-data-age", "kb-data-coverage"];

/// Lists of which an answer says that they are not loaded.
const LISTS: [SourceKind; 3] =
    [SourceKind::RevocationList, SourceKind::Publication78, SourceKind::Postcard];

/// Words of a state's name.
const STATE_WORDS_MAX: usize = 3;

impl Turn<'_> {
    /// What is loaded, where an entry is about that; of states that the message names, whether their lists are.
    pub(super) fn loaded(&self, entry: &Knowledge) -> Option<String> {
        if !ENTRIES.iter().any(|id| entry.article_id.starts_with(id)) {
            return None;
        }
        let language = self.language;
        let (coverage, sources) = (&self.snapshot.coverage, &self.snapshot.manifest.sources);
        let list = as_of(SourceKind::MasterFile, latest(sources, SourceKind::MasterFile), language);
        let count = coverage.count.in_master_file;
        let states = coverage.states_if_partial();
        let mut said = vec![phrase!("loaded", list, count, states).say(language)];
        let form = normalise(self.text);
        let states = states_in(&form).into_iter();
        let (there, missing): (Vec<_>, Vec<_>) =
            states.partition(|state| coverage.has_state(*state));
        let names = |states: Vec<State>| -> Vec<String> {
            states.into_iter().map(|state| state.name().to_owned()).collect()
        };
        for (name, states) in [("loaded.states", there), ("loaded.no_states", missing)] {
            if !states.is_empty() {
                said.push(phrase!(name, states = names(states)).say(language));
            }
        }
        let is_missing = |kind: &SourceKind| latest(sources, *kind).is_none();
        let lists = LISTS.into_iter().filter(is_missing);
        let lists: Vec<String> =
            lists.map(|kind| text(&format!("source.{kind:?}"), language).to_owned()).collect();
        if !lists.is_empty() {
            said.push(phrase!("loaded.without", lists = Value::Any(lists)).say(language));
        }
        Some(said.join(" "))
    }
}

/// The states that a text in normal form names, in their order: of `west virginia` the one.
fn states_in(form: &str) -> Vec<State> {
    let words: Vec<&str> = form.split(' ').collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < words.len() {
        let most = STATE_WORDS_MAX.min(words.len() - at);
        let named = |length| Some((state_named(&words[at..at + length].join(" "))?, length));
        let (state, length) = (1..=most).rev().find_map(named).unzip();
        found.extend(state);
        at += length.unwrap_or(1);
    }
    found
}
