//! Danger and urgent need in a message: which kind it is.
//!
//! A multinomial linear model over the words of a message, the reader's label of it and its vector. Coefficients stand
//! in `models/dangers.tsv`, learned by `scripts/message_model.py` from the messages of `data/dangers.tsv` and ordinary ones.

use std::sync::LazyLock;

use super::linear::{MessageModel, distinct, word_prefix};
use super::{Intent, Message, Prediction, Reader};
use crate::embed::Error;
use crate::naming;
use crate::record::named;
use crate::table::table;

named! {
    /// What somebody is in danger of, or lacks today.
    Danger {
        SelfHarm = "self_harm",
        Overdose = "overdose",
        Poisoning = "poisoning",
        PartnerViolence = "partner_violence",
        SexualAssault = "sexual_assault",
        Immediate = "immediate",
        ChildAbuse = "child_abuse",
        ElderAbuse = "elder_abuse",
        Hunger = "hunger",
        Shelter = "shelter",
        Eviction = "eviction",
        /// Of power, gas or water at home, or no heat there.
        Shutoff = "shutoff",
        /// A home lost to fire, storm or flood.
        Disaster = "disaster",
        /// Somebody arrested by the immigration authorities, or to be deported.
        Immigration = "immigration",
        /// What the state pays stopped or was denied.
        Benefits = "benefits",
        EatingDisorder = "eating_disorder",
        Trafficking = "trafficking",
        /// Of a minor who left home or was put out.
        Runaway = "runaway",
        /// Of an addiction.
        Treatment = "treatment",
        /// Of somebody who looks after another and needs relief.
        Caregiving = "caregiving",
        /// Of somebody who is summoned to court and cannot pay for one.
        Lawyer = "lawyer",
        /// Of somebody who cannot pay for medicine or treatment, or get there.
        Medicine = "medicine",
        /// Of what a small child or who expects one needs.
        Baby = "baby",
    }
}

impl Danger {
    /// Whether it is a need that somebody's help would end, and no danger to life or limb.
    pub fn is_need(self) -> bool {
        matches!(
            self,
            Self::Hunger
                | Self::Shelter
                | Self::Eviction
                | Self::Shutoff
                | Self::Disaster
                | Self::Immigration
                | Self::Benefits
                | Self::Treatment
                | Self::Caregiving
                | Self::Lawyer
                | Self::Medicine
                | Self::Baby
        )
    }

    /// Whether legal aid helps, which serves a whole state.
    pub fn is_legal(self) -> bool {
        matches!(self, Self::Eviction | Self::Immigration | Self::Benefits | Self::Lawyer)
    }
}

/// The dangers that the model tells apart, in the order of its coefficients; the others are parts of them.
const LEARNT: [Danger; 19] = [
    Danger::SelfHarm,
    Danger::PartnerViolence,
    Danger::Immediate,
    Danger::ChildAbuse,
    Danger::ElderAbuse,
    Danger::Hunger,
    Danger::Shelter,
    Danger::Shutoff,
    Danger::Disaster,
    Danger::Immigration,
    Danger::Benefits,
    Danger::EatingDisorder,
    Danger::Trafficking,
    Danger::Runaway,
    Danger::Treatment,
    Danger::Caregiving,
    Danger::Lawyer,
    Danger::Medicine,
    Danger::Baby,
];

/// These, then none.
const KINDS: usize = LEARNT.len() + 1;

/// How probable any danger must be where the reader says that somebody is in distress.
const DISTRESS_THRESHOLD: f32 = 0.4;
/// The probability from which on a stretch of a long message is taken for a danger: it is one of several.
const STRETCH_THRESHOLD: f32 = 0.85;

/// How probable any danger times the likeliest need must be, and all dangers to life or limb together: where they are less,
/// somebody may need help, and not surely that. Of messages held out two in three above the first have just this need, and
/// half as many ordinary ones are taken for a danger as without.
const NEED_PROBABILITY_MIN: f32 = 0.4;
const GRAVE_PROBABILITY_MIN: f32 = 0.5;

/// How likely self-harm must be, of the likeliest danger, to come before it: whoever has pills in hand may be evicted, too.
const SELF_HARM_SHARE: f32 = 0.5;

static MODEL: LazyLock<MessageModel<KINDS>> =
    LazyLock::new(|| MessageModel::of(table!("models/dangers.tsv"), "word"));

