//! Tests of the balance at the beginning, the reconciliation of net assets, lobbying, transactions with interested
//! persons, and what foundations distribute.

use std::collections::BTreeMap;

use super::super::*;
use crate::record::{InterestedTransaction, LoanDirection, Lobbying, TransactionKind, Usd};

/// The names of today, and in a second return those before 2013; of the first schemas some parts stand in groups.
const FULL: &str = r#"<IRS990><TotalAssetsBOYAmt>1</TotalAssetsBOYAmt><TotalAssetsGrp><BOYAmt>700</BOYAmt><EOYAmt>9</EOYAmt></TotalAssetsGrp>
<TotalLiabilitiesBOYAmt>40</TotalLiabilitiesBOYAmt><TotalNetAssetsFundBalanceGrp><BOYAmt>660</BOYAmt></TotalNetAssetsFundBalanceGrp>
<OtherRevenueTotalAmt>30</OtherRevenueTotalAmt><NetUnrlzdGainsLossesInvstAmt>-5</NetUnrlzdGainsLossesInvstAmt>
<DonatedServicesAndUseFcltsAmt>6</DonatedServicesAndUseFcltsAmt><InvestmentExpenseAmt>7</InvestmentExpenseAmt>
<PriorPeriodAdjustmentsAmt>-8</PriorPeriodAdjustmentsAmt><OtherChangesInNetAssetsAmt>0</OtherChangesInNetAssetsAmt></IRS990>
<IRS990ScheduleC><PoliticalExpendituresAmt>18</PoliticalExpendituresAmt>
<TotalLobbyingExpendGrp><FilingOrganizationsTotalAmt>250</FilingOrganizationsTotalAmt><AffiliatedGroupTotalAmt>9</AffiliatedGroupTotalAmt></TotalLobbyingExpendGrp></IRS990ScheduleC>
<IRS990ScheduleL><DisqualifiedPersonExBnftTrGrp><PersonNm>ADA FICTION</PersonNm><RlnDisqualifiedPersonOrgTxt>FOUNDER</RlnDisqualifiedPersonOrgTxt><TransactionDesc>CAR</TransactionDesc><TransactionCorrectedInd>true</TransactionCorrectedInd></DisqualifiedPersonExBnftTrGrp>
<LoansBtwnOrgInterestedPrsnGrp><BusinessName><BusinessNameLine1Txt>LAMP</BusinessNameLine1Txt><BusinessNameLine2Txt>LLC</BusinessNameLine2Txt></BusinessName><RelationshipWithOrgTxt>DIRECTOR</RelationshipWithOrgTxt><LoanPurposeTxt>ROOF</LoanPurposeTxt><LoanFromOrganizationInd>X</LoanFromOrganizationInd><OriginalPrincipalAmt>500</OriginalPrincipalAmt><BalanceDueAmt>400</BalanceDueAmt><DefaultInd>false</DefaultInd><BoardOrCommitteeApprovalInd>1</BoardOrCommitteeApprovalInd><WrittenAgreementInd>true</WrittenAgreementInd></LoansBtwnOrgInterestedPrsnGrp>
<GrntAsstBnftInterestedPrsnGrp><PersonNm>BO LANTERN</PersonNm><RelationshipWithOrgTxt>SON OF DIRECTOR</RelationshipWithOrgTxt><CashGrantAmt>60</CashGrantAmt><TypeOfAssistanceTxt>SCHOLARSHIP</TypeOfAssistanceTxt><AssistancePurposeTxt>STUDY</AssistancePurposeTxt></GrntAsstBnftInterestedPrsnGrp>
<BusTrInvolveInterestedPrsnGrp><NameOfInterested><PersonNm>CY DUCKWORTH</PersonNm></NameOfInterested><RelationshipDescriptionTxt>CHAIR</RelationshipDescriptionTxt><TransactionAmt>70</TransactionAmt><TransactionDesc>RENT</TransactionDesc><SharingOfRevenuesInd>0</SharingOfRevenuesInd></BusTrInvolveInterestedPrsnGrp>
<BusTrInvolveInterestedPrsnGrp><NameOfInterested><PersonNm>NONE</PersonNm></NameOfInterested><TransactionAmt>0</TransactionAmt></BusTrInvolveInterestedPrsnGrp></IRS990ScheduleL>"#;

