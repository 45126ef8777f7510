//! Counts, sums and groups in conversations: each number against the records.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

use std::collections::BTreeMap;

use almoner::record::{Ein, Filing, OrgId, Organization, Subsection, Usd, thousands};
use almoner::search::chat::Answer;
use almoner::search::nonprofits::NonprofitHit;

use crate::chat::{last, talk};
use crate::country::COUNTRY;

fn in_state(code: &str) -> impl Iterator<Item = &Organization> {
    let is_there =
        move |one: &&Organization| one.address.state.is_some_and(|state| state.code() == code);
    COUNTRY.organizations.iter().filter(is_there)
}

/// The two states with most organizations: their codes and names.
fn states() -> [(&'static str, &'static str); 2] {
    let mut counts: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for state in COUNTRY.organizations.iter().filter_map(|one| one.address.state) {
        counts.entry(state.code()).or_insert((0, state.name())).0 += 1;
    }
    let mut all: Vec<_> = counts.into_iter().collect();
    all.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    [(all[0].0, all[0].1.1), (all[1].0, all[1].1.1)]
}

fn dollars(amount: i64) -> String {
    format!("${}", thousands(amount.unsigned_abs()))
}

fn assert_says(said: &str, parts: &[String]) {
    for part in parts {
        assert!(said.contains(part), "{part} is missing: {said}");
    }
}

#[test]
fn several_states_are_counted_and_added_up_each() {
    let [(one, one_name), (other, other_name)] = states();
    let question = format!(
        "nonprofits in {one_name} vs {other_name}, how many each and how much assets in total"
    );
    let said = last(&[&question]).message;
    for (code, name) in [(one, one_name), (other, other_name)] {
        let sum: i64 = in_state(code).filter_map(|one| one.finances.assets).map(Usd::dollars).sum();
        let item = format!("{name}: {}, {} in assets", in_state(code).count(), dollars(sum));
        assert_says(&said, &[item]);
    }
}

#[test]
fn what_was_counted_is_broken_down_and_asked_about_again() {
    let [(one, one_name), (other, other_name)] = states();
    let charities = |code| {
        in_state(code).filter(|one| one.exemption.subsection == Some(Subsection::CHARITABLE))
    };
    let arts = |code| {
        charities(code).filter(|one| one.ntee.is_some_and(|code| code.as_str().starts_with('A')))
    };
    let messages = [
        format!("How many 501(c)(3) organizations are there in {one_name}, and in {other_name}?"),
        "which of the two has more per the size of the population?".to_owned(),
        format!("now break {one_name} down by field"),
        "what's the total of the assets of the arts ones there".to_owned(),
        format!("same thing for {other_name}"),
        "which kinds of 501(c) are they mostly".to_owned(),
    ];
    let messages: Vec<&str> = messages.iter().map(String::as_str).collect();
    let said: Vec<String> = talk(&messages).into_iter().map(|answer| answer.message).collect();
    let counts = [(one, one_name), (other, other_name)]
        .map(|(code, name)| format!("{name}: {}", charities(code).count()));
    assert_says(&said[0], &counts);
    assert!(said[1].starts_with("No record here tells how many people"), "{}", said[1]);
    assert_says(&said[1], &counts);
    assert_says(
        &said[2],
        &[
            format!("{} nonprofits in {one_name}", charities(one).count()),
            format!("Arts, Culture & Humanities: {}", arts(one).count()),
        ],
    );
    for (said, code, name) in [(&said[3], one, one_name), (&said[4], other, other_name)] {
        let sum: i64 = arts(code).filter_map(|one| one.finances.assets).map(Usd::dollars).sum();
        let sum = format!("{} in assets", dollars(sum));
        assert_says(said, &[sum, format!("{} nonprofits in {name}", arts(code).count())]);
    }
    assert_says(&said[5], &["by kind of 501(c): 501(c)(3)".to_owned()]);
}

