//! Conversations over fictional organizations: what each intent fills, what sessions remember, and that
//! whatever is suggested leads somewhere.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

use std::sync::Arc;
use std::time::Instant;

use almoner::query::{Area, Flag, Flags};
use almoner::record::{Organization, State};
use almoner::search::chat::{Answer, Intent, Question, answer};
use almoner::understand::{Asker, Conversation, Frame, NamedPlace, Sessions};
use proptest::prelude::*;

use crate::country::COUNTRY;
use crate::fixture::{run, text};

fn ask(message: &str, earlier: Option<&Conversation>) -> Answer {
    let explicit = Frame::default();
    answer(
        &COUNTRY.snapshot,
        &Question { message, explicit: &explicit, earlier, language_model: None },
    )
    .unwrap()
}

/// Answers of messages that follow each other.
pub(crate) fn talk(messages: &[&str]) -> Vec<Answer> {
    let mut conversation = Conversation::default();
    messages
        .iter()
        .map(|message| {
            let answer = ask(message, Some(&conversation));
            conversation = answer.next.clone();
            answer
        })
        .collect()
}

pub(crate) fn last(messages: &[&str]) -> Answer {
    talk(messages).pop().unwrap()
}

/// Which members an answer fills, beside suggestions.
fn filled(answer: &Answer) -> Vec<&'static str> {
    let members = [
        ("nonprofits", !answer.nonprofits.is_empty()),
        ("articles", !answer.articles.is_empty()),
        ("article", answer.article.is_some()),
        ("sources", !answer.sources.is_empty()),
        ("funds", !answer.funds.is_empty()),
    ];
    members.into_iter().filter(|member| member.1).map(|member| member.0).collect()
}

/// The members that an intent may fill: the table in docs/understanding.md.
fn may_fill(intent: Intent) -> &'static [&'static str] {
    match intent {
        Intent::FindNonprofits | Intent::SimilarNonprofits | Intent::NonprofitDetails => {
            &["nonprofits"]
        }
        Intent::FindArticles => &["articles"],
        Intent::ArticleDetails => &["article"],
        Intent::FindFunds => &["funds"],
        Intent::Knowledge => &["sources"],
        Intent::Greeting | Intent::Unknown => &[],
    }
}

/// A nonprofit whose name no other has.
fn known() -> &'static str {
    let all = &COUNTRY.organizations;
    let alone = |name: &str| all.iter().filter(|other| other.name == name).count() == 1;
    let found = all.iter().find(|one| {
        one.name.split(' ').count() >= 4 && one.finances.revenue.is_some() && alone(&one.name)
    });
    &found.unwrap().name
}

#[test]
fn each_intent_fills_its_members() {
    for (message, intent) in [
        ("food banks in Ohio", "find_nonprofits"),
        ("youth sports", "find_nonprofits"),
        ("private foundations over $1M", "find_nonprofits"),
        (&*format!("nonprofits similar to {}", known()), "similar_nonprofits"),
        (&*format!("tell me about {}", known()), "nonprofit_details"),
        (&*COUNTRY.organizations[0].ein.to_string(), "nonprofit_details"),
        ("find articles about hunger", "find_articles"),
        ("show me article 1001", "article_details"),
        ("show me funds for education", "find_funds"),
        ("what is an EIN?", "knowledge"),
        ("are donations tax deductible?", "knowledge"),
        ("what can I ask?", "knowledge"),
    ] {
        let answer = ask(message, None);
        assert_eq!(answer.intent.name(), intent, "{message}");
        assert_eq!(filled(&answer), may_fill(answer.intent), "{message}");
        assert!(!answer.message.is_empty() && !answer.suggestions.is_empty(), "{message}");
    }
    for (message, intent) in [
        ("hello!", "greeting"),
        ("thanks", "greeting"),
        ("blarg fnord", "unknown"),
        ("what is the weather in Boise", "unknown"),
        ("🌻", "unknown"),
        ("show me article 99999", "article_details"),
        ("the second one", "nonprofit_details"),
    ] {
        let answer = ask(message, None);
        assert_eq!(answer.intent.name(), intent, "{message}");
        assert!(filled(&answer).is_empty(), "{message}");
        assert!(!answer.suggestions.is_empty(), "{message}");
    }
}

