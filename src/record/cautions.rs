//! What the IRS's file says of an exemption beyond its section, for whoever relies on it.

use super::{Exemption, Subsection};

/// STATUS of a conditional exemption, of a trust described in section 4947(a)(2), and of an organization that ends its
/// status as a private foundation. Source: IRS, Exempt Organizations Business Master File, information sheet.
const STATUS_CONDITIONAL: u8 = 2;
const STATUS_SPLIT_INTEREST: u8 = 12;
const STATUS_TERMINATING: u8 = 25;
const SPLIT_INTEREST_SECTION: &str = "4947(a)(2)";

/// FOUNDATION of a supporting organization of no stated type, and of a Type III that is not functionally integrated.
const FOUNDATION_SUPPORTING: u8 = 17;
const FOUNDATION_TYPE_III: u8 = 24;

impl Exemption {
    /// The section of the tax code that describes it, as people write it: that of its subsection, or `4947(a)(2)` of a
    /// split-interest trust, whose subsection says otherwise.
    pub fn section(&self) -> Option<String> {
        match self.is_split_interest_trust() {
            true => Some(SPLIT_INTEREST_SECTION.to_owned()),
            false => self.subsection.and_then(Subsection::section),
        }
    }

    /// Whether it is a trust described in section 4947(a)(2), which is not exempt.
    pub fn is_split_interest_trust(&self) -> bool {
        self.status == Some(STATUS_SPLIT_INTEREST)
    }

    /// What the IRS's file says of its standing beyond the section, a clause each: that it is no exemption, that it is
    /// conditional or ending, and what a private foundation must mind that makes a grant to it.
    pub fn cautions(&self) -> Vec<&'static str> {
        let of_section = match self.subsection {
            _ if self.is_split_interest_trust() => Some(
                "the IRS's file has it as a split-interest trust (section 4947(a)(2), status code 12), which is no exemption",
            ),
            Some(code) if !code.is_exemption() => Some(
                "a charitable trust under section 4947 is not exempt; one under 4947(a)(1) is treated as a private foundation \
                 unless it qualifies as a public charity",
            ),
            _ => None,
        };
        let of_status = match self.status {
            Some(STATUS_CONDITIONAL) => Some("its exemption is conditional (status code 02)"),
            Some(STATUS_TERMINATING) => Some(
                "it is ending its status as a private foundation (status code 25, section 507(b)(1)(B)): a private \
                 foundation that makes a grant to it must find out whether it has to exercise expenditure responsibility",
            ),
            _ => None,
        };
        [of_section, of_status, self.caution_of_class()].into_iter().flatten().collect()
    }

    /// What a private foundation must mind of its class that makes a grant to it, as a clause; `None` of other public charities.
    pub fn caution_of_class(&self) -> Option<&'static str> {
        let class = self.foundation?;
        match class.number() {
            FOUNDATION_TYPE_III => Some(
                "it is a Type III supporting organization that is not functionally integrated: a private foundation's grant \
                 to it needs expenditure responsibility and is no qualifying distribution, and a donor-advised fund's is a \
                 taxable distribution without it",
            ),
            FOUNDATION_SUPPORTING => Some(
                "it is a supporting organization of which the IRS's file does not state the type: a private foundation must \
                 find out first that it is not Type III without functional integration",
            ),
            // Of one that is ending that status its status says more.
            _ if self.status == Some(STATUS_TERMINATING) => None,
            _ => class.is_private_foundation().then_some(
                "it is a private foundation: for a grant to it, not for a gift, another private foundation has to exercise expenditure \
                 responsibility",
            ),
        }
    }
}
