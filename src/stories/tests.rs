//! What is a story and what is none; names; members. All persons and bodies are made up.

use std::collections::HashSet;

use proptest::prelude::*;

use super::lexicon::lower;
use super::model::{Boundary, LABELS, Label, Scores, StoryModel};
use super::names::mentions;
use super::sentence::{sections, sentences, small_words};
use super::*;
use crate::impact::Publication;
use crate::record::PassageKind;

fn passage(kind: PassageKind, text: &str) -> Passage {
    Passage { page: 1, kind, text: text.to_owned() }
}

fn of_year(year: i32) -> Publication<'static> {
    let ein = "000000417".parse().unwrap();
    Publication { ein, state: None, year, edition: "2023".to_owned(), url: None, published: None }
}

fn found(passages: &[Passage]) -> Vec<FoundStory> {
    stories(passages, &of_year(2023)).unwrap()
}

/// The fictional reports of `data/reports`, one after the other.
fn reports() -> Vec<Vec<Passage>> {
    let mut reports: Vec<(String, Vec<Passage>)> = Vec::new();
    for line in include_str!("../../data/reports/passages.ndjson").lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = row["report"].as_str().unwrap();
        if reports.last().is_none_or(|(last, _)| last != name) {
            reports.push((name.to_owned(), Vec::new()));
        }
        let kind = match row["kind"].as_str().unwrap() {
            "heading" => PassageKind::Heading,
            "paragraph" => PassageKind::Paragraph,
            "list_item" => PassageKind::ListItem,
            "quotation" => PassageKind::Quotation,
            "caption" => PassageKind::Caption,
            "table_row" => PassageKind::TableRow,
            other => panic!("{other}"),
        };
        let page = u32::try_from(row["page"].as_u64().unwrap()).unwrap();
        let text = row["text"].as_str().unwrap().to_owned();
        reports.last_mut().unwrap().1.push(Passage { page, kind, text });
    }
    reports.into_iter().map(|(_, passages)| passages).collect()
}

fn told() -> Vec<Passage> {
    vec![
        passage(PassageKind::Heading, "Meet Oralee Tamsin, baker"),
        passage(
            PassageKind::Paragraph,
            "Oralee was 41 and had never held a job. She slept in her car for seven weeks after the \
             flood, and she couldn't find anyone who would hire her. She had stopped answering the phone.",
        ),
        passage(
            PassageKind::Paragraph,
            "A neighbor brought her to our kitchen in March. Our baker, Mr. Ivo Quell, taught her to \
             make bread, and within six months she passed the food safety test.",
        ),
        passage(
            PassageKind::Paragraph,
            "Today she is our head baker. She has rented a flat with a door that locks, and her son \
             is back with her. \"I used to count the days,\" Oralee says. \"Now I count loaves of bread, forty every morning.\"",
        ),
    ]
}

#[test]
fn a_change_of_somebody_named_is_a_story() {
    let found = found(&told());
    assert_eq!(found.len(), 1, "{found:?}");
    let story = &found[0].story;
    assert_eq!(story.protagonist.as_deref(), Some("Oralee Tamsin"));
    assert_eq!(story.story_title, "Meet Oralee Tamsin, baker");
    assert_eq!(
        story.full_quote.as_deref(),
        Some("Now I count loaves of bread, forty every morning.")
    );
    assert_eq!(story.time_to_impact.as_deref(), Some("within six months"));
    assert!(story.before_state.is_some() && story.after_state.is_some());
    assert_eq!((found[0].page, found[0].passages.clone()), (1, 1..4));
    assert!((0.0..=10.0).contains(&story.power_score.unwrap()));
    assert!((0.0..=1.0).contains(&story.confidence_score.unwrap()));
}

#[test]
fn a_protagonist_may_have_an_initial_for_a_name() {
    let mut passages = told();
    passages[0].text = "Mrs. T.".to_owned();
    for passage in &mut passages {
        passage.text =
            passage.text.replace("Oralee was", "Mrs. T. was").replace("Oralee", "Mrs. T.");
    }
    let sections = sections(&passages);
    let small = small_words(&sections);
    let drafts = drafts(&sections, read(&sections, &small).unwrap(), &small);
    let names: Vec<&str> =
        drafts.iter().filter_map(|draft| Some(&*draft.protagonist.as_ref()?.name)).collect();
    assert_eq!(names, ["Mrs. T."]);
}

#[test]
fn a_change_of_nobody_is_none() {
    let mut passages = told();
    passages[0].text = "What a year may bring".to_owned();
    for passage in &mut passages {
        passage.text =
            passage.text.replace("Oralee was", "Imagine somebody who is").replace("Oralee", "one");
    }
    passages[2].text =
        "By March she may be in our kitchen, and within six months she would pass the test."
            .to_owned();
    passages[3].text = "By next year she might be our baker, and she could rent a flat.".to_owned();
    assert_eq!(found(&passages), []);
}

