//! What a message, or a part of one, asks for in a conversation: its dialogue act.
//!
//! A multinomial linear model over sequences of words, the reader's labels, the vector of the sentence and that of the
//! message before it: `butte` asks for something else behind a list than behind a question. Coefficients stand in
//! `models/dialogue_acts.tsv`, learned by `scripts/message_model.py` from the messages of `data/dialogue_acts.tsv`.

use std::sync::LazyLock;

use super::explanation::{act_features, explanation_of};
use super::linear::MessageModel;
use super::{Message, Prediction, Reader};
use crate::embed::Error;
use crate::record::named;
use crate::table::table;

named! {
    /// What somebody asks for: a fact of nonprofits, something about those shown, another list, or something else.
    DialogueAct {
        Revenue = "revenue",
        Expenses = "expenses",
        Assets = "assets",
        NetAssets = "net_assets",
        Employees = "employees",
        Address = "address",
        Phone = "phone",
        Website = "website",
        Ein = "ein",
        Founded = "founded",
        Mission = "mission",
        Leaders = "leaders",
        Pay = "pay",
        Deductible = "deductible",
        Standing = "standing",
        /// Which section of the law, and whether a public charity or a private foundation.
        Kind = "kind",
        Size = "size",
        Code = "code",
        Filing = "filing",
        /// The share of its expenses that goes to programmes.
        Share = "share",
        /// Whether its finances are sound.
        Health = "health",
        /// Its figures over the years.
        Trend = "trend",
        Donate = "donate",
        Volunteer = "volunteer",
        GrantsMade = "grants_made",
        GrantsReceived = "grants_received",
        Family = "family",
        Peers = "peers",
        /// Why a figure is not known.
        Missing = "missing",
        Changed = "changed",
        Impact = "impact",
        Score = "score",
        /// Which one of those shown has most or least of something.
        Most = "most",
        /// Which of those shown do or have something.
        Which = "which",
        Count = "count",
        Total = "total",
        Compare = "compare",
        /// A list of nonprofits, or one by its name.
        Search = "search",
        /// The list that is there, otherwise.
        Change = "change",
        Similar = "similar",
        /// A list that was there before.
        Return = "return",
        More = "more",
        Knowledge = "knowledge",
        /// Why rows are shown and in which order.
        Why = "why",
        Source = "source",
        Funders = "funders",
        Articles = "articles",
        Thanks = "thanks",
        Hello = "hello",
        Bye = "bye",
        Help = "help",
        Reset = "reset",
        Other = "other",
        // What follows is recognised by words of the message, never by the model.
        /// What is left of its income: a fact, as the next two are.
        Surplus = "surplus",
        /// Whether and how it takes applications for grants.
        Applications = "applications",
        /// Whether it may be given to, and what to check before.
        Vetting = "vetting",
        /// On which boards somebody sits.
        Boards = "boards",
        /// Something to do in the world: to write a letter, to send money.
        Errand = "errand",
        /// Counts and sums of nonprofits, group by group.
        Groups = "groups",
        /// Lines of a return beyond its main figures: a fact.
        Lines = "lines",
    }
}

/// The acts that the model predicts stand first, the facts first of them.
const ACTS: usize = DialogueAct::Other as usize + 1;
const FACTS: usize = DialogueAct::Most as usize;

/// How much the model of explanations counts beside the one of acts where both tell whether one is asked for: by 445 messages
/// of conversations.
const EXPLANATION_SHARE: f32 = 0.5;

static MODEL: LazyLock<MessageModel<ACTS>> =
    LazyLock::new(|| MessageModel::of(table!("models/dialogue_acts.tsv"), "word"));

impl DialogueAct {
    /// The names of those that the model predicts.
    pub fn predicted() -> [&'static str; ACTS] {
        std::array::from_fn(|at| Self::ALL[at].name())
    }

    /// Whether it asks for a fact of a nonprofit.
    pub fn is_fact(self) -> bool {
        (self as usize) < FACTS
            || matches!(self, Self::Surplus | Self::Applications | Self::Vetting | Self::Lines)
    }
}

impl Reader {
    /// What a text asks for after the message before it, likeliest first, each with its probability.
    pub fn dialogue_acts(
        &self,
        text: &str,
        message: &Message,
        before: Option<&str>,
    ) -> Result<Vec<Prediction<DialogueAct>>, Error> {
        let vector = self.vector(text)?;
        let of_before = self.vector_before(before)?;
        let features = act_features(text, message, before);
        let explained = explanation_of(&features, &vector, &of_before).probability;
        let scores = MODEL.log_probabilities(features, &vector, &of_before);
        let known = scores[DialogueAct::Knowledge as usize].exp();
        let others = 1.0 - known;
        // Whether an explanation is asked for, both models say.
        let explained = EXPLANATION_SHARE.mul_add(explained - known, known);
        let share = (1.0 - explained) / others.max(f32::MIN_POSITIVE);
        let probability = |label: DialogueAct, score: f32| match label {
            DialogueAct::Knowledge => explained,
            _ => score.exp() * share,
        };
        let mut all: Vec<Prediction<DialogueAct>> = DialogueAct::ALL
            .iter()
            .zip(scores)
            .map(|(label, score)| Prediction {
                label: *label,
                probability: probability(*label, score),
            })
            .collect();
        all.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_lists_and_courtesies_are_told_apart() {
        let reader = Reader::shared().unwrap();
        for (text, expected) in [
            ("how much do they take in", DialogueAct::Revenue),
            ("who runs it", DialogueAct::Leaders),
            ("since when is it tax exempt", DialogueAct::Founded),
            ("compare the first two", DialogueAct::Compare),
            ("food banks in Vermont", DialogueAct::Search),
            ("what is a 501(c)(4)", DialogueAct::Knowledge),
            ("muchas gracias", DialogueAct::Thanks),
            ("cual es la mas grande", DialogueAct::Most),
        ] {
            let message = reader.read(text, &[]).unwrap();
            let acts = reader.dialogue_acts(text, &message, None).unwrap();
            assert_eq!(acts[0].label, expected, "{text}");
            let sum: f32 = acts.iter().map(|act| act.probability).sum();
            assert!((sum - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn facts_stand_first() {
        assert!(DialogueAct::Score.is_fact() && DialogueAct::Revenue.is_fact());
        assert!(!DialogueAct::Most.is_fact() && !DialogueAct::Knowledge.is_fact());
    }
}