const FULL_OLD: &str = r#"<IRS990><TotalAssets><BOY>700</BOY></TotalAssets><TotalLiabilitiesBOY>40</TotalLiabilitiesBOY><TotalNetAssetsFundBalances><BOY>660</BOY></TotalNetAssetsFundBalances>
<TotalOtherRevenue>30</TotalOtherRevenue><ReconciliationUnrealizedInvest>-5</ReconciliationUnrealizedInvest><ReconcilationDonatedServices>6</ReconcilationDonatedServices>
<ReconcilationInvestExpenses>7</ReconcilationInvestExpenses><ReconcilationPriorAdjustment>-8</ReconcilationPriorAdjustment><ReconcilationOtherChanges>0</ReconcilationOtherChanges></IRS990>
<IRS990ScheduleC><Form990ScheduleCPartI><PoliticalExpenditures>18</PoliticalExpenditures></Form990ScheduleCPartI>
<TotalLobbyingExpenditures><FilingOrganizationsTotals>250</FilingOrganizationsTotals></TotalLobbyingExpenditures></IRS990ScheduleC>
<IRS990ScheduleL><DQPTable><NamePerson>ADA FICTION</NamePerson><RelationshipDisqualifiedPerson>FOUNDER</RelationshipDisqualifiedPerson><DescriptionOfTransaction>CAR</DescriptionOfTransaction><TransactionCorrected>true</TransactionCorrected></DQPTable>
<Form990ScheduleLPartII><LoanTable><NameBusiness><BusinessNameLine1>LAMP</BusinessNameLine1><BusinessNameLine2>LLC</BusinessNameLine2></NameBusiness><RelationshipWithOrganization>DIRECTOR</RelationshipWithOrganization><PurposeOfLoan>ROOF</PurposeOfLoan><LoanFromOrganization>X</LoanFromOrganization><OriginalPrincipalAmount>500</OriginalPrincipalAmount><BalanceDue>400</BalanceDue><Default>false</Default><ApprovedByBoard>1</ApprovedByBoard><WrittenAgreement>true</WrittenAgreement></LoanTable></Form990ScheduleLPartII>
<Form990ScheduleLPartIII><NameOfInterestedPerson><NamePerson>BO LANTERN</NamePerson></NameOfInterestedPerson><RelationshipWithOrganization>SON OF DIRECTOR</RelationshipWithOrganization><AmtOfGrantOrTypeOfAssistance><AmountOfGrant>60</AmountOfGrant><TypeOfAssistance>SCHOLARSHIP</TypeOfAssistance></AmtOfGrantOrTypeOfAssistance><PurposeOfAssistance>STUDY</PurposeOfAssistance></Form990ScheduleLPartIII>
<Form990ScheduleLPartIV><NameOfInterestedPerson><NamePerson>CY DUCKWORTH</NamePerson></NameOfInterestedPerson><Relationship>CHAIR</Relationship><AmountOfTransaction>70</AmountOfTransaction><DescriptionOfTransaction>RENT</DescriptionOfTransaction><SharingOfRevenues>0</SharingOfRevenues></Form990ScheduleLPartIV></IRS990ScheduleL>"#;

const SHORT: &str = r#"<IRS990EZ><OtherRevenueTotalAmt>3</OtherRevenueTotalAmt><OtherChangesInNetAssetsAmt>-2</OtherChangesInNetAssetsAmt>
<Form990TotalAssetsGrp><BOYAmt>70</BOYAmt></Form990TotalAssetsGrp><SumOfTotalLiabilitiesGrp><BOYAmt>4</BOYAmt></SumOfTotalLiabilitiesGrp>
<NetAssetsOrFundBalancesBOYAmt>66</NetAssetsOrFundBalancesBOYAmt></IRS990EZ>
<IRS990ScheduleC><VolunteersInd>false</VolunteersInd></IRS990ScheduleC>"#;

