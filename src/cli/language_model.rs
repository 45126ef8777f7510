//! The flags of a language model that helps the chat.

use std::time::Duration;

use crate::language_model::{
    LIMIT_MS_DEFAULT, LIMIT_MS_MAX, LanguageModel, ModelSource, OpenError, Settings,
};

/// Holds the key of a server: no flag, since other users of a machine can read command lines.
const KEY: &str = "ALMONER_LANGUAGE_MODEL_KEY";

#[derive(Debug, clap::Args)]
pub(super) struct LanguageModelArguments {
    /// Instruction model that helps the chat with unclear messages and with words: a GGUF file, or the address of an
    /// OpenAI-compatible server (http://127.0.0.1:8081/v1), whose key is taken from ALMONER_LANGUAGE_MODEL_KEY
    #[arg(long, value_name = "FILE|URL", env = "ALMONER_LANGUAGE_MODEL")]
    language_model: Option<ModelSource>,
    /// What the server calls the model; of a file, what answers call it
    #[arg(long, value_name = "NAME", env = "ALMONER_LANGUAGE_MODEL_NAME")]
    language_model_name: Option<String>,
    /// Time that the language model may take for a message; the answer is then worded without it
    #[arg(long, value_name = "MILLISECONDS", env = "ALMONER_LANGUAGE_MODEL_MS", default_value_t = LIMIT_MS_DEFAULT,
          value_parser = clap::value_parser!(u64).range(1..=LIMIT_MS_MAX))]
    language_model_ms: u64,
}

impl LanguageModelArguments {
    /// The model, if there is to be one.
    pub(super) fn open(&self) -> Result<Option<LanguageModel>, OpenError> {
        let Some(source) = &self.language_model else { return Ok(None) };
        let key = std::env::var(KEY).ok().filter(|key| !key.is_empty());
        let limit = Duration::from_millis(self.language_model_ms);
        let settings = Settings { limit, name: self.language_model_name.clone(), key };
        LanguageModel::open(source, settings).map(Some)
    }
}
