//! Counts and sums of the nonprofits that were asked for or shown, in all and of each place.

use super::list::{largest_by, put_largest_first};
use super::phrase::{Value, phrase, text};
use super::such::such_of;
use super::{Answer, FactQuestion, ROWS, Result, Turn, hit, says_any};
use crate::index::columns::Bitmap;
use crate::naming::normalise;
use crate::query::{Figure, Filters, Flag};
use crate::reader::{DialogueAct, Role, Span};
use crate::record::{Ein, OrgId};
use crate::search::nonprofits::NonprofitPage;
use crate::understand::{Conversation, Frame, Interpretation, Step, cause_of, measures_in, says};

/// What is counted and added up, and the rows that show some of it.
pub(super) struct CountedSet {
    pub(super) understood: Interpretation,
    pub(super) found: NonprofitPage,
    pub(super) filters: Filters,
    scope: Scope,
}

/// Which nonprofits these are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// All that the conditions and the codes of the cause select.
    All,
    /// The rows shown: no code covers the whole cause.
    Rows,
    /// The rows of a list that words ranked, all of which are shown.
    List,
}

/// The known values of a figure.
pub(super) struct Amounts {
    figure: Figure,
    values: Vec<i64>,
    unknown: u64,
}

impl Turn<'_> {
    /// The number of nonprofits asked for, and of those in each of several places.
    pub(super) fn count(self) -> Result<Answer> {
        if self.refers_to_candidates() {
            return self.ask_which();
        }
        let set = self.counted_set()?;
        let frame = &set.understood.frame;
        let count = match set.is_of_rows() {
            false => self.chosen_by(&set.filters)?.count(),
            true => set.found.plan.fit.map_or(set.found.total, |fit| fit.count),
        };
        let name = if set.is_of_rows() { "count.about" } else { "count" };
        let such = such_of(frame, self.language);
        let is_of_class = frame.flags[Flag::Church] == Some(true) && !set.is_of_rows();
        let cause = frame.cause.as_ref().filter(|_| !is_of_class);
        let mut said = phrase!(name, count, such, cause).say(self.language);
        let asked = self.conversation.asked.as_ref();
        let figures = match () {
            () if set.is_of_rows() => Vec::new(),
            () if says_any(self.text, &["sum", "how much"]) => self.figures_named(),
            // `and in Kansas?` asks for what was asked of Maine.
            () if says(self.text, "how many") => Vec::new(),
            () => asked.and_then(|asked| asked.figure).into_iter().collect(),
        };
        said += &self.of_each_place(&set, &figures)?;
        for figure in &figures {
            said += &format!(" {}", self.said_sum(&set, *figure)?);
        }
        self.counted(set, said, DialogueAct::Count, &figures)
    }

    /// The sum over the nonprofits asked for or shown.
    pub(super) fn total(self) -> Result<Answer> {
        if self.asks_of_nothing() {
            return self.ask_which();
        }
        let mut set = self.counted_set()?;
        // No sum over the codes of a cause contradicts rows that fit by their words.
        if !set.is_of_rows()
            && !set.found.rows.is_empty()
            && self.chosen_by(&set.filters)?.count() == 0
        {
            set.keep_rows();
        }
        let mut figures = self.figures_named();
        if figures.is_empty() {
            figures.push(self.figure_spoken_of(&set.understood.frame));
        }
        let mut said = Vec::new();
        for figure in &figures {
            said.push(self.said_sum(&set, *figure)?);
        }
        let said = said.join(" ") + &self.of_each_place(&set, &figures)?;
        self.counted(set, said, DialogueAct::Total, &figures)
    }

    /// The answer, with what the next message may ask of another place.
    pub(super) fn counted(
        self,
        set: CountedSet,
        said: String,
        fact: DialogueAct,
        figures: &[Figure],
    ) -> Result<Answer> {
        let figure = figures.first().copied();
        let frame = &set.understood.frame;
        let whole = self.remark_on_country(frame).filter(|_| !set.is_of_rows());
        let said = [said].into_iter().chain(whole).chain(self.unknown_states(frame, &set.found));
        let said = said.collect::<Vec<_>>().join(" ");
        let mut answer = self.listed(&set.understood, set.found, 1, said)?;
        // What is asked next of a list is of its rows as well.
        let asked = FactQuestion { figure, ..FactQuestion::of(fact) };
        answer.next.asked = Some(asked).filter(|_| set.scope != Scope::List);
        Ok(answer)
    }

    /// That what was counted without a place is not of the whole country, where lists of states are missing.
    pub(super) fn remark_on_country(&self, frame: &Frame) -> Option<String> {
        let count =
            self.snapshot.coverage.states_if_partial().filter(|_| frame.places.is_empty())?;
        Some(phrase!("remark.country", count).say(self.language))
    }

    /// The figures that the message names, other than in conditions.
    pub(super) fn figures_named(&self) -> Vec<Figure> {
        let is_condition = |words: &str| {
            words.chars().any(|c| c.is_ascii_digit()) || says_any(words, &["unit", "number"])
        };
        let is_blank = |span: &Span| {
            span.role != Role::Reference && is_condition(&self.text[span.bytes.clone()])
        };
        measures_in(&self.message.blanked(self.text, is_blank))
    }

    /// The figure of the question before, else the one that the message is read to ask for.
    fn figure_spoken_of(&self, frame: &Frame) -> Figure {
        let before = self.conversation.asked.as_ref().and_then(|asked| asked.figure);
        before.unwrap_or(match self.request.fact() {
            Some(DialogueAct::Assets) => Figure::Assets,
            Some(DialogueAct::Employees) => Figure::Employees,
            _ => largest_by(frame),
        })
    }

    /// The sum of a figure, with its mean and its median.
    fn said_sum(&self, set: &CountedSet, figure: Figure) -> Result<String> {
        let language = self.language;
        let amounts = self.amounts(&set.filters, figure)?;
        let name = match (amounts.values.is_empty(), set.is_of_rows()) {
            (true, _) => "total.none",
            (false, false) => "total",
            (false, true) => "total.shown",
        };
        let count = amounts.values.len() as u64 + amounts.unknown;
        let what = text(&format!("figure.{}", figure.name()), language);
        let (amount, unknown) = (amounts.value(amounts.sum()), amounts.unknown());
        let frame = &set.understood.frame;
        let (such, cause) = (such_of(frame, language), &frame.cause);
        let mut said = phrase!(name, amount, what, count, such, cause, unknown).say(language);
        let mean = amounts.mean().filter(|_| says(self.text, "average"));
        let median = amounts.median().filter(|_| figure != Figure::Employees);
        for (name, value) in [("total.mean", mean), ("total.middle", median)] {
            if let Some(value) = value {
                said += &format!(" {}", phrase!(name, amount = amounts.value(value)).say(language));
            }
        }
        Ok(said)
    }

    /// The number of each of several places, with sums; empty where there is one place at most.
    fn of_each_place(&self, set: &CountedSet, figures: &[Figure]) -> Result<String> {
        let items = self.places_counted(set, figures)?;
        let items: Vec<String> = items.into_iter().map(|(_, item)| item).collect();
        Ok(if items.is_empty() { String::new() } else { format!(" {}.", items.join("; ")) })
    }

    /// Each of several places: its first sum, else its number, and these in words.
    pub(super) fn places_counted(
        &self,
        set: &CountedSet,
        figures: &[Figure],
    ) -> Result<Vec<(i64, String)>> {
        let places = &set.understood.frame.places;
        let mut items = Vec::new();
        for place in places.iter().filter(|_| !set.is_of_rows() && places.len() > 1) {
            let areas = place.areas.clone();
            let filters = Filters { areas, ..set.filters.clone() };
            let count = self.chosen_by(&filters)?.count();
            let (mut sums, mut first) = (Vec::new(), None);
            for figure in figures {
                let amounts = self.amounts(&filters, *figure)?;
                first = first.or(Some(amounts.sum()));
                sums.push(self.said_part(&amounts));
            }
            let key = first.unwrap_or(count.try_into().unwrap_or(i64::MAX));
            items.push((key, self.item(&place.name, count, &sums)));
        }
        Ok(items)
    }

    /// A group in a few words: its name, its number, and its sums.
    pub(super) fn item(&self, group: &str, count: u64, sums: &[String]) -> String {
        let sums = (!sums.is_empty()).then(|| sums.join(", "));
        phrase!("count.each", group, count, sums).part(self.language)
    }

    /// The sum of a figure in a few words, with the mean and the median where they are asked for.
    pub(super) fn said_part(&self, amounts: &Amounts) -> String {
        let what = text(&format!("figure.{}", amounts.figure.name()), self.language);
        if amounts.values.is_empty() {
            return phrase!("count.no_sum", what).part(self.language);
        }
        let (amount, unknown) = (amounts.value(amounts.sum()), amounts.unknown());
        let value = |list: &str, value: Option<i64>| {
            value.filter(|_| says(self.text, list)).map(|value| amounts.value(value))
        };
        let (mean, middle) = (value("average", amounts.mean()), value("median", amounts.median()));
        phrase!("count.sum", amount, what, unknown, mean, middle).part(self.language)
    }

    /// What a new search finds if the message asks for one, else what was counted or shown last.
    pub(super) fn counted_set(&self) -> Result<CountedSet> {
        let changes = self.asks_anew() || !self.message.spans.is_empty();
        let mut understood = self.interpret(Some(self.text).filter(|_| changes))?;
        let is_other = understood.step == Some(Step::New) && !self.asks_anew();
        if understood.frame.is_empty() || is_other {
            understood = self.interpret(None)?;
        }
        self.leave_name(&mut understood);
        understood.measure_foundations_by_assets(self.text);
        self.join_lists(&mut understood);
        put_largest_first(&mut understood.frame);
        let found = self.page_of(&mut understood, 1)?;
        let frame = &understood.frame;
        let has_codes = frame.cause.is_none() || self.is_coded(frame)?;
        let filters = frame.filters();
        // Of churches the class tells more than the codes, which many lack.
        let of_cause = match frame.flags[Flag::Church] {
            Some(true) => &[][..],
            _ => &frame.cause_ntee,
        };
        let ntee_prefixes = within(&filters.ntee_prefixes, of_cause);
        let filters = Filters { ntee_prefixes, ..filters };
        let mut set = CountedSet {
            understood,
            found,
            filters,
            scope: if has_codes { Scope::All } else { Scope::Rows },
        };
        if self.is_of_list(&set) {
            let shown = &self.conversation.nonprofits;
            set.found.rows = self.records(shown)?.into_iter().map(hit).collect();
            set.keep(shown.clone(), Scope::List);
        } else if set.is_of_rows() {
            set.keep_rows();
        }
        Ok(set)
    }

    /// `put together, how many is that?`: the places of this list and of the one before it, which asked for the same elsewhere.
    fn join_lists(&self, understood: &mut Interpretation) {
        let Conversation { frame, earlier, .. } = &self.conversation;
        let Some(before) = earlier.back().filter(|_| says(self.text, "lists joined")) else {
            return;
        };
        let of_what = |frame: &Frame| {
            let cause = frame.cause.as_deref().map(normalise);
            Frame { cause, text: None, places: Vec::new(), ..frame.clone() }
        };
        let is_everywhere = |frame: &Frame| frame.places.is_empty();
        if of_what(before) != of_what(frame)
            || understood.kept != *frame
            || is_everywhere(before)
            || is_everywhere(frame)
        {
            return;
        }
        for joined in [&mut understood.frame, &mut understood.kept] {
            let mut places = before.places.clone();
            places.extend(joined.places.drain(..).filter(|place| !before.places.contains(place)));
            joined.places = places;
        }
    }

    /// What is counted is a description, though a name has its words: `bancos de alimentos en Puerto Rico`.
    fn leave_name(&self, understood: &mut Interpretation) {
        let is_named = self.has(Role::Name) || !self.explicit.is_empty();
        let described = understood.heard.described.take();
        let Some(described) = described.filter(|_| !is_named) else { return };
        understood.frame = (*described).clone();
        understood.kept.clone_from(&described);
        understood.heard.frame = *described;
    }

    /// Whether the rows shown are all of a list that words ranked, and the message asks for a sum of these.
    fn is_of_list(&self, set: &CountedSet) -> bool {
        let Frame { cause, .. } = &self.conversation.frame;
        let shown = self.conversation.nonprofits.len();
        self.request.act() != DialogueAct::Count
            && !self.speaks_of_count()
            && cause.is_some()
            && *cause == set.understood.frame.cause
            && set.understood.kept == self.conversation.frame
            && (2..ROWS).contains(&shown)
            && self.conversation.rows <= ROWS as u64
    }

    /// Whether a count or a sum was asked for last.
    pub(super) fn speaks_of_count(&self) -> bool {
        self.conversation.asked.as_ref().is_some_and(|asked| is_counting(asked.fact))
    }

    /// Whether nothing was shown that a question could be about, and its words say nothing to find.
    pub(super) fn asks_of_nothing(&self) -> bool {
        let conversation = &self.conversation;
        let is_fresh = conversation.frame.is_empty()
            && conversation.nonprofits.is_empty()
            && conversation.focus.is_none()
            && conversation.entry.is_none();
        let finds = |role: Role| {
            !matches!(role, Role::Reference | Role::Unread | Role::Nothing | Role::Sort)
        };
        let is_figure = |words: &str| !measures_in(words).is_empty() && !words.contains('$');
        let mut spans = self.message.spans.iter();
        let seeks =
            spans.any(|span| finds(span.role) && !is_figure(&self.text[span.bytes.clone()]));
        is_fresh && self.explicit.is_empty() && !seeks && !says(self.text, "all nonprofits")
    }

    /// The nonprofits that filters choose.
    pub(super) fn chosen_by(&self, filters: &Filters) -> Result<Bitmap> {
        Ok(self.snapshot.select(filters)?.matching.clone())
    }

    /// The values of a figure of those that filters choose.
    pub(super) fn amounts(&self, filters: &Filters, figure: Figure) -> Result<Amounts> {
        let all: Vec<OrgId> = self.chosen_by(filters)?.iter().collect();
        let amounts = self.snapshot.columns.amounts(&all, figure)?;
        let values: Vec<i64> = amounts.into_iter().flatten().collect();
        let unknown = (all.len() - values.len()) as u64;
        Ok(Amounts { figure, values, unknown })
    }

    /// Whether codes cover the whole cause of a frame, or each of its alternative kinds.
    pub(super) fn is_coded(&self, frame: &Frame) -> Result<bool> {
        let mut kinds = Vec::new();
        for kind in frame.alternatives() {
            kinds.push(cause_of(kind, self.snapshot)?.cause_is_term);
        }
        Ok(frame.cause_is_term || (kinds.len() > 1 && !kinds.contains(&false)))
    }
}