#[test]
fn means_are_of_those_whose_figure_is_known() {
    let [(code, name), _] = states();
    let question =
        format!("what is the average and the median of the assets of nonprofits in {name}?");
    let said = last(&[&question]).message;
    let values: Vec<i64> =
        in_state(code).filter_map(|one| one.finances.assets).map(Usd::dollars).collect();
    let mean = values.iter().sum::<i64>() / values.len() as i64;
    assert_says(
        &said,
        &[
            format!("The average is {}.", dollars(mean)),
            format!("{} of which give none", in_state(code).count() - values.len()),
        ],
    );
}

#[test]
fn a_figure_of_nobody_is_asked_back_about() {
    for question in
        ["what were total revenue and who's the president", "what's their average revenue"]
    {
        let answer = last(&[question]);
        assert!(answer.message.starts_with("I don't know which nonprofit you mean"), "{question}");
        assert!(answer.nonprofits.is_empty(), "{question}");
    }
    let all = last(&["what is the total revenue of all nonprofits"]).message;
    assert!(all.starts_with("Together they report"), "{all}");
}

/// Two nonprofits of which revenue and a return are on file.
fn with_returns() -> Vec<(&'static Organization, Vec<Filing>)> {
    let snapshot = &COUNTRY.snapshot;
    let of = |number: u32| {
        let org = OrgId::new(number);
        let filings = snapshot.records.filings(org).unwrap();
        let whole = filings.len() > 2 && filings.iter().all(|one| one.revenue.is_some());
        whole.then(|| (&COUNTRY.organizations[number as usize], filings))
    };
    (0..snapshot.columns.organizations()).filter_map(of).take(2).collect()
}

#[test]
fn several_years_and_several_facts_are_all_answered() {
    let (one, filings) = with_returns().swap_remove(0);
    let [latest, before, ..] = &filings[..] else { unreachable!() };
    let revenue = |filing: &Filing| dollars(filing.revenue.unwrap().dollars());
    let (first, second) = (before.tax_year, latest.tax_year);
    let said = talk(&[
        &format!("{} revenue {first} vs {second}", one.name),
        "and what were its expenses in each of those years?",
        "ein and revenue please",
    ]);
    assert_says(&said[0].message, &[revenue(before), revenue(latest)]);
    for filing in [before, latest] {
        let spent = filing.expenses.map_or("no expenses".into(), |usd| dollars(usd.dollars()));
        assert_says(&said[1].message, &[spent]);
    }
    assert_says(&said[2].message, &[one.ein.dashed(), "took in".to_owned()]);
}

#[test]
fn whoever_is_compared_is_named_or_said_not_to_be_known() {
    let [(one, _), (other, _)] = &with_returns()[..] else { unreachable!() };
    let asked = format!("compare it with {}", other.name);
    let both = last(&[&format!("EIN {}", one.ein), &asked]).message;
    assert_says(&both, &[one.name.clone(), other.name.clone()]);
    let asked = format!("compare {} with Zorblax Quendor Society and {}", one.name, other.name);
    let said = last(&[&asked]).message;
    assert_says(&said, &[one.name.clone(), other.name.clone(), "Zorblax Quendor Society".into()]);
}

#[test]
fn facts_of_a_list_are_given_in_the_order_asked_for() {
    let [(_, name), _] = states();
    let list = format!("nonprofits in {name}");
    let answer = last(&[&list, "how old are they? oldest first"]);
    assert!(answer.message.starts_with("Oldest exemption first: "), "{}", answer.message);
    let rulings = answer.nonprofits.iter().map(|row| row.organization.exemption.ruling);
    let rulings: Vec<_> = rulings.map(|month| month.map(|month| month.ordinal())).collect();
    assert!(rulings.len() > 2 && rulings.is_sorted(), "{rulings:?}");
}

