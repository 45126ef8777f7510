//! Lines and feeds as they come, right and wrong, and what posts are taken for.

mod classify;
mod feed;
mod lines;
