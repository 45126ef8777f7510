//! Lists that are matched, in any encoding: no bytes make their reader panic or give a row of nothing.

#![no_main]

use almoner::cli::list_rows;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(rows) = list_rows(bytes.to_vec()) {
        assert!(rows.iter().all(|row| !row.is_empty()));
    }
});
