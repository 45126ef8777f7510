//! Figures in one sentence: every number is tried, and kept only where what it counts and what
//! stands around it say that it is an accomplishment.

use super::context::{self, After, Before};
use super::counted;
use super::lexicon::{self, Count, Verb};
use super::listing;
use super::measure::{self, CountedThing};
use super::number::{self, Figure, Quantity};
use super::token::{Token, TokenKind, Tokens};

/// How strictly a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// Of accomplishments: a number is likely to be of something done.
    Accomplishments,
    /// Of a mission: only statements in the past tense count.
    Mission,
}

/// Most bytes of the phrase that states a figure.
const TEXT_MAX: usize = 120;

/// Tokens from a verb to its number that still make one phrase.
const VERB_REACH: usize = 8;

/// Tokens from a verb to a weak noun's number.
const WEAK_REACH: usize = 4;

/// Tokens from a verb to the number two, which says little.
const PAIR_REACH: usize = 2;

/// Tokens before a number among which the title that it is a part of begins.
const TITLE_REACH: usize = 12;

/// Members from which a network is worth reporting.
const NETWORK_MIN: f64 = 10.0;

/// People beyond this many are a nation's, unless a verb stands right before them.
const PEOPLE_MAX: f64 = 1_000_000.0;

/// Tokens around hours that are searched for the people whose hours they are.
const HOURS_REACH: usize = 12;

/// More people than live in the country were not served.
const PEOPLE_EVER_MAX: f64 = 300_000_000.0;

/// Nothing that a nonprofit counts is beyond this.
const VALUE_MAX: f64 = 1e11;

/// The figures of a sentence, in order.
pub(super) fn figures(tokens: &Tokens<'_>, reading: Strictness) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut at = 0;
    let mut last_end = None;
    let mut refused_end: Option<usize> = None;
    while at < tokens.len() {
        let quantity = number::quantity(tokens, at).filter(|_| !counted::quoted(tokens, at));
        let Some(quantity) = quantity else {
            at += 1;
            continue;
        };
        at = quantity.end;
        let candidate = Candidate::read(tokens, quantity, last_end);
        // What is listed with a number that cannot be a figure is none either.
        let listed = |start: usize| {
            refused_end.is_some_and(|end| start > end && listing::joined(&tokens[end..start]))
        };
        match candidate {
            Some(found) if found.before.refused || listed(found.before.start) => {
                refused_end = Some(found.counted.end);
            }
            Some(found) if found.holds(reading) => {
                last_end = Some(found.counted.end);
                at = found.counted.end;
                figures.extend(found.figure());
            }
            _ => figures.extend(listing::label(tokens, &quantity)),
        }
    }
    figures
}

/// A number with what it counts and what stands around it.
struct Candidate<'a, 't> {
    tokens: &'a Tokens<'t>,
    quantity: Quantity,
    counted: CountedThing,
    before: Before,
    after: After,
    /// Whether it continues a list whose last figure was kept.
    continues: bool,
    /// Token behind the last figure that was kept.
    last_end: Option<usize>,
}

impl<'a, 't> Candidate<'a, 't> {
    fn read(tokens: &'a Tokens<'t>, quantity: Quantity, last_end: Option<usize>) -> Option<Self> {
        let mut counted = counted::counted(tokens, quantity.end)?;
        if counted.kind.is_empty() {
            counted.kind.clone_from(&counted.unit);
        }
        let before = context::before(tokens, &quantity);
        let after = context::after(tokens, counted.end);
        let continues = last_end
            .is_some_and(|end| listing::joined(&tokens[end.min(before.start)..before.start]));
        Some(Self { tokens, quantity, counted, before, after, continues, last_end })
    }

    /// The token `back` places before the number and its `more than`.
    fn word(&self, back: usize) -> &'a Token<'t> {
        self.tokens.before(self.before.start, back)
    }

    /// The token behind what is counted.
    fn next(&self) -> &'a Token<'t> {
        self.tokens.at(self.counted.end)
    }

