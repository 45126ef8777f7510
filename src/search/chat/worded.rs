//! Acts that a message's own words decide (lists of `data/phrases.tsv`), whatever the trained reader takes it for.

use super::exported::handles_list;
use super::facts::asks_for_lines;
use super::{changes, places, says_any};
use crate::naming::normalise;
use crate::reader::{Bound, DialogueAct, Intent, Known, Message, Operation, Role, Span};
pub(super) use crate::understand::is_amount;
use crate::understand::{
    asks_for_applications, count_in_order, facts_joined, is_generic, is_kind_word, measures_in,
    money_in, opens_with, said_in, says, seeks_recipients, superlative, tells,
};

/// Words at the beginning of a message among which it asks for a sum.
const OPENING_WORDS: usize = 5;
/// Words of a question after one figure.
const FIGURE_WORDS_MAX: usize = 7;

/// The act that the words of a text decide; `known` is what is known of the conversation.
pub(super) fn act_of(text: &str, message: &Message, known: &[Known]) -> Option<DialogueAct> {
    use DialogueAct as Ask;
    let has = |role| message.spans.iter().any(|span| span.role == role);
    let asks_for_it = || says(text, "asks a favor") || opens_with(text, "errand");
    if says(text, "errand") && !says(text, "asks for information") && asks_for_it() {
        return Some(Ask::Errand);
    }
    if handles_list(text, message) {
        return Some(Ask::Errand);
    }
    if says(text, "asks for boards") {
        return Some(Ask::Boards);
    }
    if opens_with(text, "vets") {
        return Some(Ask::Vetting);
    }
    if let Some(act) = act_of_giving(text, message, known) {
        return Some(act);
    }
    if asks_where_to_apply(text, message) {
        return Some(Ask::Funders);
    }
    if changes::goes_on(text, message, known) {
        return Some(Ask::Change);
    }
    if places::is_town_alone(text, message) || only_filters(text, message) {
        return Some(if known.is_empty() { Ask::Search } else { Ask::Change });
    }
    if asks_of_rows(text, message, known) {
        return Some(Ask::Which);
    }
    if known.contains(&Known::ShownNonprofits) && says(text, "safest of them") && !has(Role::Place)
    {
        return Some(Ask::Which);
    }
    if only_ranks(text, message, known) {
        return Some(Ask::Most);
    }
    if is_bare_bound(text, message, known) || is_bare_kind(text, message, known) {
        return Some(Ask::Change);
    }
    if only_clears(message) {
        return Some(Ask::Change);
    }
    if let Some(fact) =
        pay_of_office(text, message, known).or_else(|| figure_of_it(text, message, known))
    {
        return Some(fact);
    }
    if has(Role::Ein) && says(text, "lost") {
        return Some(Ask::Standing);
    }
    if says(text, "name unknown") && has(Role::Cause) && !has(Role::Name) {
        return Some(Ask::Search);
    }
    if explains_to_anybody(text, message) {
        return Some(Ask::Knowledge);
    }
    if is_gift(text, message) {
        return Some(Ask::Vetting);
    }
    if seeks_cause_to_fund(text, message) {
        return Some(Ask::Search);
    }
    if says(text, "compare") {
        return None;
    }
    act_of_one(text, message, known)
}

/// Whether words ask what concerns anybody: what help costs, a tax form, or how a nonprofit is begun.
fn explains_to_anybody(text: &str, message: &Message) -> bool {
    let has = |role| message.spans.iter().any(|span| span.role == role);
    let is_of_some = has(Role::Name) || has(Role::Place);
    let costs = says(text, "asks what help costs") && !(has(Role::Cause) || is_of_some);
    let refers = says(text, "of it") || has(Role::Reference);
    let of_forms = says(text, "tax form") && !refers && !is_of_some;
    costs || of_forms || (says(text, "starts a nonprofit") && says(text, "nonprofit of any kind"))
}

