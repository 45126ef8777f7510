//! Missions and programmes in the filer's words, put together from where the return tells them.
//!
//! A text that points elsewhere is followed: to the explanations of a schedule on the same line, a
//! mission also from Part III to Part I. One that leads nowhere says nothing.

use super::gather::{Note, PROGRAMS_MAX, ProgramLine, Value, Values};
use super::heading::bare;
use super::meaning::{Field, Line, Meaning, Part};
use super::own_name::OwnNames;
use super::pointer::{EDGE_BYTES_MAX, statement, words};
use super::reference::{About, by_line};
use crate::irs::text::is_nothing;
use crate::naming;
use crate::record::{ElementPath, Program, Usd};

/// The most words in which a text's end and another's beginning are sought in each other.
const OVERLAP_WORDS_MAX: usize = 200;

/// The fewest words that make two texts overlap, so that a common phrase does not.
const OVERLAP_WORDS_MIN: usize = 4;

/// What a text is long enough at for nothing to be added: as much as is kept of one element.
const TEXT_BYTES_MAX: usize = 64 << 10;

/// The most words of a heading, after which a colon stands.
const HEADING_WORDS_MAX: usize = 8;

/// A text, and the elements that it was put together from, in order.
pub(super) struct SourcedText {
    pub(super) text: String,
    pub(super) from: Vec<ElementPath>,
}

/// What one element adds to a text.
#[derive(Clone, Copy)]
struct Explanation<'a> {
    text: &'a str,
    at: &'a ElementPath,
}

impl<'a> From<&'a Note> for Explanation<'a> {
    fn from(note: &'a Note) -> Self {
        Self { text: &note.text, at: &note.at }
    }
}

/// The mission: Part III, line 1, else Part I, line 1, in sentence case.
pub(super) fn mission(values: &Values, notes: &[Note], names: &OwnNames) -> Option<SourcedText> {
    let summary = ExplainedText::of(values.value(Field::Summary));
    let mut mission = ExplainedText::of(values.value(Field::Mission));
    // Part III may go on in the middle of the sentence that Part I breaks off.
    if summary.points && !summary.text.is_empty() && mission.text.starts_with(char::is_lowercase) {
        mission.text.insert_str(0, &format!("{} ", summary.text));
        mission.from.splice(0..0, summary.from.iter().cloned());
    }
    let told = |mut telling: ExplainedText, about| {
        notes.iter().filter(|note| note.about == about).for_each(|note| telling.add(note.into()));
        telling.finish(names)
    };
    told(mission, About::Mission).or_else(|| told(summary, About::Summary))
}

/// The programmes in the order of the form, in sentence case. `amount` reads one.
pub(super) fn programs(
    listed: &[ProgramLine],
    notes: &[Note],
    others: &Values,
    names: &OwnNames,
    amount: fn(Option<&str>) -> Option<Usd>,
) -> Vec<(Program, Vec<ElementPath>)> {
    let mut entries: Vec<Entry> = listed.iter().map(|listed| Entry::of(listed, amount)).collect();
    for note in notes {
        match note.about {
            About::Program(line) => add_to_line(&mut entries, line, note.into()),
            About::Programs => match by_line(&note.text) {
                Some(parts) => parts.iter().for_each(|(line, part)| {
                    add_to_line(&mut entries, *line, Explanation { text: part, at: &note.at });
                }),
                None => add_to_any(&mut entries, note.into()),
            },
            About::Mission | About::Summary => {}
        }
    }
    let mut others_listed = entries.iter_mut().filter(|entry| entry.line == Line::Other);
    if let (Some(only), None) = (others_listed.next(), others_listed.next())
        && only.is_of_note
    {
        only.amounts = [Field::OtherExpenses, Field::OtherGrants, Field::OtherRevenue]
            .map(|field| amount(others.text(field)));
    }
    entries.sort_by_key(|entry| entry.line);
    entries.into_iter().filter_map(|entry| entry.finish(names)).take(PROGRAMS_MAX).collect()
}

/// A programme while it is put together.
struct Entry {
    line: Line,
    telling: ExplainedText,
    /// Expenses, grants and revenue.
    amounts: [Option<Usd>; 3],
    /// Whether only a schedule mentions it.
    is_of_note: bool,
}

impl Entry {
    fn of(listed: &ProgramLine, amount: fn(Option<&str>) -> Option<Usd>) -> Self {
        let value = |part| listed.values.value(Meaning::Program(part, Line::Next));
        let amounts = [Part::Expenses, Part::Grants, Part::Revenue]
            .map(|part| amount(value(part).map(|value| value.text.as_str())));
        let telling = ExplainedText::of(value(Part::Text));
        Self { line: listed.line, telling, amounts, is_of_note: false }
    }

    fn finish(self, names: &OwnNames) -> Option<(Program, Vec<ElementPath>)> {
        let [expenses, grants, revenue] = self.amounts;
        let SourcedText { text: description, from } = self.telling.finish(names)?;
        Some((Program { description, expenses, grants, revenue }, from))
    }
}

