//! What endpoints make of their parameters, and what they answer from the fixture.

use hyper::StatusCode;
use serde_json::{Value, json};

use super::fixture::{BARE, FIXTURE, FULL, Service, read};
use crate::http::endpoints::{beta, search};
use crate::query::{Area, Figure, Filters, Flag, Range, Ranges, Sort, SortKey};
use crate::record::{OrgSize, Point};
use crate::search::nonprofits::{Order, Query, RelevanceQuery};

/// What a request asks the beta search for.
fn searched(target: &str) -> Query {
    read(target, |input| beta::query(input, &FIXTURE.snapshot).unwrap())
}

#[test]
fn details() {
    let service = Service::new();
    let full = service.json(&format!("/nonprofits/details/{FULL}?unknown=1"));
    for (key, value) in [
        ("ein", json!(FULL)),
        ("name", json!("American National Red Cross")),
        ("alt_name", json!("Red Cross")),
        ("url", json!("https://www.redcross.org")),
        ("state", json!("DC")),
        ("zipCode5", json!("20006")),
        ("ntee", json!("M20")),
        ("filingYear", json!(2024)),
        ("revenueGrandTotal", json!(3_217_077_611_i64)),
        ("netAssets", json!(null)),
        ("foundation", json!(false)),
        ("inactive", json!(false)),
        ("irsRulingDate", json!("1938-12-01")),
        ("sdgs", json!([11, 13])),
        ("lat", json!(38.8964)),
    ] {
        assert_eq!(full[key], value, "{key}");
    }
    let bare = service.json(&format!("/nonprofits/details/{BARE}"));
    let known: Vec<_> = bare
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, _)| key.as_str())
        .collect();
    let stated = ["filingYear", "revenueGrandTotal", "inactive", "formType", "irsFilingUrl"];
    assert_eq!(known, [&["ein", "name"], &stated[..]].concat());
    let reply = service.get("/nonprofits/details/000000000");
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
    assert_eq!(reply.json(), json!({ "detail": "Nonprofit not found" }));
}

#[test]
fn typeahead() {
    let service = Service::new();
    let answer = service.json("/typeahead/nonprofits?q=zzz&q=American+Nat&state=ZZ");
    assert_eq!((&answer["query"], &answer["count"]), (&json!("American Nat"), &json!(1)));
    assert_eq!(answer["results"][0]["ein"], FULL);
    assert_eq!(service.json("/typeahead/nonprofits?q=%FF%FF")["query"], "\u{FFFD}\u{FFFD}");
}

#[test]
fn a_place_that_nobody_knows_is_told_with_the_nearest() {
    let service = Service::new();
    let search = "/beta/nonprofits/search?state=vt&county=Adison,Rutland&city=Burlingtn";
    let intent = &service.json(search)["intentDetails"]["llm_response"];
    let near = |name| json!([{ "name": name, "state": "VT" }]);
    let unknown = &intent["arguments"]["unknown_places"];
    assert_eq!(unknown.as_array().unwrap().len(), 2);
    assert_eq!(
        unknown[0],
        json!({ "parameter": "county", "name": "Adison", "nearest": near("Addison") })
    );
    assert_eq!(
        (&unknown[1]["parameter"], &unknown[1]["name"]),
        (&json!("city"), &json!("Burlingtn"))
    );
    let aggregate = service.json("/nonprofits/aggregate?state=vt&county=Adison");
    for message in [&intent["message"], &aggregate["message"]] {
        let said = message.as_str().unwrap();
        assert!(said.contains("no county “Adison” is known in Vermont"), "{said}");
        assert!(said.contains("nearest by name: Addison"), "{said}");
    }
    let known = service.json("/beta/nonprofits/search?state=vt&county=Addison,rutland+county");
    let intent = &known["intentDetails"]["llm_response"];
    assert_eq!(intent["arguments"].get("unknown_places"), None);
    let said = intent["message"].as_str().unwrap();
    assert!(said.contains("in Addison and rutland county, Vermont"), "{said}");
}