#[test]
fn need_is_answered_with_who_helps_then_with_what_is_near() {
    let is_pantry =
        |one: &&Organization| one.ntee.is_some_and(|code| code.as_str().starts_with("K31"));
    let pantry = COUNTRY.organizations.iter().filter(is_pantry).find_map(|one| one.address.state);
    let [asked, placed, again] = &talk(&[
        "my kids have nothing to eat tonight",
        &format!("in {}", pantry.unwrap().name()),
        "my kids have nothing to eat tonight",
    ])[..] else {
        panic!("three answers")
    };
    assert!(asked.message.contains("211") && asked.nonprofits.is_empty(), "{}", asked.message);
    assert!(!placed.nonprofits.is_empty(), "{}", placed.message);
    assert!(again.message.contains("211") && again.message != asked.message, "{}", again.message);
    let is_listed = again.nonprofits.iter().any(|row| is_pantry(&&row.organization));
    assert!(is_listed, "{}", again.message);
    let spanish = last(&["quiero quitarme la vida"]);
    assert!(spanish.message.starts_with("Gracias por decirlo"), "{}", spanish.message);
    assert!(spanish.nonprofits.is_empty());
    let ordinary = last(&["suicide prevention nonprofits in Ohio"]);
    assert!(!ordinary.nonprofits.is_empty() && !ordinary.message.starts_with("I'm glad"));
}

#[test]
fn a_grave_danger_is_not_forgotten_by_the_next_messages() {
    let [told, form, pantry, placed] = &talk(&[
        "I want to die",
        "what is Form 990",
        "food pantries in Ohio",
        "I can't afford a lawyer for custody in Ohio",
    ])[..] else {
        panic!("four answers")
    };
    for answer in [told, form, pantry, placed] {
        assert!(answer.message.contains("988"), "{}", answer.message);
    }
    assert!(!form.message.contains("990"), "{}", form.message);
    assert!(!pantry.nonprofits.is_empty(), "{}", pantry.message);
    assert!(placed.message.contains("LawHelp.org"), "{}", placed.message);
}

#[test]
fn a_need_goes_on_where_the_next_message_says_where_or_who() {
    let placed = last(&["my patron says he wants to die", "he lives in Ohio"]);
    assert!(placed.message.contains("988"), "{}", placed.message);
    let veteran = last(&["my neighbor was evicted and sleeps in his car", "he is a veteran"]);
    assert!(veteran.message.contains("877-424-3838"), "{}", veteran.message);
    let ordinary = last(&["food pantries in Ohio", "veterans groups in Ohio"]);
    assert!(!ordinary.message.contains("877-424-3838"), "{}", ordinary.message);
}

#[test]
fn who_needs_a_safe_place_gets_the_hotline_and_no_shelter_of_another_kind() {
    let answer = ask("is there a women's shelter in Ohio where I can go tonight", None);
    assert!(answer.message.contains("800-799-7233"), "{}", answer.message);
    for row in &answer.nonprofits {
        assert_ne!(row.organization.ntee.map(|code| code.major()), Some('D'));
    }
    let listed = ask("domestic violence shelters in Ohio", None);
    assert!(!listed.message.starts_with("You don't"), "{}", listed.message);
    assert!(listed.message.contains("800-799-7233"), "{}", listed.message);
}

#[test]
fn whoever_asks_which_to_choose_gets_a_comparison() {
    let answer = last(&["food banks in Ohio", "which one should I choose"]);
    assert!(answer.message.starts_with("I can't choose for you"), "{}", answer.message);
    assert!(answer.nonprofits.len() > 1);
}

/// A misspelt name looks like a farewell to the reader, though hardly.
#[test]
fn what_is_hardly_a_courtesy_is_searched() {
    assert_ne!(ask("red cros", None).intent.name(), "greeting");
}

#[test]
fn explicit_parameters_win_and_are_not_remembered() {
    let area = Area { state: "TX".parse().ok(), ..Area::default() };
    let explicit = Frame {
        places: NamedPlace::of(area).into_iter().collect(),
        flags: Flags::from([(Flag::Vetted, true)]),
        ..Frame::default()
    };
    let question = Question {
        message: "food banks in Ohio",
        explicit: &explicit,
        earlier: Some(&Conversation::default()),
        language_model: None,
    };
    let answer = answer(&COUNTRY.snapshot, &question).unwrap();
    assert_eq!(answer.frame.state().unwrap().code(), "TX");
    assert!(answer.nonprofits.iter().all(|row| row.organization.is_vetted() == Some(true)));
    let next = ask("only small ones", Some(&answer.next));
    assert_eq!(next.frame.state().unwrap().code(), "OH");
    assert_eq!(next.frame.flags[Flag::Vetted], None);
}

