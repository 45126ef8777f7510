//! Questions against small sets of names.

use proptest::prelude::*;

use super::*;
use crate::mapped::{BlockSums, MappedFile, files_in};
use crate::record::{Address, Ein, Organization, Usd};

/// A nonprofit to be found: revenue, legal name, another name, city, state.
type Known = (i64, &'static str, &'static str, &'static str, &'static str);

const KNOWN: [Known; 16] = [
    (3_000_000_000, "AMERICAN NATIONAL RED CROSS", "", "Washington", "DC"),
    (90_000, "BOZEMAN SUNRISE ROTARY CLUB", "", "Bozeman", "MT"),
    (80_000, "ROTARY INTERNATIONAL", "BOZEMAN NOON ROTARY CLUB", "Bozeman", "MT"),
    (70_000, "ROTARY INTERNATIONAL", "HELENA NOON ROTARY CLUB", "Helena", "MT"),
    (400_000, "ST VINCENT DE PAUL SOCIETY", "", "Wichita", "KS"),
    (300_000, "SOCIETY OF ST VINCENT DE PAUL", "", "Topeka", "KS"),
    (50_000, "FIRST BAPTIST CHURCH", "", "Wichita", "KS"),
    (60_000, "FIRST BAPTIST CHURCH", "", "Topeka", "KS"),
    (10_000, "SIERRA SURF SOCCER CLUB", "", "Reno", "NV"),
    (20_000, "BLACK HILLS CAVE AND NATURE CONSERVANCY", "", "Rapid City", "SD"),
    (5_000, "VFW POST 032", "", "Omaha", "NE"),
    (5_000, "VFW POST 33", "", "Omaha", "NE"),
    (0, "POST 51 ASSOCIATION", "", "Las Vegas", "NV"),
    (100_000, "LAS VEGAS SOCCER ASSOCIATION", "", "Las Vegas", "NV"),
    (7_000, "HOUSE OF ZION MINISTRIES", "", "Gretna", "LA"),
    (6_000, "THREE PEAKS FOUNDATION", "", "Topsham", "ME"),
];

fn organization((revenue, name, other, city, state): Known) -> Organization {
    let mut organization = Organization::named(Ein::unpack(1).unwrap(), name);
    organization.legal_name = name.to_owned();
    organization.other_names.extend((!other.is_empty()).then(|| other.to_owned()));
    organization.address =
        Address { city: Some(city.to_owned()), state: state.parse().ok(), ..Address::default() };
    organization.finances.revenue = Some(Usd::new(revenue));
    organization
}

fn built(organizations: &[Organization]) -> (tempfile::TempDir, Names) {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Builder::new();
    for (number, organization) in (0..).zip(organizations) {
        builder.add(Text::of(OrgId::new(number), organization, &[]));
    }
    builder.finish(folder.path()).unwrap();
    let names = opened(folder.path()).unwrap();
    (folder, names)
}

fn opened(folder: &std::path::Path) -> Result<Names, OpenError> {
    Names::open(&mut files_in(folder))
}

fn known() -> (tempfile::TempDir, Names) {
    built(&KNOWN.map(organization))
}

fn check(names: &Names, text: &str, expected: usize) {
    let answer = names.find(&Question::of(text)).unwrap();
    let first = answer.candidates.first().map(|one| KNOWN[one.org.index()]);
    assert_eq!(first, Some(KNOWN[expected]), "{text:?}");
}

#[test]
fn trustees_and_beneficiaries_are_not_called_by_the_name_of_a_trust() {
    let rows = [
        (2_000_000, "KARELITZ CHARITABLE TRUST", "KU ENDOWMENT TTEE", "Lawrence", "KS"),
        (9_000, "KU ENDOWMENT GIFT FUND", "", "Lawrence", "KS"),
        (10_000, "HENRY OGRAM TRUST FBO", "SALVATION ARMY OMAHA", "Omaha", "NE"),
        (7_000, "SALVATION MINISTRIES", "", "Omaha", "NE"),
    ];
    let (_folder, names) = built(&rows.map(organization));
    for (text, expected) in [("ku endowment", 1), ("salvation army omaha", 3), ("henry ogram", 2)] {
        let answer = names.find(&Question::of(text)).unwrap();
        assert_eq!(answer.candidates.first().map(|one| one.org.index()), Some(expected), "{text}");
    }
}

#[test]
fn what_people_remember_finds_whom_they_mean() {
    let (_folder, names) = known();
    for (text, expected) in [
        ("american red cross", 0),
        ("bozeman noon rotary", 2),
        ("rotary international helena noon rotary club", 3),
        ("St. Vincent de Paul Wichita Kansas", 4),
        ("saint vincent de paul topeka", 5),
        ("church first baptist topeka ks", 7),
        ("frist baptist chruch wichita", 6),
        ("VFW 32", 10),
        ("veterans of foreign wars post 33 omaha", 11),
        ("post 51 association las vegas", 12),
        ("lasvegas soccer", 13),
        // A plural misspelt where the index has the singular, and a word that it has as a number.
        ("house of zion ministrise", 14),
        ("fhree peaks foundation", 15),
        // Said twice, once of the name and once of the place.
        ("rotary international rotary club helena noon helena", 3),
    ] {
        check(&names, text, expected);
    }
}

