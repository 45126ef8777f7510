//! The integration tests, one binary.

// A test that cannot go on fails; figures go to standard output.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod architecture;
mod changes;
mod chat;
mod commands;
mod country;
mod counts;
mod export;
mod extraction;
mod faults;
mod findings;
mod fixture;
mod keys;
mod known;
mod language_model;
mod library;
mod licenses;
mod limits;
mod lists;
mod log;
mod matching;
mod mcp;
mod mutations;
mod pages;
mod publishing;
mod questions;
mod real_files;
mod relevance;
mod schedules;
mod search;
mod snapshots;
mod threads;
mod understanding;
mod whole_results;
