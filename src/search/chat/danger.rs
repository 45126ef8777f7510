//! Answers to danger and urgent need: who helps, and where help is near.

use std::collections::HashSet;

use super::nearest::point_of;
use super::phrase;
use super::request::{Request, THANKS_WORDS_MAX};
use super::{Answer, Intent, ROWS, Result, Turn, message, says_any};
use crate::naming::normalise;
use crate::query::Filters;
use crate::reader::{Danger, DialogueAct, Language, Reader, Role, Span};
use crate::record::{Ein, Knowledge, Organization, Subsection};
use crate::search::listing::SIZE_MAX;
use crate::search::nonprofits::{self, NonprofitHit, NonprofitPage, PlaceHint, Query};
use crate::understand::{
    Conversation, Frame, Interpretation, MentionedDanger, NamedPlace, Surroundings, danger_in,
    danger_in_stretch, decode, language_in_danger, opens_with, says, sentences, sought_in, tells,
};

/// Rows in or near a place from which on none elsewhere in its state is listed.
const NEAR_MIN: usize = 3;

/// What is sought beside other help for who served in the armed forces.
const VETERANS: &str = "veterans";

/// The major group of NTEE codes whose shelters are not for people.
const ANIMALS: char = 'D';

/// The entries of the knowledge base that are for whoever is in danger; no other is quoted soon after one.
const OF_HELP: [&str; 3] = ["kb-shelter-stay", "kb-confidential-hotlines", "kb-hours-and-phones"];

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

/// Whether words only say who is in need: `families`.
fn are_people(words: &str) -> bool {
    let form = normalise(words);
    form.split(' ').all(|word| !tells(word) || says(word, "people in need"))
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
        let found = found.map_or_else(|| self.danger_behind_thanks(), |one| Ok(Some(one)))?;
        // Who does not wake up any more, after an overdose, or among drugs.
        let before = self.conversation.danger.filter(MentionedDanger::is_recent);
        let of_drugs = before.is_some_and(|before| match before.kind {
            Danger::Overdose => true,
            Danger::Treatment => says(self.text, "unconscious"),
            _ => false,
        });
        Ok(match found {
            Some(Danger::Immediate) if of_drugs => Some(Danger::Overdose),
            found => found.or_else(|| self.danger_before()),
        })
    }

    /// The danger behind a sentence that only thanks: `Gracias. ¿Y ayuda para pagar la luz?`.
    fn danger_behind_thanks(&self) -> Result<Option<Danger>> {
        let parts = sentences(self.text);
        let [first, rest, ..] = &parts[..] else { return Ok(None) };
        let words = &self.text[first.clone()];
        if !opens_with(words, "thanks") || words.split_whitespace().count() > THANKS_WORDS_MAX {
            return Ok(None);
        }
        let rest = self.text[rest.start..].trim_start();
        let message = message::read(Reader::shared()?, rest, &self.conversation.known())?;
        Ok(danger_in(rest, &message)?)
    }

    /// The danger of the message before, where this one says nothing else to find: where that is (`he lives in Lincoln`), or
    /// that whoever is in need is a veteran. A place will do some messages later too, while help is still what is sought.
    fn danger_before(&self) -> Option<Danger> {
        let before = self.conversation.danger.filter(MentionedDanger::is_recent)?;
        let is_next = before.messages == 1;
        let before = before.kind;
        let cause = self.conversation.frame.cause.as_deref();
        let still_seeks = cause.is_some_and(|cause| sought_in(before).contains(&cause));
        let is_empty = |span: &Span| match span.role {
            Role::Place | Role::Nothing | Role::Unread | Role::Reference => true,
            Role::Cause => {
                let words = &self.text[span.bytes.clone()];
                says(words, "lives there") || are_people(words)
            }
            _ => false,
        };
        let says_nothing_else = self.message.spans.iter().all(is_empty);
        let changes = matches!(
            self.request.act(),
            DialogueAct::Search | DialogueAct::Change | DialogueAct::Other
        );
        // `she is 19, does that matter`.
        let asks_on = before.is_need() && changes && !says(self.text, "thanks");
        let seeks = self.has(Role::Name) || (self.has(Role::Cause) && self.has(Role::Place));
        let is_veteran = before.is_need() && self.is_of_veteran() && !seeks;
        let is_placed = self.has(Role::Place) && (is_next || still_seeks);
        let goes_on = says_nothing_else && (is_placed || (asks_on && is_next));
        (goes_on || (is_veteran && is_next)).then_some(before)
    }

    /// Whether whoever is in need served in the armed forces.
    fn is_of_veteran(&self) -> bool {
        says(self.text, "veteran in need")
    }

    /// The danger to life or limb that was mentioned shortly before.
    pub(super) fn grave_danger(&self) -> Option<Danger> {
        let before = self.conversation.grave_danger.filter(MentionedDanger::is_recent)?;
        Some(before.kind)
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
        let is_repeated = self
            .conversation
            .danger
            .filter(MentionedDanger::is_recent)
            .is_some_and(|before| before.kind == danger && !before.is_repeated);
        self.conversation.mention(MentionedDanger { kind: danger, messages: 0, is_repeated });
        let is_of_another =
            says(self.text, "another in danger") && !says(self.text, "asker in danger");
        let of_another = format!("{}.other", danger.name());
        let part = match () {
            () if is_repeated => ".again",
            () if is_of_another && phrase::exists(&of_another) => ".other",
            () => "",
        };
        let mut message = say(part).to_owned();
        let mut sought = sought_in(danger).to_vec();
        // Before a court date legal aid helps most.
        sought.sort_by_key(|kind| !says(kind, "legal help"));
        if danger.is_need() && self.is_of_veteran() {
            message.push_str(&format!(" {}", phrase::text("help.veteran", language)));
            sought.push(VETERANS);
        }
        let Some(first) = sought.first() else {
            return Ok(Answer::of(Intent::Unknown, message, self.conversation));
        };
        let place = self.conversation.frame.places.first().map(|place| place.name.clone());
        let before = self.conversation.clone();
        let request = Request::to(vec![DialogueAct::Search]);
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
        let from =
            surroundings.first().and_then(|place| place.point).filter(|_| !danger.is_legal());
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
            if danger.is_legal() {
                // A code of the law has also those who try other cases.
                rows.sort_by_key(|row| !is_named(&row.organization, &names));
            }
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
        let sought = self.conversation.danger.map(|before| sought_in(before.kind));
        let sought = sought.unwrap_or_default();
        let asks = self.has(Role::Cause);
        let frame = &mut self.conversation.frame;
        if asks && frame.cause.as_deref().is_some_and(|cause| sought.contains(&cause)) {
            *frame = Frame { places: std::mem::take(&mut frame.places), ..Frame::default() };
        }
    }
}

