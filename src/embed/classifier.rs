//! A linear classifier of texts: the mean of learned vectors of a text's words, pairs of neighbours and
//! ends of words, found by their hashes (Joulin and others 2017, *Bag of Tricks for Efficient Text
//! Classification*), joined with the vector of the sentence model where there is one.

use super::Error;
use super::kernel::{LANES, softmax};
use super::linear::Linear;
use super::weights::Weights;

/// Words of a text that are looked at, the first ones.
pub const WORDS_MAX: usize = 96;
/// Letters of the ends of a word that are a feature of their own, and of the shortest word that has them.
const AFFIX_LETTERS: usize = 5;
const AFFIXED_LETTERS_MIN: usize = 6;

/// What a classifier is made of: the shape that its weights must have.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Rows of the table of features: a power of two.
    pub buckets: usize,
    pub hidden: usize,
    /// Dimensions of the sentence model.
    pub vector: usize,
    pub classes: usize,
}

/// An opened classifier.
#[derive(Debug)]
pub struct Classifier {
    /// `u8[buckets][hidden]`: a value is `scale · (byte − 128)`.
    table: Vec<u8>,
    /// `f32[hidden]`.
    scales: Vec<f32>,
    sentence: Linear,
    classes: Linear,
}

impl Classifier {
    /// Reads the weights: a safetensors file.
    ///
    /// # Errors
    /// When the file is not of its format, or a tensor is missing or has another shape.
    pub fn of(weights: &[u8], shape: Shape) -> Result<Self, Error> {
        let Shape { buckets, hidden, vector, classes } = shape;
        let weights = Weights::of(weights, 0.0)?;
        Ok(Self {
            table: weights.bytes("features.weight", &[buckets, hidden])?,
            scales: weights.tensor("features.scales", &[hidden])?,
            sentence: Linear::of(&weights, "sentence", vector, hidden)?,
            classes: Linear::of(&weights, "classes", hidden, classes)?,
        })
    }

    /// The probability of each class. `text` is in normal form, words apart by single spaces; `vector` is the
    /// sentence model's of it.
    pub fn probabilities(&self, text: &str, vector: Option<&[f32]>) -> Vec<f32> {
        let width = self.scales.len();
        let mut sums = vec![0_i32; width];
        let mut count = 0_u16;
        for_each_feature(text, |hash| {
            let row = hash as usize & (self.table.len() / width - 1);
            let row = &self.table[row * width..(row + 1) * width];
            sums.iter_mut().zip(row).for_each(|(sum, byte)| *sum += i32::from(*byte) - 128);
            count += 1;
        });
        let mut hidden = Vec::with_capacity(width);
        match vector {
            Some(vector) => self.sentence.apply(vector, &mut hidden),
            None => hidden.extend_from_slice(self.sentence.bias()),
        }
        for ((value, sum), scale) in hidden.iter_mut().zip(&sums).zip(&self.scales) {
            *value = (*value + *sum as f32 * scale / f32::from(count.max(1))).max(0.0);
        }
        let mut scores = Vec::new();
        self.classes.apply(&hidden, &mut scores);
        // The kernel's, which gives every CPU the same bits.
        let classes = scores.len();
        scores.resize(classes.next_multiple_of(LANES), 0.0);
        softmax(&mut scores, classes);
        scores.truncate(classes);
        scores
    }
}

/// The hashes of a text's features, as `scripts/ntee_model.py` makes them: words, pairs of neighbours, and
/// the first and last letters of longer words.
fn for_each_feature(text: &str, mut each: impl FnMut(u64)) {
    let mut before: Option<&str> = None;
    for word in text.split(' ').filter(|word| !word.is_empty()).take(WORDS_MAX) {
        each(hash(&[word]));
        if let Some(before) = before.replace(word) {
            each(hash(&[before, " ", word]));
        }
        if word.chars().nth(AFFIXED_LETTERS_MIN - 1).is_some() {
            let head = word.char_indices().nth(AFFIX_LETTERS).map_or(word.len(), |(at, _)| at);
            let tail = word.char_indices().nth_back(AFFIX_LETTERS - 1).map_or(0, |(at, _)| at);
            each(hash(&["^", &word[..head]]));
            each(hash(&[&word[tail..], "$"]));
        }
    }
}

/// FNV-1a of 64 bits over the parts one after another, folded so that its lowest bits depend on all.
fn hash(parts: &[&str]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let bytes = parts.iter().flat_map(|part| part.bytes());
    let hash = bytes.fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(text: &str) -> Vec<u64> {
        let mut hashes = Vec::new();
        for_each_feature(text, |hash| hashes.push(hash));
        hashes
    }

    #[test]
    fn features_are_words_pairs_and_ends_of_long_words() {
        let expected = [
            &["food"][..],
            &["pantry"],
            &["food", " ", "pantry"],
            &["^", "pantr"],
            &["antry", "$"],
        ];
        assert_eq!(features("food pantry"), expected.map(hash));
        assert_eq!(hash(&["food"]), hash(&["fo", "od"]));
        assert_eq!(hash(&["a"]), 0xaf63_dc4c_8601_ec8c ^ 0xaf63_dc4c, "the published hash, folded");
        assert!(features("").is_empty());
        assert_eq!(features(&"x ".repeat(200)).len(), 2 * WORDS_MAX - 1);
    }
}
