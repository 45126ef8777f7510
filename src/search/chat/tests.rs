//! What is said of one nonprofit and of entries, over records made by hand.

use super::{fact, figure, say, standing};
use crate::reader::Fact;
use crate::record::{Change, ChangeKind, Date};
use crate::record::{
    Filing, Form, Knowledge, Listing, Listings, Month, Organization, Origin, Person, Revocation,
    Roles, Usd,
};
use crate::search::changes;
use crate::search::provenance::TracedNonprofit;
use crate::understand::{FactQuestion, Which};

fn organization() -> Organization {
    let mut known = Organization::named("970000001".parse().unwrap(), "Maple River Food Shelf");
    known.address.city = Some("Burlington".into());
    known.address.state = "VT".parse().ok();
    known.exemption.subsection = "03".parse().ok();
    known.exemption.ruling = Month::new(1999, 5);
    known.finances.tax_period = Month::new(2024, 6);
    known.origins.row_period = known.finances.tax_period;
    known.exemption.listings.master_file = Listing::Row { source: 0 };
    known.finances.revenue = Some(Usd::new(-1_234_567));
    known.ntee = "K31".parse().ok();
    known
}

fn filing() -> Filing {
    Filing {
        name: "MAPLE RIVER FOOD SHELF".into(),
        ..Filing::of_figures("970000001".parse().unwrap(), Form::Full, Month::new(2024, 6).unwrap())
    }
}

/// The officers of a return, each with what it pays.
fn people(filing: &Filing, officers: &[(&str, Option<&str>, i64)]) -> Vec<Person> {
    let person = |(position, (name, title, paid)): (u32, &(&str, Option<&str>, i64))| Person {
        ein: filing.ein,
        tax_year: filing.tax_year,
        period_end: filing.period_end,
        object_id: None,
        is_business: false,
        title: title.map(str::to_owned),
        hours: None,
        hours_related: None,
        roles: Roles::default(),
        detail: None,
        compensation_related: None,
        compensation_other: None,
        compensation: Some(Usd::new(*paid)),
        position,
        name: (*name).to_owned(),
    };
    (1..).zip(officers).map(person).collect()
}

fn traced(organization: Organization, filings: Vec<Filing>) -> TracedNonprofit<'static> {
    TracedNonprofit { organization, filings, sources: &[] }
}

#[test]
fn facts_are_said_or_said_to_be_unknown() {
    let known = organization();
    let traced = traced(known, Vec::new());
    let said = |fact| fact::sentence(FactQuestion { fact, year: None }, &traced, &[]);
    for (asked, expected) in [
        (
            Fact::Revenue,
            "Maple River Food Shelf reported revenue of -$1,234,567 for the tax period that ended in \
             June 2024.",
        ),
        (Fact::Employees, "The data holds no number of employees of Maple River Food Shelf."),
        (Fact::Place, "Maple River Food Shelf has its address at Burlington, VT."),
        (Fact::Founded, "The IRS recognised the exemption of Maple River Food Shelf in May 1999."),
        (Fact::Code, "Maple River Food Shelf has the NTEE code K31, Food Banks & Pantries."),
        (
            Fact::Contact,
            "The data holds neither the telephone number nor the e-mail address of Maple River Food \
             Shelf.",
        ),
        (Fact::Officers, "The data holds no names of the officers of Maple River Food Shelf."),
    ] {
        assert_eq!(said(asked), expected);
    }
    let portrait = fact::portrait(&traced);
    assert!(portrait.contains("is a 501(c)(3) organization in Burlington, VT"), "{portrait}");
}

