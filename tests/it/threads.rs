//! The thread of a conversation over fictional organizations: whom a message means, and what a list leaves behind.

use almoner::record::{Ein, FilingDuty, Organization};
use almoner::search::chat::{Answer, Intent};

use crate::chat::{last, talk};
use crate::country::COUNTRY;

/// A nonprofit whose name no other has, and no word of which asks for a kind alone.
fn known() -> &'static Organization {
    let all = &COUNTRY.organizations;
    let is_alone = |name: &str| all.iter().filter(|other| other.name == name).count() == 1;
    let found = all.iter().find(|one| {
        one.name.split(' ').count() >= 4 && one.finances.revenue.is_some() && is_alone(&one.name)
    });
    found.unwrap()
}

fn eins(answer: &Answer) -> Vec<Ein> {
    answer.nonprofits.iter().map(|row| row.organization.ein).collect()
}

#[test]
fn a_name_behind_an_opening_is_that_nonprofit() {
    let one = known();
    for asked in ["what about", "Vet", "Now the same check on"] {
        let answer = last(&["food banks in Ohio", &format!("{asked} {}?", one.name)]);
        assert_eq!(eins(&answer), [one.ein], "{asked}: {}", answer.message);
        assert_eq!(answer.intent, Intent::NonprofitDetails);
    }
    let [_, asked, same] = &talk(&[
        "food banks in Ohio",
        "who runs the first one?",
        &format!("and {}?", one.name),
    ])[..] else {
        panic!("three answers")
    };
    assert_eq!(eins(same), [one.ein]);
    assert_ne!(asked.message, same.message);
}

/// A name in a message is its subject, whatever names shown before have of its words.
#[test]
fn who_is_named_is_asked_about_alone() {
    let words = |one: &Organization| -> Vec<String> {
        one.name.to_lowercase().split(' ').map(str::to_owned).collect()
    };
    let all = &COUNTRY.organizations;
    let alone = |name: &str| all.iter().filter(|other| other.name == name).count() == 1;
    let clear = || all.iter().filter(|one| alone(&one.name) && words(one).len() == 3);
    let shares = |one: &Organization, other: &Organization| {
        let (one, other) = (words(one), words(other));
        one[0] != other[0] && one[1..] == other[1..]
    };
    let pair = clear().find_map(|one| Some((one, clear().find(|other| shares(one, other))?)));
    let Some((one, other)) = pair else { panic!("no two names share two of three words") };
    let said =
        talk(&[&format!("tell me about {}", one.name), &format!("is {} legit?", other.name)]);
    assert_eq!(eins(&said[1]), [other.ein], "{} {}: {}", one.name, other.name, said[1].message);
}

/// Who looks for whom to fund gets no foundations.
#[test]
fn who_wants_to_give_gets_those_of_the_cause() {
    for message in [
        "We want to fund food banks for poor families in Ohio",
        "our family foundation would like to support food banks in Ohio",
        "which food banks in Ohio should we fund?",
    ] {
        let answer = last(&[message]);
        assert_eq!(answer.intent, Intent::FindNonprofits, "{message}");
        assert!(answer.frame.cause.is_some(), "{message}: {}", answer.message);
        let is_foundation = |one: &Organization| one.is_private_foundation() == Some(true);
        let rows = answer.nonprofits.iter();
        assert!(!rows.clone().all(|row| is_foundation(&row.organization)), "{message}");
    }
}

#[test]
fn rows_are_taken_away_and_asked_about() {
    let said = talk(&[
        "food banks in Ohio",
        "leave out the first one",
        "are any of them private foundations?",
    ]);
    let (all, left) = (eins(&said[0]), eins(&said[1]));
    assert_eq!(left, all[1..], "{}", said[1].message);
    let shown: Vec<&Organization> =
        COUNTRY.organizations.iter().filter(|one| left.contains(&one.ein)).collect();
    let foundations = shown.iter().filter(|one| one.is_private_foundation() == Some(true)).count();
    assert_eq!(said[2].nonprofits.len(), foundations, "{}", said[2].message);
    let said = talk(&["food banks in Ohio", "drop those that only file the e-postcard"]);
    let is_left = |row: &almoner::search::nonprofits::NonprofitHit| {
        row.organization.finances.filing_duty() != Some(FilingDuty::Postcard)
    };
    assert!(said[1].nonprofits.iter().all(is_left), "{}", said[1].message);
}

