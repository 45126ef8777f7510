//! Questions about money, people and relations in the chat and as a hint of the beta search, over fictional
//! returns.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

use std::sync::LazyLock;

use almoner::record::{OrgId, Organization};
use almoner::search::chat::{Answer, Intent, Question, answer};
use almoner::search::family::{Family, family};
use almoner::search::grants::{self, Basis, Direction, NonprofitQuery};
use almoner::search::listing::Paging;
use almoner::search::people;
use almoner::snapshot::Snapshot;
use almoner::understand::{Conversation, Frame, Lookup, Names};

use crate::fixture::{run, text};

/// Organizations of which many filed returns that list grants, people and relations.
struct Payers {
    folder: tempfile::TempDir,
    snapshot: Snapshot,
    /// Those that their name surely means, and no other.
    organizations: Vec<Organization>,
}

static PAYERS: LazyLock<Payers> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let (inputs, data) = (folder.path().join("inputs"), folder.path().join("data"));
    run(&["generate", text(&inputs), "--organizations", "4000", "--seed", "9"]).succeeds();
    run(&["build", "--no-semantic", "--data-dir", text(&data), text(&inputs)]).succeeds();
    let snapshot = almoner::snapshot::open(&data).unwrap();
    let all = (0..snapshot.columns.organizations()).map(OrgId::new);
    let filers = all.filter(|org| !snapshot.records.filings(*org).unwrap().is_empty());
    let organizations = filers.map(|org| snapshot.records.organization(org).unwrap());
    let is_sure = |one: &Organization| {
        Lookup::of(&snapshot)
            .named(&one.name)
            .unwrap()
            .sure()
            .is_some_and(|found| found.ein == one.ein)
    };
    let organizations = organizations.filter(is_sure).collect();
    Payers { folder, snapshot, organizations }
});

const PAGE: Paging = Paging { page: 1, size: 100 };

fn ask(message: &str, earlier: Option<&Conversation>) -> Answer {
    let explicit = Frame::default();
    answer(
        &PAYERS.snapshot,
        &Question { message, explicit: &explicit, earlier, language_model: None },
    )
    .unwrap()
}

fn grants_of(one: &Organization, direction: Direction) -> grants::NonprofitGrants {
    let asked = NonprofitQuery {
        ein: one.ein,
        direction,
        year: None,
        stage: almoner::record::GrantStage::Paid,
        min_amount: None,
        state: None,
        words: None,
        paging: PAGE,
    };
    grants::nonprofit_grants(&PAYERS.snapshot, &asked).unwrap().unwrap()
}

fn first(holds: impl Fn(&Organization) -> bool) -> &'static Organization {
    PAYERS.organizations.iter().find(|one| holds(one)).unwrap()
}

/// An answer on the one nonprofit that is meant.
fn answer_on(one: &Organization, message: &str) -> String {
    let answer = ask(message, None);
    assert_eq!(answer.intent, Intent::NonprofitDetails, "{message}");
    let ein = answer.named.and_then(|named| named.ein);
    assert_eq!(ein, Some(one.ein), "{message}: {}", answer.message);
    assert_eq!(answer.nonprofits.len(), 1);
    answer.message
}

#[test]
fn grants_are_those_of_the_one_that_is_named() {
    let grantor = first(|one| grants_of(one, Direction::Made).list.page.total > 1);
    let found = grants_of(grantor, Direction::Made).list;
    let largest = found.page.rows.iter().filter_map(|row| row.grant.amount()).max().unwrap();
    let said = answer_on(grantor, &format!("largest grants of {}", grantor.name));
    assert!(said.contains(&format!("{} grants made by", found.page.total)), "{said}");
    assert!(said.contains(&dollars(largest.dollars())), "{said}");
    let year = found.page.rows[0].grant.tax_year;
    let said = answer_on(grantor, &format!("grants made by {} in {year}", grantor.name));
    assert!(said.contains(&format!("in {year}")), "{said}");
    let said = answer_on(grantor, &format!("grants made by {} in 1999", grantor.name));
    assert!(said.contains("list no grants made in 1999"), "{said}");

    let recipient = first(|one| grants_of(one, Direction::Received).list.page.total > 0);
    let found = grants_of(recipient, Direction::Received).list;
    let said = answer_on(recipient, &format!("who gave money to {}", recipient.name));
    assert!(said.contains(&found.page.rows[0].grantor_name) || found.page.total > 3, "{said}");
    // Nobody is said to have received nothing.
    let unknown = first(|one| grants_of(one, Direction::Received).basis == Basis::NotLoaded);
    let said = answer_on(unknown, &format!("grants received by {}", unknown.name));
    assert!(said.starts_with("No return loaded here lists a grant to"), "{said}");
}

