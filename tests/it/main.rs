//! The integration tests, one binary.

mod architecture;
mod commands;
mod fixture;
mod real_files;