const FOUNDATION: &str = r#"<IRS990PF><AnalysisOfRevenueAndExpenses><OtherIncomeRevAndExpnssAmt>3</OtherIncomeRevAndExpnssAmt></AnalysisOfRevenueAndExpenses>
<Form990PFBalanceSheetsGrp><TotalAssetsBOYAmt>70</TotalAssetsBOYAmt><TotalLiabilitiesBOYAmt>4</TotalLiabilitiesBOYAmt></Form990PFBalanceSheetsGrp>
<ChgInNetAssetsFundBalancesGrp><TotNetAstOrFundBalancesBOYAmt>66</TotNetAstOrFundBalancesBOYAmt><OtherIncreasesAmt>5</OtherIncreasesAmt><OtherDecreasesAmt>6</OtherDecreasesAmt></ChgInNetAssetsFundBalancesGrp>
<ExciseTaxBasedOnInvstIncmGrp><InvestmentIncomeExciseTaxAmt>11</InvestmentIncomeExciseTaxAmt><TaxBasedOnInvestmentIncomeAmt>12</TaxBasedOnInvestmentIncomeAmt></ExciseTaxBasedOnInvstIncmGrp>
<UndistributedIncomeGrp><DistributableAsAdjustedAmt>21</DistributableAsAdjustedAmt><UndistributedIncomeCYAmt>0</UndistributedIncomeCYAmt></UndistributedIncomeGrp>
<QualifyingDistriPartXIIGrp><QualifyingDistributionsAmt>22</QualifyingDistributionsAmt></QualifyingDistriPartXIIGrp></IRS990PF>"#;

fn filing(form: &str, data: &str) -> Filing {
    let xml = format!(
        r#"<Return xmlns="http://www.irs.gov/efile"><ReturnHeader><ReturnTypeCd>{form}</ReturnTypeCd>
        <TaxPeriodEndDt>2022-06-30</TaxPeriodEndDt><Filer><EIN>000000003</EIN><BusinessName><BusinessNameLine1Txt>FICTIONAL
        GIVERS</BusinessNameLine1Txt></BusinessName></Filer></ReturnHeader><ReturnData>{data}</ReturnData></Return>"#
    );
    let read = read(xml.as_bytes(), "").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.unreadable, [""; 0]);
    read.filing
}

/// The totals that are known.
fn totals(filing: &Filing) -> BTreeMap<String, i64> {
    let all = serde_json::to_value(filing.totals).unwrap();
    let known = all.as_object().unwrap().iter();
    known.filter_map(|(name, value)| Some((name.clone(), value.as_i64()?))).collect()
}

fn check_totals(form: &str, data: &str, expected: &[(&str, i64)]) {
    let expected: BTreeMap<_, _> =
        expected.iter().map(|(name, of)| (name.to_string(), *of)).collect();
    assert_eq!(totals(&filing(form, data)), expected, "{form}");
}

#[test]
fn balances_and_reconciliations() {
    let full = [
        ("beginning_assets", 700),
        ("beginning_liabilities", 40),
        ("beginning_net_assets", 660),
        ("donated_services", 6),
        ("investment_expenses", 7),
        ("other_changes", 0),
        ("other_revenue", 30),
        ("prior_period_adjustments", -8),
        ("unrealized_gains", -5),
    ];
    check_totals("990", FULL, &full);
    check_totals("990", FULL_OLD, &full);
    let beginning =
        [("beginning_assets", 70), ("beginning_liabilities", 4), ("beginning_net_assets", 66)];
    let short = [("other_changes", -2), ("other_revenue", 3)];
    check_totals("990EZ", SHORT, &[&beginning[..], &short].concat());
    let foundation = [
        ("distributable_amount", 21),
        ("excise_tax", 11),
        ("other_decreases", 6),
        ("other_increases", 5),
        ("other_revenue", 3),
        ("qualifying_distributions", 22),
        ("undistributed_income", 0),
    ];
    check_totals("990PF", FOUNDATION, &[&beginning[..], &foundation].concat());
    check_totals("990", "<IRS990/>", &[]);
}