/// A place in a question about grants is that of recipients.
#[test]
fn grants_are_those_to_recipients_in_the_place() {
    let state_of = |one: &Organization| {
        let found = grants_of(one, Direction::Made).list.page;
        let states: Vec<_> = found.rows.iter().filter_map(|row| row.grant.state).collect();
        let state = *states.first()?;
        let there = states.iter().filter(|own| **own == state).count();
        (there < states.len() && found.total == found.rows.len() as u64).then_some((state, there))
    };
    let grantor = first(|one| state_of(one).is_some());
    let (state, count) = state_of(grantor).unwrap();
    let before = ask(&format!("tell me about {}", grantor.name), Some(&Conversation::default()));
    for message in [
        format!("what did it fund in {}?", state.name()),
        format!("what grants did {} make in {}", grantor.name, state.name()),
    ] {
        let said = ask(&message, Some(&before.next)).message;
        let grants = if count == 1 { "1 grant ".to_owned() } else { format!("{count} grants ") };
        assert!(said.contains(&grants), "{message}: {said}");
        assert!(said.contains(&format!("to recipients in {}", state.name())), "{message}: {said}");
    }
    let said = ask("what did it fund in Kenya?", Some(&before.next)).message;
    assert!(said.contains("can't narrow grants to “Kenya”"), "{said}");
}

/// Without the list of revocations nobody is named, nor is it said that there is nobody.
#[test]
fn lost_exemptions_are_not_told_without_their_list() {
    let folder = tempfile::tempdir().unwrap();
    let (inputs, data) = (folder.path().join("inputs"), folder.path().join("data"));
    run(&["generate", text(&inputs), "--organizations", "60", "--seed", "3"]).succeeds();
    std::fs::remove_file(inputs.join("data-download-revocation.txt")).unwrap();
    run(&["build", "--no-semantic", "--data-dir", text(&data), text(&inputs)]).succeeds();
    let snapshot = almoner::snapshot::open(&data).unwrap();
    let explicit = Frame::default();
    for message in [
        "Has any Ohio nonprofit lost its tax exemption recently?",
        "Were any charities in Ohio revoked this year?",
        "how many foundations in Texas lost their tax-exempt status",
    ] {
        let asked = Question { message, explicit: &explicit, earlier: None, language_model: None };
        let said = answer(&snapshot, &asked).unwrap();
        assert!(said.nonprofits.is_empty(), "{message}");
        assert!(said.message.contains("is not loaded here"), "{message}: {}", said.message);
    }
}

fn dollars(amount: i64) -> String {
    format!("${}", almoner::record::thousands(amount.unsigned_abs()))
}

#[test]
fn funders_are_those_of_a_cause() {
    for message in ["who funds food assistance", "which foundations fund food assistance programs"]
    {
        let answer = ask(message, None);
        assert_eq!(answer.intent, Intent::FindNonprofits, "{message}: {}", answer.message);
        assert!(answer.message.contains("loaded here list"), "{message}: {}", answer.message);
    }
    let answer = ask("who funds food assistance", None);
    assert!(answer.message.starts_with("The returns loaded here list"), "{}", answer.message);
    let first = &answer.nonprofits[0].organization;
    let total = grants_of(first, Direction::Made);
    assert_eq!(total.basis, Basis::Listed, "{}", first.name);
    let answer = ask("who funds zorblax research", None);
    assert!(answer.nonprofits.is_empty(), "{}", answer.message);
    assert!(answer.message.starts_with("No return loaded here lists grants"), "{}", answer.message);
}

