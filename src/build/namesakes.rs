//! Rows of lists that may be of others than who has their EIN in the master file.

use super::arena::{Arena, ArenaError, ArenaOffset};
use super::gather::{ByEin, keyed};
use crate::irs::{ListRow, MasterRow};
use crate::matching::may_be_one;
use crate::sources::Summary;

/// What a row is counted under that was left out for its name.
const OTHER_NAME: &str = "a name that the master file does not have";

/// Leaves out rows under names that the master file does not have: of others, or of what an
/// organization was before.
pub(super) fn left_out(
    rows: Vec<ByEin<ArenaOffset>>,
    master: &[ByEin<ArenaOffset>],
    arena: &Arena,
    sources: &mut [Summary],
) -> Result<Vec<ByEin<ArenaOffset>>, ArenaError> {
    let mut agreeing = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(of_master) = keyed(master, row.ein) else { continue };
        let known: MasterRow = arena.get(of_master.value)?;
        let mut names = [Some(&known.name), known.sort_name.as_ref()].into_iter().flatten();
        let listed: ListRow = arena.get(row.value)?;
        if listed.name().is_none_or(|name| names.any(|known| may_be_one(name, known))) {
            agreeing.push(row);
        } else {
            let warnings = &mut sources[row.source as usize].warnings;
            *warnings.entry(OTHER_NAME.to_owned()).or_default() += 1;
        }
    }
    Ok(agreeing)
}
