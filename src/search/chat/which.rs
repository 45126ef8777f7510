//! Which of those shown do or have something.

use super::phrase::phrase;
use super::shown::none_has;
use super::{Answer, Intent, Result, Turn, says_any};
use crate::naming::normalise;
use crate::query::Filters;
use crate::reader::{Act, Operation, Role, Span};
use crate::record::{Ein, Organization};
use crate::search::sentence::words_of;
use crate::taxonomy;
use crate::understand::{
    Names as _, cause_of, decode, has_stem, has_year_bound, is_generic, is_kind_word, says, tells,
};

/// Nonprofits that an answer names as having something.
const HAVING_NAMED: usize = 6;

impl Turn<'_> {
    /// Which of those shown have a property.
    pub(super) fn which(mut self) -> Result<Answer> {
        let is_wanted = |span: &Span| span.operation != Operation::Not;
        let says_place = |span: &Span| span.role == Role::Place && is_wanted(span);
        if self.message.spans.iter().any(says_place) || self.conversation.nonprofits.is_empty() {
            self.message.act.label = Act::On;
            return self.search();
        }
        if says(self.text, "one of two") {
            self.request.acts = self.request.fact().into_iter().collect();
            return self.facts();
        }
        // `is there one for the grieving, not the nursing`.
        let is_left_out = |span: &Span| span.role == Role::Cause && !is_wanted(span);
        if self.message.spans.iter().any(is_left_out) {
            self.message.act.label = Act::On;
            return self.search();
        }
        // `which of those take in less than a million`.
        let bounds = [
            Role::Amount,
            Role::Revenue,
            Role::Expenses,
            Role::Assets,
            Role::Employees,
            Role::Size,
        ];
        let is_bound = bounds.into_iter().any(|role| self.has(role)) || has_year_bound(self.text);
        if is_bound && !self.has(Role::Cause) {
            self.message.act.label = Act::On;
            return self.search();
        }
        let mut shown = self.records(&self.conversation.nonprofits)?;
        if says(self.text, "safest of them") {
            return self.which_have(&shown);
        }
        if is_bound {
            shown = self.within_bounds(shown)?;
        }
        if shown.is_empty() {
            return self.reply(Intent::NonprofitDetails, "which.bounds");
        }
        let mut asked: Vec<String> = self.all_words(Role::Cause).map(without_leads).collect();
        if asked.is_empty() && self.request.probable_fact().is_none() && !asks_to_trust(self.text) {
            asked.extend(self.kind_asked());
        }
        match asked.is_empty() {
            false => self.which_do(&shown, &asked),
            true => self.which_have(&shown),
        }
    }

    /// Those within the bounds of the message: `which of those are about art and have at least 1 million`.
    fn within_bounds(&self, shown: Vec<Organization>) -> Result<Vec<Organization>> {
        let frame = decode(self.text, &self.message, None, self.snapshot)?.heard.frame;
        let filters = Filters { ranges: frame.ranges, ..Filters::default() };
        let mut kept = Vec::new();
        for one in shown {
            kept.extend(self.snapshot.selects(&filters, one.ein)?.then_some(one));
        }
        Ok(kept)
    }

    /// Those whose name, code or mission has a word for each thing asked for; apart from these, those whose code may stand for
    /// it. If no words are met and the message is not about the rows shown (`are there any that do legal help`), others of the
    /// place follow.
    fn which_do(mut self, shown: &[Organization], asked: &[String]) -> Result<Answer> {
        let mut said = Vec::new();
        let mut all: Vec<Organization> = Vec::new();
        let mut is_mentioned = false;
        for words in asked {
            let Some(word) = self.rarest_word(words)? else { continue };
            let codes = cause_of(words, self.snapshot)?;
            let codes = if codes.cause_is_term { codes.cause_ntee } else { Vec::new() };
            let mentions = |one: &Organization| has_stem(&words_of(one), &word);
            let has_code = |one: &Organization| {
                let code = one.ntee.or(one.group_ntee);
                code.is_some_and(|code| codes.iter().any(|own| code.as_str().starts_with(&**own)))
            };
            let (found, others): (Vec<_>, Vec<_>) = shown.iter().partition(|one| mentions(one));
            let of_code: Vec<&Organization> =
                others.into_iter().filter(|one| has_code(one)).collect();
            is_mentioned |= !found.is_empty();
            let names: Vec<String> =
                found.iter().take(HAVING_NAMED).map(|one| one.name.clone()).collect();
            let coded: Vec<String> =
                of_code.iter().take(HAVING_NAMED).map(|one| self.with_title(one)).collect();
            let name = match (names.is_empty(), coded.is_empty()) {
                (true, true) => "which.none",
                (true, false) => "which.coded",
                (false, _) => "which.words",
            };
            let others = Some(coded.clone()).filter(|coded| !coded.is_empty());
            said.push(phrase!(name, names, words, coded, others).say(self.language));
            all.extend(found.into_iter().chain(of_code).cloned());
        }
        let asks_whether_any = says(self.text, "asks whether any");
        let is_of_shown = says(self.text, "of those shown");
        let is_open = !self.has(Role::Reference) || asks_whether_any;
        if !is_mentioned && is_open && (all.is_empty() || (asks_whether_any && !is_of_shown)) {
            // `any of them for Christians?` asks for the same need.
            let operation = if is_of_shown { Operation::Narrow } else { Operation::Set };
            for span in self.message.spans.iter_mut().filter(|span| span.role == Role::Cause) {
                span.operation = operation;
            }
            let answer = self.clone().search()?;
            let fits = answer.plan.as_ref().and_then(|plan| plan.fit);
            if is_of_shown && !answer.nonprofits.is_empty() {
                let none = phrase!("which.none.others", words = asked.join(", "));
                let message = format!("{} {}", none.say(self.language), answer.message);
                return Ok(Answer { message, ..answer });
            }
            if fits.is_some_and(|fit| fit.count > 0) {
                return Ok(answer);
            }
        }
        if said.is_empty() {
            return self.reply(Intent::NonprofitDetails, "which.unknown");
        }
        self.of_organizations(all, said.join(" "))
    }

    /// The kind that the message names beside the words of its question: `which of those is an actual shelter`.
    fn kind_asked(&self) -> Option<String> {
        let form = normalise(&self.unclaimed());
        let is_kind = |word: &&str| is_kind_word(word) && tells(word) && !is_generic(word);
        let kind: Vec<&str> = form.split(' ').filter(is_kind).collect();
        Some(kind.join(" ")).filter(|kind| !kind.is_empty())
    }

    /// The word of what is asked for that the fewest names have: `horse` of `horse rescues`.
    fn rarest_word(&self, words: &str) -> Result<Option<String>> {
        let mut rarest: Option<(u64, &str)> = None;
        for word in words.split(' ').filter(|word| tells(word)) {
            let frequency = self.snapshot.frequency(word)?;
            if rarest.is_none_or(|(least, _)| frequency < least) {
                rarest = Some((frequency, word));
            }
        }
        Ok(rarest.map(|(_, word)| word.to_owned()))
    }

    /// A nonprofit with the title of its code.
    fn with_title(&self, one: &Organization) -> String {
        let title = one.ntee.or(one.group_ntee).and_then(taxonomy::title);
        phrase!("which.titled", name = one.name, title).part(self.language)
    }

    /// Those with a known value of a fact.
    fn which_have(self, shown: &[Organization]) -> Result<Answer> {
        if asks_to_trust(self.text) {
            if self.conversation.danger.is_some() {
                // Whoever flees asks for another safety.
                return self.reply(Intent::NonprofitDetails, "which.safe_place");
            }
            let eins: Vec<Ein> = shown.iter().map(|one| one.ein).collect();
            return self.standing_of_several(&eins);
        }
        let Some(fact) = self.request.probable_fact() else {
            return self.reply(Intent::NonprofitDetails, "which.unknown");
        };
        let mut found = Vec::new();
        let mut names = Vec::new();
        for one in shown {
            let value = self.profile(one.ein)?.and_then(|profile| profile.value(fact));
            let Some(value) = value else { continue };
            names.push(phrase!("which.fact", name = one.name, value).part(self.language));
            found.push(one.clone());
        }
        names.truncate(HAVING_NAMED);
        let message = match names.is_empty() {
            true => none_has(&[fact], self.language),
            false => phrase!("which.known", count = found.len(), names).say(self.language),
        };
        self.of_organizations(found, message)
    }
}

/// Words in normal form, without those at the beginning that tell nothing: `christians` of `for Christians`.
fn without_leads(words: &str) -> String {
    let form = normalise(words);
    let telling: Vec<&str> = form.split(' ').skip_while(|word| !tells(word)).collect();
    if telling.is_empty() { form.clone() } else { telling.join(" ") }
}

/// Whether a text asks which of several is to be trusted with a gift.
fn asks_to_trust(text: &str) -> bool {
    says_any(text, &["asks whether to trust it", "safely", "safest of them"])
}
