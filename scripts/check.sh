#!/usr/bin/env bash
# What CI runs: format, include directions, gcc, and clang under sanitizers, warnings as errors, all tests with both.
# Ends with ctest's summary of the sanitized build.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

step packages
scripts/bootstrap.sh check

step format
find src include tests fuzz bench examples docs \( -name '*.cpp' -o -name '*.hpp' \) -print0 2>/dev/null | xargs -0 clang-format-19 --dry-run --Werror

step include directions
python3 scripts/check_includes.py

step "gcc: build and tests"
cmake --workflow --preset check

step "clang, address and undefined-behaviour sanitizers: build and tests"
cmake --workflow --preset asan
