//! What every fuzz target of a reader holds.

use almoner::sources::{Event, SourceKind, ReadError, read_bytes};

/// Reads bytes as a source: no bytes make the reader panic, and what it finds stands in rising
/// lines. A source that cannot be read to its end is no finding.
pub fn check(kind: SourceKind, bytes: &[u8]) {
    let mut last = 0;
    let ein = "170000001".parse().ok();
    let _ = read_bytes(kind, "fuzz", ein, bytes, &mut |event| {
        let line = match event {
            Event::Record { line, .. } => line,
            Event::Reject(reject) => reject.line,
            Event::Progress { .. } => return Ok::<_, ReadError>(()),
        };
        // Several entries of a feed may stand in one line.
        assert!(line > last || kind == SourceKind::Feed && line == last);
        last = line;
        Ok(())
    });
}
