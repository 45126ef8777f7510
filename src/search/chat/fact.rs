//! What is known of one nonprofit, in a sentence or two.

use super::say::{dollars, list};
use crate::record::{Filing, Organization, Subsection, as_written, thousands};
use crate::taxonomy;
use crate::understand::Fact;

/// Officers whom a sentence names.
const OFFICERS_SHOWN: usize = 3;

/// Characters of a mission that a sentence quotes.
const QUOTED_CHARACTERS_MAX: usize = 240;

/// Who it is and where, what it is for, and its latest revenue.
pub(super) fn portrait(organization: &Organization) -> String {
    let Organization { exemption, finances, .. } = organization;
    let kind = match (exemption.subsection, exemption.foundation) {
        (_, Some(code)) if code.is_private_foundation() => "a private foundation".to_owned(),
        (Some(code), _) => match code {
            Subsection::CHARITABLE => "a 501(c)(3) organization".to_owned(),
            code => format!("a 501(c)({}) organization", code.number()),
        },
        (None, _) => "a nonprofit".to_owned(),
    };
    let mut first = format!("{} (EIN {}) is {kind}", organization.name, organization.ein);
    if let Some(place) = place(organization) {
        first.push_str(&format!(" in {place}"));
    }
    if let Some(area) = organization.ntee.and_then(taxonomy::title) {
        first.push_str(&format!(", classified under {area}"));
    }
    if exemption.is_inactive() {
        first.push_str("; its exemption was revoked");
    }
    let second = match finances.revenue {
        Some(revenue) => {
            format!(
                "It reported revenue of {}{}.",
                dollars(revenue.dollars()),
                period(organization)
            )
        }
        None => "The data holds no revenue of it.".to_owned(),
    };
    format!("{first}. {second}")
}

/// ` for the period that ended in June 2024`.
fn period(organization: &Organization) -> String {
    match organization.finances.tax_period {
        Some(month) => format!(" for the tax period that ended {month}"),
        None => String::new(),
    }
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

/// The fact that was asked for; that it is not known, when it is not. `latest` is the latest return.
pub(super) fn said(fact: Fact, organization: &Organization, latest: Option<&Filing>) -> String {
    let name = &organization.name;
    known(fact, organization, latest).unwrap_or_else(|| {
        let what = what(fact);
        match fact {
            Fact::Contact => {
                let site = organization.website.as_deref();
                let site = site.map_or(String::new(), |url| format!("; its website is {url}"));
                format!("The data holds no telephone number or e-mail address of {name}{site}.")
            }
            _ => format!("The data does not say {what} of {name}."),
        }
    })
}

fn what(fact: Fact) -> &'static str {
    match fact {
        Fact::Revenue => "the revenue",
        Fact::Expenses => "the expenses",
        Fact::Assets => "the assets",
        Fact::NetAssets => "the net assets",
        Fact::Employees => "the number of employees",
        Fact::Place => "the address",
        Fact::Website => "the website",
        Fact::Founded => "the year of formation or the ruling",
        Fact::Mission => "the mission",
        Fact::Ein => "the EIN",
        Fact::Deductible => "whether gifts are deductible",
        Fact::Standing => "the standing",
        Fact::Officers => "the officers",
        Fact::Size => "the size",
        Fact::Code => "the NTEE code",
        Fact::Goals => "the goals",
        Fact::Score => "a score or rating",
        Fact::Vetted => "whether the operator vetted it: no mark",
        Fact::Filing => "a return",
        Fact::Impact => "the impact",
        Fact::Donate => "how to give: no donation link or website",
        Fact::Contact => "a telephone number or e-mail address",
    }
}

fn known(fact: Fact, organization: &Organization, latest: Option<&Filing>) -> Option<String> {
    let Organization { name, exemption, finances, address, overlay, .. } = organization;
    let overlay = overlay.as_deref();
    let amount = |what: &str, usd: Option<crate::record::Usd>| {
        let dollars = dollars(usd?.dollars());
        Some(format!("{name} reported {what} of {dollars}{}.", period(organization)))
    };
    match fact {
        Fact::Revenue => amount("revenue", finances.revenue),
        Fact::Expenses => amount("expenses", finances.expenses),
        Fact::Assets => amount("total assets", finances.assets),
        Fact::NetAssets => amount("net assets", finances.net_assets),
        Fact::Employees => finances.employees.map(|count| match count {
            1 => format!("{name} reported 1 employee."),
            _ => format!("{name} reported {} employees.", thousands(count.into())),
        }),
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
        Fact::Deductible => {
            let is = exemption.deductibility?.is_deductible();
            let yes = if is { "are tax-deductible" } else { "are not tax-deductible" };
            Some(format!("By the IRS's lists, contributions to {name} {yes}."))
        }
        Fact::Standing => Some(standing(organization)),
        Fact::Officers => officers(name, latest?),
        Fact::Size => organization.size().map(|size| {
            let revenue = finances.revenue.map_or(String::new(), |usd| {
                format!(", with revenue of {}{}", dollars(usd.dollars()), period(organization))
            });
            format!("{name} is of size {}{revenue}.", size.name())
        }),
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
        Fact::Vetted => overlay?.vetted.map(|vetted| {
            let marked = if vetted { "is marked as vetted" } else { "is marked as not vetted" };
            format!("{name} {marked} by the operator of this service.")
        }),
        Fact::Filing => organization.latest_filing.as_ref().map(|filing| {
            let form = filing.form;
            let url = filing.url().map_or(String::new(), |url| format!(" {url}"));
            let end = filing.period_end;
            format!(
                "The latest return of {name} is a Form {form} for the period that ended {end}.{url}"
            )
        }),
        Fact::Impact => organization
            .impact_summary
            .as_deref()
            .map(|summary| format!("{name} reports: {}", quoted(summary))),
        Fact::Donate => donate(organization),
        Fact::Contact => None,
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

fn standing(organization: &Organization) -> String {
    let Organization { name, exemption, .. } = organization;
    if let Some(entry) = exemption.revocation.as_ref().filter(|entry| !entry.is_reinstated()) {
        return format!(
            "The IRS's list has the exemption of {name} as revoked since {}, and not as reinstated.",
            entry.revoked
        );
    }
    let code = exemption
        .subsection
        .map_or(String::new(), |code| format!(" under section 501(c)({})", code.number()));
    format!(
        "The IRS lists {name} as exempt{code}, and not as revoked. That says nothing about how well \
         it works."
    )
}

fn officers(name: &str, filing: &Filing) -> Option<String> {
    // Who leads comes first; the forms list boards in any order.
    let leads = |title: &str| {
        let title = title.to_lowercase();
        ["chief executive", "ceo", "executive director", "president", "chair"]
            .iter()
            .position(|lead| title.contains(lead))
            .filter(|_| !title.contains("vice"))
    };
    let rank = |title: &Option<String>| title.as_deref().and_then(leads).unwrap_or(usize::MAX);
    let mut officers: Vec<_> = filing.officers.iter().collect();
    officers.sort_by_key(|officer| rank(&officer.title));
    let named: Vec<String> = officers
        .iter()
        .take(OFFICERS_SHOWN)
        .map(|officer| match &officer.title {
            Some(title) => format!("{} ({title})", officer.name),
            None => officer.name.clone(),
        })
        .collect();
    let more = officers.len().saturating_sub(named.len());
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let end = filing.period_end;
    (!named.is_empty()).then(|| {
        format!(
            "The return of {name} for the period that ended {end} names {}{more}.",
            named.join(", ")
        )
    })
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
