//! Figures in one sentence: every number is tried, and kept only where what it counts and what
//! stands around it say that it is an accomplishment.

use super::context::{self, After, Before};
use super::counted::{self, CountedThing};
use super::figure::Figure;
use super::lexicon::{Count, lexicon};
use super::listing;
use super::measure;
use super::number::{self, Quantity};
use super::token::{Token, TokenKind};

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
pub(super) fn figures(tokens: &[Token<'_>], reading: Strictness) -> Vec<Figure> {
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
        let candidate = Candidate::read(tokens, quantity, last_end);
        // What is listed with a number that cannot be a figure is none either.
        let listed = candidate.as_ref().is_some_and(|candidate| {
            let start = candidate.before.start;
            refused_end.is_some_and(|end| start > end && listing::joined(&tokens[end..start]))
        });
        let refused = listed || candidate.as_ref().is_some_and(|found| found.before.refused);
        if refused && let Some(candidate) = candidate {
            refused_end = Some(candidate.counted.end);
            at = quantity.end;
            continue;
        }
        match candidate.filter(|candidate| candidate.holds(reading)) {
            Some(candidate) => {
                last_end = Some(candidate.counted.end);
                at = candidate.counted.end;
                figures.extend(candidate.figure());
            }
            None => {
                figures.extend(listing::label(tokens, &quantity));
                at = quantity.end;
            }
        }
    }
    figures
}

