//! The raceproof command line: parses, resolves, runs, and turns the answer into an exit code.

fn main() {}
