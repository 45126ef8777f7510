//! Finds the EIN of an organization by its name and place, with the evidence.
//!
//! ```sh
//! cargo run --release --example match_row -- DATA_DIR NAME [CITY [STATE]]
//! ```

#![allow(clippy::print_stdout)]

use std::error::Error;

use almoner::{MatchQuery, Nonprofits};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(data_dir), Some(name)) = (arguments.next(), arguments.next()) else {
        return Err("usage: match_row DATA_DIR NAME [CITY [STATE]]".into());
    };
    let mut cell = || arguments.next().unwrap_or_default();
    let row = MatchQuery { name, city: cell(), state: cell(), ..MatchQuery::default() };

    let nonprofits = Nonprofits::open(data_dir.as_ref())?;
    let matched = nonprofits.match_row(&row)?;
    println!("{}", matched.decision.name());
    for candidate in &matched.candidates {
        println!("  {} {} {:.3}", candidate.ein, candidate.name, candidate.probability);
        println!("    {}", candidate.reasons.join("; "));
    }
    if let Some(reason) = matched.no_match_reason {
        println!("  {reason}");
    }
    Ok(())
}
