//! The policy: which handler answers an act, and what it needs of the conversation. The first
//! matching row decides.

use super::{Answer, SearchError, Turn};
use crate::reader::DialogueAct as Act;

/// What an act needs of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Nothing,
    /// Nonprofits that were shown.
    Shown,
    /// A list before the last.
    Earlier,
    /// A query or a list that can be continued.
    Continued,
}

/// A handler of messages.
type AnswerFn = fn(Turn<'_>) -> Result<Answer, SearchError>;

/// A row of the table.
pub(super) struct Rule {
    pub(super) acts: &'static [Act],
    pub(super) needs: Need,
    pub(super) answer: AnswerFn,
}

const fn rule(acts: &'static [Act], needs: Need, answer: AnswerFn) -> Rule {
    Rule { acts, needs, answer }
}

/// The table. A message without a matching row is searched for.
pub(super) static POLICY: &[Rule] = &[
    rule(&[Act::Hello], Need::Nothing, |turn| turn.courtesy("hello")),
    rule(&[Act::Thanks], Need::Nothing, |turn| turn.courtesy("thanks")),
    rule(&[Act::Bye], Need::Nothing, |turn| turn.courtesy("bye")),
    rule(&[Act::Reset], Need::Nothing, |turn| turn.reset()),
    rule(&[Act::Help], Need::Nothing, |turn| turn.help()),
    rule(&[Act::Knowledge], Need::Nothing, |turn| turn.knowledge()),
    rule(&[Act::Articles], Need::Nothing, |turn| turn.on_articles()),
    rule(&[Act::Source], Need::Nothing, |turn| turn.source()),
    rule(&[Act::Why], Need::Shown, |turn| turn.why()),
    rule(&[Act::Why], Need::Nothing, |turn| turn.knowledge()),
    rule(&[Act::Return], Need::Earlier, |turn| turn.go_back()),
    rule(&[Act::More], Need::Continued, |turn| turn.more()),
    rule(&[Act::Compare], Need::Nothing, |turn| turn.compare()),
    rule(&[Act::Most], Need::Nothing, |turn| turn.most()),
    rule(&[Act::Which], Need::Shown, |turn| turn.which()),
    rule(&[Act::Count], Need::Nothing, |turn| turn.count()),
    rule(&[Act::Total], Need::Nothing, |turn| turn.total()),
    rule(&[Act::Similar], Need::Nothing, |turn| turn.similar()),
    rule(&[Act::Funders], Need::Nothing, |turn| turn.funders_or_list()),
    rule(&[Act::Other], Need::Nothing, |turn| turn.other()),
    rule(&[Act::Search, Act::Change, Act::Which, Act::Return, Act::More], Need::Nothing, |turn| {
        turn.search()
    }),
    // Every other act is a fact.
    rule(Act::ALL.as_slice(), Need::Nothing, |turn| turn.facts()),
];

impl Turn<'_> {
    /// The answer of the first matching row.
    pub(super) fn by_policy(self) -> Result<Answer, SearchError> {
        let act = self.request.act();
        let has = |need| match need {
            Need::Nothing => true,
            Need::Shown => !self.conversation.nonprofits.is_empty(),
            Need::Earlier => !self.conversation.earlier.is_empty(),
            Need::Continued => self.conversation.rows > 0 || self.conversation.entry.is_some(),
        };
        match POLICY.iter().find(|rule| rule.acts.contains(&act) && has(rule.needs)) {
            Some(rule) => (rule.answer)(self),
            None => self.search(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_act_has_an_answer_without_a_conversation() {
        for act in Act::ALL {
            let answers = |rule: &Rule| rule.acts.contains(&act) && rule.needs == Need::Nothing;
            assert!(POLICY.iter().any(answers), "{}", act.name());
        }
    }

    #[test]
    fn no_row_stands_behind_one_that_takes_its_acts() {
        for (at, rule) in POLICY.iter().enumerate() {
            let taken = |act: &Act| {
                POLICY[..at].iter().any(|before| {
                    before.acts.contains(act)
                        && (before.needs == Need::Nothing || before.needs == rule.needs)
                })
            };
            assert!(!rule.acts.iter().all(taken), "row {at}");
        }
    }
}
