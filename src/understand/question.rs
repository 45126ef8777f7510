//! Questions about money, people and relations (`reader::Question`): what each is asked of, as far as the
//! data knows.

use std::ops::Range;

use super::bound::is_amount;
use super::decode::decode;
use super::frame::{NameUse, Organization};
use super::lookup::Names;
use super::organization::named_organization;
use super::phrases;
use super::token::Tokens;
use super::{UnderstandError, asks_for_applications, is_bare_joint, says, seeks_recipients, tells};
use crate::naming::normalise;
use crate::query::Figure;
use crate::reader::{self, Message, Operation, Reader, Role, Topic};
use crate::record::{Ein, State};

/// The years that can be asked for: from the first e-filed returns on.
const YEARS: std::ops::RangeInclusive<u16> = 1990..=2199;
const YEAR_DIGITS: usize = 4;

/// A question and its conditions; `None` or empty is no condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Never [`Topic::Other`].
    pub topic: Topic,
    /// The organization that it names, as far as it is identified; `None` for funders, or without a name.
    pub whom: Option<Organization>,
    /// What is funded, in words of grants.
    pub words: Option<String>,
    /// Prefixes of the NTEE codes of what is funded.
    pub ntee: Vec<String>,
    /// Where recipients are.
    pub recipient_state: Option<State>,
    /// Where funders are.
    pub funder_state: Option<State>,
    pub year: Option<u16>,
    /// Least amount of a grant in whole US dollars.
    pub min_amount: Option<i64>,
    /// Whether funders are to take applications.
    pub accepts_applications: Option<bool>,
}

/// What a message says beside its question.
struct Subjects<'a> {
    text: &'a str,
    message: &'a Message,
    /// Names and causes.
    of: Vec<Range<usize>>,
    places: Vec<Range<usize>>,
}

impl Question {
    /// The question that a message asks, if it surely asks one.
    pub fn read(
        names: &dyn Names,
        text: &str,
        message: &Message,
    ) -> Result<Option<Self>, UnderstandError> {
        let Some(asked) = Reader::shared()?.question(text, message)? else { return Ok(None) };
        // `we want to fund preschools` asks for no funders.
        if asked.topic.label == Topic::Funders && seeks_recipients(text) {
            return Ok(None);
        }
        // `Board of Trade of Kansas City`: a name, whatever its words ask.
        let whole = names.named(text)?;
        if whole.sure_by_all().is_some() {
            return Ok(None);
        }
        Ok(Some(Self::of_subjects(names, text, message, asked.topic.label, asked.subjects)?))
    }

    /// A question that is known to be of a topic.
    pub fn of_topic(
        names: &dyn Names,
        text: &str,
        message: &Message,
        topic: Topic,
    ) -> Result<Self, UnderstandError> {
        let subjects = Reader::shared()?.question_subjects(text, message);
        Self::of_subjects(names, text, message, topic, subjects)
    }

    fn of_subjects(
        names: &dyn Names,
        text: &str,
        message: &Message,
        topic: Topic,
        subjects: Vec<Range<usize>>,
    ) -> Result<Self, UnderstandError> {
        let subjects = Subjects::of(text, message, subjects);
        let found = Self {
            topic,
            whom: None,
            words: None,
            ntee: Vec::new(),
            recipient_state: None,
            funder_state: None,
            year: years_of(text, message).into_iter().next(),
            min_amount: None,
            accepts_applications: None,
        };
        match topic {
            Topic::Funders => found.of_cause(names, &subjects),
            _ => found.of_named(names, &subjects),
        }
    }

