//! What every fuzz target of a reader holds.

use almoner::irs::{Event, Kind, ReadError, read_bytes};

/// Reads bytes as a source: no bytes make the reader panic, and what it finds stands in rising
/// lines. A source that cannot be read to its end is no finding.
pub fn check(kind: Kind, bytes: &[u8]) {
    let mut last = 0;
    let _ = read_bytes(kind, "fuzz", bytes, &mut |event| {
        let line = match event {
            Event::Row { line, .. } => line,
            Event::Reject(reject) => reject.line,
            Event::Progress { .. } => return Ok::<_, ReadError>(()),
        };
        assert!(line > last);
        last = line;
        Ok(())
    });
}
