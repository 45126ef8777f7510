//! `almoner chat`: a conversation at the terminal, or one message.
//!
//! Messages are answered as by `/chat`, over one session that ends with the command. Lines are edited
//! and kept in a history where somebody types them; where they come through a pipe each is answered in
//! turn.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::PathBuf;

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::flags::LanguageModelArguments;
use super::search::table;
use super::table::terminal_width;
use super::{DataDir, ModelFolder, Outcome, complain, complain_plainly, print};
use crate::language_model::LanguageModel;
use crate::search::chat::{self, Answer, MESSAGE_CHARACTERS_MAX, Question};
use crate::snapshot::{self, Snapshot};
use crate::understand::{Conversation, Frame};

/// Lines of the history that are kept.
const HISTORY_LINES_MAX: usize = 1_000;

const COMMANDS: &str = "/new starts over, /help shows what can be asked, /quit (or Ctrl-D) ends";

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    #[command(flatten)]
    model: ModelFolder,
    #[command(flatten)]
    language_model: LanguageModelArguments,
    /// A single message to answer; without it, a conversation begins
    #[arg(value_name = "MESSAGE")]
    message: Option<String>,
}

/// What a line asks of the program.
#[derive(Debug, PartialEq)]
enum Line<'a> {
    Nothing,
    Quit,
    /// A message to answer.
    Message(&'a str),
    /// A command that there is not.
    Unknown(&'a str),
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let opened = snapshot::open_with(&arguments.data_dir.path, &arguments.model.lazy())?;
    let language_model = arguments.language_model.open()?;
    if let Some(Err(cause)) = language_model.as_ref().map(LanguageModel::warm) {
        complain(&format!("answers are worded without the language model: {cause}"));
    }
    let conversation = Conversation::default();
    let mut talk =
        Talk { snapshot: &opened, conversation, language_model: language_model.as_ref() };
    if let Some(message) = &arguments.message {
        return match read(message) {
            Line::Nothing => talk.answer(""),
            line => Ok(talk.reply(line)?.unwrap_or(Outcome::Done)),
        };
    }
    if !io::stdin().is_terminal() {
        return answer_lines(&mut talk);
    }
    complain_plainly(&format!("Ask in plain words; {COMMANDS}."));
    converse(&mut talk)
}

/// Answers each line of standard input; bytes that are no text are shown as such.
fn answer_lines(talk: &mut Talk<'_>) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Done;
    for line in io::stdin().lock().split(b'\n') {
        match talk.reply(read(&String::from_utf8_lossy(&line?)))? {
            None => break,
            Some(Outcome::Done) => {}
            Some(_) => outcome = Outcome::Usage,
        }
    }
    Ok(outcome)
}

fn converse(talk: &mut Talk<'_>) -> anyhow::Result<Outcome> {
    let mut editor = DefaultEditor::new()?;
    let history = history_file();
    if let Some(path) = &history {
        // The first conversation has none.
        let _ = editor.load_history(path);
    }
    loop {
        match editor.readline("> ") {
            Ok(line) => {
                if let Line::Message(_) = read(&line) {
                    let _ = editor.add_history_entry(line.trim());
                }
                if talk.reply(read(&line))?.is_none() {
                    break;
                }
            }
            // Ctrl-C drops the line, Ctrl-D ends.
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(error.into()),
        }
    }
    if let Some(path) = history {
        save(&mut editor, &path);
    }
    Ok(Outcome::Done)
}

/// Saves the history; a failure is reported and otherwise ignored.
fn save(editor: &mut DefaultEditor, path: &std::path::Path) {
    use rustyline::history::History as _;
    let kept = editor
        .history_mut()
        .set_max_len(HISTORY_LINES_MAX)
        .and_then(|()| path.parent().map_or(Ok(()), |folder| Ok(std::fs::create_dir_all(folder)?)))
        .and_then(|()| editor.save_history(path));
    if let Err(error) = kept {
        complain(&format!("cannot save the history to {}: {error}", path.display()));
    }
}

/// Where lines are kept between conversations: the user's folder for state.
fn history_file() -> Option<PathBuf> {
    let folder =
        |name: &str| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("almoner").join("chat_history"))
}

