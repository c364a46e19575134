#!/usr/bin/env bash
# Speed and memory of the trace analyses on generated traces: bench/traces.sh [MILLIONS OF EVENTS...]   (default: 1 10)
# Needs no LLVM. What the columns mean is said in docs/benchmarks.md.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# A folder of its own: the binary that `./raceproof` runs has LLVM in it.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}/bench
cargo build --quiet --locked --release --manifest-path "$root/Cargo.toml" -p raceproof --no-default-features \
    --bin raceproof --example bench_traces
exec "$CARGO_TARGET_DIR/release/examples/bench_traces" "$CARGO_TARGET_DIR/release/raceproof" "$@"
