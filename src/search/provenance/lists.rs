//! Values of the lists beside the master file, and what its codes tell.

use super::{OfRow, Provenance, TracedNonprofit};
use crate::record::{LatestFiling, Organization, Origin};
use crate::sources::SourceKind;
use crate::taxonomy::{Cause, CauseEvidence};

impl TracedNonprofit<'_> {
    /// What follows from its NTEE code or, without one, from another column of the master file.
    pub(super) fn of_cause(
        &self,
        of_code: &'static str,
        of_column: &'static str,
    ) -> Provenance<'_> {
        if let Origin::Approval { source } = self.organization.origins.ntee {
            return self.approved(source, "Nteecode", Some(of_code));
        }
        let cause = Cause::of(&self.organization);
        let evidence = cause.map_or(CauseEvidence::Filed, |cause| cause.evidence);
        let derived = if evidence == CauseEvidence::Filed { of_code } else { of_column };
        self.of_row(&OfRow { column: evidence.column(), stated: None, derived: Some(derived) })
    }

    /// A value of the Form 1023-EZ approvals.
    pub(super) fn approved(
        &self,
        source: u32,
        column: &'static str,
        derived: Option<&'static str>,
    ) -> Provenance<'_> {
        Provenance { derived, ..self.listed(SourceKind::Approvals, source, column) }
    }

    /// A value of the index of e-filed returns.
    pub(super) fn indexed(&self, column: &'static str) -> Provenance<'_> {
        let Organization { latest_filing, origins, .. } = &self.organization;
        let period = latest_filing.as_ref().and_then(LatestFiling::tax_period);
        let source = match origins.latest_filing {
            Origin::Index { source } => self.source(source),
            _ => self.of_kind(SourceKind::FilingIndex),
        };
        let derived = (column == "OBJECT_ID").then_some("by the number of the return");
        let column = Some(column);
        Provenance {
            column,
            period,
            derived,
            ..Provenance::within(SourceKind::FilingIndex, source)
        }
    }
}