    /// Who funds a cause; or one nonprofit, where a name that is surely in the data is all that is funded.
    fn of_cause(self, names: &dyn Names, subjects: &Subjects<'_>) -> Result<Self, UnderstandError> {
        let subjects = &subjects.without_question();
        if let [only] = &subjects.of[..]
            && subjects.is_name(only)
        {
            let found = subjects.named(names, only)?;
            if found.ein.is_some() {
                return Ok(Self { topic: Topic::GrantsTo, whom: Some(found), ..self });
            }
        }
        let about = subjects.about(&subjects.of);
        let frame = decode(subjects.text, &about, None, names)?.heard.frame;
        let state = frame.state();
        let (recipient_state, funder_state) = match subjects.places_belong_to_funders() {
            true => (None, state),
            false => (state, None),
        };
        let amounts = [Figure::Revenue, Figure::Expenses, Figure::Assets];
        let min_amount = amounts.into_iter().find_map(|figure| frame.ranges[figure].min);
        Ok(Self {
            words: frame.text.filter(|_| !subjects.of.is_empty()),
            ntee: if frame.cause_is_term { frame.cause_ntee } else { Vec::new() },
            recipient_state,
            funder_state,
            min_amount: min_amount.map(|amount| amount as i64),
            accepts_applications: asks_for_applications(subjects.text),
            ..self
        })
    }

    /// What is asked of one nonprofit. Of several names the last one received grants, and the first one is
    /// asked of otherwise; what else is named narrows the grants that it made.
    fn of_named(self, names: &dyn Names, subjects: &Subjects<'_>) -> Result<Self, UnderstandError> {
        let text = subjects.text;
        let eins = subjects.message.words(text, Role::Ein).filter_map(Ein::from_typed);
        let typed = subjects.of.iter().filter_map(|of| Ein::from_typed(&text[of.clone()]));
        if let Some(ein) = eins.chain(typed).next() {
            let whom = Organization::known(ein.to_string(), ein, NameUse::Itself);
            return Ok(Self { whom: Some(whom), ..self });
        }
        let mut found = Vec::new();
        for of in &subjects.of {
            found.push((of, subjects.named(names, of)?));
        }
        let is_known = |one: &(&Range<usize>, Organization)| one.1.ein.is_some();
        let is_name = |one: &(&Range<usize>, Organization)| subjects.is_name(one.0);
        let at = match self.topic {
            Topic::GrantsTo => found.iter().rposition(is_known).or(found.iter().rposition(is_name)),
            _ => found.iter().position(is_known).or(found.iter().position(is_name)),
        };
        let at = at.or((!found.is_empty()).then_some(0));
        let Some((of, whom)) = at.map(|at| found.swap_remove(at)) else { return Ok(self) };
        if self.topic != Topic::GrantsBy {
            return Ok(Self { whom: Some(whom), ..self });
        }
        let others: Vec<Range<usize>> =
            subjects.of.iter().filter(|other| !overlap(other, of)).cloned().collect();
        let mut beside = subjects.about(&others);
        beside.spans.retain(|span| !overlap(&span.bytes, of));
        let frame = decode(text, &beside, None, names)?.heard.frame;
        let recipient_state = frame.state();
        // Where nothing else is named, the words left are those of the question itself.
        let words = frame.text.filter(|_| !others.is_empty());
        Ok(Self { whom: Some(whom), words, recipient_state, ..self })
    }
}

impl<'a> Subjects<'a> {
    fn of(text: &'a str, message: &'a Message, all: Vec<Range<usize>>) -> Self {
        let places = message.spans.iter().filter(|span| is_place(span.role));
        let places: Vec<Range<usize>> = places.map(|span| span.bytes.clone()).collect();
        let is_only_place = |of: &Range<usize>| {
            places.iter().any(|place| place.start <= of.start && of.end <= place.end)
        };
        let of = all.into_iter().filter(|of| !is_only_place(of)).collect();
        Self { text, message, of, places }
    }

