//! What is a figure of impact and what is not, as tables of text and figures. All texts, names and
//! places of organizations are made up.

mod report;
mod setting;

use proptest::prelude::*;

use super::{METRICS_MAX, SNIPPET_MAX, metrics, sentences, telling};
use crate::record::{Date, Filing, Form, Metric, Month, Program, Timestamp};

fn filing(texts: &[&str], mission: Option<&str>) -> Filing {
    let program = |text: &&str| Program {
        description: (*text).to_owned(),
        expenses: None,
        grants: None,
        revenue: None,
    };
    Filing {
        name: "Lantern Hill Alliance".to_owned(),
        state: "OH".parse().ok(),
        mission: mission.map(str::to_owned),
        programs: texts.iter().map(program).collect(),
        ..Filing::of_figures(
            "180000417".parse().unwrap(),
            Form::Full,
            Month::new(2022, 12).unwrap(),
        )
    }
}

fn of(text: &str) -> Vec<Metric> {
    metrics(&filing(&[text], None), None)
}

/// Compares `value unit, kind: text` of every metric.
fn check(text: &str, expected: &[&str]) {
    let shown: Vec<String> = of(text)
        .into_iter()
        .map(|metric| {
            format!(
                "{} {}, {}: {}",
                metric.metric_value.unwrap(),
                metric.unit.unwrap(),
                metric.metric_type.unwrap(),
                metric.metric_text.unwrap()
            )
        })
        .collect();
    assert_eq!(shown, expected, "{text:?}");
}

/// Checks that nothing is taken from each text.
fn check_none(texts: &[&str]) {
    for text in texts {
        check(text, &[]);
    }
}

#[test]
fn people_served() {
    check("We served 1,245 students.", &["1245 students, students: served 1,245 students"]);
    check(
        "Provided shelter to 312 individuals.",
        &["312 individuals, people: Provided shelter to 312 individuals"],
    );
    check("400 players.", &["400 players, players: 400 players"]);
    check("Fed twenty-five families.", &["25 families, families: Fed twenty-five families"]);
    check("HOUSING 32 SENIORS", &["32 seniors, seniors: HOUSING 32 SENIORS"]);
    check(
        "Mentored forty-two (42) low-income, first-generation students.",
        &["42 students, students: Mentored forty-two (42) low-income, first-generation students"],
    );
    check(
        "Trained one hundred and twenty new docents.",
        &["120 docents, docents: Trained one hundred and twenty new docents"],
    );
    check("Coached 18 archers.", &["18 archers, archers: Coached 18 archers"]);
    check(
        "Forty youth leadership workshops were held.",
        &["40 workshops, workshops: Forty youth leadership workshops were held"],
    );
}

#[test]
fn things_done() {
    check("Awarded 12 scholarships.", &["12 scholarships, scholarships: Awarded 12 scholarships"]);
    check("98 homes were repaired.", &["98 homes, homes: 98 homes were repaired"]);
    check("There were over 300 referrals.", &["300 referrals, referrals: over 300 referrals"]);
    check("1,200+ meals", &["1200 meals, meals: 1,200+ meals"]);
    check(
        "Delivered 2.3 million meals and answered 310 hotline calls.",
        &[
            "2300000 meals, meals: Delivered 2.3 million meals",
            "310 calls, hotline calls: answered 310 hotline calls",
        ],
    );
    check(
        "Awarded 12 $500 scholarships.",
        &["12 scholarships, scholarships: Awarded 12 $500 scholarships"],
    );
    check(
        "Number of youths served: 1,846; number of meals served: 2,012.",
        &[
            "1846 youths, youth: Number of youths served: 1,846",
            "2012 meals, meals: number of meals served: 2,012",
        ],
    );
}

#[test]
fn measures_tell_what_they_are_of() {
    check(
        "Distributed 2.3 million pounds of food.",
        &["2300000 pounds, food: Distributed 2.3 million pounds of food"],
    );
    check(
        "Gleaned 2,000 lbs. of produce and recycled 15 tons of paper.",
        &[
            "2000 pounds, produce: Gleaned 2,000 lbs. of produce",
            "15 tons, paper: recycled 15 tons of paper",
        ],
    );
    check(
        "Over 40 volunteers gave 3,200 hours.",
        &[
            "40 volunteers, volunteers: Over 40 volunteers",
            "3200 hours, volunteer hours: gave 3,200 hours",
        ],
    );
    check(
        "Gave 640 hours of tutoring.",
        &["640 hours, tutoring hours: Gave 640 hours of tutoring"],
    );
    check("We protected 1,200 acres.", &["1200 acres, acres: protected 1,200 acres"]);
    check(
        "Provided 6,400 days of care.",
        &["6400 days, days of care: Provided 6,400 days of care"],
    );
    check_none(&[
        "The clinic is open 40 hours a week.",
        "Our campus has 40 acres.",
        "We own a 5,000 square foot building.",
        "Staff answer within 48 hours.",
    ]);
}

