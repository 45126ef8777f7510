//! One nonprofit: the facts asked about it, others like it, and the sources of what was shown about it.

use super::entries::ENTRY_LIKELY_MIN;
use super::facts::{GrantsQuestion, Profile, lines_in};
use super::phrase::phrase;
use super::pointed::is_kind;
use super::referents::Referents;
use super::spelling::{has_word_within, is_spelled_as, words_of_names};
use super::texts::first_sentences;
use super::{Answer, FactQuestion, Intent, NonprofitRef, Result, Turn, hit, says_any, suggest};
use crate::naming::normalise;
use crate::query::{Area, Figure, Flag, Range, Ranges};
use crate::reader::{Act, DialogueAct, Intent as Asks, Role, Topic};
use crate::record::{Ein, Filing, Ntee, Organization};
use crate::search::details::details;
use crate::search::national;
use crate::search::standing::latest;
use crate::sources::SourceKind;
use crate::taxonomy;
use crate::understand::{
    self, Conversation, Frame, NameUse, NamedPlace, Question, Subject, decode, opens_with, says,
    tells,
};

/// The least probability that a message asks for an explanation, where it is about the asker's own group, and where it is
/// about no group.
const EXPLAINS_ASKER: f32 = 0.4;
const EXPLAINS_ANYBODY: f32 = 0.5;
/// The same where it asks how to give to one, and the least probability of its entry then.
const EXPLAINS_GIFT: f32 = 0.1;
const EXPLAINS_GIFT_ENTRY: f32 = 0.3;
/// The same where the question may be about a nonprofit that was shown.
const EXPLAINS_SURELY: f32 = 0.8;
/// The probability from which on a message asks for an explanation, and `they` are anybody.
const KNOWLEDGE_SURE_MIN: f32 = 0.8;
/// Characters that a typed NTEE code has at least: a letter and two digits.
const CODE_CHARACTERS_MIN: usize = 3;
/// Nonprofits of a list whose fact is given if the message singles out none.
const TOLD_OF_LIST: usize = 3;