#[test]
fn what_was_named_last_and_all_that_was_shown_are_meant() {
    let said =
        talk(&["food banks in Ohio", "which one has the most money?", "the adress of that 1"]);
    assert_eq!(eins(&said[2]), eins(&said[1]), "{}", said[2].message);
    let said = talk(&[
        "food banks in Ohio",
        "food banks in Texas",
        "Of all that you've shown me, which is the oldest?",
    ]);
    let count = said[0].nonprofits.len() + said[1].nonprofits.len();
    assert!(said[2].message.contains(&format!("Of the {count} shown")), "{}", said[2].message);
}

#[test]
fn lists_of_the_same_are_put_together() {
    let said = talk(&["museums in Ohio", "and in Texas?", "Put together, how many is that?"]);
    let states: Vec<&str> =
        said[2].frame.places.iter().filter_map(|place| Some(place.state?.code())).collect();
    assert_eq!(states, ["OH", "TX"], "{}", said[2].message);
}

#[test]
fn a_message_without_a_change_leaves_the_list_and_says_so() {
    let said = talk(&["food banks in Ohio", "hm not sure bout that chief", "only small ones"]);
    assert!(said[1].nonprofits.is_empty(), "{}", said[1].message);
    assert_eq!(said[2].frame.state().unwrap().code(), "OH");
    let said =
        talk(&["food banks in Ohio", "zorblax quendor clinics in Nome", "is it deductible?"]);
    let ohio = eins(&said[0]);
    assert!(!eins(&said[2]).iter().any(|ein| ohio.contains(ein)), "{}", said[2].message);
}

#[test]
fn several_nonprofits_are_answered_side_by_side() {
    let all = &COUNTRY.organizations;
    let alone = |name: &str| all.iter().filter(|other| other.name == name).count() == 1;
    let is_long = |name: &str| name.split(' ').count() >= 3 && !name.contains(['&', ',', '.']);
    let mut those = all.iter().filter(|one| alone(&one.name) && is_long(&one.name));
    let (one, other) = (those.next().unwrap(), those.next().unwrap());
    for message in [
        format!("need to verify {} and {} before friday", one.ein, other.ein),
        format!("please check {}, \"{}\" for me", one.name, other.name),
    ] {
        let answer = last(&[&message]);
        assert_eq!(eins(&answer), [one.ein, other.ein], "{message}: {}", answer.message);
    }
}

#[test]
fn a_number_with_a_kind_counts_in_the_earlier_list_for_it() {
    let answers = talk(&[
        "museums",
        "animal shelters",
        "the first one you gave me for museums, what is its address",
    ]);
    assert_ne!(eins(&answers[0])[0], eins(&answers[1])[0]);
    assert_eq!(eins(&answers[2])[0], eins(&answers[0])[0], "{}", answers[2].message);
}

#[test]
fn signs_of_a_scam_are_answered_with_a_warning_and_a_list_is_not_written_here() {
    let warned = last(&["They want a gift card first. What foundations are there?"]);
    assert!(warned.message.starts_with("Be careful"), "{}", warned.message);
    for message in [
        "export these as csv",
        "put them in a table with EINs I can export",
        "give me that as a spreadsheet",
    ] {
        let errand = last(&["museums", message]);
        assert_eq!((errand.intent, errand.nonprofits.len()), (Intent::Unknown, 0), "{message}");
        assert!(errand.message.contains("Search"), "{message}: {}", errand.message);
    }
}

/// Who is compared with a name that nobody bears is told of alone, and no stranger of the list beside.
#[test]
fn nobody_is_compared_in_place_of_an_unknown_name() {
    let one = known();
    let said = talk(&[
        "food banks in Ohio",
        &format!("tell me about {}", one.name),
        "is it bigger than the Zorblax Quendor Trust?",
    ]);
    assert_eq!(eins(&said[2]), [one.ein], "{}", said[2].message);
}

#[test]
fn a_kind_within_a_count_leaves_the_count_as_it_is() {
    let said = talk(&[
        "how many nonprofits are there in Ohio?",
        "does that include churches?",
        "and in Texas?",
    ]);
    let texas = last(&["how many nonprofits are there in Texas?"]);
    assert_eq!(said[2].message, texas.message);
    assert_ne!(said[1].message, said[2].message);
}

#[test]
fn an_ein_that_is_told_says_whose_it_is() {
    let one = known();
    let answer = last(&["food banks in Ohio", &format!("they gave me the EIN {}", one.ein)]);
    assert_eq!(eins(&answer), [one.ein], "{}", answer.message);
    assert!(answer.message.contains(&one.name), "{}", answer.message);
}

#[test]
fn how_far_the_first_one_is_is_told_in_miles() {
    let said = talk(&["museums in Ohio", "how far is the first one from Columbus, Ohio"]);
    assert_eq!(eins(&said[1]), eins(&said[0])[..1], "{}", said[1].message);
    assert!(said[1].message.contains(" miles from Columbus"), "{}", said[1].message);
}

