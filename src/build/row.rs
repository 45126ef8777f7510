//! What a row of the master file says, in the terms of a record; and the row that it would have of a
//! filer that it lacks.

use crate::irs::{ExtractRow, MasterRow, RevocationRow};
use crate::record::{
    Address, Deductibility, Exemption, Filing, Finances, GroupNumber, Listings, Origin, Origins,
    Revocation, Usd,
};
use crate::{naming, places};

/// The master file row of a filer, as far as its return supplies the columns.
pub(super) fn row_of(filing: Filing) -> MasterRow {
    MasterRow {
        tax_period: filing.tax_period(),
        street: filing.street,
        city: filing.city,
        state: filing.state,
        zip: filing.zip,
        subsection: filing.subsection,
        ..MasterRow::named(filing.ein, filing.name)
    }
}

/// The master file row of an organization known only from the revocation list, as far as that list supplies the
/// columns.
pub(super) fn row_of_revoked(row: RevocationRow) -> MasterRow {
    MasterRow {
        street: row.street,
        city: row.city,
        state: row.state,
        zip: row.zip,
        subsection: row.subsection,
        sort_name: row.doing_business_as,
        ..MasterRow::named(row.ein, row.name)
    }
}

/// The return whose figures an annual extract has.
pub(super) fn filing_of_extract(row: ExtractRow) -> Filing {
    Filing {
        subsection: row.subsection,
        revenue: row.revenue,
        expenses: row.expenses,
        assets: row.assets,
        liabilities: row.liabilities,
        net_assets: row.net_assets,
        employees: row.employees,
        totals: *row.totals,
        ..Filing::of_figures(row.ein, row.form, row.tax_period)
    }
}

/// Where an organization is; abroad, the street holds the city alone.
pub(super) fn full_address(row: &MasterRow) -> Address {
    let address = address(row);
    let street = row.street.as_deref().filter(|_| !is_abroad(row));
    Address { street: street.map(naming::display_place), ..address }
}

/// Codes of the states that are territories.
const TERRITORIES: [&str; 5] = ["AS", "GU", "MP", "PR", "VI"];

/// Whether a row has a country where others have the city.
fn is_abroad(row: &MasterRow) -> bool {
    let is_placed = row.state.is_some() || row.zip.is_some();
    !is_placed && row.city.as_deref().is_some_and(places::is_country)
}

/// Where an organization is, without the street.
pub(super) fn address(row: &MasterRow) -> Address {
    let country = row.city.as_deref().filter(|_| is_abroad(row));
    if let Some(country) = country {
        let city = row.street.as_deref().and_then(places::city_abroad);
        let city = city.as_deref().map(naming::display_place);
        // The master file has some of the territories as abroad. The country of Georgia is no state.
        let territory = places::state_named(&naming::normalise(country));
        return match territory.filter(|state| TERRITORIES.contains(&state.code())) {
            Some(state) => {
                let county = city.as_deref().map(places::city_key);
                let county = county.and_then(|key| places::county_of_city(&key, state));
                Address {
                    city,
                    state: Some(state),
                    county: county.map(str::to_owned),
                    ..Address::default()
                }
            }
            None => Address {
                city,
                country: Some(naming::display_place(country)),
                ..Address::default()
            },
        };
    }
    let place = row.zip.and_then(places::zip);
    let city = row.city.as_deref().map(|filed| places::full_city(filed, row.zip, row.state));
    let city_as_filed = row.city.clone().filter(|filed| {
        city.as_deref().is_some_and(|city| naming::normalise(city) != naming::normalise(filed))
    });
    let county = place
        .and_then(|place| place.county)
        .or_else(|| places::county_of_city(&places::city_key(city.as_deref()?), row.state?));
    Address {
        street: None,
        city,
        city_as_filed,
        country: None,
        state: row.state,
        zip: row.zip,
        county: county.map(str::to_owned),
        point: place.and_then(|place| place.point),
    }
}

/// The DBA names, then the sort name, without those that say the same as one before or as the
/// legal name.
pub(super) fn other_names(row: &MasterRow, doing_business_as: &[String]) -> Vec<String> {
    let mut known = vec![naming::normalise(&row.name)];
    let mut names = Vec::new();
    let sort_name = row.sort_name.as_deref().and_then(name_in_sort_name);
    for name in doing_business_as.iter().map(String::as_str).chain(sort_name) {
        let normal = naming::normalise(name);
        if !normal.is_empty() && !known.contains(&normal) {
            known.push(normal);
            names.push(naming::display_alternate(name, &row.name));
        }
    }
    names
}

/// Beginnings of sort names that are addressees and not names.
const ADDRESSEES: [&str; 4] = ["%", "C/O ", "ATTN", "ATTENTION "];

