//! Fictional returns of each form and of both generations of element names, for tests.

/// A return of Form 990 with the element names of today.
pub(super) const FULL: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<Return xmlns="http://www.irs.gov/efile" returnVersion="2021v4.2">
  <ReturnHeader binaryAttachmentCnt="0">
    <ReturnTs>2023-02-23T08:16:02-07:00</ReturnTs>
    <TaxPeriodEndDt>2022-06-30</TaxPeriodEndDt>
    <PreparerFirmGrp><PreparerFirmEIN>009999999</PreparerFirmEIN></PreparerFirmGrp>
    <ReturnTypeCd>990</ReturnTypeCd>
    <TaxPeriodBeginDt>2021-07-01</TaxPeriodBeginDt>
    <Filer>
      <EIN>001234567</EIN>
      <BusinessName>
        <BusinessNameLine1Txt>MEADOW READERS &amp; WRITERS</BusinessNameLine1Txt>
        <BusinessNameLine2Txt>OF CEDAR COUNTY</BusinessNameLine2Txt>
      </BusinessName>
      <USAddress>
        <AddressLine1Txt>12 FICTION LANE</AddressLine1Txt>
        <AddressLine2Txt>SUITE 3</AddressLine2Txt>
        <CityNm>CEDAR</CityNm>
        <StateAbbreviationCd>IA</StateAbbreviationCd>
        <ZIPCd>522091234</ZIPCd>
      </USAddress><PhoneNum>5555550100</PhoneNum>
    </Filer><BusinessOfficerGrp><PersonNm>BO LANTERN</PersonNm><PhoneNum>5555550101</PhoneNum></BusinessOfficerGrp>
    <TaxYr>2021</TaxYr>
  </ReturnHeader>
  <ReturnData documentCnt="2">
    <IRS990 documentId="R1">
      <AmendedReturnInd>X</AmendedReturnInd>
      <DoingBusinessAsName><BusinessNameLine1Txt>MEADOW READS</BusinessNameLine1Txt></DoingBusinessAsName>
      <Organization501c3Ind>X</Organization501c3Ind>
      <WebsiteAddressTxt>WWW.MEADOW.EXAMPLE</WebsiteAddressTxt>
      <FormationYr>1987</FormationYr>
      <ActivityOrMissionDesc>SEE PART III, LINE 1.</ActivityOrMissionDesc>
      <TotalEmployeeCnt>14</TotalEmployeeCnt>
      <TotalVolunteersCnt>230</TotalVolunteersCnt><PrincipalOfficerNm>ADA FICTION</PrincipalOfficerNm><VotingMembersGoverningBodyCnt>9</VotingMembersGoverningBodyCnt><VotingMembersIndependentCnt>7</VotingMembersIndependentCnt>
      <PYTotalRevenueAmt>1</PYTotalRevenueAmt>
      <CYTotalRevenueAmt>1500250</CYTotalRevenueAmt>
      <CYTotalExpensesAmt>1400100</CYTotalExpensesAmt>
      <TotalAssetsBOYAmt>2</TotalAssetsBOYAmt>
      <TotalAssetsEOYAmt>900000</TotalAssetsEOYAmt>
      <TotalLiabilitiesEOYAmt>100000</TotalLiabilitiesEOYAmt>
      <NetAssetsOrFundBalancesEOYAmt>-800000</NetAssetsOrFundBalancesEOYAmt>
      <MissionDesc>SEE SCHEDULE O</MissionDesc><ConflictOfInterestPolicyInd>true</ConflictOfInterestPolicyInd><WhistleblowerPolicyInd>0</WhistleblowerPolicyInd><GovernmentGrantsAmt>4000</GovernmentGrantsAmt><CashNonInterestBearingGrp><BOYAmt>1</BOYAmt><EOYAmt>2500</EOYAmt></CashNonInterestBearingGrp>
      <ExpenseAmt>700000</ExpenseAmt>
      <GrantAmt>5000</GrantAmt>
      <RevenueAmt>300</RevenueAmt>
      <Desc>Tutoring: forty tutors met
        children&#xA0;weekly. (continued on Schedule O)</Desc>
      <ProgSrvcAccomActy2Grp>
        <ExpenseAmt>200000</ExpenseAmt>
        <Desc>LIBRARIES ON WHEELS - SEE SCHEDULE O</Desc>
      </ProgSrvcAccomActy2Grp>
      <ProgSrvcAccomActy3Grp><ExpenseAmt>100</ExpenseAmt><Desc>N/A</Desc></ProgSrvcAccomActy3Grp>
      <ProgSrvcAccomActyOtherGrp><ExpenseAmt>90</ExpenseAmt><Desc>Poetry evenings</Desc></ProgSrvcAccomActyOtherGrp>
      <Form990PartVIISectionAGrp>
        <PersonNm>ADA FICTION</PersonNm>
        <TitleTxt>PRESIDENT/COO</TitleTxt>
        <AverageHoursPerWeekRt>37.50</AverageHoursPerWeekRt>
        <AverageHoursPerWeekRltdOrgRt>9.00</AverageHoursPerWeekRltdOrgRt>
        <ReportableCompFromOrgAmt>85000</ReportableCompFromOrgAmt>
        <ReportableCompFromRltdOrgAmt>1</ReportableCompFromRltdOrgAmt>
      </Form990PartVIISectionAGrp>
      <Form990PartVIISectionAGrp>
        <BusinessName><BusinessNameLine1Txt>MADE UP TRUST</BusinessNameLine1Txt><BusinessNameLine2Txt>COMPANY</BusinessNameLine2Txt></BusinessName>
      </Form990PartVIISectionAGrp>
      <ContractorCompensationGrp><ContractorName><BusinessName><BusinessNameLine1Txt>FICTION PRINTERS LLC</BusinessNameLine1Txt></BusinessName></ContractorName><ServicesDesc>PRINTING</ServicesDesc><CompensationAmt>120000</CompensationAmt></ContractorCompensationGrp>
      <ContractorCompensationGrp><ContractorName><PersonNm>NONE</PersonNm></ContractorName></ContractorCompensationGrp>
    </IRS990>
    <IRS990ScheduleO documentId="R2">
      <SupplementalInformationDetail>
        <FormAndLineReferenceDesc>FORM 990, PART III, LINE 1</FormAndLineReferenceDesc>
        <ExplanationTxt>TO MAKE READERS OF ALL WHO LIVE BY THE MEADOW.</ExplanationTxt>
      </SupplementalInformationDetail>
      <SupplementalInformationDetail>
        <FormAndLineReferenceDesc>FORM 990, PART III, LINE 4A</FormAndLineReferenceDesc>
        <ExplanationTxt>They read ninety books.</ExplanationTxt>
      </SupplementalInformationDetail>
      <SupplementalInformationDetail>
        <FormAndLineReferenceDesc>FORM 990, PART III, LINE 4B</FormAndLineReferenceDesc>
        <ExplanationTxt>LIBRARIES ON WHEELS: TWO VANS BROUGHT BOOKS TO FARMS.</ExplanationTxt>
      </SupplementalInformationDetail>
      <SupplementalInformationDetail>
        <FormAndLineReferenceDesc>FORM 990, PART VI, SECTION B, LINE 11</FormAndLineReferenceDesc>
        <ExplanationTxt>THE BOARD REVIEWS THE RETURN.</ExplanationTxt>
      </SupplementalInformationDetail>
    </IRS990ScheduleO>
  </ReturnData>
