//! Prints what is known of the nonprofit whose name begins like what was typed: standing, grants, people.
//!
//! ```sh
//! cargo run --release --example profile -- DATA_DIR "vermont foodb"
//! ```

#![allow(clippy::print_stdout)]

use std::error::Error;

use almoner::{GrantDirection, Nonprofits};

/// Rows shown of each list.
const ROWS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(data_dir), Some(typed)) = (arguments.next(), arguments.next()) else {
        return Err("usage: profile DATA_DIR BEGINNING".into());
    };
    let nonprofits = Nonprofits::open(data_dir.as_ref())?;
    let Some(first) = nonprofits.typeahead(&typed, 1)?.into_iter().next() else {
        println!("no name begins like {typed:?}");
        return Ok(());
    };
    let ein = first.ein;
    let details = nonprofits.details(ein)?.ok_or("a nonprofit that is suggested has a record")?;
    println!("{ein} {}, {}", details.name, details.address.city.as_deref().unwrap_or("no town"));

    if let Some(standing) = nonprofits.standing(ein)? {
        let by = standing.exemption.list.map_or("no list", |list| list.name.as_str());
        println!("exempt: {:?}, by {by}", standing.exemption.state);
    }
    for direction in GrantDirection::ALL {
        let Some(grants) = nonprofits.grants(ein, direction, 1, ROWS)? else { continue };
        println!("grants {}: {}", direction.name(), grants.list.page.total);
        for row in &grants.list.page.rows {
            let recipient = row.recipient_name.as_deref().unwrap_or("unnamed");
            let amount = row.grant.amount().map(|amount| amount.dollars());
            println!("  {} {} to {recipient}: {amount:?}", row.grant.tax_year, row.grantor_name);
        }
    }
    if let Some(people) = nonprofits.people(ein, 1, ROWS)? {
        println!("people: {}", people.page.total);
        for person in &people.page.rows {
            let title = person.title.as_deref().unwrap_or("no title");
            println!("  {} {}, {title}", person.tax_year, person.name);
        }
    }
    Ok(())
}
