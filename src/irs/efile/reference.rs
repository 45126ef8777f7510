//! What an explanation in a schedule is about: `FORM 990, PART III, LINE 4A` is the first programme.

use super::meaning::Line;
use super::pointer::words;
use crate::record::Form;

/// What an explanation is about, if it is of use to a mission or a programme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// The mission (Form 990, Part III, line 1; Form 990-EZ, Part III).
    Mission,
    /// The mission in short (Form 990, Part I, line 1).
    Summary,
    /// The programme of a line.
    Program(Line),
    /// All programmes together.
    Programs,
}

/// The most of a text that is looked at for a reference that was written there: a heading's length.
const HEADING_BYTES_MAX: usize = 120;

/// Reads the reference of an explanation; where that names no part of the form, the beginning of
/// its text.
pub(super) fn about(form: Form, identifier: &str, reference: &str, text: &str) -> Option<About> {
    let said = Reference::read(&format!("{identifier} {reference}"));
    if said.other_schedule {
        return None;
    }
    if said.part.is_none() {
        let heading = &text[..text.floor_char_boundary(HEADING_BYTES_MAX)];
        let heading = Reference::read(heading);
        let tells = heading.part.is_some() && heading.part_first && !heading.lines.is_empty();
        if tells && let Some(about) = heading.about(form) {
            return Some(about);
        }
    }
    said.about(form)
}

/// The words of a reference that tell a place.
#[derive(Default)]
struct Reference {
    /// Of the form: 3 of `PART III`, and the letter after it.
    part: Option<(u8, Option<char>)>,
    /// Whether nothing but the form's name stands before the part.
    part_first: bool,
    /// `4a`, `1`, in lower case.
    lines: Vec<String>,
    /// Another schedule than O.
    other_schedule: bool,
    mission: bool,
    programs: bool,
    other: bool,
}

impl Reference {
    fn read(text: &str) -> Self {
        let words: Vec<String> = words(text).into_iter().map(|word| word.plain()).collect();
        let mut found = Self::default();
        let mut after_line = false;
        let mut all_form = true;
        for (at, word) in words.iter().enumerate() {
            let next = words.get(at + 1).map_or("", String::as_str);
            let is_number = word.starts_with(|c: char| c.is_ascii_digit());
            match word.as_str() {
                "schedule" | "sch" if next.len() == 1 && next != "o" => found.other_schedule = true,
                "part" | "pt" if found.part.is_none() => {
                    let letter = words.get(at + 2).filter(|word| word.len() == 1);
                    let letter = letter.and_then(|word| word.chars().next());
                    let letter = letter.filter(char::is_ascii_alphabetic);
                    found.part = numeral(next).map(|number| (number, letter));
                    found.part_first = all_form;
                }
                "line" | "lines" | "ln" => after_line = true,
                "mission" => found.mission = true,
                "purpose" => found.mission |= words.iter().any(|word| word == "exempt"),
                "program" | "programs" | "achievements" | "accomplishments" => {
                    found.programs = true
                }
                "charitable" => found.programs |= words.iter().any(|word| word == "direct"),
                "other" => found.other = true,
                "and" | "through" | "to" => {}
                "4a" | "4b" | "4c" | "4d" => found.lines.push(word.clone()),
                _ if after_line && is_number => found.lines.push(word.clone()),
                _ => after_line = false,
            }
            all_form &=
                matches!(word.as_str(), "form" | "990" | "ez" | "pf" | "page" | "irs" | "the")
                    || is_number;
        }
        found.lines.dedup();
        found
    }

    fn about(&self, form: Form) -> Option<About> {
        match (form, self.part) {
            (Form::Full, Some((1, None))) => {
                let line_1 = self.lines == ["1"] || (self.lines.is_empty() && self.mission);
                line_1.then_some(About::Summary)
            }
            (Form::Full, Some((3, None))) => self.of_full_statement(),
            (Form::Full, None) if self.lines.iter().any(|line| line_of(form, line).is_some()) => {
                self.of_full_statement()
            }
            (Form::Short, Some((3, None))) => self.of_statement(form),
            (Form::PrivateFoundation, Some((8 | 9, Some('a')))) => {
                self.of_statement(form).filter(|about| *about != About::Mission)
            }
            (Form::Full | Form::Short, None) => self.by_words(),
            _ => None,
        }
    }

