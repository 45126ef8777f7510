//! Answers that depend on the snapshot alone, kept while it is open.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Answers that are kept: of more the oldest goes.
const ANSWERS_MAX: usize = 64;

/// The latest of such answers, by what was asked: few enough to look at each.
#[derive(Debug, Default)]
pub struct OfAll {
    latest: Mutex<VecDeque<(String, Arc<dyn Any + Send + Sync>)>>,
}

impl OfAll {
    /// The answer to a question of one type, which `answer` works out if it is not kept.
    pub fn get<Answer: Any + Send + Sync, Error>(
        &self,
        asked: &str,
        answer: impl FnOnce() -> Result<Answer, Error>,
    ) -> Result<Arc<Answer>, Error> {
        let lock = || self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = lock()
            .iter()
            .filter(|(one, _)| one == asked)
            .find_map(|one| one.1.clone().downcast().ok());
        if let Some(answer) = kept {
            return Ok(answer);
        }
        // Not locked meanwhile: another may ask something else.
        let answer = Arc::new(answer()?);
        let mut latest = lock();
        if latest.len() == ANSWERS_MAX {
            latest.pop_front();
        }
        latest.push_back((asked.to_owned(), answer.clone()));
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn what_is_asked_again_is_worked_out_once() {
        let (of_all, count) = (OfAll::default(), Cell::new(0));
        let ask = |asked: &str| {
            let answer = || {
                count.set(count.get() + 1);
                Ok::<_, ()>(asked.len())
            };
            assert_eq!(*of_all.get(asked, answer).unwrap(), asked.len());
            count.get()
        };
        assert_eq!(["state", "county", "state"].map(ask), [1, 2, 2]);
        // Of another type it is another question.
        assert_eq!(*of_all.get("state", || Ok::<_, ()>("text")).unwrap(), "text");
        assert_eq!(of_all.get("size", || Err::<u8, _>("damage")), Err("damage"));
        let others: Vec<String> = (0..ANSWERS_MAX).map(|number| number.to_string()).collect();
        others.iter().for_each(|asked| _ = ask(asked));
        assert_eq!(ask("state"), 2 + ANSWERS_MAX + 1);
    }
}
