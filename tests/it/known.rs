//! Only what is known: the same nonprofits where every list is loaded, where the lists beside the master
//! file are absent, and where the master file has only one state. What no list was checked for is never
//! assured, and what is not loaded is said.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::fixture::{MASTER_HEADER, run, text};

/// Fictional, with an EIN prefix that the IRS does not issue.
const SHELF: &str = "970000001,MAPLE RIVER FOOD SHELF INC,,1 MAIN ST,BURLINGTON,VT,05401-1234,0000,03,3,1000,\
199905,1,15,000000000,1,01,202512,5,5,01,0,12,900000,800000,750000,K31,";
const HARBOR: &str = "970000002,LAKE HARBOR SHELTER,,2 ELM ST,RENO,NV,89501-3988,0000,03,3,2000,200001,1,15,\
000000000,1,01,202406,0,0,02,0,12,,,,L41,";
const REVOKED: &str =
    "970000002|LAKE HARBOR SHELTER||2 ELM ST|RENO|NV|89501|US|03|15-MAY-2012|09-JUN-2012|\n";
const DEDUCTIBLE: &str = "970000001|Maple River Food Shelf Inc|Burlington|VT|United States|PC\n";

/// Which lists are loaded.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Lists {
    All,
    /// The master file alone.
    MasterFile,
    /// Of the master file only Vermont, and the revocation list.
    Part,
}

struct Built {
    folder: TempDir,
}

impl Built {
    fn new(lists: Lists) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let inputs = folder.path().join("inputs");
        std::fs::create_dir(&inputs).unwrap();
        let write = |name: &str, text: &str| std::fs::write(inputs.join(name), text).unwrap();
        let rows = if lists == Lists::Part { vec![SHELF] } else { vec![SHELF, HARBOR] };
        write("eo_vt.csv", &format!("{MASTER_HEADER}\r\n{}\r\n", rows.join("\r\n")));
        write("shelf.xml", &filed("970000001", "MAPLE RIVER FOOD SHELF INC", "VT", 2023));
        write("hudson.xml", &filed("970000008", "HUDSON FOOD BANK", "NY", 2024));
        if lists != Lists::MasterFile {
            write("revoked.txt", REVOKED);
        }
        if lists == Lists::All {
            write("pub78.txt", DEDUCTIBLE);
        }
        let built = Self { folder };
        let data = built.data();
        run(&["build", "--no-semantic", "--data-dir", &data, text(&inputs)]).succeeds();
        built
    }

    fn data(&self) -> String {
        text(&self.folder.path().join("data")).to_owned()
    }

    fn get(&self, path: &str) -> Value {
        let answer = run(&["get", "--data-dir", &self.data(), path]);
        answer.succeeds();
        answer.json()
    }

    /// What the chat answers to one message.
    fn chat(&self, message: &str) -> String {
        let answer = run(&["chat", "--data-dir", &self.data(), message]);
        answer.succeeds().lines().next().unwrap_or_default().to_owned()
    }

    /// The states of exemption, deductibility and revocation.
    fn standing(&self, ein: &str) -> [String; 3] {
        let standing = self.get(&format!("/nonprofits/standing/{ein}"));
        ["exemption", "deductibility", "revocation"]
            .map(|check| standing["checks"][check]["state"].as_str().unwrap().to_owned())
    }
}

/// A return with a revenue and net assets.
fn filed(ein: &str, name: &str, state: &str, year: u16) -> String {
    format!(
        "<?xml version=\"1.0\"?><Return xmlns=\"http://www.irs.gov/efile\"><ReturnHeader>\
         <TaxPeriodEndDt>{year}-12-31</TaxPeriodEndDt><ReturnTypeCd>990</ReturnTypeCd><Filer>\
         <EIN>{ein}</EIN><BusinessName><BusinessNameLine1Txt>{name}</BusinessNameLine1Txt>\
         </BusinessName><USAddress><CityNm>ALBANY</CityNm><StateAbbreviationCd>{state}\
         </StateAbbreviationCd><ZIPCd>12207</ZIPCd></USAddress></Filer><TaxYr>{year}</TaxYr>\
         </ReturnHeader><ReturnData><IRS990><CYTotalRevenueAmt>700000</CYTotalRevenueAmt>\
         <NetAssetsOrFundBalancesEOYAmt>410000</NetAssetsOrFundBalancesEOYAmt></IRS990>\
         </ReturnData></Return>"
    )
}

#[track_caller]
fn says(answer: &str, parts: &[&str], never: &[&str]) {
    for part in parts {
        assert!(answer.contains(part), "expected {part:?} in: {answer}");
    }
    for part in never {
        assert!(!answer.contains(part), "found {part:?} in: {answer}");
    }
}

#[test]
fn good_standing_is_assured_by_lists_alone() {
    const ASKED: &str = "is EIN 97-0000001 in good standing?";
    let all = Built::new(Lists::All);
    says(
        &all.chat(ASKED),
        &["501(c)(3)", "not on the IRS's list of revocations (June 9, 2012)"],
        &["could not check"],
    );
    let bare = Built::new(Lists::MasterFile);
    says(&bare.chat(ASKED), &["501(c)(3)", "could not check revocation"], &["not on the IRS"]);
    // Of whom no master file has, nothing is assured with either.
    for built in [&all, &bare] {
        let hudson = built.chat("is EIN 97-0000008 in good standing?");
        says(&hudson, &["on no IRS list"], &["501(c)(3)"]);
    }
}

