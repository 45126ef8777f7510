//! `/nonprofits/aggregate`: what is answered, refused and said to be missing, over the two nonprofits of the fixture.

use hyper::StatusCode;
use serde_json::{Value, json};

use super::fixture::Service;

/// The values of a member of all groups.
fn members(answer: &Value, name: &str) -> Vec<Value> {
    answer["groups"].as_array().unwrap().iter().map(|group| group[name].clone()).collect()
}

#[test]
fn without_a_group_all_nonprofits_are_one() {
    let answer = Service::new().json("/nonprofits/aggregate?measures=revenue,expenses");
    let whole = json!({
        "count": 2,
        "revenue": {
            "known": 2, "unknown": 0, "sum": 3_217_078_811_i64, "min": 1_200, "p10": 1_200, "p25": 1_200,
            "median": 1_200, "p75": 3_217_077_611_i64, "p90": 3_217_077_611_i64, "max": 3_217_077_611_i64,
        },
        "expenses": {
            "known": 0, "unknown": 2, "sum": null, "min": null, "p10": null, "p25": null, "median": null,
            "p75": null, "p90": null, "max": null,
        },
    });
    assert_eq!(answer["groups"], json!([whole]));
    assert_eq!(
        (&answer["counted"], &answer["left_out"], &answer["total_groups"]),
        (&json!(2), &json!(0), &json!(1))
    );
    assert_eq!((&answer["group_by"], &answer["sort"]), (&json!([]), &json!("-count")));
    let [revenue, expenses] = [0, 1].map(|at| answer["measures"][at].clone());
    assert_eq!((&revenue["name"], &revenue["unit"]), (&json!("revenue"), &json!("dollars")));
    assert!(revenue["source"].as_str().unwrap().contains("REVENUE_AMT"), "{revenue}");
    assert!(expenses["period"].as_str().unwrap().contains("latest return"), "{expenses}");
    assert_eq!(answer["message"], "no returns are loaded that have expenses");
}

#[test]
fn what_is_not_known_is_a_group_of_its_own() {
    let service = Service::new();
    let grouped = |query: &str| service.json(&format!("/nonprofits/aggregate?{query}"));
    for (query, member, expected) in [
        ("group_by=state&sort=group", "state", json!(["DC", null])),
        ("group_by=state&sort=-group", "state", json!([null, "DC"])),
        ("group_by=county&sort=group", "state", json!(["DC", null])),
        ("group_by=county&sort=group", "county", json!(["District of Columbia", null])),
        ("group_by=city&sort=group", "city", json!(["Washington", null])),
        ("group_by=ntee&sort=group", "ntee", json!(["M", null])),
        ("group_by=ntee_major&sort=group", "ntee", json!(["M", null])),
        ("group_by=ntee_code&sort=group", "ntee_code", json!(["M20", null])),
        ("group_by=subsection&sort=group", "subsection", json!(["03", null])),
        ("group_by=foundation&sort=group", "foundation", json!([false, null])),
        ("group_by=ruling_decade&sort=group", "ruling_decade", json!([1930, null])),
        ("group_by=org_size&sort=-revenue_sum", "size", json!(["Super-Size", "Small"])),
        ("group_by=state&sort=-revenue_median", "state", json!(["DC", null])),
        ("group_by=state&sort=revenue_median", "state", json!([null, "DC"])),
        ("group_by=state&sort=-expenses_sum", "state", json!(["DC", null])),
        ("group_by=state,state&sort=group&size=1&page=2", "state", json!([null])),
        ("group_by=state&page=3&size=1", "state", json!([])),
    ] {
        let answer = grouped(query);
        assert_eq!(json!(members(&answer, member)), expected, "{query}");
        assert_eq!(answer["total_groups"], 2, "{query}");
    }
    let both = grouped("group_by=ntee,foundation&sort=group&measures=revenue");
    let names: Vec<_> = both["groups"][0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["ntee", "foundation", "count", "revenue"]);
    let sorted_by = grouped("measures=revenue&sort=employees_sum");
    assert_eq!(sorted_by["measures"][1]["name"], "employees", "what is sorted by is shown");
}

#[test]
fn filters_leave_out_and_say_so() {
    let service = Service::new();
    for (query, counted, left_out, message) in [
        ("state=DC", 1, 0, json!(null)),
        ("min_revenue=2000", 1, 0, json!(null)),
        ("foundation=false", 1, 1, json!(null)),
        ("ntee_codes=M&state=DC&subsection_codes=03", 1, 0, json!(null)),
        ("ntee_codes=A", 0, 0, json!("no nonprofit that is loaded satisfies the filters")),
        ("impact_url=true", 0, 0, json!("no nonprofit that is loaded satisfies the filters")),
        (
            "state=TX",
            0,
            0,
            json!("no master file of Texas is loaded, so nonprofits there cannot be found"),
        ),
        ("min_employees=1", 0, 2, json!("no returns are loaded that have numbers of employees")),
    ] {
        let answer = service.json(&format!("/nonprofits/aggregate?measures=revenue&{query}"));
        let found = (&answer["counted"], &answer["left_out"], &answer["message"]);
        assert_eq!(found, (&json!(counted), &json!(left_out), &message), "{query}");
        let groups = if counted == 0 { 0 } else { 1 };
        assert_eq!(answer["groups"].as_array().unwrap().len(), groups, "{query}");
    }
    let reply = service.get("/nonprofits/aggregate?state=TX");
    assert_eq!(reply.header("x-almoner-plan"), "columns; matches=0; visits=0; not_loaded=TX");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let service = Service::new();
    for (query, errors) in [
        ("group_by=state,ntee,size", "query.group_by value_error"),
        ("group_by=state,county,zip", "query.group_by.2 literal_error"),
        ("measures=revenue,income", "query.measures.1 literal_error"),
        ("sort=revenue", "query.sort literal_error"),
        ("sort=score_sum", "query.sort literal_error"),
        ("size=101", "query.size less_than_equal"),
        ("page=0", "query.page greater_than_equal"),
        ("latitude=1", "query.longitude missing"),
        (
            "sort=x&max_revenue=1&min_revenue=2&state=Q",
            "query.state string_too_short; query.max_revenue value_error; query.sort literal_error",
        ),
    ] {
        let found = service.refused(&format!("/nonprofits/aggregate?{query}")).join("; ");
        assert_eq!(found, errors, "{query}");
    }
}

#[test]
fn csv_has_the_columns_that_were_asked_for() {
    let service = Service::new();
    let target = "/nonprofits/aggregate.csv?group_by=state&sort=group&measures=revenue";
    let reply = service.get(target);
    assert_eq!((reply.status, reply.header("x-total-count")), (StatusCode::OK, "2"));
    let lines = String::from_utf8(reply.body).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(
        lines[0],
        "state,count,revenue.known,revenue.unknown,revenue.sum,revenue.min,revenue.p10,revenue.p25,revenue.median,\
         revenue.p75,revenue.p90,revenue.max"
    );
    assert!(lines[1].starts_with("DC,1,1,0,3217077611,"), "{}", lines[1]);
    assert!(lines[2].starts_with(",1,1,0,1200,"), "{}", lines[2]);
    let chosen = service.json("/nonprofits/aggregate?group_by=state&sort=group&fields=count,state");
    assert_eq!(chosen["groups"][0], json!({ "count": 1, "state": "DC" }));
}
