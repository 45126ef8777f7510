//! The operator's language model in an answer: it reads what the reader is not sure of, and
//! rephrases the text. Facts, rows and the organizations in question are the same without it.

use std::time::Instant;

use super::part::Part;
use super::request;
use super::{Answer, Intent, Result, Turn};
use crate::language_model::{Composed, Failure, LanguageModel};
use crate::reader::DialogueAct;

/// Above this probability of the likeliest act, or else of the intent, no model is asked.
const SURE_ACT_PROBABILITY_MIN: f32 = 0.4;
const SURE_INTENT_PROBABILITY_MIN: f32 = 0.7;
/// Acts among the reader's likeliest that a model may choose from.
const POSSIBLE_ACTS: usize = 16;

impl Turn<'_> {
    /// Like [`Turn::in_parts`], with the help of a model, if there is one, within its time limit.
    pub(super) fn with_help(
        mut self,
        mut parts: Vec<Part>,
        model: Option<&LanguageModel>,
    ) -> Result<Answer> {
        let Some(model) = model else { return self.in_parts(parts) };
        let (text, language, until) = (self.text, self.language, model.deadline());
        let mut helped = false;
        if let [part] = &mut parts[..]
            && self.is_unsure()?
            && let Some(acts) = taken("reading", || model.acts(text, until))
        {
            let acts = self.likely(acts)?;
            helped = !acts.is_empty() && acts != part.request.acts;
            if helped {
                part.request.acts = acts;
                self.request = part.request.clone();
            }
        }
        let mut answer = self.in_parts(parts)?;
        if answer.may_be_phrased() {
            let named = answer.named.iter().filter_map(|named| named.name.as_deref());
            let rows = answer.nonprofits.iter().map(|row| &*row.organization.name);
            let names: Vec<&str> = named.chain(rows).collect();
            let composed = Composed { text: &answer.message, language, names: &names };
            if let Some(phrasing) = taken("phrasing", || model.phrased(text, &composed, until)) {
                helped = true;
                answer.message = phrasing;
            }
        }
        answer.language_model = helped.then(|| model.name().to_owned());
        Ok(answer)
    }

    /// Whether the reader is not sure what the message asks for.
    fn is_unsure(&self) -> Result<bool> {
        let acts = self.acts()?;
        let by_intent = request::by_reader(&self.message);
        Ok(acts.first().is_some_and(|first| {
            first.probability < SURE_ACT_PROBABILITY_MIN
                && self.message.intent.probability < SURE_INTENT_PROBABILITY_MIN
                && by_intent != Some(first.label)
        }))
    }

    /// Filters the acts that a model chose: those that the reader considers possible and that can
    /// be one request, facts or one other act. A model cannot end the conversation.
    fn likely(&self, acts: Vec<DialogueAct>) -> Result<Vec<DialogueAct>> {
        let possible = self.acts()?;
        let possible: Vec<DialogueAct> =
            possible.iter().take(POSSIBLE_ACTS).map(|act| act.label).collect();
        let is_likely = |act: &DialogueAct| {
            *act != DialogueAct::Reset
                && possible.contains(act)
                && request::is_worded(*act, self.text, &self.message)
        };
        let mut likely: Vec<DialogueAct> = acts.into_iter().filter(is_likely).collect();
        match likely.first() {
            Some(first) if first.is_fact() => likely.retain(|act| act.is_fact()),
            _ => likely.truncate(1),
        }
        Ok(likely)
    }
}

impl Answer {
    /// Whether the message may be rephrased: not where somebody is in danger or has to choose, and
    /// neither an explanation, which has a source, nor a message that was not understood.
    fn may_be_phrased(&self) -> bool {
        self.next.danger.is_none()
            && self.next.pending.is_none()
            && !matches!(self.intent, Intent::Knowledge | Intent::Unknown)
    }
}

/// The output of a model; a failure is only logged.
fn taken<T>(work: &str, make: impl FnOnce() -> Result<T, Failure>) -> Option<T> {
    let began = Instant::now();
    let made = make();
    let (ms, cause) = (began.elapsed().as_millis(), made.as_ref().err().map(ToString::to_string));
    tracing::debug!(work, ms, cause, "language model");
    made.ok()
}