impl Turn<'_> {
    /// The facts of the nonprofit in question; without one, the same fact of the first few of the list.
    pub(super) fn facts(self) -> Result<Answer> {
        if let Some(said) = self.code_asked() {
            return self.told(Intent::Knowledge, said);
        }
        if self.asks_in_general()? || self.asks_of_a_kind()? {
            return self.knowledge();
        }
        // `that huge sanctuary down in Kanab, how big is it`.
        let asks_one = says_any(self.text, &["asks for one", "that one there", "half remembered"])
            || self.stands_alone();
        if asks_one && self.asks_anew() && self.explicit_referents()? == Referents::Nobody {
            return self.facts_of_search();
        }
        if self.asks_which_has_more() {
            let shown = self.conversation.nonprofits.clone();
            return self.facts_of_several(&shown);
        }
        match self.referents()? {
            Referents::Of(eins) => self.about(&eins),
            Referents::Beyond(number) => self.beyond(number),
            Referents::Called(called) => self.of_called(called),
            Referents::Nobody if self.conversation.of_candidates && !self.has(Role::Place) => {
                self.ask_which()
            }
            Referents::Nobody if self.asks_anew() => self.facts_of_search(),
            Referents::Nobody if !self.conversation.nonprofits.is_empty() => {
                let shown = &self.conversation.nonprofits;
                let first = shown[..shown.len().min(TOLD_OF_LIST)].to_vec();
                self.about(&first)
            }
            // `why isn't my parish listed`.
            Referents::Nobody if self.is_explained(EXPLAINS_ASKER)? => self.knowledge(),
            Referents::Nobody if self.asks_of_nothing() && self.speaks_of_somebody() => {
                self.ask_which()
            }
            // `can kids volunteer`.
            Referents::Nobody if self.asks_of_nothing() => self.knowledge(),
            Referents::Nobody => self.search(),
        }
    }

    /// Whether the message has a word for a nonprofit that was spoken of: `how old is it`.
    fn speaks_of_somebody(&self) -> bool {
        self.has(Role::Reference)
            || says_any(self.text, &["of it", "they", "possessive", "of those shown"])
    }

    /// Whether a message asks what a kind of nonprofit or service is or costs, in small letters: `what does assisted living
    /// cost`. Nobody of those shown, and no nationally known nonprofit, is called so.
    pub(super) fn asks_of_a_kind(&self) -> Result<bool> {
        let is_kind = |words: &str| {
            !words.contains(char::is_uppercase)
                && is_kind(words)
                && national::by_name(words).is_none()
        };
        let mut names = self.all_words(Role::Name).peekable();
        let is_of_kind = names.peek().is_some() && names.all(is_kind);
        let asks = is_of_kind
            && says(self.text, "of a kind")
            && !self.has(Role::Place)
            && !self.speaks_of_somebody();
        Ok(asks && self.by_name_shown(&self.seen()?)?.is_empty())
    }

    /// The one of those shown that the message chooses.
    pub(super) fn chosen(&self) -> Result<Option<Ein>> {
        let shown = &self.conversation.nonprofits;
        let is_list = matches!(
            self.request.act(),
            DialogueAct::Return | DialogueAct::Count | DialogueAct::Total | DialogueAct::More
        );
        let found = match self.explicit_referents()? {
            Referents::Of(eins) if !is_list => eins.first().copied().filter(|_| eins.len() == 1),
            _ => self.only_names_shown()?,
        };
        let found = found.filter(|ein| shown.contains(ein));
        let Some(one) = found.map(|ein| self.records(&[ein])).transpose()? else { return Ok(None) };
        // `Wounded Warrior Project` is no Wounded Warrior Group.
        let named = self.form(Role::Name);
        let lacks = |one: &Organization| {
            let own = words_of_names(one);
            let is_own = |word: &str| own.iter().any(|own| is_spelled_as(word, own));
            named.split(' ').any(|word| tells(word) && !is_own(word))
                || (self.vouches() && has_word_within(&one.name, &named))
        };
        Ok(found.filter(|_| !one.iter().any(lacks)))
    }

    /// `which of the three spends the greatest share on fundraising`: a fact by which no order is spoken of.
    fn asks_which_has_more(&self) -> bool {
        let is_compared = matches!(
            self.request.act(),
            DialogueAct::Lines | DialogueAct::Share | DialogueAct::Surplus | DialogueAct::NetAssets
        );
        let chooses = says(self.text, "which of")
            || (opens_with(self.text, "opens a choice") && says(self.text, "more or less"));
        is_compared
            && chooses
            && self.conversation.nonprofits.len() > 1
            && !self.has(Role::Name)
            && !self.asks_anew()
    }

    /// The meaning of an NTEE code that is asked for by itself.
    fn code_asked(&self) -> Option<String> {
        let asks = matches!(self.request.act(), DialogueAct::Code | DialogueAct::Knowledge);
        let mut words = self.text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|_| asks);
        let code: Ntee = words.find_map(|word| {
            let is_code =
                word.len() >= CODE_CHARACTERS_MIN && word[1..].bytes().all(|b| b.is_ascii_digit());
            word.to_uppercase().parse().ok().filter(|_| is_code)
        })?;
        let title = taxonomy::title(code)?;
        let area = taxonomy::issue_area(code).filter(|area| *area != title);
        Some(phrase!("code.of", code = code.to_string(), title, area).say(self.language))
    }

    /// Whether the message asks for an explanation of what concerns anybody.
    pub(super) fn explains_anybody(&self) -> Result<bool> {
        self.is_explained(EXPLAINS_ANYBODY)
    }

    /// Whether the message asks for an explanation with at least this probability.
    pub(super) fn is_explained(&self, least: f32) -> Result<bool> {
        Ok(self.knowledge_probability()? >= least)
    }

    /// The probability that the message asks for an explanation.
    pub(super) fn knowledge_probability(&self) -> Result<f32> {
        let acts = self.acts()?;
        let explained = acts.iter().find(|act| act.label == DialogueAct::Knowledge);
        Ok(explained.map_or(0.0, |act| act.probability))
    }

    /// Whether a fact is asked of no nonprofit that was named or shown, but of the asker's own or of any (`do we file the
    /// 990-EZ`, `what is an NTEE code`), and an entry of the knowledge base answers it.
    fn asks_in_general(&self) -> Result<bool> {
        if self.has(Role::Name) || self.explicit_referents()? != Referents::Nobody {
            return Ok(false);
        }
        // `and in 2020?`, `what is its EIN`.
        let goes_on = self.conversation.asked.is_some() && opens_with(self.text, "asks the same");
        let is_its = says(self.text, "possessive");
        if (goes_on || is_its) && self.conversation.focus.is_some() {
            return Ok(false);
        }
        // `is it a 501(c)(3)?`, `how do I apply?` of the one that was mentioned last.
        let is_worded = self.is_worded() || self.request.facts().len() > 1;
        let is_of_shown = says(self.text, "of it") && !self.conversation.nonprofits.is_empty();
        if is_worded && (self.conversation.focus.is_some() || is_of_shown) {
            return Ok(false);
        }
        let is_of_focus = self.conversation.focus.is_some()
            && matches!(
                self.request.act(),
                DialogueAct::Deductible | DialogueAct::Donate | DialogueAct::Standing
            );
        let refers = self.has(Role::Reference) || says(self.text, "of it") || is_of_focus;
        // `they forgot to file. what happens now?`
        let intent = self.message.intent;
        let is_general = intent.label == Asks::Knowledge
            && intent.probability >= KNOWLEDGE_SURE_MIN
            && self.conversation.focus.is_none()
            && !self.has(Role::Reference);
        let explained = self.knowledge_probability()?;
        if refers && !is_general {
            // `so can I take that off my taxes`: of the one spoken of, where no entry is surely asked for.
            let asked = self.explanation()?;
            let is_one = asked.entries.first().is_some_and(|entry| entry.1 >= ENTRY_LIKELY_MIN);
            return Ok(explained >= EXPLAINS_SURELY && is_one);
        }
        let is_askers = says(self.text, "of the asker") && !refers;
        Ok(explained >= if is_askers { EXPLAINS_ASKER } else { EXPLAINS_ANYBODY })
    }

    /// Facts of the first that a description finds (`the big elk outfit in Missoula`).
    fn facts_of_search(self) -> Result<Answer> {
        let described = self.clone();
        let mut answer = self.search()?;
        // No fact is given about a mere candidate.
        if answer.named.as_ref().is_some_and(|named| named.ein.is_none()) {
            return Ok(answer);
        }
        let remembered = described.remembered(&answer.next.frame, &answer.nonprofits);
        let first = answer.nonprofits.first().map(|row| row.organization.ein);
        let Some(first) = remembered.or(first) else { return Ok(answer) };
        if let Some(profile) = described.profile(first)? {
            let facts = described.request.facts();
            answer.message += &format!(" {}", profile.sentences(described.snapshot, &facts)?);
            answer.next.focus = Some(first);
        }
        Ok(answer)
    }

    /// The answer about the nonprofits in question: the facts asked for, or the details of the first.
    pub(super) fn about(self, eins: &[Ein]) -> Result<Answer> {
        match eins.len() != 1 && self.request.asks_fact() {
            true => self.facts_of_several(eins),
            false => self.details_of(eins[0]),
        }
    }

    /// All members of one nonprofit, with the facts asked for in words.
    pub(super) fn details_of(mut self, ein: Ein) -> Result<Answer> {
        let Some(mut profile) = self.profile(ein)? else {
            let message = phrase!("no_ein", ein = ein.dashed()).say(self.language);
            let named = Some(NonprofitRef { name: None, ein: Some(ein) });
            return Ok(Answer { named, ..self.told(Intent::NonprofitDetails, message)? });
        };
        let facts = self.request.facts();
        profile.grants = self.grants_question(&facts)?;
        let message = match &facts[..] {
            [] if self.asks_what_no_record_says() => {
                format!("{} {}", self.unrecorded(&profile), profile.portrait())
            }
            [] => profile.portrait(),
            // `is that for men or women`.
            [DialogueAct::Mission]
                if profile.says_no_mission() && !says(self.text, "asks what it does") =>
            {
                let unrecorded = self.unrecorded(&profile);
                format!("{unrecorded} {}", self.facts_of_years(&mut profile, &facts)?)
            }
            [DialogueAct::Mission, rest @ ..] if says(self.text, "about one") => {
                let rest = profile.sentences(self.snapshot, rest)?;
                format!("{} {rest}", profile.portrait())
            }
            facts => self.facts_of_years(&mut profile, facts)?,
        };
        self.conversation.asked = self.fact_question();
        self.answer_about(profile, message)
    }

    /// An answer about one nonprofit, which is spoken of from now on.
    pub(super) fn answer_about(mut self, profile: Profile<'_>, message: String) -> Result<Answer> {
        let organization = profile.traced.organization;
        let suggestions = self.after_details(&organization)?;
        let (name, ein) = (organization.name.clone(), organization.ein);
        self.conversation.focus = Some(ein);
        self.conversation.remember(ein);
        if self.conversation.nonprofits.is_empty() {
            self.conversation.nonprofits = vec![ein];
        }
        self.conversation.subject = Subject::Nonprofits;
        let answer = Answer::of(Intent::NonprofitDetails, message, self.conversation);
        let named = Some(NonprofitRef { name: Some(name), ein: Some(ein) });
        Ok(Answer { named, nonprofits: vec![hit(organization)], suggestions, ..answer })
    }

    /// That no record has what is asked, and where its own site is.
    fn unrecorded(&self, profile: &Profile<'_>) -> String {
        let url = &profile.traced.organization.website;
        phrase!("portrait.unasked", url).say(self.language)
    }

    /// Whether the message asks something of the one spoken of that is no fact of a record: `does it have a gym`.
    fn asks_what_no_record_says(&self) -> bool {
        let told = |word: &str| {
            understand::tells(word)
                && !says_any(
                    word,
                    &["question opening", "of it", "word of standing", "size", "they"],
                )
        };
        let refers = says(self.text, "of it") || self.has(Role::Reference);
        refers
            && self.conversation.focus.is_some()
            && opens_with(self.text, "question opening")
            && !says(self.text, "about one")
            && !self.has(Role::Name)
            && normalise(self.text).split(' ').any(told)
    }

    /// The facts of a nonprofit, in each of the years that are named; before how to give to it, how a gift of the form that
    /// the message speaks of is made.
    fn facts_of_years(&self, profile: &mut Profile<'_>, facts: &[DialogueAct]) -> Result<String> {
        let mut said = profile.sentences(self.snapshot, facts)?;
        let others = if profile.asks_for_change() { Vec::new() } else { self.years() };
        for year in others.into_iter().skip(1) {
            profile.year = Some(year);
            // A period may begin in one year and end in the next.
            let of_year = profile.sentences(self.snapshot, facts)?;
            let new = of_year.split_inclusive(". ").filter(|new| !said.contains(new.trim()));
            said = format!("{said} {}", new.collect::<String>()).trim_end().to_owned();
        }
        if facts == [DialogueAct::Donate]
            && !says(self.text, "asks to give to it")
            && let Some(explained) = self.form_of_gift()?
        {
            said = format!("{explained} {said}");
        }
        Ok(said)
    }

    /// How a gift of the form that the message speaks of is made: shares, a car, a bequest.
    fn form_of_gift(&self) -> Result<Option<String>> {
        let asked = self.explanation()?;
        let is_likely = asked.probability >= EXPLAINS_GIFT
            && asked.entries.first().is_some_and(|entry| entry.1 >= EXPLAINS_GIFT_ENTRY);
        let nearest = if is_likely { self.entries(self.text)?.into_iter().next() } else { None };
        Ok(nearest.map(|hit| first_sentences(&hit.record)))
    }

    /// The conditions on its grants: their words, their place and their least amount.
    fn grants_question(&self, facts: &[DialogueAct]) -> Result<GrantsQuestion> {
        if !facts.contains(&DialogueAct::GrantsMade) {
            return Ok(GrantsQuestion::default());
        }
        let recipients = self.recipient_places()?;
        if !self.has(Role::Cause) {
            return Ok(GrantsQuestion { recipients, ..GrantsQuestion::default() });
        }
        let of = Question::of_topic(self.snapshot, self.text, &self.message, Topic::GrantsBy)?;
        // `what did it give for education`: the one who gives is not named.
        let is_named = self.has(Role::Name) || self.has(Role::Ein);
        let said = || self.all_words(Role::Cause).collect::<Vec<_>>().join(" ");
        let words = of.words.or_else(|| (!is_named).then(said));
        Ok(GrantsQuestion { words, recipients, min_amount: of.min_amount })
    }

    /// The facts that the next message continues with: `and in 2020?`.
    pub(super) fn fact_question(&self) -> Option<FactQuestion> {
        let fact = self.request.facts().first().copied()?;
        let mut lines = lines_in(self.text);
        if lines.is_empty()
            && let Some(before) = &self.conversation.asked
        {
            lines.clone_from(&before.lines);
        }
        Some(FactQuestion { years: self.years(), lines, ..FactQuestion::of(fact) })
    }

    /// Nonprofits like one that is named or was shown, within the other conditions of the message.
    pub(super) fn similar(mut self) -> Result<Answer> {
        if self.has(Role::Cause) && self.has(Role::Place) && !self.has(Role::Name) {
            // `a similar one in Jackson, for land` says itself what it is to do.
            self.message.act.label = Act::New;
            self.message.intent.label = Asks::Find;
            return self.search();
        }
        let like = match self.referents()? {
            Referents::Of(eins) => eins.first().copied(),
            Referents::Beyond(number) => return self.beyond(number),
            // `similar ones by Rockland`: like the one mentioned last.
            Referents::Called(_) | Referents::Nobody => {
                let Conversation { focus, nonprofits, .. } = &self.conversation;
                focus.or(nonprofits.first().copied())
            }
        };
        let found = match like {
            Some(ein) => details(self.snapshot, ein)?,
            None => None,
        };
        let Some(organization) = found else { return self.search() };
        let (name, ein) = (organization.name.clone(), organization.ein);
        let like = understand::Organization::known(name, ein, NameUse::Similar);
        let is_of_like = |role| {
            matches!(role, Role::Ein | Role::Reference | Role::Name | Role::Size | Role::Sort)
        };
        self.message.spans.retain(|span| !is_of_like(span.role));
        let mut beside = decode(self.text, &self.message, None, self.snapshot)?.heard.frame;
        if beside.flags[Flag::Foundation] == Some(true)
            && organization.is_private_foundation() != Some(true)
        {
            // `who pays for that kind of work? foundations in Mississippi`.
            return self.funders();
        }
        let revenue = organization.finances.revenue.map(|usd| usd.dollars() as f64);
        if let Some(revenue) = revenue.filter(|_| beside.ranges[Figure::Revenue].is_open()) {
            let range = match () {
                () if says(self.text, "smaller than it") => Range { min: None, max: Some(revenue) },
                () if says(self.text, "larger than it") => Range { min: Some(revenue), max: None },
                () => Range::default(),
            };
            beside.ranges = Ranges::of(Figure::Revenue, range);
        }
        if beside.places.is_empty() && says_any(self.text, &["state spoken of", "whole state"]) {
            let area = Area { state: organization.address.state, ..Area::default() };
            beside.places = NamedPlace::of(area).into_iter().collect();
        }
        // Similar nonprofits are searched by purpose, not by the words of the message.
        let beside = beside.without_cause();
        self.conversation.ask(Frame { organization: Some(like), ..beside });
        let mut answer = self.list(1)?;
        // Its own chapters bear its name.
        let own = normalise(&organization.name);
        answer.nonprofits.retain(|row| normalise(&row.organization.name) != own);
        Ok(answer)
    }

    /// The sources of what was shown about a nonprofit, or of the whole data.
    pub(super) fn source(self) -> Result<Answer> {
        let profile = match self.conversation.focus {
            Some(ein) => self.profile(ein)?,
            None => None,
        };
        let Some(profile) = profile else { return self.reply(Intent::Knowledge, "sources") };
        let list = latest(profile.traced.sources, SourceKind::MasterFile);
        let list = profile.as_of(SourceKind::MasterFile, list);
        let filing = profile.traced.filings.first();
        let form = filing.map(|filing| filing.form.to_string());
        let month = filing.and_then(Filing::tax_period);
        let organization: Organization = profile.traced.organization;
        let Organization { name, ein, .. } = &organization;
        let message = phrase!("source.of", name, list, form, month).say(self.language);
        let named = Some(NonprofitRef { name: Some(name.clone()), ein: Some(*ein) });
        let suggestions = vec![suggest::details_of(&organization, self.language)];
        let answer = Answer::of(Intent::NonprofitDetails, message, self.conversation);
        Ok(Answer { named, nonprofits: vec![hit(organization)], suggestions, ..answer })
    }
}
