//! What `--print-config` prints: every setting of a command, its value, and where that is from, as
//! lines that a shell or a service's environment file takes.

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

/// The settings of a command that was called, one a paragraph. What needs no value and cannot be
/// set by the environment is no setting.
pub(super) fn rendered(command: &Command, matches: &ArgMatches) -> String {
    let mut text = String::new();
    for argument in command.get_arguments() {
        let Some(variable) = argument.get_env().and_then(|name| name.to_str()) else { continue };
        let identifier = argument.get_id().as_str();
        let flag = argument.get_long().unwrap_or(identifier);
        let from = match matches.value_source(identifier) {
            Some(ValueSource::CommandLine) => "from the command line",
            Some(ValueSource::EnvVariable) => "from the environment",
            Some(_) => "the default",
            None => "not set",
        };
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let values = matches.get_raw(identifier).map(|values| {
            let values = values.map(|value| value.to_string_lossy().into_owned());
            values.collect::<Vec<_>>().join(" ")
        });
        let line = match values {
            Some(value) => format!("{variable}={}", quoted(&value)),
            None => format!("# {variable}="),
        };
        text.push_str(&format!("# --{flag}: {help} ({from})\n{line}\n\n"));
    }
    text.truncate(text.trim_end().len());
    text
}

/// A value as a shell reads it back.
fn quoted(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:@,+%[]".contains(&byte);
    if !value.is_empty() && value.bytes().all(plain) {
        return value.to_owned();
    }
    format!("'{}'", value.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use clap::{Arg, ArgAction};

    use super::*;

    #[test]
    fn each_setting_says_where_it_is_from() {
        let command = Command::new("serve")
            .arg(Arg::new("listen").long("listen").env("ALMONER_T_LISTEN").default_value("a:1"))
            .arg(Arg::new("origin").long("origin").env("ALMONER_T_ORIGIN").help("Who may read"))
            .arg(Arg::new("name").long("name").env("ALMONER_T_NAME"))
            .arg(Arg::new("loud").long("loud").action(ArgAction::SetTrue));
        let matches = command.clone().get_matches_from(["serve", "--name", "it's me"]);
        assert_eq!(
            rendered(&command, &matches),
            "# --listen:  (the default)\nALMONER_T_LISTEN=a:1\n\n\
             # --origin: Who may read (not set)\n# ALMONER_T_ORIGIN=\n\n\
             # --name:  (from the command line)\nALMONER_T_NAME='it'\\''s me'"
        );
    }
}
