//! The parts of a message that each ask for something (`how big is it and who runs it`): sentences, and the clauses of a
//! sentence that asks for facts.

use std::ops::Range;

use super::Result;
use super::part::Part;
use super::reading::{is_story, says_only_number};
use super::request::{
    ACT_PROBABILITY_MIN, Acts, KNOWLEDGE_SURE_MIN, Request, SURE_FACT_PROBABILITY, likeliest,
};
use super::{message, worded};
use crate::reader::{DialogueAct, Known, Message, Prediction, Reader, Role};
use crate::understand::{
    FactQuestion, clauses, grouped_by, measures_in, names_state, opens_with, said_in, says,
    sentences,
};

/// The least probability of a part's act to be answered for itself.
const PART_PROBABILITY_MIN: f32 = 0.5;
/// Parts of a message that are answered separately.
const PARTS_MAX: usize = 4;
/// Words of a question that only asks whether something is so.
const CONFIRMING_WORDS_MAX: usize = 4;

/// A stretch of a message, and the likeliest act of it.
struct Stretch {
    bytes: Range<usize>,
    act: Prediction<DialogueAct>,
    /// Whether it says what nonprofits to find: a cause, or another place.
    finds: bool,
    names_state: bool,
    /// Whether it says by itself where, and what to find or to count.
    is_whole: bool,
    refers: bool,
    names_one: bool,
    /// Whether it asks for one half-remembered nonprofit.
    asks_one: bool,
    /// Whether it has the beginning or the sign of a question.
    is_question: bool,
}

/// Reads parts of a message.
struct PartReader<'a> {
    reader: &'a Reader,
    text: &'a str,
    /// All of the text as it was read.
    message: &'a Message,
    known: &'a [Known],
    /// The message before all of it.
    before: Option<&'a str>,
}

/// Whether a stretch of a text begins as a question does, of some of those shown too, or ends with its sign.
fn is_question(text: &str, bytes: &Range<usize>) -> bool {
    let own = &text[bytes.clone()];
    let of_some = said_in(own, "of the rest").into_iter().find(|said| said.start == 0);
    let mut words = own[of_some.map_or(0, |said| said.end)..].split_whitespace();
    let rest = text[bytes.end..].trim_start();
    rest.starts_with('?') || words.by_ref().take(2).any(|word| says(word, "question opening"))
}

/// Keeps the fact of the previous question in a correction that only names another nonprofit: `no, I meant the food bank`.
pub(super) fn keep_fact(parts: &mut [Part], asked: Option<&FactQuestion>) {
    let fact = asked.map(|asked| asked.fact).filter(|fact| fact.is_fact());
    if let ([part], Some(fact)) = (parts, fact)
        && part.message.spans.iter().any(|span| span.role == Role::Name)
        && part.request.facts().is_empty()
    {
        part.request.acts = vec![fact];
    }
}

/// The parts of a message that each ask for something, in order; at least one. Sentences are read first, then the
/// clauses of a sentence that asks for facts; a clause about the asker only introduces the part after it.
pub(super) fn parts(
    reader: &Reader,
    text: &str,
    message: &Message,
    known: &[Known],
    before: Option<&str>,
) -> Result<Vec<Part>> {
    if worded::asks_for_candidates(text, message) {
        let request = Request::to(vec![DialogueAct::Search]);
        return Ok(vec![Part { text: text.to_owned(), message: message.clone(), request }]);
    }
    let acts = reader.dialogue_acts(text, message, before)?;
    let request = Request::of(text, &acts, message, known);
    let whole = Part { text: text.to_owned(), message: message.clone(), request };
    // `how old are they? oldest first`.
    let orders_facts = whole.request.asks_fact() && says(text, "in order");
    let act = whole.request.act();
    let is_explained = act == DialogueAct::Knowledge
        && acts.iter().any(|one| one.label == act && one.probability >= KNOWLEDGE_SURE_MIN);
    if is_of_whole(act) || is_explained || counts_each(text, message) || orders_facts {
        return Ok(vec![whole]);
    }
    // What the message names is known to each of its parts.
    let mut known = known.to_vec();
    if message.spans.iter().any(|span| span.role == Role::Name) {
        known.push(Known::ShownOne);
    }
    let reads = PartReader { reader, text, message, known: &known, before };
    let mut stretches = Vec::new();
    let sentences = sentences(text);
    let is_one = sentences.len() < 2;
    for sentence in sentences {
        stretches.extend(reads.sentence(sentence, is_one.then_some(&acts[..]))?);
    }
    lead_with_numbers(text, &mut stretches);
    join_confirmations(text, &mut stretches);
    let mut groups = grouped(text, &stretches);
    for (bytes, acts) in &mut groups {
        ask_pay_of_leaders(&text[bytes.clone()], acts);
    }
    if let [(_, facts)] = &groups[..]
        && facts.len() > 1
    {
        // Several facts of one nonprofit are one answer.
        let request = Request { acts: facts.clone(), ..whole.request };
        return Ok(vec![Part { request, ..whole }]);
    }
    let is_whole = match groups.len() {
        // Everything but the question may be about the asker.
        1 => stretches.len() < 2,
        count => count == 0 || count > PARTS_MAX,
    };
    match is_whole {
        true => Ok(vec![whole]),
        false => groups.into_iter().map(|(bytes, acts)| reads.part(bytes, acts)).collect(),
    }
}

