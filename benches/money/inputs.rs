//! Fictional returns: the lists of the IRS as `almoner generate` writes them, and for each of many of
//! its organizations one return with people, related organizations and grants, and the same without.
//!
//! Half of the grants state the recipient's EIN, half only name and address, one in ten of these under the
//! address of another. A twentieth of all grants is made by one organization, and a twentieth received by
//! another. Frequent names are more frequent than they are in real returns.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use almoner::fictional;
use fastrand::Rng;

/// Folders below that of the inputs: the lists, the returns without what they list, the whole returns.
pub const FOLDERS: [&str; 3] = ["lists", "plain", "full"];

/// People that one Form 990 lists.
const PEOPLE_OF_ONE: usize = 30;

/// Grants that one return lists.
const GRANTS_OF_ONE: usize = 40;

/// One in so many grants is made by the greatest grantor, or received by the greatest recipient.
const GREATEST: usize = 20;

/// One in so many returns lists the same related organization.
const RELATED_TO_ONE: usize = 50;

const PURPOSES: [&str; 20] = [
    "GENERAL SUPPORT",
    "GENERAL OPERATING SUPPORT",
    "CHARITABLE",
    "SCHOLARSHIPS FOR STUDENTS",
    "PROGRAM SUPPORT",
    "FOOD BANK AND PANTRY",
    "EDUCATION",
    "YOUTH PROGRAMS",
    "MEDICAL RESEARCH",
    "RELIGIOUS",
    "CAPITAL CAMPAIGN FOR THE LIBRARY",
    "ANIMAL WELFARE",
    "ARTS AND CULTURE",
    "AFFORDABLE HOUSING",
    "DISASTER RELIEF",
    "CLEAN WATER IN RURAL COMMUNITIES",
    "MUSIC LESSONS",
    "HOSPICE CARE",
    "AFTER SCHOOL TUTORING",
    "TRAIL AND RIVER RESTORATION",
];
const SYLLABLES: [&str; 16] = [
    "BEL", "COR", "DAN", "ELM", "FAR", "GAL", "HOL", "IVE", "JOR", "KEN", "LAN", "MOR", "NEL",
    "OST", "PER", "QUI",
];

/// How much is written.
pub struct Size {
    pub organizations: usize,
    pub grants: usize,
    pub people: usize,
}

/// What returns state of an organization.
struct Party {
    ein: String,
    name: String,
    street: String,
    city: String,
    state: String,
    zip: String,
}

/// Writes the folders.
pub fn write(folder: &Path, size: &Size) {
    let [lists, plain, full] = FOLDERS.map(|name| folder.join(name));
    let options = fictional::Options {
        posts: Some(0),
        returns: Some(0),
        ..fictional::Options::new(size.organizations as u64, 1)
    };
    fictional::generate(&lists, &options, &mut |_| {}).expect("room for the lists");
    let parties = parties(&lists);
    fs::create_dir_all(&plain).expect("a folder");
    fs::create_dir_all(&full).expect("a folder");
    // The greatest grantor's return comes beside those of Schedule I.
    let (greatest, of_each) = (size.grants / GREATEST, size.grants / 2);
    let granting = (of_each - greatest).div_ceil(GRANTS_OF_ONE);
    let forms = size.people.div_ceil(PEOPLE_OF_ONE).max(granting + 1);
    let foundations = of_each.div_ceil(GRANTS_OF_ONE);
    assert!(forms + foundations <= parties.len(), "fewer organizations than returns");
    for filer in 0..forms + foundations {
        let rng = &mut Rng::with_seed(filer as u64);
        let grants = match filer {
            0 => greatest,
            filer if filer <= granting || filer >= forms => GRANTS_OF_ONE,
            _ => 0,
        };
        let is_full = filer < forms;
        let (head, lists, tail) = if is_full {
            let people = PEOPLE_OF_ONE.min(size.people.saturating_sub(filer * PEOPLE_OF_ONE));
            (totals(filer, rng), full_lists(&parties, people, grants, rng), "</IRS990>")
        } else {
            (posture(filer), foundation_lists(&parties, grants, rng), "</IRS990PF>")
        };
        let form = if is_full { "990" } else { "990PF" };
        let (open, close) = (header(form, filer, &parties[filer]), "</ReturnData></Return>");
        let name = format!("{:018}_public.xml", 202_300_000_000_000_000 + filer);
        fs::write(plain.join(&name), format!("{open}{head}{tail}{close}")).expect("a file");
        let (inner, after) = lists;
        fs::write(full.join(&name), format!("{open}{head}{inner}{tail}{after}{close}"))
            .expect("a file");
    }
}

