//! Facts that one record says in words: where it is, how to reach it, since when it is exempt, what it does.

use super::figures::return_of;
use super::{Mention, Profile};
use crate::naming::sentence_case;
use crate::reader::{DialogueAct, Language};
use crate::record::{Organization, as_written, filing_url};
use crate::search::chat::phrase::{Phrase, Value, text};
use crate::taxonomy::{self, Cause};

/// Characters of a mission or a programme that a sentence quotes.
const QUOTED_CHARACTERS_MAX: usize = 240;

impl Profile<'_> {
    /// A fact that its record says, or that it is not there.
    pub(super) fn record(&self, fact: DialogueAct, mention: Mention) -> String {
        let known = match fact {
            DialogueAct::Address => self.address(mention),
            DialogueAct::Phone => return self.phone(mention),
            DialogueAct::Website => return self.website(mention),
            DialogueAct::Ein => {
                let ein = self.organization().ein.to_string();
                Some(self.say(&self.about("ein", mention).with("ein", ein)))
            }
            DialogueAct::Founded => self.founded(mention),
            DialogueAct::Mission => self.mission(mention),
            DialogueAct::Kind => {
                Some(self.say(&self.about("kind", mention).with("kind", self.kind())))
            }
            DialogueAct::Code => self.code(mention),
            DialogueAct::Filing => self.filing(mention),
            DialogueAct::Donate => self.donate(mention),
            DialogueAct::Volunteer => {
                let said = self.say(&self.about("volunteer", mention));
                return format!("{said}{}", self.reach());
            }
            DialogueAct::Impact => self.impact(mention),
            DialogueAct::Score => Some(self.score(mention)),
            _ => None,
        };
        known.unwrap_or_else(|| {
            let why = match fact {
                DialogueAct::Filing => "return",
                DialogueAct::Impact | DialogueAct::Mission => "never",
                _ => "",
            };
            self.unknown(fact, mention, why)
        })
    }

    /// The same in a few words.
    pub(super) fn record_value(&self, fact: DialogueAct) -> Option<String> {
        let organization = self.organization();
        match fact {
            DialogueAct::Founded => {
                let month = organization.exemption.ruling?;
                Some(Phrase::new("month").with("month", month).part(self.language))
            }
            DialogueAct::Kind => organization.exemption.subsection.map(|_| self.kind()),
            DialogueAct::Code => organization.ntee.map(|code| code.to_string()),
            DialogueAct::Mission => cause(organization, self.language),
            DialogueAct::Address => place(organization),
            DialogueAct::Phone => organization.phone.clone(),
            DialogueAct::Website => organization.website.clone(),
            DialogueAct::Ein => Some(organization.ein.to_string()),
            DialogueAct::Leaders => organization.principal_officer.clone(),
            DialogueAct::Filing => match &organization.latest_filing {
                Some(filing) => {
                    Some(format!("Form {} ({})", filing.form, filing.period_end.year()))
                }
                None => {
                    let duty = organization.finances.filing_duty()?;
                    Some(text(&format!("duty.{duty:?}"), self.language).to_owned())
                }
            },
            _ => None,
        }
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

    fn address(&self, mention: Mention) -> Option<String> {
        let address = self.full_address()?;
        let county = self.organization().address.county.clone();
        let phrase = self.about("address", mention).with("address", address);
        Some(self.say(&phrase.with_some("county", county)))
    }

    fn phone(&self, mention: Mention) -> String {
        match &self.organization().phone {
            Some(phone) => self.say(&self.about("phone", mention).with("phone", phone)),
            None => {
                format!("{}{}", self.unknown(DialogueAct::Phone, mention, "never"), self.reach())
            }
        }
    }

    fn website(&self, mention: Mention) -> String {
        match &self.organization().website {
            Some(url) => self.say(&self.about("website", mention).with("url", url)),
            None => format!("{}{}", self.unknown(DialogueAct::Website, mention, ""), self.reach()),
        }
    }

    /// How else to reach it, behind a sentence.
    fn reach(&self) -> String {
        let organization = self.organization();
        let phrase = match (&organization.phone, &organization.website, self.full_address()) {
            (_, Some(url), _) => Phrase::new("reach.website").with("url", url),
            (_, None, Some(address)) => Phrase::new("reach.address").with("address", address),
            _ => return String::new(),
        };
        format!(" {}", self.say(&phrase))
    }

    fn founded(&self, mention: Mention) -> Option<String> {
        let organization = self.organization();
        let ruling = organization.exemption.ruling;
        let phrase = match organization.year_formed {
            Some(year) => self.about("founded.formed", mention).with("year", year),
            None => {
                ruling?;
                self.about("founded.ruling", mention)
            }
        };
        Some(self.say(&phrase.with_some("month", ruling)))
    }

    fn mission(&self, mention: Mention) -> Option<String> {
        let organization = self.organization();
        let program = self.traced.filings.iter().find_map(|filing| filing.programs.first());
        let program = program.map(|program| {
            self.say(&Phrase::new("mission.programs").with("text", quoted(&program.description)))
        });
        let first = match (&organization.summary, cause(organization, self.language)) {
            (Some(summary), _) => {
                Some(self.say(&self.about("mission", mention).with("text", quoted(summary))))
            }
            (None, Some(cause)) => {
                Some(self.say(&self.about("mission.cause", mention).with("cause", cause)))
            }
            (None, None) => None,
        };
        let said: Vec<String> = [first, program].into_iter().flatten().collect();
        (!said.is_empty()).then(|| said.join(" "))
    }

    fn code(&self, mention: Mention) -> Option<String> {
        let organization = self.organization();
        match organization.ntee {
            Some(code) => {
                let area =
                    taxonomy::issue_area(code).filter(|area| Some(*area) != taxonomy::title(code));
                Some(
                    self.say(
                        &self
                            .about("code", mention)
                            .with("code", code.to_string())
                            .with("title", taxonomy::title(code).unwrap_or_default())
                            .with_some("area", area),
                    ),
                )
            }
            None => {
                let cause = cause(organization, self.language)?;
                Some(self.say(&self.about("code.none", mention).with("cause", cause)))
            }
        }
    }

    /// The latest return, or that of the year.
    fn filing(&self, mention: Mention) -> Option<String> {
        let filings = &self.traced.filings;
        let organization = self.organization();
        let url = |id: &Option<String>| id.as_deref().map(filing_url);
        if let Some(year) = self.year {
            let Some(filing) = return_of(year, filings) else {
                return Some(self.no_year(DialogueAct::Filing, year, mention));
            };
            let phrase = self.about("filing.year", mention).with("year", filing.tax_year);
            let phrase = phrase.with("form", filing.form.to_string());
            return Some(self.say(&phrase.with_some("url", url(&filing.object_id))));
        }
        if let Some(filing) = filings.first() {
            let phrase = self.about("filing", mention).with("form", filing.form.to_string());
            let phrase = phrase.with_some("month", filing.tax_period());
            return Some(self.say(&phrase.with_some("url", url(&filing.object_id))));
        }
        let duty = organization.finances.filing_duty()?;
        let duty = text(&format!("duty.{duty:?}"), self.language);
        let first = self.say(&self.about("filing.duty", mention).with("duty", duty));
        let period = organization
            .origins
            .row_period
            .map(|month| self.say(&Phrase::new("filing.period").with("month", month)));
        Some(std::iter::once(first).chain(period).collect::<Vec<_>>().join(" "))
    }

    fn donate(&self, mention: Mention) -> Option<String> {
        let organization = self.organization();
        let overlay = organization.overlay.as_deref();
        let link = overlay.and_then(|overlay| overlay.donation_url.clone());
        Some(self.say(&match (link, &organization.website) {
            (Some(url), _) => self.about("donate", mention).with("url", url),
            (None, Some(url)) => self.about("donate.website", mention).with("url", url),
            (None, None) => {
                self.about("donate.address", mention).with("address", self.full_address()?)
            }
        }))
    }

    fn impact(&self, mention: Mention) -> Option<String> {
        let summary = self.organization().impact_summary.as_deref();
        let program = || self.traced.filings.iter().find_map(|filing| filing.programs.first());
        let said = summary.or_else(|| program().map(|program| &*program.description))?;
        Some(self.say(&self.about("impact", mention).with("text", quoted(said))))
    }

    /// The operator's rating; no other source rates nonprofits.
    fn score(&self, mention: Mention) -> String {
        let overlay = self.organization().overlay.as_deref();
        let mark = |name: &str, value: Option<f32>| {
            let value = as_written(value?).to_string();
            Some(Phrase::new(name).with("value", value).part(self.language))
        };
        let marks = [
            mark("score.of_100", overlay.and_then(|overlay| overlay.score)),
            mark("score.stars", overlay.and_then(|overlay| overlay.rating)),
            overlay
                .and_then(|overlay| overlay.vetted)
                .filter(|vetted| *vetted)
                .map(|_| text("score.vetted", self.language).to_owned()),
        ];
        let marks: Vec<String> = marks.into_iter().flatten().collect();
        self.say(&match marks.is_empty() {
            true => Phrase::new("score"),
            false => self.about("score.known", mention).with("marks", marks),
        })
    }
}

