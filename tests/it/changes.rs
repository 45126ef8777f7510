//! What a message changes of the list before it, where it means, and what it refers back to.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

use almoner::search::chat::Answer;

use crate::chat::last;

fn places(answer: &Answer) -> Vec<&str> {
    answer.next.frame.places.iter().map(|place| place.name.as_str()).collect()
}

#[test]
fn places_come_beside_and_what_is_the_askers_filters_nothing() {
    for (messages, expected) in [
        (&["food banks in Ohio", "also those in Texas"][..], &["Ohio", "Texas"][..]),
        (&["bancos de alimentos en Ohio", "también en Texas"], &["Ohio", "Texas"]),
        (
            &["food banks in Ohio", "leave out the hospitals, we're an arts group in Boise"],
            &["Ohio"],
        ),
        (&["food banks in Ohio", "only those over $1000, I work for a school in Boise"], &["Ohio"]),
        (&["bancos de alimentos en Reno", "¿y alguna en Las Vegas?"], &["Las Vegas, NV"]),
        (
            &[
                "I'm in Jackson, Mississippi. What is a community foundation?",
                "any around Jackson?",
            ],
            &["the 25 miles around Jackson, MS"],
        ),
    ] {
        let answer = last(messages);
        assert_eq!(places(&answer), expected, "{messages:?}: {}", answer.message);
    }
}

#[test]
fn what_is_left_out_is_a_code_or_a_word_of_names() {
    let frame = last(&["food banks in Ohio", "drop the hospitals or schools"]).next.frame;
    assert_eq!(frame.cause.as_deref(), Some("food banks"));
    assert_eq!(frame.not_ntee.len(), 2, "{frame:?}");
    let listed = last(&["nonprofits in Ohio"]);
    let name = &listed.nonprofits[0].organization.name;
    let word = name.split(' ').find(|word| word.len() > 5).unwrap();
    let left = last(&["nonprofits in Ohio", &format!("not the {}", word.to_lowercase())]);
    let has_word = |answer: &Answer| {
        answer.nonprofits.iter().any(|row| row.organization.name.split(' ').any(|own| own == word))
    };
    assert!(has_word(&listed) && !has_word(&left), "{word}: {}", left.message);
}

#[test]
fn a_kind_alone_is_sought_in_the_same_place() {
    for (messages, cause) in [
        (&["bancos de alimentos en Ohio", "¿y clases de inglés?"][..], "clases de ingles"),
        (&["food banks in Ohio", "is there one for horses, not hospitals"], "horses"),
        (
            &[
                "I'm in Jackson, Mississippi. What is a community foundation?",
                "any around Jackson?",
            ],
            "community foundation",
        ),
    ] {
        let answer = last(messages);
        assert_eq!(
            answer.next.frame.cause.as_deref(),
            Some(cause),
            "{messages:?}: {}",
            answer.message
        );
        assert!(!answer.next.frame.places.is_empty(), "{messages:?}");
    }
}

#[test]
fn those_shown_are_measured_and_two_of_them_are_told() {
    let nearest = last(&["food banks in Ohio", "which one is closest to Cleveland"]);
    assert!(nearest.message.starts_with("Nearest to Cleveland"), "{}", nearest.message);
    assert!(nearest.nonprofits.len() > 1);
    let both = last(&["food banks in Ohio", "did either of them lose its exempt status"]);
    assert_eq!(both.nonprofits.len(), 2, "{}", both.message);
    let first = last(&["food banks in Ohio", "the second one - what is its EIN?"]);
    assert_eq!(first.nonprofits.len(), 1, "{}", first.message);
}

#[test]
fn who_forgot_to_file_does_not_start_over() {
    let answer =
        last(&["food banks in Ohio", "they forgot to file for three years. what happens now?"]);
    assert!(!answer.next.nonprofits.is_empty(), "{}", answer.message);
}

#[test]
fn who_says_near_me_is_asked_where_and_finds_what_is_there() {
    let asked = last(&["food banks near me"]);
    assert!(asked.nonprofits.is_empty() && asked.message.starts_with("Where"), "{}", asked.message);
    let found = last(&["food banks near me", "columbus, ohio"]);
    assert_eq!(found.next.frame.cause.as_deref(), Some("food banks"), "{}", found.message);
    assert_eq!(found.next.frame.state().map(|state| state.code()), Some("OH"));
    // A place said with a question that needs none.
    let said =
        last(&["can I deduct clothes I give away in Columbus, Ohio", "food banks around here"]);
    assert_eq!(said.next.frame.state().map(|state| state.code()), Some("OH"), "{}", said.message);
}

#[test]
fn one_of_those_shown_is_left_out_by_its_name() {
    let shown = last(&["food banks in Ohio"]).nonprofits;
    let name =
        &shown.iter().find(|row| row.organization.name.contains(' ')).unwrap().organization.name;
    let left = last(&["food banks in Ohio", &format!("take out {name}")]);
    let is_there = left.nonprofits.iter().any(|row| row.organization.name == *name);
    assert!(!is_there && !left.nonprofits.is_empty(), "{name}: {}", left.message);
    assert_eq!(left.next.frame.state().map(|state| state.code()), Some("OH"));
}
