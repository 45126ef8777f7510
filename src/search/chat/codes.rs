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
    /// What people call the column, in normal form.
    columns: Vec<&'static str>,
    number: u32,
    /// The name of the column and the meaning, in English and Spanish.
    meaning: [[&'static str; 2]; 2],
}

static CODES: LazyLock<Vec<Code>> = LazyLock::new(|| {
    let rows = table!("data/master_file_codes.tsv").rows();
    let codes = rows.map(|[columns, number, english, spanish]| {
        let meaning = [english, spanish].map(|text| text.split_once(": ").expect("a column"));
        Code {
            columns: columns.split('|').collect(),
            number: number.parse().expect("a number"),
            meaning: meaning.map(|(column, meaning)| [column, meaning]),
        }
    });
    codes.collect()
});

impl Turn<'_> {
    /// What explains a message that is the title of an entry, or asks for codes of the master file.
    pub(super) fn surely_explained(&self) -> Result<Option<Answer>> {
        if let Some(entry) = library::titled(self.snapshot, self.text)? {
            let language = texts::language_of(&entry);
            return Turn { language, ..self.clone() }.explained(entry).map(Some);
        }
        let asks =
            self.message.intent.label == reader::Intent::Knowledge || self.explains_anybody()?;
        if asks { self.codes_explained() } else { Ok(None) }
    }

    /// The meanings of the codes that the message names with their columns; `None` where it names none.
    fn codes_explained(&self) -> Result<Option<Answer>> {
        let found = codes_in(self.text);
        if found.is_empty() {
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
        let is_here = |name: &&str| {
            let name: Vec<&str> = name.split(' ').collect();
            words[start..].starts_with(&name)
        };
        let of_column = |code: &&'static Code| code.columns.iter().any(&is_here);
        let Some(column) = CODES.iter().find(of_column) else { continue };
        let name = column.columns.iter().filter(|name| is_here(name));
        let length = name.map(|name| name.split(' ').count()).max().unwrap_or_default();
        let behind = words[start + length..].iter();
        for word in behind.skip_while(|word| says(word, "before a code")) {
            match word.parse::<u32>() {
                Ok(number) => {
                    let is_it = |code: &&'static Code| {
                        code.number == number && code.columns == column.columns
                    };
                    let code = CODES.iter().find(is_it);
                    found.extend(code.filter(|code| {
                        !found.iter().any(|one| is_it(one) && std::ptr::eq(*one, *code))
                    }));
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
