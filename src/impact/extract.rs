//! Figures in one sentence: every number is tried, and kept only where what it counts and what
//! stands around it say that it is an accomplishment.

use super::context::{self, After, Before};
use super::counted::{self, Counted};
use super::lexicon::{Count, lexicon};
use super::number::{self, Quantity};
use super::token::{Kind, Token};

/// A figure of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    pub(super) value: f64,
    pub(super) unit: String,
    pub(super) kind: String,
    /// Bytes of the sentence that tell it.
    pub(super) text: std::ops::Range<usize>,
    /// Token of the number.
    pub(super) at: usize,
}

/// How strictly a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Of accomplishments: numbers are likely of what was done.
    Accomplishments,
    /// Of a mission: only what is told in the past tense counts.
    Mission,
}

/// Bytes of the phrase that tells a figure.
const TEXT_MAX: usize = 120;

/// Tokens from a verb to its number that still make one phrase.
const VERB_REACH: usize = 8;

/// Tokens from a verb to a weak noun's number.
const WEAK_REACH: usize = 4;

/// Tokens from a verb to the number two, which says little.
const PAIR_REACH: usize = 2;

/// People beyond this many are a nation's, unless a verb stands right before them.
const PEOPLE_MAX: f64 = 1_000_000.0;

/// More people than live in the country were not served.
const PEOPLE_EVER_MAX: f64 = 300_000_000.0;

/// Nothing that a nonprofit counts is beyond this.
const VALUE_MAX: f64 = 1e11;