fn people_of(one: &Organization) -> people::NonprofitPeople {
    let order = people::PeopleOrder::Form;
    let asked = people::NonprofitQuery { ein: one.ein, year: None, order, paging: PAGE };
    people::nonprofit_people(&PAYERS.snapshot, &asked).unwrap().unwrap()
}

#[test]
fn people_are_those_of_the_return() {
    let paid = |one: &almoner::record::Person| one.compensation.map_or(0, |usd| usd.dollars());
    let one = first(|one| people_of(one).page.rows.iter().any(|person| paid(person) > 0));
    let found = people_of(one);
    let year = found.years[0];
    let said = answer_on(one, &format!("who is on the board of {}", one.name));
    assert!(said.contains(&format!("By the return for {year}, {}", one.name)), "{said}");
    assert!(found.page.rows.iter().any(|person| said.contains(&person.name)), "{said}");
    let said = answer_on(one, &format!("how much does the CEO of {} make", one.name));
    let best = found.page.rows.iter().filter(|row| row.tax_year == year).map(paid).max().unwrap();
    assert!(best == 0 || said.contains('$'), "{said}");
    let said = answer_on(one, &format!("who was on the board of {} in 1999", one.name));
    assert!(said.ends_with("not for 1999."), "{said}");
    // The next question is of the same.
    let before = ask(&format!("tell me about {}", one.name), Some(&Conversation::default()));
    let next = ask("who sits on its board?", Some(&before.next));
    assert_eq!(next.named.unwrap().ein, Some(one.ein));
    assert!(next.message.starts_with("By the return for"), "{}", next.message);
}

/// What somebody makes is their pay, and not what the nonprofit takes in.
#[test]
fn the_pay_of_an_officer_is_no_revenue() {
    let pay = |one: &Organization| {
        let found = people_of(one);
        let year = *found.years.first()?;
        let mut rows = found.page.rows.into_iter().filter(|row| row.tax_year == year);
        let leads = |row: &almoner::record::Person| {
            row.title
                .as_deref()
                .is_some_and(|title| title.eq_ignore_ascii_case("executive director"))
        };
        rows.find(leads)?.compensation.map(|usd| usd.dollars()).filter(|usd| *usd > 0)
    };
    let one = first(|one| pay(one).is_some());
    let amount = dollars(pay(one).unwrap());
    let before = ask(&format!("tell me about {}", one.name), Some(&Conversation::default()));
    for message in [
        "how much does its director make?",
        "what does its CEO earn",
        "how much is their executive director paid",
        "¿cuánto gana su directora?",
    ] {
        let next = ask(message, Some(&before.next));
        assert_eq!(next.named.unwrap().ein, Some(one.ein), "{message}");
        let said = next.message;
        assert!(said.contains(&amount) && !said.contains("took in"), "{message}: {said}");
    }
    let said = answer_on(one, &format!("how much does {}'s director make?", one.name));
    assert!(said.contains(&amount), "{said}");
}

#[test]
fn families_and_peers_are_told() {
    let family = |one: &Organization| -> Family {
        family(&PAYERS.snapshot, one.ein, PAGE).unwrap().unwrap()
    };
    let one = first(|one| family(one).relations.rows.iter().any(|row| row.listed_by.is_some()));
    let filer = family(one).relations.rows.iter().find_map(|row| row.listed_by.clone()).unwrap();
    let said = answer_on(one, &format!("what is the parent organization of {}", one.name));
    assert!(said.contains("lists it as related"), "{said}");
    assert!(said.contains(&filer), "{said}");
    let one = first(|one| {
        let found = almoner::search::peers::compare(&PAYERS.snapshot, one.ein).unwrap().unwrap();
        found.ratios.is_some_and(|(_, all)| all.iter().any(|ratio| ratio.median.is_some()))
    });
    let said = answer_on(one, &format!("how does {} compare with its peers", one.name));
    assert!(said.contains("similar groups") && said.contains("median"), "{said}");
}

