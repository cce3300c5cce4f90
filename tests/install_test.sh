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

# The C interface, where the shared library is installed: from C by pkg-config, and from Python.
shared=$(find "$prefix" -name libunshade.so)
if [ -z "$shared" ]; then
  echo "shared library: not built, left out"
elif [[ $flags == *-fsanitize* ]]; then
  echo "shared library: left out under sanitizers"
else
  prints_the_interface() {
    grep -qx 'dxbc ps_5_0 pixel' "$work/out" || fail "$1 prints no profile"
    grep -qx 'albedo: texture 0, space 0' "$work/out" || fail "$1 prints no resource"
    grep -qx 'dcl_sampler s0, mode_default' "$work/out" || fail "$1 prints no listing"
    echo "$1: ok"
  }
  if command -v cc >/dev/null && command -v pkg-config >/dev/null; then
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name unshade-c.pc)")
    export PKG_CONFIG_PATH
    for standard in c99 c11; do
      cc -std=$standard -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags unshade-c) "$source/examples/c/inspect.c" \
        $(pkg-config --libs unshade-c) -o "$work/inspect" || fail "examples/c does not build"
    done
    LD_LIBRARY_PATH=$(dirname "$shared") "$work/inspect" "$sample" >"$work/out" || fail "examples/c exits with $?"
    prints_the_interface "examples/c"
  fi
  if command -v python3 >/dev/null; then
    UNSHADE_LIBRARY=$shared python3 "$source/examples/python/inspect_shader.py" "$sample" >"$work/out" || fail "examples/python exits with $?"
    prints_the_interface "examples/python"
  fi
  # It has all of the header, and shows nothing else.
  if command -v nm >/dev/null; then
    nm -D --defined-only "$shared" | awk '{ print $NF }' | sort >"$work/shown"
    grep -o '\bunshade_[a-z_]*(' "$prefix/include/unshade/unshade.h" | tr -d '(' | sort -u >"$work/declared"
    diff "$work/declared" "$work/shown" || fail "libunshade.so does not show its interface alone"
    echo "libunshade.so: $(wc -l <"$work/shown") functions"
  fi
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
