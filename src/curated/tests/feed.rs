//! Feeds of each format, written by hand, and what is wrong with some.

use proptest::prelude::*;

use crate::curated::*;
use crate::record::{Classification, Ein, Post};

fn ein() -> Ein {
    "070000001".parse().unwrap()
}

fn events(feed: &[u8]) -> Result<Vec<Event>, ReadError> {
    let mut events = Vec::new();
    let counts = read_feed::<ReadError>(feed, ein(), &mut |event| {
        events.push(event);
        Ok(())
    })?;
    assert_eq!(counts.bytes, feed.len() as u64);
    assert_eq!(events.pop(), Some(Event::Progress { bytes: feed.len() as u64 }));
    let items = events.iter().filter(|event| matches!(event, Event::Item { .. })).count();
    let rejects = events.iter().filter(|event| matches!(event, Event::Reject(_))).count();
    assert_eq!((counts.items, counts.rejects), (items as u64, rejects as u64));
    Ok(events)
}

/// The events, written short: `line title`, `! line field`, `? left out`.
fn short(feed: &str) -> Vec<String> {
    let events = events(feed.as_bytes()).unwrap();
    events
        .into_iter()
        .map(|event| match event {
            Event::Item { line, item: Item::Post(post) } => format!("{line} {}", post.post_title),
            Event::Reject(fault) => format!("! {} {}", fault.line, fault.field),
            Event::Warning { key } => format!("? {key}"),
            other => panic!("{other:?}"),
        })
        .collect()
}

/// The posts of a feed that has nothing wrong in it.
fn posts(feed: &str) -> Vec<Post> {
    assert_eq!(recognise(feed.as_bytes()), Some(CuratedKind::Feed), "{feed}");
    let events = events(feed.as_bytes()).unwrap();
    let post = |event| match event {
        Event::Item { item: Item::Post(post), .. } => *post,
        other => panic!("{other:?}"),
    };
    events.into_iter().map(post).collect()
}

/// The one post of an RSS item with these elements.
fn rss(item: &str) -> Post {
    let feed = format!(
        "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\" \
         xmlns:when=\"http://purl.org/rss/1.0/modules/event/\"><channel><title>Feed</title>\
         <item><pubDate>1 May 2024</pubDate>{item}</item></channel></rss>"
    );
    posts(&feed).remove(0)
}

/// The one post of an Atom entry with these elements.
fn atom(entry: &str) -> Post {
    let feed = format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Feed</title><author><name>The Board\
         </name></author><entry><updated>2024-05-02</updated>{entry}</entry></feed>"
    );
    posts(&feed).remove(0)
}

fn date(post: &Post) -> String {
    post.post_published_date.map(|date| date.to_string()).unwrap_or_default()
}

#[test]
fn rss_2() {
    let feed = r#"<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
  <title>Willow Creek Library</title>
  <atom:link href="https://willow.example/feed" rel="self" type="application/rss+xml" />
  <link>https://willow.example</link>
  <image><title>Logo</title><url>https://willow.example/l.png</url></image>
  <item>
    <title>A new wing &amp; a garden &#8211; open soon</title>
    <link>https://willow.example/wing</link>
    <dc:creator><![CDATA[Ada Rowan]]></dc:creator>
    <pubDate>Wed, 01 May 2024 12:00:00 -0500</pubDate>
    <category><![CDATA[News]]></category>
    <category>Buildings</category>
    <category>News</category>
    <guid isPermaLink="false">willow-1</guid>
    <description><![CDATA[<p>Short &amp; sweet.</p>]]></description>
    <content:encoded><![CDATA[<h2>Why</h2><p>Because.</p><script>bad()</script>]]></content:encoded>
  </item>
  <item>
    <title>Save the date: Harvest dinner</title>
    <guid>https://willow.example/dinner</guid>
    <author>ben@willow.example (Ben Ash)</author>
    <pubDate>2024-05-02</pubDate>
    <description>&lt;p&gt;Join us&lt;/p&gt; at 1 &amp;lt; 2</description>
  </item>
</channel>
</rss>"#;
    let [first, second] = &posts(feed)[..] else { panic!() };
    assert_eq!(first.post_title, "A new wing & a garden – open soon");
    assert_eq!(first.post_url.as_deref(), Some("https://willow.example/wing"));
    assert_eq!(first.post_author.as_deref(), Some("Ada Rowan"));
    assert_eq!(date(first), "2024-05-01T17:00:00Z");
    assert_eq!(first.post_categories, ["News", "Buildings"]);
    assert_eq!(first.post_description.as_deref(), Some("Short & sweet."));
    assert_eq!(first.post_content.as_deref(), Some("Why\nBecause."));
    assert_eq!(first.post_classification, Some(Classification::Article));
    assert_eq!(second.post_description.as_deref(), Some("Join us\nat 1 < 2"));
    assert_eq!(second.post_author.as_deref(), Some("Ben Ash"));
    assert_eq!(second.post_url.as_deref(), Some("https://willow.example/dinner"));
    assert_eq!(second.post_classification, Some(Classification::Event));
    let lines: Vec<String> =
        short(feed).iter().map(|e| e.split(' ').next().unwrap().into()).collect();
    assert_eq!(lines, ["9", "21"]);
}

