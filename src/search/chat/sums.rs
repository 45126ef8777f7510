//! Counts and sums of the nonprofits that were asked for or shown.

use super::list::figure_of;
use super::phrase::{Phrase, Value, text};
use super::such::such_of;
use super::{Answer, SearchError, Turn};
use crate::query::Figure;
use crate::reader::DialogueAct;
use crate::record::OrgId;
use crate::search::interpret::Interpretation;
use crate::search::nonprofits::NonprofitPage;
use crate::understand::Step;

impl Turn<'_> {
    /// The number of nonprofits asked for.
    pub(super) fn count(self) -> Result<Answer, SearchError> {
        let (understood, found) = self.asked_or_shown()?;
        let set = self.counted(&understood, &found)?;
        let frame = &understood.frame;
        let mut said = Vec::new();
        let count = match &set {
            Some(set) => set.len() as u64,
            None => found.plan.fit.map_or(found.total, |fit| fit.count),
        };
        let name = if set.is_some() { "count" } else { "count.about" };
        let cause = frame.cause.as_ref();
        let such = such_of(frame, self.language);
        said.push(
            Phrase::new(name)
                .with("count", count)
                .with("such", such)
                .with_some("cause", cause)
                .say(self.language),
        );
        if let (Some(_), true) = (&set, frame.places.len() > 1) {
            let mut each = Vec::new();
            for place in &frame.places {
                let mut part = understood.clone();
                part.frame.places = vec![place.clone()];
                let of_place = self.counted(&part, &found)?.unwrap_or_default().len();
                let line = Phrase::new("count.each").with("place", &place.name);
                each.push(line.with("count", of_place).part(self.language));
            }
            said.push(format!("{}.", each.join("; ")));
        }
        self.listed(&understood, found, 1, said.join(" "))
    }

    /// The sum over the nonprofits asked for or shown.
    pub(super) fn total(self) -> Result<Answer, SearchError> {
        let figure = match self.request.fact {
            Some(DialogueAct::Assets) => Figure::Assets,
            Some(DialogueAct::Expenses) => Figure::Expenses,
            Some(DialogueAct::Employees) => Figure::Employees,
            _ => Figure::Revenue,
        };
        let (understood, found) = self.asked_or_shown()?;
        let set = self.counted(&understood, &found)?;
        let (values, all) = match &set {
            Some(set) => {
                let organizations = self.snapshot.columns.amounts(set, figure)?;
                (organizations.iter().copied().flatten().collect::<Vec<i64>>(), set.len())
            }
            None => {
                let shown = self.records(&self.conversation.nonprofits)?;
                let of = shown.iter().filter_map(|one| figure_of(one, figure));
                (of.map(|value| value as i64).collect(), shown.len())
            }
        };
        let what = text(&format!("figure.{}", figure.name()), self.language);
        let unknown = all - values.len();
        let sum: i64 = values.iter().sum();
        let name = match (values.is_empty(), set.is_some()) {
            (true, _) => "total.none",
            (false, true) => "total",
            (false, false) => "total.shown",
        };
        let sum = if figure == Figure::Employees {
            Value::Count(sum.unsigned_abs())
        } else {
            Value::Dollars(sum)
        };
        let mut said = vec![
            Phrase::new(name)
                .with("amount", sum)
                .with("what", what)
                .with("count", all)
                .with("such", such_of(&understood.frame, self.language))
                .with_some("unknown", (unknown > 0).then_some(unknown))
                .say(self.language),
        ];
        if let Some(middle) = median(values).filter(|_| figure != Figure::Employees) {
            said.push(
                Phrase::new("total.middle").dollars("amount", Some(middle)).say(self.language),
            );
        }
        self.listed(&understood, found, 1, said.join(" "))
    }

    /// The results of a new search if the message asks for one, else those shown last.
    fn asked_or_shown(&self) -> Result<(Interpretation, NonprofitPage), SearchError> {
        let changes = self.asks_anew() || !self.message.spans.is_empty();
        let mut understood = self.interpret(Some(self.text).filter(|_| changes))?;
        if understood.frame.is_empty() {
            understood = self.interpret(None)?;
        }
        if understood.step == Some(Step::New) && !self.asks_anew() {
            understood = self.interpret(None)?;
        }
        let found = self.page_of(&mut understood, 1)?;
        Ok((understood, found))
    }

    /// Everything that the filters and the codes of the cause select; `None` where no code covers the whole cause.
    fn counted(
        &self,
        understood: &Interpretation,
        found: &NonprofitPage,
    ) -> Result<Option<Vec<OrgId>>, SearchError> {
        let frame = &understood.frame;
        if frame.cause.is_some() && !frame.cause_is_term {
            return Ok(None);
        }
        if found.rows.is_empty() && frame.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let mut set = self.snapshot.columns.select(&frame.filters())?.matching;
        if frame.cause.is_some() {
            self.snapshot.columns.keep_ntee(&mut set, &frame.cause_ntee)?;
        }
        Ok(Some(set.iter().collect()))
    }
}

/// The median of some amounts, of two their mean.
fn median(mut values: Vec<i64>) -> Option<i64> {
    if values.len() < 2 {
        return None;
    }
    values.sort_unstable();
    let middle = values.len() / 2;
    Some(match values.len() % 2 {
        0 => values[middle - 1].midpoint(values[middle]),
        _ => values[middle],
    })
}
