//! What is said of one nonprofit, over records made by hand.

use super::{GrantsQuestion, Mention, Profile};
use crate::reader::{DialogueAct, Language};
use crate::record::{
    Application, Change, ChangeKind, Date, Filing, Form, Listing, Listings, Month, Organization,
    Origin, Person, Posture, Revocation, Roles, Usd,
};
use crate::search::changes;
use crate::search::provenance::TracedNonprofit;

fn organization() -> Organization {
    let mut known = Organization::named("970000001".parse().unwrap(), "Maple River Food Shelf");
    known.address.city = Some("Burlington".into());
    known.address.state = "VT".parse().ok();
    known.exemption.subsection = "03".parse().ok();
    known.exemption.foundation = "15".parse().ok();
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
    let mut roles = Roles::default();
    roles.insert(crate::record::Role::Officer);
    let person = |(position, (name, title, paid)): (u32, &(&str, Option<&str>, i64))| Person {
        ein: filing.ein,
        tax_year: filing.tax_year,
        period_end: filing.period_end,
        object_id: None,
        is_business: false,
        title: title.map(str::to_owned),
        hours: None,
        hours_related: None,
        roles,
        detail: None,
        compensation_related: None,
        compensation_other: None,
        compensation: Some(Usd::new(*paid)),
        position,
        name: (*name).to_owned(),
    };
    (1..).zip(officers).map(person).collect()
}

fn profile(organization: Organization, filings: Vec<Filing>) -> Profile<'static> {
    let traced = TracedNonprofit { organization, filings, sources: &[] };
    Profile {
        lines_before: Vec::new(),
        traced,
        language: Language::English,
        year: None,
        text: "",
        grants: GrantsQuestion::default(),
        is_asked_by_grantor: false,
    }
}

#[test]
fn facts_are_said_or_said_to_be_unknown() {
    let known = profile(organization(), Vec::new());
    for (said, expected) in [
        (
            known.figure(DialogueAct::Revenue, Mention::Name),
            "Maple River Food Shelf took in -$1,234,567 in the fiscal year that ended in June 2024.",
        ),
        (
            known.figure(DialogueAct::Employees, Mention::Pronoun),
            "No figure is on file for its number of employees. That would be in its full return, and none \
             is loaded here. Its returns can be looked up under EIN 97-0000001 at https://apps.irs.gov/app/eos/",
        ),
        (
            known.record(DialogueAct::Address, Mention::Name),
            "Maple River Food Shelf's address with the IRS is Burlington, VT.",
        ),
        (
            known.record(DialogueAct::Founded, Mention::Name),
            "The IRS has recognized Maple River Food Shelf as exempt since May 1999; the group itself \
             may be older.",
        ),
        (
            known.record(DialogueAct::Code, Mention::Pronoun),
            "Its NTEE code is K31, “Food Banks & Pantries”, in the area Food, Agriculture & Nutrition: \
             what the IRS has it down as doing.",
        ),
        (
            known.record(DialogueAct::Phone, Mention::Name),
            "I don't have a phone number or e-mail address for Maple River Food Shelf. The IRS's files \
             don't hold that. Its address is Burlington, VT.",
        ),
        (known.record(DialogueAct::Kind, Mention::Pronoun), "It is a 501(c)(3) public charity."),
    ] {
        assert_eq!(said, expected);
    }
    let portrait = known.portrait();
    assert!(portrait.contains("is a 501(c)(3) public charity in Burlington, VT"), "{portrait}");
    assert_eq!(known.value(DialogueAct::Revenue).as_deref(), Some("-$1,234,567 (2024)"));
    assert_eq!(known.value(DialogueAct::Employees), None);
    let spanish = Profile { language: Language::Spanish, ..known };
    assert_eq!(
        spanish.figure(DialogueAct::Revenue, Mention::Pronoun),
        "Tuvo ingresos por -$1,234,567 en el año fiscal que terminó en junio de 2024."
    );
}

