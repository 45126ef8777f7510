//! Queries that are labelled without the model, and properties of any query.

use proptest::prelude::*;

use super::*;

/// A query as it is read without the model.
fn tagged(query: &str) -> Understanding {
    of(query, &tag(query))
}

#[test]
fn what_recognisers_and_lists_of_phrases_tell() {
    let fit = |cause: &str| format!("ranked by how well they fit “{cause}”");
    for (query, expected) in [
        ("food pantries in Ohio", format!("in Ohio; {}", fit("food pantries"))),
        ("youth theater boise id", format!("in Boise, ID; {}", fit("youth theater"))),
        (
            "museums within 10 miles of Boise",
            format!("in the 10 miles around Boise, ID; {}", fit("museums")),
        ),
        ("food banks outside of Texas", format!("not in Texas; {}", fit("food banks"))),
        ("food banks not in Texas", format!("not in Texas; {}", fit("food banks"))),
        ("Ohio River cleanup", fit("ohio river cleanup")),
        (
            "museums under 500k in revenue",
            format!("with revenue at most $500,000; {}", fit("museums")),
        ),
        ("over $1M but under $5M", "with revenue $1,000,000 to $5,000,000".to_owned()),
        (
            "museums with more than 100 employees",
            format!("with employees at least 100; {}", fit("museums")),
        ),
        ("3 stars or better", "with rating at least 3".to_owned()),
        ("over 2 million meals", fit("over 2 million meals")),
        ("tutoring for 5000 kids", fit("tutoring for 5000 kids")),
        ("NTEE K31 in Vermont", "in Vermont; with NTEE K31".to_owned()),
        ("501(c)(3) food banks", format!("under 501(c)(3); {}", fit("food banks"))),
        ("EIN 53-0196605", "with EIN 530196605".to_owned()),
        ("zero hunger SDG groups", "working for SDG 2 (Zero Hunger)".to_owned()),
        (
            "hospitals, no private foundations",
            format!("no private foundations; {}", fit("hospitals")),
        ),
        ("medium-sized museums", format!("of size Medium; {}", fit("museums"))),
        ("small business loans", fit("small business loans")),
        (
            "newest churches",
            format!(
                "churches only; {}; sorted by the IRS's ruling date, the latest first",
                fit("churches")
            ),
        ),
        ("museums, not hospitals or schools", format!("without NTEE E2 or B2; {}", fit("museums"))),
        ("similar to JDRF in Texas", "in Texas; like “JDRF”".to_owned()),
        ("tell me about Save the Children", "“Save the Children” first".to_owned()),
        ("Kansas City Ballet", "“Kansas City Ballet” first".to_owned()),
        ("organizations like food banks", fit("food banks")),
        ("museums near me", format!("{} | near me", fit("museums"))),
        ("show me all charities please", String::new()),
    ] {
        assert_eq!(said(&tagged(query)), expected, "{query}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_text_is_understood_somehow(query in "\\PC{0,256}") {
        let heard = tagged(&query);
        for part in &heard.parts {
            prop_assert!(query.get(part.span.clone()).is_some(), "{part:?}");
            prop_assert!((0.0..=1.0).contains(&part.confidence));
        }
        let next = decode(&query, &tag(&query), Some(&heard.frame), &Known).unwrap();
        prop_assert!(next.kept.places.len() <= 64);
    }

    #[test]
    fn words_of_queries_in_any_order_are_understood_somehow(
        words in prop::collection::vec(prop::sample::select(PIECES), 0..24),
    ) {
        let query = words.join(" ");
        let frame = tagged(&query).frame;
        let next = decode(&query, &tag(&query), Some(&frame), &Known).unwrap().kept;
        for (_, range) in frame.ranges.iter().chain(next.ranges.iter()) {
            let ordered = range.min.zip(range.max).is_none_or(|(min, max)| min <= max);
            prop_assert!(ordered, "{query}: {range:?}");
        }
        prop_assert!(next.places.len() <= 64);
    }
}

/// What queries are made of.
const PIECES: &[&str] = &[
    "food banks",
    "in",
    "Ohio",
    "or",
    "not",
    "near",
    "$5M",
    "under",
    "between",
    "and",
    "10",
    "-",
    "miles",
    "of",
    "Boise",
    ",",
    "ID",
    "SDG",
    "4",
    "NTEE",
    "K31",
    "501(c)(3)",
    "stars",
    "score",
    "similar to",
    "JDRF",
    "largest",
    "small",
    "revenue",
    "employees",
    "97214",
    "EIN",
    "53-0196605",
    "no",
    "the",
    "500k",
    "half a",
    "million",
    "county",
    "Orange",
    "Washington",
    "DC",
    "founded in",
    "1999",
    "instead",
    "only",
];
