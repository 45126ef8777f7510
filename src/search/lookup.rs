//! Looks up names and counts of the snapshot for one request, each only once.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::mapped::Damage;
use crate::understand::{Frame, NameMatches, Names};

/// The names and counts of a snapshot, as one request looks them up.
pub(super) struct Lookup<'a> {
    names: &'a dyn Names,
    named: RefCell<HashMap<String, NameMatches>>,
    /// Frames, and how many rows satisfy them; few enough for a linear search.
    counts: RefCell<Vec<(Frame, u64)>>,
}

impl<'a> Lookup<'a> {
    pub(super) fn of(names: &'a dyn Names) -> Self {
        Self { names, named: RefCell::default(), counts: RefCell::default() }
    }
}

impl Names for Lookup<'_> {
    fn named(&self, text: &str) -> Result<NameMatches, Damage> {
        if let Some(known) = self.named.borrow().get(text) {
            return Ok(known.clone());
        }
        let found = self.names.named(text)?;
        self.named.borrow_mut().insert(text.to_owned(), found.clone());
        Ok(found)
    }

    fn count(&self, frame: &Frame) -> Result<u64, Damage> {
        if let Some((_, count)) = self.counts.borrow().iter().find(|(known, _)| known == frame) {
            return Ok(*count);
        }
        let count = self.names.count(frame)?;
        self.counts.borrow_mut().push((frame.clone(), count));
        Ok(count)
    }

    fn is_word(&self, word: &str) -> Result<bool, Damage> {
        self.names.is_word(word)
    }

    fn frequency(&self, word: &str) -> Result<u64, Damage> {
        self.names.frequency(word)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Counts the lookups.
    #[derive(Default)]
    struct Counted(Cell<u32>);

    impl Names for Counted {
        fn named(&self, _: &str) -> Result<NameMatches, Damage> {
            self.0.set(self.0.get() + 1);
            Ok(NameMatches::default())
        }

        fn count(&self, _: &Frame) -> Result<u64, Damage> {
            self.0.set(self.0.get() + 1);
            Ok(7)
        }

        fn is_word(&self, _: &str) -> Result<bool, Damage> {
            Ok(true)
        }

        fn frequency(&self, _: &str) -> Result<u64, Damage> {
            Ok(0)
        }
    }

    #[test]
    fn the_same_question_is_asked_once() {
        let names = Counted::default();
        let lookup = Lookup::of(&names);
        let other = Frame { cause: Some("arts".to_owned()), ..Frame::default() };
        for _ in 0..3 {
            lookup.named("food bank").unwrap();
            lookup.named("food bank of maine").unwrap();
            assert_eq!(lookup.count(&Frame::default()).unwrap(), 7);
            assert_eq!(lookup.count(&other).unwrap(), 7);
        }
        assert_eq!(names.0.get(), 4);
    }
}