/// The organizations of the master file, in its order.
fn parties(lists: &Path) -> Vec<Party> {
    let mut all = Vec::new();
    for region in 1..=4 {
        let file = lists.join(format!("eo{region}.csv"));
        let mut rows = csv::Reader::from_path(file).expect("a master file");
        for row in rows.records() {
            let row = row.expect("a row");
            let field = |at: usize| row[at].replace('&', "&amp;");
            let zip = field(6).chars().take(5).collect();
            let (ein, name, street) = (field(0), field(1), field(3));
            all.push(Party { ein, name, street, city: field(4), state: field(5), zip });
        }
    }
    // Files go by place; who files and who receives should not.
    Rng::with_seed(7).shuffle(&mut all);
    all
}

/// A number below a bound, the small ones oftener.
fn skewed(rng: &mut Rng, bound: usize) -> usize {
    (rng.f64().powi(2) * bound as f64) as usize
}

fn amount(rng: &mut Rng) -> i64 {
    10_f64.powf(3.0 + 4.0 * rng.f64().powi(2)) as i64
}

fn person(rng: &mut Rng) -> String {
    let [first, last] = [skewed(rng, 256), skewed(rng, 4_096)];
    let of = |at: usize| SYLLABLES[at % 16];
    let middle = char::from(b'A' + rng.u8(..26));
    format!(
        "{}{} {middle} {}{}{}",
        of(first),
        of(first / 16),
        of(last),
        of(last / 16),
        of(last / 256)
    )
}

fn header(form: &str, filer: usize, party: &Party) -> String {
    let year = 2018 + filer % 6;
    let Party { ein, name, .. } = party;
    format!(
        "<?xml version=\"1.0\"?><Return xmlns=\"http://www.irs.gov/efile\"><ReturnHeader>\
         <TaxPeriodEndDt>{}-06-30</TaxPeriodEndDt><ReturnTypeCd>{form}</ReturnTypeCd><Filer><EIN>{ein}</EIN>\
         <BusinessName><BusinessNameLine1Txt>{name}</BusinessNameLine1Txt></BusinessName></Filer>\
         <TaxYr>{year}</TaxYr></ReturnHeader><ReturnData>",
        year + 1
    )
}

fn totals(filer: usize, rng: &mut Rng) -> String {
    let revenue = amount(rng) * 10;
    let [expenses, assets] = [revenue * 9 / 10, revenue * (1 + filer as i64 % 7)];
    format!(
        "<IRS990><CYTotalRevenueAmt>{revenue}</CYTotalRevenueAmt><CYTotalExpensesAmt>{expenses}</CYTotalExpensesAmt>\
         <TotalAssetsEOYAmt>{assets}</TotalAssetsEOYAmt><NetAssetsOrFundBalancesEOYAmt>{assets}\
         </NetAssetsOrFundBalancesEOYAmt><TotalFunctionalExpensesGrp><TotalAmt>{expenses}</TotalAmt>\
         <ProgramServicesAmt>{}</ProgramServicesAmt></TotalFunctionalExpensesGrp>",
        expenses * (50 + filer as i64 % 50) / 100
    )
}

