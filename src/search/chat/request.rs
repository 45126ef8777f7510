//! What a message, or a part of one, asks for: one act, or facts about the same nonprofits.

use super::{says_any, worded};
use crate::reader::{
    Act, DialogueAct, Fact, Intent, Known, Message, Operation, Prediction, Role, Span,
};
use crate::understand::{meaning_in, opens_with, says, seeks_recipients};

/// The least probability of an act to be the request where the reader prefers another one.
pub(super) const ACT_PROBABILITY_MIN: f32 = 0.25;
/// The least probability of an act that the words of a message speak for.
const SECOND_ACT_PROBABILITY_MIN: f32 = 0.1;
/// The least probability of a second fact to be added to one that is not sure.
const SECOND_FACT_PROBABILITY_MIN: f32 = 0.25;
/// The least probability of a fact to be preferred to an explanation where a nonprofit is named, and where one is referred to.
const FACT_OF_NAMED_PROBABILITY_MIN: f32 = 0.1;
const FACT_OF_IT_PROBABILITY_MIN: f32 = 0.3;
/// The least probability of a fact that no word names to be asked for of those shown.
const FACT_PROBABILITY_MIN: f32 = 0.25;
/// The probability from which on a fact is sure, and no other is added.
pub(super) const SURE_FACT_PROBABILITY: f32 = 0.7;
/// The least probability of a sum to be preferred to a fact of each, where the message asks for one explicitly.
const SUM_PROBABILITY_MIN: f32 = 0.2;
/// The probability of a question about how something is done from which on no amount in it makes it one about a gift, and
/// no word in it one about a fact, nor its sentences requests of their own.
const KNOWLEDGE_PROBABILITY_MIN: f32 = 0.5;
pub(super) const KNOWLEDGE_SURE_MIN: f32 = 0.8;
/// Words of a message that thanks and asks for nothing.
pub(super) const THANKS_WORDS_MAX: usize = 5;

/// Words of a message that asks for the next page without a word for it.
const MORE_WORDS_MAX: usize = 2;

/// What may be asked for, the likeliest first.
pub(super) type Acts = [Prediction<DialogueAct>];

/// The request of a message.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Request {
    /// One act, or facts about the same nonprofits; empty if everything about one is asked for.
    pub(super) acts: Vec<DialogueAct>,
    /// The fact that its words name, else the likeliest one, however likely anything else is: `which of them have a website`.
    pub(super) likeliest_fact: Option<Prediction<DialogueAct>>,
}

impl Request {
    /// Nothing but these.
    pub(super) fn to(acts: Vec<DialogueAct>) -> Self {
        Self { acts, likeliest_fact: None }
    }

    /// The act that decides on the answer.
    pub(super) fn act(&self) -> DialogueAct {
        self.acts.first().copied().unwrap_or(DialogueAct::Mission)
    }

    /// Whether a fact is asked for.
    pub(super) fn asks_fact(&self) -> bool {
        self.acts.iter().any(|act| act.is_fact())
    }

    /// The facts that are asked for.
    pub(super) fn facts(&self) -> Vec<DialogueAct> {
        self.acts.iter().copied().filter(|act| act.is_fact()).collect()
    }

    /// The fact that the words name, else the likeliest one.
    pub(super) fn fact(&self) -> Option<DialogueAct> {
        self.likeliest_fact.map(|fact| fact.label)
    }

    /// The same where it is not just the likeliest of unlikely ones: `do they have a gym` asks for none.
    pub(super) fn probable_fact(&self) -> Option<DialogueAct> {
        let fact = self.likeliest_fact.filter(|fact| fact.probability >= FACT_PROBABILITY_MIN);
        fact.map(|fact| fact.label)
    }

