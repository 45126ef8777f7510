//! What codes of the IRS's master file mean, column by column (`data/master_file_codes.tsv`).

use std::sync::LazyLock;

use super::phrase::phrase;
use super::texts;
use super::{Answer, Intent, Result, Turn, says};
use crate::naming::normalise;
use crate::reader::{self, Language};
use crate::record::Knowledge;
use crate::search::library;
use crate::table::table;
use crate::understand::Subject;

/// The entry of the knowledge base that explains the columns.
const ENTRY: &str = "kb-master-file-codes";

/// A code of a column, and what it means.
struct Code {
    /// The words of what people call the column, in normal form.
    columns: Vec<Vec<&'static str>>,
    number: u32,
    /// The name of the column and the meaning, in English and Spanish.
    meaning: [[&'static str; 2]; 2],
}

static CODES: LazyLock<Vec<Code>> = LazyLock::new(|| {
    let rows = table!("data/master_file_codes.tsv").rows();
    let codes = rows.map(|[columns, number, english, spanish]| {
        let meaning = [english, spanish].map(|text| text.split_once(": ").expect("a column"));
        Code {
            columns: columns.split('|').map(|name| name.split(' ').collect()).collect(),
            number: number.parse().expect("a number"),
            meaning: meaning.map(|(column, meaning)| [column, meaning]),
        }
    });
    codes.collect()
});

impl Turn<'_> {
    /// What surely explains a message: codes of the master file that it asks for, or the entry whose title it is.
    pub(super) fn surely_explained(&self) -> Result<Option<Answer>> {
        if let Some(answer) = self.codes_explained()? {
            return Ok(Some(answer));
        }
        let Some(entry) = library::titled(self.snapshot, self.text)? else { return Ok(None) };
        let language = texts::language_of(&entry);
        Turn { language, ..self.clone() }.explained(entry).map(Some)
    }

    /// The meanings of the codes that the message asks for with their columns; `None` where it asks for none.
    fn codes_explained(&self) -> Result<Option<Answer>> {
        let found = codes_in(self.text);
        let asks = || -> Result<bool> {
            Ok(self.message.intent.label == reader::Intent::Knowledge || self.explains_anybody()?)
        };
        if found.is_empty() || !asks()? {
            return Ok(None);
        }
        let at = usize::from(self.language == Language::Spanish);
        let said = found.iter().map(|code| {
            let [column, meaning] = code.meaning[at];
            let number = code.number.to_string();
            phrase!("master_file.code", column, number, meaning).say(self.language)
        });
        let message = said.collect::<Vec<_>>().join(" ");
        let mut conversation = self.conversation.clone();
        let entry = library::of_id::<Knowledge>(self.snapshot, &ENTRY.to_owned())?;
        conversation.subject = Subject::Knowledge;
        conversation.entry = entry.as_ref().map(|entry| entry.article_id.clone());
        let answer = Answer::of(Intent::Knowledge, message, conversation);
        Ok(Some(Answer { sources: entry.into_iter().collect(), ..answer }))
    }
}

/// The codes that a text names behind their columns, in order: `foundation codes 15 and 16`.
fn codes_in(text: &str) -> Vec<&'static Code> {
    let form = normalise(text);
    let words: Vec<&str> = form.split(' ').collect();
    let mut found: Vec<&'static Code> = Vec::new();
    for start in 0..words.len() {
        let length = |name: &Vec<&str>| words[start..].starts_with(name).then_some(name.len());
        let column = |code: &'static Code| {
            let longest = code.columns.iter().filter_map(length).max()?;
            Some((&code.columns, longest))
        };
        let Some((columns, length)) = CODES.iter().find_map(column) else { continue };
        let behind = words[start + length..].iter();
        for word in behind.skip_while(|word| says(word, "before a code")) {
            match word.parse::<u32>() {
                Ok(number) => {
                    let is_it = |code: &&Code| code.number == number && code.columns == *columns;
                    let code = CODES.iter().find(is_it);
                    let is_new =
                        |code: &&Code| !found.iter().any(|known| std::ptr::eq(*known, *code));
                    found.extend(code.filter(is_new));
                }
                Err(_) if says(word, "conjunction") => {}
                Err(_) => break,
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[(&str, &[(&str, u32)])]) {
        for (text, expected) in rows {
            let found = codes_in(text);
            let found: Vec<(&str, u32)> =
                found.iter().map(|code| (code.meaning[0][0], code.number)).collect();
            assert_eq!(found, *expected, "{text}");
        }
    }

    #[test]
    fn codes_stand_behind_their_columns() {
        check(&[
            (
                "what does deductibility code 2 and foundation code 15 mean in the BMF",
                &[("Deductibility code", 2), ("Foundation code", 15)],
            ),
            ("foundation codes 03 and 04?", &[("Foundation code", 3), ("Foundation code", 4)]),
            ("what is AFFILIATION 9", &[("Affiliation code", 9)]),
            ("¿qué es el código de deducibilidad 4?", &[("Deductibility code", 4)]),
            ("filing_req_cd = 06", &[("Filing requirement code", 6)]),
            ("2 foundations with a code", &[]),
        ]);
    }
}
