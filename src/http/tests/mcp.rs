//! The Model Context Protocol over HTTP, in process: every tool, and what is refused.

mod cursors;
mod door;
mod search;

use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use super::fixture::{BARE, FIXTURE, FULL, Service};
use super::schema::Components;
use crate::http::Options;

/// Revisions of the protocol that begin with `initialize`.
const REVISIONS: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];
/// The revision without sessions, of which each request says what it speaks.
const CURRENT: &str = "2026-07-28";

/// The tools, in the order in which they are listed.
const NAMES: [&str; 22] = [
    "find_by_name",
    "search_nonprofits",
    "get_nonprofit",
    "compare",
    "check_standing",
    "reliance",
    "filings",
    "provenance",
    "people",
    "find_person",
    "who_funds",
    "grants_made",
    "search_grants",
    "find_funders",
    "match_organizations",
    "similar",
    "peers",
    "related_organizations",
    "changes",
    "articles",
    "aggregate_nonprofits",
    "coverage",
];

/// What clients call the server.
const HOST: &str = "localhost:8080";

/// A client with a key.
struct Client {
    service: Service,
}

impl Client {
    fn new() -> Self {
        Self { service: Service::new() }
    }

    fn headers(&self) -> Vec<(&str, &str)> {
        vec![
            ("x-api-key", &self.service.key),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("host", HOST),
        ]
    }

    fn post(&self, message: &str) -> super::fixture::Reply {
        self.service.post("/mcp", &self.headers(), message)
    }

