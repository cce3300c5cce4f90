#!/usr/bin/env bash
# Builds for 64-bit Windows on Debian 12, with mingw-w64, and runs what it built under wine: scripts/windows.sh [demo|check|pack] [JOBS]
#   demo   (default) unshade.exe, which needs no library but Windows' own; takes a bundled sample apart
#   check  all that is tested, and unshade.dll; all tests; then the command against this machine's over the corpus, and the shaders of public test suites,
#          where these are (UNSHADE_CORPUS, UNSHADE_EXEC; ../shared/corpus and ../shared/exec beside the checkout)
#   pack   build/windows-release/unshade-VERSION-windows-x86_64.zip: the command, its pages and completions, licences; and
#          unshade-VERSION-windows-x86_64-library.zip: the DLL with its header and import library, licences
# Installs the compiler and wine (scripts/bootstrap.sh windows), and compiles the libraries of Debian's sources (cmake/bundled/fetch.sh).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

wanted=${1:-demo}
jobs=${2:-$(nproc)}
case $wanted in demo | check | pack) ;; *) sed -n '2,9s/^# //p' "$0" >&2; exit 2 ;; esac

step() { printf '\n== %s\n' "$*"; }

step packages
if [ "$wanted" = check ]; then scripts/bootstrap.sh build; fi
scripts/bootstrap.sh windows
cmake/bundled/fetch.sh build/library-sources windows

# A Windows 10 of its own, without windows. Its server stays until the script ends: else each program would wait for one.
export WINEPREFIX=$PWD/build/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" LC_ALL=C.UTF-8
unset DISPLAY
if [ ! -e "$WINEPREFIX/system.reg" ]; then
  wineboot=$(wine wineboot --init 2>&1) || { echo "$wineboot" >&2; exit 1; }
fi
wineserver -p
trap 'wineserver -k || true' EXIT
wine winecfg -v win10

# Windows' own libraries, of those that it has.
only_system_libraries() {
  local imported
  imported=$(x86_64-w64-mingw32-objdump -p "$1" | sed -n 's/^.*DLL Name: //p' | sort -fu)
  if echo "$imported" | grep -vixE '(advapi32|bcrypt|kernel32|msvcrt|ntdll|shell32|user32|ws2_32)\.dll'; then
    echo "$1 needs what is not Windows'" >&2
    return 1
  fi
  echo "$1 imports" $imported
}

# What unshade.dll exports is the interface of its header, and a program in C links and runs with it.
check_library() {
  local build=$1 work=$1/c
  only_system_libraries "$build/unshade.dll"
  mkdir -p "$work"
  sed -n 's/^UNSHADE_API .*[ *]\(unshade_[a-z0-9_]*\)(.*/\1/p' include/unshade/unshade.h | sort >"$work/declared"
  x86_64-w64-mingw32-objdump -p "$build/unshade.dll" | sed -n '/Ordinal\/Name Pointer/,/^$/s/^\t.*[] ]\([A-Za-z_][A-Za-z0-9_@?$.]*\)$/\1/p' | sort >"$work/exported"
  diff "$work/declared" "$work/exported" || { echo "unshade.dll does not export what its header declares" >&2; return 1; }
  cp "$build/unshade.dll" "$work"
  local name sample=tests/data/dxbc/textured_ps_5_0.dxbc
  for name in inspect explain; do
    x86_64-w64-mingw32-gcc-posix -std=c99 -Wall -Wextra -Wpedantic -Werror -DUNSHADE_SHARED -Iinclude "examples/c/$name.c" "$build/libunshade.dll.a" -o "$work/$name.exe"
  done
  wine "$work/inspect.exe" $sample >"$work/inspect.txt"
  grep -q '^dxbc ps_5_0 pixel' "$work/inspect.txt"
  wine "$work/explain.exe" $sample 0x58 | tr -d '\r' | grep -x 'ISGN/elements\[0\]/mask = xyzw (0x58, 1 byte, component mask)'
  echo "unshade.dll exports $(wc -l <"$work/declared") functions; programs in C run with it"
}

if [ "$wanted" = pack ]; then
  step "build/windows-release: the command and the library, optimised"
  cmake --preset windows-release --log-level=WARNING
  NINJA_STATUS='[%f/%t, %e s] ' cmake --build --preset windows-release -j "$jobs"
  only_system_libraries build/windows-release/unshade.exe
  check_library build/windows-release
  step archive
  cmake --build build/windows-release --target archive
  for made in build/windows-release/unshade-*.zip; do mv "$made" "$made.first"; done
  cmake --build build/windows-release --target archive >/dev/null
  for made in build/windows-release/unshade-*.zip; do
    cmp "$made" "$made.first"
    rm "$made.first"
    ls -l "$made"
  done
  exit
fi

cmake --preset windows --log-level=WARNING
if [ "$wanted" = demo ]; then
  step "build/windows/unshade.exe"
  NINJA_STATUS='[%f/%t, %e s] ' cmake --build --preset windows --target unshade_cli -j "$jobs"
  only_system_libraries build/windows/unshade.exe
  step "the listing of a pixel shader, then what it reads, writes and binds, by the command for Windows"
  set -x
  wine build/windows/unshade.exe dis tests/data/dxbc/textured_ps_5_0.dxbc
  wine build/windows/unshade.exe reflect tests/data/dxbc/textured_ps_5_0.dxbc
  exit
fi

step "build/windows: all that is tested"
cmake --build --preset windows -j "$jobs"
only_system_libraries build/windows/unshade.exe
check_library build/windows
step "this machine's command"
# Without what the command for Windows lacks: the validator of SPIRV-Tools, and SPIRV-Cross.
cmake --preset check -B build/windows-host -DUNSHADE_WITH_KHRONOS=OFF -DUNSHADE_BUILD_TESTS=OFF --log-level=WARNING
cmake --build build/windows-host -j "$jobs" --target unshade_cli
scripts/compare/emulated.sh build/windows build/windows-host/unshade "$jobs"