#[test]
fn atom_1() {
    let feed = r#"<feed xmlns="http://www.w3.org/2005/Atom">
  <title>Otter Bay</title>
  <author><name>Otter Bay Staff</name><email>staff@otter.example</email></author>
  <entry>
    <title type="html">Seals &amp;amp; otters</title>
    <id>tag:otter.example,2024:1</id>
    <link rel="self" href="https://otter.example/1.atom"/>
    <link rel="related" href="https://otter.example/other"/>
    <link href="https://otter.example/1"/>
    <published>2024-05-01T08:00:00+02:00</published>
    <updated>2024-05-03T08:00:00Z</updated>
    <category term="wildlife" label="Wildlife"/><category term="bay"/>
    <summary>1 &lt; 2 &amp; &lt;b&gt; is text</summary>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One &amp; all</p><p>Two<br/>Three</p></div></content>
    <source><title>Elsewhere</title><id>x</id><updated>1999-01-01</updated></source>
  </entry>
  <entry>
    <title>Plain &amp; simple</title>
    <id>tag:otter.example,2024:2</id>
    <author><name>Cy</name><uri>https://cy.example</uri></author><author><name>Di</name></author>
    <updated>2024-05-04</updated>
    <content type="html">&lt;ul&gt;&lt;li&gt;a&lt;li&gt;b&lt;/ul&gt;</content>
  </entry>
</feed>"#;
    let [first, second] = &posts(feed)[..] else { panic!() };
    assert_eq!(first.post_title, "Seals & otters");
    assert_eq!(first.post_url.as_deref(), Some("https://otter.example/1"));
    assert_eq!(date(first), "2024-05-01T06:00:00Z");
    assert_eq!(first.post_author.as_deref(), Some("Otter Bay Staff"));
    assert_eq!(first.post_categories, ["Wildlife", "bay"]);
    assert_eq!(first.post_description.as_deref(), Some("1 < 2 & <b> is text"));
    assert_eq!(first.post_content.as_deref(), Some("One & all\nTwo\nThree"));
    assert_eq!(second.post_author.as_deref(), Some("Cy, Di"));
    assert_eq!((second.post_url.as_deref(), date(second).as_str()), (None, "2024-05-04T00:00:00Z"));
    assert_eq!(second.post_content.as_deref(), Some("- a\n- b"));
}