/// Who is not surely meant is asked for, and no question is answered of another.
#[test]
fn nobody_is_taken_for_another() {
    for message in [
        "grants to the Zorblax Quendor Society",
        "who is on the board of the Zorblax Quendor Society",
        "how does the Zorblax Quendor Society compare with its peers",
    ] {
        let answer = ask(message, None);
        assert_eq!(answer.named.and_then(|named| named.ein), None, "{message}");
        assert!(answer.message.contains("Zorblax"), "{message}: {}", answer.message);
    }
    for message in ["food banks in Ohio", "youth sports", "largest museums in Texas"] {
        let answer = ask(message, None);
        assert_eq!(answer.intent, Intent::FindNonprofits, "{message}");
        assert!(!answer.message.contains("loaded here"), "{message}: {}", answer.message);
    }
}

/// What a pronoun means is the last one that was answered about, whatever was asked of it; an adjective of the question
/// names nobody, and candidates of a name that nobody has are no subject.
#[test]
fn the_subject_stays_until_another_is_named() {
    let one = first(|one| grants_of(one, Direction::Made).list.page.total > 1);
    let mut conversation = Conversation::default();
    for message in [
        &*format!("tell me about {}", one.name),
        "is it financially healthy?",
        "is it solvent",
        "how do I apply?",
        "how much did it give each year?",
        "how about its net assets?",
        "what is its surplus?",
        "who funds it?",
        "is it a 501(c)(3)?",
        "can I give to it safely?",
        "did it run a deficit in 1999?",
    ] {
        let answer = ask(message, Some(&conversation));
        let ein = answer.named.and_then(|named| named.ein);
        assert_eq!(ein, Some(one.ein), "{message}: {}", answer.message);
        conversation = answer.next;
    }
    let unknown = ask("tell me about the Zorblax Quendor Society", Some(&conversation));
    let next = ask("how many employees does it have?", Some(&unknown.next));
    assert_eq!(next.named.and_then(|named| named.ein), Some(one.ein), "{}", next.message);
    // Without anybody before, nobody is meant.
    let unknown = ask("tell me about the Zorblax Quendor Society", None);
    let next = ask("how many employees does it have?", Some(&unknown.next));
    assert_eq!(next.named, None, "{}", next.message);
    assert!(next.message.starts_with("I don't know which nonprofit"), "{}", next.message);
}

#[test]
fn applications_are_told_by_the_return() {
    let filings = |one: &Organization| {
        let org = PAYERS.snapshot.columns.org_of(one.ein).unwrap().unwrap();
        PAYERS.snapshot.records.filings(org).unwrap()
    };
    let latest = |one: &Organization| {
        let postures = filings(one).into_iter().filter_map(|filing| filing.posture);
        postures.filter_map(|posture| posture.accepts_applications()).next()
    };
    for (accepts, part) in [
        (Some(true), "takes applications"),
        (Some(false), "takes no unsolicited applications"),
        (None, "only Form 990-PF says so"),
    ] {
        let one = first(|one| latest(one) == accepts);
        let said = answer_on(one, &format!("Does {} accept applications?", one.name));
        assert!(said.contains(part), "{said}");
        assert!(!said.contains("hours or how to sign up"), "{said}");
    }
}

#[test]
fn people_are_found_by_their_names() {
    let one = first(|one| people_of(one).page.rows.iter().any(|person| !person.is_business));
    let found = people_of(one).page.rows;
    let person = found.iter().find(|person| !person.is_business).unwrap();
    for message in [
        format!("Which boards does {} sit on?", person.name),
        format!("what other boards is {} on", person.name),
    ] {
        let answer = ask(&message, None);
        assert!(answer.message.contains("different people"), "{message}: {}", answer.message);
        assert!(!answer.nonprofits.is_empty());
        for row in &answer.nonprofits {
            let mut people = people_of(&row.organization).page.rows.into_iter();
            assert!(
                people.any(|other| other.name.eq_ignore_ascii_case(&person.name)),
                "{}",
                row.organization.name
            );
        }
    }
    let answer = ask("which boards does Zorblax Quendor sit on?", None);
    assert!(
        answer.message.starts_with("No return that is loaded here names"),
        "{}",
        answer.message
    );
}

