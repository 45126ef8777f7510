//! Cursors of lists: they lead through one list as it was, and nowhere else.

use super::*;

#[test]
fn cursors_lead_through_lists() {
    let client = Client::new();
    for tool in ["search_nonprofits", "changes"] {
        let whole = client.call(tool, &json!({ "detail": "full", "limit": 100 }));
        let (mut arguments, mut found) = (json!({ "limit": 1, "detail": "full" }), Vec::new());
        loop {
            let page = client.call(tool, &arguments);
            assert_eq!(page["total"], whole["total"], "{tool}");
            found.extend(page["rows"].as_array().unwrap().clone());
            if page["nextCursor"].is_null() {
                break;
            }
            arguments["cursor"] = page["nextCursor"].clone();
        }
        assert_eq!(found.len(), whole["rows"].as_array().unwrap().len(), "{tool}");
    }
}

#[test]
fn a_cursor_is_of_one_list() {
    let client = Client::new();
    let tool = "search_nonprofits";
    let cursor = client.call(tool, &json!({ "limit": 1 }))["nextCursor"].take();
    let text = cursor.as_str().unwrap();
    for (tool, arguments) in [
        (tool, json!({ "limit": 2, "cursor": cursor })),
        ("changes", json!({ "limit": 1, "cursor": cursor })),
        (tool, json!({ "limit": 1, "cursor": format!("{text}0") })),
        (tool, json!({ "limit": 1, "cursor": text.replace("2.", "02.") })),
        (tool, json!({ "limit": 1, "cursor": "" })),
        (tool, json!({ "limit": 1, "cursor": "1.0-0000000000000000" })),
        (tool, json!({ "limit": 1, "cursor": "zz" })),
    ] {
        let told = client.refusal(tool, &arguments);
        assert!(told.contains("Expected a cursor") && told.contains("without a cursor"), "{told}");
    }
    client.service.app.swap(FIXTURE.before.clone());
    client.refusal(tool, &json!({ "limit": 1, "cursor": cursor }));
    client.service.app.swap(FIXTURE.snapshot.clone());
    client.call(tool, &json!({ "limit": 1, "cursor": cursor }));
}
