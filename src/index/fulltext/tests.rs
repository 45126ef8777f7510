//! The index against the naive answer, and against what may happen to its files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proptest::prelude::*;
use tantivy::fieldnorm::FieldNormReader;

use super::*;
use crate::mapped::{BlockSums, MapError};

/// The words of an organization, owned.
#[derive(Debug, Clone, Default)]
struct Org {
    names: Vec<String>,
    mission: Option<String>,
}

fn org(names: &[&str], mission: Option<&str>) -> Org {
    let names = names.iter().map(|&name| name.to_owned()).collect();
    Org { names, mission: mission.map(str::to_owned) }
}

fn write(orgs: &[Org]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Builder::create(folder.path()).unwrap();
    for org in orgs {
        let names: Vec<&str> = org.names.iter().map(String::as_str).collect();
        builder.add(&Text { names: &names, mission: org.mission.as_deref() }).unwrap();
    }
    builder.finish().unwrap();
    folder
}

type Sums = BTreeMap<&'static str, BlockSums>;

fn sums(folder: &Path) -> Sums {
    let sum = |name| BlockSums::of(&std::fs::read(folder.join(name)).unwrap()[..], |_| {});
    files().into_iter().map(|name| (name, sum(name).unwrap())).collect()
}

fn opened(folder: &Path, sums: &Sums) -> Result<Fulltext, OpenError> {
    Fulltext::open(&mut |name| MappedFile::open(&folder.join(name), name, sums[name].clone()))
}

fn built(orgs: &[Org]) -> (tempfile::TempDir, Fulltext) {
    let folder = write(orgs);
    let index = opened(folder.path(), &sums(folder.path())).unwrap();
    (folder, index)
}

/// Every organization from one on.
fn run(index: &Fulltext, from: usize) -> Bitmap {
    let count = index.count();
    Bitmap::of_runs(count, std::slice::from_ref(&(from..count as usize)))
}

fn orgs_of(hits: &[Hit]) -> Vec<u32> {
    hits.iter().map(|hit| hit.row.0).collect()
}

/// The words of each organization in one of the fields.
struct Column(Vec<Vec<String>>);

impl Column {
    fn of(orgs: &[Org], text: impl Fn(&Org) -> String) -> Self {
        let words = |text: String| text.split_whitespace().map(str::to_owned).collect();
        Self(orgs.iter().map(|org| words(text(org))).collect())
    }

    /// What a word adds to each organization that has it: BM25 with k1 = 1.2 and b = 0.75, the
    /// length as tantivy rounds it.
    fn scores(&self, word: &str, weight: f32) -> Vec<Option<f32>> {
        let count = |words: &Vec<String>| words.iter().filter(|&other| other == word).count();
        let frequencies: Vec<usize> = self.0.iter().map(count).collect();
        let (all, with) = (self.0.len(), frequencies.iter().filter(|&&count| count > 0).count());
        let average = self.0.iter().map(Vec::len).sum::<usize>() as f32 / all as f32;
        let idf = (1.0 + ((all - with) as f32 + 0.5) / (with as f32 + 0.5)).ln();
        let score = |(words, &frequency): (&Vec<String>, &usize)| {
            let rounded = FieldNormReader::fieldnorm_to_id(words.len() as u32);
            let length = FieldNormReader::id_to_fieldnorm(rounded) as f32;
            let norm = 1.2 * (1.0 - 0.75 + 0.75 * length / average);
            let frequency = frequency as f32;
            (frequency > 0.0).then(|| idf * (1.0 + 1.2) * weight * (frequency / (frequency + norm)))
        };
        self.0.iter().zip(&frequencies).map(score).collect()
    }
}

/// Every organization with any of the words, best first, equally good ones, up to twelve bits of
/// their scores, by row.
fn naive(orgs: &[Org], query: &str) -> Vec<Hit> {
    let names = Column::of(orgs, |org| {
        let mut seen = BTreeSet::new();
        let names = org.names.iter().map(|name| naming::normalise(name));
        names.filter(|name| seen.insert(name.clone())).collect::<Vec<_>>().join(" ")
    });
    let mission =
        Column::of(orgs, |org| org.mission.as_deref().map(naming::normalise).unwrap_or_default());
    let mut scores = vec![None; orgs.len()];
    for word in words(query) {
        for (field, weight) in [(&names, NAMES_WEIGHT), (&mission, 1.0)] {
            for (sum, more) in scores.iter_mut().zip(field.scores(&word, weight)) {
                if let Some(more) = more {
                    *sum = Some(sum.unwrap_or(0.0) + more);
                }
            }
        }
    }
    let hits = scores.into_iter().enumerate();
    let mut hits: Vec<Hit> = hits
        .filter_map(|(org, score)| Some(Hit { row: RowId::new(org as u32), score: score? }))
        .collect();
    for hit in &mut hits {
        hit.score = f32::from_bits(hit.score.to_bits() & !0x7FF);
    }
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.row.cmp(&b.row)));
    hits
}

