//! Flags that several commands share: format, verbosity, the language model of the chat, times.

use std::time::Duration;

use clap::ValueEnum;

use super::complain_plainly;
use crate::export::lines::LineFormat;
use crate::language_model::{
    LIMIT_MS_DEFAULT, LIMIT_MS_MAX, LanguageModel, ModelSource, OpenError, Settings,
};

/// How a list is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Aligned columns for people
    Table,
    /// Comma-separated values with a header row, for spreadsheets
    Csv,
    /// One JSON array
    Json,
    /// One JSON object per line
    Ndjson,
}

impl Format {
    /// How records are written; `None` for a table.
    pub(super) fn of_records(self) -> Option<LineFormat> {
        match self {
            Self::Table => None,
            Self::Csv => Some(LineFormat::Csv),
            Self::Json => Some(LineFormat::Json),
            Self::Ndjson => Some(LineFormat::Ndjson),
        }
    }
}

/// Which format.
#[derive(Debug, clap::Args)]
pub(super) struct FormatArguments {
    /// How to write the list [default: table]
    #[arg(long, value_name = "FORMAT", env = "ALMONER_FORMAT", value_enum)]
    format: Option<Format>,
    /// The same as --format ndjson
    #[arg(long, env = "ALMONER_JSON")]
    json: bool,
}

impl FormatArguments {
    pub(super) fn format(&self) -> Format {
        self.format.unwrap_or(if self.json { Format::Ndjson } else { Format::Table })
    }
}

/// The flag of commands that say something while they work.
#[derive(Debug, clap::Args)]
pub(super) struct VerbosityArguments {
    /// Write nothing to standard error but errors, and warnings of what changes the outcome
    #[arg(long, short, env = "ALMONER_QUIET")]
    quiet: bool,
}

impl VerbosityArguments {
    pub(super) fn verbosity(&self) -> Verbosity {
        if self.quiet { Verbosity::Quiet } else { Verbosity::Normal }
    }
}

/// How much progress and how many notes are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Verbosity {
    #[default]
    Normal,
    /// Errors and warnings only.
    Quiet,
}

impl Verbosity {
    /// Writes a line to standard error, unless errors and warnings only are wanted.
    pub(super) fn say(self, line: &str) {
        if self == Self::Normal {
            complain_plainly(line);
        }
    }
}

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

/// Reads a time of whole seconds, minutes or hours: `60s`, `5m`, `24h`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a whole number with s, m or h, such as 60s".to_owned();
    let unit = text.chars().next_back().ok_or_else(expected)?;
    let seconds: u64 = match unit {
        's' => 1,
        'm' => 60,
        'h' => 60 * 60,
        _ => return Err(expected()),
    };
    let digits = &text[..text.len() - 1];
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(expected());
    }
    let number: u64 = digits.parse().map_err(|_| expected())?;
    number.checked_mul(seconds).map(Duration::from_secs).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        for (text, seconds) in [
            ("60s", Some(60)),
            ("5m", Some(300)),
            ("24h", Some(86_400)),
            ("0s", Some(0)),
            ("60", None),
            ("s", None),
            ("-1s", None),
            ("+1s", None),
            ("1.5h", None),
            ("1é", None),
            ("", None),
            ("99999999999999999999h", None),
        ] {
            assert_eq!(duration(text).ok(), seconds.map(Duration::from_secs), "{text}");
        }
    }
}
