//! Classifies a post by its text and media.
//!
//! Phrases of `data/post_words.tsv` score points, most of them in the title. Precise rather than
//! complete: whoever filters for jobs wants no article about jobs, and what remains is an article.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::address;
use crate::naming::normalise;
use crate::record::{Classification, Post, month_of, named, ordinal};
use crate::table::table;

/// A post with at least this many points for a class belongs to it.
const THRESHOLD: i32 = 10;

/// The most points that the text can give, so that the text alone never decides a class that
/// neither title nor categories support: many articles end with how to volunteer.
const TEXT_POINTS_MAX: i32 = 7;

/// How many words of the text are read; the purpose of a post stands at its beginning.
const TEXT_WORDS_MAX: usize = 400;

/// Bytes of the text that are read; more than that many words.
const TEXT_BYTES_READ: usize = 4096;

/// What a post carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Media {
    Audio,
    Video,
}

impl Media {
    /// By a media type (`audio/mpeg`) or a medium (`audio`).
    pub(super) fn of_type(name: &str) -> Option<Self> {
        match name.split('/').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
            "audio" => Some(Self::Audio),
            "video" => Some(Self::Video),
            _ => None,
        }
    }

    /// By the file that an address names, or by whose address it is.
    pub(super) fn of_address(text: &str) -> Option<Self> {
        let host = address::host(address::address(text)?);
        if matches!(host.as_str(), "youtube.com" | "youtu.be" | "vimeo.com" | "player.vimeo.com") {
            return Some(Self::Video);
        }
        let path = text.split(['?', '#']).next().unwrap_or_default();
        match path.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "mp3" | "m4a" | "ogg" | "oga" | "wav" | "aac" | "flac" => Some(Self::Audio),
            "mp4" | "m4v" | "mov" | "webm" | "ogv" => Some(Self::Video),
            _ => None,
        }
    }
}

/// What a feed adds to the text of a post.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Enclosed {
    pub(super) media: Option<Media>,
    pub(super) has_event_date: bool,
}

named! {
    /// Where a phrase counts.
    PhrasePosition {
        /// Anywhere in the title.
        Title = "title",
        /// At its beginning.
        Start = "start",
        /// In the text.
        Text = "text",
        /// As a whole category.
        Category = "category",
    }
}

/// One phrase: its words after the first, and what it gives for what.
struct Phrase {
    /// Its number in the table.
    id: usize,
    rest: Vec<&'static str>,
    place: PhrasePosition,
    points: i32,
    class: Classification,
}

/// Phrases by their first words.
static PHRASES: LazyLock<HashMap<&str, Vec<Phrase>>> = LazyLock::new(|| {
    let mut phrases: HashMap<&str, Vec<Phrase>> = HashMap::new();
    let rows = table!("data/post_words.tsv").each(|[class, place, points, list]| {
        let place = PhrasePosition::named(place)?;
        Some((Classification::named(class)?, place, points.parse().ok()?, list))
    });
    let each = rows.flat_map(|(class, place, points, list)| {
        list.split('|').map(move |phrase| (class, place, points, phrase))
    });
    for (id, (class, place, points, phrase)) in each.enumerate() {
        let mut words = phrase.split(' ');
        let first = words.next().unwrap_or_default();
        let phrase = Phrase { id, rest: words.collect(), place, points, class };
        phrases.entry(first).or_default().push(phrase);
    }
    phrases
});

/// Points by class, in the order of [`Classification::ALL`].
type Points = [i32; Classification::ALL.len()];

/// What a post is: never nothing, for what is nothing else is an article.
pub(super) fn classify(post: &Post, enclosed: Enclosed) -> Classification {
    if enclosed.has_event_date {
        return Classification::Event;
    }
    let address = post.post_url.as_deref();
    match enclosed.media.or_else(|| Media::of_address(address?)) {
        Some(Media::Audio) => return Classification::Podcast,
        Some(Media::Video) => return Classification::Video,
        None => {}
    }
    let mut points = Points::default();
    score(&normalise(&post.post_title), &mut points, |phrase, at, _| match phrase.place {
        PhrasePosition::Title => true,
        PhrasePosition::Start => at == 0,
        PhrasePosition::Text | PhrasePosition::Category => false,
    });
    let mut of_text = Points::default();
    for text in [&post.post_description, &post.post_content].into_iter().flatten() {
        let text = normalise(&text[..text.floor_char_boundary(TEXT_BYTES_READ)]);
        score(&text, &mut of_text, |phrase, _, _| phrase.place == PhrasePosition::Text);
    }
    // Several categories of one kind say the same, so the strongest counts.
    let mut of_categories = Points::default();
    for category in &post.post_categories {
        let mut of_this = Points::default();
        score(&normalise(category), &mut of_this, |phrase, at, words| {
            let is_whole = at == 0 && phrase.rest.len() + 1 == words;
            phrase.place == PhrasePosition::Category && is_whole
        });
        of_categories.iter_mut().zip(of_this).for_each(|(most, one)| *most = one.max(*most));
    }
    let mut best = (Classification::Article, THRESHOLD - 1);
    for (index, class) in Classification::ALL.into_iter().enumerate() {
        let total = points[index] + of_categories[index] + of_text[index].min(TEXT_POINTS_MAX);
        // Later classes are the rarer ones and win a tie.
        if total >= best.1 && total >= THRESHOLD {
            best = (class, total);
        }
    }
    best.0
}

/// Adds the points of every phrase in a normalised text for which `counts` holds, which hears the position
/// of its first word and the number of words; each phrase of the table counts once.
fn score(text: &str, points: &mut Points, counts: impl Fn(&Phrase, usize, usize) -> bool) {
    let words: Vec<&str> = text.split(' ').take(TEXT_WORDS_MAX).collect();
    let mut counted = Vec::new();
    for at in 0..words.len() {
        let date = is_date(&words[at..]).then_some("{date}");
        let time = is_time(&words[at..]).then_some("{time}");
        let firsts = [Some(words[at]), date, time].into_iter().flatten();
        for phrase in firsts.filter_map(|first| PHRASES.get(first)).flatten() {
            let is_there = words[at + 1..].starts_with(&phrase.rest);
            if is_there && counts(phrase, at, words.len()) && !counted.contains(&phrase.id) {
                counted.push(phrase.id);
                points[phrase.class as usize] += phrase.points;
            }
        }
    }
}

/// Whether words begin with a day of a month: `may 4`, `4 may`, `june 12th`.
fn is_date(words: &[&str]) -> bool {
    let [first, second, ..] = words else { return false };
    let is_month = |word: &str| month_of(word).is_some();
    let is_day = |word: &str| ordinal(word).is_some_and(|day| (1..=31).contains(&day));
    // Few words are near a number, and the rest need no closer look.
    let numeric = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    (numeric(second) && is_day(second) && is_month(first))
        || (numeric(first) && is_day(first) && is_month(second))
}

/// Whether words begin with a time of day: `6 pm`, `6pm`, `6 p m`, `10 30 am`.
fn is_time(words: &[&str]) -> bool {
    let is_hour = |word: &str| word.parse::<u8>().is_ok_and(|hour| (1..=12).contains(&hour));
    match words {
        [hour, half, ..] if is_hour(hour) && matches!(*half, "am" | "pm") => true,
        [hour, half, "m", ..] if is_hour(hour) && matches!(*half, "a" | "p") => true,
        [hour, ..] => {
            hour.strip_suffix("pm").or_else(|| hour.strip_suffix("am")).is_some_and(is_hour)
        }
        [] => false,
    }
}
