#!/usr/bin/env bash
# The cost of recording beside clang's ThreadSanitizer, in the same minute: bench/record.sh [RUNS]   (default: 3)
# Processor seconds of the program (for a recording with the recorder), the largest memory of one process, the size of the file, and
# how long its analysis takes. What the columns mean is said in docs/benchmarks.md. RACEPROOF chooses another raceproof.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
raceproof=${RACEPROOF:-$root/raceproof}
runs=${1:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
source=$root/bench/programs/recording.c
names=(- stencil sections random queue atomics matrices trees histogram)

# The smallest processor time of some runs and the largest memory, as "seconds megabytes".
measure() {
  for _ in $(seq "$runs"); do
    /usr/bin/env python3 - "$@" <<'P'
import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{used.ru_utime + used.ru_stime:.2f} {used.ru_maxrss / 1024:.0f}")
P
  done | sort -n | head -1
}

printf '%-10s %8s %8s %8s %9s %9s %9s %9s\n' kernel native TSan recorded 'MB TSan' 'MB rec.' 'MB file' analysis
for kernel in 1 2 3 4 5 6 7 8; do
  flags=(-O2 -g "-DKERNEL=$kernel" "$source" -pthread)
  clang-19 "${flags[@]}" -o "$folder/native"
  clang-19 ${TSAN_FLAGS:-} -fsanitize=thread "${flags[@]}" -o "$folder/tsan"
  "$raceproof" cc --record "${flags[@]}" -o "$folder/recorded"
  read -r native _ <<<"$(measure "$folder/native")"
  read -r tsan tsan_memory <<<"$(measure "$folder/tsan")"
  read -r recorded memory <<<"$(measure "$raceproof" record -o "$folder/run.rpt" -- "$folder/recorded")"
  read -r analysis _ <<<"$(measure "$raceproof" predict "$folder/run.rpt")"
  size=$(($(stat -c %s "$folder/run.rpt") / 100000))
  printf '%-10s %8s %8s %8s %9s %9s %9s %9s\n' "${names[$kernel]}" "$native" "$tsan" "$recorded" "$tsan_memory" "$memory" \
    "$((size / 10)).$((size % 10))" "$analysis"
done