    /// Tokens from the verb to the number.
    fn verb_distance(&self) -> usize {
        self.before.verb.map_or(usize::MAX, |(at, _)| self.before.start - at)
    }

    /// Whether the verb before the number is one that `fits`, at most `reach` tokens away.
    fn verb_within(&self, reach: usize, fits: impl Fn(Verb) -> bool) -> bool {
        self.before.verb.is_some_and(|(_, verb)| fits(verb)) && self.verb_distance() <= reach
    }

    /// Whether a verb of doing stands at most `reach` tokens before the number.
    fn done_within(&self, reach: usize) -> bool {
        self.verb_within(reach, |verb| verb.does)
    }

    /// Whether the verb before the number only tells how many there are.
    fn is_owned(&self) -> bool {
        self.before.verb.is_some_and(|(_, verb)| verb.has && !verb.does)
    }

    /// Whether a word of a list stands around the number and what it counts.
    fn is_near(&self, list: &str, end: usize, reach: usize) -> bool {
        context::near(self.tokens, list, self.before.start..end, reach)
    }

    fn holds(&self, reading: Strictness) -> bool {
        let Self { tokens, quantity, counted, before, after, .. } = self;
        let continued = self.last_end == Some(before.start);
        let in_table = context::labels(tokens, before.start, counted.end)
            || (!continued && context::tabled(tokens, before.start));
        let undone = before.hypothetical && self.done_after().is_none();
        let past = |verb: Verb| verb.does && verb.past && !verb.present;
        if in_table
            || after.refused
            || undone
            || quantity.spanlike
            || quantity.value > VALUE_MAX
            || self.may_be_year()
            || !self.large_enough()
            || self.is_part()
            || self.of_title()
            || self.of_schedule()
            || self.of_staff()
            || self.of_statistics()
            || self.of_governing()
            || (reading == Strictness::Mission && !self.verb_within(VERB_REACH, past))
        {
            return false;
        }
        let stated = self.is_told()
            || self.stands_alone()
            || tokens.phrase_before("existence", before.start).is_some()
            || self.of_network();
        match counted.count {
            Count::Person | Count::Animal => {
                stated || (self.word(1).is_in("adjunct") && !self.only_with())
            }
            Count::Thing => stated,
            Count::Weak => self.weak_holds(),
            Count::Measure => (self.is_told() || self.stands_alone()) && self.measure_holds(),
            Count::Own | Count::Never => false,
        }
    }

    /// Whether a verb stands before or behind it, or it continues a list whose last figure was kept.
    fn is_told(&self) -> bool {
        self.before.verb.is_some() || self.after.verb.is_some() || self.continues
    }

    /// The verb that tells right behind what is counted what was done to it or by it.
    fn done_after(&self) -> Option<usize> {
        let end = self.counted.end;
        let joins = |token: &Token<'_>| token.is_in("passives") || token.lower.ends_with("ly");
        self.after.verb.filter(|&at| {
            let told = self.tokens[at].word.verb.is_some_and(|verb| {
                // `18 communities participate`
                verb.past || (at == end && verb.present && !verb.has)
            });
            told && self.tokens[end..at].iter().all(joins)
        })
    }

    /// A bare number of four digits is a year, unless something says how exact it is.
    fn may_be_year(&self) -> bool {
        let plus = self.tokens[self.quantity.first].text.ends_with('+');
        let told = plus || self.before.start < self.quantity.first;
        let round = self.quantity.value == 2000.0 && self.verb_distance() == 1;
        self.quantity.yearlike
            && !told
            && !round
            && (1900.0..=2040.0).contains(&self.quantity.value)
    }

    fn large_enough(&self) -> bool {
        let Self { quantity, counted, .. } = self;
        let whole = quantity.value.fract() == 0.0 || counted.count == Count::Measure;
        let strong = matches!(counted.count, Count::Person | Count::Animal | Count::Thing);
        match quantity.value {
            _ if !whole => false,
            value if value < 2.0 => false,
            value if value < 3.0 => strong && self.done_within(PAIR_REACH),
            value if value < 10.0 => counted.count != Count::Weak || !quantity.worded,
            _ => true,
        }
    }

