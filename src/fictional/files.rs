//! The rows of the four IRS publications, byte for byte in their layouts.

use std::io::{self, Write};

use super::name::{coin, word};
use super::random::Random;
use super::row::{Row, class};
use crate::record::MONTH_NAMES;

/// Header of the master file.
pub(super) const MASTER_HEADER: &str = "EIN,NAME,ICO,STREET,CITY,STATE,ZIP,GROUP,SUBSECTION,\
    AFFILIATION,CLASSIFICATION,RULING,DEDUCTIBILITY,FOUNDATION,ACTIVITY,ORGANIZATION,STATUS,\
    TAX_PERIOD,ASSET_CD,INCOME_CD,FILING_REQ_CD,PF_FILING_REQ_CD,ACCT_PD,ASSET_AMT,INCOME_AMT,\
    REVENUE_AMT,NTEE_CD,SORT_NAME";

/// A row of the master file: 28 columns, CRLF. One name in 5,000 holds a comma and is quoted.
pub(super) fn master(out: &mut impl Write, row: &Row, random: &mut Random) -> io::Result<()> {
    write!(out, "{:09},", row.ein)?;
    match row.name.rsplit_once(' ') {
        Some((start, end)) if random.below(5000) == 0 && row.name.len() < 70 => {
            write!(out, "\"{start}, {end}\"")?;
        }
        _ => out.write_all(row.name.as_bytes())?,
    }
    let care = if random.chance(650) { "% FICTIONAL ENTRY" } else { "" };
    write!(
        out,
        ",{care},{},{},{},{}-{:04},",
        row.street, row.city, row.state, row.zip, row.plus_four
    )?;
    write!(out, "{:04},{},{},", row.group, row.subsection, row.affiliation)?;
    write!(out, "{},{:06},{},", row.classification, row.ruling, row.deductibility)?;
    let activity = if random.chance(600) { None } else { row.activity(random.below(1000)) };
    let activity = activity.unwrap_or("000");
    write!(out, "{},{activity}000000,{},{},", row.foundation, row.organization, row.status)?;
    if let Some(period) = row.tax_period {
        write!(out, "{period}")?;
    }
    write!(out, ",{},{},{},", class(row.assets), class(row.income), row.filing)?;
    write!(out, "{},{:02},", row.foundation_filing, row.accounting_month)?;
    for amount in [row.assets, row.income, row.revenue] {
        if let Some(dollars) = amount {
            write!(out, "{dollars}")?;
        }
        out.write_all(b",")?;
    }
    write!(out, "{},{}\r\n", row.ntee, row.sort_name)
}

/// A row of Publication 78: EIN, name, city, state, country, deductibility codes.
pub(super) fn publication_78(
    out: &mut impl Write,
    row: &Row,
    random: &mut Random,
) -> io::Result<()> {
    let codes = match (row.foundation, random.below(100)) {
        ("04", _) => "PF",
        ("03", _) => "POF",
        ("17" | "21" | "22", _) => "SOUNK",
        (_, 0) => "UNKWN",
        (_, 1) if row.group != 0 => "PC,GROUP",
        _ => "PC",
    };
    write!(out, "{:09}|", row.ein)?;
    capitalised(out, &row.name)?;
    out.write_all(b"|")?;
    let abroad = row.state.is_empty();
    capitalised(out, if abroad { "" } else { row.city })?;
    write!(out, "|{}|", row.state)?;
    capitalised(out, if abroad { row.city } else { "UNITED STATES" })?;
    writeln!(out, "|{codes}")
}

/// A row of the revocation list: 12 fields, the last empty unless exemption was reinstated.
pub(super) fn revocation(
    out: &mut impl Write,
    row: &Row,
    reinstated: Reinstated,
    random: &mut Random,
) -> io::Result<()> {
    let year = 2010 + random.below(14);
    let month = random.below(12) as usize;
    write!(out, "{:09}|{}||{}|{}|{}|", row.ein, row.name, row.street, row.city, row.state)?;
    if !row.state.is_empty() {
        write!(out, "{}-{:04}", row.zip, row.plus_four)?;
    }
    let country = if row.state.is_empty() { "XX" } else { "US" };
    write!(out, "|{country}|{}|15-{}-{year}|", row.subsection, in_capitals(month))?;
    write!(out, "{:02}-{}-{}|", 1 + random.below(28), in_capitals((month + 3) % 12), year + 1)?;
    if reinstated == Reinstated::Yes {
        write!(out, "15-{}-{}", in_capitals(random.below(12) as usize), year + 1)?;
    }
    out.write_all(b"\n")
}

/// Whether a revoked organization is exempt again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reinstated {
    Yes,
    No,
}

/// A row of Form 990-N: 26 fields. Websites are below domains reserved for examples.
pub(super) fn postcard(out: &mut impl Write, row: &Row, random: &mut Random) -> io::Result<()> {
    let year = 2022 + random.below(4);
    write!(out, "{:09}|{year}|{}|T|F|01-01-{year}|12-31-{year}|", row.ein, row.name)?;
    match random.below(10) {
        0..=2 => {
            let mut host = String::new();
            coin(random, &mut host);
            host.make_ascii_lowercase();
            let domain = random.pick(&["org", "com", "net"]);
            write!(out, "www.{host}.example.{domain}")?;
        }
        3 => out.write_all(b"N/A")?,
        _ => {}
    }
    let country = if row.state.is_empty() { "XX" } else { "US" };
    out.write_all(b"|FICTIONAL OFFICER")?;
    for _ in 0..2 {
        write!(out, "|{}||{}||{}|{}|{country}", row.street, row.city, row.state, row.zip)?;
    }
    out.write_all(b"|")?;
    if random.chance(60) {
        let mut known_as = String::new();
        coin(random, &mut known_as);
        write!(out, "{known_as} {}", word("known as", random))?;
    }
    out.write_all(b"||\n")
}

/// Writes a name in capitals as Publication 78 does: each word's first letter kept.
fn capitalised(out: &mut impl Write, name: &str) -> io::Result<()> {
    let mut at_start = true;
    for byte in name.bytes() {
        out.write_all(&[if at_start { byte } else { byte.to_ascii_lowercase() }])?;
        at_start = !byte.is_ascii_alphanumeric();
    }
    Ok(())
}

/// The first three letters of a month's name, 0 for January, as the revocation list writes them.
fn in_capitals(month: usize) -> String {
    MONTH_NAMES[month][..3].to_uppercase()
}