/// The act of a text about a gift to the one spoken of, those who give in a place, a wrong, or who is not listed.
fn act_of_giving(text: &str, message: &Message, known: &[Known]) -> Option<DialogueAct> {
    use DialogueAct as Ask;
    let has = |role| message.spans.iter().any(|span| span.role == role);
    let gives = says(text, "asks to give to it") && !says(text, "how much");
    if gives && known.contains(&Known::ShownOne) {
        return Some(Ask::Donate);
    }
    let names_givers = says_any(text, &["funder", "asks who gave to it"]);
    let is_of_one = has(Role::Name) || has(Role::Cause) || has(Role::Reference);
    if names_givers && has(Role::Place) && !is_of_one && !says(text, "of it") {
        return Some(Ask::Funders);
    }
    if says(text, "not listed")
        && !has(Role::Name)
        && !has(Role::Ein)
        && says(text, "question of meaning")
    {
        return Some(Ask::Knowledge);
    }
    let reports = says(text, "reports a wrong") && !has(Role::Name);
    reports.then_some(Ask::Knowledge)
}

/// The act that the words of a text decide where it is about money that one nonprofit gives or gets, or its finances.
fn act_of_one(text: &str, message: &Message, known: &[Known]) -> Option<DialogueAct> {
    use DialogueAct as Ask;
    let has = |role| message.spans.iter().any(|span| span.role == role);
    let is_of_it = says(text, "of it");
    let refers = is_of_it || has(Role::Reference);
    let finds = has(Role::Cause) || has(Role::Place);
    let is_of_one = has(Role::Name) || has(Role::Ein) || refers || known.contains(&Known::ShownOne);
    let is_shown = is_of_one || known.contains(&Known::ShownNonprofits);
    let asked = asked_by_giver(text, refers || has(Role::Name), is_of_one);
    let class = (is_shown && asks_for_class(text, message)).then_some(Ask::Kind);
    if asked.or(class).is_some() {
        return asked.or(class);
    }
    // `who got the most money from them`.
    if opens_with(text, "asks who got from it") && says(text, "source joint") && is_of_one {
        return Some(Ask::GrantsMade);
    }
    if opens_with(text, "asks who gave to it") && is_of_one && !finds {
        return Some(Ask::GrantsReceived);
    }
    // `which officers earned the most in the latest one`.
    if says(text, "earns most") && says(text, "people of one") && is_of_one {
        return Some(Ask::Pay);
    }
    if says(text, "asks who funds") && !is_of_it && (finds || has(Role::Name)) {
        return Some(Ask::Funders);
    }
    // `who did the first one give to`.
    if opens_with(text, "asks whom it gave to")
        && says(text, "gives")
        && !says(text, "source joint")
    {
        return Some(Ask::GrantsMade);
    }
    // `how much did the first one give`.
    let is_askers = says(text, "about the asker") || says(text, "source joint");
    if refers && says(text, "how much") && says(text, "gives") && !is_askers && !finds {
        return Some(Ask::GrantsMade);
    }
    if (refers && asks_what_it_gave(text)) || asks_whether_it_gave(text, message) {
        return Some(Ask::GrantsMade);
    }
    if finds || !is_of_one {
        return None;
    }
    if asks_whether_to_give(text) || ends_by_asking_safety(text) {
        return Some(Ask::Vetting);
    }
    [
        ("asks how to apply", Ask::Applications),
        ("surplus", Ask::Surplus),
        ("asks how it is spent", Ask::Share),
        ("asks after finances", Ask::Health),
        ("asks to deduct", Ask::Deductible),
        ("asks what it gave", Ask::GrantsMade),
        ("asks whether it is exempt", Ask::Standing),
        ("asks whether to trust it", Ask::Vetting),
    ]
    .into_iter()
    .find(|(list, _)| says(text, list))
    .map(|(_, act)| act)
    .filter(|act| *act != Ask::Applications || !says(text, "exemption"))
    .or_else(|| {
        let lists = ["how much", "asks a share", "asks an amount", "asks whether it has"];
        let asks = says_any(text, &lists);
        (asks && asks_for_lines(text)).then_some(Ask::Lines)
    })
}

/// Whether a message asks for foundations somewhere that take applications.
fn asks_where_to_apply(text: &str, message: &Message) -> bool {
    let has = |role| message.spans.iter().any(|span| span.role == role);
    has(Role::Foundation)
        && has(Role::Place)
        && !has(Role::Reference)
        && asks_for_applications(text).is_some()
        && !says_any(text, &["those shown", "of those shown", "of it"])
}

