//! A small snapshot, built once for all tests, and a client of the service in process.

use std::fs::{self, File};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::SystemTime;

use http_body_util::BodyExt;
use hyper::{HeaderMap, Method, Request, StatusCode};
use serde_json::Value;
use tempfile::TempDir;

use crate::build::{self, NoProgress};
use crate::http::interface::input::Input;
use crate::http::interface::response::Answer;
use crate::http::interface::route::Route;
use crate::http::server::keys::{self, Keys};
use crate::http::{App, Options};
use crate::index::typeahead::{Builder, Card, Scope, Typeahead, Weight};
use crate::mapped::{BLOCK_BYTES, BlockSums, MappedFile};
use crate::record::{Ein, OrgId};
use crate::snapshot::{self, Snapshot};

/// In the master file.
pub(super) const FULL: &str = "530196605";
/// Known from a return alone.
pub(super) const BARE: &str = "000003154";

const HEADER: &str = "EIN,NAME,ICO,STREET,CITY,STATE,ZIP,GROUP,SUBSECTION,AFFILIATION,\
    CLASSIFICATION,RULING,DEDUCTIBILITY,FOUNDATION,ACTIVITY,ORGANIZATION,STATUS,TAX_PERIOD,\
    ASSET_CD,INCOME_CD,FILING_REQ_CD,PF_FILING_REQ_CD,ACCT_PD,ASSET_AMT,INCOME_AMT,REVENUE_AMT,\
    NTEE_CD,SORT_NAME";
/// Its street is `{street}`.
const ROW: &str = "530196605,AMERICAN NATIONAL RED CROSS,,{street},WASHINGTON,DC,20006-5307,2120,03,9,\
    1000,193812,0,15,000000000,1,01,202406,9,9,01,0,06,,,3217077611,M20,RED CROSS";
const REVOKED: &str = "010000008|OMEGA RELIEF FUND||1 MAIN ST|RENO|NV|89501|US|03|15-MAY-2012|\
    09-JUN-2012|\n";
const RETURN: &str = r#"<?xml version="1.0"?><Return xmlns="http://www.irs.gov/efile"><ReturnHeader>
    <TaxPeriodEndDt>2023-06-30</TaxPeriodEndDt><ReturnTypeCd>990EZ</ReturnTypeCd><Filer>
    <EIN>000003154</EIN><BusinessName><BusinessNameLine1Txt>BARE</BusinessNameLine1Txt></BusinessName>
    </Filer><TaxYr>2022</TaxYr></ReturnHeader><ReturnData><IRS990EZ>
    <TotalRevenueAmt>1200</TotalRevenueAmt>
    <ProgramSrvcAccomplishmentGrp><DescriptionProgramSrvcAccomTxt>Roofs.
    </DescriptionProgramSrvcAccomTxt><ProgramServiceExpensesAmt>900</ProgramServiceExpensesAmt>
    </ProgramSrvcAccomplishmentGrp>
    <OfficerDirectorTrusteeEmplGrp><PersonNm>A</PersonNm>
    <AverageHrsPerWkDevotedToPosRt>1.5</AverageHrsPerWkDevotedToPosRt>
    </OfficerDirectorTrusteeEmplGrp></IRS990EZ></ReturnData></Return>"#;