#[test]
fn a_body_of_another_kind_is_no_charity() {
    let mut club = organization();
    club.exemption.subsection = "07".parse().ok();
    let asked = Profile { text: "is it a real charity?", ..profile(club, Vec::new()) };
    let said = asked.record(DialogueAct::Kind, Mention::Pronoun);
    assert!(
        said.starts_with("No: it is a 501(c)(7) organization, which is not a charity"),
        "{said}"
    );
    let unasked = Profile { text: "what kind is it?", ..asked };
    let said = unasked.record(DialogueAct::Kind, Mention::Pronoun);
    assert_eq!(said, "It is a 501(c)(7) organization.");
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
        known.exemption.listings =
            Listings { master_file, publication_78, revocations, ..Listings::default() };
        if revocations == row {
            let revoked = Date::new(2020, 5, 15).unwrap();
            known.exemption.revocation =
                Some(Revocation { revoked, posted: None, reinstated: None });
        }
        let known = Profile { text: "is it tax exempt?", ..profile(known, Vec::new()) };
        match asked {
            DialogueAct::Standing => known.standing(),
            _ => known.deductibility(),
        }
    };
    let (none, absent) = (Listing::NotLoaded, Listing::Absent);
    for (asked, lists, code, expected) in [
        (
            DialogueAct::Standing,
            [row, none, none],
            "1",
            "Yes, Maple River Food Shelf is on the IRS's list of exempt organizations as a 501(c)(3) \
             public charity, exempt since May 1999. I could not check revocation here; \
             https://apps.irs.gov/app/eos/ does. That is its tax status, not a judgment of its work.",
        ),
        (
            DialogueAct::Standing,
            [row, none, absent],
            "1",
            "Yes, Maple River Food Shelf is on the IRS's list of exempt organizations as a 501(c)(3) \
             public charity, exempt since May 1999. It is not on the IRS's list of revocations. That \
             is its tax status, not a judgment of its work.",
        ),
        (
            DialogueAct::Standing,
            [row, none, row],
            "1",
            "No: the IRS's list of revocations has the exemption of Maple River Food Shelf as revoked \
             on May 15, 2020. Gifts are not deductible unless it was reinstated since.",
        ),
        (
            DialogueAct::Standing,
            [absent, none, none],
            "",
            "Maple River Food Shelf is on no IRS list of exempt organizations that is loaded here; I \
             have only its returns. I could not check revocation here; \
             https://apps.irs.gov/app/eos/ does.",
        ),
        (
            DialogueAct::Deductible,
            [row, none, absent],
            "2",
            "No, by the IRS's list of exempt organizations gifts to Maple River Food Shelf are not \
             tax-deductible, though it is a 501(c)(3) public charity.",
        ),
        (
            DialogueAct::Deductible,
            [row, none, none],
            "0",
            "The lists here don't say whether gifts to Maple River Food Shelf are deductible; it is a \
             501(c)(3) public charity.",
        ),
    ] {
        assert_eq!(said(asked, lists, code), expected);
    }
    // That it is listed is no yes to whether it was revoked.
    let asked = |text| Profile { text, ..profile(organization(), Vec::new()) }.standing();
    for text in ["was it revoked?", "is it still active?", "has it lost its exemption?"] {
        assert!(asked(text).starts_with("I could not check revocation"), "{}", asked(text));
    }
    // Nor to whether to trust it, or to give.
    for text in ["should we give $500 to it?", "is it trustworthy?", "is it a scam?"] {
        assert!(asked(text).starts_with("Maple River Food Shelf is on"), "{}", asked(text));
    }
    let deductible = said(DialogueAct::Deductible, [row, row, none], "1");
    assert!(deductible.starts_with("Yes, by the IRS's Publication 78 gifts to"), "{deductible}");
    assert!(deductible.contains("I could not check revocation"), "{deductible}");
}

/// Two returns, the later without a figure of assets; the master file's row is of another period.
fn of_two_years() -> Profile<'static> {
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
    profile(known, vec![of(2022, (2023, 6, 30), 20), of(2021, (2022, 6, 30), 10)])
}

/// A figure is of the return where it stands there, else of the master file's row; one that is asked for a year is
/// that year's, or said not to be known.
#[test]
fn figures_are_said_of_their_own_period() {
    let known = of_two_years();
    let said = known.figure(DialogueAct::Expenses, Mention::Name);
    assert!(
        said.ends_with("spent $1,200,000 in the fiscal year that ended in June 2023."),
        "{said}"
    );
    let said = known.figure(DialogueAct::Revenue, Mention::Name);
    assert!(said.ends_with("ended in June 2024."), "{said}");
    let mut known = known;
    for (fact, year, expected) in [
        (DialogueAct::Revenue, 2022, "took in $20 in the fiscal year that ended in June 2023."),
        (DialogueAct::Revenue, 2021, "took in $10 in the fiscal year that ended in June 2022."),
        // No form is of 2023, but a period ended in it.
        (DialogueAct::Revenue, 2023, "took in $20 in the fiscal year that ended in June 2023."),
        // The master file's own.
        (DialogueAct::Revenue, 2024, "-$1,234,567 in the fiscal year that ended in June 2024."),
        (DialogueAct::Revenue, 2019, "What I have is of June 2024, June 2023 and June 2022."),
    ] {
        known.year = Some(year);
        let said = known.figure(fact, Mention::Name);
        assert!(said.ends_with(expected), "{said}");
    }
    let none = Profile { year: Some(2019), ..profile(organization(), Vec::new()) };
    let said = none.figure(DialogueAct::Assets, Mention::Name);
    assert!(
        said.starts_with("No figure for 2019 is on file for Maple River Food Shelf's assets."),
        "{said}"
    );
    let trend = of_two_years().trend(Mention::Name);
    assert!(trend.contains("2024 -$1,234,567, 2023 $20 and 2022 $10"), "{trend}");
    let since = Profile {
        text: "how has its revenue changed since 2023",
        year: Some(2023),
        ..of_two_years()
    };
    let said = since.figure(DialogueAct::Revenue, Mention::Name);
    assert!(
        said.contains("2024 -$1,234,567 and 2023 $20.") && said.contains("less than"),
        "{said}"
    );
}

