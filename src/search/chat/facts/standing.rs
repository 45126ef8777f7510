//! What the IRS's lists establish of one nonprofit: whether it is exempt, of which kind, and
//! whether gifts are deductible. Where no list was checked, the answer says so.

use super::Profile;
use crate::reader::DialogueAct;
use crate::record::Subsection;
use crate::search::chat::phrase::{Phrase, text};
use crate::search::standing::{Check, Standing, State};
use crate::sources::{SourceKind, Summary, Vintage};

/// The greatest number of a subsection of section 501(c); greater ones stand for other sections.
const SUBSECTION_MAX: u8 = 29;

impl Profile<'_> {
    fn checked(&self) -> Standing<'_> {
        Standing::of(self.organization(), self.traced.sources)
    }

    /// A sentence with its name.
    fn named(&self, name: &str) -> Phrase {
        Phrase::new(name).with("name", &self.organization().name)
    }

    /// Whether it is exempt, and whether that was revoked.
    pub(super) fn standing(&self) -> String {
        let standing = self.checked();
        if standing.revocation.state == State::Yes {
            return self.revoked(&standing);
        }
        let exemption = &self.organization().exemption;
        let list = self.list(standing.exemption);
        let first = match (standing.exemption.state, standing.in_master_file) {
            (State::Yes, _) => self
                .named("standing.yes")
                .with("list", list)
                .with("kind", self.kind())
                .with_some("month", exemption.ruling),
            (State::No, _) => self
                .named("standing.no")
                .with("list", list)
                .with_some("section", exemption.subsection.and_then(Subsection::section)),
            (State::NotChecked, Some(true)) => self.named("standing.listed").with("list", list),
            (State::NotChecked, Some(false)) => self.named("standing.returns"),
            (State::NotChecked, None) => self.named("standing.unlisted"),
        };
        let mut said = vec![self.say(&first), self.not_revoked(&standing)];
        if standing.exemption.state == State::Yes {
            said.push(self.say(&Phrase::new("standing.limit")));
        }
        said.join(" ")
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
        let kind = self.organization().exemption.subsection.map(|_| self.kind());
        let first = self.named(name).with("list", self.list(check)).with_some("kind", kind);
        let mut said = vec![self.say(&first)];
        if check.state == State::Yes {
            said.push(self.say(&Phrase::new("deductible.conditions")));
            said.push(self.not_revoked(&standing));
        }
        said.join(" ")
    }

    /// Whether it is exempt, or gifts are deductible, in a few words.
    pub(super) fn standing_value(&self, fact: DialogueAct) -> Option<String> {
        let standing = self.checked();
        let name = match (fact, standing.revocation.state) {
            (DialogueAct::Standing | DialogueAct::Deductible, State::Yes) => "value.revoked",
            (DialogueAct::Standing, _) if standing.exemption.state == State::Yes => "value.listed",
            (DialogueAct::Deductible, _) => match standing.deductibility.state {
                State::Yes => "value.deductible",
                State::No => "value.not_deductible",
                State::NotChecked => return None,
            },
            _ => return None,
        };
        Some(text(name, self.language).to_owned())
    }

    /// What it is by the law: section, and public charity or private foundation.
    pub(super) fn kind(&self) -> String {
        let exemption = &self.organization().exemption;
        let Some(subsection) = exemption.subsection else {
            return text("kind.unknown", self.language).to_owned();
        };
        let section = match subsection.number() {
            number if number <= SUBSECTION_MAX => format!("501(c)({number})"),
            _ => subsection.section().unwrap_or_else(|| subsection.to_string()),
        };
        let foundation = exemption.foundation.filter(|_| subsection == Subsection::CHARITABLE);
        let name = match foundation.map(|code| (code.number(), code)) {
            Some((2 | 3, _)) => "kind.operating",
            Some((_, code)) if code.is_private_foundation() => "kind.foundation",
            Some((10.., _)) => "kind.charity",
            _ => "kind.section",
        };
        Phrase::new(name).with("section", section).part(self.language)
    }

    fn revoked(&self, standing: &Standing<'_>) -> String {
        let entry = self.organization().exemption.revocation.as_ref();
        self.say(
            &self
                .named("standing.revoked")
                .with("list", self.list(standing.revocation))
                .with_some("day", entry.map(|entry| entry.revoked)),
        )
    }

    /// That it is on no revocation list, that it was reinstated, or that nobody looked.
    fn not_revoked(&self, standing: &Standing<'_>) -> String {
        if standing.revocation.state == State::NotChecked {
            return self.say(&Phrase::new("standing.unchecked"));
        }
        let entry = self.organization().exemption.revocation.as_ref();
        self.say(&match entry.and_then(|entry| entry.reinstated) {
            Some(day) => Phrase::new("standing.reinstated").with("day", day),
            None => {
                Phrase::new("standing.not_revoked").with("list", self.list(standing.revocation))
            }
        })
    }

    /// The list that decided, and as of when it speaks.
    fn list(&self, check: Check<'_>) -> String {
        self.as_of(check.kind, check.list)
    }

    /// A list, and as of when it speaks.
    pub(in crate::search::chat) fn as_of(
        &self,
        kind: SourceKind,
        list: Option<&Summary>,
    ) -> String {
        let name = match kind {
            SourceKind::MasterFile => "source.master_file",
            SourceKind::Publication78 => "source.publication_78",
            SourceKind::RevocationList => "source.revocations",
            SourceKind::Postcard => "source.postcards",
            SourceKind::Returns => "source.returns",
            SourceKind::Extract => "source.extracts",
            SourceKind::Approvals => "source.approvals",
            SourceKind::FilingIndex => "source.filing_index",
            SourceKind::Curated | SourceKind::Feed => "source.operator",
        };
        let title = text(name, self.language);
        let Some(Vintage { date, .. }) = list.and_then(Summary::vintage) else {
            return title.to_owned();
        };
        Phrase::new("source.dated").with("list", title).with("day", date).part(self.language)
    }
}
