//! Funds in the IRS's files: those of sponsors of donor-advised funds, which Schedule D counts, and community
//! foundations by their NTEE code.

use serde_json::json;

use crate::record::{Filing, Fund, Organization, State, Usd, thousands};

/// NTEE code of community foundations.
const COMMUNITY_FOUNDATION: &str = "T31";

/// The fund that donors can give through at a charity, if its latest whole return counts donor-advised funds or the
/// charity is a community foundation; its identifier is the EIN as a number. `filings` are those of the charity, the
/// latest first.
pub(super) fn fund_of(organization: &Organization, filings: &[Filing]) -> Option<Fund> {
    if !organization.exemption.is_active_charity() {
        return None;
    }
    let latest = filings.iter().find(|filing| filing.is_whole());
    let held = latest.and_then(held);
    let code = organization.ntee.map(|code| code.as_str().to_owned());
    // Many small groups without a code of their own have this one.
    let is_foundation = organization.name.contains("Foundation");
    let is_community_foundation = is_foundation && code.as_deref() == Some(COMMUNITY_FOUNDATION);
    let (kind, purpose) = match (&held, is_community_foundation) {
        (_, true) => (
            "Community foundation",
            "Funds of donors for the community, donor-advised funds among them",
        ),
        (Some(_), false) => {
            ("Donor-advised funds", "Donor-advised funds: donors recommend grants to charities")
        }
        (None, false) => return None,
    };
    let address = &organization.address;
    Some(Fund {
        id: i64::from(organization.ein.pack()),
        title: organization.name.clone(),
        content: held,
        purpose: Some(purpose.to_owned()),
        sponsor: Some(organization.name.clone()),
        about_sponsor: organization.summary.clone(),
        fund_url: None,
        fund_sponsor_url: organization.website.clone(),
        fund_minimum_investment: None,
        gc_medium_image: None,
        website: organization.website.clone(),
        logo: None,
        ein: Some(organization.ein),
        r#type: Some(kind.to_owned()),
        address: Some(
            json!({
                "street": address.street,
                "city": address.city,
                "state": address.state.map(State::code),
                "zip": address.zip,
            })
            .to_string(),
        ),
        category: code.map(|code| json!({ "ntee": code }).to_string()),
    })
}

/// The donor-advised funds of a filer, as its return states them.
fn held(filing: &Filing) -> Option<String> {
    let totals = &filing.totals;
    let count = totals.donor_advised_funds.filter(|count| *count > 0)?;
    let funds = match count {
        1 => "One donor-advised fund".to_owned(),
        _ => format!("{} donor-advised funds", thousands(u64::from(count))),
    };
    let dollars = |amount: Usd| {
        let positive = u64::try_from(amount.dollars()).ok().filter(|dollars| *dollars > 0)?;
        Some(format!("${}", thousands(positive)))
    };
    let value = totals.donor_advised_value.and_then(dollars);
    let value = value.map(|value| format!(", worth {value}"));
    let grants = totals.donor_advised_grants.and_then(dollars);
    let grants = grants.map(|grants| format!("; grants of {grants} from them in the period"));
    Some(format!(
        "{funds} on {}{}{} (Form 990, Schedule D, Part I).",
        filing.period_end,
        value.unwrap_or_default(),
        grants.unwrap_or_default()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Form, Month, Subsection};

    #[test]
    fn sponsors_and_community_foundations_have_funds() {
        let ein = "170000001".parse().unwrap();
        let mut one = Organization::named(ein, "Fictional Foundation");
        let period = Month::new(2023, 12).unwrap();
        let mut filing = Filing::of_figures(ein, Form::Full, period);
        filing.name = "FICTIONAL FOUNDATION".to_owned();
        assert_eq!(fund_of(&one, &[filing.clone()]), None);
        one.exemption.subsection = Some(Subsection::CHARITABLE);
        assert_eq!(fund_of(&one, &[filing.clone()]), None);

        filing.totals.donor_advised_funds = Some(1_475);
        filing.totals.donor_advised_value = Some(Usd::new(707_022_154));
        let fund = fund_of(&one, &[filing]).unwrap();
        let stated = "1,475 donor-advised funds on 2023-12-31, worth $707,022,154 (Form 990, Schedule D, Part I).";
        assert_eq!(fund.content.as_deref(), Some(stated));
        assert_eq!((fund.id, fund.r#type.as_deref()), (170_000_001, Some("Donor-advised funds")));

        one.ntee = Some("T31".parse().unwrap());
        let fund = fund_of(&one, &[]).unwrap();
        assert_eq!((fund.content, fund.r#type.as_deref()), (None, Some("Community foundation")));
    }
}
