//! Filters by what is so of a nonprofit or not, each declared once.

/// The declaration of a flag.
#[derive(Debug)]
pub struct Definition {
    /// The parameter that asks for it, and its name among the arguments of an answer.
    pub name: &'static str,
    /// What the parameter asks for, one sentence; where no parameter does, empty.
    pub description: &'static str,
    /// What the slot of a query that says it is called.
    pub slot: &'static str,
    /// What a sentence says where it is asked for, and where its opposite is.
    pub said: [&'static str; 2],
    /// What an answer says where it is not known of anybody, a clause.
    pub not_loaded: &'static str,
    /// What must be so of whom it is asked of; of all others it is neither so nor not so.
    pub asked_of: Option<Flag>,
}

macro_rules! flags {
    ($($(#[$about:meta])* $flag:ident = $definition:expr;)+) => {
        /// What is so of a nonprofit, is not so, or is not known.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Flag {
            $($(#[$about])* $flag,)+
        }

        impl Flag {
            /// Every flag.
            pub const ALL: [Self; FLAGS.len()] = [$(Self::$flag,)+];
        }

        const FLAGS: &[Definition] = &[$($definition,)+];
    };
}

flags! {
    /// It is a private foundation.
    Foundation = Definition {
        name: "foundation",
        description: "Only private foundations, or none of them; whose foundation code is not known is in \
                      neither.",
        slot: "foundations",
        said: ["private foundations only", "no private foundations"],
        not_loaded: "no list that is loaded says who is a private foundation",
        asked_of: None,
    };
    /// It is a private operating foundation; of who is no private foundation it is not asked.
    Operating = Definition {
        name: "operating",
        description: "Only private operating foundations, or only private foundations that are not; who is no private \
                      foundation, or whose foundation code is not known, is in neither.",
        slot: "kinds of foundations",
        said: ["private operating foundations only", "private non-operating foundations only"],
        not_loaded: "no list that is loaded says which foundations operate programs of their own",
        asked_of: Some(Flag::Foundation),
    };
    /// It is a church.
    Church = Definition {
        name: "church",
        description: "Only churches by the IRS's code, synagogues, mosques and the like included, or none of them; \
                      whose code is not known is in neither.",
        slot: "churches",
        said: ["churches only", "no churches"],
        not_loaded: "no list that is loaded says who is a church",
        asked_of: None,
    };
    /// It applied for its exemption on Form 1023-EZ.
    Form1023Ez = Definition {
        name: "form_1023ez",
        description: "Only nonprofits that the loaded lists of approvals of Form 1023-EZ, the short application for \
                      exemption, name; or only those that none of them does.",
        slot: "applications",
        said: ["exempt by Form 1023-EZ", "not exempt by Form 1023-EZ"],
        not_loaded: "no list of approvals of Form 1023-EZ is loaded, so how exemption was applied for was not checked",
        asked_of: None,
    };
    /// A return of it is loaded as filed.
    HasReturn = Definition {
        name: "has_return",
        description: "Only nonprofits of which a return is loaded as filed, or only those of which none is.",
        slot: "returns",
        said: ["with a loaded return", "without a loaded return"],
        not_loaded: "no return is loaded",
        asked_of: None,
    };
    /// Contributions to it are deductible.
    Deductible = Definition {
        name: "deductible_donations",
        description: "Only (or only not) nonprofits contributions to which are deductible, which those to a \
                      revoked one are not; of which no list says is in neither.",
        slot: "deductibility",
        said: ["contributions deductible", "contributions not deductible"],
        not_loaded: "no list that is loaded says whether contributions are deductible",
        asked_of: None,
    };
    /// Its exemption was revoked and not reinstated.
    Inactive = Definition {
        name: "inactive",
        description: "",
        slot: "standing",
        said: ["exemption revoked", "exemption not revoked"],
        not_loaded: "no revocation list is loaded, so whether an exemption was revoked was not checked",
        asked_of: None,
    };
    /// The operator marked it as vetted.
    Vetted = Definition {
        name: "gc_vetted",
        description: "Only nonprofits that the operator marked as vetted, or none of them.",
        slot: "vetting",
        said: ["vetted", "not vetted"],
        not_loaded: "the operator's records do not say which nonprofits are vetted",
        asked_of: None,
    };
    /// The operator has a video of it.
    Video = Definition {
        name: "video",
        description: "Only nonprofits of which the operator has a video; or of what it has said something of, \
                      those without one.",
        slot: "video",
        said: ["with a video", "without a video"],
        not_loaded: "the operator's records name no videos",
        asked_of: None,
    };
}

impl Flag {
    /// What was declared of it.
    pub const fn definition(self) -> &'static Definition {
        &FLAGS[self as usize]
    }

    /// The flag of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|flag| flag.definition().name == name)
    }

    /// What it is in a sentence that asks for it.
    pub fn description(self) -> &'static str {
        self.definition().said[0]
    }

    /// What it is in a sentence that asks for its opposite.
    pub fn negated_description(self) -> &'static str {
        self.definition().said[1]
    }
}

of_each! {
    /// What is asked of every flag: that it is so, that it is not so, or nothing.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    Flags of Flag: Option<bool>
}

impl Flags {
    /// The flags of which something is asked.
    pub fn asked(&self) -> impl Iterator<Item = (Flag, bool)> {
        self.iter().filter_map(|(flag, asked)| Some((flag, asked?)))
    }

    /// The same without those that another one implies.
    pub fn told(&self) -> impl Iterator<Item = (Flag, bool)> {
        let is_implied =
            |flag: Flag| self.asked().any(|(other, _)| other.definition().asked_of == Some(flag));
        self.asked().filter(move |(flag, asked)| !(*asked && is_implied(*flag)))
    }

    /// What is asked of each, in a sentence.
    pub fn descriptions(&self) -> impl Iterator<Item = &'static str> {
        self.told().map(|(flag, asked)| match asked {
            true => flag.description(),
            false => flag.negated_description(),
        })
    }

    /// What `explicit` asks, and of what it says nothing, what this asks.
    #[must_use]
    pub fn overridden_by(&self, explicit: &Self) -> Self {
        self.iter().map(|(flag, own)| (flag, explicit[flag].or(own))).collect()
    }
}

impl<const N: usize> From<[(Flag, bool); N]> for Flags {
    /// Asks of these flags; of the others nothing.
    fn from(asked: [(Flag, bool); N]) -> Self {
        asked.into_iter().map(|(flag, asked)| (flag, Some(asked))).collect()
    }
}