#[test]
fn older_formats_and_prefixes() {
    let rss_1 = r#"<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns="http://purl.org/rss/1.0/" xmlns:d="http://purl.org/dc/elements/1.1/">
<channel rdf:about="https://elm.example"><title>Elm</title><items><rdf:Seq/></items></channel>
<item rdf:about="https://elm.example/1"><title>Trees</title><link>https://elm.example/1</link>
<description>About trees</description><d:date>2024-05-01T00:00Z</d:date><d:creator>Fay</d:creator>
<d:subject>Parks</d:subject></item></rdf:RDF>"#;
    let rss_091 = r#"<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "https://elm.example/rss.dtd">
<rss version="0.91"><channel><title>Elm</title><item><title>Trees</title>
<link>https://elm.example/1</link><description>About trees</description><pubDate>1 May 2024</pubDate><author>Fay</author><category>Parks</category></item></channel></rss>"#;
    let atom = r#"<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:id>https://elm.example/1</a:id><a:title>Trees</a:title>
<a:link rel="alternate" href="https://elm.example/1"/><a:summary>About trees</a:summary><a:published>2024-05-01</a:published>
<a:author><a:name>Fay</a:name></a:author><a:category term="Parks"/></a:entry></a:feed>"#;
    let utf_16: Vec<u8> =
        format!("\u{feff}{rss_091}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    let expected = &posts(rss_1)[0];
    assert_eq!(expected.post_title, "Trees");
    assert_eq!(expected.post_description.as_deref(), Some("About trees"));
    assert_eq!(
        (expected.post_author.as_deref(), date(expected).as_str()),
        (Some("Fay"), "2024-05-01T00:00:00Z")
    );
    assert_eq!(expected.post_categories, ["Parks"]);
    for feed in [rss_091, atom] {
        assert_eq!(&posts(feed)[0], expected, "{feed}");
    }
    assert!(
        matches!(&events(&utf_16).unwrap()[..], [Event::Item { line: 2, item: Item::Post(post) }] if **post == *expected)
    );
}

#[test]
fn ids_stay_and_differ() {
    let id = |item: &str| rss(item).post_id;
    let first = id("<title>One</title><guid>x.example:a</guid>");
    let again = "<guid> x.example:a </guid><title>Changed</title><link>https://x.example</link>";
    assert_eq!(first, id(again));
    // What only numbers within its feed does not name an entry of another.
    let numbered = |link: &str| id(&format!("<title>One</title><guid>1</guid><link>{link}</link>"));
    assert_ne!(numbered("https://x.example/1"), numbered("https://x.example/news/1"));
    assert!(first.len() == 17 && first.starts_with('p'));
    let ids = [
        first,
        id("<title>One</title><guid>b</guid>"),
        id("<title>One</title><link>https://x.example</link>"),
        id("<title>One</title>"),
        id("<title>Two</title>"),
        atom("<title>One</title>").post_id,
    ];
    let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(distinct.len(), ids.len());
    let of_another = {
        let mut found = None;
        let feed =
            "<rss><channel><item><title>x</title><guid>x.example:a</guid></item></channel></rss>";
        read_feed::<ReadError>(feed.as_bytes(), "070000002".parse().unwrap(), &mut |event| {
            if let Event::Item { item: Item::Post(post), .. } = event {
                found = Some(post.post_id);
            }
            Ok(())
        })
        .unwrap();
        found.unwrap()
    };
    assert!(!ids.contains(&of_another));
}

#[test]
fn what_an_entry_carries() {
    use Classification::*;
    for (item, expected) in [
        ("<enclosure url='https://x.example/a' type='audio/mpeg' length='1'/>", Podcast),
        ("<enclosure url='https://x.example/a.MP3' length='1'></enclosure>", Podcast),
        ("<enclosure url='https://x.example/a.jpg' type='image/jpeg'/>", Article),
        (
            "<media:group><media:content url='https://x.example/a' medium='video'/></media:group>",
            Video,
        ),
        ("<media:content url='https://x.example/a.png' medium='image'/>", Article),
        ("<link>https://youtu.be/0</link>", Video),
        ("<when:startdate>2024-06-01</when:startdate>", Event),
        ("<when:other>2024-06-01</when:other>", Article),
        ("<category>Job Openings</category>", JobPosting),
    ] {
        let post = rss(&format!("<title>Item</title>{item}"));
        assert_eq!(post.post_classification, Some(expected), "{item}");
    }
    let post =
        atom("<title>x</title><link rel='enclosure' type='video/mp4' href='https://x.example/v'/>");
    assert_eq!((post.post_classification, post.post_url), (Some(Video), None));
    let post =
        rss("<title>x</title><category>a</category><media:keywords>a, b,c ,,b</media:keywords>");
    assert_eq!(
        (post.post_categories, post.post_tags),
        (vec!["a".into()], vec!["b".into(), "c".into()])
    );
}

#[test]
fn titles_authors_and_texts() {
    let long = "word ".repeat(40);
    let expected = format!("{}…", ["word"; 12].join(" "));
    assert_eq!(rss(&format!("<description>{long}</description>")).post_title, expected);
    assert_eq!(rss("<title> </title><description>Two words</description>").post_title, "Two words");
    assert_eq!(rss(&format!("<title>{}</title>", "é".repeat(900))).post_title.chars().count(), 501);
    for (author, expected) in [
        ("Ada Rowan", Some("Ada Rowan")),
        ("ada@x.example", None),
        ("ada@x.example (Ada Rowan)", Some("Ada Rowan")),
        ("Ada Rowan &lt;ada@x.example&gt;", Some("Ada Rowan")),
        ("Zoë —ada@x.example", Some("Zoë")),
        (" ", None),
    ] {
        let post = rss(&format!("<title>x</title><author>{author}</author>"));
        assert_eq!(post.post_author.as_deref(), expected, "{author}");
    }
    let post = atom("<title>x</title><content type='image/png'>iVBORw0KGgo</content>");
    assert_eq!((post.post_content, post.post_author.as_deref()), (None, Some("The Board")));
    let text = "é".repeat(200_000);
    let feed = format!(
        "<rss><item><title>x</title><pubDate>1 May 2024</pubDate><description>{text}</description></item></rss>"
    );
    assert_eq!(short(&feed), ["1 x", "? description"]);
}

#[test]
fn what_is_wrong_in_an_entry_costs_no_more_than_it() {
    for (items, expected) in [
        ("<item/><item><title>b</title></item>", &["! 2 title", "2 b", "? date"][..]),
        (
            "<item><guid>x</guid><title/>\n</item>\n<item><title>b</title><pubDate>soon</pubDate></item>",
            &["! 2 title", "4 b", "? date"],
        ),
        (
            "<item><title>a</title><pubDate>1 May 2024</pubDate><link>javascript:alert(1)</link></item>",
            &["2 a", "? link"],
        ),
        (
            "<item><title>a</title><pubDate>1 May 2024</pubDate><link>/a</link></item>",
            &["2 a", "? link"],
        ),
        // Tags that are never closed, or close nothing.
        (
            "<item><title>a<pubDate>1 May 2024</item><item><title>b</title></b></item></x>",
            &["2 a1 May 2024", "? date", "2 b", "? date"],
        ),
        ("<item><title>R&D & <3</title><pubDate>1 May 2024</pubDate></item>", &["2 R&D & <3"]),
        // Cut.
        (
            "<item><title>a</title><pubDate>1 May 2024</pubDate></item><item><title>b",
            &["2 a", "! 2 xml"],
        ),
        (
            "<item><title>a</title><pubDate>1 May 2024</pubDate></item>\n<item><![CDATA[",
            &["2 a", "! 3 xml"],
        ),
        ("<item><title>a</title><pubDate>1 May 2024</pubDate></item><item", &["2 a", "! 2 xml"]),
    ] {
        assert_eq!(short(&format!("<rss version='2.0'><channel>\n{items}")), expected, "{items}");
    }
}

#[test]
fn what_is_no_feed() {
    for (feed, found) in [
        ("", ""),
        ("text", ""),
        ("<html><body/></html>", "<html>"),
        ("<feed><entry/></feed>", "<feed>"),
    ] {
        let error = events(feed.as_bytes()).unwrap_err();
        assert!(
            matches!(&error, ReadError::NotFeed { found: text } if text.starts_with(found)),
            "{feed}: {error:?}"
        );
    }
    let bomb = "\n<!DOCTYPE rss [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]><rss><channel/></rss>";
    assert_eq!(recognise(bomb.as_bytes()), None);
    assert!(matches!(events(bomb.as_bytes()), Err(ReadError::Xml { line: 2, .. })));
    let declared = b"<?xml version='1.0' encoding='EBCDIC'?><rss/>";
    assert!(matches!(events(declared), Err(ReadError::Encoding { found }) if found == "ebcdic"));
    let long = vec![b' '; (16 << 20) + 1];
    assert!(matches!(events(&long), Err(ReadError::FeedTooLong)));
}

#[test]
fn nothing_nests_or_grows() {
    let mebibytes = |part: &str| part.repeat((2 << 20) / part.len());
    for item in [
        mebibytes("<media:group>"),
        mebibytes("<category>"),
        mebibytes("&a;"),
        mebibytes("</x>"),
        mebibytes("<x>"),
        mebibytes("<x/>"),
        mebibytes("<title>"),
        mebibytes("<description><a '"),
        mebibytes("<item>"),
        mebibytes("<author><name>"),
        format!("<x {}/>{}", mebibytes("xmlns:a='b' "), mebibytes("<a:b/>")),
        format!("<description>{}</description>", mebibytes("&lt;a '")),
        format!("<category>{}</category>", mebibytes("a&lt;")),
    ] {
        let feed = format!(
            "<rss xmlns:media=\"http://search.yahoo.com/mrss/\"><item><title>x</title>{item}"
        );
        // In quadratic time this would take minutes.
        let events = events(feed.as_bytes()).unwrap();
        assert!(!events.is_empty() && events.len() < 700_000);
    }
}

proptest! {
    #[test]
    fn any_bytes(bytes in any::<Vec<u8>>(), root in "(|<rss>|<feed xmlns='http://www.w3.org/2005/Atom'>)") {
        let mut feed = root.into_bytes();
        feed.extend(bytes);
        let _ = events(&feed);
    }

    #[test]
    fn any_elements(parts in r#"(<item>|</item>|<entry>|</entry>|<title>|</title>|<link href='a'/>|<!\[CDATA\[|\]\]>|<content>|</content>|<author>|<name>|é|&amp;|<br>|"|<|>|<media:group>|</media:group>){0,40}"#) {
        for root in ["<rss>", "<feed xmlns='http://www.w3.org/2005/Atom'>"] {
            let feed = format!("{root}{parts}");
            prop_assert!(events(feed.as_bytes()).is_ok());
        }
    }

    #[test]
    fn a_cut_feed_keeps_the_entries_before(at in 0_usize..500) {
        let item = "<item><title>x</title><pubDate>1 May 2024</pubDate></item>\n";
        let feed = format!("<rss version='2.0'>{}", item.repeat(10));
        let cut = &feed[..at.min(feed.len())];
        let whole = cut.matches("</item>").count();
        if let Ok(events) = events(cut.as_bytes()) {
            let items = events.iter().filter(|event| matches!(event, Event::Item { .. })).count();
            prop_assert_eq!(items, whole);
        } else {
            prop_assert!(at < "<rss version='2.0'>".len());
        }
    }
}
