//! The operator's own records of nonprofits, which win over every other source.

use serde::{Deserialize, Serialize};

use super::{Ein, OrgSize, SdgSet};

/// The decimal number that was written, of one stored in 32 bits: 87.3 and not the 87.30000305
/// nearest to it. Exact to four decimals.
pub fn as_written(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4
}

/// An overlay; what is `None` says nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overlay {
    pub ein: Ein,
    /// Whether the operator vetted it.
    pub vetted: Option<bool>,
    /// Address of a picture.
    pub logo: Option<String>,
    pub video_url: Option<String>,
    pub donation_url: Option<String>,
    pub impact_summary: Option<String>,
    /// 0 to 100.
    pub score: Option<f32>,
    /// 0 to 4.
    pub rating: Option<f32>,
    pub size: Option<OrgSize>,
    pub sdgs: Option<SdgSet>,
    pub summary: Option<String>,
    pub url: Option<String>,
    pub alt_name: Option<String>,
}
