//! Posts that organizations publish, as lines of curated data.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::phrase::{Alternatives, Voice};
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
pub(super) fn post(number: u64, subject: &Subject<'_>, random: &mut Random) -> Value {
    let (classification, category) = random.weighted(&CLASSIFICATIONS);
    let voice = Voice {
        event: PARTS.one("*", "event", random),
        job: PARTS.one("*", "job", random),
        guests: PARTS.all("*", "guest"),
        ..Voice::of(subject)
    };
    let title = voice.render(PARTS.one(classification, "title", random), random);
    let description = voice.render(PARTS.one(classification, "description", random), random);
    let content = content(classification, &voice, random);
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
        "post_published_date": (!random.chance(15)).then(|| random.moment()),
        "post_author": PARTS.one("*", "author", random),
        "post_categories": categories,
        "post_tags": tags[from..to].to_vec(),
    })
}

/// One to three paragraphs, a blank line between them.
fn content(classification: &'static str, voice: &Voice<'_>, random: &mut Random) -> String {
    let details = PARTS.all(classification, "detail");
    let first = random.below(details.len() as u64) as usize;
    let say = |template, random: &mut Random| voice.render(template, random);
    let detail =
        |turn: usize, random: &mut Random| say(details[(first + turn) % details.len()], random);
    let one = |group, part, random: &mut Random| say(PARTS.one(group, part, random), random);
    let open = one(classification, "open", random);
    let open = format!("{open} {}", one(voice.subject.cause.key, "scene", random));
    match random.below(10) {
        0..=1 => format!("{open} {}", detail(0, random)),
        2..=5 => {
            let [first, second] = [0, 1].map(|turn| detail(turn, random));
            format!("{open}\n\n{first} {second} {}", one(classification, "close", random))
        }
        _ => {
            let [first, second, third] = [0, 1, 2].map(|turn| detail(turn, random));
            let close = one(classification, "close", random);
            format!("{open} {first}\n\n{second} {third}\n\n{close}")
        }
    }
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
