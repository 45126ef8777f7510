//! A private foundation's statement on applications for grants: Form 990-PF, Part XIV (Part XV
//! before 2022), line 2.

use serde::{Deserialize, Serialize};

/// Whether and how a private foundation takes applications.
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

/// How to apply, as filed. Texts are trimmed and of one line; what is not stated is `None`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Application {
    /// Name of the person or office to apply to.
    pub addressee: Option<String>,
    /// Street, city, state or province, ZIP or postal code, country, joined by commas.
    pub address: Option<String>,
    pub phone: Option<String>,
    pub email: Option<String>,
    /// Form of applications, and what they should contain (line 2b).
    pub form: Option<String>,
    /// Deadlines (line 2c).
    pub deadlines: Option<String>,
    /// Restrictions by place, field or kind of institution (line 2d).
    pub restrictions: Option<String>,
}
