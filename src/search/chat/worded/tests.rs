//! Which words decide what a message asks for.

use super::*;
use crate::reader::Reader;
use crate::search::chat::message;

#[test]
fn who_asks_whether_there_is_anybody_says_nothing_to_find() {
    for (text, expected) in [
        ("Is there any organization?", true),
        ("¿Hay alguna organización?", true),
        ("are there any groups", true),
        ("is there any food bank", false),
        ("who runs it", false),
    ] {
        assert_eq!(asks_for_any(text), expected, "{text}");
    }
}

#[test]
fn words_decide() {
    use DialogueAct as Ask;
    let reader = Reader::shared().unwrap();
    let check = |text: &str, known: &[Known], expected: Option<Ask>| {
        let message = message::read(reader, text, known).unwrap();
        assert_eq!(act_of(text, &message, known), expected, "{text}: {:?}", message.spans);
    };
    for (text, expected) in [
        ("Please draft the award letter and send the check", Some(Ask::Errand)),
        ("can you write the agreement for me", Some(Ask::Errand)),
        ("how do I send a check to them", None),
        ("What other boards does Jane Roe sit on?", Some(Ask::Boards)),
        ("who is on the board of Maple River Food Shelf", None),
        ("Should we give $25,000 to Maple River Food Shelf?", Some(Ask::Vetting)),
        ("food banks with revenue over $25,000", None),
        ("foundations that give $25,000 or more to schools", None),
        ("I want to find food banks with a budget of $25,000", None),
        ("associations of school boards in Ohio", None),
        ("please send the list of food banks in Ohio", None),
        ("Who funds food banks in Kentucky?", Some(Ask::Funders)),
        ("¿Quién financia bancos de alimentos en Texas?", Some(Ask::Funders)),
        ("who supports animal shelters in Oregon", Some(Ask::Funders)),
        ("food banks in Kentucky", None),
        ("We want to fund preschools for poor children in Ohio", Some(Ask::Search)),
        ("We would like to support dance companies in Vermont", Some(Ask::Search)),
        ("how do I apply for tax-exempt status", None),
        ("can our foundation fund Maple River Food Shelf?", Some(Ask::Vetting)),
        ("can a foundation make a grant to a 501(c)(4)?", None),
        ("who did the first one give to, and how much?", Some(Ask::GrantsMade)),
        ("who does the first one get grants from", None),
        ("Vet Maple River Food Shelf for a $5,000 grant", Some(Ask::Vetting)),
        ("vets in Wichita", None),
        ("put them in a table with EINs I can export", Some(Ask::Errand)),
        ("give me that as a spreadsheet", Some(Ask::Errand)),
        ("can I download this list?", Some(Ask::Errand)),
        ("can I download its Form 990 as a pdf", None),
        ("I need a spreadsheet of museums in Ohio", None),
        ("who gave the most in Kentucky", Some(Ask::Funders)),
        ("the biggest funders in Ohio", Some(Ask::Funders)),
        ("who do I report this to", Some(Ask::Knowledge)),
        ("if a group is not on your list does that mean it was revoked", Some(Ask::Knowledge)),
    ] {
        check(text, &[], expected);
    }
}

