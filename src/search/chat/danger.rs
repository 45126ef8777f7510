//! Answers to danger and urgent need: who helps, and where help is near.

use std::collections::HashSet;

use super::nearest::point_of;
use super::phrase;
use super::request::Request;
use super::{Answer, Intent, ROWS, Result, Turn, says_any};
use crate::query::Filters;
use crate::reader::{Danger, DialogueAct, Reader, Role};
use crate::record::{Ein, Organization};
use crate::search::listing::SIZE_MAX;
use crate::search::nonprofits::{self, NonprofitHit, NonprofitPage, PlaceHint, Query};
use crate::understand::{
    Conversation, Frame, Interpretation, NamedPlace, Surroundings, danger_in, danger_in_stretch,
    decode, language_in_danger, says, sought_in,
};

/// Rows in or near a place from which on none elsewhere in its state is listed.
const NEAR_MIN: usize = 3;

/// The major group of NTEE codes whose shelters are not for people.
const ANIMALS: char = 'D';

/// How far from the place that was asked for help is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Near,
    /// Some near, others elsewhere in the state.
    Beyond,
    InState,
}

impl Reach {
    /// The reach of rows of both.
    fn with(self, other: Self) -> Self {
        if self == other { self } else { Self::Beyond }
    }
}

/// Who helps with what was sought, and how that was understood.
struct Helpers {
    understood: Interpretation,
    page: NonprofitPage,
    reach: Reach,
}

