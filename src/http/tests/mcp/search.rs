//! What `search_nonprofits` says of places, counts and orders, and what other tools say where nothing is known.

use super::*;

#[test]
fn a_circle_is_called_by_its_centre_and_reaches_into_states() {
    let client = Client::new();
    let around = json!({ "near": "washington, dc", "miles": 10 });
    let found = client.call("search_nonprofits", &around);
    let told = found["message"].as_str().unwrap();
    assert!(told.contains("the 10 miles around Washington, DC"), "{told}");
    let missing = found["not_loaded"].as_str().unwrap();
    assert!(missing.contains("Maryland and Virginia"), "{missing}");
    assert_eq!(found["rows"][0]["ein"], FULL);
    assert!(found["rows"][0]["distance_miles"].as_f64().unwrap() <= 10.0, "{found}");
    // Of several states each counts.
    let several = client.call("search_nonprofits", &json!({ "state": ["DC", "KY", "OH"] }));
    assert!(several["not_loaded"].as_str().unwrap().contains("Kentucky and Ohio"), "{several}");
}

#[test]
fn distance_is_from_the_place_that_words_name() {
    let client = Client::new();
    let sorted = json!({ "q": "nonprofits near 20006", "sort": "distance" });
    let found = client.call("search_nonprofits", &sorted);
    assert_eq!(found["rows"][0]["ein"], FULL, "{found}");
    assert!(found["rows"][0]["distance_miles"].is_number(), "{found}");
    let told = client.refusal("search_nonprofits", &json!({ "sort": "distance" }));
    assert!(
        told.contains("distance is from one place") && told.contains("Lexington, KY"),
        "{told}"
    );
}

#[test]
fn the_largest_foundations_have_most_assets() {
    let client = Client::new();
    for (arguments, order) in [
        (json!({ "q": "largest private foundations" }), "sorted by assets"),
        (json!({ "q": "private foundations with the most revenue" }), "sorted by revenue"),
        (json!({ "q": "largest private foundations", "min_revenue": 1 }), "sorted by revenue"),
        (json!({ "q": "largest food banks" }), "sorted by revenue"),
    ] {
        let found = client.call("search_nonprofits", &arguments);
        assert!(found["message"].as_str().unwrap().contains(order), "{arguments} {found}");
    }
}

#[test]
fn totals_do_not_depend_on_the_order() {
    let client = Client::new();
    for q in ["red cross", "relief in Washington, DC", "roofs"] {
        let ranked = client.call("search_nonprofits", &json!({ "q": q, "facets": "state" }));
        let sorted = json!({ "q": q, "facets": "state", "sort": "-revenue" });
        let sorted = client.call("search_nonprofits", &sorted);
        assert_eq!(ranked["total"], sorted["total"], "{q}");
        assert_eq!(ranked["facets_of_total"], sorted["facets_of_total"], "{q}");
        assert_eq!(sorted.get("fits_total"), None, "{sorted}");
    }
}

#[test]
fn what_is_known_of_nobody_is_no_order() {
    let client = Client::new();
    let told = |sort: &str| {
        let found = client.call("search_nonprofits", &json!({ "sort": sort }));
        found["message"].as_str().unwrap().to_owned()
    };
    assert!(told("-employees").contains("None of these has employees on record"));
    assert!(!told("-revenue").contains("None of these"));
}

#[test]
fn a_row_of_a_comparison_is_of_one_period() {
    let client = Client::new();
    let compared = client.call("compare", &json!({ "eins": [FULL, BARE] }));
    let (rows, all) = (compared["rows"].as_array().unwrap(), &compared["all"]);
    for (row, period, revenue) in
        [(&rows[0], "2024-06", 3_217_077_611_i64), (&rows[1], "2023-06-30", 1_200)]
    {
        assert_eq!((&row["period_end"], &row["revenue"]), (&json!(period), &json!(revenue)));
        assert!(row["source"].is_string() || all["source"].is_string(), "{compared}");
        assert!(row.get("revenue_to").is_none() && row.get("later_period").is_none(), "{row}");
    }
    let whole = client.call("get_nonprofit", &json!({ "eins": FULL, "detail": "full" }));
    assert_eq!(whole["rows"][0]["org_size"], "Super-Size");
}

#[test]
fn people_are_sorted_by_pay() {
    let client = Client::new();
    let by = |sort: &str| {
        let people = client.call("people", &json!({ "ein": BARE, "sort": sort, "limit": 100 }));
        let amount = |row: &Value, name: &str| row[name].as_i64().unwrap_or_default();
        let pay = |row: &Value| amount(row, "compensation") + amount(row, "compensation_related");
        let row = |row: &Value| (row["period_end"].clone(), pay(row));
        people["rows"].as_array().unwrap().iter().map(row).collect::<Vec<_>>()
    };
    let paid = by("pay");
    assert_eq!(paid.len(), by("form").len());
    for pair in paid.windows(2) {
        let [one, next] = pair else { continue };
        assert!(one.0 != next.0 || one.1 >= next.1, "{paid:?}");
    }
}

#[test]
fn what_is_not_loaded_is_said_beside_what_is_not_found() {
    let client = Client::new();
    let none = client.call("filings", &json!({ "ein": FULL }));
    let told = none["message"].as_str().unwrap();
    assert!(told.contains("nothing of this kind") && !told.contains("arguments"), "{told}");
    let queries = json!([
        { "name": "zzyzx qwerty", "state": "Oklahoma" },
        { "name": "zzyzx qwerty", "city": "Tulsa, ok" },
        { "name": "zzyzx qwerty", "zip": "74103-1234" },
        { "name": "zzyzx qwerty", "state": "DC" },
    ]);
    let matched = client.call("match_organizations", &json!({ "queries": queries }));
    let rows = matched["rows"].as_array().unwrap();
    for (row, state) in rows.iter().zip([json!("Oklahoma"), json!("Oklahoma"), json!("Oklahoma")]) {
        assert_eq!(row["not_loaded"], state, "{row}");
    }
    assert_eq!(rows[3].get("not_loaded"), None, "{matched}");
    assert!(matched["not_loaded"].as_str().unwrap().contains("Oklahoma"), "{matched}");
}