#[test]
fn a_conversation_is_refined_corrected_and_reset() {
    let answers = talk(&[
        "food banks in Ohio",
        "only ones over $10k",
        "no, I meant Texas",
        "thanks!",
        "just the vetted ones",
        "never mind the vetting",
        "any size is fine",
        "forget the state",
        "start over",
        "under $5M",
    ]);
    let frames: Vec<String> = answers
        .iter()
        .map(|answer| almoner::understand::described(&answer.next.frame).join("; "))
        .collect();
    let cause = "ranked by how well they fit “food banks”";
    let money = "with revenue at least $10,000";
    assert_eq!(
        frames,
        [
            format!("in Ohio; {cause}"),
            format!("in Ohio; {money}; {cause}"),
            format!("in Texas; {money}; {cause}"),
            format!("in Texas; {money}; {cause}"),
            format!("in Texas; {money}; vetted; {cause}"),
            format!("in Texas; {money}; {cause}"),
            format!("in Texas; {cause}"),
            cause.to_owned(),
            String::new(),
            "with revenue at most $5,000,000".to_owned(),
        ]
    );
}

/// Who says what to find and where asks anew: nothing of what was asked before is left.
#[test]
fn a_whole_question_stands_alone() {
    let frames = |messages: &[&str]| -> Vec<String> {
        let described = |answer: &Answer| almoner::understand::described(&answer.next.frame);
        talk(messages).iter().map(|answer| described(answer).join("; ")).collect()
    };
    let said = frames(&[
        "food banks in Ohio",
        "only ones over $10k",
        "now I need museums in Texas",
        "just Dallas or Harris county",
    ]);
    let museums = "ranked by how well they fit “museums”";
    assert_eq!(said[2], format!("in Texas; {museums}"));
    assert_eq!(said[3], format!("in Dallas County, Texas or Harris County, Texas; {museums}"));
}

#[test]
fn references_mean_what_was_shown() {
    let answers =
        talk(&["food banks in Ohio", "tell me about the second one", "what is its revenue?"]);
    let second = &answers[0].nonprofits[1].organization;
    for answer in &answers[1..] {
        assert_eq!(answer.intent, Intent::NonprofitDetails);
        assert_eq!(answer.nonprofits[0].organization.ein, second.ein);
        assert!(answer.message.contains(&second.name), "{}", answer.message);
    }
    let third = last(&["food banks in Ohio", "the second one", "and the third one?"]);
    assert_eq!(third.nonprofits[0].organization.ein, answers[0].nonprofits[2].organization.ein);
    let similar = last(&["food banks in Ohio", "others like the first one"]);
    assert_eq!(similar.intent, Intent::SimilarNonprofits);
    let first = answers[0].nonprofits[0].organization.ein;
    assert!(similar.nonprofits.iter().all(|row| row.organization.ein != first));
    let beyond = last(&["food banks in Ohio", "the 99th one"]);
    assert_eq!(beyond.intent, Intent::NonprofitDetails);
    let rows = format!("{} rows", answers[0].nonprofits.len());
    assert!(beyond.message.contains(&rows), "{}", beyond.message);
    // Reading on: the next rows are others.
    let more = last(&["food banks in Ohio", "show me more"]);
    let eins = |answer: &Answer| -> Vec<_> {
        answer.nonprofits.iter().map(|row| row.organization.ein).collect()
    };
    assert!(!more.nonprofits.is_empty());
    assert!(eins(&more).iter().all(|ein| !eins(&answers[0]).contains(ein)));
}

#[test]
fn a_topic_goes_from_articles_to_nonprofits_and_funds() {
    let answers = talk(&[
        "articles about hunger",
        "open the first one",
        "now show me nonprofits working on that in Ohio",
        "any funds for it?",
        "thanks",
        "what about housing",
    ]);
    assert_eq!(answers[1].article.as_ref().unwrap().id, answers[0].articles[0].id);
    let frame = &answers[2].frame;
    assert_eq!(frame.cause.as_deref(), Some("hunger"));
    assert_eq!(frame.state().unwrap().code(), "OH");
    assert_eq!(
        (answers[3].intent, answers[3].about.as_deref()),
        (Intent::FindFunds, Some("hunger"))
    );
    assert_eq!(
        (answers[5].intent, answers[5].about.as_deref()),
        (Intent::FindFunds, Some("housing"))
    );
}

