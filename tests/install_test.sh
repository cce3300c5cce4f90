#!/usr/bin/env bash
# Installs the library into a folder of its own and builds the examples with what is there alone: by find_package, pkg-config and add_subdirectory.
#   install_test.sh BUILD SOURCE CMAKE CXX CXXFLAGS
# BUILD is the library's build folder. Exit 77: skipped.
set -euo pipefail
build=$1 source=$2 cmake=$3 cxx=$4 flags=$5
sample=$source/tests/data/dxbc/textured_ps_5_0.dxbc
# The generator that the build has: no other needs to be installed.
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")

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

# Every public header is installed whose library is, and each compiles alone.
(cd "$source/include" && find unshade -type f ! -path '*/system/*' | sort) >"$work/expected"
for component in khronos unpack index png; do
  if [ -z "$(find "$prefix" -name libunshade_$component.a)" ]; then sed -i "/$component/d" "$work/expected"; fi
done
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

# build_example NAME FOLDER: configures and builds FOLDER, a copy, so that nothing of the checkout is found beside it, with what is installed.
build_example() {
  "$cmake" -G "$generator" -S "$2" -B "$2/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CXX_FLAGS="$flags" \
    >"$work/configure.log" 2>&1 || { cat "$work/configure.log"; fail "find_package for $1"; }
  "$cmake" --build "$2/build" >"$work/build.log" 2>&1 || { cat "$work/build.log"; fail "$1 does not build"; }
}

cp -r "$source/examples/list" "$work/list"
build_example examples/list "$work/list"
prints_the_sample "$work/list/build/list"
echo "find_package: ok"

cp -r "$source/examples/edit" "$work/edit"
build_example examples/edit "$work/edit"
"$work/edit/build/edit" "$sample" "$work/stripped.dxbc" >"$work/out" || { cat "$work/out"; fail "examples/edit exits with $?"; }
[ "$(wc -c <"$work/stripped.dxbc")" -lt "$(wc -c <"$sample")" ] || fail "examples/edit left the file as long as it was"
echo "edit: ok"

# In a shared object of someone else's, and the components that are not of the library proper.
mkdir "$work/plugin"
cat >"$work/plugin/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(plugin LANGUAGES CXX)
find_package(unshade 0.1 REQUIRED OPTIONAL_COMPONENTS khronos unpack)
add_library(plugin MODULE plugin.cpp)
target_link_libraries(plugin PRIVATE unshade::unshade)
if(TARGET unshade::khronos)
  add_executable(uses_khronos khronos.cpp)
  target_link_libraries(uses_khronos PRIVATE unshade::khronos)
endif()
if(TARGET unshade::unpack)
  add_executable(uses_unpack unpack.cpp)
  target_link_libraries(uses_unpack PRIVATE unshade::unpack)
endif()
END
cat >"$work/plugin/plugin.cpp" <<'END'
#include <unshade/core/text.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/shader.hpp>
extern "C" int plugin(const std::byte* bytes, std::size_t size) {
  const auto shader = unshade::shader::open(unshade::View({bytes, size}));
  unshade::Text text;
  return shader && unshade::shader::disassemble(*shader, text) ? 1 : 0;
}
END
cat >"$work/plugin/khronos.cpp" <<'END'
#include <unshade/khronos/validate.hpp>
int main() { return unshade::khronos::is_environment("vulkan1.2") ? 0 : 1; }
END
cat >"$work/plugin/unpack.cpp" <<'END'
#include <cstddef>
#include <vector>
#include <unshade/unpack/search.hpp>
int main(int, char** names) {
  int shaders = 0;
  unshade::unpack::search_files({names[1]}, {}, 1, [](std::uint64_t) {}, [&](unshade::unpack::SearchedFile&& file) {
    for (const auto& shader : file.shaders) shaders += shader.layers != nullptr && shader.layers->front().form == "gzip";
    return true;
  });
  return shaders == 1 ? 0 : 1;
}
END
build_example "a shared object with the library inside" "$work/plugin"
gzip -c "$sample" >"$work/sample.gz"
for component in khronos unpack; do
  if [ -x "$work/plugin/build/uses_$component" ]; then
    "$work/plugin/build/uses_$component" "$work/sample.gz" || fail "unshade::$component does not work"
    echo "component $component: ok"
  elif [ -n "$(find "$prefix" -name libunshade_$component.a)" ]; then
    fail "the component $component is installed and not found"
  fi
