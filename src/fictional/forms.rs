//! Writes a return as XML in the IRS's e-file schema: Form 990, 990-EZ or 990-PF with the elements
//! that say who files, what it is for, what it did and with how much. Not a whole form: lines
//! that say nothing of an organization are left out.

use super::row::Row;
use super::subject::Subject;
use super::xml::{Case, Xml};

/// The forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Full,
    Short,
    PrivateFoundation,
}

/// Amounts of one year, in whole dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Amounts {
    pub(super) revenue: i64,
    pub(super) expenses: i64,
    pub(super) assets: i64,
    pub(super) liabilities: i64,
}

impl Amounts {
    pub(super) fn net_assets(self) -> i64 {
        self.assets - self.liabilities
    }
}

/// An officer, in the order of the form.
#[derive(Debug)]
pub(super) struct Officer {
    pub(super) name: String,
    pub(super) title: &'static str,
    pub(super) hours: u64,
    pub(super) pay: i64,
}

/// A program and what it cost.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) text: String,
    pub(super) expenses: i64,
    pub(super) grants: i64,
    pub(super) revenue: i64,
}

/// Whether mission and programs stand where they are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wording {
    InPlace,
    /// The form says `SEE SCHEDULE O`, and the schedule has the text.
    OnScheduleO,
}

/// A return as it will be written.
#[derive(Debug)]
pub(super) struct Return<'a> {
    pub(super) row: &'a Row,
    pub(super) subject: &'a Subject,
    pub(super) form: Form,
    pub(super) case: Case,
    pub(super) wording: Wording,
    pub(super) amended: bool,
    /// Year and month in which the tax period ends.
    pub(super) period: (u64, u64),
    /// Month in which it was filed.
    pub(super) filed: (u64, u64),
    pub(super) mission: String,
    pub(super) now: Amounts,
    pub(super) before: Amounts,
    pub(super) programs: Vec<Program>,
    pub(super) officers: Vec<Officer>,
    pub(super) employees: u64,
    pub(super) volunteers: Option<u64>,
}

/// What a form says where its text is on Schedule O.
const POINTER: &str = "SEE SCHEDULE O";

/// Days of each month; of February the shorter, as a period that ends a day early is still one.
const DAYS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// The XML of a return.
pub(super) fn write(filed: &Return<'_>) -> String {
    let (_, begin) = period(filed);
    let year = begin.0;
    let mut xml = Xml::new(filed.case);
    xml.open(
        "Return",
        &format!(
            "xmlns=\"http://www.irs.gov/efile\" \
             xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" returnVersion=\"{year}v5.0\""
        ),
    );
    header(&mut xml, filed);
    let schedule = filed.wording == Wording::OnScheduleO || filed.amended;
    let schedule = schedule && filed.form != Form::PrivateFoundation;
    xml.open("ReturnData", &format!("documentCnt=\"{}\"", 1 + u64::from(schedule)));
    match filed.form {
        Form::Full => full(&mut xml, filed),
        Form::Short => short(&mut xml, filed),
        Form::PrivateFoundation => private_foundation(&mut xml, filed),
    }
    if schedule {
        schedule_o(&mut xml, filed);
    }
    let text = xml.finish();
    // Some real files begin with a byte order mark.
    if filed.row.ein.is_multiple_of(9) { format!("\u{feff}{text}") } else { text }
}

/// The last day of the period, and the year and month in which it begins.
fn period(filed: &Return<'_>) -> (String, (u64, u64)) {
    let (year, month) = filed.period;
    let day = DAYS[(month.clamp(1, 12) - 1) as usize];
    let begin = if month == 12 { (year, 1) } else { (year - 1, month + 1) };
    (format!("{year}-{month:02}-{day}"), begin)
}