/// What is left is of one period: never the revenue of one year less the expenses of another.
#[test]
fn a_surplus_is_of_one_period() {
    let mut known = of_two_years();
    for (filing, expenses) in known.traced.filings.iter_mut().zip([Some(15), None]) {
        filing.expenses = expenses.map(Usd::new);
        filing.totals.unrestricted_net_assets = Some(Usd::new(5));
    }
    let said = known.surplus(Mention::Name);
    assert_eq!(
        said,
        "Maple River Food Shelf took in $5 more than it spent in the fiscal year that ended in June 2023."
    );
    assert_eq!(known.value(DialogueAct::Surplus).as_deref(), Some("$5 (2023)"));
    let said = known.health(Mention::Name);
    for part in [
        "took in $5 more than it spent in the fiscal year that ended in June 2023.",
        "Its free reserves at the end of June 2023 would last 4.0 months.",
        "Its net assets were $7 at the end of June 2023.",
        "It took in -$1,234,567 in the fiscal year that ended in June 2024; I have no expenses",
    ] {
        assert!(said.contains(part), "{said}");
    }
    for (year, expected) in [
        (2023, "took in $5 more than it spent in the fiscal year that ended in June 2023."),
        (2021, "I don't have both revenue and expenses of Maple River Food Shelf for 2021."),
        (2024, "What I have is of June 2023."),
    ] {
        known.year = Some(year);
        let said = known.health(Mention::Name);
        assert!(said.contains(expected), "{year}: {said}");
        assert!(!said.contains("June 2024"), "{year}: {said}");
    }
}

/// A summary states the period of each figure.
#[test]
fn a_summary_has_a_sentence_for_each_period() {
    let mut known = of_two_years();
    known.traced.organization.finances.assets = Some(Usd::new(9));
    assert_eq!(
        known.size(Mention::Pronoun),
        "It is medium-sized: it took in -$1,234,567 and it had $9 in assets in the fiscal year that \
         ended in June 2024. In the fiscal year that ended in June 2023 it spent $1,200,000."
    );
    known.year = Some(2023);
    let said = known.size(Mention::Name);
    assert!(said.ends_with("it took in $20 in the fiscal year that ended in June 2023."), "{said}");
    known.year = Some(2019);
    let said = known.size(Mention::Name);
    assert!(said.starts_with("I don't have figures that tell the size of"), "{said}");
}

/// Where no list has it, that it is a 501(c)(3) is what its own return says.
#[test]
fn a_section_that_only_a_return_says_is_said_to_be_so() {
    let mut known = profile(organization(), vec![filing()]);
    let own = "by its own return (no list loaded here has it)";
    assert!(!known.portrait().contains(own));
    known.traced.organization.exemption.listings = Listings::default();
    for said in [known.portrait(), known.record(DialogueAct::Kind, Mention::Name)] {
        assert!(said.contains(&format!("is a 501(c)(3) public charity {own}")), "{said}");
    }
    known.traced.organization.exemption.listings.publication_78 = Listing::Row { source: 0 };
    assert!(!known.portrait().contains(own));
}

