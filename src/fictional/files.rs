//! The rows of the four IRS publications, byte for byte in their layouts.

use std::fmt::Display;

use super::name::{coin, word};
use super::random::Random;
use super::row::Row;
use crate::record::MONTH_NAMES;

/// Header of the master file.
pub(super) const MASTER_HEADER: &str = "EIN,NAME,ICO,STREET,CITY,STATE,ZIP,GROUP,SUBSECTION,\
    AFFILIATION,CLASSIFICATION,RULING,DEDUCTIBILITY,FOUNDATION,ACTIVITY,ORGANIZATION,STATUS,\
    TAX_PERIOD,ASSET_CD,INCOME_CD,FILING_REQ_CD,PF_FILING_REQ_CD,ACCT_PD,ASSET_AMT,INCOME_AMT,\
    REVENUE_AMT,NTEE_CD,SORT_NAME";

/// Lower bounds of the IRS's size classes 1 to 9 of assets and income, in whole dollars.
const CLASS_FROM: [i64; 9] =
    [1, 10_000, 25_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000, 50_000_000];

/// Whether the IRS's lists leave an organization its exemption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Active,
    Revoked,
}

/// The part of the master file that a state's organizations stand in: the IRS's four regions.
pub(super) fn region(state: &str) -> usize {
    match state {
        "CT" | "ME" | "MA" | "NH" | "NJ" | "NY" | "RI" | "VT" => 0,
        "DE" | "DC" | "IL" | "IN" | "IA" | "KY" | "MD" | "MI" | "MN" | "NE" | "NC" | "ND"
        | "OH" | "PA" | "SC" | "SD" | "VA" | "WV" | "WI" => 1,
        "" | "PR" | "VI" | "GU" | "AS" | "MP" | "AA" | "AE" | "AP" => 3,
        _ => 2,
    }
}

/// A row of the master file: 28 columns, CRLF. One name in 5,000 holds a comma and is quoted.
pub(super) fn master(row: &Row, random: &mut Random) -> String {
    let Row { ein, street, city, state, zip, plus_four, group, subsection, .. } = row;
    let Row { affiliation, classification, ruling, deductibility, foundation, .. } = row;
    let Row { organization, status, filing, foundation_filing, accounting_month, .. } = row;
    let Row { ntee, sort_name, .. } = row;
    let name = match row.name.rsplit_once(' ') {
        Some((start, end)) if random.below(5000) == 0 && row.name.len() < 70 => {
            format!("\"{start}, {end}\"")
        }
        _ => row.name.clone(),
    };
    let care = if random.chance(650) { "% FICTIONAL ENTRY" } else { "" };
    let activity = if random.chance(600) { None } else { row.activity(random.below(1000)) };
    let activity = activity.unwrap_or("000");
    let period = known(row.tax_period);
    let [asset_class, income_class] = [row.assets, row.income]
        .map(|amount| CLASS_FROM.partition_point(|from| *from <= amount.unwrap_or(0)));
    let [assets, income, revenue] = [row.assets, row.income, row.revenue].map(known);
    format!(
        "{ein:09},{name},{care},{street},{city},{state},{zip}-{plus_four:04},{group:04},\
         {subsection},{affiliation},{classification},{ruling:06},{deductibility},{foundation},\
         {activity}000000,{organization},{status},{period},{asset_class},{income_class},{filing},\
         {foundation_filing},{accounting_month:02},{assets},{income},{revenue},{ntee},{sort_name}\r\n"
    )
}

fn known(number: Option<impl Display>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// A row of Publication 78: EIN, name, city, state, country, deductibility codes.
pub(super) fn publication_78(row: &Row, random: &mut Random) -> String {
    let codes = match (row.foundation, random.below(100)) {
        ("04", _) => "PF",
        ("03", _) => "POF",
        ("17" | "21" | "22", _) => "SOUNK",
        (_, 0) => "UNKWN",
        (_, 1) if row.group != 0 => "PC,GROUP",
        _ => "PC",
    };
    let (city, country) = match row.state {
        "" => ("", row.city),
        _ => (row.city, "UNITED STATES"),
    };
    let [name, city, country] = [row.name.as_str(), city, country].map(capitalised);
    format!("{:09}|{name}|{city}|{}|{country}|{codes}\n", row.ein, row.state)
}

/// A row of the revocation list: 12 fields, the last empty unless exemption was reinstated.
pub(super) fn revocation(row: &Row, standing: Standing, random: &mut Random) -> String {
    let Row { ein, name, street, city, state, subsection, .. } = row;
    let year = 2010 + random.below(14);
    let month = random.below(12) as usize;
    let (zip, country) = match *state {
        "" => (String::new(), "XX"),
        _ => (format!("{}-{:04}", row.zip, row.plus_four), "US"),
    };
    let [revoked, posted] = [month, (month + 3) % 12].map(in_capitals);
    let (day, next) = (1 + random.below(28), year + 1);
    let reinstated = match standing {
        Standing::Active => format!("15-{}-{next}", in_capitals(random.below(12) as usize)),
        Standing::Revoked => String::new(),
    };
    format!(
        "{ein:09}|{name}||{street}|{city}|{state}|{zip}|{country}|{subsection}|15-{revoked}-{year}|\
         {day:02}-{posted}-{next}|{reinstated}\n"
    )
}

/// A row of Form 990-N: 26 fields. Websites are below domains reserved for examples.
pub(super) fn postcard(row: &Row, random: &mut Random) -> String {
    let Row { ein, name, street, city, state, zip, .. } = row;
    let year = 2022 + random.below(4);
    let website = match random.below(10) {
        0..=2 => {
            let host = coin(random).to_ascii_lowercase();
            format!("www.{host}.example.{}", random.pick(&["org", "com", "net"]))
        }
        3 => "N/A".to_owned(),
        _ => String::new(),
    };
    let country = if state.is_empty() { "XX" } else { "US" };
    let address = format!("{street}||{city}||{state}|{zip}|{country}");
    let known_as = if random.chance(60) {
        let coined = coin(random);
        format!("{coined} {}", word("known as", random))
    } else {
        String::new()
    };
    format!(
        "{ein:09}|{year}|{name}|T|F|01-01-{year}|12-31-{year}|{website}|FICTIONAL OFFICER|{address}|\
         {address}|{known_as}||\n"
    )
}

/// A name in capitals as Publication 78 writes it: each word's first letter kept.
fn capitalised(name: &str) -> String {
    let mut at_start = true;
    let letters = name.chars().map(|letter| {
        let shown = if at_start { letter } else { letter.to_ascii_lowercase() };
        at_start = !letter.is_ascii_alphanumeric();
        shown
    });
    letters.collect()
}

/// The first three letters of a month's name, 0 for January, as the revocation list writes them.
fn in_capitals(month: usize) -> String {
    MONTH_NAMES[month][..3].to_uppercase()
}
