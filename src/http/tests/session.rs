//! Sessions of the beta search and the chat, over the fixture.

use hyper::Method;
use serde_json::{Value, json};

use super::fixture::Service;

const ONE: &str = "6f1f1b52-92ab-4b8b-9a5a-0b2c3d4e5f60";
const TWO: &str = "6f1f1b52-92ab-4b8b-9a5a-0b2c3d4e5f61";

/// What is understood of a query within a session.
fn intent(service: &Service, q: &str, session: Option<&str>) -> Value {
    let mut headers = vec![("x-api-key", service.key.as_str())];
    headers.extend(session.map(|session| ("x-session-id", session)));
    let target = format!("/beta/nonprofits/search?q={}", q.replace(' ', "+").replace('$', "%24"));
    let reply = service.ask(Method::GET, &target, &headers);
    assert_eq!(reply.status, 200, "{target}");
    reply.json()["intentDetails"].clone()
}

#[test]
fn a_follow_up_refines_what_its_session_asked_for() {
    let service = Service::new();
    let first = intent(&service, "food banks in Ohio", Some(ONE));
    assert_eq!((&first["cause"], &first["state"]), (&json!("food banks"), &json!("OH")));
    let second = intent(&service, "only ones over $1M", Some(ONE));
    assert_eq!(second["cause"], "food banks");
    assert_eq!((&second["state"], &second["min_revenue"]), (&json!("OH"), &json!(1e6)));
    let third = intent(&service, "what about Texas instead", Some(ONE));
    assert_eq!((&third["state"], &third["min_revenue"]), (&json!("TX"), &json!(1e6)));
    // Another session, and no session, know nothing of it.
    for session in [Some(TWO), None] {
        let alone = intent(&service, "only ones over $1M", session);
        assert_eq!((&alone["state"], &alone["cause"]), (&json!(null), &json!(null)), "{session:?}");
    }
    let over = intent(&service, "start over", Some(ONE));
    assert_eq!((&over["state"], &over["min_revenue"]), (&json!(null), &json!(null)));
    let message = over["llm_response"]["message"].as_str().unwrap();
    assert!(message.contains("starting over"), "{message}");
    assert_eq!(intent(&service, "under $5M", Some(ONE))["state"], json!(null));
}

#[test]
fn explicit_parameters_are_not_remembered() {
    let service = Service::new();
    let headers = [("x-api-key", service.key.as_str()), ("x-session-id", ONE)];
    let target = "/beta/nonprofits/search?q=museums+in+Ohio&state=TX&min_revenue=5";
    let answer = service.ask(Method::GET, target, &headers).json();
    let shown = &answer["intentDetails"];
    assert_eq!((&shown["state"], &shown["min_revenue"]), (&json!("TX"), &json!(5.0)));
    let next = intent(&service, "only small ones", Some(ONE));
    assert_eq!((&next["state"], &next["min_revenue"]), (&json!("OH"), &json!(null)));
    assert_eq!(next["org_size"], json!(["Small"]));
}

/// A session identifier that another key uses is another session.
#[test]
fn a_session_is_of_one_key() {
    let mut service = Service::new();
    intent(&service, "food banks in Ohio", Some(ONE));
    let second = service.another_key();
    let first = std::mem::replace(&mut service.key, second);
    assert_eq!(intent(&service, "only ones over $1M", Some(ONE))["state"], json!(null));
    service.key = first;
    assert_eq!(intent(&service, "only ones over $1M", Some(ONE))["state"], "OH");
}

/// An answer of the chat.
fn chat(service: &Service, path: &str, q: &str, session: Option<&str>) -> Value {
    let mut headers = vec![("x-api-key", service.key.as_str())];
    headers.extend(session.map(|session| ("x-session-id", session)));
    let target = format!("{path}?q={}", q.replace(' ', "+").replace('$', "%24"));
    let reply = service.ask(Method::GET, &target, &headers);
    assert_eq!(reply.status, 200, "{q}");
    reply.json()
}