/// An earlier return of the same filer, with grants, people, related organizations, a loan and lobbying.
const LISTS: &str = r#"<?xml version="1.0"?><Return xmlns="http://www.irs.gov/efile"><ReturnHeader>
    <TaxPeriodEndDt>2021-06-30</TaxPeriodEndDt><ReturnTypeCd>990</ReturnTypeCd><Filer>
    <EIN>000003154</EIN><BusinessName><BusinessNameLine1Txt>BARE</BusinessNameLine1Txt></BusinessName>
    </Filer><TaxYr>2020</TaxYr></ReturnHeader><ReturnData><IRS990>
    <Form990PartVIISectionAGrp><PersonNm>JANE ROE</PersonNm><TitleTxt>PRESIDENT</TitleTxt>
    <AverageHoursPerWeekRt>40.00</AverageHoursPerWeekRt><OfficerInd>X</OfficerInd>
    <ReportableCompFromOrgAmt>90000</ReportableCompFromOrgAmt>
    <OtherCompensationAmt>1000</OtherCompensationAmt></Form990PartVIISectionAGrp>
    <Form990PartVIISectionAGrp><PersonNm>RICHARD ROE</PersonNm></Form990PartVIISectionAGrp>
    <GrantsToDomesticOrgsGrp><TotalAmt>1000</TotalAmt></GrantsToDomesticOrgsGrp>
    <OtherRevenueTotalAmt>30</OtherRevenueTotalAmt><TotalAssetsGrp><BOYAmt>700</BOYAmt></TotalAssetsGrp>
    <PriorPeriodAdjustmentsAmt>-12</PriorPeriodAdjustmentsAmt></IRS990>
    <IRS990ScheduleC><TotalLobbyingExpendituresAmt>25</TotalLobbyingExpendituresAmt></IRS990ScheduleC>
    <IRS990ScheduleI><RecipientTable><RecipientBusinessName>
    <BusinessNameLine1Txt>AMERICAN RED CROSS</BusinessNameLine1Txt></RecipientBusinessName>
    <RecipientEIN>530196605</RecipientEIN><CashGrantAmt>600</CashGrantAmt>
    <NonCashAssistanceAmt>50</NonCashAssistanceAmt><PurposeOfGrantTxt>ROOFS AND BLANKETS</PurposeOfGrantTxt>
    </RecipientTable><RecipientTable><RecipientBusinessName>
    <BusinessNameLine1Txt>NOWHERE LEAGUE</BusinessNameLine1Txt></RecipientBusinessName>
    <RecipientEIN>990000001</RecipientEIN><CashGrantAmt>200</CashGrantAmt></RecipientTable></IRS990ScheduleI>
    <IRS990ScheduleJ><RltdOrgOfficerTrstKeyEmplGrp><PersonNm>JANE ROE</PersonNm>
    <BaseCompensationFilingOrgAmt>80000</BaseCompensationFilingOrgAmt></RltdOrgOfficerTrstKeyEmplGrp>
    </IRS990ScheduleJ><IRS990ScheduleL><LoansBtwnOrgInterestedPrsnGrp><PersonNm>JANE ROE</PersonNm>
    <RelationshipWithOrgTxt>PRESIDENT</RelationshipWithOrgTxt><LoanPurposeTxt>ROOF</LoanPurposeTxt>
    <LoanToOrganizationInd>X</LoanToOrganizationInd><OriginalPrincipalAmt>500</OriginalPrincipalAmt>
    <BalanceDueAmt>400</BalanceDueAmt><DefaultInd>false</DefaultInd></LoansBtwnOrgInterestedPrsnGrp>
    <BusTrInvolveInterestedPrsnGrp><NameOfInterested><PersonNm>RICHARD ROE</PersonNm></NameOfInterested>
    <TransactionAmt>80</TransactionAmt></BusTrInvolveInterestedPrsnGrp></IRS990ScheduleL><IRS990ScheduleR><IdRelatedTaxExemptOrgGrp><DisregardedEntityName>
    <BusinessNameLine1Txt>AMERICAN RED CROSS</BusinessNameLine1Txt></DisregardedEntityName>
    <EIN>530196605</EIN><ControlledOrganizationInd>0</ControlledOrganizationInd></IdRelatedTaxExemptOrgGrp>
    </IRS990ScheduleR></ReturnData></Return>"#;
/// One as a private foundation of half a year before that, and what replaced it.
const FOUNDATION: &str = r#"<?xml version="1.0"?><Return xmlns="http://www.irs.gov/efile"><ReturnHeader>
    <ReturnTs>{filed}</ReturnTs><TaxPeriodBeginDt>2020-01-01</TaxPeriodBeginDt><TaxPeriodEndDt>2020-06-30</TaxPeriodEndDt>
    <ReturnTypeCd>990PF</ReturnTypeCd><Filer>
    <EIN>000003154</EIN><BusinessName><BusinessNameLine1Txt>BARE</BusinessNameLine1Txt></BusinessName>
    </Filer><TaxYr>2019</TaxYr></ReturnHeader><ReturnData><IRS990PF>
    <OfficerDirTrstKeyEmplInfoGrp><OfficerDirTrstKeyEmplGrp><PersonNm>Jane Roe</PersonNm>
    <TitleTxt>TRUSTEE</TitleTxt></OfficerDirTrstKeyEmplGrp><CompensationOfHghstPdCntrctGrp><BusinessName>
    <BusinessNameLine1Txt>FICTION ADVISERS LLC</BusinessNameLine1Txt></BusinessName><ServiceTypeTxt>INVESTMENT ADVICE</ServiceTypeTxt>
    <CompensationAmt>60000</CompensationAmt></CompensationOfHghstPdCntrctGrp></OfficerDirTrstKeyEmplInfoGrp>
    <SupplementaryInformationGrp><ApplicationSubmissionInfoGrp><RecipientPersonNm>JANE ROE</RecipientPersonNm>
    <SubmissionDeadlinesTxt>NONE</SubmissionDeadlinesTxt></ApplicationSubmissionInfoGrp>
    <GrantOrContributionPdDurYrGrp><RecipientBusinessName>
    <BusinessNameLine1Txt>AMERICAN NATIONAL RED CROSS</BusinessNameLine1Txt></RecipientBusinessName>
    <RecipientUSAddress><AddressLine1Txt>430 17TH ST NW</AddressLine1Txt><CityNm>WASHINGTON</CityNm>
    <StateAbbreviationCd>DC</StateAbbreviationCd><ZIPCd>20006</ZIPCd></RecipientUSAddress>
    <GrantOrContributionPurposeTxt>GENERAL SUPPORT</GrantOrContributionPurposeTxt><Amt>{amount}</Amt>
    </GrantOrContributionPdDurYrGrp>
    <GrantOrContriApprvForFutGrp><RecipientBusinessName>
    <BusinessNameLine1Txt>LATER LEAGUE</BusinessNameLine1Txt></RecipientBusinessName><Amt>70</Amt>
    </GrantOrContriApprvForFutGrp></SupplementaryInformationGrp></IRS990PF></ReturnData></Return>"#;