    /// Whether it tells how often or how many at a time: `three meals a day`, `an average of 6`.
    fn of_schedule(&self) -> bool {
        let small = self.quantity.value < 10.0;
        let exactness = &self.tokens[self.before.start..self.quantity.first];
        let averaged = exactness.iter().any(|token| token.is("average"));
        (small && (averaged || self.next().is_in("schedules"))) || (averaged && self.is_owned())
    }

    /// Whether what is counted are the organization's own people.
    fn of_staff(&self) -> bool {
        let phrase = &self.tokens[self.quantity.end..=self.counted.head];
        phrase.iter().any(|token| token.is_in("staff"))
    }

    /// Whether the people are the world's, not the organization's.
    fn of_statistics(&self) -> bool {
        let Self { quantity, counted, .. } = self;
        let many = quantity.value >= PEOPLE_MAX && !self.continues;
        let of_world = || many || self.is_near("statistics", counted.end, 10);
        counted.count == Count::Person
            && (quantity.value > PEOPLE_EVER_MAX || (!self.done_within(3) && of_world()))
    }

    /// Whether it counts who sits on a board or committee.
    fn of_governing(&self) -> bool {
        let Self { tokens, counted, .. } = self;
        let mut phrase = tokens[self.quantity.end..counted.head].iter();
        lexicon::lists("members", &counted.unit)
            && (self.is_near("governing", counted.end, 5)
                || phrase.any(|token| token.is_in("governing")))
    }

    /// Whether it is a note of its own: `Summer camp - 120 campers.`
    fn stands_alone(&self) -> bool {
        let (before, next) = (self.word(1), self.next());
        let opens = before.parts_clauses() || before.is_punctuation(':');
        let closes = matches!(next.kind, TokenKind::Punctuation(_) | TokenKind::End);
        opens && (closes || next.is_in("ends")) && self.quantity.value >= 3.0
    }

    fn weak_holds(&self) -> bool {
        let telling =
            |verb: Verb| verb.does && (verb.past || verb.going || self.quantity.value >= 10.0);
        self.verb_within(WEAK_REACH, telling)
            || self.done_after().is_some()
            || self.continues
            || self.of_network()
    }

    /// Whether it tells who belongs to what the organization built: `a network of 40 pantries`,
    /// `membership base of 900 partners`.
    fn of_network(&self) -> bool {
        let network = self.tokens.phrase_before("network", self.before.start).is_some();
        network && self.quantity.value >= NETWORK_MIN
    }

    /// Whether it is part of the figure before, and stated only in part: `4,729 cases, including 41
    /// cases where`.
    fn is_part(&self) -> bool {
        self.word(1).is("including") && self.next().is_in("partial")
    }

    /// Whether people only stand behind `with`, and nothing tells what they did: `with 12,000
    /// people on the streets`.
    fn only_with(&self) -> bool {
        self.word(1).is("with") && lexicon::lists("generic", &self.counted.unit)
    }

    fn measure_holds(&self) -> bool {
        let Self { counted, .. } = self;
        let unit_is_in = |list| lexicon::lists(list, &counted.unit);
        let near = |list| self.is_near(list, counted.head, HOURS_REACH);
        if unit_is_in("labours") {
            // A day's and two or three days' hours are lengths.
            let length = [24.0, 48.0, 72.0].contains(&self.quantity.value);
            let labour = counted.object.is_some()
                || counted.kind != counted.unit
                || near("volunteering")
                || near("works");
            let rated = self.next().is_in("hourly");
            return labour && !rated && !length && !self.is_owned() && self.quantity.value >= 10.0;
        }
        let done = self.done_within(VERB_REACH);
        if unit_is_in("areas") {
            let over_land = self
                .before
                .verb
                .is_some_and(|(_, verb)| verb.does && lexicon::lists("land", verb.lemma));
            let mut object = counted.object.iter().flat_map(|object| object.split(' '));
            return over_land || (done && object.any(|word| lexicon::lists("land_nouns", word)));
        }
        counted.object.is_some() || done || self.after.verb.is_some()
    }