fn header(xml: &mut Xml, filed: &Return<'_>) {
    let (end, begin) = period(filed);
    let (year, month) = filed.filed;
    let day = 1 + filed.row.plus_four % 28;
    let code = match filed.form {
        Form::Full => "990",
        Form::Short => "990EZ",
        Form::PrivateFoundation => "990PF",
    };
    xml.open("ReturnHeader", "binaryAttachmentCnt=\"0\"");
    xml.leaf("ReturnTs", format!("{year}-{month:02}-{day:02}T10:15:00-05:00"));
    xml.leaf("TaxPeriodEndDt", end);
    xml.leaf("ReturnTypeCd", code);
    xml.leaf("TaxPeriodBeginDt", format!("{}-{:02}-01", begin.0, begin.1));
    xml.group("Filer", |xml| {
        xml.leaf("EIN", &filed.subject.ein);
        xml.group("BusinessName", |xml| xml.leaf("BusinessNameLine1Txt", &filed.row.name));
        let letters = filed.row.name.chars().filter(char::is_ascii_alphabetic);
        xml.leaf("BusinessNameControlTxt", letters.take(4).collect::<String>());
        address(xml, filed);
    });
    xml.group("BusinessOfficerGrp", |xml| {
        if let Some(officer) = filed.officers.first() {
            xml.words("PersonNm", &officer.name);
            xml.words("PersonTitleTxt", officer.title);
        }
        xml.leaf("SignatureDt", format!("{year}-{month:02}-{day:02}"));
    });
    xml.leaf("TaxYr", begin.0);
    xml.close();
}

fn address(xml: &mut Xml, filed: &Return<'_>) {
    let row = filed.row;
    xml.group("USAddress", |xml| {
        xml.leaf("AddressLine1Txt", &row.street);
        xml.leaf("CityNm", row.city);
        xml.leaf("StateAbbreviationCd", row.state);
        xml.leaf("ZIPCd", row.zip);
    });
}

fn amended(xml: &mut Xml, filed: &Return<'_>) {
    if filed.amended {
        xml.leaf("AmendedReturnInd", "X");
    }
}

fn subsection(xml: &mut Xml, filed: &Return<'_>) {
    match filed.row.subsection {
        "03" => xml.leaf("Organization501c3Ind", "X"),
        // Not a subsection of 501(c), but a charitable trust.
        "92" => xml.leaf("Organization4947a1NotPFInd", "X"),
        other => xml.leaf_with(
            "Organization501cInd",
            &format!("organization501cTypeTxt=\"{}\"", other.trim_start_matches('0')),
            "X",
        ),
    }
}

/// A website, one return in ten without.
fn website<'a>(filed: &Return<'a>) -> &'a str {
    if filed.row.ein.is_multiple_of(10) {
        return "N/A";
    }
    filed.subject.site.trim_start_matches("https://")
}

/// Mission or program: the text itself, or where it is.
fn wording<'a>(filed: &Return<'_>, text: &'a str) -> &'a str {
    match filed.wording {
        Wording::InPlace => text,
        Wording::OnScheduleO => POINTER,
    }
}

fn full(xml: &mut Xml, filed: &Return<'_>) {
    let Return { now, before, .. } = *filed;
    xml.open("IRS990", "documentId=\"IRS990\"");
    amended(xml, filed);
    if let Some(officer) = filed.officers.first() {
        xml.words("PrincipalOfficerNm", &officer.name);
    }
    xml.leaf("GrossReceiptsAmt", filed.row.income.unwrap_or(now.revenue).max(now.revenue));
    xml.leaf("GroupReturnForAffiliatesInd", "false");
    subsection(xml, filed);
    xml.words("WebsiteAddressTxt", website(filed));
    xml.leaf("TypeOfOrganizationCorpInd", "X");
    xml.leaf("FormationYr", filed.subject.founded);
    xml.leaf("LegalDomicileStateCd", filed.row.state);
    xml.words("ActivityOrMissionDesc", wording(filed, &filed.mission));
    xml.leaf("VotingMembersGoverningBodyCnt", filed.officers.len());
    xml.leaf("TotalEmployeeCnt", filed.employees);
    if let Some(volunteers) = filed.volunteers {
        xml.leaf("TotalVolunteersCnt", volunteers);
    }
    xml.leaf("PYTotalRevenueAmt", before.revenue);
    xml.leaf("CYContributionsGrantsAmt", now.revenue.max(0) / 10 * 7);
    xml.leaf("CYTotalRevenueAmt", now.revenue);
    xml.leaf("CYSalariesCompEmpBnftPaidAmt", filed.employees * 52_000);
    xml.leaf("PYTotalExpensesAmt", before.expenses);
    xml.leaf("CYTotalExpensesAmt", now.expenses);
    xml.leaf("CYRevenuesLessExpensesAmt", now.revenue - now.expenses);
    xml.leaf("TotalAssetsBOYAmt", before.assets);
    xml.leaf("TotalAssetsEOYAmt", now.assets);
    xml.leaf("TotalLiabilitiesBOYAmt", before.liabilities);
    xml.leaf("TotalLiabilitiesEOYAmt", now.liabilities);
    xml.leaf("NetAssetsOrFundBalancesBOYAmt", before.net_assets());
    xml.leaf("NetAssetsOrFundBalancesEOYAmt", now.net_assets());
    xml.words("MissionDesc", wording(filed, &filed.mission));
    let groups = ["ProgSrvcAccomActy2Grp", "ProgSrvcAccomActy3Grp"];
    for (at, program) in filed.programs.iter().enumerate() {
        match at.checked_sub(1).and_then(|at| groups.get(at)) {
            Some(group) => xml.group(group, |xml| accomplishment(xml, filed, program)),
            None => accomplishment(xml, filed, program),
        }
    }
    let programs: i64 = filed.programs.iter().map(|program| program.expenses).sum();
    xml.leaf("TotalProgramServiceExpensesAmt", programs);
    xml.leaf("EmployeeCnt", filed.employees);
    for officer in &filed.officers {
        xml.group("Form990PartVIISectionAGrp", |xml| {
            xml.words("PersonNm", &officer.name);
            xml.words("TitleTxt", officer.title);
            xml.leaf("AverageHoursPerWeekRt", format!("{}.00", officer.hours));
            xml.leaf("ReportableCompFromOrgAmt", officer.pay);
            xml.leaf("ReportableCompFromRltdOrgAmt", 0);
            xml.leaf("OtherCompensationAmt", officer.pay / 10);
        });
    }
    full_balance(xml, filed);
    xml.close();
}

