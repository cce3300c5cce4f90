#!/usr/bin/env bash
# Installs what building and checking need on a fresh Debian 12: scripts/bootstrap.sh [build|check]
#   build  compiler, CMake, libraries: enough for the command and its tests
#   check  (default) the same, and clang 19 with its format and tidy tools, from Debian's own archive
# Does nothing where everything is there already.
set -euo pipefail

packages=(g++ cmake ninja-build ccache python3 libgtest-dev libcli11-dev rapidjson-dev libfyaml-dev libbenchmark-dev pkg-config python3-jsonschema zlib1g-dev
  spirv-tools libspirv-cross-c-shared-dev)
if [ "${1:-check}" = check ]; then
  packages+=(clang-19 clang-format-19 libclang-rt-19-dev)
fi

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
echo "installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
