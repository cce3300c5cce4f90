#!/usr/bin/env bash
# Installs the library into a folder of its own and builds examples/list with what is there alone: by find_package and by pkg-config.
#   install_test.sh BUILD SOURCE CMAKE CXX CXXFLAGS
# BUILD is the library's build folder. Exit 77: skipped.
set -euo pipefail
build=$1 source=$2 cmake=$3 cxx=$4 flags=$5
sample=$source/tests/data/dxbc/textured_ps_5_0.dxbc

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

fail() { echo "FAILED: $*"; exit 1; }
prints_the_sample() {
  "$1" "$sample" >"$work/out" || fail "$1 exits with $?"
  grep -qx 'ps_5_0' "$work/out" || fail "$1 prints no profile"
  grep -qx 'ISGN: 4 elements' "$work/out" || fail "$1 prints no signature"
}

"$cmake" --install "$build" --prefix "$prefix" >"$work/install.log" || { cat "$work/install.log"; fail install; }

# Every public header is installed, and each compiles alone.
(cd "$source/include" && find unshade -type f | sort) >"$work/expected"
(cd "$prefix/include" && find unshade -type f | sort) | diff "$work/expected" - || fail "installed headers differ"
: >"$work/headers.cpp"
while read -r header; do
  case $header in *.hpp) echo "#include <$header>" >>"$work/headers.cpp" ;; esac
done <"$work/expected"
"$cxx" -std=c++20 $flags -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only "$work/headers.cpp" || fail "headers"

# A copy, so that nothing of the checkout is found beside it.
cp -r "$source/examples/list" "$work/list"
"$cmake" -S "$work/list" -B "$work/list/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_CXX_FLAGS="$flags" >"$work/configure.log" 2>&1 || { cat "$work/configure.log"; fail "find_package"; }
"$cmake" --build "$work/list/build" >"$work/build.log" 2>&1 || { cat "$work/build.log"; fail "the example does not build"; }
prints_the_sample "$work/list/build/list"
echo "find_package: ok"

if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name unshade.pc)")
  "$cxx" -std=c++20 $flags $(pkg-config --cflags unshade) "$work/list/main.cpp" $(pkg-config --libs unshade) -o "$work/by-pkg-config" ||
    fail "pkg-config"
  prints_the_sample "$work/by-pkg-config"
  echo "pkg-config: ok"
else
  echo "pkg-config: not installed, left out"
fi
