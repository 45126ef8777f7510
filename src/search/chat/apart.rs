//! What is asked of people, of a gift, or of this program as of somebody who acts: answered apart from the parts of a
//! message.

use super::phrase::{phrase, text};
use super::pointed::is_kind;
use super::referents::Referents;
use super::sums::is_counting;
use super::worded::{act_of, is_amount};
use super::{Answer, Intent, Result, Turn, says_any};
use crate::reader::{DialogueAct, Role, Span};
use crate::record::Ein;
use crate::search::standing::latest;
use crate::sources::SourceKind;
use crate::understand::{Subject, asks_for_several, meanings_in, opens_with, said_in, says};

/// Words of a message that asks whether a gift in a will is deductible, and of nothing else.
const BEQUEST_WORDS_MAX: usize = 24;

impl Turn<'_> {
    /// Whether the words of the message decide its act.
    pub(super) fn is_worded(&self) -> bool {
        let act = act_of(self.text, &self.message, &self.conversation.known());
        act == Some(self.request.act())
    }

    /// The answer to what is asked of people, of a gift, or of this program as of somebody who acts.
    pub(super) fn asked_apart(mut self) -> Result<Option<Answer>> {
        self.conversation.pending = None;
        match self.request.act() {
            DialogueAct::Errand if says(self.text, "handles a list") => {
                self.reply(Intent::Unknown, "errand.list").map(Some)
            }
            DialogueAct::Errand => self.reply(Intent::Unknown, "errand").map(Some),
            _ if self.asks_for_judgement() => self.reply(Intent::Knowledge, "judgement").map(Some),
            DialogueAct::Boards => self.boards().map(Some),
            DialogueAct::Vetting => self.vetted().map(Some),
            _ if self.doubts_caller() => self.solicited().map(Some),
            _ if self.asks_for_help_line() => self.reply(Intent::Knowledge, "help_line").map(Some),
            _ if self.asks_of_public_program() => {
                self.reply(Intent::Knowledge, "public_program").map(Some)
            }
            _ if self.asks_for_revoked()? => {
                self.conversation.subject = Subject::Revocations;
                self.reply(Intent::FindNonprofits, "revoked.not_loaded").map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Whether it is asked which nonprofits lost their exemption, where no list of those is loaded.
    fn asks_for_revoked(&self) -> Result<bool> {
        let sources = &self.snapshot.manifest.sources;
        if latest(sources, SourceKind::RevocationList).is_some() {
            return Ok(false);
        }
        if self.goes_on_about_revoked() {
            return Ok(true);
        }
        let standings = meanings_in(self.text, "standing");
        let has = |standing| standings.contains(&standing);
        let loses = has("revoked") || (says(self.text, "lost") && says(self.text, "tax exemption"));
        let is_of_any = says(self.text, "nonprofit of any kind")
            || asks_for_several(self.text)
            || self.has(Role::Cause)
            || self.has(Role::Place)
            || self.has(Role::Foundation);
        // `did it lose its exemption`, `was Preble Street revoked`: that is asked of one.
        let is_of_one = self.has(Role::Name)
            || self.has(Role::Ein)
            || self.has(Role::Reference)
            || says(self.text, "of those shown")
            || (!is_of_any && !self.conversation.nonprofits.is_empty());
        if !loses || has("not revoked") || is_of_one {
            return Ok(false);
        }
        Ok(!self.explains_anybody()? && self.surely_named()?.is_none())
    }

    /// Whether a message asks for a number that helps, and for nobody's own.
    fn asks_for_help_line(&self) -> bool {
        let is_of_one = self.has(Role::Name) || self.conversation.focus.is_some();
        says(self.text, "asks for a help line") && !is_of_one && !self.has(Role::Amount)
    }

    /// Whether a message asks what a public program pays or who gets it: `does Medicaid pay for rides`.
    fn asks_of_public_program(&self) -> bool {
        let is_of_nonprofit = says(self.text, "nonprofit of any kind") || self.has(Role::Ein);
        says(self.text, "public program")
            && !says(self.text, "tax")
            && opens_with(self.text, "question opening")
            && says_any(self.text, &["auxiliary verb", "asks how"])
            && !is_of_nonprofit
            && !self.has(Role::Place)
            && !says_any(self.text, &["of those shown", "those shown", "of it"])
    }

    /// Whether a message asks which of two kinds of giving does more good.
    fn asks_for_judgement(&self) -> bool {
        let is_of_some =
            says_any(self.text, &["those shown", "of those shown", "the two", "of it"]);
        let names = [Role::Name, Role::Ein, Role::Place].into_iter().any(|role| self.has(role));
        says(self.text, "does more good") && !is_of_some && !names
    }

    /// Whether a message goes on about who lost an exemption: `how many in Kanawha County?`.
    fn goes_on_about_revoked(&self) -> bool {
        let is_of_others =
            [Role::Name, Role::Ein, Role::Cause].into_iter().any(|role| self.has(role));
        let counts = is_counting(self.request.act()) && !says(self.text, "nonprofit of any kind");
        let goes_on = counts || says(self.text, "lost") || opens_with(self.text, "asks the same");
        self.conversation.subject == Subject::Revocations && !is_of_others && goes_on
    }

    /// Whether somebody who asks for money is doubted; the IRS asks for none by telephone.
    fn doubts_caller(&self) -> bool {
        says(self.text, "solicits the asker")
            && says(self.text, "doubts")
            && !says(self.text, "tax authority")
    }

    /// What to do where somebody asks the asker for money in the name of a nonprofit, and who is called so: `somebody called
    /// me from the Wounded Warriors fund, is it a scam`.
    fn solicited(mut self) -> Result<Answer> {
        let of_caller = |span: &Span| matches!(span.role, Role::Name | Role::Ein);
        let has_name = self.message.spans.iter().any(of_caller);
        let typed = self.text;
        for span in self.message.spans.iter_mut().filter(|_| !has_name) {
            if span.role == Role::Cause && typed[span.bytes.clone()].contains(char::is_uppercase) {
                span.role = Role::Name;
            }
        }
        self.message.spans.retain(of_caller);
        self.request.acts = vec![DialogueAct::Standing];
        let said = text("solicited", self.language);
        let named = self.explicit_referents()?;
        match self.clone().standing_behind(said, named)? {
            Some(answer) => Ok(answer),
            None => self.reply(Intent::Unknown, "solicited"),
        }
    }

    /// What the lists say of whoever a wrong is asked after, and that they judge nobody: `is Feeding South Dakota a scam?`.
    pub(super) fn accused(mut self) -> Result<Answer> {
        self.request.acts = vec![DialogueAct::Standing];
        let said = text("accusation.of_one", self.language);
        let named = self.referents()?;
        match self.clone().standing_behind(said, named)? {
            Some(answer) => Ok(answer),
            None => self.reply(Intent::Unknown, "accusation"),
        }
    }

    /// A text and behind it what the lists say of whoever is meant; `None` where nobody is.
    fn standing_behind(self, said: &str, meant: Referents) -> Result<Option<Answer>> {
        let answer = match meant {
            Referents::Of(eins) => self.details_of(eins[0])?,
            Referents::Called(name) => self.of_called(name)?,
            _ => return Ok(None),
        };
        Ok(Some(Answer { message: format!("{said} {}", answer.message), ..answer }))
    }

    /// What to check of the nonprofit that is to be given to; else those that the message describes.
    fn vetted(mut self) -> Result<Answer> {
        self.message.spans.retain(|span| !is_amount(span.role));
        self.leave_places_of_names()?;
        if let Some(named) = self.named_after()? {
            return self.details_of(named.ein);
        }
        let shown = &self.conversation.nonprofits;
        let is_of_shown = says_any(self.text, &["which of", "those shown", "of those shown"]);
        if is_of_shown && !self.has(Role::Name) && shown.len() > 1 {
            let eins = shown.clone();
            return self.standing_of_several(&eins);
        }
        let named = match self.explicit_referents()? {
            Referents::Of(eins) => eins.first().copied(),
            _ => self.surely_named()?,
        };
        // `is it safe to give to Red Bird Relief`: its `it` is nobody.
        let is_pronoun = says(self.text, "of it") && !self.has(Role::Name);
        let named = named.or(self.conversation.focus.filter(|_| is_pronoun));
        match named {
            Some(ein) => self.details_of(ein),
            None if opens_with(self.text, "vets") && self.take_words_for_name() => self.facts(),
            None if self.has(Role::Name) => self.facts(),
            None => {
                self.request.acts = vec![DialogueAct::Search];
                self.search()
            }
        }
    }

    /// Which of some nonprofits may get deductible gifts by the lists; none is ranked by trust.
    pub(super) fn standing_of_several(self, eins: &[Ein]) -> Result<Answer> {
        let (mut deductible, mut others) = (Vec::new(), Vec::new());
        for ein in eins {
            let Some(profile) = self.profile(*ein)? else { continue };
            let name = profile.organization().name.clone();
            if profile.is_deductible() {
                deductible.push(name);
            } else {
                let value = profile.value(DialogueAct::Deductible);
                let value =
                    value.unwrap_or_else(|| text("compare.unknown", self.language).to_owned());
                others.push(phrase!("which.fact", name, value).part(self.language));
            }
        }
        let shown = self.records(eins)?;
        let count = others.is_empty().then_some(deductible.len());
        let names = Some(deductible).filter(|names| !others.is_empty() && !names.is_empty());
        let others = (!others.is_empty()).then(|| others.join("; "));
        let message = phrase!("which.trusted", count, names, others).say(self.language);
        self.of_organizations(shown, message)
    }

    /// The answer to whether a gift in a will is deductible, whoever gets it.
    pub(super) fn deductible_bequest(&self) -> Result<Option<Answer>> {
        let asks = says(self.text, "bequest")
            && says(self.text, "word of deduction")
            && self.text.split_whitespace().count() <= BEQUEST_WORDS_MAX;
        asks.then(|| self.clone().reply(Intent::Knowledge, "deductible.bequest")).transpose()
    }

    /// The answer to whether gifts to a kind of nonprofit are deductible: `can I deduct a donation to my church`; `None` where
    /// the kind is that of one shown.
    pub(super) fn deductible_kind(&self) -> Result<Option<Answer>> {
        let lead = said_in(self.text, "gift goes to").first().map(|said| said.end);
        let asks = says(self.text, "word of deduction")
            && opens_with(self.text, "question opening")
            && !self.has(Role::Ein);
        let Some(start) = lead.filter(|_| asks) else { return Ok(None) };
        let is_end = |word: &str| says_any(word, &["word of deduction", "behind name"]);
        let rest = self.text[start..].split_whitespace();
        let words: Vec<&str> = rest.take_while(|word| !is_end(word)).collect();
        let is_shown = words.first().is_some_and(|word| says(word, "points at one"))
            && !self.conversation.nonprofits.is_empty();
        let bare = |word: &&str| !says_any(word, &["leading article", "owner"]);
        let kind: Vec<&str> = words.into_iter().skip_while(|word| !bare(word)).collect();
        let kind = kind.join(" ");
        let kind = kind.trim_matches(|c: char| !c.is_alphanumeric());
        if is_shown || !is_kind(kind) || kind.contains(char::is_uppercase) {
            return Ok(None);
        }
        self.clone().reply(Intent::Knowledge, "deductible.kind").map(Some)
    }
}
