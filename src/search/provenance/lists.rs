//! Values of the lists beside the master file, and what its codes tell.

use super::{OfRow, Provenance, TracedNonprofit};
use crate::record::{LatestFiling, Origin};
use crate::sources::SourceKind;
use crate::taxonomy::{Cause, CauseEvidence};

impl TracedNonprofit<'_> {
    /// What follows from its NTEE code or, without one, from another column of the master file.
    pub(super) fn of_cause(
        &self,
        of_code: &'static str,
        of_column: &'static str,
    ) -> Provenance<'_> {
        if let Origin::Approval { .. } = self.organization.origins.ntee {
            return self.of_own_source(SourceKind::Approvals, "Nteecode", Some(of_code));
        }
        let cause = Cause::of(&self.organization);
        let evidence = cause.map_or(CauseEvidence::Filed, |cause| cause.evidence);
        let derived = if evidence == CauseEvidence::Filed { of_code } else { of_column };
        self.of_row(&OfRow { column: evidence.column(), stated: None, derived: Some(derived) })
    }

    /// A value of the index of e-filed returns.
    pub(super) fn indexed(&self, column: &'static str) -> Provenance<'_> {
        let latest = self.organization.latest_filing.as_ref();
        let period = latest.and_then(LatestFiling::tax_period);
        let derived = (column == "OBJECT_ID").then_some("by the number of the return");
        Provenance { period, ..self.of_own_source(SourceKind::FilingIndex, column, derived) }
    }
}
