//! What made-up posts are taken for.

use proptest::prelude::*;

use crate::curated::classify::*;
use crate::record::Classification::{self, *};

fn class(title: &str, text: &str, categories: &[&str], url: Option<&str>) -> Classification {
    let ein = "070000001".parse().unwrap();
    let post = crate::record::Post {
        post_id: String::new(),
        organization_ein: ein,
        post_title: title.to_owned(),
        post_classification: None,
        post_description: Some(text.to_owned()),
        post_content: None,
        post_url: url.map(str::to_owned),
        post_published_date: None,
        post_author: None,
        post_categories: categories.iter().map(|&text| text.to_owned()).collect(),
        post_tags: Vec::new(),
    };
    classify(&post, Enclosed::default())
}

fn check(expected: Classification, titles: &[&str]) {
    let wrong: Vec<_> = titles
        .iter()
        .map(|title| (title, class(title, "", &[], None)))
        .filter(|(_, found)| *found != expected)
        .collect();
    assert!(wrong.is_empty(), "expected {expected:?}: {wrong:#?}");
}

#[test]
fn jobs() {
    check(
        JobPosting,
        &[
            "We're hiring: Program Coordinator",
            "Now hiring bus drivers",
            "Job opening: Case Manager (full-time)",
            "Harbor Lights Shelter is hiring a night supervisor",
            "Open positions at Maple Valley Clinic",
            "Position available: Development Director",
            "Employment Opportunity – Accountant",
            "Seeking a part-time bookkeeper",
            "Join our team as an outreach specialist – full time",
            "Now accepting applications for: Internship position",
            "Executive Director position announcement",
            "Estamos contratando: coordinador de programas",
        ],
    );
}

#[test]
fn volunteering() {
    check(
        VolunteerOpportunity,
        &[
            "Volunteers needed for Saturday deliveries",
            "Volunteer with us this summer",
            "Sign up to volunteer at the pantry",
            "Become a mentor",
            "Volunteer opportunities this fall",
            "We need volunteers to walk dogs",
            "Call for volunteers: river cleanup",
            "Looking for volunteers who love books",
            "Foster homes needed for kittens",
            "Volunteer at our warehouse",
            "Reading tutors needed",
            "Se necesitan voluntarios para la despensa",
        ],
    );
}

#[test]
fn events() {
    check(
        Event,
        &[
            "Save the date: Spring Gala",
            "Join us for an evening of music on May 4",
            "Annual Gala – June 12, 2027",
            "Webinar: planning your estate, March 3",
            "Register now for summer camp",
            "You're invited to our open house",
            "Pancake breakfast this Saturday",
            "Golf Tournament: September 9",
            "5K Fun Run",
            "Blood drive on April 9th",
            "Community job fair",
            "Tickets on sale for the winter concert",
            "Trivia Night at 7 p.m. tonight",
            "Free tax workshop, 10:30 am, January 20",
            "RSVP for the donor luncheon",
            "Reserva la fecha: cena anual",
        ],
    );
}

#[test]
fn recordings() {
    check(
        Podcast,
        &[
            "Podcast: the river keepers",
            "New podcast episode: growing up rural",
            "Listen: podcast on housing",
        ],
    );
    check(
        Video,
        &["Watch: a day at the sanctuary, on video", "Video: our year in pictures – watch now"],
    );
    for (url, expected) in [
        ("https://www.youtube.com/watch?v=0", Video),
        ("https://vimeo.com/1", Video),
        ("https://example.org/a.mp3?x=1", Podcast),
        ("https://example.org/a.webm", Video),
        ("https://youtube.com.example.org/", Article),
        ("https://example.org/a.html", Article),
    ] {
        assert_eq!(class("Our year", "", &[], Some(url)), expected, "{url}");
    }
}

