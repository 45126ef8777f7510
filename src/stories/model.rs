//! The trained model: which part of a story a sentence is, and what follows what. Coefficients stand in
//! `models/stories.tsv`, learned by `scripts/story_model.py` from the reports of `data/reports`.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use crate::reader::linear::{MessageModel, coefficient};
use crate::record::named;
use crate::table::{Table, table};

/// What speaks for somebody to be the protagonist, each value by its name.
pub(super) type Evidence = BTreeMap<&'static str, f32>;

named! {
    /// What a sentence is in a story.
    Label {
        /// No part of one.
        None = "none",
        Background = "background",
        /// How it was before.
        Before = "before",
        /// The moment of change, and what brought it about.
        Turning = "turning",
        /// How it is since.
        After = "after",
        /// Words that somebody speaks.
        Quote = "quote",
        /// What stood in the way.
        Obstacle = "obstacle",
    }
}

/// How many labels there are.
pub(super) const LABELS: usize = Label::ALL.len();

/// A number for each label.
pub(super) type Scores = [f32; LABELS];

/// Likeliest sentences of a section by which the gate judges it.
const GATE_SENTENCES: usize = 3;

/// The model; see the file's head.
pub(super) struct StoryModel {
    linear: MessageModel<LABELS>,
    gate: HashMap<&'static str, f32>,
    /// What speaks for somebody to be a story's protagonist.
    name: HashMap<&'static str, f32>,
    /// What speaks for a draft to be a story.
    draft: HashMap<&'static str, f32>,
    /// What of its protagonist does.
    draft_name: HashMap<&'static str, f32>,
    /// From which probability on a draft is a story.
    draft_threshold: f32,
    /// What is taken off each label's logarithm, for labels are not equally frequent.
    prior: Scores,
    /// Logarithms of what follows each label within a passage, and from one passage to the next.
    within: [Scores; LABELS],
    across: [Scores; LABELS],
}

static MODEL: LazyLock<StoryModel> = LazyLock::new(|| StoryModel::of(table!("models/stories.tsv")));

impl StoryModel {
    /// The one of the binary.
    pub(super) fn shared() -> &'static Self {
        &MODEL
    }

    /// # Panics
    /// Where the table has something else.
    fn of(table: Table) -> Self {
        let scores = |text: &str| -> Scores {
            let all: Vec<f32> = text.split(' ').map(coefficient).collect();
            all.try_into().expect("a coefficient for each label")
        };
        let mut model = Self {
            linear: MessageModel::of(table, "word"),
            gate: HashMap::new(),
            name: HashMap::new(),
            draft: HashMap::new(),
            draft_name: HashMap::new(),
            draft_threshold: 0.5,
            prior: [0.0; LABELS],
            within: [[0.0; LABELS]; LABELS],
            across: [[0.0; LABELS]; LABELS],
        };
        for [part, feature, weights] in table.rows() {
            let row = || Label::named(feature).expect("the table names labels") as usize;
            match part {
                "gate" => {
                    model.gate.insert(feature, coefficient(weights));
                }
                "name" => {
                    model.name.insert(feature, coefficient(weights));
                }
                "draft_threshold" => model.draft_threshold = coefficient(weights),
                "draft" => {
                    model.draft.insert(feature, coefficient(weights));
                }
                "draft_name" => {
                    model.draft_name.insert(feature, coefficient(weights));
                }
                "prior" => model.prior = scores(weights),
                "within" => model.within[row()] = scores(weights),
                "across" => model.across[row()] = scores(weights),
                _ => {}
            }
        }
        model
    }

    /// How strongly the words of a section say that it has a story, from 0 to 1; given the features of its sentences.
    pub(super) fn strength(&self, sentences: &[Vec<String>]) -> f32 {
        let weight = |feature: &str| self.gate.get(feature).copied().unwrap_or_default();
        let of_sentence = |features: &Vec<String>| {
            let score: f32 = features.iter().map(|feature| weight(feature)).sum();
            1.0 / (1.0 + (-score - weight("bias")).exp())
        };
        let mut likely: Vec<f32> = sentences.iter().map(of_sentence).collect();
        likely.sort_by(|one, other| other.total_cmp(one));
        likely.iter().take(GATE_SENTENCES).sum::<f32>() / GATE_SENTENCES as f32
    }

    /// Whether a section of that strength is worth reading with the sentence model.
    pub(super) fn passes(&self, strength: f32) -> bool {
        strength >= self.linear.threshold
    }

    /// How much speaks for somebody to be the protagonist.
    pub(super) fn name_score(&self, evidence: &Evidence) -> f32 {
        weighted(&self.name, values(evidence))
    }

    /// How probable it is that a draft is a story about its protagonist, 0 to 1, given the evidence of both; `None` where
    /// that is too little.
    pub(super) fn story_probability(
        &self,
        draft: Vec<(&'static str, f32)>,
        protagonist: &Evidence,
    ) -> Option<f32> {
        let score = weighted(&self.draft, draft) + weighted(&self.draft_name, values(protagonist));
        let probability = 1.0 / (1.0 + (-score).exp());
        (probability >= self.draft_threshold).then_some(probability)
    }

    /// The logarithm of each label's probability, given a sentence's features and its vector with that of its passage.
    pub(super) fn log_probabilities(&self, features: &[String], vectors: &[f32]) -> Scores {
        let features = features.iter().cloned().chain(["bias".to_owned()]);
        self.linear.log_probabilities(features, vectors, &[])
    }

    /// The likeliest labels of sentences in a row, after Viterbi: each sentence's logarithms, and whether it begins
    /// a passage. Before and behind them stands no story.
    pub(super) fn decode(&self, sentences: &[(Scores, Boundary)]) -> Vec<Label> {
        let Some(((first, _), rest)) = sentences.split_first() else { return Vec::new() };
        let score = |own: &Scores, label: usize| own[label] - self.prior[label];
        let none = Label::None as usize;
        let mut best: Scores =
            std::array::from_fn(|label| self.across[none][label] + score(first, label));
        let mut origins = Vec::with_capacity(rest.len());
        for (own, boundary) in rest {
            let through = match boundary {
                Boundary::Passage => &self.across,
                Boundary::Sentence => &self.within,
            };
            let mut origin = [0; LABELS];
            best = std::array::from_fn(|to| {
                let (from, most) = greatest(|from| best[from] + through[from][to]);
                origin[to] = from;
                most + score(own, to)
            });
            origins.push(origin);
        }
        let (mut label, _) = greatest(|from| best[from] + self.across[from][none]);
        let mut labels = vec![Label::ALL[label]];
        for origin in origins.iter().rev() {
            label = origin[label];
            labels.push(Label::ALL[label]);
        }
        labels.reverse();
        labels
    }
}

fn values(evidence: &Evidence) -> impl Iterator<Item = (&'static str, f32)> {
    evidence.iter().map(|(name, value)| (*name, *value))
}

fn weighted(
    weights: &HashMap<&'static str, f32>,
    evidence: impl IntoIterator<Item = (&'static str, f32)>,
) -> f32 {
    let evidence = evidence.into_iter();
    evidence.map(|(name, value)| value * weights.get(name).copied().unwrap_or_default()).sum()
}

/// What a sentence begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Boundary {
    Passage,
    Sentence,
}

/// The label with the greatest score, the first of equal ones.
fn greatest(score: impl Fn(usize) -> f32) -> (usize, f32) {
    let mut best = (0, score(0));
    for label in 1..LABELS {
        let own = score(label);
        if own > best.1 {
            best = (label, own);
        }
    }
    best
}