    pub(super) fn of(text: &str, acts: &Acts, message: &Message, known: &[Known]) -> Self {
        let likeliest = acts.iter().find(|act| act.label.is_fact()).copied();
        let named = meaning_in(text, "fact word").and_then(DialogueAct::named);
        // `which of those file a full 990`.
        let of_form = says(text, "tax form").then_some(DialogueAct::Filing);
        let named = named.or(of_form);
        let likeliest_fact =
            named.map(|label| Prediction { label, probability: 1.0 }).or(likeliest);
        let explained = acts.iter().find(|act| act.label == DialogueAct::Knowledge);
        let explained = explained.map_or(0.0, |act| act.probability);
        let is_explained = explained >= KNOWLEDGE_PROBABILITY_MIN;
        let of_one = [
            "asks whether to trust it",
            "asks whether it may get a grant",
            "asks to deduct",
            "needs responsibility",
            "asks to give to it",
            "hearsay",
            "safely",
        ];
        let is_of_one =
            says_any(text, &of_one) || message.spans.iter().any(|span| span.role == Role::Name);
        // `if I give them $25 a month, can I take it off my taxes` asks for no judgment of them.
        let worded = worded::act_of(text, message, known)
            .filter(|act| *act != DialogueAct::Vetting || !is_explained || is_of_one)
            // `what should I know if we want to fund a charity abroad`.
            .filter(|act| *act != DialogueAct::Search || !is_explained || !seeks_recipients(text))
            // `what do they have to give me for my tithes over the year`.
            .filter(|act| !act.is_fact() || explained < KNOWLEDGE_SURE_MIN || is_of_one);
        let joined = worded::facts_of(text, message, known);
        let acts = match worded {
            _ if !joined.is_empty() => joined,
            Some(act) => vec![act],
            None => Self::acts_of(text, acts, message),
        };
        Self { acts, likeliest_fact }
    }

    fn acts_of(text: &str, acts: &Acts, message: &Message) -> Vec<DialogueAct> {
        use DialogueAct as Ask;
        if counts_there(text, message) {
            return vec![Ask::Count];
        }
        let mut likely = acts.iter().filter(|act| is_worded(act.label, text, message));
        let Some(first) = likely.next() else { return Vec::new() };
        let finds = matches!(first.label, Ask::Search | Ask::Change);
        if finds && worded::asks_for_sum(text, message) {
            return vec![Ask::Total];
        }
        if first.label == Ask::Most
            && let Some(list) = list_of_largest(text, message)
        {
            return vec![list];
        }
        // `what about Minnesota for comparison` looks elsewhere.
        let compares = |act: &Prediction<Ask>| {
            act.label == Ask::Compare && act.probability >= SECOND_ACT_PROBABILITY_MIN
        };
        if (finds || first.label == Ask::Most) && says(text, "compare") && acts.iter().any(compares)
        {
            return vec![Ask::Compare];
        }
        if (finds || matches!(first.label, Ask::Most | Ask::More)) && says(text, "back to") {
            return vec![Ask::Return];
        }
        let sums = |act: &Prediction<Ask>| {
            act.label == Ask::Total && act.probability >= SUM_PROBABILITY_MIN
        };
        if first.label.is_fact() && says(text, "sum") && acts.iter().any(sums) {
            return vec![Ask::Total];
        }
        // `gracias, dios le bendiga`.
        let is_short = text.split_whitespace().count() <= THANKS_WORDS_MAX;
        if is_short && (finds || first.label == Ask::Other) && says(text, "thanks") {
            return vec![Ask::Thanks];
        }
        let of_them = fact_of_it(acts, text, message);
        let first = of_them.as_ref().unwrap_or(first);
        let by_reader = by_reader(message).filter(|act| is_worded(*act, text, message));
        let named = meaning_in(text, "fact word").and_then(Ask::named);
        let act = match by_reader {
            // `do they have a phone`.
            _ if first.label == Ask::Mission && named.is_some() => named.unwrap_or(first.label),
            Some(other) if of_them.is_none() && first.probability < ACT_PROBABILITY_MIN => other,
            _ => first.label,
        };
        // `tell me about it` asks for everything.
        let is_portrait = act == Ask::Mission
            && (says(text, "about one")
                || (message.intent.label == Intent::Details && message.fact.is_none()));
        if is_portrait {
            return Vec::new();
        }
        let second = likely.next().filter(|second| {
            (act == first.label && act.is_fact() && first.probability < SURE_FACT_PROBABILITY)
                && second.label.is_fact()
                && second.label != act
                && second.probability >= SECOND_FACT_PROBABILITY_MIN
        });
        [act].into_iter().chain(second.map(|second| second.label)).collect()
    }
}

/// The list that is asked for in place of the largest one: another (`largest museums in New York`), or the same in order
/// (`biggest first pls`, `top 10 by assets`).
fn list_of_largest(text: &str, message: &Message) -> Option<DialogueAct> {
    let sets = |role| {
        let is_set = |span: &Span| span.role == role && span.operation == Operation::Set;
        message.spans.iter().any(is_set)
    };
    let has = |role| message.spans.iter().any(|span| span.role == role);
    if sets(Role::Cause) && sets(Role::Place) && !has(Role::Reference) {
        return Some(DialogueAct::Search);
    }
    (has(Role::Count) || says(text, "in order")).then_some(DialogueAct::Change)
}