    /// Part III of Form 990: line 1 the mission, line 4 the programmes.
    fn of_full_statement(&self) -> Option<About> {
        match self.lines.as_slice() {
            [line] if line == "1" => Some(About::Mission),
            [line] if line == "4" => Some(About::Programs),
            _ => self.of_statement(Form::Full),
        }
    }

    fn of_statement(&self, form: Form) -> Option<About> {
        let lines: Option<Vec<Line>> = self.lines.iter().map(|line| line_of(form, line)).collect();
        match lines?.as_slice() {
            [] => self.by_words(),
            [line] => Some(About::Program(*line)),
            _ => Some(About::Programs),
        }
    }

    fn by_words(&self) -> Option<About> {
        match (self.programs, self.mission) {
            (true, _) if self.other => Some(About::Program(Line::Other)),
            (true, _) => Some(About::Programs),
            (false, true) => Some(About::Mission),
            (false, false) => None,
        }
    }
}

/// The programme's line that a word names on a form.
fn line_of(form: Form, word: &str) -> Option<Line> {
    let (word, names) = match form {
        Form::Full => (word, ["4a", "4b", "4c", "4d"]),
        Form::Short => (word.trim_end_matches('a'), ["28", "29", "30", "31"]),
        Form::PrivateFoundation => (word, ["1", "2", "3", "4"]),
    };
    let at = names.iter().position(|name| *name == word)?;
    Some([Line::First, Line::Second, Line::Third, Line::Other][at])
}

/// The number of a part, which is a Roman numeral up to XVII, or digits.
fn numeral(word: &str) -> Option<u8> {
    const ROMAN: [&str; 17] = [
        "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv",
        "xv", "xvi", "xvii",
    ];
    let roman = ROMAN.iter().position(|known| *known == word);
    roman.and_then(|place| u8::try_from(place + 1).ok()).or_else(|| word.parse().ok())
}