/// A number with what it counts and what stands around it.
struct Candidate<'a, 't> {
    tokens: &'a [Token<'t>],
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
    fn read(tokens: &'a [Token<'t>], quantity: Quantity, last_end: Option<usize>) -> Option<Self> {
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

    fn word(&self, back: usize) -> &str {
        self.before.start.checked_sub(back).map_or("", |at| self.tokens[at].lower.as_str())
    }

    /// Tokens from the verb to the number.
    fn verb_distance(&self) -> usize {
        self.before.verb.map_or(usize::MAX, |(at, _)| self.before.start - at)
    }

    /// Whether a verb of doing stands at most `reach` tokens before the number.
    fn done_within(&self, reach: usize) -> bool {
        self.before.verb.is_some_and(|(_, verb)| verb.does) && self.verb_distance() <= reach
    }

    fn holds(&self, reading: Strictness) -> bool {
        let Self { quantity, counted, before, after, .. } = self;
        let continued = self.last_end == Some(before.start);
        if context::labels(self.tokens, before.start, counted.end)
            || (!continued && context::tabled(self.tokens, before.start))
        {
            return false;
        }
        if before.refused || after.refused || (before.hypothetical && self.done_after().is_none()) {
            return false;
        }
        if quantity.spanlike || quantity.value > VALUE_MAX || self.may_be_year() {
            return false;
        }
        if !self.large_enough()
            || self.is_part()
            || self.of_title()
            || self.of_schedule()
            || self.of_staff()
            || self.of_statistics()
            || self.of_governing()
        {
            return false;
        }
        if reading == Strictness::Mission && !self.has_past_verb() {
            return false;
        }
        match counted.count {
            Count::Person | Count::Animal => {
                before.verb.is_some()
                    || after.verb.is_some()
                    || self.continues
                    || self.stands_alone()
                    || self.there_were()
                    || self.of_network()
                    || (lexicon().lists("adjunct", self.word(1)) && !self.only_with())
            }
            Count::Thing => {
                before.verb.is_some()
                    || after.verb.is_some()
                    || self.continues
                    || self.stands_alone()
                    || self.there_were()
                    || self.of_network()
            }
            Count::Weak => self.weak_holds(),
            Count::Measure => self.measure_holds(),
            Count::Own | Count::Never => false,
        }
    }

    /// `There were over 300 referrals`.
    fn there_were(&self) -> bool {
        self.word(2) == "there" && matches!(self.word(1), "were" | "are")
    }

    /// The verb that tells right behind what is counted what was done to it or by it.
    fn done_after(&self) -> Option<usize> {
        let end = self.counted.end;
        let joins = |token: &Token<'_>| {
            matches!(token.lower.as_str(), "was" | "were" | "are" | "have" | "has" | "had" | "been")
                || token.lower.ends_with("ly")
        };
        self.after.verb.filter(|&at| {
            let told = lexicon().verb(&self.tokens[at].lower).is_some_and(|verb| {
                // `18 communities participate`
                verb.past || (at == end && verb.present && !verb.has)
            });
            told && self.tokens[end..at].iter().all(joins)
        })
    }

    fn has_past_verb(&self) -> bool {
        self.before.verb.is_some_and(|(_, verb)| verb.does && verb.past && !verb.present)
            && self.verb_distance() <= VERB_REACH
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
        let rated = self.tokens.get(self.counted.end).is_some_and(|next| {
            matches!(next.lower.as_str(), "a" | "per" | "each" | "every" | "daily" | "weekly" | "/")
        });
        let averaged = self.tokens[self.before.start..self.quantity.first]
            .iter()
            .any(|token| token.is("average"));
        let owned = self.before.verb.is_some_and(|(_, verb)| verb.has && !verb.does);
        (small && (rated || averaged)) || (averaged && owned)
    }

    /// Whether what is counted are the organization's own people.
    fn of_staff(&self) -> bool {
        self.tokens[self.quantity.end..=self.counted.head].iter().any(|token| {
            matches!(token.lower.as_str(), "staff" | "board" | "employee" | "committee" | "trustee")
        })
    }

    /// Whether the people are the world's, not the organization's.
    fn of_statistics(&self) -> bool {
        let Self { tokens, counted, before, .. } = self;
        if counted.count != Count::Person {
            return false;
        }
        let many = self.quantity.value >= PEOPLE_MAX && !self.done_within(3) && !self.continues;
        let all = self.quantity.value > PEOPLE_EVER_MAX;
        all || many
            || (!self.done_within(3)
                && context::near(tokens, "statistics", before.start, counted.end, 10))
    }

    /// Whether it counts who sits on a board or committee.
    fn of_governing(&self) -> bool {
        let Self { tokens, counted, before, .. } = self;
        let people = matches!(
            counted.unit.as_str(),
            "members"
                | "individuals"
                | "people"
                | "persons"
                | "volunteers"
                | "leaders"
                | "men"
                | "women"
                | "representatives"
                | "citizens"
        );
        let named = || {
            let phrase = &tokens[self.quantity.end..counted.head];
            phrase.iter().any(|token| lexicon().lists("governing", &token.lower))
        };
        people && (context::near(tokens, "governing", before.start, counted.end, 5) || named())
    }

    /// Whether it is a note of its own: `Summer camp - 120 campers.`
    fn stands_alone(&self) -> bool {
        let opens = self.before.start.checked_sub(1).is_none_or(|at| {
            let token = &self.tokens[at];
            token.parts_clauses() || token.is_punctuation(':')
        });
        let closes = self.tokens.get(self.counted.end).is_none_or(|next| {
            matches!(next.kind, TokenKind::Punctuation(_)) || lexicon().lists("ends", &next.lower)
        });
        opens && closes && self.quantity.value >= 3.0
    }

    fn weak_holds(&self) -> bool {
        let telling = self
            .before
            .verb
            .is_some_and(|(_, verb)| verb.past || verb.going || self.quantity.value >= 10.0);
        (self.done_within(WEAK_REACH) && telling)
            || self.done_after().is_some()
            || self.continues
            || self.of_network()
    }

    /// Whether it tells who belongs to what the organization built: `a network of 40 pantries`,
    /// `membership base of 900 partners`.
    fn of_network(&self) -> bool {
        let base = usize::from(self.word(2) == "base");
        self.word(1) == "of"
            && lexicon().lists("groupings", self.word(2 + base))
            && self.quantity.value >= NETWORK_MIN
    }

    /// Whether it is part of the figure before, and stated only in part: `4,729 cases, including 41
    /// cases where`.
    fn is_part(&self) -> bool {
        let next = self.tokens.get(self.counted.end).map_or("", |token| token.lower.as_str());
        self.word(1) == "including"
            && matches!(next, "where" | "with" | "who" | "that" | "which" | "whose" | "in" | "for")
    }

    /// Whether people only stand behind `with`, and nothing tells what they did: `with 12,000
    /// people on the streets`.
    fn only_with(&self) -> bool {
        let generic = matches!(
            self.counted.unit.as_str(),
            "people" | "individuals" | "persons" | "residents" | "households" | "families"
        );
        self.word(1) == "with" && generic
    }

    fn measure_holds(&self) -> bool {
        let Self { tokens, counted, before, after, .. } = self;
        let told =
            before.verb.is_some() || after.verb.is_some() || self.continues || self.stands_alone();
        let near = |list| context::near(tokens, list, before.start, counted.head, HOURS_REACH);
        match counted.unit.as_str() {
            _ if !told => false,
            "hours" | "nights" | "person-hours" => {
                let next = tokens.get(counted.end).map_or("", |token| token.lower.as_str());
                let rate = matches!(next, "a" | "per" | "each" | "every" | "/");
                // A day's and two or three days' hours are lengths.
                let length = [24.0, 48.0, 72.0].contains(&self.quantity.value);
                let owned = before.verb.is_some_and(|(_, verb)| verb.has && !verb.does);
                let labour = counted.object.is_some()
                    || counted.kind != counted.unit
                    || near("volunteering")
                    || near("works");
                labour && !rate && !length && !owned && self.quantity.value >= 10.0
            }
            "acres" | "miles" | "hectares" | "kilometers" | "yards" => {
                let over_land = before
                    .verb
                    .is_some_and(|(_, verb)| lexicon().lists("land", verb.lemma) && verb.does);
                let of_land = counted.object.as_ref().is_some_and(|object| {
                    object.split(' ').any(|word| lexicon().lists("land_nouns", word))
                });
                over_land || (of_land && self.done_within(VERB_REACH))
            }
            _ => counted.object.is_some() || self.done_within(VERB_REACH) || after.verb.is_some(),
        }
    }

    /// Whether a phrase may end with a verb: no object follows it (`340 volunteers filed 90
    /// returns`), without which it would be torn.
    fn ends_at(&self, verb: usize) -> bool {
        self.tokens.get(verb + 1).is_none_or(|next| {
            let article = matches!(
                next.lower.as_str(),
                "a" | "an" | "the" | "their" | "our" | "its" | "this" | "these" | "up" | "over"
            );
            !article
                && !next.is_punctuation('$')
                && (next.kind != TokenKind::Word || lexicon().lists("ends", &next.lower))
                && !next.is_amount()
        })
    }

    /// Whether it is a part of a title: `"seven steps in seven sessions"`.
    fn of_title(&self) -> bool {
        let mark =
            |token: &Token<'_>| matches!(token.kind, TokenKind::Punctuation('"' | '“' | '”'));
        let closes = self.tokens.get(self.counted.end).is_some_and(mark);
        let from = self.before.start.saturating_sub(TITLE_REACH);
        let marks = self.tokens[from..self.before.start].iter().filter(|token| mark(token)).count();
        closes && marks % 2 == 1
    }

    /// The figure, unless the phrase that tells it is too long.
    fn figure(&self) -> Option<Figure> {
        let Self { tokens, quantity, counted, before, .. } = self;
        let verb = before.verb.filter(|(_, verb)| !verb.noun).map(|(at, _)| at).filter(|&at| {
            let between = &tokens[at..before.start];
            between.len() <= VERB_REACH
                && !tokens[at + 1].is("and")
                && !matches!(self.word(1), "and" | "or")
                // `received certification 343 participants`: two phrases run into one.
                && (between.len() == 1
                    || matches!(self.word(1), "together" | "away")
                    || lexicon().lists("ends", self.word(1)))
                && !(tokens[at + 1].is("by") && between.len() > 2)
                && self.last_end.is_none_or(|end| at >= end)
                && !between.iter().any(|token| matches!(token.kind, TokenKind::Punctuation(_)))
        });
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
            let volunteers =
                context::near(tokens, "volunteering", before.start, counted.head, HOURS_REACH);
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
}

impl Candidate<'_, '_> {
    /// Whether the words before a number are about people who get something, so that the phrase
    /// says nothing without the thing given: `provided 600 people`.
    fn must_be_given(&self) -> bool {
        self.counted.count == Count::Person
            && self.verb_distance() == 1
            && self.before.verb.is_some_and(|(_, verb)| lexicon().lists("transfers", verb.lemma))
    }

    /// Token behind what people get: `provided 600 people with free tax assistance`, `gave 300
    /// students school breakfasts`.
    fn given(&self) -> Option<usize> {
        if !self.must_be_given() {
            return None;
        }
        let end = self.counted.end;
        let with = self.tokens.get(end).is_some_and(|token| token.is("with"));
        measure::object_end(self.tokens, end + usize::from(with))
    }
}
