//! `almoner generate`: fictional data in every format that is read.

use std::path::PathBuf;

use super::progress::Bar;
use super::table::Table;
use super::{Outcome, misused, print};
use crate::fictional;
use crate::record::thousands;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Folder to write to; it is created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Number of organizations, up to 2,000,000
    #[arg(long, value_name = "N", env = "ALMONER_ORGANIZATIONS", default_value_t = 10_000)]
    organizations: u64,
    /// Seed of the random generator; the same seed gives the same bytes
    #[arg(long, value_name = "S", env = "ALMONER_SEED", default_value_t = 1)]
    seed: u64,
    /// Number of posts, up to 5,000,000 [default: one per five organizations]
    #[arg(long, value_name = "N", env = "ALMONER_POSTS")]
    posts: Option<u64>,
    /// Number of organizations with returns, up to 50,000 [default: one in forty]
    #[arg(long, value_name = "N", env = "ALMONER_RETURNS")]
    returns: Option<u64>,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let Arguments { folder, organizations, seed, posts, returns } = arguments;
    let options = fictional::Options { organizations, seed, posts, returns };
    options.check().map_err(misused)?;
    let bar = Bar::new("generate", Some(organizations));
    let report = fictional::generate(&folder, &options, &mut |done| bar.set(done))?;
    bar.finish();
    let mut table = Table::new(&["fictional", "rows"]);
    for (what, rows) in [
        ("master file", report.organizations),
        ("Publication 78", report.publication_78),
        ("revocation list", report.revocations),
        ("Form 990-N", report.postcards),
        ("returns", report.returns),
        ("annual reports", report.reports),
        ("stories", report.stories),
        ("metrics", report.metrics),
        ("posts", report.posts),
        ("overlays", report.overlays),
        ("articles", report.articles),
        ("knowledge", report.knowledge),
        ("funds", report.funds),
    ] {
        table.row([what.to_owned(), thousands(rows)]);
    }
    print(&table.render())?;
    Ok(Outcome::Done)
}