/// A message with what is asked for is never empty-handed, in the session or without it.
#[test]
fn suggestions_lead_somewhere() {
    let mut messages = vec![
        "hello",
        "nonsense qwzx",
        "food banks in Ohio",
        "museums",
        "small youth sports clubs in Texas",
        "vetted animal shelters in Alaska with revenue over $900M",
        "private foundations",
        "articles about hunger",
        "show me article 1001",
        "funds for education",
        "what is an EIN?",
        "animal rescue in Boise or Denver",
        "NTEE B20",
        "wikipedia",
        "nonprofits for SDG 4 with revenue between $10,000 and $5,000,000",
    ];
    let details = format!("tell me about {}", known());
    messages.push(&details);
    let mut followed = 0;
    for message in messages {
        let answer = ask(message, Some(&Conversation::default()));
        for suggestion in &answer.suggestions {
            for earlier in [None, Some(&answer.next)] {
                let next = ask(&suggestion.message, earlier);
                assert!(!filled(&next).is_empty(), "{message}: {suggestion:?} leads to {next:?}");
                // What narrows a list is a list, and an entry's title leads to that entry.
                let narrows = !answer.nonprofits.is_empty() && suggestion.content_id.is_none();
                let list = narrows && answer.intent == Intent::FindNonprofits;
                let good = !list || next.intent == Intent::FindNonprofits;
                assert!(good, "{message}: {suggestion:?} leads to {:?}", next.intent);
                let title =
                    answer.intent == Intent::Knowledge && suggestion.label == suggestion.message;
                let entry = next.sources.first().map(|entry| entry.article_id.clone());
                assert!(!title || entry == suggestion.content_id, "{message}: {suggestion:?}");
                followed += 1;
            }
        }
    }
    assert!(followed > 60, "{followed}");
}

/// Whoever nobody is called, nothing breaks, and no fact of another is told as theirs.
#[test]
fn names_that_nobody_has_are_said_to_be_so() {
    let first = known();
    for next in [
        "and the Zorblax Quendor Society",
        "What about Doctors Without Borders?",
        "How about Amnesty International USA",
        "what is the revenue of Zorblax Quendor Society",
        "who runs Zorblax Quendor Society",
        "tell me about Zorblax Quendor Society",
    ] {
        let answer = last(&[first, next]);
        assert!(!answer.message.contains("took in"), "{next}: {}", answer.message);
        assert_eq!(answer.named.and_then(|named| named.ein), None, "{next}");
    }
}

#[test]
fn each_entry_of_the_knowledge_base_answers_to_its_title() {
    for entry in almoner::curated::own_knowledge() {
        let answer = ask(&entry.title, None);
        assert_eq!(answer.intent, Intent::Knowledge, "{}", entry.title);
        // An operator's entry may have the same title.
        let found = almoner::naming::normalise(&answer.sources[0].title);
        assert_eq!(found, almoner::naming::normalise(&entry.title), "{}", entry.title);
    }
    for (message, entry) in [
        ("what can you do?", "kb-what-to-ask"),
        ("¿cómo puedo hacer una donación?", "kb-donate-here-es"),
        ("whats a 501c3", "kb-501c3"),
        ("how do I donate through this site?", "kb-donate-here"),
        ("how do I donate stock", "kb-donate-stock"),
        ("what is a donor advised fund", "kb-donor-advised-fund"),
        ("what does vetted mean", "kb-vetted"),
        ("is my donation tax deductible", "kb-tax-deductible"),
        ("how can I tell if a charity is a scam", "kb-charity-scams"),
    ] {
        let answer = ask(message, None);
        let sources: Vec<&str> = answer.sources.iter().map(|source| &*source.article_id).collect();
        assert!(sources.contains(&entry), "{message}: {sources:?}");
    }
    let more = last(&["what is an EIN?", "tell me more"]);
    assert_eq!(more.message, more.sources[0].content);
}

