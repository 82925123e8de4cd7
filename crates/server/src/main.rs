//! `deadwax`.
fn main() {}