#[test]
fn words_decide_about_the_one_spoken_of() {
    use DialogueAct as Ask;
    let reader = Reader::shared().unwrap();
    let known = [Known::Started, Known::ShownOne];
    for (text, expected) in [
        ("is it financially healthy?", Some(Ask::Health)),
        ("is it solvent", Some(Ask::Health)),
        ("in good shape?", Some(Ask::Health)),
        ("what is its surplus?", Some(Ask::Surplus)),
        ("did it run a deficit in 2022?", Some(Ask::Surplus)),
        ("how do we apply?", Some(Ask::Applications)),
        ("does it take unsolicited proposals", Some(Ask::Applications)),
        ("how much did it give each year?", Some(Ask::GrantsMade)),
        ("how about its net assets?", None),
        ("how much did it spend on fundraising?", Some(Ask::Lines)),
        ("what share of its income is government grants", Some(Ask::Lines)),
        ("does it hold fundraising events", None),
        ("do they have lobbying expenses?", Some(Ask::Lines)),
        ("who got the most money from them?", Some(Ask::GrantsMade)),
        ("¿quiénes recibieron más de ellos?", Some(Ask::GrantsMade)),
        ("who gave it the most", Some(Ask::GrantsReceived)),
        ("how much did the first one give?", Some(Ask::GrantsMade)),
        ("how much could I give it?", None),
        ("can I give to it safely?", Some(Ask::Vetting)),
        ("can we safely donate to them", Some(Ask::Vetting)),
        ("should I give to it?", Some(Ask::Vetting)),
        ("can we give it a grant?", Some(Ask::Vetting)),
        ("we are a private foundation, can we fund it", Some(Ask::Vetting)),
        ("is it eligible for a grant", Some(Ask::Vetting)),
        ("did it fund anything in Ohio", Some(Ask::GrantsMade)),
        ("which officers earned the most?", Some(Ask::Pay)),
        ("how much does its director make?", Some(Ask::Pay)),
        ("what does their CEO earn", Some(Ask::Pay)),
        ("and its president's salary?", Some(Ask::Pay)),
        ("¿cuánto gana su directora?", Some(Ask::Pay)),
        ("who is the best paid employee", Some(Ask::Pay)),
        ("can they take donations", Some(Ask::Donate)),
        ("could I give THEM money", Some(Ask::Donate)),
        ("I heard the boss makes half a million, is that true?", Some(Ask::Pay)),
        ("is it safe", Some(Ask::Vetting)),
        ("if I give them $50 can I deduct it", Some(Ask::Deductible)),
        ("does it have reserves", Some(Ask::Health)),
        ("and in Reno?", Some(Ask::Change)),
        ("¿y alguna en Las Cruces?", Some(Ask::Change)),
    ] {
        let message = message::read(reader, text, &known).unwrap();
        assert_eq!(act_of(text, &message, &known), expected, "{text}: {:?}", message.spans);
    }
}

#[test]
fn what_those_shown_do_is_asked_of_them() {
    let reader = Reader::shared().unwrap();
    let known = [Known::Started, Known::Cause, Known::Place, Known::ShownNonprofits];
    for (text, expected) in [
        ("any of them for veterans?", Some(DialogueAct::Which)),
        ("which of these have less than 500k", Some(DialogueAct::Which)),
        ("does any of them give legal help?", Some(DialogueAct::Which)),
        ("how many of these help veterans", None),
        ("which of those is the largest", None),
        ("veterans groups in Reno", None),
    ] {
        let message = message::read(reader, text, &known).unwrap();
        let found = act_of(text, &message, &known).filter(|act| *act == DialogueAct::Which);
        assert_eq!(found, expected, "{text}: {:?}", message.spans);
    }
}

#[test]
fn a_bound_alone_narrows_the_list() {
    let reader = Reader::shared().unwrap();
    let known = [Known::Started, Known::Place, Known::ShownNonprofits];
    for (text, expected) in [
        ("over 1 million", Some(DialogueAct::Change)),
        ("más de 500 mil", Some(DialogueAct::Change)),
        ("how much is over 1 million", None),
    ] {
        let message = message::read(reader, text, &known).unwrap();
        assert_eq!(act_of(text, &message, &known), expected, "{text}: {:?}", message.spans);
    }
}

#[test]
fn sums_are_asked_for_at_the_beginning() {
    let reader = Reader::shared().unwrap();
    for (text, expected) in [
        ("total assets of museums in Rhode Island", true),
        ("what is the combined revenue of hospitals in Maine", true),
        ("museums in Maine with total assets over $1 million", false),
        ("show me charities with total assets over $1 million", false),
    ] {
        let message = message::read(reader, text, &[]).unwrap();
        assert_eq!(asks_for_sum(text, &message), expected, "{text}");
    }
}

#[test]
fn facts_side_by_side_are_of_one_nonprofit() {
    use DialogueAct as Ask;
    let reader = Reader::shared().unwrap();
    let asked = |text: &str, known: &[Known]| {
        let message = message::read(reader, text, known).unwrap();
        facts_of(text, &message, known)
    };
    let one = [Known::Started, Known::ShownOne];
    assert_eq!(asked("ein and revenue please", &one), [Ask::Ein, Ask::Revenue]);
    assert_eq!(asked("its assets and distributions", &one), [Ask::Assets, Ask::Lines]);
    assert!(asked("ein and revenue please", &[]).is_empty());
    assert!(asked("compare its revenue and expenses with theirs", &one).is_empty());
}