/// Whether a message asks for the class of one that is named or shown: `Mammel Family Foundation - private foundation?`.
fn asks_for_class(text: &str, message: &Message) -> bool {
    let has = |role| message.spans.iter().any(|span| span.role == role);
    let asks_class = says(text, "class of a charity") && !has(Role::Foundation);
    let asks_foundation = has(Role::Name) && says(text, "private foundation");
    (asks_class || asks_foundation) && !has(Role::Cause)
}

/// Whether a message is nothing but what to find and of which size or kind: `small private foundations`.
fn only_filters(text: &str, message: &Message) -> bool {
    let is_kind = |span: &Span| matches!(span.role, Role::Size | Role::Foundation);
    let finds = |span: &Span| {
        is_kind(span)
            || matches!(span.role, Role::Cause | Role::Place) && span.operation == Operation::Set
    };
    let rest = normalise(&message.blanked(text, finds));
    message.spans.iter().any(is_kind)
        && message.spans.len() > 1
        && message.spans.iter().all(finds)
        && !text.contains('?')
        && rest.split(' ').all(|word| !tells(word))
}

/// Whether a message asks only for some of those shown by their place in an order: `the biggest two`.
fn only_ranks(text: &str, message: &Message, known: &[Known]) -> bool {
    known.contains(&Known::ShownNonprofits)
        && count_in_order(text).is_some()
        && !says(text, "compare")
        && message.spans.iter().all(is_of_order)
        && message.spans.iter().any(|span| span.role == Role::Sort)
        && normalise(&message.blanked(text, is_of_order)).split(' ').all(|word| !tells(word))
}

/// Whether a span may stand in a message that only asks for an order.
pub(super) fn is_of_order(span: &Span) -> bool {
    matches!(span.role, Role::Sort | Role::Count | Role::Reference | Role::Nothing)
}

/// Whether a message only takes a condition back: `never mind the vetting`.
fn only_clears(message: &Message) -> bool {
    let mut told = message.spans.iter().filter(|span| span.role != Role::Nothing).peekable();
    told.peek().is_some() && told.all(|span| span.operation == Operation::Clear)
}

/// The pay of who holds an office of the nonprofit that is named or spoken of: `how much does its director make`.
fn pay_of_office(text: &str, message: &Message, known: &[Known]) -> Option<DialogueAct> {
    let has = |role| message.spans.iter().any(|span| span.role == role);
    let refers = has(Role::Reference) || says(text, "of it") || known.contains(&Known::ShownOne);
    let is_of_one = refers || has(Role::Name) || has(Role::Ein);
    // `I heard the boss makes half a million, is that true?`
    let tells_amount = || money_in(text).next().is_some() || says(text, "unit");
    let asks = says(text, "is paid")
        || (says(text, "earns") && (says(text, "asks what one earns") || tells_amount()));
    let is_other = has(Role::Cause) || says(text, "compare");
    // A name may have the word for an office.
    let rest = message.blanked(text, |span| span.role == Role::Name);
    (asks && is_of_one && !is_other && says(&rest, "office")).then_some(DialogueAct::Pay)
}

/// The one figure of the nonprofit spoken of that a short question names: `¿cuáles son sus ingresos?`.
fn figure_of_it(text: &str, message: &Message, known: &[Known]) -> Option<DialogueAct> {
    let is_short = text.split_whitespace().count() <= FIGURE_WORDS_MAX;
    let finds = |span: &Span| matches!(span.role, Role::Name | Role::Cause | Role::Place);
    let is_of_it = known.contains(&Known::ShownOne) && says(text, "possessive");
    let asks = is_of_it
        && is_short
        && !text.contains(|c: char| c.is_ascii_digit())
        && !says_any(
            text,
            &["compare", "sum", "how many", "those shown", "net figure", "asks how it is spent"],
        )
        && superlative(text).is_none()
        && !message.spans.iter().any(finds);
    match measures_in(text)[..] {
        [figure] if asks => DialogueAct::named(figure.name()),
        _ => None,
    }
}

/// Whether a message asks what one gave (`did it fund anything in Louisiana`), and not whether the asker may deduct what goes to
/// it.
fn asks_what_it_gave(text: &str) -> bool {
    says_any(text, &["asks what it gave", "asks what it funded"]) && !says(text, "asks to deduct")
}

