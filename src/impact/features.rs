//! The features of a number in a report for the model of figures: its form, the words around it, its sentence,
//! and the headings over it.

use super::layout::Layout;
use super::lexicon::looks_plural;
use super::number::Quantity;
use super::token::{Token, TokenKind, Tokens};
use crate::text::years;

/// Words before and behind a number that are looked at.
const BEFORE_MAX: usize = 8;
const BEHIND_MAX: usize = 9;

/// Of these, those whose position is a feature.
const PLACED: usize = 2;

/// Words behind a number among which what it counts stands.
const HEAD_REACH: usize = 6;

/// Words of a heading, a label or a passage next to a number that are looked at.
pub(super) const LABEL_MAX: usize = 12;

/// Features of numbers that are no figures: rates, other years than the report's, the world's need, nothing.
const REFUSED: [&str; 7] = [
    "label of a rate",
    "column of a rate",
    "year other",
    "row of an earlier year",
    "earlier year in parenthesis",
    "under needs",
    "zero",
];

/// The feature that a number has for any of these.
pub(super) const REFUSAL: &str = "refused";

/// Letters of a word's beginning, so that its forms share a feature.
const BEGINNING_BYTES: usize = 5;

/// The features of a number, each once.
#[derive(Debug, Default)]
pub(super) struct Features(pub(super) Vec<String>);

impl Features {
    pub(super) fn named(mut self) -> Vec<String> {
        let is_refused = self.0.iter().any(|feature| REFUSED.contains(&feature.as_str()));
        self.add_if(REFUSAL, is_refused);
        self.0.sort_unstable();
        self.0.dedup();
        self.0
    }

    pub(super) fn add(&mut self, feature: &str) {
        self.0.push(feature.to_owned());
    }