#[test]
fn how_to_apply_is_quoted_from_the_return() {
    let mut filing = filing();
    let how = Application {
        addressee: Some("JANE ROE".into()),
        deadlines: Some("NONE".into()),
        restrictions: Some("VERMONT ONLY".into()),
        ..Application::default()
    };
    filing.posture = Some(Posture { only_preselected: false, applications: vec![how] });
    let mut known = profile(organization(), vec![filing]);
    assert_eq!(
        known.applications(Mention::Name),
        "By its Form 990-PF for the year that ended in June 2024, Maple River Food Shelf takes \
         applications, addressed to Jane Roe. Deadlines: “None” Restrictions: “Vermont only”"
    );
    known.traced.filings[0].posture =
        Some(Posture { only_preselected: true, applications: Vec::new() });
    assert!(known.applications(Mention::Name).contains("takes no unsolicited applications"));
    known.traced.filings[0].posture = None;
    assert!(known.applications(Mention::Name).contains("only Form 990-PF says so"));
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
    let known = profile(organization(), Vec::new());
    let since = Some("2026-04-01T00:00:00Z");
    assert_eq!(
        known.changes(&[renamed], since),
        "What has changed of Maple River Food Shelf: the name from “Old” to “New”, seen on May 2, 2026."
    );
    assert_eq!(
        known.changes(&[], since),
        "I see no change of Maple River Food Shelf since the files of April 1, 2026."
    );
    assert!(known.changes(&[], None).contains("no earlier files"));
}

#[test]
fn who_leads_is_named_first() {
    let filing = filing();
    let officers = [
        ("VICE ONE", Some("PAST PRESIDENT"), 0),
        ("Two", None, 0),
        ("Three", Some("Executive Director"), 90_000),
        ("Four", Some("Trustee"), 0),
    ];
    let people = people(&filing, &officers);
    let known = profile(organization(), vec![filing]);
    assert_eq!(
        known.led_by(2023, people.clone()),
        "By the return for 2023, Maple River Food Shelf was led by Three (Executive Director), Two, Four \
         (Trustee) and Vice One (Past President); who leads it today is not in the files."
    );
    assert_eq!(
        known.paid_by(2023, &people),
        "By the return for 2023, Maple River Food Shelf paid Three (Executive Director) $90,000."
    );
}

/// Whose office is asked for is named alone, also by a title that was cut off.
#[test]
fn the_pay_of_an_office_is_that_of_who_holds_it() {
    let filing = filing();
    let officers = [
        ("One", Some("EXECUTIVE DI"), 90_000),
        ("Two", Some("Chief Medical Officer"), 190_000),
        ("Three", Some("Director"), 0),
        ("Four", Some("Past Executive Director"), 5_000),
    ];
    let people = people(&filing, &officers);
    let known = profile(organization(), vec![filing]);
    for (text, expected) in [
        (
            "how much does its director make",
            "paid One (Executive Director) $90,000; 2 more were paid.",
        ),
        ("what does its CEO earn", "paid One (Executive Director) $90,000; 2 more were paid."),
        (
            "how much does the medical officer make",
            "paid Two (Chief Medical Officer) $190,000; 2 more",
        ),
        ("and the boss's pay?", "paid One (Executive Director) $90,000; 2 more were paid."),
        (
            "what is the medical officer's salary",
            "paid Two (Chief Medical Officer) $190,000; 2 more",
        ),
        ("what are its officers paid", "paid Two (Chief Medical Officer) $190,000, One"),
    ] {
        let known = Profile { text, ..profile(organization(), known.traced.filings.clone()) };
        let said = known.paid_by(2023, &people);
        assert!(said.contains(expected), "{text}: {said}");
    }
}

/// A line is of the latest return that has it, with its share of what it is a part of; the answer says where a return
/// leaves it blank or has no such line.
#[test]
fn lines_of_returns_are_said_with_their_share() {
    let mut known = of_two_years();
    for filing in &mut known.traced.filings {
        filing.expenses = Some(Usd::new(1_000));
        filing.totals.fundraising_expenses = Some(Usd::new(62));
        filing.totals.contributions = Some(Usd::new(8));
    }
    let said = |profile: &Profile<'_>| profile.lines(Mention::Name);
    let mut known = Profile { text: "what did it spend on fundraising", ..known };
    assert_eq!(
        said(&known),
        "Maple River Food Shelf reported $62 of fundraising expenses in the fiscal year that ended in June 2023: \
         6.2% of its expenses of $1,000."
    );
    assert_eq!(known.value(DialogueAct::Lines).as_deref(), Some("$62 (2023, 6.2%)"));
    known.text = "how much came from government grants";
    let blank = said(&known);
    assert!(blank.contains("stated no government grants in the fiscal year"), "{blank}");
    assert!(blank.ends_with("among contributions and grants of $8 in all."), "{blank}");
    known.text = "what were its qualifying distributions";
    let absent = said(&known);
    assert!(absent.ends_with("which has no line for qualifying distributions."), "{absent}");
    known.year = Some(1995);
    assert!(said(&known).contains("for 1995"), "{}", said(&known));
    let none = Profile { text: "fundraising costs", ..profile(organization(), Vec::new()) };
    assert!(said(&none).starts_with("No figure is on file for Maple"), "{}", said(&none));
}
