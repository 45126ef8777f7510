//! Articles, knowledge, funds and overlays, as lines of curated data. Publishers and sponsors are
//! plainly fictional; addresses are below domains reserved for examples.

use std::io::{self, Write};
use std::sync::LazyLock;

use serde::Serialize;

use super::figure;
use super::line::{day, put_line};
use super::random::Random;
use super::row::Row;
use super::subject::Subject;
use crate::table::table;

const SITE: &str = "https://library.example.org";

/// Kind, title and text of each row.
static TABLE: LazyLock<Vec<[&'static str; 3]>> =
    LazyLock::new(|| table!("data/fictional_articles.tsv").rows().collect());

fn of_kind(kind: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE.iter().filter(move |row| row[0] == kind).map(|row| (row[1], row[2]))
}

#[derive(Serialize)]
struct Article {
    kind: &'static str,
    id: u64,
    title: &'static str,
    excerpt: &'static str,
    url: String,
    publisher: &'static str,
    is_gc_original: bool,
    date_added: String,
    date_modified: Option<String>,
    evergreen: bool,
    text: String,
}

#[derive(Serialize)]
struct Knowledge {
    kind: &'static str,
    article_id: String,
    title: &'static str,
    url: String,
    content: &'static str,
    date_added: String,
}

const PUBLISHERS: [&str; 4] = [
    "Fictional Giving Review",
    "Fictional Journal of Good Works",
    "Fictional Almanac",
    "Fictional Nonprofit Notes",
];

/// Identifier of the first article; those that follow count up.
const ARTICLE_ID: u64 = 1001;

/// Writes every article; returns how many there are.
pub(super) fn articles(out: &mut impl Write, seed: u64) -> io::Result<u64> {
    let paragraphs: Vec<_> = of_kind("paragraph").map(|(_, text)| text).collect();
    let mut count = 0;
    for (title, excerpt) in of_kind("article") {
        let mut random = Random::new(seed, count);
        let mut text = excerpt.to_owned();
        let first = random.below(paragraphs.len() as u64) as usize;
        for turn in 0..3 + random.below(3) as usize {
            text.push_str("\n\n");
            text.push_str(paragraphs[(first + turn) % paragraphs.len()]);
        }
        let original = random.chance(500);
        let id = ARTICLE_ID + count;
        let year = 2022 + random.below(5);
        let article = Article {
            kind: "article",
            id,
            title,
            excerpt,
            url: format!("{SITE}/articles/{id}"),
            publisher: if original { PUBLISHERS[0] } else { random.pick(&PUBLISHERS) },
            is_gc_original: original,
            date_added: day(year, &mut random),
            date_modified: random.chance(400).then(|| day(year + 1, &mut random)),
            evergreen: random.chance(600),
            text,
        };
        put_line(out, &article)?;
        count += 1;
    }
    Ok(count)
}

/// Writes every entry of the knowledge base; returns how many there are.
pub(super) fn knowledge(out: &mut impl Write, seed: u64) -> io::Result<u64> {
    let mut count = 0;
    for (title, content) in of_kind("knowledge") {
        let article_id = format!("fictional-knowledge-{:02}", count + 1);
        let url = format!("{SITE}/help/{article_id}");
        let date_added = day(2025, &mut Random::new(seed, count));
        let kind = "knowledge";
        put_line(out, &Knowledge { kind, article_id, title, url, content, date_added })?;
        count += 1;
    }
    Ok(count)
}

/// How many funds there are.
pub(super) fn funds() -> u64 {
    of_kind("fund").count() as u64
}

#[derive(Serialize)]
struct Fund<'a> {
    kind: &'static str,
    id: u64,
    title: &'static str,
    content: String,
    purpose: &'static str,
    sponsor: &'static str,
    about_sponsor: &'static str,
    fund_url: String,
    fund_sponsor_url: &'static str,
    fund_minimum_investment: &'static str,
    gc_medium_image: String,
    website: &'static str,
    logo: &'static str,
    ein: Option<&'a str>,
    r#type: &'static str,
    address: Option<Address<'a>>,
    category: Category,
}

#[derive(Serialize)]
struct Address<'a> {
    street: String,
    city: &'a str,
    state: &'static str,
    zip: &'static str,
}

#[derive(Serialize)]
struct Category {
    id: u64,
    name: &'static str,
}

