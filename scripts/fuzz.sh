#!/usr/bin/env bash
# Builds the fuzz preset and runs every target in turn: scripts/fuzz.sh SECONDS [TARGET...]
# SECONDS is for all targets together. What is learned stays in build/fuzz/corpus, finds lie in build/fuzz/finds.
# Exits with 1 when there is a find: a crash, an input that takes over a second or 2 GiB, or a property that does not hold.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ! "${1:-}" =~ ^[0-9]+$ ]]; then
  echo "usage: scripts/fuzz.sh SECONDS [TARGET...]" >&2
  exit 2
fi
seconds=$1
shift
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  # as fuzz/CMakeLists.txt lists them
  mapfile -t targets < <(sed -n '/^foreach(property /,/)/p' fuzz/CMakeLists.txt | tr -d '()' | sed 's/^foreachproperty//' | tr -s ' ' '\n' | sed '/^$/d')
fi

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz

each=$((seconds / ${#targets[@]}))
if [ "$each" -eq 0 ]; then each=1; fi
mkdir -p build/fuzz/finds
found=0
for target in "${targets[@]}"; do
  corpus=build/fuzz/corpus/$target
  mkdir -p "$corpus"
  seeds=(tests/data/dxbc tests/data/dxil tests/data/pica tests/data/spirv tests/data/vbc)
  if [ -n "${UNSHADE_FUZZ_SEEDS:-}" ]; then seeds+=("$UNSHADE_FUZZ_SEEDS"); fi
  printf '\n== %s, %s s\n' "$target" "$each"
  build/fuzz/fuzz/fuzz_"$target" "$corpus" "${seeds[@]}" -max_total_time="$each" -max_len=32768 -timeout=1 -rss_limit_mb=2048 \
    -malloc_limit_mb=64 -dict=fuzz/dxbc.dict -artifact_prefix=build/fuzz/finds/"$target"- -print_final_stats=1 -verbosity=0 || found=1
done
if [ "$found" -ne 0 ]; then
  printf '\nfinds:\n'
  ls build/fuzz/finds
fi
exit "$found"
