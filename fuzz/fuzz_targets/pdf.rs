//! PDF reports: no bytes make their reader panic or go on without end.

#![no_main]

use almoner::reports::{Limits, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let bytes = [b"%PDF-", bytes].concat();
    if let Ok(report) = read(&bytes, &Limits::default()) {
        assert!(report.passages.iter().all(|passage| (1..=report.pages).contains(&passage.page)));
    }
});
