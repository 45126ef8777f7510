//! What the IRS's lists establish of one nonprofit: whether it is exempt, of which kind, and
//! whether gifts are deductible. Where no list was checked, the answer says so.

use super::{Act, Mention, Profile};
use crate::reader::Language;
use crate::record::{DeductionLimit, Exemption, Subsection};
use crate::search::chat::phrase::{Phrase, Value, phrase, text};
use crate::search::chat::says_any;
use crate::search::standing::{Check, Standing, State, cautions};
use crate::sources::{SourceKind, Summary};
use crate::understand::says;

impl Profile<'_> {
    fn checked(&self) -> Standing<'_> {
        Standing::of(self.organization(), self.traced.sources)
    }

    /// Whether it is exempt, whether that was revoked, and what to mind.
    pub(super) fn standing(&self) -> String {
        [self.exempt()].into_iter().chain(self.cautions()).collect::<Vec<_>>().join(" ")
    }

    /// Whether it is exempt, and whether that was revoked.
    fn exempt(&self) -> String {
        let standing = self.checked();
        if standing.revocation.state == State::Yes {
            return self.revoked(&standing);
        }
        let exemption = &self.organization().exemption;
        let list = self.list(standing.exemption);
        let asks_loss = says(self.text, "lost") || says(self.text, "still active");
        // Who asks whether to trust it or to give, or whether it was revoked, gets no yes for its being listed.
        let asks_to_give = [
            "of trust",
            "asker gives",
            "safely",
            "asks whether to give",
            "asks whether it may get a grant",
        ];
        let is_listed_only = asks_loss
            || self.is_asked_by_grantor
            || !says(self.text, "of registration")
            || says_any(self.text, &asks_to_give);
        let name = match (standing.exemption.state, standing.in_master_file) {
            (State::Yes, _) if self.asks_charity_of_other() => "standing.no_charity",
            (State::Yes, _) if is_listed_only => "standing.still",
            (State::Yes, _) => "standing.yes",
            (State::No, _) => "standing.no",
            (State::NotChecked, Some(true)) => "standing.listed",
            (State::NotChecked, Some(false)) => "standing.returns",
            (State::NotChecked, None) => "standing.unlisted",
        };
        let (kind, month) = (self.kind(), exemption.ruling);
        let section = exemption.section();
        let first = self.say(phrase!(name, list, kind, month, section));
        let no_gifts = self.without_deduction().filter(|_| standing.exemption.state == State::Yes);
        let no_gifts = no_gifts.map(|phrase| self.say(phrase)).into_iter();
        let mut said = match asks_loss {
            true => vec![self.not_revoked(&standing, "standing.kept"), first],
            false => vec![first],
        };
        said.extend(no_gifts);
        if !asks_loss {
            said.push(self.not_revoked(&standing, "standing.not_revoked"));
        }
        if standing.exemption.state == State::Yes {
            said.push(self.say(phrase!("standing.limit")));
        }
        said.join(" ")
    }

    /// Whether the message asks if it is a charity, and its exemption is that of another kind, to which no gifts are deductible
    /// either, as they are to many veterans' organizations.
    fn asks_charity_of_other(&self) -> bool {
        let subsection = self.organization().exemption.subsection;
        let is_other = subsection.is_some_and(|own| own != Subsection::CHARITABLE);
        is_other && self.checked().deductibility.state != State::Yes && says(self.text, "charity")
    }

    /// That gifts are not deductible, where it is exempt as something else than a charity.
    fn without_deduction(&self) -> Option<Phrase> {
        let is_other = self.organization().exemption.subsection != Some(Subsection::CHARITABLE);
        let is_none = self.checked().deductibility.state == State::No;
        (is_other && is_none).then(|| phrase!("kind.no_gifts"))
    }

    /// What it is by the law, as the answer to whether it is a charity where that is asked.
    pub(super) fn kind_sentences(&self) -> Vec<Phrase> {
        let kind = self.sourced_kind();
        match self.asks_charity_of_other() {
            true => [phrase!("kind.no_charity", kind)]
                .into_iter()
                .chain(self.without_deduction())
                .collect(),
            false => vec![phrase!("kind", kind)],
        }
    }

    /// What to mind before relying on its standing.
    fn cautions(&self) -> Option<String> {
        let cautions = cautions(self.organization(), self.traced.sources);
        (!cautions.is_empty())
            .then(|| self.say(phrase!("standing.cautions", cautions = cautions.join("; "))))
    }

    /// Whether contributions to it are deductible.
    pub(super) fn deductibility(&self) -> String {
        let standing = self.checked();
        if standing.revocation.state == State::Yes {
            return self.revoked(&standing);
        }
        let check = standing.deductibility;
        let name = match check.state {
            State::Yes => "deductible.yes",
            State::No => "deductible.no",
            State::NotChecked => "deductible.unknown",
        };
        let subsection = self.organization().exemption.subsection;
        let kind = subsection.map(|_| self.sourced_kind());
        // That it is a charity is no reason why gifts are not deductible.
        let is_charity = subsection == Some(Subsection::CHARITABLE) && check.state == State::No;
        let (charity, kind) = if is_charity { (kind, None) } else { (None, kind) };
        let mut said = vec![self.say(phrase!(name, list = self.list(check), kind, charity))];
        if check.state == State::Yes {
            said.push(self.say(match self.organization().exemption.deduction_limit() {
                None => phrase!("deductible.conditions"),
                Some(DeductionLimit::Treaty) => phrase!("deductible.by_treaty"),
                Some(DeductionLimit::CharitablePurposes) => phrase!("deductible.of_lodge"),
                Some(DeductionLimit::PrivateFoundation) => phrase!("deductible.of_foundation"),
            }));
            said.push(self.not_revoked(&standing, "standing.not_revoked"));
            said.extend(self.cautions());
        }
        said.join(" ")
    }

    /// Whether a list says that gifts are deductible, and none that the exemption was revoked.
    pub(in crate::search::chat) fn is_deductible(&self) -> bool {
        let standing = self.checked();
        standing.deductibility.state == State::Yes && standing.revocation.state != State::Yes
    }

    /// Whether it is exempt, or gifts are deductible, in a few words.
    pub(super) fn standing_value(&self, fact: Act) -> Option<String> {
        let standing = self.checked();
        let name = match (fact, standing.deductibility.state) {
            _ if standing.revocation.state == State::Yes => "value.revoked",
            (Act::Standing, _) if standing.exemption.state == State::Yes => {
                return Some(phrase!("value.listed", kind = self.kind()).part(self.language));
            }
            (Act::Deductible, State::Yes) => "value.deductible",
            (Act::Deductible, State::No) => "value.not_deductible",
            _ => return None,
        };
        Some(self.text(name).to_owned())
    }

    /// What it is by the law, and that only its own return says so where no list that is loaded has it.
    pub(super) fn sourced_kind(&self) -> String {
        let Exemption { subsection, listings, .. } = &self.organization().exemption;
        let is_listed = [listings.master_file, listings.publication_78]
            .into_iter()
            .any(|list| list.is_listed() == Some(true));
        let kind = self.kind();
        match subsection.is_none() || is_listed {
            true => kind,
            false => phrase!("kind.returns", kind).part(self.language),
        }
    }

    /// Whether a grant to it rests on a list, how its finances are, and what the lists do not tell.
    pub(super) fn vetting(&self) -> String {
        let ein = self.organization().ein.to_string();
        let check = self.say(phrase!("vetting", ein));
        match self.grantable() {
            Some(phrase) => [self.say(phrase), self.exempt(), check].join(" "),
            None => [self.standing(), self.health(Mention::Pronoun), check].join(" "),
        }
    }

    /// Whether a grant of a foundation to it needs expenditure responsibility, where the message, or the one that it goes on
    /// from, asks whether it may get one; `None` where the lists do not tell.
    fn grantable(&self) -> Option<Phrase> {
        let standing = self.checked();
        let is_exempt =
            standing.exemption.state == State::Yes && standing.revocation.state != State::Yes;
        let lists =
            ["asks whether it may get a grant", "needs responsibility", "asker is a foundation"];
        let asks = self.is_asked_by_grantor || says_any(self.text, &lists);
        if !asks || !is_exempt {
            return None;
        }
        let exemption = &self.organization().exemption;
        Some(match (exemption.subsection?, exemption.caution_of_class()) {
            (Subsection::CHARITABLE, Some(caution)) => phrase!("vetting.caution", caution),
            (Subsection::CHARITABLE, None) => phrase!("vetting.charity"),
            _ => phrase!("vetting.no_charity"),
        })
    }

    /// What it is by the law: section, and public charity or private foundation.
    pub(super) fn kind(&self) -> String {
        let exemption = &self.organization().exemption;
        let Some(subsection) = exemption.subsection else {
            return self.text("kind.unknown").to_owned();
        };
        let section = exemption.section().unwrap_or_else(|| subsection.to_string());
        let foundation = exemption.foundation.filter(|_| subsection == Subsection::CHARITABLE);
        let name = match foundation.map(|code| (code.number(), code)) {
            _ if exemption.is_split_interest_trust() => "kind.section",
            Some((2 | 3, _)) => "kind.operating",
            Some((_, code)) if code.is_private_foundation() => "kind.foundation",
            Some((10.., _)) => "kind.charity",
            None if self.organization().is_private_foundation() == Some(true) => "kind.foundation",
            _ => "kind.section",
        };
        let class = self.class().filter(|_| name == "kind.charity");
        phrase!(name, section, class).part(self.language)
    }

    /// The paragraph of section 509(a) that makes it a public charity and its type, of a supporting organization or where the
    /// message asks for it.
    fn class(&self) -> Option<String> {
        let class = self.organization().exemption.foundation?.classification()?;
        let is_told = class.supporting.is_some() || says(self.text, "class of a charity");
        let (section, kind) = (class.section?, class.supporting.unwrap_or(class.said));
        let name = if class.supporting.is_some() { "class.supporting" } else { "class" };
        is_told.then(|| phrase!(name, section, kind).part(self.language))
    }

    fn revoked(&self, standing: &Standing<'_>) -> String {
        let entry = self.organization().exemption.revocation.as_ref();
        let day = entry.map(|entry| entry.revoked);
        self.say(phrase!("standing.revoked", list = self.list(standing.revocation), day))
    }

    /// That it is on no revocation list, in a sentence of this name, that it was reinstated, or that nobody looked.
    fn not_revoked(&self, standing: &Standing<'_>, sentence: &'static str) -> String {
        let entry = self.organization().exemption.revocation.as_ref();
        self.say(match entry.and_then(|entry| entry.reinstated) {
            _ if standing.revocation.state == State::NotChecked => phrase!("standing.unchecked"),
            Some(day) => phrase!("standing.reinstated", day),
            None => phrase!(sentence, list = self.list(standing.revocation)),
        })
    }

    /// The list that decided, and as of when it speaks.
    fn list(&self, check: Check<'_>) -> String {
        self.as_of(check.kind, check.list)
    }

    /// A list, and as of when it speaks.
    pub(crate) fn as_of(&self, kind: SourceKind, list: Option<&Summary>) -> String {
        as_of(kind, list, self.language)
    }
}

/// A list, and as of when it speaks, in a language.
pub(in crate::search::chat) fn as_of(
    kind: SourceKind,
    list: Option<&Summary>,
    language: Language,
) -> String {
    let name = text(&format!("source.{kind:?}"), language);
    // The day of a download says nothing of the list.
    match list.and_then(Summary::stated_vintage) {
        Some(vintage) => {
            let month = vintage.month().map(Value::Month);
            let day = month.unwrap_or(Value::Day(vintage.date));
            phrase!("source.dated", list = name, day).part(language)
        }
        None => name.to_owned(),
    }
}