/// A text on all programmes, cut where it names their lines: `4A. CLINICS … 4B. HOUSING …`.
/// `None` where it does not begin with one.
pub(super) fn by_line(text: &str) -> Option<Vec<(Line, &str)>> {
    let words = words(text);
    let mut cuts: Vec<(Line, usize, usize)> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(line) = line_of(Form::Full, &word.plain()) else { continue };
        let closed = text[word.end..].starts_with(['.', ':', ')', '-']);
        let before = text[..word.start].trim_end().trim_end_matches('(').trim_end();
        let first = before.is_empty() || (at == 1 && words[0].plain() == "line");
        let opens = first || before.ends_with(['.', ';', '!', '?']);
        if closed && opens && cuts.last().is_none_or(|(last, ..)| *last < line) {
            cuts.push((line, word.start, word.end));
        }
    }
    if cuts.first().is_none_or(|(_, start, _)| *start > "(line ".len()) {
        return None;
    }
    let ends = cuts.iter().skip(1).map(|(_, start, _)| *start).chain([text.len()]);
    let parts = cuts.iter().zip(ends).map(|((line, _, start), end)| {
        let part = text[*start..end].trim_matches(|c: char| c == '(' || c.is_whitespace());
        (*line, part.trim_start_matches(['.', ':', ')', '-', ' ']))
    });
    Some(parts.filter(|(_, part)| !part.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        let check = |form, identifier: &str, reference: &str, expected: Option<About>| {
            let found = about(form, identifier, reference, "Something else.");
            assert_eq!(found, expected, "{identifier}|{reference}");
        };
        let full = |reference: &str, expected| check(Form::Full, "", reference, expected);
        full("FORM 990, PART III, LINE 4A", Some(About::Program(Line::First)));
        full("FORM 990, PAGE 2, PART III, LINE 4B", Some(About::Program(Line::Second)));
        full("Form 990 Part III Line 4c:", Some(About::Program(Line::Third)));
        full("FORM 990, PART III, LINE 4B CONTINUED:", Some(About::Program(Line::Second)));
        full(
            "Form 990, Part III, Line 4d: Other Program Services",
            Some(About::Program(Line::Other)),
        );
        full("Accomplishment con't from Part III, Line 4a", Some(About::Program(Line::First)));
        full("FORM 990, PART III, LINE 4, STATEMENT OF PROGRAMS", Some(About::Programs));
        full("FORM 990, PART III, LINES 4A, 4B AND 4C", Some(About::Programs));
        full("FORM 990, PART III, STATEMENT OF PROGRAM SERVICE", Some(About::Programs));
        full("FORM 990, PART III, LINE 1:", Some(About::Mission));
        full("FORM 990 - ORGANIZATION'S MISSION", Some(About::Mission));
        full("Form 990, Part 3, Line 1", Some(About::Mission));
        full("Form 990, Part I, Line 1, Description of Organization Mission", Some(About::Summary));
        full("OTHER PROGRAM SERVICES", Some(About::Program(Line::Other)));
        for none in [
            "FORM 990, PART III, LINE 2",
            "FORM 990, PART III, LINE 3",
            "FORM 990, PART I, LINE 6",
            "FORM 990, PART I, LINE 1A",
            "FORM 990, PART VI, SECTION A, LINE 1",
            "Form 990, Part VIII, Line 2f Other Program Service Revenue",
            "SCHEDULE I, PART I, LINE 1",
            "SCHEDULE A, PART III, LINE 1",
            "FORM 990, PART IX, LINE 4A",
            "",
        ] {
            full(none, None);
        }
        let other = "ALL OTHER ACHIEVEMENTS DESCRIPTION";
        check(
            Form::Full,
            other,
            "FORM 990, PAGE 2, PART III, LINE 4D",
            Some(About::Program(Line::Other)),
        );
        check(
            Form::Short,
            "",
            "FORM 990-EZ, PART III, LINE 29",
            Some(About::Program(Line::Second)),
        );
        check(Form::Short, "", "Form 990-EZ, Part III, Line (28-31)", Some(About::Programs));
        check(Form::Short, "", "PART III, PRIMARY EXEMPT PURPOSE", Some(About::Mission));
        check(Form::Short, "", "FORM 990-EZ, PART I, LINE 16", None);
        let foundation = Form::PrivateFoundation;
        check(
            foundation,
            "",
            "FORM 990-PF, PART VIII-A, LINE 2",
            Some(About::Program(Line::Second)),
        );
        check(foundation, "", "FORM 990-PF, PART IX-A, LINE 4", Some(About::Program(Line::Other)));
        check(foundation, "", "FORM 990-PF, PART VIII, LINE 1", None);
        check(foundation, "", "PART III, LINE 4A", None);
    }

    #[test]
    fn a_text_may_begin_with_its_reference() {
        let check = |reference, text, expected| {
            assert_eq!(about(Form::Full, "", reference, text), expected, "{text}");
        };
        let first = Some(About::Program(Line::First));
        check("", "Form 990, Part III, Line 4a: we feed people", first);
        check(
            "Other Program Services",
            "Part III, Line 4d: more",
            Some(About::Program(Line::Other)),
        );
        check("Additional", "We were part 1 of the line 1 story", None);
        check("PART VI", "Part III, Line 4a: we feed people", None);
    }

    #[test]
    fn texts_on_all_lines_are_cut() {
        let check = |text, expected: Option<&[(Line, &str)]>| {
            assert_eq!(by_line(text).as_deref(), expected, "{text}");
        };
        let both: &[_] = &[(Line::First, "CLINICS: we heal."), (Line::Second, "HOMES: we build")];
        check("4A. CLINICS: we heal. 4B. HOMES: we build", Some(both));
        check("(4A) CLINICS: we heal. (4B) HOMES: we build", Some(both));
        check("LINE 4A: CLINICS: we heal. 4B: HOMES: we build", Some(both));
        check("CLINICS: we heal. 4B. HOMES: we build", None);
        check("We are 4A. and more", None);
        check("", None);
    }
}