/// Adds an explanation to the programme of its line. Of several on one line it is that which it
/// begins like, else the first that waits for one; with none it is a programme of its own.
fn add_to_line(entries: &mut Vec<Entry>, line: Line, told: Explanation<'_>) {
    let mut same = Vec::new();
    for (place, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.line == line) {
        if entry.telling.is_like(told.text) {
            return entries[place].telling.add(told);
        }
        same.push(place);
    }
    let waiting = same.iter().find(|&&place| entries[place].telling.waits());
    match (waiting, same.as_slice()) {
        (Some(&place), _) => entries[place].telling.add(told),
        (None, [place]) if !entries[*place].is_of_note => entries[*place].telling.add(told),
        _ => {
            let telling = ExplainedText { points: true, ..ExplainedText::default() };
            let mut entry = Entry { line, telling, amounts: [None; 3], is_of_note: true };
            entry.telling.add(told);
            entries.push(entry);
        }
    }
}

/// Adds an explanation on no line of its own to the first programme that waits for one.
fn add_to_any(entries: &mut Vec<Entry>, told: Explanation<'_>) {
    if entries.is_empty() {
        add_to_line(entries, Line::First, told);
    } else if let Some(entry) = entries.iter_mut().find(|entry| entry.telling.waits()) {
        entry.telling.add(told);
    }
}

/// A text that explanations add to.
#[derive(Default)]
struct ExplainedText {
    text: String,
    /// The elements that it is from.
    from: Vec<ElementPath>,
    /// Whether it points elsewhere, and nothing was added yet.
    points: bool,
}

impl ExplainedText {
    fn of(value: Option<&Value>) -> Self {
        let statement = statement(value.map_or("", |value| &value.text));
        let own = bare(statement.own);
        let own = if is_nothing(own) { "" } else { own };
        let from = value.filter(|_| !own.is_empty()).map(|value| value.at.clone());
        let points = statement.points || own.is_empty();
        Self { text: own.to_owned(), from: from.into_iter().collect(), points }
    }

    fn waits(&self) -> bool {
        self.points
    }

    /// Whether another text begins with the same words, as one that tells the same at length does.
    fn is_like(&self, other: &str) -> bool {
        let beginning = |text: &str| -> Vec<String> {
            let head = &text[..text.floor_char_boundary(EDGE_BYTES_MAX)];
            let few = words(head).into_iter().take(OVERLAP_WORDS_MIN);
            few.map(|word| word.plain()).collect()
        };
        let own = beginning(&self.text);
        !own.is_empty() && beginning(other).starts_with(&own)
    }

    fn add(&mut self, told: Explanation<'_>) {
        let more = bare(statement(told.text).own);
        if is_nothing(more) || self.text.len() > TEXT_BYTES_MAX {
            return;
        }
        let joined = self.with(more);
        if joined != self.text {
            if joined == more {
                self.from.clear();
            }
            self.from.push(told.at.clone());
        }
        self.text = joined;
        self.points = false;
    }

    /// The text and an explanation together: one that repeats the other is all, and what both
    /// share at the seam is there once.
    fn with(&self, more: &str) -> String {
        if self.text.is_empty() {
            return more.to_owned();
        }
        let places = words(&self.text);
        let own: Vec<String> = places.iter().map(|word| word.plain()).collect();
        let new: Vec<String> = words(more).into_iter().map(|word| word.plain()).collect();
        let is_short = own.len() <= HEADING_WORDS_MAX;
        // A few words may stand anywhere in a text of which they are the heading.
        if begins(&new, &own) || (!is_short && contains(&new, &own)) {
            return more.to_owned();
        }
        if contains(&own, &new) {
            return self.text.clone();
        }
        let shared = shared_at_seam(&own, &new);
        // The seam is where the shared words begin in the text: the explanation has them whole.
        let seam = if shared == 0 { self.text.len() } else { places[own.len() - shared].start };
        let (head, tail) = same_case(self.text[..seam].trim_end(), more);
        let ended = head.ends_with(['.', '!', '?', ':', ';', ',', ')', '"', '”']);
        let goes_on = shared > 0 || more.starts_with(char::is_lowercase);
        if ended || goes_on {
            format!("{head} {tail}")
        } else if is_short {
            format!("{head}: {tail}")
        } else if self.points {
            format!("{head} {tail}")
        } else {
            format!("{head}. {tail}")
        }
    }

    fn finish(self, names: &OwnNames) -> Option<SourcedText> {
        let Self { text, from, .. } = self;
        (!is_nothing(&text)).then(|| SourcedText { text: names.sentences(&text), from })
    }
}

/// How many words at the end of one text are the first of another.
fn shared_at_seam(own: &[String], new: &[String]) -> usize {
    let longest = own.len().min(new.len()).min(OVERLAP_WORDS_MAX);
    (OVERLAP_WORDS_MIN..=longest)
        .rev()
        .find(|&count| own[own.len() - count..] == new[..count])
        .unwrap_or(0)
}

/// Whether `whole` begins with all of `part`, its last word perhaps cut off.
fn begins(whole: &[String], part: &[String]) -> bool {
    whole.join(" ").starts_with(&part.join(" "))
}

/// Whether all of `part` stands in `whole`, its last word perhaps cut off.
fn contains(whole: &[String], part: &[String]) -> bool {
    format!(" {}", whole.join(" ")).contains(&format!(" {}", part.join(" ")))
}

/// Texts of which one is in capitals, both in sentence case; otherwise as they are.
fn same_case(text: &str, more: &str) -> (String, String) {
    let capitals = |text: &str| !text.chars().any(char::is_lowercase);
    if capitals(text) == capitals(more) {
        (text.to_owned(), more.to_owned())
    } else {
        (naming::sentence_case(text), naming::sentence_case(more))
    }
}