fn read(line: &str) -> Line<'_> {
    match line.trim() {
        "" => Line::Nothing,
        "/quit" | "/exit" | "/q" | "quit" | "exit" => Line::Quit,
        "/new" | "/reset" => Line::Message("start over"),
        "/help" | "/?" => Line::Message("what can I ask?"),
        command if command.starts_with('/') => Line::Unknown(command),
        message => Line::Message(message),
    }
}

/// A conversation with a snapshot.
struct Talk<'a> {
    snapshot: &'a Snapshot,
    conversation: Conversation,
    language_model: Option<&'a LanguageModel>,
}

impl Talk<'_> {
    /// Does what a line asks; `None` where it ends the conversation.
    fn reply(&mut self, line: Line<'_>) -> anyhow::Result<Option<Outcome>> {
        Ok(match line {
            Line::Nothing => Some(Outcome::Done),
            Line::Quit => None,
            Line::Message(message) => Some(self.answer(message)?),
            Line::Unknown(command) => {
                complain(&format!("unknown command {command:?}; {COMMANDS}"));
                Some(Outcome::Usage)
            }
        })
    }

    fn answer(&mut self, message: &str) -> anyhow::Result<Outcome> {
        let characters = message.chars().count();
        if characters > MESSAGE_CHARACTERS_MAX || message.trim().is_empty() {
            complain(&format!(
                "expected a message of 1 to {MESSAGE_CHARACTERS_MAX} characters, found {characters}"
            ));
            return Ok(Outcome::Usage);
        }
        let explicit = Frame::default();
        let question = Question {
            message,
            explicit: &explicit,
            earlier: Some(&self.conversation),
            language_model: self.language_model,
        };
        let answer = chat::answer(self.snapshot, &question)?;
        print(&rendered(&answer, terminal_width()))?;
        self.conversation = answer.next;
        Ok(Outcome::Done)
    }
}

/// An answer as text.
fn rendered(answer: &Answer, width: Option<usize>) -> String {
    let mut text = format!("{}\n", answer.message);
    if answer.nonprofits.len() > 1 {
        text.push_str(&table(&answer.nonprofits).render_within(width));
    }
    let numbered = |titles: Vec<&str>| -> String {
        titles.iter().zip(1..).map(|(title, number)| format!("{number:3}. {title}\n")).collect()
    };
    text.push_str(&numbered(answer.articles.iter().map(|article| &*article.title).collect()));
    if answer.funds.len() > 1 {
        text.push_str(&numbered(answer.funds.iter().map(|fund| &*fund.title).collect()));
    }
    for fund in answer.funds.iter().filter(|_| answer.funds.len() == 1) {
        let url = fund.fund_url.as_deref().or(fund.website.as_deref());
        text.push_str(&url.map_or(String::new(), |url| format!("  {url}\n")));
    }
    if let Some(body) = answer.article.as_ref().and_then(|article| article.text.as_deref()) {
        text.push_str(&format!("\n{body}\n"));
    }
    for source in &answer.sources {
        let url = source.url.as_deref().map_or(String::new(), |url| format!(" ({url})"));
        text.push_str(&format!("  from: {}{url}\n", source.title));
    }
    let next: Vec<String> =
        answer.suggestions.iter().map(|next| format!("“{}”", next.message)).collect();
    if !next.is_empty() {
        text.push_str(&format!("  next: {}\n", next.join(", ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_messages_or_commands() {
        for (line, expected) in [
            ("  ", Line::Nothing),
            (" /quit ", Line::Quit),
            ("exit", Line::Quit),
            ("/new", Line::Message("start over")),
            (" food banks ", Line::Message("food banks")),
            ("/frob", Line::Unknown("/frob")),
        ] {
            assert_eq!(read(line), expected, "{line:?}");
        }
    }
}