impl CountedSet {
    /// Only the rows that were found are added up.
    fn keep_rows(&mut self) {
        let eins = self.found.rows.iter().map(|row| row.organization.ein).collect();
        self.keep(eins, Scope::Rows);
    }

    fn keep(&mut self, eins: Vec<Ein>, scope: Scope) {
        self.filters = Filters { eins, ..Filters::default() };
        self.scope = scope;
    }

    /// Whether it is only the rows shown.
    pub(super) fn is_of_rows(&self) -> bool {
        self.scope != Scope::All
    }
}

impl Amounts {
    fn sum(&self) -> i64 {
        self.values.iter().sum()
    }

    /// The mean, rounded down.
    fn mean(&self) -> Option<i64> {
        self.sum().checked_div(self.values.len() as i64)
    }

    /// The median, of two their mean.
    fn median(&self) -> Option<i64> {
        let mut values = self.values.clone();
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

    /// How many are not known, if any.
    fn unknown(&self) -> Option<u64> {
        Some(self.unknown).filter(|unknown| *unknown > 0)
    }

    fn value(&self, amount: i64) -> Value {
        value_of(self.figure, amount)
    }
}

/// An amount of a figure: people, or dollars.
pub(super) fn value_of(figure: Figure, amount: i64) -> Value {
    match figure {
        Figure::Employees => Value::Count(amount.unsigned_abs()),
        _ => Value::Dollars(amount),
    }
}

/// Whether an act asks for counts, sums or groups of nonprofits.
pub(super) fn is_counting(act: DialogueAct) -> bool {
    matches!(act, DialogueAct::Count | DialogueAct::Total | DialogueAct::Groups)
}

/// The prefixes of codes that satisfy both of two lists, of which an empty one asks nothing.
pub(super) fn within(some: &[String], others: &[String]) -> Vec<String> {
    let both = |one: &String| {
        let longer = others.iter().filter_map(|other| match () {
            () if one.starts_with(&**other) => Some(one.clone()),
            () if other.starts_with(&**one) => Some(other.clone()),
            () => None,
        });
        longer.collect::<Vec<_>>()
    };
    match (some.is_empty(), others.is_empty()) {
        (true, _) => others.to_vec(),
        (_, true) => some.to_vec(),
        _ => some.iter().flat_map(both).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_both_lists_are_the_longer_ones() {
        let codes =
            |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>();
        for (some, others, expected) in [
            (&[][..], &["A"][..], &["A"][..]),
            (&["A5"], &[], &["A5"]),
            (&["A5", "B"], &["A", "B2"], &["A5", "B2"]),
            (&["A"], &["A51", "C"], &["A51"]),
        ] {
            assert_eq!(within(&codes(some), &codes(others)), codes(expected));
        }
    }

    #[test]
    fn means_and_medians_are_of_the_known_values() {
        let of = |values: &[i64]| {
            let amounts = Amounts { figure: Figure::Assets, values: values.to_vec(), unknown: 3 };
            (amounts.sum(), amounts.mean(), amounts.median())
        };
        assert_eq!(of(&[]), (0, None, None));
        assert_eq!(of(&[9]), (9, Some(9), None));
        assert_eq!(of(&[1, 10, 4]), (15, Some(5), Some(4)));
        assert_eq!(of(&[10, 2, 4, 1]), (17, Some(4), Some(3)));
    }
}