/// What leaders earn is their pay, not the revenue of the nonprofit: `who is the president and how much do they make`.
fn ask_pay_of_leaders(text: &str, acts: &mut [DialogueAct]) {
    let is_theirs = |earned: &Range<usize>| {
        let before = text[..earned.start].split_whitespace().next_back();
        before.is_some_and(|word| says(word, "they"))
    };
    let leads =
        acts.contains(&DialogueAct::Leaders) && said_in(text, "earns").iter().any(is_theirs);
    let earned = acts.iter_mut().find(|act| **act == DialogueAct::Revenue);
    if let Some(act) = earned.filter(|_| leads) {
        *act = DialogueAct::Pay;
    }
}

/// Joins a question that only asks whether the sentence before it is so to that: `the boss makes half a million. is that true?`.
fn join_confirmations(text: &str, stretches: &mut Vec<Stretch>) {
    for at in (1..stretches.len()).rev() {
        let words = &text[stretches[at].bytes.clone()];
        if opens_with(words, "asks for confirmation")
            && words.split_whitespace().count() <= CONFIRMING_WORDS_MAX
        {
            let asks = stretches.remove(at);
            stretches[at - 1].bytes.end = asks.bytes.end;
        }
    }
}

/// Joins a number of those shown to what is asked of it behind it: `the first one. do they have a phone`.
fn lead_with_numbers(text: &str, stretches: &mut Vec<Stretch>) {
    for at in (1..stretches.len()).rev() {
        if says_only_number(&text[stretches[at - 1].bytes.clone()]) {
            let before = stretches.remove(at - 1);
            stretches[at - 1].bytes.start = before.bytes.start;
            stretches[at - 1].refers = true;
        }
    }
}