/// Whether a text asks what somebody gives to others: `does the McCune foundation fund literacy`, `grants made by Enlace`.
fn asks_whether_it_gave(text: &str, message: &Message) -> bool {
    let Some(name) = message.spans.iter().find(|span| span.role == Role::Name) else {
        return false;
    };
    let (before, behind) = (&text[..name.bytes.start], text[name.bytes.end..].trim_start());
    let asks = before.split_whitespace().any(|word| says(word, "auxiliary verb"));
    let verb = behind.split_whitespace().next();
    // `what grants did Enlace make`.
    let makes = |word: &str| says(word, "makes") && says(before, "grants");
    let is_source =
        before.split_whitespace().next_back().is_some_and(|word| says(word, "giver joint"))
            && says(before, "grants")
            && !says(before, "receives");
    is_source || (asks && verb.is_some_and(|word| says(word, "gives grants") || makes(word)))
}

/// What somebody who gives asks: whether a foundation may make a grant, or how much of the money goes where.
fn asked_by_giver(text: &str, is_named: bool, is_of_one: bool) -> Option<DialogueAct> {
    // `can a foundation make a grant to a 501(c)(4)` is asked of any.
    let is_named = is_named || writes_name(text);
    match () {
        () if is_named && says(text, "asks whether it may get a grant") => {
            Some(DialogueAct::Vetting)
        }
        // `do we need expenditure responsibility?` of the one spoken of.
        () if is_of_one && says(text, "needs responsibility") => Some(DialogueAct::Vetting),
        // `how much of my money goes to food`.
        () if is_of_one && says(text, "asks where a gift goes") => Some(DialogueAct::Share),
        () => None,
    }
}

/// Whether a word behind the first is written as one of a name.
fn writes_name(text: &str) -> bool {
    let is_of_name =
        |word: &str| word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase);
    text.split_whitespace().skip(1).any(is_of_name)
}

/// Whether a text ends with the question whether it is safe: of nothing else than a gift.
fn ends_by_asking_safety(text: &str) -> bool {
    let behind = |said: std::ops::Range<usize>| !text[said.end..].contains(char::is_alphanumeric);
    said_in(text, "asks whether safe").into_iter().any(behind)
}

/// Whether somebody who gives asks what to think of one: `can I give to it safely`.
fn asks_whether_to_give(text: &str) -> bool {
    let asks = opens_with(text, "asks whether to give") && !says(text, "against each other");
    asks || (says(text, "gives") && says(text, "safely"))
}

/// The facts that the words of a text name side by side of one nonprofit, if there are two at least.
pub(super) fn facts_of(text: &str, message: &Message, known: &[Known]) -> Vec<DialogueAct> {
    let has = |role| message.spans.iter().any(|span| span.role == role);
    let is_of_one = has(Role::Name) || has(Role::Ein) || known.contains(&Known::ShownOne);
    if !is_of_one || has(Role::Cause) || says_any(text, &["compare", "those shown", "the two"]) {
        return Vec::new();
    }
    facts_joined(text).into_iter().filter_map(DialogueAct::named).collect()
}

/// Whether a text asks which of the rows shown do something or are within a bound: `any of them for veterans?`, `which of
/// these have less than 500k`.
fn asks_of_rows(text: &str, message: &Message, known: &[Known]) -> bool {
    let is_wanted = |span: &Span| match span.role {
        Role::Cause => span.operation != Operation::Not,
        Role::Size => true,
        role => is_amount(role) && is_condition(text, span),
    };
    let others = [Role::Place, Role::Name, Role::Sort];
    known.contains(&Known::ShownNonprofits)
        && says(text, "of those shown")
        && (says_any(text, &["which of", "asks whether any"]))
        && !says_any(text, &["how many", "sum", "compare", "asks who funds", "the two"])
        && superlative(text).is_none()
        && message.spans.iter().any(is_wanted)
        && !message
            .spans
            .iter()
            .any(|span| others.contains(&span.role) && span.operation != Operation::Not)
}

