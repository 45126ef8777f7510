//! What is known of one nonprofit, in a sentence or two.

use super::say::{dollars, list, place};
use super::{figure, standing};
use crate::reader::Fact;
use crate::record::{Filing, Organization, Person, as_written, filing_url};
use crate::search::officers;
use crate::search::provenance::TracedNonprofit;
use crate::taxonomy::{self, Cause};
use crate::understand::FactQuestion;

/// Officers whom a sentence names.
const OFFICERS_SHOWN: usize = 3;

/// Characters of a mission that a sentence quotes.
const QUOTED_CHARACTERS_MAX: usize = 240;

/// The greatest number of a subsection of section 501(c); greater ones stand for other sections.
const SUBSECTION_MAX: u8 = 29;

/// Who it is and where, what it is for, and its latest revenue.
pub(super) fn portrait(traced: &TracedNonprofit<'_>) -> String {
    let organization = &traced.organization;
    let exemption = &organization.exemption;
    let kind = match (exemption.subsection, exemption.foundation) {
        (_, Some(code)) if code.is_private_foundation() => "a private foundation".to_owned(),
        (Some(code), _) if code.number() <= SUBSECTION_MAX => {
            format!("a 501(c)({}) organization", code.number())
        }
        _ => "a nonprofit".to_owned(),
    };
    let mut first = format!("{} (EIN {}) is {kind}", organization.name, organization.ein);
    if let Some(place) = place(organization) {
        first.push_str(&format!(" in {place}"));
    }
    if let Some(cause) = cause(organization) {
        first.push_str(&format!(", classified under {cause}"));
    }
    if exemption.is_inactive() == Some(true) {
        first.push_str("; its exemption was revoked");
    }
    format!("{first}. {}", figure::revenue(traced))
}

/// The fact that was asked for, where a year was asked for too that of the year; that it is not known,
/// when it is not.
pub(super) fn sentence(
    asked: FactQuestion,
    traced: &TracedNonprofit<'_>,
    people: &[Person],
) -> String {
    let TracedNonprofit { organization, filings, sources } = traced;
    let name = &organization.name;
    let fact = asked.fact;
    let known = match fact {
        Fact::Revenue if asked.year.is_none() => {
            figure::sentence(asked, traced).or_else(|| figure::no_revenue(organization))
        }
        Fact::Revenue
        | Fact::Expenses
        | Fact::Assets
        | Fact::NetAssets
        | Fact::Employees
        | Fact::Size => figure::sentence(asked, traced),
        Fact::Officers | Fact::Pay => match asked.year {
            Some(year) => match figure::return_of(year, filings) {
                Some(filing) => leaders(fact, name, filing, people),
                None => Some(figure::missing_year("list of officers", year, traced)),
            },
            None => {
                let whole = filings.iter().find(|filing| filing.is_whole());
                whole.and_then(|filing| leaders(fact, name, filing, people))
            }
        },
        Fact::Filing => filed(asked.year, traced),
        Fact::Code | Fact::Goals | Fact::Score | Fact::Vetted => mark(fact, organization),
        Fact::Standing => Some(standing::exemption(organization, sources)),
        Fact::Deductible => Some(standing::deductibility(organization, sources)),
        Fact::Contact => None,
        _ => value_sentence(fact, organization),
    };
    known.unwrap_or_else(|| {
        let site = organization.website.as_deref().filter(|_| fact == Fact::Contact);
        let site = site.map_or(String::new(), |url| format!(" Its website is {url}"));
        format!("The data holds {} of {name}.{site}", what(fact))
    })
}

/// The latest return, or that of a year.
fn filed(year: Option<u16>, traced: &TracedNonprofit<'_>) -> Option<String> {
    let TracedNonprofit { organization, filings, .. } = traced;
    let name = &organization.name;
    let duty = || {
        let duty = organization.finances.filing_duty().filter(|_| filings.is_empty())?;
        Some(format!("No return of {name} is loaded. It has to file: {}.", duty.description()))
    };
    let (which, filing) = match year {
        Some(year) => match figure::return_of(year, filings) {
            Some(filing) => (format!("return for {}", filing.tax_year), filing),
            None => return Some(figure::missing_year("return", year, traced)),
        },
        None => match filings.first() {
            Some(filing) => ("latest return".to_owned(), filing),
            None => return duty(),
        },
    };
    let (form, end) = (filing.form, filing.period_end);
    let url = filing.object_id.as_deref().map(filing_url);
    let url = url.map_or(String::new(), |url| format!(" {url}"));
    Some(format!("The {which} of {name} is a Form {form} for the period that ended {end}.{url}"))
}

