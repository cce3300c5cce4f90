#!/usr/bin/env bash
# Installs what building and checking need on a fresh Debian 12: scripts/bootstrap.sh [command|build|check|web|page|arm64|windows|release]
#   command  compiler, CMake, libraries: enough for the command
#   build    the same, and what the tests and benchmarks need
#   web      what the WebAssembly, the npm package and the explorer need (scripts/web.sh, scripts/explore.sh); Node 20 is up to you
#   page     the same, and the browser that tests the explorer
#   windows  what builds the command and the library for Windows, and wine, which runs them (scripts/windows.sh)
#   arm64    what building for 64-bit Arm needs beside the libraries that scripts/arm64.sh fetches, and QEMU to run what was built
#   release  what packs releases for Linux: the command's, and what makes Python wheels (scripts/release.sh)
#   check    (default) as build, clang 19 with its format and tidy tools, from Debian's own archive, and what checks and packs the Python package
# Does nothing where everything is there already.
set -euo pipefail

wanted=${1:-check}
packages=(g++ cmake ninja-build pkg-config libarchive-dev libbz2-dev libcli11-dev libyaml-dev liblz4-dev liblzma-dev libpcre2-dev libpng-dev libsqlite3-dev libtomlplusplus-dev libxxhash-dev libzstd-dev nettle-dev zlib1g-dev spirv-tools libspirv-cross-c-shared-dev)
if [ "$wanted" = web ] || [ "$wanted" = page ]; then
  packages=(cmake ninja-build ccache binaryen clang-19 dpkg-dev make tcl lld-19 llvm-19 wasi-libc libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 libxxhash-dev python3)
  if [ "$wanted" = page ]; then packages+=(chromium fonts-dejavu-core); fi
elif [ "$wanted" = windows ]; then
  packages=(cmake ninja-build ccache gcc dpkg-dev make tcl lld-19 g++-mingw-w64-x86-64-posix wine wine64 libcli11-dev libgtest-dev libtomlplusplus-dev libxxhash-dev python3)
elif [ "$wanted" = arm64 ]; then
  packages=(g++-aarch64-linux-gnu qemu-user-static cmake ninja-build ccache python3 file xz-utils)
elif [ "$wanted" = release ]; then
  packages+=(ccache git python3 python3-build python3-setuptools python3-wheel xz-utils)
elif [ "$wanted" != command ]; then
  packages+=(ccache python3 python3-jsonschema python3-yaml libgtest-dev libbenchmark-dev)
fi
if [ "$wanted" = check ]; then
  packages+=(clang-19 clang-format-19 glslang-tools libclang-rt-19-dev python3-build python3-distributed python3-mypy python3-setuptools python3-wheel)
fi

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "missing packages: ${missing[*]}; install them as root, or install sudo" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" |
  sed -un '/^Need to get/p; s/^Setting up \([^ ]*\).*/  \1/p'
