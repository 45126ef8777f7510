//! What organizations said when they applied for their exemption, where nothing later says it.

use super::arena::{Arena, ArenaError, ArenaOffset};
use super::gather::{ByEin, keyed};
use crate::irs::{ApprovalRow, MasterRow};
use crate::matching::may_be_one;
use crate::record::{Organization, Origin};
use crate::sources::Summary;

/// What a row of approvals is counted under that was left out for its name.
const OTHER_NAME: &str = "a name that the master file does not have";

/// Leaves out approvals under names that the master file does not have: of others, or of what an
/// organization was before.
pub(super) fn of_the_same_name(
    approvals: Vec<ByEin<ArenaOffset>>,
    master: &[ByEin<ArenaOffset>],
    arena: &Arena,
    sources: &mut [Summary],
) -> Result<Vec<ByEin<ArenaOffset>>, ArenaError> {
    let mut agreeing = Vec::with_capacity(approvals.len());
    for approval in approvals {
        let Some(of_master) = keyed(master, approval.ein) else { continue };
        let row: MasterRow = arena.get(of_master.value)?;
        let ApprovalRow { name, .. } = arena.get(approval.value)?;
        let mut names = [Some(row.name.as_str()), row.sort_name.as_deref()].into_iter().flatten();
        if names.any(|known| may_be_one(&name, known)) {
            agreeing.push(approval);
        } else {
            let warnings = &mut sources[approval.source as usize].warnings;
            *warnings.entry(OTHER_NAME.to_owned()).or_default() += 1;
        }
    }
    Ok(agreeing)
}

/// Completes an organization by what it said on Form 1023-EZ; what is known from elsewhere stays.
pub(super) fn complete(organization: &mut Organization, approval: ApprovalRow, source: u32) {
    let origins = &mut organization.origins;
    let said_here = Origin::Approval { source };
    fill(&mut organization.summary, approval.mission, &mut origins.summary, said_here);
    fill(&mut organization.website, approval.website, &mut origins.website, said_here);
    let code = approval.ntee.filter(|code| !code.is_unknown());
    fill(&mut organization.ntee, code, &mut origins.ntee, said_here);
    let year = approval.formation.incorporated.map(|day| day.year());
    fill(&mut organization.year_formed, year, &mut origins.year_formed, said_here);
    organization.formation = Some(Box::new(approval.formation));
    origins.formation = said_here;
}

/// Fills a value that is not known.
fn fill<Value>(
    known: &mut Option<Value>,
    said: Option<Value>,
    origin: &mut Origin,
    said_here: Origin,
) {
    if known.is_none() && said.is_some() {
        (*known, *origin) = (said, said_here);
    }
}
