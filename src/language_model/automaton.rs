//! The texts that a reading may be, `{"acts":["mission","revenue"]}`, as a deterministic automaton over bytes.
//!
//! While a model writes, only tokens that keep the automaton alive are looked at, so nothing else can be written. It has
//! no circles: every text ends.

use std::collections::BTreeMap;

/// What stands before the first name, between names and behind the last one.
const OPENING: &[u8] = b"{\"acts\":[\"";
const BETWEEN: &[u8] = b",\"";
const CLOSING: &[u8] = b"]}";

/// A state, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State(usize);

/// The automaton; states by number, each with the state that a byte leads to. One without bytes ends a text.
#[derive(Debug)]
pub(super) struct Automaton {
    states: Vec<BTreeMap<u8, State>>,
}

impl Automaton {
    pub(super) const START: State = State(0);

    /// Accepts lists of 1 to `names_max` of the names, which must not contain quotation marks.
    pub(super) fn of_lists(names: &[&str], names_max: usize) -> Self {
        let mut automaton = Self { states: vec![BTreeMap::new()] };
        let mut begun = automaton.path(Self::START, OPENING);
        for number in 1..=names_max {
            let named = automaton.new_state();
            for name in names {
                let last = automaton.path(begun, name.as_bytes());
                automaton.states[last.0].insert(b'"', named);
            }
            automaton.path(named, CLOSING);
            if number < names_max {
                begun = automaton.path(named, BETWEEN);
            }
        }
        automaton
    }

    fn new_state(&mut self) -> State {
        self.states.push(BTreeMap::new());
        State(self.states.len() - 1)
    }

    /// Where bytes lead from a state; states that are missing are added.
    fn path(&mut self, from: State, bytes: &[u8]) -> State {
        bytes.iter().fold(from, |state, byte| match self.states[state.0].get(byte) {
            Some(next) => *next,
            None => {
                let next = self.new_state();
                self.states[state.0].insert(*byte, next);
                next
            }
        })
    }

    /// Where bytes lead; `None` where no text goes on so.
    pub(super) fn advance(&self, from: State, bytes: &[u8]) -> Option<State> {
        bytes.iter().try_fold(from, |state, byte| self.states[state.0].get(byte).copied())
    }

    /// The bytes that every text must continue with from a state, and the state after them.
    pub(super) fn forced(&self, mut state: State) -> (Vec<u8>, State) {
        let mut bytes = Vec::new();
        while self.states[state.0].len() == 1
            && let Some((byte, next)) = self.states[state.0].first_key_value()
        {
            bytes.push(*byte);
            state = *next;
        }
        (bytes, state)
    }

    /// Whether a text ends here.
    pub(super) fn is_end(&self, state: State) -> bool {
        self.states[state.0].is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NAMES: [&str; 4] = ["pay", "peers", "phone", "total"];

    fn ends(text: &str) -> bool {
        let automaton = Automaton::of_lists(&NAMES, 2);
        let state = automaton.advance(Automaton::START, text.as_bytes());
        state.is_some_and(|state| automaton.is_end(state))
    }

    #[test]
    fn lists_of_names_are_texts() {
        for (text, expected) in [
            (r#"{"acts":["pay"]}"#, true),
            (r#"{"acts":["pay","total"]}"#, true),
            (r#"{"acts":["pay","pay"]}"#, true),
            (r#"{"acts":["pay","total","peers"]}"#, false),
            (r#"{"acts":["pay"]"#, false),
            (r#"{"acts":[]}"#, false),
            (r#"{"acts":["pa"]}"#, false),
            (r#"{"acts":["payroll"]}"#, false),
            (r#"{ "acts":["pay"]}"#, false),
            (r#"{"acts":["pay"]} "#, false),
            ("", false),
        ] {
            assert_eq!(ends(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_forced_is_written_at_once() {
        let automaton = Automaton::of_lists(&NAMES, 1);
        let (bytes, state) = automaton.forced(Automaton::START);
        assert_eq!(bytes, OPENING);
        let state = automaton.advance(state, b"t").unwrap();
        let (bytes, state) = automaton.forced(state);
        assert_eq!(bytes, b"otal\"]}");
        assert!(automaton.is_end(state));
    }

    proptest! {
        #[test]
        fn whatever_is_chosen_ends_in_a_list_of_names(choices in prop::collection::vec(any::<u8>(), 200)) {
            let automaton = Automaton::of_lists(&NAMES, 3);
            let (mut state, mut text) = (Automaton::START, Vec::new());
            for choice in choices {
                let next = &automaton.states[state.0];
                if next.is_empty() {
                    break;
                }
                let (byte, to) = next.iter().nth(choice as usize % next.len()).unwrap();
                text.push(*byte);
                state = *to;
            }
            prop_assert!(automaton.is_end(state));
            let read: serde_json::Value = serde_json::from_slice(&text).unwrap();
            let acts = read["acts"].as_array().unwrap();
            prop_assert!((1..=3).contains(&acts.len()));
            prop_assert!(acts.iter().all(|act| NAMES.contains(&act.as_str().unwrap())));
        }
    }
}