/// A text of few words, the first ones often, so that many organizations share them and some are
/// equal altogether.
fn text(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let word = (0_usize..12, 0_usize..12).prop_map(|(a, b)| format!("W{}", a.min(b)));
    prop::collection::vec(word, words).prop_map(|words| words.join(" "))
}

fn organization() -> impl Strategy<Value = Org> {
    (prop::collection::vec(text(0..4), 0..3), prop::option::of(text(0..50)))
        .prop_map(|(names, mission)| Org { names, mission })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn finds_what_the_naive_answer_finds(
        distinct in prop::collection::vec(organization(), 1..40),
        copies in 1_usize..40,
        query in text(0..9),
        runs in prop::collection::vec((0_usize..1500, 0_usize..300), 0..4),
        ks in prop::collection::vec(0_usize..60, 4),
    ) {
        let orgs: Vec<Org> =
            distinct.iter().cycle().take(distinct.len() * copies).cloned().collect();
        let (_folder, index) = built(&orgs);
        let mut expected = naive(&orgs, &query);
        prop_assert_eq!(&index.search(&query, orgs.len(), None).unwrap(), &expected);
        for &k in &ks {
            let best = &expected[..k.min(expected.len())];
            prop_assert_eq!(&index.search(&query, k, None).unwrap(), best);
        }
        let runs: Vec<_> = runs.into_iter().map(|(from, length)| from..from + length).collect();
        let set = Bitmap::of_runs(orgs.len() as u32, &runs);
        expected.retain(|hit| set.contains(hit.row));
        for k in ks.into_iter().chain([orgs.len()]) {
            let best = &expected[..k.min(expected.len())];
            prop_assert_eq!(&index.search(&query, k, Some(&set)).unwrap(), best);
        }
    }
}

fn five() -> Vec<Org> {
    vec![
        org(&["Harbor Animal Rescue"], Some("Finds homes for cats.")),
        org(&["Foundation of Cats", "The Cat Foundation"], None),
        org(&["Harbor Foundation"], Some("Grants for the harbor, its cats and its harbor dogs.")),
        org(&[], None),
        org(&["Dog Foundation"], Some("Dogs.")),
    ]
}

#[test]
fn ranks_as_people_expect() {
    let (_folder, index) = built(&five());
    let check = |query: &str, expected: &[u32]| {
        assert_eq!(orgs_of(&index.search(query, 10, None).unwrap()), expected, "{query}");
    };
    // In a name before in a mission.
    check("cats", &[1, 0, 2]);
    // The rare word before the frequent one, both before either.
    check("foundation rescue", &[0, 2, 4, 1]);
    check("harbor foundation", &[2, 0, 4, 1]);
    check("HÁRBOR’ foundation!", &[2, 0, 4, 1]);
    check("nobody", &[]);
    check("cat", &[1]);
}

#[test]
fn a_name_filed_twice_counts_once() {
    let twice = ["Cat Home", "CAT HOME", "cat-home"];
    let (_folder, index) = built(&[org(&["Cat Home"], None), org(&twice, None)]);
    let hits = index.search("cat", 2, None).unwrap();
    assert_eq!(orgs_of(&hits), [0, 1]);
    assert_eq!(hits[0].score, hits[1].score);
}

#[test]
fn only_the_first_words_of_a_long_text_count() {
    let named = |at: usize| org(&[&format!("word{at}")], None);
    let orgs: Vec<Org> = (0..QUERY_WORDS_MAX + 20).map(named).collect();
    let (_folder, index) = built(&orgs);
    // A word said again is not another word.
    let text: Vec<String> = (0..orgs.len()).map(|at| format!("word{at} word0")).collect();
    let hits = index.search(&text.join(" "), 1000, None).unwrap();
    let expected: Vec<u32> = (0..QUERY_WORDS_MAX as u32).collect();
    assert_eq!(orgs_of(&hits), expected);
    assert_eq!(index.search(&"word3 ".repeat(200_000), 9, None).unwrap().len(), 1);
}