#[test]
fn filters_reach_the_search() {
    let service = Service::new();
    let target = "/beta/nonprofits/search?subsection_codes=03,04&foundation=no&operating=1&church=no&deductible_donations=t\
         &form_1023ez=false&has_return=yes\
         &latitude=44.5&longitude=-73.2&location_range=25&city=st+albans&county=Franklin\
         &state=vt&zip_code=05478&min_revenue=1&max_revenue=5&min_employees=2&sdgs=4&sdgs=1,4\
         &ntee_codes=a20,B&org_size=Small,Super-Size&sort=-rating,name&sort=distance\
         &page=3&size=50";
    let (answer, asked) = (service.json(target), searched(target));
    let filters = asked.filters;
    assert_eq!(filters.subsections.len(), 2);
    assert_eq!(
        (filters.flags[Flag::Foundation], filters.flags[Flag::Deductible]),
        (Some(false), Some(true))
    );
    let others = [Flag::Operating, Flag::Church, Flag::Form1023Ez, Flag::HasReturn];
    assert_eq!(
        others.map(|flag| filters.flags[flag]),
        [Some(true), Some(false), Some(false), Some(true)]
    );
    let point = Point::new(44.5, -73.2).unwrap();
    let area = Area {
        state: "VT".parse().ok(),
        county: Some("Franklin".to_owned()),
        city: Some("st albans".to_owned()),
        zip: "05478".parse().ok(),
        near: Some((point, 25.0)),
    };
    assert_eq!((filters.areas, asked.origin), (vec![area], Some(point)));
    assert_eq!(filters.ranges[Figure::Revenue], Range { min: Some(1.0), max: Some(5.0) });
    assert_eq!(filters.ranges[Figure::Employees], Range { min: Some(2.0), max: None });
    assert_eq!(serde_json::to_value(filters.sdgs).unwrap(), json!([1, 4]));
    assert_eq!(filters.ntee_prefixes, ["a20", "B"]);
    assert_eq!(filters.choices.sizes, [OrgSize::Small, OrgSize::SuperSize]);
    let sort = |key, descending| Order::By(Sort { key, descending });
    assert_eq!(
        asked.sort,
        [
            sort(SortKey::Figure(Figure::Rating), true),
            sort(SortKey::Name, false),
            sort(SortKey::Distance, false)
        ]
    );
    assert_eq!((asked.page, asked.size), (3, 50));

    let intent = &answer["intentDetails"];
    assert_eq!(intent["state"], "VT");
    assert_eq!(intent["zip"], "05478");
    assert_eq!(intent["ntee_codes"], json!(["a20", "B"]));
    assert_eq!(intent["org_size"], json!(["Small", "Super-Size"]));
    assert_eq!(intent["prompt"], json!(null));
    assert_eq!(intent["llm_response"]["function_name"], "search_nonprofits");
    assert_eq!(intent["llm_response"]["arguments"]["subsection_codes"], json!(["03", "04"]));
    assert_eq!(
        intent["llm_response"]["message"],
        "0 nonprofits match: in the 25 miles around 44.5, -73.2, 05478, st albans, Franklin County, \
         Vermont; with revenue $1 to $5; with employees at least 2; of size Small or Super-Size; \
         working for SDG 1 (No Poverty) or SDG 4 (Quality Education); with NTEE a20 or B; under \
         501(c)(3) or 501(c)(4); no private foundations; private operating foundations only; no churches; not exempt by Form 1023-EZ; with a \
         loaded return; contributions deductible; sorted by \
         rating, the best first; sorted by name; sorted by distance; no master file of Vermont \
         is loaded, so nonprofits there cannot be found; no list of approvals of Form 1023-EZ is loaded, so how exemption \
         was applied for was not checked; no list that is loaded says whether \
         contributions are deductible; no returns are loaded that have numbers of employees."
    );
    let found = service.json("/beta/nonprofits/search?state=DC");
    let (shown, details) =
        (&found["nonprofits"][0], service.json(&format!("/nonprofits/details/{FULL}")));
    for (key, value) in shown.as_object().unwrap() {
        assert!(details.get(key).is_none_or(|one| one == value), "{key}");
    }
    assert_eq!(shown["cnSize"], "Super-Size");
}