</Return>
"#;

/// A return of Form 990 with the element names before 2013.
pub(super) const FULL_OLD: &str = r#"<Return xmlns="http://www.irs.gov/efile" returnVersion="2010v3.7">
<ReturnHeader><Timestamp>2011-11-02T10:00:00-06:00</Timestamp><TaxPeriodEndDate>2010-12-31</TaxPeriodEndDate>
<ReturnType>990</ReturnType><TaxPeriodBeginDate>2010-01-01</TaxPeriodBeginDate>
<Filer><EIN>190000001</EIN><Name><BusinessNameLine1>OLD MILL BAND</BusinessNameLine1></Name>
<ForeignAddress><AddressLine1>1 NOWHERE ROAD</AddressLine1><City>FABLETON</City><ProvinceOrState>ON</ProvinceOrState><Country>CA</Country></ForeignAddress></Filer>
<TaxYear>2010</TaxYear></ReturnHeader>
<ReturnData><IRS990><DoingBusinessAs><BusinessNameLine1>MILL MUSIC</BusinessNameLine1></DoingBusinessAs>
<Organization501c typeOf501cOrganization="7">X</Organization501c><WebSite>N/A</WebSite><YearFormation>1921</YearFormation>
<ActivityOrMissionDescription>MUSIC FOR THE MILL</ActivityOrMissionDescription><TotalNbrEmployees>0</TotalNbrEmployees><TotalNbrVolunteers>12</TotalNbrVolunteers>
<TotalRevenueCurrentYear>500</TotalRevenueCurrentYear><TotalExpensesCurrentYear>400</TotalExpensesCurrentYear>
<TotalAssetsEOY>90</TotalAssetsEOY><TotalLiabilitiesEOY>0</TotalLiabilitiesEOY><NetAssetsOrFundBalancesEOY>90</NetAssetsOrFundBalancesEOY>
<MissionDescription>SEE ATTACHED</MissionDescription><Expense>300</Expense><Grants>1</Grants><Revenue>2</Revenue><Description>BAND CAMP</Description>
<Activity2><Expense>50</Expense><Grants>3</Grants><Revenue>4</Revenue><Description>CONCERTS</Description></Activity2>
<Activity3><Description>MARCHES</Description></Activity3>
<ActivityOther><Description>SEE SCHEDULE O</Description></ActivityOther>
<Form990PartVIISectionA><NamePerson>BEN TROMBONE</NamePerson><Title>LEADER</Title><AverageHoursPerWeek>2</AverageHoursPerWeek><ReportableCompFromOrganization>0</ReportableCompFromOrganization></Form990PartVIISectionA>
<Form990PartVIISectionA><NameBusiness><BusinessNameLine1>INVENTED BRASS</BusinessNameLine1></NameBusiness></Form990PartVIISectionA></IRS990>
<IRS990ScheduleO><GeneralExplanation><Identifier>ALL OTHER ACHIEVEMENTS</Identifier><ReturnReference>FORM 990, PAGE 2, PART III, LINE 4D</ReturnReference><Explanation>INSTRUMENT REPAIR</Explanation></GeneralExplanation></IRS990ScheduleO></ReturnData></Return>"#;