/// Identifier of the first fund; those that follow count up.
const FUND_ID: u64 = 501;

/// Writes the fund of that number, held by the organization if there is one.
pub(super) fn fund(
    out: &mut impl Write,
    number: u64,
    holder: Option<(&Row, &Subject)>,
    random: &mut Random,
) -> io::Result<()> {
    let Some((title, purpose)) = of_kind("fund").nth(number as usize) else {
        return Ok(());
    };
    let id = FUND_ID + number;
    let kinds = ["Donor-advised fund", "Pooled fund", "Impact fund", "Field-of-interest fund"];
    let least = ["$25", "$100", "$500", "$1,000", "$5,000", "None"];
    let fund = Fund {
        kind: "fund",
        id,
        title,
        content: format!(
            "{title} gathers gifts of any size. {purpose} Grants are made twice a year, and the \
             sponsor, like the fund, is fictional."
        ),
        purpose,
        sponsor: "Fictional Fund Sponsor",
        about_sponsor: "Fictional Fund Sponsor holds fictional funds and exists in no register.",
        fund_url: format!("https://funds.example.com/{id}"),
        fund_sponsor_url: "https://funds.example.com",
        fund_minimum_investment: random.pick(&least),
        gc_medium_image: format!("https://images.example.com/funds/{id}.png"),
        website: "https://funds.example.com",
        logo: "https://images.example.com/funds/sponsor.png",
        ein: holder.map(|(_, subject)| &*subject.ein),
        r#type: random.pick(&kinds),
        address: holder.map(|(row, subject)| Address {
            street: crate::naming::display_place(&row.street),
            city: &subject.city,
            state: row.state,
            zip: row.zip,
        }),
        category: Category {
            id: number + 1,
            name: title.trim_start_matches("Fictional ").trim_end_matches(" Fund"),
        },
    };
    put_line(out, &fund)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Overlay<'a> {
    kind: &'static str,
    ein: &'a str,
    gc_vetted: bool,
    logo: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    gc_video_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gc_donation_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impact_summary: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cn_score: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cn_rating: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cn_size: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sdgs: Option<&'a [u8]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "alt_name")]
    alt_name: Option<String>,
}

/// Writes the overlay of an organization.
pub(super) fn overlay(
    out: &mut impl Write,
    subject: &Subject,
    random: &mut Random,
) -> io::Result<()> {
    let site = &subject.site;
    let score = random.chance(700).then(|| 100 - random.skewed(101));
    let summary = |random: &mut Random| {
        let first = figure::draw(subject, 2025, 0, random);
        let second = figure::draw(subject, 2025, 1, random);
        format!("{} {}", first.sentence, second.sentence)
    };
    let size = match subject.money {
        0..1_000_000 => "Small",
        1_000_000..10_000_000 => "Medium",
        10_000_000..100_000_000 => "Large",
        _ => "Super-Size",
    };
    let topic = subject.cause.topic;
    let overlay = Overlay {
        kind: "overlay",
        ein: &subject.ein,
        gc_vetted: random.chance(600),
        logo: format!("https://example.org/logos/{}.png", subject.ein),
        gc_video_url: random.chance(250).then(|| format!("{site}/video")),
        gc_donation_url: random.chance(600).then(|| format!("{site}/donate")),
        impact_summary: random.chance(350).then(|| summary(random)),
        cn_score: score,
        cn_rating: score.map(|score| match score {
            90.. => 4,
            75.. => 3,
            60.. => 2,
            50.. => 1,
            _ => 0,
        }),
        cn_size: random.chance(200).then_some(size),
        sdgs: random.chance(250).then_some(&*subject.cause.goals),
        summary: random
            .chance(50)
            .then(|| format!("{} works for {topic} in {}.", subject.short, subject.city)),
        url: random.chance(50).then_some(&**site),
        alt_name: random
            .chance(40)
            .then(|| format!("{} {} Circle", subject.city, subject.cause.key)),
    };
    put_line(out, &overlay)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_what_is_promised() {
        for (kind, expected) in [("article", 60), ("knowledge", 12), ("fund", 24)] {
            assert_eq!(of_kind(kind).count(), expected, "{kind}");
        }
        assert!(of_kind("paragraph").count() >= 6);
        assert!(of_kind("fund").all(|(title, _)| title.starts_with("Fictional ")));
    }
}
