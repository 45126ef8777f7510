//! Facts that one record says in words: where it is, how to reach it, since when it is exempt, what it does.

use super::figures::return_of;
use super::{Act, Mention, Profile};
use crate::naming::sentence_case;
use crate::reader::Language;
use crate::record::{Organization, as_written, filing_url};
use crate::search::chat::phrase::{Phrase, phrase, quoted};
use crate::taxonomy::{self, Cause};

/// Characters of a mission or a programme that a sentence quotes.
const QUOTED_CHARACTERS_MAX: usize = 240;

impl Profile<'_> {
    /// A fact that its record says, or that it is not there.
    pub(super) fn record(&self, fact: Act, mention: Mention) -> String {
        if let (Act::Filing, Some(year)) = (fact, self.year)
            && return_of(year, &self.traced.filings).is_none()
        {
            return self.no_year(fact, year, mention);
        }
        let known = self.recorded(fact);
        let mut said: Vec<String> = match known.is_empty() {
            false => known.into_iter().map(|phrase| self.about(mention, phrase)).collect(),
            true => {
                let why = match fact {
                    Act::Filing => "return",
                    Act::Impact | Act::Mission | Act::Phone => "never",
                    _ => "",
                };
                vec![self.unknown(fact, mention, why)]
            }
        };
        let organization = self.organization();
        let is_out_of_reach = match fact {
            Act::Phone => organization.phone.is_none(),
            Act::Website => organization.website.is_none(),
            fact => fact == Act::Volunteer,
        };
        if is_out_of_reach {
            let address = || Some(phrase!("reach.address", address = self.full_address()?));
            let website = organization.website.as_ref();
            let reach = website.map(|url| phrase!("reach.website", url)).or_else(address);
            said.extend(reach.map(|reach| self.say(reach)));
        }
        said.join(" ")
    }

    /// The sentences that its record has for a fact.
    fn recorded(&self, fact: Act) -> Vec<Phrase> {
        let organization = self.organization();
        let one = match fact {
            Act::Address => self
                .full_address()
                .map(|address| phrase!("address", address, county = organization.address.county)),
            Act::Phone => organization.phone.as_ref().map(|phone| phrase!("phone", phone)),
            Act::Website => organization.website.as_ref().map(|url| phrase!("website", url)),
            Act::Ein => Some(phrase!("ein", ein = organization.ein.dashed())),
            Act::Founded => self.founded(),
            Act::Mission => return self.mission(),
            Act::Kind => return self.kind_sentences(),
            Act::Code => self.code(),
            Act::Filing => return self.filing(),
            Act::Donate => self.donate(),
            Act::Volunteer => Some(phrase!("volunteer")),
            Act::Impact => {
                let summary = organization.impact_summary.as_deref();
                let said = summary.or_else(|| self.first_program());
                said.map(|said| phrase!("impact", text = excerpt(said)))
            }
            Act::Score => return self.score(),
            _ => None,
        };
        one.into_iter().collect()
    }

    /// Its street, town, state and ZIP code.
    fn full_address(&self) -> Option<String> {
        let organization = self.organization();
        let address = &organization.address;
        let place = place(organization)?;
        let zip = address.zip.map_or(String::new(), |zip| format!(" {zip}"));
        let street =
            address.street.as_deref().map_or(String::new(), |street| format!("{street}, "));
        Some(format!("{street}{place}{zip}"))
    }

    fn founded(&self) -> Option<Phrase> {
        let month = self.organization().exemption.ruling;
        match self.organization().year_formed {
            Some(year) => Some(phrase!("founded.formed", year, month)),
            None => month.map(|month| phrase!("founded.ruling", month)),
        }
    }

    fn mission(&self) -> Vec<Phrase> {
        let organization = self.organization();
        let own = organization.summary.as_ref();
        let own = own.map(|summary| phrase!("mission", text = excerpt(summary))).or_else(|| {
            let cause = cause(organization, self.language);
            cause.map(|cause| phrase!("mission.cause", cause))
        });
        let program = self.first_program();
        let program = program.map(|text| phrase!("mission.programs", text = excerpt(text)));
        own.into_iter().chain(program).collect()
    }

    /// Whether nothing that is loaded says what it does but its code.
    pub(in crate::search::chat) fn says_no_mission(&self) -> bool {
        self.organization().summary.is_none() && self.first_program().is_none()
    }

    /// The description of its largest program.
    fn first_program(&self) -> Option<&str> {
        let program = self.traced.filings.iter().find_map(|filing| filing.programs.first());
        program.map(|program| &*program.description)
    }

    fn code(&self) -> Option<Phrase> {
        let organization = self.organization();
        let Some(code) = organization.ntee else {
            return cause(organization, self.language).map(|cause| phrase!("code.none", cause));
        };
        let title = taxonomy::title(code);
        let area = taxonomy::issue_area(code).filter(|area| Some(*area) != title);
        let title = title.unwrap_or_default();
        Some(phrase!("code", code = code.to_string(), title, area))
    }

    /// The latest return, or that of the year; without any, which it has to file.
    fn filing(&self) -> Vec<Phrase> {
        let filings = &self.traced.filings;
        let filing = self.year.map_or(filings.first(), |year| return_of(year, filings));
        if let Some(filing) = filing {
            let name = if self.year.is_some() { "filing.year" } else { "filing" };
            let (year, month) = (filing.tax_year, filing.tax_period());
            let url = filing.object_id.as_deref().map(filing_url);
            return vec![phrase!(name, year, form = filing.form.to_string(), month, url)];
        }
        let Some(duty) = self.duty() else { return Vec::new() };
        let period = self.organization().origins.row_period;
        let period = period.map(|month| phrase!("filing.period", month));
        [phrase!("filing.duty", duty)].into_iter().chain(period).collect()
    }

    /// What it has to file.
    pub(super) fn duty(&self) -> Option<&'static str> {
        let duty = self.organization().finances.filing_duty()?;
        Some(self.text(&format!("duty.{duty:?}")))
    }

    /// Whether it is a foundation that gives money and runs no programs of its own.
    fn only_gives(&self) -> bool {
        let organization = self.organization();
        let operates = organization.exemption.foundation.and_then(|code| code.is_operating());
        organization.is_private_foundation() == Some(true) && operates == Some(false)
    }

    fn donate(&self) -> Option<Phrase> {
        let organization = self.organization();
        let overlay = organization.overlay.as_deref();
        let link = overlay.and_then(|overlay| overlay.donation_url.clone());
        Some(match (link, &organization.website) {
            (Some(url), _) => phrase!("donate", url),
            _ if self.only_gives() => {
                let (url, address) = (&organization.website, self.full_address());
                phrase!("donate.foundation", url, address)
            }
            (None, Some(url)) => phrase!("donate.website", url),
            (None, None) => phrase!("donate.address", address = self.full_address()?),
        })
    }

    /// The operator's rating, or what the records say: no other source rates nonprofits.
    fn score(&self) -> Vec<Phrase> {
        let overlay = self.organization().overlay.as_deref();
        let mark = |name: &str, value: Option<f32>| {
            let value = as_written(value?).to_string();
            Some(phrase!(name, value).part(self.language))
        };
        let vetted = overlay.and_then(|overlay| overlay.vetted) == Some(true);
        let marks = [
            mark("score.of_100", overlay.and_then(|overlay| overlay.score)),
            mark("score.stars", overlay.and_then(|overlay| overlay.rating)),
            vetted.then(|| self.text("score.vetted").to_owned()),
        ];
        let marks: Vec<String> = marks.into_iter().flatten().collect();
        match marks.is_empty() {
            true => vec![phrase!("score"), phrase!("score.records", records = self.portrait())],
            false => vec![phrase!("score.known", marks)],
        }
    }
}