    /// Adds features, as far as there are any.
    pub(super) fn extend<'f>(&mut self, features: impl IntoIterator<Item = &'f str>) {
        self.0.extend(features.into_iter().map(str::to_owned));
    }

    fn add_if(&mut self, feature: &str, holds: bool) {
        self.extend(holds.then_some(feature));
    }

    pub(super) fn add_value(&mut self, name: &str, value: impl std::fmt::Display) {
        self.0.push(format!("{name}:{value}"));
    }

    /// A word and what the tables have of it.
    pub(super) fn add_word(&mut self, place: &str, token: &Token<'_>) {
        let Token { lower, word, .. } = token;
        if token.is_amount() {
            return self.add_value(place, 0);
        }
        self.add_value(place, lower);
        if let Some(noun) = word.noun {
            self.0.push(format!("{place}#{}", noun.count.name()));
        }
        self.0.extend(word.is_singular.then(|| format!("{place}#singular")));
        if let Some(verb) = word.verb {
            self.0.push(format!("{place}#v:{}", verb.lemma));
            let forms = [
                ("past", verb.past),
                ("going", verb.going),
                ("present", verb.present),
                ("does", verb.does),
                ("has", verb.has),
            ];
            let forms = forms.into_iter().filter(|(_, is)| *is);
            self.0.extend(forms.map(|(name, _)| format!("{place}#{name}")));
        }
        self.0.extend(word.list_names().iter().map(|list| format!("{place}#l:{list}")));
        if lower.len() >= BEGINNING_BYTES {
            let beginning = &lower[..lower.floor_char_boundary(BEGINNING_BYTES)];
            self.0.push(format!("{place}#b:{beginning}"));
        }
    }

    pub(super) fn add_words(&mut self, place: &str, text: &str) {
        Tokens::of(text).iter().take(LABEL_MAX).for_each(|token| self.add_word(place, token));
    }

    /// The form of a number.
    pub(super) fn add_form(&mut self, tokens: &Tokens<'_>, quantity: &Quantity, year: i32) {
        let Quantity { value, first, worded, yearlike, spanlike, .. } = *quantity;
        let form = if worded { "words" } else { "digits" };
        self.add(form);
        self.add_value(form, value.max(1.0).log10() as u32);
        self.add_if("small", value < 10.0);
        self.add_if("zero", value == 0.0);
        self.add_if("comma", tokens[first].text.contains(','));
        self.add_if("plus", tokens[first].text.ends_with('+'));
        self.add_if("fraction", value.fract() != 0.0);
        self.add_if("yearlike", yearlike);
        self.add_if("span", spanlike);
        self.add_if("year of report", yearlike && value == f64::from(year));
        let count = |signs: &[char]| {
            let is_one = |token: &&Token<'_>| matches!(token.kind, TokenKind::Punctuation(sign) if signs.contains(&sign));
            tokens[..first].iter().filter(is_one).count()
        };
        self.add_if("parenthesis", count(&['(']) > count(&[')']));
        self.add_if("quoted", count(&['“']) > count(&['”']) || count(&['"']) % 2 == 1);
    }

    /// The words around a number.
    pub(super) fn add_around(&mut self, tokens: &Tokens<'_>, quantity: &Quantity) {
        let before: Vec<&Token<'_>> =
            tokens[..quantity.first].iter().rev().take(BEFORE_MAX).collect();
        let behind: Vec<&Token<'_>> = tokens[quantity.end..].iter().take(BEHIND_MAX).collect();
        for (place, words) in [("b", &before), ("a", &behind)] {
            for (at, token) in words.iter().enumerate() {
                self.add_word(place, token);
                if at < PLACED {
                    self.add_word(&format!("{place}{}", at + 1), token);
                }
            }
            self.add_if(&format!("{place}1 none"), words.is_empty());
        }
        let is_head = |token: &&&Token<'_>| {
            let plural = looks_plural(&token.lower) && token.word.verb.is_none();
            token.word.noun.is_some() || (plural && !token.is_in("ends"))
        };
        let phrase = behind.iter().take(HEAD_REACH);
        let mut phrase = phrase.take_while(|token| {
            token.kind == TokenKind::Word && (!token.is_in("ends") || is_head(token))
        });
        match phrase.find(is_head) {
            Some(head) => self.add_word("h", head),
            None => self.add("h none"),
        }
        let verb = |token: &&&Token<'_>| token.word.verb.is_some();
        let within = before.iter().take_while(|token| !token.parts_statements());
        if let Some(token) = within.into_iter().find(verb) {
            self.add_word("vb", token);
        }
        if let Some(token) = behind.iter().skip(1).find(verb) {
            self.add_word("va", token);
        }
    }

    pub(super) fn add_years(&mut self, place: &str, text: &str, year: i32) {
        for named in years(text) {
            self.add_value(place, named.cmp(&year) as i8);
        }
    }

    /// Whether it stands under headings about aims or about the world's need and none about results, or in a parenthesis
    /// of a sentence with an earlier year.
    pub(super) fn add_setting(&mut self) {
        let has = |feature: &str| self.0.iter().any(|own| own == feature);
        let is_result = has("H#l:outcome_headings");
        let is_aim = has("H#l:aim_headings") || has("Hy:1");
        let (aim, need) = (is_aim && !is_result, has("H#l:need_headings") && !is_result);
        let is_earlier = has("parenthesis") && has("sy:-1");
        self.add_if("under aims", aim);
        self.add_if("under needs", need);
        self.add_if("earlier year in parenthesis", is_earlier);
    }

    pub(super) fn add_headings(&mut self, layout: &Layout<'_>, at: usize) {
        for (above, heading) in layout.headings(at).enumerate() {
            let place = format!("H{}", above.min(1));
            for token in Tokens::of(heading).iter().take(LABEL_MAX) {
                self.add_value(&place, &token.lower);
                let lists = token.word.list_names().iter();
                self.0.extend(lists.map(|list| format!("H#l:{list}")));
            }
            self.add_years("Hy", heading, layout.year);
        }
    }

    /// Of a number in running text: the `index`th of the sentence, which is the `place`th of its passage.
    pub(super) fn of_sentence(
        layout: &Layout<'_>,
        at: usize,
        tokens: &Tokens<'_>,
        quantity: &Quantity,
        [place, index, numbers]: [usize; 3],
    ) -> Self {
        let mut told = Self::default();
        told.add_value("kind", format!("{:?}", layout.passages[at].kind));
        told.add_form(tokens, quantity, layout.year);
        told.add_around(tokens, quantity);
        told.add_headings(layout, at);
        told.add_value("place", place.min(3));
        told.add_value("index", index.min(3));
        told.add_value("numbers", numbers.min(4));
        told.add_value("length", [6, 15].iter().filter(|&&most| tokens.len() >= most).count());
        tokens.iter().for_each(|token| told.add_value("s", &token.lower));
        tokens.iter().for_each(|token| told.add_years("sy", token.text, layout.year));
        if tokens.len() <= quantity.end - quantity.first + 1 {
            told.add("alone");
            let next = layout.passages.get(at + 1);
            let previous = at.checked_sub(1).map(|at| &layout.passages[at]);
            for (place, passage) in [("nx", next), ("pv", previous)] {
                let Some(passage) = passage else { continue };
                told.add_value(place, format!("{:?}", passage.kind));
                told.add_words(place, &passage.text);
            }
        }
        told.add_setting();
        told
    }
}
