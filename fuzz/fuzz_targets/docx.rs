//! Reports that are Word documents: no bytes make their reader panic, whatever the parts of the ZIP file say.

#![no_main]

use std::io::{Cursor, Write};

use almoner::reports::{Limits, read};
use libfuzzer_sys::fuzz_target;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fuzz_target!(|bytes: &[u8]| {
    // As a whole, and as the XML within a document that is whole.
    let _ = read(bytes, &Limits::default());
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["word/styles.xml", "word/document.xml"] {
        archive.start_file(name, SimpleFileOptions::default()).expect("names are valid");
        archive.write_all(bytes).expect("memory can be written");
    }
    let document = archive.finish().expect("memory can be written").into_inner();
    let _ = read(&document, &Limits::default());
});
