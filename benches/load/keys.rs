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

use crate::Options;
use crate::program;
use crate::report::Report;
use crate::server::Server;

pub fn run(options: &Options, report: &mut Report) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = program::lend(&options.data_dir, folder.path());
    let server = Server::start(&options.program, &data_dir, &["--log-level", "warn"]);
    let ein = server.nonprofits("size=1")[0]["ein"].as_str().expect("an EIN").to_owned();
    let lookup = format!("/nonprofits/details/{ein}");
    timing::run(options, &server, &data_dir, &lookup, report);
    revoked::run(options, &server, &data_dir, &lookup, report);
    many::run(options, &server, &data_dir, &lookup, report);
    report.log(&server);
}
