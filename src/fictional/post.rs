//! Posts that organizations publish, as lines of curated data.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::line::moment;
use super::phrase::{Alternatives, Voice, render, say};
use super::random::Random;
use super::subject::Subject;
use crate::table::table;

pub(super) static PARTS: LazyLock<Alternatives> =
    LazyLock::new(|| Alternatives::read(table!("data/fictional_posts.tsv")));

/// Classifications by weight in percent, each with what people file such posts under.
pub(super) const CLASSIFICATIONS: [(u64, (&str, &str)); 6] = [
    (45, ("article", "News")),
    (20, ("event", "Events")),
    (8, ("video", "Video")),
    (5, ("podcast", "Podcast")),
    (12, ("job_posting", "Careers")),
    (10, ("volunteer_opportunity", "Volunteering")),
];

/// The post of that number.
pub(super) fn post(number: u64, subject: &Subject, random: &mut Random) -> Value {
    let (classification, category) = random.weighted(&CLASSIFICATIONS);
    let voice = Voice {
        event: PARTS.one("*", "event", random),
        job: PARTS.one("*", "job", random),
        guests: PARTS.all("*", "guest"),
        ..Voice::default()
    };
    let title = render(PARTS.one(classification, "title", random), subject, &voice, random);
    let description = PARTS.one(classification, "description", random);
    let description = render(description, subject, &voice, random);
    let content = content(classification, subject, &voice, random);
    let mut categories = vec![category];
    if random.chance(600) {
        categories.push(subject.cause.label);
    }
    let tags = &subject.cause.tags;
    let from = random.below(tags.len() as u64 + 1) as usize;
    let to = from + random.below((tags.len() - from) as u64 + 1) as usize;
    json!({
        "kind": "post",
        "post_id": format!("fictional-post-{:07}", number + 1),
        "organization_ein": &subject.ein,
        "organization_name": &subject.name,
        "post_title": title,
        "post_classification": (!random.chance(20)).then_some(classification),
        "post_description": description,
        "post_content": content,
        "post_url": format!("{}/posts/{}", subject.site, number + 1),
        "post_published_date": (!random.chance(15)).then(|| moment(random)),
        "post_author": PARTS.one("*", "author", random),
        "post_categories": categories,
        "post_tags": tags[from..to].to_vec(),
    })
}

/// One to three paragraphs, a blank line between them.
fn content(
    classification: &'static str,
    subject: &Subject,
    voice: &Voice,
    random: &mut Random,
) -> String {
    let mut text = String::with_capacity(640);
    let sentence = |text: &mut String, template: &str, random: &mut Random| {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push(' ');
        }
        say(text, template, subject, voice, random);
    };
    let details = PARTS.all(classification, "detail");
    let first = random.below(details.len() as u64) as usize;
    let detail = |turn: usize| details[(first + turn) % details.len()];
    sentence(&mut text, PARTS.one(classification, "open", random), random);
    sentence(&mut text, PARTS.one(subject.cause.key, "scene", random), random);
    match random.below(10) {
        0..=1 => sentence(&mut text, detail(0), random),
        2..=5 => {
            text.push_str("\n\n");
            sentence(&mut text, detail(0), random);
            sentence(&mut text, detail(1), random);
            sentence(&mut text, PARTS.one(classification, "close", random), random);
        }
        _ => {
            sentence(&mut text, detail(0), random);
            text.push_str("\n\n");
            sentence(&mut text, detail(1), random);
            sentence(&mut text, detail(2), random);
            text.push_str("\n\n");
            sentence(&mut text, PARTS.one(classification, "close", random), random);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::subject::CAUSES;
    use super::*;

    #[test]
    fn every_classification_and_cause_has_its_parts() {
        for (_, (classification, _)) in CLASSIFICATIONS {
            for part in ["title", "description", "open", "detail", "close"] {
                let found = PARTS.all(classification, part).len();
                assert!(found >= 3, "{classification} {part}");
            }
        }
        for part in ["author", "event", "job", "guest"] {
            assert!(PARTS.all("*", part).len() >= 10, "{part}");
        }
        for cause in CAUSES.iter() {
            assert!(PARTS.all(cause.key, "scene").len() >= 3, "{}", cause.key);
        }
    }
}