/// What is not known.
fn what(fact: Fact) -> &'static str {
    match fact {
        Fact::Revenue => "no revenue",
        Fact::Expenses => "no expenses",
        Fact::Assets => "no assets",
        Fact::NetAssets => "no net assets",
        Fact::Employees => "no number of employees",
        Fact::Place => "no address",
        Fact::Website => "no website",
        Fact::Founded => "neither the year of formation nor the ruling",
        Fact::Mission => "no mission",
        Fact::Ein => "no EIN",
        Fact::Deductible => "nothing on the deductibility",
        Fact::Standing => "no standing",
        Fact::Officers => "no names of the officers",
        Fact::Pay => "no pay of the officers",
        Fact::Size => "neither the expenses nor the revenue that would tell the size",
        Fact::Code => "no NTEE code",
        Fact::Goals => "no goals",
        Fact::Score => "no score or rating",
        Fact::Vetted => "no mark on the vetting",
        Fact::Filing => "no return",
        Fact::Impact => "no summary of the impact",
        Fact::Donate => "neither a donation link nor the website",
        Fact::Contact => "neither the telephone number nor the e-mail address",
    }
}

/// What codes and the operator say of it.
fn mark(fact: Fact, organization: &Organization) -> Option<String> {
    let name = &organization.name;
    let overlay = organization.overlay.as_deref();
    match fact {
        Fact::Code => match organization.ntee {
            Some(code) => {
                let title =
                    taxonomy::title(code).map_or(String::new(), |title| format!(", {title}"));
                Some(format!("{name} has the NTEE code {code}{title}."))
            }
            None => cause(organization).map(|cause| {
                format!("{name} has no NTEE code on file; other columns put it under {cause}.")
            }),
        },
        Fact::Goals => {
            let goals: Vec<String> =
                organization.sdgs.iter().map(|goal| format!("SDG {}", goal.number())).collect();
            (!goals.is_empty()).then(|| format!("{name} works for {}.", list(&goals)))
        }
        Fact::Score => {
            let score = overlay.and_then(|overlay| overlay.score).map(as_written);
            let rating = overlay.and_then(|overlay| overlay.rating).map(as_written);
            let parts = [
                score.map(|score| format!("a score of {score} of 100")),
                rating.map(|rating| format!("{rating} of 4 stars")),
            ];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            (!parts.is_empty()).then(|| format!("{name} has {}.", list(&parts)))
        }
        _ => overlay?.vetted.map(|vetted| {
            let marked = if vetted { "is marked as vetted" } else { "is marked as not vetted" };
            format!("{name} {marked} by the operator of this service.")
        }),
    }
}

/// What is known of it in words.
fn value_sentence(fact: Fact, organization: &Organization) -> Option<String> {
    let Organization { name, address, .. } = organization;
    match fact {
        Fact::Place => place(organization).map(|place| {
            let street =
                address.street.as_deref().map_or(String::new(), |street| format!("{street}, "));
            let zip = address.zip.map_or(String::new(), |zip| format!(" {zip}"));
            format!("{name} has its address at {street}{place}{zip}.")
        }),
        Fact::Website => {
            organization.website.as_deref().map(|url| format!("The website of {name} is {url}"))
        }
        Fact::Founded => founded(organization),
        Fact::Mission => organization
            .summary
            .as_deref()
            .map(|summary| format!("{name}, in its own words: {}", quoted(summary)))
            .or_else(|| {
                let cause = cause(organization)?;
                Some(format!(
                    "{name} is classified under {cause}; the data holds no mission of it."
                ))
            }),
        Fact::Ein => Some(format!("The EIN of {name} is {}.", organization.ein)),
        Fact::Impact => organization
            .impact_summary
            .as_deref()
            .map(|summary| format!("{name} reports: {}", quoted(summary))),
        _ => donate(organization),
    }
}