/// A return of Form 990-EZ, with a prefix, a byte order mark and CRLF put in by the tests.
pub(super) const SHORT: &str = r#"<efile:Return xmlns:efile="http://www.irs.gov/efile">
<efile:ReturnHeader><efile:ReturnTypeCd>990EZ</efile:ReturnTypeCd><efile:TaxPeriodEndDt>2019-12-31</efile:TaxPeriodEndDt>
<efile:Filer><efile:EIN>280000002</efile:EIN><efile:BusinessName><efile:BusinessNameLine1Txt>Pond Friends</efile:BusinessNameLine1Txt></efile:BusinessName></efile:Filer></efile:ReturnHeader>
<efile:ReturnData><efile:IRS990EZ><efile:Organization501cInd organization501cTypeTxt="4">X</efile:Organization501cInd>
<efile:TotalRevenueAmt>29737</efile:TotalRevenueAmt><efile:TotalExpensesAmt>30000</efile:TotalExpensesAmt>
<efile:Form990TotalAssetsGrp><efile:BOYAmt>1</efile:BOYAmt><efile:EOYAmt>500</efile:EOYAmt></efile:Form990TotalAssetsGrp>
<efile:SumOfTotalLiabilitiesGrp><efile:EOYAmt>20</efile:EOYAmt></efile:SumOfTotalLiabilitiesGrp>
<efile:NetAssetsOrFundBalancesEOYAmt>480</efile:NetAssetsOrFundBalancesEOYAmt>
<efile:PrimaryExemptPurposeTxt>Keeping the pond clean &#38; open</efile:PrimaryExemptPurposeTxt>
<efile:ProgramSrvcAccomplishmentGrp><efile:DescriptionProgramSrvcAccomTxt>Clean-up days</efile:DescriptionProgramSrvcAccomTxt><efile:GrantsAndAllocationsAmt>5</efile:GrantsAndAllocationsAmt><efile:ProgramServiceExpensesAmt>800</efile:ProgramServiceExpensesAmt></efile:ProgramSrvcAccomplishmentGrp>
<efile:ProgramSrvcAccomplishmentGrp><efile:DescriptionProgramSrvcAccomTxt>See Schedule O</efile:DescriptionProgramSrvcAccomTxt></efile:ProgramSrvcAccomplishmentGrp>
<efile:OfficerDirectorTrusteeEmplGrp><efile:PersonNm>Cy Duckworth</efile:PersonNm><efile:TitleTxt>Chair</efile:TitleTxt><efile:AverageHrsPerWkDevotedToPosRt>1.00</efile:AverageHrsPerWkDevotedToPosRt><efile:CompensationAmt>0</efile:CompensationAmt></efile:OfficerDirectorTrusteeEmplGrp>
</efile:IRS990EZ><efile:IRS990ScheduleO><efile:SupplementalInformationDetail><efile:FormAndLineReferenceDesc>Form 990-EZ, Part III, Line 29</efile:FormAndLineReferenceDesc><efile:ExplanationTxt><![CDATA[Frog counts <each spring>]]></efile:ExplanationTxt></efile:SupplementalInformationDetail></efile:IRS990ScheduleO></efile:ReturnData></efile:Return>"#;