/// Questions of people who have not read the entries; none stands in them word for word.
#[test]
fn questions_in_other_words_lead_to_the_entry() {
    for (question, entry) in [
        ("whats a 990", "kb-form-990"),
        ("why did a charity lose its tax exempt status", "kb-automatic-revocation"),
        ("how to pick a charity to donate to", "kb-choose-a-charity"),
        ("planned giving", "kb-planned-giving"),
        ("how do i know if a charity is fake", "kb-check-a-charity"),
        ("do i need to keep receipts for my gifts", "kb-receipts"),
        ("can i give from my ira", "kb-ira-qcd"),
        ("what are unrestricted funds", "kb-restricted-gifts"),
        ("why isnt my parish listed", "kb-group-exemption"),
        ("does a charity need to register before asking for money", "kb-state-registration"),
        ("which return does our chess club send in if it took in $44,000", "kb-which-990"),
        (
            "is it normal that the caller wants itunes gift cards for the orphans",
            "kb-gift-card-demand",
        ),
        ("what if the charity in my will shuts down before I die", "kb-charity-closes-first"),
        ("what should we ask a charity before giving them $250,000", "kb-large-gift"),
        (
            "can our foundation give to a business, expenditure responsibility?",
            "kb-expenditure-responsibility",
        ),
        ("¿qué formulario del IRS manda un club que recibe 20,000 al año?", "kb-which-990-es"),
    ] {
        let answer = ask(question, None);
        assert_eq!(answer.intent, Intent::Knowledge, "{question}");
        assert_eq!(answer.sources[0].article_id, entry, "{question}");
    }
}

/// A fact of a year, or of the one that was spoken of, is that year's; what is asked of it next goes
/// by the same nonprofit.
#[test]
fn facts_of_a_year_and_where_they_are_from() {
    let snapshot = &COUNTRY.snapshot;
    let (name, filings) = (0..snapshot.columns.organizations())
        .map(almoner::record::OrgId::new)
        .find_map(|org| {
            let filings = snapshot.records.filings(org).unwrap();
            let organization = snapshot.records.organization(org).unwrap();
            (filings.len() > 2 && filings.iter().all(|one| one.revenue.is_some()))
                .then_some((organization.ein.to_string(), filings))
        })
        .unwrap();
    let [latest, before, ..] = &filings[..] else { unreachable!() };
    let dollars = |filing: &almoner::record::Filing| {
        almoner::record::thousands(filing.revenue.unwrap().dollars().unsigned_abs())
    };
    let year = |filing: &almoner::record::Filing| filing.tax_year.to_string();
    let asked = format!("revenue of {name} in {}", year(before));
    let messages = [
        name.as_str(),
        &asked,
        &format!("and in {}?", year(latest)),
        "where is that from?",
        "and in 1995?",
    ];
    let said: Vec<String> = talk(&messages).into_iter().map(|answer| answer.message).collect();
    assert!(said[1].contains(&dollars(before)), "{said:?}");
    assert!(said[2].contains(&dollars(latest)), "{said:?}");
    assert!(said[3].contains(&format!("Form {}", latest.form)), "{said:?}");
    assert!(said[4].contains("for 1995"), "{said:?}");
    assert!(said[4].contains(&latest.tax_period().unwrap().to_string()), "{said:?}");
}

#[test]
fn facts_are_asked_by_ein_too() {
    let organization = COUNTRY.organizations.iter().find(|one| one.finances.revenue.is_some());
    let ein = organization.unwrap().ein;
    for (message, part) in [
        (format!("what is the revenue of EIN {ein}"), "took in"),
        (format!("is EIN {ein} legit?"), "IRS"),
        (format!("tell me about EIN {ein}"), "(EIN "),
    ] {
        let answer = ask(&message, None);
        assert_eq!(answer.intent, Intent::NonprofitDetails, "{message}");
        assert!(answer.message.contains(part), "{message}: {}", answer.message);
    }
}

#[test]
fn more_goes_on_with_the_last_list() {
    let texas = Frame {
        places: NamedPlace::of(Area { state: "TX".parse().ok(), ..Area::default() })
            .into_iter()
            .collect(),
        ..Frame::default()
    };
    let none = Conversation::default();
    let question = Question {
        message: "schools",
        explicit: &texas,
        earlier: Some(&none),
        language_model: None,
    };
    let first = answer(&COUNTRY.snapshot, &question).unwrap();
    let more = ask("more", Some(&first.next));
    assert_eq!(more.frame.state().unwrap().code(), "TX");
    assert!(more.nonprofits.iter().all(|row| !first.nonprofits.contains(row)));
    // Of articles, not of nonprofits.
    let articles = last(&["food banks in Ohio", "articles about hunger", "more"]);
    assert_eq!(
        (articles.intent, articles.about.as_deref()),
        (Intent::FindArticles, Some("hunger"))
    );
    let fund = last(&["food banks in Ohio", "funds for education", "tell me about the first one"]);
    assert_eq!((fund.intent, fund.funds.len()), (Intent::FindFunds, 1));
}