/// The figures of a sentence, in order.
pub(super) fn figures(tokens: &[Token<'_>], reading: Reading) -> Vec<Figure> {
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
            refused_end.is_some_and(|end| start > end && joined(&tokens[end..start]))
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
                figures.extend(label(tokens, &quantity));
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
    counted: Counted,
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
        let continues =
            last_end.is_some_and(|end| joined(&tokens[end.min(before.start)..before.start]));
        Some(Self { tokens, quantity, counted, before, after, continues, last_end })
    }

    fn word(&self, back: usize) -> &str {
        self.before.start.checked_sub(back).map_or("", |at| self.tokens[at].lower.as_str())
    }

    /// Tokens from the verb to the number.
    fn verb_distance(&self) -> usize {
        self.before.verb.map_or(usize::MAX, |(at, _)| self.before.start - at)
    }

    /// Whether a verb of doing stands within so many tokens before the number.
    fn done_within(&self, reach: usize) -> bool {
        self.before.verb.is_some_and(|(_, verb)| verb.does) && self.verb_distance() <= reach
    }

    fn holds(&self, reading: Reading) -> bool {
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
            || self.of_schedule()
            || self.of_staff()
            || self.of_statistics()
            || self.of_governing()
        {
            return false;
        }
        if reading == Reading::Mission && !self.told_in_past() {
            return false;
        }
        match counted.count {
            Count::Person | Count::Animal => {
                before.verb.is_some()
                    || after.verb.is_some()
                    || self.continues
                    || self.stands_alone()
                    || self.there_were()
                    || lexicon().lists("adjunct", self.word(1))
            }
            Count::Thing => {
                before.verb.is_some()
                    || after.verb.is_some()
                    || self.continues
                    || self.stands_alone()
                    || self.there_were()
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

    fn told_in_past(&self) -> bool {
        self.before.verb.is_some_and(|(_, verb)| verb.does && verb.past && !verb.present)
            && self.verb_distance() <= VERB_REACH
    }

    /// A bare number of four digits is a year, unless it is told how exact it is.
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

    /// Whether it tells of the world's people, not of the organization's.
    fn of_statistics(&self) -> bool {
        let Self { tokens, counted, before, .. } = self;
        if counted.count != Count::Person {
            return false;
        }
        let many = self.quantity.value >= PEOPLE_MAX && !self.done_within(3);
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
            token.parts_clauses() || token.is_sign(':')
        });
        let closes = self.tokens.get(self.counted.end).is_none_or(|next| {
            matches!(next.kind, Kind::Sign(_)) || lexicon().lists("ends", &next.lower)
        });
        opens && closes && self.quantity.value >= 3.0
    }

    fn weak_holds(&self) -> bool {
        let telling = self
            .before
            .verb
            .is_some_and(|(_, verb)| verb.past || verb.going || self.quantity.value >= 10.0);
        (self.done_within(WEAK_REACH) && telling) || self.done_after().is_some() || self.continues
    }

    fn measure_holds(&self) -> bool {
        let Self { tokens, counted, before, after, .. } = self;
        let told =
            before.verb.is_some() || after.verb.is_some() || self.continues || self.stands_alone();
        let near = |list| context::near(tokens, list, before.start, counted.head, 12);
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
                    || near("volunteering");
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

    /// The figure, unless the phrase that tells it is too long.
    fn figure(&self) -> Option<Figure> {
        let Self { tokens, quantity, counted, before, .. } = self;
        let verb = before.verb.filter(|(_, verb)| !verb.noun).map(|(at, _)| at).filter(|&at| {
            let between = &tokens[at..before.start];
            between.len() <= VERB_REACH
                && !tokens[at + 1].is("and")
                && !matches!(self.word(1), "and" | "or")
                && self.last_end.is_none_or(|end| at >= end)
                && !between.iter().any(|token| matches!(token.kind, Kind::Sign(_)))
        });
        // One verb is enough: `conducted 50 workshops`, not `conducted 50 workshops attended`.
        let last = match verb {
            Some(_) => counted.end,
            None => self.done_after().map_or(counted.end, |at| at + 1),
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
            kind = "volunteer hours".to_owned();
        }
        Some(Figure {
            value: quantity.value,
            unit: counted.unit.clone(),
            kind,
            text,
            at: quantity.first,
        })
    }
}

/// Whether tokens between two figures make the second continue the first: `400 students, 35
/// teachers and 12 schools`.
fn joined(between: &[Token<'_>]) -> bool {
    const JOINTS: [&str; 12] = [
        "and",
        "in",
        "at",
        "from",
        "across",
        "for",
        "with",
        "to",
        "plus",
        "including",
        "as",
        "well",
    ];
    between.len() <= 3
        && between.iter().all(|token| {
            matches!(token.kind, Kind::Sign(',' | '&' | ';' | '/' | '('))
                || JOINTS.contains(&token.lower.as_str())
        })
}

/// Words of a label before a number.
const LABEL_MAX: usize = 7;

/// The figure of a number behind its label: `Number of individuals served: 18,468`.
fn label(tokens: &[Token<'_>], quantity: &Quantity) -> Option<Figure> {
    let colon = quantity.first.checked_sub(1)?;
    let verbal = matches!(tokens[colon].lower.as_str(), "was" | "is" | "were" | "totaled");
    let sign = matches!(tokens[colon].kind, Kind::Sign(':' | '-' | '–' | '—' | '='));
    let parted = verbal || sign;
    let ends = tokens.get(quantity.end).is_none_or(|next| {
        (verbal && next.is("and"))
            || matches!(next.kind, Kind::Sign(sign) if sign != '%' && sign != '/' && sign != '-')
    });
    if !parted
        || !ends
        || quantity.yearlike
        || quantity.spanlike
        || quantity.value < 3.0
        || quantity.value.fract() != 0.0
    {
        return None;
    }
    let from = colon.saturating_sub(LABEL_MAX);
    let opening = tokens[from..colon].iter().rposition(|token| token.kind != Kind::Word);
    let first = opening.map_or(from, |at| from + at + 1);
    // The label must begin its clause, or the number may belong to what stands before.
    let words = &tokens[first..colon];
    let lexicon = lexicon();
    let head = words.iter().rposition(|token| lexicon.plural(&token.lower).is_some())?;
    let noun = lexicon.plural(&words[head].lower)?;
    let strong = matches!(noun.count, Count::Person | Count::Animal | Count::Thing);
    let served = words[head + 1..]
        .iter()
        .any(|token| lexicon.verb(&token.lower).is_some_and(|verb| verb.past));
    let numbered = words[..head].iter().any(|token| token.is("number"));
    let totalled = numbered || words[..head].iter().any(|token| token.is("total"));
    let told = if verbal { numbered } else { served || totalled };
    let planned = words.iter().any(|token| {
        lexicon.lists("hypothetical", &token.lower) || lexicon.lists("governing", &token.lower)
    });
    (strong && told && !planned && words.len() < LABEL_MAX).then(|| Figure {
        value: quantity.value,
        unit: words[head].lower.clone(),
        kind: noun.kind.to_owned(),
        text: words[0].start..tokens[quantity.end - 1].end,
        at: quantity.first,
    })
}
