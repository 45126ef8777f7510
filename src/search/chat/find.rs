//! Nonprofits: what a message asks of them, understood and searched as by the beta search.

use super::one::{Called, who_is};
use super::{Answer, Named, ROWS, SearchError, Turn, say, suggest};
use crate::search::interpret::{self, Interpretation, Model, Paging};
use crate::search::nonprofits::{self, Query};
use crate::understand::{
    Cues, Frame, Intent, Names, Part, Step, Subject, Topic, Wanted, asks_for_any, fact_beside_ein,
    says,
};

impl Turn<'_> {
    /// Any other message: a search, unless it is none.
    pub(super) fn search(self) -> Result<Answer, SearchError> {
        let text = self.message.text.clone();
        if !text.chars().any(char::is_alphanumeric) && self.explicit.is_empty() {
            return self.unknown();
        }
        let understood = self.interpret(&text)?;
        let heard = &understood.heard.frame;
        if let ([ein], Some(Step::New)) = (&heard.eins[..], understood.step) {
            return self.details_of(*ein, fact_beside_ein(&text));
        }
        if let Some(called) = self.named(&understood, &text)? {
            return self.of_called(called, None);
        }
        let asked = Asked { cues: Cues::of(text.trim()), filters: heard.without_cause(), text };
        if let Some(topic) = self.goes_on_with(&understood, &asked) {
            return match self.conversation.subject {
                Subject::Knowledge => self.knowledge(true),
                Subject::Articles => self.articles(&topic, 1),
                _ => self.funds(&topic, 1),
            };
        }
        // With explicit filters there is something to find in any case.
        if !self.explicit.is_empty() || is_sure(&understood, &asked) {
            return self.found(understood, &asked.text, 1);
        }
        self.by_likeness(understood, &asked)
    }

    /// The nonprofit that a message names, unless its words are rather something else.
    fn named(
        &self,
        understood: &Interpretation,
        text: &str,
    ) -> Result<Option<Called>, SearchError> {
        let heard = &understood.heard.frame;
        let organization = heard.organization.as_ref();
        if let Some(found) = organization.filter(|found| found.wanted == Wanted::Itself)
            && understood.step == Some(Step::New)
        {
            // One common word is no name, though some nonprofit may be called so.
            let word =
                text.split_whitespace().count() == 1 && !text.chars().any(char::is_uppercase);
            if word && self.snapshot.is_word(&found.name)? {
                return Ok(None);
            }
            return Ok(Some(who_is(found.clone())));
        }
        // `and the Omaha Symphony` after another's details.
        let cues = Cues::of(text.trim());
        let goes_on = self.conversation.focus.is_some() && cues.goes_on();
        if goes_on && understood.heard.is_titled && heard.without_cause().is_empty() {
            let called = self.called(cues.rest.trim())?;
            return Ok((called != Called::NoName).then_some(called));
        }
        Ok(None)
    }

    /// What a message goes on with that follows a list of articles or funds, or an explanation.
    fn goes_on_with(&self, understood: &Interpretation, asked: &Asked) -> Option<Topic> {
        let heard = &understood.heard.frame;
        if !asked.cues.goes_on() || !heard.places.is_empty() {
            return None;
        }
        match self.conversation.subject {
            // `and a 501(c)(4)?`
            Subject::Knowledge => says(&asked.text, "concept").then_some(Topic::Any),
            Subject::Articles | Subject::Funds => {
                let only = asked.filters.is_empty() && !asks_for_any(&asked.text);
                heard.cause.clone().filter(|_| only).map(Topic::Of)
            }
            Subject::Nonprofits => None,
        }
    }

    /// What a message asks for that no words decide.
    fn by_likeness(self, understood: Interpretation, asked: &Asked) -> Result<Answer, SearchError> {
        let heard = &understood.heard.frame;
        let left = remainder(&asked.cues.rest, &understood.heard.parts);
        let names_cause = !heard.cause_ntee.is_empty();
        let topic = Topic::Of(heard.text.clone().unwrap_or_else(|| left.clone()));
        let somewhere = !heard.places.is_empty();
        match self.likely(&left, names_cause)? {
            Some(Intent::FindArticles) if says(&asked.text, "article word") && !somewhere => {
                self.articles(&topic, 1)
            }
            Some(Intent::FindFunds) if says(&asked.text, "fund word") && !somewhere => {
                self.funds(&topic, 1)
            }
            Some(Intent::Knowledge) => self.knowledge(false),
            Some(Intent::Greeting) if !somewhere => self.said(Intent::Greeting, say::SMALL_TALK),
            Some(Intent::FindNonprofits) | None => self.found(understood, &asked.text, 1),
            // Near to articles or funds, of which no word is said: rather nonprofits.
            Some(Intent::FindArticles | Intent::FindFunds) if names_cause => {
                self.found(understood, &asked.text, 1)
            }
            // `three square las vegas`: a name, and where it is.
            _ if somewhere && self.is_called(heard.text.as_deref())? => {
                self.found(understood, &asked.text, 1)
            }
            _ => self.unknown(),
        }
    }

    /// Whether some nonprofit is called by these words, of which one alone tells nothing.
    fn is_called(&self, words: Option<&str>) -> Result<bool, SearchError> {
        let Some(words) = words.filter(|words| words.contains(' ')) else { return Ok(false) };
        Ok(self.snapshot.named(words)?.odds() > 0.0)
    }

    /// Nonprofits by words that are sure to ask for some, on top of what is remembered.
    pub(super) fn find(self, text: &str, page: u64) -> Result<Answer, SearchError> {
        let understood = self.interpret(text)?;
        self.found(understood, text, page)
    }

    fn interpret(&self, text: &str) -> Result<Interpretation, SearchError> {
        let question = interpret::Question {
            q: Some(text),
            model: Model::Grammar,
            earlier: Some(&self.conversation.frame),
            explicit: &self.explicit,
        };
        interpret::interpret(self.snapshot, &question)
    }

    fn found(
        mut self,
        mut understood: Interpretation,
        text: &str,
        page: u64,
    ) -> Result<Answer, SearchError> {
        let paging = Paging { page, size: ROWS, ..Paging::default() };
        let q = Some(text).filter(|text| !text.is_empty());
        let search = |query: &Query| nonprofits::search(self.snapshot, query);
        let found = understood.find(q, &paging, search)?;
        let frame = understood.frame.clone();
        let named = frame.organization.as_ref();
        let message = say::nonprofits(&frame, &found, page, &understood.heard.unread);
        let suggestions = suggest::after_nonprofits(self.snapshot, &frame, &found)?;
        let intent = match named.map(|named| named.wanted) {
            Some(Wanted::Similar) => Intent::SimilarNonprofits,
            Some(Wanted::Itself) => Intent::NonprofitDetails,
            None => Intent::FindNonprofits,
        };
        let eins = found.rows.iter().map(|row| row.organization.ein);
        self.conversation.show_nonprofits(eins, page.saturating_mul(ROWS as u64));
        self.conversation.explicit = self.explicit.clone();
        self.conversation.frame = understood.kept.clone();
        let named = named.map(|named| Named { name: Some(named.name.clone()), ein: named.ein });
        let answer = Answer::of(intent, message, self.conversation);
        Ok(Answer {
            explained: understood.sentence(&found, None),
            about: frame.text.clone(),
            named,
            nonprofits: found.rows,
            suggestions,
            plan: Some(found.plan),
            frame,
            ..answer
        })
    }
}

