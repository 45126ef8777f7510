//! Nonprofits: what a message asks of them, understood and searched as by the beta search.

use super::{Answer, Named, ROWS, SearchError, Turn, say, suggest};
use crate::search::interpret::{self, Interpretation, Model, Paging};
use crate::search::nonprofits::{self, Query};
use crate::understand::{
    Cues, Frame, Intent, Names, Part, Step, Subject, Topic, Wanted, asks_for_any, says,
};

impl Turn<'_> {
    /// Any other message: a search, unless it is none.
    pub(super) fn search(self) -> Result<Answer, SearchError> {
        let text = self.message.text.clone();
        if !text.chars().any(char::is_alphanumeric) && self.explicit.is_empty() {
            return self.unknown();
        }
        let understood = self.interpret(&text)?;
        let is_titled = understood.heard.is_titled;
        let heard = understood.heard.frame.clone();
        if understood.step == Some(Step::New) {
            if let [ein] = heard.eins[..] {
                return self.details_of(ein, None, None);
            }
            if let Some(found) = heard.organization.clone()
                && found.wanted == Wanted::Itself
            {
                return match found.ein {
                    Some(ein) => self.details_of(ein, Some(found.name), None),
                    None => self.found(understood, &text, 1),
                };
            }
        }
        // `what about housing` after articles asks for articles.
        let cues = Cues::of(text.trim());
        let filters = Frame {
            cause: None,
            text: None,
            cause_ntee: Vec::new(),
            cause_is_term: false,
            ..heard.clone()
        };
        let goes_on = cues.goes_on();
        // `and a 501(c)(4)?` after an explanation.
        if self.conversation.subject == Subject::Knowledge
            && goes_on
            && heard.places.is_empty()
            && says(&text, "concept")
        {
            return self.knowledge(true);
        }
        let of_texts = matches!(self.conversation.subject, Subject::Articles | Subject::Funds);
        if of_texts
            && goes_on
            && filters.is_empty()
            && let Some(cause) = heard.cause.clone()
            && !asks_for_any(&text)
        {
            let topic = Topic::Of(cause);
            return match self.conversation.subject {
                Subject::Articles => self.articles(&topic, 1),
                _ => self.funds(&topic, 1),
            };
        }
        // `and the Omaha Symphony` after another's details.
        if self.conversation.focus.is_some() && cues.goes_on() && filters.is_empty() && is_titled {
            let name = cues.rest.trim().to_owned();
            return self.fact_of(None, &name, false);
        }
        if !is_sure(&understood, &filters, &text) {
            let asked = remainder(&cues.rest, &understood.heard.parts);
            let names_cause = !heard.cause_ntee.is_empty();
            let topic = || topic_of(heard.text.as_deref().unwrap_or(&asked));
            let somewhere = !heard.places.is_empty();
            match self.likely(&asked, names_cause)? {
                Some(Intent::FindArticles) if says(&text, "article word") && !somewhere => {
                    let topic = topic();
                    return self.articles(&topic, 1);
                }
                Some(Intent::FindFunds) if says(&text, "fund word") && !somewhere => {
                    let topic = topic();
                    return self.funds(&topic, 1);
                }
                Some(Intent::Knowledge) => return self.knowledge(false),
                Some(Intent::Greeting) if !somewhere => {
                    return self.said(Intent::Greeting, say::SMALL_TALK);
                }
                Some(Intent::FindNonprofits) | None => {}
                _ if !self.explicit.is_empty() || (names_cause && somewhere) => {}
                // `three square las vegas`: a name, and where it is.
                _ if somewhere && self.is_called(heard.text.as_deref())? => {}
                _ => return self.unknown(),
            }
        }
        self.found(understood, &text, 1)
    }

    /// Whether some nonprofit is called by these words, of which one alone tells nothing.
    fn is_called(&self, words: Option<&str>) -> Result<bool, SearchError> {
        let Some(words) = words.filter(|words| words.contains(' ')) else { return Ok(false) };
        Ok(self.snapshot.called(words)?.is_some())
    }

    /// Nonprofits by words that are sure to ask for some, on top of what is remembered.
    pub(super) fn find(self, text: &str, page: u32) -> Result<Answer, SearchError> {
        let understood = self.interpret(text)?;
        self.found(understood, text, page)
    }

    fn interpret(&self, text: &str) -> Result<Interpretation, SearchError> {
        let question = interpret::Question {
            q: Some(text),
            model: Model::Grammar,
            earlier: Some(&self.conversation.frame),
            explicit: self.explicit,
        };
        interpret::interpret(self.snapshot, &question)
    }

    fn found(
        mut self,
        mut understood: Interpretation,
        text: &str,
        page: u32,
    ) -> Result<Answer, SearchError> {
        let paging = Paging { page: page.into(), size: ROWS, ..Paging::default() };
        let q = Some(text).filter(|text| !text.is_empty());
        let search = |query: &Query| nonprofits::search(self.snapshot, query);
        let found = understood.find(q, &paging, search)?;
        let frame = understood.frame.clone();
        let named = frame.organization.as_ref();
        let known = match named {
            Some(named) if named.ein.is_none() => self.snapshot.of_name(&named.name)?.len(),
            _ => 0,
        };
        let message = say::nonprofits(&frame, &found, known, page, &understood.heard.unread);
        let suggestions = suggest::after_nonprofits(self.snapshot, &frame, &found)?;
        let intent = match named.map(|named| named.wanted) {
            Some(Wanted::Similar) => Intent::SimilarNonprofits,
            Some(Wanted::Itself) => Intent::NonprofitDetails,
            None => Intent::FindNonprofits,
        };
        let eins = found.rows.iter().map(|row| row.organization.ein);
        self.conversation.show_nonprofits(eins, page);
        self.conversation.frame = understood.kept.clone();
        let named = named.map(|named| Named { name: named.name.clone(), ein: named.ein });
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

fn topic_of(words: &str) -> Topic {
    Topic::Of(words.to_owned())
}

/// What is left of a message without the parts that were read.
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

/// Whether the words of a message leave no doubt that it asks for nonprofits.
fn is_sure(understood: &Interpretation, filters: &Frame, text: &str) -> bool {
    let heard = &understood.heard.frame;
    let goes_on = understood.step == Some(Step::Refined) && Cues::of(text).goes_on();
    // Amounts, sizes, codes and the like are asked of nonprofits only; a place may be of the weather.
    let beside_places = Frame { places: Vec::new(), not_places: Vec::new(), ..filters.clone() };
    let names_cause = !heard.cause_ntee.is_empty();
    goes_on
        || (heard.cause.is_none() && !filters.is_empty())
        || !beside_places.is_empty()
        || (!filters.is_empty() && names_cause)
        || heard.cause_is_term
        || (asks_for_any(text) && heard.cause.is_some())
}
