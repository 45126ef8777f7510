//! Messages and what their words ask for.

use proptest::prelude::*;

use super::*;

/// What a message asks for, in short.
fn said(message: &str) -> String {
    let read = Message::read(message);
    let topic = |topic: &Topic| match topic {
        Topic::Any => "anything".to_owned(),
        Topic::Same => "the same".to_owned(),
        Topic::Of(words) => words.clone(),
    };
    let anew = if read.begins_anew { "anew: " } else { "" };
    anew.to_owned()
        + &match &read.act {
            Act::Reset => "reset".to_owned(),
            Act::Courtesy(courtesy) => format!("{courtesy:?}").to_lowercase(),
            Act::Help => "help".to_owned(),
            Act::More => "more".to_owned(),
            Act::Article(id) => format!("article {id}"),
            Act::Articles(about) => format!("articles on {}", topic(about)),
            Act::Funds(about) => format!("funds for {}", topic(about)),
            Act::Knowledge => "knowledge".to_owned(),
            Act::Shown(shown) => {
                let fact = shown.fact.map_or(String::new(), |fact| format!(" {fact:?}"));
                let noun = match shown.noun {
                    Some(Noun::Article) => " article",
                    _ => "",
                };
                let like = if shown.wanted == Wanted::Similar { "like " } else { "" };
                let rest =
                    if shown.rest.is_empty() { String::new() } else { format!(" {}", shown.rest) };
                format!("{like}{:?}{noun}{fact}{rest}", shown.which)
            }
            Act::Fact { fact, name, .. } => format!("{fact:?} of {name}"),
            Act::OffTopic => "off topic".to_owned(),
            Act::Distress => "distress".to_owned(),
            Act::Other => read.text.clone(),
        }
}

#[track_caller]
fn check(table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .filter(|(message, expected)| said(message) != *expected)
        .map(|(message, expected)| {
            format!("{message}\n  expected {expected}\n  found    {}", said(message))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn courtesies_are_answered_or_left_out() {
    check(&[
        ("hi", "hello"),
        ("Hello there!", "hello"),
        ("thanks a lot for your help", "thanks"),
        ("ok bye", "bye"),
        ("hey, food banks in Ohio please", "food banks in Ohio"),
        ("Thank you. Now Texas", "Now Texas"),
        ("great lakes conservation", "great lakes conservation"),
        ("HI food banks", "HI food banks"),
        ("uh museums um in Maine", "museums  in Maine"),
    ]);
}

#[test]
fn resets_may_be_followed_by_something_else() {
    check(&[
        ("start over", "anew: reset"),
        ("new search: museums in Maine", "anew: museums in Maine"),
        ("clear water action", "clear water action"),
    ]);
}

#[test]
fn articles_and_funds_have_topics() {
    check(&[
        ("find articles about disaster relief", "articles on disaster relief"),
        ("climate articles", "articles on climate"),
        ("show me articles", "articles on anything"),
        ("any articles on that?", "articles on the same"),
        ("something to read about hunger", "articles on hunger"),
        ("show me article 42", "article 42"),
        ("open article #7 please", "article 7"),
        ("nonprofits that publish articles", "nonprofits that publish articles"),
        ("show me funds for climate change", "funds for climate change"),
        ("is there a fund for veterans?", "funds for veterans"),
        ("and funds for it", "funds for the same"),
        ("nonprofits that fund cancer research", "nonprofits that fund cancer research"),
        ("Environmental Defense Fund", "Environmental Defense Fund"),
    ]);
}

#[test]
fn questions_about_terms_are_told_from_those_about_nonprofits() {
    check(&[
        ("what is an EIN?", "knowledge"),
        ("how do I donate through this site?", "knowledge"),
        ("what does net assets mean", "knowledge"),
        ("what is a donor advised fund?", "knowledge"),
        ("which nonprofits accept stock", "which nonprofits accept stock"),
        ("what can you do", "help"),
        ("tell me a joke about cats", "off topic"),
        ("I want to kill myself", "distress"),
        ("suicide prevention hotlines in Ohio", "suicide prevention hotlines in Ohio"),
    ]);
}

#[test]
fn references_point_at_what_was_shown() {
    check(&[
        ("tell me more about the first one", "Nth(1)"),
        ("the second one", "Nth(2)"),
        ("#3 please", "Nth(3)"),
        ("number two", "Nth(2)"),
        ("open the second article", "Nth(2) article"),
        ("what about the last one?", "Last"),
        ("what's its revenue", "That Revenue"),
        ("where is that organization located", "That Place"),
        ("who runs the third one", "Nth(3) Officers"),
        ("tell me more", "That"),
        ("others like the first one", "like Nth(1)"),
        ("similar organizations", "like That"),
        ("similar ones in Texas", "like That in Texas"),
        ("first responders in Ohio", "first responders in Ohio"),
        ("second harvest", "second harvest"),
        ("make it under a million", "make it under a million"),
        ("they must be vetted", "they must be vetted"),
        ("only small ones", "only small ones"),
        ("revenue?", "That Revenue"),
        ("The first one sounds nice, please tell me about it.", "Nth(1)"),
        ("how would I make a donation to one of them?", "knowledge"),
        ("more", "more"),
        ("show me more", "more"),
    ]);
}

#[test]
fn facts_are_asked_of_names() {
    check(&[
        ("what is the revenue of Heifer International", "Revenue of Heifer International"),
        ("where is Save the Children located?", "Place of Save the Children"),
        ("who runs Heifer International", "Officers of Heifer International"),
        ("Heifer International website", "Website of Heifer International"),
        ("job training in Kansas City", "job training in Kansas City"),
        ("forget the state", "forget the state"),
        (
            "programs with a budget of less than two million",
            "programs with a budget of less than two million",
        ),
    ]);
}

proptest! {
    #[test]
    fn any_message_is_read(message in ".{0,256}") {
        Message::read(&message);
    }

    #[test]
    fn any_words_are_read(words in prop::collection::vec(prop::sample::select(vec![
        "the", "second", "one", "article", "42", "#", "funds", "for", "that", "its", "revenue",
        "like", "similar", "to", "?", ",", "hi", "thanks", "what", "is", "an", "EIN", "start",
        "over", "about", "in", "Ohio", "uh", "more", "¿", "’", "é", "(", ")", "last",
    ]), 0..12)) {
        Message::read(&words.join(" "));
    }
}
