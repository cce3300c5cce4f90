#!/usr/bin/env bash
# Installs what a build needs, builds the command without optimisation, which is quickest, and takes a bundled sample apart: listing, then reflection.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/bootstrap.sh command
echo "building build/demo/unshade"
cmake --preset demo --log-level=WARNING
cmake --build --preset demo
set -x
build/demo/unshade dis tests/data/dxbc/textured_ps_5_0.dxbc
build/demo/unshade reflect tests/data/dxbc/textured_ps_5_0.dxbc