/// A message, as far as it is looked at.
struct Asked {
    text: String,
    /// What it says of those before it.
    cues: Cues,
    /// What it asks for beside a cause.
    filters: Frame,
}

/// What is left of a message without the parts that were read, which come in its order.
fn remainder(text: &str, parts: &[Part]) -> String {
    let mut left = String::with_capacity(text.len());
    let mut at = 0;
    for part in parts {
        left.push_str(text.get(at..part.span.start).unwrap_or_default());
        at = part.span.end.max(at);
    }
    left.push_str(text.get(at..).unwrap_or_default());
    left
}

/// Words of a message that asks for any nonprofit and says nothing else.
const ANY_WORDS_MAX: usize = 3;

/// Whether the words of a message leave no doubt that it asks for nonprofits.
fn is_sure(understood: &Interpretation, asked: &Asked) -> bool {
    let heard = &understood.heard.frame;
    let Asked { text, cues, filters } = asked;
    let goes_on = understood.step == Some(Step::Refined) && cues.goes_on();
    // Amounts, sizes, codes and the like are asked of nonprofits only; a place may be of the weather.
    let beside_places = Frame { places: Vec::new(), not_places: Vec::new(), ..filters.clone() };
    let names_cause = !heard.cause_ntee.is_empty();
    let few = text.split_whitespace().count() <= ANY_WORDS_MAX;
    // `nonprofits for that`.
    let same = understood.step == Some(Step::Refined) && asks_for_any(text);
    goes_on
        || same
        || (heard.cause.is_none() && !filters.is_empty())
        || !beside_places.is_empty()
        || (!filters.is_empty() && names_cause)
        || heard.cause_is_term
        || (asks_for_any(text) && (heard.cause.is_some() || few))
}