#[test]
fn praise_plans_and_accounts_are_none() {
    let plain = [
        passage(PassageKind::Heading, "Governance"),
        passage(
            PassageKind::Paragraph,
            "The board of eleven directors met five times. Quorum was present at each. Net assets at \
             year end were $418,006.",
        ),
        passage(
            PassageKind::Quotation,
            "\"I have sat on many boards, and I never saw a staff so careful,\" said the treasurer.",
        ),
        passage(PassageKind::Heading, "Next year"),
        passage(
            PassageKind::Paragraph,
            "We plan to open a second kitchen. Imagine a mother at the end of the month. Imagine that \
             she does not have to worry.",
        ),
    ];
    assert_eq!(found(&plain), []);
    assert_eq!(found(&[]), []);
}

#[test]
fn members_are_words_of_the_report() {
    let reports = reports();
    assert_eq!(reports.len(), 327);
    let mut count = 0;
    for passages in &reports {
        let whole = |words: &str| passages.iter().any(|passage| passage.text.contains(words));
        let found = found(passages);
        assert!(found.len() <= STORIES_MAX);
        for FoundStory { story, page, passages: range } in found {
            count += 1;
            assert!(page >= 1 && range.start < range.end && range.end <= passages.len());
            let members = [
                &story.emotional_hook,
                &story.full_quote,
                &story.quote_attribution,
                &story.protagonist,
                &story.before_state,
                &story.transformation_moment,
                &story.after_state,
                &story.time_to_impact,
                &story.ripple_effect,
                &story.call_to_action,
            ];
            for member in members.into_iter().flatten().chain(&story.obstacles_overcome) {
                assert!(!member.is_empty() && whole(member), "{member:?}");
            }
        }
    }
    assert!((260..=420).contains(&count), "{count} stories, of 420 that are marked");
}

#[test]
fn sentences_end_at_their_marks() {
    let rows: [(&str, &[&str]); 5] = [
        ("One came. Two left! Who?", &["One came.", "Two left!", "Who?"]),
        ("“Did it hurt?” she asked. No.", &["“Did it hurt?” she asked.", "No."]),
        ("Mr. Vale of the U.S. Army met J. Orr.", &["Mr. Vale of the U.S. Army met J. Orr."]),
        ("\"I left.\" He came back…", &["\"I left.\"", "He came back…"]),
        ("", &[]),
    ];
    for (text, expected) in rows {
        let found = sentences(text);
        assert!(found.iter().all(|(start, sentence)| text[*start..].starts_with(sentence)));
        let found: Vec<&str> = found.into_iter().map(|(_, sentence)| sentence).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn names_are_capitals_that_stand_nowhere_small() {
    let text = "Then Mr. Otis Peterman's nephew drove Lena to Harbor House, and Coach Trey waved.";
    let small: HashSet<String> = ["then", "nephew"].map(lower).into();
    let names: Vec<&str> = mentions(text, &small).iter().map(|mention| mention.text).collect();
    assert_eq!(names, ["Mr. Otis Peterman", "Lena", "Coach Trey"]);
    let initials = "Mrs. S. and Eloy M. met M.J. at plan B.";
    let names: Vec<&str> = mentions(initials, &small).iter().map(|mention| mention.text).collect();
    assert_eq!(names, ["Mrs. S.", "Eloy M.", "M.J."]);
}

#[test]
fn children_and_patients_are_named_by_the_first_name() {
    let mut passages = told();
    passages[1].text =
        passages[1].text.replace("Oralee was 41 and", "Oralee Tamsin, 11, a fifth grader,");
    let found = found(&passages);
    assert_eq!(found[0].story.protagonist.as_deref(), Some("Oralee"));
}

#[test]
fn labels_follow_each_other() {
    let model = StoryModel::shared();
    let sure = |label: Label| -> Scores {
        let mut scores = [-6.0; LABELS];
        scores[label as usize] = -0.01;
        scores
    };
    let told = [Label::None, Label::Before, Label::Turning, Label::After];
    let observed = told.map(|label| (sure(label), Boundary::Passage));
    assert_eq!(model.decode(&observed), told);
    assert_eq!(model.decode(&[]), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_text_is_read(text in "[ -~“”’—é]{0,160}") {
        let mut end = 0;
        for (start, sentence) in sentences(&text) {
            prop_assert!(start >= end && text[start..].starts_with(sentence));
            end = start + sentence.len();
        }
        for mention in mentions(&text, &HashSet::new()) {
            prop_assert!(text[mention.start..].starts_with(mention.text));
        }
        let mut passages = told();
        passages[2].text = text.clone();
        passages.push(passage(PassageKind::Quotation, &text));
        for found in found(&passages) {
            prop_assert!(found.passages.end <= passages.len());
        }
    }
}

/// Features as `scripts/story_model.py` was given them: what the model was trained on is what it is asked.
#[test]
fn features_are_those_that_the_model_learned() {
    let golden = include_str!("../../data/reports/features.ndjson");
    let passages = &reports()[0];
    let found = training::story_features(passages);
    let expected: Vec<Vec<String>> =
        golden.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    let sections = sections(passages);
    assert!(!small_words(&sections).is_empty());
}