/// What is said of exemption and deductibility, by what each list has: the master file, Publication
/// 78 and the revocation list.
#[test]
fn what_was_not_checked_is_not_assured() {
    let row = Listing::Row { source: 9 };
    let said = |asked, [master_file, publication_78, revocations]: [Listing; 3], code: &str| {
        let mut known = organization();
        if master_file != row {
            known.exemption.subsection = None;
        }
        known.exemption.deductibility = code.parse().ok();
        known.exemption.listings = Listings { master_file, publication_78, revocations };
        if revocations == row {
            let revoked = crate::record::Date::new(2020, 5, 15).unwrap();
            known.exemption.revocation =
                Some(Revocation { revoked, posted: None, reinstated: None });
        }
        fact::sentence(FactQuestion { fact: asked, year: None }, &traced(known, Vec::new()), &[])
    };
    let (none, absent) = (Listing::NotLoaded, Listing::Absent);
    for (asked, lists, code, expected) in [
        (
            Fact::Standing,
            [row, none, none],
            "1",
            "The IRS's master file has Maple River Food Shelf as exempt under section 501(c)(3). \
             Whether its exemption was revoked was not checked: no revocation list is loaded. That \
             says nothing about how well it works.",
        ),
        (
            Fact::Standing,
            [row, none, absent],
            "1",
            "The IRS's master file has Maple River Food Shelf as exempt under section 501(c)(3). \
             The IRS's automatic revocation list does not have it. That says nothing about how well \
             it works.",
        ),
        (
            Fact::Standing,
            [row, none, row],
            "1",
            "The IRS's automatic revocation list has the exemption of Maple River Food Shelf as \
             revoked since 2020-05-15, and not as reinstated: contributions are not tax-deductible \
             unless that has changed.",
        ),
        (
            Fact::Standing,
            [absent, none, none],
            "",
            "Maple River Food Shelf is in no master file that is loaded, so whether it is exempt was \
             not checked: the data holds its returns alone. Whether its exemption was revoked was \
             not checked: no revocation list is loaded.",
        ),
        (
            Fact::Deductible,
            [row, row, none],
            "1",
            "By the IRS's Publication 78, contributions to Maple River Food Shelf are \
             tax-deductible. Whether its exemption was revoked was not checked: no revocation list \
             is loaded.",
        ),
        (
            Fact::Deductible,
            [row, none, absent],
            "2",
            "By the IRS's master file, contributions to Maple River Food Shelf are not \
             tax-deductible.",
        ),
        (
            Fact::Deductible,
            [row, none, none],
            "0",
            "Whether contributions to Maple River Food Shelf are tax-deductible is not known: no \
             master file that is loaded says so, and Publication 78 is not loaded.",
        ),
    ] {
        assert_eq!(said(asked, lists, code), expected);
    }
}

/// A figure is of the return where it stands there, else of the master file's row.
#[test]
fn figures_are_said_of_their_own_period() {
    let mut known = organization();
    known.finances.expenses = Some(Usd::new(5));
    let mut latest = filing();
    latest.expenses = Some(Usd::new(5));
    latest.period_end = crate::record::Date::new(2022, 12, 31).unwrap();
    let officers = [("One", Some("CEO"), 90_000), ("Two", Some("Past President"), 0)];
    let people = people(&latest, &officers);
    known.origins.expenses = Origin::Return(0);
    let traced = traced(known, vec![latest]);
    let said = |fact| fact::sentence(FactQuestion { fact, year: None }, &traced, &people);
    assert!(said(Fact::Expenses).ends_with("ended in December 2022."), "{}", said(Fact::Expenses));
    assert!(said(Fact::Revenue).ends_with("ended in June 2024."), "{}", said(Fact::Revenue));
    assert!(said(Fact::Pay).ends_with("paid One (CEO), $90,000."), "{}", said(Fact::Pay));
}

/// Two returns, the later without a figure of assets; the master file's row is of another period.
fn of_two_years() -> TracedNonprofit<'static> {
    let mut known = organization();
    known.finances.net_assets = Some(Usd::new(7));
    known.finances.expenses = Some(Usd::new(1_200_000));
    known.origins.net_assets = Origin::Return(0);
    known.origins.expenses = Origin::Return(0);
    let of = |tax_year, end: (u16, u8, u8), revenue| {
        let mut filing = filing();
        (filing.tax_year, filing.revenue) = (tax_year, Some(Usd::new(revenue)));
        filing.period_end = Date::new(end.0, end.1, end.2).unwrap();
        filing
    };
    traced(known, vec![of(2022, (2023, 6, 30), 20), of(2021, (2022, 6, 30), 10)])
}

/// A figure that is asked for a year is that year's, or said not to be known.
#[test]
fn figures_of_a_year_are_those_of_its_return() {
    let known = of_two_years();
    let people = people(&known.filings[1], &[("One", None, 0)]);
    for (fact, year, expected) in [
        (
            Fact::Revenue,
            2022,
            "of $20 for the tax period that ended in June 2023 (Form 990 of 2022).",
        ),
        (
            Fact::Revenue,
            2021,
            "of $10 for the tax period that ended in June 2022 (Form 990 of 2021).",
        ),
        // No form is of 2023, but a period ended in it.
        (
            Fact::Revenue,
            2023,
            "of $20 for the tax period that ended in June 2023 (Form 990 of 2022).",
        ),
        // The master file's own.
        (Fact::Revenue, 2024, "of -$1,234,567 for the tax period that ended in June 2024."),
        (
            Fact::Revenue,
            2019,
            "in 2019 is not in the loaded returns, which are of the tax periods that ended in June \
             2023 and June 2022.",
        ),
        (
            Fact::Assets,
            2022,
            "for the tax period that ended in June 2023 (Form 990 of 2022) states no total assets.",
        ),
        (Fact::Officers, 2021, "for the period that ended 2022-06-30 names One."),
        (
            Fact::Filing,
            2010,
            "in 2010 is not in the loaded returns, which are of the tax periods that ended in June \
             2023 and June 2022.",
        ),
    ] {
        let said = fact::sentence(FactQuestion { fact, year: Some(year) }, &known, &people);
        assert!(said.ends_with(expected), "{said}");
    }
    let none = traced(organization(), Vec::new());
    let said = fact::sentence(FactQuestion { fact: Fact::Revenue, year: Some(2019) }, &none, &[]);
    assert!(said.contains("in 2019 is not in the loaded returns: none of it"), "{said}");
}

