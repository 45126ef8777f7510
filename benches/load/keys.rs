//! Keys: wrong ones, ones that are made and revoked while they are used, and many of them.
//!
//! What must hold: how long a wrong key is refused does not tell how much of it is right; a revoked
//! key is refused, and a new one taken, within a second of the command's end, and from then on
//! always; and ten thousand keys make a lookup no slower than one.
//!
//! The data is lent: the key file that is tried belongs to this scenario alone.

mod many;
mod revoked;
mod timing;

use serde_json::Value;

use crate::Options;
use crate::client;
use crate::data;
use crate::report::Report;
use crate::server::Server;

pub fn run(options: &Options, report: &mut Report) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = data::lend(&options.data_dir, folder.path());
    let server = Server::start(&options.program, &data_dir, &["--log-level", "warn"]);
    let lookup = lookup(&server);
    timing::run(options, &server, &data_dir, &lookup, report);
    revoked::run(options, &server, &data_dir, &lookup, report);
    many::run(options, &server, &data_dir, &lookup, report);
    let complaints = server.complaints();
    report.holds(complaints.is_empty(), format!("{} complaints in the log", complaints.len()));
    complaints.iter().take(3).for_each(|line| report.failed(line));
}

/// The path of what is looked up: a nonprofit that there is.
fn lookup(server: &Server) -> String {
    let first = server.request("/beta/nonprofits/search?size=1");
    let found: Value = serde_json::from_str(&client::body(server.address(), &first)).expect("JSON");
    let ein = found["nonprofits"][0]["ein"].as_str().expect("the snapshot has nonprofits");
    format!("/nonprofits/details/{ein}")
}
