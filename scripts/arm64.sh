#!/usr/bin/env bash
# Builds for 64-bit Arm Linux on a Debian 12 of another kind, and runs what it built under QEMU: scripts/arm64.sh [demo|check|pack] [JOBS]
#   demo   (default) the command, as quick to compile as can be; takes a bundled sample apart
#   check  all that CI builds, and all tests; then the command against this machine's over the corpus, and the shaders of public test suites, where these
#          are (UNSHADE_CORPUS, UNSHADE_EXEC; ../shared/corpus and ../shared/exec beside the checkout)
#   pack   a release as build/arm64-release/unshade-VERSION-linux-aarch64.tar.xz
# Installs the cross compiler and QEMU. Debian's libraries for Arm are unpacked in build/arm64-root, not installed: their packages would replace tools of
# this machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

wanted=${1:-demo}
jobs=${2:-$(nproc)}
case $wanted in demo | check | pack) ;; *) sed -n '2,9s/^# //p' "$0" >&2; exit 2 ;; esac
root=$PWD/build/arm64-root
# All that is linked is linked statically: development packages are enough, and none of what they depend on.
libraries=(libyaml-dev zlib1g-dev libpng-dev libcli11-dev libtomlplusplus-dev libpcre2-dev libarchive-dev libbz2-dev libbz2-1.0 liblz4-dev liblzma-dev libzstd-dev
  nettle-dev libsqlite3-dev libxxhash-dev spirv-tools libspirv-cross-c-shared-dev libgtest-dev)

step() { printf '\n== %s\n' "$*"; }

# Debian's libraries for Arm, of this machine's release. apt checks the signatures; what apt knows of this machine stays as it is.
fetch_libraries() {
  if [ -e "$root/packages" ] && [ "$(cat "$root/packages")" = "${libraries[*]}" ]; then return; fi
  rm -rf "$root"
  mkdir -p "$root/apt/parts" "$root/apt/lists/partial" "$root/apt/cache/archives/partial" "$root/apt/packages"
  touch "$root/apt/status"
  # from the archives of Debian that this machine's packages come from
  apt-get indextargets --format "deb [arch=arm64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" \
    'Created-By: Packages' 'Origin: Debian' | sort -u >"$root/apt/parts/sources.list"
  if [ ! -s "$root/apt/parts/sources.list" ]; then
    echo "apt knows no archive of Debian: apt-get update" >&2
    exit 2
  fi
  local apt=(apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$root/apt/parts" -o "Dir::State::lists=$root/apt/lists"
    -o "Dir::State::status=$root/apt/status" -o "Dir::Cache=$root/apt/cache" -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=)
  "${apt[@]}" update
  (cd "$root/apt/packages" && "${apt[@]}" download "${libraries[@]}")
  local package
  for package in "$root"/apt/packages/*.deb; do dpkg -x "$package" "$root"; done
  rm -rf "$root/apt"
  echo "${libraries[*]}" >"$root/packages"
}

step packages
if [ "$wanted" = check ]; then scripts/bootstrap.sh build; fi
scripts/bootstrap.sh arm64
fetch_libraries

if [ "$wanted" = demo ]; then
  step "build/arm64-demo/unshade"
  cmake --preset arm64-demo --log-level=WARNING
  NINJA_STATUS='[%f/%t, %e s] ' cmake --build --preset arm64-demo -j "$jobs"
  step "the listing of a pixel shader, then what it reads, writes and binds, by the command for Arm"
  file -b build/arm64-demo/unshade 2>/dev/null || true
  set -x
  qemu-aarch64-static build/arm64-demo/unshade dis tests/data/dxbc/textured_ps_5_0.dxbc
  qemu-aarch64-static build/arm64-demo/unshade reflect tests/data/dxbc/textured_ps_5_0.dxbc
  exit
fi

if [ "$wanted" = pack ]; then
  step "build/arm64-release/unshade, optimised"
  cmake --preset arm64-release --log-level=WARNING
  cmake --build --preset arm64-release -j "$jobs"
  step archive
  cmake --build build/arm64-release --target archive
  ls -l build/arm64-release/unshade-*.tar.xz
  exit
fi

step "build/arm64: all that is tested"
cmake --preset arm64 --log-level=WARNING
cmake --build --preset arm64 -j "$jobs"
step "this machine's command"
cmake --preset check --log-level=WARNING
cmake --build --preset check -j "$jobs" --target unshade_cli
scripts/compare/emulated.sh build/arm64 build/check/unshade "$jobs"