/// Whether a text has the words that an act requires: counts and sums are always asked for explicitly.
pub(super) fn is_worded(act: DialogueAct, text: &str, message: &Message) -> bool {
    match act {
        // A message that gives a number does not ask for it.
        DialogueAct::Knowledge => !counts_there(text, message),
        DialogueAct::Ein => !message.spans.iter().any(|span| span.role == Role::Ein),
        DialogueAct::Funders | DialogueAct::GrantsReceived => {
            says(text, "says who funds") && !seeks_recipients(text)
        }
        // `what does Trinity Rep do`.
        DialogueAct::Pay => {
            let lists = ["is paid", "earns", "earns most", "office", "people of one", "how much"];
            let is_named = message.spans.iter().any(|span| span.role == Role::Name);
            !is_named || says_any(text, &lists) || opens_with(text, "asks the same")
        }
        DialogueAct::Articles => says(text, "asks for articles"),
        DialogueAct::Address => says(text, "asks where"),
        // `the one that is run by HRDC`.
        DialogueAct::Leaders => !says(text, "is run by") || opens_with(text, "question opening"),
        DialogueAct::Deductible => {
            says_any(text, &["word of deduction", "tax", "gives", "gift goes to"])
        }
        DialogueAct::Count => says(text, "how many"),
        DialogueAct::Total => says(text, "sum"),
        // `ok and` is no thanks.
        DialogueAct::Thanks => says(text, "thanks"),
        // `which of them go back before 1990`.
        DialogueAct::Return => !says(text, "those shown") && !says(text, "which of"),
        DialogueAct::Changed => says(text, "asks for changes"),
        DialogueAct::Similar => says(text, "likeness"),
        // A message that says what to find does not ask for the next page.
        DialogueAct::More => {
            let finds = |role| matches!(role, Role::Cause | Role::Place | Role::Name);
            let is_short = text.split_whitespace().count() <= MORE_WORDS_MAX;
            (is_short || says(text, "asks for more"))
                && !message.spans.iter().any(|span| finds(span.role))
        }
        DialogueAct::Reset => says(text, "starts over"),
        DialogueAct::Hello => says(text, "hello"),
        DialogueAct::Bye => says(text, "bye"),
        _ => true,
    }
}

/// The fact of a nonprofit named or referred to that is asked for where an explanation is likelier: a question about facts of
/// those shown is no request for an explanation.
fn fact_of_it(acts: &Acts, text: &str, message: &Message) -> Option<Prediction<DialogueAct>> {
    let mut likely = acts.iter().filter(|act| is_worded(act.label, text, message));
    let is_explained = likely.next().is_some_and(|first| first.label == DialogueAct::Knowledge);
    let is_named = message.spans.iter().any(|span| span.role == Role::Name);
    let least = if is_named { FACT_OF_NAMED_PROBABILITY_MIN } else { FACT_OF_IT_PROBABILITY_MIN };
    let second = likely.next().filter(|_| is_explained && (is_named || says(text, "of it")));
    second.filter(|second| second.label.is_fact() && second.probability >= least).copied()
}

/// The likeliest act that a text has the words for.
pub(super) fn likeliest(
    acts: &Acts,
    text: &str,
    message: &Message,
    known: &[Known],
) -> Option<Prediction<DialogueAct>> {
    let counts = || counts_there(text, message).then_some(DialogueAct::Count);
    let joined = worded::facts_of(text, message, known).first().copied();
    if let Some(label) = joined.or_else(|| worded::act_of(text, message, known)).or_else(counts) {
        return Some(Prediction { label, probability: 1.0 });
    }
    let first = acts.iter().find(|act| is_worded(act.label, text, message)).copied();
    fact_of_it(acts, text, message).or(first)
}

/// Whether a text asks how many there are somewhere: no entry explains that.
pub(super) fn counts_there(text: &str, message: &Message) -> bool {
    says(text, "how many") && message.spans.iter().any(|span| span.role == Role::Place)
}

/// The act according to the trained reader alone.
pub(super) fn by_reader(message: &Message) -> Option<DialogueAct> {
    Some(match message.intent.label {
        Intent::Find if message.act.label == Act::On => DialogueAct::Change,
        Intent::Find => DialogueAct::Search,
        Intent::Details => match message.fact? {
            Fact::Place => DialogueAct::Address,
            Fact::Officers => DialogueAct::Leaders,
            Fact::Contact => DialogueAct::Phone,
            Fact::Goals | Fact::Vetted => DialogueAct::Score,
            fact => DialogueAct::named(fact.name())?,
        },
        Intent::Article => DialogueAct::Articles,
        Intent::Undo => DialogueAct::Return,
        // Acts have the names of all other intents that have one.
        intent => DialogueAct::named(intent.name())?,
    })
}
