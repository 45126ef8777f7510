//! The rows shown: facts of several, the largest, which have something, a comparison, and why they were shown.

use super::facts::cause;
use super::list::ROWS_NAMED;
use super::phrase::{phrase, quoted, text};
use super::referents::{Referents, all_words_of};
use super::{Answer, Intent, Result, Turn, hit, says_any, suggest};
use crate::naming::normalise;
use crate::query::{Figure, SortKey};
use crate::reader::{DialogueAct, Language, Operation, Role, Span};
use crate::record::{Ein, FilingDuty, Organization};
use crate::search::called::is_called;
use crate::taxonomy;
use crate::understand::{
    NameUse, facts_joined, has_stem, meaning_in, named_organization, opens_with, says, tells,
};

/// Nonprofits that one answer compares, or gives a fact of each for.
const COMPARED_MAX: usize = 5;
/// Nonprofits of a list that are compared if the message does not choose.
const COMPARED_OF_LIST: usize = 3;
/// What is compared when nothing else is asked.
const COMPARED: [DialogueAct; 6] = [
    DialogueAct::Revenue,
    DialogueAct::Assets,
    DialogueAct::Founded,
    DialogueAct::Kind,
    DialogueAct::Mission,
    DialogueAct::Address,
];

impl Turn<'_> {
    /// Whether the message asks for a new list, with a cause or place of its own, and not about the rows shown.
    pub(super) fn asks_anew(&self) -> bool {
        let asks = |span: &Span| span.role == Role::Cause && span.operation != Operation::Not;
        self.message.spans.iter().any(asks) || self.has(Role::Place) || self.has(Role::Near)
    }

    /// The same facts of several nonprofits, one after another; the list stays.
    pub(super) fn facts_of_several(mut self, eins: &[Ein]) -> Result<Answer> {
        if self.request.act() == DialogueAct::Lines && says(self.text, "payroll") {
            let message = phrase!("line.payroll", of = "").say(self.language);
            return self.told(Intent::NonprofitDetails, message);
        }
        if self.request.act() == DialogueAct::Vetting {
            return self.standing_of_several(eins);
        }
        if matches!(self.request.act(), DialogueAct::GrantsMade | DialogueAct::GrantsReceived) {
            return self.grants_of_several(eins);
        }
        let mut said = Vec::new();
        let mut is_known = false;
        for ein in eins.iter().take(COMPARED_MAX) {
            let Some(profile) = self.profile(*ein)? else { continue };
            let values = self.request.acts.iter().filter_map(|fact| profile.value(*fact));
            let mut value = values.collect::<Vec<_>>().join(", ");
            is_known |= !value.is_empty();
            if value.is_empty() {
                value = text("compare.unknown", self.language).to_owned();
            }
            let name = &profile.organization().name;
            said.push(phrase!("which.fact", name, value).part(self.language));
        }
        let shown = self.records(&eins[..eins.len().min(COMPARED_MAX)])?;
        if !is_known {
            let files_postcard =
                |one: &Organization| one.finances.filing_duty() == Some(FilingDuty::Postcard);
            let is_of_returns = what(&self.request.facts(), self.language).is_some();
            let message = match is_of_returns && shown.iter().all(files_postcard) {
                true => text("which.postcard", self.language).to_owned(),
                false => none_has(&self.request.facts(), self.language),
            };
            return self.told(Intent::NonprofitDetails, message);
        }
        let message = format!("{}.", said.join("; "));
        self.conversation.asked = self.fact_question();
        self.of_organizations(shown, message)
    }

    /// An answer about some nonprofits in words; the lists shown stay.
    pub(super) fn of_organizations(
        self,
        organizations: Vec<Organization>,
        message: String,
    ) -> Result<Answer> {
        let first = organizations.iter().take(2);
        let suggestions = first.map(|one| suggest::details_of(one, self.language)).collect();
        let answer = Answer::of(Intent::NonprofitDetails, message, self.conversation);
        let nonprofits = organizations.into_iter().map(hit).collect();
        Ok(Answer { nonprofits, suggestions, ..answer })
    }

    /// `the one in Orleans`: the answer about it, or the nonprofits there; `None` where the message names no place or speaks of
    /// an order.
    pub(super) fn of_one_there(&self) -> Result<Option<Answer>> {
        let is_there = self.has(Role::Place) && says(self.text, "one of those");
        if !is_there || self.rank().is_some() {
            return Ok(None);
        }
        let mut turn = self.clone();
        match turn.explicit_referents()? {
            Referents::Of(eins) => {
                turn.request.acts.clear();
                turn.details_of(eins[0]).map(Some)
            }
            _ => turn.search().map(Some),
        }
    }

    /// That nobody knows where the asker is, and where the first of those shown are.
    pub(super) fn addresses(self) -> Result<Answer> {
        let first = self.conversation.nonprofits.iter().take(ROWS_NAMED).copied();
        let shown = self.records(&first.collect::<Vec<_>>())?;
        let named = |one: &Organization| {
            let address = &one.address;
            let parts = [address.street.clone(), address.city.clone()];
            let value = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
            phrase!("which.fact", name = one.name, value).part(self.language)
        };
        let names: Vec<String> = shown.iter().map(named).collect();
        let message = phrase!("nearest.unknown", items = names.join("; ")).say(self.language);
        self.of_organizations(shown, message)
    }

    /// Why the rows were shown, and why the first is first.
    pub(super) fn why(self) -> Result<Answer> {
        let frame = self.conversation.frame.clone();
        let shown = self.records(&self.conversation.nonprofits)?;
        let (Some(asked), Some(first)) = (&frame.text, shown.first()) else {
            return self.knowledge();
        };
        let place = frame.places.first().map(|place| &place.name);
        let reason = self.reason(first, asked, &frame.cause_ntee);
        let asked = quoted(asked, self.language);
        let all = phrase!("why", asked, place).say(self.language);
        let of_first = phrase!("why.first", name = first.name, reason).say(self.language);
        let first = first.clone();
        self.of_organizations(vec![first], format!("{all} {of_first}"))
    }

    fn reason(&self, one: &Organization, asked: &str, codes: &[String]) -> String {
        let code =
            one.ntee.filter(|code| codes.iter().any(|prefix| code.as_str().starts_with(&**prefix)));
        let asked = normalise(asked);
        let word_of = |text: &str| {
            let text = normalise(text);
            asked.split(' ').find(|word| tells(word) && has_stem(&text, word))
        };
        let phrase = if let Some(title) = code.and_then(taxonomy::title) {
            phrase!("why.code", title)
        } else if let Some(word) = word_of(&one.name) {
            phrase!("why.name", word)
        } else if let Some(word) = word_of(one.summary.as_deref().unwrap_or_default()) {
            phrase!("why.mission", word)
        } else if let Some(title) =
            cause(one, self.language).filter(|title| title.starts_with(['“', '«']))
        {
            phrase!("why.code", title = title.trim_matches(['“', '”', '«', '»']))
        } else {
            phrase!("why.near")
        };
        phrase.part(self.language)
    }

    /// States that the last list has no such number.
    pub(super) fn beyond(self, number: usize) -> Result<Answer> {
        let count = self.conversation.nonprofits.len();
        let name = if count == 0 { "missing.nothing" } else { "missing.number" };
        let message = phrase!(name, count, number = number.to_string()).say(self.language);
        self.told(Intent::NonprofitDetails, message)
    }

    /// Whether the message asks for advice on which to choose, and names no measure.
    pub(super) fn asks_for_advice(&self) -> bool {
        self.conversation.nonprofits.len() > 1
            && says_any(self.text, &["asks for advice", "asks for candidates"])
            && !self.asks_anew()
            && self.rank().is_none()
    }

    /// The first of those shown side by side, since no record tells which is best.
    pub(super) fn advice(mut self) -> Result<Answer> {
        // The one mentioned last is not all that is asked about.
        self.conversation.focus = None;
        let said = text("advice", self.language);
        let answer = self.compare()?;
        let message = format!("{said} {}", answer.message);
        Ok(Answer { message, ..answer })
    }

    /// Compares nonprofits that are named or were shown, side by side.
    pub(super) fn compare(self) -> Result<Answer> {
        // `which of the two has more saved up`.
        let is_shown = !self.conversation.nonprofits.is_empty();
        let asks_which = says(self.text, "which of")
            || (opens_with(self.text, "which one") && self.conversation.nonprofits.len() > 1);
        if is_shown && asks_which && !self.has(Role::Name) && self.rank().is_some() {
            return self.most();
        }
        let explicit = self.explicit_referents()?;
        if explicit == Referents::Nobody && self.refers_to_candidates() {
            return self.ask_which();
        }
        let refers =
            says_any(self.text, &["of it", "those shown", "the two"]) || self.has(Role::Reference);
        if explicit == Referents::Nobody && !refers && says(self.text, "difference") {
            // A comparison of two kinds of things, not of two nonprofits.
            return self.knowledge();
        }
        let mut eins = match self.referents()? {
            Referents::Of(eins) => eins,
            Referents::Called(called) => return self.of_called(called),
            Referents::Beyond(number) => return self.beyond(number),
            Referents::Nobody => Vec::new(),
        };
        let shown = self.conversation.nonprofits.clone();
        let mut unknown = self.unknown_in(&eins)?;
        if says(self.text, "adds to a comparison") && shown.len() < COMPARED_MAX {
            let named = std::mem::replace(&mut eins, shown.clone());
            eins.extend(named.into_iter().filter(|ein| !shown.contains(ein)).collect::<Vec<_>>());
        }
        // `compare it with Preble Street`.
        if says(self.text, "one thing") && explicit != Referents::Nobody {
            match self.conversation.focus.or(shown.first().copied()) {
                Some(one) if !eins.contains(&one) => eins.insert(0, one),
                Some(_) => {}
                None => unknown.push(text("compare.it", self.language).to_owned()),
            }
        }
        if eins == shown {
            eins.truncate(if says(self.text, "the two") { 2 } else { COMPARED_OF_LIST });
        }
        self.add_called(&mut eins, &mut unknown)?;
        if let (Some(focus), false, true) =
            (self.conversation.focus, unknown.is_empty(), says(self.text, "one thing"))
        {
            // `is it bigger than the Zorblax Trust`: of it alone.
            eins = vec![focus];
        }
        if let ([ein], false) = (&eins[..], unknown.is_empty()) {
            return self.beside_nobody(*ein, &unknown);
        }
        if eins.len() < 2 {
            // A referenced one and the one mentioned last, else the first two.
            let focus = self.conversation.focus.into_iter();
            let others: Vec<Ein> = match shown.len() {
                1 => self.last_two(),
                _ => focus.chain(shown.iter().copied().take(2)).collect(),
            };
            eins.extend(others.into_iter().filter(|ein| !eins.contains(ein)).collect::<Vec<_>>());
            eins.truncate(2);
        }
        self.compare_all(eins, &unknown)
    }

    /// The facts of one nonprofit that was to be compared with names that nobody has.
    fn beside_nobody(self, ein: Ein, unknown: &[String]) -> Result<Answer> {
        let nobody = |asked: &String| phrase!("compare.nobody", asked).say(self.language);
        let said = unknown.iter().map(nobody).collect::<Vec<_>>().join(" ");
        let answer = self.details_of(ein)?;
        Ok(Answer { message: format!("{said} {}", answer.message), ..answer })
    }

    /// Moves the names that the only nonprofit called so bears from those unknown to those compared.
    fn add_called(&self, eins: &mut Vec<Ein>, unknown: &mut Vec<String>) -> Result<()> {
        let mut nobody = Vec::new();
        for asked in unknown.drain(..) {
            match self.only_called(&asked)? {
                Some(ein) if !eins.contains(&ein) => eins.push(ein),
                Some(_) => {}
                None => nobody.push(asked),
            }
        }
        *unknown = nobody;
        Ok(())
    }

    /// The main facts, or those asked for, of some nonprofits side by side; `unknown` are names that nobody has.
    pub(super) fn compare_all(mut self, mut eins: Vec<Ein>, unknown: &[String]) -> Result<Answer> {
        eins.truncate(COMPARED_MAX);
        let organizations = self.records(&eins)?;
        if organizations.len() < 2 {
            return self.reply(Intent::NonprofitDetails, "nothing_to_compare");
        }
        let names: Vec<String> = organizations.iter().map(|one| one.name.clone()).collect();
        let unknown =
            unknown.iter().map(|asked| phrase!("compare.nobody", asked).say(self.language));
        let mut said: Vec<String> = unknown.collect();
        said.push(phrase!("compare.head", names).say(self.language));
        for fact in self.facts_compared() {
            match fact {
                DialogueAct::Pay => said.extend(self.pay_of_each(&eins)?),
                fact => said.extend(self.compared(fact, &organizations)?),
            }
        }
        said.push(text("compare.note", self.language).to_owned());
        self.conversation.show_nonprofits(eins, organizations.len() as u64);
        self.of_organizations(organizations, said.join(" "))
    }

    /// What each of some nonprofits pays its people, a sentence of each.
    fn pay_of_each(&self, eins: &[Ein]) -> Result<Vec<String>> {
        let mut said = Vec::new();
        for ein in eins {
            let Some(profile) = self.profile(*ein)? else { continue };
            said.push(profile.sentences(self.snapshot, &[DialogueAct::Pay])?);
        }
        Ok(said)
    }

    /// What a message compares; the main facts, if it names none.
    fn facts_compared(&self) -> Vec<DialogueAct> {
        let figure = meaning_in(self.text, "figure compared").and_then(DialogueAct::named);
        let asked = self.request.fact().filter(|fact| !COMPARED.contains(fact));
        let joined = facts_joined(self.text).into_iter().filter_map(DialogueAct::named);
        let joined: Vec<DialogueAct> = joined.collect();
        // `is it older than Preble Street?`
        let ranked = self.rank().and_then(|sort| match sort.key {
            SortKey::Figure(Figure::RulingYear) => Some(DialogueAct::Founded),
            SortKey::Figure(figure) => DialogueAct::named(figure.name()),
            _ => None,
        });
        let ranked = ranked.filter(|_| says(self.text, "against another"));
        match figure.or(ranked) {
            _ if says_any(self.text, &["is paid", "earns"])
                && says_any(self.text, &["office", "is paid"]) =>
            {
                vec![DialogueAct::Pay]
            }
            _ if !joined.is_empty() => joined,
            Some(figure) => vec![figure],
            None => asked.into_iter().chain(COMPARED).collect(),
        }
    }

    /// The names in a comparison that are of none of some nonprofits.
    fn unknown_in(&self, eins: &[Ein]) -> Result<Vec<String>> {
        let compared = self.records(eins)?;
        let mut unknown = Vec::new();
        for asked in self.all_words(Role::Name).map(str::trim) {
            let found = named_organization(asked, NameUse::Itself, self.snapshot)?;
            let is_of_one = all_words_of(&found, &compared).is_some()
                || found.ein.is_some_and(|ein| eins.contains(&ein))
                || compared.iter().any(|one| {
                    is_called(one, asked) || normalise(asked).contains(&normalise(&one.name))
                });
            if !is_of_one && self.resolved(found)?.map_or(true, |ein| !eins.contains(&ein)) {
                unknown.push(asked.to_owned());
            }
        }
        Ok(unknown)
    }

    /// A fact of several nonprofits in a line; `None` if it is unknown for all of them.
    fn compared(&self, fact: DialogueAct, all: &[Organization]) -> Result<Option<String>> {
        let mut values = Vec::new();
        for one in all {
            let value = self.profile(one.ein)?.and_then(|profile| profile.value(fact));
            let files_postcard = fact == DialogueAct::Revenue
                && one.finances.filing_duty() == Some(FilingDuty::Postcard);
            let most = || text("compare.postcard", self.language).to_owned();
            values.push(value.or_else(|| files_postcard.then(most)));
        }
        let label = match fact {
            DialogueAct::Address => "place",
            DialogueAct::Mission => "cause",
            other => other.name(),
        };
        let label = text(&format!("compare.{label}"), self.language);
        let is_asked = meaning_in(self.text, "figure compared") == Some(fact.name());
        let is_main = is_asked || matches!(fact, DialogueAct::Revenue | DialogueAct::Assets);
        if values.iter().all(Option::is_none) {
            let values = text("compare.none", self.language);
            return Ok(is_main.then(|| phrase!("compare.line", label, values).say(self.language)));
        }
        let unknown = text("compare.unknown", self.language);
        let values: Vec<&str> =
            values.iter().map(|value| value.as_deref().unwrap_or(unknown)).collect();
        let said = match values.iter().all(|value| *value == values[0]) {
            true => phrase!("compare.same", value = values[0]).part(self.language),
            false => {
                let line = |(one, value): (&Organization, &&str)| {
                    phrase!("compare.value", name = one.name, value).part(self.language)
                };
                all.iter().zip(&values).map(line).collect::<Vec<_>>().join("; ")
            }
        };
        let line = phrase!("compare.line", label, values = said.trim_end_matches('.'));
        Ok((!label.is_empty()).then(|| line.say(self.language)))
    }
}

/// What the first of some facts is called that full returns tell.
fn what(facts: &[DialogueAct], language: Language) -> Option<&'static str> {
    let mut named = facts.iter().map(|fact| text(&format!("what.{}", fact.name()), language));
    named.find(|what| !what.is_empty())
}

/// That nobody shown has a fact on file.
pub(super) fn none_has(facts: &[DialogueAct], language: Language) -> String {
    match what(facts, language) {
        Some(what) => phrase!("which.unknown.of", what).say(language),
        None => text("which.unknown", language).to_owned(),
    }
}