    /// The answer to a request, of a revision with `initialize`.
    fn request(&self, method: &str, params: &Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        let reply = self.post(&message.to_string());
        assert_eq!(reply.status, StatusCode::OK, "{method} {reply:?}");
        assert_eq!(reply.header("content-type"), "application/json");
        let answer = reply.json();
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)), "{answer}");
        answer
    }

    /// What a tool answers.
    fn call(&self, tool: &str, arguments: &Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let result = self.request("tools/call", &params)["result"].take();
        assert_eq!(result["isError"], false, "{tool} {arguments} {result}");
        assert!(!result["content"][0]["text"].as_str().unwrap().is_empty(), "{tool} {arguments}");
        result["structuredContent"].clone()
    }

    /// What a tool says of arguments that do not fit.
    fn refusal(&self, tool: &str, arguments: &Value) -> String {
        let params = json!({ "name": tool, "arguments": arguments });
        let answer = self.request("tools/call", &params);
        assert_eq!(answer["result"]["isError"], true, "{tool} {arguments} {answer}");
        assert_eq!(answer["result"].get("structuredContent"), None);
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

#[test]
fn a_client_of_every_revision_is_greeted() {
    let client = Client::new();
    for revision in REVISIONS {
        let params = json!({
            "protocolVersion": revision,
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let result = client.request("initialize", &params)["result"].take();
        assert_eq!(result["protocolVersion"], revision);
        assert_eq!(result["serverInfo"]["name"], "almoner");
        assert_eq!(
            result["capabilities"],
            json!({ "completions": {}, "prompts": {}, "resources": {}, "tools": {} })
        );
        let told = result["instructions"].as_str().unwrap();
        assert!(
            told.contains("EIN") && told.contains("Loaded: ") && told.contains("Not loaded"),
            "{told}"
        );
    }
    let told = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let reply = client.post(told);
    assert_eq!((reply.status, reply.body.len()), (StatusCode::ACCEPTED, 0));
    // An unknown revision is answered with one that the server speaks.
    let params = json!({
        "protocolVersion": "1999-01-01", "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    });
    let result = client.request("initialize", &params)["result"].take();
    assert!(REVISIONS.contains(&result["protocolVersion"].as_str().unwrap()), "{result}");
}

#[test]
fn answers_link_to_the_organizations_that_they_are_about() {
    let client = Client::new();
    let links = |revision: &str, tool: &str, arguments: Value| {
        let params = json!({ "name": tool, "arguments": arguments });
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let headers = [client.headers(), vec![("mcp-protocol-version", revision)]].concat();
        let answer = client.service.post("/mcp", &headers, &message.to_string()).json();
        let content = answer["result"]["content"].as_array().unwrap().clone();
        let linked = content.into_iter().filter(|block| block["type"] == "resource_link");
        linked.map(|link| link["uri"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let both = json!({ "eins": [FULL, BARE] });
    let uris = [FULL, BARE].map(|ein| format!("nonprofit://{ein}"));
    assert_eq!(links("2025-11-25", "compare", both.clone()), uris);
    assert_eq!(links("2025-06-18", "check_standing", json!({ "ein": FULL })), uris[..1]);
    // Clients of earlier revisions know no links.
    assert_eq!(links("2025-03-26", "compare", both), [""; 0]);
    assert_eq!(links("2025-11-25", "coverage", json!({})), [""; 0]);
}

#[test]
fn the_current_revision_needs_no_greeting() {
    let client = Client::new();
    let ask = |method: &str, name: Option<&str>, mut params: Value| {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": CURRENT,
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let mut headers = client.headers();
        headers.extend([("mcp-protocol-version", CURRENT), ("mcp-method", method)]);
        headers.extend(name.map(|name| ("mcp-name", name)));
        client.service.post("/mcp", &headers, &message.to_string())
    };
    let found = ask("server/discover", None, json!({})).json()["result"].take();
    assert!(found["supportedVersions"].as_array().unwrap().contains(&json!(CURRENT)), "{found}");
    let listed = ask("tools/list", None, json!({})).json()["result"].take();
    assert_eq!(listed["tools"].as_array().unwrap().len(), NAMES.len());
    let params = json!({ "name": "get_nonprofit", "arguments": { "ein": FULL } });
    let called = ask("tools/call", Some("get_nonprofit"), params.clone()).json()["result"].take();
    assert_eq!(called["structuredContent"]["rows"][0]["ein"], FULL, "{called}");
    // A header that contradicts the body is refused.
    let reply = ask("tools/call", Some("compare"), params);
    assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{reply:?}");
}

#[test]
fn tools_are_described_and_only_read() {
    let client = Client::new();
    let listed = client.request("tools/list", &json!({}))["result"]["tools"].take();
    let names: Vec<_> =
        listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, NAMES);
    for tool in listed.as_array().unwrap() {
        let name = &tool["name"];
        assert!(tool["description"].as_str().unwrap().len() > 40, "{name}");
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        assert_eq!(tool["annotations"]["openWorldHint"], false);
        let input = &tool["inputSchema"];
        assert_eq!(
            (&input["type"], &input["additionalProperties"]),
            (&json!("object"), &json!(false))
        );
        for (argument, schema) in input["properties"].as_object().unwrap() {
            assert!(schema["type"].is_string(), "{name}.{argument} {schema}");
        }
        assert_eq!(tool["outputSchema"]["type"], "object", "{name}");
    }
    let searched = listed[1]["inputSchema"]["properties"].as_object().unwrap();
    for there in ["q", "state", "near", "min_revenue", "org_size", "facets", "cursor", "limit"] {
        assert!(searched.contains_key(there), "{there}");
    }
    assert!(!searched.contains_key("page") && !searched.contains_key("x-session-id"));
    assert_eq!(searched["state"]["type"], "array");
    assert_eq!(listed[2]["inputSchema"]["required"], json!(["eins"]));
    // What most hosts pass to a model.
    let shown = |tool: &Value| {
        let texts = [&tool["name"], &tool["description"], &tool["inputSchema"]];
        texts.iter().map(|part| part.to_string().len()).sum::<usize>()
    };
    let characters: usize = listed.as_array().unwrap().iter().map(shown).sum();
    assert!(characters <= 16_000, "{characters} characters");
}

#[test]
fn every_tool_answers_as_its_schema_says() {
    let client = Client::new();
    let listed = client.request("tools/list", &json!({}))["result"]["tools"].take();
    let calls = [
        ("find_by_name", json!({ "q": "red cross" })),
        ("search_nonprofits", json!({ "q": "relief in Washington", "facets": ["state"] })),
        ("search_nonprofits", json!({ "state": ["dc", "KY"], "min_revenue": 1e6, "sort": "name" })),
        ("search_nonprofits", json!({ "deductible_donations": true, "limit": 1, "q": null })),
        ("search_nonprofits", json!({ "near": "Washington, DC", "miles": 10, "detail": "full" })),
        ("search_nonprofits", json!({ "similar_to": FULL })),
        ("get_nonprofit", json!({ "eins": [FULL, BARE], "detail": "full" })),
        ("compare", json!({ "eins": [FULL, BARE] })),
        ("check_standing", json!({ "ein": "53-0196605" })),
        ("reliance", json!({ "ein": 530_196_605 })),
        ("filings", json!({ "ein": FULL })),
        ("provenance", json!({ "ein": [FULL] })),
        ("people", json!({ "ein": BARE })),
        ("find_person", json!({ "q": "smith" })),
        ("who_funds", json!({ "ein": FULL })),
        ("grants_made", json!({ "ein": BARE, "year": 2022, "limit": 1 })),
        ("search_grants", json!({ "q": "roofs" })),
        ("find_funders", json!({ "q": "roofs", "state": "dc" })),
        (
            "match_organizations",
            json!({ "queries": [{ "name": "American Red Cross", "city": "Washington" }, { "name": "zzz" }] }),
        ),
        ("similar", json!({ "ein": FULL })),
        ("peers", json!({ "ein": FULL })),
        ("related_organizations", json!({ "ein": FULL })),
        ("changes", json!({ "eins": [FULL], "kind": ["moved"], "limit": 1 })),
        ("articles", json!({})),
        ("aggregate_nonprofits", json!({ "group_by": ["state"], "measures": ["assets"] })),
        ("coverage", json!({})),
        ("coverage", json!({ "state": "DC" })),
    ];
    assert!(NAMES.iter().all(|name| calls.iter().any(|(called, _)| called == name)));
    for (name, arguments) in calls {
        let answer = client.call(name, &arguments);
        let tools = listed.as_array().unwrap();
        let schema = &tools.iter().find(|tool| tool["name"] == name).unwrap()["outputSchema"];
        let checked = Components::of_schema(schema).check(&answer, schema, name);
        assert_eq!(checked, Ok(()), "{arguments}");
    }
}

/// The members of an object that are known.
fn known(object: &Value) -> Value {
    let members = object.as_object().unwrap().iter().filter(|(_, value)| match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => true,
    });
    Value::Object(members.map(|(name, value)| (name.clone(), value.clone())).collect())
}

#[test]
fn tools_answer_what_the_endpoints_answer() {
    let client = Client::new();
    let endpoint = |target: &str| client.service.json(target);
    for ein in [FULL, BARE] {
        let details = endpoint(&format!("/nonprofits/details/{ein}"));
        let whole = client.call("get_nonprofit", &json!({ "eins": ein, "detail": "full" }));
        let row = &whole["rows"][0];
        for (name, value) in known(&details).as_object().unwrap() {
            let cited = ["filingYear", "revenueGrandTotal", "netAssets", "irsFilingUrl"];
            assert!(cited.contains(&name.as_str()) || row[name] == *value, "{name} {row}");
        }
        let revenue = &details["revenueGrandTotal"];
        assert_eq!(row["revenue"].as_f64(), revenue.as_f64(), "{row}");
        let params = json!({ "uri": format!("nonprofit://{ein}") });
        let read = client.request("resources/read", &params)["result"]["contents"][0].take();
        assert_eq!(read["mimeType"], "application/json");
        let text = read["text"].as_str().unwrap();
        let told: Value = serde_json::from_str(text).unwrap();
        for member in ["ein", "name", "revenue", "revenue_to", "irsRulingDate"] {
            assert_eq!(told[member], row[member], "{member}");
        }
        assert!(told["filingYear"].is_null() && told["figures"].is_array(), "{told}");
        let params = json!({ "uri": format!("nonprofit://{ein}/standing") });
        let read = client.request("resources/read", &params)["result"]["contents"][0].take();
        let standing: Value = serde_json::from_str(read["text"].as_str().unwrap()).unwrap();
        assert_eq!(standing, endpoint(&format!("/nonprofits/standing/{ein}")));
    }
    let searched = client.call("search_nonprofits", &json!({ "q": "roofs", "limit": 5 }));
    let over_http = endpoint("/beta/nonprofits/search?q=roofs&size=5");
    assert_eq!(searched["message"], over_http["intentDetails"]["llm_response"]["message"]);
    assert_eq!(searched["rows"], over_http["nonprofits"]);
}

#[test]
fn figures_have_their_period_and_source() {
    let client = Client::new();
    let one = client.call("get_nonprofit", &json!({ "eins": FULL }));
    let figures = one["rows"][0]["figures"].as_array().unwrap().clone();
    assert!(!figures.is_empty());
    for figure in figures {
        assert!(figure["value"].is_i64() && figure["source"].is_string(), "{figure}");
    }
    let sorted = client.call(
        "search_nonprofits",
        &json!({ "sort": "-revenue", "fields": ["revenue", "revenue_to"] }),
    );
    assert!(sorted["rows"].is_array(), "{sorted}");
}

#[test]
fn several_values_and_unknown_eins_are_rows() {
    let client = Client::new();
    let total =
        |arguments: Value| client.call("search_nonprofits", &arguments)["total"].as_u64().unwrap();
    let states = |arguments: Value| total(json!({ "state": arguments }));
    assert_eq!(states(json!(["DC", "DC"])), states(json!("DC")));
    assert!(states(json!(["DC", "KY", "CA", "NY"])) >= states(json!("DC")));
    let both = client.call("get_nonprofit", &json!({ "eins": [FULL, "99-9999999"] }));
    assert!(both["rows"][1]["message"].as_str().unwrap().contains("no loaded nonprofit"), "{both}");
    let none = client.call("find_by_name", &json!({ "q": "zzyzx qwerty" }));
    assert!(none["message"].as_str().unwrap().contains("Loaded"), "{none}");
}

#[test]
fn prompts_and_completions() {
    let client = Client::new();
    let listed = client.request("prompts/list", &json!({}))["result"]["prompts"].take();
    assert_eq!(listed.as_array().unwrap().len(), 4);
    let filled = json!({ "name": "due_diligence", "arguments": { "nonprofit": "Omega House" } });
    let text =
        client.request("prompts/get", &filled)["result"]["messages"][0]["content"]["text"].take();
    assert!(
        text.as_str().unwrap().contains("Omega House") && !text.as_str().unwrap().contains('{'),
        "{text}"
    );
    let complete = |name: &str, value: &str| {
        let params = json!({
            "ref": { "type": "ref/prompt", "name": "shortlist" },
            "argument": { "name": name, "value": value },
        });
        client.request("completion/complete", &params)["result"]["completion"]["values"].take()
    };
    assert!(complete("cause", "food bank").to_string().contains("K31"));
    assert!(complete("place", "lexingt").to_string().contains("Lexington, KY"));
    assert_eq!(complete("amount", "25"), json!([]));
}

#[test]
fn what_does_not_fit_is_told_to_the_model() {
    let client = Client::new();
    for (tool, arguments, parts) in [
        ("check_standing", json!({ "ein": "999999999" }), ["999999999", "find_by_name"]),
        ("get_nonprofit", json!({ "ein": "12" }), ["nine digits", "\"12\""]),
        ("get_nonprofit", json!({}), ["eins", "found none"]),
        ("get_nonprofit", json!({ "eins": FULL, "x": 1 }), ["among eins", "\"x\""]),
        ("get_nonprofit", json!({ "eins": FULL, "fields": "gross" }), ["fields", "figures"]),
        ("check_standing", json!({ "ein": "x".repeat(500) }), ["nine digits", "…"]),
        ("people", json!({ "ein": [FULL, BARE] }), ["list of 2", "once for each"]),
        (
            "find_person",
            json!({ "q": "smith", "state": ["KY", "VT"] }),
            ["one value", "once for each"],
        ),
        (
            "match_organizations",
            json!({ "queries": [{ "city": "Reno" }] }),
            ["queries.0.name", "required"],
        ),
        ("match_organizations", json!({ "queries": ["a"] }), ["queries.0", "an object"]),
        ("search_nonprofits", json!({ "state": "ZZ" }), ["state", "\"ZZ\""]),
        ("search_nonprofits", json!({ "city": "Reno, NV" }), ["city alone", "Reno, NV"]),
        ("search_nonprofits", json!({ "near": "Nowhere" }), ["near", "ZIP code"]),
        ("search_nonprofits", json!({ "miles": 5 }), ["needs near", "Lexington, KY"]),
        ("search_nonprofits", json!({ "min_revenue": "much" }), ["min_revenue", "\"much\""]),
        ("search_nonprofits", json!({ "min_revenue": {} }), ["min_revenue", "{}"]),
        ("search_nonprofits", json!({ "org_size": ["Huge"] }), ["org_size", "Small"]),
        ("search_nonprofits", json!({ "limit": 101 }), ["limit", "100"]),
        ("search_nonprofits", json!({ "size": 5 }), ["Did you mean limit", "\"size\""]),
        (
            "search_nonprofits",
            json!({ "min_revenu": 5 }),
            ["Did you mean min_revenue", "min_revenu"],
        ),
        ("search_nonprofits", json!({ "cursor": 2 }), ["a cursor", "\"2\""]),
        ("search_nonprofits", json!({ "detail": "all" }), ["detail", "brief or full"]),
        ("get_nonprofit", json!({ "eins": vec!["1"; 1000] }), ["at most 500", "1000"]),
        ("find_by_name", json!({ "q": "a" }), ["2 to 256", "\"a\""]),
        ("compare", json!({ "eins": [FULL] }), ["2 to 10", "found 1"]),
        ("compare", json!({ "eins": [FULL, FULL] }), ["different", "found 1"]),
        ("changes", json!({ "since": "yesterday" }), ["since", "yesterday"]),
        ("changes", json!({ "since": "20200101T000000Z-00000000" }), ["since", "remembered"]),
    ] {
        let told = client.refusal(tool, &arguments);
        for part in parts {
            assert!(told.contains(part), "{tool} {arguments}: {part:?} is not in {told:?}");
        }
        assert!(told.len() < 2_000, "{told}");
    }
}

#[test]
fn what_the_protocol_does_not_know_is_an_error_of_json_rpc() {
    let client = Client::new();
    let code = |method: &str, params: Value| {
        let answer = client.request(method, &params);
        assert_eq!(answer.get("result"), None, "{answer}");
        answer["error"]["code"].as_i64().unwrap()
    };
    assert_eq!(code("tools/call", json!({ "name": "drop_tables" })), -32602);
    assert_eq!(code("tools/call", json!({})), -32602);
    assert_eq!(code("tools/call", json!({ "name": "compare", "arguments": [] })), -32602);
    assert_eq!(code("tools/list", json!({ "cursor": "2" })), -32602);
    assert_eq!(code("resources/read", json!({ "uri": "file:///etc/passwd" })), -32002);
    assert_eq!(code("resources/read", json!({ "uri": "nonprofit://12" })), -32002);
    assert_eq!(code("resources/read", json!({ "uri": "nonprofit://999999999" })), -32002);
    assert_eq!(code("resources/subscribe", json!({ "uri": "nonprofit://530196605" })), -32601);
    assert_eq!(code("prompts/get", json!({ "name": "x" })), -32602);
    assert_eq!(code("prompts/get", json!({ "name": "due_diligence" })), -32602);
    assert_eq!(code("resources/read", json!({ "uri": format!("nonprofit://{FULL}/x") })), -32002);
    assert_eq!(code("nonsense", json!({})), -32601);
    let listed = client.request("resources/list", &json!({}));
    assert_eq!(listed["result"]["resources"][0]["uri"], "almoner://coverage");
    let templates = client.request("resources/templates/list", &json!({}));
    let template = &templates["result"]["resourceTemplates"][0];
    assert_eq!(template["uriTemplate"], "nonprofit://{ein}");
    assert_eq!(client.request("ping", &json!({}))["result"], json!({}));
    for (frame, code) in [("{", -32700), ("[]", -32600), (r#"{"jsonrpc":"2.0","id":1}"#, -32600)] {
        let reply = client.post(frame);
        assert_eq!(reply.status, StatusCode::BAD_REQUEST);
        assert_eq!(reply.json()["error"]["code"], code, "{frame}");
    }
}

#[test]
fn a_damaged_snapshot_is_a_fault_that_says_nothing() {
    let client = Client::new();
    let (_folder, damaged) = FIXTURE.damaged();
    client.service.app.swap(damaged);
    let params = json!({
        "ref": { "type": "ref/prompt", "name": "due_diligence" },
        "argument": { "name": "nonprofit", "value": "american" },
    });
    let answer = client.request("completion/complete", &params);
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
    assert!(!answer.to_string().contains("cards"), "{answer}");
    assert_eq!(client.call("get_nonprofit", &json!({ "eins": FULL }))["rows"][0]["ein"], FULL);
}
