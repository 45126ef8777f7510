//! Several nonprofits named in one list: `pull up Billings Clinic, St Vincent Healthcare and Benefis`.

use std::ops::Range;

use super::listed_towns::lists;
use super::spelling::is_spelled_as;
use super::{Answer, Result, Turn, says_any};
use crate::naming::normalise;
use crate::places;
use crate::reader::{DialogueAct, Operation, Role, Span};
use crate::record::{Ein, Organization};
use crate::search::details::details;
use crate::understand::{Names as _, is_kind_word, names_state, opens_with, tells};

/// Words that may stand before the first name of a list, and behind the last.
const WORDS_BESIDE_MAX: usize = 4;
/// Parts of a list that one name may be: `Boys and Girls Club`.
const PARTS_MAX: usize = 2;

/// Digits of an EIN that is given whole.
const EIN_DIGITS: usize = 9;

/// The nonprofits of a list of names, and the names in it that nobody has.
#[derive(Default)]
pub(super) struct NamedList {
    eins: Vec<Ein>,
    unknown: Vec<String>,
}

impl NamedList {
    /// Adds a nonprofit once, or what nobody is called.
    fn add(&mut self, found: Option<Ein>, asked: &str) {
        match found {
            Some(ein) if self.eins.contains(&ein) => {}
            Some(ein) => self.eins.push(ein),
            None => self.unknown.push(asked.to_owned()),
        }
    }

    /// Whether two parts at least name somebody, and more do than do not.
    fn is_of_names(&self) -> bool {
        self.eins.len() > 1 && self.unknown.len() < self.eins.len()
    }
}

/// The EINs that a text gives with all their digits.
pub(super) fn eins_in(text: &str) -> Vec<Ein> {
    let numbers = text.split(|c: char| !c.is_ascii_digit() && c != '-');
    let is_whole = |text: &&str| text.bytes().filter(u8::is_ascii_digit).count() == EIN_DIGITS;
    numbers.filter(is_whole).filter_map(Ein::from_typed).collect()
}

/// Whether a word ends before a text: it is empty or begins with a blank.
fn begins_word(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(' ')
}