/// An amount that the asker gives is no filter, and who funds one nonprofit is no fund.
#[test]
fn gifts_errands_and_funders_of_one() {
    let one = first(|one| one.finances.revenue.is_some());
    let name = &one.name;
    for message in
        [format!("Should we give $25,000 to {name}?"), format!("We want to give $10,000 to {name}")]
    {
        let said = answer_on(one, &message);
        assert!(said.contains(&format!("/nonprofits/reliance/{}", one.ein)), "{message}: {said}");
    }
    let answer = ask("I want to donate $500 to food banks in Ohio", None);
    assert_eq!(answer.intent, Intent::FindNonprofits);
    assert!(!answer.message.contains("$500"), "{}", answer.message);
    let said = answer_on(one, &format!("who funds {name}"));
    assert!(said.contains("loaded here list"), "{said}");
    for message in
        ["Can you write the grant agreement for me and wire the money?", "please draft a letter"]
    {
        let answer = ask(message, None);
        assert_eq!(answer.intent, Intent::Unknown, "{message}");
        assert!(answer.message.contains("do nothing in your name"), "{}", answer.message);
    }
}

#[test]
fn a_comparison_is_by_the_figure_that_is_asked_for() {
    let mut two = PAYERS.organizations.iter().filter(|one| one.finances.expenses.is_some());
    let (one, other) = (two.next().unwrap(), two.next().unwrap());
    for (figure, label) in [("surplus", "Surplus: "), ("program share", "Spent on programs: ")] {
        let message = format!("compare the {figure} of {} and {}", one.name, other.name);
        let answer = ask(&message, None);
        let mut eins: Vec<_> = answer.nonprofits.iter().map(|row| row.organization.ein).collect();
        eins.sort_unstable();
        assert_eq!(eins, [one.ein.min(other.ein), one.ein.max(other.ein)], "{}", answer.message);
        assert!(answer.message.contains(label), "{}", answer.message);
        assert!(!answer.message.contains("Exempt since"), "{}", answer.message);
    }
}

/// The beta search offers the endpoint that answers a question, and finds what it found before.
#[test]
fn a_search_says_which_endpoint_answers() {
    let data = PAYERS.folder.path().join("data");
    let get = |path: &str| {
        let found = run(&["get", "--data-dir", text(&data), path]);
        assert_eq!(found.code, Some(0), "{path}: {found:?}");
        found.json()
    };
    let question = |q: &str| {
        let q: String = form_urlencoded::byte_serialize(q.as_bytes()).collect();
        let found = get(&format!("/beta/nonprofits/search?q={q}"));
        found["intentDetails"]["llm_response"]["arguments"]["question"].clone()
    };
    let asked = question("who funds food assistance in Ohio");
    assert_eq!(asked["intent"], "funders");
    let path = asked["path"].as_str().unwrap();
    assert!(path.starts_with("/funders/search?") && path.contains("recipient_state=OH"), "{path}");
    assert!(get(path)["items"].is_array());
    let one = first(|one| people_of(one).page.total > 0);
    let asked = question(&format!("who is on the board of {}", one.name));
    assert_eq!(asked["path"], format!("/nonprofits/people/{}", one.ein));
    assert!(get(asked["path"].as_str().unwrap())["items"].is_array());
    // Neither the name of the funder nor the verb is what its grants are for.
    let grantor = first(|one| grants_of(one, Direction::Made).list.page.total > 1);
    let asked = question(&format!("nonprofits that received grants from {} in Ohio", grantor.name));
    let path = format!("/nonprofits/grants/{}?direction=made&state=OH", grantor.ein);
    assert_eq!(asked["path"], path);
    assert!(question("food banks in Ohio").is_null());
}
