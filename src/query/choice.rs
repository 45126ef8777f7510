//! Filters that ask for any of a few values, each declared once. What has more values than an interface lists, as
//! codes do, is no choice.

use crate::record::OrgSize;

/// The declaration of a choice.
#[derive(Debug)]
pub struct Definition {
    /// The parameter that asks for it, and its name among the arguments of an answer.
    pub name: &'static str,
    /// What the command line, the slot of a query and the chat call it.
    pub short_name: &'static str,
    /// What the parameter asks for, one sentence.
    pub description: &'static str,
    /// What the command line asks for, without a full stop.
    pub request: &'static str,
    /// The names of its values, as interfaces take them.
    pub values: &'static [&'static str],
    /// What a sentence says before the values that are asked for.
    pub lead: &'static str,
    /// What a sentence calls each value.
    pub words: &'static [&'static str],
    /// What an answer says where nobody's value is known, a clause.
    pub not_loaded: &'static str,
}

macro_rules! choices {
    ($(
        $(#[$about:meta])*
        $choice:ident in $field:ident: $value:ident = $name:literal {
            short_name: $short_name:literal, only_those: $request:literal,
            lead: $lead:literal, words: $words:expr,
            not_loaded: $not_loaded:literal,
        }
    )+) => {
        /// What has one of a few values.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Choice {
            $($(#[$about])* $choice,)+
        }

        impl Choice {
            /// Every choice, in the order in which interfaces list them.
            pub const ALL: [Self; CHOICES.len()] = [$(Self::$choice,)+];
        }

        const CHOICES: &[Definition] = &[$(Definition {
            name: $name,
            short_name: $short_name,
            description: concat!("Only nonprofits ", $request, "."),
            request: concat!("Only those ", $request),
            values: &$value::NAMES,
            lead: $lead,
            words: $words,
            not_loaded: $not_loaded,
        },)+];

        $(const _: () = assert!($words.len() == $value::ALL.len(), "each value has its words");)+

        /// The values that are asked for of every choice, any of them; empty asks nothing.
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct Choices {
            $($(#[$about])* pub $field: Vec<$value>,)+
        }

        impl Choices {
            /// The values asked for, as positions among those of the choice, in the order in which they were given.
            fn positions(&self, choice: Choice) -> Vec<usize> {
                match choice {
                    $(Choice::$choice => self.$field.iter().map(|value| *value as usize).collect(),)+
                }
            }
        }

        impl<'a, Names: IntoIterator<Item = &'a str>> FromIterator<(Choice, Names)> for Choices {
            /// Asks for the values of these names; there are no others.
            fn from_iter<Pairs: IntoIterator<Item = (Choice, Names)>>(pairs: Pairs) -> Self {
                let mut all = Self::default();
                for (choice, names) in pairs {
                    match choice {
                        $(Choice::$choice => {
                            all.$field = names.into_iter().filter_map($value::named).collect();
                        })+
                    }
                }
                all
            }
        }
    };
}

choices! {
    /// By what it spends or, where that is not known, takes in within a year.
    Size in sizes: OrgSize = "org_size" {
        short_name: "size", only_those: "of these sizes",
        lead: "of size", words: &OrgSize::NAMES,
        not_loaded: "nothing is loaded that tells sizes",
    }
}

impl Choice {
    /// What was declared of it.
    pub fn definition(self) -> &'static Definition {
        &CHOICES[self as usize]
    }
}

impl Choices {
    /// The choices of which something is asked.
    pub fn asked(&self) -> impl Iterator<Item = Choice> {
        Choice::ALL.into_iter().filter(|choice| !self.positions(*choice).is_empty())
    }

    /// The names of the values asked for, in the order in which they were given.
    pub fn names(&self, choice: Choice) -> Vec<&'static str> {
        let values = choice.definition().values;
        self.positions(choice).into_iter().map(|at| values[at]).collect()
    }

    /// Of each value of a choice, by its position, whether it is asked for.
    pub fn wanted(&self, choice: Choice) -> Vec<bool> {
        let asked = self.positions(choice);
        (0..choice.definition().values.len()).map(|at| asked.contains(&at)).collect()
    }

    /// What is asked of each, in a sentence: `of size Small or Medium`.
    pub fn descriptions(&self) -> impl Iterator<Item = String> {
        self.asked().map(|choice| {
            let Definition { lead, words, .. } = choice.definition();
            let words = self.positions(choice).into_iter().map(|at| words[at]);
            format!("{lead} {}", words.collect::<Vec<_>>().join(" or "))
        })
    }

    /// The choices of which another set of values is asked for than in `before`.
    #[must_use]
    pub fn beyond(&self, before: &Self) -> Self {
        let is_new = |choice: &Choice| self.names(*choice) != before.names(*choice);
        let new = Choice::ALL.into_iter().filter(is_new);
        new.map(|choice| (choice, self.names(choice))).collect()
    }

    /// What `explicit` asks, and of what it says nothing, what this asks.
    #[must_use]
    pub fn overridden_by(&self, explicit: &Self) -> Self {
        let names = |choice| match explicit.names(choice) {
            names if names.is_empty() => self.names(choice),
            names => names,
        };
        Choice::ALL.map(|choice| (choice, names(choice))).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(names: &[&'static str]) -> Choices {
        [(Choice::Size, names.to_vec())].into_iter().collect()
    }

    #[test]
    fn values_are_said_as_they_were_given_and_explicit_ones_win() {
        for (own, explicit, expected, said) in [
            (&[][..], &[][..], &[][..], None),
            (&["Small"], &[], &["Small"], Some("of size Small")),
            (&["Small"], &["Large"], &["Large"], Some("of size Large")),
            (
                &[],
                &["Super-Size", "Small"],
                &["Super-Size", "Small"],
                Some("of size Super-Size or Small"),
            ),
            (&[], &["small"], &[], None),
        ] {
            let merged = sizes(own).overridden_by(&sizes(explicit));
            assert_eq!(merged.names(Choice::Size), expected, "{own:?} {explicit:?}");
            assert_eq!(merged.descriptions().next().as_deref(), said);
            let is_wanted = OrgSize::ALL.map(|size| expected.contains(&size.name()));
            assert_eq!(merged.wanted(Choice::Size), is_wanted);
        }
    }
}