    /// The same without the words that ask who funds, and without a place behind what is funded.
    fn without_question(&self) -> Self {
        let tokens = Tokens::of(self.text);
        let asks = |at| tokens.any_phrase(at, phrases::of("asks who funds"));
        let end = (0..tokens.len()).find_map(asks).filter(|end| *end < tokens.len());
        let start = end.map_or(0, |end| tokens.span(end..tokens.len()).start);
        let of = self.of.iter().filter(|of| start < of.end).map(|of| {
            let within = of.start.max(start)..of.end;
            let is_within = |place: &&Range<usize>| {
                within.start < place.start && place.start < within.end && within.end <= place.end
            };
            let place = self.places.iter().find(is_within);
            within.start..place.map_or(within.end, |place| place.start)
        });
        let is_of_question = |of: &Range<usize>| {
            let form = normalise(&self.text[of.clone()]);
            form.split(' ').all(|word| !tells(word) || says(word, "word of funders"))
        };
        let of = of.filter(|of| !is_of_question(of));
        Self { of: of.collect(), places: self.places.clone(), ..*self }
    }

    /// Whether the reader takes any part of a span for a name.
    fn is_name(&self, of: &Range<usize>) -> bool {
        let mut names = self.message.spans.iter().filter(|span| span.role == Role::Name);
        names.any(|span| overlap(&span.bytes, of))
    }

    /// Resolves a span to an organization; a place right after it may decide among namesakes.
    fn named(&self, names: &dyn Names, of: &Range<usize>) -> Result<Organization, UnderstandError> {
        let asked = self.text[of.clone()].trim();
        let found = named_organization(asked, NameUse::Itself, names)?;
        let is_next = |place: &&Range<usize>| {
            place.start >= of.end && is_bare_joint(&self.text[of.end..place.start])
        };
        let place = self.places.iter().find(is_next).filter(|_| found.ein.is_none());
        if let Some(place) = place {
            let placed = self.text[of.start..place.end].trim();
            let placed = named_organization(placed, NameUse::Itself, names)?;
            if placed.ein.is_some() {
                return Ok(placed);
            }
        }
        Ok(found)
    }

    /// The message as one about causes, with its places and amounts.
    fn about(&self, causes: &[Range<usize>]) -> Message {
        let is_value = |role: Role| is_place(role) || is_amount(role);
        let mut spans: Vec<reader::Span> =
            self.message.spans.iter().filter(|span| is_value(span.role)).cloned().collect();
        spans.retain(|span| !causes.iter().any(|cause| overlap(cause, &span.bytes)));
        spans.extend(
            causes
                .iter()
                .map(|bytes| reader::Span::told(Role::Cause, bytes.clone(), Operation::Set)),
        );
        spans.sort_by_key(|span| span.bytes.start);
        let intent = reader::Prediction { label: reader::Intent::Find, probability: 1.0 };
        Message { intent, spans, ..self.message.clone() }
    }

    /// Whether the places say where funders are: they stand apart from what is funded, beside words that
    /// ask.
    fn places_belong_to_funders(&self) -> bool {
        let Some(place) = self.places.first() else { return false };
        let is_beside = |of: &Range<usize>| {
            let (start, end) = match of.end <= place.start {
                true => (of.end, place.start),
                false => (place.end, of.start),
            };
            self.text.get(start..end).is_some_and(is_bare_joint)
        };
        !self.of.iter().any(is_beside)
    }
}

fn is_place(role: Role) -> bool {
    matches!(role, Role::Place | Role::Near)
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// The years that are asked for, each once: four digits alone, that are not part of what a span says.
pub fn years_of(text: &str, message: &Message) -> Vec<u16> {
    let is_free = |bytes: &Range<usize>| {
        let part = |span: &reader::Span| {
            let says_else = !matches!(span.role, Role::Unread | Role::Number | Role::Count);
            says_else && overlap(&span.bytes, bytes)
        };
        !message.spans.iter().any(part)
    };
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '$');
    let start = text.as_ptr() as usize;
    let mut years = Vec::new();
    for word in words {
        let at = word.as_ptr() as usize - start;
        let digits = word.trim_start_matches(['f', 'F', 'y', 'Y']);
        let year = digits.parse().ok().filter(|_| digits.len() == YEAR_DIGITS);
        let year = year.filter(|year| YEARS.contains(year) && is_free(&(at..at + word.len())));
        years.extend(year.filter(|year| !years.contains(year)));
    }
    years
}