impl PartReader<'_> {
    fn part(&self, bytes: Range<usize>, acts: Vec<DialogueAct>) -> Result<Part> {
        let text = self.text[bytes].to_owned();
        let message = message::read(self.reader, &text, self.known)?;
        let fact = acts.iter().copied().find(|act| act.is_fact());
        let likeliest_fact = fact.map(|label| Prediction { label, probability: 1.0 });
        let is_portrait = acts == [DialogueAct::Mission] && says(&text, "about one");
        let joined = worded::facts_of(&text, &message, self.known);
        let acts = match is_portrait {
            true => Vec::new(),
            false if !joined.is_empty() => joined,
            false => acts,
        };
        Ok(Part { text, message, request: Request { acts, likeliest_fact } })
    }

    /// A stretch as it is read; its acts, where they are known already.
    fn stretch(&self, bytes: Range<usize>, acts: Option<&Acts>) -> Result<Option<Stretch>> {
        let text = &self.text[bytes.clone()];
        let message = match acts.is_some() && text == self.text {
            true => self.message.clone(),
            false => message::read(self.reader, text, self.known)?,
        };
        let act = match acts {
            Some(acts) => likeliest(acts, text, &message, self.known),
            None => {
                let acts = self.reader.dialogue_acts(text, &message, self.before)?;
                likeliest(&acts, text, &message, self.known)
            }
        };
        let Some(act) = act else { return Ok(None) };
        let has = |role| message.spans.iter().any(|span| span.role == role);
        // A place alone changes what is there.
        let changes = act.label == DialogueAct::Change && !self.known.is_empty();
        let finds = has(Role::Cause) || (changes && has(Role::Place));
        let counts = matches!(act.label, DialogueAct::Count | DialogueAct::Total);
        Ok(Some(Stretch {
            act,
            finds: finds && !is_story(text),
            names_state: message.words(text, Role::Place).any(names_state),
            is_whole: has(Role::Place) && (counts || has(Role::Cause)),
            refers: has(Role::Reference),
            names_one: has(Role::Name),
            asks_one: says(text, "asks for one"),
            is_question: is_question(self.text, &bytes),
            bytes,
        }))
    }

    /// A sentence, or its clauses if each of them asks for a fact, the first possibly for a list.
    fn sentence(&self, bytes: Range<usize>, acts: Option<&Acts>) -> Result<Vec<Stretch>> {
        let text = &self.text[bytes.clone()];
        let Some(whole) = self.stretch(bytes.clone(), acts)? else { return Ok(Vec::new()) };
        let first = whole.act;
        let clauses = clauses(text);
        let is_whole = matches!(first.label, DialogueAct::Knowledge | DialogueAct::Compare)
            && first.probability >= ACT_PROBABILITY_MIN;
        let is_compared = is_whole && first.label == DialogueAct::Compare;
        // `how much did it spend on fundraising, and what share is that`.
        let is_joined = first.label == DialogueAct::Lines
            || !worded::facts_of(text, self.message, self.known).is_empty();
        if clauses.len() < 2 || is_compared || is_joined {
            return Ok(vec![whole]);
        }
        let mut stretches = Vec::new();
        for clause in clauses {
            let bytes = bytes.start + clause.start..bytes.start + clause.end;
            stretches.extend(self.stretch(bytes, None)?);
        }
        // `would a gift to them be deductible, and can we give stock`.
        let asks_of_them = |one: &Stretch| {
            one.refers && one.act.label.is_fact() && one.act.probability >= SURE_FACT_PROBABILITY
        };
        if is_whole && !stretches.iter().any(asks_of_them) {
            return Ok(vec![whole]);
        }
        // `The Weingart Foundation, what does it give and what are its assets?`.
        let is_named = |one: &Stretch| is_list(one.act.label) && one.names_one && !one.finds;
        let is_told = |one: &Stretch| one.act.probability >= PART_PROBABILITY_MIN && !is_named(one);
        let told: Vec<&Stretch> = stretches.iter().filter(|one| is_told(one)).collect();
        let first_is_list = told.first().is_some_and(|one| is_list(one.act.label));
        let asks = |one: &&Stretch| {
            // `hospitals in Utah, which are the biggest` is one list.
            let orders = one.act.label == DialogueAct::Most && first_is_list;
            (asks_of_shown(one.act.label) && !orders) || (one.act.label == DialogueAct::Thanks)
        };
        let begins =
            told.first().is_some_and(|one| asks(one) || (one.finds && is_list(one.act.label)));
        let is_asked = |one: &&Stretch| asks(one) && (one.is_question || !first_is_list);
        let apart = told.len() > 1 && begins && told[1..].iter().all(is_asked);
        Ok(if apart { stretches } else { vec![whole] })
    }
}

/// Whether an act is one of the whole message, whatever its sentences ask.
fn is_of_whole(act: DialogueAct) -> bool {
    matches!(act, DialogueAct::Errand | DialogueAct::Vetting | DialogueAct::Boards)
}

/// Whether a message asks for counts and sums, for those of groups, or of each of several places.
fn counts_each(text: &str, message: &Message) -> bool {
    let places = message.spans.iter().filter(|span| span.role == Role::Place).count();
    let counts = says(text, "how many");
    let sums = says(text, "sum");
    let is_mean_and_median = says(text, "average") && says(text, "median");
    (is_mean_and_median || (counts && sums && !measures_in(text).is_empty()))
        || ((counts || sums) && (places > 1 || grouped_by(text).is_some()))
}

/// Whether an act asks for a list.
fn is_list(act: DialogueAct) -> bool {
    matches!(act, DialogueAct::Search | DialogueAct::Change)
}

/// Whether an act is about nonprofits shown or named.
fn asks_of_shown(act: DialogueAct) -> bool {
    use DialogueAct as Ask;
    act.is_fact() || matches!(act, Ask::Most | Ask::Count | Ask::Total | Ask::Knowledge)
}

/// Whether a fact is a list of grants or of people with their pay, which has its own largest.
fn is_of_money(act: DialogueAct) -> bool {
    matches!(act, DialogueAct::GrantsMade | DialogueAct::GrantsReceived | DialogueAct::Pay)
}