#[test]
fn articles() {
    check(
        Article,
        &[
            "",
            "Thank you to our volunteers",
            "Volunteer spotlight: Ada of the night shift",
            "Volunteer of the month",
            "Volunteers planted 400 trees along the creek",
            "What volunteers taught us",
            "Meet our volunteer coordinator",
            "Celebrating a year of volunteer hours",
            "Gala raised $50,000 for the library",
            "Gala recap: a night to remember",
            "Photos from the spring fundraiser",
            "Thank you for joining us for the 5K",
            "Our summer festival was a success",
            "How a workshop changed one family",
            "Lessons from our annual conference",
            "Meet the new Executive Director",
            "Board appoints new development director",
            "Our job training program helps 300 neighbors",
            "How to write a resume",
            "Unemployment report: who is hiring?",
            "Success story: from shelter to full-time job",
            "Watch out for winter ice",
            "Our favorite podcasts of the year",
            "A new roof for the shelter",
            "Statement on the new housing law",
            "Annual report 2026",
            "The history of our garden",
            "May 4 storm: what we know",
            "Why we meet on Sundays",
            "In memory of a founder",
            "Five tips for giving wisely",
            "County grants $20,000 to food bank",
            "A position of strength",
            "Where your dollar goes",
            "Event canceled: spring picnic",
            "Join us in ending hunger",
            "Food drive collects 4,000 cans",
            "How our webinar series reached 900 families",
            "Position paper on clean water",
            "Wanted: a kinder winter",
            "Students volunteer at food bank",
            "March 12 board minutes",
        ],
    );
}

#[test]
fn text_and_categories() {
    for (title, text, categories, expected) in [
        ("Winter gala", "Tickets are $40. Register here by June 1.", &[][..], Event),
        ("Winter gala", "We raised more than ever. Tickets sold out.", &[], Article),
        ("An evening under the stars", "Doors open at 6 pm. RSVP by May 1.", &["Events"], Event),
        ("An evening under the stars", "A story.", &["Events", "Calendar"], Article),
        ("Kitchen manager", "Submit a resume and cover letter. Full time.", &[], JobPosting),
        ("Kitchen manager", "She has cooked here for nine years.", &[], Article),
        ("Kitchen manager", "Salary range: 40 to 50.", &["Careers"], JobPosting),
        (
            "Our kitchen",
            "To volunteer, fill in the volunteer application. Training provided.",
            &[],
            Article,
        ),
        (
            "Help in our kitchen",
            "Sign up for a shift.",
            &["Volunteer Opportunities"],
            VolunteerOpportunity,
        ),
        ("Season two begins", "", &["Podcasts"], Podcast),
        ("Season two begins", "", &["Videos"], Video),
    ] {
        assert_eq!(class(title, text, categories, None), expected, "{title:?} {text:?}");
    }
}

#[test]
fn what_a_feed_tells_beside() {
    let told = |media, has_event_date| {
        let post = crate::record::Post {
            post_id: String::new(),
            organization_ein: "070000001".parse().unwrap(),
            post_title: "Volunteers needed".to_owned(),
            post_classification: None,
            post_description: None,
            post_content: None,
            post_url: None,
            post_published_date: None,
            post_author: None,
            post_categories: Vec::new(),
            post_tags: Vec::new(),
        };
        classify(&post, Enclosed { media, has_event_date })
    };
    assert_eq!(told(None, false), VolunteerOpportunity);
    assert_eq!(told(None, true), Event);
    assert_eq!(told(Some(Media::Audio), false), Podcast);
    assert_eq!(told(Some(Media::Video), false), Video);
}

proptest! {
    #[test]
    fn any_text(title in any::<String>(), text in any::<String>(), category in any::<String>()) {
        class(&title, &text, &[&category], Some(&title));
    }

    #[test]
    fn words_of_the_table(words in "(may |4 |6 |pm |p |m |jan |31 |é |hiring |we |are |volunteer |save |the |date ){0,12}") {
        class(&words, &words, &[&words], None);
    }
}
