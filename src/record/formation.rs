//! What an organization said of itself when it applied for its exemption.

use serde::{Deserialize, Serialize};

use super::{Date, State, named};

named! {
    /// A purpose of section 501(c)(3), as Form 1023-EZ offers them.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    Purpose {
        Charitable = "charitable",
        Religious = "religious",
        Educational = "educational",
        Scientific = "scientific",
        Literary = "literary",
        PublicSafety = "testing for public safety",
        AmateurSports = "amateur sports competition",
        CrueltyPrevention = "prevention of cruelty to children or animals",
    }
}

/// How an organization was formed and for what, from Form 1023-EZ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formation {
    /// When it was incorporated, or else formed.
    pub incorporated: Option<Date>,
    /// Where; `None` abroad.
    pub state: Option<State>,
    /// In the order of the form; often several.
    pub purposes: Vec<Purpose>,
}

impl Formation {
    /// The names of its purposes.
    pub fn purpose_names(&self) -> Vec<&'static str> {
        self.purposes.iter().map(|purpose| purpose.name()).collect()
    }
}