const CURATED: &str = r#"{"kind":"story","story_id":"s1","ein":"000003154","story_title":"A roof","obstacles_overcome":["rain"],"power_score":7.5,"date_extracted":"1970-01-01T00:00:00Z","metrics":[{"metric_text":"1 roof","metric_value":1.0}]}
{"kind":"metric","metric_id":"m1","ein":"000003154","metric_text":"served 9 meals","metric_value":9.0,"date_added":"1970-01-02T00:00:00Z"}
{"kind":"post","post_id":"p1","organization_ein":"530196605","post_title":"News","post_classification":"job_posting","post_published_date":"1970-01-02T00:00:00Z","post_categories":[],"post_tags":["a"]}
{"kind":"article","id":7,"title":"Food banks","date_added":"1970-01-02T00:00:00Z","text":"All of it."}
{"kind":"fund","id":9,"title":"Fund for food banks","address":{"city":"Akron"},"ein":"000003154"}
{"kind":"overlay","ein":"530196605","url":"https://www.redcross.org"}
"#;

/// What is served: two nonprofits in a snapshot, and the one before it, without the revocation list.
pub(super) struct Fixture {
    folder: TempDir,
    pub(super) before: Arc<Snapshot>,
    pub(super) snapshot: Arc<Snapshot>,
}

pub(super) static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let inputs = folder.path().join("inputs");
    fs::create_dir(&inputs).unwrap();
    let write = |name: &str, text: &str| {
        fs::write(inputs.join(name), text).unwrap();
        let file = File::options().write(true).open(inputs.join(name)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    };
    let master = |street: &str| {
        write("eo_dc.csv", &format!("{HEADER}\r\n{}\r\n", ROW.replace("{street}", street)));
    };
    write("202312345678901234_public.xml", RETURN);
    write("202112345678901234_public.xml", LISTS);
    for (name, filed, amount) in [("202011", "2020-11-01", "4000"), ("202101", "2021-01-15", "300")]
    {
        let filed = FOUNDATION.replace("{filed}", &format!("{filed}T10:00:00-05:00"));
        write(&format!("{name}345678901234_public.xml"), &filed.replace("{amount}", amount));
    }
    write("curated.ndjson", CURATED);
    master("1 M & <N> ST");
    let before = build(folder.path());
    write("revoked.txt", REVOKED);
    master("430 17TH ST NW");
    let snapshot = build(folder.path());
    Fixture { folder, before, snapshot }
});

fn build(folder: &Path) -> Arc<Snapshot> {
    let data_dir = folder.join("data");
    let options = build::Options {
        data_dir: data_dir.clone(),
        inputs: vec![folder.join("inputs")],
        // Embedding takes seconds, and what the vectors change is tested with the program.
        model: None,
        wait_for_vectors: false,
        reject_limit_percent: Some(0.0),
        fall_max_percent: None,
        without: Vec::new(),
        feed_ein: None,
    };
    build::build(&options, &NoProgress).unwrap();
    Arc::new(snapshot::open(&data_dir).unwrap())
}

impl Fixture {
    /// The snapshot while its vectors are being made.
    pub(super) fn awaiting(&self) -> Arc<Snapshot> {
        let mut snapshot = snapshot::open(&self.folder.path().join("data")).unwrap();
        snapshot.manifest.awaits = Some("all-MiniLM-L6-v2".to_owned());
        Arc::new(snapshot)
    }

