//! Counts and sums of the nonprofits that were asked for or shown.

use super::list::{figure_of, largest_by};
use super::phrase::{Value, phrase, text};
use super::such::such_of;
use super::{Answer, Result, Turn};
use crate::query::Figure;
use crate::reader::DialogueAct;
use crate::record::OrgId;
use crate::search::nonprofits::NonprofitPage;
use crate::understand::{Frame, Interpretation, Step, cause_of};

impl Turn<'_> {
    /// The number of nonprofits asked for.
    pub(super) fn count(self) -> Result<Answer> {
        let (understood, found) = self.asked_or_shown()?;
        let set = self.counted(&understood, &found)?;
        let frame = &understood.frame;
        let count = match &set {
            Some(set) => set.len() as u64,
            None => found.plan.fit.map_or(found.total, |fit| fit.count),
        };
        let name = if set.is_some() { "count" } else { "count.about" };
        let such = such_of(frame, self.language);
        let mut said = phrase!(name, count, such, cause = frame.cause).say(self.language);
        if set.is_some() && frame.places.len() > 1 {
            let mut each = Vec::new();
            for place in &frame.places {
                let mut part = understood.clone();
                part.frame.places = vec![place.clone()];
                let count = self.counted(&part, &found)?.unwrap_or_default().len();
                each.push(phrase!("count.each", place = place.name, count).part(self.language));
            }
            said += &format!(" {}.", each.join("; "));
        }
        self.listed(&understood, found, 1, said)
            .map(|answer| answer.having_asked(DialogueAct::Count))
    }

    /// The sum over the nonprofits asked for or shown.
    pub(super) fn total(self) -> Result<Answer> {
        let (understood, found) = self.asked_or_shown()?;
        let figure = match self.request.fact {
            Some(DialogueAct::Assets) => Figure::Assets,
            Some(DialogueAct::Expenses) => Figure::Expenses,
            Some(DialogueAct::Employees) => Figure::Employees,
            _ => largest_by(&understood.frame),
        };
        // No sum over the codes of a cause contradicts rows that fit by their words.
        let set = self.counted(&understood, &found)?;
        let set = set.filter(|set| !set.is_empty() || found.rows.is_empty());
        let (values, all) = match &set {
            Some(set) => {
                let organizations = self.snapshot.columns.amounts(set, figure)?;
                (organizations.iter().copied().flatten().collect::<Vec<i64>>(), set.len())
            }
            None => {
                let shown = found.rows.iter().map(|row| &row.organization);
                let of = shown.filter_map(|one| figure_of(one, figure));
                (of.map(|value| value as i64).collect(), found.rows.len())
            }
        };
        let what = text(&format!("figure.{}", figure.name()), self.language);
        let unknown = Some(all - values.len()).filter(|unknown| *unknown > 0);
        let sum: i64 = values.iter().sum();
        let name = match (values.is_empty(), set.is_some()) {
            (true, _) => "total.none",
            (false, true) => "total",
            (false, false) => "total.shown",
        };
        let is_money = figure != Figure::Employees;
        let amount = if is_money { Value::Dollars(sum) } else { Value::Count(sum.unsigned_abs()) };
        let such = such_of(&understood.frame, self.language);
        let mut said = phrase!(name, amount, what, count = all, such, unknown).say(self.language);
        if let Some(middle) = median(values).filter(|_| is_money) {
            let amount = Value::Dollars(middle);
            said += &format!(" {}", phrase!("total.middle", amount).say(self.language));
        }
        self.listed(&understood, found, 1, said)
            .map(|answer| answer.having_asked(DialogueAct::Total))
    }

    /// The results of a new search if the message asks for one, else those shown last.
    fn asked_or_shown(&self) -> Result<(Interpretation, NonprofitPage)> {
        let changes = self.asks_anew() || !self.message.spans.is_empty();
        let mut understood = self.interpret(Some(self.text).filter(|_| changes))?;
        let is_other = understood.step == Some(Step::New) && !self.asks_anew();
        if understood.frame.is_empty() || is_other {
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
    ) -> Result<Option<Vec<OrgId>>> {
        let frame = &understood.frame;
        if frame.cause.is_some() && !self.is_coded(frame)? {
            return Ok(None);
        }
        if found.rows.is_empty() && frame.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let mut set = self.snapshot.select(&frame.filters())?.matching.clone();
        if frame.cause.is_some() {
            self.snapshot.columns.keep_ntee(&mut set, &frame.cause_ntee)?;
        }
        Ok(Some(set.iter().collect()))
    }

    /// Whether codes cover the whole cause of a frame, or each of its alternative kinds.
    fn is_coded(&self, frame: &Frame) -> Result<bool> {
        let mut kinds = Vec::new();
        for kind in frame.alternatives() {
            kinds.push(cause_of(kind, self.snapshot)?.cause_is_term);
        }
        Ok(frame.cause_is_term || (kinds.len() > 1 && !kinds.contains(&false)))
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
