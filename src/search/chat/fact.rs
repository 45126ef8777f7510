//! What is known of one nonprofit, in a sentence or two.

use super::say::{dollars, list};
use super::standing;
use crate::reader::Fact;
use crate::record::{Filing, Organization, Usd, as_written, thousands};
use crate::sources::Summary;
use crate::taxonomy;

/// Officers whom a sentence names.
const OFFICERS_SHOWN: usize = 3;

/// Characters of a mission that a sentence quotes.
const QUOTED_CHARACTERS_MAX: usize = 240;

/// The greatest number of a subsection of section 501(c); greater ones stand for other sections.
const SUBSECTION_MAX: u8 = 29;

/// Who it is and where, what it is for, and its latest revenue.
pub(super) fn portrait(organization: &Organization, latest: Option<&Filing>) -> String {
    let Organization { exemption, finances, .. } = organization;
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
    if let Some(area) = organization.ntee.and_then(taxonomy::title) {
        first.push_str(&format!(", classified under {area}"));
    }
    if exemption.is_inactive() == Some(true) {
        first.push_str("; its exemption was revoked");
    }
    let second = match finances.revenue {
        Some(revenue) => {
            let period = period(organization, latest, |filing| filing.revenue == Some(revenue));
            format!("It reported revenue of {}{period}.", dollars(revenue.dollars()))
        }
        None => "The data holds no revenue of it.".to_owned(),
    };
    format!("{first}. {second}")
}

/// ` for the tax period that ended in June 2024`: of a figure that may be of the latest return, or of
/// the master file's row.
fn period(
    organization: &Organization,
    latest: Option<&Filing>,
    is_of_return: impl Fn(&Filing) -> bool,
) -> String {
    let month = match latest.filter(|filing| is_of_return(filing)) {
        Some(filing) => filing.tax_period(),
        None => organization.finances.tax_period,
    };
    month.map_or(String::new(), |month| format!(" for the tax period that ended in {month}"))
}

pub(super) fn place(organization: &Organization) -> Option<String> {
    let address = &organization.address;
    match (&address.city, address.state) {
        (Some(city), Some(state)) => Some(format!("{city}, {state}")),
        (Some(city), None) => Some(city.clone()),
        (None, Some(state)) => Some(state.name().to_owned()),
        (None, None) => None,
    }
}

/// The fact that was asked for; that it is not known, when it is not. `latest` is the latest return,
/// `sources` are those that the snapshot was built from.
pub(super) fn said(
    fact: Fact,
    organization: &Organization,
    latest: Option<&Filing>,
    sources: &[Summary],
) -> String {
    let name = &organization.name;
    let known = match fact {
        Fact::Revenue
        | Fact::Expenses
        | Fact::Assets
        | Fact::NetAssets
        | Fact::Employees
        | Fact::Size => amount(fact, organization, latest),
        Fact::Officers | Fact::Pay => latest.and_then(|filing| officers(fact, name, filing)),
        Fact::Code | Fact::Goals | Fact::Score | Fact::Vetted => mark(fact, organization),
        Fact::Standing => Some(standing::exemption(organization, sources)),
        Fact::Deductible => Some(standing::deductibility(organization, sources)),
        Fact::Contact => None,
        _ => told(fact, organization),
    };
    known.unwrap_or_else(|| {
        let site = organization.website.as_deref().filter(|_| fact == Fact::Contact);
        let site = site.map_or(String::new(), |url| format!(" Its website is {url}"));
        format!("The data holds {} of {name}.{site}", what(fact))
    })
}

/// Where the figures of a nonprofit are from.
pub(super) fn source(organization: &Organization, latest: Option<&Filing>) -> String {
    let name = &organization.name;
    let master = "The name, address and classification are those of the IRS's master file of exempt \
                  organizations";
    match (latest, organization.finances.tax_period) {
        (Some(filing), _) => format!(
            "The figures of {name} are from its Form {} for the period that ended {}. {master}.",
            filing.form, filing.period_end
        ),
        (None, Some(month)) => format!(
            "The figures of {name} are those of the IRS's master file, for the tax period that ended \
             in {month}: the data holds no return of it. {master}."
        ),
        (None, None) => format!("The data holds no figures of {name}. {master}."),
    }
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

fn amount(fact: Fact, organization: &Organization, latest: Option<&Filing>) -> Option<String> {
    let Organization { name, finances, .. } = organization;
    let said = |what: &str, usd: Option<Usd>, of: fn(&Filing) -> Option<Usd>| {
        let usd = usd?;
        let period = period(organization, latest, |filing| of(filing) == Some(usd));
        Some(format!("{name} reported {what} of {}{period}.", dollars(usd.dollars())))
    };
    match fact {
        Fact::Revenue => said("revenue", finances.revenue, |filing| filing.revenue),
        Fact::Expenses => said("expenses", finances.expenses, |filing| filing.expenses),
        Fact::Assets => said("total assets", finances.assets, |filing| filing.assets),
        Fact::NetAssets => said("net assets", finances.net_assets, |filing| filing.net_assets),
        Fact::Employees => finances.employees.map(|count| {
            let said = match count {
                1 => "1 employee".to_owned(),
                count => format!("{} employees", thousands(count.into())),
            };
            let of = |filing: &Filing| filing.employees == Some(count);
            format!("{name} reported {said}{}.", period(organization, latest, of))
        }),
        _ => organization.size().map(|size| {
            let revenue = finances.revenue.map_or(String::new(), |usd| {
                let of = |filing: &Filing| filing.revenue == Some(usd);
                let period = period(organization, latest, of);
                format!(", with revenue of {}{period}", dollars(usd.dollars()))
            });
            format!("{name} is of size {}{revenue}.", size.name())
        }),
    }
}

/// What codes and the operator say of it.
fn mark(fact: Fact, organization: &Organization) -> Option<String> {
    let name = &organization.name;
    let overlay = organization.overlay.as_deref();
    match fact {
        Fact::Code => organization.ntee.map(|code| {
            let title = taxonomy::title(code).map_or(String::new(), |title| format!(", {title}"));
            format!("{name} has the NTEE code {code}{title}.")
        }),
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
fn told(fact: Fact, organization: &Organization) -> Option<String> {
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
                let title = organization.ntee.and_then(taxonomy::title)?;
                Some(format!(
                    "{name} is classified under {title}; the data holds no mission of it."
                ))
            }),
        Fact::Ein => Some(format!("The EIN of {name} is {}.", organization.ein)),
        Fact::Filing => organization.latest_filing.as_ref().map(|filing| {
            let (form, end) = (filing.form, filing.period_end);
            let url = filing.url().map_or(String::new(), |url| format!(" {url}"));
            format!(
                "The latest return of {name} is a Form {form} for the period that ended {end}.{url}"
            )
        }),
        Fact::Impact => organization
            .impact_summary
            .as_deref()
            .map(|summary| format!("{name} reports: {}", quoted(summary))),
        _ => donate(organization),
    }
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
fn officers(fact: Fact, name: &str, filing: &Filing) -> Option<String> {
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
    let mut officers: Vec<_> = filing.officers.iter().collect();
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
