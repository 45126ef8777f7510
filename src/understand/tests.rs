//! Tables of queries and what they are understood as by the trained reader.

mod following;
mod spelling;
mod tagging;

use super::*;
use crate::mapped::Damage;
use crate::naming::normalise;
use crate::reader::{Intent, Message, Reader};
use crate::record::Ein;

/// Names of a few nonprofits, none of them in the state of Washington and most in Bismarck, ND, and no words.
struct Known;

const KNOWN: [(&str, &str); 5] = [
    ("Kansas City Ballet", "440000001"),
    ("Capital Area Food Bank", "521167581"),
    ("Save the Children", "060726487"),
    ("JDRF", "231907729"),
    ("Heifer International", "351019477"),
];

impl Names for Known {
    fn named(&self, text: &str) -> Result<NameMatches, Damage> {
        let form = normalise(text);
        let Some((name, ein)) = KNOWN.iter().find(|known| normalise(known.0) == form) else {
            return Ok(NameMatches::default());
        };
        let (ein, name) = (ein.parse().unwrap(), (*name).to_owned());
        let only = NameMatch::by_its_name(ein, name);
        Ok(NameMatches { candidates: vec![only], nobody: 0.01, equal: 1 })
    }

    fn count(&self, frame: &Frame) -> Result<u64, Damage> {
        let is = |name: &str| frame.places.iter().any(|place| place.name == name);
        Ok(match () {
            () if is("Washington") => 0,
            () if is("Bismarck, ND") => 20,
            () => 1,
        })
    }

    fn satisfies(&self, frame: &Frame, _: Ein) -> Result<bool, Damage> {
        Ok(self.count(frame)? > 0)
    }

    fn with_words(&self, _: &Frame, _: &[Vec<String>]) -> Result<Vec<Ein>, Damage> {
        Ok(Vec::new())
    }

    fn is_word(&self, word: &str) -> Result<bool, Damage> {
        let misspelt =
            ["anmial", "lousiana", "abve", "musems", "muesum", "dinosours", "volunter", "lookin"];
        Ok(!misspelt.contains(&word))
    }

    fn frequency(&self, _word: &str) -> Result<u64, Damage> {
        Ok(0)
    }
}

/// A query as the trained reader reads it.
fn heard(query: &str) -> Understanding {
    let message = Reader::shared().unwrap().read(query, &[]).unwrap();
    of(query, &message)
}

fn of(query: &str, message: &Message) -> Understanding {
    let decoded = decode(query, message, None, &Known).unwrap();
    or_name(query, &Known, decoded.heard).unwrap()
}

/// What is understood, and behind `|` what is not.
fn said(heard: &Understanding) -> String {
    let unread = heard.unread.iter().map(|words| format!(" | {words}")).collect::<String>();
    described(&heard.frame).join("; ") + &unread
}

