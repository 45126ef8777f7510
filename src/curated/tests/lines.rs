//! Lines of JSON: each kind, right and wrong.

use std::io::{self, Read};

use proptest::prelude::*;

use crate::curated::*;
use crate::record::{Classification, OrgSize};

/// Everything that reading `text` finds.
fn events(text: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    let counts = read_lines::<ReadError>(text, &mut |event| {
        events.push(event);
        Ok(())
    })
    .unwrap();
    assert_eq!(counts.bytes, text.len() as u64);
    assert_eq!(events.last(), Some(&Event::Progress { bytes: text.len() as u64 }));
    let count = |is: fn(&Event) -> bool| events.iter().filter(|event| is(event)).count() as u64;
    assert_eq!(counts.items, count(|event| matches!(event, Event::Item { .. })));
    assert_eq!(counts.rejects, count(|event| matches!(event, Event::Reject(_))));
    events.retain(|event| !matches!(event, Event::Progress { .. }));
    events
}

/// The record of one line.
fn item(line: &str) -> Item {
    match events(line.as_bytes()).swap_remove(0) {
        Event::Item { line: 1, item } => item,
        other => panic!("{line}: {other:?}"),
    }
}

/// A line is refused for `field`, and the line after it is read.
fn check_reject(line: &str, field: &str, found: &str) {
    let text = format!("{line}\n{{\"kind\":\"overlay\",\"ein\":\"070000001\"}}\n");
    let events = events(text.as_bytes());
    let [Event::Reject(fault), Event::Item { line: 2, .. }] = &events[..] else {
        panic!("{line}: {events:?}");
    };
    assert_eq!((fault.line, fault.field.as_str()), (1, field), "{line}");
    assert!(fault.found.starts_with(found), "{line}: {:?}", fault.found);
    assert!(!fault.expected.is_empty() && fault.found.chars().count() <= 120, "{line}");
}

const STORY: &str = r#""kind":"story","story_id":"s1","ein":"07-0000001","story_title":"A garden""#;
const METRIC: &str =
    r#""kind":"metric","metric_id":"m1","ein":"070000001","metric_text":"12 beds""#;
const POST: &str =
    r#""kind":"post","post_id":"p1","organization_ein":"070000001","post_title":"News""#;
const ARTICLE: &str = r#""kind":"article","id":7,"title":"How to give""#;
const KNOWLEDGE: &str = r#""kind":"knowledge","article_id":"k1","title":"Q","content":"A""#;
const FUND: &str = r#""kind":"fund","id":-3,"title":"A fund""#;
const OVERLAY: &str = r#""kind":"overlay","ein":"070000001""#;
const ALL: [&str; 7] = [STORY, METRIC, POST, ARTICLE, KNOWLEDGE, FUND, OVERLAY];

#[test]
fn the_least_of_each_kind() {
    for keys in ALL {
        let events = events(format!("{{{keys}}}").as_bytes());
        assert!(matches!(events[..], [Event::Item { line: 1, .. }]), "{keys}: {events:?}");
    }
}

#[test]
fn stories() {
    let Item::Story(story) = item(
        &format!(
            r#"{{{STORY},"emotional_hook":" hook ","full_quote":"","protagonist":null,
        "obstacles_overcome":["rain"," ",null,"snow"],"organization_name":"ignored",
        "metrics":[{{"metric_text":"12 beds","metric_value":12}}],"power_score":10,
        "confidence_score":0.5,"report_year":2023,"date_extracted":"2024-05-01",
        "source_url":"https://example.org/s"}}"#
        )
        .replace('\n', " "),
    ) else {
        panic!()
    };
    assert_eq!(story.ein.as_str(), "070000001");
    assert_eq!(story.emotional_hook.as_deref(), Some("hook"));
    assert_eq!((story.full_quote, story.protagonist), (None, None));
    assert_eq!(story.obstacles_overcome, ["rain", "snow"]);
    assert_eq!(story.metrics[0].metric_value, Some(12.0));
    assert_eq!((story.power_score, story.confidence_score), (Some(10.0), Some(0.5)));
    assert_eq!(story.report_year, Some(2023));
    assert_eq!(story.date_extracted.unwrap().to_string(), "2024-05-01T00:00:00Z");
    assert_eq!(story.source_url.as_deref(), Some("https://example.org/s"));
}

