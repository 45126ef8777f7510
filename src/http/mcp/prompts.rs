//! Prompts, and completions of their arguments and of resources.

use std::sync::LazyLock;

use rmcp::model::{GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};

use crate::http::tools::{Object, ToolError};
use crate::index::typeahead::Scope;
use crate::places;
use crate::search::typeahead::suggest;
use crate::snapshot::Snapshot;
use crate::table::table;
use crate::taxonomy;

/// Completions of one text.
const COMPLETIONS_MAX: usize = 20;
/// Characters of an argument of a prompt: a list of names may be pasted.
const ARGUMENT_CHARACTERS_MAX: usize = 50_000;

/// A prompt: name, title, description, names of arguments, text with these in braces.
static PROMPTS: LazyLock<Vec<[&str; 5]>> =
    LazyLock::new(|| table!("data/tool_prompts.tsv").rows().collect());

/// The prompts as the protocol lists them.
pub(super) fn listed() -> Vec<Prompt> {
    let prompt = |[name, title, description, arguments, _]: &[&str; 5]| {
        let arguments =
            arguments.split(',').map(|one| PromptArgument::new(one).with_required(true));
        Prompt::new(*name, Some(*description), Some(arguments.collect())).with_title(*title)
    };
    PROMPTS.iter().map(prompt).collect()
}

/// The text of a prompt with its arguments, or why not.
pub(super) fn get(name: &str, given: &Object) -> Result<GetPromptResult, String> {
    let Some([_, _, description, arguments, text]) = PROMPTS.iter().find(|one| one[0] == name)
    else {
        let names: Vec<_> = PROMPTS.iter().map(|one| one[0]).collect();
        return Err(format!("Unknown prompt: expected one of {}", names.join(", ")));
    };
    let mut filled = String::new();
    for part in text.split('{') {
        let Some((argument, rest)) = part.split_once('}') else {
            filled.push_str(part);
            continue;
        };
        let value = given.get(argument).and_then(|value| value.as_str()).map(str::trim);
        let value = value.filter(|text| !text.is_empty() && text.len() <= ARGUMENT_CHARACTERS_MAX);
        let Some(value) = value else {
            return Err(format!(
                "Expected the arguments {arguments}, each a text of at most {ARGUMENT_CHARACTERS_MAX} characters; \
                 {argument} is none"
            ));
        };
        filled.push_str(value);
        filled.push_str(rest);
    }
    let message = PromptMessage::new_text(Role::User, filled);
    Ok(GetPromptResult::new(vec![message]).with_description(*description))
}

/// Values that complete what was typed of an argument: names of nonprofits, EINs, causes with their codes, and cities.
pub(super) fn completions(
    snapshot: &Snapshot,
    argument: &str,
    typed: &str,
) -> Result<Vec<String>, ToolError> {
    let typed = typed.trim();
    if typed.chars().count() < 2 {
        return Ok(Vec::new());
    }
    let key = typed.to_lowercase();
    Ok(match argument {
        "nonprofit" | "ein" => {
            let found = suggest(snapshot, typed, Scope::All, COMPLETIONS_MAX)?.into_iter();
            let value = |ein: String, name: String| match argument {
                "ein" => ein,
                _ => format!("{name} (EIN {ein})"),
            };
            found.map(|one| value(one.ein.to_string(), one.name)).collect()
        }
        "cause" => {
            let all = taxonomy::titles().map(|(code, title)| format!("{code} {title}"));
            all.filter(|one| one.to_lowercase().contains(&key)).take(COMPLETIONS_MAX).collect()
        }
        "place" => {
            let key = places::city_key(typed);
            let cities = places::cities();
            let from = cities.partition_point(|city| city.key < key);
            let found = cities[from..].iter().take_while(|city| city.key.starts_with(&key));
            found
                .take(COMPLETIONS_MAX)
                .map(|city| format!("{}, {}", city.name, city.state.code()))
                .collect()
        }
        _ => Vec::new(),
    })
}
