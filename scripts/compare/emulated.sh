#!/usr/bin/env bash
# Tests a build for another machine, and compares its command with this machine's: scripts/compare/emulated.sh BUILD NATIVE JOBS
#   BUILD   folder of the build; its programs are run by the emulator of its toolchain, its command is BUILD/emulated/unshade
#   NATIVE  this machine's command
# The command is compared over the corpus and runs the shaders of public test suites, where these folders are. Logs go to BUILD: tests.log, exec.log.
# Exit status: 1 if anything failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

build=$1
native=$2
jobs=$3
failed=
step() { printf '\n== %s\n' "$*"; }

step "tests of $build"
ctest --test-dir "$build" -j "$jobs" --output-junit "$PWD/$build/tests.xml" --test-output-size-passed 4000000 --output-on-failure >"$build/tests.log" || failed="tests"
python3 tests/junit_summary.py "$build/tests.xml" || failed="tests"
step "its command against $native"
python3 scripts/compare/commands.py "$native" "$build/emulated/unshade" || [ $? -eq 77 ] || failed="$failed comparison"
step "shaders of public test suites"
python3 scripts/check_exec.py --unshade "$build/emulated/unshade" -j "$jobs" >"$build/exec.log" || [ $? -eq 77 ] || failed="$failed suites"
tail -1 "$build/exec.log"
if [ -n "$failed" ]; then
  echo "failed: $failed ($build/tests.log, $build/exec.log)" >&2
  exit 1
fi