#[test]
fn lists() {
    check(
        "Served 400 students, 35 teachers and 12 schools.",
        &[
            "400 students, students: Served 400 students",
            "35 teachers, teachers: 35 teachers",
            "12 schools, schools: 12 schools",
        ],
    );
    check(
        "Fed 300 men, women and children.",
        &["300 men, women and children, people: Fed 300 men, women and children"],
    );
    // What stands in a list with a number that is none is none either.
    check_none(&["The club has grown from 20 members and 30 guests."]);
}

#[test]
fn phrases_are_whole() {
    check(
        "Collected nearly 5.1 million productive units of blood from roughly 3.0 million donors.",
        &[
            "5100000 units, blood: Collected nearly 5.1 million productive units of blood",
            "3000000 donors, donors: roughly 3.0 million donors",
        ],
    );
    check(
        "Hosted 1000 promotores and community health workers.",
        &["1000 promotores and community health workers, people: \
           Hosted 1000 promotores and community health workers"],
    );
    check(
        "40 girls attended 54 pre-camp programs and events held on 16 campuses.",
        &[
            "40 girls, girls: 40 girls",
            "54 programs and events, programs and events: attended 54 pre-camp programs and events",
            "16 campuses, campuses: held on 16 campuses",
        ],
    );
    check(
        "Referred 203 clients' cases to attorneys.",
        &["203 cases, cases: Referred 203 clients' cases"],
    );
    check(
        "Provided over 600 people with free tax assistance.",
        &["600 people, people: Provided over 600 people with free tax assistance"],
    );
    check(
        "Providing 490 additional students school breakfasts.",
        &["490 students, students: Providing 490 additional students school breakfasts"],
    );
    check(
        "50 people received certification 343 participants completed the course.",
        &["50 people, people: 50 people", "343 participants, participants: 343 participants"],
    );
    check("Gave 300 teens.", &["300 teens, teens: 300 teens"]);
    check("Trained 20 young adults.", &["20 adults, young adults: Trained 20 young adults"]);
    check("9,300 older adults came.", &["9300 adults, older adults: 9,300 older adults came"]);
    check(
        "Trained 117 youth service providers.",
        &["117 providers, providers: Trained 117 youth service providers"],
    );
    check(
        "Drew 75 participants & published educational materials.",
        &["75 participants, participants: Drew 75 participants"],
    );
    check(
        "Provided 152 individualized and in-depth follow-up sessions.",
        &["152 sessions, sessions: Provided 152 individualized and in-depth follow-up sessions"],
    );
    check(
        "Gave 181 \"know-your-rights\" presentations.",
        &["181 presentations, presentations: Gave 181 \"know-your-rights\" presentations"],
    );
    check(
        "Hosted 71 in- person or virtual events.",
        &["71 events, events: Hosted 71 in- person or virtual events"],
    );
    check(
        "Advised one-hundred fifty employers.",
        &["150 employers, employers: Advised one-hundred fifty employers"],
    );
}

#[test]
fn networks_and_lists_go_on() {
    check(
        "Through a network of nearly 300 community-based organizations we reach all.",
        &["300 organizations, organizations: nearly 300 community-based organizations"],
    );
    check(
        "Has a membership base of nearly 1,000 institutional partners.",
        &["1000 partners, partners: Has a membership base of nearly 1,000 institutional partners"],
    );
    check(
        "Coordinates a group of more than 80 food pantries.",
        &["80 pantries, food pantries: Coordinates a group of more than 80 food pantries"],
    );
    check(
        "We have 61 pending asylum cases (14 new) and 67 other pending immigration cases.",
        &[
            "61 cases, cases: have 61 pending asylum cases",
            "67 cases, cases: 67 other pending immigration cases",
        ],
    );
    check(
        "Responds to an average of nearly 66,000 disasters.",
        &["66000 disasters, disasters: Responds to an average of nearly 66,000 disasters"],
    );
    check("To date, 88 groups have received grants.", &["88 groups, groups: 88 groups"]);
}

