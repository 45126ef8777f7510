//! Funders of a cause, from the grants in loaded returns; without any, foundations to look into.

use super::list::ROWS_NAMED;
use super::phrase::{Phrase, Value, text};
use super::{Answer, Intent, ROWS, SearchError, Turn, suggest};
use crate::query::{Figure, Filters, Flag, Flags, Range, Ranges, Sort, SortKey};
use crate::reader::{Reader, Role, Topic};
use crate::record::{Ntee, State};
use crate::search::details::details;
use crate::search::funders::Funder;
use crate::search::listing::Paging;
use crate::search::nonprofits::{self, NonprofitHit, Order, Query, RelevanceQuery};
use crate::search::questions::{Question, funders_of};
use crate::taxonomy;
use crate::understand::NamedPlace;

impl Turn<'_> {
    /// The funders of a cause, if the message asks for them; else nonprofits (`foundations in Maine` are a kind).
    pub(super) fn funders_or_list(self) -> Result<Answer, SearchError> {
        let asked = Reader::shared()?.question(self.text, &self.message)?;
        match asked.is_some_and(|asked| asked.topic.label == Topic::Funders) {
            true => self.funders(),
            false => self.search(),
        }
    }

    /// The funders of what the message names, or else of the current subject.
    pub(super) fn funders(self) -> Result<Answer, SearchError> {
        let mut asked =
            Question::of_topic(self.snapshot, self.text, &self.message, Topic::Funders)?;
        let frame = &self.conversation.frame;
        let frame_state = frame.state();
        let is_of_theirs = self.words(Role::Foundation).is_some();
        if asked.words.is_none() && asked.whom.is_none() {
            asked.words.clone_from(&frame.text);
            asked.ntee.clone_from(&frame.cause_ntee);
            if let Some(code) = self.code_of_focus()? {
                // `who pays for that kind of work`.
                asked.words = taxonomy::title(code).map(str::to_lowercase);
                asked.ntee = vec![code.to_string()];
            }
            asked.recipient_state = asked.recipient_state.or(frame_state.filter(|_| !is_of_theirs));
        }
        // `foundations with 5 million or more`: their assets, not their grants.
        let assets_min = asked.min_amount.take_if(|_| is_of_theirs);
        if is_of_theirs && asked.funder_state.is_none() {
            // `foundations in the state`: their location.
            asked.funder_state = asked.recipient_state.take().or(frame_state);
        }
        let paging = Paging { page: 1, size: ROWS };
        let (_, found) = funders_of(self.snapshot, &asked, paging)?;
        let such = self.such_funders(&asked);
        if found.rows.is_empty() {
            let state = asked
                .funder_state
                .or(asked.recipient_state)
                .or_else(|| self.conversation.frame.state());
            return self.foundations(state, &such, assets_min);
        }
        let named = found.rows.iter().take(ROWS_NAMED).map(|one| self.funder(one));
        let names = Phrase::new("funders.most").with("names", named.collect::<Vec<_>>());
        let message = Phrase::new("funders")
            .with("count", found.total)
            .with("such", such)
            .with("names", names.part(self.language))
            .say(self.language);
        let orgs: Vec<_> = found.rows.iter().map(|one| one.given.grantor).collect();
        let rows = self.snapshot.records.get_all(&orgs)?.into_iter();
        let rows = rows.map(|organization| NonprofitHit { organization, cosine: None }).collect();
        self.shown_funders(rows, message, asked.words)
    }

    /// The NTEE code of the nonprofit mentioned last.
    fn code_of_focus(&self) -> Result<Option<Ntee>, SearchError> {
        let focus = match self.conversation.focus {
            Some(ein) => details(self.snapshot, ein)?,
            None => None,
        };
        Ok(focus.and_then(|one| one.ntee))
    }

    /// The private foundations of a state, those with most assets first, used where no grant is on file.
    fn foundations(
        self,
        state: Option<State>,
        such: &str,
        assets_min: Option<i64>,
    ) -> Result<Answer, SearchError> {
        let areas =
            state.map(|state| crate::query::Area { state: Some(state), ..Default::default() });
        let filters = Filters {
            areas: areas.clone().into_iter().collect(),
            flags: Flags::from([(Flag::Foundation, true)]),
            ranges: assets_min.map_or_else(Ranges::default, |least| {
                Ranges::of(Figure::Assets, Range { min: Some(least as f64), max: None })
            }),
            ..Filters::default()
        };
        let by_assets = Order::By(Sort::descending(SortKey::Figure(Figure::Assets)));
        let query =
            Query { sort: vec![by_assets], ..Query::of(filters, RelevanceQuery::default(), ROWS) };
        let found = match state {
            Some(_) => nonprofits::search(self.snapshot, &query)?.rows,
            None => Vec::new(),
        };
        let place = areas.and_then(NamedPlace::of).map_or(String::new(), |place| {
            Phrase::new("such.in").with("places", Value::Text(place.name)).part(self.language)
        });
        let names = found.iter().take(ROWS_NAMED).map(|row| {
            let amount = self.value_of(&row.organization, Figure::Assets);
            let amount = amount.map_or(String::new(), |amount| format!(" ({amount})"));
            format!("{}{amount}", row.organization.name)
        });
        let names: Vec<String> = names.collect();
        let name = if names.is_empty() { "funders.nothing" } else { "funders.none" };
        let message = Phrase::new(name)
            .with("such", such)
            .with("place", place)
            .with("names", names)
            .say(self.language);
        self.shown_funders(found, message, None)
    }

    fn shown_funders(
        mut self,
        rows: Vec<NonprofitHit>,
        message: String,
        about: Option<String>,
    ) -> Result<Answer, SearchError> {
        let mut suggestions: Vec<_> = rows
            .iter()
            .take(2)
            .map(|row| suggest::details_of(&row.organization, self.language))
            .collect();
        if suggestions.is_empty() {
            suggestions = suggest::openings(self.snapshot, self.language)?;
        }
        if !rows.is_empty() {
            self.conversation.show_nonprofits(rows.iter().map(|row| row.organization.ein), 0);
        }
        let answer = Answer::of(Intent::FindNonprofits, message, self.conversation);
        Ok(Answer { about, nonprofits: rows, suggestions, ..answer })
    }

    /// What funders were asked for, behind the word.
    fn such_funders(&self, asked: &Question) -> String {
        let state = |name: &str, state: Option<State>| {
            state.map(|state| Phrase::new(name).with("place", state.name()))
        };
        let parts = [
            asked.words.as_ref().map(|words| Phrase::new("funders.such.for").with("words", words)),
            state("funders.such.in", asked.funder_state),
            state("funders.such.to", asked.recipient_state),
            asked
                .min_amount
                .map(|least| Phrase::new("funders.such.least").dollars("amount", Some(least))),
            asked.year.map(|year| Phrase::new("funders.such.year").with("year", year)),
            asked.accepts_applications.map(|accepts| {
                Phrase::new(if accepts { "funders.such.taken" } else { "funders.such.not_taken" })
            }),
        ];
        parts.into_iter().flatten().map(|part| part.part(self.language)).collect()
    }

    /// A funder with what it gave.
    fn funder(&self, one: &Funder) -> String {
        let sum = one.given.sum;
        let said = Phrase::new("funders.one")
            .with("name", &one.card.name)
            .dollars("amount", Some(sum.amount.unwrap_or_default()))
            .with("count", sum.grants)
            .part(self.language);
        match one.given.accepts_applications {
            Some(true) => format!("{said}, {}", text("funders.applies", self.language)),
            _ => said,
        }
    }
}
