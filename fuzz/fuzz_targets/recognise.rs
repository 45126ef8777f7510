//! Recognition: no bytes make it panic, and a source that it names is read without an error.

#![no_main]

use almoner::irs;
use almoner::sources::{Content, HEAD_BYTES, ReadError, read_bytes, recognise};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    if let Ok(Content::Known(kind)) = recognise(head) {
        // A header repeated further on may lack columns; the first one may not.
        match read_bytes(kind, "fuzz", None, bytes, &mut |_| Ok::<_, ReadError>(())) {
            Ok(()) => {}
            Err(ReadError::Header { error: irs::ReadError::MissingColumns { line, .. }, .. }) => {
                assert!(line > 1);
            }
            Err(error) => panic!("{error}"),
        }
    }
});
