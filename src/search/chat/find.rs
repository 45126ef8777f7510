//! Nonprofits: what a message asks of them, understood and searched as by the beta search.

use super::one::who_is;
use super::{Answer, Intent, NonprofitRef, ROWS, SearchError, Turn, say, suggest};
use crate::search::interpret::{self, Interpretation, Model, Presentation};
use crate::search::nonprofits::{self, Query};
use crate::understand::{NameUse, Step};

impl Turn<'_> {
    /// Nonprofits that the message describes, or the one that it names.
    pub(super) fn search(self) -> Result<Answer, SearchError> {
        let understood = self.interpret(Some(self.text))?;
        let heard = &understood.heard.frame;
        let asked = self.fact();
        let stands_alone = understood.step == Some(Step::New);
        if let ([ein], true) = (&heard.eins[..], stands_alone) {
            return self.details_of(*ein, asked);
        }
        let named = heard.organization.as_ref().filter(|_| stands_alone);
        if let Some(found) = named.filter(|found| found.wanted == NameUse::Itself) {
            return self.of_called(who_is(found.clone()), asked);
        }
        self.found(understood, 1)
    }

    /// The rows of what is remembered, from a page on.
    pub(super) fn list(self, page: u64) -> Result<Answer, SearchError> {
        let understood = self.interpret(None)?;
        self.found(understood, page)
    }

    fn interpret(&self, q: Option<&str>) -> Result<Interpretation, SearchError> {
        let question = interpret::Question {
            q,
            model: Model::MiniLm,
            earlier: Some(&self.conversation),
            message: Some(&self.message),
            explicit: &self.explicit,
        };
        interpret::interpret(self.snapshot, &question)
    }

    fn found(mut self, mut understood: Interpretation, page: u64) -> Result<Answer, SearchError> {
        let size = understood.heard.count.map_or(ROWS, |wanted| wanted.min(ROWS));
        let paging = Presentation { page, size, ..Presentation::default() };
        let search = |query: &Query| nonprofits::search(self.snapshot, query);
        let found = understood.find(Some(self.text), &paging, search)?;
        let frame = understood.frame.clone();
        let named = frame.organization.as_ref();
        let message = say::nonprofits(&frame, &found, page, &understood.heard.unread);
        let suggestions = suggest::after_nonprofits(self.snapshot, &frame, &found)?;
        let intent = match named.map(|named| named.wanted) {
            Some(NameUse::Similar) => Intent::SimilarNonprofits,
            Some(NameUse::Itself) => Intent::NonprofitDetails,
            None => Intent::FindNonprofits,
        };
        let eins = found.rows.iter().map(|row| row.organization.ein);
        self.conversation.show_nonprofits(eins, page.saturating_mul(ROWS as u64));
        self.conversation.explicit = self.explicit.clone();
        self.conversation.take_step(understood.step, understood.kept.clone());
        let named =
            named.map(|named| NonprofitRef { name: Some(named.name.clone()), ein: named.ein });
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
