//! The configuration of a model, checked: only what the encoder can run gets through.

use serde::Deserialize;

use super::Error;
use super::bundle::Bundle;

/// Limits of what is run: a configuration past them is a mistake or an attack, not a sentence model.
const HIDDEN_MAX: usize = 1024;
const INTERMEDIATE_MAX: usize = 8192;
const LAYERS_MAX: usize = 48;
const VOCABULARY_MAX: usize = 1 << 20;
const POSITIONS_MAX: usize = 8192;

/// What the shapes of the arithmetic must be multiples of.
const SHAPE_STEP: usize = 16;

/// Shapes of a model: `config.json` as published.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Config {
    /// Numbers in a token's vector, and in a text's.
    #[serde(rename = "hidden_size")]
    pub(super) hidden: usize,
    #[serde(rename = "num_hidden_layers")]
    pub(super) layers: usize,
    #[serde(rename = "num_attention_heads")]
    pub(super) heads: usize,
    #[serde(rename = "intermediate_size")]
    pub(super) intermediate: usize,
    #[serde(rename = "vocab_size")]
    pub(super) vocabulary: usize,
    #[serde(rename = "max_position_embeddings")]
    pub(super) positions: usize,
    #[serde(rename = "type_vocab_size")]
    pub(super) token_types: usize,
    #[serde(rename = "layer_norm_eps")]
    pub(super) norm_epsilon: f32,
    /// Tokens of a text that count, the special ones included; another file says so.
    #[serde(skip)]
    pub(super) tokens_max: usize,
    model_type: Option<String>,
    hidden_act: Option<String>,
    position_embedding_type: Option<String>,
}

/// The pooling's configuration as published.
#[derive(Deserialize)]
struct Pooling {
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
    #[serde(default)]
    pooling_mode_cls_token: bool,
    #[serde(default)]
    pooling_mode_max_tokens: bool,
}

/// The limit as published.
#[derive(Deserialize)]
struct Limit {
    max_seq_length: Option<usize>,
}

impl Config {
    /// Reads and checks the configuration of a bundle.
    pub(super) fn of(bundle: &Bundle) -> Result<Self, Error> {
        let mut config: Self = bundle.config()?;
        let limit = match &bundle.limit {
            Some((file, bytes)) => serde_json::from_slice(bytes).map_err(|error| Error::Parse {
                file,
                expected: "an object with max_seq_length",
                source: error.into(),
            })?,
            None => Limit { max_seq_length: None },
        };
        if let Some((file, bytes)) = &bundle.pooling {
            check_pooling(file, bytes)?;
        }
        let positions = config.positions;
        config.tokens_max = limit.max_seq_length.unwrap_or(positions).min(positions);
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), Error> {
        let word =
            |given: &Option<String>, default: &str| given.as_deref().unwrap_or(default).to_owned();
        let kind = word(&self.model_type, "bert");
        let activation = word(&self.hidden_act, "gelu");
        let positions = word(&self.position_embedding_type, "absolute");
        let head = self.hidden.checked_div(self.heads).unwrap_or(0);
        let checks = [
            (kind == "bert", "model_type bert", kind.clone()),
            (activation == "gelu", "hidden_act gelu", activation.clone()),
            (positions == "absolute", "position_embedding_type absolute", positions.clone()),
            (
                in_steps(self.hidden, HIDDEN_MAX),
                "hidden_size a multiple of 16 up to 1024",
                self.hidden.to_string(),
            ),
            (
                in_steps(self.intermediate, INTERMEDIATE_MAX),
                "intermediate_size a multiple of 16 up to 8192",
                self.intermediate.to_string(),
            ),
            (
                head * self.heads == self.hidden && in_steps(head, HIDDEN_MAX),
                "num_attention_heads that cut hidden_size into multiples of 16",
                self.heads.to_string(),
            ),
            (
                (1..=LAYERS_MAX).contains(&self.layers),
                "num_hidden_layers of 1 to 48",
                self.layers.to_string(),
            ),
            (
                (1..=VOCABULARY_MAX).contains(&self.vocabulary),
                "vocab_size of 1 to 1048576",
                self.vocabulary.to_string(),
            ),
            (
                (4..=POSITIONS_MAX).contains(&self.positions) && self.tokens_max >= 4,
                "max_position_embeddings of 4 to 8192, and max_seq_length of at least 4",
                format!("{} and {}", self.positions, self.tokens_max),
            ),
            (
                (1..=16).contains(&self.token_types),
                "type_vocab_size of 1 to 16",
                self.token_types.to_string(),
            ),
            (
                self.norm_epsilon >= 0.0 && self.norm_epsilon < 0.1,
                "layer_norm_eps of 0 to 0.1",
                self.norm_epsilon.to_string(),
            ),
        ];
        for (holds, expected, found) in checks {
            if !holds {
                let expected = expected.to_owned();
                return Err(Error::Config { file: "config.json", expected, found });
            }
        }
        Ok(())
    }
}

fn in_steps(size: usize, most: usize) -> bool {
    size > 0 && size <= most && size.is_multiple_of(SHAPE_STEP)
}

fn check_pooling(file: &'static str, bytes: &[u8]) -> Result<(), Error> {
    let pooling: Pooling = serde_json::from_slice(bytes).map_err(|error| Error::Parse {
        file,
        expected: "an object with pooling_mode_mean_tokens",
        source: error.into(),
    })?;
    let Pooling { pooling_mode_mean_tokens, pooling_mode_cls_token, pooling_mode_max_tokens } =
        pooling;
    if pooling_mode_mean_tokens && !pooling_mode_cls_token && !pooling_mode_max_tokens {
        return Ok(());
    }
    Err(Error::Config {
        file,
        expected: "pooling_mode_mean_tokens alone to be true".to_owned(),
        found: "another pooling".to_owned(),
    })
}
