//! Returns: no bytes make their reader panic.

#![no_main]

mod reader;

use almoner::sources::SourceKind;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reader::check(SourceKind::Returns, bytes));