#[test]
fn the_search_by_words_reads_no_filters_from_them() {
    let service = Service::new();
    let target = "/nonprofits/search?q=food%20in%20Ohio&state=vt&min_revenue=5&gc_vetted=true&video=false&page=2&size=3";
    let asked = |target: &str| read(target, |input| search::Params::read(input).unwrap().query());
    let like = RelevanceQuery {
        question: Some("food in Ohio".into()),
        may_name: true,
        ..RelevanceQuery::text("food ohio")
    };
    let filters = Filters {
        areas: vec![Area { state: "VT".parse().ok(), ..Area::default() }],
        ranges: Ranges::of(Figure::Revenue, Range { min: Some(5.0), max: None }),
        flags: [(Flag::Vetted, Some(true)), (Flag::Video, Some(false))].into_iter().collect(),
        ..Filters::default()
    };
    let query = Query { page: 2, ends_with_text: true, ..Query::of(filters, like, 3) };
    assert_eq!(asked(target), query);
    // Without vectors the rows are those with a word, and so many are counted.
    for (q, total, rows) in [("", 2, 2), ("food", 0, 0), ("cross", 1, 1)] {
        let answer = service.json(&format!("/nonprofits/search?q={q}&page=1&size=3"));
        let paging = (&answer["total"], &answer["page"], &answer["size"]);
        assert_eq!(paging, (&json!(total), &json!(1), &json!(3)), "{q}");
        assert_eq!(answer["items"].as_array().unwrap().len(), rows, "{q}");
    }
    // What no source says of anybody, nobody satisfies.
    for target in ["impact_url=false", "has_social_media=true", "social_media=x"] {
        let none = service.json(&format!("/nonprofits/search?{target}"));
        assert_eq!((&none["total"], &none["items"]), (&json!(0), &json!([])), "{target}");
    }
    let of_blank = Query::of(Filters::default(), RelevanceQuery::default(), 10);
    assert_eq!(asked("/nonprofits/search?q=%20"), Query { ends_with_text: true, ..of_blank });
    let refused = service.get("/nonprofits/search?latitude=4&min_assets=2&max_assets=1&size=101");
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[test]
fn names_of_hosted_models_mean_the_default() {
    let service = Service::new();
    for (asked, ran) in [
        ("", "minilm"),
        ("&model=gemini-2.5-flash-lite", "minilm"),
        ("&model=gpt-3.5-turbo-0125", "minilm"),
        ("&model=grammar", "grammar"),
    ] {
        let answer = service.json(&format!("/beta/nonprofits/search?q=food{asked}"));
        let arguments = &answer["intentDetails"]["llm_response"]["arguments"];
        assert_eq!(arguments["model"], ran, "{asked}");
    }
    let refused = service.get("/beta/nonprofits/search?q=food&model=gpt-4");
    let said = String::from_utf8(refused.body).unwrap();
    assert!(said.contains("'minilm' or 'grammar'"), "{said}");
}

#[test]
fn without_parameters_nothing_is_filtered() {
    let service = Service::new();
    let target = "/beta/nonprofits/search?q=&sdgs=,&ntee_codes=&page=99999999999999999999";
    let (answer, asked) = (service.json(target), searched(target));
    assert_eq!((asked.filters, asked.origin), Default::default());
    assert_eq!((asked.sort, asked.size, asked.page), (vec![], 10, i64::MAX as u64));
    assert_eq!(answer["intentDetails"]["llm_response"]["arguments"], json!({}));
}

#[test]
fn a_point_without_a_radius_leaves_nothing_out() {
    for range in ["", "&location_range=0"] {
        let target = "/beta/nonprofits/search?latitude=44.5&longitude=-73.2&sort=distance";
        let asked = searched(&format!("{target}{range}"));
        assert_eq!(asked.filters, Default::default(), "{range}");
        assert_eq!(asked.origin, Point::new(44.5, -73.2).ok(), "{range}");
    }
}

#[test]
fn rules_between_parameters() {
    let service = Service::new();
    let check = |query: &str, errors: &str| {
        let expected: Vec<_> = errors.split("; ").collect();
        assert_eq!(
            service.refused(&format!("/beta/nonprofits/search?{query}")),
            expected,
            "{query}"
        );
    };
    check("latitude=44.5", "query.longitude missing");
    check("longitude=-73.2&sort=distance", "query.latitude missing");
    check("longitude=x", "query.latitude missing; query.longitude float_parsing");
    check("sort=name,distance,-distance", "query.sort.1 value_error; query.sort.2 value_error");
    check("sort=distance,zzz", "query.sort.0 value_error; query.sort.1 literal_error");
    check("min_revenue=x&max_revenue=5", "query.min_revenue float_parsing");
    check(
        "page=0&max_rating=1&min_rating=2&max_score=1&min_score=2",
        "query.max_score value_error; query.max_rating value_error; query.page greater_than_equal",
    );
    check("state=ZZ&model=gpt", "query.state value_error; query.model literal_error");
    check(
        "min_assets=nan&max_assets=-inf",
        "query.min_assets finite_number; query.max_assets finite_number",
    );
}

#[test]
fn a_query_ranks_and_says_how() {
    let service = Service::new();
    let target = "/beta/nonprofits/search?q=+food+banks&max_vector_distance=0.7&sort=relevance";
    let reply = service.get(target);
    let asked = searched(target);
    assert_eq!((asked.relevance.words(), asked.distance_max), (Some("food banks"), Some(0.7)));
    assert_eq!(asked.sort, [Order::Relevance]);
    assert_eq!(reply.headers["x-almoner-plan"], "words; matches=2; visits=0; listed=0");
    let answer = reply.json();
    assert_eq!(answer["intentDetails"]["prompt"], " food banks");
    let message = answer["intentDetails"]["llm_response"]["message"].as_str().unwrap();
    assert!(
        message.contains(
            "ranked by how well they fit “food banks”; the distance in meaning asks nothing"
        ),
        "{message}"
    );
    let sorted = service.json("/beta/nonprofits/search?q=food&sort=-revenue");
    let message = sorted["intentDetails"]["llm_response"]["message"].as_str().unwrap();
    assert!(message.contains("ranked by how well they fit “food”"), "{message}");
    let plain = service.get("/beta/nonprofits/search?q=%20");
    assert_eq!(plain.headers["x-almoner-plan"], "columns; matches=2; visits=0");
    assert_eq!(plain.json()["nonprofits"][0]["vectorScore"], json!(null));
}

/// Each key of details once, with its value, and why it is null exactly where it is.
#[test]
fn provenance_is_told_of_every_value_of_details() {
    let service = Service::new();
    for ein in [FULL, BARE] {
        let details = service.json(&format!("/nonprofits/details/{ein}"));
        let provenance = service.json(&format!("/nonprofits/provenance/{ein}"));
        let fields = provenance["fields"].as_array().unwrap();
        let names: Vec<&str> = fields.iter().map(|one| one["field"].as_str().unwrap()).collect();
        let keys = details.as_object().unwrap().keys().map(String::as_str);
        let keys: Vec<&str> = keys.chain(["expenses", "assets", "liabilities"]).collect();
        assert_eq!(names, keys);
        for field in fields {
            if let Some(value) = details.get(field["field"].as_str().unwrap()) {
                assert_eq!(field["value"], *value, "{field}");
            }
            assert_eq!(field["value"].is_null(), field["missing"].is_string(), "{field}");
        }
    }
    let of = |ein: &str, name: &str| {
        let provenance = service.json(&format!("/nonprofits/provenance/{ein}"));
        let fields = provenance["fields"].as_array().unwrap().iter();
        fields.clone().find(|one| one["field"] == name).unwrap().clone()
    };
    assert_eq!(of(FULL, "name")["source"]["file"], "eo_dc.csv");
    assert_eq!(of(FULL, "irsRulingDate")["column"], "RULING");
    assert_eq!(of(FULL, "assets")["column"], "ASSET_AMT");
    assert_eq!(of(FULL, "gcVetted")["missing"], "not filed");
    assert_eq!(of(BARE, "gcVetted")["missing"], "not in this list");
    assert_eq!(of(BARE, "formType")["return"]["form_type"], "990-EZ");
    service.app.swap(FIXTURE.before.clone());
    assert_eq!(of(FULL, "inactive")["missing"], "list not loaded");
    assert_eq!(service.get("/nonprofits/provenance/999999999").status, StatusCode::NOT_FOUND);
}

#[test]
fn a_reliance_report_states_what_the_procedure_asks_for() {
    let service = Service::new();
    let report = service.json(&format!("/nonprofits/reliance/{FULL}"));
    for (key, value) in [
        ("ein", json!(FULL)),
        ("legal_name", json!("AMERICAN NATIONAL RED CROSS")),
        ("exemption", json!("501(c)(3)")),
        ("deductible", json!("not checked")),
        ("revoked", json!("no")),
        ("complete", json!(false)),
        ("citation", json!("Rev. Proc. 2018-32, 2018-23 I.R.B. 739")),
    ] {
        assert_eq!(report[key], value, "{key}");
    }
    assert_eq!(report["classification"]["section"], "509(a)(1)");
    let statement = report["statement"].as_str().unwrap();
    assert!(statement.contains("eo_dc.csv dated 1938-12 by"), "{statement}");
    assert_eq!(report["lists"][0]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(report["caveats"].as_array().unwrap().len(), 1, "{}", report["caveats"]);
    let group = &report["group"];
    assert_eq!((&group["number"], &group["role"]), (&json!(2_120), &json!("subordinate")));
    assert!(group["note"].as_str().unwrap().contains("Publication 78"), "{group}");
    assert_eq!((&report["city"], &report["state"]), (&json!("Washington"), &json!("DC")));
    let bare = service.json(&format!("/nonprofits/reliance/{BARE}"));
    assert!(bare["statement"].as_str().unwrap().starts_with("No Business Master File"));
    assert_eq!(bare["group"], Value::Null);
    assert_eq!(service.get("/nonprofits/reliance/999999999").status, StatusCode::NOT_FOUND);
}

#[test]
fn standing_is_that_of_the_lists() {
    let service = Service::new();
    let full = service.json(&format!("/nonprofits/standing/{FULL}"));
    for (key, value) in [
        ("exemption", json!("501(c)(3)")),
        ("subsection", json!("03")),
        ("deductible", json!(null)),
        ("inactive", json!(false)),
        ("ruling", json!("1938-12-01")),
        ("county", json!("District of Columbia")),
        ("in_master_file", json!(true)),
        ("snapshot", json!(FIXTURE.snapshot.manifest.snapshot)),
    ] {
        assert_eq!(full[key], value, "{key}");
    }
    let list = json!({
        "kind": "master_file",
        "title": "IRS master file extract",
        "file": "eo_dc.csv",
        "date": "1938-12-01",
        "dated_by": "ruling",
        "downloaded": "1970-01-01",
    });
    let exempt = json!({ "state": "yes", "listed": true, "row_date": "1938-12-01", "list": list });
    assert_eq!(full["checks"]["exemption"], exempt);
    assert_eq!(full["checks"]["deductibility"]["state"], "not checked");
    assert_eq!(full["checks"]["revocation"]["state"], "no");
    // Without the list nobody knows.
    service.app.swap(FIXTURE.before.clone());
    let bare = service.json(&format!("/nonprofits/standing/{BARE}"));
    assert_eq!((&bare["inactive"], &bare["in_master_file"]), (&json!(null), &json!(false)));
    assert_eq!(bare["checks"]["exemption"]["state"], "not checked");
    for check in ["deductibility", "revocation"] {
        let expected =
            json!({ "state": "not checked", "listed": null, "row_date": null, "list": null });
        assert_eq!(bare["checks"][check], expected, "{check}");
    }
    assert_eq!(service.get("/nonprofits/standing/999999999").status, StatusCode::NOT_FOUND);
}

#[test]
fn coverage_is_counted_and_names_what_is_not_loaded() {
    let service = Service::new();
    let covered = service.json("/coverage");
    for (key, value) in [
        ("snapshot", json!(FIXTURE.snapshot.manifest.snapshot)),
        ("organizations", json!(2)),
        ("in_master_file", json!(1)),
        ("without_state", json!(1)),
        (
            "returns",
            json!([2019, 2020, 2022].map(|year| json!({ "tax_year": year, "returns": 1 }))),
        ),
    ] {
        assert_eq!(covered[key], value, "{key}");
    }
    let list = |kind: &str| {
        let lists = covered["lists"].as_array().unwrap();
        lists.iter().find(|list| list["kind"] == kind).unwrap()
    };
    assert_eq!(list("master_file")["loaded"], true);
    assert_eq!(list("master_file")["files"][0]["file"], "eo_dc.csv");
    assert_eq!(list("publication78")["loaded"], false);
    let state = json!({
        "state": "DC", "name": "District of Columbia", "organizations": 1, "in_master_file": 1,
        "counties": [{ "county": "District of Columbia", "organizations": 1 }],
    });
    assert_eq!(covered["states"], json!([state]));
    let field = |name: &str| {
        let fields = covered["fields"].as_array().unwrap();
        fields.iter().find(|field| field["field"] == name).unwrap().clone()
    };
    assert_eq!(field("revenue"), json!({ "field": "revenue", "known": 2, "share": 1.0 }));
    assert_eq!(field("expenses"), json!({ "field": "expenses", "known": 0, "share": 0.0 }));
}

#[test]
fn a_search_says_what_of_it_is_not_loaded() {
    let service = Service::new();
    let check = |query: &str, matches: u64, plan: &str, parts: &[&str]| {
        let reply = service.get(&format!("/beta/nonprofits/search?{query}"));
        assert_eq!(
            reply.header("x-almoner-plan"),
            format!("columns; matches={matches}; visits=0{plan}")
        );
        let answer = reply.json();
        let message = answer["intentDetails"]["llm_response"]["message"].as_str().unwrap();
        assert_eq!(message.contains("loaded"), !parts.is_empty(), "{message}");
        parts.iter().for_each(|part| assert!(message.contains(part), "{message}"));
    };
    check("state=DC&min_revenue=1", 1, "", &[]);
    let york = "no master file of New York is loaded, so nonprofits there cannot be found";
    check("state=NY", 0, "; not_loaded=NY", &[york]);
    check("zip_code=10001", 0, "; not_loaded=NY", &[york]);
    check(
        "deductible_donations=true",
        0,
        "; not_loaded=deductible",
        &["contributions are deductible"],
    );
    check("state=NY&min_employees=1", 0, "; not_loaded=NY,employees", &[york, "employees"]);
}

#[test]
fn an_answer_says_which_part_of_q_was_taken_for_what() {
    let service = Service::new();
    let found = service.json("/beta/nonprofits/search?q=%20caf%C3%A9s+in+Ohio+over+%241M");
    let spans = &found["intentDetails"]["llm_response"]["arguments"]["spans"];
    let said = |span: &Value| (span["start"].clone(), span["end"].clone(), span["text"].clone());
    // In characters of the query as sent, its blank at the start among them.
    assert_eq!(said(&spans[0]), (json!(10), json!(14), json!("Ohio")));
    assert_eq!(said(&spans[1]), (json!(15), json!(23), json!("over $1M")));
    assert_eq!(spans[1]["meaning"], "revenue at least $1,000,000");
}
