//! Whether and how a private foundation takes applications for grants, as its Form 990-PF says; no other form does.

use super::figures::return_of;
use super::records::excerpt;
use super::{Act, Mention, Profile};
use crate::record::{Application, Filing, Posture};
use crate::search::chat::phrase::phrase;

impl Profile<'_> {
    /// What its latest return that says so, or that of the year, has on applications.
    pub(super) fn applications(&self, mention: Mention) -> String {
        let filings = &self.traced.filings;
        let found = match self.year {
            Some(year) => return_of(year, filings).and_then(with_posture),
            None => filings.iter().find_map(with_posture),
        };
        let Some((filing, posture)) = found else { return self.without_posture(mention) };
        let month = filing.tax_period();
        let Some(how) = posture.applications.first().filter(|_| !posture.only_preselected) else {
            return self.say(phrase!("applications.none", month));
        };
        let Application { addressee, address, phone, email, .. } = how;
        let addressee = addressee.as_deref().map(crate::search::officers::of_person);
        let mut said =
            vec![self.say(phrase!("applications", month, addressee, address, phone, email))];
        let terms = [
            ("applications.form", &how.form),
            ("applications.deadlines", &how.deadlines),
            ("applications.restrictions", &how.restrictions),
        ];
        said.extend(terms.into_iter().filter_map(|(name, filed)| {
            Some(self.say(phrase!(name, text = excerpt(filed.as_deref()?))))
        }));
        let count = posture.applications.len() - 1;
        if count > 0 {
            said.push(self.say(phrase!("applications.more", count)));
        }
        said.join(" ")
    }

    /// That no return says it, and where to ask.
    fn without_posture(&self, mention: Mention) -> String {
        if let Some(year) = self.year {
            return self.no_year(Act::Applications, year, mention);
        }
        let said = self.say(phrase!("not_known.applications"));
        let website = self.organization().website.as_ref();
        let reach = website.map(|url| self.say(phrase!("reach.website", url)));
        [Some(said), reach].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

fn with_posture(filing: &Filing) -> Option<(&Filing, &Posture)> {
    let posture = filing.posture.as_ref()?;
    posture.accepts_applications().map(|_| (filing, posture))
}
