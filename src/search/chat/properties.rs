//! What the master file tells of each row shown: whether it is a public charity, a private foundation, or files no more
//! than the e-postcard. `are all of them public charities?`, `drop those that only file the e-postcard`.

use super::phrase::{phrase, text};
use super::referents::Referents;
use super::{Answer, Result, Turn, says_any};
use crate::reader::Role;
use crate::record::{Ein, FilingDuty, Organization, Subsection, named};
use crate::understand::{meaning_in, opens_with, says, superlative};

/// Rows that an answer names.
const NAMED_MAX: usize = 6;

named! {
    /// What a message asks of each row.
    Property {
        PublicCharity = "public_charity",
        Foundation = "foundation",
        Postcard = "postcard",
    }
}

impl Property {
    fn asked(message: &str) -> Option<Self> {
        Self::named(meaning_in(message, "property of one")?)
    }

    /// Whether an organization has it; `None` where the records do not tell.
    fn of(self, one: &Organization) -> Option<bool> {
        let is_foundation = one.is_private_foundation();
        match self {
            Self::PublicCharity => match one.exemption.subsection? {
                Subsection::CHARITABLE => is_foundation.map(|is_foundation| !is_foundation),
                _ => Some(false),
            },
            Self::Foundation => is_foundation,
            Self::Postcard => Some(one.finances.filing_duty()? == FilingDuty::Postcard),
        }
    }
}

impl Turn<'_> {
    /// What the message asks of the rows shown or takes away from them, by what the master file says of each.
    pub(super) fn of_rows_shown(&self) -> Result<Option<Answer>> {
        match self.without_named()? {
            Some(answer) => Ok(Some(answer)),
            None => self.property_of_shown(),
        }
    }

    /// Which of those shown have a property that the message asks about, or the list without these.
    fn property_of_shown(&self) -> Result<Option<Answer>> {
        let Some(property) = Property::asked(self.text) else { return Ok(None) };
        let speaks_of_shown =
            says_any(self.text, &["of those shown", "which of", "which one", "those shown"])
                || (says(self.text, "they") && says(self.text, "auxiliary verb"));
        let asks_else =
            says_any(self.text, &["how many", "sum", "compare", "asks who funds", "sum of all"])
                || superlative(self.text).is_some()
                || [Role::Cause, Role::Place, Role::Name, Role::Near]
                    .into_iter()
                    .any(|role| self.has(role));
        let shown = &self.conversation.nonprofits;
        if !speaks_of_shown || asks_else || shown.len() < 2 {
            return Ok(None);
        }
        let shown = self.records(shown)?;
        let all = shown.len();
        let is_it = |one: &Organization| property.of(one);
        let unknown = shown.iter().filter(|one| is_it(one).is_none()).count();
        if opens_with(self.text, "takes away") {
            let left = shown.iter().filter(|one| is_it(one) != Some(true));
            return self.clone().left_of_shown(left.map(|one| one.ein).collect()).map(Some);
        }
        let having: Vec<Organization> =
            shown.into_iter().filter(|one| is_it(one) == Some(true)).collect();
        let names: Vec<String> =
            having.iter().take(NAMED_MAX).map(|one| one.name.clone()).collect();
        let name = match having.len() {
            0 => "property.none",
            count if count == all => "property.all",
            _ => "property.some",
        };
        let what = text(&format!("property.{}", property.name()), self.language);
        let unknown = Some(unknown).filter(|count| *count > 0);
        let message = phrase!(name, shown = all, count = having.len(), what, names, unknown);
        self.clone().of_organizations(having, message.say(self.language)).map(Some)
    }

    /// The list without those that the message takes away by their number or their name: `leave out the first one`.
    fn without_named(&self) -> Result<Option<Answer>> {
        let shown = &self.conversation.nonprofits;
        if shown.len() < 2 || !opens_with(self.text, "takes away") || self.has(Role::Place) {
            return Ok(None);
        }
        let away = match (self.by_number(), self.has(Role::Name) && !self.has(Role::Cause)) {
            (Some(Referents::Of(eins)), _) => eins,
            (None, true) => self.only_names_shown()?.into_iter().collect(),
            _ => return Ok(None),
        };
        let left: Vec<Ein> = shown.iter().copied().filter(|ein| !away.contains(ein)).collect();
        if left.is_empty() || left.len() == shown.len() {
            return Ok(None);
        }
        self.clone().left_of_shown(left).map(Some)
    }
}