fn posture(filer: usize) -> String {
    let preselected = "<SupplementaryInformationGrp><OnlyContriToPreselectedInd>X</OnlyContriToPreselectedInd>\
         </SupplementaryInformationGrp>";
    format!("<IRS990PF>{}", if filer.is_multiple_of(2) { preselected } else { "" })
}

/// What a Form 990 lists: within it, and behind it.
fn full_lists(parties: &[Party], people: usize, grants: usize, rng: &mut Rng) -> (String, String) {
    let mut inner = String::new();
    for _ in 0..people {
        let _ = write!(
            inner,
            "<Form990PartVIISectionAGrp><PersonNm>{}</PersonNm><TitleTxt>DIRECTOR</TitleTxt>\
             <AverageHoursPerWeekRt>1.00</AverageHoursPerWeekRt><OfficerInd>X</OfficerInd>\
             <ReportableCompFromOrgAmt>{}</ReportableCompFromOrgAmt></Form990PartVIISectionAGrp>",
            person(rng),
            amount(rng) / 10
        );
    }
    let mut after = "<IRS990ScheduleI>".to_owned();
    for _ in 0..grants {
        // Of the half that state an EIN, a tenth goes to one: a twentieth of all.
        let to = if rng.usize(..GREATEST) < 2 { 1 } else { skewed(rng, parties.len()) };
        let Party { ein, name, .. } = &parties[to];
        let _ = write!(
            after,
            "<RecipientTable><RecipientBusinessName><BusinessNameLine1Txt>{name}</BusinessNameLine1Txt>\
             </RecipientBusinessName><RecipientEIN>{ein}</RecipientEIN><CashGrantAmt>{}</CashGrantAmt>\
             <PurposeOfGrantTxt>{}</PurposeOfGrantTxt></RecipientTable>",
            amount(rng),
            PURPOSES[skewed(rng, PURPOSES.len())]
        );
    }
    after += "</IRS990ScheduleI><IRS990ScheduleR>";
    let one = usize::from(rng.usize(..RELATED_TO_ONE) == 0);
    for to in [rng.usize(..parties.len()), 2].into_iter().take(1 + one) {
        let Party { ein, name, .. } = &parties[to];
        let _ = write!(
            after,
            "<IdRelatedTaxExemptOrgGrp><DisregardedEntityName><BusinessNameLine1Txt>{name}</BusinessNameLine1Txt>\
             </DisregardedEntityName><EIN>{ein}</EIN></IdRelatedTaxExemptOrgGrp>"
        );
    }
    (inner, after + "</IRS990ScheduleR>")
}

/// What a Form 990-PF lists, within it.
fn foundation_lists(parties: &[Party], grants: usize, rng: &mut Rng) -> (String, String) {
    let mut inner = "<SupplementaryInformationGrp>".to_owned();
    for _ in 0..grants {
        let to = &parties[skewed(rng, parties.len())];
        let is_elsewhere = rng.usize(..10) == 0;
        let at = if is_elsewhere { &parties[skewed(rng, parties.len())] } else { to };
        let (name, Party { street, city, state, zip, .. }) = (&to.name, at);
        let _ = write!(
            inner,
            "<GrantOrContributionPdDurYrGrp><RecipientBusinessName><BusinessNameLine1Txt>{name}\
             </BusinessNameLine1Txt></RecipientBusinessName><RecipientUSAddress><AddressLine1Txt>{street}\
             </AddressLine1Txt><CityNm>{city}</CityNm><StateAbbreviationCd>{state}</StateAbbreviationCd>\
             <ZIPCd>{zip}</ZIPCd></RecipientUSAddress><GrantOrContributionPurposeTxt>{}\
             </GrantOrContributionPurposeTxt><Amt>{}</Amt></GrantOrContributionPdDurYrGrp>",
            PURPOSES[skewed(rng, PURPOSES.len())],
            amount(rng)
        );
    }
    (inner + "</SupplementaryInformationGrp>", String::new())
}
