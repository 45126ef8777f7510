//! Tests of the lists of returns: grants, people, related organizations, applications, and totals.

use super::super::*;
use super::list_samples::{FOUNDATION_LISTS, LISTS, LISTS_OLD};
use crate::record::{Grant, GrantForm, GrantStage, RelationPart, Role, Usd};

const NAME: &str = "209900559349300125_public.xml";

fn good(xml: &str) -> Return {
    read(xml.as_bytes(), NAME).unwrap_or_else(|error| panic!("{error}"))
}

fn usd(dollars: i64) -> Option<Usd> {
    Some(Usd::new(dollars))
}

/// Form, name, EIN and amounts.
fn brief(grant: &Grant) -> (&str, Option<&str>, Option<&str>, Option<i64>, Option<i64>) {
    (
        grant.form.name(),
        grant.recipient_name.as_deref(),
        grant.recipient_ein.as_ref().map(crate::record::Ein::as_str),
        grant.cash.map(Usd::dollars),
        grant.noncash.map(Usd::dollars),
    )
}

#[test]
fn grants_of_schedules_i_and_f() {
    let Return { schedules, .. } = good(LISTS);
    let found: Vec<_> = schedules.grants.iter().map(brief).collect();
    let expected = [
        ("990-F", None, None, Some(30), None),
        ("990-I", Some("POND FRIENDS OF FABLETON"), Some("970000002"), Some(600), Some(0)),
        ("990-I", Some("SEE ATTACHED"), None, None, Some(100)),
        // It names nobody, and is an amount all the same; one of nobody and 0 is none.
        ("990-I", None, None, Some(-5), None),
    ];
    assert_eq!(found, expected);
    let [abroad, pond, attached, canada] = &schedules.grants[..] else { panic!("four grants") };
    assert_eq!(abroad.foreign_region.as_deref(), Some("Sub-Saharan Africa"));
    assert_eq!(pond.street.as_deref(), Some("1 POND ROAD STE 2"));
    assert_eq!((pond.state, pond.zip), ("IA".parse().ok(), "52209".parse().ok()));
    assert_eq!((pond.purpose.as_deref(), pond.stage), (Some("FROGS"), GrantStage::Paid));
    assert_eq!((pond.tax_year, pond.position), (2021, 2));
    assert_eq!(pond.object_id.as_deref(), Some("209900559349300125"));
    assert_eq!((pond.is_listed_elsewhere, attached.is_listed_elsewhere), (false, true));
    assert_eq!(attached.noncash_description.as_deref(), Some("LAMPS"));
    let place = (canada.city.as_deref(), canada.province.as_deref(), canada.country.as_deref());
    assert_eq!(place, (Some("NOWHERE"), Some("ON"), Some("CA")));
    assert_eq!(pond.amount(), usd(600));
}

#[test]
fn people_with_what_schedule_j_says() {
    let Return { schedules, .. } = good(LISTS);
    let [ada, trust, former] = &schedules.people[..] else { panic!("three people") };
    assert_eq!((ada.name.as_str(), ada.title.as_deref()), ("ADA FICTION", Some("PRESIDENT/COO")));
    assert_eq!((ada.hours, ada.hours_related), (Some(37.5), Some(2.5)));
    let roles: Vec<_> = ada.roles.iter().collect();
    assert_eq!(roles, [Role::TrusteeOrDirector, Role::Officer]);
    let pay = [ada.compensation, ada.compensation_related, ada.compensation_other];
    assert_eq!(pay, [usd(185_000), usd(1), usd(-20)]);
    let detail = ada.detail.unwrap();
    assert_eq!((detail.organization.base, detail.organization.bonus), (usd(180_000), usd(5_000)));
    assert_eq!((detail.related.base, detail.organization.deferred), (usd(1), None));
    assert_eq!((trust.name.as_str(), trust.is_business), ("MADE UP TRUST COMPANY", true));
    assert_eq!((trust.compensation, trust.compensation_related), (usd(0), None));
    // Of two entries of a name the first has the first row.
    assert!(former.detail.is_none() && former.roles.contains(Role::Former));
}

#[test]
fn related_organizations() {
    let Return { schedules, .. } = good(LISTS);
    let [lamp, fund, partners, company] = &schedules.relations[..] else { panic!("four") };
    let parts = schedules.relations.iter().map(|one| one.part);
    assert_eq!(parts.collect::<Vec<_>>(), RelationPart::ALL);
    assert_eq!(lamp.related_ein, "970000004".parse().ok());
    assert_eq!((lamp.is_controlled, lamp.legal_domicile.as_deref()), (None, Some("DE")));
    assert_eq!((fund.is_controlled, fund.region.as_deref()), (Some(true), Some("IA")));
    assert_eq!(fund.controlling_name.as_deref(), Some("FICTIONAL GIVERS"));
    assert_eq!(fund.public_charity_status.as_deref(), Some("12A, I"));
    assert_eq!(partners.ownership_share, Some(0.501));
    // Not a share: 51 times the whole.
    assert_eq!((company.ownership_share, company.is_controlled), (None, Some(false)));
    assert_eq!(company.entity_type.as_deref(), Some("C CORPORATION"));
    assert_eq!((company.region.as_deref(), company.related_ein), (Some("CA"), None));
}

#[test]
fn what_cannot_be_read_is_told() {
    assert_eq!(good(LISTS).unreadable, ["CashGrantAmt", "OwnershipPct", "Schedule J, Part II"]);
    assert_eq!(good(LISTS_OLD).unreadable, [""; 0]);
    assert_eq!(good(FOUNDATION_LISTS).unreadable, [""; 0]);
}