    /// Whether a phrase may end with a verb: no object follows it (`340 volunteers filed 90
    /// returns`), without which it would be torn.
    fn ends_at(&self, verb: usize) -> bool {
        let next = self.tokens.at(verb + 1);
        !next.is_in("objects")
            && !next.is_punctuation('$')
            && !next.is_amount()
            && (next.kind != TokenKind::Word || next.is_in("ends"))
    }

    /// Whether it is a part of a title: `"seven steps in seven sessions"`.
    fn of_title(&self) -> bool {
        let mark =
            |token: &Token<'_>| matches!(token.kind, TokenKind::Punctuation('"' | '“' | '”'));
        let from = self.before.start.saturating_sub(TITLE_REACH);
        let marks = self.tokens[from..self.before.start].iter().filter(|token| mark(token)).count();
        marks % 2 == 1 && mark(self.next())
    }

    /// The token of the verb with which the phrase begins that tells the figure.
    fn telling_verb(&self) -> Option<usize> {
        let (at, _) = self.before.verb.filter(|(_, verb)| !verb.noun)?;
        let (between, last) = (&self.tokens[at..self.before.start], self.word(1));
        let second = self.tokens.at(at + 1);
        let whole = between.len() <= VERB_REACH
            && !second.is("and")
            && !last.is("and")
            && !last.is("or")
            // `received certification 343 participants`: two phrases run into one.
            && (between.len() == 1 || last.is_in("apart") || last.is_in("ends"))
            && !(second.is("by") && between.len() > 2)
            && self.last_end.is_none_or(|end| at >= end)
            && !between.iter().any(|token| matches!(token.kind, TokenKind::Punctuation(_)));
        whole.then_some(at)
    }

    /// The figure, unless the phrase that tells it is too long.
    fn figure(&self) -> Option<Figure> {
        let Self { tokens, quantity, counted, before, .. } = self;
        let verb = self.telling_verb();
        let given = verb.and_then(|_| self.given());
        let verb = verb.filter(|_| given.is_some() || !self.must_be_given());
        // One verb is enough: `conducted 50 workshops`, not `conducted 50 workshops attended`.
        let last = match verb {
            Some(_) => given.unwrap_or(counted.end),
            None => {
                self.done_after().filter(|&at| self.ends_at(at)).map_or(counted.end, |at| at + 1)
            }
        };
        let from = |first: usize, end: usize| tokens[first].start..tokens[end - 1].end;
        let phrases = [
            from(verb.unwrap_or(before.start), last),
            from(before.start, last),
            from(before.start, counted.end),
        ];
        let text = phrases.into_iter().find(|phrase| phrase.len() <= TEXT_MAX)?;
        let mut kind = counted.kind.clone();
        if counted.unit == "hours" && kind == "hours" {
            let volunteers = self.is_near("volunteering", counted.head, HOURS_REACH);
            kind = if volunteers { "volunteer hours" } else { "service hours" }.to_owned();
        }
        Some(Figure {
            value: quantity.value,
            unit: counted.unit.clone(),
            kind,
            text,
            at: quantity.first,
            end: counted.end,
        })
    }

    /// Whether the words before a number are about people who get something, so that the phrase
    /// says nothing without the thing given: `provided 600 people`.
    fn must_be_given(&self) -> bool {
        let transfers = |verb: Verb| lexicon::lists("transfers", verb.lemma);
        self.counted.count == Count::Person && self.verb_within(1, transfers)
    }

    /// Token behind what people get: `provided 600 people with free tax assistance`, `gave 300
    /// students school breakfasts`.
    fn given(&self) -> Option<usize> {
        if !self.must_be_given() {
            return None;
        }
        measure::object_end(self.tokens, self.counted.end + usize::from(self.next().is("with")))
    }
}
