//! Answers to danger and urgent need: who helps, and where help is near.

use std::collections::HashSet;

use super::phrase::{self, exists};
use super::request::Request;
use super::{Answer, Intent, ROWS, Result, Turn};
use crate::query::Filters;
use crate::reader::{Danger, DialogueAct, Language, Message, Reader, Role};
use crate::record::{Ein, Organization};
use crate::search::listing::SIZE_MAX;
use crate::search::nonprofits::{self, NonprofitPage, PlaceHint, Query};
use crate::understand::{Conversation, Frame, Interpretation, Surroundings, says};

/// Rows in or near a place from which on none elsewhere in its state is listed.
const NEAR_MIN: usize = 3;

/// How far from the place that was asked for help is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Near,
    InState,
}

/// The danger in a message: as the model knows it, or where somebody flees violence, or asks for what helps against it.
pub(super) fn danger_in(text: &str, message: &Message) -> Result<Option<Danger>> {
    let known = Reader::shared()?.danger(text, message)?;
    let is_of_violence = says(text, "of violence at home");
    let calls = (is_of_violence && says(text, "needs it now")) || says(text, "flees violence");
    Ok(match known {
        Some(Danger::Shelter) if is_of_violence => Some(Danger::PartnerViolence),
        None if calls && !says(text, "studies nonprofits") => Some(Danger::PartnerViolence),
        known => known,
    })
}

impl Turn<'_> {
    /// Who helps, then what the place named or mentioned before offers; without a place the answer
    /// asks for one, and the next message may name it. The same text is never repeated in a row.
    pub(super) fn help_in(mut self, danger: Danger) -> Result<Answer> {
        let language = self.language;
        let say = |part: &str| phrase::text(&format!("{}{part}", danger.name()), language);
        let is_repeated = self.conversation.danger == Some(danger);
        self.conversation.danger = (!is_repeated).then_some(danger);
        let mut message = say(if is_repeated { ".again" } else { "" }).to_owned();
        let Some(sought) = sought(danger) else {
            return Ok(Answer::of(Intent::Unknown, message, self.conversation));
        };
        let known = self.conversation.frame.places.first().map(|place| &*place.name);
        let place = self.words(Role::Place).or(known).map(str::to_owned);
        let before = self.conversation.clone();
        let text = match &place {
            Some(place) => format!("{sought} in {place}"),
            None => sought.to_owned(),
        };
        let read = Reader::shared()?.read(&text, &[])?;
        let request = Request { acts: vec![DialogueAct::Search], fact: None };
        let turn = Turn { text: &text, message: read, request, ..self };
        if let Some(place) = place {
            let mut understood = turn.interpret(Some(&text))?;
            let Some((found, reach)) = turn.helpers(danger, &mut understood)? else {
                return Ok(Answer::of(Intent::Unknown, message, before));
            };
            let part = match reach {
                Reach::Near => ".near",
                Reach::InState => ".state",
            };
            let place = understood.frame.places.first().map_or(&*place, |place| &*place.name);
            message.push_str(&format!(" {}", say(part).replace("{place}", place)));
            return turn.listed(&understood, found, 1, message);
        }
        let found = turn.search()?;
        if !is_repeated {
            message.push_str(&format!(" {}", say(".where")));
        }
        // What was shown stays; only what is looked for moves on.
        let Conversation { frame, earlier, last, .. } = found.next;
        let next = Conversation { frame, earlier, last, rows: 0, ..before };
        Ok(Answer::of(Intent::Unknown, message, next))
    }

    /// Who helps in a place, then around it, then elsewhere in its state where these are few: only who is filed under
    /// the codes of what is sought, or has a name that says so.
    fn helpers(
        &self,
        danger: Danger,
        understood: &mut Interpretation,
    ) -> Result<Option<(NonprofitPage, Reach)>> {
        let query = understood.query(Query { page: 1, size: SIZE_MAX, ..Query::default() });
        let Some(PlaceHint { areas, surroundings, .. }) = query.place.clone() else {
            return Ok(None);
        };
        let circles = surroundings.iter().filter_map(Surroundings::circle).collect();
        let states = surroundings.iter().map(Surroundings::whole_state).collect();
        let names = format!("name against {}", danger.name());
        let (mut found, mut seen) = (NonprofitPage::default(), HashSet::<Ein>::new());
        let mut reach = Reach::Near;
        for (areas, of) in [(areas, Reach::Near), (circles, Reach::Near), (states, Reach::InState)]
        {
            let is_enough = of == Reach::InState && found.rows.len() >= NEAR_MIN;
            if areas.is_empty() || is_enough {
                continue;
            }
            let filters = Filters { areas, ..query.filters.clone() };
            let page = Query { filters, place: None, ..query.clone() };
            let mut rows = nonprofits::search(self.snapshot, &page)?.rows;
            rows.retain(|row| {
                is_helper(&row.organization, &query.relevance.ntee, &names)
                    && seen.insert(row.organization.ein)
            });
            if found.rows.is_empty() {
                reach = of;
            }
            found.rows.append(&mut rows);
        }
        found.rows.truncate(ROWS);
        found.total = found.rows.len() as u64;
        Ok((!found.rows.is_empty()).then_some((found, reach)))
    }

    /// What was looked for in a danger is no part of what is asked for next: `and food pantries`.
    pub(super) fn leave_danger(&mut self) {
        let sought = self.conversation.danger.and_then(sought);
        let asks = self.has(Role::Cause);
        let frame = &mut self.conversation.frame;
        if asks && sought.is_some() && frame.cause.as_deref() == sought {
            *frame = Frame { places: std::mem::take(&mut frame.places), ..Frame::default() };
        }
    }
}

/// Whether an organization is filed under one of some prefixes of codes, or has a name that a list of phrases knows.
fn is_helper(one: &Organization, codes: &[String], names: &str) -> bool {
    let is_of = |code: &str| codes.iter().any(|prefix| code.starts_with(&**prefix));
    let mut called = one.other_names.iter().chain(&one.alt_name).chain([&one.name]);
    one.ntee.is_some_and(|code| is_of(code.as_str())) || called.any(|name| says(name, names))
}

/// What is looked for near the person; `None` where a telephone is all that helps.
fn sought(danger: Danger) -> Option<&'static str> {
    let name = format!("{}.seek", danger.name());
    exists(&name).then(|| phrase::text(&name, Language::English))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_flees_violence_or_asks_for_a_safe_place_is_in_danger() {
        let reader = Reader::shared().unwrap();
        for (text, expected) in [
            ("is there a women's shelter in Tulsa that takes us tonight", true),
            ("domestic violence hotline", true),
            ("I had to get away from my boyfriend, where can I sleep", true),
            ("necesito un refugio para mujeres maltratadas", true),
            ("domestic violence shelters in Maine", false),
            ("I need a list of domestic violence shelters in Ohio", false),
            ("is there an animal shelter open tonight", false),
        ] {
            let message = reader.read(text, &[]).unwrap();
            let found = danger_in(text, &message).unwrap() == Some(Danger::PartnerViolence);
            assert_eq!(found, expected, "{text}");
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
    }
}
