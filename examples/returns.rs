//! Prints what is read of Form 990 returns, a line of JSON each: `scripts/money_check.py` compares it.
//!
//! ```sh
//! cargo run --release --example returns -- FILES...
//! ```

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::Path;

use almoner::irs::efile;
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    for file in std::env::args().skip(1) {
        let bytes = std::fs::read(&file)?;
        let name = Path::new(&file).file_name().unwrap_or_default().to_string_lossy();
        let line = match efile::read(bytes.as_slice(), &name) {
            Ok(efile::Return { filing, schedules, unreadable }) => {
                json!({ "file": file, "filing": filing, "schedules": schedules, "unreadable": unreadable })
            }
            Err(error) => json!({ "file": file, "error": error.to_string() }),
        };
        println!("{line}");
    }
    Ok(())
}