fn full_balance(xml: &mut Xml, filed: &Return<'_>) {
    let Return { now, before, .. } = *filed;
    xml.group("TotalRevenueGrp", |xml| xml.leaf("TotalRevenueColumnAmt", now.revenue));
    xml.group("TotalFunctionalExpensesGrp", |xml| xml.leaf("TotalAmt", now.expenses));
    balance(xml, "TotalAssetsGrp", before.assets, now.assets);
    balance(xml, "TotalLiabilitiesGrp", before.liabilities, now.liabilities);
    let (begin, end) = (before.net_assets(), now.net_assets());
    balance(xml, "TotalNetAssetsFundBalanceGrp", begin, end);
    let surplus = now.revenue - now.expenses;
    xml.leaf("ReconcilationRevenueExpnssAmt", surplus);
    xml.leaf("OtherChangesInNetAssetsAmt", end - begin - surplus);
}

fn balance(xml: &mut Xml, group: &'static str, begin: i64, end: i64) {
    xml.group(group, |xml| {
        xml.leaf("BOYAmt", begin);
        xml.leaf("EOYAmt", end);
    });
}

fn accomplishment(xml: &mut Xml, filed: &Return<'_>, program: &Program) {
    xml.leaf("ExpenseAmt", program.expenses);
    xml.leaf("GrantAmt", program.grants);
    xml.leaf("RevenueAmt", program.revenue);
    xml.words("Desc", wording(filed, &program.text));
}

fn short(xml: &mut Xml, filed: &Return<'_>) {
    let Return { now, before, .. } = *filed;
    xml.open("IRS990EZ", "documentId=\"IRS990EZ\"");
    amended(xml, filed);
    xml.words("WebsiteAddressTxt", website(filed));
    subsection(xml, filed);
    xml.leaf("TypeOfOrganizationCorpInd", "X");
    xml.leaf("GrossReceiptsAmt", filed.row.income.unwrap_or(now.revenue).max(now.revenue));
    xml.leaf("ContributionsGiftsGrantsEtcAmt", now.revenue.max(0) / 10 * 7);
    xml.leaf("TotalRevenueAmt", now.revenue);
    xml.leaf("TotalExpensesAmt", now.expenses);
    xml.leaf("ExcessOrDeficitForYearAmt", now.revenue - now.expenses);
    xml.leaf("NetAssetsOrFundBalancesBOYAmt", before.net_assets());
    xml.leaf("NetAssetsOrFundBalancesEOYAmt", now.net_assets());
    balance(xml, "Form990TotalAssetsGrp", before.assets, now.assets);
    balance(xml, "SumOfTotalLiabilitiesGrp", before.liabilities, now.liabilities);
    balance(xml, "NetAssetsOrFundBalancesGrp", before.net_assets(), now.net_assets());
    xml.words("PrimaryExemptPurposeTxt", wording(filed, &filed.mission));
    for program in &filed.programs {
        xml.group("ProgramSrvcAccomplishmentGrp", |xml| {
            xml.words("DescriptionProgramSrvcAccomTxt", wording(filed, &program.text));
            xml.leaf("GrantsAndAllocationsAmt", program.grants);
            xml.leaf("ProgramServiceExpensesAmt", program.expenses);
        });
    }
    let programs: i64 = filed.programs.iter().map(|program| program.expenses).sum();
    xml.leaf("TotalProgramServiceExpensesAmt", programs);
    for officer in &filed.officers {
        xml.group("OfficerDirectorTrusteeEmplGrp", |xml| {
            xml.words("PersonNm", &officer.name);
            xml.words("TitleTxt", officer.title);
            xml.leaf("AverageHrsPerWkDevotedToPosRt", format!("{}.00", officer.hours));
            xml.leaf("CompensationAmt", officer.pay);
        });
    }
    xml.close();
}