/// Pieces of messages.
const PIECES: &[&str] = &[
    "food banks",
    "in Ohio",
    "only",
    "what about",
    "Texas",
    "over $1M",
    "vetted",
    "the second one",
    "its revenue",
    "tell me more about",
    "articles about",
    "hunger",
    "funds for",
    "that",
    "thanks",
    "hello",
    "start over",
    "similar to",
    "the first one",
    "show me article 1002",
    "what is an EIN",
    "more",
    "never mind the",
    "state",
    "any size",
    "SDG 4",
    "not",
    "schools",
    "?",
    "🌻",
    "no, I meant",
    "largest",
    "Zorblax Quendor Society",
    "what about Doctors Without Borders",
    "the first fund",
    "970000001",
];

fn messages() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 1..4);
    pieces.prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Sessions of several keys, their messages mixed, each answered as if it were alone.
    #[test]
    fn nothing_leaks_from_one_session_to_another(
        said in prop::collection::vec((0_u128..3, 0_usize..2, messages()), 1..16),
    ) {
        let keys: [Arc<str>; 2] = [Arc::from("one"), Arc::from("two")];
        let (sessions, now) = (Sessions::default(), Instant::now());
        let mut mixed = Vec::new();
        for (session, key, message) in &said {
            let asker = Asker { key: Some(&keys[*key]), client: &keys[*key] };
            let earlier = sessions.get(asker, *session, now).unwrap_or_default();
            let answer = ask(message, Some(&earlier));
            sessions.put(asker, *session, &answer.next, now);
            mixed.push(answer);
        }
        for owner in said.iter().map(|(session, key, _)| (*session, *key)) {
            let mut conversation = Conversation::default();
            for ((session, key, message), answer) in said.iter().zip(&mixed) {
                if (*session, *key) == owner {
                    let alone = ask(message, Some(&conversation));
                    prop_assert_eq!(&alone, answer, "{}", message);
                    conversation = alone.next;
                }
            }
        }
    }

    #[test]
    fn any_message_is_answered(
        message in prop_oneof![messages(), ".{1,256}", "(.{1,80}[ .]){4,20}"],
        before in prop::collection::vec(messages(), 1..4),
    ) {
        let mut earlier = Conversation::default();
        for message in before.iter().map(String::as_str).chain([known()]) {
            earlier = ask(message, Some(&earlier)).next;
        }
        for earlier in [None, Some(&earlier)] {
            let answer = ask(&message, earlier);
            prop_assert!(!answer.message.is_empty());
            let may = may_fill(answer.intent);
            prop_assert!(filled(&answer).iter().all(|member| may.contains(member)), "{:?}", answer);
            for suggestion in &answer.suggestions {
                prop_assert!(!suggestion.message.is_empty() && !suggestion.label.is_empty());
            }
        }
    }
}

#[test]
fn the_command_answers_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let (inputs, data) = (folder.path().join("inputs"), folder.path().join("data"));
    run(&["generate", text(&inputs), "--organizations", "40", "--seed", "7"]).succeeds();
    run(&["build", "--data-dir", text(&data), "--no-semantic", text(&inputs)]).succeeds();
    let one = run(&["chat", "--data-dir", text(&data), "what is an EIN?"]);
    one.succeeds();
    assert!(one.out.contains("from: What is an EIN"), "{}", one.out);
    let none = run(&["chat", "--data-dir", text(&data), "zzyxw qqkj"]);
    none.succeeds();
    assert!(none.out.contains("I did not understand that"), "{}", none.out);
    let long = "x".repeat(2_001);
    let why = "expected a message of 1 to 2000 characters, found 2001";
    run(&["chat", "--data-dir", text(&data), &long]).fails(2, &[why]);
}

/// Nonprofits that the fictional data does not have, the last of them nobody does.
const ABSENT: [&str; 7] = [
    "Sierra Club",
    "Nature Conservancy",
    "St Jude Children's Research Hospital",
    "Kiva",
    "Save the Children",
    "Compassion International",
    "Zorblax Quendor Society",
];