#[test]
fn totals_of_form_990() {
    let totals = good(LISTS).filing.totals;
    assert_eq!((totals.contributions, totals.program_expenses), (usd(900), usd(600)));
    assert_eq!((totals.management_expenses, totals.fundraising_expenses), (usd(150), usd(50)));
    assert_eq!(totals.unrestricted_net_assets, usd(-40));
    let grants =
        [totals.grants_to_organizations, totals.grants_to_individuals, totals.grants_abroad];
    assert_eq!(grants, [usd(700), None, usd(0)]);
    assert_eq!((totals.schedule_i_charities, totals.schedule_i_others), (Some(1), Some(0)));
    assert_eq!(totals.spent_abroad, usd(30));
}

#[test]
fn lists_with_the_names_before_2013() {
    let Return { schedules, filing, .. } = good(LISTS_OLD);
    let found: Vec<_> = schedules.grants.iter().map(brief).collect();
    let pond = ("990-I", Some("POND FRIENDS"), Some("970000002"), Some(600), Some(4));
    assert_eq!(found, [("990-F", None, None, Some(3), None), pond]);
    assert_eq!(schedules.grants[1].zip, "52209".parse().ok());
    let [ben] = &schedules.people[..] else { panic!("one person") };
    let pay = [ben.compensation, ben.compensation_related, ben.compensation_other];
    assert_eq!(pay, [usd(7), usd(8), usd(9)]);
    assert!(ben.roles.contains(Role::KeyEmployee));
    let detail = ben.detail.unwrap();
    assert_eq!((detail.organization.base, detail.related.deferred), (usd(7), usd(2)));
    let [fund, company] = &schedules.relations[..] else { panic!("two relations") };
    assert_eq!((fund.is_controlled, fund.controlling_name.as_deref()), (Some(true), None));
    assert_eq!(
        (company.ownership_share, company.entity_type.as_deref()),
        (Some(0.25), Some("C CORP"))
    );
    let totals = filing.totals;
    assert_eq!((totals.program_expenses, totals.unrestricted_net_assets), (usd(6), usd(44)));
}

#[test]
fn lists_of_form_990_pf() {
    let Return { schedules, filing, .. } = good(FOUNDATION_LISTS);
    let [cy, pond, later] = &schedules.grants[..] else { panic!("three grants") };
    assert_eq!((cy.is_person, cy.cash), (true, usd(30)));
    assert_eq!(cy.relationship.as_deref(), Some("NONE"));
    assert_eq!((pond.is_person, pond.country.as_deref()), (false, Some("CA")));
    assert_eq!(pond.foundation_status.as_deref(), Some("PC"));
    let stages = [cy.stage, pond.stage, later.stage];
    assert_eq!(stages, [GrantStage::Paid, GrantStage::Paid, GrantStage::Approved]);
    assert!(schedules.grants.iter().all(|grant| grant.form == GrantForm::PrivateFoundation));
    let [dee, eve] = &schedules.people[..] else { panic!("two people") };
    assert_eq!((dee.compensation, dee.compensation_other), (usd(12), usd(7)));
    assert_eq!(dee.roles.iter().collect::<Vec<_>>(), [Role::Listed]);
    assert_eq!(eve.roles.iter().collect::<Vec<_>>(), [Role::HighestCompensated]);
    let posture = filing.posture.unwrap();
    assert_eq!((posture.only_preselected, posture.accepts_applications()), (false, Some(true)));
    let [application] = &posture.applications[..] else { panic!("one") };
    let address = application.address.as_deref();
    assert_eq!(address, Some("2 WICK ROAD, FABLETON, IA, 52209"));
    assert_eq!(application.deadlines.as_deref(), Some("NONE"));
    assert_eq!(application.restrictions, None);
    let totals = filing.totals;
    assert_eq!((totals.grants_paid, totals.grants_disbursed), (usd(80), usd(75)));
    assert_eq!((totals.listed_grants_paid, totals.listed_grants_approved), (usd(80), None));
    let closed =
        "<SupplementaryInformationGrp><OnlyContriToPreselectedInd>X</OnlyContriToPreselectedInd>";
    let closed = good(&FOUNDATION_LISTS.replace("<SupplementaryInformationGrp>", closed));
    assert_eq!(closed.filing.posture.unwrap().accepts_applications(), Some(false));
}

#[test]
fn rows_are_bounded_and_what_is_beyond_is_told() {
    let row = "<RecipientTable><CashGrantAmt>1</CashGrantAmt></RecipientTable>";
    let rows = row.repeat(ROWS_MAX + 3);
    let xml = LISTS.replacen("<IRS990ScheduleI>", &format!("<IRS990ScheduleI>{rows}"), 1);
    let Return { schedules, unreadable, .. } = good(&xml);
    let kept = schedules.grants.len() + schedules.people.len() + schedules.relations.len();
    assert!(kept <= ROWS_MAX, "{kept}");
    let beyond = unreadable.iter().filter(|name| **name == "rows beyond those kept").count();
    // Of the sample's own rows five stand before these, and ten follow.
    assert_eq!(beyond, 5 + 3 + 10);
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared/data")]
fn the_lists_of_published_returns() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/efile");
    let mut counts = [0; 6];
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = io::BufReader::new(std::fs::File::open(entry.unwrap().path()).unwrap());
        let Ok(Return { filing, schedules, unreadable }) = read(file, "") else { continue };
        let details = schedules.people.iter().filter(|person| person.detail.is_some()).count();
        let postures = usize::from(filing.posture.is_some());
        let of_return = [
            schedules.grants.len(),
            schedules.people.len(),
            details,
            schedules.relations.len(),
            postures,
            unreadable.len(),
        ];
        counts.iter_mut().zip(of_return).for_each(|(sum, of_one)| *sum += of_one);
    }
    assert_eq!(counts, [8148, 2478, 463, 943, 19, 0]);
}
