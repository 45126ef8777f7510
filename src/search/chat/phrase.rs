//! The texts of the chat: sentences of `data/replies.tsv` in the language of the message, with values in their slots.
//!
//! `{slot}` is a value, `{slot:one|many}` a number with its noun, and what stands between brackets is left out where one
//! of its slots has no value.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::naming::capitalised;
use crate::reader::{Danger, Language};
use crate::record::{Date, Month, thousands};
use crate::table::table;
use crate::understand::says;

/// English and Spanish, by name.
static PHRASES: LazyLock<HashMap<&str, [&str; 2]>> = LazyLock::new(|| {
    let rows = table!("data/replies.tsv").rows();
    rows.map(|[name, english, spanish]| (name, [english, spanish])).collect()
});

/// A value of a sentence.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Text(String),
    Count(u64),
    /// Whole US dollars.
    Dollars(i64),
    Month(Month),
    Day(Date),
    /// `a, b and c`.
    All(Vec<String>),
    /// `a, b or c`.
    Any(Vec<String>),
}

/// What a slot can hold; `None` leaves out the part of the sentence that it is in.
pub(super) trait SlotValue {
    fn value(&self) -> Option<Value>;
}

impl<T: SlotValue + ?Sized> SlotValue for &T {
    fn value(&self) -> Option<Value> {
        (**self).value()
    }
}

impl<T: SlotValue> SlotValue for Option<T> {
    fn value(&self) -> Option<Value> {
        self.as_ref()?.value()
    }
}

macro_rules! slot_values {
    ($($type:ty: |$held:ident| $value:expr;)+) => {
        $(impl SlotValue for $type {
            fn value(&self) -> Option<Value> {
                let $held = self;
                Some($value)
            }
        })+
    };
}

slot_values! {
    Value: |value| value.clone();
    str: |text| Value::Text(text.to_owned());
    String: |text| Value::Text(text.clone());
    u64: |count| Value::Count(*count);
    usize: |count| Value::Count(*count as u64);
    // A year, which has no thousands.
    u16: |year| Value::Text(year.to_string());
    Month: |month| Value::Month(*month);
    Date: |day| Value::Day(*day);
    Vec<String>: |items| Value::All(items.clone());
}

/// The sentence of a name in `data/replies.tsv` with values in its slots, as in `format!`: `phrase!("list.more", names)`,
/// `phrase!("count", count = rows.len())`.
macro_rules! phrase {
    (@value $slot:ident) => { $slot };
    (@value $slot:ident = $value:expr) => { $value };
    ($name:expr $(, $slot:ident $(= $value:expr)?)* $(,)?) => {
        $crate::search::chat::phrase::Phrase::new($name)
            $(.with(stringify!($slot), &phrase!(@value $slot $(= $value)?)))*
    };
}
pub(super) use phrase;

/// A sentence being filled.
#[derive(Debug, Clone)]
pub(super) struct Phrase {
    name: String,
    slots: Vec<(&'static str, Value)>,
}

impl Phrase {
    pub(super) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), slots: Vec::new() }
    }

    #[must_use]
    pub(super) fn with(mut self, slot: &'static str, value: &(impl SlotValue + ?Sized)) -> Self {
        self.slots.extend(value.value().map(|value| (slot, value)));
        self
    }

    /// The phrase in a language; English where the language is neither English nor Spanish.
    pub(super) fn say(&self, language: Language) -> String {
        let said = filled(text(&self.name, language), &self.slots, language);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        // A possessor that goes without saying leaves a blank behind.
        let said = said.replace(" ,", ",").replace(" .", ".").replace(" :", ":");
        if said.ends_with(['.', '?', '!', '»', '”']) || said.contains("https://") {
            return capitalised(&said);
        }
        said
    }

    /// It as a part of a sentence, with the blanks at its ends.
    pub(super) fn part(&self, language: Language) -> String {
        filled(text(&self.name, language), &self.slots, language)
    }
}