impl Turn<'_> {
    /// The danger of the message.
    pub(super) fn danger(&self) -> Result<Option<Danger>> {
        // `what is its phone number` asks about one that was shown.
        let refers = self.has(Role::Reference) || says_any(self.text, &["they", "of it"]);
        let is_shown = !self.conversation.nonprofits.is_empty();
        let asks_of_shown = is_shown && self.request.asks_fact() && refers;
        let found = match asks_of_shown {
            true => Reader::shared()?.danger(self.text, &self.message)?,
            false => danger_in(self.text, &self.message)?,
        };
        // Who does not wake up any more, after an overdose.
        let was_overdose = self.conversation.danger == Some(Danger::Overdose);
        Ok(found.map(|danger| match danger {
            Danger::Immediate if was_overdose => Danger::Overdose,
            danger => danger,
        }))
    }

    /// Help in the first danger among the stretches of a long message; without one, in the last need: `the rent went up ...,
    /// we need groceries this week`.
    pub(super) fn danger_in_story(
        &self,
        stretches: &[&str],
        places: Option<&[NamedPlace]>,
    ) -> Result<Option<Answer>> {
        if stretches.is_empty() {
            return Ok(None);
        }
        let mut whole = self.clone();
        if let Some(places) = places.filter(|places| !places.is_empty()) {
            whole.conversation.frame = Frame { places: places.to_vec(), ..Frame::default() };
        }
        let mut need = None;
        for text in stretches {
            let message = Reader::shared()?.read(text, &[])?;
            match danger_in_stretch(text, &message)? {
                Some(danger) if danger.is_need() => need = Some((*text, message, danger)),
                Some(danger) => {
                    return Turn { text, message, ..whole }.help_in(danger).map(Some);
                }
                None => {}
            }
        }
        let Some((text, message, danger)) = need else { return Ok(None) };
        Turn { text, message, ..whole }.help_in(danger).map(Some)
    }

    /// Who helps, then what the place named or mentioned before offers; without a place the answer
    /// asks for one, and the next message may name it. The same text is never repeated in a row.
    pub(super) fn help_in(mut self, danger: Danger) -> Result<Answer> {
        let language = language_in_danger(self.text, self.language);
        (self.language, self.conversation.language) = (language, Some(language));
        let say = |part: &str| phrase::text(&format!("{}{part}", danger.name()), language);
        self.remember_place()?;
        let is_repeated = self.conversation.danger == Some(danger);
        self.conversation.danger = (!is_repeated).then_some(danger);
        let is_of_another =
            says(self.text, "another in danger") && !says(self.text, "asker in danger");
        let of_another = format!("{}.other", danger.name());
        let part = match () {
            () if is_repeated => ".again",
            () if is_of_another && phrase::exists(&of_another) => ".other",
            () => "",
        };
        let mut message = say(part).to_owned();
        let sought = sought_in(danger);
        let Some(first) = sought.first() else {
            return Ok(Answer::of(Intent::Unknown, message, self.conversation));
        };
        let known = self.conversation.frame.places.first().map(|place| &*place.name);
        let place = self.words(Role::Place).or(known).map(str::to_owned);
        let before = self.conversation.clone();
        let request = Request { acts: vec![DialogueAct::Search], fact: None };
        if let Some(place) = place {
            let mut found: Option<Helpers> = None;
            let texts: Vec<String> =
                sought.iter().map(|kind| format!("{kind} in {place}")).collect();
            for text in &texts {
                let (message, request) = (Reader::shared()?.read(text, &[])?, request.clone());
                let turn = Turn { text, message, request, ..self.clone() };
                found = Helpers::joined(found, turn.helpers(danger, sought.len())?);
            }
            let Some(Helpers { understood, page, reach }) = found else {
                return Ok(Answer::of(Intent::Unknown, message, before));
            };
            let part = match reach {
                Reach::Near | Reach::Beyond => ".near",
                Reach::InState => ".state",
            };
            let place = understood.frame.places.first().map_or(&*place, |place| &*place.name);
            message.push_str(&format!(" {}", say(part).replace("{place}", place)));
            if reach == Reach::Beyond {
                message.push_str(&format!(" {}", phrase::text("help.farther", language)));
            }
            return self.listed(&understood, page, 1, message);
        }
        let read = Reader::shared()?.read(first, &[])?;
        let turn = Turn { text: first, message: read, request, ..self };
        let found = turn.search()?;
        if !is_repeated {
            message.push_str(&format!(" {}", say(".where")));
        }
        // What was shown stays; only what is looked for moves on.
        let Conversation { frame, earlier, last, .. } = found.next;
        let next = Conversation { frame, earlier, last, rows: 0, ..before };
        Ok(Answer::of(Intent::Unknown, message, next))
    }

    /// The place that the message names is that of what is asked next: `is there a rehab`.
    fn remember_place(&mut self) -> Result<()> {
        if self.has(Role::Place) {
            let places = decode(self.text, &self.message, None, self.snapshot)?.heard.frame.places;
            if !places.is_empty() {
                self.conversation.frame = Frame { places, ..Frame::default() };
            }
        }
        Ok(())
    }

    /// Who helps in the place of a message, then around it, then elsewhere in its state where these are few: only who is filed
    /// under the codes of what is sought, or has a name that says so. Of several `kinds` sought each has its share of the rows.
    fn helpers(&self, danger: Danger, kinds: usize) -> Result<Option<Helpers>> {
        let mut understood = self.interpret(Some(self.text))?;
        let query = understood.query(Query { page: 1, size: SIZE_MAX, ..Query::default() });
        let Some(PlaceHint { areas, surroundings, .. }) = query.place.clone() else {
            return Ok(None);
        };
        let circles = surroundings.iter().filter_map(Surroundings::circle).collect();
        let states = surroundings.iter().map(Surroundings::whole_state).collect();
        // Legal aid serves a whole state.
        let by_distance = danger != Danger::Eviction;
        let from = surroundings.first().and_then(|place| place.point).filter(|_| by_distance);
        let names = format!("name against {}", danger.name());
        let (mut page, mut seen) = (NonprofitPage::default(), HashSet::<Ein>::new());
        let mut reach = Reach::Near;
        for (areas, of) in [(areas, Reach::Near), (circles, Reach::Near), (states, Reach::InState)]
        {
            let is_enough = of == Reach::InState && page.rows.len() >= NEAR_MIN;
            if areas.is_empty() || is_enough {
                continue;
            }
            let filters = Filters { areas, ..query.filters.clone() };
            let within = Query { filters, place: None, ..query.clone() };
            let mut rows = nonprofits::search(self.snapshot, &within)?.rows;
            rows.retain(|row| {
                is_helper(&row.organization, &query.relevance.ntee, &names)
                    && seen.insert(row.organization.ein)
            });
            if let Some(from) = from.filter(|_| of == Reach::InState) {
                let miles = |row: &NonprofitHit| {
                    point_of(&row.organization).map_or(f64::MAX, |at| at.distance_miles(from))
                };
                rows.sort_by(|one, other| miles(one).total_cmp(&miles(other)));
            }
            reach = match (page.rows.is_empty(), rows.is_empty()) {
                (true, _) => of,
                (false, true) => reach,
                (false, false) => reach.with(of),
            };
            page.rows.append(&mut rows);
        }
        page.rows.truncate(ROWS / kinds);
        page.total = page.rows.len() as u64;
        Ok((!page.rows.is_empty()).then_some(Helpers { understood, page, reach }))
    }

    /// What was looked for in a danger is no part of what is asked for next: `and food pantries`.
    pub(super) fn leave_danger(&mut self) {
        let sought = self.conversation.danger.map(sought_in).unwrap_or_default();
        let asks = self.has(Role::Cause);
        let frame = &mut self.conversation.frame;
        if asks && frame.cause.as_deref().is_some_and(|cause| sought.contains(&cause)) {
            *frame = Frame { places: std::mem::take(&mut frame.places), ..Frame::default() };
        }
    }
}

