//! When and where figures are told to be of, where sentences end, and which are telling. All texts,
//! names and places of organizations are made up.

use super::{of, sentences, telling};

/// Checks number and time of each figure of a text.
fn check_times(text: &str, expected: &[(f64, Option<&str>)]) {
    let metrics = of(text);
    let found: Vec<_> = metrics
        .iter()
        .map(|metric| (metric.metric_value.unwrap(), metric.time_aggregation_text.as_deref()))
        .collect();
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn times_stay_with_their_figures() {
    check_times(
        "In 2022, the pantry helped 7516 people providing 9,240 meals per year.",
        &[(7516.0, Some("In 2022")), (9240.0, Some("per year"))],
    );
    check_times(
        "Facts for 2021-2022: 18 reports were produced; 46 workshops were held.",
        &[(18.0, Some("for 2021-2022")), (46.0, Some("for 2021-2022"))],
    );
    check_times(
        "300 teens took part in camps in 2021.- 500+ preschoolers received aid.",
        &[(300.0, Some("in 2021")), (500.0, None)],
    );
    check_times(
        "Got $1 million in grants in the last three years, which paid for locks protecting 300 people.",
        &[(300.0, None)],
    );
    check_times(
        "The line handles 650 calls on an annual basis and distributes 1,300 brochures monthly.",
        &[(650.0, Some("on an annual basis")), (1300.0, Some("monthly"))],
    );
    check_times(
        "Taught 227 youth, and in 2022 opened 12 homes.",
        &[(227.0, None), (12.0, Some("in 2022"))],
    );
    check_times("At the end of fiscal year 2022, we had 18 loans.", &[(18.0, None)]);
    check_times("Polled 535 voters in the 2022 elections.", &[(535.0, None)]);
}

#[test]
fn times() {
    let rows = [
        ("Each year we serve 400 students.", Some(("annual", "Each year"))),
        ("Served 400 students in FY 2022.", Some(("annual", "in FY 2022"))),
        (
            "During the 2021-2022 school year we fed 40 children.",
            Some(("annual", "During the 2021-2022 school year")),
        ),
        ("Served 400 students annually.", Some(("annual", "annually"))),
        ("Annually the volunteers visit 400 patients.", Some(("annual", "Annually"))),
        ("Hosted 400 annual visitors.", Some(("annual", "annual"))),
        ("In FY2022, we served 400 students.", Some(("annual", "In FY2022"))),
        ("Served 400 students in FY22.", Some(("annual", "in FY22"))),
        ("Served 400 students in FY 22.", Some(("annual", "in FY 22"))),
        ("Served 400 students in FY21/22.", Some(("annual", "in FY21/22"))),
        ("In FY-22 we served 400 students.", Some(("annual", "In FY-22"))),
        ("Served 400 students in FY15.", None),
        ("Served 400 students in 2022 through grants.", Some(("annual", "in 2022"))),
        ("In the past year we served 400 students.", Some(("annual", "In the past year"))),
        ("This past year we served 400 students.", Some(("annual", "This past year"))),
        (
            "Over the last twelve months we fed 40 cats.",
            Some(("annual", "Over the last twelve months")),
        ),
        (
            "In the past three years we fed 40 cats.",
            Some(("cumulative", "In the past three years")),
        ),
        (
            "Over the most recent three years we fed 40 cats.",
            Some(("cumulative", "Over the most recent three years")),
        ),
        ("Housed 40 men, annually; fed some.", Some(("annual", "annually"))),
        ("Answers 66,000 calls large and small per year.", Some(("annual", "per year"))),
        ("The pantry helps 90 families per month.", Some(("monthly", "per month"))),
        ("We feed 90 families weekly.", Some(("weekly", "weekly"))),
        ("1,200 meals served each day.", Some(("daily", "each day"))),
        ("Since 1992 we have built 225 homes.", Some(("cumulative", "Since 1992"))),
        ("Since Year 2000 we have built 225 homes.", Some(("cumulative", "Since Year 2000"))),
        ("To date, 90 families have moved in.", Some(("cumulative", "To date"))),
        ("Opened in 1985, it serves 400 students.", None),
        ("Sent it to 900 people, giving them up to date news.", None),
        ("Served 400 students at monthly meetings.", None),
        ("Fed 40 children on less than $2 per day.", None),
        ("Fed 20% more than last year, 404 children.", None),
    ];
    for (text, expected) in rows {
        let metrics = of(text);
        assert_eq!(metrics.len(), 1, "{text:?}: {metrics:?}");
        let name = metrics[0].time_aggregation.as_deref();
        let found = name.zip(metrics[0].time_aggregation_text.as_deref());
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn places() {
    let rows = [
        ("Served 40 families in Kenya.", Some("Kenya")),
        ("Served 40 families throughout New Mexico.", Some("New Mexico")),
        ("Served 40 families in Franklin County.", Some("Franklin County, OH")),
        ("SERVED 40 FAMILIES IN DANE COUNTY, WISCONSIN.", Some("Dane County, WI")),
        ("Served 40 families in Madison, WI.", Some("Madison, WI")),
        ("Served 40 families in Washington, DC.", Some("Washington, DC")),
        ("Served 40 families in Columbus.", Some("Columbus, OH")),
        ("served 40 families in kenya.", Some("Kenya")),
        ("Served 40 families in Kenya and Uganda.", None),
        ("Served 40 families, two in Kenya.", None),
        ("Served 40 families in need.", None),
        ("SERVED 40 FAMILIES IN HOPE.", None),
        ("Served 40 families in Columbus Hospital.", None),
        ("In Kenya, we served 40 families.", Some("Kenya")),
        ("Served 40 families (of 50) in Kenya.", Some("Kenya")),
        ("Served 40 families in homes in Kenya.", Some("Kenya")),
        ("Served 40 families in greater Houston and schools in Kenya.", None),
        ("Served 40 families, and built schools in Kenya.", None),
        ("Served 40 families (all others in Kenya).", None),
        ("Served 40 families in the Columbus area.", None),
    ];
    for (text, expected) in rows {
        let metrics = of(text);
        assert_eq!(metrics.len(), 1, "{text:?}");
        assert_eq!(metrics[0].geo_impact.as_deref(), expected, "{text:?}");
    }
}

#[test]
fn sentences_end_where_they_should() {
    let rows: [(&str, &[&str]); 14] = [
        ("One came. Two left!  Who?", &["One came.", "Two left!", "Who?"]),
        ("We gave 2.5 tons. Approx. 400 came.", &["We gave 2.5 tons.", "Approx. 400 came."]),
        (
            "The U.S. Army and Dr. Vale came to St. Elm.",
            &["The U.S. Army and Dr. Vale came to St. Elm."],
        ),
        ("Meals were given.Students came.", &["Meals were given.", "Students came."]),
        ("See www.lantern.org.Or write.", &["See www.lantern.org.Or write."]),
        ("Fed 40 cats.; housed dogs.;", &["Fed 40 cats.;", "housed dogs."]),
        ("1. Housing. 2. Food.", &["1. Housing.", "2. Food."]),
        ("Work: • art • music", &["Work:", "art", "music"]),
        ("Fed 40 cats.- 30 dogs came.-Birds.", &["Fed 40 cats.", "30 dogs came.", "Birds."]),
        ("Fed cats. - Fed dogs; - housed birds", &["Fed cats.", "Fed dogs", "housed birds"]),
        ("Did: * art * music; *dance", &["Did:", "art", "music", "dance"]),
        ("1) Fed 40 cats 2) housed dogs", &["1) Fed 40 cats", "2) housed dogs"]),
        ("Fed forty (40) cats (see note 2) then.", &["Fed forty (40) cats (see note 2) then."]),
        (" . ;; ", &[]),
    ];
    for (text, expected) in rows {
        let trimmed: Vec<&str> = expected.iter().map(|one| one.trim_end_matches(';')).collect();
        assert_eq!(sentences(text).collect::<Vec<_>>(), trimmed, "{text:?}");
    }
}

#[test]
fn telling_sentences_come_first() {
    let rising = [
        "See Schedule O.",
        "Total 4,510 and 2,210",
        "The organization is a place of art for all who live near the river.",
        "We provide meals and company to people who live alone in our town.",
        "We provided 1,200 meals to people who live alone in our town.",
    ];
    let scores: Vec<f32> =
        rising.iter().map(|sentence| telling(sentence, of(sentence).len())).collect();
    assert!(scores.is_sorted() && scores[0] < scores[4], "{scores:?}");
}