#[test]
fn the_chat_remembers_by_session_and_key() {
    let mut service = Service::new();
    let (over, ohio) = ("only ones over $1M", json!("OH"));
    chat(&service, "/chat", "food banks in Ohio", Some(ONE));
    for (path, session, state) in [
        ("/chat/search", Some(ONE), &ohio),
        ("/chat", Some(TWO), &json!(null)),
        ("/chat", None, &json!(null)),
        ("/chat", Some(ONE), &ohio),
    ] {
        let answer = chat(&service, path, over, session);
        assert_eq!(&answer["intentDetails"]["state"], state, "{path} {session:?}");
    }
    let second = service.another_key();
    let first = std::mem::replace(&mut service.key, second);
    let answer = chat(&service, "/chat", over, Some(ONE));
    assert_eq!(answer["intentDetails"]["state"], json!(null));
    service.key = first;
    // The beta search goes on from the same memory.
    assert_eq!(intent(&service, "only small ones", Some(ONE))["state"], ohio);
}

#[test]
fn each_answer_of_the_chat_fills_its_members() {
    let service = Service::new();
    let ask = |q: &str| chat(&service, "/chat", q, None);
    let answer = service.json("/chat?q=nonprofits&state=dc&sdg=4,1");
    let id = uuid::Uuid::parse_str(answer["messageId"].as_str().unwrap()).unwrap();
    assert_eq!(id.get_version_num(), 4);
    assert_ne!(ask("red cross")["messageId"], answer["messageId"]);
    let details = &answer["intentDetails"];
    assert_eq!((&details["prompt"], &details["state"]), (&json!("nonprofits"), &json!("DC")));
    assert_eq!(details["sdgs"], json!([1, 4]));
    assert_eq!(ask("red cross")["nonprofits"][0]["alt_name"], "Red Cross");
    let articles = ask("find articles about food banks");
    assert_eq!(articles["articles"][0]["date_added"], "1970-01-02T00:00:00Z");
    assert_eq!(articles["articles"][0].get("text"), None);
    let article = ask("show me article 7");
    assert_eq!(article["article"]["text"], "All of it.");
    assert_eq!(article["intentDetails"]["llm_response"]["arguments"]["article_id"], 7);
    assert!(ask("what is an EIN%3F")["kbSources"][0]["title"].is_string());
    let funds = ask("show me funds for food banks");
    assert_eq!(funds["funds"][0]["address"], json!({ "city": "Akron" }));
    assert!(funds["suggestions"][0]["message"].is_string());
}

#[test]
fn a_search_in_danger_is_answered_with_who_helps_first() {
    let service = Service::new();
    for (q, number) in [
        ("I want to kill myself", "988"),
        ("quiero suicidarme", "988"),
        ("my husband beats me", "800-799-7233"),
        ("overdose", "800-222-1222"),
        ("child abuse Jackson MS", "800-422-4453"),
        ("food tonight Shreveport", "211"),
        ("aviso de desalojo", "211"),
    ] {
        let found = intent(&service, q, None);
        let (message, help) =
            (&found["llm_response"]["message"], &found["llm_response"]["arguments"]["help"]);
        let help = help.as_str().unwrap_or_default();
        assert!(help.contains(number), "{q}: {help}");
        assert!(message.as_str().unwrap().starts_with(help), "{q}: {message}");
    }
    // Who looks for nonprofits of such a cause may be in need.
    for (q, number) in
        [("suicide prevention Montana", "988"), ("domestic violence shelter Ohio", "800-799-7233")]
    {
        let found = intent(&service, q, None);
        let help = found["llm_response"]["arguments"]["help"].as_str().unwrap_or_default();
        assert!(help.contains(number) && help.starts_with("If"), "{q}: {help}");
    }
    for q in ["No Kill Louisville", "Overdose Lifeline Inc"] {
        let found = intent(&service, q, None);
        assert_eq!(found["llm_response"]["arguments"]["help"], json!(null), "{q}");
    }
}