/// A name in the middle of a question is found, and what follows is asked of it.
#[test]
fn names_in_passing_are_found() {
    let name = known();
    for messages in [
        vec!["food banks in Ohio".to_owned(), format!("{name}, that's it. what is its revenue?")],
        vec!["food banks in Ohio".to_owned(), format!("how does it compare with {name}")],
    ] {
        let messages: Vec<&str> = messages.iter().map(String::as_str).collect();
        let answer = last(&messages);
        let names: Vec<&str> =
            answer.nonprofits.iter().map(|row| &*row.organization.name).collect();
        assert!(names.contains(&name), "{messages:?}: {names:?}");
    }
}

#[test]
fn nobody_is_taken_for_another() {
    for name in ABSENT {
        for (message, intent) in [
            (format!("tell me about {name}"), Intent::NonprofitDetails),
            (format!("nonprofits similar to {name}"), Intent::SimilarNonprofits),
            (format!("what is the revenue of {name}?"), Intent::NonprofitDetails),
        ] {
            let answer = ask(&message, None);
            assert_eq!(answer.intent, intent, "{message}");
            let named = answer.named.as_ref();
            assert_eq!(named.and_then(|named| named.ein), None, "{message}");
            let asked = named.and_then(|named| named.name.as_deref()).unwrap_or_default();
            assert_eq!(asked.trim_start_matches("the "), name, "{message}");
            assert!(
                answer.message.starts_with(&format!("I don't know of a nonprofit called “{name}”")),
                "{message}: {}",
                answer.message
            );
        }
    }
}

/// `the three largest` are the first three of those shown in that order.
#[test]
fn as_many_as_are_asked_for_come_first_in_an_order() {
    let answers = talk(&["food banks in Ohio", "what are the three largest of these?"]);
    let revenues = |answer: &Answer| -> Vec<i64> {
        let rows = answer.nonprofits.iter();
        rows.filter_map(|row| row.organization.finances.revenue).map(|usd| usd.dollars()).collect()
    };
    let mut shown = revenues(&answers[0]);
    shown.sort_by_key(|usd| std::cmp::Reverse(*usd));
    shown.truncate(3);
    assert_eq!(revenues(&answers[1]), shown);
}

#[test]
fn what_no_record_says_of_one_is_said_to_be_so() {
    let name = known();
    let said = |asked: &str| last(&[&format!("tell me about {name}"), asked]).message;
    let unsaid = said("can it paint my house");
    assert!(unsaid.starts_with("The IRS's records don't say that"), "{unsaid}");
    let described = said("can you describe it?");
    assert!(described.starts_with(name), "{described}");
}

#[test]
fn nobody_is_called_safest_and_deductible_gifts_are_told() {
    let answer = last(&["food banks in Ohio", "which of those is safest to give to?"]);
    assert!(answer.message.starts_with("I don't rank nonprofits"), "{}", answer.message);
    assert!(answer.message.contains("deductible"), "{}", answer.message);
    assert!(answer.nonprofits.len() > 1);
}

#[test]
fn the_class_of_a_charity_is_told_where_it_is_asked_for() {
    let name = known();
    let answer = last(&[&format!("tell me about {name}"), "what is its foundation class?"]);
    assert!(answer.message.contains("section 509(a)"), "{}", answer.message);
}

#[test]
fn whether_gifts_to_a_kind_are_deductible_is_told_of_no_single_one() {
    for asked in [
        "can I deduct a donation to my church",
        "are gifts to animal shelters deductible",
        "¿puedo deducir una donación a mi iglesia?",
    ] {
        let answer = ask(asked, None);
        assert_eq!(answer.intent, Intent::Knowledge, "{asked}: {}", answer.message);
        assert!(answer.nonprofits.is_empty() && answer.message.contains("501(c)(3)"), "{asked}");
    }
}

#[test]
fn a_kind_alone_keeps_the_place_behind_a_question_about_one() {
    let answer = last(&["food banks in Ohio", "how old is the first one", "animal shelters?"]);
    let state = answer.frame.places.first().and_then(|place| place.state);
    assert_eq!((answer.intent, state.map(State::code)), (Intent::FindNonprofits, Some("OH")));
    assert_eq!(answer.frame.cause.as_deref(), Some("animal shelters"));
}

#[test]
fn a_word_in_capitals_alone_is_looked_up_as_a_name() {
    let answer = last(&["food banks in Ohio", "ZQXV?"]);
    assert_eq!(answer.intent, Intent::NonprofitDetails);
    assert!(answer.message.contains("ZQXV"), "{}", answer.message);
}
