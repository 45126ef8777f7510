//! Sustainable Development Goals, by number and by name (`data/goals.tsv`).

use std::sync::LazyLock;

use super::code::past_joints;
use super::phrases;
use super::reader::Reader;
use super::token::Tokens;
use crate::naming::normalise;
use crate::record::Sdg;

/// A goal.
#[derive(Debug)]
pub(super) struct Goal {
    pub(super) goal: Sdg,
    pub(super) title: &'static str,
    /// Title and other names, in normal form, the longest first.
    names: Vec<String>,
}

pub(super) static GOALS: LazyLock<Vec<Goal>> = LazyLock::new(|| {
    include_str!("../../data/goals.tsv")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| parse(line).expect("an embedded goal has a number, a title, names and a text"))
        .collect()
});

fn parse(line: &'static str) -> Option<Goal> {
    let mut fields = line.split('\t');
    let goal = Sdg::new(fields.next()?.parse().ok()?).ok()?;
    let (title, others) = (fields.next()?, fields.next()?);
    let mut names: Vec<String> =
        others.split('|').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    names.push(normalise(title));
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    Some(Goal { goal, title, names })
}

/// Words between that and a name.
const BETWEEN: [&str; 10] = ["on", "for", "of", "the", ":", "about", "called", "-", "(", "to"];

/// Reads every goal.
pub(super) fn read(reader: &mut Reader<'_>) {
    let mut at = 0;
    while at < reader.tokens.len() {
        at = glued(reader, at)
            .or_else(|| led(reader, at))
            .or_else(|| alone(reader, at))
            .unwrap_or(at + 1);
    }
}

/// `sdg16`.
fn glued(reader: &mut Reader<'_>, at: usize) -> Option<usize> {
    let form = &reader.tokens.free_at(at)?.form;
    let number = form.strip_prefix("sdg").or_else(|| form.strip_prefix("ods"))?;
    let number = number.strip_prefix('s').unwrap_or(number);
    let goal = Sdg::new(number.parse().ok()?).ok()?;
    Some(numbers(reader, at, at + 1, vec![goal]))
}

fn led(reader: &mut Reader<'_>, at: usize) -> Option<usize> {
    let end = reader.tokens.any_phrase(at, phrases::of("goal"))?;
    let sign = reader
        .tokens
        .free_at(end)
        .is_some_and(|t| t.is_sign('#') || t.is_sign('-') || t.is_sign(':'));
    let first = end + usize::from(sign);
    if is_number(&reader.tokens, first) {
        return Some(numbers(reader, at, first, Vec::new()));
    }
    let mut next = end;
    while reader.tokens.free_at(next).is_some_and(|token| BETWEEN.contains(&&*token.form)) {
        next += 1;
    }
    if let Some((goal, end)) = named(&reader.tokens, next) {
        take(reader, vec![goal], at..end);
        return Some(end);
    }
    // `zero hunger SDG`.
    if let Some((goal, start)) = named_before(&reader.tokens, at) {
        take(reader, vec![goal], start..end);
        return Some(end);
    }
    reader.leave_unread(at..end);
    Some(end)
}

fn alone(reader: &mut Reader<'_>, at: usize) -> Option<usize> {
    let end = reader.tokens.any_phrase(at, phrases::of("goal alone"))?;
    // What calls it a goal may follow: that reads it.
    if reader.tokens.any_phrase(end, phrases::of("goal")).is_some() {
        return Some(end);
    }
    let (goal, end) = named(&reader.tokens, at)?;
    take(reader, vec![goal], at..end);
    Some(end)
}

fn is_number(tokens: &Tokens, at: usize) -> bool {
    tokens
        .free_at(at)
        .is_some_and(|token| token.is_number() || super::amount::small(&token.form).is_some())
}

/// A list of numbers from a position on; where it ends.
fn numbers(reader: &mut Reader<'_>, start: usize, first: usize, mut goals: Vec<Sdg>) -> usize {
    let mut end = first;
    let mut at = if goals.is_empty() { first } else { past_joints(&reader.tokens, first) };
    let mut bad = false;
    while let Some(token) = reader.tokens.free_at(at) {
        let form = token.form.strip_prefix("sdg").unwrap_or(&token.form);
        let spelled = super::amount::small(form).map(|number| number as i64);
        let Some(number) = form.parse::<i64>().ok().or(spelled) else { break };
        match Sdg::new(number) {
            Ok(goal) => goals.push(goal),
            // `SDG 3, 5000 children`.
            Err(_) if !goals.is_empty() => break,
            Err(_) => bad = true,
        }
        end = at + 1;
        if let Some((to, after)) = span_end(&reader.tokens, end)
            && let Some(from) = goals.last().copied()
        {
            goals
                .extend((from.number() + 1..=to).filter_map(|number| Sdg::new(number.into()).ok()));
            end = after;
        }
        at = past_joints(&reader.tokens, end);
        if reader.tokens.free_at(at).is_some_and(|t| matches!(&*t.form, "sdg" | "goal" | "#")) {
            at += 1;
        }
        if at == end {
            break;
        }
    }
    if bad && goals.is_empty() {
        reader.leave_unread(start..end);
    } else {
        take(reader, goals, start..end);
    }
    end
}

/// `- 3`, `to 3`: the last number of a span.
fn span_end(tokens: &Tokens, at: usize) -> Option<(u8, usize)> {
    let joins = tokens.free_at(at).is_some_and(|token| {
        token.is_sign('-') || matches!(&*token.form, "to" | "through" | "thru" | "a")
    });
    let last: i64 = tokens.free_at(at + 1).filter(|_| joins)?.form.parse().ok()?;
    Some((Sdg::new(last).ok()?.number(), at + 2))
}

fn take(reader: &mut Reader<'_>, goals: Vec<Sdg>, tokens: std::ops::Range<usize>) {
    let said: Vec<String> = goals.iter().map(|goal| goal.number().to_string()).collect();
    goals.into_iter().for_each(|goal| reader.frame.sdgs.insert(goal));
    reader.claim(tokens, format!("SDG {}", said.join(" or ")), 0.97);
}

/// The goal whose name begins at a position; the longest name.
fn named(tokens: &Tokens, at: usize) -> Option<(Sdg, usize)> {
    GOALS
        .iter()
        .flat_map(|goal| {
            let names = goal.names.iter().map(String::as_str);
            tokens.any_phrase(at, names).map(|end| (goal.goal, end))
        })
        .max_by_key(|found| found.1)
}

fn named_before(tokens: &Tokens, end: usize) -> Option<(Sdg, usize)> {
    let mut end = end;
    while end > 0
        && tokens
            .free_at(end - 1)
            .is_some_and(|t| t.is_sign('(') || matches!(&*t.form, "goal" | "goals"))
    {
        end -= 1;
    }
    GOALS
        .iter()
        .flat_map(|goal| {
            let names = goal.names.iter().map(String::as_str);
            tokens.any_phrase_before(end, names).map(|start| (goal.goal, start))
        })
        .min_by_key(|found| found.1)
}

/// The title of a goal.
pub(super) fn title(goal: Sdg) -> &'static str {
    GOALS.iter().find(|known| known.goal == goal).map_or("", |known| known.title)
}
