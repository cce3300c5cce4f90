#!/usr/bin/env bash
# Builds the library as WebAssembly, and the npm package around it: scripts/web.sh [JOBS]
# The package is the folder build/web/npm: `node build/web/npm/cli.js`, `npm pack build/web/npm`.
# From nothing that takes some ten minutes on two processors; scripts/bootstrap.sh web installs what it needs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for tool in clang++-19 wasm-ld-19 llvm-ar-19 wasm-opt cmake ninja; do
  if ! command -v "$tool" >/dev/null; then
    echo "$tool is not installed: scripts/bootstrap.sh web" >&2
    exit 2
  fi
done
for file in /usr/include/wasm32-wasi/stdio.h /usr/include/wasm32-wasi/c++/v1/vector; do
  if [ ! -e "$file" ]; then
    echo "there is no $file: scripts/bootstrap.sh web" >&2
    exit 2
  fi
done
cmake --preset web >/dev/null
ninja -C build/web -j "${1:-$(nproc)}" web