/// A return of Form 990-PF.
pub(super) const FOUNDATION: &str = r#"<Return xmlns="http://www.irs.gov/efile"><ReturnHeader><ReturnTypeCd>990PF</ReturnTypeCd><TaxPeriodEndDt>2023-03-31</TaxPeriodEndDt>
<Filer><EIN>970000003</EIN><BusinessName><BusinessNameLine1Txt>LANTERN FAMILY FOUNDATION</BusinessNameLine1Txt></BusinessName></Filer><TaxYr>2022</TaxYr></ReturnHeader>
<ReturnData><IRS990PF><Organization501c3ExemptPFInd>X</Organization501c3ExemptPFInd>
<AnalysisOfRevenueAndExpenses><TotalRevAndExpnssAmt>1000</TotalRevAndExpnssAmt><TotalNetInvstIncmAmt>7</TotalNetInvstIncmAmt><TotalExpensesRevAndExpnssAmt>600</TotalExpensesRevAndExpnssAmt><TotalExpensesDsbrsChrtblAmt>8</TotalExpensesDsbrsChrtblAmt></AnalysisOfRevenueAndExpenses>
<Form990PFBalanceSheetsGrp><TotalAssetsEOYAmt>5000</TotalAssetsEOYAmt><TotalAssetsEOYFMVAmt>9</TotalAssetsEOYFMVAmt><TotalLiabilitiesEOYAmt>100</TotalLiabilitiesEOYAmt><TotNetAstOrFundBalancesEOYAmt>4900</TotNetAstOrFundBalancesEOYAmt></Form990PFBalanceSheetsGrp>
<ChgInNetAssetsFundBalancesGrp><TotNetAstOrFundBalancesEOYAmt>1</TotNetAstOrFundBalancesEOYAmt></ChgInNetAssetsFundBalancesGrp>
<StatementsRegardingActyGrp><WebsiteAddressTxt>lantern.example</WebsiteAddressTxt></StatementsRegardingActyGrp>
<OfficerDirTrstKeyEmplInfoGrp><OfficerDirTrstKeyEmplGrp><PersonNm>DEE LANTERN</PersonNm><TitleTxt>TRUSTEE</TitleTxt><AverageHrsPerWkDevotedToPosRt>0.50</AverageHrsPerWkDevotedToPosRt><CompensationAmt>12</CompensationAmt></OfficerDirTrstKeyEmplGrp>
<OfficerDirTrstKeyEmplGrp><PersonNm>SEE STATEMENT 4</PersonNm></OfficerDirTrstKeyEmplGrp></OfficerDirTrstKeyEmplInfoGrp>
<SummaryOfDirectChrtblActyGrp><Description1Txt>SEE STATEMENT 9</Description1Txt><Expenses1Amt>50</Expenses1Amt><Description2Txt>A reading room</Description2Txt><Expenses2Amt>60</Expenses2Amt></SummaryOfDirectChrtblActyGrp></IRS990PF>
<GeneralExplanationAttachment><GeneralExplanationGrp><FormAndLineReferenceDesc>FORM 990-PF, PART VIII-A, LINE 1</FormAndLineReferenceDesc><MediumExplanationTxt>A workshop for lamp makers</MediumExplanationTxt></GeneralExplanationGrp></GeneralExplanationAttachment></ReturnData></Return>"#;
