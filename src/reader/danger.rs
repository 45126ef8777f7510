//! Danger and urgent need in a message: which kind it is.
//!
//! A multinomial linear model over the words of a message, the reader's label of it and its vector. Coefficients stand
//! in `models/dangers.tsv`, learned by `scripts/danger_model.py` from the messages of `data/dangers.tsv` and ordinary ones.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Intent, Message, Reader};
use crate::embed::Error;
use crate::naming;
use crate::record::named;
use crate::table::table;

named! {
    /// What somebody is in danger of, or lacks today.
    Danger {
        SelfHarm = "self_harm",
        PartnerViolence = "partner_violence",
        Immediate = "immediate",
        ChildAbuse = "child_abuse",
        ElderAbuse = "elder_abuse",
        Hunger = "hunger",
        Shelter = "shelter",
    }
}

/// The dangers in their order, then none.
const KINDS: usize = Danger::ALL.len() + 1;

/// How probable any danger must be where the reader says that somebody is in distress.
const DISTRESS_THRESHOLD: f32 = 0.3;

/// Bytes of a word's beginning that is a feature, so that forms of a word share it.
const BEGINNING_BYTES: usize = 5;

/// Coefficients of `models/dangers.tsv`.
struct Model {
    words: HashMap<&'static str, [f32; KINDS]>,
    /// Of the vector of the message, number by number.
    vector: Vec<[f32; KINDS]>,
    /// How probable any danger must be.
    threshold: f32,
}

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let mut model = Model { words: HashMap::new(), vector: Vec::new(), threshold: 1.0 };
    for [of, feature, weights] in table!("models/dangers.tsv").rows() {
        let number = |text: &str| text.parse::<f32>().expect("the table has numbers");
        let all = || -> [f32; KINDS] {
            let all: Vec<f32> = weights.split(' ').map(number).collect();
            all.try_into().expect("a coefficient for each kind")
        };
        match of {
            "word" => drop(model.words.insert(feature, all())),
            "vector" => model.vector.push(all()),
            _ => model.threshold = number(weights),
        }
    }
    model
});

impl Reader {
    /// The danger in a message; `None` where it is likelier an ordinary one.
    ///
    /// # Errors
    /// When the tokenizer refuses the text.
    pub fn danger(&self, text: &str, message: &Message) -> Result<Option<Danger>, Error> {
        let mut scores = [0.0_f32; KINDS];
        let mut add = |weights: &[f32; KINDS], value: f32| {
            scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += weight * value);
        };
        for feature in danger_features(text, message) {
            if let Some(weights) = MODEL.words.get(&*feature) {
                add(weights, 1.0);
            }
        }
        let vector = self.model.embed_one(text)?;
        MODEL.vector.iter().zip(vector).for_each(|(weights, value)| add(weights, value));
        super::log_softmax(&mut scores);
        let [of_dangers @ .., none] = &scores;
        // The reader alone is wrong about some ordinary messages, and right about most others.
        let threshold = match message.intent.label {
            Intent::Distress => DISTRESS_THRESHOLD,
            _ => MODEL.threshold,
        };
        if 1.0 - none.exp() < threshold {
            return Ok(None);
        }
        let likeliest = of_dangers.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        Ok(likeliest.map(|(at, _)| Danger::ALL[at]))
    }
}

/// What the model is given of a message beside its vector: each feature once.
pub fn danger_features(text: &str, message: &Message) -> Vec<String> {
    let form = naming::normalise(text);
    let words: Vec<&str> =
        std::iter::once("^").chain(form.split_whitespace()).chain(["$"]).collect();
    let pairs = words.windows(2).map(|pair| format!("p:{} {}", pair[0], pair[1]));
    let beginning = |word: &&str| word[..word.floor_char_boundary(BEGINNING_BYTES)].to_owned();
    let alone =
        words.iter().flat_map(|word| [format!("w:{word}"), format!("b:{}", beginning(word))]);
    let label = format!("i:{}", message.intent.label.name());
    let mut features: Vec<String> = pairs.chain(alone).chain(["bias".to_owned(), label]).collect();
    features.sort_unstable();
    features.dedup();
    features
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart_and_questions_are_none() {
        let reader = Reader::shared().unwrap();
        for (text, expected) in [
            ("I am going to kill myself", Some(Danger::SelfHarm)),
            ("my husband punched me again, I am afraid of him", Some(Danger::PartnerViolence)),
            ("somebody is trying to break into my house", Some(Danger::Immediate)),
            ("my kids have nothing to eat tonight", Some(Danger::Hunger)),
            ("no tengo donde dormir esta noche", Some(Danger::Shelter)),
            ("domestic violence shelters in Maine", None),
            ("food pantries in Burlington", None),
            ("who runs the Red Cross", None),
        ] {
            let message = reader.read(text, &[]).unwrap();
            assert_eq!(reader.danger(text, &message).unwrap(), expected, "{text}");
        }
    }
}