/// Whether a text only bounds the list shown: `over 1 million`.
fn is_bare_bound(text: &str, message: &Message, known: &[Known]) -> bool {
    let mut spans = message.spans.iter().filter(|span| span.role != Role::Nothing);
    let is_bound = |span: &Span| is_amount(span.role) && is_condition(text, span);
    known.contains(&Known::ShownNonprofits)
        && opens_with(text, "bound before")
        && spans.clone().next().is_some()
        && spans.all(is_bound)
}

/// Whether a message in the middle of a conversation is nothing but a kind of nonprofit: `quilting guild?`.
fn is_bare_kind(text: &str, message: &Message, known: &[Known]) -> bool {
    let [kind] = &message.spans[..] else { return false };
    let rest = normalise(&message.blanked(text, |_| true));
    message.intent.label == Intent::Find
        && !known.is_empty()
        && kind.role == Role::Cause
        && kind.operation == Operation::Set
        && !says_any(text, &["fact word", "how much", "how many", "compare"])
        && rest.split(' ').all(|word| !tells(word))
        && normalise(&text[kind.bytes.clone()])
            .split(' ')
            .all(|word| !tells(word) || is_kind_word(word))
}

/// Whether the words of a span are an amount.
fn is_condition(text: &str, span: &Span) -> bool {
    let words = &text[span.bytes.clone()];
    words.bytes().any(|byte| byte.is_ascii_digit()) || says_any(words, &["unit", "number"])
}

/// Whether a text begins by asking for the sum of a figure: `total assets of museums in Maine`.
pub(super) fn asks_for_sum(text: &str, message: &Message) -> bool {
    let opening: Vec<&str> = text.split_whitespace().take(OPENING_WORDS).collect();
    let is_condition = |span: &Span| {
        let has_digit = text[span.bytes.clone()].bytes().any(|byte| byte.is_ascii_digit());
        span.role == Role::Sort || (is_amount(span.role) && has_digit)
    };
    says(&opening.join(" "), "sum")
        && !measures_in(text).is_empty()
        && !message.spans.iter().any(is_condition)
}

/// Whether the asker looks for whom to fund: `we want to fund preschools in New Orleans`.
fn seeks_cause_to_fund(text: &str, message: &Message) -> bool {
    let has = |role| message.spans.iter().any(|span| span.role == role);
    seeks_recipients(text)
        && has(Role::Cause)
        && !(has(Role::Name) || has(Role::Reference) || has(Role::Ein))
        && !says_any(text, &["asks how", "asks who funds"])
}

/// Whether the asker speaks of an amount to give: a filter for nobody's revenue.
fn is_gift(text: &str, message: &Message) -> bool {
    let mut amounts = message.spans.iter().filter(|span| is_amount(span.role));
    let is_bare = amounts.clone().all(|span| span.bound == Bound::None);
    is_bare
        && (amounts.next().is_some() || text.contains('$'))
        && says(text, "asker gives")
        && says(text, "gives")
        && !says_any(text, &["figure compared", "word of deduction"])
        && !opens_with(text, "asks for information")
        && !message.spans.iter().any(|span| span.role == Role::Foundation)
}

/// Whether words are all of those in which finances are asked about.
pub(super) fn is_of_finances(words: &str) -> bool {
    let form = normalise(words);
    let is_all = |list| form.split(' ').all(|word| !tells(word) || says(word, list));
    is_all("word of finances") || (says(&form, "class of a charity") && is_all("word of a class"))
}

/// Whether a giver asks for candidates of a cause: `I have $500 for shelters in Reno. Who should I look at?`. The
/// sentences before the question are not requests of their own.
pub(super) fn asks_for_candidates(text: &str, message: &Message) -> bool {
    let has = |role| message.spans.iter().any(|span| span.role == role);
    says(text, "asks for candidates")
        && has(Role::Cause)
        && !(has(Role::Name) || has(Role::Reference))
}

/// Whether a question only asks whether there is anybody: `is there any organization?`.
pub(super) fn asks_for_any(text: &str) -> bool {
    let form = normalise(text);
    let mut words = form.split(' ');
    let is_empty = |word: &str| !tells(word) || is_generic(word) || says(word, "only helps");
    words.clone().any(is_generic) && words.all(is_empty)
}

#[cfg(test)]
mod tests;
