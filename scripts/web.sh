#!/usr/bin/env bash
# Builds the library as WebAssembly, and the npm package around it: scripts/web.sh [JOBS]
# What is not installed it installs (scripts/bootstrap.sh web), and it fetches the sources of libraries (cmake/bundled/fetch.sh).
# The package is the folder build/web/npm: `node build/web/npm/cli.js`, `npm pack build/web/npm`.
# From nothing that takes some ten minutes on two processors.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

is_ready() {
  local tool file
  for tool in clang++-19 wasm-ld-19 llvm-ar-19 wasm-opt cmake ninja dpkg-source make tclsh; do
    command -v "$tool" >/dev/null || return 1
  done
  for file in /usr/include/wasm32-wasi/stdio.h /usr/include/wasm32-wasi/c++/v1/vector; do
    [ -e "$file" ] || return 1
  done
}
is_ready || scripts/bootstrap.sh web
cmake/bundled/fetch.sh build/library-sources web
cmake --preset web -DUNSHADE_LIBRARY_SOURCES="$PWD/build/library-sources" >/dev/null
ninja -C build/web -j "${1:-$(nproc)}" web
