//! A name that is not resolved to one organization: its candidates, in the place of the message first. One is never
//! taken for another.

use super::facts::place;
use super::list::ROWS_NAMED;
use super::phrase::{Value, phrase, text};
use super::referents::UnresolvedName;
use super::resolved::{is_in_other_state, like_name};
use super::spelling::has_word_within;
use super::{Answer, Intent, NonprofitRef, Result, Turn, suggest};
use crate::naming::normalise;
use crate::query::Area;
use crate::reader::{Language, Role};
use crate::record::{Ein, Organization};
use crate::search::called::{has_all_words, is_called};
use crate::search::nonprofits::{NonprofitHit, NonprofitPage, RelevanceQuery};
use crate::search::typeahead::departed_called;
use crate::understand::{self, Frame, NamedPlace, around_city, decode, says, states_of};

impl Turn<'_> {
    /// Asks which nonprofit is meant.
    pub(super) fn ask_which(self) -> Result<Answer> {
        self.reply(Intent::NonprofitDetails, "which_one.first")
    }

    /// Whether the message refers to those shown, and these only come near a name that was asked for.
    pub(super) fn refers_to_candidates(&self) -> bool {
        let named = self.conversation.frame.organization.as_ref();
        let is_open = named.is_some_and(|named| named.ein.is_none());
        self.conversation.of_candidates
            && is_open
            && self.has(Role::Reference)
            && !(self.sets(Role::Cause) || self.sets(Role::Place))
    }

    /// The candidates of a name, to choose from. One is never taken for another.
    pub(super) fn of_called(self, name: UnresolvedName) -> Result<Answer> {
        if name.count == 0
            && let Some(answer) = self.person(&name.asked)?
        {
            return Ok(answer);
        }
        if name.count == 0
            && let Some(answer) = self.of_begun(&name)?
        {
            return Ok(answer);
        }
        let UnresolvedName { asked, count } = name;
        let departed = match count {
            0 => departed_called(self.snapshot, &asked)?,
            _ => Vec::new(),
        };
        if let [one] = &departed[..] {
            return self.details_of(one.ein);
        }
        let (those, found) = self.candidates_of(&asked)?;
        if let [one] = &those[..]
            && begins(one, &asked)
            && (!self.vouches() || normalise(&one.organization.name) == normalise(&asked))
        {
            return self.details_of(one.organization.ein);
        }
        if let Some(answer) = self.of_only_bearer(&those, &found.rows, &asked, count)? {
            return Ok(answer);
        }
        // Who bears the name in the place asked for is a candidate.
        let count = count.max(those.len());
        let language = self.language;
        let guess = match count {
            0 => self.only_name_beginning(&asked, &found.rows)?,
            _ => None,
        };
        let vouches = self.vouches();
        let mut answer = self.which_one(&asked, found.rows)?;
        if vouches {
            // Nobody is meant by `is it legit?` now: not the unknown one, nor whoever was spoken of before it.
            answer.next.focus = None;
        }
        if let Some((ein, said)) = guess {
            answer.message += &format!(" {said}");
            answer.next.focus = Some(ein);
        }
        if !departed.is_empty() {
            let names = departed.iter().take(ROWS_NAMED);
            let names = names.map(|card| format!("{} (EIN {})", card.name, card.ein.dashed()));
            let names: Vec<String> = names.collect();
            let said = phrase!("which_one.departed", names).say(language);
            answer.message += &format!(" {said}");
        }
        Ok(Answer { about: Some(asked), plan: Some(found.plan), ..answer })
    }

    /// The answer about the only nonprofit with a name, in the place searched or anywhere; it names the nonprofit: `is NOFA a
    /// real charity` in Vermont.
    fn of_only_bearer(
        &self,
        there: &[NonprofitHit],
        rows: &[NonprofitHit],
        asked: &str,
        namesakes: usize,
    ) -> Result<Option<Answer>> {
        let Some(one) = only_bearer(there, rows, asked, namesakes) else { return Ok(None) };
        if self.vouches() && has_word_within(&one.organization.name, asked) {
            return Ok(None);
        }
        let (name, place) = (&one.organization.name, place(&one.organization));
        let said = phrase!("which_one.taken", name, place).say(self.language);
        let answer = self.clone().details_of(one.organization.ein)?;
        let message = format!("{said} {}", answer.message);
        Ok(Some(Answer { message, about: Some(asked.to_owned()), ..answer }))
    }

    /// The only nonprofit with a name that is not resolved, in the place under discussion or anywhere.
    pub(super) fn only_called(&self, asked: &str) -> Result<Option<Ein>> {
        let (those, found) = self.candidates_of(asked)?;
        let one = only_bearer(&those, &found.rows, asked, 0);
        Ok(one.map(|row| row.organization.ein))
    }

    /// The rows that bear a name in the place under discussion, and all that were found by it there; without any there, those
    /// of anywhere.
    fn candidates_of(&self, asked: &str) -> Result<(Vec<NonprofitHit>, NonprofitPage)> {
        let like = like_name(asked);
        Ok(match self.found_there(asked, &like)? {
            Some(found) => (called_so(&found.rows, asked).cloned().collect(), found),
            None => (Vec::new(), self.found_in(Vec::new(), &like)?),
        })
    }

    /// Where a name is looked for, the narrowest first: the places of the message, what lies around its cities and their
    /// states; without one, the state under discussion. Grants go anywhere.
    fn scopes_of_name(&self) -> Result<Vec<Vec<Area>>> {
        if !self.explicit.is_empty() {
            return Ok(Vec::new());
        }
        let of_state = |state| Area { state: Some(state), ..Area::default() };
        if !self.has(Role::Place) || self.asks_of_grants() {
            let state = self.conversation.frame.state();
            return Ok(state.map(|state| vec![of_state(state)]).into_iter().collect());
        }
        let places = decode(self.text, &self.message, None, self.snapshot)?.heard.frame.places;
        let areas = |places: &[NamedPlace]| -> Vec<Area> {
            places.iter().flat_map(|place| place.areas.clone()).collect()
        };
        let around: Vec<NamedPlace> = places.iter().filter_map(around_city).collect();
        let states = states_of(&places).into_iter().map(of_state).collect();
        let mut scopes = vec![areas(&places), areas(&around), states];
        scopes.retain(|scope| !scope.is_empty());
        Ok(scopes)
    }

    /// The rows of the narrowest scope in which somebody is called just so, or else much like it: the place of the message,
    /// what lies around it and its state, or the state under discussion. `None` where only somebody elsewhere is called so.
    fn found_there(&self, asked: &str, like: &RelevanceQuery) -> Result<Option<NonprofitPage>> {
        let mut alike = None;
        for areas in self.scopes_of_name()? {
            let found = self.found_in(areas, like)?;
            if called_so(&found.rows, asked).any(|row| has_all_words(&row.organization, asked)) {
                return Ok(Some(found));
            }
            let is_like = called_so(&found.rows, asked).next().is_some();
            alike = alike.or(Some(found).filter(|_| is_like));
        }
        let Some(alike) = alike else { return Ok(None) };
        let anywhere = self.found_in(Vec::new(), like)?;
        let mut called = called_so(&anywhere.rows, asked);
        let is_elsewhere = called.any(|row| has_all_words(&row.organization, asked));
        Ok(Some(alike).filter(|_| !is_elsewhere))
    }

    /// The only one of some rows whose name begins with all of a name that nobody has just so (`Idaho Foodbank` of Idaho
    /// Foodbank Warehouse), and the facts asked for, in case it is meant; nobody is vouched for by such a name.
    fn only_name_beginning(
        &self,
        asked: &str,
        rows: &[NonprofitHit],
    ) -> Result<Option<(Ein, String)>> {
        let mut those = rows.iter().filter(|row| begins(row, asked));
        let (Some(one), None) = (those.next(), those.next()) else { return Ok(None) };
        let ein = one.organization.ein;
        let profile = self.profile(ein)?.filter(|_| !self.vouches());
        let Some(profile) = profile else { return Ok(None) };
        let facts = self.request.facts();
        let said = match facts.is_empty() {
            true => profile.portrait(),
            false => profile.sentences(self.snapshot, &facts)?,
        };
        let name = &one.organization.name;
        Ok(Some((ein, phrase!("which_one.if", name, said).say(self.language))))
    }

    /// Remarks on a name without a certain match: states that are not loaded, unlisted churches.
    fn remarks_on_name(&self, asked: &str, is_found: bool, unloaded: Vec<String>) -> Vec<String> {
        let partial = self.snapshot.coverage.states_if_partial().filter(|_| !is_found);
        let is_of_loaded =
            self.conversation.frame.state().is_some_and(|state| {
                self.snapshot.coverage.has_file(state) && !self.has(Role::Place)
            });
        let not_loaded = match (unloaded.is_empty(), partial) {
            // The list of the state that is spoken of has all that are registered there.
            (true, Some(_)) if is_of_loaded => Some(phrase!("which_one.program")),
            (false, _) => Some(phrase!("remark.states", states = Value::Any(unloaded))),
            (true, Some(count)) => Some(phrase!("which_one.partial", count)),
            (true, None) => None,
        };
        let is_church = !is_found && self.vouches() && says(asked, "house of worship");
        let of_church = is_church.then(|| text("which_one.church", self.language).to_owned());
        not_loaded.map(|remark| remark.say(self.language)).into_iter().chain(of_church).collect()
    }

    /// Whether the name of a row is only like one that was asked for.
    fn is_only_like(&self, one: &NonprofitHit, asked: &str) -> bool {
        !has_all_words(&one.organization, asked)
            || (self.vouches() && has_word_within(&one.organization.name, asked))
    }

    /// The candidates, to choose from; the next message is read as the choice.
    pub(super) fn which_one(mut self, asked: &str, mut rows: Vec<NonprofitHit>) -> Result<Answer> {
        let states = self.states_beside(asked)?;
        let coverage = &self.snapshot.coverage;
        let unloaded = states.iter().filter(|state| !coverage.has_file(**state));
        let unloaded: Vec<String> = unloaded.map(|state| state.name().to_owned()).collect();
        if !unloaded.is_empty() && unloaded.len() == states.len() {
            // Those elsewhere only bear a name like it.
            rows.clear();
        }
        let identified = |row: &&NonprofitHit| {
            let one = &row.organization;
            let bears = |name: &str| is_called(&Organization::named(one.ein, name), asked);
            let name = &one.name;
            let also = one.alt_name.as_ref().filter(|also| !bears(name) && bears(also));
            let place = place(one).unwrap_or_default();
            phrase!("which_one.row", name, also, place).part(self.language)
        };
        let named = |rows: &[&NonprofitHit]| -> Vec<String> {
            rows.iter().take(ROWS_NAMED).map(identified).collect()
        };
        let mut called: Vec<&NonprofitHit> =
            rows.iter().filter(|row| is_called(&row.organization, asked)).collect();
        // With one that is only like it there is nothing to choose from.
        if matches!(called[..], [one] if self.is_only_like(one, asked)) {
            called.clear();
        }
        let is_there = |row: &&NonprofitHit| !is_in_other_state(&row.organization, &states);
        let message = match (rows.is_empty(), called.is_empty()) {
            (true, _) => phrase!("which_one.nobody", asked),
            // None of the nearest has the name.
            (false, true) => {
                phrase!("which_one.none", asked, names = named(&rows.iter().collect::<Vec<_>>()))
            }
            (false, false) if !called.iter().any(is_there) => {
                let place = self.words(Role::Place);
                phrase!("which_one.elsewhere", asked, place, names = named(&called))
            }
            (false, false) => {
                let names = Value::Any(named(&called));
                phrase!("which_one", asked, names)
            }
        };
        let mut message = message.say(self.language);
        let is_found = called.iter().any(is_there);
        for remark in self.remarks_on_name(asked, is_found, unloaded) {
            message += &format!(" {remark}");
        }
        if !rows.is_empty() {
            // Where nobody has the name, it is still the one before that was answered about.
            let focus = self.conversation.focus.filter(|_| called.is_empty());
            let eins: Vec<Ein> = rows.iter().map(|row| row.organization.ein).collect();
            let name = understand::Organization::unresolved(asked.to_owned(), called.len());
            let frame = Frame { among: eins.clone(), organization: Some(name), ..Frame::default() };
            // `and in Montana?` goes on with what was sought before a name that nobody has.
            if !called.is_empty() {
                self.conversation.ask(frame);
            }
            self.conversation.show_nonprofits(eins, 0);
            self.conversation.of_candidates = true;
            self.conversation.focus = focus;
            self.conversation.pending = Some(self.request.facts());
        }
        let named = NonprofitRef { name: Some(asked.to_owned()), ein: None };
        let first = rows.iter().take(2).map(|row| &row.organization);
        let suggestions: Vec<_> =
            first.map(|one| suggest::details_of(one, Language::English)).collect();
        let answer = self.told(Intent::NonprofitDetails, message)?;
        let suggestions = if rows.is_empty() { answer.suggestions } else { suggestions };
        Ok(Answer { nonprofits: rows, named: Some(named), suggestions, ..answer })
    }
}

/// Those of some rows that bear a name.
fn called_so<'r>(rows: &'r [NonprofitHit], asked: &str) -> impl Iterator<Item = &'r NonprofitHit> {
    rows.iter().filter(|row| is_called(&row.organization, asked))
}

/// The only one of the rows there, else of all `rows` where at most one nonprofit bears the name, with all words of a name.
fn only_bearer<'r>(
    there: &'r [NonprofitHit],
    rows: &'r [NonprofitHit],
    asked: &str,
    namesakes: usize,
) -> Option<&'r NonprofitHit> {
    let anywhere: Vec<&NonprofitHit> = called_so(rows, asked).collect();
    let one = match (there, &anywhere[..]) {
        ([one], _) => one,
        ([], [one]) if namesakes <= 1 => *one,
        _ => return None,
    };
    Some(one).filter(|one| has_all_words(&one.organization, asked))
}

/// Whether the name of a row is one that was asked for, or begins with all of it.
fn begins(row: &NonprofitHit, asked: &str) -> bool {
    let name = normalise(&row.organization.name);
    let rest = name.strip_prefix(&*normalise(asked.trim_start()));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}
