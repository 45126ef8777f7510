//! CSV, fields, entity tags, encodings and what is ignored, over every endpoint.

use std::io::Read as _;

use hyper::Method;

use super::fixture::{Reply, Service};
use crate::http::interface::endpoint::{Endpoint, Reuse, Rows};
use crate::http::interface::route::ENDPOINTS;

const EIN: &str = "530196605";

/// A target of every endpoint that has rows.
fn targets() -> Vec<(String, &'static Endpoint)> {
    let target = |path: &str| match path {
        "/typeahead/nonprofits" => format!("{path}?q=am"),
        "/people/search" => format!("{path}?q=roe"),
        "/beta/nonprofits/search" => format!("{path}?q=in+vermont"),
        _ => path.replace("{ein}", EIN),
    };
    let endpoints = ENDPOINTS.iter().filter(|endpoint| endpoint.rows != Rows::None);
    endpoints.map(|endpoint| (target(endpoint.path), *endpoint)).collect()
}

fn ask(service: &Service, target: &str, headers: &[(&str, &str)]) -> Reply {
    let headers = [&[("x-api-key", service.key.as_str())], headers].concat();
    service.ask(Method::GET, target, &headers)
}

#[test]
fn every_list_can_be_had_as_csv() {
    let service = Service::new();
    for (target, endpoint) in targets() {
        let answer = service.json(&target);
        let count = match endpoint.rows {
            Rows::In(list) => answer[list].as_array().unwrap().len(),
            Rows::Whole | Rows::None => 1,
        };
        let accepted = ask(&service, &target, &[("accept", "text/csv, application/json;q=0.5")]);
        assert_eq!(accepted.header("content-type"), "text/csv; charset=utf-8; header=present");
        assert!(accepted.header("vary").contains("Accept"));
        let mut reader = csv::Reader::from_reader(&accepted.body[..]);
        let columns = reader.headers().unwrap().len();
        assert!(columns > 1, "{target}");
        assert_eq!(reader.records().map(Result::unwrap).count(), count, "{target}");
        if let Some(total) = answer.get("total") {
            assert_eq!(accepted.header("x-total-count"), total.to_string());
        }
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let suffixed = service.get(&format!("{path}.csv?{query}"));
        assert_eq!(suffixed.body, accepted.body, "{target}");
    }
    for headers in
        [&[("accept", "*/*")][..], &[("accept", "text/csv;q=0")], &[("accept", "image/png")]]
    {
        let reply = ask(&service, "/nonprofits/search", headers);
        assert_eq!(reply.header("content-type"), "application/json", "{headers:?}");
    }
    assert_eq!(service.get("/coverage.csv").status, 404);
}

