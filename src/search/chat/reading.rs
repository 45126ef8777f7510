//! Settles what the trained reader leaves open in a message: a nonprofit named apart, the asker's
//! own story, words that are a town, and the fact that a question about money asks for.

use super::facts::asks_for_lines;
use super::referents::{self, Referents};
use super::sums::is_counting;
use super::{FactQuestion, Result, Turn, has_word, says_any, worded};
use crate::naming::normalise;
use crate::places;
use crate::reader::{
    Act, DialogueAct, Intent as Asks, Language, Operation, Prediction, Reader, Role, Span,
};
use crate::record::Ein;
use crate::understand::{
    Frame, NameUse, Names as _, Subject, all_clauses, cause_of, is_generic, is_kind_word,
    named_organization, opens_with, ordinals, places_named, says, sentences, tells as is_told,
    town_in_state,
};

/// The least probability at which a message counts as an accusation.
const ACCUSATION_PROBABILITY_MIN: f32 = 0.7;
/// The probability from which on a span is certainly a cause, and not a misspelt town.
const CAUSE_SURE_MIN: f32 = 0.8;
/// The probability of an explanation from which on a message asks for no organization.
const SURELY_EXPLAINED: f32 = 0.8;
/// Characters from which on the name of a town may be misspelt.
const MISSPELT_CHARACTERS_MIN: usize = 6;

/// The least probability of a language where the conversation was in another one.
const OTHER_LANGUAGE_PROBABILITY_MIN: f32 = 0.9;
/// A message of at most this many words is too short to change the language of the conversation.
const SHORT_WORDS_MAX: usize = 2;

/// The language of a message; a short or uncertain one keeps that of the conversation.
pub(super) fn language_of(
    text: &str,
    read: &Prediction<Language>,
    before: Option<Language>,
) -> Language {
    let is_short = text.split_whitespace().count() <= SHORT_WORDS_MAX;
    let is_unsure = read.probability < OTHER_LANGUAGE_PROBABILITY_MIN;
    match before {
        Some(Language::Spanish) if is_short || is_unsure => Language::Spanish,
        Some(before) if is_short && is_unsure => before,
        _ => read.label,
    }
}

/// Words at the beginning of a clause that mark it as about the asker: `hi, i`.
const STORY_OPENING_WORDS: usize = 2;

/// Whether a clause is about the asker and asks for nothing: `I teach band in Jackson`.
pub(super) fn is_story(clause: &str) -> bool {
    let mut first = clause.split_whitespace().take(STORY_OPENING_WORDS);
    first.any(|word| says(word, "about the asker")) && !says(clause, "wish")
}

/// Whether a text has no word beside a number of those shown: `the first one`.
pub(super) fn says_only_number(text: &str) -> bool {
    let form = normalise(text);
    let is_number = |word: &str| !ordinals(word).is_empty();
    let is_open = |word: &str| {
        !is_told(word) || is_number(word) || says_any(word, &["asks the same", "one of those"])
    };
    form.split(' ').any(is_number) && form.split(' ').all(is_open)
}