#[track_caller]
fn check_as(read: impl Fn(&str) -> Understanding, table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .map(|(query, expected)| (query, expected, said(&read(query))))
        .filter(|(_, expected, found)| *expected != found)
        .map(|(query, expected, found)| {
            format!("{query}\n  expected {expected}\n  found    {found}")
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[track_caller]
fn check(table: &[(&str, &str)]) {
    check_as(heard, table);
}

#[test]
fn places() {
    check(&[
        ("food pantries in Ohio", "in Ohio; ranked by how well they fit “food pantries”"),
        (
            "reading tutors for kids in Mobile",
            "in Mobile, AL; ranked by how well they fit “reading tutors for kids”",
        ),
        ("Washington DC legal aid", "in Washington, DC; ranked by how well they fit “legal aid”"),
        (
            "Nonprofits in Washington state that protect salmon",
            "in Washington; ranked by how well they fit “protect salmon”",
        ),
        // Of cities of one name that is meant in which the data has far more.
        ("quilters bismark", "in Bismarck, ND; ranked by how well they fit “quilters”"),
        // Where the data has nobody in the state, the city is meant.
        ("food banks washington", "in Washington, DC; ranked by how well they fit “food banks”"),
        (
            "charter schools in Kansas City, MO",
            "in Kansas City, MO; ranked by how well they fit “charter schools”",
        ),
        ("Kansas City shelters", "in Kansas City; ranked by how well they fit “shelters”"),
        ("hospice in west virginia", "in West Virginia; ranked by how well they fit “hospice”"),
        (
            "veterans in Orange County, California",
            "in Orange County, CA; ranked by how well they fit “veterans”",
        ),
        (
            "near 97214, community gardens",
            "in the 10 miles around 97214; ranked by how well they fit “community gardens”",
        ),
        (
            "within 10 miles of Boise: hiking",
            "in the 10 miles around Boise, ID; ranked by how well they fit “hiking”",
        ),
        (
            "food banks in Ohio or Indiana",
            "in Ohio or Indiana; ranked by how well they fit “food banks”",
        ),
        (
            "museums in Cleveland, Columbus and Dayton, OH",
            "in Cleveland, OH or Columbus, OH or Dayton, OH; ranked by how well they fit “museums”",
        ),
        ("food banks outside of Texas", "not in Texas; ranked by how well they fit “food banks”"),
        (
            "hi can you help me find pet adoption near anchorage",
            "in the 25 miles around Anchorage, AK; ranked by how well they fit “pet adoption”",
        ),
        ("aurora research in Alaska", "in Alaska; ranked by how well they fit “aurora research”"),
        ("food pantries near me", "ranked by how well they fit “food pantries” | near me"),
        ("aid to Mexico", "ranked by how well they fit “aid to mexico”"),
        ("Ohio River cleanup", "ranked by how well they fit “ohio river cleanup”"),
        ("shelters in lousiana", "in Louisiana; ranked by how well they fit “shelters”"),
        (
            "iglesias cerca de Wichita",
            "in the 25 miles around Wichita, KS; churches only; ranked by how well they fit “iglesias”",
        ),
        ("MS research", "ranked by how well they fit “ms research”"),
        ("charities in Kansas but not Wichita", "in Kansas; not in Wichita, KS"),
        ("charities in Louisiana except New Orleans", "in Louisiana; not in New Orleans, LA"),
    ]);
}

#[test]
fn money_and_counts() {
    check(&[
        ("revenue above $1.5M", "with revenue at least $1,500,000"),
        (
            "museums under 500k in annual revenue",
            "with revenue at most $500,000; ranked by how well they fit “museums”",
        ),
        ("between 2 and 4 million in revenue", "with revenue $2,000,000 to $4,000,000"),
        (
            "after school programs, budget 50-100k",
            "with revenue $50,000 to $100,000; ranked by how well they fit “after school programs”",
        ),
        ("take in less than half a million dollars a year", "with revenue at most $500,000"),
        (
            "food banks in Kentucky, anything under $1 million",
            "in Kentucky; with revenue at most $1,000,000; ranked by how well they fit “food banks”",
        ),
        (
            "assets over $10 million community foundations",
            "with assets at least $10,000,000; ranked by how well they fit “community foundations”",
        ),
        (
            "revenue over $1M, assets over $5M",
            "with revenue at least $1,000,000; with assets at least $5,000,000",
        ),
        ("spending more than 2 million on expenses", "with expenses at least $2,000,000"),
        (
            "museums with more than 100 employees",
            "with employees at least 100; ranked by how well they fit “museums”",
        ),
        ("over $1M but under $5M", "with revenue $1,000,000 to $5,000,000"),
        ("no more than $750K revenue", "with revenue at most $750,000"),
        (
            "museos con ingresos de más de 2 millones de dólares",
            "with revenue at least $2,000,000; ranked by how well they fit “museos”",
        ),
        ("score between 70 and 85", "with score 70 to 85"),
        ("3 stars or better", "with rating at least 3"),
        ("over $1M and under $5M", "with revenue $1,000,000 to $5,000,000"),
        (
            "revenue under $1 million and over 10 employees",
            "with revenue at most $1,000,000; with employees at least 10",
        ),
        (
            "assets over $5 million and less than $1 million revenue",
            "with revenue at most $1,000,000; with assets at least $5,000,000",
        ),
        ("revenue over $50 mil", "with revenue at least $50,000,000"),
        ("5 star charities", "with rating at least 4"),
    ]);
}

#[test]
fn numbers_that_are_no_filter() {
    for query in [
        "mentoring programs serving 5000 kids",
        "tutoring for grades 6-12",
        "9-11 memorial",
        "4-H clubs",
        "100 Black Men",
        "organize a 5k run",
        "type 1 diabetes research",
        "K-12 education",
        "I have $500 to give",
        "$10,000 scholarships",
        "type 2 diabetes",
        "24/7 hotlines",
        "top 10 museums of art",
    ] {
        let frame = heard(query).frame;
        assert!(frame.ranges.bounded().next().is_none(), "{query}: {frame:?}");
        assert!(frame.places.is_empty(), "{query}: {frame:?}");
    }
}

#[test]
fn codes_and_goals() {
    check(&[
        ("NTEE K31", "with NTEE K31"),
        ("ntee codes A20 and b25", "with NTEE A20 or B25"),
        ("NTEE major group A in Vermont", "in Vermont; with NTEE A"),
        ("classified as C30 under NTEE, in Alaska", "in Alaska; with NTEE C30"),
        ("SDGs 1 and 2", "working for SDG 1 (No Poverty) or SDG 2 (Zero Hunger)"),
        (
            "sdgs 1-3",
            "working for SDG 1 (No Poverty) or SDG 2 (Zero Hunger) or SDG 3 (Good Health and Well-Being)",
        ),
        (
            "sdg16, legal aid",
            "working for SDG 16 (Peace, Justice and Strong Institutions); ranked by how well they fit “legal aid”",
        ),
        ("zero hunger SDG groups", "working for SDG 2 (Zero Hunger)"),
        ("SDG 21", " | SDG 21"),
        ("501(c)(3) food banks", "under 501(c)(3); ranked by how well they fit “food banks”"),
        ("501c4 or c6 groups", "under 501(c)(4) or 501(c)(6)"),
        ("EIN 53-0196605", "with EIN 530196605"),
        ("521693387", "with EIN 521693387"),
    ]);
}

#[test]
fn standing_sizes_and_orders() {
    check(&[
        (
            "private foundations that give to the arts",
            "private foundations only; ranked by how well they fit “arts”",
        ),
        (
            "hospitals, no private foundations",
            "no private foundations; ranked by how well they fit “hospitals”",
        ),
        ("public charities in Ohio", "in Ohio; no private foundations"),
        (
            "tax-deductible wildlife charities",
            "contributions deductible; ranked by how well they fit “wildlife”",
        ),
        ("lost their exemption / revoked in North Dakota", "in North Dakota; exemption revoked"),
        ("medium-sized youth orgs", "of size Medium; ranked by how well they fit “youth”"),
        (
            "small to medium-sized museums",
            "of size Small or Medium; ranked by how well they fit “museums”",
        ),
        (
            "small business development centers",
            "ranked by how well they fit “small business development centers”",
        ),
        ("little leagues", "ranked by how well they fit “little leagues”"),
        (
            "largest universities by assets",
            "ranked by how well they fit “universities”; sorted by assets, the greatest first",
        ),
        (
            "newest churches",
            "churches only; ranked by how well they fit “churches”; sorted by the IRS's ruling date, the latest first",
        ),
        ("founded in 1999 in Delaware", "in Delaware; with IRS ruling year 1999"),
        (
            "churches founded between 1990 and 2000",
            "with IRS ruling year 1990 to 2000; churches only; ranked by how well they fit “churches”",
        ),
    ]);
}

#[test]
fn what_is_left_out() {
    check(&[
        (
            "environmental groups, not hospitals or schools, in NH",
            "in New Hampshire; without NTEE E2 or B2; ranked by how well they fit “environmental”",
        ),
        (
            "no religious groups, just recovery programs",
            "without NTEE X; ranked by how well they fit “recovery programs”",
        ),
        ("active 501(c)(3) charities", "under 501(c)(3); exemption not revoked"),
        ("not for profit theaters", "ranked by how well they fit “theaters”"),
    ]);
}

#[test]
fn a_kind_of_nonprofit_alone_is_nobody_unheard_of() {
    for query in ["food bank", "hospital", "soup kitchen", "animal shelter"] {
        let heard = heard(query);
        assert_eq!(heard.frame.organization, None, "{query}");
        assert!(heard.frame.cause_is_term, "{query}");
    }
    let named = heard("who is Sierra Club").frame.organization;
    assert!(named.is_some_and(|named| named.is_unheard_of()));
}

#[test]
fn a_misspelt_place_is_all_that_follows() {
    let end = |text: &str| {
        let found = place::misspelt_at_end(text, &Known).unwrap();
        found.map(|(at, places)| (at, place::named(&places)))
    };
    assert_eq!(end("shelters in lousiana"), Some((12, "Louisiana".to_owned())));
    assert_eq!(end("lousiana river cleanup"), None);
}

#[test]
fn words_that_the_reader_passes_over_rank_beside_a_place() {
    use crate::reader::{Operation, Role, Span};
    let query = "buddy out of the pen needs a gig, pocatello";
    let mut message = Reader::shared().unwrap().read(query, &[]).unwrap();
    message.intent.label = Intent::Find;
    message.spans.retain(|span| span.role == Role::Place);
    assert!(message.spans.iter().all(|span: &Span| span.operation == Operation::Set));
    let cause = of(query, &message).frame.cause;
    assert_eq!(cause.as_deref(), Some("buddy out pen needs gig"));
}

#[test]
fn a_name_that_nobody_has_is_part_of_a_cause_beside_it() {
    use crate::reader::{Operation, Role, Span};
    let query = "zubrowka boys school that sends dreamcatchers";
    let mut message = Reader::shared().unwrap().read(query, &[]).unwrap();
    message.intent.label = Intent::Find;
    let like = message.spans.first().cloned().unwrap();
    let span = |role, words: &str| {
        let start = query.find(words).unwrap();
        let bytes = start..start + words.len();
        Span { role, bytes, operation: Operation::Set, probability: 0.9, ..like.clone() }
    };
    message.spans =
        vec![span(Role::Name, "zubrowka boys school"), span(Role::Cause, "sends dreamcatchers")];
    let frame = of(query, &message).frame;
    assert_eq!(frame.organization, None);
    assert_eq!(frame.cause.as_deref(), Some("zubrowka boys school sends dreamcatchers"));
}

#[test]
fn names_of_nonprofits() {
    check(&[
        ("groups like the Kansas City Ballet", "like “Kansas City Ballet”"),
        ("similar to JDRF in Texas", "in Texas; like “JDRF”"),
        ("who is Save the Children", "“Save the Children” first"),
        ("Kansas City Ballet", "“Kansas City Ballet” first"),
        ("find nonprofits about climate change", "ranked by how well they fit “climate change”"),
        ("nonprofits with revenue of 1 million", "with revenue $750,000 to $1,250,000"),
    ]);
    let similar = heard("similar to Heifer International").frame;
    assert_eq!(similar.filters().not_eins, ["351019477".parse().unwrap()]);
    let itself = heard("tell me about Save the Children").frame;
    assert!(itself.filters().not_eins.is_empty());
}

#[test]
fn what_means_nothing() {
    for query in ["", "nonprofits", "???", " , . ", "show me all charities please"] {
        assert!(heard(query).frame.is_empty(), "{query}: {:?}", heard(query));
    }
}

#[test]
fn spanish_causes_are_compared_in_english() {
    let frame = heard("bancos de alimentos en Oklahoma").frame;
    assert_eq!(frame.cause.as_deref(), Some("bancos de alimentos"));
    assert!(frame.text.as_deref().unwrap().contains("food"), "{:?}", frame.text);
    assert_eq!(frame.state().map(|state| state.code()), Some("OK"));
}

#[test]
fn a_kind_that_the_reader_cuts_is_whole() {
    for text in [
        "Busco organizaciones en Ponce, Puerto Rico que ayuden a personas mayores",
        "grupos que apoyen a personas mayores en Ponce, Puerto Rico",
    ] {
        let frame = heard(text).frame;
        assert_eq!(frame.cause.as_deref(), Some("personas mayores"), "{text}");
        assert!(frame.sort.is_empty(), "{text}");
    }
}

/// Follows a dialogue as the trained reader reads it; what is asked for after each line.
fn dialogue(lines: &[&str]) -> Vec<String> {
    let mut conversation = Conversation::default();
    lines
        .iter()
        .map(|line| {
            let message = Reader::shared().unwrap().read(line, &conversation.known()).unwrap();
            let next = match message.intent.label {
                Intent::Reset => Frame::default(),
                _ => decode(line, &message, Some(&conversation.frame), &Known).unwrap().kept,
            };
            conversation.ask(next);
            conversation.show_nonprofits(["970000001".parse().unwrap()], 1);
            described(&conversation.frame).join("; ")
        })
        .collect()
}

#[test]
fn sessions_refine_replace_clear_and_begin_anew() {
    let fit = "ranked by how well they fit";
    for (lines, expected) in [
        (
            &["food banks in Ohio", "only ones over $1M", "what about Texas instead", "start over"]
                [..],
            vec![
                format!("in Ohio; {fit} “food banks”"),
                format!("in Ohio; with revenue at least $1,000,000; {fit} “food banks”"),
                format!("in Texas; with revenue at least $1,000,000; {fit} “food banks”"),
                String::new(),
            ],
        ),
        (
            &["education groups in Vermont between 1 and 5 million", "make it under a million"],
            vec![
                format!("in Vermont; with revenue $1,000,000 to $5,000,000; {fit} “education”"),
                format!("in Vermont; with revenue at most $1,000,000; {fit} “education”"),
            ],
        ),
        (
            &["museums in Hartford CT", "any in New Haven?", "animal shelters in Boise"],
            vec![
                format!("in Hartford, CT; {fit} “museums”"),
                format!("in New Haven, CT; {fit} “museums”"),
                format!("in Boise, ID; {fit} “animal shelters”"),
            ],
        ),
        (
            &["small museums in Iowa", "also in Ohio", "any size", "nationwide", "only art"],
            vec![
                format!("in Iowa; of size Small; {fit} “museums”"),
                format!("in Iowa or Ohio; of size Small; {fit} “museums”"),
                format!("in Iowa or Ohio; {fit} “museums”"),
                format!("{fit} “museums”"),
                format!("{fit} “museums art”"),
            ],
        ),
        (
            &["museums in Iowa", "exclude Ohio", "in Utah too"],
            vec![
                format!("in Iowa; {fit} “museums”"),
                format!("in Iowa; not in Ohio; {fit} “museums”"),
                format!("in Iowa or Utah; not in Ohio; {fit} “museums”"),
            ],
        ),
        (
            &["nonprofits over $1M in Utah", "and under $5M", "never mind the revenue"],
            vec![
                "in Utah; with revenue at least $1,000,000".to_owned(),
                "in Utah; with revenue $1,000,000 to $5,000,000".to_owned(),
                "in Utah".to_owned(),
            ],
        ),
    ] {
        assert_eq!(dialogue(lines), expected);
        // The next page of an answer is asked for with the same words.
        let twice: Vec<&str> = lines.iter().flat_map(|line| [*line, *line]).collect();
        let answers = dialogue(&twice);
        assert!(answers.chunks(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
    }
}