#[test]
fn no_text_is_a_query_language() {
    let (_folder, index) = built(&five());
    let check = |query: &str, expected: &[u32]| {
        assert_eq!(orgs_of(&index.search(query, 10, None).unwrap()), expected, "{query:?}");
    };
    for query in ["", " ", "\0", "\"", "((((", "*", "😀🐈‍⬛", "+-|!", "\u{301}", "\u{202e}", "\\"]
    {
        check(query, &[]);
    }
    check("\"cats\"", &[1, 0, 2]);
    check("names:cats", &[1, 0, 2]);
    check("-cats^2~ [* TO *", &[1, 0, 2]);
    check("cats\0dogs' OR 1=1;", &[1, 4, 2, 0]);
    check("c?ts ca* /ca.s/", &[]);
    check(&"x".repeat(300_000), &[]);
}

#[test]
fn hostile_texts_can_be_added() {
    let long = "y".repeat(70_000);
    let many = "word ".repeat(70_000);
    let hostile = [long.as_str(), "\0", "\u{301}", "😀", &many, "a\nb\tc\u{a0}d"];
    let orgs: Vec<Org> = hostile.map(|text| org(&[text], Some(text))).into();
    let (_folder, index) = built(&orgs);
    assert_eq!(orgs_of(&index.search("a b", 9, None).unwrap()), [5]);
    assert_eq!(orgs_of(&index.search("word d", 9, None).unwrap()), [4, 5]);
    assert_eq!(index.count(), 6);
}

#[test]
fn an_index_of_nothing_answers_nothing() {
    let nothing = [vec![], vec![org(&[], None)], vec![org(&[""], Some("")), org(&[], Some("."))]];
    for orgs in nothing {
        let (_folder, index) = built(&orgs);
        assert_eq!(index.count() as usize, orgs.len());
        assert_eq!(index.search("any word", 10, None).unwrap(), []);
        let set = run(&index, 0);
        assert_eq!(index.search("any word", 10, Some(&set)).unwrap(), []);
    }
}

#[test]
fn equal_texts_give_equal_files() {
    let (a, b) = (write(&five()), write(&five()));
    assert_eq!(sums(a.path()), sums(b.path()));
}

/// Files that hold what answers are made of: damage anywhere in a file of one block is an error.
const ANSWERING: [&str; 4] =
    ["fulltext/meta.json", "fulltext/terms", "fulltext/postings", "fulltext/lengths"];

/// What an index says to a question.
type Answer = Vec<Hit>;

/// Each question by itself, since damage in one place need not hurt all of them.
fn answers(index: &Fulltext, questions: &[&str]) -> Vec<Result<Answer, Damage>> {
    let set = run(index, 1);
    let ask = |&question: &&str| {
        [index.search(question, 10, None), index.search(question, 3, Some(&set))]
    };
    questions.iter().flat_map(ask).collect()
}

/// Asks an index of which one file is not what it was: how many questions it answers and how many
/// it refuses. Every answer must be the right one, and every refusal name the file.
fn asked(
    folder: &Path,
    sums: &Sums,
    name: &str,
    (questions, expected): (&[&str], &[Result<Answer, Damage>]),
) -> (usize, usize) {
    let named = |damage: &Damage| match damage {
        Damage::Block { file, .. } => assert_eq!(&**file, name),
        other => panic!("{name}: {other}"),
    };
    match opened(folder, sums) {
        Ok(index) => {
            let found = answers(&index, questions);
            for (found, expected) in found.iter().zip(expected) {
                match found {
                    Ok(_) => assert_eq!(found, expected, "{name}"),
                    Err(damage) => named(damage),
                }
            }
            let right = found.iter().filter(|answer| answer.is_ok()).count();
            (right, found.len() - right)
        }
        Err(OpenError::Damage(damage)) => {
            named(&damage);
            (0, expected.len())
        }
        Err(OpenError::Map(MapError::Length { file, .. })) => {
            assert_eq!(&*file, name);
            (0, expected.len())
        }
        Err(other) => panic!("{name}: {other}"),
    }
}

#[test]
fn every_flipped_byte_is_noticed_or_does_not_matter() {
    let (folder, index) = built(&five());
    let sums = sums(folder.path());
    let questions = ["harbor cats", "dog foundation"];
    let expected = answers(&index, &questions);
    assert!(expected.iter().all(Result::is_ok));
    for name in files() {
        let path = folder.path().join(name);
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            std::fs::write(&path, &bytes).unwrap();
            let (right, refused) = asked(folder.path(), &sums, name, (&questions, &expected));
            let matters = ANSWERING.contains(&name);
            assert!(refused > 0 || !matters, "byte {at} of {name}: {right} right");
        }
        std::fs::write(&path, &whole).unwrap();
    }
}