/// Whether a sentence has this name.
pub(super) fn exists(name: &str) -> bool {
    PHRASES.contains_key(name)
}

/// A text as the table has it; empty if there is no such text.
pub(super) fn text(name: &str, language: Language) -> &'static str {
    let Some([english, spanish]) = PHRASES.get(name) else { return "" };
    if language == Language::Spanish { spanish } else { english }
}

/// A pattern with its slots filled and the brackets gone.
fn filled(pattern: &str, slots: &[(&'static str, Value)], language: Language) -> String {
    let mut said = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find('[') {
        let end = rest[at..].find(']').map_or(rest.len(), |end| at + end);
        said.push_str(&values(&rest[..at], slots, language).unwrap_or_default());
        said.push_str(&values(&rest[at + 1..end], slots, language).unwrap_or_default());
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    said.push_str(&values(rest, slots, language).unwrap_or_default());
    said
}

/// A part of a pattern with its values; `None` where one is missing.
fn values(part: &str, slots: &[(&'static str, Value)], language: Language) -> Option<String> {
    let mut said = String::new();
    let mut rest = part;
    while let Some(at) = rest.find('{') {
        let end = at + rest[at..].find('}')?;
        said.push_str(&rest[..at]);
        let (slot, forms) = match rest[at + 1..end].split_once(':') {
            Some((slot, forms)) => (slot, forms.split_once('|')),
            None => (&rest[at + 1..end], None),
        };
        let value = &slots.iter().find(|(name, _)| *name == slot)?.1;
        said.push_str(&format_value(value, language));
        if let (Some((one, many)), Value::Count(count)) = (forms, value) {
            said.push(' ');
            said.push_str(if *count == 1 { one } else { many });
        }
        rest = &rest[end + 1..];
    }
    said.push_str(rest);
    Some(said)
}

fn format_value(value: &Value, language: Language) -> String {
    let is_spanish = language == Language::Spanish;
    let month_name = |month: u8| {
        let mut names = text("months", language).split('|');
        names.nth(usize::from(month).wrapping_sub(1)).unwrap_or_default()
    };
    match value {
        Value::Text(text) => text.clone(),
        Value::Count(count) => thousands(*count),
        Value::Dollars(amount) => dollars(*amount),
        Value::Month(month) if is_spanish => {
            format!("{} de {}", month_name(month.month()), month.year())
        }
        Value::Month(month) => format!("{} {}", month_name(month.month()), month.year()),
        Value::Day(day) if is_spanish => {
            format!("{} de {} de {}", day.day(), month_name(day.month()), day.year())
        }
        Value::Day(day) => format!("{} {}, {}", month_name(day.month()), day.day(), day.year()),
        Value::All(items) => joined(items, if is_spanish { "y" } else { "and" }),
        Value::Any(items) => joined(items, if is_spanish { "o" } else { "or" }),
    }
}

/// Words between the quotation marks of a language.
pub(super) fn quoted(words: &str, language: Language) -> String {
    match language {
        Language::Spanish => format!("«{words}»"),
        _ => format!("“{words}”"),
    }
}

/// An amount with its thousands set apart: `-$1,234`.
pub(super) fn dollars(amount: i64) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    format!("{sign}${}", thousands(amount.unsigned_abs()))
}

/// `a`, `a and b`, `a, b and c`; of items with commas in them `a; b and c`.
fn joined(items: &[String], last: &str) -> String {
    let comma = if items.iter().any(|item| item.contains(", ")) { "; " } else { ", " };
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(comma)),
    }
}

/// Who helps in a danger.
pub(in crate::search) fn help_in(danger: Danger, language: Language) -> &'static str {
    text(danger.name(), language)
}

/// The lines that help beside nonprofits of a cause, for whoever asks for himself.
pub(in crate::search) fn help_beside(
    cause: &str,
    language: Language,
) -> impl Iterator<Item = &'static str> {
    let lines = [("of suicide", "remark.988"), ("of violence at home", "remark.violence")];
    lines
        .into_iter()
        .filter(|(list, _)| says(cause, list))
        .map(move |(_, line)| text(line, language))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sentences of the table, each with an example of its values: what a change of a pattern says.
    const GOLDEN: &str = include_str!("replies.golden.tsv");

    /// A value for every slot that the table has.
    fn example(slot: &str) -> Value {
        match slot {
            "count" => Value::Count(1_234),
            "amount" | "other" => Value::Dollars(1_250_000),
            "month" => Value::Month(Month::new(2024, 6).unwrap()),
            "day" => Value::Day(Date::new(2026, 3, 1).unwrap()),
            "names" | "people" | "items" | "titles" | "periods" | "figures" | "words" | "codes" => {
                Value::All(vec!["Alpha".into(), "Beta".into(), "Gamma".into()])
            }
            "places" | "states" | "choices" => Value::Any(vec!["Maine".into(), "Vermont".into()]),
            "who" | "name" => Value::Text("Alpha House".into()),
            "whose" => Value::Text("Alpha House's".into()),
            "of" => Value::Text("(Alpha House)".into()),
            other => Value::Text(format!("<{other}>")),
        }
    }

    fn slots(pattern: &str) -> Vec<&str> {
        let parts = pattern.split('{').skip(1).filter_map(|part| part.split_once('}'));
        parts.map(|(slot, _)| slot.split(':').next().unwrap_or(slot)).collect()
    }

    #[test]
    fn sentences_are_those_of_the_golden_file() {
        let mut said = String::new();
        for [name, english, spanish] in table!("data/replies.tsv").rows() {
            let filled = |pattern: &'static str, language| {
                let values = slots(pattern).into_iter().map(|slot| (slot, example(slot)));
                let phrase = Phrase { name: name.to_owned(), slots: values.collect() };
                phrase.say(language)
            };
            let english = filled(english, Language::English);
            let spanish = filled(spanish, Language::Spanish);
            said.push_str(&format!("{name}\t{english}\t{spanish}\n"));
        }
        if said != GOLDEN {
            let at = std::env::temp_dir().join("replies.golden.tsv");
            std::fs::write(&at, &said).unwrap();
            panic!("the table says something else: read {} and keep it", at.display());
        }
    }

    #[test]
    fn both_languages_have_the_same_values() {
        let mut names = std::collections::HashSet::new();
        for [name, english, spanish] in table!("data/replies.tsv").rows::<3>() {
            assert!(names.insert(name), "{name} is there twice");
            assert_eq!(english.is_empty(), spanish.is_empty() && name != "it" && name != "its");
            // A Spanish verb tells who, and a name may stand for it.
            let is_named =
                |slot: &&str| !["who", "whose", "of", "name", "kind", "class"].contains(slot);
            let of = |pattern: &'static str| {
                let mut all: Vec<&str> = slots(pattern).into_iter().filter(is_named).collect();
                all.sort_unstable();
                all
            };
            assert_eq!(of(english), of(spanish), "{name}");
        }
        for kind in crate::sources::SourceKind::ALL {
            assert!(exists(&format!("source.{kind:?}")), "{kind:?}");
        }
    }

    #[test]
    fn parts_without_a_value_are_left_out() {
        let phrase = phrase!("revenue", who = "It", amount = Value::Dollars(-5));
        assert_eq!(phrase.say(Language::English), "It took in -$5.");
        let month = Month::new(2024, 6).unwrap();
        let period = phrase!("period", month).part(Language::Spanish);
        assert_eq!(
            phrase.with("period", &period).say(Language::Spanish),
            "It tuvo ingresos por -$5 en el año fiscal que terminó en junio de 2024."
        );
        let one = phrase!("period.short", count = 1_u64, month);
        assert!(one.part(Language::English).contains("1 month that"));
    }
}
