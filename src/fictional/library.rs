//! Articles, knowledge, funds and overlays, as lines of curated data. Publishers and sponsors are
//! plainly fictional; addresses are below domains reserved for examples.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::figure;
use super::random::Random;
use super::subject::Subject;
use crate::naming::display_place;
use crate::table::table;

const SITE: &str = "https://library.example.org";

/// Kind, title and text of each row.
static TABLE: LazyLock<Vec<[&'static str; 3]>> =
    LazyLock::new(|| table!("data/fictional_articles.tsv").rows().collect());

fn of_kind(kind: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE.iter().filter(move |row| row[0] == kind).map(|row| (row[1], row[2]))
}

const PUBLISHERS: [&str; 4] = [
    "Fictional Giving Review",
    "Fictional Journal of Good Works",
    "Fictional Almanac",
    "Fictional Nonprofit Notes",
];

/// Identifier of the first article; those that follow count up.
const ARTICLE_ID: u64 = 1001;

/// Every article.
pub(super) fn articles(seed: u64) -> impl Iterator<Item = Value> {
    let paragraphs: Vec<_> = of_kind("paragraph").map(|(_, text)| text).collect();
    (0..).zip(of_kind("article")).map(move |(number, (title, excerpt))| {
        let mut random = Random::new(seed, number);
        let mut text = excerpt.to_owned();
        let first = random.below(paragraphs.len() as u64) as usize;
        for turn in 0..3 + random.below(3) as usize {
            text.push_str("\n\n");
            text.push_str(paragraphs[(first + turn) % paragraphs.len()]);
        }
        let original = random.chance(500);
        let id = ARTICLE_ID + number;
        let year = 2022 + random.below(5);
        json!({
            "kind": "article",
            "id": id,
            "title": title,
            "excerpt": excerpt,
            "url": format!("{SITE}/articles/{id}"),
            "publisher": if original { PUBLISHERS[0] } else { random.pick(&PUBLISHERS) },
            "is_gc_original": original,
            "date_added": random.day(year),
            "date_modified": random.chance(400).then(|| random.day(year + 1)),
            "evergreen": random.chance(600),
            "text": text,
        })
    })
}

/// Every entry of the knowledge base.
pub(super) fn knowledge(seed: u64) -> impl Iterator<Item = Value> {
    (0..).zip(of_kind("knowledge")).map(move |(number, (title, content))| {
        let article_id = format!("fictional-knowledge-{:02}", number + 1);
        json!({
            "kind": "knowledge",
            "article_id": article_id,
            "title": title,
            "url": format!("{SITE}/help/{article_id}"),
            "content": content,
            "date_added": Random::new(seed, number).day(2025),
        })
    })
}

/// How many funds there are.
pub(super) fn funds() -> u64 {
    of_kind("fund").count() as u64
}

/// Identifier of the first fund; those that follow count up.
const FUND_ID: u64 = 501;

/// The fund of that number, which is below [`funds`], held by the organization if there is one.
pub(super) fn fund(number: u64, holder: Option<&Subject<'_>>, random: &mut Random) -> Value {
    let (title, purpose) = of_kind("fund").nth(number as usize).expect("a row of the table");
    let id = FUND_ID + number;
    let kinds = ["Donor-advised fund", "Pooled fund", "Impact fund", "Field-of-interest fund"];
    let least = ["$25", "$100", "$500", "$1,000", "$5,000", "None"];
    json!({
        "kind": "fund",
        "id": id,
        "title": title,
        "content": format!(
            "{title} gathers gifts of any size. {purpose} Grants are made twice a year, and the \
             sponsor, like the fund, is fictional."
        ),
        "purpose": purpose,
        "sponsor": "Fictional Fund Sponsor",
        "about_sponsor": "Fictional Fund Sponsor holds fictional funds and exists in no register.",
        "fund_url": format!("https://funds.example.com/{id}"),
        "fund_sponsor_url": "https://funds.example.com",
        "fund_minimum_investment": random.pick(&least),
        "gc_medium_image": format!("https://images.example.com/funds/{id}.png"),
        "website": "https://funds.example.com",
        "logo": "https://images.example.com/funds/sponsor.png",
        "ein": holder.map(|subject| &subject.ein),
        "type": random.pick(&kinds),
        "address": holder.map(|subject| json!({
            "street": display_place(&subject.row.street),
            "city": subject.city,
            "state": subject.row.state,
            "zip": subject.row.zip,
        })),
        "category": {
            "id": number + 1,
            "name": title.trim_start_matches("Fictional ").trim_end_matches(" Fund"),
        },
    })
}

/// The overlay of an organization.
pub(super) fn overlay(subject: &Subject<'_>, random: &mut Random) -> Value {
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
    json!({
        "kind": "overlay",
        "ein": subject.ein,
        "gcVetted": random.chance(600),
        "logo": format!("https://example.org/logos/{}.png", subject.ein),
        "gcVideoUrl": random.chance(250).then(|| format!("{site}/video")),
        "gcDonationUrl": random.chance(600).then(|| format!("{site}/donate")),
        "impactSummary": random.chance(350).then(|| summary(random)),
        "cnScore": score,
        "cnRating": score.map(|score| match score {
            90.. => 4,
            75.. => 3,
            60.. => 2,
            50.. => 1,
            _ => 0,
        }),
        "cnSize": random.chance(200).then_some(size),
        "sdgs": random.chance(250).then_some(&subject.cause.goals),
        "summary": random
            .chance(50)
            .then(|| format!("{} works for {topic} in {}.", subject.short, subject.city)),
        "url": random.chance(50).then_some(site),
        "alt_name": random
            .chance(40)
            .then(|| format!("{} {} Circle", subject.city, subject.cause.key)),
    })
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