/// Questions that are answered apart, each beside one that only has words of it.
#[test]
fn what_is_asked_apart_is_told_from_what_has_its_words() {
    for (asked, beside, said) in [
        ("what is 211", "food banks in Ohio with revenue above 211 thousand", "Call 211"),
        ("does medicaid pay for rides", "do churches pay social security taxes", "public program"),
        (
            "where does a dollar do more good, here or overseas",
            "museums in Ohio that do more good",
            "judgment",
        ),
        (
            "somebody called me asking for money for a fund, is it a scam",
            "somebody called me about the museum in Ohio",
            "I can't tell who it was",
        ),
        (
            "if I leave them money in my will is that deductible",
            "will a gift to a museum be deductible",
            "not deducted from income tax",
        ),
    ] {
        let (asked, beside) = (last(&[asked]).message, last(&[beside]).message);
        assert!(asked.contains(said), "{said}: {asked}");
        assert!(!beside.contains(said), "{said}: {beside}");
    }
}

#[test]
fn who_is_unknown_is_not_answered_with_who_was_spoken_of() {
    let one = known();
    let said = talk(&[
        &format!("tell me about {}", one.name),
        "Is it safe to give to Zorblax Orphans Relief of Quendor?",
        "is it legit",
    ]);
    for answer in &said[1..] {
        assert!(!answer.message.contains(&one.name), "{}", answer.message);
    }
    // Without another name it is the one spoken of.
    let said = talk(&[&format!("tell me about {}", one.name), "Is it safe to give to them?"]);
    assert!(said[1].message.contains(&one.name), "{}", said[1].message);
}

#[test]
fn trust_gets_no_yes_for_being_listed() {
    let one = known();
    for (asked, yes) in [("is it safe to give to {}?", false), ("is {} tax exempt?", true)] {
        let answer = last(&[&asked.replace("{}", &one.name)]);
        assert_eq!(answer.message.starts_with("Yes"), yes, "{}", answer.message);
    }
}

#[test]
fn general_questions_are_explained_or_declined() {
    for (asked, is_known) in [
        ("how do I volunteer when I am under 18?", true),
        ("what does assisted living cost in a year?", true),
        ("how long does it take to get a passport", false),
        ("how do I write a bequest into my will", true),
        // Names somebody, and nothing answers it.
        ("What does QuickBooks cost, and is there something free that isn't garbage?", false),
        // One of two questions is answered.
        ("What is a qualified charitable distribution, and how would they go about one?", true),
    ] {
        let message = last(&[asked]).message;
        let is_declined = message.starts_with("Nothing I have explains that");
        assert_eq!(is_declined, !is_known, "{asked}: {message}");
    }
}

#[test]
fn foundations_that_take_applications_are_sought_anew() {
    let said = talk(&["museums in Ohio", "which foundations in Texas take applications?"]);
    assert!(!said[1].message.contains("museum"), "{}", said[1].message);
    assert!(said[1].message.contains("applications"), "{}", said[1].message);
}

#[test]
fn a_list_gone_back_to_is_asked_about_at_once() {
    let said = talk(&[
        "museums in Ohio",
        "food banks in Texas",
        "back to the museums: how big is the first one",
    ]);
    assert_eq!(eins(&said[2])[..1], eins(&said[0])[..1], "{}", said[2].message);
    assert_eq!(eins(&said[2]).len(), 1, "{}", said[2].message);
}

/// What is asked of somebody's work is told of the one spoken of, whoever has the words in a name.
#[test]
fn what_one_does_is_told_of_the_one_spoken_of() {
    let one = known();
    let about = format!("tell me about {}", one.name);
    for asked in [
        "does it help kids",
        "do they have a diaper program",
        "is it really a hospice",
        "and does it work with veterans?",
        "does it serve Cleveland",
        "do they charge",
    ] {
        let answer = last(&[&about, asked]);
        assert_eq!(eins(&answer), [one.ein], "{asked}: {}", answer.message);
        let says = ["say nothing of", "mentions", "may well be", "don't say which", "charges"];
        assert!(says.iter().any(|said| answer.message.contains(said)), "{asked}: {answer:?}");
    }
    for asked in [
        "is it a private foundation",
        "does it have a board",
        "is it the biggest food bank in Ohio",
        "do they take donations",
        "does it have 501c3 status",
        "is it still active",
    ] {
        let answer = last(&[&about, asked]);
        assert!(!answer.message.contains("little of services"), "{asked}: {}", answer.message);
    }
}