impl Helpers {
    /// Those of one kind, then those of the next.
    fn joined(first: Option<Self>, next: Option<Self>) -> Option<Self> {
        let (mut first, next) = match (first, next) {
            (Some(first), Some(next)) => (first, next),
            (first, next) => return first.or(next),
        };
        let rows = &mut first.page.rows;
        let known: HashSet<Ein> = rows.iter().map(|row| row.organization.ein).collect();
        rows.extend(
            next.page.rows.into_iter().filter(|row| !known.contains(&row.organization.ein)),
        );
        first.page.total = rows.len() as u64;
        first.reach = first.reach.with(next.reach);
        Some(first)
    }
}

/// Whether an organization is filed under one of some prefixes of codes, or has a name that a list of phrases knows.
fn is_helper(one: &Organization, codes: &[String], names: &str) -> bool {
    let is_of = |code: &str| codes.iter().any(|prefix| code.starts_with(&**prefix));
    if one.ntee.is_some_and(|code| code.major() == ANIMALS) {
        return false;
    }
    let mut called = one.other_names.iter().chain(&one.alt_name).chain([&one.name]);
    one.ntee.is_some_and(|code| is_of(code.as_str())) || called.any(|name| says(name, names))
}

#[cfg(test)]
mod tests {
    use super::phrase::exists;
    use super::*;

    #[test]
    fn every_danger_has_its_texts() {
        for danger in Danger::ALL {
            for part in ["", ".again"] {
                let name = format!("{}{part}", danger.name());
                assert!(exists(&name), "{name}");
            }
            let seeks = !sought_in(danger).is_empty();
            for part in [".near", ".state", ".where"] {
                assert_eq!(exists(&format!("{}{part}", danger.name())), seeks, "{danger:?} {part}");
            }
        }
    }

    #[test]
    fn helpers_are_known_by_their_code_or_name() {
        let codes = ["P43".to_owned()];
        let helps = |name: &str, code: Option<&str>| {
            let mut one = Organization::named("170000001".parse().unwrap(), name);
            one.ntee = code.map(|code| code.parse().unwrap());
            is_helper(&one, &codes, "name against partner_violence")
        };
        assert!(helps("Harbor", Some("P43")));
        assert!(helps("Valley Coalition Against Domestic Violence", None));
        assert!(!helps("Valley Animal Shelter", Some("D20")));
        assert!(!helps("Paws Safe Home", Some("D20")));
        assert!(helps("YWCA of the Valley", Some("P27")));
    }
}