done
echo "shared object: ok"

# Inside of another project: the library alone, nothing installed.
mkdir "$work/inside"
cat >"$work/inside/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(inside LANGUAGES CXX)
add_subdirectory("$source" unshade)
if(TARGET unshade_cli OR TARGET unshade_tests OR TARGET unshade_c OR NOT TARGET unshade::unshade)
  message(FATAL_ERROR "other targets than the library's")
endif()
END
"$cmake" -G "$generator" -S "$work/inside" -B "$work/inside/build" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CXX_FLAGS="$flags" >"$work/configure.log" 2>&1 ||
  { cat "$work/configure.log"; fail "add_subdirectory"; }
"$cmake" --install "$work/inside/build" --prefix "$work/inside/prefix" >"$work/install.log" || fail "install of the other project"
[ ! -e "$work/inside/prefix" ] || fail "add_subdirectory installs what the other project did not ask for"
echo "add_subdirectory: ok"

# What help points at.
[ -n "$(find "$prefix/share" -name info.schema.json)" ] || fail "no JSON schemas installed"
[ -n "$(find "$prefix/share" -name cli.md)" ] || fail "no documentation installed"

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
    cc -std=c99 -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags unshade-c) "$source/examples/c/explain.c" $(pkg-config --libs unshade-c) \
      -o "$work/explain" || fail "examples/c/explain.c does not build"
    LD_LIBRARY_PATH=$(dirname "$shared") "$work/explain" "$sample" 0x58 >"$work/out" || fail "examples/c/explain.c exits with $?"
    grep -qx 'ISGN/elements\[0\]/mask = xyzw (0x58, 1 byte, component mask)' "$work/out" || fail "examples/c/explain.c prints no field"
    cc -std=c99 $(pkg-config --cflags unshade) "$source/examples/c/inspect.c" $(pkg-config --static --libs unshade) -o "$work/inspect-static" ||
      fail "examples/c does not build with the static libraries"
    "$work/inspect-static" "$sample" >"$work/out" || fail "examples/c exits with $?"
    prints_the_interface "examples/c, static"
    cp -r "$source/examples/c" "$work/c"
    build_example examples/c "$work/c"
    LD_LIBRARY_PATH=$(dirname "$shared") "$work/c/build/inspect" "$sample" >"$work/out" || fail "examples/c exits with $?"
    prints_the_interface "examples/c, CMake"
    if pkg-config --exists vulkan; then
      cp -r "$source/examples/vulkan" "$work/vulkan"
      build_example examples/vulkan "$work/vulkan"
      echo "examples/vulkan, CMake: builds"
    fi
  fi
  if command -v python3 >/dev/null; then
    UNSHADE_LIBRARY=$shared python3 "$source/examples/python/inspect_shader.py" "$sample" >"$work/out" || fail "examples/python exits with $?"
    prints_the_interface "examples/python"
    UNSHADE_LIBRARY=$shared python3 "$source/examples/python/run_shader.py" "$source/tests/data/dxbc/lit_vs_5_0.dxbc" ||
      fail "examples/python/run_shader.py exits with $?"
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
  if [[ $flags == *-fsanitize=*undefined* ]]; then flags+=" -fno-sanitize=vptr"; fi  # docs/howto/cmake.md
  "$cxx" -std=c++20 $flags $(pkg-config --cflags unshade) "$work/list/main.cpp" $(pkg-config --libs unshade) -o "$work/by-pkg-config" ||
    fail "pkg-config"
  prints_the_sample "$work/by-pkg-config"
  echo "pkg-config: ok"
else
  echo "pkg-config: not installed, left out"
fi