#[test]
fn fields_cut_rows_and_unknown_ones_are_refused() {
    let service = Service::new();
    let page = service.json("/nonprofits/search?fields=name,ein&fields=,ein&size=2");
    let row = page["items"][0].as_object().unwrap();
    assert_eq!(row.keys().collect::<Vec<_>>(), ["name", "ein"]);
    assert!(page["total"].is_u64());
    let details = service.json(&format!("/nonprofits/details/{EIN}?fields=ein"));
    assert_eq!(details.to_string(), format!(r#"{{"ein":"{EIN}"}}"#));
    let csv = service.get("/nonprofits/search.csv?fields=ein,name");
    assert!(csv.body.starts_with(b"ein,name\r\n"));
    let refused = service.refused("/nonprofits/search?fields=ein,nmae&page=1");
    assert_eq!(refused, ["query.fields.1 literal_error"]);
    // Where there are no rows the parameter is as unknown as any other.
    let reply = service.get("/coverage?fields=x");
    assert_eq!((reply.status.as_u16(), reply.header("x-almoner-ignored")), (200, "fields"));
}

#[test]
fn an_answer_that_the_client_has_is_not_sent_again() {
    let service = Service::new();
    let is_kept = |(_, endpoint): &(String, &Endpoint)| endpoint.reuse != Reuse::Never;
    for (target, _) in targets().into_iter().filter(is_kept) {
        let first = service.get(&target);
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with("W/\""), "{target}");
        assert!(first.header("last-modified").ends_with(" GMT"), "{target}");
        assert_eq!(first.header("cache-control"), "private, no-cache");
        for sent in [tag.clone(), format!("\"x\", {tag}"), tag.replace("W/", "")] {
            let again = ask(&service, &target, &[("if-none-match", &sent)]);
            assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{target} {sent}");
            assert_eq!(again.header("etag"), tag);
        }
        let other = ask(&service, &target, &[("if-none-match", "W/\"0000\"")]);
        assert_eq!((other.status.as_u16(), &other.body), (200, &first.body));
        let csv = ask(&service, &target, &[("if-none-match", &tag), ("accept", "text/csv")]);
        assert_eq!(csv.status, 200, "{target}");
    }
    let moment = service.get(&format!("/nonprofits/reliance/{EIN}"));
    assert_eq!(moment.header("etag"), "");
    let session = [("x-session-id", "6ba7b810-9dad-11d1-80b4-00c04fd430c8")];
    let spoken = ask(&service, "/beta/nonprofits/search?q=in+vermont", &session);
    assert_eq!((spoken.status.as_u16(), spoken.header("etag")), (200, ""));
    let refused = service.get("/nonprofits/search?page=0");
    assert_eq!((refused.status.as_u16(), refused.header("etag")), (422, ""));
}

#[test]
fn long_bodies_are_encoded_and_short_ones_are_not() {
    let service = Service::new();
    for target in ["/nonprofits/search", "/openapi.json", "/"] {
        let plain = service.get(target);
        assert_eq!(plain.header("content-encoding"), "");
        let gzip = ask(&service, target, &[("accept-encoding", "gzip")]);
        let mut body = Vec::new();
        flate2::read::GzDecoder::new(&gzip.body[..]).read_to_end(&mut body).unwrap();
        assert_eq!((gzip.header("content-encoding"), &body), ("gzip", &plain.body), "{target}");
        let brotli = ask(&service, target, &[("accept-encoding", "gzip, br")]);
        let mut body = Vec::new();
        brotli::Decompressor::new(&brotli.body[..], 4096).read_to_end(&mut body).unwrap();
        assert_eq!((brotli.header("content-encoding"), &body), ("br", &plain.body), "{target}");
        let mut varies = brotli.headers.get_all("vary").iter();
        assert!(varies.any(|header| header == "Accept-Encoding"), "{:?}", brotli.headers);
    }
    let short = ask(&service, "/typeahead/nonprofits?q=zzzz", &[("accept-encoding", "br")]);
    assert_eq!(short.header("content-encoding"), "");
}

#[test]
fn ignored_parameters_are_named() {
    let service = Service::new();
    for (target, named) in [
        ("/nonprofits/search?sise=3&q=a&sise=4&%C3%A9%0A=1", "sise, %C3%A9%0A"),
        ("/nonprofits/search?size=3", ""),
        ("/chat?q=hello&q2=x", "q2"),
    ] {
        let reply = service.get(target);
        assert_eq!((reply.status.as_u16(), reply.header("x-almoner-ignored")), (200, named));
    }
    let many: String = (0..500).map(|at| format!("p{at}=1&")).collect();
    let reply = service.get(&format!("/nonprofits/search?{many}"));
    assert!(reply.header("x-almoner-ignored").len() < 2_000);
}

#[test]
fn facets_count_what_a_search_finds() {
    let service = Service::new();
    let page = service.json("/nonprofits/search?facets=state,org_size&size=1");
    for facet in ["state", "org_size"] {
        let counts = page["facets"][facet].as_array().unwrap().iter();
        let sum: u64 = counts.map(|count| count["count"].as_u64().unwrap()).sum();
        assert_eq!(page["total"], sum, "{facet}");
    }
    assert!(service.json("/nonprofits/search").get("facets").is_none());
}

#[test]
fn pages_name_their_neighbours() {
    let service = Service::new();
    for (target, expected) in [
        ("/nonprofits/search?size=1", r#"<?size=1&page=2>; rel="next""#),
        (
            "/nonprofits/search?size=1&page=2&q=",
            r#"<?size=1&q=&page=1>; rel="first", <?size=1&q=&page=1>; rel="prev""#,
        ),
        ("/nonprofits/search", ""),
        ("/beta/nonprofits/search?size=1", r#"<?size=1&page=2>; rel="next""#),
        ("/nonprofits/search.csv?size=1", r#"<?size=1&page=2>; rel="next""#),
        ("/grants/search?size=2", r#"<?size=2&page=2>; rel="next""#),
        ("/people/search?q=jane&size=9", ""),
        ("/coverage", ""),
    ] {
        let reply = service.get(target);
        assert_eq!((reply.status.as_u16(), reply.header("link")), (200, expected), "{target}");
    }
}