#[test]
fn what_is_still_being_typed_finds_too() {
    let (_folder, names) = known();
    let question = Question { is_begun: true, ..Question::of("helena noon rot") };
    let answer = names.find(&question).unwrap();
    assert_eq!(answer.candidates[0].org, OrgId::new(3));
    assert_eq!(answer.candidates[0].name, Name::Other(0));
}

#[test]
fn those_left_out_do_not_answer() {
    let (_folder, names) = known();
    let question = Question {
        accepts: &|org| org != OrgId::new(7),
        ..Question::of("first baptist church topeka")
    };
    let answer = names.find(&question).unwrap();
    assert!(answer.candidates.iter().all(|one| one.org != OrgId::new(7)));
    let charities = Question { only_active_charities: true, ..Question::of("rotary") };
    assert!(names.find(&charities).unwrap().candidates.is_empty());
}

/// Every word of the last and lightest is in thousands of names, and so is its city.
#[test]
fn names_of_frequent_words_alone_are_found() {
    let others = ["ALPHA", "BETA", "GAMMA"].into_iter().flat_map(|word| {
        let other = move |number: i64| (1_000 + number, word, "", "Topeka", "KS");
        (0_i64..12_000).map(other)
    });
    let all: Vec<Organization> =
        others.chain([(0, "ALPHA BETA GAMMA", "", "Topeka", "KS")]).map(organization).collect();
    let (_folder, names) = built(&all);
    for text in ["alpha beta gamma topeka", "alpah beta gamma topeka", "beta gamma topeka"] {
        let answer = names.find(&Question::of(text)).unwrap();
        let first = answer.candidates.first().map(|one| one.org.index());
        assert_eq!(first, Some(all.len() - 1), "{text:?}");
    }
}

#[test]
fn equal_names_are_found_whatever_the_order_heaviest_first() {
    let (_folder, names) = known();
    let equal = |text: &str| names.organizations_named(&names.weigh(text).unwrap(), 9).unwrap();
    assert_eq!(equal("The Church, First Baptist Inc."), [OrgId::new(7), OrgId::new(6)]);
    assert_eq!(equal("vfw post 32"), [OrgId::new(10)]);
    assert!(equal("").is_empty());
}

#[test]
fn any_text_is_answered() {
    let (_folder, names) = known();
    let sixty = "of the church and first club for post in las vegas ".repeat(6);
    for text in ["", " ", "&", "a", "of", "\u{202e}סרי", "🙂", "ks", &"a".repeat(256), &sixty]
    {
        let answer = names.find(&Question::of(text)).unwrap();
        let all: f64 = answer.candidates.iter().map(|one| one.probability).sum::<f64>();
        assert!((all + answer.nobody - 1.0).abs() < 1e-6, "{text:?}");
    }
}

/// Whatever is typed: an answer whose probabilities are one together.
#[test]
fn texts_by_chance_are_answered() {
    let (_folder, names) = known();
    let texts = ("\\PC{0,80}", any::<bool>());
    proptest!(ProptestConfig::with_cases(200), |((text, is_begun) in texts)| {
        let answer = names.find(&Question { is_begun, ..Question::of(&text) }).unwrap();
        let all: f64 = answer.candidates.iter().map(|one| one.probability).sum::<f64>();
        prop_assert!((all + answer.nobody - 1.0).abs() < 1e-6);
    });
}

#[test]
fn damage_is_an_error_and_never_a_panic() {
    let (folder, names) = known();
    let question = Question::of("bozemn noon rotary club");
    let whole = names.find(&question).unwrap();
    let path = folder.path().join(FILE);
    let bytes = std::fs::read(&path).unwrap();
    let sums = BlockSums::of(&bytes[..], |_| {}).unwrap();
    for position in (0..bytes.len()).step_by(bytes.len().div_ceil(1_000)) {
        let mut flipped = bytes.clone();
        flipped[position] ^= 1 << (position % 8);
        std::fs::write(&path, &flipped).unwrap();
        let opened = Names::open(&mut |name| MappedFile::open(&path, name, sums.clone()));
        if let Ok(Ok(answer)) = opened.as_ref().map(|names| names.find(&question)) {
            assert_eq!(answer, whole, "at {position}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Candidates against scoring everybody: the best by the terms that they share.
    #[test]
    fn gathers_what_scoring_everybody_gathers(
        all in prop::collection::vec(
            (0_i64..1000, prop::collection::vec("[abcd]{2}", 1..5)), 1..120),
        asked in prop::collection::vec("[abcd]{2}", 1..4),
    ) {
        let organizations: Vec<Organization> = all
            .iter()
            .map(|(revenue, words)| {
                let mut one = Organization::named(Ein::unpack(1).unwrap(), &words.join(" "));
                one.finances.revenue = Some(Usd::new(*revenue));
                one
            })
            .collect();
        let (_folder, names) = built(&organizations);
        let answer = names.find(&Question::of(&asked.join(" "))).unwrap();
        let is_whole = |words: &[String]| asked.iter().all(|word| words.contains(word));
        let whole = all.iter().filter(|(_, words)| is_whole(words)).count();
        let found = answer.candidates.iter().filter(|one| is_whole(&all[one.org.index()].1)).count();
        prop_assert_eq!(found, whole.min(found.max(COMPARED_MAX.min(whole))));
    }
}
