//! Which of the rows shown a condition leaves: `only those over 1 million`, `drop any that are churches`. No others come in.

use super::list::{figure_of, largest_by};
use super::phrase::{phrase, text};
use super::referents::UnresolvedName;
use super::such::such_of;
use super::{Answer, Result, Turn, hit};
use crate::query::{Sort, SortKey};
use crate::record::Ein;
use crate::search::nonprofits::{NonprofitHit, NonprofitPage};
use crate::understand::{Frame, Interpretation, NameUse, Step, says};

/// What is left of the rows shown, and the condition that leaves it.
pub(super) struct KeptRows {
    condition: Frame,
    rows: Vec<NonprofitHit>,
    /// How many were shown.
    shown: usize,
}

impl Turn<'_> {
    /// The rows shown that a message leaves, if it is about these: its words say so, or they were a list of names and not
    /// of what a search found. Otherwise another list is searched for.
    pub(super) fn kept_rows(&self, understood: &mut Interpretation) -> Result<Option<KeptRows>> {
        let before = &self.conversation.frame;
        let shown = &self.conversation.nonprofits;
        let is_same = understood.step == Some(Step::Refined)
            && understood.kept.cause == before.cause
            && understood.kept.organization == before.organization;
        let condition = understood.frame.filters_beyond(before);
        // What was searched for is searched for in another place: `and if I drove as far as Nampa?`
        let is_moved = before.cause.is_some() && !condition.places.is_empty();
        let is_of_shown =
            says(self.text, "of those shown") || (!before.among.is_empty() && !is_moved);
        let is_open = condition.is_empty() && understood.kept.sort == before.sort;
        let mut kept = Vec::new();
        if is_of_shown && is_same && !is_open {
            let filters = condition.filters();
            for one in self.records(shown)? {
                kept.extend(self.snapshot.selects(&filters, one.ein)?.then(|| hit(one)));
            }
        }
        // Where nobody of a list of names is within it, others may be: `just foundations over 5 million`.
        let may_be_others = !says(self.text, "of those shown");
        if kept.is_empty()
            && (!is_of_shown
                || !is_same
                || is_open
                || may_be_others
                || !condition.places.is_empty())
        {
            understood.frame.among.clear();
            understood.kept.among.clear();
            return Ok(None);
        }
        let rows = self.in_order_of(understood, kept)?;
        let among: Vec<Ein> = rows.iter().map(|row| row.organization.ein).collect();
        understood.frame.among.clone_from(&among);
        understood.kept.among = among;
        Ok(Some(KeptRows { condition, rows, shown: shown.len() }))
    }

    /// The list without the others: only these rows are left of it.
    pub(super) fn left_of_shown(self, left: Vec<Ein>) -> Result<Answer> {
        let shown = self.conversation.nonprofits.len();
        let mut understood = self.interpret(None)?;
        let rows: Vec<NonprofitHit> = self.records(&left)?.into_iter().map(hit).collect();
        understood.frame.among.clone_from(&left);
        understood.kept = understood.frame.clone();
        let condition = Frame::default();
        self.of_kept(&understood, KeptRows { condition, rows, shown })
    }

    /// The answer with these rows.
    pub(super) fn of_kept(self, understood: &Interpretation, kept: KeptRows) -> Result<Answer> {
        let language = self.language;
        let KeptRows { condition, rows, shown } = kept;
        let total = rows.len() as u64;
        let found = NonprofitPage { total, rows, ..NonprofitPage::default() };
        if found.rows.is_empty() {
            let message = text("which.bounds", language).to_owned();
            return self.listed(understood, found, 1, message);
        }
        let bounded = condition.ranges.bounded().next().map(|(figure, _)| figure);
        let figure = bounded.unwrap_or(largest_by(&condition));
        let sort = understood.frame.sort.first().copied();
        let by = sort.unwrap_or(Sort::descending(SortKey::Figure(figure)));
        let names = self.named_rows(&Frame { sort: vec![by], ..Frame::default() }, &found);
        let lacks = |ein: &Ein| !found.rows.iter().any(|row| row.organization.ein == *ein);
        let left: Vec<Ein> = self.conversation.nonprofits.iter().copied().filter(lacks).collect();
        let left = self.records(&left)?;
        let unknown = left.iter().filter(|one| figure_of(one, figure).is_none()).count();
        let count = found.rows.len();
        let message = phrase!(
            if count == shown { "kept.all" } else { "kept" },
            shown,
            count = count as u64,
            is = text(if count == 1 { "kept.is" } else { "kept.are" }, language),
            such = such_of(&condition, language),
            names,
            unknown = Some(unknown).filter(|count| bounded.is_some() && *count > 0)
        );
        let message = message.say(language);
        self.listed(understood, found, 1, message)
    }

    /// Rows in the order that is asked for.
    fn in_order_of(
        &self,
        understood: &Interpretation,
        rows: Vec<NonprofitHit>,
    ) -> Result<Vec<NonprofitHit>> {
        if understood.frame.sort.is_empty() {
            return Ok(rows);
        }
        let eins = rows.iter().map(|row| row.organization.ein).collect();
        let mut unfiltered = understood.clone();
        unfiltered.frame = Frame { sort: understood.frame.sort.clone(), ..Frame::default() };
        Ok(self.ordered(&unfiltered, eins, NonprofitPage::default())?.rows)
    }

    /// The name that was asked for before, of which nobody was chosen, where the message asks for it elsewhere.
    pub(super) fn name_elsewhere(&self, understood: &Interpretation) -> Option<UnresolvedName> {
        let named = understood.frame.organization.as_ref()?;
        let is_same = understood.step == Some(Step::Refined)
            && self.conversation.frame.organization.as_ref() == Some(named);
        let is_open = named.ein.is_none() && named.wanted == NameUse::Itself;
        let (asked, count) = (named.asked.clone(), named.namesakes);
        (is_same && is_open).then_some(UnresolvedName { asked, count })
    }
}
