//! The integration tests, one binary.

// A test that cannot go on fails.
#![allow(clippy::unwrap_used)]

mod architecture;
mod commands;
mod faults;
mod fixture;
mod real_files;
