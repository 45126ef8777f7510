//! What returns list: whose grants they are, and people that are left out.

use super::*;
use crate::index::grants::{Filter, LinkKind};
use crate::record::{Grant, InterestedTransaction, OrgId, RowId};
use crate::search::grants::listed;

/// Grants of a foundation: to one by its address, to a namesake of nobody, to a person.
const FOUNDATION: &str = r#"<Return xmlns="http://www.irs.gov/efile"><ReturnHeader>
    <TaxPeriodEndDt>2023-12-31</TaxPeriodEndDt><ReturnTypeCd>990PF</ReturnTypeCd><Filer>
    <EIN>010000002</EIN><BusinessName><BusinessNameLine1Txt>BETA TRUST</BusinessNameLine1Txt></BusinessName>
    </Filer><TaxYr>2023</TaxYr></ReturnHeader><ReturnData><IRS990PF>
    <OfficerDirTrstKeyEmplInfoGrp><OfficerDirTrstKeyEmplGrp><PersonNm>JANE ROE</PersonNm>
    </OfficerDirTrstKeyEmplGrp></OfficerDirTrstKeyEmplInfoGrp><SupplementaryInformationGrp>
    <GrantOrContributionPdDurYrGrp><RecipientBusinessName>
    <BusinessNameLine1Txt>ALPHA FUND INC</BusinessNameLine1Txt></RecipientBusinessName><RecipientUSAddress>
    <AddressLine1Txt>1 MAIN ST</AddressLine1Txt><CityNm>BURLINGTON</CityNm>
    <StateAbbreviationCd>VT</StateAbbreviationCd><ZIPCd>05401</ZIPCd></RecipientUSAddress><Amt>30</Amt>
    </GrantOrContributionPdDurYrGrp>
    <GrantOrContributionPdDurYrGrp><RecipientBusinessName>
    <BusinessNameLine1Txt>QUUX AVIARY</BusinessNameLine1Txt></RecipientBusinessName><Amt>20</Amt>
    </GrantOrContributionPdDurYrGrp>
    <GrantOrContributionPdDurYrGrp><RecipientPersonNm>RICHARD ROE</RecipientPersonNm><Amt>10</Amt>
    </GrantOrContributionPdDurYrGrp></SupplementaryInformationGrp></IRS990PF></ReturnData></Return>"#;

fn grants(snapshot: &Snapshot) -> Vec<(Grant, LinkKind, Option<OrgId>)> {
    let rows = (0..snapshot.grants.count()).map(RowId::new);
    let grant = |row| {
        let link = snapshot.grants.link(row).unwrap();
        (snapshot.records.get(row).unwrap(), link.kind, link.recipient)
    };
    rows.map(grant).collect()
}

#[test]
fn recipients_are_matched_where_that_is_certain() {
    let bench = Bench::filled();
    bench.input("202399999999999999_public.xml", FOUNDATION);
    let report = bench.build().unwrap();
    assert_eq!((report.items.grants, report.items.linked, report.items.people), (3, 1, 1));
    let snapshot = open(&bench.data()).unwrap();
    let alpha = snapshot.columns.org_of("010000001".parse().unwrap()).unwrap();
    let found: Vec<_> =
        grants(&snapshot).into_iter().map(|(grant, kind, org)| (grant.cash, kind, org)).collect();
    let dollars = |amount| Some(crate::record::Usd::new(amount));
    assert_eq!(
        found,
        [
            (dollars(30), LinkKind::Matched, alpha),
            (dollars(20), LinkKind::Unmatched, None),
            (dollars(10), LinkKind::Unmatched, None),
        ]
    );
}

/// A grant under the EIN of an organization of Vermont, to a member of its group in Chicago.
const MEMBER: &str = r#"<Return xmlns="http://www.irs.gov/efile"><ReturnHeader>
    <TaxPeriodEndDt>2023-12-31</TaxPeriodEndDt><ReturnTypeCd>990</ReturnTypeCd><Filer>
    <EIN>010000002</EIN><BusinessName><BusinessNameLine1Txt>BETA TRUST</BusinessNameLine1Txt></BusinessName>
    </Filer><TaxYr>2023</TaxYr></ReturnHeader><ReturnData><IRS990/><IRS990ScheduleI><RecipientTable><RecipientBusinessName>
    <BusinessNameLine1Txt>QUUX CHAPEL</BusinessNameLine1Txt></RecipientBusinessName><USAddress>
    <AddressLine1Txt>1 LAKE ST</AddressLine1Txt><CityNm>CHICAGO</CityNm><StateAbbreviationCd>IL</StateAbbreviationCd>
    <ZIPCd>60601</ZIPCd></USAddress><RecipientEIN>010000001</RecipientEIN><CashGrantAmt>40</CashGrantAmt>
    </RecipientTable></IRS990ScheduleI></ReturnData></Return>"#;

