#!/usr/bin/env bash
# Builds the fuzz preset and tries every property in turn: scripts/fuzz.sh SECONDS [PROPERTY...]
# SECONDS is for all properties together. What is learned stays in build/fuzz/corpus, finds lie in build/fuzz/finds.
# UNSHADE_FUZZ_SEEDS: a folder of files to begin with, beside the samples.
# Exits with 1 when there is a find: a crash, an input that takes over ten seconds or 2 GiB, or a property that does not hold.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ! "${1:-}" =~ ^[0-9]+$ ]]; then
  echo "usage: scripts/fuzz.sh SECONDS [PROPERTY...]" >&2
  exit 2
fi
seconds=$1
shift

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz

program=build/fuzz/fuzz/unshade_fuzz
properties=("$@")
if [ ${#properties[@]} -eq 0 ]; then mapfile -t properties < <("$program"); fi
each=$((seconds / ${#properties[@]}))
if [ "$each" -eq 0 ]; then each=1; fi
mkdir -p build/fuzz/finds
found=0
for property in "${properties[@]}"; do
  corpus=build/fuzz/corpus/$property
  mkdir -p "$corpus"
  seeds=(tests/data)
  if [ -n "${UNSHADE_FUZZ_SEEDS:-}" ]; then seeds+=("$UNSHADE_FUZZ_SEEDS"); fi
  printf '\n== %s, %s s\n' "$property" "$each"
  UNSHADE_PROPERTY=$property "$program" "$corpus" "${seeds[@]}" -max_total_time="$each" -max_len=32768 -timeout=10 \
    -rss_limit_mb=2048 -malloc_limit_mb=64 -dict=fuzz/dxbc.dict -artifact_prefix=build/fuzz/finds/"$property"- -print_final_stats=1 \
    -verbosity=0 || found=1
done
if [ "$found" -ne 0 ]; then
  printf '\nfinds:\n'
  ls build/fuzz/finds
fi
exit "$found"
