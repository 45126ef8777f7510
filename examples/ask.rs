//! Builds a snapshot of the IRS's files and asks it, as a program that embeds Almoner would.
//!
//! ```sh
//! cargo run --release --example ask -- DATA_DIR "food banks in Vermont" FILES...
//! ```
//!
//! Without `FILES` the snapshot that is already in `DATA_DIR` is asked.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::PathBuf;

use almoner::{BuildOptions, Nonprofits, build};

/// Rows shown of each list.
const ROWS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(data_dir), Some(query)) = (arguments.next(), arguments.next()) else {
        return Err("usage: ask DATA_DIR QUERY [FILES...]".into());
    };
    let files: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if !files.is_empty() {
        let report = build(&BuildOptions::new(&data_dir, files).without_embeddings())?;
        println!("built {} with {} nonprofits", report.snapshot, report.organizations);
    }

    let nonprofits = Nonprofits::open(data_dir.as_ref())?;
    let found = nonprofits.search(&query, 1, ROWS)?;
    println!("{}", found.message);
    for organization in &found.organizations {
        println!("  {} {}", organization.ein, organization.name);
    }

    let Some(first) = found.organizations.first() else { return Ok(()) };
    println!("names that begin like {}:", first.name);
    let beginning: String = first.name.chars().take(8).collect();
    for suggestion in nonprofits.typeahead(&beginning, ROWS)? {
        println!("  {} {}", suggestion.ein, suggestion.name);
    }

    let details =
        nonprofits.details(first.ein)?.ok_or("a nonprofit that was found has a record")?;
    let town = details.address.city.as_deref().unwrap_or("no known town");
    println!("{}, also {:?}, of {town}", details.name, details.other_names);
    Ok(())
}