#[test]
fn exactness_stays_in_the_text() {
    let rows = [
        ("Served approximately 400 students.", "Served approximately 400 students"),
        ("A total of 60 volunteers took part.", "A total of 60 volunteers"),
        ("Helped more than 500 families.", "Helped more than 500 families"),
        ("Reached nearly 700 patients.", "Reached nearly 700 patients"),
        ("Enrolled 300-400 students.", "Enrolled 300-400 students"),
    ];
    for (text, expected) in rows {
        let texts: Vec<_> = of(text).into_iter().filter_map(|metric| metric.metric_text).collect();
        assert_eq!(texts, [expected], "{text:?}");
    }
    assert_eq!(of("Enrolled 300-400 students.")[0].metric_value, Some(300.0));
}

#[test]
fn no_names_of_rules_forms_and_rooms() {
    check_none(&[
        "Exempt under section 501(c)(3) students.",
        "Runs a 12-step program and a K-12 school.",
        "See Form 990 schedules and Schedule O.",
        "Serves families with Section 8 vouchers.",
        "Supports Troop 400 scouts.",
        "Helped during Covid-19 families in need.",
        "A 4-H club for children, open 24/7.",
        "Located at 400 Elm Street, 43004.",
        "Call 614-555-0142 volunteers.",
    ]);
}

#[test]
fn no_years_ages_money_or_shares() {
    check_none(&[
        "Honored our 2021 graduates.",
        "In 2022 students met weekly.",
        "For children ages 5-18.",
        "Serves seniors 60 and older.",
        "Lessons for grades 6 to 8 students.",
        "Gave $5,000 grants.",
        "Raised 1.2 million.",
        "Graduated 90% of students.",
        "Served students, 45 percent of them girls.",
        "Celebrated its 25th anniversary.",
        "Meets two times a month.",
        "Gives children three meals a day.",
    ]);
    // A number like a year is one of things where the text tells how exact it is.
    check("Fed over 2000 families.", &["2000 families, families: Fed over 2000 families"]);
}

#[test]
fn no_aims_bounds_and_capacities() {
    check_none(&[
        "The center will serve 400 students.",
        "Our goal is to help 500 families.",
        "The hall can seat 200 people.",
        "Camps of up to 40 campers.",
        "Fewer than 20 families came.",
        "The program requires 30 volunteers.",
        "We plan to build 12 homes.",
        "We did not serve 400 students.",
        "A waiting list of 250 students.",
        "Teaches classes of 20 students.",
        "Between 40 and 60 students came.",
    ]);
    check("We were able to save 18 horses.", &["18 horses, horses: save 18 horses"]);
}

#[test]
fn no_figures_of_others_or_of_the_organization() {
    check_none(&[
        "1 in 5 children goes hungry.",
        "The 30 million Americans with diabetes.",
        "Over 12 million people suffer from the disease.",
        "The board has 12 members.",
        "Employs 40 staff members.",
        "We have 30 employees.",
        "Serves a county of 40,000 residents.",
        "Three programs: art, music and dance.",
        "Meals rose, an increase of 2,004 meals.",
        "Rent 2,400 claims 1,010 donations 250 printing 90.",
        "Touring - 2,001 Concerts - 34,403 Workshops - 843.",
        "One student came.",
    ]);
}

#[test]
fn no_figures_of_parts_of_others_or_from_afar() {
    check_none(&[
        "These grantees provided 4,200 meals.",
        "A suit is brought by four Ohio parents.",
        "The rule affects 25,000 child care providers.",
        "Including 41 cases where a court decided.",
        "There were 200 people on the waitlist.",
        "A crisis in our town, with more than 12,000 people on any given night on the streets.",
        "Classes were offered with approximately 85 interns present in each class.",
        "Involves building and sustaining three key networks students (teen club).",
        "It hosted \"seven steps in seven sessions\".",
        "We held festivals that each drew 80 participants.",
    ]);
}

#[test]
fn members_of_a_metric() {
    let mut filing = filing(&["Planted 40 trees. Planted 40 trees. Fed 90 cats."], None);
    let metrics = super::metrics(&filing, Some("https://example.org/18"));
    assert_eq!(metrics.len(), 2, "none twice");
    let metric = &metrics[0];
    assert_eq!(metric.source_snippet.as_deref(), Some("Planted 40 trees."));
    assert_eq!(metric.url.as_deref(), Some("https://example.org/18"));
    assert_eq!((metric.ein, metric.report_year), (filing.ein, Some(2022)));
    assert_eq!(metric.date_added, Some(Timestamp::of_day(filing.period_end)));
    assert!(metric.metric_id.len() == 17 && metric.metric_id.starts_with('m'));
    assert_ne!(metric.metric_id, metrics[1].metric_id);
    assert_eq!(super::metrics(&filing, None)[0].metric_id, metric.metric_id, "stable");

    filing.filed = Timestamp::parse("2023-05-04").ok();
    assert_eq!(super::metrics(&filing, None)[0].date_added, filing.filed);
    filing.period_end = Date::new(2021, 12, 31).unwrap();
    assert_ne!(super::metrics(&filing, None)[0].metric_id, metric.metric_id);
}