/// The certain stretches, each with those that introduce it; neighbouring facts, and neighbouring lists, are merged.
fn grouped(text: &str, stretches: &[Stretch]) -> Vec<(Range<usize>, Vec<DialogueAct>)> {
    use DialogueAct as Ask;
    let mut groups: Vec<(Range<usize>, Vec<DialogueAct>)> = Vec::new();
    let mut start = None;
    for (at, stretch) in stretches.iter().enumerate() {
        let Stretch { bytes, act, finds, names_state, names_one, asks_one, is_question, .. } =
            stretch;
        // `we gave to a land trust in Kalispell. still going?`.
        let label = match act.label {
            Ask::More if !groups.is_empty() && says(&text[bytes.clone()], "still") => Ask::Standing,
            label => label,
        };
        let asked_before = groups.last().is_some_and(|(_, acts)| !is_list(acts[0]));
        let leads = *asks_one && stretches.get(at + 1).is_some_and(|next| next.act.label.is_fact());
        let lists_before = groups.last().is_some_and(|(_, acts)| is_list(acts[0]));
        let is_of_shown = |next: &Stretch| {
            let words = &text[next.bytes.clone()];
            says(words, "of those shown") && says(words, "which of")
        };
        // `housing comes first. which of those house people?`
        let leads_to_shown = (is_list(label) || !is_question)
            && !stretch.is_whole
            && stretches.get(at + 1).is_some_and(|next| next.refers && is_of_shown(next));
        let is_context = leads_to_shown
            || (lists_before && worded::asks_for_any(&text[bytes.clone()]))
            || (act.probability < PART_PROBABILITY_MIN && !is_question)
            || matches!(label, Ask::Other | Ask::Hello | Ask::Bye | Ask::Help)
            || (label.is_fact() && !is_question && is_story(&text[bytes.clone()]))
            || (is_list(label)
                && (!finds || *names_one || leads || (asked_before && !stretch.is_whole)))
            // A sentence after a question that is not one itself adds to it.
            || (!is_list(label) && asked_before && !is_question);
        if is_context {
            start = start.or(Some(bytes.start));
            continue;
        }
        let begin = start.take().filter(|_| !(*names_state || stretch.is_whole));
        let begin = begin.unwrap_or(bytes.start);
        match groups.last_mut() {
            Some((range, acts)) if label.is_fact() && acts[0].is_fact() => {
                range.end = bytes.end;
                if !acts.contains(&label) {
                    acts.push(label);
                }
            }
            // `a reporter in Jackson. hospitals in Mississippi`: a sentence that names its state needs no other.
            Some((range, acts)) if is_list(label) && is_list(acts[0]) => {
                let begin = if *names_state { bytes.start } else { range.start };
                *range = begin..bytes.end;
            }
            Some((range, acts)) if acts[0] == label => range.end = bytes.end,
            // `whom did it give to, the largest ones?` asks of its grants.
            Some((range, acts)) if label == Ask::Most && is_of_money(acts[0]) => {
                range.end = bytes.end;
            }
            // `forget the size, but keep Lexington. biggest to smallest`.
            Some((range, acts)) if is_list(acts[0]) && label == Ask::Most && !is_question => {
                range.end = bytes.end;
            }
            _ => groups.push((begin..bytes.end, vec![label])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Vec<Vec<DialogueAct>> {
        let reader = Reader::shared().unwrap();
        let message = reader.read(text, &[]).unwrap();
        let parts = parts(reader, text, &message, &[], None).unwrap();
        parts.into_iter().map(|part| part.request.acts).collect()
    }

    #[test]
    fn two_questions_are_two_requests() {
        use DialogueAct as Ask;
        for (text, expected) in [
            ("how much do they take in and who runs it?", vec![vec![Ask::Revenue, Ask::Leaders]]),
            ("thanks! what's their phone number", vec![vec![Ask::Thanks], vec![Ask::Phone]]),
            (
                "who is the president of Farm Rescue and how much do they make?",
                vec![vec![Ask::Leaders, Ask::Pay]],
            ),
            ("food banks and soup kitchens in Maine", vec![vec![Ask::Search]]),
            ("Housing comes first. Which of those actually house people?", vec![vec![Ask::Which]]),
            (
                "I have $500 for animal shelters in Reno. Who should I consider?",
                vec![vec![Ask::Search]],
            ),
            ("$2,000 for literacy in Ohio; whom should we consider?", vec![vec![Ask::Search]]),
        ] {
            assert_eq!(asked(text), expected, "{text}");
        }
    }
}
