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
if command -v cc >/dev/null; then
  echo '#include <unshade/unshade.h>' >"$work/header.c"
  cc -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only "$work/header.c" || fail "the C header"
fi

# A copy, so that nothing of the checkout is found beside it.
cp -r "$source/examples/list" "$work/list"
"$cmake" -S "$work/list" -B "$work/list/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_CXX_FLAGS="$flags" >"$work/configure.log" 2>&1 || { cat "$work/configure.log"; fail "find_package"; }
"$cmake" --build "$work/list/build" >"$work/build.log" 2>&1 || { cat "$work/build.log"; fail "the example does not build"; }
prints_the_sample "$work/list/build/list"
echo "find_package: ok"

# The editing example, with the same library.
cp -r "$source/examples/edit" "$work/edit"
"$cmake" -S "$work/edit" -B "$work/edit/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_CXX_FLAGS="$flags" >"$work/configure.log" 2>&1 || { cat "$work/configure.log"; fail "find_package for edit"; }
"$cmake" --build "$work/edit/build" >"$work/build.log" 2>&1 || { cat "$work/build.log"; fail "examples/edit does not build"; }
"$work/edit/build/edit" "$sample" "$work/stripped.dxbc" >"$work/out" || { cat "$work/out"; fail "examples/edit exits with $?"; }
[ "$(wc -c <"$work/stripped.dxbc")" -lt "$(wc -c <"$sample")" ] || fail "examples/edit left the file as long as it was"
echo "edit: ok"

# The C interface, where the shared library is installed: from C and from Python.
shared=$(find "$prefix" -name 'libunshade.so' | head -1)
if [ -n "$shared" ] && [ -z "${flags##*-fsanitize*}" ] && [ -n "$flags" ]; then
  echo "shared library: left out under sanitizers"
elif [ -n "$shared" ]; then
  if command -v cc >/dev/null; then
    cc -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" "$source/examples/c/inspect.c" "$shared" -Wl,-rpath,"$(dirname "$shared")" \
      -o "$work/inspect" || fail "examples/c"
    "$work/inspect" "$sample" >"$work/out" || fail "examples/c exits with $?"
    grep -qx 'dxbc ps_5_0 pixel' "$work/out" || fail "examples/c prints no profile"
    echo "C: ok"
  fi
  if command -v python3 >/dev/null; then
    UNSHADE_LIBRARY=$shared python3 "$source/examples/python/inspect_shader.py" "$sample" >"$work/out" || fail "examples/python exits with $?"
    grep -qx 'dxbc ps_5_0 pixel' "$work/out" || fail "examples/python prints no profile"
    echo "Python: ok"
  fi
  if command -v nm >/dev/null; then
    nm -D --defined-only "$shared" | awk '$2 ~ /[TDBRVW]/ && $3 !~ /^unshade_/ { print; bad = 1 } END { exit bad }' || fail "libunshade.so shows more than its interface"
  fi
else
  echo "shared library: not built, left out"
fi

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
