//! Curated records: no bytes make their reader panic, and what it finds stands in rising lines.

#![no_main]

mod reader;

use almoner::sources::SourceKind;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reader::check(SourceKind::Curated, bytes));
