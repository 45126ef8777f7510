//! The binary: nothing but a stub for now.
fn main() {}
