//! Which NTEE codes a text is probably about: of organizations whose code is not known, and of what people
//! ask for. The classifier's form is in `embed`; `scripts/ntee_model.py` trains it, and `models/README.md` has its
//! figures.

use std::sync::{Arc, LazyLock, OnceLock};

use crate::embed::{Classifier, ClassifierShape, Error, Lazy, Model};
use crate::naming;
use crate::record::Ntee;

static WEIGHTS: &[u8] = include_bytes!("../../models/ntee/model.safetensors");

const BUCKETS: usize = 1 << 15;
const HIDDEN: usize = 96;
/// Dimensions of the embedded sentence model.
const DIMENSIONS: usize = 384;

/// The embedded classifier.
#[derive(Debug)]
pub struct CodeClassifier {
    classifier: Classifier,
}

/// The codes that it tells apart, rising, as its classes are.
static CODES: LazyLock<Vec<Ntee>> = LazyLock::new(|| {
    let codes = include_str!("../../models/ntee/codes.txt").lines();
    codes.map(|code| code.parse().expect("an embedded line is a code")).collect()
});

/// How probable each code is.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// Rising.
    codes: &'static [Ntee],
    probabilities: Vec<f32>,
}

impl CodeClassifier {
    /// The one of the binary, read when first asked for.
    pub fn shared() -> Result<&'static Self, Arc<Error>> {
        static SHARED: OnceLock<Result<CodeClassifier, Arc<Error>>> = OnceLock::new();
        SHARED.get_or_init(|| Self::embedded().map_err(Arc::new)).as_ref().map_err(Arc::clone)
    }

    fn embedded() -> Result<Self, Error> {
        let classes = CODES.len();
        let shape =
            ClassifierShape { buckets: BUCKETS, hidden: HIDDEN, vector: DIMENSIONS, classes };
        Ok(Self { classifier: Classifier::of(WEIGHTS, shape)? })
    }

    /// Whether it can read the vectors of a sentence model: those of the embedded one, that it was trained
    /// with.
    pub fn reads(model: &Model) -> bool {
        Lazy::embedded().is_ok_and(|embedded| embedded.identity() == model.identity())
    }

    /// What a text is about. `vector` is of the embedded sentence model ([`Self::reads`]).
    pub fn codes_of(&self, text: &str, vector: Option<&[f32]>) -> Distribution {
        let probabilities = self.classifier.probabilities(&naming::normalise(text), vector);
        Distribution { codes: &CODES, probabilities }
    }
}

impl Distribution {
    /// The `k` likeliest codes, with their probabilities.
    pub fn likeliest(&self, k: usize) -> Vec<(Ntee, f32)> {
        let mut all: Vec<(Ntee, f32)> =
            self.codes.iter().copied().zip(self.probabilities.iter().copied()).collect();
        let by_probability =
            |a: &(Ntee, f32), b: &(Ntee, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        // Every organization of a build is asked for a few of hundreds.
        if k < all.len() {
            all.select_nth_unstable_by(k, by_probability);
            all.truncate(k);
        }
        all.sort_unstable_by(by_probability);
        all
    }

    /// How probable a code is: itself, any of its decile, any of its major group.
    pub fn of_code(&self, code: Ntee) -> [f32; 3] {
        let code = code.bytes();
        [3, 2, 1].map(|length| {
            let prefix = &code[..length];
            let start = self.codes.partition_point(|known| known.bytes()[..length] < *prefix);
            let end = self.codes.partition_point(|known| known.bytes()[..length] <= *prefix);
            self.probabilities[start..end].iter().sum()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_are_about_what_they_say() {
        let classifier = CodeClassifier::shared().unwrap();
        for (text, major) in [
            ("volunteer fire department", 'M'),
            ("humane society animal shelter", 'D'),
            ("community theatre players", 'A'),
            ("elementary school pto", 'B'),
            ("iglesia bautista", 'X'),
        ] {
            let codes = classifier.codes_of(text, None).likeliest(1);
            assert_eq!(codes[0].0.major(), major, "{text}: {codes:?}");
        }
    }

    #[test]
    fn codes_are_rising() {
        assert!(CODES.is_sorted() && CODES.len() > 600);
    }

    #[test]
    fn probabilities_add_up_by_level() {
        let classifier = CodeClassifier::shared().unwrap();
        for text in ["", "food pantry", "\u{202e}قطة", &"word ".repeat(500)] {
            let codes = classifier.codes_of(text, None);
            let all: f32 = codes.probabilities.iter().sum();
            assert!((all - 1.0).abs() < 1e-3, "{text:?}");
            let [code, decile, major] = codes.of_code("K31".parse().unwrap());
            assert!(0.0 <= code && code <= decile && decile <= major && major <= 1.0 + 1e-3);
        }
    }
}
