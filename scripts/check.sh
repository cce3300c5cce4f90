#!/usr/bin/env bash
# Builds everything with gcc, warnings as errors, and runs all tests. Where CI is set in the environment, also the format, and the same once more with
# clang under address and undefined-behaviour sanitizers. Ends with ctest's summary.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

step packages
if [ -n "${CI:-}" ]; then scripts/bootstrap.sh check; else scripts/bootstrap.sh build; fi

if [ -n "${CI:-}" ]; then
  step format
  find src include tests fuzz bench examples docs \( -name '*.cpp' -o -name '*.hpp' \) -print0 2>/dev/null | xargs -0 clang-format-19 --dry-run --Werror
fi

step include directions and sizes
python3 scripts/check_includes.py
python3 scripts/check_sizes.py
python3 scripts/check_names.py

step "gcc: build and tests"
cmake --workflow --preset check

if [ -n "${CI:-}" ]; then
  step "clang, address and undefined-behaviour sanitizers: build and tests"
  cmake --workflow --preset asan
fi