/// The city and state of an organization, as far as they are known.
pub(crate) fn place(organization: &Organization) -> Option<String> {
    let address = &organization.address;
    match (&address.city, address.state) {
        (Some(city), Some(state)) => Some(format!("{city}, {state}")),
        (Some(city), None) => Some(city.clone()),
        (None, Some(state)) => Some(state.name().to_owned()),
        (None, None) => None,
    }
}

/// What it is for: the title of its NTEE code; without one, that of its group, its activities before 1995 or the major
/// group that other columns of the master file tell.
pub(crate) fn cause(organization: &Organization, language: Language) -> Option<String> {
    let quote = |title: &str| quoted(title, language);
    let filed = organization.ntee.and_then(taxonomy::title);
    let group = organization.group_ntee.filter(|code| !taxonomy::is_general(*code));
    let of_group = || group.and_then(taxonomy::title);
    let activities = || {
        let titles = taxonomy::activities(organization).map(|activity| quote(activity.title));
        let items: Vec<String> = titles.collect();
        (!items.is_empty()).then(|| phrase!("list", items).part(language))
    };
    let area = || Cause::of(organization).and_then(Cause::issue_area).map(quote);
    filed.or_else(of_group).map(quote).or_else(activities).or_else(area)
}

/// The beginning of a text, to a word's end, in the letters of sentences.
pub(super) fn excerpt(said: &str) -> String {
    let said = sentence_case(said);
    match said.char_indices().nth(QUOTED_CHARACTERS_MAX) {
        Some((end, _)) => {
            let start = said[..end].rsplit_once(' ').map_or(&said[..end], |(words, _)| words);
            format!("{start} …")
        }
        None => said,
    }
}
