//! ZIP files: no bytes make discovery or a reader of what it finds panic.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use almoner::sources::{ReadError, discover, read};
use libfuzzer_sys::fuzz_target;

/// Where the bytes lie while they are read: ZIP files are read at random, so from a file.
static PATH: LazyLock<PathBuf> = LazyLock::new(|| {
    std::env::temp_dir().join(format!("almoner-fuzz-{}.zip", std::process::id()))
});

fuzz_target!(|bytes: &[u8]| {
    std::fs::write(&*PATH, bytes).expect("the temporary folder is writable");
    let Ok(found) = discover(std::slice::from_ref(&*PATH), "170000001".parse().ok()) else { return };
    for source in &found.sources {
        // What is damaged further in is an error, and no finding.
        let _ = read(source, &mut |_| Ok::<_, ReadError>(()));
    }
});
