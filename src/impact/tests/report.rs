//! Figures in the passages of reports. All texts are made up.

use crate::impact::{Publication, report_metrics};
use crate::record::PassageKind::{self, Heading, ListItem, Paragraph, TableRow};
use crate::record::{Metric, Passage};

fn of(passages: &[(PassageKind, &str)]) -> Vec<Metric> {
    let passages: Vec<Passage> = passages
        .iter()
        .map(|(kind, text)| Passage { page: 1, kind: *kind, text: (*text).to_owned() })
        .collect();
    let ein = "180000417".parse().unwrap();
    let edition = "2023".to_owned();
    let year = 2023;
    report_metrics(
        &passages,
        &Publication { ein, state: None, year, edition, url: None, published: None },
    )
}

/// Compares value and text of every metric.
fn check(passages: &[(PassageKind, &str)], expected: &[(f64, &str)]) {
    let metrics = of(passages);
    let found: Vec<(f64, &str)> = metrics
        .iter()
        .map(|metric| (metric.metric_value.unwrap(), metric.metric_text.as_deref().unwrap()))
        .collect();
    assert_eq!(found, expected, "{passages:?}");
}

#[test]
fn infographics_count() {
    check(&[(TableRow, "1,204 | meals served")], &[(1204.0, "1,204 | meals served")]);
    check(&[(Paragraph, "1,204 | meals served")], &[(1204.0, "1,204 | meals served")]);
    let label_below = [(Heading, "12,480"), (Paragraph, "meals served")];
    check(&label_below, &[(12480.0, "12,480 meals served")]);
    check(&[(ListItem, "288 winter coats")], &[(288.0, "288 winter coats")]);
    check(
        &[(TableRow, "22% | growth"), (TableRow, "$1,850 | a pallet"), (TableRow, "14 | staff")],
        &[],
    );
}

#[test]
fn rows_have_the_figure_of_the_year() {
    let years = [
        (TableRow, "Service | 2022 | 2023"),
        (TableRow, "Students served | 388 | 417"),
        (TableRow, "Wages | $98,000 | $97,310"),
    ];
    check(&years, &[(417.0, "Students served | 388 | 417")]);
    // Also where the report's own year is known wrong.
    let later = [(TableRow, "Service | FY26 | FY27"), (TableRow, "Students served | 388 | 417")];
    check(&later, &[(417.0, "Students served | 388 | 417")]);
    let by_rows = [
        (TableRow, "Year | Students served"),
        (TableRow, "2021 | 388"),
        (TableRow, "2022 | 402"),
        (TableRow, "2023 | 417"),
    ];
    check(&by_rows, &[(417.0, "2023 | 417")]);
    let sites = [
        (TableRow, "Site | Meals | Households | Volunteers"),
        (TableRow, "Riverton | 12,480 | 310 | 44"),
    ];
    let row = "Riverton | 12,480 | 310 | 44";
    check(&sites, &[(12480.0, row), (310.0, row), (44.0, row)]);
    let needs = [(TableRow, "County | Meal gap (meals)"), (TableRow, "Baylor | 4,910,000")];
    check(&needs, &[]);
    let beds = [(TableRow, "Service | Beds"), (TableRow, "Residential, men | 24")];
    check(&beds, &[]);
}

#[test]
fn an_earlier_year_in_a_parenthesis_is_none() {
    let visits = "We served 212 families (2022: 171 families).";
    check(&[(Paragraph, visits)], &[(212.0, "served 212 families")]);
}

#[test]
fn the_address_of_a_pdf_names_the_page() {
    let of = |url| {
        let ein = "180000417".parse().unwrap();
        let edition = "2023".to_owned();
        let publication =
            Publication { ein, state: None, year: 2023, edition, url: Some(url), published: None };
        publication.url_of_page(4).unwrap()
    };
    assert_eq!(of("https://example.org/a.PDF?v=2"), "https://example.org/a.PDF?v=2#page=4");
    for whole in
        ["https://example.org/a.pdf#top", "https://example.org/pdf", "https://example.org/"]
    {
        assert_eq!(of(whole), whole);
    }
}

#[test]
fn the_year_counts_nothing() {
    let total = "TOTAL 2023 INCIDENTS: 21,028 IN ALL";
    check(&[(Paragraph, total)], &[(21028.0, "INCIDENTS: 21,028")]);
    check(
        &[(Paragraph, "We fed a total of 2,023 families.")],
        &[(2023.0, "fed a total of 2,023 families")],
    );
}

#[test]
fn aims_and_the_world_are_none() {
    check(
        &[
            (Heading, "Our work"),
            (Paragraph, "We served 1,245 students."),
            (Heading, "Looking ahead"),
            (Paragraph, "We hope to serve 300 families."),
            (ListItem, "2,500 meals"),
            (Heading, "The need"),
            (Paragraph, "In our county 90 veterans have no home."),
        ],
        &[(1245.0, "served 1,245 students")],
    );
}

#[test]
fn a_year_in_words_of_a_figure_is_its_year() {
    let metrics = of(&[(Paragraph, "In 2022, we served 400 students.")]);
    assert_eq!(metrics[0].report_year, Some(2022));
    let metrics = of(&[(Paragraph, "Since 1992, we have served 400 students.")]);
    assert_eq!(metrics[0].report_year, Some(2023));
}