impl Turn<'_> {
    /// The answer to a message that names both sides of a grant, a nationally known nonprofit whose state is not loaded, several
    /// nonprofits in a list, or one after an opening such as `what about`.
    pub(super) fn of_names(&mut self) -> Result<Option<Answer>> {
        if let Some(sides) = self.sides_of_grant()? {
            return self.clone().grants_between(sides).map(Some);
        }
        self.take_lone_word_for_name()?;
        // `others like A and B`, `remove A and B`: neither is asked about.
        let asks_else =
            says_any(self.text, &["similar to", "excepting"]) || opens_with(self.text, "removes");
        if !asks_else && let Some(answer) = self.of_national()? {
            return Ok(Some(answer));
        }
        if !asks_else && let Some(list) = self.listed_eins()? {
            return self.clone().of_named_list(list).map(Some);
        }
        if !asks_else && let Some(list) = self.named_in_list()? {
            let list = self.with_other_names(list)?;
            return self.clone().of_named_list(list).map(Some);
        }
        match self.asked_of_named()? {
            Some(ein) => self.clone().details_of(ein).map(Some),
            // `what about Recovery Point, they have one here`: several may be called so.
            None if self.reads_name_behind_opening() && self.take_words_for_name() => {
                self.clone().facts().map(Some)
            }
            None => Ok(None),
        }
    }

    /// Takes what is left out for the name of one of those shown, whatever it was read as: `drop Maine Coast Heritage`.
    pub(super) fn leave_shown_name(&mut self) -> Result<()> {
        let is_left = |span: &Span| span.operation == Operation::Not;
        let mut left = self.message.spans.iter().filter(|span| is_left(span));
        let Some(first) = left.next().map(|span| span.bytes.clone()) else { return Ok(()) };
        let end = left.fold(first.end, |end, span| match self.text.get(end..span.bytes.start) {
            // `Keystone for Butterfly`.
            Some(between) if !normalise(between).split(' ').any(tells) => span.bytes.end,
            _ => end,
        });
        let bytes = first.start..end;
        let form = normalise(&self.text[bytes.clone()]);
        let is_so_called = |name: &str| {
            form.contains(' ') && normalise(name).strip_prefix(&*form).is_some_and(begins_word)
        };
        let shown = self.records(&self.conversation.nonprofits)?;
        if shown.iter().any(|one| is_so_called(&one.name)) {
            self.message.spans.retain(|span| span.is_apart(&bytes));
            self.message.spans.push(Span::told(Role::Name, bytes, Operation::Not));
            self.message.spans.sort_by_key(|span| span.bytes.start);
        }
        Ok(())
    }

    /// The nonprofits of a list of names; `None` unless two parts name one, and more do than do not.
    pub(super) fn named_in_list(&self) -> Result<Option<NamedList>> {
        if self.message.spans.iter().any(|span| span.operation == Operation::Not) {
            return Ok(None);
        }
        for parts in lists(self.text) {
            let mut list = NamedList::default();
            let mut at = 0;
            while at < parts.len() {
                let (found, end) = self.named_from(&parts, at)?;
                list.add(found, &self.text[parts[at].clone()]);
                at = end;
            }
            if list.is_of_names() {
                return Ok(Some(list));
            }
        }
        self.titled_list()
    }

    /// The nonprofits of several EINs, at least two of which are known.
    fn listed_eins(&self) -> Result<Option<NamedList>> {
        let mut list = NamedList::default();
        for ein in eins_in(self.text) {
            let is_known = details(self.snapshot, ein)?.is_some();
            list.add(Some(ein).filter(|_| is_known), &ein.to_string());
        }
        Ok(Some(list).filter(|list| list.eins.len() > 1))
    }

    /// The nonprofits of a list of names in capitals, under the same condition.
    fn titled_list(&self) -> Result<Option<NamedList>> {
        let names = self.titled_names();
        let mut list = NamedList::default();
        for name in names.iter().filter(|_| names.len() > 1) {
            list.add(self.surely_titled(name)?, &self.text[name.clone()]);
        }
        Ok(Some(list).filter(NamedList::is_of_names))
    }

    /// The nonprofit whose name begins at a part of a list, and the part behind its name.
    fn named_from(&self, parts: &[Range<usize>], at: usize) -> Result<(Option<Ein>, usize)> {
        for end in (at + 1..=(at + PARTS_MAX).min(parts.len())).rev() {
            let bytes = parts[at].start..parts[end - 1].end;
            if let Some(ein) = self.named_in(&bytes, at == 0, end == parts.len())? {
                return Ok((Some(ein), end));
            }
        }
        Ok((None, at + 1))
    }

    /// The nonprofit whose name is a part of a list, apart from the words before the first and behind the last.
    fn named_in(&self, part: &Range<usize>, is_first: bool, is_last: bool) -> Result<Option<Ein>> {
        let form = normalise(&self.text[part.clone()]);
        let words: Vec<&str> = form.split(' ').collect();
        let beside = |may_be: bool| if may_be { WORDS_BESIDE_MAX } else { 0 };
        let starts = 0..=beside(is_first).min(words.len() - 1);
        for start in starts {
            let least = (words.len() - beside(is_last).min(words.len())).max(start + 1);
            for end in (least..=words.len()).rev() {
                let name = words[start..end].join(" ");
                let is_kind =
                    words[start..end].iter().all(|word| is_kind_word(word) || !tells(word));
                if is_kind || places::is_city(&name) || names_state(&name) {
                    continue;
                }
                if let Some(one) = self.snapshot.named(&name)?.sure_by_all() {
                    return Ok(Some(one.ein));
                }
            }
        }
        Ok(None)
    }

    /// The facts that the message asks for of each, else the main ones side by side.
    pub(super) fn of_named_list(mut self, list: NamedList) -> Result<Answer> {
        let NamedList { eins, unknown } = list;
        for ein in &eins {
            self.conversation.remember(*ein);
        }
        let asks_one_fact = self.request.asks_fact()
            && self.request.act() != DialogueAct::Mission
            && !says_any(self.text, &["compare", "against another"]);
        if asks_one_fact && unknown.is_empty() {
            self.conversation.show_nonprofits(eins.clone(), eins.len() as u64);
            return self.facts_of_several(&eins);
        }
        self.compare_all(eins, &unknown)
    }

    /// A list with the other names of the message: the first of `compare Stewpot with Operation Shoestring and Habitat`.
    fn with_other_names(&self, mut list: NamedList) -> Result<NamedList> {
        let listed = self.records(&list.eins)?;
        let names = self.message.spans.iter().filter(|span| span.role == Role::Name);
        for span in names {
            let asked = self.text[span.bytes.clone()].trim();
            let form = normalise(asked);
            let is_listed = |one: &Organization| {
                let own =
                    [&one.name].into_iter().chain(&one.other_names).map(|name| normalise(name));
                let own = own.collect::<Vec<_>>().join(" ");
                let is_own = |word: &str| own.split(' ').any(|own| is_spelled_as(word, own));
                form.contains(&normalise(&one.name))
                    || form.split(' ').filter(|word| tells(word)).all(is_own)
            };
            let is_told = list.unknown.iter().any(|told| normalise(told).contains(&form));
            if is_told || listed.iter().any(is_listed) {
                continue;
            }
            let found = match self.shown_with_words(&span.bytes)? {
                Some(ein) => Some(ein),
                None => self.only_called(asked)?,
            };
            list.add(found, asked);
        }
        Ok(list)
    }
}