#[test]
fn lines_are_told_with_where_they_stand() {
    let mut filing = filing(&[], None);
    assert_eq!(metrics(&filing, None), []);
    filing.volunteers = Some(0);
    filing.totals.schedule_i_others = Some(2);
    assert_eq!(metrics(&filing, None).len(), 1);
    filing.volunteers = Some(1_245);
    let found = metrics(&filing, Some("https://a.example/1.xml"));
    let told = |metric: &Metric| {
        (metric.metric_type.clone().unwrap(), metric.source_snippet.clone().unwrap())
    };
    let expected = [
        ("volunteers", "1,245 volunteers (Form 990, Part I, line 6)"),
        ("organizations funded", "2 organizations funded (Schedule I, Part II, lines 2 and 3)"),
    ];
    let expected = expected.map(|(kind, snippet)| (kind.to_owned(), snippet.to_owned()));
    assert_eq!(found.iter().map(told).collect::<Vec<_>>(), expected);
    assert_eq!((found[0].metric_value, found[0].report_year), (Some(1_245.0), Some(2022)));
}

#[test]
fn missions_count_only_in_the_past_tense() {
    let count = |mission| metrics(&filing(&[], Some(mission)), None).len();
    assert_eq!(count("To serve 400 students."), 0);
    assert_eq!(count("Serves 400 students."), 0);
    assert_eq!(count("Since 1999 we have served 400 students."), 1);
}

#[test]
fn long_sentences_keep_their_phrase_in_the_snippet() {
    let text =
        format!("{} served 412 students {}", "ärgerlich lang".repeat(90), "und weiter ".repeat(90));
    let metrics = of(&text);
    let snippet = metrics[0].source_snippet.as_deref().unwrap();
    assert!(snippet.chars().count() <= SNIPPET_MAX);
    assert!(snippet.starts_with('…') && snippet.ends_with('…'));
    assert!(snippet.contains("served 412 students"), "{snippet}");
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    let parts = [
        "a.",
        "1 ",
        "1,",
        "in In ",
        "12 students ",
        "1-",
        "(",
        "each year ",
        "served 12, ",
        "- 12 ",
        "twenty ",
        ".;",
        "İ",
        "is 5 ",
        "this year: ",
        "this year ",
        "annually, 12 cats ",
        "* ",
        "; - ",
        "1) ",
        "12 clients' ",
        "9 cats, ",
    ];
    for part in parts {
        let text = part.repeat(100_000 / part.len());
        assert!(metrics(&filing(&[&text], Some(&text)), None).len() <= METRICS_MAX);
    }
    let many: String = (10..600).map(|count| format!("Served {count} students. ")).collect();
    assert_eq!(of(&many).len(), METRICS_MAX);
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,300}", mission in "\\PC{0,80}") {
        let filing = filing(&[&text], Some(&mission));
        for sentence in sentences(&text) {
            prop_assert!(text.contains(sentence) && telling(sentence, 1).is_finite());
        }
        prop_assert!(metrics(&filing, None).len() <= METRICS_MAX);
    }

    #[test]
    fn what_is_found_holds_together(
        words in proptest::collection::vec(
            prop_oneof![
                Just("served"), Just("12"), Just("1,200+"), Just("students"), Just("and"),
                Just("families"), Just("of"), Just("pounds"), Just("food"), Just("in"),
                Just("Ohio"), Just("2022"), Just("."), Just("each year"), Just("forty-two"),
                Just("(42)"), Just("will"), Just("300-400"), Just(","), Just("hours"), Just("-"),
            ],
            0..60,
        )
    ) {
        let text = words.join(" ");
        let metrics = of(&text);
        let mut seen = std::collections::HashSet::new();
        for metric in &metrics {
            let phrase = metric.metric_text.as_deref().unwrap();
            prop_assert!(text.contains(phrase) && phrase.len() <= 120);
            prop_assert!(metric.source_snippet.as_deref().unwrap().contains(phrase));
            let value = metric.metric_value.unwrap();
            prop_assert!(value.is_finite() && value >= 2.0);
            prop_assert!(seen.insert((value.to_bits(), metric.metric_type.clone())));
            for part in [&metric.unit, &metric.metric_type] {
                prop_assert!(part.as_deref().is_some_and(|part| !part.is_empty()));
            }
        }
    }
}