/// What it is for: the title of its NTEE code; without one, that of its group, its activities before 1995 or the major group that
/// other columns of the master file tell.
fn cause(organization: &Organization) -> Option<String> {
    let filed = organization.ntee.and_then(taxonomy::title).map(str::to_owned);
    let activities = || {
        let titles: Vec<String> = taxonomy::activities(organization)
            .map(|activity| format!("“{}”", activity.title))
            .collect();
        (!titles.is_empty()).then(|| format!("the IRS's former activity codes {}", list(&titles)))
    };
    let area = || Cause::of(organization).and_then(Cause::issue_area).map(str::to_owned);
    let of_group = || {
        let code = organization.group_ntee.filter(|code| !taxonomy::is_general(*code))?;
        let title = taxonomy::title(code)?;
        Some(format!("{title}, as most members of its group"))
    };
    filed.or_else(of_group).or_else(activities).or_else(area)
}

fn founded(organization: &Organization) -> Option<String> {
    let name = &organization.name;
    let ruling = organization.exemption.ruling;
    match (organization.year_formed, ruling) {
        (Some(year), Some(ruling)) => Some(format!(
            "{name} was formed in {year}, by its return; the IRS recognised its exemption in {ruling}."
        )),
        (Some(year), None) => Some(format!("{name} was formed in {year}, by its return.")),
        (None, Some(ruling)) => {
            Some(format!("The IRS recognised the exemption of {name} in {ruling}."))
        }
        (None, None) => None,
    }
}

/// Who leads, by the latest return, and what they are paid if that is asked for.
fn leaders(fact: Fact, name: &str, filing: &Filing, people: &[Person]) -> Option<String> {
    const LEADS: [&str; 5] = ["chief executive", "ceo", "executive director", "president", "chair"];
    const NO_MORE: [&str; 7] =
        ["vice", "past", "former", "emeritus", "elect", "assistant", "until"];
    // Who leads comes first; the forms list boards in any order.
    let rank = |title: &Option<String>| {
        let title = title.as_deref().unwrap_or_default().to_lowercase();
        let has = |word: &str| title.split(|c: char| !c.is_alphanumeric()).any(|own| own == word);
        let leads = LEADS.iter().position(|lead| title.contains(lead));
        leads.filter(|_| !NO_MORE.into_iter().any(has)).unwrap_or(usize::MAX)
    };
    let mut officers = officers::of_filing(filing, people);
    if fact == Fact::Pay {
        officers.retain(|officer| officer.compensation.is_some_and(|usd| usd.dollars() > 0));
    }
    officers.sort_by_key(|officer| rank(&officer.title));
    let named: Vec<String> = officers
        .iter()
        .take(OFFICERS_SHOWN)
        .map(|officer| {
            let title = officer.title.as_deref();
            let title = title.map_or(String::new(), |title| format!(" ({title})"));
            let paid = officer.compensation.filter(|_| fact == Fact::Pay);
            let paid = paid.map_or(String::new(), |usd| format!(", {}", dollars(usd.dollars())));
            format!("{}{title}{paid}", officer.name)
        })
        .collect();
    let more = match officers.len().saturating_sub(named.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (verb, separator) =
        if fact == Fact::Pay { ("says that it paid", "; ") } else { ("names", ", ") };
    let named = (!named.is_empty()).then(|| named.join(separator))?;
    let end = filing.period_end;
    Some(format!("The return of {name} for the period that ended {end} {verb} {named}{more}."))
}

fn donate(organization: &Organization) -> Option<String> {
    let name = &organization.name;
    let link = organization.overlay.as_deref().and_then(|overlay| overlay.donation_url.as_deref());
    match (link, organization.website.as_deref()) {
        (Some(url), _) => Some(format!("{name} takes donations at {url}")),
        (None, Some(url)) => Some(format!("{name} may take donations on its website, {url}")),
        (None, None) => None,
    }
}

/// The beginning of a text, to a word's end.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_CHARACTERS_MAX) {
        Some((end, _)) => {
            let start = text[..end].rsplit_once(' ').map_or(&text[..end], |(words, _)| words);
            format!("“{start} …”")
        }
        None => format!("“{text}”"),
    }
}
