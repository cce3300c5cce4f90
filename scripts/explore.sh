#!/usr/bin/env bash
# Builds the explorer, the page that shows shaders in a browser, and serves it on this machine alone:
#   scripts/explore.sh [PORT]            builds what is missing, quickly, and serves http://127.0.0.1:PORT/ (4180)
#   scripts/explore.sh --build-only DIR  writes the static folder DIR, for any web server: optimised, which takes three times as long
# Installs the packages that it needs (scripts/bootstrap.sh web), but for Node 20.19 or later with npm, which is up to you, and fetches the sources of
# the libraries that open archives (cmake/bundled/fetch.sh).
set -euo pipefail
here=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  echo "usage: scripts/explore.sh [PORT] | --build-only DIR" >&2
  exit 2
}
preset=explore
folder=$PWD/build/explore/page
port=4180
if [ "${1:-}" = --build-only ]; then
  [ $# -eq 2 ] || usage
  preset=web
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
read -r major minor < <(node -p 'process.versions.node.split(".").slice(0, 2).join(" ")')
if [ "$major" -lt 20 ] || { [ "$major" -eq 20 ] && [ "$minor" -lt 19 ]; }; then
  echo "this is Node $major.$minor: the page is built by Node 20.19 or later" >&2
  exit 2
fi

if [ -z "${UNSHADE_MODULE:-}" ]; then
  export UNSHADE_MODULE=$PWD/build/$preset/npm
  echo "== packages"
  scripts/bootstrap.sh web
  cmake/bundled/fetch.sh build/library-sources web
  if [ -e "$UNSHADE_MODULE/unshade.wasm" ]; then
    echo "== the library as WebAssembly"
  elif [ $preset = explore ]; then
    echo "== the library as WebAssembly: the first build takes about five minutes of processor time, divided by the number of cores"
  else
    echo "== the library as WebAssembly, optimised: the first build takes about sixteen minutes of processor time, divided by the number of cores"
  fi
  cmake --preset $preset -DUNSHADE_LIBRARY_SOURCES="$PWD/build/library-sources" --log-level=WARNING >/dev/null
  # Steps finished and of all, seconds since the start.
  NINJA_STATUS='[%f/%t, %e s] ' cmake --build --preset $preset
fi
cd web/page
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  echo "== packages of the page"
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
fi
echo "== the page"
npx vite build --outDir "$folder" --logLevel warn
if [ "${1:-}" = --build-only ]; then
  echo "$folder: $(find "$folder" -type f | wc -l) files, $(du -sh "$folder" | cut -f1)"
else
  echo "== http://127.0.0.1:$port/ (Ctrl+C ends it)"
  exec npx vite preview --outDir "$folder" --host 127.0.0.1 --port "$port" --strictPort --logLevel warn
fi