fn private_foundation(xml: &mut Xml, filed: &Return<'_>) {
    let Return { now, before, .. } = *filed;
    xml.open("IRS990PF", "documentId=\"IRS990PF\"");
    amended(xml, filed);
    xml.leaf("Organization501c3ExemptPFInd", "X");
    xml.leaf("FMVAssetsEOYAmt", now.assets);
    xml.group("AnalysisOfRevenueAndExpenses", |xml| {
        xml.leaf("TotalRevAndExpnssAmt", now.revenue);
        xml.leaf("ContriPaidRevAndExpnssAmt", now.expenses / 10 * 8);
        xml.leaf("TotalExpensesRevAndExpnssAmt", now.expenses);
        xml.leaf("ExcessRevenueOverExpensesAmt", now.revenue - now.expenses);
    });
    xml.group("Form990PFBalanceSheetsGrp", |xml| foundation_balance(xml, before, now));
    xml.group("StatementsRegardingActyGrp", |xml| {
        xml.words("WebsiteAddressTxt", website(filed));
    });
    xml.group("OfficerDirTrstKeyEmplInfoGrp", |xml| {
        for officer in &filed.officers {
            xml.group("OfficerDirTrstKeyEmplGrp", |xml| {
                xml.words("PersonNm", &officer.name);
                address(xml, filed);
                xml.words("TitleTxt", officer.title);
                xml.leaf("AverageHrsPerWkDevotedToPosRt", format!("{}.00", officer.hours));
                xml.leaf("CompensationAmt", officer.pay);
            });
        }
    });
    xml.group("SummaryOfDirectChrtblActyGrp", |xml| {
        for (at, program) in filed.programs.iter().enumerate() {
            xml.words(&format!("Description{}Txt", at + 1), &program.text);
            xml.leaf(&format!("Expenses{}Amt", at + 1), program.expenses);
        }
    });
    xml.close();
}

fn foundation_balance(xml: &mut Xml, before: Amounts, now: Amounts) {
    xml.leaf("TotalAssetsBOYAmt", before.assets);
    xml.leaf("TotalAssetsEOYAmt", now.assets);
    xml.leaf("TotalAssetsEOYFMVAmt", now.assets);
    xml.leaf("TotalLiabilitiesBOYAmt", before.liabilities);
    xml.leaf("TotalLiabilitiesEOYAmt", now.liabilities);
    xml.leaf("TotNetAstOrFundBalancesBOYAmt", before.net_assets());
    xml.leaf("TotNetAstOrFundBalancesEOYAmt", now.net_assets());
}

fn schedule_o(xml: &mut Xml, filed: &Return<'_>) {
    xml.open("IRS990ScheduleO", "documentId=\"IRS990ScheduleO\"");
    if filed.wording == Wording::OnScheduleO {
        let (mission, program) = match filed.form {
            Form::Short => ("FORM 990-EZ, PART III, PRIMARY EXEMPT PURPOSE", "FORM 990-EZ"),
            _ => ("FORM 990, PART III, LINE 1", "FORM 990"),
        };
        detail(xml, mission, &filed.mission);
        for (at, told) in filed.programs.iter().enumerate() {
            let line = match filed.form {
                Form::Short => format!("{}", 28 + at),
                _ => format!("4{}", char::from(b'A' + at as u8)),
            };
            detail(xml, &format!("{program}, PART III, LINE {line}"), &told.text);
        }
    }
    if filed.amended {
        let text = "The return was amended to correct the expenses of the year.";
        detail(xml, "AMENDED RETURN INFORMATION", text);
    }
    xml.close();
}

fn detail(xml: &mut Xml, line: &str, text: &str) {
    xml.group("SupplementalInformationDetail", |xml| {
        xml.leaf("FormAndLineReferenceDesc", line);
        xml.words("ExplanationTxt", text);
    });
}
