//! Form 990-N: no bytes make its reader panic, and what it finds stands in rising lines.

#![no_main]

use almoner::irs::{Event, Kind, ReadError, read_bytes};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut last = 0;
    let _ = read_bytes(Kind::Postcard, "fuzz", bytes, &mut |event| {
        let line = match event {
            Event::Row { line, .. } => line,
            Event::Reject(reject) => reject.line,
            Event::Progress { .. } => return Ok::<_, ReadError>(()),
        };
        assert!(line > last);
        last = line;
        Ok(())
    });
});
