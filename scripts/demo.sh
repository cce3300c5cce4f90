#!/usr/bin/env bash
# Installs what a build needs, builds the command, and takes a bundled sample apart: listing, then reflection.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/bootstrap.sh build
cmake --preset release -DUNSHADE_BUILD_TESTS=OFF -DUNSHADE_BUILD_BENCH=OFF >/dev/null
cmake --build --preset release >/dev/null
set -x
build/release/unshade dis tests/data/dxbc/textured_ps_5_0.dxbc
build/release/unshade reflect tests/data/dxbc/textured_ps_5_0.dxbc
