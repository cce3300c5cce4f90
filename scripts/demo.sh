#!/usr/bin/env bash
# Installs what a build needs, builds the command without optimisation, which is quickest, and takes a bundled sample apart: listing, then reflection.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "== packages"
scripts/bootstrap.sh command

echo "== build/demo/unshade: the first build takes about five minutes of processor time, divided by the number of cores"
cmake --preset demo --log-level=WARNING
# Steps finished and of all, seconds since the start.
NINJA_STATUS='[%f/%t, %e s] ' cmake --build --preset demo

echo "== the listing of a pixel shader, then what it reads, writes and binds"
set -x
build/demo/unshade dis tests/data/dxbc/textured_ps_5_0.dxbc
build/demo/unshade reflect tests/data/dxbc/textured_ps_5_0.dxbc
