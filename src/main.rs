//! The `sweepdoc` binary.

fn main() {}