    /// The snapshot with an index of typeahead in which every query meets a damaged block.
    pub(super) fn damaged(&self) -> (TempDir, Arc<Snapshot>) {
        let folder = tempfile::tempdir().unwrap();
        let mut builder = Builder::new();
        let name = format!("American {}", "Nation ".repeat(20));
        for number in 0..1_000 {
            let ein = Ein::unpack(number).unwrap();
            let card = Card { ein, name: name.clone(), city: None, state: None, alt_name: None };
            let (org, weight) = (OrgId::new(number), Weight::new(1));
            builder.add(org, Scope::ActiveCharities, weight, &[&name], &card).unwrap();
        }
        builder.finish(folder.path()).unwrap();
        let opened = Typeahead::open(&mut |name| {
            let path = folder.path().join(name);
            let mut bytes = fs::read(&path).unwrap();
            let sums = BlockSums::of(&bytes[..], |_| {}).unwrap();
            if bytes.len() > 2 * BLOCK_BYTES {
                // What opening reads is at the end.
                bytes[..BLOCK_BYTES].iter_mut().for_each(|byte| *byte = !*byte);
                fs::write(&path, bytes).unwrap();
            }
            MappedFile::open(&path, name, sums)
        });
        let mut snapshot = snapshot::open(&self.folder.path().join("data")).unwrap();
        snapshot.typeahead = opened.unwrap();
        (folder, Arc::new(snapshot))
    }
}

/// What an endpoint reads of a target.
pub(super) fn read<T>(target: &str, read: impl FnOnce(&Input<'_>) -> T) -> T {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let Route::Endpoint(_, value) = Route::of(path) else { panic!("{target} is no endpoint") };
    read(&Input::new(value, Some(query), &HeaderMap::new()))
}

/// The service over a snapshot, with one valid key.
pub(super) struct Service {
    pub(super) app: Arc<App>,
    pub(super) key: String,
    pub(super) directory: TempDir,
}

/// What was answered.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Reply {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

impl Service {
    pub(super) fn new() -> Self {
        Self::with(Options::default())
    }

    pub(super) fn with(options: Options) -> Self {
        let service = Self::unready(options);
        service.app.swap(FIXTURE.snapshot.clone());
        service
    }

    /// Without a snapshot.
    pub(super) fn unready(options: Options) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let key = keys::create(directory.path(), "test").unwrap().secret;
        let app = App::new(Keys::open(directory.path()).unwrap(), options);
        Self { app: Arc::new(app), key, directory }
    }

    /// A second key.
    pub(super) fn another_key(&self) -> String {
        let key = keys::create(self.directory.path(), "another").unwrap().secret;
        self.app.keys().refresh().unwrap();
        key
    }

    pub(super) fn ask(&self, method: Method, target: &str, headers: &[(&str, &str)]) -> Reply {
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        Self::reply(self.app.answer(parts))
    }

    /// A POST of a body with the key.
    pub(super) fn submit(&self, target: &str, body: &str) -> Reply {
        self.post(target, &[("x-api-key", &self.key)], body)
    }

    /// A POST of a body.
    pub(super) fn post(&self, target: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut request = Request::post(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        Self::reply(self.app.answer_body(parts, body.to_owned().into()))
    }

    fn reply(answer: Answer) -> Reply {
        let (parts, body) = answer.into_parts();
        // The body is whole: collecting it never waits.
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let body = runtime.block_on(body.collect()).unwrap().to_bytes().to_vec();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    /// A GET with the key.
    pub(super) fn get(&self, target: &str) -> Reply {
        self.ask(Method::GET, target, &[("x-api-key", &self.key)])
    }

    /// A GET with the key that is answered with 200.
    pub(super) fn json(&self, target: &str) -> Value {
        let reply = self.get(target);
        assert_eq!(reply.status, StatusCode::OK, "{target} {reply:?}");
        assert_eq!(reply.header("content-type"), "application/json");
        reply.json()
    }

    /// A GET with the key that is refused: each error as `loc type`.
    pub(super) fn refused(&self, target: &str) -> Vec<String> {
        let reply = self.get(target);
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{target} {reply:?}");
        let told = |item: &Value| {
            let steps = item["loc"].as_array().unwrap().iter();
            let steps: Vec<_> = steps.map(|step| step.to_string().replace('"', "")).collect();
            format!("{} {}", steps.join("."), item["type"].as_str().unwrap())
        };
        reply.json()["detail"].as_array().unwrap().iter().map(told).collect()
    }
}