impl Reader {
    /// The danger in a message as the model knows it; `None` where it is likelier an ordinary one.
    pub fn danger(&self, text: &str, message: &Message) -> Result<Option<Danger>, Error> {
        // The reader alone is wrong about some ordinary messages, and right about most others.
        let threshold = match message.intent.label {
            Intent::Distress => DISTRESS_THRESHOLD,
            _ => MODEL.threshold,
        };
        self.danger_from(text, message, threshold)
    }

    /// The danger in one of the stretches of a long message, each of which may be taken for one: where it is certain.
    pub fn danger_in_stretch(
        &self,
        text: &str,
        message: &Message,
    ) -> Result<Option<Danger>, Error> {
        self.danger_from(text, message, STRETCH_THRESHOLD)
    }

    /// Whether a message is somebody's who needs help, though with what is not sure.
    pub fn needs_some_help(&self, text: &str, message: &Message) -> Result<bool, Error> {
        let (danger, is_sure) = self.likeliest_danger(text, message)?;
        Ok(danger.probability >= MODEL.threshold && !is_sure)
    }

    fn danger_from(
        &self,
        text: &str,
        message: &Message,
        threshold: f32,
    ) -> Result<Option<Danger>, Error> {
        let (danger, is_sure) = self.likeliest_danger(text, message)?;
        Ok((danger.probability >= threshold && is_sure).then_some(danger.label))
    }

    /// The likeliest danger with the probability of any, and whether it is surely that one.
    fn likeliest_danger(
        &self,
        text: &str,
        message: &Message,
    ) -> Result<(Prediction<Danger>, bool), Error> {
        let vector = self.vector(text)?;
        let [of_dangers @ .., none] =
            &MODEL.log_probabilities(danger_features(text, message), &vector, &[]);
        let likeliest = super::whole(of_dangers, &LEARNT).label;
        let share = |danger: Danger| {
            let at = LEARNT.iter().position(|one| *one == danger);
            at.map_or(0.0, |at| of_dangers[at].exp())
        };
        let is_self_harm = share(Danger::SelfHarm) >= SELF_HARM_SHARE * share(likeliest);
        let label = if is_self_harm { Danger::SelfHarm } else { likeliest };
        let any = 1.0 - none.exp();
        let grave: f32 = LEARNT.into_iter().filter(|one| !one.is_need()).map(share).sum();
        let is_need = label.is_need() && any * share(label) >= NEED_PROBABILITY_MIN;
        let is_grave = grave >= GRAVE_PROBABILITY_MIN;
        // Beside a need that is not sure, what endangers life or limb counts.
        let label = match label.is_need() && !is_need && is_grave {
            true => {
                let of_grave = LEARNT.into_iter().filter(|one| !one.is_need());
                of_grave.max_by(|a, b| share(*a).total_cmp(&share(*b))).unwrap_or(label)
            }
            false => label,
        };
        let is_sure = is_need || is_grave;
        Ok((Prediction { label, probability: any }, is_sure))
    }
}

/// What the model is given of a message beside its vector: each feature once.
pub fn danger_features(text: &str, message: &Message) -> Vec<String> {
    let form = naming::normalise(text);
    let words: Vec<&str> =
        std::iter::once("^").chain(form.split_whitespace()).chain(["$"]).collect();
    let pairs = words.windows(2).map(|pair| format!("p:{} {}", pair[0], pair[1]));
    let alone = words.iter().flat_map(|word| [format!("w:{word}"), word_prefix(word)]);
    let label = format!("i:{}", message.intent.label.name());
    distinct(pairs.chain(alone).chain(["bias".to_owned(), label]).collect())
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
            ("our lights get cut off friday and I cannot pay the bill", Some(Danger::Shutoff)),
            ("a fire took our trailer and all we own", Some(Danger::Disaster)),
            ("immigration agents took my father this morning", Some(Danger::Immigration)),
            ("my brother wants to get off meth and has no insurance", Some(Danger::Treatment)),
            ("cuido a mi mamá con alzheimer y ya no puedo más", Some(Danger::Caregiving)),
            ("drug treatment centers in Louisville by revenue", None),
            ("respite charities in Maine that take volunteers", None),
            ("domestic violence shelters in Maine", None),
            ("food pantries in Burlington", None),
            ("who runs the Red Cross", None),
        ] {
            let message = reader.read(text, &[]).unwrap();
            assert_eq!(reader.danger(text, &message).unwrap(), expected, "{text}");
        }
    }
}
