#!/usr/bin/env bash
# Makes what a release page holds, in build/release-files: scripts/release.sh [--twice] [--jobs N] [PLATFORM...]
#   PLATFORM  linux-x86_64, linux-aarch64, windows-x86_64, source (default: all four)
#   --twice   builds everything again from nothing, without ccache, and compares: the same bytes, or exit status 1
#   --jobs N  processes side by side (default: one for each core)
# For a platform: unshade-VERSION-PLATFORM.tar.xz or .zip with the command, its manual pages and completions, the library and the licences of what is
# inside (for Windows the library in an archive of its own); and a Python wheel. `source` is the tree of the last commit. Then SHA256SUMS. Times in files are that of the last commit.
# Recipes of package managers are made of the folder (packaging/recipes.py), once it is known where it will be published.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

twice=
jobs=$(nproc)
platforms=()
while [ $# -gt 0 ]; do
  case $1 in
    --twice) twice=1 ;;
    --jobs) jobs=${2:?--jobs needs a number}; shift ;;
    linux-x86_64 | linux-aarch64 | windows-x86_64 | source) platforms+=("$1") ;;
    *) sed -n '2,9s/^# //p' "$0" >&2; exit 2 ;;
  esac
  shift
done
[ ${#platforms[@]} -gt 0 ] || platforms=(source linux-x86_64 linux-aarch64 windows-x86_64)

files=$PWD/build/release-files
version=$(sed -n 's/^project(unshade VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
umask 022

step() { printf '\n== %s\n' "$*"; }

build_folder() {
  case $1 in
    linux-x86_64) echo build/linux-release ;;
    linux-aarch64) echo build/arm64-release ;;
    windows-x86_64) echo build/windows-release ;;
  esac
}

# make PLATFORM FOLDER: its files, into FOLDER.
make() {
  local platform=$1 to=$2 build
  if [ "$platform" = source ]; then
    step "source"
    git archive --prefix="unshade-$version-source/" HEAD | xz -9 --threads=1 >"$to/unshade-$version-source.tar.xz"
    return
  fi
  build=$(build_folder "$platform")
  case $platform in
    linux-x86_64)
      step "$build: the command and the library, optimised"
      cmake --preset linux-release --log-level=WARNING
      NINJA_STATUS='[%f/%t, %e s] ' cmake --build --preset linux-release -j "$jobs"
      cmake --build "$build" --target archive
      ;;
    linux-aarch64) scripts/arm64.sh pack "$jobs" ;;
    windows-x86_64) scripts/windows.sh pack "$jobs" ;;
  esac
  step "$platform: Python wheel"
  cmake --build "$build" --target python_wheel >"$build/wheel.log" 2>&1 || { cat "$build/wheel.log" >&2; exit 1; }
  find "$build" -maxdepth 1 -name "unshade-$version-$platform*" \( -name '*.zip' -o -name '*.tar.xz' \) -exec cp -t "$to" {} +
  cp "$build"/wheel/unshade-"$version"-*.whl "$to"
}

step packages
scripts/bootstrap.sh release
rm -rf "$files"
mkdir -p "$files"
for platform in "${platforms[@]}"; do make "$platform" "$files"; done
(cd "$files" && sha256sum -- * >SHA256SUMS)

if [ -n "$twice" ]; then
  again=$PWD/build/release-files-again
  rm -rf "$again"
  mkdir -p "$again"
  export CCACHE_DISABLE=1
  for platform in "${platforms[@]}"; do
    build=$(build_folder "$platform")
    if [ -n "$build" ]; then rm -rf "$build"; fi
    make "$platform" "$again"
  done
  step "the same bytes again"
  (cd "$again" && sha256sum --check --strict "$files/SHA256SUMS")
fi

step "$files"
ls -l "$files"