/// The city and state of an organization, as far as they are known.
pub(in crate::search::chat) fn place(organization: &Organization) -> Option<String> {
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
pub(in crate::search::chat) fn cause(
    organization: &Organization,
    language: Language,
) -> Option<String> {
    let quote = |title: &str| match language {
        Language::Spanish => format!("«{title}»"),
        _ => format!("“{title}”"),
    };
    let filed = organization.ntee.and_then(taxonomy::title);
    let group = organization.group_ntee.filter(|code| !taxonomy::is_general(*code));
    let of_group = || group.and_then(taxonomy::title);
    let activities = || {
        let titles = taxonomy::activities(organization).map(|activity| quote(activity.title));
        let titles: Vec<String> = titles.collect();
        (!titles.is_empty())
            .then(|| Phrase::new("list").with("items", Value::All(titles)).part(language))
    };
    let area = || Cause::of(organization).and_then(Cause::issue_area).map(quote);
    filed.or_else(of_group).map(quote).or_else(activities).or_else(area)
}

/// The beginning of a text, to a word's end, in the letters of sentences.
fn quoted(said: &str) -> String {
    let said = sentence_case(said);
    match said.char_indices().nth(QUOTED_CHARACTERS_MAX) {
        Some((end, _)) => {
            let start = said[..end].rsplit_once(' ').map_or(&said[..end], |(words, _)| words);
            format!("{start} …")
        }
        None => said,
    }
}