#[test]
fn the_other_kinds() {
    let Item::Metric(metric) = item(&format!(
        r#"{{{METRIC},"metric_value":1245.5,"unit":"beds","date_added":"2024-05-01T12:00:00Z","url":null}}"#
    )) else {
        panic!()
    };
    assert_eq!((metric.metric_value, metric.url), (Some(1245.5), None));
    let Item::Article(article) = item(&format!(
        r#"{{{ARTICLE},"is_gc_original":true,"evergreen":false,"text":"one\ntwo\u0000\u202e"}}"#
    )) else {
        panic!()
    };
    assert_eq!((article.is_gc_original, article.evergreen), (Some(true), Some(false)));
    assert_eq!(article.text.as_deref(), Some("one\ntwo"));
    let Item::Fund(fund) = item(&format!(
        r#"{{{FUND},"address":{{"z":1,"a":"\u202ex\u200b"}},"category":{{}},"type":"pooled","ein":"070000002"}}"#
    )) else {
        panic!()
    };
    assert_eq!((fund.id, fund.address.as_deref()), (-3, Some(r#"{"z":1,"a":"x"}"#)));
    assert_eq!((fund.category.as_deref(), fund.r#type.as_deref()), (Some("{}"), Some("pooled")));
    let Item::Overlay(overlay) = item(&format!(
        r#"{{{OVERLAY},"gcVetted":true,"cnScore":99.5,"cnRating":4,"cnSize":"Super-Size","sdgs":[4,1],"gcVideoUrl":"https://example.org/v"}}"#
    )) else {
        panic!()
    };
    assert_eq!(
        (overlay.vetted, overlay.score, overlay.rating),
        (Some(true), Some(99.5), Some(4.0))
    );
    assert_eq!(overlay.size, Some(OrgSize::SuperSize));
    assert_eq!(overlay.sdgs.unwrap().mask(), 0b1_0010);
    assert_eq!(overlay.video_url.as_deref(), Some("https://example.org/v"));
}

#[test]
fn posts_are_plain_and_classified() {
    let read = |keys: &str| {
        let Item::Post(post) = item(&format!("{{{keys}}}")) else { panic!() };
        post
    };
    let post = read(&format!(
        r#"{POST},"post_content":"<p>One</p><script>x</script><p>Two &amp; three</p>","post_description":"a < b &amp; c","post_categories":["News","","News"],"organization_city":"x","organization_state":5,"organization_name":[]"#
    ));
    assert_eq!(post.post_content.as_deref(), Some("One\nTwo & three"));
    assert_eq!(post.post_description.as_deref(), Some("a < b &amp; c"));
    assert_eq!(post.post_classification, Some(Classification::Article));
    assert_eq!(post.post_categories, ["News", "News"]);
    let post = read(&format!(r#"{POST},"post_classification":"event","post_content":"<br><hr>""#));
    assert_eq!(post.post_classification, Some(Classification::Event));
    assert_eq!(post.post_content, None);
    let post = read(&POST.replace("News", "Volunteers needed for spring planting"));
    assert_eq!(post.post_classification, Some(Classification::VolunteerOpportunity));
    let post = read(&POST.replace("News", "<b>Bold</b> news"));
    assert_eq!(post.post_title, "Bold news");
}

#[test]
fn required_keys() {
    for keys in ALL {
        let object: serde_json::Value = serde_json::from_str(&format!("{{{keys}}}")).unwrap();
        let object = object.as_object().unwrap();
        for key in object.keys() {
            for bad in [None, Some("null"), Some("\" \""), Some("[]"), Some("true"), Some("1.5")] {
                let mut changed = object.clone();
                changed.remove(key);
                if let Some(bad) = bad {
                    changed.insert(key.clone(), serde_json::from_str(bad).unwrap());
                }
                check_reject(&serde_json::to_string(&changed).unwrap(), key, "");
            }
        }
    }
}

#[test]
fn wrong_values() {
    let long = format!("\"{}\"", "x".repeat((256 << 10) + 1));
    let big = format!("{{\"a\":\"{}\"}}", "x".repeat(16 << 10));
    let many = format!("[{}]", vec!["\"a\""; 1001].join(","));
    for (keys, key, value, found) in [
        (STORY, "ein", "\"700001\"", "700001"),
        (STORY, "ein", "170000001", "170000001"),
        (STORY, "ein", "\"07000000x\"", "07000000x"),
        (STORY, "power_score", "15", "15"),
        (STORY, "power_score", "-0.1", "-0.1"),
        (STORY, "power_score", "\"5\"", "5"),
        (STORY, "confidence_score", "[1]", "[1]"),
        (STORY, "report_year", "2023.0", "2023.0"),
        (STORY, "report_year", "23", "23"),
        (STORY, "obstacles_overcome", "\"rain\"", "rain"),
        (STORY, "obstacles_overcome", "[1]", "1"),
        (STORY, "obstacles_overcome", &many, "[\"a\""),
        (STORY, "metrics", "[\"x\"]", "x"),
        (STORY, "metrics.metric_value", "[{\"metric_value\":\"12\"}]", "12"),
        (STORY, "source_url", "\"javascript:alert(1)\"", "javascript:"),
        (STORY, "emotional_hook", "5", "5"),
        (STORY, "emotional_hook", &long, "xxx"),
        (STORY, "date_extracted", "\"May 2024\"", "May 2024"),
        (STORY, "date_extracted", "20240501", "20240501"),
        (METRIC, "metric_value", "\"12\"", "12"),
        (METRIC, "url", "\"www.example.org\"", "www."),
        (POST, "post_classification", "\"blog\"", "blog"),
        (POST, "post_tags", "{\"a\":1}", "{\"a\":1}"),
        (POST, "post_url", "\"ftp://example.org\"", "ftp"),
        (POST, "post_id", "12", "12"),
        (POST, "post_id", "\"a\\nb\"", "a\nb"),
        (ARTICLE, "id", "\"7\"", "7"),
        (ARTICLE, "id", "7.0", "7.0"),
        (ARTICLE, "id", "99999999999999999999", "1e+20"),
        (ARTICLE, "evergreen", "\"true\"", "true"),
        (FUND, "address", "\"Main Street\"", "Main"),
        (FUND, "category", &big, "{\"a\":\"xxx"),
        (FUND, "fund_minimum_investment", "5000", "5000"),
        (FUND, "ein", "\"x\"", "x"),
        (FUND, "logo", "\"data:image/png;base64,x\"", "data:"),
        (OVERLAY, "cnScore", "100.5", "100.5"),
        (OVERLAY, "cnRating", "5", "5"),
        (OVERLAY, "cnSize", "\"Huge\"", "Huge"),
        (OVERLAY, "sdgs", "[0]", "0"),
        (OVERLAY, "sdgs", "[18]", "18"),
        (OVERLAY, "sdgs", "[4.0]", "4.0"),
        (OVERLAY, "sdgs", "4", "4"),
        (OVERLAY, "gcVetted", "1", "1"),
        (OVERLAY, "kind", "\"planet\"", "planet"),
    ] {
        let name = key.split('.').next().unwrap();
        // The later of two equal keys counts.
        check_reject(&format!("{{{keys},\"{name}\":{value}}}"), key, found);
    }
}

#[test]
fn what_is_no_line() {
    for line in [
        "x",
        "[]",
        "5",
        "null",
        "{",
        "{}x",
        "{\"kind\":\"story\"",
        "{'kind':'story'}",
        "{\"a\":\"\t\"}",
        "{\"ein\":070000001}",
        "{\"score\":1e999}",
    ] {
        check_reject(line, "line", &line[..1]);
    }
    check_reject("{}", "kind", "nothing");
    check_reject("{\"kind\":1}", "kind", "1");
    check_reject(&format!("{{\"a\":{}", "[".repeat(5000)), "line", "{\"a\":[[");
    check_reject(
        &format!("{{{OVERLAY},\"a\":{}{}}}", "[".repeat(300), "]".repeat(300)),
        "line",
        "{",
    );
    let mut bytes = b"{\"kind\":\"overlay\",\"ein\":\"07\xE9\"}\n".to_vec();
    bytes.extend(format!("{{{OVERLAY}}}").bytes());
    assert!(matches!(&events(&bytes)[..],
        [Event::Reject(RecordError { line: 1, expected, .. }), Event::Item { line: 2, .. }] if expected == "UTF-8"));
}

#[test]
fn lines_are_counted_and_endless_ones_passed_over() {
    let fits = format!("{{{OVERLAY},\"x\":\"{}\"}}", "y".repeat((1 << 20) - OVERLAY.len() - 9));
    let text = format!(
        "\u{feff}\n  \r\n{{{FUND}}}\r\n{}\n{fits}\n{fits} \n{{{OVERLAY}}}",
        " ".repeat(3 << 20)
    );
    let found: Vec<String> = events(text.as_bytes())
        .into_iter()
        .map(|event| match event {
            Event::Item { line, .. } => format!("item {line}"),
            Event::Reject(fault) => format!("reject {} {}", fault.line, fault.expected),
            Event::Warning { key } => format!("key {key}"),
            Event::Progress { .. } => String::new(),
        })
        .collect();
    let long = "a line of at most 1 MiB";
    let expected = [
        "item 3",
        &format!("reject 4 {long}"),
        "item 5",
        "key x",
        &format!("reject 6 {long}"),
        "item 7",
    ];
    assert_eq!(found, expected);
    assert_eq!(fits.len(), 1 << 20);
}

#[test]
fn unknown_keys_are_told() {
    let line =
        format!(r#"{{{STORY},"mood":"x","metrics":[{{"colour":1}}],"{}":0}}"#, "k".repeat(200));
    let keys: Vec<String> = events(line.as_bytes())
        .into_iter()
        .filter_map(|event| match event {
            Event::Warning { key } => Some(key),
            _ => None,
        })
        .collect();
    assert_eq!(keys.len(), 3);
    for key in ["mood", "metrics.colour", &"k".repeat(120)] {
        assert!(keys.contains(&key.to_owned()), "{key} {keys:?}");
    }
    let many: String = (0..1000).map(|n| format!(",\"k{n}\":0")).collect();
    assert_eq!(events(format!("{{{OVERLAY}{many}}}").as_bytes()).len(), 1 + 32);
}

#[test]
fn errors_of_others_stop_the_reading() {
    #[derive(Debug)]
    enum Stop {
        Read(ReadError),
        Here(u64),
    }
    impl From<ReadError> for Stop {
        fn from(error: ReadError) -> Self {
            Self::Read(error)
        }
    }
    let text = format!("x\n{{{OVERLAY}}}\ny\n");
    let stopped = read_lines(text.as_bytes(), &mut |event| match event {
        Event::Item { line, .. } => Err(Stop::Here(line)),
        Event::Reject(fault) if fault.line > 2 => panic!(),
        _ => Ok(()),
    });
    assert!(matches!(stopped, Err(Stop::Here(2))));
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::Other.into())
        }
    }
    let broken = read_lines::<Stop>(text.as_bytes().chain(Broken), &mut |_| Ok(()));
    assert!(matches!(broken, Err(Stop::Read(ReadError::Io(_)))));
}

#[test]
fn progress_about_every_mebibyte() {
    let text = format!("{{{OVERLAY}}}\n").repeat(100_000);
    let mut told = Vec::new();
    read_lines::<ReadError>(text.as_bytes(), &mut |event| {
        if let Event::Progress { bytes } = event {
            told.push(bytes);
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(told.len(), text.len() / (1 << 20) + 1);
    assert!(told.is_sorted());
}

#[test]
fn every_line_is_an_entry_that_names_its_source() {
    let mut warnings = Vec::new();
    let counts = read_lines::<ReadError>(
        include_str!("../../../data/knowledge.ndjson").as_bytes(),
        &mut |event| {
            if let Event::Warning { .. } | Event::Reject(_) = &event {
                warnings.push(event);
            }
            Ok(())
        },
    );
    assert_eq!(warnings, []);
    let entries = own_knowledge();
    assert_eq!(counts.unwrap().items, entries.len() as u64);
    assert!(entries.len() >= 30, "{}", entries.len());
    let identifiers: std::collections::HashSet<_> =
        entries.iter().map(|entry| &entry.article_id).collect();
    assert_eq!(identifiers.len(), entries.len());
    for entry in entries {
        let names = ["Source: ", "Sources: ", "Fuente: ", "Fuentes: "];
        let sourced = names.into_iter().any(|name| entry.content.contains(name));
        assert!(sourced, "{}", entry.article_id);
        let twin = format!("{}-es", entry.article_id.trim_end_matches("-es"));
        assert!(identifiers.contains(&twin), "{twin}");
    }
}

/// Something like a value.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<f64>().prop_map(|n| serde_json::to_string(&n).unwrap()),
        any::<i64>().prop_map(|n| n.to_string()),
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
        Just("null".to_owned()),
        Just("[]".to_owned()),
        Just("[1,\"<p>\",null,{}]".to_owned()),
        Just("{\"a\":{}}".to_owned()),
        Just("\"070000001\"".to_owned()),
        Just("\"2024-05-01\"".to_owned()),
        Just("\"https://example.org\"".to_owned()),
    ]
}

proptest! {
    #[test]
    fn every_line_that_is_not_blank_is_told(lines in prop::collection::vec(any::<Vec<u8>>(), 0..8)) {
        let text = lines.join(&b'\n');
        let blank = |line: &&[u8]| !line.trim_ascii().is_empty();
        let mut expected = text.split(|byte| *byte == b'\n').filter(blank).count();
        if text.starts_with(b"\xEF\xBB\xBF") {
            expected = events(&text[3..]).len();
        }
        prop_assert_eq!(events(&text).len(), expected);
    }

    #[test]
    fn any_values(which in 0..ALL.len(), key in "(ein|sdgs|metrics|url|address|power_score|id|title|post_content|post_url|date_added|kind|cnSize|x)", value in value()) {
        let text = format!("{{{},\"{key}\":{value}}}\n{{{OVERLAY}}}", ALL[which]);
        let events = events(text.as_bytes());
        let last = matches!(events.last(), Some(Event::Item { line: 2, .. }));
        let first = matches!(events[0], Event::Item { line: 1, .. } | Event::Reject(_));
        prop_assert!(first && last);
    }

    #[test]
    fn lines_do_not_depend_on_how_they_come(text in "([a-z{}\":\n\r ]|\u{feff}){0,200}", step in 1_usize..9) {
        struct Steps<'a>(&'a [u8], usize);
        impl Read for Steps<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let length = self.1.min(self.0.len()).min(buffer.len());
                buffer[..length].copy_from_slice(&self.0[..length]);
                self.0 = &self.0[length..];
                Ok(length)
            }
        }
        let mut stepped = Vec::new();
        read_lines::<ReadError>(Steps(text.as_bytes(), step), &mut |event| {
            stepped.push(event);
            Ok(())
        }).unwrap();
        stepped.retain(|event| !matches!(event, Event::Progress { .. }));
        prop_assert_eq!(stepped, events(text.as_bytes()));
    }
}
