//! Sustainable Development Goals, by number and by name (`data/goals.tsv`).

use std::sync::LazyLock;

use super::phrases;
use super::token::{Tokens, number_named};
use crate::naming::normalise;
use crate::record::{Sdg, SdgSet};
use crate::table::table;

/// A goal.
#[derive(Debug)]
struct Goal {
    goal: Sdg,
    title: &'static str,
    /// Title and other names, in normal form.
    names: Vec<String>,
}

static GOALS: LazyLock<Vec<Goal>> =
    LazyLock::new(|| table!("data/goals.tsv").each(parse).collect());

fn parse([number, title, others]: [&'static str; 3]) -> Option<Goal> {
    let goal = Sdg::new(number.parse().ok()?).ok()?;
    let others = others.split('|').filter(|name| !name.is_empty()).map(str::to_owned);
    let names = others.chain([normalise(title)]).collect();
    Some(Goal { goal, title, names })
}

/// The goals of a text that is known to name some: by number in digits, by name, or by number in words.
pub(super) fn goals_in(text: &str) -> SdgSet {
    let tokens = Tokens::of(text);
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let in_digits = numbers(&tokens, |form| form.trim_start_matches(is_letter).parse().ok());
    if !in_digits.is_empty() {
        return in_digits;
    }
    let goals: SdgSet = tokens.scan(|at| named_at(&tokens, at)).into_iter().collect();
    if goals.is_empty() { numbers(&tokens, number_named) } else { goals }
}

/// Every goal whose number, glued to `sdg` or not, a text has; `1-3` is three.
fn numbers(tokens: &Tokens, number: impl Fn(&str) -> Option<f64>) -> SdgSet {
    let mut goals = SdgSet::default();
    let goal_at = |at: usize| {
        let number = number(tokens.form(at))?;
        let goal = Sdg::new(number as i64).ok()?;
        (f64::from(goal.number()) == number).then_some(goal)
    };
    for at in 0..tokens.len() {
        let Some(first) = goal_at(at) else { continue };
        goals.insert(first);
        let joins = phrases::has("range joint", tokens.form(at + 1));
        if let Some(last) = goal_at(at + 2).filter(|_| joins) {
            let between = first.number()..last.number();
            between.filter_map(|goal| Sdg::new(goal.into()).ok()).for_each(|g| goals.insert(g));
        }
    }
    goals
}

/// The tokens of goals that begin at one: what announces goals and their numbers or a name, on either
/// side; or a name that is nothing else.
pub(super) fn goals_at(tokens: &Tokens, at: usize) -> Option<std::ops::Range<usize>> {
    let lead = |at: usize| tokens.any_phrase(at, phrases::of("goal"));
    if let Some((_, end)) = named_at(tokens, at) {
        let alone = tokens.any_phrase(at, phrases::of("goal alone"));
        return lead(end).or(alone).map(|end| at..end);
    }
    let is_glued = |at: usize| {
        let form = tokens.form(at);
        let number = form.trim_start_matches("sdg").trim_start_matches("ods");
        number != form && number.parse::<u8>().is_ok()
    };
    let is_number = |at: usize| tokens.number_at(at).is_some() || is_glued(at);
    let mut end = lead(at).or(is_glued(at).then_some(at))?;
    let first = end;
    while let Some(token) = tokens.get(end) {
        if let Some((_, behind)) = named_at(tokens, end).filter(|_| end == first) {
            return Some(at..behind);
        }
        let goes_on =
            is_number(end) || token.is_joint() || phrases::has("before goal", &token.form);
        if !goes_on {
            break;
        }
        end += 1;
    }
    while end > first && !is_number(end - 1) {
        end -= 1;
    }
    Some(at..end)
}

/// The goal whose name begins at a position, the longest name, and where it ends.
fn named_at(tokens: &Tokens, at: usize) -> Option<(Sdg, usize)> {
    GOALS
        .iter()
        .filter_map(|goal| {
            let names = goal.names.iter().map(String::as_str);
            tokens.any_phrase(at, names).map(|end| (goal.goal, end))
        })
        .max_by_key(|found| found.1)
}

/// Goals by their numbers, in words.
pub(super) fn numbers_in_words(goals: SdgSet) -> String {
    let numbers: Vec<String> = goals.iter().map(|goal| goal.number().to_string()).collect();
    format!("SDG {}", numbers.join(" or "))
}

/// The title of a goal.
pub(super) fn title(goal: Sdg) -> &'static str {
    GOALS.iter().find(|known| known.goal == goal).map_or("", |known| known.title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_name_goals() {
        for (text, expected) in [
            ("SDG 4", vec![4]),
            ("sdg16, 3", vec![3, 16]),
            ("sdgs 1-3", vec![1, 2, 3]),
            ("zero hunger goal", vec![2]),
            ("Life Below Water (SDG 14)", vec![14]),
            ("goal six", vec![6]),
            ("SDG 21", vec![]),
        ] {
            let goals: Vec<u8> = goals_in(text).iter().map(Sdg::number).collect();
            assert_eq!(goals, expected, "{text}");
        }
    }
}