impl Answer {
    /// The answer to a message soon after a danger to life or limb: the number to call stands before it.
    pub(super) fn reminding_of_danger(mut self) -> Self {
        let next = &self.next;
        let before = next.grave_danger.filter(|one| one.messages > 0 && one.is_recent());
        if let Some(MentionedDanger { kind, .. }) = before {
            let language = next.language.unwrap_or(Language::English);
            let reminder = phrase::text(&format!("{}.again", kind.name()), language);
            let is_help = next.danger.is_some_and(|danger| danger.messages == 0);
            let is_understood = is_help || self.intent != Intent::Unknown;
            self.message = match is_understood {
                true => format!("{reminder} {}", self.message),
                false => reminder.to_owned(),
            };
        }
        self
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

/// Whether an entry of the knowledge base is for whoever is in danger.
pub(super) fn is_of_help(entry: &Knowledge) -> bool {
    OF_HELP.iter().any(|id| entry.article_id.starts_with(id))
}

/// Whether an organization is filed under one of some prefixes of codes, or has a name that a list of phrases knows.
fn is_helper(one: &Organization, codes: &[String], names: &str) -> bool {
    let is_of = |code: &str| codes.iter().any(|prefix| code.starts_with(&**prefix));
    let is_of_animals = one.ntee.is_some_and(|code| code.major() == ANIMALS);
    let holds_title = one.exemption.subsection.is_some_and(Subsection::holds_title);
    if is_of_animals || holds_title || is_named(one, "name of no helper") {
        return false;
    }
    one.ntee.is_some_and(|code| is_of(code.as_str())) || is_named(one, names)
}

/// Whether an organization has a name that a list of phrases knows.
fn is_named(one: &Organization, names: &str) -> bool {
    let mut called = one.other_names.iter().chain(&one.alt_name).chain([&one.name]);
    called.any(|name| says(name, names))
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