#[test]
fn grants_are_where_the_return_says() {
    let bench = Bench::filled();
    bench.input("202399999999999998_public.xml", MEMBER);
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    let found = |state: &str| {
        let filter = Filter { recipient_state: state.parse().ok(), ..Filter::default() };
        snapshot.grants.select(&filter).unwrap().count()
    };
    assert_eq!((found("IL"), found("VT")), (1, 0));
    let row = RowId::new(0);
    let grant = listed(&snapshot, row, snapshot.records.get(row).unwrap()).unwrap();
    assert!(grant.is_named_otherwise());
    assert_eq!(grant.linked.unwrap().ein.to_string(), "010000001");
}

#[test]
fn people_can_be_left_out() {
    let bench = Bench::filled();
    bench.input("202399999999999999_public.xml", FOUNDATION);
    let options = Options { without: vec![LeftOut::People], ..bench.options() };
    build(&options, &NoProgress).unwrap();
    let snapshot = open(&bench.data()).unwrap();
    assert!(snapshot.manifest.without_people);
    assert_eq!((snapshot.people.count(), snapshot.grants.count()), (0, 3));
    assert_eq!(grants(&snapshot)[2].0.recipient_name, None);
}

/// A loan to an officer, and rent that is paid to a business of one.
const INTERESTED: &str = r#"<Return xmlns="http://www.irs.gov/efile"><ReturnHeader>
    <TaxPeriodEndDt>2023-12-31</TaxPeriodEndDt><ReturnTypeCd>990</ReturnTypeCd><Filer>
    <EIN>010000002</EIN><BusinessName><BusinessNameLine1Txt>BETA TRUST</BusinessNameLine1Txt></BusinessName>
    </Filer><TaxYr>2023</TaxYr></ReturnHeader><ReturnData><IRS990/><IRS990ScheduleL><LoansBtwnOrgInterestedPrsnGrp>
    <PersonNm>JANE ROE</PersonNm><RelationshipWithOrgTxt>PRESIDENT</RelationshipWithOrgTxt>
    <LoanPurposeTxt>HOUSE</LoanPurposeTxt><OriginalPrincipalAmt>900</OriginalPrincipalAmt>
    </LoansBtwnOrgInterestedPrsnGrp><BusTrInvolveInterestedPrsnGrp><NameOfInterested><BusinessName>
    <BusinessNameLine1Txt>RICHARD ROE LLC</BusinessNameLine1Txt></BusinessName></NameOfInterested>
    <RelationshipDescriptionTxt>OWNED BY RICHARD ROE</RelationshipDescriptionTxt><TransactionAmt>70</TransactionAmt>
    <TransactionDesc>RENT PAID TO RICHARD ROE</TransactionDesc></BusTrInvolveInterestedPrsnGrp></IRS990ScheduleL>
    </ReturnData></Return>"#;

#[test]
fn names_of_interested_persons_can_be_left_out() {
    let transactions = |without: Vec<LeftOut>| {
        let bench = Bench::filled();
        bench.input("202399999999999997_public.xml", INTERESTED);
        build(&Options { without, ..bench.options() }, &NoProgress).unwrap();
        let snapshot = open(&bench.data()).unwrap();
        let org = snapshot.columns.org_of("010000002".parse().unwrap()).unwrap().unwrap();
        let filings = snapshot.records.filings(org).unwrap();
        filings.into_iter().find(|filing| !filing.transactions.is_empty()).unwrap().transactions
    };
    let whole = transactions(Vec::new());
    assert_eq!(whole[1].name.as_deref(), Some("RICHARD ROE LLC"));
    let left = transactions(vec![LeftOut::People]);
    let amounts = |rows: &[InterestedTransaction]| {
        rows.iter().map(|one| (one.kind, one.amount)).collect::<Vec<_>>()
    };
    assert_eq!(amounts(&left), amounts(&whole));
    assert!(!serde_json::to_string(&left).unwrap().contains("ROE"), "{left:?}");
}