impl Turn<'_> {
    /// The nonprofit that is certainly named in a sentence with nothing else to find (`isn't Heifer there?`).
    pub(super) fn named_apart(&self) -> Result<Option<Ein>> {
        for sentence in sentences(self.text) {
            let within =
                |span: &&Span| sentence.start <= span.bytes.start && span.bytes.end <= sentence.end;
            let spans: Vec<&Span> = self.message.spans.iter().filter(within).collect();
            let finds = spans.iter().any(|span| span.role == Role::Cause);
            let names: Vec<_> = spans.iter().filter(|span| span.role == Role::Name).collect();
            let [name] = names[..] else { continue };
            if finds || self.message.intent.label == Asks::Similar {
                continue;
            }
            let asked = self.text[name.bytes.clone()].trim();
            let found = named_organization(asked, NameUse::Itself, self.snapshot)?;
            if let Ok(ein) = self.resolved(found)? {
                return Ok(Some(ein));
            }
        }
        self.named_beside_place()
    }

    /// `and griot, clarksdale`: the nonprofit certainly named by unlabelled words next to a place.
    fn named_beside_place(&self) -> Result<Option<Ein>> {
        let is_read = |span: &Span| !matches!(span.role, Role::Place | Role::Nothing);
        if !self.has(Role::Place) || self.message.spans.iter().any(is_read) {
            return Ok(None);
        }
        let (form, place) = (normalise(self.text), self.form(Role::Place));
        let is_open = |word: &&str| is_told(word) && !is_generic(word) && !has_word(&place, word);
        let open: Vec<&str> = form.split(' ').filter(is_open).collect();
        if open.iter().all(|word| is_kind_word(word)) {
            return Ok(None);
        }
        let naming = self.snapshot.named(&format!("{} {place}", open.join(" ")))?;
        let Some(one) = naming.sure() else { return Ok(None) };
        let name =
            normalise(&format!("{} {}", one.name, one.other_name.as_deref().unwrap_or_default()));
        let has_all = open.iter().all(|word| has_word(&name, word));
        Ok(Some(one.ein).filter(|_| has_all))
    }

    /// `what about Barre too`: a town of the state under discussion is no cause.
    pub(super) fn place_in_state(&mut self) {
        let Some(state) = self.conversation.frame.state() else { return };
        if self.request.act() != DialogueAct::Change {
            return;
        }
        let text = self.text;
        let is_town = |span: &Span| {
            let words = &text[span.bytes.clone()];
            let counties = places::find_counties(&places::county_key(words));
            let is_there = places::has_city(&places::city_key(words), state)
                || counties.iter().any(|county| county.state == state);
            // `pine rige`.
            let is_misspelt = || {
                span.probability < CAUSE_SURE_MIN
                    && words.chars().count() >= MISSPELT_CHARACTERS_MIN
                    && !normalise(words).split(' ').any(is_kind_word)
                    && town_in_state(words, state).is_some()
            };
            (is_there || is_misspelt()) && !normalise(words).split(' ').all(is_kind_word)
        };
        for span in self.message.spans.iter_mut().filter(|span| span.role == Role::Cause) {
            if is_town(span) {
                span.role = Role::Place;
            }
        }
    }

    /// Drops what the message says about the asker (`I teach band in Jackson`) if other words say what to find.
    pub(super) fn leave_story(&mut self) {
        let all = all_clauses(self.text);
        let of_story: Vec<_> = all.filter(|clause| is_story(&self.text[clause.clone()])).collect();
        let spans = &self.message.spans;
        let mut starts: Vec<usize> = Vec::new();
        for (at, span) in spans.iter().enumerate().rev() {
            // `I'm looking at food banks and pantries in Ohio`: what a conjunction joins stays together.
            let is_joined = spans.get(at + 1).is_some_and(|next| {
                let between = &self.text[span.bytes.end..next.bytes.start.max(span.bytes.end)];
                next.role == span.role
                    && !starts.contains(&next.bytes.start)
                    && !between.trim().is_empty()
                    && between.split_whitespace().all(|word| says(word, "conjunction"))
            });
            if !is_joined && of_story.iter().any(|clause| clause.contains(&span.bytes.start)) {
                starts.push(span.bytes.start);
            }
        }
        let is_of_story = |span: &Span| starts.contains(&span.bytes.start);
        let language = self.message.language.label;
        let says_place = |span: &Span| {
            span.role != Role::Place
                || !places_named(&self.text[span.bytes.clone()], language).is_empty()
        };
        let says_kind = |span: &Span| {
            let form = normalise(&self.text[span.bytes.clone()]);
            form.split(' ').any(|word| is_told(word) && !is_generic(word))
        };
        // `leave out the hospitals, we're an arts group in Missoula` only takes away from the list before.
        let is_change = |span: &Span| {
            let is_filter = worded::is_amount(span.role)
                || matches!(span.role, Role::Size | Role::Foundation | Role::Deductible);
            !is_of_story(span) && (span.operation == Operation::Not || is_filter)
        };
        let finds = |span: &Span| {
            matches!(span.role, Role::Cause | Role::Place | Role::Name)
                && span.operation != Operation::Not
                && !is_of_story(span)
        };
        let is_found = !self.conversation.frame.is_empty() && !spans.iter().any(finds);
        if is_found && !starts.is_empty() && spans.iter().any(is_change) {
            self.message.spans.retain(|span| !is_of_story(span));
            self.message.act.label = Act::On;
            return;
        }
        for role in [Role::Cause, Role::Place] {
            let asks = |span: &Span| {
                span.role == role && !is_of_story(span) && says_kind(span) && says_place(span)
            };
            if self.message.spans.iter().any(asks) {
                self.message.spans.retain(|span| span.role != role || !is_of_story(span));
            }
        }
    }

    /// Whether the message speaks of funds, or goes on about those shown, and there are any.
    pub(super) fn asks_for_funds(&self) -> bool {
        let goes_on = self.conversation.subject == Subject::Funds;
        self.snapshot.fund_texts.count() > 0 && (goes_on || says(self.text, "asks for funds"))
    }

    /// The prediction of the model of questions about money and people where the acts leave it
    /// open: the direction of grants, and whether the question is about a named nonprofit.
    pub(super) fn asked_of_money(&self) -> Result<Option<DialogueAct>> {
        let act = self.request.act();
        let is_grants = matches!(act, DialogueAct::GrantsMade | DialogueAct::GrantsReceived);
        let is_open = matches!(act, DialogueAct::Knowledge | DialogueAct::Kind);
        if self.request.acts.len() != 1 || !(is_grants || is_open) {
            return Ok(None);
        }
        let asked = Reader::shared()?.question(self.text, &self.message)?;
        let Some(act) = asked.and_then(|asked| referents::act_of(asked.topic.label)) else {
            return Ok(None);
        };
        let is_named = is_open && self.explicit_referents()? != Referents::Nobody;
        let goes_other_way =
            is_grants && matches!(act, DialogueAct::GrantsMade | DialogueAct::GrantsReceived);
        Ok(Some(act).filter(|_| is_named || goes_other_way))
    }

    /// Whether the message asks after a wrong that somebody did.
    pub(super) fn accuses(&self) -> bool {
        let intent = self.message.intent;
        let is_sure =
            intent.label == Asks::Accusation && intent.probability >= ACCUSATION_PROBABILITY_MIN;
        let is_of_one = self.has(Role::Name) || self.has(Role::Reference);
        let is_worded = is_of_one && says(self.text, "wrongdoing") && !self.has(Role::Cause);
        (is_sure || is_worded) && !says(self.text, "asks whether it is exempt")
    }

    /// Whether a message goes on about the one spoken of: after its pay `and the chief operating officer?`, after its grants
    /// `and in Vermont?`.
    fn asks_same_of_focus(&self, fact: DialogueAct) -> bool {
        let is_office = matches!(fact, DialogueAct::Pay | DialogueAct::Leaders)
            && says(self.text, "office")
            && !self.has(Role::Place);
        let is_place = fact == DialogueAct::GrantsMade && self.has(Role::Place);
        self.conversation.focus.is_some()
            && !self.has(Role::Name)
            && (is_office || (is_place && !self.has(Role::Cause)))
    }

    /// Asks for the pay of the others, after that of one: `who are the 15 others? the top five with amounts`.
    pub(super) fn ask_pay_of_others(&mut self) {
        let asked = self.conversation.asked.as_ref().map(|asked| asked.fact);
        let goes_on = self.request.act() == DialogueAct::Leaders
            && asked == Some(DialogueAct::Pay)
            && says_any(self.text, &["the others", "top of a list"]);
        if goes_on && !self.has(Role::Name) {
            self.request.acts = vec![DialogueAct::Pay];
        }
    }

    /// A message that only goes on (`and in Mississippi?`, `and does the Weingart Foundation?`) asks what the one before
    /// asked: the fact of another nonprofit, the count or the sum of another place.
    pub(super) fn ask_the_same(&mut self) {
        let Some(FactQuestion { fact, .. }) = self.conversation.asked else { return };
        let is_sum = is_counting(fact);
        let opens = opens_with(self.text, "asks the same");
        // `what about administration`, after how much it spent on fundraising.
        if opens && fact == DialogueAct::Lines && asks_for_lines(self.text) {
            self.message.spans.retain(|span| !matches!(span.role, Role::Name | Role::Cause));
            self.request.acts = vec![fact];
            return;
        }
        if opens && self.asks_same_of_focus(fact) {
            self.message.spans.retain(|span| span.role != Role::Cause);
            self.request.acts = vec![fact];
            return;
        }
        let asks_anew = says_any(self.text, &["how many", "sum"]);
        let goes_on = opens && !asks_anew && (is_sum || !self.has(Role::Cause));
        let is_it = match is_sum {
            true => self.has(Role::Place) || self.has(Role::Cause),
            false => self.has(Role::Name),
        };
        if !goes_on || !is_it || (is_sum && self.has(Role::Name)) {
            return;
        }
        let form = normalise(&self.blanked(|_| true));
        let is_opening =
            |word: &str| says_any(word, &["asks the same", "of the same", "auxiliary verb"]);
        if form.split_whitespace().all(|word| !is_told(word) || is_opening(word)) {
            self.request.acts = vec![fact];
            if is_sum {
                for span in &mut self.message.spans {
                    span.operation = Operation::Set;
                }
                self.message.act.label = Act::On;
                self.message.intent.label = Asks::Find;
            }
        }
    }

    /// Whether the message says both what to find and where: then no condition of earlier messages applies.
    pub(super) fn stands_alone(&self) -> bool {
        // `largest museums in New York`, whatever was asked before.
        let is_read_anew =
            self.request.act() == DialogueAct::Change && self.message.act.label == Act::New;
        let is_anew = matches!(self.request.act(), DialogueAct::Search | DialogueAct::Funders)
            || is_read_anew
            || opens_with(self.text, "asks whether any is there")
            || self.request.asks_fact()
            || says(self.text, "half remembered");
        let spans = &self.message.spans;
        let is_cause = |span: &&Span| matches!(span.role, Role::Cause | Role::Name);
        let cause = spans.iter().find(is_cause).map_or(0, |span| span.bytes.start);
        // `the radio in Porcupine. who owns it`: the second sentence refers to the first.
        let is_of_it = |span: &Span| {
            let words = &self.text[span.bytes.clone()];
            span.bytes.start > cause && says_any(words, &["of it", "they"])
        };
        let refers = spans.iter().any(|span| span.role == Role::Reference && !is_of_it(span));
        is_anew
            && !refers
            && self.sets(Role::Place)
            && (self.sets(Role::Cause) || self.sets(Role::Name) || self.seeks_foundations())
    }

    /// Whether foundations are what the message looks for, and not what it leaves of the rows before.
    fn seeks_foundations(&self) -> bool {
        self.sets(Role::Foundation) && !says_any(self.text, &["only those", "those shown", "they"])
    }

    /// `we are in Jackson, Mississippi; what is a fiscal sponsor`: what follows may be about that place.
    pub(super) fn keep_place(&mut self) -> Result<()> {
        let said = self.places_said()?;
        self.conversation.frame.places.extend(said);
        Ok(())
    }

    /// `does anybody up in the county help veterans`: a new cause, in the place under discussion.
    pub(super) fn stay_in_place(&mut self) {
        let is_anew = self.message.act.label == Act::New
            && self.request.act() == DialogueAct::Search
            && !self.has(Role::Place);
        if is_anew && says(self.text, "place spoken of") {
            let places = std::mem::take(&mut self.conversation.frame.places);
            self.conversation.frame = Frame { places, ..Frame::default() };
            self.message.act.label = Act::On;
        }
        // `add Hays and Great Bend, same floor and still no hospitals`: nothing else is sought.
        let sought = [Role::Cause, Role::Name, Role::Foundation, Role::Unread];
        if self.request.act() == DialogueAct::Change
            && self.has(Role::Place)
            && !sought.into_iter().any(|role| self.sets(role))
            && self.conversation.frame.cause.is_some()
        {
            self.message.act.label = Act::On;
        }
        // `what was the one in Vermont`: the same elsewhere.
        if self.has(Role::Reference)
            && self.has(Role::Place)
            && !(self.has(Role::Name) || self.has(Role::Cause))
            && !self.conversation.frame.is_empty()
        {
            self.message.act.label = Act::On;
        }
    }

    /// `any around Jackson?` after what a community foundation is asks for these.
    pub(super) fn seek_explained(&mut self) -> Result<()> {
        let finds = |span: &Span| matches!(span.role, Role::Cause | Role::Name);
        let seeks = self.has(Role::Place)
            && says(self.text, "any of that kind")
            && self.request.act() != DialogueAct::Knowledge
            && !self.message.spans.iter().any(finds);
        let Some(entry) = self.explained_before()?.filter(|_| seeks) else { return Ok(()) };
        let kind = cause_of(&entry.title, self.snapshot)?;
        if kind.cause_is_term {
            let places = std::mem::take(&mut self.conversation.frame.places);
            self.conversation.frame = Frame { places, ..kind };
            self.message.intent.label = Asks::Find;
            self.request.acts = vec![DialogueAct::Change];
        }
        Ok(())
    }

    /// The one that a message singles out and asks nothing of: by a name that was shown, which wins over every other reading
    /// of its words, by a number or a pronoun, or by a name apart.
    pub(super) fn singled_out(&self) -> Result<Referents> {
        if self.explicit.is_empty() {
            if let Some(one) = self.only_names_shown()? {
                return Ok(Referents::Of(vec![one]));
            }
            match self.only_number() {
                Some(Referents::Of(eins)) if eins.len() == 1 => return Ok(Referents::Of(eins)),
                Some(Referents::Beyond(number)) => return Ok(Referents::Beyond(number)),
                _ => {}
            }
            if let Some(focus) = self.conversation.focus.filter(|_| self.only_refers()) {
                return Ok(Referents::Of(vec![focus]));
            }
        }
        let apart = self.named_apart()?;
        Ok(apart.map_or(Referents::Nobody, |one| Referents::Of(vec![one])))
    }

    /// Whether a message says nothing but a number of those shown: `¿y el tercero?`.
    pub(super) fn is_bare_number(&self) -> bool {
        self.conversation.subject == Subject::Nonprofits
            && opens_with(self.text, "asks the same")
            && says_only_number(self.text)
    }

    /// Whether a message that may ask for an explanation asks for somebody instead, who does something somewhere: `is there
    /// anybody in Belfast who would go through the papers with me`.
    pub(super) fn seeks_somebody(&self) -> Result<bool> {
        let seeks = self.has(Role::Place) && self.has(Role::Cause);
        Ok(seeks && says(self.text, "asks for somebody") && !self.is_explained(SURELY_EXPLAINED)?)
    }

    /// `the second one` and nothing else.
    pub(super) fn only_number(&self) -> Option<Referents> {
        let asks = |role| !matches!(role, Role::Reference | Role::Unread | Role::Nothing);
        let is_only = !self.message.spans.iter().any(|span| asks(span.role));
        self.by_number().filter(|_| is_only)
    }
}