#[test]
fn what_no_list_has_is_not_inferred() {
    let [yes, no, open] = ["yes", "no", "not checked"];
    for (lists, ein, states, inactive) in [
        (Lists::All, "970000001", [yes, yes, no], json!(false)),
        (Lists::All, "970000002", [no, no, yes], json!(true)),
        (Lists::All, "970000008", [open, open, no], json!(false)),
        (Lists::MasterFile, "970000001", [yes, yes, open], json!(null)),
        (Lists::MasterFile, "970000002", [yes, yes, open], json!(null)),
        (Lists::MasterFile, "970000008", [open, open, open], json!(null)),
        (Lists::Part, "970000001", [yes, yes, no], json!(false)),
        // It left the master file, or never was in the part that is loaded.
        (Lists::Part, "970000002", [no, no, yes], json!(true)),
        (Lists::Part, "970000008", [open, open, no], json!(false)),
    ] {
        let built = Built::new(lists);
        assert_eq!(built.standing(ein), states, "{lists:?} {ein}");
        let standing = built.get(&format!("/nonprofits/standing/{ein}"));
        assert_eq!(standing["inactive"], inactive, "{lists:?} {ein}");
    }
}

#[test]
fn revoked_ones_are_counted_where_the_list_is_loaded() {
    const ASKED: &str = "revoked nonprofits in Nevada";
    says(&Built::new(Lists::All).chat(ASKED), &["1 matches"], &["could not check"]);
    let bare = Built::new(Lists::MasterFile).chat(ASKED);
    says(&bare, &["list of revoked exemptions is not loaded"], &["0 match"]);
    let part = Built::new(Lists::Part);
    says(&part.chat(ASKED), &["No IRS list of Nevada is loaded"], &[]);
    // By its name it answers all the same.
    let asked = part.chat("tell me about Lake Harbor Shelter");
    says(&asked, &["97-0000002", "revoked"], &["No nonprofit called"]);
}

#[test]
fn places_that_are_not_loaded_are_named() {
    for lists in [Lists::All, Lists::MasterFile, Lists::Part] {
        let answer = Built::new(lists).chat("food banks in New York");
        says(&answer, &["No IRS list of New York is loaded"], &[]);
        let loaded = Built::new(lists).chat("food banks in Vermont");
        says(&loaded, &["food banks", "Maple River"], &["is loaded"]);
    }
}

#[test]
fn what_is_loaded_is_told() {
    const ASKED: &str = "How old is your master file, and do you have Nevada and Delaware?";
    let all = Built::new(Lists::All).chat(ASKED);
    says(
        &all,
        &["Loaded among them: Nevada.", "The list of Delaware is not loaded"],
        &["revocations"],
    );
    let part = Built::new(Lists::Part).chat(ASKED);
    says(&part, &["1 nonprofit", "Delaware is not loaded"], &[]);
    let bare = Built::new(Lists::MasterFile).chat("do you have revocation data?");
    says(&bare, &["have not loaded the IRS's list of revocations"], &[]);
}

#[test]
fn codes_of_the_master_file_are_told_with_their_columns() {
    let answer = Built::new(Lists::All)
        .chat("what does deductibility code 2 and foundation code 15 mean in the BMF");
    says(
        &answer,
        &["Deductibility code 2: gifts to it are not deductible", "Foundation code 15: a public"],
        &[],
    );
}

#[test]
fn lists_are_dated_by_what_they_say() {
    let covered = Built::new(Lists::All).get("/coverage");
    let dated = |kind: &str| {
        let lists = covered["lists"].as_array().unwrap();
        let list = lists.iter().find(|list| list["kind"] == kind).unwrap();
        let file = &list["files"][0];
        (file["date"].as_str().unwrap().to_owned(), file["dated_by"].clone())
    };
    assert_eq!(dated("revocation_list"), ("2012-06-09".to_owned(), json!("posting")));
    assert_eq!(dated("master_file"), ("2000-01-01".to_owned(), json!("ruling")));
    assert_eq!(dated("publication78").1, "download");
}

#[test]
fn figures_are_those_of_the_period_that_is_named() {
    for lists in [Lists::All, Lists::MasterFile, Lists::Part] {
        let built = Built::new(lists);
        // The later revenue is the master file's, the net assets are of an earlier return.
        let revenue = built.chat("what is the revenue of EIN 97-0000001?");
        says(&revenue, &["$750,000", "December 2025"], &["2023"]);
        let assets = built.chat("what are the net assets of EIN 97-0000001?");
        says(&assets, &["$410,000", "December 2023"], &["2025"]);
        let right = built.chat("what was the revenue of EIN 97-0000001 in 2023?");
        says(&right, &["$700,000", "December 2023"], &["750"]);
        let absent = built.chat("what was the revenue of EIN 97-0000001 in 2021?");
        says(&absent, &["No figure for 2021 is on file"], &["$700", "$750"]);
    }
}

#[test]
fn nobody_is_accused() {
    for lists in [Lists::All, Lists::MasterFile, Lists::Part] {
        let answer = Built::new(lists).chat("which nonprofits got in trouble");
        says(&answer, &["neither judges wrongdoing"], &["Maple River", "Lake Harbor"]);
    }
}

/// Whether a foundation needs expenditure responsibility is said of whom the lists know, and who may have given of the grantor.
#[test]
fn grants_to_one_and_between_two_are_told_of_the_right_one() {
    let all = Built::new(Lists::All);
    says(
        &all.chat("can our foundation fund Maple River Food Shelf?"),
        &["501(c)(3)", "without expenditure responsibility"],
        &[],
    );
    says(
        &all.chat("can our foundation fund Hudson Food Bank?"),
        &["on no IRS list"],
        &["without expenditure responsibility"],
    );
    let grantor = "of Hudson Food Bank";
    for asked in [
        "did Hudson Food Bank give to Maple River Food Shelf?",
        "did Maple River Food Shelf get anything from Hudson Food Bank?",
    ] {
        says(&all.chat(asked), &[grantor, "to Maple River Food Shelf"], &["of Maple River"]);
    }
}