#[test]
fn lobbying_is_told_with_the_election_that_its_part_is_of() {
    let usd = |dollars: i64| Some(Usd::new(dollars));
    let check = |form, data: &str, elected_501h, expenditures, political_expenditures| {
        let expected = Lobbying { elected_501h, expenditures, political_expenditures };
        assert_eq!(filing(form, data).lobbying, expected, "{data}");
    };
    check("990", FULL, Some(true), usd(250), usd(18));
    check("990", FULL_OLD, Some(true), usd(250), usd(18));
    check("990EZ", SHORT, Some(false), None, None);
    let of = |schedule: &str| format!("<IRS990/><IRS990ScheduleC>{schedule}</IRS990ScheduleC>");
    let unelected = "<TotalLobbyingExpendituresAmt>4</TotalLobbyingExpendituresAmt>";
    check("990", &of(unelected), Some(false), usd(4), None);
    // An empty group was not filled in, and of both parts neither counts.
    check("990", &of("<TotalLobbyingExpendGrp></TotalLobbyingExpendGrp>"), None, None, None);
    let elected = "<TotalLobbyingExpendGrp><FilingOrganizationsTotalAmt>3</FilingOrganizationsTotalAmt></TotalLobbyingExpendGrp>";
    check("990", &of(&format!("{elected}{unelected}")), None, None, None);
    check("990", "<IRS990/>", None, None, None);
}

#[test]
fn transactions_with_interested_persons() {
    let of = |kind, name: &str, relationship: &str, description: &str| InterestedTransaction {
        kind,
        name: Some(name.into()),
        is_business: false,
        relationship: Some(relationship.into()),
        amount: None,
        description: Some(description.into()),
        assistance: None,
        direction: None,
        balance_due: None,
        in_default: None,
        board_approved: None,
        written_agreement: None,
        corrected: None,
        shares_revenue: None,
    };
    let usd = |dollars: i64| Some(Usd::new(dollars));
    let expected = [
        InterestedTransaction {
            corrected: Some(true),
            ..of(TransactionKind::ExcessBenefit, "ADA FICTION", "FOUNDER", "CAR")
        },
        InterestedTransaction {
            is_business: true,
            amount: usd(500),
            direction: Some(LoanDirection::FromOrganization),
            balance_due: usd(400),
            in_default: Some(false),
            board_approved: Some(true),
            written_agreement: Some(true),
            ..of(TransactionKind::Loan, "LAMP LLC", "DIRECTOR", "ROOF")
        },
        InterestedTransaction {
            amount: usd(60),
            assistance: Some("SCHOLARSHIP".into()),
            ..of(TransactionKind::Grant, "BO LANTERN", "SON OF DIRECTOR", "STUDY")
        },
        InterestedTransaction {
            amount: usd(70),
            shares_revenue: Some(false),
            ..of(TransactionKind::Business, "CY DUCKWORTH", "CHAIR", "RENT")
        },
    ];
    assert_eq!(filing("990", FULL).transactions, expected);
    assert_eq!(filing("990", FULL_OLD).transactions, expected);
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared/data")]
fn the_parts_of_published_returns() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/efile");
    let (mut known, mut count): (BTreeMap<String, usize>, _) = (BTreeMap::new(), 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = io::BufReader::new(std::fs::File::open(entry.unwrap().path()).unwrap());
        let Ok(Return { filing, .. }) = read(file, "") else { continue };
        count += 1;
        let lobbying = serde_json::to_value(filing.lobbying).unwrap();
        let lobbying = lobbying.as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
        let transactions = filing.transactions.iter().map(|one| one.kind.name().to_owned());
        let names = totals(&filing).into_keys().chain(lobbying.map(|(name, _)| name.clone()));
        names.chain(transactions).for_each(|name| *known.entry(name).or_default() += 1);
    }
    let expected = [
        ("beginning_assets", 136),
        ("beginning_liabilities", 128),
        ("beginning_net_assets", 135),
        ("other_revenue", 96),
        ("unrealized_gains", 55),
        ("donated_services", 5),
        ("investment_expenses", 3),
        ("prior_period_adjustments", 15),
        ("other_changes", 82),
        ("other_increases", 15),
        ("other_decreases", 15),
        ("distributable_amount", 18),
        ("qualifying_distributions", 19),
        ("undistributed_income", 18),
        ("excise_tax", 19),
        ("elected_501h", 64),
        ("expenditures", 62),
        ("political_expenditures", 4),
        ("excess benefit", 0),
        ("loan", 3),
        ("grant", 0),
        ("business", 27),
    ];
    let found = expected.map(|(name, _)| (name, known.get(name).copied().unwrap_or_default()));
    assert_eq!((found, count), (expected, 136));
}
