//! The frame of a text that says only what nonprofits do.

use super::Names;
use super::cause::{of_phrases, term_at};
use super::frame::Frame;
use super::phrases::{self, is_common, is_edge, is_generic};
use super::spelling;
use super::token::{Token, Tokens};
use crate::mapped::Damage;

/// What a text that says only that says nonprofits do, as a frame of nothing else: the words, the text to
/// rank by, and evidence. What is misspelt in it is mended.
pub fn cause_of(text: &str, names: &dyn Names) -> Result<Frame, Damage> {
    let mut tokens = Tokens::of(text);
    spelling::correct(&mut tokens, &of_phrases(&Tokens::of(text)), names)?;
    let is_phrase = of_phrases(&tokens);
    let kept = cause_tokens(&tokens, &is_phrase);
    let is_telling = |at: &usize| {
        let token = &tokens.list[*at];
        token.is_word() && (is_phrase[*at] || !is_edge(&token.form))
    };
    if !kept.iter().any(is_telling) {
        return Ok(Frame::default());
    }
    let words: Vec<&str> = kept.iter().map(|&at| tokens.form(at)).collect();
    let mut text: Vec<&str> = Vec::new();
    let mut frame = Frame { cause: Some(words.join(" ")), ..Frame::default() };
    let mut position = 0;
    while position < kept.len() {
        // Not over a word that was dropped.
        let is_whole = |at: usize, end: usize| {
            let is_kept = |at: usize| {
                let token = &tokens.list[at];
                !(token.is_word() || token.is_number()) || kept.contains(&at)
            };
            (at..end).all(is_kept)
        };
        let at = kept[position];
        let found = term_at(&tokens, at).filter(|(_, end)| is_whole(at, *end));
        let next = found.map_or(position + 1, |(_, end)| kept.partition_point(|at| *at < end));
        if let Some((term, _)) = found {
            frame.cause_is_term = position == 0 && next == kept.len();
            for prefix in term.codes() {
                if !frame.cause_ntee.iter().any(|known| known == prefix) {
                    frame.cause_ntee.push((*prefix).to_owned());
                }
            }
        }
        let own = words[position..next].iter().filter(|word| found.is_some() || !is_edge(word));
        match found.and_then(|(term, _)| term.english) {
            Some(english) => text.push(english),
            None => text.extend(own),
        }
        position = next;
    }
    frame.text = (!text.is_empty()).then(|| text.join(" "));
    Ok(frame)
}

/// The words that say what nonprofits do: without what says nothing at the ends of a clause, and without
/// nouns for any nonprofit.
fn cause_tokens(tokens: &Tokens, is_phrase: &[bool]) -> Vec<usize> {
    let mut is_noise = vec![false; tokens.len()];
    for at in 0..tokens.len() {
        if let Some(end) = tokens.any_phrase(at, phrases::of("any nonprofit phrase")) {
            is_noise[at..end].fill(true);
        }
    }
    let mut kept = Vec::new();
    for clause in tokens.parts(|at| is_noise[at] || tokens.list[at].is_boundary()) {
        let is_text = |at: &usize| {
            let token: &Token = &tokens.list[*at];
            token.is_word() || token.is_number()
        };
        let run: Vec<usize> = clause.filter(is_text).collect();
        let is_dull = |at: &usize| is_common(tokens.form(*at)) && !is_phrase[*at];
        let start = run.iter().position(|at| !is_dull(at)).unwrap_or(run.len());
        let end = run.iter().rposition(|at| !is_dull(at)).map_or(start, |last| last + 1);
        let is_any = |at: &&usize| is_generic(tokens.form(**at)) && !is_phrase[**at];
        kept.extend(run[start..end].iter().filter(|at| !is_any(at)));
    }
    kept
}
