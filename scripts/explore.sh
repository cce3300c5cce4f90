#!/usr/bin/env bash
# Builds the explorer, the page that shows shaders in a browser, and serves it on this machine alone:
#   scripts/explore.sh [PORT]            builds what is missing, serves http://127.0.0.1:PORT/ (4180)
#   scripts/explore.sh --build-only DIR  writes the static folder DIR, for any web server
# The first build compiles the library to WebAssembly, some ten minutes on two processors (scripts/web.sh). Needs Node 20.19 or later with npm.
set -euo pipefail
here=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  echo "usage: scripts/explore.sh [PORT] | --build-only DIR" >&2
  exit 2
}
folder=$PWD/build/page
port=4180
if [ "${1:-}" = --build-only ]; then
  [ $# -eq 2 ] || usage
  case $2 in /*) folder=$2 ;; *) folder=$here/$2 ;; esac
elif [ $# -eq 1 ] && [[ $1 =~ ^[0-9]+$ ]]; then
  port=$1
elif [ $# -ne 0 ]; then
  usage
fi

for tool in node npm; do
  if ! command -v "$tool" >/dev/null; then
    echo "$tool is not installed: the page is built by Node 20.19 or later with npm" >&2
    exit 2
  fi
done

module=${UNSHADE_MODULE:-$PWD/build/web/npm}
export UNSHADE_MODULE=$module
if [ -z "$(ls "$module/unshade.wasm" 2>/dev/null)" ]; then
  echo "== the library as WebAssembly"
  scripts/web.sh
fi
cd web/page
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  echo "== packages of the page"
  npm ci --ignore-scripts --no-audit --no-fund
fi
echo "== the page"
npx vite build --outDir "$folder" --logLevel warn
if [ "${1:-}" = --build-only ]; then
  echo "$folder: $(find "$folder" -type f | wc -l) files, $(du -sh "$folder" | cut -f1)"
else
  echo "== http://127.0.0.1:$port/ (Ctrl+C ends it)"
  exec npx vite preview --outDir "$folder" --host 127.0.0.1 --port "$port" --strictPort --logLevel warn
fi
