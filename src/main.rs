//! The command `soup386`.

fn main() {}