#[test]
fn which_of_those_looks_at_codes_and_amounts() {
    let [(_, name), _] = states();
    let list = format!("nonprofits in {name}");
    let said = talk(&[&list, "which of those are about education and have at least $1 million"]);
    let is_it = |one: &&Organization| {
        let code = one.ntee.or(one.group_ntee);
        code.is_some_and(|code| code.as_str().starts_with('B'))
            && one.finances.revenue.is_some_and(|usd| usd.dollars() >= 1_000_000)
    };
    let shown = said[0].nonprofits.iter().map(|row| &row.organization);
    let expected: Vec<&str> = shown.filter(is_it).map(|one| &*one.name).collect();
    let found: Vec<&str> = said[1].nonprofits.iter().map(|row| &*row.organization.name).collect();
    for name in expected {
        assert!(found.contains(&name), "{name}: {found:?}");
    }
}

/// The EINs of the rows of an answer.
fn eins(answer: &Answer) -> Vec<Ein> {
    answer.nonprofits.iter().map(|row| row.organization.ein).collect()
}

fn revenue(row: &NonprofitHit) -> Option<i64> {
    row.organization.finances.revenue.map(Usd::dollars)
}

#[test]
fn a_condition_on_those_shown_lets_no_others_in() {
    let [(_, name), _] = states();
    let list = format!("nonprofits in {name}");
    let said = talk(&[
        &list,
        "drop any that are churches",
        "which of those have more than $100,000",
        "and the same thing in Ohio?",
    ]);
    let lists: Vec<Vec<Ein>> = said.iter().map(eins).collect();
    for (at, list) in lists[1..3].iter().enumerate() {
        assert!(!list.is_empty() && list.iter().all(|ein| lists[at].contains(ein)), "{lists:?}");
    }
    assert!(said[2].nonprofits.iter().all(|row| revenue(row) >= Some(100_000)));
    assert!(
        said[3].nonprofits.iter().all(|row| {
            row.organization.address.state.is_some_and(|state| state.code() == "OH")
        })
    );
}

#[test]
fn a_search_that_was_narrowed_goes_on_in_another_place() {
    let [(_, name), (code, other)] = states();
    let said = talk(&[
        &format!("schools in {name}"),
        "drop any that are churches",
        &format!("And if I drove as far as {other}?"),
    ]);
    let is_there = |row: &NonprofitHit| {
        row.organization.address.state.is_some_and(|state| state.code() == code)
    };
    assert!(said[2].nonprofits.iter().any(is_there), "{}", said[2].message);
}

#[test]
fn a_condition_is_on_the_foundations_that_were_listed() {
    let [(_, name), _] = states();
    let list = format!("Which foundations in {name} give to the zorblax quendor?");
    let said = talk(&[&list, "Only ones with more than 100 thousand in assets please"]);
    let is_it = |row: &NonprofitHit| {
        let one = &row.organization;
        one.is_private_foundation() == Some(true)
            && one.address.state.is_some_and(|state| state.name() == name)
            && one.finances.assets.is_some_and(|usd| usd.dollars() >= 100_000)
    };
    assert!(!said[1].nonprofits.is_empty(), "{}", said[1].message);
    assert!(said[1].nonprofits.iter().all(is_it), "{}", said[1].message);
}

#[test]
fn a_superlative_after_a_count_names_the_organization() {
    let [(one, one_name), (other, other_name)] = states();
    let question = format!("how many nonprofits are there in {one_name} and {other_name}?");
    let said =
        talk(&[&question, "which single one is the largest?", "Put that per 100,000 people"]);
    let all = in_state(one).chain(in_state(other));
    let most = all.filter_map(|one| one.finances.revenue).map(Usd::dollars).max();
    assert_eq!(said[1].nonprofits.first().map(revenue), Some(most), "{}", said[1].message);
    assert!(said[2].message.starts_with("No record here tells"), "{}", said[2].message);
}

#[test]
fn a_figure_is_given_for_every_year() {
    let (one, filings) = with_returns().swap_remove(0);
    let said = last(&[&one.name, "give me the revenue for every year"]).message;
    let amounts = filings.iter().filter(|one| one.short_months().is_none());
    let amounts: Vec<String> =
        amounts.map(|filing| dollars(filing.revenue.unwrap().dollars())).collect();
    assert_says(&said, &amounts);
}