#[test]
fn a_flipped_byte_spoils_only_what_needs_its_block() {
    let count = 40_000;
    let numbered = |at: usize| {
        let mission = format!("for the common good of group {} and {}", at % 97, at % 89);
        org(&[&format!("Unique{at} House")], Some(&mission))
    };
    let orgs: Vec<Org> = (0..count).map(numbered).collect();
    let (folder, index) = built(&orgs);
    let sums = sums(folder.path());
    let questions = ["unique123 house", "unique39999 house", "common 17", "unique20000"];
    let expected = answers(&index, &questions);
    assert!(expected.iter().all(Result::is_ok));
    for name in files() {
        let path = folder.path().join(name);
        let whole = std::fs::read(&path).unwrap();
        let (mut right, mut refused) = (0, 0);
        for block in 0..sums[name].sums().len() {
            let mut bytes = whole.clone();
            let at = (block * crate::mapped::BLOCK_BYTES + 40_000).min(whole.len() - 1);
            bytes[at] ^= 0x10;
            std::fs::write(&path, &bytes).unwrap();
            let more = asked(folder.path(), &sums, name, (&questions, &expected));
            (right, refused) = (right + more.0, refused + more.1);
        }
        std::fs::write(&path, &whole).unwrap();
        assert!(refused > 0 || !ANSWERING.contains(&name), "{name}");
        let parts = sums[name].sums().len() > 1;
        if name == "fulltext/postings" {
            assert!(parts && right > 0, "{name}");
        }
    }
}

#[test]
fn a_cut_file_and_one_of_another_index_are_refused() {
    let (folder, index) = built(&five());
    let sums = sums(folder.path());
    let questions = ["harbor cats", "harbor foundation"];
    let expected = answers(&index, &questions);
    let mut other = five();
    other[2].names[0] = "Harbor Fountain".to_owned();
    let other = write(&other);
    for name in files() {
        let path = folder.path().join(name);
        let whole = std::fs::read(&path).unwrap();
        for length in [0, whole.len() / 2, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).unwrap();
            let error = opened(folder.path(), &sums).unwrap_err();
            let cut =
                matches!(&error, OpenError::Map(MapError::Length { file, .. }) if **file == *name);
            assert!(cut, "{name}: {error}");
        }
        std::fs::remove_file(&path).unwrap();
        let error = opened(folder.path(), &sums).unwrap_err();
        assert!(matches!(error, OpenError::Map(MapError::Io { .. })), "{name}: {error}");
        let swapped = std::fs::read(other.path().join(name)).unwrap();
        std::fs::write(&path, &swapped).unwrap();
        let (_, refused) = asked(folder.path(), &sums, name, (&questions, &expected));
        let matters = ANSWERING.contains(&name) && swapped != whole;
        assert!(refused > 0 || !matters, "{name}");
        std::fs::write(&path, &whole).unwrap();
    }
    assert_eq!(answers(&opened(folder.path(), &sums).unwrap(), &questions), expected);
}

#[test]
fn files_that_were_built_apart_are_refused() {
    let (folder, other) = (write(&five()), write(&five()[..3]));
    let name = "fulltext/meta.json";
    std::fs::copy(other.path().join(name), folder.path().join(name)).unwrap();
    let error = opened(folder.path(), &sums(folder.path())).unwrap_err();
    assert!(matches!(error, OpenError::Damage(Damage::Form { .. })), "{error}");
}

#[test]
fn a_whole_name_has_no_other_words() {
    let orgs = [
        org(&["ROE JANE"], None),
        org(&["Jane Roe", "Jane A Roe"], None),
        org(&["Jane Roe"], Some("of the board")),
        org(&["Jane Q Roe"], None),
        org(&["Jane Doe"], None),
    ];
    let (_folder, index) = built(&orgs);
    let whole = |text: &str| {
        let mut set = index.all_of(text).unwrap();
        index.retain_whole_names(&mut set, text).unwrap();
        set.iter().map(|row| row.0).collect::<Vec<_>>()
    };
    assert_eq!(whole("jane  ROE"), [0, 2]);
    assert_eq!(whole("Jane Q. Roe"), [3]);
    assert!(whole("jane").is_empty());
    assert!(whole("Jane Jane").is_empty());
    assert!(whole("").is_empty());
}