#[test]
fn a_size_says_which_figure_it_follows() {
    let said = fact::sentence(FactQuestion { fact: Fact::Size, year: None }, &of_two_years(), &[]);
    let end = "Medium, by its expenses of $1,200,000 for the tax period that ended in June 2023.";
    assert!(said.ends_with(end), "{said}");
}

/// Every figure with its own period: of one source together, of several apart.
#[test]
fn where_a_value_is_from_is_said_of_each_source() {
    let known = of_two_years();
    let said = |asked: Option<FactQuestion>| figure::source(asked, &known);
    let net_assets = said(Some(FactQuestion { fact: Fact::NetAssets, year: None }));
    assert_eq!(
        net_assets,
        "The net assets of Maple River Food Shelf are from its Form 990 for the tax period that ended \
         in June 2023."
    );
    let of_2021 = said(Some(FactQuestion { fact: Fact::Revenue, year: Some(2021) }));
    assert!(of_2021.ends_with("in June 2022."), "{of_2021}");
    // No master file is loaded that would say the name.
    assert_eq!(said(None), net_assets);
    let unknown = said(Some(FactQuestion { fact: Fact::Website, year: None }));
    assert_eq!(unknown, "No list or return that was loaded says that of Maple River Food Shelf.");
}

#[test]
fn changes_are_said_with_the_day_on_which_they_were_seen() {
    let renamed = changes::DatedChange {
        change: Change {
            ein: "970000001".parse().unwrap(),
            kind: ChangeKind::Renamed,
            name: "New".into(),
            state: None,
            before: Some("Old".into()),
            after: Some("New".into()),
        },
        snapshot: "s".into(),
        seen: "2026-05-02T10:00:00Z".into(),
    };
    let since = Some("2026-04-01T00:00:00Z");
    let said = standing::changed(&[renamed], since);
    assert_eq!(said, "Of changes, the data has: its name from “Old” to “New”, seen on 2026-05-02.");
    let none = standing::changed(&[], since);
    assert_eq!(
        none,
        "Nothing of it, its name included, has changed since the files of 2026-04-01."
    );
    assert!(standing::changed(&[], None).contains("is not known"));
}

#[test]
fn who_leads_is_named_first() {
    let filing = filing();
    let officers = [
        ("Vice One", Some("Past President"), 0),
        ("Two", None, 0),
        ("Three", Some("Executive Director"), 0),
        ("Four", Some("Trustee"), 0),
    ];
    let people = people(&filing, &officers);
    let traced = traced(organization(), vec![filing]);
    let asked = FactQuestion { fact: Fact::Officers, year: None };
    let said = fact::sentence(asked, &traced, &people);
    let end = "names Three (Executive Director), Vice One (Past President), Two and 1 more.";
    assert!(said.ends_with(end), "{said}");
}

#[test]
fn an_entry_is_quoted_by_its_first_sentences() {
    let entry = |content: &str| {
        let content = content.to_owned();
        let entry = Knowledge {
            article_id: "k".into(),
            title: "K".into(),
            url: None,
            content,
            date_added: None,
            questions: Vec::new(),
        };
        say::explained(&entry)
    };
    assert_eq!(entry("One. Two. Three."), "One. Two.");
    assert_eq!(
        entry("A U.S. nonprofit has $1.5 million. It gives. Source: IRS."),
        "A U.S. nonprofit has $1.5 million. It gives."
    );
    assert_eq!(entry("no sentence at all"), "no sentence at all");
}

#[test]
fn what_is_missing_is_named() {
    for (which, count, part) in [
        (Which::Nth(4), 3, "3 nonprofits, and no number 4"),
        (Which::Nth(4), 1, "had 1 nonprofit, and no number 4"),
        (Which::That, 0, "No nonprofits were shown yet"),
        (Which::That, 2, "say which one"),
    ] {
        let said = say::missing(which, count, "nonprofits");
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(say::list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
}
