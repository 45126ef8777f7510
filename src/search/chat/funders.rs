//! Funders of a cause, from the grants in loaded returns; without any, foundations to look into.

use super::list::ROWS_NAMED;
use super::phrase::{Value, phrase, text};
use super::{Answer, Intent, ROWS, Result, Turn, hit, says_any, suggest};
use crate::query::{Area, Figure, Flag, Flags, Range, Ranges, Sort, SortKey};
use crate::reader::{DialogueAct, Reader, Role, Topic};
use crate::record::{Ein, Ntee, State};
use crate::search::details::details;
use crate::search::funders::{self, Funder};
use crate::search::listing::Paging;
use crate::search::nonprofits::{self, NonprofitHit, Order, Query, RelevanceQuery};
use crate::taxonomy;
use crate::understand::{Frame, NamedPlace, Question, says};

/// Nonprofits of a list whose grants an answer sums up.
const GRANTORS_TOLD: usize = 3;

impl Turn<'_> {
    /// The funders of a cause, if the message asks for them; else nonprofits (`foundations in Maine` are a kind).
    pub(super) fn funders_or_list(self) -> Result<Answer> {
        let asked = Reader::shared()?.question(self.text, &self.message)?;
        let is_of_funders = asked.is_some_and(|asked| asked.topic.label == Topic::Funders);
        match is_of_funders || self.is_worded() {
            true => self.funders(),
            false => self.search(),
        }
    }

    /// The funders of what the message names, or else of the current subject.
    pub(super) fn funders(mut self) -> Result<Answer> {
        let mut asked =
            Question::of_topic(self.snapshot, self.text, &self.message, Topic::Funders)?;
        // Who funds one nonprofit.
        let is_of_one =
            asked.topic == Topic::GrantsTo || (self.has(Role::Name) && !self.has(Role::Cause));
        if is_of_one {
            self.request.acts = vec![DialogueAct::GrantsReceived];
            return match asked.whom.and_then(|whom| whom.ein) {
                Some(ein) => self.details_of(ein),
                None => self.facts(),
            };
        }
        let frame = &self.conversation.frame;
        let frame_state = frame.state();
        let is_of_theirs = self.has(Role::Foundation);
        let is_of_place = self.asks_who_gives_there(&mut asked);
        // `which foundations in Mississippi take applications`, whatever was spoken of.
        let is_anew =
            is_of_theirs && self.sets(Role::Place) && asked.accepts_applications.is_some();
        if !is_of_place && !is_anew && asked.words.is_none() && asked.whom.is_none() {
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
        if is_of_theirs && asked.funder_state.is_none() && asked.recipient_state.is_none() {
            // `foundations in the state`: their location.
            asked.funder_state = frame_state;
        }
        let paging = Paging { page: 1, size: ROWS };
        let found = funders::of_question(self.snapshot, &asked, paging)?;
        let such = self.such_funders(&asked);
        if found.rows.is_empty()
            && asked.recipient_state.is_none()
            && let Some(ein) = self.surely_named()?
        {
            // `who funds maryhurst`.
            self.request.acts = vec![DialogueAct::GrantsReceived];
            return self.details_of(ein);
        }
        if found.rows.is_empty() {
            return self.foundations(&asked, &such, assets_min);
        }
        let named = found.rows.iter().take(ROWS_NAMED).map(|one| self.funder(one));
        let names = named.collect::<Vec<_>>();
        let names = phrase!("funders.most", names).part(self.language);
        let message = phrase!("funders", count = found.total, such, names).say(self.language);
        let orgs: Vec<_> = found.rows.iter().map(|one| one.given.grantor).collect();
        let rows = self.snapshot.records.get_all(&orgs)?;
        let rows: Vec<NonprofitHit> = rows.into_iter().map(hit).collect();
        let among = rows.iter().map(|row| row.organization.ein).collect();
        let mut frame = Frame { among, ..self.conversation.frame.clone() };
        if let Some(state) = asked.recipient_state.or(asked.funder_state)
            && frame.places.is_empty()
        {
            let area = Area { state: Some(state), ..Area::default() };
            frame.places = NamedPlace::of(area).into_iter().collect();
        }
        self.shown_funders(rows, frame, message, asked.words)
    }

    /// Whether all who give in a place are asked for, which then is that of the recipients (`who gave the most in Kentucky`),
    /// or of the funders (`the biggest funders in Montana`).
    fn asks_who_gives_there(&self, asked: &mut Question) -> bool {
        let is_asked = says_any(self.text, &["funder", "asks who gave to it", "asks who funds"])
            && asked.words.is_none()
            && self.has(Role::Place);
        if is_asked {
            let state = asked.recipient_state.or(asked.funder_state);
            let are_there = says(self.text, "funder");
            asked.funder_state = state.filter(|_| are_there);
            asked.recipient_state = state.filter(|_| !are_there);
            asked.whom = None;
        }
        is_asked
    }

    /// The NTEE code of the nonprofit mentioned last.
    fn code_of_focus(&self) -> Result<Option<Ntee>> {
        let focus = match self.conversation.focus {
            Some(ein) => details(self.snapshot, ein)?,
            None => None,
        };
        Ok(focus.and_then(|one| one.ntee))
    }

    /// The private foundations of a state, those with most assets first, used where no grant is on file.
    fn foundations(self, asked: &Question, such: &str, assets_min: Option<i64>) -> Result<Answer> {
        let named = asked.funder_state.or(asked.recipient_state);
        let state: Option<State> = named.or_else(|| self.conversation.frame.state());
        let none = match asked.accepts_applications {
            Some(_) => "funders.unfiled",
            None => "funders.none",
        };
        let assets = Range { min: assets_min.map(|least| least as f64), max: None };
        let by_assets = Sort::descending(SortKey::Figure(Figure::Assets));
        let frame = Frame {
            places: NamedPlace::of(Area { state, ..Area::default() }).into_iter().collect(),
            flags: Flags::from([(Flag::Foundation, true)]),
            ranges: Ranges::of(Figure::Assets, assets),
            sort: vec![by_assets],
            ..Frame::default()
        };
        let (mut found, mut place) = (Vec::new(), String::new());
        if let Some(named) = frame.places.first() {
            place = phrase!("such.in", places = named.name).part(self.language);
            let sort = vec![Order::By(by_assets)];
            let query = Query::of(frame.filters(), RelevanceQuery::default(), ROWS);
            found = nonprofits::search(self.snapshot, &Query { sort, ..query })?.rows;
        }
        let names = found.iter().take(ROWS_NAMED).map(|row| {
            let amount = self.value_of(&row.organization, Figure::Assets);
            let amount = amount.map_or(String::new(), |amount| format!(" ({amount})"));
            format!("{}{amount}", row.organization.name)
        });
        let names: Vec<String> = names.collect();
        let name = if names.is_empty() { "funders.nothing" } else { none };
        let message = phrase!(name, such, place, names).say(self.language);
        self.shown_funders(found, frame, message, None)
    }

    /// The answer with funders, which the next message may narrow by the frame.
    fn shown_funders(
        mut self,
        rows: Vec<NonprofitHit>,
        frame: Frame,
        message: String,
        about: Option<String>,
    ) -> Result<Answer> {
        let first = rows.iter().take(2).map(|row| &row.organization);
        let mut suggestions: Vec<_> =
            first.map(|one| suggest::details_of(one, self.language)).collect();
        if suggestions.is_empty() {
            suggestions = self.openings()?;
        }
        if !rows.is_empty() {
            self.conversation.ask(frame);
            self.conversation.show_nonprofits(rows.iter().map(|row| row.organization.ein), 0);
        }
        let answer = Answer::of(Intent::FindNonprofits, message, self.conversation);
        Ok(Answer { about, nonprofits: rows, suggestions, ..answer })
    }

    /// The grants of several, each in its sentences: `how much did they give?`.
    pub(super) fn grants_of_several(mut self, eins: &[Ein]) -> Result<Answer> {
        let first = &eins[..eins.len().min(GRANTORS_TOLD)];
        let mut said = Vec::new();
        for ein in first {
            if let Some(profile) = self.profile(*ein)? {
                said.push(profile.sentences(self.snapshot, &[self.request.act()])?);
            }
        }
        self.conversation.asked = self.fact_question();
        let shown = self.records(first)?;
        self.of_organizations(shown, said.join(" "))
    }

    /// What funders were asked for, behind the word.
    fn such_funders(&self, asked: &Question) -> String {
        let least = asked.min_amount.map(Value::Dollars);
        let parts = [
            asked.words.as_ref().map(|words| phrase!("funders.such.for", words)),
            asked.funder_state.map(|state| phrase!("funders.such.in", place = state.name())),
            asked.recipient_state.map(|state| phrase!("funders.such.to", place = state.name())),
            least.map(|amount| phrase!("funders.such.least", amount)),
            asked.year.map(|year| phrase!("funders.such.year", year)),
            asked.accepts_applications.map(|accepts| {
                phrase!(if accepts { "funders.such.taken" } else { "funders.such.not_taken" })
            }),
        ];
        parts.into_iter().flatten().map(|part| part.part(self.language)).collect()
    }

    /// A funder with what it gave.
    fn funder(&self, one: &Funder) -> String {
        let (name, sum) = (&one.card.name, one.given.sum);
        let amount = Value::Dollars(sum.amount.unwrap_or_default());
        let said = phrase!("funders.one", name, amount, count = sum.grants).part(self.language);
        match one.given.accepts_applications {
            Some(true) => format!("{said}, {}", text("funders.applies", self.language)),
            _ => said,
        }
    }
}