/// What marks the row under which a group files, and is no name.
const GROUP_RETURN: &str = "GROUP RETURN";

/// The name in SORT_NAME; `None` for an addressee and for the mark of a group return.
fn name_in_sort_name(sort_name: &str) -> Option<&str> {
    let is_addressee = ADDRESSEES.iter().any(|mark| sort_name.starts_with(mark));
    let name = sort_name.strip_suffix(GROUP_RETURN).unwrap_or(sort_name).trim();
    (!is_addressee && !name.is_empty()).then_some(name)
}

/// The other name that is shown: neither a chapter's bare number nor a person, who is the trustee or keeps the
/// books. In a group a person's name is that of a chapter.
pub(super) fn shown_alternate(
    other_names: &[String],
    group: Option<GroupNumber>,
) -> Option<&String> {
    let is_shown = |name: &&String| {
        name.chars().any(char::is_alphabetic) && (group.is_some() || !naming::is_person(name))
    };
    other_names.iter().find(is_shown)
}

pub(super) fn in_care_of(row: &MasterRow) -> Option<String> {
    let name = row.in_care_of.as_deref()?.trim_start_matches('%').trim();
    (!name.is_empty()).then(|| naming::display_name(name))
}

/// Of the master file's row and the latest return, the figure of the later tax period that there
/// is; of the same period that of the return, which is not rounded or cut.
pub(super) fn finances(
    row: &MasterRow,
    filing: Option<&Filing>,
    origins: &mut Origins,
) -> Finances {
    let period = filing.and_then(Filing::tax_period);
    let filed_later = period >= row.tax_period;
    let filed = Origin::Return(0);
    origins.row_period = row.tax_period;
    origins.return_period = period;
    let later = |of: fn(&Filing) -> Option<Usd>, listed: Option<Usd>, origin: &mut Origin| match (
        filing.and_then(of),
        listed,
    ) {
        (Some(amount), listed) if filed_later || listed.is_none() => {
            *origin = filed;
            Some(amount)
        }
        (_, listed) => listed,
    };
    if period.is_some() && filed_later {
        origins.tax_period = filed;
    }
    for of_return in [&mut origins.expenses, &mut origins.net_assets, &mut origins.employees] {
        *of_return = filed;
    }
    Finances {
        tax_period: period.max(row.tax_period),
        assets: later(|filing| filing.assets, row.assets, &mut origins.assets),
        income: row.income,
        revenue: later(|filing| filing.revenue, row.revenue, &mut origins.revenue),
        expenses: filing.and_then(|filing| filing.expenses),
        net_assets: filing.and_then(|filing| filing.net_assets),
        employees: filing.and_then(|filing| filing.employees),
        asset_class: row.asset_class,
        income_class: row.income_class,
        filing_requirement: row.filing_requirement,
        private_foundation_filing: row.private_foundation_filing,
        accounting_month: row.accounting_month,
    }
}

pub(super) fn exemption(
    row: MasterRow,
    codes: Option<&[String]>,
    revocation: Option<Revocation>,
) -> Exemption {
    Exemption {
        subsection: row.subsection,
        classification: row.classification,
        ruling: row.ruling,
        deductibility: if codes.is_some() {
            Some(Deductibility::DEDUCTIBLE)
        } else {
            row.deductibility
        },
        publication_78: codes.unwrap_or_default().to_vec(),
        foundation: row.foundation,
        affiliation: row.affiliation,
        organization: row.organization,
        status: row.status,
        group: row.group,
        activity: row.activity,
        revocation,
        listings: Listings::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_written_to_is_no_other_name() {
        for (sort_name, expected) in [
            ("% JANE DOE", &[][..]),
            ("C/O RAY P PRICE", &[]),
            ("ATTN TREASURER", &[]),
            ("GROUP RETURN", &[]),
            ("ABDALLAH SHRINERS GROUP RETURN", &["Abdallah Shriners"]),
            ("WY ALPHA", &["WY Alpha"]),
            ("12036", &["12036"]),
        ] {
            let ein = "000000001".parse().unwrap();
            let mut row = MasterRow::named(ein, "SOMEBODY".to_owned());
            row.sort_name = Some(sort_name.to_owned());
            let names = other_names(&row, &[]);
            assert_eq!(names, expected, "{sort_name}");
            let shown = shown_alternate(&names, None).map(String::as_str);
            assert_eq!(shown, expected.first().copied().filter(|name| *name != "12036"));
        }
    }

    #[test]
    fn a_person_is_shown_as_a_chapter_alone() {
        let names = ["Jane Doe".to_owned()];
        assert_eq!(shown_alternate(&names, None), None);
        let group = GroupNumber::parse("1234").ok().flatten();
        assert_eq!(shown_alternate(&names, group), names.first());
    }
}
