//! Whether and how a private foundation takes applications for grants.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether and how a private foundation takes applications for grants: Form 990-PF, Part XIV (Part XV before 2022),
/// line 2.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Posture {
    /// Whether it ticks that it gives to preselected charities only and accepts no unsolicited
    /// requests.
    pub only_preselected: bool,
    /// Where and how to apply, one for each programme that it describes.
    pub applications: Vec<Application>,
}

impl Posture {
    /// Whether it takes applications: what it ticks and describes; `None` where it does neither.
    pub fn accepts_applications(&self) -> Option<bool> {
        match (self.only_preselected, self.applications.is_empty()) {
            (true, _) => Some(false),
            (false, false) => Some(true),
            (false, true) => None,
        }
    }
}

/// How to apply, as filed.
#[derive(Debug, Clone, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "HowToApply")]
pub struct Application {
    /// Name of the person or office to apply to; null where it is not stated.
    pub addressee: Option<String>,
    /// Street, city, state, ZIP code and country; null where it is not stated.
    pub address: Option<String>,
    /// Telephone number; null where it is not stated.
    pub phone: Option<String>,
    /// Email address; null where it is not stated.
    pub email: Option<String>,
    /// Form of applications and what they should contain; null where it is not stated.
    pub form: Option<String>,
    /// Deadlines; null where they are not stated.
    pub deadlines: Option<String>,
    /// Restrictions by place, field or kind of institution; null where they are not stated.
    pub restrictions: Option<String>,
}
