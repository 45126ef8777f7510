//! The integration tests, one binary.

mod commands;
mod fixture;
mod real_files;
