//! Grants, funders, people, families and peers, with the values of the fixture's returns.

use hyper::StatusCode;
use serde_json::{Value, json};

use super::fixture::{BARE, FULL, Service};

/// The members of the rows of a list that are asked for.
fn rows(answer: &Value, list: &str, members: &[&str]) -> Value {
    let row = |row: &Value| members.iter().map(|name| row[*name].clone()).collect::<Value>();
    answer[list].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn grants_of_one_are_summed_once() {
    let service = Service::new();
    let grants = |ein: &str, query: &str| service.json(&format!("/nonprofits/grants/{ein}{query}"));
    let made = grants(BARE, "");
    let members = ["tax_year", "form", "recipient_ein", "recipient_match", "cash", "noncash"];
    assert_eq!(
        rows(&made, "items", &members),
        json!([
            [2020, "990-I", FULL, "filed", 600, 50],
            // In no list that was loaded.
            [2020, "990-I", "990000001", "filed", 200, null],
            // The amended return's.
            [2019, "990-PF", FULL, "matched", 300, null],
        ])
    );
    assert_eq!((&made["total"], &made["total_amount"]), (&json!(3), &json!(1_150)));
    assert!(made["items"][2]["match_score"].as_f64().unwrap() > 0.75, "{made}");
    assert_eq!(made["items"][0]["match_score"], Value::Null);
    assert!(made["items"][0]["file_url"].as_str().unwrap().contains("202112345678901234"));
    let totals = ["tax_year", "stated_total", "listed_total", "differs"];
    assert_eq!(
        rows(&made, "returns", &totals),
        json!([[2022, null, null, false], [2020, 1_000, 850, true], [2019, null, 300, false]])
    );
    let years = json!([[2020, 2, 850], [2019, 1, 300]]);
    assert_eq!(rows(&made, "years", &["tax_year", "grants", "total_amount"]), years);
    let of_2019 = grants(BARE, "?year=2019");
    assert_eq!(rows(&of_2019, "years", &["tax_year", "grants", "total_amount"]), years);
    let states = rows(&made, "recipient_states", &["state", "total_amount"]);
    assert_eq!(states, json!([["DC", 950], [null, 200]]));
    let causes = rows(&made, "recipient_causes", &["ntee_major", "grants"]);
    assert_eq!(causes, json!([["M", 2], [null, 1]]));
    assert_eq!(made["items"][0]["period_end"].as_str().unwrap().len(), "2020-12-31".len());
    for (query, total, amount) in [
        ("?year=2020", 2, json!(850)),
        ("?min_amount=300", 2, json!(950)),
        ("?state=dc", 2, json!(950)),
        ("?state=OH", 0, json!(null)),
        ("?q=blankets+roofs", 1, json!(650)),
        ("?q=the+blankets+with+roofs", 1, json!(650)),
        ("?q=blankets+para+los+roofs", 1, json!(650)),
        ("?stage=approved", 1, json!(70)),
        ("?page=2&size=2", 3, json!(1_150)),
    ] {
        let found = grants(BARE, query);
        assert_eq!((&found["total"], &found["total_amount"]), (&json!(total), &amount), "{query}");
        assert_eq!(found["message"], Value::Null);
    }
    let received = grants(FULL, "?direction=received");
    let members = ["grantor_ein", "grantor_name", "tax_year"];
    assert_eq!(
        rows(&received, "items", &members),
        json!([[BARE, "Bare", 2020], [BARE, "Bare", 2019]])
    );
    let none = grants(FULL, "");
    assert_eq!(none["message"], "not in the loaded returns");
    assert_eq!((&none["total_amount"], &none["items"]), (&Value::Null, &json!([])));
    assert_eq!(none["years"], json!([]));
    assert_eq!(service.get("/nonprofits/grants/999999999").status, 404);
    assert_eq!(
        service.refused(&format!("/nonprofits/grants/{BARE}?direction=up&year=x&min_amount=-1")),
        [
            "query.direction literal_error",
            "query.year int_parsing",
            "query.min_amount greater_than_equal"
        ]
    );
}

#[test]
fn grants_and_funders_are_searched() {
    let service = Service::new();
    for (query, total) in [
        ("", 3),
        ("?recipient_ntee=m", 2),
        ("?recipient_ntee=P", 0),
        ("?recipient_state=DC&min_amount=400", 1),
        ("?grantor_state=DC", 0),
        ("?q=general", 1),
        ("?q=later", 0),
        // In the singular as in the plural.
        ("?q=blanket+roof", 1),
        // No grant has the words; the recipient has the code of that cause.
        ("?q=disaster+relief", 2),
        ("?q=disaster+relief+in+District+of+Columbia", 2),
        ("?q=disaster+relief+in+Ohio", 0),
        ("?q=animal+shelters", 0),
        ("?accepts_applications=true", 3),
        ("?accepts_applications=false", 0),
    ] {
        let found = service.json(&format!("/grants/search{query}"));
        assert_eq!(found["total"], total, "{query}");
    }
    let funders = service.json("/funders/search?q=support&accepts_applications=true");
    let members = ["ein", "grants", "total_amount", "latest_year", "accepts_applications"];
    assert_eq!(rows(&funders, "items", &members), json!([[BARE, 1, 300, 2019, true]]));
    assert_eq!(funders["items"][0]["applications"]["how"][0]["deadlines"], "NONE");
    // Its grants and their years are left out with the funder.
    let closed = service.json("/funders/search?accepts_applications=false");
    assert_eq!((&closed["total"], &closed["years"]), (&json!(0), &json!([])));
    let all = service.json("/funders/search?year=2020");
    assert_eq!(all["items"][0]["total_amount"], 850);
    assert_eq!(
        rows(&all, "years", &["tax_year", "total_amount"]),
        json!([[2020, 850], [2019, 300]])
    );
    let amounts = ["total_amount", "cash_amount", "noncash_amount"];
    let of =
        |query: &str| rows(&service.json(&format!("/funders/search{query}")), "items", &amounts);
    assert_eq!(of(""), json!([[1_150, 1_100, 50]]));
    for (sort, key) in [("-amount", "amount"), ("name", "-name"), ("assets", "-grants")] {
        assert_eq!(of(&format!("?sort={sort}")), of(&format!("?sort={key}")), "one funder");
    }
    let wrong = service.get("/funders/search?sort=size");
    assert_eq!(
        (wrong.status, wrong.json()["detail"][0]["type"].clone()),
        (StatusCode::UNPROCESSABLE_ENTITY, json!("literal_error"))
    );
    // What no return states is not known.
    assert_eq!(of("?year=2019"), json!([[300, 300, null]]));
}

#[test]
fn people_are_listed_by_year_and_found_by_name() {
    let service = Service::new();
    let of_one = service.json(&format!("/nonprofits/people/{BARE}"));
    assert_eq!(of_one["years"], json!([2022, 2020, 2019]));
    let members = ["name", "title", "hours", "compensation", "compensation_other"];
    let rows_2020 = service.json(&format!("/nonprofits/people/{BARE}?year=2020"));
    assert_eq!(rows_2020["total"], 2);
    let jane = json!(["JANE ROE", "PRESIDENT", 40.0, 90_000, 1_000]);
    assert_eq!(rows(&rows_2020, "items", &members)[0], jane);
    assert_eq!(rows_2020["items"][0]["schedule_j"]["organization"]["base"], 80_000);
    let found = service.json("/people/search?q=roe+jane");
    assert_eq!(rows(&found, "items", &["ein", "years"]), json!([[BARE, [2020, 2019]]]));
    assert_eq!(service.json("/people/search?q=roe")["total"], 2);
    // Its state is not known.
    assert_eq!(service.json("/people/search?q=roe&state=DC")["total"], 0);
    let best = service.json("/people/search?sort=pay");
    let pay = |row: &Value| row["pay"].as_i64();
    let pays: Vec<_> = best["items"].as_array().unwrap().iter().map(pay).collect();
    let mut sorted = pays.clone();
    sorted.sort_by_key(|pay| std::cmp::Reverse(*pay));
    assert_eq!(pays, sorted);
    assert_eq!(best["items"][0]["pay"], 90_000);
    let unstated = pays.iter().filter(|pay| pay.is_none()).count();
    assert_eq!(best["without_pay"], unstated);
    let officers = service.json("/people/search?role=officer");
    assert!(
        officers["total"].as_u64() > Some(0) && officers["total"].as_u64() < best["total"].as_u64()
    );
    assert_eq!(officers["without_pay"], Value::Null);
    for row in officers["items"].as_array().unwrap() {
        assert!(row["roles"].as_array().unwrap().contains(&json!("officer")), "{row}");
    }
    let none = service.json(&format!("/nonprofits/people/{FULL}"));
    assert_eq!(
        (&none["message"], &none["total"]),
        (&json!("not in the loaded returns"), &json!(0))
    );
}

#[test]
fn families_are_seen_from_both_sides() {
    let service = Service::new();
    let of_full = service.json(&format!("/nonprofits/family/{FULL}"));
    let group = &of_full["group"];
    assert_eq!((&group["number"], &group["role"]), (&json!(2_120), &json!("subordinate")));
    assert_eq!(group["subordinates_total"], 1);
    assert_eq!(group["subordinates_by_state"], json!([{ "state": "DC", "count": 1 }]));
    let members = ["direction", "ein", "kind", "is_controlled"];
    let listed_by = json!([["listed by", BARE, "tax-exempt", false]]);
    assert_eq!(rows(&of_full, "relations", &members), listed_by);
    let of_bare = service.json(&format!("/nonprofits/family/{BARE}"));
    assert_eq!(
        rows(&of_bare, "relations", &members),
        json!([["lists", FULL, "tax-exempt", false]])
    );
    assert_eq!(of_bare["group"], Value::Null);
}

#[test]
fn peers_are_counted_and_ratios_explained() {
    let service = Service::new();
    let peers = service.json(&format!("/nonprofits/peers/{BARE}"));
    assert_eq!((&peers["peers"], &peers["tax_year"]), (&json!(0), &json!(2022)));
    assert_eq!(peers["ratios"].as_array().unwrap().len(), 5);
    assert_eq!(peers["ratios"][0]["percentile"], Value::Null);
    let none = service.json(&format!("/nonprofits/peers/{FULL}"));
    assert_eq!(
        (&none["message"], &none["ratios"]),
        (&json!("not in the loaded returns"), &json!([]))
    );
    // Its peer has less revenue than a third of its own.
    assert_eq!(none["peers"], 0);
}

#[test]
fn a_return_tells_its_months_its_contractors_and_what_it_replaces() {
    let service = Service::new();
    let filings = service.json(&format!("/nonprofits/filings/{BARE}"));
    let members = ["period_begin", "period_end", "months"];
    let periods = rows(&filings, "items", &members);
    assert_eq!(periods[2], json!(["2020-01-01", "2020-06-30", 6]));
    let latest = &filings["items"][2];
    let contractor = json!({
        "name": "Fiction Advisers LLC",
        "services": "Investment Advice",
        "compensation": 60_000
    });
    assert_eq!(latest["contractors"], json!([contractor]));
    assert_eq!(rows(latest, "supersedes", &["form_type", "filed"]).as_array().unwrap().len(), 1);
    let earlier = &latest["supersedes"][0];
    assert!(earlier["filed"].as_str().unwrap().starts_with("2020-11-01"), "{earlier}");
    assert!(earlier["url"].as_str().unwrap().contains("202011345678901234"), "{earlier}");
    let financials = service.json(&format!("/nonprofits/details/{BARE}/financials"));
    let of_period = rows(&financials, "returns", &["tax_year", "return_type"]);
    assert_eq!(
        of_period.as_array().unwrap()[2..],
        [json!([2019, "990-PF"]), json!([2019, "990-PF"])]
    );
}

#[test]
fn a_return_tells_its_balance_before_its_lobbying_and_its_interested_persons() {
    let service = Service::new();
    let filings = service.json(&format!("/nonprofits/filings/{BARE}"));
    let [latest, full] = [0, 1].map(|at| &filings["items"][at]);
    let beginning = json!({ "assets": 700, "liabilities": null, "net_assets": null });
    assert_eq!((&full["beginning"], &full["breakdown"]["other_revenue"]), (&beginning, &json!(30)));
    assert_eq!(full["reconciliation"]["prior_period_adjustments"], -12);
    let lobbying =
        json!({ "elected_501h": false, "expenditures": 25, "political_expenditures": null });
    assert_eq!(full["lobbying"], lobbying);
    let counts = json!({
        "excess_benefits": 0, "loans": 1, "loans_due": 400, "grants": 0, "grants_amount": null,
        "business": 1, "business_amount": 80
    });
    assert_eq!(full["interested_persons"], counts);
    let members = ["kind", "name", "relationship", "amount", "direction", "in_default"];
    let expected = json!([
        ["loan", "JANE ROE", "PRESIDENT", 500, "to the organization", false],
        ["business", "RICHARD ROE", null, 80, null, null],
    ]);
    assert_eq!(rows(full, "transactions", &members), expected);
    // What is not filed is not known, and no schedule is not a schedule without rows.
    assert_eq!(
        (&latest["interested_persons"], &latest["transactions"]),
        (&json!(null), &json!([]))
    );
    assert_eq!(latest["lobbying"]["elected_501h"], json!(null));
}
